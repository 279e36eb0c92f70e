/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Sleeping until a device has something: each source, each kind of interrupt, and races. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include <rte_bus_vdev.h>
#include <rte_epoll.h>
#include <rte_interrupts.h>
#include <rte_rawdev.h>
#include <rte_pause.h>

#include "drv_rig.h"
#include "rte_pmd_tsi721.h"

#define LONG_MS		20000	/* what must come comes before */
#define SHORT_MS	30	/* for what must not */
#define MBOX		1u
#define BELL		0x40u
#define ROUNDS		3000u

#define DOORBELL	RTE_PMD_TSI721_INTR_DOORBELL
#define MSG_IN		RTE_PMD_TSI721_INTR_MSG_IN
#define MSG_OUT		RTE_PMD_TSI721_INTR_MSG_OUT
#define DMA		RTE_PMD_TSI721_INTR_DMA

static const char *const modes[] = { "intx", "msi", "msix" };
static struct rig_dev *a, *b;
static uint32_t bells;

static void
on_bell(void *arg, uint16_t src, uint16_t info)
{
	(void)arg;
	(void)src;
	assert_int_equal(info, BELL);
	__atomic_fetch_add(&bells, 1, __ATOMIC_RELEASE);
}

/* Device a anew, with other arguments. */
static void
remake(struct rig *rig, const char *args)
{
	char text[64];

	assert_int_equal(rte_vdev_uninit("raw_tsi7210"), 0);
	snprintf(text, sizeof(text), "fabric=default,destid=0,%s", args);
	assert_int_equal(rte_vdev_init("raw_tsi7210", text), 0);
	rig->d[0].id = rte_rawdev_get_dev_id("raw_tsi7210");
	rig->d[0].dev = tsi721_device_find("raw_tsi7210");
}

