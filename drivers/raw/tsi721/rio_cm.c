/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Channels, as the application sees them. */

#include <errno.h>
#include <string.h>

#include "rio_cm_priv.h"

#define CM_ALIGN(n)	(((n) + 63) & ~(size_t)63)

/* --- life --- */

size_t
rio_cm_size(const struct rio_cm_conf *conf)
{
	if (conf->channels == 0 || conf->channels > RIO_CM_CHANNELS_MAX ||
	    conf->queue == 0 || conf->queue > RIO_CM_QUEUE_MAX ||
	    conf->buffers == 0 || conf->buffers > RIO_CM_BUFFERS_MAX ||
	    conf->first == 0 || conf->next < conf->first)
		return 0;
	return CM_ALIGN(sizeof(struct rio_cm)) +
	       CM_ALIGN(conf->channels * sizeof(struct cm_channel)) +
	       CM_ALIGN(conf->channels * sizeof(uint32_t)) +
	       conf->buffers * sizeof(struct cm_buffer);
}

struct rio_cm *
rio_cm_init(void *mem, const struct rio_cm_conf *conf, const struct rio_cm_ops *ops, void *ctx)
{
	struct rio_cm *cm = mem;
	uint32_t i;

	cm->conf = *conf;
	cm->ops = ops;
	cm->ctx = ctx;
	cm->channels = (void *)((uint8_t *)mem + CM_ALIGN(sizeof(*cm)));
	cm->peers = (void *)((uint8_t *)cm->channels +
			     CM_ALIGN(conf->channels * sizeof(struct cm_channel)));
	cm->buffers = (void *)((uint8_t *)cm->peers +
			       CM_ALIGN(conf->channels * sizeof(uint32_t)));
	for (i = 0; i < conf->channels; i++)
		cm->channels[i].next = i + 1 < conf->channels ? i + 1 : CM_NONE;
	for (i = 0; i < conf->buffers; i++)
		cm->buffers[i].next = i + 1 < conf->buffers ? i + 1 : CM_NONE;
	cm->ready_head = cm->ready_tail = CM_NONE;
	cm->local = ops->destid(ctx);
	return cm;
}

static inline uint32_t
cm_index(const struct rio_cm *cm, const struct cm_channel *ch)
{
	return (uint32_t)(ch - cm->channels);
}

/* Give a free channel this number. */
static struct cm_channel *
cm_take(struct rio_cm *cm, uint16_t number)
{
	uint32_t index = cm->free_channels;
	struct cm_channel *ch = &cm->channels[index];

	cm->free_channels = ch->next;
	memset(ch, 0, offsetof(struct cm_channel, requests));
	ch->number = number;
	ch->state = RIO_CM_OPEN;
	ch->next = ch->head = ch->tail = CM_NONE;
	cm->map[number] = (uint16_t)(index + 1);
	cm->used[number / 64] |= UINT64_C(1) << number % 64;
	return ch;
}

static void
cm_buffers_drop(struct rio_cm *cm, struct cm_channel *ch)
{
	if (ch->head == CM_NONE)
		return;
	cm->buffers[ch->tail].next = cm->free_buffers;
	cm->free_buffers = ch->head;
	ch->head = ch->tail = CM_NONE;
	ch->waiting = 0;
}

static void
cm_unready(struct rio_cm *cm, struct cm_channel *ch)
{
	uint32_t *link = &cm->ready_head, before = CM_NONE, index = cm_index(cm, ch);

	if (!ch->ready)
		return;
	for (; *link != index; link = &cm->channels[*link].next)
		before = *link;
	*link = ch->next;
	if (cm->ready_tail == index)
		cm->ready_tail = before;
	ch->ready = false;
}

static void
cm_unwant(struct rio_cm *cm, struct cm_channel *ch)
{
	cm->wanting -= ch->wants_room;
	ch->wants_room = false;
}

static void
cm_undue(struct rio_cm *cm, struct cm_channel *ch)
{
	cm->due -= ch->due;
	ch->due = false;
}

static void
cm_free(struct rio_cm *cm, struct cm_channel *ch)
{
	cm_buffers_drop(cm, ch);
	cm_unready(cm, ch);
	cm_unwant(cm, ch);
	cm_undue(cm, ch);
	cm->map[ch->number] = 0;
	cm->peers[cm_index(cm, ch)] = 0;
	ch->state = RIO_CM_FREE;
	ch->next = cm->free_channels;
	cm->free_channels = cm_index(cm, ch);
}

/* --- events --- */

