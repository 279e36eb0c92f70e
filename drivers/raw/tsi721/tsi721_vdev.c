/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Null devices: attaches a software Tsi721 where a board's driver would map
 * BARs. The only file of the driver that knows the null device.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <bus_driver.h>
#include <bus_vdev_driver.h>
#include <rte_errno.h>
#include <rte_interrupts.h>
#include <rte_memory.h>
#include <rte_string_fns.h>

#include "null/null_device.h"
#include "tsi721_args.h"
#include "tsi721_device.h"
#include "tsi721_mem.h"
#include "tsi721_secondary.h"

/* Bus addresses of BARs: a multiple of this, which no BAR is larger than. */
#define VDEV_BAR_SPACE	(1ull << 40)

struct tsi721_vdev {
	struct tsi721_device dev;
	struct null_device *model;
	struct tsi721_mem mem;
	struct rte_intr_handle *irq_handle;
	int irq_fd;
};

/* --- registers --- */

static uint32_t
vdev_read32(void *bus, unsigned int bar, uint64_t off)
{
	return null_device_read32(bus, bar, off);
}

static void
vdev_write32(void *bus, unsigned int bar, uint64_t off, uint32_t val)
{
	null_device_write32(bus, bar, off, val);
}

static void
vdev_doorbell(void *bus, uint32_t off, uint16_t info)
{
	null_device_odb_write(bus, off, info);
}

static void
vdev_win_read(void *bus, unsigned int bar, uint64_t off, void *buf, size_t len)
{
	null_device_bar_read(bus, bar, off, buf, len);
}

static void
vdev_win_write(void *bus, unsigned int bar, uint64_t off, const void *buf, size_t len)
{
	null_device_bar_write(bus, bar, off, buf, len);
}

static const struct tsi721_bus_ops vdev_bus_ops = {
	.read32 = vdev_read32,
	.write32 = vdev_write32,
	.doorbell = vdev_doorbell,
	.win_read = vdev_win_read,
	.win_write = vdev_win_write,
};

/* --- what stands behind --- */

static inline struct tsi721_vdev *
to_vdev(struct tsi721_device *dev)
{
	return container_of(dev, struct tsi721_vdev, dev);
}

static int
vdev_cfg_read(struct tsi721_device *dev, uint32_t off, void *buf, uint32_t len)
{
	null_device_cfg_read(to_vdev(dev)->model, off, buf, len);
	return 0;
}

static int
vdev_cfg_write(struct tsi721_device *dev, uint32_t off, const void *buf, uint32_t len)
{
	null_device_cfg_write(to_vdev(dev)->model, off, buf, len);
	return 0;
}

/* Configuration space of the null device, written as a host's kernel would. */
static void
vdev_cfg_word(struct tsi721_vdev *vdev, uint32_t off, uint32_t val)
{
	val = rte_cpu_to_le_32(val);
	null_device_cfg_write(vdev->model, off, &val, sizeof(val));
}

#define PCI_MSI_ENABLE		(1u << 16)	/* of the capability's first word */
#define PCI_MSIX_ENABLE		(1u << 31)

/* INTx needs nothing; whatever a vector is, it ends in one descriptor. */
static int
vdev_irq_open(struct tsi721_device *dev)
{
	struct tsi721_vdev *vdev = to_vdev(dev);
	int cap = tsi721_pci_cap_find(dev, TSI721_PCI_CAP_MSI);
	unsigned int v;

	dev->intr_mode = dev->conf.intr != TSI721_INTR_AUTO ? dev->conf.intr : TSI721_INTR_INTX;
	switch (dev->intr_mode) {
	case TSI721_INTR_MSI:
		vdev_cfg_word(vdev, (uint32_t)cap, PCI_MSI_ENABLE);
		break;
	case TSI721_INTR_MSIX:
		for (v = 0; v < TSI721_MSIX_VECTORS; v++)
			null_device_write32(vdev->model, TSI721_BAR_REGS,
					    TSI721_MSIXTBL_OFFSET + v * 16 + 12, 0);
		vdev_cfg_word(vdev, TSI721_PCIECFG_MSIX_CAP, PCI_MSIX_ENABLE);
		break;
	case TSI721_INTR_INTX:
		break;
	default:
		return 0;
	}
	dev->intr_handle = vdev->irq_handle;
	return 0;
}

/* From whichever thread raised the cause: only passes it on. */
static void
vdev_irq(void *ctx, const struct null_irq *irq)
{
	struct tsi721_vdev *vdev = ctx;
	uint64_t one = 1;
	ssize_t ret;

	if (irq->kind == NULL_IRQ_INTX && !irq->level)
		return;
	/* It can only fail when the counter is full, and then the handler runs anyway. */
	ret = write(vdev->irq_fd, &one, sizeof(one));
	RTE_SET_USED(ret);
}

static void
vdev_irq_ack(struct tsi721_device *dev)
{
	uint64_t count;
	ssize_t ret = read(to_vdev(dev)->irq_fd, &count, sizeof(count));

	RTE_SET_USED(ret);
}

