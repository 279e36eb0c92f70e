/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* PCI configuration space, as enumeration and a driver's probe use it. */

#include <errno.h>
#include <string.h>

#include "null_rig.h"

#define CMD_MEM		0x0002u
#define CMD_MASTER	0x0004u

static uint32_t
get(struct rig_dev *d, unsigned int off, size_t len)
{
	uint8_t b[4] = { 0 };

	null_device_cfg_read(d->dev, off, b, len);
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void
set(struct rig_dev *d, unsigned int off, uint32_t val, size_t len)
{
	const uint8_t b[4] = { (uint8_t)val, (uint8_t)(val >> 8), (uint8_t)(val >> 16),
			       (uint8_t)(val >> 24) };

	null_device_cfg_write(d->dev, off, b, len);
}

static void
identity(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];

	assert_int_equal(get(d, 0x00, 4), 0x80ab111d);
	assert_int_equal(get(d, 0x00, 2), 0x111d);
	assert_int_equal(get(d, 0x02, 2), 0x80ab);
	assert_int_equal(get(d, 0x08, 4) >> 8, 0x068000);
	assert_int_equal(get(d, 0x0e, 1), 0);		/* header type 0 */
	assert_int_equal(get(d, 0x3d, 1), 1);		/* INTA */
	set(d, 0x00, 0xffffffff, 4);
	set(d, 0x08, 0xffffffff, 4);
	assert_int_equal(get(d, 0x00, 4), 0x80ab111d);
	assert_int_equal(get(d, 0x08, 4) >> 8, 0x068000);
	set(d, 0x3c, 0xffff, 2);
	assert_int_equal(get(d, 0x3c, 2), 0x01ff);
	set(d, 0x0c, 0xff10, 2);
	assert_int_equal(get(d, 0x0c, 4), 0x10);
}

static uint32_t
cap_find(struct rig_dev *d, uint32_t id)
{
	uint32_t at, n = 0;

	assert_true((get(d, 0x06, 2) & 0x10) != 0);
	for (at = get(d, 0x34, 1); at != 0; at = get(d, at + 1, 1)) {
		assert_true(at >= 0x40 && at % 4 == 0 && n++ < 16);
		if (get(d, at, 1) == id)
			return at;
	}
	fail_msg("no capability 0x%x", id);
	return 0;
}

static void
capabilities(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];
	uint32_t pcie = cap_find(d, 0x10), msi = cap_find(d, 0x05);

	assert_int_equal(get(d, pcie + 2, 2), 0x0002);		/* version 2, endpoint */
	assert_int_equal(get(d, pcie + 0x04, 4) & 7, 1);	/* payload of 256 bytes */
	assert_int_equal(get(d, pcie + 0x0c, 4) & 0x3ff, 0x42);	/* x4, gen 2 */
	assert_int_equal(get(d, pcie + 0x12, 2) & 0x3ff, 0x42);
	assert_true((get(d, msi + 2, 2) & 0x80) != 0);		/* 64-bit */
	assert_int_equal(get(d, msi + 2, 2) & 0x0e, 0);		/* one vector */
	assert_int_equal(cap_find(d, 0x11), 0xa0);
	assert_int_equal(get(d, 0xa2, 2) & 0x7ff, 69);		/* 70 vectors */
	cap_find(d, 0x01);
	assert_int_equal(get(d, 0x100, 4), 0);			/* no extended ones */
}

/* What a probe does: no snoop and relaxed ordering off, read size, completion timeout. */
static void
pcie_control(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];
	uint32_t pcie = cap_find(d, 0x10), v;

	v = get(d, pcie + 8, 2);
	assert_int_equal(v & 0x0810, 0x0810);
	assert_int_equal(v >> 12 & 7, 2);
	set(d, pcie + 8, v & ~0x0810u, 2);
	assert_int_equal(get(d, pcie + 8, 2), v & ~0x0810u);
	for (v = 0; v <= 5; v++) {
		set(d, pcie + 8, v << 12 | 1 << 5, 2);
		assert_int_equal(get(d, pcie + 8, 2), v << 12 | 1 << 5);
	}
	set(d, pcie + 0x28, 0x2, 2);
	assert_int_equal(get(d, pcie + 0x28, 2), 2);
	set(d, pcie + 4, 0xffffffff, 4);
	set(d, pcie + 0xc, 0xffffffff, 4);
	assert_int_equal(get(d, pcie + 0x04, 4) & 7, 1);
	assert_int_equal(get(d, pcie + 0x0c, 4) & 0x3ff, 0x42);
}

