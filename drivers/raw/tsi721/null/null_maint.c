/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The registers that every RapidIO device has: CARs and CSRs, the LP-Serial and
 * error management blocks, device control; and maintenance requests to them.
 */

#include "null_internal.h"

#define MAINT_REACH	0x20000u	/* what maintenance requests of others reach ends here */

#define PEF		(RIO_PEF_BRIDGE | RIO_PEF_CTLS | RIO_PEF_EXT_FEATURES | \
			 RIO_PEF_ADDR_66 | RIO_PEF_ADDR_50 | RIO_PEF_ADDR_34)
#define OPS		(RIO_OPS_READ | RIO_OPS_WRITE | RIO_OPS_WRITE_RESPONSE | \
			 RIO_OPS_DATA_MSG | RIO_OPS_DOORBELL | RIO_OPS_PORT_WRITE)
#define PORT_CTL_RESET	(RIO_PORT_N_CTL_PWIDTH_4 | 2u << RIO_PORT_N_CTL_IPW_SHIFT | \
			 RIO_PORT_N_CTL_EN_TX | \
			 RIO_PORT_N_CTL_EN_RX | RIO_PORT_N_CTL_P_TYP_SER)
#define PORT_CTL_RW	(RIO_PORT_N_CTL_PORT_DIS | RIO_PORT_N_CTL_EN_TX | \
			 RIO_PORT_N_CTL_EN_RX | RIO_PORT_N_CTL_LOCKOUT)
#define ERR_STS_STICKY	(RIO_PORT_N_ERR_STS_OUT_ES | RIO_PORT_N_ERR_STS_INP_ES | \
			 RIO_PORT_N_ERR_STS_PW_PEND | RIO_PORT_N_ERR_STS_PORT_ERR)
#define LSTAT_OK	0x10u
#define TIMEOUT_RESET	0xffffff00u
#define GEN_CTL_RW	(RIO_PORT_GEN_HOST | RIO_PORT_GEN_MASTER | RIO_PORT_GEN_DISCOVERED)

void
null_maint_reset(struct null_chip *chip, uint32_t destid, bool sys16, bool host)
{
	uint32_t did = sys16 ? RIO_DID_8 | destid : destid << RIO_DID_8_SHIFT | RIO_DID_16;
	uint32_t gen = RIO_PORT_GEN_DISCOVERED;

	if (host)
		gen |= RIO_PORT_GEN_HOST | RIO_PORT_GEN_MASTER;
	atomic_store(&chip->did, did);
	atomic_store(&chip->gen_ctl, gen);
}

uint16_t
null_source_id(const struct null_chip *chip, uint32_t tt)
{
	uint32_t did = atomic_load_explicit(&chip->did, memory_order_relaxed);

	if (tt == TSI721_TT_16)
		return did & RIO_DID_16;
	return (did & RIO_DID_8) >> RIO_DID_8_SHIFT;
}

enum null_resp
null_maint_access(struct null_fabric *fab, uint32_t ep, bool write, uint32_t off, uint32_t *val)
{
	/* Handlers of these rows need no more of a device than this. */
	struct null_device view = { .fab = fab, .ep = ep, .chip = null_chip_at(fab, ep) };
	bool known;

	if (off >= MAINT_REACH || off % 4 != 0)
		return NULL_RESP_ERROR;
	if (write)
		known = null_reg_write(&view, off, *val);
	else
		known = null_reg_read(&view, off, val);
	if (!known) {
		null_stat_add(view.chip, write ? NULL_STAT_UNKNOWN_REG_WRITES :
						 NULL_STAT_UNKNOWN_REG_READS, 1);
		if (!write)
			*val = 0;
	}
	return NULL_RESP_DONE;
}

/* ---- handlers ---- */

void
null_host_lock_write(_Atomic uint32_t *lock, uint32_t val)
{
	uint32_t cur = atomic_load(lock), next;

	do {
		if (cur == RIO_HOST_DID_LOCK_FREE)
			next = val;
		else if (cur == val)
			next = RIO_HOST_DID_LOCK_FREE;
		else
			return;
	} while (!atomic_compare_exchange_weak(lock, &cur, next));
}

static void
host_lock_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	null_host_lock_write(&dev->chip->host_lock, val);
}

/* Requests to other IDs are ignored: routes depend on it. */
static void
did_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_store(&dev->chip->did, val);
	null_fabric_changed(dev->fab);
}

static const struct null_link *
link_of(struct null_device *dev)
{
	return &dev->fab->sh->links[atomic_load(&dev->chip->link)];
}

static void
mnt_req_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	if (val == RIO_MNT_REQ_CMD_INPUT_STATUS && null_fabric_link_ok(dev->fab, dev->ep))
		atomic_store(&dev->chip->mnt_rsp, RIO_PORT_N_MNT_RSP_RVAL | LSTAT_OK);
}

