/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_RAWDEV_H
#define TSI721_RAWDEV_H

/* The rawdev face: what an application has opened through it. For this folder. */

#include <stdbool.h>
#include <stdint.h>

#include <rte_rawdev.h>
#include <rte_rawdev_pmd.h>

#include "rte_pmd_tsi721.h"
#include "tsi721_device.h"
#include "tsi721_rawop.h"

#define TSI721_RAWDEV_RANGES	32u

/* dev_private of the rawdev. */
struct tsi721_rawdev {
	struct tsi721_device *dev;
	uint16_t nb_queues;
	uint16_t max_queues;
	struct tsi721_rawdev_queue queues[RTE_PMD_TSI721_QUEUES_MAX];
	struct tsi721_omsg *out[RTE_PMD_TSI721_MBOXES];
	struct tsi721_imsg *in[RTE_PMD_TSI721_MBOXES];
	struct tsi721_cm *cm;		/* channelised messages; NULL: not started */
	rte_spinlock_t lock;		/* of windows and ranges */
	uint8_t bell_queues;		/* doorbell queues, a bit each */
	uint8_t outwins;		/* outbound windows, a bit each */
	uint32_t windows[RTE_PMD_TSI721_WINDOWS];	/* how often each was opened */
	uint32_t events[TSI721_INTR_SRCS];	/* open eventfds, a bit each */
	uint32_t nb_ranges;
	struct {
		uint16_t first, last;
	} ranges[TSI721_RAWDEV_RANGES];
	uint64_t *xstats_base;		/* values at the last reset */
};

int tsi721_rawdev_create(struct tsi721_device *dev, struct rte_device *rte_dev);
void tsi721_rawdev_destroy(struct tsi721_device *dev);
/** The device behind dev_id; NULL: it is none of ours. */
struct tsi721_rawdev *tsi721_rawdev_of(uint16_t dev_id);
/** Close eventfds of the application, a bit for each number of a source. */
void tsi721_rawdev_events_close(struct tsi721_rawdev *raw, enum tsi721_intr_src src,
				uint32_t which);
/** Close everything that the application opened. */
void tsi721_rawdev_release(struct tsi721_rawdev *raw);

unsigned int tsi721_xstats_count(const struct tsi721_device *dev);
int tsi721_xstats_get(const struct rte_rawdev *rawdev, const unsigned int ids[],
		      uint64_t values[], unsigned int n);
int tsi721_xstats_names(const struct rte_rawdev *rawdev, struct rte_rawdev_xstats_name *names,
			unsigned int size);
uint64_t tsi721_xstats_by_name(const struct rte_rawdev *rawdev, const char *name,
			       unsigned int *id);
int tsi721_xstats_reset(struct rte_rawdev *rawdev, const uint32_t ids[], uint32_t nb_ids);

int tsi721_attr_get(struct rte_rawdev *rawdev, const char *name, uint64_t *value);
int tsi721_attr_set(struct rte_rawdev *rawdev, const char *name, const uint64_t value);

int tsi721_selftest(uint16_t dev_id);

#endif /* TSI721_RAWDEV_H */
