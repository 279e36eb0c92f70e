/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Block DMA channels as dmadevs. DPDK's own dmadev_autotest runs on them in test/driver. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_dmadev.h>

#include "drv_rig.h"
#include "rte_pmd_tsi721.h"
#include "tsi721_loop.h"
#include "tsi721_window.h"

#define RADDR	0x300000000ull
#define NB_DESC	64

/* Device 2 of the fabric has channels 1 and 4 as dmadevs; b is where they write to. */
static struct rig_dev *a, *b;
static struct tsi721_device *dev;
static int16_t dma;

static int
setup(void **state)
{
	struct rig *rig;

	if (rig_setup2(state) != 0)
		return -1;
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	rig_fill(a->mem, RIG_MEM_SIZE, 1);
	assert_int_equal(rte_vdev_init("raw_tsi721d", "fabric=default,destid=2,dmadev=0x12"), 0);
	dev = tsi721_device_find("raw_tsi721d");
	dma = (int16_t)rte_dma_get_dev_id_by_name("raw_tsi721d_dma1");
	assert_true(dma >= 0);
	assert_int_equal(tsi721_ibwin_open(b->dev, RADDR, b->iova, RIG_MEM_SIZE), 0);
	return 0;
}

static int
teardown(void **state)
{
	assert_int_equal(rte_vdev_uninit("raw_tsi721d"), 0);
	assert_int_equal(rte_dma_get_dev_id_by_name("raw_tsi721d_dma1"), -EINVAL);
	return rig_teardown(state);
}

static struct rte_dma_vchan_conf
vchan_conf(enum rte_dma_direction dir)
{
	struct rte_dma_vchan_conf conf = { .direction = dir, .nb_desc = NB_DESC };

	if (dir == RTE_DMA_DIR_MEM_TO_DEV)
		conf.dst_port.port_type = RTE_DMA_PORT_PCIE;
	if (dir == RTE_DMA_DIR_DEV_TO_MEM)
		conf.src_port.port_type = RTE_DMA_PORT_PCIE;
	return conf;
}

static void
start(enum rte_dma_direction dir, bool silent)
{
	const struct rte_pmd_tsi721_dma_target target = {
		.destid = b->destid, .write = RTE_PMD_TSI721_WRITE_R,
	};
	const struct rte_dma_conf conf = { .nb_vchans = 1, .enable_silent = silent };
	const struct rte_dma_vchan_conf vchan = vchan_conf(dir);

	assert_int_equal(rte_dma_configure(dma, &conf), 0);
	assert_int_equal(rte_dma_vchan_setup(dma, 0, &vchan), 0);
	if (dir != RTE_DMA_DIR_MEM_TO_MEM) {
		assert_int_equal(rte_dma_start(dma), -EINVAL);
		assert_non_null(strstr(rig_log_last(), "no target"));
		assert_int_equal(rte_pmd_tsi721_dma_target_set(dma, 0, &target), 0);
	}
	assert_int_equal(rte_dma_start(dma), 0);
	assert_int_equal(rte_dma_stats_reset(dma, 0), 0);
}

/* Collect exactly nb jobs that went well; the last has this ID. */
static void
collect(uint16_t nb, uint16_t last)
{
	bool error = false;
	uint16_t id = 0;

	assert_int_equal(rte_dma_completed(dma, 0, nb, &id, &error), nb);
	assert_false(error);
	assert_int_equal(id, last);
}

static void
info(void **state)
{
	struct rte_dma_info info;

	(void)state;
	assert_int_equal(rte_dma_info_get(dma, &info), 0);
	assert_string_equal(info.dev_name, "raw_tsi721d_dma1");
	assert_int_equal(info.dev_capa, RTE_DMA_CAPA_MEM_TO_MEM | RTE_DMA_CAPA_MEM_TO_DEV |
			 RTE_DMA_CAPA_DEV_TO_MEM | RTE_DMA_CAPA_SILENT |
			 RTE_DMA_CAPA_HANDLES_ERRORS | RTE_DMA_CAPA_OPS_COPY |
			 RTE_DMA_CAPA_OPS_COPY_SG);
	assert_int_equal(info.max_vchans, 1);
	assert_int_equal(info.min_desc, 32);
	assert_int_equal(info.max_desc, 32768);
	assert_int_equal(info.max_sges, 64);
	assert_true(rte_dma_get_dev_id_by_name("raw_tsi721d_dma4") >= 0);
	assert_int_equal(rte_dma_get_dev_id_by_name("raw_tsi721d_dma0"), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_dma_rawdev(dma), rte_rawdev_get_dev_id("raw_tsi721d"));
	assert_int_equal(rte_pmd_tsi721_dma_rawdev(-1), -ENODEV);
	/* The probe left nothing behind. */
	assert_false(tsi721_device_in_use(dev));
}

