# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""testpmd's commands for ports, queues, links and offloads, on rionet ports."""

import json
import os
import struct
import subprocess
import tempfile
import time
import unittest

from rig import BUILD, capture, generate, testpmd
from telemetry import Telemetry


class Commands(unittest.TestCase):
    """What a user does at testpmd's prompt."""

    def ports(self, *args, vdev_args=("", ""), **more):
        vdevs = ["net_rionet%d%s" % (n, text) for n, text in enumerate(vdev_args)]
        return testpmd.Testpmd(vdevs, ["--port-topology=paired", *args], **more)

    def wait(self, check, what, seconds=20):
        end = time.monotonic() + seconds
        while not check():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)

    def wait_output(self, pmd, text, count=1):
        """Until testpmd has printed a line so many times, at whatever time."""
        def printed():
            pmd.command("show port summary 0")
            return pmd.output.count(text) >= count
        self.wait(printed, "no '%s' in\n%s" % (text, pmd.tail()))

    def passes(self, pmd, frames=64):
        """A burst out of each port arrives at the other one."""
        before = [pmd.xstats(port)["rx_good_packets"] for port in (0, 1)]
        pmd.command("set fwd rxonly")
        pmd.command("start tx_first %d" % (frames // 32))
        for port in (0, 1):
            self.wait(lambda p=port: pmd.xstats(p)["rx_good_packets"] >= before[p] + frames,
                      "port %d: %s" % (port, pmd.xstats(port)))
        pmd.command("stop")

    def end(self, pmd):
        self.assertEqual(pmd.quit(), 0, pmd.tail())

    def test_queues(self):
        with self.ports() as pmd:
            self.passes(pmd)
            for queue in ("rxq", "txq"):
                for _ in range(3):
                    self.assertEqual(pmd.command("port 0 %s 0 stop" % queue).strip(), "")
                    state = pmd.command("show %s info 0 0" % queue)
                    self.assertRegex(state, "(?i)queue state: stopped")
                    self.assertEqual(pmd.command("port 0 %s 0 start" % queue).strip(), "")
                    state = pmd.command("show %s info 0 0" % queue)
                    self.assertRegex(state, "(?i)queue state: started")
            self.passes(pmd)
            self.end(pmd)

    def test_deferred_queues(self):
        with self.ports() as pmd:
            pmd.command("port stop 0")
            pmd.command("port 0 rxq 0 deferred_start on")
            pmd.command("port 0 txq 0 deferred_start on")
            pmd.command("port start 0")
            self.assertIn("RX queue state: stopped", pmd.command("show rxq info 0 0").replace(
                "Rx", "RX"))
            pmd.command("port 0 rxq 0 start")
            pmd.command("port 0 txq 0 start")
            self.passes(pmd)
            self.end(pmd)

    def test_stop_start_reset(self):
        with self.ports() as pmd:
            for _ in range(3):
                pmd.command("port stop 0")
                self.assertIn("down", pmd.command("show port summary 0"))
                pmd.command("port start 0")
                self.passes(pmd)
            pmd.command("port stop 1")
            self.assertIn("Done", pmd.command("port reset 1"))
            pmd.command("port start 1")
            self.passes(pmd)
            self.end(pmd)

    def test_attach_detach(self):
        with self.ports(vdev_args=(",destid=4", ",destid=5")) as pmd:
            for _ in range(3):
                pmd.command("port stop 1")
                pmd.command("port close 1")
                self.wait(lambda: pmd.xstats(0)["peers_joined"] == 0, "it has not left")
                self.assertNotIn("fail", pmd.command("device detach net_rionet1"))
                self.assertIn("is attached", pmd.command("port attach net_rionet1,destid=5"))
                pmd.command("port start 1")
                self.wait(lambda: pmd.xstats(0)["peers_joined"] == 1, "it has not joined")
                pmd.command("set portlist 0,1")
                self.passes(pmd)
            # What is refused leaves nothing behind.
            self.assertNotIn("is attached", pmd.command("port attach net_rionet2,destid=4"))
            self.assertIn("is attached", pmd.command("port attach net_rionet2,destid=6"))
            pmd.command("port start 2")
            self.wait(lambda: pmd.xstats(0)["peers_joined"] == 2, "the third has not joined")
            self.end(pmd)

    def fabric(self, *args):
        done = subprocess.run([BUILD / "app" / "dpdk-rio-fabric", *args], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_link(self):
        """A link goes down and up: the port tells, and frames pass again."""
        name = "link%d" % os.getpid()
        args = ",fabric=%s,destid=%d"
        with self.ports(vdev_args=(args % (name, 0), args % (name, 1))) as pmd:
            self.passes(pmd)
            self.assertIn("Link status: up", pmd.command("show port info 0"))
            shown = json.loads(self.fabric("show", name, "--json"))
            station = shown["endpoints"][0]["node"]
            for count in (1, 2):
                self.fabric("fault", name, station, "down")
                self.wait_output(pmd, "Port 0: link state change event", 2 * count - 1)
                self.assertIn("Link status: down", pmd.command("show port info 0"))
                self.fabric("clear", name)
                self.wait_output(pmd, "Port 0: link state change event", 2 * count)
                self.assertIn("Link status: up", pmd.command("show port info 0"))
            self.wait(lambda: all(pmd.xstats(port)["peers_joined"] == 1 for port in (0, 1)),
                      "not joined again")
            self.passes(pmd)
            self.end(pmd)

    def test_addresses_and_vlans(self):
        with self.ports() as pmd:
            for command in ("mac_addr add 0 02:00:00:00:00:07", "set promisc 0 off",
                            "set allmulti 0 on", "mcast_addr add 0 01:00:5e:00:00:07",
                            "vlan set strip on 0", "vlan set filter on 0", "rx_vlan add 7 0",
                            "mac_addr remove 0 02:00:00:00:00:07",
                            "mac_addr set 0 02:00:00:00:00:08",
                            "mcast_addr remove 0 01:00:5e:00:00:07",
                            "port config mtu 0 4000"):
                self.assertRegex(pmd.command(command), "^(net_rionet0: .* Linux .*\n)?$", command)
            info = pmd.command("show port info 0")
            self.assertIn("strip on, filter on", info)
            self.assertIn("MTU: 4000", info)
            self.assertIn("Promiscuous mode: disabled", info)
            self.assertIn("02:00:00:00:00:08", info)
            self.end(pmd)

    def test_telemetry(self):
        """What /rionet/... says of a port and of its peers."""
        with self.ports(vdev_args=(",destid=4", ",destid=5,ageing=7")) as pmd:
            self.passes(pmd)
            telemetry = Telemetry(pmd, "/rionet/")
            self.addCleanup(telemetry.close)
            self.assertEqual(telemetry.ask("list"), [0, 1])
            info = telemetry.ask("info", 1)
            self.assertEqual((info["name"], info["destid"], info["started"], info["ageing"],
                              info["peers_joined"]), ("net_rionet1", 5, 1, 7, 1))
            peers = telemetry.ask("peers", 0)
            self.assertEqual(list(peers), ["5"])
            self.assertEqual(peers["5"]["state"], "joined")
            xstats = pmd.xstats(0)
            for name in ("tx_packets", "tx_bytes", "rx_packets", "rx_bytes"):
                self.assertEqual(peers["5"][name], xstats["peer_5_" + name])
            self.assertGreater(peers["5"]["tx_packets"], 0)
            self.assertEqual(telemetry.ask("peers", "0,1"), {})
            for wrong in ("", "2", "x", "0,", "0,x", "99999999999999999999"):
                self.assertIsNone(telemetry.ask("peers", wrong))
            pmd.command("port stop 1")
            self.wait(lambda: telemetry.ask("peers", 0)["5"]["state"] == "known", "it is joined")
            pmd.command("port close 1")
            self.assertEqual(telemetry.ask("list"), [0])
            self.end(pmd)

    def offloaded(self, commands, frames):
        """What becomes of frames in the csum mode of a port with offloads."""
        with tempfile.TemporaryDirectory() as folder:
            source, sink = (os.path.join(folder, name) for name in ("in.pcap", "out.pcap"))
            capture.write(source, frames)
            vdevs = ["net_pcap0,rx_pcap=" + source, "net_rionet0", "net_rionet1",
                     "net_pcap1,tx_pcap=" + sink]
            with testpmd.Testpmd(vdevs, ["--port-topology=paired", "--mbuf-size=10240",
                                         "--max-pkt-len=4096", "--portlist=0,1"]) as pmd:
                pmd.command("port stop 1")
                for command in commands:
                    pmd.command(command)
                pmd.command("port start 1")
                pmd.command("set fwd csum")
                pmd.command("start")
                self.wait(lambda: pmd.xstats(0)["rx_good_packets"] >= len(frames), "not read")
                pmd.command("stop")
                sent = pmd.xstats(1)
                pmd.command("set portlist 2,3")
                pmd.command("set fwd io")
                pmd.command("start")
                self.wait(lambda: pmd.xstats(3)["tx_good_packets"] >= sent["tx_good_packets"],
                          "not received")
                pmd.command("stop")
                self.end(pmd)
            return sent, capture.read(sink)

    def check_sums(self, frame):
        """IPv4 with TCP or UDP inside: both checksums are right."""
        total = struct.unpack_from(">H", frame, 16)[0]
        self.assertEqual(generate.checksum(frame[14:34]), 0)
        segment = frame[34 : 14 + total]
        pseudo = frame[26:34] + struct.pack(">HH", frame[23], len(segment))
        self.assertEqual(generate.checksum(pseudo + segment), 0)

    def frames(self, protocol, sizes):
        """With wrong checksums, which csum mode is to fill in."""
        src, dst = generate.host(1), generate.host(2)
        for number, size in enumerate(sizes):
            pseudo = src[1] + dst[1]
            segment = generate.transport(protocol, pseudo, (1000, 2000), bytes(range(256)) * 40,
                                         100)[: size + (8 if protocol == 17 else 20)]
            if protocol == 17:
                segment = segment[:4] + struct.pack(">HH", len(segment), 0x1234) + segment[8:]
            yield generate.ethernet(dst[0], src[0], generate.ETH_IPV4,
                                    generate.ipv4(src, dst, protocol, segment, number))

    def test_csum_in_hardware(self):
        """As testpmd calls it: the port fills the checksums."""
        frames = list(self.frames(17, range(1, 1400, 50))) + list(self.frames(6, range(0, 1400, 50)))
        _, received = self.offloaded(["csum set %s hw 1" % layer for layer in ("ip", "tcp", "udp")],
                                     frames)
        self.assertEqual(len(received), len(frames))
        for frame in received:
            self.check_sums(frame)

    def test_tso(self):
        commands = ["csum set ip hw 1", "csum set tcp hw 1", "tso set 1000 1"]
        frames = list(self.frames(6, (1, 1000, 1001, 5500, 8000)))
        sent, received = self.offloaded(commands, frames)
        self.assertEqual(len(received), 1 + 1 + 2 + 6 + 8)
        self.assertEqual(sent["tx_tso_segments"], 2 + 6 + 8)
        for frame in received:
            self.check_sums(frame)
        payload = b"".join(frame[54 : 14 + struct.unpack_from(">H", frame, 16)[0]]
                           for frame in received)
        self.assertEqual(payload, b"".join(frame[54:] for frame in frames))


if __name__ == "__main__":
    unittest.main()
