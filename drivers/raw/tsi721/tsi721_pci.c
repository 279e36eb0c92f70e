/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Boards: finds 111d:80ab on the PCI bus, and maps its BARs. */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <bus_pci_driver.h>
#include <rte_devargs.h>
#include <rte_interrupts.h>
#include <rte_string_fns.h>

#include "tsi721_args.h"
#include "tsi721_device.h"

struct tsi721_pci {
	struct tsi721_device dev;
	struct rte_pci_device *pci;
};

static inline struct rte_pci_device *
to_pci(struct tsi721_device *dev)
{
	return container_of(dev, struct tsi721_pci, dev)->pci;
}

static int
pci_cfg_read(struct tsi721_device *dev, uint32_t off, void *buf, uint32_t len)
{
	return rte_pci_read_config(to_pci(dev), buf, len, off) == (int)len ? 0 : -EIO;
}

static int
pci_cfg_write(struct tsi721_device *dev, uint32_t off, const void *buf, uint32_t len)
{
	return rte_pci_write_config(to_pci(dev), buf, len, off) == (int)len ? 0 : -EIO;
}

static void
pci_irq_ack(struct tsi721_device *dev)
{
	rte_intr_ack(dev->intr_handle);
}

static void
pci_close(struct tsi721_device *dev)
{
	if (dev->intr_handle != NULL)
		rte_intr_disable(dev->intr_handle);
	rte_pci_set_bus_master(to_pci(dev), false);
	free(container_of(dev, struct tsi721_pci, dev));
}

static const struct tsi721_host_ops pci_host_ops = {
	.cfg_read = pci_cfg_read,
	.cfg_write = pci_cfg_write,
	.irq_ack = pci_irq_ack,
	.close = pci_close,
};

/* BAR0 holds the registers, BAR1 sends doorbells; 2 and 4 are for outbound windows, if there. */
static int
pci_map(struct tsi721_device *dev, struct rte_pci_device *pci)
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
	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		TSI721_LOG_NAME(ERR, pci->name, "boards belong to the primary process");
		return -ENOTSUP;
	}
	ret = tsi721_args_parse(pci->name, text, true, &args);
	if (ret != 0)
		return ret;
	board = calloc(1, sizeof(*board));
	if (board == NULL)
		return -ENOMEM;
	board->pci = pci;
	strlcpy(board->dev.name, pci->name, sizeof(board->dev.name));
	board->dev.socket_id = pci->device.numa_node;
	board->dev.conf = args.conf;
	board->dev.host = &pci_host_ops;

	ret = pci_map(&board->dev, pci);
	if (ret == 0) {
		/* Without an interrupt a board works by polling. */
		if (rte_intr_fd_get(pci->intr_handle) >= 0 &&
		    rte_intr_enable(pci->intr_handle) == 0)
			board->dev.intr_handle = pci->intr_handle;
		ret = tsi721_device_init(&board->dev, &pci->device);
		if (ret != 0)
			pci_close(&board->dev);
	} else {
		free(board);
	}
	return ret;
}

static int
tsi721_pci_remove(struct rte_pci_device *pci)
{
	struct tsi721_device *dev = tsi721_device_find(pci->name);

	return dev != NULL ? tsi721_device_fini(dev) : 0;
}

static const struct rte_pci_id tsi721_pci_ids[] = {
	{ RTE_PCI_DEVICE(TSI721_PCI_VENDOR_ID, TSI721_PCI_DEVICE_ID) },
	{ .vendor_id = 0 },
};

static struct rte_pci_driver tsi721_pci_driver = {
	.id_table = tsi721_pci_ids,
	.drv_flags = RTE_PCI_DRV_NEED_MAPPING,
	.probe = tsi721_pci_probe,
	.remove = tsi721_pci_remove,
};

RTE_PMD_REGISTER_PCI(raw_tsi721_pci, tsi721_pci_driver);
RTE_PMD_REGISTER_PCI_TABLE(raw_tsi721_pci, tsi721_pci_ids);
RTE_PMD_REGISTER_KMOD_DEP(raw_tsi721_pci, "* vfio-pci | igb_uio | uio_pci_generic");
RTE_PMD_REGISTER_PARAM_STRING(raw_tsi721_pci, TSI721_ARGS_BOARD);
