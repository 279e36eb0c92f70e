/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "app_test.h"

#include "app_frame.h"

#define LENGTH 1514u

static const uint8_t dst[6] = {2, 0, 0, 0, 0, 1}, src[6] = {2, 0, 0, 0, 0, 2};

static uint8_t frame[9000] __attribute__((aligned(8)));

static struct app_frame_header
stream_5(void)
{
	struct app_frame_header header;

	app_frame_template(&header, dst, src, LENGTH, 5);
	return header;
}

/* Frame seq as it comes, `extra` zero bytes behind it. */
static void
take(struct app_flow *flow, uint64_t seq, size_t extra)
{
	struct app_frame_header header = stream_5();

	memset(frame, 0, sizeof(frame));
	app_frame_write(frame, &header, seq);
	if (app_flow_take(flow, frame, LENGTH + extra))
		app_flow_compare(flow, frame, LENGTH + extra);
}

static void
header_is_on_the_wire(void **state)
{
	struct app_frame_header header = stream_5();

	(void)state;
	app_frame_write(frame, &header, 0x0102030405060708u);
	assert_memory_equal(frame, dst, 6);
	assert_memory_equal(frame + 6, src, 6);
	assert_int_equal(frame[12], 0x88);
	assert_int_equal(frame[13], 0xb5);
}

static void
all_in_order(void **state)
{
	struct app_flow flow;

	(void)state;
	app_flow_start(&flow, 5, LENGTH);
	for (uint64_t seq = 0; seq < 1000; seq++)
		take(&flow, seq, seq % (APP_FRAME_PADDING + 1));
	assert_int_equal(flow.received, 1000);
	assert_int_equal(flow.whole, 16);
	assert_int_equal(flow.bad + flow.skipped + flow.late + flow.foreign, 0);
}

static void
lost_frames(void **state)
{
	struct app_flow flow;

	(void)state;
	app_flow_start(&flow, 5, LENGTH);
	take(&flow, 1, 0);
	take(&flow, 2, 0);
	take(&flow, 10, 0);
	assert_int_equal(flow.received, 3);
	assert_int_equal(flow.skipped, 8);
	assert_int_equal(flow.late, 0);
}

static void
reordered_and_duplicated(void **state)
{
	struct app_flow flow;

	(void)state;
	app_flow_start(&flow, 5, LENGTH);
	take(&flow, 1, 0);
	take(&flow, 0, 0);
	take(&flow, 2, 0);
	take(&flow, 2, 0);
	assert_int_equal(flow.received, 4);
	assert_int_equal(flow.skipped, 1);
	assert_int_equal(flow.late, 2);
	assert_int_equal(flow.next, 3);
}

static void
every_byte_of_a_whole_frame_counts(void **state)
{
	struct app_frame_header header = stream_5();

	(void)state;
	app_frame_write(frame, &header, 64);
	for (size_t i = sizeof(header); i < LENGTH; i++) {
		struct app_flow flow;

		app_flow_start(&flow, 5, LENGTH);
		flow.next = 64;
		frame[i] ^= 1u << i % 8;
		assert_true(app_flow_take(&flow, frame, LENGTH));
		app_flow_compare(&flow, frame, LENGTH);
		assert_int_equal(flow.bad, 1);
		frame[i] ^= 1u << i % 8;
	}
}

static void
every_length_is_filled(void **state)
{
	uint8_t payload[64];

	(void)state;
	for (size_t len = 0; len < sizeof(payload); len++) {
		memset(payload, 0xaa, sizeof(payload));
		app_frame_fill(payload, len, 5, 128);
		assert_int_equal(payload[len], 0xaa);
		assert_true(app_frame_is_filled(payload, len, 5, 128));
		if (len == 0)
			continue;
		payload[len - 1] ^= 0x80;
		assert_false(app_frame_is_filled(payload, len, 5, 128));
	}
}

static void
stale_contents_do_not_pass(void **state)
{
	struct app_frame_header header = stream_5();
	struct app_flow flow;

	(void)state;
	app_frame_write(frame, &header, 64);
	/* The header of a later frame in front of the contents of an earlier one. */
	header.seq = 128;
	memcpy(frame, &header, sizeof(header));
	app_flow_start(&flow, 5, LENGTH);
	flow.next = 128;
	assert_true(app_flow_take(&flow, frame, LENGTH));
	app_flow_compare(&flow, frame, LENGTH);
	assert_int_equal(flow.bad, 1);
	assert_false(app_frame_is_filled(frame + sizeof(header), LENGTH - sizeof(header), 4, 64));
}

static void
wrong_lengths(void **state)
{
	struct app_flow flow;

	(void)state;
	app_flow_start(&flow, 5, LENGTH - 1);
	take(&flow, 0, APP_FRAME_PADDING);
	assert_int_equal(flow.bad, 1);
	app_flow_start(&flow, 5, LENGTH + 1);
	take(&flow, 0, 0);
	assert_int_equal(flow.bad, 1);
	assert_int_equal(flow.received, 1);
}

static void
padding_must_be_zero(void **state)
{
	struct app_frame_header header = stream_5();
	struct app_flow flow;

	(void)state;
	memset(frame, 0, sizeof(frame));
	app_frame_write(frame, &header, 0);
	frame[LENGTH + 3] = 1;
	app_flow_start(&flow, 5, LENGTH);
	assert_true(app_flow_take(&flow, frame, LENGTH + 6));
	app_flow_compare(&flow, frame, LENGTH + 6);
	assert_int_equal(flow.bad, 1);
}

static void
foreign_frames(void **state)
{
	struct app_frame_header header = stream_5();
	struct app_flow flow;

	(void)state;
	app_frame_write(frame, &header, 0);
	app_flow_start(&flow, 6, LENGTH);
	assert_false(app_flow_take(&flow, frame, LENGTH));
	app_flow_start(&flow, 5, LENGTH);
	assert_false(app_flow_take(&flow, frame, sizeof(header) - 1));
	frame[13] ^= 1;
	assert_false(app_flow_take(&flow, frame, LENGTH));
	assert_int_equal(flow.foreign, 2);
	assert_int_equal(flow.received, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_is_on_the_wire),
		cmocka_unit_test(all_in_order),
		cmocka_unit_test(lost_frames),
		cmocka_unit_test(reordered_and_duplicated),
		cmocka_unit_test(every_byte_of_a_whole_frame_counts),
		cmocka_unit_test(every_length_is_filled),
		cmocka_unit_test(stale_contents_do_not_pass),
		cmocka_unit_test(wrong_lengths),
		cmocka_unit_test(padding_must_be_zero),
		cmocka_unit_test(foreign_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
