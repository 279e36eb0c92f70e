/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app_eal.h"
#include "app_interrupt.h"
#include "app_progress.h"
#include "compare_measure.h"

#define READY_TIMEOUT 30.0 /* seconds, EAL on a busy machine included */
#define DONE_TIMEOUT 20.0
#define WARM_UP 0.1
#define INTERVAL 0.05
#define END_TIMEOUT_MS 10000

static unsigned int
processes(const struct compare_lane *lane)
{
	return lane->result->path->processes;
}

/* Give the path up. Its processes are ended; the first reason stays. */
static void __attribute__((format(printf, 2, 3)))
fail(struct compare_lane *lane, const char *format, ...)
{
	va_list ap;

	lane->alive = false;
	for (unsigned int i = 0; i < processes(lane); i++)
		app_proc_stop(&lane->proc[i]);
	if (lane->result->trouble[0] != '\0')
		return;
	va_start(ap, format);
	vsnprintf(lane->result->trouble, sizeof(lane->result->trouble), format, ap);
	va_end(ap);
}

/* A process said that it failed (text), or is gone without a word (NULL). */
static void
fail_process(struct compare_lane *lane, struct app_proc *proc, const char *text)
{
	char how[80], words[200];

	app_proc_wait(proc, 2000);
	if (text == NULL)
		text = app_proc_how_ended(proc, how, sizeof(how));
	app_proc_last_words(proc, words, sizeof(words));
	if (words[0] != '\0')
		fail(lane, "%s: %s (%s)", proc->name, text, words);
	else
		fail(lane, "%s: %s", proc->name, text);
}

/*
 * Receive what a process reports. Returns 1 with the report, 0 at the deadline (app_now()),
 * -1 when the lane failed meanwhile.
 */
static int
next_report(struct compare_lane *lane, struct app_proc *proc, double deadline,
	    struct compare_report *report)
{
	struct pollfd fd = {.fd = proc->sock, .events = POLLIN};
	double left = deadline - app_now();
	ssize_t got;

	if (poll(&fd, 1, left < 0 ? 0 : (int)(left * 1000) + 1) <= 0)
		return 0;
	got = recv(proc->sock, report, sizeof(*report), MSG_DONTWAIT);
	if (got != sizeof(*report)) {
		fail_process(lane, proc, NULL);
		return -1;
	}
	if (report->news == COMPARE_FAILED) {
		report->text[sizeof(report->text) - 1] = '\0';
		fail_process(lane, proc, report->text);
		return -1;
	}
	return 1;
}

/* Wait until a process reports `news`, or more. Returns 0, or -1: failed or interrupted. */
static int
wait_for(struct compare_lane *lane, unsigned int i, enum compare_news news, double timeout,
	 struct compare_report *report)
{
	double deadline = app_now() + timeout;

	do {
		int ret = next_report(lane, &lane->proc[i], deadline, report);

		if (ret < 0)
			return -1;
		if (ret > 0 && report->news >= news)
			return 0;
		/* Starting is not worth waiting for after Ctrl-C, the end of a cell is. */
		if (app_interrupted() && news != COMPARE_DONE)
			return -1;
	} while (app_now() < deadline);
	fail(lane, "%s: no answer for %.0f s", lane->proc[i].name, timeout);
	return -1;
}

/* Which sides a process has, and its names. */
static void
plan_node(struct compare_lane *lane, unsigned int i, unsigned int number)
{
	struct compare_node *node = &lane->node[i];

	node->options = lane->options;
	node->path = lane->result->path;
	node->shared = lane->shared;
	node->side[SIDE_SENDER] = i == 0;
	node->side[SIDE_RECEIVER] = i == lane->result->path->processes - 1;
	snprintf(node->run, sizeof(node->run), "dpdk-rio-compare-%d-%u", getpid(), number);
	snprintf(node->prefix, sizeof(node->prefix), "dpdk-rio-compare-%d-%u-%u", getpid(), number,
		 i);
}

static const char *
process_name(const struct compare_path *path, unsigned int i)
{
	if (path->processes == 1)
		return "its process";
	return i == SIDE_SENDER ? "the sending process" : "the receiving process";
}

static void
start_process(struct compare_lane *lane, unsigned int i)
{
	int ret = app_proc_start(&lane->proc[i], process_name(lane->result->path, i),
				 lane->options->verbose, compare_node_main, &lane->node[i]);

	if (ret < 0)
		fail(lane, "%s: %s", process_name(lane->result->path, i), strerror(-ret));
}

