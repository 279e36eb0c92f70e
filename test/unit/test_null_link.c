/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Links: training, width, and each injected fault as engines meet it. */

#include <endian.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "null_rig.h"

#define TWO	"[fabric]\n[switches]\ns = 4 ports\nt = 4 ports\n[endpoints]\na = 1 host\nb = 2\n" \
		"c = 3\n[links]\na = s.0\ns.3 = t.3\nb = t.0\nc = s.1\n"
#define LINK_A	0u	/* of the endpoint that sends */
#define LINK_ST	1u	/* between the switches */
#define LINK_C	3u
#define RIO	0x10000u
#define MEM	0x40000u	/* where the window shows memory */
#define DATA	0x20000u
#define SIZE	0x10000u

static struct rig *
open_two(void)
{
	struct rig *rig = rig_open_topo(TWO);
	unsigned int i;

	for (i = 0; i < rig->nb; i++)
		rig_ibwin(&rig->d[i], 0, RIO, SIZE, MEM);
	rig_fill(rig->d[0].mem + DATA, SIZE, 1);
	return rig;
}

static struct null_fabric *
fab_of(struct rig *rig)
{
	return rig->d[0].dev->fab;
}

static struct null_link *
link_at(struct rig *rig, uint32_t link)
{
	return &fab_of(rig)->sh->links[link];
}

static void
set(struct rig *rig, uint32_t link, const char *text)
{
	char err[NULL_ERR_LEN];
	struct null_fault f;

	if (null_fault_parse(text, &f, err, sizeof(err)) != 0)
		fail_msg("%s", err);
	null_link_fault_set(fab_of(rig), link, &f);
}

static void
clear(struct rig *rig, uint32_t link, enum null_fault_kind kind)
{
	const struct null_fault f = { .kind = kind };

	null_link_fault_set(fab_of(rig), link, &f);
}

static uint64_t
hits(struct rig *rig, uint32_t link, enum null_fault_kind kind)
{
	return atomic_load(&link_at(rig, link)->fault_hits[kind]);
}

/* One descriptor from a to a destination; abort code. */
static uint32_t
dma(struct rig *rig, uint32_t rtype, uint32_t destid, uint32_t off, uint32_t len)
{
	struct rig_bdma b;
	uint32_t sts;

	rig_bdma_open(&b, &rig->d[0], 0, 0, 0x1000, 0);
	rig_desc_data(&b, rtype, destid, RIO + off, DATA + off, len);
	rig_bdma_go(&b);
	sts = rig_bdma_reg(&b, TSI721_DMAC_STS);
	assert_int_equal(sts & TSI721_DMAC_STS_RUN, 0);
	return (sts & TSI721_DMAC_STS_ABORT) == 0 ? 0 :
	       (sts & TSI721_DMAC_STS_CS) >> TSI721_DMAC_STS_CS_SHIFT;
}

static uint8_t *
target(struct rig *rig, unsigned int dev, uint32_t off)
{
	return rig->d[dev].mem + MEM + off;
}

/* What a sent from `off` on is at b. */
static bool
arrived(struct rig *rig, uint32_t off, uint32_t len)
{
	return memcmp(target(rig, 1, off), rig->d[0].mem + DATA + off, len) == 0;
}

/* ---- training ---- */

static uint32_t
err_sts(struct rig_dev *d)
{
	return rig_rd(d, TSI721_SP_BASE + RIO_PORT_N_ERR_STS_CSR(0)) & 3;
}

static uint32_t
ipw(struct rig_dev *d)
{
	return (rig_rd(d, TSI721_SP_BASE + RIO_PORT_N_CTL_CSR(0)) & RIO_PORT_N_CTL_IPW) >>
	       RIO_PORT_N_CTL_IPW_SHIFT;
}

