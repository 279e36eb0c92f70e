# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors

import pathlib
import tempfile
import unittest

import check_includes

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Includes(unittest.TestCase):
    """The layers of this tree, and that the check sees a crossing of each."""

    def check(self, name, text):
        with tempfile.TemporaryDirectory() as root:
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True)
            path.write_text(text)
            return list(check_includes.check_tree(root))

    def test_this_tree(self):
        self.assertEqual(list(check_includes.check_tree(ROOT)), [])

    def test_crossings_are_seen(self):
        raw, net = "drivers/raw/tsi721/", "drivers/net/rionet_pmd/"
        null = raw + "null/"
        for name, text in (
                (null + "null_x.c", "#include <rte_common.h>"),
                (null + "null_x.c", '#include "rte_common.h"'),
                (null + "null_x.c", '#include "tsi721_device.h"'),
                (null + "null_x.c", "# include <ethdev_driver.h>"),
                (raw + "tsi721_bdma.c", '#include "null/null_device.h"'),
                (raw + "tsi721_bdma.c", '#include "null_device.h"'),
                (raw + "tsi721_bdma.c", "#include <null_device.h>"),
                (raw + "tsi721_vdev.c", '#include "null_internal.h"'),
                (raw + "tsi721_regs.h", "#include <rte_common.h>"),
                (raw + "tsi721_bdma.c", "\tif (dev->null)"),
                (raw + "tsi721_bdma.c", "\tif (null)"),
                (net + "rionet_msg.c", '#include "null_device.h"'),
                ("app/x/main.c", '#include "tsi721_device.h"'),
                ("app/x/main.c", "#include <ethdev_driver.h>"),
                ("app/fabric/main.c", '#include "null_internal.h"'),
                ("app/fabric/main.c", "#include <rte_eal.h>"),
                ("drivers/bus/x/x.c", "")):
            with self.subTest(file=name, text=text):
                self.assertEqual(len(self.check(name, text)), 1)

    def test_what_is_allowed(self):
        for name, text in (
                ("drivers/raw/tsi721/null/null_x.c", "#include <stdint.h>"),
                ("drivers/raw/tsi721/null/null_x.c", '#include "null_device.h"'),
                ("drivers/raw/tsi721/null/null_x.c", '#include "tsi721_regs.h"'),
                ("drivers/raw/tsi721/tsi721_vdev.c", '#include "null_device.h"'),
                ("drivers/raw/tsi721/tsi721_bdma.c", "\tif (dev == NULL)"),
                ("drivers/net/rionet_pmd/rionet_msg.c", '#include "tsi721_mbox.h"'),
                ("app/fabric/main.c", '#include <stdio.h>\n#include "null_view.h"'),
                ("app/x/main.c", '#include <rte_ethdev.h>\n#include "rte_pmd_tsi721.h"')):
            with self.subTest(file=name, text=text):
                self.assertEqual(self.check(name, text), [])


if __name__ == "__main__":
    unittest.main()
