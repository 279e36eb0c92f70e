/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Topology files: what the lines of each section mean. Nodes have to be defined above. */

#include <stdlib.h>
#include <string.h>

#include "null_topo_parse.h"

#define EP_MBAUD_MAX	5000u	/* of a Tsi721 */

/* ---- words ---- */

bool
topo_number(const char *text, uint32_t max, uint32_t *val)
{
	char *end;
	unsigned long v;

	if (*text < '0' || *text > '9' || strlen(text) > 10)
		return false;
	v = strtoul(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	if (*end != '\0' || v > max)
		return false;
	*val = (uint32_t)v;
	return true;
}

bool
topo_name_ok(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= NULL_TOPO_NAME_MAX &&
	       ((name[0] | 0x20) >= 'a' && (name[0] | 0x20) <= 'z') &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
		       len;
}

bool
topo_find_ep(const struct null_topo *t, const char *name, uint32_t *index)
{
	for (*index = 0; *index < t->nb_ep; (*index)++)
		if (strcmp(t->ep[*index].name, name) == 0)
			return true;
	return false;
}

bool
topo_find_sw(const struct null_topo *t, const char *name, uint32_t *index)
{
	for (*index = 0; *index < t->nb_sw; (*index)++)
		if (strcmp(t->sw[*index].name, name) == 0)
			return true;
	return false;
}

bool
topo_lanes(const char *text, uint8_t *lanes)
{
	if (strlen(text) != 1 || strchr("124", *text) == NULL)
		return false;
	*lanes = (uint8_t)(*text - '0');
	return true;
}

bool
topo_gbaud(const char *text, uint16_t *mbaud)
{
	static const struct {
		const char *text;
		uint16_t mbaud;
	} speeds[] = {
		{ "1.25", 1250 }, { "2.5", 2500 }, { "3.125", 3125 },
		{ "5", 5000 }, { "5.0", 5000 }, { "6.25", 6250 },
	};
	size_t i;

	for (i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		if (strcmp(text, speeds[i].text) != 0)
			continue;
		*mbaud = speeds[i].mbaud;
		return true;
	}
	return false;
}

uint32_t
topo_split(char *value, char *words[TOPO_WORDS_MAX + 1])
{
	char *save = NULL;
	uint32_t n = 0;

	for (words[n] = strtok_r(value, TOPO_BLANK, &save); words[n] != NULL && n < TOPO_WORDS_MAX;)
		words[++n] = strtok_r(NULL, TOPO_BLANK, &save);
	return n;
}

static uint32_t
destid_max(const struct null_topo *t)
{
	return t->sys16 ? 0xfffeu : 0xfeu;
}

/* ---- [fabric] ---- */

static int
fabric_name(struct topo_parse *p, const char *value)
{
	if (!topo_name_ok(value))
		return topo_wrong(p, "name '%s' is not a letter and up to %u letters, digits, '_', '-'",
			     value, NULL_TOPO_NAME_MAX - 1);
	snprintf(p->topo->name, sizeof(p->topo->name), "%s", value);
	return 1;
}

static int
fabric_id_bits(struct topo_parse *p, const char *value)
{
	p->topo->sys16 = strcmp(value, "16") == 0;
	if (!p->topo->sys16 && strcmp(value, "8") != 0)
		return topo_wrong(p, "id_bits = %s is not 8 or 16", value);
	return 1;
}

static int
fabric_enumerated(struct topo_parse *p, const char *value)
{
	p->topo->enumerated = strcmp(value, "1") == 0;
	if (!p->topo->enumerated && strcmp(value, "0") != 0)
		return topo_wrong(p, "enumerated = %s is not 0 or 1", value);
	return 1;
}

static int
fabric_lanes(struct topo_parse *p, const char *value)
{
	return topo_lanes(value, &p->lanes) ||
	       topo_wrong(p, "lanes = %s is not 1, 2 or 4", value);
}

static int
fabric_gbaud(struct topo_parse *p, const char *value)
{
	return topo_gbaud(value, &p->mbaud) ||
	       topo_wrong(p, "gbaud = %s is not 1.25, 2.5, 3.125, 5 or 6.25", value);
}

static const struct {
	const char *name;
	int (*set)(struct topo_parse *p, const char *value);
} fabric_keys[] = {
	{ "name", fabric_name },
	{ "id_bits", fabric_id_bits },
	{ "enumerated", fabric_enumerated },
	{ "lanes", fabric_lanes },
	{ "gbaud", fabric_gbaud },
};

int
topo_fabric_key(struct topo_parse *p, const char *key, const char *value)
{
	uint32_t i;

	for (i = 0; i < sizeof(fabric_keys) / sizeof(fabric_keys[0]); i++) {
		if (strcmp(key, fabric_keys[i].name) != 0)
			continue;
		if ((p->keys & 1u << i) != 0)
			return topo_wrong(p, "%s is given twice", key);
		p->keys |= 1u << i;
		return fabric_keys[i].set(p, value);
	}
	return topo_wrong(p, "key '%s' of [fabric] is none of name, id_bits, enumerated, lanes, gbaud",
		     key);
}

/* ---- [switches], [endpoints] ---- */

static bool
new_name(struct topo_parse *p, const char *name)
{
	uint32_t i;

	if (!topo_name_ok(name))
		return topo_wrong(p, "node name '%s' is not a letter and up to %u letters, digits, "
			     "'_', '-'", name, NULL_TOPO_NAME_MAX - 1);
	if (topo_find_ep(p->topo, name, &i))
		return topo_wrong(p, "node %s is already defined in line %u", name, p->topo->ep[i].line);
	if (topo_find_sw(p->topo, name, &i))
		return topo_wrong(p, "node %s is already defined in line %u", name, p->topo->sw[i].line);
	return true;
}

/* "18 ports", "18 ports domain 2" */
int
topo_switch_key(struct topo_parse *p, const char *name, char *value)
{
	struct null_topo *t = p->topo;
	struct null_topo_sw *sw;
	char *w[TOPO_WORDS_MAX + 1];
	uint32_t n = topo_split(value, w), ports, domain = 0, i, all;

	if (!new_name(p, name))
		return 0;
	if (t->nb_sw == NULL_SW_MAX)
		return topo_wrong(p, "more than %u switches", NULL_SW_MAX);
	if (n < 2 || strcmp(w[1], "ports") != 0 || (n != 2 && n != 4) ||
	    (n == 4 && strcmp(w[2], "domain") != 0))
		return topo_wrong(p, "switch %s is not 'N ports' or 'N ports domain D'", name);
	if (!topo_number(w[0], NULL_TOPO_PORT_MAX, &ports) || ports < 2)
		return topo_wrong(p, "switch %s has '%s' ports, not 2 to %u", name, w[0],
			     NULL_TOPO_PORT_MAX);
	if (n == 4 && (!t->sys16 || !topo_number(w[3], 255, &domain)))
		return topo_wrong(p, "domain %s of switch %s: it is 0 to 255, and only for id_bits = 16",
			     w[3], name);

	for (i = 0, all = ports; i < t->nb_sw; i++)
		all += t->sw[i].nb_ports;
	if (all > NULL_SW_PORTS_ALL)
		return topo_wrong(p, "with %s the switches have %u ports, which are more than %u",
				  name, all, NULL_SW_PORTS_ALL);

	sw = &t->sw[t->nb_sw++];
	snprintf(sw->name, sizeof(sw->name), "%s", name);
	sw->nb_ports = ports;
	sw->domain = (uint8_t)domain;
	sw->line = p->line;
	for (i = 0; i < NULL_TOPO_PORT_MAX; i++)
		sw->link[i] = NULL_LINK_NONE;
	for (i = 0; i < NULL_EP_MAX; i++)
		sw->out[i] = NULL_TOPO_NO_PORT;
	return 1;
}

static int
endpoint_id(struct topo_parse *p, struct null_topo_ep *ep, const char *text)
{
	struct null_topo *t = p->topo;
	uint32_t i;

	if (strcmp(text, "none") == 0) {
		if (t->enumerated)
			return topo_wrong(p, "%s has no destination ID, which only "
					  "enumerated = 0 allows", ep->name);
		ep->destid = NULL_TOPO_NO_ID;
		return 1;
	}
	if (!topo_number(text, destid_max(t), &ep->destid))
		return topo_wrong(p, "destination ID %s of %s is not 0 to 0x%x%s", text, ep->name,
			     destid_max(t), t->enumerated ? "" : ", or none");
	for (i = 0; i < t->nb_ep; i++)
		if (t->ep[i].destid == ep->destid)
			return topo_wrong(p, "destination ID 0x%x of %s is that of %s in line %u",
				     ep->destid, ep->name, t->ep[i].name, t->ep[i].line);
	return 1;
}

/* "0x10", "0 host", "none" */
int
topo_endpoint_key(struct topo_parse *p, const char *name, char *value)
{
	struct null_topo *t = p->topo;
	struct null_topo_ep *ep = &t->ep[t->nb_ep];
	char *w[TOPO_WORDS_MAX + 1];
	uint32_t n = topo_split(value, w);

	if (!new_name(p, name))
		return 0;
	if (t->nb_ep == NULL_EP_MAX)
		return topo_wrong(p, "more than %u endpoints", NULL_EP_MAX);
	if (n < 1 || n > 2 || (n == 2 && strcmp(w[1], "host") != 0))
		return topo_wrong(p, "endpoint %s is not 'ID' or 'ID host'", name);
	memset(ep, 0, sizeof(*ep));
	snprintf(ep->name, sizeof(ep->name), "%s", name);
	if (!endpoint_id(p, ep, w[0]))
		return 0;
	ep->host = n == 2;
	if (ep->host && t->enumerated && p->host_line != 0)
		return topo_wrong(p, "%s is a second host, after line %u, which only enumerated = 0 allows",
			     name, p->host_line);
	if (ep->host) {
		p->host_line = p->line;
		t->host = t->nb_ep;
	}
	ep->link = NULL_LINK_NONE;
	ep->line = p->line;
	t->nb_ep++;
	return 1;
}

/* ---- [links] ---- */

/* "n0" or "sw0.16" of a node that was defined. */
static int
parse_end(struct topo_parse *p, const char *text, struct null_end *end)
{
	struct null_topo *t = p->topo;
	char name[NULL_TOPO_NAME_MAX + 2];
	const char *dot = strrchr(text, '.');
	size_t len = dot != NULL ? (size_t)(dot - text) : strlen(text);
	uint32_t i, port;

	snprintf(name, sizeof(name), "%.*s", len < sizeof(name) ? (int)len : (int)sizeof(name),
		 text);
	if (topo_find_ep(t, name, &i)) {
		if (dot != NULL)
			return topo_wrong(p, "endpoint %s has one port: '%s' is not its name", name, text);
		*end = (struct null_end){ .kind = NULL_END_EP, .index = (uint16_t)i };
		return 1;
	}
	if (!topo_find_sw(t, name, &i))
		return topo_wrong(p, "node '%s' is not defined above", name);
	if (dot == NULL || !topo_number(dot + 1, t->sw[i].nb_ports - 1, &port))
		return topo_wrong(p, "'%s' is not %s.0 to %s.%u", text, name, name,
			     t->sw[i].nb_ports - 1);
	*end = (struct null_end){ .kind = NULL_END_SW, .index = (uint16_t)i,
				  .port = (uint8_t)port };
	return 1;
}

static uint16_t *
end_link(struct null_topo *t, const struct null_end *end)
{
	return end->kind == NULL_END_EP ? &t->ep[end->index].link :
	       &t->sw[end->index].link[end->port];
}

static int
plug(struct topo_parse *p, const struct null_end *end, const char *text)
{
	uint16_t *link = end_link(p->topo, end);

	if (*link != NULL_LINK_NONE)
		return topo_wrong(p, "%s is used twice, first in line %u", text,
			     p->topo->link[*link].line);
	*link = (uint16_t)p->topo->nb_link;
	return 1;
}

/* "x4", "2.5" in any order */
static int
link_words(struct topo_parse *p, char *const *w, uint32_t n, struct null_topo_link *link)
{
	bool lanes = false, speed = false;
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (w[i][0] == 'x' && !lanes) {
			if (!topo_lanes(w[i] + 1, &link->lanes))
				return topo_wrong(p, "lanes '%s' are not x1, x2 or x4", w[i]);
			lanes = true;
		} else if (!speed) {
			if (!topo_gbaud(w[i], &link->mbaud))
				return topo_wrong(p, "'%s' is neither lanes (x1, x2, x4) nor a speed "
					     "(1.25, 2.5, 3.125, 5, 6.25)", w[i]);
			speed = true;
		} else {
			return topo_wrong(p, "'%s' is one word too many", w[i]);
		}
	}
	return 1;
}

