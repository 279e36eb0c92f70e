/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * One sweep's look at the fabric: breadth first from oneself. A device is known
 * by the component tag that it was given; where a tag leads to two devices, a new
 * one is written by one way and read by the other.
 */

#include <errno.h>

#include "rio_enum_priv.h"

#define FAILS_MAX	6u

struct walk {
	struct rio_enum *e;
	uint16_t queue[RIO_SW_MAX];	/* switches to visit */
	uint32_t head, tail;
};

/* A place: a port of a switch, or one's own. */
struct place {
	struct rio_dev *near;
	uint32_t port;
	uint8_t hop;			/* of what is there */
};

static bool
over(struct rio_enum *e)
{
	return e->lost || rio_time_over(e);
}

static int
aim(struct rio_enum *e, const struct place *at)
{
	return at->near == &e->g.dev[0] ? 0 : rio_path_port(e, at->near, at->port);
}

/* 1 to RIO_TAG_MAX: one that no known device has. */
static uint32_t
tag_new(struct rio_enum *e)
{
	do {
		e->next_tag = e->next_tag >= RIO_TAG_MAX ? 1 : e->next_tag + 1;
	} while (rio_dev_by_tag(e, e->next_tag) != NULL);
	return e->next_tag;
}

/* It is there, and this is the way to it. */
static void
reached(struct walk *w, const struct place *at, struct rio_dev *dev)
{
	struct rio_enum *e = w->e;

	dev->reached = true;
	dev->misses = 0;
	dev->depth = at->hop;
	dev->parent = at->near == &e->g.dev[0] ? RIO_NO_DEV : rio_dev_index(e, at->near);
	dev->parent_port = (uint8_t)at->port;
	if (!dev->is_switch)
		dev->port[0].up = true;
	else if (w->tail < RIO_SW_MAX)
		w->queue[w->tail++] = rio_dev_index(e, dev);
}

/* --- what is behind a port --- */

/*
 * An endpoint that an earlier host has numbered says so; its ID is then to be believed.
 * One that says that it is the host is one, and the higher ID decides.
 */
static int
strap_read(struct rio_enum *e, const struct place *at, const struct rio_dev *cars, uint16_t *id)
{
	uint32_t ctl, did;

	*id = RIO_NO_ID;
	if (cars->sp == 0)
		return 0;
	if (rio_far_read(e, at->hop, cars->sp + RIO_PORT_GEN_CTL_CSR, &ctl) != 0 ||
	    rio_far_read(e, at->hop, RIO_DID_CSR, &did) != 0)
		return -EIO;
	if ((ctl & RIO_PORT_GEN_DISCOVERED) != 0)
		*id = rio_did_get(e, did);
	if ((ctl & RIO_PORT_GEN_HOST) != 0 && (ctl & RIO_PORT_GEN_MASTER) != 0 &&
	    rio_did_get(e, did) > e->conf.hdid && rio_did_get(e, did) != rio_any_id(e))
		return rio_lose(e, rio_did_get(e, did));
	return 0;
}

static int
tag_write(struct rio_enum *e, uint8_t hop, uint32_t tag)
{
	uint32_t back;
	int ret = rio_far_write(e, hop, RIO_COMPONENT_TAG_CSR, tag);

	if (ret == 0)
		ret = rio_far_read(e, hop, RIO_COMPONENT_TAG_CSR, &back);
	return ret == 0 && back != tag ? -EIO : ret;
}

/* How many ports a switch has, and by which this request came in; false: nonsense. */
static bool
swp_info(uint32_t val, uint32_t *nb_ports, uint32_t *in_port)
{
	*nb_ports = (val & RIO_SWP_INFO_PORT_TOTAL) >> 8;
	*in_port = val & RIO_SWP_INFO_PORT_NUM;
	return *in_port < *nb_ports;
}

