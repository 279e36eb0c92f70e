/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_RX_H
#define RIONET_RX_H

/*
 * What receiving by messages and by DMA have in common.
 */

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>
#include <rte_memcpy.h>

#include "rionet_filter.h"
#include "rionet_msg.h"
#include "rionet_port.h"
#include "rionet_proto.h"

/** Fresh mbufs, as many of nb as there are. */
static inline unsigned int
rionet_rx_alloc(struct rionet_rxq *rxq, struct rte_mbuf **mb, unsigned int nb)
{
	unsigned int n = 0;

	if (likely(rte_mempool_get_bulk(rxq->pool, (void **)mb, nb) == 0))
		return nb;
	while (n < nb && rte_mempool_get(rxq->pool, (void **)&mb[n]) == 0)
		n++;
	return n;
}

static __rte_always_inline void
rionet_rx_mbuf_init(const struct rionet_rxq *rxq, struct rte_mbuf *m)
{
	__rte_mbuf_raw_sanity_check(m);
	memcpy(&m->rearm_data, &rxq->rearm, sizeof(rxq->rearm));
	m->ol_flags = 0;
	m->packet_type = 0;
	m->vlan_tci = 0;
	m->hash.rss = 0;
}

/* Where frames from an address outside 00:01:00:01 came from. */
static __rte_always_inline void
rionet_rx_learn(struct rionet_rxq *rxq, uint64_t mac, uint16_t src)
{
	if (likely(rionet_mac_is_station(mac)))
		return;
	if (likely(mac == rxq->learned_mac && src == rxq->learned_src &&
		   rxq->learned_at == rionet_fdb_now(rxq->port->fdb)))
		return;
	rxq->learned_at = rionet_fdb_now(rxq->port->fdb);
	rxq->learned_mac = mac;
	rxq->learned_src = src;
	rionet_fdb_learn(rxq->port->fdb, mac, src);
}

/** Whether the port's addresses take a frame that begins at `head`, of at least 14 bytes. */
static __rte_always_inline bool
rionet_rx_wants(struct rionet_rxq *rxq, const uint8_t *head, uint16_t src)
{
	rionet_rx_learn(rxq, rionet_mac48(head + RTE_ETHER_ADDR_LEN), src);
	if (unlikely(!rionet_filter_takes(&rxq->port->filter, rionet_mac48(head)))) {
		rxq->stats.filtered++;
		return false;
	}
	return true;
}

/**
 * The rest of a frame that is longer than the first mbuf's room. False: the pool
 * is empty, and `first` is as it was.
 */
bool rionet_rx_chain(struct rionet_rxq *rxq, struct rte_mbuf *first, const uint8_t *data,
		     uint32_t len);

/** Up to nb messages. */
uint16_t rionet_msg_rx(struct rionet_rxq *rxq, struct rte_mbuf **bufs, uint16_t nb);

#endif /* RIONET_RX_H */
