/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Copies of a dmadev. A job is one operation of the channel, which runs and
 * ends them in order; so a fence asks for nothing more.
 */

#include <errno.h>

#include <rte_cycles.h>

#include "tsi721_dmadev.h"

#define BURST		32u
#define DRAIN_MS	100u

/* --- what has ended --- */

/* Statuses of jobs that have ended, from the channel into the ring of them. */
static void
harvest(struct tsi721_dmadev *d)
{
	int status[BURST];
	void *cookies[BURST];
	unsigned int n, i;

	for (;;) {
		n = tsi721_bdma_reap(d->q, cookies, status, BURST);
		for (i = 0; i < n; i++)
			d->status[d->ended++ & d->mask] = (int8_t)status[i];
		if (n == BURST)
			continue;
		if (likely(!d->aborted))
			return;
		d->aborted = false;
		tsi721_bdma_recover(d->q);
	}
}

/* The oldest job that ended is the application's no more. */
static inline int
collect(struct tsi721_dmadev *d)
{
	int status = d->status[d->collected++ & d->mask];

	d->stats.completed++;
	d->stats.errors += status != 0;
	return status;
}

static enum rte_dma_status_code
status_code(const struct tsi721_dmadev *d, int status)
{
	bool read = d->dir == RTE_DMA_DIR_DEV_TO_MEM;

	switch (status) {
	case 0:
		return RTE_DMA_STATUS_SUCCESSFUL;
	case -EFAULT:	/* the side that is memory */
		return read ? RTE_DMA_STATUS_INVALID_DST_ADDR : RTE_DMA_STATUS_INVALID_SRC_ADDR;
	case -EIO:	/* the side that is reached through RapidIO */
		return read ? RTE_DMA_STATUS_INVALID_SRC_ADDR : RTE_DMA_STATUS_INVALID_DST_ADDR;
	case -ETIMEDOUT:
		return RTE_DMA_STATUS_DEV_LINK_ERROR;
	default:
		return RTE_DMA_STATUS_ERROR_UNKNOWN;
	}
}

static uint16_t
dmadev_completed(void *dev_private, uint16_t vchan, const uint16_t nb_cpls, uint16_t *last_idx,
		 bool *has_error)
{
	struct tsi721_dmadev *d = dev_private;
	uint16_t n = 0;

	RTE_SET_USED(vchan);
	if (unlikely(d->q == NULL))
		return 0;
	if (d->ended - d->collected < nb_cpls)
		harvest(d);
	while (n < nb_cpls && d->collected != d->ended) {
		if (unlikely(d->status[d->collected & d->mask] != 0)) {
			*has_error = true;
			break;
		}
		collect(d);
		n++;
	}
	*last_idx = (uint16_t)(d->collected - 1);
	return n;
}

static uint16_t
dmadev_completed_status(void *dev_private, uint16_t vchan, const uint16_t nb_cpls,
			uint16_t *last_idx, enum rte_dma_status_code *status)
{
	struct tsi721_dmadev *d = dev_private;
	uint16_t n = 0;

	RTE_SET_USED(vchan);
	if (unlikely(d->q == NULL))
		return 0;
	if (d->ended - d->collected < nb_cpls)
		harvest(d);
	while (n < nb_cpls && d->collected != d->ended) {
		status[n] = status_code(d, collect(d));
		/* What stands behind a failed job was started again only now. */
		if (status[n++] != RTE_DMA_STATUS_SUCCESSFUL)
			break;
	}
	*last_idx = (uint16_t)(d->collected - 1);
	return n;
}

/* --- room --- */

/* In silent mode nobody collects. */
static void
drop_ended(struct tsi721_dmadev *d)
{
	harvest(d);
	while (d->collected != d->ended)
		collect(d);
}

static inline uint32_t
room(const struct tsi721_dmadev *d)
{
	return RTE_MIN(tsi721_bdma_free(d->q), d->mask + 1 - (d->posted - d->collected));
}

