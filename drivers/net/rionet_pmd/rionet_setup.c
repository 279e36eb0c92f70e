/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Whether a SETUP makes sense. What passes leads to nothing but writes inside the
 * window that it names.
 */

#include <rte_common.h>

#include "rionet_ctl.h"

static bool
setup_sizes(const struct rionet_setup *s)
{
	return rte_is_power_of_2(s->ring_size) && s->ring_size >= RIONET_RING_MIN &&
	       s->ring_size <= RIONET_RING_MAX && rte_is_power_of_2(s->nb_posts) &&
	       s->nb_posts >= RIONET_POSTS_MIN && s->nb_posts <= RIONET_POSTS_MAX &&
	       s->buf_size >= RIONET_BUF_MIN && s->buf_size <= RIONET_BUF_MAX &&
	       s->buf_size <= s->window_size &&
	       s->max_frame >= RTE_ETHER_MAX_LEN && s->max_frame <= RIONET_DMA_FRAME_MAX &&
	       s->ring_size / 2 >= s->max_frame + RIONET_UNIT;
}

/* n areas of `size` bytes, `stride` apart, lie in the window. */
static bool
setup_area(const struct rionet_setup *s, uint64_t off, uint32_t stride, uint32_t n, uint32_t size)
{
	if (n == 0)
		return true;
	if (off % 64 != 0 || stride % 64 != 0 || stride < size || off >= s->window_size)
		return false;
	return (uint64_t)stride * (n - 1) + size <= s->window_size - off;
}

const char *
rionet_setup_check(const struct rionet_setup *s, unsigned int nb_tx, unsigned int nb_rx)
{
	if (s->magic != RIONET_SETUP_MAGIC)
		return "magic";
	if (s->version != RIONET_DMA_VERSION)
		return "version";
	if (s->nb_tx > RIONET_DMA_QUEUES_MAX || s->nb_rx > RIONET_DMA_QUEUES_MAX ||
	    s->peer_nb_tx != nb_tx || s->peer_nb_rx != nb_rx)
		return "queues";
	if (s->nonce == 0)
		return "nonce";
	if (s->window % 4096 != 0 || s->window_size < 4096 || s->window_size > 1ull << 40 ||
	    s->window + s->window_size < s->window)
		return "window";
	if (!setup_sizes(s))
		return "sizes";
	if (!setup_area(s, s->lanes, s->lane_stride, (uint32_t)s->nb_rx * nb_tx,
			RIONET_LANE_RING + s->ring_size))
		return "lanes";
	if (!setup_area(s, s->feeds, s->feed_stride, (uint32_t)s->nb_tx * nb_rx,
			RIONET_FEED_POSTS + s->nb_posts * (uint32_t)sizeof(uint32_t)))
		return "feeds";
	return NULL;
}

void
rionet_setup_to_cpu(struct rionet_setup *s)
{
	s->magic = rte_le_to_cpu_32(s->magic);
	s->nonce = rte_le_to_cpu_32(s->nonce);
	s->echo = rte_le_to_cpu_32(s->echo);
	s->caps = rte_le_to_cpu_32(s->caps);
	s->window = rte_le_to_cpu_64(s->window);
	s->window_size = rte_le_to_cpu_64(s->window_size);
	s->lanes = rte_le_to_cpu_64(s->lanes);
	s->feeds = rte_le_to_cpu_64(s->feeds);
	s->lane_stride = rte_le_to_cpu_32(s->lane_stride);
	s->feed_stride = rte_le_to_cpu_32(s->feed_stride);
	s->ring_size = rte_le_to_cpu_32(s->ring_size);
	s->nb_posts = rte_le_to_cpu_32(s->nb_posts);
	s->buf_size = rte_le_to_cpu_32(s->buf_size);
	s->max_frame = rte_le_to_cpu_32(s->max_frame);
}
