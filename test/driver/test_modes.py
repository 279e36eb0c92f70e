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


if __name__ == "__main__":
    unittest.main()
