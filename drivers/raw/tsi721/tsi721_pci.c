/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Boards: finds 111d:80ab on the PCI bus, and maps its BARs. */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <bus_driver.h>
#include <bus_pci_driver.h>
#include <rte_devargs.h>
#include <rte_interrupts.h>
#include <rte_string_fns.h>

#include "tsi721_args.h"
#include "tsi721_device.h"
#include "tsi721_secondary.h"

/*
 * When the EAL ends, it frees a board although a port still holds it. So what
 * is needed to bring the board to rest is a copy.
 */
struct tsi721_pci {
	struct tsi721_device dev;
	struct rte_pci_device *bus;	/* the EAL's, unless it is forgotten */
	struct rte_pci_device pci;	/* for access to configuration space */
};

static inline struct tsi721_pci *
to_board(struct tsi721_device *dev)
{
	return container_of(dev, struct tsi721_pci, dev);
}

static int
pci_cfg_read(struct tsi721_device *dev, uint32_t off, void *buf, uint32_t len)
{
	return rte_pci_read_config(&to_board(dev)->pci, buf, len, off) == (int)len ? 0 : -EIO;
}

static int
pci_cfg_write(struct tsi721_device *dev, uint32_t off, const void *buf, uint32_t len)
{
	return rte_pci_write_config(&to_board(dev)->pci, buf, len, off) == (int)len ? 0 : -EIO;
}

/* --- interrupts --- */

/*
 * All vectors end in one descriptor: whichever comes, the handler reads the
 * cause from the device, as it does for MSI and INTx.
 */
static int
pci_msix_share(struct rte_intr_handle *handle)
{
	int fd = rte_intr_fd_get(handle), i;

	if (rte_intr_nb_intr_get(handle) < (int)TSI721_MSIX_VECTORS)
		return -ENOSPC;
	for (i = 0; i < (int)TSI721_MSIX_VECTORS - 1; i++)
		if (rte_intr_efds_index_set(handle, i, fd) != 0)
			return -EINVAL;
	if (rte_intr_nb_efd_set(handle, (int)TSI721_MSIX_VECTORS - 1) != 0 ||
	    rte_intr_max_intr_set(handle, (int)TSI721_MSIX_VECTORS) != 0)
		return -EINVAL;
	return 0;
}

static void
pci_msix_unshare(struct rte_intr_handle *handle)
{
	rte_intr_nb_efd_set(handle, 0);
	rte_intr_max_intr_set(handle, 0);
}

/* One way that VFIO offers. */
static bool
pci_vfio_try(struct tsi721_device *dev, struct rte_intr_handle *handle,
	     enum tsi721_intr_mode mode)
{
	static const enum rte_intr_handle_type types[] = {
		[TSI721_INTR_INTX] = RTE_INTR_HANDLE_VFIO_LEGACY,
		[TSI721_INTR_MSI] = RTE_INTR_HANDLE_VFIO_MSI,
		[TSI721_INTR_MSIX] = RTE_INTR_HANDLE_VFIO_MSIX,
	};
	bool msix = mode == TSI721_INTR_MSIX;

	if (dev->conf.intr != TSI721_INTR_AUTO && dev->conf.intr != mode)
		return false;
	if (msix && (!dev->msix_ok || pci_msix_share(handle) != 0))
		return false;
	if (rte_intr_type_set(handle, types[mode]) == 0 && rte_intr_enable(handle) == 0)
		return true;
	if (msix)
		pci_msix_unshare(handle);
	return false;
}

static enum tsi721_intr_mode
pci_irq_start(struct tsi721_device *dev, struct rte_intr_handle *handle)
{
	enum tsi721_intr_mode mode = TSI721_INTR_OFF;

	if (rte_intr_fd_get(handle) < 0)
		return TSI721_INTR_OFF;
	switch (rte_intr_type_get(handle)) {
	case RTE_INTR_HANDLE_UIO:
	case RTE_INTR_HANDLE_UIO_INTX:
		if ((dev->conf.intr == TSI721_INTR_AUTO || dev->conf.intr == TSI721_INTR_INTX) &&
		    rte_intr_enable(handle) == 0)
			return TSI721_INTR_INTX;
		return TSI721_INTR_OFF;
	/* From what EAL has chosen (--vfio-intr) downwards. */
	case RTE_INTR_HANDLE_VFIO_MSIX:
		mode = TSI721_INTR_MSIX;
		break;
	case RTE_INTR_HANDLE_VFIO_MSI:
		mode = TSI721_INTR_MSI;
		break;
	case RTE_INTR_HANDLE_VFIO_LEGACY:
		mode = TSI721_INTR_INTX;
		break;
	default:
		break;
	}
	while (mode > TSI721_INTR_OFF && !pci_vfio_try(dev, handle, mode))
		mode--;
	return mode;
}

