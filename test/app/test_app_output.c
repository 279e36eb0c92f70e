/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_test.h"

#include <sys/stat.h>

#include "app_output.h"

static char path[300];

static int
make_folder(void **state)
{
	const char *tmp = getenv("TMPDIR");
	static char template[256];

	(void)state;
	snprintf(template, sizeof(template), "%s/output-XXXXXX", tmp == NULL ? "/tmp" : tmp);
	if (mkdtemp(template) == NULL)
		return -1;
	snprintf(path, sizeof(path), "%s/file", template);
	return 0;
}

static int
remove_folder(void **state)
{
	(void)state;
	unlink(path);
	path[strlen(path) - strlen("/file")] = '\0';
	return rmdir(path);
}

static int
exists(void)
{
	struct stat st;

	return stat(path, &st) == 0;
}

static void
put(const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void
has(const char *text)
{
	char got[512];
	FILE *in = fopen(path, "r");
	size_t len;

	assert_non_null(in);
	len = fread(got, 1, sizeof(got) - 1, in);
	got[len] = '\0';
	fclose(in);
	assert_string_equal(got, text);
}

static void
new_file_is_dropped(void **state)
{
	struct app_output output;

	(void)state;
	unlink(path);
	assert_int_equal(app_output_claim(&output, path), 0);
	assert_true(exists());
	app_output_drop(&output);
	assert_false(exists());
}

static void
old_file_stays(void **state)
{
	struct app_output output;

	(void)state;
	put("before");
	assert_int_equal(app_output_claim(&output, path), 0);
	has("before");
	app_output_drop(&output);
	has("before");
}

static void
unwritable_is_refused(void **state)
{
	struct stderr_capture c;
	struct app_output output;
	int ret;

	(void)state;
	stderr_begin(&c);
	ret = app_output_claim(&output, "/nonexistent/file");
	assert_string_equal(stderr_end(&c),
			    "cannot write '/nonexistent/file': No such file or directory\n");
	assert_int_equal(ret, -1);
	assert_null(output.path);
	stderr_begin(&c);
	ret = app_output_claim(&output, "/");
	assert_string_equal(stderr_end(&c), "cannot write '/': Is a directory\n");
	assert_int_equal(ret, -1);
}

static void
full_device_is_told(void **state)
{
	struct app_output output;
	struct stderr_capture c;
	json_t *root = json_pack("{s:i}", "a", 1);
	int ret;

	(void)state;
	assert_int_equal(app_output_claim(&output, "/dev/full"), 0);
	stderr_begin(&c);
	ret = app_output_json(&output, root);
	assert_string_equal(stderr_end(&c),
			    "cannot write all of '/dev/full': No space left on device\n");
	assert_int_equal(ret, -1);
	json_decref(root);
}

static void
json_of_statistics(void **state)
{
	struct app_stats stats = {.count = 3, .min = 1, .avg = 2, .max = 3, .p10 = 1.2, .p50 = 2,
				  .p90 = 2.8, .p99 = 2.98};
	struct app_output output;
	json_t *root = app_json_stats(&stats), *read;
	json_error_t error;

	(void)state;
	put("a longer text than the JSON, to see that it is cut off"
	    "...........................................................................");
	assert_int_equal(app_output_claim(&output, path), 0);
	assert_int_equal(app_output_json(&output, root), 0);
	read = json_load_file(path, 0, &error);
	assert_non_null(read);
	assert_true(json_equal(read, root));
	assert_int_equal(json_integer_value(json_object_get(read, "samples")), 3);
	assert_true(json_real_value(json_object_get(read, "p99")) == 2.98);
	json_decref(read);
	json_decref(root);
}

static void
json_of_the_machine(void **state)
{
	json_t *machine = app_json_machine("DPDK x");
	char line[512];

	(void)state;
	assert_non_null(machine);
	assert_string_equal(json_string_value(json_object_get(machine, "dpdk")), "DPDK x");
	assert_true(json_integer_value(json_object_get(machine, "cpus_online")) >= 1);
	assert_int_equal(strlen(json_string_value(json_object_get(machine, "utc"))), 20);
	app_machine_line(line, sizeof(line), "DPDK x");
	assert_non_null(strstr(line, json_string_value(json_object_get(machine, "kernel"))));
	json_decref(machine);
}

static void
csv_fields(void **state)
{
	struct app_output output;
	struct app_csv csv = {0};

	(void)state;
	assert_int_equal(app_output_claim(&output, path), 0);
	csv.out = app_output_open(&output);
	assert_non_null(csv.out);
	app_csv_text(&csv, "plain");
	app_csv_text(&csv, "a,b");
	app_csv_text(&csv, "say \"x\"");
	app_csv_text(&csv, "");
	app_csv_u64(&csv, UINT64_MAX);
	app_csv_real(&csv, 0.25);
	app_csv_end_line(&csv);
	app_csv_text(&csv, "two\nlines");
	app_csv_end_line(&csv);
	assert_int_equal(app_output_close(&output, csv.out), 0);
	has("plain,\"a,b\",\"say \"\"x\"\"\",,18446744073709551615,0.25\r\n\"two\nlines\"\r\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_file_is_dropped),
		cmocka_unit_test(old_file_stays),
		cmocka_unit_test(unwritable_is_refused),
		cmocka_unit_test(full_device_is_told),
		cmocka_unit_test(json_of_statistics),
		cmocka_unit_test(json_of_the_machine),
		cmocka_unit_test(csv_fields),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
