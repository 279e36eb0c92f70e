/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef PROCS_H
#define PROCS_H

/* Worker processes of a test. What fails in here fails the test. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>
#include <cmocka.h>

#include "worker.h"

struct procs {
	struct workers *all;
	int memfd;
	pid_t pid[NODES_MAX];	/* 0: not running */
};

/*
 * nb workers of traffic on a fabric with a name of its own, none of them started
 * yet. `topology` is a file of config/fabrics or a path; NULL: the star. Worker i
 * takes node ni there, destination ID i on the star.
 */
struct procs *procs_new(uint32_t nb, const char *topology);
void procs_start(struct procs *p, uint32_t i);
/* Until it is there. */
void procs_ready(struct procs *p, uint32_t i);
void procs_start_all(struct procs *p);
/* Until each worker of traffic has had so many of each kind from each other. */
void procs_exchange(struct procs *p, uint32_t times, uint32_t seconds);
/*
 * Have worker i, which is one of WORKER_ASKED, do a block DMA request of len bytes of
 * `data`, at most WORKER_DATA; 0 or the abort code.
 */
uint32_t procs_ask(struct procs *p, uint32_t i, uint32_t rtype, uint32_t destid, uint64_t rio,
		   void *data, uint32_t len);
/* SIGKILL, and wait for its end, which must have no other cause. */
void procs_kill(struct procs *p, uint32_t i);
/* Say stop, wait for all; each must have ended well. */
void procs_stop(struct procs *p);
/* Nothing wrong so far. */
void procs_check(struct procs *p);
/* The fabric's file is there. */
bool procs_file(const struct procs *p);
void procs_free(struct procs *p);

#endif /* PROCS_H */
