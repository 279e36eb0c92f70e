/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* A fabric as JSON. Numbers that one reads as hexadecimal are numbers all the same. */

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "fabric.h"

static json_t *
faults_json(const struct null_view *view, uint32_t link)
{
	char text[NULL_VIEW_TEXT_LEN];
	json_t *list = json_array();
	unsigned int n;
	uint64_t hits;

	for (n = 0; null_view_fault(view, link, n, text, &hits); n++)
		json_array_append_new(list,
			json_pack("{s:s, s:I}", "fault", text, "hits", (json_int_t)hits));
	return list;
}

static json_t *
stats_json(const struct null_view *view, uint32_t ep)
{
	json_t *stats = json_object();
	int i;

	for (i = 0; i < NULL_STAT_COUNT; i++)
		json_object_set_new(stats, null_device_stat_name((enum null_stat)i),
				    json_integer((json_int_t)null_view_ep_stat(view, ep,
								(enum null_stat)i)));
	return stats;
}

static json_t *
endpoint_json(const struct null_view *view, uint32_t i, bool running)
{
	struct null_view_ep e;
	json_t *o;

	null_view_ep(view, i, &e);
	o = json_pack("{s:s, s:o, s:b, s:s}", "node", e.node, "id",
		      e.numbered ? json_integer(e.destid) : json_null(), "host", e.host, "at",
		      e.peer);
	if (e.link != UINT32_MAX)
		json_object_set_new(o, "link", json_integer(e.link));
	if (e.stuck[0] != '\0') {
		json_object_set_new(o, "fault", json_string(e.stuck));
		json_object_set_new(o, "fault_hits", json_integer((json_int_t)e.stuck_hits));
	}
	if (!running)
		return o;
	json_object_set_new(o, "attached", json_boolean(e.attached));
	json_object_set_new(o, "link_up", json_boolean(e.link_up));
	if (e.attached)
		json_object_set_new(o, "process", json_integer(e.pid));
	json_object_set_new(o, "counters", stats_json(view, i));
	return o;
}

static json_t *
port_json(const struct null_view *view, uint32_t sw, uint32_t n)
{
	struct null_view_port p;

	null_view_port(view, sw, n, &p);
	if (p.link == UINT32_MAX)
		return json_pack("{s:i}", "port", (int)n);
	return json_pack("{s:i, s:s, s:i, s:i, s:b, s:b, s:b, s:I, s:I, s:I, s:b}", "port", (int)n,
			 "to", p.peer, "link", (int)p.link, "width", (int)p.width, "vacant",
			 p.vacant, "lockout", p.lockout, "disabled", p.disabled, "dropped_in",
			 (json_int_t)p.drop_rx, "dropped_out", (json_int_t)p.drop_tx,
			 "error_detect", (json_int_t)p.err_det, "own_table",
			 fabric_port_differs(view, sw, n));
}

static json_t *
routes_json(const struct null_view *view, uint32_t sw)
{
	static struct fabric_range r[FABRIC_RANGES_MAX];
	uint32_t nb = fabric_ranges(view, sw, r, FABRIC_RANGES_MAX), i;
	json_t *list = json_array();

	for (i = 0; i < nb; i++)
		json_array_append_new(list,
			json_pack("{s:s, s:i, s:i, s:o}", "table",
				  r[i].domain ? "domain" : "device", "first", (int)r[i].first,
				  "last", (int)r[i].last, "to",
				  r[i].port != FABRIC_NO_PORT ? json_integer(r[i].port) :
				  json_string(r[i].text)));
	return list;
}

static json_t *
switch_json(const struct null_view *view, uint32_t index)
{
	struct null_view_switch s;
	json_t *ports = json_array();
	uint32_t i;

	null_view_switch(view, index, &s);
	for (i = 0; i < s.ports; i++)
		json_array_append_new(ports, port_json(view, index, i));
	return json_pack("{s:s, s:I, s:I, s:i, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}",
			 "node", s.node, "component_tag", (json_int_t)s.comp_tag, "host_lock",
			 (json_int_t)s.host_lock, "domain", (int)s.domain, "default_port",
			 (int)s.default_port, "port_write_target", (json_int_t)s.pw_target,
			 "port_writes_sent", (json_int_t)s.pw_sent, "port_writes_lost",
			 (json_int_t)s.pw_lost, "circles", (json_int_t)s.circles, "unknown_reads",
			 (json_int_t)s.unknown_reads, "unknown_writes",
			 (json_int_t)s.unknown_writes, "ports", ports, "routes",
			 routes_json(view, index));
}

