/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_interrupts.h>
#include <rte_mbuf.h>

#include "tap_carry.h"
#include "tap_frame.h"

#define SEGMENTS_MAX	64	/* of a frame that the port received */
#define SLEEP_MS	100	/* with an interrupt; else NAP_MS */
#define NAP_MS		1
#define BLOCKED_US	100

/* What a frame of the kernel is read into; false: no buffer now. */
static bool
have_buffers(struct tap_carrier *c)
{
	if (c->small == NULL)
		c->small = rte_pktmbuf_alloc(c->port->rx);
	if (c->big == NULL && c->port->big != NULL)
		c->big = rte_pktmbuf_alloc(c->port->big);
	return c->small != NULL && (c->big != NULL || c->port->big == NULL);
}

/* One frame of `length` bytes lies in the buffers. */
static struct rte_mbuf *
take(struct tap_carrier *c, size_t length)
{
	uint16_t room = rte_pktmbuf_tailroom(c->small);
	struct rte_mbuf *m = c->small;

	c->small = NULL;
	if (length <= room) {
		rte_pktmbuf_append(m, (uint16_t)length);
		return m;
	}
	m->data_len = room;
	m->pkt_len = (uint32_t)length;
	m->nb_segs = 2;
	m->next = c->big;
	c->big->data_len = (uint16_t)(length - room);
	c->big = NULL;
	return m;
}

/* The next frame of the kernel; NULL: none now, or no buffer. */
static struct rte_mbuf *
read_frame(struct tap_carrier *c)
{
	struct virtio_net_hdr hdr;
	struct iovec part[3] = { { &hdr, sizeof(hdr) } };
	struct rte_mbuf *m;
	ssize_t got;

	while (have_buffers(c)) {
		part[1].iov_base = rte_pktmbuf_mtod(c->small, void *);
		part[1].iov_len = rte_pktmbuf_tailroom(c->small);
		if (c->big != NULL) {
			c->big->data_off = 0;
			part[2].iov_base = rte_pktmbuf_mtod(c->big, void *);
			part[2].iov_len = c->port->big_room;
		}
		got = readv(c->fd, part, c->big != NULL ? 3 : 2);
		if (got < 0) {
			c->failed = errno != EAGAIN && errno != EINTR && errno != EIO;
			return NULL;
		}
		if (got < (ssize_t)(sizeof(hdr) + RTE_ETHER_HDR_LEN)) {
			c->counters.refused_port++;
			continue;
		}
		m = take(c, (size_t)got - sizeof(hdr));
		if (tap_frame_to_mbuf(&hdr, m) == 0)
			return m;
		c->counters.refused_port++;
		rte_pktmbuf_free(m);
	}
	return NULL;
}

/* A frame that no preparation helps is dropped, the others go on. */
static void
prepare(struct tap_carrier *c)
{
	unsigned int done = 0;

	while (done < c->nb_pending) {
		done += rte_eth_tx_prepare(c->port->id, c->queue, &c->pending[done],
					   (uint16_t)(c->nb_pending - done));
		if (done == c->nb_pending)
			break;
		rte_pktmbuf_free(c->pending[done]);
		c->nb_pending--;
		memmove(&c->pending[done], &c->pending[done + 1],
			(c->nb_pending - done) * sizeof(c->pending[0]));
		c->counters.refused_port++;
	}
}

/* Frames from the kernel to the port. Whether any moved. */
static bool
kernel_to_port(struct tap_carrier *c)
{
	uint64_t bytes[TAP_BURST];
	unsigned int before = c->nb_pending;
	uint16_t sent;

	/* What the port does not take waits, and so does the kernel. */
	if (c->nb_pending == 0) {
		while (c->nb_pending < TAP_BURST) {
			struct rte_mbuf *m = read_frame(c);

			if (m == NULL)
				break;
			c->pending[c->nb_pending++] = m;
		}
		prepare(c);
	}
	if (c->nb_pending == 0)
		return false;
	for (unsigned int i = 0; i < c->nb_pending; i++)
		bytes[i] = rte_pktmbuf_pkt_len(c->pending[i]);
	sent = rte_eth_tx_burst(c->port->id, c->queue, c->pending, (uint16_t)c->nb_pending);
	for (unsigned int i = 0; i < sent; i++)
		c->counters.to_port_bytes += bytes[i];
	c->counters.to_port += sent;
	c->nb_pending -= sent;
	memmove(c->pending, &c->pending[sent], c->nb_pending * sizeof(c->pending[0]));
	return sent > 0 || before == 0;
}

