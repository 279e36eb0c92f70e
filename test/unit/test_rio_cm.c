/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Channelised messages of two nodes, over a wire that is an array. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "rio_cm.h"

#define NODES		2
#define CHANNELS	64u
#define QUEUE		8u
#define BUFFERS		20u
#define FIRST		256u
#define PORT		5u	/* that a listens on */
#define WIRE		256u

struct message {
	uint16_t src, dst;
	uint32_t len, serial;
	uint8_t data[RIO_CM_MESSAGE_MAX];
};

struct node {
	struct rio_cm *cm;
	uint16_t destid;
	uint32_t room;		/* for messages, before -EAGAIN */
};

static struct message wire[WIRE];
static uint32_t wire_head, wire_nb;
static struct node nodes[NODES], *const a = &nodes[0], *const b = &nodes[1];
static struct rio_cm_conf conf;

static int
node_send(void *ctx, uint16_t destid, const uint8_t *head, const void *data, uint32_t len,
	  uint32_t serial)
{
	struct node *n = ctx;
	struct message *m = &wire[(wire_head + wire_nb) % WIRE];

	if (n->room == 0)
		return -EAGAIN;
	n->room--;
	assert_true(wire_nb < WIRE);
	assert_true(len <= RIO_CM_DATA_MAX);
	wire_nb++;
	m->src = n->destid;
	m->dst = destid;
	m->serial = serial;
	memcpy(m->data, head, RIO_CM_HEADER);
	if (len != 0)
		memcpy(m->data + RIO_CM_HEADER, data, len);
	m->len = (RIO_CM_HEADER + len + 7) / 8 * 8;
	memset(m->data + RIO_CM_HEADER + len, 0xee, m->len - RIO_CM_HEADER - len);
	return 0;
}

static uint16_t
node_destid(void *ctx)
{
	return ((struct node *)ctx)->destid;
}

static const struct rio_cm_ops ops = { node_send, node_destid };

static void
node_start(struct node *n, uint16_t destid)
{
	size_t size = rio_cm_size(&conf);
	void *mem = aligned_alloc(64, (size + 63) / 64 * 64);

	assert_non_null(mem);
	memset(mem, 0, size);
	n->destid = destid;
	n->room = UINT32_MAX;
	n->cm = rio_cm_init(mem, &conf, &ops, n);
}

static int
setup(void **state)
{
	(void)state;
	conf = (struct rio_cm_conf){ CHANNELS, QUEUE, BUFFERS, FIRST, FIRST, 1, false };
	node_start(a, 0x0a);
	node_start(b, 0x1b0b);
	wire_nb = 0;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	free(a->cm);
	free(b->cm);
	return 0;
}

static struct message *
oldest(void)
{
	assert_int_not_equal(wire_nb, 0);
	return &wire[wire_head];
}

static void
drop(void)
{
	wire_head = (wire_head + 1) % WIRE;
	wire_nb--;
}

/* Everything on the wire, and what it brings about. */
static void
deliver(void)
{
	while (wire_nb != 0) {
		struct message *m = oldest();
		struct node *to = m->dst == a->destid ? a : b;

		assert_int_equal(m->dst, to->destid);
		assert_true(rio_cm_input(to->cm, m->src, m->data, m->len));
		drop();
	}
}

static void
put16(uint8_t *p, unsigned int val)
{
	p[0] = (uint8_t)(val >> 8);
	p[1] = (uint8_t)val;
}

/* A header as anybody may make it. */
static bool
inject(struct node *n, uint16_t src, enum rio_cm_op op, uint16_t from, uint16_t to, uint32_t len)
{
	uint8_t m[RIO_CM_MESSAGE_MAX];

	memset(m, 0xff, sizeof(m));
	m[10] = RIO_CM_TYPE;
	m[11] = (uint8_t)op;
	put16(m + 12, to);
	put16(m + 14, from);
	put16(m + 16, len);
	return rio_cm_input(n->cm, src, m, (len + 7) / 8 * 8 < 24 ? 24 : (len + 7) / 8 * 8);
}

static void
listen_on(struct node *n, uint16_t port, uint32_t backlog)
{
	assert_int_equal(rio_cm_open(n->cm, port), port);
	assert_int_equal(rio_cm_listen(n->cm, port, backlog), 0);
}

/* A connection from b to a: the channel of b, and that of a. */
static int
join(int *at_a)
{
	int ch = rio_cm_open(b->cm, 0);

	assert_true(ch >= (int)FIRST);
	assert_int_equal(rio_cm_connect(b->cm, (uint16_t)ch, a->destid, PORT), 0);
	assert_int_equal(rio_cm_connected(b->cm, (uint16_t)ch), -EINPROGRESS);
	deliver();
	assert_int_equal(rio_cm_connected(b->cm, (uint16_t)ch), -EINPROGRESS);
	*at_a = rio_cm_accept(a->cm, PORT);
	assert_true(*at_a >= (int)FIRST);
	deliver();
	assert_int_equal(rio_cm_connected(b->cm, (uint16_t)ch), 0);
	assert_int_equal(rio_cm_connected(a->cm, (uint16_t)*at_a), 0);
	return ch;
}

