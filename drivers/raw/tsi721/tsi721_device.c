/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_memzone.h>
#include <rte_string_fns.h>

#include "tsi721_bdma.h"
#include "tsi721_device.h"
#include "tsi721_dmadev.h"
#include "tsi721_doorbell_priv.h"
#include "tsi721_idq.h"
#include "tsi721_maint_priv.h"
#include "tsi721_mbox.h"
#include "tsi721_rawdev.h"
#include "tsi721_secondary.h"
#include "tsi721_telemetry.h"

RTE_LOG_REGISTER(tsi721_logtype, pmd.raw.tsi721, NOTICE);

/*
 * RQRPTO: after how long a message is given up, in the unit of the chip. Linux sets
 * 400; a receiver that shares its core with others may stand still longer than that.
 */
#define TSI721_RQRPTO_DEFAULT		1000u

/* Devices that are up, and the lock of the list and of references. */
static struct tsi721_device *device_list;
static rte_spinlock_t device_list_lock = RTE_SPINLOCK_INITIALIZER;

/* --- memory for rings --- */

const struct rte_memzone *
tsi721_mem_reserve(struct tsi721_device *dev, const char *what, unsigned int nr, size_t size,
		   uint32_t align, int socket_id)
{
	static uint32_t serial;
	char name[RTE_MEMZONE_NAMESIZE];
	const struct rte_memzone *mz;

	/* Device names may be longer than a memzone's, hence a number. */
	snprintf(name, sizeof(name), "tsi721_%u_%s%u",
		 __atomic_fetch_add(&serial, 1, __ATOMIC_RELAXED), what, nr);
	mz = rte_memzone_reserve_aligned(name, size, socket_id, RTE_MEMZONE_IOVA_CONTIG, align);
	if (mz == NULL) {
		TSI721_LOG(ERR, dev, "%s %u: no %zu bytes of contiguous memory on socket %d: %s",
			   what, nr, size, socket_id, rte_strerror(rte_errno));
		return NULL;
	}
	memset(mz->addr, 0, size);
	return mz;
}

const struct rte_memzone *
tsi721_ring_alloc(struct tsi721_device *dev, const char *what, unsigned int nr, size_t size,
		  int socket_id)
{
	uint32_t align = RTE_MIN(rte_align32pow2((uint32_t)size), 4096u);

	return tsi721_mem_reserve(dev, what, nr, size,
				  RTE_MAX(align, (uint32_t)RTE_CACHE_LINE_SIZE), socket_id);
}

void
tsi721_ring_free(const struct rte_memzone *mz)
{
	if (mz != NULL)
		rte_memzone_free(mz);
}

/* --- bring-up --- */

/* All interrupts off, at every level, so that nothing of an earlier owner fires. */
static void
device_intr_off(struct tsi721_device *dev)
{
	unsigned int ch;

	tsi721_write32(dev, TSI721_DEV_INTE, 0);
	tsi721_write32(dev, TSI721_DEV_CHAN_INTE, 0);
	tsi721_write32(dev, TSI721_SR2PC_GEN_INTE, 0);
	tsi721_write32(dev, TSI721_PC2SR_INTE, 0);
	tsi721_write32(dev, TSI721_SMSG_INTE, 0);
	tsi721_write32(dev, TSI721_BDMA_INTE, 0);
	tsi721_write32(dev, TSI721_I2C_INT_ENABLE, 0);
	tsi721_write32(dev, TSI721_RIO_EM_DEV_INT_EN, 0);
	for (ch = 0; ch < TSI721_DMAC_NUM; ch++)
		tsi721_write32(dev, TSI721_DMAC_BASE(ch) + TSI721_DMAC_INTE, 0);
	for (ch = 0; ch < TSI721_OMSG_NUM; ch++)
		tsi721_write32(dev, TSI721_OBDMAC_INTE(ch), 0);
	for (ch = 0; ch < TSI721_IMSG_NUM; ch++)
		tsi721_write32(dev, TSI721_IBDMAC_INTE(ch), 0);
	for (ch = 0; ch < TSI721_IDQ_NUM; ch++)
		tsi721_write32(dev, TSI721_SR_CHINTE(ch), 0);
}

static void
device_windows_off(struct tsi721_device *dev)
{
	unsigned int win;

	for (win = 0; win < TSI721_OBWIN_NUM; win++)
		tsi721_write32(dev, TSI721_OBWIN_LB(win), 0);
	for (win = 0; win < TSI721_IBWIN_NUM; win++)
		tsi721_write32(dev, TSI721_IBWIN_LB(win), 0);
	dev->ibwin_used = 0;
	memset(dev->obwin, 0, sizeof(dev->obwin));
}

