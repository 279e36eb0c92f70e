/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Public calls: the link and its recovery, messages of every length, mailboxes that abort. */

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include <rte_rawdev.h>

#include "drv_rig.h"
#include "rte_pmd_tsi721.h"
#include "tsi721_window.h"

#define RADDR	0x200000000ull

static struct rig_dev *a, *b;

static int
setup(void **state)
{
	struct rte_pmd_tsi721_config config = { .nb_queues = 1 };
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
write_run(uint64_t off, size_t from, size_t len)
{
	struct rte_pmd_tsi721_seg seg = { a->iova + from, len };
	struct rte_pmd_tsi721_op op = {
		.type = RTE_PMD_TSI721_WRITE_R, .destid = b->destid, .raddr = RADDR + off,
		.segs = &seg, .nb_segs = 1,
	};

	return rte_pmd_tsi721_op_run(a->id, 0, &op, 1000000);
}

static void
link_state(void **state)
{
	struct rte_pmd_tsi721_link link;

	(void)state;
	assert_int_equal(rte_pmd_tsi721_link_get(a->id, &link), 0);
	assert_true(link.up);
	assert_int_equal(link.lanes, 4);
	assert_int_equal(link.mbaud, 5000);
	assert_false(link.port_error || link.output_stopped || link.input_stopped);
	assert_int_equal(link.port_detect | link.logical_detect, 0);
	/* As the port and the logical layer would report errors. */
	tsi721_write32(a->dev, TSI721_EM_BASE + RIO_EM_PN_ERR_DETECT(0), 0x5);
	tsi721_write32(a->dev, TSI721_EM_BASE + RIO_EM_LTL_ERR_DETECT, 0x30);
	assert_int_equal(rte_pmd_tsi721_link_get(a->id, &link), 0);
	assert_int_equal(link.port_detect, 0x5);
	assert_int_equal(link.logical_detect, 0x30);
	assert_int_equal(rte_pmd_tsi721_link_errors_clear(a->id), 0);
	assert_int_equal(rte_pmd_tsi721_link_get(a->id, &link), 0);
	assert_int_equal(link.port_detect | link.logical_detect, 0);
	assert_int_equal(rte_pmd_tsi721_link_get(a->id, NULL), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_link_get(99, &link), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_link_errors_clear(99), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_link_retrain(99, 1), -ENODEV);
}

/* What the port says of itself, as a port that gave up. */
static void
link_errors(void **state)
{
	const uint32_t sts = TSI721_SP_BASE + RIO_PORT_N_ERR_STS_CSR(0);
	struct rte_pmd_tsi721_link link;

	(void)state;
	rig_hold(a);
	rig_give(sts, RIO_PORT_N_ERR_STS_PORT_ERR | RIO_PORT_N_ERR_STS_OUT_ES |
		 RIO_PORT_N_ERR_STS_INP_ES);
	rig_give(TSI721_EM_BASE + RIO_EM_PN_ERRRATE(0), 0x1234567);
	rig_give(TSI721_RETRY_GEN_CNT, 11);
	rig_give(TSI721_RETRY_RX_CNT, 12);
	assert_int_equal(rte_pmd_tsi721_link_get(a->id, &link), 0);
	assert_false(link.up);
	assert_true(link.port_error && link.output_stopped && link.input_stopped);
	assert_int_equal(link.error_rate, 0x67);
	assert_int_equal(link.retries_made, 11);
	assert_int_equal(link.retries_got, 12);
	assert_int_equal(rte_pmd_tsi721_link_errors_clear(a->id), 0);
	assert_int_equal(rig_held(sts), RIO_PORT_N_ERR_STS_PORT_ERR | RIO_PORT_N_ERR_STS_OUT_ES |
			 RIO_PORT_N_ERR_STS_INP_ES);
	assert_int_equal(rig_held(TSI721_RETRY_RX_CNT), 0);
	rig_let(a);
}

/* The port goes down and up; queues and mailboxes go on. */
static void
retrain(void **state)
{
	struct rte_pmd_tsi721_msg_out out = { b->destid, 0, 8, a->iova, NULL };
	struct rte_pmd_tsi721_msg_in in;
	struct rte_pmd_tsi721_link link;
	unsigned int i;

	(void)state;
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, 0, 32, 0, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_open(b->id, 0, 0, 32, SOCKET_ID_ANY), 0);
	tsi721_write32(a->dev, TSI721_EM_BASE + RIO_EM_PN_ERR_DETECT(0), 0x5);
	for (i = 0; i < 5; i++) {
		assert_int_equal(rte_pmd_tsi721_link_retrain(a->id, 1000), 0);
		assert_int_equal(rte_pmd_tsi721_link_get(a->id, &link), 0);
		assert_true(link.up);
		assert_int_equal(link.port_detect, 0);
		assert_int_equal(write_run(i * 64, i * 64, 64), 0);
		assert_memory_equal(b->mem + i * 64, a->mem + i * 64, 64);
		assert_int_equal(rte_pmd_tsi721_msg_send(a->id, 0, &out, 1), 1);
		assert_int_equal(rte_pmd_tsi721_msg_peek(b->id, 0, &in, 1), 1);
		assert_int_equal(rte_pmd_tsi721_msg_release(b->id, 0, 1), 0);
	}
	/* A partner that does not answer. */
	rig_hold(a);
	rig_give(TSI721_SP_BASE + RIO_PORT_N_ERR_STS_CSR(0), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	assert_int_equal(rte_pmd_tsi721_link_retrain(a->id, 20), -ETIMEDOUT);
	rig_let(a);
}

/* Down in the middle: what was sent then fails, and says so; the rest arrives. */
static void
link_lost(void **state)
{
	const uint32_t reg = TSI721_SP_BASE + RIO_PORT_N_CTL_CSR(0);
	uint32_t ctl = tsi721_read32(a->dev, reg);

	(void)state;
	assert_int_equal(write_run(0, 0, 64), 0);
	tsi721_write32(a->dev, reg, ctl | RIO_PORT_N_CTL_PORT_DIS);
	assert_int_equal(write_run(64, 64, 64), -ETIMEDOUT);
	assert_int_equal(rte_pmd_tsi721_link_retrain(a->id, 1000), 0);
	assert_int_equal(write_run(128, 128, 64), 0);
	assert_memory_equal(b->mem, a->mem, 64);
	assert_int_equal(b->mem[64], 0);
	assert_memory_equal(b->mem + 128, a->mem + 128, 64);
}

/* Every length from 1 to 4096, in every mailbox and letter. */
static void
message_lengths(void **state)
{
	struct rte_pmd_tsi721_msg_out out = { .destid = b->destid, .user = &out };
	struct rte_pmd_tsi721_msg_in in;
	unsigned int len, mbox;
	int status;
	void *user;

	(void)state;
	for (mbox = 0; mbox < RTE_PMD_TSI721_MBOXES; mbox++) {
		assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, mbox, 32, 0, SOCKET_ID_ANY), 0);
		assert_int_equal(rte_pmd_tsi721_mbox_open(b->id, mbox, 0, 32, SOCKET_ID_ANY), 0);
	}
	for (len = 1; len <= 4096; len++) {
		mbox = len % RTE_PMD_TSI721_MBOXES;
		out.len = (uint16_t)len;
		out.letter = len / 4 % 4;
		out.iova = a->iova + len;
		assert_int_equal(rte_pmd_tsi721_msg_send(a->id, mbox, &out, 1), 1);
		assert_int_equal(rte_pmd_tsi721_msg_peek(b->id, mbox, &in, 1), 1);
		assert_int_equal(in.len, RTE_ALIGN_CEIL(len, 8u));
		assert_int_equal(in.letter, out.letter);
		assert_int_equal(in.src, a->destid);
		assert_memory_equal(in.data, a->mem + len, len);
		assert_int_equal(rte_pmd_tsi721_msg_release(b->id, mbox, 1), 0);
		assert_int_equal(rte_pmd_tsi721_msg_reap(a->id, mbox, &user, &status, 1), 1);
		assert_ptr_equal(user, &out);
		assert_int_equal(status, 0);
	}
	out.len = 0;
	assert_int_equal(rte_pmd_tsi721_msg_send(a->id, 0, &out, 1), -EINVAL);
	out.len = 4097;
	assert_int_equal(rte_pmd_tsi721_msg_send(a->id, 0, &out, 1), -EINVAL);
	out.len = UINT16_MAX;
	assert_int_equal(rte_pmd_tsi721_msg_send(a->id, 0, &out, 1), -EINVAL);
	out.len = 8;
	out.letter = 4;
	assert_int_equal(rte_pmd_tsi721_msg_send(a->id, 0, &out, 1), -EINVAL);
	out.letter = 0;
	out.destid = 256;
	assert_int_equal(rte_pmd_tsi721_msg_send(a->id, 0, &out, 1), -EINVAL);
}

