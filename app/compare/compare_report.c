/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <inttypes.h>
#include <stdio.h>

#include <rte_version.h>

#include "app_eal.h"
#include "app_frame.h"
#include "app_table.h"
#include "compare_report.h"
#include "compare_shared.h"

#define DOUBTFUL_SPREAD 50.0

static double
mpps(const struct compare_cell *cell)
{
	return cell->stats.p50 / 1e6;
}

static double
gbps(const struct compare_cell *cell, uint32_t frame_bytes)
{
	return cell->stats.p50 * frame_bytes * 8 / 1e9;
}

/* Half the distance between the 10th and the 90th percentile, in percent of the median. */
static double
spread(const struct compare_cell *cell)
{
	if (cell->stats.p50 == 0)
		return 0;
	return (cell->stats.p90 - cell->stats.p10) / 2 / cell->stats.p50 * 100;
}

static void
print_figure(struct app_table *table, const struct compare_results *results, unsigned int path,
	     unsigned int size, unsigned int which)
{
	const struct compare_cell *cell = &results->of[path].cell[size];

	if (cell->stats.count == 0)
		app_table_cell(table, "-");
	else if (which == 0)
		app_table_cell(table, "%.3f", mpps(cell));
	else if (which == 1)
		app_table_cell(table, "%.2f", gbps(cell, results->options->size[size]));
	else if (results->of[path].path->computed_pps != NULL)
		app_table_cell(table, "exact");
	else
		app_table_cell(table, "%.1f", spread(cell));
}

static void
print_figures(const struct compare_results *results, FILE *out, const char *title,
	      unsigned int which)
{
	const struct compare_options *options = results->options;
	struct app_table *table = app_table_new(options->sizes + 1);

	if (table == NULL)
		return;
	fprintf(out, "\n%s\n", title);
	app_table_cell(table, "frame bytes");
	for (unsigned int k = 0; k < options->sizes; k++)
		app_table_cell(table, "%u", options->size[k]);
	for (unsigned int i = 0; i < options->paths; i++) {
		app_table_cell(table, "%s%s", results->of[i].path->name,
			       results->of[i].path->computed_pps ? " (computed)" : "");
		for (unsigned int k = 0; k < options->sizes; k++)
			print_figure(table, results, i, k, which);
	}
	app_table_print(table, out, 2);
	app_table_free(table);
}

/* Say so when the machine was too busy for the figures to mean much. */
static void
print_doubt(const struct compare_results *results, FILE *out)
{
	double worst = 0;

	for (unsigned int i = 0; i < results->options->paths; i++)
		for (unsigned int k = 0; k < results->options->sizes; k++)
			if (spread(&results->of[i].cell[k]) > worst)
				worst = spread(&results->of[i].cell[k]);
	if (worst > DOUBTFUL_SPREAD)
		fprintf(out, "  A spread above %.0f %% says that other work took the CPUs: "
			"measure again.\n", DOUBTFUL_SPREAD);
}

/* All sizes of a path together. */
static struct compare_cell
total(const struct compare_results *results, unsigned int path)
{
	struct compare_cell sum = {0};

	for (unsigned int k = 0; k < results->options->sizes; k++) {
		const struct compare_cell *cell = &results->of[path].cell[k];

		sum.sent += cell->sent;
		sum.received += cell->received;
		sum.late += cell->late;
		sum.whole += cell->whole;
		sum.bad += cell->bad;
	}
	return sum;
}

static bool
is_measured(const struct compare_results *results, unsigned int path)
{
	return results->of[path].path->computed_pps == NULL && compare_has_figures(results, path);
}

static void
print_checks(const struct compare_results *results, FILE *out)
{
	struct app_table *table = app_table_new(7);

	if (table == NULL)
		return;
	fprintf(out, "\nWhat was checked, frames of all sizes\n");
	app_table_cell(table, "path");
	app_table_cell(table, "sent");
	app_table_cell(table, "received");
	app_table_cell(table, "lost");
	app_table_cell(table, "out of order");
	app_table_cell(table, "compared whole");
	app_table_cell(table, "damaged");
	for (unsigned int i = 0; i < results->options->paths; i++) {
		struct compare_cell sum = total(results, i);

		if (!is_measured(results, i))
			continue;
		app_table_cell(table, "%s", results->of[i].path->name);
		app_table_cell(table, "%" PRIu64, sum.sent);
		app_table_cell(table, "%" PRIu64, sum.received);
		app_table_cell(table, "%" PRIu64, compare_lost(&sum));
		app_table_cell(table, "%" PRIu64, sum.late);
		app_table_cell(table, "%" PRIu64, sum.whole);
		app_table_cell(table, "%" PRIu64, sum.bad);
	}
	app_table_print(table, out, 2);
	app_table_free(table);
}

