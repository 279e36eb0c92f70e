/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Channelised messages between devices: public calls, polled and by interrupt. */

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_pause.h>
#include <rte_rawdev.h>

#include "drv_rig.h"
#include "rte_pmd_tsi721.h"
#include "rte_pmd_tsi721_cm.h"

#define PORT		5u
#define LONG_MS		20000u	/* what must come comes before */
#define MBOX		RTE_PMD_TSI721_CM_MBOX
#define MESSAGES	3000u

static struct rig_dev *a, *b;

static int
setup(void **state)
{
	struct rig *rig;

	if (rig_setup2(state) != 0)
		return -1;
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	return 0;
}

static void
start(struct rig_dev *d, uint8_t flags, rte_pmd_tsi721_cm_cb cb, void *arg)
{
	struct rte_pmd_tsi721_cm_conf conf;

	assert_int_equal(rte_pmd_tsi721_cm_conf_get(d->id, &conf), 0);
	conf.flags = flags;
	conf.cb = cb;
	conf.arg = arg;
	assert_int_equal(rte_pmd_tsi721_cm_start(d->id, &conf), 0);
}

static void
listen_on(struct rig_dev *d, uint16_t port)
{
	assert_int_equal(rte_pmd_tsi721_cm_open(d->id, port), port);
	assert_int_equal(rte_pmd_tsi721_cm_listen(d->id, port, 8), 0);
}

/* Try until it is something else than -EAGAIN or -EINPROGRESS. */
#define UNTIL(call) __extension__ ({ \
	uint64_t end_ = rte_get_timer_cycles() + rte_get_timer_hz() / 1000 * LONG_MS; \
	int ret_; \
	while (((ret_ = (call)) == -EAGAIN || ret_ == -EINPROGRESS) && \
	       rte_get_timer_cycles() < end_) \
		rte_pause(); \
	ret_; })

/* A connection from a to b, both polled. */
static uint16_t
join(uint16_t *at_b)
{
	int ch = rte_pmd_tsi721_cm_open(a->id, 0), ret;

	assert_true(ch >= 256);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, (uint16_t)ch, b->destid, PORT, 0),
			 -EINPROGRESS);
	ret = UNTIL(rte_pmd_tsi721_cm_accept(b->id, PORT));
	assert_true(ret >= 256);
	*at_b = (uint16_t)ret;
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_connect(a->id, (uint16_t)ch, b->destid, PORT, 0)),
			 0);
	return (uint16_t)ch;
}

static uint16_t
both(uint16_t *at_b)
{
	start(a, 0, NULL, NULL);
	start(b, 0, NULL, NULL);
	listen_on(b, PORT);
	return join(at_b);
}

static void
lengths(void **state)
{
	uint8_t out[RTE_PMD_TSI721_CM_MAX], in[RTE_PMD_TSI721_CM_MAX + 1];
	struct rte_pmd_tsi721_cm_stats stats;
	struct rte_pmd_tsi721_cm_info info;
	uint32_t len, nb = 0;
	uint16_t at, ch = both(&at);

	(void)state;
	for (len = 0; len <= RTE_PMD_TSI721_CM_MAX; len += len < 40 || len > 4040 ? 1 : 117, nb++) {
		rig_fill(out, sizeof(out), len);
		memset(in, 0xa5, sizeof(in));
		assert_int_equal(UNTIL(rte_pmd_tsi721_cm_send(a->id, ch, out, len)), 0);
		assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(b->id, at, in, len)), len);
		assert_memory_equal(in, out, len);
		assert_int_equal(in[len], 0xa5);
		assert_int_equal(UNTIL(rte_pmd_tsi721_cm_send(b->id, at, in, len)), 0);
		memset(in, 0, sizeof(in));
		assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(a->id, ch, in, sizeof(in))), len);
		assert_memory_equal(in, out, len);
	}
	assert_int_equal(rte_pmd_tsi721_cm_info_get(b->id, at, &info), 0);
	assert_int_equal(info.state, RTE_PMD_TSI721_CM_CONNECTED);
	assert_int_equal(info.destid, a->destid);
	assert_int_equal(info.remote, ch);
	assert_int_equal(info.waiting, 0);
	assert_int_equal(rte_pmd_tsi721_cm_stats_get(b->id, &stats), 0);
	assert_int_equal(stats.rx_messages, nb);
	assert_int_equal(stats.tx_messages, nb);
	assert_int_equal(stats.rx_bytes, stats.tx_bytes);
	assert_int_equal(stats.requests, 1);
	/* The end: what was sent before it comes before it. */
	assert_int_equal(rte_pmd_tsi721_cm_send(a->id, ch, "last", 4), 0);
	assert_int_equal(rte_pmd_tsi721_cm_close(a->id, ch), 0);
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(b->id, at, in, sizeof(in))), 4);
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(b->id, at, in, sizeof(in))), -ECONNRESET);
}

