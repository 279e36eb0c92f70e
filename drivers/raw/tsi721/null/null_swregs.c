/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Maintenance space of a CPS-1848: one table of its registers, and what accesses do. */

#include "null_route.h"

#define PEF		(RIO_PEF_SWITCH | RIO_PEF_EXT_RT | RIO_PEF_STD_RT | RIO_PEF_CTLS | \
			 RIO_PEF_EXT_FEATURES)
#define SP_BASE		0x100u
#define CTL_RESET	(RIO_PORT_N_CTL_PWIDTH_4 | RIO_PORT_N_CTL_EN_TX | RIO_PORT_N_CTL_EN_RX | \
			 RIO_PORT_N_CTL_P_TYP_SER)
#define CTL_RW		(RIO_PORT_N_CTL_PORT_DIS | RIO_PORT_N_CTL_EN_TX | RIO_PORT_N_CTL_EN_RX | \
			 RIO_PORT_N_CTL_LOCKOUT | 0x000a000cu)
#define ERR_STS_STICKY	(RIO_PORT_N_ERR_STS_OUT_ES | RIO_PORT_N_ERR_STS_INP_ES | \
			 RIO_PORT_N_ERR_STS_PW_PEND | RIO_PORT_N_ERR_STS_PORT_ERR)
#define LSTAT_OK	0x10u
#define LINKTO_RESET	0xffffff00u
#define RT_LIMIT	0xffu
#define EXT_ENTRIES	4u

typedef const struct null_sw_at *at_t;

/* ---- handlers ---- */

static uint32_t
swp_info_read(at_t at, uint32_t i)
{
	(void)i;
	return (uint32_t)atomic_load(&at->sw->nb_ports) << 8 | at->in_port;
}

static void
host_lock_write(at_t at, uint32_t i, uint32_t val)
{
	(void)i;
	null_host_lock_write(&at->sw->host_lock, val);
}

/* What 0x70 and the port select address: entry `step` from there. False: beyond the table. */
static bool
selected(at_t at, uint32_t step, bool *dom, uint32_t *index)
{
	uint32_t sel = atomic_load(&at->sw->rte_destid), msb = (sel & IDT_RTE_DESTID_MSB) >> 8;

	*dom = !null_switch_local(at->sw, msb);
	*index = (*dom ? msb : sel & IDT_RTE_DESTID_LSB) + step;
	return *index < 256;
}

static struct null_sw_tables *
selected_tables(at_t at, uint32_t *port)
{
	uint32_t sel = atomic_load(&at->sw->rte_port_sel);

	*port = sel == 0 ? NULL_SW_ALL : sel - 1;
	if (sel != 0 && *port >= atomic_load(&at->sw->nb_ports))
		return NULL;
	return null_switch_tables(at->sw, *port);
}

static uint32_t
ext_entries(at_t at)
{
	return (atomic_load(&at->sw->rte_destid) & RIO_STD_RTE_CONF_EXTCFGEN) != 0 ?
		EXT_ENTRIES : 1;
}

static void
rte_port_write(at_t at, uint32_t i, uint32_t val)
{
	uint32_t step, index, port;
	bool dom;

	(void)i;
	if (selected_tables(at, &port) == NULL)
		return;
	for (step = 0; step < ext_entries(at); step++)
		if (selected(at, step, &dom, &index))
			null_switch_route_set(at->sw, port, dom, index,
					      null_switch_rte(val >> 8 * step & 0xff));
	null_fabric_changed(at->fab);
}

static uint32_t
rte_port_read(at_t at, uint32_t i)
{
	uint32_t step, index, port, val = 0;
	const struct null_sw_tables *rt = selected_tables(at, &port);
	bool dom;

	(void)i;
	for (step = 0; rt != NULL && step < ext_entries(at); step++)
		if (selected(at, step, &dom, &index))
			val |= (atomic_load(dom ? &rt->dom[index] : &rt->dev[index]) & 0xffu) <<
			       8 * step;
	return val;
}

/* Registers whose new value changes routes. */
static void
default_port_write(at_t at, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_store(&at->sw->default_port, val);
	null_fabric_changed(at->fab);
}

static void
domain_write(at_t at, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_store(&at->sw->domain, val);
	null_fabric_changed(at->fab);
}

