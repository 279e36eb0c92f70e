/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Interrupts: device and channel causes, and their way out as MSI-X, MSI or
 * INTx.
 *
 * MSI and INTx follow the level of (DEV_INT and DEV_INTE). Linux's handler
 * leaves interrupts off for good when it is called and finds no cause, so a
 * rise must be told apart from a stale view of one: whoever judges the level
 * puts it into irq_state together with a count, and judges again when another
 * was faster. Whoever changed a cause or an enable judges after that.
 */

#include "null_proc.h"

/* irq_state: level, what it was signalled as, count. */
#define STATE_LEVEL	0x1u
#define STATE_KIND	0x6u
#define   STATE_NONE		0x0u
#define   STATE_INTX		0x2u
#define   STATE_MSI		0x4u
#define STATE_ONE	0x8u
#define MSIX_MASKED	1u

/* ---- causes ---- */

static inline bool
meets(const _Atomic uint32_t *cause, const _Atomic uint32_t *enable)
{
	return (atomic_load(cause) & atomic_load(enable)) != 0;
}

uint32_t
null_intr_dev_chan_int(const struct null_chip *chip)
{
	uint32_t bits = 0, i;

	for (i = 0; i < TSI721_DMAC_NUM; i++)
		if (meets(&chip->bdma[i].intr, &chip->bdma[i].inte))
			bits |= TSI721_INT_BDMA_CHAN(i);
	for (i = 0; i < TSI721_OMSG_NUM; i++)
		if (meets(&chip->omsg[i].intr, &chip->omsg[i].inte))
			bits |= TSI721_INT_OMSG_CHAN(i);
	for (i = 0; i < TSI721_IMSG_NUM; i++)
		if (meets(&chip->imsg[i].intr, &chip->imsg[i].inte))
			bits |= TSI721_INT_IMSG_CHAN(i);
	for (i = 0; i < TSI721_IDQ_NUM; i++)
		if (meets(&chip->idq[i].chint, &chip->idq[i].chinte))
			bits |= TSI721_INT_SR2PC_CHAN(i);
	return bits;
}

uint32_t
null_intr_dev_int(const struct null_chip *chip)
{
	uint32_t chan = null_intr_dev_chan_int(chip) & atomic_load(&chip->dev_chan_inte);
	uint32_t bits = atomic_load(&chip->dev_intset);

	if ((chan & 0x000000ffu) != 0)
		bits |= TSI721_DEV_INT_BDMA_CH;
	if ((chan & 0x00ffff00u) != 0)
		bits |= TSI721_DEV_INT_SMSG_CH;
	if ((chan & 0xff000000u) != 0)
		bits |= TSI721_DEV_INT_SR2PC_CH;
	if (meets(&chip->smsg_int, &chip->smsg_inte))
		bits |= TSI721_DEV_INT_SMSG_NCH;
	if (meets(&chip->em_int_stat, &chip->em_int_enable) &&
	    (atomic_load(&chip->em_dev_int_en) & TSI721_RIO_EM_DEV_INT_EN_INT) != 0)
		bits |= TSI721_DEV_INT_SRIO;
	return bits;
}

/* ---- the way out ---- */

/* Interrupts are delivered by the endpoint's own process; another one asks it to. */
static inline bool
own(struct null_fabric *fab, uint32_t ep)
{
	return !fab->shared || atomic_load(&fab->own[ep]);
}

static void
deliver(struct null_fabric *fab, uint32_t ep, const struct null_irq *irq)
{
	struct null_device *dev = atomic_load(&fab->dev[ep]);

	null_stat_add(null_chip_at(fab, ep), NULL_STAT_IRQS, 1);
	if (dev != NULL && dev->irq != NULL)
		dev->irq(dev->irq_ctx, irq);
}

static bool
msix_on(const struct null_chip *chip)
{
	return (null_cfg_get32(chip, NULL_CFG_MSIX_CAP) & NULL_CFG_MSIX_ENABLE) != 0;
}

static bool
msi_on(const struct null_chip *chip)
{
	return (null_cfg_get32(chip, NULL_CFG_MSI_CAP) & NULL_CFG_MSI_ENABLE) != 0;
}

