/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Discovery: an agent reads the graph that a host has set up. It reaches the
 * first switch by hop count 0, and what is behind a port by an ID whose route
 * leads out of it. Nothing is written, except that a switch whose tables can only
 * be read through 0x70 is locked meanwhile.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rio_enum_priv.h"

#define LOCK_TRIES	200u
#define LOCK_POLL_US	1000u

struct hunt {
	struct rio_enum *e;
	uint16_t queue[RIO_SW_MAX];
	uint32_t head, tail;
	bool partial;
};

/* --- locks --- */

static bool
lock(struct rio_enum *e, uint16_t destid, uint8_t hop)
{
	uint32_t holder, i;

	for (i = 0; i < LOCK_TRIES && !rio_time_over(e); i++) {
		if (rio_id_read(e, destid, hop, RIO_HOST_DID_LOCK_CSR, &holder) != 0)
			return false;
		if ((holder & 0xffffu) == e->conf.hdid)
			return true;
		if ((holder & 0xffffu) == RIO_HOST_DID_LOCK_FREE)
			rio_id_write(e, destid, hop, RIO_HOST_DID_LOCK_CSR, e->conf.hdid);
		else
			e->conf.access->wait_us(e->conf.ctx, LOCK_POLL_US);
	}
	return false;
}

static void
unlock(struct rio_enum *e, uint16_t destid, uint8_t hop)
{
	uint32_t holder;

	if (rio_id_read(e, destid, hop, RIO_HOST_DID_LOCK_CSR, &holder) == 0 &&
	    (holder & 0xffffu) == e->conf.hdid)
		rio_id_write(e, destid, hop, RIO_HOST_DID_LOCK_CSR, e->conf.hdid);
}

static int
tables_read(struct rio_enum *e, uint16_t destid, struct rio_dev *sw)
{
	int ret;

	if (!sw->indirect)
		return rio_routes_read(e, destid, sw->depth, sw);
	if (!lock(e, destid, sw->depth))
		return -EAGAIN;
	ret = rio_routes_read(e, destid, sw->depth, sw);
	unlock(e, destid, sw->depth);
	return ret;
}

/* --- devices --- */

static struct rio_dev *
found(struct hunt *h, uint16_t by, uint8_t hop, uint32_t tag)
{
	struct rio_dev cars = { 0 }, *dev;
	uint32_t val = 0, nb_ports = 1, in_port = 0;
	struct rio_enum *e = h->e;
	bool is_switch;

	if (rio_cars_read(e, by, hop, &cars) != 0)
		return NULL;
	is_switch = (cars.pef & RIO_PEF_SWITCH) != 0;
	if (is_switch) {
		if (hop >= RIO_DEPTH_MAX || rio_id_read(e, by, hop, RIO_SWP_INFO_CAR, &val) != 0)
			return NULL;
		nb_ports = (val & RIO_SWP_INFO_PORT_TOTAL) >> 8;
		in_port = val & RIO_SWP_INFO_PORT_NUM;
		if (in_port >= nb_ports)
			return NULL;
	} else if (rio_id_read(e, by, hop, RIO_DID_CSR, &val) != 0) {
		return NULL;
	}
	dev = rio_dev_new(e, is_switch, nb_ports);
	if (dev == NULL)
		return NULL;
	rio_cars_copy(dev, &cars);
	dev->tag = tag;
	dev->depth = hop;
	dev->in_port = (uint8_t)in_port;
	dev->destid = is_switch ? RIO_NO_ID : rio_did_get(e, val);
	dev->by = by;
	if (is_switch && h->tail < RIO_SW_MAX)
		h->queue[h->tail++] = rio_dev_index(e, dev);
	return dev;
}

/* What is behind a port, reached by an ID. Known tags are other ways to known switches. */
static void
look(struct hunt *h, struct rio_dev *near, uint32_t port, uint16_t by, uint8_t hop)
{
	struct rio_enum *e = h->e;
	uint32_t tag, val, far_port = 0;
	struct rio_dev *dev;

	if (rio_id_read(e, by, hop, RIO_COMPONENT_TAG_CSR, &tag) != 0) {
		h->partial = true;
		return;
	}
	dev = rio_dev_by_tag(e, tag);
	if (dev == &e->g.dev[0])
		return;
	if (dev == NULL)
		dev = found(h, by, hop, tag);
	if (dev == NULL) {
		h->partial = true;
		return;
	}
	if (dev->is_switch) {
		if (rio_id_read(e, by, hop, RIO_SWP_INFO_CAR, &val) != 0 ||
		    (val & RIO_SWP_INFO_PORT_NUM) >= dev->nb_ports)
			return;
		far_port = val & RIO_SWP_INFO_PORT_NUM;
	} else {
		dev->port[0].up = true;
	}
	rio_link_set(e, near, port, dev, far_port);
}

