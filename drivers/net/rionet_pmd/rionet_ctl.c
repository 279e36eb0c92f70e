/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Agreement on DMA mode, and its end: HELLO, SETUP, the beat, silence. Runs where
 * doorbells are dispatched and in a timer of EAL's.
 */

#include <errno.h>
#include <inttypes.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_random.h>
#include <ethdev_driver.h>

#include <tsi721_bdma.h>
#include <tsi721_doorbell.h>
#include <tsi721_mbox.h>

#include "rionet_ctl.h"
#include "rionet_dma.h"
#include "rionet_msg.h"
#include "rionet_port.h"

#define CTL_TRIES	20u		/* SETUPs that are sent before a peer is left to messages */
#define CTL_HELLO_MS	10u		/* that a start waits for a HELLO behind a JOIN */
#define CTL_BAN_MS	10000u		/* a peer that broke the protocol is left to messages */
#define CTL_MSG_BYTES	RIONET_CTL_STRIDE
#define CTL_BATCH	16u

static inline uint64_t
ms_to_tsc(const struct rionet_port *port, unsigned int ms)
{
	return port->hz / 1000 * ms;
}

/* ---- control messages ---- */

static void
ctl_reap(struct rionet_dma *dma)
{
	void *cookies[CTL_BATCH];
	unsigned int n;

	do {
		n = tsi721_omsg_reap(dma->omsg, cookies, NULL, CTL_BATCH);
		dma->out_tail += n;
	} while (n == CTL_BATCH);
}

static void
setup_fill(const struct rionet_dma *dma, const struct rionet_dma_peer *peer,
	   struct rionet_setup *s)
{
	const struct rionet_region *region = dma->region;

	*s = (struct rionet_setup){
		.magic = rte_cpu_to_le_32(RIONET_SETUP_MAGIC),
		.version = RIONET_DMA_VERSION,
		.nb_tx = dma->nb_tx,
		.nb_rx = dma->nb_rx,
		.peer_nb_tx = peer->nb_tx,
		.peer_nb_rx = peer->nb_rx,
		.open = peer->state == RIONET_DMA_OPEN,
		.nonce = rte_cpu_to_le_32(peer->nonce),
		.echo = rte_cpu_to_le_32(peer->peer_nonce),
		.caps = rte_cpu_to_le_32(RIONET_CAPS),
		.window = rte_cpu_to_le_64(region->raddr),
		.window_size = rte_cpu_to_le_64(region->size),
		.lane_stride = rte_cpu_to_le_32(RIONET_LANE_BYTES),
		.feed_stride = rte_cpu_to_le_32(RIONET_FEED_BYTES),
		.ring_size = rte_cpu_to_le_32(RIONET_RING_SIZE),
		.nb_posts = rte_cpu_to_le_32(RIONET_POSTS),
		.buf_size = rte_cpu_to_le_32(RIONET_BUF_SIZE),
		.max_frame = rte_cpu_to_le_32(RIONET_DMA_FRAME_MAX),
	};
	if (peer->lanes != NULL)
		s->lanes = rte_cpu_to_le_64(rionet_region_off(region, peer->lanes));
	if (peer->feeds != NULL)
		s->feeds = rte_cpu_to_le_64(rionet_region_off(region, peer->feeds));
}

/* Lost messages are sent again by the tick. */
static void
setup_send(struct rionet_dma *dma, struct rionet_dma_peer *peer)
{
	uint32_t slot;

	ctl_reap(dma);
	if (dma->out_head - dma->out_tail == RIONET_CTL_SLOTS)
		return;
	slot = dma->out_head % RIONET_CTL_SLOTS;
	setup_fill(dma, peer, (struct rionet_setup *)(dma->out + (size_t)slot * CTL_MSG_BYTES));
	if (tsi721_omsg_post(dma->omsg, peer->destid, RIONET_LETTER,
			     dma->out_iova + (uint64_t)slot * CTL_MSG_BYTES,
			     sizeof(struct rionet_setup), NULL) != 0)
		return;
	dma->out_head++;
	tsi721_omsg_kick(dma->omsg);
	peer->echoed = peer->peer_nonce;
	tsi721_dbell_send(dma->port->dev, peer->destid, RIONET_DBELL_KNOCK);
}

