/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Switches: registers, routing tables, ports, port-writes. */

#include <string.h>

#include "null_rig_fabric.h"

#define STAR	"[fabric]\n[switches]\ns = 18 ports\n[endpoints]\na = 1 host\nb = 2\nc = 3\n" \
		"[links]\na = s.0\nb = s.5\nc = s.17 x2\n"
#define RAW	"[fabric]\nenumerated = 0\n[switches]\ns = 18 ports\n[endpoints]\na = none host\n" \
		"b = none\n[links]\na = s.3\nb = s.4\n"

/* ---- registers ---- */

static void
identity(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	(void)state;
	assert_int_equal(rig_sw_rd(a, RIO_DEV_ID_CAR), 0x03740038);
	assert_int_equal(rig_sw_rd(a, RIO_PEF_CAR) & RIO_PEF_SWITCH, RIO_PEF_SWITCH);
	assert_int_equal(rig_sw_rd(a, RIO_PEF_CAR) & RIO_PEF_EXT_RT, RIO_PEF_EXT_RT);
	/* An endpoint is who can read or write; a switch can only send port-writes. */
	assert_int_equal(rig_sw_rd(a, RIO_SRC_OPS_CAR), RIO_OPS_PORT_WRITE);
	assert_int_equal(rig_sw_rd(a, RIO_DST_OPS_CAR), 0);
	/* Ports, and the one that the request came in by. */
	assert_int_equal(rig_sw_rd(a, RIO_SWP_INFO_CAR), 18 << 8 | 3);
	assert_int_equal(rig_sw_rd(b, RIO_SWP_INFO_CAR), 18 << 8 | 4);
	/* Blocks: LP-Serial first, then error management, then none. */
	assert_int_equal(rig_sw_rd(a, RIO_ASM_INFO_CAR) & RIO_ASM_INFO_EF_PTR, 0x100);
	assert_int_equal(rig_sw_rd(a, 0x100), 0x1000 << 16 | RIO_EFB_SER_EPF_M1_ID);
	assert_int_equal(rig_sw_rd(a, 0x1000), RIO_EFB_ERR_MGMNT_ID);
	/* Ports with and without a partner. */
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(3))), RIO_PORT_N_ERR_STS_PORT_OK);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(5))), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_CTL2_CSR(3))), 4u << 28);
	rig_close(rig);
}

/* Not there at first reading, or with effects: looked at elsewhere. */
static const char *const special[] = {
	"SWP_INFO", "SP_HEADER", "SP_MNT_RSP", "SP_CTL2", "SP_ERR_STS", "SP_CTL", "RTE_PORT",
	"BCAST_RTE", "PORT_RTE", "HOST_DID_LOCK", "SOFT_RESET", "PORT_ISERR_DET",
	"EM_PN_ERR_DETECT", "PORT_DROP_RX", "PORT_DROP_TX", "RTE_PORT_SEL",
};

static bool
is_special(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (strcmp(name, special[i]) == 0)
			return true;
	return false;
}

static void
check_register(struct rig_dev *d, const struct null_sw_reg *reg, uint32_t off)
{
	uint32_t fixed = reg->state == NULL_SW_NO_STATE ? reg->reset : reg->reset & ~reg->wmask;
	uint32_t set = reg->state == NULL_SW_NO_STATE ? 0 : reg->wmask;

	if (rig_sw_rd(d, off) != reg->reset)
		fail_msg("%s is 0x%x at reset, not 0x%x", reg->name, rig_sw_rd(d, off), reg->reset);
	rig_sw_wr(d, off, 0xffffffff);
	if (rig_sw_rd(d, off) != (fixed | set))
		fail_msg("%s is 0x%x after ones", reg->name, rig_sw_rd(d, off));
	rig_sw_wr(d, off, 0);
	if (rig_sw_rd(d, off) != fixed)
		fail_msg("%s is 0x%x after zeros", reg->name, rig_sw_rd(d, off));
	if (reg->reset != fixed)
		rig_sw_wr(d, off, reg->reset);
}

