/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RAW_BENCH_H
#define RAW_BENCH_H

/*
 * What the raw device's calls reach, beside rte_memcpy on the same buffers. Each
 * part runs in a child of the tool with an EAL of its own, and sends figures.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "app_eal.h"

#define WORKING_SET	(32u << 20)	/* source and destination together */

/* A line of the table. */
struct figure {
	char what[64];
	char value[32], beside[32];	/* beside: what it is compared with */
	double held;			/* the figure that `wanted` is about */
	double median;			/* of ratios, where there are */
	double wanted;			/* 0: nothing is */
	bool at_most;			/* else at least */
	bool last;
};

/* Between the two processes of doorbells. */
struct shared {
	_Atomic uint32_t ready, seen, stop;
	_Atomic uint32_t echo;		/* answer each doorbell */
};

struct part {
	struct app_eal eal;
	const char *fabric;
	unsigned int rounds;
	struct shared *shared;
};

/* Bodies of children, for app_proc_start; arg is a struct part. */
int bench_copies(int sock, void *arg);		/* block DMA and messages, two devices */
int bench_bells(int sock, void *arg);		/* sends doorbells, measures */
int bench_bells_peer(int sock, void *arg);	/* receives them */

/* EAL, and a device on the fabric: its dev_id, or -1. */
int bench_device(const struct part *part, unsigned int destid);
void bench_send(int sock, const struct figure *figure);
double bench_seconds(uint64_t cycles);

#endif
