/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* A copy from memory to memory by a dmadev, from its start to its completion. */

#include <string.h>

#include <rte_cycles.h>
#include <rte_dmadev.h>
#include <rte_errno.h>
#include <rte_malloc.h>

#include "app_error.h"
#include "latency_run.h"

#define DESCRIPTORS 64

static int16_t dev = -1;
static void *source, *target;

static int
start(int16_t id)
{
	const struct rte_dma_conf conf = { .nb_vchans = 1 };
	struct rte_dma_vchan_conf vchan = { .direction = RTE_DMA_DIR_MEM_TO_MEM };
	struct rte_dma_info info;
	int ret = rte_dma_info_get(id, &info);

	if (ret == 0)
		ret = rte_dma_configure(id, &conf);
	if (ret < 0)
		return ret;
	vchan.nb_desc = (uint16_t)RTE_MIN(RTE_MAX(DESCRIPTORS, info.min_desc), info.max_desc);
	ret = rte_dma_vchan_setup(id, 0, &vchan);
	return ret < 0 ? ret : rte_dma_start(id);
}

/* The first one that copies from memory to memory. */
static int16_t
find(void)
{
	struct rte_dma_info info;
	int16_t id;

	RTE_DMA_FOREACH_DEV(id)
		if (rte_dma_info_get(id, &info) == 0 &&
		    (info.dev_capa & RTE_DMA_CAPA_MEM_TO_MEM) &&
		    (info.dev_capa & RTE_DMA_CAPA_OPS_COPY))
			return id;
	return -1;
}

static void
dma_close(struct latency_run *run)
{
	(void)run;
	if (dev >= 0)
		rte_dma_stop(dev);
	dev = -1;
	rte_free(source);
	rte_free(target);
	source = target = NULL;
}

static int
dma_open(struct latency_run *run)
{
	int16_t id = find();
	int ret;

	if (id < 0)
		return app_error("no dmadev that copies from memory to memory: name one, as in "
				 "--vdev raw_tsi7210 or --vdev dma_skeleton");
	ret = start(id);
	if (ret < 0)
		return app_error("dmadev %d: %s", id, rte_strerror(-ret));
	dev = id;
	source = rte_malloc(NULL, run->options->frame_bytes, RTE_CACHE_LINE_SIZE);
	target = rte_malloc(NULL, run->options->frame_bytes, RTE_CACHE_LINE_SIZE);
	if (source == NULL || target == NULL) {
		dma_close(run);
		return app_error("no memory for %u bytes", run->options->frame_bytes);
	}
	memset(source, 0x5a, run->options->frame_bytes);
	return 0;
}

static int64_t
dma_measure(struct latency_thread *t)
{
	uint64_t hz = rte_get_tsc_hz(), from, now;
	bool error = false;
	uint16_t done;

	latency_sleep_until(t->next_ns);
	from = rte_rdtsc();
	if (rte_dma_copy(dev, 0, rte_malloc_virt2iova(source), rte_malloc_virt2iova(target),
			 t->run->options->frame_bytes, RTE_DMA_OP_FLAG_SUBMIT) < 0) {
		app_error("dmadev %d takes no copy of %u bytes", dev, t->run->options->frame_bytes);
		return -1;
	}
	do {
		done = rte_dma_completed(dev, 0, 1, NULL, &error);
		now = rte_rdtsc();
		if (error || now - from > LATENCY_PATIENCE_NS / 1000000000 * hz) {
			app_error("dmadev %d: a copy of %u bytes %s", dev,
				  t->run->options->frame_bytes,
				  error ? "failed" : "does not end");
			return -1;
		}
	} while (done == 0);
	return (int64_t)((double)(now - from) * 1e9 / (double)hz);
}

const struct latency_test latency_dma = {
	.open = dma_open,
	.measure = dma_measure,
	.close = dma_close,
	.one = true,
};
