/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * A process on a fabric, for tests: exchanges traffic whose contents it checks.
 * Others may be killed, stopped and begun again at any time; what must not
 * happen even then is said in struct worker.
 */

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "worker_own.h"

#define RECORD_MAGIC	0x524f4952u
#define ACK_NS		(2ull * 1000 * 1000 * 1000)	/* then a slot is given up */
#define IRQ_MS		300
#define LATE_MS		50
#define LOST_MS		900	/* a sender that was killed is noticed later on a busy machine */

/* A doorbell: acknowledgement, low bits of the receiver's life number, slot. */
#define BELL_ACK	0x8000u
#define BELL_LIFE	0x7ffu
#define BELL_LIFE_SHIFT	4
#define BELL_SLOT	(NODE_SLOTS - 1)

/*
 * Head of a block and of a message; a pattern follows that depends on all of it.
 * to_life: of the receiver, as known before it was written; 0 in messages.
 */
struct record {
	uint32_t magic, from, life, seq, len, to_life, seed, pad;
};

/* A peer as seen from here. */
struct peer {
	uint64_t sent[NODE_SLOTS];	/* when a block went there; 0: slot is free */
	uint32_t sent_life;		/* that they went to */
	uint32_t life;			/* of the messages that come from it */
	uint32_t seq;
};

struct workers *all;
struct worker *me;
struct node node;
static struct peer peers[NODES_MAX];
static uint32_t self, life, seed, block_seq, msg_seq[NODES_MAX];
static uint32_t msg_to = UINT32_MAX;
static uint64_t idle_ns;	/* slept since the last progress, for want of an interrupt */

void
wrong(const char *fmt, ...)
{
	va_list ap;

	if (atomic_fetch_add(&me->wrong, 1) != 0)
		return;
	va_start(ap, fmt);
	vsnprintf(me->why, sizeof(me->why), fmt, ap);
	va_end(ap);
}

uint32_t
rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

void
progress(void)
{
	uint64_t now = null_now_ns(), was = atomic_exchange(&me->beat, now);

	was += was != 0 ? idle_ns : 0;
	idle_ns = 0;
	if (was != 0 && now > was && now - was > atomic_load(&me->longest))
		atomic_store(&me->longest, now - was);
}

static uint32_t
index_of(uint32_t destid)
{
	uint32_t i;

	for (i = 0; i < all->nb; i++)
		if (atomic_load(&all->w[i].was_at) == destid + 1)
			return i;
	return UINT32_MAX;
}

/* ---- records ---- */

static uint32_t
record_seed(const struct record *r)
{
	return r->from * 7919u + r->life * 104729u + r->seq * 31u + r->len + r->to_life * 1299709u;
}

static void
record_make(uint8_t *p, uint32_t seq, uint32_t len, uint32_t to_life)
{
	struct record r = {
		.magic = RECORD_MAGIC, .from = self, .life = life, .seq = seq, .len = len,
		.to_life = to_life,
	};
	uint32_t i;

	r.seed = record_seed(&r);
	memcpy(p, &r, sizeof(r));
	for (i = sizeof(r); i < len; i++)
		p[i] = node_pattern(i, r.seed);
}

static bool
record_good(const uint8_t *p, uint32_t max, struct record *r)
{
	uint32_t i;

	memcpy(r, p, sizeof(*r));
	if (r->magic != RECORD_MAGIC || r->len < sizeof(*r) || r->len > max ||
	    r->seed != record_seed(r))
		return false;
	for (i = sizeof(*r); i < r->len; i++)
		if (p[i] != node_pattern(i, r->seed))
			return false;
	return true;
}

/* ---- what arrives ---- */

static uint32_t
slot_off(uint32_t from, uint32_t slot)
{
	return (from * NODE_SLOTS + slot) * NODE_SLOT_SIZE;
}

static uint16_t
bell_info(uint32_t to_life, uint32_t slot)
{
	return (uint16_t)((to_life & BELL_LIFE) << BELL_LIFE_SHIFT | slot);
}

/*
 * The sender knew this life before it wrote, so that is where the block went: it must
 * be here, and of that knowledge. A slot is not written again before it was
 * acknowledged, nor by the sender's next life; by the one after that, perhaps.
 */
static bool
block_good(uint32_t from, uint32_t slot, struct record *r)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	const uint8_t *p = node.mem + NODE_WIN + slot_off(from, slot);
	uint32_t i;

	for (i = 0; i < 20; i++) {
		if (record_good(p, NODE_SLOT_SIZE, r) && r->from == from && r->to_life == life)
			return true;
		nanosleep(&nap, NULL);
	}
	wrong("block of %u in slot %u, life %u: from %u, life %u, seq %u, %u bytes, to life %u",
	      from, slot, life, r->from, r->life, r->seq, r->len, r->to_life);
	return false;
}

