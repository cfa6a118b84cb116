"""The card of a noisy tree, row by row, from the release and what was declared."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.answers.trees import outsider
from dpviz.answers.trees.names import Names
from dpviz.answers.trees.question import TreeQuestion
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.ui.bench import release as cards
from dpviz.ui.trees import release_view
from tests.rows import by_rows

COLUMN = Column.from_values(np.random.default_rng(3).integers(10, 90, 400).astype(float),
                            Bounds(10, 90), 1.0)  # fmt: skip
ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE


@pytest.fixture(autouse=True)
def words(monkeypatch):
    monkeypatch.setattr(
        release_view, "names", lambda: Names("students", "mark", "marks", "student")
    )
    monkeypatch.setattr(release_view.session, "protected", lambda: "student")
    monkeypatch.setattr(cards.data, "person_rows", lambda: None)


def card(tree, reading=TreeEstimator.RAW):
    budget = PureDP(0.5)
    release = tree.release(COLUMN, budget, np.random.default_rng(1))
    found = outsider.answer(TreeQuestion(release, tree, budget, reading))
    page = SimpleNamespace(release=release, ends=(10.0, 90.0))
    return dict(release_view.card_rows(page, found)), release


@by_rows(
    ("fanout", "height", "what", "method"),
    [
        (2, 3, "15 counts of students", "2 parts each, 3 levels deep"),
        (3, 1, "4 counts of students", "3 parts each, 1 level deep"),
        (2, 0, "1 count of students", "2 parts each, 0 levels deep"),
    ],
)
def test_how_many_counts_in_how_many_levels(fanout, height, what, method):
    tree = CountTree(fanout=fanout, height=height, noise=Noise.LAPLACE)
    said, release = card(tree)
    many = sum(1 for level in release.counts for one in level if np.isfinite(one))
    assert said["What"] == f"{what}, in all and in nested parts"
    assert said["What"].startswith(f"{many} ")
    assert said["Method"] == f"noisy tree, {method}, Laplace noise"
    assert said["Declared"] == "mark 10 to 90, in steps of 1"
    assert said["Spent"] == "ε = 0.5, for good"
    assert "Public besides" not in said


@by_rows(
    ("neighbours", "said"),
    [(ADD, "someone joins or leaves"), (REPLACE, "one person changes a value")],
)
def test_the_relation_is_said(neighbours, said):
    found, _ = card(CountTree(fanout=2, height=2, neighbours=neighbours))
    assert found["Neighbours"] == said
    assert found["Promise"].startswith("ε = 0.5: ")


@by_rows(("records", "said"), [(400, "400 students"), (1, "1 student")])
def test_a_public_number_of_people_is_named(records, said):
    tree = CountTree(fanout=2, height=2, root=Root.PUBLIC, neighbours=REPLACE, records=records)
    found, release = card(tree)
    assert found["Public besides"] == said
    assert release.total == records


def test_how_exact_a_part_is_has_its_ends():
    found, release = card(CountTree(fanout=2, height=2, noise=Noise.LAPLACE))
    errors = [float(np.sqrt(one)) for one in release.variances]
    assert len(set(np.round(errors, 6))) == 1
    assert found["How exact"] == f"± {errors[0]:.1f} students a part"
