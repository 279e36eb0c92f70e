/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <ethdev_driver.h>

#include <rio_regs.h>
#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_maint.h>
#include <tsi721_mbox.h>
#include <tsi721_window.h>

#include "rionet_eal.h"
#include "rionet_msg.h"
#include "rionet_proto.h"
#include "rionet_rig.h"

int rionet_logtype;
struct rig rig;
struct rig_queues q;

static struct tsi721_device device;
static struct rte_eth_dev_data data;
static tsi721_dbell_cb dbell_cb;
static void *dbell_arg;
static struct rig_doorbell pending[64];
static unsigned int nb_pending;

int
rig_eal(void **state)
{
	(void)state;
	/* The fake has no place for a bus address that is not a virtual one. */
	return rionet_eal() != 0 || rte_eal_iova_mode() != RTE_IOVA_VA;
}

struct rionet_port *
rig_port(void)
{
	struct rionet_port *port = calloc(1, sizeof(*port));

	assert_non_null(port);
	rig_reset();
	memset(&data, 0, sizeof(data));
	strcpy(data.name, "net_rionet0");
	device.destid = RIG_SELF;
	port->dev = &device;
	port->data = &data;
	port->hz = rte_get_tsc_hz();
	port->peers = rionet_peers_create(RIG_SELF, SOCKET_ID_ANY);
	port->fdb = rionet_fdb_create(SOCKET_ID_ANY);
	assert_non_null(port->peers);
	assert_non_null(port->fdb);
	port->filter.mac = rionet_mac_of(RIG_SELF);
	port->filter.promiscuous = true;
	port->max_frame = 1514;
	port->max_rx = 1528;
	return port;
}

void
rig_port_free(struct rionet_port *port)
{
	rionet_peers_free(port->peers);
	rionet_fdb_free(port->fdb);
	free(port);
}

/* As an application may leave them: what a driver does not write shows. */
static void
dirty_mbuf(struct rte_mempool *pool, void *opaque, void *obj, unsigned int n)
{
	struct rte_mbuf *m = obj;

	(void)pool;
	(void)opaque;
	(void)n;
	m->ol_flags = RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_RSS_HASH;
	m->packet_type = 1;
	m->port = 77;
	m->data_off = 1;
	memset(m->buf_addr, 0xaa, m->buf_len);
}

/* What any driver and rte_mbuf_raw_alloc() rely on. */
static void
check_mbuf(struct rte_mempool *pool, void *opaque, void *obj, unsigned int n)
{
	const struct rte_mbuf *m = obj;

	(void)pool;
	(void)opaque;
	(void)n;
	assert_null(m->next);
	assert_int_equal(m->nb_segs, 1);
	assert_int_equal(rte_mbuf_refcnt_read(m), 1);
}

void
rig_dirty(struct rte_mempool *pool)
{
	rte_mempool_obj_iter(pool, dirty_mbuf, NULL);
}

struct rte_mempool *
rig_pool(uint16_t room)
{
	struct rte_mempool *pool = rte_pktmbuf_pool_create("rig", RIG_POOL_SIZE, 0, 0,
							   RTE_PKTMBUF_HEADROOM + room,
							   SOCKET_ID_ANY);

	assert_non_null(pool);
	rig_dirty(pool);
	return pool;
}

void
rig_pool_check(struct rte_mempool *pool)
{
	assert_int_equal(rte_mempool_avail_count(pool), RIG_POOL_SIZE);
	rte_mempool_obj_iter(pool, check_mbuf, NULL);
}

void
rig_pool_free(struct rte_mempool *pool)
{
	rig_pool_check(pool);
	rte_mempool_free(pool);
}

void
rig_open_queues(uint16_t room)
{
	q.port = rig_port();
	q.pool = rig_pool(room);
	q.txq = rionet_txq_create(q.port, RIG_NB_DESC, 1, SOCKET_ID_ANY);
	q.rxq = rionet_rxq_create(q.port, RIG_NB_DESC, q.pool, SOCKET_ID_ANY);
	assert_non_null(q.txq);
	assert_non_null(q.rxq);
	rig_dirty(q.txq->bounce);
	assert_int_equal(rionet_txq_start(q.txq), 0);
	assert_int_equal(rionet_rxq_start(q.rxq), 0);
}

int
rig_queues_setup(void **state)
{
	(void)state;
	rig_open_queues(2048);
	return 0;
}

int
rig_queues_teardown(void **state)
{
	(void)state;
	rig_end_all();
	rionet_txq_stop(q.txq);
	rionet_rxq_stop(q.rxq);
	assert_int_equal(rte_mempool_avail_count(q.txq->bounce), RIG_NB_DESC);
	rionet_txq_free(q.txq);
	rionet_rxq_free(q.rxq);
	rig_pool_free(q.pool);
	rig_port_free(q.port);
	return 0;
}

