/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Outbound windows, through the public interface. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drv_rig.h"
#include "rte_pmd_tsi721.h"
#include "tsi721_obwin.h"
#include "tsi721_window.h"

#define RADDR	0x400000000ull
#define SIZE	0x8000u		/* the smallest; zones of 4 KiB */
#define ZONE	(SIZE / 8)
#define BAR_LEN	(128u << 20)

static struct rig_dev *a, *b, *c;

/* b and c show their memory at RADDR. */
static int
setup(void **state)
{
	struct rig *rig;

	if (rig_setup3(state) != 0)
		return -1;
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	c = &rig->d[2];
	assert_int_equal(tsi721_ibwin_open(b->dev, RADDR, b->iova, RIG_MEM_SIZE), 0);
	assert_int_equal(tsi721_ibwin_open(c->dev, RADDR, c->iova, RIG_MEM_SIZE), 0);
	rig_fill(a->mem, RIG_MEM_SIZE, 1);
	return 0;
}

static struct rte_pmd_tsi721_zone
zone(const struct rig_dev *d, uint64_t off)
{
	return (struct rte_pmd_tsi721_zone){
		.type = RTE_PMD_TSI721_ZONE_NWRITE_R, .destid = d->destid, .raddr = RADDR + off,
	};
}

static int
open1(const struct rig_dev *d, uint64_t off, uint64_t size)
{
	const struct rte_pmd_tsi721_zone z = zone(d, off);

	return rte_pmd_tsi721_outwin_open(a->id, size, &z, 1);
}

static void
write_and_read(void **state)
{
	static const size_t lens[] = { 1, 2, 3, 4, 5, 7, 8, 9, 63, 4096, 5000, 32760 };
	uint8_t back[SIZE];
	size_t i, off;

	(void)state;
	assert_int_equal(open1(b, 0x10000, SIZE), 0);
	for (i = 0; i < RTE_DIM(lens); i++)
		for (off = 0; off < 9 && off + lens[i] <= SIZE; off++) {
			memset(b->mem + 0x10000, 0, SIZE);
			assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 0, off, a->mem + i,
								     lens[i]), 0);
			assert_memory_equal(b->mem + 0x10000 + off, a->mem + i, lens[i]);
			assert_true(off == 0 || b->mem[0x10000 + off - 1] == 0);
			assert_true(off + lens[i] == SIZE || b->mem[0x10000 + off + lens[i]] == 0);
			assert_int_equal(rte_pmd_tsi721_outwin_read(a->id, 0, off, back, lens[i]),
					 0);
			assert_memory_equal(back, a->mem + i, lens[i]);
		}
	/* A null device's BARs are no memory. */
	assert_null(rte_pmd_tsi721_outwin_ptr(a->id, 0));
	assert_int_equal(rte_pmd_tsi721_outwin_close(a->id, 0), 0);
}

/* Eight zones, each elsewhere; one of them moves. */
static void
zones(void **state)
{
	struct rte_pmd_tsi721_zone z[8];
	uint32_t i, word;

	(void)state;
	for (i = 0; i < 8; i++)
		z[i] = zone(i % 2 == 0 ? b : c, (7 - i) * ZONE);
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 8), 0);
	for (i = 0; i < 8; i++) {
		word = 0x1000 + i;
		assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 0, i * ZONE + 12, &word, 4), 0);
		assert_memory_equal((i % 2 == 0 ? b : c)->mem + (7 - i) * ZONE + 12, &word, 4);
	}
	/* Over the border of two zones, to two devices. */
	assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 0, ZONE - 8, a->mem, 16), 0);
	assert_memory_equal(b->mem + 8 * ZONE - 8, a->mem, 8);
	assert_memory_equal(c->mem + 6 * ZONE, a->mem + 8, 8);

	z[0] = zone(c, 0x80000);
	assert_int_equal(rte_pmd_tsi721_outwin_zone(a->id, 0, 3, &z[0]), 0);
	assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 0, 3 * ZONE, a->mem, 100), 0);
	assert_memory_equal(c->mem + 0x80000, a->mem, 100);
	assert_int_equal(rte_pmd_tsi721_outwin_zone(a->id, 0, 8, &z[0]), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_zone(a->id, 1, 0, &z[0]), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_zone(a->id, 0, 0, NULL), -EINVAL);
	z[0].raddr += 8;
	assert_int_equal(rte_pmd_tsi721_outwin_zone(a->id, 0, 0, &z[0]), -EINVAL);
}

