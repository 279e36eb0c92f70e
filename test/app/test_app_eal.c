/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_test.h"

#include <sched.h>
#include <sys/stat.h>

#include "app_eal.h"
#include "compare_paths.h"

static const char *const own[] = {"sizes", "json", NULL};

static int
split(int *eal_argc, const char *a, const char *b, const char *c)
{
	const char *argv[] = {"tool", a, b, c, NULL};
	int argc = 1;

	while (argv[argc] != NULL)
		argc++;
	return app_eal_split(argc, (char **)(uintptr_t)argv, own, eal_argc);
}

static void
command_line_is_split(void **state)
{
	int eal_argc = -1;

	(void)state;
	assert_int_equal(split(&eal_argc, NULL, NULL, NULL), 1);
	assert_int_equal(eal_argc, 0);
	assert_int_equal(split(&eal_argc, "--", "--sizes", "64"), 2);
	assert_int_equal(eal_argc, 0);
	assert_int_equal(split(&eal_argc, "-m", "256", "--"), 4);
	assert_int_equal(eal_argc, 2);
	assert_int_equal(split(&eal_argc, "-m", "256", NULL), 3);
	assert_int_equal(eal_argc, 2);
}

static void
refused(const char *option, const char *line)
{
	struct stderr_capture c;
	int eal_argc, ret;

	stderr_begin(&c);
	ret = split(&eal_argc, option, "--", NULL);
	assert_string_equal(stderr_end(&c), line);
	assert_int_equal(ret, -1);
}

static void
misplaced_options_are_refused(void **state)
{
	int eal_argc;

	(void)state;
	refused("--sizes", "--sizes: options of the tool belong behind --, as in '-- --sizes'\n");
	refused("--json=x", "--json=x: options of the tool belong behind --, as in '-- --json=x'\n");
	refused("-l", "-l: the tool sets this EAL option itself\n");
	refused("-l0-1", "-l0-1: the tool sets this EAL option itself\n");
	refused("--lcores=0", "--lcores=0: the tool sets this EAL option itself\n");
	refused("--vdev=net_ring0", "--vdev=net_ring0: the tool sets this EAL option itself\n");
	assert_int_equal(split(&eal_argc, "--log-level=debug", "--", NULL), 3);
	assert_int_equal(split(&eal_argc, "--jsonx", "--", NULL), 3);
}

static void
memory_options_are_seen(void **state)
{
	char *const huge[] = {(char[]){"-d"}, (char[]){"x.so"}, (char[]){"-m512"}};
	char *const other[] = {(char[]){"--match-allocations"}, (char[]){"-d"}};

	(void)state;
	assert_false(app_eal_chooses_memory(0, NULL));
	assert_false(app_eal_chooses_memory(2, huge));
	assert_true(app_eal_chooses_memory(3, huge));
	assert_false(app_eal_chooses_memory(2, other));
}

static void
runtime_folder_is_removed(void **state)
{
	char base[256], dpdk[300], dir[320], file[340];
	const char *tmp = getenv("TMPDIR");
	struct stat st;

	(void)state;
	snprintf(base, sizeof(base), "%s/eal-XXXXXX", tmp == NULL ? "/tmp" : tmp);
	assert_non_null(mkdtemp(base));
	snprintf(dpdk, sizeof(dpdk), "%s/dpdk", base);
	snprintf(dir, sizeof(dir), "%s/mine", dpdk);
	snprintf(file, sizeof(file), "%s/config", dir);
	setenv("RUNTIME_DIRECTORY", base, 1);
	assert_int_equal(mkdir(dpdk, 0700), 0);
	assert_int_equal(mkdir(dir, 0700), 0);
	fclose(fopen(file, "w"));
	app_eal_remove_runtime_dir("others");
	assert_int_equal(stat(file, &st), 0);
	app_eal_remove_runtime_dir("mine");
	assert_int_equal(stat(dir, &st), -1);
	unsetenv("RUNTIME_DIRECTORY");
	rmdir(dpdk);
	assert_int_equal(rmdir(base), 0);
}

static void
usable_cpus(void **state)
{
	int first = app_eal_nth_cpu(0);

	(void)state;
	assert_true(first >= 0);
	assert_true(app_eal_may_use_cpu((unsigned int)first));
	assert_false(app_eal_may_use_cpu(CPU_SETSIZE));
	assert_int_equal(app_eal_nth_cpu(CPU_SETSIZE), -1);
}

static const struct compare_path *
path(const char *name)
{
	const struct compare_path *p = compare_paths;

	while (p->name != NULL && strcmp(p->name, name) != 0)
		p++;
	assert_non_null(p->name);
	return p;
}

static void
line_rate_of_10gbe(void **state)
{
	double (*pps)(uint32_t) = path("10gbe")->computed_pps;

	(void)state;
	/* The figures everybody knows are of frames with FCS: 64 and 1518 bytes. */
	assert_int_equal((int)pps(60), 14880952);
	assert_int_equal((int)pps(1514), 812743);
}

static void
device_arguments(void **state)
{
	char text[64];

	(void)state;
	assert_int_equal(compare_dev_args(&path("net_memif")->dev[SIDE_RECEIVER], "r7", 4096, text,
					  sizeof(text)), 0);
	assert_string_equal(text, "role=server,socket=/r7,bsize=4096");
	assert_int_equal(compare_dev_args(&path("net_ring")->dev[SIDE_SENDER], "r7", 4096, text,
					  sizeof(text)), 0);
	assert_string_equal(text, "");
	for (size_t room = 1; room <= strlen("role=server,socket=/r7,bsize=4096"); room++)
		assert_int_equal(compare_dev_args(&path("net_memif")->dev[SIDE_RECEIVER], "r7",
						  4096, text, room), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_line_is_split),
		cmocka_unit_test(misplaced_options_are_refused),
		cmocka_unit_test(memory_options_are_seen),
		cmocka_unit_test(runtime_folder_is_removed),
		cmocka_unit_test(usable_cpus),
		cmocka_unit_test(line_rate_of_10gbe),
		cmocka_unit_test(device_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
