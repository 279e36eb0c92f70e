/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_test.h"

#include "app_hist.h"

/* Every value is found again within 1.6 %, whatever its size. */
static void
places(void **state)
{
	static struct app_hist hist;

	(void)state;
	for (uint64_t value = 0; value < 1ull << 62; value += value / 8 + 1) {
		uint64_t got;

		memset(&hist, 0, sizeof(hist));
		app_hist_add(&hist, value);
		app_hist_add(&hist, value / 2);
		app_hist_add(&hist, value * 2);
		got = app_hist_percentile(&hist, 50);
		assert_true(got >= value);
		assert_true((double)got <= (double)value * 1.016);
	}
}

static void
percentiles(void **state)
{
	static struct app_hist hist;

	(void)state;
	assert_int_equal(app_hist_percentile(&hist, 50), 0);
	assert_true(app_hist_avg(&hist) == 0);
	for (uint64_t v = 1; v <= 1000; v++)
		app_hist_add(&hist, v);
	assert_true(app_hist_avg(&hist) == 500.5);
	assert_int_equal(app_hist_percentile(&hist, 0), 1);
	assert_int_equal(app_hist_percentile(&hist, 100), 1000);
	assert_in_range(app_hist_percentile(&hist, 50), 500, 508);
	assert_in_range(app_hist_percentile(&hist, 99), 990, 1000);
}

/* The largest values neither get lost nor write elsewhere. */
static void
extremes(void **state)
{
	static struct app_hist hist;

	(void)state;
	app_hist_add(&hist, UINT64_MAX);
	app_hist_add(&hist, 0);
	assert_int_equal(hist.min, 0);
	assert_int_equal(hist.max, UINT64_MAX);
	assert_int_equal(app_hist_percentile(&hist, 50), 0);
}

static void
merges(void **state)
{
	static struct app_hist a, b, none;

	(void)state;
	app_hist_add(&a, 10);
	app_hist_add(&b, 3);
	app_hist_add(&b, 20);
	app_hist_merge(&a, &none);
	app_hist_merge(&a, &b);
	assert_int_equal(a.count, 3);
	assert_int_equal(a.min, 3);
	assert_int_equal(a.max, 20);
	assert_int_equal(app_hist_percentile(&a, 50), 10);
	app_hist_merge(&none, &a);
	assert_int_equal(none.min, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places),
		cmocka_unit_test(percentiles),
		cmocka_unit_test(extremes),
		cmocka_unit_test(merges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