static void
training(void **state)
{
	struct rig *rig = open_two();
	struct rig_dev *a = &rig->d[0];

	(void)state;
	assert_int_equal(atomic_load(&link_at(rig, LINK_A)->up), 4);
	assert_int_equal(err_sts(a), RIO_PORT_N_ERR_STS_PORT_OK);
	rig_wr(a, TSI721_DEVCTL, 0);
	assert_int_equal(atomic_load(&link_at(rig, LINK_A)->up), 0);
	assert_int_equal(err_sts(a), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE, 2, 0, 8), NULL_ABORT_TIMEOUT);
	rig_wr(a, TSI721_DEVCTL, TSI721_DEVCTL_SRBOOT_CMPL);
	assert_int_equal(err_sts(a), RIO_PORT_N_ERR_STS_PORT_OK);
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0, 8), 0);
	/* A device that goes away takes its link down; the switch sees it. */
	null_device_close(rig->d[1].dev);
	assert_int_equal(atomic_load(&link_at(rig, 2)->up), 0);
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0, 8), NULL_ABORT_TIMEOUT);
	rig->d[1] = rig->d[2];
	rig->nb = 2;
	rig_close(rig);
}

static void
down_and_up(void **state)
{
	struct rig *rig = open_two();

	(void)state;
	set(rig, LINK_A, "down");
	assert_int_equal(err_sts(&rig->d[0]), RIO_PORT_N_ERR_STS_PORT_UNINIT);
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0, 8), NULL_ABORT_TIMEOUT);
	clear(rig, LINK_A, NULL_FAULT_DOWN);
	assert_int_equal(err_sts(&rig->d[0]), RIO_PORT_N_ERR_STS_PORT_OK);
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0, 8), 0);
	/* In the middle of the way, a write vanishes, and its own link is fine. */
	set(rig, LINK_ST, "down");
	assert_int_equal(err_sts(&rig->d[0]), RIO_PORT_N_ERR_STS_PORT_OK);
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE, 2, 0, 256), 0);
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE_R, 2, 0, 256), NULL_ABORT_TIMEOUT);
	assert_true(rig_is_zero(target(rig, 1, 0), 256));
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 3, 0, 8), 0);
	rig_close(rig);
}

static void
lanes(void **state)
{
	static const struct {
		const char *text;
		uint32_t width, ipw;
	} of4[] = {
		{ "lanes 3", 2, 3 }, { "lanes 2,3", 2, 3 }, { "lanes 2", 2, 3 },
		{ "lanes 1", 1, 0 }, { "lanes 1,2,3", 1, 0 }, { "lanes 0", 1, 1 },
		{ "lanes 0,1,3", 1, 1 }, { "lanes 0,2", 0, 2 }, { "lanes 0,1,2,3", 0, 2 },
	}, of2[] = {
		{ "lanes 1", 1, 0 }, { "lanes 0", 1, 1 }, { "lanes 0,1", 0, 3 },
	};
	struct rig *rig = open_two();
	const uint32_t port3 = 0x100u + RIO_PORT_N_CTL_CSR(0);
	uint32_t val = 0;
	size_t i;

	(void)state;
	assert_int_equal(ipw(&rig->d[0]), 2);
	for (i = 0; i < sizeof(of4) / sizeof(of4[0]); i++) {
		set(rig, LINK_A, of4[i].text);
		assert_int_equal(atomic_load(&link_at(rig, LINK_A)->up), of4[i].width);
		assert_int_equal(ipw(&rig->d[0]), of4[i].ipw);
		assert_int_equal(err_sts(&rig->d[0]), of4[i].width != 0 ?
				 RIO_PORT_N_ERR_STS_PORT_OK : RIO_PORT_N_ERR_STS_PORT_UNINIT);
	}
	clear(rig, LINK_A, NULL_FAULT_LANES);
	/* The switch's end tells the same, and that the width changed. */
	assert_int_equal(rig_maint(&rig->d[0], false, 1, 0, IDT_PORT_ISERR_DET(0), &val), 0);
	assert_int_equal(val & IDT_PORT_ISERR_WIDTH, IDT_PORT_ISERR_WIDTH);
	set(rig, LINK_A, "lanes 1");
	assert_int_equal(rig_maint(&rig->d[0], false, 1, 0, port3, &val), 0);
	assert_int_equal((val & RIO_PORT_N_CTL_IPW) >> RIO_PORT_N_CTL_IPW_SHIFT, 0);
	/* Fewer lanes carry the same packets. */
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE_R, 2, 0, 4096), 0);
	assert_true(arrived(rig, 0, 4096));
	rig_close(rig);

	rig = rig_open_topo("[fabric]\nlanes = 2\n[endpoints]\na = 1\nb = 2\n[links]\na = b\n");
	assert_int_equal(ipw(&rig->d[0]), 3);
	for (i = 0; i < sizeof(of2) / sizeof(of2[0]); i++) {
		set(rig, 0, of2[i].text);
		assert_int_equal(atomic_load(&link_at(rig, 0)->up), of2[i].width);
		assert_int_equal(ipw(&rig->d[1]), of2[i].ipw);
	}
	rig_close(rig);
}

