/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Operations of every kind through the queue of a rawdev. */

#include <errno.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_memzone.h>
#include <rte_rawdev.h>

#include "drv_rig.h"
#include "rte_pmd_tsi721.h"
#include "tsi721_window.h"

#define RADDR	0x200000000ull
#define NB_DESC	64u

/* Queue 0 of a; all of b's memory is shown at RADDR. */
static struct rig_dev *a, *b;

static int
setup(void **state)
{
	struct rte_pmd_tsi721_config config = { .nb_queues = 1 };
	struct rte_pmd_tsi721_queue_conf conf = { .nb_desc = NB_DESC, .socket_id = SOCKET_ID_ANY };
	struct rte_rawdev_info info = { .dev_private = &config };
	struct rig *rig;

	if (rig_setup2(state) != 0)
		return -1;
	rig = *state;
	a = &rig->d[0];
	b = &rig->d[1];
	rig_fill(a->mem, RIG_MEM_SIZE, 1);
	assert_int_equal(tsi721_ibwin_open(b->dev, RADDR, b->iova, RIG_MEM_SIZE), 0);
	assert_int_equal(rte_rawdev_configure(a->id, &info, sizeof(config)), 0);
	assert_int_equal(rte_rawdev_queue_setup(a->id, 0, &conf, sizeof(conf)), 0);
	assert_int_equal(rte_rawdev_start(a->id), 0);
	return 0;
}

static int
teardown(void **state)
{
	rte_rawdev_stop(a->id);
	return rig_teardown(state);
}

static int
enqueue(struct rte_pmd_tsi721_op *op)
{
	struct rte_rawdev_buf buf = { .buf_addr = op }, *bufs = &buf;

	return rte_rawdev_enqueue_buffers(a->id, &bufs, 1, NULL);
}

static struct rte_pmd_tsi721_op *
dequeue(void)
{
	struct rte_rawdev_buf buf = { .buf_addr = NULL }, *bufs = &buf;

	assert_in_range(rte_rawdev_dequeue_buffers(a->id, &bufs, 1, NULL), 0, 1);
	return buf.buf_addr;
}

static struct rte_pmd_tsi721_op *
dequeue_wait(void)
{
	struct rte_pmd_tsi721_op *op = NULL;
	unsigned int tries = 0;

	while (op == NULL && tries++ < 1000000)
		op = dequeue();
	assert_non_null(op);
	return op;
}

static struct rte_pmd_tsi721_op
write_op(uint64_t off, const struct rte_pmd_tsi721_seg *segs, uint32_t nb_segs)
{
	return (struct rte_pmd_tsi721_op){
		.type = RTE_PMD_TSI721_WRITE_LAST_R, .destid = b->destid, .raddr = RADDR + off,
		.segs = segs, .nb_segs = nb_segs, .status = 99,
	};
}

static uint64_t
xstat(uint16_t id, const char *name)
{
	unsigned int n;

	return rte_rawdev_xstats_by_name_get(id, name, &n);
}

static void
immediate(void **state)
{
	struct rte_pmd_tsi721_op op = write_op(0, NULL, 0);
	unsigned int len, off;

	(void)state;
	op.type = RTE_PMD_TSI721_WRITE_IMM;
	for (len = 1; len <= RTE_PMD_TSI721_IMM_MAX; len++)
		for (off = 1; off < 10; off++) {
			memset(b->mem, 0, 64);
			op.raddr = RADDR + off;
			op.imm_len = (uint8_t)len;
			memcpy(op.imm, a->mem + off, sizeof(op.imm));
			assert_int_equal(enqueue(&op), 1);
			/* They were copied. */
			memset(op.imm, 0xee, sizeof(op.imm));
			assert_ptr_equal(dequeue_wait(), &op);
			assert_int_equal(op.status, 0);
			assert_memory_equal(b->mem + off, a->mem + off, len);
			assert_int_equal(b->mem[off - 1], 0);
			assert_int_equal(b->mem[off + len], 0);
		}
	op.imm_len = 0;
	assert_int_equal(enqueue(&op), 0);
	assert_int_equal(op.status, -EINVAL);
	op.imm_len = RTE_PMD_TSI721_IMM_MAX + 1;
	assert_int_equal(enqueue(&op), 0);
	op.imm_len = 8;
	op.raddr = 0;
	assert_int_equal(enqueue(&op), 1);
	assert_ptr_equal(dequeue_wait(), &op);
	assert_int_equal(op.status, -EIO);
	op.raddr_hi = 3;
	op.raddr = UINT64_MAX;
	assert_int_equal(enqueue(&op), 0);
	assert_int_equal(op.status, -EINVAL);
}

