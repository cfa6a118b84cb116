"""A made-up column beside the real one: ranks counted one by one; and what is said of them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.quantiles.made_up import BesideReal, MadeUpNumbers, answer
from dpviz.answers.quantiles.made_up_said import ALONE, say
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.intake.samples import Noun
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn

VALUES = [1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0, 64.0, 81.0, 99.0, 99.5]
COLUMN = Column.from_values(VALUES, Bounds(0, 100), 0.5)
MADE = SanitizedColumn(size=4).release(COLUMN, PureDP(0.9), np.random.default_rng(3))
SHOWN = MadeUpNumbers(1234, BesideReal(5678, 0.0123, 0.0456))
STUDENTS = Noun("student", "students")


def test_ranks_are_off_by_what_counting_finds():
    found, off = answer(MADE, COLUMN), []
    for quantile, value in zip(MADE.quantiles, MADE.values, strict=True):
        step = round(2 * value) / 2
        below, up_to = sum(one < step for one in VALUES), sum(one <= step for one in VALUES)
        wanted = math.floor(quantile * len(VALUES) + 1e-9)
        off.append(max(below - wanted, wanted - up_to, 0) / len(VALUES))
    assert (found.count, found.real.people) == (4, 11)
    assert found.real.typical == pytest.approx(sum(off) / 4)
    assert found.real.most == pytest.approx(max(off))
    assert 0 < found.real.typical < found.real.most


@pytest.mark.parametrize("column", [None, Column.from_values([], Bounds(0, 100), 0.5)])
def test_alone_nothing_true_is_known(column):
    assert answer(MADE, column).real is None


def test_every_sentence_says_its_own_number():
    said = say(SHOWN, STUDENTS, asked=False, spent="ε = 0.7")
    assert said.headline() == ":blue[1,234] made-up students stand in for **5,678** real ones."
    assert said.second() == (
        r"Their ranks are off by 1\.2 % of the students on average, by 4\.6 % at most\."
    )
    assert said.strip == [
        ("how many", "a noisy count, for a tenth of the budget"),
        ("made of", "private quantiles, recursive halving"),
        ("spent", "ε = 0.7"),
    ]
    alone = say(replace(SHOWN, real=None), STUDENTS, asked=True, spent="")
    assert alone.headline() == ":blue[1,234] made-up students may go anywhere."
    assert alone.second().replace("\\", "") == ALONE
    assert alone.strip[0] == ("how many", "as declared")
    one = say(replace(SHOWN, count=1), Noun("*x*", "[y]"), asked=True, spent="")
    assert one.headline().startswith(r":blue[1] made-up \*x\* stands in")
    assert "5678" not in repr(SHOWN)
