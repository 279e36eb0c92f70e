/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_kvargs.h>
#include <rte_string_fns.h>

#include "tsi721_args.h"
#include "tsi721_ring.h"

#define DESCS_DEFAULT	128u

struct arg {
	const char *key;
	enum { ANY_DEVICE, NULL_ONLY, BOARD_ONLY } which;
	const char *allowed;
	/* Returns false when the value is none of what is allowed. */
	bool (*parse)(const char *value, struct tsi721_args *args);
};

/* A number from min to max, decimal or with 0x. */
static bool
parse_num(const char *value, unsigned long min, unsigned long max, unsigned long *num)
{
	char *end;

	if (!isdigit((unsigned char)value[0]))
		return false;
	errno = 0;
	*num = strtoul(value, &end, 0);
	return errno == 0 && *end == '\0' && *num >= min && *num <= max;
}

static bool
parse_int(const char *value, unsigned long max, int *out)
{
	unsigned long num;

	if (!parse_num(value, 0, max, &num))
		return false;
	*out = (int)num;
	return true;
}

/* A name: what can stand in a file name and in a shell without quotes. */
static bool
parse_name(const char *value, char out[TSI721_NAME_LEN])
{
	size_t len = strlen(value), i;

	if (len == 0 || len >= TSI721_NAME_LEN || value[0] == '.')
		return false;
	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)value[i]) && strchr("._-", value[i]) == NULL)
			return false;
	strlcpy(out, value, TSI721_NAME_LEN);
	return true;
}

static bool
parse_fabric(const char *value, struct tsi721_args *args)
{
	return parse_name(value, args->fabric);
}

/* What the null device judges itself. */
static bool
parse_text(const char *value, char out[TSI721_ARG_LEN])
{
	return value[0] != '\0' && strlcpy(out, value, TSI721_ARG_LEN) < TSI721_ARG_LEN;
}

static bool
parse_topology(const char *value, struct tsi721_args *args)
{
	return parse_text(value, args->topology);
}

static bool
parse_fault(const char *value, struct tsi721_args *args)
{
	return parse_text(value, args->fault);
}

static bool
parse_node(const char *value, struct tsi721_args *args)
{
	return parse_name(value, args->node);
}

static bool
parse_destid(const char *value, struct tsi721_args *args)
{
	return parse_int(value, 0xfffe, &args->destid);
}

static bool
parse_host(const char *value, struct tsi721_args *args)
{
	return parse_int(value, 1, &args->host);
}

static bool
parse_exec(const char *value, struct tsi721_args *args)
{
	args->thread = strcmp(value, "thread") == 0;
	return args->thread || strcmp(value, "inline") == 0;
}

static bool
parse_link(const char *value, struct tsi721_args *args)
{
	static const struct {
		const char *text;
		unsigned int mbaud;
	} bauds[] = {
		{ "1.25", 1250 }, { "2.5", 2500 }, { "3.125", 3125 }, { "5", 5000 },
		{ "5.0", 5000 }, { "6.25", 6250 },
	};
	const char *x = strchr(value, 'x');
	unsigned long lanes;
	size_t i;

	if (x == NULL || !parse_num(x + 1, 1, 4, &lanes) || lanes == 3)
		return false;
	for (i = 0; i < RTE_DIM(bauds); i++)
		if (strlen(bauds[i].text) == (size_t)(x - value) &&
		    strncmp(bauds[i].text, value, (size_t)(x - value)) == 0) {
			args->mbaud = bauds[i].mbaud;
			args->lanes = (unsigned int)lanes;
			return true;
		}
	return false;
}

static bool
parse_pace(const char *value, struct tsi721_args *args)
{
	return parse_int(value, 0, &args->pace);
}

static bool
parse_mrrs(const char *value, struct tsi721_args *args)
{
	return parse_int(value, 5, &args->conf.mrrs);
}

static bool
parse_dma_sel(const char *value, struct tsi721_args *args)
{
	unsigned long num;

	if (!parse_num(value, 0, 0x7f, &num))
		return false;
	args->conf.dma_sel = (uint8_t)num;
	return true;
}

