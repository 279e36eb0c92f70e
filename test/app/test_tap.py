# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors

"""dpdk-rio-tap: ordinary programs between two network namespaces over a fabric."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RIO_BUILD", ROOT / "build"))
TOOL = BUILD / "app" / "dpdk-rio-tap"
PATIENCE = 60
NEEDED = ("unshare", "nsenter", "ip", "ping")
PORT = 7000
BYTES = 3 << 20
ECHO = """
import socket, sys
family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
with socket.create_server((sys.argv[1], %d), family=family) as server:
    print("listens", flush=True)
    near, _ = server.accept()
    with near:
        while data := near.recv(65536):
            near.sendall(data)
""" % PORT
SEND = """
import random, socket, sys, threading
data = random.Random(5).randbytes(%d)
with socket.create_connection((sys.argv[1], %d)) as far:
    def write():
        far.sendall(data)
        far.shutdown(socket.SHUT_WR)
    writer = threading.Thread(target=write)
    writer.start()
    back = b"".join(iter(lambda: far.recv(65536), b""))
    writer.join()
print("same" if back == data else "different: %%d of %%d bytes" %% (len(back), len(data)))
""" % (BYTES, PORT)


def eal(prefix):
    return ["--no-huge", "-m", "256", "--no-pci", "--file-prefix", prefix, "--no-telemetry"]


def missing():
    """Why network namespaces cannot be used here, or None."""
    for name in NEEDED:
        if shutil.which(name) is None:
            return "%s is not installed" % name
    if not os.path.exists("/dev/net/tun"):
        return "there is no /dev/net/tun"
    if subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode:
        return "network namespaces may not be made here"
    return None


class Node:
    """One dpdk-rio-tap in a network namespace of its own."""

    def __init__(self, fabric, destid, vdev="", options=()):
        self.folder = tempfile.TemporaryDirectory(prefix="rio-tap-")
        self.log = open(os.path.join(self.folder.name, "log"), "w+", encoding="utf-8")
        cpus = sorted(os.sched_getaffinity(0))
        cpu = cpus[destid % len(cpus)]
        self.process = subprocess.Popen(
            ["unshare", "-n", TOOL, "--lcores", "0@%d" % cpu,
             *eal("tap-%d-%d" % (os.getpid(), destid)),
             "--vdev", "net_rionet0,fabric=%s,destid=%d%s" % (fabric, destid, vdev), "--",
             "--name", "rio0", "--address", "10.9.0.%d/24" % (destid + 1),
             "--address", "fd09::%d/64" % (destid + 1), *options],
            stdout=self.log, stderr=self.log,
            env={**os.environ, "RUNTIME_DIRECTORY": self.folder.name})

    def text(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text(encoding="utf-8")

    def ready(self):
        end = time.monotonic() + PATIENCE
        while "rio0: on port" not in self.text():
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError("dpdk-rio-tap did not begin:\n" + self.text())
            time.sleep(0.05)
        return self

    def command(self, *argv):
        return ["nsenter", "-t", str(self.process.pid), "-n", *argv]

    def run(self, *argv, timeout=PATIENCE):
        return subprocess.run(self.command(*argv), capture_output=True, text=True,
                              timeout=timeout, check=False)

    def end(self):
        """Exit code after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.folder.cleanup()