/* A fabric that does not bring packets back: no copies from memory to memory. */
static void
no_loop(void **state)
{
	const struct rte_dma_conf conf = { .nb_vchans = 1 };
	const struct rte_dma_vchan_conf vchan = vchan_conf(RTE_DMA_DIR_MEM_TO_MEM);
	struct rte_dma_info info;
	char args[256];
	int16_t pair;

	(void)state;
	snprintf(args, sizeof(args), "fabric=dmadev-%d,topology=" FABRICS "/pair.ini,dmadev=1",
		 (int)getpid());
	assert_int_equal(rte_vdev_init("raw_tsi721p", args), 0);
	pair = (int16_t)rte_dma_get_dev_id_by_name("raw_tsi721p_dma0");
	assert_int_equal(rte_dma_info_get(pair, &info), 0);
	assert_int_equal(info.dev_capa & RTE_DMA_CAPA_MEM_TO_MEM, 0);
	assert_int_equal(rte_dma_configure(pair, &conf), 0);
	assert_int_equal(rte_dma_vchan_setup(pair, 0, &vchan), -EINVAL);
	assert_int_equal(rte_vdev_uninit("raw_tsi721p"), 0);
}

/* A channel is a dmadev, or a queue of the rawdev and ports; and one user's at a time. */
static void
exclusive(void **state)
{
	struct tsi721_bdma *q;

	(void)state;
	rig_log_lines();
	assert_int_equal(tsi721_bdma_open(dev, 1, 32, SOCKET_ID_ANY, &q), -ENODEV);
	assert_int_equal(rig_log_lines(), 1);
	assert_non_null(strstr(rig_log_last(), "channel 1 is a dmadev: allowed are those of the "
			       "mask 0x6d"));
	assert_int_equal(tsi721_bdma_open_dmadev(dev, 0, 32, SOCKET_ID_ANY, &q), -ENODEV);
	assert_int_equal(tsi721_bdma_open(dev, 0, 32, SOCKET_ID_ANY, &q), 0);
	tsi721_bdma_close(q, NULL, NULL);
	start(RTE_DMA_DIR_MEM_TO_MEM, false);
	assert_int_equal(tsi721_bdma_open_dmadev(dev, 1, 32, SOCKET_ID_ANY, &q), -EBUSY);
	assert_non_null(strstr(rig_log_last(), "channel 1 is in use"));
	assert_int_equal(rte_dma_stop(dma), 0);
	assert_int_equal(tsi721_bdma_open_dmadev(dev, 1, 32, SOCKET_ID_ANY, &q), 0);
	tsi721_bdma_close(q, NULL, NULL);
}

static void
to_rapidio(void **state)
{
	(void)state;
	start(RTE_DMA_DIR_MEM_TO_DEV, false);
	assert_int_equal(rte_dma_burst_capacity(dma, 0), NB_DESC);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova + 3, RADDR + 5, 4097, 0), 0);
	assert_int_equal(rte_dma_burst_capacity(dma, 0), NB_DESC - 1);
	assert_int_equal(b->mem[5], 0);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, RADDR + 0x8000, 1,
				      RTE_DMA_OP_FLAG_SUBMIT | RTE_DMA_OP_FLAG_FENCE), 1);
	collect(2, 1);
	assert_memory_equal(b->mem + 5, a->mem + 3, 4097);
	assert_int_equal(b->mem[0x8000], a->mem[0]);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, RADDR, 0, 0), -EINVAL);
	assert_int_equal(rte_dma_stop(dma), 0);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, RADDR, 8, 0), -EINVAL);
	assert_int_equal(rte_dma_submit(dma, 0), -EINVAL);
	assert_int_equal(rte_dma_burst_capacity(dma, 0), 0);
}

static void
from_rapidio(void **state)
{
	(void)state;
	rig_fill(b->mem, RIG_MEM_SIZE, 2);
	start(RTE_DMA_DIR_DEV_TO_MEM, false);
	assert_int_equal(rte_dma_copy(dma, 0, RADDR + 1, a->iova + 2, 5000,
				      RTE_DMA_OP_FLAG_SUBMIT), 0);
	collect(1, 0);
	assert_memory_equal(a->mem + 2, b->mem + 1, 5000);
	assert_int_equal(rte_dma_stop(dma), 0);
}

