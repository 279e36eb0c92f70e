/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <jansson.h>
#include <rte_version.h>

#include "app_output.h"
#include "app_plot.h"
#include "app_table.h"
#include "dmaperf.h"

/* Serial RapidIO: a packet carries up to 256 bytes, and header and CRC cost 13.5 bytes. */
#define PACKET		256.0
#define OVERHEAD	13.5

double
dmaperf_mbytes(const struct dmaperf_cell *cell)
{
	return cell->seconds > 0 ? (double)cell->sum.bytes / cell->seconds / 1e6 : 0;
}

static double
gbits(const struct dmaperf_cell *cell)
{
	return dmaperf_mbytes(cell) * 8 / 1e3;
}

/* Gbit/s of packets on the link, headers and CRC included, control symbols not. */
double
dmaperf_occupancy(const struct dmaperf_cell *cell)
{
	double packets = ceil((double)cell->size / PACKET);

	return gbits(cell) * ((double)cell->size + packets * OVERHEAD) / (double)cell->size;
}

static double
mops(const struct dmaperf_cell *cell)
{
	return cell->seconds > 0 ? (double)cell->sum.ops / cell->seconds / 1e6 : 0;
}

static double
cpu_percent(const struct dmaperf_cell *cell)
{
	return cell->seconds > 0 ? cell->sum.cpu_s / cell->seconds * 100 : 0;
}

static double
us(double ns)
{
	return ns / 1e3;
}

static void
row(struct app_table *table, const struct dmaperf_cell *cell)
{
	const struct app_hist *h = &cell->sum.latency;

	app_table_cell(table, "%s", dmaperf_op_names[cell->op]);
	app_table_cell(table, "%" PRIu64, cell->size);
	app_table_cell(table, "%.1f", dmaperf_mbytes(cell));
	app_table_cell(table, "%.3f", gbits(cell));
	app_table_cell(table, "%.3f", dmaperf_occupancy(cell));
	app_table_cell(table, "%.4f", mops(cell));
	app_table_cell(table, "%.2f", us((double)h->min));
	app_table_cell(table, "%.2f", us(app_hist_avg(h)));
	app_table_cell(table, "%.2f", us((double)app_hist_percentile(h, 50)));
	app_table_cell(table, "%.2f", us((double)app_hist_percentile(h, 99)));
	app_table_cell(table, "%.2f", us((double)app_hist_percentile(h, 99.9)));
	app_table_cell(table, "%.2f", us((double)h->max));
	app_table_cell(table, "%.0f", cpu_percent(cell));
	app_table_cell(table, "%" PRIu64, cell->sum.errors);
	app_table_cell(table, cell->verified ? "%" PRIu64 : "-", cell->wrong);
}

void
dmaperf_report(const struct dmaperf *perf)
{
	static const char *const heads[] = {
		"op", "bytes", "MB/s", "Gbit/s", "link Gbit/s", "Mops/s", "min us", "avg", "p50",
		"p99", "p99.9", "max", "CPU %", "errors", "wrong",
	};
	const unsigned int columns = sizeof(heads) / sizeof(heads[0]);
	const struct dmaperf_options *opt = perf->options;
	struct app_table *table;
	char line[512];

	if (perf->cells == 0)
		return;
	printf("%s\n", app_machine_line(line, sizeof(line), rte_version()));
	printf("via %s, %s, %u queue%s, %u thread%s%s, %" PRIu64 " bytes gone over, alignment %u\n\n",
	       dmaperf_via_names[opt->via], dmaperf_mode_names[opt->mode], opt->queues,
	       opt->queues == 1 ? "" : "s", opt->threads, opt->threads == 1 ? "" : "s",
	       opt->share ? " sharing" : "", opt->total, opt->align);
	table = app_table_new(columns);
	if (table == NULL)
		return;
	for (unsigned int i = 0; i < columns; i++)
		app_table_cell(table, "%s", heads[i]);
	for (unsigned int i = 0; i < perf->cells; i++)
		row(table, &perf->cell[i]);
	app_table_print(table, stdout, 0);
	app_table_free(table);
	fflush(stdout);
}

static json_t *
cell_json(const struct dmaperf_cell *cell)
{
	const struct app_hist *h = &cell->sum.latency;
	json_t *latency = json_pack("{s:I, s:f, s:I, s:I, s:I, s:I}", "min", (json_int_t)h->min, "avg",
		app_hist_avg(h), "p50", (json_int_t)app_hist_percentile(h, 50), "p99",
		(json_int_t)app_hist_percentile(h, 99), "p99.9",
		(json_int_t)app_hist_percentile(h, 99.9), "max", (json_int_t)h->max);
	json_t *all = json_pack("{s:s, s:I, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:f, s:f, s:o}",
		"op", dmaperf_op_names[cell->op], "size", (json_int_t)cell->size,
		"mbytes_per_s", dmaperf_mbytes(cell), "gbits_per_s", gbits(cell),
		"link_gbits_per_s", dmaperf_occupancy(cell), "seconds", cell->seconds,
		"ops", (json_int_t)cell->sum.ops, "bytes", (json_int_t)cell->sum.bytes,
		"errors", (json_int_t)cell->sum.errors, "cpu_percent", cpu_percent(cell),
		"cycles_per_byte",
		cell->sum.bytes == 0 ? 0 : (double)cell->cycles / (double)cell->sum.bytes,
		"latency_ns", latency);

	if (cell->verified)
		json_object_set_new(all, "wrong_bytes", json_integer((json_int_t)cell->wrong));
	return all;
}

