"""A view is one file and one row, a scene one file: both are put in place and found everywhere."""

import sys
import textwrap
from dataclasses import replace
from importlib import import_module

import pytest

from dpviz.lessons import course, teach
from dpviz.lessons.stories import listing
from dpviz.lessons.stories.handout import handout
from dpviz.ui.pages import trees
from tests.conftest import ROOT
from tests.pages.driver import AppTest, figures, healthy, opened, text

VIEW = """
from dpviz.answers.said import Line, Said
from dpviz.figures.kit.picture import layout, picture, trace
from dpviz.ui.model.render import View


def numbers(page, values):
    return page.release.shape.leaves


def say(page, found):
    return Said(Line(f"A tree of {found} leaves."), Line(""), (("leaves", str(found)),), "leaves")


def draw(page, found, values, look):
    return picture([trace("leaves", [0, 1], [0, found], mode="lines")], layout(look))


ROW = View("leaves", "Leaves", numbers, say=say, draw=draw, hero="trees_leaves", file="leaves")
"""
SCENE = """
from dataclasses import replace

from dpviz.lessons.teach.noise.median import SCENE as OTHER

SCENE = replace(OTHER, name="one_file", title="A scene of one file", question="Is one file enough?")
"""


@pytest.fixture
def leaves(tmp_path, monkeypatch):
    """One file with a view, and its row among those of the page."""
    (tmp_path / "leaves_of_a_tree.py").write_text(textwrap.dedent(VIEW), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    row = import_module("leaves_of_a_tree").ROW
    monkeypatch.setattr(trees, "PAGE", replace(trees.PAGE, views=(*trees.VIEWS, row)))
    yield row
    sys.modules.pop("leaves_of_a_tree")


@pytest.fixture
def ninth(tmp_path, monkeypatch):
    """One file in the folder of a story, and its row in the course."""
    (tmp_path / "one_file.py").write_text(SCENE, encoding="utf-8")
    monkeypatch.setattr(teach, "__path__", [*teach.__path__, str(tmp_path)])
    monkeypatch.setitem(course.SCENES, "teach", (*course.SCENES["teach"], "one_file"))
    yield listing.BY_KEY["teach"].scenes[-1]
    sys.modules.pop("dpviz.lessons.teach.one_file")
    listing.scene.cache_clear()


def at(page, **link):
    """A fresh session that a link leads to a page."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page(f"pages/{page}.py")
    return healthy(app.run())


@pytest.mark.page
def test_a_new_view_is_among_the_tabs_and_says_and_draws_its_numbers(leaves):
    app = healthy(opened("trees"))
    (tabs,) = [one for one in app.segmented_control if "Leaves" in one.options]
    healthy(tabs.set_value("leaves").run())
    assert "A tree of 64 leaves." in text(app)
    (drawn,) = figures(app)
    assert list(drawn["leaves"][1]) == [0, 64]
    assert app.query_params["view"] in ("leaves", ["leaves"])
    assert "A tree of 64 leaves." in text(at("trees", view="leaves"))


@pytest.mark.page
def test_a_new_scene_is_the_last_of_its_story_in_the_gallery_and_in_the_handout(ninth):
    assert ninth.title == "A scene of one file"
    assert course.module("teach", ninth.name) == "dpviz.lessons.teach.one_file"
    assert "A scene of one file" in handout("teach")
    assert "Is one file enough?" in text(at("learn", story="teach", scene=str(ninth.number)))
