"""Several columns as the page asks: every number is of one column, or of all, as it says."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import dpviz as dp
from dpviz.answers.decide.needs import NeedNames
from dpviz.answers.decide.price import Need, Price, Way
from dpviz.answers.decide.quantile_buys import QuantileBuys
from dpviz.answers.said import Line
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import ProfileRelease
from dpviz.intake.samples import Noun
from dpviz.ui.decide import together
from dpviz.ui.decide.together import Together
from dpviz.ui.decide.topics import Shown

NEED = Need(2, "value")


class One:
    """A column that a need takes 0.2 of, and that is off by 1 / ε."""

    form = SimpleNamespace(
        budget=dp.PureDP(1), neighbours=Neighbours.ADD_REMOVE, quantiles=QuantileSet.of((0.5,))
    )

    def price(self, need):
        return Price((Way("tree", 0.2),), need, 0.2, 1.9)

    def bought(self, size, need):
        return Price((Way("tree", size),), need, size, 1 / size, is_given=True)

    def basis(self, found, *, brief=False):
        return f"Reckoned at {found.size:g}."

    def spread(self, found):
        return found.size - 0.1, found.size + 0.1

    def percent(self, found):
        return 10 * found.size

    def off(self, found, release):
        return release.values[0] / 10

    def buys(self, found, release):
        one = np.array([0.5])
        return QuantileBuys(one, release.values, found.size * one, one, None, None, None,
                            False, True, Bounds(0, 100), 1)  # fmt: skip

    def shown(self, found, release):
        of = "made up" if release is None else release.values.tolist()
        return Shown(Line(f"A median like {found.size:g}."), Line("Two."), alt=f"Drawn: {of}.")


ALL = Together(One(), ("pay", "age", "hours"))


def test_a_need_takes_three_times_as_much_and_says_so():
    found = ALL.price(NEED)
    assert (found.size, found.off) == (0.6, 1.9)
    assert ALL.lead(found) == "that takes 3 × 0.2, in all "
    assert ALL.basis(found).startswith("Reckoned at 0.2. ε = 0.2 for each of the three columns")
    assert ALL.basis(found, brief=True) == "Reckoned at 0.2."
    assert ALL.alone(found).size == 0.2
    assert ALL.percent(found) == 2.0
    assert ALL.spread(found) == pytest.approx((0.3, 0.9))


def test_a_budget_for_all_buys_of_each_what_its_part_buys():
    found = ALL.bought(1.0, NEED)
    assert (found.size, found.off) == (1.0, 1 / 0.333333)
    assert ALL.lead(found) == ""
    assert "ε = 0.333333 for each of the three columns, 0.333334 for the last" in ALL.basis(found)


def test_the_release_of_all_spends_their_sum_and_the_worst_column_is_told(monkeypatch):
    columns = {
        name: Column.from_values([at, at + 1.0, at + 2.0], Bounds(0, 100), 1)
        for at, name in zip((10.0, 60.0, 30.0), ALL.columns, strict=True)
    }
    budgets = together.together.budgets_of(dp.PureDP(3_001.0), 3)
    made = ALL._release("ApproximateQuantiles", columns, budgets, dp.SecureBits.fresh())
    assert isinstance(made, ProfileRelease)
    assert made.spent == dp.PureDP(3_001.0)
    medians = {name: one.values[0] for name, one in made.releases.items()}
    assert medians == {"pay": 11, "age": 61, "hours": 31}  # with so much budget, the truth
    people = Noun("person", "people")
    names = NeedNames("each", Noun("", ""), people)
    monkeypatch.setattr(together.words, "names_of_needs", lambda: names)
    assert ALL.came(ALL.price(NEED), made) == "6.1 % of each"
    each = {name: ALL.came(ALL.price(NEED), one) for name, one in made.releases.items()}
    assert each == {"pay": "1.1 % of each", "age": "6.1 % of each", "hours": "3.1 % of each"}
    shown = ALL.shown(ALL.price(NEED), made)
    assert shown.finding() == (
        "Medians: pay :blue[11] ± 1, age :blue[61] ± 1 and hours :blue[31] ± 1."
    )
    assert shown.alt.endswith("The picture is of pay. Drawn: [11.0].")


def test_before_the_release_the_picture_is_of_each_column():
    shown = ALL.shown(ALL.price(NEED), None)
    assert shown.finding() == "In each of three columns: a median like 0.2."
    assert shown.alt == "In each of three columns: drawn: made up."
