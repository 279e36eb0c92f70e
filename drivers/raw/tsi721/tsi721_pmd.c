/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* The public API: finds the device, keeps account of what the application opened. */

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_memzone.h>
#include <rte_pause.h>

#include "rte_pmd_tsi721.h"
#include "tsi721_doorbell.h"
#include "tsi721_idq.h"
#include "tsi721_link.h"
#include "tsi721_maint.h"
#include "tsi721_obwin.h"
#include "tsi721_rawdev.h"
#include "tsi721_window.h"

#define RAW_OR_RETURN(raw, dev_id) \
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id); \
	if (unlikely(raw == NULL)) \
		return -ENODEV

/* --- the link --- */

int
rte_pmd_tsi721_link_get(uint16_t dev_id, struct rte_pmd_tsi721_link *link)
{
	RAW_OR_RETURN(raw, dev_id);
	struct tsi721_link_errors errors;
	struct tsi721_link state;

	if (link == NULL)
		return -EINVAL;
	tsi721_link_get(raw->dev, &state);
	tsi721_link_errors(raw->dev, &errors);
	*link = (struct rte_pmd_tsi721_link){
		.up = state.up,
		.lanes = state.lanes,
		.mbaud = state.mbaud,
		.port_error = errors.port_error,
		.output_stopped = errors.output_stopped,
		.input_stopped = errors.input_stopped,
		.port_detect = errors.port_detect,
		.logical_detect = errors.logical_detect,
		.error_rate = errors.rate,
		.retries_made = errors.retries_made,
		.retries_got = errors.retries_got,
	};
	return 0;
}

int
rte_pmd_tsi721_link_errors_clear(uint16_t dev_id)
{
	RAW_OR_RETURN(raw, dev_id);

	tsi721_link_errors_clear(raw->dev);
	return 0;
}

int
rte_pmd_tsi721_link_retrain(uint16_t dev_id, uint32_t timeout_ms)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_link_retrain(raw->dev, timeout_ms);
}

/* --- block DMA --- */

/* Until the operation is among those that have ended; the others wait in the queue. */
static int
op_wait(struct tsi721_rawdev_queue *queue, const struct rte_pmd_tsi721_op *op, uint64_t end)
{
	do {
		tsi721_rawop_collect(queue);
		if (tsi721_rawop_withdraw(queue, op))
			return op->status;
		rte_pause();
	} while (rte_get_timer_cycles() < end);
	return -EINPROGRESS;
}

int
rte_pmd_tsi721_op_run(uint16_t dev_id, uint16_t queue, struct rte_pmd_tsi721_op *op,
		      uint32_t timeout_us)
{
	RAW_OR_RETURN(raw, dev_id);
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() / 1000 * timeout_us / 1000;
	struct tsi721_rawdev_queue *q;
	int ret;

	if (queue >= raw->nb_queues || raw->queues[queue].q == NULL ||
	    !raw->dev->rawdev->started || op == NULL || (op->flags & RTE_PMD_TSI721_OP_FORGET))
		return -EINVAL;
	q = &raw->queues[queue];
	while ((ret = tsi721_rawop_post(q, op)) == -ENOSPC) {
		tsi721_rawop_collect(q);
		if (rte_get_timer_cycles() >= end)
			return -EAGAIN;
	}
	if (ret != 0)
		return ret;
	tsi721_rawop_kick(q);
	return op_wait(q, op, end);
}

/* --- memory --- */

int
rte_pmd_tsi721_mem_alloc(uint16_t dev_id, uint64_t size, int socket_id,
			 struct rte_pmd_tsi721_mem *mem)
{
	RAW_OR_RETURN(raw, dev_id);
	const struct rte_memzone *mz;

