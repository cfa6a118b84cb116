"""The Methods page in its states: every family, without any data."""

from __future__ import annotations

from tests.pages.driver import opened, pick, text


def test_methods_shows_every_family_and_needs_no_data():
    app = opened("methods")
    for family in app.get_by_key("methods_family").options:
        pick(app, methods_family=family)
        assert len(text(app)) > 500
    assert not app.get("badge")
