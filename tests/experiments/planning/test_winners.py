from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP, summary
from dpviz.experiments.planning.winners import record_grid, winners, winners_map
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp


def summed(rows):
    names = ["size", "n", "m", "mechanism", "metric", "runs", "mean", "standard_error"]
    return pd.DataFrame(rows, columns=names)


MADE_UP = summed(
    [
        (1.0, 1000.0, 9.0, "A", MEAN_GAP, 20, 5.0, 0.2),
        (1.0, 1000.0, 9.0, "B", MEAN_GAP, 20, 10.0, 0.2),
        (1.0, 1000.0, 9.0, "A", LARGEST_GAP, 20, 30.0, 0.2),
        (1.0, 1000.0, 9.0, "B", LARGEST_GAP, 20, 20.0, 0.2),
        (1.0, 1000.0, 60.0, "A", MEAN_GAP, 20, 9.0, 1.0),
        (1.0, 1000.0, 60.0, "B", MEAN_GAP, 20, 8.0, 1.0),
        (0.1, 1000.0, 9.0, "A", MEAN_GAP, 0, np.nan, np.nan),
        (0.1, 1000.0, 9.0, "B", MEAN_GAP, 20, 8.0, 1.0),
    ]
)


def test_the_winner_has_the_least_mean_and_is_clear_only_beyond_noise():
    found = winners(MADE_UP).set_index(["size", "m"])
    assert found.loc[(1.0, 9.0), ["winner", "second", "ratio", "clear"]].tolist() == [
        "A", "B", 2.0, True,
    ]  # fmt: skip
    assert found.loc[(1.0, 60.0), ["winner", "clear"]].tolist() == ["B", False]
    assert found.loc[(0.1, 9.0), ["winner", "second"]].tolist() == ["B", ""]
    assert winners(MADE_UP, LARGEST_GAP)["winner"].tolist() == ["B"]
    assert winners(MADE_UP.iloc[:0]).empty


def test_two_perfect_mechanisms_do_not_divide_by_nothing():
    perfect = MADE_UP[:2].assign(mean=0.0, standard_error=0.0)
    found = winners(perfect).iloc[0]
    assert found["ratio"] == np.inf
    assert not found["clear"]


def test_a_map_fills_every_place_and_knows_a_bad_mechanism(rng):
    column = Column.from_values(rng.normal(0, 5, 500), Bounds(-100, 100))
    mechanisms = {"AQ": ApproximateQuantiles(), "Ind": IndependentExp()}
    grid = record_grid(column, (100, 1000))
    assert grid == (100, 500)
    experiment = winners_map(column, mechanisms, PureDP(1), (0.5, 2.0), grid, (3, 60), 40, rng)
    places = winners(summary(run_all(experiment)))
    assert len(places) == 2 * 2 * 2
    many = places[(places["m"] == 60) & (places["n"] == 500)]
    # ε/60 each against ε/6 a level: no noise hides that
    assert (many["winner"] == "AQ").all()
    assert many["clear"].all()


def test_one_mechanism_is_no_contest(rng):
    column = Column.from_values([1.0, 2.0], Bounds(0, 3))
    with pytest.raises(InvalidParameter, match="two mechanisms"):
        winners_map(column, {"AQ": ApproximateQuantiles()}, PureDP(1), (1,), (2,), (3,), 2, rng)
