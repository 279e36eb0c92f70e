/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Faults are never silent: what of each kind is counted that counts no request's fate. */

#include <time.h>

#include "null_rig_fabric.h"

#define TWO	"[fabric]\n[switches]\ns = 4 ports\nt = 4 ports\n[endpoints]\na = 1 host\nb = 2\n" \
		"[links]\na = s.0\ns.3 = t.3\nb = t.0\n"
#define LINK_ST	1u	/* between the switches */
#define FAR	2u
#define BELL_NS	(500ull * 1000 * 1000)	/* how long a doorbell is tried */

static struct null_fabric *
fab_of(struct rig *rig)
{
	return rig->d[0].dev->fab;
}

static void
set(struct rig *rig, const char *text)
{
	char err[NULL_ERR_LEN];
	struct null_fault f;

	assert_int_equal(null_fault_parse(text, &f, err, sizeof(err)), 0);
	null_link_fault_set(fab_of(rig), LINK_ST, &f);
}

static uint64_t
hits(struct rig *rig, enum null_fault_kind kind)
{
	return atomic_load(&fab_of(rig)->sh->links[LINK_ST].fault_hits[kind]);
}

static uint64_t
stuck_hits(struct rig *rig)
{
	return atomic_load(&fab_of(rig)->sh->place[0].stuck_hits);
}

static uint32_t
dma(struct rig *rig)
{
	return rig_dma_code(&rig->d[0], TSI721_RTYPE_NREAD, FAR);
}

/* A link that is down by a fault counts what it stops, for whichever fault it is. */
static void
down(void **state)
{
	struct rig *rig = rig_open_topo(TWO);
	struct rig_dev *a = &rig->d[0];

	(void)state;
	rig_ibwin(&rig->d[1], 0, 0x10000, 0x10000, 0x40000);
	rig_idb_open(&rig->d[1]);
	assert_int_equal(dma(rig), 0);
	set(rig, "down");
	/* The far switch's report of it. */
	assert_int_equal(hits(rig, NULL_FAULT_DOWN), 1);
	assert_int_equal(dma(rig), NULL_ABORT_TIMEOUT);
	assert_int_equal(hits(rig, NULL_FAULT_DOWN), 2);
	assert_false(rig_rings(a, &rig->d[1], FAR));
	assert_int_equal(hits(rig, NULL_FAULT_DOWN), 3);
	set(rig, "lanes 0,1,2,3");
	assert_int_equal(dma(rig), NULL_ABORT_TIMEOUT);
	assert_int_equal(hits(rig, NULL_FAULT_DOWN), 4);
	assert_int_equal(hits(rig, NULL_FAULT_LANES), 0);
	null_link_fault_set(fab_of(rig), LINK_ST, &(struct null_fault){ .kind = NULL_FAULT_DOWN });
	assert_int_equal(dma(rig), NULL_ABORT_TIMEOUT);
	assert_int_equal(hits(rig, NULL_FAULT_LANES), 1);
	/* Narrow, it stops nothing. */
	set(rig, "lanes 3");
	assert_int_equal(dma(rig), 0);
	assert_int_equal(hits(rig, NULL_FAULT_LANES), 0);
	rig_close(rig);
}

/* A link that is down for other reasons is no fault. */
static void
down_otherwise(void **state)
{
	struct rig *rig = rig_open_topo(TWO);

	(void)state;
	set(rig, "drop 1/1000");
	null_device_close(rig->d[1].dev);
	rig->nb = 1;
	assert_int_equal(dma(rig), NULL_ABORT_TIMEOUT);
	assert_int_equal(hits(rig, NULL_FAULT_DOWN) + hits(rig, NULL_FAULT_LANES), 0);
	rig_close(rig);
}

/* An engine that is stuck counts each time that it is to run and has work. */
static void
stuck(void **state)
{
	struct rig *rig = rig_open_topo(TWO);
	struct rig_dev *a = &rig->d[0];
	struct rig_bdma b;
	uint64_t before;

	(void)state;
	null_stuck_set(fab_of(rig), 0, NULL_STUCK_BDMA(2) | NULL_STUCK_OMSG(1));
	rig_bdma_open(&b, a, 2, 0x4000, 0x5000, 0);
	assert_int_equal(stuck_hits(rig), 0);
	rig_desc_data(&b, TSI721_RTYPE_ALL_NWRITE, FAR, 0x10000, 0x20000, 64);
	rig_bdma_go(&b);
	before = stuck_hits(rig);
	assert_true(before > 0);
	rig_rd(a, TSI721_DEV_INT);
	assert_int_equal(stuck_hits(rig), before + 1);
	before = stuck_hits(rig);
	rig_wr(a, TSI721_OBDMAC_DWRCNT(1), 1);
	assert_true(stuck_hits(rig) > before);
	null_stuck_set(fab_of(rig), 0, 0);
	assert_int_equal(stuck_hits(rig), 0);
	rig_close(rig);
}

static uint32_t
bell_cause(struct rig_dev *d)
{
	return rig_rd(d, TSI721_SR_CHINT(0)) & TSI721_SR_CHINT_ALL;
}

/* A doorbell behind a stuck engine waits, is given up, and is not delivered later. */
static void
stuck_doorbell(void **state)
{
	struct rig *rig = rig_open_topo(TWO);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	const struct timespec nap = { .tv_nsec = 5000000 };
	uint64_t begin, took;

	(void)state;
	rig_idb_open(b);
	null_stuck_set(fab_of(rig), 0, NULL_STUCK_ODB);
	begin = null_now_ns();
	assert_false(rig_rings(a, b, FAR));
	assert_int_equal(bell_cause(a), TSI721_SR_CHINT_ODBRTRY);
	assert_true(stuck_hits(rig) > 0);
	while ((bell_cause(a) & TSI721_SR_CHINT_ODBTO) == 0) {
		assert_true(null_now_ns() - begin < 60 * BELL_NS);
		nanosleep(&nap, NULL);
	}
	took = null_now_ns() - begin;
	assert_true(took >= BELL_NS);
	assert_int_equal(rig_stat(a, NULL_STAT_ODB_ERRORS), 1);
	assert_int_equal(bell_cause(a) & (TSI721_SR_CHINT_ODBOK | TSI721_SR_CHINT_ODBERR), 0);
	null_stuck_set(fab_of(rig), 0, 0);
	rig_rd(a, TSI721_DEV_INT);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 0);
	assert_true(rig_rings(a, b, FAR));
	rig_close(rig);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(down),
		cmocka_unit_test(down_otherwise),
		cmocka_unit_test(stuck),
		cmocka_unit_test(stuck_doorbell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
