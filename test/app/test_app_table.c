/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_test.h"

#include "app_progress.h"
#include "app_table.h"

/* What a stream received; the caller frees it. */
static char *
printed(const struct app_table *table, unsigned int indent)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	app_table_print(table, out, indent);
	fclose(out);
	return text;
}

static void
columns_align(void **state)
{
	struct app_table *table = app_table_new(3);
	char *text;

	(void)state;
	app_table_cell(table, "%s", "path");
	app_table_cell(table, "%d", 64);
	app_table_cell(table, "%d", 1514);
	app_table_cell(table, "%s", "a longer name");
	app_table_cell(table, "%.3f", 12.5);
	app_table_cell(table, "%s", "-");
	text = printed(table, 2);
	assert_string_equal(text, "  path               64  1514\n"
				  "  a longer name  12.500     -\n");
	free(text);
	app_table_free(table);
}

static void
last_row_may_be_short(void **state)
{
	struct app_table *table = app_table_new(2);
	char *text;

	(void)state;
	app_table_cell(table, "a");
	app_table_cell(table, "b");
	app_table_cell(table, "c");
	text = printed(table, 0);
	assert_string_equal(text, "a  b\nc\n");
	free(text);
	app_table_free(table);
}

static void
many_cells_grow(void **state)
{
	struct app_table *table = app_table_new(1);
	char *text;

	(void)state;
	for (int i = 0; i < 1000; i++)
		app_table_cell(table, "%03d", i);
	text = printed(table, 0);
	assert_int_equal(strlen(text), 4000);
	assert_string_equal(text + 3996, "999\n");
	free(text);
	app_table_free(table);
}

static void
text_is_wrapped(void **state)
{
	char *text = NULL, words[400] = "";
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	for (int i = 0; i < 40; i++)
		strcat(words, i == 0 ? "seven77" : " seven77");
	app_print_wrapped(out, 4, words);
	fclose(out);
	/* 4 + 9 * 8 + 7 = 83 would be too long: nine words a line. */
	assert_int_equal(strcspn(text, "\n"), 4 + 9 * 8 - 1);
	assert_memory_equal(text, "    seven77 ", 12);
	assert_string_equal(text + len - 1 - 4 * 8 + 1 - 5, "\n    seven77 seven77 seven77 seven77\n");
	free(text);
}

static void
progress_line(void **state)
{
	char line[128];

	(void)state;
	app_progress_line(line, sizeof(line), 100, 0, 5, "begins");
	assert_string_equal(line, "[........................]   0 %, begins");
	app_progress_line(line, sizeof(line), 100, 0.5, 10, "half");
	assert_string_equal(line, "[############............]  50 %, 10 s left, half");
	app_progress_line(line, sizeof(line), 100, 7, 10, "more than all");
	assert_string_equal(line, "[########################] 100 %, 0 s left, more than all");
	app_progress_line(line, sizeof(line), 100, -1, 10, "less than nothing");
	assert_string_equal(line, "[........................]   0 %, less than nothing");
}

static void
progress_line_is_cut(void **state)
{
	char line[128];

	(void)state;
	assert_int_equal(app_progress_line(line, sizeof(line), 30, 0, 0, "too long for it"), 30);
	assert_int_equal(strlen(line), 30);
	assert_int_equal(app_progress_line(line, 10, 30, 0, 0, "too long for it"), 9);
	assert_int_equal(strlen(line), 9);
}

static void
progress_is_silent_without_a_terminal(void **state)
{
	struct app_progress bar;
	FILE *out = tmpfile();
	long len;

	(void)state;
	app_progress_start(&bar, out);
	app_progress_show(&bar, 0.5, "half");
	app_progress_clear(&bar);
	len = ftell(out);
	fclose(out);
	assert_int_equal(len, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_align),
		cmocka_unit_test(last_row_may_be_short),
		cmocka_unit_test(many_cells_grow),
		cmocka_unit_test(text_is_wrapped),
		cmocka_unit_test(progress_line),
		cmocka_unit_test(progress_line_is_cut),
		cmocka_unit_test(progress_is_silent_without_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
