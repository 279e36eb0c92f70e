/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Bus memory: from an endpoint's bus address to where this process has it
 * mapped. A map is never changed, only replaced; the old one is freed when
 * every engine that might look at it has left.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "null_peer.h"
#include "null_proc.h"

void
null_memmap_free(struct null_memmap *m)
{
	if (m == NULL)
		return;
	null_guard_remove(m->guard);
	if (m->room != NULL)
		munmap(m->room, m->room_len);
	free(m->r);
	free(m);
}

/* Merge exports that are neighbours both on the bus and in this process. */
void
null_memmap_merge(struct null_memmap *m)
{
	uint32_t i;

	for (i = 0; i < m->nb_exports; i++) {
		const struct null_region *r = &m->exports[i].r;
		struct null_region *last = &m->r[m->nb - 1];

		if (m->nb > 0 && last->iova + last->len == r->iova && last->va + last->len == r->va)
			last->len += r->len;
		else
			m->r[m->nb++] = *r;
	}
}

struct null_memmap *
null_memmap_new(uint32_t nb_exports)
{
	struct null_memmap *m;

	m = calloc(1, sizeof(*m) + nb_exports * sizeof(m->exports[0]));
	if (m == NULL)
		return NULL;
	m->r = calloc(nb_exports > 0 ? nb_exports : 1, sizeof(m->r[0]));
	if (m->r == NULL) {
		free(m);
		return NULL;
	}
	m->nb_exports = nb_exports;
	return m;
}

/*
 * Put a map in place and free the old one when nobody uses it. Under map_lock. On
 * a shared fabric the new one is listed for the others first; if memory went,
 * their engines are waited for, too. `list` is the new list, -1 for no memory.
 */
static void
memmap_replace(struct null_fabric *fab, uint32_t ep, struct null_memmap *m, int list, bool less)
{
	struct null_memmap *old = atomic_exchange(&fab->map[ep], m);

	atomic_fetch_add(&fab->map_gen, 1);
	if (fab->shared)
		null_listing_put(fab, ep, list);
	if (old != NULL && less)
		null_fabric_quiesce(fab);
	else if (old != NULL)
		null_fabric_quiesce_own(fab);
	null_memmap_free(old);
	if (fab->shared && less)
		null_proc_kick_all(fab, NULL_KICK_MAPS);
}

/* The list of a map that comes next: -1 none needed. */
static int
memmap_list(struct null_fabric *fab, uint32_t ep, const struct null_memmap *m, int *list)
{
	*list = -1;
	if (!fab->shared)
		return 0;
	*list = null_listing_make(fab, ep, null_listing_next(fab, ep), m);
	return *list < 0 ? *list : 0;
}

static bool
export_overlaps(const struct null_export *a, const struct null_export *b)
{
	return a->r.iova < b->r.iova + b->r.len && b->r.iova < a->r.iova + a->r.len;
}

static int
map_locked(struct null_fabric *fab, uint32_t ep, const struct null_export *add)
{
	const struct null_memmap *old = atomic_load(&fab->map[ep]);
	uint32_t nb = old == NULL ? 0 : old->nb_exports;
	uint32_t at = 0, i;
	struct null_memmap *m;
	int ret, list;

	for (i = 0; i < nb; i++) {
		if (export_overlaps(add, &old->exports[i]))
			return -EEXIST;
		if (old->exports[i].r.iova < add->r.iova)
			at = i + 1;
	}
	m = null_memmap_new(nb + 1);
	if (m == NULL)
		return -ENOMEM;
	if (at > 0)
		memcpy(m->exports, old->exports, at * sizeof(*add));
	m->exports[at] = *add;
	if (at < nb)
		memcpy(&m->exports[at + 1], &old->exports[at], (nb - at) * sizeof(*add));
	null_memmap_merge(m);
	ret = memmap_list(fab, ep, m, &list);
	if (ret < 0) {
		null_memmap_free(m);
		return ret;
	}
	memmap_replace(fab, ep, m, list, false);
	return 0;
}

/* Which file it is: its number may stand for another one when somebody looks. */
static int
export_file(struct null_export *e)
{
	struct stat st;

	if (e->fd < 0)
		return 0;
	if (fstat(e->fd, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode)) {
		e->fd = -1;
		return 0;
	}
	if (e->fd_off < 0 || (uint64_t)st.st_size < (uint64_t)e->fd_off + e->r.len)
		return -EINVAL;
	e->dev = st.st_dev;
	e->ino = st.st_ino;
	e->page = (uint32_t)st.st_blksize;
	return 0;
}

int
null_mem_map(struct null_fabric *fab, uint32_t ep, const struct null_export *add)
{
	struct null_export e = *add;
	int ret;

	if (add->r.len == 0 || add->r.va == NULL || add->r.iova + add->r.len <= add->r.iova ||
	    (add->r.iova - (uintptr_t)add->r.va) % NULL_CACHE_LINE != 0)
		return -EINVAL;
	ret = export_file(&e);
	if (ret < 0)
		return ret;
	pthread_mutex_lock(&fab->map_lock);
	ret = map_locked(fab, ep, &e);
	pthread_mutex_unlock(&fab->map_lock);
	return ret;
}