static bool
parse_dmadev(const char *value, struct tsi721_args *args)
{
	unsigned long num;

	if (!parse_num(value, 0, 0x7f, &num))
		return false;
	args->conf.dmadev = (uint8_t)num;
	return true;
}

static bool
parse_mbox_sel(const char *value, struct tsi721_args *args)
{
	unsigned long num;

	if (!parse_num(value, 0, 0xf, &num))
		return false;
	args->conf.mbox_sel = (uint8_t)num;
	return true;
}

static bool
parse_descs(const char *value, struct tsi721_args *args)
{
	unsigned long num;

	if (!parse_num(value, TSI721_RING_MIN, TSI721_RING_MAX, &num) ||
	    !rte_is_power_of_2((uint32_t)num))
		return false;
	args->conf.descs = (uint32_t)num;
	return true;
}

static bool
parse_hdid(const char *value, struct tsi721_args *args)
{
	args->agent = strcmp(value, "-1") == 0;
	return args->agent || parse_int(value, 0xfffe, &args->conf.hdid);
}

static bool
parse_intr(const char *value, struct tsi721_args *args)
{
	static const char *const modes[] = {
		[TSI721_INTR_AUTO] = "auto",
		[TSI721_INTR_OFF] = "off",
		[TSI721_INTR_INTX] = "intx",
		[TSI721_INTR_MSI] = "msi",
		[TSI721_INTR_MSIX] = "msix",
	};
	size_t i;

	for (i = 0; i < RTE_DIM(modes); i++)
		if (strcmp(modes[i], value) == 0) {
			args->conf.intr = (enum tsi721_intr_mode)i;
			return true;
		}
	return false;
}

static bool
parse_destid_bits(const char *value, struct tsi721_args *args)
{
	return parse_int(value, 16, &args->destid_bits) &&
	       (args->destid_bits == 8 || args->destid_bits == 16);
}

#define NAME_ALLOWED	"1 to 63 letters, digits, '.', '_', '-', no '.' first"

static const struct arg arg_table[] = {
	{ "fabric", NULL_ONLY, NAME_ALLOWED, parse_fabric },
	{ "topology", NULL_ONLY, "1 to 255 characters, the path of a file", parse_topology },
	{ "node", NULL_ONLY, NAME_ALLOWED, parse_node },
	{ "destid", NULL_ONLY, "0 to 0xfffe", parse_destid },
	{ "host", ANY_DEVICE, "0, 1", parse_host },
	{ "exec", NULL_ONLY, "inline, thread", parse_exec },
	{ "link", NULL_ONLY, "1.25, 2.5, 3.125, 5.0 or 6.25, then x, then 1, 2 or 4", parse_link },
	{ "pace", NULL_ONLY, "0 (links at their modelled speed are not there yet)", parse_pace },
	{ "fault", NULL_ONLY, "1 to 255 characters, as in doc/guides/fabrics.rst", parse_fault },
	{ "mrrs", ANY_DEVICE, "0 to 5 (128 << n bytes)", parse_mrrs },
	{ "dma_sel", ANY_DEVICE, "0 to 0x7f, a bit for each of channels 0 to 6", parse_dma_sel },
	{ "dmadev", ANY_DEVICE, "0 to 0x7f, a bit for each of channels 0 to 6", parse_dmadev },
	{ "mbox_sel", ANY_DEVICE, "0 to 0xf, a bit for each mailbox", parse_mbox_sel },
	{ "descs", ANY_DEVICE, "powers of two, 32 to 32768", parse_descs },
	{ "hdid", ANY_DEVICE, "-1, 0 to 0xfffe", parse_hdid },
	{ "intr", ANY_DEVICE, "auto, msix, msi, intx, off", parse_intr },
	{ "destid_bits", BOARD_ONLY, "8, 16", parse_destid_bits },
};

static const struct arg *
arg_find(const char *key, bool board)
{
	size_t i;

	for (i = 0; i < RTE_DIM(arg_table); i++)
		if (strcmp(arg_table[i].key, key) == 0 &&
		    arg_table[i].which != (board ? NULL_ONLY : BOARD_ONLY))
			return &arg_table[i];
	return NULL;
}

