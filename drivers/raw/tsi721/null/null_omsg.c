/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/*
 * Outbound message channels. A run works through descriptors in lots of up to
 * one line of the status FIFO: the target's channel stays locked over a lot,
 * then the line is written, then DRDCNT moves.
 */

#include "null_queue.h"

#define NO_WAKE			UINT32_MAX
#define RQRPTO_UNIT_NS		(1000ull * 1000)
#define QSTS_SUSPENDED		0x00000002u	/* SUSPENDED was reported; no register shows it */
#define MSG_FIELDS		(TSI721_OMD_BCOUNT | TSI721_OMD_SSIZE | TSI721_OMD_LETTER | \
				 TSI721_OMD_XMBOX | TSI721_OMD_MBOX)
#define SEGMENTS_MAX		16u

/* What became of a descriptor: 0 for well, an enum null_abort, or this. */
#define NOT_ENDED		0xffu	/* RETRY */

struct run {
	struct null_device *dev;
	struct null_engine *eng;
	struct null_omsg_ch *ch;
	uint32_t index;
	struct null_imsg_put put;
	bool put_left;			/* null_imsg_closed is still to come */
	uint64_t *fifo;			/* line that the lot's completions go to */
	uint64_t line[TSI721_STS_LINE_SLOTS];
	uint32_t nb;			/* of them */
	uint32_t msgs, bytes;		/* of the lot */
	bool iof;
	bool done;			/* a descriptor has ended well in this run */
	uint32_t wake;			/* endpoint whose waiters are to be woken */
};

static const struct null_intr_vec *
omsg_vecs(uint32_t index, struct null_intr_vec vecs[3])
{
	const uint32_t done = TSI721_OBDMAC_INT_DONE | TSI721_OBDMAC_INT_IOF_DONE;

	vecs[0] = (struct null_intr_vec){ done, TSI721_MSIX_OMSG_DONE(index) };
	vecs[1] = (struct null_intr_vec){ TSI721_OBDMAC_INT_ALL & ~done,
					  TSI721_MSIX_OMSG_INT(index) };
	vecs[2] = (struct null_intr_vec){ 0, 0 };
	return vecs;
}

static void
omsg_raise(struct null_device *dev, uint32_t index, uint32_t bits)
{
	struct null_omsg_ch *ch = &dev->chip->omsg[index];
	struct null_intr_vec vecs[3];
	uint32_t i;

	omsg_vecs(index, vecs);
	for (i = 0; vecs[i].bits != 0; i++)
		if ((bits & vecs[i].bits) != 0)
			null_intr_raise(dev->fab, dev->ep, &ch->intr, &ch->inte,
					bits & vecs[i].bits, vecs[i].vector);
}

/* ---- one descriptor ---- */

static inline uint32_t
ended_of(enum null_resp resp)
{
	switch (resp) {
	case NULL_RESP_DONE:
		return 0;
	case NULL_RESP_RETRY:
		return NOT_ENDED;
	case NULL_RESP_TIMEOUT:
		return NULL_ABORT_TIMEOUT;
	default:
		return NULL_ABORT_ERROR;
	}
}

/* Bytes of a segment by its code; 0: reserved. */
static uint32_t
segment_size(uint32_t code)
{
	return code >= 9 && code <= TSI721_MSG_SSIZE_256 ? 8u << (code - 9) : 0;
}

/* Packets of a message whose descriptor msg_make() found good. */
static uint32_t
segments(uint32_t w1, uint32_t len)
{
	uint32_t ssize = segment_size((w1 & TSI721_OMD_SSIZE) >> TSI721_OMD_SSIZE_SHIFT);

	return (len + ssize - 1) / ssize;
}

/* Make what goes over the link of a descriptor; false: no such message exists. */
static bool
msg_make(const struct run *r, uint32_t w0, uint32_t w1, struct null_imsg *msg)
{
	uint32_t tt = (w1 & TSI721_OMD_TT) >> TSI721_OMD_TT_SHIFT;
	uint32_t ssize = segment_size((w1 & TSI721_OMD_SSIZE) >> TSI721_OMD_SSIZE_SHIFT);

	msg->len = w1 & TSI721_OMD_BCOUNT;
	if (msg->len == 0)
		msg->len = TSI721_MSG_SIZE_MAX;
	if (null_unlikely(tt > TSI721_TT_16 || msg->len > ssize * SEGMENTS_MAX))
		return false;
	msg->word0 = TSI721_DTYPE_IMSG << TSI721_DTYPE_SHIFT | tt << TSI721_IMD_TT_SHIFT |
		     (w0 & (TSI721_OMD_CRF | TSI721_OMD_PRIO)) | null_source_id(r->dev->chip, tt);
	msg->word1 = TSI721_IMD_HO | (w1 & MSG_FIELDS);
	return true;
}

