/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef TSI721_REGS_H
#define TSI721_REGS_H

/*
 * Register map and descriptor layouts of the IDT/Renesas Tsi721 PCIe to
 * RapidIO bridge. Definitions only: the driver and the null device share this
 * file and nothing else. Registers are 32 bits wide and little-endian;
 * offsets are in BAR0 unless said otherwise.
 */

#include <stdint.h>

#include "rio_regs.h"

/* PCI identity and BARs. */
#define TSI721_PCI_VENDOR_ID		0x111du
#define TSI721_PCI_DEVICE_ID		0x80abu
#define TSI721_PCI_CLASS		0x068000u
#define TSI721_RIO_VENDOR_ID		0x0038u
#define TSI721_RIO_DEVICE_ID		0x80abu

#define TSI721_BAR_REGS			0
#define TSI721_BAR_DOORBELL		1
#define TSI721_BAR_WIN0			2
#define TSI721_BAR_WIN1			4
#define TSI721_BAR0_SIZE		0x80000u	/* 512 KiB of registers */
#define TSI721_BAR1_SIZE		0x1000000u	/* 16 MiB of outbound doorbells */

/* PCI configuration space, beyond the standard header. */
#define TSI721_PCIECFG_MSIX_CAP		0x0a0u
#define TSI721_PCIECFG_MSIXTBL		0x0a4u
#define TSI721_PCIECFG_MSIXPBA		0x0a8u
#define TSI721_PCIECFG_EPCTL		0x400u	/* 1: the two offsets above are writable */
#define TSI721_MSIXTBL_OFFSET		0x2c000u
#define TSI721_MSIXPBA_OFFSET		0x2a000u

/* MSI-X vectors. */
#define TSI721_MSIX_DMACH_DONE(ch)	(0u + (ch))
#define TSI721_MSIX_DMACH_INT(ch)	(8u + (ch))
#define TSI721_MSIX_BDMA_INT		16u
#define TSI721_MSIX_OMSG_DONE(ch)	(17u + (ch))
#define TSI721_MSIX_OMSG_INT(ch)	(25u + (ch))
#define TSI721_MSIX_IMSG_DQ_RCV(ch)	(33u + (ch))
#define TSI721_MSIX_IMSG_INT(ch)	(41u + (ch))
#define TSI721_MSIX_MSG_INT		49u
#define TSI721_MSIX_SR2PC_IDBQ_RCV(q)	(50u + (q))
#define TSI721_MSIX_SR2PC_CH_INT(q)	(58u + (q))
#define TSI721_MSIX_SR2PC_INT		66u
#define TSI721_MSIX_PC2SR_INT		67u
#define TSI721_MSIX_SRIO_MAC_INT	68u
#define TSI721_MSIX_I2C_INT		69u
#define TSI721_MSIX_VECTORS		70u

/* BAR1: outbound doorbells; a 16-bit big-endian write of the info field. */
#define TSI721_ODB_OFFSET(tt, destid)	(((uint32_t)(tt) << 18) | ((uint32_t)(destid) << 2))
#define TSI721_TT_8			0u
#define TSI721_TT_16			1u

/* LP-Serial extended features block (see rio_regs.h for its registers). */
#define TSI721_SP_BASE			0x00100u
/* Error management extended features block. */
#define TSI721_EM_BASE			0x01000u

/* Event management and port-write reception. */
#define TSI721_RIO_EM_INT_STAT		0x10910u
#define TSI721_RIO_EM_INT_ENABLE	0x10914u
#define   TSI721_RIO_EM_INT_PW_RX	0x00010000u
#define TSI721_RIO_EM_DEV_INT_EN	0x10930u
#define   TSI721_RIO_EM_DEV_INT_EN_INT	0x00000001u
#define TSI721_RIO_PW_CTL		0x10a04u
#define   TSI721_RIO_PW_CTL_PW_TIMER	0xf0000000u
#define   TSI721_RIO_PW_CTL_PWC_MODE	0x01000000u
#define TSI721_RIO_PW_RX_STAT		0x10a10u
#define   TSI721_RIO_PW_RX_STAT_WR_SIZE	0x0000f000u
#define   TSI721_RIO_PW_RX_STAT_WDPTR	0x00000100u
#define   TSI721_RIO_PW_RX_STAT_PW_SHORT 0x00000008u
#define   TSI721_RIO_PW_RX_STAT_PW_TRUNC 0x00000004u
#define   TSI721_RIO_PW_RX_STAT_PW_DISC	0x00000002u
#define   TSI721_RIO_PW_RX_STAT_PW_VAL	0x00000001u
#define TSI721_RIO_PW_RX_CAPT(w)	(0x10a20u + (w) * 4u)
#define TSI721_RIO_PW_WORDS		4u

