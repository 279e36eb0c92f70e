/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_TABLE_H
#define APP_TABLE_H

/*
 * A table of text for a terminal. The first column is aligned to the left, the
 * others to the right, all as wide as their widest cell. Plain ASCII is assumed.
 */

#include <stdio.h>

struct app_table;

/* Returns NULL when there is no memory. */
struct app_table *app_table_new(unsigned int columns);
void app_table_free(struct app_table *table);

/*
 * Add the next cell; a row is full after as many as there are columns. Cells of
 * the last row that were not added print as empty.
 */
void app_table_cell(struct app_table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Print all rows, each behind `indent` spaces; the first row is the heading. */
void app_table_print(const struct app_table *table, FILE *out, unsigned int indent);

/* Print text broken at spaces into lines of at most 80 characters, all indented. */
void app_print_wrapped(FILE *out, unsigned int indent, const char *text);

#endif
