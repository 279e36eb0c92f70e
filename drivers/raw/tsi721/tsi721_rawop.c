/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stddef.h>

#include "tsi721_device.h"
#include "tsi721_rawop.h"

/* Segments of the public operation are handed to the channel as they are. */
_Static_assert(sizeof(struct rte_pmd_tsi721_seg) == sizeof(struct tsi721_bdma_seg) &&
	       offsetof(struct rte_pmd_tsi721_seg, len) == offsetof(struct tsi721_bdma_seg, len),
	       "segments differ");

/* Pieces that are posted together. */
#define PART_PIECES	32u

/* A cookie is the operation's address, with what it is a cookie of in the low bits. */
#define COOKIE_PART	((uintptr_t)1)	/* not the last part of an operation */
#define COOKIE_LAST	((uintptr_t)2)	/* the last of several parts */
#define COOKIE_FORGET	((uintptr_t)4)	/* alone: nobody asks for it */
#define COOKIE_BITS	((uintptr_t)7)

static const uint8_t op_rtype[] = {
	[RTE_PMD_TSI721_READ] = TSI721_RTYPE_NREAD,
	[RTE_PMD_TSI721_WRITE_LAST_R] = TSI721_RTYPE_LAST_NWRITE_R,
	[RTE_PMD_TSI721_WRITE] = TSI721_RTYPE_ALL_NWRITE,
	[RTE_PMD_TSI721_WRITE_R] = TSI721_RTYPE_ALL_NWRITE_R,
	[RTE_PMD_TSI721_WRITE_IMM] = TSI721_RTYPE_ALL_NWRITE_R,
};

static inline void *
cookie_of(struct rte_pmd_tsi721_op *op, uintptr_t what)
{
	return (void *)(op->flags & RTE_PMD_TSI721_OP_FORGET ? COOKIE_FORGET :
							       (uintptr_t)op | what);
}

static inline struct tsi721_bdma_req
op_req(const struct rte_pmd_tsi721_op *op)
{
	return (struct tsi721_bdma_req){
		.raddr = op->raddr, .raddr_hi = op->raddr_hi, .prio = op->prio,
		.destid = op->destid, .rtype = op_rtype[op->type],
	};
}

/* --- operations in parts --- */

static inline uint32_t
op_runs(const struct rte_pmd_tsi721_op *op)
{
	return op->stride != NULL ? op->stride->rows : op->nb_segs;
}

static inline uint64_t
op_run_len(const struct rte_pmd_tsi721_op *op, uint32_t index)
{
	return op->segs[op->stride != NULL ? 0 : index].len;
}

/* Descriptors of it, and whether lengths and addresses are possible. */
static int
op_measure(const struct rte_pmd_tsi721_op *op, uint64_t *descs)
{
	unsigned __int128 end = (unsigned __int128)op->raddr_hi << 64 | op->raddr;
	uint32_t i;

	*descs = 0;
	for (i = 0; i < op_runs(op); i++) {
		uint64_t len = op_run_len(op, i);

		if (len == 0)
			return -EINVAL;
		if (op->stride != NULL)
			end = ((unsigned __int128)op->raddr_hi << 64 | op->raddr) +
			      (unsigned __int128)op->stride->raddr_step * i;
		end += len;
		if (end > (unsigned __int128)4 << 64)
			return -EINVAL;
		*descs += (len - 1) / TSI721_DMA_BLOCK_MAX + 1;
	}
	return *descs == 0 ? -EINVAL : 0;
}

/* The piece at a position, which moves behind it. */
static void
op_piece(const struct rte_pmd_tsi721_op *op, struct tsi721_rawop_pos *pos,
	 struct tsi721_bdma_piece *piece)
{
	const struct rte_pmd_tsi721_stride *stride = op->stride;
	uint64_t left = op_run_len(op, pos->index) - pos->off, old = pos->raddr;

	piece->raddr = pos->raddr;
	piece->iova = op->segs[stride != NULL ? 0 : pos->index].iova + pos->off +
		      (stride != NULL ? pos->index * stride->mem_step : 0);
	piece->len = RTE_MIN(left, (uint64_t)TSI721_DMA_BLOCK_MAX);
	pos->off += piece->len;
	pos->raddr += piece->len;
	pos->raddr_hi += pos->raddr < old;
	if (piece->len < left)
		return;
	pos->off = 0;
	pos->index++;
	if (stride != NULL) {
		unsigned __int128 at = ((unsigned __int128)op->raddr_hi << 64 | op->raddr) +
				       (unsigned __int128)stride->raddr_step * pos->index;

		pos->raddr = (uint64_t)at;
		pos->raddr_hi = (uint8_t)(at >> 64);
	}
}

