"""Components whose style and script are files beside a module."""

import pytest
import streamlit as st

from dpviz.ui import beside


@pytest.fixture
def made(monkeypatch):
    found = []
    monkeypatch.setattr(
        st.components.v2, "component", lambda name, **parts: found.append((name, parts))
    )
    return found


def test_script_and_style_are_read_beside_the_module(tmp_path, made):
    module = str(tmp_path / "module.py")
    for name, text in (("one.js", "1;"), ("two.js", "2;"), ("two.css", "p {}")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    beside.component(module, "one")
    beside.component(module, "two", "<p>", isolated=False)
    assert made == [
        ("dpviz_one", {"html": None, "css": None, "js": "1;", "isolate_styles": True}),
        ("dpviz_two", {"html": "<p>", "css": "p {}", "js": "2;", "isolate_styles": False}),
    ]


def test_a_component_is_registered_once_and_needs_its_script(tmp_path, made):
    module = str(tmp_path / "module.py")
    (tmp_path / "one.js").write_text("1;", encoding="utf-8")
    assert beside.component(module, "one") is beside.component(module, "one")
    assert len(made) == 1
    with pytest.raises(FileNotFoundError):
        beside.component(module, "none")