/* "n0 = sw0.3 x4 5" */
int
topo_link_key(struct topo_parse *p, const char *key, char *value)
{
	struct null_topo *t = p->topo;
	struct null_topo_link *link = &t->link[t->nb_link];
	char *w[TOPO_WORDS_MAX + 1];
	uint32_t n = topo_split(value, w);

	if (t->nb_link == NULL_LINK_MAX)
		return topo_wrong(p, "more than %u links", NULL_LINK_MAX);
	if (n == 0)
		return topo_wrong(p, "link of %s leads nowhere", key);
	*link = (struct null_topo_link){ .lanes = p->lanes, .mbaud = p->mbaud, .line = p->line };
	if (!parse_end(p, key, &link->end[0]) || !parse_end(p, w[0], &link->end[1]) ||
	    !link_words(p, w + 1, n - 1, link))
		return 0;
	if (link->end[0].kind == link->end[1].kind && link->end[0].index == link->end[1].index)
		return topo_wrong(p, "%s = %s links a node with itself", key, w[0]);
	if (link->mbaud > EP_MBAUD_MAX &&
	    (link->end[0].kind == NULL_END_EP || link->end[1].kind == NULL_END_EP))
		return topo_wrong(p, "6.25 Gbaud is for links of two switches: an endpoint has up to 5");
	if (!plug(p, &link->end[0], key) || !plug(p, &link->end[1], w[0]))
		return 0;
	t->nb_link++;
	return 1;
}

