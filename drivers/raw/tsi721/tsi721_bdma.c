/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include <rte_malloc.h>

#include "tsi721_bdma.h"
#include "tsi721_ring.h"

/* Beside each descriptor; what counts is in that of an operation's last one. */
struct bdma_meta {
	void *cookie;
	uint64_t bytes;		/* of the operation */
	bool last;		/* of an operation */
	int8_t status;		/* as reap reports it; above -128 on Linux for those used here */
};

struct tsi721_bdma {
	struct tsi721_ring ring;
	struct bdma_meta *meta;
	uint32_t pending;	/* operations staged and not reaped */
	struct tsi721_bdma_stats stats;
	unsigned int ch;
};

int
tsi721_bdma_open(struct tsi721_device *dev, unsigned int ch, unsigned int nb_desc,
		 int socket_id, struct tsi721_bdma **out)
{
	struct tsi721_bdma *q;
	int ret;

	if (ch >= TSI721_DMAC_NUM || ch == TSI721_DMAC_MAINT || !(dev->conf.dma_sel & 1u << ch)) {
		TSI721_LOG(ERR, dev, "DMA channel %u: allowed are those of dma_sel 0x%02x", ch,
			   dev->conf.dma_sel);
		return -ENODEV;
	}

	q = rte_zmalloc_socket("tsi721_bdma", sizeof(*q), RTE_CACHE_LINE_SIZE, socket_id);
	if (q == NULL)
		return -ENOMEM;
	q->ch = ch;

	rte_spinlock_lock(&dev->lock);
	ret = dev->bdma[ch] != NULL ? -EBUSY : 0;
	if (ret == 0)
		dev->bdma[ch] = q;
	rte_spinlock_unlock(&dev->lock);
	if (ret != 0)
		goto free_q;

	ret = tsi721_ring_open(&q->ring, dev, &tsi721_ring_bdma, ch, TSI721_DMAC_BASE(ch),
			       nb_desc, socket_id);
	if (ret != 0)
		goto release;
	q->meta = rte_zmalloc_socket("tsi721_bdma", nb_desc * sizeof(*q->meta),
				     RTE_CACHE_LINE_SIZE, socket_id);
	if (q->meta == NULL) {
		tsi721_ring_close(&q->ring);
		ret = -ENOMEM;
		goto release;
	}
	*out = q;
	return 0;

release:
	rte_spinlock_lock(&dev->lock);
	dev->bdma[ch] = NULL;
	rte_spinlock_unlock(&dev->lock);
free_q:
	rte_free(q);
	return ret;
}

void
tsi721_bdma_close(struct tsi721_bdma *q, void (*free_cb)(void *cookie, void *arg), void *arg)
{
	struct tsi721_device *dev;
	uint32_t i;

	if (q == NULL)
		return;
	dev = q->ring.dev;
	tsi721_ring_close(&q->ring);

	for (i = q->ring.reaped; i != q->ring.tail; i++) {
		const struct bdma_meta *m = &q->meta[i & q->ring.mask];

		if (m->last && free_cb != NULL)
			free_cb(m->cookie, arg);
	}

	rte_spinlock_lock(&dev->lock);
	dev->bdma[q->ch] = NULL;
	dev->bdma_past[q->ch].ops += q->stats.ops;
	dev->bdma_past[q->ch].bytes += q->stats.bytes;
	dev->bdma_past[q->ch].errors += q->stats.errors;
	dev->bdma_past[q->ch].full += q->stats.full;
	rte_spinlock_unlock(&dev->lock);
	rte_free(q->meta);
	rte_free(q);
}

unsigned int
tsi721_bdma_free(const struct tsi721_bdma *q)
{
	return tsi721_ring_room(&q->ring);
}

unsigned int
tsi721_bdma_pending(const struct tsi721_bdma *q)
{
	return q->pending;
}

unsigned int
tsi721_bdma_descs(const struct tsi721_bdma_seg *segs, unsigned int nb_segs)
{
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; i < nb_segs; i++) {
		if (segs[i].len == 0)
			return 0;
		n += (segs[i].len - 1) / TSI721_DMA_BLOCK_MAX + 1;
	}
	return (unsigned int)RTE_MIN(n, (uint64_t)UINT32_MAX);
}

/* A type 1 descriptor for `len` bytes, 1 to 64 MiB. */
static inline void
bdma_fill(struct tsi721_dma_desc *d, uint32_t type_id, uint32_t tt, uint64_t raddr,
	  uint32_t raddr_hi, rte_iova_t iova, uint32_t len)
{
	d->type_id = rte_cpu_to_le_32(type_id);
	d->bcount = rte_cpu_to_le_32((uint32_t)(raddr & 3) << TSI721_DMAD_RADDR0_SHIFT | tt |
				     (len & TSI721_DMAD_BCOUNT1));
	d->raddr_lo = rte_cpu_to_le_32((uint32_t)(raddr >> 2));
	d->raddr_hi = rte_cpu_to_le_32((uint32_t)(raddr >> 34) | raddr_hi << 30);
	d->bufptr_lo = rte_cpu_to_le_32((uint32_t)iova);
	d->bufptr_hi = rte_cpu_to_le_32((uint32_t)(iova >> 32));
	d->s_dist = 0;
	d->s_size = 0;
}

