/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RUN_H
#define RUN_H

/* Nodes as processes of a test. What fails in here fails the test. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>
#include <cmocka.h>

#include "traffic.h"

struct run {
	struct traffic *all;
	int memfd;
	pid_t pid[TRAFFIC_NODES];	/* 0: not running */
};

/* nb nodes on a fabric with a name of its own, none started yet. */
struct run *run_new(uint32_t nb, const char *mode);
/* Start a node, in another life if it had one. */
void run_start(struct run *r, uint32_t i);
/* All are started and have found each other. */
void run_ready(struct run *r);
void run_kill(struct run *r, uint32_t i);
/* Nothing is wrong, and nobody has ended. */
void run_check(struct run *r);
/* All has been sent, and all between nodes that are no victims has come; then they end. */
void run_end(struct run *r, uint32_t patience_s);
void run_free(struct run *r);

#endif /* RUN_H */
