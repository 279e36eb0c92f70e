/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <string.h>

#include "drv_rig.h"
#include "tsi721_doorbell.h"

static struct rig_dev *a, *b;

/* What a callback saw. */
static struct seen {
	unsigned int nb;
	uint16_t src[4096], info[4096];
} seen;

static void
see(void *arg, uint16_t src, uint16_t info)
{
	struct seen *s = arg;
	unsigned int n = s->nb;

	assert_true(n < RTE_DIM(s->src));
	s->src[n] = src;
	s->info[n] = info;
	__atomic_store_n(&s->nb, n + 1, __ATOMIC_RELEASE);
}

static int
setup(void **state)
{
	struct rig *rig;

	if (rig_setup2(state) != 0)
		return -1;
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	memset(&seen, 0, sizeof(seen));
	return 0;
}

static int
teardown(void **state)
{
	rig_let(a);
	return rig_teardown(state);
}

static bool
all_seen(void *arg)
{
	return __atomic_load_n(&seen.nb, __ATOMIC_ACQUIRE) == (uintptr_t)arg;
}

static bool
all_polled(void *arg)
{
	tsi721_dbell_poll(b->dev, 64);
	return all_seen(arg);
}

static void
in_order(void **state)
{
	struct tsi721_dbell_stats stats;
	unsigned int i, round;

	(void)state;
	assert_int_equal(tsi721_dbell_request(b->dev, 0x100, 0xffff, see, &seen), 0);
	/* Several times around the queue of 512. */
	for (round = 0; round < 8; round++) {
		for (i = 0; i < 400; i++)
			tsi721_dbell_send(a->dev, b->destid, (uint16_t)(0x100 + round * 400 + i));
		rig_until(all_polled, (void *)(uintptr_t)((round + 1) * 400));
	}
	for (i = 0; i < seen.nb; i++) {
		assert_int_equal(seen.src[i], a->destid);
		assert_int_equal(seen.info[i], 0x100 + i);
	}
	tsi721_dbell_stats(a->dev, &stats);
	assert_int_equal(stats.sent, 3200);
	assert_int_equal(stats.errors, 0);
	tsi721_dbell_stats(b->dev, &stats);
	assert_int_equal(stats.received, 3200);
	assert_int_equal(stats.unclaimed, 0);
	tsi721_dbell_release(b->dev, 0x100, 0xffff);
}

static void
by_interrupt(void **state)
{
	unsigned int i;

	(void)state;
	assert_int_equal(tsi721_dbell_request(b->dev, 0x1000, 0x1001, see, &seen), 0);
	for (i = 0; i < 100; i++) {
		tsi721_dbell_send(a->dev, b->destid, (uint16_t)(0x1000 + i % 2));
		/* Each one is seen although nobody polls. */
		rig_until(all_seen, (void *)(uintptr_t)(i + 1));
	}
	assert_true(b->dev->intr_count > 0);
	tsi721_dbell_release(b->dev, 0x1000, 0x1001);
	assert_int_equal(seen.info[99], 0x1001);
}

/* More than the queue holds, sent at once: RETRY holds them, none is lost. */
static void
overrun(void **state)
{
	unsigned int i;

	(void)state;
	assert_int_equal(tsi721_dbell_request(b->dev, 0, 0xffff, see, &seen), 0);
	for (i = 0; i < 540; i++)
		tsi721_dbell_send(a->dev, b->destid, (uint16_t)i);
	rig_until(all_polled, (void *)540);
	for (i = 0; i < 540; i++)
		assert_int_equal(seen.info[i], i);
	tsi721_dbell_release(b->dev, 0, 0xffff);
}

