/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Processes exchange blocks, reads, doorbells and messages, contents checked. */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "procs.h"

#define TIMES	200u
#define SECONDS	60u

static void
exchange(struct procs *p)
{
	procs_start_all(p);
	assert_true(procs_file(p));
	procs_exchange(p, TIMES, SECONDS);
	procs_stop(p);
	assert_false(procs_file(p));
	procs_free(p);
}

static void
two(void **state)
{
	(void)state;
	exchange(procs_new(2, NULL));
}

static void
two_cable(void **state)
{
	(void)state;
	exchange(procs_new(2, "pair.ini"));
}

static void
two_irq(void **state)
{
	struct procs *p = procs_new(2, NULL);

	(void)state;
	p->all->w[0].irq = true;
	p->all->w[1].irq = true;
	procs_start_all(p);
	procs_exchange(p, TIMES / 4, SECONDS);
	procs_stop(p);
	assert_true(atomic_load(&p->all->w[0].irqs) > 0);
	assert_true(atomic_load(&p->all->w[1].irqs) > 0);
	procs_free(p);
}

static void
three_threads(void **state)
{
	struct procs *p = procs_new(3, NULL);

	(void)state;
	p->all->w[0].thread = true;
	p->all->w[2].thread = true;
	exchange(p);
}

static void
eight(void **state)
{
	(void)state;
	exchange(procs_new(8, NULL));
}

/* Half of them at each of two switches. */
static void
eight_two_switches(void **state)
{
	struct procs *p = procs_new(8, "two-switches-16.ini");
	uint32_t i;

	(void)state;
	for (i = 0; i < 8; i++)
		snprintf(p->all->w[i].node, sizeof(p->all->w[i].node), "n%u", i + 4);
	exchange(p);
}

/* 16-bit IDs, in three domains, over two switches. */
static void
three_ids16(void **state)
{
	char path[] = "/tmp/fabric-XXXXXX.ini";
	int fd = mkstemps(path, 4);
	struct procs *p;

	(void)state;
	assert_true(fd >= 0);
	assert_true(dprintf(fd, "[fabric]\nname = ids16\nid_bits = 16\n[switches]\n"
			    "s0 = 4 ports\ns1 = 4 ports\n[endpoints]\nn0 = 0x0001 host\n"
			    "n1 = 0x0301\nn2 = 0x4502\n[links]\nn0 = s0.0\nn1 = s1.0\n"
			    "n2 = s1.1\ns0.3 = s1.3\n") > 0);
	close(fd);
	p = procs_new(3, path);
	exchange(p);
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two),
		cmocka_unit_test(two_cable),
		cmocka_unit_test(two_irq),
		cmocka_unit_test(three_threads),
		cmocka_unit_test(three_ids16),
		cmocka_unit_test(eight),
		cmocka_unit_test(eight_two_switches),
	};

	return cmocka_run_group_tests_name("fabric_exchange", tests, NULL, NULL);
}