/* Inbound doorbell queues. */
#define TSI721_IDQ_NUM			8u
#define TSI721_IDQ_BASE(q)		(0x20000u + (q) * 0x1000u)
#define TSI721_IDQ_CTL(q)		(TSI721_IDQ_BASE(q) + 0x00u)
#define   TSI721_IDQ_CTL_SUSPEND	0x00000002u
#define   TSI721_IDQ_CTL_INIT		0x00000001u
#define TSI721_IDQ_STS(q)		(TSI721_IDQ_BASE(q) + 0x04u)
#define   TSI721_IDQ_STS_RUN		0x00200000u
#define TSI721_IDQ_MASK(q)		(TSI721_IDQ_BASE(q) + 0x08u)
#define   TSI721_IDQ_MASK_MASK		0xffff0000u
#define   TSI721_IDQ_MASK_PATT		0x0000ffffu
#define TSI721_IDQ_RP(q)		(TSI721_IDQ_BASE(q) + 0x0cu)
#define TSI721_IDQ_WP(q)		(TSI721_IDQ_BASE(q) + 0x10u)
#define   TSI721_IDQ_PTR		0x0007ffffu
#define TSI721_IDQ_BASEL(q)		(TSI721_IDQ_BASE(q) + 0x14u)
#define   TSI721_IDQ_BASEL_ADDR		0xffffffc0u
#define TSI721_IDQ_BASEU(q)		(TSI721_IDQ_BASE(q) + 0x18u)
#define TSI721_IDQ_SIZE(q)		(TSI721_IDQ_BASE(q) + 0x1cu)
#define   TSI721_IDQ_SIZE_CODE		0x0000000fu	/* 16 << code entries, 5 to 15 */
#define   TSI721_IDQ_ENTRIES_MIN	512u
#define   TSI721_IDQ_ENTRIES_MAX	(512u * 1024u)
#define TSI721_IDQ_ENTRY_SIZE		64u

/* SRIO to PCIe channel interrupts; outbound doorbell causes are reported here too. */
#define TSI721_SR_CHINT(q)		(TSI721_IDQ_BASE(q) + 0x40u)
#define TSI721_SR_CHINTE(q)		(TSI721_IDQ_BASE(q) + 0x44u)
#define TSI721_SR_CHINTSET(q)		(TSI721_IDQ_BASE(q) + 0x48u)
#define   TSI721_SR_CHINT_ODBOK		0x00000020u
#define   TSI721_SR_CHINT_IDBQRCV	0x00000010u
#define   TSI721_SR_CHINT_SUSP		0x00000008u
#define   TSI721_SR_CHINT_ODBTO		0x00000004u
#define   TSI721_SR_CHINT_ODBRTRY	0x00000002u
#define   TSI721_SR_CHINT_ODBERR	0x00000001u
#define   TSI721_SR_CHINT_ALL		0x0000003fu

/* Inbound windows: RapidIO address to PCIe address. */
#define TSI721_IBWIN_NUM		8u
#define TSI721_IBWIN_LB(w)		(0x29000u + (w) * 0x20u)
#define   TSI721_IBWIN_LB_BA		0xfffff000u
#define   TSI721_IBWIN_LB_WEN		0x00000001u
#define TSI721_IBWIN_UB(w)		(0x29004u + (w) * 0x20u)
#define TSI721_IBWIN_SZ(w)		(0x29008u + (w) * 0x20u)
#define   TSI721_IBWIN_SZ_SIZE		0x00001f00u	/* 4 KiB << code, 0 to 22 */
#define   TSI721_IBWIN_SZ_SIZE_SHIFT	8
#define TSI721_IBWIN_TLA(w)		(0x2900cu + (w) * 0x20u)
#define   TSI721_IBWIN_TLA_ADD		0xfffff000u
#define TSI721_IBWIN_TUA(w)		(0x29010u + (w) * 0x20u)
#define TSI721_IBWIN_SIZE_MIN		0x1000ull
#define TSI721_IBWIN_SIZE_MAX		0x400000000ull

