/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "app_progress.h"
#include "latency_load.h"
#include "latency_report.h"
#include "latency_run.h"

#define LOOK_US		(50 * 1000)

enum { EXIT_MEASURED = 0, EXIT_BEGIN = 1, EXIT_LOST = 2 };

uint64_t
latency_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

void
latency_sleep_until(uint64_t ns)
{
	struct timespec at = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

/* Real-time priority for the calling lcore. */
static int
become_real_time(const struct latency_options *opt)
{
	struct sched_param param = { .sched_priority = (int)opt->priority };

	if (opt->priority == 0)
		return 0;
	if (sched_setscheduler(0, SCHED_FIFO, &param) == 0)
		return 0;
	return app_error("-p: cannot have priority %u: %s", opt->priority, strerror(errno));
}

static bool
done(const struct latency_thread *t, uint64_t cycles)
{
	const struct latency_options *opt = t->run->options;

	return atomic_load_explicit(&t->run->stop, memory_order_relaxed) ||
	       (opt->loops != 0 && cycles >= opt->loops);
}

/* As cyclictest does: the others go on for nothing when one broke. */
static void
look_at_threshold(struct latency_thread *t, uint64_t ns)
{
	uint64_t limit = (uint64_t)t->run->options->breaktrace_us * 1000;

	if (limit == 0 || ns <= limit)
		return;
	atomic_store(&t->record.over, true);
	atomic_store(&t->run->stop, true);
}

static int
measuring_lcore(void *arg)
{
	struct latency_thread *t = arg;
	const struct latency_test *test = t->run->test;
	uint64_t cycles = 0;
	int64_t ns;

	atomic_store(&t->tid, (pid_t)syscall(SYS_gettid));
	if (become_real_time(t->run->options) < 0) {
		atomic_store(&t->run->stop, true);
		t->lost = true;
	}
	t->next_ns = latency_now_ns() + t->interval_ns;
	while (!done(t, cycles)) {
		ns = test->measure(t);
		if (ns < 0) {
			t->lost = true;
			break;
		}
		latency_record_add(&t->record, (uint64_t)ns);
		look_at_threshold(t, (uint64_t)ns);
		cycles++;
		t->next_ns += t->interval_ns;
		/* What was missed is not made up for. */
		if (t->next_ns < latency_now_ns())
			t->next_ns = latency_now_ns() + t->interval_ns;
	}
	atomic_store(&t->ended, true);
	return 0;
}

static int
answering_lcore(void *arg)
{
	struct latency_run *run = arg;

	while (!atomic_load_explicit(&run->stop, memory_order_relaxed))
		run->test->answer(run);
	return 0;
}

/* Worker lcores get their work: the last one answers where the peer is here. */
static int
hand_out(struct latency_run *run)
{
	unsigned int workers = rte_lcore_count() - 1, lcore, n = 0;
	unsigned int needed = run->answers ? 2 : 1;

	if (workers < needed)
		return app_error("%u worker lcore%s needed, there %s %u: give EAL more, as in "
				 "--lcores 0@0,1@1%s", needed, needed == 1 ? " is" : "s are",
				 workers == 1 ? "is" : "are", workers, needed == 1 ? "" : ",2@0");
	RTE_LCORE_FOREACH_WORKER(lcore) {
		struct latency_thread *t = &run->thread[n];

		if (n + run->answers == workers || (run->test->one && n == 1) ||
		    n == LATENCY_THREADS_MAX)
			break;
		t->run = run;
		t->index = n;
		t->cpu = rte_lcore_to_cpu_id((int)lcore);
		t->interval_ns = 1000ull * (run->options->interval_us + n *
					    (uint64_t)run->options->distance_us);
		if (latency_record_init(&t->record, run->options->histogram,
					run->options->nanoseconds ? 1 : 1000) < 0)
			return app_error("-h: no memory for %u places", run->options->histogram);
		n++;
	}
	run->threads = n;
	return 0;
}

static void
launch(struct latency_run *run)
{
	unsigned int lcore, n = 0;

	RTE_LCORE_FOREACH_WORKER(lcore) {
		if (n < run->threads)
			rte_eal_remote_launch(measuring_lcore, &run->thread[n], lcore);
		else if (n == run->threads && run->answers)
			rte_eal_remote_launch(answering_lcore, run, lcore);
		n++;
	}
}

static bool
all_ended(const struct latency_run *run)
{
	for (unsigned int i = 0; i < run->threads; i++)
		if (!atomic_load(&run->thread[i].ended))
			return false;
	return true;
}

static void
show_until_end(struct latency_run *run)
{
	const struct latency_options *opt = run->options;
	bool quiet = opt->quiet;

	if (!quiet)
		latency_report_lines(run, stdout, false);
	while (!all_ended(run)) {
		rte_delay_us_sleep(LOOK_US);
		if (app_interrupted() ||
		    (opt->duration > 0 && app_now() - run->started >= opt->duration))
			atomic_store(&run->stop, true);
		if (!quiet && latency_report_in_place(stdout))
			latency_report_lines(run, stdout, true);
	}
}

static int
echo_until_end(struct latency_run *run)
{
	printf("# answers until Ctrl-C\n");
	fflush(stdout);
	while (!app_interrupted())
		run->test->answer(run);
	return EXIT_MEASURED;
}

static int
measure(struct latency_run *run)
{
	int ret = EXIT_MEASURED;

	latency_report_head(run, stdout);
	run->started = app_now();
	latency_load_start(run);
	launch(run);
	show_until_end(run);
	atomic_store(&run->stop, true);
	rte_eal_mp_wait_lcore();
	latency_load_stop();
	run->stopped = app_now();
	latency_report_lines(run, stdout, !run->options->quiet && latency_report_in_place(stdout));
	latency_report_histogram(run, stdout);
	if (latency_report_json(run) < 0)
		ret = EXIT_LOST;
	for (unsigned int i = 0; i < run->threads; i++)
		if (run->thread[i].lost)
			ret = EXIT_LOST;
	return ret;
}

int
latency_run(struct latency_run *run)
{
	int ret = EXIT_BEGIN;

	if (run->options->mlockall && mlockall(MCL_CURRENT | MCL_FUTURE) < 0)
		return app_error("-m: cannot keep memory in place: %s", strerror(errno)) < 0 ?
		       EXIT_BEGIN : 0;
	if (run->test->open(run) < 0)
		return ret;
	if (run->options->echo)
		ret = echo_until_end(run);
	else if (hand_out(run) == 0)
		ret = measure(run);
	for (unsigned int i = 0; i < LATENCY_THREADS_MAX; i++)
		latency_record_free(&run->thread[i].record);
	run->test->close(run);
	return ret;
}
