/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef NULL_FAULT_H
#define NULL_FAULT_H

/*
 * Faults that a fabric can be given, as one says them in a topology file, a
 * device argument or to dpdk-rio-fabric. doc/guides/fabrics.rst has the list.
 *
 *	down			the link does not train
 *	lanes 0,2		these lanes carry no signal
 *	drop RATE		a packet is lost
 *	error RATE		a request is answered by an error response, and not done
 *	timeout RATE		a request is done and never answered
 *	corrupt RATE		a byte of a write's or message's data is changed
 *	retry RATE		a doorbell or message is answered with RETRY
 *	slow MICROSECONDS	one doorbell or message in that time, RETRY to the others
 *	stuck CHANNEL,...	bdma0..7, omsg0..7, odb: the engine does not go on
 *
 * RATE is 1/N (every N-th), P% (with that probability) or nothing (each one).
 * All but the last are faults of a link, which act on all that passes it in
 * either direction; `stuck` is one of an endpoint.
 */

#include <stddef.h>
#include <stdint.h>

enum null_fault_kind {
	NULL_FAULT_DOWN,
	NULL_FAULT_LANES,
	NULL_FAULT_DROP,
	NULL_FAULT_ERROR,
	NULL_FAULT_TIMEOUT,
	NULL_FAULT_CORRUPT,
	NULL_FAULT_RETRY,
	NULL_FAULT_SLOW,
	NULL_FAULT_LINK_KINDS,	/* how many kinds a link has */
	NULL_FAULT_STUCK = NULL_FAULT_LINK_KINDS,
	NULL_FAULT_KINDS
};

/*
 * arg: of rates every N-th, or with NULL_RATE_PROB set a probability in units of
 * 2^-31; of `lanes` and `stuck` a mask; of `slow` microseconds; of `down` 1.
 * 0 is no fault, whatever the kind.
 */
struct null_fault {
	enum null_fault_kind kind;
	uint32_t arg;
};
#define NULL_RATE_PROB		0x80000000u
#define NULL_FAULT_LANES_MAX	4u
#define NULL_FAULT_SLOW_MAX	10000000u	/* 10 seconds */
#define NULL_FAULT_TEXT_LEN	160u		/* enough for every fault's text */

/* Bits of `stuck`. */
#define NULL_STUCK_BDMA(ch)	(1u << (ch))
#define NULL_STUCK_OMSG(ch)	(1u << (8 + (ch)))
#define NULL_STUCK_ODB		(1u << 16)

/** 0, or -EINVAL with one line in err. */
int null_fault_parse(const char *text, struct null_fault *fault, char *err, size_t errlen);
/** The text that null_fault_parse takes. */
void null_fault_format(const struct null_fault *fault, char *buf, size_t len);
/** First word of a kind's text; NULL beyond the last. */
const char *null_fault_name(unsigned int kind);

#endif /* NULL_FAULT_H */
