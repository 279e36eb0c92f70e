/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_kvargs.h>
#include <rte_string_fns.h>

#include "rionet_args.h"
#include "rionet_region.h"

/* Where an error line goes. */
struct args_err {
	char *buf;
	size_t len;
};

#define ARGS_FAIL(err, fmt, ...) \
	(snprintf((err)->buf, (err)->len, fmt, ## __VA_ARGS__), -EINVAL)

struct args_key {
	const char *name;
	int (*set)(struct rionet_args *args, const char *value, struct args_err *err);
};

/* A decimal or 0x number from 0 to 65535 at *text, which is moved behind it. */
static int
args_destid(const char **text, uint16_t *destid)
{
	unsigned long v;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	errno = 0;
	v = strtoul(*text, &end, 0);
	if (errno != 0 || v > UINT16_MAX)
		return -EINVAL;
	*text = end;
	*destid = v;
	return 0;
}

static int
args_set_raw(struct rionet_args *args, const char *value, struct args_err *err)
{
	if (value[0] == '\0' || strlcpy(args->raw, value, sizeof(args->raw)) >= sizeof(args->raw))
		return ARGS_FAIL(err, "raw=%.80s: allowed: a name of 1 to %zu characters",
				 value, sizeof(args->raw) - 1);
	return 0;
}

/* The place of value in a list of words; -1: it is none of them. */
static int
args_word(const char *value, const char *const *words, unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb; i++)
		if (strcmp(value, words[i]) == 0)
			return i;
	return -1;
}

static int
args_set_mode(struct rionet_args *args, const char *value, struct args_err *err)
{
	static const char *const words[] = { "auto", "msg", "dma" };
	int i = args_word(value, words, RTE_DIM(words));

	if (strcmp(value, "pio") == 0)
		return ARGS_FAIL(err, "mode=%s: not built yet; allowed: auto, msg, dma", value);
	if (i < 0)
		return ARGS_FAIL(err, "mode=%.80s: unknown mode; allowed: auto, msg, dma", value);
	args->mode = (enum rionet_mode)i;
	return 0;
}

static int
args_set_rx(struct rionet_args *args, const char *value, struct args_err *err)
{
	static const char *const words[] = { "auto", "copy", "zc" };
	int i = args_word(value, words, RTE_DIM(words));

	if (i < 0)
		return ARGS_FAIL(err, "rx=%.80s: allowed: auto, copy, zc", value);
	args->rx = (enum rionet_rx_mode)i;
	return 0;
}

static int
args_set_region(struct rionet_args *args, const char *value, struct args_err *err)
{
	unsigned long v;
	char *end;

	errno = 0;
	v = strtoul(value, &end, 0);
	if (!isdigit((unsigned char)value[0]) || errno != 0 || *end != '\0' || v < 1 ||
	    v > RIONET_REGION_MAX >> 20 || !rte_is_power_of_2(v))
		return ARGS_FAIL(err, "region=%.80s: allowed: MiB, a power of two from 1 to %u",
				 value, RIONET_REGION_MAX >> 20);
	args->region = (uint64_t)v << 20;
	return 0;
}

static int
args_set_unknown(struct rionet_args *args, const char *value, struct args_err *err)
{
	const char *text = value;

	if (strcmp(value, "flood") == 0) {
		args->unknown = RIONET_UNKNOWN_FLOOD;
		return 0;
	}
	if (strcmp(value, "drop") == 0) {
		args->unknown = RIONET_UNKNOWN_DROP;
		return 0;
	}
	if (args_destid(&text, &args->unknown_destid) != 0 || *text != '\0')
		return ARGS_FAIL(err, "unknown=%.80s: allowed: flood, drop, a destination ID, "
				 "0 to 65535", value);
	args->unknown = RIONET_UNKNOWN_PEER;
	return 0;
}

/* "N" or "N-M" at *text, which is moved behind it. */
static int
args_range(const char **text, struct rionet_range *range)
{
	if (args_destid(text, &range->first) != 0)
		return -EINVAL;
	range->last = range->first;
	if (**text == '-') {
		(*text)++;
		if (args_destid(text, &range->last) != 0)
			return -EINVAL;
	}
	return range->first <= range->last ? 0 : -EINVAL;
}

static int
args_set_peers(struct rionet_args *args, const char *value, struct args_err *err)
{
	const char *text = value;
	bool list = *text == '[';

	text += list;
	for (;;) {
		if (args->nb_ranges == RIONET_PEER_RANGES_MAX)
			return ARGS_FAIL(err, "peers=%.80s: more than %u ranges", value,
					 RIONET_PEER_RANGES_MAX);
		if (args_range(&text, &args->ranges[args->nb_ranges]) != 0)
			goto bad;
		args->nb_ranges++;
		if (!list || *text != ',')
			break;
		text++;
	}
	if (list && *text++ != ']')
		goto bad;
	if (*text == '\0')
		return 0;
bad:
	return ARGS_FAIL(err, "peers=%.80s: allowed: N, N-M or [N,N-M,...], destination IDs, "
			 "0 to 65535", value);
}

static int
args_set_ageing(struct rionet_args *args, const char *value, struct args_err *err)
{
	unsigned long v;
	char *end;

	errno = 0;
	v = strtoul(value, &end, 10);
	if (!isdigit((unsigned char)value[0]) || errno != 0 || *end != '\0' ||
	    v > RIONET_AGEING_MAX)
		return ARGS_FAIL(err, "ageing=%.80s: allowed: 0 to %u seconds", value,
				 RIONET_AGEING_MAX);
	args->ageing = v;
	return 0;
}

static const struct args_key own_keys[] = {
	{ RIONET_ARG_RAW, args_set_raw },
	{ RIONET_ARG_MODE, args_set_mode },
	{ RIONET_ARG_UNKNOWN, args_set_unknown },
	{ RIONET_ARG_PEERS, args_set_peers },
	{ RIONET_ARG_AGEING, args_set_ageing },
	{ RIONET_ARG_REGION, args_set_region },
	{ RIONET_ARG_RX, args_set_rx },
};

/* The null device checks the values. */
static const char *const null_keys[] = {
	"fabric", "topology", "node", "destid", "host", "exec", "link", "pace", "fault",
	"mrrs", "dma_sel", "dmadev", "mbox_sel", "descs", "hdid",
};

static int
args_unknown_key(const char *key, struct args_err *err)
{
	size_t n = snprintf(err->buf, err->len, "%.80s: unknown argument; allowed:", key);
	unsigned int i;

	for (i = 0; i < RTE_DIM(own_keys) && n < err->len; i++)
		n += snprintf(err->buf + n, err->len - n, " %s", own_keys[i].name);
	for (i = 0; i < RTE_DIM(null_keys) && n < err->len; i++)
		n += snprintf(err->buf + n, err->len - n, " %s", null_keys[i]);
	return -EINVAL;
}

static int
args_set_null(struct rionet_args *args, const char *key, const char *value, struct args_err *err)
{
	size_t used = strlen(args->null_args);
	size_t room = sizeof(args->null_args) - used;

	if ((size_t)snprintf(args->null_args + used, room, "%s%s=%s", used == 0 ? "" : ",", key,
			     value) >= room)
		return ARGS_FAIL(err, "%s=%.80s: too many characters of arguments", key, value);
	return 0;
}

static int
args_set(struct rionet_args *args, const char *key, const char *value, struct args_err *err)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(own_keys); i++)
		if (strcmp(key, own_keys[i].name) == 0)
			return own_keys[i].set(args, value, err);
	for (i = 0; i < RTE_DIM(null_keys); i++)
		if (strcmp(key, null_keys[i]) == 0)
			return args_set_null(args, key, value, err);
	return args_unknown_key(key, err);
}

