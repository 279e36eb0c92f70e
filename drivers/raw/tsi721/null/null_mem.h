/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_MEM_H
#define NULL_MEM_H

/* Bus memory as this process maps it, and what engines remember of it. */

#include <sys/types.h>

#include "null_engine.h"
#include "null_guard.h"

struct null_region {
	uint64_t iova;
	uint64_t len;
	uint8_t *va;
};

/* What null_device_dma_map was given. */
struct null_export {
	struct null_region r;
	int fd;
	off_t fd_off;
	uint64_t dev, ino;	/* of the file */
	uint32_t page;		/* its block size */
};

/*
 * An endpoint's memory as this process maps it: sorted, replaced as a whole,
 * freed when every engine has left it. Only engines look at it.
 */
struct null_memmap {
	uint32_t nb;		/* of r: exports that touch each other merged into one */
	uint32_t nb_exports;
	struct null_region *r;
	/* Of another process's endpoint: which list it was made of, where its files are mapped. */
	uint32_t gen;
	uint8_t *room;			/* NULL: nothing */
	size_t room_len;
	struct null_guard *guard;	/* of it: its owner may cut its files short */
	struct null_memmap *next;	/* of those to be freed */
	struct null_export exports[];
};

/* ---- null_mem.c ---- */
int null_mem_map(struct null_fabric *fab, uint32_t ep, const struct null_export *add);
int null_mem_unmap(struct null_fabric *fab, uint32_t ep, uint64_t iova, uint64_t len);
void null_mem_forget(struct null_fabric *fab, uint32_t ep);
/*
 * Where [iova, iova + len) of endpoint ep is in this process; NULL when not all
 * of it is one mapped region. No bytes outside the range may be touched.
 */
uint8_t *null_mem(struct null_fabric *fab, uint32_t ep, uint64_t iova, uint64_t len);
/* The region that iova lies in. False: none; region->len is then how far away the next one is. */
bool null_mem_region(struct null_fabric *fab, uint32_t ep, uint64_t iova,
		     struct null_region *region);
/* Lookups that missed an engine's cache: fill it. */
uint8_t *null_tlb_fill(struct null_device *dev, struct null_engine *eng, uint32_t ep,
		       uint64_t iova, uint64_t len);
/*
 * Inbound windows: where RapidIO address hi2:addr of rt's target is. *len, what
 * is asked for, is cut to what lies there in one piece. NULL: no window shows
 * the address (*fault false), or it leads to no memory (*fault true); *len is
 * then cut to what the next window or region could not change.
 */
uint8_t *null_target_mem(struct null_device *dev, struct null_engine *eng,
			 struct null_route *rt, uint64_t addr, uint32_t hi2, uint64_t *len,
			 bool *fault);
static inline struct null_tlb_ent *
null_tlb_at(struct null_engine *eng, uint32_t ep, uint64_t iova)
{
	return &eng->tlb.e[((iova >> NULL_TLB_SHIFT) + ep * 11u) % NULL_TLB_SIZE];
}

/* As null_mem, through the engine's cache. The caller holds the engine's lock. */
static inline uint8_t *
null_tlb_mem(struct null_device *dev, struct null_engine *eng, uint32_t ep, uint64_t iova,
	     uint64_t len)
{
	const struct null_tlb_ent *e = null_tlb_at(eng, ep, iova);
	uint64_t off = iova - e->iova;

	if (null_likely(off < e->len && e->ep == ep && len <= e->len - off))
		return e->va + off;
	return null_tlb_fill(dev, eng, ep, iova, len);
}

/* Queues and buffers of an endpoint, by its own bus addresses: checks its bus mastering. */
static inline uint8_t *
null_peer_mem(struct null_device *dev, struct null_engine *eng, uint32_t ep, uint64_t iova,
	      uint64_t len)
{
	struct null_chip *chip = null_chip_at(dev->fab, ep);
	uint8_t *va = NULL;

	if (null_likely(null_bus_master(chip)))
		va = null_tlb_mem(dev, eng, ep, iova, len);
	if (null_unlikely(va == NULL))
		null_stat_add(chip, NULL_STAT_DMA_FAULTS, 1);
	return va;
}

/* Own side of a DMA. NULL: NULL_RESP_PCI. */
static inline uint8_t *
null_dma_mem(struct null_device *dev, struct null_engine *eng, uint64_t iova, uint64_t len)
{
	return null_peer_mem(dev, eng, dev->ep, iova, len);
}

#endif /* NULL_MEM_H */
