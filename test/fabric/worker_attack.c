/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * One who opens windows and queues, and those who send it requests of every kind to
 * anywhere. What happens outside of them is an error, and changes nothing.
 */

#include <endian.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "worker_own.h"

#define CANARY		0xa5
#define BAR2_ADDR	0x4000000000ull
#define PAGE		0x1000u		/* a zone of the smallest outbound window */
#define MAINT_REACH	0x20000u	/* registers that maintenance requests reach */

/* ---- the target ---- */

/* Registers that say what others may reach, and where their doorbells and messages go. */
static const uint32_t guarded[] = {
	TSI721_IBWIN_LB(0), TSI721_IBWIN_UB(0), TSI721_IBWIN_SZ(0), TSI721_IBWIN_TLA(0),
	TSI721_IBWIN_TUA(0), TSI721_IBWIN_LB(1), TSI721_IBWIN_UB(1), TSI721_IBWIN_SZ(1),
	TSI721_IBWIN_TLA(1), TSI721_IBWIN_TUA(1), TSI721_IBWIN_LB(2), TSI721_IBWIN_LB(7),
	TSI721_IDQ_BASEL(0), TSI721_IDQ_BASEU(0), TSI721_IDQ_SIZE(0), TSI721_IDQ_MASK(0),
	TSI721_IBDMAC_FQBL(4), TSI721_IBDMAC_FQBH(4), TSI721_IBDMAC_FQSZ(4),
	TSI721_IBDMAC_DQBL(4), TSI721_IBDMAC_DQBH(4), TSI721_IBDMAC_DQSZ(4),
	TSI721_DMAC_BASE(0) + TSI721_DMAC_DPTRL, TSI721_DMAC_BASE(0) + TSI721_DMAC_DSBL,
	TSI721_DMAC_BASE(0) + TSI721_DMAC_DWRCNT, TSI721_DEVCTL, TSI721_DEV_INTE,
};
#define GUARDED		(sizeof(guarded) / sizeof(guarded[0]))
static uint32_t guarded_was[GUARDED];

void
target_ready(void)
{
	uint32_t off, i;

	for (off = 0; off < NODE_MEM; off++)
		if (!node_may_change(off))
			node.mem[off] = CANARY;
	for (i = 0; i < GUARDED; i++)
		guarded_was[i] = node_rd(&node, guarded[i]);
}

static void
target_check(void)
{
	uint32_t off, i;

	for (off = 0; off < NODE_MEM; off++)
		if (!node_may_change(off) && node.mem[off] != CANARY) {
			wrong("byte 0x%x is %02x", off, node.mem[off]);
			return;
		}
	for (i = 0; i < GUARDED; i++)
		if (node_rd(&node, guarded[i]) != guarded_was[i])
			wrong("register 0x%x is 0x%x, was 0x%x", guarded[i],
			      node_rd(&node, guarded[i]), guarded_was[i]);
}

void
target(void)
{
	const struct timespec nap = { .tv_nsec = 200000 };
	uint32_t src, len;
	uint16_t info;

	while (atomic_load(&all->stop) == 0) {
		while (node_bell_get(&node, &src, &info)) {
			progress();
			atomic_fetch_add(&me->blocks[src % NODES_MAX], 1);
		}
		while (node_msg_get(&node, &src, &len) != NULL) {
			progress();
			atomic_fetch_add(&me->messages[src % NODES_MAX], 1);
			node_msg_free(&node);
		}
		nanosleep(&nap, NULL);
	}
	target_check();
}

/* ---- attackers ---- */

/* Addresses near the windows' ends, far from them, and anywhere. */
static uint64_t
any_address(void)
{
	switch (rnd() % 4) {
	case 0:
		return NODE_WIN_RIO - 4096 + rnd() % 8192;
	case 1:
		return NODE_WIN_RIO + NODE_WIN_SIZE - 4096 + rnd() % 8192;
	case 2:
		return NODE_PAT_RIO + rnd() % (2 * NODE_PAT_SIZE);
	default:
		return (uint64_t)rnd() << 32 | rnd();
	}
}

/* Whether all of it lies in one of the two windows. */
static bool
inside(uint64_t rio, uint32_t len)
{
	return (rio >= NODE_WIN_RIO && rio + len <= NODE_WIN_RIO + NODE_WIN_SIZE) ||
	       (rio >= NODE_PAT_RIO && rio + len <= NODE_PAT_RIO + NODE_PAT_SIZE);
}

static void
attack_dma(uint32_t destid)
{
	static const uint32_t types[] = { TSI721_RTYPE_NREAD, TSI721_RTYPE_LAST_NWRITE_R,
					  TSI721_RTYPE_ALL_NWRITE, TSI721_RTYPE_ALL_NWRITE_R };
	uint32_t rtype = types[rnd() % 4], len = 1 + rnd() % 4096, code;
	uint64_t rio = any_address();

	code = node_dma(&node, rtype, destid, rio, rtype == TSI721_RTYPE_NREAD ? NODE_IN : NODE_OUT,
			len);
	if (code != 0)
		atomic_fetch_add(&me->failed, 1);
	if (code != 0 && (code != NULL_ABORT_ERROR || inside(rio, len)))
		wrong("type %u at 0x%llx, %u bytes: code %u", rtype, (unsigned long long)rio, len,
		      code);
	/* LAST_NWRITE_R need not tell of what its last packet does not meet. */
	if (code == 0 && !inside(rio, len) &&
	    (rtype == TSI721_RTYPE_NREAD || rtype == TSI721_RTYPE_ALL_NWRITE_R))
		wrong("type %u at 0x%llx, %u bytes: no error", rtype, (unsigned long long)rio, len);
}