static int
arg_apply(const char *dev_name, const struct rte_kvargs *kv, unsigned int n, bool board,
	  struct tsi721_args *args)
{
	const char *key = kv->pairs[n].key, *value = kv->pairs[n].value;
	const struct arg *arg = arg_find(key, board);

	if (arg == NULL) {
		TSI721_LOG_NAME(ERR, dev_name, "unknown argument %s=%s: allowed are %s%s", key,
				value != NULL ? value : "",
				board ? TSI721_ARGS_BOARD_ONLY : TSI721_ARGS_NULL,
				TSI721_ARGS_BOARD);
		return -EINVAL;
	}
	if (rte_kvargs_count(kv, key) > 1) {
		TSI721_LOG_NAME(ERR, dev_name, "%s=%s: given %u times, allowed is once", key,
				value != NULL ? value : "", rte_kvargs_count(kv, key));
		return -EINVAL;
	}
	if (value == NULL || !arg->parse(value, args)) {
		TSI721_LOG_NAME(ERR, dev_name, "%s=%s: allowed are %s", key,
				value != NULL ? value : "", arg->allowed);
		return -EINVAL;
	}
	return 0;
}

/* An ID, or host=1, makes the host; hdid=-1, or host=0, an agent. */
static int
args_role(const char *dev_name, bool board, struct tsi721_args *args)
{
	int hdid = args->conf.hdid;
	bool given = args->agent || hdid >= 0;

	if (board && args->destid_bits == 8 && hdid >= (int)RIO_ANY_DESTID_8) {
		TSI721_LOG_NAME(ERR, dev_name,
				"hdid=%d: allowed with destid_bits=8 are -1, 0 to 0xfe", hdid);
		return -EINVAL;
	}
	if (hdid >= 0 && args->destid >= 0 && args->destid != hdid) {
		TSI721_LOG_NAME(ERR, dev_name, "hdid=%d: allowed with destid=%d is only the same",
				hdid, args->destid);
		return -EINVAL;
	}
	if (given && args->host >= 0 && args->host != !args->agent) {
		TSI721_LOG_NAME(ERR, dev_name, "hdid=%d: makes %s, allowed with it is host=%d",
				hdid, args->agent ? "an agent" : "a host", !args->agent);
		return -EINVAL;
	}
	if (given)
		args->host = !args->agent;
	if (args->host >= 0)
		args->conf.role = args->host ? RTE_PMD_TSI721_FABRIC_HOST :
					       RTE_PMD_TSI721_FABRIC_AGENT;
	return 0;
}

/* What each argument allows, but not together. */
static int
args_combine(const char *dev_name, bool board, struct tsi721_args *args)
{
	if ((args->conf.dmadev & ~args->conf.dma_sel) != 0) {
		TSI721_LOG_NAME(ERR, dev_name,
				"dmadev=0x%x: allowed with dma_sel=0x%x are channels of it",
				args->conf.dmadev, args->conf.dma_sel);
		return -EINVAL;
	}
	/* A channel is the one or the other. */
	args->conf.dma_sel &= (uint8_t)~args->conf.dmadev;
	return args_role(dev_name, board, args);
}

int
tsi721_args_parse(const char *dev_name, const char *text, bool board, struct tsi721_args *args)
{
	struct rte_kvargs *kv;
	unsigned int i;
	int ret = 0;

	*args = (struct tsi721_args){
		.conf = {
			.mrrs = -1,
			.dma_sel = 0x7f,
			.mbox_sel = 0xf,
			.descs = DESCS_DEFAULT,
			.hdid = -1,
		},
		.destid = -1,
		.host = -1,
		.destid_bits = 8,
	};
	if (text == NULL || text[0] == '\0')
		return 0;

	/* No list of keys: EAL's own complaint would not say which one is wrong. */
	kv = rte_kvargs_parse(text, NULL);
	if (kv == NULL) {
		TSI721_LOG_NAME(ERR, dev_name,
				"cannot read arguments '%s': allowed are key=value,...", text);
		return -EINVAL;
	}
	for (i = 0; i < kv->count && ret == 0; i++)
		ret = arg_apply(dev_name, kv, i, board, args);
	rte_kvargs_free(kv);
	return ret != 0 ? ret : args_combine(dev_name, board, args);
}
