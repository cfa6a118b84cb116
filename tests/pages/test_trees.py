"""The Trees page: its finding, its views, its controls and its numbers."""

import numpy as np
import pytest

from dpviz.core.trees.bucket_release import BucketRelease
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.prefix_fanout import best_fanout
from dpviz.estimators.trees.cdf import cdf
from dpviz.estimators.trees.least_squares import efficient
from dpviz.estimators.trees.quantile_intervals import quantile_interval
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.poster import POSTER_BUDGET, TREE
from dpviz.experiments.planning.bucket_study import EPSILONS, RUNS
from dpviz.intake.samples import load_sample
from tests.browser.steps import decoded
from tests.conftest import ROOT
from tests.pages import driver
from tests.pages.driver import alts, figures, healthy, held, pick, read, table, text
from tests.pages.own_file import at, with_own
from tests.pages.pictures import pictures
from tests.views import views

HIDDEN = ("true 6,000", "worst", "Teaching view")


def on_screen(app) -> TreeRelease:
    """The release behind the page, from what is remembered."""
    found = [one for one in held(app).values() if isinstance(one, TreeRelease)]
    return found[-1]


def opened(page: str = "trees", **link: str):
    """The page opened by a link, as the first one of a session."""
    app = driver.opened(**link)
    for name, value in link.items():
        app.query_params[name] = value
    del app.session_state["_visit_opened"]  # Start was no arrival
    return driver.healthy(app.switch_page(f"pages/{page}.py").run())


look = driver.shared(opened)


def headline(app) -> str:
    return read(app.title[0].value)


def words(app) -> str:
    """What is said in the picture."""
    spec = pictures(app)[0].figure
    return " ".join(note["text"] for note in spec["layout"]["annotations"])


def cells(app) -> np.ndarray:
    """What the cells of the first picture carry."""
    spec = pictures(app)[0].figure
    (found,) = [one for one in spec["data"] if one["name"] == "cells" and one["xaxis"] == "x"]
    return decoded(found["customdata"]).reshape(-1, 7)


@pytest.mark.parametrize("node", [(3, 5), (1, 0), (6, 63)])
def test_the_own_weight_of_a_node_is_that_of_least_squares(node):
    """All levels have the same noise here, so weights are those of ordinary least squares."""
    app = pick(opened(view="node"), t_level=node[0], t_node=node[1])
    nodes = [(level, place) for level in range(7) for place in range(2**level)]
    leaves = np.array(
        [[at >> (6 - level) == place for at in range(64)] for level, place in nodes], dtype=float
    )
    own = (leaves @ np.linalg.pinv(leaves))[nodes.index(node), nodes.index(node)]
    said = f"{own:.2f}".replace(".", r"\.")
    assert f"noisy count weighs only :blue[{said}]." in headline(app)


SHOWN = {
    "picture": "5,918 ± 70, true 6,000",
    "node": "Path the root → level 1, node 1",
    "cdf": "Points outside α in ten trials",
    "levels": "of the raw variance on a level",
    "budgets": "times the best",
    "honaker": "10,000 trees with 16 leaves",
    "fanouts": "For a CDF of 64 parts fanout",
    "buckets": "64 bins are published in :blue[38] buckets",
    "running": "by your tree to ± 94, which is better",
    "online": "After each of 64 steps a count is good to",
    "take": "dp.efficient(release)",
}


def test_no_view_is_forgotten():
    assert set(SHOWN) == set(views("trees"))


@pytest.mark.few(6)
@pytest.mark.parametrize("view", SHOWN)
def test_every_view_says_its_own(view):
    assert SHOWN[view] in text(look(view=view))


LINKS = {
    "view": ("cdf", lambda app: "whole curve" in headline(app)),
    "eps": ("0.5", lambda app: on_screen(app).spent.epsilon == 0.5),
    "seed": ("7", lambda app: app.get_by_key("seed").value == 7),
    "t_height": ("2", lambda app: on_screen(app).shape.height == 2),
    "t_fanout": ("3", lambda app: on_screen(app).shape.fanout == 3),
    "t_split": ("leaves only", lambda app: np.isinf(on_screen(app).tree.scales[:-1]).all()),
    "t_noise": ("discrete Laplace", lambda app: on_screen(app).noise.value == "discrete-laplace"),
    "t_root": ("summed", lambda app: on_screen(app).tree.root.value == "sum"),
    "t_reading": ("from below", lambda app: "lies below" in headline(app)),
    "notion": ("zcdp", lambda app: on_screen(app).spent.symbol == "ρ"),
}


