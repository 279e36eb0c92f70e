/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* What is on a fabric when it begins: the default star, or what a topology file says. */

#include <stdio.h>

#include "null_internal.h"

static void
places_empty(struct null_shared *sh)
{
	uint32_t i;

	for (i = 0; i < NULL_EP_MAX; i++) {
		atomic_store(&sh->ep[i].link, NULL_LINK_NONE);
		sh->place[i].link = NULL_LINK_NONE;
	}
}

void
null_star_build(struct null_shared *sh)
{
	places_empty(sh);
	sh->autostar = 1;
	sh->nb_sw = 1;
	null_switch_init(&sh->sw[0], sh->tables, "sw0", IDT_CPS1848_PORTS, NULL_SW_PORT_MAX);
}

static void
build_switch(const struct null_topo_sw *from, struct null_switch *sw,
	     struct null_sw_tables *tables)
{
	uint32_t i;

	null_switch_init(sw, tables, from->name, from->nb_ports, from->nb_ports);
	for (i = 0; i < from->nb_ports; i++)
		atomic_store(&sw->port[i].link, from->link[i]);
}

/* What an enumerator leaves behind. */
static void
preset_switch(const struct null_topo *t, uint32_t index, struct null_switch *sw)
{
	const struct null_topo_sw *from = &t->sw[index];
	uint32_t i;

	atomic_store(&sw->domain, from->domain);
	for (i = 0; i < 256; i++) {
		null_switch_route_set(sw, NULL_SW_ALL, false, i, null_switch_rte(from->dev[i]));
		null_switch_route_set(sw, NULL_SW_ALL, true, i, null_switch_rte(from->dom[i]));
	}
	null_switch_preset(sw, t->nb_ep + index + 1, t->ep[t->host].destid, t->sys16);
}

static void
build_link(struct null_shared *sh, const struct null_topo_link *from, uint32_t index)
{
	struct null_link *link = &sh->links[index];

	link->end[0] = from->end[0];
	link->end[1] = from->end[1];
	atomic_store(&link->lanes, from->lanes);
	atomic_store(&link->mbaud, from->mbaud);
}

static void
build_fault(struct null_fabric *fab, const struct null_topo_fault *from)
{
	if (from->fault.kind == NULL_FAULT_STUCK)
		null_stuck_set(fab, from->ep, from->fault.arg);
	else
		null_link_fault_set(fab, from->link, &from->fault);
}

void
null_topo_build(struct null_shared *sh, const struct null_topo *t)
{
	struct null_fabric fab = { .sh = sh };	/* all that training a link needs */
	struct null_place *place;
	uint32_t i, tables = 0;

	places_empty(sh);
	sh->sys16 = t->sys16;
	sh->topo_hash = null_topo_hash(t);
	sh->nb_sw = t->nb_sw;
	sh->nb_link = t->nb_link;
	for (i = 0; i < t->nb_ep; i++) {
		place = &sh->place[i];
		snprintf(place->node, sizeof(place->node), "%s", t->ep[i].name);
		place->destid = t->ep[i].destid;
		place->host = t->ep[i].host;
		place->link = t->ep[i].link;
	}
	atomic_store(&sh->nb_ep, t->nb_ep);
	for (i = 0; i < t->nb_sw; i++) {
		build_switch(&t->sw[i], &sh->sw[i], &sh->tables[tables]);
		tables += t->sw[i].nb_ports;
	}
	for (i = 0; i < t->nb_link; i++)
		build_link(sh, &t->link[i], i);
	for (i = 0; i < t->nb_fault; i++)
		build_fault(&fab, &t->fault[i]);
	for (i = 0; i < t->nb_link; i++)
		null_link_judge(&fab, i);
	/* Last, so that nothing is reported yet. */
	for (i = 0; i < t->nb_sw && t->enumerated; i++)
		preset_switch(t, i, &sh->sw[i]);
}
