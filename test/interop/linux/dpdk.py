# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""DPDK programs on the fabric of Linux nodes."""

import os
import select
import subprocess
import sys
import time

import uml

sys.path.insert(0, str(uml.ROOT / "app" / "replay"))
import testpmd  # noqa: E402 pylint: disable=wrong-import-position


class DpdkNode:
    """A running dpdk_node, a raw device with these arguments."""

    def __init__(self, devargs, timeout=60):
        self.timeout = timeout
        self.output = b""
        self.runtime = testpmd.RuntimeFolder()
        argv = [str(uml.PROGRAMS / "dpdk_node"), *testpmd.eal_options(),
                "--no-telemetry", "--log-level=warning", "--vdev", "raw_tsi7210," + devargs]
        # What goes wrong shows where this test's errors do.
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
            env={**os.environ, **self.runtime.env}, start_new_session=True)
        try:
            self._read_until("ready", "start")
        except BaseException:
            self.close()
            raise

    def _read_until(self, ends, what, timeout=None):
        """The first line that is one of `ends`, and those before it."""
        deadline = time.monotonic() + (timeout or self.timeout)
        lines = []
        while True:
            line, newline, rest = self.output.partition(b"\n")
            if newline:
                self.output = rest
                lines.append(line.decode(errors="replace"))
                if lines[-1] in ends.split():
                    return lines.pop(), lines
                continue
            left = deadline - time.monotonic()
            ready = left > 0 and select.select([self.process.stdout], [], [], left)[0]
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not data:
                raise uml.Failure("dpdk_node: %s: %s: %s" % (
                    what, "it ended" if ready else "no answer", lines))
            self.output += data

    def try_run(self, *words, timeout=None):
        """Whether a command did what it should, and its lines."""
        command = " ".join(map(str, words))
        self.process.stdin.write(command.encode() + b"\n")
        end, lines = self._read_until("ok no", command, timeout)
        return end == "ok", lines

    def run(self, *words, timeout=None):
        """Lines of a command that must succeed."""
        good, lines = self.try_run(*words, timeout=timeout)
        if not good:
            raise uml.Failure("dpdk_node: %s: %s" % (" ".join(map(str, words)), lines))
        return lines

    def until(self, *words, timeout=30):
        """Run a command until it succeeds."""
        end = time.monotonic() + timeout
        while True:
            good, lines = self.try_run(*words)
            if good:
                return lines
            if time.monotonic() > end:
                raise uml.Failure("dpdk_node: %s: not in %d s: %s" % (words, timeout, lines))
            time.sleep(0.05)

    def close(self):
        testpmd.stop(self.process)
        self.process.stdin.close()
        self.process.stdout.close()
        self.runtime.remove()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