/* ---- a peer's session ---- */

static struct rionet_dma_peer *
ctl_find(struct rionet_dma *dma, uint16_t destid)
{
	uint16_t slot = __atomic_load_n(&dma->port->peers->slot[destid], __ATOMIC_RELAXED);
	struct rionet_dma_peer *peer = dma->peer[slot];

	return slot != 0 && peer != NULL && peer->destid == destid ? peer : NULL;
}

static struct rionet_dma_peer *
ctl_get(struct rionet_dma *dma, uint16_t destid)
{
	uint16_t slot = __atomic_load_n(&dma->port->peers->slot[destid], __ATOMIC_RELAXED);
	struct rionet_dma_peer *peer;

	if (slot == 0)
		return NULL;
	peer = dma->peer[slot];
	if (peer == NULL) {
		peer = rionet_dma_peer_create(dma, destid);
		__atomic_store_n(&dma->peer[slot], peer, __ATOMIC_RELEASE);
	} else if (peer->destid != destid) {
		/* The place was another station's, which is gone. */
		rionet_dma_peer_close(dma, peer, true);
		peer->ban_end = 0;
		__atomic_store_n(&peer->destid, destid, __ATOMIC_RELEASE);
	}
	return peer;
}

static void
session_begin(struct rionet_dma *dma, struct rionet_dma_peer *peer, unsigned int nb_tx,
	      unsigned int nb_rx)
{
	do
		peer->nonce = (uint32_t)rte_rand();
	while (peer->nonce == 0);
	peer->peer_nonce = 0;
	peer->echoed = 0;
	peer->agreed = false;
	peer->tries = 0;
	if (rionet_dma_peer_offer(dma, peer, nb_tx, nb_rx) != 0) {
		dma->port->dma_stats.refused++;
		if (peer->no_room)
			return;
		peer->no_room = true;
		RIONET_LOG(NOTICE, dma->port->data->name, "station %u: no room for DMA in %" PRIu64
			   " bytes (region=); frames to it are messages", peer->destid,
			   dma->region->size);
		return;
	}
	peer->state = RIONET_DMA_OFFERED;
}

/* The lock is held in all that follows, up to the timer. */

static void
ctl_hello(struct rionet_dma *dma, uint16_t src, uint16_t info)
{
	unsigned int nb_tx = rionet_hello_tx(info), nb_rx = rionet_hello_rx(info);
	struct rionet_dma_peer *peer;

	if (nb_tx > RIONET_DMA_QUEUES_MAX || nb_rx > RIONET_DMA_QUEUES_MAX ||
	    rionet_peer_state(dma->port->peers, src) != RIONET_PEER_JOINED)
		return;
	peer = ctl_get(dma, src);
	/* A session is not begun anew but by LEAVE and JOIN. */
	if (peer == NULL || peer->state != RIONET_DMA_NONE || peer->ban_end != 0)
		return;
	session_begin(dma, peer, nb_tx, nb_rx);
	if (peer->state == RIONET_DMA_OFFERED)
		setup_send(dma, peer);
}

static void
ctl_setup(struct rionet_dma *dma, struct rionet_dma_peer *peer, const struct rionet_setup *s)
{
	if (peer->state == RIONET_DMA_OPEN && s->nonce != peer->peer_nonce) {
		dma->port->dma_stats.bad_setup++;
		return;
	}
	if (peer->state == RIONET_DMA_OFFERED) {
		peer->peer_nonce = s->nonce;
		rionet_dma_peer_connect(dma, peer, s);
		if (s->echo == peer->nonce) {
			rionet_dma_peer_open(dma, peer);
			dma->port->dma_stats.opened++;
			RIONET_LOG(INFO, dma->port->data->name, "station %u: DMA, %u x %u lanes",
				   peer->destid, dma->nb_tx, peer->nb_rx);
		}
	}
	peer->agreed = s->open;
	/* Who is open tells the other, and needs no further answer. */
	if (peer->echoed != peer->peer_nonce || !s->open)
		setup_send(dma, peer);
}

