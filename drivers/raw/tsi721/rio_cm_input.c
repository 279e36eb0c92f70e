/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * What comes in. Its sender may be anybody: the header is copied out once, checked,
 * and no channel is touched but those that are connected to this very sender.
 */

#include <errno.h>
#include <string.h>

#include "rio_cm_priv.h"

/* A header, and who sent it. */
struct cm_head {
	uint16_t src;		/* destination ID */
	uint16_t from, to;	/* channels */
	uint16_t probed;	/* channel that a probe asks for */
	uint8_t op;
	uint32_t len;		/* of data; RIO_CM_DATA only */
};

static inline uint16_t
get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static bool
cm_parse(struct cm_head *h, uint16_t src, const void *msg, uint32_t len)
{
	uint8_t raw[RIO_CM_HEADER];
	uint32_t all;

	if (len < sizeof(raw) || len > RIO_CM_MESSAGE_MAX)
		return false;
	memcpy(raw, msg, sizeof(raw));
	*h = (struct cm_head){ src, get16(raw + 14), get16(raw + 12), get16(raw + 18),
				raw[11], 0 };
	if (raw[10] != RIO_CM_TYPE || h->op > RIO_CM_DATA || h->from == 0)
		return false;
	if (h->op != RIO_CM_DATA)
		return true;
	all = get16(raw + 16);
	h->len = all - RIO_CM_HEADER;
	return all >= RIO_CM_HEADER && all <= len;
}

/* Whether the header comes from the other side of a connection. */
static inline bool
cm_is_peer(const struct cm_channel *ch, const struct cm_head *h)
{
	return ch->destid == h->src && ch->remote == h->from;
}

static struct cm_request *
cm_request_find(struct cm_channel *ch, const struct cm_head *h)
{
	struct cm_request *request;
	uint32_t i;

	for (i = 0; i < ch->waiting; i++) {
		request = &ch->requests[(ch->first + i) % RIO_CM_BACKLOG_MAX];
		if (request->destid == h->src && request->channel == h->from)
			return request;
	}
	return NULL;
}

/* Nobody gets more than half of a backlog. */
static bool
cm_backlog_full(const struct cm_channel *ch, uint16_t src)
{
	uint32_t i, its = 0;

	for (i = 0; i < ch->waiting; i++)
		its += ch->requests[(ch->first + i) % RIO_CM_BACKLOG_MAX].destid == src;
	return ch->waiting == ch->backlog || its >= (ch->backlog + 1) / 2;
}

/* Who makes a connection anew has lost the one that the number had before. */
static void
cm_supersede(struct rio_cm *cm, const struct cm_head *h)
{
	uint32_t key = cm_key(h->src, h->from), i;

	for (i = 0; i < cm->conf.channels; i++)
		if (cm->peers[i] == key) {
			cm->stats.failed++;
			cm_end(cm, &cm->channels[i], -ECONNRESET);
		}
}

static void
cm_in_request(struct rio_cm *cm, const struct cm_head *h)
{
	struct cm_channel *ch = cm_find(cm, h->to);

	cm->stats.requests++;
	cm_supersede(cm, h);
	if (ch == NULL || ch->state != RIO_CM_LISTENING) {
		cm->stats.refused++;
		cm_refuse(cm, h->src, h->to, h->from);
		return;
	}
	if (cm_request_find(ch, h) != NULL)
		return;
	if (cm_backlog_full(ch, h->src)) {
		cm->stats.refused++;
		cm_refuse(cm, h->src, h->to, h->from);
		return;
	}
	ch->requests[(ch->first + ch->waiting++) % RIO_CM_BACKLOG_MAX] =
		(struct cm_request){ h->src, h->from };
	cm_event(cm, ch, RIO_CM_EV_ACCEPT);
}

static void
cm_in_accept(struct rio_cm *cm, const struct cm_head *h)
{
	struct cm_channel *ch = cm_find(cm, h->to);

	if (ch != NULL && ch->state == RIO_CM_CONNECTING && ch->destid == h->src) {
		ch->remote = h->from;
		cm_made(cm, ch);
		cm_event(cm, ch, RIO_CM_EV_CONNECTED);
		return;
	}
	cm->stats.strays++;
	/* Late, or of a request that was sent before this one: let go of it. */
	if (ch == NULL || !cm_is_peer(ch, h))
		cm_refuse(cm, h->src, h->to, h->from);
}

