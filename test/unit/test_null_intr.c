/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Device and channel causes; MSI-X, MSI, INTx. */

#include <sched.h>

#include "null_rig.h"

#define DMAC(ch, r)	(TSI721_DMAC_BASE(ch) + (r))
#define DONE		TSI721_DMAC_INT_DONE
#define BDMA		TSI721_DEV_INT_BDMA_CH

static struct rig_dev *
dev0(void **state)
{
	return &((struct rig *)*state)->d[0];
}

static void
raise_done(struct rig_dev *d, unsigned int ch)
{
	rig_wr(d, DMAC(ch, TSI721_DMAC_INTSET), DONE);
}

static void
clear_done(struct rig_dev *d, unsigned int ch)
{
	rig_wr(d, DMAC(ch, TSI721_DMAC_INT), DONE);
}

/* Each cause shows where it and its enables meet, and only there. */
static void
causes(void **state)
{
	struct rig_dev *d = dev0(state);

	raise_done(d, 3);
	assert_int_equal(rig_rd(d, TSI721_DEV_CHAN_INT), 0);
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), 0);
	rig_wr(d, DMAC(3, TSI721_DMAC_INTE), TSI721_DMAC_INT_ERR);
	assert_int_equal(rig_rd(d, TSI721_DEV_CHAN_INT), 0);
	rig_wr(d, DMAC(3, TSI721_DMAC_INTE), DONE);
	assert_int_equal(rig_rd(d, TSI721_DEV_CHAN_INT), TSI721_INT_BDMA_CHAN(3));
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), 0);
	rig_wr(d, TSI721_DEV_CHAN_INTE, ~TSI721_INT_BDMA_CHAN(3));
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), 0);
	rig_wr(d, TSI721_DEV_CHAN_INTE, TSI721_INT_BDMA_CHAN(3));
	/* DEV_INT shows causes whatever DEV_INTE says. */
	assert_int_equal(rig_rd(d, TSI721_DEV_INTE), 0);
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), BDMA);
	clear_done(d, 3);
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), 0);
	assert_int_equal(rig_rd(d, TSI721_DEV_CHAN_INT), 0);

	/* A channel without enable, like the one for maintenance, does not leak through. */
	rig_wr(d, TSI721_DEV_CHAN_INTE, 0xffffffff);
	raise_done(d, TSI721_DMAC_MAINT);
	assert_int_equal(rig_rd(d, TSI721_DEV_CHAN_INT), 0);
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), 0);
	assert_int_equal(d->irqs, 0);

	rig_wr(d, TSI721_DEV_INTSET, TSI721_DEV_INT_SRIO);
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), TSI721_DEV_INT_SRIO);
	rig_wr(d, TSI721_DEV_INT, TSI721_DEV_INT_SRIO);
	assert_int_equal(rig_rd(d, TSI721_DEV_INT), 0);
}

/* One MSI for each rise of (DEV_INT and DEV_INTE), judged again at every write of DEV_INTE. */
static void
msi_rises(void **state)
{
	struct rig_dev *d = dev0(state);
	unsigned int round;

	rig_msi_on(d, 0x4321);
	rig_wr(d, DMAC(0, TSI721_DMAC_INTE), DONE);
	rig_wr(d, DMAC(1, TSI721_DMAC_INTE), DONE);
	rig_wr(d, TSI721_DEV_CHAN_INTE, 0xff);
	rig_wr(d, TSI721_DEV_INTE, BDMA);
	assert_int_equal(d->irqs, 0);
	for (round = 1; round < 10; round++) {
		raise_done(d, 0);
		assert_int_equal(d->irqs, 1);
		assert_int_equal(d->irq[0].kind, NULL_IRQ_MSI);
		assert_int_equal(d->irq[0].data, 0x4321);
		assert_int_equal(d->irq[0].addr, 0xfee00000);
		/* More of it is no new rise. */
		raise_done(d, 0);
		raise_done(d, 1);
		assert_int_equal(d->irqs, 1);

		/* The handler: off, look, serve one, on: the other rises then. */
		rig_wr(d, TSI721_DEV_INTE, 0);
		assert_int_equal(rig_rd(d, TSI721_DEV_INT), BDMA);
		clear_done(d, 0);
		raise_done(d, 0);
		clear_done(d, 0);
		assert_int_equal(d->irqs, 1);
		rig_wr(d, TSI721_DEV_INTE, BDMA);
		assert_int_equal(d->irqs, 2);

		rig_wr(d, TSI721_DEV_INTE, 0);
		clear_done(d, 1);
		rig_wr(d, TSI721_DEV_INTE, BDMA);
		assert_int_equal(d->irqs, 2);
		rig_irqs_forget(d);
	}
	assert_int_equal(rig_stat(d, NULL_STAT_IRQS), 18);

	/* Writing the same enable again while the cause stands is no rise. */
	raise_done(d, 0);
	rig_wr(d, TSI721_DEV_INTE, BDMA);
	rig_wr(d, TSI721_DEV_CHAN_INTE, 0x7f);
	rig_cfg_wr(d, NULL_CFG_MSI_CAP, rig_cfg_rd(d, NULL_CFG_MSI_CAP));
	rig_master(d, true);
	assert_int_equal(d->irqs, 1);
}

