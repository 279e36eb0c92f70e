/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_CHIP_H
#define NULL_CHIP_H

/* What a chip remembers, in shared memory: registers, queues, engines. */

#include "../tsi721_regs.h"
#include "null_base.h"
#include "null_device.h"
#include "null_link.h"

/* Block DMA channel. */
struct null_bdma_ch {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t dwrcnt, drdcnt;
	_Atomic uint32_t ctl, intr, inte, sts;
	_Atomic uint32_t dptrl, dptrh, dsbl, dsbh, dssz;
	_Atomic uint32_t dsrp, dswp;
	uint64_t desc;		/* address of the next descriptor */
	uint32_t fifo_slot;	/* slots used of line dswp */
};

/*
 * Inbound doorbell queue, with the SRIO to PCIe channel's interrupts. Three
 * cache lines: what deliverers write, what the driver writes for each batch,
 * what hardly changes.
 */
struct null_idq {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t contended;	/* somebody gave up waiting for the lock */
	_Atomic uint64_t count;		/* delivered since INIT; WP is its low part */
	_Atomic uint64_t received;	/* delivered since power-up */
	uint32_t lap;			/* number of the first lap since INIT */
	uint32_t suspect;		/* the lock's owner died; its last entry was not looked for */
	uint32_t rp_seen;		/* RP as deliverers last read it */
	alignas(NULL_CACHE_LINE) _Atomic uint32_t rp;
	alignas(NULL_CACHE_LINE) _Atomic uint32_t ctl;
	_Atomic uint32_t sts, mask, basel, baseu, size, chint, chinte;
};

/*
 * Doorbells written to BAR1 and not yet accepted, oldest first. The engine's
 * caller fills slots without its lock, see null_doorbell.c.
 */
#define NULL_ODB_PENDING	256u
struct null_odb {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t todo;		/* work came while another thread held the lock */
	_Atomic uint32_t head;		/* free-running; tail likewise */
	_Atomic uint64_t sent;
	/* The head's target as it was when it last made room, see null_odb.c. */
	uint32_t stall_key, stall_rp;
	uint64_t stall_ns;
	alignas(NULL_CACHE_LINE) _Atomic uint32_t tail;
	struct {
		_Atomic uint64_t word;
		_Atomic uint64_t since_ns;	/* when it was written */
	} pend[NULL_ODB_PENDING];
};

/* Outbound message channel. */
struct null_omsg_ch {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t todo;		/* work came while another thread held the lock */
	_Atomic uint32_t armed;		/* DWRCNT was written since INIT or a write of DRDCNT */
	_Atomic uint32_t dwrcnt, drdcnt;
	_Atomic uint32_t ctl, intr, inte, sts, pwe;
	_Atomic uint32_t dptrl, dptrh, dsbl, dsbh, dssz;
	_Atomic uint32_t dsrp, dswp;
	uint64_t desc;		/* address of the next descriptor */
	uint64_t since_ns;	/* when the head message was first answered with RETRY; 0: not */
	_Atomic uint64_t sent, bytes;
};

/* Inbound message channel; cache lines as of struct null_idq. */
struct null_imsg_ch {
	alignas(NULL_CACHE_LINE) struct null_lock lock;
	_Atomic uint32_t contended;	/* somebody gave up waiting for the lock */
	_Atomic uint64_t count;		/* delivered since INIT; FQRP and DQWP are its low parts */
	_Atomic uint64_t received;	/* delivered since power-up */
	uint32_t lap;			/* number of the first lap since INIT */
	uint32_t suspect;		/* the lock's owner died; its last entry was not looked for */
	uint32_t fqwp_seen, dqrp_seen;	/* as deliverers last read them */
	alignas(NULL_CACHE_LINE) _Atomic uint32_t fqwp;
	_Atomic uint32_t posted;	/* FQWP as written since INIT was asked for */
	_Atomic uint32_t dqrp;
	alignas(NULL_CACHE_LINE) _Atomic uint32_t ctl;
	_Atomic uint32_t sts, intr, inte, pwe;
	_Atomic uint32_t fqbl, fqbh, fqsz, fqth;
	_Atomic uint32_t dqbl, dqbh, dqsz;
};

struct null_ibwin {
	_Atomic uint32_t lb, ub, sz, tla, tua;
	_Atomic uint32_t seq;	/* counts the beginnings and ends of writes */
};

struct null_obwin {
	_Atomic uint32_t lb, ub, sz;
	struct {
		_Atomic uint32_t lut[3];
	} zone[TSI721_OBWIN_ZONES];
};

/*
 * Configuration space: 4 KiB, little-endian as on the bus; null_pcicfg.c knows
 * which bits software may write. Words that other threads look at on the fast
 * path (command, MSI, MSI-X control) are read through null_cfg_get32.
 */