	if (mem == NULL)
		return -EINVAL;
	memset(mem, 0, sizeof(*mem));
	if (size < TSI721_IBWIN_SIZE_MIN || size > RTE_BIT64(31) || (size & (size - 1)) != 0) {
		TSI721_LOG(ERR, raw->dev, "memory of 0x%" PRIx64 " bytes: allowed are powers of two, "
			   "4 KiB to 2 GiB", size);
		return -EINVAL;
	}
	mz = tsi721_mem_reserve(raw->dev, "mem", 0, size, (uint32_t)size,
				socket_id == SOCKET_ID_ANY ? raw->dev->socket_id : socket_id);
	if (mz == NULL)
		return -ENOMEM;
	*mem = (struct rte_pmd_tsi721_mem){ mz->addr, mz->iova, size, mz };
	return 0;
}

int
rte_pmd_tsi721_mem_free(uint16_t dev_id, struct rte_pmd_tsi721_mem *mem)
{
	RAW_OR_RETURN(raw, dev_id);

	RTE_SET_USED(raw);
	if (mem == NULL || mem->zone == NULL || rte_memzone_free(mem->zone) != 0)
		return -EINVAL;
	memset(mem, 0, sizeof(*mem));
	return 0;
}

/* --- inbound windows --- */

int
rte_pmd_tsi721_window_open(uint16_t dev_id, uint64_t raddr, rte_iova_t iova, uint64_t size)
{
	RAW_OR_RETURN(raw, dev_id);
	int win;

	if (raddr == RTE_PMD_TSI721_DIRECT)
		raddr = iova;
	rte_spinlock_lock(&raw->lock);
	win = tsi721_ibwin_open(raw->dev, raddr, iova, size);
	if (win >= 0)
		raw->windows[win]++;
	rte_spinlock_unlock(&raw->lock);
	return win;
}

int
rte_pmd_tsi721_window_close(uint16_t dev_id, unsigned int window)
{
	RAW_OR_RETURN(raw, dev_id);
	int ret = -EINVAL;

	rte_spinlock_lock(&raw->lock);
	if (window < RTE_PMD_TSI721_WINDOWS && raw->windows[window] != 0) {
		raw->windows[window]--;
		ret = tsi721_ibwin_close(raw->dev, window);
	}
	rte_spinlock_unlock(&raw->lock);
	return ret;
}

/* --- outbound windows --- */

/* Zones are handed on as they are. */
_Static_assert(sizeof(struct rte_pmd_tsi721_zone) == sizeof(struct tsi721_obwin_zone) &&
	       offsetof(struct rte_pmd_tsi721_zone, destid) ==
	       offsetof(struct tsi721_obwin_zone, destid) &&
	       offsetof(struct rte_pmd_tsi721_zone, hop) ==
	       offsetof(struct tsi721_obwin_zone, hop) &&
	       offsetof(struct rte_pmd_tsi721_zone, raddr) ==
	       offsetof(struct tsi721_obwin_zone, raddr) &&
	       (int)RTE_PMD_TSI721_ZONE_MAINT == (int)TSI721_OBWIN_MAINT, "zones differ");

int
rte_pmd_tsi721_outwin_open(uint16_t dev_id, uint64_t size,
			   const struct rte_pmd_tsi721_zone *zones, unsigned int nb_zones)
{
	RAW_OR_RETURN(raw, dev_id);
	int win = -EINVAL;

	rte_spinlock_lock(&raw->lock);
	if (zones != NULL)
		win = tsi721_obwin_open(raw->dev, size, (const struct tsi721_obwin_zone *)zones,
					nb_zones);
	if (win >= 0)
		raw->outwins |= (uint8_t)(1u << win);
	rte_spinlock_unlock(&raw->lock);
	return win;
}

/* Whether the application opened it. */
static inline bool
pmd_outwin(const struct tsi721_rawdev *raw, unsigned int window)
{
	return window < RTE_PMD_TSI721_WINDOWS && (raw->outwins & 1u << window) != 0;
}

