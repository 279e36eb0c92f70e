/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Running a device's engines: in the caller, or with exec=thread in a thread
 * of the device, which register writes only wake. It spins for a while before
 * it sleeps, so that a burst that follows soon costs no system call.
 */

#include <errno.h>
#include <sched.h>
#include <time.h>

#include "null_internal.h"

#define SPINS		2000u
#define RETRY_NS	50000	/* how soon the thread tries again what was answered with RETRY */

static void
engines_run(struct null_device *dev, uint32_t bits)
{
	uint32_t bit;

	if ((bits & NULL_RETRY_ODB) != 0)
		null_odb_run(dev);
	for (bits &= ~NULL_RETRY_ODB; bits != 0; bits &= bits - 1) {
		bit = (uint32_t)__builtin_ctz(bits);
		if (bit < TSI721_OMSG_NUM)
			null_omsg_run(dev, bit);
		else
			null_bdma_run(dev, bit - NULL_RETRY_BDMA_SHIFT);
	}
}

void
null_engine_start(struct null_device *dev, uint32_t bits)
{
	struct null_thread *t = &dev->thread;

	if (dev->exec == NULL_EXEC_INLINE) {
		engines_run(dev, bits);
		return;
	}
	atomic_fetch_or(&t->work, bits);
	if (atomic_load(&t->sleeping)) {
		pthread_mutex_lock(&t->lock);
		pthread_cond_signal(&t->wake);
		pthread_mutex_unlock(&t->lock);
	}
}

static void
thread_sleep(struct null_device *dev)
{
	struct null_thread *t = &dev->thread;
	struct timespec until;

	pthread_mutex_lock(&t->lock);
	atomic_store(&t->sleeping, true);
	/* Whoever gives work after this sees `sleeping`; what came before is seen here. */
	if (atomic_load(&t->work) == 0 && !atomic_load(&t->stop)) {
		if (atomic_load(&dev->retry) == 0) {
			pthread_cond_wait(&t->wake, &t->lock);
		} else {
			clock_gettime(CLOCK_MONOTONIC, &until);
			until.tv_nsec += RETRY_NS;
			until.tv_sec += until.tv_nsec / 1000000000;
			until.tv_nsec %= 1000000000;
			pthread_cond_timedwait(&t->wake, &t->lock, &until);
		}
	}
	atomic_store(&t->sleeping, false);
	pthread_mutex_unlock(&t->lock);
}

static void *
thread_main(void *arg)
{
	struct null_device *dev = arg;
	struct null_thread *t = &dev->thread;
	uint32_t bits, idle = 0;

	while (!atomic_load(&t->stop)) {
		bits = atomic_exchange(&t->work, 0);
		if (bits != 0) {
			engines_run(dev, bits);
			idle = 0;
		} else if (idle++ < SPINS) {
			null_relax();
		} else {
			thread_sleep(dev);
			bits = atomic_exchange(&dev->retry, 0);
			engines_run(dev, bits);
			idle = bits != 0 ? SPINS : 0;
		}
	}
	return NULL;
}

int
null_thread_start(struct null_device *dev)
{
	struct null_thread *t = &dev->thread;
	pthread_condattr_t attr;
	int ret;

	if (dev->exec == NULL_EXEC_INLINE)
		return 0;
	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->wake, &attr);
	pthread_condattr_destroy(&attr);
	ret = pthread_create(&t->thread, NULL, thread_main, dev);
	if (ret != 0) {
		pthread_mutex_destroy(&t->lock);
		pthread_cond_destroy(&t->wake);
		return -ret;
	}
	pthread_setname_np(t->thread, "null-device");
	return 0;
}

void
null_thread_stop(struct null_device *dev)
{
	struct null_thread *t = &dev->thread;

	if (dev->exec == NULL_EXEC_INLINE)
		return;
	pthread_mutex_lock(&t->lock);
	atomic_store(&t->stop, true);
	pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->wake);
}
