/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_memzone.h>

#include "tsi721_maint.h"
#include "tsi721_maint_priv.h"

#define MAINT_REG(reg)		(TSI721_DMAC_BASE(TSI721_DMAC_MAINT) + (reg))
#define MAINT_FIFO_LINES	32u
#define MAINT_TIMEOUT_MS	2000u

/* One request at a time: a descriptor, and a link back to it. */
struct tsi721_maint {
	pthread_mutex_t lock;	/* whoever waits sleeps: a holder may be off its processor */
	struct tsi721_dma_desc *desc;
	const struct rte_memzone *desc_mz, *sts_mz;
	uint64_t reads, writes, errors;
};

static void
maint_hw_init(struct tsi721_device *dev)
{
	const struct tsi721_maint *m = dev->maint;

	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_DPTRH), (uint32_t)(m->desc_mz->iova >> 32));
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_DPTRL), (uint32_t)m->desc_mz->iova);
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_DSBH), (uint32_t)(m->sts_mz->iova >> 32));
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_DSBL), (uint32_t)m->sts_mz->iova);
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_DSSZ), tsi721_ring_code(MAINT_FIFO_LINES));
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_INTE), 0);
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_INT), TSI721_DMAC_INT_ALL);
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_CTL), TSI721_DMAC_CTL_INIT);
	tsi721_read32(dev, MAINT_REG(TSI721_DMAC_CTL));
	rte_delay_us_block(10);
}

int
tsi721_maint_init(struct tsi721_device *dev)
{
	struct tsi721_maint *m;

	m = rte_zmalloc_socket("tsi721_maint", sizeof(*m), RTE_CACHE_LINE_SIZE, dev->socket_id);
	if (m == NULL)
		return -ENOMEM;
	pthread_mutex_init(&m->lock, NULL);
	m->desc_mz = tsi721_ring_alloc(dev, "maint", TSI721_DMAC_MAINT, 2 * sizeof(*m->desc),
				       dev->socket_id);
	m->sts_mz = tsi721_ring_alloc(dev, "msts", TSI721_DMAC_MAINT,
				      MAINT_FIFO_LINES * TSI721_STS_LINE_SIZE, dev->socket_id);
	if (m->desc_mz == NULL || m->sts_mz == NULL) {
		tsi721_ring_free(m->desc_mz);
		tsi721_ring_free(m->sts_mz);
		rte_free(m);
		return -ENOMEM;
	}
	m->desc = m->desc_mz->addr;
	m->desc[1].type_id = rte_cpu_to_le_32(TSI721_DTYPE_LINK << TSI721_DTYPE_SHIFT);
	m->desc[1].raddr_lo = rte_cpu_to_le_32((uint32_t)m->desc_mz->iova);
	m->desc[1].raddr_hi = rte_cpu_to_le_32((uint32_t)(m->desc_mz->iova >> 32));
	rte_io_wmb();
	dev->maint = m;
	maint_hw_init(dev);
	return 0;
}

void
tsi721_maint_fini(struct tsi721_device *dev)
{
	struct tsi721_maint *m = dev->maint;

	if (m == NULL)
		return;
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_CTL), TSI721_DMAC_CTL_INIT);
	tsi721_read32(dev, MAINT_REG(TSI721_DMAC_CTL));
	dev->maint = NULL;
	tsi721_ring_free(m->desc_mz);
	tsi721_ring_free(m->sts_mz);
	rte_free(m);
}

/* Until RUN falls; a request that nobody answers aborts by the chip's own timer. */
static uint32_t
maint_wait(struct tsi721_device *dev)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * MAINT_TIMEOUT_MS / 1000;
	uint32_t sts;

	while ((sts = tsi721_read32(dev, MAINT_REG(TSI721_DMAC_STS))) & TSI721_DMAC_STS_RUN) {
		if (rte_get_timer_cycles() > end)
			break;
		rte_delay_us_block(1);
	}
	return sts;
}

