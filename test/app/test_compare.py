# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""dpdk-rio-compare as a user runs it: options, files, exit codes, deaths, Ctrl-C."""

import csv
import glob
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RIO_BUILD") or ROOT / "build").resolve()
BUILD_ASAN = pathlib.Path(os.environ.get("RIO_BUILD_ASAN") or str(BUILD) + "-asan")
TOOL = BUILD / "app" / "dpdk-rio-compare"
SHORT = ("--duration", "0.1", "--rounds", "2")
MEASURED = ("rionet-msg", "rionet-dma", "net_ring", "net_memif")


def start(*args, eal=(), tool=TOOL, **kwargs):
    """The tool as a process, with what it prints in pipes."""
    return subprocess.Popen([str(tool), *eal, "--", *args], stdin=subprocess.DEVNULL,
                            stdout=kwargs.pop("stdout", subprocess.PIPE),
                            stderr=kwargs.pop("stderr", subprocess.PIPE), text=True, **kwargs)


def run(*args, timeout=120, **kwargs):
    """Run the tool to its end."""
    with start(*args, **kwargs) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        finally:
            process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def children(pid):
    """Processes that a process has started."""
    return [int(word) for word in
            pathlib.Path("/proc/%d/task/%d/children" % (pid, pid)).read_text().split()]


def exists(pid):
    """Whether a process is there and not only waits to be waited for."""
    try:
        return "\nState:\tZ" not in pathlib.Path("/proc/%d/status" % pid).read_text()
    except OSError:
        return False


