/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_DMADEV_H
#define TSI721_DMADEV_H

/*
 * The dmadev face: one block DMA channel as an rte_dma device with one virtual
 * channel. tsi721_dmadev.c is its life, tsi721_dmadev_io.c its copies. For
 * files of this folder.
 */

#include <rte_dmadev.h>
#include <rte_dmadev_pmd.h>

#include "rte_pmd_tsi721.h"
#include "tsi721_device.h"
#include "tsi721_loop.h"

#define TSI721_DMADEV_SGES	64u	/* of a list, at most */

/* Jobs are counted, free-running: collected <= ended <= posted; IDs are the low 16 bits. */
struct tsi721_dmadev {
	struct tsi721_bdma *q;		/* NULL: not started */
	int8_t *status;			/* of jobs that ended and were not collected */
	uint32_t mask;			/* descriptors - 1 */
	uint32_t posted, submitted;
	uint32_t ended, collected;
	enum rte_dma_direction dir;
	bool silent;
	bool aborted;			/* the channel was seen so, and not looked at since */
	struct tsi721_bdma_req req;	/* of each copy, but for the address */
	bool destid_in_addr;
	struct tsi721_loop loop;
	unsigned int evictions;		/* windows closed to make place */
	struct rte_dma_stats stats;

	struct tsi721_device *dev;
	struct rte_dma_dev *dma;
	unsigned int ch;
	uint32_t nb_desc;		/* 0: not set up */
	bool has_target;
	struct rte_pmd_tsi721_dma_target target;
};

/** Make dmadevs of the channels that arguments say. On failure there are none. */
int tsi721_dmadevs_create(struct tsi721_device *dev);
/** Stop and release them. */
void tsi721_dmadevs_destroy(struct tsi721_device *dev);
/** Whether one is started. */
bool tsi721_dmadevs_in_use(const struct tsi721_device *dev);

/** The functions of the data path, in the object of a new device. */
void tsi721_dmadev_io_init(struct rte_dma_fp_object *fp);
/** Whether a dmadev is one of ours, by these functions. */
bool tsi721_dmadev_io_is(const struct rte_dma_fp_object *fp);

#endif /* TSI721_DMADEV_H */
