/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Sending by DMA. Records are put together in scratch memory and written to the
 * peer's ring as one block, small frames within them. Large frames go from
 * where they lie into buffers that the peer posted, before the record that
 * names the buffers. The producer line is written last.
 */

#include <rte_ethdev.h>
#include <ethdev_driver.h>
#include <rte_memcpy.h>

#include <tsi721_bdma.h>

#include "rionet_dma.h"
#include "rionet_msg.h"
#include "rionet_port.h"

/* Bytes of a block, if they are there. */
#define TX_BLOCK		16384u
/* Descriptors that a flush may need: the block, and a producer line for each lane. */
#define TX_SPARE_DESCS		(RTE_DIM(((struct rionet_qp *)0)->dirty) + 2)

/* ---- what the peer says ---- */

static __rte_noinline bool
lane_bad(struct rionet_lane_tx *lane)
{
	lane->open = false;
	__atomic_store_n(&lane->bad, true, __ATOMIC_RELAXED);
	return false;
}

bool
rionet_lane_feed(struct rionet_lane_tx *lane)
{
	uint64_t cons = rte_le_to_cpu_64(__atomic_load_n(&lane->feed->cons, __ATOMIC_ACQUIRE));
	uint64_t posts = rte_le_to_cpu_64(__atomic_load_n(&lane->feed->posts, __ATOMIC_ACQUIRE));

	/* Of another session: of a former life of the peer's. */
	if (cons >> 32 == lane->own_nonce) {
		if (unlikely((uint32_t)cons - lane->cons > lane->told - lane->cons))
			return lane_bad(lane);
		lane->cons = (uint32_t)cons;
	}
	if (posts >> 32 == lane->own_nonce) {
		if (unlikely((uint32_t)posts - lane->post_head > lane->post_mask + 1))
			return lane_bad(lane);
		lane->post_tail = (uint32_t)posts;
	}
	return true;
}

/* ---- blocks ---- */

static void
block_close(struct rionet_qp *qp)
{
	struct rionet_lane_tx *lane = qp->lane;
	uint32_t len = qp->block_len, at;

	if (lane == NULL)
		return;
	qp->lane = NULL;
	qp->block_room = 0;
	qp->block_len = 0;
	if (len == 0) {
		qp->scratch_head = qp->block_base;
		return;
	}
	qp->scratch_head = qp->block_base + len;
	at = (lane->prod - len / RIONET_UNIT) & (lane->units - 1);
	rionet_qp_put(qp, &lane->failed, lane->word, lane->ring + (uint64_t)at * RIONET_UNIT,
		      rionet_qp_iova(qp, qp->block), len, NULL);
}

static inline void
rec_write(void *at, const struct rionet_lane_tx *lane, uint32_t len, enum rionet_rec_type type)
{
	struct rionet_rec *rec = at;

	rec->seq = rte_cpu_to_le_32(lane->prod ^ lane->nonce);
	rec->info = rte_cpu_to_le_32(len | (uint32_t)type << RIONET_REC_TYPE_SHIFT);
	rec->flags = 0;
	rec->meta = 0;
}

static void
lane_mark(struct rionet_qp *qp, struct rionet_lane_tx *lane)
{
	if (lane->dirty)
		return;
	lane->dirty = true;
	qp->dirty[qp->nb_dirty++] = lane;
}

/* Units up to the end of the ring. */
static inline uint32_t
lane_to_end(const struct rionet_lane_tx *lane)
{
	return lane->units - (lane->prod & (lane->units - 1));
}

static inline uint32_t
lane_free(const struct rionet_lane_tx *lane)
{
	return lane->units - (lane->prod - lane->cons);
}

/* A block that begins where the last record ended, with room for `bytes`. */
static bool
block_begin(struct rionet_qp *qp, struct rionet_lane_tx *lane, uint32_t bytes, uint32_t room)
{
	uint32_t n = RTE_MIN(room, RTE_MAX(bytes, TX_BLOCK));
	void *p = rionet_qp_scratch(qp, n);

	if (p == NULL && n > bytes) {
		n = bytes;
		p = rionet_qp_scratch(qp, n);
	}
	if (p == NULL)
		return false;
	qp->block_base = qp->scratch_head - n;
	qp->lane = lane;
	qp->block = p;
	qp->block_len = 0;
	qp->block_room = n;
	return true;
}

