"""Budget in each of its views and states."""

import json

import numpy as np
import pytest

from tests.pages.driver import figures, opened, pick
from tests.pages.own_file import at, with_own
from tests.pages.pictures import pictures
from tests.pages.test_neighbours import problems, said

TANK = {"19 averages in 20", "answers", "average", "last average"}


def page(**link):
    return opened("budget", **link)


def vermilion(app):
    """Whether anything but tanks is drawn as a leak."""
    charts = [chart.figure for chart in pictures(app)]
    return any("#D55E00" in json.dumps(chart["data"]) for chart in charts)


def test_a_thousand_answers_give_the_truth_away():
    app = page()
    average = figures(app)[0]["average"][1][-1]
    assert round(average) == 865
    assert f"1,000 answers give it away: their average is {average:.1f}, the truth is 865." in said(
        app
    )
    assert "the promise of ε = 1 pays for 10" in said(app)
    assert "added up ε = 100" in said(app)
    assert "best account at δ = 10⁻⁶ ε = 19.3" in said(app)
    assert "e^ε" not in said(app)
    assert "total ε, basic (adds up): 100" in said(app)
    assert said(app).count("(adds up)") == 1
    assert set(figures(app)[0]) == TANK
    assert vermilion(app)


def test_ten_answers_are_within_the_promise_and_blue():
    app = pick(page(), b_k=10)
    assert "10 answers: the average is" in said(app)
    assert not vermilion(app)
    pick(app, b_promise=1_000.0, b_k=1_000)
    assert "1,000 answers: the average is" in said(app)  # it rounds to the truth, and is paid for
    assert not vermilion(app)


def test_an_average_that_misses_the_truth_is_no_leak_however_much_it_cost():
    app = page()
    for _ in range(5):
        pick(app, new_draw=True)
        leaks = round(figures(app)[0]["average"][1][-1]) == 865
        assert ("give it away" in said(app)) == leaks
        assert vermilion(app) == leaks


def test_the_first_answers_stay_when_more_are_asked_for():
    app = pick(page(), b_k=5)
    first = figures(app)[0]["answers"][1]
    pick(app, b_k=100)
    np.testing.assert_array_equal(figures(app)[0]["answers"][1][:5], first)
    pick(app, seed=2)
    assert not np.array_equal(figures(app)[0]["answers"][1][:5], first)


def test_only_what_was_asked_for_is_paid():
    app = at(with_own(b"a\n" + b"5\n" * 40, 0, 10, 1, truth=True), "budget")
    assert "ε = 0.1 of 1 promised" in said(app)  # a file begins with one answer
    pick(app, b_k=5)
    assert "ε = 0.5 of 1 promised" in said(app)
    pick(app, b_k=2)
    assert "ε = 0.5 of 1 promised" in said(app)


def test_one_number_is_promised_on_the_page_and_in_every_ledger():
    app = page()
    assert "the promise of ε = 1 pays for 10" in said(app)
    assert "of 1 promised" in said(app)
    pick(app, ledger_promise=2.0)  # in the ledger
    assert "the promise of ε = 2 pays for 20" in said(app)
    assert "of 2 promised" in said(app)
    assert app.get_by_key("b_promise").label == "Promised to everybody (ε)"
    pick(app, b_promise=3.0)  # on the page
    assert "the promise of ε = 3 pays for 30" in said(app)
    assert "of 3 promised" in said(app)
    pick(app, notion="zcdp")
    assert "the promise of ρ = 3" in said(app)
    assert "ρ = 5 of 3 promised" in said(app)
    assert "of 3 promised" in said(at(app, "neighbours"))


def test_its_epsilon_is_its_own_and_it_says_so():
    app = opened("neighbours", eps="2")
    at(app, "budget")
    assert "added up ε = 100" in said(app)
    assert "ε of one answer is this page's own, elsewhere 2" in said(app)
    pick(app, b_eps=0.2)
    assert "added up ε = 200" in said(app)
    assert "at most 7.39 times" in said(at(app, "neighbours"))  # e² stayed


def test_a_quantile_stops_short_of_the_truth():
    app = pick(page(), b_ask="quantile")
    assert "1,000 answers: the average stops at" in said(app)
    assert "no average takes that away" in said(app)
    assert set(figures(app)[0]) == TANK
    pick(app, data_choice="exam")  # steps of a whole mark
    assert "1,000 answers give it away: their average is 59.0, the truth is 59." in said(app)
    assert "rounded to them, averages give it away" in said(app)


def test_the_truth_of_a_quantile_is_the_raw_one():
    app = at(with_own(b"a\n42\n", 0, 100, 1, truth=True), "budget")
    pick(app, b_ask="quantile", b_k=100)
    assert "the truth is 42" in said(app)  # not a value spread over the resolution


@pytest.mark.parametrize("notion", ["zcdp", "approx", "pure"])
def test_every_account_is_a_view(notion):
    app = pick(page(), notion=notion, b_shown="accounts")
    drawn = set(figures(app)[0])
    assert "zCDP, at δ" in drawn
    assert ("exact, at δ" in drawn) == (notion == "approx")
    assert ("optimal, at δ" in drawn) == (notion != "approx")
    assert "total ε, " in said(app)


def test_with_the_truth_off_no_answer_and_no_truth_is_there():
    seen = []
    for content in (b"a\n1\n2\n3\n", b"a\n7\n7\n7\n7\n8\n9\n"):
        app = at(with_own(content, 0, 10, 1, truth=False), "budget")
        shown = [said(app), sorted(figures(app)[0])]
        assert shown[1] == ["19 averages in 20"]
        pick(app, b_k=1_000)
        shown.append(said(app))
        assert "1,000 answers take 100 times what was promised." in said(app)
        pick(app, b_ask="quantile")
        shown.append(said(app))
        assert "basic" in figures(app)[0]
        assert "nothing of 1 promised" in said(app)
        assert "shows true data" not in said(app)
        seen.append(shown)
    assert seen[0] == seen[1]


@pytest.mark.few(2)
@pytest.mark.parametrize("epsilon", [1e-6, 1e4])
@pytest.mark.parametrize("kind", ["count", "quantile"])
def test_extreme_budgets(epsilon, kind):
    app = pick(page(b_eps=f"{epsilon:g}"), b_ask=kind)
    for view in ("tank", "accounts"):
        pick(app, b_shown=view)
        assert problems(app) == []
        for chart in figures(app):
            assert all(np.isfinite(np.asarray(y, dtype=float)).all() for _, y in chart.values())


@pytest.mark.few(1)
@pytest.mark.parametrize("content", [b"a\n5\n", b"a\n10\n10\n10\n", b"a\n0\n0\n"])
@pytest.mark.parametrize("resolution", [0, 1])
def test_tiny_columns_run(content, resolution):
    app = at(with_own(content, 0, 10, resolution, truth=True), "budget")
    for kind in ("quantile", "count"):
        pick(app, b_ask=kind)
        assert problems(app) == []
        assert set(figures(app)[0]) == TANK


def test_an_uploads_noise_is_its_own_but_stays():
    content = b"a\n" + b"".join(b"%d\n" % value for value in range(1, 60))

    def answers():
        app = at(with_own(content, 0, 60, truth=True), "budget")
        pick(app, b_k=20)
        first = figures(app)[0]["answers"][1]
        at(at(app, "audit"), "budget")
        np.testing.assert_array_equal(figures(app)[0]["answers"][1], first)
        return first

    assert not np.array_equal(answers(), answers())  # the salt
