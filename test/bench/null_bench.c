/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * What an operation of the null device costs, within one process and between two
 * that run on cores of their own: block DMA writes in bursts, and doorbells.
 * Prints the best and the median round. See usage.
 */

#include <endian.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "null_internal.h"

#define MEM_SIZE	0x1000000u
#define RING		0x000000u
#define FIFO		0x100000u
#define SRC		0x200000u
#define DST		0x800000u
#define IDQ		0x400000u
#define WIN		0x400000u
#define RIO		0x10000000u
#define NB_DESCS	4096u		/* the last one links back */
#define NB_BUFFERS	1024u
#define DSSZ		6u
#define BURST		32u
#define IDQ_CODE	8u
#define ROUNDS_MAX	1000u
#define BURSTS_MAX	50000u
#define TRIP_SHARE	32u		/* round trips are as many fewer */
#define TAKEN_MAX	32u		/* doorbells that the receiver takes at a time */

struct node {
	struct null_device *dev;
	uint8_t *mem;
	uint64_t iova;
};

static struct node nodes[2];

/* What the receiving process is to do, and that it is there. */
enum { RECEIVER_STOP, RECEIVER_IDLE, RECEIVER_READS, RECEIVER_BELLS, RECEIVER_SPINS,
       RECEIVER_ECHOES, RECEIVER_RINGS };
struct shared {
	_Atomic uint32_t role, ready;
	alignas(64) _Atomic uint32_t taken;
	alignas(64) _Atomic uint32_t ping;
	alignas(64) _Atomic uint32_t pong;
};
static struct shared *shared;

static void
wr(struct node *n, uint32_t off, uint32_t val)
{
	null_device_write32(n->dev, TSI721_BAR_REGS, off, val);
}

static uint32_t
rd(struct node *n, uint32_t off)
{
	return null_device_read32(n->dev, TSI721_BAR_REGS, off);
}

