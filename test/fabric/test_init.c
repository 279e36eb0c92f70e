/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A driver begins anew with a queue whose lock a stopped process holds: it is not held up
 * for long, and what it does next counts once the queue is its own again.
 */

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "far.h"

#define FAR		1u	/* who begins anew */
#define HOLDER		2u	/* who is stopped */
#define CH		TSI721_IMSG_CHAN(0)
#define LIMIT_MS	1000u
#define SOON_MS		5000u
#define NONE		0xffffffffu
#define BUFS		31u	/* that a driver posts */
#define LEN		64u

static struct procs *procs;

/* ---- in the other processes ---- */

static struct null_chip *
chip_of(struct node *n, uint32_t destid)
{
	struct null_shared *sh = n->dev->fab->sh;
	uint32_t ep;

	for (ep = 0; ep < atomic_load(&sh->nb_ep); ep++)
		if (atomic_load(&sh->ep[ep].attached) != 0 &&
		    null_source_id(&sh->ep[ep], n->tt) == destid)
			return &sh->ep[ep];
	return NULL;
}

static uint32_t
hold(struct node *n, bool on)
{
	struct null_chip *chip = chip_of(n, FAR);

	if (!on) {
		null_lock_release(n->dev->fab, &chip->idq[0].lock);
		null_lock_release(n->dev->fab, &chip->imsg[CH].lock);
		return 1;
	}
	return null_lock_take(n->dev->fab, &chip->idq[0].lock) &&
	       null_lock_take(n->dev->fab, &chip->imsg[CH].lock);
}