/* The destination ID in the address, other targets while it runs, and what is refused. */
static void
targets(void **state)
{
	struct rte_pmd_tsi721_dma_target target = {
		.destid_in_addr = true, .write = RTE_PMD_TSI721_WRITE_LAST_R,
	};
	const struct rte_pmd_tsi721_dma_target bad[] = {
		{ .destid = 256, .write = RTE_PMD_TSI721_WRITE },
		{ .raddr_hi = 4, .write = RTE_PMD_TSI721_WRITE },
		{ .prio = 4, .write = RTE_PMD_TSI721_WRITE },
		{ .write = RTE_PMD_TSI721_READ },
		{ .destid_in_addr = true, .raddr_hi = 1, .write = RTE_PMD_TSI721_WRITE },
	};
	uint64_t to = (uint64_t)b->destid << 48 | RADDR;
	struct rte_dma_sge from[2] = { { a->iova, 8 }, { a->iova, 8 } };
	struct rte_dma_sge two[2] = { { to, 8 }, { (uint64_t)a->destid << 48 | RADDR, 8 } };
	bool error;
	size_t i;

	(void)state;
	start(RTE_DMA_DIR_MEM_TO_DEV, false);
	assert_int_equal(rte_pmd_tsi721_dma_target_set(dma, 0, &target), 0);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, to, 64, RTE_DMA_OP_FLAG_SUBMIT), 0);
	collect(1, 0);
	assert_memory_equal(b->mem, a->mem, 64);
	/* A list goes to one destination. */
	assert_int_equal(rte_dma_copy_sg(dma, 0, from, two, 2, 2, RTE_DMA_OP_FLAG_SUBMIT), -EINVAL);
	/* Nobody has that ID. */
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, 99ull << 48, 64,
				      RTE_DMA_OP_FLAG_SUBMIT), 1);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, 0x100ull << 48, 64, 0), -EINVAL);
	for (error = false, i = 0; !error && i < 100000; i++)
		assert_int_equal(rte_dma_completed(dma, 0, 1, NULL, &error), 0);
	assert_true(error);
	for (i = 0; i < RTE_DIM(bad); i++) {
		rig_log_lines();
		assert_int_equal(rte_pmd_tsi721_dma_target_set(dma, 0, &bad[i]), -EINVAL);
		assert_int_equal(rig_log_lines(), 1);
	}
	assert_int_equal(rte_pmd_tsi721_dma_target_set(dma, 1, &target), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_dma_target_set(dma, 0, NULL), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_dma_target_set(-1, 0, &target), -ENODEV);
	assert_int_equal(rte_dma_stop(dma), 0);
}

static void
ports(void **state)
{
	const struct rte_dma_conf conf = { .nb_vchans = 1 };
	struct rte_dma_vchan_conf vchan = vchan_conf(RTE_DMA_DIR_MEM_TO_DEV);

	(void)state;
	assert_int_equal(rte_dma_configure(dma, &conf), 0);
	assert_int_equal(rte_dma_start(dma), -EINVAL);
	assert_non_null(strstr(rig_log_last(), "not set up"));
	vchan.dst_port.pcie.vfid = 3;
	assert_int_equal(rte_dma_vchan_setup(dma, 0, &vchan), -EINVAL);
	assert_non_null(strstr(rig_log_last(), "zeroes"));
}

static void
memory_to_memory(void **state)
{
	(void)state;
	start(RTE_DMA_DIR_MEM_TO_MEM, false);
	assert_int_equal(dev->ibwin_used, 0);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova + 1, b->iova + 0x1003, 70000,
				      RTE_DMA_OP_FLAG_SUBMIT), 0);
	collect(1, 0);
	assert_memory_equal(b->mem + 0x1003, a->mem + 1, 70000);
	assert_int_not_equal(dev->ibwin_used, 0);
	assert_int_equal(rte_dma_stop(dma), 0);
	/* And memory is shown no longer. */
	assert_int_equal(dev->ibwin_used, 0);
}

