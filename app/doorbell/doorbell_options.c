/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_error.h"
#include "app_parse.h"
#include "doorbell.h"

enum { OPT_RECEIVE = 256, OPT_PEER, OPT_RANGE, OPT_INFO, OPT_LOOPS, OPT_ONLY, OPT_INTERRUPT, OPT_JSON };

static const struct option long_options[] = {
	{"receive", no_argument, NULL, OPT_RECEIVE},
	{"peer", required_argument, NULL, OPT_PEER},
	{"range", required_argument, NULL, OPT_RANGE},
	{"info", required_argument, NULL, OPT_INFO},
	{"loops", required_argument, NULL, OPT_LOOPS},
	{"only", required_argument, NULL, OPT_ONLY},
	{"interrupt", no_argument, NULL, OPT_INTERRUPT},
	{"json", required_argument, NULL, OPT_JSON},
	{"version", no_argument, NULL, 'V'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static const char help[] =
	"usage: dpdk-rio-doorbell [EAL options] -- [options]\n"
	"\n"
	"Measures doorbells: how many a second arrive, and how long one takes there and back.\n"
	"\n"
	"      --peer ID         destination ID of a process with --receive; without it the receiver\n"
	"                        is a second device of this process, on a worker lcore\n"
	"      --receive         receive and answer until Ctrl-C, then print what came\n"
	"      --range A-B       info that the receiver takes and counts, 0 to 0xfcff (default\n"
	"                        0x8000-0x8fff)\n"
	"      --info N          info that is sent (default: the first of the range)\n"
	"      --loops N         doorbells, and round trips, 1 to 1000000000 (default 1000000, and a\n"
	"                        tenth of it)\n"
	"      --only WHAT       rate or latency (default: both)\n"
	"      --interrupt       this end sleeps until there is something instead of polling\n"
	"      --json FILE       write the results\n"
	"  -V, --version         print the version\n"
	"  -h, --help            print this\n"
	"\n"
	"examples:\n"
	"  dpdk-rio-doorbell --no-huge -m 64 --no-pci -l 0,1 --vdev raw_tsi7210 --vdev raw_tsi7211\n"
	"  dpdk-rio-doorbell ... --vdev raw_tsi7210,fabric=f,destid=1 -- --receive --range 0x10-0x1f\n"
	"  dpdk-rio-doorbell ... --vdev raw_tsi7210,fabric=f,destid=0 -- --peer 1 --range 0x10-0x1f\n"
	"\n"
	"Exit codes: 0 measured; 1 a bad option, or it could not begin; 2 the peer did not answer, or\n"
	"doorbells were lost; 130 interrupted.\n";

static int
parse_info(const char *option, const char *text, char end, const char **rest, uint32_t *out)
{
	unsigned long value;
	char *at;

	errno = 0;
	value = strtoul(text, &at, 0);
	if (*text < '0' || *text > '9' || errno != 0 || *at != end || value >= DOORBELL_CONTROL)
		return app_error("%s: '%s' is not %s from 0 to %#x", option, text,
				 end == '-' ? "a range, as in 0x10-0x1f," : "a number",
				 DOORBELL_CONTROL - 1);
	if (rest != NULL)
		*rest = at + 1;
	*out = (uint32_t)value;
	return 0;
}

static int
parse_range(struct doorbell_options *opt, const char *text)
{
	const char *second = text;

	if (parse_info("--range", text, '-', &second, &opt->first) < 0 ||
	    parse_info("--range", second, '\0', NULL, &opt->last) < 0)
		return -1;
	if (opt->first > opt->last)
		return app_error("--range: '%s' ends before it begins", text);
	return 0;
}

static int
parse_only(struct doorbell_options *opt, const char *text)
{
	opt->rate = strcmp(text, "rate") == 0;
	opt->latency = strcmp(text, "latency") == 0;
	if (!opt->rate && !opt->latency)
		return app_error("--only: '%s' is neither rate nor latency", text);
	return 0;
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

static int
parse_one(struct doorbell_options *opt, int what, char **argv, const char **json)
{
	switch (what) {
	case OPT_RECEIVE:
		opt->receive = true;
		return 0;
	case OPT_INTERRUPT:
		opt->interrupt = true;
		return 0;
	case OPT_PEER:
		return app_parse_u32("--peer", optarg, 0, UINT16_MAX, &opt->peer);
	case OPT_RANGE:
		return parse_range(opt, optarg);
	case OPT_INFO:
		return parse_info("--info", optarg, '\0', NULL, &opt->info);
	case OPT_LOOPS:
		return app_parse_u32("--loops", optarg, 1, 1000000000, &opt->loops);
	case OPT_ONLY:
		return parse_only(opt, optarg);
	case OPT_JSON:
		*json = optarg;
		return 0;
	default:
		return refuse(what, argv);
	}
}

bool
doorbell_options_help(int argc, char **argv)
{
	if (argc < 2)
		return false;
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
		fputs(help, stdout);
		return true;
	}
	if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0) {
		printf("dpdk-rio-doorbell %s\n", APP_VERSION);
		return true;
	}
	return false;
}

enum doorbell_parsed
doorbell_options_parse(int argc, char **argv, struct doorbell_options *opt)
{
	const char *json = NULL;
	int what;

	memset(opt, 0, sizeof(*opt));
	opt->peer = UINT32_MAX;
	opt->first = 0x8000;
	opt->last = 0x8fff;
	opt->info = UINT32_MAX;
	opt->loops = 1000000;
	opt->rate = opt->latency = true;
	optind = 1;
	while ((what = getopt_long(argc, argv, "+:Vh", long_options, NULL)) != -1) {
		if (what == 'h') {
			fputs(help, stdout);
			return DOORBELL_HELPED;
		}
		if (what == 'V') {
			printf("dpdk-rio-doorbell %s\n", APP_VERSION);
			return DOORBELL_HELPED;
		}
		if (parse_one(opt, what, argv, &json) < 0)
			return DOORBELL_BAD;
	}
	if (optind < argc) {
		app_error("'%s' is no option (--help lists all)", argv[optind]);
		return DOORBELL_BAD;
	}
	if (opt->info == UINT32_MAX)
		opt->info = opt->first;
	if (json != NULL && app_output_claim(&opt->json, json) < 0)
		return DOORBELL_BAD;
	return DOORBELL_RUN;
}
