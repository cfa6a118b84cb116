"""The numbers of one node, each worked out anew, slowly; and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.trees.node import ReadNode, answer, weigh
from dpviz.answers.trees.node_said import say, strip
from dpviz.estimators.trees.readings import TreeEstimator
from tests.answers.trees.questions import EFFICIENT, RAW, VALUES, asked
from tests.answers.trees.test_levels import slow_fit


@pytest.mark.parametrize(("node", "ends"), [((2, 3), (70.0, 90.0)), ((3, 1), (20.0, 30.0))])
def test_a_node_has_its_own_numbers(node, ends):
    question, (level, place) = asked(), node
    found, (fitted, variances) = answer(question, node, (RAW, EFFICIENT)), slow_fit(question)
    true = sum(1 for value in VALUES if ends[0] <= value < ends[1] or value == ends[1] == 90)
    raw, read = found.readings
    assert found.part == ends
    assert found.true == true
    count = float(question.release.counts[level][place])
    scale = question.release.tree.scales[level]
    assert (raw.reading, raw.count, raw.off) == (RAW, count, count - true)
    assert raw.error == pytest.approx(2**0.5 * scale)
    assert (read.count, read.error) == pytest.approx(
        (fitted[level][place], variances[level][place] ** 0.5)
    )
    assert read.off == pytest.approx(fitted[level][place] - true)
    up = {(2, 3): ((0, 0), (1, 1)), (3, 1): ((0, 0), (1, 0), (2, 0))}
    assert found.path == (*up[node], node)


def slow_weights(question, node):
    """How far the estimate moves when one noisy count is one larger, count by count."""
    found, start = [], slow_fit(question)[0][node[0]][node[1]]
    for level, counts in enumerate(question.release.counts):
        row = []
        for place in range(counts.size):
            moved = [np.array(one) for one in question.release.counts]
            moved[level][place] += 1
            tree = replace(question.release.tree, counts=tuple(moved))
            release = replace(question.release, tree=tree)
            fitted = slow_fit(replace(question, release=release))[0]
            row.append(fitted[node[0]][node[1]] - start)
        found.append(row)
    return found


def test_weights_are_how_far_the_estimate_moves():
    question, node = asked(), (2, 1)
    found, slow = weigh(question, node), slow_weights(asked(), node)
    for weights, wanted in zip(found.weights, slow, strict=True):
        np.testing.assert_allclose(weights, wanted, atol=1e-9)
    assert found.own == pytest.approx(slow[2][1])
    flat = [
        (abs(weight), (level, place), weight)
        for level, row in enumerate(slow)
        for place, weight in enumerate(row)
    ]
    assert found.used == sum(1 for size, *_ in flat if size > 1e-9)
    largest = sorted((size for size, *_ in flat), reverse=True)[:4]
    assert [abs(weight) for _, weight in found.heaviest] == pytest.approx(largest)
    by_node = {where: weight for _, where, weight in flat}
    assert all(by_node[where] == pytest.approx(weight) for where, weight in found.heaviest)


def test_every_sentence_says_its_own_number():
    question, node = asked(), (2, 3)
    readings = (
        ReadNode(RAW, 61.5, 7.25, -3.5),
        ReadNode(TreeEstimator.FROM_BELOW, 52.5, 6.25, 2.5),
    )
    shown = replace(answer(question, node, (RAW,)), readings=readings, true=65.0)
    made = replace(weigh(question, node), own=0.37, used=13, heaviest=(((1, 0), -0.123),))
    said = say(shown, made)
    assert said.headline() == (r"For 70 to 90 the part's own noisy count weighs only :blue[0\.37].")
    assert said.second().startswith("The efficient estimate is a weighted sum of 13 noisy counts")
    assert said.strip == [("part", "70 to 90"), ("own weight", "0.37")]
    assert said.alt == "Weights of all noisy counts in the estimate of level 2, node 3"
    (table,) = said.tables
    assert table.columns == ("reading", "count", "s.e.", "error")
    assert table.rows == (
        ("raw", "61.50", "7.25", "−3.50"),
        ("from below", "52.50", "6.25", "2.50"),
    )
    assert table.notes == (
        "Path the root → level 1, node 1 → level 2, node 3. True count 65, confidential.",
        "Heaviest weights, by node: level 1, node 0: −0.123",
    )
    assert strip(shown) == [
        ("part", "70 to 90"),
        ("as measured", "62 ± 7.2"),
        ("with what lies below", "52 ± 6.2"),
        ("true", "65"),
    ]
    alone = say(shown, replace(made, used=1))
    assert alone.headline() == "For 70 to 90 nothing but the part's own noisy count is known."


def test_without_the_truth_nothing_of_it_is_left():
    found = answer(asked(truth=False), (2, 3), tuple(TreeEstimator))
    assert found.true is None
    assert all(one.off is None for one in found.readings)
    said = say(found, weigh(asked(truth=False), (2, 3)))
    assert "rue" not in repr(said)
    assert said.tables[0].columns == ("reading", "count", "s.e.")
    assert "true" not in dict(strip(found))
