/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Sending: a frame becomes a message to each station it is for. The device reads
 * it from the mbuf, which is freed when the message has ended; frames that cannot
 * be read from where they lie are copied to a buffer of the queue's first.
 */

#include <assert.h>
#include <errno.h>
#include <limits.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <ethdev_driver.h>
#include <rte_malloc.h>
#include <rte_memcpy.h>
#include <rte_prefetch.h>

#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_mbox.h>

#include "rionet_dma.h"
#include "rionet_msg.h"
#include "rionet_peer_stats.h"
#include "rionet_port.h"
#include "rionet_proto.h"
#include "rionet_txoff.h"

#define TX_DBELL_BUDGET		8u
#define TX_DRAIN_US		20000u
#define TX_LAZY_BURSTS		2u

/* The ring holds a flood to every peer whatever nb_desc is. */
#define TX_RING_MIN		512u
static_assert(TX_RING_MIN > RIONET_PEERS_MAX, "a flood fits the ring");

/* Messages that failed, among n that have ended. */
static __rte_noinline void
tx_failed(struct rionet_txq *txq, const int *status, unsigned int n)
{
	struct rionet_port *port = txq->port;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct rionet_tx_slot *slot = &txq->slots[(txq->tail + i) & txq->mask];

		if (status[i] == 0)
			continue;
		if (status[i] == -ETIMEDOUT)
			txq->stats.timeouts++;
		else
			txq->stats.errors++;
		rionet_peer_count(txq->by_peer, port->peers, slot->destid)->errors++;
		if (slot->single) {
			txq->stats.failed_packets++;
			txq->stats.failed_bytes += slot->len;
		}
		rionet_join_reply(port, slot->destid,
				  rionet_peers_failed(port->peers, slot->destid, status[i],
						      rte_get_tsc_cycles(), port->hz));
	}
}

static unsigned int
tx_reap(struct rionet_txq *txq, unsigned int max)
{
	struct rte_mbuf *done[RIONET_BURST];
	int status[RIONET_BURST];
	unsigned int i, n, total = 0;
	int failed;

	if (unlikely(txq->omsg == NULL))
		return 0;
	do {
		n = tsi721_omsg_reap(txq->omsg, (void **)done, status,
				     RTE_MIN(RIONET_BURST, max - total));
		for (i = 0, failed = 0; i < n; i++)
			failed |= status[i];
		if (unlikely(failed != 0))
			tx_failed(txq, status, n);
		txq->tail += n;
		rte_pktmbuf_free_bulk(done, n);
		total += n;
	} while (n == RIONET_BURST);
	return total;
}

void
rionet_tx_reap(struct rionet_txq *txq)
{
	tx_reap(txq, UINT_MAX);
}

unsigned int
rionet_txq_reap(struct rionet_txq *txq, unsigned int max)
{
	unsigned int n;

	rte_spinlock_lock(&txq->lock);
	n = tx_reap(txq, max);
	rte_spinlock_unlock(&txq->lock);
	return n;
}

/* A queue that bursts come to looks after itself. */
void
rionet_txq_attend(struct rionet_txq *txq)
{
	uint32_t bursts = __atomic_load_n(&txq->bursts, __ATOMIC_RELAXED);
	bool idle = bursts == txq->attended;

	txq->attended = bursts;
	if (!idle || !rte_spinlock_trylock(&txq->lock))
		return;
	if (txq->omsg != NULL && rionet_txq_in_flight(txq) != 0)
		tx_reap(txq, UINT_MAX);
	rte_spinlock_unlock(&txq->lock);
}

static inline void
tx_kick(struct rionet_txq *txq)
{
	if (txq->kicked == txq->head)
		return;
	tsi721_omsg_kick(txq->omsg);
	txq->kicked = txq->head;
}

static inline bool
tx_has_room(const struct rionet_txq *txq)
{
	return rionet_txq_in_flight(txq) < txq->nb_desc;
}