static int
vdev_mem_map(void *ctx, const struct tsi721_mem_area *area)
{
	struct tsi721_vdev *vdev = ctx;

	return null_device_dma_map(vdev->model, area->iova, area->len, area->va, area->fd,
				   area->fd_off);
}

static int
vdev_mem_unmap(void *ctx, const struct tsi721_mem_area *area)
{
	struct tsi721_vdev *vdev = ctx;

	return null_device_dma_unmap(vdev->model, area->iova, area->len);
}

static const struct tsi721_mem_ops vdev_mem_ops = {
	.map = vdev_mem_map,
	.unmap = vdev_mem_unmap,
};

static const char *
vdev_stat_name(unsigned int n)
{
	return n < NULL_STAT_COUNT ? null_device_stat_name((enum null_stat)n) : NULL;
}

static uint64_t
vdev_stat_get(struct tsi721_device *dev, unsigned int n)
{
	return null_device_stat_get(to_vdev(dev)->model, (enum null_stat)n);
}

static int
vdev_cmp_name(const struct rte_device *rte_dev, const void *name)
{
	return strcmp(rte_dev_name(rte_dev), name);
}

static bool
vdev_forgotten(struct tsi721_device *dev)
{
	struct rte_bus *bus = rte_bus_find_by_name("vdev");

	return bus == NULL || bus->find_device(NULL, vdev_cmp_name, dev->name) == NULL;
}

/* Undo of what vdev_attach has done so far. */
static void
vdev_detach(struct tsi721_device *dev)
{
	struct tsi721_vdev *vdev = to_vdev(dev);

	if (vdev->mem.ops != NULL)
		tsi721_mem_fini(&vdev->mem);
	null_device_close(vdev->model);
	rte_intr_instance_free(vdev->irq_handle);
	if (vdev->irq_fd >= 0)
		close(vdev->irq_fd);
	free(vdev);
}

static const struct tsi721_host_ops vdev_host_ops = {
	.cfg_read = vdev_cfg_read,
	.cfg_write = vdev_cfg_write,
	.irq_open = vdev_irq_open,
	.irq_ack = vdev_irq_ack,
	.close = vdev_detach,
	.forgotten = vdev_forgotten,
	.stat_name = vdev_stat_name,
	.stat_get = vdev_stat_get,
};

/* --- attaching --- */

static int
vdev_intr_create(struct tsi721_vdev *vdev)
{
	vdev->irq_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (vdev->irq_fd < 0)
		return -errno;
	vdev->irq_handle = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	/* EXT: the EAL does not read the descriptor, the handler does. */
	if (vdev->irq_handle == NULL ||
	    rte_intr_fd_set(vdev->irq_handle, vdev->irq_fd) != 0 ||
	    rte_intr_type_set(vdev->irq_handle, RTE_INTR_HANDLE_EXT) != 0)
		return -ENOMEM;
	return 0;
}

static int
vdev_null_open(struct tsi721_vdev *vdev, const struct tsi721_args *args)
{
	struct null_device_params params = {
		.fabric = args->fabric[0] != '\0' ? args->fabric : NULL,
		.topology = args->topology[0] != '\0' ? args->topology : NULL,
		.faults = args->fault[0] != '\0' ? args->fault : NULL,
		.node = args->node[0] != '\0' ? args->node : NULL,
		.destid = args->destid >= 0 ? args->destid : NULL_DESTID_AUTO,
		.host = args->host,
		.exec = args->thread ? NULL_EXEC_THREAD : NULL_EXEC_INLINE,
		.lanes = args->lanes,
		.mbaud = args->mbaud,
		.irq = vdev_irq,
		.irq_ctx = vdev,
	};
	struct null_device_info info;
	char err[NULL_ERR_LEN] = "";
	int ret;

	ret = null_device_open(&params, &vdev->model, err, sizeof(err));
	if (ret != 0) {
		TSI721_LOG(ERR, &vdev->dev, "%s", err[0] != '\0' ? err : strerror(-ret));
		return ret;
	}
	null_device_info_get(vdev->model, &info);
	vdev->dev.sys16 = info.sys16;
	return 0;
}

/* What firmware does for a board: sizes BAR2 and BAR4 and gives them addresses on the bus. */
static void
vdev_bars_assign(struct tsi721_vdev *vdev)
{
	static const uint32_t ones = UINT32_MAX;
	unsigned int bar;

	for (bar = TSI721_BAR_WIN0; bar <= TSI721_BAR_WIN1; bar += 2) {
		unsigned int off = 0x10 + 4 * bar;
		uint64_t addr = VDEV_BAR_SPACE * bar;
		uint32_t word[2];

		null_device_cfg_write(vdev->model, off, &ones, 4);
		null_device_cfg_write(vdev->model, off + 4, &ones, 4);
		null_device_cfg_read(vdev->model, off, &word[0], 4);
		null_device_cfg_read(vdev->model, off + 4, &word[1], 4);
		vdev->dev.bar_len[bar] = -((uint64_t)rte_le_to_cpu_32(word[1]) << 32 |
					   (rte_le_to_cpu_32(word[0]) & ~0xfu));
		word[0] = rte_cpu_to_le_32((uint32_t)addr);
		word[1] = rte_cpu_to_le_32((uint32_t)(addr >> 32));
		null_device_cfg_write(vdev->model, off, &word[0], 4);
		null_device_cfg_write(vdev->model, off + 4, &word[1], 4);
	}
}