static void
device_messages_init(struct tsi721_device *dev)
{
	unsigned int ch;

	tsi721_write32(dev, TSI721_SMSG_ECC_LOG, 0);
	tsi721_write32(dev, TSI721_RETRY_GEN_CNT, 0);
	tsi721_write32(dev, TSI721_RETRY_RX_CNT, 0);
	tsi721_write32(dev, TSI721_RQRPTO, TSI721_RQRPTO_DEFAULT);
	/* Whatever the fabric routes here is for this device, also after it was renumbered. */
	tsi721_write32(dev, TSI721_IB_DEVID, TSI721_IB_DEVID_GLOBAL);
	for (ch = 0; ch < TSI721_IMSG_NUM; ch++) {
		tsi721_write32(dev, TSI721_IBDMAC_INT(ch), TSI721_IBDMAC_INT_ALL);
		tsi721_write32(dev, TSI721_IBDMAC_STS(ch), 0);
		tsi721_write32(dev, TSI721_SMSG_ECC_COR_LOG(ch), TSI721_SMSG_ECC_CH_MASK);
		tsi721_write32(dev, TSI721_SMSG_ECC_NCOR(ch), TSI721_SMSG_ECC_CH_MASK);
	}
}

uint16_t
tsi721_device_destid(struct tsi721_device *dev)
{
	uint32_t did = tsi721_read32(dev, RIO_DID_CSR);

	dev->destid = (uint16_t)(dev->sys16 ? did & RIO_DID_16
					    : (did & RIO_DID_8) >> RIO_DID_8_SHIFT);
	return dev->destid;
}

/* Start the link; take the destination ID that straps give. */
static void
device_link_start(struct tsi721_device *dev)
{
	/* An agent waits to be discovered. Before the link is up: a host may be quick. */
	if (dev->conf.role == RTE_PMD_TSI721_FABRIC_AGENT)
		tsi721_write32(dev, TSI721_SP_BASE + RIO_PORT_GEN_CTL_CSR, 0);
	tsi721_write32(dev, TSI721_DEVCTL,
		       tsi721_read32(dev, TSI721_DEVCTL) | TSI721_DEVCTL_SRBOOT_CMPL);
	tsi721_device_destid(dev);
}

/* What an ID may be only the fabric tells. */
static int
device_hdid_check(struct tsi721_device *dev)
{
	if (dev->conf.hdid < 0 || dev->sys16 || dev->conf.hdid < (int)RIO_ANY_DESTID_8)
		return 0;
	TSI721_LOG(ERR, dev, "hdid=%d: allowed with the 8-bit destination IDs of this fabric are "
		   "-1, 0 to 0xfe", dev->conf.hdid);
	return -EINVAL;
}

int
tsi721_device_up(struct tsi721_device *dev)
{
	uint32_t id;
	int ret;

	rte_spinlock_init(&dev->lock);
	rte_spinlock_init(&dev->event_lock);
	ret = device_hdid_check(dev);
	if (ret == 0)
		ret = tsi721_cfg_init(dev);
	if (ret != 0)
		return ret;
	id = tsi721_read32(dev, RIO_DEV_ID_CAR);
	if (id != (TSI721_RIO_DEVICE_ID << 16 | TSI721_RIO_VENDOR_ID)) {
		TSI721_LOG(ERR, dev, "device identity reads 0x%08x, a Tsi721's is 0x%08x%s", id,
			   TSI721_RIO_DEVICE_ID << 16 | TSI721_RIO_VENDOR_ID,
			   id == UINT32_MAX ? ": nothing answers on the bus" : "");
		return -ENODEV;
	}

	device_intr_off(dev);
	device_windows_off(dev);
	ret = tsi721_maint_init(dev);
	if (ret == 0)
		ret = tsi721_dbell_init(dev);
	if (ret != 0) {
		TSI721_LOG(ERR, dev, "bring-up: %s", strerror(-ret));
	} else {
		device_messages_init(dev);
		device_link_start(dev);
		ret = tsi721_intr_init(dev);
	}
	if (ret == 0)
		ret = tsi721_fabric_start(dev);
	if (ret != 0)
		tsi721_device_down(dev);
	return ret;
}

void
tsi721_device_down(struct tsi721_device *dev)
{
	unsigned int i;

	tsi721_intr_fini(dev);
	tsi721_fabric_stop(dev);
	device_intr_off(dev);
	device_windows_off(dev);
	for (i = 0; i < TSI721_MSG_MBOX_NUM; i++) {
		tsi721_omsg_close(dev->omsg[i], NULL, NULL);
		tsi721_imsg_close(dev->imsg[i]);
	}
	for (i = 0; i < TSI721_DMAC_NUM; i++)
		tsi721_bdma_close(dev->bdma[i], NULL, NULL);
	for (i = 0; i < TSI721_IDQ_NUM; i++)
		if (dev->idq[i] != NULL)
			tsi721_idq_close(dev, i);
	tsi721_dbell_fini(dev);
	tsi721_maint_fini(dev);
}