static bool
msix_masked(const struct null_chip *chip, unsigned int vector)
{
	return (null_cfg_get32(chip, NULL_CFG_MSIX_CAP) & NULL_CFG_MSIX_MASKALL) != 0 ||
	       (atomic_load(&chip->msix[vector].ctl) & MSIX_MASKED) != 0;
}

/* Send what is pending, if it may be sent now. */
static void
msix_flush(struct null_fabric *fab, uint32_t ep, unsigned int vector)
{
	struct null_chip *chip = null_chip_at(fab, ep);
	uint64_t bit = 1ull << vector % 64;
	struct null_irq irq = { .kind = NULL_IRQ_MSIX, .vector = vector };
	const struct null_msix_entry *e = &chip->msix[vector];

	if (!msix_on(chip) || msix_masked(chip, vector) || !null_bus_master(chip))
		return;
	if ((atomic_fetch_and(&chip->msix_pba[vector / 64], ~bit) & bit) == 0)
		return;
	irq.addr = null_u64(atomic_load(&e->addr_hi), atomic_load(&e->addr_lo));
	irq.data = atomic_load(&e->data);
	deliver(fab, ep, &irq);
}

static void
msix_send(struct null_fabric *fab, uint32_t ep, unsigned int vector)
{
	struct null_chip *chip = null_chip_at(fab, ep);

	if (!msix_on(chip))
		return;
	/* Pending first: one who unmasks meanwhile sends it. */
	atomic_fetch_or(&chip->msix_pba[vector / 64], 1ull << vector % 64);
	if (own(fab, ep))
		msix_flush(fab, ep, vector);
	else
		null_proc_kick_ep(fab, ep, NULL_KICK_INTR);
}

static void
vecs_send(struct null_fabric *fab, uint32_t ep, const struct null_intr_vec *vecs, uint32_t bits)
{
	for (; vecs->bits != 0; vecs++)
		if ((bits & vecs->bits) != 0)
			msix_send(fab, ep, vecs->vector);
}

/* What the level of (DEV_INT and DEV_INTE) is signalled as now. */
static uint32_t
level_kind(const struct null_chip *chip)
{
	if (msix_on(chip))
		return STATE_NONE;
	if (msi_on(chip))
		return null_bus_master(chip) ? STATE_MSI : STATE_NONE;
	if ((null_cfg_get32(chip, NULL_CFG_COMMAND) & NULL_CFG_COMMAND_INTX_OFF) != 0)
		return STATE_NONE;
	return STATE_INTX;
}

static void
level_signal(struct null_fabric *fab, uint32_t ep, uint32_t kind, bool level)
{
	const struct null_chip *chip = null_chip_at(fab, ep);
	struct null_irq irq = { .kind = NULL_IRQ_INTX, .level = level };

	if (kind == STATE_NONE || (kind == STATE_MSI && !level))
		return;
	if (kind == STATE_MSI) {
		irq.kind = NULL_IRQ_MSI;
		irq.addr = null_u64(null_cfg_get32(chip, NULL_CFG_MSI_CAP + 8),
				    null_cfg_get32(chip, NULL_CFG_MSI_CAP + 4));
		irq.data = null_cfg_get32(chip, NULL_CFG_MSI_CAP + 12) & 0xffff;
	}
	deliver(fab, ep, &irq);
}

void
null_intr_update(struct null_fabric *fab, uint32_t ep)
{
	struct null_chip *chip = null_chip_at(fab, ep);
	uint32_t old = atomic_load(&chip->irq_state), kind, next;
	bool level, was;

	if (!own(fab, ep)) {
		if (level_kind(chip) != STATE_NONE)
			null_proc_kick_ep(fab, ep, NULL_KICK_INTR);
		return;
	}
	do {
		kind = level_kind(chip);
		level = (atomic_load(&chip->dev_inte) & null_intr_dev_int(chip)) != 0;
		next = ((old & ~(STATE_LEVEL | STATE_KIND)) + STATE_ONE) | kind | level;
	} while (!atomic_compare_exchange_weak(&chip->irq_state, &old, next));
	was = (old & STATE_LEVEL) != 0;
	if (was && (!level || kind != (old & STATE_KIND)))
		level_signal(fab, ep, old & STATE_KIND, false);
	if (level && (!was || kind != (old & STATE_KIND)))
		level_signal(fab, ep, kind, true);
}