/* SRIO to PCIe general interrupts, device interrupts. */
#define TSI721_SR2PC_GEN_INTE		0x29800u
#define TSI721_SR2PC_PWE		0x29804u
#define TSI721_SR2PC_GEN_INT		0x29808u
#define TSI721_DEV_INTE			0x29840u
#define TSI721_DEV_INT			0x29844u
#define TSI721_DEV_INTSET		0x29848u
#define   TSI721_DEV_INT_BDMA_CH	0x00002000u
#define   TSI721_DEV_INT_BDMA_NCH	0x00001000u
#define   TSI721_DEV_INT_SMSG_CH	0x00000800u
#define   TSI721_DEV_INT_SMSG_NCH	0x00000400u
#define   TSI721_DEV_INT_SR2PC_CH	0x00000200u
#define   TSI721_DEV_INT_SRIO		0x00000020u
#define TSI721_DEV_CHAN_INTE		0x2984cu
#define TSI721_DEV_CHAN_INT		0x29850u
#define   TSI721_INT_SR2PC_CHAN(q)	(1u << (24 + (q)))
#define   TSI721_INT_IMSG_CHAN(ch)	(1u << (16 + (ch)))
#define   TSI721_INT_OMSG_CHAN(ch)	(1u << (8 + (ch)))
#define   TSI721_INT_BDMA_CHAN(ch)	(1u << (ch))

/* Outbound windows: PCIe address (BAR2, BAR4) to RapidIO request. */
#define TSI721_OBWIN_NUM		8u
#define TSI721_OBWIN_ZONES		8u
#define TSI721_OBWIN_LB(w)		(0x40000u + (w) * 0x20u)
#define   TSI721_OBWIN_LB_BA		0xffff8000u
#define   TSI721_OBWIN_LB_WEN		0x00000001u
#define TSI721_OBWIN_UB(w)		(0x40004u + (w) * 0x20u)
#define TSI721_OBWIN_SZ(w)		(0x40008u + (w) * 0x20u)
#define   TSI721_OBWIN_SZ_SIZE		0x00001f00u	/* 32 KiB << code */
#define   TSI721_OBWIN_SZ_SIZE_SHIFT	8
#define TSI721_OBWIN_SIZE_MIN		0x8000ull
#define TSI721_OBWIN_SIZE_MAX		(TSI721_OBWIN_SIZE_MIN << 31)
#define TSI721_ZONE_SEL			0x41300u
#define   TSI721_ZONE_SEL_RD_WRB	0x00020000u	/* 1: LUT to data registers */
#define   TSI721_ZONE_SEL_GO		0x00010000u
#define   TSI721_ZONE_SEL_WIN		0x00000038u
#define   TSI721_ZONE_SEL_WIN_SHIFT	3
#define   TSI721_ZONE_SEL_ZONE		0x00000007u
#define TSI721_LUT_DATA0		0x41304u
#define   TSI721_LUT_DATA0_ADD		0xfffff000u
#define   TSI721_LUT_DATA0_RDTYPE	0x00000f00u
#define   TSI721_LUT_DATA0_NREAD	0x00000100u
#define   TSI721_LUT_DATA0_MNTRD	0x00000200u
#define   TSI721_LUT_DATA0_RDCRF	0x00000020u
#define   TSI721_LUT_DATA0_WRCRF	0x00000010u
#define   TSI721_LUT_DATA0_WRTYPE	0x0000000fu
#define   TSI721_LUT_DATA0_NWR		0x00000001u
#define   TSI721_LUT_DATA0_MNTWR	0x00000002u
#define   TSI721_LUT_DATA0_NWR_R	0x00000004u
#define TSI721_LUT_DATA1		0x41308u
#define TSI721_LUT_DATA2		0x4130cu
#define   TSI721_LUT_DATA2_HC		0xff000000u
#define   TSI721_LUT_DATA2_ADD65	0x000c0000u
#define   TSI721_LUT_DATA2_TT		0x00030000u
#define   TSI721_LUT_DATA2_DSTID	0x0000ffffu
#define TSI721_PC2SR_INTE		0x41310u

