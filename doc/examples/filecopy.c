/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Copies a file from one node of a RapidIO fabric to another:
 *
 *   filecopy [EAL options] --vdev raw_tsi7210,fabric=f,destid=2 -- receive FILE
 *   filecopy [EAL options] --vdev raw_tsi7210,fabric=f,destid=1 -- send FILE 2
 *
 * The receiver shows a piece of its memory to the fabric. The sender asks for it
 * by message, writes the file into it with block DMA, a piece at a time, and
 * says so; the receiver writes the piece to its file and says so in turn.
 * Boards: the PCI address with -a instead of --vdev.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_rawdev.h>

#include <rte_pmd_tsi721.h>

#define MBOX	0u
#define RING	64u
#define PIECE	(1u << 20)		/* also the size of the window */
#define WAIT_S	10u

enum { ASK = 1, SHOWN, WRITTEN, TAKEN };

/* A message, big-endian; its length is a multiple of 8. */
struct note {
	uint32_t magic, kind;
	uint64_t raddr;			/* SHOWN: where to write to */
	uint64_t len;			/* WRITTEN: bytes there; 0: the file has ended */
};
#define MAGIC	0x52494f46u

static uint16_t dev;
static struct rte_pmd_tsi721_mem data, paper;	/* pieces of the file; the note that is sent */

static void
fail(const char *what, int error)
{
	fprintf(stderr, "filecopy: %s: %s\n", what, strerror(error < 0 ? -error : error));
	exit(1);
}

static uint64_t
deadline(void)
{
	return rte_get_timer_cycles() + rte_get_timer_hz() * WAIT_S;
}

/* Send a note and wait until it has arrived. */
static void
tell(uint16_t destid, uint32_t kind, uint64_t raddr, uint64_t len)
{
	const struct rte_pmd_tsi721_msg_out msg = {
		.destid = destid, .len = sizeof(struct note), .iova = paper.iova,
	};
	uint64_t end = deadline();
	struct note *note = paper.addr;
	void *user;
	int ret, status = 0;

	*note = (struct note){
		rte_cpu_to_be_32(MAGIC), rte_cpu_to_be_32(kind), rte_cpu_to_be_64(raddr),
		rte_cpu_to_be_64(len),
	};
	ret = rte_pmd_tsi721_msg_send(dev, MBOX, &msg, 1);
	while (ret == 1 && rte_pmd_tsi721_msg_reap(dev, MBOX, &user, &status, 1) == 0)
		if (rte_get_timer_cycles() > end)
			fail("sending a message", ETIMEDOUT);
	if (ret != 1 || status != 0)
		fail("sending a message", ret != 1 ? ret : status);
}

/* The next note of that kind; its sender is returned. `end` 0: wait as long as it takes. */
static uint16_t
hear(uint32_t kind, struct note *note, uint64_t end)
{
	struct rte_pmd_tsi721_msg_in msg;
	bool right;

	for (;;) {
		while (rte_pmd_tsi721_msg_peek(dev, MBOX, &msg, 1) == 0)
			if (end != 0 && rte_get_timer_cycles() > end)
				fail("waiting for a message", ETIMEDOUT);
		right = msg.len >= sizeof(*note);
		if (right)
			memcpy(note, msg.data, sizeof(*note));
		rte_pmd_tsi721_msg_release(dev, MBOX, 1);
		if (!right || note->magic != rte_cpu_to_be_32(MAGIC) ||
		    note->kind != rte_cpu_to_be_32(kind))
			continue;	/* somebody else's */
		note->raddr = rte_be_to_cpu_64(note->raddr);
		note->len = rte_be_to_cpu_64(note->len);
		return msg.src;
	}
}