static void
node_open(struct node *n, const char *fabric, unsigned int i)
{
	const struct null_device_params p = {
		.fabric = fabric, .destid = (int)i, .host = -1,
	};
	const uint16_t cmd = htole16(0x6);
	int fd = memfd_create("bench", MFD_CLOEXEC);
	char err[NULL_ERR_LEN];

	if (null_device_open(&p, &n->dev, err, sizeof(err)) != 0) {
		fprintf(stderr, "null_bench: %s\n", err);
		exit(1);
	}
	n->iova = 0x100000000ull * (i + 1);
	n->mem = MAP_FAILED;
	if (fd >= 0 && ftruncate(fd, MEM_SIZE) == 0)
		n->mem = mmap(NULL, MEM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
			      fd, 0);
	if (n->mem == MAP_FAILED ||
	    null_device_dma_map(n->dev, n->iova, MEM_SIZE, n->mem, fd, 0) != 0) {
		fprintf(stderr, "null_bench: no memory\n");
		exit(1);
	}
	null_device_cfg_write(n->dev, NULL_CFG_COMMAND, &cmd, sizeof(cmd));
	wr(n, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
}

static void
receiver_open(struct node *n)
{
	uint64_t dst = n->iova + DST, idq = n->iova + IDQ;

	wr(n, TSI721_IBWIN_SZ(0), (uint32_t)__builtin_ctz(WIN / 0x1000) << 8);
	wr(n, TSI721_IBWIN_UB(0), 0);
	wr(n, TSI721_IBWIN_TUA(0), (uint32_t)(dst >> 32));
	wr(n, TSI721_IBWIN_TLA(0), (uint32_t)dst);
	wr(n, TSI721_IBWIN_LB(0), RIO | TSI721_IBWIN_LB_WEN);

	wr(n, TSI721_IDQ_SIZE(0), IDQ_CODE);
	wr(n, TSI721_IDQ_BASEU(0), (uint32_t)(idq >> 32));
	wr(n, TSI721_IDQ_BASEL(0), (uint32_t)idq);
	wr(n, TSI721_IDQ_MASK(0), 0);
	wr(n, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
}

static void
sender_open(struct node *n, uint32_t len)
{
	struct tsi721_dma_desc *d = (struct tsi721_dma_desc *)(void *)(n->mem + RING);
	uint64_t ring = n->iova + RING, fifo = n->iova + FIFO;
	uint32_t i, base = TSI721_DMAC_BASE(0);

	memset(d, 0, NB_DESCS * sizeof(*d));
	for (i = 0; i < NB_DESCS - 1; i++) {
		uint32_t at = i % NB_BUFFERS * (len < 64 ? 64 : len);
		uint64_t src = n->iova + SRC + at, rio = RIO + at;

		d[i].type_id = htole32(TSI721_DTYPE_DATA << TSI721_DTYPE_SHIFT |
				       TSI721_RTYPE_ALL_NWRITE << TSI721_DMAD_RTYPE_SHIFT | 1);
		d[i].bcount = htole32(len);
		d[i].raddr_lo = htole32((uint32_t)(rio >> 2));
		d[i].bufptr_lo = htole32((uint32_t)src);
		d[i].bufptr_hi = htole32((uint32_t)(src >> 32));
	}
	d[i].type_id = htole32(TSI721_DTYPE_LINK << TSI721_DTYPE_SHIFT);
	d[i].raddr_lo = htole32((uint32_t)ring);
	d[i].raddr_hi = htole32((uint32_t)(ring >> 32));

	wr(n, base + TSI721_DMAC_DPTRH, (uint32_t)(ring >> 32));
	wr(n, base + TSI721_DMAC_DPTRL, (uint32_t)ring);
	wr(n, base + TSI721_DMAC_DSBH, (uint32_t)(fifo >> 32));
	wr(n, base + TSI721_DMAC_DSBL, (uint32_t)fifo);
	wr(n, base + TSI721_DMAC_DSSZ, DSSZ);
	wr(n, base + TSI721_DMAC_CTL, TSI721_DMAC_CTL_INIT);
}

/* ---- rounds ---- */

static double times[ROUNDS_MAX];

static int
cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void
report(const char *what, unsigned int rounds)
{
	qsort(times, rounds, sizeof(times[0]), cmp);
	printf("%-44s %7.1f ns median %7.1f ns best\n", what, times[rounds / 2], times[0]);
}

/*
 * What is measured in a round, of which the median counts: of the mean, a process that
 * loses its core would take its share. Here bursts, of which each operation has its part.
 */
static double bursts[BURSTS_MAX];

static double
median(uint32_t nb)
{
	qsort(bursts, nb, sizeof(bursts[0]), cmp);
	return bursts[nb / 2];
}

static uint32_t
bursts_of(uint32_t ops)
{
	return ops / BURST < BURSTS_MAX ? (ops + BURST - 1) / BURST : BURSTS_MAX;
}

/* Not inlined, so that callgrind counts its instructions. */
__attribute__((noinline)) static void
dma_bursts(struct node *n, uint32_t nb)
{
	uint32_t base = TSI721_DMAC_BASE(0), tail = rd(n, base + TSI721_DMAC_DRDCNT), i;
	uint64_t begin, end = null_now_ns();

	for (i = 0; i < nb; i++) {
		begin = end;
		tail += BURST;
		wr(n, base + TSI721_DMAC_DWRCNT, tail);
		wr(n, base + TSI721_DMAC_DSRP, rd(n, base + TSI721_DMAC_DSWP));
		end = null_now_ns();
		bursts[i] = (double)(end - begin) / BURST;
	}
	if (rd(n, base + TSI721_DMAC_STS) != 0 || rd(n, base + TSI721_DMAC_DRDCNT) != tail) {
		fprintf(stderr, "null_bench: the channel stopped\n");
		exit(1);
	}
}

static double
dma_round(struct node *n, uint32_t ops)
{
	dma_bursts(n, bursts_of(ops));
	return median(bursts_of(ops));
}

__attribute__((noinline)) static void
doorbell_bursts(struct node *from, struct node *to, uint32_t nb)
{
	uint32_t i, k, rp = rd(to, TSI721_IDQ_WP(0));
	uint64_t begin, end = null_now_ns();

	for (i = 0; i < nb; i++) {
		begin = end;
		for (k = 0; k < BURST; k++)
			null_device_odb_write(from->dev, TSI721_ODB_OFFSET(0, 1), (uint16_t)k);
		rp = (rp + BURST) % TSI721_RING_ENTRIES(IDQ_CODE);
		wr(to, TSI721_IDQ_RP(0), rp);
		end = null_now_ns();
		bursts[i] = (double)(end - begin) / BURST;
	}
	if (rd(to, TSI721_IDQ_WP(0)) != rp) {
		fprintf(stderr, "null_bench: doorbells are missing\n");
		exit(1);
	}
}

static double
doorbell_round(struct node *from, struct node *to, uint32_t ops)
{
	doorbell_bursts(from, to, bursts_of(ops));
	return median(bursts_of(ops));
}

/* ---- two processes ---- */

/* Core n of those that the process may use. */
static void
pin(unsigned int n)
{
	cpu_set_t may, set;
	int i;

	sched_getaffinity(0, sizeof(may), &may);
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &may) && n-- == 0)
			break;
	if (i == CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET(i, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static uint32_t next;		/* doorbell that the receiver looks for */

/* As a driver does: entries are looked for in memory, and reported in batches. */
static void
receiver_bells(struct node *n)
{
	const uint32_t mask = TSI721_RING_ENTRIES(IDQ_CODE) - 1;
	static uint32_t reported;
	uint32_t *e;

	for (; next - reported < TAKEN_MAX; next++) {
		e = (uint32_t *)(void *)(n->mem + IDQ + (next & mask) * TSI721_IDQ_ENTRY_SIZE);
		if (__atomic_load_n(e, __ATOMIC_ACQUIRE) == 0)
			break;
		__atomic_store_n(e, 0, __ATOMIC_RELAXED);
	}
	if (next == reported)
		return;
	wr(n, TSI721_IDQ_RP(0), next & mask);
	reported = next;
	atomic_store(&shared->taken, next);
}

/* The next doorbell at a node: false, there is none yet. */
static bool
bell_take(struct node *n, uint32_t *next)
{
	const uint32_t mask = TSI721_RING_ENTRIES(IDQ_CODE) - 1;
	uint32_t *e = (uint32_t *)(void *)(n->mem + IDQ + (*next & mask) * TSI721_IDQ_ENTRY_SIZE);

	if (__atomic_load_n(e, __ATOMIC_ACQUIRE) == 0)
		return false;
	__atomic_store_n(e, 0, __ATOMIC_RELAXED);
	if ((++*next & (TAKEN_MAX - 1)) == 0)
		wr(n, TSI721_IDQ_RP(0), *next & mask);
	return true;
}

/* The other side: does nothing, reads what arrives, takes doorbells, or answers. */
static void
receiver_main(const char *fabric)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	struct node *n = &nodes[1];
	uint32_t role, at = 0, word = 0;
	uint64_t until;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin(1);
	node_open(n, fabric, 1);
	receiver_open(n);
	atomic_store(&shared->ready, 1);
	while ((role = atomic_load(&shared->role)) != RECEIVER_STOP) {
		if (role == RECEIVER_IDLE) {
			nanosleep(&nap, NULL);
		} else if (role == RECEIVER_READS) {
			/* As one who takes frames in order: a buffer is looked at once a lap. */
			__atomic_load_n(n->mem + DST + at % NB_BUFFERS * 64, __ATOMIC_ACQUIRE);
			at++;
		} else if (role == RECEIVER_ECHOES) {
			word = atomic_load(&shared->ping);
			atomic_store_explicit(&shared->pong, word, memory_order_release);
		} else if (role == RECEIVER_RINGS) {
			if (bell_take(n, &next))
				null_device_odb_write(n->dev, TSI721_ODB_OFFSET(0, 0), 1);
		} else {
			receiver_bells(n);
			/* One who forwards comes by every microsecond or so. */
			until = null_now_ns() + 1000;
			while (role == RECEIVER_BELLS && null_now_ns() < until)
				null_relax();
		}
	}
	null_device_close(n->dev);
	exit(0);
}

/* The time that the bus is held for, not that for which a full queue waits for its driver. */
static double
doorbell_far_round(struct node *from, uint32_t ops)
{
	static uint32_t sent;
	uint32_t i, k, nb = bursts_of(ops);
	uint64_t start;

	for (i = 0; i < nb; i++) {
		while (sent - atomic_load(&shared->taken) > TSI721_RING_ENTRIES(IDQ_CODE) / 2)
			sched_yield();
		start = null_now_ns();
		for (k = 0; k < BURST; k++)
			null_device_odb_write(from->dev, TSI721_ODB_OFFSET(0, 1),
					      (uint16_t)(k + 1));
		bursts[i] = (double)(null_now_ns() - start) / BURST;
		sent += BURST;
	}
	while (atomic_load(&shared->taken) != sent)
		sched_yield();
	return median(nb);
}

/* A word to the other core and back: what the machine takes for it. */
static double
word_round(uint32_t ops)
{
	static uint32_t word;
	uint32_t i, nb = ops < BURSTS_MAX ? ops : BURSTS_MAX;
	uint64_t t;

	for (i = 0; i < nb; i++) {
		t = null_now_ns();
		atomic_store_explicit(&shared->ping, ++word, memory_order_release);
		while (atomic_load_explicit(&shared->pong, memory_order_acquire) != word)
			;
		bursts[i] = (double)(null_now_ns() - t);
	}
	return median(nb);
}

/* A doorbell that is answered by one. */
static double
bell_round(struct node *n, uint32_t ops)
{
	static uint32_t mine;
	uint32_t i, nb = ops < BURSTS_MAX ? ops : BURSTS_MAX;
	uint64_t t;

	for (i = 0; i < nb; i++) {
		t = null_now_ns();
		null_device_odb_write(n->dev, TSI721_ODB_OFFSET(0, 1), 1);
		while (!bell_take(n, &mine))
			;
		bursts[i] = (double)(null_now_ns() - t);
	}
	return median(nb);
}

static void
near(unsigned int rounds, uint32_t ops, bool brief)
{
	static const uint32_t lens[] = { 64, 8, 256, 1024 };
	unsigned int i, k;
	char what[64];

	for (i = 0; i < 2; i++)
		node_open(&nodes[i], NULL, i);
	receiver_open(&nodes[1]);
	for (k = 0; k < (brief ? 1 : sizeof(lens) / sizeof(lens[0])); k++) {
		sender_open(&nodes[0], lens[k]);
		dma_round(&nodes[0], ops);
		for (i = 0; i < rounds; i++)
			times[i] = dma_round(&nodes[0], ops);
		snprintf(what, sizeof(what), "NWRITE descriptor, %u bytes, bursts of %u", lens[k],
			 BURST);
		report(what, rounds);
	}
	for (i = 0; i < rounds; i++)
		times[i] = doorbell_round(&nodes[0], &nodes[1], ops);
	report("doorbell", rounds);
	for (i = 0; i < 2; i++)
		null_device_close(nodes[i].dev);
}

static void
far(unsigned int rounds, uint32_t ops)
{
	char fabric[NULL_NAME_LEN];
	unsigned int i;
	pid_t pid;

	snprintf(fabric, sizeof(fabric), "bench-%d", (int)getpid());
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		exit(1);
	atomic_store(&shared->role, RECEIVER_IDLE);
	pid = fork();
	if (pid == 0)
		receiver_main(fabric);
	pin(0);
	node_open(&nodes[0], fabric, 0);
	while (atomic_load(&shared->ready) == 0)
		if (pid < 0 || waitpid(pid, NULL, WNOHANG) == pid)
			exit(1);
	sender_open(&nodes[0], 64);
	receiver_open(&nodes[0]);
	dma_round(&nodes[0], ops);
	for (i = 0; i < rounds; i++)
		times[i] = dma_round(&nodes[0], ops);
	report("two processes: NWRITE descriptor, 64 bytes", rounds);
	atomic_store(&shared->role, RECEIVER_READS);
	for (i = 0; i < rounds; i++)
		times[i] = dma_round(&nodes[0], ops);
	report("  while the receiver reads the buffers", rounds);
	atomic_store(&shared->role, RECEIVER_BELLS);
	doorbell_far_round(&nodes[0], ops);
	for (i = 0; i < rounds; i++)
		times[i] = doorbell_far_round(&nodes[0], ops);
	report("two processes: doorbell, taken 32 at a time", rounds);
	atomic_store(&shared->role, RECEIVER_SPINS);
	for (i = 0; i < rounds; i++)
		times[i] = doorbell_far_round(&nodes[0], ops);
	report("  while the receiver spins at the next entry", rounds);
	atomic_store(&shared->role, RECEIVER_RINGS);
	for (i = 0; i < rounds; i++)
		times[i] = bell_round(&nodes[0], ops / TRIP_SHARE);
	report("  there and back", rounds);
	atomic_store(&shared->role, RECEIVER_ECHOES);
	for (i = 0; i < rounds; i++)
		times[i] = word_round(ops / TRIP_SHARE);
	report("for comparison: a word there and back", rounds);
	atomic_store(&shared->role, RECEIVER_STOP);
	waitpid(pid, NULL, 0);
	null_device_close(nodes[0].dev);
}

static int
usage(void)
{
	fprintf(stderr, "usage: null_bench [one|two|all|brief [ROUNDS [OPERATIONS]]]\n\n"
			"Time of an operation of the null device: within one process, between two,\n"
			"or both (default); brief: within one, of 64 bytes alone. 1 to %u rounds\n"
			"(default: 11) of so many operations (default: 1048576).\n", ROUNDS_MAX);
	return 2;
}

int
main(int argc, char **argv)
{
	const char *which = argc > 1 ? argv[1] : "all";
	unsigned int rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : 11;
	uint32_t ops = argc > 3 ? (uint32_t)atoi(argv[3]) : 1048576;
	bool brief = strcmp(which, "brief") == 0, one = strcmp(which, "one") == 0;
	bool two = strcmp(which, "two") == 0;

	if ((!brief && !one && !two && strcmp(which, "all") != 0) || argc > 4 || rounds == 0 ||
	    rounds > ROUNDS_MAX || ops == 0)
		return usage();
	if (!one && !brief)
		far(rounds, ops);
	if (!two)
		near(rounds, ops, brief);
	return 0;
}
