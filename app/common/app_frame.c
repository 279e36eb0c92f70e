/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_frame.h"

void
app_frame_template(struct app_frame_header *header, const uint8_t dst[6], const uint8_t src[6],
		   uint16_t length, uint32_t stream)
{
	memset(header, 0, sizeof(*header));
	memcpy(header->dst, dst, sizeof(header->dst));
	memcpy(header->src, src, sizeof(header->src));
	header->type[0] = APP_FRAME_ETHERTYPE >> 8;
	header->type[1] = APP_FRAME_ETHERTYPE & 0xff;
	header->length = length;
	header->stream = stream;
}

/* Finalizer of splitmix64: neighbouring inputs give unlike outputs. */
static uint64_t
mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* Word k of the pattern is the first word plus k times this. */
#define STEP 0x9e3779b97f4a7c15u

static uint64_t
first_word(uint32_t stream, uint64_t seq)
{
	return mix(mix(stream) + seq);
}

void
app_frame_fill(uint8_t *payload, size_t len, uint32_t stream, uint64_t seq)
{
	uint64_t word = first_word(stream, seq);

	for (; len >= sizeof(word); len -= sizeof(word), payload += sizeof(word), word += STEP)
		memcpy(payload, &word, sizeof(word));
	memcpy(payload, &word, len);
}

bool
app_frame_is_filled(const uint8_t *payload, size_t len, uint32_t stream, uint64_t seq)
{
	uint64_t word = first_word(stream, seq), differs = 0, got;

	for (; len >= sizeof(word); len -= sizeof(word), payload += sizeof(word), word += STEP) {
		memcpy(&got, payload, sizeof(got));
		differs |= got ^ word;
	}
	return differs == 0 && memcmp(payload, &word, len) == 0;
}

void
app_flow_start(struct app_flow *flow, uint32_t stream, uint16_t length)
{
	memset(flow, 0, sizeof(*flow));
	flow->stream = stream;
	flow->length = length;
}

static bool
is_zero(const uint8_t *byte, size_t len)
{
	while (len > 0 && byte[len - 1] == 0)
		len--;
	return len == 0;
}

void
app_flow_compare(struct app_flow *flow, const uint8_t *frame, size_t len)
{
	struct app_frame_header header;
	const uint8_t *payload = frame + sizeof(header);
	size_t payload_len = flow->length - sizeof(header);

	memcpy(&header, frame, sizeof(header));
	flow->whole++;
	if (header.length != flow->length || len < flow->length ||
	    !app_frame_is_filled(payload, payload_len, header.stream, header.seq) ||
	    !is_zero(frame + flow->length, len - flow->length))
		flow->bad++;
}
