/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_error.h"
#include "app_parse.h"
#include "latency_options.h"
#include "latency_record.h"

enum { OPT_LOAD = 256, OPT_SIZE, OPT_PEER, OPT_ECHO, OPT_JSON };

const char *const latency_what_names[] = { "timer", "doorbell", "frame", "dma", NULL };
const char *const latency_load_names[] = { "none", "cpu", "memory", "syscalls", NULL };

static const struct option long_options[] = {
	{"what", required_argument, NULL, 'w'},
	{"interval", required_argument, NULL, 'i'},
	{"distance", required_argument, NULL, 'd'},
	{"loops", required_argument, NULL, 'l'},
	{"duration", required_argument, NULL, 'D'},
	{"breaktrace", required_argument, NULL, 'b'},
	{"histogram", required_argument, NULL, 'h'},
	{"priority", required_argument, NULL, 'p'},
	{"mlockall", no_argument, NULL, 'm'},
	{"quiet", no_argument, NULL, 'q'},
	{"nsecs", no_argument, NULL, 'N'},
	{"load", required_argument, NULL, OPT_LOAD},
	{"size", required_argument, NULL, OPT_SIZE},
	{"peer", required_argument, NULL, OPT_PEER},
	{"echo", no_argument, NULL, OPT_ECHO},
	{"json", required_argument, NULL, OPT_JSON},
	{"version", no_argument, NULL, 'V'},
	{"help", no_argument, NULL, 'H'},
	{NULL, 0, NULL, 0},
};

static const char help[] =
	"usage: dpdk-rio-latency [EAL options] -- [options]\n"
	"\n"
	"Measures latency in cyclictest's form, a line for each worker lcore.\n"
	"\n"
	"  -w, --what WHAT        timer     how late a sleeping lcore wakes (default)\n"
	"                         doorbell  round trip of a doorbell to a peer\n"
	"                         frame     round trip of an Ethernet frame to a peer\n"
	"                         dma       copy of --size bytes by a dmadev\n"
	"  -i, --interval US      between two measurements of an lcore, 10 to 1000000\n"
	"                         (default 1000)\n"
	"  -d, --distance US      each further lcore's interval is longer by this (default 500)\n"
	"  -l, --loops N          measurements of an lcore (default: until -D or Ctrl-C)\n"
	"  -D, --duration T       seconds; with m, h or d behind: minutes, hours, days\n"
	"  -b, --breaktrace US    stop when a latency is above this\n"
	"  -h, --histogram N      count latencies below N us (with -N: ns), print them at the end\n"
	"  -p, --priority N       SCHED_FIFO priority, 1 to 99 (default: not real-time)\n"
	"  -m, --mlockall         keep all memory in place\n"
	"  -q, --quiet            print at the end only\n"
	"  -N, --nsecs            nanoseconds instead of microseconds\n"
	"      --load LOAD        work for the CPUs that do not measure: none (default), cpu,\n"
	"                         memory (copies), syscalls\n"
	"      --size N           bytes of a frame (60 to 9000) or a copy (1 to 1048576), default 64\n"
	"      --peer ID          destination ID of the doorbell's peer, a process with --echo;\n"
	"                         without it the peer is a second device of this process\n"
	"      --echo             answer another process (doorbell, frame) until Ctrl-C\n"
	"      --json FILE        write the results as JSON, in the form of rt-tests\n"
	"  -V, --version          print the version\n"
	"      --help             print this\n"
	"\n"
	"The main lcore shows, each worker lcore measures. doorbell, frame and dma use one worker\n"
	"(and one more to answer, when the peer is in this process). EAL options that are enough\n"
	"for the timer: --no-huge --no-pci --lcores 0@0,1@1\n"
	"\n"
	"examples:\n"
	"  dpdk-rio-latency --no-huge --no-pci -l 0-3 -- -p 99 -i 125 -m -D 1h --load memory\n"
	"  dpdk-rio-latency --no-huge -m 64 --no-pci -l 0-2 --vdev raw_tsi7210 --vdev raw_tsi7211 \\\n"
	"      -- -w doorbell -N -h 5000 -l 100000 -q\n"
	"\n"
	"Exit codes: 0 measured, or stopped by Ctrl-C; 1 a bad option, or it could not begin;\n"
	"2 the peer or the device did not answer.\n";

