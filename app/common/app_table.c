/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "app_table.h"

struct app_table {
	unsigned int columns;
	size_t cells;
	size_t room;
	char **cell;
};

struct app_table *
app_table_new(unsigned int columns)
{
	struct app_table *table = calloc(1, sizeof(*table));

	if (table != NULL)
		table->columns = columns;
	return table;
}

void
app_table_free(struct app_table *table)
{
	if (table == NULL)
		return;
	for (size_t i = 0; i < table->cells; i++)
		free(table->cell[i]);
	free(table->cell);
	free(table);
}

static int
make_room(struct app_table *table)
{
	size_t room = table->room == 0 ? 64 : table->room * 2;
	char **grown;

	if (table->cells < table->room)
		return 0;
	grown = realloc(table->cell, room * sizeof(*grown));
	if (grown == NULL)
		return -1;
	table->cell = grown;
	table->room = room;
	return 0;
}

void
app_table_cell(struct app_table *table, const char *format, ...)
{
	va_list ap;
	char *text;
	int len;

	if (make_room(table) < 0)
		return;
	va_start(ap, format);
	len = vasprintf(&text, format, ap);
	va_end(ap);
	if (len >= 0)
		table->cell[table->cells++] = text;
}

static int
column_width(const struct app_table *table, unsigned int column)
{
	size_t width = 0;

	for (size_t i = column; i < table->cells; i += table->columns)
		if (strlen(table->cell[i]) > width)
			width = strlen(table->cell[i]);
	return (int)width;
}

void
app_table_print(const struct app_table *table, FILE *out, unsigned int indent)
{
	for (size_t i = 0; i < table->cells; i++) {
		unsigned int column = (unsigned int)(i % table->columns);
		int width = column_width(table, column);

		if (column == 0)
			fprintf(out, "%*s%-*s", (int)indent, "", width, table->cell[i]);
		else
			fprintf(out, "  %*s", width, table->cell[i]);
		if (column == table->columns - 1 || i == table->cells - 1)
			fputc('\n', out);
	}
}

#define LINE_WIDTH 80u

void
app_print_wrapped(FILE *out, unsigned int indent, const char *text)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t word = strcspn(text, " ");

		if (column > indent && column + 1 + word > LINE_WIDTH) {
			fputc('\n', out);
			column = 0;
		}
		if (column == 0)
			column += (size_t)fprintf(out, "%*s", (int)indent, "");
		else
			column += (size_t)fprintf(out, " ");
		column += (size_t)fprintf(out, "%.*s", (int)word, text);
		text += word;
		text += strspn(text, " ");
	}
	if (column > 0)
		fputc('\n', out);
}
