/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Processes come and go in any order, and what is left of a fabric then. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procs.h"

/* A killed process has left by then: in most rounds, and in each on a busy machine. */
#define LEFT_MS		100u
#define LEFT_MAX_MS	1000u
#define ROUNDS		9u
#define SWITCH_EM	0x1000u	/* error management of a switch */

/* What is to happen after a death, and when it did, in each round. */
struct span {
	const char *what;
	uint32_t ms[ROUNDS];
};

static int
by_size(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void
check_span(struct span *s)
{
	qsort(s->ms, ROUNDS, sizeof(s->ms[0]), by_size);
	print_message("%s: after %u ms, %u at most\n", s->what, s->ms[ROUNDS / 2],
		      s->ms[ROUNDS - 1]);
	if (s->ms[ROUNDS / 2] > LEFT_MS || s->ms[ROUNDS - 1] > LEFT_MAX_MS)
		fail_msg("%s: after %u ms, %u at most", s->what, s->ms[ROUNDS / 2],
			 s->ms[ROUNDS - 1]);
}

static int
open_here(const struct procs *p, struct node *n, int destid, char *err)
{
	const struct null_device_params params = {
		.fabric = p->all->fabric, .destid = destid, .host = -1,
	};

	err[0] = '\0';
	return node_open(n, &params, 15, 0, err, NULL_ERR_LEN);
}

/* Until the station does not answer: milliseconds. */
static uint32_t
until_gone(struct node *n, uint32_t destid)
{
	uint64_t begin = null_now_ns();

	while (node_dma(n, TSI721_RTYPE_NREAD, destid, NODE_PAT_RIO, NODE_IN, 8) == 0 &&
	       null_now_ns() - begin < 10000000000ull)
		usleep(500);
	return (uint32_t)((null_now_ns() - begin) / 1000000);
}

static uint32_t
maps_of_memfd(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];
	uint32_t n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		n += strstr(line, "memfd:node") != NULL;
	fclose(f);
	return n;
}

/* A killed one leaves soon, its memory is let go, its ID can be taken at once. */
static void
killed(void **state)
{
	struct procs *p = procs_new(2, NULL);
	struct span gone = { .what = "no answer" }, unmapped = { .what = "memory let go" };
	char err[NULL_ERR_LEN];
	struct node n;
	uint32_t i, maps, life;
	uint64_t begin;

	(void)state;
	p->all->w[0].kind = WORKER_IDLE;
	p->all->w[1].kind = WORKER_IDLE;
	procs_start_all(p);
	assert_int_equal(open_here(p, &n, 9, err), 0);
	maps = maps_of_memfd();
	for (i = 0; i < ROUNDS; i++) {
		assert_int_equal(node_dma(&n, TSI721_RTYPE_NREAD, 1, NODE_PAT_RIO, NODE_IN, 8), 0);
		assert_int_equal(maps_of_memfd(), maps + 1);
		begin = null_now_ns();
		assert_int_equal(kill(p->pid[1], SIGKILL), 0);
		gone.ms[i] = until_gone(&n, 1);
		while (maps_of_memfd() > maps && null_now_ns() - begin < 2000000000ull)
			usleep(1000);
		unmapped.ms[i] = (uint32_t)((null_now_ns() - begin) / 1000000);
		assert_int_equal(maps_of_memfd(), maps);
		procs_kill(p, 1);
		procs_start(p, 1);
		procs_ready(p, 1);
	}
	check_span(&gone);
	check_span(&unmapped);
	/* At once: nobody has had time to notice. */
	for (i = 0; i < 5; i++) {
		procs_kill(p, 1);
		procs_start(p, 1);
		procs_ready(p, 1);
		assert_int_equal(node_dma(&n, TSI721_RTYPE_NREAD, 1, NODE_PAT_RIO, NODE_IN, 8), 0);
		life = atomic_load(&p->all->w[1].ready);
		assert_int_equal(n.mem[NODE_IN], node_pattern(0, node_seed(1, life)));
	}
	node_close(&n);
	procs_stop(p);
	procs_free(p);
}

/* ---- what a death looks like to the host, one switch away ---- */

/* Register of the switch that n2 is at, in config/fabrics/ring4.ini. */
static uint32_t
switch_reg(struct node *n, bool write, uint32_t off, uint32_t val)
{
	assert_int_equal(null_fabric_maint(n->dev->fab, n->dev->ep, 2, TSI721_TT_8, 1, write, off,
					   &val), NULL_RESP_DONE);
	return val;
}

static bool
link_down(struct node *n)
{
	uint32_t sts = switch_reg(n, false, 0x100 + RIO_PORT_N_ERR_STS_CSR(0), 0);

	return (sts & (RIO_PORT_N_ERR_STS_PORT_OK | RIO_PORT_N_ERR_STS_PORT_UNINIT)) ==
	       RIO_PORT_N_ERR_STS_PORT_UNINIT;
}

