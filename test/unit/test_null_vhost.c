/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The vhost-user server against guests, well-behaved and hostile ones. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../drivers/raw/tsi721/tsi721_regs.h"
#include "vhost_rig.h"

#define CFG_COMMAND	0x04
#define CFG_BAR(n)	(0x10 + (n) * 4)
#define CFG_MSI		0x90
#define MSI_ENABLE	0x00010000u
#define MSI_DATA	0x1234u

static int
setup(void **state)
{
	*state = rig_new();
	return 0;
}

static int
setup_booted(void **state)
{
	setup(state);
	rig_boot(*state);
	return 0;
}

static int
teardown(void **state)
{
	rig_free(*state);
	return 0;
}

/* ---- what a guest may do ---- */

static void
test_handshake(void **state)
{
	struct rig *r = *state;
	const uint32_t config[3] = { 0, 4, 0 };
	uint8_t payload[16] = { 0 };
	struct rig_msg msg;

	rig_connect(r);
	assert_int_equal(rig_get_u64(r, 1), 1ull << 32 | 1ull << 30);
	assert_int_equal(rig_get_u64(r, 15), 1 << 3 | 1 << 5 | 1 << 9);
	memcpy(payload, config, 12);
	rig_send(r, 24, 1, payload, 16, NULL, 0);
	assert_true(rig_receive(r, &msg));
	assert_int_equal(msg.size, 16);
	assert_memory_equal(msg.data + 4, &config[1], 4);
	/* More than the device has: size 0 says that it failed. */
	memset(payload + 4, 0xff, 4);
	rig_send(r, 24, 1, payload, 16, NULL, 0);
	assert_true(rig_receive(r, &msg));
	assert_int_equal(msg.size, 12);
	rig_works(r);
}

static void
test_config_space(void **state)
{
	struct rig *r = *state;
	uint64_t val8;
	uint16_t val2;
	uint8_t val1;

	assert_int_equal(rig_cfg_read(r, 0), 0x80ab111d);
	assert_int_equal(rig_op(r, RIG_CFG_READ, 0, 2, 2, NULL, 0, &val2, 2), 2);
	assert_int_equal(val2, 0x80ab);
	assert_int_equal(rig_op(r, RIG_CFG_READ, 0, 1, 1, NULL, 0, &val1, 1), 1);
	assert_int_equal(val1, 0x11);
	assert_int_equal(rig_op(r, RIG_CFG_READ, 0, 0, 8, NULL, 0, &val8, 8), 8);
	assert_int_equal(val8 & 0xffffffff, 0x80ab111d);

	/* BAR sizes, all below 256 MiB together. */
	rig_cfg_write(r, CFG_BAR(0), 0xffffffff);
	assert_int_equal(rig_cfg_read(r, CFG_BAR(0)), 0xfff80000);
	rig_cfg_write(r, CFG_BAR(2), 0xffffffff);
	assert_int_equal(rig_cfg_read(r, CFG_BAR(2)), 0xff000004);
	/* A shorter buffer takes less than the whole answer: refused, as is a bad size. */
	assert_int_equal(rig_op(r, RIG_CFG_READ, 0, 0, 4, NULL, 0, &val2, 2), 2);
	assert_int_equal(val2, 0xffff);
	rig_said(r, "no room for what is read");
}

static void
test_registers(void **state)
{
	struct rig *r = *state;
	uint32_t words[4];

	assert_int_equal(rig_reg_read(r, RIO_DEV_ID_CAR), 0x80ab0038);
	rig_reg_write(r, RIO_COMPONENT_TAG_CSR, 0x12345678);
	assert_int_equal(rig_reg_read(r, RIO_COMPONENT_TAG_CSR), 0x12345678);
	/* A copy of several registers is so many accesses. */
	assert_int_equal(rig_op(r, RIG_BAR_READ, 0, RIO_HOST_DID_LOCK_CSR, 8 + 4, NULL, 0, words,
				12), 12);
	assert_int_equal(words[1], 0x12345678);
	memset(words, 0, sizeof(words));
	rig_op(r, RIG_BAR_MEMSET, 0, RIO_COMPONENT_TAG_CSR, 4, "\x5a", 1, NULL, 0);
	assert_int_equal(rig_reg_read(r, RIO_COMPONENT_TAG_CSR), 0x5a5a5a5a);
}

