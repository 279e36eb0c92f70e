/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * What a port has for one peer that it exchanges frames with by DMA: lanes in both
 * directions, and the memory that the peer writes to. That memory stays the
 * peer's until the port stops, so that what an earlier life of it still
 * writes hits no one else.
 */

#include <errno.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <ethdev_driver.h>
#include <rte_malloc.h>

#include <tsi721_bdma.h>
#include <tsi721_device.h>
#include <tsi721_regs.h>

#include "rionet_ctl.h"
#include "rionet_msg.h"
#include "rionet_port.h"

/* A full lane whose peer reads nothing for so long drops frames. */
#define STALL_MS	1000u

static struct rionet_lane_tx *
lane_tx(const struct rionet_dma_peer *peer, unsigned int tx, unsigned int rx)
{
	return &peer->tx[tx * RIONET_DMA_QUEUES_MAX + rx];
}

static struct rionet_lane_rx *
lane_rx(const struct rionet_dma_peer *peer, unsigned int rx, unsigned int tx)
{
	return &peer->rx[rx * RIONET_DMA_QUEUES_MAX + tx];
}

/* Keeps bursts out. */
static void
lock_all(struct rionet_dma *dma)
{
	unsigned int i;

	for (i = 0; i < dma->nb_qp; i++)
		rte_spinlock_lock(&dma->qp[i].rx_lock);
	for (i = 0; i < dma->nb_qp; i++)
		rte_spinlock_lock(&dma->qp[i].lock);
}

static void
unlock_all(struct rionet_dma *dma)
{
	unsigned int i;

	for (i = 0; i < dma->nb_qp; i++)
		rte_spinlock_unlock(&dma->qp[i].lock);
	for (i = 0; i < dma->nb_qp; i++)
		rte_spinlock_unlock(&dma->qp[i].rx_lock);
}

struct rionet_dma_peer *
rionet_dma_peer_create(struct rionet_dma *dma, uint16_t destid)
{
	int socket_id = dma->port->data->numa_node;
	struct rionet_dma_peer *peer;

	peer = rte_zmalloc_socket("rionet_peer", sizeof(*peer), 0, socket_id);
	if (peer == NULL)
		return NULL;
	peer->destid = destid;
	peer->tx = rte_zmalloc_socket("rionet_lanes", RIONET_LANES_MAX * sizeof(*peer->tx),
				      RTE_CACHE_LINE_SIZE, socket_id);
	peer->rx = rte_zmalloc_socket("rionet_lanes", RIONET_LANES_MAX * sizeof(*peer->rx),
				      RTE_CACHE_LINE_SIZE, socket_id);
	if (peer->tx == NULL || peer->rx == NULL) {
		rionet_dma_peer_free(peer);
		return NULL;
	}
	return peer;
}

void
rionet_dma_peer_free(struct rionet_dma_peer *peer)
{
	unsigned int i;

	if (peer == NULL)
		return;
	for (i = 0; peer->rx != NULL && i < RIONET_LANES_MAX; i++)
		rionet_bufs_free(peer->rx[i].bufs);
	rte_free(peer->rx);
	rte_free(peer->tx);
	rte_free(peer);
}

/* ---- receive lanes ---- */

static void
lane_rx_open(struct rionet_dma *dma, struct rionet_dma_peer *peer, unsigned int rx,
	     unsigned int tx)
{
	struct rionet_lane_rx *lane = lane_rx(peer, rx, tx);
	uint8_t *mem = peer->lanes + (size_t)(rx * peer->nb_tx + tx) * RIONET_LANE_BYTES;
	struct rionet_qp *qp = &dma->qp[rx];
	struct rionet_bufs *bufs = lane->bufs;

	memset(mem, 0, RIONET_LANE_RING);
	if (bufs != NULL)
		rionet_bufs_unpost(bufs);
	*lane = (struct rionet_lane_rx){
		.line = (const uint64_t *)(mem + RIONET_LANE_PROD),
		.ring = mem + RIONET_LANE_RING,
		.units = RIONET_RING_SIZE / RIONET_UNIT,
		.nonce = peer->nonce,
		.open = true,
		.fresh = true,
		.queue = rx,
		.src = peer->destid,
		.bufs = bufs,
		.peer = peer,
	};
	if (dma->port->max_dma_rx > RIONET_BUF_SIZE)
		rionet_lane_get_bufs(lane, dma->region, dma->port->data->numa_node);
	qp->lanes[qp->nb_lanes++] = lane;
}

