/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The public API of channelised messages: rio_cm over a mailbox of the device. */

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_memcpy.h>
#include <rte_pause.h>
#include <rte_random.h>

#include "tsi721_cm_priv.h"
#include "tsi721_device.h"
#include "tsi721_ring.h"

#define CM_NONE		UINT32_MAX
#define CM_OUT_MAX	4096u
#define CM_STOP_MS	100u
#define CM_SPINS	200u	/* of who waits, before it sleeps between looks */
#define CM_SLEEP_US	20u

_Static_assert(RTE_PMD_TSI721_CM_MAX == RIO_CM_DATA_MAX &&
	       RTE_PMD_TSI721_CM_BACKLOG_MAX == RIO_CM_BACKLOG_MAX &&
	       RTE_PMD_TSI721_CM_EV_ACCEPT == RIO_CM_EV_ACCEPT &&
	       RTE_PMD_TSI721_CM_EV_CONNECTED == RIO_CM_EV_CONNECTED &&
	       RTE_PMD_TSI721_CM_EV_RECEIVE == RIO_CM_EV_RECEIVE &&
	       RTE_PMD_TSI721_CM_EV_SEND == RIO_CM_EV_SEND &&
	       RTE_PMD_TSI721_CM_EV_ENDED == RIO_CM_EV_ENDED, "limits or events differ");
_Static_assert((int)RTE_PMD_TSI721_CM_OPEN == (int)RIO_CM_OPEN &&
	       (int)RTE_PMD_TSI721_CM_ENDED == (int)RIO_CM_ENDED, "states differ");
_Static_assert(sizeof(struct rte_pmd_tsi721_cm_stats) == sizeof(struct rio_cm_stats) &&
	       offsetof(struct rte_pmd_tsi721_cm_stats, malformed) ==
	       offsetof(struct rio_cm_stats, malformed) &&
	       offsetof(struct rte_pmd_tsi721_cm_stats, replies_lost) ==
	       offsetof(struct rio_cm_stats, replies_lost), "statistics differ");

/* --- between the protocol and the mailbox --- */

static int
cm_send(void *ctx, uint16_t destid, const uint8_t *head, const void *data, uint32_t len,
	uint32_t serial)
{
	struct tsi721_cm *c = ctx;
	uint32_t nr = c->free_slots, size = RTE_ALIGN_CEIL(RIO_CM_HEADER + len, 8u);
	uint64_t off = (uint64_t)nr * RIO_CM_MESSAGE_MAX;
	uint8_t *msg;

	if (nr == CM_NONE)
		return -EAGAIN;
	msg = RTE_PTR_ADD(c->mz->addr, off);
	rte_memcpy(msg, head, RIO_CM_HEADER);
	if (len != 0)
		rte_memcpy(msg + RIO_CM_HEADER, data, len);
	memset(msg + RIO_CM_HEADER + len, 0, size - RIO_CM_HEADER - len);
	if (tsi721_omsg_post(c->out, destid, 0, c->mz->iova + off, size,
			     (void *)(uintptr_t)nr) != 0)
		return -EAGAIN;
	c->free_slots = c->slots[nr].next;
	c->slots[nr].destid = destid;
	c->slots[nr].serial = serial;
	c->used_slots++;
	tsi721_omsg_kick(c->out);
	return 0;
}

static uint16_t
cm_destid(void *ctx)
{
	struct tsi721_cm *c = ctx;

	return tsi721_device_destid(c->raw->dev);
}

static const struct rio_cm_ops cm_ops = { cm_send, cm_destid };

static unsigned int
cm_reap(struct tsi721_cm *c)
{
	void *cookies[CM_BURST];
	int status[CM_BURST];
	struct cm_slot *slot;
	unsigned int n, i;

	n = tsi721_omsg_reap(c->out, cookies, status, CM_BURST);
	for (i = 0; i < n; i++) {
		slot = &c->slots[(uintptr_t)cookies[i]];
		slot->next = c->free_slots;
		c->free_slots = (uint32_t)(uintptr_t)cookies[i];
		c->used_slots--;
		if (status[i] != 0)
			rio_cm_failed(c->cm, slot->destid, slot->serial);
	}
	if (n != 0)
		rio_cm_flush(c->cm);
	return n;
}

static unsigned int
cm_take_in(struct tsi721_cm *c)
{
	struct tsi721_imsg_info info[CM_BURST];
	unsigned int n, i;

	n = tsi721_imsg_poll(c->in, info, CM_BURST);
	for (i = 0; i < n && rio_cm_input(c->cm, info[i].src, info[i].data, info[i].len); i++)
		;
	c->held = i < n;
	if (i != 0)
		tsi721_imsg_release(c->in, i);
	return i;
}

bool
tsi721_cm_run(struct tsi721_cm *c)
{
	unsigned int n = cm_reap(c);

	return cm_take_in(c) + n != 0;
}