static uint32_t
mnt_rsp_read(struct null_device *dev, uint32_t i)
{
	(void)i;
	return atomic_fetch_and(&dev->chip->mnt_rsp, ~RIO_PORT_N_MNT_RSP_RVAL);
}

static uint32_t
ctl2_read(struct null_device *dev, uint32_t i)
{
	(void)i;
	return null_link_baud_code(link_of(dev)) << RIO_PORT_N_CTL2_SEL_BAUD_SHIFT;
}

static uint32_t
err_sts_read(struct null_device *dev, uint32_t i)
{
	uint32_t sts = atomic_load(&dev->chip->err_sts) & ERR_STS_STICKY;

	(void)i;
	if (null_fabric_link_ok(dev->fab, dev->ep))
		return sts | RIO_PORT_N_ERR_STS_PORT_OK;
	return sts | RIO_PORT_N_ERR_STS_PORT_UNINIT;
}

static uint32_t
port_ctl_read(struct null_device *dev, uint32_t i)
{
	(void)i;
	return (atomic_load(&dev->chip->port_ctl) & ~RIO_PORT_N_CTL_IPW) |
	       null_link_ipw(link_of(dev)) << RIO_PORT_N_CTL_IPW_SHIFT;
}

static void
port_ctl_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_store(&dev->chip->port_ctl, val);
	null_fabric_changed(dev->fab);
	null_fabric_link_update(dev->fab, dev->ep);
}

static void
devctl_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)i;
	atomic_store(&dev->chip->devctl, val);
	null_fabric_link_update(dev->fab, dev->ep);
}

/* ---- table ---- */

#define ROW(n, o, a)	.name = n, .off = o, .count = 1, .access = a
#define CONST(n, o, v)	{ ROW(n, o, NULL_RO), .reset = v, .state = NULL_NO_STATE }
#define SP(r)		(TSI721_SP_BASE + (r))
#define EM(r)		(TSI721_EM_BASE + (r))

