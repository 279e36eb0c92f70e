/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app_error.h"
#include "app_plot.h"

int
app_plot_check(const char *folder)
{
	if (strpbrk(folder, "'\"\\\n") != NULL)
		return app_error("--plot: '%s' has quotes or backslashes in it", folder);
	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return app_error("--plot: cannot make %s: %s", folder, strerror(errno));
	if (access(folder, W_OK | X_OK) < 0)
		return app_error("--plot: cannot write to %s: %s", folder, strerror(errno));
	if (system("command -v gnuplot >/dev/null 2>&1") != 0)
		return app_error("--plot: gnuplot is not installed");
	return 0;
}

/* Text in double quotes, as gnuplot reads it. */
static void
quoted(FILE *to, const char *text)
{
	fputc('"', to);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', to);
		fputc(*text, to);
	}
	fputc('"', to);
}

static void
data(FILE *to, const struct app_plot *plot)
{
	for (size_t i = 0; i < plot->lines; i++) {
		const struct app_plot_line *line = &plot->line[i];

		fprintf(to, "$d%zu << EOD\n", i);
		for (size_t k = 0; k < line->points; k++)
			if (!isnan(line->y[k]) && (!plot->log_y || line->y[k] > 0))
				fprintf(to, "%.9g %.9g\n", line->x[k], line->y[k]);
		fputs("EOD\n", to);
	}
}

static void
draw(FILE *to, const struct app_plot *plot)
{
	fputs("plot ", to);
	for (size_t i = 0; i < plot->lines; i++) {
		fprintf(to, "%s$d%zu with linespoints linewidth 2 title ", i == 0 ? "" : ", ", i);
		quoted(to, plot->line[i].title);
	}
	fputc('\n', to);
}

static void
set_up(FILE *to, const struct app_plot *plot)
{
	fputs("set title ", to);
	quoted(to, plot->title);
	fputs(" noenhanced\nset xlabel ", to);
	quoted(to, plot->x_label);
	fputs(" noenhanced\nset ylabel ", to);
	quoted(to, plot->y_label);
	fprintf(to, " noenhanced\nset key outside right noenhanced\nset grid\n"
		"set logscale x 2\nset format x '%%.0f'\nset xtics rotate by -45\n%s",
		plot->log_y ? "set logscale y 10\n" : "set yrange [0:*]\n");
}

int
app_plot_draw(const char *folder, const char *name, const struct app_plot *plot)
{
	static const char *const terminal[][2] = {
		{ "svg size 960,540 font 'sans,12' background '#ffffff'", "svg" },
		{ "pngcairo size 960,540 font 'sans,11'", "png" },
	};
	FILE *to = popen("gnuplot 2>/dev/null", "w");
	int status;

	if (to == NULL)
		return app_error("cannot start gnuplot: %s", strerror(errno));
	set_up(to, plot);
	data(to, plot);
	for (size_t i = 0; i < sizeof(terminal) / sizeof(terminal[0]); i++) {
		fprintf(to, "set terminal %s\nset output '%s/%s.%s'\n", terminal[i][0], folder, name,
			terminal[i][1]);
		draw(to, plot);
	}
	status = pclose(to);
	if (status != 0)
		return app_error("gnuplot failed with %s.svg or %s.png in %s", name, name, folder);
	return 0;
}
