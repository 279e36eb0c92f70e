/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The way of a packet over links and through switches: requests, their
 * responses back, maintenance requests by hop count, port-writes.
 */

#include "null_route.h"

#define PORT_OUT(ctl)	((ctl) & RIO_PORT_N_CTL_EN_TX)
#define PORT_IN(ctl)	((ctl) & RIO_PORT_N_CTL_EN_RX)

/* Control register of the port at an end of a link. */
static uint32_t
end_ctl(struct null_fabric *fab, const struct null_end *end)
{
	if (end->kind == NULL_END_EP)
		return atomic_load(&fab->sh->ep[end->index].port_ctl);
	return atomic_load(&fab->sh->sw[end->index].port[end->port].ctl);
}

static uint32_t
end_link(struct null_fabric *fab, const struct null_end *end)
{
	if (end->kind == NULL_END_EP)
		return atomic_load(&fab->sh->ep[end->index].link);
	return atomic_load(&fab->sh->sw[end->index].port[end->port].link);
}

static const struct null_end *
far_end(const struct null_link *link, const struct null_end *near)
{
	return link->end[0].kind == near->kind && link->end[0].index == near->index &&
	       link->end[0].port == near->port ? &link->end[1] : &link->end[0];
}

/* A link that is down for a fault of its own has stopped a packet. */
static void
count_down(struct null_link *link)
{
	enum null_fault_kind kind = NULL_FAULT_DOWN;

	if (atomic_load(&link->fault_arg[kind]) == 0)
		kind = NULL_FAULT_LANES;
	if (atomic_load(&link->fault_arg[kind]) != 0)
		atomic_fetch_add_explicit(&link->fault_hits[kind], 1, memory_order_relaxed);
}

/* The switch at this end could not send or take a packet. */
static void
count_drop(struct null_fabric *fab, const struct null_end *end, bool rx)
{
	struct null_sw_port *port;

	if (end->kind != NULL_END_SW)
		return;
	port = &fab->sh->sw[end->index].port[end->port];
	atomic_fetch_add_explicit(rx ? &port->drop_rx : &port->drop_tx, 1, memory_order_relaxed);
}

/*
 * Out of a port and into what is at the other end. A locked-out port passes
 * nothing, one that is not enabled passes maintenance packets alone.
 */
static bool
cross(struct null_fabric *fab, struct null_walk *w, const struct null_end *out)
{
	uint32_t index = end_link(fab, out), ctl = end_ctl(fab, out);
	const struct null_end *in;
	struct null_link *link;

	if (index != NULL_LINK_NONE &&
	    atomic_load_explicit(&fab->sh->links[index].up, memory_order_acquire) == 0) {
		count_down(&fab->sh->links[index]);
		count_drop(fab, out, false);
		return false;
	}
	if (index == NULL_LINK_NONE || (ctl & RIO_PORT_N_CTL_LOCKOUT) != 0 ||
	    (!w->maint && !PORT_OUT(ctl))) {
		count_drop(fab, out, false);
		return false;
	}
	link = &fab->sh->links[index];
	in = far_end(link, out);
	ctl = end_ctl(fab, in);
	if ((ctl & RIO_PORT_N_CTL_LOCKOUT) != 0 || (!w->maint && !PORT_IN(ctl))) {
		count_drop(fab, in, true);
		return false;
	}
	w->faults |= atomic_load_explicit(&link->faults, memory_order_relaxed) & NULL_ROUTE_FAULTS;
	w->link[w->nb++] = (uint16_t)index;
	w->at = *in;
	return true;
}

/* Through switches, until an endpoint, or a switch where the hop count has run out. */
static bool
follow(struct null_fabric *fab, struct null_walk *w, const struct null_end *out)
{
	struct null_end next = *out;
	uint32_t port;

	while (w->nb <= NULL_HOPS_MAX) {
		if (!cross(fab, w, &next))
			return false;
		if (w->at.kind == NULL_END_EP || w->hop == 0)
			return true;
		w->hop--;
		if (!null_switch_route(&fab->sh->sw[w->at.index], w->at.port, w->destid, w->tt,
				       &port)) {
			count_drop(fab, &w->at, true);
			return false;
		}
		next = w->at;
		next.port = (uint8_t)port;
	}
	atomic_fetch_add_explicit(&fab->sh->sw[w->at.index].ttl_drops, 1, memory_order_relaxed);
	return false;
}

bool
null_walk_request(struct null_fabric *fab, struct null_walk *w, uint32_t src, uint32_t destid,
		  uint32_t tt, uint32_t hop)
{
	const struct null_end out = { .kind = NULL_END_EP, .index = (uint16_t)src };

	*w = (struct null_walk){ .destid = destid, .tt = tt, .hop = hop,
				 .maint = hop != NULL_HOP_NONE };
	if (!follow(fab, w, &out))
		return false;
	/* An endpoint answers maintenance requests to any ID, others to its own. */
	return w->maint || null_source_id(null_chip_at(fab, w->at.index), tt) == destid;
}

