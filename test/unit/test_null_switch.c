/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Switches: registers, routing tables, port-writes; walks over the shipped fabrics. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "null_rig.h"

#define STAR	"[fabric]\n[switches]\ns = 18 ports\n[endpoints]\na = 1 host\nb = 2\nc = 3\n" \
		"[links]\na = s.0\nb = s.5\nc = s.17 x2\n"
#define RAW	"[fabric]\nenumerated = 0\n[switches]\ns = 18 ports\n[endpoints]\na = none host\n" \
		"b = none\n[links]\na = s.3\nb = s.4\n"
#define SP(r)	(0x100u + (r))
#define EM(r)	(0x1000u + (r))

static uint32_t
any_id(const struct rig_dev *d)
{
	return d->tt == TSI721_TT_16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8;
}

/* Register of what is `hop` switches away, on the way to destid. */
static uint32_t
rd(struct rig_dev *d, uint32_t destid, uint32_t hop, uint32_t off)
{
	uint32_t val = 0xdeadbeef, code = rig_maint(d, false, destid, hop, off, &val);

	if (code != 0)
		fail_msg("read of 0x%x at hop %u to 0x%x: %u", off, hop, destid, code);
	return val;
}

static void
wr(struct rig_dev *d, uint32_t destid, uint32_t hop, uint32_t off, uint32_t val)
{
	uint32_t code = rig_maint(d, true, destid, hop, off, &val);

	if (code != 0)
		fail_msg("write of 0x%x at hop %u to 0x%x: %u", off, hop, destid, code);
}

/* Of the switch that a device is at. */
static uint32_t
sw_rd(struct rig_dev *d, uint32_t off)
{
	return rd(d, any_id(d), 0, off);
}

static void
sw_wr(struct rig_dev *d, uint32_t off, uint32_t val)
{
	wr(d, any_id(d), 0, off, val);
}

/* Does a doorbell arrive? Queue 0 of the target has to be open. */
static void
idb_open(struct rig_dev *d)
{
	uint64_t at = d->iova + 0x300000;

	rig_wr(d, TSI721_IDQ_SIZE(0), 5);
	rig_wr(d, TSI721_IDQ_BASEU(0), (uint32_t)(at >> 32));
	rig_wr(d, TSI721_IDQ_BASEL(0), (uint32_t)at);
	rig_wr(d, TSI721_IDQ_MASK(0), 0);
	rig_wr(d, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
}

static bool
rings(struct rig_dev *from, struct rig_dev *to, uint32_t destid)
{
	uint64_t before = rig_stat(to, NULL_STAT_IDB_RECEIVED);

	null_device_odb_write(from->dev, TSI721_ODB_OFFSET(from->tt, destid), 0x55);
	return rig_stat(to, NULL_STAT_IDB_RECEIVED) == before + 1;
}

/* ---- registers ---- */

static void
identity(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	(void)state;
	assert_int_equal(sw_rd(a, RIO_DEV_ID_CAR), 0x03740038);
	assert_int_equal(sw_rd(a, RIO_PEF_CAR) & RIO_PEF_SWITCH, RIO_PEF_SWITCH);
	assert_int_equal(sw_rd(a, RIO_PEF_CAR) & RIO_PEF_EXT_RT, RIO_PEF_EXT_RT);
	/* An endpoint is who can read or write; a switch can only send port-writes. */
	assert_int_equal(sw_rd(a, RIO_SRC_OPS_CAR), RIO_OPS_PORT_WRITE);
	assert_int_equal(sw_rd(a, RIO_DST_OPS_CAR), 0);
	/* Ports, and the one that the request came in by. */
	assert_int_equal(sw_rd(a, RIO_SWP_INFO_CAR), 18 << 8 | 3);
	assert_int_equal(sw_rd(b, RIO_SWP_INFO_CAR), 18 << 8 | 4);
	/* Blocks: LP-Serial first, then error management, then none. */
	assert_int_equal(sw_rd(a, RIO_ASM_INFO_CAR) & RIO_ASM_INFO_EF_PTR, 0x100);
	assert_int_equal(sw_rd(a, 0x100), 0x1000 << 16 | RIO_EFB_SER_EPF_M1_ID);
	assert_int_equal(sw_rd(a, 0x1000), RIO_EFB_ERR_MGMNT_ID);
	/* Ports with and without a partner. */
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(3))), RIO_PORT_N_ERR_STS_PORT_OK);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(5))), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_CTL2_CSR(3))), 4u << 28);
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

	if (sw_rd(d, off) != reg->reset)
		fail_msg("%s is 0x%x at reset, not 0x%x", reg->name, sw_rd(d, off), reg->reset);
	sw_wr(d, off, 0xffffffff);
	if (sw_rd(d, off) != (fixed | set))
		fail_msg("%s is 0x%x after ones", reg->name, sw_rd(d, off));
	sw_wr(d, off, 0);
	if (sw_rd(d, off) != fixed)
		fail_msg("%s is 0x%x after zeros", reg->name, sw_rd(d, off));
	if (reg->reset != fixed)
		sw_wr(d, off, reg->reset);
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
	assert_int_equal(sw_rd(&rig->d[0], 0x20), 0);
	assert_int_equal(sw_rd(&rig->d[0], SP(RIO_PORT_N_CTL_CSR(18))), 0);
	assert_int_equal(sw_rd(&rig->d[0], 0xfffffc), 0);
	sw_wr(&rig->d[0], 0x20, 1);
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
	assert_int_equal(sw_rd(a, RIO_HOST_DID_LOCK_CSR), 0xffff);
	sw_wr(a, RIO_HOST_DID_LOCK_CSR, 7);
	sw_wr(a, RIO_HOST_DID_LOCK_CSR, 8);
	assert_int_equal(sw_rd(a, RIO_HOST_DID_LOCK_CSR), 7);
	sw_wr(a, RIO_HOST_DID_LOCK_CSR, 7);
	assert_int_equal(sw_rd(a, RIO_HOST_DID_LOCK_CSR), 0xffff);
	sw_wr(a, RIO_HOST_DID_LOCK_CSR, 8);
	assert_int_equal(sw_rd(a, RIO_HOST_DID_LOCK_CSR), 8);
	rig_close(rig);
}