/* Device control. */
#define TSI721_DEVCTL			0x48004u
#define   TSI721_DEVCTL_SRBOOT_CMPL	0x00000004u
#define TSI721_I2C_INT_ENABLE		0x49120u

/* Block DMA channels; offsets below are from the channel's base. */
#define TSI721_DMAC_NUM			8u
#define TSI721_DMAC_MAINT		7u	/* by convention: maintenance requests */
#define TSI721_DMAC_BASE(ch)		(0x51000u + (ch) * 0x1000u)
#define TSI721_DMAC_DWRCNT		0x00u
#define TSI721_DMAC_DRDCNT		0x04u
#define TSI721_DMAC_CTL			0x08u
#define   TSI721_DMAC_CTL_SUSP		0x00000002u
#define   TSI721_DMAC_CTL_INIT		0x00000001u
#define TSI721_DMAC_INT			0x0cu
#define   TSI721_DMAC_INT_STFULL	0x00000010u
#define   TSI721_DMAC_INT_DONE		0x00000008u
#define   TSI721_DMAC_INT_SUSP		0x00000004u
#define   TSI721_DMAC_INT_ERR		0x00000002u
#define   TSI721_DMAC_INT_IOFDONE	0x00000001u
#define   TSI721_DMAC_INT_ALL		0x0000001fu
#define TSI721_DMAC_INTSET		0x10u
#define TSI721_DMAC_STS			0x14u
#define   TSI721_DMAC_STS_ABORT		0x00400000u
#define   TSI721_DMAC_STS_RUN		0x00200000u
#define   TSI721_DMAC_STS_CS		0x001f0000u
#define   TSI721_DMAC_STS_CS_SHIFT	16
#define TSI721_DMAC_INTE		0x18u
#define TSI721_DMAC_DPTRL		0x24u
#define   TSI721_DMAC_DPTRL_ADDR	0xffffffe0u
#define TSI721_DMAC_DPTRH		0x28u
#define TSI721_DMAC_DSBL		0x2cu
#define   TSI721_DMAC_DSBL_ADDR		0xffffffc0u
#define TSI721_DMAC_DSBH		0x30u
#define TSI721_DMAC_DSSZ		0x34u
#define   TSI721_DMAC_DSSZ_CODE		0x0000000fu	/* 16 << code lines */
#define TSI721_DMAC_DSRP		0x38u
#define TSI721_DMAC_DSWP		0x3cu
#define   TSI721_DMAC_DSPTR		0x0007ffffu
#define TSI721_BDMA_INTE		0x5f000u

#define TSI721_STS_LINE_SIZE		64u
#define TSI721_STS_LINE_SLOTS		8u

/* Messaging engine, common registers. */
#define TSI721_RQRPTO			0x60010u
#define   TSI721_RQRPTO_MASK		0x00ffffffu
#define TSI721_IB_DEVID			0x60020u
#define   TSI721_IB_DEVID_MASK		0x0000ffffu
#define   TSI721_IB_DEVID_GLOBAL	0x0000ffffu

