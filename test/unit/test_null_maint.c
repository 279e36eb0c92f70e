/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* CARs and CSRs, extended feature blocks, maintenance requests. */

#include "null_rig.h"

#define SP(r)	(TSI721_SP_BASE + (r))

static uint32_t
far_rd(struct rig_dev *d, uint32_t destid, uint32_t hop, uint32_t off)
{
	uint32_t val = 0;

	assert_int_equal(rig_maint(d, false, destid, hop, off, &val), 0);
	return val;
}

static void
far_wr(struct rig_dev *d, uint32_t destid, uint32_t hop, uint32_t off, uint32_t val)
{
	assert_int_equal(rig_maint(d, true, destid, hop, off, &val), 0);
}

static void
identity(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_rd(&rig->d[0], RIO_DEV_ID_CAR), 0x80ab0038);
	assert_int_equal(far_rd(&rig->d[0], 1, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR), 0x80ab0038);
	/* The hop count is used up by switches: endpoints answer whatever is left. */
	assert_int_equal(far_rd(&rig->d[0], 1, 1, RIO_DEV_ID_CAR), 0x80ab0038);
	assert_int_equal(far_rd(&rig->d[0], 1, 0, RIO_DEV_ID_CAR), 0x03740038);
	/* For a switch that is meant itself, the destination ID does not matter. */
	assert_int_equal(far_rd(&rig->d[0], 0xff, 0, RIO_DEV_ID_CAR), 0x03740038);
	assert_int_equal(far_rd(&rig->d[0], 0, RIO_HOP_ENDPOINT, RIO_DID_CSR) >> 16 & 0xff, 0);
}

/* What Linux looks for before it takes a device for an endpoint with rionet. */
static void
what_enumeration_needs(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];
	uint32_t ef = rig_rd(a, RIO_ASM_INFO_CAR) & RIO_ASM_INFO_EF_PTR, header, hops = 0;
	bool sp = false, em = false;

	assert_int_equal(ef, TSI721_SP_BASE);
	while (ef != 0 && hops++ < 8) {
		header = rig_rd(a, ef);
		sp |= (header & RIO_EFB_ID) == RIO_EFB_SER_EP_M1_ID;
		em |= (header & RIO_EFB_ID) == RIO_EFB_ERR_MGMNT_ID;
		ef = header >> 16;
	}
	assert_int_equal(ef, 0);
	assert_true(sp && em);
	assert_int_equal(rig_rd(a, RIO_PEF_CAR) & (RIO_PEF_EXT_FEATURES | RIO_PEF_SWITCH),
			 RIO_PEF_EXT_FEATURES);
	assert_int_equal(rig_rd(a, RIO_SRC_OPS_CAR) & 0xcc04, 0xcc04);
	assert_int_equal(rig_rd(a, RIO_DST_OPS_CAR) & 0xcc00, 0xcc00);
	assert_int_equal(far_rd(a, 1, 0, RIO_PEF_CAR) & (RIO_PEF_EXT_FEATURES | RIO_PEF_SWITCH),
			 RIO_PEF_EXT_FEATURES | RIO_PEF_SWITCH);
	assert_int_equal(far_rd(a, 1, 0, RIO_SRC_OPS_CAR) & (RIO_OPS_READ | RIO_OPS_WRITE), 0);
}

/* Straps: destination IDs are there, node 0 is the host. */
static void
enumerated(void **state)
{
	struct rig *rig = *state;
	unsigned int i;

	for (i = 0; i < rig->nb; i++) {
		uint32_t gen = RIO_PORT_GEN_DISCOVERED;

		if (i == 0)
			gen |= RIO_PORT_GEN_HOST | RIO_PORT_GEN_MASTER;
		assert_int_equal(rig->d[i].destid, i);
		assert_int_equal(rig_rd(&rig->d[i], RIO_DID_CSR), i << 16 | RIO_DID_16);
		assert_int_equal(rig_rd(&rig->d[i], SP(RIO_PORT_GEN_CTL_CSR)), gen);
	}
	/* Other bits do not exist. */
	rig_wr(&rig->d[1], SP(RIO_PORT_GEN_CTL_CSR), 0xffffffff);
	assert_int_equal(rig_rd(&rig->d[1], SP(RIO_PORT_GEN_CTL_CSR)), 0xe0000000);
	rig_wr(&rig->d[1], SP(RIO_PORT_GEN_CTL_CSR), 0);
	assert_int_equal(rig_rd(&rig->d[1], SP(RIO_PORT_GEN_CTL_CSR)), 0);
}