static void
broadcast(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0];

	(void)state;
	sw_wr(a, IDT_PORT_ERR_REPORT_EN_BC, 0x807e8037);
	sw_wr(a, IDT_PORT_ISERR_REPORT_EN_BC, 0x20);
	sw_wr(a, IDT_PORT_OPS_BC, IDT_PORT_OPS_GENPW);
	sw_wr(a, IDT_LANE_CTRL_BC, IDT_LANE_CTRL_GENPW);
	assert_int_equal(sw_rd(a, IDT_PORT_ERR_REPORT_EN(0)), 0x807e8037);
	assert_int_equal(sw_rd(a, IDT_PORT_ERR_REPORT_EN(17)), 0x807e8037);
	assert_int_equal(sw_rd(a, IDT_PORT_ISERR_REPORT_EN(17)), 0x20);
	assert_int_equal(sw_rd(a, IDT_PORT_OPS(17)), IDT_PORT_OPS_GENPW);
	assert_int_equal(sw_rd(a, IDT_LANE_CTRL(47)), IDT_LANE_CTRL_GENPW);
	assert_int_equal(sw_rd(a, IDT_PORT_ERR_REPORT_EN_BC), 0);
	rig_close(rig);
}

/* A link-request gets its answer only over a link. */
static void
link_request(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0];

	(void)state;
	sw_wr(a, SP(RIO_PORT_N_MNT_REQ_CSR(4)), RIO_MNT_REQ_CMD_INPUT_STATUS);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_MNT_RSP_CSR(4))), RIO_PORT_N_MNT_RSP_RVAL | 0x10);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_MNT_RSP_CSR(4))), 0x10);
	sw_wr(a, SP(RIO_PORT_N_MNT_REQ_CSR(9)), RIO_MNT_REQ_CMD_INPUT_STATUS);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_MNT_RSP_CSR(9))), 0);
	rig_close(rig);
}

/* ---- routing tables ---- */

static void
route(struct rig_dev *d, uint32_t hop, uint32_t via, uint32_t destid, uint32_t port)
{
	wr(d, via, hop, RIO_STD_RTE_CONF_DESTID_SEL_CSR, destid);
	wr(d, via, hop, RIO_STD_RTE_CONF_PORT_SEL_CSR, port);
}

