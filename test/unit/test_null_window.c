/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Inbound windows as block DMA meets them; outbound windows as a processor does. */

#include <endian.h>
#include <pthread.h>
#include <string.h>

#include "null_rig.h"

#define BAR2_ADDR	0x4000000000ull
#define BAR4_ADDR	0x5000000000ull
#define PAGE		0x1000u

/* ---- inbound ---- */

static bool
shows(struct rig_dev *d, uint64_t rio, uint64_t *iova)
{
	struct null_window win;

	if (!null_ibwin_find(d->dev->chip, rio, 0, &win))
		return false;
	assert_true(rio >= win.base && rio - win.base < win.size);
	*iova = win.iova + (rio - win.base);
	return true;
}

static void
inbound_bounds(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *b = &rig->d[1];
	uint64_t iova = 0, size;
	uint32_t w, code;

	assert_false(shows(b, 0, &iova));
	for (w = 0; w < TSI721_IBWIN_NUM; w++)
		for (code = 0; code <= 22; code++) {
			uint64_t rio = 0xa500000000000000ull;

			size = TSI721_IBWIN_SIZE_MIN << code;
			rig_ibwin(b, w, rio, size, 0);
			assert_false(shows(b, rio - 1, &iova));
			assert_true(shows(b, rio, &iova));
			assert_int_equal(iova, b->iova & ~(size - 1));
			assert_true(shows(b, rio + size - 1, &iova));
			assert_int_equal(iova, (b->iova & ~(size - 1)) + size - 1);
			assert_false(shows(b, rio + size, &iova));
			rig_ibwin_close(b, w);
			assert_false(shows(b, rio, &iova));
		}
}

static void
inbound_odd_registers(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *b = &rig->d[1];
	struct null_window win;
	uint64_t iova = 0;

	/* Not aligned to the size: low bits do not count. */
	rig_ibwin(b, 0, 0x123456000, 0x10000, 0x9000);
	assert_true(shows(b, 0x123450000, &iova));
	assert_int_equal(iova, b->iova);
	/* The two highest address bits are beyond every window. */
	assert_true(null_ibwin_find(b->dev->chip, 0x123450000, 0, &win));
	assert_false(null_ibwin_find(b->dev->chip, 0x123450000, 1, &win));
	assert_false(null_ibwin_find(b->dev->chip, 0x123450000, 3, &win));
	/* Sizes beyond 16 GiB are none. */
	rig_wr(b, TSI721_IBWIN_SZ(0), 23u << TSI721_IBWIN_SZ_SIZE_SHIFT);
	assert_false(shows(b, 0x123450000, &iova));
	rig_wr(b, TSI721_IBWIN_SZ(0), 0xffffffff);
	assert_int_equal(rig_rd(b, TSI721_IBWIN_SZ(0)), TSI721_IBWIN_SZ_SIZE);
	assert_false(shows(b, 0x123450000, &iova));
	/* Two windows show an address: the lower numbered does. */
	rig_ibwin(b, 3, 0x40000, 0x10000, 0x30000);
	rig_ibwin(b, 5, 0x40000, 0x1000, 0x50000);
	assert_true(shows(b, 0x40000, &iova));
	assert_int_equal(iova, b->iova + 0x30000);
	rig_ibwin_close(b, 3);
	assert_true(shows(b, 0x40000, &iova));
	assert_int_equal(iova, b->iova + 0x50000);
	assert_false(shows(b, 0x41000, &iova));
}

