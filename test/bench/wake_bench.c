/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * What it costs to sleep instead of polling: two threads on a processor each,
 * with a device each, throw a doorbell or a message to each other and catch it by
 * polling, or by an interrupt. Beside them two threads that do so with nothing
 * but eventfds: what any wake-up takes on this machine.
 */

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_memzone.h>
#include <rte_pause.h>
#include <rte_rawdev.h>

#include <rte_pmd_tsi721.h>

#include "app_eal.h"
#include "app_error.h"
#include "app_parse.h"
#include "app_stats.h"
#include "app_table.h"

#define THROWS		2000u	/* of each way by default, in lots that take turns */
#define LOT		100u
#define WARM		10u	/* of each lot, not counted */
#define BELL		0x42u
#define MBOX		2u
#define NB_DESC		64u
#define LEN		64u

enum way { EVENTFD, BELL_POLL, BELL_SLEEP, MSG_POLL, MSG_SLEEP, WAYS };
static const char *const way_name[] = {
	[EVENTFD] = "eventfds alone, sleeping",
	[BELL_POLL] = "doorbells, polling",
	[BELL_SLEEP] = "doorbells, sleeping",
	[MSG_POLL] = "messages, polling",
	[MSG_SLEEP] = "messages, sleeping",
};

struct side {
	uint16_t id, other;		/* rawdev; destination ID of the other side */
	int event;			/* EVENTFD: becomes readable when it is this side's turn */
	int *other_event;
	int fd;				/* of the interrupt */
	uint32_t bells;
	rte_iova_t iova;
	unsigned int cpu;
};

static struct side sides[2];
static enum way way;
static unsigned int throws;
static pthread_barrier_t barrier;

static void
on_bell(void *arg, uint16_t src, uint16_t info)
{
	struct side *side = arg;

	RTE_SET_USED(src);
	RTE_SET_USED(info);
	side->bells++;
}

static void
sleep_on(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	poll(&p, 1, -1);
}

static void
throw(struct side *side)
{
	struct rte_pmd_tsi721_msg_out out = {
		.destid = side->other, .len = LEN, .iova = side->iova,
	};
	uint64_t one = 1;
	void *user;

	switch (way) {
	case EVENTFD:
		if (write(*side->other_event, &one, sizeof(one)) < 0)
			abort();
		break;
	case BELL_POLL:
	case BELL_SLEEP:
		rte_pmd_tsi721_doorbell_send(side->id, side->other, BELL);
		break;
	default:
		while (rte_pmd_tsi721_msg_send(side->id, MBOX, &out, 1) == 0)
			rte_pmd_tsi721_msg_reap(side->id, MBOX, &user, NULL, 1);
		rte_pmd_tsi721_msg_reap(side->id, MBOX, &user, NULL, 1);
		break;
	}
}

static bool
bell_here(struct side *side)
{
	if (side->bells == 0)
		rte_pmd_tsi721_doorbell_poll(side->id, 1);
	if (side->bells == 0)
		return false;
	side->bells--;
	return true;
}

static bool
msg_here(struct side *side)
{
	struct rte_pmd_tsi721_msg_in in;

	return rte_pmd_tsi721_msg_peek(side->id, MBOX, &in, 1) == 1 &&
	       rte_pmd_tsi721_msg_release(side->id, MBOX, 1) == 0;
}

static void
catch(struct side *side)
{
	uint64_t count;

	switch (way) {
	case EVENTFD:
		do
			sleep_on(side->event);
		while (read(side->event, &count, sizeof(count)) < 0);
		break;
	case BELL_POLL:
		while (!bell_here(side))
			rte_pause();
		break;
	case MSG_POLL:
		while (!msg_here(side))
			rte_pause();
		break;
	case BELL_SLEEP:
		while (!bell_here(side))
			if (rte_pmd_tsi721_intr_arm(side->id, RTE_PMD_TSI721_INTR_DOORBELL, 0) == 0)
				sleep_on(side->fd);
		break;
	default:
		while (!msg_here(side))
			if (rte_pmd_tsi721_intr_arm(side->id, RTE_PMD_TSI721_INTR_MSG_IN,
						    MBOX) == 0)
				sleep_on(side->fd);
		break;
	}
}

static void
intr_open(struct side *side, bool open)
{
	enum rte_pmd_tsi721_intr intr = way == BELL_SLEEP ? RTE_PMD_TSI721_INTR_DOORBELL :
							     RTE_PMD_TSI721_INTR_MSG_IN;
	unsigned int nr = way == BELL_SLEEP ? 0 : MBOX;

	if (way != BELL_SLEEP && way != MSG_SLEEP)
		return;
	if (open)
		side->fd = rte_pmd_tsi721_intr_open(side->id, intr, nr);
	else
		rte_pmd_tsi721_intr_close(side->id, intr, nr);
}

