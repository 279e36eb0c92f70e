/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <rte_cycles.h>

#include "tsi721_obwin.h"

#define CFG_BAR(bar)	(0x10u + 4u * (bar))
#define BAR_TYPE	0x7u	/* with memory of 64 bits */
#define BAR_TYPE_64	0x4u
#define LUT_HC_SHIFT	24
#define LUT_ADD65_SHIFT	18
#define LUT_TT_SHIFT	16
#define GO_US		1000u

static const uint8_t obwin_bars[] = { TSI721_BAR_WIN0, TSI721_BAR_WIN1 };

/* --- place in the BARs --- */

/* Address that a BAR has on the bus; 0: it cannot hold windows. */
static uint64_t
bar_address(struct tsi721_device *dev, unsigned int bar)
{
	uint32_t lo, hi;

	if (dev->bar_len[bar] == 0 ||
	    dev->host->cfg_read(dev, CFG_BAR(bar), &lo, sizeof(lo)) < 0 ||
	    dev->host->cfg_read(dev, CFG_BAR(bar) + 4, &hi, sizeof(hi)) < 0)
		return 0;
	lo = rte_le_to_cpu_32(lo);
	/* Another kind is not documented to work. */
	if ((lo & BAR_TYPE) != BAR_TYPE_64)
		return 0;
	return (uint64_t)rte_le_to_cpu_32(hi) << 32 | (lo & ~0xfu);
}

static bool
place_taken(const struct tsi721_device *dev, unsigned int bar, uint64_t off, uint64_t size)
{
	unsigned int i;

	for (i = 0; i < TSI721_OBWIN_NUM; i++) {
		const struct tsi721_obwin *w = &dev->obwin[i];

		if (w->size != 0 && w->bar == bar && off < w->off + w->size &&
		    w->off < off + size)
			return true;
	}
	return false;
}

/* Room for a window, at a multiple of its size. */
static int
place_find(struct tsi721_device *dev, uint64_t size, struct tsi721_obwin *w, uint64_t *addr)
{
	int ret = -ENODEV;
	unsigned int i;

	for (i = 0; i < RTE_DIM(obwin_bars); i++) {
		unsigned int bar = obwin_bars[i];
		uint64_t base = bar_address(dev, bar), off;

		if (base == 0)
			continue;
		ret = -ENOSPC;
		for (off = 0; off + size <= dev->bar_len[bar]; off += size) {
			if (place_taken(dev, bar, off, size))
				continue;
			*w = (struct tsi721_obwin){ .bar = bar, .off = off, .size = size };
			*addr = base + off;
			return 0;
		}
	}
	return ret;
}

/* --- zones --- */

static bool
zone_good(const struct tsi721_device *dev, const struct tsi721_obwin_zone *z, uint64_t size)
{
	uint32_t destid_max = dev->sys16 ? RIO_ANY_DESTID_16 : RIO_ANY_DESTID_8;

	return z->type <= TSI721_OBWIN_MAINT && z->destid <= destid_max && z->raddr_hi <= 3 &&
	       z->raddr % size == 0 &&
	       (z->type != TSI721_OBWIN_MAINT || (z->raddr_hi == 0 &&
						  z->raddr < TSI721_OBWIN_MAINT_SPACE));
}

static int
zone_refused(struct tsi721_device *dev, const struct tsi721_obwin_zone *z, uint64_t size)
{
	TSI721_LOG(ERR, dev, "outbound zone of 0x%" PRIx64 " bytes, type %u, to 0x%x at 0x%x:0x%"
		   PRIx64 ": allowed are types 0 to 2, IDs of %u bits, address bits 65:64 below 4, "
		   "addresses at multiples of the size", size, z->type, z->destid, z->raddr_hi,
		   z->raddr, dev->sys16 ? 16 : 8);
	return -EINVAL;
}

/* The chip moves the data registers into the table, and says when it has. */
static int
zone_wait(struct tsi721_device *dev)
{
	unsigned int us = 0;

	while (tsi721_read32(dev, TSI721_ZONE_SEL) & TSI721_ZONE_SEL_GO) {
		if (us++ == GO_US)
			return -ETIMEDOUT;
		rte_delay_us_block(1);
	}
	return 0;
}

static uint32_t
zone_types(enum tsi721_obwin_type type)
{
	switch (type) {
	case TSI721_OBWIN_NWRITE:
		return TSI721_LUT_DATA0_NREAD | TSI721_LUT_DATA0_NWR;
	case TSI721_OBWIN_NWRITE_R:
		return TSI721_LUT_DATA0_NREAD | TSI721_LUT_DATA0_NWR_R;
	default:
		return TSI721_LUT_DATA0_MNTRD | TSI721_LUT_DATA0_MNTWR;
	}
}