static bool
tx_make_room(struct rionet_txq *txq)
{
	tx_kick(txq);
	tx_reap(txq, UINT_MAX);
	return tx_has_room(txq);
}

static enum rionet_tx_result
tx_drop(struct rte_mbuf *m, uint64_t *counter)
{
	(*counter)++;
	rte_pktmbuf_free(m);
	return RIONET_TX_TAKEN;
}

/* The frame in one piece, zero up to a multiple of 8, in a buffer of the queue's. */
static __rte_noinline struct rte_mbuf *
tx_bounce(struct rionet_txq *txq, const struct rte_mbuf *m, uint32_t len)
{
	struct rte_mbuf *b = rte_pktmbuf_alloc(txq->bounce);
	uint32_t n, off = 0;
	uint8_t *to;

	if (unlikely(b == NULL))
		return NULL;
	to = rte_pktmbuf_mtod(b, uint8_t *);
	for (; m != NULL && off < len; m = m->next, off += n) {
		n = RTE_MIN(m->data_len, len - off);
		rte_memcpy(to + off, rte_pktmbuf_mtod(m, void *), n);
	}
	memset(to + off, 0, rionet_msg_len(len) - off);
	txq->stats.bounced++;
	return b;
}

/*
 * The mbuf that the device can read rionet_msg_len(len) bytes from: the frame's
 * own where it lies in one piece and the padding behind it is ours to write.
 */
static __rte_always_inline struct rte_mbuf *
tx_readable(struct rionet_txq *txq, struct rte_mbuf *m, uint32_t len)
{
	uint32_t pad = rionet_msg_len(len) - len;

	if (unlikely(m->nb_segs != 1 || RTE_MBUF_HAS_EXTBUF(m)))
		return tx_bounce(txq, m, len);
	if (pad == 0)
		return m;
	if (unlikely(RTE_MBUF_CLONED(m) || rte_mbuf_refcnt_read(m) != 1 ||
		     rte_pktmbuf_tailroom(m) < pad))
		return tx_bounce(txq, m, len);
	memset(rte_pktmbuf_mtod_offset(m, uint8_t *, len), 0, pad);
	return m;
}

static __rte_always_inline bool
tx_post(struct rionet_txq *txq, struct rte_mbuf *m, uint16_t destid, uint32_t len, bool single)
{
	struct rionet_tx_slot *slot = &txq->slots[txq->head & txq->mask];
	struct rionet_peer_count *c;

	if (unlikely(tsi721_omsg_post(txq->omsg, destid, RIONET_LETTER, rte_mbuf_data_iova(m),
				      rionet_msg_len(len), m) != 0))
		return false;
	slot->destid = destid;
	slot->len = len;
	slot->single = single;
	txq->head++;
	c = rionet_peer_count(txq->by_peer, txq->port->peers, destid);
	c->packets++;
	c->bytes += len;
	return true;
}

/* A frame of which messages were posted: the copy takes its place. */
static __rte_always_inline void
tx_posted(struct rionet_txq *txq, struct rte_mbuf *m, struct rte_mbuf *readable, uint32_t len,
	  unsigned int nb)
{
	if (unlikely(readable != m))
		rte_pktmbuf_free(m);
	txq->stats.packets++;
	txq->stats.bytes += len;
	txq->stats.messages += nb;
}

/* The way to a peer by DMA; NULL: there is none. */
static __rte_always_inline struct rionet_lane_tx *
tx_lane(const struct rionet_txq *txq, const struct rte_mbuf *m, uint16_t destid)
{
	const struct rionet_port *port = txq->port;
	uint16_t slot;

	if (txq->qp == NULL)
		return NULL;
	slot = __atomic_load_n(&port->peers->slot[destid], __ATOMIC_RELAXED);
	return rionet_dma_lane(port->dma, txq->index, slot, destid, m);
}