static void
open_all(uint16_t id)
{
	struct rte_pmd_tsi721_config config = { .nb_queues = 2 };
	struct rte_rawdev_info info = { .dev_private = &config };

	assert_int_equal(rte_rawdev_configure(id, &info, sizeof(config)), 0);
	assert_int_equal(rte_rawdev_start(id), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_open(id, MBOX, 32, 32, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_request(id, BELL, BELL, on_bell, NULL), 0);
}

static int
setup(void **state)
{
	struct rig *rig;

	rig_setup2(state);
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	__atomic_store_n(&bells, 0, __ATOMIC_RELAXED);
	return 0;
}

/* --- what a source does --- */

static void
msg_send(struct rig_dev *from, struct rig_dev *to)
{
	struct rte_pmd_tsi721_msg_out out = {
		.destid = to->destid, .len = 64, .iova = from->iova,
	};

	assert_int_equal(rte_pmd_tsi721_msg_send(from->id, MBOX, &out, 1), 1);
}

static unsigned int
msg_take(struct rig_dev *d)
{
	struct rte_pmd_tsi721_msg_in in[32];
	int n = rte_pmd_tsi721_msg_peek(d->id, MBOX, in, 32);

	assert_true(n >= 0);
	assert_int_equal(rte_pmd_tsi721_msg_release(d->id, MBOX, (unsigned int)n), 0);
	return (unsigned int)n;
}

static int
op_end(struct rig_dev *d)
{
	struct rte_rawdev_buf buf, *bufs = &buf;

	while (rte_rawdev_dequeue_buffers(d->id, &bufs, 1, (void *)(uintptr_t)1) == 0)
		rte_pause();
	return ((struct rte_pmd_tsi721_op *)buf.buf_addr)->status;
}

/* Something that `intr` of a is about. */
static void
provoke(enum rte_pmd_tsi721_intr intr, struct rte_pmd_tsi721_op *op)
{
	struct rte_pmd_tsi721_seg seg = { .iova = a->iova, .len = 64 };
	struct rte_rawdev_buf buf = { .buf_addr = op }, *bufs = &buf;

	switch (intr) {
	case DOORBELL:
		rte_pmd_tsi721_doorbell_send(b->id, a->destid, BELL);
		break;
	case MSG_IN:
		msg_send(b, a);
		break;
	case MSG_OUT:
		msg_send(a, b);
		break;
	case DMA:
		*op = (struct rte_pmd_tsi721_op){
			.type = RTE_PMD_TSI721_WRITE_R, .destid = b->destid, .raddr = 0x10000000,
			.segs = &seg, .nb_segs = 1,
		};
		assert_int_equal(rte_rawdev_enqueue_buffers(a->id, &bufs, 1,
							    (void *)(uintptr_t)1), 1);
		break;
	}
}

/* Takes what provoke() made; how much. */
static unsigned int
take(enum rte_pmd_tsi721_intr intr, int status)
{
	void *users[8];

	switch (intr) {
	case DOORBELL:
		return (unsigned int)rte_pmd_tsi721_doorbell_poll(a->id, 32);
	case MSG_IN:
		return msg_take(a);
	case MSG_OUT:
		msg_take(b);
		return (unsigned int)rte_pmd_tsi721_msg_reap(a->id, MBOX, users, NULL, 8);
	case DMA:
		assert_int_equal(op_end(a), status);
		return 1;
	}
	return 0;
}

static unsigned int
number(enum rte_pmd_tsi721_intr intr)
{
	return intr == DOORBELL ? 0 : intr == DMA ? 1 : MBOX;
}

static bool
readable(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

static void
one_source(enum rte_pmd_tsi721_intr intr)
{
	struct rte_pmd_tsi721_op op;
	unsigned int nr = number(intr), round;
	int fd = rte_pmd_tsi721_intr_open(a->id, intr, nr);

	assert_true(fd >= 0);
	assert_int_equal(rte_pmd_tsi721_intr_open(a->id, intr, nr), -EBUSY);
	/* Not armed: no signal; and arming says that there is something. */
	provoke(intr, &op);
	assert_false(readable(fd, SHORT_MS));
	assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, intr, nr), 1);
	assert_int_equal(take(intr, 0), 1);
	for (round = 0; round < 20; round++) {
		assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, intr, nr), 0);
		assert_false(readable(fd, 0));
		provoke(intr, &op);
		assert_true(readable(fd, LONG_MS));
		assert_int_equal(take(intr, 0), 1);
	}
	/* Once each time it is armed. */
	assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, intr, nr), 0);
	assert_false(readable(fd, 0));
	assert_int_equal(rte_pmd_tsi721_intr_disarm(a->id, intr, nr), 0);
	provoke(intr, &op);
	assert_false(readable(fd, SHORT_MS));
	assert_int_equal(take(intr, 0), 1);
	assert_int_equal(rte_pmd_tsi721_intr_close(a->id, intr, nr), 0);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_int_equal(rte_pmd_tsi721_intr_close(a->id, intr, nr), -EINVAL);
}

static void
every_source_in_every_mode(void **state)
{
	char args[32];
	size_t i;

	for (i = 0; i < RTE_DIM(modes); i++) {
		snprintf(args, sizeof(args), "intr=%s", modes[i]);
		remake(*state, args);
		open_all(a->id);
		open_all(b->id);
		assert_int_equal(rte_pmd_tsi721_window_open(b->id, 0x10000000, b->iova, 4096), 0);
		one_source(DOORBELL);
		one_source(MSG_IN);
		one_source(MSG_OUT);
		one_source(DMA);
		rte_rawdev_stop(a->id);
		rte_rawdev_stop(b->id);
		rte_rawdev_close(a->id);
		rte_rawdev_close(b->id);
	}
}

static void
an_aborted_channel_wakes(void **state)
{
	struct rte_pmd_tsi721_op op;
	int fd;

	(void)state;
	open_all(a->id);
	fd = rte_pmd_tsi721_intr_open(a->id, DMA, 1);
	assert_true(fd >= 0);
	assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, DMA, 1), 0);
	provoke(DMA, &op);	/* there is no window */
	assert_true(readable(fd, LONG_MS));
	assert_int_equal(take(DMA, -EIO), 1);
	assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, DMA, 1), 0);
}