@pytest.mark.parametrize("key", LINKS)
def test_a_link_restores_what_it_says(key):
    value, holds = LINKS[key]
    assert holds(opened(**{key: value}))


def test_the_page_opens_on_its_finding():
    app = opened()
    assert headline(app) == (
        "Combining the levels removes :blue[65\u00a0%] of the variance in mid-tree, at no cost in "
        "privacy."
    )
    release = on_screen(app)
    assert (release.spent.epsilon, release.shape.height, release.shape.fanout) == (0.1, 6, 2)
    assert "± 99 → " in words(app)
    assert "levels **7, ε/7 each**" in text(app)


def test_the_picture_is_drawn_from_the_release_and_the_truth():
    app = opened()
    release, carried = on_screen(app), cells(app)
    values = np.loadtxt(ROOT / "sample_data" / "exam.csv", skiprows=1, delimiter=",", usecols=0)
    truth, _ = np.histogram(values, release.edges())
    leaves = carried[carried[:, 0] == 6]
    np.testing.assert_allclose(leaves[:, 4], release.counts[-1])
    np.testing.assert_array_equal(leaves[:, 6], truth)
    off = np.abs(np.cumsum(TreeEstimator.EFFICIENT.apply(release.levels).counts[-1] - truth)).max()
    assert f"{off:,.0f} students" in words(app)


def test_without_the_truth_nothing_of_it_is_left_and_no_published_number_changes():
    app = opened()
    assert all(word in text(app) for word in HIDDEN)
    before = on_screen(app)
    pick(app, truth=False)
    said = text(app) + words(app)
    assert not [word for word in (*HIDDEN, "6,000", "confidential") if word in said]
    assert "truth" not in figures(app)[0]
    assert "<br>true" not in pictures(app)[0].spec
    assert on_screen(app) == before
    assert np.isnan(cells(app)[:, 6]).all()
    assert "eps" not in [one.key for one in app.select_slider]
    pick(app, truth=True)
    assert on_screen(app) == before
    assert "true 6,000" in text(app)


def test_an_outsider_makes_another_release_on_purpose():
    app = opened(truth="false")
    first = on_screen(app)
    pick(app, again_eps=0.5)
    assert on_screen(app) == first
    app.get_by_key("publish").click().run()
    second = on_screen(app)
    assert second.spent.epsilon == 0.5
    assert (second.counts[-1] != first.counts[-1]).all()
    app.get_by_key("reveal").click().run()
    assert on_screen(app) == second
    assert "Teaching view" in text(app)


def test_the_band_of_the_release_needs_no_data_and_stays_with_the_draw():
    app = opened(truth="false")
    first = figures(app)[0]["each"][1]
    pick(app, truth=True)
    pick(app, truth=False)
    np.testing.assert_array_equal(figures(app)[0]["each"][1], first)
    tall = opened(truth="false", t_height="12")
    assert "two standard errors" in words(tall)


def test_a_clicked_node_takes_the_strip_and_is_framed():
    app = opened()
    app.session_state["_visit"]["t_framed"] = (3, 5)
    app.run()
    said = text(app)
    assert "62.5 to 75" in said
    assert "levels **7" not in said
    count = on_screen(app).counts[3][5]
    assert f"{count:,.0f} ± 99" in said
    path = figures(app)[0]["path"]
    assert np.nanmax(path[0]) == 100
    app.session_state["_visit"]["t_framed"] = (3, 500)  # a smaller tree has no such node
    app.run()
    assert "levels **7" in text(app)