static void
receive(FILE *file)
{
	int win = rte_pmd_tsi721_window_open(dev, RTE_PMD_TSI721_DIRECT, data.iova, data.size);
	struct note note;
	uint16_t from;

	if (win < 0)
		fail("opening a window", win);
	printf("waiting\n");
	fflush(stdout);
	from = hear(ASK, &note, 0);
	tell(from, SHOWN, data.iova, 0);
	for (;;) {
		if (hear(WRITTEN, &note, deadline()) != from)
			continue;
		if (note.len == 0)
			break;
		if (note.len > data.size)
			fail("the sender's length", EPROTO);
		if (fwrite(data.addr, 1, note.len, file) != note.len)
			fail("writing the file", errno);
		tell(from, TAKEN, 0, 0);
	}
	rte_pmd_tsi721_window_close(dev, (unsigned int)win);
}

/* Block DMA of a piece. It ends when the response says that all is there. */
static void
write_piece(uint16_t to, uint64_t raddr, size_t len)
{
	const struct rte_pmd_tsi721_seg seg = { data.iova, len };
	struct rte_pmd_tsi721_op op = {
		.type = RTE_PMD_TSI721_WRITE_LAST_R, .destid = to, .raddr = raddr, .segs = &seg,
		.nb_segs = 1,
	};
	int ret = rte_pmd_tsi721_op_run(dev, 0, &op, WAIT_S * 1000000);

	if (ret != 0)
		fail("writing to the receiver", ret);
}

static void
send_file(FILE *file, uint16_t to)
{
	struct note shown, note;
	uint64_t bytes = 0;
	size_t len;

	tell(to, ASK, 0, 0);
	hear(SHOWN, &shown, deadline());
	while ((len = fread(data.addr, 1, data.size, file)) != 0) {
		write_piece(to, shown.raddr, len);
		tell(to, WRITTEN, 0, len);
		hear(TAKEN, &note, deadline());
		bytes += len;
	}
	if (ferror(file))
		fail("reading the file", errno);
	tell(to, WRITTEN, 0, 0);
	printf("%" PRIu64 " bytes sent\n", bytes);
}

/* One queue for block DMA, mailbox 0 both ways, memory that the fabric can reach. */
static void
open_device(void)
{
	struct rte_pmd_tsi721_config config = { .nb_queues = 1 };
	struct rte_rawdev_info info = { .dev_private = &config };
	int ret;

	while (dev < RTE_RAWDEV_MAX_DEVS && rte_pmd_tsi721_doorbell_poll(dev, 0) == -ENODEV)
		dev++;
	if (dev == RTE_RAWDEV_MAX_DEVS)
		fail("looking for a Tsi721", ENODEV);
	ret = rte_rawdev_configure(dev, &info, sizeof(config));
	if (ret == 0)
		ret = rte_rawdev_start(dev);
	if (ret == 0)
		ret = rte_pmd_tsi721_mbox_open(dev, MBOX, RING, RING, SOCKET_ID_ANY);
	if (ret == 0)
		ret = rte_pmd_tsi721_mem_alloc(dev, PIECE, SOCKET_ID_ANY, &data);
	if (ret == 0)
		ret = rte_pmd_tsi721_mem_alloc(dev, 4096, SOCKET_ID_ANY, &paper);
	if (ret != 0)
		fail("setting the device up", ret);
}

int
main(int argc, char **argv)
{
	int n = rte_eal_init(argc, argv);
	bool send = n > 0 && argc - n == 4 && strcmp(argv[n + 1], "send") == 0;
	FILE *file;

	if (n < 0)
		return 1;
	if (!send && !(argc - n == 3 && strcmp(argv[n + 1], "receive") == 0)) {
		fprintf(stderr, "usage: filecopy [EAL options] -- receive FILE | send FILE ID\n");
		return 1;
	}
	file = fopen(argv[n + 2], send ? "rb" : "wb");
	if (file == NULL)
		fail(argv[n + 2], errno);
	open_device();
	if (send)
		send_file(file, (uint16_t)strtoul(argv[n + 3], NULL, 0));
	else
		receive(file);
	if (fclose(file) != 0)
		fail("closing the file", errno);
	rte_pmd_tsi721_mem_free(dev, &data);
	rte_pmd_tsi721_mem_free(dev, &paper);
	rte_rawdev_stop(dev);
	rte_rawdev_close(dev);
	rte_eal_cleanup();
	return 0;
}
