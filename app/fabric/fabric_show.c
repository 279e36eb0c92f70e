/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* A fabric as text. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"

#define HOPS_SHOWN	24u	/* endpoints of the largest table of hops that fits a screen */

/* ---- what both forms need ---- */

static uint32_t
ranges_of_table(const struct null_view *view, uint32_t sw, bool domain, struct fabric_range *r,
		uint32_t n, uint32_t max)
{
	char text[NULL_VIEW_TEXT_LEN];
	bool joins = false;
	uint32_t i;

	for (i = 0; i < 256; i++) {
		null_view_route(view, sw, NULL_VIEW_ALL_PORTS, domain, i, text);
		if (strcmp(text, "none") == 0) {
			joins = false;
			continue;
		}
		if (joins && strcmp(r[n - 1].text, text) == 0) {
			r[n - 1].last = i;
			continue;
		}
		if (n == max)
			return n;
		r[n] = (struct fabric_range){ .first = i, .last = i, .domain = domain };
		snprintf(r[n].text, sizeof(r[n].text), "%s", text);
		r[n].port = text[0] >= '0' && text[0] <= '9' ? (uint32_t)strtoul(text, NULL, 10) :
			    FABRIC_NO_PORT;
		n++;
		joins = true;
	}
	return n;
}

uint32_t
fabric_ranges(const struct null_view *view, uint32_t sw, struct fabric_range *r, uint32_t max)
{
	uint32_t n = ranges_of_table(view, sw, false, r, 0, max);

	return ranges_of_table(view, sw, true, r, n, max);
}

bool
fabric_port_differs(const struct null_view *view, uint32_t sw, uint32_t port)
{
	char own[NULL_VIEW_TEXT_LEN], all[NULL_VIEW_TEXT_LEN];
	uint32_t i;

	for (i = 0; i < 512; i++) {
		null_view_route(view, sw, port, i >= 256, i % 256, own);
		null_view_route(view, sw, NULL_VIEW_ALL_PORTS, i >= 256, i % 256, all);
		if (strcmp(own, all) != 0)
			return true;
	}
	return false;
}

void
fabric_link_text(uint32_t lanes, uint32_t mbaud, char *buf, size_t len)
{
	char text[16];
	size_t n = (size_t)snprintf(text, sizeof(text), "%u.%03u", mbaud / 1000, mbaud % 1000);

	while (text[n - 1] == '0')
		n--;
	if (text[n - 1] == '.')
		n--;
	snprintf(buf, len, "x%u %.*s Gbaud", lanes, (int)n, text);
}

/* ---- faults ---- */

static void
show_fault(const char *indent, const char *text, uint64_t hits)
{
	printf("%sfault: %s (struck %llu times)\n", indent, text, (unsigned long long)hits);
}

static void
show_faults(const struct null_view *view, uint32_t link, const char *indent)
{
	char text[NULL_VIEW_TEXT_LEN];
	unsigned int n;
	uint64_t hits;

	for (n = 0; null_view_fault(view, link, n, text, &hits); n++)
		show_fault(indent, text, hits);
}

/* ---- endpoints ---- */

static void
show_stats(const struct null_view *view, uint32_t ep)
{
	uint64_t v;
	int i;

	for (i = 0; i < NULL_STAT_COUNT; i++) {
		v = null_view_ep_stat(view, ep, (enum null_stat)i);
		if (v != 0)
			printf("      %-20s %llu\n", null_device_stat_name((enum null_stat)i),
			       (unsigned long long)v);
	}
}

static void
show_endpoint(const struct null_view *view, uint32_t i, const struct null_view_fabric *f)
{
	char id[16] = "-", link_text[64] = "-";
	struct null_view_link link;
	struct null_view_ep e;

	null_view_ep(view, i, &e);
	if (e.numbered)
		snprintf(id, sizeof(id), f->sys16 ? "0x%04x" : "0x%02x", e.destid);
	if (null_view_link(view, e.link, &link))
		fabric_link_text(link.lanes, link.mbaud, link_text, sizeof(link_text));
	printf("  %-16s %-7s %-16s %-15s", e.node, id, e.peer, link_text);
	if (f->running && e.attached)
		printf(" %s, process %u", e.link_up ? "up" : "down", e.pid);
	else if (f->running)
		printf(" no device");
	printf("%s\n", e.host ? " host" : "");
	if (e.stuck[0] != '\0')
		show_fault("      ", e.stuck, e.stuck_hits);
	if (f->running)
		show_stats(view, i);
}

/* ---- switches ---- */

