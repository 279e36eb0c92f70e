/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Deaths at the worst moments, made by hand: a process does half of what others
 * rely on and is killed. Everything is looked at in shared memory, since an access
 * to a register would run what waits.
 */

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "null_proc.h"
#include "procs.h"

#define MATES		3u
#define SOON_MS		5000u	/* on a busy machine */
#define FAR		9	/* destination ID of this process */
#define MARK		0x5a5a0000u	/* a count that no lock has by itself */

/* What is done in a mate: to this process's chip, or to the first mate's. */
typedef void (*deed)(struct node *n, struct null_chip *far, struct null_chip *first);

struct mate {
	_Atomic int go, up;
	_Atomic(deed) todo;
	_Atomic uint32_t proc, ep;
};

struct room {
	char fabric[NULL_NAME_LEN];
	_Atomic uint32_t ep;
	struct mate mate[MATES];
};

static struct room *room;
static pid_t pids[MATES];
static struct node here;

static int
node_begin(struct node *n, int destid)
{
	const struct null_device_params params = {
		.fabric = room->fabric, .destid = destid, .host = -1,
	};
	char err[NULL_ERR_LEN] = "";
	int ret = node_open(n, &params, (uint32_t)destid, 0, err, sizeof(err));

	if (ret < 0)
		fprintf(stderr, "%s\n", err);
	return ret;
}

/* ---- mates: made before this process joins, since a fabric is not inherited ---- */

static void
mate_main(uint32_t i)
{
	struct mate *m = &room->mate[i];
	struct node n;
	deed todo;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (atomic_load(&m->go) == 0)
		usleep(500);
	if (node_begin(&n, (int)i) < 0)
		_exit(1);
	atomic_store(&m->proc, n.dev->fab->proc);
	atomic_store(&m->ep, n.dev->ep);
	atomic_store(&m->up, 1);
	for (;;) {
		todo = atomic_load(&m->todo);
		if (todo != NULL) {
			todo(&n, &n.dev->fab->sh->ep[atomic_load(&room->ep)],
			     &n.dev->fab->sh->ep[atomic_load(&room->mate[0].ep)]);
			atomic_store(&m->todo, NULL);
		}
		usleep(500);
	}
}

static void
mate_up(uint32_t i)
{
	uint32_t ms;

	atomic_store(&room->mate[i].go, 1);
	for (ms = 0; ms < SOON_MS && atomic_load(&room->mate[i].up) == 0; ms++)
		usleep(1000);
	assert_int_equal(atomic_load(&room->mate[i].up), 1);
}

static void
mate_does(uint32_t i, deed todo)
{
	uint32_t ms;

	atomic_store(&room->mate[i].todo, todo);
	for (ms = 0; ms < SOON_MS && atomic_load(&room->mate[i].todo) != NULL; ms++)
		usleep(1000);
	assert_null(atomic_load(&room->mate[i].todo));
}

static void
mate_kill(uint32_t i)
{
	if (pids[i] == 0)
		return;
	kill(pids[i], SIGKILL);
	waitpid(pids[i], NULL, 0);
	pids[i] = 0;
}

static bool
mate_buried(uint32_t i)
{
	const struct null_shared *sh = here.dev->fab->sh;
	uint32_t ms;

	for (ms = 0; ms < SOON_MS; ms++) {
		if (atomic_load(&sh->procs[atomic_load(&room->mate[i].proc)].pid) == 0)
			return true;
		usleep(1000);
	}
	return false;
}

static int
setup(void **state)
{
	static unsigned int runs;
	uint32_t i;

	(void)state;
	room = mmap(NULL, sizeof(*room), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(room, MAP_FAILED);
	snprintf(room->fabric, sizeof(room->fabric), "death-%d-%u", (int)getpid(), runs++);
	for (i = 0; i < MATES; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0)
			mate_main(i);
	}
	assert_int_equal(node_begin(&here, FAR), 0);
	node_irq_on(&here);
	atomic_store(&room->ep, here.dev->ep);
	mate_up(0);
	mate_up(1);
	return 0;
}

