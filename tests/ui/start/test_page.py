"""Start: its sentences follow ε and who is in, and without the truth a published answer."""

from types import SimpleNamespace

import pytest

from dpviz.figures.kit.look import Look
from dpviz.lessons.start import numbers, words
from dpviz.lessons.start.controls import DOORS
from dpviz.ui.kit import frame
from dpviz.ui.start import page
from tests.figures.inks import LIGHT
from tests.ui.recorded import Recorded


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(page, "headline", found.headline)
    monkeypatch.setattr(page.component, "show", found.show)
    monkeypatch.setattr(page, "doors", lambda: None)
    monkeypatch.setattr(page.state, "store", lambda: found.state)
    return found


def visit(epsilon):
    return SimpleNamespace(epsilon=epsilon, seed=3, presenting=False, look=Look(LIGHT))


@pytest.mark.parametrize("ida", ["in", "out"])
@pytest.mark.parametrize("epsilon", [0.1, 0.7, 10.0])
def test_the_sentences_are_those_of_the_visit(screen, monkeypatch, epsilon, ida):
    monkeypatch.setattr(page.component, "said", lambda *_: ida)
    for truth in (True, False):
        screen.forget()
        monkeypatch.setattr(page.state, "get", lambda _, truth=truth: truth)
        page.start_page(visit(epsilon))
        (headline,) = (one.args for one in screen.calls if one.name == "headline")
        assert headline == ("Start", words.heading(epsilon), words.LEDE)
        (said,) = screen.said("markdown")
        if truth:
            assert said == words.sentence(epsilon, ida == "in")
            assert ("865" in said) == (ida == "in")
            assert ("864" in said) == (ida == "out")
        else:
            assert said == words.outside(epsilon, page.answer(epsilon, 3))


def test_doors_lead_to_pages_of_the_menu():
    paths = [path for rows in frame.PAGES.values() for path, _ in rows]
    assert [paths.count(door.page) for door in DOORS] == [1, 1, 1]


def test_a_setting_from_elsewhere_becomes_a_stop_and_stays_one(screen):
    assert page._stops(0.7) == tuple(sorted({*numbers.STOPS, 0.7}))
    assert page._stops(3.0) == tuple(sorted({*numbers.STOPS, 0.7, 3.0}))
