/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The messaging engine: what its channels have in common. The channels are in
 * null_omsg.c and null_imsg.c.
 */

#include "null_internal.h"

uint64_t
null_mbox_stat(const struct null_chip *chip, enum null_stat stat)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < TSI721_OMSG_NUM; i++)
		if (stat == NULL_STAT_OMSG_SENT)
			sum += atomic_load_explicit(&chip->omsg[i].sent, memory_order_relaxed);
		else if (stat == NULL_STAT_OMSG_BYTES)
			sum += atomic_load_explicit(&chip->omsg[i].bytes, memory_order_relaxed);
	for (i = 0; i < TSI721_IMSG_NUM; i++)
		if (stat == NULL_STAT_IMSG_RECEIVED)
			sum += atomic_load_explicit(&chip->imsg[i].received,
						    memory_order_relaxed);
	return sum;
}

static void
smsg_int_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	null_intr_clear(dev->fab, dev->ep, &dev->chip->smsg_int, val);
}

static void
smsg_intset_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	null_intr_raise(dev->fab, dev->ep, &dev->chip->smsg_int, &dev->chip->smsg_inte, val,
			TSI721_MSIX_MSG_INT);
}

static void
smsg_inte_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	static const struct null_intr_vec vecs[] = {
		{ TSI721_SMSG_INT_MASK, TSI721_MSIX_MSG_INT }, { 0, 0 },
	};

	(void)i;
	null_intr_enable(dev->fab, dev->ep, &dev->chip->smsg_int, &dev->chip->smsg_inte, val, vecs);
}

#define ONE(member, n, o)	.name = n, .off = (o), .count = 1, NULL_STATE(member)

static const struct null_reg rows[] = {
	{ ONE(rqrpto, "RQRPTO", TSI721_RQRPTO), .access = NULL_RW, .wmask = TSI721_RQRPTO_MASK },
	{ ONE(ib_devid, "IB_DEVID", TSI721_IB_DEVID), .access = NULL_RW,
	  .wmask = TSI721_IB_DEVID_MASK },
	{ ONE(smsg_inte, "SMSG_INTE", TSI721_SMSG_INTE), .access = NULL_RW,
	  .wmask = TSI721_SMSG_INT_MASK, .write = smsg_inte_write },
	{ ONE(smsg_pwe, "SMSG_PWE", TSI721_SMSG_PWE), .access = NULL_RW, .wmask = UINT32_MAX },
	{ ONE(smsg_int, "SMSG_INT", TSI721_SMSG_INT), .access = NULL_W1C,
	  .wmask = TSI721_SMSG_INT_MASK, .write = smsg_int_write },
	{ .name = "SMSG_INTSET", .off = TSI721_SMSG_INTSET, .count = 1, .state = NULL_NO_STATE,
	  .access = NULL_WO, .wmask = TSI721_SMSG_INT_MASK, .write = smsg_intset_write },
	{ ONE(smsg_ecc_log, "SMSG_ECC_LOG", TSI721_SMSG_ECC_LOG), .access = NULL_RW,
	  .wmask = TSI721_SMSG_ECC_LOG_MASK },
	{ ONE(retry_gen_cnt, "RETRY_GEN_CNT", TSI721_RETRY_GEN_CNT), .access = NULL_RW,
	  .wmask = UINT32_MAX },
	{ ONE(retry_rx_cnt, "RETRY_RX_CNT", TSI721_RETRY_RX_CNT), .access = NULL_RW,
	  .wmask = UINT32_MAX },
	{ .name = "SMSG_ECC_COR_LOG", .off = TSI721_SMSG_ECC_COR_LOG(0), .count = TSI721_IMSG_NUM,
	  .stride = 4, .state = offsetof(struct null_chip, ecc_cor), .state_stride = 4,
	  .access = NULL_W1C, .wmask = TSI721_SMSG_ECC_CH_MASK },
	{ .name = "SMSG_ECC_NCOR", .off = TSI721_SMSG_ECC_NCOR(0), .count = TSI721_IMSG_NUM,
	  .stride = 4, .state = offsetof(struct null_chip, ecc_ncor), .state_stride = 4,
	  .access = NULL_W1C, .wmask = TSI721_SMSG_ECC_CH_MASK },
};

const struct null_reg_block null_mbox_regs = { rows, sizeof(rows) / sizeof(rows[0]) };