static enum rionet_tx_result
tx_by_dma(struct rionet_txq *txq, struct rionet_lane_tx *lane, struct rte_mbuf *m, uint32_t len)
{
	if (len > lane->max_frame)
		return tx_drop(m, &txq->stats.oversize);
	switch (rionet_dma_put(txq, lane, m, len)) {
	case RIONET_PUT_TAKEN:
		txq->stats.packets++;
		txq->stats.bytes += len;
		return RIONET_TX_TAKEN;
	case RIONET_PUT_STALLED:
		return tx_drop(m, &txq->stats.stalled);
	case RIONET_PUT_CLOSED:
		return tx_drop(m, &txq->stats.no_peer);
	case RIONET_PUT_FULL:
		break;
	}
	return RIONET_TX_NO_ROOM;
}

static __rte_always_inline enum rionet_tx_result
tx_unicast(struct rionet_txq *txq, struct rte_mbuf *m, uint16_t destid, uint32_t len)
{
	struct rionet_lane_tx *lane = tx_lane(txq, m, destid);
	struct rte_mbuf *readable;

	if (lane != NULL)
		return tx_by_dma(txq, lane, m, len);
	if (unlikely(txq->omsg == NULL))
		return tx_drop(m, &txq->stats.no_peer);
	if (unlikely(len > RIONET_MSG_MAX))
		return tx_drop(m, &txq->stats.oversize);
	if (unlikely(!tx_has_room(txq)) && !tx_make_room(txq))
		return RIONET_TX_NO_ROOM;
	readable = tx_readable(txq, m, len);
	if (unlikely(readable == NULL))
		return RIONET_TX_NO_ROOM;
	if (unlikely(!tx_post(txq, readable, destid, len, true))) {
		if (readable != m)
			rte_pktmbuf_free(readable);
		return RIONET_TX_NO_ROOM;
	}
	tx_posted(txq, m, readable, len, 1);
	return RIONET_TX_TAKEN;
}

/* Ask those again that were lost: nobody sends them unicast if nobody resolves their address. */
static void
tx_retry_lost(struct rionet_port *port)
{
	uint16_t destids[RIONET_PEERS_MAX];
	unsigned int i, n = rionet_peers_list(port->peers, RIONET_PEER_LOST, destids);

	for (i = 0; i < n; i++)
		rionet_join_reply(port, destids[i],
				  rionet_peers_retry(port->peers, destids[i],
						     rte_get_tsc_cycles(), port->hz));
}

/* What messages of a frame to n stations can be read from; NULL: no room now. */
static struct rte_mbuf *
tx_flood_readable(struct rionet_txq *txq, struct rte_mbuf *m, uint32_t len, unsigned int n)
{
	if ((!tx_has_room(txq) || tsi721_omsg_free(txq->omsg) < n) &&
	    (!tx_make_room(txq) || tsi721_omsg_free(txq->omsg) < n))
		return NULL;
	return tx_readable(txq, m, len);
}

/* The mbuf is one, with a reference a message. */
static void
tx_flood_post(struct rionet_txq *txq, struct rte_mbuf *readable, uint32_t len,
	      const uint16_t *destids, unsigned int n)
{
	unsigned int i;

	rte_mbuf_refcnt_update(readable, n - 1);
	for (i = 0; i < n; i++)
		if (unlikely(!tx_post(txq, readable, destids[i], len, n == 1)))
			rte_pktmbuf_free(readable);
	txq->stats.messages += n;
}

/*
 * Sort stations into those that a frame goes to by DMA, whose lanes are put in
 * front, and those by messages. @return how many of the former; *msgs: of the latter.
 */
static unsigned int
tx_sort(struct rionet_txq *txq, const struct rte_mbuf *m, uint32_t len, uint16_t *destids,
	unsigned int n, struct rionet_lane_tx **lanes, unsigned int *msgs)
{
	unsigned int i, nb = 0;

	*msgs = 0;
	for (i = 0; i < n; i++) {
		struct rionet_lane_tx *lane = tx_lane(txq, m, destids[i]);

		if (lane != NULL)
			lanes[nb++] = lane;
		else if (txq->omsg == NULL)
			txq->stats.flood_missed++;
		else if (len > RIONET_MSG_MAX)
			txq->stats.flood_missed++;
		else
			destids[(*msgs)++] = destids[i];
	}
	return nb;
}

