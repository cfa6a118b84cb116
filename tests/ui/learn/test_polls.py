"""How a class played the game, as its presenter sees it: on a click, nothing under five phones."""

from types import SimpleNamespace

import pytest

from dpviz.lessons import game
from dpviz.lessons.stories.listing import BY_KEY, scene
from dpviz.lessons.stories.telling import Place
from dpviz.ui.learn import lead, polls
from dpviz.ui.learn.extras import GAME
from dpviz.ui.lectures.counters import Counters
from tests.ui.recorded import Recorded

FOUND = scene(GAME)
PLACE = Place(BY_KEY[FOUND.story], FOUND, None, "reveal", FOUND.control.start)


def shown(monkeypatch: pytest.MonkeyPatch, phones: int, counted: bool) -> list[str]:
    bins = Counters()
    name = game.counter(float(PLACE.stop))
    for phone in range(phones):
        bins.change(name, None, phone % 6)
    monkeypatch.setattr(lead, "leads", lambda: SimpleNamespace(votes=bins))
    found = Recorded(monkeypatch)
    if counted:
        polls._count_game(name)
    polls.game_line.__wrapped__(PLACE)
    return [one.text for one in found.calls if one.text]


@pytest.mark.parametrize("phones", [0, 4])
def test_few_phones_are_not_spoken_of(monkeypatch, phones):
    assert shown(monkeypatch, phones, counted=True) == []


def test_a_class_is_counted_on_a_click(monkeypatch):
    assert shown(monkeypatch, 12, counted=False) == ["Count the game: 12 phones"]
    said, button = shown(monkeypatch, 12, counted=True)
    assert "30 of 60" in said  # two phones each with 0, 1, … 5 of five rounds
    assert button == "Count the game: 12 phones"
