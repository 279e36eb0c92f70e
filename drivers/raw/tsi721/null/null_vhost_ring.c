/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Split virtqueues of virtio 1.0, seen from the device. Everything in them is
 * the guest's to change at any time: it is copied out once, checked, then used.
 */

#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>

#include "null_vhost_internal.h"

struct vhost_desc {
	uint64_t addr;
	uint32_t len;
	uint16_t flags;
	uint16_t next;
};
#define DESC_NEXT	0x1u
#define DESC_WRITE	0x2u	/* memory that the device writes */
#define DESC_INDIRECT	0x4u	/* not offered */

#define AVAIL_NO_INTERRUPT	0x1u
#define RING_FLAGS	0	/* in 16-bit words */
#define RING_INDEX	1
#define RING_ELEMENTS	2
#define USED_WORDS	4	/* of an element: id and length, 32 bits each */

static uint64_t
avail_bytes(uint32_t num)
{
	return (RING_ELEMENTS + (uint64_t)num) * 2;
}

static uint64_t
used_bytes(uint32_t num)
{
	return (RING_ELEMENTS + (uint64_t)num * USED_WORDS) * 2;
}

bool
vhost_ring_open(struct vhost_node *node, uint32_t queue, struct vhost_rings *rings)
{
	struct vhost_queue *q = &node->guest.queue[queue];

	if (!q->enabled || q->num == 0 || !q->placed || node->guest.lost)
		return false;
	rings->num = q->num;
	rings->desc = (void *)vhost_mem_user(&node->guest, q->desc,
					     q->num * sizeof(struct vhost_desc));
	rings->avail = (void *)vhost_mem_user(&node->guest, q->avail, avail_bytes(q->num));
	rings->used = (void *)vhost_mem_user(&node->guest, q->used, used_bytes(q->num));
	if (rings->desc != NULL && rings->avail != NULL && rings->used != NULL)
		return true;
	vhost_guest_fail(node, "queue %u of %u entries at %#" PRIx64 ", %#" PRIx64 ", %#" PRIx64
			 " is not in guest memory", queue, q->num, q->desc, q->avail, q->used);
	return false;
}

/* Walk a chain of descriptors. NULL: it is sound; else what is wrong with it. */
static const char *
chain_walk(const struct vhost_guest *guest, const struct vhost_rings *rings,
	   struct vhost_chain *chain)
{
	uint16_t at = chain->head;

	for (;;) {
		uint32_t n = chain->nb_out + chain->nb_in;
		struct vhost_desc d;

		if (at >= rings->num)
			return "index beyond the table";
		if (n == VHOST_CHAIN_MAX)
			return "too many descriptors";
		memcpy(&d, &rings->desc[at], sizeof(d));
		if ((d.flags & DESC_INDIRECT) != 0)
			return "indirect descriptors are not offered";
		if ((d.flags & DESC_WRITE) == 0 && chain->nb_in > 0)
			return "memory to read behind memory to write";
		chain->seg[n].va = vhost_mem_guest(guest, d.addr, d.len);
		chain->seg[n].len = d.len;
		if (chain->seg[n].va == NULL)
			return "not in guest memory";
		if ((d.flags & DESC_WRITE) != 0) {
			chain->nb_in++;
			chain->in_len += d.len;
		} else {
			chain->nb_out++;
			chain->out_len += d.len;
		}
		if ((d.flags & DESC_NEXT) == 0)
			return NULL;
		at = d.next;
	}
}

bool
vhost_ring_pop(struct vhost_node *node, uint32_t queue, const struct vhost_rings *rings,
	       struct vhost_chain *chain)
{
	struct vhost_queue *q = &node->guest.queue[queue];
	uint16_t index = __atomic_load_n(&rings->avail[RING_INDEX], __ATOMIC_ACQUIRE);
	uint16_t there = (uint16_t)(index - q->next_avail);
	const char *why;

	if (there == 0)
		return false;
	if (there > rings->num) {
		vhost_guest_fail(node, "queue %u: %u requests are said to wait, it holds %u", queue,
				 there, rings->num);
		return false;
	}
	chain->nb_out = chain->nb_in = 0;
	chain->out_len = chain->in_len = 0;
	chain->head = __atomic_load_n(&rings->avail[RING_ELEMENTS +
				      (q->next_avail & (rings->num - 1))], __ATOMIC_RELAXED);
	why = chain_walk(&node->guest, rings, chain);
	if (why != NULL) {
		vhost_guest_fail(node, "queue %u: descriptor chain at %u: %s", queue, chain->head,
				 why);
		return false;
	}
	q->next_avail++;
	return true;
}

void
vhost_ring_unpop(struct vhost_node *node, uint32_t queue)
{
	node->guest.queue[queue].next_avail--;
}

void
vhost_ring_push(const struct vhost_rings *rings, const struct vhost_chain *chain, uint32_t len)
{
	/* The index is ours alone to write, but it lies where the guest can. */
	uint16_t index = __atomic_load_n(&rings->used[RING_INDEX], __ATOMIC_RELAXED);
	uint32_t elem[2] = { chain->head, len };

	memcpy(&rings->used[RING_ELEMENTS + (index & (rings->num - 1)) * USED_WORDS], elem,
	       sizeof(elem));
	__atomic_store_n(&rings->used[RING_INDEX], (uint16_t)(index + 1), __ATOMIC_RELEASE);
}

void
vhost_ring_notify(struct vhost_node *node, uint32_t queue, const struct vhost_rings *rings)
{
	int call = node->guest.queue[queue].call;
	const uint64_t one = 1;

	/* What the used ring says must be seen before the guest's wish is looked at. */
	atomic_thread_fence(memory_order_seq_cst);
	if (call < 0 || (__atomic_load_n(&rings->avail[RING_FLAGS], __ATOMIC_RELAXED) &
			 AVAIL_NO_INTERRUPT) != 0)
		return;
	/* Full: the guest has enough of them waiting. Closed: its connection is about to end. */
	(void)!send(call, &one, sizeof(one), MSG_DONTWAIT | MSG_NOSIGNAL);
}

size_t
vhost_chain_read(const struct vhost_chain *chain, void *buf, size_t len)
{
	size_t done = 0;
	uint32_t i;

	for (i = 0; i < chain->nb_out && done < len; i++) {
		size_t n = chain->seg[i].len < len - done ? chain->seg[i].len : len - done;

		memcpy((uint8_t *)buf + done, chain->seg[i].va, n);
		done += n;
	}
	return done;
}

size_t
vhost_chain_write(const struct vhost_chain *chain, const void *buf, size_t len)
{
	size_t done = 0;
	uint32_t i;

	for (i = chain->nb_out; i < chain->nb_out + chain->nb_in && done < len; i++) {
		size_t n = chain->seg[i].len < len - done ? chain->seg[i].len : len - done;

		memcpy(chain->seg[i].va, (const uint8_t *)buf + done, n);
		done += n;
	}
	return done;
}
