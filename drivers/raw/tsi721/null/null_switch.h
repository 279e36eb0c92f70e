/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_SWITCH_H
#define NULL_SWITCH_H

/*
 * Switches of the CPS-1848 kind: what one remembers (in shared memory), where
 * it sends packets, its maintenance space. Nothing here takes a lock: each
 * register is one atomic word, each table entry one atomic byte.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../rio_regs.h"
#include "null_link.h"

#define NULL_SW_LANES	48u	/* of a CPS-1848 */

/*
 * An entry is a port, or what registers show as IDT_RTE_* with all bits of the
 * upper byte set: a star may have ports of those numbers.
 */
#define NULL_RTE_DEVICE_TABLE	(0xff00u | IDT_RTE_DEVICE_TABLE)
#define NULL_RTE_DEFAULT	(0xff00u | IDT_RTE_DEFAULT_ROUTE)
#define NULL_RTE_NONE		(0xff00u | IDT_RTE_NO_ROUTE)
struct null_sw_tables {
	_Atomic uint16_t dev[256];	/* by 8-bit ID or lower half of a local 16-bit one */
	_Atomic uint16_t dom[256];	/* by upper half */
};

struct null_sw_port {
	_Atomic uint16_t link;		/* index, or NULL_LINK_NONE */
	_Atomic uint32_t ctl, err_sts, ack_sts, mnt_rsp;
	_Atomic uint32_t err_det, err_rate_en, err_rate, err_rate_tr, report_en;
	_Atomic uint32_t is_det, is_rate_en, is_report_en, ops;
	_Atomic uint32_t drop_rx, drop_tx;	/* packets, by why the port could not take or send them */
};

struct null_switch {
	char node[NULL_NAME_LEN];
	_Atomic uint16_t nb_ports;
	uint32_t max_ports;
	uint32_t tables;		/* of port 0, in bytes from here; max_ports of them */
	uint32_t em_base;		/* offset of the error management block */
	struct null_sw_tables rt;	/* global ones: written to all ports, used by its own packets */
	_Atomic uint32_t default_port;
	_Atomic uint32_t comp_tag, host_lock, rte_destid, rte_port_sel;
	_Atomic uint32_t linkto_ctl, gen_ctl;
	_Atomic uint32_t ltl_det, ltl_en, ltl_devid_cap, ltl_ctrl_cap, pw_tgt, pkt_ttl;
	_Atomic uint32_t aux_cap_en, cfg_cap_en, is_ltl_addr_cap, lt_report_en;
	_Atomic uint32_t dev_ctl1, cfg_report, aux_report_en, domain, pw_ctl, i2c_ctl, jtag_ctl;
	_Atomic uint32_t log_ctl, lane_ctl[NULL_SW_LANES];
	_Atomic uint32_t ttl_drops;	/* packets that went in a circle */
	_Atomic uint32_t pw_sent, pw_lost;
	_Atomic uint32_t unknown_reads, unknown_writes;
	struct null_sw_port port[NULL_SW_PORT_MAX];
};

/* Tables for packets that come in by a port; NULL_SW_ALL: the global ones. */
#define NULL_SW_ALL	UINT32_MAX
static inline struct null_sw_tables *
null_switch_tables(struct null_switch *sw, uint32_t port)
{
	if (port == NULL_SW_ALL)
		return &sw->rt;
	return (struct null_sw_tables *)(void *)((char *)sw + sw->tables) + port;
}

/*
 * As after power-up, with nothing linked. `tables`, of max_ports ports, lie behind
 * the switch in the same mapping.
 */
void null_switch_init(struct null_switch *sw, struct null_sw_tables *tables, const char *node,
		      uint32_t nb_ports, uint32_t max_ports);
void null_switch_reset(struct null_switch *sw);
/* As firmware or an enumerator leaves it: port-writes about links go to destid. */
void null_switch_preset(struct null_switch *sw, uint32_t comp_tag, uint32_t destid, bool sys16);
/* An entry of the device or domain table of a port, or of all and the global one. */
void null_switch_route_set(struct null_switch *sw, uint32_t port, bool dom, uint32_t index,
			   uint32_t entry);
/* Entry of a table that a register's byte stands for. */
uint32_t null_switch_rte(uint32_t byte);
/* Packets with this upper half are looked up in the device table. */
bool null_switch_local(const struct null_switch *sw, uint32_t msb);

/*
 * Port for a destination ID: false, it drops the packet. in_port: NULL_SW_ALL
 * for packets of its own, which go by the global tables.
 */
bool null_switch_route(struct null_switch *sw, uint32_t in_port, uint32_t destid, uint32_t tt,
		       uint32_t *out);
/* A port's link trained to another number of lanes: note it, report it. */
void null_switch_link_event(struct null_fabric *fab, uint32_t sw, uint32_t port, uint32_t was,
			    uint32_t now);
/* Maintenance request that came in by in_port. */
enum null_resp null_switch_maint(struct null_fabric *fab, uint32_t sw, uint32_t in_port,
				 bool write, uint32_t off, uint32_t *val);

/*
 * Registers, as struct null_reg is for chips. Of a row `per_port` as many exist
 * as the switch has ports; `em` rows are relative to its em_base.
 */
struct null_sw_at {
	struct null_fabric *fab;
	struct null_switch *sw;
	uint32_t in_port;
};
#define NULL_SW_NO_STATE	UINT32_MAX
struct null_sw_reg {
	const char *name;
	uint32_t off, count, stride;
	uint32_t reset, wmask;
	bool w1c;			/* a written one clears */
	bool read_clears;		/* who only looks, looks at the state */
	bool per_port, em;
	uint32_t state, state_stride;	/* in struct null_switch */
	uint32_t (*read)(const struct null_sw_at *at, uint32_t i);
	void (*write)(const struct null_sw_at *at, uint32_t i, uint32_t val);
};
const struct null_sw_reg *null_switch_reg_find(const struct null_switch *sw, uint32_t off,
					       uint32_t *i);
/* Every row; NULL at the end. */
const struct null_sw_reg *null_switch_reg_row(unsigned int n);
/* What a read gives, without what it does. */
uint32_t null_switch_reg_peek(const struct null_sw_at *at, const struct null_sw_reg *reg,
			      uint32_t i);
_Atomic uint32_t *null_switch_reg_state(struct null_switch *sw, const struct null_sw_reg *reg,
					uint32_t i);

#endif /* NULL_SWITCH_H */