static void
host_lock(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	assert_int_equal(far_rd(a, 1, 0xff, RIO_HOST_DID_LOCK_CSR), 0xffff);
	far_wr(a, 1, 0xff, RIO_HOST_DID_LOCK_CSR, 0);
	assert_int_equal(rig_rd(b, RIO_HOST_DID_LOCK_CSR), 0);
	rig_wr(b, RIO_HOST_DID_LOCK_CSR, 1);
	assert_int_equal(rig_rd(b, RIO_HOST_DID_LOCK_CSR), 0);
	far_wr(a, 1, 0xff, RIO_HOST_DID_LOCK_CSR, 0);
	assert_int_equal(rig_rd(b, RIO_HOST_DID_LOCK_CSR), 0xffff);
	rig_wr(b, RIO_HOST_DID_LOCK_CSR, 1);
	assert_int_equal(far_rd(a, 1, 0xff, RIO_HOST_DID_LOCK_CSR), 1);

	/* The switch has one of its own. */
	assert_int_equal(far_rd(a, 1, 0, RIO_HOST_DID_LOCK_CSR), 0xffff);
	far_wr(b, 0, 0, RIO_HOST_DID_LOCK_CSR, 7);
	far_wr(a, 1, 0, RIO_HOST_DID_LOCK_CSR, 8);
	assert_int_equal(far_rd(a, 1, 0, RIO_HOST_DID_LOCK_CSR), 7);
	far_wr(b, 0, 0, RIO_HOST_DID_LOCK_CSR, 7);
	assert_int_equal(far_rd(a, 1, 0, RIO_HOST_DID_LOCK_CSR), 0xffff);
}

/* DID is what requests carry as their source; the way to a device is the fabric's matter. */
static void
destid_and_tag(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	far_wr(a, 1, 0xff, RIO_DID_CSR, 0xff420099);
	assert_int_equal(rig_rd(b, RIO_DID_CSR), 0x00420099);
	assert_int_equal(null_source_id(b->dev->chip, TSI721_TT_8), 0x42);
	assert_int_equal(null_source_id(b->dev->chip, TSI721_TT_16), 0x99);
	far_wr(a, 1, 0xff, RIO_COMPONENT_TAG_CSR, 0x12345678);
	assert_int_equal(rig_rd(b, RIO_COMPONENT_TAG_CSR), 0x12345678);
	assert_int_equal(rig_rd(a, RIO_COMPONENT_TAG_CSR), 0);
	far_wr(a, 1, 0, RIO_COMPONENT_TAG_CSR, 0x87654321);
	assert_int_equal(far_rd(b, 0, 0, RIO_COMPONENT_TAG_CSR), 0x87654321);
}

static void
port_in(void **state)
{
	struct rig *rig = *state;
	unsigned int i;

	for (i = 0; i < rig->nb; i++) {
		uint32_t info = far_rd(&rig->d[i], 0, 0, RIO_SWP_INFO_CAR);

		assert_int_equal(info & RIO_SWP_INFO_PORT_NUM, i);
		assert_int_equal((info & RIO_SWP_INFO_PORT_TOTAL) >> 8, IDT_CPS1848_PORTS);
	}
}

