/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include <rte_malloc.h>

#include "rionet_peer.h"
#include "rionet_proto.h"

struct rionet_peers *
rionet_peers_create(uint16_t self, int socket_id)
{
	struct rionet_peers *peers;

	peers = rte_zmalloc_socket("rionet_peers", sizeof(*peers), RTE_CACHE_LINE_SIZE, socket_id);
	if (peers == NULL)
		return NULL;
	peers->self = self;
	rte_spinlock_init(&peers->lock);
	return peers;
}

void
rionet_peers_free(struct rionet_peers *peers)
{
	rte_free(peers);
}

void
rionet_peers_reset(struct rionet_peers *peers)
{
	memset(peers->slot, 0, sizeof(peers->slot));
	memset(peers->peer, 0, sizeof(peers->peer));
	peers->nb = 0;
	peers->nb_lost = 0;
}

/* Lock held. */
static void
peer_set(struct rionet_peers *peers, struct rionet_peer *peer, enum rionet_peer_state state)
{
	uint16_t nb_lost = peers->nb_lost;

	nb_lost -= peer->state == RIONET_PEER_LOST;
	nb_lost += state == RIONET_PEER_LOST;
	__atomic_store_n(&peers->nb_lost, nb_lost, __ATOMIC_RELAXED);
	peer->failures = 0;
	__atomic_store_n(&peer->state, (uint8_t)state, __ATOMIC_RELEASE);
}

/* A slot never used, else that of a station that is not joined. */
static uint16_t
peer_free_slot(struct rionet_peers *peers)
{
	uint16_t s;

	if (peers->nb < RIONET_PEERS_MAX)
		return peers->nb + 1;
	for (s = 1; s <= peers->nb; s++)
		if (peers->peer[s].state != RIONET_PEER_JOINED)
			return s;
	return 0;
}

/* The peer with this destination ID, entered if it was not. Lock held. */
static struct rionet_peer *
peer_get(struct rionet_peers *peers, uint16_t destid)
{
	uint16_t s = peers->slot[destid];
	struct rionet_peer *peer;

	if (s != 0)
		return &peers->peer[s];
	if (destid == peers->self)
		return NULL;
	s = peer_free_slot(peers);
	if (s == 0)
		return NULL;
	peer = &peers->peer[s];
	if (s <= peers->nb)
		__atomic_store_n(&peers->slot[peer->destid], 0, __ATOMIC_RELAXED);
	__atomic_store_n(&peer->destid, destid, __ATOMIC_RELAXED);
	peer_set(peers, peer, RIONET_PEER_KNOWN);
	__atomic_store_n(&peers->slot[destid], s, __ATOMIC_RELEASE);
	if (s > peers->nb)
		__atomic_store_n(&peers->nb, s, __ATOMIC_RELEASE);
	return peer;
}

int
rionet_peers_add(struct rionet_peers *peers, uint16_t destid)
{
	struct rionet_peer *peer;

	if (destid == peers->self)
		return -EINVAL;
	rte_spinlock_lock(&peers->lock);
	peer = peer_get(peers, destid);
	rte_spinlock_unlock(&peers->lock);
	return peer == NULL ? -ENOSPC : 0;
}

static enum rionet_peer_reply
peer_join(struct rionet_peers *peers, uint16_t src)
{
	struct rionet_peer *peer = peer_get(peers, src);

	peers->stats.joins++;
	if (peer == NULL) {
		peers->stats.refused++;
		return RIONET_REPLY_NONE;
	}
	if (peer->state == RIONET_PEER_JOINED)
		return RIONET_REPLY_NONE;
	peer_set(peers, peer, RIONET_PEER_JOINED);
	return RIONET_REPLY_JOIN;
}

static void
peer_leave(struct rionet_peers *peers, uint16_t src)
{
	uint16_t s = peers->slot[src];

	peers->stats.leaves++;
	if (s != 0)
		peer_set(peers, &peers->peer[s], RIONET_PEER_KNOWN);
}

enum rionet_peer_reply
rionet_peers_doorbell(struct rionet_peers *peers, uint16_t src, uint16_t info)
{
	enum rionet_peer_reply reply = RIONET_REPLY_NONE;

	rte_spinlock_lock(&peers->lock);
	if (info == RIONET_DBELL_JOIN)
		reply = peer_join(peers, src);
	else if (info == RIONET_DBELL_LEAVE)
		peer_leave(peers, src);
	rte_spinlock_unlock(&peers->lock);
	return reply;
}

/*
 * A timeout held up every message behind it, so one is enough. Errors may be a
 * link's; several within a second are the peer's.
 */
static bool
peer_is_lost(struct rionet_peer *peer, int err, uint64_t now, uint64_t hz)
{
	if (err == -ETIMEDOUT)
		return true;
	if (peer->failures == 0 || now - peer->first_failure > hz) {
		peer->failures = 0;
		peer->first_failure = now;
	}
	return ++peer->failures >= RIONET_PEER_FAILURES;
}

enum rionet_peer_reply
rionet_peers_failed(struct rionet_peers *peers, uint16_t destid, int err, uint64_t now,
		    uint64_t hz)
{
	enum rionet_peer_reply reply = RIONET_REPLY_NONE;
	struct rionet_peer *peer;

	rte_spinlock_lock(&peers->lock);
	peer = &peers->peer[peers->slot[destid]];
	if (peer->state == RIONET_PEER_JOINED && peer_is_lost(peer, err, now, hz)) {
		peer_set(peers, peer, RIONET_PEER_LOST);
		peer->retry = now + hz;
		peers->stats.lost++;
		reply = RIONET_REPLY_REJOIN;
	}
	rte_spinlock_unlock(&peers->lock);
	return reply;
}

enum rionet_peer_reply
rionet_peers_retry(struct rionet_peers *peers, uint16_t destid, uint64_t now, uint64_t hz)
{
	enum rionet_peer_reply reply = RIONET_REPLY_NONE;
	struct rionet_peer *peer;

	if (rionet_peer_state(peers, destid) != RIONET_PEER_LOST)
		return RIONET_REPLY_NONE;
	rte_spinlock_lock(&peers->lock);
	peer = &peers->peer[peers->slot[destid]];
	if (peer->state == RIONET_PEER_LOST && now >= peer->retry) {
		peer->retry = now + hz;
		reply = RIONET_REPLY_REJOIN;
	}
	rte_spinlock_unlock(&peers->lock);
	return reply;
}

unsigned int
rionet_peers_list(const struct rionet_peers *peers, enum rionet_peer_state state,
		  uint16_t *destids)
{
	uint16_t s, nb = __atomic_load_n(&peers->nb, __ATOMIC_ACQUIRE);
	unsigned int n = 0;

	for (s = 1; s <= nb; s++) {
		const struct rionet_peer *peer = &peers->peer[s];

		if (__atomic_load_n(&peer->state, __ATOMIC_ACQUIRE) == state)
			destids[n++] = __atomic_load_n(&peer->destid, __ATOMIC_RELAXED);
	}
	return n;
}

unsigned int
rionet_peers_count(const struct rionet_peers *peers, enum rionet_peer_state state)
{
	uint16_t destids[RIONET_PEERS_MAX];

	return rionet_peers_list(peers, state, destids);
}
