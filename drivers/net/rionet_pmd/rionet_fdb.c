/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <assert.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>
#include <rte_malloc.h>

#include "rionet_fdb.h"
#include "rionet_proto.h"

/* A bucket is a cache line. */
#define FDB_WAYS	8u
#define FDB_BUCKETS	(RIONET_FDB_ENTRIES / FDB_WAYS)
#define FDB_HASH_BITS	10
#define FDB_DESTID_SHIFT 48

struct rionet_fdb {
	uint64_t entry[FDB_BUCKETS][FDB_WAYS];	/* destination ID << 48 | address; 0: free */
	uint32_t seen[FDB_BUCKETS][FDB_WAYS];	/* when each was learned last */
	uint32_t now;
	unsigned int victim;
	struct rionet_fdb_stats stats;
};

static_assert(1u << FDB_HASH_BITS == FDB_BUCKETS, "hash bits");

static inline unsigned int
fdb_bucket(uint64_t mac)
{
	return (mac * 0x9e3779b97f4a7c15ull) >> (64 - FDB_HASH_BITS);
}

struct rionet_fdb *
rionet_fdb_create(int socket_id)
{
	return rte_zmalloc_socket("rionet_fdb", sizeof(struct rionet_fdb), RTE_CACHE_LINE_SIZE,
				  socket_id);
}

void
rionet_fdb_free(struct rionet_fdb *fdb)
{
	rte_free(fdb);
}

void
rionet_fdb_flush(struct rionet_fdb *fdb)
{
	unsigned int b, w;

	for (b = 0; b < FDB_BUCKETS; b++)
		for (w = 0; w < FDB_WAYS; w++)
			__atomic_store_n(&fdb->entry[b][w], 0, __ATOMIC_RELAXED);
}

void
rionet_fdb_learn(struct rionet_fdb *fdb, uint64_t mac, uint16_t destid)
{
	uint64_t *bucket = fdb->entry[fdb_bucket(mac)];
	uint64_t entry = (uint64_t)destid << FDB_DESTID_SHIFT | mac;
	uint32_t *seen = fdb->seen[fdb_bucket(mac)];
	uint32_t now = __atomic_load_n(&fdb->now, __ATOMIC_RELAXED);
	uint64_t *slot = NULL;
	unsigned int w;

	if (unlikely(mac == 0 || rionet_mac_is_group(mac)))
		return;
	for (w = 0; w < FDB_WAYS; w++) {
		uint64_t e = __atomic_load_n(&bucket[w], __ATOMIC_RELAXED);

		if (e != 0 && (e & RIONET_MAC_MASK) == mac)
			__atomic_store_n(&seen[w], now, __ATOMIC_RELAXED);
		if (e == entry)
			return;
		if ((e & RIONET_MAC_MASK) == mac) {
			fdb->stats.moved++;
			__atomic_store_n(&bucket[w], entry, __ATOMIC_RELAXED);
			return;
		}
		if (e == 0 && slot == NULL)
			slot = &bucket[w];
	}
	if (slot == NULL) {
		slot = &bucket[fdb->victim++ % FDB_WAYS];
		fdb->stats.evicted++;
	}
	fdb->stats.learned++;
	__atomic_store_n(&seen[slot - bucket], now, __ATOMIC_RELAXED);
	__atomic_store_n(slot, entry, __ATOMIC_RELEASE);
}

int
rionet_fdb_lookup(const struct rionet_fdb *fdb, uint64_t mac)
{
	const uint64_t *bucket = fdb->entry[fdb_bucket(mac)];
	unsigned int w;

	if (unlikely(mac == 0))
		return -1;
	for (w = 0; w < FDB_WAYS; w++) {
		uint64_t e = __atomic_load_n(&bucket[w], __ATOMIC_RELAXED);

		if ((e & RIONET_MAC_MASK) == mac)
			return e >> FDB_DESTID_SHIFT;
	}
	return -1;
}

/* One that is learned again or replaced meanwhile stays. */
static void
fdb_age_entry(struct rionet_fdb *fdb, unsigned int b, unsigned int w, uint32_t max)
{
	uint64_t e = __atomic_load_n(&fdb->entry[b][w], __ATOMIC_ACQUIRE);
	uint32_t seen = __atomic_load_n(&fdb->seen[b][w], __ATOMIC_RELAXED);

	if (e == 0 || fdb->now - seen <= max)
		return;
	if (__atomic_compare_exchange_n(&fdb->entry[b][w], &e, 0, false, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED))
		fdb->stats.aged++;
}

void
rionet_fdb_age(struct rionet_fdb *fdb, uint32_t now, uint32_t max)
{
	unsigned int b, w;

	if (now == fdb->now)
		return;
	__atomic_store_n(&fdb->now, now, __ATOMIC_RELAXED);
	if (max == 0)
		return;
	for (b = 0; b < FDB_BUCKETS; b++)
		for (w = 0; w < FDB_WAYS; w++)
			fdb_age_entry(fdb, b, w, max);
}

uint32_t
rionet_fdb_now(const struct rionet_fdb *fdb)
{
	return __atomic_load_n(&fdb->now, __ATOMIC_RELAXED);
}

unsigned int
rionet_fdb_count(const struct rionet_fdb *fdb)
{
	unsigned int b, w, n = 0;

	for (b = 0; b < FDB_BUCKETS; b++)
		for (w = 0; w < FDB_WAYS; w++)
			n += __atomic_load_n(&fdb->entry[b][w], __ATOMIC_RELAXED) != 0;
	return n;
}

void
rionet_fdb_stats(const struct rionet_fdb *fdb, struct rionet_fdb_stats *stats)
{
	*stats = fdb->stats;
}

void
rionet_fdb_stats_reset(struct rionet_fdb *fdb)
{
	memset(&fdb->stats, 0, sizeof(fdb->stats));
}
