/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef HOSTILE_MEM_H
#define HOSTILE_MEM_H

/** Blocks and memzones that ports hold. */
unsigned int hostile_blocks(void);

/** Every timer that is set runs once, whatever it was set to. */
void hostile_ticks(void);

#endif /* HOSTILE_MEM_H */