static void
errors(void **state)
{
	struct rte_pmd_tsi721_cm_info info;
	uint16_t at, ch;
	uint32_t events;
	uint8_t buf[16];

	(void)state;
	/* Not started; no such device. */
	assert_int_equal(rte_pmd_tsi721_cm_stop(a->id), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_open(a->id, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_close(a->id, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_listen(a->id, 1, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_accept(a->id, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, 1, 1, 1, 0), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_send(a->id, 1, buf, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_receive(a->id, 1, buf, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_probe(a->id, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_info_get(a->id, 1, &info), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_next(a->id, &events), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_stats_get(a->id, NULL), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_start(60, NULL), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_conf_get(60, NULL), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_cm_conf_get(a->id, NULL), -EINVAL);
	ch = both(&at);
	assert_int_equal(rte_pmd_tsi721_cm_start(a->id, NULL), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_cm_open(a->id, ch), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_cm_close(a->id, 9), -EBADF);
	assert_int_equal(rte_pmd_tsi721_cm_listen(a->id, 9, 1), -EBADF);
	assert_int_equal(rte_pmd_tsi721_cm_listen(a->id, ch, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_cm_accept(a->id, 9), -EBADF);
	assert_int_equal(rte_pmd_tsi721_cm_accept(a->id, ch), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_cm_accept(b->id, PORT), -EAGAIN);
	assert_int_equal(rte_pmd_tsi721_cm_send(a->id, 9, buf, 1), -EBADF);
	assert_int_equal(rte_pmd_tsi721_cm_send(a->id, ch, NULL, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_cm_send(a->id, ch, buf, RTE_PMD_TSI721_CM_MAX + 1),
			 -EMSGSIZE);
	assert_int_equal(rte_pmd_tsi721_cm_receive(a->id, 9, buf, 1), -EBADF);
	assert_int_equal(rte_pmd_tsi721_cm_receive(a->id, ch, NULL, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_cm_receive(a->id, ch, buf, 1), -EAGAIN);
	assert_int_equal(rte_pmd_tsi721_cm_probe(a->id, 9), -EBADF);
	assert_int_equal(rte_pmd_tsi721_cm_info_get(a->id, 9, &info), -EBADF);
	assert_int_equal(rte_pmd_tsi721_cm_info_get(a->id, ch, NULL), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_cm_next(a->id, NULL), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_cm_stats_get(a->id, NULL), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_cm_open(a->id, 9), 9);
	assert_int_equal(rte_pmd_tsi721_cm_send(a->id, 9, buf, 1), -ENOTCONN);
	assert_int_equal(rte_pmd_tsi721_cm_receive(a->id, 9, buf, 1), -ENOTCONN);
	assert_int_equal(rte_pmd_tsi721_cm_probe(a->id, 9), -ENOTCONN);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, 10, b->destid, PORT, 0), -EBADF);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, 9, 0x100, PORT, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, 9, b->destid, 0, 100), -EINVAL);
	/* The mailbox is its own, and free again afterwards. */
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, MBOX, 32, 32, SOCKET_ID_ANY), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_mbox_close(a->id, MBOX), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_cm_stop(a->id), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, MBOX, 32, 32, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_pmd_tsi721_cm_start(a->id, NULL), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_mbox_close(a->id, MBOX), 0);
	assert_int_equal(rte_pmd_tsi721_cm_start(a->id, NULL), 0);
	/* Stopping told the other side. */
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(b->id, at, buf, 1)), -ECONNRESET);
}

/* Each value that is not allowed: one line that names it, and nothing is started. */
static void
configurations(void **state)
{
	struct rte_pmd_tsi721_cm_conf def, conf;

	(void)state;
	rte_pmd_tsi721_cm_conf_get(a->id, &def);
#define REFUSED(field, val, text) do { \
		conf = def; \
		conf.field = (val); \
		rig_log_lines(); \
		assert_int_equal(rte_pmd_tsi721_cm_start(a->id, &conf), -EINVAL); \
		assert_int_equal(rig_log_lines(), 1); \
		assert_non_null(strstr(rig_log_last(), text)); \
		assert_int_equal(rte_pmd_tsi721_cm_stop(a->id), -ENODEV); \
	} while (0)
	REFUSED(mbox, 4, "mailbox 4: allowed are 0 to 3");
	REFUSED(flags, 2, "flags 2: allowed are 0 to 1");
	REFUSED(first, 0, "first number 0: allowed are 1 to 65535");
	REFUSED(channels, 0, "channels 0: allowed are 1 to 4096");
	REFUSED(channels, 4097, "channels 4097");
	REFUSED(queue, 0, "queue 0: allowed are 1 to 4096");
	REFUSED(queue, 4097, "queue 4097");
	REFUSED(buffers, 0, "buffers 0: allowed are 1 to 65536");
	REFUSED(buffers, 65537, "buffers 65537");
	REFUSED(nb_out, 16, "nb_out 16: allowed are powers of two, 32 to 4096");
	REFUSED(nb_out, 33, "nb_out 33");
	REFUSED(nb_out, 8192, "nb_out 8192");
	REFUSED(nb_in, 0, "nb_in 0: allowed are powers of two, 32 to 32768");
	REFUSED(nb_in, 65536, "nb_in 65536");
	conf = def;
	conf.mbox = 0;
	conf.first = UINT16_MAX;
	conf.channels = conf.queue = conf.buffers = 1;
	conf.nb_out = conf.nb_in = 32;
	assert_int_equal(rte_pmd_tsi721_cm_start(a->id, &conf), 0);
	assert_int_equal(rte_pmd_tsi721_cm_open(a->id, 0), UINT16_MAX);
	assert_int_equal(rte_pmd_tsi721_cm_open(a->id, 0), -ENOSPC);
}