static void
maintenance(void **state)
{
	const struct rte_pmd_tsi721_zone z = {
		.type = RTE_PMD_TSI721_ZONE_MAINT, .destid = b->destid,
		.hop = RTE_PMD_TSI721_HOP_ENDPOINT,
	};
	uint32_t word = rte_cpu_to_be_32(0x12345678);

	(void)state;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, &z, 1), 0);
	assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 0, RIO_COMPONENT_TAG_CSR, &word, 4), 0);
	assert_int_equal(tsi721_read32(b->dev, RIO_COMPONENT_TAG_CSR), 0x12345678);
	assert_int_equal(rte_pmd_tsi721_outwin_read(a->id, 0, RIO_DEV_ID_CAR, &word, 4), 0);
	assert_int_equal(rte_be_to_cpu_32(word), 0x80ab0038);
}

/* What the registers hold: the chip's idea of a window. */
static void
registers(void **state)
{
	struct rte_pmd_tsi721_zone z = {
		.type = RTE_PMD_TSI721_ZONE_NWRITE, .destid = 0x42, .raddr_hi = 2,
		.raddr = 0xfedcba9876540000ull,
	};
	uint32_t lo, hi;

	(void)state;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, 0x10000, &z, 1), 0);
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, 0x10000, &z, 1), 1);
	a->dev->host->cfg_read(a->dev, 0x18, &lo, 4);
	a->dev->host->cfg_read(a->dev, 0x1c, &hi, 4);
	assert_int_equal(lo & 0xf, 4);
	assert_int_not_equal(hi, 0);
	assert_int_equal(tsi721_read32(a->dev, TSI721_OBWIN_UB(1)), hi);
	assert_int_equal(tsi721_read32(a->dev, TSI721_OBWIN_LB(1)), (lo & ~0xfu) + 0x10000 + 1);
	assert_int_equal(tsi721_read32(a->dev, TSI721_OBWIN_SZ(1)), 1 << 8);
	/* Zone 5 of window 1, out of the table. */
	tsi721_write32(a->dev, TSI721_ZONE_SEL, TSI721_ZONE_SEL_GO | TSI721_ZONE_SEL_RD_WRB |
		       1u << TSI721_ZONE_SEL_WIN_SHIFT | 5);
	assert_int_equal(tsi721_read32(a->dev, TSI721_LUT_DATA0), 0x7654a101);
	assert_int_equal(tsi721_read32(a->dev, TSI721_LUT_DATA1), 0xfedcba98);
	assert_int_equal(tsi721_read32(a->dev, TSI721_LUT_DATA2), 2u << 18 | 0x42);
}

static void
limits(void **state)
{
	int win[TSI721_OBWIN_NUM];
	unsigned int i;

	(void)state;
	/* Two fill both BARs; then none fits, and each closed makes room for smaller ones. */
	assert_int_equal(open1(b, 0, BAR_LEN), 0);
	assert_int_equal(open1(b, 0, BAR_LEN), 1);
	assert_int_equal(open1(b, 0, SIZE), -ENOSPC);
	assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 0, BAR_LEN / 8, a->mem, 1), 0);
	assert_int_equal(rte_pmd_tsi721_outwin_close(a->id, 0), 0);
	assert_int_equal(open1(b, 0, BAR_LEN * 2), -ENOSPC);
	for (i = 0; i < TSI721_OBWIN_NUM; i++)
		win[i] = i == 1 ? 1 : open1(b, (uint64_t)i * SIZE, SIZE);
	for (i = 0; i < TSI721_OBWIN_NUM; i++)
		assert_int_equal(win[i], i);
	assert_int_equal(open1(b, 0, SIZE), -ENOSPC);
	for (i = 0; i < TSI721_OBWIN_NUM; i++) {
		if (i == 1)
			continue;
		assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, i, SIZE - 4, a->mem + i * 4,
							     4), 0);
		assert_memory_equal(b->mem + (i + 1) * SIZE - 4, a->mem + i * 4, 4);
	}
	assert_true(tsi721_device_in_use(a->dev));
	for (i = 0; i < TSI721_OBWIN_NUM; i++)
		assert_int_equal(rte_pmd_tsi721_outwin_close(a->id, i), 0);
	assert_int_equal(rte_pmd_tsi721_outwin_close(a->id, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_close(a->id, 8), -EINVAL);
	assert_false(tsi721_device_in_use(a->dev));
}

