/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TRAFFIC_H
#define TRAFFIC_H

/*
 * Nodes that send each other frames whose every byte follows from sender, its life, flow and
 * number, and check what they receive. What a test and its nodes know of each other is a
 * page of memory that all have mapped.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define TRAFFIC_NODES	8u
#define TRAFFIC_FLOWS	8u	/* from a node to another */
#define TRAFFIC_NAME	64u

enum traffic_phase {
	TRAFFIC_SEND,
	TRAFFIC_QUIET,	/* nothing more is sent; what comes is taken */
	TRAFFIC_END,
};

/* What a node has had from another one in the other's present life. */
struct traffic_from {
	_Atomic uint32_t life;
	_Atomic uint64_t first_ns;	/* when its first frame came */
	_Atomic uint64_t last_ns;	/* and the last one; a gap goes on */
	_Atomic uint64_t longest_ns;	/* without a frame */
	_Atomic uint64_t frames;
	_Atomic uint64_t skipped;	/* numbers of frames that never came */
};

/* A port's own counters, and the node's of what it gave and took. */
struct traffic_sums {
	uint64_t given, taken;
	uint64_t ipackets, ierrors, imissed, ibytes;
	uint64_t opackets, oerrors, obytes;
	uint64_t tx_oversize, rx_oversize;
	uint64_t want_tx_oversize;	/* so many were given */
	uint64_t isolated;
};

struct traffic_node {
	/* Set by the test. */
	uint32_t life;
	bool victim;		/* dies: what goes to it and comes from it may get lost */
	uint16_t mtu;

	/* Set by the node. */
	_Atomic uint32_t up;	/* the life that has started its port */
	_Atomic uint64_t start_ns;	/* when it began to start it */
	_Atomic uint32_t ready;	/* has found all others */
	_Atomic uint32_t nb_queues;
	/* Frames made for each: that no port drops, and that the receiver's MTU excludes. */
	_Atomic uint64_t good[TRAFFIC_NODES], over[TRAFFIC_NODES];
	_Atomic uint32_t done;	/* all that was to be sent was given to the port */
	_Atomic uint32_t summed;	/* `sums` is valid */
	_Atomic uint32_t wrong;	/* what must not happen */
	char why[200];		/* the first of it */
	struct traffic_from from[TRAFFIC_NODES];
	struct traffic_sums sums;
};

struct traffic {
	char fabric[TRAFFIC_NAME];
	char args[TRAFFIC_NAME];	/* of each port */
	uint32_t nb;
	uint32_t queues;		/* fewer where a port has fewer */
	bool two_threads;		/* one receives, another one sends */
	bool msg;			/* frames may come as messages, rounded up to 8 bytes */
	bool dma;			/* they may come by DMA; none is sent before agreement */
	uint32_t longest;		/* frame, but for the few below */
	uint32_t huge;			/* longest of one in `huge_every`; 0: none */
	uint32_t huge_every;
	uint32_t pause_us;		/* between bursts */
	uint64_t frames;		/* from each node to each other; 0: until told */
	_Atomic uint32_t phase;		/* enum traffic_phase */
	struct traffic_node node[TRAFFIC_NODES];
};

uint64_t traffic_now_ns(void);

#endif /* TRAFFIC_H */
