/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The ethdev face of a port: control operations.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <ethdev_driver.h>

#include <tsi721_device.h>

#include "rionet_dma.h"
#include "rionet_ethdev.h"
#include "rionet_intr.h"
#include "rionet_msg.h"
#include "rionet_offload.h"
#include "rionet_port.h"
#include "rionet_proto.h"
#include "rionet_telemetry.h"
#include "rionet_txoff.h"

#define TX_FREE_THRESH_DEFAULT	32u

static struct rionet_port *
port_of(const struct rte_eth_dev *dev)
{
	return dev->data->dev_private;
}

/* Frames that do not fit an mbuf of the pool are chained, asked for or not. */
static void
port_set_mtu(struct rionet_port *port, uint16_t mtu)
{
	uint32_t tagged = mtu + RTE_ETHER_HDR_LEN + RIONET_VLAN_TAGS * RTE_VLAN_HLEN;

	port->max_frame = mtu + RTE_ETHER_HDR_LEN;
	port->max_rx = RTE_MIN(rionet_msg_len(tagged), RIONET_MSG_MAX);
	port->max_dma_rx = tagged;
	port->data->scattered_rx = port->rxq != NULL && tagged > port->rxq->room;
}

static int
rionet_configure(struct rte_eth_dev *dev)
{
	return rionet_offload_configure(dev);
}

static void
port_set_queue_states(struct rionet_port *port, uint8_t state)
{
	bool on = state == RTE_ETH_QUEUE_STATE_STARTED;

	if (port->rxq != NULL && !(on && port->rxq->deferred))
		port->data->rx_queue_state[0] = state;
	if (port->txq != NULL && !(on && port->txq->deferred))
		port->data->tx_queue_state[0] = state;
}

static void
port_set_bursts(struct rionet_port *port)
{
	bool dma = port->dma != NULL;

	port->rx_burst = dma ? rionet_dma_rx_burst : rionet_msg_rx_burst;
	port->tx_burst = dma ? rionet_dma_tx_burst : rionet_msg_tx_burst;
	port->tx_room = dma ? rionet_dma_tx_room : rionet_msg_tx_room;
	rionet_offload_select(&rte_eth_devices[port->data->port_id]);
}

/* Without DMA a port still has messages, if they are allowed. */
static int
port_start_dma(struct rionet_port *port)
{
	int ret;

	if (port->args.mode == RIONET_MODE_MSG)
		return 0;
	/* Nothing interrupts when memory was written. */
	if (port->data->dev_conf.intr_conf.rxq)
		ret = -ENOTSUP;
	else
		ret = rionet_dma_start(port);
	if (ret != 0 && port->args.mode == RIONET_MODE_AUTO) {
		if (ret != -ENOTSUP)
			RIONET_LOG(NOTICE, port->data->name, "no DMA, messages only: %s",
				   rte_strerror(-ret));
		ret = 0;
	}
	return ret;
}

/* Receive before saying JOIN: peers send from then on. */
static int
port_start(struct rionet_port *port)
{
	const char *what = "inbound mailbox";
	int ret = 0;

	if (port->rxq != NULL && !port->rxq->deferred)
		ret = rionet_rxq_start(port->rxq);
	if (ret == 0 && port->txq != NULL && !port->txq->deferred) {
		what = "outbound mailbox";
		ret = rionet_txq_start(port->txq);
	}
	if (ret == 0) {
		what = "DMA mode";
		ret = port_start_dma(port);
		port_set_bursts(port);
	}
	if (ret == 0) {
		what = "JOIN and LEAVE doorbells";
		ret = rionet_join_start(port);
	}
	if (ret != 0)
		RIONET_LOG(ERR, port->data->name, "cannot start: %s of %s: %s", what,
			   port->dev->name, rte_strerror(-ret));
	return ret;
}

static void
port_stop_queues(struct rionet_port *port)
{
	if (port->txq != NULL)
		rionet_txq_stop(port->txq);
	if (port->rxq != NULL)
		rionet_rxq_stop(port->rxq);
	rionet_dma_stop(port);
}