static void
put_closed(struct run *r)
{
	r->put_left = false;
	if (null_unlikely(null_imsg_closed(r->dev, &r->put)))
		r->wake = r->put.ep;
}

/* When nothing else is to be done, the engine's own release orders the rest. */
static void
put_close(struct run *r, bool last)
{
	if (!r->put.open)
		return;
	null_imsg_close(r->dev, &r->put, !last);
	r->put_left = true;
	if (!last)
		put_closed(r);
}

/* Over links with faults, which may change the data: of a copy. */
static enum null_resp
deliver_faulty(struct run *r, uint32_t destid, uint32_t tt, uint32_t packets,
	       const struct null_imsg *msg)
{
	uint8_t data[TSI721_MSG_SIZE_MAX];
	struct null_imsg copy = *msg;
	struct null_fate fate;
	enum null_resp resp;

	null_link_fate(r->dev->fab, r->dev->ep, destid, tt, NULL_REQ_MSG, packets, &fate);
	if (!fate.deliver) {
		if (fate.resp == NULL_RESP_RETRY)
			null_wait_for(r->dev, NULL_RETRY_OMSG(r->index),
				      &r->put.chip->imsg_waiters);
		return fate.resp;
	}
	if (fate.corrupt) {
		memcpy(data, msg->data, msg->len);
		null_link_corrupt(data, msg->len);
		copy.data = data;
	}
	resp = null_imsg_deliver(r->dev, r->eng, NULL_RETRY_OMSG(r->index), &r->put, &copy);
	return resp == NULL_RESP_DONE ? fate.resp : resp;
}

static uint32_t
msg_send(struct run *r, uint32_t w0, uint32_t w1, uint64_t bufptr)
{
	uint32_t destid = w0 & TSI721_OMD_DEVID;
	uint32_t tt = (w1 & TSI721_OMD_TT) >> TSI721_OMD_TT_SHIFT;
	uint32_t mbox = (w1 & (TSI721_OMD_MBOX | TSI721_OMD_XMBOX)) >> TSI721_OMD_XMBOX_SHIFT;
	enum null_resp resp = NULL_RESP_DONE;
	struct null_imsg msg;
	uint32_t key;

	if (null_unlikely(!msg_make(r, w0, w1, &msg)))
		return NULL_ABORT_DESC;
	msg.data = null_dma_mem(r->dev, r->eng, bufptr, msg.len);
	if (null_unlikely(msg.data == NULL))
		return NULL_ABORT_PCI;
	if (null_likely(tt == TSI721_TT_8))
		destid &= 0xff;
	/* xmbox continues the mailbox number upwards. */
	mbox = (mbox & 0xf) << 2 | mbox >> 4;
	key = tt << 22 | mbox << 16 | destid;
	if (r->put.open && r->put.key != key)
		put_close(r, false);
	if (!r->put.open) {
		r->put.key = key;
		resp = null_imsg_open(r->dev, r->eng, NULL_RETRY_OMSG(r->index), destid, tt, mbox,
				      &r->put);
	}
	if (null_unlikely(resp == NULL_RESP_DONE && r->put.faults != 0))
		resp = deliver_faulty(r, destid, tt, segments(w1, msg.len), &msg);
	else if (null_likely(resp == NULL_RESP_DONE))
		resp = null_imsg_deliver(r->dev, r->eng, NULL_RETRY_OMSG(r->index), &r->put, &msg);
	if (null_likely(resp == NULL_RESP_DONE)) {
		r->msgs++;
		r->bytes += msg.len;
	}
	return ended_of(resp);
}

