#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Records real traffic between two network namespaces joined by a veth pair: TCP and
UDP by iperf3, ping over IPv4, IPv6 and a VLAN, ARP, neighbour discovery, multicast.

usage: record.py OUTPUT.pcap

Namespaces are anonymous and everything runs in a PID namespace of its own, so
nothing outlives this program. Exit code 4 when this machine does not allow that.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time

TOOLS = ("unshare", "nsenter", "ip", "ethtool", "ping", "tcpdump", "iperf3")
NOT_POSSIBLE = 4
HERE, THERE = "192.0.2.1", "192.0.2.2"
HERE6, THERE6 = "2001:db8::1", "2001:db8::2"
VLAN_HERE, VLAN_THERE = "198.51.100.1", "198.51.100.2"
GROUP = ("239.1.2.3", 5000)


def run(*argv, netns=None, check=True):
    """Run a program, in the network namespace of process `netns` if given."""
    if netns is not None:
        argv = ("nsenter", "-t", str(netns), "-n", *argv)
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, check=False)
    if check and done.returncode != 0:
        raise RuntimeError("%s: %s" % (" ".join(argv), (done.stderr or done.stdout).strip()))


def network_namespace(pid):
    return os.readlink("/proc/%d/ns/net" % pid)


def start_peer():
    """A process that holds the second network namespace."""
    peer = subprocess.Popen(["unshare", "--net", "sleep", "300"], stdin=subprocess.DEVNULL)
    while network_namespace(peer.pid) == network_namespace(os.getpid()):
        if peer.poll() is not None:
            raise RuntimeError("unshare --net ended with code %d" % peer.returncode)
        time.sleep(0.01)
    return peer.pid


def set_up(peer):
    """Both ends of the cable, addressed and up, without the offloads that make super-frames."""
    run("ip", "link", "add", "rio0", "type", "veth", "peer", "name", "rio1", "netns", str(peer))
    for name, netns, address, address6, vlan in (
            ("rio0", None, HERE, HERE6, VLAN_HERE), ("rio1", peer, THERE, THERE6, VLAN_THERE)):
        run("ethtool", "-K", name, "tso", "off", "gso", "off", "gro", "off", "tx", "off",
            "txvlan", "off", "rxvlan", "off", netns=netns, check=False)
        run("ip", "addr", "add", address + "/24", "dev", name, netns=netns)
        run("ip", "link", "set", name, "up", netns=netns)
        run("ip", "link", "set", "lo", "up", netns=netns)
        # Parts that a kernel may lack; what is recorded is poorer then.
        run("ip", "addr", "add", address6 + "/64", "dev", name, "nodad", netns=netns, check=False)
        run("ip", "link", "add", "link", name, "name", "vlan7", "type", "vlan", "id", "7",
            netns=netns, check=False)
        run("ip", "addr", "add", vlan + "/24", "dev", "vlan7", netns=netns, check=False)
        run("ip", "link", "set", "vlan7", "up", netns=netns, check=False)


def start_tcpdump(output):
    tcpdump = subprocess.Popen(
        ["tcpdump", "-i", "rio0", "-w", output, "-s", "0", "-B", "16384", "-Z", "root"],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for line in tcpdump.stderr:
        if "listening on" in line:
            return tcpdump
    raise RuntimeError("tcpdump ended with code %d" % tcpdump.wait())


def iperf(peer, *options):
    """One bounded iperf3 run toward the peer."""
    server = subprocess.Popen(["nsenter", "-t", str(peer), "-n", "iperf3", "-s", "-1"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        for _ in range(50):
            try:
                run("iperf3", "-c", THERE, *options)
                break
            except RuntimeError as error:
                if "refused" not in str(error):
                    raise
                time.sleep(0.1)
        else:
            raise RuntimeError("iperf3: the server does not answer")
        server.wait(20)
    finally:
        server.kill()
        server.wait()


def traffic(peer):
    for size in (0, 56, 500, 1400, 3000):
        run("ping", "-c", "4", "-i", "0.02", "-s", str(size), THERE)
    for target in (THERE6, "ff02::1%rio0"):
        run("ping", "-6", "-c", "4", "-i", "0.2", target, check=False)
    run("ping", "-c", "4", "-i", "0.02", "-s", "1000", VLAN_THERE, check=False)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(HERE))
        for size in (1, 100, 1400):
            sock.sendto(bytes(size), GROUP)
    iperf(peer, "-n", "4M")
    iperf(peer, "-u", "-b", "100M", "-n", "300K", "-l", "1400")
    iperf(peer, "-u", "-b", "20M", "-n", "20K", "-l", "100")


def record(output):
    peer = start_peer()
    set_up(peer)
    tcpdump = start_tcpdump(output)
    try:
        traffic(peer)
        time.sleep(0.3)
    finally:
        tcpdump.send_signal(signal.SIGINT)
        tcpdump.wait(20)


def namespace_argv():
    """The command that runs another in new namespaces; its children die with it."""
    argv = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    return argv + ([] if os.getuid() == 0 else ["--user", "--map-root-user"])


def not_possible():
    """Why this machine cannot record, or None."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return "no " + ", ".join(missing)
    probe = subprocess.run([*namespace_argv(), "ip", "link", "add", "rio0", "type", "veth"],
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return probe.stderr.strip().splitlines()[-1] if probe.returncode != 0 else None


def record_in_namespaces(output):
    """record() in new namespaces; its exit code."""
    inside = subprocess.Popen([*namespace_argv(), sys.executable, "-B", os.path.abspath(__file__),
                               "--inside", output])
    try:
        return inside.wait()
    except BaseException:
        # A signal to the process group has reached it as well; else end it by force.
        try:
            inside.wait(3)
        except subprocess.TimeoutExpired:
            inside.kill()
            inside.wait()
        raise


def main():
    # The first process of a PID namespace is not ended by a signal that it does not handle.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if len(sys.argv) == 3 and sys.argv[1] == "--inside":
        try:
            record(sys.argv[2])
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            sys.exit("record: %s" % error)
        return 0
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    reason = not_possible()
    if reason is not None:
        print("record: not possible here: " + reason, file=sys.stderr)
        return NOT_POSSIBLE
    return record_in_namespaces(os.path.abspath(sys.argv[1]))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