static void
lane_rx_remove(struct rionet_qp *qp, struct rionet_lane_rx *lane)
{
	unsigned int i;

	lane->open = false;
	if (lane->old)
		__atomic_store_n(&qp->nb_old, qp->nb_old - 1, __ATOMIC_RELAXED);
	lane->old = false;
	lane->bad = false;
	lane->failed = false;
	for (i = 0; i < qp->nb_lanes; i++)
		if (qp->lanes[i] == lane)
			qp->lanes[i--] = qp->lanes[--qp->nb_lanes];
}

static void
lanes_rx_remove(struct rionet_dma *dma, struct rionet_dma_peer *peer)
{
	struct rionet_rxq *rxq = dma->port->rxq;
	struct rionet_lane_rx *lane;
	unsigned int rx, tx;

	for (rx = 0; rx < dma->nb_rx; rx++)
		for (tx = 0; tx < RIONET_DMA_QUEUES_MAX; tx++) {
			lane = lane_rx(peer, rx, tx);
			/* What was not read before another session begins is lost. */
			if (lane->open && rxq != NULL)
				rxq->stats.discarded += rionet_lane_unread(lane);
			lane_rx_remove(&dma->qp[rx], lane);
		}
}

/* Memory that only ever grows: a peer comes back with other numbers of queues. */
static int
peer_memory(struct rionet_dma *dma, uint8_t **mem, uint32_t *max, uint32_t nb, size_t bytes)
{
	uint8_t *p;

	if (nb <= *max)
		return 0;
	p = rionet_region_alloc(dma->region, nb * bytes);
	if (p == NULL)
		return -ENOSPC;
	*mem = p;
	*max = nb;
	return 0;
}

int
rionet_dma_peer_offer(struct rionet_dma *dma, struct rionet_dma_peer *peer, unsigned int nb_tx,
		      unsigned int nb_rx)
{
	unsigned int rx, tx;

	if (peer_memory(dma, &peer->lanes, &peer->lanes_max, dma->nb_rx * nb_tx,
			RIONET_LANE_BYTES) != 0 ||
	    peer_memory(dma, &peer->feeds, &peer->feeds_max, dma->nb_tx * nb_rx,
			RIONET_FEED_BYTES) != 0)
		return -ENOSPC;
	lock_all(dma);
	lanes_rx_remove(dma, peer);
	peer->nb_tx = nb_tx;
	peer->nb_rx = nb_rx;
	for (rx = 0; rx < dma->nb_rx; rx++)
		for (tx = 0; tx < nb_tx; tx++)
			lane_rx_open(dma, peer, rx, tx);
	for (tx = 0; tx < dma->nb_tx * nb_rx; tx++)
		memset(peer->feeds + (size_t)tx * RIONET_FEED_BYTES, 0, RIONET_FEED_POSTS);
	unlock_all(dma);
	return 0;
}

/* ---- transmit lanes ---- */

static void
lane_tx_connect(struct rionet_dma *dma, struct rionet_dma_peer *peer,
		const struct rionet_setup *s, unsigned int tx, unsigned int rx)
{
	uint64_t at = s->window + s->lanes + (uint64_t)s->lane_stride * (rx * dma->nb_tx + tx);
	const uint8_t *feed = peer->feeds + (size_t)(tx * peer->nb_rx + rx) * RIONET_FEED_BYTES;
	const struct tsi721_bdma *bdma = dma->qp[tx].bdma;
	struct rionet_lane_tx *lane = lane_tx(peer, tx, rx);
	struct rionet_lane_tx_stats stats = lane->stats;

	*lane = (struct rionet_lane_tx){
		.word = tsi721_bdma_word(bdma, TSI721_RTYPE_ALL_NWRITE, 0, peer->destid),
		.word_answered = tsi721_bdma_word(bdma, TSI721_RTYPE_ALL_NWRITE_R, 0,
						  peer->destid),
		.nonce = peer->peer_nonce,
		.own_nonce = peer->nonce,
		.units = s->ring_size / RIONET_UNIT,
		.post_mask = RIONET_POSTS - 1,
		.buf_size = s->buf_size,
		.max_frame = s->max_frame,
		.ring = at + RIONET_LANE_RING,
		.line = at + RIONET_LANE_PROD,
		.window = s->window,
		.window_size = s->window_size,
		.feed = (const struct rionet_feed *)(feed + RIONET_FEED_LINE),
		.posts = (const uint32_t *)(feed + RIONET_FEED_POSTS),
		.peer = peer,
		.fresh = true,
		.stats = stats,
	};
}

