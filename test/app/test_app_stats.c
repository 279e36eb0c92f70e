/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_test.h"

#include "app_stats.h"

static void
near(double value, double wanted, double distance)
{
	assert_true(value > wanted - distance && value < wanted + distance);
}

static void
add(struct app_samples *set, const double *value, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_int_equal(app_samples_add(set, value[i]), 0);
}

static void
no_samples(void **state)
{
	struct app_samples set = {0};
	struct app_stats stats = {.max = 1};

	(void)state;
	app_samples_stats(&set, &stats);
	assert_int_equal(stats.count, 0);
	assert_true(stats.min == 0 && stats.p50 == 0 && stats.max == 0);
	app_samples_free(&set);
}

static void
one_sample(void **state)
{
	struct app_samples set = {0};
	struct app_stats stats;

	(void)state;
	app_samples_add(&set, 7);
	app_samples_stats(&set, &stats);
	assert_int_equal(stats.count, 1);
	assert_true(stats.min == 7 && stats.avg == 7 && stats.p10 == 7 && stats.p99 == 7);
	app_samples_free(&set);
}

static void
unsorted_samples(void **state)
{
	static const double value[] = {5, 1, 4, 2, 3};
	struct app_samples set = {0};
	struct app_stats stats;

	(void)state;
	add(&set, value, 5);
	app_samples_stats(&set, &stats);
	assert_true(stats.min == 1 && stats.avg == 3 && stats.p50 == 3 && stats.max == 5);
	near(stats.p10, 1.4, 1e-12);
	near(stats.p90, 4.6, 1e-12);
	near(stats.p99, 4.96, 1e-12);
	app_samples_free(&set);
}

static void
even_count_takes_the_middle(void **state)
{
	static const double value[] = {10, 20, 40, 30};
	struct app_samples set = {0};
	struct app_stats stats;

	(void)state;
	add(&set, value, 4);
	app_samples_stats(&set, &stats);
	near(stats.p50, 25, 1e-12);
	app_samples_free(&set);
}

static void
many_samples_grow(void **state)
{
	struct app_samples set = {0};
	struct app_stats stats;

	(void)state;
	for (int i = 1000; i >= 0; i--)
		assert_int_equal(app_samples_add(&set, i), 0);
	app_samples_stats(&set, &stats);
	assert_int_equal(stats.count, 1001);
	assert_true(stats.p10 == 100 && stats.p50 == 500 && stats.p99 == 990);
	app_samples_free(&set);
	assert_null(set.value);
}

static void
percentile_limits(void **state)
{
	static const double sorted[] = {1, 2, 3};

	(void)state;
	assert_true(app_percentile(sorted, 3, -1) == 1);
	assert_true(app_percentile(sorted, 3, 0) == 1);
	assert_true(app_percentile(sorted, 3, 100) == 3);
	assert_true(app_percentile(sorted, 3, 101) == 3);
	assert_true(app_percentile(sorted, 0, 50) == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_samples),
		cmocka_unit_test(one_sample),
		cmocka_unit_test(unsorted_samples),
		cmocka_unit_test(even_count_takes_the_middle),
		cmocka_unit_test(many_samples_grow),
		cmocka_unit_test(percentile_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