/* --- start and stop --- */

static int
cm_bad(const struct tsi721_rawdev *raw, const char *what, uint32_t is, uint32_t min, uint32_t max)
{
	if (is >= min && is <= max)
		return 0;
	TSI721_LOG(ERR, raw->dev, "channelised messages: %s %u: allowed are %u to %u", what, is, min,
		   max);
	return -EINVAL;
}

static int
cm_ring_bad(const struct tsi721_rawdev *raw, const char *what, uint32_t is, uint32_t max)
{
	if (is >= TSI721_RING_MIN && is <= max && (is & (is - 1)) == 0)
		return 0;
	TSI721_LOG(ERR, raw->dev, "channelised messages: %s %u: allowed are powers of two, %u to %u",
		   what, is, TSI721_RING_MIN, max);
	return -EINVAL;
}

static int
cm_conf_check(const struct tsi721_rawdev *raw, const struct rte_pmd_tsi721_cm_conf *conf)
{
	if (cm_bad(raw, "mailbox", conf->mbox, 0, RTE_PMD_TSI721_MBOXES - 1) != 0 ||
	    cm_bad(raw, "flags", conf->flags, 0, RTE_PMD_TSI721_CM_HOLD) != 0 ||
	    cm_bad(raw, "first number", conf->first, 1, UINT16_MAX) != 0 ||
	    cm_bad(raw, "channels", conf->channels, 1, RIO_CM_CHANNELS_MAX) != 0 ||
	    cm_bad(raw, "queue", conf->queue, 1, RIO_CM_QUEUE_MAX) != 0 ||
	    cm_bad(raw, "buffers", conf->buffers, 1, RIO_CM_BUFFERS_MAX) != 0 ||
	    cm_ring_bad(raw, "nb_out", conf->nb_out, CM_OUT_MAX) != 0 ||
	    cm_ring_bad(raw, "nb_in", conf->nb_in, TSI721_RING_MAX) != 0)
		return -EINVAL;
	return 0;
}

static int
cm_rio_start(struct tsi721_cm *c, const struct rte_pmd_tsi721_cm_conf *conf, int socket)
{
	struct rio_cm_conf rio = {
		.channels = conf->channels,
		.queue = conf->queue,
		.buffers = conf->buffers,
		.first = conf->first,
		.mbox = conf->mbox,
		.hold = (conf->flags & RTE_PMD_TSI721_CM_HOLD) != 0,
	};
	void *mem;

	/* Anywhere: what peers still have of an earlier process is not met again at once. */
	rio.next = (uint16_t)(rio.first + rte_rand_max(UINT16_MAX + 1u - rio.first));
	mem = rte_zmalloc_socket("tsi721_cm", rio_cm_size(&rio), RTE_CACHE_LINE_SIZE, socket);
	if (mem == NULL) {
		TSI721_LOG(ERR, c->raw->dev, "channelised messages: no %zu bytes for %u channels and "
			   "%u buffers", rio_cm_size(&rio), rio.channels, rio.buffers);
		return -ENOMEM;
	}
	c->cm = rio_cm_init(mem, &rio, &cm_ops, c);
	return 0;
}

static int
cm_slots_start(struct tsi721_cm *c, uint32_t nb, int socket)
{
	uint32_t i;

	c->slots = rte_zmalloc_socket("tsi721_cm", nb * sizeof(*c->slots), 0, socket);
	c->mz = tsi721_mem_reserve(c->raw->dev, "cm", c->mbox, (size_t)nb * RIO_CM_MESSAGE_MAX,
				   RIO_CM_MESSAGE_MAX, socket);
	if (c->slots == NULL || c->mz == NULL)
		return -ENOMEM;
	for (i = 0; i < nb; i++)
		c->slots[i].next = i + 1 < nb ? i + 1 : CM_NONE;
	c->nb_slots = nb;
	return 0;
}

/* Whatever of it is there. */
static void
cm_free(struct tsi721_cm *c)
{
	tsi721_cm_intr_stop(c);
	tsi721_omsg_close(c->out, NULL, NULL);
	tsi721_imsg_close(c->in);
	tsi721_ring_free(c->mz);
	rte_free(c->slots);
	rte_free(c->cm);
	rte_free(c);
}

static int
cm_start(struct tsi721_cm *c, const struct rte_pmd_tsi721_cm_conf *conf)
{
	struct tsi721_device *dev = c->raw->dev;
	int socket = conf->socket_id == SOCKET_ID_ANY ? dev->socket_id : conf->socket_id, ret;

	ret = cm_slots_start(c, conf->nb_out, socket);
	if (ret == 0)
		ret = cm_rio_start(c, conf, socket);
	if (ret == 0)
		ret = tsi721_omsg_open(dev, c->mbox, conf->nb_out, socket, &c->out);
	if (ret == 0)
		ret = tsi721_imsg_open(dev, c->mbox, conf->nb_in, socket, &c->in);
	if (ret == 0 && c->cb != NULL)
		ret = tsi721_cm_intr_start(c);
	return ret;
}