static uint16_t
dmadev_burst_capacity(const void *dev_private, uint16_t vchan)
{
	/* The memory is not constant; that a job has ended is seen here in silent mode alone. */
	struct tsi721_dmadev *d = (void *)(uintptr_t)dev_private;

	RTE_SET_USED(vchan);
	if (unlikely(d->q == NULL))
		return 0;
	if (d->silent)
		drop_ended(d);
	return (uint16_t)room(d);
}

static int
dmadev_submit(void *dev_private, uint16_t vchan)
{
	struct tsi721_dmadev *d = dev_private;

	RTE_SET_USED(vchan);
	if (unlikely(d->q == NULL))
		return -EINVAL;
	tsi721_bdma_kick(d->q);
	d->stats.submitted += d->posted - d->submitted;
	d->submitted = d->posted;
	return 0;
}

/* --- windows of copies from memory to memory --- */

/* Before a window closes, what was enqueued must have ended. */
static bool
drain(struct tsi721_dmadev *d)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * DRAIN_MS / 1000;

	dmadev_submit(d, 0);
	while (d->ended != d->posted && rte_get_timer_cycles() < end)
		harvest(d);
	return d->ended == d->posted;
}

static int
cover(struct tsi721_dmadev *d, rte_iova_t dst, uint64_t len)
{
	int ret;

	if (likely(tsi721_loop_hit(&d->loop, dst, len)))
		return 0;
	for (;;) {
		ret = tsi721_loop_cover(&d->loop, d->dev, dst, len);
		/* The device is the judge of addresses that lead nowhere. */
		if (ret == -EFAULT)
			return 0;
		if (ret != -ENOSPC || !drain(d) || !tsi721_loop_evict(&d->loop, d->dev))
			return ret;
		d->evictions++;
	}
}

/* --- copies --- */

static inline int
job_posted(struct tsi721_dmadev *d, uint64_t flags)
{
	uint16_t id = (uint16_t)d->posted++;

	if (flags & RTE_DMA_OP_FLAG_SUBMIT)
		dmadev_submit(d, 0);
	return id;
}

/* The request for a RapidIO address; *raddr is cut where it names the destination too. */
static inline struct tsi721_bdma_req
request(const struct tsi721_dmadev *d, uint64_t *raddr)
{
	struct tsi721_bdma_req req = d->req;

	if (d->destid_in_addr) {
		req.destid = (uint16_t)(*raddr >> 48);
		*raddr &= RTE_BIT64(48) - 1;
	}
	req.raddr = *raddr;
	return req;
}

/* Whether there is room for a job. */
static inline int
job_room(struct tsi721_dmadev *d)
{
	if (unlikely(d->q == NULL))
		return -EINVAL;
	if (unlikely(room(d) == 0)) {
		if (d->silent)
			drop_ended(d);
		if (room(d) == 0)
			return -ENOSPC;
	}
	return 0;
}

/* The two sides of a copy as the channel sees them. */
static inline int
sides(struct tsi721_dmadev *d, rte_iova_t src, rte_iova_t dst, uint64_t len, uint64_t *raddr,
      rte_iova_t *iova)
{
	if (d->dir == RTE_DMA_DIR_DEV_TO_MEM) {
		*raddr = src;
		*iova = dst;
		return 0;
	}
	*iova = src;
	*raddr = dst;
	if (d->dir == RTE_DMA_DIR_MEM_TO_DEV)
		return 0;
	*raddr = TSI721_LOOP_RADDR(dst);
	return cover(d, dst, len);
}

static int
dmadev_copy(void *dev_private, uint16_t vchan, rte_iova_t src, rte_iova_t dst, uint32_t length,
	    uint64_t flags)
{
	struct tsi721_dmadev *d = dev_private;
	struct tsi721_bdma_seg seg = { .len = length };
	struct tsi721_bdma_req req;
	uint64_t raddr;
	int ret;

	RTE_SET_USED(vchan);
	ret = job_room(d);
	if (likely(ret == 0))
		ret = sides(d, src, dst, length, &raddr, &seg.iova);
	if (unlikely(ret != 0))
		return ret;
	req = request(d, &raddr);
	ret = tsi721_bdma_post(d->q, &req, &seg, 1, NULL);
	return likely(ret == 0) ? job_posted(d, flags) : ret;
}

