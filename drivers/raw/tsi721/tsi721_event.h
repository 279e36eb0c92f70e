/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_EVENT_H
#define TSI721_EVENT_H

/* Eventfds of interrupt sources, as the interrupt handler sees them. */

#include "tsi721_device.h"
#include "tsi721_intr.h"

/** Pass on what the channels say, bits of DEV_CHAN_INT; sources that are not open are left. */
void tsi721_event_handle(struct tsi721_device *dev, uint32_t chans);
/** Whether number 0 of a source is open. */
bool tsi721_event_is_open(struct tsi721_device *dev, enum tsi721_intr_src src);
/** Close what is open; the handler does not run any more. */
void tsi721_event_fini(struct tsi721_device *dev);

/** The interrupt thread dispatches doorbells again, beginning with those that wait. */
void tsi721_intr_dbell_resume(struct tsi721_device *dev);

#endif /* TSI721_EVENT_H */
