/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <string.h>

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
	uint32_t tt;		/* in the place it has in a descriptor */
	uint32_t destid_max;
	unsigned int ch;
	struct tsi721_bdma_stats stats;
};

static int
bdma_open(struct tsi721_device *dev, unsigned int ch, unsigned int nb_desc, int socket_id,
	  struct tsi721_bdma **out)
{
	struct tsi721_bdma *q;
	int ret;

	q = rte_zmalloc_socket("tsi721_bdma", sizeof(*q), RTE_CACHE_LINE_SIZE, socket_id);
	if (q == NULL)
		return -ENOMEM;
	q->ch = ch;
	q->tt = tsi721_tt(dev) << TSI721_DMAD_TT_SHIFT;
	q->destid_max = dev->sys16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8;

	rte_spinlock_lock(&dev->lock);
	ret = dev->bdma[ch] != NULL ? -EBUSY : 0;
	if (ret == 0)
		dev->bdma[ch] = q;
	rte_spinlock_unlock(&dev->lock);
	if (ret != 0) {
		TSI721_LOG(ERR, dev, "DMA channel %u is in use by another", ch);
		goto free_q;
	}

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

int
tsi721_bdma_open(struct tsi721_device *dev, unsigned int ch, unsigned int nb_desc,
		 int socket_id, struct tsi721_bdma **q)
{
	if (ch >= TSI721_DMAC_MAINT || !(dev->conf.dma_sel & 1u << ch)) {
		TSI721_LOG(ERR, dev, "DMA channel %u%s: allowed are those of the mask 0x%02x", ch,
			   ch < TSI721_DMAC_MAINT && (dev->conf.dmadev & 1u << ch) != 0 ?
			   " is a dmadev" : "", dev->conf.dma_sel);
		return -ENODEV;
	}
	return bdma_open(dev, ch, nb_desc, socket_id, q);
}

int
tsi721_bdma_open_dmadev(struct tsi721_device *dev, unsigned int ch, unsigned int nb_desc,
			int socket_id, struct tsi721_bdma **q)
{
	return ch < TSI721_DMAC_MAINT && (dev->conf.dmadev & 1u << ch) != 0 ?
	       bdma_open(dev, ch, nb_desc, socket_id, q) : -ENODEV;
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

/* Stage a type 1 descriptor for `len` bytes, 1 to 64 MiB. */
static __rte_always_inline void
bdma_fill(struct tsi721_bdma *q, uint32_t type_id, uint64_t raddr, uint32_t raddr_hi,
	  rte_iova_t iova, uint32_t len)
{
	struct tsi721_ring *r = &q->ring;
	struct tsi721_dma_desc *d = tsi721_ring_slot(r, r->tail);

	d->type_id = rte_cpu_to_le_32(type_id);
	d->bcount = rte_cpu_to_le_32((uint32_t)(raddr & 3) << TSI721_DMAD_RADDR0_SHIFT | q->tt |
				     (len & TSI721_DMAD_BCOUNT1));
	d->raddr_lo = rte_cpu_to_le_32((uint32_t)(raddr >> 2));
	d->raddr_hi = rte_cpu_to_le_32((uint32_t)(raddr >> 34) | raddr_hi << 30);
	d->bufptr_lo = rte_cpu_to_le_32((uint32_t)iova);
	d->bufptr_hi = rte_cpu_to_le_32((uint32_t)(iova >> 32));
	d->s_dist = 0;
	d->s_size = 0;
	tsi721_ring_advance(r);
}

/* The same; what goes with it is returned. */
static __rte_always_inline struct bdma_meta *
bdma_stage(struct tsi721_bdma *q, uint32_t type_id, uint64_t raddr, uint32_t raddr_hi,
	   rte_iova_t iova, uint32_t len)
{
	struct bdma_meta *m = &q->meta[q->ring.tail & q->ring.mask];

	bdma_fill(q, type_id, raddr, raddr_hi, iova, len);
	return m;
}

/* What is staged last ends the operation. */
static inline void
bdma_end(struct tsi721_bdma *q, struct bdma_meta *m, void *cookie, uint64_t bytes)
{
	m->cookie = cookie;
	m->bytes = bytes;
	m->last = true;
	m->status = 0;
	q->pending++;
}

static inline uint32_t
bdma_type_id(const struct tsi721_bdma_req *req, uint32_t rtype)
{
	return TSI721_DTYPE_DATA << TSI721_DTYPE_SHIFT | rtype << TSI721_DMAD_RTYPE_SHIFT |
	       (uint32_t)req->prio << TSI721_DMAD_PRIO_SHIFT | req->destid;
}

static inline bool
bdma_good(const struct tsi721_bdma *q, const struct tsi721_bdma_req *req, uint64_t bytes)
{
	if (unlikely(req->rtype > TSI721_RTYPE_ALL_NWRITE_R || req->prio > 3 ||
		     req->raddr_hi > 3 || req->destid > q->destid_max))
		return false;
	/* The 66-bit address may not wrap. */
	return req->raddr_hi < 3 || req->raddr + (bytes - 1) >= req->raddr;
}

/* The ring has no room for that many descriptors: not now, or never. */
static int
bdma_no_room(struct tsi721_bdma *q, unsigned int descs)
{
	if (descs > q->ring.mask + 1)
		return -E2BIG;
	q->stats.full++;
	return -ENOSPC;
}

/* What descriptors before the last one ask for: a last packet is only behind them. */
static inline uint32_t
bdma_rtype_before(const struct tsi721_bdma_req *req)
{
	return req->rtype == TSI721_RTYPE_LAST_NWRITE_R ? TSI721_RTYPE_ALL_NWRITE : req->rtype;
}

/* Stage the descriptors of one run of memory and RapidIO addresses; `ends` the operation. */
static struct bdma_meta *
bdma_stage_run(struct tsi721_bdma *q, const struct tsi721_bdma_req *req, uint64_t raddr,
	       uint32_t raddr_hi, rte_iova_t iova, uint64_t left, bool ends)
{
	uint32_t before = bdma_type_id(req, bdma_rtype_before(req));
	struct bdma_meta *m;

	for (;;) {
		uint32_t len = (uint32_t)RTE_MIN(left, (uint64_t)TSI721_DMA_BLOCK_MAX);

		left -= len;
		m = bdma_stage(q, ends && left == 0 ? bdma_type_id(req, req->rtype) : before,
			       raddr, raddr_hi, iova, len);
		m->last = false;
		if (left == 0)
			return m;
		raddr_hi += raddr + len < raddr;
		raddr += len;
		iova += len;
	}
}

/* Segments of any number and length. */
static int
bdma_post_list(struct tsi721_bdma *q, const struct tsi721_bdma_req *req,
	       const struct tsi721_bdma_seg *segs, unsigned int nb_segs, void *cookie)
{
	unsigned int descs = tsi721_bdma_descs(segs, nb_segs), i;
	uint64_t raddr = req->raddr, bytes = 0;
	uint32_t raddr_hi = req->raddr_hi;
	struct bdma_meta *m = NULL;

	for (i = 0; i < nb_segs; i++)
		if (__builtin_add_overflow(bytes, segs[i].len, &bytes))
			return -EINVAL;
	if (descs == 0 || !bdma_good(q, req, bytes))
		return -EINVAL;
	if (descs > tsi721_ring_room(&q->ring))
		return bdma_no_room(q, descs);

	for (i = 0; i < nb_segs; i++) {
		m = bdma_stage_run(q, req, raddr, raddr_hi, segs[i].iova, segs[i].len,
				   i == nb_segs - 1);
		raddr_hi += raddr + segs[i].len < raddr;
		raddr += segs[i].len;
	}
	bdma_end(q, m, cookie, bytes);
	return 0;
}

int
tsi721_bdma_post_pieces(struct tsi721_bdma *q, const struct tsi721_bdma_req *req,
			const struct tsi721_bdma_piece *pieces, unsigned int nb, void *cookie)
{
	struct bdma_meta *m = NULL;
	uint64_t descs = 0, bytes = 0;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		struct tsi721_bdma_req at = *req;

		at.raddr = pieces[i].raddr;
		if (pieces[i].len == 0 || !bdma_good(q, &at, pieces[i].len) ||
		    __builtin_add_overflow(bytes, pieces[i].len, &bytes))
			return -EINVAL;
		descs += (pieces[i].len - 1) / TSI721_DMA_BLOCK_MAX + 1;
	}
	if (nb == 0)
		return -EINVAL;
	if (descs > tsi721_ring_room(&q->ring))
		return bdma_no_room(q, (unsigned int)RTE_MIN(descs, (uint64_t)UINT32_MAX));
	for (i = 0; i < nb; i++)
		m = bdma_stage_run(q, req, pieces[i].raddr, req->raddr_hi, pieces[i].iova,
				   pieces[i].len, i == nb - 1);
	bdma_end(q, m, cookie, bytes);
	return 0;
}

int
tsi721_bdma_post(struct tsi721_bdma *q, const struct tsi721_bdma_req *req,
		 const struct tsi721_bdma_seg *segs, unsigned int nb_segs, void *cookie)
{
	/* Most have one segment, and that is one descriptor. */
	if (unlikely(nb_segs != 1 || segs->len - 1 >= TSI721_DMA_BLOCK_MAX))
		return bdma_post_list(q, req, segs, nb_segs, cookie);
	if (unlikely(!bdma_good(q, req, segs->len)))
		return -EINVAL;
	if (unlikely(tsi721_ring_room(&q->ring) == 0))
		return bdma_no_room(q, 1);
	bdma_end(q, bdma_stage(q, bdma_type_id(req, req->rtype), req->raddr, req->raddr_hi,
			       segs->iova, (uint32_t)segs->len), cookie, segs->len);
	return 0;
}

int
tsi721_bdma_post_imm(struct tsi721_bdma *q, const struct tsi721_bdma_req *req, const void *data,
		     unsigned int len, void *cookie)
{
	struct tsi721_ring *r = &q->ring;
	struct tsi721_dma_desc *d = tsi721_ring_slot(r, r->tail);
	struct bdma_meta *m;

	if (len == 0 || len > TSI721_DMA_IMM_MAX || req->rtype == TSI721_RTYPE_NREAD ||
	    !bdma_good(q, req, len))
		return -EINVAL;
	if (tsi721_ring_room(r) == 0)
		return bdma_no_room(q, 1);
	m = bdma_stage(q, (bdma_type_id(req, req->rtype) & ~TSI721_DMAD_DTYPE) |
		       TSI721_DTYPE_IMM << TSI721_DTYPE_SHIFT, req->raddr, req->raddr_hi, 0, len);
	memcpy((uint8_t *)d + TSI721_DMA_DATA_IDX * 4, data, len);
	bdma_end(q, m, cookie, len);
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

bool
tsi721_bdma_req_good(const struct tsi721_bdma *q, const struct tsi721_bdma_req *req)
{
	return bdma_good(q, req, 1);
}

uint32_t
tsi721_bdma_word(const struct tsi721_bdma *q, unsigned int rtype, unsigned int prio,
		 uint16_t destid)
{
	RTE_SET_USED(q);
	return TSI721_DTYPE_DATA << TSI721_DTYPE_SHIFT | rtype << TSI721_DMAD_RTYPE_SHIFT |
	       prio << TSI721_DMAD_PRIO_SHIFT | destid;
}

uint32_t
tsi721_bdma_put(struct tsi721_bdma *q, uint32_t word, uint64_t raddr, rte_iova_t iova,
		uint32_t len)
{
	uint32_t index = q->ring.tail;

	bdma_fill(q, word, raddr, 0, iova, len);
	q->stats.bytes += len;
	return index;
}

/* As bdma_look, where each descriptor stands for itself. */
static __rte_noinline int
bdma_look_put(struct tsi721_bdma *q, uint32_t *failed)
{
	struct tsi721_ring *r = &q->ring;
	uint32_t sts = tsi721_ring_look(r);

	if (!(sts & TSI721_RING_STS_ABORT) || r->head == r->kicked)
		return 0;
	*failed = r->head++;
	q->stats.errors++;
	q->stats.ops--;
	TSI721_LOG(DEBUG, r->dev, "DMA channel %u aborted, status 0x%08x", q->ch, sts);
	tsi721_ring_restart(r);
	return tsi721_ring_errno(sts);
}

uint32_t
tsi721_bdma_ended(struct tsi721_bdma *q, uint32_t *failed, int *err)
{
	struct tsi721_ring *r = &q->ring;

	tsi721_ring_drain(r);
	*err = unlikely(tsi721_ring_late(r)) ? bdma_look_put(q, failed) : 0;
	q->stats.ops += r->head - r->reaped;
	r->reaped = r->head;
	return r->head;
}

void
tsi721_bdma_recover(struct tsi721_bdma *q)
{
	bdma_look(q);
}

enum tsi721_bdma_state
tsi721_bdma_state(const struct tsi721_bdma *q)
{
	const struct tsi721_ring *r = &q->ring;
	uint32_t done;

	if (tsi721_read32(r->dev, r->base + TSI721_RING_STS) & TSI721_RING_STS_ABORT)
		return TSI721_BDMA_ABORTED;
	done = tsi721_read32(r->dev, r->base + TSI721_DMAC_DRDCNT);
	return done == tsi721_read32(r->dev, r->base + TSI721_RING_DWRCNT) ? TSI721_BDMA_IDLE :
									    TSI721_BDMA_ACTIVE;
}

void
tsi721_bdma_stats(const struct tsi721_bdma *q, struct tsi721_bdma_stats *stats)
{
	*stats = q->stats;
}

bool
tsi721_bdma_waiting(struct tsi721_bdma *q)
{
	return tsi721_ring_waiting(&q->ring);
}
