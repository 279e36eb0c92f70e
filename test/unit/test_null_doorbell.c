/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Doorbells: queues, RETRY, what a dead sender leaves behind. */

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "null_rig.h"

#define QUEUE_OFF(q)	(0x10000u * (q))
#define ENTRIES		512u
#define SIZE_CODE	5u
#define DEAD_OWNER	200u	/* a process slot that nobody has */

static uint8_t *
entry(struct rig_dev *d, uint32_t q, uint32_t i)
{
	return d->mem + QUEUE_OFF(q) + i * TSI721_IDQ_ENTRY_SIZE;
}

static uint16_t
be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static void
queue_open(struct rig_dev *d, uint32_t q, uint16_t mask, uint16_t patt)
{
	uint64_t base = d->iova + QUEUE_OFF(q);

	rig_wr(d, TSI721_IDQ_SIZE(q), SIZE_CODE);
	rig_wr(d, TSI721_IDQ_BASEU(q), (uint32_t)(base >> 32));
	rig_wr(d, TSI721_IDQ_BASEL(q), (uint32_t)base);
	rig_wr(d, TSI721_IDQ_MASK(q), (uint32_t)mask << 16 | patt);
	rig_wr(d, TSI721_IDQ_CTL(q), TSI721_IDQ_CTL_INIT);
	rig_wr(d, TSI721_IDQ_RP(q), 0);
	rig_wr(d, TSI721_SR_CHINT(q), TSI721_SR_CHINT_ALL);
}

static void
ring(struct rig_dev *from, struct rig_dev *to, uint16_t info)
{
	null_device_odb_write(from->dev, TSI721_ODB_OFFSET(TSI721_TT_8, to->destid), info);
}

static uint32_t
wp(struct rig_dev *d, uint32_t q)
{
	return rig_rd(d, TSI721_IDQ_WP(q));
}

static uint32_t
causes(struct rig_dev *d, uint32_t q)
{
	uint32_t c = rig_rd(d, TSI721_SR_CHINT(q));

	rig_wr(d, TSI721_SR_CHINT(q), c);
	return c;
}

static void
assert_entry(struct rig_dev *d, uint32_t q, uint32_t i, struct rig_dev *from, uint16_t info)
{
	const uint8_t *e = entry(d, q, i);

	assert_int_equal(be16(e), info);
	assert_int_equal(be16(e + 2), from->destid);
	assert_int_equal(be16(e + 4), d->destid);
	assert_int_equal(e[7], 0);
}

/* ---- arrival ---- */

static void
one_arrives(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	const uint8_t bytes[2] = { 0x12, 0x34 };

	queue_open(b, 0, 0, 0);
	rig_msix_on(b);
	rig_wr(b, TSI721_SR_CHINTE(0), TSI721_SR_CHINT_IDBQRCV);
	null_device_bar_write(a->dev, TSI721_BAR_DOORBELL, TSI721_ODB_OFFSET(0, b->destid), bytes,
			      2);
	assert_entry(b, 0, 0, a, 0x1234);
	assert_true(rig_is_zero(entry(b, 0, 0) + 8, 56));
	assert_int_equal(wp(b, 0), 1);
	assert_int_equal(causes(b, 0), TSI721_SR_CHINT_IDBQRCV);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBOK);
	assert_int_equal(b->irqs, 1);
	assert_int_equal(b->irq[0].vector, TSI721_MSIX_SR2PC_IDBQ_RCV(0));
	assert_int_equal(rig_stat(a, NULL_STAT_ODB_SENT), 1);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 1);
	/* The cause was cleared: the next one interrupts again, a third does not. */
	ring(a, b, 1);
	ring(a, b, 2);
	assert_int_equal(b->irqs, 2);
}

static void
to_oneself(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];

	queue_open(a, 0, 0, 0);
	ring(a, a, 0xffff);
	assert_entry(a, 0, 0, a, 0xffff);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_IDBQRCV | TSI721_SR_CHINT_ODBOK);
}

