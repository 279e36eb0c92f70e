/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Others do not wait for one who was stopped, or killed, half way through something. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "far.h"

#define FAR		1u
#define SOON_MS		5000u
#define IDQ_CAUSE	TSI721_SR_CHINT_IDBQRCV
#define MSG_CAUSE	TSI721_IBDMAC_INT_DQ_RCV
#define PW_CAUSE	TSI721_RIO_EM_INT_PW_RX
#define CH		TSI721_IMSG_CHAN(0)

static struct procs *procs;

/* ---- the other process ---- */

/* A link goes down, and whoever made it so gets no further. */
static void
link_half(struct node *n)
{
	struct null_fabric *fab = n->dev->fab;
	struct null_link *link = &fab->sh->links[atomic_load(&n->dev->chip->link)];

	atomic_store(&link->fault_arg[NULL_FAULT_DOWN], 1);
	atomic_fetch_or(&link->faults, 1u << NULL_FAULT_DOWN);
	atomic_store(&link->up, 0);
	null_lock_take(fab, &link->lock);
}

static uint32_t
obey(struct node *n, char what)
{
	switch (what) {
	case 'i':	/* interrupts, of port-writes as well */
		node_irq_on(n);
		node_wr(n, TSI721_RIO_EM_INT_ENABLE, PW_CAUSE);
		node_wr(n, TSI721_RIO_EM_DEV_INT_EN, TSI721_RIO_EM_DEV_INT_EN_INT);
		break;
	case 'c':	/* as the handler does */
		node_irq_rearm(n);
		node_wr(n, TSI721_RIO_PW_RX_STAT, TSI721_RIO_PW_RX_STAT_PW_VAL |
			TSI721_RIO_PW_RX_STAT_PW_DISC);
		break;
	case 'l':
		link_half(n);
		break;
	default:
		break;
	}
	return atomic_load(&n->irqs);
}

static uint32_t
irqs_soon(struct far *f, uint32_t beyond)
{
	uint32_t ms, now = 0;

	for (ms = 0; ms < SOON_MS; ms++) {
		now = far_tell(f, '?');
		if (now != beyond)
			break;
		usleep(1000);
	}
	return now;
}

/* ---- causes ---- */

static struct null_chip *
chip_of_far(struct node *n)
{
	struct null_shared *sh = n->dev->fab->sh;
	uint32_t ep;

	for (ep = 0; ep < atomic_load(&sh->nb_ep); ep++)
		if (ep != n->dev->ep && atomic_load(&sh->ep[ep].attached) != 0)
			return &sh->ep[ep];
	fail();
	return NULL;
}

static uint32_t
ep_of(const struct node *n, const struct null_chip *chip)
{
	return (uint32_t)(chip - n->dev->fab->sh->ep);
}

static void
ring(struct node *n)
{
	node_ring(n, FAR, 1);
}

static void
send(struct node *n)
{
	node_msg_send(n, FAR, 64);
}

static void
portwrite(struct node *n)
{
	const uint32_t words[4] = { 1, 2, 3, 4 };

	null_portwrite_deliver(n->dev->fab, ep_of(n, chip_of_far(n)), words);
}

static const struct kind {
	const char *name;
	size_t cause;		/* in struct null_chip */
	uint32_t bits;
	void (*again)(struct node *n);
} kinds[] = {
	{ "doorbell", offsetof(struct null_chip, idq[0].chint), IDQ_CAUSE, ring },
	{ "message", offsetof(struct null_chip, imsg[CH].intr), MSG_CAUSE, send },
	{ "port-write", offsetof(struct null_chip, em_int_stat), PW_CAUSE, portwrite },
};

static void
node_here(struct node *n)
{
	const struct null_device_params p = {
		.fabric = procs->all->fabric, .destid = 0, .host = -1,
	};
	char err[NULL_ERR_LEN];

	assert_int_equal(node_open(n, &p, 0, 0, err, sizeof(err)), 0);
}

/* One has raised the cause and is stopped before it wakes the other process. */
static void
half_raise(struct node *n, const struct kind *k)
{
	struct null_chip *chip = chip_of_far(n);

	null_intr_set(n->dev->fab, ep_of(n, chip),
		      (_Atomic uint32_t *)(void *)((char *)chip + k->cause), k->bits);
}

