/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_TOPO_PARSE_H
#define NULL_TOPO_PARSE_H

/* Shared by null_topo.c (files, sections) and null_topo_keys.c (what is in a section). */

#include <stdio.h>

#include "null_topo.h"

enum topo_section {
	SEC_NONE,
	SEC_FABRIC,
	SEC_SWITCHES,
	SEC_ENDPOINTS,
	SEC_LINKS,
	SEC_ROUTES,
	SEC_FAULTS
};

struct topo_parse {
	struct null_topo *topo;
	FILE *file;
	uint32_t line;		/* last one read */
	bool failed;
	uint32_t err_line;
	char *reason;
	size_t reason_len;
	enum topo_section section;
	uint32_t routes_sw;	/* of SEC_ROUTES */
	bool fabric_seen;
	uint32_t keys;		/* of [fabric] that were given */
	uint8_t lanes;		/* of links that do not say */
	uint16_t mbaud;
	uint32_t host_line;
};

#define TOPO_BLANK	" \t\r\n"
#define TOPO_WORDS_MAX	8u

/* Notes the first reason to refuse the file; returns 0. */
__attribute__((format(printf, 2, 3)))
int topo_wrong(struct topo_parse *p, const char *fmt, ...);
/* Words of value; w[the number returned] is NULL. What is beyond the last is not looked at. */
uint32_t topo_split(char *value, char *w[TOPO_WORDS_MAX + 1]);
/* Decimal, or hexadecimal with 0x; at most max. */
bool topo_number(const char *text, uint32_t max, uint32_t *val);
bool topo_name_ok(const char *name);
bool topo_lanes(const char *text, uint8_t *lanes);
bool topo_gbaud(const char *text, uint16_t *mbaud);
bool topo_find_ep(const struct null_topo *t, const char *name, uint32_t *index);
bool topo_find_sw(const struct null_topo *t, const char *name, uint32_t *index);

/* One line of a section. 1, or 0 after topo_wrong(). */
int topo_fabric_key(struct topo_parse *p, const char *key, const char *value);
int topo_switch_key(struct topo_parse *p, const char *name, char *value);
int topo_endpoint_key(struct topo_parse *p, const char *name, char *value);
int topo_link_key(struct topo_parse *p, const char *key, char *value);
int topo_route_key(struct topo_parse *p, const char *key, const char *value);
int topo_fault_key(struct topo_parse *p, const char *key, const char *value);

#endif /* NULL_TOPO_PARSE_H */
