from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from dpviz import catalogue
from dpviz.core.budgets import PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.experiments.planning.answers import Curve
from dpviz.experiments.planning.sweeps import Axis
from dpviz.intake.samples import sample, sample_column
from dpviz.ui.what_if import best, swept_words, wins, words
from dpviz.ui.what_if.asked import Asked
from dpviz.ui.what_if.basis import Basis

BUDGETS = np.logspace(-2, 1, 31)


def curve(scale):
    high = np.minimum(scale / BUDGETS, 1.0)
    return Curve(BUDGETS, high / 4, high / 2, high, 1200)


@pytest.fixture
def asked():
    column = sample_column("exam")
    basis = Basis(
        "exam", "Exam marks", 6_000, sample("exam").words, "exam", lambda: column, lambda: column
    )
    methods = ("ApproximateQuantiles", "AggTree")
    deciles = QuantileSet.of(DECILES)
    relation = Neighbours.ADD_REMOVE
    return Asked(
        basis, "deciles", deciles, methods, PureDP(1.0), relation, "largest gap", 0.95, (10, 3)
    )


def plain(text):
    return text.replace("\\", "")


@pytest.mark.parametrize("kind", catalogue.QUANTILES, ids=lambda kind: kind.name)
def test_every_mechanism_of_the_catalogue_has_a_name_in_words(kind):
    assert words.method(kind.name).name == words.METHODS[kind.name].name
    assert words.method("Brand new").name == "Brand new"


@pytest.mark.parametrize("epsilon", [0.1, 0.18, 0.36, 0.71, 2.0])
@pytest.mark.parametrize("before", [1, 10, 50])
def test_a_suspicion_is_never_made_smaller_by_rounding(before, epsilon):
    share = before / 100
    exact = 100 * share * math.exp(epsilon) / (1 - share + share * math.exp(epsilon))
    said = float(words.suspicion_words(before, epsilon).removesuffix(" %"))
    assert exact <= said < exact + 0.1
    assert words.suspicion_words(10, 0.71) == "18.5 %"


def test_errors_are_rounded_up_and_never_to_nothing():
    assert words.share_words(0.00391) == "0.4 %"
    assert words.share_words(0.01) == "1 %"
    assert words.share_words(0.0) == "0.001 %"
    assert words.size_words(0.3529) == "ε = 0.36"


def test_the_best_method_comes_first_and_is_named(asked):
    curves = {"ApproximateQuantiles": curve(0.0036), "AggTree": curve(0.003)}
    found = best.ranked(curves, 0.01, asked.methods)
    assert [one.key for one in found] == ["AggTree", "ApproximateQuantiles"]
    said = plain(best.sentence(found, asked, 1.0))
    assert said == (
        "You need :blue[ε = 0.3] to publish nine deciles, from a noisy tree, within 1 % of the "
        "places."
    )
    below = plain(best.second_line(found, asked, 1.0))
    assert "60 of 6,000 students, at every one" in below
    assert "Recursive halving would need ε = 0.36." in below


def test_methods_that_noise_could_swap_are_called_level(asked):
    curves = {"ApproximateQuantiles": curve(0.00310), "AggTree": curve(0.003)}
    below = plain(best.second_line(best.ranked(curves, 0.01, asked.methods), asked, 1.0))
    assert "Recursive halving is level with it." in below


def test_no_budget_and_the_first_budget_are_said(asked):
    methods = ("AggTree",)
    none = best.ranked({"AggTree": curve(50.0)}, 0.01, methods)
    assert plain(best.sentence(none, asked, 1.0)).startswith("No ε up to 10 publishes nine deciles")
    assert best.cards(none[0], asked, 10) == []
    assert best.lines(none, "ε")[0].said == "not reached"
    first = best.ranked({"AggTree": curve(1e-5)}, 0.01, methods)
    assert "is already enough" in best.sentence(first, asked, 1.0)
    (half, _), _, _ = best.cards(first[0], asked, 10)
    assert half == "Half the budget: ε = 0.005"
    assert "More than the picture shows" in best.cards(first[0], asked, 10)[0][1]


def test_cards_double_and_halve_the_answer_that_is_said(asked):
    (one,) = best.ranked({"AggTree": curve(0.003529)}, 0.01, ("AggTree",))
    told = [(head, plain(text)) for head, text in best.cards(one, asked, 10)]
    heads = [head.split(": ")[1] for head, _ in told]
    assert heads == ["ε = 0.18", "ε = 0.36", "ε = 0.72"]
    errors = [float(text.split("**")[1].removesuffix(" %")) for _, text in told]
    assert errors[0] >= 100 * 0.003529 / 0.18
    assert errors[0] > errors[1] > errors[2]


def test_a_sweep_is_told_where_people_are_still_missed():
    missed = {"ApproximateQuantiles": (400, 40, 0.1), "AggTree": (900, 30, 2)}
    rows = pd.DataFrame(
        {"x": x, "mechanism": name, "n": 6000.0, "mean": mean, "runs": 50}
        for name, means in missed.items()
        for x, mean in zip((0.01, 0.1, 1.0), means, strict=True)
    )
    said = swept_words.finding(rows, Axis.BUDGET, swept_words.PEOPLE, "ε")
    assert said == "Noisy tree is off by 900 people at ε = 0.01, by 2 people at ε = 1."
    tree = swept_words.finding(rows, Axis.FANOUT, swept_words.PEOPLE, "ε")
    assert tree == "A noisy tree comes closest with fanout 1: off by 2 people."
    assert swept_words.finding(rows.iloc[:0], Axis.BUDGET, swept_words.PEOPLE, "ε") == ""


def test_a_map_is_told_by_its_clear_wins():
    places = pd.DataFrame(
        {
            "winner": ["AggTree", "AggTree", "JointExp", "JointExp"],
            "clear": [True, True, True, False],
        }
    )
    assert wins.tally(places) == "Noisy tree wins at 2 of 4 places, all at once at 1."
    assert "Noise could explain" in wins.tally(places.assign(clear=False))
