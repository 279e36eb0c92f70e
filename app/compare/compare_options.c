/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app_eal.h"
#include "app_error.h"
#include "app_frame.h"
#include "app_parse.h"
#include "compare_options.h"

enum { OPT_SIZES = 256, OPT_DURATION, OPT_ROUNDS, OPT_PATHS, OPT_CPUS, OPT_JSON, OPT_CSV };

static const struct option long_options[] = {
	{"sizes", required_argument, NULL, OPT_SIZES},
	{"duration", required_argument, NULL, OPT_DURATION},
	{"rounds", required_argument, NULL, OPT_ROUNDS},
	{"paths", required_argument, NULL, OPT_PATHS},
	{"cpus", required_argument, NULL, OPT_CPUS},
	{"json", required_argument, NULL, OPT_JSON},
	{"csv", required_argument, NULL, OPT_CSV},
	{"verbose", no_argument, NULL, 'v'},
	{"version", no_argument, NULL, 'V'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static const char help[] =
	"usage: dpdk-rio-compare [EAL options] -- [options]\n"
	"\n"
	"Sends the same frames over different paths on this machine, side by side, and\n"
	"prints how many arrive a second. Needs neither hardware nor set-up.\n"
	"\n"
	"  --paths LIST      what to compare (default: all), of:\n"
	"%s"
	"  --sizes LIST      frame sizes, bytes without FCS, %u to %u\n"
	"                    (default 64,256,1024,1514,4096)\n"
	"  --duration SEC    time a path and size, all rounds together, 0.05 to 3600\n"
	"                    (default 1.5)\n"
	"  --rounds N        passes over all paths and sizes, 1 to 100 (default 3): what\n"
	"                    else the machine does meanwhile meets all paths alike\n"
	"  --cpus TX,RX      CPUs of the sending and of the receiving core (default: the\n"
	"                    first two that the process may use)\n"
	"  --json FILE       write the results, and what was measured where, as JSON\n"
	"  --csv FILE        write the results as comma-separated values\n"
	"  -v, --verbose     do not hide the output of the DPDK processes\n"
	"  -V, --version     print the version\n"
	"  -h, --help        print this\n"
	"\n"
	"EAL options are given to every DPDK process, for example -d to load a plugin.\n"
	"Without one about memory, " APP_EAL_DEFAULT_MEMORY " is used; with hugepages reserved,\n"
	"`-m 512 --in-memory` uses those.\n"
	"\n"
	"Exit codes: 0 every path was measured, and what arrived was as it was sent; 1 a\n"
	"bad option, or nothing was measured; 2 a path could not run, or frames arrived\n"
	"damaged or out of order; 130 interrupted (Ctrl-C prints what was measured).\n"
	"\n"
	"examples:\n"
	"  dpdk-rio-compare\n"
	"  dpdk-rio-compare -- --sizes 64,1514 --json result.json\n"
	"  dpdk-rio-compare -- --paths rionet-msg,net_memif --duration 10 --rounds 5\n"
	"  dpdk-rio-compare -m 512 --in-memory -- --cpus 2,3 --csv result.csv\n";

static const uint32_t default_sizes[] = {64, 256, 1024, 1514, 4096};

static void
print_help(void)
{
	char paths[1024] = "";
	size_t used = 0;

	for (const struct compare_path *p = compare_paths; p->name != NULL; p++)
		used += (size_t)snprintf(paths + used, sizeof(paths) - used,
					 "                      %-11s %s\n", p->name, p->what);
	printf(help, paths, APP_FRAME_MIN, COMPARE_MAX_FRAME);
}

static void
set_defaults(struct compare_options *opt)
{
	int cpu0 = app_eal_nth_cpu(0), cpu1 = app_eal_nth_cpu(1);

	memset(opt, 0, sizeof(*opt));
	memcpy(opt->size, default_sizes, sizeof(default_sizes));
	opt->sizes = sizeof(default_sizes) / sizeof(default_sizes[0]);
	for (opt->paths = 0; compare_paths[opt->paths].name != NULL; opt->paths++)
		opt->path[opt->paths] = opt->paths;
	opt->duration = 1.5;
	opt->rounds = 3;
	opt->cpu[SIDE_SENDER] = (uint32_t)(cpu0 < 0 ? 0 : cpu0);
	opt->cpu[SIDE_RECEIVER] = cpu1 < 0 ? opt->cpu[SIDE_SENDER] : (uint32_t)cpu1;
}

static int
parse_sizes(struct compare_options *opt, const char *text)
{
	int count = app_parse_u32_list("--sizes", text, APP_FRAME_MIN, COMPARE_MAX_FRAME, opt->size,
				       COMPARE_MAX_SIZES);

	if (count < 0)
		return -1;
	opt->sizes = (unsigned int)count;
	return 0;
}

static int
parse_paths(struct compare_options *opt, const char *text)
{
	const char *names[COMPARE_MAX_PATHS + 1];
	unsigned int n = 0;
	int count;

	for (; compare_paths[n].name != NULL; n++)
		names[n] = compare_paths[n].name;
	names[n] = NULL;
	count = app_parse_names("--paths", text, names, opt->path, COMPARE_MAX_PATHS);
	if (count < 0)
		return -1;
	opt->paths = (unsigned int)count;
	return 0;
}

static int
parse_cpus(struct compare_options *opt, const char *text)
{
	int count = app_parse_u32_list("--cpus", text, 0, 1023, opt->cpu, SIDES);

	if (count == 1)
		return app_error("--cpus: '%s' is not two CPUs, as in 0,1", text);
	if (count < 0)
		return -1;
	for (int i = 0; i < SIDES; i++)
		if (!app_eal_may_use_cpu(opt->cpu[i]))
			return app_error("--cpus: this process may not use CPU %u", opt->cpu[i]);
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
parse_one(struct compare_options *opt, int what, char **argv, const char **json, const char **csv)
{
	switch (what) {
	case OPT_SIZES:
		return parse_sizes(opt, optarg);
	case OPT_PATHS:
		return parse_paths(opt, optarg);
	case OPT_CPUS:
		return parse_cpus(opt, optarg);
	case OPT_DURATION:
		return app_parse_real("--duration", optarg, 0.05, 3600, &opt->duration);
	case OPT_ROUNDS:
		return app_parse_u32("--rounds", optarg, 1, 100, &opt->rounds);
	case OPT_JSON:
		*json = optarg;
		return 0;
	case OPT_CSV:
		*csv = optarg;
		return 0;
	case 'v':
		opt->verbose = true;
		return 0;
	default:
		return refuse(what, argv);
	}
}

static bool
asks_for_help(int argc, char **argv)
{
	return argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0);
}

static int
claim_outputs(struct compare_options *opt, const char *json, const char *csv)
{
	if (json != NULL && csv != NULL && strcmp(json, csv) == 0)
		return app_error("--json and --csv: both are '%s'", json);
	if (json != NULL && app_output_claim(&opt->json, json) < 0)
		return -1;
	if (csv != NULL && app_output_claim(&opt->csv, csv) < 0) {
		app_output_drop(&opt->json);
		return -1;
	}
	return 0;
}

enum compare_parsed
compare_options_parse(int argc, char **argv, struct compare_options *opt)
{
	const char *own[sizeof(long_options) / sizeof(long_options[0])];
	const char *json = NULL, *csv = NULL;
	int first, what;

	set_defaults(opt);
	if (asks_for_help(argc, argv)) {
		print_help();
		return COMPARE_HELPED;
	}
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		own[i] = long_options[i].name;
	first = app_eal_split(argc, argv, own, &opt->eal_argc);
	if (first < 0)
		return COMPARE_BAD;
	opt->eal_argv = argv + 1;
	argc -= first - 1;
	argv += first - 1;
	while ((what = getopt_long(argc, argv, "+:vVh", long_options, NULL)) != -1) {
		if (what == 'h') {
			print_help();
			return COMPARE_HELPED;
		}
		if (what == 'V') {
			printf("dpdk-rio-compare %s\n", APP_VERSION);
			return COMPARE_HELPED;
		}
		if (parse_one(opt, what, argv, &json, &csv) < 0)
			return COMPARE_BAD;
	}
	if (optind < argc) {
		app_error("'%s' is no option (--help lists all)", argv[optind]);
		return COMPARE_BAD;
	}
	return claim_outputs(opt, json, csv) < 0 ? COMPARE_BAD : COMPARE_RUN;
}
