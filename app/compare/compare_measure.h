/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef COMPARE_MEASURE_H
#define COMPARE_MEASURE_H

/*
 * One path as the tool sees it: its processes, the memory shared with them, and
 * the measurement of one cell. A failure ends the path's processes and is told in
 * its result; the calls after that do nothing.
 */

#include "app_proc.h"
#include "compare_node.h"
#include "compare_run.h"

struct compare_lane {
	const struct compare_options *options;
	struct compare_result *result;
	struct compare_shared *shared;
	struct compare_node node[SIDES];
	struct app_proc proc[SIDES];
	uint8_t dst[6];		/* MAC address of the receiving port */
	uint32_t stream;	/* of the cell measured last */
	bool alive;
	/* Called now and then during a measurement; fraction of it from 0 to 1, rate so far. */
	void (*tick)(void *arg, double fraction, double pps);
	void *tick_arg;
};

/*
 * Start the process that must be there first. number: of the lane, unique in this run. Set
 * tick after it.
 */
void compare_lane_start(struct compare_lane *lane, const struct compare_options *options,
			struct compare_result *result, unsigned int number);

/* Start the other process, if there is one, as soon as the first has opened its ports. */
void compare_lane_start_other(struct compare_lane *lane);

/* Wait until all can measure. */
void compare_lane_wait_ready(struct compare_lane *lane);

/* Measure options->size[size] for one round and add to the result. */
void compare_lane_measure(struct compare_lane *lane, unsigned int size);

/* End the processes in the path's order and free what the lane has. */
void compare_lane_end(struct compare_lane *lane);

#endif
