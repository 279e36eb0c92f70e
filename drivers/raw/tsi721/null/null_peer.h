/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_PEER_H
#define NULL_PEER_H

/*
 * Memory of other processes' endpoints. Its owner lists what it exports in a
 * memfd that never changes: a change makes a new list. Who needs the memory
 * opens list and files by /proc/PID/fd, so that the owner takes no part, and may
 * be stopped. Rights needed: those of the same user, to a process that is
 * dumpable, or root's.
 */

#include "null_internal.h"

/** A list of a map that is to be the one of generation gen: its descriptor, or -errno. */
int null_listing_make(struct null_fabric *fab, uint32_t ep, uint32_t gen,
		      const struct null_memmap *m);
/** Generation of the next list of an own endpoint. */
uint32_t null_listing_next(struct null_fabric *fab, uint32_t ep);
/** Publish it; -1: there is no memory any more. Engines of others notice by the new generation. */
void null_listing_put(struct null_fabric *fab, uint32_t ep, int fd);
/** The same for an endpoint whose process died. */
void null_listing_drop(struct null_fabric *fab, uint32_t ep);

/** Map of another process's endpoint as it is now; never NULL. For engines and the agent. */
const struct null_memmap *null_peer_map(struct null_fabric *fab, uint32_t ep);
/** The endpoint is this process's own from now on, or is not any more. */
void null_peer_own(struct null_fabric *fab, uint32_t ep, bool own);
/** By the agent: give back what lists name no more, free what was replaced. */
void null_peer_prune(struct null_fabric *fab);
/** All of it, once no engine is left. */
void null_peer_fini(struct null_fabric *fab);

/* null_mem.c */
struct null_memmap *null_memmap_new(uint32_t nb_exports);
void null_memmap_merge(struct null_memmap *m);
void null_memmap_free(struct null_memmap *m);

#endif /* NULL_PEER_H */
