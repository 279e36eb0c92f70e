/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Outbound windows: an access to BAR2 or BAR4 becomes a RapidIO request. A
 * window is a range of PCI addresses in eight zones; each zone says what
 * reads and writes become, for whom, and where there.
 */

#include <endian.h>
#include <string.h>

#include "null_internal.h"

#define LUT_HC_SHIFT	24
#define LUT_ADD65_SHIFT	18
#define LUT_TT_SHIFT	16
#define LUT_WORDS	3u

/* Where an access goes. */
struct hit {
	uint32_t lut0, lut2;
	uint64_t rio;		/* address bits 63:0 */
	uint64_t left;		/* bytes to the end of the zone */
};

static uint64_t
bar_address(const struct null_chip *chip, unsigned int bar)
{
	unsigned int off = NULL_CFG_BAR(bar);

	return null_u64(null_cfg_get32(chip, off + 4), null_cfg_get32(chip, off) & ~0xfu);
}

static bool
zone_find(const struct null_obwin *w, uint64_t addr, struct hit *hit)
{
	uint32_t lb = atomic_load(&w->lb);
	uint32_t code = (atomic_load(&w->sz) & TSI721_OBWIN_SZ_SIZE) >> TSI721_OBWIN_SZ_SIZE_SHIFT;
	uint64_t size = TSI721_OBWIN_SIZE_MIN << code, zone_size = size / TSI721_OBWIN_ZONES;
	uint64_t off = addr - null_u64(atomic_load(&w->ub), lb & TSI721_OBWIN_LB_BA);
	const _Atomic uint32_t *lut;

	if ((lb & TSI721_OBWIN_LB_WEN) == 0 || off >= size)
		return false;
	lut = w->zone[off / zone_size].lut;
	off %= zone_size;
	hit->lut0 = atomic_load(&lut[0]);
	hit->lut2 = atomic_load(&lut[2]);
	hit->rio = null_u64(atomic_load(&lut[1]), hit->lut0 & TSI721_LUT_DATA0_ADD) + off;
	hit->left = zone_size - off;
	return true;
}

static bool
window_find(const struct null_chip *chip, unsigned int bar, uint64_t off, struct hit *hit)
{
	uint64_t addr = bar_address(chip, bar) + off;
	uint32_t i;

	if (off >> chip->win_log2 != 0)
		return false;
	for (i = 0; i < TSI721_OBWIN_NUM; i++)
		if (zone_find(&chip->obwin[i], addr, hit))
			return true;
	return false;
}

/* ---- one request ---- */

/* A processor's aligned load or store is one access at the target too. */
static void
store_at(uint8_t *to, const uint8_t *from, size_t len)
{
	uint64_t v8;
	uint32_t v4;

	null_wmb();
	if (len == 8 && (uintptr_t)to % 8 == 0) {
		memcpy(&v8, from, 8);
		__atomic_store_n((uint64_t *)(void *)to, v8, __ATOMIC_RELEASE);
	} else if (len == 4 && (uintptr_t)to % 4 == 0) {
		memcpy(&v4, from, 4);
		__atomic_store_n((uint32_t *)(void *)to, v4, __ATOMIC_RELEASE);
	} else {
		memmove(to, from, len);
	}
}

static void
load_from(uint8_t *to, const uint8_t *from, size_t len)
{
	uint64_t v8;
	uint32_t v4;

	if (len == 8 && (uintptr_t)from % 8 == 0) {
		v8 = __atomic_load_n((const uint64_t *)(const void *)from, __ATOMIC_ACQUIRE);
		memcpy(to, &v8, 8);
	} else if (len == 4 && (uintptr_t)from % 4 == 0) {
		v4 = __atomic_load_n((const uint32_t *)(const void *)from, __ATOMIC_ACQUIRE);
		memcpy(to, &v4, 4);
	} else {
		memmove(to, from, len);
	}
}

struct target {
	uint32_t destid, tt;
};

static bool
target_of(const struct hit *hit, struct target *t)
{
	t->destid = hit->lut2 & TSI721_LUT_DATA2_DSTID;
	t->tt = (hit->lut2 & TSI721_LUT_DATA2_TT) >> LUT_TT_SHIFT;
	if (t->tt == TSI721_TT_8)
		t->destid &= 0xff;
	return t->tt <= TSI721_TT_16;
}

static enum null_req
request_of(const struct hit *hit, bool write)
{
	if (!write)
		return NULL_REQ_NREAD;
	return (hit->lut0 & TSI721_LUT_DATA0_WRTYPE) == TSI721_LUT_DATA0_NWR ? NULL_REQ_NWRITE :
	       NULL_REQ_NWRITE_R;
}

