/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * The PCI device that a guest sees: virtio-pcidev operations on queue 0,
 * interrupts as messages on queue 1 (linux/virtio_pcidev.h is the reference).
 */

#include <inttypes.h>
#include <string.h>

#include "null_vhost_internal.h"

/* A request or an interrupt; header and data in little-endian. */
struct pci_msg {
	uint8_t op;
	uint8_t bar;
	uint16_t reserved;
	uint32_t size;
	uint64_t addr;
};
#define MSG_LEN		16u
enum {
	OP_CFG_READ = 1,
	OP_CFG_WRITE,
	OP_MMIO_READ,
	OP_MMIO_WRITE,
	OP_MMIO_MEMSET,
	OP_INT,
	OP_MSI,
};

#define BATCH		256u	/* requests of a guest before others have their turn */
#define BARS		6u
#define BAR_OFF_MAX	(1ull << 40)

/* ---- accesses of the guest ---- */

static uint64_t
bar_size(unsigned int bar)
{
	switch (bar) {
	case TSI721_BAR_REGS:
		return TSI721_BAR0_SIZE;
	case TSI721_BAR_DOORBELL:
		return TSI721_BAR1_SIZE;
	case TSI721_BAR_WIN0:
	case TSI721_BAR_WIN1:
		return BAR_OFF_MAX;	/* the device knows how much of it there is */
	default:
		return 0;
	}
}

/* What is wrong with a request; NULL: nothing. */
static const char *
op_check(const struct pci_msg *m, const struct vhost_chain *chain)
{
	size_t data = chain->out_len - MSG_LEN;

	switch (m->op) {
	case OP_CFG_READ:
	case OP_CFG_WRITE:
		if (m->size == 0 || m->size > 8 || (m->size & (m->size - 1)) != 0)
			return "size is not 1, 2, 4 or 8";
		if (m->addr > 4096 - m->size || m->addr % m->size != 0)
			return "not aligned, or beyond configuration space";
		break;
	case OP_MMIO_READ:
	case OP_MMIO_WRITE:
	case OP_MMIO_MEMSET:
		if (m->bar >= BARS || bar_size(m->bar) == 0)
			return "no such BAR";
		if (m->size == 0 || m->size > VHOST_OP_MAX)
			return "size is not 1 to 65536";
		if (m->addr > bar_size(m->bar) || m->size > bar_size(m->bar) - m->addr)
			return "beyond the BAR";
		break;
	default:
		return "no such operation";
	}
	if ((m->op == OP_CFG_READ || m->op == OP_MMIO_READ) && chain->in_len < m->size)
		return "no room for what is read";
	if (((m->op == OP_CFG_WRITE || m->op == OP_MMIO_WRITE) && data < m->size) ||
	    (m->op == OP_MMIO_MEMSET && data < 1))
		return "less data than said";
	return NULL;
}

/* Length of the next access of `left` bytes at off: as large as the bus would make it. */
static uint32_t
piece(uint64_t off, uint32_t left, uint32_t max)
{
	uint32_t n = max;

	while (n > left || off % n != 0)
		n >>= 1;
	return n;
}

static void
cfg_access(struct vhost_node *node, const struct pci_msg *m, uint8_t *data)
{
	uint32_t done, n;

	for (done = 0; done < m->size; done += n) {
		unsigned int off = (unsigned int)m->addr + done;

		n = piece(off, m->size - done, 4);
		if (m->op == OP_CFG_READ)
			null_device_cfg_read(node->dev, off, data + done, n);
		else
			null_device_cfg_write(node->dev, off, data + done, n);
	}
}

static void
bar_access(struct vhost_node *node, const struct pci_msg *m, uint8_t *data)
{
	/* Registers are words: copies to and from them go by words. */
	uint32_t max = m->bar == TSI721_BAR_REGS && m->size != 8 ? 4 : 8;
	uint32_t done, n;

	for (done = 0; done < m->size; done += n) {
		uint64_t off = m->addr + done;

		n = piece(off, m->size - done, max);
		if (m->op == OP_MMIO_READ)
			null_device_bar_read(node->dev, m->bar, off, data + done, n);
		else
			null_device_bar_write(node->dev, m->bar, off, data + done, n);
	}
}

/* Run one request; returns how many bytes were written to it. */
static uint32_t
op_run(struct vhost_node *node, const struct vhost_chain *chain)
{
	uint8_t *data = node->out + MSG_LEN;
	struct pci_msg m = { 0 };
	const char *why;

	if (vhost_chain_read(chain, node->out, sizeof(node->out)) < MSG_LEN) {
		vhost_guest_complain(node, "request of %zu bytes is shorter than its header",
				     chain->out_len);
		return 0;
	}
	memcpy(&m, node->out, sizeof(m));
	why = op_check(&m, chain);
	if (why != NULL) {
		vhost_guest_complain(node, "operation %u of %u bytes at BAR %u %#" PRIx64 ": %s",
				     m.op, m.size, m.bar, m.addr, why);
		/* As on a bus where nobody answers: reads return ones, writes are lost. */
		memset(node->in, 0xff, sizeof(node->in));
		return (uint32_t)vhost_chain_write(chain, node->in, sizeof(node->in));
	}
	switch (m.op) {
	case OP_CFG_READ:
		cfg_access(node, &m, node->in);
		return (uint32_t)vhost_chain_write(chain, node->in, m.size);
	case OP_CFG_WRITE:
		cfg_access(node, &m, data);
		return 0;
	case OP_MMIO_READ:
		bar_access(node, &m, node->in);
		return (uint32_t)vhost_chain_write(chain, node->in, m.size);
	case OP_MMIO_MEMSET:
		memset(data, data[0], m.size);
		bar_access(node, &m, data);
		return 0;
	default:
		bar_access(node, &m, data);
		return 0;
	}
}

