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


def put_tables(path, tables):
    """`tables`: texts by name, of which the page has places for some. Where one is empty, the page keeps what it has."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    wanted = [name for name in tables if f"<!-- table {name} -->\n" in page]
    if not wanted:
        raise NoSuchTable(f"{path} has none of the tables {', '.join(tables)}")
    for name in wanted:
        pattern = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        page = pattern.sub(lambda match, text=tables[name]: f"{match[1]}{text}\n{match[2]}" if text else match[0], page)
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def main(write_page):
    """Of a program whose arguments are a CSV file and pages: `write_page` puts the one into one of the others."""
    program = os.path.basename(sys.argv[0])
    if len(sys.argv) < 3:
        sys.exit(f"{program}: error: usage: {program} CSV PAGE...")
    try:
        for page in sys.argv[2:]:
            write_page(sys.argv[1], page)
    except (OSError, BadRow, NoSuchTable) as error:
        sys.exit(f"{program}: error: {error}")
