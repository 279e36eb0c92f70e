/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The lock in shared memory. A word names its owner's process slot, so that
 * one whose owner died can be taken over, and counts releases, so that one who
 * waits for an engine to have left does not need the lock itself (the engine's
 * threads would take that for a holder who looks for new work).
 */

#include <sched.h>
#include <time.h>

#include "null_internal.h"

#define TRY_SPINS	200u	/* longer than a delivery takes */
#define TRY_YIELDS	4u	/* for an owner that lost its core */
#define WAIT_LIMIT_NS	(200ull * 1000 * 1000)	/* for a stopped process */
#define PASS_LIMIT_NS	(100ull * 1000 * 1000)
#define NAP_NS		50000

/* Take it from an owner whose process is dead. */
static bool
take_over(struct null_fabric *fab, struct null_lock *l, bool *stolen)
{
	uint32_t word = atomic_load(&l->word);
	uint32_t owner = word & NULL_LOCK_OWNER;

	if (owner == 0 || null_fabric_proc_alive(fab, owner - 1))
		return false;
	*stolen = atomic_compare_exchange_strong(&l->word, &word,
						 (word & ~NULL_LOCK_OWNER) | (fab->proc + 1));
	return *stolen;
}

bool
null_lock_once_slow(struct null_fabric *fab, struct null_lock *l)
{
	uint32_t owner = atomic_load_explicit(&l->word, memory_order_relaxed) & NULL_LOCK_OWNER;
	bool stolen;

	/* An engine's lock left by the process that had this endpoint before. */
	if (owner != 0 && owner != fab->proc + 1)
		return take_over(fab, l, &stolen);
	return false;
}

bool
null_lock_try_slow(struct null_fabric *fab, struct null_lock *l, bool *stolen)
{
	uint32_t i;

	for (i = 0; i < TRY_SPINS + TRY_YIELDS; i++) {
		if (i < TRY_SPINS)
			null_relax();
		else
			sched_yield();
		if (null_lock_take(fab, l))
			return true;
	}
	return take_over(fab, l, stolen);
}

/* One round of a long wait; false: the owner is another process, and does not come back. */
static bool
wait_round(struct null_fabric *fab, uint32_t word, uint32_t round, uint64_t *since)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	if (round < TRY_SPINS) {
		null_relax();
		return true;
	}
	if (round < TRY_SPINS + TRY_YIELDS) {
		sched_yield();
		return true;
	}
	if (*since == 0)
		*since = null_now_ns();
	if ((word & NULL_LOCK_OWNER) != fab->proc + 1 && null_now_ns() - *since > WAIT_LIMIT_NS)
		return false;
	nanosleep(&nap, NULL);
	return true;
}

bool
null_lock_wait(struct null_fabric *fab, struct null_lock *l, bool *stolen)
{
	uint64_t since = 0;
	uint32_t round, word;

	*stolen = false;
	for (round = 0;; round++) {
		if (null_lock_take(fab, l))
			return true;
		word = atomic_load_explicit(&l->word, memory_order_relaxed);
		if (round > TRY_SPINS && take_over(fab, l, stolen))
			return true;
		if (!wait_round(fab, word, round, &since))
			return false;
	}
}

bool
null_lock_passed(struct null_fabric *fab, struct null_lock *l, uint64_t *until)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	uint32_t first = atomic_load(&l->word);
	uint32_t owner = first & NULL_LOCK_OWNER;
	uint32_t round;

	if (owner == 0)
		return true;
	for (round = 0; atomic_load(&l->word) == first; round++) {
		if (round < TRY_SPINS) {
			null_relax();
			continue;
		}
		if (round < TRY_SPINS + TRY_YIELDS) {
			sched_yield();
			continue;
		}
		if (owner != fab->proc + 1) {
			if (!null_fabric_proc_alive(fab, owner - 1))
				return true;
			if (*until == 0)
				*until = null_now_ns() + PASS_LIMIT_NS;
			if (null_now_ns() > *until)
				return false;
		}
		nanosleep(&nap, NULL);
	}
	return true;
}