def test_numbers_of_a_node_are_grouped_and_have_the_digits_of_their_errors():
    frame = table(opened(view="node"))
    assert list(frame) == ["reading", "count", "s.e.", "error"]
    assert frame["count"].str.fullmatch(r"(\d,)?\d{3}\.\d").all()
    assert frame["s.e."].str.fullmatch(r"\d\d\.\d").all()
    assert "error" not in table(opened(view="node", truth="false"))


def test_the_workload_is_asked_for_where_it_matters_and_is_kept():
    app = opened()
    assert "t_workload" not in [box.key for box in app.selectbox]
    pick(app, trees_view="budgets", t_workload="CDF")
    assert "workload **CDF**" in text(app)
    pick(app, trees_view="picture")
    assert "t_workload" not in [box.key for box in app.selectbox]
    pick(app, trees_view="budgets")
    assert "workload **CDF**" in text(app)
    pick(app, trees_view="picture", t_split="workload-optimal")
    assert app.get_by_key("t_workload").value == "CDF"


def sliders(app):
    return [one for one in app.main.slider if one.key.startswith("t_weight_")]


def test_own_weights_are_sliders_and_a_text_in_step():
    app = opened(t_height="2", t_split="own weights", view="budgets")
    assert app.get_by_key("t_weights").value == "1, 1, 1"
    assert [slider.label for slider in sliders(app)] == ["Level 0", "Level 1", "Level 2"]
    pick(app, t_weight_1=3.5)
    assert app.get_by_key("t_weights").value == "1, 3.5, 1"
    spec = pictures(app)[0].figure
    (chosen,) = [one for one in spec["data"] if one["name"] == "chosen"]
    np.testing.assert_allclose(decoded(chosen["customdata"]), np.array([1, 3.5, 1]) / 5.5)
    pick(app, t_weights="0, 2, 6")
    assert [slider.value for slider in sliders(app)] == [0, 2, 6]
    pick(app, trees_view="cdf")
    pick(app, trees_view="budgets", t_weight_0=1)
    assert app.get_by_key("t_weights").value == "1, 2, 6"
    assert not app.warning


def test_sliders_give_way_to_the_text_and_even_weights_follow_the_height():
    app = opened(t_split="own weights", view="budgets", t_height="11")
    assert not sliders(app)
    assert app.get_by_key("t_weights").value == ", ".join(["1"] * 12)
    pick(app, t_height=3, t_weights="1, 2, 40, 1")
    assert not sliders(app)
    assert not app.error
    pick(app, t_height=4)
    assert "4 weights" in app.error[0].value
    assert len(app.title) == 1


def test_a_tree_that_would_be_too_large_is_cut_to_what_fits():
    app = opened(t_height="12")
    pick(app, t_fanout=64)
    assert on_screen(app).shape.height == 3
    assert not app.error
    pick(app, t_fanout=4096)
    assert on_screen(app).shape.height == 1


def test_a_public_total_is_asked_for_and_nothing_is_proposed():
    app = opened(neighbours="replace", t_root="public")
    assert app.get_by_key("t_records").value is None
    assert "Declare N" in app.info[0].value
    assert alts(app) == []
    pick(app, t_records=1234)
    assert not app.info
    assert len(alts(app)) == 1
    assert "exact" in words(app)


@pytest.mark.parametrize(("neighbours", "gain"), [("add/remove", "0.976"), ("replace", "0.695")])
def test_the_page_says_how_much_less_noise_rho_buys(neighbours, gain):
    """One level, ρ = .01; a replaced record pays twice for .005, not once for a change by 2."""
    leaves = {"t_split": "leaves only", "t_noise": "Laplace", "notion": "zcdp", "rho": "0.01"}
    app = opened(neighbours=neighbours, **leaves)
    (said,) = [one.value for one in app.caption if one.value.startswith("Noise × ")]
    assert gain in said
    pick(app, t_noise="by budget")
    assert not [one.value for one in app.caption if one.value.startswith("Noise × ")]


@pytest.mark.few(2)
@pytest.mark.parametrize("weights", ["0, 0, 0, 1", "1, 0, 1, 0", "1, 0, 0, 0"])
def test_levels_that_are_left_out_break_no_reading(weights):
    app = opened(t_height="3", t_split="own weights", t_weights=weights)
    for root in (Root.RELEASED, Root.SUM):
        pick(app, t_root=root)
        for reading in TreeEstimator:
            pick(app, t_reading=reading)
            assert "nan" not in (text(app) + words(app)).lower() if alts(app) else app.error


