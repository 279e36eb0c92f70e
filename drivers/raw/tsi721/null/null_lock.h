/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_LOCK_H
#define NULL_LOCK_H

/* The lock in shared memory: struct null_lock is in null_base.h. */

#include "null_fabric.h"

/*
 * An engine's own lock, which only threads of one process want: one attempt.
 * Who fails leaves its work to the holder, who looks for new work after the
 * release (null_lock_release is sequentially consistent for that):
 *
 *	do {
 *		if (!null_lock_once(fab, &ch->lock))
 *			return;
 *		work until there is none;
 *		null_lock_release(fab, &ch->lock);
 *	} while (there is work again);
 */
bool null_lock_once_slow(struct null_fabric *fab, struct null_lock *l);
bool null_lock_try_slow(struct null_fabric *fab, struct null_lock *l, bool *stolen);

/* One attempt at a lock that was free when it was last looked at. */
static inline bool
null_lock_take(struct null_fabric *fab, struct null_lock *l)
{
	uint32_t word = atomic_load_explicit(&l->word, memory_order_relaxed);

	return (word & NULL_LOCK_OWNER) == 0 &&
	       atomic_compare_exchange_strong(&l->word, &word, word | (fab->proc + 1));
}

static inline bool
null_lock_once(struct null_fabric *fab, struct null_lock *l)
{
	return null_likely(null_lock_take(fab, l)) || null_lock_once_slow(fab, l);
}

/* A target's queue. Bounded wait; false: somebody alive holds it. *stolen: the owner died in it. */
static inline bool
null_lock_try(struct null_fabric *fab, struct null_lock *l, bool *stolen)
{
	*stolen = false;
	return null_likely(null_lock_take(fab, l)) || null_lock_try_slow(fab, l, stolen);
}

/* For set-up, INIT and teardown, where waiting longer is right; a stopped owner ends it with false. */
bool null_lock_wait(struct null_fabric *fab, struct null_lock *l, bool *stolen);

static inline uint32_t
null_lock_free_word(struct null_lock *l)
{
	uint32_t word = atomic_load_explicit(&l->word, memory_order_relaxed);

	return (word & ~NULL_LOCK_OWNER) + NULL_LOCK_COUNT_ONE;
}

static inline void
null_lock_release(struct null_fabric *fab, struct null_lock *l)
{
	(void)fab;
	atomic_store(&l->word, null_lock_free_word(l));
}

/* The same without order towards later loads, for one who does another release next. */
static inline void
null_lock_release_first(struct null_fabric *fab, struct null_lock *l)
{
	(void)fab;
	atomic_store_explicit(&l->word, null_lock_free_word(l), memory_order_release);
}

/*
 * Return when whoever holds the lock now has released it once. A process that is
 * stopped, or whose engine does not end, is not waited for beyond *until (0: set
 * here, so that several locks share one limit).
 */
bool null_lock_passed(struct null_fabric *fab, struct null_lock *l, uint64_t *until);

#endif /* NULL_LOCK_H */