/* Its lock is held. */
static struct rio_dev *
device_begin(struct walk *w, const struct place *at, const struct rio_dev *cars,
	     uint32_t nb_ports)
{
	bool is_switch = (cars->pef & RIO_PEF_SWITCH) != 0;
	struct rio_enum *e = w->e;
	uint16_t strap_id = RIO_NO_ID;
	uint32_t tag = tag_new(e);
	struct rio_dev *dev;

	if ((!is_switch && strap_read(e, at, cars, &strap_id) != 0) ||
	    tag_write(e, at->hop, tag) != 0)
		return NULL;
	dev = rio_dev_new(e, is_switch, nb_ports);
	if (dev == NULL) {
		rio_say(e, RIO_LOG_ERROR, "no room for another %s behind port %u",
			is_switch ? "switch" : "endpoint", at->port);
		return NULL;
	}
	rio_cars_copy(dev, cars);
	dev->tag = tag;
	dev->strap_id = strap_id;
	dev->locked = true;
	return dev;
}

static int
found_new(struct walk *w, const struct place *at, const struct rio_dev *cars)
{
	bool is_switch = (cars->pef & RIO_PEF_SWITCH) != 0;
	uint32_t val, nb_ports = 1, in_port = 0;
	struct rio_enum *e = w->e;
	struct rio_dev *dev;
	int ret;

	if (is_switch && (rio_far_read(e, at->hop, RIO_SWP_INFO_CAR, &val) != 0 ||
			  !swp_info(val, &nb_ports, &in_port)))
		return -EIO;
	if (is_switch && at->hop >= RIO_DEPTH_MAX)
		return -ELOOP;
	ret = rio_lock_far(e, at->hop);
	if (ret != 0)
		return ret;
	dev = device_begin(w, at, cars, nb_ports);
	if (dev == NULL) {
		rio_unlock_far(e, at->hop);
		return e->lost ? -EBUSY : -EIO;
	}
	dev->in_port = (uint8_t)in_port;
	rio_link_set(e, at->near, at->port, dev, in_port);
	reached(w, at, dev);
	e->changed = true;
	return 0;
}

/* Whether an endpoint is as it was set up; one whose driver began anew is not. */
static int
endpoint_check(struct rio_enum *e, const struct place *at, struct rio_dev *ep)
{
	uint32_t ctl = RIO_PORT_GEN_DISCOVERED, did;
	int ret = rio_far_read(e, at->hop, RIO_DID_CSR, &did);

	if (ret == 0 && ep->sp != 0)
		ret = rio_far_read(e, at->hop, ep->sp + RIO_PORT_GEN_CTL_CSR, &ctl);
	if (ret == 0 && (rio_did_get(e, did) != ep->destid || (ctl & RIO_PORT_GEN_DISCOVERED) == 0))
		ep->fresh = true;
	return ret;
}

static int
found_known(struct walk *w, const struct place *at, struct rio_dev *dev)
{
	struct rio_enum *e = w->e;
	uint32_t val, nb_ports, in_port = 0;

	if (!dev->is_switch) {
		if (endpoint_check(e, at, dev) != 0)
			return -EIO;
	} else if (rio_far_read(e, at->hop, RIO_SWP_INFO_CAR, &val) != 0 ||
		   !swp_info(val, &nb_ports, &in_port) || in_port >= dev->nb_ports) {
		return -EIO;
	}
	rio_link_set(e, at->near, at->port, dev, in_port);
	if (!dev->reached)
		reached(w, at, dev);
	return 0;
}

/* Whether what is at a place is a device that is known by another way. 0, 1, or an error. */
static int
is_same(struct rio_enum *e, const struct place *at, struct rio_dev *dev)
{
	uint32_t tag = tag_new(e), there = 0;
	int ret, again;

	ret = tag_write(e, at->hop, tag);
	if (ret != 0)
		return ret;
	ret = rio_dev_read(e, dev, RIO_COMPONENT_TAG_CSR, &there);
	again = aim(e, at);
	if (ret != 0 || again != 0)
		return ret != 0 ? ret : again;
	if (there != tag)
		return 0;
	ret = tag_write(e, at->hop, dev->tag);
	return ret != 0 ? ret : 1;
}

