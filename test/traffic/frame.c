/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <string.h>

#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_random.h>

#include "frame.h"

#define MAGIC		0x7a1fu
#define BYTES		(1u << 16)	/* places at which a frame's bytes may begin */
#define SHORT_SEGMENT	64u
/* A limit of the MTU leaves room for tags and padding: no length is near it but above. */
#define GREY		24u

struct tag {
	rte_be16_t magic;
	uint8_t src, flow;
	rte_be32_t life;
	rte_be64_t seq;
} __rte_packed;

static uint8_t bytes[BYTES + FRAME_LIMIT + 2 * GREY];

static uint64_t
mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9ull;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

void
frame_init(void)
{
	uint64_t x;
	uint32_t i;

	for (i = 0; i + sizeof(x) <= sizeof(bytes); i += sizeof(x)) {
		x = mix(i + 1);
		memcpy(bytes + i, &x, sizeof(x));
	}
}

static uint64_t
frame_hash(const struct frame_id *id)
{
	uint64_t who = id->src | (uint64_t)id->dst << 8 | (uint64_t)id->flow << 16 |
		       (uint64_t)id->life << 32;

	return mix(mix(who + 1) + id->seq);
}

/* No length at which it depends on tags whether it is above the limit. */
static uint32_t
clear_of(uint32_t len, uint16_t mtu)
{
	uint32_t limit = mtu + 14u;

	return len > limit && len <= limit + GREY ? limit : len;
}

uint32_t
frame_len(const struct traffic *t, const struct frame_id *id)
{
	uint64_t h = frame_hash(id);
	uint32_t longest = t->longest, len;

	if (t->huge != 0 && (h >> 40) % t->huge_every == 0)
		longest = t->huge;
	/* A third is small. */
	else if ((h >> 32) % 3 == 0)
		longest = 600;
	len = FRAME_MIN + (uint32_t)(h & 0xffffff) % (longest - FRAME_MIN + 1);
	len = clear_of(len, t->node[id->src].mtu);
	return clear_of(len, t->node[id->dst].mtu);
}

static const uint8_t *
frame_bytes(const struct frame_id *id)
{
	return bytes + (frame_hash(id) >> 24) % BYTES;
}

static void
head_make(uint8_t head[FRAME_HEAD], const struct frame_id *id, uint32_t len)
{
	const uint8_t start[FRAME_HEAD] = {
		0, 1, 0, 1, 0, id->dst, 0, 1, 0, 1, 0, id->src, 0x08, 0x00,
		0x45, 0, (len - 14) >> 8 & 0xff, (len - 14) & 0xff, 0, 0, 0, 0, 64, 17, 0, 0,
		10, id->flow, 0, id->src, 10, id->flow, 0, id->dst,
		0x40, id->flow, 0x41, id->flow * 3 + 1, (len - 34) >> 8 & 0xff, (len - 34) & 0xff,
	};
	struct tag tag = {
		.magic = rte_cpu_to_be_16(MAGIC), .src = id->src, .flow = id->flow,
		.life = rte_cpu_to_be_32(id->life), .seq = rte_cpu_to_be_64(id->seq),
	};

	memcpy(head, start, sizeof(start));
	memcpy(head + FRAME_HEAD - sizeof(tag), &tag, sizeof(tag));
}

/* Bytes from `off` on, of the head and what follows. */
static void
copy_part(uint8_t *to, const uint8_t *head, const uint8_t *rest, uint32_t off, uint32_t len)
{
	uint32_t n = 0;

	if (off < FRAME_HEAD) {
		n = RTE_MIN(len, FRAME_HEAD - off);
		memcpy(to, head + off, n);
	}
	memcpy(to + n, rest + off + n, len - n);
}

/* The next segment's length: the first holds the Ethernet header; most are full, some tiny. */
static uint32_t
segment_len(uint32_t room, uint32_t left, bool first, bool many)
{
	uint64_t r = rte_rand();
	uint32_t len = room, least = first ? RTE_ETHER_HDR_LEN : 1;

	if (!many && (r & 7) == 0)
		len = least + (uint32_t)(r >> 8) % SHORT_SEGMENT;
	else if (!many && (r & 7) < 3)
		len = least + (uint32_t)(r >> 8) % (room - least);
	return RTE_MIN(RTE_MIN(len, left), room);
}

