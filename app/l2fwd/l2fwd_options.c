/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "app_error.h"
#include "app_parse.h"
#include "l2fwd.h"

enum { OPT_PORTS = 256, OPT_REWRITE, OPT_DST, OPT_QUEUES, OPT_RING, OPT_STATS, OPT_DURATION, OPT_DRAIN,
       OPT_MTU, OPT_NO_PROMISC };

static const struct option long_options[] = {
	{"ports", required_argument, NULL, OPT_PORTS},
	{"mac-updating", no_argument, NULL, OPT_REWRITE},
	{"dst", required_argument, NULL, OPT_DST},
	{"queues", required_argument, NULL, OPT_QUEUES},
	{"ring", required_argument, NULL, OPT_RING},
	{"mtu", required_argument, NULL, OPT_MTU},
	{"stats", required_argument, NULL, OPT_STATS},
	{"duration", required_argument, NULL, OPT_DURATION},
	{"drain", required_argument, NULL, OPT_DRAIN},
	{"no-promiscuous", no_argument, NULL, OPT_NO_PROMISC},
	{"version", no_argument, NULL, 'V'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static const char help[] =
	"usage: dpdk-rio-l2fwd [EAL options] -- [options]\n"
	"\n"
	"Joins two ports, a rionet port and any other for one: what one receives the other\n"
	"sends, both ways. A lcore for each queue. Nothing is dropped where the receiving side can\n"
	"wait: frames that a port does not take are held, and no more are received for it.\n"
	"\n"
	"      --ports A,B        names or numbers (default: the first two)\n"
	"      --mac-updating     write the sending port's address as source, and as destination\n"
	"                         02:00:00:00:00:0N of port N as DPDK's l2fwd does (default: frames\n"
	"                         stay as they are)\n"
	"      --dst A,B          destinations instead, of frames that leave by the first and\n"
	"                         by the second port; needs --mac-updating\n"
	"      --queues N         each way and port, 1 to %u; each takes an lcore (default 1)\n"
	"      --ring N           descriptors of a queue, 32 to 32768 (default 1024)\n"
	"      --mtu N            of both ports, 68 to 65000 (default: the ports' own)\n"
	"      --no-promiscuous   only frames for the port's address, and groups\n"
	"      --stats SEC        print counters this often (default 1; 0: at the end only)\n"
	"      --duration SEC     end by itself (default: at Ctrl-C)\n"
	"      --drain MS         at the end, time for what is held to leave (default 1000)\n"
	"  -V, --version          print the version\n"
	"  -h, --help             print this\n"
	"\n"
	"example:\n"
	"  dpdk-rio-l2fwd -l 0 --vdev net_rionet0,fabric=f --vdev net_tap0 -- --mtu 1500\n"
	"\n"
	"Exit codes: 0 ended by Ctrl-C or --duration, all that was received left; 1 a bad option, or\n"
	"it could not begin; 2 a port went away, or frames were dropped.\n";

/* Two words with a comma between them; the text is cut there. */
static int
split(const char *option, char *text, char *half[2])
{
	char *comma = strchr(text, ',');

	if (comma == NULL || comma == text || comma[1] == '\0' || strchr(comma + 1, ',') != NULL)
		return app_error("%s: '%s' is not two words, as in A,B", option, text);
	*comma = '\0';
	half[0] = text;
	half[1] = comma + 1;
	return 0;
}

static int
parse_dst(struct l2fwd_options *opt, char *text)
{
	char *half[2] = { NULL, NULL };

	if (split("--dst", text, half) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		if (rte_ether_unformat_addr(half[i], &opt->dst[i]) < 0)
			return app_error("--dst: '%s' is not an address, as in 02:00:00:00:00:01",
					 half[i]);
		opt->has_dst[i] = true;
	}
	return 0;
}

static int
parse_ports(struct l2fwd_options *opt, char *text)
{
	char *half[2] = { NULL, NULL };

	if (split("--ports", text, half) < 0)
		return -1;
	if (strcmp(half[0], half[1]) == 0)
		return app_error("--ports: both are '%s'", half[0]);
	opt->port[0] = half[0];
	opt->port[1] = half[1];
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
parse_one(struct l2fwd_options *opt, int what, char **argv)
{
	switch (what) {
	case OPT_PORTS:
		return parse_ports(opt, optarg);
	case OPT_REWRITE:
		opt->rewrite = true;
		return 0;
	case OPT_DST:
		return parse_dst(opt, optarg);
	case OPT_QUEUES:
		return app_parse_u32("--queues", optarg, 1, L2FWD_QUEUES, &opt->queues);
	case OPT_RING:
		return app_parse_u32("--ring", optarg, 32, 32768, &opt->ring);
	case OPT_MTU:
		return app_parse_u32("--mtu", optarg, 68, 65000, &opt->mtu);
	case OPT_STATS:
		return app_parse_u32("--stats", optarg, 0, 86400, &opt->stats_s);
	case OPT_DURATION:
		return app_parse_real("--duration", optarg, 0.01, 1e7, &opt->duration);
	case OPT_DRAIN:
		return app_parse_u32("--drain", optarg, 0, 60000, &opt->drain_ms);
	case OPT_NO_PROMISC:
		opt->promiscuous = false;
		return 0;
	default:
		return refuse(what, argv);
	}
}

bool
l2fwd_options_help(int argc, char **argv)
{
	if (argc < 2)
		return false;
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
		printf(help, L2FWD_QUEUES);
		return true;
	}
	if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0) {
		printf("dpdk-rio-l2fwd %s\n", APP_VERSION);
		return true;
	}
	return false;
}

enum l2fwd_parsed
l2fwd_options_parse(int argc, char **argv, struct l2fwd_options *opt)
{
	int what;

	memset(opt, 0, sizeof(*opt));
	opt->queues = 1;
	opt->ring = 1024;
	opt->stats_s = 1;
	opt->drain_ms = 1000;
	opt->promiscuous = true;
	optind = 1;
	while ((what = getopt_long(argc, argv, "+:Vh", long_options, NULL)) != -1) {
		if (what == 'h') {
			printf(help, L2FWD_QUEUES);
			return L2FWD_HELPED;
		}
		if (what == 'V') {
			printf("dpdk-rio-l2fwd %s\n", APP_VERSION);
			return L2FWD_HELPED;
		}
		if (parse_one(opt, what, argv) < 0)
			return L2FWD_BAD;
	}
	if (optind < argc) {
		app_error("'%s' is no option (--help lists all)", argv[optind]);
		return L2FWD_BAD;
	}
	if (opt->has_dst[0] && !opt->rewrite) {
		app_error("--dst: without --mac-updating frames stay as they are");
		return L2FWD_BAD;
	}
	return L2FWD_RUN;
}
