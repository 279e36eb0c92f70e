/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <errno.h>

#include <rte_cycles.h>

#include "tsi721_link.h"

#define SP(reg)		(TSI721_SP_BASE + (reg))
#define EM(reg)		(TSI721_EM_BASE + (reg))
#define STICKY		(RIO_PORT_N_ERR_STS_OUT_ES | RIO_PORT_N_ERR_STS_INP_ES | \
			 RIO_PORT_N_ERR_STS_PORT_ERR)
#define ERRRATE_COUNT	0x000000ffu
#define OFF_US		10u	/* a port stays disabled, so that the partner notices */

void
tsi721_link_errors(struct tsi721_device *dev, struct tsi721_link_errors *e)
{
	uint32_t sts = tsi721_read32(dev, SP(RIO_PORT_N_ERR_STS_CSR(0)));

	*e = (struct tsi721_link_errors){
		.port_error = (sts & RIO_PORT_N_ERR_STS_PORT_ERR) != 0,
		.output_stopped = (sts & RIO_PORT_N_ERR_STS_OUT_ES) != 0,
		.input_stopped = (sts & RIO_PORT_N_ERR_STS_INP_ES) != 0,
		.port_detect = tsi721_read32(dev, EM(RIO_EM_PN_ERR_DETECT(0))),
		.logical_detect = tsi721_read32(dev, EM(RIO_EM_LTL_ERR_DETECT)),
		.rate = (uint8_t)(tsi721_read32(dev, EM(RIO_EM_PN_ERRRATE(0))) & ERRRATE_COUNT),
		.retries_made = tsi721_read32(dev, TSI721_RETRY_GEN_CNT),
		.retries_got = tsi721_read32(dev, TSI721_RETRY_RX_CNT),
	};
}

void
tsi721_link_errors_clear(struct tsi721_device *dev)
{
	tsi721_write32(dev, SP(RIO_PORT_N_ERR_STS_CSR(0)), STICKY);
	tsi721_write32(dev, EM(RIO_EM_PN_ERR_DETECT(0)), 0);
	tsi721_write32(dev, EM(RIO_EM_LTL_ERR_DETECT), 0);
	tsi721_write32(dev, TSI721_RETRY_GEN_CNT, 0);
	tsi721_write32(dev, TSI721_RETRY_RX_CNT, 0);
}

/* The partner's answer to a link request: both sides agree on acknowledge IDs again. */
static bool
link_request(struct tsi721_device *dev)
{
	unsigned int us;

	tsi721_write32(dev, SP(RIO_PORT_N_MNT_REQ_CSR(0)), RIO_MNT_REQ_CMD_INPUT_STATUS);
	for (us = 0; us < 50; us++) {
		if (tsi721_read32(dev, SP(RIO_PORT_N_MNT_RSP_CSR(0))) & RIO_PORT_N_MNT_RSP_RVAL)
			return true;
		rte_delay_us_block(1);
	}
	return false;
}

int
tsi721_link_retrain(struct tsi721_device *dev, unsigned int timeout_ms)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() / 1000 * timeout_ms;
	uint32_t ctl = tsi721_read32(dev, SP(RIO_PORT_N_CTL_CSR(0))) & ~RIO_PORT_N_CTL_PORT_DIS;
	struct tsi721_link link;

	tsi721_write32(dev, SP(RIO_PORT_N_CTL_CSR(0)), ctl | RIO_PORT_N_CTL_PORT_DIS);
	/* Read back, so that the port is off for as long as is waited. */
	tsi721_read32(dev, SP(RIO_PORT_N_CTL_CSR(0)));
	rte_delay_us_block(OFF_US);
	tsi721_write32(dev, SP(RIO_PORT_N_CTL_CSR(0)), ctl);
	for (;;) {
		tsi721_link_get(dev, &link);
		if (link.up && link_request(dev))
			break;
		if (rte_get_timer_cycles() >= end)
			return -ETIMEDOUT;
		rte_delay_us_block(10);
	}
	tsi721_link_errors_clear(dev);
	return 0;
}
