/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Hosts and agents as devices: enumeration in the background, and what is told of it. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_rawdev.h>

#include "drv_rig.h"
#include "rte_pmd_tsi721.h"
#include "tsi721_maint.h"

#define NODES	16u
#define LONG_S	20u		/* for what takes as long as the machine wants */

struct net {
	char fabric[64];
	const char *file;
	char path[160];
	struct tsi721_device *dev[NODES];
	uint16_t id[NODES];
};

static void
node_start(struct net *net, unsigned int n, const char *args)
{
	char name[32], text[512];

	snprintf(name, sizeof(name), "raw_tsi721%u", n);
	snprintf(text, sizeof(text), "fabric=%s,topology=%s,node=n%u,%s", net->fabric, net->path,
		 n, args);
	assert_int_equal(rte_vdev_init(name, text), 0);
	net->dev[n] = tsi721_device_find(name);
	assert_non_null(net->dev[n]);
	net->id[n] = rte_rawdev_get_dev_id(name);
}

static void
node_stop(struct net *net, unsigned int n)
{
	char name[32];

	snprintf(name, sizeof(name), "raw_tsi721%u", n);
	assert_int_equal(rte_vdev_uninit(name), 0);
	net->dev[n] = NULL;
}

/* A topology without IDs: enumeration gives them. */
static void
net_write(struct net *net)
{
	char path[200], line[256], *end;
	bool endpoints = false;
	FILE *in, *out;

	snprintf(path, sizeof(path), "%s/%s.ini", FABRICS, net->file);
	in = fopen(path, "r");
	out = fopen(net->path, "w");
	assert_non_null(in);
	assert_non_null(out);
	while (fgets(line, sizeof(line), in) != NULL && strncmp(line, "[routes", 7) != 0) {
		if (line[0] == '[')
			endpoints = strcmp(line, "[endpoints]\n") == 0;
		end = strchr(line, '=');
		if (endpoints && end != NULL)
			strcpy(end, "= none\n");
		fputs(line, out);
		if (strcmp(line, "[fabric]\n") == 0)
			fputs("enumerated = 0\n", out);
	}
	fclose(in);
	fclose(out);
}

static struct net *
net_open(const char *file)
{
	struct net *net = calloc(1, sizeof(*net));
	static unsigned int runs;

	assert_non_null(net);
	net->file = file;
	snprintf(net->fabric, sizeof(net->fabric), "drv-fabric-%d-%u", (int)getpid(), runs++);
	snprintf(net->path, sizeof(net->path), "/tmp/%s.ini", net->fabric);
	net_write(net);
	rig_log_lines();
	return net;
}

static void
net_close(struct net *net)
{
	unsigned int n;

	for (n = 0; n < NODES; n++)
		if (net->dev[n] != NULL)
			node_stop(net, n);
	unlink(net->path);
	free(net);
}

static struct rte_pmd_tsi721_fabric_info
info(struct net *net, unsigned int n)
{
	struct rte_pmd_tsi721_fabric_info i;

	assert_int_equal(rte_pmd_tsi721_fabric_info_get(net->id[n], &i), 0);
	return i;
}

/* Every node reaches every other by its ID. */
static bool
all_reach(struct net *net)
{
	unsigned int i, j;
	uint32_t val;

	for (i = 0; i < NODES; i++)
		for (j = 0; j < NODES; j++) {
			if (net->dev[i] == NULL || net->dev[j] == NULL || i == j)
				continue;
			if (tsi721_maint_read(net->dev[i], tsi721_device_destid(net->dev[j]),
					      RIO_HOP_ENDPOINT, RIO_DID_CSR, &val) != 0 ||
			    (val & RIO_DID_8) >> RIO_DID_8_SHIFT != net->dev[j]->destid)
				return false;
		}
	return true;
}

/* Microseconds until it is so. */
static uint64_t
until_reach(struct net *net)
{
	uint64_t begin = rte_get_timer_cycles(), hz = rte_get_timer_hz();

	/* Not so often that the host's own requests wait for these. */
	while (!all_reach(net)) {
		if (rte_get_timer_cycles() - begin > hz * LONG_S)
			fail_msg("not all reach all");
		usleep(100);
	}
	return (rte_get_timer_cycles() - begin) / (hz / US_PER_S);
}

