# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The dpdk-rio authors
"""What holds for every file of the tree: licence, white space, names that the documents use."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {".c", ".h", ".py", ".sh", ".rst", ".build"}
UNMARKED = {"LICENSE", "README.md", ".clang-format", ".editorconfig", ".gitignore"}


def files():
    """The files of the clone, as git knows them."""
    listed = subprocess.run(["git", "-C", ROOT, "-c", "safe.directory=*", "ls-files", "-z",
                             "--cached", "--others", "--exclude-standard"],
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return [ROOT / name for name in listed.stdout.split("\0")
            if name and (ROOT / name).is_file()]


class Tree(unittest.TestCase):
    """Each test lists all files that break its rule."""

    def setUp(self):
        self.files = files()
        if not self.files:
            self.skipTest("not a clone, or no git here")

    def none(self, found):
        self.assertEqual([], [str(item) for item in found])

    def sources(self):
        return [path for path in self.files if path.suffix in SOURCES]

    def test_names(self):
        self.none(p for p in self.files
                  if not re.fullmatch(r"[A-Za-z0-9._/@-]+", str(p.relative_to(ROOT))))

    def test_licence(self):
        """BSD-3-Clause and the copyright within the first lines."""
        def marked(path):
            head = path.read_text().splitlines()[:4]
            return (any("SPDX-License-Identifier: BSD-3-Clause" in line for line in head)
                    and any("Copyright(c) 2026 The dpdk-rio authors" in line for line in head))
        self.none(p for p in self.sources() if p.name not in UNMARKED and not marked(p))

    def test_white_space(self):
        self.none("%s:%d" % (p.relative_to(ROOT), number) for p in self.sources()
                  for number, line in enumerate(p.read_text().splitlines(), 1)
                  if line != line.rstrip())

    def test_guides_are_in_the_index(self):
        guides = ROOT / "doc" / "guides"
        listed = set(re.findall(r"^   ([a-z_0-9/-]+)$", (guides / "index.rst").read_text(), re.M))
        found = {str(p.relative_to(guides).with_suffix("")) for p in guides.rglob("*.rst")}
        self.assertEqual(listed | {"index"}, found)

    def test_files_named_in_the_readme(self):
        text = (ROOT / "README.md").read_text()
        names = re.findall(r"`((?:app|config|doc|drivers|test)/[\w./-]*)`", text)
        self.assertGreater(len(names), 3)
        self.none(name for name in names if not (ROOT / name).exists())


if __name__ == "__main__":
    unittest.main()