/* Doorbells that fail raise an interrupt too: it is not one that comes for ever. */
static void
a_doorbell_that_fails(void **state)
{
	uint64_t before;
	int fd;

	(void)state;
	open_all(a->id);
	fd = rte_pmd_tsi721_intr_open(a->id, DOORBELL, 0);
	assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, DOORBELL, 0), 0);
	rte_pmd_tsi721_doorbell_send(a->id, 0x77, 1);
	assert_true(readable(fd, LONG_MS));
	before = __atomic_load_n(&a->dev->intr_count, __ATOMIC_RELAXED);
	assert_true(before > 0);
	poll(NULL, 0, SHORT_MS);
	assert_true(__atomic_load_n(&a->dev->intr_count, __ATOMIC_RELAXED) <= before + 2);
}

static bool
bells_are(void *arg)
{
	return __atomic_load_n(&bells, __ATOMIC_ACQUIRE) == *(uint32_t *)arg;
}

/* While they are waited for they are the application's, before and after the EAL's thread's. */
static void
doorbells_change_hands(void **state)
{
	uint32_t want = 1;

	(void)state;
	open_all(a->id);
	rte_pmd_tsi721_doorbell_send(b->id, a->destid, BELL);
	rig_until(bells_are, &want);
	assert_true(rte_pmd_tsi721_intr_open(a->id, DOORBELL, 0) >= 0);
	rte_pmd_tsi721_doorbell_send(b->id, a->destid, BELL);
	poll(NULL, 0, SHORT_MS);
	assert_true(bells_are(&want));
	assert_int_equal(rte_pmd_tsi721_intr_close(a->id, DOORBELL, 0), 0);
	want = 2;
	rig_until(bells_are, &want);
	rte_pmd_tsi721_doorbell_send(b->id, a->destid, BELL);
	want = 3;
	rig_until(bells_are, &want);
}

static void
in_an_epoll_instance_of_the_eal(void **state)
{
	struct rte_epoll_event event = {
		.epdata = { .event = EPOLLIN, .data = (void *)0x55 },
	}, got;
	struct rte_pmd_tsi721_op op;
	int fd;

	(void)state;
	open_all(a->id);
	open_all(b->id);
	fd = rte_pmd_tsi721_intr_open(a->id, MSG_IN, MBOX);
	assert_int_equal(rte_epoll_ctl(RTE_EPOLL_PER_THREAD, EPOLL_CTL_ADD, fd, &event), 0);
	assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, MSG_IN, MBOX), 0);
	assert_int_equal(rte_epoll_wait(RTE_EPOLL_PER_THREAD, &got, 1, 0), 0);
	provoke(MSG_IN, &op);
	assert_int_equal(rte_epoll_wait(RTE_EPOLL_PER_THREAD, &got, 1, LONG_MS), 1);
	assert_ptr_equal(got.epdata.data, (void *)0x55);
	assert_int_equal(take(MSG_IN, 0), 1);
	assert_int_equal(rte_epoll_ctl(RTE_EPOLL_PER_THREAD, EPOLL_CTL_DEL, fd, &event), 0);
}

/* --- what is refused --- */

