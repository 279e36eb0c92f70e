# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Runs dpdk-testpmd with this project's plugins and talks to its prompt."""

import itertools
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

PROMPT = "testpmd> "
PLUGINS = ("librte_raw_tsi721.so", "librte_net_rionet.so")
ROOT = pathlib.Path(__file__).resolve().parents[2]
_serial = itertools.count()


class TestpmdError(Exception):
    """testpmd did not do what was asked; the text holds what it printed last."""

    __test__ = False


def build_folder():
    """Where the plugins were built: RIO_BUILD, else build/ of this clone."""
    return pathlib.Path(os.environ.get("RIO_BUILD") or ROOT / "build").resolve()


def below_world_writable(path):
    """Whether EAL refuses plugins in this folder: it checks each one on the way."""
    path = pathlib.Path(path).resolve()
    return any(p.stat().st_mode & 0o002 for p in (path, *path.parents))


def plugin_options(folder=None):
    """EAL options and environment that load the plugins in `folder`."""
    folder = pathlib.Path(folder or build_folder() / "drivers")
    missing = [name for name in PLUGINS if not (folder / name).is_file()]
    if missing:
        raise TestpmdError("%s is not in %s: run ./rio build" % (missing[0], folder))
    if not below_world_writable(folder):
        return ["-d", str(folder)], {}
    # EAL does not look into such a folder, the dynamic loader does.
    path = ":".join(filter(None, (str(folder), os.environ.get("LD_LIBRARY_PATH"))))
    return [arg for name in PLUGINS for arg in ("-d", name)], {"LD_LIBRARY_PATH": path}


def eal_options(preset="no-huge", lcores=None):
    """EAL options of a run beside others: a preset of config/eal, two CPUs, a name of its own."""
    lines = (ROOT / "config" / "eal" / preset).read_text().splitlines()
    options = [word for line in lines if not line.startswith("#") for word in line.split()]
    cpus = sorted(os.sched_getaffinity(0))
    lcores = lcores or "0@%d,1@%d" % (cpus[0], cpus[min(1, len(cpus) - 1)])
    return [*options, "--lcores", lcores,
            "--file-prefix", "rio-%d-%d" % (os.getpid(), next(_serial))]


class RuntimeFolder:
    """EAL's runtime folder for one run, gone afterwards whatever became of the run."""

    def __init__(self):
        # Sockets lie in it, and their paths are limited to 107 bytes.
        self.path = tempfile.mkdtemp(prefix="rio-run-")
        self.env = {"RUNTIME_DIRECTORY": self.path}

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


def command_line(vdevs, options=(), eal=(), plugins=None, preset="no-huge", lcores=None):
    """A testpmd command line, and the environment it needs. plugins: a folder, () for none."""
    plugin_args, env = plugin_options(plugins) if plugins != () else ([], {})
    argv = ["dpdk-testpmd", *eal_options(preset, lcores), *plugin_args, *eal]
    for vdev in vdevs:
        argv += ["--vdev", vdev]
    return argv + ["--", "--no-flush-rx", "--total-num-mbufs=8192", *options], env


def stop(process, patience=10):
    """End a process and those it started (it leads a session): asked first, then forced."""
    for number, wait in ((signal.SIGTERM, patience), (signal.SIGKILL, 5)):
        if process.poll() is None:
            try:
                os.killpg(process.pid, number)
                process.wait(wait)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
    return process.returncode


def run_once(vdevs, options=(), eal=(), plugins=None, env=None, timeout=60):
    """A testpmd that forwards nothing and ends at once: (exit code, what it printed)."""
    runtime = RuntimeFolder()
    try:
        argv, run_env = command_line(vdevs, options, eal, plugins)
        with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace",
                              env={**os.environ, **run_env, **runtime.env, **(env or {})},
                              start_new_session=True) as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except BaseException:
                stop(process)
                raise
        return process.returncode, output
    finally:
        runtime.remove()


class Testpmd:
    """
    An interactive dpdk-testpmd.

    vdevs: --vdev values in port order. options: testpmd's own. eal: more EAL options.
    preset: of config/eal. wrapper: a command to run it by. lcores: EAL's, if not two
    on two processors. Use it as a context manager; leaving it ends the process and removes
    what it left.
    """

    __test__ = False

    def __init__(self, vdevs, options=(), eal=(), plugins=None, timeout=60,
                 preset="no-huge", wrapper=(), env=None, lcores=None):
        self.timeout = timeout
        self.output = ""
        self.runtime = RuntimeFolder()
        self.process = None
        argv, run_env = command_line(vdevs, ["-i", *options], eal, plugins, preset,
                                     lcores)
        self.argv = [*wrapper, *argv]
        # A terminal, so that what is printed arrives line by line.
        self.reader, writer = pty.openpty()
        try:
            self.process = subprocess.Popen(
                self.argv, stdin=subprocess.PIPE, stdout=writer, stderr=writer,
                env={**os.environ, **run_env, **self.runtime.env, **(env or {})},
                start_new_session=True)
        except OSError:
            self.close()
            raise
        finally:
            os.close(writer)

    def __enter__(self):
        try:
            self.wait_prompt()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self, deadline):
        """More output, or None at its end."""
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.reader], [], [], left)[0]:
            raise TestpmdError("testpmd: no answer in %d s\n%s" % (self.timeout, self.tail()))
        try:
            data = os.read(self.reader, 65536)
        except OSError:  # what Linux gives at the end of a terminal
            data = b""
        text = data.decode(errors="replace").replace("\r", "")
        self.output += text
        return text if data else None

    def tail(self, lines=30):
        return "\n".join(self.output.splitlines()[-lines:])

    def wait_prompt(self):
        """What was printed up to the next prompt. Raises TestpmdError when there is none."""
        deadline = time.monotonic() + self.timeout
        text = ""
        while not text.endswith(PROMPT):
            more = self._read(deadline)
            if more is None:
                self.process.wait(self.timeout)
                raise TestpmdError("testpmd ended with code %d\n%s"
                                   % (self.process.returncode, self.tail()))
            text += more
        return text[: -len(PROMPT)]

    def command(self, text):
        """Run one command; what it printed."""
        try:
            self.process.stdin.write(text.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise TestpmdError("testpmd is gone\n%s" % self.tail()) from error
        answer = self.wait_prompt()
        # The line editor echoes the command behind the last prompt.
        return answer.split("\n", 1)[-1]

    def xstats(self, port):
        """Extended statistics of a port by name."""
        text = self.command("show port xstats %d" % port)
        stats = {name: int(value) for name, value in re.findall(r"^(\w+): (\d+)$", text, re.M)}
        if not stats:
            raise TestpmdError("testpmd: port %d has no statistics\n%s" % (port, self.tail()))
        return stats

    def mtu(self, port):
        match = re.search(r"^MTU: (\d+)$", self.command("show port info %d" % port), re.M)
        if match is None:
            raise TestpmdError("no port %d\n%s" % (port, self.tail()))
        return int(match[1])

    def quit(self):
        """End it as a user would; the exit code."""
        self.process.stdin.write(b"quit\n")
        self.process.stdin.flush()
        deadline = time.monotonic() + self.timeout
        while self._read(deadline) is not None:
            pass
        return self.process.wait(self.timeout)

    def close(self):
        if self.process is not None:
            stop(self.process)
            self.process.stdin.close()
            self.process = None
        if self.reader is not None:
            os.close(self.reader)
            self.reader = None
        self.runtime.remove()
