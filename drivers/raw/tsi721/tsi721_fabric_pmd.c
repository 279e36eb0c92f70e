/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The public API of the fabric: finds the device. */

#include <errno.h>

#include "tsi721_fabric.h"
#include "tsi721_rawdev.h"

#define RAW_OR_RETURN(raw, dev_id) \
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id); \
	if (unlikely(raw == NULL)) \
		return -ENODEV

int
rte_pmd_tsi721_fabric_info_get(uint16_t dev_id, struct rte_pmd_tsi721_fabric_info *info)
{
	RAW_OR_RETURN(raw, dev_id);

	tsi721_fabric_info(raw->dev, info);
	return 0;
}

int
rte_pmd_tsi721_fabric_devices(uint16_t dev_id, struct rte_pmd_tsi721_fabric_device *devs,
			      unsigned int max)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_fabric_devices(raw->dev, devs, max);
}

int
rte_pmd_tsi721_fabric_ports(uint16_t dev_id, uint32_t comp_tag,
			    struct rte_pmd_tsi721_fabric_port *ports, unsigned int max)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_fabric_ports(raw->dev, comp_tag, ports, max);
}

int
rte_pmd_tsi721_fabric_routes(uint16_t dev_id, uint32_t comp_tag,
			     struct rte_pmd_tsi721_fabric_route *routes, unsigned int max)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_fabric_routes(raw->dev, comp_tag, routes, max);
}

int
rte_pmd_tsi721_fabric_rescan(uint16_t dev_id)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_fabric_rescan(raw->dev);
}

int
rte_pmd_tsi721_fabric_register(uint16_t dev_id, rte_pmd_tsi721_fabric_cb cb, void *arg)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_fabric_cb_add(raw->dev, false, (void (*)(void))cb, arg);
}

int
rte_pmd_tsi721_fabric_unregister(uint16_t dev_id, rte_pmd_tsi721_fabric_cb cb, void *arg)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_fabric_cb_del(raw->dev, false, (void (*)(void))cb, arg);
}

int
rte_pmd_tsi721_portwrite_register(uint16_t dev_id, rte_pmd_tsi721_portwrite_cb cb, void *arg)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_fabric_cb_add(raw->dev, true, (void (*)(void))cb, arg);
}

int
rte_pmd_tsi721_portwrite_unregister(uint16_t dev_id, rte_pmd_tsi721_portwrite_cb cb, void *arg)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_fabric_cb_del(raw->dev, true, (void (*)(void))cb, arg);
}