static void
refused(void **state)
{
	int fd, out;

	assert_int_equal(rte_pmd_tsi721_intr_open(250, DOORBELL, 0), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_intr_arm(250, DOORBELL, 0), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_intr_disarm(250, DOORBELL, 0), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_intr_close(250, DOORBELL, 0), -ENODEV);
	/* Nothing is open for messages or DMA. */
	assert_int_equal(rte_pmd_tsi721_intr_open(a->id, MSG_IN, MBOX), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_intr_open(a->id, MSG_OUT, MBOX), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_intr_open(a->id, DMA, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, DOORBELL, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_intr_disarm(a->id, DOORBELL, 0), -EINVAL);
	open_all(a->id);
	assert_int_equal(rte_pmd_tsi721_intr_open(a->id, DOORBELL, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_intr_open(a->id, MSG_IN, 4), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_intr_open(a->id, DMA, 2), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_intr_open(a->id, (enum rte_pmd_tsi721_intr)4, 0),
			 -EINVAL);
	/* Closing a mailbox closes what waits for it. */
	fd = rte_pmd_tsi721_intr_open(a->id, MSG_IN, MBOX);
	assert_true(fd >= 0);
	out = rte_pmd_tsi721_intr_open(a->id, MSG_OUT, MBOX);
	assert_true(out >= 0);
	assert_int_equal(rte_pmd_tsi721_mbox_close(a->id, MBOX), 0);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_int_equal(fcntl(out, F_GETFD), -1);
	assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, MSG_IN, MBOX), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_intr_arm(a->id, MSG_OUT, MBOX), -EINVAL);
	rte_rawdev_stop(a->id);
	rte_rawdev_close(a->id);

	remake(*state, "intr=off");
	assert_int_equal(rte_pmd_tsi721_intr_open(a->id, DOORBELL, 0), -ENOTSUP);
}

/* --- races --- */

/* Something comes right before the n-th register access. */
static const struct tsi721_bus_ops *real_ops;
static unsigned int until_it_comes;
static enum rte_pmd_tsi721_intr what_comes;

static void
maybe_now(void)
{
	struct rte_pmd_tsi721_op op;

	if (until_it_comes != 0 && --until_it_comes == 0)
		provoke(what_comes, &op);
}

static uint32_t
hook_read32(void *bus, unsigned int bar, uint64_t off)
{
	maybe_now();
	return real_ops->read32(bus, bar, off);
}

static void
hook_write32(void *bus, unsigned int bar, uint64_t off, uint32_t val)
{
	maybe_now();
	real_ops->write32(bus, bar, off, val);
}

static void
hook_doorbell(void *bus, uint32_t off, uint16_t info)
{
	real_ops->doorbell(bus, off, info);
}

static const struct tsi721_bus_ops hook_ops = {
	.read32 = hook_read32,
	.write32 = hook_write32,
	.doorbell = hook_doorbell,
};

/* Whatever point of the arming it hits, either that says so or the descriptor does. */
static void
comes_while_arming(enum rte_pmd_tsi721_intr intr)
{
	unsigned int at, nr = number(intr), told = 0;
	int fd = rte_pmd_tsi721_intr_open(a->id, intr, nr);

	assert_true(fd >= 0);
	real_ops = a->dev->ops;
	what_comes = intr;
	for (at = 1;; at++) {
		int ret;

		until_it_comes = at;
		a->dev->ops = &hook_ops;
		ret = rte_pmd_tsi721_intr_arm(a->id, intr, nr);
		a->dev->ops = real_ops;
		if (until_it_comes != 0)
			break;
		if (ret == 1)
			told++;
		else if (!readable(fd, LONG_MS))
			fail_msg("missed, %u accesses into the arming", at);
		assert_int_equal(take(intr, 0), 1);
	}
	until_it_comes = 0;
	assert_true(told > 0);
	assert_true(at > 3);
	assert_int_equal(rte_pmd_tsi721_intr_close(a->id, intr, nr), 0);
}

static void
arrival_at_every_point_of_arming(void **state)
{
	(void)state;
	open_all(a->id);
	open_all(b->id);
	comes_while_arming(DOORBELL);
	comes_while_arming(MSG_IN);
}

struct flood {
	enum rte_pmd_tsi721_intr intr;
	uint32_t seed;
};

