/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Port-write reception: one of 16 bytes is captured until the driver takes
 * it; the event's cause lasts as long as RX_STAT says that there is one.
 */

#include "null_internal.h"

#define RX_PENDING	(TSI721_RIO_PW_RX_STAT_PW_VAL | TSI721_RIO_PW_RX_STAT_PW_DISC)
/* Size as the packet says it: 16 bytes are size code 11 with WDPTR. */
#define RX_SIZE_16	(0xbu << 12 | TSI721_RIO_PW_RX_STAT_WDPTR)

static const struct null_intr_vec vecs[] = {
	{ TSI721_RIO_EM_INT_PW_RX, TSI721_MSIX_SRIO_MAC_INT }, { 0, 0 },
};

static void
pw_raise(struct null_fabric *fab, uint32_t ep)
{
	struct null_chip *chip = null_chip_at(fab, ep);

	null_intr_raise(fab, ep, &chip->em_int_stat, &chip->em_int_meets, TSI721_RIO_EM_INT_PW_RX,
			TSI721_MSIX_SRIO_MAC_INT);
}

/* Under pw_lock. RX_STAT is written last: before that, nothing of it counts. */
static void
pw_capture(struct null_chip *chip, const uint32_t w[TSI721_RIO_PW_WORDS])
{
	uint32_t stat = atomic_load(&chip->pw_rx_stat), i;
	bool keep = (atomic_load(&chip->pw_ctl) & TSI721_RIO_PW_CTL_PWC_MODE) != 0;

	if (keep && (stat & TSI721_RIO_PW_RX_STAT_PW_VAL) != 0) {
		atomic_fetch_or(&chip->pw_rx_stat, TSI721_RIO_PW_RX_STAT_PW_DISC);
		return;
	}
	for (i = 0; i < TSI721_RIO_PW_WORDS; i++)
		atomic_store(&chip->pw_capt[i], w[i]);
	atomic_fetch_or(&chip->pw_rx_stat, RX_SIZE_16 | TSI721_RIO_PW_RX_STAT_PW_VAL);
}

/* Port-writes have no response: one that finds the receiver busy is lost. */
void
null_portwrite_deliver(struct null_fabric *fab, uint32_t ep, const uint32_t w[4])
{
	struct null_chip *chip = null_chip_at(fab, ep);
	bool stolen;

	if (!null_lock_try(fab, &chip->pw_lock, &stolen))
		return;
	pw_capture(chip, w);
	null_lock_release(fab, &chip->pw_lock);
	pw_raise(fab, ep);
}

/*
 * Whoever delivered may have died before it told of it, and with PWC_MODE nobody
 * would again.
 */
void
null_portwrite_sweep(struct null_fabric *fab, uint32_t ep)
{
	struct null_chip *chip = null_chip_at(fab, ep);

	null_intr_again(fab, ep, &chip->em_int_stat, &chip->em_int_meets, vecs);
	if ((atomic_load(&chip->pw_rx_stat) & RX_PENDING) != 0)
		pw_raise(fab, ep);
}

void
null_portwrite_tell(struct null_fabric *fab, uint32_t ep)
{
	struct null_chip *chip = null_chip_at(fab, ep);

	null_intr_tell(fab, ep, &chip->em_int_stat, &chip->em_int_meets, vecs);
}

static uint32_t
int_stat_read(struct null_device *dev, uint32_t i)
{
	(void)i;
	return null_cause_bits(&dev->chip->em_int_stat);
}

static void
rx_stat_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_chip *chip = dev->chip;

	(void)i;
	if ((val & TSI721_RIO_PW_RX_STAT_PW_VAL) != 0)
		val |= TSI721_RIO_PW_RX_STAT_WR_SIZE | TSI721_RIO_PW_RX_STAT_WDPTR;
	if ((atomic_fetch_and(&chip->pw_rx_stat, ~val) & ~val & RX_PENDING) != 0)
		return;
	null_intr_clear(dev->fab, dev->ep, &chip->em_int_stat, TSI721_RIO_EM_INT_PW_RX);
	/* One that came in between must not stay silent. */
	if ((atomic_load(&chip->pw_rx_stat) & RX_PENDING) != 0)
		pw_raise(dev->fab, dev->ep);
}

/* What of the causes leads to an interrupt: both enables are needed. */
static void
enables_judge(struct null_device *dev)
{
	struct null_chip *chip = dev->chip;
	uint32_t meets = 0;

	if ((atomic_load(&chip->em_dev_int_en) & TSI721_RIO_EM_DEV_INT_EN_INT) != 0)
		meets = atomic_load(&chip->em_int_enable);
	null_intr_enable(dev->fab, dev->ep, &chip->em_int_stat, &chip->em_int_meets, meets, vecs);
}

static void
int_enable_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_store(&dev->chip->em_int_enable, val);
	enables_judge(dev);
}

static void
dev_int_en_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_store(&dev->chip->em_dev_int_en, val);
	enables_judge(dev);
}

#define ONE(member, n, o)	.name = n, .off = (o), .count = 1, NULL_STATE(member)

static const struct null_reg rows[] = {
	{ ONE(em_int_stat, "EM_INT_STAT", TSI721_RIO_EM_INT_STAT), .access = NULL_RO,
	  .read = int_stat_read },
	{ ONE(em_int_enable, "EM_INT_ENABLE", TSI721_RIO_EM_INT_ENABLE), .access = NULL_RW,
	  .wmask = TSI721_RIO_EM_INT_PW_RX, .write = int_enable_write },
	{ ONE(em_dev_int_en, "EM_DEV_INT_EN", TSI721_RIO_EM_DEV_INT_EN), .access = NULL_RW,
	  .wmask = TSI721_RIO_EM_DEV_INT_EN_INT, .write = dev_int_en_write },
	{ ONE(pw_ctl, "PW_CTL", TSI721_RIO_PW_CTL), .access = NULL_RW,
	  .wmask = TSI721_RIO_PW_CTL_PW_TIMER | TSI721_RIO_PW_CTL_PWC_MODE },
	{ ONE(pw_rx_stat, "PW_RX_STAT", TSI721_RIO_PW_RX_STAT), .access = NULL_W1C,
	  .wmask = RX_PENDING, .write = rx_stat_write },
	{ .name = "PW_RX_CAPT", .off = TSI721_RIO_PW_RX_CAPT(0), .count = TSI721_RIO_PW_WORDS,
	  .stride = 4, .state = offsetof(struct null_chip, pw_capt), .state_stride = 4,
	  .access = NULL_RO },
};

const struct null_reg_block null_portwrite_regs = { rows, sizeof(rows) / sizeof(rows[0]) };
