/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef DMAPERF_H
#define DMAPERF_H

/* What the parts of dpdk-rio-dma-perf share. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_memzone.h>

#include "app_hist.h"
#include "dmaperf_options.h"

/* What a thread moved in a cell of the table. */
struct dmaperf_count {
	uint64_t ops, bytes, errors;
	double cpu_s;		/* processor time of the thread */
	struct app_hist latency;	/* nanoseconds */
};

struct dmaperf_cell {
	enum dmaperf_op op;
	uint64_t size;
	double seconds;
	uint64_t cycles;	/* of the TSC, of all threads together */
	struct dmaperf_count sum;
	uint64_t wrong;		/* bytes that --verify found different */
	bool verified, measured;
};

struct dmaperf {
	const struct dmaperf_options *options;
	uint16_t dev;
	uint16_t destid;	/* of the target */
	int target;		/* the target's device when it is in this process, else -1 */
	const struct rte_memzone *local, *remote;
	int window;		/* of the target in this process */
	uint64_t pattern;	/* of this cell */
	atomic_bool stop;
	struct dmaperf_count count[DMAPERF_MAX_THREADS];
	struct dmaperf_cell cell[OPS * DMAPERF_MAX_SIZES];
	unsigned int cells;
};

/* Where the n-th operation of a size goes, from the beginning of the memory. */
static inline uint64_t
dmaperf_offset(const struct dmaperf_options *opt, uint64_t size, uint64_t n)
{
	uint64_t step = (size + opt->align + 63) / 64 * 64;
	uint64_t places = (opt->total - size - opt->align) / step + 1;

	return n % places * step + opt->align;
}

/* How many different places there are. */
static inline uint64_t
dmaperf_places(const struct dmaperf_options *opt, uint64_t size)
{
	return (opt->total - size - opt->align) / ((size + opt->align + 63) / 64 * 64) + 1;
}

/* One way of moving. All functions print one line when they fail, and return -1. */
struct dmaperf_way {
	int (*open)(struct dmaperf *perf);
	/* Work on a cell until perf->stop; thread 0 is the main lcore. */
	int (*work)(struct dmaperf *perf, const struct dmaperf_cell *cell, unsigned int thread);
	/* One operation, waited for; used to verify. NULL: not possible. */
	int (*once)(struct dmaperf *perf, enum dmaperf_op op, uint64_t offset, uint64_t size);
	void (*close)(struct dmaperf *perf);
};

extern const struct dmaperf_way dmaperf_dma, dmaperf_window, dmaperf_message;

/* dmaperf_target.c */
int dmaperf_find(unsigned int n, uint16_t *dev, uint16_t *destid);
/* Memory of both sides, and the target's window if it is in this process. */
int dmaperf_target_open(struct dmaperf *perf);
void dmaperf_target_close(struct dmaperf *perf);
/* Be the target, until Ctrl-C: the exit code. */
int dmaperf_receive(struct dmaperf *perf);
/* Take what came to a mailbox; how many. */
unsigned int dmaperf_drain(uint16_t dev, unsigned int mbox);

/* dmaperf_run.c: all cells: the exit code. */
int dmaperf_run(struct dmaperf *perf);

/* dmaperf_report.c */
void dmaperf_report(const struct dmaperf *perf);
/* 0, or -1 with a line. */
int dmaperf_report_files(const struct dmaperf *perf);
double dmaperf_mbytes(const struct dmaperf_cell *cell);
double dmaperf_occupancy(const struct dmaperf_cell *cell);

#endif