static void
registers(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct null_switch *sw = &rig->d[0].dev->fab->sh->sw[0];
	const struct null_sw_reg *reg;
	uint32_t n, i, found, last, off;

	(void)state;
	for (n = 0; (reg = null_switch_reg_row(n)) != NULL; n++) {
		last = (reg->per_port ? 18 : reg->count) - 1;
		for (i = 0; i <= last; i += last > 0 ? last : 1) {
			off = reg->off + i * reg->stride + (reg->em ? 0x1000 : 0);
			assert_ptr_equal(null_switch_reg_find(sw, off, &found), reg);
			assert_int_equal(found, i);
			if (!is_special(reg->name))
				check_register(&rig->d[0], reg, off);
		}
	}
	assert_true(n > 50);
	assert_int_equal(atomic_load(&sw->unknown_reads), 0);

	/* Nobody knows these: they read as zero and are counted. */
	assert_int_equal(rig_sw_rd(&rig->d[0], 0x20), 0);
	assert_int_equal(rig_sw_rd(&rig->d[0], SP(RIO_PORT_N_CTL_CSR(18))), 0);
	assert_int_equal(rig_sw_rd(&rig->d[0], 0xfffffc), 0);
	rig_sw_wr(&rig->d[0], 0x20, 1);
	assert_int_equal(atomic_load(&sw->unknown_reads), 3);
	assert_int_equal(atomic_load(&sw->unknown_writes), 1);
	rig_close(rig);
}

static void
host_lock(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0];

	(void)state;
	assert_int_equal(rig_sw_rd(a, RIO_HOST_DID_LOCK_CSR), 0xffff);
	rig_sw_wr(a, RIO_HOST_DID_LOCK_CSR, 7);
	rig_sw_wr(a, RIO_HOST_DID_LOCK_CSR, 8);
	assert_int_equal(rig_sw_rd(a, RIO_HOST_DID_LOCK_CSR), 7);
	rig_sw_wr(a, RIO_HOST_DID_LOCK_CSR, 7);
	assert_int_equal(rig_sw_rd(a, RIO_HOST_DID_LOCK_CSR), 0xffff);
	rig_sw_wr(a, RIO_HOST_DID_LOCK_CSR, 8);
	assert_int_equal(rig_sw_rd(a, RIO_HOST_DID_LOCK_CSR), 8);
	rig_close(rig);
}

static void
broadcast(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0];

	(void)state;
	rig_sw_wr(a, IDT_PORT_ERR_REPORT_EN_BC, 0x807e8037);
	rig_sw_wr(a, IDT_PORT_ISERR_REPORT_EN_BC, 0x20);
	rig_sw_wr(a, IDT_PORT_OPS_BC, IDT_PORT_OPS_GENPW);
	rig_sw_wr(a, IDT_LANE_CTRL_BC, IDT_LANE_CTRL_GENPW);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_ERR_REPORT_EN(0)), 0x807e8037);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_ERR_REPORT_EN(17)), 0x807e8037);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_ISERR_REPORT_EN(17)), 0x20);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_OPS(17)), IDT_PORT_OPS_GENPW);
	assert_int_equal(rig_sw_rd(a, IDT_LANE_CTRL(47)), IDT_LANE_CTRL_GENPW);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_ERR_REPORT_EN_BC), 0);
	rig_close(rig);
}

/* A link-request gets its answer only over a link. */
static void
link_request(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0];

	(void)state;
	rig_sw_wr(a, SP(RIO_PORT_N_MNT_REQ_CSR(4)), RIO_MNT_REQ_CMD_INPUT_STATUS);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_MNT_RSP_CSR(4))), RIO_PORT_N_MNT_RSP_RVAL | 0x10);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_MNT_RSP_CSR(4))), 0x10);
	rig_sw_wr(a, SP(RIO_PORT_N_MNT_REQ_CSR(9)), RIO_MNT_REQ_CMD_INPUT_STATUS);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_MNT_RSP_CSR(9))), 0);
	rig_close(rig);
}

/* ---- routing tables ---- */

