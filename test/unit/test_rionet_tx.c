/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Sending in message mode, against a fake raw driver. */

#include <errno.h>

#include <rte_ethdev.h>

#include "rionet_msg.h"
#include "rionet_proto.h"
#include "rionet_rig.h"

static void
join(uint16_t destid)
{
	rionet_peers_doorbell(q.port->peers, destid, RIONET_DBELL_JOIN);
}

/* A frame of len bytes that count up behind the addresses; what lies behind it is 0xaa. */
static struct rte_mbuf *
frame(uint64_t dst, uint32_t len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(q.pool);
	uint8_t *p;
	uint32_t i;

	assert_non_null(m);
	memset(m->buf_addr, 0xaa, m->buf_len);
	p = (uint8_t *)rte_pktmbuf_append(m, len);
	assert_non_null(p);
	for (i = 0; i < len; i++)
		p[i] = i;
	for (i = 0; i < 6 && i < len; i++)
		p[i] = dst >> 8 * i;
	return m;
}

static bool
tx_frame(struct rte_mbuf *m)
{
	return rionet_msg_tx_burst(q.txq, &m, 1) == 1;
}

/* Message n carries the frame that frame() made, and zero behind it. */
static void
check_sent(unsigned int n, uint16_t destid, uint64_t dst, uint32_t len)
{
	const struct rig_message *m = &rig.sent[n];
	uint32_t i;

	assert_true(n < rig.kicked);
	assert_int_equal(m->destid, destid);
	assert_int_equal(m->len, rionet_msg_len(len));
	for (i = 0; i < m->len; i++)
		assert_int_equal(m->bytes[i],
				 i >= len ? 0 : i < 6 ? dst >> 8 * i & 0xff : i & 0xff);
}

static void
test_unicast(void **state)
{
	static const uint32_t lens[] = { 14, 15, 16, 60, 64, 65, 1513, 1514 };
	struct rte_mbuf *bufs[RTE_DIM(lens)];
	unsigned int i;

	(void)state;
	join(0x1234);
	for (i = 0; i < RTE_DIM(lens); i++)
		bufs[i] = frame(rionet_mac_of(0x1234), lens[i]);
	assert_int_equal(rionet_msg_tx_burst(q.txq, bufs, RTE_DIM(lens)), RTE_DIM(lens));
	assert_int_equal(rig.kicks, 1);
	for (i = 0; i < RTE_DIM(lens); i++) {
		check_sent(i, 0x1234, rionet_mac_of(0x1234), lens[i]);
		assert_ptr_equal(rig.sent[i].cookie, bufs[i]);
	}
	assert_int_equal(rionet_msg_tx_burst(q.txq, bufs, 0), 0);
	assert_int_equal(rig.kicks, 1);
	assert_int_equal(q.txq->stats.packets, RTE_DIM(lens));
	assert_int_equal(q.txq->stats.bytes, 14 + 15 + 16 + 60 + 64 + 65 + 1513 + 1514);
	assert_int_equal(q.txq->stats.bounced, 0);
}

static void
test_no_peer(void **state)
{
	(void)state;
	join(2);
	rionet_peers_doorbell(q.port->peers, 3, RIONET_DBELL_JOIN);
	rionet_peers_doorbell(q.port->peers, 3, RIONET_DBELL_LEAVE);
	assert_true(tx_frame(frame(rionet_mac_of(RIG_SELF), 64)));
	assert_true(tx_frame(frame(rionet_mac_of(3), 64)));
	assert_true(tx_frame(frame(rionet_mac_of(4), 64)));
	assert_int_equal(rig.posted, 0);
	assert_int_equal(q.txq->stats.no_peer, 3);
	rionet_peers_doorbell(q.port->peers, 2, RIONET_DBELL_LEAVE);
	assert_true(tx_frame(frame(RIG_BROADCAST, 64)));
	assert_int_equal(rig.posted, 0);
	assert_int_equal(q.txq->stats.no_peer, 4);
	assert_int_equal(q.txq->stats.packets, 0);
}

