/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_SHM_H
#define NULL_SHM_H

/*
 * The file of a fabric that processes share: /dev/shm/dpdk-rio-UID-NAME, for
 * its user alone. Its bytes are struct null_shared. Its record locks, far behind
 * them, say who is there: one byte for whoever is joining or leaving, one for each
 * process slot, held for life. A file none of whose slots is held is stale,
 * whatever it holds; the next one to join begins it anew.
 */

#include "null_internal.h"

/** Joined by name: the fabric's file is mapped, a slot is held. Sets fd, proc, sh, shared. */
int null_shm_join(struct null_fabric *fab, const char *name, const struct null_topo *topo,
		  char *err, size_t errlen);
/** Removes stale files of this user. `joined` says which ones this process has joined. */
void null_shm_sweep(bool (*joined)(const char *name));
/** Gives the slot back; the last one removes the file. */
void null_shm_leave(struct null_fabric *fab);
/** At the end of a process that has not left: the file goes if nobody else is there. */
void null_shm_exit(struct null_fabric *fab);
/** Whether a slot is held by another process; *pid (may be NULL): by which, 0 if not visible. */
bool null_shm_held(const struct null_fabric *fab, uint32_t proc, uint32_t *pid);

/**
 * To look at a running fabric without joining it: its file, mapped for reading,
 * to be unmapped. Not by a process that has joined it (closing the file once
 * more would free its slot). -ENOENT: none of this name is running.
 */
int null_shm_look(const char *name, struct null_shared **sh, char *err, size_t errlen);
/** Names of this user's running fabrics, in no order. */
void null_shm_each(void (*fn)(void *ctx, const char *name), void *ctx);

#endif /* NULL_SHM_H */
