/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Ports in secondary processes. They share the memory of the port, not its device:
 * they look at it, and set which frames it takes. Anything else is the primary process's.
 */

#include <errno.h>

#include <rte_ethdev.h>
#include <ethdev_driver.h>

#include "rionet_ethdev.h"
#include "rionet_port.h"

static int
secondary_link_update(struct rte_eth_dev *dev, int wait_to_complete)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(wait_to_complete);
	return 0;	/* as the primary process saw it last */
}

static int
secondary_refuse(struct rte_eth_dev *dev)
{
	RIONET_LOG(ERR, dev->data->name, "belongs to the primary process: a secondary one has "
		   "information, statistics, receive modes");
	return -ENOTSUP;
}

static int
secondary_close(struct rte_eth_dev *dev)
{
	RTE_SET_USED(dev);
	return 0;
}

static uint16_t
secondary_burst(void *queue, struct rte_mbuf **mbufs, uint16_t nb)
{
	RTE_SET_USED(queue);
	RTE_SET_USED(mbufs);
	RTE_SET_USED(nb);
	return 0;
}

/* Of the operations of the primary process those that need its memory only. */
static void
secondary_ops_init(struct eth_dev_ops *ops)
{
	*ops = (struct eth_dev_ops){
		.dev_configure = secondary_refuse,
		.dev_start = secondary_refuse,
		.dev_stop = secondary_refuse,
		.dev_close = secondary_close,
		.link_update = secondary_link_update,
		.dev_infos_get = rionet_ops.dev_infos_get,
		.stats_get = rionet_ops.stats_get,
		.xstats_get = rionet_ops.xstats_get,
		.xstats_get_names = rionet_ops.xstats_get_names,
		.promiscuous_enable = rionet_ops.promiscuous_enable,
		.promiscuous_disable = rionet_ops.promiscuous_disable,
		.allmulticast_enable = rionet_ops.allmulticast_enable,
		.allmulticast_disable = rionet_ops.allmulticast_disable,
		.rxq_info_get = rionet_ops.rxq_info_get,
		.txq_info_get = rionet_ops.txq_info_get,
		.rx_burst_mode_get = rionet_ops.rx_burst_mode_get,
		.tx_burst_mode_get = rionet_ops.tx_burst_mode_get,
	};
}

void
rionet_ethdev_attach(struct rte_eth_dev *dev)
{
	static struct eth_dev_ops ops;

	secondary_ops_init(&ops);
	dev->dev_ops = &ops;
	dev->rx_pkt_burst = secondary_burst;
	dev->tx_pkt_burst = secondary_burst;
}