static void
print_paths(const struct compare_results *results, FILE *out)
{
	fprintf(out, "\nPaths\n");
	for (unsigned int i = 0; i < results->options->paths; i++) {
		const struct compare_result *result = &results->of[i];

		fprintf(out, "  %s\n", result->path->name);
		app_print_wrapped(out, 4, result->path->what);
		app_print_wrapped(out, 4, result->path->copies);
		for (unsigned int k = 0; k < results->options->sizes; k++)
			if (result->cell[k].too_large)
				fprintf(out, "    not at %u bytes: its frames have %u at most\n",
					results->options->size[k], result->max_frame);
	}
}

static void
print_trouble(const struct compare_results *results, FILE *out)
{
	char text[512];

	for (unsigned int i = 0; i < results->options->paths; i++) {
		const struct compare_result *result = &results->of[i];

		if (result->trouble[0] == '\0')
			continue;
		snprintf(text, sizeof(text), "%s: %s", result->path->name, result->trouble);
		fprintf(out, "\n%s\n", result->ran ? "FAILED" : "NOT MEASURED");
		app_print_wrapped(out, 2, text);
	}
}

static void
print_method(const struct compare_options *options, FILE *out)
{
	bool chosen = app_eal_chooses_memory(options->eal_argc, options->eal_argv);
	char text[1024];

	snprintf(text, sizeof(text),
		 "On every path one core (CPU %u) takes a buffer from a pool, writes Ethernet header "
		 "and sequence number, in every %uth frame all bytes, and sends; what the port does "
		 "not take is offered again. Another core (CPU %u) receives, checks each sequence "
		 "number, compares every %uth frame byte by byte, and frees. One queue, bursts of %u. "
		 "Sizes and Gbit/s are of frames without FCS. Up to %u zero bytes may trail a frame. "
		 "%u x %.2f s a path and size, passes over all of them in turn. Memory: %s.",
		 options->cpu[SIDE_SENDER], APP_FRAME_WHOLE, options->cpu[SIDE_RECEIVER],
		 APP_FRAME_WHOLE, COMPARE_BURST, APP_FRAME_PADDING, options->rounds,
		 options->duration / options->rounds,
		 chosen ? "as the EAL options say" : APP_EAL_DEFAULT_MEMORY);
	fprintf(out, "\nMethod\n");
	app_print_wrapped(out, 2, text);
	if (options->cpu[SIDE_SENDER] == options->cpu[SIDE_RECEIVER])
		fprintf(out, "  Only one CPU may be used: both cores share it, the figures are low.\n");
}

void
compare_report_text(const struct compare_results *results, FILE *out)
{
	bool any = false, measured = false;
	char machine[512];

	fprintf(out, "dpdk-rio-compare %s on %s\n", APP_VERSION,
		app_machine_line(machine, sizeof(machine), rte_version()));
	if (results->interrupted)
		fprintf(out, "\nINTERRUPTED: what was measured until then follows.\n");
	for (unsigned int i = 0; i < results->options->paths; i++) {
		any = any || compare_has_figures(results, i);
		measured = measured || is_measured(results, i);
	}
	if (any) {
		print_figures(results, out, "Million frames received a second (median)", 0);
		print_figures(results, out, "Gbit/s of frames received (median)", 1);
	}
	if (measured) {
		print_figures(results, out, "Spread, +/- % (middle 80 % of intervals of 50 ms)", 2);
		print_doubt(results, out);
		print_checks(results, out);
	}
	print_trouble(results, out);
	print_paths(results, out);
	print_method(results->options, out);
}

static const char *
kind(const struct compare_results *results, unsigned int path)
{
	if (results->of[path].path->computed_pps != NULL)
		return "computed";
	return compare_has_figures(results, path) ? "measured" : "not measured";
}

static json_t *
json_cell(const struct compare_cell *cell, uint32_t frame_bytes, bool computed)
{
	json_t *object = json_pack("{s:I, s:f, s:f}", "frame_bytes", (json_int_t)frame_bytes,
				   "mpps", mpps(cell), "gbps", gbps(cell, frame_bytes));

	if (object == NULL || computed)
		return object;
	json_object_set_new(object, "spread_percent", json_real(spread(cell)));
	json_object_set_new(object, "frames_per_second", app_json_stats(&cell->stats));
	json_object_set_new(object, "sent", json_integer((json_int_t)cell->sent));
	json_object_set_new(object, "received", json_integer((json_int_t)cell->received));
	json_object_set_new(object, "lost", json_integer((json_int_t)compare_lost(cell)));
	json_object_set_new(object, "out_of_order", json_integer((json_int_t)cell->late));
	json_object_set_new(object, "compared_whole", json_integer((json_int_t)cell->whole));
	json_object_set_new(object, "damaged", json_integer((json_int_t)cell->bad));
	json_object_set_new(object, "offers_refused", json_integer((json_int_t)cell->refused));
	return object;
}