/* Throws back whatever it catches. */
static void *
partner(void *arg)
{
	struct side *side = arg;
	cpu_set_t set;
	unsigned int i;

	CPU_ZERO(&set);
	CPU_SET(side->cpu, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	for (;;) {
		pthread_barrier_wait(&barrier);
		if (way == WAYS)
			return NULL;
		for (i = 0; i < LOT + WARM; i++) {
			catch(side);
			throw(side);
		}
		pthread_barrier_wait(&barrier);
	}
}

static void
lot(struct app_samples *set)
{
	uint64_t start;
	unsigned int i;

	intr_open(&sides[0], true);
	intr_open(&sides[1], true);
	pthread_barrier_wait(&barrier);
	for (i = 0; i < LOT + WARM; i++) {
		start = rte_rdtsc_precise();
		throw(&sides[0]);
		catch(&sides[0]);
		if (i >= WARM)
			app_samples_add(set, (double)(rte_rdtsc_precise() - start) * 1e6 /
						     (double)rte_get_tsc_hz());
	}
	pthread_barrier_wait(&barrier);
	intr_open(&sides[0], false);
	intr_open(&sides[1], false);
}

static int
open_side(unsigned int i)
{
	struct side *side = &sides[i];
	const struct rte_memzone *mz;
	char name[32], args[32];

	snprintf(name, sizeof(name), "raw_tsi721%u", i);
	snprintf(args, sizeof(args), "destid=%u", i);
	if (rte_vdev_init(name, args) != 0)
		return app_error("no device %s", name);
	mz = rte_memzone_reserve(name, LEN, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG);
	side->id = (uint16_t)rte_rawdev_get_dev_id(name);
	side->other = (uint16_t)!i;
	side->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	side->other_event = &sides[!i].event;
	if (mz == NULL || side->event < 0 ||
	    rte_pmd_tsi721_mbox_open(side->id, MBOX, NB_DESC, NB_DESC, SOCKET_ID_ANY) != 0 ||
	    rte_pmd_tsi721_doorbell_request(side->id, BELL, BELL, on_bell, side) != 0)
		return app_error("%s cannot be used", name);
	side->iova = mz->iova;
	return 0;
}

static void
report(struct app_samples *sets)
{
	struct app_table *table = app_table_new(4);
	struct app_stats stats;
	double base = 0;
	unsigned int i;

	if (table == NULL)
		return;
	app_table_cell(table, "%s", "round trip");
	app_table_cell(table, "%s", "median");
	app_table_cell(table, "%s", "99 %");
	app_table_cell(table, "%s", "of eventfds'");
	for (i = 0; i < WAYS; i++) {
		app_samples_stats(&sets[i], &stats);
		if (i == EVENTFD)
			base = stats.p50;
		app_table_cell(table, "%s", way_name[i]);
		app_table_cell(table, "%.2f us", stats.p50);
		app_table_cell(table, "%.2f us", stats.p99);
		app_table_cell(table, "%.2f", base > 0 ? stats.p50 / base : 0);
	}
	app_table_print(table, stdout, 0);
	app_table_free(table);
	printf("\nTwo wake-ups a round trip, of a thread that sleeps in poll(2). An interrupt goes\n"
	       "through the EAL's interrupt thread: that is a wake-up more each way.\n");
}

static int
run(void)
{
	static struct app_samples sets[WAYS];
	pthread_t thread;
	unsigned int done, i;

	if (open_side(0) != 0 || open_side(1) != 0)
		return 1;
	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread, NULL, partner, &sides[1]) != 0)
		return app_error("no thread") != 0;
	for (done = 0; done < throws; done += LOT)
		for (way = 0; way < WAYS; way++)
			lot(&sets[way]);
	way = WAYS;
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	report(sets);
	for (i = 0; i < WAYS; i++)
		app_samples_free(&sets[i]);
	return 0;
}

int
main(int argc, char **argv)
{
	static const char *const own[] = { NULL };
	int eal_argc, first = app_eal_split(argc, argv, own, &eal_argc);
	int cpu[2] = { app_eal_nth_cpu(0), app_eal_nth_cpu(1) }, ret;
	char prefix[32];
	struct app_eal eal = {
		.prefix = prefix, .lcores = 1, .cpu = { (unsigned int)cpu[0] },
		.argc = eal_argc, .argv = argv + 1,
	};

	throws = THROWS;
	if (first < 0)
		return 1;
	if (first < argc - 1)
		return app_error("'%s': allowed is one number, of round trips", argv[first + 1]) != 0;
	if (first < argc && app_parse_u32("round trips", argv[first], 1, 1000000, &throws) != 0)
		return 1;
	if (cpu[1] < 0)
		return app_error("a round trip needs two processors") != 0;
	sides[1].cpu = (unsigned int)cpu[1];
	snprintf(prefix, sizeof(prefix), "rio-wake-bench-%d", (int)getpid());
	if (app_eal_start(&eal) != 0)
		return 1;
	ret = run();
	app_eal_stop(&eal);
	return ret;
}
