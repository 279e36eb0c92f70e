/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Block DMA: the queues of the raw device. */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_pmd_tsi721.h>
#include <rte_rawdev.h>
#include <rte_spinlock.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "dmaperf.h"

#define BURST_MAX 256

/* An operation and when it was handed over. */
struct slot {
	struct rte_rawdev_buf buf;
	struct rte_pmd_tsi721_op op;
	struct rte_pmd_tsi721_seg seg;
	uint64_t began;
};

struct queue {
	rte_spinlock_t lock;	/* with --share */
	struct slot *slot;
	struct slot **free;
	unsigned int slots, nb_free;
	uint64_t next;		/* number of the next operation */
} __rte_cache_aligned;

static struct queue queues[DMAPERF_MAX_QUEUES];

static const enum rte_pmd_tsi721_op_type types[OPS] = {
	[OP_READ] = RTE_PMD_TSI721_READ,
	[OP_WRITE] = RTE_PMD_TSI721_WRITE,
	[OP_WRITE_R] = RTE_PMD_TSI721_WRITE_R,
	[OP_WRITE_LAST] = RTE_PMD_TSI721_WRITE_LAST_R,
};

static int
make_slots(struct queue *q, unsigned int slots)
{
	rte_spinlock_init(&q->lock);
	q->slot = calloc(slots, sizeof(*q->slot));
	q->free = calloc(slots, sizeof(struct slot *));
	q->slots = slots;
	if (q->slot == NULL || q->free == NULL)
		return app_error("no memory for %u operations", slots);
	q->nb_free = 0;
	for (unsigned int i = 0; i < slots; i++) {
		q->slot[i].buf.buf_addr = &q->slot[i].op;
		q->slot[i].op.user = &q->slot[i];
		q->slot[i].op.segs = &q->slot[i].seg;
		q->slot[i].op.nb_segs = 1;
		q->free[q->nb_free++] = &q->slot[i];
	}
	return 0;
}

static int
set_up(struct dmaperf *perf)
{
	const struct dmaperf_options *opt = perf->options;
	struct rte_pmd_tsi721_config config = { .nb_queues = (uint16_t)opt->queues };
	struct rte_rawdev_info info = { .dev_private = &config };
	struct rte_pmd_tsi721_queue_conf conf = { .nb_desc = opt->descs,
						  .socket_id = SOCKET_ID_ANY };
	int ret = rte_rawdev_configure(perf->dev, &info, sizeof(config));

	if (ret < 0)
		return app_error("--queues: the device has not %u: %s", opt->queues,
				 rte_strerror(-ret));
	for (uint16_t q = 0; q < opt->queues; q++) {
		ret = rte_rawdev_queue_setup(perf->dev, q, &conf, sizeof(conf));
		if (ret < 0)
			return app_error("queue %u with %u descriptors: %s", q, opt->descs,
					 rte_strerror(-ret));
		if (make_slots(&queues[q], opt->mode == MODE_BLOCKING ? 1 : opt->descs / 2) < 0)
			return -1;
	}
	ret = rte_rawdev_start(perf->dev);
	return ret < 0 ? app_error("starting the device: %s", rte_strerror(-ret)) : 0;
}

static void
dma_close(struct dmaperf *perf)
{
	rte_rawdev_stop(perf->dev);
	for (unsigned int q = 0; q < DMAPERF_MAX_QUEUES; q++) {
		free(queues[q].slot);
		free(queues[q].free);
		queues[q].slot = NULL;
		queues[q].free = NULL;
	}
}

static int
dma_open(struct dmaperf *perf)
{
	if (set_up(perf) == 0)
		return 0;
	dma_close(perf);
	return -1;
}

static void
aim(const struct dmaperf *perf, struct slot *s, enum dmaperf_op op, uint64_t offset, uint64_t size)
{
	s->op.type = types[op];
	s->op.destid = perf->destid;
	s->op.raddr = perf->options->raddr + offset;
	s->seg.iova = perf->local->iova + offset;
	s->seg.len = size;
}

/* Take what has ended; how many. */
static unsigned int
reap(struct dmaperf *perf, unsigned int nr, struct dmaperf_count *count, double ns_per_cycle)
{
	struct rte_rawdev_buf *bufs[BURST_MAX], none[BURST_MAX];
	struct queue *q = &queues[nr];
	uint64_t now;
	int nb;

	for (unsigned int i = 0; i < BURST_MAX; i++)
		bufs[i] = &none[i];
	nb = rte_rawdev_dequeue_buffers(perf->dev, bufs, BURST_MAX, (void *)(uintptr_t)nr);
	now = rte_rdtsc();
	for (int i = 0; i < nb; i++) {
		struct rte_pmd_tsi721_op *op = bufs[i]->buf_addr;
		struct slot *s = op->user;

		if (op->status == 0) {
			count->ops++;
			count->bytes += s->seg.len;
			app_hist_add(&count->latency,
				     (uint64_t)((double)(now - s->began) * ns_per_cycle));
		} else {
			count->errors++;
		}
		q->free[q->nb_free++] = s;
	}
	return nb < 0 ? 0 : (unsigned int)nb;
}

