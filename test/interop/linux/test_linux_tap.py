# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Linux nodes, and DPDK ports with the kernel of this machine behind them: one Ethernet.

A port's frames come from and go to a TAP interface in a network namespace of its own,
so that real programs stand at both ends. dpdk-rio-tap hands them over, or testpmd.
"""

import contextlib
import json
import re
import shutil
import subprocess
import sys
import unittest

import dpdk
import uml

sys.path.insert(0, str(uml.ROOT / "app" / "replay"))
import testpmd  # noqa: E402 pylint: disable=wrong-import-position

PING = uml.PROGRAMS / "ping_sizes"
MTU = 4082
LARGEST = MTU - 20 - 8
# At most 50 frames in flight. Linux's rionet hangs when it finds 128, its whole ring.
WINDOW = "200K"
# UDP to Linux: a second's standstill has to stay below that.
RATE = "2M"
# UDP from Linux as fast as it goes: no more than 15 frames lie in its ring.
BUFFER = "64K"


def mac(destid):
    return "00:01:00:01:00:%02x" % destid


def link_local(destid):
    return "fe80::201:ff:fe01:%x" % destid


class LinuxStation:
    """A Linux node on its rionet."""

    def __init__(self, node, destid):
        self.node = node
        self.destid = destid
        self.interface = "eth0"

    def up(self):
        self.node.run("ip addr add 10.7.21.%d/24 dev eth0; ip link set eth0 up"
                      % (self.destid + 1))

    def run(self, *words, timeout=60):
        return self.node.run(" ".join(map(str, words)), timeout)

    def try_run(self, *words, timeout=60):
        return self.node.try_run(" ".join(map(str, words)), timeout)

    def until(self, *words, timeout=30):
        return self.node.until(" ".join(map(str, words)), words, timeout)

    @contextlib.contextmanager
    def server(self):
        """iperf3 waits for one test."""
        self.node.run(": >/mnt/iperf; iperf3 -s -1 --forceflush >>/mnt/iperf 2>&1 & "
                      "echo $! >/mnt/iperf.pid")
        self.node.until("grep -q listening /mnt/iperf", "iperf3 server", 30)
        yield
        self.node.try_run("kill $(cat /mnt/iperf.pid); wait $(cat /mnt/iperf.pid)")

    def frames(self):
        """Frames received and sent."""
        names = " ".join("/sys/class/net/eth0/statistics/%s_packets" % way for way in ("rx", "tx"))
        return [int(word) for word in self.node.run("cat " + names).split()]


class TapStation:
    """A port's TAP in its namespace."""

    def __init__(self, namespace, destid):
        self.namespace = namespace
        self.destid = destid
        self.interface = "rio0"
        self.run = namespace.run
        self.try_run = namespace.try_run
        self.until = namespace.until

    def up(self):
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "addr", "add", "10.7.21.%d/24" % (self.destid + 1), "dev", self.interface)
        self.run("ip", "link", "set", self.interface, "up")

    @contextlib.contextmanager
    def server(self):
        process = subprocess.Popen(
            self.namespace.argv("iperf3", "-s", "-1", "--forceflush"), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, text=True)
        try:
            for line in process.stdout:
                if "listening" in line:
                    break
            yield
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def frames(self):
        stats = json.loads(self.run("ip", "-j", "-s", "link", "show", self.interface))[0]
        return [stats["stats64"][way]["packets"] for way in ("rx", "tx")]


