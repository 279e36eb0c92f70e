/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * PCI configuration space: one table says what each word is after power-up,
 * which bits software writes, and which it clears by writing ones.
 */

#include <string.h>

#include "null_internal.h"

struct word {
	uint16_t off;
	uint32_t reset, rw, w1c;
};

#define CFG_ID			0x00u
#define CFG_CLASS		0x08u
#define CFG_CACHE_LINE		0x0cu
#define CFG_SUBSYSTEM		0x2cu
#define CFG_CAP_PTR		0x34u
#define CFG_INTERRUPT		0x3cu
#define   CFG_INTERRUPT_PIN_A		0x00000100u
#define CFG_REVISION		0x01u

/* Command: memory, master, parity and SERR enable, INTx off. Status: capabilities; errors. */
#define COMMAND_RW		0x00000546u
#define STATUS_RESET		0x00100000u
#define   STATUS_INTX			0x00080000u
#define STATUS_W1C		0xf9000000u

#define BAR_MEM_64		0x4u

#define CAP_PCIE		0x10u
#define CAP_PM			0x01u
#define CAP_MSI			0x05u
#define CAP_MSIX		0x11u
#define CAP_NEXT(off)		((uint32_t)(off) << 8)

/* PCI Express capability, version 2, endpoint. */
#define PCIE_VERSION_2		0x00020000u
#define PCIE_DEVCAP		(NULL_CFG_PCIE_CAP + 0x04u)
#define   PCIE_DEVCAP_RESET		0x00008001u	/* role-based errors, payload 256 */
#define PCIE_DEVCTL		(NULL_CFG_PCIE_CAP + 0x08u)
#define   PCIE_DEVCTL_RESET		0x00002810u	/* reads of 512 bytes, no snoop, relaxed */
#define   PCIE_DEVCTL_RW		0x000078ffu
#define   PCIE_DEVSTA_W1C		0x000f0000u
#define PCIE_LNKCAP		(NULL_CFG_PCIE_CAP + 0x0cu)
#define   PCIE_LNKCAP_RESET		0x00000042u	/* x4, 5 GT/s */
#define PCIE_LNKCTL		(NULL_CFG_PCIE_CAP + 0x10u)
#define   PCIE_LNKCTL_RESET		0x10420000u	/* and state: slot clock, as above */
#define   PCIE_LNKCTL_RW		0x000000cbu
#define PCIE_DEVCAP2		(NULL_CFG_PCIE_CAP + 0x24u)
#define   PCIE_DEVCAP2_RESET		0x0000001fu	/* completion timeout: any, or off */
#define PCIE_DEVCTL2		(NULL_CFG_PCIE_CAP + 0x28u)
#define   PCIE_DEVCTL2_RW		0x0000001fu
#define PCIE_LNKCTL2		(NULL_CFG_PCIE_CAP + 0x30u)
#define   PCIE_LNKCTL2_RESET		0x00000002u
#define   PCIE_LNKCTL2_RW		0x0000000fu

#define PM_CAPS			0x00030000u	/* version 3, no D1, D2, PME */
#define PM_CTL			(NULL_CFG_PM_CAP + 0x04u)
#define   PM_CTL_RESET			0x00000008u	/* no reset on the way from D3hot */
#define   PM_CTL_RW			0x00000003u

#define MSI_64			0x00800000u
#define MSI_ADDR_RW		0xfffffffcu
#define MSI_DATA_RW		0x0000ffffu

#define MSIX_SIZE		((TSI721_MSIX_VECTORS - 1) << 16)

static const struct word words[] = {
	{ CFG_ID, TSI721_PCI_DEVICE_ID << 16 | TSI721_PCI_VENDOR_ID, 0, 0 },
	{ NULL_CFG_COMMAND, STATUS_RESET, COMMAND_RW, STATUS_W1C },
	{ CFG_CLASS, TSI721_PCI_CLASS << 8 | CFG_REVISION, 0, 0 },
	{ CFG_CACHE_LINE, 0, 0xff, 0 },
	{ NULL_CFG_BAR(0), 0, ~(TSI721_BAR0_SIZE - 1), 0 },
	{ NULL_CFG_BAR(1), 0, ~(TSI721_BAR1_SIZE - 1), 0 },
	{ NULL_CFG_BAR(2), BAR_MEM_64, 0, 0 },
	{ NULL_CFG_BAR(3), 0, 0, 0 },
	{ NULL_CFG_BAR(4), BAR_MEM_64, 0, 0 },
	{ NULL_CFG_BAR(5), 0, 0, 0 },
	{ CFG_SUBSYSTEM, TSI721_PCI_DEVICE_ID << 16 | TSI721_PCI_VENDOR_ID, 0, 0 },
	{ CFG_CAP_PTR, NULL_CFG_PCIE_CAP, 0, 0 },
	{ CFG_INTERRUPT, CFG_INTERRUPT_PIN_A, 0xff, 0 },

	{ NULL_CFG_PCIE_CAP, PCIE_VERSION_2 | CAP_NEXT(NULL_CFG_PM_CAP) | CAP_PCIE, 0, 0 },
	{ PCIE_DEVCAP, PCIE_DEVCAP_RESET, 0, 0 },
	{ PCIE_DEVCTL, PCIE_DEVCTL_RESET, PCIE_DEVCTL_RW, PCIE_DEVSTA_W1C },
	{ PCIE_LNKCAP, PCIE_LNKCAP_RESET, 0, 0 },
	{ PCIE_LNKCTL, PCIE_LNKCTL_RESET, PCIE_LNKCTL_RW, 0 },
	{ PCIE_DEVCAP2, PCIE_DEVCAP2_RESET, 0, 0 },
	{ PCIE_DEVCTL2, 0, PCIE_DEVCTL2_RW, 0 },
	{ PCIE_LNKCTL2, PCIE_LNKCTL2_RESET, PCIE_LNKCTL2_RW, 0 },

	{ NULL_CFG_PM_CAP, PM_CAPS | CAP_NEXT(NULL_CFG_MSI_CAP) | CAP_PM, 0, 0 },
	{ PM_CTL, PM_CTL_RESET, PM_CTL_RW, 0 },

	{ NULL_CFG_MSI_CAP, MSI_64 | CAP_NEXT(NULL_CFG_MSIX_CAP) | CAP_MSI,
	  NULL_CFG_MSI_ENABLE, 0 },
	{ NULL_CFG_MSI_CAP + 4, 0, MSI_ADDR_RW, 0 },
	{ NULL_CFG_MSI_CAP + 8, 0, 0xffffffff, 0 },
	{ NULL_CFG_MSI_CAP + 12, 0, MSI_DATA_RW, 0 },

	/* The offsets of table and PBA are wrong until a driver unlocks and writes them. */
	{ NULL_CFG_MSIX_CAP, MSIX_SIZE | CAP_MSIX, NULL_CFG_MSIX_ENABLE | NULL_CFG_MSIX_MASKALL,
	  0 },
	{ TSI721_PCIECFG_MSIXTBL, 0, 0, 0 },
	{ TSI721_PCIECFG_MSIXPBA, 0, 0, 0 },
	{ TSI721_PCIECFG_EPCTL, 0, 0x00000001, 0 },
};
#define NB_WORDS	(sizeof(words) / sizeof(words[0]))