static void
expect_events(struct node *n, uint16_t channel, uint32_t events)
{
	uint16_t number = 0;

	assert_int_equal(rio_cm_next(n->cm, &number), events);
	assert_int_equal(number, channel);
}

static void
expect_none(struct node *n)
{
	uint16_t number;

	assert_int_equal(rio_cm_next(n->cm, &number), 0);
}

static void
fill(uint8_t *p, uint32_t len, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		p[i] = (uint8_t)(seed * 31 + i * 7 + (i >> 8));
}

/* --- what is on the wire --- */

static void
expect_head(struct node *from, struct node *to, uint8_t op, unsigned int src, unsigned int dst,
	    unsigned int len)
{
	const uint8_t want[RIO_CM_HEADER] = {
		0, 0, (uint8_t)(from->destid >> 8), (uint8_t)from->destid,
		0, 0, (uint8_t)(to->destid >> 8), (uint8_t)to->destid,
		1, 1, 0x55, op, (uint8_t)(dst >> 8), (uint8_t)dst, (uint8_t)(src >> 8), (uint8_t)src,
		(uint8_t)(len >> 8), (uint8_t)len, 0, 0,
	};

	assert_int_equal(oldest()->dst, to->destid);
	assert_memory_equal(oldest()->data, want, sizeof(want));
}

static void
headers(void **state)
{
	uint8_t buf[300];
	int ch;

	(void)state;
	listen_on(a, PORT, 1);
	assert_int_equal(rio_cm_open(b->cm, 0x1234), 0x1234);
	assert_int_equal(rio_cm_connect(b->cm, 0x1234, a->destid, PORT), 0);
	expect_head(b, a, 0, 0x1234, PORT, 0);
	deliver();
	ch = rio_cm_accept(a->cm, PORT);
	expect_head(a, b, 1, (unsigned int)ch, 0x1234, 0);
	deliver();
	fill(buf, sizeof(buf), 1);
	assert_int_equal(rio_cm_send(b->cm, 0x1234, buf, sizeof(buf)), 0);
	expect_head(b, a, 3, 0x1234, (unsigned int)ch, 320);
	assert_memory_equal(oldest()->data + RIO_CM_HEADER, buf, sizeof(buf));
	drop();
	assert_int_equal(rio_cm_probe(b->cm, 0x1234), 0);
	assert_int_equal(oldest()->data[18] << 8 | oldest()->data[19], ch);
	oldest()->data[18] = oldest()->data[19] = 0;
	expect_head(b, a, 3, 0x1234, 0, 20);
	drop();
	assert_int_equal(rio_cm_close(a->cm, (uint16_t)ch), 0);
	expect_head(a, b, 2, (unsigned int)ch, 0x1234, 0);
}

/* --- connections --- */

static void
lengths(void **state)
{
	uint8_t out[RIO_CM_DATA_MAX + 1], in[RIO_CM_DATA_MAX + 1];
	uint32_t len;
	int ch, at;

	(void)state;
	listen_on(a, PORT, 4);
	ch = join(&at);
	for (len = 0; len <= RIO_CM_DATA_MAX; len += len < 64 || len > 4000 ? 1 : 61) {
		fill(out, len, len);
		memset(in, 0xa5, sizeof(in));
		assert_int_equal(rio_cm_send(b->cm, (uint16_t)ch, out, len), 0);
		deliver();
		if (len != 0)
			assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at, in, len - 1), -EMSGSIZE);
		assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at, in, len), len);
		assert_memory_equal(in, out, len);
		assert_int_equal(in[len], 0xa5);
		assert_int_equal(rio_cm_send(a->cm, (uint16_t)at, in, len), 0);
		deliver();
		assert_int_equal(rio_cm_receive(b->cm, (uint16_t)ch, in, sizeof(in)), len);
		assert_memory_equal(in, out, len);
	}
	assert_int_equal(rio_cm_send(b->cm, (uint16_t)ch, out, RIO_CM_DATA_MAX + 1), -EMSGSIZE);
	assert_int_equal(rio_cm_receive(b->cm, (uint16_t)ch, in, sizeof(in)), -EAGAIN);
	assert_int_equal(rio_cm_stats(a->cm)->rx_messages, rio_cm_stats(b->cm)->tx_messages);
	assert_int_equal(rio_cm_stats(a->cm)->rx_bytes, rio_cm_stats(b->cm)->tx_bytes);
	assert_int_equal(rio_cm_stats(a->cm)->overflows, 0);
}