/* Nobody listens; nobody is there; nobody answers. */
static void
not_connected(void **state)
{
	uint16_t at, ch = both(&at);
	uint8_t buf[8];

	(void)state;
	ch = (uint16_t)rte_pmd_tsi721_cm_open(a->id, 0);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, ch, b->destid, PORT + 1, 0),
			 -EINPROGRESS);
	assert_int_equal(rte_pmd_tsi721_cm_accept(b->id, PORT), -EAGAIN);
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_connect(a->id, ch, b->destid, PORT + 1, 0)),
			 -ECONNREFUSED);
	ch = (uint16_t)rte_pmd_tsi721_cm_open(a->id, 0);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, ch, 77, PORT, LONG_MS), -EHOSTUNREACH);
	ch = (uint16_t)rte_pmd_tsi721_cm_open(a->id, 0);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, ch, b->destid, PORT, 20), -ETIMEDOUT);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, ch, b->destid, PORT, 0), -ETIMEDOUT);
	assert_int_equal(rte_pmd_tsi721_cm_send(a->id, ch, buf, 8), -ETIMEDOUT);
	/* It is accepted after all: the other side learns. */
	at = (uint16_t)rte_pmd_tsi721_cm_accept(b->id, PORT);
	assert_int_equal(rte_pmd_tsi721_cm_receive(a->id, ch, buf, 8), -ETIMEDOUT);
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(b->id, at, buf, 8)), -ECONNRESET);
}

