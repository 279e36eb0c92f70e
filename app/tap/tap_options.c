/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "app_error.h"
#include "app_parse.h"
#include "tap_iface.h"
#include "tap_options.h"

enum { OPT_QUEUES = 256, OPT_RING, OPT_SPIN, OPT_STATS, OPT_MAC, OPT_NO_OFFLOAD };

static const struct option long_options[] = {
	{"name", required_argument, NULL, 'n'},
	{"port", required_argument, NULL, 'p'},
	{"address", required_argument, NULL, 'a'},
	{"mtu", required_argument, NULL, 'm'},
	{"mac", required_argument, NULL, OPT_MAC},
	{"queues", required_argument, NULL, OPT_QUEUES},
	{"ring", required_argument, NULL, OPT_RING},
	{"spin", required_argument, NULL, OPT_SPIN},
	{"stats", required_argument, NULL, OPT_STATS},
	{"no-offload", no_argument, NULL, OPT_NO_OFFLOAD},
	{"version", no_argument, NULL, 'V'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static const char help[] =
	"usage: dpdk-rio-tap [EAL options] -- [options]\n"
	"\n"
	"Puts ordinary network programs onto RapidIO: makes a network interface, and carries\n"
	"its frames over a rionet port (or any other port of DPDK). One process a node.\n"
	"\n"
	"  -n, --name NAME        of the interface (default rio%%d: the kernel chooses a number)\n"
	"  -p, --port NAME|N      the port, by its name or number (default: the first)\n"
	"  -a, --address ADDR/LEN IPv4 or IPv6 address of the interface; may be given %u times\n"
	"  -m, --mtu N            of interface and port, %u to %u (default: the port's)\n"
	"      --mac MAC          of the interface (default: the port's)\n"
	"      --queues N         each way, 1 to %u; each takes an lcore (default 1)\n"
	"      --ring N           descriptors of a queue, 32 to 32768 (default 512)\n"
	"      --spin US          an idle lcore looks this long before it sleeps, 0 to 1000000\n"
	"                         microseconds (default 50)\n"
	"      --stats SEC        print counters this often, 1 to 86400 (default: at the end)\n"
	"      --no-offload       neither checksums nor segmentation are left to the port\n"
	"  -V, --version          print the version\n"
	"  -h, --help             print this\n"
	"\n"
	"Needs the right to make interfaces (CAP_NET_ADMIN). The interface goes when the\n"
	"process ends; SIGINT and SIGTERM end it, and it prints what was carried.\n"
	"\n"
	"example, two nodes on one machine in network namespaces a and b:\n"
	"  ip netns exec a dpdk-rio-tap --lcores 0@0 --no-huge -m 256 --file-prefix a --no-pci \\\n"
	"      --vdev net_rionet0,fabric=test -- --address 10.0.0.1/24\n"
	"  ip netns exec b dpdk-rio-tap --lcores 0@1 --no-huge -m 256 --file-prefix b --no-pci \\\n"
	"      --vdev net_rionet0,fabric=test -- --address 10.0.0.2/24\n"
	"\n"
	"Exit codes: 0 ended by a signal; 1 a bad option, or it could not begin; 2 the port or the\n"
	"interface went away.\n";

static int
parse_name(struct tap_options *opt, const char *text)
{
	if (*text == '\0' || strlen(text) >= sizeof(opt->name) || strpbrk(text, "/: ") != NULL)
		return app_error("--name: '%s' is not 1 to %zu characters without /, : and space",
				 text, sizeof(opt->name) - 1);
	strcpy(opt->name, text);
	return 0;
}

static int
parse_address(struct tap_options *opt, const char *text)
{
	struct tap_address address;

	if (opt->addresses == TAP_MAX_ADDRESSES)
		return app_error("--address: '%s' is one more than %u", text, TAP_MAX_ADDRESSES);
	if (tap_address_parse(text, &address) < 0)
		return app_error("--address: '%s' is not an IPv4 or IPv6 address and a length, "
				 "as in 10.0.0.1/24", text);
	opt->address[opt->addresses++] = text;
	return 0;
}

static int
parse_mac(struct tap_options *opt, const char *text)
{
	if (rte_ether_unformat_addr(text, &opt->mac) < 0 ||
	    !rte_is_valid_assigned_ether_addr(&opt->mac))
		return app_error("--mac: '%s' is not a unicast address, as in 02:00:00:00:00:01",
				 text);
	opt->has_mac = true;
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
parse_one(struct tap_options *opt, int what, char **argv)
{
	switch (what) {
	case 'n':
		return parse_name(opt, optarg);
	case 'p':
		opt->port = optarg;
		return 0;
	case 'a':
		return parse_address(opt, optarg);
	case 'm':
		return app_parse_u32("--mtu", optarg, TAP_MTU_MIN, TAP_MTU_MAX, &opt->mtu);
	case OPT_MAC:
		return parse_mac(opt, optarg);
	case OPT_QUEUES:
		return app_parse_u32("--queues", optarg, 1, TAP_MAX_QUEUES, &opt->queues);
	case OPT_RING:
		return app_parse_u32("--ring", optarg, 32, 32768, &opt->ring);
	case OPT_SPIN:
		return app_parse_u32("--spin", optarg, 0, 1000000, &opt->spin_us);
	case OPT_STATS:
		return app_parse_u32("--stats", optarg, 1, 86400, &opt->stats_s);
	case OPT_NO_OFFLOAD:
		opt->no_offload = true;
		return 0;
	default:
		return refuse(what, argv);
	}
}

static void
print_help(void)
{
	printf(help, TAP_MAX_ADDRESSES, TAP_MTU_MIN, TAP_MTU_MAX, TAP_MAX_QUEUES);
}

bool
tap_options_help(int argc, char **argv)
{
	if (argc < 2)
		return false;
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
		print_help();
		return true;
	}
	if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0) {
		printf("dpdk-rio-tap %s\n", APP_VERSION);
		return true;
	}
	return false;
}

enum tap_parsed
tap_options_parse(int argc, char **argv, struct tap_options *opt)
{
	int what;

	memset(opt, 0, sizeof(*opt));
	strcpy(opt->name, "rio%d");
	opt->queues = 1;
	opt->ring = 512;
	opt->spin_us = 50;
	optind = 1;
	while ((what = getopt_long(argc, argv, "+:n:p:a:m:Vh", long_options, NULL)) != -1) {
		if (what == 'h') {
			print_help();
			return TAP_HELPED;
		}
		if (what == 'V') {
			printf("dpdk-rio-tap %s\n", APP_VERSION);
			return TAP_HELPED;
		}
		if (parse_one(opt, what, argv) < 0)
			return TAP_BAD;
	}
	if (optind < argc) {
		app_error("'%s' is no option (--help lists all)", argv[optind]);
		return TAP_BAD;
	}
	return TAP_RUN;
}
