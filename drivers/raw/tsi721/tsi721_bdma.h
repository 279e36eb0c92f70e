/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_BDMA_H
#define TSI721_BDMA_H

/*
 * Block DMA: transfers between memory of this machine and RapidIO addresses.
 * One queue a channel; a queue is used by one thread at a time. An operation
 * is a list of segments of memory that lie one behind the other in RapidIO
 * space; it is done, or fails, as a whole.
 */

#include <stdbool.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_compat.h>

struct tsi721_device;
struct tsi721_bdma;

struct tsi721_bdma_seg {
	rte_iova_t iova;	/* any alignment, IOVA-contiguous */
	uint64_t len;		/* bytes, at least 1; cut at 64 MiB by the queue */
};

/** A piece of an operation whose pieces do not lie one behind the other in RapidIO space. */
struct tsi721_bdma_piece {
	uint64_t raddr;		/* bits 63:0; bits 65:64 are those of the request */
	rte_iova_t iova;
	uint64_t len;		/* bytes, at least 1 */
};

/** Where and how, for all segments of an operation. */
struct tsi721_bdma_req {
	uint64_t raddr;		/* RapidIO address, bits 63:0 */
	uint8_t raddr_hi;	/* bits 65:64 */
	uint8_t rtype;		/* TSI721_RTYPE_NREAD to TSI721_RTYPE_ALL_NWRITE_R */
	uint8_t prio;		/* 0 to 3 */
	uint16_t destid;
};

struct tsi721_bdma_stats {
	uint64_t ops;		/* ended without error */
	uint64_t bytes;		/* of them */
	uint64_t errors;	/* operations that failed */
	uint64_t full;		/* operations refused: too few free descriptors */
};

/**
 * Open a channel. nb_desc: power of two, 32 to 32768.
 * @return 0; -EINVAL; -EBUSY already open; -ENOMEM; -ENODEV channel not
 *   selected, a dmadev, or kept for maintenance requests.
 */
__rte_internal
int tsi721_bdma_open(struct tsi721_device *dev, unsigned int ch, unsigned int nb_desc,
		     int socket_id, struct tsi721_bdma **q);
/** The same for the channels that dmadevs have. For files of this folder. */
int tsi721_bdma_open_dmadev(struct tsi721_device *dev, unsigned int ch, unsigned int nb_desc,
			    int socket_id, struct tsi721_bdma **q);
/** Stop the channel and free it. Cookies still posted are passed to free_cb, if there is one. */
__rte_internal
void tsi721_bdma_close(struct tsi721_bdma *q, void (*free_cb)(void *cookie, void *arg),
		       void *arg);
/** Descriptors free now, without reaping. */
__rte_internal
unsigned int tsi721_bdma_free(const struct tsi721_bdma *q);
/** Operations staged or running, not reaped. */
__rte_internal
unsigned int tsi721_bdma_pending(const struct tsi721_bdma *q);
/** Descriptors that an operation of these segments takes; 0 when a length is 0. */
__rte_internal
unsigned int tsi721_bdma_descs(const struct tsi721_bdma_seg *segs, unsigned int nb_segs);
/**
 * Stage one operation; nothing runs before tsi721_bdma_kick. Memory must stay
 * until the cookie is reaped; segs and req are copied.
 * @return 0; -ENOSPC too few free descriptors now; -E2BIG never fits this ring;
 *   -EINVAL.
 */
__rte_internal
int tsi721_bdma_post(struct tsi721_bdma *q, const struct tsi721_bdma_req *req,
		     const struct tsi721_bdma_seg *segs, unsigned int nb_segs, void *cookie);
/** The same for pieces that lie anywhere; req->raddr is not looked at. For files of this folder. */
int tsi721_bdma_post_pieces(struct tsi721_bdma *q, const struct tsi721_bdma_req *req,
			    const struct tsi721_bdma_piece *pieces, unsigned int nb, void *cookie);
/**
 * Stage a write of 1 to 15 bytes that are copied into the descriptor: data may
 * change once this returns. rtype: TSI721_RTYPE_LAST_NWRITE_R to
 * TSI721_RTYPE_ALL_NWRITE_R. -ENOSPC; -EINVAL.
 */
__rte_internal
int tsi721_bdma_post_imm(struct tsi721_bdma *q, const struct tsi721_bdma_req *req,
			 const void *data, unsigned int len, void *cookie);
/** Start what is staged: one write barrier, one tail write. */
__rte_internal
void tsi721_bdma_kick(struct tsi721_bdma *q);
/**
 * Collect operations that have ended, in order: their cookies, and in status[i]
 * 0 or a negative errno (-EIO error response, -ETIMEDOUT, -EFAULT memory that
 * the device could not reach). An aborted channel is brought back; operations
 * behind the failed one run again from their beginning, having done nothing
 * before. status may be NULL. Reads memory only, unless the channel is late.
 */
__rte_internal
unsigned int tsi721_bdma_reap(struct tsi721_bdma *q, void **cookies, int *status,
			      unsigned int nb);
/** Whether the fields of a request, other than the address, are such that post takes them. */
bool tsi721_bdma_req_good(const struct tsi721_bdma *q, const struct tsi721_bdma_req *req);
/**
 * Collect from an aborted channel without waiting until it is late: the failed
 * operation ends, the channel is brought back. Nothing when it has not aborted.
 */
void tsi721_bdma_recover(struct tsi721_bdma *q);

/** What the channel's registers say: costs register reads. */
enum tsi721_bdma_state {
	TSI721_BDMA_IDLE,	/* all that was kicked has ended */
	TSI721_BDMA_ACTIVE,
	TSI721_BDMA_ABORTED,	/* reap or tsi721_bdma_recover bring it back */
};
enum tsi721_bdma_state tsi721_bdma_state(const struct tsi721_bdma *q);

/*
 * The same channel without operations and cookies, for who keeps count of
 * descriptors himself: a queue is used in one of the two ways from its opening
 * to its closing.
 */

/** First word of descriptors for a destination. rtype, prio and destid as in a request. */
__rte_internal
uint32_t tsi721_bdma_word(const struct tsi721_bdma *q, unsigned int rtype, unsigned int prio,
			  uint16_t destid);
/**
 * Stage one descriptor: len bytes, 1 to 64 MiB, between memory and RapidIO
 * address raddr. There must be room (tsi721_bdma_free), and memory and address
 * must be good: nothing is checked.
 * @return its index: 0 for the first after opening, and free-running.
 */
__rte_internal
uint32_t tsi721_bdma_put(struct tsi721_bdma *q, uint32_t word, uint64_t raddr, rte_iova_t iova,
			 uint32_t len);
/**
 * Look at what has ended and forget it. At most one failed descriptor a call:
 * then *err is a negative errno as with tsi721_bdma_reap, *failed its index, and the
 * channel goes on behind it. Otherwise *err is 0. Reads memory only, unless the
 * channel is late.
 * @return the index behind the last descriptor that has ended.
 */
__rte_internal
uint32_t tsi721_bdma_ended(struct tsi721_bdma *q, uint32_t *failed, int *err);

__rte_internal
void tsi721_bdma_stats(const struct tsi721_bdma *q, struct tsi721_bdma_stats *stats);

/** Before sleeping: whether there is something to reap. For this folder. */
bool tsi721_bdma_waiting(struct tsi721_bdma *q);

#endif /* TSI721_BDMA_H */
