/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIO_REGS_H
#define RIO_REGS_H

/*
 * Registers that the RapidIO specification (2.1) defines for every device, and
 * those of the IDT CPS-1848 family of switches. Offsets are in a device's
 * maintenance space; on the Tsi721 the same space begins at BAR0 + 0.
 * Definitions only: the driver, the null device and the tests share them.
 */

#define RIO_MAINT_SPACE_SIZE		0x1000000u
#define RIO_ANY_DESTID_8		0xffu
#define RIO_ANY_DESTID_16		0xffffu
#define RIO_HOP_ENDPOINT		0xffu	/* hop count that no switch reaches zero with */

/* Part I, III: capability registers (CARs), read-only. */
#define RIO_DEV_ID_CAR			0x00u
#define   RIO_DEV_ID_DEVICE		0xffff0000u
#define   RIO_DEV_ID_VENDOR		0x0000ffffu
#define RIO_DEV_INFO_CAR		0x04u
#define RIO_ASM_ID_CAR			0x08u
#define RIO_ASM_INFO_CAR		0x0cu
#define   RIO_ASM_INFO_EF_PTR		0x0000ffffu
#define RIO_PEF_CAR			0x10u
#define   RIO_PEF_BRIDGE		0x80000000u
#define   RIO_PEF_MEMORY		0x40000000u
#define   RIO_PEF_PROCESSOR		0x20000000u
#define   RIO_PEF_SWITCH		0x10000000u
#define   RIO_PEF_MULTIPORT		0x08000000u
#define   RIO_PEF_EXT_RT		0x00000200u
#define   RIO_PEF_STD_RT		0x00000100u
#define   RIO_PEF_CTLS			0x00000010u	/* 16-bit destination IDs */
#define   RIO_PEF_EXT_FEATURES		0x00000008u
#define   RIO_PEF_ADDR_66		0x00000004u
#define   RIO_PEF_ADDR_50		0x00000002u
#define   RIO_PEF_ADDR_34		0x00000001u
#define RIO_SWP_INFO_CAR		0x14u
#define   RIO_SWP_INFO_PORT_TOTAL	0x0000ff00u
#define   RIO_SWP_INFO_PORT_NUM		0x000000ffu	/* port the request came in by */
#define RIO_SRC_OPS_CAR			0x18u
#define RIO_DST_OPS_CAR			0x1cu
#define   RIO_OPS_READ			0x00008000u
#define   RIO_OPS_WRITE			0x00004000u
#define   RIO_OPS_STREAM_WRITE		0x00002000u
#define   RIO_OPS_WRITE_RESPONSE	0x00001000u
#define   RIO_OPS_DATA_MSG		0x00000800u
#define   RIO_OPS_DOORBELL		0x00000400u
#define   RIO_OPS_PORT_WRITE		0x00000004u
#define RIO_SWITCH_RT_LIMIT_CAR		0x34u
#define   RIO_RT_MAX_DESTID		0x0000ffffu

/* Part I, III: command and status registers (CSRs). */
#define RIO_PELL_CTRL_CSR		0x4cu
#define   RIO_PELL_ADDR_66		0x00000004u
#define   RIO_PELL_ADDR_50		0x00000002u
#define   RIO_PELL_ADDR_34		0x00000001u
#define RIO_LCSH_BA_CSR			0x58u
#define RIO_LCSL_BA_CSR			0x5cu
#define RIO_DID_CSR			0x60u
#define   RIO_DID_8			0x00ff0000u
#define   RIO_DID_8_SHIFT		16
#define   RIO_DID_16			0x0000ffffu
#define RIO_HOST_DID_LOCK_CSR		0x68u
#define   RIO_HOST_DID_LOCK_FREE	0x0000ffffu
#define RIO_COMPONENT_TAG_CSR		0x6cu
#define RIO_STD_RTE_CONF_DESTID_SEL_CSR	0x70u
#define   RIO_STD_RTE_CONF_EXTCFGEN	0x80000000u
#define RIO_STD_RTE_CONF_PORT_SEL_CSR	0x74u
#define RIO_STD_RTE_DEFAULT_PORT_CSR	0x78u

/* Extended feature blocks: header is next block pointer << 16 | block ID. */
#define RIO_EFB_PTR			0xffff0000u
#define RIO_EFB_ID			0x0000ffffu
#define RIO_EFB_SER_EP_M1_ID		0x0001u
#define RIO_EFB_SER_EPF_M1_ID		0x0003u
#define RIO_EFB_ERR_MGMNT_ID		0x0007u