void
compare_lane_start(struct compare_lane *lane, const struct compare_options *options,
		   struct compare_result *result, unsigned int number)
{
	memset(lane, 0, sizeof(*lane));
	lane->options = options;
	lane->result = result;
	for (unsigned int i = 0; i < SIDES; i++)
		lane->proc[i] = (struct app_proc){.sock = -1, .log = -1};
	lane->shared = mmap(NULL, sizeof(*lane->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (lane->shared == MAP_FAILED) {
		lane->shared = NULL;
		fail(lane, "no shared memory: %s", strerror(errno));
		return;
	}
	for (unsigned int i = 0; i < processes(lane); i++)
		plan_node(lane, i, number);
	lane->alive = true;
	start_process(lane, processes(lane) == SIDES ? result->path->starts_first : 0);
}

void
compare_lane_start_other(struct compare_lane *lane)
{
	unsigned int first = lane->result->path->starts_first;
	struct compare_report report;

	if (processes(lane) == 1)
		return;
	if (wait_for(lane, first, COMPARE_OPENED, READY_TIMEOUT, &report) == 0)
		start_process(lane, !first);
}

void
compare_lane_wait_ready(struct compare_lane *lane)
{
	struct compare_report report;

	lane->result->max_frame = UINT32_MAX;
	for (unsigned int i = 0; i < processes(lane); i++) {
		if (wait_for(lane, i, COMPARE_READY, READY_TIMEOUT, &report) < 0)
			return;
		if (report.max_frame < lane->result->max_frame)
			lane->result->max_frame = report.max_frame;
	}
	memcpy(lane->dst, report.mac, sizeof(lane->dst));
	lane->result->ran = true;
}

static int
tell_all(struct compare_lane *lane, uint32_t frame_bytes)
{
	struct compare_command command = {
		.op = COMPARE_OP_MEASURE,
		.frame_bytes = frame_bytes,
		.stream = ++lane->stream,
	};

	memset(lane->shared, 0, sizeof(*lane->shared));
	memcpy(command.dst, lane->dst, sizeof(command.dst));
	/* The receiver first: it should be there for the first frame. */
	for (unsigned int i = processes(lane); i-- > 0;)
		if (send(lane->proc[i].sock, &command, sizeof(command), MSG_NOSIGNAL) < 0) {
			fail_process(lane, &lane->proc[i], NULL);
			return -1;
		}
	return 0;
}

/* Sleep until a time of app_now(), unless a process dies or the user interrupts: -1. */
static int
sleep_until(struct compare_lane *lane, double when)
{
	struct pollfd fd[SIDES];

	for (unsigned int i = 0; i < processes(lane); i++)
		fd[i] = (struct pollfd){.fd = lane->proc[i].sock, .events = POLLIN};
	while (!app_interrupted()) {
		double left = when - app_now();
		struct timespec ts = {.tv_sec = (time_t)left};

		if (left <= 0)
			return 0;
		ts.tv_nsec = (long)((left - (double)ts.tv_sec) * 1e9);
		if (ppoll(fd, processes(lane), &ts, NULL) <= 0)
			continue;
		for (unsigned int i = 0; i < processes(lane); i++)
			if (fd[i].revents != 0) {
				fail_process(lane, &lane->proc[i], NULL);
				return -1;
			}
	}
	return -1;
}

/* Read the receiver's counter at regular times. What has been taken stays when cut short. */
static void
take_samples(struct compare_lane *lane, struct compare_cell *cell, double seconds)
{
	unsigned int intervals = (unsigned int)(seconds / INTERVAL + 0.5);
	double start, before, now;
	uint64_t had, has;

	if (intervals == 0)
		intervals = 1;
	if (sleep_until(lane, app_now() + WARM_UP) < 0)
		return;
	start = before = app_now();
	had = atomic_load_explicit(&lane->shared->rx.received, memory_order_relaxed);
	for (unsigned int i = 1; i <= intervals; i++) {
		if (sleep_until(lane, start + seconds * i / intervals) < 0)
			return;
		now = app_now();
		has = atomic_load_explicit(&lane->shared->rx.received, memory_order_relaxed);
		app_samples_add(&cell->pps, (double)(has - had) / (now - before));
		lane->tick(lane->tick_arg, (double)i / intervals,
			   (double)(has - had) / (now - before));
		before = now;
		had = has;
	}
}

static uint64_t
final(const atomic_uint_fast64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static void
add_counters(const struct compare_shared *shared, struct compare_cell *cell)
{
	cell->sent += final(&shared->tx.sent);
	cell->refused += final(&shared->tx.refused);
	cell->received += final(&shared->rx.received);
	cell->late += final(&shared->rx.late);
	cell->whole += final(&shared->rx.whole);
	cell->bad += final(&shared->rx.bad);
}

void
compare_lane_measure(struct compare_lane *lane, unsigned int size)
{
	struct compare_cell *cell = &lane->result->cell[size];
	struct compare_report report;

	if (!lane->alive || !lane->result->ran)
		return;
	if (lane->options->size[size] > lane->result->max_frame) {
		cell->too_large = true;
		return;
	}
	if (tell_all(lane, lane->options->size[size]) < 0)
		return;
	take_samples(lane, cell, lane->options->duration / lane->options->rounds);
	if (!lane->alive)
		return;
	atomic_store_explicit(&lane->shared->stop, 1, memory_order_relaxed);
	for (unsigned int i = 0; i < processes(lane); i++)
		if (wait_for(lane, i, COMPARE_DONE, DONE_TIMEOUT, &report) < 0)
			return;
	add_counters(lane->shared, cell);
}

/* Tell a process to end and see that it does so in order. */
static void
end_process(struct compare_lane *lane, struct app_proc *proc)
{
	struct compare_command command = {.op = COMPARE_OP_END};

	send(proc->sock, &command, sizeof(command), MSG_NOSIGNAL);
	if (!app_proc_wait(proc, END_TIMEOUT_MS))
		fail(lane, "%s did not end for %d s", proc->name, END_TIMEOUT_MS / 1000);
	else if (!app_proc_ended_well(proc))
		fail_process(lane, proc, NULL);
}

void
compare_lane_end(struct compare_lane *lane)
{
	unsigned int first = processes(lane) == SIDES ? lane->result->path->ends_first : 0;

	for (unsigned int i = 0; i < processes(lane) && lane->alive && lane->result->ran; i++)
		end_process(lane, &lane->proc[(first + i) % processes(lane)]);
	for (unsigned int i = 0; i < processes(lane); i++) {
		app_proc_stop(&lane->proc[i]);
		app_proc_close(&lane->proc[i]);
		app_eal_remove_runtime_dir(lane->node[i].prefix);
	}
	if (lane->shared != NULL)
		munmap(lane->shared, sizeof(*lane->shared));
	memset(lane, 0, sizeof(*lane));
}