/* Two channels write to the same memory: one window, that of both. */
static void
shared_window(void **state)
{
	const struct rte_dma_vchan_conf vchan = vchan_conf(RTE_DMA_DIR_MEM_TO_MEM);
	const struct rte_dma_conf conf = { .nb_vchans = 1 };
	int16_t other = (int16_t)rte_dma_get_dev_id_by_name("raw_tsi721d_dma4");

	(void)state;
	start(RTE_DMA_DIR_MEM_TO_MEM, false);
	assert_int_equal(rte_dma_configure(other, &conf), 0);
	assert_int_equal(rte_dma_vchan_setup(other, 0, &vchan), 0);
	assert_int_equal(rte_dma_start(other), 0);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, b->iova, 8, RTE_DMA_OP_FLAG_SUBMIT), 0);
	assert_int_equal(rte_dma_copy(other, 0, a->iova, b->iova, 8, RTE_DMA_OP_FLAG_SUBMIT), 0);
	assert_int_equal(dev->ibwin_used, 1);
	collect(1, 0);
	assert_int_equal(rte_dma_stop(dma), 0);
	assert_int_equal(dev->ibwin_used, 1);
	assert_int_equal(rte_dma_copy(other, 0, a->iova + 8, b->iova + 8, 8,
				      RTE_DMA_OP_FLAG_SUBMIT), 1);
	assert_int_equal(rte_dma_completed(other, 0, 2, NULL, NULL), 2);
	assert_memory_equal(b->mem, a->mem, 16);
	assert_int_equal(rte_dma_stop(other), 0);
	assert_int_equal(dev->ibwin_used, 0);
}

/* Windows are the application's: none is left, or the eighth comes free. */
static void
no_window(void **state)
{
	unsigned int i;

	(void)state;
	start(RTE_DMA_DIR_MEM_TO_MEM, false);
	for (i = 0; i < TSI721_IBWIN_NUM; i++)
		assert_int_equal(tsi721_ibwin_open(dev, RADDR + i * 4096, a->iova, 4096), i);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, b->iova, 8, 0), -ENOSPC);
	assert_int_equal(tsi721_ibwin_close(dev, 3), 0);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, b->iova, 8, RTE_DMA_OP_FLAG_SUBMIT), 0);
	collect(1, 0);
	assert_int_equal(rte_dma_stop(dma), 0);
	for (i = 0; i < TSI721_IBWIN_NUM; i++)
		assert_int_equal(tsi721_ibwin_close(dev, i), i == 3 ? -EINVAL : 0);
}

/* What makes place is the window that was used longest ago, never one of the last copy. */
static void
evict(void **state)
{
	struct tsi721_loop loop = { .nb = 0 };

	(void)state;
	assert_false(tsi721_loop_evict(&loop, dev));
	assert_int_equal(tsi721_loop_cover(&loop, dev, a->iova, 8), 0);
	assert_true(tsi721_loop_hit(&loop, a->iova, 8));
	assert_false(tsi721_loop_evict(&loop, dev));
	loop.tick++;
	assert_true(tsi721_loop_evict(&loop, dev));
	assert_false(tsi721_loop_hit(&loop, a->iova, 8));
	assert_int_equal(dev->ibwin_used, 0);
	assert_int_equal(tsi721_loop_cover(&loop, dev, 8, 8), -EFAULT);
	assert_int_equal(tsi721_loop_cover(&loop, dev, a->iova, 200ull << 30), -EINVAL);
	tsi721_loop_close(&loop, dev);
}

static void
lists(void **state)
{
	struct rte_dma_sge src[] = {
		{ a->iova, 100 }, { a->iova + 0x1001, 1 }, { a->iova + 0x2000, 899 },
	};
	struct rte_dma_sge dst[] = {
		{ RADDR + 7, 500 }, { RADDR + 0x5000, 500 },
	};
	struct rte_dma_sge none[] = { { a->iova, 0 } };
	static struct rte_dma_sge many[65];
	uint8_t want[1000];

	(void)state;
	memcpy(want, a->mem, 100);
	want[100] = a->mem[0x1001];
	memcpy(want + 101, a->mem + 0x2000, 899);
	start(RTE_DMA_DIR_MEM_TO_DEV, false);
	assert_int_equal(rte_dma_copy_sg(dma, 0, src, dst, 3, 2, RTE_DMA_OP_FLAG_SUBMIT), 0);
	collect(1, 0);
	assert_memory_equal(b->mem + 7, want, 500);
	assert_memory_equal(b->mem + 0x5000, want + 500, 500);
	/* Lists of different length, an empty segment, too many. */
	assert_int_equal(rte_dma_copy_sg(dma, 0, src, dst, 2, 2, 0), -EINVAL);
	assert_int_equal(rte_dma_copy_sg(dma, 0, src, dst, 3, 1, 0), -EINVAL);
	assert_int_equal(rte_dma_copy_sg(dma, 0, none, dst, 1, 1, 0), -EINVAL);
	assert_int_equal(rte_dma_copy_sg(dma, 0, many, dst, 65, 1, 0), -EINVAL);
	assert_int_equal(rte_dma_copy_sg(dma, 0, src, dst, 0, 1, 0), -EINVAL);
	assert_int_equal(rte_dma_burst_capacity(dma, 0), NB_DESC);
	assert_int_equal(rte_dma_stop(dma), 0);
}