/* Part VI: LP-Serial block, register map I. Offsets from the block; p is the port. */
#define RIO_PORT_MNT_HEADER		0x00u
#define RIO_PORT_LINKTO_CTL_CSR		0x20u
#define RIO_PORT_RSPTO_CTL_CSR		0x24u
#define RIO_PORT_GEN_CTL_CSR		0x3cu
#define   RIO_PORT_GEN_HOST		0x80000000u
#define   RIO_PORT_GEN_MASTER		0x40000000u
#define   RIO_PORT_GEN_DISCOVERED	0x20000000u
#define RIO_PORT_N_MNT_REQ_CSR(p)	(0x40u + (p) * 0x20u)
#define   RIO_MNT_REQ_CMD_RESET		0x03u
#define   RIO_MNT_REQ_CMD_INPUT_STATUS	0x04u
#define RIO_PORT_N_MNT_RSP_CSR(p)	(0x44u + (p) * 0x20u)
#define   RIO_PORT_N_MNT_RSP_RVAL	0x80000000u
#define   RIO_PORT_N_MNT_RSP_ASTAT	0x000007e0u
#define   RIO_PORT_N_MNT_RSP_LSTAT	0x0000001fu
#define RIO_PORT_N_ACK_STS_CSR(p)	(0x48u + (p) * 0x20u)
#define RIO_PORT_N_CTL2_CSR(p)		(0x54u + (p) * 0x20u)
#define   RIO_PORT_N_CTL2_SEL_BAUD	0xf0000000u
#define   RIO_PORT_N_CTL2_SEL_BAUD_SHIFT 28	/* 1: 1.25, 2: 2.5, 3: 3.125, 4: 5, 5: 6.25 Gbaud */
#define RIO_PORT_N_ERR_STS_CSR(p)	(0x58u + (p) * 0x20u)
#define   RIO_PORT_N_ERR_STS_OUT_ES	0x00010000u
#define   RIO_PORT_N_ERR_STS_INP_ES	0x00000100u
#define   RIO_PORT_N_ERR_STS_PW_PEND	0x00000010u
#define   RIO_PORT_N_ERR_STS_PORT_UA	0x00000008u
#define   RIO_PORT_N_ERR_STS_PORT_ERR	0x00000004u
#define   RIO_PORT_N_ERR_STS_PORT_OK	0x00000002u
#define   RIO_PORT_N_ERR_STS_PORT_UNINIT 0x00000001u
#define RIO_PORT_N_CTL_CSR(p)		(0x5cu + (p) * 0x20u)
#define   RIO_PORT_N_CTL_PWIDTH		0xc0000000u
#define   RIO_PORT_N_CTL_PWIDTH_1	0x00000000u
#define   RIO_PORT_N_CTL_PWIDTH_4	0x40000000u
#define   RIO_PORT_N_CTL_IPW		0x38000000u
#define   RIO_PORT_N_CTL_IPW_SHIFT	27	/* 0: x1 lane 0, 1: x1 lane R, 2: x4, 3: x2 */
#define   RIO_PORT_N_CTL_PORT_DIS	0x00800000u
#define   RIO_PORT_N_CTL_EN_TX		0x00400000u
#define   RIO_PORT_N_CTL_EN_RX		0x00200000u
#define   RIO_PORT_N_CTL_LOCKOUT	0x00000002u
#define   RIO_PORT_N_CTL_P_TYP_SER	0x00000001u

/* Part VIII: error management block. Offsets from the block. */
#define RIO_EM_EFB_HEADER		0x00u
#define RIO_EM_LTL_ERR_DETECT		0x08u
#define RIO_EM_LTL_ERR_EN		0x0cu
#define RIO_EM_LTL_ADDR_CAP		0x14u
#define RIO_EM_LTL_DEVID_CAP		0x18u
#define RIO_EM_LTL_CTRL_CAP		0x1cu
#define RIO_EM_PW_TGT_DEVID		0x28u
#define   RIO_EM_PW_TGT_DEVID_D16M	0xff000000u
#define   RIO_EM_PW_TGT_DEVID_D8	0x00ff0000u
#define   RIO_EM_PW_TGT_DEVID_DEV16	0x00008000u
#define RIO_EM_PKT_TTL			0x2cu
#define RIO_EM_PN_ERR_DETECT(p)		(0x40u + (p) * 0x40u)
#define   RIO_EM_PED_IMPL_SPEC		0x80000000u
#define   RIO_EM_PED_LINK_OK2U		0x40000000u
#define   RIO_EM_PED_LINK_UPDA		0x20000000u
#define   RIO_EM_PED_LINK_U2OK		0x10000000u
#define   RIO_EM_PED_LINK_TO		0x00000001u
#define RIO_EM_PN_ERRRATE_EN(p)		(0x44u + (p) * 0x40u)
#define RIO_EM_PN_ATTRIB_CAP(p)		(0x48u + (p) * 0x40u)
#define RIO_EM_PN_ERRRATE(p)		(0x68u + (p) * 0x40u)
#define RIO_EM_PN_ERRRATE_TR(p)		(0x6cu + (p) * 0x40u)

