/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Many rionet ports in DMA mode on one fabric, in processes of up to 16: what they carry when
 * all send to all, what a poll costs when nothing comes, and memory.
 *
 * usage: scale_bench [SECONDS [STATIONS...]]
 */

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>

#define STATIONS_MAX	64u
#define PORTS_MAX	16u	/* a process */
#define PROCS_MAX	(STATIONS_MAX / PORTS_MAX)
#define BURST		32u
#define NB_DESC		256u
#define POOL		16383u
#define FRAME		64u
#define AGREE_S		60u
#define POLLS		20000u
#define ROUNDS		15u

enum phase { PHASE_AGREE, PHASE_IDLE, PHASE_TRAFFIC, PHASE_END };

struct shared {
	char fabric[64];
	uint32_t stations, procs;
	_Atomic uint32_t phase;
	struct {
		_Atomic uint32_t reached;	/* phase that it is done with, plus one */
		double poll_ns;
		double frames;			/* received, a second */
		uint64_t heap;			/* bytes, of all its ports */
	} proc[PROCS_MAX];
};

static struct shared *all;
static uint32_t self, first, nb;
static uint16_t ids[PORTS_MAX];
static struct rte_mempool *pool;

static void
die(const char *what)
{
	fprintf(stderr, "scale_bench: process %u: %s\n", self, what);
	exit(1);
}

/* ---- a process with ports ---- */

static uint64_t
heap(void)
{
	struct rte_malloc_socket_stats stats;

	if (rte_malloc_get_socket_stats(0, &stats) != 0)
		die("no statistics of memory");
	return stats.heap_allocsz_bytes;
}

static void
eal_open(void)
{
	char *argv[] = { "scale_bench", "--no-huge", "-m", "768", "--no-pci", "--no-shconf",
			 "--no-telemetry", "-l", "0", "--log-level=*:error" };
	cpu_set_t cpus;

	/* EAL binds the thread: there may be fewer processors than processes. */
	if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0 ||
	    rte_eal_init(RTE_DIM(argv), argv) < 0 ||
	    sched_setaffinity(0, sizeof(cpus), &cpus) != 0)
		die("no EAL");
	pool = rte_pktmbuf_pool_create("pool", POOL, 256, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
				       SOCKET_ID_ANY);
	if (pool == NULL)
		die("no pool");
}

static void
port_open(uint32_t i)
{
	struct rte_eth_conf conf = { .rxmode.mtu = 1500 };
	char name[32], args[160];

	snprintf(name, sizeof(name), "net_rionet%u", i);
	snprintf(args, sizeof(args), "fabric=%s,destid=%u,mode=dma,region=16,peers=0-%u",
		 all->fabric, first + i, all->stations - 1);
	if (rte_vdev_init(name, args) != 0 || rte_eth_dev_get_port_by_name(name, &ids[i]) != 0 ||
	    rte_eth_dev_configure(ids[i], 1, 1, &conf) != 0 ||
	    rte_eth_rx_queue_setup(ids[i], 0, NB_DESC, SOCKET_ID_ANY, NULL, pool) != 0 ||
	    rte_eth_tx_queue_setup(ids[i], 0, NB_DESC, SOCKET_ID_ANY, NULL) != 0 ||
	    rte_eth_dev_start(ids[i]) != 0)
		die("a port cannot be started");
}

static uint64_t
peers_dma(uint16_t id)
{
	uint64_t which = 0, value = 0;

	if (rte_eth_xstats_get_id_by_name(id, "peers_dma", &which) != 0 ||
	    rte_eth_xstats_get_by_id(id, &which, &value, 1) != 1)
		die("no statistic peers_dma");
	return value;
}

static unsigned int
poll_port(uint16_t id)
{
	struct rte_mbuf *bufs[BURST];
	uint16_t n = rte_eth_rx_burst(id, 0, bufs, BURST);

	rte_pktmbuf_free_bulk(bufs, n);
	return n;
}

static void
poll_all(void)
{
	uint32_t i;

	for (i = 0; i < nb; i++)
		poll_port(ids[i]);
}

