/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef FABRIC_H
#define FABRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "null_view.h"

#define FABRIC_NO_PORT	UINT32_MAX

/* Consecutive IDs that a switch sends out of one port, or treats alike. */
struct fabric_range {
	uint32_t first, last;
	bool domain;		/* upper halves of 16-bit IDs */
	uint32_t port;		/* FABRIC_NO_PORT: see text */
	char text[NULL_VIEW_TEXT_LEN];
};

/*
 * The ranges of a switch's global tables, "none" left out. Returns their number;
 * at most max are written, and 512 are enough for any.
 */
#define FABRIC_RANGES_MAX	512u
uint32_t fabric_ranges(const struct null_view *view, uint32_t sw, struct fabric_range *r,
		       uint32_t max);
/* A port's own table is another one than the global one. */
bool fabric_port_differs(const struct null_view *view, uint32_t sw, uint32_t port);
/* "x4 5 Gbaud" */
void fabric_link_text(uint32_t lanes, uint32_t mbaud, char *buf, size_t len);

/*
 * Where int is returned: 0; -1 no memory; of registers as null_view_regs(), and -ESRCH
 * when none matches.
 */
void fabric_show_text(const struct null_view *view);
int fabric_show_json(const struct null_view *view);
int fabric_list_text(void);
int fabric_list_json(void);
int fabric_regs_text(const struct null_view *view, const char *node, const char *pattern);
int fabric_regs_json(const struct null_view *view, const char *node, const char *pattern);

/* Of a DPDK process, all its devices or one; a line was printed to stderr where it fails. */
int fabric_enumerated(const char *prefix, const char *device, bool json);

/* Running fabrics by name, sorted; to be freed. NULL: no memory. */
struct fabric_names {
	uint32_t nb;
	char (*name)[NULL_NAME_LEN];
	bool failed;
};
bool fabric_names(struct fabric_names *names);
/* "DMAC_CTL[3]", or the name alone where a row has one register. */
void fabric_reg_name(const struct null_view_reg *reg, char *buf, size_t len);

#endif /* FABRIC_H */