int
rte_pmd_tsi721_outwin_close(uint16_t dev_id, unsigned int window)
{
	RAW_OR_RETURN(raw, dev_id);
	int ret = -EINVAL;

	rte_spinlock_lock(&raw->lock);
	if (pmd_outwin(raw, window)) {
		raw->outwins &= (uint8_t)~(1u << window);
		ret = tsi721_obwin_close(raw->dev, window);
	}
	rte_spinlock_unlock(&raw->lock);
	return ret;
}

int
rte_pmd_tsi721_outwin_zone(uint16_t dev_id, unsigned int window, unsigned int zone,
			   const struct rte_pmd_tsi721_zone *to)
{
	RAW_OR_RETURN(raw, dev_id);

	if (!pmd_outwin(raw, window) || to == NULL)
		return -EINVAL;
	return tsi721_obwin_zone(raw->dev, window, zone, (const struct tsi721_obwin_zone *)to);
}

volatile void *
rte_pmd_tsi721_outwin_ptr(uint16_t dev_id, unsigned int window)
{
	struct tsi721_rawdev *raw = tsi721_rawdev_of(dev_id);

	return raw != NULL && pmd_outwin(raw, window) ? tsi721_obwin_ptr(raw->dev, window) : NULL;
}

static bool
pmd_outwin_within(const struct tsi721_rawdev *raw, unsigned int window, uint64_t off, size_t len)
{
	uint64_t size = pmd_outwin(raw, window) ? tsi721_obwin_size(raw->dev, window) : 0;

	return off <= size && len <= size - off && size != 0;
}

int
rte_pmd_tsi721_outwin_write(uint16_t dev_id, unsigned int window, uint64_t off, const void *buf,
			    size_t len)
{
	RAW_OR_RETURN(raw, dev_id);

	if (unlikely(!pmd_outwin_within(raw, window, off, len)))
		return -EINVAL;
	tsi721_obwin_write(raw->dev, window, off, buf, len);
	return 0;
}

int
rte_pmd_tsi721_outwin_read(uint16_t dev_id, unsigned int window, uint64_t off, void *buf,
			   size_t len)
{
	RAW_OR_RETURN(raw, dev_id);

	if (unlikely(!pmd_outwin_within(raw, window, off, len)))
		return -EINVAL;
	tsi721_obwin_read(raw->dev, window, off, buf, len);
	return 0;
}

/* --- doorbells --- */

int
rte_pmd_tsi721_doorbell_send(uint16_t dev_id, uint16_t destid, uint16_t info)
{
	RAW_OR_RETURN(raw, dev_id);

	if (unlikely(!raw->dev->sys16 && destid > RIO_ANY_DESTID_8))
		return -EINVAL;
	tsi721_dbell_send(raw->dev, destid, info);
	return 0;
}

int
rte_pmd_tsi721_doorbell_request(uint16_t dev_id, uint16_t first, uint16_t last,
				rte_pmd_tsi721_doorbell_cb cb, void *arg)
{
	RAW_OR_RETURN(raw, dev_id);
	int ret = -EBUSY;

	rte_spinlock_lock(&raw->lock);
	if (raw->nb_ranges < TSI721_RAWDEV_RANGES)
		ret = tsi721_dbell_request(raw->dev, first, last, cb, arg);
	if (ret == 0) {
		raw->ranges[raw->nb_ranges].first = first;
		raw->ranges[raw->nb_ranges].last = last;
		raw->nb_ranges++;
	}
	rte_spinlock_unlock(&raw->lock);
	return ret;
}

int
rte_pmd_tsi721_doorbell_release(uint16_t dev_id, uint16_t first, uint16_t last)
{
	RAW_OR_RETURN(raw, dev_id);
	uint32_t i;
	int ret = -ENOENT;

	rte_spinlock_lock(&raw->lock);
	for (i = 0; i < raw->nb_ranges; i++)
		if (raw->ranges[i].first == first && raw->ranges[i].last == last) {
			raw->ranges[i] = raw->ranges[--raw->nb_ranges];
			ret = 0;
			break;
		}
	rte_spinlock_unlock(&raw->lock);
	if (ret == 0)
		tsi721_dbell_release(raw->dev, first, last);
	return ret;
}

