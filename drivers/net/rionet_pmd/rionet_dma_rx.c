/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Receiving by DMA. A lane's producer line is looked at; what it tells of is read
 * from the ring, each word once, and checked before it is used. Small frames are
 * copied, large ones lie in buffers that mbufs are attached to.
 */

#include <rte_ethdev.h>
#include <ethdev_driver.h>
#include <rte_malloc.h>
#include <rte_memcpy.h>
#include <rte_prefetch.h>

#include <tsi721_bdma.h>

#include "rionet_dma.h"
#include "rionet_msg.h"
#include "rionet_peer_stats.h"
#include "rionet_port.h"
#include "rionet_rx.h"

/* Polls without news after which the peer is told of what is left untold. */
#define RX_IDLE_POLLS	64u
/* Buffers are posted in lots of at least this many, while there are so many. */
#define RX_POST_LOT	32u

/* What a record led to. */
enum rx_result {
	RX_FRAME,
	RX_DROPPED,		/* counted */
	RX_NO_MBUF,		/* stays where it is */
	RX_BAD,			/* the peer broke the protocol */
};

/* ---- what the peer is told ---- */

/* Put free buffers' names behind those posted before. Under the pair's lock. */
static uint32_t
feed_posts(struct rionet_qp *qp, struct rionet_lane_rx *lane)
{
	struct rionet_bufs *bufs = lane->bufs;
	uint32_t room, at, n, i, *names;

	if (bufs == NULL)
		return 0;
	room = lane->post_mask + 1 - bufs->nb_posted;
	at = lane->nb_posted & lane->post_mask;
	n = RTE_MIN(RTE_MIN(bufs->nb_free, room), lane->post_mask + 1 - at);
	names = n != 0 ? rionet_qp_scratch(qp, n * sizeof(*names)) : NULL;
	if (names == NULL)
		return 0;
	for (i = 0; i < n; i++) {
		struct rionet_buf *buf = bufs->free[--bufs->nb_free];

		buf->state = RIONET_BUF_POSTED;
		names[i] = rte_cpu_to_le_32(buf->name);
	}
	bufs->nb_posted += n;
	rionet_qp_put(qp, &lane->failed, lane->word, lane->feed + RIONET_FEED_POSTS + at * sizeof(*names),
		      rionet_qp_iova(qp, names), n * sizeof(*names), NULL);
	lane->nb_posted += n;
	return n;
}

bool
rionet_dma_feed(struct rionet_qp *qp, struct rionet_lane_rx *lane, bool answered)
{
	struct rionet_feed *feed;

	if (rionet_qp_room(qp) < 8)
		rionet_qp_reap(qp);
	if (rionet_qp_room(qp) < 8)
		return false;
	feed_posts(qp, lane);
	feed = rionet_qp_scratch(qp, sizeof(*feed));
	if (feed == NULL)
		return false;
	feed->cons = rionet_word(lane->feed_nonce, lane->cons);
	feed->posts = rionet_word(lane->feed_nonce, lane->nb_posted);
	feed->beat = rionet_word(lane->feed_nonce, lane->beat);
	rionet_qp_put(qp, &lane->failed, answered ? lane->word_answered : lane->word,
		      lane->feed + RIONET_FEED_LINE, rionet_qp_iova(qp, feed), sizeof(*feed),
		      NULL);
	rionet_qp_kick(qp);
	lane->reported = lane->cons;
	lane->posts_reported = lane->nb_posted;
	lane->idle = 0;
	return true;
}

/* Whether it is time to tell the peer, and telling it. */
static void
lane_report(struct rionet_rxq *rxq, struct rionet_lane_rx *lane, bool news)
{
	struct rionet_qp *qp = rxq->qp;
	uint32_t unread = lane->cons - lane->reported;
	bool now = unread >= lane->units / 8;

	if (lane->bufs != NULL) {
		uint32_t nb = lane->bufs->nb - lane->bufs->nb_posted;

		if (nb >= RX_POST_LOT && rionet_bufs_collect(lane->bufs) >= RX_POST_LOT)
			now = true;
	}
	if (!now && !news && (unread != 0 || (lane->bufs != NULL && lane->bufs->nb_free != 0)))
		now = ++lane->idle >= RX_IDLE_POLLS;
	lane->owes = unread != 0 || (lane->bufs != NULL && lane->bufs->nb_posted != lane->bufs->nb);
	if (!now || lane->feed == 0 || lane->failed || !rte_spinlock_trylock(&qp->lock))
		return;
	rionet_dma_feed(qp, lane, false);
	rte_spinlock_unlock(&qp->lock);
}

