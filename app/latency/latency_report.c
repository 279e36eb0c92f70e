/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include <rte_version.h>

#include "app_progress.h"
#include "latency_report.h"
#include "latency_run.h"

static uint64_t
unit(const struct latency_run *run)
{
	return run->options->nanoseconds ? 1 : 1000;
}

void
latency_report_head(const struct latency_run *run, FILE *out)
{
	fprintf(out, "# dpdk-rio-latency, %s, %s\n", latency_what_names[run->options->what],
		unit(run) == 1 ? "nanoseconds" : "microseconds");
	latency_cores_print(&run->cores, out);
	for (unsigned int i = 0; i < run->threads; i++)
		fprintf(out, "# T:%2u is on CPU %d, %s\n", i, run->thread[i].cpu,
			latency_core_isolated(&run->cores, run->thread[i].cpu) ?
			"isolated" : "housekeeping");
	fflush(out);
}

bool
latency_report_in_place(FILE *out)
{
	return isatty(fileno(out));
}

static void
policy_line(const struct latency_run *run, FILE *out)
{
	char load[128] = "";
	FILE *in = fopen("/proc/loadavg", "re");

	if (in != NULL) {
		if (fgets(load, sizeof(load), in) == NULL)
			load[0] = '\0';
		load[strcspn(load, "\n")] = '\0';
		fclose(in);
	}
	fprintf(out, "policy: %s: loadavg: %s          \n\n",
		run->options->priority > 0 ? "fifo" : "other", load);
}

static void
thread_line(const struct latency_thread *t, FILE *out)
{
	uint64_t u = unit(t->run), cycles = t->record.cycles;
	int act_width = u == 1 ? 8 : 5;

	fprintf(out, "T:%2u (%5d) P:%2u I:%" PRIu64 " C:%7" PRIu64 " Min:%7" PRIu64
		" Act:%*" PRIu64 " Avg:%*" PRIu64 " Max:%8" PRIu64 "\n",
		t->index, (int)t->tid, t->run->options->priority, t->interval_ns / 1000, cycles,
		t->record.min / u, act_width, t->record.act / u, act_width,
		latency_record_avg(&t->record) / u, t->record.max / u);
}

void
latency_report_lines(const struct latency_run *run, FILE *out, bool again)
{
	if (again)
		fprintf(out, "\033[%uA", run->threads + 2);
	if (!run->options->quiet)
		policy_line(run, out);
	for (unsigned int i = 0; i < run->threads; i++)
		thread_line(&run->thread[i], out);
	fflush(out);
}

/* A line of one figure a thread. */
static void
figures(const struct latency_run *run, FILE *out, const char *name,
	uint64_t (*figure)(const struct latency_thread *t))
{
	fprintf(out, "# %s:", name);
	for (unsigned int i = 0; i < run->threads; i++)
		fprintf(out, " %05" PRIu64, figure(&run->thread[i]));
	fputc('\n', out);
}

static uint64_t
figure_min(const struct latency_thread *t)
{
	return t->record.min / unit(t->run);
}

static uint64_t
figure_avg(const struct latency_thread *t)
{
	return latency_record_avg(&t->record) / unit(t->run);
}

static uint64_t
figure_max(const struct latency_thread *t)
{
	return t->record.max / unit(t->run);
}

static uint64_t
figure_overflows(const struct latency_thread *t)
{
	return t->record.overflows;
}

static void
overflow_line(const struct latency_thread *t, FILE *out)
{
	uint64_t shown = t->record.overflows, room = 16;

	fprintf(out, "# Thread %u:", t->index);
	for (uint64_t i = 0; i < shown && i < room; i++)
		fprintf(out, " %05" PRIu64, t->record.first_overflow[i]);
	if (shown > room)
		fprintf(out, " # %05" PRIu64 " others", shown - room);
	fputc('\n', out);
}

