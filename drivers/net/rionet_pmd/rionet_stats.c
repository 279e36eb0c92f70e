/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Counters. Queues count in their own structures, each by one thread; here they
 * are read, and set to zero, by any. Secondary processes read them too: they have
 * the memory of the EAL, not port->dev.
 */

#include <inttypes.h>
#include <stddef.h>

#include <rte_common.h>
#include <rte_ethdev.h>
#include <rte_string_fns.h>
#include <ethdev_driver.h>

#include <tsi721_mbox.h>

#include "rionet_dma.h"
#include "rionet_msg.h"
#include "rionet_peer_stats.h"
#include "rionet_port.h"
#include "rionet_txoff.h"

/* Descriptors that the raw driver refused: since start, and before. */
static uint64_t
stats_bad_desc(const struct rionet_rxq *rxq)
{
	struct tsi721_msg_stats now = { .errors = 0 };

	if (rxq->imsg != NULL)
		tsi721_imsg_stats(rxq->imsg, &now);
	return rxq->stats.bad_desc + now.errors;
}

static void
stats_rx(const struct rionet_rxq *rxq, struct rte_eth_stats *stats)
{
	const struct rionet_rxq_stats *s = &rxq->stats;

	stats->ipackets = s->packets - rxq->off_stats.vlan_filtered;
	stats->ibytes = s->bytes - rxq->off_stats.vlan_filtered_bytes;
	stats->ierrors = s->oversize + s->runt + stats_bad_desc(rxq);
	stats->imissed = s->discarded;
	stats->rx_nombuf = s->nombuf;
	stats->q_ipackets[0] = stats->ipackets;
	stats->q_ibytes[0] = stats->ibytes;
	stats->q_errors[0] = stats->ierrors;
}

static void
stats_tx(const struct rionet_txq *txq, struct rte_eth_stats *stats)
{
	const struct rionet_txq_stats *s = &txq->stats;

	stats->opackets = s->packets - s->failed_packets;
	stats->obytes = s->bytes - s->failed_bytes;
	stats->oerrors = s->oversize + s->runt + s->no_peer + s->unknown + s->errors +
			 s->timeouts + s->aborted + s->stalled;
	if (txq->off != NULL)
		stats->oerrors += txq->off->stats.bad;
	stats->q_opackets[0] = stats->opackets;
	stats->q_obytes[0] = stats->obytes;
}

int
rionet_stats_get(struct rte_eth_dev *dev, struct rte_eth_stats *stats)
{
	const struct rionet_port *port = dev->data->dev_private;

	if (port->rxq != NULL)
		stats_rx(port->rxq, stats);
	if (port->txq != NULL)
		stats_tx(port->txq, stats);
	return 0;
}

int
rionet_stats_reset(struct rte_eth_dev *dev)
{
	struct rionet_port *port = dev->data->dev_private;

	if (port->rxq != NULL) {
		memset(&port->rxq->stats, 0, sizeof(port->rxq->stats));
		memset(&port->rxq->off_stats, 0, sizeof(port->rxq->off_stats));
		/* What the raw driver counts goes on; from here on it counts from zero. */
		port->rxq->stats.bad_desc = -stats_bad_desc(port->rxq);
	}
	if (port->txq != NULL)
		memset(&port->txq->stats, 0, sizeof(port->txq->stats));
	if (port->txq != NULL && port->txq->off != NULL)
		memset(&port->txq->off->stats, 0, sizeof(port->txq->off->stats));
	memset(&port->peers->stats, 0, sizeof(port->peers->stats));
	rionet_peer_stats_reset(port);
	memset(&port->dma_stats, 0, sizeof(port->dma_stats));
	rionet_fdb_stats_reset(port->fdb);
	return 0;
}

/* Where an extended counter lies. */
enum xstat_of {
	XSTAT_RXQ,
	XSTAT_RXOFF,
	XSTAT_TXQ,
	XSTAT_TXOFF,
	XSTAT_PEERS,
	XSTAT_FDB,
	XSTAT_DMA,
};

struct xstat {
	const char *name;
	enum xstat_of of;
	size_t offset;
};

#define XSTAT_RX(name, field) \
	{ name, XSTAT_RXQ, offsetof(struct rionet_rxq_stats, field) }
#define XSTAT_RXO(name, field) \
	{ name, XSTAT_RXOFF, offsetof(struct rionet_rxoff_stats, field) }
#define XSTAT_TXO(name, field) \
	{ name, XSTAT_TXOFF, offsetof(struct rionet_txoff_stats, field) }
#define XSTAT_TX(name, field) \
	{ name, XSTAT_TXQ, offsetof(struct rionet_txq_stats, field) }
#define XSTAT_PEER(name, field) \
	{ name, XSTAT_PEERS, offsetof(struct rionet_peers_stats, field) }
#define XSTAT_CTL(name, field) \
	{ name, XSTAT_DMA, offsetof(struct rionet_dma_stats, field) }
#define XSTAT_LEARN(name, field) \
	{ name, XSTAT_FDB, offsetof(struct rionet_fdb_stats, field) }