static void
until_known(struct net *net, unsigned int n, uint32_t endpoints, uint32_t links)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * LONG_S;
	struct rte_pmd_tsi721_fabric_info i;

	do {
		i = info(net, n);
		if (rte_get_timer_cycles() > end)
			fail_msg("%u endpoints, %u links", i.nb_endpoints, i.nb_links);
		usleep(500);
	} while (i.nb_endpoints != endpoints || (links != 0 && i.nb_links != links) ||
		 i.state != RTE_PMD_TSI721_FABRIC_COMPLETE);
}

/* --- the result --- */

/*
 * What two nodes see, ports and routes included. Where routes are a choice, an agent
 * cannot see what is behind links that no request of its own crosses: of ring4 one.
 */
static void
same_view(struct net *net, unsigned int a, unsigned int b, unsigned int unseen)
{
	struct rte_pmd_tsi721_fabric_device da[32], db;
	struct rte_pmd_tsi721_fabric_port pa[64], pb[64];
	struct rte_pmd_tsi721_fabric_route ra[64], rb[64];
	int n = rte_pmd_tsi721_fabric_devices(net->id[a], da, 32), i, p, q, nb;
	unsigned int blind = 0;

	assert_int_equal(rte_pmd_tsi721_fabric_devices(net->id[b], NULL, 0), n);
	assert_int_equal(rte_pmd_tsi721_fabric_devices(net->id[b], &db, 1), n);
	assert_true(db.self && da[0].self);
	assert_int_equal(db.destid, net->dev[b]->destid);
	for (i = 0; i < n; i++) {
		nb = rte_pmd_tsi721_fabric_ports(net->id[a], da[i].comp_tag, pa, 64);
		assert_int_equal(nb, da[i].is_switch ? 18 : 1);
		assert_int_equal(rte_pmd_tsi721_fabric_ports(net->id[b], da[i].comp_tag, pb, 64), nb);
		for (p = 0; p < nb && da[i].is_switch; p++) {
			assert_int_equal(pa[p].port, p);
			assert_int_equal(pa[p].up, pb[p].up);
			if (pa[p].linked && pb[p].linked) {
				assert_int_equal(pa[p].peer_tag, pb[p].peer_tag);
				assert_int_equal(pa[p].peer_destid, pb[p].peer_destid);
			} else if (pa[p].up) {
				blind += 1;
				assert_true(p >= 16);
			}
			assert_int_equal(pa[p].lockout, !pa[p].up);
			assert_int_equal(pb[p].lockout, !pa[p].up);
			assert_int_equal(pa[p].lanes, pb[p].lanes);
			assert_int_equal(pa[p].mbaud, pb[p].mbaud);
			assert_int_equal(pa[p].mbaud, !pa[p].up ? 0 : p >= 16 ? 6250 : 5000);
		}
		nb = rte_pmd_tsi721_fabric_routes(net->id[a], da[i].comp_tag, ra, 64);
		assert_int_equal(rte_pmd_tsi721_fabric_routes(net->id[b], da[i].comp_tag, rb, 64), nb);
		assert_int_equal(nb, da[i].is_switch ? (int)info(net, a).nb_endpoints : -ENOENT);
		for (p = 0; p < nb; p++) {
			for (q = 0; q < nb && rb[q].destid != ra[p].destid; q++)
				;
			assert_true(q < nb);
			assert_int_equal(ra[p].port, rb[q].port);
		}
	}
	assert_int_equal(blind, 2 * unseen);
}