static void
cm_in_close(struct rio_cm *cm, const struct cm_head *h)
{
	struct cm_channel *ch = cm_find(cm, h->to);
	struct cm_request *request;

	if (ch != NULL && ch->state == RIO_CM_LISTENING) {
		request = cm_request_find(ch, h);
		if (request != NULL) {
			/* Order among those that wait is no promise. */
			*request = ch->requests[(ch->first + --ch->waiting) % RIO_CM_BACKLOG_MAX];
			return;
		}
	} else if (ch != NULL && cm_is_peer(ch, h)) {
		switch (ch->state) {
		case RIO_CM_CONNECTING:
			cm_end(cm, ch, -ECONNREFUSED);
			return;
		case RIO_CM_CONNECTED:
			cm->stats.ended++;
			cm_end(cm, ch, -ECONNRESET);
			return;
		case RIO_CM_LEAVING:
		case RIO_CM_ENDED:
			return;
		default:
			break;
		}
	}
	cm->stats.strays++;
}

/* Who asks for a connection that is none is told. */
static void
cm_in_probe(struct rio_cm *cm, const struct cm_head *h)
{
	const struct cm_channel *ch = cm_find(cm, h->probed);

	cm->stats.probes++;
	if (h->probed != 0 &&
	    (ch == NULL || ch->state != RIO_CM_CONNECTED || !cm_is_peer(ch, h)))
		cm_refuse(cm, h->src, h->probed, h->from);
}

/*
 * Data of a connection that is none. Its sender is told once that it is not: where the
 * connection ended by a failure, or was one of a process that had the device before
 * this. Another CLOSE could hit a Linux that has given the number to another channel.
 */
static void
cm_stray(struct rio_cm *cm, const struct cm_head *h, struct cm_channel *ch)
{
	bool lost = ch != NULL && ch->state == RIO_CM_ENDED && ch->error == -EHOSTUNREACH &&
		    cm_is_peer(ch, h) && !ch->told;

	cm->stats.strays++;
	if (lost)
		ch->told = true;
	if (lost || !(cm->used[h->to / 64] & UINT64_C(1) << h->to % 64))
		cm_refuse(cm, h->src, h->to, h->from);
}

static bool
cm_in_data(struct rio_cm *cm, const struct cm_head *h, const uint8_t *data)
{
	struct cm_channel *ch = cm_find(cm, h->to);
	uint32_t index = cm->free_buffers;
	struct cm_buffer *b;

	if (h->to == 0) {
		cm_in_probe(cm, h);
		return true;
	}
	if (ch == NULL || ch->state != RIO_CM_CONNECTED || !cm_is_peer(ch, h)) {
		cm_stray(cm, h, ch);
		return true;
	}
	if (ch->waiting == cm->conf.queue || index == CM_NONE) {
		if (cm->conf.hold)
			return false;
		cm->stats.overflows++;
		return true;
	}
	b = &cm->buffers[index];
	cm->free_buffers = b->next;
	b->next = CM_NONE;
	b->len = h->len;
	memcpy(b->data, data, h->len);
	if (ch->head == CM_NONE)
		ch->head = index;
	else
		cm->buffers[ch->tail].next = index;
	ch->tail = index;
	ch->waiting++;
	cm->stats.rx_messages++;
	cm->stats.rx_bytes += h->len;
	cm_event(cm, ch, RIO_CM_EV_RECEIVE);
	return true;
}

bool
rio_cm_input(struct rio_cm *cm, uint16_t src, const void *msg, uint32_t len)
{
	struct cm_head h;

	if (!cm_parse(&h, src, msg, len)) {
		cm->stats.malformed++;
		return true;
	}
	switch (h.op) {
	case RIO_CM_REQUEST:
		cm_in_request(cm, &h);
		return true;
	case RIO_CM_ACCEPT:
		cm_in_accept(cm, &h);
		return true;
	case RIO_CM_CLOSE:
		cm_in_close(cm, &h);
		return true;
	default:
		return cm_in_data(cm, &h, (const uint8_t *)msg + RIO_CM_HEADER);
	}
}

void
rio_cm_failed(struct rio_cm *cm, uint16_t destid, uint32_t serial)
{
	struct cm_channel *ch;
	uint32_t i;

	for (i = 0; i < cm->conf.channels; i++) {
		ch = &cm->channels[i];
		/* A connection that was made after the message was sent is another one. */
		if ((ch->state != RIO_CM_CONNECTED && ch->state != RIO_CM_CONNECTING) ||
		    ch->destid != destid || (int32_t)(serial - ch->serial) < 0)
			continue;
		cm->stats.failed++;
		cm_end(cm, ch, -EHOSTUNREACH);
	}
}
