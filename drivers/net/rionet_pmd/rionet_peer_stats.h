/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_PEER_STATS_H
#define RIONET_PEER_STATS_H

/*
 * What a queue has exchanged with each peer. Counted by the thread of the queue, by the
 * peer's slot; a slot that has become another station's begins anew.
 */

#include <stdint.h>

#include <rte_common.h>

#include "rionet_peer.h"

struct rionet_port;

struct rionet_peer_count {
	uint64_t packets;
	uint64_t bytes;
	uint64_t errors;
	uint16_t destid;	/* whose these are */
};

struct rionet_peer_counts {
	struct rionet_peer_count peer[RIONET_PEERS_MAX + 1];	/* 0: stations without a slot */
};

static __rte_always_inline struct rionet_peer_count *
rionet_peer_count(struct rionet_peer_counts *counts, const struct rionet_peers *peers,
		  uint16_t destid)
{
	struct rionet_peer_count *c =
		&counts->peer[__atomic_load_n(&peers->slot[destid], __ATOMIC_RELAXED)];

	if (unlikely(c->destid != destid)) {
		c->packets = c->bytes = c->errors = 0;
		c->destid = destid;
	}
	return c;
}

/** A peer, as it is shown. */
struct rionet_peer_view {
	uint16_t destid;
	enum rionet_peer_state state;
	uint64_t value[5];		/* as rionet_peer_stat_names */
};

#define RIONET_PEER_STATS	5u
extern const char *const rionet_peer_stat_names[RIONET_PEER_STATS];

/** The peer in a slot, 1 to peers->nb. Any thread. */
void rionet_peer_view(const struct rionet_port *port, uint16_t slot,
		      struct rionet_peer_view *view);
const char *rionet_peer_state_name(enum rionet_peer_state state);
void rionet_peer_stats_reset(struct rionet_port *port);

#endif /* RIONET_PEER_STATS_H */