static int
rionet_start(struct rte_eth_dev *dev)
{
	struct rionet_port *port = port_of(dev);
	int ret;

	port_set_mtu(port, dev->data->mtu);
	ret = rionet_rx_intr_open(dev);
	if (ret == 0)
		ret = port_start(port);
	if (ret != 0) {
		port_stop_queues(port);
		rionet_rx_intr_close(dev);
		return ret;
	}
	port->started = true;
	port_set_queue_states(port, RTE_ETH_QUEUE_STATE_STARTED);
	rionet_link_update(dev, 0);
	rionet_tick_start(port);
	return 0;
}

static int
rionet_stop(struct rte_eth_dev *dev)
{
	struct rionet_port *port = port_of(dev);

	if (!port->started)
		return 0;
	port->started = false;
	dev->data->dev_started = 0;
	rionet_tick_stop(port);
	rionet_join_stop(port);
	port_stop_queues(port);
	rionet_rx_intr_close(dev);
	port_set_queue_states(port, RTE_ETH_QUEUE_STATE_STOPPED);
	rionet_link_update(dev, 0);
	return 0;
}

static int
rionet_infos_get(struct rte_eth_dev *dev, struct rte_eth_dev_info *info)
{
	const struct rte_eth_desc_lim lim = {
		.nb_max = RIONET_DESC_MAX,
		.nb_min = RIONET_DESC_MIN,
		.nb_align = 1,
		.nb_seg_max = UINT16_MAX,
		.nb_mtu_seg_max = UINT16_MAX,
	};

	const bool dma = port_of(dev)->args.mode != RIONET_MODE_MSG;

	info->min_mtu = RIONET_MTU_MIN;
	info->max_mtu = dma ? RIONET_DMA_MTU_MAX : RIONET_MTU_MAX;
	info->min_rx_bufsize = RIONET_RX_ROOM_MIN;
	info->max_rx_pktlen = info->max_mtu + RTE_ETHER_HDR_LEN;
	info->max_rx_queues = 1;
	info->max_tx_queues = 1;
	info->max_mac_addrs = RIONET_MAC_ADDRS_MAX;
	info->dev_capa = RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP |
			 RTE_ETH_DEV_CAPA_RUNTIME_TX_QUEUE_SETUP;
	rionet_offload_infos(info);
	info->rx_desc_lim = lim;
	info->tx_desc_lim = lim;
	info->speed_capa = RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_1G |
			   RTE_ETH_LINK_SPEED_2_5G | RTE_ETH_LINK_SPEED_5G |
			   RTE_ETH_LINK_SPEED_10G | RTE_ETH_LINK_SPEED_20G;
	info->default_rxportconf.ring_size = RIONET_DESC_DEFAULT;
	info->default_txportconf.ring_size = RIONET_DESC_DEFAULT;
	info->default_rxportconf.burst_size = RIONET_BURST;
	info->default_txportconf.burst_size = RIONET_BURST;
	info->default_rxportconf.nb_queues = 1;
	info->default_txportconf.nb_queues = 1;
	info->default_txconf.tx_free_thresh = TX_FREE_THRESH_DEFAULT;
	return 0;
}

static int
rionet_rx_queue_setup(struct rte_eth_dev *dev, uint16_t qid, uint16_t nb_desc,
		      unsigned int socket_id, const struct rte_eth_rxconf *conf,
		      struct rte_mempool *pool)
{
	struct rionet_port *port = port_of(dev);

	port->rxq = rionet_rxq_create(port, nb_desc, pool, socket_id);
	dev->data->rx_queues[qid] = port->rxq;
	if (port->rxq == NULL) {
		RIONET_LOG(ERR, dev->data->name, "rx queue %u: no memory for %u descriptors", qid,
			   nb_desc);
		return -ENOMEM;
	}
	port->rxq->deferred = conf->rx_deferred_start;
	rionet_dma_attach_rxq(port, port->rxq);
	port_set_mtu(port, dev->data->mtu);
	return 0;
}

/* The interrupt thread may be looking at the old one. */
static struct rionet_txq *
port_set_txq(struct rionet_port *port, struct rionet_txq *txq)
{
	struct rionet_txq *old;

	rte_spinlock_lock(&port->queue_lock);
	old = port->txq;
	port->txq = txq;
	rte_spinlock_unlock(&port->queue_lock);
	return old;
}