def wait_until(condition, seconds):
    """Whether it became true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def left_behind(pid):
    """Runtime folders of EAL and hugepage files that a run left."""
    folders = [os.environ[name] for name in ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR")
               if name in os.environ]
    return [name for place in ("/dev/hugepages", *(folder + "/dpdk" for folder in
                                                   ("/var/run", "/tmp", *folders)))
            for name in glob.glob("%s/dpdk-rio-compare-%d-*" % (place, pid))]


class Options(unittest.TestCase):
    """Bad ones are refused in one line, before anything starts."""

    REFUSED = (
        (["--colour"], "unknown option '--colour'"),
        (["-x"], "unknown option '-x'"),
        (["--sizes"], "option '--sizes' needs a value"),
        (["--sizes", "64,x"], "--sizes: 'x' in '64,x' is not a number from 60 to 9728"),
        (["--sizes", "59"], "--sizes: '59' in '59' is not a number from 60 to 9728"),
        (["--sizes", "9729"], "--sizes: '9729' in '9729' is not a number from 60 to 9728"),
        (["--sizes", "64,64"], "--sizes: 64 is twice"),
        (["--sizes", ""], "--sizes: '' in '' is not a number"),
        (["--sizes", ",".join(map(str, range(60, 93)))], "has more than 32 values"),
        (["--duration", "0"], "--duration: '0' is not a number from 0.05 to 3600"),
        (["--duration", "nan"], "--duration: 'nan' is not a number"),
        (["--rounds", "0"], "--rounds: '0' is not a number from 1 to 100"),
        (["--rounds", "2.5"], "--rounds: '2.5' is not a number"),
        (["--paths", "carrier-pigeon"], "is none of rionet-msg, rionet-dma, net_ring, net_memif, 10gbe"),
        (["--paths", "net_ring,net_ring"], "--paths: net_ring is twice"),
        (["--cpus", "0"], "--cpus: '0' is not two CPUs"),
        (["--cpus", "0,1000"], "--cpus: this process may not use CPU 1000"),
        (["--json", "/nonexistent/file"], "cannot write '/nonexistent/file': No such file"),
        (["--csv", "/"], "cannot write '/': Is a directory"),
        (["--json", "same", "--csv", "same"], "--json and --csv: both are 'same'"),
        (["more"], "'more' is no option"),
    )

    def refused(self, result, text):
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Adpdk-rio-compare: [^\n]*\n\Z")
        self.assertIn(text, result.stderr)

    def test_bad_options(self):
        with tempfile.TemporaryDirectory() as folder:
            for args, text in self.REFUSED:
                with self.subTest(args=args):
                    self.refused(run(*args, cwd=folder), text)
            self.assertEqual(os.listdir(folder), [])

    def test_files_of_a_bad_command_line_are_not_left(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refused(run("--json", "a", "--csv", "/nonexistent/b", cwd=folder), "/nonexistent/b")
            self.assertEqual(os.listdir(folder), [])

    def test_eal_options_in_the_wrong_place(self):
        self.refused(run(eal=["--sizes", "64"]), "belong behind --")
        self.refused(run(eal=["-l", "0"]), "-l: the tool sets this EAL option itself")
        self.refused(run(eal=["--vdev=net_ring0"]), "the tool sets this EAL option itself")

    def test_help(self):
        for args in ({"eal": ["--help"]}, {"eal": ["-h"]}):
            self.assertIn("usage: dpdk-rio-compare [EAL options] -- [options]", run(**args).stdout)
        result = run("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("examples:", result.stdout)
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 84)
        for option in re.findall(r"^  (--[a-z]+)", result.stdout, re.M):
            # Nothing is to be run: there is something wrong behind each of them.
            result = run(option, "/", "no-option")
            self.assertNotIn("unknown option", result.stderr)

    def test_version(self):
        self.assertRegex(run("--version").stdout, r"^dpdk-rio-compare \d+\.\d+\.\d+\n$")


class Results(unittest.TestCase):
    """What is measured, and where it is written."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def measure(self, *args, code=0, **kwargs):
        """Run with both files; the JSON by path."""
        result = run(*SHORT, "--json", str(self.folder / "r.json"), "--csv",
                     str(self.folder / "r.csv"), *args, **kwargs)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.root = json.loads((self.folder / "r.json").read_text())
        self.stdout = result.stdout
        return {path["name"]: path for path in self.root["paths"]}

    def whole(self, path, sizes):
        """A measured path: figures for all sizes, nothing lost, nothing damaged."""
        self.assertEqual(path["kind"], "measured")
        self.assertNotIn("trouble", path)
        self.assertEqual([cell["frame_bytes"] for cell in path["results"]], sizes)
        for cell in path["results"]:
            self.assertGreater(cell["mpps"], 0)
            self.assertAlmostEqual(cell["gbps"], cell["mpps"] * cell["frame_bytes"] * 8 / 1000,
                                   delta=cell["gbps"] * 1e-6)
            self.assertGreater(cell["sent"], 0)
            self.assertEqual(cell["sent"], cell["received"])
            self.assertEqual((cell["lost"], cell["out_of_order"], cell["damaged"]), (0, 0, 0))
            # One in 64, and the first of each round.
            self.assertGreaterEqual(cell["compared_whole"], cell["received"] // 64)
            self.assertLessEqual(cell["compared_whole"], cell["received"] // 64 + 2)
            rate = cell["frames_per_second"]
            self.assertAlmostEqual(rate["p50"] / 1e6, cell["mpps"], delta=cell["mpps"] * 1e-6)
            self.assertLessEqual(rate["min"], rate["p50"])
            self.assertLessEqual(rate["p50"], rate["max"])
            self.assertEqual(rate["samples"], 2)

    def test_ring(self):
        sizes = [60, 64, 1514, 4096, 9728]
        path = self.measure("--paths", "net_ring", "--sizes", ",".join(map(str, sizes)))["net_ring"]
        self.whole(path, sizes)
        self.assertEqual(path["processes"], 1)
        self.assertIn("not copied", path["copies"])

    def test_memif(self):
        sizes = [60, 64, 1514, 2048, 2049, 4096, 9728]
        path = self.measure("--paths", "net_memif", "--sizes",
                            ",".join(map(str, sizes)))["net_memif"]
        self.whole(path, sizes)
        self.assertEqual(path["processes"], 2)

    def test_rionet(self):
        sizes = [60, 64, 65, 71, 256, 1024, 1514, 4096]
        path = self.measure("--paths", "rionet-msg", "--sizes",
                            ",".join(map(str, sizes)))["rionet-msg"]
        self.whole(path, sizes)
        self.assertEqual(path["max_frame_bytes"], 4096)

    def test_frames_above_the_mtu_are_said(self):
        path = self.measure("--paths", "rionet-msg", "--sizes", "64,4097")["rionet-msg"]
        self.whole(path, [64])
        self.assertIn("not at 4097 bytes: its frames have 4096 at most", self.stdout)

    def test_10gbe_is_computed(self):
        path = self.measure("--paths", "10gbe", "--sizes", "60,64,1514")["10gbe"]
        self.assertEqual(path["kind"], "computed")
        rates = {cell["frame_bytes"]: cell["mpps"] for cell in path["results"]}
        self.assertAlmostEqual(rates[60], 14.880952, places=5)
        self.assertAlmostEqual(rates[64], 14.204545, places=5)
        self.assertAlmostEqual(rates[1514], 0.812744, places=5)
        self.assertIn("10gbe (computed)", self.stdout)

    def test_table_json_and_csv_agree(self):
        paths = self.measure("--paths", "net_ring,10gbe", "--sizes", "64,1514")
        rows = list(csv.DictReader((self.folder / "r.csv").read_text().splitlines()))
        self.assertEqual([(row["path"], row["kind"], row["frame_bytes"]) for row in rows],
                         [("net_ring", "measured", "64"), ("net_ring", "measured", "1514"),
                          ("10gbe", "computed", "64"), ("10gbe", "computed", "1514")])
        cells = [cell for path in paths.values() for cell in path["results"]]
        for row, cell in zip(rows, cells):
            for key in ("mpps", "gbps"):
                self.assertAlmostEqual(float(row[key]), cell[key], delta=cell[key] * 1e-6)
            if row["kind"] == "measured":
                self.assertEqual(int(row["sent"]), cell["sent"])
                self.assertEqual(int(row["damaged"]), 0)
        ring = re.search(r"frames received a second.*?net_ring +(\S+) +(\S+)", self.stdout, re.S)
        for shown, cell in zip(ring.groups(), paths["net_ring"]["results"]):
            self.assertEqual(shown, "%.3f" % cell["mpps"])
        self.assertEqual(self.root["method"]["frame_bytes"], [64, 1514])
        self.assertFalse(self.root["interrupted"])
        self.assertIn("DPDK", self.root["machine"]["dpdk"])

    def test_eal_options_reach_the_processes(self):
        # Too little for the buffers: the option was heeded, and the reason is told.
        paths = self.measure("--paths", "net_ring,10gbe", "--sizes", "64", code=2,
                             eal=["--no-huge", "-m", "4"])
        self.assertEqual(paths["net_ring"]["kind"], "not measured")
        self.assertIn("no memory for", paths["net_ring"]["trouble"])
        result = run("--paths", "net_ring", eal=["--no-such-option"])
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"EAL does not start \(dpdk-rio-compare: unrecognized\s+"
                                        r"option '--no-such-option'\)")

    def test_broken_driver_is_listed(self):
        (self.folder / "app").mkdir()
        (self.folder / "drivers").mkdir()
        tool = shutil.copy(TOOL, self.folder / "app")
        (self.folder / "drivers" / "librte_net_rionet.so").write_text("not a plugin")
        paths = self.measure("--paths", "rionet-msg,net_ring", "--sizes", "64", code=2, tool=tool)
        self.assertEqual(paths["rionet-msg"]["kind"], "not measured")
        self.assertIn("librte_net_rionet.so does not load", paths["rionet-msg"]["trouble"])
        self.assertRegex(self.stdout, r"rionet-msg +-\n")
        self.assertIn("NOT MEASURED\n  rionet-msg:", self.stdout)
        self.whole(paths["net_ring"], [64])
        rows = list(csv.DictReader((self.folder / "r.csv").read_text().splitlines()))
        self.assertIn("does not load", rows[0]["trouble"])

    def test_missing_driver_is_listed(self):
        if glob.glob("/usr/lib/*/dpdk/pmds-*/librte_net_rionet.so*"):
            self.skipTest("librte_net_rionet.so is installed: it cannot be missing")
        tool = shutil.copy(TOOL, self.folder)
        paths = self.measure("--paths", "rionet-msg,10gbe", "--sizes", "64", code=2, tool=tool)
        self.assertIn("no driver for net_rionet0 is loaded: it needs librte_net_rionet.so",
                      paths["rionet-msg"]["trouble"])

    def test_disk_full(self):
        result = run(*SHORT, "--paths", "net_ring", "--sizes", "64", "--json", "/dev/full")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot write all of '/dev/full': No space left on device", result.stderr)

    def test_progress_on_a_terminal_only(self):
        args = (*SHORT, "--paths", "net_ring", "--sizes", "64")
        self.assertEqual(run(*args).stderr, "")
        ours, theirs = pty.openpty()
        with start(*args, stderr=theirs) as process:
            process.communicate(timeout=60)
        os.close(theirs)
        drawn = os.read(ours, 65536).decode()
        os.close(ours)
        self.assertIn("starting the DPDK processes", drawn)
        self.assertRegex(drawn, r"\[#+\.*\] +\d+ %.*net_ring, 64 bytes, \d+\.\d\d Mpps")
        self.assertTrue(drawn.endswith("\r\x1b[K"))

    def test_sanitizers(self):
        tool = BUILD_ASAN / "app" / "dpdk-rio-compare"
        self.assertIn("libasan", subprocess.run(["ldd", tool], capture_output=True, text=True,
                                                check=True).stdout)
        env = {**os.environ, "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99"}
        paths = self.measure("--sizes", "64,4096", tool=tool, env=env)
        for name in MEASURED:
            self.whole(paths[name], [64, 4096])


class Bench(unittest.TestCase):
    """app/bench.sh, what ./rio bench runs."""

    def bench(self, *args):
        return subprocess.run([ROOT / "app" / "bench.sh", *args], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "RIO_BUILD": str(BUILD)})

    def test_files(self):
        result = self.bench(*SHORT, "--paths", "net_ring", "--sizes", "64")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("results: %s/bench/compare.json %s/bench/compare.csv" % (BUILD, BUILD),
                      result.stdout)
        root = json.loads((BUILD / "bench" / "compare.json").read_text())
        self.assertEqual(root["paths"][0]["name"], "net_ring")

    def test_eal_options(self):
        with tempfile.TemporaryDirectory() as folder:
            files = ["--json", folder + "/a", "--csv", folder + "/b"]
            result = self.bench("compare", "--no-huge", "-m", "256", "--", *SHORT, "--paths",
                                "net_ring", "--sizes", "64", *files)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertNotIn("results:", result.stdout)
            root = json.loads(pathlib.Path(folder, "a").read_text())
        self.assertEqual(root["method"]["eal_options"], ["--no-huge", "-m", "256"])

    def test_errors(self):
        for args in (["carrier-pigeon"], ["compare", "--colour"]):
            result = self.bench(*args)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("usage: ./rio bench", self.bench("--help").stdout)


