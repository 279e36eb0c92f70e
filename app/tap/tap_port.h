/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TAP_PORT_H
#define TAP_PORT_H

/* The port: queues, what it can do for the kernel, its memory. */

#include <stdbool.h>
#include <stdint.h>

#include <rte_mempool.h>

#include "tap_iface.h"
#include "tap_options.h"

/* The longest frame that the kernel passes whole: 64 KiB of IP behind an Ethernet header. */
#define TAP_FRAME_MAX (65536 + 18)

struct tap_port {
	uint16_t id;
	uint16_t mtu;
	uint16_t queues;
	bool rx_intr;			/* a queue can wake a sleeping lcore */
	struct tap_offload offload;	/* what the kernel may leave to the port */
	struct rte_mempool *rx;		/* what the port receives; also the first part of ... */
	struct rte_mempool *big;	/* ... what the kernel sends; the rest of a long one */
	uint32_t big_room;		/* bytes; what the first part has no room for */
};

/* Find, set up and start the port. One line on standard error and -1 when it cannot be. */
int tap_port_open(struct tap_port *port, const struct tap_options *opt);
void tap_port_close(struct tap_port *port);
bool tap_port_link(const struct tap_port *port);

#endif