static void
tables(void **state)
{
	struct rig *rig = rig_open_topo(RAW);
	struct rig_dev *a = &rig->d[0];

	(void)state;
	/* One entry, in all ports. */
	route(a, 0, any_id(a), 0x21, 9);
	assert_int_equal(sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 9);
	assert_int_equal(sw_rd(a, IDT_PORT_DEV_RTE(17, 0x21)), 9);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(0x20)), IDT_RTE_NO_ROUTE);
	/* Four at a time, lowest byte first; none beyond the table. */
	sw_wr(a, RIO_STD_RTE_CONF_DESTID_SEL_CSR, RIO_STD_RTE_CONF_EXTCFGEN | 0x20);
	assert_int_equal(sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 0xdfdf09df);
	sw_wr(a, RIO_STD_RTE_CONF_PORT_SEL_CSR, 0xde030201);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(0x20)), 1);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(0x22)), 3);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(0x23)), IDT_RTE_DEFAULT_ROUTE);
	sw_wr(a, RIO_STD_RTE_CONF_DESTID_SEL_CSR, RIO_STD_RTE_CONF_EXTCFGEN | 0xfe);
	sw_wr(a, RIO_STD_RTE_CONF_PORT_SEL_CSR, 0x08070605);
	assert_int_equal(sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 0x0605);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(0)), IDT_RTE_NO_ROUTE);
	assert_int_equal(sw_rd(a, IDT_BCAST_DOM_RTE(0)), IDT_RTE_NO_ROUTE);
	/* Of one port only: the others and the global table stay. */
	sw_wr(a, IDT_RTE_DESTID_SEL, 3 + 1);
	route(a, 0, any_id(a), 0x21, 11);
	assert_int_equal(sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 11);
	assert_int_equal(sw_rd(a, IDT_PORT_DEV_RTE(3, 0x21)), 11);
	assert_int_equal(sw_rd(a, IDT_PORT_DEV_RTE(4, 0x21)), 2);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(0x21)), 2);
	sw_wr(a, IDT_RTE_DESTID_SEL, 0);
	assert_int_equal(sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 2);
	/* A port that is not there. */
	sw_wr(a, IDT_RTE_DESTID_SEL, 19);
	route(a, 0, any_id(a), 0x21, 12);
	assert_int_equal(sw_rd(a, RIO_STD_RTE_CONF_PORT_SEL_CSR), 0);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(0x21)), 2);
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
	idb_open(a);
	idb_open(b);
	idb_open(c);
	assert_true(rings(a, b, 2));
	assert_true(rings(c, b, 2));
	assert_true(rings(b, a, 1));

	/* No entry, one of a port without a link, one beyond the last: dropped. */
	sw_wr(a, IDT_PORT_DEV_RTE(0, 2), IDT_RTE_NO_ROUTE);
	assert_false(rings(a, b, 2));
	assert_true(rings(c, b, 2));
	assert_int_equal(sw_rd(a, IDT_PORT_DROP_RX(0)), 1);
	assert_int_equal(sw_rd(a, IDT_PORT_DROP_RX(0)), 0);
	sw_wr(a, IDT_PORT_DEV_RTE(0, 2), 9);
	assert_false(rings(a, b, 2));
	assert_int_equal(sw_rd(a, IDT_PORT_DROP_TX(9)), 1);
	sw_wr(a, IDT_PORT_DEV_RTE(0, 2), 40);
	assert_false(rings(a, b, 2));

	/* The default port, which drops too until it is set. */
	sw_wr(a, IDT_PORT_DEV_RTE(0, 2), IDT_RTE_DEFAULT_ROUTE);
	assert_false(rings(a, b, 2));
	sw_wr(a, RIO_STD_RTE_DEFAULT_PORT_CSR, 5);
	assert_true(rings(a, b, 2));
	/* An endpoint ignores what is for another ID, and a loop ends. */
	sw_wr(a, IDT_PORT_DEV_RTE(0, 3), 5);
	assert_false(rings(a, c, 3));
	sw_wr(a, IDT_PORT_DEV_RTE(0, 1), 0);
	assert_true(rings(a, a, 1));

	/* Without a way back a write arrives, but a doorbell's response does not. */
	sw_wr(a, IDT_PORT_DEV_RTE(5, 1), IDT_RTE_NO_ROUTE);
	assert_true(rings(a, b, 2));
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
	uint32_t was = sw_rd(a, ctl), val = 0;

	(void)state;
	idb_open(b);
	assert_int_equal(was & RIO_PORT_N_CTL_IPW, 2u << RIO_PORT_N_CTL_IPW_SHIFT);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_CTL_CSR(17))) & RIO_PORT_N_CTL_IPW,
			 3u << RIO_PORT_N_CTL_IPW_SHIFT);
	/* Locked out: the link stays up, nothing passes. */
	sw_wr(a, ctl, was | RIO_PORT_N_CTL_LOCKOUT);
	assert_false(rings(a, b, 2));
	assert_int_not_equal(rig_maint(a, false, 2, 1, RIO_DEV_ID_CAR, &val), 0);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(5))) & 3, RIO_PORT_N_ERR_STS_PORT_OK);
	/* Not enabled: maintenance alone passes. */
	sw_wr(a, ctl, was & ~RIO_PORT_N_CTL_EN_TX);
	assert_false(rings(a, b, 2));
	assert_int_equal(rd(a, 2, 1, RIO_DEV_ID_CAR), 0x80ab0038);
	sw_wr(a, ctl, was & ~RIO_PORT_N_CTL_EN_RX);
	assert_false(rings(b, a, 1));
	/* Off: the link goes down. */
	sw_wr(a, ctl, was | RIO_PORT_N_CTL_PORT_DIS);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(5))), RIO_PORT_N_ERR_STS_PORT_UNINIT |
			 RIO_PORT_N_ERR_STS_PW_PEND);
	assert_int_equal(rig_rd(b, SP(RIO_PORT_N_ERR_STS_CSR(0))), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	sw_wr(a, ctl, was);
	assert_true(rings(a, b, 2));
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
		idb_open(&rig->d[i]);
	for (i = 0; i < rig->nb; i++)
		for (j = 0; j < rig->nb; j++)
			assert_true(rings(&rig->d[i], &rig->d[j], rig->d[j].destid));
	assert_int_equal(rd(a, 0x0210, 1, RIO_SWP_INFO_CAR), 8 << 8 | 7);
	assert_int_equal(rd(a, 0x0321, RIO_HOP_ENDPOINT, RIO_DID_CSR) & RIO_DID_16, 0x0321);

	/* The domain table through 0x70: an upper half that is not local. */
	route(a, 0, 0xffff, 0x0700, 2);
	assert_int_equal(sw_rd(a, IDT_BCAST_DOM_RTE(7)), 2);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(0)), IDT_RTE_NO_ROUTE);
	route(a, 0, 0xffff, 0x0155, 3);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(0x55)), 3);
	/* Another domain for the switch: its IDs are looked up otherwise. */
	sw_wr(a, IDT_RIO_DOMAIN, 9);
	assert_false(rings(a, &rig->d[1], 0x0102));
	sw_wr(a, IDT_BCAST_DOM_RTE(1), IDT_RTE_DEVICE_TABLE);
	assert_true(rings(a, &rig->d[1], 0x0102));
	rig_close(rig);
}

