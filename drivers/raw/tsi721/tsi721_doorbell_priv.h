/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_DOORBELL_PRIV_H
#define TSI721_DOORBELL_PRIV_H

/* The doorbell block as the device and its interrupt handler see it. */

#include <stdbool.h>
#include <stdint.h>

#include "tsi721_device.h"

#define DBELL_INT_ERRORS	(TSI721_SR_CHINT_ODBERR | TSI721_SR_CHINT_ODBTO)

int tsi721_dbell_init(struct tsi721_device *dev);
void tsi721_dbell_fini(struct tsi721_device *dev);

/** Requested ranges. */
uint32_t tsi721_dbell_ranges(struct tsi721_device *dev);
/**
 * Let the queue of ranges take doorbells below `first` (a power of two) only; 0:
 * all. -EBUSY: a range goes beyond.
 */
int tsi721_dbell_limit(struct tsi721_device *dev, uint32_t first);
/** Whether nothing waits for dispatch. */
bool tsi721_dbell_empty(struct tsi721_device *dev);
/** As tsi721_dbell_poll, for the interrupt handler. */
unsigned int tsi721_dbell_dispatch(struct tsi721_device *dev, unsigned int max);
/** Doorbells dispatched by tsi721_dbell_poll so far: grows while somebody polls. */
uint64_t tsi721_dbell_polled(struct tsi721_device *dev);
/** Whether arrivals raise an interrupt; errors always do. */
void tsi721_dbell_intr_enable(struct tsi721_device *dev, bool on);
/** Clear the causes; what errors say is counted. */
void tsi721_dbell_intr_clear(struct tsi721_device *dev);

#endif /* TSI721_DOORBELL_PRIV_H */