/* Rows apart by one distance here and another there; more of them than the ring has room for. */
static void
rows(void **state)
{
	struct rte_pmd_tsi721_stride stride = { .mem_step = 100, .raddr_step = 160 };
	struct rte_pmd_tsi721_seg seg = { a->iova + 3, 77 };
	struct rte_pmd_tsi721_op op = write_op(5, &seg, 1);
	uint32_t i, nb;

	(void)state;
	op.stride = &stride;
	for (nb = 1; nb <= 1000; nb = nb * 3 + 1) {
		memset(b->mem, 0, RIG_MEM_SIZE);
		stride.rows = nb;
		assert_int_equal(enqueue(&op), 1);
		assert_ptr_equal(dequeue_wait(), &op);
		assert_int_equal(op.status, 0);
		for (i = 0; i < nb; i++) {
			assert_memory_equal(b->mem + 5 + i * 160, a->mem + 3 + i * 100, 77);
			assert_int_equal(b->mem[5 + i * 160 + 77], 0);
		}
		assert_int_equal(b->mem[5 + nb * 160], 0);
	}
	/* And back, gathered into one place. */
	stride = (struct rte_pmd_tsi721_stride){ .rows = 200, .mem_step = 77, .raddr_step = 160 };
	op.type = RTE_PMD_TSI721_READ;
	seg.iova = a->iova + 0x80000;
	assert_int_equal(enqueue(&op), 1);
	assert_ptr_equal(dequeue_wait(), &op);
	for (i = 0; i < 200; i++)
		assert_memory_equal(a->mem + 0x80000 + i * 77, b->mem + 5 + i * 160, 77);
	/* No rows, rows of nothing, two segments, and an address that wraps. */
	stride.rows = 0;
	assert_int_equal(enqueue(&op), 0);
	stride.rows = 2;
	op.nb_segs = 2;
	assert_int_equal(enqueue(&op), 0);
	op.nb_segs = 1;
	seg.len = 0;
	assert_int_equal(enqueue(&op), 0);
	seg.len = 77;
	op.raddr_hi = 3;
	stride.raddr_step = UINT64_MAX - RADDR;
	assert_int_equal(enqueue(&op), 0);
	assert_int_equal(op.status, -EINVAL);
}

#define ENTRIES	1000u

static void
long_list_make(struct rte_pmd_tsi721_seg segs[ENTRIES])
{
	unsigned int i;

	for (i = 0; i < ENTRIES; i++)
		segs[i] = (struct rte_pmd_tsi721_seg){ a->iova + i * 501 % 0x70000, i % 300 + 1 };
}

static void
long_list_check(const struct rte_pmd_tsi721_seg segs[ENTRIES], unsigned int nb)
{
	size_t at = 9;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		assert_memory_equal(b->mem + at, a->mem + (segs[i].iova - a->iova), segs[i].len);
		at += segs[i].len;
	}
}

/* A thousand entries through a ring of 64; another operation waits for its turn. */
static void
long_list(void **state)
{
	static struct rte_pmd_tsi721_seg segs[ENTRIES];
	struct rte_pmd_tsi721_seg one = { a->iova, 8 };
	struct rte_pmd_tsi721_op op = write_op(9, segs, ENTRIES);
	struct rte_pmd_tsi721_op next = write_op(0xf0000, &one, 1);
	unsigned int tries = 0;

	(void)state;
	long_list_make(segs);
	assert_int_equal(enqueue(&op), 1);
	/* The ring is full of it. */
	assert_int_equal(enqueue(&next), 0);
	assert_int_equal(next.status, 99);
	while (enqueue(&next) == 0) {
		assert_true(tries++ < 100000);
		assert_null(dequeue());
	}
	assert_ptr_equal(dequeue_wait(), &op);
	assert_int_equal(op.status, 0);
	long_list_check(segs, ENTRIES);
	assert_ptr_equal(dequeue_wait(), &next);
	assert_int_equal(next.status, 0);
	assert_null(dequeue());
}

/* It fails in the middle: once, as a whole, and what follows runs. */
static void
long_list_fails(void **state)
{
	static const unsigned int at[] = { 0, 31, 63, 64, 500, 998, 999 };
	static struct rte_pmd_tsi721_seg segs[ENTRIES];
	struct rte_pmd_tsi721_op op = write_op(9, segs, ENTRIES);
	struct rte_pmd_tsi721_seg one = { a->iova, 8 };
	struct rte_pmd_tsi721_op next = write_op(0xf0000, &one, 1);
	size_t i;

	(void)state;
	for (i = 0; i < RTE_DIM(at); i++) {
		long_list_make(segs);
		segs[at[i]].iova = 64;
		memset(b->mem, 0, RIG_MEM_SIZE);
		assert_int_equal(enqueue(&op), 1);
		assert_ptr_equal(dequeue_wait(), &op);
		assert_int_equal(op.status, -EFAULT);
		long_list_check(segs, at[i]);
		assert_int_equal(enqueue(&next), 1);
		assert_ptr_equal(dequeue_wait(), &next);
		assert_int_equal(next.status, 0);
		assert_memory_equal(b->mem + 0xf0000, a->mem, 8);
	}
	assert_null(dequeue());
}

