/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The processor reads and writes through an outbound window. */

#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_pmd_tsi721.h>

#include "app_error.h"
#include "dmaperf.h"

#define WINDOW_MIN (32u << 10)

/* One window for writes without response (and reads), one for those with. */
static int window[2] = { -1, -1 };

static void
window_close(struct dmaperf *perf)
{
	for (unsigned int i = 0; i < 2; i++)
		if (window[i] >= 0)
			rte_pmd_tsi721_outwin_close(perf->dev, (unsigned int)window[i]);
	window[0] = window[1] = -1;
}

static int
window_open(struct dmaperf *perf)
{
	static const enum rte_pmd_tsi721_zone_type type[2] = {
		RTE_PMD_TSI721_ZONE_NWRITE, RTE_PMD_TSI721_ZONE_NWRITE_R,
	};
	uint64_t size = RTE_MAX(perf->options->total, (uint64_t)WINDOW_MIN);

	for (unsigned int i = 0; i < 2; i++) {
		struct rte_pmd_tsi721_zone zone = { .type = type[i], .destid = perf->destid,
						    .raddr = perf->options->raddr };

		window[i] = rte_pmd_tsi721_outwin_open(perf->dev, size, &zone, 1);
		if (window[i] < 0) {
			app_error("an outbound window of %lu bytes: %s", (unsigned long)size,
				  rte_strerror(-window[i]));
			window_close(perf);
			return -1;
		}
	}
	return 0;
}

static int
window_once(struct dmaperf *perf, enum dmaperf_op op, uint64_t offset, uint64_t size)
{
	uint8_t *local = (uint8_t *)perf->local->addr + offset;

	if (op == OP_READ)
		return rte_pmd_tsi721_outwin_read(perf->dev, (unsigned int)window[0], offset, local,
						  size);
	return rte_pmd_tsi721_outwin_write(perf->dev, (unsigned int)window[op == OP_WRITE_R], offset,
					   local, size);
}

static int
window_work(struct dmaperf *perf, const struct dmaperf_cell *cell, unsigned int thread)
{
	double ns_per_cycle = 1e9 / (double)rte_get_tsc_hz();
	struct dmaperf_count *count = &perf->count[thread];
	uint64_t n = 0, from, now = rte_rdtsc();

	while (!atomic_load_explicit(&perf->stop, memory_order_relaxed)) {
		from = now;
		if (window_once(perf, cell->op, dmaperf_offset(perf->options, cell->size, n++),
				cell->size) < 0)
			return app_error("an access of %lu bytes was refused",
					 (unsigned long)cell->size);
		now = rte_rdtsc();
		count->ops++;
		count->bytes += cell->size;
		app_hist_add(&count->latency, (uint64_t)((double)(now - from) * ns_per_cycle));
	}
	return 0;
}

const struct dmaperf_way dmaperf_window = {
	.open = window_open,
	.work = window_work,
	.once = window_once,
	.close = window_close,
};
