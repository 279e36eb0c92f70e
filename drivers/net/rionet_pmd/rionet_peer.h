/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_PEER_H
#define RIONET_PEER_H

/*
 * The other stations of the Ethernet, by destination ID. No device in here: what
 * has to be sent is said by return values.
 *
 * The data path looks states up without a lock while doorbells change them. A
 * peer's slot does not move while it is joined.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_spinlock.h>

/** More stations than this are not joined; who has left makes room. */
#define RIONET_PEERS_MAX	255u

enum rionet_peer_state {
	RIONET_PEER_NONE,	/* no station has this destination ID, as far as is known */
	RIONET_PEER_KNOWN,	/* could be a station; has not joined, or has left */
	RIONET_PEER_JOINED,	/* frames go to it */
	RIONET_PEER_LOST,	/* joined, but messages to it fail; asked to join again */
};

struct rionet_peer {
	uint16_t destid;
	uint8_t state;		/* enum rionet_peer_state */
	uint8_t failures;	/* messages that failed since first_failure */
	uint64_t first_failure;	/* TSC */
	uint64_t retry;		/* TSC from which a lost peer is asked again */
};

struct rionet_peers_stats {
	uint64_t joins;		/* JOIN received */
	uint64_t leaves;	/* LEAVE received */
	uint64_t refused;	/* JOIN of a station for which there was no room */
	uint64_t lost;		/* times that a peer was given up after failures */
};

struct rionet_peers {
	uint16_t self;				/* own destination ID, never a peer */
	uint16_t nb;				/* slots in use: 1 to nb */
	uint16_t nb_lost;			/* of them RIONET_PEER_LOST */
	uint16_t slot[UINT16_MAX + 1];		/* by destination ID; 0: none */
	struct rionet_peer peer[RIONET_PEERS_MAX + 1];	/* slot 0 stays RIONET_PEER_NONE */
	rte_spinlock_t lock;			/* changes of slots and states */
	struct rionet_peers_stats stats;
};

/** Failures within a second after which a peer is lost. */
#define RIONET_PEER_FAILURES	3u

/** What the caller has to send to the peer. */
enum rionet_peer_reply {
	RIONET_REPLY_NONE,
	RIONET_REPLY_JOIN,	/* JOIN */
	RIONET_REPLY_REJOIN,	/* LEAVE, then JOIN: makes the peer answer in any case */
};

/** NULL: no memory. */
struct rionet_peers *rionet_peers_create(uint16_t self, int socket_id);
/** NULL is allowed. */
void rionet_peers_free(struct rionet_peers *peers);

/** Forget all peers. Nothing else may run. */
void rionet_peers_reset(struct rionet_peers *peers);
/** Note a station that has not joined yet. -ENOSPC; -EINVAL: own destination ID. */
int rionet_peers_add(struct rionet_peers *peers, uint16_t destid);

/** A doorbell of a station. Any thread. */
enum rionet_peer_reply rionet_peers_doorbell(struct rionet_peers *peers, uint16_t src,
					     uint16_t info);
/** A message to a station failed: err is a negative errno. Any thread. */
enum rionet_peer_reply rionet_peers_failed(struct rionet_peers *peers, uint16_t destid, int err,
					   uint64_t now, uint64_t hz);
/** A frame for a station that is not joined: whether a lost one is asked again. Any thread. */
enum rionet_peer_reply rionet_peers_retry(struct rionet_peers *peers, uint16_t destid,
					  uint64_t now, uint64_t hz);

static __rte_always_inline enum rionet_peer_state
rionet_peer_state(const struct rionet_peers *peers, uint16_t destid)
{
	uint16_t slot = __atomic_load_n(&peers->slot[destid], __ATOMIC_RELAXED);

	return (enum rionet_peer_state)__atomic_load_n(&peers->peer[slot].state, __ATOMIC_RELAXED);
}

static inline bool
rionet_peers_any_lost(const struct rionet_peers *peers)
{
	return __atomic_load_n(&peers->nb_lost, __ATOMIC_RELAXED) != 0;
}

/**
 * Destination IDs of the peers in a state. Any thread.
 * @return how many; destids has room for RIONET_PEERS_MAX.
 */
unsigned int rionet_peers_list(const struct rionet_peers *peers, enum rionet_peer_state state,
			       uint16_t *destids);
unsigned int rionet_peers_count(const struct rionet_peers *peers, enum rionet_peer_state state);

#endif /* RIONET_PEER_H */