/* ---- [routes SWITCH] ---- */

static int
route_set(struct topo_parse *p, uint32_t ep, uint32_t port)
{
	struct null_topo_sw *sw = &p->topo->sw[p->routes_sw];

	if (sw->out_line[ep] != 0)
		return topo_wrong(p, "route of %s in %s is given twice, first in line %u",
			     p->topo->ep[ep].name, sw->name, sw->out_line[ep]);
	sw->out[ep] = (uint16_t)port;
	sw->out_line[ep] = p->line;
	return 1;
}

/* All endpoints whose IDs are first to last. */
static int
route_range(struct topo_parse *p, const char *key, uint32_t first, uint32_t last, uint32_t port)
{
	struct null_topo *t = p->topo;
	uint32_t i, n = 0;

	for (i = 0; i < t->nb_ep; i++) {
		if (t->ep[i].destid < first || t->ep[i].destid > last)
			continue;
		if (!route_set(p, i, port))
			return 0;
		n++;
	}
	return n > 0 || topo_wrong(p, "no endpoint has a destination ID of %s", key);
}

/* "n3 = 17", "0x10 = 17", "0x10-0x1f = 17" */
int
topo_route_key(struct topo_parse *p, const char *key, const char *value)
{
	struct null_topo_sw *sw = &p->topo->sw[p->routes_sw];
	const char *dash = strchr(key, '-');
	uint32_t port, ep, first, last, max = destid_max(p->topo);
	char low[16];

	if (!topo_number(value, sw->nb_ports - 1, &port))
		return topo_wrong(p, "port '%s' of %s is not 0 to %u", value, sw->name,
			     sw->nb_ports - 1);
	if (sw->link[port] == NULL_LINK_NONE)
		return topo_wrong(p, "port %u of %s has no link above this line", port, sw->name);
	if (topo_find_ep(p->topo, key, &ep))
		return route_set(p, ep, port);
	if (*key < '0' || *key > '9')
		return topo_wrong(p, "endpoint '%s' is not defined above", key);
	if (dash == NULL)
		return topo_number(key, max, &first) ? route_range(p, key, first, first, port) :
		       topo_wrong(p, "destination ID %s is not 0 to 0x%x", key, max);
	snprintf(low, sizeof(low), "%.*s", (int)(dash - key), key);
	if (!topo_number(low, max, &first) || !topo_number(dash + 1, max, &last) || first > last)
		return topo_wrong(p, "destination IDs %s are not a range in 0 to 0x%x", key, max);
	return route_range(p, key, first, last, port);
}

