# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors

"""dpdk-rio-doorbell: none is lost, in one process and in two, polled and by interrupt."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RIO_BUILD", ROOT / "build"))
TOOL = BUILD / "app" / "dpdk-rio-doorbell"
PATIENCE = 120
TWO = ["--vdev", "raw_tsi7210", "--vdev", "raw_tsi7211"]


def command(name, eal, options, lcores=2):
    cpus = sorted(os.sched_getaffinity(0))
    places = ",".join("%d@%d" % (i, cpus[i % len(cpus)]) for i in range(lcores))
    return [TOOL, "--no-huge", "-m", "64", "--no-pci", "--no-telemetry", "--log-level=error",
            "--file-prefix", "doorbell-%d-%s" % (os.getpid(), name), "--lcores", places,
            *eal, "--", *options]


def run(name, eal, *options, lcores=2):
    return subprocess.run(command(name, eal, options, lcores), capture_output=True, text=True,
                          timeout=PATIENCE, check=False)


class Doorbell(unittest.TestCase):
    def measured(self, eal, loops, *options, name="m"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.json")
            done = run(name, eal, "--json", path, "--loops", str(loops), *options)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            with open(path, encoding="utf-8") as file:
                root = json.load(file)
        rate, trip = root["rate"], root["round_trip_ns"]
        if "latency" not in options:
            self.assertEqual((rate["sent"], rate["received"], rate["errors"]), (loops, loops, 0))
            self.assertAlmostEqual(rate["per_second"], loops / rate["seconds"], delta=1)
        if "rate" not in options:
            self.assertEqual(trip["count"], max(loops // 10, 1))
            self.assertTrue(0 < trip["min"] <= trip["p50"] <= trip["p99"] <= trip["max"])
        return root

    def test_one_process(self):
        """Also more than a queue holds, and a count of more than a byte."""
        self.measured(TWO, 70001)
        self.measured(TWO, 1)
        self.assertEqual(self.measured(TWO, 50, "--only", "rate")["round_trip_ns"]["count"], 0)
        self.assertEqual(self.measured(TWO, 50, "--only", "latency")["rate"]["sent"], 0)

    def test_interrupt(self):
        self.assertTrue(self.measured(TWO, 3000, "--interrupt")["interrupt"])

    def test_two_processes(self):
        for options in ([], ["--interrupt"]):
            device = "raw_tsi7210,fabric=doorbell-%d-%d,destid=%%d" % (os.getpid(), len(options))
            with self.subTest(options=options), \
                    subprocess.Popen(command("r", ["--vdev", device % 1],
                                             ["--receive", "--range", "0x10-0x1f", *options], 1),
                                     stdout=subprocess.PIPE, text=True) as receiver:
                self.addCleanup(receiver.kill)
                self.assertRegex(receiver.stdout.readline(),
                                 "^# destination ID 1: doorbells 0x10 to 0x1f")
                one = ["--vdev", device % 0]
                self.measured(one, 5000, "--peer", "1", "--range", "0x10-0x1f", "--info", "0x1f",
                              *options)
                # What it does not take is lost, and that is said.
                done = run("l", one, "--peer", "1", "--info", "0x20", "--loops", "10")
                self.assertEqual(done.returncode, 2)
                self.assertIn("10 doorbells were lost", done.stderr)
                receiver.send_signal(signal.SIGINT)
                rest = receiver.stdout.read()
                self.assertEqual(receiver.wait(PATIENCE), 0)
            self.assertRegex(rest, r"^# 0 doorbells since .* slept \d+ times")

    def test_refused(self):
        for text, eal, code, *options in (
                ("no Tsi721", [], 1),
                ("no peer", TWO[:2], 1),
                ("no answer from destination 9", TWO[:2], 2, "--peer", "9"),
                ("'0xfd00' is not a number", TWO, 1, "--info", "0xfd00"),
                ("'1' is not a range", TWO, 1, "--range", "1"),
                ("'x-3' is not a range", TWO, 1, "--range", "x-3"),
                ("ends before it begins", TWO, 1, "--range", "5-4"),
                ("'both' is neither", TWO, 1, "--only", "both"),
                ("'0' is not a number from 1", TWO, 1, "--loops", "0"),
                ("/nowhere/x", TWO, 1, "--json", "/nowhere/x")):
            with self.subTest(options=options):
                done = run("b", eal, *options)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(text, done.stderr)
        done = run("w", TWO, lcores=1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("needs a worker lcore", done.stderr)


if __name__ == "__main__":
    unittest.main()
