"""Record matching, pair by pair; and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.spatial.matching import MatchingNumbers, MatchingQuestion, answer, halves
from dpviz.answers.spatial.matching_said import labels, say
from dpviz.core.spatial.release import SpatialRelease
from tests.answers.spatial.questions import BOX, POINTS, asked, slow_inside


@pytest.mark.parametrize("distance", [0.0, 0.01, 0.2])
@pytest.mark.parametrize("method", ["quadtree, optimal", "kd-tree", "uniform grid"])
def test_pairs_are_counted_leaf_by_leaf(method, distance):
    first, second = halves(POINTS)
    release = asked(method, points=first).release
    found = answer(MatchingQuestion(method, release, first, second, distance))
    is_tree = isinstance(release, SpatialRelease)
    boxes = release.level_boxes(2) if is_tree else release.boxes
    counts = release.counts[-1] if is_tree else release.counts
    compared, kept = 0, 0
    for box, noisy in zip(boxes, counts, strict=True):
        sent = max(round(float(noisy)), 0)
        near = 0
        for x, y in zip(second.x, second.y, strict=True):
            across, up = distance * BOX.x.width, distance * BOX.y.width
            near += box[0] - across <= x <= box[1] + across and box[2] - up <= y <= box[3] + up
        compared += sent * near
        kept += min(sent, slow_inside(box, first))
    pairs = len(first.x) * len(second.x)
    assert (found.name, found.every) == (method, pairs)
    assert found.compared == compared
    assert found.share == pytest.approx(compared / pairs)
    assert found.spared == pytest.approx(1 - compared / pairs)
    assert found.kept == pytest.approx(kept / len(first.x))


def test_the_parties_hold_every_second_person():
    first, second = halves(POINTS)
    assert list(first.x) == [x for at, x in enumerate(POINTS.x) if at % 2 == 0]
    assert list(second.y) == [y for at, y in enumerate(POINTS.y) if at % 2 == 1]
    assert first.box == second.box == BOX


FOUND = MatchingNumbers("quadtree, optimal", 3_210.0, 40_000.0, 0.9876)
OTHER = MatchingNumbers("kd-tree", 90_000.0, 40_000.0, 0.5)


def test_every_sentence_says_its_own_number():
    said = say([FOUND, OTHER])
    assert said.headline() == (
        "Quadtree, optimal spares :blue[92\\.0 %] of the comparisons and keeps **98\\.8 %** of the "
        "people."
    )
    assert said.alt == (
        "Quadtree, optimal spares 92.0 % of the comparisons and keeps 98.8 % of the people."
    )
    assert said.strip == [("method", "quadtree, optimal and kd-tree")]
    assert said.second() == "Confidential: it depends on both sides' people."
    assert labels(FOUND) == (
        "3,210 pairs compared", "8 % of 40,000 pairs", "keeps 98.8 % of the people",
    )  # fmt: skip
    assert labels(OTHER)[1] == "225 % of 40,000 pairs"
    assert labels(replace(FOUND, compared=1.0))[1] == "0.0025 % of 40,000 pairs"
    assert np.isclose(OTHER.spared, -1.25)
    assert say([OTHER]).alt == (
        "Kd-tree spares −125.0 % of the comparisons and keeps 50.0 % of the people."
    )
