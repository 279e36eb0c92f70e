/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Inbound windows: what of this endpoint's memory a RapidIO address shows.
 * Senders in other processes read these registers at any time, hence a count
 * of writes' begins and ends, so that none of them sees half of a change.
 */

#include "null_internal.h"

#define SIZE_CODE_MAX	22u	/* 16 GiB */

/* One window's registers as they were together; false: a write was going on. */
static bool
window_read(const struct null_ibwin *w, struct null_window *win)
{
	uint32_t seq = atomic_load(&w->seq);
	uint32_t lb = atomic_load(&w->lb);
	uint32_t code = (atomic_load(&w->sz) & TSI721_IBWIN_SZ_SIZE) >> TSI721_IBWIN_SZ_SIZE_SHIFT;

	win->size = 0;
	if ((lb & TSI721_IBWIN_LB_WEN) != 0 && code <= SIZE_CODE_MAX)
		win->size = TSI721_IBWIN_SIZE_MIN << code;
	win->base = null_u64(atomic_load(&w->ub), lb & TSI721_IBWIN_LB_BA) & ~(win->size - 1);
	win->iova = null_u64(atomic_load(&w->tua), atomic_load(&w->tla) & TSI721_IBWIN_TLA_ADD) &
		    ~(win->size - 1);
	return seq % 2 == 0 && atomic_load(&w->seq) == seq;
}

bool
null_ibwin_find(const struct null_chip *chip, uint64_t addr, uint32_t hi2,
		struct null_window *win)
{
	uint32_t i;

	if (hi2 != 0)
		return false;
	for (i = 0; i < TSI721_IBWIN_NUM; i++)
		if (window_read(&chip->ibwin[i], win) && addr - win->base < win->size)
			return true;
	return false;
}

/*
 * Nobody of this process uses the old translation once this returns. Registers
 * of a disabled window matter to nobody.
 */
static void
window_write(struct null_device *dev, uint32_t i, _Atomic uint32_t *reg, uint32_t val)
{
	struct null_ibwin *w = &dev->chip->ibwin[i];
	bool matters = (atomic_load(&w->lb) & TSI721_IBWIN_LB_WEN) != 0;

	atomic_fetch_add(&w->seq, 1);
	atomic_store(reg, val);
	atomic_fetch_add(&w->seq, 1);
	if (!matters && (atomic_load(&w->lb) & TSI721_IBWIN_LB_WEN) == 0)
		return;
	null_fabric_changed(dev->fab);
	if (matters)
		null_fabric_quiesce(dev->fab);
}

static void
lb_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	window_write(dev, i, &dev->chip->ibwin[i].lb, val);
}

static void
ub_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	window_write(dev, i, &dev->chip->ibwin[i].ub, val);
}

static void
sz_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	window_write(dev, i, &dev->chip->ibwin[i].sz, val);
}

static void
tla_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	window_write(dev, i, &dev->chip->ibwin[i].tla, val);
}

static void
tua_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	window_write(dev, i, &dev->chip->ibwin[i].tua, val);
}

#define WINDOW(member, n, o) \
	.name = n, .off = (o), .count = TSI721_IBWIN_NUM, .stride = 0x20, .access = NULL_RW, \
	NULL_STATES(ibwin, member), .write = member ## _write

static const struct null_reg rows[] = {
	{ WINDOW(lb, "IBWIN_LB", TSI721_IBWIN_LB(0)),
	  .wmask = TSI721_IBWIN_LB_BA | TSI721_IBWIN_LB_WEN },
	{ WINDOW(ub, "IBWIN_UB", TSI721_IBWIN_UB(0)), .wmask = UINT32_MAX },
	{ WINDOW(sz, "IBWIN_SZ", TSI721_IBWIN_SZ(0)), .wmask = TSI721_IBWIN_SZ_SIZE },
	{ WINDOW(tla, "IBWIN_TLA", TSI721_IBWIN_TLA(0)), .wmask = TSI721_IBWIN_TLA_ADD },
	{ WINDOW(tua, "IBWIN_TUA", TSI721_IBWIN_TUA(0)), .wmask = UINT32_MAX },
};

const struct null_reg_block null_ibwin_regs = { rows, sizeof(rows) / sizeof(rows[0]) };
