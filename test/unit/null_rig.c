/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "null_rig.h"

#define MEM_IOVA(i)	(0x1000000000ull * ((i) + 1))
#define GUARD		0x1000u
#define COMMAND_MEM	0x0002u

/* ---- devices ---- */

static void
irq_log(void *ctx, const struct null_irq *irq)
{
	struct rig_dev *d = ctx;

	if (d->irqs < RIG_IRQS_MAX)
		d->irq[d->irqs] = *irq;
	d->irqs++;
}

static void
dev_open(struct rig_dev *d, const char *fabric, const char *topology, const char *node,
	 unsigned int i, enum null_exec exec)
{
	struct null_device_params p = {
		.fabric = fabric, .topology = topology, .node = node,
		.destid = NULL_DESTID_AUTO, .host = -1,
		.exec = exec,
		.irq = irq_log, .irq_ctx = d,
	};
	char err[NULL_ERR_LEN] = "";
	struct null_device_info info;
	int ret;

	ret = null_device_open(&p, &d->dev, err, sizeof(err));
	if (ret != 0)
		fail_msg("device %u: %s", i, err);
	/* One page more, so that no two devices' memory is adjacent. */
	d->mem = mmap(NULL, RIG_MEM_SIZE + GUARD, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(d->mem, MAP_FAILED);
	assert_int_equal(mprotect(d->mem + RIG_MEM_SIZE, GUARD, PROT_NONE), 0);
	d->iova = MEM_IOVA(i);
	assert_int_equal(null_device_dma_map(d->dev, d->iova, RIG_MEM_SIZE, d->mem, -1, 0), 0);
	null_device_info_get(d->dev, &info);
	d->destid = info.destid;
	d->tt = info.sys16 ? TSI721_TT_16 : TSI721_TT_8;
	rig_master(d, true);
	rig_wr(d, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
}

struct rig *
rig_open(unsigned int nb)
{
	return rig_open_exec(nb, NULL_EXEC_INLINE);
}

struct rig *
rig_open_exec(unsigned int nb, enum null_exec exec)
{
	struct rig *rig = calloc(1, sizeof(*rig));
	static unsigned int runs;
	char fabric[NULL_NAME_LEN];
	unsigned int i;

	assert_non_null(rig);
	assert_true(nb <= RIG_DEVS_MAX);
	snprintf(fabric, sizeof(fabric), "unit-%d-%u", (int)getpid(), runs++);
	for (i = 0; i < nb; i++)
		dev_open(&rig->d[i], fabric, NULL, NULL, i, exec);
	rig->nb = nb;
	return rig;
}

void
rig_file(const char *text, char *path)
{
	const char *dir = getenv("TMPDIR");
	FILE *f;
	int fd;

	snprintf(path, RIG_PATH_LEN, "%s/rig-XXXXXX.ini", dir != NULL ? dir : "/tmp");
	fd = mkstemps(path, 4);
	assert_true(fd >= 0);
	f = fdopen(fd, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

void
rig_file_remove(const char *path)
{
	assert_int_equal(unlink(path), 0);
}

char *
rig_topo_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t len = 0;

	if (f == NULL)
		fail_msg("%s cannot be opened", path);
	assert_true(getdelim(&text, &len, '\0', f) > 0);
	fclose(f);
	return text;
}

struct rig *
rig_open_topo(const char *text)
{
	struct rig *rig = calloc(1, sizeof(*rig));
	char path[RIG_PATH_LEN], fabric[NULL_NAME_LEN], err[NULL_ERR_LEN];
	struct null_topo *topo;
	static unsigned int runs;
	unsigned int i;

	assert_non_null(rig);
	rig_file(text, path);
	snprintf(fabric, sizeof(fabric), "topo-%d-%u", (int)getpid(), runs++);
	if (null_topo_load(path, &topo, err, sizeof(err)) != 0)
		fail_msg("%s", err);
	assert_true(topo->nb_ep <= RIG_DEVS_MAX);
	for (i = 0; i < topo->nb_ep; i++)
		dev_open(&rig->d[i], fabric, path, topo->ep[i].name, i, NULL_EXEC_INLINE);
	rig->nb = topo->nb_ep;
	null_topo_free(topo);
	rig_file_remove(path);
	return rig;
}

void
rig_close(struct rig *rig)
{
	unsigned int i;

	for (i = 0; i < rig->nb; i++) {
		null_device_close(rig->d[i].dev);
		munmap(rig->d[i].mem, RIG_MEM_SIZE + GUARD);
	}
	free(rig);
}

int
rig_setup2(void **state)
{
	*state = rig_open(2);
	return 0;
}

int
rig_setup3(void **state)
{
	*state = rig_open(3);
	return 0;
}

int
rig_teardown(void **state)
{
	rig_close(*state);
	return 0;
}

uint32_t
rig_rd(struct rig_dev *d, uint32_t off)
{
	return null_device_read32(d->dev, TSI721_BAR_REGS, off);
}

void
rig_wr(struct rig_dev *d, uint32_t off, uint32_t val)
{
	null_device_write32(d->dev, TSI721_BAR_REGS, off, val);
}

uint64_t
rig_stat(struct rig_dev *d, enum null_stat stat)
{
	return null_device_stat_get(d->dev, stat);
}

void
rig_irqs_forget(struct rig_dev *d)
{
	d->irqs = 0;
}

/* ---- PCI configuration ---- */

uint32_t
rig_cfg_rd(struct rig_dev *d, unsigned int off)
{
	uint32_t v;

	null_device_cfg_read(d->dev, off, &v, sizeof(v));
	return le32toh(v);
}

void
rig_cfg_wr(struct rig_dev *d, unsigned int off, uint32_t val)
{
	val = htole32(val);
	null_device_cfg_write(d->dev, off, &val, sizeof(val));
}

void
rig_master(struct rig_dev *d, bool on)
{
	uint16_t cmd = htole16(on ? COMMAND_MEM | NULL_CFG_COMMAND_MASTER : COMMAND_MEM);

	null_device_cfg_write(d->dev, NULL_CFG_COMMAND, &cmd, sizeof(cmd));
}

void
rig_msix_on(struct rig_dev *d)
{
	uint32_t v;

	for (v = 0; v < TSI721_MSIX_VECTORS; v++) {
		uint32_t at = TSI721_MSIXTBL_OFFSET + v * 16;

		rig_wr(d, at, 0xfee00000);
		rig_wr(d, at + 4, 0);
		rig_wr(d, at + 8, v);
		rig_wr(d, at + 12, 0);
	}
	rig_cfg_wr(d, NULL_CFG_MSIX_CAP,
		   rig_cfg_rd(d, NULL_CFG_MSIX_CAP) | NULL_CFG_MSIX_ENABLE);
}

void
rig_msi_on(struct rig_dev *d, uint16_t data)
{
	rig_cfg_wr(d, NULL_CFG_MSI_CAP + 4, 0xfee00000);
	rig_cfg_wr(d, NULL_CFG_MSI_CAP + 8, 0);
	rig_cfg_wr(d, NULL_CFG_MSI_CAP + 12, data);
	rig_cfg_wr(d, NULL_CFG_MSI_CAP, rig_cfg_rd(d, NULL_CFG_MSI_CAP) | NULL_CFG_MSI_ENABLE);
}

/* ---- patterns ---- */

static uint8_t
pattern(size_t i, uint32_t seed)
{
	uint32_t x = (uint32_t)i * 2654435761u + seed * 40503u + 1;

	return (uint8_t)(x >> 13 ^ x >> 24);
}

void
rig_fill(uint8_t *p, size_t len, uint32_t seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = pattern(i, seed);
}

bool
rig_is_filled(const uint8_t *p, size_t len, uint32_t seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] != pattern(i, seed)) {
			print_message("byte %zu is %02x, not %02x\n", i, p[i], pattern(i, seed));
			return false;
		}
	return true;
}

bool
rig_is_zero(const uint8_t *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] != 0) {
			print_message("byte %zu is %02x, not 0\n", i, p[i]);
			return false;
		}
	return true;
}

