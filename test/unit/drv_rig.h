/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef DRV_RIG_H
#define DRV_RIG_H

/*
 * Devices of the raw driver on null devices, under an EAL without hugepages
 * (bus addresses are virtual addresses), for tests of the driver's blocks.
 * What fails in here fails the test.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <rte_common.h>
#include <rte_memory.h>

#include "tsi721_device.h"

#define RIG_MEM_SIZE	0x100000u	/* of each device's memory; aligned to it */

struct rig_dev {
	struct tsi721_device *dev;
	uint16_t id;			/* rawdev */
	uint16_t destid;
	uint8_t *mem;
	rte_iova_t iova;
};

struct rig {
	struct rig_dev d[3];
	unsigned int nb;
};

/* rte_eal_init that leaves no folder behind. */
int rig_eal_init(int argc, char **argv);
/* cmocka's group setup: the EAL, with the driver linked in. */
int rig_eal(void **state);
/* cmocka's setup and teardown: *state is a rig of one to three devices, destination IDs 0 and up. */
int rig_setup1(void **state);
int rig_setup2(void **state);
int rig_setup3(void **state);
int rig_teardown(void **state);

void rig_fill(void *mem, size_t len, uint32_t seed);
/* Calls `again` with arg until it returns true; fails after twenty seconds. */
void rig_until(bool (*again)(void *arg), void *arg);

/*
 * A device whose register writes can be kept from the model: while held, writes
 * are only remembered. The test is then the device.
 */
void rig_hold(struct rig_dev *d);
void rig_let(struct rig_dev *d);
/* Last value written to a register while held; fails when there was none. */
uint32_t rig_held(uint32_t off);
unsigned int rig_held_count(uint32_t off);
/* What reads of a register give while held. */
void rig_give(uint32_t off, uint32_t val);

/* Accesses of any device's registers, and resetting the counts. */
extern unsigned int rig_reads, rig_writes;

/* Log lines of the driver since the last call: their number; the last one. */
unsigned int rig_log_lines(void);
const char *rig_log_last(void);

#endif /* DRV_RIG_H */