static int
send_reap(void)
{
	struct rte_pmd_tsi721_msg_out out = { b->destid, 0, 16, a->iova, NULL };
	unsigned int tries = 0;
	int status = 0;
	void *user;

	assert_int_equal(rte_pmd_tsi721_msg_send(a->id, 0, &out, 1), 1);
	while (rte_pmd_tsi721_msg_reap(a->id, 0, &user, &status, 1) == 0)
		assert_true(tries++ < 100000);
	return status;
}

/* An inbound channel that meets a bad buffer aborts; polling brings it back. */
static void
mailbox_aborts(void **state)
{
	const unsigned int ch = TSI721_IMSG_CHAN(0);
	struct rte_pmd_tsi721_msg_in in;
	unsigned int i, before;
	uint64_t *fq;

	(void)state;
	assert_int_equal(rte_pmd_tsi721_mbox_open(a->id, 0, 32, 0, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_pmd_tsi721_mbox_open(b->id, 0, 0, 32, SOCKET_ID_ANY), 0);
	for (before = 0; before < 3; before++) {
		/* Some arrive; one of them is still being looked at when it happens. */
		for (i = 0; i < before; i++)
			assert_int_equal(send_reap(), 0);
		fq = (uint64_t *)(uintptr_t)((uint64_t)tsi721_read32(b->dev,
			TSI721_IBDMAC_FQBH(ch)) << 32 | tsi721_read32(b->dev,
			TSI721_IBDMAC_FQBL(ch)));
		fq[tsi721_read32(b->dev, TSI721_IBDMAC_FQRP(ch)) % 32] = 64;
		assert_int_equal(send_reap(), -EIO);
		assert_int_not_equal(tsi721_read32(b->dev, TSI721_IBDMAC_STS(ch)) &
				     TSI721_IBDMAC_STS_ABORT, 0);
		for (i = 0; i < before; i++) {
			assert_int_equal(rte_pmd_tsi721_msg_peek(b->id, 0, &in, 1), 1);
			assert_memory_equal(in.data, a->mem, 16);
			assert_int_equal(rte_pmd_tsi721_msg_release(b->id, 0, 1), 0);
		}
		for (i = 0; i < 10000; i++)
			assert_int_equal(rte_pmd_tsi721_msg_peek(b->id, 0, &in, 1), 0);
		/* More than it has buffers, so that all of them are seen to be there. */
		for (i = 0; i < 100; i++) {
			assert_int_equal(send_reap(), 0);
			assert_int_equal(rte_pmd_tsi721_msg_peek(b->id, 0, &in, 1), 1);
			assert_memory_equal(in.data, a->mem, 16);
			assert_int_equal(rte_pmd_tsi721_msg_release(b->id, 0, 1), 0);
		}
	}
}

/* --- doorbell queues --- */

static unsigned int ranged;

static void
on_bell(void *arg, uint16_t src, uint16_t info)
{
	(void)arg;
	assert_int_equal(src, a->destid);
	assert_true(info < 0x8000);
	__atomic_fetch_add(&ranged, 1, __ATOMIC_RELAXED);
}

static bool
all_ranged(void *arg)
{
	rte_pmd_tsi721_doorbell_poll(b->id, 64);
	return __atomic_load_n(&ranged, __ATOMIC_RELAXED) == *(unsigned int *)arg;
}

/* Each queue has what its mask and pattern say, the first one of several; ranges have the rest. */
static void
bell_queues(void **state)
{
	struct rte_pmd_tsi721_doorbell bells[64];
	unsigned int info, n, i, got, below = 0;

	(void)state;
	ranged = 0;
	assert_int_equal(rte_pmd_tsi721_doorbell_request(b->id, 0, 0x7fff, on_bell, NULL), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(b->id, 0xff00, 0x8100, 512,
							    SOCKET_ID_ANY), 1);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(b->id, 0x8001, 0x8001, 1024,
							    SOCKET_ID_ANY), 2);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(b->id, 0x8000, 0x8000, 4096,
							    SOCKET_ID_ANY), 3);
	for (info = 0; info < 0x10000; info += 37) {
		unsigned int want = info < 0x8000 ? 0 : (info & 0xff00) == 0x8100 ? 1 :
				    (info & 1) != 0 ? 2 : 3;

		assert_int_equal(rte_pmd_tsi721_doorbell_send(a->id, b->destid, (uint16_t)info), 0);
		below += want == 0;
		for (n = 1; n <= 3; n++) {
			got = (unsigned int)rte_pmd_tsi721_doorbell_queue_poll(b->id, n, bells, 64);
			assert_int_equal(got, n == want);
			if (got == 0)
				continue;
			assert_int_equal(bells[0].info, info);
			assert_int_equal(bells[0].src, a->destid);
		}
		if (below % 100 == 99)
			rig_until(all_ranged, &below);
	}
	rig_until(all_ranged, &below);
	/* In order, around the queue's end, in bursts. */
	for (i = 0; i < 40; i++) {
		for (n = 0; n < 50; n++)
			rte_pmd_tsi721_doorbell_send(a->id, b->destid,
						     (uint16_t)(0x8100 + (i + n) % 256));
		assert_int_equal(rte_pmd_tsi721_doorbell_queue_poll(b->id, 1, bells, 64), 50);
		for (n = 0; n < 50; n++)
			assert_int_equal(bells[n].info, 0x8100 + (i + n) % 256);
	}
	/* One that is closed takes no more; what it had goes to the next that wants it. */
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_close(b->id, 1), 0);
	rte_pmd_tsi721_doorbell_send(a->id, b->destid, 0x8102);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_poll(b->id, 1, bells, 64), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_poll(b->id, 3, bells, 64), 1);
	assert_int_equal(rte_rawdev_close(b->id), 0);
	assert_int_equal(tsi721_ibwin_close(b->dev, 0), 0);
	assert_false(tsi721_device_in_use(b->dev));
}

