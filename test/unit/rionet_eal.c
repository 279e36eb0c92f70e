/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_eal.h>

#include "rionet_eal.h"

/* EAL makes a folder, and with these options keeps nothing in it. */
int
rionet_eal(void)
{
	char *argv[] = { "test", "--no-huge", "-m", "256", "--no-pci", "--no-shconf",
			 "--no-telemetry", "-l", "0", "--log-level=*:error",
			 "--log-level=pmd.net.rionet:notice" };
	char dir[] = "/tmp/rionet-test-XXXXXX", path[64];
	int ret;

	if (mkdtemp(dir) == NULL || setenv("RUNTIME_DIRECTORY", dir, 1) != 0)
		return -1;
	ret = rte_eal_init(RTE_DIM(argv), argv);
	snprintf(path, sizeof(path), "%s/dpdk/rte", dir);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/dpdk", dir);
	rmdir(path);
	return rmdir(dir) == 0 && ret >= 0 ? 0 : -1;
}
