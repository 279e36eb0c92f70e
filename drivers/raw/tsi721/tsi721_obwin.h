/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_OBWIN_H
#define TSI721_OBWIN_H

/*
 * Outbound windows: loads and stores of the CPU, in BAR2 and BAR4, that become
 * RapidIO requests. A window has eight zones of equal size, each with a
 * destination of its own. Opening and closing: any thread. Accesses of a window:
 * any thread, between its open and its close.
 */

#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_compat.h>

#include "tsi721_device.h"

#define TSI721_OBWIN_MAINT_SPACE	0x1000000u	/* bytes of configuration space */

/** What accesses to a zone become. */
enum tsi721_obwin_type {
	TSI721_OBWIN_NWRITE,	/* NREAD, NWRITE */
	TSI721_OBWIN_NWRITE_R,	/* NREAD, NWRITE_R */
	TSI721_OBWIN_MAINT,	/* maintenance requests, 4 bytes at multiples of 4 */
};

struct tsi721_obwin_zone {
	enum tsi721_obwin_type type;
	uint16_t destid;
	uint8_t raddr_hi;	/* bits 65:64 */
	uint8_t hop;		/* of maintenance requests */
	uint64_t raddr;		/* a multiple of the zone's size; maintenance: the offset */
};

/**
 * Open a window of `size` bytes: a power of two from 32 KiB. nb_zones is 1 (the
 * window shows `size` bytes from there on), or 8.
 * @return number of the window, 0 to 7; -EINVAL; -ENODEV the device has no
 *   BAR2 and BAR4, or not as they must be; -ENOSPC all are open, or no room is
 *   left in the BARs; -ETIMEDOUT the chip does not take the zones.
 */
__rte_internal
int tsi721_obwin_open(struct tsi721_device *dev, uint64_t size,
		      const struct tsi721_obwin_zone *zones, unsigned int nb_zones);
/** -EINVAL: not open. */
__rte_internal
int tsi721_obwin_close(struct tsi721_device *dev, unsigned int win);
/** Let one zone of an open window show something else. -EINVAL, -ETIMEDOUT. */
__rte_internal
int tsi721_obwin_zone(struct tsi721_device *dev, unsigned int win, unsigned int zone,
		      const struct tsi721_obwin_zone *to);
/** Size of an open window, 0: not open. */
__rte_internal
uint64_t tsi721_obwin_size(struct tsi721_device *dev, unsigned int win);
/** The window in memory; NULL where its BAR is not mapped, and the calls below are the way. */
__rte_internal
volatile void *tsi721_obwin_ptr(struct tsi721_device *dev, unsigned int win);

/*
 * Copy to and from an open window: `off` and `len` within it. On a board, stores
 * and loads of 8 bytes between the first and last few. A write is posted; a read
 * that fails gives ones.
 */
__rte_internal
void tsi721_obwin_write(struct tsi721_device *dev, unsigned int win, uint64_t off,
			const void *buf, size_t len);
__rte_internal
void tsi721_obwin_read(struct tsi721_device *dev, unsigned int win, uint64_t off, void *buf,
		       size_t len);

#endif /* TSI721_OBWIN_H */
