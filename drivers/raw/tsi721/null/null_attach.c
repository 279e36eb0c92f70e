/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Who is on a fabric: a device takes an endpoint of it. A topology file says
 * which there are; on the default star they are made as they come.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "null_peer.h"
#include "null_proc.h"

#define STAR_LANES	4u
#define STAR_MBAUD	5000u
#define STAR_DESTIDS	0xffu	/* 8-bit IDs that endpoints get are below */

void
null_say(char *err, size_t errlen, const char *fmt, ...)
{
	va_list ap;

	if (err == NULL || errlen == 0)
		return;
	va_start(ap, fmt);
	vsnprintf(err, errlen, fmt, ap);
	va_end(ap);
}

/* ---- endpoints of the star ---- */

static bool
star_destid_taken(const struct null_shared *sh, uint32_t destid)
{
	return atomic_load(&sh->sw[0].rt.dev[destid]) != NULL_RTE_NONE;
}

static int
star_pick_destid(const struct null_shared *sh, int want, uint32_t *destid, char *err,
		 size_t errlen)
{
	uint32_t i;

	if (want != NULL_DESTID_AUTO) {
		if (want < 0 || want >= (int)STAR_DESTIDS) {
			null_say(err, errlen, "destination ID %d is not 0 to %u", want,
				 STAR_DESTIDS - 1);
			return -EINVAL;
		}
		if (star_destid_taken(sh, (uint32_t)want)) {
			null_say(err, errlen, "destination ID %d is taken on fabric '%s'", want,
				 sh->name);
			return -EEXIST;
		}
		*destid = (uint32_t)want;
		return 0;
	}
	for (i = 0; i < STAR_DESTIDS; i++)
		if (!star_destid_taken(sh, i)) {
			*destid = i;
			return 0;
		}
	null_say(err, errlen, "fabric '%s' is full: it has %u destination IDs", sh->name,
		 STAR_DESTIDS);
	return -ENOSPC;
}

static int
star_pick_link(const struct null_device_params *p, struct null_link *link, char *err,
	       size_t errlen)
{
	static const unsigned int mbauds[] = { 1250, 2500, 3125, 5000, 6250 };
	unsigned int lanes = p->lanes != 0 ? p->lanes : STAR_LANES;
	unsigned int mbaud = p->mbaud != 0 ? p->mbaud : STAR_MBAUD;
	uint32_t i;

	if (lanes != 1 && lanes != 2 && lanes != 4) {
		null_say(err, errlen, "%u lanes are not 1, 2 or 4", lanes);
		return -EINVAL;
	}
	for (i = 0; i < sizeof(mbauds) / sizeof(mbauds[0]); i++)
		if (mbauds[i] == mbaud)
			break;
	if (i == sizeof(mbauds) / sizeof(mbauds[0])) {
		null_say(err, errlen, "%u Mbaud is not 1250, 2500, 3125, 5000 or 6250", mbaud);
		return -EINVAL;
	}
	atomic_store(&link->lanes, (uint8_t)lanes);
	atomic_store(&link->mbaud, (uint16_t)mbaud);
	return 0;
}

/* Endpoint i at link i and port i. Others may be walking over the switch meanwhile. */
static void
star_wire(struct null_shared *sh, uint32_t ep, uint32_t destid)
{
	struct null_switch *sw = &sh->sw[0];
	struct null_link *link = &sh->links[ep];

	if (link->end[0].kind == NULL_END_NONE) {
		link->end[0] = (struct null_end){ .kind = NULL_END_EP, .index = (uint16_t)ep };
		link->end[1] = (struct null_end){ .kind = NULL_END_SW, .port = (uint8_t)ep };
	}
	sh->place[ep].link = (uint16_t)ep;
	atomic_store(&sw->port[ep].link, (uint16_t)ep);
	if (atomic_load(&sw->nb_ports) <= ep)
		atomic_store(&sw->nb_ports, (uint16_t)(ep + 1));
	if (atomic_load(&sh->nb_ep) <= ep)
		atomic_store(&sh->nb_ep, ep + 1);
	null_switch_route_set(sw, NULL_SW_ALL, false, destid, ep);
}

