/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* How late a sleeping lcore wakes: what cyclictest measures. */

#include "latency_run.h"

static int
timer_open(struct latency_run *run)
{
	(void)run;
	return 0;
}

static int64_t
timer_measure(struct latency_thread *t)
{
	latency_sleep_until(t->next_ns);
	return (int64_t)(latency_now_ns() - t->next_ns);
}

static void
timer_close(struct latency_run *run)
{
	(void)run;
}

const struct latency_test latency_timer = {
	.open = timer_open,
	.measure = timer_measure,
	.close = timer_close,
};
