/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_malloc.h>
#include <rte_memzone.h>

#include <tsi721_device.h>
#include <tsi721_window.h>

#include "rionet_region.h"
#include "rionet_proto.h"

/* Where windows are tried: the chip's other windows may lie anywhere. */
#define REGION_RADDR		0x1000000000ull
#define REGION_PLACES		64u

static const struct rte_memzone *
region_memory(uint64_t *size, int socket_id)
{
	static uint32_t next;
	const struct rte_memzone *mz;
	char name[RTE_MEMZONE_NAMESIZE];

	for (; *size >= RIONET_REGION_MIN; *size /= 2) {
		snprintf(name, sizeof(name), "rionet_win%" PRIu32,
			 __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED));
		mz = rte_memzone_reserve_aligned(name, *size, socket_id, RTE_MEMZONE_IOVA_CONTIG,
						 *size);
		if (mz == NULL && socket_id != SOCKET_ID_ANY)
			mz = rte_memzone_reserve_aligned(name, *size, SOCKET_ID_ANY,
							 RTE_MEMZONE_IOVA_CONTIG, *size);
		if (mz != NULL)
			return mz;
	}
	return NULL;
}

static int
region_show(struct rionet_region *region)
{
	unsigned int i;

	for (i = 0; i < REGION_PLACES; i++) {
		region->raddr = REGION_RADDR + i * (uint64_t)RIONET_REGION_MAX;
		region->win = tsi721_ibwin_open(region->dev, region->raddr, region->iova,
						region->size);
		if (region->win != -EEXIST)
			break;
	}
	return region->win;
}

struct rionet_region *
rionet_region_create(struct tsi721_device *dev, uint64_t size, int socket_id)
{
	struct rionet_region *region;

	region = rte_zmalloc_socket("rionet_region", sizeof(*region), 0, socket_id);
	if (region == NULL)
		return NULL;
	rte_spinlock_init(&region->lock);
	region->dev = dev;
	region->win = -1;
	region->size = size;
	region->mz = region_memory(&region->size, socket_id);
	if (region->mz != NULL) {
		region->va = region->mz->addr;
		region->iova = region->mz->iova;
		if (region_show(region) >= 0)
			return region;
	}
	rionet_region_free(region);
	return NULL;
}

void
rionet_region_close(struct rionet_region *region)
{
	if (region != NULL && region->win >= 0)
		tsi721_ibwin_close(region->dev, region->win);
	if (region != NULL)
		region->win = -1;
}

void
rionet_region_free(struct rionet_region *region)
{
	if (region == NULL)
		return;
	rte_memzone_free(region->mz);
	rte_free(region);
}

void *
rionet_region_alloc(struct rionet_region *region, uint64_t size)
{
	void *p = NULL;

	size = RTE_ALIGN_CEIL(size, (uint64_t)RTE_CACHE_LINE_SIZE);
	rte_spinlock_lock(&region->lock);
	if (size <= region->size - region->used) {
		p = region->va + region->used;
		region->used += size;
	}
	rte_spinlock_unlock(&region->lock);
	if (p != NULL)
		memset(p, 0, size);
	return p;
}

void
rionet_buf_free_cb(void *addr, void *opaque)
{
	struct rionet_buf *buf = opaque;

	RTE_SET_USED(addr);
	/* It holds all buffers, so there is room. */
	rte_ring_mp_enqueue(buf->back, buf);
}

static struct rte_ring *
bufs_ring(uint32_t nb, int socket_id)
{
	uint32_t size = rte_align32pow2(nb + 1);
	struct rte_ring *ring;

	ring = rte_zmalloc_socket("rionet_back", rte_ring_get_memsize(size), RTE_CACHE_LINE_SIZE,
				  socket_id);
	if (ring != NULL)
		rte_ring_init(ring, "rionet_back", size, RING_F_SC_DEQ);
	return ring;
}

struct rionet_bufs *
rionet_bufs_create(struct rionet_region *region, uint32_t nb, int socket_id)
{
	struct rionet_bufs *bufs;
	uint8_t *mem;
	uint32_t i;

	bufs = rte_zmalloc_socket("rionet_bufs", sizeof(*bufs), RTE_CACHE_LINE_SIZE, socket_id);
	if (bufs == NULL)
		return NULL;
	bufs->nb = nb;
	bufs->region = region;
	bufs->buf = rte_zmalloc_socket("rionet_buf", nb * sizeof(*bufs->buf), RTE_CACHE_LINE_SIZE,
				       socket_id);
	bufs->free = rte_zmalloc_socket("rionet_buf", nb * sizeof(*bufs->free),
					RTE_CACHE_LINE_SIZE, socket_id);
	bufs->back = bufs_ring(nb, socket_id);
	if (bufs->buf == NULL || bufs->free == NULL || bufs->back == NULL)
		goto fail;
	mem = rionet_region_alloc(region, (uint64_t)nb * RIONET_BUF_STRIDE);
	if (mem == NULL)
		goto fail;
	for (i = 0; i < nb; i++) {
		struct rionet_buf *buf = &bufs->buf[i];

		buf->shinfo.free_cb = rionet_buf_free_cb;
		buf->shinfo.fcb_opaque = buf;
		buf->back = bufs->back;
		buf->data = mem + (size_t)i * RIONET_BUF_STRIDE + RIONET_BUF_HEADROOM;
		buf->name = rionet_region_off(region, buf->data) / RIONET_NAME_UNIT;
		bufs->free[i] = buf;
	}
	bufs->first = bufs->buf[0].name;
	bufs->nb_free = nb;
	return bufs;
fail:
	rionet_bufs_free(bufs);
	return NULL;
}

unsigned int
rionet_bufs_collect(struct rionet_bufs *bufs)
{
	void *back[64];
	unsigned int i, n;

	do {
		n = rte_ring_sc_dequeue_burst(bufs->back, back, RTE_DIM(back), NULL);
		for (i = 0; i < n; i++) {
			struct rionet_buf *buf = back[i];

			buf->state = RIONET_BUF_FREE;
			bufs->free[bufs->nb_free++] = buf;
		}
	} while (n == RTE_DIM(back));
	return bufs->nb_free;
}

unsigned int
rionet_bufs_attached(struct rionet_bufs *bufs)
{
	return bufs->nb - rionet_bufs_collect(bufs) - bufs->nb_posted;
}

void
rionet_bufs_unpost(struct rionet_bufs *bufs)
{
	uint32_t i;

	for (i = 0; i < bufs->nb; i++)
		if (bufs->buf[i].state == RIONET_BUF_POSTED) {
			bufs->buf[i].state = RIONET_BUF_FREE;
			bufs->free[bufs->nb_free++] = &bufs->buf[i];
		}
	bufs->nb_posted = 0;
}

void
rionet_bufs_free(struct rionet_bufs *bufs)
{
	if (bufs == NULL)
		return;
	rte_free(bufs->back);
	rte_free(bufs->free);
	rte_free(bufs->buf);
	rte_free(bufs);
}