static void
errors(void **state)
{
	uint8_t buf[8];
	struct rio_cm_info info;
	int ch;

	(void)state;
	assert_int_equal(rio_cm_listen(a->cm, 7, 1), -EBADF);
	assert_int_equal(rio_cm_accept(a->cm, 7), -EBADF);
	assert_int_equal(rio_cm_connect(a->cm, 7, 1, 1), -EBADF);
	assert_int_equal(rio_cm_connected(a->cm, 7), -EBADF);
	assert_int_equal(rio_cm_give_up(a->cm, 7), -EBADF);
	assert_int_equal(rio_cm_send(a->cm, 7, buf, 8), -EBADF);
	assert_int_equal(rio_cm_probe(a->cm, 7), -EBADF);
	assert_int_equal(rio_cm_receive(a->cm, 7, buf, 8), -EBADF);
	assert_int_equal(rio_cm_close(a->cm, 7), -EBADF);
	assert_int_equal(rio_cm_close(a->cm, 0), -EBADF);
	assert_int_equal(rio_cm_info(a->cm, 7, &info), -EBADF);
	assert_int_equal(rio_cm_open(a->cm, 7), 7);
	assert_int_equal(rio_cm_open(a->cm, 7), -EBUSY);
	assert_int_equal(rio_cm_listen(a->cm, 7, 0), -EINVAL);
	assert_int_equal(rio_cm_listen(a->cm, 7, RIO_CM_BACKLOG_MAX + 1), -EINVAL);
	assert_int_equal(rio_cm_accept(a->cm, 7), -EINVAL);
	assert_int_equal(rio_cm_connected(a->cm, 7), -EINVAL);
	assert_int_equal(rio_cm_give_up(a->cm, 7), -EINVAL);
	assert_int_equal(rio_cm_connect(a->cm, 7, b->destid, 0), -EINVAL);
	assert_int_equal(rio_cm_send(a->cm, 7, buf, 8), -ENOTCONN);
	assert_int_equal(rio_cm_probe(a->cm, 7), -ENOTCONN);
	assert_int_equal(rio_cm_receive(a->cm, 7, buf, 8), -ENOTCONN);
	assert_int_equal(rio_cm_listen(a->cm, 7, RIO_CM_BACKLOG_MAX), 0);
	assert_int_equal(rio_cm_listen(a->cm, 7, 1), -EINVAL);
	assert_int_equal(rio_cm_accept(a->cm, 7), -EAGAIN);
	assert_int_equal(rio_cm_connect(a->cm, 7, b->destid, 1), -EINVAL);
	assert_int_equal(wire_nb, 0);
	for (ch = 1; ch < (int)CHANNELS; ch++)
		assert_true(rio_cm_open(a->cm, 0) >= (int)FIRST);
	assert_int_equal(rio_cm_open(a->cm, 0), -ENOSPC);
	assert_int_equal(rio_cm_open(a->cm, 9), -ENOSPC);
	/* An accepted one has no place either: the request stays. */
	assert_true(inject(a, 99, RIO_CM_REQUEST, 300, 7, 0));
	assert_int_equal(rio_cm_accept(a->cm, 7), -ENOSPC);
	assert_int_equal(rio_cm_close(a->cm, FIRST), 0);
	assert_true(rio_cm_accept(a->cm, 7) > (int)FIRST);
}

static void
conf_limits(void **state)
{
	struct rio_cm_conf bad;

	(void)state;
#define REFUSED(field, val) (bad = conf, bad.field = (val), assert_int_equal(rio_cm_size(&bad), 0))
	REFUSED(channels, 0);
	REFUSED(channels, RIO_CM_CHANNELS_MAX + 1);
	REFUSED(queue, 0);
	REFUSED(queue, RIO_CM_QUEUE_MAX + 1);
	REFUSED(buffers, 0);
	REFUSED(buffers, RIO_CM_BUFFERS_MAX + 1);
	REFUSED(first, 0);
	REFUSED(next, FIRST - 1);
	bad = (struct rio_cm_conf){ RIO_CM_CHANNELS_MAX, RIO_CM_QUEUE_MAX, RIO_CM_BUFFERS_MAX, 1,
				    1, 0, true };
	assert_int_not_equal(rio_cm_size(&bad), 0);
}

/* Dynamic numbers go round, past those that are taken, and end. */
static void
numbers(void **state)
{
	(void)state;
	free(a->cm);
	conf.first = UINT16_MAX - 2;
	conf.next = UINT16_MAX;
	node_start(a, 1);
	assert_int_equal(rio_cm_open(a->cm, UINT16_MAX - 1), UINT16_MAX - 1);
	assert_int_equal(rio_cm_open(a->cm, 0), UINT16_MAX);
	assert_int_equal(rio_cm_open(a->cm, 0), UINT16_MAX - 2);
	assert_int_equal(rio_cm_open(a->cm, 0), -ENOSPC);
	assert_int_equal(rio_cm_close(a->cm, UINT16_MAX), 0);
	assert_int_equal(rio_cm_open(a->cm, 0), UINT16_MAX);
}

