"""The table of the Map page: its fields, what a link says of them, and what is read of them."""

from types import SimpleNamespace

import pytest

from dpviz.catalogue import SPATIAL
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import PureDP
from dpviz.core.data.points import Points
from dpviz.core.errors import DpvizError
from dpviz.ui.kit import session
from dpviz.ui.model.fields import of
from dpviz.ui.pages.map import FIELDS, PAGE, VIEWS
from dpviz.ui.spatial import reading, rectangle
from dpviz.ui.spatial.methods import MapChoice, chosen, takes
from dpviz.ui.spatial.node import key as node_key
from tests.rows import by_rows

BOX = Box(Bounds(0.0, 100.0), Bounds(0.0, 50.0))
POINTS = Points.from_xy([1.0], [2.0], BOX)
REFUSALS = (ValueError, KeyError, OverflowError, DpvizError)
ROWS = {row.key: row for row in PAGE.rows}


@pytest.fixture(autouse=True)
def a_sample(monkeypatch):
    """A visit that shows the truth of a sample."""
    monkeypatch.setattr(session, "is_upload", lambda: False)
    monkeypatch.setattr(session, "shows_truth", lambda: True)
    monkeypatch.setattr(session, "has_counts_alone", lambda: False)


def at_first(**others):
    """As settled, without a session: a row may look at the rows above it only."""
    values = {"view": "map", "points": POINTS, "budget": PureDP(0.5)}
    for row in PAGE.rows:
        found = others.get(row.key, of(row.first, values))
        values[row.key] = row.kind.fit(found, values)
    return values


def there(values, place):
    return {row.key for row in PAGE.rows if row.place == place and row.when(values)}


@by_rows("row", PAGE.rows, ids=lambda row: row.key)
def test_a_link_says_what_a_field_holds(row):
    values = at_first()
    for key, part in row.parted(values[row.key]).items():
        assert key in row.keys
        texts = row.kind.write(part)
        if part is not None:
            assert row.kind.read(texts, values) == part
    for nonsense in (["nonsense\n"], ["1e999"], ["a", "b"], []):
        with pytest.raises(REFUSALS):
            row.kind.read(nonsense, values)


def test_keys_and_views_of_the_page_are_in_order():
    keys = [key for row in PAGE.rows for key in row.keys]
    assert len(set(keys)) == len(keys)
    assert [view.name for view in VIEWS] == [
        "map", "node", "compare", "medians", "matching", "places", "take",
    ]  # fmt: skip
    for view in VIEWS:
        assert view.title
        assert view.show or (view.numbers and view.say)
    for group in FIELDS:
        for row in group:
            if row.place == "reading":
                assert row.tab in PAGE.reading_tabs
            if row.place == "expert":
                assert row.tab in PAGE.expert_tabs


@by_rows("method", SPATIAL, ids=lambda row: row.name)
def test_each_method_has_the_settings_that_it_takes_and_one_depth(method):
    values = at_first(m_method=method.name)
    settings = {
        "levels": {"m_levels"}, "switch": {"m_switch"}, "share": {"m_share"},
        "order": {"m_order"}, "cells": {"m_columns", "m_tested"},
    }  # fmt: skip
    wanted = set().union(*(settings[knob] for knob in method.knobs)) or {"m_no_cuts"}
    cuts = {row.key for row in PAGE.rows if row.tab == "Cuts" and row.when(values)}
    assert cuts == wanted
    depth = "m_depth_points" if method.follows_points else "m_depth"
    assert there(values, "late") == {depth}
    assert reading.depth_of(values) == values[depth]
    assert reading.depth_of(at_first(m_method=method.name, m_depth=2, m_depth_points=3)) == (
        3 if method.follows_points else 2
    )
    assert ROWS["m_median"].off(values) == (not method.uses_median)
    assert method.uses_median == ROWS["m_median"].help(values).startswith("How ")


def test_settings_of_either_method_are_there():
    values = at_first(m_method="kd-hybrid", m_second="kd-cell")
    assert chosen(values) == ("kd-hybrid", "kd-cell")
    assert takes(values, "switch")
    assert takes(values, "cells")
    assert not takes(values, "order")
    assert chosen(at_first(m_second="quadtree, optimal")) == ("quadtree, optimal",)