/* The other side has no mailbox any more: whoever has a connection with it has it no longer. */
static void
death(void **state)
{
	struct rte_pmd_tsi721_cm_stats stats;
	uint16_t at, ch = both(&at), second = join(&at);
	uint8_t buf[8];

	(void)state;
	assert_int_equal(rte_pmd_tsi721_cm_send(b->id, at, "12345678", 8), 0);
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_probe(a->id, ch)), 0);
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(a->id, ch, buf, 8) == -EAGAIN &&
			       rte_pmd_tsi721_cm_stats_get(b->id, &stats) == 0 &&
			       stats.probes == 1 ? 0 : -EAGAIN), 0);
	/* As if killed: nobody is told. */
	tsi721_write32(b->dev, TSI721_IBDMAC_CTL(MBOX), 0);
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_probe(a->id, ch) == -EHOSTUNREACH ? 0 : -EAGAIN),
			 0);
	assert_int_equal(rte_pmd_tsi721_cm_receive(a->id, ch, buf, 8), -EHOSTUNREACH);
	assert_int_equal(rte_pmd_tsi721_cm_receive(a->id, second, buf, 8), 8);
	assert_int_equal(rte_pmd_tsi721_cm_receive(a->id, second, buf, 8), -EHOSTUNREACH);
	assert_int_equal(rte_pmd_tsi721_cm_stats_get(a->id, &stats), 0);
	assert_int_equal(stats.failed, 2);
}

/* Full everywhere: the sender is stopped, nothing is lost, all comes in order. */
static void
backpressure(void **state)
{
	uint32_t sent = 0, got = 0, val, refused = 0, rounds;
	uint16_t at, ch;

	(void)state;
	start(a, 0, NULL, NULL);
	start(b, RTE_PMD_TSI721_CM_HOLD, NULL, NULL);
	listen_on(b, PORT);
	ch = join(&at);
	for (rounds = 0; refused < 1000 && rounds < 100000; rounds++) {
		if (rte_pmd_tsi721_cm_send(a->id, ch, &sent, sizeof(sent)) == 0)
			sent++;
		else
			refused++;
		/* Looks, and takes in what it has room for. */
		assert_int_equal(rte_pmd_tsi721_cm_accept(b->id, PORT), -EAGAIN);
	}
	assert_int_equal(refused, 1000);
	/* The channel's 128, the ring's 127, and those on their way. */
	assert_in_range(sent, 128 + 127, 128 + 127 + 130);
	while (got < sent) {
		assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(b->id, at, &val, sizeof(val))),
				 sizeof(val));
		assert_int_equal(val, got);
		got++;
		rte_pmd_tsi721_cm_accept(a->id, PORT);
	}
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_send(a->id, ch, &sent, sizeof(sent))), 0);
}

static void
overflow(void **state)
{
	struct rte_pmd_tsi721_cm_stats stats;
	uint16_t at, ch = both(&at);
	uint32_t i, val;

	(void)state;
	for (i = 0; i < 150; i++) {
		assert_int_equal(UNTIL(rte_pmd_tsi721_cm_send(a->id, ch, &i, sizeof(i))), 0);
		rte_pmd_tsi721_cm_accept(b->id, PORT);
	}
	for (i = 0; i < 128; i++) {
		assert_int_equal(rte_pmd_tsi721_cm_receive(b->id, at, &val, sizeof(val)),
				 sizeof(val));
		assert_int_equal(val, i);
	}
	assert_int_equal(rte_pmd_tsi721_cm_receive(b->id, at, &val, sizeof(val)), -EAGAIN);
	assert_int_equal(rte_pmd_tsi721_cm_stats_get(b->id, &stats), 0);
	assert_int_equal(stats.overflows, 22);
}

/* --- sleeping --- */

