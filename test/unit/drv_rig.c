/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_log.h>
#include <rte_memzone.h>
#include <rte_rawdev.h>

#include "drv_rig.h"

#define RIG_REGS	(TSI721_BAR0_SIZE / 4)

unsigned int rig_reads, rig_writes;

static const struct tsi721_bus_ops *real_ops;
static bool held;
static struct {
	uint32_t written, give;
	unsigned int writes;
	bool given;
} *held_regs;
static FILE *log_file;
static char *log_text;
static size_t log_size, log_seen;

/* EAL makes a folder, and with these options keeps nothing in it. */
int
rig_eal_init(int argc, char **argv)
{
	char dir[] = "/tmp/raw-test-XXXXXX", path[64];
	int ret;

	if (mkdtemp(dir) == NULL || setenv("RUNTIME_DIRECTORY", dir, 1) != 0)
		return -1;
	ret = rte_eal_init(argc, argv);
	snprintf(path, sizeof(path), "%s/dpdk/rte", dir);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/dpdk", dir);
	rmdir(path);
	return rmdir(dir) == 0 ? ret : -1;
}

int
rig_eal(void **state)
{
	char *argv[] = { "test", "--no-huge", "-m", "256", "--no-pci", "--no-shconf",
			 "--no-telemetry", "-l", "0", "--log-level=error" };

	(void)state;
	if (rig_eal_init(RTE_DIM(argv), argv) < 0 || rte_eal_iova_mode() != RTE_IOVA_VA)
		return -1;
	held_regs = calloc(RIG_REGS, sizeof(*held_regs));
	log_file = open_memstream(&log_text, &log_size);
	return held_regs == NULL || log_file == NULL || rte_openlog_stream(log_file) != 0;
}

/* --- devices --- */

static uint32_t
rig_read32(void *bus, unsigned int bar, uint64_t off)
{
	rig_reads++;
	if (held && held_regs[off / 4].given)
		return held_regs[off / 4].give;
	return real_ops->read32(bus, bar, off);
}

static void
rig_write32(void *bus, unsigned int bar, uint64_t off, uint32_t val)
{
	rig_writes++;
	if (!held) {
		real_ops->write32(bus, bar, off, val);
		return;
	}
	held_regs[off / 4].written = val;
	held_regs[off / 4].writes++;
}

static void
rig_doorbell(void *bus, uint32_t off, uint16_t info)
{
	rig_writes++;
	real_ops->doorbell(bus, off, info);
}

static void
rig_win_read(void *bus, unsigned int bar, uint64_t off, void *buf, size_t len)
{
	real_ops->win_read(bus, bar, off, buf, len);
}

static void
rig_win_write(void *bus, unsigned int bar, uint64_t off, const void *buf, size_t len)
{
	real_ops->win_write(bus, bar, off, buf, len);
}

static const struct tsi721_bus_ops rig_ops = {
	.read32 = rig_read32,
	.write32 = rig_write32,
	.doorbell = rig_doorbell,
	.win_read = rig_win_read,
	.win_write = rig_win_write,
};

static void
rig_add(struct rig *rig)
{
	struct rig_dev *d = &rig->d[rig->nb];
	const struct rte_memzone *mz;
	char name[32], args[64];

	snprintf(name, sizeof(name), "raw_tsi721%u", rig->nb);
	snprintf(args, sizeof(args), "fabric=default,destid=%u", rig->nb);
	assert_int_equal(rte_vdev_init(name, args), 0);
	d->id = rte_rawdev_get_dev_id(name);
	d->dev = tsi721_device_find(name);
	assert_non_null(d->dev);
	d->destid = d->dev->destid;
	assert_int_equal(d->destid, rig->nb);
	mz = rte_memzone_reserve_aligned(name, RIG_MEM_SIZE, SOCKET_ID_ANY, 0, RIG_MEM_SIZE);
	assert_non_null(mz);
	d->mem = mz->addr;
	d->iova = mz->iova;
	memset(d->mem, 0, RIG_MEM_SIZE);
	real_ops = d->dev->ops;
	d->dev->ops = &rig_ops;
	rig->nb++;
}

static int
rig_setup(void **state, unsigned int nb)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	while (rig->nb < nb)
		rig_add(rig);
	*state = rig;
	rig_log_lines();
	return 0;
}

int
rig_setup1(void **state)
{
	return rig_setup(state, 1);
}

int
rig_setup2(void **state)
{
	return rig_setup(state, 2);
}

int
rig_setup3(void **state)
{
	return rig_setup(state, 3);
}

int
rig_teardown(void **state)
{
	struct rig *rig = *state;
	char name[32];

	held = false;
	while (rig->nb > 0) {
		snprintf(name, sizeof(name), "raw_tsi721%u", --rig->nb);
		if (rte_vdev_uninit(name) != 0)
			return -1;
		rte_memzone_free(rte_memzone_lookup(name));
	}
	free(rig);
	return 0;
}

void
rig_fill(void *mem, size_t len, uint32_t seed)
{
	uint8_t *p = mem;
	size_t i;

	for (i = 0; i < len; i++) {
		seed = seed * 1664525u + 1013904223u;
		p[i] = (uint8_t)(seed >> 24);
	}
}

void
rig_until(bool (*again)(void *arg), void *arg)
{
	uint64_t end = rte_get_timer_cycles() + 20 * rte_get_timer_hz();

	while (!again(arg)) {
		assert_true(rte_get_timer_cycles() < end);
		sched_yield();
	}
}

void
rig_hold(struct rig_dev *d)
{
	assert_ptr_equal(d->dev->ops, &rig_ops);
	memset(held_regs, 0, RIG_REGS * sizeof(*held_regs));
	held = true;
}

void
rig_let(struct rig_dev *d)
{
	(void)d;
	held = false;
}

uint32_t
rig_held(uint32_t off)
{
	assert_true(held_regs[off / 4].writes > 0);
	return held_regs[off / 4].written;
}

unsigned int
rig_held_count(uint32_t off)
{
	return held_regs[off / 4].writes;
}

void
rig_give(uint32_t off, uint32_t val)
{
	held_regs[off / 4].given = true;
	held_regs[off / 4].give = val;
}

unsigned int
rig_log_lines(void)
{
	unsigned int n = 0;

	fflush(log_file);
	for (; log_seen < log_size; log_seen++)
		n += log_text[log_seen] == '\n';
	return n;
}

const char *
rig_log_last(void)
{
	static char line[512];
	size_t end, begin;

	fflush(log_file);
	end = log_size;
	while (end > 0 && log_text[end - 1] == '\n')
		end--;
	begin = end;
	while (begin > 0 && log_text[begin - 1] != '\n')
		begin--;
	snprintf(line, sizeof(line), "%.*s", (int)(end - begin), log_text + begin);
	return line;
}