/* A part fails while another is under way: the operation is the device's until that ended. */
static void
long_list_fails_early(void **state)
{
	static struct rte_pmd_tsi721_seg segs[ENTRIES];
	struct rte_pmd_tsi721_op op = write_op(9, segs, ENTRIES);
	uint64_t errors = xstat(a->id, "dma0_errors");

	(void)state;
	long_list_make(segs);
	rig_hold(a);
	rig_give(TSI721_DMAC_BASE(0) + TSI721_DMAC_STS, TSI721_DMAC_STS_ABORT);
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 10000000), -EIO);
	rig_let(a);
	assert_int_equal(xstat(a->id, "dma0_errors") - errors, 2);
	assert_null(dequeue());
}

/* Released with an operation open, and others that wait. */
static void
long_list_released(void **state)
{
	static struct rte_pmd_tsi721_seg segs[ENTRIES];
	struct rte_pmd_tsi721_op op = write_op(9, segs, ENTRIES);

	(void)state;
	long_list_make(segs);
	assert_int_equal(enqueue(&op), 1);
	rte_rawdev_stop(a->id);
	assert_int_equal(rte_rawdev_queue_release(a->id, 0), 0);
	assert_int_equal(op.status, -ECANCELED);
}

/* 64 MiB and 3 bytes from an odd address to an odd one, over the border of two windows. */
static void
large(void **state)
{
	const size_t size = 64u << 20, len = size + 3;
	const struct rte_memzone *from, *to;
	struct rte_pmd_tsi721_seg seg = { .len = len };
	struct rte_pmd_tsi721_op op = write_op(0, &seg, 1);
	uint8_t *dst;
	int win;

	(void)state;
	to = rte_memzone_reserve_aligned("to", size, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					 (unsigned int)size);
	from = rte_memzone_reserve("from", len + 8, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG);
	assert_non_null(from);
	assert_non_null(to);
	win = tsi721_ibwin_open(b->dev, 0x10000000000ull, to->iova, size);
	assert_int_equal(win, 1);
	assert_int_equal(tsi721_ibwin_open(b->dev, 0x10000000000ull + size, b->iova, 4096), 2);
	rig_fill(from->addr, len + 8, 7);
	dst = to->addr;
	dst[0] = 0x5a;
	b->mem[4] = 0x5a;
	seg.iova = from->iova + 5;
	op.raddr = 0x10000000000ull + 1;
	assert_int_equal(enqueue(&op), 1);
	assert_ptr_equal(dequeue_wait(), &op);
	assert_int_equal(op.status, 0);
	assert_int_equal(dst[0], 0x5a);
	assert_memory_equal(dst + 1, (uint8_t *)from->addr + 5, size - 1);
	assert_memory_equal(b->mem, (uint8_t *)from->addr + 5 + size - 1, 4);
	assert_int_equal(b->mem[4], 0x5a);
	/* And back. */
	memset(from->addr, 0, len + 8);
	seg.iova = from->iova + 3;
	op.type = RTE_PMD_TSI721_READ;
	assert_int_equal(enqueue(&op), 1);
	assert_ptr_equal(dequeue_wait(), &op);
	assert_int_equal(op.status, 0);
	assert_memory_equal(dst + 1, (uint8_t *)from->addr + 3, size - 1);
	assert_memory_equal(b->mem, (uint8_t *)from->addr + 3 + size - 1, 4);
	rte_memzone_free(from);
	rte_memzone_free(to);
}