static void
lane_rx_connect(struct rionet_dma *dma, struct rionet_dma_peer *peer,
		const struct rionet_setup *s, unsigned int rx, unsigned int tx)
{
	struct rionet_lane_rx *lane = lane_rx(peer, rx, tx);
	const struct tsi721_bdma *bdma = dma->qp[rx].bdma;

	lane->word = tsi721_bdma_word(bdma, TSI721_RTYPE_ALL_NWRITE, 0, peer->destid);
	lane->word_answered = tsi721_bdma_word(bdma, TSI721_RTYPE_ALL_NWRITE_R, 0, peer->destid);
	lane->feed_nonce = peer->peer_nonce;
	lane->post_mask = s->nb_posts - 1;
	lane->feed = s->window + s->feeds + (uint64_t)s->feed_stride * (tx * dma->nb_rx + rx);
}

void
rionet_dma_peer_connect(struct rionet_dma *dma, struct rionet_dma_peer *peer,
			const struct rionet_setup *s)
{
	unsigned int rx, tx;

	lock_all(dma);
	for (tx = 0; tx < dma->nb_tx; tx++)
		for (rx = 0; rx < peer->nb_rx; rx++)
			lane_tx_connect(dma, peer, s, tx, rx);
	for (rx = 0; rx < dma->nb_rx; rx++)
		for (tx = 0; tx < peer->nb_tx; tx++)
			lane_rx_connect(dma, peer, s, rx, tx);
	unlock_all(dma);
}

void
rionet_dma_peer_open(struct rionet_dma *dma, struct rionet_dma_peer *peer)
{
	unsigned int rx, tx;

	lock_all(dma);
	for (tx = 0; tx < dma->nb_tx; tx++)
		for (rx = 0; rx < peer->nb_rx; rx++)
			lane_tx(peer, tx, rx)->open = true;
	/* Buffers that are there go to the peer before its first frame. */
	for (rx = 0; rx < dma->nb_rx; rx++)
		for (tx = 0; tx < peer->nb_tx; tx++)
			rionet_dma_feed(&dma->qp[rx], lane_rx(peer, rx, tx), false);
	peer->beat_tsc = rte_get_tsc_cycles();
	__atomic_store_n(&peer->state, RIONET_DMA_OPEN, __ATOMIC_RELEASE);
	unlock_all(dma);
}

/*
 * What has come in a session is older than messages that come after its end. But a lane that
 * was not looked at yet waits for messages itself.
 */
static void
lane_rx_ended(struct rionet_qp *qp, struct rionet_lane_rx *lane)
{
	uint64_t line;
	uint32_t prod;

	lane->feed = 0;
	if (!lane->open || lane->fresh || lane->old)
		return;
	line = rte_le_to_cpu_64(__atomic_load_n(lane->line, __ATOMIC_ACQUIRE));
	prod = (uint32_t)line;
	if (line >> 32 != lane->nonce || prod == lane->cons || prod - lane->cons > lane->units)
		return;
	lane->old = true;
	lane->old_end = prod;
	__atomic_store_n(&qp->nb_old, qp->nb_old + 1, __ATOMIC_RELAXED);
}

void
rionet_dma_peer_close(struct rionet_dma *dma, struct rionet_dma_peer *peer, bool with_rx)
{
	unsigned int rx, tx;

	lock_all(dma);
	__atomic_store_n(&peer->state, RIONET_DMA_NONE, __ATOMIC_RELEASE);
	for (tx = 0; tx < dma->nb_tx; tx++)
		for (rx = 0; rx < RIONET_DMA_QUEUES_MAX; rx++) {
			struct rionet_lane_tx *lane = lane_tx(peer, tx, rx);

			lane->open = false;
			lane->bad = false;
			lane->failed = false;
			rionet_dma_drop_lane(&dma->qp[tx], lane);
		}
	for (rx = 0; rx < dma->nb_rx; rx++)
		for (tx = 0; tx < RIONET_DMA_QUEUES_MAX; tx++)
			lane_rx_ended(&dma->qp[rx], lane_rx(peer, rx, tx));
	if (with_rx)
		lanes_rx_remove(dma, peer);
	unlock_all(dma);
}