/* NREAD, or a write: what of [buf, buf + len) lies in one piece at the target. 0: it fails. */
static size_t
memory_piece(struct null_device *dev, const struct hit *hit, void *rd, const void *wr, size_t len)
{
	uint32_t hi2 = (hit->lut2 & TSI721_LUT_DATA2_ADD65) >> LUT_ADD65_SHIFT;
	struct null_engine *eng = &dev->obwin;
	enum null_resp resp;
	struct null_route *rt;
	struct null_fate fate = { .resp = NULL_RESP_DONE };
	struct target t;
	uint32_t struck = null_guard_count();
	uint64_t n = len;
	uint8_t *at, data[8];
	bool fault;

	if (!target_of(hit, &t))
		return 0;
	rt = null_route_get(dev, eng, t.destid, t.tt, &resp);
	if (rt == NULL)
		return 0;
	if (null_unlikely(rt->faults != 0)) {
		if (n > sizeof(data))
			n = sizeof(data);
		null_link_fate(dev->fab, dev->ep, t.destid, t.tt, request_of(hit, wr != NULL), 1,
			       &fate);
		if (!fate.deliver || (rd != NULL && fate.resp != NULL_RESP_DONE))
			return fate.resp == NULL_RESP_DONE ? n : 0;
	}
	at = null_target_mem(dev, eng, rt, hit->rio, hi2, &n, &fault);
	if (at == NULL) {
		null_stat_add(null_chip_at(dev->fab, rt->ep),
			      fault ? NULL_STAT_DMA_FAULTS : NULL_STAT_WINDOW_MISSES, 1);
		return 0;
	}
	if (null_unlikely(fate.corrupt)) {
		memcpy(data, wr, n);
		null_link_corrupt(data, n);
		wr = data;
	}
	if (wr != NULL)
		store_at(at, wr, n);
	else
		load_from(rd, at, n);
	if (null_guard_struck(struck) && null_guard_hit(at)) {
		null_stat_add(null_chip_at(dev->fab, rt->ep), NULL_STAT_DMA_FAULTS, 1);
		if (rd != NULL)
			memset(rd, 0xff, n);
		return 0;
	}
	return fate.resp == NULL_RESP_DONE ? n : 0;
}

/* Maintenance requests move one register, whose bytes are big-endian. */
static size_t
maint_piece(struct null_device *dev, const struct hit *hit, void *rd, const void *wr, size_t len)
{
	uint32_t off = (uint32_t)hit->rio & (RIO_MAINT_SPACE_SIZE - 1);
	uint32_t hop = (hit->lut2 & TSI721_LUT_DATA2_HC) >> LUT_HC_SHIFT;
	uint32_t val = 0;
	struct target t;

	if (len < 4 || off % 4 != 0 || !target_of(hit, &t))
		return 0;
	if (wr != NULL) {
		memcpy(&val, wr, 4);
		val = be32toh(val);
	}
	if (null_fabric_maint(dev->fab, dev->ep, t.destid, t.tt, hop, wr != NULL, off, &val) !=
	    NULL_RESP_DONE)
		return 0;
	val = htobe32(val);
	if (rd != NULL)
		memcpy(rd, &val, 4);
	return 4;
}

/* Bytes of the access that were done; 0: it fails. */
static size_t
piece(struct null_device *dev, unsigned int bar, uint64_t off, void *rd, const void *wr,
      size_t len)
{
	struct hit hit;

	if (!window_find(dev->chip, bar, off, &hit))
		return 0;
	if (len > hit.left)
		len = hit.left;
	if (rd != NULL) {
		switch (hit.lut0 & TSI721_LUT_DATA0_RDTYPE) {
		case TSI721_LUT_DATA0_NREAD:
			return memory_piece(dev, &hit, rd, NULL, len);
		case TSI721_LUT_DATA0_MNTRD:
			return maint_piece(dev, &hit, rd, NULL, len);
		default:
			return 0;
		}
	}
	switch (hit.lut0 & TSI721_LUT_DATA0_WRTYPE) {
	case TSI721_LUT_DATA0_NWR:
	case TSI721_LUT_DATA0_NWR_R:
		return memory_piece(dev, &hit, NULL, wr, len);
	case TSI721_LUT_DATA0_MNTWR:
		return maint_piece(dev, &hit, NULL, wr, len);
	default:
		return 0;
	}
}

/* ---- accesses ---- */