/* Outbound message channels. */
#define TSI721_OMSG_NUM			8u
#define TSI721_MSG_BASE(ch)		(0x61000u + (ch) * 0x1000u)
#define TSI721_OBDMAC_DWRCNT(ch)	(TSI721_MSG_BASE(ch) + 0x000u)
#define TSI721_OBDMAC_DRDCNT(ch)	(TSI721_MSG_BASE(ch) + 0x004u)
#define TSI721_OBDMAC_CTL(ch)		(TSI721_MSG_BASE(ch) + 0x008u)
#define   TSI721_OBDMAC_CTL_RETRY_THR	0x00000004u
#define   TSI721_OBDMAC_CTL_SUSPEND	0x00000002u
#define   TSI721_OBDMAC_CTL_INIT	0x00000001u
#define TSI721_OBDMAC_INT(ch)		(TSI721_MSG_BASE(ch) + 0x00cu)
#define TSI721_OBDMAC_INTSET(ch)	(TSI721_MSG_BASE(ch) + 0x010u)
#define   TSI721_OBDMAC_INT_ST_FULL	0x00000010u
#define   TSI721_OBDMAC_INT_DONE	0x00000008u
#define   TSI721_OBDMAC_INT_SUSPENDED	0x00000004u
#define   TSI721_OBDMAC_INT_ERROR	0x00000002u
#define   TSI721_OBDMAC_INT_IOF_DONE	0x00000001u
#define   TSI721_OBDMAC_INT_ALL		0x0000001fu
#define TSI721_OBDMAC_STS(ch)		(TSI721_MSG_BASE(ch) + 0x014u)
#define   TSI721_OBDMAC_STS_ABORT	0x00400000u
#define   TSI721_OBDMAC_STS_RUN		0x00200000u
#define   TSI721_OBDMAC_STS_CS		0x001f0000u
#define   TSI721_OBDMAC_STS_CS_SHIFT	16
#define TSI721_OBDMAC_INTE(ch)		(TSI721_MSG_BASE(ch) + 0x018u)
#define TSI721_OBDMAC_PWE(ch)		(TSI721_MSG_BASE(ch) + 0x01cu)
#define TSI721_OBDMAC_DPTRL(ch)		(TSI721_MSG_BASE(ch) + 0x020u)
#define   TSI721_OBDMAC_DPTRL_ADDR	0xfffffff0u
#define TSI721_OBDMAC_DPTRH(ch)		(TSI721_MSG_BASE(ch) + 0x024u)
#define TSI721_OBDMAC_DSBL(ch)		(TSI721_MSG_BASE(ch) + 0x040u)
#define   TSI721_OBDMAC_DSBL_ADDR	0xffffffc0u
#define TSI721_OBDMAC_DSBH(ch)		(TSI721_MSG_BASE(ch) + 0x044u)
#define TSI721_OBDMAC_DSSZ(ch)		(TSI721_MSG_BASE(ch) + 0x048u)
#define TSI721_OBDMAC_DSRP(ch)		(TSI721_MSG_BASE(ch) + 0x04cu)
#define TSI721_OBDMAC_DSWP(ch)		(TSI721_MSG_BASE(ch) + 0x050u)

/* Inbound message channels. Mailbox m arrives on channel m + 4. */
#define TSI721_IMSG_NUM			8u
#define TSI721_IMSG_CHAN(mbox)		((mbox) + 4u)
#define TSI721_IBDMAC_FQBL(ch)		(TSI721_MSG_BASE(ch) + 0x200u)
#define   TSI721_IBDMAC_FQBL_ADDR	0xffffffc0u
#define TSI721_IBDMAC_FQBH(ch)		(TSI721_MSG_BASE(ch) + 0x204u)
#define TSI721_IBDMAC_FQSZ(ch)		(TSI721_MSG_BASE(ch) + 0x208u)
#define   TSI721_IBDMAC_SZ_CODE		0x0000000fu	/* 16 << code entries */
#define TSI721_IBDMAC_FQRP(ch)		(TSI721_MSG_BASE(ch) + 0x20cu)
#define TSI721_IBDMAC_FQWP(ch)		(TSI721_MSG_BASE(ch) + 0x210u)
#define   TSI721_IBDMAC_PTR		0x0007ffffu
#define TSI721_IBDMAC_FQTH(ch)		(TSI721_MSG_BASE(ch) + 0x214u)
#define TSI721_IBDMAC_CTL(ch)		(TSI721_MSG_BASE(ch) + 0x240u)
#define   TSI721_IBDMAC_CTL_SUSPEND	0x00000002u
#define   TSI721_IBDMAC_CTL_INIT	0x00000001u
#define TSI721_IBDMAC_STS(ch)		(TSI721_MSG_BASE(ch) + 0x244u)
#define   TSI721_IBDMAC_STS_ABORT	0x00400000u
#define   TSI721_IBDMAC_STS_RUN		0x00200000u
#define   TSI721_IBDMAC_STS_CS		0x001f0000u
#define TSI721_IBDMAC_INT(ch)		(TSI721_MSG_BASE(ch) + 0x248u)
#define TSI721_IBDMAC_INTSET(ch)	(TSI721_MSG_BASE(ch) + 0x24cu)
#define   TSI721_IBDMAC_INT_SRTO	0x00001000u
#define   TSI721_IBDMAC_INT_SUSPENDED	0x00000008u
#define   TSI721_IBDMAC_INT_PC_ERROR	0x00000004u
#define   TSI721_IBDMAC_INT_FQ_LOW	0x00000002u
#define   TSI721_IBDMAC_INT_DQ_RCV	0x00000001u
#define   TSI721_IBDMAC_INT_ALL		0x0000100fu
#define TSI721_IBDMAC_INTE(ch)		(TSI721_MSG_BASE(ch) + 0x250u)
#define TSI721_IBDMAC_PWE(ch)		(TSI721_MSG_BASE(ch) + 0x254u)
#define TSI721_IBDMAC_DQBL(ch)		(TSI721_MSG_BASE(ch) + 0x300u)
#define   TSI721_IBDMAC_DQBL_ADDR	0xffffffc0u
#define TSI721_IBDMAC_DQBH(ch)		(TSI721_MSG_BASE(ch) + 0x304u)
#define TSI721_IBDMAC_DQRP(ch)		(TSI721_MSG_BASE(ch) + 0x308u)
#define TSI721_IBDMAC_DQWP(ch)		(TSI721_MSG_BASE(ch) + 0x30cu)
#define TSI721_IBDMAC_DQSZ(ch)		(TSI721_MSG_BASE(ch) + 0x314u)