static void
test_group(void **state)
{
	struct rte_mbuf *m = frame(RIG_BROADCAST, 61);
	unsigned int i;

	(void)state;
	for (i = 10; i < 15; i++)
		join(i);
	assert_true(tx_frame(m));
	assert_int_equal(rig.posted, 5);
	assert_int_equal(rte_mbuf_refcnt_read(m), 5);
	for (i = 0; i < 5; i++)
		check_sent(i, 10 + i, RIG_BROADCAST, 61);
	assert_int_equal(q.txq->stats.packets, 1);
	assert_int_equal(q.txq->stats.bytes, 61);
	assert_int_equal(q.txq->stats.messages, 5);
	assert_true(tx_frame(frame(0x5e0001, 64)));
	assert_int_equal(rig.posted, 10);
}

/* A flood to more stations than the queue has descriptors goes out whole. */
static void
test_group_larger_than_queue(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < RIONET_PEERS_MAX; i++)
		join(1000 + i);
	assert_true(tx_frame(frame(RIG_BROADCAST, 64)));
	assert_int_equal(rig.posted, RIONET_PEERS_MAX);
	assert_int_equal(rig.kicked, RIONET_PEERS_MAX);
	/* While it is in flight there is no room for more. */
	struct rte_mbuf *m = frame(RIG_BROADCAST, 64);
	assert_false(tx_frame(m));
	rig_end_all();
	assert_true(tx_frame(m));
	assert_int_equal(rig.posted, 2 * RIONET_PEERS_MAX);
}

static void
test_bridged(void **state)
{
	(void)state;
	join(2);
	join(3);
	rionet_fdb_learn(q.port->fdb, RIG_FOREIGN(1), 3);
	assert_true(tx_frame(frame(RIG_FOREIGN(1), 64)));
	assert_int_equal(rig.posted, 1);
	check_sent(0, 3, RIG_FOREIGN(1), 64);
	/* Unknown, or learned where nobody is any more. */
	assert_true(tx_frame(frame(RIG_FOREIGN(2), 64)));
	assert_int_equal(rig.posted, 3);
	check_sent(1, 2, RIG_FOREIGN(2), 64);
	check_sent(2, 3, RIG_FOREIGN(2), 64);
	assert_int_equal(q.txq->stats.flooded, 1);
	rionet_peers_doorbell(q.port->peers, 3, RIONET_DBELL_LEAVE);
	assert_true(tx_frame(frame(RIG_FOREIGN(1), 64)));
	assert_int_equal(rig.posted, 4);
	check_sent(3, 2, RIG_FOREIGN(1), 64);
	/* A zero address is one that nobody has. */
	assert_true(tx_frame(frame(0, 64)));
	assert_int_equal(q.txq->stats.flooded, 3);
}

static void
test_unknown_drop(void **state)
{
	(void)state;
	join(2);
	q.port->args.unknown = RIONET_UNKNOWN_DROP;
	rionet_fdb_learn(q.port->fdb, RIG_FOREIGN(1), 2);
	assert_true(tx_frame(frame(RIG_FOREIGN(2), 64)));
	assert_int_equal(rig.posted, 0);
	assert_int_equal(q.txq->stats.unknown, 1);
	assert_true(tx_frame(frame(RIG_FOREIGN(1), 64)));
	assert_int_equal(rig.posted, 1);
}

static void
test_unknown_peer(void **state)
{
	(void)state;
	join(2);
	join(3);
	q.port->args.unknown = RIONET_UNKNOWN_PEER;
	q.port->args.unknown_destid = 3;
	assert_true(tx_frame(frame(RIG_FOREIGN(2), 64)));
	assert_int_equal(rig.posted, 1);
	check_sent(0, 3, RIG_FOREIGN(2), 64);
	q.port->args.unknown_destid = 4;
	assert_true(tx_frame(frame(RIG_FOREIGN(2), 64)));
	assert_int_equal(rig.posted, 1);
	assert_int_equal(q.txq->stats.no_peer, 1);
}

