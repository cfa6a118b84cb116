import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.figures.kit.palette import DARK, HUES, LIGHT
from dpviz.ui.kit.gallery import gallery, shapes
from dpviz.ui.kit.gallery.gallery import Card, Row, Shape, payload

PICTURE = shapes.still(10, 10, [shapes.stroke([0, 1], [0, 1], "blue")])
ROWS = [
    Row(
        [Card("a", "Fig. 1", "a tree", PICTURE, "full", "as printed"), Card("b", "Fig. 2", "x")],
        "T",
    )
]


def test_cards_say_what_they_hold_and_nothing_empty_travels():
    sent = payload(ROWS, "a", Shape())
    first, second = sent["rows"][0]["cards"]
    assert first["mark"] == "full"
    assert first["mark_words"] == "as printed"
    assert set(second) == {"key", "title", "note"}
    assert list(sent["pictures"]) == ["a"]
    assert sent["picked"] == "a"
    json.dumps(sent)


def test_pictures_travel_once():
    first = payload(ROWS, "a", Shape())
    second = payload(ROWS, "b", Shape(), held=[first["name"]])
    assert "pictures" not in second
    other = [Row([Card("a", "Fig. 1", "a tree", shapes.still(10, 10, []))])]
    assert "pictures" in payload(other, "b", Shape(), held=[first["name"]])


def test_a_message_of_the_browser_that_is_none_picks_nothing():
    assert gallery._told(None) == ""
    assert gallery._told("a") == ""
    assert gallery._told({"name": 3}) == ""


def _page():
    from dpviz.ui.kit.gallery import gallery, shapes  # noqa: PLC0415  this body runs as a script

    rows = [gallery.Row([gallery.Card("a", "A", "note", shapes.still(1, 1, []))])]
    gallery.gallery("g", rows, picked="a")
    gallery.still("s", shapes.still(1, 1, []), "one picture")


@pytest.mark.law
def test_both_are_drawn_on_a_page():
    app = AppTest.from_function(_page).run()
    assert not app.exception
    drawn = [
        json.loads(one.proto.mixed.json or one.proto.json) for one in app.get("bidi_component")
    ]
    assert drawn[0]["picked"] == "a"
    assert drawn[1]["alt"] == "one picture"


def test_every_ink_of_the_style_is_an_ink_of_the_figures():
    style = Path(gallery.__file__).with_name("gallery.css").read_text(encoding="utf-8")
    found = {
        name: (light.upper(), dark.upper())
        for name, light, dark in re.findall(r"--(\w+): light-dark\((#\w+), (#\w+)\)", style)
    }
    for name, mark in HUES.items():
        assert found[name] == (mark.light.upper(), mark.dark.upper())
    for name in ("truth", "second", "grain", "hairline", "panel", "band", "page"):
        assert found[name] == (getattr(LIGHT, name).upper(), getattr(DARK, name).upper())
