/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef LATENCY_RUN_H
#define LATENCY_RUN_H

/* The lcores that measure, and the one that answers where the peer is in this process. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "latency_cores.h"
#include "latency_options.h"
#include "latency_record.h"

#define LATENCY_THREADS_MAX 128

struct latency_run;

struct latency_thread {
	struct latency_run *run;
	unsigned int index;
	int cpu;
	_Atomic pid_t tid;
	uint64_t interval_ns;
	uint64_t next_ns;	/* CLOCK_MONOTONIC of the next measurement */
	struct latency_record record;
	_Atomic bool ended;
	bool lost;		/* the peer or the device did not answer */
};

/* What can be measured. open prints one line and returns -1 when it cannot be. */
struct latency_test {
	int (*open)(struct latency_run *run);
	/* One measurement, nanoseconds; negative: no answer. */
	int64_t (*measure)(struct latency_thread *thread);
	/* One look for something to answer. NULL: nobody answers. */
	void (*answer)(struct latency_run *run);
	void (*close)(struct latency_run *run);
	bool one;		/* one lcore measures at most */
};

struct latency_run {
	const struct latency_options *options;
	const struct latency_test *test;
	struct latency_cores cores;
	struct latency_thread thread[LATENCY_THREADS_MAX];
	unsigned int threads;
	bool answers;		/* the peer is in this process */
	_Atomic bool stop;
	double started, stopped; /* app_now() */
};

extern const struct latency_test latency_timer, latency_doorbell, latency_frame, latency_dma;

/* How long an answer may take. */
#define LATENCY_PATIENCE_NS 2000000000ull

uint64_t latency_now_ns(void);

/* Sleep until a time of CLOCK_MONOTONIC. */
void latency_sleep_until(uint64_t ns);

/* Starts, shows, waits: the exit code. */
int latency_run(struct latency_run *run);

#endif