/* ---- block DMA ---- */

/* Every third packet, request or response. */
static void
drop(void **state)
{
	struct rig *rig = open_two();
	uint32_t i, lost = 0;

	(void)state;
	set(rig, LINK_ST, "drop 1/3");
	/* Writes without response: ten packets, of which three are lost, and counted. */
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE, 2, 0, 10 * 256), 0);
	for (i = 0; i < 10; i++) {
		if (arrived(rig, i * 256, 256))
			continue;
		assert_true(rig_is_zero(target(rig, 1, i * 256), 256));
		lost++;
	}
	assert_int_equal(lost, 3);
	assert_int_equal(hits(rig, LINK_ST, NULL_FAULT_DROP), 3);
	/* With a response each way counts: the 2nd of two packets of the next request. */
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE_R, 2, 0x4000, 256), NULL_ABORT_TIMEOUT);
	assert_true(arrived(rig, 0x4000, 256));
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE_R, 2, 0x4400, 256), 0);
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0x4400, 256), NULL_ABORT_TIMEOUT);
	/* Who does not pass the link loses nothing. */
	for (i = 0; i < 9; i++)
		assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 3, 0, 256), 0);
	clear(rig, LINK_ST, NULL_FAULT_DROP);
	assert_int_equal(hits(rig, LINK_ST, NULL_FAULT_DROP), 0);
	for (i = 0; i < 9; i++)
		assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0, 256), 0);
	rig_close(rig);
}

/* With a probability: about as many as it says, and never silent. */
static void
drop_some(void **state)
{
	struct rig *rig = open_two();
	uint32_t i, lost = 0;

	(void)state;
	set(rig, LINK_A, "drop 10%");
	for (i = 0; i < 4000; i++) {
		memset(target(rig, 1, 0), 0, 64);
		assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE, 2, 0, 64), 0);
		lost += !arrived(rig, 0, 64);
	}
	assert_int_equal(lost, hits(rig, LINK_A, NULL_FAULT_DROP));
	assert_in_range(lost, 300, 500);
	set(rig, LINK_A, "drop 100%");
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0, 8), NULL_ABORT_TIMEOUT);
	rig_close(rig);
}

static void
error_response(void **state)
{
	struct rig *rig = open_two();

	(void)state;
	set(rig, LINK_ST, "error 1/2");
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE_R, 2, 0, 256), 0);
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE_R, 2, 0x100, 256), NULL_ABORT_ERROR);
	assert_true(rig_is_zero(target(rig, 1, 0x100), 256));
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0, 256), 0);
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0, 256), NULL_ABORT_ERROR);
	/* What has no response cannot be answered with one. */
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE, 2, 0x200, 2048), 0);
	assert_true(arrived(rig, 0x200, 2048));
	/* Of a write whose last packet alone is answered, that one. */
	assert_int_equal(hits(rig, LINK_ST, NULL_FAULT_ERROR), 2);
	assert_int_equal(dma(rig, TSI721_RTYPE_LAST_NWRITE_R, 2, 0, 1024), 0);
	assert_int_equal(dma(rig, TSI721_RTYPE_LAST_NWRITE_R, 2, 0, 1024), NULL_ABORT_ERROR);
	rig_close(rig);
}

static void
response_timeout(void **state)
{
	struct rig *rig = open_two();
	uint32_t val = 0;

	(void)state;
	set(rig, LINK_A, "timeout");
	/* Done, and nobody says so. */
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE_R, 2, 0, 256), NULL_ABORT_TIMEOUT);
	assert_true(arrived(rig, 0, 256));
	/* A read without its response changes nothing here. */
	rig_fill(target(rig, 1, 0x100), 64, 9);
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0x100, 64), NULL_ABORT_TIMEOUT);
	assert_memory_not_equal(rig->d[0].mem + DATA + 0x100, target(rig, 1, 0x100), 64);
	assert_int_equal(rig_maint(&rig->d[0], false, 2, 9, RIO_DEV_ID_CAR, &val),
			 NULL_ABORT_TIMEOUT);
	assert_int_equal(hits(rig, LINK_A, NULL_FAULT_TIMEOUT), 3);
	rig_close(rig);
}