static void
sleeper(void **state)
{
	struct pollfd pfd = { .events = POLLIN };
	uint16_t at, ch = both(&at);
	uint32_t events, i;
	uint8_t buf[8];

	(void)state;
	pfd.fd = rte_pmd_tsi721_intr_open(b->id, RTE_PMD_TSI721_INTR_MSG_IN, MBOX);
	assert_true(pfd.fd >= 0);
	while (rte_pmd_tsi721_cm_next(b->id, &events) != 0)
		;
	for (i = 0; i < 20; i++) {
		assert_int_equal(rte_pmd_tsi721_cm_next(b->id, &events), 0);
		assert_int_equal(events, 0);
		assert_int_equal(rte_pmd_tsi721_intr_arm(b->id, RTE_PMD_TSI721_INTR_MSG_IN, MBOX),
				 0);
		assert_int_equal(rte_pmd_tsi721_cm_send(a->id, ch, "12345678", 8), 0);
		assert_int_equal(poll(&pfd, 1, LONG_MS), 1);
		assert_int_equal(UNTIL(rte_pmd_tsi721_cm_next(b->id, &events) != 0 ? 0 : -EAGAIN), 0);
		assert_int_equal(events, RTE_PMD_TSI721_CM_EV_RECEIVE);
		assert_int_equal(rte_pmd_tsi721_cm_receive(b->id, at, buf, 8), 8);
	}
	/* The source ends with the mailbox. */
	assert_int_equal(rte_pmd_tsi721_cm_stop(b->id), 0);
	assert_int_equal(rte_pmd_tsi721_intr_close(b->id, RTE_PMD_TSI721_INTR_MSG_IN, MBOX), -EINVAL);
}

/* What the interrupt thread tells. It serves: accepts, sends back what comes. */
static struct server {
	uint32_t accepted, ended, echoed, later;
	bool wait;		/* does not read, so that all is held */
} server;

static void
server_receive(struct server *s, uint16_t dev_id, uint16_t channel)
{
	uint8_t buf[RTE_PMD_TSI721_CM_MAX];
	int len;

	while ((len = rte_pmd_tsi721_cm_receive(dev_id, channel, buf, sizeof(buf))) >= 0) {
		if (rte_pmd_tsi721_cm_send(dev_id, channel, buf, (uint32_t)len) != 0)
			s->later++;
		__atomic_fetch_add(&s->echoed, 1, __ATOMIC_RELEASE);
	}
	if (len == -ECONNRESET)
		rte_pmd_tsi721_cm_close(dev_id, channel);
}

static void
serve(void *arg, uint16_t dev_id, uint16_t channel, uint32_t events)
{
	struct server *s = arg;

	if (events & RTE_PMD_TSI721_CM_EV_ACCEPT)
		while (rte_pmd_tsi721_cm_accept(dev_id, channel) > 0)
			__atomic_fetch_add(&s->accepted, 1, __ATOMIC_RELEASE);
	if (events & RTE_PMD_TSI721_CM_EV_ENDED)
		__atomic_fetch_add(&s->ended, 1, __ATOMIC_RELEASE);
	if (!__atomic_load_n(&s->wait, __ATOMIC_ACQUIRE) && channel != PORT)
		server_receive(s, dev_id, channel);
}

static int
reached(const uint32_t *count, uint32_t val)
{
	return __atomic_load_n(count, __ATOMIC_ACQUIRE) >= val ? 0 : -EAGAIN;
}

static void
by_interrupt(void **state)
{
	uint8_t out[600], in[600];
	uint32_t events, i;
	uint16_t ch[3], k;

	(void)state;
	memset(&server, 0, sizeof(server));
	start(a, 0, NULL, NULL);
	start(b, 0, serve, &server);
	listen_on(b, PORT);
	assert_int_equal(rte_pmd_tsi721_cm_next(b->id, &events), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_intr_open(b->id, RTE_PMD_TSI721_INTR_MSG_IN, MBOX),
			 -EINVAL);
	for (k = 0; k < 3; k++) {
		ch[k] = (uint16_t)rte_pmd_tsi721_cm_open(a->id, 0);
		assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, ch[k], b->destid, PORT, LONG_MS),
				 0);
	}
	assert_int_equal(server.accepted, 3);
	for (i = 0; i < MESSAGES; i++) {
		k = (uint16_t)(i % 3);
		rig_fill(out, sizeof(out), i);
		assert_int_equal(UNTIL(rte_pmd_tsi721_cm_send(a->id, ch[k], out, i % 600)), 0);
		assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(a->id, ch[k], in, sizeof(in))),
				 i % 600);
		assert_memory_equal(in, out, i % 600);
	}
	assert_int_equal(server.later, 0);
	for (k = 0; k < 3; k++)
		assert_int_equal(rte_pmd_tsi721_cm_close(a->id, ch[k]), 0);
	assert_int_equal(UNTIL(reached(&server.ended, 3)), 0);
}

