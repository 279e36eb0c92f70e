/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_REGS_H
#define NULL_REGS_H

/* The table of registers: null_regs.c, and one a block. */

#include "null_chip.h"

enum null_access { NULL_RO, NULL_RW, NULL_W1C, NULL_WO };

/*
 * One row a register, or an array of them: `count` registers `stride` apart,
 * and the state of each `state_stride` bytes apart in struct null_chip. A row
 * with a handler has side effects; `i` is the index in the array.
 *
 * A write handler is given, and stores itself: for RW the register's new value
 * (wmask is applied to the old one), for W1C the bits to clear (and'ed with
 * wmask), for WO the written value (and'ed with wmask). dev is the chip that
 * the register belongs to; for rows below 0x20000, which other devices reach by
 * maintenance requests, only dev->fab, dev->ep and dev->chip may be used.
 */
struct null_reg {
	const char *name;
	uint32_t off, count, stride;
	uint32_t reset;
	uint32_t wmask;			/* bits that a write changes (RW) or clears (W1C) */
	enum null_access access;
	uint32_t state, state_stride;	/* offsetof in struct null_chip; NULL_NO_STATE: none */
	bool read_clears;		/* who only looks, looks at the state */
	uint32_t (*read)(struct null_device *dev, uint32_t i);
	void (*write)(struct null_device *dev, uint32_t i, uint32_t val);
};
#define NULL_NO_STATE		UINT32_MAX
/* Where the state of a row is: of one register, or of an array of structs' members. */
#define NULL_STATE(member)	.state = offsetof(struct null_chip, member)
#define NULL_STATES(array, member) \
	.state = offsetof(struct null_chip, array[0].member), \
	.state_stride = sizeof(((struct null_chip *)0)->array[0])

/*
 * Each block's table; null_regs.c joins them into a lookup by offset. DEVCTL
 * is in null_maint.c's; the interrupt registers of no other block
 * (SR2PC_GEN_*, SR2PC_PWE, PC2SR_INTE, BDMA_INTE, I2C_INT_ENABLE) and the MSI-X
 * table and PBA are in null_intr.c's; RQRPTO, IB_DEVID and SMSG_* in null_mbox.c's.
 */
struct null_reg_block {
	const struct null_reg *regs;
	uint32_t nb;
};
extern const struct null_reg_block null_maint_regs, null_portwrite_regs, null_doorbell_regs,
	null_ibwin_regs, null_obwin_regs, null_bdma_regs, null_mbox_regs, null_omsg_regs,
	null_imsg_regs, null_intr_regs;

const struct null_reg *null_reg_find(uint32_t off, uint32_t *i);
/* Through table and handlers, as an access by the bus or by maintenance. False: no such row. */
bool null_reg_read(struct null_device *dev, uint32_t off, uint32_t *val);
bool null_reg_write(struct null_device *dev, uint32_t off, uint32_t val);
/* What a read of a row's i-th register gives, without what it does. As for maintenance. */
uint32_t null_reg_peek(struct null_device *dev, const struct null_reg *row, uint32_t i);
/* Put every register's state to its reset value. */
void null_regs_reset(struct null_chip *chip);
/* For tests and tools: every row, NULL at the end. */
const struct null_reg *null_reg_row(unsigned int n);

#endif /* NULL_REGS_H */