void
rig_reset(void)
{
	memset(&rig, 0, sizeof(rig));
	nb_pending = 0;
	dbell_cb = NULL;
}

void
rig_end_all(void)
{
	rig.ended = rig.kicked;
}

void
rig_arrive(uint16_t src, const void *bytes, uint16_t len)
{
	assert_true(rig.arrived < RIG_SENT_MAX);
	rig.in[rig.arrived].src = src;
	rig.in[rig.arrived].len = len;
	memcpy(rig.in[rig.arrived].bytes, bytes, len);
	rig.arrived++;
}

void
rig_ring(uint16_t src, uint16_t info)
{
	assert_true(nb_pending < RTE_DIM(pending));
	pending[nb_pending++] = (struct rig_doorbell){ src, info };
}

/* Outbound messages. */

int
tsi721_omsg_open(struct tsi721_device *dev, unsigned int mbox, unsigned int nb_desc,
		 int socket_id, struct tsi721_omsg **q)
{
	assert_ptr_equal(dev, &device);
	assert_int_equal(mbox, RIONET_MBOX);
	(void)socket_id;
	rig.ring = nb_desc;
	*q = (struct tsi721_omsg *)&rig;
	return 0;
}

void
tsi721_omsg_fail_together(struct tsi721_omsg *q)
{
	assert_ptr_equal(q, &rig);
}

void
tsi721_omsg_close(struct tsi721_omsg *q, void (*free_cb)(void *cookie, void *arg), void *arg)
{
	assert_ptr_equal(q, &rig);
	for (; rig.reaped < rig.posted; rig.reaped++)
		free_cb(rig.sent[rig.reaped].cookie, arg);
}

unsigned int
tsi721_omsg_free(const struct tsi721_omsg *q)
{
	(void)q;
	return rig.ring - (rig.posted - rig.reaped);
}

int
tsi721_omsg_post(struct tsi721_omsg *q, uint16_t destid, unsigned int letter, rte_iova_t iova,
		 unsigned int len, void *cookie)
{
	struct rig_message *m = &rig.sent[rig.posted];

	assert_int_equal(letter, RIONET_LETTER);
	assert_int_equal(len % 8, 0);
	assert_in_range(len, 8, 4096);
	if (tsi721_omsg_free(q) == 0)
		return -ENOSPC;
	assert_true(rig.posted < RIG_SENT_MAX);
	m->destid = destid;
	m->len = len;
	m->data = (const uint8_t *)(uintptr_t)iova;
	m->cookie = cookie;
	rig.posted++;
	return 0;
}

void
tsi721_omsg_kick(struct tsi721_omsg *q)
{
	(void)q;
	rig.kicks++;
	for (; rig.kicked < rig.posted; rig.kicked++) {
		struct rig_message *m = &rig.sent[rig.kicked];

		memcpy(m->bytes, m->data, m->len);
	}
}

unsigned int
tsi721_omsg_reap(struct tsi721_omsg *q, void **cookies, int *status, unsigned int nb)
{
	unsigned int n = 0;

	(void)q;
	for (; n < nb && rig.reaped < rig.ended; n++, rig.reaped++) {
		cookies[n] = rig.sent[rig.reaped].cookie;
		status[n] = rig.status[rig.reaped];
	}
	return n;
}

/* Inbound messages. */

int
tsi721_imsg_open(struct tsi721_device *dev, unsigned int mbox, unsigned int nb_desc,
		 int socket_id, struct tsi721_imsg **q)
{
	assert_ptr_equal(dev, &device);
	assert_int_equal(mbox, RIONET_MBOX);
	assert_true(rte_is_power_of_2(nb_desc));
	(void)socket_id;
	*q = (struct tsi721_imsg *)&rig;
	return 0;
}

void
tsi721_imsg_close(struct tsi721_imsg *q)
{
	assert_ptr_equal(q, &rig);
}

unsigned int
tsi721_imsg_poll(struct tsi721_imsg *q, struct tsi721_imsg_info *msgs, unsigned int nb)
{
	unsigned int n;

	assert_ptr_equal(q, &rig);
	for (n = 0; n < nb && rig.released + n < rig.arrived; n++) {
		msgs[n].data = rig.in[rig.released + n].bytes;
		msgs[n].len = rig.in[rig.released + n].len;
		msgs[n].src = rig.in[rig.released + n].src;
	}
	return n;
}

void
tsi721_imsg_release(struct tsi721_imsg *q, unsigned int nb)
{
	assert_ptr_equal(q, &rig);
	rig.released += nb;
	assert_true(rig.released <= rig.arrived);
}

void
tsi721_imsg_stats(const struct tsi721_imsg *q, struct tsi721_msg_stats *stats)
{
	(void)q;
	memset(stats, 0, sizeof(*stats));
	stats->errors = rig.in_errors;
}

/* Doorbells. */

