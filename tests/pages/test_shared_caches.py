"""Samples are everybody's and files nobody's but their visitor's; the spy finds what leaks.

The walk through all pages with a file is in test_release_view.py and ends with the same spy.
"""

from __future__ import annotations

import functools

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.ui.kit.process.shared import PUBLIC
from tests.pages.driver import healthy, opened, pick, with_file
from tests.pages.shared_caches import caches, everywhere, of_file
from tests.pages.unmistakable import HIGH, LOW, NAME, VALUES

MINE = "\n".join([NAME, *map(str, VALUES[:500])]).encode()


def test_a_file_stays_with_its_visitor_and_a_sample_is_everybodys():
    app = with_file("mine.csv", MINE, LOW, HIGH)
    app.switch_page("pages/quantiles.py").run()
    assert "release" in {key[0] for key in app.session_state["_results"]}
    assert "release" not in {key[0] for key in PUBLIC.items()}
    assert len(caches()) > 15
    assert everywhere() == {}
    healthy(opened("quantiles"))
    assert {"sample", "column", "release", "true CDF"} <= {key[0] for key in PUBLIC.items()}
    assert everywhere() == {}


def test_a_second_visitor_computes_nothing(monkeypatch):
    first = opened("quantiles", eps="0.37")
    before = set(PUBLIC.items())
    monkeypatch.setattr(Column, "from_values", None)  # whoever computes anew would stumble
    second = opened("quantiles", eps="0.37")
    assert set(PUBLIC.items()) == before
    assert second.markdown[0].value == first.markdown[0].value


def test_each_visitor_pays_for_what_is_shared():
    def spent(app) -> list[str]:
        accounts = app.session_state["_accounts"]
        return [str(one.total) for one in accounts.values()]

    assert spent(opened("quantiles", eps="0.37")) == spent(opened("quantiles", eps="0.37")) != []


def test_the_spy_finds_a_shared_result_about_a_file(monkeypatch):  # the wrong twin
    monkeypatch.setattr(type(PUBLIC), "knows", lambda *_: True)
    app = with_file("mine.csv", MINE, LOW, HIGH)
    pick(app, truth=True)
    app.switch_page("pages/quantiles.py").run()
    assert "OrderedDict" in everywhere()


def test_the_spy_looks_into_functions_that_remember():  # another one

    @functools.lru_cache
    def remembers(name: str) -> Column:
        return Column.from_values(VALUES[:50], Bounds(LOW, HIGH))

    remembers(NAME)
    assert len(of_file(remembers)) >= 2
