/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

/*
 * A progress bar on one line, redrawn in place. It draws nothing when its output
 * is not a terminal.
 */

#include <stdbool.h>
#include <stdio.h>

struct app_progress {
	FILE *out;
	bool on;
	double started; /* seconds of CLOCK_MONOTONIC */
	double drawn;	/* likewise, the last time */
};

void app_progress_start(struct app_progress *bar, FILE *out);

/* fraction from 0 to 1 done; text says what is being done. Call as often as you like. */
void app_progress_show(struct app_progress *bar, double fraction, const char *text);

/* Take the bar off the screen. */
void app_progress_clear(struct app_progress *bar);

/*
 * The line app_progress_show() draws, for `columns` characters: a bar, percent,
 * seconds left (unknown below 2 %), text. Returns its length.
 */
int app_progress_line(char *line, size_t room, unsigned int columns, double fraction,
		      double elapsed, const char *text);

/* Seconds of CLOCK_MONOTONIC. */
double app_now(void);

#endif
