/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Memory that comes and goes while a device is there: needs hugepages, 64 free
 * ones of 2 MiB. Without them it is skipped.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_malloc.h>

#include "drv_rig.h"
#include "tsi721_bdma.h"
#include "tsi721_window.h"

#define HUGE		(2u << 20)
#define PAGES_NEEDED	64u
#define SKIP		77	/* meson's code for it */
#define RADDR		0x100000000ull

static struct tsi721_device *dev;

static int
dma(uint8_t rtype, rte_iova_t iova, uint64_t len)
{
	struct tsi721_bdma_req req = { .raddr = RADDR, .destid = dev->destid, .rtype = rtype };
	struct tsi721_bdma_seg seg = { iova, len };
	struct tsi721_bdma *q;
	unsigned int tries = 0;
	void *cookie;
	int status;

	assert_int_equal(tsi721_bdma_open(dev, 0, 32, SOCKET_ID_ANY, &q), 0);
	assert_int_equal(tsi721_bdma_post(q, &req, &seg, 1, NULL), 0);
	tsi721_bdma_kick(q);
	while (tsi721_bdma_reap(q, &cookie, &status, 1) == 0)
		assert_true(tries++ < 100000);
	tsi721_bdma_close(q, NULL, NULL);
	return status;
}

static void
comes_and_goes(void **state)
{
	unsigned int round;

	(void)state;
	for (round = 0; round < 5; round++) {
		/* Larger than what is there: the EAL gets pages for it. */
		uint8_t *a = rte_zmalloc(NULL, 16 * HUGE, HUGE);
		uint8_t *b = rte_zmalloc(NULL, 2 * HUGE, HUGE);
		rte_iova_t iova_a, iova_b;

		assert_non_null(a);
		assert_non_null(b);
		iova_a = rte_mem_virt2iova(a + 8 * HUGE);
		iova_b = rte_mem_virt2iova(b);
		assert_int_equal(iova_b % HUGE, 0);
		rig_fill(a + 8 * HUGE, HUGE, round);
		assert_int_equal(tsi721_ibwin_open(dev, RADDR, iova_b, HUGE), 0);
		assert_int_equal(dma(TSI721_RTYPE_ALL_NWRITE_R, iova_a, HUGE), 0);
		assert_memory_equal(b, a + 8 * HUGE, HUGE);

		/* From one page into the next, where one follows the other. */
		if (rte_mem_virt2iova(b + HUGE) == iova_b + HUGE) {
			rig_fill(b, 200, round + 100);
			assert_int_equal(dma(TSI721_RTYPE_NREAD, iova_b + HUGE - 100, 200), 0);
			assert_memory_equal(b + HUGE - 100, b, 200);
		}

		/* Given back to the system, no bus address leads there any more. */
		rte_free(a);
		assert_int_equal(dma(TSI721_RTYPE_ALL_NWRITE_R, iova_a, 4096), -EFAULT);
		assert_int_equal(tsi721_ibwin_close(dev, 0), 0);
		rte_free(b);
	}
}

static unsigned long
free_pages(void)
{
	FILE *f = fopen("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "r");
	unsigned long n = 0;

	if (f == NULL)
		return 0;
	if (fscanf(f, "%lu", &n) != 1)
		n = 0;
	fclose(f);
	return n;
}

static int
setup(void **state)
{
	(void)state;
	if (rte_vdev_init("raw_tsi7210", "fabric=hotmem") != 0)
		return -1;
	dev = tsi721_device_find("raw_tsi7210");
	return dev == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	return rte_vdev_uninit("raw_tsi7210");
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(comes_and_goes) };
	char *mode = argc > 1 ? argv[1] : NULL;
	char *args[] = { "test", "--in-memory", "--no-pci", "--no-telemetry", "-l", "0",
			 "--log-level=error", "--iova-mode", mode };

	if (mode == NULL || (strcmp(mode, "pa") != 0 && strcmp(mode, "va") != 0)) {
		fprintf(stderr, "usage: %s pa|va\n", argv[0]);
		return 2;
	}
	if (free_pages() < PAGES_NEEDED) {
		printf("skipped: %lu free hugepages of 2 MiB, needed are %u\n", free_pages(),
		       PAGES_NEEDED);
		return SKIP;
	}
	if (rig_eal_init(RTE_DIM(args), args) < 0) {
		printf("skipped: EAL does not start with hugepages, --iova-mode %s\n", mode);
		return SKIP;
	}
	return cmocka_run_group_tests_name("drv_hotmem", tests, setup, teardown);
}