/* Frames that do not fit are dropped, the others of the burst go. */
static void
test_sizes(void **state)
{
	static const uint32_t lens[] = { 13, 64, 1515, 1518, 2000, 1, 128 };
	struct rte_mbuf *bufs[RTE_DIM(lens)];
	unsigned int i;

	(void)state;
	join(2);
	for (i = 0; i < RTE_DIM(lens); i++)
		bufs[i] = frame(rionet_mac_of(2), lens[i]);
	assert_int_equal(rionet_msg_tx_burst(q.txq, bufs, RTE_DIM(lens)), RTE_DIM(lens));
	assert_int_equal(rig.posted, 2);
	check_sent(0, 2, rionet_mac_of(2), 64);
	check_sent(1, 2, rionet_mac_of(2), 128);
	assert_int_equal(q.txq->stats.oversize, 3);
	assert_int_equal(q.txq->stats.runt, 2);
}

static struct rte_mbuf *
tagged(uint32_t len, unsigned int tags)
{
	struct rte_mbuf *m = frame(rionet_mac_of(2), len);
	uint8_t *p = rte_pktmbuf_mtod(m, uint8_t *);

	if (tags == 2)
		memcpy(p + 12, "\x88\xa8\x00\x05\x81\x00", 6);
	else
		memcpy(p + 12, "\x81\x00\x00\x05\x08\x00", 6);
	return m;
}

static void
test_vlan_sizes(void **state)
{
	(void)state;
	join(2);
	assert_true(tx_frame(tagged(1518, 1)));
	assert_int_equal(rig.posted, 1);
	assert_true(tx_frame(tagged(1519, 1)));
	assert_int_equal(rig.posted, 1);
	assert_true(tx_frame(tagged(1522, 2)));
	assert_int_equal(rig.posted, 2);
	assert_true(tx_frame(tagged(1523, 2)));
	assert_int_equal(rig.posted, 2);
	assert_int_equal(q.txq->stats.oversize, 2);
	/* A message is never longer than one can be. */
	q.port->max_frame = 4096;
	struct rte_mbuf *m = tagged(2000, 1), *tail = frame(0, 2048);
	assert_int_equal(rte_pktmbuf_chain(m, tail), 0);
	rte_pktmbuf_append(m, 0);
	assert_true(tx_frame(m));
	assert_int_equal(rig.posted, 3);
	m = tagged(2048, 1);
	assert_int_equal(rte_pktmbuf_chain(m, frame(0, 2048)), 0);
	assert_int_equal(rte_pktmbuf_chain(m, frame(0, 1)), 0);
	assert_true(tx_frame(m));
	assert_int_equal(rig.posted, 3);
	assert_int_equal(q.txq->stats.oversize, 3);
}

/* Segments of any size, the first too short for an address among them. */
static void
test_segments(void **state)
{
	struct rte_mbuf *whole, *m = NULL, *seg;
	uint32_t off = 0, n, i;

	(void)state;
	join(2);
	whole = frame(rionet_mac_of(2), 1509);
	for (i = 0; off < 1509; i++, off += n) {
		n = RTE_MIN(i < 20 ? i : 333, 1509 - off);
		seg = frame(0, 0);
		memcpy(rte_pktmbuf_append(seg, n), rte_pktmbuf_mtod_offset(whole, void *, off), n);
		if (m == NULL)
			m = seg;
		else
			assert_int_equal(rte_pktmbuf_chain(m, seg), 0);
	}
	rte_pktmbuf_free(whole);
	assert_true(tx_frame(m));
	check_sent(0, 2, rionet_mac_of(2), 1509);
	assert_int_equal(q.txq->stats.bounced, 1);
	/* The copy went, the segments are free again. */
	assert_int_equal(rte_mempool_avail_count(q.pool), RIG_POOL_SIZE);
}

