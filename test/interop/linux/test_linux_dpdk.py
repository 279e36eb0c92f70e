# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Linux nodes and DPDK ports on one fabric: one Ethernet."""

import contextlib
import os
import signal
import sys
import unittest

import uml

sys.path.insert(0, str(uml.ROOT / "app" / "replay"))
import testpmd  # noqa: E402 pylint: disable=wrong-import-position

PING = uml.PROGRAMS / "ping_sizes"


class Mixed(unittest.TestCase):
    slow = not uml.kernel_cached()
    timeout = 1800
    LINUX = ["n0", "n3"]
    DPDK = ["n1", "n2"]

    @contextlib.contextmanager
    def fabric(self):
        uml.kernel()
        places = {place: ["node=" + place] for place in self.LINUX}
        with uml.Devices("mixed", self.LINUX, "star8.ini", places) as self.devices, \
                self.pmd() as pmd, \
                uml.Node(self.devices.socket("n0"), ["rapidio.hdid=0"]) as host, \
                uml.Node(self.devices.socket("n3"), ["rapidio.hdid=-1"]) as agent:
            uml.scan(host, agent)
            for number, node in ((1, host), (4, agent)):
                node.run("ip addr add 10.7.21.%d/24 dev eth0; ip link set eth0 up" % number)
            # testpmd answers for these as well: neither may ask.
            host.run("arp -s 10.7.21.4 00:01:00:01:00:03")
            agent.run("arp -s 10.7.21.1 00:01:00:01:00:00")
            host.until("ping -c 1 -W 2 10.7.21.4", "ping", 30)
            yield host, agent, pmd
            for node in (host, agent):
                self.assertEqual(node.warnings(), [])
            self.assertNotIn("unknown_reg", self.devices.stop())

    @contextlib.contextmanager
    def pmd(self):
        """testpmd that answers pings, a port at each of the places."""
        ports = ["net_rionet%d,fabric=%s,node=%s" % (number, self.devices.fabric, place)
                 for number, place in enumerate(self.DPDK)]
        with testpmd.Testpmd(ports, ["--max-pkt-len=4096", "--mbuf-size=4352",
                                     "--forward-mode=icmpecho"]) as pmd:
            pmd.command("start")
            yield pmd

    def ping(self, node, number, step):
        text = node.run("%s 10.7.21.%d 1 4054 %d" % (PING, number, step), 120)
        self.assertIn("%d sent, 0 lost, 0 wrong" % (4053 // step + 1), text)

    def pin(self, node, *numbers):
        """testpmd answers for every address, those of others too: say who is who."""
        for number in numbers:
            node.run("arp -s 10.7.21.%d 00:01:00:01:00:%02x" % (number, number - 1))
            # A JOIN that found no time on a busy machine is sent again.
            node.until("ping -c 1 -W 2 10.7.21.%d" % number, "ping", 30)

    def test_ping(self):
        """Two Linux nodes and two ports reach each other with frames of every size."""
        with self.fabric() as (host, agent, pmd):
            self.ping(host, 4, 401)
            for node in (host, agent):
                self.pin(node, 2, 3)
                for number in (2, 3):
                    self.ping(node, number, 7)
            for port in (0, 1):
                counters = pmd.xstats(port)
                self.assertEqual(counters["peers_joined"], 3)
                self.assertGreaterEqual(counters["rx_good_packets"], 2 * 580)
                for name, value in counters.items():
                    if "errors" in name or "oversize" in name or "dropped" in name:
                        self.assertEqual((name, value), (name, 0))

    def test_arp(self):
        """A port answers a broadcast."""
        with self.fabric() as (host, _, pmd):
            host.until("ping -c 1 -W 2 10.7.21.2", "ping")
            self.assertRegex(host.run("ip neigh"), "10.7.21.2 dev eth0 lladdr 00:01:00:01:00:0[12]")
            self.assertEqual(pmd.xstats(0)["peers_joined"], 3)

    def test_leave(self):
        """A node whose interface goes down leaves, a port that is stopped does; all notice."""
        with self.fabric() as (host, agent, pmd):
            self.pin(host, 2, 3)
            self.wait_peers(host, 3)
            agent.run("ip link set eth0 down")
            for port in (0, 1):
                self.wait_joined(pmd, port, 2)
            self.wait_peers(host, 2)
            agent.run("ip link set eth0 up")
            for port in (0, 1):
                self.wait_joined(pmd, port, 3)
            self.wait_peers(host, 3)
            pmd.command("stop")
            pmd.command("port stop 1")
            self.wait_joined(pmd, 0, 2)
            for node in (host, agent):
                self.wait_peers(node, 2)
            pmd.command("port start 1")
            pmd.command("start")
            self.wait_joined(pmd, 0, 3)
            for node in (host, agent):
                self.wait_peers(node, 3)
            self.ping(host, 3, 401)

    def wait_joined(self, pmd, port, number):
        self.assertTrue(uml.wait_for(lambda: pmd.xstats(port)["peers_joined"] == number, 30),
                        "port %d: %d" % (port, pmd.xstats(port)["peers_joined"]))

    def peers(self, node):
        """How many get a frame to all: the kernel counts it once for each."""
        count = "cat /sys/class/net/eth0/statistics/tx_packets"
        before = int(node.run(count))
        node.try_run("ping -c 1 -W 1 10.7.21.255")
        return int(node.run(count)) - before

    def wait_peers(self, node, number):
        # Now and then IPv6 has something to say too.
        self.assertTrue(uml.wait_for(lambda: self.peers(node) == number, 30), self.peers(node))

    def test_restart(self):
        """A DPDK process that ends leaves; the one that takes its place joins."""
        with self.fabric() as (host, _, pmd):
            self.pin(host, 2)
            host.until("ping -c 1 -W 2 10.7.21.2", "ping")
            pmd.quit()
            code, _ = host.try_run("ping -c 1 -W 1 10.7.21.2")
            self.assertNotEqual(code, 0)
            with self.pmd():
                host.until("ping -c 1 -W 2 10.7.21.2", "ping after the restart")

    def test_killed(self):
        """One that is killed takes nobody along, and its successor joins again."""
        with self.fabric() as (host, agent, pmd):
            self.pin(host, 2)
            host.until("ping -c 1 -W 2 10.7.21.2", "ping")
            os.kill(pmd.process.pid, signal.SIGKILL)
            pmd.process.wait()
            code, _ = host.try_run("ping -c 2 -W 1 10.7.21.2")
            self.assertNotEqual(code, 0)
            # The agent asks all that it holds for active, the dead among them, and Linux
            # drops what it has queued behind a message that fails.
            agent.until("ping -c 1 -W 2 10.7.21.1", "ping beside the dead", 30)
            self.ping(agent, 1, 401)
            with self.pmd():
                host.until("ping -c 1 -W 2 10.7.21.2", "ping after the restart")


if __name__ == "__main__":
    unittest.main()
