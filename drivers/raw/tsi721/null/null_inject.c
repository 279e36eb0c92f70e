/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Faults of a running fabric, set from outside. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "null_internal.h"
#include "null_shm.h"
#include "null_view.h"

struct place {
	uint32_t link;		/* UINT32_MAX: none */
	uint32_t ep;		/* UINT32_MAX: a switch's port */
};

static int
no_place(const struct null_shared *sh, const char *where, char *err, size_t errlen)
{
	null_say(err, errlen, "'%.64s' is neither an endpoint nor a linked port (SWITCH.PORT) of "
		 "fabric '%s'", where, sh->name);
	return -ENOENT;
}

static bool
is_ep(const struct null_shared *sh, uint32_t ep, const char *where)
{
	char name[NULL_NAME_LEN];

	if (!sh->autostar)
		return strcmp(sh->place[ep].node, where) == 0;
	snprintf(name, sizeof(name), "ep%u", ep);
	return strcmp(name, where) == 0;
}

static int
find_place(const struct null_shared *sh, const char *where, struct place *p, char *err,
	   size_t errlen)
{
	const char *dot = strrchr(where, '.');
	unsigned long port;
	uint32_t i;
	char *end;

	*p = (struct place){ .link = UINT32_MAX, .ep = UINT32_MAX };
	for (i = 0; i < atomic_load(&sh->nb_ep); i++)
		if (is_ep(sh, i, where)) {
			*p = (struct place){ .link = sh->place[i].link, .ep = i };
			return p->link < NULL_LINK_MAX ? 0 : no_place(sh, where, err, errlen);
		}
	if (dot == NULL || dot[1] < '0' || dot[1] > '9')
		return no_place(sh, where, err, errlen);
	port = strtoul(dot + 1, &end, 10);
	for (i = 0; i < sh->nb_sw; i++) {
		if (strncmp(sh->sw[i].node, where, (size_t)(dot - where)) != 0 ||
		    sh->sw[i].node[dot - where] != '\0')
			continue;
		if (*end == '\0' && port < atomic_load(&sh->sw[i].nb_ports))
			p->link = atomic_load(&sh->sw[i].port[port].link);
		if (p->link < NULL_LINK_MAX)
			return 0;
	}
	return no_place(sh, where, err, errlen);
}

/* Joining makes a fabric that is not there: look first. */
static int
join(const char *name, struct null_fabric **fab, char *err, size_t errlen)
{
	struct null_shared *sh;
	int ret = null_shm_look(name, &sh, err, errlen);

	if (ret < 0)
		return ret;
	munmap(sh, sizeof(*sh));
	return null_fabric_join(name, NULL, fab, err, errlen);
}

static int
set_one(struct null_fabric *fab, const char *where, const struct null_fault *fault, char *err,
	size_t errlen)
{
	struct place p;
	int ret = find_place(fab->sh, where, &p, err, errlen);

	if (ret < 0)
		return ret;
	if (fault->kind != NULL_FAULT_STUCK) {
		null_link_fault_set(fab, p.link, fault);
		return 0;
	}
	if (p.ep == UINT32_MAX) {
		null_say(err, errlen, "'stuck' is for endpoints, and %.64s is none", where);
		return -EINVAL;
	}
	null_stuck_set(fab, p.ep, fault->arg);
	return 0;
}

int
null_view_fault_set(const char *name, const char *where, const char *text, char *err,
		    size_t errlen)
{
	struct null_fault fault;
	struct null_fabric *fab;
	int ret;

	if (null_fault_parse(text, &fault, err, errlen) < 0)
		return -EINVAL;
	ret = join(name, &fab, err, errlen);
	if (ret < 0)
		return ret;
	ret = set_one(fab, where, &fault, err, errlen);
	null_fabric_leave(fab);
	return ret;
}

/* ---- away with them ---- */

static int
kind_of(const char *text, uint32_t *kind, char *err, size_t errlen)
{
	for (*kind = 0; *kind < NULL_FAULT_KINDS; (*kind)++)
		if (strcmp(text, null_fault_name(*kind)) == 0)
			return 0;
	null_say(err, errlen, "'%.64s' is no kind of fault", text);
	return -EINVAL;
}

static void
clear_place(struct null_fabric *fab, const struct place *p, uint32_t first, uint32_t last)
{
	const struct null_link *link = &fab->sh->links[p->link];
	struct null_fault none = { .arg = 0 };
	uint32_t kind;

	for (kind = first; kind <= last && kind < NULL_FAULT_LINK_KINDS; kind++) {
		none.kind = (enum null_fault_kind)kind;
		if (atomic_load(&link->fault_arg[kind]) != 0)
			null_link_fault_set(fab, p->link, &none);
	}
	if (p->ep != UINT32_MAX && last >= NULL_FAULT_STUCK &&
	    atomic_load(&fab->sh->place[p->ep].stuck) != 0)
		null_stuck_set(fab, p->ep, 0);
}

static void
clear_all(struct null_fabric *fab, uint32_t first, uint32_t last)
{
	const struct null_shared *sh = fab->sh;
	struct place p = { .ep = UINT32_MAX };
	uint32_t i;

	for (p.link = 0; p.link < NULL_LINK_MAX; p.link++)
		if (sh->links[p.link].end[0].kind != NULL_END_NONE)
			clear_place(fab, &p, first, last);
	for (i = 0; i < atomic_load(&sh->nb_ep); i++)
		if (last >= NULL_FAULT_STUCK && atomic_load(&sh->place[i].stuck) != 0)
			null_stuck_set(fab, i, 0);
}

int
null_view_fault_clear(const char *name, const char *where, const char *text, char *err,
		      size_t errlen)
{
	uint32_t first = 0, last = NULL_FAULT_KINDS - 1;
	struct null_fabric *fab;
	struct place p;
	int ret = 0;

	if (text != NULL) {
		ret = kind_of(text, &first, err, errlen);
		last = first;
	}
	if (ret == 0)
		ret = join(name, &fab, err, errlen);
	if (ret < 0)
		return ret;
	if (where == NULL) {
		clear_all(fab, first, last);
	} else {
		ret = find_place(fab->sh, where, &p, err, errlen);
		if (ret == 0)
			clear_place(fab, &p, first, last);
	}
	null_fabric_leave(fab);
	return ret;
}