/* A list longer than the ring that passes bit 64 goes on there, where there is no window. */
static void
address_64_passed(void **state)
{
	static const uint8_t none[64];
	struct rte_pmd_tsi721_seg segs[NB_DESC + 8] = { 0 };
	struct rte_pmd_tsi721_op op = write_op(0, segs, RTE_DIM(segs));
	unsigned int i;

	(void)state;
	assert_true(rte_pmd_tsi721_window_open(b->id, UINT64_MAX - 4095, b->iova, 4096) > 0);
	assert_true(rte_pmd_tsi721_window_open(b->id, 0, b->iova + 4096, 4096) > 0);
	for (i = 0; i < RTE_DIM(segs); i++)
		segs[i] = (struct rte_pmd_tsi721_seg){ a->iova + i, 1 };
	op.type = RTE_PMD_TSI721_WRITE_R;
	op.raddr = UINT64_MAX - 3;
	assert_int_equal(enqueue(&op), 1);
	assert_ptr_equal(dequeue_wait(), &op);
	assert_int_equal(op.status, -EIO);
	assert_memory_equal(b->mem + 4092, a->mem, 4);
	assert_memory_equal(b->mem + 4096, none, sizeof(none));
}

/* Addresses of 66 bits: windows have 64, so nothing answers; none may wrap. */
static void
address_66(void **state)
{
	struct rte_pmd_tsi721_seg seg = { a->iova, 64 };
	struct rte_pmd_tsi721_op op = write_op(0, &seg, 1);
	uint8_t hi;

	(void)state;
	op.type = RTE_PMD_TSI721_WRITE_R;
	for (hi = 0; hi < 4; hi++) {
		op.raddr_hi = hi;
		assert_int_equal(enqueue(&op), 1);
		assert_ptr_equal(dequeue_wait(), &op);
		assert_int_equal(op.status, hi == 0 ? 0 : -EIO);
	}
	op.raddr = UINT64_MAX - 62;
	assert_int_equal(enqueue(&op), 0);
	assert_int_equal(op.status, -EINVAL);
	op.raddr--;
	assert_int_equal(enqueue(&op), 1);
	assert_ptr_equal(dequeue_wait(), &op);
	op.raddr_hi = 4;
	assert_int_equal(enqueue(&op), 0);
	op.raddr_hi = 0;
	op.prio = 4;
	assert_int_equal(enqueue(&op), 0);
	op.prio = 3;
	op.flags = 0x80;
	assert_int_equal(enqueue(&op), 0);
	op.flags = 0;
	op.destid = 256;
	assert_int_equal(enqueue(&op), 0);
	op.destid = b->destid;
	op.segs = NULL;
	assert_int_equal(enqueue(&op), 0);
	op.segs = &seg;
	op.nb_segs = 0;
	assert_int_equal(enqueue(&op), 0);
	assert_int_equal(op.status, -EINVAL);
}

/* Nobody dequeues, the structures are gone at once, and all is written. */
static void
forget(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 10 * NB_DESC; i++) {
		struct rte_pmd_tsi721_seg seg = { a->iova + i * 8, 8 };
		struct rte_pmd_tsi721_op op = write_op(i * 8, &seg, 1);

		op.flags = RTE_PMD_TSI721_OP_FORGET;
		if (i % 3 == 1) {
			op.type = RTE_PMD_TSI721_WRITE_IMM;
			op.imm_len = 8;
			memcpy(op.imm, a->mem + i * 8, 8);
		}
		assert_int_equal(enqueue(&op), 1);
		memset(&op, 0xff, sizeof(op));
	}
	assert_null(dequeue());
	assert_memory_equal(b->mem, a->mem, 10 * NB_DESC * 8);
	assert_int_equal(xstat(a->id, "dma0_ops"), 10 * NB_DESC);
}

/* Among operations that are asked for; failures are counted, and bring nobody else down. */
static void
forget_some(void **state)
{
	static struct rte_pmd_tsi721_seg segs[ENTRIES];
	struct rte_pmd_tsi721_seg seg = { a->iova, 8 };
	struct rte_pmd_tsi721_op op[6];
	unsigned int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		op[i] = write_op(i * 8, &seg, 1);
		if (i % 2 == 0)
			op[i].flags = RTE_PMD_TSI721_OP_FORGET;
	}
	op[2].raddr = 0;
	for (i = 0; i < 6; i++)
		assert_int_equal(enqueue(&op[i]), 1);
	for (i = 1; i < 6; i += 2) {
		assert_ptr_equal(dequeue_wait(), &op[i]);
		assert_int_equal(op[i].status, 0);
	}
	assert_null(dequeue());
	assert_int_equal(xstat(a->id, "dma0_errors"), 1);
	assert_int_equal(xstat(a->id, "dma0_ops"), 5);
	long_list_make(segs);
	op[0].segs = segs;
	op[0].nb_segs = ENTRIES;
	assert_int_equal(enqueue(&op[0]), 0);
	assert_int_equal(op[0].status, -E2BIG);
}