int
tsi721_dbell_request(struct tsi721_device *dev, uint16_t first, uint16_t last, tsi721_dbell_cb cb,
		     void *arg)
{
	assert_ptr_equal(dev, &device);
	assert_int_equal(first, 0x1000);
	assert_int_equal(last, 0x1001);
	if (rig.request_error != 0)
		return rig.request_error;
	dbell_cb = cb;
	dbell_arg = arg;
	rig.requested = true;
	return 0;
}

void
tsi721_dbell_release(struct tsi721_device *dev, uint16_t first, uint16_t last)
{
	(void)dev;
	assert_int_equal(first, 0x1000);
	assert_int_equal(last, 0x1001);
	dbell_cb = NULL;
	rig.requested = false;
}

void
tsi721_dbell_send(struct tsi721_device *dev, uint16_t destid, uint16_t info)
{
	assert_ptr_equal(dev, &device);
	assert_true(rig.nb_doorbells < RTE_DIM(rig.doorbells));
	rig.doorbells[rig.nb_doorbells++] = (struct rig_doorbell){ destid, info };
	if (info == RIONET_DBELL_JOIN && rig.endpoint[destid].joins)
		rig_ring(destid, RIONET_DBELL_JOIN);
}

unsigned int
tsi721_dbell_poll(struct tsi721_device *dev, unsigned int max)
{
	struct rig_doorbell got[RTE_DIM(pending)];
	unsigned int i, n = RTE_MIN(max, nb_pending);

	(void)dev;
	memcpy(got, pending, n * sizeof(got[0]));
	nb_pending -= n;
	memmove(pending, pending + n, nb_pending * sizeof(pending[0]));
	for (i = 0; i < n; i++)
		if (dbell_cb != NULL)
			dbell_cb(dbell_arg, got[i].destid, got[i].info);
	return n;
}

/* Nobody has enumerated the fabric: stations are looked for. */
int
tsi721_fabric_stations(struct tsi721_device *dev, uint16_t *destids, unsigned int max)
{
	(void)dev;
	(void)destids;
	(void)max;
	return -EAGAIN;
}

int
tsi721_fabric_wait(struct tsi721_device *dev, uint32_t ms)
{
	(void)dev;
	(void)ms;
	return 0;
}

/* Maintenance. */

int
tsi721_maint_read(struct tsi721_device *dev, uint16_t destid, uint8_t hop, uint32_t off,
		  uint32_t *val)
{
	const struct rig_endpoint *e = &rig.endpoint[destid];

	assert_ptr_equal(dev, &device);
	assert_int_equal(hop, 0xff);
	rig.maint_reads++;
	if (!e->there)
		return -EIO;
	*val = off == RIO_PEF_CAR     ? e->pef :
	       off == RIO_SRC_OPS_CAR ? e->src_ops :
	       off == RIO_DST_OPS_CAR ? e->dst_ops :
					0x80ab0038;
	return 0;
}

/* Block DMA and windows: ports of this rig have messages only. */

int
tsi721_bdma_open(struct tsi721_device *dev, unsigned int ch, unsigned int nb_desc, int socket_id,
		 struct tsi721_bdma **bdma)
{
	(void)dev;
	(void)ch;
	(void)nb_desc;
	(void)socket_id;
	(void)bdma;
	return -ENODEV;
}

void
tsi721_bdma_close(struct tsi721_bdma *bdma, void (*free_cb)(void *cookie, void *arg), void *arg)
{
	(void)bdma;
	(void)free_cb;
	(void)arg;
	fail();
}

uint32_t
tsi721_bdma_word(const struct tsi721_bdma *bdma, unsigned int rtype, unsigned int prio,
		 uint16_t destid)
{
	(void)bdma;
	(void)rtype;
	(void)prio;
	(void)destid;
	fail();
	return 0;
}

uint32_t
tsi721_bdma_put(struct tsi721_bdma *bdma, uint32_t word, uint64_t raddr, rte_iova_t iova,
		uint32_t len)
{
	(void)bdma;
	(void)word;
	(void)raddr;
	(void)iova;
	(void)len;
	fail();
	return 0;
}

void
tsi721_bdma_kick(struct tsi721_bdma *bdma)
{
	(void)bdma;
	fail();
}

uint32_t
tsi721_bdma_ended(struct tsi721_bdma *bdma, uint32_t *failed, int *err)
{
	(void)bdma;
	(void)failed;
	(void)err;
	fail();
	return 0;
}

int
tsi721_ibwin_open(struct tsi721_device *dev, uint64_t raddr, rte_iova_t iova, uint64_t size)
{
	(void)dev;
	(void)raddr;
	(void)iova;
	(void)size;
	return -ENOSPC;
}

int
tsi721_ibwin_close(struct tsi721_device *dev, unsigned int win)
{
	(void)dev;
	(void)win;
	fail();
	return -EINVAL;
}