/* Held messages come in when room is made, by whatever thread. */
static void
held_by_interrupt(void **state)
{
	struct rte_pmd_tsi721_cm_info info;
	uint32_t sent = 0, got = 0, val, refused = 0;
	uint16_t ch, at = 0, i;

	(void)state;
	memset(&server, 0, sizeof(server));
	server.wait = true;
	start(a, 0, NULL, NULL);
	start(b, RTE_PMD_TSI721_CM_HOLD, serve, &server);
	listen_on(b, PORT);
	ch = (uint16_t)rte_pmd_tsi721_cm_open(a->id, 0);
	assert_int_equal(rte_pmd_tsi721_cm_connect(a->id, ch, b->destid, PORT, LONG_MS), 0);
	while (refused < 200) {
		if (rte_pmd_tsi721_cm_send(a->id, ch, &sent, sizeof(sent)) == 0) {
			sent++;
			continue;
		}
		refused++;
		rte_delay_us_sleep(100);
	}
	assert_in_range(sent, 128 + 127, 128 + 127 + 130);
	assert_int_equal(rte_pmd_tsi721_cm_info_get(a->id, ch, &info), 0);
	at = info.remote;
	for (i = 0; i < 2; i++)
		while (got < sent / 2 * (uint32_t)(i + 1)) {
			assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(b->id, at, &val,
									 sizeof(val))),
					 sizeof(val));
			assert_int_equal(val, got);
			got++;
			rte_pmd_tsi721_cm_info_get(a->id, ch, &info);
		}
}

/* Several threads, each with a connection of its own, on both devices. */
struct talker {
	pthread_t thread;
	uint16_t ch, at, nr;
	uint32_t wrong;
};

static void *
talk(void *arg)
{
	struct talker *t = arg;
	uint8_t out[256], in[256];
	uint32_t i;

	for (i = 0; i < MESSAGES / 4; i++) {
		rig_fill(out, sizeof(out), t->nr * 100000u + i);
		t->wrong += UNTIL(rte_pmd_tsi721_cm_send(a->id, t->ch, out, sizeof(out))) != 0;
		t->wrong += UNTIL(rte_pmd_tsi721_cm_receive(b->id, t->at, in, sizeof(in))) !=
			    sizeof(in) || memcmp(in, out, sizeof(in)) != 0;
	}
	return NULL;
}

static void
threads(void **state)
{
	struct talker t[4];
	uint16_t i;

	(void)state;
	t[0].ch = both(&t[0].at);
	for (i = 0; i < RTE_DIM(t); i++) {
		if (i != 0)
			t[i].ch = join(&t[i].at);
		t[i].nr = i;
		t[i].wrong = 0;
	}
	for (i = 0; i < RTE_DIM(t); i++)
		assert_int_equal(pthread_create(&t[i].thread, NULL, talk, &t[i]), 0);
	for (i = 0; i < RTE_DIM(t); i++)
		pthread_join(t[i].thread, NULL);
	for (i = 0; i < RTE_DIM(t); i++)
		assert_int_equal(t[i].wrong, 0);
}

/* --- hostile peers --- */

