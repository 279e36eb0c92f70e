/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_INTR_H
#define TSI721_INTR_H

/*
 * Waiting for a device instead of polling it: an eventfd for each source, which
 * becomes readable when that source has something. It does so once each time it
 * was armed, so nothing interrupts who is polling.
 *
 * Who wants to sleep polls until nothing is there, arms, and sleeps unless the
 * arming says that something has come meanwhile. Wake-ups without a cause are
 * possible, lost ones are not.
 */

#include <stdint.h>

#include <rte_common.h>
#include <rte_compat.h>

struct tsi721_device;

enum tsi721_intr_src {
	TSI721_INTR_DBELL,	/* nr 0: doorbells, all ranges */
	TSI721_INTR_IMSG,	/* nr: mailbox, a message has come */
	TSI721_INTR_OMSG,	/* nr: mailbox, messages sent have ended */
	TSI721_INTR_BDMA,	/* nr: block DMA channel, operations have ended */
	TSI721_INTR_SRCS
};

/**
 * Make the eventfd of a source, unarmed. While that of doorbells is open, the
 * EAL's interrupt thread does not dispatch them: who opened it does.
 * @return the descriptor, non-blocking, closed by tsi721_intr_close; -EINVAL no
 *   such source; -EBUSY open; -ENOTSUP the device has no interrupts; -EMFILE.
 */
__rte_internal
int tsi721_intr_open(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr);
/** Undo it; afterwards nothing signals the descriptor. */
__rte_internal
void tsi721_intr_close(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr);
/**
 * Have the descriptor signalled by what comes from now on. Called by who polls
 * the source: not at the same time as it is polled.
 * @return 0: sleep; 1: there is something to poll, the source is not armed;
 *   -ENOENT not open.
 */
__rte_internal
int tsi721_intr_arm(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr);
/** No more signals until it is armed again. */
__rte_internal
void tsi721_intr_disarm(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr);
/** Signal the descriptor as if something had come. */
__rte_internal
void tsi721_intr_signal(struct tsi721_device *dev, enum tsi721_intr_src src, unsigned int nr);

#endif /* TSI721_INTR_H */