/* Without an interrupt a board works by polling, unless a way was asked for. */
static int
pci_irq_open(struct tsi721_device *dev)
{
	struct rte_intr_handle *handle = to_board(dev)->pci.intr_handle;

	dev->intr_mode = TSI721_INTR_OFF;
	if (dev->conf.intr == TSI721_INTR_OFF)
		return 0;
	dev->intr_mode = pci_irq_start(dev, handle);
	if (dev->intr_mode != TSI721_INTR_OFF) {
		dev->intr_handle = handle;
		return 0;
	}
	if (dev->conf.intr != TSI721_INTR_AUTO) {
		TSI721_LOG(ERR, dev, "intr=: no such interrupt to be had here, allowed are auto, off");
		return -ENOTSUP;
	}
	TSI721_LOG(WARNING, dev, "no interrupt to be had: doorbells are answered by polling only");
	return 0;
}

static void
pci_irq_ack(struct tsi721_device *dev)
{
	rte_intr_ack(dev->intr_handle);
}

/* --- its end --- */

static int
pci_cmp_name(const struct rte_device *rte_dev, const void *name)
{
	return strcmp(rte_dev_name(rte_dev), name);
}

static bool
pci_forgotten(struct tsi721_device *dev)
{
	struct rte_bus *bus = rte_bus_find_by_name("pci");

	return bus == NULL || bus->find_device(NULL, pci_cmp_name, dev->name) == NULL;
}

/* Nothing of the device reaches memory or processors after this. */
static void
pci_close(struct tsi721_device *dev)
{
	struct tsi721_pci *board = to_board(dev);

	if (dev->intr_handle != NULL) {
		rte_intr_disable(dev->intr_handle);
		if (dev->intr_mode == TSI721_INTR_MSIX)
			pci_msix_unshare(dev->intr_handle);
	}
	rte_pci_set_bus_master(&board->pci, false);
	rte_intr_instance_free(board->pci.intr_handle);
	if (!pci_forgotten(dev))
		rte_pci_unmap_device(board->bus);
	free(board);
}

static const struct tsi721_host_ops pci_host_ops = {
	.cfg_read = pci_cfg_read,
	.cfg_write = pci_cfg_write,
	.irq_open = pci_irq_open,
	.irq_ack = pci_irq_ack,
	.close = pci_close,
	.forgotten = pci_forgotten,
};

/* --- probe --- */

/*
 * The EAL would pass over a board that it cannot map without a word, so it is
 * mapped here. 1: not ours to take.
 */
static int
pci_map(struct rte_pci_device *pci)
{
	bool asked = pci->device.devargs != NULL &&
		     pci->device.devargs->policy == RTE_DEV_ALLOWED;

	switch (pci->kdrv) {
	case RTE_PCI_KDRV_VFIO:
		if (rte_pci_map_device(pci) == 0)
			return 0;
		TSI721_LOG_NAME(ERR, pci->name, "vfio-pci gives no access: is the IOMMU on (or "
				"enable_unsafe_noiommu_mode set), and all of its group bound?");
		return -ENODEV;
	case RTE_PCI_KDRV_IGB_UIO:
	case RTE_PCI_KDRV_UIO_GENERIC:
		if (rte_pci_map_device(pci) == 0)
			return 0;
		TSI721_LOG_NAME(ERR, pci->name, "UIO gives no access: it needs physical addresses "
				"(--iova-mode=pa, hugepages, root), /dev/uio and the BARs in sysfs");
		return -ENODEV;
	default:
		rte_log(asked ? RTE_LOG_ERR : RTE_LOG_INFO, tsi721_logtype,
			"%s: a kernel driver has it: bind it to vfio-pci, or a UIO driver\n",
			pci->name);
		return 1;
	}
}