static void
blocking(void **state)
{
	struct rte_pmd_tsi721_seg seg = { a->iova, 4096 };
	struct rte_pmd_tsi721_op op = write_op(0, &seg, 1), other = write_op(0x8000, &seg, 1);
	unsigned int i;

	(void)state;
	assert_int_equal(enqueue(&other), 1);
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 1000000), 0);
	assert_memory_equal(b->mem, a->mem, 4096);
	assert_ptr_equal(dequeue_wait(), &other);
	assert_null(dequeue());
	op.raddr = 0;
	op.type = RTE_PMD_TSI721_READ;
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 1000000), -EIO);
	op.destid = 99;
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 1000000), -ETIMEDOUT);
	op.destid = b->destid;
	op.raddr = RADDR;
	seg.iova = 64;
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 1000000), -EFAULT);
	seg.iova = a->iova;
	op.nb_segs = 0;
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 1), -EINVAL);
	op.nb_segs = 1;
	op.flags = RTE_PMD_TSI721_OP_FORGET;
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 1), -EINVAL);
	op.flags = 0;
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 1, &op, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, NULL, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_op_run(99, 0, &op, 1), -ENODEV);
	/* A channel that stands still: it ends later, or it is not even begun. */
	tsi721_write32(a->dev, TSI721_DMAC_BASE(0) + TSI721_DMAC_CTL, TSI721_DMAC_CTL_SUSP);
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 1000), -EINPROGRESS);
	for (i = 1; i < NB_DESC; i++)
		assert_int_equal(enqueue(&other), 1);
	other.status = 99;
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &other, 1000), -EAGAIN);
	tsi721_write32(a->dev, TSI721_DMAC_BASE(0) + TSI721_DMAC_CTL, 0);
	assert_ptr_equal(dequeue_wait(), &op);
	assert_int_equal(op.status, 0);
	for (i = 1; i < NB_DESC; i++)
		assert_ptr_equal(dequeue_wait(), &other);
	rte_rawdev_stop(a->id);
	assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 1), -EINVAL);
}

/* Memory that a window can show, at its IOVA. */
static void
memory(void **state)
{
	struct rte_pmd_tsi721_seg seg = { a->iova, 100 };
	struct rte_pmd_tsi721_op op = write_op(0, &seg, 1);
	struct rte_pmd_tsi721_mem mem, again;
	uint64_t size;

	(void)state;
	for (size = 4096; size <= 16u << 20; size *= 16) {
		assert_int_equal(rte_pmd_tsi721_mem_alloc(b->id, size, SOCKET_ID_ANY, &mem), 0);
		assert_int_equal(mem.iova % size, 0);
		assert_int_equal(mem.size, size);
		assert_int_equal(rte_mem_virt2iova(mem.addr), mem.iova);
		assert_int_equal(((uint8_t *)mem.addr)[size - 1], 0);
		assert_int_equal(rte_pmd_tsi721_window_open(b->id, RTE_PMD_TSI721_DIRECT, mem.iova,
							    size), 1);
		op.raddr = mem.iova + size - 100;
		assert_int_equal(rte_pmd_tsi721_op_run(a->id, 0, &op, 1000000), 0);
		assert_memory_equal((uint8_t *)mem.addr + size - 100, a->mem, 100);
		assert_int_equal(rte_pmd_tsi721_window_close(b->id, 1), 0);
		again = mem;
		assert_int_equal(rte_pmd_tsi721_mem_free(b->id, &mem), 0);
		assert_null(mem.addr);
		assert_int_equal(rte_pmd_tsi721_mem_free(b->id, &mem), -EINVAL);
		assert_int_equal(rte_pmd_tsi721_mem_free(b->id, &again), -EINVAL);
	}
	assert_int_equal(rte_pmd_tsi721_mem_alloc(b->id, 2048, SOCKET_ID_ANY, &mem), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_mem_alloc(b->id, 12288, SOCKET_ID_ANY, &mem), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_mem_alloc(b->id, 1ull << 32, SOCKET_ID_ANY, &mem), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_mem_alloc(b->id, 4096, SOCKET_ID_ANY, NULL), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_mem_alloc(b->id, 1u << 31, SOCKET_ID_ANY, &mem), -ENOMEM);
	assert_null(mem.addr);
	assert_int_equal(rte_pmd_tsi721_mem_free(b->id, NULL), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_mem_alloc(99, 4096, SOCKET_ID_ANY, &mem), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_mem_free(99, &mem), -ENODEV);
}

#define T(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(immediate), T(rows), T(long_list), T(long_list_fails),
		T(long_list_fails_early), T(long_list_released), T(large), T(address_66),
		T(address_64_passed), T(forget), T(forget_some), T(blocking), T(memory),
	};

	return cmocka_run_group_tests_name("drv_ops", tests, rig_eal, NULL);
}