static int
teardown(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 0; i < MATES; i++)
		mate_kill(i);
	node_close(&here);
	munmap(room, sizeof(*room));
	return 0;
}

/* ---- interrupts ---- */

static void
queues_hold(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)first;
	null_lock_take(n->dev->fab, &far->idq[0].lock);
	null_lock_take(n->dev->fab, &far->imsg[TSI721_IMSG_CHAN(0)].lock);
}

static void
queues_release(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)first;
	null_lock_release(n->dev->fab, &far->idq[0].lock);
	null_lock_release(n->dev->fab, &far->imsg[TSI721_IMSG_CHAN(0)].lock);
}

static void
bell_untold(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)n;
	(void)first;
	atomic_fetch_or(&far->idq[0].chint, TSI721_SR_CHINT_IDBQRCV);
}

static void
message_untold(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)n;
	(void)first;
	atomic_fetch_or(&far->imsg[TSI721_IMSG_CHAN(0)].intr, TSI721_IBDMAC_INT_DQ_RCV);
}

static void
portwrite_untold(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)n;
	(void)first;
	atomic_fetch_or(&far->em_int_stat, TSI721_RIO_EM_INT_PW_RX);
}

/* It was captured, and the cause not even set. */
static void
portwrite_unset(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)n;
	(void)first;
	atomic_fetch_or(&far->pw_rx_stat, TSI721_RIO_PW_RX_STAT_PW_VAL);
}

/* All but the write to the agent's pipe. */
static void
bell_unrung(struct node *n, struct null_chip *far, struct null_chip *first)
{
	struct null_shared *sh = n->dev->fab->sh;
	struct null_proc *p = &sh->procs[atomic_load(&far->proc)];
	const unsigned int v = TSI721_MSIX_SR2PC_IDBQ_RCV(0);

	(void)first;
	atomic_fetch_or(&far->idq[0].chint, TSI721_SR_CHINT_IDBQRCV);
	atomic_fetch_or(&far->msix_pba[v / 64], 1ull << v % 64);
	null_epset_add(&p->intr, atomic_load(&room->ep));
	atomic_fetch_or(&p->kicks, NULL_KICK_INTR);
}

static void
comes_after(deed half, bool held)
{
	uint32_t before, ms;

	node_wr(&here, TSI721_RIO_EM_INT_ENABLE, TSI721_RIO_EM_INT_PW_RX);
	node_wr(&here, TSI721_RIO_EM_DEV_INT_EN, TSI721_RIO_EM_DEV_INT_EN_INT);
	/* Those of what came before, if there is any. */
	usleep(50000);
	before = atomic_load(&here.irqs);
	if (held)
		mate_does(0, queues_hold);
	mate_does(1, half);
	usleep(50000);
	assert_int_equal(atomic_load(&here.irqs), before);
	mate_kill(1);
	for (ms = 0; ms < SOON_MS && atomic_load(&here.irqs) == before; ms++)
		usleep(1000);
	assert_int_not_equal(atomic_load(&here.irqs), before);
	if (held)
		mate_does(0, queues_release);
}

static void
doorbell(void **state)
{
	(void)state;
	comes_after(bell_untold, false);
}

/* One who lives has the queue's lock when the dead one's causes are looked for. */
static void
doorbell_held(void **state)
{
	(void)state;
	comes_after(bell_untold, true);
}

static void
message_held(void **state)
{
	(void)state;
	comes_after(message_untold, true);
}

static void
portwrite(void **state)
{
	(void)state;
	comes_after(portwrite_untold, false);
}

static void
portwrite_captured(void **state)
{
	(void)state;
	comes_after(portwrite_unset, false);
}

static void
pipe_not_written(void **state)
{
	(void)state;
	comes_after(bell_unrung, false);
}