static void
events(void **state)
{
	uint16_t ch, at;
	uint8_t buf[8] = { 0 };

	(void)state;
	listen_on(a, PORT, 4);
	ch = (uint16_t)rio_cm_open(b->cm, 0);
	assert_int_equal(rio_cm_connect(b->cm, ch, a->destid, PORT), 0);
	expect_none(a);
	deliver();
	expect_events(a, PORT, RIO_CM_EV_ACCEPT);
	expect_none(a);
	at = (uint16_t)rio_cm_accept(a->cm, PORT);
	expect_none(b);
	deliver();
	expect_events(b, ch, RIO_CM_EV_CONNECTED);
	assert_int_equal(rio_cm_send(b->cm, ch, buf, 8), 0);
	assert_int_equal(rio_cm_send(b->cm, ch, buf, 8), 0);
	deliver();
	expect_events(a, at, RIO_CM_EV_RECEIVE);
	expect_none(a);
	assert_int_equal(rio_cm_send(b->cm, ch, buf, 8), 0);
	assert_int_equal(rio_cm_close(b->cm, ch), 0);
	deliver();
	expect_events(a, at, RIO_CM_EV_RECEIVE | RIO_CM_EV_ENDED);
	expect_none(a);
	/* What was sent before the end is there; no event is left of a closed channel. */
	assert_int_equal(rio_cm_send(a->cm, at, buf, 8), -ECONNRESET);
	assert_int_equal(rio_cm_probe(a->cm, at), -ECONNRESET);
	assert_int_equal(rio_cm_receive(a->cm, at, buf, 8), 8);
	assert_int_equal(rio_cm_receive(a->cm, at, buf, 8), 8);
	assert_int_equal(rio_cm_receive(a->cm, at, buf, 8), 8);
	assert_int_equal(rio_cm_receive(a->cm, at, buf, 8), -ECONNRESET);
	assert_int_equal(rio_cm_connected(a->cm, at), -ECONNRESET);
	assert_int_equal(rio_cm_stats(a->cm)->ended, 1);
	assert_true(inject(a, 9, RIO_CM_REQUEST, 300, PORT, 0));
	assert_int_equal(rio_cm_close(a->cm, PORT), 0);
	expect_none(a);
}

/* Who asks where nobody listens, or too many wait, is told so. */
static void
refusals(void **state)
{
	uint16_t ch[5], i;

	(void)state;
	for (i = 0; i < 2; i++) {
		ch[i] = (uint16_t)rio_cm_open(b->cm, 0);
		assert_int_equal(rio_cm_connect(b->cm, ch[i], a->destid, PORT), 0);
		if (i == 1)
			assert_int_equal(rio_cm_open(a->cm, PORT), PORT);
		deliver();
		assert_int_equal(rio_cm_connected(b->cm, ch[i]), -ECONNREFUSED);
		assert_int_equal(rio_cm_receive(b->cm, ch[i], NULL, 0), -ECONNREFUSED);
		expect_events(b, ch[i], RIO_CM_EV_ENDED);
	}
	assert_int_equal(rio_cm_stats(a->cm)->refused, 2);
	/* One destination gets half of a backlog, another one the rest of it. */
	assert_int_equal(rio_cm_listen(a->cm, PORT, 4), 0);
	for (i = 0; i < 3; i++) {
		ch[i] = (uint16_t)rio_cm_open(b->cm, 0);
		assert_int_equal(rio_cm_connect(b->cm, ch[i], a->destid, PORT), 0);
	}
	deliver();
	assert_int_equal(rio_cm_connected(b->cm, ch[1]), -EINPROGRESS);
	assert_int_equal(rio_cm_connected(b->cm, ch[2]), -ECONNREFUSED);
	assert_true(inject(a, 9, RIO_CM_REQUEST, 300, PORT, 0));
	assert_true(inject(a, 9, RIO_CM_REQUEST, 301, PORT, 0));
	assert_true(inject(a, 10, RIO_CM_REQUEST, 300, PORT, 0));
	assert_int_equal(rio_cm_stats(a->cm)->refused, 4);
	assert_int_equal(oldest()->dst, 10);
	drop();
	/* Who takes its request back is not accepted; who is asked twice asked once. */
	assert_true(inject(a, 9, RIO_CM_REQUEST, 301, PORT, 0));
	assert_true(inject(a, b->destid, RIO_CM_CLOSE, ch[0], PORT, 0));
	assert_int_equal(rio_cm_stats(a->cm)->refused, 4);
	/* A listener that closes refuses all who wait. */
	wire_nb = 0;
	assert_int_equal(rio_cm_close(a->cm, PORT), 0);
	assert_int_equal(wire_nb, 3);
	while (wire_nb != 0 && oldest()->dst != b->destid)
		drop();
	assert_true(rio_cm_input(b->cm, a->destid, oldest()->data, oldest()->len));
	assert_int_equal(rio_cm_connected(b->cm, ch[1]), -ECONNREFUSED);
	assert_int_equal(rio_cm_connected(b->cm, ch[0]), -EINPROGRESS);
}

/* An answer that is late, or of somebody else, makes no connection; who sent it learns so. */
static void
late_accept(void **state)
{
	uint16_t ch, at;

	(void)state;
	listen_on(a, PORT, 4);
	ch = (uint16_t)rio_cm_open(b->cm, 0);
	assert_int_equal(rio_cm_connect(b->cm, ch, a->destid, PORT), 0);
	deliver();
	assert_true(inject(b, 77, RIO_CM_ACCEPT, 300, ch, 0));
	assert_int_equal(oldest()->dst, 77);
	drop();
	assert_int_equal(rio_cm_connected(b->cm, ch), -EINPROGRESS);
	assert_int_equal(rio_cm_give_up(b->cm, ch), 0);
	assert_int_equal(rio_cm_connected(b->cm, ch), -ETIMEDOUT);
	at = (uint16_t)rio_cm_accept(a->cm, PORT);
	deliver();
	assert_int_equal(rio_cm_connected(b->cm, ch), -ETIMEDOUT);
	assert_int_equal(rio_cm_connected(a->cm, at), -ECONNRESET);
	assert_int_equal(rio_cm_stats(b->cm)->strays, 2);
	/* Twice the same is no harm. */
	ch = (uint16_t)join(&(int){ 0 });
	assert_true(inject(b, a->destid, RIO_CM_ACCEPT, at + 1, ch, 0));
	assert_int_equal(rio_cm_connected(b->cm, ch), 0);
	assert_int_equal(wire_nb, 0);
}