/* Agents first, then the host: all is there when it has been probed. */
static void
host_comes_last(void **state)
{
	struct rte_pmd_tsi721_fabric_info i;
	struct net *net = net_open("ring4");
	unsigned int n;

	(void)state;
	for (n = 1; n < 8; n++)
		node_start(net, n, n % 2 ? "hdid=-1" : "host=0");
	i = info(net, 1);
	assert_int_equal(i.role, RTE_PMD_TSI721_FABRIC_AGENT);
	assert_int_equal(i.state, RTE_PMD_TSI721_FABRIC_WAITING);
	assert_int_equal(i.generation, 0);
	assert_int_equal(rte_pmd_tsi721_fabric_rescan(net->id[1]), -EAGAIN);
	assert_int_equal(tsi721_fabric_wait(net->dev[1], 1), -ETIMEDOUT);
	node_start(net, 0, "hdid=9");
	/* At once, unless the machine stands still for a second. */
	until_known(net, 0, 8, 12);
	i = info(net, 0);
	assert_int_equal(i.role, RTE_PMD_TSI721_FABRIC_HOST);
	assert_int_equal(i.state, RTE_PMD_TSI721_FABRIC_COMPLETE);
	assert_int_equal(i.nb_endpoints, 8);
	assert_int_equal(i.nb_switches, 4);
	assert_int_equal(i.nb_links, 12);
	assert_int_equal(i.destid, 9);
	assert_int_equal(i.host_destid, 9);
	assert_int_equal(i.destid_bits, 8);
	assert_true(all_reach(net));
	for (n = 1; n < 8; n++) {
		/* Lowest first, in the order of ports, depth first: that of the file. */
		assert_int_equal(tsi721_fabric_wait(net->dev[n], 1), 0);
		assert_int_equal(net->dev[n]->destid, n - 1);
		until_known(net, n, 8, 11);
		assert_int_equal(info(net, n).host_destid, 9);
		same_view(net, 0, n, 1);
		same_view(net, n, 0, 1);
	}
	assert_int_equal(rig_log_lines(), 0);
	net_close(net);
}

