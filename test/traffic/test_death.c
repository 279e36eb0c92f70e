/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Three nodes exchange traffic. One is killed in the middle of it and comes back, again and
 * again, or is stopped for a while: the others lose nothing of what they send each other,
 * and no mbuf, and soon talk to the one that is back.
 *
 * usage: test_death msg|dma|auto [ROUNDS]
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

#define A		0u
#define B		1u	/* dies */
#define C		2u
#define SOON_NS		(2ull * 1000 * 1000 * 1000)	/* the usual time is below */
#define LATE_NS		(10ull * 1000 * 1000 * 1000)	/* all are, on a busy machine */
#define HELD_NS		(5ull * 1000 * 1000 * 1000)	/* no survivor waits so long for the other */
#define STOP_US		2000000u
#define STOPS_MAX	5u
/* More than what may have waited in rings when a node was stopped. */
#define MANY		2000u

static const char *mode;
static uint32_t rounds = 6;

static uint64_t
heard(const struct run *r, uint32_t at, uint32_t of)
{
	const struct traffic_from *from = &r->all->node[at].from[of];

	return atomic_load(&from->life) == r->all->node[of].life ? atomic_load(&from->frames) : 0;
}

/* Until A, B and C have so many frames of each other beyond `had`. */
static void
wait_heard(struct run *r, uint64_t had[3][3], uint64_t more, const char *what)
{
	uint64_t until = traffic_now_ns() + LATE_NS;
	uint32_t i, k;

	for (i = 0; i < 3; i++)
		for (k = 0; k < 3; k++)
			while (i != k && heard(r, i, k) < had[i][k] + more) {
				run_check(r);
				if (traffic_now_ns() > until)
					fail_msg("%s: node %u has %lu frames of node %u after %llu s",
						 what, i, (unsigned long)(heard(r, i, k) - had[i][k]),
						 k, LATE_NS / 1000000000);
				usleep(200);
			}
}

/* How long it took from B's start until each survivor had a frame of it, and it of each. */
static uint64_t
back_after(const struct run *r)
{
	const struct traffic_node *n = r->all->node;
	uint64_t last = 0, t;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		if (i == B)
			continue;
		t = atomic_load(&n[i].from[B].first_ns);
		last = t > last ? t : last;
		t = atomic_load(&n[B].from[i].first_ns);
		last = t > last ? t : last;
	}
	return last - atomic_load(&n[B].start_ns);
}

/* A and C hear of each other all the time. */
static void
watch(struct run *r, uint32_t us)
{
	uint64_t until = traffic_now_ns() + us * 1000ull;

	do {
		run_check(r);
		usleep(500);
	} while (traffic_now_ns() < until);
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t
longest(const struct run *r)
{
	uint64_t x = atomic_load(&r->all->node[A].from[C].longest_ns);
	uint64_t y = atomic_load(&r->all->node[C].from[A].longest_ns);

	return x > y ? x : y;
}

static void
report(const struct run *r, const char *what, uint64_t *took, uint32_t n)
{
	qsort(took, n, sizeof(*took), by_value);
	print_message("%s, %u rounds: talks again after %u ms (median), %u ms at most; the others "
		      "exchanged %lu frames, %u ms at most without one\n", what, n,
		      (unsigned int)(took[n / 2] / 1000000), (unsigned int)(took[n - 1] / 1000000),
		      (unsigned long)(heard(r, A, C) + heard(r, C, A)),
		      (unsigned int)(longest(r) / 1000000));
	assert_true(took[n / 2] <= SOON_NS);
	assert_true(longest(r) <= HELD_NS);
}

/* lossy: frames between the others may be missing, too. */
static struct run *
start(bool two_threads, bool lossy)
{
	uint64_t none[3][3] = { { 0 } };
	struct run *r = run_new(3, mode);
	struct traffic *t = r->all;
	uint32_t i;

	t->two_threads = two_threads;
	t->pause_us = 200;
	t->longest = 2000;
	t->huge = t->dma ? 20000 : 4000;
	t->huge_every = 20;
	t->node[B].victim = true;
	t->node[A].victim = t->node[C].victim = lossy;
	for (i = 0; i < 3; i++)
		run_start(r, i);
	run_ready(r);
	wait_heard(r, none, 100, "start");
	return r;
}

static void
killed(void **state)
{
	uint64_t none[3][3] = { { 0 } }, *took = calloc(rounds, sizeof(*took));
	struct run *r = start(true, false);
	uint32_t n;

	(void)state;
	assert_non_null(took);
	for (n = 0; n < rounds; n++) {
		watch(r, (uint32_t)rand() % 100000);
		run_kill(r, B);
		/* Back at once, or when the others have given it up. */
		if (n % 3 != 0)
			watch(r, (uint32_t)rand() % (n % 3 == 1 ? 200000 : 1500000));
		run_start(r, B);
		while (atomic_load(&r->all->node[B].up) != r->all->node[B].life)
			watch(r, 1000);
		none[A][C] = heard(r, A, C);
		none[C][A] = heard(r, C, A);
		wait_heard(r, none, 20, "returned");
		took[n] = back_after(r);
		if (n % 50 == 49)
			print_message("%u rounds\n", n + 1);
	}
	run_end(r, 30);
	report(r, "killed", took, rounds);
	run_free(r);
	free(took);
}

/*
 * Who is stopped while it delivers a message holds the mailbox that it delivers to (see
 * null_device.rst), and what others send there may time out: what is lost is counted.
 */
static void
check_counted(const struct run *r)
{
	uint64_t given = 0, taken = 0, dropped = 0;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		given += r->all->node[i].sums.given;
		dropped += r->all->node[i].sums.oerrors + r->all->node[i].sums.imissed;
		taken += r->all->node[i].sums.taken;
	}
	if (given != taken + dropped)
		fail_msg("%lu frames given, %lu taken, %lu dropped", (unsigned long)given,
			 (unsigned long)taken, (unsigned long)dropped);
	print_message("%lu frames given, %lu of them dropped and counted\n", (unsigned long)given,
		      (unsigned long)dropped);
}

static void
stopped(void **state)
{
	uint32_t n, nb = rounds / 3 < STOPS_MAX ? rounds / 3 : STOPS_MAX, i, k;
	uint64_t had[3][3], took[STOPS_MAX], begin;
	struct run *r;

	(void)state;
	r = start(false, strcmp(mode, "msg") == 0);
	for (n = 0; n < nb; n++) {
		assert_int_equal(kill(r->pid[B], SIGSTOP), 0);
		watch(r, STOP_US);
		for (i = 0; i < 3; i++)
			for (k = 0; k < 3; k++)
				had[i][k] = heard(r, i, k);
		begin = traffic_now_ns();
		assert_int_equal(kill(r->pid[B], SIGCONT), 0);
		wait_heard(r, had, MANY, "continued");
		took[n] = traffic_now_ns() - begin;
	}
	run_end(r, 30);
	report(r, "stopped for 2 s", took, nb);
	check_counted(r);
	run_free(r);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed),
		cmocka_unit_test(stopped),
	};

	if (argc < 2) {
		fprintf(stderr, "usage: test_death msg|dma|auto [ROUNDS]\n");
		return 2;
	}
	mode = argv[1];
	if (argc > 2 && atoi(argv[2]) >= 3)
		rounds = (uint32_t)atoi(argv[2]);
	srand((unsigned int)time(NULL));
	return cmocka_run_group_tests_name("death", tests, NULL, NULL);
}