static void
tables(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0];

	(void)state;
	/* One entry, in all ports. */
	rig_route(a, 0, rig_any_id(a), 0x21, 9);
	assert_int_equal(rig_sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 9);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_DEV_RTE(17, 0x21)), 9);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(0x20)), IDT_RTE_NO_ROUTE);
	/* Four at a time, lowest byte first; none beyond the table. */
	rig_sw_wr(a, RIO_STD_RTE_CONF_DESTID_SEL_CSR, RIO_STD_RTE_CONF_EXTCFGEN | 0x20);
	assert_int_equal(rig_sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 0xdfdf09df);
	rig_sw_wr(a, RIO_STD_RTE_CONF_PORT_SEL_CSR, 0xde030201);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(0x20)), 1);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(0x22)), 3);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(0x23)), IDT_RTE_DEFAULT_ROUTE);
	rig_sw_wr(a, RIO_STD_RTE_CONF_DESTID_SEL_CSR, RIO_STD_RTE_CONF_EXTCFGEN | 0xfe);
	rig_sw_wr(a, RIO_STD_RTE_CONF_PORT_SEL_CSR, 0x08070605);
	assert_int_equal(rig_sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 0x0605);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(0)), IDT_RTE_NO_ROUTE);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DOM_RTE(0)), IDT_RTE_NO_ROUTE);
	/* Of one port only: the others and the global table stay. */
	rig_sw_wr(a, IDT_RTE_DESTID_SEL, 3 + 1);
	rig_route(a, 0, rig_any_id(a), 0x21, 11);
	assert_int_equal(rig_sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 11);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_DEV_RTE(3, 0x21)), 11);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_DEV_RTE(4, 0x21)), 2);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(0x21)), 2);
	rig_sw_wr(a, IDT_RTE_DESTID_SEL, 0);
	assert_int_equal(rig_sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 2);
	/* A port that is not there. */
	rig_sw_wr(a, IDT_RTE_DESTID_SEL, 19);
	rig_route(a, 0, rig_any_id(a), 0x21, 12);
	assert_int_equal(rig_sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 0);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(0x21)), 2);
	rig_close(rig);
}

/* Packets follow the table of the port that they come in by. */
static void
forwarding(void **state)
{
	struct rig *rig = rig_open_topo(STAR);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1], *c = &rig->d[2];
	struct null_sw_port *port = a->dev->fab->sh->sw[0].port;

	(void)state;
	rig_idb_open(a);
	rig_idb_open(b);
	rig_idb_open(c);
	assert_true(rig_rings(a, b, 2));
	assert_true(rig_rings(c, b, 2));
	assert_true(rig_rings(b, a, 1));

	/* No entry, one of a port without a link, one beyond the last: dropped. */
	rig_sw_wr(a, IDT_PORT_DEV_RTE(0, 2), IDT_RTE_NO_ROUTE);
	assert_false(rig_rings(a, b, 2));
	assert_true(rig_rings(c, b, 2));
	assert_int_equal(rig_sw_rd(a, IDT_PORT_DROP_RX(0)), 1);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_DROP_RX(0)), 0);
	rig_sw_wr(a, IDT_PORT_DEV_RTE(0, 2), 9);
	assert_false(rig_rings(a, b, 2));
	assert_int_equal(rig_sw_rd(a, IDT_PORT_DROP_TX(9)), 1);
	rig_sw_wr(a, IDT_PORT_DEV_RTE(0, 2), 40);
	assert_false(rig_rings(a, b, 2));

	/* The default port, which drops too until it is set. */
	rig_sw_wr(a, IDT_PORT_DEV_RTE(0, 2), IDT_RTE_DEFAULT_ROUTE);
	assert_false(rig_rings(a, b, 2));
	rig_sw_wr(a, RIO_STD_RTE_DEFAULT_PORT_CSR, 5);
	assert_true(rig_rings(a, b, 2));
	/* An endpoint ignores what is for another ID, and a loop ends. */
	rig_sw_wr(a, IDT_PORT_DEV_RTE(0, 3), 5);
	assert_false(rig_rings(a, b, 3));
	assert_int_equal(rig_rd(a, TSI721_SR_CHINT(0)) & TSI721_SR_CHINT_ODBTO,
			 TSI721_SR_CHINT_ODBTO);
	rig_wr(a, TSI721_SR_CHINT(0), TSI721_SR_CHINT_ALL);
	rig_sw_wr(a, IDT_PORT_DEV_RTE(0, 1), 0);
	assert_true(rig_rings(a, a, 1));

	/* Without a way back a write arrives, but a doorbell's response does not. */
	rig_sw_wr(a, IDT_PORT_DEV_RTE(5, 1), IDT_RTE_NO_ROUTE);
	assert_true(rig_rings(a, b, 2));
	assert_int_equal(rig_rd(a, TSI721_SR_CHINT(0)) & TSI721_SR_CHINT_ODBTO,
			 TSI721_SR_CHINT_ODBTO);
	assert_true(atomic_load(&port[5].drop_rx) > 0);
	rig_close(rig);
}