/* Tables, an entry a word: 256 of the device table, 256 of the domain table. */
static void
bcast_rte_write(at_t at, uint32_t i, uint32_t val)
{
	null_switch_route_set(at->sw, NULL_SW_ALL, i >= 256, i % 256, null_switch_rte(val));
	null_fabric_changed(at->fab);
}

static uint32_t
bcast_rte_read(at_t at, uint32_t i)
{
	return atomic_load(i >= 256 ? &at->sw->rt.dom[i % 256] : &at->sw->rt.dev[i]) & 0xffu;
}

static void
port_rte_write(at_t at, uint32_t i, uint32_t val)
{
	uint32_t port = i / 1024, entry = i % 1024;

	if (port >= atomic_load(&at->sw->nb_ports) || entry >= 512)
		return;
	null_switch_route_set(at->sw, port, entry >= 256, entry % 256,
			      null_switch_rte(val));
	null_fabric_changed(at->fab);
}

static uint32_t
port_rte_read(at_t at, uint32_t i)
{
	uint32_t port = i / 1024, entry = i % 1024;
	const struct null_sw_tables *rt;

	if (port >= atomic_load(&at->sw->nb_ports) || entry >= 512)
		return 0;
	rt = null_switch_tables(at->sw, port);
	return atomic_load(entry >= 256 ? &rt->dom[entry % 256] : &rt->dev[entry]) & 0xffu;
}

static uint32_t
sp_header_read(at_t at, uint32_t i)
{
	(void)i;
	return at->sw->em_base << 16 | RIO_EFB_SER_EPF_M1_ID;
}

static const struct null_link *
link_of(at_t at, uint32_t port)
{
	uint16_t link = atomic_load(&at->sw->port[port].link);

	return link != NULL_LINK_NONE ? &at->fab->sh->links[link] : NULL;
}

static bool
link_up(at_t at, uint32_t port)
{
	const struct null_link *link = link_of(at, port);

	return link != NULL && atomic_load(&link->up) != 0;
}

static void
mnt_req_write(at_t at, uint32_t i, uint32_t val)
{
	if (val == RIO_MNT_REQ_CMD_INPUT_STATUS && link_up(at, i))
		atomic_store(&at->sw->port[i].mnt_rsp, RIO_PORT_N_MNT_RSP_RVAL | LSTAT_OK);
}

static uint32_t
mnt_rsp_read(at_t at, uint32_t i)
{
	return atomic_fetch_and(&at->sw->port[i].mnt_rsp, ~RIO_PORT_N_MNT_RSP_RVAL);
}

static uint32_t
ctl2_read(at_t at, uint32_t i)
{
	const struct null_link *link = link_of(at, i);

	return link != NULL ? null_link_baud_code(link) << RIO_PORT_N_CTL2_SEL_BAUD_SHIFT : 0;
}

static uint32_t
err_sts_read(at_t at, uint32_t i)
{
	return (atomic_load(&at->sw->port[i].err_sts) & ERR_STS_STICKY) |
	       (link_up(at, i) ? RIO_PORT_N_ERR_STS_PORT_OK : RIO_PORT_N_ERR_STS_PORT_UNINIT);
}

static uint32_t
ctl_read(at_t at, uint32_t i)
{
	const struct null_link *link = link_of(at, i);

	return (atomic_load(&at->sw->port[i].ctl) & ~RIO_PORT_N_CTL_IPW) |
	       (link != NULL ? null_link_ipw(link) << RIO_PORT_N_CTL_IPW_SHIFT : 0);
}

static void
ctl_write(at_t at, uint32_t i, uint32_t val)
{
	uint16_t link = atomic_load(&at->sw->port[i].link);

	atomic_store(&at->sw->port[i].ctl, val);
	null_fabric_changed(at->fab);
	if (link != NULL_LINK_NONE)
		null_link_judge(at->fab, link);
}

/* A counter that a read clears. */
static uint32_t
drop_rx_read(at_t at, uint32_t i)
{
	return atomic_exchange(&at->sw->port[i].drop_rx, 0);
}

static uint32_t
drop_tx_read(at_t at, uint32_t i)
{
	return atomic_exchange(&at->sw->port[i].drop_tx, 0);
}

