"""A table in one test: every row runs, and whatever fails is named and fails the test."""

import gc
import inspect
import os
import subprocess
import sys
from contextlib import contextmanager
from enum import Enum

import pytest

from tests import conftest
from tests.conftest import ROOT, spread
from tests.pairwise import pairwise
from tests.rows import by_rows, grid, pairs_first


class Heard:
    """Takes the place of the fixture subtests: names of rows, and what was wrong with each."""

    def __init__(self):
        self.failures = {}

    @contextmanager
    def test(self, name):
        try:
            yield
        except BaseException as error:
            self.failures[name] = error


class Side(Enum):
    LEFT = "left"
    RIGHT = "right"


def ran(test, **given):
    heard = Heard()
    test(subtests=heard, **given)
    return heard.failures


def test_every_row_runs_and_what_fails_is_named():
    seen = []

    @by_rows("number", [1, 2, 3, 4])
    def test(number):
        seen.append(number)
        assert number % 2

    assert list(ran(test)) == ["2", "4"]
    assert seen == [1, 2, 3, 4]


def test_a_table_that_is_a_function_is_made_when_the_test_runs():
    made, seen = [], []

    def table():
        made.append(len(seen))
        return [1, 2]

    @by_rows("side", Side)
    @by_rows("number", table)
    def test(number, side):
        seen.append((number, side))

    assert made == []
    assert not ran(test)
    assert made == [0]
    assert seen == [(number, side) for number in (1, 2) for side in Side]


def test_a_skipped_row_and_an_expected_error_are_told_too():
    @by_rows("number", range(3))
    def test(number):
        if number == 1:
            pytest.skip("not here")
        with pytest.raises(ZeroDivisionError):
            1 / number

    failures = ran(test)
    assert isinstance(failures["1"], pytest.skip.Exception)
    assert isinstance(failures["2"], pytest.fail.Exception)
    assert set(failures) == {"1", "2"}


def test_several_columns_several_tables_and_enumerations():
    seen = []

    @by_rows("side", Side)
    @by_rows(("low", "high"), [(1, 2), pytest.param(3, 4, id="wide")])
    def test(side, low, high):
        seen.append((low, high, side))
        assert side is Side.LEFT

    assert list(ran(test)) == ["1-2-<Side.RIGHT: 'right'>", "wide-<Side.RIGHT: 'right'>"]
    assert seen == [(low, low + 1, side) for low in (1, 3) for side in Side]


@pytest.mark.parametrize("ids", [["one", "two"], {"one": 0, "two": 0}, {1: "one", 2: "two"}.get])
def test_names_are_those_that_are_given(ids):
    @by_rows("number", [1, 2], ids)
    def test(number):
        raise KeyError

    assert list(ran(test)) == ["one", "two"]


def test_each_row_begins_with_the_same_generator(rng):
    drawn = []

    @by_rows("number", range(3))
    def test(number, rng):
        drawn.append(rng.random())

    assert not ran(test, rng=rng)
    assert len(drawn) == 3
    assert set(drawn) == {rng.random()}


def test_pytest_is_asked_for_fixtures_and_marks_stay():
    @pytest.mark.law
    @by_rows("number", [1])
    @pytest.mark.parametrize("side", Side)
    def test(number, side, rng):
        pass

    assert [*inspect.signature(test).parameters] == ["side", "rng", "subtests"]
    assert {mark.name for mark in test.pytestmark} == {"law", "parametrize"}


def test_a_grid_is_its_pairs_or_all_of_it():
    seen = []

    @grid(first=range(3), second=range(3), third=range(3))
    def test(first, second, third):
        seen.append((first, second, third))
        assert (first, second) != (1, 1)

    assert ran(test, whole=False)
    assert 9 <= len(seen) == len(set(seen)) < 20
    seen.clear()
    assert len(ran(test, whole=True)) == 3
    assert len(set(seen)) == 27
    (mark,) = test.pytestmark
    pairs, every = mark.args[1]
    assert not pairs.marks
    assert [mark.name for mark in every.marks] == ["thorough"]


def test_the_pairs_of_a_grid_are_quick_and_the_rest_is_thorough():
    found = pairs_first("ab", "cd", "ef")
    assert len({one.values for one in found}) == 8
    quick = [one.values for one in found if not one.marks]
    assert sorted(quick) == sorted(pairwise("ab", "cd", "ef"))
    assert {one.marks[0].name for one in found if one.marks} == {"thorough"}


FILE = """
from tests.rows import by_rows

@by_rows("number", [1, 2, 3])
def test_odd(number, tmp_path):
    assert number % 2
"""


@pytest.mark.law
def test_pytest_says_which_row_failed(tmp_path):
    file = tmp_path / "test_odd.py"
    file.write_text(FILE, encoding="utf-8")
    call = [sys.executable, "-m", "pytest", "-q", "--rootdir", tmp_path, "-p", "no:cacheprovider"]
    plain = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [*call, file], cwd=ROOT, env=plain, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "SUBFAILED[2]" in done.stdout
    assert "contains 1 failed subtest" in done.stdout
    assert "SUBFAILED[1]" not in done.stdout


def test_the_few_of_a_table_are_its_ends_and_others_between():
    assert spread(10, 4) == {0, 3, 6, 9}
    assert spread(7, 2) == {0, 6}
    assert spread(7, 1) == spread(1, 3) == {0}
    assert spread(3, 8) == {0, 1, 2}


def test_cases_beyond_the_few_run_one_kind_later():
    found = {}

    class Case:
        def __init__(self, name, *marks):
            self.nodeid, self.path, self.marks = name, ROOT / "tests/test_a.py", list(marks)

        def get_closest_marker(self, name):
            return next((one for one in self.marks if one.name == name), None)

        def add_marker(self, name):
            self.marks.append(getattr(pytest.mark, name).mark)

    few, law = pytest.mark.few(2).mark, pytest.mark.law.mark
    cases = [Case(f"a[{at}]", few) for at in range(5)] + [
        Case(f"b[{at}]", few, law) for at in range(4)
    ]
    cases += [Case(f"c[{at}]", pytest.mark.few(2, 3).mark) for at in range(5)]
    conftest.pytest_collection_modifyitems(cases)
    for one in cases:
        found.setdefault(one.nodeid[0], []).append(one.marks[-1].name)
    assert found["a"] == ["few", "law", "law", "law", "few"]
    assert found["b"] == ["law", "thorough", "thorough", "law"]
    assert found["c"] == ["few", "thorough", "law", "thorough", "few"]


def test_collections_of_garbage_rest_only_while_pytest_collects():
    collecting = conftest.pytest_collection()
    next(collecting)
    assert not gc.isenabled()
    with pytest.raises(StopIteration):
        collecting.send(None)
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0  # mypy, run in this process, undoes it
    assert gc.get_threshold()[0] == 35_000
