/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* A process cuts the file of its memory short while another one uses it. */

#include <endian.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "far.h"
#include "null_guard.h"
#include "procs.h"

#define FAR		1u	/* destination ID, and endpoint, of the one that lies */
#define LEN		0x1000u
#define OUT_WIN		0x80000000ull	/* bus address of an outbound window */
#define BELL		0x77u
#define WAIT_NS		(20ull * 1000 * 1000 * 1000)

/* ---- the one that lies: does what it is told by a byte, and says when it has ---- */

static uint32_t
obey(struct node *n, char what)
{
	switch (what) {
	case 'n':	/* nothing of it is left */
		assert_int_equal(ftruncate(n->memfd, 0), 0);
		break;
	case 't':	/* the tail is gone: half of the pattern and more */
		assert_int_equal(ftruncate(n->memfd, NODE_PAT + LEN), 0);
		break;
	case 'b':	/* of messages, only the buffers are gone */
		assert_int_equal(ftruncate(n->memfd, NODE_BUFS), 0);
		break;
	case 'h':	/* a hole is no loss */
		assert_int_equal(fallocate(n->memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					   NODE_WIN, NODE_WIN_SIZE), 0);
		break;
	case 'r':	/* there is room in the queue of doorbells */
		node_wr(n, TSI721_IDQ_RP(0), 100);
		break;
	default:
		break;
	}
	return 0;
}

/* ---- what is done to its memory ---- */

static uint64_t
faults_of_far(struct node *n)
{
	uint32_t ep;

	for (ep = 0; ep < atomic_load(&n->dev->fab->sh->nb_ep); ep++)
		if (ep != n->dev->ep)
			return atomic_load(&n->dev->fab->sh->ep[ep].stats[NULL_STAT_DMA_FAULTS]);
	fail();
	return 0;
}

static uint32_t
nread(struct node *n)
{
	return node_dma(n, TSI721_RTYPE_NREAD, FAR, NODE_PAT_RIO, NODE_IN, LEN);
}

/* Over the place that 't' cuts at. */
static uint32_t
nread_over(struct node *n)
{
	return node_dma(n, TSI721_RTYPE_NREAD, FAR, NODE_PAT_RIO + LEN / 2, NODE_IN, LEN);
}

static uint32_t
nwrite_r(struct node *n)
{
	return node_dma(n, TSI721_RTYPE_ALL_NWRITE_R, FAR, NODE_WIN_RIO, NODE_OUT, 64);
}

static uint32_t
last_nwrite_r(struct node *n)
{
	return node_dma(n, TSI721_RTYPE_LAST_NWRITE_R, FAR, NODE_WIN_RIO, NODE_OUT, LEN);
}

/* Nothing answers it: it is counted at the target, and that is all. */
static uint32_t
nwrite(struct node *n)
{
	uint64_t before = faults_of_far(n);
	uint32_t code = node_dma(n, TSI721_RTYPE_ALL_NWRITE, FAR, NODE_WIN_RIO, NODE_OUT, 64);

	assert_int_equal(code, 0);
	return faults_of_far(n) == before ? 0 : NULL_ABORT_ERROR;
}

static uint32_t
message(struct node *n)
{
	uint64_t until = null_now_ns() + WAIT_NS;
	uint32_t code;

	node_msg_send(n, FAR, 256);
	while ((code = node_msg_done(n)) == NODE_MSG_BUSY)
		assert_true(null_now_ns() < until);
	return code;
}

/* Of the doorbell written last. */
static uint32_t
bell_end(struct node *n)
{
	uint64_t until = null_now_ns() + WAIT_NS;
	uint32_t chint;

	do {
		assert_true(null_now_ns() < until);
		usleep(1000);
		/* Not through a register, since that would run the engine. */
		chint = atomic_load(&n->dev->chip->idq[0].chint);
	} while ((chint & (TSI721_SR_CHINT_ODBOK | TSI721_SR_CHINT_ODBERR)) == 0);
	return (chint & TSI721_SR_CHINT_ODBERR) != 0 ? NULL_ABORT_ERROR : 0;
}

static uint32_t
doorbell(struct node *n)
{
	node_wr(n, TSI721_SR_CHINT(0), TSI721_SR_CHINT_ALL);
	node_ring(n, FAR, BELL);
	return bell_end(n);
}

