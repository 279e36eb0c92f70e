/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TAP_OPTIONS_H
#define TAP_OPTIONS_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>

#define TAP_MAX_ADDRESSES	8
#define TAP_MAX_QUEUES		7
#define TAP_MTU_MIN		68
#define TAP_MTU_MAX		65000

struct tap_options {
	char name[IFNAMSIZ];		/* of the interface; %d in it is a number of the kernel's choice */
	const char *port;		/* the port's name or number; NULL: the first one */
	const char *address[TAP_MAX_ADDRESSES];	/* ADDRESS/LENGTH, checked */
	unsigned int addresses;
	uint32_t mtu;
	uint32_t queues;		/* each way, one lcore each */
	uint32_t ring;			/* descriptors of a queue */
	uint32_t spin_us;		/* an idle lcore looks this long before it sleeps */
	uint32_t stats_s;		/* print counters this often; 0: at the end only */
	bool has_mac;
	struct rte_ether_addr mac;	/* else the port's */
	bool no_offload;
};

enum tap_parsed { TAP_RUN, TAP_HELPED, TAP_BAD };

/* argv[0] is the program, or EAL's last argument. One line on standard error when TAP_BAD. */
enum tap_parsed tap_options_parse(int argc, char **argv, struct tap_options *opt);

/* Whether the command line asks for help or the version before EAL is started; prints it. */
bool tap_options_help(int argc, char **argv);

#endif
