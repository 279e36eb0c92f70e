/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_MAINT_H
#define TSI721_MAINT_H

/*
 * Maintenance requests: 32-bit reads and writes of configuration space, of
 * this device (local) or of any other (through block DMA channel 7). Any
 * thread; requests of one device are serialised.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_compat.h>

struct tsi721_device;

/** @return 0; -EINVAL offset not a multiple of 4 or too large. */
__rte_internal
int tsi721_lcread(struct tsi721_device *dev, uint32_t off, uint32_t *val);
__rte_internal
int tsi721_lcwrite(struct tsi721_device *dev, uint32_t off, uint32_t val);

/**
 * hop: switches to pass before the request is answered; RIO_HOP_ENDPOINT
 * reaches the endpoint.
 * @return 0; -EINVAL; -EIO error response or nobody there; -ETIMEDOUT.
 */
__rte_internal
int tsi721_maint_read(struct tsi721_device *dev, uint16_t destid, uint8_t hop,
		      uint32_t off, uint32_t *val);
__rte_internal
int tsi721_maint_write(struct tsi721_device *dev, uint16_t destid, uint8_t hop,
		       uint32_t off, uint32_t val);

/** Link of the local port, from its status registers. */
struct tsi721_link {
	bool up;
	uint8_t lanes;		/* 1, 2, 4 */
	uint32_t mbaud;		/* a lane: 1250 to 6250 */
};
__rte_internal
void tsi721_link_get(struct tsi721_device *dev, struct tsi721_link *link);

#endif /* TSI721_MAINT_H */
