/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_memory.h>
#include <rte_memzone.h>

#include "tsi721_loop.h"
#include "tsi721_window.h"

/* Of the probe, apart from those of copies. */
#define PROBE_RADDR(iova)	(1ull << 61 | (iova))
#define PROBE_MS		100u
#define PROBE_DESCS		32u
#define PROBE_WORD		0x6c6f6f702d6f6b21ull

/* --- does the fabric bring packets back? --- */

/* One write of a word, from the beginning of the page to its middle. */
static bool
probe_run(struct tsi721_device *dev, struct tsi721_bdma *q, const struct rte_memzone *page)
{
	volatile uint64_t *from = page->addr, *to = RTE_PTR_ADD(page->addr, page->len / 2);
	const struct tsi721_bdma_seg seg = { .iova = page->iova, .len = sizeof(*from) };
	const struct tsi721_bdma_req req = {
		.raddr = PROBE_RADDR(page->iova) + page->len / 2,
		.rtype = TSI721_RTYPE_ALL_NWRITE_R,
		.destid = tsi721_device_destid(dev),
	};
	unsigned int us = 0;
	int status = 0;
	void *cookie;

	*from = PROBE_WORD;
	if (tsi721_bdma_post(q, &req, &seg, 1, NULL) != 0)
		return false;
	tsi721_bdma_kick(q);
	while (tsi721_bdma_reap(q, &cookie, &status, 1) == 0) {
		if (us++ == PROBE_MS * 1000)
			return false;
		rte_delay_us_block(1);
	}
	return status == 0 && *to == PROBE_WORD;
}

bool
tsi721_loop_probe(struct tsi721_device *dev, unsigned int ch)
{
	const struct rte_memzone *page;
	struct tsi721_bdma *q = NULL;
	bool loops = false;
	int win;

	page = tsi721_ring_alloc(dev, "loop", ch, TSI721_IBWIN_SIZE_MIN, dev->socket_id);
	if (page == NULL)
		return false;
	win = tsi721_ibwin_open(dev, PROBE_RADDR(page->iova), page->iova, page->len);
	if (win >= 0 &&
	    tsi721_bdma_open_dmadev(dev, ch, PROBE_DESCS, dev->socket_id, &q) == 0)
		loops = probe_run(dev, q, page);
	tsi721_bdma_close(q, NULL, NULL);
	if (win >= 0)
		tsi721_ibwin_close(dev, (unsigned int)win);
	tsi721_ring_free(page);
	return loops;
}

/* --- windows --- */

/* Size of the window that shows an address; 0: it is no memory of the EAL. */
static uint64_t
block_size(rte_iova_t iova)
{
	const struct rte_memseg *ms;
	void *va = rte_eal_iova_mode() == RTE_IOVA_VA ? (void *)(uintptr_t)iova :
							rte_mem_iova2virt(iova);

	ms = va != NULL ? rte_mem_virt2memseg(va, NULL) : NULL;
	if (ms == NULL)
		return 0;
	return rte_eal_iova_mode() == RTE_IOVA_VA ? TSI721_IBWIN_SIZE_MAX :
	       RTE_MIN(ms->hugepage_sz, (uint64_t)TSI721_IBWIN_SIZE_MAX);
}

/* The window of a block comes to the front, where it is found first. */
static int
block_cover(struct tsi721_loop *loop, struct tsi721_device *dev, rte_iova_t base, uint64_t size)
{
	struct tsi721_loop_window w = { .base = base, .size = size };
	unsigned int i;
	int win;

	for (i = 0; i < loop->nb; i++)
		if (loop->w[i].base == base && loop->w[i].size == size)
			break;
	if (i < loop->nb) {
		w = loop->w[i];
	} else {
		if (loop->nb == RTE_DIM(loop->w))
			return -ENOSPC;
		win = tsi721_ibwin_open(dev, TSI721_LOOP_RADDR(base), base, size);
		if (win < 0)
			return win;
		w.win = (unsigned int)win;
		loop->nb++;
	}
	w.used = loop->tick;
	memmove(&loop->w[1], &loop->w[0], i * sizeof(w));
	loop->w[0] = w;
	return 0;
}

int
tsi721_loop_cover(struct tsi721_loop *loop, struct tsi721_device *dev, rte_iova_t iova,
		  uint64_t len)
{
	uint64_t size = block_size(iova), base, blocks;
	int ret = 0;

	if (size == 0)
		return -EFAULT;
	base = RTE_ALIGN_FLOOR(iova, size);
	blocks = (iova - base + len - 1) / size + 1;
	if (blocks > TSI721_IBWIN_NUM)
		return -EINVAL;
	loop->tick++;
	for (; blocks != 0 && ret == 0; blocks--, base += size)
		ret = block_cover(loop, dev, base, size);
	return ret;
}

bool
tsi721_loop_evict(struct tsi721_loop *loop, struct tsi721_device *dev)
{
	/* They lie in the order of their last use. */
	if (loop->nb == 0 || loop->w[loop->nb - 1].used == loop->tick)
		return false;
	tsi721_ibwin_close(dev, loop->w[--loop->nb].win);
	return true;
}

void
tsi721_loop_close(struct tsi721_loop *loop, struct tsi721_device *dev)
{
	while (loop->nb != 0)
		tsi721_ibwin_close(dev, loop->w[--loop->nb].win);
}
