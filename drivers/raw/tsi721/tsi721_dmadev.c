/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_malloc.h>

#include "tsi721_dmadev.h"
#include "tsi721_ring.h"

static int
dmadev_info_get(const struct rte_dma_dev *dma, struct rte_dma_info *info, uint32_t size)
{
	const struct tsi721_dmadev *d = dma->data->dev_private;
	struct tsi721_device *dev = d->dev;

	RTE_SET_USED(size);
	/* The fabric may have got its routes since the last look. */
	if (!dev->loops && d->q == NULL)
		dev->loops = tsi721_loop_probe(dev, d->ch);
	info->dev_capa = RTE_DMA_CAPA_MEM_TO_DEV | RTE_DMA_CAPA_DEV_TO_MEM | RTE_DMA_CAPA_SILENT |
			 RTE_DMA_CAPA_HANDLES_ERRORS | RTE_DMA_CAPA_OPS_COPY |
			 RTE_DMA_CAPA_OPS_COPY_SG;
	if (dev->loops)
		info->dev_capa |= RTE_DMA_CAPA_MEM_TO_MEM;
	info->max_vchans = 1;
	info->min_desc = TSI721_RING_MIN;
	info->max_desc = TSI721_RING_MAX;
	info->max_sges = TSI721_DMADEV_SGES;
	return 0;
}

static int
dmadev_configure(struct rte_dma_dev *dma, const struct rte_dma_conf *conf, uint32_t size)
{
	struct tsi721_dmadev *d = dma->data->dev_private;

	RTE_SET_USED(size);
	d->silent = conf->enable_silent;
	d->nb_desc = 0;
	d->has_target = false;
	return 0;
}

/* DPDK's only type of port has fields of a PCIe function, which a RapidIO address has not. */
static bool
port_plain(const struct rte_dma_port_param *port)
{
	return port->port_type == RTE_DMA_PORT_NONE ||
	       (port->pcie.coreid == 0 && port->pcie.pfid == 0 && port->pcie.vfen == 0 &&
		port->pcie.vfid == 0 && port->pcie.pasid == 0 && port->pcie.attr == 0 &&
		port->pcie.ph == 0 && port->pcie.st == 0);
}

static int
dmadev_vchan_setup(struct rte_dma_dev *dma, uint16_t vchan, const struct rte_dma_vchan_conf *conf,
		   uint32_t size)
{
	struct tsi721_dmadev *d = dma->data->dev_private;

	RTE_SET_USED(vchan);
	RTE_SET_USED(size);
	if (!port_plain(&conf->src_port) || !port_plain(&conf->dst_port)) {
		TSI721_LOG(ERR, d->dev,
			   "dmadev of channel %u: allowed in a port's PCIe fields are zeroes", d->ch);
		return -EINVAL;
	}
	d->dir = conf->direction;
	d->nb_desc = rte_align32pow2(conf->nb_desc);
	return 0;
}

static int
target_check(const struct tsi721_dmadev *d, const struct rte_pmd_tsi721_dma_target *t)
{
	if (t->raddr_hi > 3 || t->prio > 3 ||
	    (!t->destid_in_addr && !d->dev->sys16 && t->destid > RIO_ANY_DESTID_8) ||
	    (t->destid_in_addr && t->raddr_hi != 0) ||
	    (t->write != RTE_PMD_TSI721_WRITE_LAST_R && t->write != RTE_PMD_TSI721_WRITE &&
	     t->write != RTE_PMD_TSI721_WRITE_R)) {
		TSI721_LOG(ERR, d->dev, "dmadev of channel %u: target 0x%x, raddr_hi %u, prio %u, "
			   "write %d: allowed are IDs of %u bits, 0 to 3 (0 with the ID in the "
			   "address), 0 to 3, %d to %d", d->ch, t->destid, t->raddr_hi, t->prio,
			   t->write, d->dev->sys16 ? 16 : 8, RTE_PMD_TSI721_WRITE_LAST_R,
			   RTE_PMD_TSI721_WRITE_R);
		return -EINVAL;
	}
	return 0;
}

/* What copies have in common. */
static void
request_set(struct tsi721_dmadev *d)
{
	static const uint8_t rtype[] = {
		[RTE_PMD_TSI721_WRITE_LAST_R] = TSI721_RTYPE_LAST_NWRITE_R,
		[RTE_PMD_TSI721_WRITE] = TSI721_RTYPE_ALL_NWRITE,
		[RTE_PMD_TSI721_WRITE_R] = TSI721_RTYPE_ALL_NWRITE_R,
	};
	const struct rte_pmd_tsi721_dma_target *t = &d->target;

	d->req = (struct tsi721_bdma_req){
		.rtype = TSI721_RTYPE_NREAD, .prio = t->prio, .destid = t->destid,
		.raddr_hi = t->raddr_hi,
	};
	d->destid_in_addr = t->destid_in_addr;
	if (d->dir == RTE_DMA_DIR_MEM_TO_DEV) {
		d->req.rtype = rtype[t->write];
	} else if (d->dir == RTE_DMA_DIR_MEM_TO_MEM) {
		d->req.rtype = TSI721_RTYPE_LAST_NWRITE_R;
		d->req.destid = tsi721_device_destid(d->dev);
		d->req.raddr_hi = 0;
		d->destid_in_addr = false;
	}
}