/* Carry out the descriptor at ch->desc, and move on if it ended well. */
static uint32_t
desc_run(struct run *r)
{
	struct null_omsg_ch *ch = r->ch;
	const uint64_t *desc = null_words(null_dma_mem(r->dev, r->eng, ch->desc,
						       TSI721_OMSG_DESC_SIZE));
	uint64_t words, bufptr;
	uint32_t ended;

	if (null_unlikely(desc == NULL))
		return NULL_ABORT_PCI;
	words = null_load64(desc);
	bufptr = null_load64(desc + 1);
	r->line[r->nb] = ch->desc;
	switch ((uint32_t)words >> TSI721_DTYPE_SHIFT) {
	case TSI721_DTYPE_OMSG:
		ended = msg_send(r, (uint32_t)words, (uint32_t)(words >> 32), bufptr);
		if (null_unlikely(ended != 0))
			return ended;
		ch->desc += TSI721_OMSG_DESC_SIZE;
		r->iof = (words & TSI721_OMD_IOF) != 0;
		break;
	case TSI721_DTYPE_OMSG_LINK:
		ch->desc = bufptr & ~(uint64_t)(TSI721_OMSG_DESC_SIZE - 1);
		break;
	default:
		return NULL_ABORT_DESC;
	}
	r->nb++;
	return 0;
}

/* ---- status FIFO ---- */

static inline uint32_t
fifo_mask(const struct null_omsg_ch *ch)
{
	return TSI721_RING_ENTRIES(atomic_load_explicit(&ch->dssz, memory_order_relaxed)) - 1;
}

static inline bool
fifo_full(const struct null_omsg_ch *ch)
{
	return ((atomic_load(&ch->dswp) + 1 - atomic_load(&ch->dsrp)) & fifo_mask(ch)) == 0;
}

static uint64_t *
fifo_line(struct run *r)
{
	struct null_omsg_ch *ch = r->ch;
	uint64_t addr = null_u64(atomic_load_explicit(&ch->dsbh, memory_order_relaxed),
				 atomic_load_explicit(&ch->dsbl, memory_order_relaxed));

	addr += (uint64_t)atomic_load_explicit(&ch->dswp, memory_order_relaxed) *
		TSI721_STS_LINE_SIZE;
	return null_words(null_dma_mem(r->dev, r->eng, addr, TSI721_STS_LINE_SIZE));
}

/*
 * Write the lot's completions. The first slot is stored last: a driver that
 * finds it filled finds all of them, as after one bus write of the line.
 */
static void
fifo_publish(struct run *r)
{
	struct null_omsg_ch *ch = r->ch;
	uint32_t i, drdcnt = atomic_load_explicit(&ch->drdcnt, memory_order_relaxed);
	uint32_t dswp = atomic_load_explicit(&ch->dswp, memory_order_relaxed);

	if (r->nb == 0)
		return;
	for (i = r->nb - 1; i > 0; i--)
		null_store64(r->fifo + i, r->line[i]);
	null_publish64(r->fifo, r->line[0]);
	atomic_store_explicit(&ch->dswp, (dswp + 1) & fifo_mask(ch), memory_order_release);
	atomic_store_explicit(&ch->drdcnt, drdcnt + r->nb, memory_order_release);
	null_count(&ch->sent, r->msgs);
	null_count(&ch->bytes, r->bytes);
	r->done = true;
}

/* ---- a run ---- */

static void
channel_restart(struct null_omsg_ch *ch)
{
	atomic_store(&ch->armed, 0);
	atomic_store(&ch->dwrcnt, 0);
	atomic_store(&ch->drdcnt, 0);
	atomic_store(&ch->sts, 0);
	atomic_store(&ch->dsrp, 0);
	atomic_store(&ch->dswp, 0);
	ch->desc = null_u64(atomic_load(&ch->dptrh), atomic_load(&ch->dptrl));
	ch->since_ns = 0;
}

static void
channel_settle(struct null_device *dev, uint32_t index)
{
	struct null_omsg_ch *ch = &dev->chip->omsg[index];
	uint32_t ctl = atomic_load(&ch->ctl);
	uint32_t sts;

	if ((ctl & TSI721_OBDMAC_CTL_INIT) != 0) {
		channel_restart(ch);
		atomic_fetch_and(&ch->ctl, ~TSI721_OBDMAC_CTL_INIT);
	}
	sts = atomic_load(&ch->sts);
	if ((ctl & TSI721_OBDMAC_CTL_SUSPEND) == 0) {
		atomic_store(&ch->sts, sts & ~QSTS_SUSPENDED);
	} else if ((sts & QSTS_SUSPENDED) == 0) {
		atomic_store(&ch->sts, sts | QSTS_SUSPENDED);
		omsg_raise(dev, index, TSI721_OBDMAC_INT_SUSPENDED);
	}
}