/* Broadcast registers: what is written is stored in all ports, or lanes. */
#define BCAST(name, array, nb, member) \
static void \
name##_bc_write(at_t at, uint32_t i, uint32_t val) \
{ \
	for (i = 0; i < (nb); i++) \
		atomic_store(&at->sw->array[i] member, val); \
}
BCAST(report_en, port, NULL_SW_PORT_MAX, .report_en)
BCAST(is_report_en, port, NULL_SW_PORT_MAX, .is_report_en)
BCAST(is_rate_en, port, NULL_SW_PORT_MAX, .is_rate_en)
BCAST(is_det, port, NULL_SW_PORT_MAX, .is_det)
BCAST(ops, port, NULL_SW_PORT_MAX, .ops)
BCAST(lane_ctl, lane_ctl, NULL_SW_LANES, )

/* The whole switch begins anew, and its links retrain. */
static void
soft_reset_write(at_t at, uint32_t i, uint32_t val)
{
	uint32_t port;
	uint16_t link;

	(void)i;
	if (val != IDT_SOFT_RESET_REQ)
		return;
	null_switch_reset(at->sw);
	null_fabric_changed(at->fab);
	for (port = 0; port < atomic_load(&at->sw->nb_ports); port++) {
		link = atomic_load(&at->sw->port[port].link);
		if (link != NULL_LINK_NONE)
			null_link_judge(at->fab, link);
	}
}

/* ---- table ---- */

#define STATE(m)	.state = offsetof(struct null_switch, m)
#define PORT(m)		.state = offsetof(struct null_switch, port[0].m), \
			.state_stride = sizeof(struct null_sw_port), .per_port = true, \
			.count = NULL_SW_PORT_MAX
#define NONE		.state = NULL_SW_NO_STATE
#define ROW(n, o)	.name = n, .off = o, .count = 1
#define PROW(n, f)	.name = n, .off = f(0), .stride = f(1) - f(0)
#define CONST(n, o, v)	{ ROW(n, o), NONE, .reset = v }
#define RW(n, o, m, w)	{ ROW(n, o), STATE(m), .wmask = w }
#define BC(n, o, w, f)	{ ROW(n, o), NONE, .wmask = w, .write = f }
#define ALL		0xffffffffu
#define SP(r)		(SP_BASE + (r))
#define SPN(n, f)	.name = n, .off = SP(f(0)), .stride = f(1) - f(0)

