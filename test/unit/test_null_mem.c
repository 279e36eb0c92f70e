/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* Maps of bus memory, and the locks. */

#include <errno.h>
#include <stdlib.h>

#include "null_rig.h"

#define AT	0x5000000000ull

static uint8_t *
at(struct rig_dev *d, uint64_t iova, uint64_t len)
{
	return null_mem(d->dev->fab, d->dev->ep, iova, len);
}

static void
maps(void **state)
{
	struct rig_dev *d = &((struct rig *)*state)->d[0];
	uint8_t *m = d->mem;
	struct null_device *dev = d->dev;

	assert_int_equal(null_device_dma_map(dev, AT, 0, m, -1, 0), -EINVAL);
	assert_int_equal(null_device_dma_map(dev, AT, 16, NULL, -1, 0), -EINVAL);
	assert_int_equal(null_device_dma_map(dev, UINT64_MAX - 4, 16, m, -1, 0), -EINVAL);
	assert_int_equal(null_device_dma_map(dev, UINT64_MAX - 63, 64, m, -1, 0), -EINVAL);
	assert_int_equal(null_device_dma_map(dev, AT + 32, 64, m, -1, 0), -EINVAL);

	/* Neighbours merge when they are neighbours in the process too. */
	assert_int_equal(null_device_dma_map(dev, AT + 0x2000, 0x1000, m + 0x2000, -1, 0), 0);
	assert_int_equal(null_device_dma_map(dev, AT, 0x1000, m, -1, 0), 0);
	assert_null(at(d, AT + 0xfff, 2));
	assert_int_equal(null_device_dma_map(dev, AT + 0x1000, 0x1000, m + 0x1000, -1, 0), 0);
	assert_ptr_equal(at(d, AT, 0x3000), m);
	assert_int_equal(null_device_dma_map(dev, AT + 0x3000, 0x1000, m + 0x4000, -1, 0), 0);
	assert_null(at(d, AT, 0x3001));
	assert_ptr_equal(at(d, AT + 0x3000, 0x1000), m + 0x4000);
	assert_null(at(d, AT - 1, 1));
	assert_null(at(d, AT - 1, 2));
	assert_null(at(d, AT + 0x4000, 1));
	assert_null(at(d, AT, UINT64_MAX));

	/* Overlaps of any kind. */
	assert_int_equal(null_device_dma_map(dev, AT, 0x1000, m, -1, 0), -EEXIST);
	assert_int_equal(null_device_dma_map(dev, AT - 64, 65, m, -1, 0), -EEXIST);
	assert_int_equal(null_device_dma_map(dev, AT + 0x3fc0, 128, m, -1, 0), -EEXIST);
	assert_int_equal(null_device_dma_map(dev, AT + 0x40, 0x10, m, -1, 0), -EEXIST);
	assert_int_equal(null_device_dma_map(dev, AT - 0x1000, 0x10000, m, -1, 0), -EEXIST);

	/* One map is undone, not a part of one, and splits what was merged. */
	assert_int_equal(null_device_dma_unmap(dev, AT, 0x3000), -ENOENT);
	assert_int_equal(null_device_dma_unmap(dev, AT + 0x1000, 0x800), -ENOENT);
	assert_int_equal(null_device_dma_unmap(dev, AT + 0x1000, 0x1000), 0);
	assert_int_equal(null_device_dma_unmap(dev, AT + 0x1000, 0x1000), -ENOENT);
	assert_ptr_equal(at(d, AT, 0x1000), m);
	assert_null(at(d, AT, 0x1001));
	assert_null(at(d, AT + 0x1fff, 1));
	assert_ptr_equal(at(d, AT + 0x2000, 0x1000), m + 0x2000);
	/* The other device has none of it. */
	assert_null(at(&((struct rig *)*state)->d[1], AT, 1));
}

static void
many(void **state)
{
	struct rig_dev *d = &((struct rig *)*state)->d[0];
	unsigned int i;

	/* Not neighbours, mapped in an order of their own. */
	for (i = 0; i < 512; i++) {
		unsigned int n = i * 37 % 512;

		assert_int_equal(null_device_dma_map(d->dev, AT + n * 0x2000ull, 0x1000,
						     d->mem + n * 0x1000, -1, 0), 0);
	}
	for (i = 0; i < 512; i++) {
		assert_ptr_equal(at(d, AT + i * 0x2000ull + 5, 0x1000 - 5), d->mem + i * 0x1000 + 5);
		assert_null(at(d, AT + i * 0x2000ull + 0x1000, 1));
	}
	for (i = 0; i < 512; i += 2)
		assert_int_equal(null_device_dma_unmap(d->dev, AT + i * 0x2000ull, 0x1000), 0);
	for (i = 0; i < 512; i++)
		assert_int_equal(at(d, AT + i * 0x2000ull, 1) != NULL, i % 2);
}