/* Nothing fits up to the ring's end: say so, and begin anew. */
static bool
lane_wrap(struct rionet_qp *qp, struct rionet_lane_tx *lane)
{
	uint32_t units = lane_to_end(lane);

	if (!block_begin(qp, lane, RIONET_UNIT, RIONET_UNIT))
		return false;
	rec_write(qp->block, lane, 0, RIONET_REC_PAD);
	qp->lane = NULL;
	qp->block_room = 0;
	rionet_qp_put(qp, &lane->failed, lane->word,
		      lane->ring + (uint64_t)(lane->units - units) * RIONET_UNIT,
		      rionet_qp_iova(qp, qp->block), RIONET_UNIT, NULL);
	lane->prod += units;
	lane_mark(qp, lane);
	return true;
}

/*
 * Make room for a record of `units`: in the peer's ring, in scratch memory, in
 * the ring of descriptors.
 */
static __rte_noinline bool
block_open(struct rionet_qp *qp, struct rionet_lane_tx *lane, uint32_t units)
{
	uint32_t to_end, need = units;

	block_close(qp);
	if (qp->nb_dirty == RTE_DIM(qp->dirty) || rionet_qp_room(qp) < TX_SPARE_DESCS) {
		rionet_dma_flush(qp);
		rionet_qp_reap(qp);
		if (rionet_qp_room(qp) < TX_SPARE_DESCS)
			return false;
	}
	to_end = lane_to_end(lane);
	if (to_end < units)
		need += to_end;
	/* Half a block more than needed, or the news is worth a look. */
	if (lane_free(lane) < need + TX_BLOCK / RIONET_UNIT / 2 && !rionet_lane_feed(lane))
		return false;
	if (lane_free(lane) < need)
		return false;
	if (to_end < units) {
		if (!lane_wrap(qp, lane))
			return false;
		to_end = lane->units;
	}
	return block_begin(qp, lane, units * RIONET_UNIT,
			   RTE_MIN(to_end, lane_free(lane)) * RIONET_UNIT);
}

/* Where a record of `units` goes; NULL: no room now. */
static __rte_always_inline void *
record_room(struct rionet_qp *qp, struct rionet_lane_tx *lane, uint32_t units)
{
	if (unlikely(qp->lane != lane || qp->block_room < units * RIONET_UNIT) &&
	    !block_open(qp, lane, units))
		return NULL;
	return qp->block + qp->block_len;
}

static __rte_always_inline void
record_done(struct rionet_qp *qp, struct rionet_lane_tx *lane, uint32_t units)
{
	qp->block_len += units * RIONET_UNIT;
	qp->block_room -= units * RIONET_UNIT;
	lane->prod += units;
	if (!lane->dirty)
		lane_mark(qp, lane);
}

void
rionet_dma_flush(struct rionet_qp *qp)
{
	unsigned int i;

	block_close(qp);
	for (i = 0; i < qp->nb_dirty; i++) {
		struct rionet_lane_tx *lane = qp->dirty[i];
		uint64_t *word = rionet_qp_scratch(qp, sizeof(*word));

		if (unlikely(word == NULL))
			break;
		*word = rionet_word(lane->nonce, lane->prod);
		rionet_qp_put(qp, &lane->failed, lane->word, lane->line, rionet_qp_iova(qp, word),
			      sizeof(*word), NULL);
		lane->told = lane->prod;
		lane->dirty = false;
	}
	/* What could not be told now is told with the next. */
	memmove(qp->dirty, qp->dirty + i, (qp->nb_dirty - i) * sizeof(qp->dirty[0]));
	qp->nb_dirty -= i;
	rionet_qp_kick(qp);
	rionet_qp_done_flush(qp);
}

void
rionet_dma_drop_lane(struct rionet_qp *qp, struct rionet_lane_tx *lane)
{
	unsigned int i;

	if (qp->lane == lane)
		block_close(qp);
	for (i = 0; i < qp->nb_dirty; i++)
		if (qp->dirty[i] == lane)
			qp->dirty[i--] = qp->dirty[--qp->nb_dirty];
	lane->dirty = false;
}

