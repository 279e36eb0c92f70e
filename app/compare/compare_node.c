/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <rte_ethdev.h>
#include <rte_launch.h>
#include <rte_mbuf.h>

#include "app_eal.h"
#include "compare_node.h"
#include "compare_port.h"
#include "compare_traffic.h"

#define POOL_MBUFS 8191
#define POOL_CACHE 256
#define LINK_TIMEOUT_MS 10000

/* What a process has; one a process, so that its signal handler finds it. */
struct node {
	const struct compare_node *plan;
	int sock;
	struct app_eal eal;
	struct rte_mempool *pool;
	struct compare_port port[SIDES];
	struct compare_traffic traffic;
};

static struct compare_shared *shared_of_process;
static volatile sig_atomic_t end_asked;

/* The tool is gone or wants an end: leave the loops, the process cleans up. */
static void
on_sigterm(int number)
{
	(void)number;
	end_asked = 1;
	atomic_store_explicit(&shared_of_process->stop, 1, memory_order_relaxed);
	atomic_store_explicit(&shared_of_process->tx.done, 1, memory_order_relaxed);
}

uint32_t
compare_buffer_room(const struct compare_options *options)
{
	uint32_t largest = RTE_MBUF_DEFAULT_DATAROOM;

	for (unsigned int i = 0; i < options->sizes; i++)
		if (options->size[i] > largest)
			largest = options->size[i];
	return RTE_ALIGN_CEIL(largest, RTE_CACHE_LINE_SIZE);
}

static uint32_t
largest_frame(const struct compare_options *options)
{
	uint32_t largest = 0;

	for (unsigned int i = 0; i < options->sizes; i++)
		if (options->size[i] > largest)
			largest = options->size[i];
	return largest;
}

/* A tool that is gone reads nothing; serve() notices that. */
static void
report(const struct node *node, const struct compare_report *report)
{
	send(node->sock, report, sizeof(*report), MSG_NOSIGNAL);
}

static int
start_eal(struct node *node, char *why, size_t room)
{
	const struct compare_options *options = node->plan->options;
	unsigned int lcores = 0;

	for (int side = 0; side < SIDES; side++)
		if (node->plan->side[side])
			node->eal.cpu[lcores++] = options->cpu[side];
	node->eal.lcores = lcores;
	node->eal.prefix = node->plan->prefix;
	node->eal.argc = options->eal_argc;
	node->eal.argv = options->eal_argv;
	if (app_eal_load_plugin(node->plan->path->driver) < 0) {
		snprintf(why, room, "%s does not load", node->plan->path->driver);
		return -1;
	}
	if (app_eal_start(&node->eal) < 0) {
		snprintf(why, room, "EAL does not start");
		return -1;
	}
	return 0;
}

/* Open the port of a side. A driver that is not there is asked for by its file name. */
static int
open_port(struct node *node, int side, uint32_t buffer, char *why, size_t room)
{
	const struct compare_path *path = node->plan->path;
	const struct compare_dev *dev = &path->dev[side];
	char args[128];
	int ret;

	if (compare_dev_args(dev, node->plan->run, buffer, args, sizeof(args)) < 0) {
		snprintf(why, room, "%s: device arguments are too long", dev->name);
		return -1;
	}
	ret = compare_port_open(&node->port[side], dev->name, args, node->pool,
				largest_frame(node->plan->options), why, room);
	if (ret == -ENODEV)
		snprintf(why, room, "no driver for %s is loaded: it needs %s, %s", dev->name,
			 path->driver, path->origin);
	return ret;
}

static int
open_ports(struct node *node, char *why, size_t room)
{
	uint32_t buffer = compare_buffer_room(node->plan->options);

	node->pool = rte_pktmbuf_pool_create("frames", POOL_MBUFS, POOL_CACHE, 0,
					     (uint16_t)(buffer + RTE_PKTMBUF_HEADROOM),
					     SOCKET_ID_ANY);
	if (node->pool == NULL) {
		snprintf(why, room, "no memory for %u buffers of %u bytes", POOL_MBUFS, buffer);
		return -1;
	}
	for (int side = 0; side < SIDES; side++) {
		if (!node->plan->side[side] || node->plan->path->dev[side].name == NULL)
			continue;
		if (open_port(node, side, buffer, why, room) < 0)
			return -1;
	}
	return 0;
}

