/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * ping_sizes ADDRESS FIRST LAST STEP [MILLISECONDS]: an ICMP echo of each payload
 * size, one after the other; what comes back must be what went. Prints how many
 * went, came and differed; the exit code is 0 when all came and none differed.
 * MILLISECONDS is how long each try waits for its answer, 3000 if not given.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#define SIZE_MAX_PING	65000
#define TRIES		2	/* the first may be lost while the address is looked up */

static uint8_t out[sizeof(struct icmphdr) + SIZE_MAX_PING];
static uint8_t in[sizeof(out) + 60];

static uint16_t
checksum(const uint8_t *p, size_t len)
{
	uint32_t sum = 0;
	size_t i;

	for (i = 0; i + 1 < len; i += 2)
		sum += (uint32_t)p[i] << 8 | p[i + 1];
	if (len % 2 != 0)
		sum += (uint32_t)p[len - 1] << 8;
	while (sum >> 16 != 0)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons((uint16_t)~sum);
}

static size_t
request_make(uint16_t id, uint16_t seq, size_t size)
{
	struct icmphdr h = { .type = ICMP_ECHO };
	size_t i, len = sizeof(h) + size;

	h.un.echo.id = htons(id);
	h.un.echo.sequence = htons(seq);
	for (i = 0; i < size; i++)
		out[sizeof(h) + i] = (uint8_t)(i * 7 + (i >> 8) + seq);
	memcpy(out, &h, sizeof(h));
	h.checksum = checksum(out, len);
	memcpy(out, &h, sizeof(h));
	return len;
}

/* 1: the answer to what is in `out`; 0: nothing came; -1: it differs. */
static int
answer_wait(int fd, size_t len)
{
	const struct icmphdr *sent = (const void *)out;
	struct icmphdr h;
	size_t skip;
	ssize_t n;

	for (;;) {
		n = recv(fd, in, sizeof(in), 0);
		if (n < 0)
			return 0;
		skip = (size_t)(in[0] & 0xf) * 4;
		if ((size_t)n < skip + sizeof(h))
			continue;
		memcpy(&h, in + skip, sizeof(h));
		if (h.type != ICMP_ECHOREPLY || h.un.echo.id != sent->un.echo.id ||
		    h.un.echo.sequence != sent->un.echo.sequence)
			continue;
		return (size_t)n == skip + len &&
		       memcmp(in + skip + sizeof(h), out + sizeof(h), len - sizeof(h)) == 0 ?
		       1 : -1;
	}
}

int
main(int argc, char **argv)
{
	struct timeval tv = { .tv_sec = 3 };
	struct sockaddr_in to = { .sin_family = AF_INET };
	unsigned int sent = 0, lost = 0, wrong = 0;
	int fd, size, first, last, step, try, got;
	uint16_t seq = 0;
	size_t len;

	if (argc < 5 || argc > 6 || inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 ||
	    (first = atoi(argv[2])) < 0 || (last = atoi(argv[3])) > SIZE_MAX_PING ||
	    (step = atoi(argv[4])) < 1) {
		fprintf(stderr, "usage: ping_sizes ADDRESS FIRST LAST STEP [MILLISECONDS]\n");
		return 2;
	}
	if (argc == 6)
		tv = (struct timeval){ atoi(argv[5]) / 1000, atoi(argv[5]) % 1000 * 1000 };
	fd = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
	if (fd < 0) {
		printf("socket: %s\n", strerror(errno));
		return 1;
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	for (size = first; size <= last; size += step) {
		sent++;
		for (try = 0, got = 0; try < TRIES && got == 0; try++) {
			len = request_make(0x721, ++seq, (size_t)size);
			if (sendto(fd, out, len, 0, (struct sockaddr *)&to, sizeof(to)) < 0) {
				printf("size %d: %s\n", size, strerror(errno));
				return 1;
			}
			got = answer_wait(fd, len);
		}
		if (got > 0 && try == 1)
			continue;
		if (got > 0)
			printf("size %d came at the second try\n", size);
		else
			printf("size %d %s\n", size, got == 0 ? "is lost" : "differs");
		lost += got == 0;
		wrong += got < 0;
	}
	printf("%u sent, %u lost, %u wrong\n", sent, lost, wrong);
	return lost != 0 || wrong != 0;
}
