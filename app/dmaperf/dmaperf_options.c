/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_error.h"
#include "app_parse.h"
#include "app_plot.h"
#include "dmaperf_options.h"

enum {
	OPT_VIA = 256, OPT_OP, OPT_SIZES, OPT_TOTAL, OPT_DURATION, OPT_QUEUES, OPT_THREADS, OPT_SHARE,
	OPT_MODE, OPT_DESCS, OPT_BURST, OPT_ALIGN, OPT_PEER, OPT_RADDR, OPT_MBOX, OPT_RECEIVE,
	OPT_VERIFY, OPT_JSON, OPT_CSV, OPT_PLOT
};

const char *const dmaperf_op_names[] = { "read", "write", "write-r", "write-last", NULL };
const char *const dmaperf_via_names[] = { "dma", "window", "message", NULL };
const char *const dmaperf_mode_names[] = { "blocking", "async", "faf", NULL };

static const struct option long_options[] = {
	{"via", required_argument, NULL, OPT_VIA},
	{"op", required_argument, NULL, OPT_OP},
	{"sizes", required_argument, NULL, OPT_SIZES},
	{"total", required_argument, NULL, OPT_TOTAL},
	{"duration", required_argument, NULL, OPT_DURATION},
	{"queues", required_argument, NULL, OPT_QUEUES},
	{"threads", required_argument, NULL, OPT_THREADS},
	{"share", no_argument, NULL, OPT_SHARE},
	{"mode", required_argument, NULL, OPT_MODE},
	{"descs", required_argument, NULL, OPT_DESCS},
	{"burst", required_argument, NULL, OPT_BURST},
	{"align", required_argument, NULL, OPT_ALIGN},
	{"peer", required_argument, NULL, OPT_PEER},
	{"raddr", required_argument, NULL, OPT_RADDR},
	{"mbox", required_argument, NULL, OPT_MBOX},
	{"receive", no_argument, NULL, OPT_RECEIVE},
	{"verify", no_argument, NULL, OPT_VERIFY},
	{"json", required_argument, NULL, OPT_JSON},
	{"csv", required_argument, NULL, OPT_CSV},
	{"plot", required_argument, NULL, OPT_PLOT},
	{"version", no_argument, NULL, 'V'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static const char help[] =
	"usage: dpdk-rio-dma-perf [EAL options] -- [options]\n"
	"\n"
	"Measures how fast a Tsi721 moves memory: throughput, latency, processor time.\n"
	"\n"
	"  --via WAY         dma      block DMA (default)\n"
	"                    window   the processor, through an outbound window\n"
	"                    message  messages, up to 4096 bytes\n"
	"  --op LIST         read, write (NWRITE), write-r (NWRITE_R), write-last (NWRITE, the last\n"
	"                    packet NWRITE_R); default write,read; messages are only written\n"
	"  --sizes LIST      bytes of an operation, K, M and G may follow (default\n"
	"                    64,256,1K,4K,16K,64K,256K,1M; window 1,2,4,8,64,4K; message 8,64,512,4K)\n"
	"  --total BYTES     that are gone over again and again, 4K to 1G (default 4M)\n"
	"  --duration SEC    of a size and operation, 0.01 to 3600 (default 0.5)\n"
	"  --queues N        block DMA channels, 1 to 7 (default 1)\n"
	"  --threads N       lcores that work, 1 to 7 (default 1); each owns every N-th queue,\n"
	"  --share           or all of them work on all queues\n"
	"  --mode MODE       blocking  one operation at a time a queue\n"
	"                    async     as many as there is room for, each waited for (default)\n"
	"                    faf       fire and forget: waited for only when there is no room\n"
	"  --descs N         descriptors of a queue, a power of two (default 256)\n"
	"  --burst N         operations handed over at once, 1 to 256 (default 32)\n"
	"  --align N         offset of each operation from a multiple of 64, 0 to 63 (default 0)\n"
	"  --verify          look at all memory that was moved, with a pattern of the run's own\n"
	"  --peer ID         destination ID of a process with --receive; without it the target\n"
	"                    is a second device of this process\n"
	"  --raddr ADDRESS   RapidIO address of the target's memory, a multiple of its size (default\n"
	"                    0x10000000)\n"
	"  --mbox N          mailbox of messages, 0 to 3 (default 1)\n"
	"  --receive         be the target: --total bytes of memory, a mailbox; until Ctrl-C\n"
	"  --json FILE, --csv FILE   write the results\n"
	"  --plot DIR        draw throughput and latency over size there, SVG and PNG (gnuplot)\n"
	"  -V, --version     print the version\n"
	"  -h, --help        print this\n"
	"\n"
	"examples:\n"
	"  dpdk-rio-dma-perf --no-huge -m 256 --no-pci -l 0 --vdev raw_tsi7210 --vdev raw_tsi7211\n"
	"  dpdk-rio-dma-perf ... --vdev raw_tsi7210,fabric=f,destid=1 -- --receive --total 64M\n"
	"  dpdk-rio-dma-perf ... --vdev raw_tsi7210,fabric=f,destid=0 -- --peer 1 --total 64M \\\n"
	"      --sizes 4K,64K,1M --queues 4 --json result.json\n"
	"\n"
	"Exit codes: 0 measured; 1 a bad option, or it could not begin; 2 an operation failed, or\n"
	"what --verify looked at was wrong; 130 interrupted (what was measured is printed).\n";

int
dmaperf_parse_bytes(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	static const char units[] = "KMG";
	const char *unit;
	unsigned long long value;
	unsigned int shift = 0;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (isdigit((unsigned char)*text) && errno == 0 && *end != '\0' && end[1] == '\0') {
		unit = strchr(units, toupper((unsigned char)*end));
		if (unit != NULL) {
			shift = 10 * (unsigned int)(unit - units + 1);
			end++;
		}
	}
	if (!isdigit((unsigned char)*text) || errno != 0 || *end != '\0' ||
	    value > UINT64_MAX >> shift || value << shift < min || value << shift > max)
		return app_error("%s: '%s' is not a number of bytes from %" PRIu64 " to %" PRIu64,
				 option, text, min, max);
	*out = (uint64_t)value << shift;
	return 0;
}

static int
parse_sizes(struct dmaperf_options *opt, const char *text)
{
	char copy[512], *save = NULL;

	if (strlen(text) >= sizeof(copy) || *text == '\0')
		return app_error("--sizes: '%s' is not a list of sizes", text);
	strcpy(copy, text);
	opt->sizes = 0;
	for (char *one = strtok_r(copy, ",", &save); one != NULL; one = strtok_r(NULL, ",", &save)) {
		if (opt->sizes == DMAPERF_MAX_SIZES)
			return app_error("--sizes: more than %u", DMAPERF_MAX_SIZES);
		if (dmaperf_parse_bytes("--sizes", one, 1, 1ull << 30, &opt->size[opt->sizes]) < 0)
			return -1;
		opt->sizes++;
	}
	return opt->sizes == 0 ? app_error("--sizes: '%s' is not a list of sizes", text) : 0;
}

static int
parse_raddr(struct dmaperf_options *opt, const char *text)
{
	char *end;

	errno = 0;
	opt->raddr = strtoull(text, &end, 0);
	if (!isdigit((unsigned char)*text) || *end != '\0' || errno != 0)
		return app_error("--raddr: '%s' is not an address, as in 0x10000000", text);
	return 0;
}

static int
parse_kind(const char *option, const char *text, const char *const *names, unsigned int *out)
{
	return app_parse_names(option, text, names, out, 1) == 1 ? 0 : -1;
}

/* The option that getopt_long() refused is the last one it looked at. */
static int
refuse(int what, char **argv)
{
	const char *arg = argv[optind - 1];

	if (what == ':')
		return app_error("option '%s' needs a value (--help lists all)", arg);
	return app_error("unknown option '%s' (--help lists all)", arg);
}

struct outputs {
	const char *json, *csv;
};

static int
parse_words(struct dmaperf_options *opt, int what, char **argv, struct outputs *out)
{
	unsigned int kind = 0;
	int ret;

	switch (what) {
	case OPT_VIA:
		ret = parse_kind("--via", optarg, dmaperf_via_names, &kind);
		opt->via = kind;
		return ret;
	case OPT_MODE:
		ret = parse_kind("--mode", optarg, dmaperf_mode_names, &kind);
		opt->mode = kind;
		return ret;
	case OPT_OP:
		ret = app_parse_names("--op", optarg, dmaperf_op_names, opt->op, OPS);
		opt->ops = ret < 0 ? 0 : (unsigned int)ret;
		return ret < 0 ? -1 : 0;
	case OPT_SHARE:
		opt->share = true;
		return 0;
	case OPT_VERIFY:
		opt->verify = true;
		return 0;
	case OPT_RECEIVE:
		opt->receive = true;
		return 0;
	case OPT_JSON:
		out->json = optarg;
		return 0;
	case OPT_CSV:
		out->csv = optarg;
		return 0;
	case OPT_PLOT:
		opt->plot = optarg;
		return 0;
	default:
		return refuse(what, argv);
	}
}

static int
parse_one(struct dmaperf_options *opt, int what, char **argv, struct outputs *out)
{
	switch (what) {
	case OPT_SIZES:
		return parse_sizes(opt, optarg);
	case OPT_TOTAL:
		return dmaperf_parse_bytes("--total", optarg, 4096, 1ull << 30, &opt->total);
	case OPT_DURATION:
		return app_parse_real("--duration", optarg, 0.01, 3600, &opt->duration);
	case OPT_QUEUES:
		return app_parse_u32("--queues", optarg, 1, DMAPERF_MAX_QUEUES, &opt->queues);
	case OPT_THREADS:
		return app_parse_u32("--threads", optarg, 1, DMAPERF_MAX_THREADS, &opt->threads);
	case OPT_DESCS:
		return app_parse_u32("--descs", optarg, 32, 32768, &opt->descs);
	case OPT_BURST:
		return app_parse_u32("--burst", optarg, 1, 256, &opt->burst);
	case OPT_ALIGN:
		return app_parse_u32("--align", optarg, 0, 63, &opt->align);
	case OPT_PEER:
		return app_parse_u32("--peer", optarg, 0, UINT16_MAX, &opt->peer);
	case OPT_RADDR:
		return parse_raddr(opt, optarg);
	case OPT_MBOX:
		return app_parse_u32("--mbox", optarg, 0, 3, &opt->mbox);
	default:
		return parse_words(opt, what, argv, out);
	}
}

static void
set_defaults(struct dmaperf_options *opt)
{
	static const char *const sizes[] = {
		[VIA_DMA] = "64,256,1K,4K,16K,64K,256K,1M",
		[VIA_WINDOW] = "1,2,4,8,64,4K",
		[VIA_MESSAGE] = "8,64,512,4K",
	};

	if (opt->sizes == 0)
		parse_sizes(opt, sizes[opt->via]);
	if (opt->ops == 0) {
		opt->op[opt->ops++] = OP_WRITE;
		if (opt->via != VIA_MESSAGE)
			opt->op[opt->ops++] = OP_READ;
	}
}

/* What does not go together. */
static int
check(const struct dmaperf_options *opt)
{
	if ((opt->descs & (opt->descs - 1)) != 0)
		return app_error("--descs: %u is not a power of two", opt->descs);
	if ((opt->total & (opt->total - 1)) != 0)
		return app_error("--total: %" PRIu64 " is not a power of two", opt->total);
	if (opt->raddr % opt->total != 0)
		return app_error("--raddr: %#" PRIx64 " is not a multiple of --total, %#" PRIx64,
				 opt->raddr, opt->total);
	for (unsigned int i = 0; i < opt->sizes; i++) {
		if (opt->via == VIA_MESSAGE && (opt->size[i] > 4096 || opt->size[i] % 8 != 0))
			return app_error("--sizes: a message has 8 to 4096 bytes, a multiple of 8, "
					 "not %" PRIu64, opt->size[i]);
		if (opt->size[i] + opt->align > opt->total)
			return app_error("--sizes: %" PRIu64 " is more than --total %" PRIu64
					 " has room for", opt->size[i], opt->total);
	}
	if (opt->threads > opt->queues && !opt->share)
		return app_error("--threads: %u are more than %u queues (--queues, or --share)",
				 opt->threads, opt->queues);
	if (opt->via != VIA_DMA && (opt->threads > 1 || opt->queues > 1))
		return app_error("--via %s: one thread and no queues", dmaperf_via_names[opt->via]);
	for (unsigned int i = 0; i < opt->ops; i++)
		if ((opt->via == VIA_MESSAGE && opt->op[i] != OP_WRITE) ||
		    (opt->via == VIA_WINDOW && opt->op[i] == OP_WRITE_LAST))
			return app_error("--op: %s is not possible with --via %s",
					 dmaperf_op_names[opt->op[i]], dmaperf_via_names[opt->via]);
	if (opt->verify && opt->via == VIA_MESSAGE)
		return app_error("--verify: messages leave no memory to look at");
	return 0;
}

static int
claim_outputs(struct dmaperf_options *opt, const struct outputs *out)
{
	if (out->json != NULL && app_output_claim(&opt->json, out->json) < 0)
		return -1;
	if ((out->csv != NULL && app_output_claim(&opt->csv, out->csv) < 0) ||
	    (opt->plot != NULL && app_plot_check(opt->plot) < 0)) {
		app_output_drop(&opt->json);
		app_output_drop(&opt->csv);
		return -1;
	}
	return 0;
}

bool
dmaperf_options_help(int argc, char **argv)
{
	if (argc < 2)
		return false;
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
		fputs(help, stdout);
		return true;
	}
	if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0) {
		printf("dpdk-rio-dma-perf %s\n", APP_VERSION);
		return true;
	}
	return false;
}