static int
dmadev_start(struct rte_dma_dev *dma)
{
	struct tsi721_dmadev *d = dma->data->dev_private;
	int ret;

	if (d->nb_desc == 0) {
		TSI721_LOG(ERR, d->dev, "dmadev of channel %u: its vchan was not set up", d->ch);
		return -EINVAL;
	}
	if (d->dir != RTE_DMA_DIR_MEM_TO_MEM && !d->has_target) {
		TSI721_LOG(ERR, d->dev, "dmadev of channel %u: no target was set", d->ch);
		return -EINVAL;
	}
	d->status = rte_zmalloc_socket("tsi721_dmadev", d->nb_desc, RTE_CACHE_LINE_SIZE,
				       d->dev->socket_id);
	if (d->status == NULL)
		return -ENOMEM;
	ret = tsi721_bdma_open_dmadev(d->dev, d->ch, d->nb_desc, d->dev->socket_id, &d->q);
	if (ret != 0) {
		rte_free(d->status);
		d->status = NULL;
		return ret;
	}
	d->mask = d->nb_desc - 1;
	d->posted = d->submitted = d->ended = d->collected = 0;
	d->aborted = false;
	request_set(d);
	return 0;
}

static int
dmadev_stop(struct rte_dma_dev *dma)
{
	struct tsi721_dmadev *d = dma->data->dev_private;

	tsi721_bdma_close(d->q, NULL, NULL);
	d->q = NULL;
	tsi721_loop_close(&d->loop, d->dev);
	rte_free(d->status);
	d->status = NULL;
	return 0;
}

/* Its memory is freed by the caller; the channel stays a dmadev's. */
static int
dmadev_close(struct rte_dma_dev *dma)
{
	struct tsi721_dmadev *d = dma->data->dev_private;

	d->dev->dmadev[d->ch] = NULL;
	return 0;
}

static int
dmadev_stats_get(const struct rte_dma_dev *dma, uint16_t vchan, struct rte_dma_stats *stats,
		 uint32_t size)
{
	const struct tsi721_dmadev *d = dma->data->dev_private;

	RTE_SET_USED(vchan);
	RTE_SET_USED(size);
	*stats = d->stats;
	return 0;
}

static int
dmadev_stats_reset(struct rte_dma_dev *dma, uint16_t vchan)
{
	struct tsi721_dmadev *d = dma->data->dev_private;

	RTE_SET_USED(vchan);
	memset(&d->stats, 0, sizeof(d->stats));
	return 0;
}

static int
dmadev_vchan_status(const struct rte_dma_dev *dma, uint16_t vchan,
		    enum rte_dma_vchan_status *status)
{
	struct tsi721_dmadev *d = dma->data->dev_private;

	RTE_SET_USED(vchan);
	*status = RTE_DMA_VCHAN_IDLE;
	if (d->q == NULL)
		return 0;
	switch (tsi721_bdma_state(d->q)) {
	case TSI721_BDMA_ACTIVE:
		*status = RTE_DMA_VCHAN_ACTIVE;
		break;
	case TSI721_BDMA_ABORTED:
		*status = RTE_DMA_VCHAN_HALTED_ERROR;
		/* Who collects next need not wait until the channel is late. */
		d->aborted = true;
		break;
	default:
		break;
	}
	return 0;
}

static int
dmadev_dump(const struct rte_dma_dev *dma, FILE *f)
{
	static const char *const dirs[] = {
		[RTE_DMA_DIR_MEM_TO_MEM] = "memory to memory",
		[RTE_DMA_DIR_MEM_TO_DEV] = "memory to RapidIO",
		[RTE_DMA_DIR_DEV_TO_MEM] = "RapidIO to memory",
	};
	const struct tsi721_dmadev *d = dma->data->dev_private;
	unsigned int i;

	fprintf(f, "  block DMA channel %u of %s, %s\n", d->ch, d->dev->name,
		d->nb_desc != 0 ? dirs[d->dir] : "not set up");
	if (d->q == NULL)
		return 0;
	fprintf(f, "  descriptors: %u, free: %u\n", d->nb_desc, tsi721_bdma_free(d->q));
	fprintf(f, "  jobs: %u, submitted %u, ended %u, collected %u\n", d->posted, d->submitted,
		d->ended, d->collected);
	if (d->dir != RTE_DMA_DIR_MEM_TO_MEM)
		fprintf(f, "  target: %s 0x%x, address bits 65:64 %u, priority %u\n",
			d->destid_in_addr ? "in the address, else" : "destination ID",
			d->req.destid, d->req.raddr_hi, d->req.prio);
	for (i = 0; i < d->loop.nb; i++)
		fprintf(f, "  window %u: 0x%" PRIx64 ", 0x%" PRIx64 " bytes\n", d->loop.w[i].win,
			d->loop.w[i].base, d->loop.w[i].size);
	return 0;
}

