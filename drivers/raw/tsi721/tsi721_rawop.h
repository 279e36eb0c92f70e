/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_RAWOP_H
#define TSI721_RAWOP_H

/*
 * Operations of a rawdev's queue on a block DMA channel. Most are one operation
 * of the channel; lists of rows, and what has more pieces than the ring has
 * descriptors, are several, posted as room comes. For files of this folder.
 */

#include "rte_pmd_tsi721.h"
#include "tsi721_bdma.h"

/* How far an operation was posted. */
struct tsi721_rawop_pos {
	uint64_t raddr;
	uint64_t off;		/* into the segment or row */
	uint32_t index;		/* of it */
	uint8_t raddr_hi;
};

struct tsi721_rawdev_queue {
	struct tsi721_bdma *q;		/* NULL: not set up */
	uint32_t nb_desc;
	uint8_t ch;			/* its block DMA channel */
	uint32_t forgotten;		/* operations under way that nobody asks for */
	struct rte_pmd_tsi721_op *done, **done_end;	/* ended, not dequeued, oldest first */
	/* An operation that is longer than the ring, and not posted to its end. */
	struct rte_pmd_tsi721_op *open;
	struct tsi721_rawop_pos open_pos;
	uint32_t open_parts;		/* of it under way */
};

int tsi721_rawop_queue_open(struct tsi721_rawdev_queue *queue, struct tsi721_device *dev,
			    uint32_t nb_desc, int socket_id);
/** Operations that are not dequeued end with -ECANCELED. */
void tsi721_rawop_queue_close(struct tsi721_rawdev_queue *queue);

/** Stage one. 0; -ENOSPC no room now; -EINVAL, -E2BIG: op->status is set too. */
int tsi721_rawop_post(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op *op);
/** Start what is staged. */
void tsi721_rawop_kick(struct tsi721_rawdev_queue *queue);
/** Collect what has ended, so that there is room: it waits to be dequeued. */
void tsi721_rawop_collect(struct tsi721_rawdev_queue *queue);
/** Take one operation out of those that wait. Whether it was there. */
bool tsi721_rawop_withdraw(struct tsi721_rawdev_queue *queue, const struct rte_pmd_tsi721_op *op);
/** Operations that have ended, in order; what is open goes on. */
unsigned int tsi721_rawop_reap(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op **ops,
			       unsigned int nb);

#endif /* TSI721_RAWOP_H */
