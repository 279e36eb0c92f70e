#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Runs every test and sums them up in one closing line.

Two kinds: the programs that meson knows, from the build with sanitizers
(suites unit, app, driver, ...; tsan: the null device's again, with ThreadSanitizer), and
the test_*.py files in the folders of test/, which drive the plain build. Each test has a
time limit, must end the processes it started and must remove the files it made.
"""

import argparse
import contextlib
import ctypes
import dataclasses
import importlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED_EXIT_CODE = 77  # meson's convention
TIMEOUT = 180           # seconds, unless a test says otherwise
GRACE = 2               # seconds for what a test has ended to be gone
PR_SET_CHILD_SUBREAPER = 36
HUGEPAGES = pathlib.Path("/proc/sys/vm/nr_hugepages")
HUGEPAGES_WANTED = 128  # for the programs that use some; 256 MiB where a page is 2 MiB
TEMPORARY = tempfile.gettempdir()


class Timeout(BaseException):
    """A test took too long. No test catches this by mistake."""


@dataclasses.dataclass
class Outcome:
    """What came of a test. text: output of a failed one, reason of a skipped one."""

    kind: str
    text: str = ""


class ProgramTest:
    """A test program that meson knows. tsan: it was built with ThreadSanitizer."""

    def __init__(self, entry, tsan=False):
        self.suites = [suite.split(":")[-1] for suite in entry["suite"]]
        self.name = "%s/%s" % ("tsan" if tsan else self.suites[0], entry["name"])
        self.slow = "slow" in self.suites
        self.long = "long" in self.suites
        self.entry = entry
        self.command = ([str(HERE / "tsan.sh")] if tsan else []) + entry["cmd"]
        self.timeout = max(entry["timeout"], TIMEOUT)

    def run(self):
        done = subprocess.run(
            self.command, cwd=self.entry["workdir"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            env={**os.environ, **self.entry["env"]}, check=False)
        if done.returncode == 0:
            return Outcome("passed")
        if done.returncode == SKIPPED_EXIT_CODE:
            return Outcome("skipped", (done.stdout.strip().splitlines() or ["no reason"])[-1])
        return Outcome("failed", "exit code %d\n%s" % (done.returncode, done.stdout))


class Missing:
    """Stands for tests that cannot run here."""

    slow = long = False
    timeout = TIMEOUT

    def __init__(self, name, reason):
        self.name = name
        self.reason = reason

    def run(self):
        return Outcome("skipped", self.reason)


class PythonTest:
    """A method of a unittest.TestCase, run alone: setUpClass and setUpModule are not called.

    Attributes of its class: slow, timeout.
    """

    long = False

    def __init__(self, folder, case):
        self.case = case
        self.name = "%s/%s" % (folder, case.id())
        self.slow = getattr(case, "slow", False)
        self.timeout = getattr(case, "timeout", TIMEOUT)

    def run(self):
        result = unittest.TestResult()
        self.case.run(result)
        problems = result.errors + result.failures
        if problems:
            return Outcome("failed", "\n".join(text for _, text in problems))
        if result.unexpectedSuccesses:
            return Outcome("failed", "expected to fail, but did not")
        if result.skipped:
            return Outcome("skipped", "; ".join(reason for _, reason in result.skipped))
        return Outcome("passed")


def introspect(build):
    listed = subprocess.run(["meson", "introspect", "--tests", str(build)], check=True,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return json.loads(listed.stdout)


def program_tests(build):
    """What meson knows, without what is a Python test too (suite script)."""
    tests = [ProgramTest(entry) for entry in introspect(build)]
    return [test for test in tests if "script" not in test.suites]


def tsan_tests(build):
    """The null device's tests (suite null), with ThreadSanitizer."""
    reason = os.environ.get("RIO_NO_TSAN")
    if not reason and not (build / "build.ninja").exists():
        reason = "no %s: run ./rio build --tsan" % build
    if reason:
        return [Missing("tsan/null", reason)]
    tests = [ProgramTest(entry, tsan=True) for entry in introspect(build)]
    return [test for test in tests if "null" in test.suites]


def flatten(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flatten(item)
        else:
            yield item


def python_tests():
    for path in sorted(HERE.rglob("test_*.py")):
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))
        module = importlib.import_module(path.stem)
        for case in flatten(unittest.defaultTestLoader.loadTestsFromModule(module)):
            yield PythonTest(path.parent.relative_to(HERE).as_posix(), case)


