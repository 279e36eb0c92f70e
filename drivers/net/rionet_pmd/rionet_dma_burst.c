/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Bursts of a port that has DMA mode: by DMA where that is agreed, by messages
 * otherwise.
 */

#include <rte_ethdev.h>
#include <ethdev_driver.h>
#include <rte_prefetch.h>

#include <tsi721_doorbell.h>

#include "rionet_dma.h"
#include "rionet_msg.h"
#include "rionet_peer_stats.h"
#include "rionet_port.h"
#include "rionet_rx.h"

#define DBELL_BUDGET		8u
/* Descriptors out from which it is worth to look what has ended. */
#define REAP_MIN		8u

uint16_t
rionet_dma_rx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb)
{
	struct rionet_rxq *rxq = queue;
	uint16_t n = 0;

	tsi721_dbell_poll(rxq->dev, DBELL_BUDGET);
	if (unlikely(!rxq->running))
		return 0;
	if (unlikely(__atomic_load_n(&rxq->qp->nb_old, __ATOMIC_RELAXED) != 0)) {
		n = rionet_dma_rx_old(rxq, bufs, nb);
		if (__atomic_load_n(&rxq->qp->nb_old, __ATOMIC_RELAXED) != 0)
			return n;
	}
	if (rxq->imsg != NULL && n < nb)
		n += rionet_msg_rx(rxq, bufs + n, nb - n);
	if (n < nb)
		n += rionet_dma_rx(rxq, bufs + n, nb - n);
	return n;
}

/* Where frames with the same destination address as the last one go. */
struct tx_way {
	uint64_t mac;
	struct rionet_lane_tx *lane;
	uint64_t *counter;	/* that counts them, too; NULL */
};

static int
way_destid(const struct rionet_port *port, uint64_t mac, struct rionet_txq *txq,
	   uint64_t **counter)
{
	uint16_t destids[RIONET_PEERS_MAX];
	int destid;

	*counter = NULL;
	if (rionet_mac_is_station(mac))
		return rionet_mac_destid(mac);
	if (!rionet_mac_is_group(mac)) {
		destid = rionet_fdb_lookup(port->fdb, mac);
		if (destid >= 0 && rionet_peer_state(port->peers, destid) == RIONET_PEER_JOINED)
			return destid;
		if (port->args.unknown != RIONET_UNKNOWN_FLOOD)
			return -1;
		*counter = &txq->stats.flooded;
	}
	/* All of one station. */
	if (rionet_peers_any_lost(port->peers) ||
	    rionet_peers_list(port->peers, RIONET_PEER_JOINED, destids) != 1)
		return -1;
	return destids[0];
}

/* Find the lane for an address, if it is one and the same for all frames to it. */
static __rte_noinline void
way_find(struct rionet_txq *txq, const struct rte_mbuf *m, uint64_t mac, struct tx_way *way)
{
	const struct rionet_port *port = txq->port;
	int destid = way_destid(port, mac, txq, &way->counter);
	uint16_t slot;

	way->mac = mac;
	way->lane = NULL;
	if (destid < 0 || rionet_peer_state(port->peers, destid) != RIONET_PEER_JOINED)
		return;
	slot = __atomic_load_n(&port->peers->slot[destid], __ATOMIC_RELAXED);
	way->lane = rionet_dma_lane(port->dma, txq->index, slot, destid, m);
	if (way->lane != NULL && way->lane->peer->nb_rx > 1)
		way->lane = NULL;
}

static __rte_always_inline enum rionet_tx_result
tx_one(struct rionet_txq *txq, struct rte_mbuf *m, struct tx_way *way)
{
	uint32_t len = m->pkt_len;
	uint64_t mac;

	if (unlikely(m->data_len < RTE_ETHER_HDR_LEN || len > txq->port->max_frame))
		return rionet_tx_frame(txq, m);
	mac = rionet_mac48(rte_pktmbuf_mtod(m, void *));
	if (unlikely(mac != way->mac))
		way_find(txq, m, mac, way);
	if (unlikely(way->lane == NULL || len > way->lane->max_frame))
		return rionet_tx_frame(txq, m);
	if (unlikely(rionet_dma_put(txq, way->lane, m, len) != RIONET_PUT_TAKEN)) {
		way->mac = 0;
		return rionet_tx_frame(txq, m);
	}
	txq->stats.packets++;
	txq->stats.bytes += len;
	if (way->counter != NULL)
		(*way->counter)++;
	return RIONET_TX_TAKEN;
}

/* What went to each peer. A flush within the burst leaves its lanes to the next burst. */
static inline void
tx_count(struct rionet_txq *txq, struct rionet_qp *qp)
{
	unsigned int i;

	for (i = 0; i < qp->nb_dirty; i++) {
		struct rionet_lane_tx *lane = qp->dirty[i];
		struct rionet_peer_count *c =
			rionet_peer_count(txq->by_peer, txq->port->peers, lane->peer->destid);

		c->packets += lane->stats.packets;
		c->bytes += lane->stats.bytes;
		lane->stats = (struct rionet_lane_tx_stats){ .packets = 0 };
	}
}

uint16_t
rionet_dma_tx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb)
{
	struct rionet_txq *txq = queue;
	struct rionet_qp *qp = txq->qp;
	struct tx_way way = { .mac = 0 };
	uint16_t i;

	if (unlikely(!rionet_tx_begin(txq)))
		return 0;
	rte_spinlock_lock(&qp->lock);
	if (qp->put - qp->ended >= RTE_MIN(REAP_MIN, txq->free_thresh))
		rionet_qp_reap(qp);
	for (i = 0; i < nb; i++) {
		if (i + 1 < nb)
			rte_prefetch0(rte_pktmbuf_mtod(bufs[i + 1], void *));
		if (unlikely(tx_one(txq, bufs[i], &way) != RIONET_TX_TAKEN)) {
			txq->stats.ring_full++;
			break;
		}
	}
	tx_count(txq, qp);
	rionet_dma_flush(qp);
	rte_spinlock_unlock(&qp->lock);
	rionet_tx_end(txq);
	return i;
}

uint32_t
rionet_dma_tx_room(void *queue)
{
	struct rionet_txq *txq = queue;
	uint32_t room = rionet_msg_tx_room(queue);

	if (!txq->running)
		return 0;
	return RTE_MIN(room, txq->qp->nb_desc - rionet_qp_in_flight(txq->qp));
}