static json_t *
json_path(const struct compare_results *results, unsigned int path)
{
	const struct compare_result *result = &results->of[path];
	bool computed = result->path->computed_pps != NULL;
	json_t *cells = json_array();
	json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:I}", "name", result->path->name, "kind",
				   kind(results, path), "what", result->path->what, "copies",
				   result->path->copies, "processes",
				   (json_int_t)result->path->processes);

	if (result->trouble[0] != '\0')
		json_object_set_new(object, "trouble", json_string(result->trouble));
	if (result->ran && !computed)
		json_object_set_new(object, "max_frame_bytes", json_integer(result->max_frame));
	for (unsigned int k = 0; k < results->options->sizes; k++)
		if (result->cell[k].stats.count > 0)
			json_array_append_new(cells, json_cell(&result->cell[k],
							       results->options->size[k],
							       computed));
	json_object_set_new(object, "results", cells);
	return object;
}

static json_t *
json_method(const struct compare_options *options)
{
	json_t *eal = json_array();
	json_t *sizes = json_array();

	for (int i = 0; i < options->eal_argc; i++)
		json_array_append_new(eal, json_string(options->eal_argv[i]));
	for (unsigned int k = 0; k < options->sizes; k++)
		json_array_append_new(sizes, json_integer(options->size[k]));
	return json_pack("{s:o, s:f, s:I, s:I, s:I, s:I, s:I, s:s, s:o}", "frame_bytes", sizes,
			 "seconds_per_cell", options->duration, "rounds",
			 (json_int_t)options->rounds, "sending_cpu",
			 (json_int_t)options->cpu[SIDE_SENDER], "receiving_cpu",
			 (json_int_t)options->cpu[SIDE_RECEIVER], "burst",
			 (json_int_t)COMPARE_BURST, "compared_whole_one_in",
			 (json_int_t)APP_FRAME_WHOLE, "size_convention",
			 "bytes of the frame without FCS", "eal_options", eal);
}

static json_t *
json_results(const struct compare_results *results)
{
	json_t *paths = json_array();

	for (unsigned int i = 0; i < results->options->paths; i++)
		json_array_append_new(paths, json_path(results, i));
	return json_pack("{s:s, s:s, s:o, s:o, s:b, s:o}", "tool", "dpdk-rio-compare", "version",
			 APP_VERSION, "machine", app_json_machine(rte_version()), "method",
			 json_method(results->options), "interrupted", results->interrupted,
			 "paths", paths);
}

static void
csv_row(struct app_csv *csv, const struct compare_results *results, unsigned int path,
	unsigned int size)
{
	const struct compare_cell *cell = &results->of[path].cell[size];
	uint32_t frame_bytes = results->options->size[size];

	app_csv_text(csv, results->of[path].path->name);
	app_csv_text(csv, kind(results, path));
	app_csv_u64(csv, frame_bytes);
	app_csv_real(csv, mpps(cell));
	app_csv_real(csv, gbps(cell, frame_bytes));
	app_csv_real(csv, spread(cell));
	app_csv_u64(csv, cell->sent);
	app_csv_u64(csv, cell->received);
	app_csv_u64(csv, compare_lost(cell));
	app_csv_u64(csv, cell->late);
	app_csv_u64(csv, cell->whole);
	app_csv_u64(csv, cell->bad);
	app_csv_text(csv, results->of[path].trouble);
	app_csv_end_line(csv);
}

/* A path without figures has one row, which says why. */
static void
csv_empty_row(struct app_csv *csv, const struct compare_results *results, unsigned int path)
{
	app_csv_text(csv, results->of[path].path->name);
	app_csv_text(csv, kind(results, path));
	for (int i = 0; i < 10; i++)
		app_csv_text(csv, "");
	app_csv_text(csv, results->of[path].trouble);
	app_csv_end_line(csv);
}

static int
write_csv(const struct compare_results *results)
{
	static const char *const heading[] = {
		"path", "kind", "frame_bytes", "mpps", "gbps", "spread_percent", "sent",
		"received", "lost", "out_of_order", "compared_whole", "damaged", "trouble",
	};
	const struct app_output *output = &results->options->csv;
	struct app_csv csv = {.out = app_output_open(output)};

	if (csv.out == NULL)
		return -1;
	for (size_t i = 0; i < sizeof(heading) / sizeof(heading[0]); i++)
		app_csv_text(&csv, heading[i]);
	app_csv_end_line(&csv);
	for (unsigned int i = 0; i < results->options->paths; i++) {
		if (!compare_has_figures(results, i))
			csv_empty_row(&csv, results, i);
		for (unsigned int k = 0; k < results->options->sizes; k++)
			if (results->of[i].cell[k].stats.count > 0)
				csv_row(&csv, results, i, k);
	}
	return app_output_close(output, csv.out);
}

int
compare_report_files(const struct compare_results *results)
{
	int ret = 0;

	if (results->options->json.path != NULL) {
		json_t *root = json_results(results);

		if (app_output_json(&results->options->json, root) < 0)
			ret = -1;
		json_decref(root);
	}
	if (results->options->csv.path != NULL && write_csv(results) < 0)
		ret = -1;
	return ret;
}
