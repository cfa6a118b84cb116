"""The numbers of one node of a map, each worked out anew, slowly; and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.spatial.names import Names
from dpviz.answers.spatial.node import ReadNode, Spending, answer
from dpviz.answers.spatial.node_said import described, say
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from tests.answers.spatial.questions import NOBODY, POINTS, asked, slow, slow_inside, truth_of

NAMES = Names("student", "students")


def check(question, node, names, points=POINTS, threshold=None):
    found, (level, number) = answer(question, node, truth_of(question, points)), node
    raw = slow(replace(question, reading=question.release))
    twins = [raw, slow(question, threshold)][: len(names)]
    box = raw.boxes[level][number]
    assert found.box == tuple(box)
    assert found.true == slow_inside(box, points)
    assert [one.reading for one in found.readings] == names
    for one, twin in zip(found.readings, twins, strict=True):
        count, variance = twin.node(level, number)
        assert one.count == pytest.approx(count)
        assert one.variance == pytest.approx(variance)
        assert one.error == pytest.approx(variance**0.5)
        assert one.half == pytest.approx(1.96 * variance**0.5)
    path, at = [], number
    for up in range(level, -1, -1):
        path.insert(0, (up, at))
        at //= 4
    assert found.path == tuple(path)
    assert found.is_leaf == (level == raw.height)
    if not found.is_leaf:
        left_low, left_high, right_low, _ = raw.boxes[level + 1][4 * number : 4 * number + 4]
        assert found.cut == (left_high[1], left_low[3], right_low[3])
        assert found.cut[0] == right_low[0]
    hidden = answer(question, node)
    assert (hidden.true, hidden.cut, hidden.is_leaf) == (None, found.cut, found.is_leaf)
    return found


@pytest.mark.parametrize("node", [(0, 0), (1, 2), (2, 9)])
@pytest.mark.parametrize("method", ["quadtree, optimal", "kd-tree"])
def test_a_node_has_its_own_numbers(method, node):
    check(asked(method), node, ["released", "estimated"])
    check(asked(method, points=NOBODY), node, ["released", "estimated"], NOBODY)


def test_a_node_as_it_was_released_and_as_it_was_pruned():
    check(asked("quadtree, baseline"), (1, 1), ["released"])
    question = asked("kd-tree", threshold=40.0)
    found = check(question, (2, 7), ["released", "estimated, pruned"], threshold=40.0)
    assert found.readings[0].count != found.readings[1].count


def test_cells_on_the_curve_are_not_cut():
    found = answer(asked("Hilbert R-tree"), (1, 2))
    assert (found.cut, found.is_leaf) == (None, False)
    assert "cut on the Hilbert curve; the parts may overlap" in described(found)
    assert "a leaf" in described(answer(asked("Hilbert R-tree"), (2, 2)))


@pytest.mark.parametrize("relation", Neighbours)
def test_what_a_count_spends(relation):
    changed = 1 if relation is Neighbours.ADD_REMOVE else 2
    question = asked("quadtree, baseline", weights=(1, 0, 3), relation=relation)
    found = answer(question, (0, 0)).spending
    assert found.levels == pytest.approx((0.125, 0, 0.375))
    assert (found.unit, found.of_a_record, found.steps) == ("ε", False, 0)
    scales = question.release.tree.scales
    assert found.levels == pytest.approx([changed / one for one in scales])


def test_what_medians_spend_and_exact_counts_do_not():
    found = answer(asked("kd-tree", budget=PureDP(2)), (0, 0)).spending
    assert (found.steps, found.share) == (4, 0.3)
    assert sum(found.levels) == pytest.approx(2 * 0.7)
    rho = answer(asked(budget=ZCDP(0.4)), (0, 0)).spending
    assert rho.unit == "ρ"
    assert sum(rho.levels) == pytest.approx(0.4)
    exact = answer(asked("kd-pure (not private)"), (0, 0))
    assert exact.spending is None
    assert say(exact, "", NAMES).tables[0].notes == (
        "Exact counts: nothing is spent, and nothing is protected.",
    )


FOUND = replace(
    answer(asked(), (1, 2)),
    box=(1.5, 22.25, -3.0, 4000.0),
    cut=(7.5, 8.25, 9.125),
    readings=(ReadNode("released", 71.5, 16.0), ReadNode("estimated", 61.4, 9.0)),
    spending=Spending((0.125, 0.0625), "ε", True, 6, 0.3),
    true=65.0,
)  # fmt: skip


def test_every_sentence_says_its_own_number():
    said = say(FOUND, "kd-tree", NAMES)
    assert said.headline() == (
        "Level 1, node 2 holds :blue[61] students, give or take 5.9; the truth is **65**."
    )
    assert said.strip == [("cell", "level 1, node 2"), ("method", "kd-tree")]
    assert said.alt == "Where level 1, node 2 lies; a click on a mark chooses a node below it"
    (table,) = said.tables
    assert table.columns == ("reading", "count", "variance", "s.e.")
    assert table.rows == (("released", "71.5", "16", "4"), ("estimated", "61.4", "9", "3"))
    assert table.notes == (
        "A count spends, level by level from the root: 0.125, 0.0625 ε of each record of a person. "
        "The 6 median steps of a path take 30% of the budget.",
    )
    assert described(FOUND) == (
        "**Level 1, node 2**: 1.5 to 22.25 × -3 to 4,000  \n"
        ":small[from the root → level 1, node 2 · cut at x = 7.5, then at y = 8.25 on the left and "
        "9.125 on the right]"
    )
    alone = replace(FOUND, spending=Spending((0.5,), "ρ", False, 0, 0.0))
    assert say(alone, "", NAMES).tables[0].notes == (
        "A count spends, level by level from the root: 0.5 ρ.",
    )
    one = replace(FOUND, readings=(ReadNode("released", 1.2, 25.0),), true=None)
    assert say(one, "", NAMES).headline() == (
        "Level 1, node 2 holds :blue[1] student, give or take 9.8."
    )


def test_the_root_and_what_was_not_released():
    root = replace(FOUND, node=(0, 0), path=((0, 0),))
    assert ":small[the root · cut at x" in described(root)
    assert say(root, "", NAMES).headline().startswith("The root holds")
    question = asked("quadtree, baseline", weights=(1, 0, 3))
    found = answer(question, (1, 1), truth_of(question))
    said = say(found, "", NAMES)
    assert said.headline() == "Level 1, node 1 was not released."
    assert said.tables[0].rows == (("released", "–", "∞", "∞"),)
    assert np.isnan(found.readings[0].count)


def test_without_the_truth_nothing_of_it_is_said():
    assert "tru" not in repr(say(answer(asked(), (1, 2)), "", NAMES))
