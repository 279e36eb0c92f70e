# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""A host and agents in processes of their own: kills, returns, links that fail; telemetry."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from rig import BUILD, ROOT, testpmd
from telemetry import Telemetry

TOOL = BUILD / "app" / "dpdk-rio-fabric"
PATIENCE = 60


class Node:
    """A testpmd with a port at an endpoint."""

    def __init__(self, fabric, topology, place, role):
        self.device = "raw_tsi721_net_rionet0"
        self.tester = testpmd.Testpmd(["net_rionet0,fabric=%s,topology=%s,node=%s,%s"
                                       % (fabric, topology, place, role)])
        self.telemetry = None

    def __enter__(self):
        self.tester.__enter__()
        self.telemetry = Telemetry(self.tester, "/tsi721/")
        return self

    def __exit__(self, *_):
        if self.telemetry is not None:
            self.telemetry.close()
        self.tester.close()

    def kill(self):
        os.kill(self.tester.process.pid, signal.SIGKILL)
        self.tester.process.wait(PATIENCE)

    def fabric(self):
        return self.telemetry.ask("fabric", self.device)

    def info(self):
        return self.telemetry.ask("info", self.device)

    def until(self, **wanted):
        """The enumeration's state, once it is as wanted."""
        end = time.monotonic() + PATIENCE
        while True:
            state = self.fabric()
            if all(state[key] == value for key, value in wanted.items()):
                return state
            if time.monotonic() > end:
                raise AssertionError("%s is not %s" % (state, wanted))
            time.sleep(0.01)