/* --- hostile peers --- */

static void
hostile(void **state)
{
	uint8_t m[RIO_CM_MESSAGE_MAX] = { 0 }, buf[RIO_CM_DATA_MAX];
	const struct rio_cm_stats *s = rio_cm_stats(a->cm);
	uint64_t malformed, strays;
	unsigned int i;
	int ch, at;

	(void)state;
	listen_on(a, PORT, 4);
	ch = join(&at);
	/* Too short, too long; types and operations that are none; from channel 0. */
	m[10] = RIO_CM_TYPE;
	m[11] = RIO_CM_REQUEST;
	m[15] = 1;
	for (i = 0; i < RIO_CM_HEADER; i++)
		assert_true(rio_cm_input(a->cm, b->destid, m, i));
	assert_true(rio_cm_input(a->cm, b->destid, m, RIO_CM_MESSAGE_MAX + 8));
	assert_int_equal(s->malformed, RIO_CM_HEADER + 1);
	put16(m + 12, (unsigned int)at);
	put16(m + 14, (unsigned int)ch);
	put16(m + 16, 24);
	m[11] = RIO_CM_DATA;
	for (i = 0; i < 256; i++) {
		m[10] = (uint8_t)i;
		if (i != RIO_CM_TYPE)
			assert_true(rio_cm_input(a->cm, b->destid, m, 24));
	}
	m[10] = RIO_CM_TYPE;
	for (i = RIO_CM_DATA + 1; i < 256; i++) {
		m[11] = (uint8_t)i;
		assert_true(rio_cm_input(a->cm, b->destid, m, 24));
	}
	malformed = s->malformed;
	assert_int_equal(malformed, RIO_CM_HEADER + 1 + 255 + 252);
	/* Lengths that the message does not have. */
	m[11] = RIO_CM_DATA;
	for (i = 0; i < 65536; i++) {
		put16(m + 16, i);
		if (i < 20 || i > 24)
			assert_true(rio_cm_input(a->cm, b->destid, m, 24));
	}
	assert_int_equal(s->malformed, malformed + 65536 - 5);
	put16(m + 14, 0);
	put16(m + 16, 24);
	assert_true(rio_cm_input(a->cm, b->destid, m, 24));
	assert_int_equal(s->malformed, malformed + 65536 - 4);
	assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at, buf, sizeof(buf)), -EAGAIN);
	/* From another node, or another channel of the right one: neither data nor an end. */
	strays = s->strays;
	assert_true(inject(a, 99, RIO_CM_DATA, (uint16_t)ch, (uint16_t)at, 24));
	assert_true(inject(a, b->destid, RIO_CM_DATA, (uint16_t)(ch + 1), (uint16_t)at, 24));
	assert_true(inject(a, 99, RIO_CM_CLOSE, (uint16_t)ch, (uint16_t)at, 0));
	assert_true(inject(a, b->destid, RIO_CM_CLOSE, (uint16_t)(ch + 1), (uint16_t)at, 0));
	assert_true(inject(a, b->destid, RIO_CM_CLOSE, (uint16_t)ch, PORT, 0));
	assert_true(inject(a, b->destid, RIO_CM_ACCEPT, (uint16_t)ch, PORT, 0));
	assert_int_equal(s->strays, strays + 6);
	assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at, buf, sizeof(buf)), -EAGAIN);
	assert_int_equal(rio_cm_connected(a->cm, (uint16_t)at), 0);
	assert_int_equal(rio_cm_info(a->cm, PORT, &(struct rio_cm_info){ 0 }), 0);
	/* And all that did not hurt. */
	wire_nb = 0;
	fill(buf, 100, 3);
	assert_int_equal(rio_cm_send(b->cm, (uint16_t)ch, buf, 100), 0);
	deliver();
	assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at, m, sizeof(m)), 100);
	assert_memory_equal(m, buf, 100);
}

