"""The table of errors drawn beforehand: some of them anew, and all that a first picture asks."""

import json

import pytest

from dpviz.lessons.drawn_errors import TABLE, stored
from dpviz.version import __version__
from scripts.course_errors import KINDS


def test_every_place_of_the_first_pictures_is_stored():
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    assert table.pop("dpviz") == __version__
    assert {kind: len(found) for kind, found in table.items()} == {
        kind: len({*places()}) for kind, (_, places) in KINDS.items()
    }
    for kind, (_, places) in KINDS.items():
        assert all(stored(kind, at) is not None for at in places())
    assert stored("setting", 0.3) is None


@pytest.mark.parametrize(
    ("kind", "at"), [("setting", 2.0), ("bound", 200_000), ("stand-in", 500_000.0)]
)
def test_some_are_drawn_anew(kind, at):
    drawn, _ = KINDS[kind]
    assert stored(kind, at) == pytest.approx(drawn(at), rel=1e-12)