static int
write_json(const struct dmaperf *perf)
{
	const struct dmaperf_options *opt = perf->options;
	json_t *cells = json_array(), *root;
	int ret;

	for (unsigned int i = 0; i < perf->cells; i++)
		json_array_append_new(cells, cell_json(&perf->cell[i]));
	root = json_pack("{s:o, s:s, s:s, s:i, s:i, s:b, s:i, s:i, s:i, s:I, s:o}", "machine",
			 app_json_machine(rte_version()), "via", dmaperf_via_names[opt->via], "mode",
			 dmaperf_mode_names[opt->mode], "queues", opt->queues, "threads",
			 opt->threads, "share", opt->share, "descriptors", opt->descs, "burst",
			 opt->burst, "align", opt->align, "total_bytes", (json_int_t)opt->total,
			 "results", cells);
	ret = app_output_json(&opt->json, root);
	json_decref(root);
	return ret;
}

static int
write_csv(const struct dmaperf *perf)
{
	static const char *const heads[] = {
		"op", "size", "mbytes_per_s", "gbits_per_s", "link_gbits_per_s", "ops", "errors",
		"latency_min_ns", "latency_avg_ns", "latency_p50_ns", "latency_p99_ns",
		"latency_p99.9_ns", "latency_max_ns", "cpu_percent",
	};
	FILE *out = app_output_open(&perf->options->csv);
	struct app_csv csv = { .out = out };

	if (out == NULL)
		return -1;
	for (unsigned int i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		app_csv_text(&csv, heads[i]);
	app_csv_end_line(&csv);
	for (unsigned int i = 0; i < perf->cells; i++) {
		const struct dmaperf_cell *cell = &perf->cell[i];
		const struct app_hist *h = &cell->sum.latency;

		app_csv_text(&csv, dmaperf_op_names[cell->op]);
		app_csv_u64(&csv, cell->size);
		app_csv_real(&csv, dmaperf_mbytes(cell));
		app_csv_real(&csv, gbits(cell));
		app_csv_real(&csv, dmaperf_occupancy(cell));
		app_csv_u64(&csv, cell->sum.ops);
		app_csv_u64(&csv, cell->sum.errors);
		app_csv_u64(&csv, h->min);
		app_csv_real(&csv, app_hist_avg(h));
		app_csv_u64(&csv, app_hist_percentile(h, 50));
		app_csv_u64(&csv, app_hist_percentile(h, 99));
		app_csv_u64(&csv, app_hist_percentile(h, 99.9));
		app_csv_u64(&csv, h->max);
		app_csv_real(&csv, cpu_percent(cell));
		app_csv_end_line(&csv);
	}
	return app_output_close(&perf->options->csv, out);
}

/* A line for each operation over the sizes. */
static int
draw(const struct dmaperf *perf, const char *name, const char *title, const char *y_label,
     bool log_y, double (*figure)(const struct dmaperf_cell *cell))
{
	double x[OPS][DMAPERF_MAX_SIZES], y[OPS][DMAPERF_MAX_SIZES];
	struct app_plot_line line[OPS];
	struct app_plot plot = { title, "bytes of an operation", y_label, log_y, line, 0 };

	for (unsigned int o = 0; o < perf->options->ops; o++) {
		struct app_plot_line *l = &line[plot.lines];

		l->title = dmaperf_op_names[perf->options->op[o]];
		l->x = x[o];
		l->y = y[o];
		l->points = 0;
		for (unsigned int i = 0; i < perf->cells; i++)
			if (perf->cell[i].op == perf->options->op[o] && perf->cell[i].measured) {
				x[o][l->points] = (double)perf->cell[i].size;
				y[o][l->points++] = figure(&perf->cell[i]);
			}
		plot.lines += l->points > 0;
	}
	return plot.lines == 0 ? 0 : app_plot_draw(perf->options->plot, name, &plot);
}

static double
median_us(const struct dmaperf_cell *cell)
{
	return us((double)app_hist_percentile(&cell->sum.latency, 50));
}

int
dmaperf_report_files(const struct dmaperf *perf)
{
	const struct dmaperf_options *opt = perf->options;
	int ret = 0;

	if (opt->json.path != NULL)
		ret |= write_json(perf);
	if (opt->csv.path != NULL)
		ret |= write_csv(perf);
	if (opt->plot != NULL) {
		ret |= draw(perf, "throughput", "Throughput", "MB/s", false, dmaperf_mbytes);
		ret |= draw(perf, "latency", "Median latency", "us", true, median_us);
	}
	return ret < 0 ? -1 : 0;
}