/* The ring fills; IDs go round at 65,536. */
static void
full_ring(void **state)
{
	unsigned int i, round;
	uint16_t id = 0;

	(void)state;
	start(RTE_DMA_DIR_MEM_TO_DEV, false);
	for (round = 0; round < 0x10000 / NB_DESC + 2; round++) {
		for (i = 0; i < NB_DESC; i++)
			assert_int_equal(rte_dma_copy(dma, 0, a->iova, RADDR, 8, 0), id++);
		assert_int_equal(rte_dma_copy(dma, 0, a->iova, RADDR, 8, 0), -ENOSPC);
		assert_int_equal(rte_dma_burst_capacity(dma, 0), 0);
		assert_int_equal(rte_dma_submit(dma, 0), 0);
		/* Ended, but not collected: no room yet. */
		collect(1, (uint16_t)(id - NB_DESC));
		assert_int_equal(rte_dma_burst_capacity(dma, 0), 1);
		collect(NB_DESC - 1, (uint16_t)(id - 1));
	}
	assert_int_equal(rte_dma_stop(dma), 0);
}

/* Nobody collects, and there is room all the same. */
static void
silent(void **state)
{
	struct rte_dma_stats stats;
	unsigned int i;

	(void)state;
	start(RTE_DMA_DIR_MEM_TO_DEV, true);
	for (i = 0; i < 10 * NB_DESC; i++)
		assert_int_equal(rte_dma_copy(dma, 0, a->iova + i * 16, RADDR + i * 16, 16,
					      RTE_DMA_OP_FLAG_SUBMIT), i);
	assert_int_equal(rte_dma_burst_capacity(dma, 0), NB_DESC);
	assert_memory_equal(b->mem, a->mem, 10 * NB_DESC * 16);
	assert_int_equal(rte_dma_stats_get(dma, 0, &stats), 0);
	assert_int_equal(stats.submitted, 10 * NB_DESC);
	assert_int_equal(stats.completed, 10 * NB_DESC);
	assert_int_equal(rte_dma_stop(dma), 0);
}

/* What each failure is called, and that only the failed job is lost. */
static void
failures(void **state)
{
	static const struct {
		enum rte_dma_direction dir;
		bool bad_memory;
		enum rte_dma_status_code code;
	} cases[] = {
		{ RTE_DMA_DIR_MEM_TO_DEV, true, RTE_DMA_STATUS_INVALID_SRC_ADDR },
		{ RTE_DMA_DIR_MEM_TO_DEV, false, RTE_DMA_STATUS_INVALID_DST_ADDR },
		{ RTE_DMA_DIR_DEV_TO_MEM, true, RTE_DMA_STATUS_INVALID_DST_ADDR },
		{ RTE_DMA_DIR_DEV_TO_MEM, false, RTE_DMA_STATUS_INVALID_SRC_ADDR },
		{ RTE_DMA_DIR_MEM_TO_MEM, true, RTE_DMA_STATUS_INVALID_SRC_ADDR },
		{ RTE_DMA_DIR_MEM_TO_MEM, false, RTE_DMA_STATUS_INVALID_DST_ADDR },
	};
	enum rte_dma_status_code code[3];
	enum rte_dma_vchan_status vs;
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < RTE_DIM(cases); i++) {
		bool read = cases[i].dir == RTE_DMA_DIR_DEV_TO_MEM;
		rte_iova_t far = cases[i].dir == RTE_DMA_DIR_MEM_TO_MEM ? b->iova : RADDR;

		start(cases[i].dir, false);
		for (n = 0; n < 3; n++) {
			rte_iova_t near = a->iova + (unsigned int)n * 64;
			rte_iova_t there = far + (unsigned int)n * 64;

			if (n == 1 && cases[i].bad_memory)
				near = 0;
			else if (n == 1)
				there = 0;
			assert_int_equal(rte_dma_copy(dma, 0, read ? there : near,
						      read ? near : there, 64, 0), n);
		}
		assert_int_equal(rte_dma_submit(dma, 0), 0);
		assert_int_equal(rte_dma_vchan_status(dma, 0, &vs), 0);
		assert_int_equal(vs, RTE_DMA_VCHAN_HALTED_ERROR);
		assert_int_equal(rte_dma_completed_status(dma, 0, 3, NULL, code), 2);
		assert_int_equal(rte_dma_completed_status(dma, 0, 3, NULL, &code[2]), 1);
		assert_int_equal(code[0], RTE_DMA_STATUS_SUCCESSFUL);
		assert_int_equal(code[1], cases[i].code);
		assert_int_equal(code[2], RTE_DMA_STATUS_SUCCESSFUL);
		assert_int_equal(rte_dma_vchan_status(dma, 0, &vs), 0);
		assert_int_equal(vs, RTE_DMA_VCHAN_IDLE);
		assert_int_equal(rte_dma_stop(dma), 0);
	}
}

