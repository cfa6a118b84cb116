"""With the truth off the Map page tells nothing of a file: no view, no picture, no link."""

import secrets

import pytest

from dpviz.ui.pages.map import PAGE
from tests.pages.driver import pick
from tests.pages.maps import with_points
from tests.pages.unmistakable import FILE, HIGH, LOW, NAME, SECOND, content, told

CHOICES = (
    {"m_method": "kd-tree", "m_behind": True},
    {"m_method": "adaptive grid", "m_second": "kd-pure (not private)"},
    {"m_method": "quadtree, optimal", "m_second": "PrivTree", "m_colour": "count", "m_depth": 3},
)


@pytest.fixture(autouse=True)
def same_noise(monkeypatch):
    """The same noise every time: now and then a noisy count is n itself, and no test could tell."""
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes(range(1, size + 1)))


def own_map(*, truth):
    return with_points(content(), FILE, (NAME, SECOND), ((LOW, HIGH), (-2.0, 3.0)), truth=truth)


@pytest.mark.thorough  # the walk of test_release_view.py goes through the same views and choices
def test_no_view_and_no_choice_tells_of_a_file():
    app = own_map(truth=False)
    app.session_state["_visit"]["seed"] = 2  # of draw 1 a noisy number is the true one by chance
    pick(app, map_view="map")
    assert told(app) == []
    for view in PAGE.tabs.titles:
        assert told(pick(app, map_view=view)) == [], view
    pick(app, map_view="map")
    for choice in CHOICES:
        assert told(pick(app, **choice)) == [], choice


def test_hidden_again_it_tells_nothing_of_what_was_shown():
    app = own_map(truth=False)
    pick(app, truth=True)
    assert len(told(app)) >= 1  # the net catches what it is made for
    assert told(pick(app, truth=False)) == []