static int
wait_links(const struct node *node, char *why, size_t room)
{
	for (int side = 0; side < SIDES; side++)
		if (node->port[side].device != NULL &&
		    compare_port_wait_link(&node->port[side], LINK_TIMEOUT_MS, why, room) < 0)
			return -1;
	return 0;
}

/* The port that receives here: its own, or in a loopback the sender's. */
static const struct compare_port *
receiving_port(const struct node *node)
{
	const struct compare_port *own = &node->port[SIDE_RECEIVER];

	return own->device != NULL ? own : &node->port[SIDE_SENDER];
}

static void
say_ready(const struct node *node)
{
	struct compare_report ready = {.news = COMPARE_READY, .max_frame = UINT32_MAX};
	struct rte_ether_addr mac;

	for (int side = 0; side < SIDES; side++)
		if (node->port[side].device != NULL &&
		    node->port[side].max_frame < ready.max_frame)
			ready.max_frame = node->port[side].max_frame;
	if (node->plan->side[SIDE_RECEIVER]) {
		rte_eth_macaddr_get(receiving_port(node)->id, &mac);
		memcpy(ready.mac, mac.addr_bytes, sizeof(ready.mac));
	}
	report(node, &ready);
}

static int
receive_on_lcore(void *arg)
{
	compare_receive(arg);
	return 0;
}

static void
measure(struct node *node, const struct compare_command *command)
{
	struct compare_traffic *traffic = &node->traffic;
	bool sends = node->plan->side[SIDE_SENDER], receives = node->plan->side[SIDE_RECEIVER];

	traffic->shared = node->plan->shared;
	traffic->command = *command;
	traffic->pool = node->pool;
	traffic->tx_port = node->port[SIDE_SENDER].id;
	traffic->rx_port = receiving_port(node)->id;
	if (sends && receives)
		rte_eal_remote_launch(receive_on_lcore, traffic, 1);
	if (sends)
		compare_send(traffic);
	else
		compare_receive(traffic);
	if (sends && receives)
		rte_eal_wait_lcore(1);
}

/* Measure as told until told to end, or until the tool is gone. */
static void
serve(struct node *node)
{
	struct compare_report done = {.news = COMPARE_DONE};
	struct compare_command command;

	while (end_asked == 0) {
		ssize_t got = recv(node->sock, &command, sizeof(command), 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got != sizeof(command) || command.op == COMPARE_OP_END)
			break;
		measure(node, &command);
		report(node, &done);
	}
}

/* From start to end. Returns 0, or -1 with what failed in why: to be reported. */
static int
run(struct node *node, char *why, size_t room)
{
	struct compare_report opened = {.news = COMPARE_OPENED};

	if (open_ports(node, why, room) < 0)
		return -1;
	report(node, &opened);
	if (wait_links(node, why, room) < 0)
		return -1;
	say_ready(node);
	serve(node);
	return 0;
}

int
compare_node_main(int sock, void *arg)
{
	struct compare_report failure = {.news = COMPARE_FAILED};
	struct node node = {.plan = arg, .sock = sock};
	struct sigaction action;
	int ret;

	shared_of_process = node.plan->shared;
	memset(&action, 0, sizeof(action));
	action.sa_handler = on_sigterm;
	sigaction(SIGTERM, &action, NULL);
	if (start_eal(&node, failure.text, sizeof(failure.text)) < 0) {
		report(&node, &failure);
		app_eal_remove_runtime_dir(node.plan->prefix);
		return 1;
	}
	ret = run(&node, failure.text, sizeof(failure.text));
	if (ret < 0)
		report(&node, &failure);
	for (int side = SIDES - 1; side >= 0; side--)
		compare_port_close(&node.port[side]);
	rte_mempool_free(node.pool);
	app_eal_stop(&node.eal);
	return ret < 0 ? 1 : 0;
}