/* No response is a fault of the link. */
static void
no_response(void **state)
{
	const struct rte_pmd_tsi721_dma_target nobody = {
		.destid = 0x77, .write = RTE_PMD_TSI721_WRITE_R,
	};
	enum rte_dma_vchan_status vs;
	enum rte_dma_status_code code;

	(void)state;
	start(RTE_DMA_DIR_MEM_TO_DEV, false);
	assert_int_equal(rte_pmd_tsi721_dma_target_set(dma, 0, &nobody), 0);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, RADDR, 8, RTE_DMA_OP_FLAG_SUBMIT), 0);
	assert_int_equal(rte_dma_vchan_status(dma, 0, &vs), 0);
	assert_int_equal(rte_dma_completed_status(dma, 0, 1, NULL, &code), 1);
	assert_int_equal(code, RTE_DMA_STATUS_DEV_LINK_ERROR);
	assert_int_equal(rte_dma_stop(dma), 0);
}

/* A channel that stands still is busy. */
static void
active(void **state)
{
	enum rte_dma_vchan_status vs;

	(void)state;
	start(RTE_DMA_DIR_MEM_TO_DEV, false);
	tsi721_write32(dev, TSI721_DMAC_BASE(1) + TSI721_DMAC_CTL, TSI721_DMAC_CTL_SUSP);
	assert_int_equal(rte_dma_copy(dma, 0, a->iova, RADDR, 8, RTE_DMA_OP_FLAG_SUBMIT), 0);
	assert_int_equal(rte_dma_vchan_status(dma, 0, &vs), 0);
	assert_int_equal(vs, RTE_DMA_VCHAN_ACTIVE);
	assert_int_equal(rte_dma_completed(dma, 0, 1, NULL, NULL), 0);
	tsi721_write32(dev, TSI721_DMAC_BASE(1) + TSI721_DMAC_CTL, 0);
	assert_int_equal(rte_dma_vchan_status(dma, 0, &vs), 0);
	assert_int_equal(vs, RTE_DMA_VCHAN_IDLE);
	collect(1, 0);
	assert_int_equal(rte_dma_stop(dma), 0);
}

static void
dump(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	start(RTE_DMA_DIR_MEM_TO_DEV, false);
	assert_int_equal(rte_dma_dump(dma, f), 0);
	fclose(f);
	assert_non_null(strstr(text, "block DMA channel 1 of raw_tsi721d, memory to RapidIO"));
	assert_non_null(strstr(text, "descriptors: 64, free: 64"));
	free(text);
	assert_int_equal(rte_dma_stop(dma), 0);
}

/* A device with a started dmadev goes; one that was closed stays away until then. */
static void
life(void **state)
{
	int16_t other = (int16_t)rte_dma_get_dev_id_by_name("raw_tsi721d_dma4");

	(void)state;
	start(RTE_DMA_DIR_MEM_TO_MEM, false);
	assert_true(tsi721_device_in_use(dev));
	assert_int_equal(rte_dma_close(other), 0);
	assert_int_equal(rte_dma_get_dev_id_by_name("raw_tsi721d_dma4"), -EINVAL);
}

#define T(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(info), T(no_loop), T(exclusive), T(to_rapidio), T(from_rapidio), T(targets),
		T(ports), T(memory_to_memory), T(shared_window), T(no_window), T(evict), T(lists),
		T(full_ring), T(silent), T(failures), T(no_response), T(active), T(dump), T(life),
	};

	return cmocka_run_group_tests(tests, rig_eal, NULL);
}
