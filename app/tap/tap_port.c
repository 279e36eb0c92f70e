/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "app_error.h"
#include "tap_port.h"

#define CACHE		256
#define CHECKSUMS	(RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM | \
			 RTE_ETH_TX_OFFLOAD_IPV4_CKSUM)

static int
find(struct tap_port *port, const char *name)
{
	unsigned long number;
	char *end;

	if (name == NULL) {
		port->id = (uint16_t)rte_eth_find_next(0);
		if (port->id < RTE_MAX_ETHPORTS)
			return 0;
		return app_error("there is no port: name one, as in --vdev net_rionet0");
	}
	if (rte_eth_dev_get_port_by_name(name, &port->id) == 0)
		return 0;
	number = strtoul(name, &end, 10);
	if (*name < '0' || *name > '9' || *end != '\0' || number >= RTE_MAX_ETHPORTS ||
	    !rte_eth_dev_is_valid_port((uint16_t)number))
		return app_error("--port: there is no port '%s'", name);
	port->id = (uint16_t)number;
	return 0;
}

static int
failed(const char *step, int ret)
{
	return app_error("the port: %s: %s", step, rte_strerror(ret < 0 ? -ret : ret));
}

static int
make_pools(struct tap_port *port, const struct tap_options *opt)
{
	/* Full rings both ways, one burst in hand, and what the caches of the lcores keep. */
	unsigned int rx = port->queues * (2 * opt->ring + 2 * CACHE + 64) + CACHE;
	unsigned int big = port->queues * (opt->ring + CACHE + 64);

	unsigned int longest = port->offload.tso ? TAP_FRAME_MAX :
			       port->mtu + RTE_ETHER_HDR_LEN + 2 * RTE_VLAN_HLEN;

	port->rx = rte_pktmbuf_pool_create("tap_rx", rx, CACHE, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					   SOCKET_ID_ANY);
	if (port->rx == NULL)
		return app_error("no memory for %u buffers of %u bytes: give EAL more (-m)", rx,
				 RTE_MBUF_DEFAULT_BUF_SIZE);
	/* Without segmentation a frame of an ordinary MTU fits the first part. */
	if (longest <= RTE_MBUF_DEFAULT_DATAROOM)
		return 0;
	port->big_room = longest - RTE_MBUF_DEFAULT_DATAROOM;
	port->big = rte_pktmbuf_pool_create("tap_big", big, 32, 0, (uint16_t)port->big_room,
					    SOCKET_ID_ANY);
	if (port->big == NULL)
		return app_error("no memory for %u buffers of %u bytes: give EAL more (-m), or "
				 "lessen --ring", big, port->big_room);
	return 0;
}

