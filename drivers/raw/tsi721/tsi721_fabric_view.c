/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* A copy of the enumerator's graph, in the form in which it is published. */

#include <stdlib.h>

#include "rio_enum.h"
#include "tsi721_fabric.h"

static void
view_device(const struct rio_enum *e, const struct rio_dev *dev,
	    struct rte_pmd_tsi721_fabric_device *out)
{
	*out = (struct rte_pmd_tsi721_fabric_device){
		.comp_tag = dev->tag,
		.is_switch = dev->is_switch,
		.self = dev == &e->g.dev[0],
		.destid = dev->is_switch ? RIO_NO_ID : dev->destid,
		.hops = dev->depth,
		.nb_ports = dev->nb_ports,
		.vendor = (uint16_t)(dev->id & RIO_DEV_ID_VENDOR),
		.device = (uint16_t)(dev->id >> 16),
		.revision = dev->info,
		.asm_vendor = (uint16_t)(dev->asm_id & 0xffffu),
		.asm_device = (uint16_t)(dev->asm_id >> 16),
	};
}

static void
view_port(const struct rio_enum *e, const struct rio_dev *dev, uint32_t port,
	  struct rte_pmd_tsi721_fabric_port *out)
{
	const struct rio_port *p = &dev->port[port];
	const struct rio_dev *peer = p->peer != RIO_NO_DEV ? &e->g.dev[p->peer] : NULL;

	*out = (struct rte_pmd_tsi721_fabric_port){
		.port = (uint8_t)port,
		.up = p->up,
		.lockout = p->lockout,
		.lanes = p->up ? p->lanes : 0,
		.mbaud = p->up && p->lanes != 0 ? p->mbaud : 0,
		.peer_destid = RIO_NO_ID,
	};
	if (peer == NULL)
		return;
	out->linked = true;
	out->peer_tag = peer->tag;
	out->peer_destid = peer->is_switch ? RIO_NO_ID : peer->destid;
	out->peer_port = p->peer_port;
}

static uint32_t
view_routes(const struct rio_enum *e, const struct rio_dev *sw,
	    struct rte_pmd_tsi721_fabric_route *out)
{
	const struct rio_dev *ep;
	uint32_t i, n = 0;
	uint16_t port;

	for (i = 0; i < e->g.nb; i++) {
		ep = &e->g.dev[i];
		if (!ep->used || ep->is_switch || ep->destid == RIO_NO_ID)
			continue;
		port = rio_enum_route_get(e, sw, ep->destid);
		if (port != RIO_NO_PORT)
			out[n++] = (struct rte_pmd_tsi721_fabric_route){ ep->destid, (uint8_t)port };
	}
	return n;
}

void
tsi721_fabric_view_free(struct tsi721_fabric_view *view)
{
	uint32_t i;

	if (view == NULL)
		return;
	for (i = 0; view->of != NULL && i < view->nb_devs; i++) {
		free(view->of[i].ports);
		free(view->of[i].routes);
	}
	free(view->of);
	free(view->devs);
	free(view);
}

static bool
view_fill(struct tsi721_fabric_view *view, const struct rio_enum *e)
{
	const struct rio_dev *dev;
	uint32_t i, n = 0, p, ends = 0;

	for (i = 0; i < e->g.nb; i++) {
		dev = &e->g.dev[i];
		if (!dev->used)
			continue;
		view_device(e, dev, &view->devs[n]);
		view->of[n].ports = calloc(dev->nb_ports, sizeof(*view->of[n].ports));
		view->of[n].routes = calloc(RIO_EP_MAX, sizeof(*view->of[n].routes));
		if (view->of[n].ports == NULL || view->of[n].routes == NULL)
			return false;
		view->of[n].nb_ports = dev->nb_ports;
		for (p = 0; p < dev->nb_ports; p++) {
			view_port(e, dev, p, &view->of[n].ports[p]);
			ends += dev->port[p].up && dev->port[p].peer != RIO_NO_DEV;
		}
		if (dev->is_switch)
			view->of[n].nb_routes = view_routes(e, dev, view->of[n].routes);
		n++;
	}
	view->nb_links = ends / 2;
	return true;
}

struct tsi721_fabric_view *
tsi721_fabric_view_create(const struct rio_enum *e)
{
	struct tsi721_fabric_view *view = calloc(1, sizeof(*view));
	uint32_t i, n = 0;

	if (view == NULL)
		return NULL;
	for (i = 0; i < e->g.nb; i++)
		n += e->g.dev[i].used;
	view->generation = e->generation;
	view->nb_devs = n;
	view->devs = calloc(n + 1, sizeof(*view->devs));
	view->of = calloc(n + 1, sizeof(*view->of));
	if (view->devs == NULL || view->of == NULL || !view_fill(view, e)) {
		tsi721_fabric_view_free(view);
		return NULL;
	}
	return view;
}
