/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_FABRIC_H
#define TSI721_FABRIC_H

/*
 * The fabric as a device sees it: drives rio_enum with the device's maintenance
 * requests, from the EAL's interrupt thread, and keeps its result for whoever asks.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_compat.h>

#include "rte_pmd_tsi721_fabric.h"
#include "tsi721_regs.h"

struct tsi721_device;
struct tsi721_fabric;

#define TSI721_CBS_MAX	8u

/** Who is told of changes and port-writes. They outlast a reset of the device. */
struct tsi721_fabric_cbs {
	struct {
		void (*cb)(void);	/* of either kind */
		void *arg;
	} change[TSI721_CBS_MAX], portwrite[TSI721_CBS_MAX];
};

/** A result: what is published, in one piece. */
struct tsi721_fabric_view {
	uint32_t nb_devs;
	struct rte_pmd_tsi721_fabric_device *devs;
	struct {
		uint32_t nb_ports, nb_routes;
		struct rte_pmd_tsi721_fabric_port *ports;
		struct rte_pmd_tsi721_fabric_route *routes;
	} *of;				/* by device */
	uint32_t generation, nb_links;
	uint16_t host_destid;
};

struct rio_enum;
/** NULL: no memory. */
struct tsi721_fabric_view *tsi721_fabric_view_create(const struct rio_enum *e);
void tsi721_fabric_view_free(struct tsi721_fabric_view *view);

/**
 * Begin: the host enumerates at once, an agent looks whether it has been
 * discovered. A fabric that does not answer is no error. 0; -ENOMEM.
 */
int tsi721_fabric_start(struct tsi721_device *dev);
/** Nothing runs afterwards. */
void tsi721_fabric_stop(struct tsi721_device *dev);
/** A port-write has come. In the interrupt thread. */
void tsi721_fabric_portwrite(struct tsi721_device *dev,
			     const uint32_t words[TSI721_RIO_PW_WORDS]);

/* Call the callbacks. */
void tsi721_fabric_tell_change(struct tsi721_device *dev, uint32_t generation);
void tsi721_fabric_tell_portwrite(struct tsi721_device *dev,
				  const uint32_t words[TSI721_RIO_PW_WORDS]);

/* As the functions of rte_pmd_tsi721_fabric.h. */
void tsi721_fabric_info(struct tsi721_device *dev, struct rte_pmd_tsi721_fabric_info *info);
int tsi721_fabric_devices(struct tsi721_device *dev, struct rte_pmd_tsi721_fabric_device *devs,
			  unsigned int max);
int tsi721_fabric_ports(struct tsi721_device *dev, uint32_t tag,
			struct rte_pmd_tsi721_fabric_port *ports, unsigned int max);
int tsi721_fabric_routes(struct tsi721_device *dev, uint32_t tag,
			 struct rte_pmd_tsi721_fabric_route *routes, unsigned int max);
int tsi721_fabric_rescan(struct tsi721_device *dev);
int tsi721_fabric_cb_add(struct tsi721_device *dev, bool portwrite, void (*cb)(void), void *arg);
int tsi721_fabric_cb_del(struct tsi721_device *dev, bool portwrite, void (*cb)(void), void *arg);

/**
 * Destination IDs of the other endpoints that send and take messages and doorbells,
 * at most max; where nothing is known yet, it is found out first.
 * @return how many; -EAGAIN: this fabric's host has not set it up, or it could not be read.
 */
__rte_internal
int tsi721_fabric_stations(struct tsi721_device *dev, uint16_t *destids, unsigned int max);

/** An agent's wait to be discovered, at most so long. 0, at once for others; -ETIMEDOUT. */
__rte_internal
int tsi721_fabric_wait(struct tsi721_device *dev, uint32_t ms);

#endif /* TSI721_FABRIC_H */