/* As a driver that opens the queue again; milliseconds. */
static uint32_t
bells_again(struct node *n)
{
	uint64_t begin = null_now_ns();

	node_wr(n, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
	n->idq_rp = 0;
	return (uint32_t)((null_now_ns() - begin) / 1000000);
}

static uint32_t
messages_again(struct node *n)
{
	uint64_t begin = null_now_ns();

	node_msg_open(n);
	return (uint32_t)((null_now_ns() - begin) / 1000000);
}

static uint32_t
bell(struct node *n)
{
	uint32_t src;
	uint16_t info;

	return node_bell_get(n, &src, &info) ? info : NONE;
}

/* Its first word. */
static uint32_t
message(struct node *n)
{
	const uint8_t *p;
	uint32_t src, len, word = NONE;

	p = node_msg_get(n, &src, &len);
	if (p == NULL)
		return NONE;
	if (len == LEN)
		memcpy(&word, p, sizeof(word));
	node_msg_free(n);
	return word;
}

static uint32_t
obey(struct node *n, char what)
{
	switch (what) {
	case 'h':
		return hold(n, true);
	case 'u':
		return hold(n, false);
	case 'B':
		return bells_again(n);
	case 'M':
		return messages_again(n);
	case 'b':
		return bell(n);
	case 'm':
		return message(n);
	case 'w':
		return node_rd(n, TSI721_IDQ_WP(0));
	case 'W':
		return node_rd(n, TSI721_IBDMAC_DQWP(CH)) | node_rd(n, TSI721_IBDMAC_FQRP(CH));
	case 'c':
		return node_rd(n, TSI721_IDQ_CTL(0));
	case 'C':
		return node_rd(n, TSI721_IBDMAC_CTL(CH));
	default:
		return 0;
	}
}

/* ---- in the test's ---- */

struct three {
	struct node n;
	struct far far, holder;
};

static void
open_all(struct three *t)
{
	const struct null_device_params p = {
		.fabric = procs->all->fabric, .destid = 0, .host = -1,
	};
	char err[NULL_ERR_LEN];

	assert_int_equal(node_open(&t->n, &p, 0, 0, err, sizeof(err)), 0);
	far_start(&t->far, procs->all->fabric, FAR);
	far_start(&t->holder, procs->all->fabric, HOLDER);
	node_wr(&t->n, TSI721_RQRPTO, TSI721_RQRPTO_MASK);
}

static void
close_all(struct three *t)
{
	far_end(&t->far);
	if (t->holder.pid != 0)
		far_end(&t->holder);
	node_close(&t->n);
}

/* The other one holds both queues and is stopped. */
static void
stop_holder(struct three *t)
{
	assert_int_equal(far_tell(&t->holder, 'h'), 1);
	assert_int_equal(kill(t->holder.pid, SIGSTOP), 0);
}

static void
let_go(struct three *t, bool dies)
{
	if (dies) {
		far_kill(&t->holder);
		t->holder.pid = 0;
	} else {
		assert_int_equal(kill(t->holder.pid, SIGCONT), 0);
		assert_int_equal(far_tell(&t->holder, 'u'), 1);
	}
}

static void
send(struct three *t, uint32_t word)
{
	memset(t->n.mem + NODE_MSG, 0, LEN);
	memcpy(t->n.mem + NODE_MSG, &word, sizeof(word));
	node_msg_send(&t->n, FAR, LEN);
}

static void
sent(struct three *t)
{
	uint32_t ms;

	for (ms = 0; ms < SOON_MS && node_msg_done(&t->n) == NODE_MSG_BUSY; ms++)
		usleep(1000);
	assert_int_equal(node_msg_done(&t->n), 0);
}

static uint32_t
soon(struct three *t, char what)
{
	uint32_t ms, got = NONE;

	for (ms = 0; ms < SOON_MS && (got = far_tell(&t->far, what)) == NONE; ms++)
		usleep(1000);
	return got;
}

static void
bells_reopen(struct three *t, bool dies)
{
	uint32_t ms, i;

	for (i = 0; i < 3; i++)
		node_ring(&t->n, FAR, (uint16_t)(1 + i));
	assert_int_equal(far_tell(&t->far, 'b'), 1);
	stop_holder(t);
	ms = far_tell(&t->far, 'B');
	assert_true(ms < LIMIT_MS);
	/* It begins with an empty queue, though INIT is not done yet. */
	assert_int_equal(far_tell(&t->far, 'c'), TSI721_IDQ_CTL_INIT);
	assert_int_equal(far_tell(&t->far, 'w'), 0);
	assert_int_equal(far_tell(&t->far, 'b'), NONE);
	node_ring(&t->n, FAR, 10);
	assert_int_equal(far_tell(&t->far, 'b'), NONE);
	let_go(t, dies);
	node_ring(&t->n, FAR, 11);
	assert_int_equal(soon(t, 'b'), 10);
	assert_int_equal(soon(t, 'b'), 11);
	assert_int_equal(far_tell(&t->far, 'b'), NONE);
	assert_int_equal(far_tell(&t->far, 'c'), 0);
	assert_int_equal(far_tell(&t->far, 'w'), 2);
}

static void
messages_reopen(struct three *t, bool dies)
{
	uint32_t ms, i;

	for (i = 0; i < 20; i++) {
		send(t, 1 + i);
		sent(t);
		assert_int_equal(far_tell(&t->far, 'm'), 1 + i);
	}
	stop_holder(t);
	ms = far_tell(&t->far, 'M');
	assert_true(ms < LIMIT_MS);
	assert_int_equal(far_tell(&t->far, 'C'), TSI721_IBDMAC_CTL_INIT);
	assert_int_equal(far_tell(&t->far, 'W'), 0);
	send(t, 100);
	assert_int_equal(node_msg_done(&t->n), NODE_MSG_BUSY);
	assert_int_equal(far_tell(&t->far, 'm'), NONE);
	let_go(t, dies);
	/* The buffers that it has posted meanwhile are there, all of them. */
	for (i = 0; i < BUFS; i++) {
		if (i > 0)
			send(t, 100 + i);
		sent(t);
	}
	for (i = 0; i < BUFS; i++)
		assert_int_equal(far_tell(&t->far, 'm'), 100 + i);
	assert_int_equal(far_tell(&t->far, 'C'), 0);
}

static void
doorbells(void **state)
{
	struct three t;

	(void)state;
	open_all(&t);
	bells_reopen(&t, false);
	bells_reopen(&t, true);
	close_all(&t);
}

static void
messages(void **state)
{
	struct three t;

	(void)state;
	open_all(&t);
	messages_reopen(&t, false);
	messages_reopen(&t, true);
	close_all(&t);
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
		cmocka_unit_test_setup_teardown(doorbells, begin, end),
		cmocka_unit_test_setup_teardown(messages, begin, end),
	};

	far_main(argc, argv, obey);
	return cmocka_run_group_tests_name("fabric_init", tests, NULL, NULL);
}
