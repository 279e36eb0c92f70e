# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors

"""dpdk-rio-l2fwd between a rionet port and captures, within a process and across a fabric."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "app" / "replay"))
import capture  # noqa: E402
import generate  # noqa: E402

BUILD = pathlib.Path(os.environ.get("RIO_BUILD", ROOT / "build"))
TOOL = BUILD / "app" / "dpdk-rio-l2fwd"
PATIENCE = 60
COUNT = 2000
# A message carries a multiple of 8 bytes.
PADDING = 8


def command(name, eal, options, lcores=1):
    cpus = sorted(os.sched_getaffinity(0))
    places = ",".join("%d@%d" % (i, cpus[i % len(cpus)]) for i in range(lcores))
    return [TOOL, "--no-huge", "-m", "128", "--no-pci", "--no-telemetry", "--log-level=error",
            "--file-prefix", "l2fwd-%d-%s" % (os.getpid(), name), "--lcores", places,
            *eal, "--", *options]


def run(name, eal, *options, lcores=1):
    return subprocess.run(command(name, eal, options, lcores), capture_output=True, text=True,
                          timeout=PATIENCE, check=False)


class Forward(unittest.TestCase):
    def through(self, folder, *options):
        """
        Frames of a capture into one node's port, over the fabric, out of the other node's
        port into a capture: [(sent, received)].
        """
        source, sink = (os.path.join(folder, n + ".pcap") for n in ("sent", "received"))
        sent = generate.frames(COUNT, seed=8, longest=1514)
        capture.write(source, sent)
        fabric = "l2fwd-%d-%d" % (os.getpid(), time.monotonic_ns() % 1000000)
        far = ["--vdev", "net_rionet0,mode=msg,fabric=%s,destid=1" % fabric,
               "--vdev", "net_pcap0,tx_pcap=" + sink]
        near = ["--vdev", "net_rionet0,mode=msg,fabric=%s,destid=0" % fabric,
                "--vdev", "net_pcap0,rx_pcap=" + source]
        with subprocess.Popen(command("far", far, ["--stats", "0", *options]),
                              stdout=subprocess.PIPE, text=True) as receiver:
            self.addCleanup(receiver.kill)
            self.assertIn("net_rionet0 and net_pcap0", receiver.stdout.readline())
            with subprocess.Popen(command("near", near, ["--stats", "0"]),
                                  stdout=subprocess.PIPE, text=True) as sender:
                self.addCleanup(sender.kill)
                sender.stdout.readline()
                end = time.monotonic() + PATIENCE
                while (not os.path.exists(sink) or os.path.getsize(sink) <
                       os.path.getsize(source)) and time.monotonic() < end:
                    time.sleep(0.1)
                self.ended(sender)
            text = self.ended(receiver)
        self.assertRegex(text, r"net_rionet0 -> net_pcap0: received %d, sent %d, dropped 0"
                         % (COUNT, COUNT))
        received = capture.read(sink)
        self.assertEqual(len(received), COUNT)
        return list(zip(sent, received))

    def ended(self, process):
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read()
        self.assertEqual(process.wait(PATIENCE), 0, rest)
        return rest

    def test_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            for sent, received in self.through(folder):
                self.assertEqual(received[:len(sent)], sent)
                self.assertLess(len(received) - len(sent), PADDING)

    def test_rewritten(self):
        with tempfile.TemporaryDirectory() as folder:
            pairs = self.through(folder, "--mac-updating", "--dst",
                                 "02:00:00:00:00:aa,02:00:00:00:00:bb")
        for sent, received in pairs:
            self.assertEqual(received[:6].hex(), "0200000000bb")
            self.assertEqual(received[12:len(sent)], sent[12:])

    def test_one_process(self):
        """Counters a second, and the end at its time; more queues take more lcores."""
        two = ["--vdev", "net_null0,size=100", "--vdev", "net_null1,no-rx=1"]
        done = run("one", two, "--duration", "2.5", "--stats", "1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = [l for l in done.stdout.splitlines() if l.startswith("net_null0 -> ")]
        self.assertGreaterEqual(len(lines), 3)
        received, sent = map(int, re.search(r"received (\d+), sent (\d+), dropped 0",
                                            lines[-1]).groups())
        self.assertEqual(received, sent)
        self.assertGreater(sent, 0)

    def test_refused(self):
        two = ["--vdev", "net_null0", "--vdev", "net_null1"]
        for text, eal, *options in (
                ("there are not two ports", two[:2]),
                ("no port 'x'", two, "--ports", "x,0"),
                ("no port '7'", two, "--ports", "0,7"),
                ("both are 'net_null0'", two, "--ports", "net_null0,net_null0"),
                ("both are net_null0", two, "--ports", "net_null0,0"),
                ("'0' is not two words", two, "--ports", "0"),
                ("'z' is not an address", two, "--mac-updating", "--dst",
                 "z,02:00:00:00:00:01"),
                ("without --mac-updating", two, "--dst",
                 "02:00:00:00:00:01,02:00:00:00:00:02"),
                ("'31' is not a number from 32", two, "--ring", "31"),
                ("need as many lcores", two, "--queues", "2"),
                ("no memory for", two, "--ring", "32768")):
            with self.subTest(options=options):
                done = run("bad", eal, *options)
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