static void
block_told(uint32_t src, uint32_t from, uint16_t info)
{
	uint32_t to = info >> BELL_LIFE_SHIFT & BELL_LIFE, slot = info & BELL_SLOT;
	uint32_t ago = (life - to) & BELL_LIFE;
	struct record r;

	/* Meant for a former life, whose memory is gone. The first is 1: 0 is no doorbell's. */
	if (ago != 0) {
		if (ago > BELL_LIFE / 2 || to == 0)
			wrong("doorbell 0x%x of %u is for no life before %u", info, from, life);
		return;
	}
	if (!block_good(from, slot, &r))
		return;
	atomic_fetch_add(&me->blocks[from], 1);
	node_ring(&node, src, (uint16_t)(BELL_ACK | bell_info(r.life, slot)));
}

static void
bells(void)
{
	uint32_t src, from;
	uint16_t info;

	while (node_bell_get(&node, &src, &info)) {
		progress();
		from = index_of(src);
		if (from >= all->nb)
			wrong("doorbell 0x%x of ID %u", info, src);
		else if ((info & BELL_ACK) == 0)
			block_told(src, from, info);
		else if ((info >> BELL_LIFE_SHIFT & BELL_LIFE) == (life & BELL_LIFE))
			peers[from].sent[info & BELL_SLOT] = 0;
	}
}

static void
message_arrived(const uint8_t *p, uint32_t src, uint32_t len)
{
	struct record r;
	struct peer *peer;

	if (!record_good(p, len, &r) || r.len != len) {
		wrong("message of ID %u, %u bytes: from %u, life %u, seq %u, %u bytes", src, len,
		      r.from, r.life, r.seq, r.len);
		return;
	}
	if (r.from != index_of(src)) {
		wrong("message of ID %u is from %u", src, r.from);
		return;
	}
	peer = &peers[r.from];
	if (peer->life == r.life && r.seq != peer->seq + 1)
		wrong("message %u of %u, life %u, comes after %u", r.seq, r.from, r.life,
		      peer->seq);
	peer->life = r.life;
	peer->seq = r.seq;
	atomic_fetch_add(&me->messages[r.from], 1);
}

static void
messages(void)
{
	uint32_t src, len;
	const uint8_t *p;

	while ((p = node_msg_get(&node, &src, &len)) != NULL) {
		progress();
		message_arrived(p, src, len);
		node_msg_free(&node);
	}
}

/* ---- what is sent ---- */

static bool
ended(uint32_t code)
{
	progress();
	if (code == 0)
		return true;
	atomic_fetch_add(&me->failed, 1);
	if (code != NULL_ABORT_ERROR && code != NULL_ABORT_TIMEOUT)
		wrong("a request ended with code %u", code);
	return false;
}

static void
block_send(uint32_t to, uint32_t destid)
{
	/* The lives of a sender take turns with the halves of its slots. */
	uint32_t slot = rnd() % (NODE_SLOTS / 2) + (life % 2) * (NODE_SLOTS / 2);
	uint32_t len = (uint32_t)sizeof(struct record) + rnd() % (NODE_SLOT_SIZE - 64);
	uint32_t to_life = atomic_load(&all->w[to].ready);
	struct peer *peer = &peers[to];

	if (peer->sent_life != to_life)
		memset(peer->sent, 0, sizeof(peer->sent));
	peer->sent_life = to_life;
	if (peer->sent[slot] != 0 && null_now_ns() - peer->sent[slot] < ACK_NS)
		return;
	record_make(node.mem + NODE_OUT, block_seq++, len, to_life);
	if (!ended(node_dma(&node, rnd() % 2 != 0 ? TSI721_RTYPE_LAST_NWRITE_R :
			    TSI721_RTYPE_ALL_NWRITE_R, destid,
			    NODE_WIN_RIO + slot_off(self, slot), NODE_OUT, len)))
		return;
	peer->sent[slot] = null_now_ns();
	node_ring(&node, destid, bell_info(to_life, slot));
}

static bool
pattern_of(uint32_t from, uint32_t of_life, uint32_t off, uint32_t len)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		if (node.mem[NODE_IN + i] != node_pattern(off + i, node_seed(from, of_life)))
			return false;
	return true;
}

/*
 * It is the memory of a life that was there between the two looks: of none before, which
 * may still be mapped. Who attaches is there a little before it says so.
 */
static void
pattern_read(uint32_t from, uint32_t destid)
{
	uint32_t off = rnd() % (NODE_PAT_SIZE - 4112), len = 1 + rnd() % 4096;
	uint32_t first = atomic_load(&all->w[from].ready), i, last;

	/* A few bytes could be those of any life. */
	len += 16;
	memset(node.mem + NODE_IN, 0, len);
	if (!ended(node_dma(&node, TSI721_RTYPE_NREAD, destid, NODE_PAT_RIO + off, NODE_IN, len)))
		return;
	last = atomic_load(&all->w[from].ready) + 1;
	for (i = first; i <= last; i++)
		if (pattern_of(from, i, off, len)) {
			atomic_fetch_add(&me->reads[from], 1);
			return;
		}
	for (i = 0; i < first && !pattern_of(from, i, off, len); i++)
		;
	wrong("%u bytes read at 0x%x of %u are %s, not of life %u to %u (%u)", len, off, from,
	      i < first ? "of a former life" : "of none", first, last, i);
}

