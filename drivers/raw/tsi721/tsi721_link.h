/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_LINK_H
#define TSI721_LINK_H

/* The port's errors, and training it anew. Any thread, one at a time. For files of this folder. */

#include <stdbool.h>
#include <stdint.h>

#include "tsi721_device.h"
#include "tsi721_maint.h"

struct tsi721_link_errors {
	bool port_error;		/* the port could not recover by itself */
	bool output_stopped, input_stopped;	/* has been, since the last clear */
	uint32_t port_detect;		/* port error detect CSR */
	uint32_t logical_detect;	/* logical and transport layer error detect CSR */
	uint8_t rate;			/* error rate counter */
	uint32_t retries_made;		/* messages that were answered with RETRY */
	uint32_t retries_got;		/* RETRY answers to own messages */
};

void tsi721_link_errors(struct tsi721_device *dev, struct tsi721_link_errors *errors);
void tsi721_link_errors_clear(struct tsi721_device *dev);

/** Disable and enable the port, and wait until the partner answers. 0; -ETIMEDOUT. */
int tsi721_link_retrain(struct tsi721_device *dev, unsigned int timeout_ms);

#endif /* TSI721_LINK_H */