static int
rionet_tx_queue_setup(struct rte_eth_dev *dev, uint16_t qid, uint16_t nb_desc,
		      unsigned int socket_id, const struct rte_eth_txconf *conf)
{
	struct rionet_port *port = port_of(dev);
	uint16_t free_thresh = conf->tx_free_thresh != 0 ? conf->tx_free_thresh :
							   TX_FREE_THRESH_DEFAULT;

	struct rionet_txq *txq = rionet_txq_create(port, nb_desc, free_thresh, socket_id);

	if (txq != NULL && (dev->data->dev_conf.txmode.offloads & RIONET_TX_OFFLOADS_WORK)) {
		txq->off = rionet_txoff_create(port, qid, nb_desc, socket_id);
		if (txq->off == NULL) {
			rionet_txq_free(txq);
			txq = NULL;
		}
	}
	port_set_txq(port, txq);
	dev->data->tx_queues[qid] = txq;
	if (txq == NULL) {
		RIONET_LOG(ERR, dev->data->name, "tx queue %u: no memory for %u descriptors", qid,
			   nb_desc);
		return -ENOMEM;
	}
	txq->deferred = conf->tx_deferred_start;
	/* Segments and copies that offloads make are of another pool. */
	txq->fast_free = txq->off == NULL &&
			 ((dev->data->dev_conf.txmode.offloads | conf->offloads) &
			  RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE) != 0;
	rionet_dma_attach_txq(port, txq);
	return 0;
}

static void
rionet_rx_queue_release(struct rte_eth_dev *dev, uint16_t qid)
{
	struct rionet_port *port = port_of(dev);

	RTE_SET_USED(qid);
	rionet_telemetry_lock();
	rionet_rxq_free(port->rxq);
	port->rxq = NULL;
	rionet_telemetry_unlock();
}

static void
rionet_tx_queue_release(struct rte_eth_dev *dev, uint16_t qid)
{
	struct rionet_port *port = port_of(dev);

	RTE_SET_USED(qid);
	rionet_telemetry_lock();
	rionet_txq_free(port_set_txq(port, NULL));
	rionet_telemetry_unlock();
}

static int
rionet_rx_queue_start(struct rte_eth_dev *dev, uint16_t qid)
{
	struct rionet_rxq *rxq = dev->data->rx_queues[qid];
	int ret = rxq->running ? 0 : rionet_rxq_start(rxq);

	if (ret == 0)
		dev->data->rx_queue_state[qid] = RTE_ETH_QUEUE_STATE_STARTED;
	return ret;
}

static int
rionet_rx_queue_stop(struct rte_eth_dev *dev, uint16_t qid)
{
	rionet_rxq_stop(dev->data->rx_queues[qid]);
	dev->data->rx_queue_state[qid] = RTE_ETH_QUEUE_STATE_STOPPED;
	return 0;
}

static int
rionet_tx_queue_start(struct rte_eth_dev *dev, uint16_t qid)
{
	struct rionet_txq *txq = dev->data->tx_queues[qid];
	int ret = txq->running ? 0 : rionet_txq_start(txq);

	if (ret == 0)
		dev->data->tx_queue_state[qid] = RTE_ETH_QUEUE_STATE_STARTED;
	return ret;
}

static int
rionet_tx_queue_stop(struct rte_eth_dev *dev, uint16_t qid)
{
	rionet_txq_stop(dev->data->tx_queues[qid]);
	dev->data->tx_queue_state[qid] = RTE_ETH_QUEUE_STATE_STOPPED;
	return 0;
}

static int
rionet_promiscuous_enable(struct rte_eth_dev *dev)
{
	__atomic_store_n(&port_of(dev)->filter.promiscuous, true, __ATOMIC_RELAXED);
	return 0;
}

static int
rionet_promiscuous_disable(struct rte_eth_dev *dev)
{
	__atomic_store_n(&port_of(dev)->filter.promiscuous, false, __ATOMIC_RELAXED);
	return 0;
}

static int
rionet_allmulticast_enable(struct rte_eth_dev *dev)
{
	__atomic_store_n(&port_of(dev)->filter.allmulticast, true, __ATOMIC_RELAXED);
	return 0;
}

