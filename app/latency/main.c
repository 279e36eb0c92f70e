/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* dpdk-rio-latency: latency in cyclictest's form. */

#include <rte_eal.h>
#include <rte_errno.h>

#include "app_eal.h"
#include "app_error.h"
#include "app_interrupt.h"
#include "latency_run.h"

static const struct latency_test *const tests[] = {
	[LATENCY_TIMER] = &latency_timer,
	[LATENCY_DOORBELL] = &latency_doorbell,
	[LATENCY_FRAME] = &latency_frame,
	[LATENCY_DMA] = &latency_dma,
};

static int
with_eal(int argc, char **argv, const struct latency_cores *cores)
{
	static struct latency_options options;
	static struct latency_run run;
	int ret;

	switch (latency_options_parse(argc, argv, &options)) {
	case LATENCY_HELPED:
		return 0;
	case LATENCY_BAD:
		return 1;
	case LATENCY_RUN:
		break;
	}
	run.options = &options;
	run.cores = *cores;
	run.test = tests[options.what];
	ret = latency_run(&run);
	if (ret == 1)
		app_output_drop(&options.json);
	return ret;
}

int
main(int argc, char **argv)
{
	/* EAL binds this thread to an lcore: what the process may use is known before only. */
	static struct latency_cores cores;
	int used, ret;

	if (latency_options_help(argc, argv))
		return 0;
	latency_cores_read(&cores, "");
	if (app_eal_load_plugin("librte_net_rionet.so") < 0)
		return 1;
	app_interrupt_catch();
	used = rte_eal_init(argc, argv);
	if (used < 0) {
		app_error("EAL did not start: %s", rte_strerror(rte_errno));
		return 1;
	}
	ret = with_eal(argc - used, argv + used, &cores);
	rte_eal_cleanup();
	return ret;
}
