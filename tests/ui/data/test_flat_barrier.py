"""What the flat barrier is sent, and what is taken of what it tells."""

import json
import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.figures.kit.look import Look
from dpviz.ui.data.flat_barrier import Axis, Stays, Words, heard, payload
from dpviz.ui.data.grains import Columns, Grains
from dpviz.ui.data.kinds import window
from dpviz.ui.visit.page import Visit
from tests.rows import by_rows

WORDS = Words("c", "p", "o", [("Bounds", "…")], "alt")
STAYS = Stays("Stays up here", ["every single age"])
AGE = Axis("<b>age</b>", Bounds(0, 120), Bounds(0, 120), window(Bounds(0, 120)), 1)
OPEN = Axis("x", None, None, Bounds(0, 1))


@pytest.fixture(autouse=True)
def _not_presenting(monkeypatch):
    monkeypatch.setattr(Visit, "presenting", False)


PLAIN = Look()


def sent(axes, above=STAYS, look=PLAIN):
    return payload(Visit("data", None, 0.1, 0.01, "declare", look), axes, above, WORDS, told=3)


def test_an_axis_with_its_scale():
    (axis,) = sent([AGE])["axes"]
    assert (axis["low"], axis["high"], axis["step"], axis["nudge"]) == (0, 120, 1, 1)
    assert [label for _, label in axis["ticks"]] == [str(k) for k in range(0, 141, 20)]
    assert sent([AGE])["told"] == 3


def test_an_open_axis_has_no_numbers():
    (axis,) = sent([OPEN])["axes"]
    assert axis["open"]
    assert axis["ticks"] == []


def test_people_are_shares_of_the_room_and_never_counts():
    columns = Columns(np.arange(4.0), np.array([0.5, 1.0, 0.001]))
    found = sent([AGE], columns)
    assert found["people"] == {"edges": [0, 1, 2, 3], "heights": [0.5, 1, 0.001]}
    assert "stays" not in found
    places = sent([AGE, AGE], Grains(np.array([1.4]), np.array([799.6])))["people"]
    assert places["places"] == [1, 800]
    assert "people" not in sent([AGE])
    json.dumps(found)


def test_a_box_is_drawn_to_scale_where_its_sides_are_alike():
    side = Axis("y", Bounds(0, 80), Bounds(0, 80), Bounds(0, 100))
    money = Axis("y", Bounds(0, 9e5), Bounds(0, 9e5), Bounds(0, 1e6))
    assert sent([AGE, side])["ratio"] == pytest.approx(1.56)
    assert sent([AGE, money])["ratio"] == 0
    assert sent([AGE, OPEN])["ratio"] == 0
    assert sent([AGE])["leads"] == [("Bounds", "…")]
    assert sent([AGE], look=Look(screen="phone"))["leads"] == []


GOOD = {"told": 4, "ends": [[1, 2.5]]}


def test_what_is_told_is_taken():
    assert heard(GOOD, 1) == (4, [(1.0, 2.5)])
    assert heard({"told": 1, "ends": [[1, 2], [3, 4]]}, 2) == (1, [(1, 2), (3, 4)])


@by_rows(
    "message",
    [
        None,
        "x",
        {},
        {"told": "4", "ends": [[1, 2]]},
        {"told": 4, "ends": []},
        {"told": 4, "ends": [[1, 2], [3, 4]]},
        {"told": 4, "ends": [[1]]},
        {"told": 4, "ends": [[1, "x"]]},
        {"told": 4, "ends": [[1, None]]},
        {"told": 4, "ends": [[1, math.nan]]},
        {"told": 4, "ends": [[-math.inf, 1]]},
        {"told": 4, "ends": "ab"},
    ],
)
def test_anything_else_is_not(message):
    assert heard(message, 1)[1] is None