static inline bool
channel_drained(const struct null_omsg_ch *ch)
{
	return atomic_load_explicit(&ch->dwrcnt, memory_order_acquire) ==
	       atomic_load_explicit(&ch->drdcnt, memory_order_relaxed);
}

static inline bool
channel_running(const struct null_omsg_ch *ch)
{
	return atomic_load_explicit(&ch->armed, memory_order_acquire) != 0 &&
	       (atomic_load_explicit(&ch->sts, memory_order_relaxed) &
		(TSI721_OBDMAC_STS_ABORT | QSTS_SUSPENDED)) == 0 &&
	       !channel_drained(ch);
}

static void
channel_abort(struct run *r, uint32_t why)
{
	struct null_omsg_ch *ch = r->ch;

	r->done = false;
	ch->since_ns = 0;
	atomic_store(&ch->sts, TSI721_OBDMAC_STS_ABORT |
		     why << TSI721_OBDMAC_STS_CS_SHIFT);
	null_stat_add(r->dev->chip, NULL_STAT_OMSG_ERRORS, 1);
	omsg_raise(r->dev, r->index, TSI721_OBDMAC_INT_ERROR);
}

/* The head was answered with RETRY. True: for too long by now. */
static bool
retry_expired(struct run *r)
{
	uint64_t limit = atomic_load(&r->dev->chip->rqrpto) * RQRPTO_UNIT_NS;
	uint64_t now = null_now_ns();

	null_stat_add(r->dev->chip, NULL_STAT_OMSG_RETRIES, 1);
	if (r->ch->since_ns == 0)
		r->ch->since_ns = now;
	return limit != 0 && now - r->ch->since_ns >= limit;
}

/* As many descriptors as fit a line. 0: all of them ended well. */
static uint32_t
lot_run(struct run *r)
{
	uint32_t left = atomic_load_explicit(&r->ch->dwrcnt, memory_order_acquire) -
			atomic_load_explicit(&r->ch->drdcnt, memory_order_relaxed);
	uint32_t ended = 0;

	/* More came after what seemed to be the last lot. */
	if (null_unlikely(r->put_left)) {
		atomic_fetch_or(&r->ch->todo, 0);
		put_closed(r);
	}
	r->nb = 0;
	r->msgs = 0;
	r->bytes = 0;
	r->iof = false;
	r->fifo = fifo_line(r);
	if (null_unlikely(r->fifo == NULL))
		return NULL_ABORT_PCI;
	while (left > 0 && r->nb < TSI721_STS_LINE_SLOTS && !r->iof && r->wake == NO_WAKE) {
		ended = desc_run(r);
		if (null_unlikely(ended != 0))
			break;
		r->ch->since_ns = 0;
		left--;
	}
	put_close(r, left == 0 || ended != 0);
	fifo_publish(r);
	if (null_unlikely(r->iof))
		omsg_raise(r->dev, r->index, TSI721_OBDMAC_INT_IOF_DONE);
	return ended;
}

/* Under the engine's lock. */
static void
omsg_work(struct run *r)
{
	uint32_t ended;

	null_engine_check(r->dev, r->eng);
	while (r->wake == NO_WAKE) {
		if (null_unlikely((atomic_load_explicit(&r->ch->ctl, memory_order_relaxed) &
				   ~TSI721_OBDMAC_CTL_RETRY_THR) != 0 ||
				  (atomic_load_explicit(&r->ch->sts, memory_order_relaxed) &
				   QSTS_SUSPENDED) != 0))
			channel_settle(r->dev, r->index);
		if (!channel_running(r->ch))
			break;
		if (null_unlikely(fifo_full(r->ch))) {
			omsg_raise(r->dev, r->index, TSI721_OBDMAC_INT_ST_FULL);
			return;
		}
		ended = lot_run(r);
		if (null_unlikely(ended == NOT_ENDED)) {
			if (!retry_expired(r))
				return;
			ended = NULL_ABORT_TIMEOUT;
		}
		if (null_unlikely(ended != 0))
			channel_abort(r, ended);
		null_engine_check(r->dev, r->eng);
	}
	/* Once a burst, with nothing left to do: RUN reads as 0 from here on. */
	if (r->done && channel_drained(r->ch)) {
		r->done = false;
		omsg_raise(r->dev, r->index, TSI721_OBDMAC_INT_DONE);
	}
}