/* IDs that leave by a port: "0x02-0x05 0x09", "0x**05" where only one half is looked at. */
static void
port_ids(const struct fabric_range *r, uint32_t nb, uint32_t port, bool sys16, char *buf,
	 size_t len)
{
	uint32_t i;
	size_t n = 0;

	buf[0] = '\0';
	for (i = 0; i < nb && n < len; i++) {
		const char *high = sys16 && !r[i].domain ? "**" : "";
		const char *low = r[i].domain ? "**" : "";

		if (r[i].port != port)
			continue;
		n += (size_t)snprintf(buf + n, len - n, "%s0x%s%02x%s", n > 0 ? " " : "", high,
				      r[i].first, low);
		if (n < len && r[i].last != r[i].first)
			n += (size_t)snprintf(buf + n, len - n, "-0x%s%02x%s", high, r[i].last, low);
	}
}

static void
port_state(const struct null_view_port *p, char *buf, size_t len)
{
	if (p->width == 0)
		snprintf(buf, len, "%s%s", p->vacant ? "no device" : "down",
			 p->disabled ? ", disabled" : "");
	else if (p->width != p->lanes)
		snprintf(buf, len, "up x%u", p->width);
	else
		snprintf(buf, len, "up");
	if (p->lockout)
		strncat(buf, ", locked out", len - strlen(buf) - 1);
}

static void
show_port(const struct null_view *view, uint32_t sw, uint32_t n, const struct fabric_range *r,
	  uint32_t nb, bool sys16)
{
	char link[64] = "", state[64] = "", ids[256];
	struct null_view_port p;

	null_view_port(view, sw, n, &p);
	port_ids(r, nb, n, sys16, ids, sizeof(ids));
	if (p.link == UINT32_MAX && ids[0] == '\0')
		return;
	if (p.link != UINT32_MAX) {
		fabric_link_text(p.lanes, p.mbaud, link, sizeof(link));
		port_state(&p, state, sizeof(state));
	}
	printf("  %5u  %-16s %-14s %-12s %s%s", n, p.peer, link, state, ids,
	       fabric_port_differs(view, sw, n) ? " (own table)" : "");
	if (p.drop_rx != 0 || p.drop_tx != 0)
		printf("  dropped %u in, %u out", p.drop_rx, p.drop_tx);
	putchar('\n');
	show_faults(view, p.link, "         ");
}

static void
show_switch(const struct null_view *view, uint32_t index, bool sys16)
{
	static struct fabric_range r[FABRIC_RANGES_MAX];
	struct null_view_switch s;
	uint32_t i, nb;

	null_view_switch(view, index, &s);
	nb = fabric_ranges(view, index, r, FABRIC_RANGES_MAX);
	printf("\nswitch %s: %u ports, component tag 0x%x", s.node, s.ports, s.comp_tag);
	if (sys16)
		printf(", domain 0x%02x", s.domain);
	printf("\n   port  to               link           state        IDs that leave here\n");
	for (i = 0; i < s.ports; i++)
		show_port(view, index, i, r, nb, sys16);
	for (i = 0; i < nb; i++)
		if (r[i].port == FABRIC_NO_PORT && strcmp(r[i].text, "default") == 0)
			printf("         0x%02x-0x%02x to the default port, 0x%02x\n", r[i].first,
			       r[i].last, s.default_port);
	if (s.pw_sent != 0 || s.pw_lost != 0)
		printf("  port-writes: %u sent, %u lost\n", s.pw_sent, s.pw_lost);
	if (s.circles != 0)
		printf("  packets in a circle: %u\n", s.circles);
	if (s.unknown_reads != 0 || s.unknown_writes != 0)
		printf("  unknown registers: %u read, %u written\n", s.unknown_reads,
		       s.unknown_writes);
}

/* ---- ways ---- */

static void
show_hops(const struct null_view *view, const struct null_view_fabric *f)
{
	struct null_view_ep e;
	uint32_t i, j;
	int hops;

	if (f->switches == 0 || f->endpoints > HOPS_SHOWN)
		return;
	printf("\nswitches on the way, by the tables (row to column; -: no way)\n  %-16s", "");
	for (j = 0; j < f->endpoints; j++)
		printf(" %3u", j);
	putchar('\n');
	for (i = 0; i < f->endpoints; i++) {
		null_view_ep(view, i, &e);
		printf("  %-12.12s %3u", e.node, i);
		for (j = 0; j < f->endpoints; j++) {
			hops = null_view_hops(view, i, j);
			if (hops < 0)
				printf("   -");
			else
				printf(" %3d", hops);
		}
		putchar('\n');
	}
}

void
fabric_show_text(const struct null_view *view)
{
	struct null_view_fabric f;
	uint32_t i;

	null_view_fabric(view, &f);
	printf("fabric %s: %u endpoints, %u switches, %u links, %u-bit IDs", f.name, f.endpoints,
	       f.switches, f.links, f.sys16 ? 16 : 8);
	if (!f.running)
		printf("%s", f.enumerated ? ", enumerated" : ", not enumerated");
	printf("\n\n  endpoint         ID      at               link\n");
	for (i = 0; i < f.endpoints; i++)
		show_endpoint(view, i, &f);
	for (i = 0; i < f.switches; i++)
		show_switch(view, i, f.sys16);
	show_hops(view, &f);
}