/* ---- frames ---- */

static inline struct rte_mbuf *
rx_take(struct rionet_rxq *rxq)
{
	if (unlikely(rxq->nb_spare == 0)) {
		rxq->nb_spare = rionet_rx_alloc(rxq, rxq->spare, RTE_DIM(rxq->spare));
		if (rxq->nb_spare == 0)
			return NULL;
	}
	return rxq->spare[--rxq->nb_spare];
}

/* Whether the port takes a frame that begins at `head`. */
static __rte_always_inline bool
rx_wants(struct rionet_rxq *rxq, const struct rionet_lane_rx *lane, const uint8_t *head,
	 uint32_t len)
{
	if (unlikely(len > rxq->port->max_dma_rx)) {
		rxq->stats.oversize++;
		return false;
	}
	return rionet_rx_wants(rxq, head, lane->src);
}

static __rte_always_inline enum rx_result
rx_inline(struct rionet_rxq *rxq, struct rionet_lane_rx *lane, const uint8_t *data, uint32_t len,
	  struct rte_mbuf **out)
{
	struct rte_mbuf *m;
	uint32_t n = RTE_MIN(len, (uint32_t)rxq->room);

	if (unlikely(!rx_wants(rxq, lane, data, len)))
		return RX_DROPPED;
	m = rx_take(rxq);
	if (unlikely(m == NULL))
		return RX_NO_MBUF;
	rionet_rx_mbuf_init(rxq, m);
	m->pkt_len = len;
	m->data_len = n;
	rte_memcpy(rte_pktmbuf_mtod(m, void *), data, n);
	if (unlikely(n != len) && !rionet_rx_chain(rxq, m, data + n, len - n)) {
		rxq->spare[rxq->nb_spare++] = m;
		return RX_NO_MBUF;
	}
	*out = m;
	return RX_FRAME;
}

/* An mbuf for a buffer: attached, or with a copy. */
static inline void
buf_to_mbuf(struct rionet_rxq *rxq, struct rionet_lane_rx *lane, struct rionet_buf *buf,
	    struct rte_mbuf *m, uint32_t len, bool attach)
{
	const struct rionet_region *region = lane->bufs->region;

	rionet_rx_mbuf_init(rxq, m);
	if (attach) {
		uint8_t *base = buf->data - RIONET_BUF_HEADROOM;

		rte_mbuf_ext_refcnt_set(&buf->shinfo, 1);
		rte_pktmbuf_attach_extbuf(m, base, region->iova + (uint64_t)(base - region->va),
					  RIONET_BUF_STRIDE, &buf->shinfo);
		m->data_off = RIONET_BUF_HEADROOM;
		buf->state = RIONET_BUF_ATTACHED;
	} else {
		rte_memcpy(rte_pktmbuf_mtod(m, void *), buf->data, len);
		buf->state = RIONET_BUF_FREE;
		lane->bufs->free[lane->bufs->nb_free++] = buf;
	}
	lane->bufs->nb_posted--;
	m->data_len = len;
}

/* Names in a record, checked: each once, and posted. False: they are not. */
static bool
names_check(const struct rionet_lane_rx *lane, const uint32_t *names, uint32_t n,
	    struct rionet_buf **buf)
{
	uint32_t i, k;

	for (i = 0; i < n; i++) {
		uint32_t name = rte_le_to_cpu_32(__atomic_load_n(&names[i], __ATOMIC_RELAXED));

		buf[i] = rionet_bufs_posted(lane->bufs, name);
		if (buf[i] == NULL)
			goto bad;
		/* A second one of the same name finds it taken. */
		buf[i]->state = RIONET_BUF_FREE;
	}
	for (k = 0; k < n; k++)
		buf[k]->state = RIONET_BUF_POSTED;
	return true;
bad:
	for (k = 0; k < i; k++)
		buf[k]->state = RIONET_BUF_POSTED;
	return false;
}

/* The buffers go back unused. */
static void
bufs_back(struct rionet_lane_rx *lane, struct rionet_buf **buf, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		buf[i]->state = RIONET_BUF_FREE;
		lane->bufs->free[lane->bufs->nb_free++] = buf[i];
	}
	lane->bufs->nb_posted -= n;
}

#define RX_BUFS_MAX	((RIONET_DMA_FRAME_MAX + RIONET_BUF_SIZE - 1) / RIONET_BUF_SIZE)

