/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_EAL_H
#define RIONET_EAL_H

/** EAL on ordinary memory, without devices and without leaving a file. 0 on success. */
int rionet_eal(void);

#endif /* RIONET_EAL_H */
