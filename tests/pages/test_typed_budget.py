"""An ε of one's own on a sample: its release is drawn, the rest is read between the stops."""

import math
import re
from typing import Any

import numpy as np
import pytest

from dpviz.core.errors import InvalidBudget
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.ui.kit.process.shared import PUBLIC
from dpviz.ui.quantiles import releases
from tests.pages.columns import charts, entered, published, with_column, words
from tests.pages.driver import alts, healthy, pick, table

NOTE = "200 draws of ε = 1 and 2"


def typed(epsilon: float, **link: str) -> Any:
    return pick(entered(method="AQ", eps="1", **link), eps_exact=epsilon)


def notes(app: Any) -> str:
    return " ".join(one["text"] for one in charts(app)[0]["layout"]["annotations"])


def test_between_two_stops_the_page_says_about():
    app = typed(1.4)
    assert NOTE in notes(app)
    assert re.search(r"give or take \W*about \d", words(app))
    assert any("read between the stops" in one.value for one in app.caption)


def test_a_room_reads_it_in_two_words():
    assert "200 draws, about" in notes(entered(method="AQ", eps="1.4", present="1"))


@pytest.mark.few(2)
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 12.0, 0.004])
def test_at_a_stop_and_beyond_the_ends_nothing_is_about(epsilon):
    app = typed(epsilon)
    assert "200 other draws" in notes(app)
    assert NOTE not in notes(app)
    assert not any("read between the stops" in one.value for one in app.caption)


def test_without_the_truth_all_comes_from_the_release():
    app = pick(typed(1.4), truth=False)
    assert alts(app)
    assert "draws of" not in notes(app)
    assert not any("read between the stops" in one.value for one in app.caption)


def test_what_was_drawn_for_a_file_is_its_own():
    rng = np.random.default_rng(1)
    marks = np.clip(rng.normal(58, 15, 400), 0, 100).round()
    app = with_column(("a\n" + "\n".join(map(str, marks))).encode(), 0, 100, 1, bands=True)
    pick(app, eps_exact=1.4, bands=True)
    assert "50 other draws" in notes(app)


def test_the_release_itself_is_drawn_for_its_own_budget(monkeypatch: pytest.MonkeyPatch):
    shown = table(typed(1.4))["ApproximateQuantiles"].tolist()
    PUBLIC.clear()
    monkeypatch.setattr("dpviz.ui.quantiles.shown.between", lambda *_: None)
    app = typed(1.4)
    assert NOTE not in notes(app)
    assert table(app)["ApproximateQuantiles"].tolist() == shown
    assert published(app).tolist() == published(typed(1.4)).tolist()


def test_budgets_of_zcdp_lie_between_their_own_stops():
    app = entered(method="AQ", notion="zcdp", rho="1")
    assert "200 draws of ρ = 0.2 and 0.5" in notes(pick(app, rho_exact=0.3))


def give_or_take(app: Any) -> float:
    found = re.search(r"give or take \W*(?:about )?([\d.]+) mark", words(app))
    assert found is not None
    return float(found[1])


@pytest.mark.parametrize("method", ["AQ", "AggTree"])
def test_the_width_on_screen_is_mixed_of_those_at_both_stops(method: str):
    """By 1/ε, and in whole marks where those at the stops are."""
    low, high = (give_or_take(entered(method=method, eps=stop)) for stop in ("0.05", "0.1"))
    share = (1 / 0.05 - 1 / 0.07) / (1 / 0.05 - 1 / 0.1)
    mean = (1 - share) * low + share * high
    expected = math.ceil(mean - 1e-9) if low == int(low) and high == int(high) else mean
    assert low > high
    shown = give_or_take(pick(entered(method=method, eps="0.05"), eps_exact=0.07))
    assert shown == pytest.approx(expected, abs=0.6 if expected == mean else 0)


def test_what_has_no_widths_says_nothing_of_them():
    """Where most of a release at the lower stop is noise."""
    app = pick(entered(method="AQ", eps="1"), eps_exact=0.011)
    assert "200 draws of ε = 0.01 and 0.02" in notes(app)
    assert "give or take" not in words(app)
    app = healthy(app.button(key="check_ranks").click().run())
    assert any("sampling speaks" in one.value for one in app.caption)
    assert not any("read between the stops" in one.value for one in app.caption)


def test_a_stop_that_is_refused_refuses_nothing(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: Any) -> bool:
        raise InvalidBudget("too little at this stop")

    monkeypatch.setattr("dpviz.ui.quantiles.shown.is_quick", refuse)
    app = typed(1.4)
    assert "200 other draws" in notes(app)
    assert not app.error
    assert "about" not in words(app).split("give or take")[1][:12]


@pytest.mark.parametrize("mechanism", [ApproximateQuantiles, AggTree])
def test_a_second_budget_between_the_same_stops_draws_one_release(
    mechanism: type, monkeypatch: pytest.MonkeyPatch
):
    app = entered(method=mechanism.__name__.replace("ApproximateQuantiles", "AQ"), eps="1")
    pick(app, eps_exact=1.4)
    runs: list[int] = []
    widths: list[object] = []
    many, likely = mechanism.release_many, releases.likely_errors

    def release_many(self: Any, column: Any, asked: Any, budget: Any, rng: Any, count: int) -> Any:
        runs.append(count)
        return many(self, column, asked, budget, rng, count)

    monkeypatch.setattr(mechanism, "release_many", release_many)
    monkeypatch.setattr(releases, "likely_errors", lambda *a: widths.append(a) or likely(*a))
    healthy(pick(app, eps_exact=1.7))
    assert sum(runs) <= 1
    assert widths == []
    assert NOTE in notes(app)
