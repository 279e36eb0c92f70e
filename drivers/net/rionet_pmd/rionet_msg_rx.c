/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Receiving: messages lie in buffers of the raw driver, are checked, and copied
 * to mbufs of the queue's pool. A message for which there is no mbuf stays where
 * it is, and when none of the device's buffers is left, its senders see RETRY.
 */

#include <errno.h>

#include <rte_ethdev.h>
#include <ethdev_driver.h>
#include <rte_malloc.h>
#include <rte_memcpy.h>
#include <rte_prefetch.h>

#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_mbox.h>

#include "rionet_msg.h"
#include "rionet_peer_stats.h"
#include "rionet_port.h"
#include "rionet_proto.h"
#include "rionet_rx.h"

#define RX_PREFETCH		4u
#define RX_DBELL_BUDGET		8u

/* Whether the port takes the frame; counts why not. */
static __rte_always_inline bool
rx_takes(struct rionet_rxq *rxq, const struct tsi721_imsg_info *msg)
{
	const struct rionet_port *port = rxq->port;

	if (unlikely(msg->len < RTE_ETHER_HDR_LEN)) {
		rxq->stats.runt++;
		return false;
	}
	if (unlikely(msg->len > port->max_rx)) {
		rxq->stats.oversize++;
		return false;
	}
	return rionet_rx_wants(rxq, msg->data, msg->src);
}

static __rte_always_inline void
rx_copy_seg(struct rte_mbuf *m, const void *data, uint16_t len)
{
	m->data_len = len;
	rte_memcpy(rte_pktmbuf_mtod(m, void *), data, len);
}

bool
rionet_rx_chain(struct rionet_rxq *rxq, struct rte_mbuf *first, const uint8_t *data, uint32_t len)
{
	struct rte_mbuf *seg, *last = first;

	while (len > 0) {
		uint16_t n = RTE_MIN(len, (uint32_t)rxq->room);

		if (unlikely(rte_mempool_get(rxq->pool, (void **)&seg) != 0)) {
			rxq->stats.nombuf++;
			rte_pktmbuf_free(first->next);
			first->next = NULL;
			first->nb_segs = 1;
			return false;
		}
		rionet_rx_mbuf_init(rxq, seg);
		rx_copy_seg(seg, data, n);
		last->next = seg;
		last = seg;
		first->nb_segs++;
		data += n;
		len -= n;
	}
	return true;
}

static __rte_always_inline bool
rx_copy(struct rionet_rxq *rxq, const struct tsi721_imsg_info *msg, struct rte_mbuf *m)
{
	uint16_t n = RTE_MIN(msg->len, rxq->room);

	rionet_rx_mbuf_init(rxq, m);
	m->pkt_len = msg->len;
	rx_copy_seg(m, msg->data, n);
	return likely(n == msg->len) ||
	       rionet_rx_chain(rxq, m, (const uint8_t *)msg->data + n, msg->len - n);
}

static __rte_always_inline void
rx_count(struct rionet_rxq *rxq, const struct tsi721_imsg_info *msg)
{
	struct rionet_peer_count *c;

	c = rionet_peer_count(rxq->by_peer, rxq->port->peers, msg->src);
	c->packets++;
	c->bytes += msg->len;
}

/* Up to RIONET_BURST frames of nb messages; *more: there may be others. */
static uint16_t
rx_some(struct rionet_rxq *rxq, struct rte_mbuf **bufs, uint16_t nb, bool *more)
{
	struct tsi721_imsg_info msg[RIONET_BURST];
	struct rte_mbuf *mb[RIONET_BURST];
	unsigned int i, n, got, used = 0;
	uint64_t bytes = 0;

	n = tsi721_imsg_poll(rxq->imsg, msg, nb);
	*more = n == nb;
	if (n == 0)
		return 0;
	for (i = 0; i < RX_PREFETCH && i < n; i++)
		rte_prefetch0(msg[i].data);
	got = rionet_rx_alloc(rxq, mb, n);
	rxq->stats.nombuf += n - got;
	for (i = 0; i < got; i++) {
		if (i + RX_PREFETCH < n)
			rte_prefetch0(msg[i + RX_PREFETCH].data);
		if (i + 1 < got)
			rte_prefetch0(rte_pktmbuf_mtod(mb[i + 1], void *));
		if (unlikely(!rx_takes(rxq, &msg[i])))
			continue;
		if (unlikely(!rx_copy(rxq, &msg[i], mb[used])))
			break;
		bytes += msg[i].len;
		rx_count(rxq, &msg[i]);
		bufs[used] = mb[used];
		used++;
	}
	tsi721_imsg_release(rxq->imsg, i);
	if (unlikely(used < got))
		rte_mempool_put_bulk(rxq->pool, (void **)&mb[used], got - used);
	*more = *more && i == n;
	rxq->stats.packets += used;
	rxq->stats.bytes += bytes;
	return used;
}