static void
mask_and_pattern(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t q;

	for (q = 0; q < TSI721_IDQ_NUM; q++)
		queue_open(b, q, 0xf00f, (uint16_t)(0x5000 | q));
	for (q = 0; q < TSI721_IDQ_NUM; q++) {
		ring(a, b, (uint16_t)(0x5120 | q));
		assert_entry(b, q, 0, a, (uint16_t)(0x5120 | q));
		assert_int_equal(wp(b, q), 1);
	}
	/* Nobody's. */
	causes(a, 0);
	ring(a, b, 0x5128);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
	assert_int_equal(rig_stat(a, NULL_STAT_ODB_ERRORS), 1);
	/* Several would take it: the lowest does. Pattern bits without mask bits do not matter. */
	rig_wr(b, TSI721_IDQ_MASK(5), 0x0000ffff);
	rig_wr(b, TSI721_IDQ_MASK(3), 0x00000001);
	ring(a, b, 0x5128);
	assert_int_equal(wp(b, 3), 2);
	assert_int_equal(wp(b, 5), 1);
}

/* Each bit of the mask alone decides by the pattern's bit, whatever the others are. */
static void
mask_bits(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t bit, patt;

	for (bit = 0; bit < 16; bit++)
		for (patt = 0; patt < 2; patt++) {
			uint16_t mask = (uint16_t)(1u << bit), want = patt != 0 ? mask : 0;

			queue_open(b, 3, mask, want);
			causes(a, 0);
			ring(a, b, (uint16_t)(0xffff ^ mask ^ want));
			assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBOK);
			assert_entry(b, 3, 0, a, (uint16_t)(0xffff ^ mask ^ want));
			ring(a, b, (uint16_t)(mask ^ want));
			assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
			assert_int_equal(wp(b, 3), 1);
		}
}

static void
nobody_there(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	const uint8_t bytes[4] = { 1, 2, 3, 4 };

	ring(a, b, 1);	/* no queue was set up */
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
	null_device_odb_write(a->dev, TSI721_ODB_OFFSET(0, 77), 1);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBTO);
	assert_int_equal(rig_stat(a, NULL_STAT_ODB_ERRORS), 2);
	queue_open(b, 0, 0, 0);
	/* tt 2 and 3, an offset between doorbells: never sent. */
	null_device_odb_write(a->dev, TSI721_ODB_OFFSET(2, b->destid), 1);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
	null_device_odb_write(a->dev, TSI721_ODB_OFFSET(3, b->destid), 1);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
	null_device_odb_write(a->dev, TSI721_ODB_OFFSET(0, b->destid) + 2, 1);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
	null_device_odb_write(a->dev, TSI721_BAR1_SIZE, 1);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
	/* Accesses of other widths are none. */
	null_device_bar_write(a->dev, TSI721_BAR_DOORBELL, TSI721_ODB_OFFSET(0, b->destid), bytes,
			      4);
	null_device_bar_write(a->dev, TSI721_BAR_DOORBELL, TSI721_ODB_OFFSET(0, b->destid), bytes,
			      1);
	assert_int_equal(causes(a, 0), 0);
	assert_int_equal(wp(b, 0), 0);
	/* An 8-bit ID has 8 bits. */
	null_device_odb_write(a->dev, TSI721_ODB_OFFSET(0, 0x3f00 | b->destid), 5);
	assert_entry(b, 0, 0, a, 5);
}

static void
bad_memory(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	queue_open(b, 0, 0, 0);
	rig_wr(b, TSI721_IDQ_BASEU(0), 0x7777);
	ring(a, b, 1);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
	assert_int_equal(rig_stat(b, NULL_STAT_DMA_FAULTS), 1);
	assert_int_equal(wp(b, 0), 0);

	/* A queue that sticks out of memory works as far as it is there. */
	rig_wr(b, TSI721_IDQ_BASEU(0), (uint32_t)(b->iova >> 32));
	rig_wr(b, TSI721_IDQ_BASEL(0), (uint32_t)b->iova + RIG_MEM_SIZE - 64);
	ring(a, b, 2);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBOK);
	assert_int_equal(be16(b->mem + RIG_MEM_SIZE - 64), 2);
	ring(a, b, 3);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
	assert_int_equal(wp(b, 0), 1);

	queue_open(b, 0, 0, 0);
	rig_master(b, false);
	ring(a, b, 4);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBERR);
	rig_master(b, true);
	ring(a, b, 5);
	assert_entry(b, 0, 0, a, 5);
}