static uint32_t
outbound(struct node *n, bool write)
{
	uint32_t val = 0x12345678;
	uint64_t errors = null_device_stat_get(n->dev, NULL_STAT_OBWIN_ERRORS);

	if (write)
		null_device_bar_write(n->dev, TSI721_BAR_WIN0, 0, &val, sizeof(val));
	else
		null_device_bar_read(n->dev, TSI721_BAR_WIN0, 0, &val, sizeof(val));
	if (null_device_stat_get(n->dev, NULL_STAT_OBWIN_ERRORS) == errors)
		return 0;
	assert_true(write || val == UINT32_MAX);
	return NULL_ABORT_ERROR;
}

static uint32_t
outbound_read(struct node *n)
{
	return outbound(n, false);
}

static uint32_t
outbound_write(struct node *n)
{
	return outbound(n, true);
}

static void
outbound_set(struct node *n)
{
	const uint32_t low = htole32((uint32_t)OUT_WIN), high = htole32((uint32_t)(OUT_WIN >> 32));

	null_device_cfg_write(n->dev, NULL_CFG_BAR(2), &low, sizeof(low));
	null_device_cfg_write(n->dev, NULL_CFG_BAR(3), &high, sizeof(high));
	node_wr(n, TSI721_LUT_DATA0, NODE_WIN_RIO | TSI721_LUT_DATA0_NREAD |
		TSI721_LUT_DATA0_NWR_R);
	node_wr(n, TSI721_LUT_DATA1, 0);
	node_wr(n, TSI721_LUT_DATA2, FAR);
	node_wr(n, TSI721_ZONE_SEL, TSI721_ZONE_SEL_GO);
	node_wr(n, TSI721_OBWIN_SZ(0), 0);
	node_wr(n, TSI721_OBWIN_UB(0), (uint32_t)(OUT_WIN >> 32));
	node_wr(n, TSI721_OBWIN_LB(0), (uint32_t)OUT_WIN | TSI721_OBWIN_LB_WEN);
}

/* ---- tests ---- */

static const struct kind {
	const char *name;
	uint32_t (*run)(struct node *n);
	char how;
	uint32_t abort;
} kinds[] = {
	{ "NREAD", nread, 'n', NULL_ABORT_ERROR },
	{ "NREAD over the new end", nread_over, 't', NULL_ABORT_ERROR },
	{ "NREAD before the new end", nread, 't', 0 },
	{ "NWRITE_R", nwrite_r, 'n', NULL_ABORT_ERROR },
	{ "LAST_NWRITE_R", last_nwrite_r, 'n', NULL_ABORT_ERROR },
	{ "NWRITE", nwrite, 'n', NULL_ABORT_ERROR },
	{ "NWRITE_R into a hole", nwrite_r, 'h', 0 },
	{ "message", message, 'n', NULL_ABORT_ERROR },
	{ "message without its buffer", message, 'b', NULL_ABORT_ERROR },
	{ "doorbell", doorbell, 'n', NULL_ABORT_ERROR },
	{ "outbound read", outbound_read, 'n', NULL_ABORT_ERROR },
	{ "outbound write", outbound_write, 'n', NULL_ABORT_ERROR },
};

static void
kind_check(struct node *n, const char *fabric, const struct kind *k, bool cold)
{
	uint32_t lost = null_guard_count(), code, i;
	uint64_t before;
	struct far f;

	far_start(&f, fabric, FAR);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		code = kinds[i].run(n);
		if (code != 0)
			fail_msg("%s: %s to one that is whole: code %u", k->name, kinds[i].name, code);
	}
	far_tell(&f, k->how);
	/* With what engines remember, and without. */
	if (cold)
		null_fabric_changed(n->dev->fab);
	before = faults_of_far(n);
	code = k->run(n);
	if (code != k->abort)
		fail_msg("%s: code %u, not %u", k->name, code, k->abort);
	assert_int_equal(null_guard_count(), lost + (k->abort != 0));
	if (k->abort != 0) {
		/* All of it is taken for gone, without another signal. */
		assert_true(faults_of_far(n) > before);
		for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			assert_int_not_equal(kinds[i].run(n), 0);
		assert_int_equal(null_guard_count(), lost + 1);
	}
	far_end(&f);
}

static struct procs *procs;

