/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* In which order a device is brought up and taken down: its register accesses, recorded. */

#include <string.h>

#include <rte_interrupts.h>

#include "drv_rig.h"

#define MAX_ACCESSES	4096u

struct access {
	bool write;
	uint32_t off, val;
};

static struct access trace[MAX_ACCESSES];
static unsigned int nb;
static const struct tsi721_bus_ops *model;

static void
record(bool write, uint64_t off, uint32_t val)
{
	assert_true(nb < MAX_ACCESSES);
	trace[nb++] = (struct access){ write, (uint32_t)off, val };
}

static uint32_t
trace_read32(void *bus, unsigned int bar, uint64_t off)
{
	uint32_t val = model->read32(bus, bar, off);

	record(false, off, val);
	return val;
}

static void
trace_write32(void *bus, unsigned int bar, uint64_t off, uint32_t val)
{
	record(true, off, val);
	model->write32(bus, bar, off, val);
}

/* Position of the first write of val to off from `from` on; fails when there is none. */
static unsigned int
wrote_from(unsigned int from, uint32_t off, uint32_t val)
{
	unsigned int i;

	for (i = from; i < nb; i++)
		if (trace[i].write && trace[i].off == off && trace[i].val == val)
			return i;
	fail_msg("0x%05x was not set to 0x%08x", off, val);
	return 0;
}

static unsigned int
wrote(uint32_t off, uint32_t val)
{
	return wrote_from(0, off, val);
}

static unsigned int
last_write(uint32_t off)
{
	unsigned int i = nb;

	while (i-- > 0)
		if (trace[i].write && trace[i].off == off)
			return i;
	fail_msg("0x%05x was not written", off);
	return 0;
}

static void
trace_begin(struct rig_dev *d)
{
	static struct tsi721_bus_ops ops;

	if (d->dev->ops != &ops)
		model = d->dev->ops;
	ops = (struct tsi721_bus_ops){
		.read32 = trace_read32,
		.write32 = trace_write32,
		.doorbell = model->doorbell,
	};
	d->dev->ops = &ops;
	nb = 0;
}

static void
trace_end(struct rig_dev *d)
{
	d->dev->ops = model;
}

/* Down and up again, recorded. */
static void
bring_up(struct rig_dev *d)
{
	tsi721_device_down(d->dev);
	trace_begin(d);
	assert_int_equal(tsi721_device_up(d->dev), 0);
}

static void
identity_comes_first(void **state)
{
	struct rig *rig = *state;

	bring_up(&rig->d[0]);
	assert_false(trace[0].write);
	assert_int_equal(trace[0].off, RIO_DEV_ID_CAR);
	trace_end(&rig->d[0]);
}

static void
interrupts_are_off_before_anything_else_and_on_at_the_end(void **state)
{
	struct rig *rig = *state;
	unsigned int first, on, i;

	bring_up(&rig->d[0]);
	first = wrote(TSI721_DEV_INTE, 0);
	assert_int_equal(first, 1);
	on = last_write(TSI721_DEV_INTE);
	assert_int_not_equal(trace[on].val, 0);
	for (i = 0; i < on; i++)
		if (trace[i].write && trace[i].off == TSI721_DEV_INTE)
			assert_int_equal(trace[i].val, 0);
	/* What may interrupt is chosen before interrupts are let out. */
	assert_true(last_write(TSI721_DEV_CHAN_INTE) < on);
	assert_true(last_write(TSI721_SR_CHINTE(0)) < on);
	trace_end(&rig->d[0]);
}

static void
windows_are_closed_before_the_link_starts(void **state)
{
	struct rig *rig = *state;
	unsigned int start, win;

	bring_up(&rig->d[0]);
	start = last_write(TSI721_DEVCTL);
	assert_true(trace[start].val & TSI721_DEVCTL_SRBOOT_CMPL);
	for (win = 0; win < TSI721_IBWIN_NUM; win++)
		assert_true(wrote(TSI721_IBWIN_LB(win), 0) < start);
	for (win = 0; win < TSI721_OBWIN_NUM; win++)
		assert_true(wrote(TSI721_OBWIN_LB(win), 0) < start);
	/* Nothing may arrive before the doorbell queue has somewhere to put it. */
	assert_true(last_write(TSI721_IDQ_CTL(0)) < start);
	trace_end(&rig->d[0]);
}

static void
a_queue_has_its_memory_before_it_runs(void **state)
{
	static const uint32_t dma = TSI721_DMAC_BASE(TSI721_DMAC_MAINT);
	struct rig *rig = *state;
	unsigned int init;

	bring_up(&rig->d[0]);
	init = wrote(TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
	assert_true(last_write(TSI721_IDQ_BASEL(0)) < init);
	assert_true(last_write(TSI721_IDQ_BASEU(0)) < init);
	assert_true(last_write(TSI721_IDQ_SIZE(0)) < init);
	init = wrote(dma + TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
	assert_true(last_write(dma + TSI721_DMAC_DPTRL) < init);
	assert_true(last_write(dma + TSI721_DMAC_DSBL) < init);
	assert_true(last_write(dma + TSI721_DMAC_DSSZ) < init);
	/* INIT is read back, so that it has arrived. */
	assert_false(trace[init + 1].write);
	assert_int_equal(trace[init + 1].off, dma + TSI721_DMAC_CTL);
	trace_end(&rig->d[0]);
}

static void
going_down_stops_interrupts_then_windows_then_queues(void **state)
{
	struct rig *rig = *state;
	unsigned int off, base;

	trace_begin(&rig->d[0]);
	tsi721_device_down(rig->d[0].dev);
	off = wrote(TSI721_DEV_INTE, 0);
	assert_int_equal(off, 0);
	/* Read back before the handler is taken away. */
	assert_false(trace[1].write);
	assert_int_equal(trace[last_write(TSI721_DEV_INTE)].val, 0);
	assert_int_equal(trace[last_write(TSI721_SR_CHINTE(0))].val, 0);
	base = wrote(TSI721_IDQ_BASEL(0), 0);
	assert_true(last_write(TSI721_IBWIN_LB(7)) < base);
	assert_true(wrote(TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_SUSPEND) < base);
	trace_end(&rig->d[0]);
	assert_int_equal(tsi721_device_up(rig->d[0].dev), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity_comes_first),
		cmocka_unit_test(interrupts_are_off_before_anything_else_and_on_at_the_end),
		cmocka_unit_test(windows_are_closed_before_the_link_starts),
		cmocka_unit_test(a_queue_has_its_memory_before_it_runs),
		cmocka_unit_test(going_down_stops_interrupts_then_windows_then_queues),
	};
	struct CMUnitTest all[RTE_DIM(tests)];
	size_t i;

	for (i = 0; i < RTE_DIM(tests); i++) {
		all[i] = tests[i];
		all[i].setup_func = rig_setup1;
		all[i].teardown_func = rig_teardown;
	}
	return cmocka_run_group_tests(all, rig_eal, NULL);
}
