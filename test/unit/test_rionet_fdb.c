/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Learned addresses, and the addresses' arithmetic. */

#include "rionet_proto.h"
#include "rionet_rig.h"

#define MAC(n)		(0x0000000000000002ull | (uint64_t)(n) << 8)

static int
setup(void **state)
{
	*state = rionet_fdb_create(SOCKET_ID_ANY);
	return *state == NULL;
}

static int
teardown(void **state)
{
	rionet_fdb_free(*state);
	return 0;
}

static void
test_learn(void **state)
{
	struct rionet_fdb *fdb = *state;
	struct rionet_fdb_stats stats;

	assert_int_equal(rionet_fdb_lookup(fdb, MAC(1)), -1);
	rionet_fdb_learn(fdb, MAC(1), 7);
	rionet_fdb_learn(fdb, MAC(2), 0xffff);
	rionet_fdb_learn(fdb, MAC(3), 0);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(1)), 7);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(2)), 0xffff);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(3)), 0);
	assert_int_equal(rionet_fdb_count(fdb), 3);

	rionet_fdb_learn(fdb, MAC(1), 8);
	rionet_fdb_learn(fdb, MAC(1), 8);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(1)), 8);
	assert_int_equal(rionet_fdb_count(fdb), 3);
	rionet_fdb_stats(fdb, &stats);
	assert_int_equal(stats.learned, 3);
	assert_int_equal(stats.moved, 1);
	assert_int_equal(stats.evicted, 0);

	rionet_fdb_flush(fdb);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(1)), -1);
	assert_int_equal(rionet_fdb_count(fdb), 0);
}

static void
test_not_learned(void **state)
{
	struct rionet_fdb *fdb = *state;

	rionet_fdb_learn(fdb, 0, 7);
	rionet_fdb_learn(fdb, RIONET_MAC_MASK, 7);
	rionet_fdb_learn(fdb, 0x01, 7);
	assert_int_equal(rionet_fdb_count(fdb), 0);
	assert_int_equal(rionet_fdb_lookup(fdb, 0), -1);
}

/* More addresses than fit: the table stays whole, and the newest are in it. */
static void
test_full(void **state)
{
	struct rionet_fdb *fdb = *state;
	struct rionet_fdb_stats stats;
	unsigned int i, found = 0;

	for (i = 0; i < 10 * RIONET_FDB_ENTRIES; i++) {
		rionet_fdb_learn(fdb, MAC(i), i);
		assert_int_equal(rionet_fdb_lookup(fdb, MAC(i)), i & 0xffff);
	}
	for (i = 0; i < 10 * RIONET_FDB_ENTRIES; i++) {
		int destid = rionet_fdb_lookup(fdb, MAC(i));

		if (destid < 0)
			continue;
		assert_int_equal(destid, i & 0xffff);
		found++;
	}
	assert_int_equal(found, rionet_fdb_count(fdb));
	assert_true(found > RIONET_FDB_ENTRIES * 9 / 10);
	rionet_fdb_stats(fdb, &stats);
	assert_int_equal(stats.learned, 10 * RIONET_FDB_ENTRIES);
	assert_int_equal(stats.evicted, stats.learned - found);
}

/* A table half full has lost hardly an address to another. */
static void
test_half_full(void **state)
{
	struct rionet_fdb *fdb = *state;
	unsigned int i, lost = 0;

	for (i = 0; i < RIONET_FDB_ENTRIES / 2; i++)
		rionet_fdb_learn(fdb, MAC(i), 1);
	for (i = 0; i < RIONET_FDB_ENTRIES / 2; i++)
		lost += rionet_fdb_lookup(fdb, MAC(i)) < 0;
	assert_true(lost < RIONET_FDB_ENTRIES / 100);
}

static void
test_ageing(void **state)
{
	struct rionet_fdb *fdb = *state;
	struct rionet_fdb_stats stats;

	rionet_fdb_age(fdb, 1000, 10);
	rionet_fdb_learn(fdb, MAC(1), 7);
	rionet_fdb_learn(fdb, MAC(2), 7);
	rionet_fdb_age(fdb, 1005, 10);
	rionet_fdb_learn(fdb, MAC(1), 7);
	rionet_fdb_learn(fdb, MAC(3), 7);
	rionet_fdb_age(fdb, 1010, 10);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(2)), 7);
	rionet_fdb_age(fdb, 1011, 10);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(2)), -1);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(1)), 7);
	/* One that moves is young. */
	rionet_fdb_learn(fdb, MAC(3), 8);
	rionet_fdb_age(fdb, 1016, 10);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(1)), -1);
	assert_int_equal(rionet_fdb_lookup(fdb, MAC(3)), 8);
	rionet_fdb_age(fdb, 5000, 0);
	assert_int_equal(rionet_fdb_count(fdb), 1);
	rionet_fdb_stats(fdb, &stats);
	assert_int_equal(stats.aged, 2);
}

static void
test_addresses(void **state)
{
	const uint8_t bytes[8] = { 0x00, 0x01, 0x00, 0x01, 0x12, 0x34, 0xff, 0xff };
	struct rte_ether_addr addr;
	uint64_t mac = rionet_mac48(bytes);

	(void)state;
	assert_true(rionet_mac_is_station(mac));
	assert_false(rionet_mac_is_group(mac));
	assert_int_equal(rionet_mac_destid(mac), 0x1234);
	assert_true(rionet_mac_of(0x1234) == mac);
	rionet_mac_to_addr(mac, &addr);
	assert_memory_equal(addr.addr_bytes, bytes, 6);
	assert_true(rionet_mac48_addr(&addr) == mac);
	assert_false(rionet_mac_is_station(mac ^ 1ull << 24));
	assert_true(rionet_mac_is_group(mac | 1));
	assert_int_equal(rionet_msg_len(14), 16);
	assert_int_equal(rionet_msg_len(16), 16);
	assert_int_equal(rionet_msg_len(4096), 4096);
}

static void
test_filter(void **state)
{
	struct rionet_filter filter = { .mac = rionet_mac_of(5) };

	(void)state;
	assert_true(rionet_filter_takes(&filter, rionet_mac_of(5)));
	assert_false(rionet_filter_takes(&filter, rionet_mac_of(6)));
	assert_true(rionet_filter_takes(&filter, RIONET_MAC_MASK));
	assert_false(rionet_filter_takes(&filter, 0x5e0001));
	filter.mc[0] = 0x5e0101;
	filter.mc[1] = 0x5e0001;
	filter.nb_mc = 2;
	assert_true(rionet_filter_takes(&filter, 0x5e0001));
	assert_false(rionet_filter_takes(&filter, 0x5e0201));
	filter.allmulticast = true;
	assert_true(rionet_filter_takes(&filter, 0x5e0201));
	assert_false(rionet_filter_takes(&filter, rionet_mac_of(6)));
	filter.promiscuous = true;
	assert_true(rionet_filter_takes(&filter, rionet_mac_of(6)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_learn, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_learned, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full, setup, teardown),
		cmocka_unit_test_setup_teardown(test_half_full, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ageing, setup, teardown),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_filter),
	};

	return cmocka_run_group_tests_name("rionet_fdb", tests, rig_eal, NULL);
}
