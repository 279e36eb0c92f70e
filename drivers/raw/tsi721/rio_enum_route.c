/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Routing tables of switches: what they should hold, and writing what they do
 * not. Each ID leaves by the lowest-numbered port of those that lead to it the
 * shortest way, so every hop comes nearer and nothing goes in a circle.
 *
 * The tables of the CPS-1848 family lie in their configuration space, an entry
 * a word, and are written there: one request, and nobody who reads them through
 * the standard registers is disturbed. Others are written through 0x70 and 0x74.
 */

#include <string.h>

#include "rio_enum_priv.h"

#define STD_NO_ROUTE	0xffu	/* Linux's too: a port that no switch has */
#define FAR_AWAY	UINT16_MAX

static uint16_t
no_route(const struct rio_dev *sw)
{
	return sw->indirect ? STD_NO_ROUTE : IDT_RTE_NO_ROUTE;
}

/* The ID that stands for an entry; of upper halves there is one device at most. */
static uint16_t
slot_id(const struct rio_enum *e, uint32_t slot)
{
	uint32_t i;

	if (slot < RIO_ROUTE_DOM)
		return (uint16_t)slot;
	for (i = 0; i < e->g.nb; i++)
		if (e->g.dev[i].used && e->g.dev[i].destid != RIO_NO_ID &&
		    rio_route_slot(e->g.dev[i].destid) == slot)
			return e->g.dev[i].destid;
	return (uint16_t)((slot - RIO_ROUTE_DOM) << 8 | 0xffu);
}

static int
entry_write(struct rio_enum *e, const struct rio_dev *sw, uint8_t hop, uint32_t slot,
	    uint16_t entry)
{
	int ret;

	e->stats.routes_written++;
	if (!sw->indirect)
		return rio_far_write(e, hop, IDT_BCAST_DEV_RTE(slot), entry);
	ret = rio_far_write(e, hop, RIO_STD_RTE_CONF_DESTID_SEL_CSR, slot_id(e, slot));
	return ret != 0 ? ret : rio_far_write(e, hop, RIO_STD_RTE_CONF_PORT_SEL_CSR, entry);
}

int
rio_route_write(struct rio_enum *e, struct rio_dev *sw, uint32_t slot, uint16_t entry)
{
	int ret;

	if (sw->route[slot] == entry)
		return 0;
	ret = rio_path(e, sw);
	if (ret == 0)
		ret = entry_write(e, sw, sw->depth, slot, entry);
	sw->route[slot] = ret == 0 ? entry : RIO_ROUTE_UNKNOWN;
	return ret;
}

/* The path to the switch itself is set. */
int
rio_route_any(struct rio_enum *e, struct rio_dev *sw, uint8_t hop, uint16_t port)
{
	uint32_t slot = rio_any_id(e) == RIO_ANY_DESTID_8 ? RIO_ANY_DESTID_8 :
							     rio_route_slot(rio_any_id(e));
	int ret = entry_write(e, sw, hop, slot, port);

	sw->any = ret == 0 ? port : RIO_NO_PORT;
	return ret;
}

/* --- reading --- */

static int
entry_read(struct rio_enum *e, uint16_t destid, uint8_t hop, const struct rio_dev *sw,
	   uint32_t slot, uint32_t *val)
{
	int ret;

	if (!sw->indirect && sw->in_port < IDT_PORT_RTE_PORTS)
		return rio_id_read(e, destid, hop, slot < RIO_ROUTE_DOM ?
				   IDT_PORT_DEV_RTE(sw->in_port, slot) :
				   IDT_PORT_DOM_RTE(sw->in_port, slot - RIO_ROUTE_DOM), val);
	if (!sw->indirect)
		return rio_id_read(e, destid, hop, IDT_BCAST_DEV_RTE(slot), val);
	ret = rio_id_write(e, destid, hop, RIO_STD_RTE_CONF_DESTID_SEL_CSR,
			   slot < RIO_ROUTE_DOM ? slot : (slot - RIO_ROUTE_DOM) << 8);
	return ret != 0 ? ret : rio_id_read(e, destid, hop, RIO_STD_RTE_CONF_PORT_SEL_CSR, val);
}

int
rio_routes_read(struct rio_enum *e, uint16_t destid, uint8_t hop, struct rio_dev *sw)
{
	uint32_t slot, val, nb = e->conf.sys16 ? RIO_ROUTES : RIO_ROUTE_DOM;
	int ret;

	for (slot = 0; slot < nb; slot++) {
		/* An upper half of zero is looked up by the lower one. */
		if (slot == RIO_ROUTE_DOM)
			continue;
		ret = entry_read(e, destid, hop, sw, slot, &val);
		if (ret != 0)
			return ret;
		sw->route[slot] = (uint16_t)(val & 0xffu);
	}
	return 0;
}

/* --- what they should hold --- */

