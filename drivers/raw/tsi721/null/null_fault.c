/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Faults as text. */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "null_fault.h"

enum arg_kind { ARG_NONE, ARG_LANES, ARG_RATE, ARG_USEC, ARG_CHANNELS };

static const struct {
	const char *name;
	enum arg_kind arg;
	const char *allowed;
} kinds[NULL_FAULT_KINDS] = {
	[NULL_FAULT_DOWN] = { "down", ARG_NONE, "nothing" },
	[NULL_FAULT_LANES] = { "lanes", ARG_LANES, "lanes 0 to 3, as in 1,3" },
	[NULL_FAULT_DROP] = { "drop", ARG_RATE, "1/N, P% or nothing" },
	[NULL_FAULT_ERROR] = { "error", ARG_RATE, "1/N, P% or nothing" },
	[NULL_FAULT_TIMEOUT] = { "timeout", ARG_RATE, "1/N, P% or nothing" },
	[NULL_FAULT_CORRUPT] = { "corrupt", ARG_RATE, "1/N, P% or nothing" },
	[NULL_FAULT_RETRY] = { "retry", ARG_RATE, "1/N, P% or nothing" },
	[NULL_FAULT_SLOW] = { "slow", ARG_USEC, "1 to 10000000 microseconds" },
	[NULL_FAULT_STUCK] = { "stuck", ARG_CHANNELS, "bdma0 to 7, omsg0 to 7, odb" },
};

const char *
null_fault_name(unsigned int kind)
{
	return kind < NULL_FAULT_KINDS ? kinds[kind].name : NULL;
}

/* Decimal digits only, at most max. */
static bool
number(const char *text, uint32_t max, uint32_t *val)
{
	size_t len = strlen(text);
	unsigned long v;

	if (len == 0 || len > 10 || strspn(text, "0123456789") != len)
		return false;
	v = strtoul(text, NULL, 10);
	*val = (uint32_t)v;
	return v <= max;
}

/* "12.5": millionths of a percent, without the locale's idea of a point. */
#define PERCENT		1000000u
#define PROB_ONE	(NULL_RATE_PROB - 1)