class Enumeration(unittest.TestCase):
    timeout = 300

    @contextlib.contextmanager
    def topology(self, name):
        """A file of config/fabrics whose endpoints have no IDs yet, and a fabric's name."""
        lines, section = [], ""
        for line in (ROOT / "config" / "fabrics" / name).read_text().splitlines():
            section = line if line.startswith("[") else section
            if section.startswith("[routes"):
                continue
            if section == "[endpoints]" and "=" in line:
                line = line.split("=")[0] + "= none"
            lines += [line] + (["enumerated = 0"] if line == "[fabric]" else [])
        with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            yield "enum-%d" % os.getpid(), file.name

    def tool(self, *words):
        subprocess.run([TOOL, *words], check=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)

    def test_tool(self):
        """dpdk-rio-fabric shows what was enumerated, and says what it cannot reach."""
        with self.topology("ring4.ini") as where, Node(*where, "n0", "hdid=0") as host, \
                Node(*where, "n4", "hdid=-1"):
            host.until(state="complete", endpoints=2, links=6)
            prefix = next(pathlib.Path(host.tester.runtime.path).rglob("dpdk_telemetry.v2"))
            prefix = prefix.parent.name
            env = {**os.environ, **host.tester.runtime.env}

            def run(*words):
                return subprocess.run([TOOL, "enumerated", *words], env=env, text=True,
                                      stdin=subprocess.DEVNULL, capture_output=True,
                                      timeout=PATIENCE, check=False)
            text = run(prefix)
            self.assertEqual((text.returncode, text.stderr), (0, ""))
            lines = text.stdout.splitlines()
            self.assertRegex(lines[0], "^%s: host, complete, change .* own 0x00, host 0x00; "
                                       "2 endpoints, 4 switches, 6 links$" % host.device)
            self.assertEqual(sum(line.startswith("  switch  tag ") for line in lines), 4)
            self.assertEqual(sum(line.startswith("  endpoint 0x0") for line in lines), 2)
            self.assertRegex(text.stdout, r"\n    port 16 +x4 6.25 Gbaud +switch tag \d+, port 17"
                                          r"  IDs 1\n")
            self.assertRegex(text.stdout, r"\n    port 0 +x4 5 Gbaud +endpoint 0x00  IDs 0\n")
            data = json.loads(run(prefix, host.device, "--json").stdout)
            self.assertEqual([(d["device"], d["endpoints"], len(d["devices"])) for d in data],
                             [(host.device, 2, 6)])
            for words, reason in (((prefix, "nobody"), "there is no device 'nobody'"),
                                  (("no-such-prefix",), "file prefix 'no-such-prefix'"),
                                  (("x" * 300,), "file prefix 'xxx")):
                done = run(*words)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertEqual(len(done.stderr.splitlines()), 1)
                self.assertIn(reason, done.stderr)
            self.assertEqual(run("a", "b", "c").returncode, 2)

    def test_killed(self):
        """An agent and a host that are killed are back by themselves, with their old IDs."""
        with self.topology("ring4.ini") as where, Node(*where, "n5", "hdid=-1") as stay:
            with Node(*where, "n0", "hdid=7") as host:
                with Node(*where, "n2", "hdid=-1") as agent:
                    host.until(state="complete", endpoints=3, switches=4, links=7)
                    ids = [node.info()["destid"] for node in (host, agent, stay)]
                    self.assertEqual(ids, [7, 1, 0])
                    for node in (agent, stay):
                        state = node.until(state="complete", endpoints=3)
                        self.assertEqual(state["host_destid"], 7)
                    agent.kill()
                host.until(state="complete", endpoints=2, links=6)
                stay.until(state="complete", endpoints=2)
                with Node(*where, "n2", "hdid=-1") as agent:
                    host.until(state="complete", endpoints=3, links=7)
                    self.assertEqual(agent.until(state="complete")["destid"], 1)
                    stay.until(state="complete", endpoints=3)
                    host.kill()
                    with Node(*where, "n0", "hdid=7") as again:
                        again.until(state="complete", endpoints=3, switches=4, links=7, role="host")
                        self.assertEqual([n.info()["destid"] for n in (again, agent, stay)], ids)
                        stay.until(state="complete", endpoints=3, role="agent")
                        agent.until(state="complete", endpoints=3)

    def test_links(self):
        """A pulled link changes routes soon, in processes that nobody touches."""
        with self.topology("ring4.ini") as where, \
                Node(*where, "n0", "hdid=0") as host, Node(*where, "n4", "hdid=-1") as agent:
            before = host.until(state="complete", endpoints=2, links=6)
            agent.until(state="complete", endpoints=2)
            tags = {tag: host.telemetry.ask("fabric_device", host.device, tag)
                    for tag in before["devices"]}
            first = next(d for d in tags.values() if d["kind"] == "switch" and d["hops"] == 0)
            self.assertEqual(first["routes"], {"0": 0, "1": 16})
            for place, port in (("sw0.16", 17), ("sw2.16", 16)):
                self.tool("fault", where[0], place, "down")
                after = host.until(state="complete", endpoints=2, links=5)
                self.assertLess(after["last_change_us"], 1000000)
                now = host.telemetry.ask("fabric_device", host.device, first["component_tag"])
                self.assertEqual(now["routes"], {"0": 0, "1": port})
                self.tool("clear", where[0])
                host.until(state="complete", endpoints=2, links=6)
            self.assertGreater(host.fabric()["portwrites"], 0)

    def test_telemetry(self):
        """Commands, and what they say when they are asked for something else."""
        with self.topology("pair.ini") as where, Node(*where, "n0", "hdid=3") as node:
            ask = node.telemetry.ask
            self.assertEqual(ask("list"), [node.device])
            info = node.info()
            self.assertEqual((info["name"], info["destid"], info["host"], info["link_up"]),
                             (node.device, 3, 1, 0))
            self.assertIn("maint_reads", ask("xstats", node.device, "maint"))
            self.assertNotIn("dbell_sent", ask("xstats", node.device, "maint"))
            state = node.fabric()
            self.assertEqual((state["role"], state["endpoints"], state["devices"]),
                             ("host", 1, [1]))
            own = ask("fabric_device", node.device, 1)
            self.assertEqual((own["kind"], own["self"], own["destid"], own["ports_up"]),
                             ("endpoint", 1, 3, {}))
            for bad in (("info",), ("info", "nobody"), ("info", node.device, "x"),
                        ("fabric", ""), ("fabric_device", node.device),
                        ("fabric_device", node.device, "1x"), ("fabric_device", node.device, 99),
                        ("fabric_device", node.device, "9" * 80), ("xstats", "y" * 200)):
                self.assertIsNone(ask(*bad), bad)
            self.assertEqual(node.info()["destid"], 3)


if __name__ == "__main__":
    unittest.main()
