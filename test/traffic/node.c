/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A node: one port in a process with an EAL of its own.
 *
 * usage: traffic_node FD INDEX
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include "../unit/rionet_eal.h"
#include "frame.h"

#define BURST		32u
#define QUEUES		4u
#define NB_DESC		512u
#define JOIN_MS		20000u
#define FREE_MS		10000u
#define POOLS		4u
#define XSTATS_MAX	256u

/* What is sent to another node; frames wait here until a queue takes them. */
struct way {
	struct rte_mbuf *wait[QUEUES][BURST];
	uint16_t nb[QUEUES];
	uint64_t seq[TRAFFIC_FLOWS];
	uint32_t flow;
	uint64_t made;
};

/* What is expected of a flow. */
struct flow {
	uint64_t seq;
	bool begun;
};

static const struct {
	const char *name;
	unsigned int nb;
	uint16_t room;
} pool_of[POOLS] = {	/* of transmit; the last one's hold most */
	{ "small", 8191, 256 }, { "odd", 4095, 333 }, { "usual", 2047, 2048 },
	{ "large", 511, 9216 },
};
static const uint16_t rx_room[QUEUES] = { 256, 2048, 512, 4096 };
#define RX_POOL		4095u

static struct rte_mempool *pools[POOLS], *rx_pools[QUEUES];
static struct traffic *all;
static struct traffic_node *me;
static uint8_t self;
static uint16_t port, nb_queues;
static volatile sig_atomic_t wanted;
static struct way ways[TRAFFIC_NODES];
static struct flow flows[TRAFFIC_NODES][TRAFFIC_FLOWS];

uint64_t
traffic_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static void __rte_format_printf(1, 2)
wrong(const char *format, ...)
{
	va_list ap;

	if (atomic_fetch_add(&me->wrong, 1) != 0)
		return;
	va_start(ap, format);
	vsnprintf(me->why, sizeof(me->why), format, ap);
	va_end(ap);
}

/* Passes the node's own limit; what a receiver drops is its business. */
static bool
fits(const struct frame_id *id, uint32_t node)
{
	return frame_len(all, id) <= all->node[node].mtu + 14u;
}

/* Nothing of a flow is missing that was not dropped by intent. */
static void
check_order(const struct frame_id *id, struct traffic_from *from)
{
	struct flow *f = &flows[id->src][id->flow];
	bool strict = !me->victim && !all->node[id->src].victim;
	struct frame_id lost = *id;

	if (f->begun && id->seq < f->seq) {
		wrong("node %u flow %u: frame %lu after %lu", id->src, id->flow,
		      (unsigned long)id->seq, (unsigned long)f->seq - 1);
		return;
	}
	for (lost.seq = f->seq; lost.seq < id->seq; lost.seq++) {
		if (!fits(&lost, id->src) || !fits(&lost, self))
			continue;
		if (strict) {
			wrong("node %u flow %u: frame %lu is missing, %lu came", id->src, id->flow,
			      (unsigned long)lost.seq, (unsigned long)id->seq);
			break;
		}
		if (!f->begun)
			break;
		atomic_fetch_add(&from->skipped, 1);
	}
	f->begun = true;
	f->seq = id->seq + 1;
}

static bool
check_life(const struct frame_id *id, struct traffic_from *from)
{
	uint32_t life = atomic_load(&from->life);

	if (id->life == life)
		return true;
	if (id->life < life || id->life > all->node[id->src].life) {
		wrong("node %u: a frame of life %u in life %u", id->src, id->life, life);
		return false;
	}
	memset(flows[id->src], 0, sizeof(flows[id->src]));
	atomic_store(&from->frames, 0);
	atomic_store(&from->first_ns, traffic_now_ns());
	atomic_store(&from->last_ns, atomic_load(&from->first_ns));
	atomic_store(&from->life, id->life);
	return true;
}