static void
break_lines(const struct latency_run *run, FILE *out)
{
	for (unsigned int i = 0; i < run->threads; i++)
		if (run->thread[i].record.over) {
			fprintf(out, "# Thread Ids:");
			for (unsigned int k = 0; k < run->threads; k++)
				fprintf(out, " %05d", (int)run->thread[k].tid);
			fprintf(out, "\n# Break thread: %d\n# Break value: %" PRIu64 "\n",
				(int)run->thread[i].tid, run->thread[i].record.act / unit(run));
			return;
		}
}

static void
histogram_lines(const struct latency_run *run, FILE *out)
{
	uint64_t total[LATENCY_THREADS_MAX] = { 0 };

	fprintf(out, "# Histogram\n");
	for (uint32_t place = 0; place < run->options->histogram; place++) {
		fprintf(out, "%06u ", place);
		for (unsigned int i = 0; i < run->threads; i++) {
			uint32_t n = run->thread[i].record.histogram[place];

			total[i] += n;
			fprintf(out, "%06u%s", n, i + 1 < run->threads ? "\t" : "");
		}
		fputc('\n', out);
	}
	fprintf(out, "# Total:");
	for (unsigned int i = 0; i < run->threads; i++)
		fprintf(out, " %09" PRIu64, total[i]);
	fputc('\n', out);
}

void
latency_report_histogram(const struct latency_run *run, FILE *out)
{
	break_lines(run, out);
	if (run->options->histogram == 0)
		return;
	histogram_lines(run, out);
	figures(run, out, "Min Latencies", figure_min);
	figures(run, out, "Avg Latencies", figure_avg);
	figures(run, out, "Max Latencies", figure_max);
	figures(run, out, "Histogram Overflows", figure_overflows);
	fprintf(out, "# Histogram Overflow at cycle number:\n");
	for (unsigned int i = 0; i < run->threads; i++)
		overflow_line(&run->thread[i], out);
	fputc('\n', out);
}

static json_t *
histogram_json(const struct latency_thread *t)
{
	json_t *places = json_object();
	char key[16];

	for (uint32_t i = 0; i < t->record.places; i++)
		if (t->record.histogram[i] != 0) {
			snprintf(key, sizeof(key), "%u", i);
			json_object_set_new(places, key, json_integer(t->record.histogram[i]));
		}
	return places;
}

static json_t *
thread_json(const struct latency_thread *t)
{
	double u = (double)unit(t->run);
	uint64_t cycles = t->record.cycles;
	json_t *all = json_pack("{s:o, s:I, s:I, s:I, s:f, s:i, s:b}", "histogram",
				histogram_json(t), "cycles", (json_int_t)cycles, "min",
				(json_int_t)figure_min(t), "max", (json_int_t)figure_max(t), "avg",
				cycles == 0 ? 0 : (double)t->record.sum / (double)cycles / u, "cpu",
				t->cpu, "isolated",
				latency_core_isolated(&t->run->cores, t->cpu));
	static const double percent[] = { 50, 99, 99.9 };
	static const char *const names[] = { "p50", "p99", "p99.9" };

	for (int i = 0; i < 3 && t->record.places > 0; i++)
		json_object_set_new(all, names[i], json_integer((json_int_t)(
			latency_record_percentile(&t->record, percent[i]) / unit(t->run))));
	return all;
}

int
latency_report_json(const struct latency_run *run)
{
	json_t *root, *threads = json_object();
	char key[16];
	int ret;

	if (run->options->json.path == NULL) {
		json_decref(threads);
		return 0;
	}
	for (unsigned int i = 0; i < run->threads; i++) {
		snprintf(key, sizeof(key), "%u", i);
		json_object_set_new(threads, key, thread_json(&run->thread[i]));
	}
	root = json_pack("{s:i, s:s, s:o, s:f, s:i, s:i, s:s, s:o}", "file_version", 1, "what",
			 latency_what_names[run->options->what], "sysinfo",
			 app_json_machine(rte_version()), "seconds", run->stopped - run->started,
			 "num_threads", run->threads, "resolution_in_ns", (int)unit(run) == 1, "load",
			 latency_load_names[run->options->load], "thread", threads);
	if (root == NULL)
		return -1;
	ret = app_output_json(&run->options->json, root);
	json_decref(root);
	return ret;
}
