"""What the stage's component hands to the browser, and when it hands it over anew."""

from __future__ import annotations

import re

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.ui.stage import component, controls


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


def test_controls_that_cannot_work_are_refused():
    with pytest.raises(InvalidParameter, match="at least two stops"):
        controls.slider("epsilon", ("ε",), "privacy", [("1", "1")])
    with pytest.raises(InvalidParameter, match="at least one set"):
        controls.play("draw", "Play", 0, "count")
