/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_INTR_H
#define NULL_INTR_H

/* DEV_INT and its kin, MSI-X table and PBA, delivery: null_intr.c. */

#include "null_fabric.h"

/*
 * A cause that another process raises gets a mark, in the same store. It stays until
 * the endpoint's own process has told its driver, which clears it before it tells, or the
 * driver has cleared the cause. So one who is stopped between raising a cause and
 * waking that process keeps no other from doing so: who finds a mark tells as well.
 * Marks of causes that no other process raises do not exist.
 */
#define NULL_CAUSE_MARKS	0xff000000u
static inline uint32_t
null_cause_mark(uint32_t bits)
{
	return (bits & 0x3fu) << 24 | (bits & 0x1000u) << 18 | (bits & 0x10000u) << 15;
}

static inline uint32_t
null_cause_marked(uint32_t word)
{
	return (word >> 24 & 0x3fu) | (word >> 18 & 0x1000u) | (word >> 15 & 0x10000u);
}

/* What a register shows of such a word. */
static inline uint32_t
null_cause_bits(const _Atomic uint32_t *cause)
{
	return atomic_load_explicit(cause, memory_order_acquire) & ~NULL_CAUSE_MARKS;
}

/* The causes are raised, and their interrupt is not needed or is on its way. */
static inline bool
null_intr_raised(const _Atomic uint32_t *cause, const _Atomic uint32_t *enable, uint32_t bits)
{
	uint32_t word = atomic_load(cause);

	return (word & bits) == bits && ((word & null_cause_mark(bits)) == 0 ||
					 (atomic_load(enable) & bits) == 0);
}

/* The first half of raising causes, for tests: the cause as it was before. */
uint32_t null_intr_set(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
		       uint32_t bits);
void null_intr_raise_slow(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
			  const _Atomic uint32_t *enable, uint32_t bits, unsigned int vector);
/*
 * Set causes of a channel register; raises what follows. `vector` is the MSI-X
 * one. What the cause announces must have been published before, with a
 * sequentially consistent store last (the queue's pointer): a driver that
 * clears the cause and then finds nothing must not have missed it.
 */
static inline void
null_intr_raise(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
		const _Atomic uint32_t *enable, uint32_t bits, unsigned int vector)
{
	if (null_unlikely(!null_intr_raised(cause, enable, bits)))
		null_intr_raise_slow(fab, ep, cause, enable, bits, vector);
}
/* Write-one-to-clear of causes by software. */
void null_intr_clear(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
		     uint32_t bits);
/* Which MSI-X vector a cause goes to; a block's table ends with bits 0. */
struct null_intr_vec {
	uint32_t bits;
	unsigned int vector;
};
/* Write of an enable register: raises what it uncovers. */
void null_intr_enable(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
		      _Atomic uint32_t *enable, uint32_t val, const struct null_intr_vec *vecs);
/* Judge DEV_INT again after any change of causes or enables. */
void null_intr_update(struct null_fabric *fab, uint32_t ep);
/* After a write of the command register or of MSI or MSI-X control. */
void null_intr_cfg_changed(struct null_fabric *fab, uint32_t ep);
/* Another process has raised causes of an own endpoint: deliver what follows. */
void null_intr_catch_up(struct null_fabric *fab, uint32_t ep);
/* In the endpoint's own process: causes that others have marked. */
void null_intr_tell(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
		    const _Atomic uint32_t *enable, const struct null_intr_vec *vecs);
/*
 * Whoever raised causes may have died before the MSI-X message: send those of all
 * that are raised and enabled. A driver takes one too many for a late one.
 */
void null_intr_again(struct null_fabric *fab, uint32_t ep, const _Atomic uint32_t *cause,
		     const _Atomic uint32_t *enable, const struct null_intr_vec *vecs);
uint32_t null_intr_dev_int(const struct null_chip *chip);
uint32_t null_intr_dev_chan_int(const struct null_chip *chip);

#endif /* NULL_INTR_H */