/* Whether buffers may go to the application rather than back to the peer. */
static inline bool
rx_attaches(const struct rionet_rxq *rxq, const struct rionet_lane_rx *lane, uint32_t n)
{
	switch (rxq->port->args.rx) {
	case RIONET_RX_COPY:
		return false;
	case RIONET_RX_ZC:
		return true;
	default:
		return lane->bufs->nb_posted + lane->bufs->nb_free - n >= lane->bufs->nb / 4;
	}
}

static enum rx_result
rx_chain_bufs(struct rionet_rxq *rxq, struct rionet_lane_rx *lane, struct rionet_buf **buf,
	      uint32_t nb, uint32_t len, bool attach, struct rte_mbuf **out)
{
	struct rte_mbuf *m[RX_BUFS_MAX];
	uint32_t i, n;

	for (i = 0; i < nb; i++) {
		m[i] = rx_take(rxq);
		if (unlikely(m[i] == NULL)) {
			rte_mempool_put_bulk(rxq->pool, (void **)m, i);
			return RX_NO_MBUF;
		}
	}
	m[0]->pkt_len = len;
	for (i = 0; i < nb; i++) {
		n = RTE_MIN(len, RIONET_BUF_SIZE);
		buf_to_mbuf(rxq, lane, buf[i], m[i], n, attach);
		len -= n;
		if (i != 0)
			m[i - 1]->next = m[i];
	}
	m[0]->nb_segs = nb;
	*out = m[0];
	return RX_FRAME;
}

/* Buffers into mbufs of another size. */
static enum rx_result
rx_copy_bufs(struct rionet_rxq *rxq, struct rionet_lane_rx *lane, struct rionet_buf **buf,
	     uint32_t nb, uint32_t len, struct rte_mbuf **out)
{
	struct rte_mbuf *head = rx_take(rxq), *m = head;
	uint32_t left = len, at = 0, i = 0, n, put = 0;

	if (head == NULL)
		return RX_NO_MBUF;
	rionet_rx_mbuf_init(rxq, head);
	head->pkt_len = len;
	head->data_len = 0;
	while (left != 0) {
		if (put == rxq->room) {
			m->next = rx_take(rxq);
			if (m->next == NULL) {
				rte_pktmbuf_free(head);
				return RX_NO_MBUF;
			}
			m = m->next;
			rionet_rx_mbuf_init(rxq, m);
			m->data_len = 0;
			head->nb_segs++;
			put = 0;
		}
		n = RTE_MIN(RTE_MIN(left, (uint32_t)rxq->room - put), RIONET_BUF_SIZE - at);
		memcpy(rte_pktmbuf_mtod_offset(m, void *, put), buf[i]->data + at, n);
		m->data_len += n;
		put += n;
		at += n;
		left -= n;
		if (at == RIONET_BUF_SIZE) {
			at = 0;
			i++;
		}
	}
	bufs_back(lane, buf, nb);
	*out = head;
	return RX_FRAME;
}

static enum rx_result
rx_bufs(struct rionet_rxq *rxq, struct rionet_lane_rx *lane, const uint32_t *names, uint32_t nb,
	uint32_t len, struct rte_mbuf **out)
{
	struct rionet_buf *buf[RX_BUFS_MAX];

	if (unlikely(lane->bufs == NULL || !names_check(lane, names, nb, buf)))
		return RX_BAD;
	rte_prefetch0(buf[0]->data);
	if (unlikely(!rx_wants(rxq, lane, buf[0]->data, len))) {
		bufs_back(lane, buf, nb);
		return RX_DROPPED;
	}
	if (rx_attaches(rxq, lane, nb))
		return rx_chain_bufs(rxq, lane, buf, nb, len, true, out);
	return rx_copy_bufs(rxq, lane, buf, nb, len, out);
}

/* ---- records ---- */

/* A record at the lane's place, of at most `avail` units; *units: how long it is. */
static __rte_always_inline enum rx_result
rx_record(struct rionet_rxq *rxq, struct rionet_lane_rx *lane, uint32_t avail, uint32_t *units,
	  struct rte_mbuf **out)
{
	uint32_t at = lane->cons & (lane->units - 1), to_end = lane->units - at, len, nb;
	const uint8_t *rec = lane->ring + (size_t)at * RIONET_UNIT;
	uint64_t head = rte_le_to_cpu_64(__atomic_load_n((const uint64_t *)rec, __ATOMIC_RELAXED));
	uint32_t info = (uint32_t)(head >> 32);

