# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Every forwarding mode of testpmd starts on rionet ports and moves frames."""

import os
import tempfile
import time
import unittest

from rig import capture, generate, testpmd


class Modes(unittest.TestCase):
    """Two ports of one process on the default fabric."""

    def wait(self, pmd, wanted, seconds=10):
        """Until each (port, counter) of `wanted` has reached its value."""
        end = time.monotonic() + seconds
        while True:
            stats = {port: pmd.xstats(port) for port, _ in wanted}
            if all(stats[port][name] >= value for (port, name), value in wanted.items()):
                return
            self.assertLess(time.monotonic(), end, "wanted %s, got %s" % (wanted, {
                key: stats[key[0]][key[1]] for key in wanted}))
            time.sleep(0.05)

    def end(self, pmd):
        pmd.command("stop")
        self.assertEqual(pmd.quit(), 0)

    def circulate(self, mode):
        """A burst goes to and fro: what a port receives it sends back."""
        with testpmd.Testpmd(["net_rionet0", "net_rionet1"],
                             ["--port-topology=loop"]) as pmd:
            pmd.command("set fwd " + mode)
            pmd.command("start tx_first")
            self.wait(pmd, {(port, name): 5000 for port in (0, 1)
                            for name in ("rx_good_packets", "tx_good_packets")})
            self.end(pmd)

    def test_io(self):
        self.circulate("io")

    def test_mac(self):
        self.circulate("mac")

    def test_macswap(self):
        self.circulate("macswap")

    def test_csum(self):
        self.circulate("csum")

    def test_5tswap(self):
        self.circulate("5tswap")

    def test_noisy(self):
        self.circulate("noisy")

    def test_flowgen(self):
        self.circulate("flowgen")

    def test_rxonly(self):
        with testpmd.Testpmd(["net_rionet0", "net_rionet1"]) as pmd:
            pmd.command("set fwd rxonly")
            pmd.command("start tx_first 4")
            self.wait(pmd, {(port, name): 128 for port in (0, 1)
                            for name in ("rx_good_packets", "tx_good_packets")})
            self.end(pmd)

    def test_txonly(self):
        # Nobody receives: each port sends until the other one's buffers are full.
        with testpmd.Testpmd(["net_rionet0", "net_rionet1"]) as pmd:
            pmd.command("set fwd txonly")
            pmd.command("start")
            self.wait(pmd, {(0, "tx_good_packets"): 64, (1, "tx_good_packets"): 64})
            self.end(pmd)

    def test_icmpecho(self):
        """Echo requests that wait in a port's buffers are answered to the other port."""
        src, dst = generate.host(1), generate.host(2)
        requests = [generate.ethernet(dst[0], src[0], generate.ETH_IPV4, generate.ipv4(
            src, dst, 1, generate.icmp_echo(bytes(100), n), n)) for n in range(32)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "requests.pcap")
            capture.write(path, requests)
            vdevs = ["net_pcap0,rx_pcap=" + path, "net_rionet0", "net_rionet1"]
            with testpmd.Testpmd(vdevs, ["--portlist=0,1"]) as pmd:
                pmd.command("start")
                self.wait(pmd, {(1, "tx_good_packets"): 32})
                pmd.command("stop")
                pmd.command("set portlist 1,2")
                pmd.command("set fwd icmpecho")
                pmd.command("start")
                self.wait(pmd, {(2, "rx_good_packets"): 32, (2, "tx_good_packets"): 32,
                                (1, "rx_good_packets"): 32})
                self.end(pmd)