static const struct null_sw_reg regs[] = {
	CONST("DEV_ID", RIO_DEV_ID_CAR, IDT_CPS1848_DEVICE_ID << 16 | IDT_VENDOR_ID),
	CONST("DEV_INFO", RIO_DEV_INFO_CAR, 0),
	CONST("ASM_ID", RIO_ASM_ID_CAR, 0),
	CONST("ASM_INFO", RIO_ASM_INFO_CAR, SP_BASE),
	CONST("PEF", RIO_PEF_CAR, PEF),
	{ ROW("SWP_INFO", RIO_SWP_INFO_CAR), NONE, .read = swp_info_read },
	CONST("SRC_OPS", RIO_SRC_OPS_CAR, RIO_OPS_PORT_WRITE),
	CONST("DST_OPS", RIO_DST_OPS_CAR, 0),
	CONST("RT_LIMIT", RIO_SWITCH_RT_LIMIT_CAR, RT_LIMIT),
	{ ROW("HOST_DID_LOCK", RIO_HOST_DID_LOCK_CSR), STATE(host_lock),
	  .reset = RIO_HOST_DID_LOCK_FREE, .wmask = 0xffff, .write = host_lock_write },
	RW("COMPONENT_TAG", RIO_COMPONENT_TAG_CSR, comp_tag, ALL),
	RW("RTE_DESTID", RIO_STD_RTE_CONF_DESTID_SEL_CSR, rte_destid,
	   RIO_STD_RTE_CONF_EXTCFGEN | IDT_RTE_DESTID_MSB | IDT_RTE_DESTID_LSB),
	{ ROW("RTE_PORT", RIO_STD_RTE_CONF_PORT_SEL_CSR), NONE, .wmask = ALL,
	  .read = rte_port_read, .write = rte_port_write },
	{ ROW("RTE_DEFAULT_PORT", RIO_STD_RTE_DEFAULT_PORT_CSR), STATE(default_port),
	  .reset = IDT_RTE_NO_ROUTE, .wmask = 0xff, .write = default_port_write },

	{ ROW("SP_HEADER", SP(RIO_PORT_MNT_HEADER)), NONE, .read = sp_header_read },
	{ ROW("SP_LINKTO_CTL", SP(RIO_PORT_LINKTO_CTL_CSR)), STATE(linkto_ctl),
	  .reset = LINKTO_RESET, .wmask = LINKTO_RESET },
	RW("SP_GEN_CTL", SP(RIO_PORT_GEN_CTL_CSR), gen_ctl, RIO_PORT_GEN_DISCOVERED),
	{ SPN("SP_MNT_REQ", RIO_PORT_N_MNT_REQ_CSR), NONE, .per_port = true,
	  .count = NULL_SW_PORT_MAX, .wmask = 0x7, .write = mnt_req_write },
	{ SPN("SP_MNT_RSP", RIO_PORT_N_MNT_RSP_CSR), PORT(mnt_rsp), .read_clears = true,
	  .read = mnt_rsp_read },
	{ SPN("SP_ACK_STS", RIO_PORT_N_ACK_STS_CSR), PORT(ack_sts), .wmask = 0x3f003f3f },
	{ SPN("SP_CTL2", RIO_PORT_N_CTL2_CSR), NONE, .per_port = true,
	  .count = NULL_SW_PORT_MAX, .read = ctl2_read },
	{ SPN("SP_ERR_STS", RIO_PORT_N_ERR_STS_CSR), PORT(err_sts), .w1c = true,
	  .wmask = ERR_STS_STICKY, .read = err_sts_read },
	{ SPN("SP_CTL", RIO_PORT_N_CTL_CSR), PORT(ctl), .reset = CTL_RESET, .wmask = CTL_RW,
	  .read = ctl_read, .write = ctl_write },

	{ ROW("EM_HEADER", RIO_EM_EFB_HEADER), NONE, .em = true, .reset = RIO_EFB_ERR_MGMNT_ID },
	{ ROW("EM_LTL_ERR_DETECT", RIO_EM_LTL_ERR_DETECT), STATE(ltl_det), .em = true,
	  .wmask = ALL },
	{ ROW("EM_LTL_ERR_EN", RIO_EM_LTL_ERR_EN), STATE(ltl_en), .em = true, .wmask = ALL },
	{ ROW("EM_LTL_DEVID_CAP", RIO_EM_LTL_DEVID_CAP), STATE(ltl_devid_cap), .em = true,
	  .wmask = ALL },
	{ ROW("EM_LTL_CTRL_CAP", RIO_EM_LTL_CTRL_CAP), STATE(ltl_ctrl_cap), .em = true,
	  .wmask = 0xff0000ff },
	{ ROW("EM_PW_TGT_DEVID", RIO_EM_PW_TGT_DEVID), STATE(pw_tgt), .em = true,
	  .wmask = RIO_EM_PW_TGT_DEVID_D16M | RIO_EM_PW_TGT_DEVID_D8 |
		   RIO_EM_PW_TGT_DEVID_DEV16 },
	{ ROW("EM_PKT_TTL", RIO_EM_PKT_TTL), STATE(pkt_ttl), .em = true, .wmask = 0xffff0000 },
	{ PROW("EM_PN_ERR_DETECT", RIO_EM_PN_ERR_DETECT), PORT(err_det), .em = true,
	  .wmask = ALL },
	{ PROW("EM_PN_ERRRATE_EN", RIO_EM_PN_ERRRATE_EN), PORT(err_rate_en), .em = true,
	  .wmask = ALL },
	{ PROW("EM_PN_ATTRIB_CAP", RIO_EM_PN_ATTRIB_CAP), NONE, .em = true, .per_port = true,
	  .count = NULL_SW_PORT_MAX },
	{ PROW("EM_PN_ERRRATE", RIO_EM_PN_ERRRATE), PORT(err_rate), .em = true,
	  .wmask = 0xff03ffff },
	{ PROW("EM_PN_ERRRATE_TR", RIO_EM_PN_ERRRATE_TR), PORT(err_rate_tr), .em = true,
	  .wmask = 0xffff0000 },

	/* Whose tables 0x70 and 0x74 mean. */
	RW("RTE_PORT_SEL", IDT_RTE_DESTID_SEL, rte_port_sel, 0xff),
	{ .name = "BCAST_RTE", .off = IDT_BCAST_DEV_RTE(0), .count = 512, .stride = 4, NONE,
	  .wmask = 0xff, .read = bcast_rte_read, .write = bcast_rte_write },
	{ .name = "PORT_RTE", .off = IDT_PORT_DEV_RTE(0, 0), .count = IDT_PORT_RTE_PORTS * 1024,
	  .stride = 4, NONE, .wmask = 0xff, .read = port_rte_read, .write = port_rte_write },

	RW("AUX_PORT_ERR_CAP_EN", IDT_AUX_PORT_ERR_CAP_EN, aux_cap_en, 0x3),
	RW("CFGBLK_ERR_CAPTURE_EN", IDT_CFGBLK_ERR_CAPTURE_EN, cfg_cap_en, ALL),
	RW("ISLTL_ADDRESS_CAP", IDT_ISLTL_ADDRESS_CAP, is_ltl_addr_cap, ALL),
	RW("LT_ERR_REPORT_EN", IDT_LT_ERR_REPORT_EN, lt_report_en, ALL),
	{ PROW("PORT_ERR_REPORT_EN", IDT_PORT_ERR_REPORT_EN), PORT(report_en), .wmask = ALL },
	{ PROW("PORT_ISERR_REPORT_EN", IDT_PORT_ISERR_REPORT_EN), PORT(is_report_en),
	  .wmask = ALL },
	BC("PORT_ERR_REPORT_EN_BC", IDT_PORT_ERR_REPORT_EN_BC, ALL, report_en_bc_write),
	BC("PORT_ISERR_REPORT_EN_BC", IDT_PORT_ISERR_REPORT_EN_BC, ALL, is_report_en_bc_write),
	BC("LANE_ERR_REPORT_EN_BC", IDT_LANE_ERR_REPORT_EN_BC, ALL, NULL),

	RW("DEV_CTRL_1", IDT_DEV_CTRL_1, dev_ctl1, 0x7601b03f),
	RW("CFGBLK_ERR_REPORT", IDT_CFGBLK_ERR_REPORT, cfg_report, 0x7),
	RW("AUX_ERR_REPORT_EN", IDT_AUX_ERR_REPORT_EN, aux_report_en, 0x3),
	{ ROW("RIO_DOMAIN", IDT_RIO_DOMAIN), STATE(domain), .wmask = IDT_RIO_DOMAIN_MASK,
	  .write = domain_write },
	RW("PW_INFO", IDT_PW_INFO_CSR, pw_ctl, 0xffffe000),
	{ ROW("SOFT_RESET", IDT_SOFT_RESET), NONE, .wmask = ALL, .write = soft_reset_write },
	RW("I2C_MCTRL", IDT_I2C_MCTRL, i2c_ctl, 0x0e7f0bff),
	RW("JTAG_CTRL", IDT_JTAG_CTRL, jtag_ctl, 0x6),
	{ PROW("PORT_OPS", IDT_PORT_OPS), PORT(ops), .wmask = 0x3ffbfffe },
	{ PROW("PORT_ISERR_DET", IDT_PORT_ISERR_DET), PORT(is_det), .wmask = ALL },
	{ PROW("PORT_ISERR_RATE_EN", IDT_PORT_ISERR_RATE_EN), PORT(is_rate_en), .wmask = ALL },
	{ PROW("PORT_DROP_RX", IDT_PORT_DROP_RX), PORT(drop_rx), .read_clears = true,
	  .read = drop_rx_read },
	{ PROW("PORT_DROP_TX", IDT_PORT_DROP_TX), PORT(drop_tx), .read_clears = true,
	  .read = drop_tx_read },
	BC("PORT_OPS_BC", IDT_PORT_OPS_BC, 0x3ffbfffe, ops_bc_write),
	BC("PORT_ISERR_DET_BC", IDT_PORT_ISERR_DET_BC, ALL, is_det_bc_write),
	BC("PORT_ISERR_RATE_EN_BC", IDT_PORT_ISERR_RATE_EN_BC, ALL, is_rate_en_bc_write),
	RW("ERR_CAP", IDT_ERR_CAP, log_ctl, ALL),
	CONST("ERR_RD", IDT_ERR_RD, 0),
	{ PROW("LANE_CTRL", IDT_LANE_CTRL), .count = NULL_SW_LANES, .wmask = ALL,
	  .state = offsetof(struct null_switch, lane_ctl[0]), .state_stride = 4 },
	BC("LANE_CTRL_BC", IDT_LANE_CTRL_BC, ALL, lane_ctl_bc_write),
	BC("LANE_DFE_1_BC", IDT_LANE_DFE_1_BC, ALL, NULL),
	BC("LANE_DFE_2_BC", IDT_LANE_DFE_2_BC, ALL, NULL),
};
#define NB_REGS		(sizeof(regs) / sizeof(regs[0]))

