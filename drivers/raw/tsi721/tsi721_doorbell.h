/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_DOORBELL_H
#define TSI721_DOORBELL_H

/*
 * Doorbells: 16 bits of information to a destination, in order and reliable.
 * Reception is by ranges of the information field, as in Linux's RapidIO core.
 */

#include <stdint.h>

#include <rte_common.h>
#include <rte_compat.h>

struct tsi721_device;

/** Send one. Any thread. Delivery errors show in the doorbell statistics. */
__rte_internal
void tsi721_dbell_send(struct tsi721_device *dev, uint16_t destid, uint16_t info);

/**
 * Called for each doorbell of a requested range, in arrival order, from
 * whichever thread dispatches (a data-plane lcore or the EAL interrupt
 * thread), never from two at once.
 */
typedef void (*tsi721_dbell_cb)(void *arg, uint16_t src, uint16_t info);

/** Ask for a range, both ends included. -EBUSY: overlaps another; -EINVAL. */
__rte_internal
int tsi721_dbell_request(struct tsi721_device *dev, uint16_t first, uint16_t last,
			 tsi721_dbell_cb cb, void *arg);
/** Afterwards the callback neither runs nor will run. */
__rte_internal
void tsi721_dbell_release(struct tsi721_device *dev, uint16_t first, uint16_t last);

/**
 * Dispatch what has arrived, up to max. One memory load when nothing has.
 * Returns 0 at once when another thread is dispatching.
 */
__rte_internal
unsigned int tsi721_dbell_poll(struct tsi721_device *dev, unsigned int max);

struct tsi721_dbell_stats {
	uint64_t sent;
	uint64_t received;
	uint64_t unclaimed;	/* received outside every requested range */
	uint64_t errors;	/* error responses to sent ones, as far as the chip tells */
};
__rte_internal
void tsi721_dbell_stats(struct tsi721_device *dev, struct tsi721_dbell_stats *stats);

#endif /* TSI721_DOORBELL_H */
