/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef COMPARE_RUN_H
#define COMPARE_RUN_H

/*
 * Runs all paths: starts their processes, has them measure one after the other,
 * collects the results, ends them.
 */

#include <stdbool.h>

#include "app_stats.h"
#include "compare_options.h"

/* One path at one frame size, all rounds together. */
struct compare_cell {
	struct app_samples pps;	 /* frames received a second, one sample an interval */
	struct app_stats stats;	 /* of pps, when all is done */
	bool too_large;		 /* frame above the port's MTU: not measured */
	uint64_t sent;		 /* frames that the port took */
	uint64_t received;
	uint64_t refused;	 /* offers that the port did not take */
	uint64_t late;		 /* reordered or duplicated */
	uint64_t whole;		 /* compared byte by byte */
	uint64_t bad;		 /* damaged */
};

struct compare_result {
	const struct compare_path *path;
	bool ran;		 /* its processes came up */
	char trouble[320];	 /* why it could not run, or what failed; else empty */
	uint32_t max_frame;	 /* of its ports */
	struct compare_cell cell[COMPARE_MAX_SIZES];
};

struct compare_results {
	const struct compare_options *options;
	struct compare_result of[COMPARE_MAX_PATHS]; /* in the order of options->path */
	bool interrupted;
};

/* What goes wrong with a path is in its result; the others go on. */
void compare_run(const struct compare_options *options, struct compare_results *results);
void compare_results_free(struct compare_results *results);

/* Whether a path has a figure for at least one size. */
bool compare_has_figures(const struct compare_results *results, unsigned int path);

/* Frames sent that never arrived. */
uint64_t compare_lost(const struct compare_cell *cell);

/* Whether all measured frames of a path arrived undamaged and in order. */
bool compare_contents_right(const struct compare_results *results, unsigned int path);

#endif
