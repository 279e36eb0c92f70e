/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_rawdev.h>

#include "app_error.h"
#include "app_output.h"
#include "app_parse.h"
#include "app_proc.h"
#include "app_table.h"
#include "raw_bench.h"

#define ROUNDS		31u
#define FIGURES_MAX	32u
#define PART_S		120		/* no part takes longer */

static struct figure figures[FIGURES_MAX];
static unsigned int nb_figures;
static char prefix[3][32], fabric[2][32];

/* --- for the parts --- */

int
bench_device(const struct part *part, unsigned int destid)
{
	char name[32], args[64];

	snprintf(name, sizeof(name), "raw_tsi721%u", destid);
	snprintf(args, sizeof(args), "fabric=%s,destid=%u", part->fabric, destid);
	if (rte_vdev_init(name, args) != 0)
		return app_error("no device %s,%s", name, args);
	return rte_rawdev_get_dev_id(name);
}

void
bench_send(int sock, const struct figure *figure)
{
	if (send(sock, figure, sizeof(*figure), MSG_NOSIGNAL) < 0)
		exit(1);
}

double
bench_seconds(uint64_t cycles)
{
	return (double)cycles / (double)rte_get_tsc_hz();
}

/* --- running them --- */

/* Take a part's figures until it says that there are no more. */
static int
collect(struct app_proc *proc)
{
	const struct timeval limit = { .tv_sec = PART_S };
	char words[256], how[64];
	struct figure f;

	setsockopt(proc->sock, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	while (recv(proc->sock, &f, sizeof(f), 0) == (ssize_t)sizeof(f)) {
		if (f.last)
			return 0;
		if (nb_figures < FIGURES_MAX)
			figures[nb_figures++] = f;
	}
	app_proc_stop(proc);
	return app_error("%s: %s: %s", proc->name, app_proc_how_ended(proc, how, sizeof(how)),
			 app_proc_last_words(proc, words, sizeof(words)));
}

static void
end(struct app_proc *proc, const struct part *part)
{
	if (!app_proc_wait(proc, 5000))
		app_proc_stop(proc);
	app_proc_close(proc);
	app_eal_remove_runtime_dir(part->eal.prefix);
}

static int
run_copies(struct part *part)
{
	struct app_proc proc;
	int ret;

	if (app_proc_start(&proc, "copies", false, bench_copies, part) != 0)
		return app_error("cannot start a process");
	ret = collect(&proc);
	end(&proc, part);
	return ret;
}

static int
run_bells(struct part *sender, struct part *peer)
{
	struct app_proc procs[2];
	int ret;

	if (app_proc_start(&procs[1], "receiver", false, bench_bells_peer, peer) != 0)
		return app_error("cannot start a process");
	if (app_proc_start(&procs[0], "sender", false, bench_bells, sender) != 0) {
		app_proc_stop(&procs[1]);
		return app_error("cannot start a process");
	}
	ret = collect(&procs[0]);
	atomic_store(&sender->shared->stop, 1);
	end(&procs[0], sender);
	end(&procs[1], peer);
	return ret;
}

/* --- the table --- */

static bool
is_held(const struct figure *f)
{
	return f->at_most ? f->held < f->wanted : f->held >= f->wanted;
}

static void
report(void)
{
	struct app_table *table = app_table_new(6);
	unsigned int i;

	if (table == NULL)
		return;
	app_table_cell(table, "%s", "");
	app_table_cell(table, "%s", "figure");
	app_table_cell(table, "%s", "beside");
	app_table_cell(table, "%s", "ratio");
	app_table_cell(table, "%s", "median");
	app_table_cell(table, "%s", "wanted");
	for (i = 0; i < nb_figures; i++) {
		const struct figure *f = &figures[i];
		bool ratio = strstr(f->beside, "GB/s") != NULL;

		app_table_cell(table, "%s", f->what);
		app_table_cell(table, "%s", f->value);
		app_table_cell(table, "%s", f->beside);
		if (ratio) {
			app_table_cell(table, "%.2f", f->held);
			app_table_cell(table, "%.2f", f->median);
		} else {
			app_table_cell(table, "%s", "");
			app_table_cell(table, "%s", "");
		}
		if (f->wanted == 0)
			app_table_cell(table, "%s", "");
		else
			app_table_cell(table, "%s %g%s", f->at_most ? "<" : ">=", f->wanted,
				       is_held(f) ? "" : " NO");
	}
	app_table_print(table, stdout, 0);
	app_table_free(table);
	printf("\nRounds take turns with rte_memcpy's on the same buffers; GB/s and their ratio are\n"
	       "those of the best rounds, the median is that of the ratios round by round. Others are medians.\n"
	       "Buffers of block DMA and messages: %u MiB, source and destination together.\n",
	       WORKING_SET >> 20);
}

int
main(int argc, char **argv)
{
	static const char *const own[] = { NULL };
	struct part part[3] = { 0 };
	int eal_argc, first = app_eal_split(argc, argv, own, &eal_argc), cpu[2];
	uint32_t rounds = ROUNDS;
	unsigned int i;

	if (first < 0)
		return 1;
	if (first < argc - 1)
		return app_error("'%s': allowed is one number, that of rounds", argv[first + 1]) != 0;
	if (first < argc && app_parse_u32("rounds", argv[first], 1, 1000, &rounds) != 0)
		return 1;
	cpu[0] = app_eal_nth_cpu(0);
	cpu[1] = app_eal_nth_cpu(1);
	if (cpu[1] < 0)
		return app_error("doorbells need two processors") != 0;
	for (i = 0; i < 3; i++) {
		snprintf(prefix[i], sizeof(prefix[i]), "rio-raw-bench-%d-%u", (int)getpid(), i);
		part[i].eal = (struct app_eal){
			.prefix = prefix[i], .lcores = 1, .cpu = { (unsigned int)cpu[i == 2] },
			.argc = eal_argc, .argv = argv + 1,
		};
		snprintf(fabric[i != 0], sizeof(fabric[0]), "raw-bench-%d-%u", (int)getpid(),
			 i != 0);
		part[i].fabric = fabric[i != 0];
		part[i].rounds = rounds;
		part[i].shared = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (part[i].shared == MAP_FAILED)
			return app_error("no memory") != 0;
	}
	part[2].shared = part[1].shared;
	if (run_copies(&part[0]) != 0 || run_bells(&part[1], &part[2]) != 0)
		return 1;
	report();
	return 0;
}
