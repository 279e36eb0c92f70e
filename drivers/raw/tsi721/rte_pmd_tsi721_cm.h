/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RTE_PMD_TSI721_CM_H
#define RTE_PMD_TSI721_CM_H

/**
 * @file
 * Channelised messages through a Tsi721: connections between numbered channels of
 * two endpoints, which carry messages of up to 4076 bytes in order. On the wire it is
 * what Linux's rio_cm does, so either side may be a Linux node.
 *
 * A device that was started (rte_pmd_tsi721_cm_start) has channels with numbers from
 * 1 to 65535, in a space of its own. One side opens a channel of a number that both
 * know, listens, and accepts: each connection gets a channel of a new number. The
 * other side opens a channel of any number (0: the driver chooses) and connects it.
 *
 * @code
 * // one side
 * int ch = rte_pmd_tsi721_cm_open(dev_id, 5), conn, len;
 * rte_pmd_tsi721_cm_listen(dev_id, ch, 8);
 * while ((conn = rte_pmd_tsi721_cm_accept(dev_id, ch)) == -EAGAIN)
 *	;
 * while ((len = rte_pmd_tsi721_cm_receive(dev_id, conn, buf, sizeof(buf))) != -ECONNRESET)
 *	if (len >= 0)
 *		... len bytes in buf
 * rte_pmd_tsi721_cm_close(dev_id, conn);
 *
 * // the other
 * ch = rte_pmd_tsi721_cm_open(dev_id, 0);
 * if (rte_pmd_tsi721_cm_connect(dev_id, ch, destid, 5, 3000) == 0)
 *	while (rte_pmd_tsi721_cm_send(dev_id, ch, data, len) == -EAGAIN)
 *		;
 * rte_pmd_tsi721_cm_close(dev_id, ch);
 * @endcode
 *
 * No call waits, but for rte_pmd_tsi721_cm_connect if told so. Unless the device was
 * started with a callback (see there), every call first takes in what has come and
 * looks at what was sent: an application must go on calling, any of them.
 *
 * A connection ends when either side closes its channel, or when the hardware says
 * that a message did not get to the other side (it died, or left the fabric): then all
 * connections with that destination end. What had been received before can still be
 * received. Nothing tells of the death of one to whom nothing is sent:
 * rte_pmd_tsi721_cm_probe does.
 *
 * Nothing is sent again and no room is agreed on: when messages come for a channel
 * that holds as many as it may, see RTE_PMD_TSI721_CM_HOLD.
 *
 * Functions return 0, a number or a length, else a negative errno; all return -ENODEV
 * when dev_id is no Tsi721, or was not started. They may be called from any thread, by
 * several at once, but start and stop: not at the same time as others.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a message, at most. */
#define RTE_PMD_TSI721_CM_MAX		4076
/** Requests that may wait at a listening channel, at most. */
#define RTE_PMD_TSI721_CM_BACKLOG_MAX	64
/** Mailbox that Linux uses unless told otherwise. */
#define RTE_PMD_TSI721_CM_MBOX		1

/**
 * A message for a channel that has no room waits, and with it all behind it, and at last
 * those who send, until rte_pmd_tsi721_cm_receive makes room: nothing is lost, but one
 * channel that is not read stops all. Without it, such a message is dropped and counted
 * (`overflows`), as Linux does.
 */
#define RTE_PMD_TSI721_CM_HOLD		0x01

/** Something happened to a channel. */
#define RTE_PMD_TSI721_CM_EV_ACCEPT	0x01	/**< listening: a request came */
#define RTE_PMD_TSI721_CM_EV_CONNECTED	0x02	/**< connecting: it is */
#define RTE_PMD_TSI721_CM_EV_RECEIVE	0x04	/**< messages came */
#define RTE_PMD_TSI721_CM_EV_SEND	0x08	/**< there is room, after -EAGAIN */
#define RTE_PMD_TSI721_CM_EV_ENDED	0x10	/**< refused, closed by the other side, or lost */

/**
 * RTE_PMD_TSI721_CM_EV_ bits of a channel. It runs in the EAL's interrupt thread, one
 * at a time, and may use all functions here but start and stop, and connect with
 * timeout 0 only. Another thread may have closed the channel by then.
 */
