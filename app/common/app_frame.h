/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_FRAME_H
#define APP_FRAME_H

/*
 * Test frames and what a receiver learns from them. Every frame carries its
 * stream and a sequence number. Every APP_FRAME_WHOLE-th one also carries a
 * pattern made from both over all of its remaining bytes; those are compared byte
 * by byte. No two frames have the same pattern, so a stale buffer does not pass.
 *
 * Plain C, no DPDK. One owner a struct, not thread safe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define APP_FRAME_MIN 60u	 /* Ethernet's, without FCS */
#define APP_FRAME_WHOLE 64u	 /* one in so many frames is checked whole */
#define APP_FRAME_PADDING 7u	 /* zero bytes that may trail: a RapidIO message's padding */
#define APP_FRAME_ETHERTYPE 0x88b5u /* IEEE 802 local experimental ethertype 1 */

/* Start of a frame. Host byte order but for the ethertype: both ends are one host. */
struct app_frame_header {
	uint8_t dst[6];
	uint8_t src[6];
	uint8_t type[2];
	uint16_t length; /* of the frame, as sent, without FCS */
	uint32_t stream;
	uint32_t reserved;
	uint64_t seq; /* 0, 1, 2, ... */
};

_Static_assert(sizeof(struct app_frame_header) == 32, "the payload begins at an 8-byte boundary");

/* A template for the frames of a stream; length is APP_FRAME_MIN or more. */
void app_frame_template(struct app_frame_header *header, const uint8_t dst[6],
			const uint8_t src[6], uint16_t length, uint32_t stream);

/* Fill `len` bytes of payload with the pattern of a frame. */
void app_frame_fill(uint8_t *payload, size_t len, uint32_t stream, uint64_t seq);

/* Whether `len` bytes of payload are the pattern of a frame. */
bool app_frame_is_filled(const uint8_t *payload, size_t len, uint32_t stream, uint64_t seq);

static inline bool
app_frame_is_whole(uint64_t seq)
{
	return seq % APP_FRAME_WHOLE == 0;
}

/* Write frame seq, template->length bytes, to `frame` (8-byte aligned). */
static inline void
app_frame_write(uint8_t *frame, const struct app_frame_header *template, uint64_t seq)
{
	struct app_frame_header header = *template;

	header.seq = seq;
	memcpy(frame, &header, sizeof(header));
	if (app_frame_is_whole(seq))
		app_frame_fill(frame + sizeof(header), template->length - sizeof(header),
			       template->stream, seq);
}

/* What a receiver knows of one stream. */
struct app_flow {
	uint32_t stream;
	uint16_t length;   /* expected of each frame */
	uint64_t next;	   /* sequence number expected next */
	uint64_t received; /* frames of this stream, the late ones included */
	uint64_t skipped;  /* sequence numbers jumped over: lost, or late */
	uint64_t late;	   /* behind the expected one: reordered or duplicated */
	uint64_t whole;	   /* frames whose every byte was compared */
	uint64_t bad;	   /* wrong length, or wrong contents */
	uint64_t foreign;  /* not of this stream; otherwise ignored */
};

void app_flow_start(struct app_flow *flow, uint32_t stream, uint16_t length);

/* Compare all of a frame of `len` bytes; counts it in `whole`, and in `bad`. */
void app_flow_compare(struct app_flow *flow, const uint8_t *frame, size_t len);

/*
 * Account for a frame of `len` bytes by its first 32. Returns true when
 * app_flow_compare() has to look at all of it.
 */
static inline bool
app_flow_take(struct app_flow *flow, const void *start, size_t len)
{
	struct app_frame_header header;

	memcpy(&header, start, sizeof(header));
	if (len < sizeof(header) || header.stream != flow->stream ||
	    header.type[0] != APP_FRAME_ETHERTYPE >> 8 ||
	    header.type[1] != (APP_FRAME_ETHERTYPE & 0xff)) {
		flow->foreign++;
		return false;
	}
	flow->received++;
	if (header.seq == flow->next) {
		flow->next++;
	} else if (header.seq > flow->next) {
		flow->skipped += header.seq - flow->next;
		flow->next = header.seq + 1;
	} else {
		flow->late++;
	}
	if (len - flow->length > APP_FRAME_PADDING) {
		flow->bad++;
		return false;
	}
	return app_frame_is_whole(header.seq);
}

#endif
