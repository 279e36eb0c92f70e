# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors

"""dpdk-rio-latency: each kind of latency, in one process and in two, in cyclictest's form."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RIO_BUILD", ROOT / "build"))
TOOL = BUILD / "app" / "dpdk-rio-latency"
PATIENCE = 60
# As programs that read cyclictest's output look for it.
LINE = re.compile(r"^T: ?(\d+) \( *(\d+)\) P: ?(\d+) I:(\d+) C: *(\d+) "
                  r"Min: *(\d+) Act: *(\d+) Avg: *(\d+) Max: *(\d+)$", re.M)
POLICY = re.compile(r"^policy: (fifo|other): loadavg: [\d.]+ [\d.]+ [\d.]+ \d+/\d+ \d+ *$", re.M)
DOORBELL = ["--vdev", "raw_tsi7210", "--vdev", "raw_tsi7211"]
FRAME = ["--vdev", "net_rionet0", "--vdev", "net_rionet1"]


def command(name, eal, options, lcores=3):
    cpus = sorted(os.sched_getaffinity(0))
    places = ",".join("%d@%d" % (i, cpus[i % len(cpus)]) for i in range(lcores))
    return [TOOL, "--no-huge", "-m", "128", "--no-pci", "--no-telemetry", "--log-level=error",
            "--file-prefix", "latency-%d-%s" % (os.getpid(), name), "--lcores", places,
            *eal, "--", *options]


def run(name, eal, *options, lcores=3):
    return subprocess.run(command(name, eal, options, lcores), capture_output=True, text=True,
                          timeout=PATIENCE * 2, check=False)


class Latency(unittest.TestCase):
    def lines(self, done, code=0):
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return [tuple(map(int, m)) for m in LINE.findall(done.stdout)]

    def plausible(self, line, cycles):
        _, tid, _, _, count, least, last, mean, most = line
        self.assertGreater(tid, 0)
        self.assertEqual(count, cycles)
        self.assertLessEqual(least, mean)
        self.assertLessEqual(mean, most)
        self.assertTrue(least <= last <= most)

    def test_timer(self):
        """A line a worker, each with an interval of its own; a histogram that adds up."""
        done = run("t", [], "-i", "200", "-d", "100", "-l", "200", "-h", "50")
        lines = self.lines(done)
        last = lines[-2:]
        self.assertEqual([(l[0], l[3]) for l in last], [(0, 200), (1, 300)])
        for line in last:
            self.plausible(line, 200)
        self.assertRegex(done.stdout, POLICY)
        places = re.findall(r"^\d{6} (\d{6})\t(\d{6})$", done.stdout, re.M)
        self.assertEqual(len(places), 50)
        beyond = re.search(r"^# Histogram Overflows: (\d+) (\d+)$", done.stdout, re.M)
        for i in (0, 1):
            self.assertEqual(sum(int(p[i]) for p in places) + int(beyond[i + 1]), 200)
        self.assertRegex(done.stdout, r"(?m)^# T: 0 is on CPU \d+, (isolated|housekeeping)$")

    def test_break(self):
        """It stops at the first latency above the threshold, and says which."""
        done = run("b", [], "-i", "100", "-b", "1", "-q", "-D", "30", lcores=2)
        line = self.lines(done)[-1]
        self.assertRegex(done.stdout, r"(?m)^# Break thread: %d$" % line[1])
        value = int(re.search(r"(?m)^# Break value: (\d+)$", done.stdout)[1])
        self.assertGreaterEqual(value, 1)
        self.assertLess(line[4], 300000)

    def test_json_and_load(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "l.json")
            done = run("j", [], "-q", "-N", "-l", "100", "-h", "1000000", "--load", "memory",
                       "--json", path, lcores=2)
            line = self.lines(done)[-1]
            with open(path, encoding="utf-8") as file:
                root = json.load(file)
        self.assertEqual((root["what"], root["num_threads"], root["load"], root["file_version"]),
                         ("timer", 1, "memory", 1))
        thread = root["thread"]["0"]
        self.assertEqual((thread["cycles"], thread["min"], thread["max"]),
                         (100, line[5], line[8]))
        self.assertTrue(thread["min"] <= thread["p50"] <= thread["p99"])
        self.assertNotIn("policy", done.stdout)
        self.assertIn("# load: memory on", done.stdout)

    def test_one_process(self):
        for what, eal in (("doorbell", DOORBELL), ("frame", FRAME),
                          ("dma", ["--vdev", "dma_skeleton"])):
            with self.subTest(what=what):
                lines = self.lines(run(what, eal, "-w", what, "-q", "-N", "-l", "20"))
                self.assertEqual(len(lines), 1)
                self.plausible(lines[0], 20)
                self.assertGreater(lines[0][5], 0)

    def pair(self, what, device, *options):
        """One process answers another; both end well."""
        fabric = "latency-%d-%s" % (os.getpid(), what)
        one = ["--vdev", "%s,fabric=%s,destid=1" % (device, fabric)]
        two = ["--vdev", "%s,fabric=%s,destid=0" % (device, fabric)]
        with subprocess.Popen(command(what + "-e", one, ["-w", what, "--echo"], 1),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as echo:
            self.addCleanup(echo.kill)
            self.assertEqual(echo.stdout.readline(), "# answers until Ctrl-C\n")
            lines = self.lines(run(what, two, "-w", what, "-q", "-N", "-l", "20", *options,
                                   lcores=2))
            echo.send_signal(signal.SIGINT)
            self.assertEqual(echo.wait(PATIENCE), 0)
        self.assertEqual(len(lines), 1)
        self.plausible(lines[0], 20)

    def test_two_processes(self):
        self.pair("doorbell", "raw_tsi7210", "--peer", "1")
        self.pair("frame", "net_rionet0", "--size", "1500")

    def test_absent_peer(self):
        for what, eal, text, options in (
                ("doorbell", DOORBELL[:2], "no answer from destination 9", ["--peer", "9"]),
                ("frame", FRAME[:2], "no answer to a frame", [])):
            with self.subTest(what=what):
                done = run("a", eal, "-w", what, "-q", "-l", "5", *options, lcores=2)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(text, done.stderr)

    def test_interrupted(self):
        """Ctrl-C prints what was measured."""
        with subprocess.Popen(command("i", [], ["-q", "-i", "1000"], 2), stdout=subprocess.PIPE,
                              text=True) as process:
            self.addCleanup(process.kill)
            for line in process.stdout:
                if line.startswith("# T: 0"):
                    break
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
            self.assertEqual(process.wait(PATIENCE), 0)
        self.assertGreater(int(LINE.search(rest)[5]), 0)

    def test_refused(self):
        for text, eal, lcores, *options in (
                ("'9' is not a number from 10", [], 2, "-i", "9"),
                ("'timers'", [], 2, "-w", "timers"),
                ("'5y' is not a number", [], 2, "-D", "5y"),
                ("only doorbells and frames are answered", [], 2, "--echo"),
                ("it is the doorbell's", [], 2, "--peer", "3"),
                ("60 to 9000 bytes, not 59", [], 2, "-w", "frame", "--size", "59"),
                ("no Tsi721", [], 2, "-w", "doorbell"),
                ("no peer", DOORBELL[:2], 2, "-w", "doorbell"),
                ("no port", [], 2, "-w", "frame"),
                ("no dmadev that copies", [], 2, "-w", "dma"),
                ("1 worker lcore is needed, there are 0", [], 1, "-l", "1"),
                ("2 worker lcores are needed, there is 1", DOORBELL, 2, "-w", "doorbell"),
                ("/nowhere/x", [], 2, "--json", "/nowhere/x")):
            with self.subTest(options=options):
                done = run("r", eal, *options, lcores=lcores)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