/* Messaging interrupts and error log. */
#define TSI721_SMSG_INTE		0x6a000u
#define TSI721_SMSG_PWE			0x6a004u
#define TSI721_SMSG_INT			0x6a008u
#define TSI721_SMSG_INTSET		0x6a010u
#define   TSI721_SMSG_INT_MASK		0x0086ffffu
#define   TSI721_SMSG_INT_UNS_RSP	0x00800000u
#define TSI721_SMSG_ECC_LOG		0x6a014u
#define   TSI721_SMSG_ECC_LOG_MASK	0x00070007u
#define TSI721_RETRY_GEN_CNT		0x6a100u
#define TSI721_RETRY_RX_CNT		0x6a104u
#define TSI721_SMSG_ECC_COR_LOG(ch)	(0x6a300u + (ch) * 4u)
#define TSI721_SMSG_ECC_NCOR(ch)	(0x6a340u + (ch) * 4u)
#define   TSI721_SMSG_ECC_CH_MASK	0x000000ffu

#define TSI721_MSG_SIZE_MAX		4096u
#define TSI721_MSG_SIZE_UNIT		8u
#define TSI721_MSG_BUFFER_SIZE		4096u
#define TSI721_MSG_SSIZE_256		0xeu	/* segment size code */
#define TSI721_MSG_MBOX_NUM		4u
#define TSI721_MSG_LETTER_NUM		4u

/* Ring size code: 16 << code entries or lines. */
#define TSI721_RING_ENTRIES(code)	(16u << ((code) & 0xfu))

/* Descriptor types, in the three top bits of a descriptor's first word. */
#define TSI721_DTYPE_SHIFT		29
#define TSI721_DTYPE_DATA		1u	/* block DMA: data transfer */
#define TSI721_DTYPE_IMM		2u	/* block DMA: immediate data, maintenance */
#define TSI721_DTYPE_LINK		3u	/* block DMA: pointer to the next block */
#define TSI721_DTYPE_OMSG		4u	/* outbound message */
#define TSI721_DTYPE_OMSG_LINK		5u	/* outbound message: pointer to the next block */
#define TSI721_DTYPE_IMSG		6u	/* inbound message */

/* Request types of block DMA descriptors. */
#define TSI721_RTYPE_NREAD		0u
#define TSI721_RTYPE_LAST_NWRITE_R	1u
#define TSI721_RTYPE_ALL_NWRITE		2u
#define TSI721_RTYPE_ALL_NWRITE_R	3u
#define TSI721_RTYPE_MAINT_RD		4u
#define TSI721_RTYPE_MAINT_WR		5u