/* BAR0 holds the registers, BAR1 sends doorbells; 2 and 4 are for outbound windows, if there. */
static int
pci_bars(struct tsi721_device *dev, struct rte_pci_device *pci)
{
	static const struct {
		unsigned int bar;
		uint64_t min;
	} need[] = {
		{ TSI721_BAR_REGS, TSI721_BAR0_SIZE },
		{ TSI721_BAR_DOORBELL, TSI721_BAR1_SIZE },
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(dev->bar); i++)
		dev->bar[i] = pci->mem_resource[i].addr;
	for (i = TSI721_BAR_WIN0; i <= TSI721_BAR_WIN1; i += 2)
		if (dev->bar[i] != NULL)
			dev->bar_len[i] = pci->mem_resource[i].len;
	for (i = 0; i < RTE_DIM(need); i++) {
		const struct rte_mem_resource *res = &pci->mem_resource[need[i].bar];

		if (res->addr == NULL || res->len < need[i].min) {
			TSI721_LOG(ERR, dev, "BAR%u has %" PRIu64 " bytes, needed are %" PRIu64,
				   need[i].bar, res->addr != NULL ? res->len : 0, need[i].min);
			return -ENODEV;
		}
	}
	return 0;
}

static int
tsi721_pci_probe(struct rte_pci_driver *driver, struct rte_pci_device *pci)
{
	const char *text = pci->device.devargs != NULL ? pci->device.devargs->args : NULL;
	struct tsi721_args args;
	struct tsi721_pci *board;
	int ret;

	RTE_SET_USED(driver);
	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return tsi721_secondary_probe(pci->name, &pci->device);
	ret = tsi721_args_parse(pci->name, text, true, &args);
	if (ret != 0)
		return ret;
	board = calloc(1, sizeof(*board));
	if (board == NULL)
		return -ENOMEM;
	ret = pci_map(pci);
	if (ret != 0) {
		free(board);
		return ret;
	}
	board->bus = pci;
	board->pci = *pci;
	board->pci.intr_handle = rte_intr_instance_dup(pci->intr_handle);
	if (board->pci.intr_handle == NULL) {
		rte_pci_unmap_device(pci);
		free(board);
		return -ENOMEM;
	}
	strlcpy(board->dev.name, pci->name, sizeof(board->dev.name));
	board->dev.socket_id = pci->device.numa_node;
	board->dev.conf = args.conf;
	board->dev.sys16 = args.destid_bits == 16;
	board->dev.host = &pci_host_ops;

	ret = pci_bars(&board->dev, pci);
	if (ret == 0)
		ret = tsi721_device_init(&board->dev, &pci->device);
	if (ret != 0)
		pci_close(&board->dev);
	return ret;
}

static int
tsi721_pci_remove(struct rte_pci_device *pci)
{
	struct tsi721_device *dev = tsi721_device_find(pci->name);

	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return tsi721_secondary_remove(pci->name);
	return dev != NULL ? tsi721_device_fini(dev) : 0;
}

static const struct rte_pci_id tsi721_pci_ids[] = {
	{ RTE_PCI_DEVICE(TSI721_PCI_VENDOR_ID, TSI721_PCI_DEVICE_ID) },
	{ .vendor_id = 0 },
};

static struct rte_pci_driver tsi721_pci_driver = {
	.id_table = tsi721_pci_ids,
	.probe = tsi721_pci_probe,
	.remove = tsi721_pci_remove,
};

RTE_PMD_REGISTER_PCI(raw_tsi721_pci, tsi721_pci_driver);
RTE_PMD_REGISTER_PCI_TABLE(raw_tsi721_pci, tsi721_pci_ids);
RTE_PMD_REGISTER_KMOD_DEP(raw_tsi721_pci, "* vfio-pci | igb_uio | uio_pci_generic");
RTE_PMD_REGISTER_PARAM_STRING(raw_tsi721_pci, TSI721_ARGS_BOARD_ONLY TSI721_ARGS_BOARD);
