/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "app_progress.h"
#include "compare_measure.h"
#include "compare_run.h"

struct run {
	const struct compare_options *options;
	struct compare_results *results;
	struct compare_lane lane[COMPARE_MAX_PATHS];
	struct app_progress bar;
	unsigned int steps;
	unsigned int step;
	const char *path; /* being measured */
	uint32_t frame_bytes;
};

/* During a measurement: fraction of it that is done. */
static void
show(void *arg, double fraction, double pps)
{
	struct run *run = arg;
	char text[128];

	snprintf(text, sizeof(text), "%s, %u bytes, %.2f Mpps", run->path, run->frame_bytes,
		 pps / 1e6);
	app_progress_show(&run->bar, (run->step + fraction) / run->steps, text);
}

/* A computed path needs no process: its samples are there at once. */
static void
compute(const struct compare_options *options, struct compare_result *result)
{
	result->ran = true;
	result->max_frame = UINT32_MAX;
	for (unsigned int i = 0; i < options->sizes; i++)
		app_samples_add(&result->cell[i].pps, result->path->computed_pps(options->size[i]));
}

static void
start_lane(struct run *run, unsigned int i)
{
	compare_lane_start(&run->lane[i], run->options, &run->results->of[i], i);
	run->lane[i].tick = show;
	run->lane[i].tick_arg = run;
}

/* All paths start at once and are then waited for. */
static void
start_all(struct run *run)
{
	static void (*const phase[])(struct compare_lane *lane) = {
		compare_lane_start_other,
		compare_lane_wait_ready,
	};
	const struct compare_options *options = run->options;

	for (unsigned int i = 0; i < options->paths; i++) {
		if (run->results->of[i].path->computed_pps != NULL)
			compute(options, &run->results->of[i]);
		else
			start_lane(run, i);
	}
	for (unsigned int k = 0; k < sizeof(phase) / sizeof(phase[0]); k++)
		for (unsigned int i = 0; i < options->paths && !app_interrupted(); i++)
			if (run->lane[i].alive)
				phase[k](&run->lane[i]);
}

static void
measure_all(struct run *run)
{
	const struct compare_options *options = run->options;

	for (unsigned int round = 0; round < options->rounds; round++)
		for (unsigned int size = 0; size < options->sizes; size++)
			for (unsigned int i = 0; i < options->paths; i++) {
				if (app_interrupted())
					return;
				if (run->results->of[i].path->computed_pps != NULL)
					continue;
				run->path = run->results->of[i].path->name;
				run->frame_bytes = options->size[size];
				compare_lane_measure(&run->lane[i], size);
				run->step++;
			}
}

static void
end_all(struct run *run)
{
	for (unsigned int i = 0; i < run->options->paths; i++)
		if (run->results->of[i].path->computed_pps == NULL)
			compare_lane_end(&run->lane[i]);
	for (unsigned int i = 0; i < run->options->paths; i++)
		for (unsigned int k = 0; k < run->options->sizes; k++) {
			struct compare_cell *cell = &run->results->of[i].cell[k];

			app_samples_stats(&cell->pps, &cell->stats);
		}
}

void
compare_run(const struct compare_options *options, struct compare_results *results)
{
	static struct run run;

	memset(results, 0, sizeof(*results));
	memset(&run, 0, sizeof(run));
	results->options = options;
	run.options = options;
	run.results = results;
	for (unsigned int i = 0; i < options->paths; i++) {
		results->of[i].path = &compare_paths[options->path[i]];
		if (results->of[i].path->computed_pps == NULL)
			run.steps += options->rounds * options->sizes;
	}
	app_progress_start(&run.bar, stderr);
	if (run.steps > 0)
		app_progress_show(&run.bar, 0, "starting the DPDK processes");
	start_all(&run);
	measure_all(&run);
	app_progress_clear(&run.bar);
	results->interrupted = app_interrupted();
	end_all(&run);
}

void
compare_results_free(struct compare_results *results)
{
	for (unsigned int i = 0; i < results->options->paths; i++)
		for (unsigned int k = 0; k < results->options->sizes; k++)
			app_samples_free(&results->of[i].cell[k].pps);
}

bool
compare_has_figures(const struct compare_results *results, unsigned int path)
{
	for (unsigned int k = 0; k < results->options->sizes; k++)
		if (results->of[path].cell[k].stats.count > 0)
			return true;
	return false;
}

uint64_t
compare_lost(const struct compare_cell *cell)
{
	return cell->sent > cell->received ? cell->sent - cell->received : 0;
}

bool
compare_contents_right(const struct compare_results *results, unsigned int path)
{
	for (unsigned int k = 0; k < results->options->sizes; k++) {
		const struct compare_cell *cell = &results->of[path].cell[k];

		if (cell->bad > 0 || cell->late > 0)
			return false;
	}
	return true;
}