/* One bit of one byte a packet; the sender's data stay as they are. */
static void
corrupt(void **state)
{
	struct rig *rig = open_two();
	uint32_t i, j, differ, bits;

	(void)state;
	set(rig, LINK_ST, "corrupt 1/4");
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE, 2, 0, 16 * 256), 0);
	assert_true(rig_is_filled(rig->d[0].mem + DATA, 16 * 256, 1));
	assert_int_equal(hits(rig, LINK_ST, NULL_FAULT_CORRUPT), 4);
	for (i = 0; i < 16; i++) {
		differ = 0;
		bits = 0;
		for (j = i * 256; j < (i + 1) * 256; j++) {
			uint8_t d = *target(rig, 1, j) ^ rig->d[0].mem[DATA + j];

			differ += d != 0;
			bits += (uint32_t)__builtin_popcount(d);
		}
		assert_int_equal(differ, i % 4 == 3 ? 1 : 0);
		assert_int_equal(bits, i % 4 == 3 ? 1 : 0);
	}
	/* What is read is protected. */
	set(rig, LINK_ST, "corrupt");
	rig_fill(target(rig, 1, 0x8000), 1024, 3);
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0x8000, 1024), 0);
	assert_true(rig_is_filled(rig->d[0].mem + DATA + 0x8000, 1024, 3));
	rig_close(rig);
}

/* Packets end at multiples of 256 of the address, whatever the length. */
static void
odd_packets(void **state)
{
	struct rig *rig = open_two();

	(void)state;
	set(rig, LINK_ST, "drop 1/1000");
	assert_int_equal(dma(rig, TSI721_RTYPE_ALL_NWRITE, 2, 0xff, 0x1002), 0);
	assert_true(arrived(rig, 0xff, 0x1002));
	assert_int_equal(*target(rig, 1, 0xfe), 0);
	assert_int_equal(*target(rig, 1, 0x1101), 0);
	assert_int_equal(atomic_load(&link_at(rig, LINK_ST)->fault_seen[NULL_FAULT_DROP]), 18);
	rig_close(rig);
}

/* A channel that does not go on; others do; it goes on when told again. */
static void
stuck_bdma(void **state)
{
	struct rig *rig = open_two();
	struct rig_bdma b, other;

	(void)state;
	null_stuck_set(fab_of(rig), 0, NULL_STUCK_BDMA(2));
	rig_bdma_open(&b, &rig->d[0], 2, 0x4000, 0x5000, 0);
	rig_desc_data(&b, TSI721_RTYPE_ALL_NWRITE, 2, RIO, DATA, 64);
	rig_bdma_go(&b);
	assert_int_equal(rig_bdma_reg(&b, TSI721_DMAC_STS) & TSI721_DMAC_STS_RUN,
			 TSI721_DMAC_STS_RUN);
	assert_int_equal(rig_bdma_reg(&b, TSI721_DMAC_DRDCNT), 0);
	assert_true(rig_is_zero(target(rig, 1, 0), 64));
	rig_bdma_open(&other, &rig->d[0], 3, 0x6000, 0x7000, 0);
	rig_desc_data(&other, TSI721_RTYPE_ALL_NWRITE, 2, RIO + 64, DATA + 64, 64);
	rig_bdma_go(&other);
	assert_int_equal(rig_bdma_reg(&other, TSI721_DMAC_DRDCNT), 1);
	null_stuck_set(fab_of(rig), 0, 0);
	rig_bdma_go(&b);
	assert_int_equal(rig_bdma_reg(&b, TSI721_DMAC_DRDCNT), 1);
	assert_true(arrived(rig, 0, 128));
	rig_close(rig);
}

/* ---- doorbells ---- */

static void
idb_open(struct rig_dev *d)
{
	uint64_t at = d->iova + 0x300000;

	rig_wr(d, TSI721_IDQ_SIZE(0), 5);
	rig_wr(d, TSI721_IDQ_BASEU(0), (uint32_t)(at >> 32));
	rig_wr(d, TSI721_IDQ_BASEL(0), (uint32_t)at);
	rig_wr(d, TSI721_IDQ_MASK(0), 0);
	rig_wr(d, TSI721_IDQ_CTL(0), TSI721_IDQ_CTL_INIT);
}

