/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
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
#include "app_progress.h"
#include "l2fwd.h"

enum { EXIT_DONE = 0, EXIT_BEGIN = 1, EXIT_GONE = 2 };

#define LOOK_US (50 * 1000)

struct l2fwd {
	struct l2fwd_options options;
	struct l2fwd_port port[2];
	struct l2fwd_path path[L2FWD_QUEUES][2];
	_Atomic bool stop, stopped;	/* no more is received; all that can has left */
	double started;
};

static struct l2fwd l2fwd;

static void
sum(const struct l2fwd *l, int way, uint64_t *received, uint64_t *sent, uint64_t *dropped)
{
	*received = *sent = *dropped = 0;
	for (unsigned int q = 0; q < l->options.queues; q++) {
		*received += l->path[q][way].received;
		*sent += l->path[q][way].sent;
		*dropped += l->path[q][way].dropped;
	}
}

static void
print_counters(const struct l2fwd *l, uint64_t before[2], double seconds)
{
	uint64_t received, sent, dropped;

	for (int way = 0; way < 2; way++) {
		sum(l, way, &received, &sent, &dropped);
		printf("%s -> %s: received %" PRIu64 ", sent %" PRIu64 ", dropped %" PRIu64
		       ", %.3f Mpps%s", l->port[way].name, l->port[!way].name, received, sent, dropped,
		       (double)(sent - before[way]) / seconds / 1e6, way == 0 ? "; " : "\n");
		before[way] = sent;
	}
	fflush(stdout);
}

/* Signals, the clock and the counters, while lcores forward. */
static void *
look_after(void *arg)
{
	struct l2fwd *l = arg;
	uint64_t before[2] = { 0, 0 };
	double last = l->started, now;

	while (!l->stopped) {
		rte_delay_us_sleep(LOOK_US);
		now = app_now();
		if (app_interrupted() || (l->options.duration > 0 &&
					  now - l->started >= l->options.duration) ||
		    !rte_eth_dev_is_valid_port(l->port[0].id) ||
		    !rte_eth_dev_is_valid_port(l->port[1].id))
			l->stop = true;
		if (l->options.stats_s != 0 && now - last >= l->options.stats_s && !l->stop) {
			print_counters(l, before, now - last);
			last = now;
		}
	}
	return NULL;
}

/* What has been received leaves, in the time that there is. */
static void
drain(struct l2fwd *l, unsigned int q)
{
	double end = app_now() + l->options.drain_ms / 1e3;

	while ((l->path[q][0].nb_held > 0 || l->path[q][1].nb_held > 0) && app_now() < end) {
		l2fwd_path_turn(&l->path[q][0], false);
		l2fwd_path_turn(&l->path[q][1], false);
	}
	/* A burst of none lets a driver collect what it has sent. */
	for (int way = 0; way < 2; way++) {
		rte_eth_tx_burst(l->path[q][way].to, l->path[q][way].queue, NULL, 0);
		l2fwd_path_drop(&l->path[q][way]);
	}
}

static int
forward(void *arg)
{
	unsigned int q = (unsigned int)(uintptr_t)arg;
	struct l2fwd *l = &l2fwd;

	while (!atomic_load_explicit(&l->stop, memory_order_relaxed)) {
		l2fwd_path_turn(&l->path[q][0], true);
		l2fwd_path_turn(&l->path[q][1], true);
	}
	drain(l, q);
	return 0;
}

static void
make_paths(struct l2fwd *l)
{
	for (unsigned int q = 0; q < l->options.queues; q++)
		for (int way = 0; way < 2; way++) {
			struct l2fwd_path *path = &l->path[q][way];

			path->from = l->port[way].id;
			path->to = l->port[!way].id;
			path->queue = (uint16_t)q;
			path->rewrite = l->options.rewrite;
			path->src = l->port[!way].mac;
			path->dst = l->options.dst[!way];
			if (!l->options.has_dst[!way])
				path->dst = (struct rte_ether_addr){ {
					2, 0, 0, 0, (uint8_t)(path->to >> 8), (uint8_t)path->to } };
		}
}

static int
run(struct l2fwd *l)
{
	uint64_t none[2] = { 0, 0 }, received, sent, dropped, lost = 0;
	unsigned int lcore = rte_get_next_lcore(-1, 1, 0);
	pthread_t looker;

	make_paths(l);
	l->started = app_now();
	if (rte_ctrl_thread_create(&looker, "l2fwd-look", NULL, look_after, l) != 0) {
		app_error("cannot start a thread");
		return EXIT_BEGIN;
	}
	printf("# %s and %s, %u queue%s, addresses %s\n", l->port[0].name, l->port[1].name,
	       l->options.queues, l->options.queues == 1 ? "" : "s",
	       l->options.rewrite ? "rewritten" : "kept");
	fflush(stdout);
	for (unsigned int q = 1; q < l->options.queues; q++) {
		rte_eal_remote_launch(forward, (void *)(uintptr_t)q, lcore);
		lcore = rte_get_next_lcore(lcore, 1, 0);
	}
	forward(NULL);
	rte_eal_mp_wait_lcore();
	l->stopped = true;
	pthread_join(looker, NULL);
	print_counters(l, none, app_now() - l->started);
	for (int way = 0; way < 2; way++) {
		sum(l, way, &received, &sent, &dropped);
		lost += dropped;
	}
	if (!rte_eth_dev_is_valid_port(l->port[0].id) || !rte_eth_dev_is_valid_port(l->port[1].id)) {
		app_error("a port went away");
		return EXIT_GONE;
	}
	return lost > 0 ? EXIT_GONE : EXIT_DONE;
}

static int
with_eal(int argc, char **argv)
{
	struct rte_mempool *pool = NULL;
	int ret;

	switch (l2fwd_options_parse(argc, argv, &l2fwd.options)) {
	case L2FWD_HELPED:
		return EXIT_DONE;
	case L2FWD_BAD:
		return EXIT_BEGIN;
	case L2FWD_RUN:
		break;
	}
	if (rte_lcore_count() < l2fwd.options.queues) {
		app_error("--queues: %u need as many lcores, there are %u", l2fwd.options.queues,
			  rte_lcore_count());
		return EXIT_BEGIN;
	}
	if (l2fwd_ports_open(l2fwd.port, &l2fwd.options, &pool) < 0)
		return EXIT_BEGIN;
	ret = run(&l2fwd);
	l2fwd_ports_close(l2fwd.port, pool);
	return ret;
}

int
main(int argc, char **argv)
{
	int used, ret;

	if (l2fwd_options_help(argc, argv))
		return EXIT_DONE;
	if (app_eal_load_plugin("librte_net_rionet.so") < 0)
		return EXIT_BEGIN;
	app_interrupt_catch();
	used = rte_eal_init(argc, argv);
	if (used < 0) {
		app_error("EAL did not start: %s", rte_strerror(rte_errno));
		return EXIT_BEGIN;
	}
	ret = with_eal(argc - used, argv + used);
	rte_eal_cleanup();
	return ret;
}
