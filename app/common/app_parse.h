/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef APP_PARSE_H
#define APP_PARSE_H

/*
 * Values of options. Each function names the option, the value and what is
 * allowed in one line on standard error when the value is bad, returns -1 then
 * and leaves the output as it was.
 */

#include <stdint.h>

/* Decimal number from min to max. */
int app_parse_u32(const char *option, const char *text, uint32_t min, uint32_t max,
		  uint32_t *out);

/* Decimal number, fractions allowed, from min to max. */
int app_parse_real(const char *option, const char *text, double min, double max, double *out);

/*
 * Numbers with commas between them, each from min to max, none twice, at most
 * `room`. Returns how many.
 */
int app_parse_u32_list(const char *option, const char *text, uint32_t min, uint32_t max,
		       uint32_t *out, unsigned int room);

/*
 * Names with commas between them, each one of the `known` ones (ends with NULL),
 * none twice. out receives the indexes in `known`. Returns how many.
 */
int app_parse_names(const char *option, const char *text, const char *const *known,
		    unsigned int *out, unsigned int room);

#endif
