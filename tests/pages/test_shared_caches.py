"""Samples are everybody's and files nobody's but their visitor's; the spy finds what leaks.

The walk through all pages with a file is in test_release_view.py and ends with the same spy.
"""

import functools

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.ui.kit.process.shared import PUBLIC
from dpviz.ui.quantiles import releases
from tests.pages.driver import healthy, opened, pick
from tests.pages.own_file import with_own
from tests.pages.shared_caches import caches, of_file
from tests.pages.unmistakable import HIGH, LOW, NAME, VALUES

MINE = "\n".join([NAME, *map(str, VALUES[:500])]).encode()


def test_a_file_stays_with_its_visitor_and_a_sample_is_everybodys():
    app = with_own(MINE, LOW, HIGH, truth=True)
    app.switch_page("pages/quantiles.py").run()
    assert "release" in {key[0] for key in app.session_state["_results"]}
    assert "release" not in {key[0] for key in PUBLIC.items()}
    healthy(opened("quantiles"))
    assert {"sample", "column", "release", "true CDF"} <= {key[0] for key in PUBLIC.items()}
    assert len(caches()) > 15
    assert of_file(PUBLIC._kept) == []


def test_a_second_visitor_computes_nothing(monkeypatch):
    first = opened("quantiles", eps="0.37")
    before = set(PUBLIC.items())
    monkeypatch.setattr(Column, "from_values", None)  # whoever computes anew would stumble
    second = opened("quantiles", eps="0.37")
    assert set(PUBLIC.items()) == before
    assert second.markdown[0].value == first.markdown[0].value


class Wishes(list):
    """What was asked for ahead."""

    def ask(self, tasks):
        self[:] = tasks


def test_the_next_stops_of_a_slider_are_worked_out_ahead(monkeypatch):
    """The numbers are those that would have been drawn, and everybody pays for what they see."""
    plain = pick(opened("quantiles", eps="0.2", seed="11"), eps=0.5)
    expected = [one.value for one in plain.markdown[:2]]
    PUBLIC.clear()
    wishes = Wishes()
    monkeypatch.setattr(releases, "AHEAD", wishes)
    app = opened("quantiles", eps="0.2", seed="11")
    assert len(wishes) == 6  # a release, its further draws and its bands, on both sides
    for task in wishes:
        task()
    assert len(app.session_state["_accounts"]["exam"].entries) == 1
    monkeypatch.setattr(ApproximateQuantiles, "release_many", None)
    monkeypatch.setattr(ApproximateQuantiles, "release", None)
    wishes.clear()
    pick(app, eps=0.5)
    assert [one.value for one in app.markdown[:2]] == expected
    assert len(app.session_state["_accounts"]["exam"].entries) == 2


def test_nothing_about_a_file_is_worked_out_ahead(monkeypatch):
    wishes = Wishes()
    monkeypatch.setattr(releases, "AHEAD", wishes)
    app = with_own(MINE, LOW, HIGH, truth=True)
    healthy(app.switch_page("pages/quantiles.py").run())
    assert wishes == []


def test_each_visitor_pays_for_what_is_shared():
    def spent(app) -> list[str]:
        accounts = app.session_state["_accounts"]
        return [str(one.total) for one in accounts.values()]

    assert spent(opened("quantiles", eps="0.37")) == spent(opened("quantiles", eps="0.37")) != []


def test_the_spy_finds_a_shared_result_about_a_file(monkeypatch):  # the wrong twin
    monkeypatch.setattr(type(PUBLIC), "knows", lambda *_: True)
    app = with_own(MINE, LOW, HIGH, truth=True)
    app.switch_page("pages/quantiles.py").run()
    assert of_file(PUBLIC._kept)


def test_the_spy_looks_into_functions_that_remember():  # another one

    @functools.lru_cache
    def remembers(name: str) -> Column:
        return Column.from_values(VALUES[:50], Bounds(LOW, HIGH))

    remembers(NAME)
    assert len(of_file(remembers)) >= 2