void
null_omsg_run(struct null_device *dev, uint32_t index)
{
	struct null_omsg_ch *ch = &dev->chip->omsg[index];
	struct run r;

	if (null_unlikely(null_stuck(dev, NULL_STUCK_OMSG(index)))) {
		null_stuck_hit(dev);
		atomic_fetch_or(&dev->retry, NULL_RETRY_OMSG(index));
		return;
	}
	r.dev = dev;
	r.eng = &dev->omsg[index];
	r.ch = ch;
	r.index = index;
	r.put.open = false;
	r.put_left = false;
	r.done = false;
	do {
		if (!null_engine_enter(dev->fab, &ch->lock, &ch->todo))
			return;
		r.wake = NO_WAKE;
		r.put.left = NULL_EP_MAX;
		omsg_work(&r);
		null_lock_release(dev->fab, &ch->lock);
		if (null_likely(r.put_left))
			put_closed(&r);
		if (null_unlikely(r.wake != NO_WAKE))
			null_waiters_wake(dev->fab, r.wake,
					  &null_chip_at(dev->fab, r.wake)->imsg_waiters);
		if (null_unlikely(r.put.left != NULL_EP_MAX))
			null_waiters_wake(dev->fab, r.put.left,
					  &null_chip_at(dev->fab, r.put.left)->imsg_waiters);
	} while (null_unlikely(r.wake != NO_WAKE || atomic_load(&ch->todo) != 0));
}

/* ---- registers ---- */

static void
dwrcnt_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_omsg_ch *ch = &dev->chip->omsg[i];

	atomic_store_explicit(&ch->dwrcnt, val, memory_order_release);
	if (null_unlikely(atomic_load_explicit(&ch->armed, memory_order_relaxed) == 0))
		atomic_store(&ch->armed, 1);
	null_engine_start(dev, NULL_RETRY_OMSG(i));
}

/* Change what only the engine may; what came in between is run afterwards. */
static void
between_runs(struct null_device *dev, uint32_t i,
	     void (*change)(struct null_device *dev, uint32_t i, uint32_t val), uint32_t val)
{
	struct null_omsg_ch *ch = &dev->chip->omsg[i];
	bool stolen;

	if (null_lock_wait(dev->fab, &ch->lock, &stolen)) {
		change(dev, i, val);
		null_lock_release(dev->fab, &ch->lock);
	}
	null_engine_start(dev, NULL_RETRY_OMSG(i));
}

static void
drdcnt_change(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_omsg_ch *ch = &dev->chip->omsg[i];

	if (channel_running(ch))
		return;
	atomic_store(&ch->armed, 0);
	atomic_store(&ch->drdcnt, val);
	ch->desc = null_u64(atomic_load(&ch->dptrh), atomic_load(&ch->dptrl)) +
		   (uint64_t)val * TSI721_OMSG_DESC_SIZE;
}

static void
drdcnt_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	between_runs(dev, i, drdcnt_change, val);
}

static void
dptr_change(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_omsg_ch *ch = &dev->chip->omsg[i];

	(void)val;
	if (!channel_running(ch))
		ch->desc = null_u64(atomic_load(&ch->dptrh), atomic_load(&ch->dptrl));
}

static void
dptrl_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	atomic_store(&dev->chip->omsg[i].dptrl, val);
	between_runs(dev, i, dptr_change, 0);
}

static void
dptrh_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	atomic_store(&dev->chip->omsg[i].dptrh, val);
	between_runs(dev, i, dptr_change, 0);
}

static void
ctl_change(struct null_device *dev, uint32_t i, uint32_t val)
{
	(void)val;
	channel_settle(dev, i);
}

static void
ctl_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	_Atomic uint32_t *ctl = &dev->chip->omsg[i].ctl;

	atomic_fetch_and(ctl, val | TSI721_OBDMAC_CTL_INIT);
	atomic_fetch_or(ctl, val);
	between_runs(dev, i, ctl_change, 0);
}

static uint32_t
sts_read(struct null_device *dev, uint32_t i)
{
	const struct null_omsg_ch *ch = &dev->chip->omsg[i];

	if (channel_running(ch))
		return TSI721_OBDMAC_STS_RUN;
	return atomic_load(&ch->sts) & (TSI721_OBDMAC_STS_ABORT | TSI721_OBDMAC_STS_CS);
}