/* Two pages that follow each other, in the first two zones of window 0. */
static void
zones_set(uint32_t destid, uint64_t rio, bool answered)
{
	uint32_t zone;

	for (zone = 0; zone < 2; zone++, rio += PAGE) {
		node_wr(&node, TSI721_LUT_DATA0, ((uint32_t)rio & TSI721_LUT_DATA0_ADD) |
			TSI721_LUT_DATA0_NREAD |
			(answered ? TSI721_LUT_DATA0_NWR_R : TSI721_LUT_DATA0_NWR));
		node_wr(&node, TSI721_LUT_DATA1, (uint32_t)(rio >> 32));
		node_wr(&node, TSI721_LUT_DATA2, destid);
		node_wr(&node, TSI721_ZONE_SEL, TSI721_ZONE_SEL_GO | zone);
	}
}

static void
window_ready(void)
{
	uint32_t word = htole32((uint32_t)(BAR2_ADDR >> 32));

	null_device_cfg_write(node.dev, NULL_CFG_BAR(3), &word, sizeof(word));
	word = htole32((uint32_t)BAR2_ADDR);
	null_device_cfg_write(node.dev, NULL_CFG_BAR(2), &word, sizeof(word));
	node_wr(&node, TSI721_OBWIN_SZ(0), 0);
	node_wr(&node, TSI721_OBWIN_UB(0), (uint32_t)(BAR2_ADDR >> 32));
	node_wr(&node, TSI721_OBWIN_LB(0), (uint32_t)BAR2_ADDR | TSI721_OBWIN_LB_WEN);
}

/* A load or store through an outbound window, perhaps over the end of a page. */
static void
attack_window(uint32_t destid)
{
	uint64_t page = any_address() & ~(PAGE - 1ull), before, v = 0x5a5a5a5a5a5a5a5aull;
	uint32_t len = 1u << rnd() % 4, off;
	bool write = rnd() % 2 != 0, fails;

	off = rnd() % 2 != 0 ? PAGE - rnd() % 8 : rnd() % (2 * PAGE - 8);
	fails = !inside(page + off, len);
	zones_set(destid, page, rnd() % 2 != 0);
	before = null_device_stat_get(node.dev, NULL_STAT_OBWIN_ERRORS);
	if (write)
		null_device_bar_write(node.dev, TSI721_BAR_WIN0, off, &v, len);
	else
		null_device_bar_read(node.dev, TSI721_BAR_WIN0, off, &v, len);
	if ((null_device_stat_get(node.dev, NULL_STAT_OBWIN_ERRORS) != before) != fails)
		wrong("%s of %u bytes at 0x%llx through a window: %s", write ? "store" : "load", len,
		      (unsigned long long)page + off, fails ? "no error" : "an error");
	/* Of a load that meets nothing, all ones. */
	if (fails && !write && !inside(page + off, 1) &&
	    memcmp(&v, "\xff\xff\xff\xff\xff\xff\xff\xff", len) != 0)
		wrong("load of %u bytes at 0x%llx through a window: 0x%llx", len,
		      (unsigned long long)page + off, (unsigned long long)v);
	if (fails)
		atomic_fetch_add(&me->failed, 1);
}

/* Any register that maintenance does not reach; of those that it does, harmless ones. */
static void
attack_maint(uint32_t destid)
{
	bool write = rnd() % 2 != 0, far = rnd() % 4 != 0;
	uint32_t off, val = rnd(), code;

	if (far)
		off = MAINT_REACH + (rnd() % 8 != 0 ? rnd() % 0x60000 : rnd() % 0xfe0000) / 4 * 4;
	else
		off = write ? RIO_COMPONENT_TAG_CSR : rnd() % (MAINT_REACH / 4) * 4;
	code = node_maint(&node, write, destid, RIO_HOP_ENDPOINT, off, &val);
	if (code != (far ? NULL_ABORT_ERROR : 0u))
		wrong("maintenance %s at 0x%x: code %u", write ? "write" : "read", off, code);
	if (code != 0)
		atomic_fetch_add(&me->failed, 1);
}

/* Mailbox 0 is open: it takes them, or they are given up when it is full for long. */
static void
attack_message(uint32_t destid)
{
	uint32_t mbox = rnd() % 4 != 0 ? 0 : rnd() % 4, len = 8 + rnd() % 512 * 8, code;

	node_msg_send_to(&node, destid, mbox, rnd() % 4, len);
	while ((code = node_msg_done(&node)) == NODE_MSG_BUSY && atomic_load(&all->stop) == 0)
		usleep(20);
	if (mbox != 0 ? code != NULL_ABORT_ERROR : code != 0 && code != NULL_ABORT_TIMEOUT)
		wrong("message of %u bytes to mailbox %u: code %u", len, mbox, code);
	if (code != 0)
		atomic_fetch_add(&me->failed, 1);
}

void
attacker(void)
{
	uint32_t i, at, kind;

	while ((at = atomic_load(&all->w[0].at)) == 0 && atomic_load(&all->stop) == 0)
		usleep(1000);
	memset(node.mem + NODE_OUT, 0x5a, 4096);
	memset(node.mem + NODE_MSG, 0x5a, 4096);
	window_ready();
	for (i = 0; i < me->requests && atomic_load(&all->stop) == 0; i++) {
		kind = rnd() % 16;
		if (kind == 0)
			node_ring(&node, at - 1, (uint16_t)rnd());
		else if (kind == 1)
			attack_message(at - 1);
		else if (kind < 4)
			attack_maint(at - 1);
		else if (kind < 7)
			attack_window(at - 1);
		else
			attack_dma(at - 1);
		progress();
	}
	atomic_store(&me->blocks[0], i);
}