static void
refused(void **state)
{
	const struct rte_pmd_tsi721_zone good = zone(b, 0);
	struct rte_pmd_tsi721_zone z[8];
	unsigned int i;

	(void)state;
	for (i = 0; i < 8; i++)
		z[i] = good;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, NULL, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 7), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE / 2, z, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE + 8, z, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, 0, z, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, 1ull << 63, z, 1), -EINVAL);
	rig_log_lines();
	z[7].destid = 0x100;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 8), -EINVAL);
	assert_int_equal(rig_log_lines(), 1);
	assert_non_null(strstr(rig_log_last(), "0x100"));
	z[7] = good;
	z[7].raddr_hi = 4;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 8), -EINVAL);
	z[7] = good;
	z[7].raddr = RADDR + 0x800;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 8), -EINVAL);
	z[7] = good;
	z[7].type = (enum rte_pmd_tsi721_zone_type)3;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 8), -EINVAL);
	z[7].type = RTE_PMD_TSI721_ZONE_MAINT;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 8), -EINVAL);
	/* The 66-bit address may not wrap. */
	z[0].raddr = 0ull - ZONE;
	z[0].raddr_hi = 3;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 1), -EINVAL);
	z[0].raddr_hi = 2;
	assert_int_equal(rte_pmd_tsi721_outwin_open(a->id, SIZE, z, 1), 0);
	assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 0, SIZE - 8, z, 9), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 0, UINT64_MAX, z, 2), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_read(a->id, 0, SIZE, z, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_read(a->id, 1, 0, z, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 8, 0, z, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_outwin_open(99, SIZE, &good, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_outwin_close(99, 0), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_outwin_zone(99, 0, 0, &good), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_outwin_write(99, 0, 0, z, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_outwin_read(99, 0, 0, z, 1), -ENODEV);
	assert_null(rte_pmd_tsi721_outwin_ptr(99, 0));
}

/* Where nothing answers, reads give ones and stores are lost. */
static void
nothing_there(void **state)
{
	uint64_t word = 0;

	(void)state;
	assert_int_equal(open1(b, 2 * RIG_MEM_SIZE, SIZE), 0);
	assert_int_equal(rte_pmd_tsi721_outwin_write(a->id, 0, 0, a->mem, 64), 0);
	assert_int_equal(rte_pmd_tsi721_outwin_read(a->id, 0, 8, &word, sizeof(word)), 0);
	assert_true(word == UINT64_MAX);
	assert_int_equal(rte_rawdev_close(a->id), 0);
	assert_false(tsi721_device_in_use(a->dev));
}

/* A chip that does not take zones: nothing is half open. */
static void
busy_chip(void **state)
{
	(void)state;
	rig_hold(a);
	rig_give(TSI721_ZONE_SEL, TSI721_ZONE_SEL_GO);
	assert_int_equal(open1(b, 0, SIZE), -ETIMEDOUT);
	assert_int_equal(rig_held_count(TSI721_OBWIN_LB(0)), 0);
	rig_let(a);
	assert_false(tsi721_device_in_use(a->dev));
}

/* BARs that are not there, or of another kind. */
static void
no_bars(void **state)
{
	uint64_t len = a->dev->bar_len[TSI721_BAR_WIN0];

	(void)state;
	assert_int_equal(len, BAR_LEN);
	a->dev->bar_len[TSI721_BAR_WIN0] = 0;
	assert_int_equal(open1(b, 0, SIZE), 0);
	assert_int_equal(a->dev->obwin[0].bar, TSI721_BAR_WIN1);
	a->dev->bar_len[TSI721_BAR_WIN1] = 0;
	assert_int_equal(open1(b, 0, SIZE), -ENODEV);
	a->dev->bar_len[TSI721_BAR_WIN0] = a->dev->bar_len[TSI721_BAR_WIN1] = len;
}

/* On a board a window is memory; the same copies. */
static void
mapped(void **state)
{
	static uint8_t bar[0x10000] __rte_aligned(8);
	struct tsi721_device board = {
		.bar = { [TSI721_BAR_WIN0] = bar },
		.obwin = { [2] = { .bar = TSI721_BAR_WIN0, .off = SIZE, .size = SIZE } },
	};
	uint8_t back[300];
	size_t off, len;

	(void)state;
	assert_ptr_equal(tsi721_obwin_ptr(&board, 2), bar + SIZE);
	assert_null(tsi721_obwin_ptr(&board, 1));
	for (off = 0; off < 16; off++)
		for (len = 0; len < sizeof(back); len += len < 40 ? 1 : 41) {
			memset(bar, 0, sizeof(bar));
			tsi721_obwin_write(&board, 2, off, a->mem + 5, len);
			assert_memory_equal(bar + SIZE + off, a->mem + 5, len);
			assert_int_equal(bar[SIZE + off + len], 0);
			assert_int_equal(bar[SIZE + off - 1], 0);
			tsi721_obwin_read(&board, 2, off, back, len);
			assert_memory_equal(back, a->mem + 5, len);
		}
}

#define T(f)	cmocka_unit_test_setup_teardown(f, setup, rig_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(write_and_read), T(zones), T(maintenance), T(registers), T(limits), T(refused),
		T(nothing_there), T(busy_chip), T(no_bars), T(mapped),
	};

	return cmocka_run_group_tests_name("drv_obwin", tests, rig_eal, NULL);
}
