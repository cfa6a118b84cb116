"""The Quantiles page in each of its states: views, truth off, files, bad input, odd columns."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st

from dpviz.core.budgets import PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import DECILES
from dpviz.core.scalars.rank_check import RankCheck
from dpviz.experiments.planning.recommend import recommended
from dpviz.intake.samples import sample_column
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.republish import likely_errors
from dpviz.ui.pages.quantiles import VIEWS as ROWS
from dpviz.ui.quantiles import compare
from tests.pages import driver
from tests.pages.columns import (
    charts,
    click,
    entered,
    has,
    headline,
    published,
    traces,
    with_column,
    words,
)
from tests.pages.driver import ALL, healthy, held, opened, pick, table
from tests.pages.own_file import at
from tests.pages.pictures import pictures

VIEWS = [view.name for view in ROWS]
MARKS = b"a\n" + b"".join(b"%d\n" % (value % 90) for value in range(400))


def problems(app):
    return [box.value.replace("\\", "") for box in app.error]


def test_it_opens_on_nine_deciles_by_one_method():
    app = entered()
    assert re.fullmatch(
        r"The median is published as :blue\[\d+\]; the truth is \*\*59\*\*\.", headline(app)
    )
    assert traces(app) == [
        "ground", "bands", "true CDF", "errors", "truth", "published",
        "other draws", "errors", "published",
    ]  # fmt: skip
    assert published(app).size == 9
    assert app.get_by_key("eps").value == 0.1
    assert "Nine deciles are off by" in words(app)
    assert "in students" in words(app)


def test_the_table_says_what_the_picture_draws():
    app = entered(method="AQ")
    frame = table(app)
    np.testing.assert_array_equal(frame["ApproximateQuantiles"], published(app))
    errors = frame["ApproximateQuantiles"] - frame["true"]
    reach = charts(app)[0]["layout"]["xaxis2"]["range"][1]
    np.testing.assert_allclose(published(app, "x2"), errors.clip(-reach, reach))


@pytest.mark.few(6)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("notion", ["pure", "approx", "zcdp"])
def test_every_view_in_every_notion(view, notion):
    app = entered(view=view, notion=notion, mechanisms=["AQ", "AggTree"])
    assert len(charts(app)) == 1
    assert problems(app) == []
    assert re.search(r"\d", headline(app) + words(app))


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "key", ["ages", "uniform", "hours", "salaries", "ratings", "waiting", "towns"]
)
@pytest.mark.parametrize("truth", ["true", "false"])
def test_every_sample_set(key, truth):
    app = entered(data=key, truth=truth)
    assert problems(app) == []
    assert published(app).size == 9


@pytest.mark.few(6)
@pytest.mark.parametrize(
    "agent",
    ["phone", *(pytest.param(one, marks=pytest.mark.thorough) for one in ("narrow", "low"))],
)
@pytest.mark.parametrize("truth", ["true", "false"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_on_every_screen(view, truth, agent, monkeypatch):
    monkeypatch.setattr("dpviz.ui.visit.screen.room", lambda: agent)
    app = entered(view=view, truth=truth, mechanisms=["AQ", "AggTree"], present="0")
    assert problems(app) == []
    two = agent == "phone" and view == "picture" and truth == "true"
    assert len(charts(app)) == (2 if two else 1)
    assert (
        problems(entered(view=view, truth=truth, present="1", mechanisms=["AQ", "AggTree"])) == []
    )


# toggling the truth


@pytest.mark.few(2)
@pytest.mark.parametrize("link", [{}, {"method": "AggTree"}, {"set": "percentiles"}, {"eps": "2"}])
def test_toggling_the_truth_never_changes_a_published_number(link):
    app = entered(**link)
    before = published(app), table(app).drop(columns=["true"]).filter(regex="^(?!.*gap)")
    pick(app, truth=False)
    np.testing.assert_array_equal(published(app), before[0])
    assert table(app).equals(before[1])
    click(app, "reveal")
    np.testing.assert_array_equal(published(app), before[0])


@pytest.mark.parametrize("view", VIEWS)
def test_with_the_truth_off_nothing_of_the_data_is_on_screen(view):
    app = entered(view=view, truth="false")
    shown = words(app) + str([one["layout"] for one in charts(app)])
    assert not {"true CDF", "truth", "other draws", "densities", "ground", "errors"} & set(
        traces(app)
    )
    for hidden in (
        "6,000 students",
        "the truth is",
        "misses on average",
        "misses by",
        "in theory",
        "Mean gap",
    ):
        assert hidden not in shown, hidden
    assert not has(app, "eps")  # the slider is gone: another release is asked for
    assert has(app, "publish")
    assert not app.get("badge")


def test_what_an_outsider_gets():
    app = entered(truth="false", method="AQ")
    assert re.fullmatch(
        r"Half of the students have at most :blue\[\d+\] marks, give or take \d+\.", headline(app)
    )
    card = words(app)
    (strip,) = [one.value for one in app.markdown if "records on screen" in one.value]
    assert re.findall(r"\*\*(.*?)\*\*", strip.replace("\\", "")) == [
        "only what may be published", "0", "ε = 0.1",
    ]  # fmt: skip
    for said in (
        "nine deciles of exam marks",
        "no release is more than 1.11 times as likely",
        "one student joins or leaves",
        "about 6,000 sat the exam: known from the timetable, not from the data",
        "recursive halving in four steps",
        "marks 0 to 100, in steps of 1",
        "about 19 in 20 within",
        "ε = 0.1, for good",
        "a seed, so that anybody can repeat it: to learn from, it protects nobody",
    ):
        assert said in card, said
    assert "bands" in traces(app)


def test_bands_need_a_public_size_and_follow_it():
    known = with_column(MARKS, 0, 90, 1, truth=False, own1_0_size=400.0, eps=1.0)
    assert "bands" in traces(known)
    assert "secure bits under a secret key (AES-256); exact in the program" in words(known)
    unknown = with_column(MARKS, 0, 90, 1, truth=False, eps=1.0)
    assert "bands" not in traces(unknown)
    assert "give or take" not in headline(unknown)
    assert "with a public number of people" in words(unknown)
    assert "bands" not in traces(entered(truth="false", eps="0.01"))  # mostly noise


def test_another_release_is_staged_and_spent_on_demand():
    app = entered(truth="false")
    before = published(app)
    pick(app, again_eps=1.0)
    np.testing.assert_array_equal(published(app), before)
    click(app, "publish")
    assert (published(app) != before).any()
    assert app.query_params["eps"] == "1"
    assert app.query_params["seed"] == "2"


def test_a_comparison_with_the_truth_off_says_that_it_is_confidential():
    app = entered(view="compare", truth="false")
    assert "it is confidential, like every error" in words(app)
    assert published(app).size == 9


# methods


def test_the_best_of_the_compared_methods_is_named():
    app = entered(view="compare", eps="0.05", mechanisms=["AQ", "AppIndExp"])
    assert "Recursive halving" in headline(app)
    assert "comes closest" in headline(app)
    assert "One by one misses by" in words(app)
    heads = [note["text"] for note in charts(app)[0]["layout"]["annotations"]]
    assert "Recursive halving" in heads[0]
    assert table(app).columns[2::2].tolist() == ["ApproximateQuantiles", "IndependentExp"]
    turned = entered(view="compare", eps="0.05", mechanisms=["AppIndExp", "AggTree"])
    assert table(turned).columns[2::2].tolist() == ["AggTree", "IndependentExp"]  # best first


def test_a_click_on_a_panel_makes_its_method_the_pages(monkeypatch):
    clicked = SimpleNamespace(picked={"points": [{"customdata": "AggTree"}]})
    kept = {compare.HERO: clicked}
    monkeypatch.setattr(st, "session_state", kept)
    compare.open_clicked()
    assert kept["_visit"] == {"q_method": "AggTree", "view_quantiles": "picture"}


def test_the_methods_stand_in_the_link():
    app = pick(entered(), method="JointExp")
    assert app.query_params["method"] in (["JointExp"], "JointExp")
    pick(app, q_view="compare")
    pick(app, mechanisms=["ApproximateQuantiles", "AggTree"])
    assert list(app.query_params["mechanisms"]) == ["AQ", "AggTree"]
    assert app.query_params["view"] in ("compare", ["compare"])


@pytest.mark.parametrize("view", VIEWS)
def test_quantiles_in_any_order_and_twice_are_shown_in_theirs(view):
    """Asked for in another order first: what a page works out, others share."""
    seen = []
    for own in ("0.93, 0.53, 0.13, 0.53", "0.13, 0.53, 0.93"):
        app = entered(view=view, set="own list", own=own)
        seen.append((headline(app), [one.figure for one in pictures(app)]))
    assert seen[0] == seen[1]
    healthy(entered(view=view, set="own list", own="0.5, 0.500001, 0.5000000000000001"))


def test_what_fails_below_a_headline_is_said_there(monkeypatch):
    def fails(*_):
        raise InvalidParameter("This *cannot* be drawn.")

    monkeypatch.setattr(compare, "below", fails)
    app = entered(view="compare")
    assert "comes closest" in headline(app)
    assert problems(app) == ["This *cannot* be drawn."]
    assert charts(app)


def test_no_compared_method_changes_nothing():
    app = pick(entered(view="compare", mechanisms=["AQ", "AggTree"]), mechanisms=[])
    assert len(charts(app)) == 1
    assert len([name for name in traces(app) if name == "published"]) == 2


# the recursion


def test_a_node_tells_its_numbers():
    app = entered(view="recursion")
    assert "each step may spend :blue[ε/4], not ε/9" in headline(app)
    assert "one step ε = 0.025" in words(app).replace("*", "")
    pick(app, q_node=4)
    said = words(app).replace("*", "")
    assert "step 1, the 50 % point" in said
    assert "in this part 6,000 students" in said
    assert "η 0.025" in said
    off = entered(view="recursion", truth="false")
    pick(off, q_node=4)
    assert "in this part" not in words(off)


def test_the_recursion_shows_halving_whatever_the_pages_method_is():
    app = entered(view="recursion", method="AggTree")
    assert "densities" in traces(app)


# the made-up column


@pytest.mark.parametrize("points", ["1", "10", "100000"])
def test_a_made_up_column_of_any_size(points):
    app = entered(view="column", points=points)
    assert f"{int(points):,}" in headline(app)
    assert "made-up" in traces(app)
    assert has(app, "offer_synthetic.csv")


def test_a_noisy_count_is_bought_where_no_size_is_declared():
    app = entered(view="column", eps="1")
    app.session_state["_visit"] = {**app.session_state["_visit"], "points": None}
    healthy(app.run())
    assert "a tenth of the budget" in words(app)
    assert app.query_params["points"] in ("none", ["none"])
    assert "a tenth of the budget" in words(entered(view="column", eps="1", points="none"))


# files, bad input, odd columns


def test_a_file_starts_with_the_truth_off_and_hills_are_asked_for():
    app = with_column(MARKS, 0, 90, 1)
    assert "other draws" not in traces(app)
    pick(app, bands=True)
    assert app.get_by_key("runs").value == 50  # each one costs; a sample shows 200
    pick(app, runs=20)
    assert "other draws" in traces(app)


def test_a_column_without_bounds_says_what_is_missing():
    app = with_column(MARKS, None, None)
    assert headline(app) == "The column needs its bounds."
    assert charts(app) == []
    assert has(app, "own1_0_low")


BAD = [
    ({"own": "0.5, x"}, "'x' is not a number"),
    ({"own": "0, 1"}, "strictly between 0 and 1; 2 of 2 do not"),
    ({"own": ""}, "quantile set is empty"),
]


@pytest.mark.parametrize(("values", "message"), BAD)
def test_bad_quantiles_are_named_and_the_page_stays(values, message):
    app = pick(entered(set="own list"), **values)
    (found,) = problems(app)
    assert message in found
    assert charts(app) == []
    assert headline(app) == "These are no quantiles."
    for key in ("notion", "set", "seed", "rounded", "data_choice", "truth"):
        assert has(app, key)
    pick(app, set="deciles")
    assert problems(app) == []
    assert published(app).size == 9


REFUSED = [
    ({"fanout": 4096, "height": 5}, "leaves"),
    ({"noise": "gaussian"}, "AggTree"),
    ({"root": "public"}, "replace"),
    ({"neighbours": "replace-one", "root": "public"}, "has to be declared"),
    ({"notion": "approx", "noise": "laplace"}, "AggTree"),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(("values", "message"), REFUSED)
def test_a_method_that_refuses_leaves_the_others(values, message):
    app = pick(entered(view="compare", mechanisms=["AQ", "AggTree"]), **values)
    (found,) = problems(app)
    assert found.startswith("AggTree")
    assert message in found
    assert traces(app).count("published") == 1


def test_bounds_out_of_order_and_a_coarse_resolution():
    app = pick(entered(), exam_low=10.0, exam_high=3.0)
    assert "lower bound must be below the upper one" in problems(app)[0]
    assert charts(app) == []
    pick(app, exam_high=100.0)
    assert problems(app) == []
    assert "coarser than the bounds" in problems(pick(app, exam_resolution=500.0))[0]


@pytest.mark.few(1)
@pytest.mark.parametrize("content", [b"a\n7\n7\n7\n7\n", b"a\n5\n", b"a\n-1\n99\n"])
def test_tiny_columns_run_everywhere(content):
    app = with_column(content, 0, 10, drop_unreadable=True)
    for ties in ("spread", "keep"):
        pick(app, q_view="picture")
        pick(app, bands=True, ties=ties)
        truth = True
        for view in VIEWS:
            for change in ({"q_view": view}, {"truth": not truth}):  # each view with it and without
                truth = change.get("truth", truth)
                pick(app, **change)
                found = problems(app)
                if not truth and ties == "keep":
                    found = [one for one in found if "not drawn for your own file" not in one]
                assert found == [], (view, truth)


@pytest.mark.few(3)
@pytest.mark.parametrize("view", VIEWS)
def test_a_column_without_a_number_is_released_like_any_other(view):
    app = with_column(b"a,b\nx,1\ny,2\n", 0, 10, 1, truth=False)
    pick(app, q_view=view)
    assert problems(app) == []
    assert len(charts(app)) == 1


def test_five_hundred_quantiles():
    app = entered(set="m uniform", m="500", eps="5")
    assert published(app).size == 500
    (refused,) = problems(
        entered(view="compare", set="m uniform", m="500", mechanisms=["AQ", "JointExp"])
    )
    assert refused.startswith("JointExp")


def test_repeated_quantiles_in_any_order():
    app = entered(set="own list", own="0.9, 0.25, 0.25, 1%")
    np.testing.assert_array_equal(np.sort(published(app)), published(app))
    assert published(app).size == 3
    assert table(app)["quantile"].tolist() == [0.9, 0.25, 0.25, 0.01]
    assert problems(entered(set="own list", own="0.9, 0.25, 0.25, 1%", truth="false")) == []


def test_changed_settings_show_as_chips():
    app = entered(ties="keep", rounded="false", notion="zcdp")
    said = words(app)
    assert "ties: keep" in said
    assert "not rounded" in said


def test_ranks_are_checked_for_a_part_of_the_budget_and_paid_once():
    app = healthy(driver.opened("quantiles", method="AQ"))
    button = app.button(key="check_ranks")
    assert button.label == "Check the ranks, for ε = 0.1"
    healthy(button.click().run())
    entries = app.session_state["_accounts"]["exam"].entries
    assert [one.what for one in entries] == ["AQ", "checked ranks"]
    assert entries[-1].budget.epsilon == pytest.approx(0.1)
    assert "of 20 such intervals hold the true error" in driver.text(app)
    assert app.button(key="check_ranks").disabled
    healthy(app.run())
    assert len(app.session_state["_accounts"]["exam"].entries) == 2
    pick(app, seed=9)  # another draw is another release
    assert "such intervals hold" not in driver.text(app)


def test_ranks_of_a_file_are_checked_without_the_truth():
    lines = b"a\n" + b"".join(b"%d\n" % (n % 90) for n in range(500))
    app = driver.declare(driver.uploaded("marks.csv", lines, truth=False), 0, 90, 1)
    healthy(at(app, "quantiles"))
    assert not app.session_state["_visit"].get("truth_own")
    healthy(app.button(key="check_ranks").click().run())
    entries = app.session_state["_accounts"]["upload"].entries
    assert [one.what for one in entries] == ["AQ", "checked ranks"]
    (check,) = [one for one in held(app).values() if isinstance(one, RankCheck)]
    assert check.randomness == "secure"


def shape_in_grey(app):
    fields = [app.get_by_key(key) for key in ("fanout", "height", "bins")]
    assert all(field.value is None for field in fields)
    return [field.placeholder for field in fields]


COUNTING = {"view": "compare", "mechanisms": ["AggTree", "square root"]}


def test_a_shape_that_is_left_open_stands_in_grey():
    ages = opened("quantiles", data="ages", **COUNTING)
    assert shape_in_grey(ages) == ["auto: 8", "auto: 3", "auto: 240"]
    assert shape_in_grey(pick(ages, notion="zcdp")) == ["auto: 2", "auto: 8", "auto: 240"]
    healthy(pick(ages, fanout=16))
    assert ages.get_by_key("height").placeholder == "auto: 2"
    pick(ages, q_view="picture")
    assert "fanout 16" in words(pick(ages, method="AggTree"))
    smooth = opened("quantiles", data="uniform", notion="zcdp", **COUNTING)
    pick(smooth, notion="pure")
    assert shape_in_grey(smooth) == ["auto: 8", "auto: 4", "auto: 4,096"]
    whole = pick(smooth, height=20)
    assert any("leaves" in one for one in problems(whole))


@pytest.mark.parametrize("truth", [True, False])
def test_numbers_that_tell_nothing_are_said_to(truth):
    windows = {"method": "SliceQuantiles", "notion": "approx", "eps": "1"}
    app = entered(set="percentiles", truth="true" if truth else "false", **windows)
    assert "These numbers tell nothing of the column" in words(app)
    few = entered(set="own list", own="0.5", truth="true" if truth else "false", **windows)
    assert "tell nothing" not in words(few)


def test_the_page_starts_with_the_method_that_is_recommended_and_says_why():
    app = healthy(driver.opened("quantiles"))
    found = recommended(9, 6_000, PureDP(0.1), 101)
    assert methods_of(app) == [found.method]
    told = " ".join(one.value.replace("\\", "") for one in app.caption)
    assert "For 9 quantiles of about 6,000 students, 101 possible values at ε = 0.1:" in told
    assert f"errs {found.times:.1f} times as much." in told
    pick(app, eps=0.5)  # the budget alone moves no method
    assert methods_of(app) == [found.method]
    pick(app, set="quartiles")
    assert methods_of(app) == [recommended(3, 6_000, PureDP(0.5), 101).method]
    pick(app, notion="zcdp")  # of ρ no factor is stored
    told = " ".join(one.value.replace("\\", "") for one in app.caption)
    assert "times as much" not in told.split("possible values")[1]
    pick(app, notion="pure", data_choice="salaries")
    pick(app, set="deciles")
    assert methods_of(app) == [recommended(9, 15_000, PureDP(0.5), 5_001).method]
    pick(app, method="AggTree")
    pick(app, set="quartiles")
    assert methods_of(app) == ["AggTree"]  # chosen by hand, it stays


def methods_of(app):
    return [name for name in table(app).columns if name in ALL]


@pytest.mark.parametrize(
    "link",
    [
        {"exam_resolution": "5e-324"},
        {"exam_low": "-1e308", "exam_high": "1e308", "exam_resolution": "1"},
        {"exam_size": "1e300"},
        {"exam_size": "0"},
        {"set": "own list", "own": " "},
    ],
)
def test_no_declaration_of_a_link_stops_the_recommendation(link):
    assert not entered(**link).exception


@pytest.mark.parametrize("truth", [True, False])
def test_the_median_has_one_give_or_take_with_the_truth_and_without(truth):
    """That of the median, redrawn here with eight other seeds; the ends are twice as wide."""
    app = entered(truth=str(truth).lower(), method="AQ")
    said = words(app) if truth else headline(app)
    told = float(re.search(r"give or take \**(\d+)", said).group(1))
    values = published(app) if not truth else table(app)["ApproximateQuantiles"].to_numpy()
    mechanism = ApproximateQuantiles(round_to_grid=True)
    column = sample_column("exam")
    like = mechanism.release(column, DECILES, PureDP(0.1), np.random.default_rng(1))
    release = replace(like, values=np.asarray(values, dtype=float))
    widths = np.array([
        likely_errors(mechanism, release, 6_000, np.random.default_rng(run)) for run in range(8)
    ])  # fmt: skip
    assert widths[:, 4].min() <= told <= widths[:, 4].max()
    assert not widths[:, 0].min() <= told <= widths[:, 0].max()
