# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""
DPDK's own examples, unmodified: built from the source package of the installed
version into the build folder, and run between the ports of a testpmd.
"""

import fcntl
import os
import pathlib
import shlex
import subprocess
import tempfile
import time
import unittest

from rig import BUILD, ROOT, capture, testpmd

SOURCES = {
    "l2fwd": ("main.c",),
    "l3fwd": ("l3fwd_acl.c", "l3fwd_em.c", "l3fwd_event.c", "l3fwd_event_generic.c",
              "l3fwd_event_internal_port.c", "l3fwd_fib.c", "l3fwd_lpm.c", "main.c"),
    "l3fwd-power": ("main.c", "perf_core.c"),
}


def package_config(*what):
    done = subprocess.run(["pkg-config", *what, "libdpdk"], check=True, capture_output=True,
                          text=True)
    return shlex.split(done.stdout)


def source_folder():
    done = subprocess.run([ROOT / "config" / "sdk_headers.sh", "--examples"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise unittest.SkipTest("no sources of DPDK's examples: " + done.stderr.strip())
    return pathlib.Path(done.stdout.strip())


def program(name):
    """The example's program, built if it is not there."""
    folder = BUILD / "examples"
    folder.mkdir(exist_ok=True)
    built = folder / name
    with open(folder / ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sources = source_folder()
        files = [sources / name / file for file in SOURCES[name]]
        if built.exists() and built.stat().st_mtime > max(f.stat().st_mtime for f in files):
            return built
        # As the Makefile of each example does.
        done = subprocess.run(
            ["cc", "-O1", "-w", "-DALLOW_EXPERIMENTAL_API", *package_config("--cflags"),
             "-I", sources / "common", *files, "-o", folder / ".new", *package_config("--libs")],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError("%s does not build:\n%s" % (name, done.stderr))
        os.replace(folder / ".new", built)
    return built


class Example:
    """
    A running example, and what it prints. vdevs: its ports. options: its own.
    Use it as a context manager.
    """

    def __init__(self, name, vdevs, options):
        plugin_args, env = testpmd.plugin_options()
        argv = [str(program(name)), *testpmd.eal_options(lcores="0"), *plugin_args]
        for vdev in vdevs:
            argv += ["--vdev", vdev]
        self.runtime = testpmd.RuntimeFolder()
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [*argv, "--", *options], stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=subprocess.STDOUT, env={**os.environ, **env, **self.runtime.env},
            start_new_session=True)

    def output(self):
        self.log.seek(0)
        return self.log.read()

    def wait_for(self, text, seconds=60):
        end = time.monotonic() + seconds
        while text not in self.output():
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError("no '%s' in:\n%s" % (text, self.output()))
            time.sleep(0.05)

    def cpu_seconds(self):
        """Time on processors of all its threads so far."""
        fields = pathlib.Path("/proc/%d/stat" % self.process.pid).read_text().rsplit(")", 1)[1]
        return sum(map(int, fields.split()[11:13])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        """As a user would; the exit code."""
        self.process.send_signal(2)
        return self.process.wait(30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            testpmd.stop(self.process)
        self.log.close()
        self.runtime.remove()


class Through:
    """
    A testpmd whose two ports have an example between them, on a fabric each: frames
    from a capture leave by its first port, and what comes to the second one is captured.
    """

    def __init__(self, folder, fabrics, frames, destid, mode_args=""):
        self.sink = os.path.join(folder, "received.pcap")
        self.source = os.path.join(folder, "sent.pcap")
        capture.write(self.source, frames)
        self.vdevs = ["net_pcap0,rx_pcap=" + self.source]
        self.vdevs += ["net_rionet%d,fabric=%s,destid=%d%s" % (n, fabric, destid, mode_args)
                       for n, fabric in enumerate(fabrics)]
        self.vdevs += ["net_pcap1,tx_pcap=" + self.sink]

    def run(self, expected, peers_dma=0, patience=30):
        """What came, when as many as expected have; first, both ports have so many peers by DMA."""
        with testpmd.Testpmd(self.vdevs, ["--port-topology=paired"]) as pmd:
            end = time.monotonic() + patience
            while any(pmd.xstats(port)["peers_dma"] < peers_dma for port in (1, 2)):
                if time.monotonic() > end:
                    raise AssertionError("no DMA: %s" % pmd.xstats(1))
                time.sleep(0.05)
            pmd.command("start")
            while time.monotonic() < end:
                if pmd.xstats(3)["tx_good_packets"] >= expected:
                    break
                time.sleep(0.05)
            pmd.command("stop")
            if pmd.quit() != 0:
                raise AssertionError(pmd.tail())
        return capture.read(self.sink)
