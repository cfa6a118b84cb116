"""Views of Trees that show laws: what is claimed and holds, the splits, and what may leave."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.answers.trees.names import Names
from dpviz.core.budgets import PureDP
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.experiments.papers.tree_study import honaker_table
from dpviz.figures.kit.look import Look
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.ui.trees import release_view, studies
from tests.figures.inks import LIGHT
from tests.ui.recorded import Recorded


def test_the_claim_is_told_in_its_own_numbers_and_what_holds_is_in_the_table(monkeypatch):
    screen = Recorded(monkeypatch)
    studies.below_levels(None)
    (said,) = screen.said("markdown")
    claimed = re.search(r"standard error .* at (\.\d+) σ, which is ([\d.]+) of the variance", said)
    error, variance = float(claimed[1]), float(claimed[2])
    assert round(error**2, 3) == variance
    factor = int(re.search(r"a gain by a factor of (\d+)", said)[1])
    assert factor == round(1 / error**2)
    (table,) = (one.args[0] for one in screen.calls if one.name == "dataframe")
    assert table.equals(honaker_table())
    limits = [int(a) / int(b) for a, b in re.findall(r"(\d+)/(\d+)", said)]
    held = table.select_dtypes("number").to_numpy()
    for limit in limits:
        assert np.isclose(held, limit, atol=2e-3).any(), limit


@pytest.mark.parametrize("levels", [LevelBudget.uniform(), LevelBudget.own([1, 2, 4])])
def test_the_splits_are_drawn_with_their_own_shares_and_errors(monkeypatch, levels):
    calls = []
    draws = lambda *given, **others: calls.append((given, others))  # noqa: E731
    monkeypatch.setattr(studies, "split_rows_picture", draws)
    monkeypatch.setattr(studies, "names", lambda: Names("students", "mark"))
    tree = CountTree(fanout=2, height=2, levels=levels)
    energies = np.array([1.0, 2.0, 3.0])
    choice = SimpleNamespace(tree=tree, budget=PureDP(1), energies=energies, optimal=None,
                             split=SimpleNamespace(workload="all ranges"))  # fmt: skip
    page = SimpleNamespace(choice=choice)
    found = studies.budgets_of(page, {})
    studies.draw_budgets(page, found, {}, Look(LIGHT))
    ((given, others),) = calls
    start = "<b>Share of the budget</b> by level; at the right the error of a query of the workload"
    assert others["title"] == f"{start} (all ranges)"
    for row, split in zip(given[0], found.splits, strict=True):
        values = [getattr(row, name) for name in row.__slots__]
        assert values[0] == split.name
        assert list(values[1]) == list(split.shares)
        assert values[2] == split.error
    assert [row.in_use for row in given[0]] == [one is found.chosen for one in found.splits]
    assert sum(row.in_use for row in given[0]) == 1


def test_what_leaves_of_a_tree_is_said_of_the_release_alone(monkeypatch):
    monkeypatch.setattr(
        release_view, "names", lambda: Names("students", "mark", "marks", "student")
    )
    page = SimpleNamespace(release=SimpleNamespace(spent=PureDP(0.5)))
    said = release_view.say_to_take(page, SimpleNamespace(counts=15, finest=3.21))
    assert said.headline() == (
        "15 noisy counts to take away, the finest good to :blue[± 3\\.2] students, typically."
    )
    assert said.second() == "Whatever leaves from here is made of the release alone."
    assert list(said.strip) == [("spent", "ε = 0.5")]
    assert said.alt == "The noisy counts by level and the running counts that they give"
    assert "true" not in repr(said).lower()
