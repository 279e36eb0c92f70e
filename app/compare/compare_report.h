/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef COMPARE_REPORT_H
#define COMPARE_REPORT_H

#include "compare_run.h"

/* The results as tables with their notes, for a reader. */
void compare_report_text(const struct compare_results *results, FILE *out);

/* The files that were asked for. Returns 0, or -1 after a line on standard error. */
int compare_report_files(const struct compare_results *results);

#endif