/* --- lists --- */

/* Cut two lists of the same number of bytes at the ends of both. Pieces, or -EINVAL. */
static int
sg_pieces(struct tsi721_dmadev *d, const struct rte_dma_sge *src, const struct rte_dma_sge *dst,
	  uint16_t nb_src, uint16_t nb_dst, struct tsi721_bdma_piece *pieces)
{
	uint32_t src_off = 0, dst_off = 0;
	uint16_t s = 0, t = 0;
	int n = 0, ret;

	while (s < nb_src && t < nb_dst) {
		struct tsi721_bdma_piece *p = &pieces[n++];

		p->len = RTE_MIN(src[s].length - src_off, dst[t].length - dst_off);
		if (p->len == 0)
			return -EINVAL;
		ret = sides(d, src[s].addr + src_off, dst[t].addr + dst_off, p->len, &p->raddr,
			    &p->iova);
		if (ret != 0)
			return ret;
		src_off += (uint32_t)p->len;
		dst_off += (uint32_t)p->len;
		if (src_off == src[s].length) {
			src_off = 0;
			s++;
		}
		if (dst_off == dst[t].length) {
			dst_off = 0;
			t++;
		}
	}
	return s == nb_src && t == nb_dst ? n : -EINVAL;
}

/* The same, and all windows of the list are open together. */
static int
sg_cover(struct tsi721_dmadev *d, const struct rte_dma_sge *src, const struct rte_dma_sge *dst,
	 uint16_t nb_src, uint16_t nb_dst, struct tsi721_bdma_piece *pieces)
{
	unsigned int tries, before;
	int n;

	for (tries = 0; tries < 2; tries++) {
		before = d->evictions;
		n = sg_pieces(d, src, dst, nb_src, nb_dst, pieces);
		if (n < 0 || d->evictions == before)
			return n;
	}
	return -EINVAL;
}

/* One job has one destination. */
static int
sg_request(const struct tsi721_dmadev *d, struct tsi721_bdma_piece *pieces, int n,
	   struct tsi721_bdma_req *req)
{
	int i;

	for (i = 0; i < n; i++) {
		struct tsi721_bdma_req of = request(d, &pieces[i].raddr);

		if (i != 0 && of.destid != req->destid)
			return -EINVAL;
		*req = of;
	}
	return 0;
}

static int
dmadev_copy_sg(void *dev_private, uint16_t vchan, const struct rte_dma_sge *src,
	       const struct rte_dma_sge *dst, uint16_t nb_src, uint16_t nb_dst, uint64_t flags)
{
	struct tsi721_bdma_piece pieces[2 * TSI721_DMADEV_SGES];
	struct tsi721_dmadev *d = dev_private;
	struct tsi721_bdma_req req;
	int ret, n;

	RTE_SET_USED(vchan);
	if (nb_src == 0 || nb_src > TSI721_DMADEV_SGES || nb_dst == 0 ||
	    nb_dst > TSI721_DMADEV_SGES)
		return -EINVAL;
	ret = job_room(d);
	if (ret != 0)
		return ret;
	n = sg_cover(d, src, dst, nb_src, nb_dst, pieces);
	if (n < 0)
		return n;
	ret = sg_request(d, pieces, n, &req);
	if (ret == 0)
		ret = tsi721_bdma_post_pieces(d->q, &req, pieces, (unsigned int)n, NULL);
	return ret == 0 ? job_posted(d, flags) : ret;
}

void
tsi721_dmadev_io_init(struct rte_dma_fp_object *fp)
{
	fp->copy = dmadev_copy;
	fp->copy_sg = dmadev_copy_sg;
	fp->submit = dmadev_submit;
	fp->completed = dmadev_completed;
	fp->completed_status = dmadev_completed_status;
	fp->burst_capacity = dmadev_burst_capacity;
}

bool
tsi721_dmadev_io_is(const struct rte_dma_fp_object *fp)
{
	return fp->copy == dmadev_copy;
}