/* Requests that only the whole operation's last packet should carry are NWRITEs until then. */
static inline uint32_t
bdma_rtype(uint8_t rtype, bool last)
{
	if (rtype == TSI721_RTYPE_LAST_NWRITE_R && !last)
		return TSI721_RTYPE_ALL_NWRITE;
	return rtype;
}

static int
bdma_check(const struct tsi721_bdma *q, const struct tsi721_bdma_req *req, unsigned int descs,
	   uint64_t bytes)
{
	if (descs == 0 || req->rtype > TSI721_RTYPE_ALL_NWRITE_R || req->prio > 3 ||
	    req->raddr_hi > 3 || (!q->ring.dev->sys16 && req->destid > RIO_ANY_DESTID_8))
		return -EINVAL;
	/* The 66-bit address may not wrap. */
	if (req->raddr_hi == 3 && bytes > 1 && req->raddr + (bytes - 1) < req->raddr)
		return -EINVAL;
	return 0;
}

int
tsi721_bdma_post(struct tsi721_bdma *q, const struct tsi721_bdma_req *req,
		 const struct tsi721_bdma_seg *segs, unsigned int nb_segs, void *cookie)
{
	struct tsi721_ring *r = &q->ring;
	unsigned int descs = tsi721_bdma_descs(segs, nb_segs);
	uint32_t type_id = TSI721_DTYPE_DATA << TSI721_DTYPE_SHIFT | req->destid |
			   (uint32_t)req->prio << TSI721_DMAD_PRIO_SHIFT;
	uint32_t tt = tsi721_tt(r->dev) << TSI721_DMAD_TT_SHIFT;
	uint64_t raddr = req->raddr, bytes = 0;
	uint32_t raddr_hi = req->raddr_hi;
	struct bdma_meta *m = NULL;
	unsigned int i;

	for (i = 0; i < nb_segs; i++)
		if (__builtin_add_overflow(bytes, segs[i].len, &bytes))
			return -EINVAL;
	if (unlikely(bdma_check(q, req, descs, bytes) != 0))
		return -EINVAL;
	if (unlikely(descs > tsi721_ring_room(r))) {
		if (descs > r->mask + 1)
			return -E2BIG;
		q->stats.full++;
		return -ENOSPC;
	}

	for (i = 0; i < nb_segs; i++) {
		rte_iova_t iova = segs[i].iova;
		uint64_t left = segs[i].len;

		while (left > 0) {
			uint32_t len = (uint32_t)RTE_MIN(left, (uint64_t)TSI721_DMA_BLOCK_MAX);
			bool last = i == nb_segs - 1 && len == left;

			bdma_fill(tsi721_ring_slot(r, r->tail),
				  type_id | bdma_rtype(req->rtype, last) << TSI721_DMAD_RTYPE_SHIFT,
				  tt, raddr, raddr_hi, iova, len);
			m = &q->meta[r->tail & r->mask];
			m->last = false;
			tsi721_ring_advance(r);
			raddr_hi += raddr + len < raddr;
			raddr += len;
			iova += len;
			left -= len;
		}
	}
	m->last = true;
	m->cookie = cookie;
	m->bytes = bytes;
	m->status = 0;
	q->pending++;
	return 0;
}

void
tsi721_bdma_kick(struct tsi721_bdma *q)
{
	tsi721_ring_kick(&q->ring);
}

/*
 * The channel is late: if it has aborted, the operation at the head of what has
 * not ended is the failed one. The rest of it is skipped.
 */
static void
bdma_look(struct tsi721_bdma *q)
{
	struct tsi721_ring *r = &q->ring;
	uint32_t sts = tsi721_ring_look(r);
	struct bdma_meta *m;

	if (!(sts & TSI721_RING_STS_ABORT) || r->head == r->kicked)
		return;
	do
		m = &q->meta[r->head++ & r->mask];
	while (!m->last);
	m->status = (int8_t)tsi721_ring_errno(sts);
	TSI721_LOG(DEBUG, r->dev, "DMA channel %u aborted, status 0x%08x", q->ch, sts);
	tsi721_ring_restart(r);
}

unsigned int
tsi721_bdma_reap(struct tsi721_bdma *q, void **cookies, int *status, unsigned int nb)
{
	struct tsi721_ring *r = &q->ring;
	unsigned int n = 0;

	tsi721_ring_drain(r);
	if (unlikely(tsi721_ring_late(r)))
		bdma_look(q);

	while (n < nb && r->reaped != r->head) {
		const struct bdma_meta *m = &q->meta[r->reaped & r->mask];
		uint32_t end = r->reaped;

		/* An operation counts when its last descriptor has ended. */
		while (!m->last && ++end != r->head)
			m = &q->meta[end & r->mask];
		if (end == r->head)
			break;
		r->reaped = end + 1;
		cookies[n] = m->cookie;
		if (status != NULL)
			status[n] = m->status;
		if (likely(m->status == 0)) {
			q->stats.ops++;
			q->stats.bytes += m->bytes;
		} else {
			q->stats.errors++;
		}
		n++;
	}
	q->pending -= n;
	return n;
}

void
tsi721_bdma_stats(const struct tsi721_bdma *q, struct tsi721_bdma_stats *stats)
{
	*stats = q->stats;
}
