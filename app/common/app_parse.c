/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app_error.h"
#include "app_parse.h"

/* The whole of a text of `len` characters as a number; -1 when it is none. */
static int
number(const char *text, size_t len, uint32_t *out)
{
	uint64_t value = 0;

	if (len == 0)
		return -1;
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)text[i]))
			return -1;
		value = value * 10 + (uint64_t)(text[i] - '0');
		if (value > UINT32_MAX)
			return -1;
	}
	*out = (uint32_t)value;
	return 0;
}

int
app_parse_u32(const char *option, const char *text, uint32_t min, uint32_t max, uint32_t *out)
{
	uint32_t value;

	if (number(text, strlen(text), &value) < 0 || value < min || value > max)
		return app_error("%s: '%s' is not a number from %u to %u", option, text, min, max);
	*out = value;
	return 0;
}

int
app_parse_real(const char *option, const char *text, double min, double max, double *out)
{
	char *end;
	double value;

	errno = 0;
	value = strtod(text, &end);
	if (end == text || *end != '\0' || errno != 0 || !isfinite(value) || value < min ||
	    value > max)
		return app_error("%s: '%s' is not a number from %g to %g", option, text, min, max);
	*out = value;
	return 0;
}

/* Length of the list's item that starts at text. */
static size_t
item_length(const char *text)
{
	return strcspn(text, ",");
}

int
app_parse_u32_list(const char *option, const char *text, uint32_t min, uint32_t max, uint32_t *out,
		   unsigned int room)
{
	uint32_t value[room];
	unsigned int count = 0;

	for (const char *item = text;; item += item_length(item) + 1) {
		size_t len = item_length(item);
		uint32_t one;

		if (number(item, len, &one) < 0 || one < min || one > max)
			return app_error("%s: '%.*s' in '%s' is not a number from %u to %u",
					 option, (int)len, item, text, min, max);
		for (unsigned int i = 0; i < count; i++)
			if (value[i] == one)
				return app_error("%s: %u is twice in '%s'", option, one, text);
		if (count == room)
			return app_error("%s: '%s' has more than %u values", option, text, room);
		value[count++] = one;
		if (item[len] == '\0')
			break;
	}
	memcpy(out, value, count * sizeof(*out));
	return (int)count;
}

static int
find_name(const char *item, size_t len, const char *const *known)
{
	for (int i = 0; known[i] != NULL; i++)
		if (strlen(known[i]) == len && strncmp(known[i], item, len) == 0)
			return i;
	return -1;
}

static int
unknown_name(const char *option, const char *item, size_t len, const char *const *known)
{
	char all[512] = "";

	for (int i = 0; known[i] != NULL; i++) {
		size_t used = strlen(all);

		if (used + strlen(known[i]) + 3 > sizeof(all))
			break;
		if (used > 0)
			strcat(all, ", ");
		strcat(all, known[i]);
	}
	return app_error("%s: '%.*s' is none of %s", option, (int)len, item, all);
}

int
app_parse_names(const char *option, const char *text, const char *const *known, unsigned int *out,
		unsigned int room)
{
	unsigned int index[room], count = 0;

	for (const char *item = text;; item += item_length(item) + 1) {
		size_t len = item_length(item);
		int found = find_name(item, len, known);

		if (found < 0)
			return unknown_name(option, item, len, known);
		for (unsigned int i = 0; i < count; i++)
			if (index[i] == (unsigned int)found)
				return app_error("%s: %s is twice in '%s'", option, known[found],
						 text);
		if (count == room)
			return app_error("%s: '%s' has more than %u names", option, text, room);
		index[count++] = (unsigned int)found;
		if (item[len] == '\0')
			break;
	}
	memcpy(out, index, count * sizeof(*out));
	return (int)count;
}
