"""What an outsider gets of a map, worked out anew, slowly; and what is said of it."""

import inspect
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.spatial.names import Names, Voice
from dpviz.answers.spatial.outsider import OutsiderNumbers, answer
from dpviz.answers.spatial.outsider_said import FAR, RELATIONS, card, say
from dpviz.answers.spatial.rectangle import RectangleNumbers
from dpviz.core.budgets import Neighbours, PureDP
from tests.answers.spatial.questions import BOX, GRIDS, NOBODY, TREES, asked, slow
from tests.answers.spatial.test_cells import middle

NAMES = Names("student", "students", "live", "km", "km")
VOICE = Voice(NAMES, lambda text: f":blue[{text}]", lambda text: f"**{text}**")


@pytest.mark.parametrize("method", [*TREES, *GRIDS])
def test_numbers_of_the_release_alone(method):
    question = asked(method, depth=2)
    found, twin = answer(question), slow(question)
    level = 0 if method in GRIDS else 2
    read = [twin.node(level, cell) for cell in range(len(twin.boxes[level]))]
    assert found.cell_half == pytest.approx(1.96 * middle([v for _, v in read]) ** 0.5)
    assert found.cells.sure == sum(1 for one, v in read if one > 3 * v**0.5)
    assert found.levels == (None if method in GRIDS else 3)
    assert found.combined == (method in TREES and method != "quadtree, baseline")
    assert found.box == BOX


def test_there_is_no_place_for_the_truth():
    """The view takes a question, which holds none, and nothing else."""
    assert list(inspect.signature(answer).parameters) == ["asked"]
    found = answer(asked())
    assert found.cells.off is None
    assert isinstance(answer(asked(points=NOBODY)), OutsiderNumbers)


ANSWER = RectangleNumbers(np.array([1.0, 2, 3, 4]), 4737.0, 132.3, 150.0)
FOUND = answer(asked())
SHOWN = replace(
    FOUND,
    cells=replace(
        FOUND.cells,
        noisy_counts=87_381,
        sure=3,
        cells=400,
        error=55.5,
    ),
    cell_half=28.2,
    levels=9,
)


def test_every_sentence_says_its_own_number():
    said = say(ANSWER, SHOWN, VOICE)
    assert said.headline() == (
        "About :blue[4,737] students live in the rectangle, give or take 259."
    )
    assert said.alt == "About 4,737 students live in the rectangle, give or take 259."
    assert said.second().startswith("This is everything an outsider gets. The margin covers")
    assert said.strip == [
        ("cells that are sure", "1 %"),
        ("what this view holds", "only what may be published"),
        ("records on screen", "0"),
    ]
    assert "tru" not in repr(said)


def test_every_row_of_the_card_says_its_own_number():
    rows = dict(card(ANSWER, SHOWN, NAMES, PureDP(0.7), "student", "one moves"))
    assert rows == {
        "What": "a map of 10 by 8 km: how many students live where",
        "In the rectangle": "4,737, about 19 times in 20 between 4,478 and 4,996",
        "In one cell": "± 28 students",
        "Promise": "ε = 0.7: with or without any one student, no map is more than 2.02 times as "
        "likely",
        "Neighbours": "one moves",
        "Method": "quadtree, optimal: 9 levels, 87,381 noisy counts, combined",
        "Spent": "ε = 0.7, for good",
    }
    assert set(rows) > FAR
    other = replace(SHOWN, levels=None, combined=False)
    cells = replace(other.cells, neighbours=Neighbours.REPLACE_ONE)
    whole, moved = replace(ANSWER, rectangle=None), replace(other, cells=cells)
    rows = dict(card(whole, moved, NAMES, PureDP(0.7), "student", ""))
    assert rows["In all"].startswith("4,737, about")
    assert rows["Method"] == "quadtree, optimal: 87,381 noisy counts"
    assert "whatever any one student's value is" in rows["Promise"]


def test_both_relations_have_words():
    assert set(RELATIONS) == set(Neighbours)
    assert "joins or leaves; how many there are stays secret" in RELATIONS[Neighbours.ADD_REMOVE]
    assert "moves elsewhere; how many there are is public" in RELATIONS[Neighbours.REPLACE_ONE]
