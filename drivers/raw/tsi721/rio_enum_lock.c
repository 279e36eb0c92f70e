/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Who is the host. The host lock of a device takes the first ID written while it
 * is free, and is freed by writing the ID that it holds. Of two hosts that meet
 * the one with the higher ID goes on; the other gives back what it has.
 */

#include <errno.h>

#include "rio_enum_priv.h"

#define LOCK_POLL_US	1000u
#define LOCK_WAIT_US	1000000u
#define LOCK_MASK	0xffffu

/* One way to reach a lock: of oneself, or of what is at a hop of the path. */
struct lock_at {
	bool local;
	uint8_t hop;
};

static int
lock_read(struct rio_enum *e, struct lock_at at, uint32_t *holder)
{
	int ret = at.local ? rio_local_read(e, RIO_HOST_DID_LOCK_CSR, holder) :
			     rio_far_read(e, at.hop, RIO_HOST_DID_LOCK_CSR, holder);

	*holder &= LOCK_MASK;
	return ret;
}

static int
lock_write(struct rio_enum *e, struct lock_at at, uint32_t id)
{
	return at.local ? rio_local_write(e, RIO_HOST_DID_LOCK_CSR, id) :
			  rio_far_write(e, at.hop, RIO_HOST_DID_LOCK_CSR, id);
}

int
rio_lose(struct rio_enum *e, uint32_t holder)
{
	e->lost = true;
	e->winner = (uint16_t)holder;
	return -EBUSY;
}

/*
 * A write is not repeated blindly: a second one of the same ID would free the
 * lock. So the lock is read before each.
 */
static int
lock_take(struct rio_enum *e, struct lock_at at)
{
	uint32_t wait = e->conf.lock_wait_us != 0 ? e->conf.lock_wait_us : LOCK_WAIT_US;
	uint32_t holder, waited = 0, tries;
	int ret;

	for (tries = 0; tries < 4 * RIO_TRIES; ) {
		ret = lock_read(e, at, &holder);
		if (ret != 0)
			return ret;
		if (holder == e->conf.hdid)
			return 0;
		if (holder == RIO_HOST_DID_LOCK_FREE) {
			tries++;
			lock_write(e, at, e->conf.hdid);
			continue;
		}
		if (holder > e->conf.hdid)
			return rio_lose(e, holder);
		/* A lower one meets this host sooner or later, and gives way, unless it is dead. */
		if (waited < wait) {
			e->conf.access->wait_us(e->conf.ctx, LOCK_POLL_US);
			e->end_us += LOCK_POLL_US;
			waited += LOCK_POLL_US;
			continue;
		}
		tries++;
		rio_say(e, RIO_LOG_NOTICE, "host lock of ID 0x%x that nobody gives back is taken",
			holder);
		lock_write(e, at, holder);
	}
	return -EIO;
}

int
rio_lock_local(struct rio_enum *e)
{
	return lock_take(e, (struct lock_at){ .local = true });
}

int
rio_lock_far(struct rio_enum *e, uint8_t hop)
{
	return lock_take(e, (struct lock_at){ .hop = hop });
}

int
rio_lock_dev(struct rio_enum *e, struct rio_dev *dev)
{
	int ret;

	if (dev->locked)
		return 0;
	ret = rio_path(e, dev);
	if (ret == 0)
		ret = rio_lock_far(e, dev->is_switch ? dev->depth : RIO_HOP_FAR);
	dev->locked = ret == 0;
	return ret;
}

static void
unlock(struct rio_enum *e, struct rio_dev *dev)
{
	struct lock_at at = { .local = dev == &e->g.dev[0],
			      .hop = dev->is_switch ? dev->depth : RIO_HOP_FAR };
	uint32_t holder, tries;

	if (!at.local && rio_path(e, dev) != 0)
		return;
	for (tries = 0; tries < RIO_TRIES && dev->locked; tries++) {
		if (lock_read(e, at, &holder) != 0)
			return;
		if (holder != e->conf.hdid)
			dev->locked = false;
		else
			lock_write(e, at, e->conf.hdid);
	}
}

void
rio_unlock_far(struct rio_enum *e, uint8_t hop)
{
	uint32_t holder;

	if (lock_read(e, (struct lock_at){ .hop = hop }, &holder) == 0 && holder == e->conf.hdid)
		lock_write(e, (struct lock_at){ .hop = hop }, e->conf.hdid);
}

void
rio_unlock_all(struct rio_enum *e)
{
	bool unfinished = e->unfinished;
	uint32_t i;

	/* Even when time is over: a lock that stays would keep others out. */
	e->unfinished = false;
	e->end_us += 1000000u;
	for (i = e->g.nb; i-- > 0; )
		if (e->g.dev[i].used && e->g.dev[i].locked)
			unlock(e, &e->g.dev[i]);
	e->end_us -= 1000000u;
	e->unfinished = e->unfinished || unfinished;
}

/* Whether the device with this ID says that it is a host which enumerates. */
static bool
host_is_alive(struct rio_enum *e, uint16_t id)
{
	uint32_t asm_info, ctl;
	uint16_t sp, em;

	return rio_id_read(e, id, RIO_HOP_FAR, RIO_ASM_INFO_CAR, &asm_info) == 0 &&
	       rio_blocks_read(e, id, RIO_HOP_FAR, asm_info, &sp, &em) == 0 && sp != 0 &&
	       rio_id_read(e, id, RIO_HOP_FAR, sp + RIO_PORT_GEN_CTL_CSR, &ctl) == 0 &&
	       (ctl & (RIO_PORT_GEN_HOST | RIO_PORT_GEN_MASTER)) ==
		       (RIO_PORT_GEN_HOST | RIO_PORT_GEN_MASTER);
}

/*
 * Port-writes of a switch go to its host. When they go to somebody else, a
 * higher one who is there has it; a lower one is overruled.
 */
int
rio_owner_check(struct rio_enum *e, struct rio_dev *sw)
{
	uint32_t tgt;
	uint16_t id;
	int ret;

	if (sw->em == 0 || (sw->src_ops & RIO_OPS_PORT_WRITE) == 0)
		return 0;
	ret = rio_dev_read(e, sw, sw->em + RIO_EM_PW_TGT_DEVID, &tgt);
	if (ret != 0)
		return ret;
	id = (uint16_t)(e->conf.sys16 ? tgt >> 16 : tgt >> 16 & 0xff);
	if (id == e->conf.hdid)
		return 0;
	if (id > e->conf.hdid && id != rio_any_id(e) && host_is_alive(e, id))
		return rio_lose(e, id);
	if (sw->fresh)
		return 0;
	rio_say(e, RIO_LOG_NOTICE, "switch %u was taken by host 0x%x: taken back", sw->tag, id);
	sw->fresh = true;
	rio_routes_forget(sw);
	return rio_route_write(e, sw, rio_route_slot(e->conf.hdid), sw->in_port);
}