/*
 * To several stations. It is held up while one of them has no room, and then goes to
 * all; what has been without room for long is left out.
 */
static enum rionet_tx_result
tx_flood_many(struct rionet_txq *txq, struct rte_mbuf *m, uint32_t len, uint16_t *destids,
	      unsigned int n)
{
	struct rionet_lane_tx *lanes[RIONET_PEERS_MAX];
	struct rte_mbuf *readable = NULL;
	unsigned int i, nb, msgs;

	nb = tx_sort(txq, m, len, destids, n, lanes, &msgs);
	for (i = 0; i < nb; i++)
		if (!rionet_dma_ready(txq, lanes[i], len))
			return RIONET_TX_NO_ROOM;
	if (msgs != 0) {
		readable = tx_flood_readable(txq, m, len, msgs);
		if (readable == NULL)
			return RIONET_TX_NO_ROOM;
	}
	for (i = 0; i < nb; i++)
		if (!rionet_dma_copy(txq, lanes[i], m, len))
			txq->stats.flood_missed++;
	if (msgs != 0)
		tx_flood_post(txq, readable, len, destids, msgs);
	if (readable != m)
		rte_pktmbuf_free(m);
	txq->stats.packets++;
	txq->stats.bytes += len;
	return RIONET_TX_TAKEN;
}

/* To every joined station. */
static __rte_noinline enum rionet_tx_result
tx_flood(struct rionet_txq *txq, struct rte_mbuf *m, uint32_t len, uint64_t *counter)
{
	uint16_t destids[RIONET_PEERS_MAX];
	enum rionet_tx_result result;
	unsigned int n;

	if (unlikely(rionet_peers_any_lost(txq->port->peers)))
		tx_retry_lost(txq->port);
	n = rionet_peers_list(txq->port->peers, RIONET_PEER_JOINED, destids);
	if (n == 0)
		return tx_drop(m, &txq->stats.no_peer);
	if (n == 1)
		result = tx_unicast(txq, m, destids[0], len);
	else
		result = tx_flood_many(txq, m, len, destids, n);
	if (result == RIONET_TX_TAKEN && counter != NULL)
		(*counter)++;
	return result;
}

/* For a station that is not joined. */
static __rte_noinline enum rionet_tx_result
tx_no_peer(struct rionet_txq *txq, struct rte_mbuf *m, uint16_t destid)
{
	struct rionet_port *port = txq->port;

	rionet_join_reply(port, destid,
			  rionet_peers_retry(port->peers, destid, rte_get_tsc_cycles(), port->hz));
	return tx_drop(m, &txq->stats.no_peer);
}

static __rte_always_inline enum rionet_tx_result
tx_station(struct rionet_txq *txq, struct rte_mbuf *m, uint16_t destid, uint32_t len)
{
	if (unlikely(rionet_peer_state(txq->port->peers, destid) != RIONET_PEER_JOINED))
		return tx_no_peer(txq, m, destid);
	return tx_unicast(txq, m, destid, len);
}

/* Unicast outside 00:01:00:01: where the address was learned, else as `unknown` says. */
static __rte_noinline enum rionet_tx_result
tx_bridged(struct rionet_txq *txq, struct rte_mbuf *m, uint64_t mac, uint32_t len)
{
	struct rionet_port *port = txq->port;
	int destid = rionet_fdb_lookup(port->fdb, mac);

	if (destid >= 0 && rionet_peer_state(port->peers, destid) == RIONET_PEER_JOINED)
		return tx_unicast(txq, m, destid, len);
	switch (port->args.unknown) {
	case RIONET_UNKNOWN_DROP:
		return tx_drop(m, &txq->stats.unknown);
	case RIONET_UNKNOWN_PEER:
		return tx_station(txq, m, port->args.unknown_destid, len);
	case RIONET_UNKNOWN_FLOOD:
		break;
	}
	return tx_flood(txq, m, len, &txq->stats.flooded);
}

