/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Topology files, second part: is everything connected, where do routes lead,
 * what do the switches' tables hold. A route that the file does not give is the
 * shortest one, where there is no choice. Where switches form a loop there is
 * one, and the file has to say.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../tsi721_regs.h"
#include "null_topo.h"

#define NO_DIST		UINT32_MAX

struct complete {
	struct null_topo *t;
	char *reason;
	size_t len;
};

__attribute__((format(printf, 3, 4)))
static uint32_t
bad(struct complete *c, uint32_t line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->reason, c->len, fmt, ap);
	va_end(ap);
	return line;
}

/* Switch behind a port of a switch; false: no link, or an endpoint. */
static bool
next_sw(const struct null_topo *t, uint32_t sw, uint32_t port, uint32_t *next)
{
	const struct null_end *far;

	if (t->sw[sw].link[port] == NULL_LINK_NONE)
		return false;
	far = null_topo_far_end(t, t->sw[sw].link[port], NULL_END_SW, sw, port);
	*next = far->index;
	return far->kind == NULL_END_SW;
}

/*
 * Switches that can be reached from one without the link `without`, and how
 * many links away they are.
 */
static void
distances(const struct null_topo *t, uint32_t from, uint16_t without, uint32_t dist[NULL_SW_MAX])
{
	uint32_t queue[NULL_SW_MAX], head = 0, tail = 0, sw, port, next;

	for (sw = 0; sw < NULL_SW_MAX; sw++)
		dist[sw] = NO_DIST;
	dist[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		sw = queue[head++];
		for (port = 0; port < t->sw[sw].nb_ports; port++) {
			if (t->sw[sw].link[port] == without || !next_sw(t, sw, port, &next) ||
			    dist[next] != NO_DIST)
				continue;
			dist[next] = dist[sw] + 1;
			queue[tail++] = next;
		}
	}
}

/* Both ends are joined without this link too. */
static bool
in_loop(const struct null_topo *t, uint16_t link)
{
	const struct null_end *end = t->link[link].end;
	uint32_t dist[NULL_SW_MAX];

	if (end[0].kind != NULL_END_SW || end[1].kind != NULL_END_SW)
		return false;
	distances(t, end[0].index, link, dist);
	return dist[end[1].index] != NO_DIST;
}

/* ---- is it whole ---- */

static const struct null_end *
ep_far_end(const struct null_topo *t, uint32_t ep)
{
	return null_topo_far_end(t, t->ep[ep].link, NULL_END_EP, ep, 0);
}

/* Two endpoints at a cable, and nothing else. */
static bool
is_cable(const struct null_topo *t)
{
	return t->nb_sw == 0 && t->nb_ep == 2 && t->nb_link == 1;
}

static uint32_t
check_connected(struct complete *c)
{
	struct null_topo *t = c->t;
	uint32_t dist[NULL_SW_MAX], i;
	const struct null_end *far;

	for (i = 0; i < t->nb_ep; i++)
		if (t->ep[i].link == NULL_LINK_NONE)
			return bad(c, t->ep[i].line, "endpoint %s has no link", t->ep[i].name);
	if (is_cable(t))
		return 0;
	if (t->nb_sw == 0)
		return bad(c, t->link[0].line, "%u endpoints without a switch do not form one fabric",
			   t->nb_ep);
	distances(t, 0, NULL_LINK_NONE, dist);
	for (i = 0; i < t->nb_sw; i++)
		if (dist[i] == NO_DIST)
			return bad(c, t->sw[i].line, "switch %s is not joined to %s", t->sw[i].name,
				   t->sw[0].name);
	for (i = 0; i < t->nb_ep; i++) {
		far = ep_far_end(t, i);
		if (far->kind == NULL_END_EP)
			return bad(c, t->link[t->ep[i].link].line,
				   "%s and %s are joined with each other alone, not with %s",
				   t->ep[i].name, t->ep[far->index].name, t->sw[0].name);
	}
	return 0;
}

static uint32_t
check_faults(struct complete *c)
{
	const struct null_topo_fault *f;
	uint32_t i, lanes;

	for (i = 0; i < c->t->nb_fault; i++) {
		f = &c->t->fault[i];
		if (f->fault.kind != NULL_FAULT_LANES)
			continue;
		lanes = c->t->link[f->link].lanes;
		if (f->fault.arg >> lanes != 0)
			return bad(c, f->line, "lanes of a x%u link are 0 to %u", lanes, lanes - 1);
	}
	return 0;
}

/* ---- routes ---- */