void
cm_event(struct rio_cm *cm, struct cm_channel *ch, uint32_t event)
{
	uint32_t index = cm_index(cm, ch);

	ch->events |= (uint8_t)event;
	if (ch->ready)
		return;
	ch->ready = true;
	ch->next = CM_NONE;
	if (cm->ready_tail == CM_NONE)
		cm->ready_head = index;
	else
		cm->channels[cm->ready_tail].next = index;
	cm->ready_tail = index;
}

uint32_t
rio_cm_next(struct rio_cm *cm, uint16_t *number)
{
	struct cm_channel *ch;
	uint32_t events;

	if (cm->ready_head == CM_NONE)
		return 0;
	ch = &cm->channels[cm->ready_head];
	events = ch->events;
	ch->events = 0;
	*number = ch->number;
	cm_unready(cm, ch);
	return events;
}

void
cm_end(struct rio_cm *cm, struct cm_channel *ch, int error)
{
	cm_undue(cm, ch);
	cm_unwant(cm, ch);
	cm->peers[cm_index(cm, ch)] = 0;
	ch->state = RIO_CM_ENDED;
	ch->error = error;
	cm_event(cm, ch, RIO_CM_EV_ENDED);
}

/* --- sending --- */

static inline void
put16(uint8_t *p, uint32_t val)
{
	p[0] = (uint8_t)(val >> 8);
	p[1] = (uint8_t)val;
}

static void
cm_head(const struct rio_cm *cm, uint8_t head[RIO_CM_HEADER], uint16_t local, uint16_t destid,
	enum rio_cm_op op, uint16_t from, uint16_t to)
{
	memset(head, 0, RIO_CM_HEADER);
	put16(head + 2, local);
	put16(head + 6, destid);
	head[8] = head[9] = cm->conf.mbox;
	head[10] = RIO_CM_TYPE;
	head[11] = (uint8_t)op;
	put16(head + 12, to);
	put16(head + 14, from);
}

/* 0 or -EAGAIN, as all here. */
static int
cm_put(struct rio_cm *cm, uint16_t destid, const uint8_t *head, const void *data, uint32_t len)
{
	return cm->ops->send(cm->ctx, destid, head, data, len, cm->serial) == 0 ? 0 : -EAGAIN;
}

static int
cm_put_close(struct rio_cm *cm, uint16_t destid, uint16_t from, uint16_t to)
{
	uint8_t head[RIO_CM_HEADER];

	cm_head(cm, head, cm->local, destid, RIO_CM_CLOSE, from, to);
	return cm_put(cm, destid, head, NULL, 0);
}

static int
cm_put_of(struct rio_cm *cm, const struct cm_channel *ch, enum rio_cm_op op)
{
	uint8_t head[RIO_CM_HEADER];

	cm_head(cm, head, ch->local, ch->destid, op, ch->number, ch->remote);
	return cm_put(cm, ch->destid, head, NULL, 0);
}

void
cm_refuse(struct rio_cm *cm, uint16_t destid, uint16_t from, uint16_t to)
{
	if (cm->nb_replies == 0 && cm->due == 0 &&
	    cm_put_close(cm, destid, from, to) == 0)
		return;
	if (cm->nb_replies == RIO_CM_REPLIES_MAX) {
		cm->stats.replies_lost++;
		return;
	}
	cm->replies[(cm->replies_head + cm->nb_replies++) % RIO_CM_REPLIES_MAX] =
		(struct cm_reply){ destid, from, to };
}

/* What a channel owes its other side. */
static bool
cm_pay(struct rio_cm *cm, struct cm_channel *ch)
{
	bool leaving = ch->state == RIO_CM_LEAVING;

	if (cm_put_of(cm, ch, leaving ? RIO_CM_CLOSE : RIO_CM_ACCEPT) != 0)
		return false;
	cm_undue(cm, ch);
	if (leaving)
		cm_free(cm, ch);
	return true;
}

static void
cm_owe(struct rio_cm *cm, struct cm_channel *ch)
{
	ch->due = true;
	cm->due++;
	cm_pay(cm, ch);
}

bool
rio_cm_flush(struct rio_cm *cm)
{
	const struct cm_reply *reply;
	uint32_t i;

	for (i = 0; cm->due != 0 && i < cm->conf.channels; i++)
		if (cm->channels[i].due && !cm_pay(cm, &cm->channels[i]))
			return false;
	for (; cm->nb_replies != 0; cm->nb_replies--) {
		reply = &cm->replies[cm->replies_head];
		if (cm_put_close(cm, reply->destid, reply->from, reply->to) != 0)
			return false;
		cm->replies_head = (cm->replies_head + 1) % RIO_CM_REPLIES_MAX;
	}
	for (i = 0; cm->wanting != 0 && i < cm->conf.channels; i++)
		if (cm->channels[i].wants_room) {
			cm_unwant(cm, &cm->channels[i]);
			cm_event(cm, &cm->channels[i], RIO_CM_EV_SEND);
		}
	return true;
}