/* Control bits of a port: lockout, enables, disable. */
static void
port_control(void **state)
{
	struct rig *rig = rig_open_topo(STAR);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	const uint32_t ctl = SP(RIO_PORT_N_CTL_CSR(5));
	uint32_t was = rig_sw_rd(a, ctl), val = 0;

	(void)state;
	rig_idb_open(a);
	rig_idb_open(b);
	assert_true(rig_rings(b, a, 1));
	assert_int_equal(was & RIO_PORT_N_CTL_IPW, 2u << RIO_PORT_N_CTL_IPW_SHIFT);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_CTL_CSR(17))) & RIO_PORT_N_CTL_IPW,
			 3u << RIO_PORT_N_CTL_IPW_SHIFT);
	/* Locked out: the link stays up, nothing passes. */
	rig_sw_wr(a, ctl, was | RIO_PORT_N_CTL_LOCKOUT);
	assert_false(rig_rings(a, b, 2));
	assert_false(rig_rings(b, a, 1));
	assert_int_not_equal(rig_maint(a, false, 2, 1, RIO_DEV_ID_CAR, &val), 0);
	assert_int_not_equal(rig_maint(b, false, 1, 1, RIO_DEV_ID_CAR, &val), 0);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(5))) & 3, RIO_PORT_N_ERR_STS_PORT_OK);
	/* Not enabled: maintenance alone passes. */
	rig_sw_wr(a, ctl, was & ~RIO_PORT_N_CTL_EN_TX);
	assert_false(rig_rings(a, b, 2));
	assert_int_equal(rig_far_rd(a, 2, 1, RIO_DEV_ID_CAR), 0x80ab0038);
	rig_sw_wr(a, ctl, was & ~RIO_PORT_N_CTL_EN_RX);
	assert_false(rig_rings(b, a, 1));
	/* Off: the link goes down. */
	rig_sw_wr(a, ctl, was | RIO_PORT_N_CTL_PORT_DIS);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(5))), RIO_PORT_N_ERR_STS_PORT_UNINIT |
			 RIO_PORT_N_ERR_STS_PW_PEND);
	assert_int_equal(rig_rd(b, SP(RIO_PORT_N_ERR_STS_CSR(0))), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	rig_sw_wr(a, ctl, was);
	assert_true(rig_rings(a, b, 2));
	rig_close(rig);
}

