/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Round trip of a doorbell: a peer answers each with another one. */

#include <stdbool.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_pmd_tsi721.h>
#include <rte_rawdev.h>

#include "app_error.h"
#include "latency_run.h"

/* Info fields; the low byte tells one from the next. */
#define ASK	0xe000
#define ANSWER	0xe100
#define BURST	32

struct doorbell {
	uint16_t dev;		/* sends and waits; with --echo: answers */
	uint16_t answers;	/* the device that answers in this process */
	uint16_t peer;		/* destination ID */
	uint8_t sequence;
	bool came;
	bool asked, answering;	/* ranges that are requested */
};

static struct doorbell bell;

/* The n-th Tsi721 among the raw devices, or -1. */
static int
find(unsigned int n, struct rte_pmd_tsi721_info *tsi721)
{
	unsigned int left = rte_rawdev_count();

	/* Asking for one that is not there makes a line in the log. */
	for (uint16_t id = 0; left > 0 && id < RTE_RAWDEV_MAX_DEVS; id++) {
		struct rte_rawdev_info info;

		memset(&info, 0, sizeof(info));
		memset(tsi721, 0, sizeof(*tsi721));
		info.dev_private = tsi721;
		if (rte_rawdev_info_get(id, &info, sizeof(*tsi721)) < 0)
			continue;
		left--;
		if (strcmp(info.driver_name, "raw_tsi721") != 0)
			continue;
		if (n-- == 0)
			return id;
	}
	return -1;
}

static void
on_answer(void *arg, uint16_t src, uint16_t info)
{
	(void)arg;
	if (src == bell.peer && (info & 0xff) == bell.sequence)
		bell.came = true;
}

static void
on_ask(void *arg, uint16_t src, uint16_t info)
{
	uint16_t *dev = arg;

	rte_pmd_tsi721_doorbell_send(*dev, src, ANSWER | (info & 0xff));
}

static int
answer_on(uint16_t *dev)
{
	int ret = rte_pmd_tsi721_doorbell_request(*dev, ASK, ASK | 0xff, on_ask, dev);

	if (ret < 0)
		return app_error("device %u: doorbells %#x to %#x: %s", *dev, ASK, ASK | 0xff,
				 rte_strerror(-ret));
	bell.answering = true;
	return 0;
}

static void
doorbell_close(struct latency_run *run)
{
	(void)run;
	if (bell.answering)
		rte_pmd_tsi721_doorbell_release(bell.answers, ASK, ASK | 0xff);
	if (bell.asked)
		rte_pmd_tsi721_doorbell_release(bell.dev, ANSWER, ANSWER | 0xff);
	bell.answering = bell.asked = false;
}

static int
open_asking(struct latency_run *run)
{
	struct rte_pmd_tsi721_info other;
	int second = find(1, &other), ret;

	if (run->options->peer != UINT32_MAX) {
		bell.peer = (uint16_t)run->options->peer;
	} else if (second >= 0) {
		bell.answers = (uint16_t)second;
		bell.peer = other.destid;
		run->answers = true;
		if (answer_on(&bell.answers) < 0)
			return -1;
	} else {
		return app_error("no peer: give --peer, or a second device, as in "
				 "--vdev raw_tsi7211");
	}
	ret = rte_pmd_tsi721_doorbell_request(bell.dev, ANSWER, ANSWER | 0xff, on_answer, NULL);
	if (ret < 0)
		return app_error("device %u: doorbells %#x to %#x: %s", bell.dev, ANSWER,
				 ANSWER | 0xff, rte_strerror(-ret));
	bell.asked = true;
	return 0;
}

static int
doorbell_open(struct latency_run *run)
{
	struct rte_pmd_tsi721_info own;
	int first = find(0, &own), ret;

	if (first < 0)
		return app_error("no Tsi721: name one, as in --vdev raw_tsi7210");
	bell.dev = (uint16_t)first;
	if (run->options->echo) {
		bell.answers = bell.dev;
		return answer_on(&bell.answers);
	}
	ret = open_asking(run);
	if (ret < 0)
		doorbell_close(run);
	return ret;
}

static int64_t
doorbell_measure(struct latency_thread *t)
{
	uint64_t hz = rte_get_tsc_hz(), from, now;

	latency_sleep_until(t->next_ns);
	bell.came = false;
	bell.sequence++;
	from = rte_rdtsc();
	if (rte_pmd_tsi721_doorbell_send(bell.dev, bell.peer, ASK | bell.sequence) < 0) {
		app_error("--peer: %u is no destination ID of this fabric", bell.peer);
		return -1;
	}
	do {
		rte_pmd_tsi721_doorbell_poll(bell.dev, BURST);
		now = rte_rdtsc();
		if (now - from > LATENCY_PATIENCE_NS / 1000000000 * hz) {
			app_error("no answer from destination %u within %llu s", bell.peer,
				  LATENCY_PATIENCE_NS / 1000000000);
			return -1;
		}
	} while (!bell.came && !atomic_load_explicit(&t->run->stop, memory_order_relaxed));
	return (int64_t)((double)(now - from) * 1e9 / (double)hz);
}

static void
doorbell_answer(struct latency_run *run)
{
	(void)run;
	rte_pmd_tsi721_doorbell_poll(bell.answers, BURST);
}

const struct latency_test latency_doorbell = {
	.open = doorbell_open,
	.measure = doorbell_measure,
	.answer = doorbell_answer,
	.close = doorbell_close,
	.one = true,
};