/* Switches that a request of this agent to an ID passes before it is at `sw`; -1: it is not. */
static int
hops_to(const struct rio_enum *e, const struct rio_dev *sw, uint16_t id)
{
	const struct rio_dev *at = &e->g.dev[0];
	uint16_t port = 0;
	int hop;

	for (hop = 0; hop < (int)RIO_DEPTH_MAX; hop++) {
		if (port >= at->nb_ports || at->port[port].peer == RIO_NO_DEV)
			return -1;
		at = &e->g.dev[at->port[port].peer];
		if (at == sw)
			return hop;
		if (!at->is_switch)
			return -1;
		port = rio_enum_route_get(e, at, id);
	}
	return -1;
}

/*
 * An ID whose requests from here pass a switch and leave it by a port. Where routes
 * are a choice, as in a ring, there are links that none of this agent's cross.
 */
static uint16_t
id_by_port(const struct rio_enum *e, const struct rio_dev *sw, uint32_t port, uint8_t *hop)
{
	uint32_t slot, id;
	int hops;

	for (slot = 0; slot < (e->conf.sys16 ? RIO_ROUTES : RIO_ROUTE_DOM); slot++) {
		id = slot < RIO_ROUTE_DOM ? slot : (slot - RIO_ROUTE_DOM) << 8 | 1;
		if (slot == RIO_ROUTE_DOM || id == RIO_ANY_DESTID_8 || id >> 8 == 0xff ||
		    sw->route[slot] != port)
			continue;
		hops = hops_to(e, sw, (uint16_t)id);
		if (hops < 0)
			continue;
		*hop = (uint8_t)(hops + 1);
		return (uint16_t)id;
	}
	return RIO_NO_ID;
}

static void
visit_port(struct hunt *h, struct rio_dev *sw, uint32_t port)
{
	struct rio_port *p = &sw->port[port];
	struct rio_enum *e = h->e;
	uint32_t sts, ctl, ctl2;
	uint16_t by = sw->by;
	uint8_t hop = 0;
	uint16_t id;

	if (rio_id_read(e, by, sw->depth, sw->sp + RIO_PORT_N_ERR_STS_CSR(port), &sts) != 0 ||
	    rio_id_read(e, by, sw->depth, sw->sp + RIO_PORT_N_CTL_CSR(port), &ctl) != 0) {
		h->partial = true;
		return;
	}
	p->up = (sts & RIO_PORT_N_ERR_STS_PORT_OK) != 0;
	p->lockout = (ctl & RIO_PORT_N_CTL_LOCKOUT) != 0;
	if (!p->up)
		return;
	if (rio_id_read(e, by, sw->depth, sw->sp + RIO_PORT_N_CTL2_CSR(port), &ctl2) == 0)
		rio_link_width(ctl, ctl2, p);
	id = port != sw->in_port && !p->lockout ? id_by_port(e, sw, port, &hop) : RIO_NO_ID;
	if (id != RIO_NO_ID)
		look(h, sw, port, id, hop);
}

static void
visit(struct hunt *h, struct rio_dev *sw)
{
	uint32_t port;

	if (tables_read(h->e, sw->by, sw) != 0) {
		h->partial = true;
		return;
	}
	for (port = 0; port < sw->nb_ports && sw->sp != 0 && !rio_time_over(h->e); port++)
		visit_port(h, sw, port);
}

static int
self_begin(struct rio_enum *e)
{
	struct rio_dev *self = rio_dev_new(e, false, 1);
	uint32_t did, ctl, sts, ctl2;

	if (self == NULL || rio_cars_read(e, RIO_SELF, 0, self) != 0 || self->sp == 0)
		return -ENODEV;
	rio_local_read(e, self->sp + RIO_PORT_GEN_CTL_CSR, &ctl);
	if ((ctl & RIO_PORT_GEN_DISCOVERED) == 0)
		return -EAGAIN;
	rio_local_read(e, RIO_COMPONENT_TAG_CSR, &self->tag);
	rio_local_read(e, RIO_DID_CSR, &did);
	self->destid = rio_did_get(e, did);
	e->conf.hdid = self->destid;
	rio_local_read(e, self->sp + RIO_PORT_N_ERR_STS_CSR(0), &sts);
	rio_local_read(e, self->sp + RIO_PORT_N_CTL_CSR(0), &ctl);
	rio_local_read(e, self->sp + RIO_PORT_N_CTL2_CSR(0), &ctl2);
	self->port[0].up = (sts & RIO_PORT_N_ERR_STS_PORT_OK) != 0;
	if (self->port[0].up)
		rio_link_width(ctl, ctl2, &self->port[0]);
	return 0;
}