static void
all_flush(struct null_fabric *fab, uint32_t ep)
{
	unsigned int vector;

	null_intr_update(fab, ep);
	for (vector = 0; vector < TSI721_MSIX_VECTORS; vector++)
		msix_flush(fab, ep, vector);
}

void
null_intr_cfg_changed(struct null_fabric *fab, uint32_t ep)
{
	/* Bus mastering is part of what cached translations stand for. */
	null_fabric_changed(fab);
	all_flush(fab, ep);
}

void
null_intr_catch_up(struct null_fabric *fab, uint32_t ep)
{
	/* So that the device stays there while its callback runs. */
	pthread_rwlock_rdlock(&fab->dev_lock);
	if (atomic_load(&fab->dev[ep]) != NULL) {
		null_idb_tell(fab, ep);
		null_imsg_tell(fab, ep);
		null_portwrite_tell(fab, ep);
		all_flush(fab, ep);
	}
	pthread_rwlock_unlock(&fab->dev_lock);
}

void
null_intr_again(struct null_fabric *fab, uint32_t ep, const _Atomic uint32_t *cause,
		const _Atomic uint32_t *enable, const struct null_intr_vec *vecs)
{
	vecs_send(fab, ep, vecs, atomic_load(cause) & atomic_load(enable));
	null_intr_update(fab, ep);
}

/* ---- for the blocks ---- */

uint32_t
null_intr_set(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause, uint32_t bits)
{
	return atomic_fetch_or(cause, own(fab, ep) ? bits : bits | null_cause_mark(bits));
}

void
null_intr_raise_slow(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
		     const _Atomic uint32_t *enable, uint32_t bits, unsigned int vector)
{
	uint32_t word = null_intr_set(fab, ep, cause, bits);
	uint32_t fresh = bits & (~word | null_cause_marked(word));

	/* Told here and now. */
	if (null_cause_marked(word) != 0 && own(fab, ep))
		atomic_fetch_and(cause, ~null_cause_mark(bits));
	if ((fresh & atomic_load(enable)) == 0)
		return;
	msix_send(fab, ep, vector);
	null_intr_update(fab, ep);
}

void
null_intr_tell(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
	       const _Atomic uint32_t *enable, const struct null_intr_vec *vecs)
{
	uint32_t word;

	if ((atomic_load(cause) & NULL_CAUSE_MARKS) == 0)
		return;
	/* First the marks: who raises one from here on tells again. */
	word = atomic_fetch_and(cause, ~NULL_CAUSE_MARKS);
	vecs_send(fab, ep, vecs, word & null_cause_marked(word) & atomic_load(enable));
}

void
null_intr_clear(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause, uint32_t bits)
{
	if ((atomic_fetch_and(cause, ~(bits | null_cause_mark(bits))) & bits) != 0)
		null_intr_update(fab, ep);
}

void
null_intr_enable(struct null_fabric *fab, uint32_t ep, _Atomic uint32_t *cause,
		 _Atomic uint32_t *enable, uint32_t val, const struct null_intr_vec *vecs)
{
	uint32_t uncovered = val & ~atomic_exchange(enable, val), word;

	if ((atomic_load(cause) & NULL_CAUSE_MARKS) != 0) {
		word = atomic_fetch_and(cause, ~NULL_CAUSE_MARKS);
		uncovered |= null_cause_marked(word) & val;
	}
	vecs_send(fab, ep, vecs, uncovered & atomic_load(cause));
	null_intr_update(fab, ep);
}

/* ---- registers ---- */

static void
dev_inte_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_store(&dev->chip->dev_inte, val);
	null_intr_update(dev->fab, dev->ep);
}

static void
dev_chan_inte_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_store(&dev->chip->dev_chan_inte, val);
	null_intr_update(dev->fab, dev->ep);
}

static uint32_t
dev_int_read(struct null_device *dev, uint32_t i)
{
	(void)i;
	return null_intr_dev_int(dev->chip);
}

static void
dev_int_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	null_intr_clear(dev->fab, dev->ep, &dev->chip->dev_intset, val);
}

