# SPDX-License-Identifier: GPL-2.0-or-later
"""Every link of a page leads somewhere: in the tree, and among what is installed."""

import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SOURCE"])
BUILT = Path(os.environ["BUILT"])


def installed():
    """All go into one folder."""
    makefile = (SOURCE / "doc/Makefile.am").read_text(encoding="utf-8").replace("\\\n", " ")
    return [folder / name for folder, variable in ((SOURCE / "doc", "dist_doc_DATA"), (BUILT / "doc", "doc_DATA"))
            for name in re.search(rf"^{variable} = (.*)$", makefile, re.MULTILINE)[1].split()]


def pages():
    """Written by hand: not what commands make, nor what tests expect of them."""
    return [*SOURCE.glob("*.md"), *(path for folder in ("contrib", "doc", "experiments", "src") for path in (SOURCE / folder).rglob("*.md")
                                    if not {"raw", "golden"} & set(path.parts))]


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def links(page):
    """(path or "", heading or "") of those that stay in the tree."""
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8"))):
        if not re.match(r"\w+:", target):
            path, _, heading = target.partition("#")
            yield path, heading


def anchors(page):
    """Of its headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def dead(page):
    for path, heading in links(page):
        target = page.parent / path if path else page
        if not target.exists() or heading and heading not in anchors(target):
            yield f"{page.relative_to(SOURCE)}: {path}#{heading}" if heading else f"{page.relative_to(SOURCE)}: {path}"


class Links(unittest.TestCase):
    def test_of_the_tree_lead_to_what_there_is(self):
        self.assertIn(SOURCE / "README.md", pages())
        self.assertEqual([link for page in pages() for link in dead(page)], [])

    def test_of_installed_pages_lead_to_installed_ones(self):
        names = {page.name for page in installed()}
        self.assertLess({"README.md", "policy.md"}, names)
        self.assertEqual([f"{page.name}: {path}" for page in installed() if page.suffix == ".md" for path, _ in links(page)
                          if path and path not in names], [])
