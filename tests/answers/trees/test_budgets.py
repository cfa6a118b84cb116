"""What splits make of a workload, worked out anew over every query; and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.trees.budgets import CHOSEN, answer
from dpviz.answers.trees.budgets_said import say
from dpviz.answers.trees.names import Names
from dpviz.core.budgets import PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.splits.workloads import all_ranges
from dpviz.mechanisms.counting.count_tree import CountTree

NAMES = Names("students", "mark", "marks")
ENERGIES = all_ranges(TreeShape(2, 3))


def tree(*weights):
    return CountTree(fanout=2, height=3, levels=LevelBudget.own(weights), noise=Noise.LAPLACE)


TREES = {CHOSEN: tree(1, 1, 1, 1), "leaves": tree(0, 0, 0, 1), "steep": tree(1, 2, 3, 4)}


def slow_variance(one, epsilon=0.5):
    """The mean variance over all ranges of leaves, by least squares written out."""
    rows, weights = [], []
    for level, share in enumerate(one.shares()):
        if share == 0:
            continue
        width = 8 >> level
        for place in range(2**level):
            inside = range(place * width, (place + 1) * width)
            rows.append([1.0 if leaf in inside else 0.0 for leaf in range(8)])
            weights.append((epsilon * share) ** 2 / 2)
    design = np.array(rows)
    spread = np.linalg.inv(design.T @ np.diag(weights) @ design)
    found = []
    for low in range(8):
        for high in range(low + 1, 9):
            query = np.array([1.0 if low <= leaf < high else 0.0 for leaf in range(8)])
            found.append(query @ spread @ query)
    return sum(found) / len(found)


def numbers(certified=None, trees=TREES):
    return answer(trees, PureDP(0.5), ENERGIES, "all ranges", certified=certified)


def test_variances_are_means_over_every_range():
    found = numbers()
    slow = {name: slow_variance(one) for name, one in TREES.items()}
    for split in found.splits:
        assert split.shares == tuple(TREES[split.name].shares())
        assert split.variance == pytest.approx(slow[split.name])
        assert split.error == pytest.approx(slow[split.name] ** 0.5)
        assert split.times == pytest.approx(slow[split.name] / min(slow.values()))
    assert found.chosen.name == CHOSEN
    assert found.best.name == min(slow, key=slow.__getitem__)
    assert found.better == (min(slow.values()) < 0.99 * slow[CHOSEN])
    assert numbers(trees={CHOSEN: tree(1, 1, 1, 1)}).better is False


def test_every_sentence_says_its_own_number():
    found = numbers(certified=True)
    first, second, third = found.splits
    splits = (
        replace(first, variance=1234.0, error=111.0, times=2.5),
        replace(second, variance=2345.0, error=222.0, times=3.5),
        replace(third, variance=345.0, error=33.0, times=1.0),
    )
    shown = replace(found, splits=splits, best=splits[2], better=True)
    said = say(shown, NAMES, "ε = 0.7")
    assert said.headline() == (
        "These levels answer a query to :blue[± 111] students, typically; steep would reach "
        ":blue[± 33]."
    )
    assert said.second().startswith(
        "For all ranges the workload-optimal split is the best there is. It depends"
    )
    assert said.strip == [("workload", "all ranges"), ("spent", "ε = 0.7")]
    (table,) = said.tables
    assert table.columns == ("split", "mean variance", "standard error", "times the best")
    assert table.rows[0] == (CHOSEN, "1,234", "111", "2.500")
    assert table.rows[2] == ("steep", "345", "33", "1")
    assert (
        say(replace(shown, better=False), NAMES, "").headline().endswith("; none here does better.")
    )
    assert "the best found. It" in say(replace(shown, certified=False), NAMES, "").second()
    assert say(replace(shown, certified=None), NAMES, "").second().startswith("It depends")