static void
take(struct rte_mbuf *m, uint64_t now)
{
	struct traffic_from *from;
	struct frame_id id;
	const char *why;

	me->sums.taken++;
	if (!frame_read(m, &id) || id.src >= all->nb || id.src == self || id.dst != self ||
	    id.flow >= TRAFFIC_FLOWS) {
		wrong("a frame of %u bytes that nobody sent here", m->pkt_len);
		return;
	}
	from = &me->from[id.src];
	if (!check_life(&id, from))
		return;
	why = frame_check(all, &id, m);
	if (why != NULL) {
		wrong("node %u flow %u frame %lu of %u bytes, here %u: %s", id.src, id.flow,
		      (unsigned long)id.seq, frame_len(all, &id), m->pkt_len, why);
		return;
	}
	check_order(&id, from);
	if (now > atomic_load(&from->last_ns) + atomic_load(&from->longest_ns))
		atomic_store(&from->longest_ns, now - atomic_load(&from->last_ns));
	atomic_store(&from->last_ns, now);
	atomic_fetch_add(&from->frames, 1);
}

static unsigned int
receive(void)
{
	struct rte_mbuf *bufs[BURST];
	unsigned int total = 0;
	uint64_t now;
	uint16_t q, i, n;

	for (q = 0; q < nb_queues; q++) {
		n = rte_eth_rx_burst(port, q, bufs, BURST);
		now = n != 0 ? traffic_now_ns() : 0;
		for (i = 0; i < n; i++)
			take(bufs[i], now);
		rte_pktmbuf_free_bulk(bufs, n);
		total += n;
	}
	return total;
}

/* The next frame to a node: flows take turns, and each keeps to its queue. */
static struct rte_mbuf *
make(uint8_t dst, uint16_t queue)
{
	struct way *way = &ways[dst];
	struct frame_id id = { .src = self, .dst = dst, .life = me->life };
	struct rte_mbuf *m;

	do
		way->flow = (way->flow + 1) % TRAFFIC_FLOWS;
	while (way->flow % nb_queues != queue);
	id.flow = (uint8_t)way->flow;
	id.seq = way->seq[way->flow];
	m = frame_make(all, &id, pools, POOLS);
	if (m == NULL)
		return NULL;
	way->seq[way->flow]++;
	way->made++;
	if (!fits(&id, self))
		me->sums.want_tx_oversize++;
	else if (!fits(&id, dst))
		atomic_fetch_add(&me->over[dst], 1);
	else
		atomic_fetch_add(&me->good[dst], 1);
	return m;
}

/* Whether there is nothing left for this node on that queue. */
static bool
send_to(uint8_t dst, uint16_t queue)
{
	struct way *way = &ways[dst];
	struct rte_mbuf **wait = way->wait[queue];
	uint16_t *nb = &way->nb[queue], want = 1 + (uint16_t)(rte_rand() % BURST), sent, i;

	while (*nb < want && (all->frames == 0 || way->made < all->frames) &&
	       atomic_load(&all->phase) == TRAFFIC_SEND) {
		wait[*nb] = make(dst, queue);
		if (wait[*nb] == NULL)
			break;
		(*nb)++;
	}
	if (*nb == 0)
		return true;
	sent = rte_eth_tx_burst(port, queue, wait, *nb);
	me->sums.given += sent;
	for (i = sent; i < *nb; i++)
		wait[i - sent] = wait[i];
	*nb -= sent;
	return false;
}

static bool
send_all(void)
{
	bool idle = true;
	uint8_t dst;
	uint16_t q;

	for (dst = 0; dst < all->nb; dst++)
		for (q = 0; q < nb_queues && dst != self; q++)
			idle &= send_to(dst, q);
	return idle;
}

static struct rte_mempool *
pool_new(const char *name, unsigned int nb, uint16_t room)
{
	struct rte_mempool *p = rte_pktmbuf_pool_create(name, nb, 64, 0,
							RTE_PKTMBUF_HEADROOM + room,
							SOCKET_ID_ANY);

	if (p == NULL)
		rte_exit(EXIT_FAILURE, "no pool %s: %s\n", name, rte_strerror(rte_errno));
	return p;
}