def child_processes():
    """Own children, which orphans become too, as (pid, command line)."""
    path = pathlib.Path("/proc/self/task/%d/children" % os.getpid())
    for pid in path.read_text().split():
        try:
            command = pathlib.Path("/proc", pid, "cmdline").read_bytes()
        except OSError:
            continue
        yield int(pid), command.replace(b"\0", b" ").decode(errors="replace").strip()


def end_children():
    """End what a test left running, and what those leave in turn; what that was."""
    left = []
    grace = time.monotonic() + GRACE
    while children := list(child_processes()):
        for pid, command in children:
            if os.waitpid(pid, os.WNOHANG)[0] == 0 and time.monotonic() > grace:
                left.append("process %d: %s" % (pid, command))
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        time.sleep(0.01)
    return left


def run_one(test):
    """Run a test within its time, in an empty folder for temporary files."""
    folder = tempfile.mkdtemp(prefix="rio-test-", dir=TEMPORARY)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    # Again every 15 s, for what a test does when it is interrupted.
    signal.setitimer(signal.ITIMER_REAL, test.timeout, 15)
    try:
        outcome = test.run()
    except Timeout:
        outcome = Outcome("failed", "not done in %d s\n%s" % (test.timeout,
                                                              traceback.format_exc()))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        left = end_children()
        left += ["file " + name for name in os.listdir(folder)]
        shutil.rmtree(folder, ignore_errors=True)
    if left and outcome.kind != "failed":
        outcome = Outcome("failed", "left behind:\n" + "\n".join(left))
    return outcome


def show(test, outcome, seconds):
    word = {"passed": "ok  ", "failed": "FAIL", "skipped": "skip"}[outcome.kind]
    reason = ": " + outcome.text if outcome.kind == "skipped" else ""
    print("%s  %s  (%.1f s)%s" % (word, test.name, seconds, reason), flush=True)
    if outcome.kind == "failed":
        print("    " + outcome.text.strip().replace("\n", "\n    "), flush=True)


def run_all(tests):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for number, test in enumerate(tests, 1):
        if sys.stdout.isatty():
            print("\r\033[K[%d/%d] %s" % (number, len(tests), test.name), end="", flush=True)
        start = time.monotonic()
        outcome = run_one(test)
        if sys.stdout.isatty():
            print("\r\033[K", end="")
        show(test, outcome, time.monotonic() - start)
        counts[outcome.kind] += 1
    return counts


def change_hugepages(by):
    """Ask the kernel for more or fewer hugepages; by how many there are more now."""
    before = int(HUGEPAGES.read_text())
    HUGEPAGES.write_text(str(max(0, before + by)))
    return int(HUGEPAGES.read_text()) - before


@contextlib.contextmanager
def hugepages():
    """Some hugepages while the tests run, where this process may reserve them."""
    added = 0
    try:
        if os.access(HUGEPAGES, os.W_OK):
            added = change_hugepages(HUGEPAGES_WANTED)
        yield
    finally:
        if added > 0:
            change_hugepages(-added)


def on_alarm(*_):
    raise Timeout("over its time limit")


def on_term(*_):
    raise KeyboardInterrupt


def prepare():
    """What this process has to be for run_all()."""
    # Orphans of the tests become children of this process, so they can be found.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGALRM, on_alarm)
    signal.signal(signal.SIGTERM, on_term)


def build_folder(kind):
    return pathlib.Path(os.environ.get("RIO_BUILD_" + kind.upper()) or
                        HERE.parent / ("build-" + kind))


def main():
    parser = argparse.ArgumentParser(prog="rio test", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="without the slow tests")
    parser.add_argument("--long", action="store_true",
                        help="with those that take minutes each and are left out otherwise")
    parser.add_argument("--only", metavar="TEXT", action="append", default=[],
                        help="only tests with TEXT in their name; may be repeated")
    parser.add_argument("--list", action="store_true", help="print the names, run nothing")
    args = parser.parse_args()

    tests = program_tests(build_folder("asan")) + tsan_tests(build_folder("tsan"))
    tests += python_tests()
    tests = [t for t in tests if not (args.quick and t.slow) and (args.long or not t.long)
             and (not args.only or any(text in t.name for text in args.only))]
    if args.list:
        print("\n".join(test.name for test in tests))
        return 0
    if not tests:
        print("no test has such a name", file=sys.stderr)
        return 2
    prepare()
    with hugepages():
        counts = run_all(tests)
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
