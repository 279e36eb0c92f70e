/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * One of four processes that exchange traffic is killed, or stopped for a second,
 * at a random moment, again and again: the others never hang, never see wrong
 * data, and the fabric is whole afterwards.
 *
 * usage: test_fabric_kill [ROUNDS]
 *
 * of each of the three tests; `./rio test --long --only fabric_kill_300` does 300.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "procs.h"

#define WORKERS		4u
#define HANG_NS		(1000ull * 1000 * 1000)	/* no survivor may be that long without progress */
#define STOP_EVERY	10u	/* rounds: stopped, then killed */
#define SECONDS		60u

#ifdef TEST_SHORT
static unsigned int rounds = 10;
#else
static unsigned int rounds = 20;
#endif

/* Survivors go on meanwhile. */
static void
watch(struct procs *p, uint32_t victim, uint32_t ms)
{
	uint64_t until = null_now_ns() + ms * 1000000ull, now = null_now_ns(), beat;
	uint32_t i;

	for (; now < until; now = null_now_ns()) {
		procs_check(p);
		for (i = 0; i < WORKERS; i++) {
			beat = atomic_load(&p->all->w[i].beat);
			if (i != victim && beat != 0 && now > beat && now - beat > HANG_NS)
				fail_msg("worker %u hangs for %u ms", i,
					 (unsigned int)((now - beat) / 1000000));
		}
		usleep(1000);
	}
}

static void
round_of(struct procs *p, unsigned int n)
{
	uint32_t victim = (uint32_t)rand() % WORKERS;

	watch(p, WORKERS, 20 + (uint32_t)rand() % 100);
	usleep((useconds_t)rand() % 1000);
	if (n % STOP_EVERY == STOP_EVERY - 1) {
		assert_int_equal(kill(p->pid[victim], SIGSTOP), 0);
		watch(p, victim, 1000);
		atomic_store(&p->all->w[victim].beat, 0);
		assert_int_equal(kill(p->pid[victim], SIGCONT), 0);
		watch(p, WORKERS, 50);
	}
	procs_kill(p, victim);
	/* At once, or after the others had time to notice. */
	if (n % 2 != 0)
		watch(p, victim, 150);
	procs_start(p, victim);
	procs_ready(p, victim);
}

static void
counts_clear(struct procs *p)
{
	uint32_t i, k;

	for (i = 0; i < WORKERS; i++)
		for (k = 0; k < WORKERS; k++) {
			atomic_store(&p->all->w[i].blocks[k], 0);
			atomic_store(&p->all->w[i].messages[k], 0);
			atomic_store(&p->all->w[i].reads[k], 0);
		}
}

static void
killed(const char *topology, bool irq)
{
	struct procs *p = procs_new(WORKERS, topology);
	uint64_t longest = 0, latest = 0;
	uint32_t late = 0;
	unsigned int n;
	uint32_t i;

	for (i = 0; i < WORKERS; i++)
		p->all->w[i].irq = irq;
	p->all->w[1].thread = true;
	procs_start_all(p);
	for (n = 0; n < rounds; n++) {
		round_of(p, n);
		if (n % 50 == 49)
			print_message("%u rounds\n", n + 1);
	}
	/* Whole again: everybody with everybody. */
	counts_clear(p);
	procs_exchange(p, 50, SECONDS);
	for (i = 0; i < WORKERS; i++)
		if (atomic_load(&p->all->w[i].longest) > longest)
			longest = atomic_load(&p->all->w[i].longest);
	for (i = 0; i < WORKERS; i++) {
		late += atomic_load(&p->all->w[i].irqs_late);
		if (atomic_load(&p->all->w[i].irq_latest) > latest)
			latest = atomic_load(&p->all->w[i].irq_latest);
	}
	print_message("longest time without progress: %u ms\n", (unsigned int)(longest / 1000000));
	assert_true(longest > 0);
	assert_true(longest < HANG_NS);
	if (irq)
		print_message("%u interrupts were late, by %u ms at most\n", late,
			      (unsigned int)(latest / 1000000));
	procs_stop(p);
	assert_false(procs_file(p));
	procs_free(p);
}

static void
star(void **state)
{
	(void)state;
	killed(NULL, false);
}

static void
switches(void **state)
{
	(void)state;
	killed("ring4.ini", false);
}

static void
interrupts(void **state)
{
	(void)state;
	killed(NULL, true);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(star),
		cmocka_unit_test(switches),
		cmocka_unit_test(interrupts),
	};

	if (argc > 1)
		rounds = (unsigned int)atoi(argv[1]);
	srand((unsigned int)time(NULL));
	return cmocka_run_group_tests_name("fabric_kill", tests, NULL, NULL);
}
