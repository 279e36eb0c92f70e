/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal_memconfig.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include "tsi721_device.h"
#include "tsi721_mem.h"

#define MEM_EVENT_NAME	"raw_tsi721"

/* The walk at the beginning: areas that continue each other become one. */
struct mem_walk {
	struct tsi721_mem *mem;
	struct tsi721_mem_area area;	/* len 0: none yet */
	const struct rte_memseg_list *msl;
};

/* Under the lock. */
static int
mem_map(struct tsi721_mem *mem, const struct tsi721_mem_area *area)
{
	int ret;

	if (mem->nb == mem->size) {
		unsigned int size = mem->size != 0 ? mem->size * 2 : 64;
		struct tsi721_mem_area *areas = realloc(mem->areas, size * sizeof(*areas));

		if (areas == NULL)
			return -ENOMEM;
		mem->areas = areas;
		mem->size = size;
	}
	ret = mem->ops->map(mem->ctx, area);
	if (ret == 0)
		mem->areas[mem->nb++] = *area;
	else
		TSI721_LOG_NAME(ERR, mem->name, "memory at IOVA 0x%" PRIx64 ", %zu bytes: %s",
				area->iova, area->len, strerror(-ret));
	return ret;
}

/* Under the lock. */
static void
mem_unmap(struct tsi721_mem *mem, unsigned int i)
{
	mem->ops->unmap(mem->ctx, &mem->areas[i]);
	mem->areas[i] = mem->areas[--mem->nb];
}

/* false: no bus address leads to the segment. */
static bool
memseg_area(const struct rte_memseg *ms, struct tsi721_mem_area *area)
{
	size_t off = 0;

	if (ms->iova == RTE_BAD_IOVA || ms->len == 0)
		return false;
	area->iova = ms->iova;
	area->len = ms->len;
	area->va = ms->addr;
	area->fd = rte_memseg_get_fd_thread_unsafe(ms);
	if (area->fd >= 0 && rte_memseg_get_fd_offset_thread_unsafe(ms, &off) < 0)
		area->fd = -1;
	area->fd_off = area->fd >= 0 ? (off_t)off : 0;
	return true;
}

static bool
area_continues(const struct tsi721_mem_area *a, const struct tsi721_mem_area *b)
{
	return a->len != 0 && a->iova + a->len == b->iova &&
	       (uint8_t *)a->va + a->len == (uint8_t *)b->va && a->fd == b->fd &&
	       (a->fd < 0 || a->fd_off + (off_t)a->len == b->fd_off);
}

static int
mem_walk_segment(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	struct mem_walk *walk = arg;
	struct tsi721_mem_area area;
	/* What the EAL may free page by page is mapped page by page. */
	bool whole = msl->external || !walk->mem->events;
	int ret = 0;

	if (!memseg_area(ms, &area))
		return 0;
	if (whole && walk->msl == msl && area_continues(&walk->area, &area)) {
		walk->area.len += area.len;
		return 0;
	}
	if (walk->area.len != 0)
		ret = mem_map(walk->mem, &walk->area);
	walk->area = area;
	walk->msl = msl;
	return ret;
}

static void
mem_added(struct tsi721_mem *mem, const void *addr, size_t len)
{
	size_t done = 0;

	while (done < len) {
		const void *va = RTE_PTR_ADD(addr, done);
		const struct rte_memseg *ms = rte_mem_virt2memseg(va, NULL);
		struct tsi721_mem_area area;

		if (ms == NULL || ms->len == 0)
			return;
		if (memseg_area(ms, &area))
			mem_map(mem, &area);
		done += ms->len;
	}
}

static void
mem_removed(struct tsi721_mem *mem, const void *addr, size_t len)
{
	uintptr_t first = (uintptr_t)addr, end = first + len;
	unsigned int i = 0;

	while (i < mem->nb) {
		uintptr_t va = (uintptr_t)mem->areas[i].va;

		if (va >= first && va + mem->areas[i].len <= end)
			mem_unmap(mem, i);
		else
			i++;
	}
}

static void
mem_event(enum rte_mem_event event, const void *addr, size_t len, void *arg)
{
	struct tsi721_mem *mem = arg;

	pthread_mutex_lock(&mem->lock);
	if (event == RTE_MEM_EVENT_ALLOC)
		mem_added(mem, addr, len);
	else
		mem_removed(mem, addr, len);
	pthread_mutex_unlock(&mem->lock);
}

int
tsi721_mem_init(struct tsi721_mem *mem, const char *name, const struct tsi721_mem_ops *ops,
		void *ctx)
{
	struct mem_walk walk = { .mem = mem };
	int ret;

	memset(mem, 0, sizeof(*mem));
	mem->name = name;
	mem->ops = ops;
	mem->ctx = ctx;
	pthread_mutex_init(&mem->lock, NULL);

	/* With the read lock, no segment comes or goes between the walk and the first event. */
	rte_mcfg_mem_read_lock();
	ret = rte_mem_event_callback_register(MEM_EVENT_NAME, mem_event, mem);
	mem->events = ret == 0;
	if (ret == 0 || rte_errno == ENOTSUP) {	/* not supported: memory is fixed */
		pthread_mutex_lock(&mem->lock);
		ret = rte_memseg_walk_thread_unsafe(mem_walk_segment, &walk);
		if (ret == 0 && walk.area.len != 0)
			ret = mem_map(mem, &walk.area);
		pthread_mutex_unlock(&mem->lock);
	} else {
		ret = -rte_errno;
	}
	rte_mcfg_mem_read_unlock();

	if (ret != 0)
		tsi721_mem_fini(mem);
	return ret;
}

void
tsi721_mem_fini(struct tsi721_mem *mem)
{
	if (mem->events)
		rte_mem_event_callback_unregister(MEM_EVENT_NAME, mem);
	pthread_mutex_lock(&mem->lock);
	while (mem->nb != 0)
		mem_unmap(mem, mem->nb - 1);
	pthread_mutex_unlock(&mem->lock);
	pthread_mutex_destroy(&mem->lock);
	free(mem->areas);
	mem->areas = NULL;
}

int
tsi721_mem_add(struct tsi721_mem *mem, void *va, uint64_t iova, size_t len)
{
	struct tsi721_mem_area area = { .iova = iova, .len = len, .va = va, .fd = -1 };
	unsigned int i;
	int ret = 1;

	pthread_mutex_lock(&mem->lock);
	/* The EAL may have told of it already. */
	for (i = 0; i < mem->nb; i++) {
		const struct tsi721_mem_area *a = &mem->areas[i];

		if (iova >= a->iova && iova - a->iova < a->len &&
		    len <= a->len - (iova - a->iova) &&
		    (uint8_t *)a->va + (iova - a->iova) == (uint8_t *)va)
			ret = 0;
	}
	if (ret != 0)
		ret = mem_map(mem, &area);
	pthread_mutex_unlock(&mem->lock);
	return ret;
}

int
tsi721_mem_del(struct tsi721_mem *mem, void *va, uint64_t iova, size_t len)
{
	unsigned int i;

	pthread_mutex_lock(&mem->lock);
	/* Only what tsi721_mem_add mapped: the rest ends when the EAL says so. */
	for (i = 0; i < mem->nb; i++)
		if (mem->areas[i].iova == iova && mem->areas[i].len == len &&
		    mem->areas[i].va == va) {
			mem_unmap(mem, i);
			break;
		}
	pthread_mutex_unlock(&mem->lock);
	return 0;
}
