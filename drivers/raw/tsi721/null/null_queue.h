/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_QUEUE_H
#define NULL_QUEUE_H

/*
 * What inbound queues of doorbells and of messages have in common, and how an
 * engine is entered.
 *
 * Each entry of an inbound queue is published by one aligned 8-byte store that
 * carries the number of the lap over the queue. A process that dies between
 * this store and the move of the queue's pointer leaves an entry of the
 * current lap at the pointer: who takes its lock over finds it and moves the
 * pointer on. Lap numbers go on over an INIT, so that what an earlier life of
 * the queue left in memory is not taken for it.
 */

#include <string.h>

#include "null_internal.h"

/* Bits of a queue's CTL and STS that no register shows. */
#define NULL_QCTL_RESET		0x80000000u	/* the chip was reset while the lock was held */
#define NULL_QSTS_READY		0x00000001u	/* INIT was done */

/* Never 0, and another one for 127 laps before and after. */
static inline uint32_t
null_lap_tag(uint32_t lap)
{
	return 0x80u | (lap & 0x7fu);
}

static inline unsigned int
null_log2(uint32_t pow2)
{
	return (unsigned int)__builtin_ctz(pow2);
}

/* Bring a line that is soon written, and that another core reads, to this one. */
static inline void
null_prefetchw(const void *p)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
#else
	__builtin_prefetch(p, 1);
#endif
}

/* Where 8-byte words of bus memory are accessed at once. NULL in, NULL out. */
static inline uint64_t *
null_words(uint8_t *va)
{
	return null_likely(((uintptr_t)va & 7) == 0) ? (uint64_t *)(void *)va : NULL;
}

static inline uint64_t
null_load64(const uint64_t *p)
{
	return null_le64(__atomic_load_n(p, __ATOMIC_RELAXED));
}

/* Everything stored before is seen by who sees this. */
static inline void
null_publish64(uint64_t *p, uint64_t v)
{
	__atomic_store_n(p, null_le64(v), __ATOMIC_RELEASE);
}

static inline void
null_store64(uint64_t *p, uint64_t v)
{
	__atomic_store_n(p, null_le64(v), __ATOMIC_RELAXED);
}

/* A counter that is written under one lock. */
static inline void
null_count(_Atomic uint64_t *c, uint64_t n)
{
	atomic_store_explicit(c, atomic_load_explicit(c, memory_order_relaxed) + n,
			      memory_order_relaxed);
}

static inline void
null_count32(_Atomic uint32_t *c, uint32_t n)
{
	atomic_fetch_add_explicit(c, n, memory_order_relaxed);
}

/*
 * Enter an engine. False: another thread of this process is in it; it will see
 * `todo` after its release and enter again, so nothing is lost. What is to be
 * done must have been stored before.
 */
static inline bool
null_engine_enter(struct null_fabric *fab, struct null_lock *lock, _Atomic uint32_t *todo)
{
	if (null_unlikely(!null_lock_once(fab, lock))) {
		atomic_store(todo, 1);
		if (!null_lock_once(fab, lock))
			return false;
	}
	if (null_unlikely(atomic_load(todo) != 0))
		atomic_store(todo, 0);
	return true;
}

/*
 * About to look a last time for room at a target: whoever makes room from here
 * on runs the engine again. Both come before that look.
 */
static inline void
null_wait_for(struct null_device *dev, uint32_t retry_bit, struct null_epset *waiters)
{
	atomic_fetch_or(&dev->retry, retry_bit);
	null_epset_add(waiters, dev->ep);
}

/*
 * The lock of a target's queue for one delivery. False: busy, and its holder
 * runs this engine when it has released it.
 */
static inline bool
null_queue_lock(struct null_device *dev, uint32_t retry_bit, struct null_lock *lock,
		_Atomic uint32_t *contended, struct null_epset *waiters, bool *stolen)
{
	if (null_likely(null_lock_try(dev->fab, lock, stolen)))
		return true;
	null_wait_for(dev, retry_bit, waiters);
	atomic_store(contended, 1);
	return null_lock_try(dev->fab, lock, stolen);
}

/* After the release: true when somebody gave up meanwhile and must be woken. */
static inline bool
null_queue_contended(_Atomic uint32_t *contended)
{
	if (null_likely(atomic_load(contended) == 0))
		return false;
	atomic_store(contended, 0);
	return true;
}

/* ---- inbound doorbells, as the outbound engine delivers them ---- */

/* What is left to do for a delivery. */
struct null_idb_after {
	struct null_idq *idq;	/* NULL: nothing; the caller's initial value */
	uint32_t ep, q, causes;
	uint32_t rp;		/* with RETRY: the queue's read pointer */
	bool late;		/* the route is of before: look again; initially false */
};

/* DONE, RETRY or ERROR. */
enum null_resp null_idb_deliver(struct null_device *dev, uint32_t ep, uint32_t destid,
				uint32_t tt, uint16_t info, struct null_idb_after *after);
/*
 * After a sequentially consistent release, and without the engine's lock, since
 * it may run others' engines.
 */
void null_idb_delivered(struct null_device *dev, const struct null_idb_after *after);

/* ---- inbound messages, as the outbound engine delivers them ---- */

struct null_imsg {
	const uint8_t *data;
	uint32_t len;
	uint32_t word0, word1;	/* of the inbound descriptor, without lap */
};

/* An inbound channel of a target, held locked for one or several messages. */
struct null_imsg_put {
	struct null_chip *chip;
	struct null_imsg_ch *ch;
	uint32_t ep, index;
	uint32_t key;			/* which target it was opened for */
	uint32_t faults;		/* of the route there */
	uint32_t fq_mask, dq_mask;
	uint64_t fq_base, dq_base;
	uint64_t *fq_va, *dq_va;	/* of the whole queues; NULL: not in one piece */
	uint32_t fq_low;		/* FQTH */
	uint32_t causes;		/* to raise at the close */
	uint32_t left;			/* endpoint whose waiters are to be woken; initially NULL_EP_MAX */
	bool open;
};

/* DONE, RETRY, ERROR or TIMEOUT. Only DONE leaves it open. */
enum null_resp null_imsg_open(struct null_device *dev, struct null_engine *eng,
			      uint32_t retry_bit, uint32_t destid, uint32_t tt, uint32_t mbox,
			      struct null_imsg_put *put);
enum null_resp null_imsg_deliver(struct null_device *dev, struct null_engine *eng,
				 uint32_t retry_bit, struct null_imsg_put *put,
				 const struct null_imsg *msg);
/*
 * Release it. null_imsg_closed() does what is then left to do, and comes after
 * another, sequentially consistent, release unless `ordered` is set. True:
 * waiters of the endpoint must be woken, without the engine's lock.
 */
void null_imsg_close(struct null_device *dev, struct null_imsg_put *put, bool ordered);
bool null_imsg_closed(struct null_device *dev, const struct null_imsg_put *put);

#endif /* NULL_QUEUE_H */