static bool
parse_percent(const char *text, size_t len, uint64_t *micro)
{
	uint32_t unit = PERCENT;
	bool point = false;
	size_t i;

	*micro = 0;
	for (i = 0; i < len; i++) {
		if (text[i] == '.' && !point && i > 0 && i + 1 < len) {
			point = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9' || *micro > 100ull * PERCENT)
			return false;
		if (!point) {
			*micro = *micro * 10 + (uint64_t)(text[i] - '0') * PERCENT;
			continue;
		}
		unit /= 10;
		*micro += (uint64_t)(text[i] - '0') * unit;
	}
	return *micro > 0 && *micro <= 100ull * PERCENT;
}

static bool
parse_rate(const char *text, uint32_t *arg)
{
	size_t len = strlen(text);
	uint64_t micro;

	if (len == 0) {
		*arg = 1;
		return true;
	}
	if (strncmp(text, "1/", 2) == 0)
		return number(text + 2, NULL_RATE_PROB - 1, arg) && *arg > 0;
	if (text[len - 1] != '%' || !parse_percent(text, len - 1, &micro))
		return false;
	*arg = (uint32_t)((micro * PROB_ONE + 50ull * PERCENT) / (100ull * PERCENT)) |
	       NULL_RATE_PROB;
	return true;
}

static void
format_rate(uint32_t arg, char *buf, size_t len)
{
	uint64_t micro;
	char text[24];
	size_t n;

	if ((arg & NULL_RATE_PROB) == 0) {
		if (arg != 1)
			snprintf(buf, len, " 1/%u", arg);
		return;
	}
	micro = ((uint64_t)(arg & PROB_ONE) * 100 * PERCENT + PROB_ONE / 2) / PROB_ONE;
	n = (size_t)snprintf(text, sizeof(text), "%u.%06u", (unsigned int)(micro / PERCENT),
			     (unsigned int)(micro % PERCENT));
	while (text[n - 1] == '0')
		n--;
	if (text[n - 1] == '.')
		n--;
	snprintf(buf, len, " %.*s%%", (int)n, text);
}

static bool
channel(const char *word, uint32_t *mask)
{
	uint32_t ch;

	if (strcmp(word, "odb") == 0) {
		*mask |= NULL_STUCK_ODB;
		return true;
	}
	if (strncmp(word, "bdma", 4) == 0 && number(word + 4, 7, &ch)) {
		*mask |= NULL_STUCK_BDMA(ch);
		return true;
	}
	if (strncmp(word, "omsg", 4) == 0 && number(word + 4, 7, &ch)) {
		*mask |= NULL_STUCK_OMSG(ch);
		return true;
	}
	return false;
}

static bool
lane(const char *word, uint32_t *mask)
{
	uint32_t n;

	if (!number(word, NULL_FAULT_LANES_MAX - 1, &n))
		return false;
	*mask |= 1u << n;
	return true;
}

/* Words with commas or blanks between them. */
static bool
parse_list(char *text, bool (*one)(const char *, uint32_t *), uint32_t *arg)
{
	char *save = NULL, *word;

	*arg = 0;
	for (word = strtok_r(text, ", \t", &save); word != NULL;
	     word = strtok_r(NULL, ", \t", &save))
		if (!one(word, arg))
			return false;
	return *arg != 0;
}

static bool
parse_arg(enum arg_kind kind, char *text, uint32_t *arg)
{
	switch (kind) {
	case ARG_NONE:
		*arg = 1;
		return *text == '\0';
	case ARG_RATE:
		return parse_rate(text, arg);
	case ARG_USEC:
		return number(text, NULL_FAULT_SLOW_MAX, arg) && *arg > 0;
	case ARG_LANES:
		return parse_list(text, lane, arg);
	case ARG_CHANNELS:
		return parse_list(text, channel, arg);
	}
	return false;
}

static int
bad_kind(const char *word, char *err, size_t errlen)
{
	unsigned int i;
	size_t n;

	n = (size_t)snprintf(err, errlen, "fault '%.32s' is none of", word);
	for (i = 0; i < NULL_FAULT_KINDS && n < errlen; i++)
		n += (size_t)snprintf(err + n, errlen - n, "%s %s", i == 0 ? "" : ",",
				      kinds[i].name);
	return -EINVAL;
}

int
null_fault_parse(const char *text, struct null_fault *fault, char *err, size_t errlen)
{
	char copy[NULL_FAULT_TEXT_LEN], shown[64];
	char *arg, *end;
	unsigned int i;

	text += strspn(text, " \t");
	if (strlen(text) >= sizeof(copy)) {
		snprintf(err, errlen, "fault '%.32s...' is too long", text);
		return -EINVAL;
	}
	strcpy(copy, text);
	for (end = copy + strlen(copy); end > copy && strchr(" \t", end[-1]) != NULL; end--)
		end[-1] = '\0';
	arg = copy + strcspn(copy, " \t");
	if (*arg != '\0')
		*arg++ = '\0';
	arg += strspn(arg, " \t");

	for (i = 0; i < NULL_FAULT_KINDS; i++)
		if (strcmp(copy, kinds[i].name) == 0)
			break;
	if (i == NULL_FAULT_KINDS)
		return bad_kind(copy, err, errlen);
	snprintf(shown, sizeof(shown), "%s", arg);
	if (!parse_arg(kinds[i].arg, arg, &fault->arg)) {
		snprintf(err, errlen, "fault '%s' takes %s, not '%s'", kinds[i].name,
			 kinds[i].allowed, shown);
		return -EINVAL;
	}
	fault->kind = (enum null_fault_kind)i;
	return 0;
}

static void
format_list(uint32_t mask, enum arg_kind kind, char *buf, size_t len)
{
	const char *sep = " ";
	unsigned int i;
	size_t n = 0;

	for (i = 0; i < 32 && n < len; i++) {
		if ((mask & (1u << i)) == 0)
			continue;
		if (kind == ARG_LANES)
			n += (size_t)snprintf(buf + n, len - n, "%s%u", sep, i);
		else if (i == 16)
			n += (size_t)snprintf(buf + n, len - n, "%sodb", sep);
		else
			n += (size_t)snprintf(buf + n, len - n, "%s%s%u", sep,
					      i < 8 ? "bdma" : "omsg", i % 8);
		sep = ",";
	}
}

void
null_fault_format(const struct null_fault *fault, char *buf, size_t len)
{
	int n = snprintf(buf, len, "%s", kinds[fault->kind].name);

	if (n < 0 || (size_t)n >= len)
		return;
	buf += n;
	len -= (size_t)n;
	switch (kinds[fault->kind].arg) {
	case ARG_NONE:
		break;
	case ARG_USEC:
		snprintf(buf, len, " %u", fault->arg);
		break;
	case ARG_RATE:
		format_rate(fault->arg, buf, len);
		break;
	case ARG_LANES:
	case ARG_CHANNELS:
		format_list(fault->arg, kinds[fault->kind].arg, buf, len);
		break;
	}
}