/* ---- the tick ---- */

bool
rionet_dma_peer_bad(const struct rionet_dma *dma, const struct rionet_dma_peer *peer)
{
	unsigned int i;

	RTE_SET_USED(dma);
	if (peer->state == RIONET_DMA_NONE)
		return false;
	for (i = 0; i < RIONET_LANES_MAX; i++)
		if (__atomic_load_n(&peer->tx[i].bad, __ATOMIC_RELAXED) ||
		    __atomic_load_n(&peer->rx[i].bad, __ATOMIC_RELAXED))
			return true;
	return false;
}

/* Whether a lane that turned frames away has moved since. */
static void
lane_stall(struct rionet_lane_tx *lane, uint64_t now, uint64_t hz)
{
	if (!lane->open || !rionet_lane_feed(lane))
		return;
	if (!lane->full || lane->cons != lane->full_cons) {
		lane->full_cons = lane->cons;
		lane->full_since = now;
		lane->stalled = false;
		lane->full = false;
		return;
	}
	lane->stalled = now - lane->full_since > hz / 1000 * STALL_MS;
}

/* A write that the peer's end answers: its failure is noticed. Under the pair's lock. */
static void
beat_tx(struct rionet_qp *qp, struct rionet_lane_tx *lane)
{
	uint64_t *word;

	if (rionet_qp_room(qp) < 8)
		rionet_qp_reap(qp);
	word = rionet_qp_room(qp) < 8 ? NULL : rionet_qp_scratch(qp, sizeof(*word));
	if (word == NULL)
		return;
	*word = rionet_word(lane->nonce, lane->told);
	rionet_qp_put(qp, &lane->failed, lane->word_answered, lane->line, rionet_qp_iova(qp, word),
		      sizeof(*word), NULL);
	rionet_qp_kick(qp);
	rionet_qp_reap(qp);
}

static void
beat_rx(struct rionet_dma *dma, struct rionet_lane_rx *lane)
{
	struct rionet_qp *qp = &dma->qp[lane->queue];

	rte_spinlock_lock(&qp->rx_lock);
	rte_spinlock_lock(&qp->lock);
	lane->beat++;
	rionet_dma_feed(qp, lane, true);
	rionet_qp_reap(qp);
	rte_spinlock_unlock(&qp->lock);
	rte_spinlock_unlock(&qp->rx_lock);
}

const char *
rionet_dma_peer_tick(struct rionet_dma *dma, struct rionet_dma_peer *peer, uint64_t now,
		     bool on_time)
{
	bool failed = false, hears = false;
	uint64_t beat = 0, hz = dma->port->hz;
	unsigned int rx, tx, i;

	if (dma->nb_rx != 0 && peer->nb_tx != 0)
		beat_rx(dma, lane_rx(peer, 0, 0));
	for (tx = 0; tx < dma->nb_tx; tx++) {
		rte_spinlock_lock(&dma->qp[tx].lock);
		for (rx = 0; rx < peer->nb_rx; rx++) {
			struct rionet_lane_tx *lane = lane_tx(peer, tx, rx);

			if (rx == 0)
				beat_tx(&dma->qp[tx], lane);
			lane_stall(lane, now, hz);
			failed |= lane->failed;
			hears = true;
			beat += __atomic_load_n(&lane->feed->beat, __ATOMIC_RELAXED);
		}
		rte_spinlock_unlock(&dma->qp[tx].lock);
	}
	for (i = 0; i < RIONET_LANES_MAX; i++)
		failed |= peer->rx[i].failed;
	if (failed)
		return "transfers fail";
	if (beat != peer->beat || !on_time || !hears) {
		peer->beat = beat;
		peer->beat_tsc = now;
	}
	return now - peer->beat_tsc > hz / 1000 * RIONET_SILENT_MS ? "silent" : NULL;
}