static int
unmap_locked(struct null_fabric *fab, uint32_t ep, uint64_t iova, uint64_t len)
{
	const struct null_memmap *old = atomic_load(&fab->map[ep]);
	uint32_t nb = old == NULL ? 0 : old->nb_exports;
	struct null_memmap *m;
	uint32_t at;
	int list;

	for (at = 0; at < nb; at++)
		if (old->exports[at].r.iova == iova && old->exports[at].r.len == len)
			break;
	if (at == nb)
		return -ENOENT;
	m = null_memmap_new(nb - 1);
	if (m == NULL)
		return -ENOMEM;
	memcpy(m->exports, old->exports, at * sizeof(m->exports[0]));
	memcpy(&m->exports[at], &old->exports[at + 1], (nb - 1 - at) * sizeof(m->exports[0]));
	null_memmap_merge(m);
	/* Without a list the others find none of the memory: better than what is gone. */
	memmap_list(fab, ep, m, &list);
	memmap_replace(fab, ep, m, list < 0 ? -1 : list, true);
	return 0;
}

int
null_mem_unmap(struct null_fabric *fab, uint32_t ep, uint64_t iova, uint64_t len)
{
	int ret;

	pthread_mutex_lock(&fab->map_lock);
	ret = unmap_locked(fab, ep, iova, len);
	pthread_mutex_unlock(&fab->map_lock);
	return ret;
}

void
null_mem_forget(struct null_fabric *fab, uint32_t ep)
{
	pthread_mutex_lock(&fab->map_lock);
	memmap_replace(fab, ep, NULL, -1, true);
	pthread_mutex_unlock(&fab->map_lock);
}

bool
null_mem_region(struct null_fabric *fab, uint32_t ep, uint64_t iova, struct null_region *region)
{
	const struct null_memmap *m = !fab->shared || atomic_load(&fab->own[ep]) ?
				      atomic_load(&fab->map[ep]) : null_peer_map(fab, ep);
	uint32_t lo = 0, hi = m == NULL ? 0 : m->nb;

	/* The first region that ends beyond iova. */
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->r[mid].iova + m->r[mid].len <= iova)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (m == NULL || lo == m->nb) {
		region->len = UINT64_MAX - iova;
		return false;
	}
	if (m->r[lo].iova > iova) {
		region->len = m->r[lo].iova - iova;
		return false;
	}
	*region = m->r[lo];
	return true;
}

uint8_t *
null_mem(struct null_fabric *fab, uint32_t ep, uint64_t iova, uint64_t len)
{
	struct null_region r;

	if (!null_mem_region(fab, ep, iova, &r) || len > r.len - (iova - r.iova))
		return NULL;
	return r.va + (iova - r.iova);
}

void
null_engine_flush(struct null_engine *eng)
{
	uint32_t i;

	for (i = 0; i < NULL_ROUTE_CACHE; i++)
		eng->route[i].key = UINT32_MAX;
	for (i = 0; i < NULL_TLB_SIZE; i++)
		eng->tlb.e[i].len = 0;
}

uint8_t *
null_tlb_fill(struct null_device *dev, struct null_engine *eng, uint32_t ep, uint64_t iova,
	      uint64_t len)
{
	struct null_region r;
	uint64_t off;

	if (!null_mem_region(dev->fab, ep, iova, &r))
		return NULL;
	*null_tlb_at(eng, ep, iova) = (struct null_tlb_ent){ .iova = r.iova, .len = r.len, .va = r.va, .ep = ep };
	off = iova - r.iova;
	return len <= r.len - off ? r.va + off : NULL;
}

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What of a window and of a region behind it can be reached in one piece. */
static void
span_set(struct null_span *sp, const struct null_window *win, const struct null_region *r,
	 uint32_t hi2)
{
	uint64_t lo = win->iova > r->iova ? win->iova : r->iova;
	uint64_t win_left = win->size - (lo - win->iova);
	uint64_t r_left = r->len - (lo - r->iova);

	sp->base = win->base + (lo - win->iova);
	sp->len = min_u64(win_left, r_left);
	sp->va = r->va + (lo - r->iova);
	sp->hi2 = hi2;
}

uint8_t *
null_target_mem(struct null_device *dev, struct null_engine *eng, struct null_route *rt,
		uint64_t addr, uint32_t hi2, uint64_t *len, bool *fault)
{
	struct null_chip *chip = null_chip_at(dev->fab, rt->ep);
	struct null_window win;
	struct null_region r;
	struct null_span *sp;
	uint64_t off, iova;
	uint32_t i;

	(void)eng;
	for (i = 0; i < NULL_ROUTE_SPANS; i++) {
		sp = &rt->span[i];
		off = addr - sp->base;
		if (null_likely(off < sp->len && sp->hi2 == hi2)) {
			*len = min_u64(*len, sp->len - off);
			return sp->va + off;
		}
	}
	*fault = false;
	if (!null_ibwin_find(chip, addr, hi2, &win)) {
		/* Windows are aligned to their least size: the next begins there at the earliest. */
		*len = min_u64(*len, TSI721_IBWIN_SIZE_MIN - addr % TSI721_IBWIN_SIZE_MIN);
		return NULL;
	}
	iova = win.iova + (addr - win.base);
	if (!null_mem_region(dev->fab, rt->ep, iova, &r) || !null_bus_master(chip)) {
		*fault = true;
		*len = min_u64(*len, min_u64(win.size - (addr - win.base), r.len));
		return NULL;
	}
	sp = &rt->span[rt->next];
	rt->next = (rt->next + 1) % NULL_ROUTE_SPANS;
	span_set(sp, &win, &r, hi2);
	off = addr - sp->base;
	*len = min_u64(*len, sp->len - off);
	return sp->va + off;
}