/* IDT CPS-1848 family: implementation-defined space of a switch. */
#define IDT_VENDOR_ID			0x0038u
#define IDT_CPS1848_DEVICE_ID		0x0374u
#define IDT_CPS1848_PORTS		18u
#define IDT_RTE_DESTID_SEL		0x010070u	/* which port's table 0x70/0x74 address */
#define   IDT_RTE_DESTID_SEL_PSEL	0x0000001fu	/* 0: all ports, n: port n - 1 */
#define   IDT_RTE_DESTID_MSB		0x0000ff00u	/* of 0x70: domain */
#define   IDT_RTE_DESTID_LSB		0x000000ffu
#define   IDT_RTE_DEVICE_TABLE		0xddu	/* domain table: look the lower half up in the device table */
#define   IDT_RTE_DEFAULT_ROUTE		0xdeu
#define   IDT_RTE_NO_ROUTE		0xdfu
#define IDT_BCAST_DEV_RTE(d)		(0xe00000u + (d) * 4u)	/* the tables, an entry a word */
#define IDT_BCAST_DOM_RTE(d)		(0xe00400u + (d) * 4u)
#define IDT_PORT_DEV_RTE(p, d)		(0xe10000u + (p) * 0x1000u + (d) * 4u)
#define IDT_PORT_DOM_RTE(p, d)		(0xe10400u + (p) * 0x1000u + (d) * 4u)
#define IDT_PORT_RTE_PORTS		48u	/* what that space has room for */
#define IDT_LT_ERR_REPORT_EN		0x03100cu
#define IDT_PORT_ERR_REPORT_EN(p)	(0x031044u + (p) * 0x40u)
#define IDT_PORT_ERR_REPORT_EN_BC	0x03ff04u
#define IDT_PORT_ISERR_REPORT_EN(p)	(0x03104cu + (p) * 0x40u)
#define IDT_PORT_ISERR_REPORT_EN_BC	0x03ff0cu
#define IDT_LANE_ERR_REPORT_EN_BC	0x03ff10u
#define IDT_DEV_CTRL_1			0xf2000cu
#define   IDT_DEV_CTRL_1_GENPW		0x02000000u
#define   IDT_DEV_CTRL_1_PRSTBEH	0x00000001u
#define IDT_CFGBLK_ERR_CAPTURE_EN	0x020008u
#define IDT_CFGBLK_ERR_REPORT		0xf20014u
#define   IDT_CFGBLK_ERR_REPORT_GENPW	0x00000002u
#define IDT_AUX_PORT_ERR_CAP_EN		0x020000u
#define IDT_AUX_ERR_REPORT_EN		0xf20018u
#define IDT_ISLTL_ADDRESS_CAP		0x021014u
#define IDT_RIO_DOMAIN			0xf20020u
#define   IDT_RIO_DOMAIN_MASK		0x000000ffu
#define IDT_PW_INFO_CSR			0xf20024u
#define IDT_SOFT_RESET			0xf20040u
#define   IDT_SOFT_RESET_REQ		0x00030097u
#define IDT_I2C_MCTRL			0xf20050u
#define   IDT_I2C_MCTRL_GENPW		0x04000000u
#define IDT_JTAG_CTRL			0xf2005cu
#define   IDT_JTAG_CTRL_GENPW		0x00000002u
#define IDT_LANE_CTRL(l)		(0xff8000u + (l) * 0x100u)
#define IDT_LANE_CTRL_BC		0xffff00u
#define   IDT_LANE_CTRL_GENPW		0x00200000u
#define IDT_LANE_DFE_1_BC		0xffff18u
#define IDT_LANE_DFE_2_BC		0xffff1cu
#define IDT_PORT_OPS(p)			(0xf40004u + (p) * 0x100u)
#define   IDT_PORT_OPS_GENPW		0x08000000u
#define   IDT_PORT_OPS_PL_ELOG		0x00000040u
#define   IDT_PORT_OPS_LL_ELOG		0x00000020u
#define   IDT_PORT_OPS_LT_ELOG		0x00000010u
#define IDT_PORT_OPS_BC			0xf4ff04u
#define IDT_PORT_ISERR_DET(p)		(0xf40008u + (p) * 0x100u)
#define   IDT_PORT_INIT_TX_ACQUIRED	0x00000020u	/* the port is initialised */
#define   IDT_PORT_ISERR_WIDTH		0x00000010u	/* it trained to fewer or more lanes */
#define   IDT_PORT_ISERR_LOA		0x00000004u	/* loss of alignment */
#define IDT_PORT_ISERR_DET_BC		0xf4ff08u
#define IDT_PORT_ISERR_RATE_EN(p)	(0xf4000cu + (p) * 0x100u)
#define IDT_PORT_ISERR_RATE_EN_BC	0xf4ff0cu
#define IDT_PORT_DROP_RX(p)		(0xf40064u + (p) * 0x100u)	/* packets; read clears */
#define IDT_PORT_DROP_TX(p)		(0xf40068u + (p) * 0x100u)
#define IDT_ERR_CAP			0xfd0000u
#define   IDT_ERR_CAP_LOG_OVERWR	0x00000004u
#define IDT_ERR_RD			0xfd0004u

#endif /* RIO_REGS_H */
