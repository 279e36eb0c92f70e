/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Lists: running fabrics, registers. */

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"

static void
add_name(void *ctx, const char *name)
{
	struct fabric_names *names = ctx;
	void *more = realloc(names->name, (names->nb + 1) * sizeof(*names->name));

	if (more == NULL) {
		names->failed = true;
		return;
	}
	names->name = more;
	snprintf(names->name[names->nb++], NULL_NAME_LEN, "%s", name);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

bool
fabric_names(struct fabric_names *names)
{
	memset(names, 0, sizeof(*names));
	null_view_each(add_name, names);
	if (names->nb > 0)
		qsort(names->name, names->nb, sizeof(*names->name), by_name);
	return !names->failed;
}

int
fabric_list_text(void)
{
	struct fabric_names names;
	struct null_view_fabric f;
	struct null_view *view;
	char err[NULL_ERR_LEN];
	uint32_t i;

	if (!fabric_names(&names)) {
		free(names.name);
		return -1;
	}
	for (i = 0; i < names.nb; i++) {
		/* It may be gone by now, or be of another version. */
		if (null_view_running(names.name[i], &view, err, sizeof(err)) < 0) {
			printf("%-24s %s\n", names.name[i], err);
			continue;
		}
		null_view_fabric(view, &f);
		printf("%-24s %u devices on %u endpoints%s, %u switches, %u processes\n", f.name,
		       f.attached, f.endpoints, f.star ? " of a star" : "", f.switches,
		       f.processes);
		null_view_close(view);
	}
	free(names.name);
	return 0;
}

void
fabric_reg_name(const struct null_view_reg *reg, char *buf, size_t len)
{
	if (reg->count > 1)
		snprintf(buf, len, "%s[%u]", reg->name, reg->index);
	else
		snprintf(buf, len, "%s", reg->name);
}

struct match {
	const char *pattern;
	uint32_t nb;		/* that matched */
};

static void
print_reg(void *ctx, const struct null_view_reg *reg)
{
	struct match *m = ctx;
	char name[64];

	if (fnmatch(m->pattern, reg->name, 0) != 0)
		return;
	m->nb++;
	fabric_reg_name(reg, name, sizeof(name));
	printf("%-32s 0x%06x  0x%08x\n", name, reg->off, reg->val);
}

int
fabric_regs_text(const struct null_view *view, const char *node, const char *pattern)
{
	struct match m = { .pattern = pattern };
	int ret = null_view_regs(view, node, print_reg, &m);

	return ret == 0 && m.nb == 0 ? -ESRCH : ret;
}
