/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include "compare_port.h"

#define RING_SIZE 1024

static int
failed(const char *device, const char *step, int ret, char *why, size_t room)
{
	snprintf(why, room, "%s: %s: %s", device, step, rte_strerror(ret < 0 ? -ret : ret));
	return -1;
}

/*
 * Make the MTU large enough for `frame`, as far as the port allows. A driver
 * without such an operation takes what its buffers hold.
 */
static int
set_mtu(struct compare_port *port, const struct rte_eth_dev_info *info, uint32_t frame)
{
	uint32_t wanted = frame - RTE_ETHER_HDR_LEN;
	uint16_t mtu;
	int ret;

	ret = rte_eth_dev_get_mtu(port->id, &mtu);
	if (ret < 0)
		return ret;
	if (wanted > info->max_mtu)
		wanted = info->max_mtu;
	if (wanted > mtu) {
		ret = rte_eth_dev_set_mtu(port->id, (uint16_t)wanted);
		if (ret == 0)
			mtu = (uint16_t)wanted;
		else if (ret != -ENOTSUP)
			return ret;
		else
			mtu = UINT16_MAX - RTE_ETHER_HDR_LEN;
	}
	port->max_frame = (uint32_t)mtu + RTE_ETHER_HDR_LEN;
	return 0;
}

static int
set_up(struct compare_port *port, struct rte_mempool *pool, uint32_t frame, const char **step)
{
	struct rte_eth_dev_info info;
	struct rte_eth_conf conf;
	uint16_t nb_rx = RING_SIZE, nb_tx = RING_SIZE;
	int ret;

	*step = "getting its properties";
	ret = rte_eth_dev_info_get(port->id, &info);
	if (ret < 0)
		return ret;
	memset(&conf, 0, sizeof(conf));
	conf.txmode.offloads = info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	*step = "configuring one queue each way";
	ret = rte_eth_dev_configure(port->id, 1, 1, &conf);
	if (ret < 0)
		return ret;
	*step = "setting the MTU";
	ret = set_mtu(port, &info, frame);
	if (ret < 0)
		return ret;
	*step = "setting its queues up";
	ret = rte_eth_dev_adjust_nb_rx_tx_desc(port->id, &nb_rx, &nb_tx);
	if (ret < 0)
		return ret;
	ret = rte_eth_rx_queue_setup(port->id, 0, nb_rx, SOCKET_ID_ANY, NULL, pool);
	if (ret < 0)
		return ret;
	ret = rte_eth_tx_queue_setup(port->id, 0, nb_tx, SOCKET_ID_ANY, NULL);
	if (ret < 0)
		return ret;
	*step = "starting";
	return rte_eth_dev_start(port->id);
}

int
compare_port_open(struct compare_port *port, const char *device, const char *args,
		  struct rte_mempool *pool, uint32_t frame, char *why, size_t room)
{
	const char *step;
	int ret;

	ret = rte_eal_hotplug_add("vdev", device, args);
	if (ret == -EFAULT) {
		/* No bus knows the name: that is how EAL says it. */
		snprintf(why, room, "no driver for %s is loaded", device);
		return -ENODEV;
	}
	if (ret < 0)
		return failed(device, "creating the device", ret, why, room);
	port->device = device;
	ret = rte_eth_dev_get_port_by_name(device, &port->id);
	if (ret < 0)
		return failed(device, "finding its port", ret, why, room);
	ret = set_up(port, pool, frame, &step);
	if (ret < 0)
		return failed(device, step, ret, why, room);
	return 0;
}

int
compare_port_wait_link(const struct compare_port *port, int timeout_ms, char *why, size_t room)
{
	struct rte_eth_link link;

	for (int waited = 0;; waited += 10) {
		int ret = rte_eth_link_get_nowait(port->id, &link);

		if (ret < 0)
			return failed(port->device, "reading its link", ret, why, room);
		if (link.link_status == RTE_ETH_LINK_UP)
			return 0;
		if (waited >= timeout_ms)
			break;
		rte_delay_us_sleep(10 * 1000);
	}
	snprintf(why, room, "%s: no link after %d s", port->device, timeout_ms / 1000);
	return -1;
}

void
compare_port_close(struct compare_port *port)
{
	if (port->device == NULL)
		return;
	rte_eth_dev_stop(port->id);
	rte_eth_dev_close(port->id);
	rte_eal_hotplug_remove("vdev", port->device);
	port->device = NULL;
}
