/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_MAINT_PRIV_H
#define TSI721_MAINT_PRIV_H

/* The maintenance block as the device sees it. */

#include <stdint.h>

#include "tsi721_device.h"

int tsi721_maint_init(struct tsi721_device *dev);
void tsi721_maint_fini(struct tsi721_device *dev);

/** Remote requests; local ones are plain register accesses and not counted. */
struct tsi721_maint_stats {
	uint64_t reads, writes, errors;
};
void tsi721_maint_stats(struct tsi721_device *dev, struct tsi721_maint_stats *stats);

#endif /* TSI721_MAINT_PRIV_H */
