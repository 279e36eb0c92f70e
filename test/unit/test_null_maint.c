/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* CARs and CSRs, extended feature blocks, maintenance requests. */

#include "null_rig.h"

static void
identity(void **state)
{
	struct rig *rig = *state;
	uint32_t val = 0;

	assert_int_equal(rig_rd(&rig->d[0], RIO_DEV_ID_CAR), 0x80ab0038);
	assert_int_equal(rig_maint(&rig->d[0], false, 1, RIO_HOP_ENDPOINT, RIO_DEV_ID_CAR, &val), 0);
	assert_int_equal(val, 0x80ab0038);
	assert_int_equal(rig_maint(&rig->d[0], false, 1, 0, RIO_DEV_ID_CAR, &val), 0);
	assert_int_equal(val, 0x03740038);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(identity, rig_setup2, rig_teardown),
	};

	return cmocka_run_group_tests_name("null_maint", tests, NULL, NULL);
}