/* The lowest port that leads to a switch nearer to where dist counts from. */
static uint32_t
nearer_port(const struct null_topo *t, uint32_t sw, const uint32_t dist[NULL_SW_MAX])
{
	uint32_t port, next;

	for (port = 0; port < t->sw[sw].nb_ports; port++)
		if (next_sw(t, sw, port, &next) && dist[next] + 1 == dist[sw])
			return port;
	return NULL_TOPO_NO_PORT;
}

/* Where the loop that a link is in was closed: its last line. */
static uint32_t
loop_line(const struct null_topo *t, const bool loop[NULL_LINK_MAX])
{
	uint32_t i, line = 0;

	for (i = 0; i < t->nb_link; i++)
		if (loop[i] && t->link[i].line > line)
			line = t->link[i].line;
	return line;
}

static uint32_t
route_to(struct complete *c, uint32_t ep, const bool loop[NULL_LINK_MAX])
{
	struct null_topo *t = c->t;
	const struct null_end *far = ep_far_end(t, ep);
	uint32_t dist[NULL_SW_MAX], sw, port;

	distances(t, far->index, NULL_LINK_NONE, dist);
	for (sw = 0; sw < t->nb_sw; sw++) {
		if (t->sw[sw].out[ep] != NULL_TOPO_NO_PORT)
			continue;
		port = sw == far->index ? far->port : nearer_port(t, sw, dist);
		if (loop[t->sw[sw].link[port]])
			return bad(c, loop_line(t, loop), "this link closes a loop, and no route in "
				   "%s to %s is given", t->sw[sw].name, t->ep[ep].name);
		t->sw[sw].out[ep] = (uint16_t)port;
	}
	return 0;
}

/* Follow the routes to ep from a switch. */
static uint32_t
check_walk(struct complete *c, uint32_t from, uint32_t ep)
{
	struct null_topo *t = c->t;
	uint32_t sw = from, line = 0, hops, port;
	const struct null_end *far;

	for (hops = 0; hops <= t->nb_sw; hops++) {
		port = t->sw[sw].out[ep];
		if (t->sw[sw].out_line[ep] != 0)
			line = t->sw[sw].out_line[ep];
		far = null_topo_far_end(t, t->sw[sw].link[port], NULL_END_SW, sw, port);
		if (far->kind == NULL_END_EP && far->index == ep)
			return hops < NULL_HOPS_MAX ? 0 :
			       bad(c, line != 0 ? line : t->ep[ep].line,
				   "route of %s from %s passes more than %u switches",
				   t->ep[ep].name, t->sw[from].name, NULL_HOPS_MAX);
		if (far->kind == NULL_END_EP)
			return bad(c, line, "route of %s from %s ends at %s", t->ep[ep].name,
				   t->sw[from].name, t->ep[far->index].name);
		sw = far->index;
	}
	return bad(c, line, "route of %s from %s goes in a circle through %s", t->ep[ep].name,
		   t->sw[from].name, t->sw[sw].name);
}

static uint32_t
complete_routes(struct complete *c)
{
	struct null_topo *t = c->t;
	bool loop[NULL_LINK_MAX];
	uint32_t i, sw, line;

	for (i = 0; i < t->nb_link; i++)
		loop[i] = in_loop(t, (uint16_t)i);
	for (i = 0; i < t->nb_ep; i++) {
		line = route_to(c, i, loop);
		if (line != 0)
			return line;
		for (sw = 0; sw < t->nb_sw; sw++) {
			line = check_walk(c, sw, i);
			if (line != 0)
				return line;
		}
	}
	return 0;
}

/* ---- tables ---- */

/* All IDs with this upper half leave by one port. */
static bool
domain_uniform(const struct null_topo *t, const struct null_topo_sw *sw, uint32_t msb)
{
	uint32_t port = NULL_TOPO_NO_PORT, i;

	for (i = 0; i < t->nb_ep; i++) {
		if (t->ep[i].destid >> 8 != msb)
			continue;
		if (port != NULL_TOPO_NO_PORT && port != sw->out[i])
			return false;
		port = sw->out[i];
	}
	return true;
}

/*
 * An 8-bit ID looks its port up in the device table. So does the lower half of
 * a 16-bit one whose upper half is 0, the switch's domain, or marked so in the
 * domain table; else the domain table has the port.
 */