/* 16-bit IDs over two switches: domains, and what is marked as local. */
static void
wide_ids(void **state)
{
	struct rig *rig = rig_open_topo(
		"[fabric]\nid_bits = 16\n[switches]\ns = 8 ports domain 1\nu = 8 ports domain 2\n"
		"[endpoints]\na = 0x0101 host\nb = 0x0102\nc = 0x0210\nd = 0x0320\ne = 0x0321\n"
		"[links]\na = s.0\nb = s.1\ns.7 = u.7\nc = u.0\nd = s.2\ne = u.2\n");
	struct rig_dev *a = &rig->d[0];
	unsigned int i, j;

	(void)state;
	assert_int_equal(a->tt, TSI721_TT_16);
	for (i = 0; i < rig->nb; i++)
		rig_idb_open(&rig->d[i]);
	for (i = 0; i < rig->nb; i++)
		for (j = 0; j < rig->nb; j++)
			assert_true(rig_rings(&rig->d[i], &rig->d[j], rig->d[j].destid));
	assert_int_equal(rig_far_rd(a, 0x0210, 1, RIO_SWP_INFO_CAR), 8 << 8 | 7);
	assert_int_equal(rig_far_rd(a, 0x0321, RIO_HOP_ENDPOINT, RIO_DID_CSR) & RIO_DID_16, 0x0321);

	/* The domain table through 0x70: an upper half that is not local. */
	rig_route(a, 0, 0xffff, 0x0700, 2);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DOM_RTE(7)), 2);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(0)), IDT_RTE_NO_ROUTE);
	rig_route(a, 0, 0xffff, 0x0155, 3);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(0x55)), 3);
	/* Another domain for the switch: its IDs are looked up otherwise. */
	rig_sw_wr(a, IDT_RIO_DOMAIN, 9);
	assert_false(rig_rings(a, &rig->d[1], 0x0102));
	rig_sw_wr(a, IDT_BCAST_DOM_RTE(1), IDT_RTE_DEVICE_TABLE);
	assert_true(rig_rings(a, &rig->d[1], 0x0102));
	rig_close(rig);
}

static void
soft_reset(void **state)
{
	struct rig *rig = rig_open_topo(STAR);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	(void)state;
	rig_idb_open(b);
	assert_true(rig_rings(a, b, 2));
	rig_sw_wr(a, IDT_SOFT_RESET, 1);
	assert_true(rig_rings(a, b, 2));
	/* The write's own response still finds its way: it leaves where the request came in. */
	rig_sw_wr(a, IDT_SOFT_RESET, IDT_SOFT_RESET_REQ);
	assert_false(rig_rings(a, b, 2));
	assert_int_equal(rig_sw_rd(a, RIO_COMPONENT_TAG_CSR), 0);
	assert_int_equal(rig_sw_rd(a, IDT_BCAST_DEV_RTE(2)), IDT_RTE_NO_ROUTE);
	rig_route(a, 0, 0xff, 1, 0);
	rig_route(a, 0, 0xff, 2, 5);
	assert_true(rig_rings(a, b, 2));
	rig_close(rig);
}

/* ---- port-writes ---- */

static void
pull(struct rig_dev *d, bool out)
{
	rig_wr(d, TSI721_DEVCTL, out ? 0 : TSI721_DEVCTL_SRBOOT_CMPL);
}

