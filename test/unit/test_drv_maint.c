/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <string.h>

#include "drv_rig.h"
#include "tsi721_bdma.h"
#include "tsi721_maint.h"
#include "tsi721_window.h"

static struct rig_dev *a, *b;

static int
setup(void **state)
{
	struct rig *rig;

	if (rig_setup2(state) != 0)
		return -1;
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	return 0;
}

static void
local(void **state)
{
	uint32_t val;

	(void)state;
	assert_int_equal(tsi721_lcread(a->dev, RIO_DEV_ID_CAR, &val), 0);
	assert_int_equal(val, 0x80ab0038u);
	assert_int_equal(tsi721_lcwrite(a->dev, RIO_COMPONENT_TAG_CSR, 0x12345678), 0);
	assert_int_equal(tsi721_lcread(a->dev, RIO_COMPONENT_TAG_CSR, &val), 0);
	assert_int_equal(val, 0x12345678);
	assert_int_equal(tsi721_lcread(a->dev, 2, &val), -EINVAL);
	assert_int_equal(tsi721_lcread(a->dev, TSI721_BAR0_SIZE, &val), -EINVAL);
	assert_int_equal(tsi721_lcread(a->dev, UINT32_MAX, &val), -EINVAL);
	assert_int_equal(tsi721_lcwrite(a->dev, 1, 0), -EINVAL);
	assert_int_equal(tsi721_lcwrite(a->dev, TSI721_BAR0_SIZE, 0), -EINVAL);
}

static void
remote(void **state)
{
	uint32_t val, i;

	(void)state;
	for (i = 0; i < 300; i++) {
		assert_int_equal(tsi721_maint_write(a->dev, b->destid, RIO_HOP_ENDPOINT,
						    RIO_COMPONENT_TAG_CSR, i * 0x01020304), 0);
		assert_int_equal(tsi721_lcread(b->dev, RIO_COMPONENT_TAG_CSR, &val), 0);
		assert_int_equal(val, i * 0x01020304);
		val = 0;
		assert_int_equal(tsi721_maint_read(a->dev, b->destid, RIO_HOP_ENDPOINT,
						   RIO_COMPONENT_TAG_CSR, &val), 0);
		assert_int_equal(val, i * 0x01020304);
	}
	/* The switch between them answers at hop 0, and is a switch. */
	assert_int_equal(tsi721_maint_read(a->dev, b->destid, 0, RIO_PEF_CAR, &val), 0);
	assert_true(val & RIO_PEF_SWITCH);
	/* And the way back to oneself. */
	assert_int_equal(tsi721_maint_read(a->dev, a->destid, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR,
					   &val), 0);
	assert_int_equal(val, 0x80ab0038u);
}

static void
remote_errors(void **state)
{
	uint32_t val = 7, i;
	int ret;

	(void)state;
	for (i = 0; i < 100; i++) {
		ret = tsi721_maint_read(a->dev, 0x77, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR, &val);
		assert_true(ret == -EIO || ret == -ETIMEDOUT);
		assert_int_equal(val, 7);
		/* It works again at once. */
		assert_int_equal(tsi721_maint_read(a->dev, b->destid, RIO_HOP_ENDPOINT,
						   RIO_DEV_ID_CAR, &val), 0);
		assert_int_equal(val, 0x80ab0038u);
		val = 7;
	}
	assert_int_equal(tsi721_maint_read(a->dev, b->destid, 0, 2, &val), -EINVAL);
	assert_int_equal(tsi721_maint_read(a->dev, b->destid, 0, RIO_MAINT_SPACE_SIZE, &val),
			 -EINVAL);
	assert_int_equal(tsi721_maint_write(a->dev, 0x100, 0, 0, 0), -EINVAL);
}