/* Block DMA descriptor. Type 2 has its data from bufptr_lo on; type 3 its link in raddr. */
struct tsi721_dma_desc {
	uint32_t type_id;
#define TSI721_DMAD_DEVID		0x0000ffffu
#define TSI721_DMAD_CRF			0x00010000u
#define TSI721_DMAD_PRIO		0x00060000u
#define TSI721_DMAD_PRIO_SHIFT		17
#define TSI721_DMAD_RTYPE		0x00780000u
#define TSI721_DMAD_RTYPE_SHIFT		19
#define TSI721_DMAD_IOF			0x08000000u
#define TSI721_DMAD_DTYPE		0xe0000000u
	uint32_t bcount;
#define TSI721_DMAD_BCOUNT1		0x03ffffffu	/* type 1; 0 means all 64 MiB */
#define TSI721_DMAD_BCOUNT2		0x0000000fu	/* type 2 */
#define TSI721_DMAD_TT			0x0c000000u
#define TSI721_DMAD_TT_SHIFT		26
#define TSI721_DMAD_RADDR0		0xc0000000u	/* RapidIO address bits 1:0 */
#define TSI721_DMAD_RADDR0_SHIFT	30
	uint32_t raddr_lo;	/* type 1: RapidIO address bits 33:2; maintenance: hop << 24 | offset */
#define TSI721_DMAD_CFGOFF		0x00ffffffu
#define TSI721_DMAD_HOPCNT		0xff000000u
#define TSI721_DMAD_HOPCNT_SHIFT	24
	uint32_t raddr_hi;	/* type 1: RapidIO address bits 65:34 */
	uint32_t bufptr_lo;
	uint32_t bufptr_hi;
	uint32_t s_dist;
	uint32_t s_size;
};
#define TSI721_DMA_DESC_SIZE		32u
#define TSI721_DMA_DATA_IDX		4u	/* word of a type 2 descriptor's data */
#define TSI721_DMA_IMM_MAX		15u	/* bytes of data; what a count of 0 means is not known */
#define TSI721_DMA_BLOCK_MAX		0x4000000u

/* Outbound message descriptor. Type 5 has its link in bufptr. */
struct tsi721_omsg_desc {
	uint32_t type_id;
#define TSI721_OMD_DEVID		0x0000ffffu
#define TSI721_OMD_CRF			0x00010000u
#define TSI721_OMD_PRIO			0x00060000u
#define TSI721_OMD_PRIO_SHIFT		17
#define TSI721_OMD_IOF			0x08000000u
#define TSI721_OMD_DTYPE		0xe0000000u
	uint32_t msg_info;
#define TSI721_OMD_BCOUNT		0x00000ff8u	/* 0 means 4096 */
#define TSI721_OMD_SSIZE		0x0000f000u
#define TSI721_OMD_SSIZE_SHIFT		12
#define TSI721_OMD_LETTER		0x00030000u
#define TSI721_OMD_LETTER_SHIFT		16
#define TSI721_OMD_XMBOX		0x003c0000u
#define TSI721_OMD_XMBOX_SHIFT		18
#define TSI721_OMD_MBOX			0x00c00000u
#define TSI721_OMD_MBOX_SHIFT		22
#define TSI721_OMD_TT			0x0c000000u
#define TSI721_OMD_TT_SHIFT		26
	uint32_t bufptr_lo;
	uint32_t bufptr_hi;
};
#define TSI721_OMSG_DESC_SIZE		16u

/* Inbound message descriptor. */
struct tsi721_imsg_desc {
	uint32_t type_id;
#define TSI721_IMD_DEVID		0x0000ffffu
#define TSI721_IMD_CRF			0x00010000u
#define TSI721_IMD_PRIO			0x00060000u
#define TSI721_IMD_PRIO_SHIFT		17
#define TSI721_IMD_TT			0x00180000u
#define TSI721_IMD_TT_SHIFT		19
#define TSI721_IMD_DTYPE		0xe0000000u
	uint32_t msg_info;
#define TSI721_IMD_BCOUNT		0x00000ff8u	/* 0 means 4096 */
#define TSI721_IMD_SSIZE		0x0000f000u
#define TSI721_IMD_SSIZE_SHIFT		12
#define TSI721_IMD_LETTER		0x00030000u
#define TSI721_IMD_LETTER_SHIFT		16
#define TSI721_IMD_XMBOX		0x003c0000u
#define TSI721_IMD_XMBOX_SHIFT		18
#define TSI721_IMD_MBOX			0x00c00000u
#define TSI721_IMD_MBOX_SHIFT		22
#define TSI721_IMD_CS			0x78000000u
#define TSI721_IMD_HO			0x80000000u	/* the entry is software's */
	uint32_t bufptr_lo;
	uint32_t bufptr_hi;
	uint32_t reserved[12];
};
#define TSI721_IMSG_DESC_SIZE		64u

#endif /* TSI721_REGS_H */
