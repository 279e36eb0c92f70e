/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Round trip of an Ethernet frame: a peer sends each back to where it came from. */

#include <stdbool.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "latency_run.h"

#define BURST		32
#define BUFFERS		4095
#define RING		256
#define ETHER_TYPE	0x88b5	/* for experiments */
#define LINK_WAIT_MS	10000

enum { ASK = 1, ANSWER = 2 };

/* Behind the Ethernet header. */
struct probe {
	uint8_t what;
	uint8_t zero[3];
	uint32_t sequence;
	uint32_t sender;	/* two who measure do not take each other's */
} __attribute__((packed));

struct end {
	uint16_t port;
	bool open;
	struct rte_ether_addr mac;
};

static struct end asking, answering;
static struct rte_mempool *pool;
static struct rte_ether_addr peer;
static uint32_t sequence, sender;

static int
failed(const struct end *end, const char *step, int ret)
{
	return app_error("port %u: %s: %s", end->port, step, rte_strerror(-ret));
}

static int
open_end(struct end *end, uint16_t port, uint32_t frame)
{
	struct rte_eth_conf conf;
	uint16_t mtu;
	int ret;

	end->port = port;
	memset(&conf, 0, sizeof(conf));
	ret = rte_eth_dev_get_mtu(port, &mtu);
	if (ret < 0)
		return failed(end, "reading its MTU", ret);
	conf.rxmode.mtu = RTE_MAX(mtu, frame - RTE_ETHER_HDR_LEN);
	ret = rte_eth_dev_configure(port, 1, 1, &conf);
	if (ret < 0)
		return failed(end, "configuring it for such frames", ret);
	ret = rte_eth_rx_queue_setup(port, 0, RING, SOCKET_ID_ANY, NULL, pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(port, 0, RING, SOCKET_ID_ANY, NULL);
	if (ret < 0)
		return failed(end, "setting its queues up", ret);
	ret = rte_eth_dev_start(port);
	if (ret < 0)
		return failed(end, "starting it", ret);
	end->open = true;
	rte_eth_promiscuous_enable(port);
	return rte_eth_macaddr_get(port, &end->mac);
}

static void
frame_close(struct latency_run *run)
{
	(void)run;
	if (asking.open)
		rte_eth_dev_stop(asking.port);
	if (answering.open)
		rte_eth_dev_stop(answering.port);
	asking.open = answering.open = false;
	rte_mempool_free(pool);
	pool = NULL;
}

static int
open_ends(struct latency_run *run)
{
	uint16_t first = (uint16_t)rte_eth_find_next(0), second;

	if (first >= RTE_MAX_ETHPORTS)
		return app_error("no port: name one, as in --vdev net_rionet0");
	if (run->options->echo)
		return open_end(&answering, first, run->options->frame_bytes);
	if (open_end(&asking, first, run->options->frame_bytes) < 0)
		return -1;
	second = (uint16_t)rte_eth_find_next(first + 1);
	run->answers = second < RTE_MAX_ETHPORTS;
	return run->answers ? open_end(&answering, second, run->options->frame_bytes) : 0;
}

static void
wait_link(const struct end *end)
{
	struct rte_eth_link link;

	for (int ms = 0; ms < LINK_WAIT_MS && !app_interrupted(); ms += 10) {
		if (rte_eth_link_get_nowait(end->port, &link) == 0 && link.link_status)
			return;
		rte_delay_us_sleep(10000);
	}
}

static int
frame_open(struct latency_run *run)
{
	/* One segment a frame. */
	uint32_t room = RTE_MAX(run->options->frame_bytes + RTE_PKTMBUF_HEADROOM + 64,
				(uint32_t)RTE_MBUF_DEFAULT_BUF_SIZE);

	pool = rte_pktmbuf_pool_create("latency", BUFFERS, 0, 0, (uint16_t)room, SOCKET_ID_ANY);
	if (pool == NULL)
		return app_error("no memory for %u buffers of %u bytes: give EAL more (-m)", BUFFERS,
				 room);
	if (open_ends(run) < 0) {
		frame_close(run);
		return -1;
	}
	wait_link(run->options->echo ? &answering : &asking);
	/* Everyone, until the peer has answered. */
	memset(&peer, 0xff, sizeof(peer));
	sender = (uint32_t)rte_rdtsc();
	return 0;
}

static int
send_probe(const struct end *end, uint32_t bytes)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
	struct rte_ether_hdr *eth;
	struct probe *probe;

	if (m == NULL)
		return -1;
	eth = (struct rte_ether_hdr *)rte_pktmbuf_append(m, (uint16_t)bytes);
	memset(eth, 0, bytes);
	eth->dst_addr = peer;
	eth->src_addr = end->mac;
	eth->ether_type = rte_cpu_to_be_16(ETHER_TYPE);
	probe = (struct probe *)(eth + 1);
	probe->what = ASK;
	probe->sequence = sequence;
	probe->sender = sender;
	if (rte_eth_tx_burst(end->port, 0, &m, 1) == 1)
		return 0;
	rte_pktmbuf_free(m);
	return -1;
}

