/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A device as its host sees it: life, memory, register accesses, and the
 * rerun of what was answered with RETRY.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "null_peer.h"
#include "null_proc.h"

uint64_t
null_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

/* ---- life ---- */

static struct null_device *
device_new(const struct null_device_params *p)
{
	struct null_device *dev = calloc(1, sizeof(*dev));
	uint32_t i;

	if (dev == NULL)
		return NULL;
	dev->exec = p->exec;
	dev->irq = p->irq;
	dev->irq_ctx = p->irq_ctx;
	for (i = 0; i < TSI721_DMAC_NUM; i++)
		null_engine_flush(&dev->bdma[i]);
	for (i = 0; i < TSI721_OMSG_NUM; i++)
		null_engine_flush(&dev->omsg[i]);
	null_engine_flush(&dev->odb);
	null_engine_flush(&dev->obwin);
	return dev;
}

int
null_device_open(const struct null_device_params *params, struct null_device **out, char *err,
		 size_t errlen)
{
	struct null_device *dev = device_new(params);
	int ret;

	if (dev == NULL) {
		null_say(err, errlen, "no memory for a device");
		return -ENOMEM;
	}
	ret = null_fabric_join(params->fabric, params->topology, &dev->fab, err, errlen);
	if (ret < 0) {
		free(dev);
		return ret;
	}
	ret = null_fabric_attach(dev->fab, params, &dev->ep, err, errlen);
	if (ret < 0) {
		null_fabric_leave(dev->fab);
		free(dev);
		return ret;
	}
	dev->chip = null_chip_at(dev->fab, dev->ep);
	ret = null_thread_start(dev);
	if (ret < 0) {
		null_say(err, errlen, "no thread for a device: %s", strerror(-ret));
		null_fabric_detach(dev->fab, dev->ep);
		null_peer_own(dev->fab, dev->ep, false);
		null_fabric_leave(dev->fab);
		free(dev);
		return ret;
	}
	atomic_store(&dev->fab->dev[dev->ep], dev);
	*out = dev;
	return 0;
}

void
null_device_close(struct null_device *dev)
{
	if (dev == NULL)
		return;
	pthread_rwlock_wrlock(&dev->fab->dev_lock);
	atomic_store(&dev->fab->dev[dev->ep], NULL);
	pthread_rwlock_unlock(&dev->fab->dev_lock);
	null_thread_stop(dev);
	null_fabric_detach(dev->fab, dev->ep);
	null_mem_forget(dev->fab, dev->ep);
	null_peer_own(dev->fab, dev->ep, false);
	null_fabric_leave(dev->fab);
	free(dev);
}

int
null_device_dma_map(struct null_device *dev, uint64_t iova, size_t len, void *va, int fd,
		    off_t fd_off)
{
	const struct null_export add = {
		.r = { .iova = iova, .len = len, .va = va },
		.fd = fd,
		.fd_off = fd_off,
	};

	return null_mem_map(dev->fab, dev->ep, &add);
}

int
null_device_dma_unmap(struct null_device *dev, uint64_t iova, size_t len)
{
	return null_mem_unmap(dev->fab, dev->ep, iova, len);
}

/* ---- retry ---- */

void
null_epset_add(struct null_epset *set, uint32_t ep)
{
	atomic_fetch_or(&set->w[ep / 64], 1ull << ep % 64);
}

/* Run the engines that hold something answered with RETRY. */
static void
retry_run(struct null_device *dev)
{
	null_engine_start(dev, atomic_exchange(&dev->retry, 0));
}

static inline void
retry_check(struct null_device *dev)
{
	if (null_unlikely(atomic_load_explicit(&dev->retry, memory_order_relaxed) != 0))
		retry_run(dev);
}

void
null_ep_wake(struct null_fabric *fab, uint32_t ep)
{
	struct null_device *dev;

	if (fab->shared && (null_proc_defers() || !atomic_load(&fab->own[ep]))) {
		null_proc_kick_ep(fab, ep, NULL_KICK_RETRY);
		return;
	}
	pthread_rwlock_rdlock(&fab->dev_lock);
	dev = atomic_load(&fab->dev[ep]);
	if (dev != NULL)
		retry_run(dev);
	pthread_rwlock_unlock(&fab->dev_lock);
}

void
null_waiters_wake(struct null_fabric *fab, uint32_t ep, struct null_epset *set)
{
	uint32_t i, bit;
	uint64_t w;

	(void)ep;
	for (i = 0; i < NULL_EP_MAX / 64; i++) {
		if (null_likely(atomic_load(&set->w[i]) == 0))
			continue;
		w = atomic_exchange(&set->w[i], 0);
		for (; w != 0; w &= w - 1) {
			bit = (uint32_t)__builtin_ctzll(w);
			null_ep_wake(fab, i * 64 + bit);
		}
	}
}

void
null_all_wake(struct null_fabric *fab)
{
	uint32_t ep, nb = atomic_load(&fab->sh->nb_ep);

	for (ep = 0; ep < nb; ep++)
		if (atomic_load(&fab->sh->ep[ep].attached) != 0)
			null_ep_wake(fab, ep);
}

/* ---- accesses ---- */

static uint32_t
regs_read(struct null_device *dev, uint64_t off)
{
	uint32_t val;

	retry_check(dev);
	if (null_likely(off < TSI721_BAR0_SIZE && null_reg_read(dev, (uint32_t)off, &val)))
		return val;
	null_stat_add(dev->chip, NULL_STAT_UNKNOWN_REG_READS, 1);
	return 0;
}