/* Causes that one doorbell raised. */
static uint32_t
ring(struct rig *rig)
{
	struct rig_dev *a = &rig->d[0];
	uint32_t causes;

	rig_wr(a, TSI721_SR_CHINT(0), TSI721_SR_CHINT_ALL);
	null_device_odb_write(a->dev, TSI721_ODB_OFFSET(a->tt, 2), 7);
	causes = rig_rd(a, TSI721_SR_CHINT(0));
	return causes & (TSI721_SR_CHINT_ODBOK | TSI721_SR_CHINT_ODBTO | TSI721_SR_CHINT_ODBRTRY |
			 TSI721_SR_CHINT_ODBERR);
}

static void
doorbells(void **state)
{
	struct rig *rig = open_two();
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];

	(void)state;
	idb_open(b);
	assert_int_equal(ring(rig), TSI721_SR_CHINT_ODBOK);
	set(rig, LINK_ST, "error");
	assert_int_equal(ring(rig), TSI721_SR_CHINT_ODBERR);
	clear(rig, LINK_ST, NULL_FAULT_ERROR);
	set(rig, LINK_ST, "drop");
	assert_int_equal(ring(rig), TSI721_SR_CHINT_ODBTO);
	clear(rig, LINK_ST, NULL_FAULT_DROP);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 1);
	set(rig, LINK_ST, "timeout");
	assert_int_equal(ring(rig), TSI721_SR_CHINT_ODBTO);
	clear(rig, LINK_ST, NULL_FAULT_TIMEOUT);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 2);

	/* A storm of RETRY: it waits, and gets through when the storm is over. */
	set(rig, LINK_ST, "retry");
	assert_int_equal(ring(rig) & TSI721_SR_CHINT_ODBRTRY, TSI721_SR_CHINT_ODBRTRY);
	assert_true(hits(rig, LINK_ST, NULL_FAULT_RETRY) > 0);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 2);
	clear(rig, LINK_ST, NULL_FAULT_RETRY);
	rig_rd(a, TSI721_DEV_INT);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 3);
	/* Every second attempt: nothing is lost or doubled. */
	set(rig, LINK_ST, "retry 1/2");
	ring(rig);
	ring(rig);
	ring(rig);
	rig_rd(a, TSI721_DEV_INT);
	rig_rd(a, TSI721_DEV_INT);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 6);
	clear(rig, LINK_ST, NULL_FAULT_RETRY);

	/* A stuck engine holds it too. */
	null_stuck_set(fab_of(rig), 0, NULL_STUCK_ODB);
	assert_int_equal(ring(rig) & TSI721_SR_CHINT_ODBOK, 0);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 6);
	null_stuck_set(fab_of(rig), 0, 0);
	rig_rd(a, TSI721_DEV_INT);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 7);
	rig_close(rig);
}

/* One in 20 ms, the others wait. */
static void
slow(void **state)
{
	struct rig *rig = open_two();
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	const struct timespec nap = { .tv_nsec = 21000000 };

	(void)state;
	idb_open(b);
	set(rig, LINK_ST, "slow 20000");
	assert_int_equal(ring(rig), TSI721_SR_CHINT_ODBOK);
	assert_int_equal(ring(rig) & TSI721_SR_CHINT_ODBRTRY, TSI721_SR_CHINT_ODBRTRY);
	rig_rd(a, TSI721_DEV_INT);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 1);
	assert_true(hits(rig, LINK_ST, NULL_FAULT_SLOW) >= 2);
	nanosleep(&nap, NULL);
	rig_rd(a, TSI721_DEV_INT);
	assert_int_equal(rig_stat(b, NULL_STAT_IDB_RECEIVED), 2);
	/* Block DMA has no RETRY, and is not slowed. */
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 2, 0, 1024), 0);
	rig_close(rig);
}

/* ---- messages ---- */

#define MB_OUT		TSI721_OBDMAC_DWRCNT(0)
#define MB_RING		0x30000u
#define MB_FIFO		0x31000u
#define MB_FREE		0x100000u
#define MB_DESC		0x110000u
#define MB_BUFS		0x120000u
#define MB_CHAN		TSI721_IMSG_CHAN(0)