static int
cm_no_room(struct rio_cm *cm, struct cm_channel *ch)
{
	cm->wanting += !ch->wants_room;
	ch->wants_room = true;
	return -EAGAIN;
}

static int
cm_why_not(const struct cm_channel *ch)
{
	return ch->state == RIO_CM_ENDED ? ch->error : -ENOTCONN;
}

int
rio_cm_send(struct rio_cm *cm, uint16_t number, const void *data, uint32_t len)
{
	struct cm_channel *ch = cm_own(cm, number);
	uint8_t head[RIO_CM_HEADER];

	if (ch == NULL)
		return -EBADF;
	if (ch->state != RIO_CM_CONNECTED)
		return cm_why_not(ch);
	if (len > RIO_CM_DATA_MAX)
		return -EMSGSIZE;
	cm_head(cm, head, ch->local, ch->destid, RIO_CM_DATA, number, ch->remote);
	put16(head + 16, RIO_CM_HEADER + len);
	if (ch->due || cm_put(cm, ch->destid, head, data, len) != 0)
		return cm_no_room(cm, ch);
	cm->stats.tx_messages++;
	cm->stats.tx_bytes += len;
	return 0;
}

int
rio_cm_probe(struct rio_cm *cm, uint16_t number)
{
	struct cm_channel *ch = cm_own(cm, number);
	uint8_t head[RIO_CM_HEADER];

	if (ch == NULL)
		return -EBADF;
	if (ch->state != RIO_CM_CONNECTED)
		return cm_why_not(ch);
	cm_head(cm, head, ch->local, ch->destid, RIO_CM_DATA, number, 0);
	put16(head + 16, RIO_CM_HEADER);
	put16(head + 18, ch->remote);
	/* Not before the other side knows of the connection. */
	return ch->due ? -EAGAIN : cm_put(cm, ch->destid, head, NULL, 0);
}

int
rio_cm_receive(struct rio_cm *cm, uint16_t number, void *buf, uint32_t size)
{
	struct cm_channel *ch = cm_own(cm, number);
	struct cm_buffer *b;
	uint32_t index;

	if (ch == NULL)
		return -EBADF;
	if (ch->state != RIO_CM_CONNECTED && ch->state != RIO_CM_ENDED)
		return -ENOTCONN;
	if (ch->head == CM_NONE)
		return ch->state == RIO_CM_ENDED ? ch->error : -EAGAIN;
	index = ch->head;
	b = &cm->buffers[index];
	if (b->len > size)
		return -EMSGSIZE;
	memcpy(buf, b->data, b->len);
	ch->head = b->next;
	if (ch->head == CM_NONE)
		ch->tail = CM_NONE;
	ch->waiting--;
	b->next = cm->free_buffers;
	cm->free_buffers = index;
	return (int)b->len;
}

/* --- channels --- */

int
rio_cm_open(struct rio_cm *cm, uint16_t number)
{
	uint32_t range = CM_NUMBERS - cm->conf.first, tries;

	if (number != 0 && cm_find(cm, number) != NULL)
		return -EBUSY;
	if (cm->free_channels == CM_NONE)
		return -ENOSPC;
	for (tries = 0; number == 0 && tries < range; tries++) {
		if (cm_find(cm, cm->conf.next) == NULL)
			number = cm->conf.next;
		cm->conf.next = cm->conf.next == CM_NUMBERS - 1 ? cm->conf.first
								: (uint16_t)(cm->conf.next + 1);
	}
	if (number == 0)
		return -ENOSPC;
	cm_take(cm, number);
	return number;
}

int
rio_cm_listen(struct rio_cm *cm, uint16_t number, uint32_t backlog)
{
	struct cm_channel *ch = cm_own(cm, number);

	if (ch == NULL)
		return -EBADF;
	if (ch->state != RIO_CM_OPEN || backlog == 0 || backlog > RIO_CM_BACKLOG_MAX)
		return -EINVAL;
	ch->state = RIO_CM_LISTENING;
	ch->backlog = backlog;
	return 0;
}

static void
cm_connection(struct rio_cm *cm, struct cm_channel *ch, uint16_t destid, uint16_t remote)
{
	ch->destid = destid;
	ch->remote = remote;
	ch->local = cm->local = cm->ops->destid(cm->ctx);
	ch->serial = ++cm->serial;
}

