/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_SECONDARY_H
#define TSI721_SECONDARY_H

/*
 * Devices in secondary processes. Registers are the primary process's: it answers
 * requests of the others by putting what they want to know into a memzone.
 */

struct rte_device;
struct rte_rawdev;
struct tsi721_device;

/** In the primary process: make the device visible to others. 0 also where there are none. */
int tsi721_shared_create(struct tsi721_device *dev);
void tsi721_shared_destroy(struct tsi721_device *dev);

/**
 * In a secondary process: a rawdev of this name that looks at the primary's.
 * -ENODEV the primary has none; -ENOMEM; -EIO it does not answer. A line was logged.
 */
int tsi721_secondary_probe(const char *name, struct rte_device *rte_dev);
int tsi721_secondary_remove(const char *name);
/** If a rawdev is one of those, log that what was tried is not to be had. */
void tsi721_secondary_refuses(const struct rte_rawdev *rawdev);

#endif /* TSI721_SECONDARY_H */
