# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors

"""dpdk-rio-fabric: what it says about topology files."""

import fcntl
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RIO_BUILD", ROOT / "build"))
FABRICS = ROOT / "config" / "fabrics"
TOOL = BUILD / "app" / "dpdk-rio-fabric"


def run(*args):
    return subprocess.run([TOOL, *map(str, args)], capture_output=True, text=True, timeout=30)


class Fabric(unittest.TestCase):
    def show(self, path):
        done = run("show", path, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def write(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "t.ini")
        path.write_text(text)
        return path

    def test_check_shipped(self):
        files = sorted(FABRICS.glob("*.ini"))
        self.assertEqual([f.stem for f in files], ["pair", "ring4", "star8", "two-switches-16"])
        done = run("check", *files)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), len(files))

    def test_check_broken(self):
        """Every file is read, each refusal is one line with file and line."""
        bad = self.write("[fabric]\n[endpoints]\na = 1\na = 2\n")
        done = run("check", bad, FABRICS / "pair.ini", "/nowhere.ini")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines(), [
            "%s:4: node a is already defined in line 3" % bad,
            "/nowhere.ini: No such file or directory"])
        self.assertIn("fabric pair, 2 endpoints", done.stdout)
        done = run("show", bad)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(":4: ", done.stderr)

    def test_ring(self):
        ring = self.show(FABRICS / "ring4.ini")
        self.assertEqual((ring["fabric"], ring["running"], ring["id_bits"]), ("ring4", False, 8))
        self.assertEqual([e["at"] for e in ring["endpoints"]],
                         ["sw%d.%d" % (i // 2, i % 2) for i in range(8)])
        self.assertEqual([e["host"] for e in ring["endpoints"]], [True] + 7 * [False])
        self.assertEqual(ring["hops"][0], [1, 1, 2, 2, 3, 3, 2, 2])
        sw0 = ring["switches"][0]
        self.assertEqual([(r["first"], r["last"], r["to"]) for r in sw0["routes"]],
                         [(0, 0, 0), (1, 1, 1), (2, 5, 16), (6, 7, 17)])
        self.assertEqual(len(sw0["ports"]), 18)
        self.assertEqual(sw0["ports"][16]["to"], "sw1.17")
        self.assertEqual(sw0["ports"][16]["width"], 4)
        self.assertTrue(sw0["ports"][0]["vacant"])
        self.assertEqual({tuple(link["ends"]) for link in ring["links"] if link["mbaud"] == 6250},
                         {("sw%d.16" % i, "sw%d.17" % ((i + 1) % 4)) for i in range(4)})

    def test_text(self):
        text = run("show", FABRICS / "ring4.ini").stdout
        self.assertIn("fabric ring4: 8 endpoints, 4 switches, 12 links, 8-bit IDs, enumerated", text)
        self.assertRegex(text, r"n0 +0x00 +sw0\.0 +x4 5 Gbaud +host")
        self.assertRegex(text, r"switch sw3: 18 ports, component tag 0xc")
        self.assertRegex(text, r"16 +sw0\.17 +x4 6\.25 Gbaud +up +0x00-0x03")
        self.assertRegex(text, r"n0 +0 +1 +1 +2 +2 +3 +3 +2 +2")

    def test_faults_and_wide_ids(self):
        path = self.write(
            "[fabric]\nid_bits = 16\n[switches]\ns = 4 ports domain 1\nu = 4 ports\n[endpoints]\n"
            "a = 0x101\nb = 0x202\n[links]\na = s.0 x2\nb = u.0\ns.3 = u.3\n"
            "[faults]\ns.3 = down\na = drop 2.5%\na = lanes 1\nb = stuck odb\n")
        fabric = self.show(path)
        self.assertEqual(fabric["id_bits"], 16)
        self.assertEqual(fabric["endpoints"][1]["fault"], "stuck odb")
        self.assertEqual([f["fault"] for f in fabric["links"][0]["faults"]],
                         ["lanes 1", "drop 2.5%"])
        self.assertEqual(fabric["links"][2]["width"], 0)
        # By the tables; a link that is down changes none.
        self.assertEqual(fabric["hops"], [[1, 2], [2, 1]])
        self.assertEqual([(r["table"], r["first"], r["to"]) for r in
                          fabric["switches"][0]["routes"]], [("device", 1, 0), ("domain", 2, 3)])
        text = run("show", path).stdout
        self.assertRegex(text, r"0 +a +x2 5 Gbaud +no device +0x\*\*01")
        self.assertRegex(text, r"3 +u\.3 +x4 5 Gbaud +down +0x02\*\*")
        self.assertIn("fault: drop 2.5% (struck 0 times)", text)
        self.assertIn("fault: stuck odb (struck 0 times)", text)

    def test_not_enumerated(self):
        fabric = self.show(self.write("[fabric]\nenumerated = 0\n[switches]\ns = 4 ports\n"
                                      "[endpoints]\na = none host\nb = 7\n[links]\na = s.0\n"
                                      "b = s.1\n"))
        self.assertFalse(fabric["enumerated"])
        self.assertEqual([e["id"] for e in fabric["endpoints"]], [None, 7])
        self.assertEqual(fabric["switches"][0]["routes"], [])
        self.assertEqual(fabric["hops"], [[None, None], [None, None]])

    def serve(self, name, *nodes, topology=None):
        """Null devices on a fabric, until the test is over."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        args = [BUILD / "app" / "dpdk-rio-nulldev", "--fabric", name]
        args += ["--topology", topology] if topology else []
        for i, node in enumerate(nodes):
            args += ["--socket", "%s/%d,node=%s" % (folder.name, i, node)]
        server = subprocess.Popen(args, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, server)
        while "ready" not in (line := server.stdout.readline()):
            self.assertTrue(line, "no null devices")
        return server

    @staticmethod
    def end(server):
        server.terminate()
        server.wait(10)
        server.stdout.close()

    def test_running(self):
        name = "tool-%d" % os.getpid()
        server = self.serve(name, "n0", "n5", topology=FABRICS / "ring4.ini")
        listed = {f["fabric"]: f for f in json.loads(run("list", "--json").stdout)}
        self.assertEqual(listed[name], {"fabric": name, "star": False, "attached": 2,
                                        "endpoints": 8, "switches": 4, "processes": 1})
        self.assertRegex(run("list").stdout,
                         r"(?m)^%s +2 devices on 8 endpoints, 4 switches, 1 processes$" % name)
        fabric = self.show(name)
        self.assertTrue(fabric["running"])
        self.assertEqual([e["attached"] for e in fabric["endpoints"]],
                         [i in (0, 5) for i in range(8)])
        self.assertEqual(fabric["endpoints"][5]["process"], server.pid)
        self.assertEqual(fabric["endpoints"][5]["counters"]["odb_sent"], 0)
        self.assertRegex(run("show", name).stdout, r"n5 +0x05 +sw2\.1 .* down, process %d" % server.pid)

    def test_cut_short(self):
        """A fabric's file without its end is told, not touched."""
        name = "tool-%d" % os.getpid()
        self.serve(name, "n0", topology=FABRICS / "pair.ini")
        cut = pathlib.Path("/dev/shm/dpdk-rio-%d-%s-cut" % (os.geteuid(), name))
        self.addCleanup(lambda: cut.unlink(missing_ok=True))
        with open("/dev/shm/dpdk-rio-%d-%s" % (os.geteuid(), name), "rb") as whole:
            head = whole.read(4096)
        fd = os.open(cut, os.O_RDWR | os.O_CREAT, 0o600)
        self.addCleanup(os.close, fd)
        os.write(fd, head)
        # As a process that is there.
        fcntl.lockf(fd, fcntl.LOCK_EX, 1, (1 << 40) + 1)
        for args in (("show",), ("fault", "n0", "down")):
            done = run(args[0], name + "-cut", *args[1:])
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, r"\A%s was cut short: it has 4096 bytes, not \d+\n\Z" % cut)
        self.assertEqual(run("list").returncode, 0)

    def test_registers(self):
        name = "tool-%d" % os.getpid()
        self.serve(name, "n0", topology=FABRICS / "pair.ini")
        done = run("regs", name, "n0", "DEV_I[DN]*")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"(?m)^DEV_ID +0x000000  0x80ab0038$")
        self.assertNotIn("PEF", done.stdout)
        regs = json.loads(run("regs", name, "n0", "DMAC_*", "--json").stdout)
        self.assertIn({"name": "DMAC_DWRCNT[7]", "offset": 0x58000, "value": 0}, regs)
        everything = run("regs", name, "n0").stdout.splitlines()
        self.assertGreater(len(everything), 500)
        done = run("regs", name, "n1")
        self.assertEqual((done.returncode, done.stderr), (1, "no device is on node 'n1' of %s\n" % name))
        done = run("regs", name, "n7")
        self.assertEqual((done.returncode, done.stderr), (1, "%s has no node 'n7'\n" % name))
        ring = FABRICS / "ring4.ini"
        self.assertRegex(run("regs", ring, "sw3", "COMPONENT_TAG").stdout, r"0x00006c  0x0000000c")

    def test_faults(self):
        """Set and taken away while others use the fabric."""
        name = "tool-%d" % os.getpid()
        self.serve(name, "n0", topology=FABRICS / "ring4.ini")
        for where, fault in (("n0", "drop 1/100"), ("sw0.16", "down"), ("sw3.16", "lanes 1,2"),
                             ("sw3.16", "corrupt 1%"), ("n0", "stuck bdma0,odb")):
            done = run("fault", name, where, *fault.split())
            self.assertEqual((done.returncode, done.stderr), (0, ""), fault)
        fabric = self.show(name)
        faults = {tuple(link["ends"]): [f["fault"] for f in link["faults"]]
                  for link in fabric["links"] if link["faults"]}
        self.assertEqual(faults, {("n0", "sw0.0"): ["drop 1/100"], ("sw0.16", "sw1.17"): ["down"],
                                  ("sw3.16", "sw0.17"): ["lanes 1,2", "corrupt 1%"]})
        self.assertEqual([p["width"] for p in fabric["switches"][0]["ports"] if p.get("link")],
                         [0, 0, 1])
        self.assertEqual(fabric["endpoints"][0]["fault"], "stuck bdma0,odb")
        self.assertRegex(run("show", name).stdout, r"(?m)^ +fault: down \(struck \d+ times\)$")

        self.assertEqual(run("clear", name, "sw0.17", "lanes").returncode, 0)
        self.assertEqual(run("clear", name, "n0", "stuck").returncode, 0)
        fabric = self.show(name)
        self.assertNotIn("fault", fabric["endpoints"][0])
        self.assertEqual([f["fault"] for f in fabric["links"][11]["faults"]], ["corrupt 1%"])
        self.assertEqual(run("clear", name, "n0").returncode, 0)
        self.assertEqual(self.show(name)["links"][0]["faults"], [])
        run("fault", name, "n0", "stuck", "omsg1")
        self.assertEqual(run("clear", name).returncode, 0)
        fabric = self.show(name)
        self.assertFalse(any(link["faults"] for link in fabric["links"]))
        self.assertNotIn("fault", fabric["endpoints"][0])
        self.assertEqual([p["width"] for p in fabric["switches"][0]["ports"] if p.get("link")],
                         [0, 4, 4])

        for args, reason in ((("n9", "down"), "'n9' is neither an endpoint nor a linked port"),
                             (("sw0.9", "down"), "'sw0.9' is neither"),
                             (("sw9.0", "down"), "'sw9.0' is neither"),
                             (("sw0.x", "down"), "'sw0.x' is neither"),
                             (("n0", "drop", "1/0"), "fault 'drop' takes"),
                             (("sw0.16", "stuck", "odb"), "'stuck' is for endpoints")):
            done = run("fault", name, *args)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(reason, done.stderr)
        done = run("clear", name, "n0", "melt")
        self.assertEqual((done.returncode, done.stderr), (1, "'melt' is no kind of fault\n"))

    def test_star(self):
        name = "tool-%d" % os.getpid()
        self.serve(name, "ep2", "ep0")
        fabric = self.show(name)
        self.assertEqual([e["attached"] for e in fabric["endpoints"]], [True, False, True])
        self.assertEqual([tuple(link["ends"]) for link in fabric["links"]],
                         [("ep0", "sw0.0"), ("ep2", "sw0.2")])
        self.assertEqual(run("fault", name, "ep2", "error").returncode, 0)
        self.assertEqual(self.show(name)["links"][1]["faults"], [{"fault": "error", "hits": 0}])
        # Nobody has ever been there.
        self.assertIn("'ep1' is neither", run("fault", name, "ep1", "down").stderr)

    def test_not_running(self):
        for args in (("show", "nobody"), ("regs", "nobody", "n0"), ("clear", "nobody"),
                     ("fault", "nobody", "n0", "down")):
            with self.subTest(args=args):
                done = run(*args)
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (1, "", "no fabric 'nobody' is running\n"))
        self.assertFalse([f for f in os.listdir("/dev/shm") if f.endswith("-nobody")])

    def test_no_register(self):
        for form in ((), ("--json",)):
            done = run("regs", FABRICS / "ring4.ini", "sw0", "NOPE*", *form)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(done.stderr, "no register of node 'sw0' of %s matches 'NOPE*'\n"
                             % (FABRICS / "ring4.ini"))

    def test_no_file(self):
        for path, why in ((FABRICS, "Is a directory"), ("/nowhere.ini", "No such file or directory")):
            done = run("check", path)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "%s: %s\n" % (path, why)))

    def test_output_lost(self):
        """Output that goes nowhere is a failure, and said in one line."""
        ring = FABRICS / "ring4.ini"
        with open("/dev/full", "w") as full:
            for args in (("check", ring), ("show", ring), ("show", ring, "--json"), ("list",),
                         ("list", "--json"), ("regs", ring, "sw0"), ("regs", ring, "sw0", "--json"),
                         ("--help",), ("check", "--help")):
                if args == ("list",) and not run(*args).stdout:
                    continue
                with self.subTest(args=args):
                    done = subprocess.run([TOOL, *map(str, args)], stdout=full,
                                          stderr=subprocess.PIPE, text=True, timeout=30)
                    self.assertEqual((done.returncode, done.stderr),
                                     (1, "dpdk-rio-fabric: the output cannot be written\n"))
            for tool in ("dpdk-rio-nulldev", "dpdk-rio-compare", "dpdk-rio-tap"):
                with self.subTest(tool=tool):
                    done = subprocess.run([TOOL.with_name(tool), "--help"], stdout=full,
                                          stderr=subprocess.PIPE, text=True, timeout=30)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertEqual(len(done.stderr.splitlines()), 1)
                    self.assertIn("output", done.stderr)
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            done = subprocess.run([TOOL.with_name("dpdk-rio-nulldev"), "--socket",
                                   folder.name + "/a"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=30)
            self.assertEqual((done.returncode, done.stderr),
                             (1, "dpdk-rio-nulldev: the output cannot be written\n"))
            self.assertEqual(os.listdir(folder.name), [])

    def test_usage(self):
        self.assertEqual(run("--help").returncode, 0)
        for args, named in ((), "no command"), (("look",), "'look' is no command"), \
                (("check",), "no file"), (("show",), "one file or running fabric"), \
                (("show", "a.ini", "b"), "2 are given"), (("list", "-x"), "'-x'"), \
                (("regs", "a.ini"), "a node"), (("fault", "a", "n0"), "a fault"), \
                (("fault", "a", "n0", "x" * 200), "too long"), (("clear",), "a running fabric"), \
                (("check", "--json"), "'--json'"), (("fault", "--json", "a", "b"), "'--json'"), \
                (("show", "--all", "a.ini"), "'--all'"):
            with self.subTest(args=args):
                done = run(*args)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(named, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
