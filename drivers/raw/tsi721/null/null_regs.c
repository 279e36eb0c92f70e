/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Joins the blocks' tables of registers: an access finds its row with two
 * loads, through a table by word offset that is built once.
 */

#include <stdlib.h>

#include "null_internal.h"

static const struct null_reg_block *const blocks[] = {
	&null_maint_regs, &null_portwrite_regs, &null_doorbell_regs, &null_ibwin_regs,
	&null_obwin_regs, &null_bdma_regs, &null_mbox_regs, &null_omsg_regs, &null_imsg_regs,
	&null_intr_regs,
};
#define NB_BLOCKS	(sizeof(blocks) / sizeof(blocks[0]))

/* One register: its row, and which of the row's it is. */
struct cell {
	const struct null_reg *row;
	uint32_t i;
};

#define NB_WORDS	(TSI721_BAR0_SIZE / 4)
#define NB_CELLS	4096u	/* with cell 0, which means none */
static uint16_t cell_of[NB_WORDS];
static struct cell cells[NB_CELLS];
static uint32_t nb_cells = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
row_add(const struct null_reg *row)
{
	uint32_t i, word;

	for (i = 0; i < row->count; i++) {
		word = (row->off + i * row->stride) / 4;
		/* Two rows of one offset or one outside BAR0 are an error in a table. */
		if (word >= NB_WORDS || cell_of[word] != 0 || nb_cells == NB_CELLS)
			abort();
		cells[nb_cells] = (struct cell){ .row = row, .i = i };
		cell_of[word] = (uint16_t)nb_cells++;
	}
}

static void
build(void)
{
	uint32_t b, r;

	for (b = 0; b < NB_BLOCKS; b++)
		for (r = 0; r < blocks[b]->nb; r++)
			row_add(&blocks[b]->regs[r]);
}

static inline const struct cell *
cell_find(uint32_t off)
{
	const struct cell *c;

	if (null_unlikely(off >= TSI721_BAR0_SIZE || off % 4 != 0))
		return NULL;
	c = &cells[cell_of[off / 4]];
	return null_likely(c->row != NULL) ? c : NULL;
}

const struct null_reg *
null_reg_find(uint32_t off, uint32_t *i)
{
	const struct cell *c;

	pthread_once(&once, build);
	c = cell_find(off);
	if (c == NULL)
		return NULL;
	*i = c->i;
	return c->row;
}

const struct null_reg *
null_reg_row(unsigned int n)
{
	uint32_t b;

	for (b = 0; b < NB_BLOCKS; b++) {
		if (n < blocks[b]->nb)
			return &blocks[b]->regs[n];
		n -= blocks[b]->nb;
	}
	return NULL;
}

static inline _Atomic uint32_t *
state_of(struct null_chip *chip, const struct null_reg *row, uint32_t i)
{
	return (_Atomic uint32_t *)(void *)((char *)chip + row->state +
					    (size_t)i * row->state_stride);
}

void
null_regs_reset(struct null_chip *chip)
{
	const struct null_reg *row;
	uint32_t n, i;

	/* Devices come after this: their accesses need not look whether it is built. */
	pthread_once(&once, build);
	for (n = 0; (row = null_reg_row(n)) != NULL; n++)
		for (i = 0; row->state != NULL_NO_STATE && i < row->count; i++)
			atomic_store(state_of(chip, row, i), row->reset);
}

bool
null_reg_read(struct null_device *dev, uint32_t off, uint32_t *val)
{
	const struct cell *c = cell_find(off);
	const struct null_reg *row;

	if (null_unlikely(c == NULL))
		return false;
	row = c->row;
	if (row->read != NULL)
		*val = row->read(dev, c->i);
	else if (row->access == NULL_WO)
		*val = 0;
	else if (row->state != NULL_NO_STATE)
		*val = atomic_load_explicit(state_of(dev->chip, row, c->i), memory_order_acquire);
	else
		*val = row->reset;
	return true;
}

uint32_t
null_reg_peek(struct null_device *dev, const struct null_reg *row, uint32_t i)
{
	if (row->read != NULL && !row->read_clears)
		return row->read(dev, i);
	if (row->access == NULL_WO)
		return 0;
	return row->state != NULL_NO_STATE ? atomic_load(state_of(dev->chip, row, i)) : row->reset;
}

static void
write_rw(struct null_device *dev, const struct null_reg *row, uint32_t i, uint32_t val)
{
	_Atomic uint32_t *state;

	if (row->state == NULL_NO_STATE) {
		if (row->write != NULL)
			row->write(dev, i, val & row->wmask);
		return;
	}
	state = state_of(dev->chip, row, i);
	val &= row->wmask;
	if (row->wmask != UINT32_MAX)
		val |= atomic_load_explicit(state, memory_order_relaxed) & ~row->wmask;
	if (row->write != NULL)
		row->write(dev, i, val);
	else
		atomic_store_explicit(state, val, memory_order_release);
}

bool
null_reg_write(struct null_device *dev, uint32_t off, uint32_t val)
{
	const struct cell *c = cell_find(off);
	const struct null_reg *row;

	if (null_unlikely(c == NULL))
		return false;
	row = c->row;
	switch (row->access) {
	case NULL_RW:
		write_rw(dev, row, c->i, val);
		break;
	case NULL_W1C:
		if (row->write != NULL)
			row->write(dev, c->i, val & row->wmask);
		else
			atomic_fetch_and(state_of(dev->chip, row, c->i), ~(val & row->wmask));
		break;
	case NULL_WO:
		if (row->write != NULL)
			row->write(dev, c->i, val & row->wmask);
		break;
	case NULL_RO:
		break;
	}
	return true;
}
