/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_PROC_H
#define NULL_PROC_H

/*
 * The processes of a shared fabric, as they know of each other. Each has an
 * agent: a thread that sleeps until another process kicks it or dies.
 */

#include "null_internal.h"

/* Why a process is kicked. */
#define NULL_KICK_RETRY	0x1u	/* run engines of the endpoints in procs[].retry */
#define NULL_KICK_INTR	0x2u	/* deliver causes of those in procs[].intr */
#define NULL_KICK_PROCS	0x4u	/* a process came or went */
#define NULL_KICK_MAPS	0x8u	/* memory that others may have mapped is gone */

/** Start the agent and announce the process to the others. 0 or -errno. */
int null_proc_start(struct null_fabric *fab);
/** End it, and let the others know. No device of the fabric is open any more. */
void null_proc_stop(struct null_fabric *fab);

/** RETRY or INTR, for an endpoint, at the process that it belongs to. Any thread. */
void null_proc_kick_ep(struct null_fabric *fab, uint32_t ep, uint32_t bit);
/** One process, which may be this one. */
void null_proc_kick(struct null_fabric *fab, uint32_t proc, uint32_t bits);
/** All other processes. */
void null_proc_kick_all(struct null_fabric *fab, uint32_t bits);

/**
 * Detach what processes that have died left behind. True: nothing is left of
 * any. Else a stopped process is in the way, and the agent will try again.
 */
bool null_proc_bury(struct null_fabric *fab);

/** In this thread, engines are not run at once by null_ep_wake, but by the agent. */
bool null_proc_defers(void);

#endif /* NULL_PROC_H */