/* ---- one who was taken out of the waiters, and not woken ---- */

static void
first_busy(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)far;
	null_lock_take(n->dev->fab, &first->idq[0].lock);
}

static void
first_forgets(struct node *n, struct null_chip *far, struct null_chip *first)
{
	uint32_t i;

	(void)far;
	null_lock_release(n->dev->fab, &first->idq[0].lock);
	atomic_store(&first->idq[0].contended, 0);
	for (i = 0; i < NULL_EP_MAX / 64; i++)
		atomic_store(&first->idq_waiters.w[i], 0);
}

static void
waiter(void **state)
{
	const struct null_odb *odb = &here.dev->chip->odb;
	uint32_t ms;

	(void)state;
	mate_does(1, first_busy);
	node_ring(&here, 0, 5);
	mate_does(1, first_forgets);
	usleep(50000);
	assert_int_not_equal(atomic_load(&odb->head), atomic_load(&odb->tail));
	mate_kill(1);
	for (ms = 0; ms < SOON_MS && atomic_load(&odb->sent) == 0; ms++)
		usleep(1000);
	assert_int_equal(atomic_load(&odb->sent), 1);
	assert_int_equal(atomic_load(&odb->head), atomic_load(&odb->tail));
}

/* ---- locks ---- */

static void
lock_leave(struct null_lock *l, uint32_t proc)
{
	atomic_store(&l->word, MARK | (proc + 1));
}

static void
chip_locks_leave(struct null_chip *chip, uint32_t proc)
{
	uint32_t i;

	for (i = 0; i < TSI721_IDQ_NUM; i++)
		lock_leave(&chip->idq[i].lock, proc);
	for (i = 0; i < TSI721_IMSG_NUM; i++)
		lock_leave(&chip->imsg[i].lock, proc);
	for (i = 0; i < TSI721_DMAC_NUM; i++)
		lock_leave(&chip->bdma[i].lock, proc);
	for (i = 0; i < TSI721_OMSG_NUM; i++)
		lock_leave(&chip->omsg[i].lock, proc);
	lock_leave(&chip->odb.lock, proc);
	lock_leave(&chip->obwin_lock, proc);
	lock_leave(&chip->pw_lock, proc);
}

/* More than any process can hold; those of a chip that nobody has, too. */
static void
all_locks_leave(struct node *n, struct null_chip *far, struct null_chip *first)
{
	struct null_shared *sh = n->dev->fab->sh;
	uint32_t ep;

	(void)far;
	(void)first;
	for (ep = 0; ep < atomic_load(&sh->nb_ep); ep++)
		chip_locks_leave(&sh->ep[ep], n->dev->fab->proc);
	lock_leave(&sh->lock, n->dev->fab->proc);
}

/*
 * Anywhere in shared memory, so that a lock that is new is not forgotten. What else lies
 * there is looked at without its lock, which ThreadSanitizer need not be told of.
 */
__attribute__((no_sanitize("thread"))) static bool
any_marked(uint32_t proc)
{
	const struct null_shared *sh = here.dev->fab->sh;
	const volatile uint32_t *w = (const volatile void *)sh;
	size_t i;

	for (i = 0; i < sizeof(*sh) / sizeof(*w); i++)
		if (w[i] == (MARK | (proc + 1)))
			return true;
	return false;
}

/* A process slot that is used again inherits no lock. */
static void
locks(void **state)
{
	uint32_t proc = atomic_load(&room->mate[1].proc), src;
	uint16_t info;

	(void)state;
	assert_false(any_marked(proc));
	mate_does(1, all_locks_leave);
	assert_true(any_marked(proc));
	mate_kill(1);
	assert_true(mate_buried(1));
	assert_false(any_marked(proc));
	mate_up(2);
	assert_int_equal(atomic_load(&room->mate[2].proc), proc);
	/* And everything goes on. */
	node_ring(&here, FAR, 7);
	assert_true(node_bell_get(&here, &src, &info));
	assert_int_equal(info, 7);
	assert_int_equal(node_dma(&here, TSI721_RTYPE_NREAD, 2, NODE_PAT_RIO, NODE_IN, 8), 0);
}