static void
soft_reset(void **state)
{
	struct rig *rig = rig_open_topo(STAR);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	(void)state;
	idb_open(b);
	assert_true(rings(a, b, 2));
	sw_wr(a, IDT_SOFT_RESET, 1);
	assert_true(rings(a, b, 2));
	/* The write's own response still finds its way: it leaves where the request came in. */
	sw_wr(a, IDT_SOFT_RESET, IDT_SOFT_RESET_REQ);
	assert_false(rings(a, b, 2));
	assert_int_equal(sw_rd(a, RIO_COMPONENT_TAG_CSR), 0);
	assert_int_equal(sw_rd(a, IDT_BCAST_DEV_RTE(2)), IDT_RTE_NO_ROUTE);
	route(a, 0, 0xff, 1, 0);
	route(a, 0, 0xff, 2, 5);
	assert_true(rings(a, b, 2));
	rig_close(rig);
}

/* ---- port-writes ---- */

static bool
pw_take(struct rig_dev *d, uint32_t words[4])
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
	wr(a, any_id(a), 0, RIO_COMPONENT_TAG_CSR, 0x00010002);
	rig_wr(a, RIO_DID_CSR, 6 << RIO_DID_8_SHIFT);
	/* Nothing is reported before all of this is set. */
	pull(b, true);
	assert_int_equal(sw_rd(a, EM(RIO_EM_PN_ERR_DETECT(4))), RIO_EM_PED_LINK_TO);
	sw_wr(a, EM(RIO_EM_PN_ERR_DETECT(4)), 0);
	pull(b, false);
	assert_int_equal(sw_rd(a, IDT_PORT_ISERR_DET(4)),
			 IDT_PORT_INIT_TX_ACQUIRED | IDT_PORT_ISERR_LOA);
	sw_wr(a, IDT_PORT_ISERR_DET(4), 0);
	assert_int_equal(sw_rd(a, EM(RIO_EM_PN_ERR_DETECT(4))), 0);
	assert_false(pw_take(a, w));
	sw_wr(a, IDT_PORT_ERR_REPORT_EN_BC, 0x807e8037);
	sw_wr(a, IDT_PORT_ISERR_REPORT_EN_BC, IDT_PORT_INIT_TX_ACQUIRED);
	pull(b, true);
	pull(b, false);
	assert_false(pw_take(a, w));
	sw_wr(a, IDT_PORT_OPS(4), IDT_PORT_OPS_GENPW);
	sw_wr(a, EM(RIO_EM_PN_ERR_DETECT(4)), 0);
	pull(b, true);
	assert_false(pw_take(a, w));		/* for ID 0, to which no route leads */
	assert_int_equal(atomic_load(&sw->pw_lost), 1);
	sw_wr(a, EM(RIO_EM_PW_TGT_DEVID), 6 << 16);
	pull(b, false);
	assert_false(pw_take(a, w));
	assert_int_equal(atomic_load(&sw->pw_lost), 2);
	route(a, 0, any_id(a), 6, 3);
	sw_wr(a, EM(RIO_EM_PN_ERR_DETECT(4)), 0);
	pull(b, true);

	/* Component tag, error detect, port, logical-layer errors. */
	assert_true(pw_take(a, w));
	assert_int_equal(w[0], 0x00010002);
	assert_int_equal(w[1], RIO_EM_PED_LINK_TO);
	assert_int_equal(w[2] & 0xff, 4);
	assert_int_equal(w[3], 0);
	assert_int_equal(atomic_load(&sw->pw_sent), 1);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(4))),
			 RIO_PORT_N_ERR_STS_PORT_UNINIT | RIO_PORT_N_ERR_STS_PW_PEND);
	sw_wr(a, SP(RIO_PORT_N_ERR_STS_CSR(4)), RIO_PORT_N_ERR_STS_PW_PEND);
	assert_int_equal(sw_rd(a, SP(RIO_PORT_N_ERR_STS_CSR(4))), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	sw_wr(a, EM(RIO_EM_PN_ERR_DETECT(4)), 0);
	pull(b, false);
	assert_true(pw_take(a, w));
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
		assert_true(pw_take(&rig->d[1], w));
		assert_int_equal(w[0], 3 + 1);
		assert_int_equal(w[1], RIO_EM_PED_IMPL_SPEC);
		assert_int_equal(w[2] & 0xff, 2);
		pull(&rig->d[0], true);
		assert_true(pw_take(&rig->d[1], w));
		assert_int_equal(w[0], 3 + 1);
		assert_int_equal(w[1], RIO_EM_PED_LINK_TO | RIO_EM_PED_IMPL_SPEC);
		assert_int_equal(w[2] & 0xff, 0);
		assert_false(pw_take(&rig->d[0], w));
		assert_false(pw_take(&rig->d[2], w));
		rig_close(rig);
	}
}

