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

/* So many processes around so many switches, with IDs of so many bits. */
static const struct layout {
	uint32_t procs, switches, bits;
} layouts[] = {
	{ 2, 1, 8 }, { 3, 1, 8 }, { 8, 1, 8 }, { 2, 2, 8 }, { 3, 2, 8 }, { 8, 2, 8 },
	{ 2, 1, 16 }, { 3, 1, 16 }, { 8, 1, 16 }, { 2, 2, 16 }, { 3, 2, 16 }, { 8, 2, 16 },
};
#ifdef TEST_SHORT
#define LAYOUT_STEP	5u
#else
#define LAYOUT_STEP	1u
#endif
#define LAYOUT_TIMES	60u

/* Turn by turn at each switch; of 16 bits, some have their domain alone, some not. */
static const uint32_t ids16[8] = {
	0x0001, 0x4502, 0x0003, 0x4504, 0x0705, 0x8806, 0x0907, 0xfe08,
};

static void
layout_write(int fd, const struct layout *l)
{
	uint32_t i;

	assert_true(dprintf(fd, "[fabric]\nname = layout\nid_bits = %u\n[switches]\n", l->bits) > 0);
	for (i = 0; i < l->switches; i++)
		dprintf(fd, "s%u = 9 ports\n", i);
	dprintf(fd, "[endpoints]\n");
	for (i = 0; i < l->procs; i++)
		dprintf(fd, "n%u = 0x%x%s\n", i, l->bits == 16 ? ids16[i] : i + 3,
			i == 0 ? " host" : "");
	dprintf(fd, "[links]\n");
	for (i = 0; i < l->procs; i++)
		dprintf(fd, "n%u = s%u.%u\n", i, i % l->switches, i);
	if (l->switches == 2)
		dprintf(fd, "s0.8 = s1.8\n");
}

static void
layout(const struct layout *l)
{
	char path[] = "/tmp/fabric-XXXXXX.ini";
	int fd = mkstemps(path, 4);
	struct procs *p;
	uint32_t i;

	print_message("%u processes, %u switches, %u bits\n", l->procs, l->switches, l->bits);
	assert_true(fd >= 0);
	layout_write(fd, l);
	close(fd);
	p = procs_new(l->procs, path);
	procs_start_all(p);
	for (i = 0; i < l->procs; i++)
		assert_int_equal(atomic_load(&p->all->w[i].at),
				 (l->bits == 16 ? ids16[i] : i + 3) + 1);
	procs_exchange(p, LAYOUT_TIMES, SECONDS);
	procs_stop(p);
	assert_false(procs_file(p));
	procs_free(p);
	unlink(path);
}

static void
all_layouts(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i += LAYOUT_STEP)
		layout(&layouts[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two),
		cmocka_unit_test(two_cable),
		cmocka_unit_test(two_irq),
		cmocka_unit_test(three_threads),
		cmocka_unit_test(eight),
		cmocka_unit_test(eight_two_switches),
		cmocka_unit_test(all_layouts),
	};

	return cmocka_run_group_tests_name("fabric_exchange", tests, NULL, NULL);
}
