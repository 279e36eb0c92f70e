/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app_error.h"
#include "app_output.h"

int
app_output_claim(struct app_output *output, const char *path)
{
	int fd;

	memset(output, 0, sizeof(*output));
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0)
		output->created = true;
	else if (errno == EEXIST)
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return app_error("cannot write '%s': %s", path, strerror(errno));
	close(fd);
	output->path = path;
	return 0;
}

void
app_output_drop(struct app_output *output)
{
	if (output->created)
		unlink(output->path);
	output->created = false;
}

FILE *
app_output_open(const struct app_output *output)
{
	FILE *out = fopen(output->path, "we");

	if (out == NULL)
		app_error("cannot write '%s': %s", output->path, strerror(errno));
	return out;
}

int
app_output_close(const struct app_output *output, FILE *out)
{
	bool failed = ferror(out) != 0;

	if (fclose(out) != 0)
		failed = true;
	if (failed)
		return app_error("cannot write all of '%s': %s", output->path, strerror(errno));
	return 0;
}

int
app_output_stdout(void)
{
	if (fflush(stdout) != 0 || ferror(stdout) != 0)
		return app_error("cannot write all of the output: %s", strerror(errno));
	return 0;
}

int
app_output_json(const struct app_output *output, const json_t *root)
{
	FILE *out;

	if (root == NULL)
		return app_error("cannot write '%s': no memory for the JSON", output->path);
	out = app_output_open(output);
	if (out == NULL)
		return -1;
	json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	fputc('\n', out);
	return app_output_close(output, out);
}

json_t *
app_json_stats(const struct app_stats *stats)
{
	return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "samples",
			 (json_int_t)stats->count, "min", stats->min, "avg", stats->avg, "p10",
			 stats->p10, "p50", stats->p50, "p90", stats->p90, "p99", stats->p99,
			 "max", stats->max);
}

static void
csv_separate(struct app_csv *csv)
{
	if (csv->inside)
		fputc(',', csv->out);
	csv->inside = true;
}

void
app_csv_text(struct app_csv *csv, const char *text)
{
	csv_separate(csv);
	if (strpbrk(text, ",\"\r\n") == NULL) {
		fputs(text, csv->out);
		return;
	}
	fputc('"', csv->out);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			fputc('"', csv->out);
		fputc(*text, csv->out);
	}
	fputc('"', csv->out);
}

void
app_csv_u64(struct app_csv *csv, uint64_t value)
{
	csv_separate(csv);
	fprintf(csv->out, "%llu", (unsigned long long)value);
}

void
app_csv_real(struct app_csv *csv, double value)
{
	csv_separate(csv);
	fprintf(csv->out, "%.9g", value);
}

void
app_csv_end_line(struct app_csv *csv)
{
	fputs("\r\n", csv->out);
	csv->inside = false;
}