/* Devices that come later are found by themselves; those without a role read the fabric. */
static void
hot_insertion(void **state)
{
	struct net *net = net_open("two-switches-16");
	unsigned int n;

	(void)state;
	node_start(net, 8, "host=1");
	until_known(net, 8, 1, 0);
	assert_int_equal(info(net, 8).destid, 0);
	for (n = 0; n < 16; n++)
		if (n != 8)
			node_start(net, n, n % 2 ? "hdid=-1" : "mrrs=5");
	until_known(net, 8, 16, 17);
	until_reach(net);
	for (n = 0; n < 16; n += 3) {
		assert_int_equal(rte_pmd_tsi721_fabric_rescan(net->id[n]), 0);
		if (n != 8)
			until_known(net, n, 16, 17);
		same_view(net, 8, n, 0);
	}
	net_close(net);
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* By the tool, from another process: what = NULL takes it away. */
static void
fault(struct net *net, const char *where, const char *what)
{
	char cmd[512];

	snprintf(cmd, sizeof(cmd), "%s %s %s %s %s", FABRIC_TOOL, what != NULL ? "fault" : "clear",
		 net->fabric, where, what != NULL ? what : "");
	assert_int_equal(system(cmd), 0);
}

/*
 * The link between a switch and the next one of the ring: its port is disabled, or not.
 * Links go down before this returns, unlike with a fault that a tool sets.
 */
static void
cable(struct net *net, unsigned int sw, bool in)
{
	const uint32_t ctl = 0x100 + RIO_PORT_N_CTL_CSR(16);
	struct tsi721_device *near = net->dev[2 * sw];
	uint32_t val;

	assert_int_equal(tsi721_maint_read(near, RIO_ANY_DESTID_8, 0, ctl, &val), 0);
	val = in ? val & ~RIO_PORT_N_CTL_PORT_DIS : val | RIO_PORT_N_CTL_PORT_DIS;
	assert_int_equal(tsi721_maint_write(near, RIO_ANY_DESTID_8, 0, ctl, val), 0);
}

/*
 * The thread in which the host works beats every few milliseconds. Gaps are what the
 * machine's other programs took of it (real-time ones may take 950 ms): that is not
 * the host's. What the host itself takes longest is judged by its own account.
 */
#define BEAT_US		5000u
static uint64_t beat_last, beat_gap;

static void
beat(void *arg)
{
	uint64_t now = rte_get_timer_cycles() / (rte_get_timer_hz() / US_PER_S);
	uint64_t gap = now - __atomic_exchange_n(&beat_last, now, __ATOMIC_RELAXED);

	if (gap > __atomic_load_n(&beat_gap, __ATOMIC_RELAXED))
		__atomic_store_n(&beat_gap, gap, __ATOMIC_RELAXED);
	rte_eal_alarm_set(BEAT_US, beat, arg);
}

/* Any link between switches fails, and comes back: all reach all again in 100 ms. */
static void
failover(void **state)
{
	struct net *net = net_open("ring4");
	uint64_t us[20], gap, gaps = 0;
	unsigned int n, i;

	(void)state;
	for (n = 0; n < 8; n++)
		node_start(net, n, n == 5 ? "hdid=5" : "hdid=-1");
	until_known(net, 5, 8, 12);
	until_reach(net);
	beat_last = rte_get_timer_cycles() / (rte_get_timer_hz() / US_PER_S);
	beat(NULL);
	for (i = 0; i < RTE_DIM(us); i++) {
		__atomic_store_n(&beat_gap, 0, __ATOMIC_RELAXED);
		cable(net, i % 4, false);
		us[i] = until_reach(net);
		gap = __atomic_load_n(&beat_gap, __ATOMIC_RELAXED);
		gaps += gap > 100000;
		if (us[i] >= 1000000 + 2 * gap)
			fail_msg("%" PRIu64 " us, where the thread stood still for %" PRIu64, us[i],
				 gap);
		until_known(net, 5, 8, 11);
		assert_true(all_reach(net));
		cable(net, i % 4, true);
		until_known(net, 5, 8, 12);
		until_reach(net);
	}
	qsort(us, RTE_DIM(us), sizeof(us[0]), by_value);
	print_message("all reach all after %u us in the median, %u at most\n",
		      (unsigned int)us[RTE_DIM(us) / 2], (unsigned int)us[RTE_DIM(us) - 1]);
	assert_true(us[RTE_DIM(us) / 2] < 100000);
	if (gaps != 0)
		print_message("the machine held up the host's thread %u times\n",
			      (unsigned int)gaps);
	rte_eal_alarm_cancel(beat, NULL);
	net_close(net);
}

/* One that ends and begins anew is back by itself, under its old ID; the host too. */
static void
restart(void **state)
{
	struct net *net = net_open("ring4");
	unsigned int n, round;
	uint16_t ids[8];

	(void)state;
	for (n = 0; n < 8; n++)
		node_start(net, n, n == 2 ? "hdid=40" : "hdid=-1");
	until_known(net, 2, 8, 12);
	until_reach(net);
	for (n = 0; n < 8; n++)
		ids[n] = net->dev[n]->destid;
	for (round = 0; round < 2; round++)
		for (n = 0; n < 8; n++) {
			node_stop(net, n);
			if (round == 1 && n != 2)
				until_known(net, 2, 7, 11);
			node_start(net, n, n == 2 ? "hdid=40" : "hdid=-1");
			until_known(net, 2, 8, 12);
			until_reach(net);
			assert_int_equal(net->dev[n]->destid, ids[n]);
		}
	net_close(net);
}

/* Engines that run beside their users. */
static void
threads(void **state)
{
	struct net *net = net_open("ring4");
	unsigned int n;

	(void)state;
	for (n = 0; n < 4; n++)
		node_start(net, n, n == 1 ? "hdid=1,exec=thread" : "hdid=-1,exec=thread");
	until_known(net, 1, 4, 8);
	until_reach(net);
	cable(net, 0, false);
	until_known(net, 1, 4, 7);
	until_reach(net);
	net_close(net);
}

/* Of two hosts the one with the higher ID stays. */
static void
two_hosts(void **state)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * LONG_S;
	struct net *net = net_open("star8");

	(void)state;
	node_start(net, 0, "hdid=3");
	node_start(net, 1, "hdid=-1");
	until_known(net, 0, 2, 2);
	node_start(net, 2, "hdid=7");
	while (info(net, 0).role != RTE_PMD_TSI721_FABRIC_AGENT)
		assert_true(rte_get_timer_cycles() < end);
	until_known(net, 2, 3, 3);
	until_known(net, 0, 3, 3);
	assert_int_equal(info(net, 0).host_destid, 7);
	until_reach(net);
	/* A lower one that comes later gives way when it is let in. */
	node_start(net, 4, "hdid=5");
	while (info(net, 4).role != RTE_PMD_TSI721_FABRIC_AGENT)
		assert_true(rte_get_timer_cycles() < end);
	until_known(net, 2, 4, 4);
	until_known(net, 4, 4, 4);
	until_reach(net);
	assert_int_equal(info(net, 2).role, RTE_PMD_TSI721_FABRIC_HOST);
	net_close(net);
}

