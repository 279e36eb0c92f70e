# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""l2fwd, l3fwd and l3fwd-power, as DPDK ships them, between the ports of another process."""

import os
import random
import struct
import tempfile
import time
import unittest

from examples import Example, Through
from rig import generate, testpmd

OUTER, INNER = 2, 1      # destination IDs of testpmd's ports, and of the example's
TTL, TTL_AT, SUM_AT = 64, 22, 24


def address(destid):
    return bytes([0, 1, 0, 1, destid >> 8, destid & 0xff])


def packets(network, count, longest=1472):
    """UDP to hosts of a /24 network, of all sizes."""
    rng = random.Random(5)
    frames = []
    for number in range(count):
        src = (None, bytes([10, 0, 0, 1]))
        dst = (None, bytes([*network, 1 + number % 250]))
        payload = rng.randbytes(rng.randrange(18, longest))
        pseudo = src[1] + dst[1]
        datagram = generate.transport(17, pseudo, (1000 + number, 7), payload, 0)
        frames.append(generate.ethernet(address(INNER), address(OUTER), generate.ETH_IPV4,
                                        generate.ipv4(src, dst, 17, datagram, number)))
    return frames


def routed(frame, src, dst):
    """What a router makes of a frame."""
    body = bytearray(frame)
    body[0:12] = dst + src
    body[TTL_AT] -= 1
    body[SUM_AT : SUM_AT + 2] = b"\0\0"
    body[SUM_AT : SUM_AT + 2] = struct.pack(">H", generate.checksum(bytes(body[14:34])))
    return bytes(body)


class Examples:
    """Each with a port on two fabrics; the other station on both is a testpmd's."""

    timeout = 300
    mode = None
    peers_dma = 0
    count = 400

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.fabrics = ["ex%d-%d%s" % (os.getpid(), n, self.mode) for n in range(2)]

    def example(self, name, options):
        vdevs = ["net_rionet%d,fabric=%s,destid=%d,mode=%s" % (n, fabric, INNER, self.mode)
                 for n, fabric in enumerate(self.fabrics)]
        return Example(name, vdevs, options)

    def through(self, frames):
        return Through(self.folder.name, self.fabrics, frames, OUTER,
                       ",mode=" + self.mode).run(len(frames), self.peers_dma)

    def assert_frames(self, received, expected):
        """All, in order, with padding at most."""
        self.assertEqual(len(received), len(expected))
        for number, (got, wanted) in enumerate(zip(received, expected)):
            self.assertEqual(got[: len(wanted)], wanted, "frame %d" % number)
            self.assertLess(len(got) - len(wanted), 8)

    def test_l2fwd(self):
        sent = packets((198, 18, 1), self.count)
        with self.example("l2fwd", ["-p", "3", "-q", "2", "-T", "0"]) as example:
            example.wait_for("entering main loop")
            received = self.through(sent)
            self.assertEqual(example.end(), 0, example.output())
        self.assert_frames(received, [b"\x02\0\0\0\0\x01" + address(INNER) + frame[12:]
                                      for frame in sent])

    def test_l2fwd_without_new_addresses(self):
        """Frames go on as they are: to an address that is nowhere, so that they go everywhere."""
        sent = [b"\x02\0\0\0\0\x09" + frame[6:] for frame in packets((198, 18, 1), self.count)]
        with self.example("l2fwd", ["-p", "3", "-q", "2", "-T", "0", "--no-mac-updating"]) as example:
            example.wait_for("entering main loop")
            received = self.through(sent)
            self.assertEqual(example.end(), 0, example.output())
        self.assert_frames(received, sent)

    def route(self, options):
        sent = packets((198, 18, 1), self.count)
        options = ["-p", "3", "--config=(0,0,0),(1,0,0)",
                   "--eth-dest=1,00:01:00:01:00:%02x" % OUTER, *options]
        with self.example("l3fwd", options) as example:
            example.wait_for("entering main loop")
            received = self.through(sent)
            self.assertEqual(example.end(), 0, example.output())
        self.assert_frames(received, [routed(frame, address(INNER), address(OUTER))
                                      for frame in sent])

    def test_l3fwd_lpm(self):
        self.route(["-P", "--lookup=lpm"])

    def test_l3fwd_by_address(self):
        """Not promiscuous: the port's own address is what it takes."""
        self.route(["--lookup=lpm"])


class Messages(Examples, unittest.TestCase):
    """By messages, which can interrupt."""

    mode = "msg"

    def asleep(self, example):
        """It looks around every 10 ms, no more."""
        before = example.cpu_seconds()
        time.sleep(2)
        self.assertLess(example.cpu_seconds() - before, 0.5)

    def test_l3fwd_power(self):
        """It sleeps until frames come, forwards them, and sleeps again."""
        sent = packets((2, 1, 1), self.count)
        options = ["-p", "3", "-P", "--config=(0,0,0),(1,0,0)", "--interrupt-only"]
        woken = "lcore 0 is waked up from rx interrupt on port 0 queue 0"
        with self.example("l3fwd-power", options) as example:
            example.wait_for("entering main interrupt loop")
            self.asleep(example)
            received = self.through(sent)
            self.assert_frames(received, [
                routed(frame, address(INNER), b"\x02\0\0\0\0\x01") for frame in sent])
            self.asleep(example)
            # On a busy machine its 10 ms may be over before the interrupt has come through.
            vdevs = ["net_rionet%d,fabric=%s,destid=%d,mode=%s" % (n, fabric, OUTER, self.mode)
                     for n, fabric in enumerate(self.fabrics)]
            with testpmd.Testpmd(vdevs, ["--tx-ip=10.0.0.1,2.1.1.1"]) as pmd:
                pmd.command("set fwd rxonly")
                for _ in range(100):
                    pmd.command("start tx_first 1")
                    time.sleep(0.1)
                    pmd.command("stop")
                    if woken in example.output():
                        break
                self.assertEqual(pmd.quit(), 0)
            self.assertIn(woken, example.output())
            self.assertNotIn("interrupt won't enable", example.output())
            example.end()


class Dma(Examples, unittest.TestCase):
    """As ports agree on by themselves."""

    mode = "auto"
    peers_dma = 1
    # What a peer takes at once: testpmd and the examples drop what a port does not take.
    count = 128


if __name__ == "__main__":
    unittest.main()