/* ---- [faults] ---- */

/* Of one kind, a link has one, an endpoint's engines have one. */
static const struct null_topo_fault *
fault_before(const struct null_topo *t, const struct null_topo_fault *f)
{
	uint32_t i;

	for (i = 0; i < t->nb_fault; i++)
		if (t->fault[i].fault.kind == f->fault.kind && t->fault[i].link == f->link &&
		    (f->fault.kind != NULL_FAULT_STUCK || t->fault[i].ep == f->ep))
			return &t->fault[i];
	return NULL;
}

/* "n0 = drop 1/100", "sw0.16 = down" */
int
topo_fault_key(struct topo_parse *p, const char *key, const char *value)
{
	struct null_topo *t = p->topo;
	struct null_topo_fault *f = &t->fault[t->nb_fault];
	const struct null_topo_fault *before;
	struct null_end end;
	char err[NULL_ERR_LEN];

	if (t->nb_fault == NULL_TOPO_FAULT_MAX)
		return topo_wrong(p, "more than %u faults", NULL_TOPO_FAULT_MAX);
	if (!parse_end(p, key, &end))
		return 0;
	if (null_fault_parse(value, &f->fault, err, sizeof(err)) < 0)
		return topo_wrong(p, "%s", err);
	if (f->fault.kind == NULL_FAULT_STUCK && end.kind != NULL_END_EP)
		return topo_wrong(p, "'stuck' is for endpoints, and %s is none", key);
	f->link = *end_link(t, &end);
	if (f->link == NULL_LINK_NONE)
		return topo_wrong(p, "%s has no link above this line", key);
	f->ep = end.kind == NULL_END_EP ? end.index : UINT16_MAX;
	f->line = p->line;
	before = fault_before(t, f);
	if (before != NULL)
		return topo_wrong(p, "'%s' is given twice for the link of %s, first in line %u",
				  null_fault_name(f->fault.kind), key, before->line);
	t->nb_fault++;
	return 1;
}
