/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_PLOT_H
#define APP_PLOT_H

/* Plots by gnuplot: lines over a logarithmic axis, as SVG and PNG. */

#include <stdbool.h>
#include <stddef.h>

struct app_plot_line {
	const char *title;
	const double *x, *y;	/* a NaN leaves a gap */
	size_t points;
};

struct app_plot {
	const char *title, *x_label, *y_label;
	bool log_y;
	const struct app_plot_line *line;
	size_t lines;
};

/*
 * Whether plots can be made: gnuplot is there, and the folder is (made if need be) and
 * can be written. 0, or -1 with a line on standard error.
 */
int app_plot_check(const char *folder);

/* folder/name.svg and folder/name.png. 0, or -1 with a line on standard error. */
int app_plot_draw(const char *folder, const char *name, const struct app_plot *plot);

#endif