static void
regs64(struct rig_dev *d, uint32_t hi, uint32_t lo, uint64_t addr)
{
	rig_wr(d, hi, (uint32_t)(addr >> 32));
	rig_wr(d, lo, (uint32_t)addr);
}

static void
mbox_open(struct rig *rig)
{
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint64_t *free_q = (uint64_t *)(void *)(b->mem + MB_FREE);
	uint32_t i;

	regs64(b, TSI721_IBDMAC_FQBH(MB_CHAN), TSI721_IBDMAC_FQBL(MB_CHAN), b->iova + MB_FREE);
	regs64(b, TSI721_IBDMAC_DQBH(MB_CHAN), TSI721_IBDMAC_DQBL(MB_CHAN), b->iova + MB_DESC);
	rig_wr(b, TSI721_IB_DEVID, TSI721_IB_DEVID_GLOBAL);
	rig_wr(b, TSI721_IBDMAC_FQSZ(MB_CHAN), 0);
	rig_wr(b, TSI721_IBDMAC_DQSZ(MB_CHAN), 0);
	rig_wr(b, TSI721_IBDMAC_CTL(MB_CHAN), TSI721_IBDMAC_CTL_INIT);
	for (i = 0; i < 15; i++)
		free_q[i] = htole64(b->iova + MB_BUFS + i * 4096);
	rig_wr(b, TSI721_IBDMAC_FQWP(MB_CHAN), 15);

	regs64(a, TSI721_OBDMAC_DPTRH(0), TSI721_OBDMAC_DPTRL(0), a->iova + MB_RING);
	regs64(a, TSI721_OBDMAC_DSBH(0), TSI721_OBDMAC_DSBL(0), a->iova + MB_FIFO);
	rig_wr(a, TSI721_OBDMAC_DSSZ(0), 0);
	rig_wr(a, TSI721_OBDMAC_CTL(0), TSI721_OBDMAC_CTL_INIT);
}

/* Send the i-th message, of len bytes; abort code, or 0. */
static uint32_t
mbox_send(struct rig *rig, uint32_t i, uint32_t len)
{
	struct rig_dev *a = &rig->d[0];
	struct tsi721_omsg_desc *desc = (void *)(a->mem + MB_RING + i * sizeof(*desc));
	uint64_t iova = a->iova + DATA;
	uint32_t sts;

	desc->type_id = htole32(TSI721_DTYPE_OMSG << TSI721_DTYPE_SHIFT | 2);
	desc->msg_info = htole32(TSI721_MSG_SSIZE_256 << TSI721_OMD_SSIZE_SHIFT |
				 (len & TSI721_OMD_BCOUNT));
	desc->bufptr_lo = htole32((uint32_t)iova);
	desc->bufptr_hi = htole32((uint32_t)(iova >> 32));
	rig_wr(a, TSI721_OBDMAC_DWRCNT(0), i + 1);
	sts = rig_rd(a, TSI721_OBDMAC_STS(0));
	return (sts & TSI721_OBDMAC_STS_ABORT) == 0 ? 0 :
	       (sts & TSI721_OBDMAC_STS_CS) >> TSI721_OBDMAC_STS_CS_SHIFT;
}

static uint64_t
mbox_received(struct rig *rig)
{
	return rig_stat(&rig->d[1], NULL_STAT_IMSG_RECEIVED);
}

