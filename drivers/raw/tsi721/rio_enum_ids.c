/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Destination IDs. A new endpoint gets the first that it may have of: the one
 * that was at this port before; its own, where an earlier enumeration gave it
 * that; the lowest that is free, in the order in which Linux numbers: depth
 * first, ports upward.
 *
 * IDs of 16 bits are below 256 as long as that suffices: switches look them up in
 * one table. Above, an upper half has one device, since there is one entry for it.
 */

#include <string.h>

#include "rio_enum_priv.h"

struct ids {
	bool low[256];		/* ID, below 256 */
	bool high[256];		/* upper half */
};

static bool
id_allowed(const struct rio_enum *e, uint16_t id)
{
	return id < rio_any_id(e) && !(e->conf.sys16 && id >> 8 == 0xff);
}

static bool
id_is_free(const struct rio_enum *e, const struct ids *ids, uint16_t id)
{
	return id != RIO_NO_ID && id_allowed(e, id) &&
	       !(id < 256 ? ids->low[id] : ids->high[id >> 8]);
}

static void
id_take(struct ids *ids, uint16_t id)
{
	if (id < 256)
		ids->low[id] = true;
	else
		ids->high[id >> 8] = true;
}

/* 8 bits: 0 to 0xfe. 16: 0 to 0xff, then an upper half each. */
static uint16_t
id_lowest(const struct rio_enum *e, const struct ids *ids)
{
	uint32_t i;

	for (i = 0; i < 256; i++)
		if (id_is_free(e, ids, (uint16_t)i))
			return (uint16_t)i;
	for (i = 1; i < 0xff && e->conf.sys16; i++)
		if (!ids->high[i])
			return (uint16_t)(i << 8);
	return RIO_NO_ID;
}

static void
assign(struct rio_enum *e, struct ids *ids, struct rio_dev *ep)
{
	const struct rio_port *near = &ep->port[0];
	uint16_t keep = RIO_NO_ID;

	if (ep->destid != RIO_NO_ID)
		return;
	if (near->peer != RIO_NO_DEV)
		keep = e->g.dev[near->peer].port[near->peer_port].keep_id;
	if (id_is_free(e, ids, keep))
		ep->destid = keep;
	else if (id_is_free(e, ids, ep->strap_id))
		ep->destid = ep->strap_id;
	else
		ep->destid = id_lowest(e, ids);
	if (ep->destid == RIO_NO_ID) {
		rio_say(e, RIO_LOG_ERROR, "endpoint with component tag %u: no destination ID is left",
			ep->tag);
		return;
	}
	id_take(ids, ep->destid);
	e->changed = true;
}

/* What all but the lowest free ID asks for is decided first: nobody's is given away. */
static void
assign_known(struct rio_enum *e, struct ids *ids)
{
	struct rio_dev *ep;
	uint32_t i;
	uint16_t keep;

	for (i = 0; i < e->g.nb; i++) {
		ep = &e->g.dev[i];
		if (!ep->used || ep->is_switch || ep->destid != RIO_NO_ID)
			continue;
		keep = ep->port[0].peer == RIO_NO_DEV ? RIO_NO_ID :
		       e->g.dev[ep->port[0].peer].port[ep->port[0].peer_port].keep_id;
		if (id_is_free(e, ids, keep) || id_is_free(e, ids, ep->strap_id))
			assign(e, ids, ep);
	}
}

/* Depth first from a device that was come to by one of its ports. */
static void
assign_from(struct rio_enum *e, struct ids *ids, bool *seen, uint16_t index, uint32_t depth)
{
	struct rio_dev *dev = &e->g.dev[index];
	uint32_t p;

	seen[index] = true;
	if (!dev->is_switch) {
		assign(e, ids, dev);
		return;
	}
	for (p = 0; p < dev->nb_ports && depth < RIO_SW_MAX; p++)
		if (dev->port[p].peer != RIO_NO_DEV && !seen[dev->port[p].peer])
			assign_from(e, ids, seen, dev->port[p].peer, depth + 1);
}

void
rio_ids_assign(struct rio_enum *e)
{
	bool seen[RIO_DEV_MAX] = { false };
	struct ids ids;
	uint32_t i;

	memset(&ids, 0, sizeof(ids));
	for (i = 0; i < e->g.nb; i++)
		if (e->g.dev[i].used && !e->g.dev[i].is_switch && e->g.dev[i].destid != RIO_NO_ID)
			id_take(&ids, e->g.dev[i].destid);
	assign_known(e, &ids);
	seen[0] = true;
	if (e->g.dev[0].port[0].peer != RIO_NO_DEV)
		assign_from(e, &ids, seen, e->g.dev[0].port[0].peer, 0);
	for (i = 0; i < e->g.nb; i++)
		if (e->g.dev[i].used && !e->g.dev[i].is_switch && e->g.dev[i].port[0].peer != RIO_NO_DEV)
			e->g.dev[e->g.dev[i].port[0].peer].port[e->g.dev[i].port[0].peer_port]
				.keep_id = e->g.dev[i].destid;
}
