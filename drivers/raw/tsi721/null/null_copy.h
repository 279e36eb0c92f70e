/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_COPY_H
#define NULL_COPY_H

/*
 * The copy that a DMA engine makes. Bytes are stored in ascending order, as
 * packets arrive: who polls the end of a record finds what comes before it. What
 * overlaps is copied somehow, as by hardware, but nothing outside is touched.
 * The C library's copy is slower for some sizes, by a fifth on some processors.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "null_internal.h"

typedef uint64_t null_vec16 __attribute__((vector_size(16), aligned(1), may_alias));

static inline void
null_copy_64(uint8_t *dst, const uint8_t *src)
{
	const null_vec16 *s = (const null_vec16 *)src;
	null_vec16 *d = (null_vec16 *)dst, a = s[0], b = s[1], c = s[2], e = s[3];

	d[0] = a;
	d[1] = b;
	d[2] = c;
	d[3] = e;
}

static inline void
null_copy_tail(uint8_t *dst, const uint8_t *src, uint64_t len)
{
	for (; len >= 16; dst += 16, src += 16, len -= 16) {
		*(null_vec16 *)dst = *(const null_vec16 *)src;
		null_wmb();
	}
	if ((len & 8) != 0) {
		memcpy(dst, src, 8);
		dst += 8;
		src += 8;
		null_wmb();
	}
	if ((len & 4) != 0) {
		memcpy(dst, src, 4);
		dst += 4;
		src += 4;
		null_wmb();
	}
	for (len &= 3; len > 0; len--)
		*dst++ = *src++;
}

/* The line will be written: have it here, and no longer with who polls it. */
static inline void
null_prefetch_write(const void *p)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
#else
	__builtin_prefetch(p, 1);
#endif
}

/* How far ahead of the copy. */
#define NULL_COPY_AHEAD	512u

/*
 * With registers of 32 bytes, where the processor has them: whole multiples of 64; how much
 * was copied. Worth a call from NULL_COPY_WIDE on.
 */
#define NULL_COPY_WIDE		256u
#if defined(__x86_64__)
extern bool null_copy_has_wide;
uint64_t null_copy_wide(uint8_t *dst, const uint8_t *src, uint64_t len);
#else
#define null_copy_has_wide	false
#define null_copy_wide(dst, src, len)	((void)(dst), (void)(src), (uint64_t)0)
#endif

static inline void
null_copy(uint8_t *dst, const uint8_t *src, uint64_t len)
{
	uint64_t i;

	for (i = 64; i < len && i <= NULL_COPY_AHEAD; i += 64)
		null_prefetch_write(dst + i);
	if (len >= NULL_COPY_WIDE && null_copy_has_wide) {
		i = null_copy_wide(dst, src, len);
		dst += i;
		src += i;
		len -= i;
	}
	for (; len >= 64; dst += 64, src += 64, len -= 64) {
		if (len > NULL_COPY_AHEAD)
			null_prefetch_write(dst + NULL_COPY_AHEAD);
		null_copy_64(dst, src);
		null_wmb();
	}
	if (len > 0)
		null_copy_tail(dst, src, len);
}

#endif /* NULL_COPY_H */
