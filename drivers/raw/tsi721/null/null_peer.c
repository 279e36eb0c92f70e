/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "null_peer.h"
#include "null_proc.h"
#include "null_shm.h"

#define LIST_MAGIC	0x4c534937u
#define LIST_MAX	0x100000u	/* entries */
#define PAGE_MIN	4096u
#define REFRESH_TRIES	8u

/* A list says itself what it is of, so that no other file is taken for it. */
struct list_head {
	uint32_t magic, ep, gen, proc, proc_gen, nb;
	uint64_t fabric;	/* inode of its file */
};

struct list_entry {
	uint64_t iova, len;
	uint64_t dev, ino;	/* of the file; its number may have another meaning by now */
	int64_t off;
	int32_t fd;
	uint32_t page;		/* that offsets in it are multiples of */
};

static uint64_t
fabric_ino(const struct null_fabric *fab)
{
	struct stat st;

	return fstat(fab->fd, &st) == 0 ? st.st_ino : 0;
}

/* ---- the owner's side ---- */

static int
write_all(int fd, const void *buf, size_t len)
{
	const uint8_t *p = buf;
	ssize_t n;

	for (; len > 0; p += n, len -= (size_t)n) {
		n = write(fd, p, len);
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
	}
	return 0;
}

uint32_t
null_listing_next(struct null_fabric *fab, uint32_t ep)
{
	return atomic_load(&fab->sh->listing[ep].gen) + 1;
}

int
null_listing_make(struct null_fabric *fab, uint32_t ep, uint32_t gen, const struct null_memmap *m)
{
	struct list_head head = {
		.magic = LIST_MAGIC, .ep = ep, .gen = gen, .proc = fab->proc,
		.proc_gen = atomic_load(&fab->sh->procs[fab->proc].gen),
		.fabric = fabric_ino(fab),
	};
	struct list_entry *list = calloc(m->nb_exports + 1, sizeof(*list));
	uint32_t i;
	int fd, ret;

	if (list == NULL)
		return -ENOMEM;
	for (i = 0; i < m->nb_exports; i++) {
		const struct null_export *e = &m->exports[i];

		/* Private memory is nobody else's. */
		if (e->fd >= 0)
			list[head.nb++] = (struct list_entry){
				.iova = e->r.iova, .len = e->r.len, .dev = e->dev, .ino = e->ino,
				.off = e->fd_off, .fd = e->fd, .page = e->page,
			};
	}
	fd = memfd_create("dpdk-rio-memory", MFD_CLOEXEC);
	ret = fd < 0 ? -errno : write_all(fd, &head, sizeof(head));
	if (ret == 0)
		ret = write_all(fd, list, head.nb * sizeof(*list));
	free(list);
	if (ret < 0 && fd >= 0)
		close(fd);
	return ret < 0 ? ret : fd;
}

void
null_listing_put(struct null_fabric *fab, uint32_t ep, int fd)
{
	struct null_listing *l = &fab->sh->listing[ep];
	int old = atomic_exchange(&l->fd, fd);

	atomic_fetch_add(&l->gen, 1);
	null_fabric_changed(fab);
	if (old >= 0)
		close(old);
}

void
null_listing_drop(struct null_fabric *fab, uint32_t ep)
{
	atomic_store(&fab->sh->listing[ep].fd, -1);
	atomic_fetch_add(&fab->sh->listing[ep].gen, 1);
}

/* ---- the reader's side ---- */

/* What is being read: the process and its list. */
struct reader {
	struct null_fabric *fab;
	uint32_t ep, gen, proc, proc_gen, pid;
	struct list_entry *list;
	uint32_t nb;
	int fd, number;		/* file opened last, and its number over there */
};

static int
peer_open(const struct reader *rd, int number, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/fd/%d", rd->pid, number);
	return open(path, flags | O_CLOEXEC);
}

static bool
list_ok(const struct reader *rd, const struct list_head *h)
{
	return h->magic == LIST_MAGIC && h->ep == rd->ep && h->gen == rd->gen &&
	       h->proc == rd->proc && h->proc_gen == rd->proc_gen && h->nb <= LIST_MAX &&
	       h->fabric == fabric_ino(rd->fab);
}

static bool
list_read(struct reader *rd, int number)
{
	struct list_head head;
	int fd = peer_open(rd, number, O_RDONLY);
	ssize_t size;

	if (fd < 0)
		return false;
	if (pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) && list_ok(rd, &head)) {
		size = (ssize_t)(head.nb * sizeof(*rd->list));
		rd->list = malloc((size_t)size + 1);
		if (rd->list != NULL && pread(fd, rd->list, (size_t)size, sizeof(head)) == size)
			rd->nb = head.nb;
	}
	close(fd);
	return rd->list != NULL;
}

static bool
entry_ok(const struct list_entry *e, uint64_t from)
{
	return e->len > 0 && e->iova >= from && e->iova + e->len > e->iova && e->fd >= 0 &&
	       e->off >= 0 && e->len <= (uint64_t)INT64_MAX - (uint64_t)e->off &&
	       e->page >= PAGE_MIN && (e->page & (e->page - 1)) == 0 &&
	       (e->iova - (uint64_t)e->off) % NULL_CACHE_LINE == 0;
}