#define NULL_CFG_SIZE		4096u
#define NULL_CFG_COMMAND	0x04u
#define   NULL_CFG_COMMAND_MASTER	0x0004u
#define   NULL_CFG_COMMAND_INTX_OFF	0x0400u
#define NULL_CFG_BAR(n)		(0x10u + (n) * 4u)
#define NULL_CFG_PCIE_CAP	0x40u
#define NULL_CFG_PM_CAP		0x80u
#define NULL_CFG_MSI_CAP	0x90u	/* one vector, 64-bit address, no masking */
#define   NULL_CFG_MSI_ENABLE		0x00010000u	/* in the 32-bit word at the capability */
#define NULL_CFG_MSIX_CAP	TSI721_PCIECFG_MSIX_CAP
#define   NULL_CFG_MSIX_ENABLE		0x80000000u	/* in the 32-bit word at the capability */
#define   NULL_CFG_MSIX_MASKALL		0x40000000u

struct null_msix_entry {
	_Atomic uint32_t addr_lo, addr_hi, data, ctl;
};

/* Set of endpoints. */
struct null_epset {
	_Atomic uint64_t w[NULL_EP_MAX / 64];
};

/* One endpoint: a Tsi721 with what is around it. */
struct null_chip {
	_Atomic uint32_t attached;	/* a device is open on it */
	_Atomic uint32_t proc;		/* process slot that owns it */
	char node[NULL_NAME_LEN];
	_Atomic uint16_t link;		/* index in links[] of its port, or NULL_LINK_NONE */
	_Atomic uint32_t stuck;		/* as in its struct null_place */

	/* Block 0x00000: CARs and CSRs that can change. */
	_Atomic uint32_t did, host_lock, comp_tag, pell_ctrl, lcsh_ba, lcsl_ba;
	_Atomic uint32_t gen_ctl, linkto_ctl, rspto_ctl, port_ctl, port_ctl2, err_sts, ack_sts;
	_Atomic uint32_t mnt_rsp;
	_Atomic uint32_t devctl;

	/* Event management and port-writes. */
	_Atomic uint32_t em_int_stat, em_int_enable, em_dev_int_en, pw_ctl, pw_rx_stat;
	_Atomic uint32_t em_int_meets;	/* em_int_enable while em_dev_int_en is set, else 0 */
	_Atomic uint32_t pw_capt[TSI721_RIO_PW_WORDS];
	alignas(8) struct null_lock pw_lock;	/* not cleared by a reset: a sender may hold it */
	uint32_t pw_pad;
	_Atomic uint32_t em_ltl_err, em_ltl_err_en, em_pw_tgt, em_pkt_ttl;
	_Atomic uint32_t em_pn_err, em_pn_err_en;

	/* Interrupts. */
	_Atomic uint32_t dev_inte, dev_intset, dev_chan_inte;
	_Atomic uint32_t sr2pc_gen_inte, sr2pc_gen_int, sr2pc_pwe, pc2sr_inte, bdma_inte;
	_Atomic uint32_t i2c_inte;
	_Atomic uint32_t irq_state;	/* level of (DEV_INT & DEV_INTE) != 0, and a count: null_intr.c */
	struct null_msix_entry msix[TSI721_MSIX_VECTORS];
	_Atomic uint64_t msix_pba[2];

	struct null_idq idq[TSI721_IDQ_NUM];
	struct null_odb odb;
	struct null_ibwin ibwin[TSI721_IBWIN_NUM];
	struct null_obwin obwin[TSI721_OBWIN_NUM];
	_Atomic uint32_t zone_sel, lut_data[3];
	struct null_lock obwin_lock;	/* of the engine behind BAR2 and BAR4 */
	struct null_bdma_ch bdma[TSI721_DMAC_NUM];

	_Atomic uint32_t rqrpto, ib_devid;
	_Atomic uint32_t smsg_inte, smsg_pwe, smsg_int, smsg_ecc_log, retry_gen_cnt, retry_rx_cnt;
	_Atomic uint32_t ecc_cor[TSI721_IMSG_NUM], ecc_ncor[TSI721_IMSG_NUM];
	struct null_omsg_ch omsg[TSI721_OMSG_NUM];
	struct null_imsg_ch imsg[TSI721_IMSG_NUM];

	_Atomic uint32_t cfg[NULL_CFG_SIZE / 4];	/* in host order: byte 0 is bits 7:0 of word 0 */
	uint32_t win_log2;		/* size of BAR2 and of BAR4, each; not changed by a reset */

	/* Who waits for room here: set by senders, taken when room is made. */
	struct null_epset idq_waiters, imsg_waiters;

	_Atomic uint64_t stats[NULL_STAT_COUNT];
};

static inline void
null_stat_add(struct null_chip *chip, enum null_stat s, uint64_t n)
{
	atomic_fetch_add_explicit(&chip->stats[s], n, memory_order_relaxed);
}

static inline uint32_t
null_cfg_get32(const struct null_chip *chip, unsigned int off)
{
	return atomic_load_explicit(&chip->cfg[off / 4], memory_order_acquire);
}

static inline bool
null_bus_master(const struct null_chip *chip)
{
	return (null_cfg_get32(chip, NULL_CFG_COMMAND) & NULL_CFG_COMMAND_MASTER) != 0;
}

void null_epset_add(struct null_epset *set, uint32_t ep);
static inline bool
null_epset_any(const struct null_epset *set)
{
	uint64_t any = 0;

	for (unsigned int i = 0; i < NULL_EP_MAX / 64; i++)
		any |= atomic_load_explicit(&set->w[i], memory_order_relaxed);
	return any != 0;
}

#endif /* NULL_CHIP_H */