/* Wait for the others, and for what the parent says next. */
static void
phase_done(enum phase phase)
{
	atomic_store(&all->proc[self].reached, phase + 1);
	while (atomic_load(&all->phase) == (uint32_t)phase) {
		poll_all();
		rte_delay_us_sleep(100);
	}
}

static void
agree(void)
{
	uint64_t end;
	uint32_t i;

	for (i = 0; i < nb; i++)
		port_open(i);
	end = rte_get_timer_cycles() + AGREE_S * rte_get_timer_hz();
	for (i = 0; i < nb; i++)
		while (peers_dma(ids[i]) != all->stations - 1) {
			poll_all();
			rte_delay_us_sleep(500);
			if (rte_get_timer_cycles() > end)
				die("the ports do not agree on DMA mode");
		}
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double
idle_poll_ns(void)
{
	double ns[ROUNDS];
	uint64_t begin;
	uint32_t r, i;

	for (r = 0; r < ROUNDS; r++) {
		begin = rte_get_timer_cycles();
		for (i = 0; i < POLLS; i++)
			poll_port(ids[0]);
		ns[r] = (double)(rte_get_timer_cycles() - begin) * 1e9 / rte_get_timer_hz() / POLLS;
	}
	/* The quickest quarter: others may have had the processor. */
	qsort(ns, ROUNDS, sizeof(ns[0]), by_value);
	return ns[ROUNDS / 4];
}

/* A burst from a port to the next of its peers. */
static void
send_burst(uint32_t i, uint32_t *to)
{
	uint8_t head[12] = { 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, (uint8_t)(first + i) };
	struct rte_mbuf *bufs[BURST];
	uint16_t n, k;

	*to = (*to + 1) % all->stations;
	if (*to == first + i)
		*to = (*to + 1) % all->stations;
	head[5] = (uint8_t)*to;
	if (rte_pktmbuf_alloc_bulk(pool, bufs, BURST) != 0)
		return;
	for (k = 0; k < BURST; k++) {
		memcpy(rte_pktmbuf_append(bufs[k], FRAME), head, sizeof(head));
		*rte_pktmbuf_mtod_offset(bufs[k], uint16_t *, 12) = RTE_BE16(0x88b5);
	}
	n = rte_eth_tx_burst(ids[i], 0, bufs, BURST);
	rte_pktmbuf_free_bulk(bufs + n, BURST - n);
}

/* Frames received, a second. */
static double
traffic(void)
{
	uint64_t frames = 0, begin = rte_get_timer_cycles();
	uint32_t to[PORTS_MAX], i;

	for (i = 0; i < nb; i++)
		to[i] = first + i;
	while (atomic_load(&all->phase) == PHASE_TRAFFIC)
		for (i = 0; i < nb; i++) {
			send_burst(i, &to[i]);
			frames += poll_port(ids[i]);
		}
	return frames * (double)rte_get_timer_hz() / (rte_get_timer_cycles() - begin);
}

static int
process(int fd, uint32_t index)
{
	char name[32];
	uint64_t before;
	uint32_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	self = index;
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (all == MAP_FAILED)
		die("no shared memory");
	first = index * PORTS_MAX;
	nb = RTE_MIN(PORTS_MAX, all->stations - first);
	eal_open();
	before = heap();
	agree();
	all->proc[self].heap = heap() - before;
	phase_done(PHASE_AGREE);
	if (self == 0)
		all->proc[self].poll_ns = idle_poll_ns();
	phase_done(PHASE_IDLE);
	all->proc[self].frames = traffic();
	atomic_store(&all->proc[self].reached, PHASE_TRAFFIC + 1);
	/* Nobody leaves while others still send to it. */
	while (atomic_load(&all->phase) != PHASE_END)
		poll_all();
	for (i = 0; i < nb; i++) {
		snprintf(name, sizeof(name), "net_rionet%u", i);
		rte_vdev_uninit(name);
	}
	return 0;
}

/* ---- the parent ---- */

static void
wait_reached(const pid_t *pids, uint32_t phase)
{
	uint32_t i;

	for (i = 0; i < all->procs; i++)
		while (atomic_load(&all->proc[i].reached) <= phase) {
			if (waitpid(pids[i], NULL, WNOHANG) != 0)
				exit(1);
			usleep(1000);
		}
}

/* What the fewest stations took; others are compared with it. */
struct base {
	uint32_t stations;
	double ns, heap;
};

/* What each further station adds to a port. */
static void
print_further(const struct base *base, uint32_t stations, double ns, double heap_kib)
{
	double more = (double)stations - base->stations;

	if (base->stations == 0)
		printf(" %16s %16s\n", "-", "-");
	else
		printf(" %16.2f %16.1f\n", (ns - base->ns) / more, (heap_kib - base->heap) / more);
	fflush(stdout);
}

static void
measure(uint32_t stations, double seconds, struct base *base)
{
	int fd = memfd_create("scale", 0);
	pid_t pids[PROCS_MAX];
	char number[2][16];
	double ns, heap_kib, frames = 0;
	uint64_t bytes = 0;
	uint32_t i;

	if (fd < 0 || ftruncate(fd, sizeof(*all)) != 0)
		die("no shared memory");
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (all == MAP_FAILED)
		die("no shared memory");
	snprintf(all->fabric, sizeof(all->fabric), "scale-%d-%u", (int)getpid(), stations);
	all->stations = stations;
	all->procs = (stations + PORTS_MAX - 1) / PORTS_MAX;
	for (i = 0; i < all->procs; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			snprintf(number[0], sizeof(number[0]), "%d", fd);
			snprintf(number[1], sizeof(number[1]), "%u", i);
			execl("/proc/self/exe", "scale_bench", "--process", number[0], number[1],
			      (char *)NULL);
			_exit(127);
		}
	}
	for (i = PHASE_AGREE; i <= PHASE_IDLE; i++) {
		wait_reached(pids, i);
		atomic_store(&all->phase, i + 1);
	}
	usleep((useconds_t)(seconds * 1e6));
	atomic_store(&all->phase, PHASE_TRAFFIC + 1);
	wait_reached(pids, PHASE_TRAFFIC);
	atomic_store(&all->phase, PHASE_END);
	for (i = 0; i < all->procs; i++) {
		waitpid(pids[i], NULL, 0);
		frames += all->proc[i].frames;
		bytes += all->proc[i].heap;
	}
	ns = all->proc[0].poll_ns;
	heap_kib = bytes / 1024.0 / stations;
	printf("%8u %9u %12.3f %14.1f %12.1f %14.1f", stations, all->procs, frames / 1e6,
	       frames / 1e3 / stations, ns, heap_kib / 1024);
	print_further(base, stations, ns, heap_kib);
	if (base->stations == 0)
		*base = (struct base){ stations, ns, heap_kib };
	munmap(all, sizeof(*all));
	close(fd);
}

