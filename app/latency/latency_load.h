/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef LATENCY_LOAD_H
#define LATENCY_LOAD_H

/* Work for the CPUs that do not measure, at the lowest priority. */

struct latency_run;

/* A thread on each CPU that is neither isolated nor measures; none with --load none. */
void latency_load_start(struct latency_run *run);
void latency_load_stop(void);

#endif