struct rte_mbuf *
frame_make(const struct traffic *t, const struct frame_id *id, struct rte_mempool *const pools[],
	   unsigned int n)
{
	uint32_t len = frame_len(t, id), off = 0, part;
	struct rte_mbuf *m = NULL, *seg, **next = &m;
	const uint8_t *rest = frame_bytes(id);
	uint8_t head[FRAME_HEAD];
	uint16_t segs = 0, space;

	head_make(head, id, len);
	for (; off < len; off += part) {
		/* Long ones in small pieces now and then, but not so that pools run dry. */
		seg = rte_pktmbuf_alloc(pools[(len > 16000 && (id->seq & 3) != 0) ? n - 1 :
					      (uint32_t)rte_rand() % n]);
		if (seg == NULL) {
			rte_pktmbuf_free(m);
			return NULL;
		}
		/* Data begins anywhere in the headroom. */
		seg->data_off = (uint16_t)(rte_rand() % (RTE_PKTMBUF_HEADROOM + 1));
		space = rte_pktmbuf_tailroom(seg);
		part = segment_len(space, len - off, off == 0, segs > 40);
		copy_part(rte_pktmbuf_mtod(seg, uint8_t *), head, rest, off, part);
		seg->data_len = (uint16_t)part;
		*next = seg;
		next = &seg->next;
		segs++;
	}
	m->nb_segs = segs;
	m->pkt_len = len;
	return m;
}

bool
frame_read(const struct rte_mbuf *m, struct frame_id *id)
{
	uint8_t copy[FRAME_HEAD];
	const uint8_t *head = rte_pktmbuf_read(m, 0, FRAME_HEAD, copy);
	struct tag tag;

	if (head == NULL)
		return false;
	memcpy(&tag, head + FRAME_HEAD - sizeof(tag), sizeof(tag));
	id->src = tag.src;
	id->dst = head[5];
	id->flow = tag.flow;
	id->life = rte_be_to_cpu_32(tag.life);
	id->seq = rte_be_to_cpu_64(tag.seq);
	return tag.magic == rte_cpu_to_be_16(MAGIC);
}

static bool
is_zero(const uint8_t *b, uint32_t len)
{
	while (len-- > 0)
		if (*b++ != 0)
			return false;
	return true;
}

const char *
frame_check(const struct traffic *t, const struct frame_id *id, struct rte_mbuf *m)
{
	uint32_t len = frame_len(t, id), off = 0, part, in;
	uint8_t head[FRAME_HEAD], want[FRAME_HEAD];
	const uint8_t *rest = frame_bytes(id), *b;
	const struct rte_mbuf *seg;
	const char *reason;

	if (rte_mbuf_check(m, 1, &reason) != 0)
		return reason;
	if ((t->msg ? m->pkt_len != RTE_ALIGN_CEIL(len, 8) : true) &&
	    (t->dma ? m->pkt_len != len : true))
		return "wrong length";
	head_make(want, id, len);
	b = rte_pktmbuf_read(m, 0, FRAME_HEAD, head);
	if (b == NULL || memcmp(b, want, FRAME_HEAD) != 0)
		return "wrong bytes in the headers";
	for (seg = m; seg != NULL; seg = seg->next, off += part) {
		part = seg->data_len;
		b = rte_pktmbuf_mtod(seg, const uint8_t *);
		in = off < FRAME_HEAD ? RTE_MIN(FRAME_HEAD - off, part) : 0;
		if (off + part > len) {
			if (!is_zero(b + (len > off ? len - off : 0),
				     len > off ? off + part - len : part))
				return "padding is not zero";
			part = len > off ? len - off : 0;
		}
		if (part > in && memcmp(b + in, rest + off + in, part - in) != 0)
			return "wrong bytes";
		part = seg->data_len;
	}
	return NULL;
}
