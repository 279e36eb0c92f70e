/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Port-write reception. */

#include "null_rig.h"

#define TAKEN	(TSI721_RIO_PW_RX_STAT_PW_DISC | TSI721_RIO_PW_RX_STAT_PW_VAL)

static const uint32_t first[4] = { 0x11111111, 0x22222222, 0x00000003, 0x44444444 };
static const uint32_t second[4] = { 0x55555555, 0x66666666, 0x00000007, 0x88888888 };

static void
deliver(struct rig_dev *d, const uint32_t w[4])
{
	null_portwrite_deliver(d->dev->fab, d->dev->ep, w);
}

static void
assert_captured(struct rig_dev *d, const uint32_t w[4])
{
	uint32_t i;

	for (i = 0; i < 4; i++)
		assert_int_equal(rig_rd(d, TSI721_RIO_PW_RX_CAPT(i)), w[i]);
}

static void
captured(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];
	uint32_t stat;

	assert_int_equal(rig_rd(d, TSI721_RIO_PW_RX_STAT), 0);
	rig_wr(d, TSI721_RIO_PW_CTL, TSI721_RIO_PW_CTL_PWC_MODE);
	deliver(d, first);
	stat = rig_rd(d, TSI721_RIO_PW_RX_STAT);
	assert_int_equal(stat & 0xf, TSI721_RIO_PW_RX_STAT_PW_VAL);
	assert_int_equal(stat & TSI721_RIO_PW_RX_STAT_WR_SIZE, 0xb000);
	assert_int_equal(stat & TSI721_RIO_PW_RX_STAT_WDPTR, TSI721_RIO_PW_RX_STAT_WDPTR);
	assert_captured(d, first);
	assert_int_equal(rig_rd(d, TSI721_RIO_EM_INT_STAT), TSI721_RIO_EM_INT_PW_RX);
	/* Software does not clear the event; it goes with what it stands for. */
	rig_wr(d, TSI721_RIO_EM_INT_STAT, 0xffffffff);
	assert_int_equal(rig_rd(d, TSI721_RIO_EM_INT_STAT), TSI721_RIO_EM_INT_PW_RX);
	rig_wr(d, TSI721_RIO_PW_RX_STAT, TAKEN);
	assert_int_equal(rig_rd(d, TSI721_RIO_EM_INT_STAT), 0);
	assert_int_equal(rig_rd(d, TSI721_RIO_PW_RX_STAT), 0);
	deliver(d, second);
	assert_captured(d, second);
}

/* Reliable mode keeps the first and says that others were lost; the other keeps the last. */
static void
discarded(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];

	rig_wr(d, TSI721_RIO_PW_CTL, TSI721_RIO_PW_CTL_PWC_MODE);
	deliver(d, first);
	deliver(d, second);
	assert_captured(d, first);
	assert_int_equal(rig_rd(d, TSI721_RIO_PW_RX_STAT) & 0xf, TAKEN);
	/* One bit at a time: the event stays while there is one. */
	rig_wr(d, TSI721_RIO_PW_RX_STAT, TSI721_RIO_PW_RX_STAT_PW_VAL);
	assert_int_equal(rig_rd(d, TSI721_RIO_EM_INT_STAT), TSI721_RIO_EM_INT_PW_RX);
	rig_wr(d, TSI721_RIO_PW_RX_STAT, TSI721_RIO_PW_RX_STAT_PW_DISC);
	assert_int_equal(rig_rd(d, TSI721_RIO_EM_INT_STAT), 0);

	rig_wr(d, TSI721_RIO_PW_CTL, 0);
	deliver(d, first);
	deliver(d, second);
	assert_captured(d, second);
	assert_int_equal(rig_rd(d, TSI721_RIO_PW_RX_STAT) & 0xf, TSI721_RIO_PW_RX_STAT_PW_VAL);
}

static void
interrupts(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];

	rig_msix_on(d);
	deliver(d, first);
	assert_int_equal(d->irqs, 0);
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), 0);
	/* Both enables are needed; the second uncovers what waits. */
	rig_wr(d, TSI721_RIO_EM_INT_ENABLE, 0xffffffff);
	assert_int_equal(rig_rd(d, TSI721_RIO_EM_INT_ENABLE), TSI721_RIO_EM_INT_PW_RX);
	assert_int_equal(d->irqs, 0);
	rig_wr(d, TSI721_RIO_EM_DEV_INT_EN, TSI721_RIO_EM_DEV_INT_EN_INT);
	assert_int_equal(d->irqs, 1);
	assert_int_equal(d->irq[0].vector, TSI721_MSIX_SRIO_MAC_INT);
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), TSI721_DEV_INT_SRIO);
	rig_wr(d, TSI721_RIO_PW_RX_STAT, TAKEN);
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), 0);
	deliver(d, second);
	assert_int_equal(d->irqs, 2);
	rig_wr(d, TSI721_RIO_PW_RX_STAT, TAKEN);
	rig_wr(d, TSI721_RIO_EM_INT_ENABLE, 0);
	deliver(d, first);
	assert_int_equal(d->irqs, 2);
}

/* Half captured by a process that died: it never counts, and does not disturb the next. */
static void
dies_in_capture(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];

	atomic_store(&d->dev->chip->pw_capt[0], 0xdead);
	atomic_store(&d->dev->chip->pw_lock.word, 200);
	assert_int_equal(rig_rd(d, TSI721_RIO_PW_RX_STAT), 0);
	deliver(d, second);
	assert_captured(d, second);
	assert_int_equal(rig_rd(d, TSI721_RIO_EM_INT_STAT), TSI721_RIO_EM_INT_PW_RX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(captured, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(discarded, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(interrupts, rig_setup2, rig_teardown),
		cmocka_unit_test_setup_teardown(dies_in_capture, rig_setup2, rig_teardown),
	};

	return cmocka_run_group_tests_name("null_portwrite", tests, NULL, NULL);
}
