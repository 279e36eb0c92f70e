/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_BASE_H
#define NULL_BASE_H

/* What every file of the null device uses. */

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>

#define NULL_CACHE_LINE		64

#define null_container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))
#define null_likely(x)		__builtin_expect(!!(x), 1)
#define null_unlikely(x)	__builtin_expect(!!(x), 0)

/*
 * A lock in shared memory. Low half: 0 free, else owner's process slot + 1.
 * High half: how often it was released, so that one who waits for an engine to
 * have left sees that it did, even if it was taken again at once.
 */
struct null_lock {
	_Atomic uint32_t word;
};
#define NULL_LOCK_OWNER		0x0000ffffu
#define NULL_LOCK_COUNT_ONE	0x00010000u

static inline uint64_t
null_u64(uint32_t hi, uint32_t lo)
{
	return (uint64_t)hi << 32 | lo;
}

/* Bus memory is little-endian; registers and descriptors' words are handled in host order. */
static inline uint32_t
null_le32(uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap32(v);
#else
	return v;
#endif
}

static inline uint64_t
null_le64(uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64(v);
#else
	return v;
#endif
}

static inline void
null_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" : : : "memory");
#endif
}

/* Order a store to bus memory after those before it, as posted writes are. */
static inline void
null_wmb(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("" : : : "memory");
#else
	__atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

uint64_t null_now_ns(void);

#endif /* NULL_BASE_H */
