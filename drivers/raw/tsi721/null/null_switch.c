/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Switches of the CPS-1848 kind: power-up, routing, link events. Registers: null_swregs.c. */

#include <stdio.h>

#include "null_route.h"

#define EM_BASE		0x1000u
#define EM_BASE_BIG	0x4000u		/* beyond the LP-Serial block of 255 ports */
#define IS_PRESET	(IDT_PORT_INIT_TX_ACQUIRED | IDT_PORT_ISERR_WIDTH)
#define REPORT_PRESET	(RIO_EM_PED_IMPL_SPEC | RIO_EM_PED_LINK_TO)

/* ---- power-up and presets ---- */

static void
tables_clear(struct null_sw_tables *rt)
{
	uint32_t i;

	for (i = 0; i < 256; i++) {
		atomic_store_explicit(&rt->dev[i], NULL_RTE_NONE, memory_order_relaxed);
		atomic_store_explicit(&rt->dom[i], NULL_RTE_NONE, memory_order_relaxed);
	}
}

void
null_switch_init(struct null_switch *sw, struct null_sw_tables *tables, const char *node,
		 uint32_t nb_ports, uint32_t max_ports)
{
	uint32_t i;

	snprintf(sw->node, sizeof(sw->node), "%s", node);
	sw->tables = (uint32_t)((char *)tables - (char *)sw);
	sw->max_ports = max_ports;
	sw->em_base = max_ports > NULL_TOPO_PORT_MAX ? EM_BASE_BIG : EM_BASE;
	atomic_store(&sw->nb_ports, (uint16_t)nb_ports);
	for (i = 0; i < NULL_SW_PORT_MAX; i++)
		atomic_store(&sw->port[i].link, NULL_LINK_NONE);
	null_switch_reset(sw);
}

void
null_switch_reset(struct null_switch *sw)
{
	const struct null_sw_reg *reg;
	uint32_t i, n;

	for (n = 0; (reg = null_switch_reg_row(n)) != NULL; n++)
		for (i = 0; i < reg->count && reg->state != NULL_SW_NO_STATE; i++)
			atomic_store_explicit(null_switch_reg_state(sw, reg, i), reg->reset,
					      memory_order_relaxed);
	tables_clear(&sw->rt);
	for (i = 0; i < sw->max_ports; i++)
		tables_clear(null_switch_tables(sw, i));
}

void
null_switch_preset(struct null_switch *sw, uint32_t comp_tag, uint32_t destid, bool sys16)
{
	uint32_t i;

	atomic_store(&sw->comp_tag, comp_tag);
	atomic_store(&sw->gen_ctl, RIO_PORT_GEN_DISCOVERED);
	atomic_store(&sw->pw_tgt, destid << 16 | (sys16 ? RIO_EM_PW_TGT_DEVID_DEV16 : 0));
	for (i = 0; i < NULL_SW_PORT_MAX; i++) {
		atomic_store(&sw->port[i].err_det, 0);
		atomic_store(&sw->port[i].is_det, 0);
		atomic_store(&sw->port[i].report_en, REPORT_PRESET);
		atomic_store(&sw->port[i].is_report_en, IS_PRESET);
		atomic_store(&sw->port[i].ops, IDT_PORT_OPS_GENPW);
	}
}

/* ---- routing ---- */

static void
table_set(struct null_sw_tables *rt, bool dom, uint32_t index, uint32_t entry)
{
	atomic_store_explicit(dom ? &rt->dom[index] : &rt->dev[index], (uint16_t)entry,
			      memory_order_release);
}

void
null_switch_route_set(struct null_switch *sw, uint32_t port, bool dom, uint32_t index,
		      uint32_t entry)
{
	uint32_t i;

	table_set(null_switch_tables(sw, port), dom, index, entry);
	for (i = 0; port == NULL_SW_ALL && i < sw->max_ports; i++)
		table_set(null_switch_tables(sw, i), dom, index, entry);
}

/* An upper half that is looked up by the lower one. */
bool
null_switch_local(const struct null_switch *sw, uint32_t msb)
{
	return msb == 0 || msb == atomic_load(&sw->domain);
}

uint32_t
null_switch_rte(uint32_t byte)
{
	return byte >= IDT_RTE_DEVICE_TABLE && byte <= IDT_RTE_NO_ROUTE ? 0xff00u | byte : byte;
}

bool
null_switch_route(struct null_switch *sw, uint32_t in_port, uint32_t destid, uint32_t tt,
		  uint32_t *out)
{
	const struct null_sw_tables *rt = null_switch_tables(sw, in_port);
	uint32_t entry = NULL_RTE_DEVICE_TABLE;

	if (tt == TSI721_TT_16 && !null_switch_local(sw, destid >> 8))
		entry = atomic_load_explicit(&rt->dom[destid >> 8 & 0xff], memory_order_acquire);
	if (entry == NULL_RTE_DEVICE_TABLE)
		entry = atomic_load_explicit(&rt->dev[destid & 0xff], memory_order_acquire);
	if (entry == NULL_RTE_DEFAULT)
		entry = null_switch_rte(atomic_load(&sw->default_port));
	*out = entry;
	return entry < atomic_load(&sw->nb_ports);
}

/* ---- link events ---- */

static void
port_write(struct null_fabric *fab, uint32_t index, uint32_t port)
{
	struct null_switch *sw = &fab->sh->sw[index];
	uint32_t tgt = atomic_load(&sw->pw_tgt);
	bool sys16 = (tgt & RIO_EM_PW_TGT_DEVID_DEV16) != 0;
	const uint32_t words[4] = {
		atomic_load(&sw->comp_tag), atomic_load(&sw->port[port].err_det), port,
		atomic_load(&sw->ltl_det),
	};

	atomic_fetch_or(&sw->port[port].err_sts, RIO_PORT_N_ERR_STS_PW_PEND);
	if (null_fabric_portwrite(fab, index, sys16 ? tgt >> 16 : tgt >> 16 & 0xff,
				  sys16 ? TSI721_TT_16 : TSI721_TT_8, words))
		atomic_fetch_add(&sw->pw_sent, 1);
	else
		atomic_fetch_add(&sw->pw_lost, 1);
}

void
null_switch_link_event(struct null_fabric *fab, uint32_t index, uint32_t port, uint32_t was,
		       uint32_t now)
{
	struct null_sw_port *p = &fab->sh->sw[index].port[port];
	uint32_t is = was == 0 ? IDT_PORT_INIT_TX_ACQUIRED :
		      now == 0 ? IDT_PORT_ISERR_LOA : IDT_PORT_ISERR_WIDTH;
	uint32_t det = now == 0 ? RIO_EM_PED_LINK_TO : 0;

	atomic_fetch_or(&p->is_det, is);
	if ((is & atomic_load(&p->is_report_en)) != 0)
		det |= RIO_EM_PED_IMPL_SPEC;
	atomic_fetch_or(&p->err_det, det);
	if ((det & atomic_load(&p->report_en)) != 0 &&
	    (atomic_load(&p->ops) & IDT_PORT_OPS_GENPW) != 0)
		port_write(fab, index, port);
}
