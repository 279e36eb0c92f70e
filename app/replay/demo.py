#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Frames of a capture cross two Tsi721s, then rionet is compared with other ports.

1. Takes a capture: the file given, or one recorded now from real traffic between two
   network namespaces (TCP, UDP, ping, ARP, IPv6, multicast), or, where that is
   not allowed, a made-up one.
2. Replays it through dpdk-testpmd into one rionet port and out of another, and
   compares what came with what was sent, frame by frame.
3. Measures rionet beside net_ring, net_memif and the 10GbE line.

The captures and the table stay in the folder demo/ of the build folder.
Exit code 0 says that every frame that fits the MTU came, in order and unchanged.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import time

import capture
import generate
import record
import replay
import testpmd

GENERATED_FRAMES = 5000


def title(number, text):
    print("[%d/3] %s" % (number, text), flush=True)


def take_capture(given, folder):
    """The frames to send."""
    if given is not None:
        title(1, "reading " + str(given))
        return capture.read(given)
    reason = record.not_possible()
    if reason is None:
        title(1, "recording real traffic between two network namespaces")
        path = folder / "recorded.pcap"
        code = record.record_in_namespaces(os.fspath(path))
        if code == 0:
            return capture.read(path)
        reason = "it failed with code %d" % code
    title(1, "making up traffic, since recording is not possible: " + reason)
    return generate.frames(GENERATED_FRAMES)


def show_capture(frames):
    sizes = sorted(map(len, frames))
    if sizes:
        print("      %d frames of %d to %d bytes, %d bytes in all"
              % (len(sizes), sizes[0], sizes[-1], sum(sizes)))
    else:
        print("      no frame")


def main():
    parser = argparse.ArgumentParser(prog="rio demo", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("capture", nargs="?", type=pathlib.Path, metavar="FILE.pcap",
                        help="Ethernet capture to replay, pcap or pcapng")
    parser.add_argument("--no-compare", action="store_true", help="leave step 3 out")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    folder = testpmd.build_folder() / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        frames = take_capture(args.capture, folder)
        show_capture(frames)
        title(2, "net_pcap0 -> net_rionet0 ~ fabric ~ net_rionet1 -> net_pcap1, by dpdk-testpmd")
        start = time.monotonic()
        result, _ = replay.replay(frames, str(folder))
    except (capture.CaptureError, testpmd.TestpmdError) as error:
        print("demo: %s" % error, file=sys.stderr)
        return 1
    print("      " + result.text().replace("\n", "\n      "))
    print("      %s, in %.1f s" % ("every frame that fits the MTU came as it was sent"
                                   if result.held() else "NOT as it should be",
                                   time.monotonic() - start), flush=True)
    if args.no_compare:
        return 0 if result.held() else 1
    title(3, "rionet beside other ports of this machine")
    code = subprocess.call([os.fspath(testpmd.build_folder() / "app" / "dpdk-rio-compare"), "--",
                            "--json", os.fspath(folder / "compare.json")],
                           stdin=subprocess.DEVNULL)
    print("captures and compare.json are in %s" % folder)
    return 0 if result.held() and code == 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
