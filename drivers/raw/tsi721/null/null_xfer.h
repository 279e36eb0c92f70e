/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_XFER_H
#define NULL_XFER_H

/*
 * A transfer of one block, as a descriptor asks for it, of any length, over any
 * number of windows and regions of memory. What lies in one piece on both sides
 * is done by the block DMA engine itself; this is for the rest.
 */

#include "null_internal.h"

struct null_xfer {
	uint64_t addr;		/* RapidIO address bits 63:0 */
	uint32_t hi2;		/* and 65:64 */
	uint32_t rtype;		/* TSI721_RTYPE_NREAD to TSI721_RTYPE_ALL_NWRITE_R */
	uint32_t destid, tt;
	uint64_t iova;		/* own memory */
	uint64_t len;
};

/* 0, or an enum null_abort. The caller holds the engine's lock. */
uint32_t null_xfer(struct null_device *dev, struct null_engine *eng, struct null_xfer *x);

/* Abort code of an outcome; 0: DONE. */
uint32_t null_abort_of(enum null_resp resp);

#endif /* NULL_XFER_H */