/* ---- frames ---- */

static inline uint32_t
units_of(uint32_t bytes)
{
	return (bytes + 2 * RIONET_UNIT - 1) / RIONET_UNIT;
}

/* A frame in the record itself, from any number of segments. */
static __rte_noinline enum rionet_put
put_inline(struct rionet_qp *qp, struct rionet_lane_tx *lane, const struct rte_mbuf *m,
	   uint32_t len)
{
	uint32_t units = units_of(len), n;
	uint8_t *rec = record_room(qp, lane, units), *to;

	if (rec == NULL)
		return RIONET_PUT_FULL;
	rec_write(rec, lane, len, RIONET_REC_INLINE);
	for (to = rec + RIONET_UNIT; m != NULL && len != 0; m = m->next, to += n, len -= n) {
		n = RTE_MIN(m->data_len, len);
		rte_memcpy(to, rte_pktmbuf_mtod(m, void *), n);
	}
	memset(to, 0, len);
	record_done(qp, lane, units);
	return RIONET_PUT_TAKEN;
}

/* Take the names of n posted buffers. False: there is one that cannot be. */
static bool
bufs_take(struct rionet_lane_tx *lane, uint32_t *names, uint32_t n)
{
	uint64_t last = (lane->window_size - lane->buf_size) / RIONET_NAME_UNIT;
	uint32_t i;

	for (i = 0; i < n; i++) {
		const uint32_t *post = &lane->posts[(lane->post_head + i) & lane->post_mask];
		uint32_t name = __atomic_load_n(post, __ATOMIC_RELAXED);

		if (unlikely(rte_le_to_cpu_32(name) > last))
			return false;
		names[i] = name;
	}
	lane->post_head += n;
	return true;
}

/* Segments into buffers, a descriptor for each piece that is in one of both. */
static void
put_pieces(struct rionet_qp *qp, struct rionet_lane_tx *lane, struct rte_mbuf *head, uint32_t len,
	   const uint32_t *names)
{
	const struct rte_mbuf *m = head;
	uint32_t room = 0, off = 0, n;
	uint64_t to = 0;

	while (len != 0) {
		if (off == m->data_len) {
			m = m->next;
			off = 0;
			continue;
		}
		if (room == 0) {
			to = lane->window +
			     (uint64_t)rte_le_to_cpu_32(*names++) * RIONET_NAME_UNIT;
			room = lane->buf_size;
		}
		n = RTE_MIN(RTE_MIN(room, len), (uint32_t)m->data_len - off);
		len -= n;
		rionet_qp_put(qp, &lane->failed, lane->word, to, rte_mbuf_data_iova(m) + off, n,
			      len == 0 ? head : NULL);
		to += n;
		off += n;
		room -= n;
	}
}

/* Whether a frame is in memory that the device can read. */
static inline bool
tx_readable(const struct rte_mbuf *m)
{
	for (; m != NULL; m = m->next)
		if (RTE_MBUF_HAS_EXTBUF(m) && m->shinfo->free_cb != rionet_buf_free_cb)
			return false;
	return true;
}

/* Posted buffers for a frame, the descriptors for its pieces. */
static bool
bufs_ready(struct rionet_qp *qp, struct rionet_lane_tx *lane, const struct rte_mbuf *m,
	   uint32_t nb_bufs)
{
	/* Room for the record may take a flush, and another follows. */
	uint32_t descs = m->nb_segs + nb_bufs + 2 * TX_SPARE_DESCS;

	if (lane->post_tail - lane->post_head < nb_bufs &&
	    (!rionet_lane_feed(lane) || lane->post_tail - lane->post_head < nb_bufs))
		return false;
	if (rionet_qp_room(qp) >= descs)
		return true;
	rionet_dma_flush(qp);
	rionet_qp_reap(qp);
	return rionet_qp_room(qp) >= descs;
}