static bool
entry_whole(const struct list_entry *e)
{
	return (uint64_t)e->off % e->page == 0 && e->len % e->page == 0;
}

/* The file that the entry means, if it is still that one and holds all of it. */
static bool
entry_open(struct reader *rd, const struct list_entry *e)
{
	struct stat st;

	if (rd->fd < 0 || rd->number != e->fd) {
		if (rd->fd >= 0)
			close(rd->fd);
		rd->fd = peer_open(rd, e->fd, O_RDWR);
		rd->number = e->fd;
	}
	return rd->fd >= 0 && fstat(rd->fd, &st) == 0 && st.st_dev == e->dev &&
	       st.st_ino == e->ino && S_ISREG(st.st_mode) &&
	       (uint64_t)st.st_size >= (uint64_t)e->off + e->len;
}

static uint64_t
round_up(uint64_t v, uint64_t to)
{
	return (v + to - 1) & ~(to - 1);
}

/* Entries from i on that continue each other on the bus, so that they can here, too. */
static uint32_t
run_end(const struct reader *rd, uint32_t i, uint64_t *len, uint64_t *align)
{
	const struct list_entry *e = &rd->list[i];

	*len = e->len;
	*align = e->page;
	for (i++; i < rd->nb && entry_whole(&rd->list[i - 1]) && entry_whole(&rd->list[i]) &&
	     rd->list[i].iova == e->iova + *len; i++) {
		*len += rd->list[i].len;
		if (rd->list[i].page > *align)
			*align = rd->list[i].page;
	}
	return i;
}

/* What a run takes of the address space at most, wherever it begins. */
static uint64_t
run_room(const struct reader *rd, uint32_t i, uint64_t len, uint64_t align)
{
	return round_up((uint64_t)rd->list[i].off % rd->list[i].page + len, align) + align;
}

/* Map entries [i, end), which continue each other, in one piece from `at` on. */
static void
run_map(struct reader *rd, struct null_memmap *m, uint32_t i, uint32_t end, uint8_t *at,
	uint64_t align)
{
	uint64_t skew = (uint64_t)rd->list[i].off % rd->list[i].page;

	at += round_up((uintptr_t)at, align) - (uintptr_t)at;
	for (; i < end; i++) {
		const struct list_entry *e = &rd->list[i];
		uint64_t size = round_up(skew + e->len, e->page);

		if (entry_open(rd, e) &&
		    mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, rd->fd,
			 e->off - (off_t)skew) != MAP_FAILED)
			m->exports[m->nb_exports++].r = (struct null_region){
				.iova = e->iova, .len = e->len, .va = at + skew,
			};
		at += size;
	}
}

static bool
list_ordered(const struct reader *rd)
{
	uint64_t from = 0;
	uint32_t i;

	for (i = 0; i < rd->nb; i++) {
		if (!entry_ok(&rd->list[i], from))
			return false;
		from = rd->list[i].iova + rd->list[i].len;
	}
	return true;
}

/* Room for all runs, under one guard. */
static bool
room_take(struct null_fabric *fab, const struct reader *rd, struct null_memmap *m)
{
	uint64_t len, align, size = 0;
	uint32_t i;
	void *room;

	for (i = 0; i < rd->nb;) {
		uint32_t first = i;

		i = run_end(rd, first, &len, &align);
		len = run_room(rd, first, len, align);
		if (len > (uint64_t)INTPTR_MAX - size)
			return false;
		size += len;
	}
	if (size == 0)
		return true;
	room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return false;
	m->room = room;
	m->room_len = size;
	m->guard = null_guard_add(room, size, &fab->map_gen);
	return m->guard != NULL;
}

static bool
list_map(struct reader *rd, struct null_memmap *m)
{
	uint64_t len, align;
	uint32_t i, end;
	uint8_t *at;

	m->nb_exports = 0;
	if (!list_ordered(rd) || !room_take(rd->fab, rd, m))
		return false;
	at = m->room;
	for (i = 0; i < rd->nb; i = end) {
		end = run_end(rd, i, &len, &align);
		run_map(rd, m, i, end, at, align);
		at += run_room(rd, i, len, align);
	}
	return true;
}

/* All that was found by the process's number is right if it was the same process all along. */
static bool
still_there(const struct reader *rd)
{
	const struct null_shared *sh = rd->fab->sh;
	uint32_t holder;

	return null_shm_held(rd->fab, rd->proc, &holder) && holder == rd->pid &&
	       atomic_load(&sh->procs[rd->proc].gen) == rd->proc_gen &&
	       atomic_load(&sh->listing[rd->ep].gen) == rd->gen;
}

static struct null_memmap *
empty_map(uint32_t gen)
{
	struct null_memmap *m = null_memmap_new(0);

	if (m != NULL)
		m->gen = gen;
	return m;
}