/* ---- windows ---- */

void
rig_ibwin(struct rig_dev *d, unsigned int w, uint64_t rio, uint64_t size, uint64_t mem_off)
{
	uint32_t code = (uint32_t)__builtin_ctzll(size / TSI721_IBWIN_SIZE_MIN);
	uint64_t iova = d->iova + mem_off;

	rig_wr(d, TSI721_IBWIN_SZ(w), code << TSI721_IBWIN_SZ_SIZE_SHIFT);
	rig_wr(d, TSI721_IBWIN_UB(w), (uint32_t)(rio >> 32));
	rig_wr(d, TSI721_IBWIN_TUA(w), (uint32_t)(iova >> 32));
	rig_wr(d, TSI721_IBWIN_TLA(w), (uint32_t)iova);
	rig_wr(d, TSI721_IBWIN_LB(w), (uint32_t)rio | TSI721_IBWIN_LB_WEN);
}

void
rig_ibwin_close(struct rig_dev *d, unsigned int w)
{
	rig_wr(d, TSI721_IBWIN_LB(w), 0);
}

/* ---- block DMA ---- */

uint32_t
rig_bdma_reg(struct rig_bdma *b, uint32_t reg)
{
	return rig_rd(b->d, TSI721_DMAC_BASE(b->ch) + reg);
}

void
rig_bdma_set(struct rig_bdma *b, uint32_t reg, uint32_t val)
{
	rig_wr(b->d, TSI721_DMAC_BASE(b->ch) + reg, val);
}