bool
null_pcicfg_win_size_ok(uint64_t size)
{
	return size >= NULL_WIN_SIZE_MIN && size <= NULL_WIN_SIZE_MAX && (size & (size - 1)) == 0;
}

void
null_pcicfg_win_size(struct null_chip *chip, uint64_t size)
{
	chip->win_log2 = (uint32_t)__builtin_ctzll(size);
}

void
null_pcicfg_reset(struct null_chip *chip)
{
	uint32_t i;

	for (i = 0; i < NULL_CFG_SIZE / 4; i++)
		atomic_store_explicit(&chip->cfg[i], 0, memory_order_relaxed);
	for (i = 0; i < NB_WORDS; i++)
		atomic_store(&chip->cfg[words[i].off / 4], words[i].reset);
}

/* Bits of a word that a write changes now. */
static uint32_t
writable(const struct null_chip *chip, const struct word *w)
{
	uint64_t win = ~((1ull << chip->win_log2) - 1);

	switch (w->off) {
	case NULL_CFG_BAR(2):
	case NULL_CFG_BAR(4):
		return (uint32_t)win;
	case NULL_CFG_BAR(3):
	case NULL_CFG_BAR(5):
		return (uint32_t)(win >> 32);
	case TSI721_PCIECFG_MSIXTBL:
	case TSI721_PCIECFG_MSIXPBA:
		return (null_cfg_get32(chip, TSI721_PCIECFG_EPCTL) & 1) != 0 ? UINT32_MAX : 0;
	default:
		return w->rw;
	}
}

static const struct word *
word_find(unsigned int off)
{
	uint32_t i;

	for (i = 0; i < NB_WORDS; i++)
		if (words[i].off == off)
			return &words[i];
	return NULL;
}

/* Does this word decide on interrupts or on DMA? */
static bool
watched(unsigned int off)
{
	return off == NULL_CFG_COMMAND || off == NULL_CFG_MSIX_CAP ||
	       (off >= NULL_CFG_MSI_CAP && off <= NULL_CFG_MSI_CAP + 12);
}

/* `lanes`: which of the word's bytes are written. */
static void
word_write(struct null_device *dev, unsigned int off, uint32_t val, uint32_t lanes)
{
	_Atomic uint32_t *cfg = &dev->chip->cfg[off / 4];
	const struct word *w = word_find(off);
	uint32_t old = atomic_load(cfg), rw, next;

	if (w == NULL)
		return;
	rw = writable(dev->chip, w) & lanes;
	do {
		next = (old & ~rw) | (val & rw);
		next &= ~(val & w->w1c & lanes);
	} while (!atomic_compare_exchange_weak(cfg, &old, next));
	if (watched(off))
		null_intr_cfg_changed(dev->fab, dev->ep);
}

static uint32_t
word_read(struct null_device *dev, unsigned int off)
{
	uint32_t val = null_cfg_get32(dev->chip, off);

	if (off == NULL_CFG_COMMAND &&
	    (null_intr_dev_int(dev->chip) & atomic_load(&dev->chip->dev_inte)) != 0)
		val |= STATUS_INTX;
	return val;
}

static bool
access_ok(unsigned int off, size_t len)
{
	return (len == 1 || len == 2 || len == 4) && off % len == 0 && off < NULL_CFG_SIZE;
}

void
null_device_cfg_read(struct null_device *dev, unsigned int off, void *buf, size_t len)
{
	uint32_t val;

	memset(buf, 0xff, len);
	if (!access_ok(off, len))
		return;
	val = null_le32(word_read(dev, off & ~3u));
	memcpy(buf, (const char *)&val + off % 4, len);
}

void
null_device_cfg_write(struct null_device *dev, unsigned int off, const void *buf, size_t len)
{
	uint32_t val = 0, lanes = 0;

	if (!access_ok(off, len))
		return;
	memcpy((char *)&val + off % 4, buf, len);
	memset((char *)&lanes + off % 4, 0xff, len);
	word_write(dev, off & ~3u, null_le32(val), null_le32(lanes));
}