static void
dsrp_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	atomic_store_explicit(&dev->chip->omsg[i].dsrp, val, memory_order_release);
	if (null_unlikely(channel_running(&dev->chip->omsg[i])))
		null_engine_start(dev, NULL_RETRY_OMSG(i));
}

static void
int_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	null_intr_clear(dev->fab, dev->ep, &dev->chip->omsg[i].intr, val);
}

static void
intset_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	omsg_raise(dev, i, val);
}

static void
inte_write(struct null_device *dev, uint32_t i, uint32_t val)
{
	struct null_omsg_ch *ch = &dev->chip->omsg[i];
	struct null_intr_vec vecs[3];

	null_intr_enable(dev->fab, dev->ep, &ch->intr, &ch->inte, val, omsg_vecs(i, vecs));
}

#define CHAN(member, n, o) \
	.name = n, .off = TSI721_MSG_BASE(0) + (o), .count = TSI721_OMSG_NUM, .stride = 0x1000, \
	NULL_STATES(omsg, member)
#define CHAN_NO_STATE(n, o) \
	.name = n, .off = TSI721_MSG_BASE(0) + (o), .count = TSI721_OMSG_NUM, .stride = 0x1000, \
	.state = NULL_NO_STATE
#define CTL_MASK	(TSI721_OBDMAC_CTL_RETRY_THR | TSI721_OBDMAC_CTL_SUSPEND | \
			 TSI721_OBDMAC_CTL_INIT)
#define PWE_MASK	0x00000002u
#define DSPTR_MASK	0x0007ffffu

static const struct null_reg rows[] = {
	{ CHAN(dwrcnt, "OBDMAC_DWRCNT", 0x000), .access = NULL_RW, .wmask = UINT32_MAX,
	  .write = dwrcnt_write },
	{ CHAN(drdcnt, "OBDMAC_DRDCNT", 0x004), .access = NULL_RW, .wmask = UINT32_MAX,
	  .write = drdcnt_write },
	{ CHAN(ctl, "OBDMAC_CTL", 0x008), .access = NULL_RW, .wmask = CTL_MASK,
	  .write = ctl_write },
	{ CHAN(intr, "OBDMAC_INT", 0x00c), .access = NULL_W1C, .wmask = TSI721_OBDMAC_INT_ALL,
	  .write = int_write },
	{ CHAN_NO_STATE("OBDMAC_INTSET", 0x010), .access = NULL_WO,
	  .wmask = TSI721_OBDMAC_INT_ALL, .write = intset_write },
	{ CHAN(sts, "OBDMAC_STS", 0x014), .access = NULL_RO, .read = sts_read },
	{ CHAN(inte, "OBDMAC_INTE", 0x018), .access = NULL_RW, .wmask = TSI721_OBDMAC_INT_ALL,
	  .write = inte_write },
	{ CHAN(pwe, "OBDMAC_PWE", 0x01c), .access = NULL_RW, .wmask = PWE_MASK },
	{ CHAN(dptrl, "OBDMAC_DPTRL", 0x020), .access = NULL_RW,
	  .wmask = TSI721_OBDMAC_DPTRL_ADDR, .write = dptrl_write },
	{ CHAN(dptrh, "OBDMAC_DPTRH", 0x024), .access = NULL_RW, .wmask = UINT32_MAX,
	  .write = dptrh_write },
	{ CHAN(dsbl, "OBDMAC_DSBL", 0x040), .access = NULL_RW, .wmask = TSI721_OBDMAC_DSBL_ADDR },
	{ CHAN(dsbh, "OBDMAC_DSBH", 0x044), .access = NULL_RW, .wmask = UINT32_MAX },
	{ CHAN(dssz, "OBDMAC_DSSZ", 0x048), .access = NULL_RW, .wmask = TSI721_DMAC_DSSZ_CODE },
	{ CHAN(dsrp, "OBDMAC_DSRP", 0x04c), .access = NULL_RW, .wmask = DSPTR_MASK,
	  .write = dsrp_write },
	{ CHAN(dswp, "OBDMAC_DSWP", 0x050), .access = NULL_RO },
};

const struct null_reg_block null_omsg_regs = { rows, sizeof(rows) / sizeof(rows[0]) };