static void
switch_forget(struct rio_enum *e, struct rio_dev *sw)
{
	uint32_t p;

	rio_routes_forget(sw);
	sw->fresh = true;
	for (p = 0; p < sw->nb_ports; p++) {
		rio_link_cut(e, sw, p);
		sw->port[p].suspect = true;
		sw->port[p].ready = sw->port[p].lockout = false;
	}
}

static int
identify(struct walk *w, const struct place *at, uint32_t tag)
{
	struct rio_enum *e = w->e;
	struct rio_dev cars = { 0 }, *known = rio_dev_by_tag(e, tag);
	int ret = rio_cars_read(e, rio_any_id(e), at->hop, &cars);

	if (ret != 0)
		return ret;
	if (known == NULL || known == &e->g.dev[0] || known->id != cars.id ||
	    known->is_switch != ((cars.pef & RIO_PEF_SWITCH) != 0))
		return found_new(w, at, &cars);
	if (known->reached) {
		ret = is_same(e, at, known);
		if (ret < 0)
			return ret;
		return ret == 0 ? found_new(w, at, &cars) : found_known(w, at, known);
	}
	/* Moved here; or its tag is a lie, and what is known of it wrong. */
	if (known->is_switch)
		switch_forget(e, known);
	return found_known(w, at, known);
}

/*
 * A link is up, but who is there does not answer, which may take long to notice: it is
 * asked less and less often, or the sweep would never get past it.
 */
static int
nobody(struct rio_port *p)
{
	p->suspect = false;
	p->fails += p->fails < FAILS_MAX;
	p->skip = (uint8_t)(1u << (p->fails - 1));
	return -EIO;
}

static int
ask(struct walk *w, const struct place *at, struct rio_dev *known)
{
	struct rio_enum *e = w->e;
	uint32_t tag;
	int ret = aim(e, at);

	if (ret == 0)
		ret = rio_far_read(e, at->hop, RIO_COMPONENT_TAG_CSR, &tag);
	if (ret != 0)
		return ret;
	if (known != NULL && !known->reached && !at->near->port[at->port].suspect &&
	    tag == known->tag)
		return found_known(w, at, known);
	return identify(w, at, tag);
}

/* Something is at the other end of the link: who? */
static int
look(struct walk *w, struct rio_dev *near, uint32_t port)
{
	struct rio_enum *e = w->e;
	struct place at = { near, port, near == &e->g.dev[0] ? 0 : near->depth + 1 };
	struct rio_port *p = &near->port[port];
	struct rio_dev *known = p->peer != RIO_NO_DEV ? &e->g.dev[p->peer] : NULL;
	int ret;

	if (known != NULL && known->is_switch && known->reached && !p->suspect)
		return 0;
	if (known == NULL && !p->suspect && p->skip > 0 && near != &e->g.dev[0]) {
		p->skip--;
		return -EAGAIN;
	}
	ret = ask(w, &at, known);
	if (ret != 0 && known == NULL && !e->lost)
		return nobody(p);
	if (ret == 0) {
		p->suspect = false;
		p->fails = p->skip = 0;
	}
	return ret;
}

/* --- a switch --- */

/* The way that its table leads to the host is one of those that are good now. */
static bool
host_route_good(const struct rio_enum *e, const struct rio_dev *sw)
{
	uint16_t port = sw->route[rio_route_slot(e->conf.hdid)];
	const struct rio_dev *next;
	const struct rio_port *back;

	if (port == sw->in_port)
		return true;
	if (port >= sw->nb_ports || sw->port[port].peer == RIO_NO_DEV)
		return false;
	next = &e->g.dev[sw->port[port].peer];
	if (!next->is_switch || !next->reached || next->depth >= sw->depth)
		return false;
	back = &next->port[sw->port[port].peer_port];
	return back->up && back->peer == rio_dev_index(e, sw);
}