int
rte_pmd_tsi721_doorbell_poll(uint16_t dev_id, unsigned int max)
{
	RAW_OR_RETURN(raw, dev_id);

	return (int)tsi721_dbell_poll(raw->dev, max);
}

int
rte_pmd_tsi721_doorbell_queue_open(uint16_t dev_id, uint16_t mask, uint16_t pattern,
				   uint32_t entries, int socket_id)
{
	RAW_OR_RETURN(raw, dev_id);
	int nr;

	rte_spinlock_lock(&raw->lock);
	nr = tsi721_idq_open(raw->dev, mask, pattern, entries, socket_id);
	if (nr >= 0)
		raw->bell_queues |= (uint8_t)(1u << nr);
	rte_spinlock_unlock(&raw->lock);
	return nr;
}

/* Whether the application opened it. */
static inline bool
pmd_bell_queue(const struct tsi721_rawdev *raw, unsigned int queue)
{
	return queue < TSI721_IDQ_NUM && (raw->bell_queues & 1u << queue) != 0;
}

int
rte_pmd_tsi721_doorbell_queue_close(uint16_t dev_id, unsigned int queue)
{
	RAW_OR_RETURN(raw, dev_id);
	int ret = -EINVAL;

	rte_spinlock_lock(&raw->lock);
	if (pmd_bell_queue(raw, queue)) {
		raw->bell_queues &= (uint8_t)~(1u << queue);
		tsi721_idq_close(raw->dev, queue);
		ret = 0;
	}
	rte_spinlock_unlock(&raw->lock);
	return ret;
}

int
rte_pmd_tsi721_doorbell_queue_poll(uint16_t dev_id, unsigned int queue,
				   struct rte_pmd_tsi721_doorbell *bells, unsigned int nb)
{
	RAW_OR_RETURN(raw, dev_id);

	if (unlikely(!pmd_bell_queue(raw, queue)))
		return -EINVAL;
	return (int)tsi721_idq_poll(raw->dev->idq[queue], bells, nb);
}

/* --- messages --- */

int
rte_pmd_tsi721_mbox_open(uint16_t dev_id, unsigned int mbox, uint32_t nb_out, uint32_t nb_in,
			 int socket_id)
{
	RAW_OR_RETURN(raw, dev_id);
	struct tsi721_omsg *out = NULL;
	struct tsi721_imsg *in = NULL;
	int ret = 0;

	if (mbox >= RTE_PMD_TSI721_MBOXES)
		return -ENODEV;
	if (nb_out == 0 && nb_in == 0)
		return -EINVAL;
	if (nb_out != 0)
		ret = tsi721_omsg_open(raw->dev, mbox, nb_out, socket_id, &out);
	if (ret == 0 && nb_in != 0)
		ret = tsi721_imsg_open(raw->dev, mbox, nb_in, socket_id, &in);
	if (ret != 0) {
		tsi721_omsg_close(out, NULL, NULL);
		return ret;
	}
	if (out != NULL)
		raw->out[mbox] = out;
	if (in != NULL)
		raw->in[mbox] = in;
	return 0;
}

int
rte_pmd_tsi721_mbox_close(uint16_t dev_id, unsigned int mbox)
{
	RAW_OR_RETURN(raw, dev_id);

	if (mbox >= RTE_PMD_TSI721_MBOXES || (raw->out[mbox] == NULL && raw->in[mbox] == NULL))
		return -EINVAL;
	tsi721_rawdev_events_close(raw, TSI721_INTR_OMSG, 1u << mbox);
	tsi721_rawdev_events_close(raw, TSI721_INTR_IMSG, 1u << mbox);
	tsi721_omsg_close(raw->out[mbox], NULL, NULL);
	tsi721_imsg_close(raw->in[mbox]);
	raw->out[mbox] = NULL;
	raw->in[mbox] = NULL;
	return 0;
}