/* Under the lock. */
static int
zone_write(struct tsi721_device *dev, unsigned int win, unsigned int zone,
	   const struct tsi721_obwin_zone *z)
{
	uint32_t hop = z->type == TSI721_OBWIN_MAINT ? z->hop : 0;
	int ret = zone_wait(dev);

	if (ret != 0)
		return ret;
	tsi721_write32(dev, TSI721_LUT_DATA0,
		       ((uint32_t)z->raddr & TSI721_LUT_DATA0_ADD) | zone_types(z->type));
	tsi721_write32(dev, TSI721_LUT_DATA1, (uint32_t)(z->raddr >> 32));
	tsi721_write32(dev, TSI721_LUT_DATA2,
		       hop << LUT_HC_SHIFT | (uint32_t)z->raddr_hi << LUT_ADD65_SHIFT |
		       (uint32_t)tsi721_tt(dev) << LUT_TT_SHIFT | z->destid);
	tsi721_write32(dev, TSI721_ZONE_SEL,
		       TSI721_ZONE_SEL_GO | win << TSI721_ZONE_SEL_WIN_SHIFT | zone);
	return zone_wait(dev);
}

/* What a zone shows when one entry stands for the whole window. */
static struct tsi721_obwin_zone
zone_of(const struct tsi721_obwin_zone *zones, unsigned int nb_zones, unsigned int i,
	uint64_t zone_size)
{
	struct tsi721_obwin_zone z = zones[nb_zones == 1 ? 0 : i];

	if (nb_zones == 1) {
		uint64_t raddr = z.raddr + i * zone_size;

		z.raddr_hi += raddr < z.raddr;
		z.raddr = raddr;
	}
	return z;
}

static int
zones_check(struct tsi721_device *dev, uint64_t size, const struct tsi721_obwin_zone *zones,
	    unsigned int nb_zones)
{
	uint64_t zone_size = size / TSI721_OBWIN_ZONES;
	unsigned int i;

	if (size < TSI721_OBWIN_SIZE_MIN || size > TSI721_OBWIN_SIZE_MAX || (size & (size - 1)) != 0 ||
	    (nb_zones != 1 && nb_zones != TSI721_OBWIN_ZONES)) {
		TSI721_LOG(ERR, dev, "outbound window of 0x%" PRIx64 " bytes with %u zones: allowed "
			   "are powers of two from 32 KiB, 1 or 8", size, nb_zones);
		return -EINVAL;
	}
	for (i = 0; i < TSI721_OBWIN_ZONES; i++) {
		const struct tsi721_obwin_zone z = zone_of(zones, nb_zones, i, zone_size);

		if (!zone_good(dev, &z, zone_size))
			return zone_refused(dev, &z, zone_size);
	}
	return 0;
}

/* --- windows --- */

/* Under the lock. */
static int
window_write(struct tsi721_device *dev, unsigned int win, uint64_t addr, uint64_t size,
	     const struct tsi721_obwin_zone *zones, unsigned int nb_zones)
{
	uint32_t code = (uint32_t)__builtin_ctzll(size / TSI721_OBWIN_SIZE_MIN);
	unsigned int i;
	int ret = 0;

	for (i = 0; i < TSI721_OBWIN_ZONES && ret == 0; i++) {
		const struct tsi721_obwin_zone z = zone_of(zones, nb_zones, i,
							   size / TSI721_OBWIN_ZONES);

		ret = zone_write(dev, win, i, &z);
	}
	if (ret != 0) {
		TSI721_LOG(ERR, dev, "outbound window %u: ZONE_SEL stays busy", win);
		return ret;
	}
	tsi721_write32(dev, TSI721_OBWIN_SZ(win), code << TSI721_OBWIN_SZ_SIZE_SHIFT);
	tsi721_write32(dev, TSI721_OBWIN_UB(win), (uint32_t)(addr >> 32));
	/* The enable bit last. */
	tsi721_write32(dev, TSI721_OBWIN_LB(win),
		       ((uint32_t)addr & TSI721_OBWIN_LB_BA) | TSI721_OBWIN_LB_WEN);
	tsi721_read32(dev, TSI721_OBWIN_LB(win));
	return 0;
}

int
tsi721_obwin_open(struct tsi721_device *dev, uint64_t size,
		  const struct tsi721_obwin_zone *zones, unsigned int nb_zones)
{
	struct tsi721_obwin w;
	unsigned int win;
	uint64_t addr;
	int ret = zones_check(dev, size, zones, nb_zones);

	if (ret != 0)
		return ret;
	rte_spinlock_lock(&dev->lock);
	for (win = 0; win < TSI721_OBWIN_NUM && dev->obwin[win].size != 0; win++)
		;
	ret = win == TSI721_OBWIN_NUM ? -ENOSPC : place_find(dev, size, &w, &addr);
	if (ret == 0)
		ret = window_write(dev, win, addr, size, zones, nb_zones);
	if (ret == 0)
		dev->obwin[win] = w;
	rte_spinlock_unlock(&dev->lock);
	return ret == 0 ? (int)win : ret;
}

