/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef L2FWD_H
#define L2FWD_H

/* dpdk-rio-l2fwd: frames of one port leave by the other, both ways. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#define L2FWD_BURST	32
#define L2FWD_QUEUES	7

struct l2fwd_options {
	const char *port[2];	/* name or number; NULL: the first and the second one */
	bool rewrite;		/* addresses, as DPDK's l2fwd does */
	bool has_dst[2];
	struct rte_ether_addr dst[2];	/* of frames that leave by port n, with rewrite */
	uint32_t queues, ring, drain_ms, mtu;
	uint32_t stats_s;
	double duration;	/* seconds; 0: until Ctrl-C */
	bool promiscuous;
};

enum l2fwd_parsed { L2FWD_RUN, L2FWD_HELPED, L2FWD_BAD };

enum l2fwd_parsed l2fwd_options_parse(int argc, char **argv, struct l2fwd_options *opt);
bool l2fwd_options_help(int argc, char **argv);

struct l2fwd_port {
	uint16_t id;
	bool started;
	char name[64];
	struct rte_ether_addr mac;
};

/* One way of one queue. */
struct l2fwd_path {
	uint16_t from, to;	/* ports */
	uint16_t queue;
	bool rewrite;
	struct rte_ether_addr src, dst;
	struct rte_mbuf *held[L2FWD_BURST];	/* not taken by `to` yet */
	uint16_t nb_held;
	_Atomic uint64_t received, sent;
	uint64_t dropped;	/* that were held when the time to drain was over */
} __rte_cache_aligned;

/* Both open, or neither; one line and -1. */
int l2fwd_ports_open(struct l2fwd_port port[2], const struct l2fwd_options *opt,
		     struct rte_mempool **pool);
void l2fwd_ports_close(struct l2fwd_port port[2], struct rte_mempool *pool);

/* Carry what is there; how many frames moved. take: whether to receive. */
unsigned int l2fwd_path_turn(struct l2fwd_path *path, bool take);
void l2fwd_path_drop(struct l2fwd_path *path);

#endif
