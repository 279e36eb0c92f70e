/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIO_CM_H
#define RIO_CM_H

/*
 * Channelised messages: connections between numbered channels of two endpoints,
 * in messages of one mailbox. What is on the wire is what Linux's rio_cm sends and
 * understands. Plain C; who uses it brings messages in and out, and a lock.
 *
 * Each message begins with a header of 20 bytes, in big-endian order:
 *
 *	0  source destination ID, 32 bits	10 type, 0x55
 *	4  target destination ID, 32 bits	11 operation
 *	8  source mailbox			12 target channel, 16 bits
 *	9  target mailbox			14 source channel
 *						16 length of data, header included
 *						18 zero; in a probe see below
 *
 * IDs and mailboxes in it are not read: who sent a message is what the hardware
 * says, and Linux leaves the target of a connection that it opened zero. A connection
 * is made by REQUEST to a listening channel and ACCEPT from a new one, and ended by
 * CLOSE from either side. Linux says nothing to a request that it cannot take, this
 * sends CLOSE, which a Linux that waits understands.
 *
 * A probe is DATA for channel 0, which is nobody's: Linux drops it without a word. Its
 * last 16 bits are the channel at the other side. One of these who is not connected
 * to the sender by it answers CLOSE.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RIO_CM_HEADER		20u
#define RIO_CM_MESSAGE_MAX	4096u
#define RIO_CM_DATA_MAX		(RIO_CM_MESSAGE_MAX - RIO_CM_HEADER)
#define RIO_CM_TYPE		0x55u
#define RIO_CM_CHANNELS_MAX	4096u
#define RIO_CM_QUEUE_MAX	4096u
#define RIO_CM_BUFFERS_MAX	65536u
#define RIO_CM_BACKLOG_MAX	64u	/* requests of a listening channel */
#define RIO_CM_REPLIES_MAX	64u	/* refusals that wait for room */

enum rio_cm_op {
	RIO_CM_REQUEST,
	RIO_CM_ACCEPT,
	RIO_CM_CLOSE,
	RIO_CM_DATA,
};

enum rio_cm_state {
	RIO_CM_FREE,
	RIO_CM_OPEN,
	RIO_CM_LISTENING,
	RIO_CM_CONNECTING,
	RIO_CM_CONNECTED,
	RIO_CM_ENDED,		/* by the other side, or by a failure */
	RIO_CM_LEAVING,		/* closed here; CLOSE waits for room */
};

/* What has happened to a channel. */
#define RIO_CM_EV_ACCEPT	0x01u	/* a request came */
#define RIO_CM_EV_CONNECTED	0x02u
#define RIO_CM_EV_RECEIVE	0x04u	/* data came */
#define RIO_CM_EV_SEND		0x08u	/* there is room again, after -EAGAIN */
#define RIO_CM_EV_ENDED		0x10u

struct rio_cm_conf {
	uint32_t channels;	/* at once */
	uint32_t queue;		/* messages that one channel holds */
	uint32_t buffers;	/* messages that all hold */
	uint16_t first;		/* of the numbers that are given out */
	uint16_t next;		/* the one that is tried first; from `first` on */
	uint8_t mbox;
	bool hold;		/* what a channel has no room for waits, and all behind it */
};

struct rio_cm_ops {
	/*
	 * Send head, of RIO_CM_HEADER bytes, and data behind it. serial is for
	 * rio_cm_failed. 0, or -EAGAIN: no room now.
	 */
	int (*send)(void *ctx, uint16_t destid, const uint8_t *head, const void *data,
		    uint32_t len, uint32_t serial);
	uint16_t (*destid)(void *ctx);	/* own */
};

struct rio_cm_stats {
	uint64_t rx_messages;	/* data that channels got */
	uint64_t rx_bytes;	/* without headers */
	uint64_t tx_messages;
	uint64_t tx_bytes;
	uint64_t requests;	/* that came */
	uint64_t refused;	/* of these: nobody listens, or backlog full */
	uint64_t malformed;	/* too short, wrong type, operation or length */
	uint64_t strays;	/* for a channel that is not there or not the sender's */
	uint64_t overflows;	/* data dropped: no room */
	uint64_t probes;	/* that came */
	uint64_t ended;		/* connections that the other side closed */
	uint64_t failed;	/* connections lost by a message that failed */
	uint64_t replies_lost;	/* refusals not sent: no room */
};

struct rio_cm;

/** Memory that one takes; 0: a value of conf is not allowed. */
size_t rio_cm_size(const struct rio_cm_conf *conf);
/** mem: of that size, zeroed, aligned to 64. */
struct rio_cm *rio_cm_init(void *mem, const struct rio_cm_conf *conf,
			   const struct rio_cm_ops *ops, void *ctx);

/** A channel of this number; 0: one from conf.first on. Its number; -EBUSY; -ENOSPC. */
int rio_cm_open(struct rio_cm *cm, uint16_t number);
/** -EBADF no such channel, here and below; -EINVAL backlog or state. */
int rio_cm_listen(struct rio_cm *cm, uint16_t number, uint32_t backlog);
/** New channel for the oldest request: its number; -EAGAIN none; -ENOSPC; -EINVAL. */
int rio_cm_accept(struct rio_cm *cm, uint16_t number);
/** Send a request: 0; -EAGAIN no room; -EINVAL. */
int rio_cm_connect(struct rio_cm *cm, uint16_t number, uint16_t destid, uint16_t remote);
/** 0 connected; -EINPROGRESS; -ECONNREFUSED; -ECONNRESET; -EINVAL never connected. */
int rio_cm_connected(struct rio_cm *cm, uint16_t number);
/** Give up a connection that is being made: what comes for it later is refused. */
int rio_cm_give_up(struct rio_cm *cm, uint16_t number);
/** 0; -EAGAIN no room; -EMSGSIZE; -ENOTCONN; -ECONNRESET. */
int rio_cm_send(struct rio_cm *cm, uint16_t number, const void *data, uint32_t len);
/** See above: ends the channel if nobody is there, or somebody else. */
int rio_cm_probe(struct rio_cm *cm, uint16_t number);
/** Length; -EAGAIN none; -EMSGSIZE longer than size, it stays; -ENOTCONN; -ECONNRESET. */
int rio_cm_receive(struct rio_cm *cm, uint16_t number, void *buf, uint32_t size);
int rio_cm_close(struct rio_cm *cm, uint16_t number);

struct rio_cm_info {
	enum rio_cm_state state;
	uint16_t destid;
	uint16_t remote;
	uint32_t waiting;	/* messages, or requests */
};

int rio_cm_info(struct rio_cm *cm, uint16_t number, struct rio_cm_info *info);

/**
 * A message has come from src; nothing of it is used after the return, and each
 * byte is read once. false: there is no room (conf.hold), it is to be brought again.
 */
bool rio_cm_input(struct rio_cm *cm, uint16_t src, const void *msg, uint32_t len);
/** Room to send again: sends what waits. true: nothing waits any more. */
bool rio_cm_flush(struct rio_cm *cm);
/** A message failed that was given to ops.send with this serial: its target is gone. */
void rio_cm_failed(struct rio_cm *cm, uint16_t destid, uint32_t serial);
/** Next channel that something has happened to: what, and its number; 0 none. */
uint32_t rio_cm_next(struct rio_cm *cm, uint16_t *number);
/** Close all. What of it waits is for rio_cm_flush. */
void rio_cm_close_all(struct rio_cm *cm);
const struct rio_cm_stats *rio_cm_stats(const struct rio_cm *cm);

#endif /* RIO_CM_H */