/* A port-write came, and tells of port 0 of that switch, and that the link is lost. */
static bool
told(struct node *n)
{
	if ((node_rd(n, TSI721_RIO_PW_RX_STAT) & TSI721_RIO_PW_RX_STAT_PW_VAL) == 0)
		return false;
	assert_int_equal(node_rd(n, TSI721_RIO_PW_RX_CAPT(0)),
			 switch_reg(n, false, RIO_COMPONENT_TAG_CSR, 0));
	assert_int_not_equal(node_rd(n, TSI721_RIO_PW_RX_CAPT(1)) & RIO_EM_PED_LINK_TO, 0);
	assert_int_equal(node_rd(n, TSI721_RIO_PW_RX_CAPT(2)) & 0xff, 0);
	return true;
}

/* Messages to ID 2, which takes none, until one waits there; a doorbell waits, too. */
static void
leave_waiting(struct node *n)
{
	uint64_t sent = null_device_stat_get(n->dev, NULL_STAT_ODB_SENT);
	uint32_t i;

	node_wr(n, TSI721_RQRPTO, TSI721_RQRPTO_MASK);
	for (i = 0; i < 1000; i++) {
		node_msg_send(n, 2, 8);
		if (node_msg_done(n) == NODE_MSG_BUSY)
			break;
	}
	assert_int_equal(node_msg_done(n), NODE_MSG_BUSY);
	for (i = 0; i < 10000 && null_device_stat_get(n->dev, NULL_STAT_ODB_SENT) == sent + i; i++)
		node_ring(n, 2, (uint16_t)i);
	assert_int_equal(null_device_stat_get(n->dev, NULL_STAT_ODB_SENT), sent + i - 1);
}

/* Its link goes down, a port-write goes out, what waited for it ends with errors. */
static void
death_seen(void **state)
{
	struct span down = { .what = "link down" }, pw = { .what = "port-write" },
		msg = { .what = "message ended" }, bell = { .what = "doorbell ended" };
	struct span *all[] = { &down, &pw, &msg, &bell };
	struct procs *p = procs_new(3, "ring4.ini");
	struct null_device_params params = { .fabric = p->all->fabric, .node = "n0", .host = -1,
		.topology = p->all->topology, .destid = NULL_DESTID_AUTO };
	uint32_t i, ms, seen, code;
	char err[NULL_ERR_LEN];
	uint64_t begin, errors;
	struct node n;

	(void)state;
	p->all->w[2].kind = WORKER_IDLE;
	assert_int_equal(node_open(&n, &params, 15, 0, err, sizeof(err)), 0);
	for (i = 0; i < ROUNDS; i++) {
		procs_start(p, 2);
		procs_ready(p, 2);
		assert_false(link_down(&n));
		leave_waiting(&n);
		errors = null_device_stat_get(n.dev, NULL_STAT_ODB_ERRORS);
		switch_reg(&n, true, SWITCH_EM + RIO_EM_PN_ERR_DETECT(0), 0);
		node_wr(&n, TSI721_RIO_PW_RX_STAT,
			TSI721_RIO_PW_RX_STAT_PW_VAL | TSI721_RIO_PW_RX_STAT_PW_DISC);
		begin = null_now_ns();
		assert_int_equal(kill(p->pid[2], SIGKILL), 0);
		seen = 0;
		do {
			ms = (uint32_t)((null_now_ns() - begin) / 1000000);
			if ((seen & 1) == 0 && link_down(&n))
				seen |= 1, down.ms[i] = ms;
			if ((seen & 2) == 0 && told(&n))
				seen |= 2, pw.ms[i] = ms;
			if ((seen & 4) == 0 && (code = node_msg_done(&n)) != NODE_MSG_BUSY) {
				seen |= 4, msg.ms[i] = ms;
				assert_true(code == NULL_ABORT_ERROR || code == NULL_ABORT_TIMEOUT);
			}
			if ((seen & 8) == 0 &&
			    null_device_stat_get(n.dev, NULL_STAT_ODB_ERRORS) > errors)
				seen |= 8, bell.ms[i] = ms;
			usleep(500);
		} while (seen != 15 && ms < 2 * LEFT_MAX_MS);
		if (seen != 15)
			fail_msg("after %u ms it has not left: 0x%x", ms, seen);
		procs_kill(p, 2);
	}
	for (i = 0; i < 4; i++)
		check_span(all[i]);
	node_close(&n);
	procs_stop(p);
	procs_free(p);
}

/*
 * All are killed: the file is stale, and the next one begins anew. Whoever joins any other
 * fabric of this machine meanwhile takes it away, which is why it is tried again.
 */