static void
ranges(void **state)
{
	static struct seen low, high;
	struct tsi721_dbell_stats stats;
	unsigned int i;

	(void)state;
	memset(&low, 0, sizeof(low));
	memset(&high, 0, sizeof(high));
	assert_int_equal(tsi721_dbell_request(b->dev, 10, 20, see, &low), 0);
	assert_int_equal(tsi721_dbell_request(b->dev, 30, 30, see, &high), 0);
	/* Overlaps, at each end and around. */
	assert_int_equal(tsi721_dbell_request(b->dev, 20, 25, see, &seen), -EBUSY);
	assert_int_equal(tsi721_dbell_request(b->dev, 5, 10, see, &seen), -EBUSY);
	assert_int_equal(tsi721_dbell_request(b->dev, 0, 0xffff, see, &seen), -EBUSY);
	assert_int_equal(tsi721_dbell_request(b->dev, 12, 13, see, &seen), -EBUSY);
	assert_int_equal(tsi721_dbell_request(b->dev, 30, 30, see, &seen), -EBUSY);
	assert_int_equal(tsi721_dbell_request(b->dev, 3, 2, see, &seen), -EINVAL);
	assert_int_equal(tsi721_dbell_request(b->dev, 1, 2, NULL, &seen), -EINVAL);

	for (i = 0; i <= 40; i++)
		tsi721_dbell_send(a->dev, b->destid, (uint16_t)i);
	do {
		tsi721_dbell_poll(b->dev, 64);
		tsi721_dbell_stats(b->dev, &stats);
	} while (stats.received < 41);
	assert_int_equal(low.nb, 11);
	assert_int_equal(low.info[0], 10);
	assert_int_equal(low.info[10], 20);
	assert_int_equal(high.nb, 1);
	assert_int_equal(stats.unclaimed, 41 - 12);

	/* Released, it is silent, and may be asked for again. */
	tsi721_dbell_release(b->dev, 10, 20);
	tsi721_dbell_send(a->dev, b->destid, 15);
	do {
		tsi721_dbell_poll(b->dev, 64);
		tsi721_dbell_stats(b->dev, &stats);
	} while (stats.received < 42);
	assert_int_equal(low.nb, 11);
	assert_int_equal(stats.unclaimed, 41 - 12 + 1);
	assert_int_equal(tsi721_dbell_request(b->dev, 10, 20, see, &low), 0);
	tsi721_dbell_release(b->dev, 10, 20);
	tsi721_dbell_release(b->dev, 30, 30);

	/* There are 32, not more, and all of them work. */
	for (i = 0; i < 32; i++)
		assert_int_equal(tsi721_dbell_request(b->dev, (uint16_t)i, (uint16_t)i, see, &seen),
				 0);
	assert_int_equal(tsi721_dbell_request(b->dev, 32, 32, see, &seen), -EBUSY);
	for (i = 0; i < 32; i++)
		tsi721_dbell_release(b->dev, (uint16_t)i, (uint16_t)i);
	assert_false(tsi721_device_in_use(b->dev));
}

static void
to_nobody(void **state)
{
	struct tsi721_dbell_stats stats;

	(void)state;
	tsi721_dbell_send(a->dev, 0x66, 1);
	tsi721_dbell_stats(a->dev, &stats);
	assert_int_equal(stats.sent, 1);
	assert_int_equal(stats.errors, 1);
	/* An ID that the fabric cannot name is never sent anywhere. */
	tsi721_dbell_send(a->dev, 0x101, 1);
	tsi721_dbell_stats(a->dev, &stats);
	assert_int_equal(stats.sent, 1);
	assert_int_equal(stats.errors, 2);
	/* The next one gets through. */
	assert_int_equal(tsi721_dbell_request(b->dev, 5, 5, see, &seen), 0);
	tsi721_dbell_send(a->dev, b->destid, 5);
	rig_until(all_polled, (void *)1);
	tsi721_dbell_release(b->dev, 5, 5);
}

/* A callback answers, and is answered. */
static void
ping_pong(void *arg, uint16_t src, uint16_t info)
{
	struct rig_dev *self = arg;

	__atomic_fetch_add(&seen.nb, 1, __ATOMIC_RELAXED);
	if (info > 0)
		tsi721_dbell_send(self->dev, src, (uint16_t)(info - 1));
}

