/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_REGION_H
#define RIONET_REGION_H

/*
 * The memory of a port that the fabric sees: one block, through one inbound
 * window, of rings and frame data and nothing else. Who is on the fabric may
 * write anywhere in it at any time.
 *
 * Parts are given out and never taken back one by one: what was a peer's stays a
 * peer's, so that a write that comes late hits nobody else.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_mbuf.h>
#include <rte_ring.h>
#include <rte_spinlock.h>

struct tsi721_device;
struct rte_memzone;

struct rionet_region {
	uint8_t *va;
	rte_iova_t iova;
	uint64_t size;
	uint64_t raddr;		/* where the fabric sees it */
	int win;		/* -1: not open */
	struct tsi721_device *dev;
	const struct rte_memzone *mz;
	rte_spinlock_t lock;
	uint64_t used;
};

#define RIONET_REGION_MIN	(1u << 20)
#define RIONET_REGION_MAX	(1u << 30)
#define RIONET_REGION_DEFAULT	(32u << 20)

/**
 * Memory of up to `size` bytes, a power of two, behind an open window; less where there
 * is no contiguous memory of that size. NULL: not even RIONET_REGION_MIN, or no window.
 */
struct rionet_region *rionet_region_create(struct tsi721_device *dev, uint64_t size,
					   int socket_id);
/** Nothing is written by the fabric any more once this returns. NULL is allowed. */
void rionet_region_close(struct rionet_region *region);
/** Of a closed one that nothing points into. NULL is allowed. */
void rionet_region_free(struct rionet_region *region);

/** A zeroed part at a multiple of 64. NULL: no more left. Any thread. */
void *rionet_region_alloc(struct rionet_region *region, uint64_t size);

static inline uint64_t
rionet_region_off(const struct rionet_region *region, const void *p)
{
	return (uint64_t)((const uint8_t *)p - region->va);
}

/*
 * Buffers in a region, which large frames are written to and which mbufs are
 * attached to. One thread hands them out; any may free an mbuf.
 */

#define RIONET_BUF_HEADROOM	128u
#define RIONET_BUF_SIZE		2048u
#define RIONET_BUF_STRIDE	(RIONET_BUF_HEADROOM + RIONET_BUF_SIZE)

enum rionet_buf_state {
	RIONET_BUF_FREE,
	RIONET_BUF_POSTED,	/* the peer may write to it */
	RIONET_BUF_ATTACHED,	/* an mbuf holds it */
};

struct rionet_buf {
	struct rte_mbuf_ext_shared_info shinfo;
	struct rte_ring *back;	/* where it goes when the mbuf is freed */
	uint8_t *data;
	uint32_t name;		/* as posted */
	uint32_t state;
} __rte_cache_aligned;

struct rionet_bufs {
	uint32_t nb;
	uint32_t nb_free;	/* on the stack; others came back and wait in the ring */
	uint32_t nb_posted;
	uint32_t first;		/* name of the first */
	struct rionet_buf *buf;
	struct rionet_buf **free;	/* the last in is the first out: it may be in a cache */
	struct rte_ring *back;
	struct rionet_region *region;
};

/** NULL: no memory, or no room in the region. */
struct rionet_bufs *rionet_bufs_create(struct rionet_region *region, uint32_t nb, int socket_id);
/** Buffers that mbufs hold. */
unsigned int rionet_bufs_attached(struct rionet_bufs *bufs);
/** None may be attached. NULL is allowed. */
void rionet_bufs_free(struct rionet_bufs *bufs);
/** Take back what was posted. */
void rionet_bufs_unpost(struct rionet_bufs *bufs);
/** Put those that came back on the stack. @return how many lie there. */
unsigned int rionet_bufs_collect(struct rionet_bufs *bufs);

/** What an mbuf's external buffer calls when it is freed. */
void rionet_buf_free_cb(void *addr, void *opaque);

/** The posted buffer of this name; NULL: there is none. */
static __rte_always_inline struct rionet_buf *
rionet_bufs_posted(const struct rionet_bufs *bufs, uint32_t name)
{
	uint32_t off = name - bufs->first;
	uint32_t i = off / (RIONET_BUF_STRIDE / 64u);

	if (unlikely(i >= bufs->nb || bufs->buf[i].name != name ||
		     bufs->buf[i].state != RIONET_BUF_POSTED))
		return NULL;
	return &bufs->buf[i];
}

#endif /* RIONET_REGION_H */
