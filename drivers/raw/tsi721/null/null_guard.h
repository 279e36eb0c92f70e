/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_GUARD_H
#define NULL_GUARD_H

/*
 * Mapped memory of files that another process can cut short. An access beyond the
 * new end would kill this process by SIGBUS. Under a guard the whole mapping becomes
 * memory of zeroes instead, for good, and the access goes on there. So whoever
 * accesses guarded memory asks afterwards whether it was there all along:
 *
 *	struck = null_guard_count();
 *	access va;
 *	if (null_guard_struck(struck) && null_guard_hit(va))
 *		what was read is nothing, what was written is gone;
 *
 * The signal's handler hands what it does not know to the one that was there before.
 * It is set with the first guard, and again with each one that finds another handler
 * in its place; one that is set in between should hand over likewise. Functions may be called by any thread, from no signal handler.
 */

#include "null_base.h"

struct null_guard;

/* Set the handler, if another one is in its place. False: that cannot be done. */
bool null_guard_ready(void);
/*
 * Before the mapping is used. `moved` (may be NULL) is counted up when the memory is
 * lost. NULL: there is no handler, or there are too many guards.
 */
struct null_guard *null_guard_add(void *va, size_t len, _Atomic uint32_t *moved);
/* Before it is unmapped. NULL is none. */
void null_guard_remove(struct null_guard *g);
bool null_guard_lost(const struct null_guard *g);
/* va lies in a mapping that is lost. */
bool null_guard_hit(const void *va);

extern _Atomic uint32_t null_guard_losses;

/* How often this process has lost memory. */
static inline uint32_t
null_guard_count(void)
{
	return atomic_load_explicit(&null_guard_losses, memory_order_relaxed);
}

/* The handler runs in the thread that accesses: its order is that of the program. */
static inline bool
null_guard_struck(uint32_t before)
{
	atomic_signal_fence(memory_order_seq_cst);
	return null_unlikely(null_guard_count() != before);
}

#endif /* NULL_GUARD_H */