class BetweenProcesses:
    """One port a process, on one fabric."""

    mode = None

    def port(self, destid, options=(), more=()):
        vdev = "net_rionet0,fabric=modes%d-%s,destid=%d,mode=%s" % (
            os.getpid(), self.mode, destid, self.mode)
        return testpmd.Testpmd([vdev, *more], options)

    def wait(self, pmd, wanted, port=0, seconds=30):
        """Until each counter of a port has reached its value."""
        end = time.monotonic() + seconds
        while True:
            stats = pmd.xstats(port)
            if all(stats[name] >= value for name, value in wanted.items()):
                return
            self.assertLess(time.monotonic(), end, "wanted %s, got %s" % (wanted, {
                name: stats[name] for name in wanted}))
            time.sleep(0.05)

    def test_circulating(self):
        """A burst goes to and fro in each of these modes."""
        loop = ["--port-topology=loop"]
        with self.port(1, loop) as far, self.port(2, loop) as near:
            for pmd in (far, near):
                self.wait(pmd, {"peers_joined": 1})
            for mode in ("io", "mac", "macswap", "csum", "5tswap", "noisy"):
                for pmd in (far, near):
                    pmd.command("clear port xstats all")
                    pmd.command("set fwd " + mode)
                far.command("start")
                near.command("start tx_first")
                for pmd in (far, near):
                    self.wait(pmd, {"rx_good_packets": 2000, "tx_good_packets": 2000})
                for pmd in (near, far):
                    pmd.command("stop")
                    stats = pmd.xstats(0)
                    # Frames of the mode before may be for their own sender once more.
                    self.assertEqual(stats["tx_errors"], stats["tx_no_peer"])
            for pmd in (near, far):
                self.assertEqual(pmd.quit(), 0)

    def test_txonly_to_rxonly(self):
        """What was sent has come, or was counted: the receiver does not lag for a second."""
        with self.port(1) as far, self.port(2) as near:
            self.wait(near, {"peers_joined": 1})
            far.command("set fwd rxonly")
            far.command("start")
            near.command("set fwd txonly")
            near.command("start")
            self.wait(near, {"tx_good_packets": 20000})
            near.command("stop")
            # What is in flight still ends.
            sent = near.xstats(0)
            self.wait(far, {"rx_good_packets": sent["tx_good_packets"]})
            self.assertEqual(far.xstats(0)["rx_good_packets"], near.xstats(0)["tx_good_packets"])
            self.assertEqual(near.xstats(0)["tx_errors"], 0)
            for pmd in (near, far):
                self.assertEqual(pmd.quit(), 0)

    def test_icmpecho(self):
        """Each request is answered, its payload as it was."""
        src, dst = generate.host(1), generate.host(2)
        requests = [generate.ethernet(dst[0], src[0], generate.ETH_IPV4, generate.ipv4(
            src, dst, 1, generate.icmp_echo(bytes([n % 256]) * (56 + n), n), n))
            for n in range(128)]
        with tempfile.TemporaryDirectory() as folder:
            source, sink = (os.path.join(folder, n) for n in ("requests.pcap", "replies.pcap"))
            capture.write(source, requests)
            pcap = ["net_pcap0,rx_pcap=%s,tx_pcap=%s" % (source, sink)]
            with self.port(1, ["--port-topology=loop"]) as far, self.port(2, (), pcap) as near:
                self.wait(near, {"peers_joined": 1})
                far.command("set fwd icmpecho")
                far.command("start")
                near.command("set fwd io")
                near.command("start")
                self.wait(near, {"tx_good_packets": len(requests)}, 1)
                near.command("stop")
                for pmd in (near, far):
                    self.assertEqual(pmd.quit(), 0)
            replies = capture.read(sink)
        self.assertEqual(len(replies), len(requests))
        for request, reply in zip(requests, replies):
            self.assertEqual(reply[:12], request[6:12] + request[:6])
            self.assertEqual(reply[34], 0)
            self.assertEqual(reply[38 : len(request)], request[38:])


class Messages(BetweenProcesses, unittest.TestCase):
    """By messages."""

    mode = "msg"


class Dma(BetweenProcesses, unittest.TestCase):
    """By DMA alone."""

    mode = "dma"


if __name__ == "__main__":
    unittest.main()
