/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_FDB_H
#define RIONET_FDB_H

/*
 * Where addresses outside 00:01:00:01 live: source addresses of received frames
 * and the destination ID that each came from. Of fixed size; when a bucket is full
 * a new address takes an older one's place, and frames to that one are unknown
 * unicast again.
 *
 * An entry is one 64-bit word, so lookups need no lock: any threads may look up
 * while one learns. Two that learn the same new address at once may enter it
 * twice, which costs a slot.
 */

#include <stdint.h>

struct rionet_fdb;

#define RIONET_FDB_ENTRIES	8192u

struct rionet_fdb_stats {
	uint64_t learned;	/* addresses entered */
	uint64_t moved;		/* addresses that changed their destination ID */
	uint64_t evicted;	/* addresses that gave their place to another */
	uint64_t aged;		/* addresses forgotten as nothing came from them */
};

/** NULL: no memory. */
struct rionet_fdb *rionet_fdb_create(int socket_id);
/** NULL is allowed. */
void rionet_fdb_free(struct rionet_fdb *fdb);
/** Forget everything, counters excepted. */
void rionet_fdb_flush(struct rionet_fdb *fdb);

/** mac as rionet_mac48() gives it; zero and group addresses are not learned. */
void rionet_fdb_learn(struct rionet_fdb *fdb, uint64_t mac, uint16_t destid);
/** @return the destination ID, or -1. */
int rionet_fdb_lookup(const struct rionet_fdb *fdb, uint64_t mac);

/**
 * The time is now, in seconds of any beginning. When it has changed, addresses that were not
 * learned again for more than max seconds are forgotten; max 0: never. One thread.
 */
void rionet_fdb_age(struct rionet_fdb *fdb, uint32_t now, uint32_t max);
/** The time that was said last. */
uint32_t rionet_fdb_now(const struct rionet_fdb *fdb);

unsigned int rionet_fdb_count(const struct rionet_fdb *fdb);
void rionet_fdb_stats(const struct rionet_fdb *fdb, struct rionet_fdb_stats *stats);
void rionet_fdb_stats_reset(struct rionet_fdb *fdb);

#endif /* RIONET_FDB_H */
