# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Frames pass between two DPDK processes on one fabric, whatever memory EAL uses."""

import os
import pathlib
import tempfile
import time
import unittest

import test_memory
from rig import FRAME_MAX, capture, generate, replay, testpmd

SHM = pathlib.Path("/dev/shm")
READER, SENDER = 0, 1
RECEIVER, WRITER = 0, 1
COUNT = 3000


class Processes(unittest.TestCase):
    """A process reads a capture and sends it, another one receives and writes it."""

    def fabric(self):
        """A name of its own; and its file is gone at the end."""
        name = "driver-%d" % os.getpid()
        path = SHM / ("dpdk-rio-%d-%s" % (os.geteuid(), name))
        self.addCleanup(lambda: self.assertFalse(path.exists()))
        return name

    def transfer(self, folder, **args):
        """A Result of COUNT frames sent from one process to another."""
        source, sink = (os.path.join(folder, name) for name in ("sent.pcap", "received.pcap"))
        sent = generate.frames(COUNT, seed=6, longest=4096)
        capture.write(source, sent)
        device = "net_rionet0,fabric=%s,destid=%%d" % self.fabric()
        options = ["--max-pkt-len=%d" % FRAME_MAX, "--mbuf-size=10240"]
        with testpmd.Testpmd([device % 1, "net_pcap0,tx_pcap=" + sink], options,
                             **args) as receiver, \
                testpmd.Testpmd(["net_pcap0,rx_pcap=" + source, device % 0], options,
                                **args) as sender:
            end = time.monotonic() + 30
            while not (sender.xstats(SENDER)["peers_joined"] and
                       receiver.xstats(RECEIVER)["peers_joined"]):
                self.assertLess(time.monotonic(), end, "the ports do not find each other")
                time.sleep(0.05)
            receiver.command("start")
            # The receiver sets the pace.
            sender.command("set fwd io retry")
            sender.command("set burst tx delay 50 retry 20000")
            limit = sender.mtu(SENDER) + replay.ETHER_HEADER
            expected = sum(replay.ETHER_HEADER <= len(frame) <= limit for frame in sent)
            sender.command("start")
            while receiver.xstats(WRITER)["tx_good_packets"] < expected and \
                    time.monotonic() < end:
                time.sleep(0.05)
            sender.command("stop")
            receiver.command("stop")
            self.assertEqual(sender.quit(), 0)
            self.assertEqual(receiver.quit(), 0)
        return replay.compare(sent, capture.read(sink), limit)

    def held(self, **args):
        with tempfile.TemporaryDirectory() as folder:
            result = self.transfer(folder, **args)
        self.assertTrue(result.held(), result.text())

    def check(self, *eal):
        test_memory.Memory.reserve(self, 2 * 640)
        with tempfile.TemporaryDirectory() as folder:
            # Each process mounts it in a namespace of its own.
            self.held(preset="hugepages", eal=["--huge-dir", folder, *eal],
                      wrapper=[*test_memory.MOUNT, folder])

    def test_ordinary_pages(self):
        self.held()

    def test_pages_with_virtual_addresses(self):
        self.check("--iova-mode=va")

    def test_memory_fixed_at_the_beginning(self):
        self.check("--legacy-mem", "--iova-mode=pa")


if __name__ == "__main__":
    unittest.main()