class Tap(unittest.TestCase):
    slow = not uml.kernel_cached()
    timeout = 1800

    def setUp(self):
        reason = dpdk.Namespace.not_possible()
        if reason:
            self.skipTest(reason)
        for program in ("iperf3", "ping"):
            if shutil.which(program) is None:
                self.skipTest("no " + program)

    @contextlib.contextmanager
    def fabric(self, linux, taps, mtu=MTU, bridge=dpdk.Tap, options=()):
        """Stations of all places, up, Linux's first; the first of them enumerates."""
        uml.kernel()
        with contextlib.ExitStack() as stack:
            enter = stack.enter_context
            devices = enter(uml.Devices("tap", ["n%d" % destid for destid in linux], "star8.ini",
                                        {"n%d" % destid: ["node=n%d" % destid]
                                         for destid in linux}))
            namespaces = [enter(dpdk.Namespace()) for _ in taps]
            self.taps = [enter(bridge("fabric=%s,node=n%d" % (devices.fabric, destid), namespace,
                                      "--mtu", mtu, *options))
                         for destid, namespace in zip(taps, namespaces)]
            nodes = [enter(uml.Node(devices.socket("n%d" % destid),
                                    ["rapidio.hdid=%d" % (-1 if i else 0)], "256M"))
                     for i, destid in enumerate(linux)]
            uml.scan(*nodes)
            stations = [*map(LinuxStation, nodes, linux),
                        *map(TapStation, namespaces, taps)]
            for node in nodes:
                node.run("ip link set eth0 mtu %d" % mtu)
            for station in stations:
                station.up()
            for to in stations[1:]:
                stations[0].until("ping", "-c", 1, "-W", 2, self.address(to))
            yield stations
            for node in nodes:
                self.assertEqual(node.warnings(), [])
            self.assertNotIn("unknown_reg", devices.stop())

    def check_refused(self):
        """The programs got rid of every frame."""
        for tap in self.taps:
            self.assertEqual(tap.stop(), 0)

    def address(self, station):
        return "10.7.21.%d" % (station.destid + 1)

    def ping(self, station, to, step):
        text = station.run(PING, self.address(to), 1, LARGEST, step, timeout=300)
        self.assertIn("%d sent, 0 lost, 0 wrong" % ((LARGEST - 1) // step + 1), text)

    def iperf(self, station, to, *options, seconds=10):
        """What the client says of one run. Tried again when it could not begin or end:

        a busy machine lets it lose its way, which frame counters tell from lost frames.
        """
        for left in (2, 1, 0):
            with to.server():
                _, text = station.try_run("timeout", seconds + 30, "iperf3", "-J", "-t", seconds,
                                          "-c", self.address(to), *options, timeout=120)
            try:
                result = json.loads(text)
            except ValueError:
                result = {"error": text}
            if "error" not in result or left == 0:
                break
        self.assertNotIn("error", result)
        return result["end"]["sum" if "-u" in options else "sum_received"]

    def snmp(self, station, protocol):
        """Counters of /proc/net/snmp."""
        text = station.run("cat", "/proc/self/net/snmp")
        names, values = re.findall("^%s: (.*)$" % protocol, text, re.M)
        return dict(zip(names.split(), map(int, values.split())))


class Four(Tap):
    LINUX, TAPS = [0, 3], [1, 2]

    def test_frames(self):
        """Each of two Linux nodes and two ports reaches each other with frames of every size."""
        with self.fabric(self.LINUX, self.TAPS) as stations:
            for station in stations:
                for to in stations:
                    if to is not station:
                        self.ping(station, to, 401)
                        text = station.run("ip", "neigh", "show", self.address(to))
                        self.assertIn(mac(to.destid), text)
            host, agent, first, second = stations
            self.ping(first, host, 1)
            self.ping(agent, second, 1)
            self.check_ipv6(stations)
            self.check_leave(agent, first)
            self.check_refused()

    def check_ipv6(self, stations):
        """Neighbours are found; everyone hears a multicast and answers it."""
        for station in stations:
            others = {link_local(to.destid) for to in stations if to is not station}
            for other in others:
                station.until("/usr/bin/env", "ping", "-6", "-c", 1, "-W", 2,
                              "%s%%%s" % (other, station.interface))
            heard = set()
            for _ in range(20):
                _, text = station.try_run("/usr/bin/env", "ping", "-6", "-c", 3, "-i", 0.3,
                                          "-W", 2, "ff02::1%" + station.interface)
                heard.update(re.findall("from ([0-9a-f:]+)%", text))
                if others <= heard:
                    break
            self.assertLessEqual(others, heard)

    def check_leave(self, agent, port):
        """A node whose interface is down has left; it joins when it is up again."""
        self.assertEqual(port.try_run("ping", "-c", 1, "-W", 5, self.address(agent))[0], 0)
        agent.run("ip link set eth0 down")
        self.assertNotEqual(port.try_run("ping", "-c", 2, "-W", 1, self.address(agent))[0], 0)
        agent.run("ip link set eth0 up")
        port.until("ping", "-c", 1, "-W", 2, self.address(agent))
        self.ping(port, agent, 401)

    def test_streams(self):
        """Four streams at once: nothing is lost on the way, nothing changed."""
        with self.fabric(self.LINUX, self.TAPS) as stations:
            host, agent, first, second = stations
            with first.server(), agent.server():
                host.node.send("iperf3 -J -t 10 -w 100K --bidir -c " + self.address(first))
                words = ["iperf3", "-J", "-t", "10", "-w", "100K", "--bidir", "-c",
                         self.address(agent)]
                client = subprocess.Popen(second.namespace.argv(*words), text=True,
                                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
                texts = [host.node.wait(timeout=120)[1], client.communicate(timeout=120)[0]]
            for text in texts:
                result = json.loads(text)
                self.assertNotIn("error", result)
                for way in ("sum_received", "sum_received_bidir_reverse"):
                    self.assertGreater(result["end"][way]["bytes"], 1 << 20)
            for station in stations:
                self.assertEqual(self.snmp(station, "Tcp")["InCsumErrors"], 0)
            self.check_refused()


class Two(Tap):
    def test_iperf(self):
        """TCP as fast as it goes and UDP, both ways: every frame arrives, none is changed."""
        # Without segmentation by the port: the interface counts what the port sends.
        with self.fabric([0], [1], options=["--no-offload"]) as (host, port):
            for options in (["-w", WINDOW], ["-w", WINDOW, "-R"],
                            ["-u", "-b", 0, "-w", BUFFER], ["-u", "-b", RATE, "-R"]):
                total = self.iperf(host, port, *options)
                self.assertGreater(total["bytes"], 1 << 20)
                receiver = host if "-R" in options else port
                if "-u" in options:
                    # Of what is lost the receiver knows: it came, and no socket had room.
                    self.assertLessEqual(total["lost_packets"],
                                         self.snmp(receiver, "Udp")["RcvbufErrors"])
            host.run("sleep", 1)
            self.check_frames(host, port)
            for station in (host, port):
                for protocol in ("Tcp", "Udp"):
                    self.assertEqual(self.snmp(station, protocol)["InCsumErrors"], 0)
            self.check_refused()

    def check_frames(self, host, port):
        """What the one sent the other received."""
        (host_in, host_out), (port_in, port_out) = host.frames(), port.frames()
        # Before the other was there, IPv6 looked for neighbours.
        self.assertLessEqual(port_out - host_in, 16)
        self.assertGreaterEqual(port_out, host_in)
        self.assertLessEqual(host_out - port_in, 16)
        self.assertGreaterEqual(host_out, port_in)

    def test_testpmd(self):
        """The same with unchanged programs: testpmd forwards between net_tap and net_rionet.

        net_tap takes frames of up to 1522 bytes: everyone's MTU is 1500, larger pings are cut.
        """
        with self.fabric([0], [1], 1500, Testpmd) as (host, port):
            self.ping(host, port, 101)
            self.ping(port, host, 101)
            port.until("ping", "-6", "-c", 1, "-W", 2, link_local(0) + "%rio0")
            for options in (["-w", "80K"], ["-w", "80K", "-R"]):  # frames are smaller
                total = self.iperf(host, port, *options, seconds=3)
                self.assertGreater(total["bytes"], 1 << 20)
            for station in (host, port):
                self.assertEqual(self.snmp(station, "Tcp")["InCsumErrors"], 0)


class Testpmd(testpmd.Testpmd):
    """In place of dpdk-rio-tap."""

    def __init__(self, devargs, namespace, *_):
        destid = int(re.search(r"node=n(\d+)", devargs)[1])
        super().__init__(
            ["net_tap0,iface=rio0,mac=" + mac(destid), "net_rionet0," + devargs],
            ["--mbuf-size=4352", "--auto-start", "--forward-mode=io"],
            wrapper=namespace.argv())


if __name__ == "__main__":
    unittest.main()
