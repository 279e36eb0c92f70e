/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RTE_PMD_TSI721_H
#define RTE_PMD_TSI721_H

/**
 * @file
 * RapidIO through the Tsi721 PCIe bridge: what the raw device of
 * librte_raw_tsi721 offers beyond rte_rawdev.h.
 */

#endif /* RTE_PMD_TSI721_H */