/* Padding must not be written where it is not ours. */
static void
test_padding_is_ours(void **state)
{
	struct rte_mbuf *m, *clone, *full;

	(void)state;
	join(2);
	m = frame(rionet_mac_of(2), 61);
	rte_mbuf_refcnt_update(m, 1);
	assert_true(tx_frame(m));
	check_sent(0, 2, rionet_mac_of(2), 61);
	assert_int_equal(rte_pktmbuf_mtod(m, uint8_t *)[61], 0xaa);

	clone = rte_pktmbuf_clone(m, q.pool);
	assert_true(tx_frame(clone));
	check_sent(1, 2, rionet_mac_of(2), 61);
	assert_int_equal(rte_pktmbuf_mtod(m, uint8_t *)[61], 0xaa);
	assert_int_equal(q.txq->stats.bounced, 2);

	/* No byte behind the frame. */
	q.port->max_frame = 4096;
	full = frame(rionet_mac_of(2), 2045);
	full->data_off += 3;
	memmove(rte_pktmbuf_mtod(full, void *), rte_pktmbuf_mtod_offset(full, uint8_t *, -3), 2045);
	assert_int_equal(rte_pktmbuf_tailroom(full), 0);
	assert_true(tx_frame(full));
	check_sent(2, 2, rionet_mac_of(2), 2045);
	assert_int_equal(q.txq->stats.bounced, 3);
	rte_pktmbuf_free(m);

	/* Without padding a shared mbuf goes as it is. */
	m = frame(rionet_mac_of(2), 64);
	rte_mbuf_refcnt_update(m, 1);
	assert_true(tx_frame(m));
	check_sent(3, 2, rionet_mac_of(2), 64);
	assert_int_equal(q.txq->stats.bounced, 3);
	rte_pktmbuf_free(m);
}

static void
test_full_ring(void **state)
{
	struct rte_mbuf *bufs[RIG_NB_DESC + 8];
	unsigned int i;

	(void)state;
	join(2);
	for (i = 0; i < RTE_DIM(bufs); i++)
		bufs[i] = frame(rionet_mac_of(2), 64);
	assert_int_equal(rionet_msg_tx_burst(q.txq, bufs, RTE_DIM(bufs)), RIG_NB_DESC);
	assert_int_equal(rig.kicked, RIG_NB_DESC);
	assert_int_equal(q.txq->stats.ring_full, 1);
	assert_int_equal(rionet_msg_tx_burst(q.txq, bufs + RIG_NB_DESC, 8), 0);
	rig.ended = 3;
	assert_int_equal(rionet_msg_tx_burst(q.txq, bufs + RIG_NB_DESC, 8), 3);
	rig_end_all();
	assert_int_equal(rionet_msg_tx_burst(q.txq, bufs + RIG_NB_DESC + 3, 5), 5);
	assert_int_equal(q.txq->stats.packets, RIG_NB_DESC + 8);
}

static void
test_failed_messages(void **state)
{
	unsigned int i;

	(void)state;
	join(2);
	for (i = 0; i < 5; i++)
		assert_true(tx_frame(frame(rionet_mac_of(2), 100)));
	rig.status[1] = -EIO;
	rig.status[3] = -EIO;
	rig_end_all();
	assert_int_equal(rionet_txq_reap(q.txq, UINT32_MAX), 5);
	assert_int_equal(q.txq->stats.errors, 2);
	assert_int_equal(q.txq->stats.failed_packets, 2);
	assert_int_equal(q.txq->stats.failed_bytes, 200);
	assert_int_equal(rionet_peer_state(q.port->peers, 2), RIONET_PEER_JOINED);
	assert_int_equal(rig.nb_doorbells, 0);

	/* A timeout: the peer is lost, asked again, and frames to it are dropped meanwhile. */
	assert_true(tx_frame(frame(rionet_mac_of(2), 100)));
	rig.status[5] = -ETIMEDOUT;
	rig_end_all();
	assert_int_equal(rionet_txq_reap(q.txq, UINT32_MAX), 1);
	assert_int_equal(q.txq->stats.timeouts, 1);
	assert_int_equal(rionet_peer_state(q.port->peers, 2), RIONET_PEER_LOST);
	assert_int_equal(rig.nb_doorbells, 2);
	assert_int_equal(rig.doorbells[0].info, RIONET_DBELL_LEAVE);
	assert_int_equal(rig.doorbells[1].info, RIONET_DBELL_JOIN);
	assert_true(tx_frame(frame(rionet_mac_of(2), 100)));
	assert_true(tx_frame(frame(RIG_BROADCAST, 100)));
	assert_int_equal(rig.posted, 6);
	assert_int_equal(q.txq->stats.no_peer, 2);
	/* A second later a frame for it, of either kind, asks again. */
	q.port->peers->peer[1].retry = 0;
	assert_true(tx_frame(frame(rionet_mac_of(2), 100)));
	assert_int_equal(rig.nb_doorbells, 4);
	q.port->peers->peer[1].retry = 0;
	assert_true(tx_frame(frame(RIG_BROADCAST, 100)));
	assert_int_equal(rig.nb_doorbells, 6);
}