static void
bell_queues_refused(void **state)
{
	struct rte_pmd_tsi721_doorbell bell;
	const uint16_t id = b->id;
	int i;

	(void)state;
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(id, 0x7fff, 0x1000, 512, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(id, 0xff00, 0x1000, 512, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(id, 0xff00, 0x8001, 512, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(id, 0xff00, 0x8000, 256, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(id, 0xff00, 0x8000, 513, 0), -EINVAL);
	rig_log_lines();
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(id, 0xff00, 0x8000, 1u << 20, 0),
			 -EINVAL);
	assert_int_equal(rig_log_lines(), 1);
	/* A range that reaches into theirs, before and after. */
	assert_int_equal(rte_pmd_tsi721_doorbell_request(id, 0x7000, 0x8000, on_bell, NULL), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(id, 0x8000, 0x8000, 512,
							    SOCKET_ID_ANY), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_doorbell_release(id, 0x7000, 0x8000), 0);
	for (i = 1; i < 8; i++)
		assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(id, 0x8000, 0x8000, 512,
								    SOCKET_ID_ANY), i);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(id, 0x8000, 0x8000, 512,
							    SOCKET_ID_ANY), -ENOSPC);
	assert_int_equal(rte_pmd_tsi721_doorbell_request(id, 0x9000, 0x9000, on_bell, NULL), -EBUSY);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_poll(id, 0, &bell, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_poll(id, 8, &bell, 1), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_close(id, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_close(id, 8), -EINVAL);
	for (i = 1; i < 8; i++)
		assert_int_equal(rte_pmd_tsi721_doorbell_queue_close(id, (unsigned int)i), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_close(id, 1), -EINVAL);
	/* And all are the ranges' again. */
	assert_int_equal(rte_pmd_tsi721_doorbell_request(id, 0x9000, 0x9000, on_bell, NULL), 0);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_open(99, 0x8000, 0x8000, 512, 0), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_close(99, 1), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_doorbell_queue_poll(99, 1, &bell, 1), -ENODEV);
}

