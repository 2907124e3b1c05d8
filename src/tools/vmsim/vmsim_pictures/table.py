# SPDX-License-Identifier: GPL-2.0-or-later
"""Columns of a file of comma-separated values. Files may have millions of lines."""

import array
import csv
import math

import numpy

from .problem import Problem


class Numbers:
    """A column of numbers; what is empty becomes NaN if that is allowed."""

    def __init__(self, may_be_empty=False):
        self._values = array.array("d")
        self._may_be_empty = may_be_empty

    def add(self, text):
        if text == "" and self._may_be_empty:
            self._values.append(math.nan)
            return
        try:
            value = float(text)
        except ValueError:
            raise ValueError("instead of a number") from None
        if not math.isfinite(value):
            raise ValueError("which is not finite")
        self._values.append(value)

    def finish(self):
        return numpy.array(self._values)


class Words:
    """A column of words out of few; comes out as indices into them."""

    def __init__(self, *words):
        self._index = {word: index for index, word in enumerate(words)}
        self._values = array.array("b")

    def add(self, text):
        try:
            self._values.append(self._index[text])
        except KeyError:
            raise ValueError("instead of " + " or ".join(self._index)) from None

    def finish(self):
        return numpy.array(self._values, dtype=int)


def _positions(path, header, names):
    missing = [name for name in names if name not in header]
    if missing:
        raise Problem(f"{path}: has no column {missing[0]}")
    return [header.index(name) for name in names]


def _read_lines(path, lines, columns):
    header = next(lines, None)
    if header is None:
        raise Problem(f"{path}: is empty")
    wanted = list(zip(columns, _positions(path, header, columns), columns.values()))
    for line in lines:
        if len(line) != len(header):
            raise Problem(f"{path}:{lines.line_num}: has {len(line)} columns instead of {len(header)}")
        for name, position, column in wanted:
            try:
                column.add(line[position])
            except ValueError as error:
                raise Problem(f'{path}:{lines.line_num}: column {name} is "{line[position]}" {error}') from None


def read(path, columns):
    """The columns wanted, {name: Numbers or Words}, of the file as {name: numpy array}."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            _read_lines(path, csv.reader(file, strict=True), columns)
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Problem(f"{path}: is not UTF-8") from None
    except csv.Error as error:
        raise Problem(f"{path}: {error}") from None
    return {name: column.finish() for name, column in columns.items()}
