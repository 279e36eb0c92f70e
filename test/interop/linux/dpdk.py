# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""DPDK programs on the fabric of Linux nodes."""

import os
import re
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


class Namespace:
    """A network namespace of this machine, with a process that holds it."""

    def __init__(self):
        self.holder = subprocess.Popen(
            ["unshare", "--net", "sleep", str(uml.LIFE)], stdin=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while os.readlink("/proc/%d/ns/net" % self.holder.pid) == os.readlink("/proc/self/ns/net"):
            if self.holder.poll() is not None or time.monotonic() > end:
                self.close()
                raise uml.Failure("unshare --net makes no network namespace")
            time.sleep(0.01)

    @staticmethod
    def not_possible():
        """Why this machine gives this process none with TAP interfaces in it, or None."""
        if os.geteuid() != 0:
            return "network namespaces that a fabric reaches into need root"
        if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
            return "no /dev/net/tun"
        done = subprocess.run(["unshare", "--net", "ip", "tuntap", "add", "rio0", "mode", "tap"],
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False)
        return done.stderr.strip() or "no TAP interfaces" if done.returncode != 0 else None

    def argv(self, *words):
        return ["nsenter", "-t", str(self.holder.pid), "-n", *map(str, words)]

    def try_run(self, *words, timeout=60):
        """Exit code and output."""
        done = subprocess.run(self.argv(*words), stdin=subprocess.DEVNULL, timeout=timeout,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        return done.returncode, done.stdout

    def run(self, *words, timeout=60):
        """Output of a program that must succeed."""
        code, text = self.try_run(*words, timeout=timeout)
        if code != 0:
            raise uml.Failure("%s: exit code %d: %s" % (" ".join(map(str, words)), code, text))
        return text

    def until(self, *words, timeout=30):
        """Run a program until it succeeds."""
        end = time.monotonic() + timeout
        while True:
            code, text = self.try_run(*words)
            if code == 0:
                return text
            if time.monotonic() > end:
                raise uml.Failure("%s: not in %d s: %s" % (words, timeout, text))
            time.sleep(0.05)

    def close(self):
        self.holder.kill()
        self.holder.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Tap:
    """A running dpdk-rio-tap: a port of these devargs is the interface rio0 of a namespace."""

    def __init__(self, devargs, namespace, *options):
        self.runtime = testpmd.RuntimeFolder()
        argv = [str(uml.BUILD / "app" / "dpdk-rio-tap"), *testpmd.eal_options(),
                "--no-telemetry", "--log-level=warning", "--vdev", "net_rionet0," + devargs,
                "--", "--name", "rio0", *map(str, options)]
        self.process = subprocess.Popen(
            namespace.argv(*argv), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            env={**os.environ, **self.runtime.env}, start_new_session=True, text=True)
        try:
            if not self.process.stdout.readline().startswith("rio0: on port"):
                raise uml.Failure("dpdk-rio-tap ended with code %d" % self.process.wait(30))
        except BaseException:
            self.close()
            raise

    def stop(self):
        """End it as a user would; frames that it did not get rid of."""
        self.process.terminate()
        text = self.process.stdout.read()
        if self.process.wait(30) != 0:
            raise uml.Failure("dpdk-rio-tap ended with code %d: %s"
                              % (self.process.returncode, text))
        return sum(map(int, re.findall(r"\((\d+) refused\)", text)))

    def close(self):
        testpmd.stop(self.process)
        self.process.stdout.close()
        self.runtime.remove()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