static void
ctl_message(struct rionet_dma *dma, const struct tsi721_imsg_info *msg)
{
	struct rionet_dma_peer *peer;
	struct rionet_setup s;
	const char *what = "length";

	if (rionet_peer_state(dma->port->peers, msg->src) != RIONET_PEER_JOINED)
		return;
	if (msg->len >= sizeof(s)) {
		memcpy(&s, msg->data, sizeof(s));
		rionet_setup_to_cpu(&s);
		what = rionet_setup_check(&s, dma->nb_tx, dma->nb_rx);
	}
	if (what != NULL) {
		dma->port->dma_stats.bad_setup++;
		RIONET_LOG(DEBUG, dma->port->data->name, "station %u: SETUP refused: %s", msg->src,
			   what);
		return;
	}
	/* It may come before the HELLO. */
	ctl_hello(dma, msg->src, rionet_hello(s.version, s.nb_tx, s.nb_rx));
	peer = ctl_find(dma, msg->src);
	if (peer == NULL || (peer->state != RIONET_DMA_OFFERED && peer->state != RIONET_DMA_OPEN))
		return;
	if (s.nb_tx != peer->nb_tx || s.nb_rx != peer->nb_rx) {
		dma->port->dma_stats.bad_setup++;
		return;
	}
	ctl_setup(dma, peer, &s);
}

static void
ctl_messages(struct rionet_dma *dma)
{
	struct tsi721_imsg_info msg[CTL_BATCH];
	unsigned int i, n, batches = RIONET_CTL_DESC / CTL_BATCH;

	/* Who goes on sending does not keep this thread. */
	do {
		n = tsi721_imsg_poll(dma->imsg, msg, CTL_BATCH);
		for (i = 0; i < n; i++)
			ctl_message(dma, &msg[i]);
		tsi721_imsg_release(dma->imsg, n);
	} while (n == CTL_BATCH && --batches != 0);
}

/* ---- the tick ---- */

/* To messages for a while: LEAVE and JOIN make the peer drop its side, too. */
static enum rionet_peer_reply
ctl_give_up(struct rionet_dma *dma, struct rionet_dma_peer *peer)
{
	rionet_dma_peer_close(dma, peer, false);
	return rionet_peers_failed(dma->port->peers, peer->destid, -ETIMEDOUT,
				   rte_get_tsc_cycles(), dma->port->hz);
}

static void
ctl_ban(struct rionet_dma *dma, struct rionet_dma_peer *peer, uint64_t now)
{
	struct rionet_port *port = dma->port;

	port->dma_stats.isolated++;
	RIONET_LOG(WARNING, port->data->name,
		   "station %u broke the protocol: no DMA with it for %u s", peer->destid,
		   CTL_BAN_MS / 1000);
	peer->ban_end = now + ms_to_tsc(port, CTL_BAN_MS);
	rionet_dma_peer_close(dma, peer, true);
}

static void
ctl_isolate(struct rionet_dma *dma, struct rionet_dma_peer *peer, uint64_t now)
{
	ctl_ban(dma, peer, now);
	rionet_join_reply(dma->port, peer->destid, ctl_give_up(dma, peer));
}

/* The peer ends its session. What it did in it is not forgotten. */
static void
ctl_end(struct rionet_dma *dma, struct rionet_dma_peer *peer)
{
	if (rionet_dma_peer_bad(dma, peer))
		ctl_ban(dma, peer, rte_get_tsc_cycles());
	else
		rionet_dma_peer_close(dma, peer, false);
}

