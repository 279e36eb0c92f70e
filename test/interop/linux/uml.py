# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Linux nodes: user-mode Linux kernels whose tsi721 driver has a null device.

A fabric of them is

    with uml.Devices("fabric", ["a", "b"]) as devices, uml.Node(devices.socket("a")) as host:
        host.run("ls /dev/rio_mport0")

A node's root is this machine's, read-only. Commands go to a shell that is its
init; its kernel's log and what it prints elsewhere is in Node.console().
"""

import contextlib
import functools
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = pathlib.Path(os.environ.get("RIO_BUILD") or ROOT / "build")
KERNEL_SCRIPT = ROOT / "config" / "uml_kernel.sh"
NULLDEV = pathlib.Path(os.environ.get("RIO_NULLDEV") or BUILD / "app" / "dpdk-rio-nulldev")
PROGRAMS = BUILD / "test" / "interop" / "linux"
VIRTIO_ID = 1234
LIFE = 600  # seconds after which a kernel or server is ended, whatever became of the test

# Lines of level warning and above that a boot without any device has too, or
# that say what is known of user-mode Linux and not of the device.
EXPECTED = [
    r"tsi721_enable_msix: ERROR Failed to enable MSI-X",  # it has 32 vectors, the driver wants 34
    r"epollctl add err fd \d+",
    r"This architecture does not have kernel memory protection",
    r"Unknown kernel command line parameters",
]


class Failure(AssertionError):
    """A node or a device server did not do what was asked."""


def kernel_path(*options):
    """Path of the kernel, as config/uml_kernel.sh says; SkipTest with its reason."""
    given = os.environ.get("RIO_UML_KERNEL")
    if given:
        return given
    done = subprocess.run([str(KERNEL_SCRIPT), *options], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise unittest.SkipTest("no user-mode Linux kernel: " + lines[-1])
    return done.stdout.strip()


def kernel_cached():
    """Whether a kernel is there without building one."""
    try:
        return os.access(kernel_path("--print"), os.X_OK)
    except unittest.SkipTest:
        return True  # the tests will be skipped at once


def busybox():
    path = shutil.which("busybox")
    if path is None:
        raise unittest.SkipTest("package busybox-static is not installed")
    return path


@functools.lru_cache(maxsize=None)
def kernel():
    """A kernel that runs here, built if need be; SkipTest with the reason."""
    path = kernel_path()
    with tempfile.TemporaryDirectory() as folder:
        init = pathlib.Path(folder, "init")
        init.write_text("#!%s sh\necho it runs\nexec %s poweroff -f\n" % (busybox(), busybox()))
        init.chmod(0o755)
        done = subprocess.run(
            ["timeout", "-k", "2", "20", *command_line(path, folder, init, "32M"),
             "con=null", "con0=null,fd:1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", check=False, env=environment())
    if "it runs" not in done.stdout:
        lines = [line for line in done.stdout.splitlines() if line.strip()] or ["no output"]
        raise unittest.SkipTest("user-mode Linux does not run here: " + lines[-1])
    return path


def command_line(path, folder, init, memory):
    # lpj: a read of a register fails after 40,000 polls of 1 us by the kernel's own, coarse,
    # measure. With this they last long enough for a machine that is busy elsewhere.
    return [path, "mem=" + memory, "lpj=300000000", "rootfstype=hostfs", "rootflags=/", "ro",
            "init=%s" % init, "uml_dir=%s" % folder, "umid=uml"]


def environment():
    """Guest memory is a file without a name below TMPDIR: in memory is where it belongs."""
    return {"PATH": os.environ.get("PATH", ""), "HOME": "/", "TMPDIR": "/dev/shm"}


def children(pid):
    """What timeout(1) runs."""
    try:
        return [int(child) for child in
                pathlib.Path("/proc/%d/task/%d/children" % (pid, pid)).read_text().split()]
    except OSError:
        return []


def end_group(process):
    """End what timeout(1) runs. A kernel's programs are processes of this machine, in the
    kernel's own session: all go at once."""
    groups = [process.pid, *children(process.pid)]
    for group in reversed(groups):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()
    # Where this process is the one that orphans go to, see the last of them end.
    for group in groups:
        try:
            while True:
                os.waitpid(-group, 0)
        except ChildProcessError:
            pass