/* What another user of the device opened is not the application's to close. */
static void
windows_of_others(void **state)
{
	(void)state;
	assert_int_equal(rte_pmd_tsi721_window_close(b->id, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_window_open(b->id, RADDR, a->iova, RIG_MEM_SIZE), -EEXIST);
	assert_int_equal(rte_pmd_tsi721_window_open(b->id, RADDR, b->iova, RIG_MEM_SIZE), 0);
	assert_int_equal(rte_pmd_tsi721_window_close(b->id, 0), 0);
	assert_int_equal(rte_pmd_tsi721_window_close(b->id, 0), -EINVAL);
	assert_int_equal(write_run(0, 0, 64), 0);
	assert_memory_equal(b->mem, a->mem, 64);
}

/* Registers of this device and of others: what is no register, no device, no answer. */
static void
registers(void **state)
{
	const uint32_t local_end = 512u << 10, maint_end = 16u << 20;
	const uint8_t end = RTE_PMD_TSI721_HOP_ENDPOINT;
	uint32_t val = 0;

	(void)state;
	assert_int_equal(rte_pmd_tsi721_local_write(a->id, RIO_COMPONENT_TAG_CSR, 0x77), 0);
	assert_int_equal(rte_pmd_tsi721_local_read(a->id, RIO_COMPONENT_TAG_CSR, &val), 0);
	assert_int_equal(val, 0x77);
	assert_int_equal(rte_pmd_tsi721_local_read(a->id, local_end - 4, &val), 0);
	assert_int_equal(rte_pmd_tsi721_local_read(a->id, local_end, &val), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_local_read(a->id, 2, &val), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_local_write(a->id, local_end, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_local_write(a->id, 1, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_local_read(99, 0, &val), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_local_write(99, 0, 0), -ENODEV);

	assert_int_equal(rte_pmd_tsi721_maint_write(a->id, b->destid, end, RIO_COMPONENT_TAG_CSR,
						    0x1234), 0);
	assert_int_equal(rte_pmd_tsi721_maint_read(a->id, b->destid, end, RIO_COMPONENT_TAG_CSR,
						   &val), 0);
	assert_int_equal(val, 0x1234);
	assert_int_equal(rte_pmd_tsi721_maint_read(a->id, b->destid, end, maint_end, &val), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_maint_read(a->id, b->destid, end, 2, &val), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_maint_read(a->id, 256, end, 0, &val), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_maint_write(a->id, b->destid, end, maint_end, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_maint_write(a->id, b->destid, end, 6, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_maint_write(a->id, 256, end, 0, 0), -EINVAL);
	assert_int_equal(rte_pmd_tsi721_maint_read(a->id, 0x70, end, 0, &val), -ETIMEDOUT);
	assert_int_equal(rte_pmd_tsi721_maint_write(a->id, 0x70, end, 0, 0), -ETIMEDOUT);
	/* And the next is answered. */
	assert_int_equal(rte_pmd_tsi721_maint_read(a->id, b->destid, end, RIO_COMPONENT_TAG_CSR,
						   &val), 0);
	assert_int_equal(rte_pmd_tsi721_maint_read(99, 0, end, 0, &val), -ENODEV);
	assert_int_equal(rte_pmd_tsi721_maint_write(99, 0, end, 0, 0), -ENODEV);
}

/* The process has as many descriptors as it may. */
static void
no_descriptors(void **state)
{
	struct rlimit limit, low;
	int fd;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	low = (struct rlimit){ .rlim_cur = 0, .rlim_max = limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	fd = rte_pmd_tsi721_intr_open(b->id, RTE_PMD_TSI721_INTR_DOORBELL, 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(fd, -EMFILE);
	assert_true(rte_pmd_tsi721_intr_open(b->id, RTE_PMD_TSI721_INTR_DOORBELL, 0) >= 0);
	assert_int_equal(rte_pmd_tsi721_intr_close(b->id, RTE_PMD_TSI721_INTR_DOORBELL, 0), 0);
}

#define T(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(link_state), T(link_errors), T(retrain), T(link_lost), T(message_lengths),
		T(mailbox_aborts), T(bell_queues), T(bell_queues_refused),
		T(windows_of_others), T(registers), T(no_descriptors),
	};

	return cmocka_run_group_tests_name("drv_api", tests, rig_eal, NULL);
}