	if (unlikely((uint32_t)head != (lane->cons ^ lane->nonce)))
		return RX_BAD;
	len = info & RIONET_REC_LEN;
	if (likely(info >> RIONET_REC_TYPE_SHIFT == RIONET_REC_INLINE)) {
		*units = (len + 2 * RIONET_UNIT - 1) / RIONET_UNIT;
		if (unlikely(*units > avail || *units > to_end || len < RTE_ETHER_HDR_LEN ||
			     len > RIONET_DMA_FRAME_MAX))
			return RX_BAD;
		if (unlikely(len > RIONET_COPYBREAK))
			lane->wants_bufs = true;
		return rx_inline(rxq, lane, rec + RIONET_UNIT, len, out);
	}
	if (info >> RIONET_REC_TYPE_SHIFT == RIONET_REC_BUFS) {
		nb = (len + RIONET_BUF_SIZE - 1) / RIONET_BUF_SIZE;
		*units = (nb * sizeof(uint32_t) + 2 * RIONET_UNIT - 1) / RIONET_UNIT;
		if (*units > avail || *units > to_end || len < RTE_ETHER_HDR_LEN ||
		    len > RIONET_DMA_FRAME_MAX)
			return RX_BAD;
		return rx_bufs(rxq, lane, (const uint32_t *)(rec + RIONET_UNIT), nb, len, out);
	}
	if (info != (uint32_t)RIONET_REC_PAD << RIONET_REC_TYPE_SHIFT || to_end > avail)
		return RX_BAD;
	*units = to_end;
	return RX_DROPPED;
}

static __rte_noinline void
lane_bad(struct rionet_lane_rx *lane)
{
	lane->open = false;
	__atomic_store_n(&lane->bad, true, __ATOMIC_RELAXED);
}

void
rionet_lane_get_bufs(struct rionet_lane_rx *lane, struct rionet_region *region, int socket_id)
{
	uint32_t nb;

	lane->wants_bufs = false;
	if (lane->bufs != NULL || lane->no_bufs)
		return;
	for (nb = RIONET_LANE_BUFS; nb >= RIONET_LANE_BUFS_MIN && lane->bufs == NULL; nb /= 2)
		lane->bufs = rionet_bufs_create(region, nb, socket_id);
	lane->no_bufs = lane->bufs == NULL;
}

static uint16_t
lane_rx(struct rionet_rxq *rxq, struct rionet_lane_rx *lane, uint64_t line, struct rte_mbuf **bufs,
	uint16_t nb)
{
	uint32_t prod = (uint32_t)line, units = 0;
	struct rionet_peer_count *count;
	uint64_t bytes = 0;
	uint16_t n = 0;

	/* Of a former session: what was on its way when this one began. */
	if (unlikely(line >> 32 != lane->nonce)) {
		lane->seen = line;
		return 0;
	}
	if (unlikely(prod - lane->cons > lane->units)) {
		lane_bad(lane);
		return 0;
	}
	while (n < nb && lane->cons != prod) {
		enum rx_result res = rx_record(rxq, lane, prod - lane->cons, &units, &bufs[n]);

		if (likely(res == RX_FRAME)) {
			bytes += bufs[n]->pkt_len;
			n++;
		} else if (res == RX_NO_MBUF) {
			break;
		} else if (res == RX_BAD) {
			lane_bad(lane);
			break;
		}
		lane->cons += units;
	}
	if (lane->cons == prod)
		lane->seen = line;
	if (unlikely(lane->wants_bufs))
		rionet_lane_get_bufs(lane, rxq->port->dma->region, rxq->socket_id);
	count = rionet_peer_count(rxq->by_peer, rxq->port->peers, lane->src);
	count->packets += n;
	count->bytes += bytes;
	rxq->stats.packets += n;
	rxq->stats.bytes += bytes;
	return n;
}

/* Whether a lane's first records wait for messages that came before them. */
static bool
lane_waits(struct rionet_rxq *rxq, struct rionet_lane_rx *lane)
{
	if (rxq->imsg != NULL && rionet_rxq_ready(rxq, 1) != 0)
		return true;
	lane->fresh = false;
	return false;
}