/* What a window showed stays where it was when it is moved, closed, or its translation changes. */
static void
inbound_moves(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct rig_bdma dma;
	uint32_t i;

	rig_bdma_open(&dma, a, 0, 0x100000, 0x110000, 2);
	rig_fill(a->mem, 256, 1);
	rig_ibwin(b, 0, 0x10000, PAGE, 0x4000);
	for (i = 0; i < 2; i++)
		rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE_R, b->destid, 0x10000, 0, 256);
	rig_bdma_go(&dma);
	assert_true(rig_is_filled(b->mem + 0x4000, 256, 1));
	rig_wr(b, TSI721_IBWIN_TLA(0), (uint32_t)b->iova + 0x8000);
	rig_fill(a->mem, 256, 2);
	rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE_R, b->destid, 0x10000, 0, 256);
	rig_bdma_go(&dma);
	assert_true(rig_is_filled(b->mem + 0x4000, 256, 1));
	assert_true(rig_is_filled(b->mem + 0x8000, 256, 2));
	rig_ibwin_close(b, 0);
	rig_fill(a->mem, 256, 3);
	rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE_R, b->destid, 0x10000, 0, 256);
	rig_bdma_go(&dma);
	assert_int_equal((rig_bdma_reg(&dma, TSI721_DMAC_STS) & TSI721_DMAC_STS_CS) >> 16,
			 NULL_ABORT_ERROR);
	assert_true(rig_is_filled(b->mem + 0x8000, 256, 2));
	assert_int_equal(rig_stat(b, NULL_STAT_WINDOW_MISSES), 1);
}

/* Read by others while it changes: what was one window is found whole, or not at all. */
struct mover {
	struct rig_dev *d;
	_Atomic bool stop;
};

static void *
move_window(void *arg)
{
	struct mover *m = arg;
	uint32_t i;

	for (i = 0; !atomic_load(&m->stop); i++) {
		/* Base and translation always have the same page number. */
		uint32_t page = i % 7 * 0x10000 + 0x10000;

		rig_wr(m->d, TSI721_IBWIN_LB(0), 0);
		rig_wr(m->d, TSI721_IBWIN_TUA(0), page);
		rig_wr(m->d, TSI721_IBWIN_TLA(0), page);
		rig_wr(m->d, TSI721_IBWIN_UB(0), page);
		rig_wr(m->d, TSI721_IBWIN_LB(0), page | TSI721_IBWIN_LB_WEN);
	}
	return NULL;
}

static void
inbound_read_while_changed(void **state)
{
	struct rig *rig = *state;
	struct mover m = { .d = &rig->d[1] };
	struct null_window win;
	uint32_t found = 0, i = 0;
	pthread_t t;

	assert_int_equal(pthread_create(&t, NULL, move_window, &m), 0);
	while (found < 2000) {
		uint64_t page = i++ % 7 * 0x10000 + 0x10000;

		if (!null_ibwin_find(m.d->dev->chip, page << 32 | page, 0, &win))
			continue;
		found++;
		assert_int_equal(win.iova, win.base);
		assert_int_equal(win.base, page << 32 | page);
	}
	atomic_store(&m.stop, true);
	pthread_join(t, NULL);
	/* Caught in the middle of a write. */
	rig_ibwin(m.d, 0, 0x10000, PAGE, 0);
	assert_true(null_ibwin_find(m.d->dev->chip, 0x10000, 0, &win));
	atomic_fetch_add(&m.d->dev->chip->ibwin[0].seq, 1);
	assert_false(null_ibwin_find(m.d->dev->chip, 0x10000, 0, &win));
	atomic_fetch_add(&m.d->dev->chip->ibwin[0].seq, 1);
	assert_true(null_ibwin_find(m.d->dev->chip, 0x10000, 0, &win));
}

/* ---- outbound ---- */

static void
lut(struct rig_dev *d, uint32_t win, uint32_t zone, uint64_t rio, uint32_t types, uint32_t data2)
{
	rig_wr(d, TSI721_LUT_DATA0, ((uint32_t)rio & TSI721_LUT_DATA0_ADD) | types);
	rig_wr(d, TSI721_LUT_DATA1, (uint32_t)(rio >> 32));
	rig_wr(d, TSI721_LUT_DATA2, data2);
	rig_wr(d, TSI721_ZONE_SEL, TSI721_ZONE_SEL_GO | win << TSI721_ZONE_SEL_WIN_SHIFT | zone);
	assert_int_equal(rig_rd(d, TSI721_ZONE_SEL) & TSI721_ZONE_SEL_GO, 0);
}

