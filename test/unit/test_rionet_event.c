/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

/* What ports do and tell without being called: interrupts, ageing, failed messages. */

#include <errno.h>

#include <rte_cycles.h>
#include <rte_interrupts.h>
#include <rte_power_intrinsics.h>

#include <tsi721_device.h>
#include <tsi721_doorbell.h>
#include <tsi721_mbox.h>

#include "rionet_ports.h"

static void
open_intr(unsigned int n, const struct rte_eth_conf *conf)
{
	open_port(n, "");
	assert_int_equal(rte_eth_dev_configure(p[n].id, 1, 1, conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(p[n].id, 0, NB_DESC, SOCKET_ID_ANY, NULL, pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(p[n].id, 0, NB_DESC, SOCKET_ID_ANY, NULL), 0);
	start_port(n);
}

static int
wait_frame(int ms)
{
	struct rte_epoll_event event;

	return rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, ms);
}

static void
test_rx_interrupt(void **state)
{
	const struct rte_eth_conf conf = { .rxmode.mtu = 1500, .intr_conf.rxq = 1 };
	unsigned int round;
	uint16_t id;

	(void)state;
	open_port(0, "");
	start_port(0);
	for (round = 0; round < 3; round++) {
		open_intr(1, &conf);
		id = p[1].id;
		assert_xstat(0, "peers_joined", 1);
		assert_int_equal(rte_eth_dev_rx_intr_ctl_q(id, 0, RTE_EPOLL_PER_THREAD,
							   RTE_INTR_EVENT_ADD, NULL), 0);
		assert_true(rte_eth_dev_rx_intr_ctl_q_get_fd(id, 0) >= 0);
		/* Not enabled: silent. Enabled: silent until a frame comes, once. */
		transmit(0, &p[1].mac, &p[0].mac, 64, 1);
		assert_int_equal(wait_frame(50), 0);
		receive(1, &p[1].mac, &p[0].mac, 64, 1);
		assert_int_equal(rte_eth_dev_rx_intr_enable(id, 0), 0);
		assert_int_equal(wait_frame(50), 0);
		transmit(0, &p[1].mac, &p[0].mac, 64, 2);
		assert_int_equal(wait_frame(5000), 1);
		assert_int_equal(wait_frame(50), 0);
		/* Not taken yet: it wakes at once. */
		assert_int_equal(rte_eth_dev_rx_intr_enable(id, 0), 0);
		assert_int_equal(wait_frame(5000), 1);
		receive(1, &p[1].mac, &p[0].mac, 64, 2);
		assert_int_equal(rte_eth_dev_rx_intr_enable(id, 0), 0);
		assert_int_equal(rte_eth_dev_rx_intr_disable(id, 0), 0);
		transmit(0, &p[1].mac, &p[0].mac, 64, 3);
		assert_int_equal(wait_frame(50), 0);
		receive(1, &p[1].mac, &p[0].mac, 64, 3);
		/* Stopped and closed, with the thread's epoll instance still holding it. */
		stop_port(1);
		close_port(1);
	}
}

/* The word that a sleeping core watches changes when a frame comes, and only then. */
static void
test_monitor(void **state)
{
	struct rte_power_monitor_cond cond;
	unsigned int i;

	(void)state;
	open_port(0, "");
	open_port(1, "");
	start_port(0);
	start_port(1);
	for (i = 0; i < 3 * NB_DESC; i++) {
		assert_int_equal(rte_eth_get_monitor_addr(p[1].id, 0, &cond), 0);
		assert_int_equal(cond.size, 4);
		assert_int_equal(cond.fn(*(volatile uint32_t *)cond.addr, cond.opaque), 0);
		transmit(0, &p[1].mac, &p[0].mac, 64, i);
		assert_int_equal(cond.fn(*(volatile uint32_t *)cond.addr, cond.opaque), -1);
		receive(1, &p[1].mac, &p[0].mac, 64, i);
	}
	assert_int_equal(rte_eth_dev_rx_queue_stop(p[1].id, 0), 0);
	assert_int_equal(rte_eth_get_monitor_addr(p[1].id, 0, &cond), -EINVAL);
	/* Frames that come by DMA would not be seen there. */
	rig_mode = "mode=auto";
	open_port(2, "");
	rig_mode = "mode=msg";
	start_port(2);
	assert_int_equal(rte_eth_get_monitor_addr(p[2].id, 0, &cond), -ENOTSUP);
}

static unsigned int removed;

static int
count_event(uint16_t id, enum rte_eth_event_type type, void *arg, void *ret)
{
	(void)id;
	(void)type;
	(void)ret;
	__atomic_fetch_add((unsigned int *)arg, 1, __ATOMIC_SEQ_CST);
	return 0;
}

static unsigned int
wait_count(unsigned int *count, unsigned int want)
{
	unsigned int i;

	for (i = 0; i < 5000 && __atomic_load_n(count, __ATOMIC_SEQ_CST) != want; i++)
		rte_delay_us_sleep(1000);
	return __atomic_load_n(count, __ATOMIC_SEQ_CST);
}

static const struct tsi721_bus_ops *real_ops;

/* A board that was pulled out: every register reads as all ones. */
static uint32_t
read_gone(void *bus, unsigned int bar, uint64_t off)
{
	(void)bus;
	(void)bar;
	(void)off;
	return UINT32_MAX;
}

static void
write_gone(void *bus, unsigned int bar, uint64_t off, uint32_t val)
{
	(void)bus;
	(void)bar;
	(void)off;
	(void)val;
}

static void
dbell_gone(void *bus, uint32_t off, uint16_t info)
{
	(void)bus;
	(void)off;
	(void)info;
}

static const struct tsi721_bus_ops gone_ops = {
	.read32 = read_gone,
	.write32 = write_gone,
	.doorbell = dbell_gone,
};

static void
test_removal(void **state)
{
	struct tsi721_device *dev = tsi721_device_get("raw_tsi721_net_rionet0");

	(void)state;
	assert_null(dev);
	open_port(0, "");
	start_port(0);
	dev = tsi721_device_get("raw_tsi721_net_rionet0");
	assert_non_null(dev);
	removed = 0;
	assert_int_equal(rte_eth_dev_callback_register(p[0].id, RTE_ETH_EVENT_INTR_RMV, count_event,
						       &removed), 0);
	rte_delay_us_sleep(200000);
	assert_int_equal(removed, 0);
	real_ops = dev->ops;
	dev->ops = &gone_ops;
	assert_int_equal(wait_count(&removed, 1), 1);
	/* Told once, and the port can be stopped all the same. */
	rte_delay_us_sleep(200000);
	assert_int_equal(removed, 1);
	assert_int_equal(rte_eth_dev_is_removed(p[0].id), 1);
	stop_port(0);
	dev->ops = real_ops;
	tsi721_device_put(dev);
	close_port(0);
}

/* Stop and start again: the same port as before. */
static void
test_reset(void **state)
{
	struct rte_eth_conf conf = { .rxmode.mtu = 1500 };

	(void)state;
	open_port(0, "");
	open_port(1, "");
	start_port(0);
	start_port(1);
	stop_port(0);
	assert_int_equal(rte_eth_dev_reset(p[0].id), 0);
	assert_int_equal(rte_eth_dev_configure(p[0].id, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(p[0].id, 0, NB_DESC, SOCKET_ID_ANY, NULL, pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(p[0].id, 0, NB_DESC, SOCKET_ID_ANY, NULL), 0);
	start_port(0);
	assert_xstat(1, "peers_joined", 1);
	transmit(0, &p[1].mac, &p[0].mac, 64, 1);
	receive(1, &p[1].mac, &p[0].mac, 64, 1);
	transmit(1, &p[0].mac, &p[1].mac, 64, 1);
	receive(0, &p[0].mac, &p[1].mac, 64, 1);
}

static void
test_ageing(void **state)
{
	struct rte_ether_addr a = foreign(1);

	(void)state;
	open_port(0, "ageing=1");
	open_port(1, "");
	open_port(2, "ageing=0");
	start_port(0);
	start_port(1);
	start_port(2);
	transmit(1, &rig_broadcast, &a, 64, 0);
	receive(0, &rig_broadcast, &a, 64, 0);
	receive(2, &rig_broadcast, &a, 64, 0);
	assert_int_equal(xstat(2, "mac_entries"), 1);
	assert_xstat(0, "mac_aged", 1);
	assert_int_equal(xstat(0, "mac_entries"), 0);
	assert_int_equal(xstat(2, "mac_entries"), 1);
	/* The same address again is learned again. */
	transmit(1, &rig_broadcast, &a, 64, 0);
	receive(0, &rig_broadcast, &a, 64, 0);
	assert_int_equal(xstat(0, "mac_entries"), 1);
	drain(2);
}

/*
 * A message to a station that is no more stops the channel. The one behind it arrives,
 * although its sender does nothing any more.
 */
static void
test_idle_sender(void **state)
{
	struct tsi721_device *dev;
	struct tsi721_imsg *imsg;
	struct rte_ether_addr dead = { { 0, 1, 0, 1, 0, 77 } };
	struct rte_mbuf *m[2];

	(void)state;
	open_port(0, "");
	open_port(1, "");
	start_port(0);
	start_port(1);
	assert_int_equal(tsi721_device_open_own("station", "destid=77", &dev), 0);
	assert_int_equal(tsi721_imsg_open(dev, 0, 128, SOCKET_ID_ANY, &imsg), 0);
	tsi721_dbell_send(dev, p[0].mac.addr_bytes[5], 0x1000);
	assert_xstat(0, "peers_joined", 2);
	tsi721_imsg_close(imsg);
	tsi721_device_put(dev);
	m[0] = frame(&dead, &p[0].mac, 64, 0);
	m[1] = frame(&p[1].mac, &p[0].mac, 64, 9);
	assert_int_equal(rte_eth_tx_burst(p[0].id, 0, m, 2), 2);
	receive(1, &p[1].mac, &p[0].mac, 64, 9);
	assert_int_equal(xstat(0, "tx_errors_response") + xstat(0, "tx_errors_timeout"), 1);
	assert_int_equal(xstat(0, "peer_77_tx_errors"), 1);
	assert_int_equal(xstat(0, "peer_1_tx_errors"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		EMPTY(test_rx_interrupt),
		EMPTY(test_monitor),
		EMPTY(test_removal),
		EMPTY(test_reset),
		EMPTY(test_ageing),
		EMPTY(test_idle_sender),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
