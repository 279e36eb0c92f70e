/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Memory that comes and goes while a device is there, as its own engines and another
 * process on the fabric see it: needs hugepages, 64 free ones of 2 MiB. Without them it
 * is skipped.
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_malloc.h>

#include "../fabric/node.h"
#include "drv_rig.h"
#include "tsi721_bdma.h"
#include "tsi721_window.h"

#define HUGE		(2u << 20)
#define PAGES_NEEDED	64u
#define SKIP		77	/* meson's code for it */
#define RADDR		0x100000000ull

#define PEER_LEN	4096u
#define PEER_MS		10000u

/* The other process: a null device without EAL. What is asked of it, and came of it. */
struct peer {
	_Atomic int todo, up, end;
	uint32_t rtype, destid, code;
	uint64_t raddr;
	uint8_t data[PEER_LEN];
};

static struct tsi721_device *dev;
static struct peer *peer;
static char fabric[32];

/* ---- in the other process ---- */

static void
peer_does(struct node *n)
{
	bool read = peer->rtype == TSI721_RTYPE_NREAD;

	if (!read)
		memcpy(n->mem + NODE_OUT, peer->data, PEER_LEN);
	peer->code = node_dma(n, peer->rtype, peer->destid, peer->raddr,
			      read ? NODE_IN : NODE_OUT, PEER_LEN);
	if (read)
		memcpy(peer->data, n->mem + NODE_IN, PEER_LEN);
}

static void
peer_main(void)
{
	const struct null_device_params params = {
		.fabric = fabric, .destid = 9, .host = -1,
	};
	char err[NULL_ERR_LEN] = "";
	struct node n;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (node_open(&n, &params, 9, 0, err, sizeof(err)) < 0) {
		fprintf(stderr, "%s\n", err);
		_exit(1);
	}
	for (atomic_store(&peer->up, 1); atomic_load(&peer->end) == 0; usleep(500))
		if (atomic_load(&peer->todo) != 0) {
			peer_does(&n);
			atomic_store(&peer->todo, 0);
		}
	node_close(&n);
	_exit(0);
}

/* ---- in this one ---- */

static void
peer_wait(_Atomic int *what, int val)
{
	uint32_t ms;

	for (ms = 0; ms < PEER_MS && atomic_load(what) != val; ms++)
		usleep(1000);
	assert_int_equal(atomic_load(what), val);
}

/* PEER_LEN bytes of peer->data. */
static uint32_t
peer_dma(uint32_t rtype, uint64_t raddr)
{
	peer->rtype = rtype;
	peer->destid = dev->destid;
	peer->raddr = raddr;
	atomic_store(&peer->todo, 1);
	peer_wait(&peer->todo, 0);
	return peer->code;
}

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
		rte_iova_t iova_a, iova_b, iova_end;

		assert_non_null(a);
		assert_non_null(b);
		iova_a = rte_mem_virt2iova(a + 8 * HUGE);
		iova_b = rte_mem_virt2iova(b);
		iova_end = rte_mem_virt2iova(a + 15 * HUGE);
		assert_int_equal(iova_b % HUGE, 0);
		rig_fill(a + 8 * HUGE, HUGE, round);
		assert_int_equal(tsi721_ibwin_open(dev, RADDR, iova_b, HUGE), 0);
		assert_int_equal(dma(TSI721_RTYPE_ALL_NWRITE_R, iova_a, HUGE), 0);
		assert_memory_equal(b, a + 8 * HUGE, HUGE);
		memset(peer->data, 0, PEER_LEN);
		assert_int_equal(peer_dma(TSI721_RTYPE_NREAD, RADDR + 8192), 0);
		assert_memory_equal(peer->data, b + 8192, PEER_LEN);
		rig_fill(peer->data, PEER_LEN, round + 50);
		assert_int_equal(peer_dma(TSI721_RTYPE_ALL_NWRITE_R, RADDR + HUGE - PEER_LEN), 0);
		assert_memory_equal(b + HUGE - PEER_LEN, peer->data, PEER_LEN);

		/* From one page into the next, where one follows the other. */
		if (rte_mem_virt2iova(b + HUGE) == iova_b + HUGE) {
			rig_fill(b, 200, round + 100);
			assert_int_equal(dma(TSI721_RTYPE_NREAD, iova_b + HUGE - 100, 200), 0);
			assert_memory_equal(b + HUGE - 100, b, 200);
		}

		/* Given back to the system, no bus address leads there any more. */
		assert_int_equal(tsi721_ibwin_close(dev, 0), 0);
		assert_int_equal(tsi721_ibwin_open(dev, RADDR, iova_a & ~(HUGE - 1ull), HUGE), 0);
		assert_int_equal(peer_dma(TSI721_RTYPE_NREAD, RADDR), 0);
		assert_memory_equal(peer->data, a + 8 * HUGE, PEER_LEN);
		rte_free(a);
		assert_int_equal(dma(TSI721_RTYPE_ALL_NWRITE_R, iova_a, 4096), -EFAULT);
		assert_int_equal(dma(TSI721_RTYPE_ALL_NWRITE_R, iova_end, 4096), -EFAULT);
		assert_int_equal(peer_dma(TSI721_RTYPE_NREAD, RADDR), NULL_ABORT_ERROR);
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
	char args[64];

	(void)state;
	snprintf(args, sizeof(args), "fabric=%s", fabric);
	if (rte_vdev_init("raw_tsi7210", args) != 0)
		return -1;
	dev = tsi721_device_find("raw_tsi7210");
	peer_wait(&peer->up, 1);
	return dev == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	atomic_store(&peer->end, 1);
	wait(NULL);
	return rte_vdev_uninit("raw_tsi7210");
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(comes_and_goes) };
	char *mode = argc > 1 ? argv[1] : NULL;
	pid_t pid;
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
	snprintf(fabric, sizeof(fabric), "hotmem-%d", (int)getpid());
	peer = mmap(NULL, sizeof(*peer), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (peer == MAP_FAILED)
		return 1;
	/* Before this process has threads, and anything that a child would inherit. */
	pid = fork();
	if (pid < 0)
		return 1;
	if (pid == 0)
		peer_main();
	if (rig_eal_init(RTE_DIM(args), args) < 0) {
		atomic_store(&peer->end, 1);
		wait(NULL);
		printf("skipped: EAL does not start with hugepages, --iova-mode %s\n", mode);
		return SKIP;
	}
	return cmocka_run_group_tests_name("drv_hotmem", tests, setup, teardown);
}
