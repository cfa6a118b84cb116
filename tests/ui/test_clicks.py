"""Which node a click on its mark chooses, on Trees and on Map."""

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from dpviz.ui.spatial import node as of_map
from dpviz.ui.trees import node as of_tree


def after_a_click(monkeypatch: pytest.MonkeyPatch, chart: str, *points: Any) -> dict[str, Any]:
    selected = SimpleNamespace(picked={"points": list(points), "boxes": []})
    kept: dict[str, Any] = {chart: selected, "_visit": {"m_level": 1, "t_level": 1}}
    monkeypatch.setattr(st, "session_state", kept)
    return kept


def test_a_click_chooses_the_level_and_the_number_of_its_mark(monkeypatch):
    other = {"customdata": [9, 9]}
    kept = after_a_click(monkeypatch, of_map.CHART, {"customdata": [3, 5]}, other)
    of_map.take_click()
    assert kept["_visit"] == {"m_level": 3, "m_node": 5, "t_level": 1}
    kept = after_a_click(monkeypatch, "trees", {"customdata": [3, 5]}, other)
    of_tree.take_click("trees")
    assert kept["_visit"].pop(of_tree.CHOSEN) == (3, 5)
    assert kept["_visit"] == {"t_level": 3, "t_node": 5, "m_level": 1}


@pytest.mark.parametrize("points", [[], [{"x": 1.0}]])
def test_a_click_on_nothing_leaves_the_node_and_clears_the_frame(monkeypatch, points):
    kept = after_a_click(monkeypatch, of_map.CHART, *points)
    of_map.take_click()
    assert kept["_visit"] == {"m_level": 1, "t_level": 1}
    kept = after_a_click(monkeypatch, "trees", *points)
    kept["_visit"][of_tree.CHOSEN] = (2, 1)
    of_tree.take_click("trees")
    assert kept["_visit"].pop(of_tree.CHOSEN) is None
    assert kept["_visit"] == {"m_level": 1, "t_level": 1}
