/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef COMPARE_TRAFFIC_H
#define COMPARE_TRAFFIC_H

/*
 * The work that is the same on every path: one core sends, another receives, one
 * queue, bursts of COMPARE_BURST.
 */

#include <rte_mempool.h>

#include "compare_shared.h"

struct compare_traffic {
	struct compare_shared *shared;
	struct compare_command command; /* frame size, stream, destination */
	struct rte_mempool *pool;
	uint16_t tx_port;
	uint16_t rx_port;
};

/*
 * Take buffers from the pool, write a frame into each, offer them to the port; what it does
 * not take is offered again, so nothing is dropped here. Runs until shared->stop.
 */
void compare_send(const struct compare_traffic *traffic);

/*
 * Receive, look at every frame's sequence number, compare each APP_FRAME_WHOLE-th frame byte by
 * byte, free. Ends when the sender is done and all has arrived, or nothing has for a
 * tenth of a second.
 */
void compare_receive(const struct compare_traffic *traffic);

#endif
