/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Channelised messages of the Linux kernel (/dev/rio_cm):
 *
 *   rio_cm serve CHANNEL COUNT              accept one connection, send COUNT messages back
 *   rio_cm talk DESTID CHANNEL COUNT SIZE   connect, send COUNT messages, check what comes back
 *
 * The first 20 bytes of a message are the kernel's.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/rio_cm_cdev.h>

#define HEADER		20u
#define MESSAGE_MAX	4096u
#define TIMEOUT_MS	30000u

static uint8_t out[MESSAGE_MAX], in[MESSAGE_MAX];

static int
cm(unsigned long request, void *arg, const char *what)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/dev/rio_cm", O_RDWR | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, request, arg) < 0) {
		printf("%s: %s\n", what, strerror(errno));
		return 1;
	}
	return 0;
}

static int
message_send(uint16_t channel, uint8_t *data, uint16_t size)
{
	struct rio_cm_msg msg = { .ch_num = channel, .size = size, .msg = (uintptr_t)data };

	return cm(RIO_CM_CHAN_SEND, &msg, "send");
}

static int
message_receive(uint16_t channel, uint8_t *data, uint16_t size)
{
	struct rio_cm_msg msg = {
		.ch_num = channel,
		.size = size,
		.rxto = TIMEOUT_MS,
		.msg = (uintptr_t)data,
	};

	return cm(RIO_CM_CHAN_RECEIVE, &msg, "receive");
}

static int
serve(uint16_t channel, unsigned int count)
{
	struct rio_cm_channel bind = { .id = channel };
	struct rio_cm_accept accept = { .ch_num = channel, .wait_to = TIMEOUT_MS };
	unsigned int i;

	if (cm(RIO_CM_CHAN_CREATE, &channel, "create") || cm(RIO_CM_CHAN_BIND, &bind, "bind") ||
	    cm(RIO_CM_CHAN_LISTEN, &channel, "listen"))
		return 1;
	printf("listening\n");
	fflush(stdout);
	if (cm(RIO_CM_CHAN_ACCEPT, &accept, "accept"))
		return 1;
	for (i = 0; i < count; i++)
		if (message_receive(accept.ch_num, in, MESSAGE_MAX) ||
		    message_send(accept.ch_num, in, MESSAGE_MAX))
			return 1;
	printf("%u served\n", i);
	fflush(stdout);
	/* Closing would take from the other side what it has not received yet: it closes first. */
	message_receive(accept.ch_num, in, MESSAGE_MAX);
	return 0;
}

static int
talk(uint16_t destid, uint16_t channel, unsigned int count, uint16_t size)
{
	uint16_t own = 0;
	struct rio_cm_channel to = { .remote_channel = channel, .remote_destid = destid };
	unsigned int i, k;

	if (cm(RIO_CM_CHAN_CREATE, &own, "create"))
		return 1;
	to.id = own;
	if (cm(RIO_CM_CHAN_CONNECT, &to, "connect"))
		return 1;
	for (i = 0; i < count; i++) {
		for (k = HEADER; k < size; k++)
			out[k] = (uint8_t)(k * 13 + i);
		if (message_send(own, out, size) || message_receive(own, in, size))
			return 1;
		if (memcmp(in + HEADER, out + HEADER, size - HEADER) != 0) {
			printf("message %u came back different\n", i);
			return 1;
		}
	}
	printf("%u came back\n", i);
	return cm(RIO_CM_CHAN_CLOSE, &own, "close");
}

int
main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "serve") == 0)
		return serve((uint16_t)atoi(argv[2]), (unsigned int)atoi(argv[3]));
	if (argc == 6 && strcmp(argv[1], "talk") == 0 && atoi(argv[5]) > (int)HEADER &&
	    atoi(argv[5]) <= (int)MESSAGE_MAX)
		return talk((uint16_t)atoi(argv[2]), (uint16_t)atoi(argv[3]),
			    (unsigned int)atoi(argv[4]), (uint16_t)atoi(argv[5]));
	fprintf(stderr, "usage: rio_cm serve CHANNEL COUNT | talk DESTID CHANNEL COUNT SIZE\n");
	return 2;
}
