/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_ethdev.h>

#include "app_error.h"
#include "l2fwd.h"

#define CACHE	256

static int
failed(const struct l2fwd_port *port, const char *step, int ret)
{
	return app_error("%s: %s: %s", port->name, step, rte_strerror(ret < 0 ? -ret : ret));
}

static int
find(struct l2fwd_port *port, const char *name, uint16_t from)
{
	unsigned long number;
	char *end;

	if (name == NULL) {
		port->id = (uint16_t)rte_eth_find_next(from);
		if (port->id >= RTE_MAX_ETHPORTS)
			return app_error("there are not two ports: name them, as in --vdev net_rionet0 "
					 "--vdev net_tap0");
	} else if (rte_eth_dev_get_port_by_name(name, &port->id) != 0) {
		number = strtoul(name, &end, 10);
		if (*name < '0' || *name > '9' || *end != '\0' || number >= RTE_MAX_ETHPORTS ||
		    !rte_eth_dev_is_valid_port((uint16_t)number))
			return app_error("--ports: there is no port '%s'", name);
		port->id = (uint16_t)number;
	}
	return rte_eth_dev_get_name_by_port(port->id, port->name);
}

/* A longest frame is told to a port that can be told; some take any. */
static int
set_mtu(const struct l2fwd_port *port, const struct l2fwd_options *opt)
{
	int ret = opt->mtu == 0 ? 0 : rte_eth_dev_set_mtu(port->id, (uint16_t)opt->mtu);

	return ret == -ENOTSUP ? 0 : ret;
}

static int
set_up(struct l2fwd_port *port, const struct l2fwd_options *opt, struct rte_mempool *pool,
       const char **step)
{
	uint16_t nb_rx = (uint16_t)opt->ring, nb_tx = (uint16_t)opt->ring;
	struct rte_eth_dev_info info;
	struct rte_eth_conf conf;
	int ret;

	*step = "getting its properties";
	ret = rte_eth_dev_info_get(port->id, &info);
	if (ret < 0)
		return ret;
	memset(&conf, 0, sizeof(conf));
	conf.rxmode.offloads = info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER;
	conf.txmode.offloads = info.tx_offload_capa &
			       (RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE);
	if (opt->queues > 1 && info.flow_type_rss_offloads != 0) {
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		conf.rx_adv_conf.rss_conf.rss_hf = info.flow_type_rss_offloads;
	}
	*step = "configuring its queues";
	ret = rte_eth_dev_configure(port->id, (uint16_t)opt->queues, (uint16_t)opt->queues, &conf);
	if (ret < 0)
		return ret;
	*step = "setting its MTU";
	ret = set_mtu(port, opt);
	if (ret < 0)
		return ret;
	*step = "setting its queues up";
	ret = rte_eth_dev_adjust_nb_rx_tx_desc(port->id, &nb_rx, &nb_tx);
	for (uint16_t q = 0; q < opt->queues && ret == 0; q++) {
		ret = rte_eth_rx_queue_setup(port->id, q, nb_rx, SOCKET_ID_ANY, NULL, pool);
		if (ret == 0)
			ret = rte_eth_tx_queue_setup(port->id, q, nb_tx, SOCKET_ID_ANY, NULL);
	}
	if (ret < 0)
		return ret;
	*step = "starting";
	ret = rte_eth_dev_start(port->id);
	if (ret < 0)
		return ret;
	port->started = true;
	rte_eth_macaddr_get(port->id, &port->mac);
	if (opt->promiscuous)
		rte_eth_promiscuous_enable(port->id);
	else
		rte_eth_promiscuous_disable(port->id);
	return 0;
}

void
l2fwd_ports_close(struct l2fwd_port port[2], struct rte_mempool *pool)
{
	for (int i = 0; i < 2; i++)
		if (port[i].started) {
			rte_eth_dev_stop(port[i].id);
			rte_eth_dev_close(port[i].id);
			port[i].started = false;
		}
	rte_mempool_free(pool);
}

int
l2fwd_ports_open(struct l2fwd_port port[2], const struct l2fwd_options *opt, struct rte_mempool **pool)
{
	/* Full rings of both ports both ways, a burst in hand each way, caches of the lcores. */
	unsigned int buffers = opt->queues * (4 * opt->ring + 4 * L2FWD_BURST + 2 * CACHE) + CACHE;
	const char *step = "";
	int ret;

	if (find(&port[0], opt->port[0], 0) < 0 ||
	    find(&port[1], opt->port[1], (uint16_t)(port[0].id + 1)) < 0)
		return -1;
	if (port[0].id == port[1].id)
		return app_error("--ports: both are %s", port[0].name);
	*pool = rte_pktmbuf_pool_create("l2fwd", buffers, CACHE, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					SOCKET_ID_ANY);
	if (*pool == NULL)
		return app_error("no memory for %u buffers: give EAL more (-m), or lessen --ring",
				 buffers);
	for (int i = 0; i < 2; i++) {
		ret = set_up(&port[i], opt, *pool, &step);
		if (ret < 0) {
			failed(&port[i], step, ret);
			l2fwd_ports_close(port, *pool);
			return -1;
		}
	}
	return 0;
}

unsigned int
l2fwd_path_turn(struct l2fwd_path *path, bool take)
{
	uint16_t sent;

	if (path->nb_held == 0 && take) {
		path->nb_held = rte_eth_rx_burst(path->from, path->queue, path->held, L2FWD_BURST);
		path->received += path->nb_held;
		for (uint16_t i = 0; path->rewrite && i < path->nb_held; i++) {
			struct rte_ether_hdr *eth = rte_pktmbuf_mtod(path->held[i],
								     struct rte_ether_hdr *);

			eth->src_addr = path->src;
			eth->dst_addr = path->dst;
		}
	}
	if (path->nb_held == 0)
		return 0;
	sent = rte_eth_tx_burst(path->to, path->queue, path->held, path->nb_held);
	path->sent += sent;
	path->nb_held -= sent;
	memmove(path->held, &path->held[sent], path->nb_held * sizeof(path->held[0]));
	return sent;
}

void
l2fwd_path_drop(struct l2fwd_path *path)
{
	rte_pktmbuf_free_bulk(path->held, path->nb_held);
	path->dropped += path->nb_held;
	path->nb_held = 0;
}