static void *
flood(void *arg)
{
	struct rte_pmd_tsi721_msg_out out = {
		.destid = a->destid, .len = 64, .iova = b->iova,
	};
	struct flood *f = arg;
	unsigned int i, wait;
	void *users[32];

	for (i = 0; i < ROUNDS; i++) {
		if (f->intr == DOORBELL)
			rte_pmd_tsi721_doorbell_send(b->id, a->destid, BELL);
		else
			while (rte_pmd_tsi721_msg_send(b->id, MBOX, &out, 1) == 0)
				rte_pmd_tsi721_msg_reap(b->id, MBOX, users, NULL, 32);
		f->seed = f->seed * 1664525u + 1013904223u;
		for (wait = f->seed >> 20; wait > 0; wait--)
			rte_pause();
		if (f->seed % 64 == 0)
			poll(NULL, 0, 1);
	}
	return NULL;
}

static void
nothing_is_missed(enum rte_pmd_tsi721_intr intr)
{
	struct flood f = { .intr = intr, .seed = 7 };
	unsigned int nr = number(intr), got = 0, slept = 0, n;
	int fd = rte_pmd_tsi721_intr_open(a->id, intr, nr);
	pthread_t thread;

	assert_true(fd >= 0);
	assert_int_equal(pthread_create(&thread, NULL, flood, &f), 0);
	while (got < ROUNDS) {
		while ((n = take(intr, 0)) > 0)
			got += n;
		if (got == ROUNDS || rte_pmd_tsi721_intr_arm(a->id, intr, nr) != 0)
			continue;
		slept++;
		if (!readable(fd, LONG_MS))
			fail_msg("%u of %u, and no wake-up", got, ROUNDS);
	}
	pthread_join(thread, NULL);
	assert_int_equal(got, ROUNDS);
	assert_true(slept > 10);
	assert_int_equal(rte_pmd_tsi721_intr_close(a->id, intr, nr), 0);
}

/* An operation at a time, each waited for asleep. */
static void
every_operation_wakes(void)
{
	struct rte_rawdev_buf buf, *bufs = &buf;
	struct rte_pmd_tsi721_op op;
	unsigned int round;
	int fd = rte_pmd_tsi721_intr_open(a->id, DMA, 1);

	assert_true(fd >= 0);
	for (round = 0; round < ROUNDS / 10; round++) {
		provoke(DMA, &op);
		while (rte_rawdev_dequeue_buffers(a->id, &bufs, 1, (void *)(uintptr_t)1) == 0)
			if (rte_pmd_tsi721_intr_arm(a->id, DMA, 1) == 0)
				assert_true(readable(fd, LONG_MS));
		assert_int_equal(op.status, 0);
	}
	assert_int_equal(rte_pmd_tsi721_intr_close(a->id, DMA, 1), 0);
}

static void
races(void **state)
{
	static const char *const args[] = {
		"intr=intx", "intr=msi", "intr=msix", "exec=thread,intr=msi",
	};
	size_t i;

	for (i = 0; i < RTE_DIM(args); i++) {
		remake(*state, args[i]);
		open_all(a->id);
		open_all(b->id);
		assert_int_equal(rte_pmd_tsi721_window_open(b->id, 0x10000000, b->iova, 4096), 0);
		nothing_is_missed(DOORBELL);
		nothing_is_missed(MSG_IN);
		every_operation_wakes();
		rte_rawdev_stop(a->id);
		rte_rawdev_stop(b->id);
		rte_rawdev_close(a->id);
		rte_rawdev_close(b->id);
	}
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

static int
teardown(void **state)
{
	rte_rawdev_stop(a->id);
	rte_rawdev_stop(b->id);
	rte_rawdev_close(a->id);
	rte_rawdev_close(b->id);
	return rig_teardown(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_source_in_every_mode),
		TEST(an_aborted_channel_wakes),
		TEST(a_doorbell_that_fails),
		TEST(doorbells_change_hands),
		TEST(in_an_epoll_instance_of_the_eal),
		TEST(refused),
		TEST(arrival_at_every_point_of_arming),
		TEST(races),
	};

	return cmocka_run_group_tests(tests, rig_eal, NULL);
}