static void
init_and_sizes(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t code;

	queue_open(b, 0, 0, 0);
	for (code = 0; code < 16; code++) {
		rig_wr(b, TSI721_IDQ_SIZE(0), 0xfffffff0 | code);
		assert_int_equal(rig_rd(b, TSI721_IDQ_SIZE(0)), code);
		rig_wr(b, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
		assert_int_equal(rig_rd(b, TSI721_IDQ_CTL(0)), 0);
		assert_int_equal(rig_rd(b, TSI721_IDQ_STS(0)), TSI721_IDQ_STS_RUN);
		assert_int_equal(wp(b, 0), 0);
		assert_int_equal(rig_rd(b, TSI721_IDQ_RP(0)), 0);
		ring(a, b, (uint16_t)(code + 1));
		assert_entry(b, 0, 0, a, (uint16_t)(code + 1));
		assert_int_equal(wp(b, 0), 1);
		rig_wr(b, TSI721_IDQ_RP(0), 0xfff80003);
		assert_int_equal(rig_rd(b, TSI721_IDQ_RP(0)), 3);
	}
	/* The reset value of STS: a queue without INIT does not run. */
	assert_int_equal(rig_rd(b, TSI721_IDQ_STS(1)), 0);
}

/* ---- full ---- */

static void
full_then_room(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t i;

	queue_open(b, 0, 0, 0);
	for (i = 0; i < ENTRIES - 1; i++)
		ring(a, b, (uint16_t)i);
	assert_int_equal(wp(b, 0), ENTRIES - 1);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBOK);
	/* One entry stays free, else full and empty would look the same. */
	for (; i < ENTRIES + 9; i++)
		ring(a, b, (uint16_t)i);
	assert_int_equal(wp(b, 0), ENTRIES - 1);
	assert_int_equal(causes(a, 0) & ~TSI721_SR_CHINT_IDBQRCV, TSI721_SR_CHINT_ODBRTRY);
	assert_true(rig_stat(a, NULL_STAT_ODB_RETRIES) >= 10);
	assert_int_equal(rig_stat(a, NULL_STAT_ODB_SENT), ENTRIES - 1);

	/* Room for 4: the driver's write of RP lets the oldest 4 in, without the sender. */
	rig_wr(b, TSI721_IDQ_RP(0), 4);
	assert_int_equal(wp(b, 0), 3);
	assert_entry(b, 0, ENTRIES - 1, a, ENTRIES - 1);
	for (i = 0; i < 3; i++)
		assert_entry(b, 0, i, a, (uint16_t)(ENTRIES + i));
	rig_wr(b, TSI721_IDQ_RP(0), 100);
	assert_int_equal(wp(b, 0), 9);
	for (i = 3; i < 9; i++)
		assert_entry(b, 0, i, a, (uint16_t)(ENTRIES + i));
	/* The lap number tells new entries from those of the lap before. */
	assert_int_not_equal(entry(b, 0, 8)[6], entry(b, 0, 9)[6]);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), ENTRIES + 9);
}

static void
retried_at_own_access(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t i;

	queue_open(b, 0, 0, 0);
	for (i = 0; i < ENTRIES; i++)
		ring(a, b, (uint16_t)i);
	/* Room that appears without a wake-up, as if the waker had died. */
	atomic_store(&null_chip_at(b->dev->fab, b->dev->ep)->idq[0].rp, 10);
	assert_int_equal(wp(b, 0), ENTRIES - 1);
	rig_rd(a, TSI721_DEVCTL);
	assert_int_equal(wp(b, 0), 0);
	assert_entry(b, 0, ENTRIES - 1, a, ENTRIES - 1);
}