static void
cause_untold(void **state)
{
	uint32_t before;
	struct node n;
	struct far f;
	size_t i;

	(void)state;
	node_here(&n);
	far_start(&f, procs->all->fabric, FAR);
	far_tell(&f, 'i');
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		far_tell(&f, 'c');
		usleep(20000);
		before = far_tell(&f, 'c');
		half_raise(&n, &kinds[i]);
		usleep(20000);
		assert_int_equal(far_tell(&f, '?'), before);
		kinds[i].again(&n);
		if (irqs_soon(&f, before) == before)
			fail_msg("%s: no interrupt", kinds[i].name);
	}
	far_end(&f);
	node_close(&n);
}

/* What another one finds raised, told and not cleared is left alone. */
static void
cause_told(void **state)
{
	uint32_t before, i;
	struct node n;
	struct far f;
	size_t k;

	(void)state;
	node_here(&n);
	far_start(&f, procs->all->fabric, FAR);
	far_tell(&f, 'i');
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		before = far_tell(&f, 'c');
		kinds[k].again(&n);
		if (irqs_soon(&f, before) == before)
			fail_msg("%s: no interrupt", kinds[k].name);
		usleep(20000);
		before = far_tell(&f, '?');
		for (i = 0; i < 3; i++)
			kinds[k].again(&n);
		usleep(20000);
		assert_int_equal(far_tell(&f, '?'), before);
	}
	far_end(&f);
	node_close(&n);
}

/* Without interrupts there is nothing to tell; enabling them tells. */
static void
enabled_later(void **state)
{
	const struct kind *k = &kinds[0];
	uint32_t before;
	struct node n;
	struct far f;

	(void)state;
	node_here(&n);
	far_start(&f, procs->all->fabric, FAR);
	before = far_tell(&f, '?');
	k->again(&n);
	k->again(&n);
	usleep(20000);
	assert_int_equal(far_tell(&f, '?'), before);
	far_tell(&f, 'i');
	assert_int_not_equal(irqs_soon(&f, before), before);
	usleep(20000);
	assert_int_equal(atomic_load(&chip_of_far(&n)->idq[0].chint) & NULL_CAUSE_MARKS, 0);
	far_end(&f);
	node_close(&n);
}

/* ---- locks and links ---- */

/* A sender that is stopped while it delivers a port-write still has the lock afterwards. */
static void
lock_kept(void **state)
{
	struct null_chip *chip;
	struct node n;
	struct far f;
	uint32_t word;

	(void)state;
	node_here(&n);
	far_start(&f, procs->all->fabric, FAR);
	chip = chip_of_far(&n);
	assert_true(null_lock_take(n.dev->fab, &chip->pw_lock));
	word = atomic_load(&chip->pw_lock.word);
	far_end(&f);
	far_start(&f, procs->all->fabric, FAR);
	assert_ptr_equal(chip_of_far(&n), chip);
	assert_int_equal(atomic_load(&chip->pw_lock.word), word);
	null_lock_release(n.dev->fab, &chip->pw_lock);
	far_end(&f);
	node_close(&n);
}

/* Killed between the change of a link and the report: whoever buries him reports it. */
static void
link_unreported(void **state)
{
	struct null_switch *sw;
	struct node n;
	struct far f;
	uint32_t ms, port, was;

	(void)state;
	node_here(&n);
	far_start(&f, procs->all->fabric, FAR);
	sw = &n.dev->fab->sh->sw[0];
	port = ep_of(&n, chip_of_far(&n));
	/* The switch reports to this node. */
	null_switch_preset(sw, 7, n.destid, false);
	was = atomic_load(&sw->pw_sent);
	far_tell(&f, 'l');
	usleep(20000);
	assert_int_equal(atomic_load(&sw->pw_sent), was);
	far_kill(&f);
	for (ms = 0; ms < SOON_MS && atomic_load(&sw->pw_sent) == was; ms++)
		usleep(1000);
	assert_int_equal(atomic_load(&sw->pw_sent), was + 1);
	assert_int_not_equal(node_rd(&n, TSI721_RIO_PW_RX_STAT) & TSI721_RIO_PW_RX_STAT_PW_VAL, 0);
	assert_int_equal(node_rd(&n, TSI721_RIO_PW_RX_CAPT(0)), 7);
	assert_int_equal(node_rd(&n, TSI721_RIO_PW_RX_CAPT(2)), port);
	node_close(&n);
}

static int
begin(void **state)
{
	(void)state;
	procs = procs_new(0, NULL);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	procs_free(procs);
	return 0;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cause_untold),
		cmocka_unit_test(cause_told),
		cmocka_unit_test(enabled_later),
		cmocka_unit_test(lock_kept),
		cmocka_unit_test(link_unreported),
	};

	far_main(argc, argv, obey);
	return cmocka_run_group_tests(tests, begin, end);
}
