"""Looking spends nothing: a file's draw waits for a button that says what it costs."""

import re

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES
from dpviz.core.trees.release import TreeRelease
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.experiments.planning.stand_ins import STAND_IN_SEED, stand_in
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.quantiles import gaps
from tests.pages.columns import with_column
from tests.pages.driver import alts, figures, healthy, opened, pick, text
from tests.pages.maps import with_points
from tests.pages.own_file import at

FILE = b"a\n" + b"".join(b"%d\n" % (3 * one % 91) for one in range(400))
POINTS = b"a,b\n" + b"".join(b"%d,%d\n" % (one % 10, one * 7 % 10) for one in range(300))
BOX = ((0.0, 10.0), (0.0, 10.0))


def unasked(page, *, truth, content=FILE, points=POINTS, **visit):
    """A page on a file of which nobody has asked for a draw."""
    if page == "map":
        app = with_points(points, box=BOX, truth=truth)
    else:
        app = with_column(content, 0, 90, 1, truth=truth)
    app.session_state["_draws_always"] = False
    app.session_state["_accounts"] = {}
    app.session_state["_results"].clear()
    app.session_state["_visit"] |= visit
    return at(app, page)


def entries(app):
    accounts = app.session_state["_accounts"]
    return [one for kept in accounts.values() for one in kept.entries if not one.simulated]


def waiting(app):
    return [one for one in app.button if one.key == "draw_now"]


def said(app):
    return app.title[0].value.replace("\\", "")


SHOWN = {"trees": TreeRelease, "map": SpatialEstimate}
PAGES = [("quantiles", "0.1"), ("trees", "0.1"), ("map", "0.5")]


@pytest.mark.few(3)
@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize(("page", "size"), PAGES)
def test_opening_a_page_spends_nothing_until_a_button_that_says_its_price(page, size, truth):
    app = unasked(page, truth=truth)
    assert entries(app) == []
    assert said(app) == f"Nothing is drawn yet: this draw spends :blue[ε = {size}]."
    (button,) = waiting(app)
    assert button.label == f"Draw, ε = {size}"
    healthy(button.click().run())
    (paid,) = entries(app)
    assert str(paid.budget) == f"ε = {size}"
    assert not waiting(app)
    assert figures(app)
    at(app, "data")
    at(app, page)
    assert len(entries(app)) == 1
    assert not waiting(app)


def test_other_settings_wait_again_and_what_was_drawn_comes_back():
    app = unasked("quantiles", truth=True)
    healthy(waiting(app)[0].click().run())
    first = figures(app)
    pick(app, eps=0.2)
    assert [one.label for one in waiting(app)] == ["Draw, ε = 0.2"]
    assert len(entries(app)) == 1
    pick(app, eps=0.1)
    assert not waiting(app)
    np.testing.assert_array_equal(figures(app)[0]["published"][0], first[0]["published"][0])
    assert len(entries(app)) == 1


def test_a_press_asks_for_what_its_button_named_and_for_nothing_else():
    app = unasked("quantiles", truth=True)
    app.session_state["_visit"]["eps"] = 5.0  # moved while the press was under way
    healthy(waiting(app)[0].click().run())
    assert entries(app) == []
    assert [one.label for one in waiting(app)] == ["Draw, ε = 5"]


def test_methods_that_are_compared_are_one_press_and_their_sum():
    app = unasked("quantiles", truth=True, view_quantiles="compare")
    (button,) = waiting(app)
    assert button.label == "Draw, ε = 0.4"
    assert said(app) == "Nothing is drawn yet: these draws spend :blue[ε = 0.4]."
    alone = {}
    for name in ("ApproximateQuantiles", "AggTree"):
        one = unasked("quantiles", truth=True, own1_0_size=5_000.0, q_method=name)
        alone[name] = float(text(one).split("off by at most ")[1].split(" %")[0])
    together = unasked("quantiles", truth=True, own1_0_size=5_000.0, view_quantiles="compare")
    sizes = re.findall(r"± ([\d.]+) % of the places", alts(together)[0])
    rows = {"halving": float(sizes[0]), "tree": float(sizes[3])}
    assert rows == {"halving": alone["ApproximateQuantiles"], "tree": alone["AggTree"]}
    healthy(button.click().run())
    assert len(entries(app)) == 4
    assert not waiting(app)


def test_a_new_draw_waits_and_another_release_is_asked_for_with_its_price():
    app = unasked("quantiles", truth=True)
    healthy(app.button(key="new_draw").click().run())
    assert entries(app) == []  # its label names no price
    (button,) = waiting(app)
    healthy(button.click().run())
    assert len(entries(app)) == 1
    assert not waiting(app)
    pick(app, truth=False)
    assert len(entries(app)) == 1
    healthy(app.button(key="publish").click().run())
    assert len(entries(app)) == 2
    assert not waiting(app)


