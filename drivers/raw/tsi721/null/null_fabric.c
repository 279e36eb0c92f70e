/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Fabrics: joining one by name, attaching endpoints to it, and the walk that
 * a request takes over links and switches.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "null_internal.h"

#define STAR_LANES	4u
#define STAR_MBAUD	5000u
#define DESTID_NONE	0xffu	/* 8-bit ID that no endpoint gets */

static pthread_mutex_t join_lock = PTHREAD_MUTEX_INITIALIZER;
static struct null_fabric *fabrics;	/* that this process has joined */

static void
say(char *err, size_t errlen, const char *fmt, ...)
{
	va_list ap;

	if (err == NULL || errlen == 0)
		return;
	va_start(ap, fmt);
	vsnprintf(err, errlen, fmt, ap);
	va_end(ap);
}

/* ---- joining ---- */

static void
star_init(struct null_shared *sh)
{
	uint32_t i;

	sh->autostar = 1;
	sh->nb_sw = 1;
	for (i = 0; i < NULL_EP_MAX; i++)
		atomic_store(&sh->ep[i].link, NULL_LINK_NONE);
	null_switch_reset(&sh->sw[0], IDT_CPS1848_PORTS);
	snprintf(sh->sw[0].node, sizeof(sh->sw[0].node), "sw0");
}

static struct null_shared *
shared_new(const char *name)
{
	struct null_shared *sh;

	/* Fresh pages are zero and only those that are used become memory. */
	sh = mmap(NULL, sizeof(*sh), PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sh == MAP_FAILED)
		return NULL;
	sh->magic = NULL_SHARED_MAGIC;
	sh->version = NULL_SHARED_VERSION;
	sh->size = sizeof(*sh);
	snprintf(sh->name, sizeof(sh->name), "%s", name);
	star_init(sh);
	return sh;
}

static struct null_fabric *
fabric_new(const char *name)
{
	struct null_fabric *fab = calloc(1, sizeof(*fab));

	if (fab == NULL)
		return NULL;
	fab->sh = shared_new(name);
	if (fab->sh == NULL) {
		free(fab);
		return NULL;
	}
	fab->proc = 0;
	atomic_store(&fab->sh->procs[0].pid, (uint32_t)getpid());
	pthread_mutex_init(&fab->map_lock, NULL);
	pthread_rwlock_init(&fab->dev_lock, NULL);
	return fab;
}

static bool
name_ok(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len < NULL_NAME_LEN &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_.-") == len && name[0] != '.';
}

int
null_fabric_join(const char *name, struct null_fabric **out, char *err, size_t errlen)
{
	struct null_fabric *fab;

	if (!name_ok(name)) {
		say(err, errlen, "fabric name '%.80s' is not 1 to %u letters, digits, '_', '-', '.'",
		    name, NULL_NAME_LEN - 1);
		return -EINVAL;
	}
	pthread_mutex_lock(&join_lock);
	for (fab = fabrics; fab != NULL; fab = fab->next)
		if (strcmp(fab->sh->name, name) == 0)
			break;
	if (fab == NULL) {
		fab = fabric_new(name);
		if (fab != NULL) {
			fab->next = fabrics;
			fabrics = fab;
		}
	}
	if (fab != NULL)
		fab->refcnt++;
	pthread_mutex_unlock(&join_lock);
	if (fab == NULL) {
		say(err, errlen, "no memory for fabric '%s'", name);
		return -ENOMEM;
	}
	*out = fab;
	return 0;
}

void
null_fabric_leave(struct null_fabric *fab)
{
	struct null_fabric **p;

	pthread_mutex_lock(&join_lock);
	if (--fab->refcnt > 0) {
		pthread_mutex_unlock(&join_lock);
		return;
	}
	for (p = &fabrics; *p != fab; p = &(*p)->next)
		;
	*p = fab->next;
	pthread_mutex_unlock(&join_lock);
	munmap(fab->sh, sizeof(*fab->sh));
	pthread_mutex_destroy(&fab->map_lock);
	pthread_rwlock_destroy(&fab->dev_lock);
	free(fab);
}

bool
null_fabric_proc_alive(struct null_fabric *fab, uint32_t proc)
{
	return proc == fab->proc;
}