static bool
engine_enter(struct null_device *dev)
{
	bool stolen;

	if (!null_lock_wait(dev->fab, &dev->chip->obwin_lock, &stolen))
		return false;
	null_engine_check(dev, &dev->obwin);
	return true;
}

void
null_obwin_read(struct null_device *dev, unsigned int bar, uint64_t off, void *buf, size_t len)
{
	uint8_t *to = buf;
	size_t n = 1;

	memset(buf, 0xff, len);
	if (!engine_enter(dev))
		return;
	for (; len > 0 && n > 0; len -= n, off += n, to += n)
		n = piece(dev, bar, off, to, NULL, len);
	null_lock_release(dev->fab, &dev->chip->obwin_lock);
	if (n == 0)
		null_stat_add(dev->chip, NULL_STAT_OBWIN_ERRORS, 1);
}

void
null_obwin_write(struct null_device *dev, unsigned int bar, uint64_t off, const void *buf,
		 size_t len)
{
	const uint8_t *from = buf;
	size_t n = 1;

	if (!engine_enter(dev))
		return;
	for (; len > 0 && n > 0; len -= n, off += n, from += n)
		n = piece(dev, bar, off, NULL, from, len);
	null_lock_release(dev->fab, &dev->chip->obwin_lock);
	if (n == 0)
		null_stat_add(dev->chip, NULL_STAT_OBWIN_ERRORS, 1);
}

/* ---- registers ---- */

/* GO moves a zone's entry and is done when the write is: it never reads as 1. */
static void
zone_sel_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_chip *chip = dev->chip;
	uint32_t win = (val & TSI721_ZONE_SEL_WIN) >> TSI721_ZONE_SEL_WIN_SHIFT;
	_Atomic uint32_t *lut = chip->obwin[win].zone[val & TSI721_ZONE_SEL_ZONE].lut;
	bool to_data = (val & TSI721_ZONE_SEL_RD_WRB) != 0;

	(void)i;
	atomic_store(&chip->zone_sel, val & ~TSI721_ZONE_SEL_GO);
	if ((val & TSI721_ZONE_SEL_GO) == 0)
		return;
	for (i = 0; i < LUT_WORDS; i++)
		if (to_data)
			atomic_store(&chip->lut_data[i], atomic_load(&lut[i]));
		else
			atomic_store(&lut[i], atomic_load(&chip->lut_data[i]));
}

#define WINDOW(member, n, o) \
	.name = n, .off = (o), .count = TSI721_OBWIN_NUM, .stride = 0x20, .access = NULL_RW, \
	NULL_STATES(obwin, member)
#define ONE(member, n, o) \
	.name = n, .off = (o), .count = 1, .access = NULL_RW, NULL_STATE(member)

static const struct null_reg rows[] = {
	{ WINDOW(lb, "OBWIN_LB", TSI721_OBWIN_LB(0)),
	  .wmask = TSI721_OBWIN_LB_BA | TSI721_OBWIN_LB_WEN },
	{ WINDOW(ub, "OBWIN_UB", TSI721_OBWIN_UB(0)), .wmask = UINT32_MAX },
	{ WINDOW(sz, "OBWIN_SZ", TSI721_OBWIN_SZ(0)), .wmask = TSI721_OBWIN_SZ_SIZE },
	{ ONE(zone_sel, "ZONE_SEL", TSI721_ZONE_SEL),
	  .wmask = TSI721_ZONE_SEL_RD_WRB | TSI721_ZONE_SEL_GO | TSI721_ZONE_SEL_WIN |
		   TSI721_ZONE_SEL_ZONE,
	  .write = zone_sel_write },
	{ ONE(lut_data[0], "LUT_DATA0", TSI721_LUT_DATA0),
	  .wmask = TSI721_LUT_DATA0_ADD | TSI721_LUT_DATA0_RDTYPE | TSI721_LUT_DATA0_RDCRF |
		   TSI721_LUT_DATA0_WRCRF | TSI721_LUT_DATA0_WRTYPE },
	{ ONE(lut_data[1], "LUT_DATA1", TSI721_LUT_DATA1), .wmask = UINT32_MAX },
	{ ONE(lut_data[2], "LUT_DATA2", TSI721_LUT_DATA2),
	  .wmask = TSI721_LUT_DATA2_HC | TSI721_LUT_DATA2_ADD65 | TSI721_LUT_DATA2_TT |
		   TSI721_LUT_DATA2_DSTID },
};

const struct null_reg_block null_obwin_regs = { rows, sizeof(rows) / sizeof(rows[0]) };