static void
three_wait_for_one(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *to = &rig->d[2];
	uint32_t i, n[2] = { 0, 0 };

	queue_open(to, 0, 0, 0);
	for (i = 0; i < ENTRIES - 1; i++)
		ring(&rig->d[0], to, 7);
	for (i = 0; i < 20; i++) {
		ring(&rig->d[0], to, (uint16_t)i);
		ring(&rig->d[1], to, (uint16_t)i);
	}
	assert_int_equal(wp(to, 0), ENTRIES - 1);
	rig_wr(to, TSI721_IDQ_RP(0), ENTRIES - 1);
	assert_int_equal(wp(to, 0), 39);
	for (i = 0; i < 40; i++) {
		const uint8_t *e = entry(to, 0, (ENTRIES - 1 + i) % ENTRIES);
		uint32_t src = be16(e + 2);

		assert_true(src < 2);
		assert_int_equal(be16(e), n[src]++);
	}
	assert_int_equal(n[0], 20);
	assert_int_equal(n[1], 20);
}

/* Who finds the queue's lock taken is run by who releases it next, not by its own driver. */
static void
lock_taken(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *to = &rig->d[2];
	struct null_lock *lock;

	queue_open(to, 0, 0, 0);
	lock = &to->dev->chip->idq[0].lock;
	assert_true(null_lock_once(to->dev->fab, lock));
	ring(&rig->d[0], to, 1);
	assert_int_equal(wp(to, 0), 0);
	assert_int_equal(causes(&rig->d[0], 0), TSI721_SR_CHINT_ODBRTRY);
	null_lock_release(to->dev->fab, lock);
	ring(&rig->d[1], to, 2);
	assert_int_equal(wp(to, 0), 2);
	assert_entry(to, 0, 0, &rig->d[1], 2);
	assert_entry(to, 0, 1, &rig->d[0], 1);
}

/* More than the chip holds: the bus waits, and what waits too long is given up. */
static void
given_up(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t i;

	queue_open(b, 0, 0, 0);
	for (i = 0; i < ENTRIES - 1 + NULL_ODB_PENDING; i++)
		ring(a, b, (uint16_t)i);
	assert_int_equal(rig_stat(a, NULL_STAT_ODB_ERRORS), 0);
	ring(a, b, 0xabcd);
	assert_true((causes(a, 0) & TSI721_SR_CHINT_ODBTO) != 0);
	assert_true(rig_stat(a, NULL_STAT_ODB_ERRORS) >= 1);
	/* The queue is as good as before. */
	rig_wr(b, TSI721_IDQ_RP(0), ENTRIES - 1);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED) + rig_stat(a, NULL_STAT_ODB_ERRORS),
			 ENTRIES + NULL_ODB_PENDING);
	i = (wp(b, 0) + ENTRIES - 1) % ENTRIES;
	assert_entry(b, 0, i, a, 0xabcd);
}

/* Who must not wait for room can ask for it. */
static void
room(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t i;

	queue_open(b, 0, 0, 0);
	for (i = 0; i < ENTRIES - 1 + NULL_ODB_PENDING; i++) {
		assert_true(null_device_odb_room(a->dev));
		ring(a, b, (uint16_t)i);
	}
	assert_false(null_device_odb_room(a->dev));
	rig_wr(b, TSI721_IDQ_RP(0), 1);
	assert_true(null_device_odb_room(a->dev));
	ring(a, b, (uint16_t)i++);
	/* Asking is enough for those to be given up that have waited too long. */
	while (!null_device_odb_room(a->dev))
		;
	assert_true((causes(a, 0) & TSI721_SR_CHINT_ODBTO) != 0);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), ENTRIES);
}

/* A target that makes room now and then loses nothing, however long the last ones wait. */
static void
slow_target(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t i, n = 0;

	queue_open(b, 0, 0, 0);
	for (i = 0; i < ENTRIES - 1 + 4; i++)
		ring(a, b, (uint16_t)n++);
	for (i = 0; i < 4; i++) {
		usleep(140000);
		rig_rd(a, TSI721_DEVCTL);
		assert_int_equal(rig_stat(a, NULL_STAT_ODB_ERRORS), 0);
		rig_wr(b, TSI721_IDQ_RP(0), i + 1);
	}
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), n);
	/* Now it makes none: both end together, not one after the other. */
	for (i = 0; i < 2; i++)
		ring(a, b, (uint16_t)n++);
	rig_rd(a, TSI721_DEVCTL);
	assert_int_equal(rig_stat(a, NULL_STAT_ODB_ERRORS), 0);
	usleep(600000);
	rig_rd(a, TSI721_DEVCTL);
	assert_int_equal(rig_stat(a, NULL_STAT_ODB_ERRORS), 2);
}