/* ---- published, and the queue's pointer not moved ---- */

#define HALF_INFO	0x1234u
#define HALF_LEN	64u

static void
bell_half(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)first;
	node_ring(n, FAR, HALF_INFO);
	null_lock_take(n->dev->fab, &far->idq[0].lock);
	atomic_fetch_sub(&far->idq[0].count, 1);
}

static void
message_half(struct node *n, struct null_chip *far, struct null_chip *first)
{
	struct null_imsg_ch *ch = &far->imsg[TSI721_IMSG_CHAN(0)];

	(void)first;
	memset(n->mem + NODE_MSG, 0x5a, HALF_LEN);
	node_msg_send(n, FAR, HALF_LEN);
	null_lock_take(n->dev->fab, &ch->lock);
	atomic_fetch_sub(&ch->count, 1);
}

static void
rings_on(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)far;
	(void)first;
	node_ring(n, FAR, HALF_INFO + 1);
}

static void
sends_on(struct node *n, struct null_chip *far, struct null_chip *first)
{
	(void)far;
	(void)first;
	memset(n->mem + NODE_MSG, 0xa5, HALF_LEN);
	node_msg_send(n, FAR, HALF_LEN);
}

/* What was published counts, and the next one does not take its place. */
static void
half_doorbell(void **state)
{
	uint32_t wp = node_rd(&here, TSI721_IDQ_WP(0)), src, i;
	uint16_t info;

	(void)state;
	mate_does(1, bell_half);
	assert_int_equal(node_rd(&here, TSI721_IDQ_WP(0)), wp);
	mate_kill(1);
	assert_true(mate_buried(1));
	assert_int_equal(node_rd(&here, TSI721_IDQ_WP(0)), wp + 1);
	mate_does(0, rings_on);
	for (i = 0; i < 2; i++) {
		assert_true(node_bell_get(&here, &src, &info));
		assert_int_equal(info, HALF_INFO + i);
		assert_int_equal(src, 1 - i);
	}
	assert_int_equal(node_rd(&here, TSI721_IDQ_WP(0)), wp + 2);
}

static void
half_message(void **state)
{
	const uint32_t ch = TSI721_IMSG_CHAN(0);
	uint32_t wp = node_rd(&here, TSI721_IBDMAC_DQWP(ch)), src, len, i;
	const uint8_t *data;

	(void)state;
	mate_does(1, message_half);
	assert_int_equal(node_rd(&here, TSI721_IBDMAC_DQWP(ch)), wp);
	mate_kill(1);
	assert_true(mate_buried(1));
	assert_int_equal(node_rd(&here, TSI721_IBDMAC_DQWP(ch)), wp + 1);
	assert_int_equal(node_rd(&here, TSI721_IBDMAC_FQRP(ch)), wp + 1);
	mate_does(0, sends_on);
	for (i = 0; i < 2; i++) {
		data = node_msg_get(&here, &src, &len);
		assert_non_null(data);
		assert_int_equal(data[HALF_LEN - 1], i == 0 ? 0x5a : 0xa5);
		assert_int_equal(len, HALF_LEN);
		assert_int_equal(src, 1 - i);
		node_msg_free(&here);
	}
	assert_int_equal(node_rd(&here, TSI721_IBDMAC_DQWP(ch)), wp + 2);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(doorbell), TEST(doorbell_held), TEST(message_held), TEST(portwrite),
		TEST(portwrite_captured), TEST(pipe_not_written), TEST(waiter), TEST(locks),
		TEST(half_doorbell), TEST(half_message),
	};

	return cmocka_run_group_tests_name("fabric_death", tests, NULL, NULL);
}
