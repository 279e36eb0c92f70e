#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""Rates of rionet ports between two processes beside net_memif's: ./rio bench net."""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "replay"))
import pair  # noqa: E402
import paths  # noqa: E402
import testpmd  # noqa: E402

HEADROOM = 128
EPILOG = """
One process sends and another one receives, each dpdk-testpmd on a processor of its own:
txonly to rxonly (one-way), and flowgen against macswap (round-trip, counted where it
began). All paths of a frame size run one after the other, as often as --rounds says, so
that what else the machine does meets all alike. The table shows the median, the least and the
most of the rounds, the ratio of the median to the better of net_memif's two, and the
processor cycles that a packet took in each process, as testpmd counts them.

  ./rio bench net
  ./rio bench net --sizes 64,9000 --paths rionet-dma,memif-zc --rounds 9
"""


def arguments(argv):
    parser = argparse.ArgumentParser(
        prog="./rio bench net", description=__doc__, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="64,256,1514,9000", help="bytes of a frame without FCS")
    parser.add_argument("--paths", default=",".join(paths.DEFAULT),
                        help="of %s (default: %%(default)s)" % ", ".join(paths.ALL))
    parser.add_argument("--traffic", default="one-way,round-trip", help="default: %(default)s")
    parser.add_argument("--rounds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--seconds", type=float, default=1.0, help="measured a round and path")
    parser.add_argument("--ring", type=int, default=1024, help="descriptors of a queue")
    parser.add_argument("--mbuf-size", type=int,
                        help="data room of an mbuf with %d of headroom (default: the frame, "
                        "2176 at least)" % HEADROOM)
    parser.add_argument("--eal", default="", help="EAL options of both processes, in one word")
    parser.add_argument("--json", help="file for the figures")
    args = parser.parse_args(argv)
    try:
        args.sizes = [int(size) for size in args.sizes.split(",")]
    except ValueError:
        parser.error("--sizes: '%s' is not a list of numbers" % args.sizes)
    for size in args.sizes:
        if not 60 <= size <= 65000:
            parser.error("--sizes: %d is not 60 to 65000" % size)
    args.paths = args.paths.split(",")
    args.traffic = args.traffic.split(",")
    for option, values, known in (("--paths", args.paths, paths.ALL),
                                  ("--traffic", args.traffic, pair.TRAFFIC)):
        for value in values:
            if value not in known:
                parser.error("%s: '%s' is none of %s" % (option, value, ", ".join(known)))
    if args.rounds < 1 or not args.seconds > 0:
        parser.error("--rounds and --seconds: at least 1 and more than 0")
    return args


def measure_size(args, folder, size, cpus, results):
    """
    All paths of one frame size. results[traffic][path] becomes a list of dictionaries.
    Whether every path could run.
    """
    complete = True
    mbuf_size = args.mbuf_size or max(2176, size + HEADROOM + 64)
    with contextlib.ExitStack() as stack:
        pairs = []
        for name in args.paths:
            tag = "netbench-%d-%s-%d" % (os.getpid(), name, size)
            path = paths.ALL[name](folder, tag)
            if size > path.limit:
                continue
            try:
                pairs.append((name, stack.enter_context(
                    pair.Pair(path, cpus, size, mbuf_size, args.ring, args.eal.split()))))
            except (pair.PairError, testpmd.TestpmdError) as error:
                complete = False
                print("netbench: %s, %d bytes: not measured: %s" % (name, size, str(error).splitlines()[0]),
                      file=sys.stderr)
        for turn in range(args.rounds):
            for traffic in args.traffic:
                for name, ends in pairs:
                    progress("%d bytes, round %d of %d, %s, %s"
                             % (size, turn + 1, args.rounds, traffic, name))
                    results[traffic].setdefault(name, []).append(
                        pair.TRAFFIC[traffic](ends, size, 0.2, args.seconds))
    progress("")
    return complete


def progress(text):
    if sys.stderr.isatty():
        print("\r\033[K" + text, end="", file=sys.stderr, flush=True)


def summary(rounds):
    rates = [r["pps"] / 1e6 for r in rounds]
    cycles = {end: [r[end] for r in rounds if r[end] is not None]
              for end in ("tx_cycles", "rx_cycles")}
    return {"mpps": statistics.median(rates), "mpps_min": min(rates), "mpps_max": max(rates),
            **{end: statistics.median(values) if values else None
               for end, values in cycles.items()}}


def report(traffic, size, results):
    """Prints the lines of one size; what they say, for the JSON file."""
    figures = {name: summary(rounds) for name, rounds in results.items()}
    best = max((f["mpps"] for name, f in figures.items() if name in paths.REFERENCE),
               default=None)
    for name, f in figures.items():
        f["gbps"] = f["mpps"] * size * 8 / 1e3
        f["ratio"] = f["mpps"] / best if best else None
        print("%-10s %6d  %-16s %8.3f  %8.3f %8.3f  %8.2f  %6s  %7s %7s" % (
            traffic, size, name, f["mpps"], f["mpps_min"], f["mpps_max"], f["gbps"],
            "-" if f["ratio"] is None else "%.2f" % f["ratio"],
            *("-" if f[end] is None else "%.0f" % f[end] for end in ("tx_cycles", "rx_cycles"))),
            flush=True)
    return figures


def main(argv):
    args = arguments(argv)
    if args.json:
        with open(args.json, "w", encoding="utf-8"):
            pass  # known to be writable before anything is measured
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        print("netbench: one processor only: both processes share it", file=sys.stderr)
    cpus = (cpus[0], cpus[min(1, len(cpus) - 1)])
    print("%-10s %6s  %-16s %8s  %8s %8s  %8s  %6s  %7s %7s" % (
        "traffic", "bytes", "path", "Mpps", "min", "max", "Gbit/s", "ratio", "tx cyc", "rx cyc"))
    answer = []
    complete = True
    with tempfile.TemporaryDirectory(prefix="rio-net-") as folder:
        for size in args.sizes:
            results = {traffic: {} for traffic in args.traffic}
            complete &= measure_size(args, folder, size, cpus, results)
            for traffic in args.traffic:
                for name, figures in report(traffic, size, results[traffic]).items():
                    answer.append({"traffic": traffic, "bytes": size, "path": name, **figures,
                                   "rounds": results[traffic][name]})
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"options": vars(args), "results": answer}, file, indent=1)
    return 0 if complete else 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (pair.PairError, testpmd.TestpmdError, OSError) as error:
        print("netbench: %s" % error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