def test_a_visitor_may_let_every_change_draw_until_another_file_comes():
    app = unasked("quantiles", truth=True)
    pick(app, draws_always=True)
    assert not waiting(app)
    pick(app, eps=0.2)
    assert len(entries(app)) == 2
    at(app, "data")
    app.file_uploader(key="file").upload("b.csv", b"a\n1\n2\n3\n", "text/csv")
    healthy(app.run())
    number = app.session_state["_upload"].number
    app.session_state["_visit"] |= {f"own{number}_0_low": 0.0, f"own{number}_0_high": 9.0}
    at(app, "quantiles")
    assert len(waiting(app)) == 1
    assert len(entries(app)) == 2


@pytest.mark.parametrize("page", ["quantiles", "trees", "map"])
def test_samples_are_never_asked_for(page):
    assert not waiting(opened(page))


@pytest.mark.parametrize(("page", "_"), PAGES)
def test_the_frame_is_the_same_whatever_is_in_the_file(page, _):
    others = [(b"a\n1\n", b"a,b\n1,1\n"), (FILE, POINTS), (b"a\n90\n90\n", b"a,b\n9,9\n9,9\n")]
    seen = [
        text(unasked(page, truth=False, content=one, points=two, own1_0_size=5_000.0))
        for one, two in others
    ]
    assert seen[0] == seen[1] == seen[2]
    assert "Nothing is drawn yet" in seen[0]


def up_to_two_digits(number):
    return float(f"{number * 1.0000000001:.2g}"), float(f"{number:.2g}")


def test_the_error_to_expect_of_quantiles_is_that_of_runs_on_made_up_people():
    chosen = {"own1_0_size": 5_000.0, "q_method": "ApproximateQuantiles"}
    app = unasked("quantiles", truth=False, **chosen)
    people = stand_in("uniform", 5_000, np.random.default_rng(STAND_IN_SEED), Bounds(0, 90), 1.0)
    assert isinstance(people, Column)
    mechanism, missed = ApproximateQuantiles(round_to_grid=True), []
    for run in range(200):  # other random numbers, one run after the other
        values = mechanism.release(people, DECILES, PureDP(0.1), np.random.default_rng([9, run]))
        missed.append(gaps(people, DECILES, values.values) / 50)  # per cent
    worst = np.quantile(missed, 0.95, axis=0).max()
    told = float(text(app).split("off by at most ")[1].split(" %")[0])
    assert told == pytest.approx(worst, rel=0.25)
    assert told != pytest.approx(worst / 2, rel=0.25)
    assert "If there are about 5,000 people" in text(app)
    assert "± " in alts(app)[0]


def test_without_a_number_of_people_it_says_what_is_missing():
    app = unasked("quantiles", truth=False)
    assert "Say under Data about how many people there are" in text(app)
    assert len(waiting(app)) == 1


@pytest.mark.parametrize("page", ["trees", "map"])
def test_the_error_to_expect_of_counts_is_that_of_their_noise(page):
    app = unasked(page, truth=False)
    told = float(text(app).split("off by at most ")[1].split(" ")[0].replace(",", ""))
    healthy(waiting(app)[0].click().run())
    (shown,) = [
        one for one in app.session_state["_results"].values() if isinstance(one, SHOWN[page])
    ]
    levels = shown.levels
    if page == "trees":  # trees are read by least squares: by dense algebra
        variance = slow_leaf_variance(levels)
    else:
        variance = float(np.median(levels.node_variances(len(levels.counts) - 1)))
    exact = 1.96 * np.sqrt(variance)
    assert exact <= told * (1 + 1e-9)
    assert told < 1.11 * exact


def slow_leaf_variance(levels):
    """Of the first leaf, by weighted least squares over all nodes at once."""
    fanout, height = levels.fanout, len(levels.counts) - 1
    leaves = fanout**height
    rows, weights = [], []
    for level in range(height + 1):
        variances = levels.node_variances(level)
        width = leaves // fanout**level
        for node, variance in enumerate(variances):
            if np.isfinite(variance):
                row = np.zeros(leaves)
                row[node * width : (node + 1) * width] = 1
                rows.append(row)
                weights.append(1 / variance)
    design = np.array(rows)
    return float(np.linalg.inv(design.T @ (np.array(weights)[:, None] * design))[0, 0])


@pytest.mark.parametrize(
    ("page", "truth"), [*((page, False) for page, _ in PAGES), ("quantiles", True)]
)
def test_the_ledger_is_there_before_a_draw(page, truth):
    app = unasked(page, truth=truth)
    assert any(one.key == "ledger_forget" for one in app.button)