int
rte_pmd_tsi721_cm_conf_get(uint16_t dev_id, struct rte_pmd_tsi721_cm_conf *conf)
{
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id);

	if (raw == NULL)
		return -ENODEV;
	if (conf == NULL)
		return -EINVAL;
	*conf = (struct rte_pmd_tsi721_cm_conf){
		.mbox = RTE_PMD_TSI721_CM_MBOX,
		.first = 256,
		.channels = 256,
		.queue = 128,
		.buffers = 512,
		.nb_out = 128,
		.nb_in = 128,
		.socket_id = raw->dev->socket_id,
	};
	return 0;
}

int
rte_pmd_tsi721_cm_start(uint16_t dev_id, const struct rte_pmd_tsi721_cm_conf *conf)
{
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id);
	struct rte_pmd_tsi721_cm_conf defaults;
	struct tsi721_cm *c;
	int ret;

	if (raw == NULL)
		return -ENODEV;
	if (raw->cm != NULL)
		return -EBUSY;
	rte_pmd_tsi721_cm_conf_get(dev_id, &defaults);
	if (conf == NULL)
		conf = &defaults;
	ret = cm_conf_check(raw, conf);
	if (ret != 0)
		return ret;
	c = rte_zmalloc("tsi721_cm", sizeof(*c), 0);
	if (c == NULL)
		return -ENOMEM;
	rte_spinlock_init(&c->lock);
	c->raw = raw;
	c->dev_id = dev_id;
	c->mbox = conf->mbox;
	c->cb = conf->cb;
	c->arg = conf->arg;
	c->fds[0] = c->fds[1] = -1;
	ret = cm_start(c, conf);
	if (ret != 0)
		cm_free(c);
	else
		raw->cm = c;
	return ret;
}

void
tsi721_cm_release(struct tsi721_rawdev *raw)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * CM_STOP_MS / 1000;
	struct tsi721_cm *c = raw->cm;

	if (c == NULL)
		return;
	tsi721_cm_intr_stop(c);
	rte_spinlock_lock(&c->lock);
	rio_cm_close_all(c->cm);
	/* What comes meanwhile is answered too: nothing is open any more. */
	while ((!rio_cm_flush(c->cm) || c->used_slots != 0) && rte_get_timer_cycles() < end)
		if (!tsi721_cm_run(c))
			rte_pause();
	rte_spinlock_unlock(&c->lock);
	raw->cm = NULL;
	/* Eventfds of an application that polls. */
	tsi721_rawdev_events_close(raw, TSI721_INTR_OMSG, 1u << c->mbox);
	tsi721_rawdev_events_close(raw, TSI721_INTR_IMSG, 1u << c->mbox);
	cm_free(c);
}

bool
tsi721_cm_waits_for(const struct tsi721_rawdev *raw, unsigned int mbox)
{
	return raw->cm != NULL && raw->cm->cb == NULL && raw->cm->mbox == mbox;
}

/* --- calls --- */

#define CM_OR_RETURN(c, dev_id) \
	struct tsi721_cm *c = cm_of(dev_id); \
	if (unlikely(c == NULL)) \
		return -ENODEV

static inline struct tsi721_cm *
cm_of(uint16_t dev_id)
{
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id);

	return likely(raw != NULL) ? raw->cm : NULL;
}

static inline void
cm_enter(struct tsi721_cm *c)
{
	rte_spinlock_lock(&c->lock);
	if (c->cb == NULL)
		tsi721_cm_run(c);
}

static inline int
cm_leave(struct tsi721_cm *c, int ret)
{
	rte_spinlock_unlock(&c->lock);
	return ret;
}

int
rte_pmd_tsi721_cm_stop(uint16_t dev_id)
{
	CM_OR_RETURN(c, dev_id);

	tsi721_cm_release(c->raw);
	return 0;
}

int
rte_pmd_tsi721_cm_open(uint16_t dev_id, uint16_t number)
{
	CM_OR_RETURN(c, dev_id);

	cm_enter(c);
	return cm_leave(c, rio_cm_open(c->cm, number));
}

/* Room for messages was made: what was held comes in, and is reported. */
static inline void
cm_room(struct tsi721_cm *c)
{
	if (c->held && c->cb != NULL)
		tsi721_cm_intr_again(c);
}

int
rte_pmd_tsi721_cm_close(uint16_t dev_id, uint16_t channel)
{
	CM_OR_RETURN(c, dev_id);
	int ret;

	cm_enter(c);
	ret = rio_cm_close(c->cm, channel);
	cm_room(c);
	return cm_leave(c, ret);
}