/* One part: pieces with the same upper address bits, as far as there is room. Not none. */
static unsigned int
part_collect(const struct rte_pmd_tsi721_op *op, struct tsi721_rawop_pos *pos, unsigned int max,
	     struct tsi721_bdma_piece *pieces)
{
	uint8_t raddr_hi = pos->raddr_hi;
	unsigned int n = 0;

	do
		op_piece(op, pos, &pieces[n++]);
	while (n < max && pos->index < op_runs(op) && pos->raddr_hi == raddr_hi);
	return n;
}

/* Post parts until the end, or until there is no room. True: it is at the end. */
static bool
parts_post(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op *op,
	   struct tsi721_rawop_pos *pos, uint32_t *parts)
{
	struct tsi721_bdma_piece pieces[PART_PIECES];
	struct tsi721_bdma_req req = op_req(op);
	unsigned int room, n;
	bool ends = false;

	while (!ends && (room = tsi721_bdma_free(queue->q)) != 0) {
		req.raddr_hi = pos->raddr_hi;
		n = part_collect(op, pos, RTE_MIN(room, PART_PIECES), pieces);
		ends = pos->index == op_runs(op);
		if (!ends && op->type == RTE_PMD_TSI721_WRITE_LAST_R)
			req.rtype = TSI721_RTYPE_ALL_NWRITE;
		else
			req.rtype = op_rtype[op->type];
		tsi721_bdma_post_pieces(queue->q, &req, pieces, n,
					cookie_of(op, ends ? COOKIE_LAST : COOKIE_PART));
		(*parts)++;
	}
	return ends;
}

static void
op_done(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op *op)
{
	op->next = NULL;
	*queue->done_end = op;
	queue->done_end = &op->next;
}

/* More of the open operation, now that there is room; or its end, when a part failed. */
static void
open_go_on(struct tsi721_rawdev_queue *queue)
{
	struct rte_pmd_tsi721_op *op = queue->open;

	if (likely(op == NULL))
		return;
	if (op->status != 0) {
		if (queue->open_parts != 0)
			return;
		queue->open = NULL;
		op_done(queue, op);
		return;
	}
	if (parts_post(queue, op, &queue->open_pos, &queue->open_parts))
		queue->open = NULL;
	tsi721_bdma_kick(queue->q);
}

/* Whether a request can be made of it at all, by the channel's own rules. */
static bool
op_req_good(const struct tsi721_rawdev_queue *queue, const struct rte_pmd_tsi721_op *op)
{
	const struct tsi721_bdma_req req = op_req(op);

	return tsi721_bdma_req_good(queue->q, &req);
}

static int
op_post_parts(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op *op)
{
	struct tsi721_rawop_pos pos = { .raddr = op->raddr, .raddr_hi = op->raddr_hi };
	uint32_t parts = 0;
	uint64_t descs;

	if (!op_req_good(queue, op) || op_measure(op, &descs) != 0)
		return -EINVAL;
	if (descs > queue->nb_desc && (op->flags & RTE_PMD_TSI721_OP_FORGET))
		return -E2BIG;
	if (tsi721_bdma_free(queue->q) < RTE_MIN(descs, (uint64_t)queue->nb_desc))
		return -ENOSPC;
	op->status = 0;
	if (!parts_post(queue, op, &pos, &parts)) {
		queue->open = op;
		queue->open_pos = pos;
		queue->open_parts = parts;
	}
	if (op->flags & RTE_PMD_TSI721_OP_FORGET)
		queue->forgotten += parts;
	return 0;
}

/* --- posting --- */

static int
op_post_imm(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op *op)
{
	const struct tsi721_bdma_req req = op_req(op);
	int ret = tsi721_bdma_post_imm(queue->q, &req, op->imm, op->imm_len, cookie_of(op, 0));

	if (ret == 0 && (op->flags & RTE_PMD_TSI721_OP_FORGET))
		queue->forgotten++;
	return ret;
}

static int
op_post(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op *op)
{
	struct tsi721_bdma_req req;
	int ret;

	if (unlikely(queue->open != NULL))
		return -ENOSPC;
	if (unlikely((unsigned int)op->type >= RTE_DIM(op_rtype) ||
		     (op->flags & ~RTE_PMD_TSI721_OP_FORGET) != 0))
		return -EINVAL;
	if (unlikely(op->type == RTE_PMD_TSI721_WRITE_IMM))
		return op_post_imm(queue, op);
	if (unlikely(op->segs == NULL || (op->stride != NULL && op->nb_segs != 1)))
		return -EINVAL;
	if (unlikely(op->stride != NULL))
		return op_post_parts(queue, op);
	req = op_req(op);
	ret = tsi721_bdma_post(queue->q, &req, (const struct tsi721_bdma_seg *)op->segs,
			       op->nb_segs, cookie_of(op, 0));
	if (unlikely(ret == -E2BIG))
		return op_post_parts(queue, op);
	if (unlikely(ret == 0 && (op->flags & RTE_PMD_TSI721_OP_FORGET)))
		queue->forgotten++;
	return ret;
}

