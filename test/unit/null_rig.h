/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_RIG_H
#define NULL_RIG_H

/*
 * Devices on a fabric of their own, with memory, for tests of the null device.
 * What fails in here fails the test.
 */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "null_internal.h"

#define RIG_DEVS_MAX	16u
#define RIG_MEM_SIZE	0x400000u	/* of each device */
#define RIG_IRQS_MAX	256u

struct rig_dev {
	struct null_device *dev;
	uint32_t destid;
	uint32_t tt;			/* of the requests below: 1 where IDs have 16 bits */
	uint8_t *mem;			/* RIG_MEM_SIZE bytes */
	uint64_t iova;			/* of mem */
	struct null_irq irq[RIG_IRQS_MAX];
	unsigned int irqs;		/* delivered since rig_open or rig_irqs_forget */
};

struct rig {
	struct rig_dev d[RIG_DEVS_MAX];
	unsigned int nb;
};

/*
 * nb devices, inline, destination IDs 0 and up, memory mapped and bus mastering
 * and links on. Memory is zero; that of two devices is not adjacent.
 */
struct rig *rig_open(unsigned int nb);
struct rig *rig_open_exec(unsigned int nb, enum null_exec exec);
/* A device at each endpoint of a topology file of this text, in its order. */
struct rig *rig_open_topo(const char *text);
/* The text of a file; to be freed. */
char *rig_topo_text(const char *path);
/* Write a file that is removed by rig_file_remove; path has room for RIG_PATH_LEN. */
#define RIG_PATH_LEN	256u
void rig_file(const char *text, char *path);
void rig_file_remove(const char *path);
void rig_close(struct rig *rig);

/* cmocka's setup and teardown: *state is the rig. */
int rig_setup2(void **state);
int rig_setup3(void **state);
int rig_teardown(void **state);

uint32_t rig_rd(struct rig_dev *d, uint32_t off);
void rig_wr(struct rig_dev *d, uint32_t off, uint32_t val);
uint64_t rig_stat(struct rig_dev *d, enum null_stat stat);
void rig_irqs_forget(struct rig_dev *d);

/* PCI configuration space: 32-bit words, and what a driver does with them. */
uint32_t rig_cfg_rd(struct rig_dev *d, unsigned int off);
void rig_cfg_wr(struct rig_dev *d, unsigned int off, uint32_t val);
void rig_master(struct rig_dev *d, bool on);
void rig_msix_on(struct rig_dev *d);	/* all vectors, data = vector */
void rig_msi_on(struct rig_dev *d, uint16_t data);

/* A pseudo-random pattern, and where two differ. */
void rig_fill(uint8_t *p, size_t len, uint32_t seed);
bool rig_is_filled(const uint8_t *p, size_t len, uint32_t seed);
bool rig_is_zero(const uint8_t *p, size_t len);

/* Inbound window w: RapidIO addresses [rio, rio + size) are memory at mem_off. */
void rig_ibwin(struct rig_dev *d, unsigned int w, uint64_t rio, uint64_t size, uint64_t mem_off);
void rig_ibwin_close(struct rig_dev *d, unsigned int w);

/* Block DMA: a ring of descriptors at ring_off, status FIFO of 16 << dssz lines at fifo_off. */
struct rig_bdma {
	struct rig_dev *d;
	unsigned int ch;
	struct tsi721_dma_desc *ring;
	_Atomic uint64_t *fifo;
	uint32_t lines;
	uint32_t nb;		/* descriptors written */
};
void rig_bdma_open(struct rig_bdma *b, struct rig_dev *d, unsigned int ch, uint64_t ring_off,
		   uint64_t fifo_off, unsigned int dssz);
uint32_t rig_bdma_reg(struct rig_bdma *b, uint32_t reg);
void rig_bdma_set(struct rig_bdma *b, uint32_t reg, uint32_t val);
uint64_t rig_desc_iova(struct rig_bdma *b, uint32_t i);
/* Append a descriptor; rio2 are RapidIO address bits 65:64. */
struct tsi721_dma_desc *rig_desc_data(struct rig_bdma *b, uint32_t rtype, uint32_t destid,
				      uint64_t rio, uint64_t mem_off, uint32_t len);
struct tsi721_dma_desc *rig_desc_maint(struct rig_bdma *b, bool write, uint32_t destid,
				       uint32_t hop, uint32_t off, uint32_t val);
struct tsi721_dma_desc *rig_desc_link(struct rig_bdma *b, uint64_t to_iova);
/* Write the tail: all descriptors appended so far. */
void rig_bdma_go(struct rig_bdma *b);
/* Maintenance request through channel 7, set up at the end of memory. 0 or an abort code. */
uint32_t rig_maint(struct rig_dev *d, bool write, uint32_t destid, uint32_t hop, uint32_t off,
		   uint32_t *val);

#endif /* NULL_RIG_H */
