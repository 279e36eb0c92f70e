/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "null_rig_fabric.h"

uint32_t
rig_any_id(const struct rig_dev *d)
{
	return d->tt == TSI721_TT_16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8;
}

/* Register of what is `hop` switches away, on the way to destid. */
uint32_t
rig_far_rd(struct rig_dev *d, uint32_t destid, uint32_t hop, uint32_t off)
{
	uint32_t val = 0xdeadbeef, code = rig_maint(d, false, destid, hop, off, &val);

	if (code != 0)
		fail_msg("read of 0x%x at hop %u to 0x%x: %u", off, hop, destid, code);
	return val;
}

void
rig_far_wr(struct rig_dev *d, uint32_t destid, uint32_t hop, uint32_t off, uint32_t val)
{
	uint32_t code = rig_maint(d, true, destid, hop, off, &val);

	if (code != 0)
		fail_msg("write of 0x%x at hop %u to 0x%x: %u", off, hop, destid, code);
}

/* Of the switch that a device is at. */
uint32_t
rig_sw_rd(struct rig_dev *d, uint32_t off)
{
	return rig_far_rd(d, rig_any_id(d), 0, off);
}

void
rig_sw_wr(struct rig_dev *d, uint32_t off, uint32_t val)
{
	rig_far_wr(d, rig_any_id(d), 0, off, val);
}

/* Does a doorbell arrive? Queue 0 of the target has to be open. */
void
rig_idb_open(struct rig_dev *d)
{
	uint64_t at = d->iova + 0x300000;

	rig_wr(d, TSI721_IDQ_SIZE(0), 5);
	rig_wr(d, TSI721_IDQ_BASEU(0), (uint32_t)(at >> 32));
	rig_wr(d, TSI721_IDQ_BASEL(0), (uint32_t)at);
	rig_wr(d, TSI721_IDQ_MASK(0), 0);
	rig_wr(d, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
}

bool
rig_rings(struct rig_dev *from, struct rig_dev *to, uint32_t destid)
{
	uint64_t before = rig_stat(to, NULL_STAT_IDB_RECEIVED);

	null_device_odb_write(from->dev, TSI721_ODB_OFFSET(from->tt, destid), 0x55);
	return rig_stat(to, NULL_STAT_IDB_RECEIVED) == before + 1;
}

/* ---- routes, port-writes, transfers ---- */

void
rig_route(struct rig_dev *d, uint32_t hop, uint32_t via, uint32_t destid, uint32_t port)
{
	rig_far_wr(d, via, hop, RIO_STD_RTE_CONF_DESTID_SEL_CSR, destid);
	rig_far_wr(d, via, hop, RIO_STD_RTE_CONF_PORT_SEL_CSR, port);
}

bool
rig_pw_take(struct rig_dev *d, uint32_t words[4])
{
	uint32_t i;

	if ((rig_rd(d, TSI721_RIO_PW_RX_STAT) & TSI721_RIO_PW_RX_STAT_PW_VAL) == 0)
		return false;
	for (i = 0; i < 4; i++)
		words[i] = rig_rd(d, TSI721_RIO_PW_RX_CAPT(i));
	rig_wr(d, TSI721_RIO_PW_RX_STAT, TSI721_RIO_PW_RX_STAT_PW_VAL |
	       TSI721_RIO_PW_RX_STAT_PW_DISC);
	return true;
}

uint32_t
rig_dma_code(struct rig_dev *d, uint32_t rtype, uint32_t destid)
{
	struct rig_bdma b;
	uint32_t sts;

	rig_bdma_open(&b, d, 0, 0, 0x1000, 0);
	rig_desc_data(&b, rtype, destid, 0x10000, 0x2000, 64);
	rig_bdma_go(&b);
	sts = rig_bdma_reg(&b, TSI721_DMAC_STS);
	return (sts & TSI721_DMAC_STS_ABORT) == 0 ? 0 :
	       (sts & TSI721_DMAC_STS_CS) >> TSI721_DMAC_STS_CS_SHIFT;
}