bool
null_walk_response(struct null_fabric *fab, struct null_walk *back, const struct null_walk *w,
		   uint32_t src)
{
	/* A switch answers by the port that the request came in by. */
	*back = (struct null_walk){
		.destid = null_source_id(null_chip_at(fab, src), w->tt), .tt = w->tt,
		.hop = NULL_HOP_NONE, .maint = w->maint,
	};
	return follow(fab, back, &w->at) && back->at.kind == NULL_END_EP && back->at.index == src;
}

enum null_resp
null_fabric_route(struct null_fabric *fab, uint32_t src, uint32_t destid, uint32_t tt,
		  uint32_t *ep, uint32_t *faults)
{
	struct null_walk w, back;

	if (!null_walk_request(fab, &w, src, destid, tt, NULL_HOP_NONE))
		return NULL_RESP_TIMEOUT;
	*ep = w.at.index;
	*faults = w.faults;
	if (null_walk_response(fab, &back, &w, src))
		*faults |= back.faults;
	else
		*faults |= NULL_ROUTE_NO_RETURN;
	return NULL_RESP_DONE;
}

struct null_route *
null_route_get(struct null_device *dev, struct null_engine *eng, uint32_t destid, uint32_t tt,
	       enum null_resp *resp)
{
	struct null_route *rt = &eng->route[destid % NULL_ROUTE_CACHE];
	uint32_t key = tt << 16 | destid;
	uint32_t ep, faults;

	*resp = NULL_RESP_DONE;
	if (null_likely(rt->key == key) || rt->key == (key | NULL_ROUTE_FAULTY))
		return rt;
	*resp = null_fabric_route(dev->fab, dev->ep, destid, tt, &ep, &faults);
	if (*resp != NULL_RESP_DONE)
		return NULL;
	if (eng == &dev->odb && null_stuck(dev, NULL_STUCK_ODB))
		faults |= NULL_ROUTE_STUCK;
	*rt = (struct null_route){ .key = faults != 0 ? key | NULL_ROUTE_FAULTY : key, .ep = ep,
				   .faults = faults };
	return rt;
}

static enum null_resp
maint_access(struct null_fabric *fab, const struct null_walk *w, bool write, uint32_t off,
	     uint32_t *val)
{
	if (w->at.kind == NULL_END_SW)
		return null_switch_maint(fab, w->at.index, w->at.port, write, off, val);
	return null_maint_access(fab, w->at.index, write, off, val);
}

enum null_resp
null_fabric_maint(struct null_fabric *fab, uint32_t src, uint32_t destid, uint32_t tt,
		  uint32_t hop, bool write, uint32_t off, uint32_t *val)
{
	struct null_fate fate = { .resp = NULL_RESP_DONE, .deliver = true };
	struct null_walk w, back;
	enum null_resp resp;
	uint32_t data = *val;

	if (!null_walk_request(fab, &w, src, destid, tt, hop))
		return NULL_RESP_TIMEOUT;
	if (null_unlikely(w.faults != 0))
		null_fate_of_walk(fab, &w, NULL_REQ_MAINT, 1, &fate);
	if (!fate.deliver)
		return fate.resp;
	resp = maint_access(fab, &w, write, off, &data);
	if (fate.resp != NULL_RESP_DONE)
		return fate.resp;
	/* After the access: it may have changed the way back. */
	if (!null_walk_response(fab, &back, &w, src) ||
	    (back.faults != 0 && null_fate_of_response(fab, &back, 1)))
		return NULL_RESP_TIMEOUT;
	if (resp == NULL_RESP_DONE && !write)
		*val = data;
	return resp;
}

bool
null_fabric_portwrite(struct null_fabric *fab, uint32_t sw, uint32_t destid, uint32_t tt,
		      const uint32_t words[4])
{
	struct null_walk w = { .destid = destid, .tt = tt, .hop = NULL_HOP_NONE, .maint = true };
	struct null_end out = { .kind = NULL_END_SW, .index = (uint16_t)sw };
	uint32_t port;

	if (!null_switch_route(&fab->sh->sw[sw], NULL_SW_ALL, destid, tt, &port))
		return false;
	out.port = (uint8_t)port;
	if (!follow(fab, &w, &out) ||
	    null_source_id(null_chip_at(fab, w.at.index), tt) != destid ||
	    (w.faults != 0 && null_fate_of_response(fab, &w, 1)))
		return false;
	null_portwrite_deliver(fab, w.at.index, words);
	return true;
}
