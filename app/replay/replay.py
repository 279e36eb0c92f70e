#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Sends a capture through dpdk-testpmd into one rionet port and out of another, and
compares what came with what was sent, frame by frame.

    net_pcap0 -> net_rionet0  ~ fabric ~  net_rionet1 -> net_pcap1
     (reads)         testpmd, io mode, ports paired        (writes)
"""

import argparse
import dataclasses
import os
import sys
import tempfile
import time

import capture
import testpmd

FRAME_MAX = 4096   # msg mode: one frame a message
DMA_FRAME_MAX = 65014   # dma mode, beside VLAN tags
WRITTEN_MAX = 16128   # bytes of a frame that net_pcap writes
ETHER_HEADER = 14
VLAN_TAG = 4
VLAN_TAGS_MAX = 2
VLAN_TYPES = (b"\x81\x00", b"\x88\xa8")
PADDING_MAX = 7    # messages carry a multiple of 8 bytes
READER, SENDER, RECEIVER, WRITER = range(4)  # ports, in the order of the vdevs


@dataclasses.dataclass
class Result:
    """What became of a capture. `limit` is the longest frame without tags that fits the MTU."""

    limit: int
    sent: int = 0
    received: int = 0
    lost: int = 0
    different: int = 0
    extra: int = 0
    oversize: int = 0
    runts: int = 0
    counters: dict = dataclasses.field(default_factory=dict)  # xstats of the sending port
    notes: list = dataclasses.field(default_factory=list)

    @property
    def oversize_counted(self):
        return self.counters.get("tx_oversize", 0)

    @property
    def runts_counted(self):
        return self.counters.get("tx_runt", 0)

    def held(self):
        return (self.lost == self.different == self.extra == 0
                and self.oversize == self.oversize_counted
                and self.runts == self.runts_counted)

    def text(self):
        lines = ["frames sent        %8d" % self.sent,
                 "frames received    %8d" % self.received,
                 "different          %8d" % self.different,
                 "lost               %8d" % self.lost,
                 "not sent by us     %8d" % self.extra,
                 "oversize           %8d   over %d bytes; the port counted %d"
                 % (self.oversize, self.limit, self.oversize_counted)]
        if self.runts or self.runts_counted:
            lines.append("without a header   %8d   under %d bytes; the port counted %d"
                         % (self.runts, ETHER_HEADER, self.runts_counted))
        return "\n".join(lines + ["  " + note for note in self.notes])


def longest(frame, limit):
    """The longest this frame may be: VLAN tags do not count against the MTU."""
    tags = 0
    while tags < VLAN_TAGS_MAX and frame[12 + VLAN_TAG * tags :][:2] in VLAN_TYPES:
        tags += 1
    return limit + VLAN_TAG * tags


def passes(frame, limit):
    """Whether the port takes a frame: it has a header and is not too long."""
    return ETHER_HEADER <= len(frame) <= longest(frame, limit)


def same(sent, received):
    """Whether a frame arrived as it was sent, but for padding."""
    sent = sent[:WRITTEN_MAX]
    padding = received[len(sent):]
    return (received[: len(sent)] == sent and len(padding) <= PADDING_MAX
            and not any(padding))


def align(sent, received):
    """Yield what became of each frame in order: (kind, number of the frame).

    Kinds are same, different, lost (numbers of sent frames, from 0) and extra
    (of received ones). Looks a few frames ahead on both sides, so that one
    lost or added frame does not make all behind it different.
    """
    ahead = 64
    here = there = 0
    while here < len(sent) and there < len(received):
        if same(sent[here], received[there]):
            yield "same", here
            here, there = here + 1, there + 1
        elif any(same(sent[here], frame) for frame in received[there + 1 : there + ahead]):
            yield "extra", there
            there += 1
        elif any(same(frame, received[there]) for frame in sent[here + 1 : here + ahead]):
            yield "lost", here
            here += 1
        else:
            yield "different", here
            here, there = here + 1, there + 1
    yield from (("lost", n) for n in range(here, len(sent)))
    yield from (("extra", n) for n in range(there, len(received)))


def compare(sent, received, limit):
    """Match two lists of frames in order. Frames that passes() refuses are not expected."""
    result = Result(limit, len(sent), len(received))
    expected = [index for index, frame in enumerate(sent) if passes(frame, limit)]
    for index, frame in enumerate(sent, 1):
        if len(frame) < ETHER_HEADER:
            result.runts += 1
            result.notes.append("frame %d of %d bytes has no header" % (index, len(frame)))
        elif not passes(frame, limit):
            result.oversize += 1
            result.notes.append("frame %d of %d bytes is over the limit" % (index, len(frame)))
    for kind, number in align([sent[index] for index in expected], received):
        if kind == "extra":
            result.extra += 1
            result.notes.append("frame %d of those received was not sent" % (number + 1))
        elif kind != "same":
            result.lost += kind == "lost"
            result.different += kind == "different"
            result.notes.append("frame %d of %d bytes is %s" % (
                expected[number] + 1, len(sent[expected[number]]), kind))
    if len(result.notes) > 20:
        result.notes[20:] = ["and %d more" % (len(result.notes) - 20)]
    return result


def wait_for(pmd, expected, patience=10):
    """Until the writer has written all, or nothing moved for a while."""
    before, since = None, time.monotonic()
    while time.monotonic() - since < patience:
        counts = [pmd.xstats(port) for port in (READER, SENDER, WRITER)]
        moved = [(c["rx_good_packets"], c["tx_good_packets"]) for c in counts]
        if moved[2][1] >= expected and moved == before:
            return
        if moved != before:
            before, since = moved, time.monotonic()
        time.sleep(0.05)


def replay(sent, folder, mode="io", rionet_args=("", ""), options=(), watch=None, **testpmd_args):
    """Send frames from port to port; a Result, and the frames that came.

    Captures are written to `folder`, sent.pcap and received.pcap. rionet_args:
    devargs of the two ports, each with its comma. watch is called with all that
    testpmd printed. More arguments are those of testpmd.Testpmd.
    """
    source, sink = (os.path.join(folder, name) for name in ("sent.pcap", "received.pcap"))
    capture.write(source, sent)
    vdevs = ["net_pcap0,rx_pcap=" + source,
             "net_rionet0" + rionet_args[0], "net_rionet1" + rionet_args[1],
             "net_pcap1,tx_pcap=" + sink]
    options = ["--max-pkt-len=%d" % FRAME_MAX, "--mbuf-size=10240",
               "--port-topology=paired", *options]
    with testpmd.Testpmd(vdevs, options, **testpmd_args) as pmd:
        if "failed to initialize" in pmd.output:
            raise testpmd.TestpmdError("testpmd: a port is missing\n" + pmd.tail())
        limit = pmd.mtu(SENDER) + ETHER_HEADER
        pmd.command("set fwd " + mode)
        pmd.command("start")
        wait_for(pmd, sum(passes(f, limit) for f in sent))
        pmd.command("stop")
        counters = pmd.xstats(SENDER)
        code = pmd.quit()
        if watch is not None:
            watch(pmd.output)
        if code != 0:
            raise testpmd.TestpmdError("testpmd ended with code %d\n%s" % (code, pmd.tail()))
    received = capture.read(sink)
    result = compare(sent, received, limit)
    result.counters = counters
    return result, received


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("capture", help="pcap or pcapng file, Ethernet")
    parser.add_argument("output", nargs="?",
                        help="folder for sent.pcap and received.pcap (default: not kept)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rio-replay-") as folder:
        try:
            result, _ = replay(capture.read(args.capture), args.output or folder)
        except (capture.CaptureError, testpmd.TestpmdError) as error:
            print(error, file=sys.stderr)
            return 1
    print(result.text())
    return 0 if result.held() else 1


if __name__ == "__main__":
    sys.exit(main())
