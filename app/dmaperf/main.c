/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* dpdk-rio-dma-perf: how fast a Tsi721 moves memory. */

#include <rte_eal.h>
#include <rte_errno.h>

#include "app_eal.h"
#include "app_error.h"
#include "app_interrupt.h"
#include "dmaperf.h"

static int
with_eal(int argc, char **argv)
{
	static struct dmaperf_options options;
	static struct dmaperf perf;
	int ret = 1;

	switch (dmaperf_options_parse(argc, argv, &options)) {
	case DMAPERF_HELPED:
		return 0;
	case DMAPERF_BAD:
		return 1;
	case DMAPERF_RUN:
		break;
	}
	perf.options = &options;
	if (dmaperf_find(0, &perf.dev, &perf.destid) < 0)
		app_error("no Tsi721: name one, as in --vdev raw_tsi7210");
	else
		ret = options.receive ? dmaperf_receive(&perf) : dmaperf_run(&perf);
	if (ret == 1) {
		app_output_drop(&options.json);
		app_output_drop(&options.csv);
	}
	return ret;
}

int
main(int argc, char **argv)
{
	int used, ret;

	if (dmaperf_options_help(argc, argv))
		return 0;
	app_interrupt_catch();
	used = rte_eal_init(argc, argv);
	if (used < 0) {
		app_error("EAL did not start: %s", rte_strerror(rte_errno));
		return 1;
	}
	ret = with_eal(argc - used, argv + used);
	rte_eal_cleanup();
	return ret;
}