uint16_t
rionet_msg_rx(struct rionet_rxq *rxq, struct rte_mbuf **bufs, uint16_t nb)
{
	uint16_t n = 0;
	bool more = true;

	while (more && n < nb)
		n += rx_some(rxq, &bufs[n], RTE_MIN((uint16_t)(nb - n), RIONET_BURST), &more);
	return n;
}

uint16_t
rionet_msg_rx_burst(void *queue, struct rte_mbuf **bufs, uint16_t nb)
{
	struct rionet_rxq *rxq = queue;

	tsi721_dbell_poll(rxq->dev, RX_DBELL_BUDGET);
	if (unlikely(rxq->imsg == NULL))
		return 0;
	return rionet_msg_rx(rxq, bufs, nb);
}

unsigned int
rionet_rxq_ready(struct rionet_rxq *rxq, unsigned int max)
{
	if (rxq->imsg == NULL)
		return 0;
	return tsi721_imsg_poll(rxq->imsg, rxq->peek, RTE_MIN(max, rxq->nb_desc));
}

void
rionet_rxq_free(struct rionet_rxq *rxq)
{
	if (rxq == NULL)
		return;
	rte_free(rxq->by_peer);
	rte_free(rxq->peek);
	rte_free(rxq);
}

struct rionet_rxq *
rionet_rxq_create(struct rionet_port *port, uint16_t nb_desc, struct rte_mempool *pool,
		  unsigned int socket_id)
{
	struct rionet_rxq *rxq;

	rxq = rte_zmalloc_socket("rionet_rxq", sizeof(*rxq), RTE_CACHE_LINE_SIZE, socket_id);
	if (rxq == NULL)
		return NULL;
	rxq->port = port;
	rxq->dev = port->dev;
	rxq->pool = pool;
	rxq->nb_desc = nb_desc;
	rxq->room = rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM;
	rxq->socket_id = socket_id;
	rxq->peek = rte_zmalloc_socket("rionet_rx_peek", nb_desc * sizeof(*rxq->peek), 0,
				       socket_id);
	rxq->by_peer = rte_zmalloc_socket("rionet_rx_peers", sizeof(*rxq->by_peer),
					  RTE_CACHE_LINE_SIZE, socket_id);
	if (rxq->peek == NULL || rxq->by_peer == NULL) {
		rionet_rxq_free(rxq);
		return NULL;
	}
	return rxq;
}

int
rionet_rxq_start(struct rionet_rxq *rxq)
{
	struct rte_mbuf fixed = {
		.data_off = RTE_PKTMBUF_HEADROOM,
		.nb_segs = 1,
		.port = rxq->port->data->port_id,
	};
	int ret = 0;

	rte_mbuf_refcnt_set(&fixed, 1);
	memcpy(&rxq->rearm, &fixed.rearm_data, sizeof(rxq->rearm));
	rxq->learned_mac = 0;
	if (rxq->port->args.mode != RIONET_MODE_DMA)
		ret = tsi721_imsg_open(rxq->dev, RIONET_MBOX, rte_align32pow2(rxq->nb_desc),
				       rxq->socket_id, &rxq->imsg);
	rxq->running = ret == 0;
	return ret;
}

void
rionet_rxq_stop(struct rionet_rxq *rxq)
{
	struct tsi721_imsg_info msg[RIONET_BURST];
	struct tsi721_msg_stats stats;
	unsigned int n;

	rxq->running = false;
	if (rxq->nb_spare != 0)
		rte_mempool_put_bulk(rxq->pool, (void **)rxq->spare, rxq->nb_spare);
	rxq->nb_spare = 0;
	if (rxq->imsg == NULL)
		return;
	/* Bounded: a sender that has not seen the LEAVE may go on. */
	for (unsigned int left = rxq->nb_desc; left != 0; left -= RTE_MIN(n, left)) {
		n = tsi721_imsg_poll(rxq->imsg, msg, RIONET_BURST);
		if (n == 0)
			break;
		tsi721_imsg_release(rxq->imsg, n);
		rxq->stats.discarded += n;
	}
	tsi721_imsg_stats(rxq->imsg, &stats);
	rxq->stats.bad_desc += stats.errors;
	tsi721_imsg_close(rxq->imsg);
	rxq->imsg = NULL;
}