class Options(unittest.TestCase):
    def refused(self, text, *options, code=1, before=("--vdev", "net_rionet0")):
        done = subprocess.run([TOOL, *eal("tap-bad-%d" % os.getpid()), "--log-level=error",
                               *before, "--", *options], capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        lines = [line for line in done.stderr.splitlines() if line.startswith("dpdk-rio-tap: ")]
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(text, lines[0])

    def test_help(self):
        done = subprocess.run([TOOL, "--help"], capture_output=True, text=True, timeout=30,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in ("--name", "--address", "--mtu", "--queues", "--spin"):
            self.assertIn(option, done.stdout)

    def test_bad_values(self):
        for text, *options in (
                ("'10.0.0.1' is not an IPv4 or IPv6 address", "--address", "10.0.0.1"),
                ("'67' is not a number from 68", "--mtu", "67"),
                ("'8' is not a number from 1 to 7", "--queues", "8"),
                ("'ff:00:00:00:00:01' is not a unicast", "--mac", "ff:00:00:00:00:01"),
                ("'a/b' is not 1 to 15", "--name", "a/b"),
                ("'abcdefghijklmnop' is not 1 to 15", "--name", "abcdefghijklmnop"),
                ("no port '9'", "--port", "9"),
                ("no port 'x'", "--port", "x"),
                ("unknown option '--nix'", "--nix"),
                ("'--mtu' needs a value", "--mtu"),
                ("'word' is no option", "word"),
                ("the port takes 68 to", "--mtu", "65000"),
                ("need as many lcores, there are", "--queues", "7")):
            with self.subTest(options=options):
                vdev = "net_rionet0" + (",mode=msg" if "65000" in options else "")
                self.refused(text, *options, before=("--vdev", vdev))

    def test_no_port(self):
        self.refused("there is no port", before=())


@unittest.skipIf(missing(), "%s" % missing())
class Traffic(unittest.TestCase):
    vdev = ",mode=msg"
    mtu = 1500

    def setUp(self):
        fabric = "tap-%d-%d" % (os.getpid(), time.monotonic_ns() % 1000000)
        self.nodes = []
        for destid in (0, 1):
            node = Node(fabric, destid, self.vdev, ["--mtu", str(self.mtu)])
            self.addCleanup(node.close)
            self.nodes.append(node)
        for node in self.nodes:
            node.ready()

    def reach(self, node, address):
        """Until the other end answers: a port may still be looking for its peers."""
        end = time.monotonic() + PATIENCE
        while node.run("ping", "-c", "1", "-W", "1", address).returncode:
            self.assertLess(time.monotonic(), end, "%s does not answer" % address)

    def ping(self, node, address, size):
        done = node.run("ping", "-c", "3", "-i", "0.05", "-W", "20", "-s", str(size), address)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("3 received", done.stdout)

    def test_ping(self):
        first, second = self.nodes
        self.reach(first, "10.9.0.2")
        self.reach(second, "fd09::1")
        for size in (0, 1, 55, 56, 57, self.mtu - 28, self.mtu - 27, 20000):
            self.ping(first, "10.9.0.2", size)
            self.ping(second, "fd09::1", size)

    def test_interface(self):
        first, second = self.nodes
        links = json.loads(first.run("ip", "-j", "addr", "show", "rio0").stdout)[0]
        self.assertEqual(links["mtu"], self.mtu)
        self.assertEqual(links["address"], "00:01:00:01:00:00")
        self.assertIn("UP", links["flags"])
        self.assertEqual([a["local"] for a in links["addr_info"] if a["scope"] == "global"],
                         ["10.9.0.1", "fd09::1"])
        self.reach(first, "10.9.0.2")
        self.assertEqual(second.end(), 0)
        self.assertRegex(second.text(), r"to port [1-9]\d* frames .* to kernel [1-9]\d* frames")

    def test_tcp_both_ways(self):
        """What one end writes the other reads, and sends back."""
        first, second = self.nodes
        self.reach(first, "10.9.0.2")
        self.reach(second, "fd09::1")
        for near, far, address in ((first, second, "10.9.0.2"), (second, first, "fd09::1")):
            with subprocess.Popen(far.command(sys.executable, "-c", ECHO, address),
                                  stdout=subprocess.PIPE, text=True) as server:
                self.addCleanup(server.kill)
                self.assertEqual(server.stdout.readline(), "listens\n")
                done = near.run(sys.executable, "-c", SEND, address, timeout=120)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, "same\n")
                self.assertEqual(server.wait(PATIENCE), 0)

    def test_interface_removed(self):
        """The process ends when its interface is taken away."""
        node = self.nodes[0]
        self.assertEqual(node.run("ip", "link", "del", "rio0").returncode, 0)
        self.assertEqual(node.process.wait(PATIENCE), 2)
        self.assertIn("dpdk-rio-tap: the interface went away", node.text())


class Jumbo(Traffic):
    """The longest frame that a message carries."""

    mtu = 4082


if __name__ == "__main__":
    unittest.main()