int
rio_cm_accept(struct rio_cm *cm, uint16_t number)
{
	struct cm_channel *ch = cm_own(cm, number), *new;
	const struct cm_request *request;
	int ret;

	if (ch == NULL)
		return -EBADF;
	if (ch->state != RIO_CM_LISTENING)
		return -EINVAL;
	if (ch->waiting == 0)
		return -EAGAIN;
	ret = rio_cm_open(cm, 0);
	if (ret < 0)
		return ret;
	request = &ch->requests[ch->first];
	ch->first = (ch->first + 1) % RIO_CM_BACKLOG_MAX;
	ch->waiting--;
	new = cm_find(cm, (uint16_t)ret);
	cm_connection(cm, new, request->destid, request->channel);
	new->via = number;
	cm_made(cm, new);
	cm_owe(cm, new);
	return ret;
}

int
rio_cm_connect(struct rio_cm *cm, uint16_t number, uint16_t destid, uint16_t remote)
{
	struct cm_channel *ch = cm_own(cm, number);

	if (ch == NULL)
		return -EBADF;
	if (ch->state != RIO_CM_OPEN || remote == 0)
		return -EINVAL;
	cm_connection(cm, ch, destid, remote);
	if (cm_put_of(cm, ch, RIO_CM_REQUEST) != 0)
		return cm_no_room(cm, ch);
	cm_unwant(cm, ch);
	ch->state = RIO_CM_CONNECTING;
	return 0;
}

int
rio_cm_connected(struct rio_cm *cm, uint16_t number)
{
	struct cm_channel *ch = cm_own(cm, number);

	if (ch == NULL)
		return -EBADF;
	switch (ch->state) {
	case RIO_CM_CONNECTED:
		return 0;
	case RIO_CM_CONNECTING:
		return -EINPROGRESS;
	case RIO_CM_ENDED:
		return ch->error;
	default:
		return -EINVAL;
	}
}

int
rio_cm_give_up(struct rio_cm *cm, uint16_t number)
{
	struct cm_channel *ch = cm_own(cm, number);

	if (ch == NULL)
		return -EBADF;
	if (ch->state != RIO_CM_CONNECTING)
		return -EINVAL;
	ch->state = RIO_CM_ENDED;
	ch->error = -ETIMEDOUT;
	return 0;
}

static void
cm_close(struct rio_cm *cm, struct cm_channel *ch)
{
	bool tell = ch->state == RIO_CM_CONNECTED;

	/* Who waits to be accepted waits no longer. */
	for (; ch->state == RIO_CM_LISTENING && ch->waiting != 0; ch->waiting--) {
		cm_refuse(cm, ch->requests[ch->first].destid, ch->number,
			  ch->requests[ch->first].channel);
		ch->first = (ch->first + 1) % RIO_CM_BACKLOG_MAX;
	}
	if (!tell) {
		cm_free(cm, ch);
		return;
	}
	cm_buffers_drop(cm, ch);
	cm_unready(cm, ch);
	cm_unwant(cm, ch);
	if (ch->due) {
		/* It was never accepted on the wire: the request is refused. */
		cm_refuse(cm, ch->destid, ch->via, ch->remote);
		cm_free(cm, ch);
		return;
	}
	cm->peers[cm_index(cm, ch)] = 0;
	ch->state = RIO_CM_LEAVING;
	cm_owe(cm, ch);
}

int
rio_cm_close(struct rio_cm *cm, uint16_t number)
{
	struct cm_channel *ch = cm_own(cm, number);

	if (ch == NULL)
		return -EBADF;
	cm_close(cm, ch);
	return 0;
}

void
rio_cm_close_all(struct rio_cm *cm)
{
	uint32_t i;

	for (i = 0; i < cm->conf.channels; i++)
		if (cm->channels[i].state != RIO_CM_FREE && cm->channels[i].state != RIO_CM_LEAVING)
			cm_close(cm, &cm->channels[i]);
}

int
rio_cm_info(struct rio_cm *cm, uint16_t number, struct rio_cm_info *info)
{
	struct cm_channel *ch = cm_own(cm, number);

	if (ch == NULL)
		return -EBADF;
	*info = (struct rio_cm_info){
		.state = (enum rio_cm_state)ch->state,
		.destid = ch->destid,
		.remote = ch->remote,
		.waiting = ch->waiting,
	};
	return 0;
}

const struct rio_cm_stats *
rio_cm_stats(const struct rio_cm *cm)
{
	return &cm->stats;
}
