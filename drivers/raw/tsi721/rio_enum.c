/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* A host's sweep, from the first to the last request. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rio_enum_priv.h"

int
rio_enum_init(struct rio_enum *e, const struct rio_enum_conf *conf)
{
	memset(e, 0, sizeof(*e));
	e->conf = *conf;
	e->target = malloc(RIO_DEV_MAX * sizeof(*e->target));
	return e->target != NULL ? 0 : -ENOMEM;
}

void
rio_enum_fini(struct rio_enum *e)
{
	rio_graph_reset(e);
	free(e->target);
	e->target = NULL;
}

const struct rio_dev *
rio_enum_find(const struct rio_enum *e, uint32_t tag)
{
	uint32_t i;

	for (i = 0; i < e->g.nb; i++)
		if (e->g.dev[i].used && e->g.dev[i].tag == tag)
			return &e->g.dev[i];
	return NULL;
}

void
rio_enum_suspect(struct rio_enum *e, uint32_t tag, uint32_t port)
{
	struct rio_dev *dev = rio_dev_by_tag(e, tag);

	if (dev != NULL && dev->is_switch && port < dev->nb_ports)
		dev->port[port].suspect = true;
}

/* --- oneself --- */

/* A host that is one already: has another one taken this device? */
static int
self_check(struct rio_enum *e)
{
	struct rio_dev *self = &e->g.dev[0];
	uint32_t ctl, did;

	rio_local_read(e, self->sp + RIO_PORT_GEN_CTL_CSR, &ctl);
	rio_local_read(e, RIO_DID_CSR, &did);
	if (rio_did_get(e, did) == e->conf.hdid && (ctl & RIO_PORT_GEN_HOST) != 0)
		return 0;
	e->lost = true;
	e->winner = RIO_NO_ID;
	return -EBUSY;
}

static int
self_begin(struct rio_enum *e)
{
	struct rio_dev *self = rio_dev_new(e, false, 1);
	int ret;

	if (self == NULL)
		return -ENOMEM;
	ret = rio_cars_read(e, RIO_SELF, 0, self);
	if (ret == 0 && self->sp == 0)
		ret = -ENODEV;
	if (ret == 0)
		ret = rio_lock_local(e);
	if (ret != 0)
		return ret;
	self->locked = true;
	e->changed = true;
	self->fresh = false;
	self->destid = e->conf.hdid;
	self->tag = 1;
	e->next_tag = 1;
	rio_local_read(e, RIO_DID_CSR, &e->own_did);
	rio_local_read(e, RIO_COMPONENT_TAG_CSR, &e->own_tag);
	rio_local_read(e, self->sp + RIO_PORT_GEN_CTL_CSR, &e->own_ctl);
	rio_local_write(e, RIO_DID_CSR, rio_did_csr(e, e->conf.hdid));
	rio_local_write(e, RIO_COMPONENT_TAG_CSR, self->tag);
	return rio_setup_discovered(e, self);
}

/* --- after the walk --- */

/* Devices that no link joins to oneself any more. */
static void
mark_joined(const struct rio_enum *e, bool joined[RIO_DEV_MAX])
{
	uint16_t queue[RIO_DEV_MAX], peer;
	uint32_t head = 0, tail = 0, p;
	const struct rio_dev *dev;

	memset(joined, 0, RIO_DEV_MAX * sizeof(joined[0]));
	joined[0] = true;
	queue[tail++] = 0;
	while (head < tail) {
		dev = &e->g.dev[queue[head++]];
		for (p = 0; p < dev->nb_ports; p++) {
			peer = dev->port[p].peer;
			if (peer == RIO_NO_DEV || joined[peer])
				continue;
			joined[peer] = true;
			queue[tail++] = peer;
		}
	}
}

/* One that a link leads to, but that does not answer, has a few more sweeps. */
static void
remove_gone(struct rio_enum *e)
{
	bool joined[RIO_DEV_MAX];
	struct rio_dev *dev;
	uint32_t i;

	for (i = 1; i < e->g.nb; i++) {
		dev = &e->g.dev[i];
		if (dev->used && !dev->reached)
			dev->misses++;
	}
	for (i = 1; i < e->g.nb; i++) {
		dev = &e->g.dev[i];
		if (dev->used && dev->misses >= RIO_MISSES)
			rio_dev_free(e, dev);
	}
	mark_joined(e, joined);
	for (i = 1; i < RIO_DEV_MAX; i++) {
		dev = &e->g.dev[i];
		if (dev->used && !joined[i]) {
			rio_dev_free(e, dev);
			e->changed = true;
		}
	}
}

/* Somebody behind a port has not answered yet, though not so often as to be given up. */
static bool
port_waits(const struct rio_port *p)
{
	return p->up && p->peer == RIO_NO_DEV && p->fails > 0 && p->fails < 4;
}