/* ---- walks, as an enumerating host makes them ---- */

struct node {
	uint32_t hop, tag, in_port, destid;
	bool sw;
	uint32_t index;		/* of the endpoint or switch, where expected */
};

struct scan {
	struct rig_dev *host;
	const struct null_topo *t;
	struct node found[64], expected[64];
	uint32_t nb, nb_expected, next_id, redundant;
	bool seen[NULL_SW_MAX];
};

static void
routes_clear(struct rig_dev *d, uint32_t hop)
{
	uint32_t id;

	wr(d, any_id(d), hop, IDT_RTE_DESTID_SEL, 0);
	for (id = 0; id < 256; id += 4) {
		wr(d, any_id(d), hop, RIO_STD_RTE_CONF_DESTID_SEL_CSR,
		   RIO_STD_RTE_CONF_EXTCFGEN | id);
		wr(d, any_id(d), hop, RIO_STD_RTE_CONF_PORT_SEL_CSR, 0xdededede);
	}
	wr(d, any_id(d), hop, RIO_STD_RTE_DEFAULT_PORT_CSR, IDT_RTE_NO_ROUTE);
}

static void scan(struct scan *s, uint32_t hop);

static void
scan_switch(struct scan *s, uint32_t hop, struct node *n)
{
	uint32_t info = rd(s->host, any_id(s->host), hop, RIO_SWP_INFO_CAR), port, id, first;

	n->in_port = info & RIO_SWP_INFO_PORT_NUM;
	n->sw = true;
	routes_clear(s->host, hop);
	for (id = 0; id < s->next_id; id++)
		route(s->host, hop, any_id(s->host), id, n->in_port);
	for (port = 0; port < info >> 8; port++) {
		if (port == n->in_port)
			continue;
		if ((rd(s->host, any_id(s->host), hop, SP(RIO_PORT_N_ERR_STS_CSR(port))) &
		     RIO_PORT_N_ERR_STS_PORT_OK) == 0)
			continue;
		first = s->next_id;
		route(s->host, hop, any_id(s->host), any_id(s->host), port);
		scan(s, hop + 1);
		for (id = first; id < s->next_id; id++)
			route(s->host, hop, any_id(s->host), id, port);
	}
}