/* One message is under way at a time; one that was not taken is sent again. */
static void
message_step(uint32_t to, uint32_t destid)
{
	uint32_t code, len;

	if (msg_to != UINT32_MAX) {
		code = node_msg_done(&node);
		if (code == NODE_MSG_BUSY)
			return;
		if (!ended(code))
			msg_seq[msg_to]--;
		msg_to = UINT32_MAX;
	}
	len = 32 + rnd() % 508 * 8;
	record_make(node.mem + NODE_MSG, ++msg_seq[to], len, 0);
	msg_to = to;
	node_msg_send(&node, destid, len);
}

static void
step(void)
{
	uint32_t to = rnd() % all->nb, at = atomic_load(&all->w[to].at);

	if (to == self || at == 0)
		return;
	switch (rnd() % 3) {
	case 0:
		block_send(to, at - 1);
		break;
	case 1:
		pattern_read(to, at - 1);
		break;
	default:
		message_step(to, at - 1);
		break;
	}
}

/* ---- kinds of workers ---- */

static bool
pending(void)
{
	uint32_t src, len;

	return node_rd(&node, TSI721_IDQ_WP(0)) != node.idq_rp ||
	       node_msg_get(&node, &src, &len) != NULL;
}

static void
irq_late(struct pollfd *p)
{
	uint64_t begin = null_now_ns(), ns;

	if (poll(p, 1, LOST_MS) == 0)
		wrong("no interrupt came for what arrived");
	ns = null_now_ns() - begin;
	if (ns > LATE_MS * 1000000ull)
		atomic_fetch_add(&me->irqs_late, 1);
	if (ns > atomic_load(&me->irq_latest))
		atomic_store(&me->irq_latest, ns);
}

/* Wait for an interrupt; that something has arrived must not go untold. */
static void
irq_wait(void)
{
	struct pollfd p = { .fd = node.irq_fd, .events = POLLIN };
	uint64_t begin = null_now_ns();
	int ret = poll(&p, 1, IRQ_MS);

	/* What is late after this counts. */
	idle_ns += null_now_ns() - begin;
	if (ret == 0 && pending())
		irq_late(&p);
	node_irq_rearm(&node);
}

static void
traffic(void)
{
	uint32_t i;

	while (atomic_load(&all->stop) == 0) {
		bells();
		messages();
		if (me->irq)
			irq_wait();
		for (i = 0; i < 4; i++)
			step();
		if (rnd() % 64 == 0)
			sched_yield();
	}
	/* What is still on its way is taken, so that others do not fail. */
	for (i = 0; i < 100; i++) {
		bells();
		messages();
		usleep(1000);
	}
}

static void
asked(void)
{
	struct worker_ask *ask = &me->ask;
	bool read;

	while (atomic_load(&all->stop) == 0) {
		if (atomic_load(&ask->todo) == 0) {
			usleep(200);
			continue;
		}
		read = ask->rtype == TSI721_RTYPE_NREAD;
		if (!read)
			memcpy(node.mem + NODE_OUT, ask->data, ask->len);
		ask->code = node_dma(&node, ask->rtype, ask->destid, ask->rio,
				     read ? NODE_IN : NODE_OUT, ask->len);
		if (read)
			memcpy(ask->data, node.mem + NODE_IN, ask->len);
		atomic_store(&ask->todo, 0);
	}
}

int
main(int argc, char **argv)
{
	struct null_device_params p = { .host = -1 };
	char err[NULL_ERR_LEN] = "";
	int ret;

	/* Not to outlive the test, however that ends. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (argc != 3)
		return 2;
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[1]), 0);
	if (all == MAP_FAILED)
		return 2;
	self = (uint32_t)atoi(argv[2]);
	me = &all->w[self];
	life = atomic_load(&me->ready) + 1;
	seed = (self + 1) * 2654435761u ^ (uint32_t)getpid();
	p.fabric = all->fabric;
	p.topology = all->topology[0] != '\0' ? all->topology : NULL;
	p.node = me->node[0] != '\0' ? me->node : NULL;
	p.destid = me->destid;
	p.exec = me->thread ? NULL_EXEC_THREAD : NULL_EXEC_INLINE;
	ret = node_open(&node, &p, self, life, err, sizeof(err));
	if (ret < 0) {
		wrong("open: %s", err[0] != '\0' ? err : strerror(-ret));
		return 1;
	}
	if (me->kind == WORKER_TARGET)
		target_ready();
	if (me->irq)
		node_irq_on(&node);
	atomic_store(&me->was_at, node.destid + 1);
	atomic_store(&me->beat, 0);
	/* Who sees it there knows its life. */
	atomic_store(&me->ready, life);
	atomic_store(&me->at, node.destid + 1);
	if (me->kind == WORKER_TRAFFIC)
		traffic();
	else if (me->kind == WORKER_TARGET)
		target();
	else if (me->kind == WORKER_ATTACKER)
		attacker();
	else if (me->kind == WORKER_ASKED)
		asked();
	else
		while (atomic_load(&all->stop) == 0)
			usleep(1000);
	atomic_store(&me->irqs, atomic_load(&node.irqs));
	node_close(&node);
	return 0;
}
