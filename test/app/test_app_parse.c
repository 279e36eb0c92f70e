/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_test.h"

#include "app_parse.h"

static const char *const known[] = {"ring", "memif", "10gbe", NULL};

/* A value that is refused: one line that says so, and nothing else changed. */
static void
refused_u32(const char *text, const char *line)
{
	struct stderr_capture c;
	uint32_t value = 77;
	int ret;

	stderr_begin(&c);
	ret = app_parse_u32("--n", text, 2, 100, &value);
	assert_string_equal(stderr_end(&c), line);
	assert_int_equal(ret, -1);
	assert_int_equal(value, 77);
}

static void
u32(void **state)
{
	uint32_t value = 0;

	(void)state;
	assert_int_equal(app_parse_u32("--n", "2", 2, 100, &value), 0);
	assert_int_equal(value, 2);
	assert_int_equal(app_parse_u32("--n", "100", 2, 100, &value), 0);
	assert_int_equal(value, 100);
	refused_u32("1", "--n: '1' is not a number from 2 to 100\n");
	refused_u32("101", "--n: '101' is not a number from 2 to 100\n");
	refused_u32("", "--n: '' is not a number from 2 to 100\n");
	refused_u32("-3", "--n: '-3' is not a number from 2 to 100\n");
	refused_u32("3x", "--n: '3x' is not a number from 2 to 100\n");
	refused_u32("4294967298", "--n: '4294967298' is not a number from 2 to 100\n");
	refused_u32("18446744073709551618",
		    "--n: '18446744073709551618' is not a number from 2 to 100\n");
}

static void
refused_real(const char *text)
{
	struct stderr_capture c;
	double value = 77;
	int ret;

	stderr_begin(&c);
	ret = app_parse_real("--sec", text, 0.5, 10, &value);
	assert_non_null(strstr(stderr_end(&c), "is not a number from 0.5 to 10\n"));
	assert_int_equal(ret, -1);
	assert_true(value == 77);
}

static void
real(void **state)
{
	double value = 0;

	(void)state;
	assert_int_equal(app_parse_real("--sec", "1.25", 0.5, 10, &value), 0);
	assert_true(value == 1.25);
	refused_real("0.4");
	refused_real("11");
	refused_real("nan");
	refused_real("inf");
	refused_real("1e999");
	refused_real("");
	refused_real("2s");
}

static void
refused_list(const char *text, const char *line)
{
	uint32_t value[3] = {77, 77, 77};
	struct stderr_capture c;
	int ret;

	stderr_begin(&c);
	ret = app_parse_u32_list("--sizes", text, 60, 9728, value, 3);
	assert_string_equal(stderr_end(&c), line);
	assert_int_equal(ret, -1);
	assert_int_equal(value[0], 77);
}

static void
u32_list(void **state)
{
	uint32_t value[3];

	(void)state;
	assert_int_equal(app_parse_u32_list("--sizes", "64,1514,60", 60, 9728, value, 3), 3);
	assert_int_equal(value[0], 64);
	assert_int_equal(value[1], 1514);
	assert_int_equal(value[2], 60);
	assert_int_equal(app_parse_u32_list("--sizes", "9728", 60, 9728, value, 3), 1);
	assert_int_equal(value[0], 9728);
	refused_list("64,,65", "--sizes: '' in '64,,65' is not a number from 60 to 9728\n");
	refused_list("64,", "--sizes: '' in '64,' is not a number from 60 to 9728\n");
	refused_list(",64", "--sizes: '' in ',64' is not a number from 60 to 9728\n");
	refused_list("64,59", "--sizes: '59' in '64,59' is not a number from 60 to 9728\n");
	refused_list("64,65,64", "--sizes: 64 is twice in '64,65,64'\n");
	refused_list("61,62,63,64", "--sizes: '61,62,63,64' has more than 3 values\n");
}

static void
refused_names(const char *text, const char *line)
{
	unsigned int index[2] = {77, 77};
	struct stderr_capture c;
	int ret;

	stderr_begin(&c);
	ret = app_parse_names("--paths", text, known, index, 2);
	assert_string_equal(stderr_end(&c), line);
	assert_int_equal(ret, -1);
	assert_int_equal(index[0], 77);
}

static void
names(void **state)
{
	unsigned int index[3];

	(void)state;
	assert_int_equal(app_parse_names("--paths", "10gbe,ring", known, index, 3), 2);
	assert_int_equal(index[0], 2);
	assert_int_equal(index[1], 0);
	refused_names("rin", "--paths: 'rin' is none of ring, memif, 10gbe\n");
	refused_names("rings", "--paths: 'rings' is none of ring, memif, 10gbe\n");
	refused_names("", "--paths: '' is none of ring, memif, 10gbe\n");
	refused_names("ring,ring", "--paths: ring is twice in 'ring,ring'\n");
	refused_names("ring,memif,10gbe", "--paths: 'ring,memif,10gbe' has more than 2 names\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(u32),
		cmocka_unit_test(real),
		cmocka_unit_test(u32_list),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