static void
bar_sizing(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];
	uint64_t size;
	uint32_t lo;

	set(d, 0x10, 0xffffffff, 4);
	assert_int_equal(get(d, 0x10, 4), 0xfff80000);
	set(d, 0x14, 0xffffffff, 4);
	assert_int_equal(get(d, 0x14, 4), 0xff000000);
	for (lo = 0x18; lo <= 0x20; lo += 8) {
		set(d, lo, 0xffffffff, 4);
		set(d, lo + 4, 0xffffffff, 4);
		assert_int_equal(get(d, lo, 4) & 0xf, 0x4);	/* 64-bit, not prefetchable */
		size = ~((uint64_t)get(d, lo + 4, 4) << 32 | (get(d, lo, 4) & ~0xfu)) + 1;
		assert_int_equal(size, NULL_WIN_SIZE_DEFAULT);
		set(d, lo, 0xe8000000, 4);
		set(d, lo + 4, 0x12, 4);
		assert_int_equal(get(d, lo, 4), 0xe8000004);
		assert_int_equal(get(d, lo + 4, 4), 0x12);
	}
	set(d, 0x30, 0xffffffff, 4);
	assert_int_equal(get(d, 0x30, 4), 0);		/* no ROM */
}

static void
window_sizes(void **state)
{
	static const uint64_t bad[] = { 1, NULL_WIN_SIZE_MIN / 2, NULL_WIN_SIZE_MIN + 1,
					0x3000000, NULL_WIN_SIZE_MAX * 2, UINT64_MAX };
	struct null_device_params p = { .fabric = NULL_FABRIC_DEFAULT, .destid = NULL_DESTID_AUTO,
					.host = -1 };
	char err[NULL_ERR_LEN];
	struct rig_dev d;
	uint64_t size, sized;
	uint32_t i;

	(void)state;
	for (size = NULL_WIN_SIZE_MIN; size <= NULL_WIN_SIZE_MAX; size *= 2) {
		p.win_size = size;
		assert_int_equal(null_device_open(&p, &d.dev, err, sizeof(err)), 0);
		set(&d, 0x18, 0xffffffff, 4);
		set(&d, 0x1c, 0xffffffff, 4);
		sized = (uint64_t)get(&d, 0x1c, 4) << 32 | (get(&d, 0x18, 4) & ~0xfu);
		assert_int_equal(~sized + 1, size);
		null_device_close(d.dev);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		p.win_size = bad[i];
		err[0] = 0;
		assert_int_equal(null_device_open(&p, &d.dev, err, sizeof(err)), -EINVAL);
		assert_non_null(strstr(err, "window size"));
	}
}

static void
command(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];

	set(d, 0x04, 0xffff, 2);
	assert_int_equal(get(d, 0x04, 2), 0x0546);
	set(d, 0x04, 0, 2);
	assert_int_equal(get(d, 0x04, 2), 0);
	set(d, 0x06, 0xffff, 2);
	assert_int_equal(get(d, 0x06, 2), 0x0010);
	assert_false(null_bus_master(d->dev->chip));
	set(d, 0x04, CMD_MEM | CMD_MASTER, 1);
	assert_true(null_bus_master(d->dev->chip));
	/* Interrupt status: whatever the way out is. */
	rig_wr(d, TSI721_DEV_INTE, TSI721_DEV_INT_SRIO);
	assert_int_equal(get(d, 0x06, 2) & 0x8, 0);
	rig_wr(d, TSI721_DEV_INTSET, TSI721_DEV_INT_SRIO);
	assert_int_equal(get(d, 0x06, 2) & 0x8, 0x8);
	rig_wr(d, TSI721_DEV_INT, TSI721_DEV_INT_SRIO);
	assert_int_equal(get(d, 0x06, 2) & 0x8, 0);
}

static void
no_master_no_dma(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	struct rig_bdma dma;

	rig_ibwin(b, 0, 0x10000, 0x1000, 0x4000);
	rig_bdma_open(&dma, a, 0, 0x100000, 0x110000, 2);
	rig_fill(a->mem, 64, 1);
	rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE_R, b->destid, 0x10000, 0, 64);
	rig_master(a, false);
	rig_bdma_go(&dma);
	assert_int_equal((rig_bdma_reg(&dma, TSI721_DMAC_STS) & TSI721_DMAC_STS_CS) >> 16,
			 NULL_ABORT_PCI);
	assert_true(rig_is_zero(b->mem + 0x4000, 64));
	rig_master(a, true);
	rig_bdma_set(&dma, TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
	rig_bdma_go(&dma);
	assert_true(rig_is_filled(b->mem + 0x4000, 64, 1));
	/* The target's off: it answers with an error. */
	rig_master(b, false);
	rig_desc_data(&dma, TSI721_RTYPE_ALL_NWRITE_R, b->destid, 0x10000, 64, 64);
	rig_bdma_go(&dma);
	assert_int_equal((rig_bdma_reg(&dma, TSI721_DMAC_STS) & TSI721_DMAC_STS_CS) >> 16,
			 NULL_ABORT_ERROR);
	assert_true(rig_is_filled(b->mem + 0x4000, 64, 1));
}