static void
node_here(struct node *n)
{
	const struct null_device_params p = {
		.fabric = procs->all->fabric, .destid = 0, .host = -1,
	};
	char err[NULL_ERR_LEN];

	assert_int_equal(node_open(n, &p, 0, 0, err, sizeof(err)), 0);
	outbound_set(n);
}

/* Each kind of access meets the loss first once, and its process lives. */
static void
each_kind(void **state)
{
	struct node n;
	int cold;
	size_t i;

	(void)state;
	node_here(&n);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		for (cold = 0; cold < 2; cold++)
			kind_check(&n, procs->all->fabric, &kinds[i], cold != 0);
	node_close(&n);
}

/* A doorbell that waits is delivered by a thread of the fabric's. */
static void
by_a_thread(void **state)
{
	uint32_t lost = null_guard_count(), i;
	struct node n;
	struct far f;

	(void)state;
	node_here(&n);
	far_start(&f, procs->all->fabric, FAR);
	for (i = 0; i < 520; i++)
		node_ring(&n, FAR, BELL);
	assert_int_not_equal(node_rd(&n, TSI721_SR_CHINT(0)) & TSI721_SR_CHINT_ODBRTRY, 0);
	far_tell(&f, 'n');
	node_wr(&n, TSI721_SR_CHINT(0), TSI721_SR_CHINT_ALL);
	far_tell(&f, 'r');
	assert_int_equal(bell_end(&n), NULL_ABORT_ERROR);
	assert_int_equal(null_guard_count(), lost + 1);
	far_end(&f);
	node_close(&n);
}

/* ---- signals that are not for guards ---- */

#define MINE	42

static void
mine(int sig)
{
	(void)sig;
	_exit(MINE);
}

/* Touch memory that is no more: how the process ends. */
static int
end_of(void (*handler)(int), bool guarded)
{
	int fd = memfd_create("gone", MFD_CLOEXEC), status;
	volatile char *other, *here;
	pid_t pid;

	assert_int_equal(ftruncate(fd, 0x2000), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		signal(SIGBUS, handler);
		here = mmap(NULL, 0x1000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		other = mmap(NULL, 0x1000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0x1000);
		if (null_guard_add((void *)(uintptr_t)here, 0x1000, NULL) == NULL ||
		    ftruncate(fd, 0) != 0)
			_exit(1);
		*(guarded ? here : other) = 1;
		_exit(guarded && null_guard_hit((void *)(uintptr_t)here) ? 0 : 2);
	}
	close(fd);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void
other_signals(void **state)
{
	int status;

	(void)state;
	/* Before this process has a guard: each child sets its own handler. */
	assert_int_equal(null_guard_count(), 0);
	status = end_of(mine, false);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == MINE);
	status = end_of(SIG_DFL, false);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
	status = end_of(mine, true);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#define HUGE	0x200000u

/* Memory of hugepages within a larger room, as others' is mapped. */
static void
hugepages(void **state)
{
	int fd = memfd_create("huge", MFD_CLOEXEC | MFD_HUGETLB | MFD_HUGE_2MB);
	struct null_guard *g;
	uint8_t *room, *at;
	void *va;

	(void)state;
	room = mmap(NULL, 3 * HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_ptr_not_equal(room, MAP_FAILED);
	at = room + (HUGE - (uintptr_t)room % HUGE) % HUGE;
	va = fd < 0 || ftruncate(fd, HUGE) != 0 ? MAP_FAILED :
	     mmap(at, HUGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	if (va == MAP_FAILED) {
		print_message("no hugepage of 2 MiB is free: not tested\n");
		munmap(room, 3 * HUGE);
		skip();
	}
	g = null_guard_add(room, 3 * HUGE, NULL);
	assert_non_null(g);
	*(volatile uint8_t *)at = 1;
	assert_false(null_guard_hit(at));
	assert_int_equal(ftruncate(fd, 0), 0);
	*(volatile uint8_t *)(at + 5) = 1;
	assert_true(null_guard_hit(at) && null_guard_lost(g));
	assert_int_equal(at[0], 0);
	assert_int_equal(at[5], 1);
	null_guard_remove(g);
	munmap(room, 3 * HUGE);
	close(fd);
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
		cmocka_unit_test(other_signals),
		cmocka_unit_test(each_kind),
		cmocka_unit_test(by_a_thread),
		cmocka_unit_test(hugepages),
	};

	far_main(argc, argv, obey);
	return cmocka_run_group_tests(tests, begin, end);
}
