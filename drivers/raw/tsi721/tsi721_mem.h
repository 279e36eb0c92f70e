/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_MEM_H
#define TSI721_MEM_H

/*
 * The memory that bus addresses lead to, for a device that no IOMMU stands
 * before: all memory the EAL has and gets, as areas with a file each, where
 * they have one.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <pthread.h>

struct tsi721_mem_area {
	uint64_t iova;
	size_t len;
	void *va;
	int fd;			/* -1: no file */
	off_t fd_off;
};

struct tsi721_mem_ops {
	int (*map)(void *ctx, const struct tsi721_mem_area *area);
	int (*unmap)(void *ctx, const struct tsi721_mem_area *area);
};

struct tsi721_mem {
	const struct tsi721_mem_ops *ops;
	void *ctx;
	const char *name;		/* for logs */
	pthread_mutex_t lock;
	struct tsi721_mem_area *areas;	/* that are mapped */
	unsigned int nb, size;
	int events;			/* a callback is registered */
};

/** Map all memory, and from now on what is added. On a negative errno nothing is mapped. */
int tsi721_mem_init(struct tsi721_mem *mem, const char *name, const struct tsi721_mem_ops *ops,
		    void *ctx);
/** Unmap all. */
void tsi721_mem_fini(struct tsi721_mem *mem);
/** Memory that the application made known (rte_dev_dma_map) and its end. */
int tsi721_mem_add(struct tsi721_mem *mem, void *va, uint64_t iova, size_t len);
int tsi721_mem_del(struct tsi721_mem *mem, void *va, uint64_t iova, size_t len);

#endif /* TSI721_MEM_H */
