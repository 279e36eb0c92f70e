/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#ifndef RIONET_ARGS_H
#define RIONET_ARGS_H

/*
 * Device arguments of a port. A key that is not the port's own is one of the
 * null device that the port makes for itself, and is handed on as it stands.
 */

#include <stddef.h>
#include <stdint.h>

#define RIONET_ARG_RAW		"raw"
#define RIONET_ARG_MODE		"mode"
#define RIONET_ARG_UNKNOWN	"unknown"
#define RIONET_ARG_PEERS	"peers"
#define RIONET_ARG_AGEING	"ageing"
#define RIONET_ARG_REGION	"region"
#define RIONET_ARG_RX		"rx"

#define RIONET_AGEING_DEFAULT	300u
#define RIONET_AGEING_MAX	1000000u

#define RIONET_PEER_RANGES_MAX	32u

/** What happens to unicast for an address outside 00:01:00:01 that was not learned. */
enum rionet_unknown {
	RIONET_UNKNOWN_FLOOD,	/* to every joined peer */
	RIONET_UNKNOWN_DROP,
	RIONET_UNKNOWN_PEER,	/* to one peer */
};

/** How frames travel. */
enum rionet_mode {
	RIONET_MODE_AUTO,	/* by DMA where both ends can, else as messages */
	RIONET_MODE_MSG,
	RIONET_MODE_DMA,	/* by DMA, or not at all */
};

/** What becomes of large frames that came by DMA. */
enum rionet_rx_mode {
	RIONET_RX_AUTO,		/* attached to mbufs while there are buffers enough */
	RIONET_RX_COPY,
	RIONET_RX_ZC,		/* attached always */
};

struct rionet_range {
	uint16_t first;
	uint16_t last;		/* included */
};

struct rionet_args {
	char raw[64];		/* name of the raw device; "": a null device of one's own */
	char null_args[512];	/* arguments of that null device */
	enum rionet_mode mode;
	enum rionet_rx_mode rx;
	uint64_t region;	/* bytes of memory that peers may write to, at most */
	enum rionet_unknown unknown;
	uint16_t unknown_destid;
	uint32_t ageing;	/* seconds that a learned address is kept; 0: for ever */
	unsigned int nb_ranges;	/* 0: all that the fabric could have */
	struct rionet_range ranges[RIONET_PEER_RANGES_MAX];
};

/**
 * Read "key=value,...". params may be NULL.
 * @return 0; -EINVAL with one line in err; -ENOMEM.
 */
int rionet_args_parse(const char *params, struct rionet_args *args, char *err, size_t errlen);

#endif /* RIONET_ARGS_H */