static __rte_noinline enum rionet_put
put_bufs(struct rionet_qp *qp, struct rionet_lane_tx *lane, struct rte_mbuf *m, uint32_t len,
	 bool *keep)
{
	uint32_t nb_bufs = (len + lane->buf_size - 1) / lane->buf_size;
	uint32_t units = units_of(nb_bufs * sizeof(uint32_t));
	struct rionet_rec *rec;

	if (!tx_readable(m) || !bufs_ready(qp, lane, m, nb_bufs))
		return put_inline(qp, lane, m, len);
	rec = record_room(qp, lane, units);
	if (rec == NULL)
		return RIONET_PUT_FULL;
	rec_write(rec, lane, len, RIONET_REC_BUFS);
	if (unlikely(!bufs_take(lane, (uint32_t *)(rec + 1), nb_bufs))) {
		lane_bad(lane);
		return RIONET_PUT_CLOSED;
	}
	put_pieces(qp, lane, m, len, (const uint32_t *)(rec + 1));
	record_done(qp, lane, units);
	*keep = true;
	return RIONET_PUT_TAKEN;
}

static __rte_noinline enum rionet_put
put_full(struct rionet_lane_tx *lane)
{
	lane->full = true;
	if (!lane->open)
		return RIONET_PUT_CLOSED;
	return lane->stalled ? RIONET_PUT_STALLED : RIONET_PUT_FULL;
}

static __rte_always_inline void
copy_small(uint8_t *to, const uint8_t *from, uint32_t len)
{
	rte_memcpy(to, from, len);
}

/* Messages to the peer come first, as they were first. */
static __rte_noinline bool
lane_waits(struct rionet_txq *txq, struct rionet_lane_tx *lane)
{
	if (txq->omsg != NULL && rionet_txq_in_flight(txq) != 0)
		rionet_tx_reap(txq);
	lane->fresh = txq->omsg != NULL && rionet_txq_in_flight(txq) != 0;
	return lane->fresh;
}

enum rionet_put
rionet_dma_put(struct rionet_txq *txq, struct rionet_lane_tx *lane, struct rte_mbuf *m,
	       uint32_t len)
{
	struct rionet_qp *qp = txq->qp;
	enum rionet_put ret;
	bool keep = false;
	uint32_t units;
	uint8_t *rec;

	if (unlikely(lane->fresh) && lane_waits(txq, lane))
		return RIONET_PUT_FULL;
	if (likely(len <= RIONET_COPYBREAK && m->nb_segs == 1)) {
		units = units_of(len);
		rec = record_room(qp, lane, units);
		if (unlikely(rec == NULL))
			return put_full(lane);
		rec_write(rec, lane, len, RIONET_REC_INLINE);
		copy_small(rec + RIONET_UNIT, rte_pktmbuf_mtod(m, const uint8_t *), len);
		record_done(qp, lane, units);
	} else {
		if (len > RIONET_COPYBREAK)
			ret = put_bufs(qp, lane, m, len, &keep);
		else
			ret = put_inline(qp, lane, m, len);
		if (unlikely(ret != RIONET_PUT_TAKEN))
			return put_full(lane);
	}
	lane->stats.packets++;
	lane->stats.bytes += len;
	if (!keep)
		rionet_qp_done(qp, m);
	return RIONET_PUT_TAKEN;
}

bool
rionet_dma_ready(struct rionet_txq *txq, struct rionet_lane_tx *lane, uint32_t len)
{
	uint32_t need = units_of(len);

	if (len > lane->max_frame || !lane->open || lane->stalled)
		return true;
	if (lane->fresh && lane_waits(txq, lane))
		return false;
	if (lane_to_end(lane) < need)
		need += lane_to_end(lane);
	if (lane_free(lane) >= need)
		return true;
	if (!rionet_lane_feed(lane))
		return true;
	lane->full = lane_free(lane) < need;
	return !lane->full;
}

bool
rionet_dma_copy(struct rionet_txq *txq, struct rionet_lane_tx *lane, const struct rte_mbuf *m,
		uint32_t len)
{
	if (len > lane->max_frame || !lane->open)
		return false;
	if (put_inline(txq->qp, lane, m, len) != RIONET_PUT_TAKEN)
		return false;
	lane->stats.packets++;
	lane->stats.bytes += len;
	return true;
}
