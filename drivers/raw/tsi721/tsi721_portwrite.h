/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_PORTWRITE_H
#define TSI721_PORTWRITE_H

/* Reception of port-writes: one of 16 bytes is captured at a time. */

#include <stdbool.h>
#include <stdint.h>

#include "tsi721_device.h"

/** Receive, and raise the interrupt; the device's interrupts are enabled elsewhere. */
void tsi721_portwrite_init(struct tsi721_device *dev);
void tsi721_portwrite_fini(struct tsi721_device *dev);
/** Take the port-write that is there; false: there is none. One thread at a time. */
bool tsi721_portwrite_take(struct tsi721_device *dev, uint32_t words[TSI721_RIO_PW_WORDS]);
/** Take all and pass each on: the interrupt handler. Returns how many. */
unsigned int tsi721_portwrite_dispatch(struct tsi721_device *dev);

#endif /* TSI721_PORTWRITE_H */