/* A doorbell that the device cannot take now. It would keep all kernels waiting, not this one. */
static bool
must_wait(struct vhost_node *node, const struct vhost_chain *chain)
{
	struct pci_msg m;

	if (null_device_odb_room(node->dev) ||
	    vhost_chain_read(chain, &m, sizeof(m)) < sizeof(m))
		return false;
	return m.op == OP_MMIO_WRITE && m.bar == TSI721_BAR_DOORBELL;
}

void
vhost_pci_run(struct vhost_node *node)
{
	struct vhost_queue *q = &node->guest.queue[VHOST_QUEUE_CMD];
	struct vhost_rings rings;
	struct vhost_chain chain;
	uint32_t n = 0;

	q->more = false;
	q->held = false;
	if (node->dev == NULL || !vhost_ring_open(node, VHOST_QUEUE_CMD, &rings))
		return;
	while (n < BATCH && vhost_ring_pop(node, VHOST_QUEUE_CMD, &rings, &chain)) {
		q->held = must_wait(node, &chain);
		if (q->held) {
			vhost_ring_unpop(node, VHOST_QUEUE_CMD);
			break;
		}
		vhost_ring_push(&rings, &chain, op_run(node, &chain));
		n++;
	}
	q->more = n == BATCH;
	if (n > 0)
		vhost_ring_notify(node, VHOST_QUEUE_CMD, &rings);
}

/* ---- interrupts ---- */

void
vhost_pci_irq(void *ctx, const struct null_irq *irq)
{
	struct vhost_node *node = ctx;
	struct vhost_irqs *irqs = &node->irqs;
	uint32_t i;

	switch (irq->kind) {
	case NULL_IRQ_MSIX:
		i = irq->vector % TSI721_MSIX_VECTORS;
		break;
	case NULL_IRQ_MSI:
		i = VHOST_IRQ_MSI;
		break;
	default:
		if (!irq->level)
			return;	/* a guest's kernel is told of assertions only */
		i = VHOST_IRQ_INTX;
	}
	atomic_store_explicit(&irqs->msg[i].addr, irq->addr, memory_order_relaxed);
	atomic_store_explicit(&irqs->msg[i].data, irq->data, memory_order_relaxed);
	atomic_fetch_or(&irqs->pending[i / 64], 1ull << (i % 64));
	atomic_store(&irqs->fresh, true);
	vhost_wake(node->vhost);
}

/* Put interrupt i into a buffer of the guest. False: there is none. */
static bool
irq_send(struct vhost_node *node, const struct vhost_rings *rings, uint32_t i)
{
	struct vhost_irqs *irqs = &node->irqs;
	struct vhost_chain chain;
	struct {
		struct pci_msg m;
		uint32_t data;
	} msg = { 0 };
	size_t len = MSG_LEN;

	if (!vhost_ring_pop(node, VHOST_QUEUE_IRQ, rings, &chain))
		return false;
	atomic_fetch_and(&irqs->pending[i / 64], ~(1ull << (i % 64)));
	if (i == VHOST_IRQ_INTX) {
		msg.m.op = OP_INT;
		msg.m.addr = 1;	/* INTA */
	} else {
		msg.m.op = OP_MSI;
		msg.m.size = sizeof(msg.data);
		msg.m.addr = atomic_load_explicit(&irqs->msg[i].addr, memory_order_relaxed);
		msg.data = atomic_load_explicit(&irqs->msg[i].data, memory_order_relaxed);
		len += sizeof(msg.data);
	}
	if (chain.in_len < len) {
		vhost_guest_fail(node, "interrupt buffer of %zu bytes: %zu are needed",
				 chain.in_len, len);
		return false;
	}
	vhost_ring_push(rings, &chain, (uint32_t)vhost_chain_write(&chain, &msg, len));
	return true;
}

void
vhost_pci_irqs(struct vhost_node *node)
{
	struct vhost_irqs *irqs = &node->irqs;
	struct vhost_rings rings;
	bool sent = false;
	uint32_t i;

	atomic_store(&irqs->fresh, false);
	node->guest.queue[VHOST_QUEUE_IRQ].more = false;
	if (!vhost_ring_open(node, VHOST_QUEUE_IRQ, &rings))
		return;
	for (i = 0; i < VHOST_IRQS; i++) {
		if ((atomic_load(&irqs->pending[i / 64]) & 1ull << (i % 64)) == 0)
			continue;
		if (!irq_send(node, &rings, i))
			break;
		sent = true;
	}
	if (sent)
		vhost_ring_notify(node, VHOST_QUEUE_IRQ, &rings);
}
