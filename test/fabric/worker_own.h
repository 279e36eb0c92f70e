/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef WORKER_OWN_H
#define WORKER_OWN_H

/* What the parts of a worker process share. */

#include "worker.h"

extern struct workers *all;
extern struct worker *me;
extern struct node node;

/* Something that must not happen; the first line is kept. */
__attribute__((format(printf, 1, 2)))
void wrong(const char *fmt, ...);
/* Something got done. */
void progress(void);
uint32_t rnd(void);

/* worker_attack.c: WORKER_TARGET, once it is open and before anybody knows; then both. */
void target_ready(void);
void target(void);
void attacker(void);

#endif /* WORKER_OWN_H */