static void
regs_write(struct null_device *dev, uint64_t off, uint32_t val)
{
	if (null_unlikely(off >= TSI721_BAR0_SIZE || !null_reg_write(dev, (uint32_t)off, val)))
		null_stat_add(dev->chip, NULL_STAT_UNKNOWN_REG_WRITES, 1);
	retry_check(dev);
}

uint32_t
null_device_read32(struct null_device *dev, unsigned int bar, uint64_t off)
{
	uint8_t b[4];

	if (null_likely(bar == TSI721_BAR_REGS))
		return regs_read(dev, off);
	null_device_bar_read(dev, bar, off, b, sizeof(b));
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

void
null_device_write32(struct null_device *dev, unsigned int bar, uint64_t off, uint32_t val)
{
	const uint8_t b[4] = { (uint8_t)val, (uint8_t)(val >> 8), (uint8_t)(val >> 16),
			       (uint8_t)(val >> 24) };

	if (null_likely(bar == TSI721_BAR_REGS))
		regs_write(dev, off, val);
	else
		null_device_bar_write(dev, bar, off, b, sizeof(b));
}

void
null_device_bar_read(struct null_device *dev, unsigned int bar, uint64_t off, void *buf,
		     size_t len)
{
	uint8_t *b = buf;
	uint32_t val;

	memset(buf, 0, len);
	switch (bar) {
	case TSI721_BAR_REGS:
		if (len != 4)
			return;
		val = regs_read(dev, off);
		b[0] = (uint8_t)val;
		b[1] = (uint8_t)(val >> 8);
		b[2] = (uint8_t)(val >> 16);
		b[3] = (uint8_t)(val >> 24);
		return;
	case TSI721_BAR_WIN0:
	case TSI721_BAR_WIN1:
		retry_check(dev);
		null_obwin_read(dev, bar, off, buf, len);
		return;
	default:
		return;
	}
}

void
null_device_bar_write(struct null_device *dev, unsigned int bar, uint64_t off, const void *buf,
		      size_t len)
{
	const uint8_t *b = buf;

	switch (bar) {
	case TSI721_BAR_REGS:
		if (len == 4)
			regs_write(dev, off, (uint32_t)b[0] | (uint32_t)b[1] << 8 |
						     (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
		return;
	case TSI721_BAR_DOORBELL:
		if (len == 2 && off < TSI721_BAR1_SIZE)
			null_device_odb_write(dev, (uint32_t)off, (uint16_t)(b[0] << 8 | b[1]));
		return;
	case TSI721_BAR_WIN0:
	case TSI721_BAR_WIN1:
		null_obwin_write(dev, bar, off, buf, len);
		retry_check(dev);
		return;
	default:
		return;
	}
}

/* ---- what it is, what it counted ---- */

void
null_device_info_get(struct null_device *dev, struct null_device_info *info)
{
	const struct null_shared *sh = dev->fab->sh;
	const struct null_link *link = &sh->links[atomic_load(&dev->chip->link)];

	memset(info, 0, sizeof(*info));
	snprintf(info->fabric, sizeof(info->fabric), "%s", sh->name);
	snprintf(info->node, sizeof(info->node), "%s", dev->chip->node);
	info->endpoint = dev->ep;
	info->sys16 = sh->sys16 != 0;
	info->destid = null_source_id(dev->chip, info->sys16 ? TSI721_TT_16 : TSI721_TT_8);
	info->lanes = link->lanes;
	info->mbaud = link->mbaud;
}

static const char *const stat_names[NULL_STAT_COUNT] = {
	[NULL_STAT_UNKNOWN_REG_READS] = "unknown_reg_reads",
	[NULL_STAT_UNKNOWN_REG_WRITES] = "unknown_reg_writes",
	[NULL_STAT_BDMA_DESCS] = "bdma_descs",
	[NULL_STAT_BDMA_BYTES] = "bdma_bytes",
	[NULL_STAT_BDMA_ABORTS] = "bdma_aborts",
	[NULL_STAT_ODB_SENT] = "odb_sent",
	[NULL_STAT_ODB_RETRIES] = "odb_retries",
	[NULL_STAT_ODB_ERRORS] = "odb_errors",
	[NULL_STAT_IDB_RECEIVED] = "idb_received",
	[NULL_STAT_OMSG_SENT] = "omsg_sent",
	[NULL_STAT_OMSG_BYTES] = "omsg_bytes",
	[NULL_STAT_OMSG_RETRIES] = "omsg_retries",
	[NULL_STAT_OMSG_ERRORS] = "omsg_errors",
	[NULL_STAT_IMSG_RECEIVED] = "imsg_received",
	[NULL_STAT_WINDOW_MISSES] = "window_misses",
	[NULL_STAT_DMA_FAULTS] = "dma_faults",
	[NULL_STAT_IRQS] = "irqs",
	[NULL_STAT_OBWIN_ERRORS] = "obwin_errors",
};

const char *
null_device_stat_name(enum null_stat stat)
{
	return (unsigned int)stat < NULL_STAT_COUNT ? stat_names[stat] : NULL;
}

uint64_t
null_device_stat_get(struct null_device *dev, enum null_stat stat)
{
	if ((unsigned int)stat >= NULL_STAT_COUNT)
		return 0;
	return atomic_load_explicit(&dev->chip->stats[stat], memory_order_relaxed) +
	       null_doorbell_stat(dev->chip, stat) + null_mbox_stat(dev->chip, stat);
}