static void
messages(void **state)
{
	struct rig *rig = open_two();
	struct rig_dev *a = &rig->d[0], *b = &rig->d[1];
	uint32_t i, differ = 0;

	(void)state;
	mbox_open(rig);
	assert_int_equal(mbox_send(rig, 0, 4096), 0);
	assert_int_equal(mbox_received(rig), 1);
	/* Sixteen packets there and sixteen responses: every 20th is one of them. */
	set(rig, LINK_ST, "drop 1/20");
	assert_int_equal(mbox_send(rig, 1, 4096), NULL_ABORT_TIMEOUT);
	assert_int_equal(mbox_received(rig), 2);
	clear(rig, LINK_ST, NULL_FAULT_DROP);
	rig_close(rig);

	rig = open_two();
	a = &rig->d[0];
	b = &rig->d[1];
	mbox_open(rig);
	set(rig, LINK_ST, "error");
	assert_int_equal(mbox_send(rig, 0, 64), NULL_ABORT_ERROR);
	assert_int_equal(mbox_received(rig), 0);
	clear(rig, LINK_ST, NULL_FAULT_ERROR);
	mbox_open(rig);

	/* Changed on the way, and counted; the sender keeps what it had. */
	set(rig, LINK_ST, "corrupt");
	assert_int_equal(mbox_send(rig, 0, 4096), 0);
	assert_int_equal(mbox_received(rig), 1);
	assert_int_equal(hits(rig, LINK_ST, NULL_FAULT_CORRUPT), 1);
	for (i = 0; i < 4096; i++)
		differ += b->mem[MB_BUFS + i] != a->mem[DATA + i];
	assert_int_equal(differ, 1);
	assert_true(rig_is_filled(a->mem + DATA, 4096, 1));
	clear(rig, LINK_ST, NULL_FAULT_CORRUPT);

	/* RETRY until the storm is over, or until the time is. */
	set(rig, LINK_ST, "retry");
	assert_int_equal(mbox_send(rig, 1, 64), 0);
	assert_int_equal(mbox_received(rig), 1);
	assert_int_equal(rig_rd(a, TSI721_OBDMAC_STS(0)), TSI721_OBDMAC_STS_RUN);
	clear(rig, LINK_ST, NULL_FAULT_RETRY);
	rig_rd(a, TSI721_DEV_INT);
	assert_int_equal(mbox_received(rig), 2);
	assert_int_equal(rig_rd(a, TSI721_OBDMAC_DRDCNT(0)), 2);

	null_stuck_set(fab_of(rig), 0, NULL_STUCK_OMSG(0));
	assert_int_equal(mbox_send(rig, 2, 64), 0);
	assert_int_equal(mbox_received(rig), 2);
	assert_int_equal(rig_rd(a, TSI721_OBDMAC_STS(0)), TSI721_OBDMAC_STS_RUN);
	null_stuck_set(fab_of(rig), 0, 0);
	rig_rd(a, TSI721_DEV_INT);
	assert_int_equal(mbox_received(rig), 3);
	rig_close(rig);
}

/* ---- outbound windows, port-writes, files ---- */

static void
windows(void **state)
{
	struct rig *rig = open_two();
	struct rig_dev *a = &rig->d[0];
	uint64_t bar = 0x200000000ull;
	uint32_t v = 0x12345678, r = 0;

	(void)state;
	rig_cfg_wr(a, 0x18, (uint32_t)bar);
	rig_cfg_wr(a, 0x1c, (uint32_t)(bar >> 32));
	rig_wr(a, TSI721_LUT_DATA0, (RIO & TSI721_LUT_DATA0_ADD) | TSI721_LUT_DATA0_NREAD |
	       TSI721_LUT_DATA0_NWR_R);
	rig_wr(a, TSI721_LUT_DATA1, 0);
	rig_wr(a, TSI721_LUT_DATA2, 2);
	rig_wr(a, TSI721_ZONE_SEL, TSI721_ZONE_SEL_GO);
	rig_wr(a, TSI721_OBWIN_UB(0), (uint32_t)(bar >> 32));
	rig_wr(a, TSI721_OBWIN_SZ(0), 0);
	rig_wr(a, TSI721_OBWIN_LB(0), (uint32_t)bar | TSI721_OBWIN_LB_WEN);
	null_device_bar_write(a->dev, TSI721_BAR_WIN0, 0, &v, sizeof(v));
	null_device_bar_read(a->dev, TSI721_BAR_WIN0, 0, &r, sizeof(r));
	assert_int_equal(r, v);
	set(rig, LINK_ST, "timeout");
	null_device_bar_read(a->dev, TSI721_BAR_WIN0, 0, &r, sizeof(r));
	assert_int_equal(r, 0xffffffff);
	v = 0xabcdef01;
	null_device_bar_write(a->dev, TSI721_BAR_WIN0, 0, &v, sizeof(v));
	assert_memory_equal(target(rig, 1, 0), &v, sizeof(v));
	assert_int_equal(rig_stat(a, NULL_STAT_OBWIN_ERRORS), 2);
	clear(rig, LINK_ST, NULL_FAULT_TIMEOUT);
	set(rig, LINK_ST, "corrupt");
	null_device_bar_write(a->dev, TSI721_BAR_WIN0, 0, &v, sizeof(v));
	memcpy(&r, target(rig, 1, 0), sizeof(r));
	assert_int_equal(__builtin_popcount(r ^ v), 1);
	rig_close(rig);
}

