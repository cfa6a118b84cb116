"""All columns under one budget: each number from the release and the weights, and what is said."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.quantiles.profile import answer
from dpviz.answers.quantiles.profile_said import ABOUT, say
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.profile import Profile

ASKED = (0.3, 0.6, 0.9)
COLUMNS = {
    "*age*": Column.from_values([float(at) for at in range(90)], Bounds(0, 100), 1.0),
    "pay": Column.from_values([at * 100.0 for at in range(50)], Bounds(0, 9_000), 0.5),
}


def released(**weights):
    columns = {name: COLUMNS[name] for name in weights}
    mechanism = Profile(ApproximateQuantiles(round_to_grid=True))
    rng = np.random.default_rng(7)
    return mechanism.release(columns, ASKED, PureDP(0.7), rng, weights), weights


@pytest.mark.parametrize(
    ("weights", "shares"),
    [
        ({"*age*": 1.0, "pay": 1.0}, [0.5, 0.5]),
        ({"*age*": 0.1, "pay": 0.3}, [0.25, 0.75]),
        ({"pay": 5.0}, [1.0]),
    ],
)
def test_every_number_is_of_the_release(weights, shares):
    release, weights = released(**weights)
    found = answer(release, weights)
    assert [one.name for one in found.columns] == list(weights)
    assert [one.share for one in found.columns] == pytest.approx(shares)
    for one in found.columns:
        made = release.releases[one.name]
        assert one.quantiles == ASKED
        assert list(one.values) == [float(value) for value in made.values]
        assert one.quantiles[one.middle] == 0.6
        assert one.share == pytest.approx(made.spent.epsilon / 0.7)
    assert found.each == (None if shares[0] == 0.25 else pytest.approx(0.7 * shares[0]))


def test_every_sentence_says_its_own_number():
    release, weights = released(**{"*age*": 1.0, "pay": 1.0})
    found = answer(release, weights)
    age, pay = found.columns
    age = replace(age, values=(11.0, 22.0, 33.0), share=0.123)
    pay = replace(pay, values=(1234.5, 2000.0, 3000.5), share=0.877)
    shown = replace(found, columns=(age, pay), each=0.1239)
    said = say(shown, "ρ", "ρ = 0.7")
    assert said.headline() == r"2 columns, one promise: ρ \= 0\.7 for all of them together."
    assert said.second() == rf"\*age\*: 60 % are at most 22. {ABOUT}"
    assert said.strip == [("each column spends", "ρ = 0.124"), ("all together", "ρ = 0.7")]
    (table,) = said.tables
    assert table.columns == ("column", "share of the budget", "30 %", "60 %", "90 %")
    assert table.rows == (
        ("*age*", "12.3%", "11", "22", "33"),
        ("pay", "87.7%", "1,234.5", "2,000.0", "3,000.5"),
    )
    assert list(table.right) == list(table.columns[1:])


def test_one_column_and_a_median():
    release, weights = released(pay=2.0)
    found = answer(release, weights)
    one = replace(found.columns[0], quantiles=(0.25, 0.5), values=(5.0, 6.0), middle=1)
    said = say(replace(found, columns=(one,), each=None), "ε", "ε = 0.7")
    assert said.headline() == r"One column under a promise of ε \= 0\.7."
    assert said.second() == r"pay: half are at most 6\.0."
    assert said.strip == [("all together", "ε = 0.7")]