def test_the_slider_has_the_levels_of_the_map_on_screen_and_forgets_no_deeper_one():
    row = ROWS["m_depth"]
    values = at_first(m_depth=9)
    assert values["m_depth"] == 9
    seen = {**values, "deepest": 5}
    assert row.kind.fit(9, seen) == 5
    assert list(row.kind.stops(seen)) == [0, 1, 2, 3, 4, 5]
    assert row.kind.read(["11"], values) == 11
    with pytest.raises(ValueError, match="12"):
        row.kind.read(["12"], values)


def test_choices_become_the_mechanism_that_they_say():
    values = at_first(
        m_height=4, m_switch=9, m_order=2, m_prune=True, m_threshold=12.5, m_share=0.5,
        m_columns=16, m_tested=True, m_levels="own shares", m_shares="1, 2", m_second="kd-tree",
    )  # fmt: skip
    found = MapChoice.of(values, PureDP(0.25))
    assert (found.methods, found.height, found.prune) == (("quadtree, optimal", "kd-tree"), 4, 12.5)
    assert found.budget == PureDP(0.25)
    cuts = found.cuts  # no more levels than the tree has, and a curve as fine as it
    assert (cuts.switch, cuts.order, cuts.share, cuts.columns) == (4, 4, 0.5, 16)
    assert (cuts.tested, cuts.levels, cuts.shares) == (True, "own shares", "1, 2")
    assert MapChoice.of(at_first(m_threshold=12.5), PureDP(1)).prune is None
    assert at_first(m_height=2)["m_shares"] == "1, 1, 1"
    assert at_first(m_height=2, m_shares="1, 1")["m_shares"] == "1, 1, 1"
    assert at_first(m_height=2, m_shares="1, 3")["m_shares"] == "1, 3"


def test_the_rectangle_is_whole_or_none():
    assert at_first()[rectangle.KEY] == (58.0, 82.0, 10.0, 23.75)
    asked = {
        (10.0, 30.0, 5.0, 9.0): (10, 30, 5, 9),
        (-50.0, 30.0, 5.0, 900.0): (0, 30, 5, 50),
        (10.0, None, 5.0, 9.0): None,
        (None,) * 4: None,
        (30.0, 10.0, 5.0, 9.0): None,  # out of order
        (130.0, 140.0, 5.0, 9.0): None,  # outside
    }
    for ends, wanted in asked.items():
        found = rectangle.asked_of(at_first(m_rectangle=ends), BOX)
        assert (found if found is None else tuple(found)) == wanted


def test_what_is_sure_and_what_is_confidential_follow_the_truth(monkeypatch):
    values = at_first(m_points=True, m_behind=True, m_colour="count")
    found = reading.reading_of(values, BOX)
    assert (found.sure, found.points, found.answering, found.aspect) == (False, True, True, 1.0)
    assert not ROWS["m_sure"].off(values)
    monkeypatch.setattr(session, "shows_truth", lambda: False)
    hidden = reading.reading_of(values, BOX)
    assert (hidden.sure, hidden.points) == (True, False)
    assert ROWS["m_sure"].off(values)
    assert ROWS["m_points"].off(values)


def test_a_files_columns_share_a_unit_if_its_owner_says_so(monkeypatch):
    monkeypatch.setattr(session, "is_upload", lambda: True)
    assert reading.reading_of(at_first(), BOX).aspect == pytest.approx(100 / (50 * 1.25))
    assert reading.reading_of(at_first(m_share_unit=True), BOX).aspect == 1.0
    degrees = at_first(m_earth=True)
    assert reading.reading_of(degrees, BOX).aspect == pytest.approx(1 / 0.9063078)  # cos 25°
    assert not ROWS["m_share_unit"].when(degrees)
    assert not ROWS[rectangle.KEY].said(degrees)


def test_a_node_is_brought_into_the_tree_on_screen():
    page = SimpleNamespace(shown=[SimpleNamespace(height=2)], key="k")
    for level, number, wanted in ((1, 3, (1, 3)), (5, 900, (2, 15)), (0, 7, (0, 0))):
        values = at_first(m_level=level, m_node=number)
        assert node_key(page, values) == ("k", wanted)
