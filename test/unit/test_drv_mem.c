/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <rte_dev.h>
#include <rte_bus_vdev.h>
#include <rte_memzone.h>
#include <rte_rawdev.h>

#include "drv_rig.h"
#include "tsi721_bdma.h"
#include "tsi721_mem.h"
#include "tsi721_window.h"

#define PAGE	4096u

/* A fake of the device: what is mapped, and after how many maps it has no room. */
static struct fake {
	struct tsi721_mem_area area[64];
	unsigned int nb, room;
} fake;

static int
fake_map(void *ctx, const struct tsi721_mem_area *area)
{
	struct fake *f = ctx;

	if (f->nb == f->room)
		return -ENOSPC;
	f->area[f->nb++] = *area;
	return 0;
}

static int
fake_unmap(void *ctx, const struct tsi721_mem_area *area)
{
	struct fake *f = ctx;
	unsigned int i;

	for (i = 0; i < f->nb; i++)
		if (f->area[i].iova == area->iova && f->area[i].len == area->len) {
			f->area[i] = f->area[--f->nb];
			return 0;
		}
	return -ENOENT;
}

static const struct tsi721_mem_ops fake_ops = { .map = fake_map, .unmap = fake_unmap };

static int
check_segment(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	unsigned int i, found = 0;

	(void)msl;
	(void)arg;
	for (i = 0; i < fake.nb; i++) {
		const struct tsi721_mem_area *a = &fake.area[i];

		if (ms->iova >= a->iova && ms->iova + ms->len <= a->iova + a->len) {
			assert_ptr_equal((uint8_t *)a->va + (ms->iova - a->iova), ms->addr);
			found++;
		}
	}
	assert_int_equal(found, 1);
	return 0;
}

static void
all_memory(void **state)
{
	struct tsi721_mem mem;

	(void)state;
	fake = (struct fake){ .room = 64 };
	assert_int_equal(tsi721_mem_init(&mem, "fake", &fake_ops, &fake), 0);
	assert_int_equal(rte_memseg_walk(check_segment, NULL), 0);
	/* 256 MiB of pages of 4 KiB, one behind the other in one file: one area. */
	assert_int_equal(fake.nb, 1);
	assert_true(fake.area[0].len >= 256u << 20);
	/* The file behind it: what is written there is what it maps. */
	if (fake.area[0].fd >= 0) {
		const struct rte_memzone *mz = rte_memzone_reserve("mem", PAGE, SOCKET_ID_ANY, 0);
		const volatile uint8_t *again = mmap(NULL, fake.area[0].len, PROT_READ, MAP_SHARED,
						     fake.area[0].fd, fake.area[0].fd_off);

		assert_ptr_not_equal(again, MAP_FAILED);
		*(volatile uint8_t *)mz->addr = 0x5a;
		assert_int_equal(again[mz->iova - fake.area[0].iova], 0x5a);
		*(volatile uint8_t *)mz->addr = 0xa5;
		assert_int_equal(again[mz->iova - fake.area[0].iova], 0xa5);
		munmap((void *)(uintptr_t)again, fake.area[0].len);
		rte_memzone_free(mz);
	} else {
		print_message("memory has no file here: not looked at\n");
	}
	tsi721_mem_fini(&mem);
	assert_int_equal(fake.nb, 0);
}

static void
no_room(void **state)
{
	struct tsi721_mem mem;

	(void)state;
	fake = (struct fake){ .room = 0 };
	rig_log_lines();
	assert_int_equal(tsi721_mem_init(&mem, "fake", &fake_ops, &fake), -ENOSPC);
	assert_int_equal(rig_log_lines(), 1);
	assert_int_equal(fake.nb, 0);
}

