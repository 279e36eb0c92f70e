/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* What dpdk-rio-latency keeps of its measurements, and what it reads about CPUs. */

#include "app_test.h"

#include <sys/stat.h>

#include "latency_cores.h"
#include "latency_record.h"

static void
figures(void **state)
{
	static const uint64_t ns[] = { 3500, 2999, 9000, 4000, 100000, 3001 };
	struct latency_record rec;

	(void)state;
	assert_int_equal(latency_record_init(&rec, 10, 1000), 0);
	assert_int_equal(latency_record_avg(&rec), 0);
	for (unsigned int i = 0; i < 6; i++)
		latency_record_add(&rec, ns[i]);
	assert_int_equal(rec.cycles, 6);
	assert_int_equal(rec.min, 2999);
	assert_int_equal(rec.max, 100000);
	assert_int_equal(rec.act, 3001);
	assert_int_equal(latency_record_avg(&rec), 122500 / 6);
	assert_int_equal(rec.histogram[2], 1);
	assert_int_equal(rec.histogram[3], 2);
	assert_int_equal(rec.histogram[4], 1);
	assert_int_equal(rec.histogram[9], 1);
	assert_int_equal(rec.overflows, 1);
	assert_int_equal(rec.first_overflow[0], 4);
	/* The third of six is in the place of 3 us; beyond the last place it is the maximum. */
	assert_int_equal(latency_record_percentile(&rec, 50), 3999);
	assert_int_equal(latency_record_percentile(&rec, 80), 9999);
	assert_int_equal(latency_record_percentile(&rec, 99), 100000);
	latency_record_free(&rec);
}

static void
without_histogram(void **state)
{
	struct latency_record rec;

	(void)state;
	assert_int_equal(latency_record_init(&rec, 0, 1), 0);
	latency_record_add(&rec, 7);
	assert_int_equal(rec.max, 7);
	assert_int_equal(latency_record_percentile(&rec, 50), 0);
	latency_record_free(&rec);
}

/* The first sixteen are kept, all are counted. */
static void
overflows(void **state)
{
	struct latency_record rec;

	(void)state;
	assert_int_equal(latency_record_init(&rec, 2, 1), 0);
	for (unsigned int i = 0; i < 40; i++)
		latency_record_add(&rec, 5);
	assert_int_equal(rec.overflows, 40);
	assert_int_equal(rec.first_overflow[15], 15);
	latency_record_free(&rec);
}

static void
lists(void **state)
{
	static const char *const bad[] = { "x", "1-", "3-1", "1,,2", "1;2", "-1", "999999", "1-2-3" };
	cpu_set_t set;

	(void)state;
	assert_int_equal(latency_cpu_list("0-2,5,7-7\n", &set), 0);
	assert_int_equal(CPU_COUNT(&set), 5);
	assert_true(CPU_ISSET(2, &set) && CPU_ISSET(5, &set) && CPU_ISSET(7, &set));
	assert_int_equal(latency_cpu_list("\n", &set), 0);
	assert_int_equal(CPU_COUNT(&set), 0);
	assert_int_equal(latency_cpu_list("  (null)\n", &set), 0);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(latency_cpu_list(bad[i], &set), -1);
}

static void
put(const char *root, const char *file, const char *text)
{
	char path[512];
	FILE *out;

	snprintf(path, sizeof(path), "%s%s", root, file);
	for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

/* A machine made of files: isolcpus, a cpuset that is isolated, the command line. */
static void
machine(void **state)
{
	char root[] = "/tmp/latency-XXXXXX", command[64];
	struct latency_cores cores;

	(void)state;
	assert_non_null(mkdtemp(root));
	put(root, "/sys/devices/system/cpu/isolated", "2-3\n");
	put(root, "/sys/devices/system/cpu/nohz_full", "  (null)\n");
	put(root, "/proc/cmdline", "quiet xrcu_nocbs=1 rcu_nocbs=2-3 ro\n");
	put(root, "/proc/self/cpuset", "/rt\n");
	put(root, "/sys/fs/cgroup/rt/cpuset.cpus.partition", "isolated\n");
	put(root, "/sys/fs/cgroup/rt/cpuset.cpus.effective", "6\n");
	latency_cores_read(&cores, root);
	assert_int_equal(CPU_COUNT(&cores.isolated), 3);
	assert_true(latency_core_isolated(&cores, 2) && latency_core_isolated(&cores, 6));
	assert_false(latency_core_isolated(&cores, 1) || latency_core_isolated(&cores, -1));
	assert_int_equal(CPU_COUNT(&cores.nohz_full), 0);
	assert_string_equal(cores.cpuset, "/rt");
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures),
		cmocka_unit_test(without_histogram),
		cmocka_unit_test(overflows),
		cmocka_unit_test(lists),
		cmocka_unit_test(machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