class Default(unittest.TestCase):
    """The run without any option."""

    slow = True

    def test_it_takes_less_than_90_seconds(self):
        before = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            result = run("--json", folder + "/r.json", timeout=150)
            root = json.loads(pathlib.Path(folder, "r.json").read_text())
        self.assertLess(time.monotonic() - before, 90)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual([path["name"] for path in root["paths"]], [*MEASURED, "10gbe"])
        for path in root["paths"]:
            self.assertEqual([cell["frame_bytes"] for cell in path["results"]],
                             [64, 256, 1024, 1514, 4096])
            for cell in path["results"]:
                self.assertEqual(cell.get("sent"), cell.get("received"))
        self.assertLessEqual(max(map(len, result.stdout.splitlines()[1:])), 82)


class Endings(unittest.TestCase):
    """Whatever ends early, the rest is told and nothing is left."""

    def begin(self, paths, *args, **kwargs):
        """A long run that has measured each of the paths."""
        ours, theirs = pty.openpty()
        process = start("--duration", "60", "--rounds", "60", "--sizes", "64", "--paths",
                        ",".join(paths), *args, stderr=theirs, **kwargs)
        self.addCleanup(os.close, ours)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        os.close(theirs)
        drawn = ""
        end = time.monotonic() + 60
        while not all(name + ", 64 bytes, " in drawn for name in paths):
            self.assertLess(time.monotonic(), end, drawn)
            self.assertIsNone(process.poll())
            if select.select([ours], [], [], 1)[0]:
                drawn += os.read(ours, 65536).decode()
        # What is drawn from now on fits the terminal's buffer for a minute and more.
        return process

    def gone(self, process, pids):
        self.assertTrue(wait_until(lambda: not any(map(exists, pids)), 15))
        self.assertTrue(wait_until(lambda: not left_behind(process.pid), 5),
                        left_behind(process.pid))

    def test_interrupt(self):
        with tempfile.TemporaryDirectory() as folder:
            process = self.begin(["net_ring", "net_memif"], "--json", folder + "/r.json")
            pids = children(process.pid)
            self.assertEqual(len(pids), 3)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=20)
            root = json.loads(pathlib.Path(folder, "r.json").read_text())
        self.assertEqual(process.returncode, 130)
        self.assertIn("INTERRUPTED: what was measured until then follows.", out)
        self.assertRegex(out, r"net_ring +\d+\.\d\d\d\n")
        self.assertTrue(root["interrupted"])
        for path in root["paths"]:
            self.assertEqual(path["results"][0]["lost"], 0)
        self.gone(process, pids)

    def test_interrupt_of_the_whole_terminal(self):
        # As Ctrl-C does it: all processes of the group get the signal.
        process = self.begin(["net_memif"], start_new_session=True)
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertNotIn("FAILED", out)
        self.assertRegex(out, r"net_memif +\d+\.\d\d\d\n")
        self.gone(process, [])

    def test_interrupt_while_it_starts(self):
        process = start()
        self.addCleanup(process.kill)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        self.assertEqual((process.returncode, err), (130, ""))
        self.assertIn("INTERRUPTED", out)
        self.gone(process, [])

    def death_of_one(self, number):
        """Kill a process of net_memif; the other path goes on."""
        with tempfile.TemporaryDirectory() as folder:
            process = self.begin(["net_memif", "net_ring"], "--json", folder + "/r.json")
            pids = children(process.pid)
            memif = [pid for pid in pids if "-0-" in prefix_of(pid)]
            self.assertEqual(len(memif), 2)
            os.kill(memif[number], signal.SIGKILL)
            self.assertTrue(wait_until(lambda: len(children(process.pid)) == 1, 10))
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=20)
            root = json.loads(pathlib.Path(folder, "r.json").read_text())
        self.assertRegex(root["paths"][0]["trouble"],
                         r"the (sending|receiving) process: was killed by signal 9 \(Killed\)")
        self.assertIn("FAILED\n  net_memif:", out)
        self.assertNotIn("trouble", root["paths"][1])
        self.assertGreater(root["paths"][1]["results"][0]["mpps"], 0)
        self.gone(process, pids)

    def test_death_of_the_sender_or_receiver(self):
        self.death_of_one(0)
        self.death_of_one(1)

    def test_death_of_the_tool(self):
        process = self.begin(["net_memif", "net_ring"])
        pids = children(process.pid)
        process.kill()
        process.wait()
        self.gone(process, pids)


def prefix_of(pid):
    """File prefix of a DPDK process, from the files of its runtime folder that it has open."""
    for link in pathlib.Path("/proc/%d/fd" % pid).iterdir():
        match = re.search(r"/(dpdk-rio-compare-[^/]*)/", os.readlink(link))
        if match:
            return match[1].replace("dpdk-rio-compare-", "", 1)
    return ""


if __name__ == "__main__":
    unittest.main()
