/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A peer touches only what windows show: random requests at one that has
 * canaries everywhere else. Those outside are answered with errors.
 */

#include <stdio.h>
#include <unistd.h>

#include "procs.h"

#define REQUESTS	80000u	/* of each of two: more than half of them block DMA */
#define SECONDS		120u

static void
isolation(void **state)
{
	struct procs *p = procs_new(3, NULL);
	uint64_t until;

	(void)state;
	p->all->w[0].kind = WORKER_TARGET;
	p->all->w[1].kind = WORKER_ATTACKER;
	p->all->w[2].kind = WORKER_ATTACKER;
	p->all->w[1].requests = REQUESTS;
	p->all->w[2].requests = REQUESTS;
	procs_start_all(p);
	until = null_now_ns() + SECONDS * 1000000000ull;
	while (atomic_load(&p->all->w[1].blocks[0]) < REQUESTS ||
	       atomic_load(&p->all->w[2].blocks[0]) < REQUESTS) {
		procs_check(p);
		assert_true(null_now_ns() < until);
		usleep(2000);
	}
	/* Most of them were outside. */
	assert_true(atomic_load(&p->all->w[1].failed) > REQUESTS / 3);
	/* And what it has opened to all, it got. */
	assert_true(atomic_load(&p->all->w[0].blocks[1]) > REQUESTS / 20);
	assert_true(atomic_load(&p->all->w[0].messages[1]) > REQUESTS / 40);
	procs_stop(p);
	procs_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(isolation),
	};

	return cmocka_run_group_tests_name("fabric_isolation", tests, NULL, NULL);
}