enum dmaperf_parsed
dmaperf_options_parse(int argc, char **argv, struct dmaperf_options *opt)
{
	struct outputs out = { NULL, NULL };
	int what;

	memset(opt, 0, sizeof(*opt));
	opt->mode = MODE_ASYNC;
	opt->total = 4 << 20;
	opt->duration = 0.5;
	opt->queues = opt->threads = 1;
	opt->descs = 256;
	opt->burst = 32;
	opt->peer = DMAPERF_NO_PEER;
	opt->raddr = 0x10000000;
	opt->mbox = 1;
	optind = 1;
	while ((what = getopt_long(argc, argv, "+:Vh", long_options, NULL)) != -1) {
		if (what == 'h') {
			fputs(help, stdout);
			return DMAPERF_HELPED;
		}
		if (what == 'V') {
			printf("dpdk-rio-dma-perf %s\n", APP_VERSION);
			return DMAPERF_HELPED;
		}
		if (parse_one(opt, what, argv, &out) < 0)
			return DMAPERF_BAD;
	}
	if (optind < argc) {
		app_error("'%s' is no option (--help lists all)", argv[optind]);
		return DMAPERF_BAD;
	}
	set_defaults(opt);
	return check(opt) < 0 || claim_outputs(opt, &out) < 0 ? DMAPERF_BAD : DMAPERF_RUN;
}
