/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Every row of the register table: reset value, read-only bits, write one to clear. */

#include <string.h>

#include "null_rig.h"
#include "null_regs_facts.h"

/* Rows whose state at reset is not `reset`, or whose writes do more than store. */
struct special {
	const char *name;
	bool reset;	/* reset value depends on the device */
	bool write;	/* what is read back is not what was written */
};

static const struct special specials[] = {
	{ "DID", true, false },			/* straps */
	{ "SP_GEN_CTL", true, false },		/* straps */
	{ "HOST_DID_LOCK", false, true },	/* first writer wins */
	{ "DMAC_CTL", false, true },		/* INIT clears itself */
	{ "OBDMAC_CTL", false, true },
	{ "IBDMAC_CTL", false, true },
	{ "IBDMAC_STS", false, true },		/* a write only clears */
	{ "IDQ_CTL", false, true },
	{ "ZONE_SEL", false, true },		/* GO clears itself */
};

static const struct special *
special_find(const struct null_reg *row)
{
	size_t i;

	for (i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
		if (strcmp(specials[i].name, row->name) == 0)
			return &specials[i];
	return NULL;
}

static uint32_t
off_of(const struct null_reg *row, uint32_t i)
{
	return row->off + i * row->stride;
}

#define FACTS	(sizeof(facts) / sizeof(facts[0]))
#define EACH_REGISTER(n, row, i) \
	for (n = 0; (row = null_reg_row(n)) != NULL; n++) \
		for (i = 0; i < row->count; i++)

/* The link has not been started: registers are as after power-up. */
static struct rig_dev *
fresh(void **state)
{
	struct rig *rig = *state;

	rig_wr(&rig->d[0], TSI721_DEVCTL, 0);
	return &rig->d[0];
}

static void
rows_are_sane(void **state)
{
	const struct null_reg *row;
	uint32_t n, i, at;

	(void)state;
	EACH_REGISTER(n, row, i) {
		assert_non_null(row->name);
		assert_int_equal(row->off % 4, 0);
		assert_true(row->count == 1 || row->stride % 4 == 0);
		assert_true(off_of(row, i) < TSI721_BAR0_SIZE);
		/* Found again by its offset. */
		assert_ptr_equal(null_reg_find(off_of(row, i), &at), row);
		assert_int_equal(at, i);
		if (row->state != NULL_NO_STATE)
			assert_true(row->state + i * row->state_stride + 4 <=
				    sizeof(struct null_chip));
		if (row->access == NULL_RO)
			assert_int_equal(row->wmask, 0);
		else
			assert_int_not_equal(row->wmask, 0);
	}
	assert_true(n > 80);
}

static void
rows_are_facts(void **state)
{
	const struct null_reg *row;
	const struct fact *f;
	uint32_t n, i;

	(void)state;
	for (n = 0; (row = null_reg_row(n)) != NULL; n++) {
		for (f = facts; f < facts + FACTS && strcmp(f->name, row->name) != 0; f++)
			;
		if (f == facts + FACTS)
			fail_msg("%s: nothing is known of it", row->name);
		if (row->off != f->off || row->count != f->count || row->access != f->access ||
		    (row->count > 1 && row->stride != f->stride))
			fail_msg("%s: at 0x%x, %u of them, 0x%x apart, access %u", row->name,
				 row->off, row->count, row->stride, row->access);
		if (row->reset != f->reset || row->wmask != f->wmask)
			fail_msg("%s: reset 0x%x, bits to write 0x%x", row->name, row->reset,
				 row->wmask);
	}
	assert_int_equal(n, FACTS);
	/* Each is one of them: names are not used twice. */
	for (n = 0; n < FACTS; n++)
		for (i = 0; i < n; i++)
			assert_string_not_equal(facts[i].name, facts[n].name);
}

static void
reset_values(void **state)
{
	struct rig_dev *d = fresh(state);
	const struct null_reg *row;
	const struct special *s;
	uint32_t n, i, val;

	EACH_REGISTER(n, row, i) {
		s = special_find(row);
		if (s != NULL && s->reset)
			continue;
		val = rig_rd(d, off_of(row, i));
		if (row->access == NULL_WO)
			assert_int_equal(val, 0);
		else if (val != row->reset)
			fail_msg("%s[%u] is 0x%x at reset, not 0x%x", row->name, i, val, row->reset);
	}
	assert_int_equal(rig_stat(d, NULL_STAT_UNKNOWN_REG_READS), 0);
}

/* Bits outside of wmask keep their value, whatever is written. */
static void
read_only_bits(void **state)
{
	struct rig_dev *d = fresh(state);
	static const uint32_t pats[] = { 0, 0xffffffff, 0xa5a5a5a5, 0x5a5a5a5a };
	const struct null_reg *row;
	uint32_t n, i, p, before, after;

	EACH_REGISTER(n, row, i) {
		before = rig_rd(d, off_of(row, i));
		for (p = 0; p < 4; p++) {
			rig_wr(d, off_of(row, i), pats[p] & ~row->wmask);
			rig_wr(d, off_of(row, i), row->access == NULL_RW ?
			       (before & row->wmask) | (pats[p] & ~row->wmask) :
			       pats[p] & ~row->wmask);
			after = rig_rd(d, off_of(row, i));
			if (((before ^ after) & ~row->wmask) != 0)
				fail_msg("%s[%u]: 0x%x became 0x%x", row->name, i, before, after);
		}
	}
	assert_int_equal(rig_stat(d, NULL_STAT_UNKNOWN_REG_WRITES), 0);
}

/* What is written to writable bits is read back. */
static void
writable_bits(void **state)
{
	struct rig_dev *d = fresh(state);
	static const uint32_t pats[] = { 0xffffffff, 0, 0xa5a5a5a5, 0x5a5a5a5a };
	const struct null_reg *row;
	const struct special *s;
	uint32_t n, i, p, val;

	/* Engines that these values start find no memory. */
	rig_master(d, false);
	EACH_REGISTER(n, row, i) {
		s = special_find(row);
		if (row->access != NULL_RW || (s != NULL && s->write))
			continue;
		for (p = 0; p < 4; p++) {
			rig_wr(d, off_of(row, i), pats[p]);
			val = rig_rd(d, off_of(row, i));
			if ((val & row->wmask) != (pats[p] & row->wmask))
				fail_msg("%s[%u]: wrote 0x%x, reads 0x%x, mask 0x%x", row->name, i,
					 pats[p], val, row->wmask);
		}
	}
}

static _Atomic uint32_t *
state_of(struct rig_dev *d, const struct null_reg *row, uint32_t i)
{
	return (_Atomic uint32_t *)(void *)((char *)d->dev->chip + row->state +
					    (size_t)i * row->state_stride);
}

static void
write_one_to_clear(void **state)
{
	struct rig_dev *d = fresh(state);
	const struct null_reg *row;
	uint32_t n, i, bit, rows = 0;

	EACH_REGISTER(n, row, i) {
		if (row->access != NULL_W1C)
			continue;
		rows++;
		assert_int_not_equal(row->state, NULL_NO_STATE);
		for (bit = 1; bit != 0; bit <<= 1) {
			if ((row->wmask & bit) == 0)
				continue;
			atomic_store(state_of(d, row, i), row->wmask);
			rig_wr(d, off_of(row, i), 0);
			assert_int_equal(rig_rd(d, off_of(row, i)) & row->wmask, row->wmask);
			rig_wr(d, off_of(row, i), bit);
			if ((rig_rd(d, off_of(row, i)) & row->wmask) != (row->wmask & ~bit))
				fail_msg("%s[%u]: bit 0x%x was not cleared alone", row->name, i, bit);
		}
		rig_wr(d, off_of(row, i), row->wmask);
		assert_int_equal(rig_rd(d, off_of(row, i)) & row->wmask, 0);
	}
	assert_true(rows > 8);
}

/* Offsets that no row lists read as zero and are counted; other sizes are ignored. */
static void
unlisted(void **state)
{
	struct rig_dev *d = fresh(state);
	uint32_t off, i, nb = 0;
	uint8_t b[8];

	for (off = 0; off < TSI721_BAR0_SIZE; off += 4) {
		if (null_reg_find(off, &i) != NULL)
			continue;
		nb++;
		assert_int_equal(rig_rd(d, off), 0);
		rig_wr(d, off, 0xffffffff);
		assert_int_equal(rig_rd(d, off), 0);
	}
	assert_true(nb > 100000);
	assert_int_equal(rig_stat(d, NULL_STAT_UNKNOWN_REG_READS), 2 * nb);
	assert_int_equal(rig_stat(d, NULL_STAT_UNKNOWN_REG_WRITES), nb);

	assert_int_equal(rig_rd(d, 2), 0);
	assert_int_equal(null_device_read32(d->dev, 0, TSI721_BAR0_SIZE), 0);
	assert_int_equal(null_device_read32(d->dev, 0, UINT64_MAX - 3), 0);
	null_device_write32(d->dev, 0, TSI721_BAR0_SIZE, 1);
	assert_int_equal(rig_stat(d, NULL_STAT_UNKNOWN_REG_READS), 2 * nb + 3);
	assert_int_equal(rig_stat(d, NULL_STAT_UNKNOWN_REG_WRITES), nb + 1);

	memset(b, 0xff, sizeof(b));
	null_device_bar_read(d->dev, 0, RIO_DEV_ID_CAR, b, 8);
	assert_true(rig_is_zero(b, 8));
	null_device_bar_read(d->dev, 0, RIO_DEV_ID_CAR, b, 4);
	assert_memory_equal(b, "\x38\x00\xab\x80", 4);
	null_device_bar_write(d->dev, 0, RIO_COMPONENT_TAG_CSR, "\x01\x02", 2);
	assert_int_equal(rig_rd(d, RIO_COMPONENT_TAG_CSR), 0);
	null_device_bar_write(d->dev, 0, RIO_COMPONENT_TAG_CSR, "\x01\x02\x03\x04", 4);
	assert_int_equal(rig_rd(d, RIO_COMPONENT_TAG_CSR), 0x04030201);
	for (i = 3; i < 8; i++) {
		memset(b, 0xff, sizeof(b));
		null_device_bar_write(d->dev, i, 0, b, 4);
		null_device_bar_read(d->dev, i, 0, b, 4);
		if (i != TSI721_BAR_WIN1)
			assert_true(rig_is_zero(b, 4));
	}
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rig_setup2, rig_teardown)
	const struct CMUnitTest tests[] = {
		T(rows_are_sane), T(rows_are_facts), T(reset_values),
		T(read_only_bits), T(writable_bits),
		T(write_one_to_clear), T(unlisted),
	};

	return cmocka_run_group_tests_name("null_regs", tests, NULL, NULL);
}
