/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Messages. The target in this process is drained by whoever sends. */

#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_pmd_tsi721.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "dmaperf.h"

#define BURST_MAX	256
#define LETTERS		4u

static uint64_t began[32768];	/* of the messages under way, by their place in the ring */
static uint32_t head, tail;

static void
message_close(struct dmaperf *perf)
{
	rte_pmd_tsi721_mbox_close(perf->dev, perf->options->mbox);
	if (perf->target >= 0)
		rte_pmd_tsi721_mbox_close((uint16_t)perf->target, perf->options->mbox);
}

static int
message_open(struct dmaperf *perf)
{
	const struct dmaperf_options *opt = perf->options;
	int ret = rte_pmd_tsi721_mbox_open(perf->dev, opt->mbox, opt->descs, 0, SOCKET_ID_ANY);

	if (ret < 0)
		return app_error("--mbox: %u: %s", opt->mbox, rte_strerror(-ret));
	if (perf->target < 0)
		return 0;
	ret = rte_pmd_tsi721_mbox_open((uint16_t)perf->target, opt->mbox, 0, opt->descs,
				       SOCKET_ID_ANY);
	if (ret < 0) {
		app_error("--mbox: %u of the target: %s", opt->mbox, rte_strerror(-ret));
		rte_pmd_tsi721_mbox_close(perf->dev, opt->mbox);
		return -1;
	}
	return 0;
}

static void
reap(struct dmaperf *perf, const struct dmaperf_cell *cell, struct dmaperf_count *count,
     double ns_per_cycle)
{
	int status[BURST_MAX], nb;
	void *users[BURST_MAX];
	uint64_t now;

	if (perf->target >= 0)
		dmaperf_drain((uint16_t)perf->target, perf->options->mbox);
	nb = rte_pmd_tsi721_msg_reap(perf->dev, perf->options->mbox, users, status, BURST_MAX);
	now = rte_rdtsc();
	for (int i = 0; i < nb; i++) {
		uint64_t from = began[tail++ % RTE_DIM(began)];

		if (status[i] < 0) {
			count->errors++;
			continue;
		}
		count->ops++;
		count->bytes += cell->size;
		app_hist_add(&count->latency, (uint64_t)((double)(now - from) * ns_per_cycle));
	}
}

static void
post(struct dmaperf *perf, const struct dmaperf_cell *cell)
{
	const struct dmaperf_options *opt = perf->options;
	struct rte_pmd_tsi721_msg_out msgs[BURST_MAX];
	unsigned int nb = opt->mode == MODE_BLOCKING ? 1 : opt->burst;
	uint64_t now = rte_rdtsc();
	int taken;

	if (opt->mode == MODE_BLOCKING && head != tail)
		return;
	for (unsigned int i = 0; i < nb; i++)
		msgs[i] = (struct rte_pmd_tsi721_msg_out){
			.destid = perf->destid, .letter = (uint8_t)((head + i) % LETTERS),
			.len = (uint16_t)cell->size,
			.iova = perf->local->iova + dmaperf_offset(opt, cell->size, head + i),
		};
	taken = rte_pmd_tsi721_msg_send(perf->dev, opt->mbox, msgs, nb);
	for (int i = 0; i < taken; i++)
		began[head++ % RTE_DIM(began)] = now;
}

static int
message_work(struct dmaperf *perf, const struct dmaperf_cell *cell, unsigned int thread)
{
	double ns_per_cycle = 1e9 / (double)rte_get_tsc_hz();
	struct dmaperf_count *count = &perf->count[thread];

	while (!atomic_load_explicit(&perf->stop, memory_order_relaxed)) {
		reap(perf, cell, count, ns_per_cycle);
		post(perf, cell);
	}
	while (head != tail)
		reap(perf, cell, count, ns_per_cycle);
	return 0;
}

const struct dmaperf_way dmaperf_message = {
	.open = message_open,
	.work = message_work,
	.close = message_close,
};