static struct probe *
probe_in(struct rte_mbuf *m, uint8_t what)
{
	struct rte_ether_hdr *eth = rte_pktmbuf_mtod(m, struct rte_ether_hdr *);
	struct probe *probe = (struct probe *)(eth + 1);

	if (rte_pktmbuf_data_len(m) < sizeof(*eth) + sizeof(*probe) ||
	    eth->ether_type != rte_cpu_to_be_16(ETHER_TYPE) || probe->what != what)
		return NULL;
	return probe;
}

/* Whether the answer that is waited for came. */
static bool
look_for_answer(const struct end *end)
{
	struct rte_mbuf *burst[BURST];
	uint16_t nb = rte_eth_rx_burst(end->port, 0, burst, BURST);
	bool came = false;

	for (uint16_t i = 0; i < nb; i++) {
		struct probe *probe = probe_in(burst[i], ANSWER);

		if (probe != NULL && probe->sequence == sequence && probe->sender == sender) {
			peer = rte_pktmbuf_mtod(burst[i], struct rte_ether_hdr *)->src_addr;
			came = true;
		}
	}
	rte_pktmbuf_free_bulk(burst, nb);
	return came;
}

static int64_t
frame_measure(struct latency_thread *t)
{
	uint64_t hz = rte_get_tsc_hz(), from, now;
	bool sent, came = false;

	latency_sleep_until(t->next_ns);
	sequence++;
	from = rte_rdtsc();
	sent = send_probe(&asking, t->run->options->frame_bytes) == 0;
	do {
		if (!sent)
			sent = send_probe(&asking, t->run->options->frame_bytes) == 0;
		came = look_for_answer(&asking);
		now = rte_rdtsc();
		if (now - from > LATENCY_PATIENCE_NS / 1000000000 * hz) {
			app_error("no answer to a frame within %llu s: is there a peer with --echo?",
				  LATENCY_PATIENCE_NS / 1000000000);
			return -1;
		}
	} while (!came && !atomic_load_explicit(&t->run->stop, memory_order_relaxed));
	return (int64_t)((double)(now - from) * 1e9 / (double)hz);
}

static void
frame_answer(struct latency_run *run)
{
	struct rte_mbuf *burst[BURST];
	uint16_t nb = rte_eth_rx_burst(answering.port, 0, burst, BURST), kept = 0, sent;

	(void)run;
	for (uint16_t i = 0; i < nb; i++) {
		struct probe *probe = probe_in(burst[i], ASK);
		struct rte_ether_hdr *eth = rte_pktmbuf_mtod(burst[i], struct rte_ether_hdr *);

		if (probe == NULL) {
			rte_pktmbuf_free(burst[i]);
			continue;
		}
		probe->what = ANSWER;
		eth->dst_addr = eth->src_addr;
		eth->src_addr = answering.mac;
		burst[kept++] = burst[i];
	}
	sent = rte_eth_tx_burst(answering.port, 0, burst, kept);
	rte_pktmbuf_free_bulk(&burst[sent], kept - sent);
}

const struct latency_test latency_frame = {
	.open = frame_open,
	.measure = frame_measure,
	.answer = frame_answer,
	.close = frame_close,
	.one = true,
};
