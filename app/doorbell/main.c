/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* dpdk-rio-doorbell */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_version.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "doorbell.h"

enum { EXIT_DONE = 0, EXIT_BEGIN = 1, EXIT_LOST = 2, EXIT_INTERRUPTED = 130 };

static struct doorbell_end sender, receiver;
static struct doorbell_result result;
static _Atomic bool ended;

static int
receiving_lcore(void *arg)
{
	(void)arg;
	while (!ended)
		doorbell_end_turn(&receiver);
	return 0;
}

/* Until Ctrl-C. */
static int
receive(const struct doorbell_options *opt)
{
	if (doorbell_receiver_open(&receiver, opt) < 0)
		return EXIT_BEGIN;
	printf("# destination ID %u: doorbells %#x to %#x, %s; until Ctrl-C\n", receiver.destid,
	       opt->first, opt->last, opt->interrupt ? "by interrupt" : "polled");
	fflush(stdout);
	while (!app_interrupted())
		doorbell_end_turn(&receiver);
	printf("# %" PRIu64 " doorbells since they were last counted from 0, slept %" PRIu64
	       " times\n", receiver.count, receiver.sleeps);
	doorbell_receiver_close(&receiver);
	return EXIT_DONE;
}

static void
report(const struct doorbell_options *opt)
{
	const struct app_hist *h = &result.trip;

	if (opt->rate && result.seconds > 0)
		printf("rate: %" PRIu64 " doorbells in %.3f s, %.3f million a second; received %" PRIu64
		       ", lost %" PRId64 ", errors %" PRIu64 "\n", result.sent, result.seconds,
		       (double)result.received / result.seconds / 1e6, result.received,
		       (int64_t)(result.sent - result.received), result.errors);
	if (h->count > 0)
		printf("round trip (ns): %" PRIu64 " measured, min %" PRIu64 ", avg %.0f, p50 %" PRIu64
		       ", p99 %" PRIu64 ", p99.9 %" PRIu64 ", max %" PRIu64 "; one way about %" PRIu64
		       "\n", h->count, h->min, app_hist_avg(h), app_hist_percentile(h, 50),
		       app_hist_percentile(h, 99), app_hist_percentile(h, 99.9), h->max,
		       app_hist_percentile(h, 50) / 2);
	fflush(stdout);
}

static int
report_json(const struct doorbell_options *opt)
{
	const struct app_hist *h = &result.trip;
	json_t *root = json_pack("{s:o, s:b, s:{s:I, s:I, s:I, s:f, s:f}, "
		"s:{s:I, s:I, s:f, s:I, s:I, s:I, s:I}}", "machine", app_json_machine(rte_version()),
		"interrupt", opt->interrupt, "rate", "sent", (json_int_t)result.sent, "received",
		(json_int_t)result.received, "errors", (json_int_t)result.errors, "seconds",
		result.seconds, "per_second",
		result.seconds > 0 ? (double)result.received / result.seconds : 0, "round_trip_ns",
		"count", (json_int_t)h->count, "min", (json_int_t)h->min, "avg", app_hist_avg(h),
		"p50", (json_int_t)app_hist_percentile(h, 50), "p99",
		(json_int_t)app_hist_percentile(h, 99), "p99.9",
		(json_int_t)app_hist_percentile(h, 99.9), "max", (json_int_t)h->max);
	int ret = app_output_json(&opt->json, root);

	json_decref(root);
	return ret;
}

static int
measure(const struct doorbell_options *opt, uint16_t peer)
{
	int ret = EXIT_DONE;

	if (opt->rate && doorbell_measure_rate(&sender, opt, peer, &result) < 0)
		ret = EXIT_LOST;
	if (opt->latency && ret == EXIT_DONE &&
	    doorbell_measure_trips(&sender, opt, peer, &result) < 0)
		ret = EXIT_LOST;
	report(opt);
	if (app_interrupted())
		ret = EXIT_INTERRUPTED;
	if (opt->json.path != NULL && report_json(opt) < 0 && ret == EXIT_DONE)
		ret = EXIT_LOST;
	if (ret == EXIT_DONE && result.sent != result.received) {
		app_error("%" PRId64 " doorbells were lost: is --range the same on both sides?",
			  (int64_t)(result.sent - result.received));
		ret = EXIT_LOST;
	}
	return ret;
}

/* The receiver is a second device. */
static int
with_own_receiver(const struct doorbell_options *opt)
{
	unsigned int lcore = rte_get_next_lcore(-1, 1, 0);
	int ret;

	if (doorbell_find(1, &receiver.dev, &receiver.destid) < 0) {
		app_error("no peer: give --peer, or a second device, as in --vdev raw_tsi7211");
		return EXIT_BEGIN;
	}
	if (lcore == RTE_MAX_LCORE) {
		app_error("the receiver needs a worker lcore: give EAL two, as in --lcores 0@0,1@1");
		return EXIT_BEGIN;
	}
	if (doorbell_receiver_open(&receiver, opt) < 0)
		return EXIT_BEGIN;
	rte_eal_remote_launch(receiving_lcore, NULL, lcore);
	ret = measure(opt, receiver.destid);
	ended = true;
	rte_eal_wait_lcore(lcore);
	doorbell_receiver_close(&receiver);
	return ret;
}

static int
send_some(const struct doorbell_options *opt)
{
	int ret;

	if (doorbell_sender_open(&sender, opt) < 0)
		return EXIT_BEGIN;
	ret = opt->peer == UINT32_MAX ? with_own_receiver(opt) : measure(opt, (uint16_t)opt->peer);
	doorbell_sender_close(&sender);
	return ret;
}

static int
with_eal(int argc, char **argv)
{
	static struct doorbell_options options;
	struct doorbell_end *own;
	int ret = EXIT_BEGIN;

	switch (doorbell_options_parse(argc, argv, &options)) {
	case DOORBELL_HELPED:
		return EXIT_DONE;
	case DOORBELL_BAD:
		return EXIT_BEGIN;
	case DOORBELL_RUN:
		break;
	}
	own = options.receive ? &receiver : &sender;
	if (doorbell_find(0, &own->dev, &own->destid) < 0)
		app_error("no Tsi721: name one, as in --vdev raw_tsi7210");
	else
		ret = options.receive ? receive(&options) : send_some(&options);
	if (ret == EXIT_BEGIN)
		app_output_drop(&options.json);
	return ret;
}

int
main(int argc, char **argv)
{
	int used, ret;

	if (doorbell_options_help(argc, argv))
		return EXIT_DONE;
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
