/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIO_CM_PRIV_H
#define RIO_CM_PRIV_H

#include "rio_cm.h"

#define CM_NONE		UINT32_MAX
#define CM_NUMBERS	65536u

/* A request that was not accepted yet. */
struct cm_request {
	uint16_t destid;
	uint16_t channel;
};

struct cm_channel {
	uint16_t number;
	uint16_t destid;	/* of the other side */
	uint16_t local;		/* own, when the connection was made */
	uint16_t remote;	/* channel; while connecting, the one that listens */
	uint16_t via;		/* the listening channel that it was accepted from */
	uint8_t state;		/* enum rio_cm_state */
	uint8_t events;
	bool ready;		/* in the list of those with events */
	bool due;		/* ACCEPT or, leaving, CLOSE waits for room */
	bool wants_room;
	bool told;		/* ended by a failure: the other side knows */
	int error;		/* how it ended */
	uint32_t serial;	/* of the connection */
	uint32_t next;		/* in the list of those with events, or of free ones */
	uint32_t head, tail;	/* buffers */
	uint32_t waiting;	/* how many, or requests */
	uint32_t first;		/* request */
	uint32_t backlog;
	struct cm_request requests[RIO_CM_BACKLOG_MAX];
};

struct cm_buffer {
	uint32_t next;
	uint32_t len;
	uint8_t data[RIO_CM_DATA_MAX];
};

/* A refusal: who is no channel of ours is told so. */
struct cm_reply {
	uint16_t destid;
	uint16_t from, to;	/* channels */
};

struct rio_cm {
	struct rio_cm_conf conf;
	const struct rio_cm_ops *ops;
	void *ctx;
	struct rio_cm_stats stats;
	struct cm_channel *channels;
	uint32_t *peers;	/* of each channel: destination ID and channel; 0 not connected */
	struct cm_buffer *buffers;
	uint32_t free_channels, free_buffers;	/* lists */
	uint32_t ready_head, ready_tail;
	uint32_t serial;	/* of the newest connection */
	uint16_t local;		/* own destination ID then */
	uint32_t due;		/* channels with something due */
	uint32_t wanting;	/* channels that want room */
	uint32_t replies_head, nb_replies;
	struct cm_reply replies[RIO_CM_REPLIES_MAX];
	uint64_t used[CM_NUMBERS / 64];	/* numbers that a channel ever had */
	uint16_t map[CM_NUMBERS];	/* number to index of its channel + 1 */
};

static inline struct cm_channel *
cm_find(struct rio_cm *cm, uint16_t number)
{
	uint32_t index = cm->map[number];

	return index != 0 ? &cm->channels[index - 1] : NULL;
}

/* What the application has: all but those that leave. */
static inline struct cm_channel *
cm_own(struct rio_cm *cm, uint16_t number)
{
	struct cm_channel *ch = cm_find(cm, number);

	return ch != NULL && ch->state != RIO_CM_LEAVING ? ch : NULL;
}

static inline uint32_t
cm_key(uint16_t destid, uint16_t channel)
{
	return (uint32_t)destid << 16 | channel;
}

/* The connection is made, with ch->destid and ch->remote. */
static inline void
cm_made(struct rio_cm *cm, struct cm_channel *ch)
{
	ch->state = RIO_CM_CONNECTED;
	cm->peers[ch - cm->channels] = cm_key(ch->destid, ch->remote);
}

void cm_event(struct rio_cm *cm, struct cm_channel *ch, uint32_t event);
/* The connection is over; what was received stays. */
void cm_end(struct rio_cm *cm, struct cm_channel *ch, int error);
/* Tell who is no channel of ours; when there is no room for it, it is dropped. */
void cm_refuse(struct rio_cm *cm, uint16_t destid, uint16_t from, uint16_t to);

#endif /* RIO_CM_PRIV_H */
