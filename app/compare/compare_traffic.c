/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_prefetch.h>

#include "app_frame.h"
#include "compare_options.h"
#include "compare_traffic.h"

static inline void
publish(atomic_uint_fast64_t *counter, uint64_t value)
{
	atomic_store_explicit(counter, value, memory_order_relaxed);
}

static inline void
write_frames(struct rte_mbuf **mbuf, uint16_t count, const struct app_frame_header *template,
	     uint64_t seq)
{
	for (uint16_t i = 0; i < count; i++) {
		app_frame_write(rte_pktmbuf_mtod(mbuf[i], uint8_t *), template, seq + i);
		mbuf[i]->data_len = template->length;
		mbuf[i]->pkt_len = template->length;
	}
}

void
compare_send(const struct compare_traffic *traffic)
{
	struct compare_shared *shared = traffic->shared;
	const struct compare_command *command = &traffic->command;
	struct rte_mbuf *mbuf[COMPARE_BURST];
	uint64_t seq = 0, sent = 0, refused = 0, no_buffer = 0;
	uint16_t held = 0; /* written, not taken by the port yet: mbuf[0] to mbuf[held - 1] */
	struct app_frame_header template;
	struct rte_ether_addr src;

	rte_eth_macaddr_get(traffic->tx_port, &src);
	app_frame_template(&template, command->dst, src.addr_bytes, (uint16_t)command->frame_bytes,
			   command->stream);
	while (atomic_load_explicit(&shared->stop, memory_order_relaxed) == 0) {
		uint16_t fresh = COMPARE_BURST - held, taken;

		if (rte_pktmbuf_alloc_bulk(traffic->pool, &mbuf[held], fresh) == 0) {
			write_frames(&mbuf[held], fresh, &template, seq);
			seq += fresh;
			held = COMPARE_BURST;
		} else {
			publish(&shared->tx.no_buffer, ++no_buffer);
		}
		taken = rte_eth_tx_burst(traffic->tx_port, 0, mbuf, held);
		held -= taken;
		memmove(mbuf, &mbuf[taken], held * sizeof(mbuf[0]));
		sent += taken;
		refused += held;
		publish(&shared->tx.sent, sent);
		publish(&shared->tx.refused, refused);
	}
	rte_pktmbuf_free_bulk(mbuf, held);
	atomic_store_explicit(&shared->tx.done, 1, memory_order_release);
}

/* The first bytes may lie in a short first segment, a whole frame in several. */
static void
look_at(struct app_flow *flow, const struct rte_mbuf *mbuf)
{
	uint8_t copy[COMPARE_MAX_FRAME + APP_FRAME_PADDING];
	uint32_t len = rte_pktmbuf_pkt_len(mbuf);
	const void *start;

	if (len < sizeof(struct app_frame_header)) {
		flow->foreign++;
		return;
	}
	start = rte_pktmbuf_read(mbuf, 0, sizeof(struct app_frame_header), copy);
	if (start != NULL && app_flow_take(flow, start, len))
		app_flow_compare(flow, rte_pktmbuf_read(mbuf, 0, len, copy), len);
}

static void
publish_flow(struct compare_shared *shared, const struct app_flow *flow)
{
	publish(&shared->rx.skipped, flow->skipped);
	publish(&shared->rx.late, flow->late);
	publish(&shared->rx.whole, flow->whole);
	publish(&shared->rx.bad, flow->bad);
	publish(&shared->rx.foreign, flow->foreign);
	publish(&shared->rx.received, flow->received);
}

/* Whether the sender is done and no more is to be expected. quiet_since: 0 after a frame. */
static bool
all_arrived(struct compare_shared *shared, const struct app_flow *flow, uint64_t *quiet_since)
{
	uint64_t now;

	if (atomic_load_explicit(&shared->tx.done, memory_order_acquire) == 0)
		return false;
	if (flow->received >= atomic_load_explicit(&shared->tx.sent, memory_order_relaxed))
		return true;
	now = rte_get_timer_cycles();
	if (*quiet_since == 0)
		*quiet_since = now;
	return now - *quiet_since > rte_get_timer_hz() / 10;
}

void
compare_receive(const struct compare_traffic *traffic)
{
	struct compare_shared *shared = traffic->shared;
	struct rte_mbuf *mbuf[COMPARE_BURST];
	uint64_t quiet_since = 0;
	struct app_flow flow;

	app_flow_start(&flow, traffic->command.stream, (uint16_t)traffic->command.frame_bytes);
	for (;;) {
		uint16_t count = rte_eth_rx_burst(traffic->rx_port, 0, mbuf, COMPARE_BURST);

		if (count == 0) {
			if (all_arrived(shared, &flow, &quiet_since))
				break;
			continue;
		}
		quiet_since = 0;
		for (uint16_t i = 0; i < count; i++)
			rte_prefetch0(rte_pktmbuf_mtod(mbuf[i], void *));
		for (uint16_t i = 0; i < count; i++)
			look_at(&flow, mbuf[i]);
		rte_pktmbuf_free_bulk(mbuf, count);
		publish_flow(shared, &flow);
	}
	publish_flow(shared, &flow);
}
