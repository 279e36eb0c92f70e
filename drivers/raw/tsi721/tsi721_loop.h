/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_LOOP_H
#define TSI721_LOOP_H

/*
 * Copies from memory to memory: a write to the device's own destination ID,
 * which a fabric may bring back, into an inbound window that it has opened onto
 * its own memory. Each block DMA channel that does so has a set of such windows;
 * sets share windows. For files of this folder.
 *
 * Where IOVAs are virtual addresses a window shows 16 GiB of them, of which the
 * device reaches what the EAL has mapped. Where they are physical, a window
 * shows one page of the EAL's memory and nothing else; when none is free the
 * one that was used longest ago makes place.
 */

#include <stdbool.h>
#include <stdint.h>

#include "tsi721_device.h"

/** Where memory appears to the device itself: far from what applications choose. */
#define TSI721_LOOP_RADDR(iova)	(1ull << 62 | (iova))

struct tsi721_loop_window {
	rte_iova_t base;
	uint64_t size;
	uint64_t used;			/* tick of the last copy */
	unsigned int win;		/* its number */
};

struct tsi721_loop {
	struct tsi721_loop_window w[TSI721_IBWIN_NUM];
	unsigned int nb;
	uint64_t tick;
};

/** Whether the fabric does so: a transfer through channel ch, a dmadev's that is not open. */
bool tsi721_loop_probe(struct tsi721_device *dev, unsigned int ch);

/**
 * See to it that windows show [iova, iova + len).
 * @return 0; -EFAULT it is no memory that the EAL knows; -ENOSPC no window is
 *   free; -EINVAL it takes more windows than there are.
 */
int tsi721_loop_cover(struct tsi721_loop *loop, struct tsi721_device *dev, rte_iova_t iova,
		      uint64_t len);
/** Close the window that was used longest ago, other than by the last cover. No copy may run. */
bool tsi721_loop_evict(struct tsi721_loop *loop, struct tsi721_device *dev);
/** Close all. No copy may run. */
void tsi721_loop_close(struct tsi721_loop *loop, struct tsi721_device *dev);

/** Whether one window shows it: that is so for most. */
static inline bool
tsi721_loop_hit(const struct tsi721_loop *loop, rte_iova_t iova, uint64_t len)
{
	unsigned int i;

	for (i = 0; i < loop->nb; i++) {
		uint64_t off = iova - loop->w[i].base;

		if (off < loop->w[i].size && len <= loop->w[i].size - off)
			return true;
	}
	return false;
}

#endif /* TSI721_LOOP_H */
