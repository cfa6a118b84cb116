"""Which fanout errs least, worked out anew over every running count; and what is said of it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpviz.answers.trees.fanouts import answer
from dpviz.answers.trees.fanouts_said import say
from dpviz.answers.trees.names import Names
from dpviz.answers.trees.theory import (
    HonakersErrors,
    by_level,
    left_over,
    say_by_level,
    say_honaker,
)
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.readings import TreeEstimator

NAMES = Names("students", "mark", "marks")
ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
EFFICIENT, RAW = TreeEstimator.EFFICIENT, TreeEstimator.RAW


def slow_error(fanout, leaves, variance):
    """Root mean variance of running counts 1 … leaves by least squares, written out.

    variance is that of a count where so many levels share alike: with the root or without it.
    """
    height = 0
    while fanout**height < leaves:
        height += 1
    return min(_with_levels(fanout, leaves, variance, first, height) for first in (0, 1))


def _with_levels(fanout, leaves, variance, first, height):
    whole, rows = fanout**height, []
    for level in range(first, height + 1):
        width = whole // fanout**level
        for place in range(fanout**level):
            inside = range(place * width, (place + 1) * width)
            rows.append([1.0 if leaf in inside else 0.0 for leaf in range(whole)])
    design = np.array(rows)
    spread = variance(height + 1 - first) * np.linalg.inv(design.T @ design)
    lower = np.tri(whole)[:leaves]
    return (sum(np.diag(lower @ spread @ lower.T)) / leaves) ** 0.5


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize(
    ("budget", "relation", "variance"),
    [
        (PureDP(0.5), ADD, lambda levels: 2 * (levels / 0.5) ** 2),
        (PureDP(0.5), REPLACE, lambda levels: 2 * (2 * levels / 0.5) ** 2),
        (ZCDP(0.125), ADD, lambda levels: levels / (2 * 0.125)),
        (ZCDP(0.125), REPLACE, lambda levels: 2 * levels / (2 * 0.125)),
    ],
)
def test_errors_are_those_of_least_squares_written_out(budget, relation, variance):
    shape = TreeShape(2, 4)
    found = answer(shape, budget, relation, EFFICIENT)
    slow = {fanout: slow_error(fanout, 16, variance) for fanout in range(2, 17)}
    assert found.best == min(slow, key=slow.__getitem__)
    assert found.least == pytest.approx(min(slow.values()))
    assert found.own_error == pytest.approx(slow[2])
    at = found.bins.tolist().index(16)
    by_name = {way.name: way for way in found.ways}
    assert by_name["fanout 2"].errors[at] == pytest.approx(slow[2])
    assert by_name["best fanout"].errors[at] == pytest.approx(found.least)
    assert by_name["best fanout"].best[at] == found.best
    gain = 1 - by_name["binary, best split"].errors[at] / found.least
    assert found.split_gain == pytest.approx(gain)
    assert (found.leaves, found.own, found.raw) == (16, 2, False)
    assert ("square root" in by_name) == isinstance(budget, ZCDP)
    assert answer(shape, budget, relation, RAW).raw


@pytest.mark.law
def test_every_sentence_says_its_own_number():
    found = answer(TreeShape(2, 4), PureDP(0.5), ADD, EFFICIENT)
    shown = replace(found, leaves=1024, own=3, best=7, least=11.0, own_error=22.0, split_gain=0.336)
    said = say(shown, NAMES)
    assert said.headline() == (
        "For a CDF of 1,024 parts fanout :blue[7] errs least: a running count is good to "
        ":blue[± 11] students."
    )
    assert said.headline(brief=True) == (
        "For a CDF of 1,024 parts fanout :blue[7] errs least: good to :blue[± 11] students."
    )
    assert said.second() == (
        "With your fanout of 3 it is good to ± 22. A binary tree with the best split of its budget "
        "errs 34 % less still."
    )
    assert said.strip[1] == ("read", "after least squares")
    assert say(replace(shown, raw=True), NAMES).strip[1] == ("read", "as measured")
    own = say(replace(shown, own=7, split_gain=0.004), NAMES).second()
    assert own == "That is the fanout of your tree."
    assert "one part" in say(answer(TreeShape(2, 0), PureDP(1), ADD, RAW), NAMES).headline()


def test_what_combining_leaves_is_read_below_the_root():
    rows = [
        ("raw", 1, 1.0),
        ("efficient", 0, 0.1),
        ("efficient", 1, 0.5),
        ("efficient", 2, float("nan")),
        ("efficient", 3, 0.25),
    ]
    shares = left_over(pd.DataFrame(rows, columns=["estimator", "level", "ratio"]))
    assert shares == (0.25, 0.5)
    nothing = pd.DataFrame(rows[:2], columns=["estimator", "level", "ratio"])
    assert left_over(nothing) is None


def of_levels(*scales):
    noise = TreeNoise(2, Noise.LAPLACE, scales, Root.RELEASED)
    return by_level(noise, np.random.default_rng(7))


def test_every_sentence_on_what_is_left_says_its_own_number():
    errors = by_level(
        TreeNoise(2, Noise.LAPLACE, (3.0, 2.0, 1.0), Root.RELEASED), np.random.default_rng(7)
    )
    said = say_by_level(replace(errors, left=(0.31, 0.47)))
    assert said.headline() == (
        "Below the root, least squares leaves between :blue[31 %] and :blue[47 %] of the raw "
        "variance on a level."
    )
    assert said.strip == [("lines", "theory"), ("points", "500 simulated trees, ± 2 errors")]
    alike = say_by_level(replace(errors, left=(0.25, 0.2501), simulated=None))
    assert "leaves :blue[25 %] of" in alike.headline()
    assert alike.strip == [("lines", "theory")]
    none = say_by_level(replace(errors, left=None))
    assert none.headline() == "Nothing is left to combine in this tree."
    said = say_honaker(HonakersErrors(pd.DataFrame(), (0.31, 0.47)))
    assert said.headline() == (
        "In Honaker's simulation combining leaves :blue[31 %] to :blue[47 %] of the squared error."
    )
    assert said.second() == (
        "His Fig. 4: 10,000 trees with 16 leaves, Poisson(10) people each, noise of deviation 3, "
        "N known. No data of yours is used."
    )
    assert said.strip == [("trees", "10,000"), ("leaves", "16")]


def test_errors_by_level_are_the_theorys_and_simulated_ones_near_them():
    found = by_level(
        TreeNoise(2, Noise.LAPLACE, (3.0, 2.0, 1.0), Root.RELEASED), np.random.default_rng(7)
    )
    rows = found.theory[found.theory["estimator"] == "efficient"]
    variances = [2 * 9.0, 2 * 4.0, 2 * 1.0]  # of Laplace noise by level
    design = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1], *np.eye(4)])
    weights = np.diag(1 / np.repeat(variances, [1, 2, 4]))
    leaves = np.linalg.inv(design.T @ weights @ design)
    exact = [float(np.ones(4) @ leaves @ np.ones(4)), float(leaves[:2, :2].sum()), leaves[0, 0]]
    np.testing.assert_allclose(rows["variance"], exact, rtol=1e-12)
    shares = [one / raw for one, raw in zip(exact[1:], variances[1:], strict=True)]
    assert found.left == pytest.approx((min(shares), max(shares)), rel=1e-12)
    assert found.simulated is not None
    simulated = found.simulated[found.simulated["estimator"] == "efficient"]
    far = np.abs(simulated["mse"].to_numpy() - exact) / simulated["standard_error"]
    assert far.max() < 5
    assert (
        by_level(
            TreeNoise(2, Noise.LAPLACE, (1.0,) * 14, Root.RELEASED), np.random.default_rng(7)
        ).simulated
        is None
    )
