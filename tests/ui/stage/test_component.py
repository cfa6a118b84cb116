"""What the stage's component hands to the browser, and when it hands it over anew."""

import json
import re

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage import controls
from dpviz.figures.stage.frames import label
from dpviz.figures.stage.places import At
from dpviz.figures.stage.stage import Layer, Stage, View
from dpviz.ui.stage import component


def test_the_script_is_one_module_without_imports():
    script = component.script()
    assert "import " not in re.sub(r"//.*", "", script)
    assert script.count("export ") == 1
    assert "export default function" in script


def test_a_stage_is_handed_over_again_only_when_the_page_disagrees_with_the_browser(monkeypatch):
    session: dict[str, object] = {}
    monkeypatch.setattr(component.st, "session_state", session)
    first = component._held("stage", {"epsilon": "1"})
    assert (first["handed"], first["turn"]) == ({"epsilon": "1"}, 0)
    session["stage"] = {"epsilon": "2"}  # a person turned the slider
    first["agreed"] = {"epsilon": "2"}
    again = component._held("stage", {"epsilon": "2"})
    assert (again["handed"], again["turn"]) == ({"epsilon": "1"}, 0)
    moved = component._held("stage", {"epsilon": "1"})  # the page says otherwise
    assert (moved["handed"], moved["turn"]) == ({"epsilon": "1"}, 1)
    assert component._held("stage", {"epsilon": "1"})["turn"] == 1
    del session["stage"]  # it was away
    assert component._held("stage", {"epsilon": "5"})["handed"] == {"epsilon": "5"}


def test_what_is_written_once_is_what_show_hands_over():
    views = (View((label("one", (At(0.5), At(0.5)), "1"),)),)
    stage = Stage(views, {"stop": "1", "beat": "reveal"}, (Layer(("stop",), {"1": {}, "2": {}}),))
    row = [
        controls.go("next", "Next", "forward"),
        controls.slider("stop", ("ε",), "ε", [("1", "1"), ("2", "2")]),
    ]
    high = component.Heights("1px", "2px", "3px")
    one = component.sealed(stage, row, high, scene="teach 1", keys={" ": "next"})
    assert one.names == ("stop",)
    whole = component._data(stage.at(stop="2"), row, high, 1.0, "teach 1", {" ": "next"})
    assert json.loads(one.at({"stop": "2"}, 3)) == whole | {"turn": 3}


def test_controls_that_cannot_work_are_refused():
    with pytest.raises(InvalidParameter, match="at least two stops"):
        controls.slider("epsilon", ("ε",), "privacy", [("1", "1")])
    with pytest.raises(InvalidParameter, match="at least one set"):
        controls.play("draw", "Play", 0, "count")