static uint64_t
choose_offloads(struct tap_port *port, const struct tap_options *opt, uint64_t can)
{
	port->offload.checksum = !opt->no_offload && (can & CHECKSUMS) == CHECKSUMS;
	port->offload.tso = port->offload.checksum && (can & RTE_ETH_TX_OFFLOAD_TCP_TSO) &&
			    (can & RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	return (can & RTE_ETH_TX_OFFLOAD_MULTI_SEGS) |
	       (port->offload.checksum ? CHECKSUMS : 0) |
	       (port->offload.tso ? RTE_ETH_TX_OFFLOAD_TCP_TSO : 0);
}

static int
configure(struct tap_port *port, const struct tap_options *opt,
	  const struct rte_eth_dev_info *info)
{
	struct rte_eth_conf conf;
	int ret;

	memset(&conf, 0, sizeof(conf));
	conf.txmode.offloads = choose_offloads(port, opt, info->tx_offload_capa);
	conf.rxmode.offloads = info->rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER;
	if (!opt->no_offload) {
		conf.rxmode.offloads |= info->rx_offload_capa & RTE_ETH_RX_OFFLOAD_TCP_LRO;
		conf.rxmode.max_lro_pkt_size = info->max_lro_pkt_size;
	}
	conf.rxmode.mtu = port->mtu;
	if (port->queues > 1 && info->flow_type_rss_offloads != 0) {
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		conf.rx_adv_conf.rss_conf.rss_hf = info->flow_type_rss_offloads;
	}
	conf.intr_conf.rxq = 1;
	ret = rte_eth_dev_configure(port->id, port->queues, port->queues, &conf);
	if (ret < 0) {
		/* As it is with drivers that cannot. */
		conf.intr_conf.rxq = 0;
		ret = rte_eth_dev_configure(port->id, port->queues, port->queues, &conf);
	}
	return ret;
}

static int
set_up_queues(struct tap_port *port, const struct tap_options *opt)
{
	uint16_t nb_rx = (uint16_t)opt->ring, nb_tx = (uint16_t)opt->ring;
	int ret = rte_eth_dev_adjust_nb_rx_tx_desc(port->id, &nb_rx, &nb_tx);

	for (uint16_t q = 0; q < port->queues && ret == 0; q++) {
		ret = rte_eth_rx_queue_setup(port->id, q, nb_rx, SOCKET_ID_ANY, NULL, port->rx);
		if (ret == 0)
			ret = rte_eth_tx_queue_setup(port->id, q, nb_tx, SOCKET_ID_ANY, NULL);
	}
	return ret;
}

static int
choose_mtu(struct tap_port *port, const struct tap_options *opt,
	   const struct rte_eth_dev_info *info)
{
	int ret = rte_eth_dev_get_mtu(port->id, &port->mtu);

	if (ret < 0)
		return failed("reading its MTU", ret);
	if (opt->mtu == 0)
		return 0;
	if (opt->mtu < info->min_mtu || opt->mtu > info->max_mtu)
		return app_error("--mtu: the port takes %u to %u, not %u", info->min_mtu,
				 info->max_mtu, opt->mtu);
	port->mtu = (uint16_t)opt->mtu;
	return 0;
}

int
tap_port_open(struct tap_port *port, const struct tap_options *opt)
{
	struct rte_eth_dev_info info;
	int ret;

	memset(port, 0, sizeof(*port));
	if (find(port, opt->port) < 0)
		return -1;
	ret = rte_eth_dev_info_get(port->id, &info);
	if (ret < 0)
		return failed("getting its properties", ret);
	if (opt->queues > info.max_rx_queues || opt->queues > info.max_tx_queues)
		return app_error("--queues: the port has %u receive and %u transmit queues, not %u",
				 info.max_rx_queues, info.max_tx_queues, opt->queues);
	port->queues = (uint16_t)opt->queues;
	if (choose_mtu(port, opt, &info) < 0)
		return -1;
	ret = configure(port, opt, &info);
	if (ret < 0)
		return failed("configuring it", ret);
	if (make_pools(port, opt) < 0)
		return -1;
	ret = set_up_queues(port, opt);
	if (ret < 0)
		return failed("setting its queues up", ret);
	if (opt->has_mac) {
		struct rte_ether_addr mac = opt->mac;

		ret = rte_eth_dev_default_mac_addr_set(port->id, &mac);
		if (ret < 0)
			return failed("setting its MAC address", ret);
	}
	/* The kernel decides what it wants; multicast membership is its own. */
	ret = rte_eth_promiscuous_enable(port->id);
	if (ret < 0 && ret != -ENOTSUP)
		return failed("making it promiscuous", ret);
	ret = rte_eth_dev_start(port->id);
	if (ret < 0)
		return failed("starting it", ret);
	port->rx_intr = rte_eth_dev_rx_intr_enable(port->id, 0) == 0;
	if (port->rx_intr)
		rte_eth_dev_rx_intr_disable(port->id, 0);
	return 0;
}

void
tap_port_close(struct tap_port *port)
{
	rte_eth_dev_stop(port->id);
	rte_eth_dev_close(port->id);
	rte_mempool_free(port->big);
	rte_mempool_free(port->rx);
}

bool
tap_port_link(const struct tap_port *port)
{
	struct rte_eth_link link;

	return rte_eth_link_get_nowait(port->id, &link) == 0 &&
	       link.link_status == RTE_ETH_LINK_UP;
}
