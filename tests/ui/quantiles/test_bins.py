"""The controls of Bins, and what may leave: read back, and nothing true in it."""

import csv
import io

import numpy as np
import pytest

from dpviz.answers.quantiles.bins import EQUAL, TREE, BinChoice, answer
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.mechanisms.counting.by_group import release_by_group
from dpviz.ui.quantiles import bins

ROWS = {row.key: row for group in bins.FIELDS for row in group}


@pytest.mark.parametrize(
    ("asked", "even", "tree"),
    [(2, 2, 2), (20, 20, 16), (23, 23, 32), (100, 100, 128), (512, 512, 512), (900, 512, 512)],
)
def test_a_tree_has_a_power_of_2_of_bins(asked, even, tree):
    kind = ROWS["b_bins"].kind
    assert kind.fit(asked, {"b_kind": EQUAL}) == even
    assert kind.fit(asked, {"b_kind": TREE}) == tree
    assert tree in bins.POWERS


def test_the_table_that_leaves_holds_private_numbers_alone():
    bounds = Bounds(-1, 1)
    data = {"a, b": Column.from_values([-1.0, 0.3], bounds), "c": Column.from_values([], bounds)}
    choice = BinChoice(EQUAL, 4, (), PureDP(1), Neighbours.ADD_REMOVE)
    made = release_by_group(choice.mechanism, data, choice.budget, np.random.default_rng(3))
    found = answer(choice, made.releases, data)
    header, *rows = csv.reader(io.StringIO(bins._csv(found)))
    assert header == ["group", "from", "to", "count", "within 19 times in 20"]
    edges = [-1.0, -0.5, 0.0, 0.5, 1.0]
    wanted = [
        [name, *edges[at : at + 2], float(count), found.law.half]
        for name, one in made.releases.items()
        for at, count in enumerate(one.counts)
    ]
    assert [[row[0], *map(float, row[1:])] for row in rows] == wanted


def test_nothing_about_a_file_is_in_a_link(monkeypatch):
    monkeypatch.setattr(bins.session, "is_upload", lambda: True)
    own = {"b_edges", "b_by", "b_groups", "b_beyond"}
    assert {key for key, row in ROWS.items() if not row.linked()} == own