static void
dev_intset_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_fetch_or(&dev->chip->dev_intset, val);
	null_intr_update(dev->fab, dev->ep);
}

static uint32_t
dev_chan_int_read(struct null_device *dev, uint32_t i)
{
	(void)i;
	return null_intr_dev_chan_int(dev->chip);
}

static void
msix_ctl_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	atomic_store(&dev->chip->msix[i].ctl, val);
	msix_flush(dev->fab, dev->ep, i);
}

static uint32_t
msix_pba_read(struct null_device *dev, uint32_t i)
{
	return (uint32_t)(atomic_load(&dev->chip->msix_pba[i / 2]) >> (i % 2 * 32));
}

#define DEV_INT_BITS	(TSI721_DEV_INT_BDMA_CH | TSI721_DEV_INT_BDMA_NCH | \
			 TSI721_DEV_INT_SMSG_CH | TSI721_DEV_INT_SMSG_NCH | \
			 TSI721_DEV_INT_SR2PC_CH | TSI721_DEV_INT_SRIO)
#define ROW(n, o, a)	.name = n, .off = o, .count = 1, .access = a
#define PLAIN(n, o, m)	{ ROW(n, o, NULL_RW), .wmask = 0xffffffff, NULL_STATE(m) }
#define MSIX(n, o, a, m) \
	.name = n, .off = TSI721_MSIXTBL_OFFSET + (o), .count = TSI721_MSIX_VECTORS, \
	.stride = 16, .access = a, NULL_STATES(msix, m)

static const struct null_reg regs[] = {
	{ ROW("DEV_INTE", TSI721_DEV_INTE, NULL_RW), .wmask = DEV_INT_BITS, NULL_STATE(dev_inte),
	  .write = dev_inte_write },
	{ ROW("DEV_INT", TSI721_DEV_INT, NULL_W1C), .wmask = DEV_INT_BITS, NULL_STATE(dev_intset),
	  .read = dev_int_read, .write = dev_int_write },
	{ ROW("DEV_INTSET", TSI721_DEV_INTSET, NULL_WO), .wmask = DEV_INT_BITS,
	  .state = NULL_NO_STATE, .write = dev_intset_write },
	{ ROW("DEV_CHAN_INTE", TSI721_DEV_CHAN_INTE, NULL_RW), .wmask = 0xffffffff,
	  NULL_STATE(dev_chan_inte), .write = dev_chan_inte_write },
	{ ROW("DEV_CHAN_INT", TSI721_DEV_CHAN_INT, NULL_RO), .state = NULL_NO_STATE,
	  .read = dev_chan_int_read },
	PLAIN("SR2PC_GEN_INTE", TSI721_SR2PC_GEN_INTE, sr2pc_gen_inte),
	PLAIN("SR2PC_PWE", TSI721_SR2PC_PWE, sr2pc_pwe),
	{ ROW("SR2PC_GEN_INT", TSI721_SR2PC_GEN_INT, NULL_W1C), .wmask = 0xffffffff,
	  NULL_STATE(sr2pc_gen_int) },
	PLAIN("PC2SR_INTE", TSI721_PC2SR_INTE, pc2sr_inte),
	PLAIN("BDMA_INTE", TSI721_BDMA_INTE, bdma_inte),
	PLAIN("I2C_INT_ENABLE", TSI721_I2C_INT_ENABLE, i2c_inte),
	{ MSIX("MSIX_ADDR_LO", 0, NULL_RW, addr_lo), .wmask = 0xfffffffc },
	{ MSIX("MSIX_ADDR_HI", 4, NULL_RW, addr_hi), .wmask = 0xffffffff },
	{ MSIX("MSIX_DATA", 8, NULL_RW, data), .wmask = 0xffffffff },
	{ MSIX("MSIX_CTL", 12, NULL_RW, ctl), .wmask = MSIX_MASKED, .reset = MSIX_MASKED,
	  .write = msix_ctl_write },
	{ .name = "MSIX_PBA", .off = TSI721_MSIXPBA_OFFSET, .count = 4, .stride = 4,
	  .access = NULL_RO, .state = NULL_NO_STATE, .read = msix_pba_read },
};

const struct null_reg_block null_intr_regs = { regs, sizeof(regs) / sizeof(regs[0]) };