const struct null_sw_reg *
null_switch_reg_row(unsigned int n)
{
	return n < NB_REGS ? &regs[n] : NULL;
}

_Atomic uint32_t *
null_switch_reg_state(struct null_switch *sw, const struct null_sw_reg *reg, uint32_t i)
{
	return (_Atomic uint32_t *)((char *)sw + reg->state + i * reg->state_stride);
}

static bool
in_row(const struct null_switch *sw, const struct null_sw_reg *reg, uint32_t off, uint32_t *i)
{
	uint32_t base = reg->off + (reg->em ? sw->em_base : 0);
	uint32_t count = reg->per_port ? atomic_load(&sw->nb_ports) : reg->count;

	if (off < base)
		return false;
	*i = reg->stride != 0 ? (off - base) / reg->stride : 0;
	return *i < count && off == base + *i * reg->stride;
}

const struct null_sw_reg *
null_switch_reg_find(const struct null_switch *sw, uint32_t off, uint32_t *i)
{
	unsigned int n;

	for (n = 0; n < NB_REGS; n++)
		if (in_row(sw, &regs[n], off, i))
			return &regs[n];
	return NULL;
}

/* ---- accesses ---- */

uint32_t
null_switch_reg_peek(const struct null_sw_at *at, const struct null_sw_reg *reg, uint32_t i)
{
	if (reg->read != NULL && !reg->read_clears)
		return reg->read(at, i);
	return reg->state == NULL_SW_NO_STATE ? reg->reset :
	       atomic_load(null_switch_reg_state(at->sw, reg, i));
}

