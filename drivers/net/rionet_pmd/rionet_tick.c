/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <ethdev_driver.h>

#include <rio_regs.h>
#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_maint.h>

#include "rionet_dma.h"
#include "rionet_ethdev.h"
#include "rionet_intr.h"
#include "rionet_msg.h"
#include "rionet_port.h"

/* Ticks in which all peers have been looked at: a quarter of a second. */
#define PEER_TICKS	5u

/*
 * A peer that is joined must answer; one that does not three times within a second is lost, as
 * with messages. One that is lost is asked to join again, once a second.
 */
static void
tick_peer(struct rionet_port *port, const struct rionet_peer *peer)
{
	uint16_t destid = __atomic_load_n(&peer->destid, __ATOMIC_RELAXED);
	uint64_t now = rte_get_tsc_cycles();
	uint32_t id;

	switch (rionet_peer_state(port->peers, destid)) {
	case RIONET_PEER_JOINED:
		if (tsi721_maint_read(port->dev, destid, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR,
				      &id) != 0)
			rionet_join_reply(port, destid, rionet_peers_failed(
				port->peers, destid, -EIO, now, port->hz));
		break;
	case RIONET_PEER_LOST:
		rionet_join_reply(port, destid,
				  rionet_peers_retry(port->peers, destid, now, port->hz));
		break;
	default:
		break;
	}
}

static void
tick_peers(struct rionet_port *port)
{
	uint16_t i, nb = __atomic_load_n(&port->peers->nb, __ATOMIC_ACQUIRE);

	for (i = 0; i < (nb + PEER_TICKS - 1) / PEER_TICKS; i++)
		tick_peer(port, &port->peers->peer[1 + port->tick_peer++ % nb]);
}

static void
tell_again(struct rionet_port *port, enum rionet_peer_state state)
{
	uint16_t destids[RIONET_PEERS_MAX];
	unsigned int i, n = rionet_peers_list(port->peers, state, destids);

	for (i = 0; i < n; i++) {
		rionet_join_reply(port, destids[i], RIONET_REPLY_JOIN);
		rionet_dma_again(port, destids[i]);
	}
}

/*
 * Doorbells that were not delivered may have been a JOIN, or the answer to one, and then two
 * stations do not know each other for good. The chip does not tell whose they were, so all
 * are told again, once a second at most; those that know ignore it.
 */
static void
tick_doorbells(struct rionet_port *port)
{
	struct tsi721_dbell_stats stats;
	uint64_t now = rte_get_tsc_cycles();

	if (now < port->tell_again)
		return;
	tsi721_dbell_stats(port->dev, &stats);
	if (stats.errors == port->dbell_errors)
		return;
	port->dbell_errors = stats.errors;
	port->tell_again = now + port->hz;
	tell_again(port, RIONET_PEER_JOINED);
	tell_again(port, RIONET_PEER_KNOWN);
}

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
	tick_peers(port);
	tick_doorbells(port);
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