static void
added_by_hand(void **state)
{
	struct tsi721_mem mem;
	uint8_t *va = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			   0);

	(void)state;
	assert_ptr_not_equal(va, MAP_FAILED);
	fake = (struct fake){ .room = 64 };
	assert_int_equal(tsi721_mem_init(&mem, "fake", &fake_ops, &fake), 0);
	assert_int_equal(tsi721_mem_add(&mem, va, 0x1000, 4 * PAGE), 0);
	assert_int_equal(fake.nb, 2);
	/* Known already, whole or in part: no second map. */
	assert_int_equal(tsi721_mem_add(&mem, va, 0x1000, 4 * PAGE), 0);
	assert_int_equal(tsi721_mem_add(&mem, va + PAGE, 0x2000, PAGE), 0);
	assert_int_equal(tsi721_mem_add(&mem, mem.areas[0].va, mem.areas[0].iova, PAGE), 0);
	assert_int_equal(fake.nb, 2);
	assert_int_equal(tsi721_mem_del(&mem, va, 0x1000, 4 * PAGE), 0);
	assert_int_equal(fake.nb, 1);
	/* What the EAL gave stays. */
	assert_int_equal(tsi721_mem_del(&mem, mem.areas[0].va, mem.areas[0].iova, PAGE), 0);
	assert_int_equal(fake.nb, 1);
	fake.room = 1;
	assert_int_equal(tsi721_mem_add(&mem, va, 0x1000, PAGE), -ENOSPC);
	tsi721_mem_fini(&mem);
	assert_int_equal(fake.nb, 0);
	munmap(va, 4 * PAGE);
}

static int
dma(struct rig_dev *d, uint8_t rtype, rte_iova_t iova, uint64_t raddr)
{
	struct tsi721_bdma_req req = { .raddr = raddr, .destid = d->destid, .rtype = rtype };
	struct tsi721_bdma_seg seg = { iova, PAGE };
	struct tsi721_bdma *q;
	unsigned int tries = 0;
	void *cookie;
	int status;

	assert_int_equal(tsi721_bdma_open(d->dev, 0, 32, SOCKET_ID_ANY, &q), 0);
	assert_int_equal(tsi721_bdma_post(q, &req, &seg, 1, NULL), 0);
	tsi721_bdma_kick(q);
	while (tsi721_bdma_reap(q, &cookie, &status, 1) == 0)
		assert_true(tries++ < 100000);
	tsi721_bdma_close(q, NULL, NULL);
	return status;
}

/* An application's own memory, registered with the EAL and mapped for the device. */
static void
external_memory(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];
	struct rte_rawdev_info info = { 0 };
	uint8_t *va = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	rte_iova_t iova = (uintptr_t)va;

	assert_ptr_not_equal(va, MAP_FAILED);
	assert_int_equal(rte_rawdev_info_get(d->id, &info, 0), 0);
	assert_int_equal(tsi721_ibwin_open(d->dev, 0x100000000ull, d->iova, RIG_MEM_SIZE), 0);
	rig_fill(va, PAGE, 5);

	assert_int_equal(dma(d, TSI721_RTYPE_ALL_NWRITE_R, iova, 0x100000000ull), -EFAULT);
	assert_int_equal(rte_extmem_register(va, PAGE, &iova, 1, PAGE), 0);
	assert_int_equal(rte_dev_dma_map(info.device, va, iova, PAGE), 0);
	assert_int_equal(dma(d, TSI721_RTYPE_ALL_NWRITE_R, iova, 0x100000000ull), 0);
	assert_memory_equal(d->mem, va, PAGE);
	rig_fill(d->mem, PAGE, 6);
	assert_int_equal(dma(d, TSI721_RTYPE_NREAD, iova, 0x100000000ull), 0);
	assert_memory_equal(d->mem, va, PAGE);
	assert_int_equal(rte_dev_dma_unmap(info.device, va, iova, PAGE), 0);
	assert_int_equal(dma(d, TSI721_RTYPE_NREAD, iova, 0x100000000ull), -EFAULT);

	/* A device that comes later finds what is registered. */
	assert_int_equal(rte_vdev_init("raw_tsi7218", "fabric=default"), 0);
	struct rig_dev late = { .dev = tsi721_device_find("raw_tsi7218"), .destid = d->destid };

	assert_int_equal(dma(&late, TSI721_RTYPE_NREAD, iova, 0x100000000ull), 0);
	assert_int_equal(rte_vdev_uninit("raw_tsi7218"), 0);
	assert_int_equal(rte_extmem_unregister(va, PAGE), 0);
	assert_int_equal(tsi721_ibwin_close(d->dev, 0), 0);
	munmap(va, PAGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_memory),
		cmocka_unit_test(no_room),
		cmocka_unit_test(added_by_hand),
		cmocka_unit_test_setup_teardown(external_memory, rig_setup1, rig_teardown),
	};

	return cmocka_run_group_tests_name("drv_mem", tests, rig_eal, NULL);
}
