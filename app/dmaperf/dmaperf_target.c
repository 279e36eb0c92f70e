/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Devices, and the memory that is written to and read from. */

#include <inttypes.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_pmd_tsi721.h>
#include <rte_rawdev.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "dmaperf.h"

#define MESSAGES	32

int
dmaperf_find(unsigned int n, uint16_t *dev, uint16_t *destid)
{
	unsigned int left = rte_rawdev_count();

	/* Asking for one that is not there makes a line in the log. */
	for (uint16_t id = 0; left > 0 && id < RTE_RAWDEV_MAX_DEVS; id++) {
		struct rte_pmd_tsi721_info tsi721;
		struct rte_rawdev_info info;

		memset(&info, 0, sizeof(info));
		info.dev_private = &tsi721;
		if (rte_rawdev_info_get(id, &info, sizeof(tsi721)) < 0)
			continue;
		left--;
		if (strcmp(info.driver_name, "raw_tsi721") != 0 || n-- > 0)
			continue;
		*dev = id;
		*destid = tsi721.destid;
		return 0;
	}
	return -1;
}

static const struct rte_memzone *
reserve(const char *name, uint64_t bytes)
{
	const struct rte_memzone *zone;

	/* A window's memory is aligned to its size. */
	zone = rte_memzone_reserve_aligned(name, bytes, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					   (unsigned int)bytes);
	if (zone == NULL)
		app_error("no memory for %" PRIu64 " bytes in one piece (%s): give EAL more (-m), or "
			  "lessen --total", bytes, rte_strerror(rte_errno));
	return zone;
}

static int
show(struct dmaperf *perf, uint16_t dev)
{
	const struct dmaperf_options *opt = perf->options;

	perf->remote = reserve("dmaperf_remote", opt->total);
	if (perf->remote == NULL)
		return -1;
	memset(perf->remote->addr, 0, opt->total);
	perf->window = rte_pmd_tsi721_window_open(dev, opt->raddr, perf->remote->iova, opt->total);
	if (perf->window < 0)
		return app_error("a window of %" PRIu64 " bytes at %#" PRIx64 ": %s", opt->total,
				 opt->raddr, rte_strerror(-perf->window));
	return 0;
}

int
dmaperf_target_open(struct dmaperf *perf)
{
	uint16_t second;

	perf->target = -1;
	perf->window = -1;
	if (perf->options->peer != DMAPERF_NO_PEER) {
		perf->destid = (uint16_t)perf->options->peer;
	} else {
		if (dmaperf_find(1, &second, &perf->destid) < 0)
			return app_error("no target: give --peer, or a second device, as in "
					 "--vdev raw_tsi7211");
		perf->target = second;
		if (show(perf, second) < 0)
			return -1;
	}
	perf->local = reserve("dmaperf_local", perf->options->total);
	return perf->local == NULL ? -1 : 0;
}

void
dmaperf_target_close(struct dmaperf *perf)
{
	if (perf->window >= 0)
		rte_pmd_tsi721_window_close((uint16_t)perf->target, (unsigned int)perf->window);
	perf->window = -1;
	rte_memzone_free(perf->remote);
	rte_memzone_free(perf->local);
	perf->remote = perf->local = NULL;
}

unsigned int
dmaperf_drain(uint16_t dev, unsigned int mbox)
{
	struct rte_pmd_tsi721_msg_in msgs[MESSAGES];
	int nb = rte_pmd_tsi721_msg_peek(dev, mbox, msgs, MESSAGES);

	if (nb <= 0)
		return 0;
	rte_pmd_tsi721_msg_release(dev, mbox, (unsigned int)nb);
	return (unsigned int)nb;
}

int
dmaperf_receive(struct dmaperf *perf)
{
	const struct dmaperf_options *opt = perf->options;
	uint64_t messages = 0;
	bool open;

	perf->target = perf->dev;
	perf->window = -1;
	if (show(perf, perf->dev) < 0) {
		dmaperf_target_close(perf);
		return 1;
	}
	/* A mailbox that is somebody else's is no reason not to show memory. */
	open = rte_pmd_tsi721_mbox_open(perf->dev, opt->mbox, 0, 1024, SOCKET_ID_ANY) == 0;
	printf("# destination ID %u: %" PRIu64 " bytes at %#" PRIx64 "%s; until Ctrl-C\n", perf->destid,
	       opt->total, opt->raddr, open ? ", and a mailbox" : "; the mailbox is in use");
	fflush(stdout);
	while (!app_interrupted()) {
		unsigned int nb = open ? dmaperf_drain(perf->dev, opt->mbox) : 0;

		messages += nb;
		if (nb == 0)
			rte_delay_us_sleep(open ? 1 : 1000);
	}
	printf("# %" PRIu64 " messages came\n", messages);
	if (open)
		rte_pmd_tsi721_mbox_close(perf->dev, opt->mbox);
	dmaperf_target_close(perf);
	return 0;
}
