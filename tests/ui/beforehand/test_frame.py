"""A page before its draw: what it would cost, and how exact it would be."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.answers.studies.expected import Expected
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.core.quantiles import QuantileSet
from dpviz.figures.kit.look import Look
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.ui.beforehand import frame
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import NotAsked
from tests.figures.inks import LIGHT
from tests.ui.recorded import Recorded

FOUND = Expected(("10 %", "50 %"), np.array([1.234, 0.5]), "% of the places")


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(frame, "headline", found.headline)
    monkeypatch.setattr(frame, "hero", found.hero)
    monkeypatch.setattr(frame, "ask_button", lambda _: "ε = 0.5")
    monkeypatch.setattr(frame.st, "page_link", found.page_link)
    return found


@pytest.mark.parametrize("many", [1, 3])
def test_one_draw_spends_and_several_spend(screen, many):
    waits = NotAsked({bytes([at]): Cost("AQ", PureDP(0.1)) for at in range(many)})
    frame.frame_of("Quantiles", SimpleNamespace(look=Look(LIGHT)), waits, lambda: (FOUND, "So."))
    (headline,) = (one.args for one in screen.calls if one.name == "headline")
    spends = "this draw spends" if many == 1 else "these draws spend"
    first = f"Nothing is drawn yet: {spends} :blue[ε \\= 0\\.5]."
    assert headline == ("Quantiles", first, "So.")
    (hero,) = (one.args for one in screen.calls if one.name == "hero")
    assert hero[2] == "So. ± 1.3 % of the places; ± 0.5 % of the places."


def test_what_refuses_is_not_reckoned(screen):
    def refuses():
        raise DpvizError("No.")

    waits = NotAsked({b"1": Cost("AQ", PureDP(0.1))})
    frame.frame_of("Trees", SimpleNamespace(look=Look(LIGHT)), waits, refuses)
    (headline,) = (one.args for one in screen.calls if one.name == "headline")
    assert headline[2] == frame.OTHERWISE
    assert not [one for one in screen.calls if one.name == "hero"]


@pytest.mark.parametrize(
    ("size", "view", "said"),
    [
        (None, "picture", frame.UNKNOWN),
        (500.0, "profile", frame.OTHERWISE),
        (500.0, "column", frame.OTHERWISE),
        (1.0, "picture", "If there is about 1 person, spread evenly"),
        (499.6, "picture", "If there are about 500 people, spread evenly"),
        (2e6, "picture", "More than a million people, spread evenly"),
    ],
)
def test_errors_are_reckoned_on_the_declared_number_of_people(monkeypatch, size, view, said):
    asked = []

    def errors(mechanism, question, n):
        asked.append(n)
        return np.array([0.01, 0.02])

    monkeypatch.setattr(frame, "_errors", errors)
    monkeypatch.setattr(frame.session, "size", lambda: size)
    monkeypatch.setattr(frame.methods, "heading", str.lower)
    question = SimpleNamespace(quantiles=QuantileSet.of(np.array([0.5, 0.9])), budget=PureDP(1))
    settings = SimpleNamespace(build=lambda *_: None)
    now = SimpleNamespace(view=view)
    expected, text = frame._reckoned(now, question, settings, ["AQ"])
    assert text.startswith(said)
    if expected is None:
        assert asked == []
        return
    assert asked == [min(max(1, round(size)), frame.MOST_PEOPLE)]
    end = "19 times of 20 a number is off by at most 2 % of the places, at the worst of them."
    assert text.endswith(end)
    assert (expected.names, expected.halves.tolist()) == (("50 %", "90 %"), [1.0, 2.0])
    both, _ = frame._reckoned(now, question, settings, ["AQ", "TREE"])
    assert (both.names, both.halves.tolist()) == (("aq", "tree"), [2.0, 2.0])


def test_the_errors_are_those_of_draws_on_people_that_are_made_up(monkeypatch):
    monkeypatch.setattr(frame.memory, "remembered", lambda _, made: made())
    column = Column.from_values([3.0, 4.0], Bounds(0, 100))
    asked = QuantileSet.of(np.array([0.5]))
    question = SimpleNamespace(column=column, budget=PureDP(1), quantiles=asked)
    few, many = (frame._errors(ApproximateQuantiles(), question, n) for n in (50, 5_000))
    assert few.shape == many.shape == (1,)
    assert 0 < many[0] < few[0] < 1