static bool
port_same(const struct rio_port *a, const struct rio_port *b)
{
	return a->up == b->up && a->lockout == b->lockout && a->peer == b->peer &&
	       (a->peer == RIO_NO_DEV || a->peer_port == b->peer_port) && a->lanes == b->lanes &&
	       a->mbaud == b->mbaud;
}

static bool
dev_same(const struct rio_dev *a, const struct rio_dev *b)
{
	uint32_t p;

	if (a->used != b->used)
		return false;
	if (!a->used)
		return true;
	if (a->tag != b->tag || a->id != b->id || a->destid != b->destid ||
	    a->is_switch != b->is_switch || a->nb_ports != b->nb_ports)
		return false;
	for (p = 0; p < a->nb_ports; p++)
		if (!port_same(&a->port[p], &b->port[p]))
			return false;
	return !a->is_switch || memcmp(a->route, b->route, RIO_ROUTES * sizeof(*a->route)) == 0;
}

static bool
graph_same(const struct rio_graph *a, const struct rio_graph *b)
{
	uint32_t i;

	for (i = 0; i < RIO_DEV_MAX; i++)
		if (!dev_same(&a->dev[i], &b->dev[i]))
			return false;
	return true;
}

/* `old` is what was known; its memory is given back. */
static int
compare(struct rio_enum *e, struct rio_graph *old, uint64_t begin)
{
	uint64_t us = e->conf.access->now_us(e->conf.ctx) - begin;
	struct rio_graph now = e->g;

	e->changed = !graph_same(old, &now);
	e->g = *old;
	rio_graph_reset(e);
	e->g = now;
	e->stats.sweeps++;
	if (e->changed) {
		e->stats.changes++;
		e->stats.last_us = (uint32_t)us;
		if (e->stats.last_us > e->stats.longest_us)
			e->stats.longest_us = e->stats.last_us;
		if (++e->generation == 0)
			e->generation = 1;
	}
	return e->changed;
}

int
rio_enum_discover(struct rio_enum *e)
{
	uint64_t begin = e->conf.access->now_us(e->conf.ctx);
	struct rio_graph *old = malloc(sizeof(*old));
	struct hunt h = { .e = e };
	int ret, changed;

	if (old == NULL)
		return -ENOMEM;
	*old = e->g;
	memset(&e->g, 0, sizeof(e->g));
	e->lost = e->unfinished = false;
	e->end_us = begin + (e->conf.sweep_max_us != 0 ? e->conf.sweep_max_us : RIO_SWEEP_MAX_US);
	ret = self_begin(e);
	if (ret == 0 && e->g.dev[0].port[0].up)
		look(&h, &e->g.dev[0], 0, rio_any_id(e), 0);
	while (h.head < h.tail && !rio_time_over(e))
		visit(&h, &e->g.dev[h.queue[h.head++]]);
	changed = compare(e, old, begin);
	free(old);
	e->done = ret == 0 && !h.partial && !e->unfinished;
	if (ret != 0)
		return ret;
	return e->done ? changed : -EAGAIN;
}

static bool
switch_glance(struct rio_enum *e, const struct rio_dev *sw)
{
	uint32_t sts, port;

	for (port = 0; port < sw->nb_ports && sw->sp != 0; port++)
		if (rio_id_read(e, sw->by, sw->depth, sw->sp + RIO_PORT_N_ERR_STS_CSR(port),
				&sts) != 0 ||
		    ((sts & RIO_PORT_N_ERR_STS_PORT_OK) != 0) != sw->port[port].up)
			return false;
	return true;
}

/* A new endpoint has a route in every switch, in the nearest one too. */
static bool
routes_glance(struct rio_enum *e, struct rio_dev *sw)
{
	uint16_t known[RIO_ROUTES];
	bool same;

	memcpy(known, sw->route, sizeof(known));
	same = tables_read(e, sw->by, sw) == 0 && memcmp(known, sw->route, sizeof(known)) == 0;
	memcpy(sw->route, known, sizeof(known));
	return same;
}

bool
rio_enum_glance(struct rio_enum *e)
{
	uint16_t first = e->g.nb != 0 ? e->g.dev[0].port[0].peer : RIO_NO_DEV;
	uint64_t now = e->conf.access->now_us(e->conf.ctx);
	uint32_t i;

	e->unfinished = false;
	e->end_us = now + (e->conf.sweep_max_us != 0 ? e->conf.sweep_max_us : RIO_SWEEP_MAX_US);
	for (i = 1; i < e->g.nb; i++)
		if (e->g.dev[i].used && e->g.dev[i].is_switch && !switch_glance(e, &e->g.dev[i]))
			return false;
	return first == RIO_NO_DEV || !e->g.dev[first].is_switch ||
	       routes_glance(e, &e->g.dev[first]);
}
