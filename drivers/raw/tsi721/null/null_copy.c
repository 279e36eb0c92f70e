/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include "null_copy.h"

#if defined(__x86_64__)

typedef uint64_t null_vec32 __attribute__((vector_size(32), aligned(1), may_alias));

bool null_copy_has_wide;

__attribute__((constructor)) static void
copy_probe(void)
{
	null_copy_has_wide = __builtin_cpu_supports("avx2") != 0;
}

__attribute__((target("avx2"))) uint64_t
null_copy_wide(uint8_t *dst, const uint8_t *src, uint64_t len)
{
	uint64_t at;

	for (at = 0; len - at >= 64; at += 64) {
		const null_vec32 *s = (const null_vec32 *)(src + at);
		null_vec32 *d = (null_vec32 *)(dst + at), a = s[0], b = s[1];

		if (len - at > NULL_COPY_AHEAD)
			null_prefetch_write(dst + at + NULL_COPY_AHEAD);
		d[0] = a;
		null_wmb();
		d[1] = b;
		null_wmb();
	}
	return at;
}

#endif
