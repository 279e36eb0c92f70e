/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * One of two processes that talk in channelised messages:
 *
 *   channels EAL-OPTION... -- serve poll|sleep CHANNEL CONNECTIONS
 *   channels EAL-OPTION... -- talk DESTID CHANNEL CONNECTIONS MESSAGES
 *
 * The first sends back what comes, until that many connections have ended. The second
 * checks that all comes back as it was. Both look every 100 ms whether the others are
 * alive, and say at the end how many messages that were, and how connections ended.
 */

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_pmd_tsi721.h>
#include <rte_pmd_tsi721_cm.h>

#define DEVICE		0
#define CONNECTIONS_MAX	64
#define WINDOW		16u	/* messages that one connection has on their way */
#define PROBE_MS	100
#define WAIT_MS		30000u

static uint16_t conns[CONNECTIONS_MAX];
static int nb_conns;
static uint64_t messages;
static int closed, lost;

static int
no(const char *what, int err)
{
	fprintf(stderr, "channels: %s: %s\n", what, strerror(-err));
	return 1;
}

static int
ended(int i, int why)
{
	if (why == -ECONNRESET)
		closed++;
	else if (why == -EHOSTUNREACH)
		lost++;
	else
		return no("connection", why);
	rte_pmd_tsi721_cm_close(DEVICE, conns[i]);
	conns[i] = 0;
	return 0;
}

/* Every now and then, see who is alive. */
static void
probe(void)
{
	static uint64_t next;
	int i;

	if (rte_get_timer_cycles() < next)
		return;
	next = rte_get_timer_cycles() + rte_get_timer_hz() / 1000 * PROBE_MS;
	for (i = 0; i < nb_conns; i++)
		if (conns[i] != 0)
			rte_pmd_tsi721_cm_probe(DEVICE, conns[i]);
}

/* --- the one that serves --- */

static int
take(uint16_t listener)
{
	int ch;

	while ((ch = rte_pmd_tsi721_cm_accept(DEVICE, listener)) > 0 && nb_conns < CONNECTIONS_MAX)
		conns[nb_conns++] = (uint16_t)ch;
	return ch == -EAGAIN ? 0 : no("accept", ch);
}

static int
give_back(int i)
{
	uint8_t buf[RTE_PMD_TSI721_CM_MAX];
	int len, ret;

	while ((len = rte_pmd_tsi721_cm_receive(DEVICE, conns[i], buf, sizeof(buf))) >= 0) {
		do
			ret = rte_pmd_tsi721_cm_send(DEVICE, conns[i], buf, (uint32_t)len);
		while (ret == -EAGAIN);
		/* Who has ended may have sent more before. */
		if (ret != 0 && ret != -ECONNRESET && ret != -EHOSTUNREACH)
			return no("send", ret);
		messages += ret == 0;
	}
	return len == -EAGAIN ? 0 : ended(i, len);
}

static int
serve_event(uint16_t listener, uint16_t channel)
{
	int i;

	if (channel == listener)
		return take(listener);
	for (i = 0; i < nb_conns; i++)
		if (conns[i] == channel)
			return give_back(i);
	return 0;
}

/* Nothing has happened: sleep, if told so, and see who is alive. */
static void
serve_idle(int fd)
{
	if (fd >= 0 && rte_pmd_tsi721_intr_arm(DEVICE, RTE_PMD_TSI721_INTR_MSG_IN,
					       RTE_PMD_TSI721_CM_MBOX) == 0)
		poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, PROBE_MS);
	probe();
}

static int
serve(char **arg)
{
	uint16_t listener = (uint16_t)atoi(arg[1]);
	int wanted = atoi(arg[2]), fd = -1, ch, ret;
	uint32_t events;

	ret = rte_pmd_tsi721_cm_open(DEVICE, listener);
	if (ret >= 0)
		ret = rte_pmd_tsi721_cm_listen(DEVICE, listener, RTE_PMD_TSI721_CM_BACKLOG_MAX);
	if (ret < 0)
		return no("listen", ret);
	if (strcmp(arg[0], "sleep") == 0) {
		fd = rte_pmd_tsi721_intr_open(DEVICE, RTE_PMD_TSI721_INTR_MSG_IN,
					      RTE_PMD_TSI721_CM_MBOX);
		if (fd < 0)
			return no("interrupt", fd);
	}
	printf("listening\n");
	fflush(stdout);
	while (closed + lost < wanted) {
		ch = rte_pmd_tsi721_cm_next(DEVICE, &events);
		if (ch == 0)
			serve_idle(fd);
		else if (serve_event(listener, (uint16_t)ch) != 0)
			return 1;
	}
	return 0;
}

