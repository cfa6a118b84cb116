"""A scene in a notebook without a widget: which scene it is, and the frame that shows its page."""

import html
import re

import pytest

import dpviz as dp
from dpviz.core.errors import InvalidParameter
from dpviz.lessons.stories.listing import BY_KEY
from dpviz.site import build, notebook


def test_a_number_and_a_name_say_the_same_scene(monkeypatch):
    monkeypatch.setattr(notebook, "_widget", lambda: None)
    monkeypatch.setattr(notebook, "_page", lambda name: f"<html > {name} &")
    for story in BY_KEY.values():
        for one in story.scenes:
            by_number, by_name = dp.scene(story.key, one.number), dp.scene(story.key, one.name)
            assert by_number.page == by_name.page == f"<html > {one.name} &"
            assert by_name.title == f"dpviz: {one.title}"
    for wrong in (0, -1, 99, True, None, "", "Tank", 1.5, [1]):
        with pytest.raises(InvalidParameter, match="has no scene"):
            dp.scene("teach", wrong)
    for wrong in ("Teach", None, 1, ["teach"]):
        with pytest.raises(InvalidParameter, match="no story"):
            dp.scene(wrong, 1)


def test_without_a_widget_the_frame_holds_the_page_of_the_single_file(monkeypatch):
    monkeypatch.setattr(notebook, "_widget", lambda: None)
    shown = dp.scene("teach", "tank")._repr_html_()
    (page,) = re.findall(r'srcdoc="([^"]*)"', shown)
    assert html.unescape(page) == build.single("tank")
    assert 'sandbox="allow-scripts"' in shown
    assert "<html " in shown or "&lt;html " in shown