static void
bars_set(struct rig_dev *d)
{
	rig_cfg_wr(d, NULL_CFG_BAR(2), (uint32_t)BAR2_ADDR);
	rig_cfg_wr(d, NULL_CFG_BAR(3), (uint32_t)(BAR2_ADDR >> 32));
	rig_cfg_wr(d, NULL_CFG_BAR(4), (uint32_t)BAR4_ADDR);
	rig_cfg_wr(d, NULL_CFG_BAR(5), (uint32_t)(BAR4_ADDR >> 32));
}

static void
window_set(struct rig_dev *d, uint32_t win, uint64_t addr, uint64_t size)
{
	uint32_t code = (uint32_t)__builtin_ctzll(size / TSI721_OBWIN_SIZE_MIN);

	rig_wr(d, TSI721_OBWIN_SZ(win), code << TSI721_OBWIN_SZ_SIZE_SHIFT);
	rig_wr(d, TSI721_OBWIN_UB(win), (uint32_t)(addr >> 32));
	rig_wr(d, TSI721_OBWIN_LB(win), (uint32_t)addr | TSI721_OBWIN_LB_WEN);
}

static void
outbound_memory(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint8_t buf[4096], pat[4096];
	uint32_t zone, win, len;

	bars_set(a);
	rig_ibwin(b, 0, 0x100000, 0x100000, 0x100000);
	/* Window 2 in BAR2, window 6 in BAR4; each zone is a page somewhere else. */
	for (win = 2; win <= 6; win += 4) {
		for (zone = 0; zone < 8; zone++)
			lut(a, win, zone, 0x100000 + win * 0x10000 + (7 - zone) * PAGE,
			    TSI721_LUT_DATA0_NREAD |
			    (zone % 2 ? TSI721_LUT_DATA0_NWR : TSI721_LUT_DATA0_NWR_R), b->destid);
		window_set(a, win, (win == 2 ? BAR2_ADDR : BAR4_ADDR) + 0x8000, 0x8000);
		for (zone = 0; zone < 8; zone++) {
			unsigned int bar = win == 2 ? TSI721_BAR_WIN0 : TSI721_BAR_WIN1;
			uint8_t *at = b->mem + 0x100000 + win * 0x10000 + (7 - zone) * PAGE;

			for (len = 1; len <= 8; len *= 2) {
				rig_fill(pat, len, zone * 16 + len);
				null_device_bar_write(a->dev, bar, 0x8000 + zone * PAGE + 64 * len,
						      pat, len);
				assert_memory_equal(at + 64 * len, pat, len);
				assert_true(rig_is_zero(at + 64 * len + len, 8));
				null_device_bar_read(a->dev, bar, 0x8000 + zone * PAGE + 64 * len,
						     buf, len);
				assert_memory_equal(buf, pat, len);
			}
		}
	}
	/* Any length, over zones' ends; 32-bit accesses are little-endian bytes. */
	rig_fill(pat, sizeof(pat), 5);
	null_device_bar_write(a->dev, TSI721_BAR_WIN0, 0x8000 + PAGE / 2 + 3, pat, PAGE);
	assert_memory_equal(b->mem + 0x120000 + 7 * PAGE + PAGE / 2 + 3, pat, PAGE / 2 - 3);
	assert_memory_equal(b->mem + 0x120000 + 6 * PAGE, pat + PAGE / 2 - 3, PAGE / 2 + 3);
	null_device_bar_read(a->dev, TSI721_BAR_WIN0, 0x8000 + PAGE / 2 + 3, buf, PAGE);
	assert_memory_equal(buf, pat, PAGE);
	null_device_write32(a->dev, TSI721_BAR_WIN0, 0x8000, 0x01020304);
	assert_int_equal(b->mem[0x120000 + 7 * PAGE], 4);
	assert_int_equal(null_device_read32(a->dev, TSI721_BAR_WIN0, 0x8000), 0x01020304);
	assert_int_equal(rig_stat(a, NULL_STAT_OBWIN_ERRORS), 0);
}