static void
lost_report(void **state)
{
	struct rig *rig = open_two();
	struct null_switch *sw = &fab_of(rig)->sh->sw[0];
	uint32_t lost = atomic_load(&sw->pw_lost), sent = atomic_load(&sw->pw_sent);

	(void)state;
	set(rig, LINK_C, "down");
	assert_int_equal(atomic_load(&sw->pw_sent), sent + 1);
	set(rig, LINK_A, "drop");
	clear(rig, LINK_C, NULL_FAULT_DOWN);
	assert_int_equal(atomic_load(&sw->pw_sent), sent + 1);
	assert_int_equal(atomic_load(&sw->pw_lost), lost + 1);
	rig_close(rig);
}

/* Faults that a file begins with. */
static void
from_file(void **state)
{
	struct rig *rig = rig_open_topo(TWO "[faults]\ns.3 = down\nc = drop\na = stuck bdma1\n"
					"c = lanes 1\n");
	struct rig_bdma b;

	(void)state;
	assert_int_equal(atomic_load(&link_at(rig, LINK_ST)->up), 0);
	assert_int_equal(atomic_load(&link_at(rig, LINK_C)->up), 1);
	assert_int_equal(dma(rig, TSI721_RTYPE_NREAD, 3, 0, 8), NULL_ABORT_TIMEOUT);
	assert_int_equal(hits(rig, LINK_C, NULL_FAULT_DROP), 1);
	rig_bdma_open(&b, &rig->d[0], 1, 0x4000, 0x5000, 0);
	rig_desc_data(&b, TSI721_RTYPE_ALL_NWRITE, 3, RIO, DATA, 64);
	rig_bdma_go(&b);
	assert_int_equal(rig_bdma_reg(&b, TSI721_DMAC_DRDCNT), 0);
	rig_close(rig);
}

/* Faults that a device begins with. */
static void
from_device(void **state)
{
	struct null_device_params p = { .fabric = "own-faults", .destid = NULL_DESTID_AUTO,
					.host = -1, .faults = "drop 1/7; stuck omsg3" };
	static const char *const bad[] = { "", "drop;", "drop 1/7;melt", "drop 1/0" };
	struct null_device_params other = { .fabric = "own-faults", .destid = NULL_DESTID_AUTO,
					    .host = -1, .node = "ep9" };
	const struct null_shared *sh;
	struct null_device *d, *o;
	char err[NULL_ERR_LEN];
	size_t i;

	(void)state;
	assert_int_equal(null_device_open(&other, &o, err, sizeof(err)), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(null_device_open(&p, &d, err, sizeof(err)), 0);
		sh = d->fab->sh;
		assert_int_equal(atomic_load(&sh->links[0].fault_arg[NULL_FAULT_DROP]), i == 0 ? 7 : 0);
		assert_int_equal(atomic_load(&d->chip->stuck), i == 0 ? NULL_STUCK_OMSG(3) : 0);
		null_device_close(d);
		/* The next one on the star's port begins without. */
		p.faults = NULL;
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		p.faults = bad[i];
		assert_int_equal(null_device_open(&p, &d, err, sizeof(err)), -EINVAL);
		assert_memory_equal(err, "fault '", 7);
	}
	null_device_close(o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(training),
		cmocka_unit_test(down_and_up),
		cmocka_unit_test(lanes),
		cmocka_unit_test(drop),
		cmocka_unit_test(drop_some),
		cmocka_unit_test(error_response),
		cmocka_unit_test(response_timeout),
		cmocka_unit_test(corrupt),
		cmocka_unit_test(odd_packets),
		cmocka_unit_test(stuck_bdma),
		cmocka_unit_test(doorbells),
		cmocka_unit_test(slow),
		cmocka_unit_test(messages),
		cmocka_unit_test(windows),
		cmocka_unit_test(lost_report),
		cmocka_unit_test(from_file),
		cmocka_unit_test(from_device),
	};

	return cmocka_run_group_tests_name("null_link", tests, NULL, NULL);
}