static void
target_goes_away(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t i;

	queue_open(b, 0, 0, 0);
	for (i = 0; i < ENTRIES + 4; i++)
		ring(a, b, (uint16_t)i);
	causes(a, 0);
	rig_wr(b, TSI721_DEVCTL, 0);	/* link down */
	assert_int_equal(causes(a, 0) & TSI721_SR_CHINT_ODBTO, TSI721_SR_CHINT_ODBTO);
	assert_int_equal(rig_stat(a, NULL_STAT_ODB_ERRORS), 5);
}

static void
suspended(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	queue_open(b, 0, 0, 0);
	rig_wr(b, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_SUSPEND);
	assert_int_equal(rig_rd(b, TSI721_IDQ_STS(0)), 0);
	assert_int_equal(causes(b, 0), TSI721_SR_CHINT_SUSP);
	ring(a, b, 1);
	assert_int_equal(wp(b, 0), 0);
	assert_int_equal(causes(a, 0), TSI721_SR_CHINT_ODBRTRY);
	rig_wr(b, TSI721_IDQ_CTL(0), 0);
	assert_int_equal(rig_rd(b, TSI721_IDQ_STS(0)), TSI721_IDQ_STS_RUN);
	assert_entry(b, 0, 0, a, 1);
	assert_int_equal(wp(b, 0), 1);
}

static void
intset(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];
	uint32_t q;

	rig_msix_on(a);
	for (q = 0; q < TSI721_IDQ_NUM; q++) {
		rig_wr(a, TSI721_SR_CHINTE(q), TSI721_SR_CHINT_ALL);
		rig_irqs_forget(a);
		rig_wr(a, TSI721_SR_CHINTSET(q), 0xffffffff);
		assert_int_equal(rig_rd(a, TSI721_SR_CHINT(q)), TSI721_SR_CHINT_ALL);
		assert_int_equal(rig_rd(a, TSI721_SR_CHINTSET(q)), 0);
		assert_int_equal(a->irqs, 2);
		assert_int_equal(a->irq[0].vector, TSI721_MSIX_SR2PC_IDBQ_RCV(q));
		assert_int_equal(a->irq[1].vector, TSI721_MSIX_SR2PC_CH_INT(q));
		assert_int_equal(rig_rd(a, TSI721_DEV_CHAN_INT) & TSI721_INT_SR2PC_CHAN(q),
				 TSI721_INT_SR2PC_CHAN(q));
		rig_wr(a, TSI721_SR_CHINT(q), TSI721_SR_CHINT_ALL);
		assert_int_equal(rig_rd(a, TSI721_SR_CHINT(q)), 0);
	}
}

/* ---- a sender dies ---- */

static struct null_idq *
idq_of(struct rig_dev *d, uint32_t q)
{
	return &d->dev->chip->idq[q];
}

/* As if a process had died that held the lock; the last `undo` deliveries lack the pointer. */
static void
die_in_lock(struct null_idq *idq, uint32_t undo)
{
	atomic_store(&idq->count, atomic_load(&idq->count) - undo);
	atomic_store(&idq->lock.word, DEAD_OWNER);
}

static void
dies_before_publishing(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	queue_open(b, 0, 0, 0);
	ring(a, b, 1);
	die_in_lock(idq_of(b, 0), 0);
	ring(a, b, 2);
	assert_int_equal(wp(b, 0), 2);
	assert_entry(b, 0, 0, a, 1);
	assert_entry(b, 0, 1, a, 2);
}

static void
dies_after_publishing(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	queue_open(b, 0, 0, 0);
	ring(a, b, 1);
	ring(a, b, 2);
	die_in_lock(idq_of(b, 0), 1);
	assert_int_equal(wp(b, 0), 1);
	/* The driver has found it in memory and taken it, as it goes by memory. */
	memset(entry(b, 0, 0), 0xff, 4);
	memset(entry(b, 0, 1), 0xff, 4);
	ring(a, b, 3);
	assert_int_equal(wp(b, 0), 3);
	assert_entry(b, 0, 2, a, 3);
	assert_int_equal(entry(b, 0, 1)[0], 0xff);
}

