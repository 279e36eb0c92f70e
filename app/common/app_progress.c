/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "app_progress.h"

#define BAR_CELLS 24
#define REDRAW_SECONDS 0.1

double
app_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

void
app_progress_start(struct app_progress *bar, FILE *out)
{
	bar->out = out;
	bar->on = isatty(fileno(out)) == 1;
	bar->started = app_now();
	bar->drawn = 0;
}

int
app_progress_line(char *line, size_t room, unsigned int columns, double fraction, double elapsed,
		  const char *text)
{
	char cells[BAR_CELLS + 1], left[24] = "";
	int full, len;

	if (fraction < 0)
		fraction = 0;
	if (fraction > 1)
		fraction = 1;
	full = (int)(fraction * BAR_CELLS);
	memset(cells, '#', (size_t)full);
	memset(cells + full, '.', (size_t)(BAR_CELLS - full));
	cells[BAR_CELLS] = '\0';
	if (fraction >= 0.02)
		snprintf(left, sizeof(left), " %.0f s left,", elapsed / fraction - elapsed);
	if (columns + 1 < room)
		room = columns + 1;
	len = snprintf(line, room, "[%s] %3.0f %%,%s %s", cells, fraction * 100, left, text);
	return len < (int)room ? len : (int)room - 1;
}

void
app_progress_show(struct app_progress *bar, double fraction, const char *text)
{
	struct winsize size;
	unsigned int columns = 80;
	char line[256];

	if (!bar->on || app_now() - bar->drawn < REDRAW_SECONDS)
		return;
	bar->drawn = app_now();
	if (ioctl(fileno(bar->out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
		columns = size.ws_col;
	app_progress_line(line, sizeof(line), columns - 1, fraction, app_now() - bar->started,
			  text);
	fprintf(bar->out, "\r\033[K%s", line);
	fflush(bar->out);
}

void
app_progress_clear(struct app_progress *bar)
{
	if (!bar->on)
		return;
	fputs("\r\033[K", bar->out);
	fflush(bar->out);
}
