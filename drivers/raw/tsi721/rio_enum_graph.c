/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The graph of a fabric: slots for devices, links between their ports. */

#include <stdlib.h>
#include <string.h>

#include "rio_enum_priv.h"

static void
port_clear(struct rio_port *port)
{
	*port = (struct rio_port){ .peer = RIO_NO_DEV, .keep_id = RIO_NO_ID };
}

/* Limits of endpoints and switches are kept apart: neither takes the others' room. */
static bool
room_for(const struct rio_enum *e, bool is_switch)
{
	uint32_t i, n = 0;

	for (i = 0; i < e->g.nb; i++)
		n += e->g.dev[i].used && e->g.dev[i].is_switch == is_switch;
	return n < (is_switch ? RIO_SW_MAX : RIO_EP_MAX);
}

void
rio_routes_forget(struct rio_dev *sw)
{
	uint32_t i;

	for (i = 0; i < RIO_ROUTES; i++)
		sw->route[i] = RIO_ROUTE_UNKNOWN;
}

struct rio_dev *
rio_dev_new(struct rio_enum *e, bool is_switch, uint32_t nb_ports)
{
	struct rio_dev *dev;
	uint32_t i;

	for (i = 0; i < RIO_DEV_MAX && e->g.dev[i].used; i++)
		;
	if (i == RIO_DEV_MAX || !room_for(e, is_switch))
		return NULL;
	dev = &e->g.dev[i];
	*dev = (struct rio_dev){
		.used = true, .is_switch = is_switch, .fresh = true, .nb_ports = (uint16_t)nb_ports,
		.destid = RIO_NO_ID, .strap_id = RIO_NO_ID, .parent = RIO_NO_DEV,
		.any = RIO_NO_PORT,
	};
	dev->port = calloc(nb_ports, sizeof(*dev->port));
	if (is_switch)
		dev->route = malloc(RIO_ROUTES * sizeof(*dev->route));
	if (dev->port == NULL || (is_switch && dev->route == NULL)) {
		free(dev->port);
		free(dev->route);
		dev->used = false;
		return NULL;
	}
	for (i = 0; i < nb_ports; i++)
		port_clear(&dev->port[i]);
	if (is_switch)
		rio_routes_forget(dev);
	if (rio_dev_index(e, dev) >= e->g.nb)
		e->g.nb = rio_dev_index(e, dev) + 1u;
	return dev;
}

void
rio_dev_free(struct rio_enum *e, struct rio_dev *dev)
{
	uint32_t i;

	for (i = 0; i < dev->nb_ports; i++)
		rio_link_cut(e, dev, i);
	free(dev->port);
	free(dev->route);
	memset(dev, 0, sizeof(*dev));
	while (e->g.nb > 0 && !e->g.dev[e->g.nb - 1].used)
		e->g.nb--;
}

bool
rio_dev_resize(struct rio_enum *e, struct rio_dev *dev, uint32_t nb_ports)
{
	struct rio_port *port = calloc(nb_ports, sizeof(*port));
	uint32_t i;

	if (port == NULL)
		return false;
	for (i = nb_ports; i < dev->nb_ports; i++)
		rio_link_cut(e, dev, i);
	for (i = 0; i < nb_ports; i++) {
		if (i < dev->nb_ports)
			port[i] = dev->port[i];
		else
			port_clear(&port[i]);
	}
	free(dev->port);
	dev->port = port;
	dev->nb_ports = (uint16_t)nb_ports;
	return true;
}

void
rio_graph_reset(struct rio_enum *e)
{
	uint32_t i;

	for (i = 0; i < RIO_DEV_MAX; i++)
		if (e->g.dev[i].used) {
			free(e->g.dev[i].port);
			free(e->g.dev[i].route);
		}
	memset(&e->g, 0, sizeof(e->g));
}

void
rio_link_cut(struct rio_enum *e, struct rio_dev *dev, uint32_t port)
{
	struct rio_port *near = &dev->port[port], *far;

	if (near->peer == RIO_NO_DEV)
		return;
	far = &e->g.dev[near->peer].port[near->peer_port];
	if (far->peer == rio_dev_index(e, dev) && far->peer_port == port)
		far->peer = RIO_NO_DEV;
	near->peer = RIO_NO_DEV;
	e->changed = true;
}

void
rio_link_set(struct rio_enum *e, struct rio_dev *a, uint32_t port_a, struct rio_dev *b,
	     uint32_t port_b)
{
	struct rio_port *pa = &a->port[port_a], *pb = &b->port[port_b];

	if (pa->peer == rio_dev_index(e, b) && pa->peer_port == port_b &&
	    pb->peer == rio_dev_index(e, a) && pb->peer_port == port_a)
		return;
	rio_link_cut(e, a, port_a);
	rio_link_cut(e, b, port_b);
	pa->peer = rio_dev_index(e, b);
	pa->peer_port = (uint8_t)port_b;
	pb->peer = rio_dev_index(e, a);
	pb->peer_port = (uint8_t)port_a;
	e->changed = true;
}

struct rio_dev *
rio_dev_by_tag(struct rio_enum *e, uint32_t tag)
{
	uint32_t i;

	for (i = 0; tag != 0 && i < e->g.nb; i++)
		if (e->g.dev[i].used && e->g.dev[i].tag == tag)
			return &e->g.dev[i];
	return NULL;
}