/* Whether a frame that is longer than MTU and header is so by its VLAN tags. */
static __rte_noinline bool
tx_fits_tagged(const struct rionet_txq *txq, const struct rte_mbuf *m, uint32_t len)
{
	uint32_t off = 2 * RTE_ETHER_ADDR_LEN, max = txq->port->max_frame;
	uint16_t type, copy;
	unsigned int i;

	for (i = 0; i < RIONET_VLAN_TAGS && len > max; i++, off += RTE_VLAN_HLEN) {
		const void *p = rte_pktmbuf_read(m, off, sizeof(copy), &copy);

		if (p == NULL)
			return false;
		memcpy(&type, p, sizeof(type));
		if (type != RTE_BE16(RTE_ETHER_TYPE_VLAN) && type != RTE_BE16(RTE_ETHER_TYPE_QINQ))
			return false;
		max += RTE_VLAN_HLEN;
	}
	return len <= RTE_MIN(max, txq->qp != NULL ? RIONET_DMA_FRAME_MAX : RIONET_MSG_MAX);
}

/* The destination address of a frame whose first segment may be too short for it. */
static __rte_always_inline uint64_t
tx_dst(const struct rte_mbuf *m)
{
	uint64_t head = 0;

	if (likely(m->data_len >= sizeof(head)))
		return rionet_mac48(rte_pktmbuf_mtod(m, void *));
	return rionet_mac48(rte_pktmbuf_read(m, 0, sizeof(head), &head));
}

enum rionet_tx_result
rionet_tx_frame(struct rionet_txq *txq, struct rte_mbuf *m)
{
	uint32_t len = m->pkt_len;
	uint64_t mac;

	if (unlikely(len > txq->port->max_frame) && !tx_fits_tagged(txq, m, len))
		return tx_drop(m, &txq->stats.oversize);
	if (unlikely(len < RTE_ETHER_HDR_LEN))
		return tx_drop(m, &txq->stats.runt);
	mac = tx_dst(m);
	if (likely(rionet_mac_is_station(mac)))
		return tx_station(txq, m, rionet_mac_destid(mac), len);
	if (rionet_mac_is_group(mac))
		return tx_flood(txq, m, len, NULL);
	return tx_bridged(txq, m, mac, len);
}

bool
rionet_tx_begin(struct rionet_txq *txq)
{
	uint32_t in_flight;

	tsi721_dbell_poll(txq->dev, TX_DBELL_BUDGET);
	rte_spinlock_lock(&txq->lock);
	__atomic_store_n(&txq->bursts, txq->bursts + 1, __ATOMIC_RELAXED);
	if (unlikely(!txq->running)) {
		rte_spinlock_unlock(&txq->lock);
		return false;
	}
	in_flight = rionet_txq_in_flight(txq);
	/*
	 * Seldom below the threshold, but always before long: a message that failed
	 * holds up those behind it until it is reaped.
	 */
	if (in_flight >= txq->free_thresh || (in_flight != 0 && ++txq->lazy >= TX_LAZY_BURSTS)) {
		tx_reap(txq, UINT_MAX);
		txq->lazy = 0;
	}
	return true;
}

void
rionet_tx_end(struct rionet_txq *txq)
{
	tx_kick(txq);
	rte_spinlock_unlock(&txq->lock);
}

uint16_t
rionet_msg_tx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb)
{
	struct rionet_txq *txq = queue;
	uint16_t i;

	if (unlikely(!rionet_tx_begin(txq)))
		return 0;
	for (i = 0; i < nb; i++) {
		if (i + 1 < nb)
			rte_prefetch0(rte_pktmbuf_mtod(bufs[i + 1], void *));
		if (unlikely(rionet_tx_frame(txq, bufs[i]) != RIONET_TX_TAKEN)) {
			txq->stats.ring_full++;
			break;
		}
	}
	rionet_tx_end(txq);
	return i;
}