static void
intx_level(void **state)
{
	struct rig_dev *d = dev0(state);

	rig_wr(d, DMAC(0, TSI721_DMAC_INTE), DONE);
	rig_wr(d, TSI721_DEV_CHAN_INTE, 0xff);
	rig_wr(d, TSI721_DEV_INTE, BDMA);
	raise_done(d, 0);
	assert_int_equal(d->irqs, 1);
	assert_int_equal(d->irq[0].kind, NULL_IRQ_INTX);
	assert_true(d->irq[0].level);
	clear_done(d, 0);
	assert_int_equal(d->irqs, 2);
	assert_int_equal(d->irq[1].kind, NULL_IRQ_INTX);
	assert_false(d->irq[1].level);

	/* Switched off by the command register while asserted. */
	raise_done(d, 0);
	assert_int_equal(d->irqs, 3);
	rig_cfg_wr(d, NULL_CFG_COMMAND, NULL_CFG_COMMAND_MASTER | NULL_CFG_COMMAND_INTX_OFF);
	assert_int_equal(d->irqs, 4);
	assert_false(d->irq[3].level);
	clear_done(d, 0);
	raise_done(d, 0);
	assert_int_equal(d->irqs, 4);
	rig_cfg_wr(d, NULL_CFG_COMMAND, NULL_CFG_COMMAND_MASTER);
	assert_int_equal(d->irqs, 5);
	assert_true(d->irq[4].level);

	/* MSI takes over what is asserted. */
	rig_msi_on(d, 1);
	assert_int_equal(d->irqs, 7);
	assert_int_equal(d->irq[5].kind, NULL_IRQ_INTX);
	assert_false(d->irq[5].level);
	assert_int_equal(d->irq[6].kind, NULL_IRQ_MSI);
}

static void
msix_vectors(void **state)
{
	struct rig_dev *d = dev0(state);
	uint32_t ctl = TSI721_MSIXTBL_OFFSET + TSI721_MSIX_DMACH_DONE(2) * 16 + 12;

	rig_msix_on(d);
	/* Not gated by the device-level enables. */
	rig_wr(d, DMAC(2, TSI721_DMAC_INTE), DONE);
	raise_done(d, 2);
	assert_int_equal(d->irqs, 1);
	assert_int_equal(d->irq[0].kind, NULL_IRQ_MSIX);
	assert_int_equal(d->irq[0].vector, TSI721_MSIX_DMACH_DONE(2));
	assert_int_equal(d->irq[0].data, TSI721_MSIX_DMACH_DONE(2));
	assert_int_equal(d->irq[0].addr, 0xfee00000);

	/* Masked: pending, and sent once when it may be. */
	clear_done(d, 2);
	rig_wr(d, ctl, 1);
	raise_done(d, 2);
	clear_done(d, 2);
	raise_done(d, 2);
	assert_int_equal(d->irqs, 1);
	assert_int_equal(rig_rd(d, TSI721_MSIXPBA_OFFSET), 1u << TSI721_MSIX_DMACH_DONE(2));
	rig_wr(d, ctl, 0);
	assert_int_equal(d->irqs, 2);
	assert_int_equal(rig_rd(d, TSI721_MSIXPBA_OFFSET), 0);

	/* All masked at once, in the capability. */
	rig_cfg_wr(d, NULL_CFG_MSIX_CAP, rig_cfg_rd(d, NULL_CFG_MSIX_CAP) | NULL_CFG_MSIX_MASKALL);
	clear_done(d, 2);
	raise_done(d, 2);
	assert_int_equal(d->irqs, 2);
	rig_cfg_wr(d, NULL_CFG_MSIX_CAP, rig_cfg_rd(d, NULL_CFG_MSIX_CAP) & ~NULL_CFG_MSIX_MASKALL);
	assert_int_equal(d->irqs, 3);

	/* A message is a bus master's write. */
	rig_master(d, false);
	clear_done(d, 2);
	raise_done(d, 2);
	assert_int_equal(d->irqs, 3);
	rig_master(d, true);
	assert_int_equal(d->irqs, 4);
}