static int
maint_request(struct tsi721_device *dev, uint32_t rtype, uint16_t destid, uint8_t hop,
	      uint32_t off, uint32_t *val)
{
	struct tsi721_maint *m = dev->maint;
	volatile uint32_t *d = (volatile uint32_t *)m->desc;
	uint32_t count, sts;

	d[0] = rte_cpu_to_le_32(TSI721_DTYPE_IMM << TSI721_DTYPE_SHIFT |
				rtype << TSI721_DMAD_RTYPE_SHIFT | destid);
	d[1] = rte_cpu_to_le_32(tsi721_tt(dev) << TSI721_DMAD_TT_SHIFT | sizeof(uint32_t));
	d[2] = rte_cpu_to_le_32((uint32_t)hop << TSI721_DMAD_HOPCNT_SHIFT | off);
	d[3] = 0;
	d[TSI721_DMA_DATA_IDX] = rtype == TSI721_RTYPE_MAINT_WR ? rte_cpu_to_be_32(*val)
								: UINT32_MAX;
	rte_io_wmb();

	/* The descriptor and its link. */
	count = tsi721_read32(dev, MAINT_REG(TSI721_DMAC_DRDCNT)) + 2;
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_DWRCNT), count);
	sts = maint_wait(dev);
	rte_io_rmb();

	if (sts & (TSI721_DMAC_STS_RUN | TSI721_DMAC_STS_ABORT)) {
		maint_hw_init(dev);
		if (sts & TSI721_DMAC_STS_RUN)
			return -ETIMEDOUT;
		return (sts & TSI721_DMAC_STS_CS) >> TSI721_DMAC_STS_CS_SHIFT == 2 ? -ETIMEDOUT
										  : -EIO;
	}
	if (rtype == TSI721_RTYPE_MAINT_RD)
		*val = rte_be_to_cpu_32(d[TSI721_DMA_DATA_IDX]);
	/* The request has ended, so its FIFO entries need not be read. */
	tsi721_write32(dev, MAINT_REG(TSI721_DMAC_DSRP),
		       tsi721_read32(dev, MAINT_REG(TSI721_DMAC_DSWP)));
	return 0;
}

static int
maint_access(struct tsi721_device *dev, uint32_t rtype, uint16_t destid, uint8_t hop,
	     uint32_t off, uint32_t *val)
{
	struct tsi721_maint *m = dev->maint;
	int ret;

	if (off % 4 != 0 || off >= RIO_MAINT_SPACE_SIZE ||
	    (!dev->sys16 && destid > RIO_ANY_DESTID_8))
		return -EINVAL;

	pthread_mutex_lock(&m->lock);
	ret = maint_request(dev, rtype, destid, hop, off, val);
	if (ret != 0)
		m->errors++;
	else if (rtype == TSI721_RTYPE_MAINT_RD)
		m->reads++;
	else
		m->writes++;
	pthread_mutex_unlock(&m->lock);
	if (ret != 0)
		TSI721_LOG(DEBUG, dev, "maintenance request to 0x%x hop %u offset 0x%x: %s", destid,
			   hop, off, strerror(-ret));
	return ret;
}

int
tsi721_maint_read(struct tsi721_device *dev, uint16_t destid, uint8_t hop, uint32_t off,
		  uint32_t *val)
{
	return maint_access(dev, TSI721_RTYPE_MAINT_RD, destid, hop, off, val);
}

int
tsi721_maint_write(struct tsi721_device *dev, uint16_t destid, uint8_t hop, uint32_t off,
		   uint32_t val)
{
	return maint_access(dev, TSI721_RTYPE_MAINT_WR, destid, hop, off, &val);
}

int
tsi721_lcread(struct tsi721_device *dev, uint32_t off, uint32_t *val)
{
	if (off % 4 != 0 || off >= TSI721_BAR0_SIZE)
		return -EINVAL;
	*val = tsi721_read32(dev, off);
	return 0;
}

int
tsi721_lcwrite(struct tsi721_device *dev, uint32_t off, uint32_t val)
{
	if (off % 4 != 0 || off >= TSI721_BAR0_SIZE)
		return -EINVAL;
	tsi721_write32(dev, off, val);
	return 0;
}

void
tsi721_link_get(struct tsi721_device *dev, struct tsi721_link *link)
{
	static const uint16_t mbaud[] = { 0, 1250, 2500, 3125, 5000, 6250 };
	static const uint8_t lanes[] = { 1, 1, 4, 2 };
	uint32_t sts = tsi721_read32(dev, TSI721_SP_BASE + RIO_PORT_N_ERR_STS_CSR(0));
	uint32_t ctl2, ipw;

	memset(link, 0, sizeof(*link));
	if (!(sts & RIO_PORT_N_ERR_STS_PORT_OK))
		return;
	ctl2 = tsi721_read32(dev, TSI721_SP_BASE + RIO_PORT_N_CTL2_CSR(0)) >>
	       RIO_PORT_N_CTL2_SEL_BAUD_SHIFT;
	ipw = (tsi721_read32(dev, TSI721_SP_BASE + RIO_PORT_N_CTL_CSR(0)) & RIO_PORT_N_CTL_IPW) >>
	      RIO_PORT_N_CTL_IPW_SHIFT;
	link->up = true;
	link->mbaud = ctl2 < RTE_DIM(mbaud) ? mbaud[ctl2] : 0;
	link->lanes = ipw < RTE_DIM(lanes) ? lanes[ipw] : 0;
}

void
tsi721_maint_stats(struct tsi721_device *dev, struct tsi721_maint_stats *stats)
{
	const struct tsi721_maint *m = dev->maint;

	stats->reads = m->reads;
	stats->writes = m->writes;
	stats->errors = m->errors;
}