static void
link_status(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];
	uint32_t val = 0;

	assert_int_equal(rig_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(0))), RIO_PORT_N_ERR_STS_PORT_OK);
	assert_int_equal(rig_rd(a, SP(RIO_PORT_N_CTL2_CSR(0))) >> 28, 4);
	assert_int_equal((rig_rd(a, SP(RIO_PORT_N_CTL_CSR(0))) & RIO_PORT_N_CTL_IPW) >>
			 RIO_PORT_N_CTL_IPW_SHIFT, 2);
	rig_wr(a, SP(RIO_PORT_N_MNT_REQ_CSR(0)), RIO_MNT_REQ_CMD_INPUT_STATUS);
	assert_int_equal(rig_rd(a, SP(RIO_PORT_N_MNT_RSP_CSR(0))), RIO_PORT_N_MNT_RSP_RVAL | 0x10);
	assert_int_equal(rig_rd(a, SP(RIO_PORT_N_MNT_RSP_CSR(0))) & RIO_PORT_N_MNT_RSP_RVAL, 0);

	/* Before SRBOOT_CMPL the port is not initialised. */
	rig_wr(a, TSI721_DEVCTL, 0);
	assert_int_equal(rig_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(0))), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	rig_wr(a, SP(RIO_PORT_N_MNT_REQ_CSR(0)), RIO_MNT_REQ_CMD_INPUT_STATUS);
	assert_int_equal(rig_rd(a, SP(RIO_PORT_N_MNT_RSP_CSR(0))) & RIO_PORT_N_MNT_RSP_RVAL, 0);
	rig_wr(a, TSI721_DEVCTL, 0xffffffff);
	assert_int_equal(rig_rd(a, TSI721_DEVCTL), TSI721_DEVCTL_SRBOOT_CMPL);
	assert_int_equal(rig_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(0))), RIO_PORT_N_ERR_STS_PORT_OK);

	/* A locked-out port passes nothing. */
	rig_wr(a, SP(RIO_PORT_N_CTL_CSR(0)),
	       rig_rd(a, SP(RIO_PORT_N_CTL_CSR(0))) | RIO_PORT_N_CTL_LOCKOUT);
	assert_int_equal(rig_rd(a, SP(RIO_PORT_N_CTL_CSR(0))) & RIO_PORT_N_CTL_LOCKOUT,
			 RIO_PORT_N_CTL_LOCKOUT);
	assert_int_equal(rig_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(0))), RIO_PORT_N_ERR_STS_PORT_OK);
	assert_int_equal(rig_maint(a, false, 1, 0xff, 0, &val), NULL_ABORT_TIMEOUT);
	assert_int_equal(rig_maint(&rig->d[1], false, 0, 0xff, 0, &val), NULL_ABORT_TIMEOUT);
	rig_wr(a, SP(RIO_PORT_N_CTL_CSR(0)), 0);
	assert_int_equal(rig_maint(a, false, 1, 0xff, 0, &val), 0);
}

static void
failures(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0];
	uint32_t val = 0x55, i;
	static const uint32_t closed[] = { 0x20000, TSI721_IBWIN_LB(0), TSI721_DEVCTL, 0x7fffc,
					   0xfffffc, 0x62 };

	assert_int_equal(rig_maint(a, false, 9, 0xff, 0, &val), NULL_ABORT_TIMEOUT);
	assert_int_equal(rig_maint(a, true, 9, 0xff, 0, &val), NULL_ABORT_TIMEOUT);
	/* Registers of the bridge proper are not for others to reach. */
	for (i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
		assert_int_equal(rig_maint(a, false, 1, 0xff, closed[i], &val), NULL_ABORT_ERROR);
		assert_int_equal(rig_maint(a, true, 1, 0xff, closed[i], &val), NULL_ABORT_ERROR);
	}
	assert_int_equal(rig_rd(&rig->d[1], TSI721_DEVCTL), TSI721_DEVCTL_SRBOOT_CMPL);
	/* An offset without a register reads as zero and is counted where it is. */
	assert_int_equal(far_rd(a, 1, 0xff, 0x1fffc), 0);
	assert_int_equal(rig_stat(&rig->d[1], NULL_STAT_UNKNOWN_REG_READS), 1);
	far_wr(a, 1, 0xff, 0x1fffc, 1);
	assert_int_equal(rig_stat(&rig->d[1], NULL_STAT_UNKNOWN_REG_WRITES), 1);
	assert_int_equal(rig_stat(a, NULL_STAT_UNKNOWN_REG_READS), 0);

	rig_wr(&rig->d[1], TSI721_DEVCTL, 0);
	assert_int_equal(rig_maint(a, false, 1, 0xff, 0, &val), NULL_ABORT_TIMEOUT);
	rig_wr(&rig->d[1], TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
	assert_int_equal(far_rd(a, 1, 0xff, RIO_DEV_ID_CAR), 0x80ab0038);
	rig_wr(a, TSI721_DEVCTL, 0);
	assert_int_equal(rig_maint(a, false, 1, 0xff, 0, &val), NULL_ABORT_TIMEOUT);
	assert_int_equal(rig_maint(a, false, 1, 0, 0, &val), NULL_ABORT_TIMEOUT);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rig_setup3, rig_teardown)
	const struct CMUnitTest tests[] = {
		T(identity), T(what_enumeration_needs), T(enumerated), T(host_lock),
		T(destid_and_tag), T(port_in), T(link_status), T(failures),
	};

	return cmocka_run_group_tests_name("null_maint", tests, NULL, NULL);
}