/* Any bytes at all: nothing breaks (sanitizers look), memory is given back. */
static void
noise(void **state)
{
	uint8_t m[RIO_CM_MESSAGE_MAX], buf[RIO_CM_DATA_MAX];
	uint32_t seed = 12345, i, k, len;
	uint16_t number;
	int ch, at;

	(void)state;
	listen_on(a, PORT, 4);
	ch = join(&at);
	for (i = 0; i < 200000; i++) {
		for (k = 0; k < 24; k++) {
			seed = seed * 1664525 + 1013904223;
			m[k] = (uint8_t)(seed >> 24);
		}
		m[10] = RIO_CM_TYPE;
		m[11] &= 3;
		put16(m + 12, seed & 1 ? (unsigned int)at : seed >> 8 & 7);
		put16(m + 14, seed & 2 ? (unsigned int)ch : 256 + (seed >> 12 & 7));
		len = 24 + (seed >> 20 & 0x7f8);
		put16(m + 16, seed & 4 ? 20 + (seed >> 16 & 7) : seed >> 8 & 0xffff);
		assert_true(rio_cm_input(a->cm, seed & 8 ? b->destid : 3, m, len));
		wire_nb = 0;
		if (i % 16 == 0) {
			number = (uint16_t)rio_cm_accept(a->cm, PORT);
			rio_cm_receive(a->cm, (uint16_t)at, buf, sizeof(buf));
			rio_cm_next(a->cm, &number);
			if (i % 64 == 0)
				rio_cm_close(a->cm, number);
			wire_nb = 0;
		}
	}
	rio_cm_close_all(a->cm);
	/* All channels and buffers are there again. */
	for (i = 0; i < CHANNELS; i++)
		assert_true(rio_cm_open(a->cm, 0) > 0);
	assert_int_equal(rio_cm_open(a->cm, 0), -ENOSPC);
	wire_nb = 0;
}

/* --- limits --- */

static void
overflow(void **state)
{
	const struct rio_cm_stats *s = rio_cm_stats(a->cm);
	uint8_t buf[8] = { 0 };
	uint32_t i;
	int ch[3], at[3];

	(void)state;
	listen_on(a, PORT, 4);
	for (i = 0; i < 3; i++)
		ch[i] = join(&at[i]);
	for (i = 0; i < QUEUE + 3; i++) {
		buf[0] = (uint8_t)i;
		assert_int_equal(rio_cm_send(b->cm, (uint16_t)ch[0], buf, 8), 0);
	}
	deliver();
	assert_int_equal(s->overflows, 3);
	/* All together: 8, 8, and 4 of 20. */
	for (i = 0; i < QUEUE; i++) {
		assert_int_equal(rio_cm_send(b->cm, (uint16_t)ch[1], buf, 8), 0);
		assert_int_equal(rio_cm_send(b->cm, (uint16_t)ch[2], buf, 8), 0);
	}
	deliver();
	assert_int_equal(s->overflows, 3 + 3 * QUEUE - BUFFERS);
	for (i = 0; i < QUEUE; i++) {
		assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at[0], buf, 8), 8);
		assert_int_equal(buf[0], i);
	}
	assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at[0], buf, 8), -EAGAIN);
	/* A closed channel gives its own back. */
	assert_int_equal(rio_cm_close(a->cm, (uint16_t)at[1]), 0);
	deliver();
	for (i = 0; i < QUEUE; i++)
		assert_int_equal(rio_cm_send(b->cm, (uint16_t)ch[0], buf, 8), 0);
	deliver();
	assert_int_equal(s->overflows, 3 + 3 * QUEUE - BUFFERS);
}

static void
hold(void **state)
{
	uint8_t buf[8] = { 0 };
	uint32_t i;
	int ch, at;

	(void)state;
	free(a->cm);
	conf.hold = true;
	node_start(a, 0x0a);
	listen_on(a, PORT, 4);
	ch = join(&at);
	for (i = 0; i < QUEUE + 1; i++) {
		buf[0] = (uint8_t)i;
		assert_int_equal(rio_cm_send(b->cm, (uint16_t)ch, buf, 8), 0);
	}
	for (i = 0; i < QUEUE; i++) {
		assert_true(rio_cm_input(a->cm, b->destid, oldest()->data, oldest()->len));
		drop();
	}
	for (i = 0; i < 3; i++)
		assert_false(rio_cm_input(a->cm, b->destid, oldest()->data, oldest()->len));
	for (i = 0; i < QUEUE + 1; i++) {
		assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at, buf, 8), 8);
		assert_int_equal(buf[0], i);
		deliver();
	}
	assert_int_equal(rio_cm_stats(a->cm)->overflows, 0);
}

