"""With the truth off One person, Budget and Audit tell nothing of a file, also after it was on."""

import secrets

import pytest

from tests.pages.driver import asking_nobody, has, healthy, opened, pick
from tests.pages.own_file import at
from tests.pages.test_release_view import VIEWS
from tests.pages.unmistakable import FILE, HIGH, LOW, content, told

OURS = [row for row in VIEWS if row[0] in {"neighbours", "budget", "audit"}]


@pytest.fixture(autouse=True)
def same_noise(monkeypatch):
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes(range(size)))


@pytest.mark.thorough
def test_off_on_and_off_again():
    app = opened("data")
    app.file_uploader(key="file").upload(FILE, content(), "text/csv")
    asking_nobody(healthy(app.run()))
    pick(app, own1_0_low=LOW, own1_0_high=HIGH)
    assert len({page for page, _ in OURS}) == 3
    caught = 0
    for truth in (False, True, False):
        page = "data"
        for where, choice in OURS:
            if where != page:
                at(app, where)
                page = where
                pick(app, truth=truth)
            for key, value in choice.items():
                if has(app, key):
                    pick(app, **{key: value})
            if truth:
                caught += bool(told(app))
            else:
                assert told(app) == [], (where, choice)
    assert caught >= 3  # the net catches what it is made for: n in a question, a true median