/* A frame to several that failed at one was sent. */
static void
test_failed_group(void **state)
{
	(void)state;
	join(2);
	join(3);
	assert_true(tx_frame(frame(RIG_BROADCAST, 100)));
	rig.status[1] = -EIO;
	rig_end_all();
	assert_int_equal(rionet_txq_reap(q.txq, UINT32_MAX), 2);
	assert_int_equal(q.txq->stats.errors, 1);
	assert_int_equal(q.txq->stats.failed_packets, 0);
}

/* Mbufs come back at the threshold, and a burst later below it. */
static void
test_free_threshold(void **state)
{
	(void)state;
	join(2);
	assert_true(tx_frame(frame(rionet_mac_of(2), 64)));
	rig_end_all();
	assert_true(tx_frame(frame(rionet_mac_of(2), 64)));
	assert_int_equal(rig.reaped, 1);
	q.txq->free_thresh = 32;
	rig_end_all();
	assert_true(tx_frame(frame(rionet_mac_of(2), 64)));
	assert_int_equal(rig.reaped, 1);
	rig_end_all();
	assert_true(tx_frame(frame(rionet_mac_of(2), 64)));
	assert_int_equal(rig.reaped, 3);
}

static void
test_reap_limit(void **state)
{
	unsigned int i;

	(void)state;
	join(2);
	for (i = 0; i < 10; i++)
		assert_true(tx_frame(frame(rionet_mac_of(2), 64)));
	rig_end_all();
	assert_int_equal(rionet_txq_reap(q.txq, 4), 4);
	assert_int_equal(rionet_txq_in_flight(q.txq), 6);
	assert_int_equal(rionet_txq_reap(q.txq, UINT32_MAX), 6);
}

/* What never ends is freed and counted at the stop. */
static void
test_stop_with_messages_in_flight(void **state)
{
	(void)state;
	join(2);
	join(3);
	assert_true(tx_frame(frame(rionet_mac_of(2), 64)));
	assert_true(tx_frame(frame(RIG_BROADCAST, 63)));
	rionet_txq_stop(q.txq);
	assert_int_equal(q.txq->stats.aborted, 3);
	assert_int_equal(rte_mempool_avail_count(q.pool), RIG_POOL_SIZE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_QUEUES(test_unicast),
		RIG_QUEUES(test_no_peer),
		RIG_QUEUES(test_group),
		RIG_QUEUES(test_group_larger_than_queue),
		RIG_QUEUES(test_bridged),
		RIG_QUEUES(test_unknown_drop),
		RIG_QUEUES(test_unknown_peer),
		RIG_QUEUES(test_sizes),
		RIG_QUEUES(test_vlan_sizes),
		RIG_QUEUES(test_segments),
		RIG_QUEUES(test_padding_is_ours),
		RIG_QUEUES(test_full_ring),
		RIG_QUEUES(test_failed_messages),
		RIG_QUEUES(test_failed_group),
		RIG_QUEUES(test_free_threshold),
		RIG_QUEUES(test_reap_limit),
		RIG_QUEUES(test_stop_with_messages_in_flight),
	};

	return cmocka_run_group_tests_name("rionet_tx", tests, rig_eal, NULL);
}