/* No room to send: data says so and is told of room; answers and ends wait, in order. */
static void
no_room(void **state)
{
	uint8_t buf[8] = { 0 };
	struct rio_cm_info info;
	uint16_t ch, second;
	uint32_t i;
	int at;

	(void)state;
	listen_on(a, PORT, 4);
	ch = (uint16_t)rio_cm_open(b->cm, 0);
	b->room = 0;
	assert_int_equal(rio_cm_connect(b->cm, ch, a->destid, PORT), -EAGAIN);
	b->room = 1;
	assert_true(rio_cm_flush(b->cm));
	expect_events(b, ch, RIO_CM_EV_SEND);
	assert_int_equal(rio_cm_connect(b->cm, ch, a->destid, PORT), 0);
	deliver();
	a->room = 0;
	at = rio_cm_accept(a->cm, PORT);
	assert_true(at > 0);
	/* Nothing overtakes the answer. */
	a->room = 1;
	assert_int_equal(rio_cm_send(a->cm, (uint16_t)at, buf, 8), -EAGAIN);
	assert_int_equal(wire_nb, 0);
	expect_events(a, PORT, RIO_CM_EV_ACCEPT);
	assert_true(rio_cm_flush(a->cm));
	expect_events(a, (uint16_t)at, RIO_CM_EV_SEND);
	deliver();
	assert_int_equal(rio_cm_connected(b->cm, ch), 0);
	a->room = 2;
	assert_int_equal(rio_cm_send(a->cm, (uint16_t)at, buf, 8), 0);
	assert_int_equal(rio_cm_send(a->cm, (uint16_t)at, buf, 8), 0);
	assert_int_equal(rio_cm_send(a->cm, (uint16_t)at, buf, 8), -EAGAIN);
	assert_int_equal(rio_cm_close(a->cm, (uint16_t)at), 0);
	assert_int_equal(rio_cm_close(a->cm, (uint16_t)at), -EBADF);
	assert_int_equal(rio_cm_info(a->cm, (uint16_t)at, &info), -EBADF);
	/* Its number is not free before the other side knows. */
	assert_int_equal(rio_cm_open(a->cm, (uint16_t)at), -EBUSY);
	assert_false(rio_cm_flush(a->cm));
	a->room = UINT32_MAX;
	assert_true(rio_cm_flush(a->cm));
	expect_none(a);
	assert_int_equal(rio_cm_open(a->cm, (uint16_t)at), at);
	deliver();
	assert_int_equal(rio_cm_receive(b->cm, ch, buf, 8), 8);
	assert_int_equal(rio_cm_receive(b->cm, ch, buf, 8), 8);
	assert_int_equal(rio_cm_receive(b->cm, ch, buf, 8), -ECONNRESET);
	/* One that closes before its answer went out has refused. */
	second = (uint16_t)rio_cm_open(b->cm, 0);
	b->room = UINT32_MAX;
	assert_int_equal(rio_cm_connect(b->cm, second, a->destid, PORT), 0);
	deliver();
	a->room = 0;
	at = rio_cm_accept(a->cm, PORT);
	assert_int_equal(rio_cm_close(a->cm, (uint16_t)at), 0);
	a->room = UINT32_MAX;
	assert_true(rio_cm_flush(a->cm));
	deliver();
	assert_int_equal(rio_cm_connected(b->cm, second), -ECONNREFUSED);
	/* Refusals are bounded. */
	a->room = 0;
	for (i = 0; i < RIO_CM_REPLIES_MAX + 10; i++)
		assert_true(inject(a, 9, RIO_CM_REQUEST, (uint16_t)(300 + i), 6, 0));
	assert_int_equal(rio_cm_stats(a->cm)->replies_lost, 10);
	a->room = UINT32_MAX;
	assert_true(rio_cm_flush(a->cm));
	assert_int_equal(wire_nb, RIO_CM_REPLIES_MAX);
	wire_nb = 0;
}

/* --- death --- */

static void
failed(void **state)
{
	uint8_t buf[8] = { 0 };
	uint32_t serial;
	int ch[2], at[2];

	(void)state;
	listen_on(a, PORT, 4);
	ch[0] = join(&at[0]);
	ch[1] = join(&at[1]);
	assert_int_equal(rio_cm_send(a->cm, (uint16_t)at[0], buf, 8), 0);
	assert_int_equal(rio_cm_send(b->cm, (uint16_t)ch[1], buf, 8), 0);
	serial = oldest()->serial;
	drop();
	deliver();
	/* All connections with it end; what has come stays; those made later are others. */
	rio_cm_failed(a->cm, 99, serial);
	assert_int_equal(rio_cm_connected(a->cm, (uint16_t)at[0]), 0);
	rio_cm_failed(a->cm, b->destid, serial);
	assert_int_equal(rio_cm_connected(a->cm, (uint16_t)at[0]), -EHOSTUNREACH);
	assert_int_equal(rio_cm_send(a->cm, (uint16_t)at[0], buf, 8), -EHOSTUNREACH);
	assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at[1], buf, 8), 8);
	assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at[1], buf, 8), -EHOSTUNREACH);
	assert_int_equal(rio_cm_stats(a->cm)->failed, 2);
	assert_int_equal(wire_nb, 0);
	/* The other one was alive: once it sends, it is told, once. */
	assert_true(inject(a, b->destid, RIO_CM_DATA, (uint16_t)ch[0], (uint16_t)at[0], 24));
	assert_true(inject(a, b->destid, RIO_CM_DATA, (uint16_t)ch[0], (uint16_t)at[0], 24));
	assert_int_equal(wire_nb, 1);
	deliver();
	assert_int_equal(rio_cm_connected(b->cm, (uint16_t)ch[0]), -ECONNRESET);
	assert_int_equal(rio_cm_connected(b->cm, (uint16_t)ch[1]), 0);
	assert_int_equal(rio_cm_stats(b->cm)->strays, 0);
	ch[0] = join(&at[0]);
	rio_cm_failed(a->cm, b->destid, serial);
	assert_int_equal(rio_cm_connected(a->cm, (uint16_t)at[0]), 0);
	/* A request that does not get there. */
	ch[1] = rio_cm_open(b->cm, 0);
	assert_int_equal(rio_cm_connect(b->cm, (uint16_t)ch[1], a->destid, PORT), 0);
	rio_cm_failed(b->cm, a->destid, oldest()->serial);
	wire_nb = 0;
	assert_int_equal(rio_cm_connected(b->cm, (uint16_t)ch[1]), -EHOSTUNREACH);
}