static const struct rte_dma_dev_ops dmadev_ops = {
	.dev_info_get = dmadev_info_get,
	.dev_configure = dmadev_configure,
	.dev_start = dmadev_start,
	.dev_stop = dmadev_stop,
	.dev_close = dmadev_close,
	.vchan_setup = dmadev_vchan_setup,
	.stats_get = dmadev_stats_get,
	.stats_reset = dmadev_stats_reset,
	.vchan_status = dmadev_vchan_status,
	.dev_dump = dmadev_dump,
};

/* --- life --- */

static int
dmadev_create(struct tsi721_device *dev, unsigned int ch)
{
	char name[RTE_DEV_NAME_MAX_LEN];
	struct rte_dma_dev *dma;
	struct tsi721_dmadev *d;
	int len;

	len = snprintf(name, sizeof(name), "%s_dma%u", dev->name, ch);
	if (len < 0 || (size_t)len >= sizeof(name)) {
		TSI721_LOG(ERR, dev, "dmadev of channel %u: its name has %d characters, allowed are "
			   "%zu", ch, len, sizeof(name) - 1);
		return -EINVAL;
	}
	dma = rte_dma_pmd_allocate(name, dev->socket_id, sizeof(*d));
	if (dma == NULL) {
		TSI721_LOG(ERR, dev, "no dmadev %s: the name is taken, there are as many as the EAL "
			   "allows, or no memory", name);
		return -ENOMEM;
	}
	d = dma->data->dev_private;
	d->dev = dev;
	d->ch = ch;
	d->dma = dma;
	d->target.write = RTE_PMD_TSI721_WRITE_LAST_R;
	dma->device = dev->rawdev->device;
	dma->dev_ops = &dmadev_ops;
	dma->fp_obj->dev_private = d;
	tsi721_dmadev_io_init(dma->fp_obj);
	dma->state = RTE_DMA_DEV_READY;
	dev->dmadev[ch] = d;
	return 0;
}

int
tsi721_dmadevs_create(struct tsi721_device *dev)
{
	unsigned int ch;
	int ret = 0;

	for (ch = 0; ch < TSI721_DMAC_MAINT && ret == 0; ch++)
		if (dev->conf.dmadev & 1u << ch)
			ret = dmadev_create(dev, ch);
	if (ret != 0)
		tsi721_dmadevs_destroy(dev);
	return ret;
}

void
tsi721_dmadevs_destroy(struct tsi721_device *dev)
{
	unsigned int ch;

	for (ch = 0; ch < TSI721_DMAC_MAINT; ch++) {
		struct tsi721_dmadev *d = dev->dmadev[ch];

		if (d == NULL)
			continue;
		if (d->dma->data->dev_started)
			rte_dma_stop(d->dma->data->dev_id);
		rte_dma_pmd_release(d->dma->data->dev_name);
	}
}

bool
tsi721_dmadevs_in_use(const struct tsi721_device *dev)
{
	unsigned int ch;

	for (ch = 0; ch < TSI721_DMAC_MAINT; ch++)
		if (dev->dmadev[ch] != NULL && dev->dmadev[ch]->q != NULL)
			return true;
	return false;
}

/* --- the public calls --- */

static struct tsi721_dmadev *
dmadev_of(int16_t dma_id)
{
	if (!rte_dma_is_valid(dma_id) || !tsi721_dmadev_io_is(&rte_dma_fp_objs[dma_id]))
		return NULL;
	return rte_dma_fp_objs[dma_id].dev_private;
}

int
rte_pmd_tsi721_dma_target_set(int16_t dma_id, uint16_t vchan,
			      const struct rte_pmd_tsi721_dma_target *target)
{
	struct tsi721_dmadev *d = dmadev_of(dma_id);

	if (d == NULL)
		return -ENODEV;
	if (vchan != 0 || target == NULL || target_check(d, target) != 0)
		return -EINVAL;
	d->target = *target;
	d->has_target = true;
	if (d->q != NULL)
		request_set(d);
	return 0;
}

int
rte_pmd_tsi721_dma_rawdev(int16_t dma_id)
{
	struct tsi721_dmadev *d = dmadev_of(dma_id);

	return d != NULL ? d->dev->rawdev->dev_id : -ENODEV;
}