/* --- being told --- */

struct told {
	unsigned int changes, portwrites;
	uint32_t generation, words[4];
	uint16_t dev_id;
};

static void
on_change(void *arg, uint16_t dev_id, uint32_t generation)
{
	struct told *told = arg;

	told->dev_id = dev_id;
	told->generation = generation;
	__atomic_fetch_add(&told->changes, 1, __ATOMIC_RELEASE);
}

static void
on_portwrite(void *arg, uint16_t dev_id, const uint32_t words[4])
{
	struct told *told = arg;

	told->dev_id = dev_id;
	memcpy(told->words, words, sizeof(told->words));
	__atomic_fetch_add(&told->portwrites, 1, __ATOMIC_RELEASE);
}

static bool
was_told(void *arg)
{
	const struct told *told = arg;

	return __atomic_load_n(&told->changes, __ATOMIC_ACQUIRE) != 0 &&
	       __atomic_load_n(&told->portwrites, __ATOMIC_ACQUIRE) != 0;
}

static void
callbacks(void **state)
{
	struct net *net = net_open("star8");
	struct told told = { 0 }, more[8] = { { 0 } };
	struct rte_pmd_tsi721_fabric_device dev;
	unsigned int i;

	(void)state;
	node_start(net, 0, "hdid=0");
	node_start(net, 1, "hdid=-1");
	until_known(net, 0, 2, 2);
	assert_int_equal(rte_pmd_tsi721_fabric_register(net->id[0], on_change, &told), 0);
	assert_int_equal(rte_pmd_tsi721_fabric_register(net->id[0], on_change, &told), -EEXIST);
	assert_int_equal(rte_pmd_tsi721_fabric_register(net->id[0], NULL, &told), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_portwrite_register(net->id[0], on_portwrite, &told), 0);
	assert_int_equal(rte_pmd_tsi721_portwrite_register(net->id[0], on_portwrite, &told), -EEXIST);
	assert_int_equal(rte_pmd_tsi721_portwrite_register(net->id[0], NULL, NULL), -EINVAL);
	for (i = 0; i < 7; i++) {
		assert_int_equal(rte_pmd_tsi721_fabric_register(net->id[0], on_change, &more[i]), 0);
		assert_int_equal(rte_pmd_tsi721_portwrite_register(net->id[0], on_portwrite,
								   &more[i]), 0);
	}
	assert_int_equal(rte_pmd_tsi721_fabric_register(net->id[0], on_change, &more[7]), -ENOSPC);
	assert_int_equal(rte_pmd_tsi721_portwrite_register(net->id[0], on_portwrite, &more[7]),
			 -ENOSPC);

	fault(net, "n1", "down");
	rig_until(was_told, &told);
	assert_int_equal(told.dev_id, net->id[0]);
	/* Of the switch, oneself being the first device. */
	assert_int_equal(rte_pmd_tsi721_fabric_devices(net->id[0], &dev, 1), 2);
	assert_int_equal(dev.comp_tag, 1);
	assert_int_equal(told.words[0], 2);
	assert_int_equal(told.words[2] & 0xff, 1);
	assert_true(info(net, 0).portwrites >= 1);
	until_known(net, 0, 1, 1);
	rig_until(was_told, &more[6]);

	for (i = 0; i < 7; i++) {
		assert_int_equal(rte_pmd_tsi721_fabric_unregister(net->id[0], on_change, &more[i]), 0);
		assert_int_equal(rte_pmd_tsi721_portwrite_unregister(net->id[0], on_portwrite,
								     &more[i]), 0);
		memset(&more[i], 0, sizeof(more[i]));
	}
	assert_int_equal(rte_pmd_tsi721_fabric_unregister(net->id[0], on_change, &more[0]), -ENOENT);
	assert_int_equal(rte_pmd_tsi721_portwrite_unregister(net->id[0], on_portwrite, &more[0]),
			 -ENOENT);
	told.changes = told.portwrites = 0;
	fault(net, "n1", NULL);
	rig_until(was_told, &told);
	until_known(net, 0, 2, 2);
	for (i = 0; i < 7; i++)
		assert_int_equal(more[i].changes + more[i].portwrites, 0);
	/* They outlast a reset. */
	told.changes = told.portwrites = 0;
	assert_int_equal(rte_rawdev_reset(net->id[0]), 0);
	until_known(net, 0, 2, 2);
	fault(net, "n1", "down");
	rig_until(was_told, &told);
	net_close(net);
}