def hurry_a_little():
    """A kernel that waits for others of the machine looks as if it had lost something."""
    try:
        os.nice(-10)
    except PermissionError:
        pass


def hurry():
    """Kernels burn a processor while they wait for the device server: it goes first, if it may."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        pass


class Devices:
    """A dpdk-rio-nulldev with one socket a name. places: a name's options, as node=n0."""

    def __init__(self, fabric, names, topology=None, places=None):
        self.folder = tempfile.TemporaryDirectory(prefix="rio-")
        self.places = places or {}
        # Fabrics are the machine's: another run has others.
        self.fabric = "%s-%d" % (fabric, os.getpid())
        self.log_path = pathlib.Path(self.folder.name, "log")
        command = ["timeout", "-k", "2", str(LIFE), str(NULLDEV), "--fabric", self.fabric]
        if topology:
            command += ["--topology", str(ROOT / "config" / "fabrics" / topology)]
        for name in names:
            options = "".join("," + option for option in self.places.get(name, ()))
            command += ["--socket", self.socket(name) + options]
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                text=True, start_new_session=True, preexec_fn=hurry)
        self.destids = []
        try:
            self._wait_ready()
        except BaseException:
            self.close()
            raise

    def _wait_ready(self):
        for line in self.process.stdout:
            if line.strip() == "ready":
                return
            self.destids.append(int(re.search(r"destination ID (\d+)", line)[1]))
        raise Failure("device server ended: " + self.log())

    def socket(self, name):
        return str(pathlib.Path(self.folder.name, name))

    def log(self):
        return self.log_path.read_text(errors="replace")

    def stop(self):
        """End the server as a user would; its log."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired as error:
                raise Failure("device server does not end:\n" + self.log()) from error
        if self.process.returncode != 0:
            raise Failure("device server ended with %d:\n%s"
                          % (self.process.returncode, self.log()))
        return self.log()

    def close(self):
        end_group(self.process)
        self.process.stdout.close()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Node:
    """A running kernel. options: added to its command line."""

    PROMPT = "@@done "

    def __init__(self, socket, options=(), memory="128M"):
        self.folder = tempfile.TemporaryDirectory(prefix="rio-")
        self.output = b""
        self.log_path = pathlib.Path(self.folder.name, "console")
        shell = busybox()
        init = pathlib.Path(self.folder.name, "init")
        init.write_text(INIT.replace("BUSYBOX", shell).replace("PROMPT", self.PROMPT))
        init.chmod(0o755)
        command = ["timeout", "-k", "2", str(LIFE),
                   *command_line(kernel(), self.folder.name, init, memory),
                   "virtio_uml.device=%s:%d" % (socket, VIRTIO_ID),
                   "con=null", "con0=null,fd:2", "con1=fd:0,fd:1", *options]
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                env=environment(), start_new_session=True, bufsize=0, preexec_fn=hurry_a_little)
        try:
            self._read_reply("boot", 60)
        except BaseException:
            self.close()
            raise

    def running(self):
        return self.process.poll() is None

    @contextlib.contextmanager
    def stopped(self):
        """The whole machine stands still meanwhile."""
        kernel_pid = children(self.process.pid)[0]
        os.kill(kernel_pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(kernel_pid, signal.SIGCONT)

    def console(self):
        return self.log_path.read_text(errors="replace")

    def _read_reply(self, what, timeout):
        """What the shell printed, and the exit code, up to its next prompt."""
        end = time.monotonic() + timeout
        mark = re.compile(rb"(?:^|\n)" + self.PROMPT.encode() + rb"(\d+)\n")
        while True:
            match = mark.search(self.output)
            if match:
                text = self.output[:match.start()].decode(errors="replace")
                self.output = self.output[match.end():]
                return int(match[1]), text
            left = end - time.monotonic()
            ready = left > 0 and select.select([self.process.stdout], [], [], left)[0]
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not data:
                raise Failure("%s: %s after %r\n%s" % (
                    what, "node ended" if ready else "nothing for %d s" % timeout,
                    self.output.decode(errors="replace"), self.console()[-6000:]))
            self.output += data.replace(b"\r", b"")

    def send(self, command):
        """Give the shell a command without waiting; wait() is to follow."""
        if "\n" in command:
            raise ValueError("one line, please: %r" % command)
        self.process.stdin.write(command.encode() + b"\n")

    def wait(self, command="command", timeout=30):
        return self._read_reply(command, timeout)

    def try_run(self, command, timeout=30):
        """Exit code and output of a command of the node's shell."""
        self.send(command)
        return self.wait(command, timeout)

    def run(self, command, timeout=30):
        """Output of a command that must succeed."""
        code, text = self.try_run(command, timeout)
        if code != 0:
            raise Failure("%s: exit code %d: %s\n%s"
                          % (command, code, text, self.console()[-3000:]))
        return text.strip()

    def mport(self, *words, timeout=30):
        """Output of the rio_mport program."""
        return self.run(" ".join([str(PROGRAMS / "rio_mport"), *map(str, words)]), timeout)

    def try_mport(self, *words, timeout=30):
        return self.try_run(" ".join([str(PROGRAMS / "rio_mport"), *map(str, words)]), timeout)

    def background(self, name, *words):
        """Start rio_mport in the background; its output is in a file of that name."""
        self.run(": >/mnt/%s; %s %s >>/mnt/%s 2>&1 & echo $! >/mnt/%s.pid"
                 % (name, PROGRAMS / "rio_mport", " ".join(map(str, words)), name, name))

    def background_end(self, name, kill=False, timeout=30):
        """Output of a background program after its end."""
        how = "kill $(cat /mnt/%s.pid); " % name if kill else ""
        self.try_run(how + "wait $(cat /mnt/%s.pid)" % name, timeout)
        return self.run("cat /mnt/" + name)

    def until(self, command, what, timeout=30):
        """Run a command until it succeeds; its output."""
        end = time.monotonic() + timeout
        while True:
            code, text = self.try_run(command)
            if code == 0:
                return text.strip()
            if time.monotonic() > end:
                raise Failure("%s: not in %d s: %s\n%s"
                              % (what, timeout, text, self.console()[-3000:]))
            time.sleep(0.05)

    def warnings(self, also=()):
        """Lines of the kernel's log of level warning and above, but for the expected ones."""
        lines = []
        for line in self.run("dmesg -r").splitlines():
            match = re.match(r"<(\d+)>(.*)", line)
            if match and int(match[1]) & 7 <= 4 and \
                    not any(re.search(e, match[2]) for e in [*EXPECTED, *also]):
                lines.append(match[2])
        return lines

    def close(self):
        end_group(self.process)
        self.process.stdin.close()
        self.process.stdout.close()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def wait_for(condition, timeout):
    """Whether a condition has come true in this many seconds."""
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def scan(host, *agents):
    """The host enumerates the fabric, then the agents discover it."""
    for node in (host, *agents):
        node.run("echo -1 >/sys/bus/rapidio/scan", 60)


INIT = """#!BUSYBOX sh
# Init of a node: mounts, then a shell that takes lines from the second console.
export TMPDIR=/mnt PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
for tool in arp cat dmesg grep head ip ls mount ping readlink sleep stty tail; do
	eval "$tool() { BUSYBOX $tool \\"\\$@\\"; }"
done
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tmpfs tmpfs /mnt
ip link set lo up
exec </dev/tty1 >/dev/tty1 2>&1
stty raw -echo
echo "PROMPT0"
while IFS= read -r line; do
	eval "$line" </dev/null
	echo "
PROMPT$?"
done
"""