static void
cache(void **state)
{
	struct rig *rig = *state;
	struct rig_dev *d = &rig->d[0];
	struct null_engine *eng = calloc(1, sizeof(*eng));
	unsigned int i, round;

	assert_non_null(eng);
	null_engine_flush(eng);
	/* More granules than it has entries, of two endpoints. */
	for (i = 0; i < 200; i++) {
		struct rig_dev *o = &rig->d[i % 2];

		assert_int_equal(null_device_dma_map(o->dev, AT + ((uint64_t)i << 20), 0x1000,
						     o->mem + i * 0x2000, -1, 0), 0);
	}
	for (round = 0; round < 3; round++)
		for (i = 0; i < 200; i++) {
			struct rig_dev *o = &rig->d[i % 2], *n = &rig->d[1 - i % 2];
			uint64_t iova = AT + ((uint64_t)i << 20);

			null_engine_check(d->dev, eng);
			assert_ptr_equal(null_tlb_mem(d->dev, eng, o->dev->ep, iova + 8, 0xff8),
					 o->mem + i * 0x2000 + 8);
			assert_null(null_tlb_mem(d->dev, eng, o->dev->ep, iova + 8, 0xff9));
			assert_null(null_tlb_mem(d->dev, eng, n->dev->ep, iova, 1));
		}
	/* What was unmapped is not found by an old entry. */
	assert_int_equal(null_device_dma_unmap(d->dev, AT, 0x1000), 0);
	null_engine_check(d->dev, eng);
	assert_null(null_tlb_mem(d->dev, eng, d->dev->ep, AT, 8));
	free(eng);
}

/* ---- locks ---- */

#define THREADS	4u
#define ROUNDS	20000u

struct count {
	struct null_fabric *fab;
	struct null_lock lock;
	uint32_t n, got;	/* under the lock */
	_Atomic uint32_t refused;
};

static void *
worker_wait(void *arg)
{
	struct count *c = arg;
	bool stolen;
	uint32_t i;

	for (i = 0; i < ROUNDS; i++) {
		if (i % 3 == 0) {
			if (!null_lock_try(c->fab, &c->lock, &stolen)) {
				atomic_fetch_add(&c->refused, 1);
				continue;
			}
		} else if (!null_lock_wait(c->fab, &c->lock, &stolen)) {
			return (void *)1;
		}
		c->n++;
		null_lock_release(c->fab, &c->lock);
	}
	return NULL;
}

static void
lock_excludes(void **state)
{
	struct count c = { .fab = ((struct rig *)*state)->d[0].dev->fab };
	pthread_t t[THREADS];
	uint64_t until = 0;
	void *failed;
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&t[i], NULL, worker_wait, &c), 0);
	for (i = 0; i < 100; i++)
		assert_true(null_lock_passed(c.fab, &c.lock, &until));
	for (i = 0; i < THREADS; i++) {
		pthread_join(t[i], &failed);
		assert_null(failed);
	}
	assert_int_equal(c.n + atomic_load(&c.refused), THREADS * ROUNDS);
}

static void
lock_words(void **state)
{
	struct null_fabric *fab = ((struct rig *)*state)->d[0].dev->fab;
	struct null_lock l = { 0 };
	uint64_t until = 0;
	bool stolen = true;

	assert_true(null_lock_once(fab, &l));
	assert_int_equal(atomic_load(&l.word) & NULL_LOCK_OWNER, fab->proc + 1);
	assert_false(null_lock_once(fab, &l));
	assert_false(null_lock_try(fab, &l, &stolen));
	assert_false(stolen);
	null_lock_release(fab, &l);
	assert_int_equal(atomic_load(&l.word), NULL_LOCK_COUNT_ONE);
	assert_true(null_lock_passed(fab, &l, &until));

	/* An owner that is dead: taken over, and the taker knows. */
	atomic_store(&l.word, 77 + 1);
	assert_true(null_lock_try(fab, &l, &stolen));
	assert_true(stolen);
	null_lock_release(fab, &l);
	atomic_store(&l.word, 77 + 1);
	assert_true(null_lock_wait(fab, &l, &stolen));
	assert_true(stolen);
	null_lock_release(fab, &l);
	atomic_store(&l.word, 77 + 1);
	assert_true(null_lock_passed(fab, &l, &until));
	assert_true(null_lock_once(fab, &l));
	null_lock_release(fab, &l);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rig_setup2, rig_teardown)
	const struct CMUnitTest tests[] = {
		T(maps), T(many), T(cache), T(lock_excludes), T(lock_words),
	};

	return cmocka_run_group_tests_name("null_mem", tests, NULL, NULL);
}