static void
post(struct dmaperf *perf, unsigned int nr, const struct dmaperf_cell *cell)
{
	struct queue *q = &queues[nr];
	unsigned int nb = RTE_MIN(q->nb_free, perf->options->burst);
	struct rte_rawdev_buf *bufs[BURST_MAX];
	uint64_t now = rte_rdtsc();
	int taken;

	for (unsigned int i = 0; i < nb; i++) {
		struct slot *s = q->free[q->nb_free - 1 - i];

		/* Each queue has places of its own, as far as there are. */
		aim(perf, s, cell->op, dmaperf_offset(perf->options, cell->size,
						      (q->next + i) * perf->options->queues + nr),
		    cell->size);
		s->began = now;
		bufs[i] = &s->buf;
	}
	taken = rte_rawdev_enqueue_buffers(perf->dev, bufs, nb, (void *)(uintptr_t)nr);
	if (taken > 0) {
		q->nb_free -= (unsigned int)taken;
		q->next += (unsigned int)taken;
	}
}

/* One look at a queue. */
static void
turn(struct dmaperf *perf, unsigned int nr, const struct dmaperf_cell *cell,
     struct dmaperf_count *count, double ns_per_cycle)
{
	struct queue *q = &queues[nr];

	if (perf->options->share && !rte_spinlock_trylock(&q->lock))
		return;
	if (perf->options->mode != MODE_FAF || q->nb_free == 0)
		reap(perf, nr, count, ns_per_cycle);
	if (q->nb_free > 0)
		post(perf, nr, cell);
	if (perf->options->share)
		rte_spinlock_unlock(&q->lock);
}

static bool
mine(const struct dmaperf_options *opt, unsigned int queue, unsigned int thread)
{
	return opt->share || queue % opt->threads == thread;
}

/* Nothing is left under way. With --share the first thread does it, when all have stopped. */
static void
drain(struct dmaperf *perf, unsigned int thread, struct dmaperf_count *count, double ns_per_cycle)
{
	for (unsigned int nr = 0; nr < perf->options->queues; nr++) {
		struct queue *q = &queues[nr];

		if (!mine(perf->options, nr, thread))
			continue;
		if (perf->options->share)
			rte_spinlock_lock(&q->lock);
		while (q->nb_free < q->slots)
			reap(perf, nr, count, ns_per_cycle);
		if (perf->options->share)
			rte_spinlock_unlock(&q->lock);
	}
}

static int
dma_work(struct dmaperf *perf, const struct dmaperf_cell *cell, unsigned int thread)
{
	double ns_per_cycle = 1e9 / (double)rte_get_tsc_hz();
	struct dmaperf_count *count = &perf->count[thread];

	while (!atomic_load_explicit(&perf->stop, memory_order_relaxed))
		for (unsigned int nr = 0; nr < perf->options->queues; nr++)
			if (mine(perf->options, nr, thread))
				turn(perf, nr, cell, count, ns_per_cycle);
	drain(perf, thread, count, ns_per_cycle);
	return 0;
}

static int
dma_once(struct dmaperf *perf, enum dmaperf_op op, uint64_t offset, uint64_t size)
{
	struct rte_rawdev_buf *buf;
	struct queue *q = &queues[0];
	struct slot *s = q->free[q->nb_free - 1];
	void *queue0 = NULL;

	aim(perf, s, op, offset, size);
	buf = &s->buf;
	if (rte_rawdev_enqueue_buffers(perf->dev, &buf, 1, queue0) != 1)
		return app_error("the device takes no operation of %" PRIu64 " bytes", size);
	while (rte_rawdev_dequeue_buffers(perf->dev, &buf, 1, queue0) != 1)
		if (app_interrupted())
			return -1;
	return s->op.status == 0 ? 0 :
	       app_error("%s of %" PRIu64 " bytes at destination %u: %s", dmaperf_op_names[op], size,
			 perf->destid, rte_strerror(-s->op.status));
}

const struct dmaperf_way dmaperf_dma = {
	.open = dma_open,
	.work = dma_work,
	.once = dma_once,
	.close = dma_close,
};
