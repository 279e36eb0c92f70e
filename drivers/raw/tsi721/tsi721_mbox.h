/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_MBOX_H
#define TSI721_MBOX_H

/*
 * Messages: 8 to 4096 bytes in units of 8, to a mailbox (0 to 3) of a
 * destination. One outbound and one inbound queue a mailbox. A queue is used
 * by one thread at a time; different queues by different threads at once.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_compat.h>

struct tsi721_device;
struct tsi721_omsg;
struct tsi721_imsg;

struct tsi721_msg_stats {
	uint64_t messages;
	uint64_t bytes;
	uint64_t errors;	/* out: ended by an error response or a timeout */
	uint64_t full;		/* out: no free descriptor */
};

/**
 * Open the outbound queue of a mailbox: descriptors and status FIFO on
 * socket_id, the channel initialised. nb_desc: power of two, 32 to 32768.
 * @return 0; -EINVAL; -EBUSY already open; -ENOMEM; -ENODEV mailbox not selected.
 */
__rte_internal
int tsi721_omsg_open(struct tsi721_device *dev, unsigned int mbox, unsigned int nb_desc,
		     int socket_id, struct tsi721_omsg **q);
/**
 * From now on a message that times out takes those along that are posted for the same
 * destination, so that one that takes none holds the others up once only. Else each is tried.
 */
__rte_internal
void tsi721_omsg_fail_together(struct tsi721_omsg *q);
/** Stop the channel and free the rings. Cookies still posted are passed to free_cb. */
__rte_internal
void tsi721_omsg_close(struct tsi721_omsg *q, void (*free_cb)(void *cookie, void *arg),
		       void *arg);
/** Descriptors free now, without reaping. */
__rte_internal
unsigned int tsi721_omsg_free(const struct tsi721_omsg *q);
/**
 * Stage one message; nothing is sent before tsi721_omsg_kick. The memory at
 * iova must stay until its cookie is reaped. len: 8 to 4096, multiple of 8.
 * @return 0; -ENOSPC no free descriptor; -EINVAL len.
 */
__rte_internal
int tsi721_omsg_post(struct tsi721_omsg *q, uint16_t destid, unsigned int letter,
		     rte_iova_t iova, unsigned int len, void *cookie);
/** Send what is staged: one write barrier, one tail write. */
__rte_internal
void tsi721_omsg_kick(struct tsi721_omsg *q);
/**
 * Collect messages that have ended, in order: their cookies, and in status[i]
 * 0 or a negative errno (-EIO error response, -ETIMEDOUT). An aborted channel
 * is brought back and what stood behind the failed message is sent again; but
 * see tsi721_omsg_fail_together.
 * status may be NULL. Reads memory only, unless the channel aborted or is late.
 */
__rte_internal
unsigned int tsi721_omsg_reap(struct tsi721_omsg *q, void **cookies, int *status,
			      unsigned int nb);

/** A received message, in a buffer that the queue owns until it is released. */
struct tsi721_imsg_info {
	void *data;
	rte_iova_t iova;
	uint16_t len;		/* 8 to 4096: the padded length */
	uint16_t src;		/* source destination ID */
	uint8_t letter;
	uint8_t mbox;
};

/** Open the inbound queue of a mailbox and post its buffers. nb_desc as above. */
__rte_internal
int tsi721_imsg_open(struct tsi721_device *dev, unsigned int mbox, unsigned int nb_desc,
		     int socket_id, struct tsi721_imsg **q);
__rte_internal
void tsi721_imsg_close(struct tsi721_imsg *q);
/**
 * Look at up to nb received messages, oldest first, without giving their
 * buffers back. Fields are copied out of the descriptor and checked; one that
 * fails is dropped and counted. Reads memory only. Always begins at the oldest
 * message that was not released: what the caller has no room for is seen again.
 * A channel that aborted is noticed after some thousand polls that find nothing.
 */
__rte_internal
unsigned int tsi721_imsg_poll(struct tsi721_imsg *q, struct tsi721_imsg_info *msgs,
			      unsigned int nb);
/**
 * Where the device writes next: a little-endian word of the descriptor behind all that was
 * released, in which *mask becomes set when a message is there. For who watches memory.
 */
__rte_internal
volatile void *tsi721_imsg_next(const struct tsi721_imsg *q, uint32_t *mask);
/** Give the oldest nb polled messages' buffers back to the device. */
__rte_internal
void tsi721_imsg_release(struct tsi721_imsg *q, unsigned int nb);

__rte_internal
void tsi721_omsg_stats(const struct tsi721_omsg *q, struct tsi721_msg_stats *stats);
__rte_internal
void tsi721_imsg_stats(const struct tsi721_imsg *q, struct tsi721_msg_stats *stats);

/** Before sleeping: whether there is something to reap, or to poll. For this folder. */
bool tsi721_omsg_waiting(struct tsi721_omsg *q);
bool tsi721_imsg_waiting(struct tsi721_imsg *q);

#endif /* TSI721_MBOX_H */