/* The IDs that lead to this endpoint are free again. */
static void
star_unroute(struct null_shared *sh, uint32_t ep)
{
	struct null_switch *sw = &sh->sw[0];
	uint32_t i;

	for (i = 0; i < 256; i++)
		if (atomic_load(&sw->rt.dev[i]) == ep)
			null_switch_route_set(sw, NULL_SW_ALL, false, i, NULL_RTE_NONE);
}

static int
star_take(struct null_shared *sh, const struct null_device_params *p, uint32_t ep, char *err,
	  size_t errlen)
{
	struct null_link link = { .lanes = 0 };
	uint32_t destid;
	int ret;

	ret = star_pick_link(p, &link, err, errlen);
	if (ret == 0)
		ret = star_pick_destid(sh, p->destid, &destid, err, errlen);
	if (ret < 0)
		return ret;
	atomic_store(&sh->links[ep].lanes, atomic_load(&link.lanes));
	atomic_store(&sh->links[ep].mbaud, atomic_load(&link.mbaud));
	sh->place[ep].destid = destid;
	sh->place[ep].host = destid == 0;
	star_wire(sh, ep, destid);
	return 0;
}

/* Nothing of who was there before. */
static void
star_faults_clear(struct null_fabric *fab, uint32_t ep)
{
	uint32_t kind;

	for (kind = 0; kind < NULL_FAULT_LINK_KINDS; kind++)
		null_link_fault_set(fab, ep, &(struct null_fault){ .kind = kind });
	null_stuck_set(fab, ep, 0);
}

/* ---- endpoints of a topology ---- */

/* An endpoint that the file leaves without an ID may be given one that is free. */
static int
place_destid(struct null_shared *sh, uint32_t ep, int want, char *err, size_t errlen)
{
	const struct null_place *place = &sh->place[ep];
	int max = sh->sys16 ? 0xfffe : 0xfe;
	uint32_t i, tt = sh->sys16 ? TSI721_TT_16 : TSI721_TT_8;

	if (want == NULL_DESTID_AUTO)
		return 0;
	if (want < 0 || want > max) {
		null_say(err, errlen, "destination ID %d is not 0 to %d", want, max);
		return -EINVAL;
	}
	if (place->destid != NULL_TOPO_NO_ID && (int)place->destid != want) {
		null_say(err, errlen, "node '%s' of fabric '%s' has destination ID %u, not %d",
			 place->node, sh->name, place->destid, want);
		return -EINVAL;
	}
	for (i = 0; i < atomic_load(&sh->nb_ep); i++) {
		if (i == ep || (sh->place[i].destid != (uint32_t)want &&
				(atomic_load(&sh->ep[i].attached) == 0 ||
				 null_source_id(&sh->ep[i], tt) != (uint32_t)want)))
			continue;
		null_say(err, errlen, "destination ID %d is that of node '%s' of fabric '%s'", want,
			 sh->place[i].node, sh->name);
		return -EEXIST;
	}
	return 0;
}

static int
place_take(struct null_shared *sh, const struct null_device_params *p, uint32_t ep, char *err,
	   size_t errlen)
{
	const struct null_link *link = &sh->links[sh->place[ep].link];

	if ((p->lanes != 0 && p->lanes != link->lanes) ||
	    (p->mbaud != 0 && p->mbaud != link->mbaud)) {
		null_say(err, errlen, "node '%s' of fabric '%s' has a link of %u lanes at %u Mbaud",
			 sh->place[ep].node, sh->name, link->lanes, link->mbaud);
		return -EINVAL;
	}
	return place_destid(sh, ep, p->destid, err, errlen);
}

/* ---- both ---- */

static void
place_name(const struct null_shared *sh, uint32_t ep, char name[NULL_NAME_LEN])
{
	if (sh->autostar)
		snprintf(name, NULL_NAME_LEN, "ep%u", ep);
	else
		snprintf(name, NULL_NAME_LEN, "%s", sh->place[ep].node);
}