static bool
window_is_open(const struct tsi721_device *dev, unsigned int win)
{
	return win < TSI721_OBWIN_NUM && dev->obwin[win].size != 0;
}

int
tsi721_obwin_close(struct tsi721_device *dev, unsigned int win)
{
	int ret = -EINVAL;

	rte_spinlock_lock(&dev->lock);
	if (window_is_open(dev, win)) {
		tsi721_write32(dev, TSI721_OBWIN_LB(win), 0);
		tsi721_read32(dev, TSI721_OBWIN_LB(win));
		dev->obwin[win].size = 0;
		ret = 0;
	}
	rte_spinlock_unlock(&dev->lock);
	return ret;
}

int
tsi721_obwin_zone(struct tsi721_device *dev, unsigned int win, unsigned int zone,
		  const struct tsi721_obwin_zone *to)
{
	uint64_t size;
	int ret = -EINVAL;

	rte_spinlock_lock(&dev->lock);
	if (window_is_open(dev, win) && zone < TSI721_OBWIN_ZONES) {
		size = dev->obwin[win].size / TSI721_OBWIN_ZONES;
		ret = zone_good(dev, to, size) ? zone_write(dev, win, zone, to) :
						 zone_refused(dev, to, size);
	}
	rte_spinlock_unlock(&dev->lock);
	return ret;
}

uint64_t
tsi721_obwin_size(struct tsi721_device *dev, unsigned int win)
{
	return window_is_open(dev, win) ? dev->obwin[win].size : 0;
}

volatile void *
tsi721_obwin_ptr(struct tsi721_device *dev, unsigned int win)
{
	const struct tsi721_obwin *w = &dev->obwin[win];

	if (!window_is_open(dev, win) || dev->ops != NULL || dev->bar[w->bar] == NULL)
		return NULL;
	return dev->bar[w->bar] + w->off;
}

/* --- accesses --- */

/* Bytes up to a multiple of 8, or all. */
static size_t
head_len(const volatile uint8_t *at, size_t len)
{
	return RTE_MIN((size_t)(-(uintptr_t)at & 7u), len);
}

static void
mmio_write(volatile uint8_t *to, const uint8_t *from, size_t len)
{
	size_t head = head_len(to, len);
	uint64_t word;

	for (len -= head; head > 0; head--)
		*to++ = *from++;
	for (; len >= 8; len -= 8, to += 8, from += 8) {
		memcpy(&word, from, 8);
		*(volatile uint64_t *)(volatile void *)to = word;
	}
	for (; len > 0; len--)
		*to++ = *from++;
}

static void
mmio_read(uint8_t *to, const volatile uint8_t *from, size_t len)
{
	size_t head = head_len(from, len);
	uint64_t word;

	for (len -= head; head > 0; head--)
		*to++ = *from++;
	for (; len >= 8; len -= 8, to += 8, from += 8) {
		word = *(const volatile uint64_t *)(const volatile void *)from;
		memcpy(to, &word, 8);
	}
	for (; len > 0; len--)
		*to++ = *from++;
}

/* A maintenance request is one access of 4 bytes. */
static bool
one_word(const volatile uint8_t *at, size_t len)
{
	return len == 4 && (uintptr_t)at % 4 == 0;
}

void
tsi721_obwin_write(struct tsi721_device *dev, unsigned int win, uint64_t off, const void *buf,
		   size_t len)
{
	const struct tsi721_obwin *w = &dev->obwin[win];
	volatile uint8_t *at;
	uint32_t word;

	if (unlikely(dev->ops != NULL)) {
		dev->ops->win_write(dev->bus, w->bar, w->off + off, buf, len);
		return;
	}
	at = dev->bar[w->bar] + w->off + off;
	if (one_word(at, len)) {
		memcpy(&word, buf, 4);
		*(volatile uint32_t *)(volatile void *)at = word;
	} else {
		mmio_write(at, buf, len);
	}
}

void
tsi721_obwin_read(struct tsi721_device *dev, unsigned int win, uint64_t off, void *buf, size_t len)
{
	const struct tsi721_obwin *w = &dev->obwin[win];
	const volatile uint8_t *at;
	uint32_t word;

	if (unlikely(dev->ops != NULL)) {
		dev->ops->win_read(dev->bus, w->bar, w->off + off, buf, len);
		return;
	}
	at = dev->bar[w->bar] + w->off + off;
	if (one_word(at, len)) {
		word = *(const volatile uint32_t *)(const volatile void *)at;
		memcpy(buf, &word, 4);
	} else {
		mmio_read(buf, at, len);
	}
}