uint32_t
rionet_msg_tx_room(void *queue)
{
	struct rionet_txq *txq = queue;

	rionet_txq_reap(txq, UINT_MAX);
	if (txq->omsg == NULL)
		return txq->running ? txq->nb_desc : 0;
	return txq->nb_desc - RTE_MIN(rionet_txq_in_flight(txq), txq->nb_desc);
}

void
rionet_txq_free(struct rionet_txq *txq)
{
	if (txq == NULL)
		return;
	rionet_txoff_free(txq->off);
	rte_mempool_free(txq->bounce);
	rte_free(txq->by_peer);
	rte_free(txq->slots);
	rte_free(txq);
}

struct rionet_txq *
rionet_txq_create(struct rionet_port *port, uint16_t nb_desc, uint16_t free_thresh,
		  unsigned int socket_id)
{
	uint32_t slots = RTE_MAX(rte_align32pow2(nb_desc), TX_RING_MIN);
	char name[RTE_MEMPOOL_NAMESIZE];
	struct rionet_txq *txq;

	txq = rte_zmalloc_socket("rionet_txq", sizeof(*txq), RTE_CACHE_LINE_SIZE, socket_id);
	if (txq == NULL)
		return NULL;
	txq->port = port;
	txq->dev = port->dev;
	txq->nb_desc = nb_desc;
	txq->mask = slots - 1;
	txq->free_thresh = free_thresh;
	txq->socket_id = socket_id;
	txq->slots = rte_zmalloc_socket("rionet_tx_slots", slots * sizeof(*txq->slots),
					RTE_CACHE_LINE_SIZE, socket_id);
	snprintf(name, sizeof(name), "rionet_tx%u", port->data->port_id);
	txq->bounce = rte_pktmbuf_pool_create(name, nb_desc, 0, 0,
					      RTE_PKTMBUF_HEADROOM + RIONET_MSG_MAX, socket_id);
	txq->by_peer = rte_zmalloc_socket("rionet_tx_peers", sizeof(*txq->by_peer),
					  RTE_CACHE_LINE_SIZE, socket_id);
	if (txq->slots == NULL || txq->by_peer == NULL || txq->bounce == NULL) {
		rionet_txq_free(txq);
		return NULL;
	}
	return txq;
}

int
rionet_txq_start(struct rionet_txq *txq)
{
	int ret;

	rte_spinlock_lock(&txq->lock);
	txq->head = txq->kicked = txq->tail = 0;
	ret = 0;
	if (txq->port->args.mode != RIONET_MODE_DMA)
		ret = tsi721_omsg_open(txq->dev, RIONET_MBOX, txq->mask + 1, txq->socket_id,
				       &txq->omsg);
	/* A station that lags must not hold up the others for each frame that waits for it. */
	if (ret == 0 && txq->omsg != NULL)
		tsi721_omsg_fail_together(txq->omsg);
	txq->running = ret == 0;
	rte_spinlock_unlock(&txq->lock);
	return ret;
}

static void
tx_free_cookie(void *cookie, void *arg)
{
	struct rionet_txq *txq = arg;

	rte_pktmbuf_free(cookie);
	txq->stats.aborted++;
}

void
rionet_txq_stop(struct rionet_txq *txq)
{
	uint64_t end = rte_get_tsc_cycles() + txq->port->hz / US_PER_S * TX_DRAIN_US;

	if (!txq->running)
		return;
	rionet_txoff_flush(txq);
	rte_spinlock_lock(&txq->lock);
	txq->running = false;
	tx_kick(txq);
	while (rionet_txq_in_flight(txq) != 0 && rte_get_tsc_cycles() < end)
		if (tx_reap(txq, UINT_MAX) == 0)
			rte_delay_us_sleep(50);
	if (txq->off != NULL)
		txq->stats.aborted += rionet_txoff_drop(txq->off);
	if (txq->omsg != NULL)
		tsi721_omsg_close(txq->omsg, tx_free_cookie, txq);
	txq->omsg = NULL;
	rte_spinlock_unlock(&txq->lock);
}