void
rig_bdma_open(struct rig_bdma *b, struct rig_dev *d, unsigned int ch, uint64_t ring_off,
	      uint64_t fifo_off, unsigned int dssz)
{
	uint64_t ring = d->iova + ring_off, fifo = d->iova + fifo_off;

	*b = (struct rig_bdma){ .d = d, .ch = ch, .lines = 16u << dssz };
	b->ring = (struct tsi721_dma_desc *)(void *)(d->mem + ring_off);
	b->fifo = (_Atomic uint64_t *)(void *)(d->mem + fifo_off);
	rig_bdma_set(b, TSI721_DMAC_DPTRH, (uint32_t)(ring >> 32));
	rig_bdma_set(b, TSI721_DMAC_DPTRL, (uint32_t)ring);
	rig_bdma_set(b, TSI721_DMAC_DSBH, (uint32_t)(fifo >> 32));
	rig_bdma_set(b, TSI721_DMAC_DSBL, (uint32_t)fifo);
	rig_bdma_set(b, TSI721_DMAC_DSSZ, dssz);
	rig_bdma_set(b, TSI721_DMAC_INT, TSI721_DMAC_INT_ALL);
	rig_bdma_set(b, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
}

uint64_t
rig_desc_iova(struct rig_bdma *b, uint32_t i)
{
	return b->d->iova + (uint64_t)((uint8_t *)&b->ring[i] - b->d->mem);
}

static struct tsi721_dma_desc *
desc_next(struct rig_bdma *b)
{
	struct tsi721_dma_desc *desc = &b->ring[b->nb++];

	memset(desc, 0, sizeof(*desc));
	return desc;
}

struct tsi721_dma_desc *
rig_desc_data(struct rig_bdma *b, uint32_t rtype, uint32_t destid, uint64_t rio, uint64_t mem_off,
	      uint32_t len)
{
	struct tsi721_dma_desc *desc = desc_next(b);
	uint64_t iova = b->d->iova + mem_off;

	desc->type_id = htole32(TSI721_DTYPE_DATA << TSI721_DTYPE_SHIFT |
				rtype << TSI721_DMAD_RTYPE_SHIFT | destid);
	desc->bcount = htole32((len & TSI721_DMAD_BCOUNT1) | b->d->tt << TSI721_DMAD_TT_SHIFT |
			       (uint32_t)(rio & 3) << TSI721_DMAD_RADDR0_SHIFT);
	desc->raddr_lo = htole32((uint32_t)(rio >> 2));
	desc->raddr_hi = htole32((uint32_t)(rio >> 34));
	desc->bufptr_lo = htole32((uint32_t)iova);
	desc->bufptr_hi = htole32((uint32_t)(iova >> 32));
	return desc;
}

struct tsi721_dma_desc *
rig_desc_maint(struct rig_bdma *b, bool write, uint32_t destid, uint32_t hop, uint32_t off,
	       uint32_t val)
{
	struct tsi721_dma_desc *desc = desc_next(b);
	uint32_t rtype = write ? TSI721_RTYPE_MAINT_WR : TSI721_RTYPE_MAINT_RD;

	desc->type_id = htole32(TSI721_DTYPE_IMM << TSI721_DTYPE_SHIFT |
				rtype << TSI721_DMAD_RTYPE_SHIFT | destid);
	desc->bcount = htole32(4 | b->d->tt << TSI721_DMAD_TT_SHIFT);
	desc->raddr_lo = htole32(hop << TSI721_DMAD_HOPCNT_SHIFT | off);
	desc->bufptr_lo = htobe32(val);
	return desc;
}

struct tsi721_dma_desc *
rig_desc_link(struct rig_bdma *b, uint64_t to_iova)
{
	struct tsi721_dma_desc *desc = desc_next(b);

	desc->type_id = htole32(TSI721_DTYPE_LINK << TSI721_DTYPE_SHIFT);
	desc->raddr_lo = htole32((uint32_t)to_iova);
	desc->raddr_hi = htole32((uint32_t)(to_iova >> 32));
	return desc;
}

void
rig_bdma_go(struct rig_bdma *b)
{
	rig_bdma_set(b, TSI721_DMAC_DWRCNT, b->nb);
}

uint32_t
rig_maint(struct rig_dev *d, bool write, uint32_t destid, uint32_t hop, uint32_t off, uint32_t *val)
{
	struct rig_bdma b;
	struct tsi721_dma_desc *desc;
	uint32_t sts;

	rig_bdma_open(&b, d, TSI721_DMAC_MAINT, RIG_MEM_SIZE - 0x1000, RIG_MEM_SIZE - 0x800, 0);
	desc = rig_desc_maint(&b, write, destid, hop, off, *val);
	rig_bdma_go(&b);
	sts = rig_bdma_reg(&b, TSI721_DMAC_STS);
	assert_int_equal(sts & TSI721_DMAC_STS_RUN, 0);
	if ((sts & TSI721_DMAC_STS_ABORT) != 0)
		return (sts & TSI721_DMAC_STS_CS) >> TSI721_DMAC_STS_CS_SHIFT;
	if (!write)
		*val = be32toh(desc->bufptr_lo);
	return 0;
}