/* A ban is over: joining anew brings HELLO and all that follows. */
static void
ctl_pardon(struct rionet_dma *dma, struct rionet_dma_peer *peer)
{
	struct rionet_port *port = dma->port;

	peer->ban_end = 0;
	if (rionet_peer_state(port->peers, peer->destid) == RIONET_PEER_JOINED)
		rionet_join_reply(port, peer->destid, ctl_give_up(dma, peer));
}

static void
ctl_lost(struct rionet_dma *dma, struct rionet_dma_peer *peer, const char *why)
{
	dma->port->dma_stats.silent++;
	RIONET_LOG(NOTICE, dma->port->data->name, "station %u: %s, taken as gone", peer->destid,
		   why);
	rionet_join_reply(dma->port, peer->destid, ctl_give_up(dma, peer));
}

static void
ctl_tick_peer(struct rionet_dma *dma, struct rionet_dma_peer *peer, uint64_t now, bool on_time)
{
	const char *why = NULL;

	if (peer->ban_end != 0) {
		if (now >= peer->ban_end)
			ctl_pardon(dma, peer);
		return;
	}
	if (peer->state == RIONET_DMA_OPEN)
		why = rionet_dma_peer_tick(dma, peer, now, on_time);
	if (rionet_dma_peer_bad(dma, peer)) {
		ctl_isolate(dma, peer, now);
		return;
	}
	if (peer->state == RIONET_DMA_OFFERED) {
		if (++peer->tries < CTL_TRIES)
			setup_send(dma, peer);
		else
			rionet_dma_peer_close(dma, peer, true);
		return;
	}
	if (why != NULL)
		ctl_lost(dma, peer, why);
}

static void
ctl_tick(void *arg)
{
	struct rionet_port *port = arg;
	struct rionet_dma *dma = port->dma;
	unsigned int slot;
	uint64_t now;
	bool on_time;

	rte_spinlock_lock(&dma->lock);
	ctl_messages(dma);
	/* Behind what sessions that begin just now note. */
	now = rte_get_tsc_cycles();
	/* Who was held up himself may not judge others. */
	on_time = now - dma->ticked < ms_to_tsc(port, 3 * RIONET_BEAT_MS);
	dma->ticked = now;
	for (slot = 1; slot <= RIONET_PEERS_MAX; slot++)
		if (dma->peer[slot] != NULL)
			ctl_tick_peer(dma, dma->peer[slot], now, on_time);
	ctl_reap(dma);
	if (dma->running)
		rte_eal_alarm_set(RIONET_BEAT_MS * 1000, ctl_tick, port);
	rte_spinlock_unlock(&dma->lock);
}

/* ---- from other files ---- */

void
rionet_dma_joined(struct rionet_port *port, uint16_t destid)
{
	struct rionet_dma *dma = port->dma;
	struct rionet_dma_peer *peer;

	if (dma == NULL)
		return;
	rte_spinlock_lock(&dma->lock);
	peer = ctl_get(dma, destid);
	if (peer != NULL && peer->state != RIONET_DMA_NONE)
		ctl_end(dma, peer);
	if (peer != NULL)
		peer->joined = rte_get_tsc_cycles();
	if (peer != NULL && peer->ban_end == 0)
		tsi721_dbell_send(port->dev, destid,
				  rionet_hello(RIONET_DMA_VERSION, dma->nb_tx, dma->nb_rx));
	rte_spinlock_unlock(&dma->lock);
}

void
rionet_dma_again(struct rionet_port *port, uint16_t destid)
{
	struct rionet_dma *dma = port->dma;
	struct rionet_dma_peer *peer;

	if (dma == NULL)
		return;
	rte_spinlock_lock(&dma->lock);
	peer = ctl_find(dma, destid);
	if (peer != NULL && peer->state == RIONET_DMA_NONE && peer->ban_end == 0)
		tsi721_dbell_send(port->dev, destid,
				  rionet_hello(RIONET_DMA_VERSION, dma->nb_tx, dma->nb_rx));
	rte_spinlock_unlock(&dma->lock);
}

