/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdlib.h>

#include <rte_common.h>
#include <rte_ethdev.h>
#include <ethdev_driver.h>

#include <tsi721_device.h>
#include <tsi721_maint.h>

#include "rionet_ethdev.h"
#include "rionet_port.h"

static const uint32_t speeds[] = {
	RTE_ETH_SPEED_NUM_1G, RTE_ETH_SPEED_NUM_2_5G, RTE_ETH_SPEED_NUM_5G,
	RTE_ETH_SPEED_NUM_10G, RTE_ETH_SPEED_NUM_20G,
};

uint32_t
rionet_link_speed(unsigned int lanes, uint32_t mbaud)
{
	/* 8b/10b */
	int32_t mbps = lanes * mbaud / 10 * 8;
	uint32_t best = speeds[0];
	unsigned int i;

	for (i = 1; i < RTE_DIM(speeds); i++)
		if (abs((int32_t)speeds[i] - mbps) < abs((int32_t)best - mbps))
			best = speeds[i];
	return best;
}

int
rionet_link_update(struct rte_eth_dev *dev, int wait_to_complete)
{
	const struct rionet_port *port = dev->data->dev_private;
	struct rte_eth_link link = {
		.link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
		.link_autoneg = RTE_ETH_LINK_FIXED,
		.link_status = RTE_ETH_LINK_DOWN,
		.link_speed = RTE_ETH_SPEED_NUM_NONE,
	};
	struct tsi721_link rio;

	RTE_SET_USED(wait_to_complete);
	tsi721_link_get(port->dev, &rio);
	if (port->started && rio.up) {
		link.link_status = RTE_ETH_LINK_UP;
		link.link_speed = rionet_link_speed(rio.lanes, rio.mbaud);
	}
	return rte_eth_linkstatus_set(dev, &link);
}