/* The side of a mailbox that the application opened. */
static struct tsi721_omsg *
pmd_out(const struct tsi721_rawdev *raw, unsigned int mbox)
{
	return likely(mbox < RTE_PMD_TSI721_MBOXES) ? raw->out[mbox] : NULL;
}

static struct tsi721_imsg *
pmd_in(const struct tsi721_rawdev *raw, unsigned int mbox)
{
	return likely(mbox < RTE_PMD_TSI721_MBOXES) ? raw->in[mbox] : NULL;
}

int
rte_pmd_tsi721_msg_send(uint16_t dev_id, unsigned int mbox,
			const struct rte_pmd_tsi721_msg_out *msgs, unsigned int nb)
{
	RAW_OR_RETURN(raw, dev_id);
	struct tsi721_omsg *q = pmd_out(raw, mbox);
	unsigned int n;
	int ret = 0;

	if (unlikely(q == NULL))
		return -EINVAL;
	for (n = 0; n < nb; n++) {
		ret = tsi721_omsg_post(q, msgs[n].destid, msgs[n].letter, msgs[n].iova,
				       RTE_ALIGN_CEIL((unsigned int)msgs[n].len,
						      TSI721_MSG_SIZE_UNIT), msgs[n].user);
		if (ret != 0)
			break;
	}
	tsi721_omsg_kick(q);
	return n == 0 && ret == -EINVAL ? ret : (int)n;
}

int
rte_pmd_tsi721_msg_reap(uint16_t dev_id, unsigned int mbox, void **users, int *status,
			unsigned int nb)
{
	RAW_OR_RETURN(raw, dev_id);
	struct tsi721_omsg *q = pmd_out(raw, mbox);

	return likely(q != NULL) ? (int)tsi721_omsg_reap(q, users, status, nb) : -EINVAL;
}

int
rte_pmd_tsi721_msg_peek(uint16_t dev_id, unsigned int mbox, struct rte_pmd_tsi721_msg_in *msgs,
			unsigned int nb)
{
	RAW_OR_RETURN(raw, dev_id);
	struct tsi721_imsg *q = pmd_in(raw, mbox);
	struct tsi721_imsg_info info[32];
	unsigned int n, i;

	if (unlikely(q == NULL))
		return -EINVAL;
	n = tsi721_imsg_poll(q, info, RTE_MIN(nb, RTE_DIM(info)));
	for (i = 0; i < n; i++) {
		msgs[i].data = info[i].data;
		msgs[i].len = info[i].len;
		msgs[i].src = info[i].src;
		msgs[i].letter = info[i].letter;
	}
	return (int)n;
}

int
rte_pmd_tsi721_msg_release(uint16_t dev_id, unsigned int mbox, unsigned int nb)
{
	RAW_OR_RETURN(raw, dev_id);
	struct tsi721_imsg *q = pmd_in(raw, mbox);

	if (unlikely(q == NULL))
		return -EINVAL;
	tsi721_imsg_release(q, nb);
	return 0;
}

/* --- maintenance --- */

int
rte_pmd_tsi721_local_read(uint16_t dev_id, uint32_t offset, uint32_t *val)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_lcread(raw->dev, offset, val);
}

int
rte_pmd_tsi721_local_write(uint16_t dev_id, uint32_t offset, uint32_t val)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_lcwrite(raw->dev, offset, val);
}

int
rte_pmd_tsi721_maint_read(uint16_t dev_id, uint16_t destid, uint8_t hop, uint32_t offset,
			  uint32_t *val)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_maint_read(raw->dev, destid, hop, offset, val);
}

int
rte_pmd_tsi721_maint_write(uint16_t dev_id, uint16_t destid, uint8_t hop, uint32_t offset,
			   uint32_t val)
{
	RAW_OR_RETURN(raw, dev_id);

	return tsi721_maint_write(raw->dev, destid, hop, offset, val);
}