/* ---- no interrupt is lost and none comes for nothing, with raisers in other threads ---- */

#define RAISERS	3u
#define RAISES	20000u

struct storm {
	struct rig_dev *d;
	unsigned int ch;
	_Atomic uint32_t raised, served;	/* of this channel */
};

static _Atomic uint32_t storm_irqs;

static void
storm_irq(void *ctx, const struct null_irq *irq)
{
	(void)ctx;
	if (irq->kind == NULL_IRQ_MSI)
		atomic_fetch_add(&storm_irqs, 1);
}

/* Raises a cause, waits until the handler has served it. */
static void *
storm_raiser(void *arg)
{
	struct storm *s = arg;
	struct null_chip *chip = s->d->dev->chip;
	struct null_bdma_ch *c = &chip->bdma[s->ch];
	uint32_t i;

	for (i = 1; i <= RAISES; i++) {
		atomic_store(&s->raised, i);
		null_intr_raise(s->d->dev->fab, s->d->dev->ep, &c->intr, &c->inte, DONE,
				TSI721_MSIX_DMACH_DONE(s->ch));
		while (atomic_load(&s->served) < i)
			sched_yield();
	}
	return NULL;
}

/* As Linux's handler in MSI mode does. False: it was called for nothing. */
static bool
storm_handler(struct rig_dev *d, struct storm *s)
{
	unsigned int i;
	uint32_t chans;

	rig_wr(d, TSI721_DEV_INTE, 0);
	if (rig_rd(d, TSI721_DEV_INT) == 0)
		return false;
	chans = rig_rd(d, TSI721_DEV_CHAN_INT);
	for (i = 0; i < RAISERS; i++)
		if ((chans & TSI721_INT_BDMA_CHAN(i)) != 0) {
			clear_done(d, i);
			atomic_store(&s[i].served, atomic_load(&s[i].raised));
		}
	rig_wr(d, TSI721_DEV_INTE, BDMA);
	return true;
}

static void
storm(void **state)
{
	struct rig_dev *d = dev0(state);
	struct storm s[RAISERS];
	pthread_t t[RAISERS];
	uint32_t seen = 0, idle = 0, i, left;

	atomic_store(&storm_irqs, 0);
	d->dev->irq = storm_irq;
	rig_msi_on(d, 1);
	for (i = 0; i < RAISERS; i++)
		rig_wr(d, DMAC(i, TSI721_DMAC_INTE), DONE);
	rig_wr(d, TSI721_DEV_CHAN_INTE, 0xff);
	rig_wr(d, TSI721_DEV_INTE, BDMA);
	for (i = 0; i < RAISERS; i++) {
		s[i] = (struct storm){ .d = d, .ch = i };
		assert_int_equal(pthread_create(&t[i], NULL, storm_raiser, &s[i]), 0);
	}
	do {
		uint32_t irqs = atomic_load(&storm_irqs);

		for (; seen < irqs; seen++) {
			idle = 0;
			if (!storm_handler(d, s))
				fail_msg("interrupt %u found no cause", seen);
		}
		for (left = 0, i = 0; i < RAISERS; i++)
			left += RAISES - atomic_load(&s[i].served);
		if (++idle > 20000000)
			fail_msg("no interrupt for a cause: %u left", left);
		if (idle > 10)
			sched_yield();
	} while (left > 0);
	for (i = 0; i < RAISERS; i++)
		pthread_join(t[i], NULL);
	d->dev->irq = NULL;
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rig_setup2, rig_teardown)
	const struct CMUnitTest tests[] = {
		T(causes), T(msi_rises), T(intx_level), T(msix_vectors), T(storm),
	};

	return cmocka_run_group_tests_name("null_intr", tests, NULL, NULL);
}