static const struct null_reg regs[] = {
	CONST("DEV_ID", RIO_DEV_ID_CAR, TSI721_RIO_DEVICE_ID << 16 | TSI721_RIO_VENDOR_ID),
	CONST("DEV_INFO", RIO_DEV_INFO_CAR, 0),
	CONST("ASM_ID", RIO_ASM_ID_CAR, 0),
	CONST("ASM_INFO", RIO_ASM_INFO_CAR, TSI721_SP_BASE),
	CONST("PEF", RIO_PEF_CAR, PEF),
	CONST("SWP_INFO", RIO_SWP_INFO_CAR, 1u << 8),
	CONST("SRC_OPS", RIO_SRC_OPS_CAR, OPS),
	CONST("DST_OPS", RIO_DST_OPS_CAR, OPS),
	{ ROW("PELL_CTRL", RIO_PELL_CTRL_CSR, NULL_RW), .reset = RIO_PELL_ADDR_34,
	  .wmask = RIO_PELL_ADDR_66 | RIO_PELL_ADDR_50 | RIO_PELL_ADDR_34,
	  NULL_STATE(pell_ctrl) },
	{ ROW("LCSH_BA", RIO_LCSH_BA_CSR, NULL_RW), .wmask = 0x7fffffff, NULL_STATE(lcsh_ba) },
	{ ROW("LCSL_BA", RIO_LCSL_BA_CSR, NULL_RW), .wmask = 0xffffffff, NULL_STATE(lcsl_ba) },
	/* Straps give the destination ID: null_maint_reset. */
	{ ROW("DID", RIO_DID_CSR, NULL_RW), .reset = RIO_DID_8 | RIO_DID_16,
	  .wmask = RIO_DID_8 | RIO_DID_16, NULL_STATE(did), .write = did_write },
	{ ROW("HOST_DID_LOCK", RIO_HOST_DID_LOCK_CSR, NULL_RW), .reset = RIO_HOST_DID_LOCK_FREE,
	  .wmask = 0xffff, NULL_STATE(host_lock), .write = host_lock_write },
	{ ROW("COMPONENT_TAG", RIO_COMPONENT_TAG_CSR, NULL_RW), .wmask = 0xffffffff,
	  NULL_STATE(comp_tag) },

	CONST("SP_HEADER", SP(RIO_PORT_MNT_HEADER), TSI721_EM_BASE << 16 | RIO_EFB_SER_EP_M1_ID),
	{ ROW("SP_LINKTO_CTL", SP(RIO_PORT_LINKTO_CTL_CSR), NULL_RW), .reset = TIMEOUT_RESET,
	  .wmask = TIMEOUT_RESET, NULL_STATE(linkto_ctl) },
	{ ROW("SP_RSPTO_CTL", SP(RIO_PORT_RSPTO_CTL_CSR), NULL_RW), .reset = TIMEOUT_RESET,
	  .wmask = TIMEOUT_RESET, NULL_STATE(rspto_ctl) },
	/* Straps give host and discovered: null_maint_reset. */
	{ ROW("SP_GEN_CTL", SP(RIO_PORT_GEN_CTL_CSR), NULL_RW), .reset = RIO_PORT_GEN_DISCOVERED,
	  .wmask = GEN_CTL_RW, NULL_STATE(gen_ctl) },
	{ ROW("SP0_MNT_REQ", SP(RIO_PORT_N_MNT_REQ_CSR(0)), NULL_WO), .wmask = 0x7,
	  .state = NULL_NO_STATE, .write = mnt_req_write },
	{ ROW("SP0_MNT_RSP", SP(RIO_PORT_N_MNT_RSP_CSR(0)), NULL_RO), NULL_STATE(mnt_rsp),
	  .read_clears = true, .read = mnt_rsp_read },
	{ ROW("SP0_ACK_STS", SP(RIO_PORT_N_ACK_STS_CSR(0)), NULL_RO), NULL_STATE(ack_sts) },
	{ ROW("SP0_CTL2", SP(RIO_PORT_N_CTL2_CSR(0)), NULL_RO),
	  .reset = 4u << RIO_PORT_N_CTL2_SEL_BAUD_SHIFT, .state = NULL_NO_STATE,
	  .read = ctl2_read },
	{ ROW("SP0_ERR_STS", SP(RIO_PORT_N_ERR_STS_CSR(0)), NULL_W1C),
	  .reset = RIO_PORT_N_ERR_STS_PORT_UNINIT, .wmask = ERR_STS_STICKY, NULL_STATE(err_sts),
	  .read = err_sts_read },
	{ ROW("SP0_CTL", SP(RIO_PORT_N_CTL_CSR(0)), NULL_RW),
	  .reset = PORT_CTL_RESET, .wmask = PORT_CTL_RW, NULL_STATE(port_ctl),
	  .read = port_ctl_read, .write = port_ctl_write },

	CONST("EM_HEADER", EM(RIO_EM_EFB_HEADER), RIO_EFB_ERR_MGMNT_ID),
	{ ROW("EM_LTL_ERR_DETECT", EM(RIO_EM_LTL_ERR_DETECT), NULL_RW), .wmask = 0xffffffff,
	  NULL_STATE(em_ltl_err) },
	{ ROW("EM_LTL_ERR_EN", EM(RIO_EM_LTL_ERR_EN), NULL_RW), .wmask = 0xffffffff,
	  NULL_STATE(em_ltl_err_en) },
	CONST("EM_LTL_ADDR_CAP", EM(RIO_EM_LTL_ADDR_CAP), 0),
	CONST("EM_LTL_DEVID_CAP", EM(RIO_EM_LTL_DEVID_CAP), 0),
	CONST("EM_LTL_CTRL_CAP", EM(RIO_EM_LTL_CTRL_CAP), 0),
	{ ROW("EM_PW_TGT_DEVID", EM(RIO_EM_PW_TGT_DEVID), NULL_RW),
	  .wmask = RIO_EM_PW_TGT_DEVID_D16M | RIO_EM_PW_TGT_DEVID_D8 | RIO_EM_PW_TGT_DEVID_DEV16,
	  NULL_STATE(em_pw_tgt) },
	{ ROW("EM_PKT_TTL", EM(RIO_EM_PKT_TTL), NULL_RW), .wmask = 0xffff0000,
	  NULL_STATE(em_pkt_ttl) },
	{ ROW("EM_P0_ERR_DETECT", EM(RIO_EM_PN_ERR_DETECT(0)), NULL_RW), .wmask = 0xffffffff,
	  NULL_STATE(em_pn_err) },
	{ ROW("EM_P0_ERRRATE_EN", EM(RIO_EM_PN_ERRRATE_EN(0)), NULL_RW), .wmask = 0xffffffff,
	  NULL_STATE(em_pn_err_en) },
	CONST("EM_P0_ATTRIB_CAP", EM(RIO_EM_PN_ATTRIB_CAP(0)), 0),
	CONST("EM_P0_ERRRATE", EM(RIO_EM_PN_ERRRATE(0)), 0),
	CONST("EM_P0_ERRRATE_TR", EM(RIO_EM_PN_ERRRATE_TR(0)), 0),

	{ ROW("DEVCTL", TSI721_DEVCTL, NULL_RW), .wmask = TSI721_DEVCTL_SRBOOT_CMPL,
	  NULL_STATE(devctl), .write = devctl_write },
};

const struct null_reg_block null_maint_regs = { regs, sizeof(regs) / sizeof(regs[0]) };
