/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <ethdev_driver.h>

#include <tsi721_device.h>

#include "rionet_ethdev.h"
#include "rionet_intr.h"
#include "rionet_msg.h"
#include "rionet_port.h"

static void
tick(void *arg)
{
	struct rionet_port *port = arg;
	struct rte_eth_dev *dev = &rte_eth_devices[port->data->port_id];
	bool changed, gone;

	if (port->fdb != NULL)
		rionet_fdb_age(port->fdb, rte_get_tsc_cycles() / port->hz, port->args.ageing);
	rte_spinlock_lock(&port->queue_lock);
	if (port->txq != NULL)
		rionet_txq_attend(port->txq);
	rte_spinlock_unlock(&port->queue_lock);
	changed = rionet_link_update(dev, 0) == 0;
	gone = !port->gone && tsi721_device_is_gone(port->dev);
	port->gone |= gone;
	rte_eal_alarm_set(RIONET_TICK_US, tick, port);
	/* Last: the application may stop or close the port in them. */
	if (changed)
		rte_eth_dev_callback_process(dev, RTE_ETH_EVENT_INTR_LSC, NULL);
	if (gone)
		rte_eth_dev_callback_process(dev, RTE_ETH_EVENT_INTR_RMV, NULL);
}

void
rionet_tick_start(struct rionet_port *port)
{
	if (rte_eal_alarm_set(RIONET_TICK_US, tick, port) != 0)
		RIONET_LOG(ERR, port->data->name, "no alarm: its link is looked at only on demand");
}

void
rionet_tick_stop(struct rionet_port *port)
{
	rte_eal_alarm_cancel(tick, port);
}