typedef void (*rte_pmd_tsi721_cm_cb)(void *arg, uint16_t dev_id, uint16_t channel,
				     uint32_t events);

/** How to start; rte_pmd_tsi721_cm_conf_get fills in what is said to be default. */
struct rte_pmd_tsi721_cm_conf {
	uint8_t mbox;		/**< 0 to 3; default RTE_PMD_TSI721_CM_MBOX */
	uint8_t flags;		/**< RTE_PMD_TSI721_CM_HOLD; default 0 */
	uint16_t first;		/**< numbers that the driver chooses are from here on; default 256 */
	uint32_t channels;	/**< open at once, at most: 1 to 4096; default 256 */
	uint32_t queue;		/**< received messages a channel holds: 1 to 4096; default 128 */
	uint32_t buffers;	/**< and all together, 4 KiB each: 1 to 65536; default 512 */
	uint32_t nb_out;	/**< ring of the mailbox: desc_min to 4096; default 128 */
	uint32_t nb_in;		/**< and the other one: desc_min to desc_max; default 128 */
	int socket_id;		/**< for memory; default: the device's */
	/**
	 * NULL (default): the application polls. Else the EAL's interrupt thread takes in,
	 * and reports what happens each time it happens; calls do not.
	 */
	rte_pmd_tsi721_cm_cb cb;
	void *arg;		/**< of cb */
};

/** The defaults. -EINVAL: no conf. */
int rte_pmd_tsi721_cm_conf_get(uint16_t dev_id, struct rte_pmd_tsi721_cm_conf *conf);

/**
 * Start channelised messages: opens the mailbox and makes all memory that will be used.
 *
 * @param conf NULL: the defaults
 * @return 0; -EINVAL (one line says which value, and what is allowed); -EBUSY started
 *   already, or the mailbox is open; -ENODEV also: the mailbox is not in mbox_mask;
 *   -ENOMEM; -ENOTSUP a callback, and the device has no interrupts
 */
int rte_pmd_tsi721_cm_start(uint16_t dev_id, const struct rte_pmd_tsi721_cm_conf *conf);

/** Close all channels, tell the other sides (for 100 ms at most), close the mailbox. */
int rte_pmd_tsi721_cm_stop(uint16_t dev_id);

/**
 * Open a channel.
 *
 * @param number 1 to 65535; 0: the driver chooses one, from conf.first on
 * @return its number; -EBUSY: in use; -ENOSPC: as many are open as may be, or no number is free
 */
int rte_pmd_tsi721_cm_open(uint16_t dev_id, uint16_t number);

/**
 * Close a channel; a connected one tells its other side, which can still receive what was
 * sent before (a Linux node cannot). What was not received, or accepted, is dropped: who
 * asked is refused. -EBADF: not open.
 */
int rte_pmd_tsi721_cm_close(uint16_t dev_id, uint16_t channel);

/**
 * Let a channel that was opened take requests, of which `backlog` may wait, 1 to
 * RTE_PMD_TSI721_CM_BACKLOG_MAX; one destination has at most half of it. Others are
 * refused. -EBADF not open; -EINVAL backlog, or it is listening or has been connected.
 */
int rte_pmd_tsi721_cm_listen(uint16_t dev_id, uint16_t channel, uint32_t backlog);

/**
 * Accept the oldest request.
 *
 * @return number of the new, connected channel; -EAGAIN none waits; -EBADF not open;
 *   -EINVAL not listening; -ENOSPC as many channels are open as may be, the request stays
 */
int rte_pmd_tsi721_cm_accept(uint16_t dev_id, uint16_t channel);

/**
 * Connect a channel that was opened with a listening one of a destination. After
 * -EINPROGRESS, call again, or wait for RTE_PMD_TSI721_CM_EV_CONNECTED. A channel whose
 * connection failed can only be closed. Linux sends no refusals: there, a channel that
 * nobody listens on is a timeout; Linux itself waits for 3000 ms.
 *
 * @param timeout_ms 0: do not wait
 * @return 0 connected; -EINPROGRESS (timeout_ms 0 only); -ETIMEDOUT; -ECONNREFUSED nobody
 *   listens there, or too many wait; -EHOSTUNREACH the message did not get there; -EAGAIN
 *   (timeout_ms 0 only) no room to send; -EBADF not open; -EINVAL destid does not fit the
 *   fabric's IDs, remote is 0, or the channel is listening
 */