/* ---- generations ---- */

void
null_fabric_changed(struct null_fabric *fab)
{
	atomic_fetch_add(&fab->sh->gen, 1);
}

static void
chip_quiesce(struct null_fabric *fab, struct null_chip *chip)
{
	uint32_t i;

	for (i = 0; i < TSI721_DMAC_NUM; i++)
		null_lock_passed(fab, &chip->bdma[i].lock);
	for (i = 0; i < TSI721_OMSG_NUM; i++)
		null_lock_passed(fab, &chip->omsg[i].lock);
	null_lock_passed(fab, &chip->odb.lock);
	null_lock_passed(fab, &chip->obwin_lock);
}

void
null_fabric_quiesce(struct null_fabric *fab)
{
	uint32_t i, nb = atomic_load(&fab->sh->nb_ep);

	for (i = 0; i < nb; i++)
		chip_quiesce(fab, &fab->sh->ep[i]);
}

/* ---- links ---- */

static bool
end_ready(struct null_fabric *fab, const struct null_end *end)
{
	struct null_chip *chip;

	switch (end->kind) {
	case NULL_END_EP:
		chip = &fab->sh->ep[end->index];
		return atomic_load(&chip->attached) != 0 &&
		       (atomic_load(&chip->devctl) & TSI721_DEVCTL_SRBOOT_CMPL) != 0;
	case NULL_END_SW:
		return true;
	default:
		return false;
	}
}

static void
link_judge(struct null_fabric *fab, struct null_link *link)
{
	uint32_t up = end_ready(fab, &link->end[0]) && end_ready(fab, &link->end[1]);

	if (atomic_exchange(&link->up, up) != up)
		null_fabric_changed(fab);
}

void
null_fabric_link_update(struct null_fabric *fab, uint32_t ep)
{
	uint16_t link = atomic_load(&fab->sh->ep[ep].link);

	if (link != NULL_LINK_NONE)
		link_judge(fab, &fab->sh->links[link]);
}

bool
null_fabric_link_ok(struct null_fabric *fab, uint32_t ep)
{
	uint16_t link = atomic_load(&fab->sh->ep[ep].link);

	return link != NULL_LINK_NONE && atomic_load(&fab->sh->links[link].up) != 0;
}

/* ---- the walk ---- */

struct walk {
	const struct null_end *at;	/* what the request has arrived at */
	uint32_t hop;			/* hop count left; counts down at each switch */
	uint32_t faults;
};

/* A locked-out port takes and gives no packets, though its link is up. */
static bool
end_locked(struct null_fabric *fab, const struct null_end *end)
{
	const _Atomic uint32_t *ctl = end->kind == NULL_END_SW ?
		&fab->sh->sw[end->index].port[end->port].ctl : &fab->sh->ep[end->index].port_ctl;

	return (atomic_load_explicit(ctl, memory_order_relaxed) & RIO_PORT_N_CTL_LOCKOUT) != 0;
}

/* Over the link: false when it is down. */
static bool
walk_link(struct null_fabric *fab, struct walk *w, uint16_t index, enum null_end_kind from_kind,
	  uint32_t from, uint32_t from_port)
{
	struct null_link *link;
	const struct null_end *end;

	if (index == NULL_LINK_NONE)
		return false;
	link = &fab->sh->links[index];
	if (atomic_load_explicit(&link->up, memory_order_acquire) == 0)
		return false;
	w->faults |= atomic_load_explicit(&link->faults, memory_order_relaxed);
	end = link->end;
	if (end_locked(fab, &end[0]) || end_locked(fab, &end[1]))
		return false;
	w->at = end[0].kind == from_kind && end[0].index == from && end[0].port == from_port ?
		&end[1] : &end[0];
	return true;
}

/* Port that a switch sends destid out of; false: it drops the packet. */
static bool
switch_route(struct null_switch *sw, uint32_t in_port, uint32_t destid, uint32_t tt,
	     uint32_t *out)
{
	uint32_t port = NULL_RTE_NONE;

	if (tt == TSI721_TT_8 && destid < 256)
		port = atomic_load_explicit(&sw->port[in_port].route[destid],
					    memory_order_acquire);
	if (port == NULL_RTE_DEFAULT)
		port = atomic_load(&sw->default_port);
	*out = port;
	return port < atomic_load(&sw->nb_ports);
}