static bool
dev_waits(const struct rio_dev *dev)
{
	uint32_t p;

	for (p = 0; p < dev->nb_ports; p++)
		if (port_waits(&dev->port[p]))
			return true;
	return dev->fresh || !dev->reached || dev->locked;
}

/* A port that a host locked out passes nothing until it has seen that a link is there. */
static bool
waiting(const struct rio_enum *e)
{
	uint32_t i;

	if (e->g.dev[0].port[0].up && e->g.dev[0].port[0].peer == RIO_NO_DEV)
		return true;
	for (i = 0; i < e->g.nb; i++)
		if (e->g.dev[i].used && dev_waits(&e->g.dev[i]))
			return true;
	return false;
}

static int
setup_device(struct rio_enum *e, struct rio_dev *dev)
{
	if (dev->is_switch)
		return rio_setup_switch(e, dev);
	return dev->destid != RIO_NO_ID ? rio_setup_endpoint(e, dev) : -ENOSPC;
}

/* Locks are given back before anybody is told: an agent takes them at once. */
static void
setup_all(struct rio_enum *e)
{
	bool told[RIO_DEV_MAX] = { false };
	struct rio_dev *dev;
	uint32_t i;

	for (i = 1; i < e->g.nb && !e->lost; i++) {
		dev = &e->g.dev[i];
		told[i] = dev->used && dev->fresh && dev->reached && setup_device(e, dev) == 0;
	}
	rio_unlock_all(e);
	for (i = 1; i < e->g.nb && !e->lost; i++)
		if (told[i] && rio_setup_discovered(e, &e->g.dev[i]) == 0) {
			e->g.dev[i].fresh = false;
			e->changed = true;
		}
}

/* As before, unless the winner has written something else by now. */
static void
self_end(struct rio_enum *e)
{
	struct rio_dev *self = &e->g.dev[0];
	uint32_t did, tag;

	rio_local_read(e, RIO_DID_CSR, &did);
	rio_local_read(e, RIO_COMPONENT_TAG_CSR, &tag);
	if (did != rio_did_csr(e, e->conf.hdid) || tag != self->tag)
		return;
	rio_local_write(e, RIO_DID_CSR, e->own_did);
	rio_local_write(e, RIO_COMPONENT_TAG_CSR, e->own_tag);
	rio_local_write(e, self->sp + RIO_PORT_GEN_CTL_CSR,
			e->own_ctl & ~RIO_PORT_GEN_HOST);
}

static int
give_way(struct rio_enum *e)
{
	if (e->winner != RIO_NO_ID)
		rio_say(e, RIO_LOG_NOTICE, "host 0x%x enumerates this fabric: 0x%x gives way",
			e->winner, e->conf.hdid);
	else
		rio_say(e, RIO_LOG_NOTICE, "another host has taken this device: 0x%x gives way",
			e->conf.hdid);
	rio_unlock_all(e);
	if (e->winner != RIO_NO_ID && e->g.dev[0].tag != 0)
		self_end(e);
	rio_graph_reset(e);
	e->generation++;
	e->done = false;
	return -EBUSY;
}

static void
count(struct rio_enum *e, uint64_t begin)
{
	uint64_t us = e->conf.access->now_us(e->conf.ctx) - begin;

	e->stats.sweeps++;
	e->stats.unfinished += e->unfinished;
	if (!e->changed)
		return;
	e->stats.changes++;
	e->stats.last_us = us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
	if (e->stats.last_us > e->stats.longest_us)
		e->stats.longest_us = e->stats.last_us;
	if (++e->generation == 0)
		e->generation = 1;
}

int
rio_enum_sweep(struct rio_enum *e)
{
	uint64_t begin = e->conf.access->now_us(e->conf.ctx);
	int ret;

	e->changed = e->lost = e->unfinished = false;
	e->end_us = begin + (e->conf.sweep_max_us != 0 ? e->conf.sweep_max_us : RIO_SWEEP_MAX_US);
	ret = e->g.dev[0].used ? self_check(e) : self_begin(e);
	if (ret == 0)
		ret = rio_walk(e);
	if (e->lost)
		return give_way(e);
	if (ret != 0 && ret != -EAGAIN) {
		rio_unlock_all(e);
		rio_graph_reset(e);
		return ret;
	}
	if (!e->unfinished)
		remove_gone(e);
	rio_ids_assign(e);
	ret = rio_routes_apply(e);
	if (!e->lost)
		setup_all(e);
	if (e->lost)
		return give_way(e);
	count(e, begin);
	if (e->unfinished || ret != 0 || waiting(e))
		return -EAGAIN;
	e->done = true;
	return e->changed;
}
