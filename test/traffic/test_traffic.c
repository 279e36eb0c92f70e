/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Two nodes send each other frames of all sizes in all sorts of segments: each comes,
 * once, in its flow's order, to the last byte, and what was dropped by intent is counted
 * by who dropped it.
 *
 * usage: test_traffic msg|dma|auto [FRAMES [SECONDS]]
 *
 * FRAMES in both directions together: on one queue, on one with a thread for each direction,
 * and on four; one in 50 is of up to 65,014 bytes in DMA mode. SECONDS without a frame are a
 * failure.
 */

#include <stdio.h>
#include <stdlib.h>

#include "run.h"

static const char *mode;
static uint64_t frames = 200000;
static uint32_t patience = 60;

static void
check_sums(const struct traffic *t)
{
	const struct traffic_sums *s, *o;
	uint32_t i;

	for (i = 0; i < 2; i++) {
		s = &t->node[i].sums;
		o = &t->node[1 - i].sums;
		assert_int_equal(s->given, t->frames);
		assert_int_equal(s->given, s->opackets + s->oerrors);
		assert_int_equal(s->oerrors, s->want_tx_oversize);
		assert_int_equal(s->tx_oversize, s->want_tx_oversize);
		assert_int_equal(o->ipackets, o->taken);
		assert_int_equal(s->opackets, o->ipackets + o->ierrors + o->imissed);
		assert_int_equal(o->taken, atomic_load(&t->node[i].good[1 - i]));
		assert_int_equal(o->rx_oversize, atomic_load(&t->node[i].over[1 - i]));
		assert_int_equal(o->imissed, 0);
		assert_int_equal(s->isolated, 0);
	}
}

static void
traffic(uint32_t queues, bool two_threads, bool small_mtu)
{
	struct run *r = run_new(2, mode);
	struct traffic *t = r->all;
	uint64_t begin;
	uint32_t i;

	t->queues = queues;
	t->two_threads = two_threads;
	t->frames = frames / 2;
	t->huge = t->dma ? 65014 : 4500;
	t->huge_every = 50;
	if (small_mtu) {
		t->node[0].mtu = t->dma ? 20000 : 4000;
		t->node[1].mtu = t->dma ? 8000 : 2000;
		t->frames = 5000;
	}
	for (i = 0; i < 2; i++)
		run_start(r, i);
	run_ready(r);
	begin = traffic_now_ns();
	run_end(r, patience);
	print_message("%lu frames, %u of %u queues: %.1f s\n", (unsigned long)t->frames * 2,
		      t->node[0].nb_queues, queues, (traffic_now_ns() - begin) / 1e9);
	check_sums(t);
	if (small_mtu) {
		assert_true(t->node[1].sums.rx_oversize > 100);
		assert_true(t->node[1].sums.tx_oversize > 100);
	}
	run_free(r);
}

static void
one_queue(void **state)
{
	(void)state;
	traffic(1, false, false);
}

static void
two_threads(void **state)
{
	(void)state;
	traffic(1, true, false);
}

static void
four_queues(void **state)
{
	(void)state;
	traffic(4, true, false);
}

/* Counted where they are dropped: at the sender over its own MTU, else at the receiver. */
static void
drops(void **state)
{
	(void)state;
	traffic(1, false, true);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_queue),
		cmocka_unit_test(two_threads),
		cmocka_unit_test(four_queues),
		cmocka_unit_test(drops),
	};

	if (argc < 2) {
		fprintf(stderr, "usage: test_traffic msg|dma|auto [FRAMES [SECONDS]]\n");
		return 2;
	}
	mode = argv[1];
	if (argc > 2)
		frames = strtoull(argv[2], NULL, 10);
	if (argc > 3)
		patience = (uint32_t)atoi(argv[3]);
	return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