/* At every place of several laps, taken or not, whatever the memory held before. */
static void
dies_anywhere(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t i, at, n = 0, life;

	for (life = 0; life < 3; life++) {
		rig_wr(b, TSI721_IDQ_SIZE(0), 0);	/* 16 entries */
		queue_open(b, 0, 0, 0);
		rig_wr(b, TSI721_IDQ_SIZE(0), 0);
		rig_wr(b, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
		for (i = 0; i < 5 * 16 + life * 5; i++) {
			at = i % 16;
			die_in_lock(idq_of(b, 0), 0);
			ring(a, b, (uint16_t)++n);
			assert_int_equal(wp(b, 0), (at + 1) % 16);
			assert_entry(b, 0, at, a, (uint16_t)n);
			die_in_lock(idq_of(b, 0), 1);
			if (n % 3 == 0)
				memset(entry(b, 0, at), 0xff, 4);
			null_idb_sweep(b->dev->fab, b->dev->ep);
			assert_int_equal(wp(b, 0), (at + 1) % 16);
			if (n % 3 == 1)
				memset(entry(b, 0, at), 0, 8);	/* as Linux does, after WP */
			rig_wr(b, TSI721_IDQ_RP(0), (at + 1) % 16);
		}
	}
}

/* What an earlier life of the queue left in memory was not published in this one. */
static void
earlier_life(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t i;

	queue_open(b, 0, 0, 0);
	for (i = 0; i < 3; i++)
		ring(a, b, 9);
	queue_open(b, 0, 0, 0);
	die_in_lock(idq_of(b, 0), 0);
	null_idb_sweep(b->dev->fab, b->dev->ep);
	assert_int_equal(wp(b, 0), 0);
	die_in_lock(idq_of(b, 0), 0);
	ring(a, b, 10);
	assert_int_equal(wp(b, 0), 1);
	assert_entry(b, 0, 0, a, 10);
}

static void
sweep_raises(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	queue_open(b, 0, 0, 0);
	rig_msix_on(b);
	rig_wr(b, TSI721_SR_CHINTE(0), TSI721_SR_CHINT_IDBQRCV);
	ring(a, b, 1);
	/* Published, but neither pointer nor cause. */
	die_in_lock(idq_of(b, 0), 1);
	rig_wr(b, TSI721_SR_CHINT(0), TSI721_SR_CHINT_ALL);
	rig_irqs_forget(b);
	null_idb_sweep(b->dev->fab, b->dev->ep);
	assert_int_equal(b->irqs, 1);
	assert_int_equal(causes(b, 0), TSI721_SR_CHINT_IDBQRCV);
	assert_int_equal(wp(b, 0), 1);
	/* Pointer, but no cause. */
	rig_irqs_forget(b);
	null_idb_sweep(b->dev->fab, b->dev->ep);
	assert_int_equal(b->irqs, 1);
	/* Nothing new: silence. */
	rig_wr(b, TSI721_IDQ_RP(0), 1);
	causes(b, 0);
	rig_irqs_forget(b);
	null_idb_sweep(b->dev->fab, b->dev->ep);
	assert_int_equal(b->irqs, 0);
}

/* ---- at once ---- */

#define PER_SENDER	20000u
#define SENDERS		3u

struct sender {
	struct rig_dev *from, *to;
	uint32_t stream;	/* in the info's top bits */
	pthread_t thread;
};

static void *
send_many(void *arg)
{
	struct sender *s = arg;
	uint32_t i;

	for (i = 0; i < PER_SENDER; i++)
		ring(s->from, s->to, (uint16_t)(s->stream << 12 | (i & 0xfff)));
	return NULL;
}

/* A driver that goes by memory: takes what is not marked, marks it, moves RP now and then. */
static void
receive_many(struct rig_dev *d, uint32_t total)
{
	uint32_t i, at, got[16] = { 0 };

	for (i = 0; i < total; i++) {
		uint64_t *e;
		uint32_t word;

		at = i % ENTRIES;
		e = (uint64_t *)(void *)entry(d, 0, at);
		while ((uint32_t)__atomic_load_n(e, __ATOMIC_ACQUIRE) == 0xffffffff)
			sched_yield();
		word = __builtin_bswap32((uint32_t)__atomic_load_n(e, __ATOMIC_RELAXED));
		assert_int_equal(word >> 16 & 0xfff, got[word >> 28] & 0xfff);
		got[word >> 28]++;
		__atomic_store_n((uint32_t *)(void *)e, 0xffffffff, __ATOMIC_RELAXED);
		if (i % 32 == 31)
			rig_wr(d, TSI721_IDQ_RP(0), (at + 1) % ENTRIES);
	}
}

static void
many_at_once(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *to = &rig->d[2];
	struct sender s[SENDERS] = {
		{ .from = &rig->d[0], .to = to, .stream = 1 },
		{ .from = &rig->d[1], .to = to, .stream = 2 },
		{ .from = &rig->d[0], .to = to, .stream = 3 },	/* two threads of one device */
	};
	uint32_t i;

	memset(to->mem, 0xff, ENTRIES * TSI721_IDQ_ENTRY_SIZE);
	queue_open(to, 0, 0, 0);
	for (i = 0; i < SENDERS; i++)
		assert_int_equal(pthread_create(&s[i].thread, NULL, send_many, &s[i]), 0);
	receive_many(to, SENDERS * PER_SENDER);
	for (i = 0; i < SENDERS; i++)
		pthread_join(s[i].thread, NULL);
	assert_int_equal(rig_stat(to, NULL_STAT_IDB_RECEIVED), SENDERS * PER_SENDER);
	assert_int_equal(rig_stat(&rig->d[0], NULL_STAT_ODB_ERRORS), 0);
}

static void
many_at_once_by_thread(void **state)
{
	struct rig *rig = rig_open_exec(3, NULL_EXEC_THREAD);
	void *arg = rig;

	(void)state;
	many_at_once(&arg);
	rig_close(rig);
}

/* ---- anything goes in ---- */

static uint32_t
rnd(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 7 ^ *seed << 13;
}

/* Whatever the registers and BAR1 are given, memory beyond the queue stays as it was. */
static void
wild_values(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t seed = 99, i, val;

	rig_fill(rig->d[2].mem, RIG_MEM_SIZE, 6);
	for (i = 0; i < 30000; i++) {
		val = rnd(&seed) % 3 ? rnd(&seed) % 64 : rnd(&seed);
		if (rnd(&seed) % 50 == 0)
			queue_open(b, rnd(&seed) % 8, 0, 0);
		if (rnd(&seed) % 2)
			rig_wr(b, TSI721_IDQ_BASE(rnd(&seed) % 8) + rnd(&seed) % 20 * 4, val);
		/* Nothing may wait here, or the test takes long. */
		rig_wr(b, TSI721_IDQ_RP(0), rig_rd(b, TSI721_IDQ_WP(0)));
		rig_wr(b, TSI721_IDQ_CTL(0), 0);
		null_device_odb_write(a->dev,
				      rnd(&seed) % 2 ? TSI721_ODB_OFFSET(0, b->destid) : val,
				      (uint16_t)val);
	}
	assert_true(rig_is_filled(rig->d[2].mem, RIG_MEM_SIZE, 6));
	for (i = 0; i < TSI721_IDQ_NUM; i++)
		queue_open(b, i, 0, 0);
	ring(a, b, 77);
	assert_entry(b, 0, 0, a, 77);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_arrives, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(to_oneself, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(mask_and_pattern, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(mask_bits, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(nobody_there, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(bad_memory, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(init_and_sizes, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(full_then_room, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(retried_at_own_access, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(three_wait_for_one, rig_setup3, rig_teardown),
		cmocka_unit_test_setup_teardown(lock_taken, rig_setup3, rig_teardown),
		cmocka_unit_test_setup_teardown(given_up, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(room, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(slow_target, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(target_goes_away, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(suspended, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(intset, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(dies_before_publishing, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(dies_after_publishing, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(dies_anywhere, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(earlier_life, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(sweep_raises, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(many_at_once, rig_setup3, rig_teardown),
		cmocka_unit_test(many_at_once_by_thread),
		cmocka_unit_test_setup_teardown(wild_values, rig_setup3, rig_teardown),
	};

	return cmocka_run_group_tests_name("null_doorbell", tests, NULL, NULL);
}