/* A process died and another has its device: who still sends to the old one is told. */
static void
reborn(void **state)
{
	uint8_t buf[8] = { 0 };
	int ch, at;

	(void)state;
	listen_on(a, PORT, 4);
	assert_int_equal(rio_cm_open(b->cm, 7), 7);
	assert_int_equal(rio_cm_connect(b->cm, 7, a->destid, PORT), 0);
	deliver();
	at = rio_cm_accept(a->cm, PORT);
	deliver();
	ch = 7;
	free(b->cm);
	node_start(b, b->destid);
	assert_int_equal(rio_cm_send(a->cm, (uint16_t)at, buf, 8), 0);
	deliver();
	assert_int_equal(rio_cm_connected(a->cm, (uint16_t)at), -ECONNRESET);
	/* One that was closed here is not told of twice. */
	assert_int_equal(rio_cm_open(b->cm, (uint16_t)ch), ch);
	assert_int_equal(rio_cm_close(b->cm, (uint16_t)ch), 0);
	assert_true(inject(b, a->destid, RIO_CM_DATA, 300, (uint16_t)ch, 24));
	assert_int_equal(wire_nb, 0);
	/* A number that connects anew has lost the connection that it had. */
	assert_int_equal(rio_cm_open(b->cm, 7), 7);
	assert_int_equal(rio_cm_connect(b->cm, 7, a->destid, PORT), 0);
	deliver();
	at = rio_cm_accept(a->cm, PORT);
	deliver();
	free(b->cm);
	node_start(b, b->destid);
	assert_int_equal(rio_cm_open(b->cm, 7), 7);
	assert_int_equal(rio_cm_connect(b->cm, 7, a->destid, PORT), 0);
	deliver();
	assert_int_equal(rio_cm_connected(a->cm, (uint16_t)at), -ECONNRESET);
	assert_true(rio_cm_accept(a->cm, PORT) > 0);
	deliver();
	assert_int_equal(rio_cm_connected(b->cm, 7), 0);
}

/* Who is asked whether it is there says no more than that it is not. */
static void
probes(void **state)
{
	int ch, at;

	(void)state;
	listen_on(a, PORT, 4);
	ch = join(&at);
	assert_int_equal(rio_cm_probe(a->cm, (uint16_t)at), 0);
	assert_int_equal(rio_cm_probe(b->cm, (uint16_t)ch), 0);
	deliver();
	assert_int_equal(rio_cm_stats(a->cm)->probes, 1);
	assert_int_equal(rio_cm_stats(b->cm)->probes, 1);
	assert_int_equal(rio_cm_stats(b->cm)->strays, 0);
	assert_int_equal(rio_cm_connected(a->cm, (uint16_t)at), 0);
	expect_events(a, PORT, RIO_CM_EV_ACCEPT);
	expect_none(a);
	/* The same number, but another connection, or none. */
	assert_true(inject(b, 99, RIO_CM_DATA, 300, 0, 20));
	assert_int_equal(wire_nb, 1);
	wire_nb = 0;
	free(b->cm);
	node_start(b, b->destid);
	assert_int_equal(rio_cm_open(b->cm, (uint16_t)ch), ch);
	assert_int_equal(rio_cm_probe(a->cm, (uint16_t)at), 0);
	deliver();
	assert_int_equal(rio_cm_connected(a->cm, (uint16_t)at), -ECONNRESET);
	/* One that names nothing, as anybody else's would. */
	ch = join(&at);
	assert_int_equal(rio_cm_probe(b->cm, (uint16_t)ch), 0);
	oldest()->data[18] = oldest()->data[19] = 0;
	deliver();
	assert_int_equal(rio_cm_connected(b->cm, (uint16_t)ch), 0);
}

/* Linux leaves the target of a connection that it opened zero, and pads as it likes. */
static void
linux_data(void **state)
{
	uint8_t m[32] = { 0 }, buf[32];
	int ch, at;

	(void)state;
	listen_on(a, PORT, 4);
	ch = join(&at);
	m[10] = RIO_CM_TYPE;
	m[11] = RIO_CM_DATA;
	put16(m + 12, (unsigned int)at);
	put16(m + 14, (unsigned int)ch);
	put16(m + 16, 23);
	memcpy(m + 20, "abcdef", 6);
	assert_true(rio_cm_input(a->cm, b->destid, m, sizeof(m)));
	assert_int_equal(rio_cm_receive(a->cm, (uint16_t)at, buf, sizeof(buf)), 3);
	assert_memory_equal(buf, "abc", 3);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(headers), TEST(lengths), TEST(errors), TEST(conf_limits), TEST(numbers),
		TEST(events), TEST(refusals), TEST(late_accept), TEST(hostile), TEST(noise),
		TEST(overflow), TEST(hold), TEST(no_room), TEST(failed), TEST(reborn),
		TEST(probes), TEST(linux_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