static int
rionet_allmulticast_disable(struct rte_eth_dev *dev)
{
	__atomic_store_n(&port_of(dev)->filter.allmulticast, false, __ATOMIC_RELAXED);
	return 0;
}

/*
 * An address outside 00:01:00:01 makes this port one behind a bridge: peers of this
 * driver learn where it is, Linux peers cannot send to it. One inside that names
 * another station would never be reached.
 */
static int
mac_check(const struct rte_eth_dev *dev, const struct rte_ether_addr *addr)
{
	const struct rionet_port *port = port_of(dev);
	uint64_t mac = rionet_mac48_addr(addr);

	if (rionet_mac_is_station(mac) && rionet_mac_destid(mac) != port->dev->destid) {
		RIONET_LOG(ERR, dev->data->name, RTE_ETHER_ADDR_PRT_FMT
			   ": belongs to destination ID %u, this station has %u",
			   RTE_ETHER_ADDR_BYTES(addr), rionet_mac_destid(mac), port->dev->destid);
		return -EINVAL;
	}
	if (mac != port->filter.mac && !rionet_mac_is_station(mac))
		RIONET_LOG(NOTICE, dev->data->name, RTE_ETHER_ADDR_PRT_FMT
			   ": outside 00:01:00:01, Linux stations cannot send to it",
			   RTE_ETHER_ADDR_BYTES(addr));
	return 0;
}

static int
rionet_mac_addr_set(struct rte_eth_dev *dev, struct rte_ether_addr *addr)
{
	int ret = mac_check(dev, addr);

	if (ret == 0)
		__atomic_store_n(&port_of(dev)->filter.mac, rionet_mac48_addr(addr),
				 __ATOMIC_RELAXED);
	return ret;
}

static void
filter_set_more(struct rionet_filter *filter, uint32_t index, uint64_t mac)
{
	bool any = false;
	unsigned int i;

	__atomic_store_n(&filter->more[index], mac, __ATOMIC_RELAXED);
	for (i = 0; i < RIONET_MAC_ADDRS_MAX; i++)
		any |= filter->more[i] != 0;
	__atomic_store_n(&filter->any_more, any, __ATOMIC_RELEASE);
}

static int
rionet_mac_addr_add(struct rte_eth_dev *dev, struct rte_ether_addr *addr, uint32_t index,
		    uint32_t pool)
{
	int ret = mac_check(dev, addr);

	RTE_SET_USED(pool);
	if (ret == 0)
		filter_set_more(&port_of(dev)->filter, index, rionet_mac48_addr(addr));
	return ret;
}

static void
rionet_mac_addr_remove(struct rte_eth_dev *dev, uint32_t index)
{
	filter_set_more(&port_of(dev)->filter, index, 0);
}

static int
rionet_set_mc_addr_list(struct rte_eth_dev *dev, struct rte_ether_addr *addrs, uint32_t nb)
{
	struct rionet_filter *filter = &port_of(dev)->filter;
	uint32_t i;

	if (nb > RIONET_MC_ADDRS_MAX) {
		RIONET_LOG(ERR, dev->data->name,
			   "%u multicast addresses: at most %u; use allmulticast", nb,
			   RIONET_MC_ADDRS_MAX);
		return -ENOSPC;
	}
	__atomic_store_n(&filter->nb_mc, 0, __ATOMIC_RELEASE);
	for (i = 0; i < nb; i++)
		__atomic_store_n(&filter->mc[i], rionet_mac48_addr(&addrs[i]), __ATOMIC_RELAXED);
	__atomic_store_n(&filter->nb_mc, nb, __ATOMIC_RELEASE);
	return 0;
}

static int
rionet_mtu_set(struct rte_eth_dev *dev, uint16_t mtu)
{
	port_set_mtu(port_of(dev), mtu);
	return 0;
}

static void
rionet_rxq_info_get(struct rte_eth_dev *dev, uint16_t qid, struct rte_eth_rxq_info *info)
{
	const struct rionet_rxq *rxq = dev->data->rx_queues[qid];

	info->mp = rxq->pool;
	info->nb_desc = rxq->nb_desc;
	info->scattered_rx = dev->data->scattered_rx;
	info->conf.offloads = dev->data->dev_conf.rxmode.offloads;
	info->rx_buf_size = rxq->room;
	info->conf.rx_deferred_start = rxq->deferred;
	info->queue_state = dev->data->rx_queue_state[qid];
}