/*
 * Walk from src until an endpoint, or a switch where the hop count has run
 * out. TIMEOUT: the packet is lost on the way.
 */
static enum null_resp
walk_run(struct null_fabric *fab, struct walk *w, uint32_t src, uint32_t destid, uint32_t tt)
{
	uint32_t i, port;

	if (!walk_link(fab, w, atomic_load(&fab->sh->ep[src].link), NULL_END_EP, src, 0))
		return NULL_RESP_TIMEOUT;
	for (i = 0; w->at->kind == NULL_END_SW; i++) {
		uint32_t index = w->at->index;
		struct null_switch *sw = &fab->sh->sw[index];

		if (w->hop == 0)
			return NULL_RESP_DONE;
		w->hop--;
		if (i == NULL_HOPS_MAX || !switch_route(sw, w->at->port, destid, tt, &port))
			return NULL_RESP_TIMEOUT;
		if (!walk_link(fab, w, atomic_load(&sw->port[port].link), NULL_END_SW, index, port))
			return NULL_RESP_TIMEOUT;
	}
	return NULL_RESP_DONE;
}

enum null_resp
null_fabric_route(struct null_fabric *fab, uint32_t src, uint32_t destid, uint32_t tt,
		  uint32_t *ep, uint32_t *faults)
{
	struct walk w = { .hop = UINT32_MAX };
	enum null_resp resp = walk_run(fab, &w, src, destid, tt);

	if (resp != NULL_RESP_DONE)
		return resp;
	*ep = w.at->index;
	*faults = w.faults;
	return NULL_RESP_DONE;
}

struct null_route *
null_route_get(struct null_device *dev, struct null_engine *eng, uint32_t destid, uint32_t tt,
	       enum null_resp *resp)
{
	struct null_route *rt = &eng->route[destid % NULL_ROUTE_CACHE];
	uint32_t key = tt << 16 | destid;
	uint32_t ep, faults;

	*resp = NULL_RESP_DONE;
	if (null_likely(rt->key == key))
		return rt;
	*resp = null_fabric_route(dev->fab, dev->ep, destid, tt, &ep, &faults);
	if (*resp != NULL_RESP_DONE)
		return NULL;
	*rt = (struct null_route){ .key = key, .ep = ep, .faults = faults };
	return rt;
}

enum null_resp
null_fabric_maint(struct null_fabric *fab, uint32_t src, uint32_t destid, uint32_t tt,
		  uint32_t hop, bool write, uint32_t off, uint32_t *val)
{
	struct walk w = { .hop = hop };
	enum null_resp resp = walk_run(fab, &w, src, destid, tt);

	if (resp != NULL_RESP_DONE)
		return resp;
	if (w.at->kind == NULL_END_SW)
		return null_switch_maint(fab, w.at->index, w.at->port, write, off, val);
	return null_maint_access(fab, w.at->index, write, off, val);
}

/* ---- endpoints of the star ---- */

static bool
destid_taken(struct null_shared *sh, uint32_t destid)
{
	return atomic_load(&sh->sw[0].port[0].route[destid]) != NULL_RTE_NONE;
}

static int
pick_destid(struct null_shared *sh, int want, uint32_t *destid, char *err, size_t errlen)
{
	uint32_t i;

	if (want != NULL_DESTID_AUTO) {
		if (want < 0 || want >= (int)DESTID_NONE) {
			say(err, errlen, "destination ID %d is not 0 to %u", want, DESTID_NONE - 1);
			return -EINVAL;
		}
		if (destid_taken(sh, (uint32_t)want)) {
			say(err, errlen, "destination ID %d is taken on fabric '%s'", want, sh->name);
			return -EEXIST;
		}
		*destid = (uint32_t)want;
		return 0;
	}
	for (i = 0; i < DESTID_NONE; i++)
		if (!destid_taken(sh, i)) {
			*destid = i;
			return 0;
		}
	say(err, errlen, "fabric '%s' is full: it has %u destination IDs", sh->name, DESTID_NONE);
	return -ENOSPC;
}

