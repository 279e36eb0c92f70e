/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "null_route.h"
#include "null_shm.h"
#include "null_view.h"

struct null_view {
	struct null_fabric fab;		/* as far as looking needs one */
	bool enumerated;
	bool running;
};

int
null_view_file(const char *path, struct null_view **out, char *err, size_t errlen)
{
	struct null_view *view;
	struct null_topo *topo;
	struct null_shared *sh;
	int ret = null_topo_load(path, &topo, err, errlen);

	if (ret < 0)
		return ret;
	view = calloc(1, sizeof(*view));
	sh = mmap(NULL, sizeof(*sh), PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (view == NULL || sh == MAP_FAILED) {
		if (sh != MAP_FAILED)
			munmap(sh, sizeof(*sh));
		free(view);
		null_topo_free(topo);
		null_say(err, errlen, "%s: no memory", path);
		return -ENOMEM;
	}
	null_topo_build(sh, topo);
	snprintf(sh->name, sizeof(sh->name), "%s", topo->name);
	view->fab.sh = sh;
	view->enumerated = topo->enumerated;
	null_topo_free(topo);
	*out = view;
	return 0;
}

int
null_view_running(const char *name, struct null_view **out, char *err, size_t errlen)
{
	struct null_view *view = calloc(1, sizeof(*view));
	int ret;

	if (view == NULL) {
		null_say(err, errlen, "no memory");
		return -ENOMEM;
	}
	ret = null_shm_look(name, &view->fab.sh, err, errlen);
	if (ret < 0) {
		free(view);
		return ret;
	}
	view->running = true;
	*out = view;
	return 0;
}

void
null_view_each(void (*fn)(void *ctx, const char *name), void *ctx)
{
	null_shm_each(fn, ctx);
}

void
null_view_close(struct null_view *view)
{
	if (view == NULL)
		return;
	munmap(view->fab.sh, sizeof(*view->fab.sh));
	free(view);
}

void
null_view_fabric(const struct null_view *view, struct null_view_fabric *f)
{
	const struct null_shared *sh = view->fab.sh;
	uint32_t i;

	*f = (struct null_view_fabric){
		.running = view->running,
		.star = sh->autostar != 0,
		.sys16 = sh->sys16 != 0,
		.enumerated = view->enumerated,
		.endpoints = atomic_load(&sh->nb_ep),
		.switches = sh->nb_sw,
		.links = sh->nb_link,
	};
	snprintf(f->name, sizeof(f->name), "%s", sh->name);
	if (f->star)
		f->links = f->endpoints;
	for (i = 0; i < f->endpoints; i++)
		f->attached += atomic_load(&sh->ep[i].attached) != 0;
	for (i = 0; i < NULL_PROC_MAX; i++)
		f->processes += atomic_load(&sh->procs[i].pid) != 0;
}

/* ---- names ---- */

static void
ep_name(const struct null_shared *sh, uint32_t ep, char *buf, size_t len)
{
	if (sh->autostar)
		snprintf(buf, len, "ep%u", ep);
	else
		snprintf(buf, len, "%s", sh->place[ep].node);
}

static void
end_name(const struct null_shared *sh, const struct null_end *end, char *buf, size_t len)
{
	switch (end->kind) {
	case NULL_END_EP:
		ep_name(sh, end->index, buf, len);
		break;
	case NULL_END_SW:
		snprintf(buf, len, "%s.%u", sh->sw[end->index].node, end->port);
		break;
	default:
		buf[0] = '\0';
		break;
	}
}

static const struct null_end *
far_end(const struct null_link *link, uint32_t kind, uint32_t index, uint32_t port)
{
	return link->end[0].kind == kind && link->end[0].index == index &&
	       link->end[0].port == port ? &link->end[1] : &link->end[0];
}

static void
peer_name(const struct null_shared *sh, uint32_t link, enum null_end_kind kind, uint32_t index,
	  uint32_t port, char *buf, size_t len)
{
	buf[0] = '\0';
	if (link != NULL_LINK_NONE)
		end_name(sh, far_end(&sh->links[link], kind, index, port), buf, len);
}

static uint32_t
link_index(uint16_t link)
{
	return link != NULL_LINK_NONE ? link : UINT32_MAX;
}

/* ---- nodes ---- */

bool
null_view_ep(const struct null_view *view, uint32_t ep, struct null_view_ep *e)
{
	const struct null_shared *sh = view->fab.sh;
	const struct null_place *place = &sh->place[ep];
	const struct null_chip *chip = &sh->ep[ep];
	struct null_fault stuck = { .kind = NULL_FAULT_STUCK };

	if (ep >= atomic_load(&sh->nb_ep))
		return false;
	memset(e, 0, sizeof(*e));
	ep_name(sh, ep, e->node, sizeof(e->node));
	e->link = link_index(place->link);
	peer_name(sh, place->link, NULL_END_EP, ep, 0, e->peer, sizeof(e->peer));
	e->numbered = place->destid != NULL_TOPO_NO_ID;
	e->destid = e->numbered ? place->destid : 0;
	e->host = place->host != 0;
	e->attached = atomic_load(&chip->attached) != 0;
	if (e->attached) {
		e->numbered = true;
		e->destid = null_source_id(chip, sh->sys16 ? TSI721_TT_16 : TSI721_TT_8);
		e->host = (atomic_load(&chip->gen_ctl) & RIO_PORT_GEN_HOST) != 0;
		e->pid = atomic_load(&sh->procs[atomic_load(&chip->proc)].pid);
	}
	e->link_up = place->link != NULL_LINK_NONE && atomic_load(&sh->links[place->link].up) != 0;
	stuck.arg = atomic_load(&place->stuck);
	if (stuck.arg != 0)
		null_fault_format(&stuck, e->stuck, sizeof(e->stuck));
	e->stuck_hits = atomic_load(&place->stuck_hits);
	return true;
}

uint64_t
null_view_ep_stat(const struct null_view *view, uint32_t ep, enum null_stat stat)
{
	const struct null_chip *chip = &view->fab.sh->ep[ep];

	return atomic_load_explicit(&chip->stats[stat], memory_order_relaxed) +
	       null_doorbell_stat(chip, stat) + null_mbox_stat(chip, stat);
}

bool
null_view_switch(const struct null_view *view, uint32_t index, struct null_view_switch *s)
{
	const struct null_switch *sw = &view->fab.sh->sw[index];

	if (index >= view->fab.sh->nb_sw)
		return false;
	*s = (struct null_view_switch){
		.ports = atomic_load(&sw->nb_ports),
		.comp_tag = atomic_load(&sw->comp_tag),
		.host_lock = atomic_load(&sw->host_lock),
		.domain = atomic_load(&sw->domain),
		.default_port = atomic_load(&sw->default_port),
		.pw_target = atomic_load(&sw->pw_tgt),
		.pw_sent = atomic_load(&sw->pw_sent),
		.pw_lost = atomic_load(&sw->pw_lost),
		.circles = atomic_load(&sw->ttl_drops),
		.unknown_reads = atomic_load(&sw->unknown_reads),
		.unknown_writes = atomic_load(&sw->unknown_writes),
	};
	snprintf(s->node, sizeof(s->node), "%s", sw->node);
	return true;
}

bool
null_view_port(const struct null_view *view, uint32_t index, uint32_t n, struct null_view_port *p)
{
	const struct null_shared *sh = view->fab.sh;
	const struct null_sw_port *port;
	const struct null_end *end;
	uint16_t link;

	if (index >= sh->nb_sw || n >= atomic_load(&sh->sw[index].nb_ports))
		return false;
	port = &sh->sw[index].port[n];
	link = atomic_load(&port->link);
	*p = (struct null_view_port){
		.link = link_index(link),
		.lockout = (atomic_load(&port->ctl) & RIO_PORT_N_CTL_LOCKOUT) != 0,
		.disabled = (atomic_load(&port->ctl) & RIO_PORT_N_CTL_PORT_DIS) != 0,
		.drop_rx = atomic_load(&port->drop_rx),
		.drop_tx = atomic_load(&port->drop_tx),
		.err_det = atomic_load(&port->err_det),
	};
	peer_name(sh, link, NULL_END_SW, index, n, p->peer, sizeof(p->peer));
	if (link == NULL_LINK_NONE)
		return true;
	p->lanes = atomic_load(&sh->links[link].lanes);
	p->mbaud = atomic_load(&sh->links[link].mbaud);
	p->width = atomic_load(&sh->links[link].up);
	end = far_end(&sh->links[link], NULL_END_SW, index, n);
	p->vacant = end->kind == NULL_END_EP && atomic_load(&sh->ep[end->index].attached) == 0;
	return true;
}

bool
null_view_route(const struct null_view *view, uint32_t index, uint32_t port, bool domain,
		uint32_t entry, char text[NULL_VIEW_TEXT_LEN])
{
	struct null_switch *sw = &view->fab.sh->sw[index];
	const struct null_sw_tables *rt;
	uint32_t to;

	if (index >= view->fab.sh->nb_sw || entry > 255 ||
	    (port != NULL_VIEW_ALL_PORTS && port >= atomic_load(&sw->nb_ports)))
		return false;
	rt = null_switch_tables(sw, port == NULL_VIEW_ALL_PORTS ? NULL_SW_ALL : port);
	to = atomic_load(domain ? &rt->dom[entry] : &rt->dev[entry]);
	switch (to) {
	case NULL_RTE_NONE:
		strcpy(text, "none");
		break;
	case NULL_RTE_DEFAULT:
		strcpy(text, "default");
		break;
	case NULL_RTE_DEVICE_TABLE:
		strcpy(text, "device");
		break;
	default:
		snprintf(text, NULL_VIEW_TEXT_LEN, "%u", to);
		break;
	}
	return true;
}

/* ---- links ---- */

bool
null_view_link(const struct null_view *view, uint32_t index, struct null_view_link *l)
{
	const struct null_shared *sh = view->fab.sh;
	const struct null_link *link = &sh->links[index];

	if (index >= NULL_LINK_MAX || link->end[0].kind == NULL_END_NONE)
		return false;
	memset(l, 0, sizeof(*l));
	end_name(sh, &link->end[0], l->end[0], sizeof(l->end[0]));
	end_name(sh, &link->end[1], l->end[1], sizeof(l->end[1]));
	l->lanes = atomic_load(&link->lanes);
	l->mbaud = atomic_load(&link->mbaud);
	l->width = atomic_load(&link->up);
	return true;
}

bool
null_view_fault(const struct null_view *view, uint32_t index, unsigned int n,
		char text[NULL_VIEW_TEXT_LEN], uint64_t *hits)
{
	const struct null_link *link = &view->fab.sh->links[index];
	struct null_fault fault;
	uint32_t kind;

	if (index >= NULL_LINK_MAX)
		return false;
	for (kind = 0; kind < NULL_FAULT_LINK_KINDS; kind++) {
		fault = (struct null_fault){ .kind = (enum null_fault_kind)kind,
					     .arg = atomic_load(&link->fault_arg[kind]) };
		if (fault.arg == 0 || n-- > 0)
			continue;
		null_fault_format(&fault, text, NULL_VIEW_TEXT_LEN);
		*hits = atomic_load(&link->fault_hits[kind]);
		return true;
	}
	return false;
}

/* ---- ways ---- */

int
null_view_hops(const struct null_view *view, uint32_t src, uint32_t dst)
{
	struct null_shared *sh = view->fab.sh;
	uint32_t tt = sh->sys16 ? TSI721_TT_16 : TSI721_TT_8, port;
	struct null_end at = { .kind = NULL_END_EP, .index = (uint16_t)src };
	uint16_t link = sh->place[src].link;
	struct null_view_ep to;
	int n;

	if (!null_view_ep(view, dst, &to) || !to.numbered)
		return -1;
	for (n = 0; link != NULL_LINK_NONE && n <= (int)NULL_HOPS_MAX; n++) {
		at = *far_end(&sh->links[link], at.kind, at.index, at.port);
		if (at.kind == NULL_END_EP)
			return at.index == dst ? n : -1;
		if (!null_switch_route(&sh->sw[at.index], at.port, to.destid, tt, &port))
			return -1;
		at.port = (uint8_t)port;
		link = atomic_load(&sh->sw[at.index].port[port].link);
	}
	return -1;
}

/* ---- registers ---- */

#define TABLE_ROWS	256u	/* rows of more registers are routing tables */

static void
switch_regs(const struct null_view *view, uint32_t index,
	    void (*fn)(void *ctx, const struct null_view_reg *reg), void *ctx)
{
	struct null_sw_at at = { .fab = (struct null_fabric *)(uintptr_t)&view->fab,
				 .sw = &view->fab.sh->sw[index] };
	const struct null_sw_reg *row;
	struct null_view_reg r;
	uint32_t n;

	for (n = 0; (row = null_switch_reg_row(n)) != NULL; n++) {
		r = (struct null_view_reg){ .name = row->name, .count = row->count };
		if (row->per_port)
			r.count = atomic_load(&at.sw->nb_ports);
		if (r.count > TABLE_ROWS)
			continue;
		for (; r.index < r.count; r.index++) {
			r.off = row->off + r.index * row->stride + (row->em ? at.sw->em_base : 0);
			r.val = null_switch_reg_peek(&at, row, r.index);
			fn(ctx, &r);
		}
	}
}

static void
chip_regs(const struct null_view *view, uint32_t ep,
	  void (*fn)(void *ctx, const struct null_view_reg *reg), void *ctx)
{
	/* All that reading needs of a device. */
	struct null_device dev = { .fab = (struct null_fabric *)(uintptr_t)&view->fab, .ep = ep,
				   .chip = &view->fab.sh->ep[ep] };
	const struct null_reg *row;
	struct null_view_reg r;
	uint32_t n;

	for (n = 0; (row = null_reg_row(n)) != NULL; n++) {
		r = (struct null_view_reg){ .name = row->name, .count = row->count };
		for (; r.index < r.count; r.index++) {
			r.off = row->off + r.index * row->stride;
			r.val = null_reg_peek(&dev, row, r.index);
			fn(ctx, &r);
		}
	}
}

int
null_view_regs(const struct null_view *view, const char *node,
	       void (*fn)(void *ctx, const struct null_view_reg *reg), void *ctx)
{
	const struct null_shared *sh = view->fab.sh;
	char name[NULL_NAME_LEN];
	uint32_t i;

	for (i = 0; i < sh->nb_sw; i++)
		if (strcmp(sh->sw[i].node, node) == 0) {
			switch_regs(view, i, fn, ctx);
			return 0;
		}
	for (i = 0; i < atomic_load(&sh->nb_ep); i++) {
		ep_name(sh, i, name, sizeof(name));
		if (strcmp(name, node) != 0)
			continue;
		if (atomic_load(&sh->ep[i].attached) == 0)
			return -ENODEV;
		chip_regs(view, i, fn, ctx);
		return 0;
	}
	return -ENOENT;
}