static void
link_state(void **state)
{
	struct tsi721_link link;

	(void)state;
	tsi721_link_get(a->dev, &link);
	assert_true(link.up);
	assert_int_equal(link.lanes, 4);
	assert_int_equal(link.mbaud, 5000);

	rig_hold(a);
	rig_give(TSI721_SP_BASE + RIO_PORT_N_ERR_STS_CSR(0), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	tsi721_link_get(a->dev, &link);
	assert_false(link.up);
	assert_int_equal(link.lanes, 0);
	rig_give(TSI721_SP_BASE + RIO_PORT_N_ERR_STS_CSR(0), RIO_PORT_N_ERR_STS_PORT_OK);
	rig_give(TSI721_SP_BASE + RIO_PORT_N_CTL2_CSR(0), 5u << 28);
	rig_give(TSI721_SP_BASE + RIO_PORT_N_CTL_CSR(0), 3u << 27);
	tsi721_link_get(a->dev, &link);
	assert_true(link.up);
	assert_int_equal(link.lanes, 2);
	assert_int_equal(link.mbaud, 6250);
	/* A speed that nobody knows. */
	rig_give(TSI721_SP_BASE + RIO_PORT_N_CTL2_CSR(0), 15u << 28);
	tsi721_link_get(a->dev, &link);
	assert_true(link.up);
	assert_int_equal(link.mbaud, 0);
	rig_let(a);
}

/* What a DMA write of 16 bytes from a to a RapidIO address at b ends with. */
static int
try_write(uint64_t raddr)
{
	struct tsi721_bdma_req req = { .raddr = raddr, .destid = b->destid,
				       .rtype = TSI721_RTYPE_ALL_NWRITE_R };
	struct tsi721_bdma_seg seg = { a->iova, 16 };
	struct tsi721_bdma *q;
	void *cookie;
	int status = 1;
	unsigned int tries = 0;

	assert_int_equal(tsi721_bdma_open(a->dev, 0, 32, SOCKET_ID_ANY, &q), 0);
	assert_int_equal(tsi721_bdma_post(q, &req, &seg, 1, NULL), 0);
	tsi721_bdma_kick(q);
	while (tsi721_bdma_reap(q, &cookie, &status, 1) == 0)
		assert_true(tries++ < 100000);
	tsi721_bdma_close(q, NULL, NULL);
	return status;
}

static void
windows(void **state)
{
	int win[8], i;

	(void)state;
	rig_fill(a->mem, 16, 3);
	for (i = 0; i < 8; i++) {
		win[i] = tsi721_ibwin_open(b->dev, 0x500000000ull + (uint64_t)i * 0x10000,
					   b->iova + (uint64_t)i * 0x10000, 0x1000);
		assert_int_equal(win[i], i);
	}
	assert_int_equal(tsi721_ibwin_open(b->dev, 0x600000000ull, b->iova, 0x1000), -ENOSPC);
	for (i = 0; i < 8; i++) {
		uint64_t at = 0x500000000ull + (uint64_t)i * 0x10000;

		assert_int_equal(try_write(at + 0x1000 - 16), 0);
		assert_memory_equal(b->mem + i * 0x10000 + 0x1000 - 16, a->mem, 16);
		assert_int_equal(try_write(at + 0x1000 - 15), -EIO);
		assert_int_equal(try_write(at - 1), -EIO);
	}
	assert_int_equal(tsi721_ibwin_close(b->dev, 3), 0);
	assert_int_equal(tsi721_ibwin_close(b->dev, 3), -EINVAL);
	assert_int_equal(tsi721_ibwin_close(b->dev, 8), -EINVAL);
	assert_int_equal(try_write(0x500030000ull), -EIO);
	/* A free one is used again; overlaps of those open are refused. */
	assert_int_equal(tsi721_ibwin_open(b->dev, 0x500000000ull, b->iova + 0x1000, 0x1000),
			 -EEXIST);
	assert_int_equal(tsi721_ibwin_open(b->dev, 0x500000000ull, b->iova, 0x100000), -EEXIST);
	assert_int_equal(tsi721_ibwin_open(b->dev, 0x600000000ull, b->iova, 0x100000), 3);
	assert_int_equal(try_write(0x600000000ull + 0x100000 - 16), 0);
	assert_memory_equal(b->mem + 0x100000 - 16, a->mem, 16);
	for (i = 0; i < 8; i++)
		assert_int_equal(tsi721_ibwin_close(b->dev, (unsigned int)i), 0);
	assert_false(tsi721_device_in_use(b->dev));
}

/* Opened twice with the same values, a window is closed by the second to go. */
static void
window_shared(void **state)
{
	(void)state;
	assert_int_equal(tsi721_ibwin_open(b->dev, 0x500000000ull, b->iova, 0x1000), 0);
	assert_int_equal(tsi721_ibwin_open(b->dev, 0x500000000ull, b->iova, 0x1000), 0);
	assert_int_equal(tsi721_ibwin_open(b->dev, 0x500000000ull, b->iova, 0x2000), -EEXIST);
	assert_int_equal(tsi721_ibwin_close(b->dev, 0), 0);
	assert_int_equal(try_write(0x500000000ull), 0);
	assert_int_equal(tsi721_ibwin_close(b->dev, 0), 0);
	assert_int_equal(try_write(0x500000000ull), -EIO);
	assert_int_equal(tsi721_ibwin_close(b->dev, 0), -EINVAL);
}

static void
window_errors(void **state)
{
	const struct {
		uint64_t raddr, iova, size;
	} bad[] = {
		{ 0, 0, 0 }, { 0, 0, 0x800 }, { 0, 0, 0x1001 }, { 0, 0, 0x3000 },
		{ 0x1000, 0, 0x2000 }, { 0, 0x1000, 0x2000 }, { 0x800, 0, 0x1000 },
		{ 0, 0, 0x800000000ull }, { 0, 0, UINT64_MAX }, { 0, 0, 1ull << 63 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < RTE_DIM(bad); i++) {
		rig_log_lines();
		assert_int_equal(tsi721_ibwin_open(b->dev, bad[i].raddr, bad[i].iova, bad[i].size),
				 -EINVAL);
		assert_int_equal(rig_log_lines(), 1);
	}
	assert_false(tsi721_device_in_use(b->dev));
	/* The largest: 16 GiB, of which the memory behind is only a part. */
	assert_int_equal(tsi721_ibwin_open(b->dev, 0x800000000ull, 0, TSI721_IBWIN_SIZE_MAX), 0);
	assert_int_equal(tsi721_read32(b->dev, TSI721_IBWIN_SZ(0)), 22u << 8);
	assert_int_equal(try_write(0x800000000ull), -EIO);
	assert_int_equal(tsi721_ibwin_close(b->dev, 0), 0);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, rig_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(local), TEST(remote), TEST(remote_errors), TEST(link_state), TEST(windows), TEST(window_shared),
		TEST(window_errors),
	};

	return cmocka_run_group_tests_name("drv_maint", tests, rig_eal, NULL);
}