/* Nodes of the star are ep0, ep1, ... by the switch's port. */
static int
pick_ep(struct null_shared *sh, const char *node, uint32_t *ep, char *err, size_t errlen)
{
	char name[NULL_NAME_LEN];
	uint32_t i;

	for (i = 0; i < NULL_SW_PORT_MAX; i++) {
		bool free_ep = atomic_load(&sh->ep[i].attached) == 0;

		if (node == NULL && free_ep)
			break;
		snprintf(name, sizeof(name), "ep%u", i);
		if (node == NULL || strcmp(node, name) != 0)
			continue;
		if (!free_ep) {
			say(err, errlen, "node '%s' of fabric '%s' is taken", node, sh->name);
			return -EEXIST;
		}
		break;
	}
	if (i == NULL_SW_PORT_MAX) {
		if (node == NULL)
			say(err, errlen, "fabric '%s' is full: it has %u endpoints", sh->name, i);
		else
			say(err, errlen, "fabric '%s' has no node '%.64s', only ep0 to ep%u",
			    sh->name, node, i - 1);
		return node == NULL ? -ENOSPC : -ENOENT;
	}
	*ep = i;
	return 0;
}

static int
pick_link(const struct null_device_params *p, struct null_link *link, char *err, size_t errlen)
{
	static const unsigned int mbauds[] = { 1250, 2500, 3125, 5000, 6250 };
	unsigned int lanes = p->lanes != 0 ? p->lanes : STAR_LANES;
	unsigned int mbaud = p->mbaud != 0 ? p->mbaud : STAR_MBAUD;
	uint32_t i;

	if (lanes != 1 && lanes != 2 && lanes != 4) {
		say(err, errlen, "%u lanes are not 1, 2 or 4", lanes);
		return -EINVAL;
	}
	for (i = 0; i < sizeof(mbauds) / sizeof(mbauds[0]); i++)
		if (mbauds[i] == mbaud)
			break;
	if (i == sizeof(mbauds) / sizeof(mbauds[0])) {
		say(err, errlen, "%u Mbaud is not 1250, 2500, 3125, 5000 or 6250", mbaud);
		return -EINVAL;
	}
	link->lanes = (uint8_t)lanes;
	link->mbaud = (uint16_t)mbaud;
	return 0;
}

/* Every port of the star's switch has the same table. */
static void
star_route(struct null_shared *sh, uint32_t destid, uint32_t port)
{
	uint32_t i;

	for (i = 0; i < NULL_SW_PORT_MAX; i++)
		atomic_store(&sh->sw[0].port[i].route[destid], (uint16_t)port);
}

static void
star_wire(struct null_shared *sh, uint32_t ep)
{
	struct null_switch *sw = &sh->sw[0];
	struct null_link *link = &sh->links[ep];

	link->end[0] = (struct null_end){ .kind = NULL_END_EP, .index = (uint16_t)ep };
	link->end[1] = (struct null_end){ .kind = NULL_END_SW, .port = (uint8_t)ep };
	atomic_store(&sw->port[ep].link, (uint16_t)ep);
	if (atomic_load(&sw->nb_ports) <= ep)
		atomic_store(&sw->nb_ports, (uint16_t)(ep + 1));
	if (atomic_load(&sh->nb_ep) <= ep)
		atomic_store(&sh->nb_ep, ep + 1);
}

/* A word at a time, since an engine that comes too late may still look. */
static void
zero(void *from, void *to)
{
	typedef uint64_t word __attribute__((may_alias));
	word *w;

	for (w = from; w != to; w++)
		__atomic_store_n(w, 0, __ATOMIC_RELAXED);
}

/* All but inbound queues: a sender may be delivering there and hold a lock. */
static void
chip_zero(struct null_chip *chip)
{
	_Static_assert(sizeof(*chip) % sizeof(uint64_t) == 0, "whole words");
	zero(chip, &chip->idq[0]);
	zero(&chip->idq[TSI721_IDQ_NUM], &chip->imsg[0]);
	zero(&chip->imsg[TSI721_IMSG_NUM], chip + 1);
}

