/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* What a device is told when it is new, and a port when its link comes or goes. */

#include "rio_enum_priv.h"

#define DISCOVERED	(RIO_PORT_GEN_MASTER | RIO_PORT_GEN_DISCOVERED)
/* Port errors worth a port-write: loss of the link, and what only IDT reports. */
#define IDT_REPORTS	(RIO_EM_PED_IMPL_SPEC | RIO_EM_PED_LINK_TO)
#define IDT_IS_REPORTS	(IDT_PORT_INIT_TX_ACQUIRED | IDT_PORT_ISERR_WIDTH | IDT_PORT_ISERR_LOA)

/* Read, change, and write only when that changes something. */
static int
update(struct rio_enum *e, struct rio_dev *dev, uint32_t off, uint32_t clear, uint32_t set,
       uint32_t *was)
{
	uint32_t val;
	int ret = rio_dev_read(e, dev, off, &val);

	if (ret != 0)
		return ret;
	if (was != NULL)
		*was = val;
	if (((val & ~clear) | set) == val)
		return 0;
	return rio_dev_write(e, dev, off, (val & ~clear) | set);
}

/* --- ports --- */

void
rio_link_width(uint32_t ctl, uint32_t ctl2, struct rio_port *port)
{
	static const uint16_t mbaud[] = { 0, 1250, 2500, 3125, 5000, 6250 };
	static const uint8_t lanes[] = { 1, 1, 4, 2 };
	uint32_t ipw = (ctl & RIO_PORT_N_CTL_IPW) >> RIO_PORT_N_CTL_IPW_SHIFT;

	ctl2 = (ctl2 & RIO_PORT_N_CTL2_SEL_BAUD) >> RIO_PORT_N_CTL2_SEL_BAUD_SHIFT;
	port->lanes = ipw < sizeof(lanes) ? lanes[ipw] : 0;
	port->mbaud = ctl2 < sizeof(mbaud) / sizeof(mbaud[0]) ? mbaud[ctl2] : 0;
}

int
rio_setup_port_up(struct rio_enum *e, struct rio_dev *dev, uint32_t port)
{
	struct rio_port *p = &dev->port[port];
	uint32_t ctl, ctl2;
	int ret;

	if (dev->sp == 0)
		return 0;
	ret = update(e, dev, dev->sp + RIO_PORT_N_CTL_CSR(port), RIO_PORT_N_CTL_LOCKOUT,
		     RIO_PORT_N_CTL_EN_TX | RIO_PORT_N_CTL_EN_RX, &ctl);
	if (ret == 0)
		ret = rio_dev_read(e, dev, dev->sp + RIO_PORT_N_CTL2_CSR(port), &ctl2);
	if (ret != 0)
		return ret;
	rio_link_width(ctl, ctl2, p);
	p->lockout = false;
	p->ready = true;
	e->changed = true;
	return 0;
}

int
rio_setup_port_down(struct rio_enum *e, struct rio_dev *sw, uint32_t port)
{
	struct rio_port *p = &sw->port[port];
	int ret;

	p->ready = false;
	p->lanes = 0;
	if (p->lockout || sw->sp == 0 || sw->em == 0)
		return 0;
	ret = update(e, sw, sw->sp + RIO_PORT_N_CTL_CSR(port), 0, RIO_PORT_N_CTL_LOCKOUT, NULL);
	p->lockout = ret == 0;
	return ret;
}

/* --- devices --- */

static int
write_all(struct rio_enum *e, struct rio_dev *dev, const uint32_t (*reg)[2], uint32_t nb)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < nb && ret == 0; i++)
		ret = rio_dev_write(e, dev, reg[i][0], reg[i][1]);
	return ret;
}

/* What a CPS-1848 reports, and that it does. */
static int
setup_idt(struct rio_enum *e, struct rio_dev *sw)
{
	static const uint32_t regs[][2] = {
		{ IDT_RIO_DOMAIN, 0 },
		{ IDT_PORT_ISERR_DET_BC, 0 },
		{ IDT_PORT_ERR_REPORT_EN_BC, IDT_REPORTS },
		{ IDT_PORT_ISERR_REPORT_EN_BC, IDT_IS_REPORTS },
		{ IDT_LANE_ERR_REPORT_EN_BC, 0 },
		{ IDT_PORT_OPS_BC, IDT_PORT_OPS_GENPW | IDT_PORT_OPS_PL_ELOG |
				   IDT_PORT_OPS_LL_ELOG | IDT_PORT_OPS_LT_ELOG },
	};
	int ret = write_all(e, sw, regs, sizeof(regs) / sizeof(regs[0]));
	uint32_t port;

	for (port = 0; port < sw->nb_ports && ret == 0 && sw->em != 0; port++)
		ret = rio_dev_write(e, sw, sw->em + RIO_EM_PN_ERR_DETECT(port), 0);
	if (ret != 0)
		return ret;
	return update(e, sw, IDT_DEV_CTRL_1, 0, IDT_DEV_CTRL_1_GENPW | IDT_DEV_CTRL_1_PRSTBEH,
		      NULL);
}

int
rio_setup_switch(struct rio_enum *e, struct rio_dev *sw)
{
	uint32_t tgt = (uint32_t)e->conf.hdid << 16 |
		       (e->conf.sys16 ? RIO_EM_PW_TGT_DEVID_DEV16 : 0);
	int ret = 0;

	if (!sw->indirect)
		ret = rio_dev_write(e, sw, RIO_STD_RTE_DEFAULT_PORT_CSR, IDT_RTE_NO_ROUTE);
	if (ret == 0 && sw->em != 0 && (sw->src_ops & RIO_OPS_PORT_WRITE) != 0)
		ret = rio_dev_write(e, sw, sw->em + RIO_EM_PW_TGT_DEVID, tgt);
	if (ret == 0 && !sw->indirect)
		ret = setup_idt(e, sw);
	return ret;
}

int
rio_setup_endpoint(struct rio_enum *e, struct rio_dev *ep)
{
	int ret = rio_dev_write(e, ep, RIO_DID_CSR, rio_did_csr(e, ep->destid));
	uint32_t val;

	/* It has to stick: a device that keeps another ID is none that could be reached. */
	if (ret == 0)
		ret = rio_dev_read(e, ep, RIO_DID_CSR, &val);
	if (ret == 0 && rio_did_get(e, val) != ep->destid)
		ret = -1;
	if (ret == 0)
		ret = rio_setup_port_up(e, ep, 0);
	return ret;
}

int
rio_setup_discovered(struct rio_enum *e, struct rio_dev *dev)
{
	uint32_t host = dev == &e->g.dev[0] ? RIO_PORT_GEN_HOST : 0;

	if (dev->sp == 0)
		return 0;
	/* Another one that thinks it is the host is so no more. */
	return update(e, dev, dev->sp + RIO_PORT_GEN_CTL_CSR, RIO_PORT_GEN_HOST & ~host,
		      DISCOVERED | host, NULL);
}