/* As an enumerator sets a switch up, step by step. */
static void
portwrites(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct null_switch *sw = &a->dev->fab->sh->sw[0];
	uint32_t w[4];

	(void)state;
	rig_far_wr(a, rig_any_id(a), 0, RIO_COMPONENT_TAG_CSR, 0x00010002);
	rig_wr(a, RIO_DID_CSR, 6 << RIO_DID_8_SHIFT);
	/* Nothing is reported before all of this is set. */
	pull(b, true);
	assert_int_equal(rig_sw_rd(a, EM(RIO_EM_PN_ERR_DETECT(4))), RIO_EM_PED_LINK_TO);
	rig_sw_wr(a, EM(RIO_EM_PN_ERR_DETECT(4)), 0);
	pull(b, false);
	assert_int_equal(rig_sw_rd(a, IDT_PORT_ISERR_DET(4)),
			 IDT_PORT_INIT_TX_ACQUIRED | IDT_PORT_ISERR_LOA);
	rig_sw_wr(a, IDT_PORT_ISERR_DET(4), 0);
	assert_int_equal(rig_sw_rd(a, EM(RIO_EM_PN_ERR_DETECT(4))), 0);
	assert_false(rig_pw_take(a, w));
	rig_sw_wr(a, IDT_PORT_ERR_REPORT_EN_BC, 0x807e8037);
	rig_sw_wr(a, IDT_PORT_ISERR_REPORT_EN_BC, IDT_PORT_INIT_TX_ACQUIRED);
	pull(b, true);
	pull(b, false);
	assert_false(rig_pw_take(a, w));
	rig_sw_wr(a, IDT_PORT_OPS(4), IDT_PORT_OPS_GENPW);
	rig_sw_wr(a, EM(RIO_EM_PN_ERR_DETECT(4)), 0);
	pull(b, true);
	assert_false(rig_pw_take(a, w));		/* for ID 0, to which no route leads */
	assert_int_equal(atomic_load(&sw->pw_lost), 1);
	rig_sw_wr(a, EM(RIO_EM_PW_TGT_DEVID), 6 << 16);
	pull(b, false);
	assert_false(rig_pw_take(a, w));
	assert_int_equal(atomic_load(&sw->pw_lost), 2);
	rig_route(a, 0, rig_any_id(a), 6, 3);
	rig_sw_wr(a, EM(RIO_EM_PN_ERR_DETECT(4)), 0);
	pull(b, true);

	/* Component tag, error detect, port, logical-layer errors. */
	assert_true(rig_pw_take(a, w));
	assert_int_equal(w[0], 0x00010002);
	assert_int_equal(w[1], RIO_EM_PED_LINK_TO);
	assert_int_equal(w[2] & 0xff, 4);
	assert_int_equal(w[3], 0);
	assert_int_equal(atomic_load(&sw->pw_sent), 1);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(4))),
			 RIO_PORT_N_ERR_STS_PORT_UNINIT | RIO_PORT_N_ERR_STS_PW_PEND);
	rig_sw_wr(a, SP(RIO_PORT_N_ERR_STS_CSR(4)), RIO_PORT_N_ERR_STS_PW_PEND);
	assert_int_equal(rig_sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(4))), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	rig_sw_wr(a, EM(RIO_EM_PN_ERR_DETECT(4)), 0);
	pull(b, false);
	assert_true(rig_pw_take(a, w));
	assert_int_equal(w[1], RIO_EM_PED_IMPL_SPEC);
	assert_int_equal(w[2] & 0xff, 4);
	rig_close(rig);
}

/* An enumerated fabric reports from the start, to its host, by 16-bit ID as well. */
static void
portwrites_preset(void **state)
{
	static const char *const texts[] = {
		"[fabric]\n[switches]\ns = 4 ports\nt = 4 ports\n[endpoints]\na = 1\nb = 2 host\n"
		"c = 3\n[links]\na = s.0\nb = t.1\ns.3 = t.2\nc = s.2\n",
		"[fabric]\nid_bits = 16\n[switches]\ns = 4 ports\nt = 4 ports\n[endpoints]\n"
		"a = 0x901\nb = 0x802 host\nc = 3\n[links]\na = s.0\nb = t.1\ns.3 = t.2\nc = s.2\n",
	};
	struct rig *rig;
	uint32_t w[4], i;

	(void)state;
	for (i = 0; i < 2; i++) {
		rig = rig_open_topo(texts[i]);
		/* c came last; the others' arrivals were overwritten or had no host yet. */
		assert_true(rig_pw_take(&rig->d[1], w));
		assert_int_equal(w[0], 3 + 1);
		assert_int_equal(w[1], RIO_EM_PED_IMPL_SPEC);
		assert_int_equal(w[2] & 0xff, 2);
		pull(&rig->d[0], true);
		assert_true(rig_pw_take(&rig->d[1], w));
		assert_int_equal(w[0], 3 + 1);
		assert_int_equal(w[1], RIO_EM_PED_LINK_TO | RIO_EM_PED_IMPL_SPEC);
		assert_int_equal(w[2] & 0xff, 0);
		assert_false(rig_pw_take(&rig->d[0], w));
		assert_false(rig_pw_take(&rig->d[2], w));
		rig_close(rig);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity),
		cmocka_unit_test(registers),
		cmocka_unit_test(host_lock),
		cmocka_unit_test(broadcast),
		cmocka_unit_test(link_request),
		cmocka_unit_test(tables),
		cmocka_unit_test(forwarding),
		cmocka_unit_test(port_control),
		cmocka_unit_test(wide_ids),
		cmocka_unit_test(soft_reset),
		cmocka_unit_test(portwrites),
		cmocka_unit_test(portwrites_preset),
	};

	return cmocka_run_group_tests_name("null_switch", tests, NULL, NULL);
}
