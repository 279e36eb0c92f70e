/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The DPDK side of a talk over channelised messages. */

#include <inttypes.h>

#include <rte_cycles.h>
#include <rte_pmd_tsi721_cm.h>

#include "cm_steps.h"
#include "dpdk_cm.h"

#define DEVICE		0
#define SILENCE_MS	500u
#define LOOK_US		50u

static int
no(const char *what, int err)
{
	printf("%s: %s\n", what, strerror(-err));
	return 1;
}

static uint64_t
deadline(void)
{
	return rte_get_timer_cycles() + rte_get_timer_hz() / 1000 * CM_WAIT_MS;
}

/* Whether to try again what is not ready yet. */
static int
again(int ret, uint64_t end)
{
	if (ret != -EAGAIN || rte_get_timer_cycles() > end)
		return 0;
	rte_delay_us_sleep(LOOK_US);
	return 1;
}

static int
dpdk_send(void *ctx, const uint8_t *data, unsigned int len)
{
	uint64_t end = deadline();
	int ret;

	do
		ret = rte_pmd_tsi721_cm_send(DEVICE, *(uint16_t *)ctx, data, len);
	while (again(ret, end));
	return ret == 0 ? 0 : no("send", ret);
}

static int
dpdk_receive(void *ctx, uint8_t *data)
{
	uint64_t end = deadline();
	int ret;

	do
		ret = rte_pmd_tsi721_cm_receive(DEVICE, *(uint16_t *)ctx, data, CM_DATA_MAX);
	while (again(ret, end));
	if (ret >= 0)
		return ret;
	if (ret == -ECONNRESET)
		return -1;
	no("receive", ret);
	return -2;
}

static int
dpdk_close(void *ctx)
{
	int ret = rte_pmd_tsi721_cm_close(DEVICE, *(uint16_t *)ctx);

	return ret == 0 ? 0 : no("close", ret);
}

int
run_cm_start(char **arg)
{
	int ret = rte_pmd_tsi721_cm_start(DEVICE, NULL);

	(void)arg;
	return ret == 0 ? 0 : no("start", ret);
}

int
run_cm_listen(char **arg)
{
	uint16_t channel = (uint16_t)number(arg[0]);
	int ret = rte_pmd_tsi721_cm_open(DEVICE, channel);

	if (ret >= 0)
		ret = rte_pmd_tsi721_cm_listen(DEVICE, channel, 8);
	return ret == 0 ? 0 : no("listen", ret);
}

int
run_cm_serve(char **arg)
{
	uint64_t end = deadline();
	uint16_t ch;
	struct cm_side side = { dpdk_send, dpdk_receive, dpdk_close, &ch };
	int ret;

	do
		ret = rte_pmd_tsi721_cm_accept(DEVICE, (uint16_t)number(arg[0]));
	while (again(ret, end));
	if (ret < 0)
		return no("accept", ret);
	ch = (uint16_t)ret;
	return cm_serve(&side, number(arg[1]) == 1);
}

/* Number of a channel that is connected, or a negative errno. */
static int
join(char **arg, uint32_t timeout_ms)
{
	int ch = rte_pmd_tsi721_cm_open(DEVICE, 0), ret;

	if (ch < 0)
		return ch;
	ret = rte_pmd_tsi721_cm_connect(DEVICE, (uint16_t)ch, (uint16_t)number(arg[0]),
					(uint16_t)number(arg[1]), timeout_ms);
	if (ret == 0)
		return ch;
	rte_pmd_tsi721_cm_close(DEVICE, (uint16_t)ch);
	return ret;
}

int
run_cm_talk(char **arg)
{
	uint16_t ch;
	struct cm_side side = { dpdk_send, dpdk_receive, dpdk_close, &ch };
	int ret = join(arg, CM_WAIT_MS);

	if (ret < 0)
		return no("connect", ret);
	ch = (uint16_t)ret;
	return cm_talk(&side, number(arg[2]) == 1);
}

int
run_cm_silence(char **arg)
{
	int ret = join(arg, SILENCE_MS);

	return ret == -ETIMEDOUT ? 0 : no("connect", ret);
}

static uint16_t connected;

int
run_cm_connect(char **arg)
{
	int ret = join(arg, CM_WAIT_MS);

	connected = ret > 0 ? (uint16_t)ret : 0;
	return ret > 0 ? 0 : no("connect", ret);
}

int
run_cm_lost(char **arg)
{
	int ret, want = strcmp(arg[0], "closed") == 0 ? -ECONNRESET : -EHOSTUNREACH;
	uint64_t end = deadline();

	do
		ret = rte_pmd_tsi721_cm_probe(DEVICE, connected);
	while (again(ret == 0 ? -EAGAIN : ret, end));
	if (ret != want)
		return no("probe", ret);
	return dpdk_close(&connected);
}

int
run_cm_refuse(char **arg)
{
	struct rte_pmd_tsi721_cm_stats stats;
	uint64_t end = deadline();
	int ret;

	(void)arg;
	do
		ret = rte_pmd_tsi721_cm_stats_get(DEVICE, &stats);
	while (again(ret == 0 && stats.refused == 0 ? -EAGAIN : ret, end));
	return ret == 0 && stats.refused == 1 ? 0 : no("refusal", ret);
}

int
run_cm_stats(char **arg)
{
	struct rte_pmd_tsi721_cm_stats stats;
	int ret = rte_pmd_tsi721_cm_stats_get(DEVICE, &stats);

	(void)arg;
	if (ret != 0)
		return no("stats", ret);
	printf("malformed %" PRIu64 "\nstrays %" PRIu64 "\noverflows %" PRIu64 "\n"
	       "replies_lost %" PRIu64 "\n", stats.malformed, stats.strays, stats.overflows,
	       stats.replies_lost);
	return 0;
}
