# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables in Markdown, and the pages that they are put into: between the lines <!-- table NAME --> and
<!-- end of NAME --> of a page, text is replaced."""

import os
import re
import sys


class BadRow(Exception):
    pass


class NoSuchTable(Exception):
    pass


def table(heads, lines, mark="---"):
    """`mark`: how all columns but the first are aligned."""
    marks = ["---", *[mark] * (len(heads) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [heads, marks, *lines])


def _replace(page, name, text):
    pattern = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    if not pattern.search(page):
        raise NoSuchTable(f"the page has no table {name}")
    return pattern.sub(lambda match: f"{match[1]}{text}\n{match[2]}", page)


def put_tables(path, tables):
    """`tables`: texts by name; one that is empty is left as it stands."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    for name, text in tables.items():
        if text:
            page = _replace(page, name, text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def main(write_page):
    """Of a program whose arguments are those of `write_page`: a CSV file and a page."""
    program = os.path.basename(sys.argv[0])
    if len(sys.argv) != 3:
        sys.exit(f"{program}: error: usage: {program} CSV PAGE")
    try:
        write_page(*sys.argv[1:])
    except (OSError, BadRow, NoSuchTable) as error:
        sys.exit(f"{program}: error: {error}")
