/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef WORKER_H
#define WORKER_H

/*
 * What a test and its worker processes know of each other: a page of memory
 * that all have mapped, whose descriptor is a worker's first argument. The
 * second is the worker's index.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "node.h"

enum worker_kind {
	WORKER_TRAFFIC,		/* exchange with everybody who is there */
	WORKER_TARGET,		/* be there; at the end nothing outside the windows has changed */
	WORKER_ATTACKER,	/* send `requests` requests of any kind to worker 0 */
	WORKER_IDLE,		/* be there */
	WORKER_ASKED,		/* be there, and do the requests that the test asks for */
};

/* A request that a test asks a worker for: block DMA of up to WORKER_DATA bytes. */
#define WORKER_DATA	4096u
struct worker_ask {
	_Atomic uint32_t todo;	/* set by the test, cleared when it is done */
	uint32_t rtype, destid, len;
	uint64_t rio;
	uint32_t code;		/* 0, or the abort code */
	uint8_t data[WORKER_DATA];	/* read, or to be written */
};

struct worker {
	/* Set by the test. */
	enum worker_kind kind;
	bool thread;		/* exec=thread */
	bool irq;		/* sleep until an interrupt */
	char node[NULL_NAME_LEN];	/* empty: any */
	int destid;
	uint32_t requests;
	struct worker_ask ask;

	/* Set by the worker. */
	_Atomic uint32_t ready;	/* its life number, once it is there */
	_Atomic uint32_t at;	/* its destination ID, plus one; 0: it was killed */
	_Atomic uint32_t was_at;	/* the same, but for that */
	_Atomic uint64_t beat;	/* when it last got something done, in ns */
	_Atomic uint64_t longest;	/* time between two such, but for its own waits */
	_Atomic uint32_t wrong;	/* what must not happen */
	char why[160];		/* the first of it */
	/* What arrived here from each. */
	_Atomic uint32_t blocks[NODES_MAX], messages[NODES_MAX], reads[NODES_MAX];
	_Atomic uint32_t failed;	/* requests that ended with an error or time-out */
	_Atomic uint32_t irqs;
	_Atomic uint32_t irqs_late;	/* came over 50 ms after what they tell of was seen */
	_Atomic uint64_t irq_latest;	/* the latest of all, in ns */
};

struct workers {
	char fabric[NULL_NAME_LEN];
	char topology[256];	/* file; empty: the star */
	uint32_t nb;
	_Atomic uint32_t stop;
	struct worker w[NODES_MAX];
};

#endif /* WORKER_H */
