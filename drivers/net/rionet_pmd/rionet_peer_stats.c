/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <string.h>

#include "rionet_msg.h"
#include "rionet_peer_stats.h"
#include "rionet_port.h"

const char *const rionet_peer_stat_names[RIONET_PEER_STATS] = {
	"rx_packets", "rx_bytes", "tx_packets", "tx_bytes", "tx_errors",
};

const char *
rionet_peer_state_name(enum rionet_peer_state state)
{
	static const char *const names[] = {
		[RIONET_PEER_NONE] = "none",
		[RIONET_PEER_KNOWN] = "known",
		[RIONET_PEER_JOINED] = "joined",
		[RIONET_PEER_LOST] = "lost",
	};

	return (unsigned int)state < RTE_DIM(names) ? names[state] : "?";
}

static const struct rionet_peer_count *
count_of(const struct rionet_peer_counts *counts, uint16_t slot, uint16_t destid)
{
	static const struct rionet_peer_count none;

	return counts != NULL && counts->peer[slot].destid == destid ? &counts->peer[slot] : &none;
}

void
rionet_peer_view(const struct rionet_port *port, uint16_t slot, struct rionet_peer_view *view)
{
	const struct rionet_peer *peer = &port->peers->peer[slot];
	const struct rionet_peer_count *rx, *tx;

	view->destid = __atomic_load_n(&peer->destid, __ATOMIC_RELAXED);
	view->state = (enum rionet_peer_state)__atomic_load_n(&peer->state, __ATOMIC_RELAXED);
	rx = count_of(port->rxq != NULL ? port->rxq->by_peer : NULL, slot, view->destid);
	tx = count_of(port->txq != NULL ? port->txq->by_peer : NULL, slot, view->destid);
	view->value[0] = rx->packets;
	view->value[1] = rx->bytes;
	view->value[2] = tx->packets;
	view->value[3] = tx->bytes;
	view->value[4] = tx->errors;
}

void
rionet_peer_stats_reset(struct rionet_port *port)
{
	if (port->rxq != NULL)
		memset(port->rxq->by_peer, 0, sizeof(*port->rxq->by_peer));
	if (port->txq != NULL)
		memset(port->txq->by_peer, 0, sizeof(*port->txq->by_peer));
}