static void
scan(struct scan *s, uint32_t hop)
{
	uint32_t any = any_id(s->host);
	struct node *n;

	if (rd(s->host, any, hop, RIO_HOST_DID_LOCK_CSR) == s->host->destid) {
		s->redundant++;
		return;
	}
	wr(s->host, any, hop, RIO_HOST_DID_LOCK_CSR, s->host->destid);
	assert_int_equal(rd(s->host, any, hop, RIO_HOST_DID_LOCK_CSR), s->host->destid);
	assert_true(s->nb < 64);
	n = &s->found[s->nb++];
	*n = (struct node){ .hop = hop, .tag = 0x100 + s->nb };
	wr(s->host, any, hop, RIO_COMPONENT_TAG_CSR, n->tag);
	if ((rd(s->host, any, hop, RIO_PEF_CAR) & RIO_PEF_SWITCH) != 0) {
		scan_switch(s, hop, n);
		return;
	}
	n->destid = s->next_id++;
	wr(s->host, any, hop, RIO_DID_CSR, n->destid << RIO_DID_8_SHIFT);
}

/* The same order on paper. */
static void
expect(struct scan *s, const struct null_end *at, uint32_t hop)
{
	const struct null_topo_sw *sw = &s->t->sw[at->index];
	uint32_t port;

	if (at->kind == NULL_END_SW && s->seen[at->index])
		return;
	s->expected[s->nb_expected++] = (struct node){
		.hop = hop, .sw = at->kind == NULL_END_SW, .index = at->index,
		.in_port = at->port,
	};
	if (at->kind == NULL_END_EP)
		return;
	s->seen[at->index] = true;
	for (port = 0; port < sw->nb_ports; port++)
		if (port != at->port && sw->link[port] != NULL_LINK_NONE)
			expect(s, null_topo_far_end(s->t, sw->link[port], NULL_END_SW, at->index,
						    port), hop + 1);
}

/* Switches that were passed before others were found still lack routes back. */
static void
routes_complete(struct scan *s)
{
	uint32_t i, id, via;

	for (i = 0; i < s->nb; i++) {
		if (!s->found[i].sw)
			continue;
		/* The first endpoint beyond it leads there. */
		for (via = i; s->found[via].sw; via++)
			assert_true(via + 1 < s->nb);
		for (id = 0; id < s->next_id; id++) {
			wr(s->host, s->found[via].destid, s->found[i].hop,
			   RIO_STD_RTE_CONF_DESTID_SEL_CSR, id);
			if (rd(s->host, s->found[via].destid, s->found[i].hop,
			       RIO_STD_RTE_CONF_PORT_SEL_CSR) == IDT_RTE_DEFAULT_ROUTE)
				wr(s->host, s->found[via].destid, s->found[i].hop,
				   RIO_STD_RTE_CONF_PORT_SEL_CSR, s->found[i].in_port);
		}
	}
}

static void
all_pairs(struct rig *rig)
{
	uint32_t i, j, id;

	for (i = 0; i < rig->nb; i++)
		idb_open(&rig->d[i]);
	for (i = 0; i < rig->nb; i++)
		for (j = 0; j < rig->nb; j++) {
			id = rig_rd(&rig->d[j], RIO_DID_CSR) >> RIO_DID_8_SHIFT;
			if (!rings(&rig->d[i], &rig->d[j], id) && (i != j || rig->nb > 2))
				fail_msg("no doorbell from %u to %u, ID %u", i, j, id);
		}
}