static void
rionet_txq_info_get(struct rte_eth_dev *dev, uint16_t qid, struct rte_eth_txq_info *info)
{
	const struct rionet_txq *txq = dev->data->tx_queues[qid];

	info->nb_desc = txq->nb_desc;
	info->conf.tx_free_thresh = txq->free_thresh;
	info->conf.tx_deferred_start = txq->deferred;
	info->queue_state = dev->data->tx_queue_state[qid];
	info->conf.offloads = dev->data->dev_conf.txmode.offloads;
}

static int
rionet_rx_burst_mode_get(struct rte_eth_dev *dev, uint16_t qid, struct rte_eth_burst_mode *mode)
{
	static const char *const large[] = {
		[RIONET_RX_AUTO] = "attached or copied",
		[RIONET_RX_COPY] = "copied",
		[RIONET_RX_ZC] = "attached",
	};
	const struct rionet_port *port = port_of(dev);

	RTE_SET_USED(qid);
	if (port->dma != NULL)
		snprintf(mode->info, sizeof(mode->info), "DMA, large frames %s",
			 large[port->args.rx]);
	else
		snprintf(mode->info, sizeof(mode->info), "Messages, copied");
	return 0;
}

static int
rionet_tx_burst_mode_get(struct rte_eth_dev *dev, uint16_t qid, struct rte_eth_burst_mode *mode)
{
	RTE_SET_USED(qid);
	snprintf(mode->info, sizeof(mode->info), "%s, zero copy",
		 port_of(dev)->dma != NULL ? "DMA, large frames" : "Messages");
	return 0;
}

static int
rionet_tx_done_cleanup(void *queue, uint32_t free_cnt)
{
	struct rionet_txq *txq = queue;
	unsigned int n;

	if (!txq->running)
		return 0;
	rionet_txoff_flush(txq);
	n = rionet_txq_reap(txq, free_cnt != 0 ? free_cnt : UINT32_MAX);
	if (txq->qp != NULL)
		n += rionet_qp_clean(txq->qp);
	return n;
}

static uint32_t
rionet_rx_queue_count(void *queue)
{
	return rionet_rxq_ready(queue, UINT32_MAX) + rionet_dma_ready_count(queue, UINT32_MAX);
}

static int
rionet_rx_descriptor_status(void *queue, uint16_t offset)
{
	struct rionet_rxq *rxq = queue;

	if (offset >= rxq->nb_desc)
		return -EINVAL;
	return rionet_rxq_ready(rxq, offset + 1u) + rionet_dma_ready_count(rxq, offset + 1u) >
	       offset ? RTE_ETH_RX_DESC_DONE : RTE_ETH_RX_DESC_AVAIL;
}

static int
rionet_tx_descriptor_status(void *queue, uint16_t offset)
{
	struct rionet_txq *txq = queue;
	uint32_t in_flight;

	if (offset >= txq->nb_desc)
		return -EINVAL;
	rionet_txq_reap(txq, UINT32_MAX);
	in_flight = rionet_txq_in_flight(txq);
	if (txq->qp != NULL)
		in_flight += rionet_qp_in_flight(txq->qp);
	return offset < in_flight ? RTE_ETH_TX_DESC_FULL : RTE_ETH_TX_DESC_DONE;
}

static int
rionet_close(struct rte_eth_dev *dev)
{
	struct rionet_port *port = port_of(dev);

	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return 0;
	rionet_stop(dev);
	rionet_rx_queue_release(dev, 0);
	rionet_tx_queue_release(dev, 0);
	rionet_port_fini(port);
	return 0;
}

static int
rionet_is_removed(struct rte_eth_dev *dev)
{
	return tsi721_device_is_gone(port_of(dev)->dev);
}

/* As it was made: nothing that the application set is kept. The raw device stays. */
static int
rionet_reset(struct rte_eth_dev *dev)
{
	struct rionet_port *port = port_of(dev);
	uint64_t mac = rionet_mac_of(port->dev->destid);

	rionet_stop(dev);
	memset(&port->filter, 0, sizeof(port->filter));
	memset(&dev->data->mac_addrs[1], 0,
	       (RIONET_MAC_ADDRS_MAX - 1) * sizeof(*dev->data->mac_addrs));
	port->filter.mac = mac;
	rionet_mac_to_addr(mac, &dev->data->mac_addrs[0]);
	rionet_rxoff_init(&port->rxoff);
	rionet_fdb_flush(port->fdb);
	return 0;
}

