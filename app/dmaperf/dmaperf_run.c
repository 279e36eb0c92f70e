/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Goes through operations and sizes. */

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

#include <rte_cycles.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "app_progress.h"
#include "dmaperf.h"

enum { EXIT_DONE = 0, EXIT_BEGIN = 1, EXIT_WRONG = 2, EXIT_INTERRUPTED = 130 };

#define PIECE (1ull << 20)	/* of memory that is verified */

static const struct dmaperf_way *const ways[] = {
	[VIA_DMA] = &dmaperf_dma, [VIA_WINDOW] = &dmaperf_window, [VIA_MESSAGE] = &dmaperf_message,
};

struct job {
	struct dmaperf *perf;
	const struct dmaperf_cell *cell;
	unsigned int thread;
	int ret;
};

static double
processor_time(void)
{
	struct rusage use;

	getrusage(RUSAGE_THREAD, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

static int
work(void *arg)
{
	struct job *job = arg;
	struct dmaperf *perf = job->perf;
	double before = processor_time();

	job->ret = ways[perf->options->via]->work(perf, job->cell, job->thread);
	perf->count[job->thread].cpu_s = processor_time() - before;
	return 0;
}

/* Stops the cell when its time is over; on an lcore of its own there would be none left. */
static void *
watch(void *arg)
{
	struct dmaperf *perf = arg;
	double end = app_now() + perf->options->duration;

	while (app_now() < end && !app_interrupted() && !atomic_load(&perf->stop))
		rte_delay_us_sleep(1000);
	atomic_store(&perf->stop, true);
	return NULL;
}

static int
measure(struct dmaperf *perf, struct dmaperf_cell *cell)
{
	struct job job[DMAPERF_MAX_THREADS];
	unsigned int lcore, n = 1;
	pthread_t watcher;
	uint64_t from;
	double started;
	int ret = 0;

	memset(perf->count, 0, sizeof(perf->count));
	atomic_store(&perf->stop, false);
	for (unsigned int i = 0; i < perf->options->threads; i++)
		job[i] = (struct job){ perf, cell, i, 0 };
	if (rte_ctrl_thread_create(&watcher, "dmaperf-watch", NULL, watch, perf) != 0)
		return app_error("cannot start a thread");
	started = app_now();
	from = rte_rdtsc();
	RTE_LCORE_FOREACH_WORKER(lcore)
		if (n < perf->options->threads) {
			rte_eal_remote_launch(work, &job[n], lcore);
			n++;
		}
	work(&job[0]);
	rte_eal_mp_wait_lcore();
	cell->seconds = app_now() - started;
	cell->cycles = (rte_rdtsc() - from) * perf->options->threads;
	atomic_store(&perf->stop, true);
	pthread_join(watcher, NULL);
	for (unsigned int i = 0; i < perf->options->threads; i++) {
		cell->sum.ops += perf->count[i].ops;
		cell->sum.bytes += perf->count[i].bytes;
		cell->sum.errors += perf->count[i].errors;
		cell->sum.cpu_s += perf->count[i].cpu_s;
		app_hist_merge(&cell->sum.latency, &perf->count[i].latency);
		ret |= job[i].ret;
	}
	cell->measured = cell->sum.ops > 0;
	return ret;
}

/* Another pattern for each cell: what an earlier one left is not taken for right. */
static uint64_t
word(uint64_t pattern, uint64_t n)
{
	return (n + 1) * 0x9e3779b97f4a7c15ull ^ pattern;
}

static void
fill(struct dmaperf *perf)
{
	uint64_t *at = perf->local->addr;

	for (uint64_t i = 0; i < perf->options->total / 8; i++)
		at[i] = word(perf->pattern, i);
}

static uint64_t
differences(const struct dmaperf *perf, const struct dmaperf_cell *cell)
{
	const uint8_t *got = perf->local->addr;
	uint64_t places = dmaperf_places(perf->options, cell->size), wrong = 0;
	/* With several queues the ends of their sequences differ: what surely was gone over. */
	uint64_t used = cell->sum.ops / perf->options->queues;

	used = perf->options->queues > 1 ? (used >= places ? places : 0) : RTE_MIN(used, places);
	for (uint64_t n = 0; n < used; n++) {
		uint64_t offset = dmaperf_offset(perf->options, cell->size, n);

		for (uint64_t i = offset; i < offset + cell->size; i++)
			wrong += got[i] != (uint8_t)(word(perf->pattern, i / 8) >> i % 8 * 8);
	}
	return wrong;
}

/* All of the memory, the one way or the other. */
static int
whole(struct dmaperf *perf, enum dmaperf_op op)
{
	const struct dmaperf_way *way = ways[perf->options->via];

	for (uint64_t at = 0; at < perf->options->total; at += PIECE)
		if (way->once(perf, op, at, RTE_MIN(PIECE, perf->options->total - at)) < 0)
			return -1;
	return 0;
}

/* Before a cell: the pattern lies where it is to be taken from, and not where it is to go. */
static int
prepare(struct dmaperf *perf, const struct dmaperf_cell *cell)
{
	perf->pattern = rte_rdtsc() | 1;
	if (cell->op == OP_READ) {
		fill(perf);
		if (whole(perf, OP_WRITE_R) < 0)
			return -1;
		memset(perf->local->addr, 0, perf->options->total);
		return 0;
	}
	memset(perf->local->addr, 0, perf->options->total);
	if (whole(perf, OP_WRITE_R) < 0)
		return -1;
	fill(perf);
	return 0;
}

static int
verify(struct dmaperf *perf, struct dmaperf_cell *cell)
{
	if (cell->op != OP_READ) {
		memset(perf->local->addr, 0, perf->options->total);
		if (whole(perf, OP_READ) < 0)
			return -1;
	}
	cell->wrong = differences(perf, cell);
	cell->verified = true;
	return 0;
}

static int
one_cell(struct dmaperf *perf, struct dmaperf_cell *cell)
{
	if (perf->options->verify && prepare(perf, cell) < 0)
		return -1;
	if (measure(perf, cell) < 0)
		return -1;
	return perf->options->verify ? verify(perf, cell) : 0;
}

/* Whether the target is there at all: one operation says why not. */
static int
probe(struct dmaperf *perf)
{
	const struct dmaperf_way *way = ways[perf->options->via];

	return way->once == NULL ? 0 : way->once(perf, OP_READ, 0, 8);
}

static int
cells(struct dmaperf *perf)
{
	const struct dmaperf_options *opt = perf->options;
	struct app_progress bar;
	int ret = probe(perf) < 0 ? EXIT_WRONG : EXIT_DONE;
	char text[64];

	app_progress_start(&bar, stderr);
	for (unsigned int o = 0; o < opt->ops && ret == EXIT_DONE; o++)
		for (unsigned int s = 0; s < opt->sizes && ret == EXIT_DONE; s++) {
			struct dmaperf_cell *cell = &perf->cell[perf->cells];

			cell->op = opt->op[o];
			cell->size = opt->size[s];
			snprintf(text, sizeof(text), "%s %" PRIu64, dmaperf_op_names[cell->op],
				 cell->size);
			app_progress_show(&bar, (double)perf->cells / (opt->ops * opt->sizes), text);
			if (one_cell(perf, cell) < 0)
				ret = EXIT_WRONG;
			perf->cells++;
			if (app_interrupted())
				ret = EXIT_INTERRUPTED;
		}
	app_progress_clear(&bar);
	return ret;
}

int
dmaperf_run(struct dmaperf *perf)
{
	const struct dmaperf_way *way = ways[perf->options->via];
	int ret;

	if (rte_lcore_count() < perf->options->threads) {
		app_error("--threads: %u need as many lcores, there are %u", perf->options->threads,
			  rte_lcore_count());
		return EXIT_BEGIN;
	}
	if (dmaperf_target_open(perf) < 0 || way->open(perf) < 0) {
		dmaperf_target_close(perf);
		return EXIT_BEGIN;
	}
	memset(perf->local->addr, 0x5a, perf->options->total);
	ret = cells(perf);
	way->close(perf);
	dmaperf_target_close(perf);
	dmaperf_report(perf);
	if (dmaperf_report_files(perf) < 0 && ret == EXIT_DONE)
		ret = EXIT_WRONG;
	for (unsigned int i = 0; i < perf->cells; i++)
		if ((perf->cell[i].sum.errors > 0 || perf->cell[i].wrong > 0) && ret == EXIT_DONE)
			ret = EXIT_WRONG;
	return ret;
}