int rte_pmd_tsi721_cm_connect(uint16_t dev_id, uint16_t channel, uint16_t destid,
			      uint16_t remote, uint32_t timeout_ms);

/**
 * Send a message; data is copied.
 *
 * @param len 0 to RTE_PMD_TSI721_CM_MAX
 * @return 0; -EAGAIN no room; -EMSGSIZE; -EINVAL no data; -EBADF not open; -ENOTCONN;
 *   -ECONNRESET closed by the other side; -EHOSTUNREACH lost
 */
int rte_pmd_tsi721_cm_send(uint16_t dev_id, uint16_t channel, const void *data, uint32_t len);

/**
 * Receive a message.
 *
 * @return its length, 0 to RTE_PMD_TSI721_CM_MAX; -EAGAIN none; -EMSGSIZE it is longer than
 *   size, and stays; -EINVAL no buffer; -EBADF not open; -ENOTCONN; once all was received:
 *   -ECONNRESET closed by the other side, or -EHOSTUNREACH lost
 */
int rte_pmd_tsi721_cm_receive(uint16_t dev_id, uint16_t channel, void *buf, uint32_t size);

/**
 * Send a message that the other side drops, but for one of these that is not connected any
 * more (a process in the place of one that died): it ends the connection. If it does not get
 * there, the connection ends as if any other had not. Errors as of send.
 */
int rte_pmd_tsi721_cm_probe(uint16_t dev_id, uint16_t channel);

/** What a channel is. */
enum rte_pmd_tsi721_cm_state {
	RTE_PMD_TSI721_CM_OPEN = 1,
	RTE_PMD_TSI721_CM_LISTENING,
	RTE_PMD_TSI721_CM_CONNECTING,
	RTE_PMD_TSI721_CM_CONNECTED,
	RTE_PMD_TSI721_CM_ENDED,
};

struct rte_pmd_tsi721_cm_info {
	enum rte_pmd_tsi721_cm_state state;
	uint16_t destid;	/**< of the other side; and */
	uint16_t remote;	/**< its channel; both 0 when there never was one */
	uint32_t waiting;	/**< messages to receive, or requests to accept */
};

/** About a channel. -EBADF; -EINVAL no info. */
int rte_pmd_tsi721_cm_info_get(uint16_t dev_id, uint16_t channel,
			       struct rte_pmd_tsi721_cm_info *info);

/**
 * Take in what has come, and tell of the next channel that something has happened to since
 * it was last told of. Without a callback only (-EINVAL). To sleep, open the source
 * RTE_PMD_TSI721_INTR_MSG_IN (and _MSG_OUT, who waits for room) of the mailbox with
 * rte_pmd_tsi721_intr_open, and arm it when this has returned 0.
 *
 * @param events RTE_PMD_TSI721_CM_EV_ bits
 * @return number of the channel; 0 nothing has happened
 */
int rte_pmd_tsi721_cm_next(uint16_t dev_id, uint32_t *events);

/** Since the start. */
struct rte_pmd_tsi721_cm_stats {
	uint64_t rx_messages;	/**< that channels got */
	uint64_t rx_bytes;	/**< of them, without headers */
	uint64_t tx_messages;
	uint64_t tx_bytes;
	uint64_t requests;	/**< for connections that came */
	uint64_t refused;	/**< of these */
	uint64_t malformed;	/**< messages with a header that cannot be */
	uint64_t strays;	/**< for a channel that is not there, or not their sender's */
	uint64_t overflows;	/**< dropped: the channel, or all together, had no room */
	uint64_t probes;	/**< that came */
	uint64_t ended;		/**< connections that the other side closed */
	uint64_t failed;	/**< connections lost */
	uint64_t replies_lost;	/**< refusals that there was no room for */
};

int rte_pmd_tsi721_cm_stats_get(uint16_t dev_id, struct rte_pmd_tsi721_cm_stats *stats);

#ifdef __cplusplus
}
#endif

#endif /* RTE_PMD_TSI721_CM_H */