static bool
both_polled(void *arg)
{
	tsi721_dbell_poll(a->dev, 8);
	tsi721_dbell_poll(b->dev, 8);
	return all_seen(arg);
}

static void
answers(void **state)
{
	(void)state;
	assert_int_equal(tsi721_dbell_request(a->dev, 0, 1000, ping_pong, a), 0);
	assert_int_equal(tsi721_dbell_request(b->dev, 0, 1000, ping_pong, b), 0);
	tsi721_dbell_send(a->dev, b->destid, 1000);
	rig_until(both_polled, (void *)1001);
	/* And with nobody polling. */
	seen.nb = 0;
	tsi721_dbell_send(a->dev, b->destid, 100);
	rig_until(all_seen, (void *)101);
	tsi721_dbell_release(a->dev, 0, 1000);
	tsi721_dbell_release(b->dev, 0, 1000);
}

/* An idle poll is memory only; reading pointers are told in lots. */
static void
registers(void **state)
{
	unsigned int i;

	(void)state;
	assert_int_equal(tsi721_dbell_request(a->dev, 0, 0xffff, see, &seen), 0);
	/* The test is the device, so that no interrupt interferes. */
	uint32_t *queue = (uint32_t *)(uintptr_t)(tsi721_read32(a->dev, TSI721_IDQ_BASEL(0)) |
		(uint64_t)tsi721_read32(a->dev, TSI721_IDQ_BASEU(0)) << 32);

	rig_hold(a);
	rig_reads = rig_writes = 0;
	for (i = 0; i < 1000; i++)
		assert_int_equal(tsi721_dbell_poll(a->dev, 32), 0);
	assert_int_equal(rig_reads + rig_writes, 0);

	for (i = 0; i < 200; i++) {
		const uint8_t entry[8] = { 0x12, (uint8_t)i, 0, 9, 0, 0 };

		memcpy(&queue[i * 16], entry, 4);
	}
	assert_int_equal(tsi721_dbell_poll(a->dev, 100), 100);
	assert_int_equal(tsi721_dbell_poll(a->dev, 1000), 100);
	assert_int_equal(seen.nb, 200);
	for (i = 0; i < 200; i++) {
		assert_int_equal(seen.info[i], 0x1200 + i);
		assert_int_equal(seen.src[i], 9);
		assert_int_equal(queue[i * 16], UINT32_MAX);
	}
	assert_int_equal(rig_held(TSI721_IDQ_RP(0)), 200);
	assert_in_range(rig_held_count(TSI721_IDQ_RP(0)), 1, 4);
	assert_int_equal(rig_reads, 0);
	rig_let(a);
	/* The model counts from where it is: let both agree again. */
	tsi721_write32(a->dev, TSI721_IDQ_RP(0), 0);
	tsi721_dbell_release(a->dev, 0, 0xffff);
}

/* A dispatch in a dispatch does nothing: callbacks are never nested. */
static void
nested(void *arg, uint16_t src, uint16_t info)
{
	unsigned int *depth = arg;

	(void)src;
	(void)info;
	assert_int_equal((*depth)++, 0);
	assert_int_equal(tsi721_dbell_poll(b->dev, 1), 0);
	(*depth)--;
	__atomic_fetch_add(&seen.nb, 1, __ATOMIC_RELEASE);
}

static void
never_two(void **state)
{
	unsigned int depth = 0;

	(void)state;
	assert_int_equal(tsi721_dbell_request(b->dev, 1, 1, nested, &depth), 0);
	tsi721_dbell_send(a->dev, b->destid, 1);
	tsi721_dbell_send(a->dev, b->destid, 1);
	rig_until(all_polled, (void *)2);
	tsi721_dbell_release(b->dev, 1, 1);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(in_order), TEST(by_interrupt), TEST(overrun), TEST(ranges), TEST(to_nobody),
		TEST(answers), TEST(registers), TEST(never_two),
	};

	return cmocka_run_group_tests_name("drv_doorbell", tests, rig_eal, NULL);
}
