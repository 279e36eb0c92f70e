/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Both ends: devices, polling and sleeping; the receiver counts and answers. */

#include <poll.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_pmd_tsi721.h>
#include <rte_rawdev.h>

#include "app_error.h"
#include "doorbell.h"

#define BURST		256
#define SLEEP_MS	100	/* Ctrl-C is looked for then */

int
doorbell_find(unsigned int n, uint16_t *dev, uint16_t *destid)
{
	unsigned int left = rte_rawdev_count();

	/* Asking for one that is not there makes a line in the log. */
	for (uint16_t id = 0; left > 0 && id < RTE_RAWDEV_MAX_DEVS; id++) {
		struct rte_pmd_tsi721_info tsi721;
		struct rte_rawdev_info info;

		memset(&info, 0, sizeof(info));
		info.dev_private = &tsi721;
		if (rte_rawdev_info_get(id, &info, sizeof(tsi721)) < 0)
			continue;
		left--;
		if (strcmp(info.driver_name, "raw_tsi721") != 0 || n-- > 0)
			continue;
		*dev = id;
		*destid = tsi721.destid;
		return 0;
	}
	return -1;
}

static int
open_interrupt(struct doorbell_end *end)
{
	end->fd = -1;
	if (!end->interrupt)
		return 0;
	end->fd = rte_pmd_tsi721_intr_open(end->dev, RTE_PMD_TSI721_INTR_DOORBELL, 0);
	return end->fd >= 0 ? 0 : app_error("--interrupt: %s", rte_strerror(-end->fd));
}

static void
close_interrupt(struct doorbell_end *end)
{
	if (end->fd >= 0)
		rte_pmd_tsi721_intr_close(end->dev, RTE_PMD_TSI721_INTR_DOORBELL, 0);
	end->fd = -1;
}

void
doorbell_end_turn(struct doorbell_end *end)
{
	struct pollfd one = { .fd = end->fd, .events = POLLIN };

	if (rte_pmd_tsi721_doorbell_poll(end->dev, BURST) > 0 || end->fd < 0)
		return;
	if (rte_pmd_tsi721_intr_arm(end->dev, RTE_PMD_TSI721_INTR_DOORBELL, 0) != 0)
		return;
	end->sleeps++;
	poll(&one, 1, SLEEP_MS);
}

static void
on_counted(void *arg, uint16_t src, uint16_t info)
{
	struct doorbell_end *end = arg;

	(void)src;
	(void)info;
	atomic_store_explicit(&end->count,
			      atomic_load_explicit(&end->count, memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

static void
on_control(void *arg, uint16_t src, uint16_t info)
{
	struct doorbell_end *end = arg;
	uint64_t count = end->count;

	switch (info) {
	case DOORBELL_RESET:
		end->count = 0;
		/* The answer says that it was done. */
		__attribute__((fallthrough));
	case DOORBELL_PING:
		rte_pmd_tsi721_doorbell_send(end->dev, src, DOORBELL_PONG);
		break;
	case DOORBELL_COUNT:
		for (unsigned int i = 0; i < DOORBELL_BYTES; i++)
			rte_pmd_tsi721_doorbell_send(end->dev, src, (uint16_t)(
				DOORBELL_BYTE | (count >> 8 * i & 0xff)));
		break;
	default:
		end->beyond++;
	}
}

static int
request(struct doorbell_end *end, uint32_t first, uint32_t last, rte_pmd_tsi721_doorbell_cb cb,
	bool *done)
{
	int ret = rte_pmd_tsi721_doorbell_request(end->dev, (uint16_t)first, (uint16_t)last, cb, end);

	*done = ret == 0;
	return ret == 0 ? 0 : app_error("doorbells %#x to %#x of device %u: %s", first, last, end->dev,
					rte_strerror(-ret));
}

int
doorbell_receiver_open(struct doorbell_end *end, const struct doorbell_options *opt)
{
	end->first = opt->first;
	end->last = opt->last;
	end->interrupt = opt->interrupt;
	if (open_interrupt(end) < 0)
		return -1;
	if (request(end, opt->first, opt->last, on_counted, &end->counting) == 0 &&
	    request(end, DOORBELL_CONTROL, DOORBELL_PONG - 1, on_control, &end->answering) == 0)
		return 0;
	doorbell_receiver_close(end);
	return -1;
}

void
doorbell_receiver_close(struct doorbell_end *end)
{
	if (end->counting)
		rte_pmd_tsi721_doorbell_release(end->dev, (uint16_t)end->first,
						(uint16_t)end->last);
	if (end->answering)
		rte_pmd_tsi721_doorbell_release(end->dev, DOORBELL_CONTROL, DOORBELL_PONG - 1);
	end->counting = end->answering = false;
	close_interrupt(end);
}

/* What the sender waits for. */
static _Atomic uint64_t pongs;
static uint64_t bytes_value;
static unsigned int bytes_came;

static void
on_answer(void *arg, uint16_t src, uint16_t info)
{
	(void)arg;
	(void)src;
	if (info >= DOORBELL_BYTE) {
		if (bytes_came < DOORBELL_BYTES)
			bytes_value |= (uint64_t)(info & 0xff) << 8 * bytes_came;
		bytes_came++;
	} else {
		pongs++;
	}
}

int
doorbell_sender_open(struct doorbell_end *end, const struct doorbell_options *opt)
{
	end->interrupt = opt->interrupt;
	if (open_interrupt(end) < 0)
		return -1;
	if (request(end, DOORBELL_PONG, UINT16_MAX, on_answer, &end->answering) == 0)
		return 0;
	close_interrupt(end);
	return -1;
}

void
doorbell_sender_close(struct doorbell_end *end)
{
	if (end->answering)
		rte_pmd_tsi721_doorbell_release(end->dev, DOORBELL_PONG, UINT16_MAX);
	end->answering = false;
	close_interrupt(end);
}

uint64_t
doorbell_pongs(void)
{
	return pongs;
}

bool
doorbell_count_came(uint64_t *count)
{
	*count = bytes_value;
	return bytes_came == DOORBELL_BYTES;
}

void
doorbell_forget_count(void)
{
	bytes_value = 0;
	bytes_came = 0;
}
