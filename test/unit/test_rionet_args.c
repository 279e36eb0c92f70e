/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Device arguments: what is read, and the one line that says what is wrong. */

#include <errno.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rionet_args.h"

static struct rionet_args args;
static char err[512];

static void
good(const char *params)
{
	assert_int_equal(rionet_args_parse(params, &args, err, sizeof(err)), 0);
	assert_string_equal(err, "");
}

/* Refused, with a line that holds both words. */
static void
bad(const char *params, const char *what, const char *allowed)
{
	assert_int_equal(rionet_args_parse(params, &args, err, sizeof(err)), -EINVAL);
	if (strstr(err, what) == NULL || strstr(err, allowed) == NULL)
		fail_msg("%s: \"%s\" lacks \"%s\" or \"%s\"", params, err, what, allowed);
	assert_null(strchr(err, '\n'));
}

static void
test_none(void **state)
{
	(void)state;
	good(NULL);
	good("");
	assert_string_equal(args.raw, "");
	assert_string_equal(args.null_args, "");
	assert_int_equal(args.unknown, RIONET_UNKNOWN_FLOOD);
	assert_int_equal(args.nb_ranges, 0);
}

static void
test_raw(void **state)
{
	char longest[80] = "raw=";

	(void)state;
	good("raw=0000:01:00.0");
	assert_string_equal(args.raw, "0000:01:00.0");
	bad("raw=", "raw=", "1 to 63");
	bad("raw", "raw=", "1 to 63");
	memset(longest + 4, 'x', 63);
	good(longest);
	longest[67] = 'x';
	bad(longest, "raw=xxx", "1 to 63");
	bad("raw=a,raw=b", "raw", "more than once");
}

static void
test_mode(void **state)
{
	(void)state;
	good("mode=auto");
	good("mode=msg");
	assert_int_equal(args.mode, RIONET_MODE_MSG);
	good("mode=dma");
	assert_int_equal(args.mode, RIONET_MODE_DMA);
	good("");
	assert_int_equal(args.mode, RIONET_MODE_AUTO);
	bad("mode=pio", "mode=pio: not built yet", "auto, msg, dma");
	bad("mode=pigeon", "mode=pigeon: unknown", "auto, msg, dma");
	bad("mode=", "mode=: unknown", "auto, msg, dma");
}

static void
test_rx(void **state)
{
	(void)state;
	good("");
	assert_int_equal(args.rx, RIONET_RX_AUTO);
	good("rx=copy");
	assert_int_equal(args.rx, RIONET_RX_COPY);
	good("rx=zc");
	assert_int_equal(args.rx, RIONET_RX_ZC);
	good("rx=auto");
	assert_int_equal(args.rx, RIONET_RX_AUTO);
	bad("rx=", "rx=:", "auto, copy, zc");
	bad("rx=fast", "rx=fast:", "auto, copy, zc");
}

static void
test_region(void **state)
{
	(void)state;
	good("");
	assert_int_equal(args.region, 32 << 20);
	good("region=1");
	assert_int_equal(args.region, 1 << 20);
	good("region=1024");
	assert_int_equal(args.region, 1 << 30);
	bad("region=0", "region=0:", "1 to 1024");
	bad("region=3", "region=3:", "power of two");
	bad("region=2048", "region=2048:", "1 to 1024");
	bad("region=", "region=:", "1 to 1024");
	bad("region=-1", "region=-1:", "1 to 1024");
	bad("region=1M", "region=1M:", "1 to 1024");
}

static void
test_ageing(void **state)
{
	(void)state;
	good("");
	assert_int_equal(args.ageing, 300);
	good("ageing=0");
	assert_int_equal(args.ageing, 0);
	good("ageing=1000000");
	assert_int_equal(args.ageing, 1000000);
	bad("ageing=1000001", "ageing=1000001", "0 to 1000000");
	bad("ageing=", "ageing=", "0 to 1000000");
	bad("ageing=-1", "ageing=-1", "0 to 1000000");
	bad("ageing=5s", "ageing=5s", "0 to 1000000");
}

static void
test_unknown(void **state)
{
	(void)state;
	good("unknown=drop");
	assert_int_equal(args.unknown, RIONET_UNKNOWN_DROP);
	good("unknown=flood");
	assert_int_equal(args.unknown, RIONET_UNKNOWN_FLOOD);
	good("unknown=0x10");
	assert_int_equal(args.unknown, RIONET_UNKNOWN_PEER);
	assert_int_equal(args.unknown_destid, 16);
	good("unknown=65535");
	assert_int_equal(args.unknown_destid, 65535);
	bad("unknown=65536", "unknown=65536", "0 to 65535");
	bad("unknown=-1", "unknown=-1", "flood, drop");
	bad("unknown=7x", "unknown=7x", "flood, drop");
	bad("unknown=", "unknown=", "flood, drop");
	bad("unknown=99999999999999999999", "unknown=9999", "0 to 65535");
}

static void
check_range(unsigned int n, uint16_t first, uint16_t last)
{
	assert_true(n < args.nb_ranges);
	assert_int_equal(args.ranges[n].first, first);
	assert_int_equal(args.ranges[n].last, last);
}

static void
test_peers(void **state)
{
	static const char *const bads[] = {
		"peers=", "peers=[]", "peers=[1", "peers=1]", "peers=[1]2", "peers=3-1",
		"peers=1-", "peers=-1", "peers=a", "peers=[1,,2]", "peers=65536", "peers=1-2-3",
		"peers=1 ", "peers=0-65536",
	};
	char many[300] = "peers=[0";
	unsigned int i;

	(void)state;
	good("peers=7");
	assert_int_equal(args.nb_ranges, 1);
	check_range(0, 7, 7);
	good("peers=0-65535");
	check_range(0, 0, 65535);
	good("peers=[1,3-5,0x20]");
	assert_int_equal(args.nb_ranges, 3);
	check_range(0, 1, 1);
	check_range(1, 3, 5);
	check_range(2, 32, 32);
	for (i = 0; i < sizeof(bads) / sizeof(bads[0]); i++)
		bad(bads[i], "peers=", "[N,N-M,...]");
	for (i = 1; i < RIONET_PEER_RANGES_MAX; i++)
		strcat(many, ",0");
	strcat(many, "]");
	good(many);
	assert_int_equal(args.nb_ranges, RIONET_PEER_RANGES_MAX);
	strcpy(strrchr(many, ']'), ",0]");
	bad(many, "peers=", "more than 32");
}

static void
test_null_device(void **state)
{
	char params[700] = "node=";

	(void)state;
	good("fabric=f,mode=msg,destid=5,link=5.0x4");
	assert_string_equal(args.null_args, "fabric=f,destid=5,link=5.0x4");
	bad("raw=r,destid=5", "destid=5", "raw device r");
	bad("destid=5,destid=6", "destid", "more than once");
	memset(params + 5, 'n', 600);
	bad(params, "node=nnn", "too many characters");
}

static void
test_unknown_key(void **state)
{
	(void)state;
	bad("colour=red", "colour", "raw mode unknown peers ageing region rx fabric");
	bad("Mode=msg", "Mode", "hdid");
	bad("=5", "unknown argument", "raw");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_mode),
		cmocka_unit_test(test_ageing),
		cmocka_unit_test(test_rx),
		cmocka_unit_test(test_region),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_peers),
		cmocka_unit_test(test_null_device),
		cmocka_unit_test(test_unknown_key),
	};

	return cmocka_run_group_tests_name("rionet_args", tests, NULL, NULL);
}