/* --- what has ended --- */

/* The operation that this cookie ends; NULL: none. */
static inline struct rte_pmd_tsi721_op *
op_ended(struct tsi721_rawdev_queue *queue, void *cookie, int status)
{
	uintptr_t what = (uintptr_t)cookie & COOKIE_BITS;
	struct rte_pmd_tsi721_op *op = (void *)((uintptr_t)cookie & ~COOKIE_BITS);

	if (likely(what == 0)) {
		op->status = status;
		return op;
	}
	if (what == COOKIE_FORGET) {
		queue->forgotten--;
		return NULL;
	}
	if (status != 0 && op->status == 0)
		op->status = status;
	if (op == queue->open)
		queue->open_parts--;
	return what == COOKIE_LAST ? op : NULL;
}

void
tsi721_rawop_collect(struct tsi721_rawdev_queue *queue)
{
	struct rte_pmd_tsi721_op *op;
	int status[PART_PIECES];
	void *cookies[PART_PIECES];
	unsigned int n, i;

	do {
		n = tsi721_bdma_reap(queue->q, cookies, status, PART_PIECES);
		for (i = 0; i < n; i++) {
			op = op_ended(queue, cookies[i], status[i]);
			if (op != NULL)
				op_done(queue, op);
		}
	} while (n == PART_PIECES);
	open_go_on(queue);
}

bool
tsi721_rawop_withdraw(struct tsi721_rawdev_queue *queue, const struct rte_pmd_tsi721_op *op)
{
	struct rte_pmd_tsi721_op **p;

	for (p = &queue->done; *p != NULL; p = &(*p)->next) {
		if (*p != op)
			continue;
		*p = op->next;
		if (*p == NULL)
			queue->done_end = p;
		return true;
	}
	return false;
}

int
tsi721_rawop_post(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op *op)
{
	int ret = op_post(queue, op);

	/* Where nobody asks for what has ended, room comes by asking. */
	if (unlikely(ret == -ENOSPC && queue->forgotten != 0)) {
		tsi721_bdma_kick(queue->q);
		tsi721_rawop_collect(queue);
		ret = op_post(queue, op);
	}
	if (unlikely(ret != 0 && ret != -ENOSPC))
		op->status = ret;
	return ret;
}

void
tsi721_rawop_kick(struct tsi721_rawdev_queue *queue)
{
	tsi721_bdma_kick(queue->q);
}

static unsigned int
done_take(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op **ops, unsigned int nb)
{
	unsigned int n = 0;

	while (n < nb && queue->done != NULL) {
		ops[n] = queue->done;
		queue->done = queue->done->next;
		n++;
	}
	if (queue->done == NULL)
		queue->done_end = &queue->done;
	return n;
}

unsigned int
tsi721_rawop_reap(struct tsi721_rawdev_queue *queue, struct rte_pmd_tsi721_op **ops,
		  unsigned int nb)
{
	unsigned int n = 0, got, burst, i;
	int status[PART_PIECES];
	void *cookies[PART_PIECES];

	if (unlikely(queue->done != NULL))
		n = done_take(queue, ops, nb);
	do {
		burst = RTE_MIN(nb - n, PART_PIECES);
		got = tsi721_bdma_reap(queue->q, cookies, status, burst);
		for (i = 0; i < got; i++) {
			ops[n] = op_ended(queue, cookies[i], status[i]);
			n += ops[n] != NULL;
		}
	} while (got == burst && n < nb);
	open_go_on(queue);
	/* An operation that a failed part has ended. */
	if (unlikely(queue->done != NULL))
		n += done_take(queue, &ops[n], nb - n);
	return n;
}

/* --- queues --- */

int
tsi721_rawop_queue_open(struct tsi721_rawdev_queue *queue, struct tsi721_device *dev,
			uint32_t nb_desc, int socket_id)
{
	int ret = tsi721_bdma_open(dev, queue->ch, nb_desc, socket_id, &queue->q);

	if (ret != 0)
		return ret;
	queue->nb_desc = nb_desc;
	queue->forgotten = 0;
	queue->done = NULL;
	queue->done_end = &queue->done;
	queue->open = NULL;
	return 0;
}

static void
op_cancel(void *cookie, void *arg)
{
	struct rte_pmd_tsi721_op *op = (void *)((uintptr_t)cookie & ~COOKIE_BITS);

	RTE_SET_USED(arg);
	if (op != NULL)
		op->status = -ECANCELED;
}

void
tsi721_rawop_queue_close(struct tsi721_rawdev_queue *queue)
{
	tsi721_bdma_close(queue->q, op_cancel, NULL);
	queue->q = NULL;
	if (queue->open != NULL)
		queue->open->status = -ECANCELED;
	queue->open = NULL;
	/* These have ended, as their statuses say. */
	queue->done = NULL;
}
