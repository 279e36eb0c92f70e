/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_OUTPUT_H
#define APP_OUTPUT_H

/*
 * Results in files. A file that cannot be written is reported before anything is
 * measured: claim it first, write it at the end, drop it if there is nothing to
 * write. The old contents stay until then.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "app_stats.h"

struct app_output {
	const char *path; /* NULL: not wanted */
	bool created;	  /* by app_output_claim() */
};

/* One line on standard error and -1 when path cannot be written. */
int app_output_claim(struct app_output *output, const char *path);

/* Remove the file again if app_output_claim() created it. */
void app_output_drop(struct app_output *output);

/* Open for writing, emptied. One line on standard error and NULL on failure. */
FILE *app_output_open(const struct app_output *output);

/* Close; one line on standard error and -1 when not all could be written. */
int app_output_close(const struct app_output *output, FILE *out);

/* What was printed has gone out; same errors as above. Last thing that a tool does. */
int app_output_stdout(void);

/* Write a JSON value; same errors as above. */
int app_output_json(const struct app_output *output, const json_t *root);

/* {"samples", "min", "avg", "p10", "p50", "p90", "p99", "max"}; NULL without memory. */
json_t *app_json_stats(const struct app_stats *stats);

/*
 * What was measured on: host CPU model, CPUs online, kernel, DPDK version, load
 * average over a minute, UTC time.
 */
json_t *app_json_machine(const char *dpdk_version);

/* The same in one line. Returns `line`. */
const char *app_machine_line(char *line, size_t room, const char *dpdk_version);

/* Fields of a line of comma-separated values (RFC 4180). */
struct app_csv {
	FILE *out;
	bool inside; /* a line was begun */
};

void app_csv_text(struct app_csv *csv, const char *text);
void app_csv_u64(struct app_csv *csv, uint64_t value);
void app_csv_real(struct app_csv *csv, double value);
void app_csv_end_line(struct app_csv *csv);

#endif