/* --- the one that talks --- */

static uint32_t
length(int conn, uint32_t nr)
{
	uint32_t h = ((uint32_t)conn * 7919u + nr) * 2654435761u >> 16;

	return nr % 16 == 0 ? RTE_PMD_TSI721_CM_MAX : h % (RTE_PMD_TSI721_CM_MAX + 1);
}

static void
fill(uint8_t *p, int conn, uint32_t nr)
{
	uint32_t i, x = (uint32_t)conn * 0x01000193u ^ nr * 0x9e3779b9u;

	for (i = 0; i < length(conn, nr); i++) {
		x = x * 1664525u + 1013904223u;
		p[i] = (uint8_t)(x >> 24);
	}
}

/* 0, 1 something is wrong, or a negative errno: the connection ended. */
static int
talk_step(int i, uint32_t *sent, uint32_t *back, uint32_t wanted)
{
	uint8_t out[RTE_PMD_TSI721_CM_MAX], in[RTE_PMD_TSI721_CM_MAX];
	int ret = 0;

	while (*sent < wanted && *sent - *back < WINDOW) {
		fill(out, i, *sent);
		ret = rte_pmd_tsi721_cm_send(DEVICE, conns[i], out, length(i, *sent));
		if (ret != 0)
			break;
		(*sent)++;
	}
	if (ret != 0 && ret != -EAGAIN)
		return ret;
	while ((ret = rte_pmd_tsi721_cm_receive(DEVICE, conns[i], in, sizeof(in))) >= 0) {
		fill(out, i, *back);
		if (ret != (int)length(i, *back) || memcmp(in, out, (size_t)ret) != 0) {
			fprintf(stderr, "channels: message %u of %d came back different\n", *back, i);
			return 1;
		}
		(*back)++;
		messages++;
	}
	return ret == -EAGAIN ? 0 : ret;
}

static int
talk(char **arg)
{
	uint32_t sent[CONNECTIONS_MAX] = { 0 }, back[CONNECTIONS_MAX] = { 0 };
	uint32_t wanted = (uint32_t)atoi(arg[3]);
	int i, ret, left;

	nb_conns = atoi(arg[2]);
	for (i = 0; i < nb_conns; i++) {
		ret = rte_pmd_tsi721_cm_open(DEVICE, 0);
		if (ret < 0)
			return no("open", ret);
		conns[i] = (uint16_t)ret;
		ret = rte_pmd_tsi721_cm_connect(DEVICE, conns[i], (uint16_t)atoi(arg[0]),
						(uint16_t)atoi(arg[1]), WAIT_MS);
		if (ret != 0)
			return no("connect", ret);
	}
	printf("connected\n");
	fflush(stdout);
	do {
		probe();
		left = 0;
		for (i = 0; i < nb_conns; i++) {
			if (conns[i] == 0)
				continue;
			ret = talk_step(i, &sent[i], &back[i], wanted);
			if (ret == 1 || (ret < 0 && ended(i, ret) != 0))
				return 1;
			left += conns[i] != 0 && back[i] < wanted;
		}
	} while (left != 0);
	for (i = 0; i < nb_conns; i++)
		if (conns[i] != 0)
			rte_pmd_tsi721_cm_close(DEVICE, conns[i]);
	return 0;
}

int
main(int argc, char **argv)
{
	struct rte_pmd_tsi721_cm_conf conf;
	int ret = rte_eal_init(argc, argv);

	if (ret < 0)
		return 1;
	argc -= ret;
	argv += ret;
	ret = rte_pmd_tsi721_cm_conf_get(DEVICE, &conf);
	conf.flags = RTE_PMD_TSI721_CM_HOLD;
	conf.buffers = 4096;
	if (ret == 0)
		ret = rte_pmd_tsi721_cm_start(DEVICE, &conf);
	if (ret != 0)
		return no("start", ret);
	if (argc == 5 && strcmp(argv[1], "serve") == 0)
		ret = serve(argv + 2);
	else if (argc == 6 && strcmp(argv[1], "talk") == 0 && atoi(argv[4]) <= CONNECTIONS_MAX)
		ret = talk(argv + 2);
	else
		ret = no("serve poll|sleep CHANNEL CONNECTIONS | talk DESTID CHANNEL CONNECTIONS "
			 "MESSAGES", -EINVAL);
	printf("%lu messages, %d closed, %d lost\n", messages, closed, lost);
	rte_pmd_tsi721_cm_stop(DEVICE);
	return rte_eal_cleanup() == 0 ? ret : 1;
}