static int
args_set_all(struct rionet_args *args, const struct rte_kvargs *kv, struct args_err *err)
{
	unsigned int i;

	for (i = 0; i < kv->count; i++) {
		const char *key = kv->pairs[i].key;
		const char *value = kv->pairs[i].value;
		int ret;

		if (value == NULL)
			value = "";
		if (rte_kvargs_count(kv, key) > 1)
			return ARGS_FAIL(err, "%.80s: given more than once", key);
		ret = args_set(args, key, value, err);
		if (ret != 0)
			return ret;
	}
	if (args->raw[0] != '\0' && args->null_args[0] != '\0')
		return ARGS_FAIL(err, "%.80s: belongs to raw device %s, as raw= is given",
				 args->null_args, args->raw);
	return 0;
}

int
rionet_args_parse(const char *params, struct rionet_args *args, char *err, size_t errlen)
{
	struct args_err e = { err, errlen };
	struct rte_kvargs *kv;
	int ret;

	memset(args, 0, sizeof(*args));
	args->ageing = RIONET_AGEING_DEFAULT;
	args->region = RIONET_REGION_DEFAULT;
	err[0] = '\0';
	if (params == NULL || params[0] == '\0')
		return 0;
	kv = rte_kvargs_parse(params, NULL);
	if (kv == NULL)
		return ARGS_FAIL(&e, "%.80s: not a list of key=value", params);
	ret = args_set_all(args, kv, &e);
	rte_kvargs_free(kv);
	return ret;
}