int
main(int argc, char **argv)
{
	static const uint32_t usual[] = { 2, 8, 30, 64 };
	double seconds = argc > 1 ? atof(argv[1]) : 2;
	struct base base = { .stations = 0 };
	uint32_t stations;
	size_t i;

	if (argc == 4 && strcmp(argv[1], "--process") == 0)
		return process(atoi(argv[2]), (uint32_t)atoi(argv[3]));
	if (seconds <= 0) {
		fprintf(stderr, "usage: scale_bench [SECONDS [STATIONS...]]\n");
		return 2;
	}
	printf("%8s %9s %12s %14s %12s %14s %16s %16s\n", "stations", "processes", "Mframes/s",
	       "kframes/s port", "idle poll ns", "MiB a port", "ns per idle peer",
	       "KiB per peer");
	for (i = 0; i < (argc > 2 ? (size_t)argc - 2 : RTE_DIM(usual)); i++) {
		stations = argc > 2 ? (uint32_t)atoi(argv[2 + i]) : usual[i];
		if (stations < 2 || stations > STATIONS_MAX) {
			fprintf(stderr, "scale_bench: %s stations: 2 to %u are allowed\n",
				argv[2 + i], STATIONS_MAX);
			return 2;
		}
		measure(stations, seconds, &base);
	}
	return 0;
}