@pytest.mark.parametrize("link", [{"t_height": "0"}, {"eps": "1e-06"}, {"eps": "1e+06"}])
def test_ends_of_the_scales_are_drawn(link):
    app = opened(**link)
    assert alts(app)
    assert alts(pick(app, truth=False))


@pytest.mark.parametrize("link", [{}, {"neighbours": "replace_one"}])
def test_the_posters_settings_open_its_view(link):
    app = pick(opened(**link), t_preset="poster: ε = .01, β = .05")
    assert "whole curve" in headline(app)
    release = on_screen(app)
    assert (release.spent.epsilon, release.shape.height) == (0.01, 7)
    # his tree is one tree: the scales and the root of the plots on Papers
    assert release.tree_noise == TREE.tree_noise(POSTER_BUDGET)
    assert release.tree_noise.scales[1:] == pytest.approx((7 / 0.01,) * 7)
    assert app.get_by_key("t_poster").value
    assert app.get_by_key("t_reading").value == TreeEstimator.RAW


def test_running_counts_by_a_square_root_are_a_release_of_their_own():
    app = look(view="running", notion="zcdp", rho="1", t_height="10", t_fanout="2")
    assert headline(app).startswith("By a square root a running count is good to")
    assert "This draw's smoothed curve is off by at most" in text(app)
    entries = app.session_state["_accounts"]["exam"].entries
    assert [one.what for one in entries] == ["running counts"]  # and no tree
    (release,) = [one for one in held(app).values() if isinstance(one, PrefixRelease)]
    assert release.counts.size == 1024
    assert str(release.spent) == "ρ = 1"


def test_under_pure_epsilon_running_counts_are_compared_and_published_in_rho():
    app = look(view="running")
    assert headline(app).endswith("which is better.")
    assert "with Laplace noise, since one student moves the sums by" in text(app)
    assert "_accounts" not in app.session_state or not app.session_state["_accounts"]
    app.button(key="prefix_rho").click()
    app = driver.healthy(app.run())
    assert "with Laplace noise" not in text(app)
    assert [one.what for one in app.session_state["_accounts"]["exam"].entries] == [
        "running counts"
    ]


def test_a_tree_without_its_leaves_is_left_out_of_the_comparison():
    weights = {"t_split": "own weights", "t_weights": "1, 1, 1, 0"}
    app = opened(view="running", notion="zcdp", t_height="3", **weights)
    assert "your tree tells larger parts alone" in headline(app)
    assert "your tree" not in words(app)


def test_without_the_truth_running_counts_of_a_file_are_not_drawn():
    """They hold up to rounding only; what they err by is public and stays."""
    app = with_own(b"a\n" + b"1\n2\n3\n" * 50, 0, 4, 1, truth=False)
    app.session_state["_visit"] |= {"notion": "zcdp", "view_trees": "running"}
    app = at(app, "trees")
    assert headline(app).startswith("By a square root")
    assert "not drawn for your own file" in text(app)
    assert not [one for one in held(app).values() if isinstance(one, PrefixRelease)]
    app.session_state["_visit"]["truth_own"] = True
    driver.healthy(app.run())
    assert any(isinstance(one, PrefixRelease) for one in held(app).values())
    assert "Release as JSON" not in [one.label for one in app.main.get("download_button")]


def test_intervals_for_quantiles_come_from_the_release_alone():
    """The same with the truth and without, and the truth lies in most of them."""
    app = opened(view="cdf", t_height="8")
    (shown,) = [one.value for one in app.dataframe if "of these people" in one.value]
    app.session_state["_visit"]["truth"] = False
    driver.healthy(app.run())
    (again,) = [one.value for one in app.dataframe if "of these people" in one.value]
    assert again.to_csv() == shown.to_csv()
    assert shown["quantile"].tolist() == ["0.1", "0.25", "0.5", "0.75", "0.9"]
    values = load_sample("exam")[0]
    held_in, release = 0, on_screen(app)
    curve = cdf(efficient(release))
    for row in shown.itertuples(index=False):
        low, high = (float(end) for end in row[1].split(" to "))
        alone = quantile_interval(curve, release.tree_noise, float(row[0]))
        assert (low, high) == pytest.approx(alone, abs=0.006)  # what the package gives, as written
        wider = [float(end) for end in row[2].split(" to ")]
        assert wider[0] <= low < high <= wider[1]
        held_in += low <= np.quantile(values, float(row[0]), method="inverted_cdf") <= high
    assert held_in >= 4