/* A chip after power-up. Nobody looks at one that is not attached. */
static void
chip_reset(struct null_fabric *fab, uint32_t ep, uint32_t destid, bool host, uint64_t win_size)
{
	struct null_chip *chip = &fab->sh->ep[ep];

	chip_zero(chip);
	null_regs_reset(chip);
	null_doorbell_reset(fab, ep);
	null_mbox_reset(fab, ep);
	null_pcicfg_win_size(chip, win_size);
	null_pcicfg_reset(chip);
	null_maint_reset(chip, destid, fab->sh->sys16 != 0, host);
	snprintf(chip->node, sizeof(chip->node), "ep%u", ep);
}

static int
attach_locked(struct null_fabric *fab, const struct null_device_params *p, uint32_t *out,
	      char *err, size_t errlen)
{
	struct null_shared *sh = fab->sh;
	struct null_link link = { .lanes = 0 };
	uint32_t ep, destid;
	int ret;

	ret = pick_link(p, &link, err, errlen);
	if (ret == 0)
		ret = pick_ep(sh, p->node, &ep, err, errlen);
	if (ret == 0)
		ret = pick_destid(sh, p->destid, &destid, err, errlen);
	if (ret < 0)
		return ret;

	chip_reset(fab, ep, destid, p->host < 0 ? destid == 0 : p->host != 0,
		   p->win_size != 0 ? p->win_size : NULL_WIN_SIZE_DEFAULT);
	sh->links[ep].lanes = link.lanes;
	sh->links[ep].mbaud = link.mbaud;
	atomic_store(&sh->ep[ep].link, (uint16_t)ep);
	star_wire(sh, ep);
	star_route(sh, destid, ep);
	atomic_store(&sh->ep[ep].proc, fab->proc);
	atomic_store(&sh->ep[ep].attached, 1);
	null_fabric_changed(fab);
	*out = ep;
	return 0;
}

int
null_fabric_attach(struct null_fabric *fab, const struct null_device_params *params,
		   uint32_t *ep, char *err, size_t errlen)
{
	bool stolen;
	int ret;

	if (params->host < -1 || params->host > 1) {
		say(err, errlen, "host=%d is not 0, 1 or -1", params->host);
		return -EINVAL;
	}
	if (params->win_size != 0 && !null_pcicfg_win_size_ok(params->win_size)) {
		say(err, errlen, "window size 0x%llx is not a power of two from 0x%llx to 0x%llx",
		    (unsigned long long)params->win_size, NULL_WIN_SIZE_MIN, NULL_WIN_SIZE_MAX);
		return -EINVAL;
	}
	if (!null_lock_wait(fab, &fab->sh->lock, &stolen)) {
		say(err, errlen, "fabric '%s' is held by a stopped process", fab->sh->name);
		return -EBUSY;
	}
	ret = attach_locked(fab, params, ep, err, errlen);
	null_lock_release(fab, &fab->sh->lock);
	return ret;
}

/* The IDs that lead to this port are free again. */
static void
star_unroute(struct null_shared *sh, uint32_t port)
{
	uint32_t i;

	for (i = 0; i < 256; i++)
		if (atomic_load(&sh->sw[0].port[0].route[i]) == port)
			star_route(sh, i, NULL_RTE_NONE);
}

void
null_fabric_detach(struct null_fabric *fab, uint32_t ep)
{
	struct null_chip *chip = &fab->sh->ep[ep];
	bool stolen, locked;

	/* Even if a stopped process holds the topology: this endpoint is going away. */
	locked = null_lock_wait(fab, &fab->sh->lock, &stolen);
	atomic_store(&chip->devctl, 0);
	null_fabric_link_update(fab, ep);
	star_unroute(fab->sh, ep);
	null_fabric_changed(fab);
	null_fabric_quiesce(fab);
	atomic_store(&chip->attached, 0);
	if (locked)
		null_lock_release(fab, &fab->sh->lock);
	/* What waits for room here waits in vain. */
	null_waiters_wake(fab, ep, &chip->idq_waiters);
	null_waiters_wake(fab, ep, &chip->imsg_waiters);
}