static void
pools_open(void)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < POOLS; i++)
		pools[i] = pool_new(pool_of[i].name, pool_of[i].nb, pool_of[i].room);
	for (i = 0; i < nb_queues; i++) {
		snprintf(name, sizeof(name), "rx%u", i);
		rx_pools[i] = pool_new(name, RX_POOL, rx_room[(i + self) % QUEUES]);
	}
}

/* An open port may hold mbufs to receive into. */
static const struct rte_mempool *
pools_missing(unsigned int *nb, bool open)
{
	unsigned int i;

	for (i = 0; i < POOLS; i++) {
		*nb = rte_mempool_in_use_count(pools[i]);
		if (*nb != 0)
			return pools[i];
	}
	for (i = 0; i < nb_queues && !open; i++) {
		*nb = rte_mempool_in_use_count(rx_pools[i]);
		if (*nb != 0)
			return rx_pools[i];
	}
	return NULL;
}

/* All mbufs come back, those that are being sent too, and while the port is open still. */
static void
pools_check(bool open)
{
	unsigned int ms = open ? FREE_MS : 0;
	const struct rte_mempool *p;
	unsigned int nb = 0;
	uint16_t q;

	for (; (p = pools_missing(&nb, open)) != NULL && ms > 0; ms--) {
		for (q = 0; q < nb_queues; q++)
			rte_eth_tx_done_cleanup(port, q, 0);
		receive();
		rte_delay_us_sleep(1000);
	}
	if (p != NULL)
		wrong("%u mbufs of pool %s are missing %s the port is closed", nb, p->name,
		      open ? "before" : "when");
}

static uint64_t
xstat(const char *name)
{
	uint64_t id, value = 0;

	if (rte_eth_xstats_get_id_by_name(port, name, &id) != 0 ||
	    rte_eth_xstats_get_by_id(port, &id, &value, 1) != 1)
		wrong("no statistic %s", name);
	return value;
}

static int
port_setup(void)
{
	struct rte_eth_conf conf = { .rxmode.mtu = me->mtu };
	uint16_t q;
	int ret;

	if (nb_queues > 1) {
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		conf.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP;
	}
	ret = rte_eth_dev_configure(port, nb_queues, nb_queues, &conf);
	for (q = 0; q < nb_queues && ret == 0; q++) {
		ret = rte_eth_rx_queue_setup(port, q, NB_DESC, SOCKET_ID_ANY, NULL, rx_pools[q]);
		if (ret == 0)
			ret = rte_eth_tx_queue_setup(port, q, NB_DESC, SOCKET_ID_ANY, NULL);
	}
	return ret;
}

static void
port_open(void)
{
	struct rte_eth_dev_info info;
	char args[192];

	snprintf(args, sizeof(args), "fabric=%s,destid=%u%s%s", all->fabric, self,
		 all->args[0] != '\0' ? "," : "", all->args);
	if (rte_vdev_init("net_rionet0", args) != 0 ||
	    rte_eth_dev_get_port_by_name("net_rionet0", &port) != 0 ||
	    rte_eth_dev_info_get(port, &info) != 0)
		rte_exit(EXIT_FAILURE, "no port with %s\n", args);
	nb_queues = RTE_MIN(info.max_rx_queues, info.max_tx_queues);
	nb_queues = RTE_MIN((uint16_t)all->queues, nb_queues);
	pools_open();
	if (port_setup() != 0)
		rte_exit(EXIT_FAILURE, "the port cannot be set up\n");
	atomic_store(&me->start_ns, traffic_now_ns());
	if (rte_eth_dev_start(port) != 0)
		rte_exit(EXIT_FAILURE, "the port cannot be started\n");
	atomic_store(&me->nb_queues, nb_queues);
	atomic_store(&me->up, me->life);
}