static uint32_t
reg_read(const struct null_sw_at *at, const struct null_sw_reg *reg, uint32_t i)
{
	return reg->read_clears ? reg->read(at, i) : null_switch_reg_peek(at, reg, i);
}

static void
reg_write(const struct null_sw_at *at, const struct null_sw_reg *reg, uint32_t i, uint32_t val)
{
	_Atomic uint32_t *state;

	val &= reg->wmask;
	if (reg->state == NULL_SW_NO_STATE) {
		if (reg->write != NULL)
			reg->write(at, i, val);
		return;
	}
	state = null_switch_reg_state(at->sw, reg, i);
	if (reg->w1c) {
		atomic_fetch_and(state, ~val);
		return;
	}
	val |= atomic_load(state) & ~reg->wmask;
	if (reg->write != NULL)
		reg->write(at, i, val);
	else if (reg->wmask != 0)
		atomic_store(state, val);
}

enum null_resp
null_switch_maint(struct null_fabric *fab, uint32_t sw, uint32_t in_port, bool write,
		  uint32_t off, uint32_t *val)
{
	struct null_sw_at at = { .fab = fab, .sw = &fab->sh->sw[sw], .in_port = in_port };
	const struct null_sw_reg *reg;
	uint32_t i;

	if (off >= RIO_MAINT_SPACE_SIZE || off % 4 != 0)
		return NULL_RESP_ERROR;
	reg = null_switch_reg_find(at.sw, off, &i);
	if (reg == NULL) {
		atomic_fetch_add(write ? &at.sw->unknown_writes : &at.sw->unknown_reads, 1);
		if (!write)
			*val = 0;
	} else if (write) {
		reg_write(&at, reg, i, *val);
	} else {
		*val = reg_read(&at, reg, i);
	}
	return NULL_RESP_DONE;
}