static void
assert_fails(struct rig_dev *d, unsigned int bar, uint64_t off, unsigned int reads,
	     unsigned int writes)
{
	uint64_t before = rig_stat(d, NULL_STAT_OBWIN_ERRORS);
	uint64_t v = 0x1111111111111111ull;

	null_device_bar_write(d->dev, bar, off, &v, 8);
	assert_int_equal(rig_stat(d, NULL_STAT_OBWIN_ERRORS), before + writes);
	null_device_bar_read(d->dev, bar, off, &v, 8);
	assert_int_equal(rig_stat(d, NULL_STAT_OBWIN_ERRORS), before + writes + reads);
	if (reads != 0)
		assert_int_equal(v, UINT64_MAX);
}

static void
outbound_misses(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	const uint32_t rw = TSI721_LUT_DATA0_NREAD | TSI721_LUT_DATA0_NWR;
	uint64_t v;

	bars_set(a);
	rig_ibwin(b, 0, 0x100000, 0x1000, 0x100000);
	assert_fails(a, 2, 0, 1, 1);		/* no window at all */
	window_set(a, 0, BAR2_ADDR, 0x8000);
	assert_fails(a, 2, 0, 1, 1);		/* a zone that was never set */
	lut(a, 0, 0, 0x100000, rw, b->destid);
	assert_fails(a, 2, 0, 0, 0);
	assert_fails(a, 2, 0x8000, 1, 1);	/* behind the window */
	assert_fails(a, 4, 0, 1, 1);		/* that BAR is elsewhere */
	assert_fails(a, 2, NULL_WIN_SIZE_DEFAULT, 1, 1);	/* behind the BAR */
	assert_fails(a, 2, UINT64_MAX - 3, 1, 1);
	/* So far behind it that it would be the other BAR. */
	window_set(a, 1, BAR4_ADDR, 0x8000);
	lut(a, 1, 0, 0x100000, rw, b->destid);
	assert_fails(a, 4, 0, 0, 0);
	assert_fails(a, 2, BAR4_ADDR - BAR2_ADDR, 1, 1);
	window_set(a, 1, BAR4_ADDR + 0x8000, 0x8000);
	lut(a, 0, 0, 0x200000, rw, b->destid);
	assert_fails(a, 2, 0, 1, 1);		/* no inbound window there */
	assert_int_equal(rig_stat(b, NULL_STAT_WINDOW_MISSES), 2);
	lut(a, 0, 0, 0x100000, rw, b->destid | 2 << 18);
	assert_fails(a, 2, 0, 1, 1);		/* address bits 65:64 */
	lut(a, 0, 0, 0x100000, rw, 77);
	assert_fails(a, 2, 0, 1, 1);		/* nobody there */
	lut(a, 0, 0, 0x100000, rw, b->destid | 2 << 16);
	assert_fails(a, 2, 0, 1, 1);		/* tt */
	lut(a, 0, 0, 0x100000, TSI721_LUT_DATA0_NREAD, b->destid);
	assert_fails(a, 2, 0, 0, 1);		/* reads only */
	lut(a, 0, 0, 0x100000, TSI721_LUT_DATA0_NWR, b->destid);
	assert_fails(a, 2, 0, 1, 0);		/* writes only */
	lut(a, 0, 0, 0x100000, 0x300 | 0x3, b->destid);
	assert_fails(a, 2, 0, 1, 1);		/* reserved codes */
	rig_wr(a, TSI721_OBWIN_LB(0), 0);
	assert_fails(a, 2, 0, 1, 1);
	/* Half of it is there: what is not reads as ones and changes nothing. */
	window_set(a, 0, BAR2_ADDR, 0x8000);
	lut(a, 0, 0, 0x100000, rw, b->destid);
	v = 0x1111111111111111ull;
	null_device_bar_write(a->dev, 2, 0xffc, &v, 8);
	null_device_bar_read(a->dev, 2, 0xffc, &v, 8);
	assert_int_equal(v, 0xffffffff11111111ull);
	assert_int_equal(*(uint32_t *)(void *)(b->mem + 0x100ffc), 0x11111111);
	assert_true(rig_is_zero(b->mem + 0x101000, 0x1000));
}