static int
vdev_attach(const char *name, const char *text, int socket_id, bool own,
	    struct rte_device *rte_dev, struct tsi721_device **dev)
{
	struct tsi721_args args;
	struct tsi721_vdev *vdev;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		TSI721_LOG_NAME(ERR, name, "null devices belong to the primary process");
		return -ENOTSUP;
	}
	ret = tsi721_args_parse(name, text, false, &args);
	if (ret != 0)
		return ret;
	vdev = calloc(1, sizeof(*vdev));
	if (vdev == NULL)
		return -ENOMEM;
	strlcpy(vdev->dev.name, name, sizeof(vdev->dev.name));
	vdev->dev.socket_id = socket_id;
	vdev->dev.conf = args.conf;
	vdev->dev.own = own;
	vdev->dev.host = &vdev_host_ops;
	vdev->irq_fd = -1;

	ret = vdev_intr_create(vdev);
	if (ret == 0)
		ret = vdev_null_open(vdev, &args);
	if (ret == 0) {
		vdev_bars_assign(vdev);
		vdev->dev.ops = &vdev_bus_ops;
		vdev->dev.bus = vdev->model;
		ret = tsi721_mem_init(&vdev->mem, vdev->dev.name, &vdev_mem_ops, vdev);
		if (ret != 0)
			vdev->mem.ops = NULL;
	}
	if (ret == 0)
		ret = tsi721_device_init(&vdev->dev, rte_dev);
	if (ret != 0) {
		vdev_detach(&vdev->dev);
		return ret;
	}
	*dev = &vdev->dev;
	return 0;
}

int
tsi721_device_open_own(const char *name, const char *args, struct tsi721_device **dev)
{
	char own_name[TSI721_NAME_LEN];
	int len = snprintf(own_name, sizeof(own_name), TSI721_VDEV_PREFIX "_%s", name);

	if (len < 0 || (size_t)len >= sizeof(own_name)) {
		TSI721_LOG_NAME(ERR, name, "name of %zu characters: allowed are %zu", strlen(name),
				sizeof(own_name) - sizeof(TSI721_VDEV_PREFIX "_"));
		return -EINVAL;
	}
	if (tsi721_device_find(own_name) != NULL) {
		TSI721_LOG_NAME(ERR, own_name, "there is one already");
		return -EEXIST;
	}
	return vdev_attach(own_name, args, SOCKET_ID_ANY, true, NULL, dev);
}

static int
tsi721_vdev_probe(struct rte_vdev_device *vdev)
{
	struct tsi721_device *dev;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return tsi721_secondary_probe(rte_vdev_device_name(vdev), &vdev->device);
	ret = vdev_attach(rte_vdev_device_name(vdev), rte_vdev_device_args(vdev),
			  vdev->device.numa_node, false, &vdev->device, &dev);

	/* The bus would take -EEXIST for a device that it has probed already. */
	return ret == -EEXIST ? -EBUSY : ret;
}

static int
tsi721_vdev_remove(struct rte_vdev_device *vdev)
{
	struct tsi721_device *dev = tsi721_device_find(rte_vdev_device_name(vdev));

	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return tsi721_secondary_remove(rte_vdev_device_name(vdev));
	return dev != NULL ? tsi721_device_fini(dev) : 0;
}

static int
tsi721_vdev_dma_map(struct rte_vdev_device *vdev, void *addr, uint64_t iova, size_t len)
{
	struct tsi721_device *dev = tsi721_device_find(rte_vdev_device_name(vdev));
	int ret = dev != NULL ? tsi721_mem_add(&to_vdev(dev)->mem, addr, iova, len) : -ENODEV;

	rte_errno = -ret;
	return ret != 0 ? -1 : 0;
}

static int
tsi721_vdev_dma_unmap(struct rte_vdev_device *vdev, void *addr, uint64_t iova, size_t len)
{
	struct tsi721_device *dev = tsi721_device_find(rte_vdev_device_name(vdev));
	int ret = dev != NULL ? tsi721_mem_del(&to_vdev(dev)->mem, addr, iova, len) : -ENODEV;

	rte_errno = -ret;
	return ret != 0 ? -1 : 0;
}

static struct rte_vdev_driver tsi721_vdev_driver = {
	.probe = tsi721_vdev_probe,
	.remove = tsi721_vdev_remove,
	.dma_map = tsi721_vdev_dma_map,
	.dma_unmap = tsi721_vdev_dma_unmap,
};

RTE_PMD_REGISTER_VDEV(raw_tsi721, tsi721_vdev_driver);
RTE_PMD_REGISTER_PARAM_STRING(raw_tsi721, TSI721_ARGS_NULL TSI721_ARGS_BOARD);