/* In its first life a node begins when all are there; a returning one at once. */
static void
wait_peers(void)
{
	const char *name = all->dma ? "peers_dma" : "peers_joined";
	unsigned int ms;
	uint32_t i;

	if (me->life > 1)
		return;
	for (ms = 0; ms < JOIN_MS && xstat(name) < all->nb - 1; ms++) {
		receive();
		rte_delay_us_sleep(1000);
	}
	if (ms == JOIN_MS)
		wrong("%s is %lu after %u s", name, (unsigned long)xstat(name), JOIN_MS / 1000);
	atomic_store(&me->ready, 1);
	for (i = 0; i < all->nb; i++)
		while (atomic_load(&all->node[i].ready) == 0 &&
		       atomic_load(&all->phase) != TRAFFIC_END) {
			receive();
			rte_delay_us_sleep(1000);
		}
}

static void
sum_up(void)
{
	struct traffic_sums *s = &me->sums;
	struct rte_eth_stats stats;

	if (rte_eth_stats_get(port, &stats) != 0)
		wrong("no statistics");
	s->ipackets = stats.ipackets;
	s->ierrors = stats.ierrors;
	s->imissed = stats.imissed;
	s->opackets = stats.opackets;
	s->oerrors = stats.oerrors;
	s->tx_oversize = xstat("tx_oversize");
	s->rx_oversize = xstat("rx_oversize");
	s->isolated = xstat("dma_isolated");
}

static void
statistics_wanted(int number)
{
	(void)number;
	wanted = 1;
}

/* What is not zero. */
static void
statistics_print(void)
{
	struct rte_eth_xstat_name names[XSTATS_MAX];
	struct rte_eth_xstat values[XSTATS_MAX];
	int i, n = rte_eth_xstats_get(port, NULL, 0);

	wanted = 0;
	if (n > (int)XSTATS_MAX || rte_eth_xstats_get_names(port, names, XSTATS_MAX) != n ||
	    rte_eth_xstats_get(port, values, XSTATS_MAX) != n)
		return;
	fprintf(stderr, "node %u:", self);
	for (i = 0; i < n; i++)
		if (values[i].value != 0)
			fprintf(stderr, " %s=%lu", names[i].name, (unsigned long)values[i].value);
	fprintf(stderr, "\n");
}

static void
rest(bool idle)
{
	if (idle)
		rte_delay_us_sleep(100);
	else if (all->pause_us != 0)
		rte_delay_us_sleep(all->pause_us);
}

/* Send what there is; whether there was nothing. */
static bool
send_once(void)
{
	bool idle = send_all();

	if (idle)
		atomic_store(&me->done, 1);
	return idle;
}

/* A thread that only sends. */
static void *
sender(void *arg)
{
	(void)arg;
	if (rte_thread_register() != 0)
		wrong("no lcore for a thread");
	while (atomic_load(&all->phase) != TRAFFIC_END)
		rest(send_once());
	rte_thread_unregister();
	return NULL;
}

static void
run(void)
{
	pthread_t thread;
	bool idle;

	if (all->two_threads && pthread_create(&thread, NULL, sender, NULL) != 0)
		rte_exit(EXIT_FAILURE, "no thread\n");
	while (atomic_load(&all->phase) != TRAFFIC_END) {
		idle = receive() == 0;
		if (!all->two_threads)
			idle &= send_once();
		if (wanted)
			statistics_print();
		rest(idle);
	}
	if (all->two_threads)
		pthread_join(thread, NULL);
	receive();
}

int
main(int argc, char **argv)
{
	cpu_set_t cpus;

	if (argc != 3)
		return 2;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGUSR1, statistics_wanted);
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[1]), 0);
	self = (uint8_t)atoi(argv[2]);
	/* EAL binds the thread to a processor: there may be fewer than nodes. */
	if (all == MAP_FAILED || sched_getaffinity(0, sizeof(cpus), &cpus) != 0 ||
	    rionet_eal() != 0 || sched_setaffinity(0, sizeof(cpus), &cpus) != 0)
		return 3;
	me = &all->node[self];
	frame_init();
	port_open();
	wait_peers();
	run();
	pools_check(true);
	sum_up();
	if (rte_vdev_uninit("net_rionet0") != 0)
		wrong("the port cannot be closed");
	pools_check(false);
	atomic_store(&me->summed, 1);
	rte_eal_cleanup();
	return atomic_load(&me->wrong) == 0 ? 0 : 1;
}
