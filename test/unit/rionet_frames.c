/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <string.h>
#include <netinet/in.h>

#include "rionet_frames.h"

static void
put16(uint8_t *b, unsigned int v)
{
	b[0] = v >> 8;
	b[1] = v;
}

static unsigned int
get16(const uint8_t *b)
{
	return b[0] << 8 | b[1];
}

static unsigned int
l4_headers(const struct flow *f)
{
	return f->proto == IPPROTO_TCP ? 20 : f->proto == IPPROTO_UDP ? 8 : 12;
}

uint16_t
flow_headers(const struct flow *f)
{
	return 14 + (f->vlan >= 0 ? 4 : 0) + (f->v6 ? 40 : 20) + l4_headers(f);
}

/* 66.9.149.187 to 161.142.100.80, and 3ffe:2501:200:1fff::7 to 3ffe:2501:200:3::1. */
static const uint8_t v4_addrs[8] = { 66, 9, 149, 187, 161, 142, 100, 80 };
static const uint8_t v6_addrs[32] = {
	0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x1f, 0xff, 0, 0, 0, 0, 0, 0, 0, 7,
	0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x00, 0x03, 0, 0, 0, 0, 0, 0, 0, 1,
};

static uint8_t *
write_ip(const struct flow *f, uint8_t *b)
{
	unsigned int len = l4_headers(f) + f->payload;

	if (f->v6) {
		b[0] = 0x60;
		put16(b + 4, len);
		b[6] = f->proto;
		b[7] = 64;
		memcpy(b + 8, v6_addrs, 32);
		return b + 40;
	}
	b[0] = 0x45;
	put16(b + 2, 20 + len);
	put16(b + 4, 0xfff0);
	b[8] = 64;
	b[9] = f->proto;
	memcpy(b + 12, v4_addrs, 8);
	return b + 20;
}

uint16_t
flow_write(const struct flow *f, const uint8_t dst[6], const uint8_t src[6], uint8_t *b)
{
	uint8_t *begin = b;
	unsigned int i;

	memset(b, 0, flow_headers(f));
	memcpy(b, dst, 6);
	memcpy(b + 6, src, 6);
	b += 12;
	if (f->vlan >= 0) {
		put16(b, 0x8100);
		put16(b + 2, f->vlan);
		b += 4;
	}
	put16(b, f->v6 ? 0x86dd : 0x0800);
	b = write_ip(f, b + 2);
	put16(b, f->sport);
	put16(b + 2, f->dport);
	if (f->proto == IPPROTO_TCP) {
		put16(b + 6, 0xfff0);	/* sequence number, about to pass 2^16 */
		b[12] = 0x50;
		b[13] = 0x99;		/* CWR, ACK, PSH, FIN */
	} else if (f->proto == IPPROTO_UDP) {
		put16(b + 4, 8 + f->payload);
	}
	b += l4_headers(f);
	for (i = 0; i < f->payload; i++)
		b[i] = f->seed + i;
	return b + f->payload - begin;
}

static uint32_t
sum(const uint8_t *b, unsigned int n, uint32_t s)
{
	for (; n > 1; n -= 2, b += 2)
		s += get16(b);
	if (n != 0)
		s += b[0] << 8;
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return s;
}

bool
flow_ip_ok(const uint8_t *b)
{
	return b[14] >> 4 != 4 || sum(b + 14, (b[14] & 15) * 4, 0) == 0xffff;
}

/* CRC32c, bit by bit. */
static uint32_t
crc32c(const uint8_t *b, unsigned int n, unsigned int hole)
{
	uint32_t crc = UINT32_MAX;
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		crc ^= i >= hole && i < hole + 4 ? 0 : b[i];
		for (k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

bool
flow_l4_ok(const uint8_t *b)
{
	const uint8_t *ip = b + 14, *l4;
	unsigned int len, proto;
	uint32_t s;

	if (ip[0] >> 4 == 4) {
		l4 = ip + (ip[0] & 15) * 4;
		len = get16(ip + 2) - (l4 - ip);
		proto = ip[9];
		s = sum(ip + 12, 8, proto + len);
	} else {
		l4 = ip + 40;
		len = get16(ip + 4);
		proto = ip[6];
		s = sum(ip + 8, 32, proto + len);
	}
	if (proto == IPPROTO_SCTP) {
		uint32_t crc = crc32c(l4, len, 8);

		return l4[8] == (crc & 0xff) && l4[9] == (crc >> 8 & 0xff) &&
		       l4[10] == (crc >> 16 & 0xff) && l4[11] == crc >> 24;
	}
	/* An UDP checksum of zero says that there is none. */
	if (proto == IPPROTO_UDP && get16(l4 + 6) == 0)
		return false;
	return sum(l4, len, s) == 0xffff;
}