def test_a_fanout_is_suggested_for_the_cdf_and_taken_at_a_click():
    app = opened(t_height="9", t_fanout="2")
    button = app.button(key="t_suggested")
    fanout, height = best_fanout(512, "eps", "efficient")
    assert button.label == f"For the CDF: {fanout}"
    assert "% less than fanout 2" in button.help
    button.click()
    app = driver.healthy(app.run())
    release = on_screen(app)
    assert (release.shape.fanout, release.shape.height) == (fanout, height)
    rho = opened(t_height="9", t_fanout="2", notion="zcdp")
    assert "Suits the CDF best" in [one.value for one in rho.caption]


def test_buckets_from_the_data_beside_plain_noise():
    app = look(view="buckets", eps="1", t_height="8", t_fanout="2")
    assert headline(app).startswith("256 bins are published in :blue[")
    entries = app.session_state["_accounts"]["exam"].entries
    assert [one.what for one in entries if not one.simulated] == ["buckets"]  # and no tree
    redrawn = app.session_state["_accounts"]["exam"].simulated
    assert redrawn == RUNS * len(EPSILONS)
    (release,) = [one for one in held(app).values() if isinstance(one, BucketRelease)]
    assert release.bins == 256
    assert str(release.spent) == "ε = 1"
    assert "When joining pays." in text(app)
    assert len(figures(app)) == 3


@pytest.mark.few(9)
@pytest.mark.parametrize(
    ("view", "paid"),
    [("fanouts", 0), ("online", 0), ("levels", 0), ("budgets", 0), ("honaker", 0),
     ("picture", 1), ("cdf", 1), ("node", 1), ("take", 1)],
)  # fmt: skip
@pytest.mark.parametrize("truth", [True, False])
def test_a_tree_is_made_and_paid_for_when_a_view_looks_at_it(view, paid, truth):
    app = look(view=view, t_height="6", **({} if truth else {"truth": "false"}))
    state = app.session_state
    kept = state["_accounts"] if "_accounts" in state else {}  # noqa: SIM401  it has no get
    spent = [entry.what for account in kept.values() for entry in account.entries]
    assert spent.count("tree") == paid
    assert paid or not spent


def test_a_stream_is_about_added_or_removed_records():
    app = look(view="online", neighbours="replace")
    assert headline(app).startswith("Counts of a stream are promised to records that are added")
    assert not figures(app)


def test_buckets_need_a_pure_budget_and_offer_one():
    app = look(view="buckets", notion="zcdp", rho="1")
    assert headline(app).startswith("Buckets from the data need a budget in ε")
    healthy(app.button(key="buckets_pure").click().run())
    assert "bins are published in" in headline(app)


def test_without_the_truth_a_sample_s_buckets_say_nothing_of_errors():
    app = look(view="buckets", eps="1", t_height="8", t_fanout="2")
    app.session_state["_visit"] |= {"truth": False}
    healthy(app.run())
    assert "off by" not in headline(app)
    assert "When joining pays" not in text(app)
    assert len(figures(app)) == 1


def test_the_study_of_buckets_is_about_the_bins_on_screen():
    weights = {"t_split": "own weights", "t_weights": "1, 1, 1, 0"}
    app = look(view="buckets", eps="1", t_height="3", t_fanout="2", **weights)
    assert "8 bins are published" in headline(app)
    assert "When joining pays" not in text(app)


def test_many_bins_are_not_studied_while_somebody_waits():
    app = look(view="buckets", eps="1", t_height="11", t_fanout="2")
    assert "2,048 bins are published" in headline(app)
    assert "When joining pays" not in text(app)