static void
stale(void **state)
{
	struct procs *p = procs_new(2, NULL);
	char err[NULL_ERR_LEN];
	unsigned int tries = 0;
	struct node n;

	(void)state;
	p->all->w[0].kind = WORKER_IDLE;
	p->all->w[1].kind = WORKER_IDLE;
	do {
		procs_start_all(p);
		procs_kill(p, 0);
		procs_kill(p, 1);
	} while (!procs_file(p) && ++tries < 10);
	assert_true(tries < 10);
	assert_int_equal(open_here(p, &n, 1, err), 0);
	assert_int_not_equal(node_dma(&n, TSI721_RTYPE_NREAD, 0, NODE_PAT_RIO, NODE_IN, 8), 0);
	node_close(&n);
	assert_false(procs_file(p));
	procs_free(p);
}

/* What lies there under the name and is no fabric's, or one of another version. */
static void
refused(void **state)
{
	struct procs *p = procs_new(2, NULL);
	char err[NULL_ERR_LEN], path[128];
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET,
			   .l_start = ((off_t)1 << 40) + 6, .l_len = 1 };
	char made[] = "/dev/shm/rio-life-XXXXXX";
	struct node n;
	int fd, pipes[2];
	pid_t pid;
	char c;

	(void)state;
	snprintf(path, sizeof(path), "/dev/shm/dpdk-rio-%u-%s", (unsigned int)geteuid(),
		 p->all->fabric);
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_int_equal(open_here(p, &n, 1, err), -ELOOP);
	assert_non_null(strstr(err, path));
	assert_int_equal(unlink(path), 0);

	/* Somebody of another version holds a slot, from before the file has its name. */
	fd = mkostemp(made, O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	if (pid == 0) {
		if (fcntl(fd, F_SETLK, &l) == 0 && write(pipes[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(pipes[0], &c, 1), 1);
	close(fd);
	assert_int_equal(rename(made, path), 0);
	assert_int_equal(open_here(p, &n, 1, err), -EPROTO);
	assert_non_null(strstr(err, "another version"));
	assert_null(strchr(err, '\n'));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	/* Now it is stale. */
	assert_int_equal(open_here(p, &n, 1, err), 0);
	node_close(&n);
	procs_free(p);
}

/* In and out in any order, the first one first. */
static void
any_order(void **state)
{
	static const uint32_t orders[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 2 } };
	struct procs *p = procs_new(4, NULL);
	uint32_t i, k;

	(void)state;
	procs_start_all(p);
	for (i = 0; i < 3; i++)
		for (k = 0; k < 3; k++) {
			procs_kill(p, orders[i][k]);
			usleep((useconds_t)(rand() % 20000));
			procs_start(p, orders[i][k]);
			procs_ready(p, orders[i][k]);
		}
	procs_exchange(p, 20, 60);
	procs_stop(p);
	assert_false(procs_file(p));
	procs_free(p);
}

/* ---- memory ---- */

/* What worker 0 reads there is n's pattern. */
static bool
reads_pattern(struct procs *p, const struct node *n, uint32_t off)
{
	uint8_t data[256] = { 0 };
	uint32_t i;

	if (procs_ask(p, 0, TSI721_RTYPE_NREAD, n->destid, NODE_PAT_RIO + off, data,
		      sizeof(data)) != 0)
		return false;
	for (i = 0; i < sizeof(data) && data[i] == node_pattern(off + i, node_seed(15, 0)); i++)
		;
	return i == sizeof(data);
}

static void
ask_fails(struct procs *p, uint32_t rtype, uint32_t destid, uint64_t rio)
{
	uint8_t data[256] = { 0 };

	assert_int_equal(procs_ask(p, 0, rtype, destid, rio, data, sizeof(data)),
			 NULL_ABORT_ERROR);
}

/*
 * Memory without a file is its own process's alone: others get error responses. It
 * lies beside some that has one, which they reach as before.
 */
static void
private_memory(void **state)
{
	struct procs *p = procs_new(1, NULL);
	uint8_t data[256] = { 0 };
	char err[NULL_ERR_LEN];
	struct node n, near;
	uint32_t i;

	(void)state;
	p->all->w[0].kind = WORKER_ASKED;
	procs_start_all(p);
	assert_int_equal(open_here(p, &n, 9, err), 0);
	assert_int_equal(open_here(p, &near, 10, err), 0);
	assert_true(reads_pattern(p, &n, 0));

	/* From the pattern on it has none. */
	assert_int_equal(null_device_dma_unmap(n.dev, n.iova, NODE_MEM), 0);
	assert_int_equal(null_device_dma_map(n.dev, n.iova, NODE_PAT, n.mem, n.memfd, 0), 0);
	assert_int_equal(null_device_dma_map(n.dev, n.iova + NODE_PAT, NODE_MEM - NODE_PAT,
					     n.mem + NODE_PAT, -1, 0), 0);
	ask_fails(p, TSI721_RTYPE_NREAD, 9, NODE_PAT_RIO);
	ask_fails(p, TSI721_RTYPE_ALL_NWRITE_R, 9, NODE_PAT_RIO);
	for (i = 0; i < NODE_PAT_SIZE; i++)
		assert_int_equal(n.mem[NODE_PAT + i], node_pattern(i, node_seed(15, 0)));
	memset(data, 0x77, sizeof(data));
	assert_int_equal(procs_ask(p, 0, TSI721_RTYPE_ALL_NWRITE_R, 9, NODE_WIN_RIO, data,
				   sizeof(data)), 0);
	assert_memory_equal(n.mem + NODE_WIN, data, sizeof(data));
	/* Another device of its process reaches it. */
	assert_int_equal(node_dma(&near, TSI721_RTYPE_NREAD, 9, NODE_PAT_RIO, NODE_IN, 64), 0);
	assert_memory_equal(near.mem + NODE_IN, n.mem + NODE_PAT, 64);

	/* With a file again. */
	assert_int_equal(null_device_dma_unmap(n.dev, n.iova + NODE_PAT, NODE_MEM - NODE_PAT), 0);
	assert_int_equal(null_device_dma_map(n.dev, n.iova + NODE_PAT, NODE_MEM - NODE_PAT,
					     n.mem + NODE_PAT, n.memfd, NODE_PAT), 0);
	assert_true(reads_pattern(p, &n, 128));
	node_close(&near);
	node_close(&n);
	procs_stop(p);
	procs_free(p);
}

/* Memory that comes while others are there, and that goes again. */
#define LATE_SIZE	0x10000u
#define LATE_RIO	0x30000000u
static void
later_memory(void **state)
{
	struct procs *p = procs_new(1, NULL);
	uint8_t data[256] = { 0 }, *late;
	char err[NULL_ERR_LEN];
	uint64_t iova;
	struct node n;
	uint32_t i, k;
	int fd;

	(void)state;
	p->all->w[0].kind = WORKER_ASKED;
	procs_start_all(p);
	assert_int_equal(open_here(p, &n, 9, err), 0);
	iova = n.iova + NODE_MEM;
	node_wr(&n, TSI721_IBWIN_SZ(2), 4 << TSI721_IBWIN_SZ_SIZE_SHIFT);
	node_wr(&n, TSI721_IBWIN_UB(2), 0);
	node_wr(&n, TSI721_IBWIN_TUA(2), (uint32_t)(iova >> 32));
	node_wr(&n, TSI721_IBWIN_TLA(2), (uint32_t)iova);
	node_wr(&n, TSI721_IBWIN_LB(2), LATE_RIO | TSI721_IBWIN_LB_WEN);
	assert_true(reads_pattern(p, &n, 0));
	for (k = 0; k < 3; k++) {
		/* The window is there, and leads nowhere. */
		ask_fails(p, TSI721_RTYPE_NREAD, 9, LATE_RIO + 512);
		fd = memfd_create("late", MFD_CLOEXEC);
		assert_int_equal(ftruncate(fd, 2 * LATE_SIZE), 0);
		late = mmap(NULL, LATE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, LATE_SIZE);
		assert_ptr_not_equal(late, MAP_FAILED);
		for (i = 0; i < LATE_SIZE; i++)
			late[i] = node_pattern(i, 100 + k);
		assert_int_equal(null_device_dma_map(n.dev, iova, LATE_SIZE, late, fd, LATE_SIZE), 0);
		assert_int_equal(procs_ask(p, 0, TSI721_RTYPE_NREAD, 9, LATE_RIO + 512, data,
					   sizeof(data)), 0);
		assert_memory_equal(data, late + 512, sizeof(data));
		memset(data, 0x11 * (int)k, sizeof(data));
		assert_int_equal(procs_ask(p, 0, TSI721_RTYPE_ALL_NWRITE_R, 9, LATE_RIO + 1024,
					   data, sizeof(data)), 0);
		assert_memory_equal(late + 1024, data, sizeof(data));
		assert_true(reads_pattern(p, &n, 64));
		assert_int_equal(null_device_dma_unmap(n.dev, iova, LATE_SIZE), 0);
		munmap(late, LATE_SIZE);
		close(fd);
	}
	ask_fails(p, TSI721_RTYPE_NREAD, 9, LATE_RIO + 512);
	node_close(&n);
	procs_stop(p);
	procs_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed),
		cmocka_unit_test(death_seen),
		cmocka_unit_test(stale),
		cmocka_unit_test(refused),
		cmocka_unit_test(any_order),
		cmocka_unit_test(private_memory),
		cmocka_unit_test(later_memory),
	};

	return cmocka_run_group_tests_name("fabric_life", tests, NULL, NULL);
}