static void
outbound_zone_registers(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];
	uint32_t win, zone;

	for (win = 0; win < 8; win++)
		for (zone = 0; zone < 8; zone++)
			lut(a, win, zone, (uint64_t)win << 40 | zone << 12, 0x135,
			    win << 24 | zone);
	/* Without GO nothing moves. */
	rig_wr(a, TSI721_LUT_DATA0, 0);
	rig_wr(a, TSI721_ZONE_SEL, TSI721_ZONE_SEL_RD_WRB | 3 << 3 | 5);
	assert_int_equal(rig_rd(a, TSI721_LUT_DATA0), 0);
	for (win = 0; win < 8; win++)
		for (zone = 0; zone < 8; zone++) {
			rig_wr(a, TSI721_ZONE_SEL, TSI721_ZONE_SEL_GO | TSI721_ZONE_SEL_RD_WRB |
			       win << 3 | zone);
			assert_int_equal(rig_rd(a, TSI721_ZONE_SEL),
					 TSI721_ZONE_SEL_RD_WRB | win << 3 | zone);
			assert_int_equal(rig_rd(a, TSI721_LUT_DATA0), zone << 12 | 0x135);
			assert_int_equal(rig_rd(a, TSI721_LUT_DATA1), win << 8);
			assert_int_equal(rig_rd(a, TSI721_LUT_DATA2), win << 24 | zone);
		}
}

static void
outbound_maintenance(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t v = 0, tag = htobe32(0xcafe0001);
	uint64_t v8;

	bars_set(a);
	window_set(a, 0, BAR2_ADDR, 0x8000);
	lut(a, 0, 0, 0, TSI721_LUT_DATA0_MNTRD | TSI721_LUT_DATA0_MNTWR,
	    RIO_HOP_ENDPOINT << 24 | b->destid);
	lut(a, 0, 1, 0, TSI721_LUT_DATA0_MNTRD, 0u << 24 | b->destid);
	null_device_bar_read(a->dev, 2, RIO_DEV_ID_CAR, &v, 4);
	assert_int_equal(be32toh(v), 0x80ab0038);
	null_device_bar_read(a->dev, 2, PAGE + RIO_DEV_ID_CAR, &v, 4);
	assert_int_equal(be32toh(v), 0x03740038);	/* the switch, at hop 0 */
	null_device_bar_write(a->dev, 2, RIO_COMPONENT_TAG_CSR, &tag, 4);
	assert_int_equal(rig_rd(b, RIO_COMPONENT_TAG_CSR), 0xcafe0001);
	/* Two registers in one access are two requests. */
	null_device_bar_read(a->dev, 2, RIO_DEV_ID_CAR, &v8, 8);
	assert_int_equal(be32toh((uint32_t)v8), 0x80ab0038);
	assert_int_equal(rig_stat(a, NULL_STAT_OBWIN_ERRORS), 0);
	/* Anything but whole registers fails. */
	null_device_bar_read(a->dev, 2, RIO_DEV_ID_CAR, &v, 2);
	assert_int_equal(v & 0xffff, 0xffff);
	null_device_bar_read(a->dev, 2, RIO_DEV_ID_CAR + 2, &v, 4);
	assert_int_equal(v, 0xffffffff);
	assert_int_equal(rig_stat(a, NULL_STAT_OBWIN_ERRORS), 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(inbound_bounds, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(inbound_odd_registers, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(inbound_moves, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(inbound_read_while_changed, rig_setup2,
						rig_teardown),
		cmocka_unit_test_setup_teardown(outbound_memory, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(outbound_misses, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(outbound_zone_registers, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(outbound_maintenance, rig_setup2, rig_teardown),
	};

	return cmocka_run_group_tests_name("null_window", tests, NULL, NULL);
}