static uint32_t
fill_tables(struct complete *c, struct null_topo_sw *sw)
{
	struct null_topo *t = c->t;
	uint32_t user[256], i, msb, lsb;

	memset(sw->dev, IDT_RTE_NO_ROUTE, sizeof(sw->dev));
	memset(sw->dom, IDT_RTE_NO_ROUTE, sizeof(sw->dom));
	for (i = 0; i < t->nb_ep; i++) {
		msb = t->ep[i].destid >> 8;
		lsb = t->ep[i].destid & 0xff;
		if (msb != 0 && msb != sw->domain) {
			if (domain_uniform(t, sw, msb)) {
				sw->dom[msb] = (uint8_t)sw->out[i];
				continue;
			}
			sw->dom[msb] = IDT_RTE_DEVICE_TABLE;
		}
		if (sw->dev[lsb] != IDT_RTE_NO_ROUTE && sw->dev[lsb] != sw->out[i])
			return bad(c, t->ep[i].line, "switch %s cannot tell 0x%x of %s from 0x%x of "
				   "%s: it looks up 0x%02x for both", sw->name, t->ep[i].destid,
				   t->ep[i].name, t->ep[user[lsb]].destid, t->ep[user[lsb]].name,
				   lsb);
		sw->dev[lsb] = (uint8_t)sw->out[i];
		user[lsb] = i;
	}
	return 0;
}

uint32_t
null_topo_complete(struct null_topo *t, char *reason, size_t len)
{
	struct complete c = { .t = t, .reason = reason, .len = len };
	uint32_t line, i;

	if (t->nb_ep < 2)
		return bad(&c, 1, "a fabric has two endpoints or more, not %u", t->nb_ep);
	line = check_connected(&c);
	if (line == 0)
		line = check_faults(&c);
	if (line == 0 && t->enumerated) {
		t->ep[t->host].host = true;
		line = complete_routes(&c);
	}
	for (i = 0; line == 0 && i < t->nb_sw; i++) {
		if (t->enumerated) {
			line = fill_tables(&c, &t->sw[i]);
			continue;
		}
		memset(t->sw[i].dev, IDT_RTE_NO_ROUTE, sizeof(t->sw[i].dev));
		memset(t->sw[i].dom, IDT_RTE_NO_ROUTE, sizeof(t->sw[i].dom));
	}
	return line;
}

/* ---- looking at it ---- */

void
null_topo_end_name(const struct null_topo *topo, const struct null_end *end, char *buf, size_t len)
{
	if (end->kind == NULL_END_EP)
		snprintf(buf, len, "%s", topo->ep[end->index].name);
	else
		snprintf(buf, len, "%s.%u", topo->sw[end->index].name, end->port);
}

const struct null_end *
null_topo_far_end(const struct null_topo *topo, uint16_t link, enum null_end_kind kind,
		  uint32_t index, uint32_t port)
{
	const struct null_end *end = topo->link[link].end;

	return end[0].kind == kind && end[0].index == index && end[0].port == port ?
	       &end[1] : &end[0];
}

static uint64_t
hash_bytes(uint64_t h, const void *data, size_t len)
{
	const uint8_t *b = data;

	while (len-- > 0)
		h = (h ^ *b++) * 0x100000001b3ull;	/* FNV-1a */
	return h;
}

uint64_t
null_topo_hash(const struct null_topo *t)
{
	uint64_t h = 0xcbf29ce484222325ull;
	uint32_t i;

	h = hash_bytes(h, &t->sys16, sizeof(t->sys16));
	h = hash_bytes(h, &t->enumerated, sizeof(t->enumerated));
	for (i = 0; i < t->nb_ep; i++) {
		h = hash_bytes(h, t->ep[i].name, strlen(t->ep[i].name) + 1);
		h = hash_bytes(h, &t->ep[i].destid, sizeof(t->ep[i].destid));
		h = hash_bytes(h, &t->ep[i].host, sizeof(t->ep[i].host));
	}
	for (i = 0; i < t->nb_sw; i++) {
		h = hash_bytes(h, t->sw[i].name, strlen(t->sw[i].name) + 1);
		h = hash_bytes(h, &t->sw[i].nb_ports, sizeof(t->sw[i].nb_ports));
		h = hash_bytes(h, t->sw[i].dev, sizeof(t->sw[i].dev));
		h = hash_bytes(h, t->sw[i].dom, sizeof(t->sw[i].dom));
		h = hash_bytes(h, &t->sw[i].domain, sizeof(t->sw[i].domain));
	}
	for (i = 0; i < t->nb_link; i++) {
		h = hash_bytes(h, t->link[i].end, sizeof(t->link[i].end));
		h = hash_bytes(h, &t->link[i].lanes, sizeof(t->link[i].lanes));
		h = hash_bytes(h, &t->link[i].mbaud, sizeof(t->link[i].mbaud));
	}
	for (i = 0; i < t->nb_fault; i++)
		h = hash_bytes(h, &t->fault[i].fault, sizeof(t->fault[i].fault));
	return h;
}