/* "10", "1.5m", "2h". */
static int
parse_duration(const char *text, double *seconds)
{
	static const struct {
		char unit;
		double factor;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	char number[32];
	size_t len = strlen(text);
	double factor = 1;

	if (len >= sizeof(number) || len == 0)
		return app_error("-D: '%s' is not a time, as in 10, 5m, 2h, 1d", text);
	strcpy(number, text);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (len > 1 && number[len - 1] == units[i].unit) {
			factor = units[i].factor;
			number[len - 1] = '\0';
			break;
		}
	if (app_parse_real("-D", number, 0.01, 1e7, seconds) < 0)
		return -1;
	*seconds *= factor;
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

static int
parse_flag(struct latency_options *opt, int what, char **argv)
{
	switch (what) {
	case 'm':
		opt->mlockall = true;
		return 0;
	case 'q':
		opt->quiet = true;
		return 0;
	case 'N':
		opt->nanoseconds = true;
		return 0;
	case OPT_ECHO:
		opt->echo = true;
		return 0;
	default:
		return refuse(what, argv);
	}
}

static int
parse_one(struct latency_options *opt, int what, char **argv, const char **json)
{
	unsigned int kind;

	switch (what) {
	case 'w':
		if (parse_kind("-w", optarg, latency_what_names, &kind) < 0)
			return -1;
		opt->what = kind;
		return 0;
	case OPT_LOAD:
		if (parse_kind("--load", optarg, latency_load_names, &kind) < 0)
			return -1;
		opt->load = kind;
		return 0;
	case 'i':
		return app_parse_u32("-i", optarg, 10, 1000000, &opt->interval_us);
	case 'd':
		return app_parse_u32("-d", optarg, 0, 1000000, &opt->distance_us);
	case 'l':
		return app_parse_u32("-l", optarg, 1, UINT32_MAX, &opt->loops);
	case 'D':
		return parse_duration(optarg, &opt->duration);
	case 'b':
		return app_parse_u32("-b", optarg, 1, 10000000, &opt->breaktrace_us);
	case 'h':
		return app_parse_u32("-h", optarg, 1, LATENCY_HISTOGRAM_MAX, &opt->histogram);
	case 'p':
		return app_parse_u32("-p", optarg, 1, 99, &opt->priority);
	case OPT_SIZE:
		return app_parse_u32("--size", optarg, 1, 1 << 20, &opt->frame_bytes);
	case OPT_PEER:
		return app_parse_u32("--peer", optarg, 0, UINT16_MAX, &opt->peer);
	case OPT_JSON:
		*json = optarg;
		return 0;
	default:
		return parse_flag(opt, what, argv);
	}
}

/* What does not go together. */
static int
check(const struct latency_options *opt)
{
	if (opt->echo && opt->what != LATENCY_DOORBELL && opt->what != LATENCY_FRAME)
		return app_error("--echo: only doorbells and frames are answered (-w doorbell, "
				 "-w frame)");
	if (opt->peer != UINT32_MAX && opt->what != LATENCY_DOORBELL)
		return app_error("--peer: it is the doorbell's (-w doorbell)");
	if (opt->what == LATENCY_FRAME && (opt->frame_bytes < 60 || opt->frame_bytes > 9000))
		return app_error("--size: a frame has 60 to 9000 bytes, not %u", opt->frame_bytes);
	return 0;
}

bool
latency_options_help(int argc, char **argv)
{
	if (argc < 2)
		return false;
	if (strcmp(argv[1], "--help") == 0) {
		fputs(help, stdout);
		return true;
	}
	if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0) {
		printf("dpdk-rio-latency %s\n", APP_VERSION);
		return true;
	}
	return false;
}

enum latency_parsed
latency_options_parse(int argc, char **argv, struct latency_options *opt)
{
	const char *json = NULL;
	int what;

	memset(opt, 0, sizeof(*opt));
	opt->interval_us = 1000;
	opt->distance_us = 500;
	opt->frame_bytes = 64;
	opt->peer = UINT32_MAX;
	optind = 1;
	while ((what = getopt_long(argc, argv, "+:w:i:d:l:D:b:h:p:mqNV", long_options, NULL)) != -1) {
		if (what == 'H') {
			fputs(help, stdout);
			return LATENCY_HELPED;
		}
		if (what == 'V') {
			printf("dpdk-rio-latency %s\n", APP_VERSION);
			return LATENCY_HELPED;
		}
		if (parse_one(opt, what, argv, &json) < 0)
			return LATENCY_BAD;
	}
	if (optind < argc) {
		app_error("'%s' is no option (--help lists all)", argv[optind]);
		return LATENCY_BAD;
	}
	if (check(opt) < 0 || (json != NULL && app_output_claim(&opt->json, json) < 0))
		return LATENCY_BAD;
	return LATENCY_RUN;
}