/* The first endpoint that is free, or the one of that name. */
static int
pick_ep(const struct null_shared *sh, const char *node, uint32_t *ep, char *err, size_t errlen)
{
	uint32_t i, max = sh->autostar ? NULL_SW_PORT_MAX : atomic_load(&sh->nb_ep);
	char name[NULL_NAME_LEN];
	bool taken = false;

	for (i = 0; i < max; i++) {
		place_name(sh, i, name);
		taken = atomic_load(&sh->ep[i].attached) != 0;
		if (node == NULL ? !taken : strcmp(node, name) == 0)
			break;
	}
	*ep = i;
	if (i < max && !taken)
		return 0;
	if (i < max) {
		null_say(err, errlen, "node '%s' of fabric '%s' is taken", node, sh->name);
		return -EEXIST;
	}
	if (node == NULL) {
		null_say(err, errlen, "fabric '%s' is full: it has %u endpoints", sh->name, max);
		return -ENOSPC;
	}
	if (sh->autostar)
		null_say(err, errlen, "fabric '%s' has no node '%.64s', only ep0 to ep%u", sh->name,
			 node, max - 1);
	else
		null_say(err, errlen, "fabric '%s' has no node '%.64s' (its first is '%s')",
			 sh->name, node, sh->place[0].node);
	return -ENOENT;
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

/* All but inbound queues and pw_lock: a sender may be delivering there and hold a lock. */
static void
chip_zero(struct null_chip *chip)
{
	_Static_assert(sizeof(*chip) % sizeof(uint64_t) == 0, "whole words");
	_Static_assert(offsetof(struct null_chip, pw_lock) % sizeof(uint64_t) == 0 &&
		       offsetof(struct null_chip, pw_pad) + sizeof(chip->pw_pad) ==
		       offsetof(struct null_chip, pw_lock) + sizeof(uint64_t), "whole words");
	zero(chip, &chip->pw_lock);
	zero(&chip->pw_pad + 1, &chip->idq[0]);
	zero(&chip->idq[TSI721_IDQ_NUM], &chip->imsg[0]);
	zero(&chip->imsg[TSI721_IMSG_NUM], chip + 1);
}

/* A chip after power-up. Nobody looks at one that is not attached. */
static void
chip_reset(struct null_fabric *fab, uint32_t ep, const struct null_device_params *p)
{
	struct null_chip *chip = &fab->sh->ep[ep];
	const struct null_place *place = &fab->sh->place[ep];
	uint32_t destid = p->destid != NULL_DESTID_AUTO ? (uint32_t)p->destid : place->destid;
	bool stolen, locked = null_lock_wait(fab, &chip->pw_lock, &stolen);

	chip_zero(chip);
	if (locked)
		null_lock_release(fab, &chip->pw_lock);
	null_regs_reset(chip);
	null_doorbell_reset(fab, ep);
	null_mbox_reset(fab, ep);
	null_pcicfg_win_size(chip, p->win_size != 0 ? p->win_size : NULL_WIN_SIZE_DEFAULT);
	null_pcicfg_reset(chip);
	if (destid == NULL_TOPO_NO_ID)
		destid = fab->sh->sys16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8;
	null_maint_reset(chip, destid, fab->sh->sys16 != 0,
			 p->host < 0 ? place->host : p->host != 0);
	place_name(fab->sh, ep, chip->node);
	atomic_store(&chip->link, place->link);
	atomic_store(&chip->stuck, atomic_load(&place->stuck));
}

/* Faults of a device's own: of its link, or of its engines. */
#define OWN_FAULTS_MAX	NULL_FAULT_KINDS

static int
faults_parse(const char *text, struct null_fault faults[OWN_FAULTS_MAX], uint32_t *nb, char *err,
	     size_t errlen)
{
	char one[NULL_FAULT_TEXT_LEN];
	size_t len;

	*nb = 0;
	while (text != NULL) {
		len = strcspn(text, ";");
		if (len >= sizeof(one) || *nb == OWN_FAULTS_MAX) {
			null_say(err, errlen, "faults are more than %u, or one is longer than %u characters",
				 OWN_FAULTS_MAX, NULL_FAULT_TEXT_LEN - 1);
			return -EINVAL;
		}
		snprintf(one, sizeof(one), "%.*s", (int)len, text);
		if (null_fault_parse(one, &faults[(*nb)++], err, errlen) < 0)
			return -EINVAL;
		text = text[len] == ';' ? text + len + 1 : NULL;
	}
	return 0;
}

static void
fault_set(struct null_fabric *fab, uint32_t ep, const struct null_fault *fault)
{
	if (fault->kind == NULL_FAULT_STUCK)
		null_stuck_set(fab, ep, fault->arg);
	else
		null_link_fault_set(fab, fab->sh->place[ep].link, fault);
}

static int
attach_locked(struct null_fabric *fab, const struct null_device_params *p, uint32_t *out,
	      char *err, size_t errlen)
{
	struct null_fault faults[OWN_FAULTS_MAX];
	struct null_shared *sh = fab->sh;
	uint32_t ep, nb, i;
	int ret;

	ret = faults_parse(p->faults, faults, &nb, err, errlen);
	if (ret == 0)
		ret = pick_ep(sh, p->node, &ep, err, errlen);
	if (ret < 0)
		return ret;
	if (sh->autostar)
		ret = star_take(sh, p, ep, err, errlen);
	else
		ret = place_take(sh, p, ep, err, errlen);
	if (ret < 0)
		return ret;
	if (sh->autostar)
		star_faults_clear(fab, ep);
	for (i = 0; i < nb; i++)
		fault_set(fab, ep, &faults[i]);
	chip_reset(fab, ep, p);
	null_peer_own(fab, ep, true);
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
		null_say(err, errlen, "host=%d is not 0, 1 or -1", params->host);
		return -EINVAL;
	}
	if (params->win_size != 0 && !null_pcicfg_win_size_ok(params->win_size)) {
		null_say(err, errlen, "window size 0x%llx is not a power of two from 0x%llx to 0x%llx",
		    (unsigned long long)params->win_size, NULL_WIN_SIZE_MIN, NULL_WIN_SIZE_MAX);
		return -EINVAL;
	}
	/* What the dead had is free, even if nobody has noticed yet. */
	if (fab->shared)
		null_proc_bury(fab);
	if (!null_lock_wait(fab, &fab->sh->lock, &stolen)) {
		null_say(err, errlen, "fabric '%s' is held by a stopped process", fab->sh->name);
		return -EBUSY;
	}
	ret = attach_locked(fab, params, ep, err, errlen);
	null_lock_release(fab, &fab->sh->lock);
	/* The reset forgot who had begun to wait there since the last one left. */
	if (ret == 0)
		null_all_wake(fab);
	return ret;
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
	if (fab->sh->autostar)
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

void
null_fabric_detach_dead(struct null_fabric *fab, uint32_t ep)
{
	struct null_chip *chip = &fab->sh->ep[ep];

	atomic_store(&chip->devctl, 0);
	null_fabric_link_update(fab, ep);
	null_listing_drop(fab, ep);
	if (fab->sh->autostar)
		star_unroute(fab->sh, ep);
	atomic_store(&chip->attached, 0);
}

void
null_fabric_tidy(struct null_fabric *fab)
{
	uint32_t ep;

	for (ep = 0; fab->sh->autostar && ep < atomic_load(&fab->sh->nb_ep); ep++)
		if (atomic_load(&fab->sh->ep[ep].attached) == 0)
			star_unroute(fab->sh, ep);
}

void
null_stuck_set(struct null_fabric *fab, uint32_t ep, uint32_t mask)
{
	atomic_store(&fab->sh->place[ep].stuck_hits, 0);
	atomic_store(&fab->sh->place[ep].stuck, mask);
	atomic_store(&fab->sh->ep[ep].stuck, mask);
	null_fabric_changed(fab);
}