/* Send what the memory of a has there, past all rules, and wait until it has ended. */
static void
inject(const uint8_t *head, uint16_t len)
{
	struct rte_pmd_tsi721_msg_out out = { .destid = b->destid, .len = len, .iova = a->iova };
	void *user;

	memcpy(a->mem, head, 20);
	assert_int_equal(UNTIL(rte_pmd_tsi721_msg_send(a->id, MBOX, &out, 1) == 1 ? 0 : -EAGAIN), 0);
	/* The other side takes in, and answers. */
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_accept(b->id, PORT + 1) == -EINVAL &&
			       rte_pmd_tsi721_msg_reap(a->id, MBOX, &user, NULL, 1) == 1 ? 0
										       : -EAGAIN),
			 0);
}

/* Who has no connection, and knows all numbers, floods with every operation. */
static void
hostile(void **state)
{
	struct rte_pmd_tsi721_cm_info info;
	struct rte_pmd_tsi721_cm_stats stats;
	struct rte_pmd_tsi721_msg_in in[32];
	uint8_t head[20] = { [10] = 0x55 };
	unsigned int op, i, refused = 0;
	int n;

	(void)state;
	start(b, 0, NULL, NULL);
	listen_on(b, PORT);
	assert_int_equal(rte_pmd_tsi721_cm_open(b->id, PORT + 1), PORT + 1);
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, MBOX, 256, 256, SOCKET_ID_ANY), 0);
	for (i = 0; i < 2000; i++) {
		op = i % 5;
		head[11] = (uint8_t)op;
		head[13] = (uint8_t)(i / 5 % 3 == 0 ? PORT : i / 5 % 3 == 1 ? PORT + 1 : 200);
		head[14] = (uint8_t)(i >> 8 | 0x10);
		head[15] = (uint8_t)i;
		head[16] = (uint8_t)(i / 7);
		head[17] = 24;
		inject(head, 24);
		n = rte_pmd_tsi721_msg_peek(a->id, MBOX, in, 32);
		assert_true(n >= 0);
		refused += (unsigned int)n;
		rte_pmd_tsi721_msg_release(a->id, MBOX, (unsigned int)n);
	}
	assert_int_equal(rte_pmd_tsi721_cm_stats_get(b->id, &stats), 0);
	assert_int_equal(stats.requests, 400);
	assert_int_equal(stats.rx_messages, 0);
	assert_true(stats.refused >= 390);
	assert_true(stats.malformed >= 400);
	assert_true(stats.strays > 400);
	assert_in_range(refused, stats.refused, 2000);
	/* It holds half of a backlog, and nothing else. */
	assert_int_equal(rte_pmd_tsi721_cm_info_get(b->id, PORT, &info), 0);
	assert_int_equal(info.state, RTE_PMD_TSI721_CM_LISTENING);
	assert_in_range(info.waiting, 0, 4);
	assert_int_equal(rte_pmd_tsi721_cm_info_get(b->id, PORT + 1, &info), 0);
	assert_int_equal(info.state, RTE_PMD_TSI721_CM_OPEN);
	/* The one that comes with a connection has it. */
	assert_int_equal(rte_pmd_tsi721_mbox_close(a->id, MBOX), 0);
	assert_int_equal(rte_pmd_tsi721_cm_close(b->id, PORT), 0);
	listen_on(b, PORT);
	start(a, 0, NULL, NULL);
	join(&(uint16_t){ 0 });
}

/* Closing the rawdev stops it. */
static void
device_closed(void **state)
{
	uint16_t at, ch = both(&at);
	uint8_t buf[8];

	(void)state;
	(void)ch;
	assert_int_equal(rte_rawdev_close(a->id), 0);
	assert_int_equal(UNTIL(rte_pmd_tsi721_cm_receive(b->id, at, buf, 8)), -ECONNRESET);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, rig_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lengths), TEST(errors), TEST(configurations), TEST(not_connected),
		TEST(death), TEST(backpressure), TEST(overflow), TEST(sleeper), TEST(by_interrupt),
		TEST(held_by_interrupt), TEST(threads), TEST(hostile),
		TEST(device_closed),
	};

	return cmocka_run_group_tests(tests, rig_eal, NULL);
}
