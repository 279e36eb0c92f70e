/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef LATENCY_REPORT_H
#define LATENCY_REPORT_H

/* What was measured, in cyclictest's form, so that what reads its output reads this. */

#include <stdbool.h>
#include <stdio.h>

struct latency_run;

/* Lines beginning with '#': the machine's CPUs, and which line is which. */
void latency_report_head(const struct latency_run *run, FILE *out);

/* Whether `out` is a terminal, on which lines are refreshed. */
bool latency_report_in_place(FILE *out);

/* The policy line (not with -q) and a line for each lcore; again: over the former ones. */
void latency_report_lines(const struct latency_run *run, FILE *out, bool again);

void latency_report_histogram(const struct latency_run *run, FILE *out);

/* 0, or -1 with a line on standard error. */
int latency_report_json(const struct latency_run *run);

#endif