const struct eth_dev_ops rionet_ops = {
	.dev_configure = rionet_configure,
	.dev_start = rionet_start,
	.dev_stop = rionet_stop,
	.dev_close = rionet_close,
	.dev_reset = rionet_reset,
	.is_removed = rionet_is_removed,
	.dev_infos_get = rionet_infos_get,
	.link_update = rionet_link_update,
	.rx_queue_setup = rionet_rx_queue_setup,
	.tx_queue_setup = rionet_tx_queue_setup,
	.rx_queue_release = rionet_rx_queue_release,
	.tx_queue_release = rionet_tx_queue_release,
	.stats_get = rionet_stats_get,
	.stats_reset = rionet_stats_reset,
	.xstats_get = rionet_xstats_get,
	.xstats_get_names = rionet_xstats_get_names,
	.xstats_reset = rionet_stats_reset,
	.rx_queue_intr_enable = rionet_rx_queue_intr_enable,
	.rx_queue_intr_disable = rionet_rx_queue_intr_disable,
	.get_monitor_addr = rionet_get_monitor_addr,
	.rx_queue_start = rionet_rx_queue_start,
	.rx_queue_stop = rionet_rx_queue_stop,
	.tx_queue_start = rionet_tx_queue_start,
	.tx_queue_stop = rionet_tx_queue_stop,
	.vlan_filter_set = rionet_vlan_filter_set,
	.vlan_offload_set = rionet_vlan_offload_set,
	.dev_supported_ptypes_get = rionet_supported_ptypes_get,
	.dev_ptypes_set = rionet_ptypes_set,
	.rss_hash_update = rionet_rss_hash_update,
	.rss_hash_conf_get = rionet_rss_hash_conf_get,
	.reta_update = rionet_reta_update,
	.reta_query = rionet_reta_query,
	.promiscuous_enable = rionet_promiscuous_enable,
	.promiscuous_disable = rionet_promiscuous_disable,
	.allmulticast_enable = rionet_allmulticast_enable,
	.allmulticast_disable = rionet_allmulticast_disable,
	.mac_addr_set = rionet_mac_addr_set,
	.mac_addr_add = rionet_mac_addr_add,
	.mac_addr_remove = rionet_mac_addr_remove,
	.set_mc_addr_list = rionet_set_mc_addr_list,
	.mtu_set = rionet_mtu_set,
	.rxq_info_get = rionet_rxq_info_get,
	.txq_info_get = rionet_txq_info_get,
	.rx_burst_mode_get = rionet_rx_burst_mode_get,
	.tx_burst_mode_get = rionet_tx_burst_mode_get,
	.tx_done_cleanup = rionet_tx_done_cleanup,
};

void
rionet_ethdev_init(struct rte_eth_dev *dev)
{
	dev->dev_ops = &rionet_ops;
	port_of(dev)->rx_burst = rionet_msg_rx_burst;
	port_of(dev)->tx_burst = rionet_msg_tx_burst;
	port_of(dev)->tx_room = rionet_msg_tx_room;
	rionet_rxoff_init(&port_of(dev)->rxoff);
	rionet_offload_select(dev);
	dev->rx_queue_count = rionet_rx_queue_count;
	dev->rx_descriptor_status = rionet_rx_descriptor_status;
	dev->tx_descriptor_status = rionet_tx_descriptor_status;
	dev->data->dev_flags |= RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS | RTE_ETH_DEV_INTR_LSC |
				RTE_ETH_DEV_INTR_RMV;
	dev->data->promiscuous = 1;
	dev->data->all_multicast = 1;
	dev->data->dev_link.link_status = RTE_ETH_LINK_DOWN;
	dev->data->dev_link.link_duplex = RTE_ETH_LINK_FULL_DUPLEX;
	dev->data->dev_link.link_autoneg = RTE_ETH_LINK_FIXED;
	dev->data->mtu = RTE_ETHER_MTU;
}
