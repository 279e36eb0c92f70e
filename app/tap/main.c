/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * dpdk-rio-tap: an interface of the kernel on one side, a port on the other.
 */

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "app_eal.h"
#include "app_error.h"
#include "app_interrupt.h"
#include "app_output.h"
#include "app_progress.h"
#include "tap_carry.h"

enum { EXIT_BEGIN = 1, EXIT_GONE = 2 };

#define LOOK_US (100 * 1000)

struct tap {
	struct tap_options options;
	struct tap_port port;
	struct tap_iface iface;
	struct tap_carrier carrier[TAP_MAX_QUEUES];
	atomic_bool ended;
	double started;
};

static void
print_counters(const struct tap *tap)
{
	struct tap_counters sum;

	memset(&sum, 0, sizeof(sum));
	for (unsigned int q = 0; q < tap->port.queues; q++) {
		const struct tap_counters *c = &tap->carrier[q].counters;

		sum.to_port += c->to_port;
		sum.to_port_bytes += c->to_port_bytes;
		sum.to_kernel += c->to_kernel;
		sum.to_kernel_bytes += c->to_kernel_bytes;
		sum.refused_kernel += c->refused_kernel;
		sum.refused_port += c->refused_port;
		sum.sleeps += c->sleeps;
	}
	printf("%s: %.1f s, to port %" PRIu64 " frames %" PRIu64 " bytes (%" PRIu64
	       " refused), to kernel %" PRIu64 " frames %" PRIu64 " bytes (%" PRIu64
	       " refused), slept %" PRIu64 " times\n",
	       tap->iface.name, app_now() - tap->started, sum.to_port, sum.to_port_bytes,
	       sum.refused_port, sum.to_kernel, sum.to_kernel_bytes, sum.refused_kernel,
	       sum.sleeps);
	fflush(stdout);
}

/* Looks at signals, the link and the clock while the lcores carry. */
static void *
look_after(void *arg)
{
	struct tap *tap = arg;
	double next = tap->started + tap->options.stats_s;
	bool link = false, now;

	while (!atomic_load(&tap->ended)) {
		now = tap_port_link(&tap->port);
		if (now != link)
			tap_iface_set_carrier(&tap->iface, now);
		link = now;
		if (tap->options.stats_s != 0 && app_now() >= next) {
			print_counters(tap);
			next += tap->options.stats_s;
		}
		for (unsigned int q = 0; q < tap->port.queues; q++)
			if (tap->carrier[q].failed)
				atomic_store(&tap->ended, true);
		if (app_interrupted() || !rte_eth_dev_is_valid_port(tap->port.id))
			atomic_store(&tap->ended, true);
		rte_delay_us_sleep(LOOK_US);
	}
	return NULL;
}

static int
carry(void *arg)
{
	tap_carrier_run(arg);
	return 0;
}

static int
set_up_iface(struct tap *tap)
{
	const struct tap_options *opt = &tap->options;
	struct tap_iface *iface = &tap->iface;
	struct rte_ether_addr mac = opt->mac;
	struct tap_address address;

	if (!opt->has_mac)
		rte_eth_macaddr_get(tap->port.id, &mac);
	if (tap_iface_set_offload(iface, &tap->port.offload) < 0 ||
	    tap_iface_set_mac(iface, &mac) < 0 || tap_iface_set_mtu(iface, tap->port.mtu) < 0)
		return -1;
	tap_iface_set_carrier(iface, tap_port_link(&tap->port));
	for (unsigned int i = 0; i < opt->addresses; i++) {
		tap_address_parse(opt->address[i], &address);
		if (tap_iface_add_address(iface, &address) < 0)
			return -1;
	}
	return tap_iface_up(iface);
}

static void
announce(const struct tap *tap)
{
	const struct tap_port *port = &tap->port;
	char name[RTE_ETH_NAME_MAX_LEN] = "";

	rte_eth_dev_get_name_by_port(port->id, name);
	printf("%s: on port %u (%s), MTU %u, %u queue%s, checksums %s, segmentation %s, wake-up by "
	       "%s\n", tap->iface.name, port->id, name, port->mtu, port->queues,
	       port->queues == 1 ? "" : "s", port->offload.checksum ? "by the port" : "by the kernel",
	       port->offload.tso ? "by the port" : "by the kernel",
	       port->rx_intr ? "interrupt" : "timer");
	fflush(stdout);
}

/* Queue 0 is this lcore's. */
static int
run(struct tap *tap)
{
	unsigned int lcore = rte_get_next_lcore(-1, 1, 0);
	pthread_t looker;
	bool failed = false;

	for (uint16_t q = 0; q < tap->port.queues; q++)
		tap->carrier[q] = (struct tap_carrier){
			.port = &tap->port, .fd = tap->iface.fd[q], .queue = q,
			.spin_cycles = tap->options.spin_us * rte_get_tsc_hz() / 1000000,
			.ended = &tap->ended,
		};
	tap->started = app_now();
	if (rte_ctrl_thread_create(&looker, "tap-look", NULL, look_after, tap) != 0)
		return app_error("cannot start a thread");
	announce(tap);
	for (uint16_t q = 1; q < tap->port.queues; q++) {
		rte_eal_remote_launch(carry, &tap->carrier[q], lcore);
		lcore = rte_get_next_lcore(lcore, 1, 0);
	}
	carry(&tap->carrier[0]);
	rte_eal_mp_wait_lcore();
	pthread_join(looker, NULL);
	print_counters(tap);
	for (uint16_t q = 0; q < tap->port.queues; q++)
		failed |= tap->carrier[q].failed;
	if (failed || !rte_eth_dev_is_valid_port(tap->port.id)) {
		app_error("the %s went away", failed ? "interface" : "port");
		return EXIT_GONE;
	}
	return 0;
}

static int
with_port(struct tap *tap)
{
	int ret = EXIT_BEGIN;

	if (tap_iface_open(&tap->iface, tap->options.name, tap->port.queues) < 0)
		return ret;
	if (set_up_iface(tap) == 0)
		ret = run(tap);
	tap_iface_close(&tap->iface);
	return ret < 0 ? EXIT_BEGIN : ret;
}

static int
with_eal(struct tap *tap, int argc, char **argv)
{
	int ret = EXIT_BEGIN;

	switch (tap_options_parse(argc, argv, &tap->options)) {
	case TAP_HELPED:
		return app_output_stdout() < 0 ? EXIT_BEGIN : 0;
	case TAP_BAD:
		return EXIT_BEGIN;
	case TAP_RUN:
		break;
	}
	if (rte_lcore_count() < tap->options.queues)
		return app_error("--queues: %u need as many lcores, there are %u",
				 tap->options.queues, rte_lcore_count()) < 0 ? EXIT_BEGIN : 0;
	if (tap_port_open(&tap->port, &tap->options) < 0)
		return ret;
	ret = with_port(tap);
	tap_port_close(&tap->port);
	return ret;
}

int
main(int argc, char **argv)
{
	static struct tap tap;
	int used, ret;

	if (tap_options_help(argc, argv))
		return app_output_stdout() < 0 ? EXIT_BEGIN : 0;
	if (app_eal_load_plugin("librte_net_rionet.so") < 0)
		return EXIT_BEGIN;
	app_interrupt_catch();
	used = rte_eal_init(argc, argv);
	if (used < 0)
		return app_error("EAL did not start: %s", rte_strerror(rte_errno)) < 0 ? EXIT_BEGIN : 0;
	ret = with_eal(&tap, argc - used, argv + used);
	rte_eal_cleanup();
	return ret;
}
