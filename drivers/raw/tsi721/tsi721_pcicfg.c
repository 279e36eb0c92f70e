/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* PCI configuration space, as far as it is the driver's to set. */

#include <errno.h>
#include <string.h>

#include <rte_pci.h>

#include "tsi721_device.h"

/* What rte_pci.h does not name. */
#define PCI_COMMAND_MEMORY		0x0002u
#define PCI_CAP_PTR			0x34u
#define PCI_CAP_FIRST			0x40u
#define PCI_CAP_MAX			48u	/* as many as fit; a list that runs in a circle */
#define PCI_EXP_DEVCTL			0x08u
#define   PCI_EXP_DEVCTL_RELAX_EN	0x0010u
#define   PCI_EXP_DEVCTL_NOSNOOP_EN	0x0800u
#define   PCI_EXP_DEVCTL_READRQ		0x7000u
#define   PCI_EXP_DEVCTL_READRQ_SHIFT	12
#define PCI_EXP_DEVCTL2			0x28u
#define   PCI_EXP_DEVCTL2_COMP_TIMEOUT	0x000fu
#define   PCI_EXP_DEVCTL2_1_TO_10_MS	0x0002u

static int
cfg_update(struct tsi721_device *dev, uint32_t off, uint16_t clear, uint16_t set)
{
	uint16_t old, val;

	if (dev->host->cfg_read(dev, off, &old, sizeof(old)) < 0)
		return -EIO;
	val = rte_cpu_to_le_16((uint16_t)((rte_le_to_cpu_16(old) & ~clear) | set));
	if (val == old)
		return 0;
	return dev->host->cfg_write(dev, off, &val, sizeof(val)) < 0 ? -EIO : 0;
}

int
tsi721_pci_cap_find(struct tsi721_device *dev, uint8_t id)
{
	uint8_t pos = 0, cap[2];
	unsigned int i;

	if (dev->host->cfg_read(dev, PCI_CAP_PTR, &pos, 1) < 0)
		return -EIO;
	for (i = 0; pos >= PCI_CAP_FIRST && i < PCI_CAP_MAX; i++) {
		if (dev->host->cfg_read(dev, pos & ~3u, cap, sizeof(cap)) < 0)
			return -EIO;
		if (cap[0] == id)
			return pos & ~3;
		pos = cap[1];
	}
	return -ENOENT;
}

static int
cfg_pcie(struct tsi721_device *dev)
{
	uint16_t devctl = 0, clear = PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_NOSNOOP_EN;
	int cap = tsi721_pci_cap_find(dev, TSI721_PCI_CAP_EXP), ret;

	if (cap == -ENOENT) {
		/* A hypervisor may hide it; what it holds is then the host's to set. */
		TSI721_LOG(WARNING, dev, "no PCI Express capability: its settings are left alone");
		return 0;
	}
	if (cap < 0)
		return cap;
	if (dev->conf.mrrs >= 0) {
		clear |= PCI_EXP_DEVCTL_READRQ;
		devctl = (uint16_t)(dev->conf.mrrs << PCI_EXP_DEVCTL_READRQ_SHIFT);
	}
	ret = cfg_update(dev, (uint32_t)cap + PCI_EXP_DEVCTL, clear, devctl);
	if (ret == 0)
		ret = cfg_update(dev, (uint32_t)cap + PCI_EXP_DEVCTL2,
				 PCI_EXP_DEVCTL2_COMP_TIMEOUT, PCI_EXP_DEVCTL2_1_TO_10_MS);
	return ret;
}

static int
cfg_write32(struct tsi721_device *dev, uint32_t off, uint32_t val)
{
	val = rte_cpu_to_le_32(val);
	return dev->host->cfg_write(dev, off, &val, sizeof(val));
}

/*
 * After power-up the MSI-X capability names wrong places for the table and its
 * pending bits, until they are written while unlocked. Who stands between may
 * not let these writes pass: then MSI-X is not used.
 */
static bool
cfg_msix(struct tsi721_device *dev)
{
	uint32_t at[2] = { 0 };
	int cap = tsi721_pci_cap_find(dev, TSI721_PCI_CAP_MSIX);

	if (cap != TSI721_PCIECFG_MSIX_CAP)
		return false;
	if (cfg_write32(dev, TSI721_PCIECFG_EPCTL, 1) == 0) {
		cfg_write32(dev, TSI721_PCIECFG_MSIXTBL, TSI721_MSIXTBL_OFFSET);
		cfg_write32(dev, TSI721_PCIECFG_MSIXPBA, TSI721_MSIXPBA_OFFSET);
		cfg_write32(dev, TSI721_PCIECFG_EPCTL, 0);
	}
	return dev->host->cfg_read(dev, TSI721_PCIECFG_MSIXTBL, &at[0], sizeof(at[0])) == 0 &&
	       dev->host->cfg_read(dev, TSI721_PCIECFG_MSIXPBA, &at[1], sizeof(at[1])) == 0 &&
	       rte_le_to_cpu_32(at[0]) == TSI721_MSIXTBL_OFFSET &&
	       rte_le_to_cpu_32(at[1]) == TSI721_MSIXPBA_OFFSET;
}

int
tsi721_cfg_init(struct tsi721_device *dev)
{
	int ret = cfg_update(dev, RTE_PCI_COMMAND, 0, RTE_PCI_COMMAND_MASTER | PCI_COMMAND_MEMORY);

	if (ret == 0)
		ret = cfg_pcie(dev);
	if (ret != 0) {
		TSI721_LOG(ERR, dev, "PCI configuration space: %s", strerror(-ret));
		return ret;
	}
	dev->msix_ok = cfg_msix(dev);
	return 0;
}