static void
reports_clear(struct rio_enum *e, struct rio_dev *sw, uint32_t port)
{
	if (sw->em != 0)
		rio_dev_write(e, sw, sw->em + RIO_EM_PN_ERR_DETECT(port), 0);
	if (!sw->indirect)
		rio_dev_write(e, sw, IDT_PORT_ISERR_DET(port), 0);
}

static int
visit_port(struct walk *w, struct rio_dev *sw, uint32_t port)
{
	struct rio_port *p = &sw->port[port];
	struct rio_enum *e = w->e;
	uint32_t sts;
	int ret = rio_dev_read(e, sw, sw->sp + RIO_PORT_N_ERR_STS_CSR(port), &sts);
	/* The one that this request came in by is up, whatever it says. */
	bool up = (sts & RIO_PORT_N_ERR_STS_PORT_OK) != 0 || port == sw->in_port;

	if (ret != 0)
		return ret;
	if (p->suspect || p->up != up)
		reports_clear(e, sw, port);
	e->changed = e->changed || p->up != up;
	p->suspect = up && (p->suspect || !p->up);
	p->up = up;
	if (!up) {
		rio_link_cut(e, sw, port);
		return rio_setup_port_down(e, sw, port);
	}
	if (!p->ready || p->suspect)
		ret = rio_setup_port_up(e, sw, port);
	if (ret != 0)
		return ret;
	if (port == sw->in_port) {
		p->suspect = false;
		return 0;
	}
	/* That nobody answers there does not end the visit. */
	look(w, sw, port);
	return 0;
}

static int
visit(struct walk *w, struct rio_dev *sw)
{
	struct rio_enum *e = w->e;
	uint32_t val, nb_ports, in_port, port;
	int ret = rio_dev_read(e, sw, RIO_SWP_INFO_CAR, &val);

	if (ret != 0)
		return ret;
	if (!swp_info(val, &nb_ports, &in_port))
		return -EIO;
	if (nb_ports != sw->nb_ports && !rio_dev_resize(e, sw, nb_ports))
		return -ENOMEM;
	sw->in_port = (uint8_t)in_port;
	if (!host_route_good(e, sw))
		ret = rio_route_write(e, sw, rio_route_slot(e->conf.hdid), sw->in_port);
	if (ret == 0)
		ret = rio_owner_check(e, sw);
	for (port = 0; port < sw->nb_ports && ret == 0 && sw->sp != 0 && !over(e); port++)
		ret = visit_port(w, sw, port);
	return ret;
}

int
rio_walk(struct rio_enum *e)
{
	struct walk w = { .e = e };
	struct rio_dev *self = &e->g.dev[0], *sw;
	uint32_t sts, i;
	bool up;

	for (i = 1; i < e->g.nb; i++) {
		e->g.dev[i].reached = false;
		/* Somebody else may have looked around too. */
		e->g.dev[i].any = RIO_NO_PORT;
	}
	self->reached = true;
	rio_local_read(e, self->sp + RIO_PORT_N_ERR_STS_CSR(0), &sts);
	up = (sts & RIO_PORT_N_ERR_STS_PORT_OK) != 0;
	e->changed = e->changed || self->port[0].up != up;
	self->port[0].up = up;
	if (!up) {
		rio_link_cut(e, self, 0);
		self->port[0].ready = false;
		return 0;
	}
	if (!self->port[0].ready)
		rio_setup_port_up(e, self, 0);
	look(&w, self, 0);
	while (w.head < w.tail && !over(e)) {
		sw = &e->g.dev[w.queue[w.head++]];
		if (visit(&w, sw) != 0 && !e->lost) {
			/* What it did not say this time it may say next time. */
			sw->reached = false;
		}
	}
	return e->lost ? -EBUSY : e->unfinished ? -EAGAIN : 0;
}
