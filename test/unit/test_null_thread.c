/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* exec=thread: engines run beside the driver, as a chip's do. */

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "null_rig.h"

#define RING	0x0000u
#define FIFO	0x20000u
#define SRC	0x100000u
#define DST	0x200000u
#define WIN	0x100000u
#define RIO	0x10000000ull
#define NB	512u

static int
setup(void **state)
{
	*state = rig_open_exec(2, NULL_EXEC_THREAD);
	return 0;
}

static void
wait_idle(struct rig_bdma *b)
{
	uint64_t until = null_now_ns() + 20ull * 1000000000;

	while ((rig_bdma_reg(b, TSI721_DMAC_STS) & TSI721_DMAC_STS_RUN) != 0) {
		if (null_now_ns() > until)
			fail_msg("the channel still runs");
		sched_yield();
	}
}

static void
transfers(void **state)
{
	struct rig *rig = *state;
	struct rig_bdma b;
	unsigned int i, round;

	rig_ibwin(&rig->d[1], 0, RIO, WIN, DST);
	for (round = 0; round < 50; round++) {
		rig_bdma_open(&b, &rig->d[0], round % TSI721_DMAC_NUM, RING, FIFO, 8);
		for (i = 0; i < NB; i++)
			rig_desc_data(&b, TSI721_RTYPE_ALL_NWRITE_R, 1, RIO + i * 100, SRC + i * 100,
				      100);
		rig_fill(rig->d[0].mem + SRC, NB * 100, round);
		/* In several bursts, some while the thread runs, some when it sleeps. */
		for (i = 1; i <= 8; i++) {
			rig_bdma_set(&b, TSI721_DMAC_DWRCNT, i * NB / 8);
			if (i % 4 == 0)
				usleep(1000);
		}
		wait_idle(&b);
		assert_int_equal(rig_bdma_reg(&b, TSI721_DMAC_STS), 0);
		assert_int_equal(rig_bdma_reg(&b, TSI721_DMAC_DRDCNT), NB);
		assert_true(rig_is_filled(rig->d[1].mem + DST, NB * 100, round));
	}
	/* An error stops it there too. */
	rig_bdma_open(&b, &rig->d[0], 0, RING, FIFO, 0);
	rig_desc_data(&b, TSI721_RTYPE_NREAD, 99, RIO, SRC, 8);
	rig_bdma_go(&b);
	wait_idle(&b);
	assert_true((rig_bdma_reg(&b, TSI721_DMAC_STS) & TSI721_DMAC_STS_ABORT) != 0);
}

/* Doorbells to a queue that is read slowly: none is lost, order is kept. */
static void
doorbells(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t rp = 0, wp, n = 0, entries = TSI721_IDQ_ENTRIES_MIN;
	uint64_t until = null_now_ns() + 60ull * 1000000000;

	rig_wr(b, TSI721_IDQ_SIZE(0), 5);
	rig_wr(b, TSI721_IDQ_BASEU(0), (uint32_t)(b->iova >> 32));
	rig_wr(b, TSI721_IDQ_BASEL(0), (uint32_t)b->iova);
	rig_wr(b, TSI721_IDQ_MASK(0), 0);
	rig_wr(b, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
	for (n = 0; n < 600; n++)
		null_device_odb_write(a->dev, TSI721_ODB_OFFSET(0, 1), (uint16_t)n);
	n = 0;
	while (n < 600) {
		if (null_now_ns() > until)
			fail_msg("%u doorbells came", n);
		wp = rig_rd(b, TSI721_IDQ_WP(0)) % entries;
		for (; rp != wp; rp = (rp + 1) % entries, n++) {
			const uint8_t *e = b->mem + rp * TSI721_IDQ_ENTRY_SIZE;

			assert_int_equal(e[0] << 8 | e[1], n);
		}
		rig_wr(b, TSI721_IDQ_RP(0), rp);
	}
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 600);
}

/* Closed with work to do: what is done is done, nothing hangs. */
static void
closed_while_running(void **state)
{
	struct rig *rig;
	struct rig_bdma b;
	unsigned int i, round;

	(void)state;
	for (round = 0; round < 20; round++) {
		rig = rig_open_exec(2, NULL_EXEC_THREAD);
		rig_ibwin(&rig->d[1], 0, RIO, WIN, DST);
		rig_bdma_open(&b, &rig->d[0], 0, RING, FIFO, 8);
		for (i = 0; i < NB; i++)
			rig_desc_data(&b, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 100000);
		rig_bdma_go(&b);
		usleep(round * 20);
		rig_close(rig);
	}
}

static void
stuck(void **state)
{
	struct rig *rig = *state;
	struct rig_bdma b;

	rig_ibwin(&rig->d[1], 0, RIO, WIN, DST);
	rig_bdma_open(&b, &rig->d[0], 0, RING, FIFO, 0);
	null_stuck_set(rig->d[0].dev->fab, rig->d[0].dev->ep, NULL_STUCK_BDMA(0));
	rig_desc_data(&b, TSI721_RTYPE_ALL_NWRITE, 1, RIO, SRC, 100);
	rig_bdma_go(&b);
	usleep(20000);
	assert_int_equal(rig_bdma_reg(&b, TSI721_DMAC_STS), TSI721_DMAC_STS_RUN);
	null_stuck_set(rig->d[0].dev->fab, rig->d[0].dev->ep, 0);
	wait_idle(&b);
	assert_int_equal(rig_bdma_reg(&b, TSI721_DMAC_DRDCNT), 1);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, rig_teardown)
	const struct CMUnitTest tests[] = {
		T(transfers), T(doorbells), T(stuck), cmocka_unit_test(closed_while_running),
	};

	return cmocka_run_group_tests_name("null_thread", tests, NULL, NULL);
}
