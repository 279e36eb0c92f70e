/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Membership: finding stations, JOIN and LEAVE.
 */

#include <errno.h>
#include <inttypes.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_pause.h>
#include <ethdev_driver.h>

#include <rio_regs.h>
#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_maint.h>

#include "rionet_dma.h"
#include "rionet_port.h"
#include "rionet_proto.h"

#define JOIN_WAIT_US		200000u
#define JOIN_SPIN_US		200u	/* then sleep between looks */
#define JOIN_SLEEP_US		50u
#define JOIN_BUDGET		64u	/* doorbells a look */
#define PROBE_MAX_US		2000000u

/* What a station must be able to do, as source and as target. */
#define STATION_OPS		(RIO_OPS_DATA_MSG | RIO_OPS_DOORBELL)

void
rionet_join_reply(struct rionet_port *port, uint16_t destid, enum rionet_peer_reply reply)
{
	if (reply == RIONET_REPLY_NONE)
		return;
	if (reply == RIONET_REPLY_REJOIN)
		tsi721_dbell_send(port->dev, destid, RIONET_DBELL_LEAVE);
	tsi721_dbell_send(port->dev, destid, RIONET_DBELL_JOIN);
}

static void
join_doorbell(void *arg, uint16_t src, uint16_t info)
{
	struct rionet_port *port = arg;
	enum rionet_peer_reply reply = rionet_peers_doorbell(port->peers, src, info);

	rionet_join_reply(port, src, reply);
	if (info == RIONET_DBELL_LEAVE)
		rionet_dma_left(port, src);
	else if (reply != RIONET_REPLY_NONE)
		rionet_dma_joined(port, src);
}

static bool
probe_station(struct tsi721_device *dev, uint16_t destid)
{
	uint32_t id, pef, src, dst;

	if (tsi721_maint_read(dev, destid, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR, &id) != 0 ||
	    tsi721_maint_read(dev, destid, RIO_HOP_ENDPOINT, RIO_PEF_CAR, &pef) != 0 ||
	    tsi721_maint_read(dev, destid, RIO_HOP_ENDPOINT, RIO_SRC_OPS_CAR, &src) != 0 ||
	    tsi721_maint_read(dev, destid, RIO_HOP_ENDPOINT, RIO_DST_OPS_CAR, &dst) != 0)
		return false;
	return (pef & RIO_PEF_SWITCH) == 0 && (src & dst & STATION_OPS) == STATION_OPS;
}

/* An 8-bit fabric ends at 254; on a 16-bit one peers= says more than the first 255. */
static const struct rionet_range all_destids = { 0, RIO_ANY_DESTID_8 - 1 };

/* From what a host has enumerated, where that is known and peers= does not say otherwise. */
static bool
listed_stations(struct rionet_port *port)
{
	uint16_t destids[RIONET_PEERS_MAX];
	int n, i;

	if (port->args.nb_ranges != 0)
		return false;
	n = tsi721_fabric_stations(port->dev, destids, RTE_DIM(destids));
	for (i = 0; i < n; i++)
		if (destids[i] != port->peers->self && probe_station(port->dev, destids[i]))
			rionet_peers_add(port->peers, destids[i]);
	return n > 0;
}

static void
probe_stations(struct rionet_port *port)
{
	const struct rionet_range *ranges = port->args.ranges;
	unsigned int r, nb = port->args.nb_ranges;
	uint64_t end = rte_get_tsc_cycles() + port->hz / US_PER_S * PROBE_MAX_US;
	uint32_t destid;

	if (listed_stations(port))
		return;
	if (nb == 0) {
		ranges = &all_destids;
		nb = 1;
	}
	for (r = 0; r < nb; r++)
		for (destid = ranges[r].first; destid <= ranges[r].last; destid++) {
			if (destid == port->peers->self || !probe_station(port->dev, destid))
				continue;
			if (rionet_peers_add(port->peers, destid) == -ENOSPC ||
			    rte_get_tsc_cycles() > end) {
				RIONET_LOG(NOTICE, port->data->name,
					   "looking for stations ended at destination ID %" PRIu32
					   "; others are found when they join", destid);
				return;
			}
		}
}

/* Stations that run answer from their interrupt thread; ones that do not run never do. */
static void
join_wait(struct rionet_port *port)
{
	uint64_t now, begin = rte_get_tsc_cycles();
	uint64_t us = port->hz / US_PER_S;

	while (rionet_peers_count(port->peers, RIONET_PEER_KNOWN) != 0 ||
	       rionet_dma_agreeing(port)) {
		if (tsi721_dbell_poll(port->dev, JOIN_BUDGET) != 0)
			continue;
		now = rte_get_tsc_cycles();
		if (now - begin > us * JOIN_WAIT_US)
			break;
		if (now - begin > us * JOIN_SPIN_US)
			rte_delay_us_sleep(JOIN_SLEEP_US);
		else
			rte_pause();
	}
}

int
rionet_join_start(struct rionet_port *port)
{
	uint16_t destids[RIONET_PEERS_MAX];
	unsigned int i, n;
	int ret;

	rionet_peers_reset(port->peers);
	rionet_fdb_flush(port->fdb);
	ret = tsi721_dbell_request(port->dev, RIONET_DBELL_JOIN, RIONET_DBELL_LEAVE,
				   join_doorbell, port);
	if (ret != 0)
		return ret;
	probe_stations(port);
	n = rionet_peers_list(port->peers, RIONET_PEER_KNOWN, destids);
	/* LEAVE first: a peer that still holds a former life of this one as joined answers too. */
	for (i = 0; i < n; i++)
		rionet_join_reply(port, destids[i], RIONET_REPLY_REJOIN);
	join_wait(port);
	RIONET_LOG(INFO, port->data->name, "%u stations found, %u joined", n,
		   rionet_peers_count(port->peers, RIONET_PEER_JOINED));
	return 0;
}

void
rionet_join_stop(struct rionet_port *port)
{
	uint16_t destids[RIONET_PEERS_MAX];
	unsigned int i, n;

	tsi721_dbell_release(port->dev, RIONET_DBELL_JOIN, RIONET_DBELL_LEAVE);
	/* A lost peer may still hold this one as joined. */
	n = rionet_peers_list(port->peers, RIONET_PEER_JOINED, destids);
	for (i = 0; i < n; i++)
		tsi721_dbell_send(port->dev, destids[i], RIONET_DBELL_LEAVE);
	n = rionet_peers_list(port->peers, RIONET_PEER_LOST, destids);
	for (i = 0; i < n; i++)
		tsi721_dbell_send(port->dev, destids[i], RIONET_DBELL_LEAVE);
	rionet_peers_reset(port->peers);
}