static void
msi_on(struct rig *r)
{
	rig_cfg_write(r, CFG_COMMAND, 0x6);
	rig_cfg_write(r, CFG_MSI + 4, 0xa0000);
	rig_cfg_write(r, CFG_MSI + 12, MSI_DATA);
	rig_cfg_write(r, CFG_MSI, MSI_ENABLE);
}

static void
irq_buffer(struct rig *r, uint16_t n, uint32_t len)
{
	rig_desc(r, 1, n, RIG_GUEST + RIG_BUF(4) + n * 64u, len, RIG_WRITE, 0);
	rig_avail(r, 1, n);
}

static void
test_interrupts(void **state)
{
	struct rig *r = *state;
	const uint8_t *buf = r->mem + RIG_BUF(4);
	uint32_t data;
	uint64_t one;

	irq_buffer(r, 0, 20);
	msi_on(r);
	rig_reg_write(r, TSI721_DEV_INTE, TSI721_DEV_INT_SRIO);
	assert_int_equal(rig_used(r, 1, 0), 0);
	rig_reg_write(r, TSI721_DEV_INTSET, TSI721_DEV_INT_SRIO);
	assert_int_equal(rig_used(r, 1, 1), 1);
	assert_int_equal(rig_used_len(r, 1), 20);
	assert_int_equal(buf[0], RIG_MSI);
	memcpy(&data, buf + 16, 4);
	assert_int_equal(data, MSI_DATA);
	assert_int_equal(recv(r->call_peer[1], &one, 8, 0), 8);

	/* Without a buffer they wait; two of the same kind are one. */
	for (int i = 0; i < 2; i++) {
		rig_reg_write(r, TSI721_DEV_INTE, 0);
		rig_reg_write(r, TSI721_DEV_INTE, TSI721_DEV_INT_SRIO);
	}
	assert_int_equal(rig_used(r, 1, 1), 1);
	irq_buffer(r, 1, 64);
	irq_buffer(r, 2, 64);
	rig_used(r, 1, 2);
	rig_reg_read(r, 0);
	assert_int_equal(rig_used(r, 1, 2), 2);
}

