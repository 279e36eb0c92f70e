/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_ENGINE_H
#define NULL_ENGINE_H

/* A device as its process has it: its engines, and what they remember of the fabric. */

#include "null_fabric.h"

/*
 * Direct-mapped cache of bus addresses, one an engine, used under its lock. An
 * entry covers a whole mapped region; which entry is looked at depends on the
 * endpoint and the 2 MiB granule asked for. Emptied when a generation changes.
 */
#define NULL_TLB_SIZE		64u
#define NULL_TLB_SHIFT		21
struct null_tlb {
	struct null_tlb_ent {
		uint64_t iova;
		uint64_t len;	/* 0: empty */
		uint8_t *va;
		uint32_t ep;
	} e[NULL_TLB_SIZE];
};

/* RapidIO addresses of a target that lie in one window and one region of its memory. */
struct null_span {
	uint64_t base;		/* address bits 63:0 */
	uint64_t len;		/* 0: empty */
	uint8_t *va;
	uint32_t hi2;		/* address bits 65:64 */
};

/* Where a destination ID leads, and the last spans hit there. */
#define NULL_ROUTE_FAULTY	0x40000000u	/* so that no fast path finds its key */
#define NULL_ROUTE_SPANS	4u
struct null_route {
	uint32_t key;		/* tt << 16 | destid, and NULL_ROUTE_FAULTY; UINT32_MAX: empty */
	uint32_t ep;
	uint32_t faults;	/* not 0: null_link_fate() is asked about each request */
	uint32_t next;		/* span to replace next */
	struct null_span span[NULL_ROUTE_SPANS];
};

/*
 * Caches of an engine. Call null_engine_check before using them in a run and
 * between requests: it empties them when anything that they depend on changed.
 */
#define NULL_ROUTE_CACHE	16u	/* by destination ID, direct-mapped */
struct null_engine {
	uint32_t gen;		/* null_shared.gen they were filled at */
	uint32_t map_gen;	/* null_fabric.map_gen they were filled at */
	struct null_route route[NULL_ROUTE_CACHE];
	struct null_tlb tlb;
};

/* Runs a device's engines, with exec=thread. */
struct null_thread {
	pthread_t thread;
	pthread_mutex_t lock;		/* of `wake` */
	pthread_cond_t wake;
	_Atomic uint32_t work;		/* NULL_RETRY_*: engines to run */
	_Atomic bool sleeping, stop;
};

struct null_device {
	struct null_fabric *fab;
	struct null_chip *chip;		/* &fab->sh->ep[ep] */
	uint32_t ep;
	enum null_exec exec;
	null_irq_cb irq;
	void *irq_ctx;
	struct null_thread thread;
	_Atomic uint32_t retry;		/* NULL_RETRY_*: engines to run at the next access */
	struct null_engine bdma[TSI721_DMAC_NUM];
	struct null_engine omsg[TSI721_OMSG_NUM];
	struct null_engine odb;
	struct null_engine obwin;
};

/* Bits of null_device.retry. */
#define NULL_RETRY_OMSG(ch)	(1u << (ch))
#define NULL_RETRY_ODB		(1u << 8)
#define NULL_RETRY_BDMA_SHIFT	16
#define NULL_RETRY_BDMA(ch)	(1u << (NULL_RETRY_BDMA_SHIFT + (ch)))	/* stuck, by a fault */

/* Empty an engine's caches when anything they depend on has changed. */
void null_engine_flush(struct null_engine *eng);

/*
 * A target's queue is locked, and what the engine knows is of before. An engine
 * that was held up since it looked may be about to deliver to a queue that is
 * another one's by now: with the lock, it stays what it is.
 */
static inline bool
null_engine_late(const struct null_device *dev, const struct null_engine *eng)
{
	return null_unlikely(atomic_load_explicit(&dev->fab->sh->gen, memory_order_acquire) !=
			     eng->gen);
}

static inline void
null_engine_check(struct null_device *dev, struct null_engine *eng)
{
	uint32_t gen = atomic_load_explicit(&dev->fab->sh->gen, memory_order_acquire);
	uint32_t map_gen = atomic_load_explicit(&dev->fab->map_gen, memory_order_acquire);

	if (null_likely(eng->gen == gen && eng->map_gen == map_gen))
		return;
	null_engine_flush(eng);
	eng->gen = gen;
	eng->map_gen = map_gen;
}

#endif /* NULL_ENGINE_H */