/* The chip powers up with wrong offsets; a driver unlocks, corrects and locks them. */
static void
msix_offsets(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];

	assert_int_not_equal(get(d, TSI721_PCIECFG_MSIXTBL, 4), TSI721_MSIXTBL_OFFSET);
	assert_int_not_equal(get(d, TSI721_PCIECFG_MSIXPBA, 4), TSI721_MSIXPBA_OFFSET);
	set(d, TSI721_PCIECFG_MSIXTBL, TSI721_MSIXTBL_OFFSET, 4);
	assert_int_not_equal(get(d, TSI721_PCIECFG_MSIXTBL, 4), TSI721_MSIXTBL_OFFSET);
	set(d, TSI721_PCIECFG_EPCTL, 1, 4);
	set(d, TSI721_PCIECFG_MSIXTBL, TSI721_MSIXTBL_OFFSET, 4);
	set(d, TSI721_PCIECFG_MSIXPBA, TSI721_MSIXPBA_OFFSET, 4);
	set(d, TSI721_PCIECFG_EPCTL, 0, 4);
	set(d, TSI721_PCIECFG_MSIXTBL, 0xffffffff, 4);
	assert_int_equal(get(d, TSI721_PCIECFG_MSIXTBL, 4), TSI721_MSIXTBL_OFFSET);
	assert_int_equal(get(d, TSI721_PCIECFG_MSIXPBA, 4), TSI721_MSIXPBA_OFFSET);
	assert_int_equal(get(d, TSI721_PCIECFG_EPCTL, 4), 0);
}

static void
msi_and_msix_control(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];
	uint32_t msi = cap_find(d, 0x05);

	set(d, msi, 0xffffffff, 4);
	assert_int_equal(get(d, msi + 2, 2), 0x0081);
	set(d, msi + 4, 0xffffffff, 4);
	assert_int_equal(get(d, msi + 4, 4), 0xfffffffc);
	set(d, msi + 8, 0x12345678, 4);
	assert_int_equal(get(d, msi + 8, 4), 0x12345678);
	set(d, msi + 12, 0xffffffff, 4);
	assert_int_equal(get(d, msi + 12, 4), 0xffff);
	set(d, msi + 2, 0, 2);
	assert_int_equal(get(d, msi + 2, 2), 0x0080);
	set(d, 0xa2, 0xffff, 2);
	assert_int_equal(get(d, 0xa2, 2), 0xc000 | 69);
	set(d, 0xa3, 0, 1);
	assert_int_equal(get(d, 0xa2, 2), 69);
}

/* A write of control takes effect on interrupts at once. */
static void
msi_goes_out(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];

	rig_wr(d, TSI721_DEV_INTE, TSI721_DEV_INT_SRIO);
	rig_msi_on(d, 0x4321);
	rig_irqs_forget(d);
	rig_wr(d, TSI721_DEV_INTSET, TSI721_DEV_INT_SRIO);
	assert_int_equal(d->irqs, 1);
	assert_int_equal(d->irq[0].kind, NULL_IRQ_MSI);
	assert_int_equal(d->irq[0].data, 0x4321);
	assert_int_equal(d->irq[0].addr, 0xfee00000);
}

static void
odd_accesses(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];
	uint8_t b[8];
	uint32_t off;

	memset(b, 0, sizeof(b));
	null_device_cfg_read(d->dev, 1, b, 2);
	assert_int_equal(b[0] | b[1] << 8, 0xffff);
	null_device_cfg_read(d->dev, 0, b, 8);
	assert_int_equal(b[7], 0xff);
	null_device_cfg_read(d->dev, 0, b, 3);
	assert_int_equal(b[2], 0xff);
	assert_int_equal(get(d, NULL_CFG_SIZE, 4), 0xffffffff);
	assert_int_equal(get(d, 0xfffffffcu, 4), 0xffffffff);
	set(d, 0x03, 0, 2);
	set(d, NULL_CFG_SIZE, 0, 4);
	set(d, 0xfffffffcu, 0, 4);
	/* Words that nobody has a fact about read as zero and keep nothing. */
	for (off = 0x104; off < NULL_CFG_SIZE; off += 4) {
		if (off == TSI721_PCIECFG_EPCTL)
			continue;
		set(d, off, 0xffffffff, 4);
		assert_int_equal(get(d, off, 4), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(identity, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(capabilities, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(pcie_control, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(bar_sizing, rig_setup2, rig_teardown),
		cmocka_unit_test(window_sizes),
		cmocka_unit_test_setup_teardown(command, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(no_master_no_dma, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(msix_offsets, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(msi_and_msix_control, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(msi_goes_out, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(odd_accesses, rig_setup2, rig_teardown),
	};

	return cmocka_run_group_tests_name("null_pcicfg", tests, NULL, NULL);
}