static void
walk_one(const char *name, uint32_t redundant)
{
	struct scan s = { .next_id = 1 };
	struct null_topo *t;
	struct rig *rig;
	char path[256], err[NULL_ERR_LEN], *text;
	uint32_t i;

	snprintf(path, sizeof(path), "%s/%s.ini", FABRICS, name);
	assert_int_equal(null_topo_load(path, &t, err, sizeof(err)), 0);
	text = rig_topo_text(path);
	rig = rig_open_topo(text);
	free(text);
	s.host = &rig->d[0];
	s.t = t;
	rig_wr(s.host, RIO_HOST_DID_LOCK_CSR, s.host->destid);
	expect(&s, null_topo_far_end(t, t->ep[0].link, NULL_END_EP, 0, 0), 0);
	scan(&s, 0);

	assert_int_equal(s.nb, s.nb_expected);
	assert_int_equal(s.next_id, t->nb_ep);
	assert_int_equal(s.redundant, redundant);
	for (i = 0; i < s.nb; i++) {
		const struct null_shared *sh = s.host->dev->fab->sh;
		const struct node *f = &s.found[i], *e = &s.expected[i];

		assert_int_equal(f->sw, e->sw);
		assert_int_equal(f->hop, e->hop);
		assert_int_equal(f->in_port, e->sw ? e->in_port : 0);
		assert_int_equal(f->tag, f->sw ? atomic_load(&sh->sw[e->index].comp_tag) :
				 atomic_load(&sh->ep[e->index].comp_tag));
		/* An endpoint by its ID, which hop counts do not matter to. */
		if (f->sw)
			continue;
		assert_int_equal(rd(s.host, f->destid, RIO_HOP_ENDPOINT, RIO_COMPONENT_TAG_CSR),
				 f->tag);
		assert_int_equal(rd(s.host, f->destid, f->hop, RIO_COMPONENT_TAG_CSR), f->tag);
	}
	if (t->nb_sw > 0) {
		routes_complete(&s);
		all_pairs(rig);
	}
	null_topo_free(t);
	rig_close(rig);
}

static void
walk_pair(void **state)
{
	(void)state;
	walk_one("pair", 0);
}

static void
walk_star(void **state)
{
	(void)state;
	walk_one("star8", 0);
}

static void
walk_two(void **state)
{
	(void)state;
	walk_one("two-switches-16", 0);
}

static void
walk_ring(void **state)
{
	(void)state;
	/* The last switch meets the first one again, and the first the last. */
	walk_one("ring4", 2);
}

/* Preset routes take nobody further than needed. */
static void
preset_hops(void **state)
{
	char *text = rig_topo_text(FABRICS "/ring4.ini");
	struct rig *rig = rig_open_topo(text);
	static const uint32_t hops[] = { 1, 1, 2, 2, 3, 3, 2, 2 };
	uint32_t i, hop;

	(void)state;
	free(text);
	for (i = 1; i < 8; i++) {
		for (hop = 0; hop < hops[i]; hop++)
			assert_int_equal(rd(&rig->d[0], i, hop, RIO_DEV_ID_CAR), 0x03740038);
		assert_int_equal(rd(&rig->d[0], i, hops[i], RIO_DEV_ID_CAR), 0x80ab0038);
	}
	all_pairs(rig);
	rig_close(rig);
}

/* ---- a ring's other way round ---- */

static uint32_t
dma_code(struct rig_dev *d, uint32_t rtype, uint32_t destid)
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