/* A device of this process on the guest's fabric, with a doorbell queue of 512. */
static struct null_device *
target_open(struct rig *r, void *mem, size_t len, uint16_t *destid)
{
	const struct null_device_params params = { .fabric = r->info.fabric, .host = -1,
						   .destid = NULL_DESTID_AUTO };
	const uint32_t master = 0x6;
	struct null_device_info info;
	struct null_device *dev;
	char err[NULL_ERR_LEN];

	assert_int_equal(null_device_open(&params, &dev, err, sizeof(err)), 0);
	assert_int_equal(null_device_dma_map(dev, 0x100000, len, mem, -1, 0), 0);
	null_device_cfg_write(dev, CFG_COMMAND, &master, 4);
	null_device_write32(dev, 0, TSI721_IDQ_BASEL(0), 0x100000);
	null_device_write32(dev, 0, TSI721_IDQ_SIZE(0), 5);
	null_device_write32(dev, 0, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
	null_device_write32(dev, 0, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
	null_device_info_get(dev, &info);
	*destid = info.destid;
	return dev;
}

static void
test_doorbells_held(void **state)
{
	struct rig *r = *state;
	const size_t len = 512 * TSI721_IDQ_ENTRY_SIZE;
	void *mem = aligned_alloc(4096, len);
	const struct timespec ts = { .tv_nsec = 30000000 };
	struct null_device *target;
	uint16_t destid, used;
	uint32_t held, i;

	memset(mem, 0, len);
	target = target_open(r, mem, len, &destid);
	rig_cfg_write(r, CFG_COMMAND, 0x6);
	rig_reg_write(r, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
	/* As many as the queue takes, and as the sender can hold. */
	for (held = 0; null_device_stat_get(target, NULL_STAT_IDB_RECEIVED) == held; held++)
		rig_op(r, RIG_BAR_WRITE, 1, TSI721_ODB_OFFSET(0, destid), 2, "\x12\x34", 2, NULL, 0);
	assert_int_equal(held, 512);
	/* Fast, since they are not held for ever: the same request again, many at a time. */
	for (i = 1; i < 256; i += 15) {
		used = rig_used(r, 0, 0);
		for (int k = 0; k < 15; k++)
			rig_avail(r, 0, 0);
		rig_used(r, 0, (uint16_t)(used + 15));
	}
	/* The next one is not given back, and the server serves on. */
	used = rig_used(r, 0, 0);
	rig_avail(r, 0, 0);
	nanosleep(&ts, NULL);
	assert_int_equal(rig_used(r, 0, 0), used);
	/* Room for one: the guest goes on. */
	null_device_write32(target, 0, TSI721_IDQ_RP(0), 1);
	rig_used(r, 0, (uint16_t)(used + 1));
	assert_int_equal(rig_reg_read(r, 0), 0x80ab0038);
	null_device_close(target);
	free(mem);
}

static void
test_power(void **state)
{
	struct rig *r = *state;

	/* What one kernel wrote the next one does not find. */
	rig_reg_write(r, RIO_COMPONENT_TAG_CSR, 0x12345678);
	rig_cfg_write(r, CFG_COMMAND, 0x6);
	rig_leave(r);
	rig_said(r, "connection ended");
	rig_boot(r);
	assert_int_equal(rig_reg_read(r, RIO_COMPONENT_TAG_CSR), 0);
	assert_int_equal(rig_cfg_read(r, CFG_COMMAND) & 0xffff, 0);
	/* It is at the same place of the fabric. */
	assert_int_equal(rig_reg_read(r, RIO_DID_CSR) >> 16 & 0xff, r->info.destid);
}

static void
test_second_kernel(void **state)
{
	struct rig *r = *state;
	struct rig other = *r;
	struct rig_msg msg;

	rig_connect(&other);
	rig_said(r, "second kernel is refused");
	assert_false(rig_receive(&other, &msg));
	rig_leave(&other);
	assert_int_equal(rig_reg_read(r, 0), 0x80ab0038);
}

/* ---- messages that are wrong ---- */

static void
test_bad_memory(void **state)
{
	struct rig *r = *state;
	const uint64_t page = 4096;
	uint64_t protocol = 1 << 3;
	uint8_t table[8 + 2 * 32] = { 2 };
	int fds[2], pipes[2];

	rig_connect(r);
	rig_send(r, 16, 1, &protocol, 8, NULL, 0);
	assert_int_equal(rig_mem_table(r, RIG_GUEST, RIG_MEM + page, 0, r->mem_fd), 1);
	assert_int_equal(rig_mem_table(r, RIG_GUEST, RIG_MEM, page, r->mem_fd), 1);
	assert_int_equal(rig_mem_table(r, RIG_GUEST + 1, page, 0, r->mem_fd), 1);
	assert_int_equal(rig_mem_table(r, RIG_GUEST, 0, 0, r->mem_fd), 1);
	assert_int_equal(rig_mem_table(r, -page, 2 * page, 0, r->mem_fd), 1);
	assert_int_equal(rig_mem_table(r, RIG_GUEST, page, -page, r->mem_fd), 1);
	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(rig_mem_table(r, RIG_GUEST, page, 0, pipes[0]), 1);
	close(pipes[0]);
	close(pipes[1]);
	/* Two regions with one file, and two that overlap. */
	fds[0] = fds[1] = r->mem_fd;
	assert_int_equal(rig_ack(r, 5, table, sizeof(table), fds, 1), 1);
	for (int i = 0; i < 2; i++) {
		memcpy(table + 8 + i * 32, &(uint64_t){ RIG_GUEST + (uint64_t)i * page }, 8);
		memcpy(table + 16 + i * 32, &(uint64_t){ 2 * page }, 8);
	}
	assert_int_equal(rig_ack(r, 5, table, sizeof(table), fds, 2), 1);
	/* After all of that a right one is taken. */
	assert_int_equal(rig_mem_table(r, RIG_GUEST, RIG_MEM, 0, r->mem_fd), 0);
	rig_works(r);
}

static void
test_bad_settings(void **state)
{
	struct rig *r = *state;
	uint64_t protocol = 1 << 3, val;
	int file, fds[2];

	rig_connect(r);
	rig_send(r, 16, 1, &protocol, 8, NULL, 0);
	val = 1;
	assert_int_equal(rig_ack(r, 2, &val, 8, NULL, 0), 1);	/* a feature not offered */
	val = 1 << 14;
	assert_int_equal(rig_ack(r, 16, &val, 8, NULL, 0), 1);
	assert_int_equal(rig_ack(r, 8, ((uint32_t[]){ 2, 16 }), 8, NULL, 0), 1);
	assert_int_equal(rig_ack(r, 8, ((uint32_t[]){ 0, 0 }), 8, NULL, 0), 1);
	assert_int_equal(rig_ack(r, 8, ((uint32_t[]){ 0, 17 }), 8, NULL, 0), 1);
	assert_int_equal(rig_ack(r, 8, ((uint32_t[]){ 0, 65536 }), 8, NULL, 0), 1);
	assert_int_equal(rig_ack(r, 8, "", 1, NULL, 0), 1);	/* too short */
	assert_int_equal(rig_ack(r, 99, NULL, 0, NULL, 0), 1);	/* not known */
	/* Files: none, one too many, of the wrong kind. */
	val = 0;
	assert_int_equal(rig_ack(r, 12, &val, 8, NULL, 0), 1);
	fds[0] = r->kick[0];
	fds[1] = r->kick[1];
	assert_int_equal(rig_ack(r, 12, &val, 8, fds, 2), 1);
	assert_int_equal(rig_ack(r, 12, &val, 8, &r->mem_fd, 1), 1);
	file = open("/dev/null", O_WRONLY);
	assert_int_equal(rig_ack(r, 13, &val, 8, &file, 1), 1);
	close(file);
	rig_said(r, "more of this kernel's mistakes are not shown");
	rig_works(r);
}

static void
test_bad_messages(void **state)
{
	struct rig *r = *state;
	static const uint8_t big[4096];
	int fds[9];

	rig_connect(r);
	rig_send(r, 1, 1, big, sizeof(big), NULL, 0);
	rig_ended(r);
	rig_said(r, "message 1 of 4096 bytes");
	rig_connect(r);
	rig_send(r, 1, 2, NULL, 0, NULL, 0);
	rig_ended(r);
	rig_said(r, "version 2");
	rig_connect(r);
	for (int i = 0; i < 9; i++)
		fds[i] = r->mem_fd;
	rig_send(r, 3, 1, NULL, 0, fds, 9);
	rig_ended(r);
	rig_said(r, "more than 8 files");
	/* Half a message, then silence, does not hold the server up. */
	rig_connect(r);
	assert_int_equal(send(r->conn, "\1\0\0", 3, 0), 3);
	rig_leave(r);
	rig_works(r);
}

/* ---- rings that are wrong ---- */

struct bad_ring {
	uint64_t addr;
	uint32_t len;
	uint16_t head, flags, next;
	const char *said;
};
static const struct bad_ring bad_rings[] = {
	{ RIG_GUEST, 16, RIG_QUEUE, 0, 0, "index beyond the table" },
	{ RIG_GUEST, 16, 0xffff, 0, 0, "index beyond the table" },
	{ RIG_GUEST, 16, 3, RIG_NEXT, RIG_QUEUE, "index beyond the table" },
	{ RIG_GUEST, 16, 3, RIG_NEXT, 3, "too many descriptors" },
	{ RIG_GUEST, 16, 3, RIG_INDIRECT, 0, "indirect" },
	{ 0, 16, 3, 0, 0, "not in guest memory" },
	{ RIG_GUEST + RIG_MEM - 15, 16, 3, 0, 0, "not in guest memory" },
	{ RIG_GUEST + 1, 0xffffffff, 3, RIG_WRITE, 0, "not in guest memory" },
	{ UINT64_MAX, 2, 3, 0, 0, "not in guest memory" },
};

static void
test_bad_rings(void **state)
{
	struct rig *r = *state;

	for (size_t i = 0; i < sizeof(bad_rings) / sizeof(bad_rings[0]); i++) {
		const struct bad_ring *b = &bad_rings[i];

		for (unsigned int q = 0; q < 2; q++) {
			rig_boot(r);
			msi_on(r);
			rig_reg_write(r, TSI721_DEV_INTE, TSI721_DEV_INT_SRIO);
			rig_reg_write(r, TSI721_DEV_INTSET, TSI721_DEV_INT_SRIO);
			rig_desc(r, q, 3, b->addr, b->len, b->flags, b->next);
			rig_avail(r, q, b->head);
			rig_ended(r);
			rig_said(r, b->said);
			pthread_mutex_lock(&r->lock);
			r->log[0] = '\0';
			pthread_mutex_unlock(&r->lock);
		}
	}
	rig_works(r);
}

static void
test_bad_order(void **state)
{
	struct rig *r = *state;

	rig_boot(r);
	rig_desc(r, 0, 3, RIG_GUEST, 16, RIG_WRITE | RIG_NEXT, 4);
	rig_desc(r, 0, 4, RIG_GUEST, 16, 0, 0);
	rig_avail(r, 0, 3);
	rig_ended(r);
	rig_said(r, "memory to read behind memory to write");
	/* More requests than the queue holds. */
	rig_boot(r);
	r->next[0] = 1000;
	rig_avail(r, 0, 0);
	rig_ended(r);
	rig_said(r, "requests are said to wait");
	/* An interrupt has no room. */
	rig_boot(r);
	msi_on(r);
	irq_buffer(r, 0, 10);
	rig_reg_write(r, TSI721_DEV_INTE, TSI721_DEV_INT_SRIO);
	rig_desc(r, 0, 0, RIG_GUEST + RIG_BUF(0), 20, 0, 0);
	memcpy(r->mem + RIG_BUF(0) + 8, &(uint64_t){ TSI721_DEV_INTSET }, 8);
	rig_avail(r, 0, 0);
	rig_ended(r);
	rig_said(r, "interrupt buffer of 10 bytes");
	rig_works(r);
}

static void
test_bad_ring_place(void **state)
{
	struct rig *r = *state;
	struct {
		uint32_t index, flags;
		uint64_t desc, used, avail, log;
	} addr = { 0, 0, RIG_USER + RIG_MEM - 16, RIG_USER, RIG_USER, 0 };

	rig_boot(r);
	assert_int_equal(rig_ack(r, 9, &addr, sizeof(addr), NULL, 0), 0);
	rig_kick(r, 0);
	rig_ended(r);
	rig_said(r, "is not in guest memory");
	rig_boot(r);
	addr.desc = RIG_USER + 8;
	assert_int_equal(rig_ack(r, 9, &addr, sizeof(addr), NULL, 0), 1);
	rig_works(r);
}

static void
test_bad_operations(void **state)
{
	struct rig *r = *state;
	static const struct {
		uint8_t op, bar;
		uint64_t addr;
		uint32_t size;
	} bad[] = {
		{ 0, 0, 0, 4 }, { RIG_MSI, 0, 0, 4 }, { 255, 0, 0, 4 },
		{ RIG_CFG_READ, 0, 4096, 4 }, { RIG_CFG_READ, 0, 4094, 4 },
		{ RIG_CFG_READ, 0, 0, 3 }, { RIG_CFG_READ, 0, 0, 0 },
		{ RIG_CFG_READ, 0, UINT64_MAX, 4 }, { RIG_BAR_READ, 3, 0, 4 },
		{ RIG_BAR_READ, 6, 0, 4 }, { RIG_BAR_READ, 255, 0, 4 },
		{ RIG_BAR_READ, 0, 0x80000, 4 }, { RIG_BAR_READ, 0, 0x7fffe, 4 },
		{ RIG_BAR_READ, 0, UINT64_MAX, 4 }, { RIG_BAR_READ, 0, 0, 0xffffffff },
		{ RIG_BAR_READ, 1, 0x1000000, 4 }, { RIG_BAR_READ, 2, UINT64_MAX - 2, 4 },
		{ RIG_BAR_WRITE, 0, 0, 4 }, { RIG_CFG_WRITE, 0, 0, 4 },
		{ RIG_BAR_MEMSET, 0, 0, 4 },
	};
	uint32_t val;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		val = 0;
		rig_op(r, bad[i].op, bad[i].bar, bad[i].addr, bad[i].size, NULL, 0, &val, 4);
		assert_int_equal(val, 0xffffffff);
	}
	/* Shorter than a header. */
	rig_desc(r, 0, 0, RIG_GUEST + RIG_BUF(0), 7, 0, 0);
	rig_avail(r, 0, 0);
	/* The guest goes on. */
	assert_int_equal(rig_reg_read(r, 0), 0x80ab0038);
}

static void
test_memory_cut_short(void **state)
{
	struct rig *r = *state;
	struct null_vhost *other;

	/* cmocka took the signal for each test: a server takes it back. */
	assert_int_equal(null_vhost_create(&other, NULL, NULL), 0);
	null_vhost_destroy(other);
	assert_int_equal(ftruncate(r->mem_fd, 0), 0);
	rig_kick(r, 0);
	rig_said(r, "memory file is shorter than it was");
	rig_works(r);
}

/* ---- anything at all ---- */

static uint32_t seed;

static uint32_t
rnd(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static void
test_random_rings(void **state)
{
	struct rig *r = *state;

	for (seed = 1; seed < 300; seed += 1) {
		uint32_t keep = seed;

		rig_boot(r);
		for (uint32_t i = 0; i < 0x10000; i += 4)
			if (rnd(3) == 0)
				memcpy(r->mem + i, &(uint32_t){ seed >> rnd(24) }, 4);
		for (int q = 0; q < 2; q++)
			for (uint32_t i = 0; i < RIG_QUEUE; i++)
				rig_desc(r, (unsigned int)q, i, RIG_GUEST + rnd(RIG_MEM + 64),
					 rnd(8) == 0 ? seed : rnd(200), (uint16_t)rnd(5),
					 (uint16_t)rnd(RIG_QUEUE + 1));
		for (int i = 0; i < 12; i++)
			rig_avail(r, rnd(2), (uint16_t)rnd(RIG_QUEUE));
		rig_leave(r);
		seed = keep;
	}
	rig_works(r);
}

static void
test_random_messages(void **state)
{
	struct rig *r = *state;

	for (seed = 1; seed < 300; seed += 1) {
		uint32_t keep = seed;

		rig_boot(r);
		for (int i = 0; i < 20; i++) {
			uint8_t data[272];
			int fds[3] = { r->mem_fd, r->kick[rnd(2)], r->call[rnd(2)] };

			for (size_t k = 0; k < sizeof(data); k += 4)
				memcpy(data + k, &(uint32_t){ rnd(2) ? rnd(3) : rnd(1 << 24) }, 4);
			rig_send(r, rnd(28), rnd(8) ? 9 : rnd(32), data, rnd(sizeof(data) + 1),
				 &fds[rnd(3)], rnd(2));
		}
		rig_kick(r, 0);
		rig_leave(r);
		seed = keep;
	}
	rig_works(r);
}

/* ---- sockets ---- */

static void
test_sockets(void **state)
{
	struct rig *r = *state;
	struct null_device_params params = { .fabric = r->info.fabric, .host = -1,
					     .destid = NULL_DESTID_AUTO };
	struct null_vhost *other;
	char err[NULL_ERR_LEN], path[200];
	FILE *f;

	rig_works(r);
	assert_int_equal(null_vhost_create(&other, NULL, NULL), 0);
	assert_int_equal(null_vhost_add(other, r->path, &params, NULL, err, sizeof(err)),
			 -EADDRINUSE);
	assert_non_null(strstr(err, "somebody listens"));
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(null_vhost_add(other, path, &params, NULL, err, sizeof(err)),
			 -ENAMETOOLONG);
	snprintf(path, sizeof(path), "%s-file", r->path);
	f = fopen(path, "w");
	fclose(f);
	assert_int_equal(null_vhost_add(other, path, &params, NULL, err, sizeof(err)),
			 -EADDRINUSE);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
	/* A kernel that is there holds its ID; between two kernels it is free for a moment. */
	rig_boot(r);
	params.destid = r->info.destid;
	assert_int_equal(null_vhost_add(other, path, &params, NULL, err, sizeof(err)), -EEXIST);
	rig_leave(r);
	null_vhost_destroy(other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_handshake, setup, teardown),
		cmocka_unit_test_setup_teardown(test_config_space, setup_booted, teardown),
		cmocka_unit_test_setup_teardown(test_registers, setup_booted, teardown),
		cmocka_unit_test_setup_teardown(test_interrupts, setup_booted, teardown),
		cmocka_unit_test_setup_teardown(test_doorbells_held, setup_booted, teardown),
		cmocka_unit_test_setup_teardown(test_power, setup_booted, teardown),
		cmocka_unit_test_setup_teardown(test_second_kernel, setup_booted, teardown),
		cmocka_unit_test_setup_teardown(test_bad_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_settings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_messages, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_rings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_ring_place, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_operations, setup_booted, teardown),
		cmocka_unit_test_setup_teardown(test_memory_cut_short, setup_booted, teardown),
		cmocka_unit_test_setup_teardown(test_random_rings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random_messages, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sockets, setup, teardown),
	};

	return cmocka_run_group_tests_name("null_vhost", tests, NULL, NULL);
}
