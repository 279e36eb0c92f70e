# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""What the driver tests share: folders, the tools of app/replay, captures."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "app" / "replay"))

import capture  # noqa: E402 pylint: disable=wrong-import-position,unused-import
import generate  # noqa: E402 pylint: disable=wrong-import-position,unused-import
import replay  # noqa: E402 pylint: disable=wrong-import-position,unused-import
import testpmd  # noqa: E402 pylint: disable=wrong-import-position,unused-import

# Captures of real networks that do not belong to the project.
SHARED_DATA = pathlib.Path(os.environ.get("RIO_SHARED_DATA") or ROOT.parent / "shared" / "data")
BUILD = testpmd.build_folder()
BUILD_ASAN = pathlib.Path(os.environ.get("RIO_BUILD_ASAN") or str(BUILD) + "-asan")
FRAME_MAX = replay.FRAME_MAX


def shared_captures():
    """Files of the folder of real captures, none where it is absent."""
    return sorted(SHARED_DATA.glob("*.pcap"))


def driver_lines(output):
    """The lines that plugins printed while EAL probed the devices."""
    others = ("EAL: ", "vdev_probe(", "TELEMETRY: ", "testpmd: ", "Interactive-mode")
    lines = output.split("testpmd: create a new mbuf pool")[0].splitlines()
    return [line for line in lines if line and not line.startswith(others)]


def replay_program(*args):
    """app/replay/replay.py as a user runs it."""
    return subprocess.run([sys.executable, "-B", replay.__file__, *map(str, args)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=100, check=False)