static void
redundant_path(void **state)
{
	char *text = rig_topo_text(FABRICS "/ring4.ini");
	struct rig *rig = rig_open_topo(text);
	struct rig_dev *a = &rig->d[0], *b = &rig->d[2];
	struct null_fabric *fab = a->dev->fab;
	struct null_fault fault = { .kind = NULL_FAULT_DOWN, .arg = 1 };
	uint16_t link = atomic_load(&fab->sh->sw[0].port[16].link);
	uint32_t w[4], entry, i;

	(void)state;
	free(text);
	for (i = 0; i < 8; i++)
		rig_ibwin(&rig->d[i], 0, 0x10000, 0x1000, 0x8000);
	assert_int_equal(dma_code(a, TSI721_RTYPE_NREAD, 2), 0);
	assert_int_equal(dma_code(b, TSI721_RTYPE_ALL_NWRITE_R, 0), 0);
	pw_take(a, w);

	/* Gone: errors for who needs it, nothing for the others, a report; no new route. */
	null_link_fault_set(fab, link, &fault);
	assert_int_equal(dma_code(a, TSI721_RTYPE_NREAD, 2), NULL_ABORT_TIMEOUT);
	assert_int_equal(dma_code(a, TSI721_RTYPE_ALL_NWRITE_R, 2), NULL_ABORT_TIMEOUT);
	assert_int_equal(dma_code(b, TSI721_RTYPE_NREAD, 0), NULL_ABORT_TIMEOUT);
	assert_int_equal(dma_code(a, TSI721_RTYPE_NREAD, 1), 0);
	assert_int_equal(dma_code(a, TSI721_RTYPE_NREAD, 6), 0);
	assert_int_equal(dma_code(a, TSI721_RTYPE_NREAD, 2), NULL_ABORT_TIMEOUT);
	entry = sw_rd(a, IDT_BCAST_DEV_RTE(2));
	assert_int_equal(entry, 16);
	assert_true(pw_take(a, w));
	assert_int_equal(w[0], 8 + 1);
	assert_int_equal(w[1], RIO_EM_PED_LINK_TO);
	assert_int_equal(w[2] & 0xff, 16);
	/* Two arrivals at this switch before. */
	assert_int_equal(atomic_load(&fab->sh->sw[0].pw_sent), 2 + 1);
	/* The report of the other end had to pass the very link. */
	assert_int_equal(atomic_load(&fab->sh->sw[1].pw_lost), 1);

	/* The other way round: rewrite what used the link, nearest switch first. */
	for (i = 2; i <= 5; i++)
		sw_wr(a, IDT_BCAST_DEV_RTE(i), 17);
	for (i = 2; i <= 3; i++)
		wr(a, 6, 1, IDT_BCAST_DEV_RTE(i), 17);
	for (i = 0; i <= 1; i++)
		wr(a, 2, 3, IDT_BCAST_DEV_RTE(i), 16);
	for (i = 6; i <= 7; i++)
		wr(a, 2, 3, IDT_BCAST_DEV_RTE(i), 16);
	assert_int_equal(rd(a, 2, 4, RIO_DEV_ID_CAR), 0x80ab0038);
	all_pairs(rig);
	assert_int_equal(dma_code(a, TSI721_RTYPE_NREAD, 2), 0);
	assert_int_equal(dma_code(b, TSI721_RTYPE_ALL_NWRITE_R, 0), 0);

	/* Back again: a report, and the old route would do. */
	pw_take(a, w);
	fault.arg = 0;
	null_link_fault_set(fab, link, &fault);
	assert_true(pw_take(a, w));
	sw_wr(a, IDT_BCAST_DEV_RTE(2), 16);
	assert_int_equal(rd(a, 2, 2, RIO_DEV_ID_CAR), 0x80ab0038);
	rig_close(rig);
}

/* Routes that lead in a circle: the packet dies, nothing hangs. */
static void
circle(void **state)
{
	struct rig *rig = rig_open_topo(
		"[fabric]\n[switches]\ns = 4 ports\nt = 4 ports\n[endpoints]\na = 0\nb = 1\n"
		"[links]\na = s.0\nb = t.0\ns.1 = t.1\n");
	struct rig_dev *a = &rig->d[0];
	struct null_shared *sh = a->dev->fab->sh;

	(void)state;
	rig_ibwin(&rig->d[1], 0, 0x10000, 0x1000, 0x8000);
	assert_int_equal(dma_code(a, TSI721_RTYPE_NREAD, 1), 0);
	wr(a, 1, 1, IDT_BCAST_DEV_RTE(1), 1);
	assert_int_equal(dma_code(a, TSI721_RTYPE_NREAD, 1), NULL_ABORT_TIMEOUT);
	assert_true(atomic_load(&sh->sw[0].ttl_drops) + atomic_load(&sh->sw[1].ttl_drops) > 0);
	/* By hop count both switches are still there, many times. */
	assert_int_equal(rd(a, 1, 6, RIO_SWP_INFO_CAR), 4 << 8 | 1);
	rig_close(rig);
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
		cmocka_unit_test(walk_pair),
		cmocka_unit_test(walk_star),
		cmocka_unit_test(walk_two),
		cmocka_unit_test(walk_ring),
		cmocka_unit_test(preset_hops),
		cmocka_unit_test(redundant_path),
		cmocka_unit_test(circle),
	};

	return cmocka_run_group_tests_name("null_switch", tests, NULL, NULL);
}