static void
errors(void **state)
{
	struct net *net = net_open("pair");
	struct rte_pmd_tsi721_fabric_info i;
	uint16_t id;

	(void)state;
	assert_int_equal(rte_pmd_tsi721_fabric_info_get(63, &i), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_fabric_devices(63, NULL, 0), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_fabric_ports(63, 1, NULL, 0), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_fabric_routes(63, 1, NULL, 0), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_fabric_rescan(63), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_fabric_register(63, on_change, NULL), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_fabric_unregister(63, on_change, NULL), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_portwrite_register(63, on_portwrite, NULL), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_portwrite_unregister(63, on_portwrite, NULL), -ENODEV);

	node_start(net, 0, "mrrs=5");
	i = info(net, 0);
	assert_int_equal(i.role, RTE_PMD_TSI721_FABRIC_NONE);
	assert_int_equal(i.state, RTE_PMD_TSI721_FABRIC_UNKNOWN);
	assert_int_equal(i.host_destid, UINT16_MAX);
	assert_int_equal(rte_pmd_tsi721_fabric_devices(net->id[0], NULL, 0), 0);
	assert_int_equal(rte_pmd_tsi721_fabric_ports(net->id[0], 1, NULL, 0), -ENOENT);
	assert_int_equal(rte_pmd_tsi721_fabric_routes(net->id[0], 1, NULL, 0), -ENOENT);
	node_start(net, 1, "hdid=5");
	until_known(net, 1, 2, 1);
	assert_int_equal(rte_pmd_tsi721_fabric_ports(net->id[1], 77, NULL, 0), -ENOENT);
	assert_int_equal(rte_pmd_tsi721_fabric_ports(net->id[1], 1, NULL, 0), 1);
	assert_int_equal(rte_pmd_tsi721_fabric_routes(net->id[1], 1, NULL, 0), -ENOENT);
	assert_int_equal(tsi721_fabric_stations(net->dev[1], &id, 1), 1);
	assert_int_equal(id, tsi721_device_destid(net->dev[0]));
	assert_int_equal(tsi721_fabric_stations(net->dev[1], &id, 0), 0);
	assert_int_equal(rte_pmd_tsi721_fabric_rescan(net->id[1]), 0);
	net_close(net);

	/* An ID that the fabric has no room for. */
	rig_log_lines();
	assert_int_not_equal(rte_vdev_init("raw_tsi7219", "fabric=default,hdid=300"), 0);
	assert_non_null(strstr(rig_log_last(), "hdid=300"));
	assert_non_null(strstr(rig_log_last(), "0 to 0xfe"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host_comes_last), cmocka_unit_test(hot_insertion),
		cmocka_unit_test(failover), cmocka_unit_test(restart),
		cmocka_unit_test(threads),
		cmocka_unit_test(two_hosts), cmocka_unit_test(callbacks),
		cmocka_unit_test(errors),
	};

	return cmocka_run_group_tests_name("drv_fabric", tests, rig_eal, NULL);
}