void
rionet_dma_left(struct rionet_port *port, uint16_t destid)
{
	struct rionet_dma *dma = port->dma;
	struct rionet_dma_peer *peer;

	if (dma == NULL)
		return;
	rte_spinlock_lock(&dma->lock);
	peer = ctl_find(dma, destid);
	if (peer != NULL) {
		ctl_end(dma, peer);
		peer->joined = 0;
	}
	rte_spinlock_unlock(&dma->lock);
}

unsigned int
rionet_dma_count(const struct rionet_dma *dma)
{
	unsigned int slot, n = 0;

	for (slot = 1; slot <= RIONET_PEERS_MAX; slot++) {
		const struct rionet_dma_peer *peer = __atomic_load_n(&dma->peer[slot],
								     __ATOMIC_ACQUIRE);

		n += peer != NULL &&
		     __atomic_load_n(&peer->state, __ATOMIC_RELAXED) == RIONET_DMA_OPEN;
	}
	return n;
}

static void
ctl_doorbell(void *arg, uint16_t src, uint16_t info)
{
	struct rionet_dma *dma = ((struct rionet_port *)arg)->dma;

	rte_spinlock_lock(&dma->lock);
	if (info == RIONET_DBELL_KNOCK)
		ctl_messages(dma);
	else if (info >= RIONET_DBELL_HELLO && info <= RIONET_DBELL_HELLO_LAST)
		ctl_hello(dma, src, info);
	rte_spinlock_unlock(&dma->lock);
}

/* A station that can do DMA says HELLO right behind its JOIN. */
static bool
ctl_agreeing(const struct rionet_dma *dma, const struct rionet_dma_peer *peer)
{
	if (peer->state == RIONET_DMA_NONE)
		return peer->joined != 0 && peer->ban_end == 0 &&
		       rte_get_tsc_cycles() - peer->joined < ms_to_tsc(dma->port, CTL_HELLO_MS);
	return !peer->agreed;
}

bool
rionet_dma_agreeing(struct rionet_port *port)
{
	struct rionet_dma *dma = port->dma;
	bool agreeing = false;
	unsigned int slot;

	if (dma == NULL)
		return false;
	rte_spinlock_lock(&dma->lock);
	ctl_messages(dma);
	for (slot = 1; slot <= RIONET_PEERS_MAX; slot++)
		if (dma->peer[slot] != NULL && ctl_agreeing(dma, dma->peer[slot]))
			agreeing = true;
	rte_spinlock_unlock(&dma->lock);
	return agreeing;
}

int
rionet_ctl_start(struct rionet_dma *dma)
{
	struct rionet_port *port = dma->port;
	int ret;

	ret = tsi721_dbell_request(port->dev, RIONET_DBELL_HELLO, RIONET_DBELL_KNOCK,
				   ctl_doorbell, port);
	if (ret != 0)
		return ret;
	dma->running = true;
	dma->ticked = rte_get_tsc_cycles();
	ret = rte_eal_alarm_set(RIONET_BEAT_MS * 1000, ctl_tick, port);
	if (ret != 0) {
		dma->running = false;
		tsi721_dbell_release(port->dev, RIONET_DBELL_HELLO, RIONET_DBELL_KNOCK);
	}
	return ret;
}

void
rionet_ctl_stop(struct rionet_dma *dma)
{
	struct rionet_port *port = dma->port;

	if (!dma->running)
		return;
	rte_spinlock_lock(&dma->lock);
	dma->running = false;
	rte_spinlock_unlock(&dma->lock);
	rte_eal_alarm_cancel(ctl_tick, port);
	tsi721_dbell_release(port->dev, RIONET_DBELL_HELLO, RIONET_DBELL_KNOCK);
}
