"""A table of cases as one test: every row runs, and each that fails is named, as a subtest.

A test of its own for each row costs several times what most rows do.
"""

from __future__ import annotations

import copy
import inspect
import itertools
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from tests.pairwise import pairwise

Test = Callable[..., None]
Table = Iterable[Any] | Callable[[], Iterable[Any]]
Ids = Iterable[str] | Callable[[Any], object] | None
WHICH = [pytest.param(False, id="pairs"), pytest.param(True, id="all", marks=pytest.mark.thorough)]
OUTCOMES = (Exception, pytest.fail.Exception, pytest.skip.Exception)


@dataclass(frozen=True)
class Row:
    """What a test is called with, and what the row is called where that was given."""

    values: Mapping[str, Any]
    ids: tuple[object, ...]

    @property
    def name(self) -> str:
        """The names of its values, one behind the other."""
        texts = (one if isinstance(one, str) else reprlib.repr(one) for one in self.ids)
        return "-".join(texts)

    def and_of(self, other: Row) -> Row:
        """One row with the values of both."""
        return Row({**self.values, **other.values}, (*self.ids, *other.ids))


def by_rows(names: str | Sequence[str], table: Table, ids: Ids = None) -> Callable[[Test], Test]:
    """As pytest.mark.parametrize, in one test; one above another runs every pair of rows.

    A table that takes long to make is a function, called when the test runs. Fixtures are made once
    for all rows, but a generator is for each row what it is for the first.
    """
    keys = [names] if isinstance(names, str) else list(names)
    given = ids if ids is None or callable(ids) else list(ids)
    table = table if inspect.isfunction(table) else list(table)  # an Enum is called for its values

    def own() -> list[Row]:
        rows = table() if callable(table) else table
        return [_row(keys, values, at, given) for at, values in enumerate(rows)]

    def as_one(test: Test) -> Test:
        below: Callable[[], list[Row]] = getattr(test, "rows", lambda: [Row({}, ())])
        check = inspect.unwrap(test)

        def every() -> list[Row]:
            return [one.and_of(other) for one in below() for other in own()]

        @wraps(check)
        def loop(subtests: pytest.Subtests, **given: Any) -> None:
            run(check, every(), subtests, given)

        loop.rows = every
        loop.without = {*getattr(test, "without", ()), *keys}
        loop.__signature__ = _signature(check, loop.without, "subtests")
        return loop

    return as_one


def grid(**columns: Iterable[Any]) -> Callable[[Test], Test]:
    """A test in which any two values of different columns meet in some row; all rows: thorough."""
    values = [list(column) for column in columns.values()]

    def as_one(test: Test) -> Test:
        @pytest.mark.parametrize("whole", WHICH)
        @wraps(test)
        def loop(subtests: pytest.Subtests, whole: bool, **given: Any) -> None:
            chosen = itertools.product(*values) if whole else pairwise(*values)
            every = [Row(dict(zip(columns, row, strict=True)), row) for row in chosen]
            run(test, every, subtests, given)

        loop.__signature__ = _signature(test, columns, "subtests", "whole")
        return loop

    return as_one


def pairs_first(*columns: Iterable[Any]) -> list[ParameterSet]:
    """A grid for pytest.mark.parametrize: what is not among its pairs is thorough."""
    values = [list(column) for column in columns]
    places = [range(len(column)) for column in values]
    pairs = set(pairwise(*places))
    return [
        pytest.param(
            *(column[at] for column, at in zip(values, row, strict=True)),
            marks=() if row in pairs else pytest.mark.thorough,
        )
        for row in itertools.product(*places)
    ]


def run(
    test: Test, table: Iterable[Row], subtests: pytest.Subtests, given: Mapping[str, Any]
) -> None:
    """Call a test with one row after the other."""
    for row in table:
        try:
            test(**{name: _anew(one) for name, one in given.items()}, **row.values)
        except OUTCOMES:
            with subtests.test(row.name):  # one for each row would take as long as a test
                raise


def _anew(fixture: Any) -> Any:
    return copy.deepcopy(fixture) if isinstance(fixture, np.random.Generator) else fixture


def _row(keys: Sequence[str], values: Any, at: int, ids: Any) -> Row:
    own = None
    if isinstance(values, ParameterSet):
        assert not values.marks, "a row has no marks of its own"
        values, own = values.values, values.id
    elif len(keys) == 1:
        values = (values,)
    named = dict(zip(keys, values, strict=True))
    if own is not None:
        return Row(named, (own,))
    if ids is None:
        return Row(named, tuple(values))
    return Row(named, tuple(map(ids, values)) if callable(ids) else (ids[at],))


def _signature(test: Test, without: Iterable[str], *more: str) -> inspect.Signature:
    """The fixtures that pytest is to give: those of the test, and more."""
    left = [name for name in inspect.signature(test).parameters if name not in set(without)]
    only = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature([inspect.Parameter(name, only) for name in (*left, *more)])