static json_t *
links_json(const struct null_view *view, uint32_t nb)
{
	json_t *list = json_array();
	struct null_view_link l;
	uint32_t i;

	for (i = 0; i < nb; i++) {
		if (!null_view_link(view, i, &l))
			continue;
		json_array_append_new(list,
			json_pack("{s:i, s:[s, s], s:i, s:i, s:i, s:o}", "link", (int)i, "ends",
				  l.end[0], l.end[1], "lanes", (int)l.lanes, "mbaud", (int)l.mbaud,
				  "width", (int)l.width, "faults", faults_json(view, i)));
	}
	return list;
}

static json_t *
hops_json(const struct null_view *view, uint32_t nb)
{
	json_t *rows = json_array(), *row;
	uint32_t i, j;
	int hops;

	for (i = 0; i < nb; i++) {
		row = json_array();
		for (j = 0; j < nb; j++) {
			hops = null_view_hops(view, i, j);
			json_array_append_new(row, hops < 0 ? json_null() : json_integer(hops));
		}
		json_array_append_new(rows, row);
	}
	return rows;
}

static int
dump(json_t *root)
{
	int ret;

	if (root == NULL)
		return -1;
	ret = json_dumpf(root, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	putchar('\n');
	json_decref(root);
	return ret;
}

int
fabric_list_json(void)
{
	json_t *list = json_array();
	struct fabric_names names;
	struct null_view_fabric f;
	struct null_view *view;
	char err[NULL_ERR_LEN];
	uint32_t i;

	if (!fabric_names(&names)) {
		free(names.name);
		json_decref(list);
		return -1;
	}
	for (i = 0; i < names.nb; i++) {
		if (null_view_running(names.name[i], &view, err, sizeof(err)) < 0) {
			json_array_append_new(list, json_pack("{s:s, s:s}", "fabric", names.name[i],
							      "error", err));
			continue;
		}
		null_view_fabric(view, &f);
		json_array_append_new(list,
			json_pack("{s:s, s:b, s:i, s:i, s:i, s:i}", "fabric", f.name, "star", f.star,
				  "attached", (int)f.attached, "endpoints", (int)f.endpoints,
				  "switches", (int)f.switches, "processes", (int)f.processes));
		null_view_close(view);
	}
	free(names.name);
	return dump(list);
}

struct regs_ctx {
	json_t *regs;
	const char *pattern;
};

static void
reg_json(void *ctx, const struct null_view_reg *reg)
{
	struct regs_ctx *c = ctx;
	char name[64];

	if (fnmatch(c->pattern, reg->name, 0) != 0)
		return;
	fabric_reg_name(reg, name, sizeof(name));
	json_array_append_new(c->regs, json_pack("{s:s, s:i, s:I}", "name", name, "offset",
						 (int)reg->off, "value", (json_int_t)reg->val));
}

int
fabric_regs_json(const struct null_view *view, const char *node, const char *pattern)
{
	struct regs_ctx c = { .regs = json_array(), .pattern = pattern };
	int ret = null_view_regs(view, node, reg_json, &c);

	if (ret == 0 && json_array_size(c.regs) == 0)
		ret = -ESRCH;
	if (ret < 0) {
		json_decref(c.regs);
		return ret;
	}
	return dump(c.regs);
}

int
fabric_show_json(const struct null_view *view)
{
	json_t *root, *eps = json_array(), *sws = json_array();
	struct null_view_fabric f;
	uint32_t i;

	null_view_fabric(view, &f);
	for (i = 0; i < f.endpoints; i++)
		json_array_append_new(eps, endpoint_json(view, i, f.running));
	for (i = 0; i < f.switches; i++)
		json_array_append_new(sws, switch_json(view, i));
	root = json_pack("{s:s, s:b, s:i, s:o, s:o, s:o, s:o}", "fabric", f.name, "running",
			 f.running, "id_bits", f.sys16 ? 16 : 8, "endpoints", eps, "switches", sws,
			 "links", links_json(view, f.links), "hops", hops_json(view, f.endpoints));
	if (root != NULL && !f.running)
		json_object_set_new(root, "enumerated", json_boolean(f.enumerated));
	if (root != NULL && f.running)
		json_object_set_new(root, "processes", json_integer(f.processes));
	return dump(root);
}