uint16_t
rionet_dma_rx(struct rionet_rxq *rxq, struct rte_mbuf **bufs, uint16_t nb)
{
	struct rionet_qp *qp = rxq->qp;
	uint16_t n = 0, got;
	unsigned int i, at;

	if (qp->nb_lanes == 0)
		return 0;
	rte_spinlock_lock(&qp->rx_lock);
	at = qp->next_lane < qp->nb_lanes ? qp->next_lane : 0;
	for (i = 0; i < qp->nb_lanes; i++) {
		struct rionet_lane_rx *lane = qp->lanes[at];
		uint64_t line = rte_le_to_cpu_64(__atomic_load_n(lane->line, __ATOMIC_ACQUIRE));

		at = at + 1 == qp->nb_lanes ? 0 : at + 1;
		if (line == lane->seen) {
			if (lane->owes)
				lane_report(rxq, lane, false);
			continue;
		}
		if (unlikely(!lane->open))
			continue;
		if (unlikely(lane->fresh) && lane_waits(rxq, lane))
			continue;
		got = lane_rx(rxq, lane, line, bufs + n, nb - n);
		lane_report(rxq, lane, got != 0);
		n += got;
		if (n == nb)
			break;
	}
	qp->next_lane = at;
	rte_spinlock_unlock(&qp->rx_lock);
	/* What failed holds up all behind it, until somebody looks. */
	if (n == 0 && __atomic_load_n(&qp->put, __ATOMIC_RELAXED) != qp->ended &&
	    rte_spinlock_trylock(&qp->lock)) {
		rionet_qp_reap(qp);
		rte_spinlock_unlock(&qp->lock);
	}
	return n;
}

uint16_t
rionet_dma_rx_old(struct rionet_rxq *rxq, struct rte_mbuf **bufs, uint16_t nb)
{
	struct rionet_qp *qp = rxq->qp;
	unsigned int i;
	uint16_t n = 0;

	rte_spinlock_lock(&qp->rx_lock);
	for (i = 0; i < qp->nb_lanes && n < nb; i++) {
		struct rionet_lane_rx *lane = qp->lanes[i];
		uint64_t line = (uint64_t)lane->nonce << 32 | lane->old_end;

		if (!lane->old)
			continue;
		if (lane->open)
			n += lane_rx(rxq, lane, line, bufs + n, nb - n);
		if (lane->open && lane->cons != lane->old_end)
			continue;
		lane->old = false;
		__atomic_store_n(&qp->nb_old, qp->nb_old - 1, __ATOMIC_RELAXED);
	}
	rte_spinlock_unlock(&qp->rx_lock);
	return n;
}

/* Records of a lane, as far as they make sense; nothing is taken. */
static unsigned int
lane_count(const struct rionet_lane_rx *lane, unsigned int max)
{
	uint64_t line = rte_le_to_cpu_64(__atomic_load_n(lane->line, __ATOMIC_ACQUIRE));
	uint32_t cons = lane->cons, prod = (uint32_t)line;
	unsigned int n = 0;

	if (!lane->open || line >> 32 != lane->nonce || prod - cons > lane->units)
		return 0;
	while (cons != prod && n < max) {
		uint32_t at = cons & (lane->units - 1), len, units;
		const uint64_t *rec = (const uint64_t *)(lane->ring + (size_t)at * RIONET_UNIT);
		uint64_t head = rte_le_to_cpu_64(__atomic_load_n(rec, __ATOMIC_RELAXED));
		uint32_t type = (uint32_t)(head >> (32 + RIONET_REC_TYPE_SHIFT));

		len = (uint32_t)(head >> 32) & RIONET_REC_LEN;
		if (type == RIONET_REC_BUFS)
			len = (len + RIONET_BUF_SIZE - 1) / RIONET_BUF_SIZE * sizeof(uint32_t);
		units = type == RIONET_REC_PAD ? lane->units - at :
						 (len + 2 * RIONET_UNIT - 1) / RIONET_UNIT;
		if ((uint32_t)head != (cons ^ lane->nonce) || units > prod - cons)
			break;
		n += type != RIONET_REC_PAD;
		cons += units;
	}
	return n;
}

unsigned int
rionet_lane_unread(const struct rionet_lane_rx *lane)
{
	return lane_count(lane, lane->units);
}

unsigned int
rionet_dma_ready_count(struct rionet_rxq *rxq, unsigned int max)
{
	struct rionet_qp *qp = rxq->qp;
	unsigned int i, n = 0;

	if (qp == NULL || !rxq->running)
		return 0;
	rte_spinlock_lock(&qp->rx_lock);
	for (i = 0; i < qp->nb_lanes && n < max; i++)
		n += lane_count(qp->lanes[i], max - n);
	rte_spinlock_unlock(&qp->rx_lock);
	return n;
}