int
rte_pmd_tsi721_cm_listen(uint16_t dev_id, uint16_t channel, uint32_t backlog)
{
	CM_OR_RETURN(c, dev_id);

	cm_enter(c);
	return cm_leave(c, rio_cm_listen(c->cm, channel, backlog));
}

int
rte_pmd_tsi721_cm_accept(uint16_t dev_id, uint16_t channel)
{
	CM_OR_RETURN(c, dev_id);

	cm_enter(c);
	return cm_leave(c, rio_cm_accept(c->cm, channel));
}

/* One look: sends the request if it was not, else how it stands. */
static int
cm_connect(struct tsi721_cm *c, uint16_t channel, uint16_t destid, uint16_t remote)
{
	int ret;

	cm_enter(c);
	ret = rio_cm_connected(c->cm, channel);
	if (ret == -EINVAL) {
		ret = rio_cm_connect(c->cm, channel, destid, remote);
		if (ret == 0)
			ret = -EINPROGRESS;
	}
	return cm_leave(c, ret);
}

int
rte_pmd_tsi721_cm_connect(uint16_t dev_id, uint16_t channel, uint16_t destid, uint16_t remote,
			  uint32_t timeout_ms)
{
	CM_OR_RETURN(c, dev_id);
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() / 1000 * timeout_ms;
	unsigned int spins = 0;
	int ret;

	if (!c->raw->dev->sys16 && destid > RIO_ANY_DESTID_8)
		return -EINVAL;
	for (;;) {
		ret = cm_connect(c, channel, destid, remote);
		if ((ret != -EINPROGRESS && ret != -EAGAIN) || timeout_ms == 0)
			return ret;
		if (rte_get_timer_cycles() >= end)
			break;
		if (spins++ < CM_SPINS)
			rte_pause();
		else
			rte_delay_us_sleep(CM_SLEEP_US);
	}
	/* It may be connected at this very moment. */
	cm_enter(c);
	ret = rio_cm_connected(c->cm, channel);
	if (ret == -EINPROGRESS || ret == -EINVAL) {
		rio_cm_give_up(c->cm, channel);
		ret = -ETIMEDOUT;
	}
	return cm_leave(c, ret);
}

int
rte_pmd_tsi721_cm_send(uint16_t dev_id, uint16_t channel, const void *data, uint32_t len)
{
	CM_OR_RETURN(c, dev_id);

	if (unlikely(data == NULL && len != 0))
		return -EINVAL;
	cm_enter(c);
	return cm_leave(c, rio_cm_send(c->cm, channel, data, len));
}

int
rte_pmd_tsi721_cm_receive(uint16_t dev_id, uint16_t channel, void *buf, uint32_t size)
{
	CM_OR_RETURN(c, dev_id);
	int ret;

	if (unlikely(buf == NULL && size != 0))
		return -EINVAL;
	cm_enter(c);
	ret = rio_cm_receive(c->cm, channel, buf, size);
	if (ret >= 0)
		cm_room(c);
	return cm_leave(c, ret);
}

int
rte_pmd_tsi721_cm_probe(uint16_t dev_id, uint16_t channel)
{
	CM_OR_RETURN(c, dev_id);

	cm_enter(c);
	return cm_leave(c, rio_cm_probe(c->cm, channel));
}

int
rte_pmd_tsi721_cm_info_get(uint16_t dev_id, uint16_t channel,
			   struct rte_pmd_tsi721_cm_info *info)
{
	CM_OR_RETURN(c, dev_id);
	struct rio_cm_info rio = { .state = RIO_CM_FREE };
	int ret;

	if (info == NULL)
		return -EINVAL;
	cm_enter(c);
	ret = rio_cm_info(c->cm, channel, &rio);
	*info = (struct rte_pmd_tsi721_cm_info){
		(enum rte_pmd_tsi721_cm_state)rio.state, rio.destid, rio.remote, rio.waiting,
	};
	return cm_leave(c, ret);
}

int
rte_pmd_tsi721_cm_next(uint16_t dev_id, uint32_t *events)
{
	CM_OR_RETURN(c, dev_id);
	uint16_t number = 0;

	if (c->cb != NULL || events == NULL)
		return -EINVAL;
	cm_enter(c);
	*events = rio_cm_next(c->cm, &number);
	return cm_leave(c, *events != 0 ? number : 0);
}

int
rte_pmd_tsi721_cm_stats_get(uint16_t dev_id, struct rte_pmd_tsi721_cm_stats *stats)
{
	CM_OR_RETURN(c, dev_id);

	if (stats == NULL)
		return -EINVAL;
	cm_enter(c);
	memcpy(stats, rio_cm_stats(c->cm), sizeof(*stats));
	return cm_leave(c, 0);
}