bool
tsi721_device_in_use(struct tsi721_device *dev)
{
	bool used = tsi721_dmadevs_in_use(dev) || dev->refcnt != 0 || dev->ibwin_used != 0 ||
		    tsi721_dbell_ranges(dev) != 0;
	unsigned int i;

	for (i = 0; i < TSI721_MSG_MBOX_NUM; i++)
		used = used || dev->omsg[i] != NULL || dev->imsg[i] != NULL;
	for (i = 0; i < TSI721_DMAC_NUM; i++)
		used = used || dev->bdma[i] != NULL;
	for (i = 0; i < TSI721_OBWIN_NUM; i++)
		used = used || dev->obwin[i].size != 0;
	for (i = 0; i < TSI721_IDQ_NUM; i++)
		used = used || dev->idq[i] != NULL;
	return used;
}

/* --- life --- */

int
tsi721_device_init(struct tsi721_device *dev, struct rte_device *rte_dev)
{
	int ret;

	pthread_mutex_init(&dev->fabric_cbs_lock, NULL);
	ret = tsi721_device_up(dev);
	if (ret != 0)
		return ret;
	ret = tsi721_rawdev_create(dev, rte_dev);
	if (ret != 0) {
		tsi721_device_down(dev);
		return ret;
	}
	ret = tsi721_shared_create(dev);
	if (ret != 0) {
		TSI721_LOG(ERR, dev, "for secondary processes: %s", strerror(-ret));
		tsi721_rawdev_destroy(dev);
		tsi721_device_down(dev);
		return ret;
	}

	rte_spinlock_lock(&device_list_lock);
	dev->refcnt = dev->own ? 1 : 0;
	dev->next = device_list;
	device_list = dev;
	rte_spinlock_unlock(&device_list_lock);
	TSI721_LOG(INFO, dev, "up, destination ID 0x%x", dev->destid);
	return 0;
}

/* Under the list's lock. */
static void
device_unlink(struct tsi721_device *dev)
{
	struct tsi721_device **p;

	for (p = &device_list; *p != NULL; p = &(*p)->next)
		if (*p == dev) {
			*p = dev->next;
			break;
		}
}

static void
device_end(struct tsi721_device *dev)
{
	tsi721_telemetry_leave();
	tsi721_shared_destroy(dev);
	tsi721_rawdev_destroy(dev);
	tsi721_device_down(dev);
	TSI721_LOG(INFO, dev, "gone");
	dev->host->close(dev);
}

int
tsi721_device_fini(struct tsi721_device *dev)
{
	uint32_t refs;

	rte_spinlock_lock(&device_list_lock);
	refs = dev->refcnt;
	if (refs == 0)
		device_unlink(dev);
	rte_spinlock_unlock(&device_list_lock);
	if (refs != 0) {
		TSI721_LOG(ERR, dev, "cannot be removed, %u port%s: remove %s first", refs,
			   refs == 1 ? " uses it" : "s use it", refs == 1 ? "that" : "those");
		return -EBUSY;
	}
	device_end(dev);
	return 0;
}

static struct tsi721_device *
device_find(const char *name)
{
	struct tsi721_device *dev;

	for (dev = device_list; dev != NULL; dev = dev->next)
		if (strcmp(dev->name, name) == 0)
			break;
	return dev;
}

struct tsi721_device *
tsi721_device_find(const char *name)
{
	struct tsi721_device *dev;

	rte_spinlock_lock(&device_list_lock);
	dev = device_find(name);
	rte_spinlock_unlock(&device_list_lock);
	return dev;
}

void
tsi721_device_each(void (*fn)(struct tsi721_device *dev, void *arg), void *arg)
{
	struct tsi721_device *dev;

	rte_spinlock_lock(&device_list_lock);
	for (dev = device_list; dev != NULL; dev = dev->next)
		fn(dev, arg);
	rte_spinlock_unlock(&device_list_lock);
}

struct tsi721_device *
tsi721_device_get(const char *name)
{
	struct tsi721_device *dev;

	rte_spinlock_lock(&device_list_lock);
	dev = device_find(name);
	if (dev != NULL)
		dev->refcnt++;
	rte_spinlock_unlock(&device_list_lock);
	return dev;
}

/* When the EAL ends, it forgets a vdev even where its removal is refused. */
static bool
device_forgotten(struct tsi721_device *dev)
{
	return dev->host->forgotten != NULL && dev->host->forgotten(dev);
}

bool
tsi721_device_is_gone(struct tsi721_device *dev)
{
	return tsi721_read32(dev, RIO_DEV_ID_CAR) == UINT32_MAX;
}

void
tsi721_device_put(struct tsi721_device *dev)
{
	bool end;

	if (dev == NULL)
		return;
	rte_spinlock_lock(&device_list_lock);
	end = --dev->refcnt == 0;
	if (end && dev->own)
		device_unlink(dev);
	rte_spinlock_unlock(&device_list_lock);
	if (!end)
		return;
	/* The bus has a lock of its own, so it is asked without ours. */
	if (!dev->own && device_forgotten(dev)) {
		tsi721_device_fini(dev);
		return;
	}
	if (dev->own)
		device_end(dev);
}