/* How many links from each switch to one of them. */
static void
distances(const struct rio_enum *e, uint32_t to, uint16_t dist[RIO_DEV_MAX])
{
	uint16_t queue[RIO_DEV_MAX];
	uint32_t head = 0, tail = 0, p, next;
	const struct rio_dev *sw;

	memset(dist, 0xff, RIO_DEV_MAX * sizeof(dist[0]));
	dist[to] = 0;
	queue[tail++] = (uint16_t)to;
	while (head < tail) {
		sw = &e->g.dev[queue[head++]];
		for (p = 0; p < sw->nb_ports; p++) {
			next = sw->port[p].peer;
			if (next == RIO_NO_DEV || !sw->port[p].up || dist[next] != FAR_AWAY ||
			    !e->g.dev[next].is_switch)
				continue;
			dist[next] = dist[queue[head - 1]] + 1;
			queue[tail++] = (uint16_t)next;
		}
	}
}

static uint16_t
next_port(const struct rio_enum *e, uint32_t sw, const uint16_t dist[RIO_DEV_MAX])
{
	const struct rio_dev *dev = &e->g.dev[sw];
	uint32_t p;

	if (dist[sw] == FAR_AWAY)
		return no_route(dev);
	for (p = 0; p < dev->nb_ports; p++)
		if (dev->port[p].up && dev->port[p].peer != RIO_NO_DEV &&
		    e->g.dev[dev->port[p].peer].is_switch &&
		    dist[dev->port[p].peer] + 1 == dist[sw])
			return (uint16_t)p;
	return no_route(dev);
}

typedef uint16_t (*target_t)[RIO_ROUTES];

/* Entries for the endpoints at one switch, in all switches. */
static void
targets_of(const struct rio_enum *e, uint32_t at, target_t target)
{
	const struct rio_dev *sw = &e->g.dev[at], *ep;
	uint16_t dist[RIO_DEV_MAX], port;
	uint32_t i, p;

	distances(e, at, dist);
	for (i = 0; i < e->g.nb; i++) {
		if (!e->g.dev[i].used || !e->g.dev[i].is_switch)
			continue;
		port = i == at ? 0 : next_port(e, i, dist);
		for (p = 0; p < sw->nb_ports; p++) {
			ep = sw->port[p].peer != RIO_NO_DEV ? &e->g.dev[sw->port[p].peer] : NULL;
			if (ep == NULL || ep->is_switch || ep->destid == RIO_NO_ID)
				continue;
			target[i][rio_route_slot(ep->destid)] = i == at ? (uint16_t)p : port;
		}
	}
}

static bool
slot_is_kept(const struct rio_enum *e, uint32_t slot)
{
	/* Where the enumerator's own way goes; and an upper half of zero. */
	return slot == RIO_ROUTE_DOM ||
	       slot == (e->conf.sys16 ? RIO_ROUTE_DOM + 0xffu : RIO_ANY_DESTID_8);
}

static int
switch_apply(struct rio_enum *e, struct rio_dev *sw, const uint16_t target[RIO_ROUTES])
{
	uint32_t slot, nb = e->conf.sys16 ? RIO_ROUTES : RIO_ROUTE_DOM;
	int ret;

	for (slot = 0; slot < nb; slot++) {
		if (slot_is_kept(e, slot) || sw->route[slot] == target[slot])
			continue;
		/* Others select entries too, while they hold the lock. */
		ret = sw->indirect ? rio_lock_dev(e, sw) : 0;
		if (ret == 0)
			ret = rio_route_write(e, sw, slot, target[slot]);
		if (ret != 0)
			return ret;
		e->changed = true;
	}
	return 0;
}

int
rio_routes_apply(struct rio_enum *e)
{
	target_t target = e->target;
	uint32_t i, slot;
	int ret = 0, one;

	for (i = 0; i < e->g.nb; i++)
		for (slot = 0; e->g.dev[i].is_switch && slot < RIO_ROUTES; slot++)
			target[i][slot] = no_route(&e->g.dev[i]);
	for (i = 0; i < e->g.nb; i++)
		if (e->g.dev[i].used && e->g.dev[i].is_switch)
			targets_of(e, i, target);
	/* Nearest first: what is behind one that fails would not be reached anyway. */
	for (i = 0; i < e->g.nb; i++)
		if (e->g.dev[i].used && e->g.dev[i].is_switch && e->g.dev[i].reached) {
			one = switch_apply(e, &e->g.dev[i], target[i]);
			ret = ret != 0 ? ret : one;
		}
	return ret;
}

uint16_t
rio_enum_route_get(const struct rio_enum *e, const struct rio_dev *sw, uint16_t destid)
{
	uint16_t entry = sw->is_switch ? sw->route[rio_route_slot(destid)] : RIO_NO_PORT;

	(void)e;
	if (entry == IDT_RTE_DEVICE_TABLE && destid >= RIO_ROUTE_DOM && !sw->indirect)
		entry = sw->route[destid & 0xffu];
	return entry < sw->nb_ports ? entry : RIO_NO_PORT;
}