static void
write_frame(struct tap_carrier *c, struct rte_mbuf *m)
{
	struct virtio_net_hdr hdr;
	struct iovec part[SEGMENTS_MAX + 1] = { { &hdr, sizeof(hdr) } };
	int parts = 1;

	tap_frame_to_kernel(m, &hdr);
	for (struct rte_mbuf *s = m; s != NULL; s = s->next) {
		if (parts == RTE_DIM(part)) {
			c->counters.refused_kernel++;
			return;
		}
		part[parts].iov_base = rte_pktmbuf_mtod(s, void *);
		part[parts++].iov_len = rte_pktmbuf_data_len(s);
	}
	if (writev(c->fd, part, parts) < 0) {
		c->counters.refused_kernel++;
		c->failed = c->failed || errno == EBADFD;
		return;
	}
	c->counters.to_kernel++;
	c->counters.to_kernel_bytes += rte_pktmbuf_pkt_len(m);
}

static bool
port_to_kernel(struct tap_carrier *c)
{
	struct rte_mbuf *burst[TAP_BURST];
	uint16_t nb = rte_eth_rx_burst(c->port->id, c->queue, burst, TAP_BURST);

	for (uint16_t i = 0; i < nb; i++)
		write_frame(c, burst[i]);
	rte_pktmbuf_free_bulk(burst, nb);
	return nb > 0;
}

/*
 * Until the kernel or the port has something. The interrupt is armed before the port is
 * looked at for the last time.
 */
static void
sleep_now(struct tap_carrier *c)
{
	struct rte_epoll_event event[2];
	bool armed = c->port->rx_intr && rte_eth_dev_rx_intr_enable(c->port->id, c->queue) == 0;

	if (!port_to_kernel(c)) {
		c->counters.sleeps++;
		/* What waits for the port: the kernel has more, which must not wake us now. */
		if (c->nb_pending > 0)
			rte_delay_us_sleep(BLOCKED_US);
		else
			rte_epoll_wait(RTE_EPOLL_PER_THREAD, event, RTE_DIM(event),
				       armed ? SLEEP_MS : NAP_MS);
	}
	if (armed)
		rte_eth_dev_rx_intr_disable(c->port->id, c->queue);
}

static int
watch(struct tap_carrier *c, struct rte_epoll_event *kernel)
{
	memset(kernel, 0, sizeof(*kernel));
	kernel->epdata.event = EPOLLIN;
	if (c->port->rx_intr &&
	    rte_eth_dev_rx_intr_ctl_q(c->port->id, c->queue, RTE_EPOLL_PER_THREAD,
				      RTE_INTR_EVENT_ADD, NULL) < 0)
		return -1;
	return rte_epoll_ctl(RTE_EPOLL_PER_THREAD, EPOLL_CTL_ADD, c->fd, kernel);
}

void
tap_carrier_run(struct tap_carrier *c)
{
	struct rte_epoll_event kernel;
	uint64_t busy = rte_rdtsc();

	if (watch(c, &kernel) < 0)
		c->failed = true;
	while (!c->failed && !atomic_load_explicit(c->ended, memory_order_relaxed)) {
		bool any = kernel_to_port(c);

		any |= port_to_kernel(c);
		if (any)
			busy = rte_rdtsc();
		else if (rte_rdtsc() - busy >= c->spin_cycles)
			sleep_now(c);
	}
	if (c->port->rx_intr)
		rte_eth_dev_rx_intr_ctl_q(c->port->id, c->queue, RTE_EPOLL_PER_THREAD,
					  RTE_INTR_EVENT_DEL, NULL);
	rte_epoll_ctl(RTE_EPOLL_PER_THREAD, EPOLL_CTL_DEL, c->fd, &kernel);
	rte_pktmbuf_free_bulk(c->pending, c->nb_pending);
	rte_pktmbuf_free(c->small);
	rte_pktmbuf_free(c->big);
}
