/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TAP_CARRY_H
#define TAP_CARRY_H

/* Carries the frames of one queue pair, both ways. One lcore a queue. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tap_iface.h"
#include "tap_port.h"

#define TAP_BURST 32

/* Written by the queue's lcore, read by any. */
struct tap_counters {
	uint64_t to_port;	/* frames from the kernel that the port took */
	uint64_t to_port_bytes;
	uint64_t to_kernel;	/* frames from the port that the kernel took */
	uint64_t to_kernel_bytes;
	uint64_t refused_kernel;	/* ... that the kernel refused: its interface is down, say */
	uint64_t refused_port;	/* frames from the kernel that were not as its header said, or
				 * that the port cannot send
				 */
	uint64_t sleeps;
};

struct tap_carrier {
	const struct tap_port *port;
	int fd;
	uint16_t queue;
	uint64_t spin_cycles;
	const atomic_bool *ended;
	struct tap_counters counters;
	/* Read from the kernel, not taken by the port yet. */
	struct rte_mbuf *pending[TAP_BURST];
	unsigned int nb_pending;
	/* What the next frame of the kernel is read into. */
	struct rte_mbuf *small, *big;
	bool failed;	/* the interface went away */
};

/* Runs until *ended, or the interface goes. Frees what it held. */
void tap_carrier_run(struct tap_carrier *c);

#endif