static const struct xstat counters[] = {
	XSTAT_RX("rx_filtered", filtered),
	XSTAT_RX("rx_oversize", oversize),
	XSTAT_RX("rx_runt", runt),
	XSTAT_RX("rx_stopped", discarded),
	XSTAT_RXO("rx_bad_ip_cksum", bad_ip),
	XSTAT_RXO("rx_bad_l4_cksum", bad_l4),
	XSTAT_RXO("rx_vlan_filtered", vlan_filtered),
	XSTAT_TX("tx_messages", messages),
	XSTAT_TX("tx_oversize", oversize),
	XSTAT_TX("tx_runt", runt),
	XSTAT_TX("tx_no_peer", no_peer),
	XSTAT_TX("tx_unknown_dropped", unknown),
	XSTAT_TX("tx_unknown_flooded", flooded),
	XSTAT_TX("tx_errors_response", errors),
	XSTAT_TX("tx_errors_timeout", timeouts),
	XSTAT_TX("tx_stopped", aborted),
	XSTAT_TX("tx_bounced", bounced),
	XSTAT_TX("tx_ring_full", ring_full),
	XSTAT_TXO("tx_tso_frames", tso),
	XSTAT_TXO("tx_tso_segments", segments),
	XSTAT_TXO("tx_offload_copied", copied),
	XSTAT_TXO("tx_bad_offload", bad),
	XSTAT_TX("tx_stalled", stalled),
	XSTAT_TX("tx_flood_missed", flood_missed),
	XSTAT_PEER("peer_joins", joins),
	XSTAT_PEER("peer_leaves", leaves),
	XSTAT_PEER("peer_refused", refused),
	XSTAT_PEER("peer_lost", lost),
	XSTAT_CTL("dma_agreed", opened),
	XSTAT_CTL("dma_refused", refused),
	XSTAT_CTL("dma_isolated", isolated),
	XSTAT_CTL("dma_lost", silent),
	XSTAT_CTL("dma_bad_setups", bad_setup),
	XSTAT_LEARN("mac_learned", learned),
	XSTAT_LEARN("mac_moved", moved),
	XSTAT_LEARN("mac_evicted", evicted),
	XSTAT_LEARN("mac_aged", aged),
};

/* Ones that are not a counter of a structure above. */
static const char *const gauges[] = {
	"rx_bad_descriptors",
	"peers_joined",
	"peers_dma",
	"mac_entries",
};

#define XSTATS_NB	(RTE_DIM(counters) + RTE_DIM(gauges))

static uint64_t
xstat_counter(const struct rionet_port *port, const struct xstat *x)
{
	struct rionet_fdb_stats fdb;
	const void *base = NULL;

	switch (x->of) {
	case XSTAT_RXQ:
		base = port->rxq != NULL ? &port->rxq->stats : NULL;
		break;
	case XSTAT_RXOFF:
		base = port->rxq != NULL ? &port->rxq->off_stats : NULL;
		break;
	case XSTAT_TXOFF:
		base = port->txq != NULL && port->txq->off != NULL ? &port->txq->off->stats : NULL;
		break;
	case XSTAT_TXQ:
		base = port->txq != NULL ? &port->txq->stats : NULL;
		break;
	case XSTAT_PEERS:
		base = &port->peers->stats;
		break;
	case XSTAT_DMA:
		base = &port->dma_stats;
		break;
	case XSTAT_FDB:
		rionet_fdb_stats(port->fdb, &fdb);
		base = &fdb;
		break;
	}
	return base == NULL ? 0 : *(const uint64_t *)RTE_PTR_ADD(base, x->offset);
}

/*
 * Counters of peers follow. Their number is the one that was told last, so that an
 * application that asks for it, then for names and values, gets what it expects.
 */
static unsigned int
xstats_nb(struct rionet_port *port, bool ask)
{
	if (ask)
		port->xstats_peers = __atomic_load_n(&port->peers->nb, __ATOMIC_ACQUIRE);
	return XSTATS_NB + port->xstats_peers * RIONET_PEER_STATS;
}

int
rionet_xstats_get(struct rte_eth_dev *dev, struct rte_eth_xstat *xstats, unsigned int n)
{
	struct rionet_port *port = dev->data->dev_private;
	unsigned int i, k, s, nb = xstats_nb(port, xstats == NULL);
	struct rionet_peer_view view;

	if (xstats == NULL || n < nb)
		return nb;
	for (i = 0; i < RTE_DIM(counters); i++)
		xstats[i].value = xstat_counter(port, &counters[i]);
	xstats[i++].value = port->rxq != NULL ? stats_bad_desc(port->rxq) : 0;
	xstats[i++].value = rionet_peers_count(port->peers, RIONET_PEER_JOINED);
	xstats[i++].value = port->dma != NULL ? rionet_dma_count(port->dma) : 0;
	xstats[i++].value = rionet_fdb_count(port->fdb);
	for (s = 1; i < nb; s++) {
		rionet_peer_view(port, s, &view);
		for (k = 0; k < RIONET_PEER_STATS; k++)
			xstats[i++].value = view.value[k];
	}
	for (i = 0; i < nb; i++)
		xstats[i].id = i;
	return nb;
}

int
rionet_xstats_get_names(struct rte_eth_dev *dev, struct rte_eth_xstat_name *names, unsigned int n)
{
	struct rionet_port *port = dev->data->dev_private;
	unsigned int i, k, s, nb = xstats_nb(port, names == NULL);
	struct rionet_peer_view view;

	if (names == NULL || n < nb)
		return nb;
	for (i = 0; i < RTE_DIM(counters); i++)
		strlcpy(names[i].name, counters[i].name, sizeof(names[i].name));
	for (k = 0; k < RTE_DIM(gauges); k++, i++)
		strlcpy(names[i].name, gauges[k], sizeof(names[i].name));
	for (s = 1; i < nb; s++) {
		rionet_peer_view(port, s, &view);
		for (k = 0; k < RIONET_PEER_STATS; k++, i++)
			snprintf(names[i].name, sizeof(names[i].name), "peer_%u_%s", view.destid,
				 rionet_peer_stat_names[k]);
	}
	return nb;
}
