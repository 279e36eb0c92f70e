/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The Linux side of a talk, through /dev/rio_cm:
 *
 *   cm_linux serve CHANNEL CLOSE          take one connection; CLOSE 1: end it
 *   cm_linux talk DESTID CHANNEL CLOSE    connect; CLOSE 1: the other side ends it
 *   cm_linux refused DESTID CHANNEL       connect, and be told at once that nobody listens
 *   cm_linux hold CHANNEL                 take one connection, and wait until it is killed
 */

#include <fcntl.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <linux/rio_cm_cdev.h>

#include "cm_steps.h"

#define HEADER		20u
#define MESSAGE_MAX	4096u

static int fd;

static int
failed(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	return 1;
}

static int
linux_send(void *ctx, const uint8_t *data, unsigned int len)
{
	static uint8_t buf[MESSAGE_MAX];
	struct rio_cm_msg msg = {
		.ch_num = *(uint16_t *)ctx, .size = (uint16_t)(HEADER + len),
		.msg = (uintptr_t)buf,
	};

	memcpy(buf + HEADER, data, len);
	return ioctl(fd, RIO_CM_CHAN_SEND, &msg) < 0 ? failed("send") : 0;
}

static int
linux_receive(void *ctx, uint8_t *data)
{
	static uint8_t buf[MESSAGE_MAX];
	struct rio_cm_msg msg = {
		.ch_num = *(uint16_t *)ctx, .size = MESSAGE_MAX, .rxto = CM_WAIT_MS,
		.msg = (uintptr_t)buf,
	};
	unsigned int len;

	if (ioctl(fd, RIO_CM_CHAN_RECEIVE, &msg) < 0) {
		/* A channel that was closed before is no channel any more. */
		if (errno == ECONNRESET || errno == ENODEV)
			return -1;
		failed("receive");
		return -2;
	}
	len = (unsigned int)buf[16] << 8 | buf[17];
	if (buf[8] != 1 || buf[9] != 1 || buf[10] != 0x55 || buf[11] != 3 || len < HEADER ||
	    len > MESSAGE_MAX || buf[18] != 0 || buf[19] != 0) {
		printf("a header that is none\n");
		return -2;
	}
	memcpy(data, buf + HEADER, len - HEADER);
	return (int)(len - HEADER);
}

static int
linux_close(void *ctx)
{
	return ioctl(fd, RIO_CM_CHAN_CLOSE, ctx) < 0 ? failed("close") : 0;
}

static int
take(uint16_t channel, uint16_t *taken)
{
	struct rio_cm_channel bind = { .id = channel };
	struct rio_cm_accept accept = { .ch_num = channel, .wait_to = CM_WAIT_MS };

	if (ioctl(fd, RIO_CM_CHAN_CREATE, &channel) < 0 || ioctl(fd, RIO_CM_CHAN_BIND, &bind) < 0 ||
	    ioctl(fd, RIO_CM_CHAN_LISTEN, &channel) < 0)
		return failed("listen");
	printf("listening\n");
	fflush(stdout);
	if (ioctl(fd, RIO_CM_CHAN_ACCEPT, &accept) < 0)
		return failed("accept");
	*taken = accept.ch_num;
	return 0;
}

static int
join(uint16_t destid, uint16_t channel, uint16_t *own)
{
	struct rio_cm_channel to = { .remote_channel = channel, .remote_destid = destid };

	*own = 0;
	if (ioctl(fd, RIO_CM_CHAN_CREATE, own) < 0)
		return -1;
	to.id = *own;
	return ioctl(fd, RIO_CM_CHAN_CONNECT, &to);
}

static int
refused(uint16_t destid, uint16_t channel)
{
	struct timespec begin, end;
	uint16_t own;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (join(destid, channel, &own) == 0 || errno != EPERM)
		return failed("connect");
	clock_gettime(CLOCK_MONOTONIC, &end);
	/* Who is told nothing waits for three seconds. */
	return end.tv_sec - begin.tv_sec > 2;
}

static int
done(int wrong)
{
	printf("%s\n", wrong ? "wrong" : "good");
	return wrong;
}

int
main(int argc, char **argv)
{
	uint16_t ch;
	struct cm_side side = { linux_send, linux_receive, linux_close, &ch };

	fd = open("/dev/rio_cm", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return failed("/dev/rio_cm");
	if (argc == 4 && strcmp(argv[1], "serve") == 0)
		return done(take((uint16_t)number(argv[2]), &ch) ||
			    cm_serve(&side, number(argv[3]) == 1));
	if (argc == 5 && strcmp(argv[1], "talk") == 0)
		return done(join((uint16_t)number(argv[2]), (uint16_t)number(argv[3]), &ch) < 0 ?
			    failed("connect") : cm_talk(&side, number(argv[4]) == 1));
	if (argc == 4 && strcmp(argv[1], "refused") == 0)
		return done(refused((uint16_t)number(argv[2]), (uint16_t)number(argv[3])));
	if (argc == 3 && strcmp(argv[1], "hold") == 0)
		return take((uint16_t)number(argv[2]), &ch) || pause();
	fprintf(stderr, "usage: cm_linux serve CHANNEL CLOSE | talk DESTID CHANNEL CLOSE | "
		"refused DESTID CHANNEL | hold CHANNEL\n");
	return 2;
}