/* NULL: no memory for it, or it changed meanwhile. */
static struct null_memmap *
map_build(struct null_fabric *fab, uint32_t ep, uint32_t gen)
{
	struct null_shared *sh = fab->sh;
	struct reader rd = { .fab = fab, .ep = ep, .gen = gen, .fd = -1 };
	int number = atomic_load(&sh->listing[ep].fd);
	struct null_memmap *m;
	bool good;

	rd.proc = atomic_load(&sh->ep[ep].proc);
	rd.proc_gen = atomic_load(&sh->procs[rd.proc].gen);
	rd.pid = atomic_load(&sh->procs[rd.proc].pid);
	if (atomic_load(&sh->ep[ep].attached) == 0 || rd.pid == 0 || number < 0)
		return empty_map(gen);
	good = list_read(&rd, number);
	m = null_memmap_new(rd.nb);
	if (m != NULL) {
		m->gen = gen;
		good = good && list_map(&rd, m) && still_there(&rd);
		null_memmap_merge(m);
	}
	if (rd.fd >= 0)
		close(rd.fd);
	free(rd.list);
	if (good && m != NULL)
		return m;
	null_memmap_free(m);
	return NULL;
}

/* ---- maps in place ---- */

/* Under peer_lock. */
static void
map_replace(struct null_fabric *fab, uint32_t ep, struct null_memmap *m)
{
	struct null_memmap *old = atomic_exchange(&fab->map[ep], m);

	atomic_fetch_add(&fab->map_gen, 1);
	if (old == NULL)
		return;
	old->next = fab->retired;
	fab->retired = old;
}

/* Under peer_lock. */
static struct null_memmap *
map_refresh(struct null_fabric *fab, uint32_t ep)
{
	struct null_memmap *m = NULL;
	uint32_t i, gen = 0;

	for (i = 0; i < REFRESH_TRIES && m == NULL; i++) {
		gen = atomic_load(&fab->sh->listing[ep].gen);
		m = map_build(fab, ep, gen);
	}
	/* Out of reach: as if it had no memory, until it lists some again. */
	if (m == NULL)
		m = empty_map(gen);
	if (m != NULL)
		map_replace(fab, ep, m);
	return m;
}

/* Memory that its owner has cut short is none, until it lists some anew. */
static const struct null_memmap *
usable(const struct null_memmap *m)
{
	static const struct null_memmap none;

	return m == NULL || (m->guard != NULL && null_guard_lost(m->guard)) ? &none : m;
}

const struct null_memmap *
null_peer_map(struct null_fabric *fab, uint32_t ep)
{
	const struct null_memmap *m = atomic_load(&fab->map[ep]);
	bool retired;

	if (m != NULL && m->gen == atomic_load(&fab->sh->listing[ep].gen))
		return usable(m);
	pthread_mutex_lock(&fab->peer_lock);
	m = atomic_load(&fab->map[ep]);
	if (!atomic_load(&fab->own[ep]) &&
	    (m == NULL || m->gen != atomic_load(&fab->sh->listing[ep].gen)))
		m = map_refresh(fab, ep);
	retired = fab->retired != NULL;
	pthread_mutex_unlock(&fab->peer_lock);
	if (retired)
		null_proc_kick(fab, fab->proc, NULL_KICK_MAPS);
	return usable(m);
}

void
null_peer_own(struct null_fabric *fab, uint32_t ep, bool own)
{
	pthread_mutex_lock(&fab->peer_lock);
	if (own)
		map_replace(fab, ep, NULL);
	atomic_store(&fab->own[ep], own);
	pthread_mutex_unlock(&fab->peer_lock);
}

static void
free_all(struct null_memmap *m)
{
	struct null_memmap *next;

	for (; m != NULL; m = next) {
		next = m->next;
		null_memmap_free(m);
	}
}

void
null_peer_prune(struct null_fabric *fab)
{
	struct null_memmap *m, *retired;
	uint32_t ep;

	pthread_mutex_lock(&fab->peer_lock);
	for (ep = 0; ep < NULL_EP_MAX; ep++) {
		m = atomic_load(&fab->map[ep]);
		if (m != NULL && !atomic_load(&fab->own[ep]) &&
		    m->gen != atomic_load(&fab->sh->listing[ep].gen))
			map_replace(fab, ep, NULL);
	}
	retired = fab->retired;
	fab->retired = NULL;
	pthread_mutex_unlock(&fab->peer_lock);
	if (retired == NULL)
		return;
	null_fabric_quiesce_own(fab);
	/* Those who look at maps and are no engines hold this. */
	pthread_mutex_lock(&fab->map_lock);
	pthread_mutex_unlock(&fab->map_lock);
	free_all(retired);
}

void
null_peer_fini(struct null_fabric *fab)
{
	uint32_t ep;

	for (ep = 0; ep < NULL_EP_MAX; ep++)
		null_memmap_free(atomic_exchange(&fab->map[ep], NULL));
	free_all(fab->retired);
	fab->retired = NULL;
}
