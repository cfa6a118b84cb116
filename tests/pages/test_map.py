"""The Map page: what it says of the rectangle, its pictures and views, and what outsiders see."""

import json

import numpy as np
import pytest

from dpviz.catalogue import SPATIAL
from dpviz.core.budgets import PureDP
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.estimators.spatial.estimate import estimate
from dpviz.intake.samples import sample, sample_points
from dpviz.mechanisms.spatial.quadtree import Quadtree
from tests.browser.steps import decoded
from tests.pages.driver import alts, figures, has, healthy, opened, pick, text
from tests.pages.maps import cells, charts, entered, link, said, with_points, words

RECTANGLE = {"m_x0": 20.0, "m_x1": 55.0, "m_y0": 10.0, "m_y1": 60.0}
FIRST = [58.0, 82.0, 16.0, 38.0]
LINK = {key: f"{value:g}" for key, value in RECTANGLE.items()}
PRIVATE = [row.name for row in SPATIAL if row.private]


def axes(app, number=0):
    """The ranges of a chart's axes: those of the declared box."""
    layout = charts(app)[number]["layout"]
    return layout["xaxis"]["range"], layout["yaxis"]["range"]


def unit_square(file, columns=("x", "y")):
    return with_points(file.read_bytes(), file.name, columns, ((0.0, 1.0), (0.0, 1.0)))


def answered(rectangle, budget=0.5, height=8, seed=1):
    """What the backend answers on Towns: count and standard error."""
    release = Quadtree(height).release(
        sample_points("towns"), PureDP(budget), np.random.default_rng([seed])
    )
    counts, variances = range_counts(estimate(release), list(rectangle))
    return counts[0], variances[0] ** 0.5


def truth(rectangle):
    points = sample_points("towns")
    x_low, x_high, y_low, y_high = rectangle
    inside = (points.x >= x_low) & (points.x < x_high) & (points.y >= y_low) & (points.y < y_high)
    return int(inside.sum())


def test_it_opens_on_towns_with_the_picture_of_the_design():
    app = entered(seed="7")
    assert said(app) == (
        "The private map counts :blue[4,788] people in the rectangle; the truth is **4,797**."
    )
    assert "Off by 9, or 0.19 %: −9 from the noise, 0 because people" in text(app)
    assert "**± 132**" in text(app)
    assert "**± 14**" in text(app)
    assert alts(app)[0].startswith("The private map counts 4,788 people in the rectangle; ")
    (heat,) = cells(app)
    assert decoded(heat["z"]).size == 64 * 64
    assert link(app) == {"seed": "7"}


def test_a_column_chosen_elsewhere_leaves_the_map_on_its_plane():
    app = entered(data="ages")
    assert app.get_by_key("data_choice").value == "towns"
    assert app.get_by_key("data_choice").options == ["Towns along roads", "Harbours on a coast"]
    assert axes(pick(app, data_choice="coast"))[0] == [0, 60]


def test_the_box_is_the_declared_one_on_both_axes():
    app = entered()
    box = sample("towns").box
    assert axes(app) == ([box.x.low, box.x.high], [box.y.low, box.y.high])
    pick(app, towns_0_low=10.0, towns_0_high=60.0)
    assert axes(app) == ([10, 60], [box.y.low, box.y.high])
    pick(app, towns_1_low=20.0, towns_1_high=50.0)
    assert axes(app) == ([10, 60], [20, 50])


def test_bounds_out_of_order_are_named():
    app = pick(entered(), towns_0_low=60.0, towns_0_high=10.0)
    assert "lower bound must be below" in app.error[0].value
    assert charts(app) == []


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_the_rectangle_gets_the_backends_answer(epsilon):
    app = entered(**LINK, eps=f"{epsilon:g}")
    count, error = answered(RECTANGLE.values(), epsilon)
    exact = truth(RECTANGLE.values())
    assert said(app) == (
        f"The private map counts :blue[{count:,.0f}] people in the rectangle; "
        f"the truth is **{exact:,}**."
    )
    labels = [note["text"] for note in charts(app)[0]["layout"]["annotations"]]
    assert f"<b>{count:,.0f}</b> ± {error:,.0f}" in labels
    assert f"<b>{exact:,}</b> true" in labels


def test_hiding_the_truth_changes_no_published_number():
    app = entered(**LINK)
    taught, (colours,) = said(app), cells(app)
    pick(app, truth=False)
    count, error = answered(RECTANGLE.values())
    assert said(app) == (
        f"About :blue[{count:,.0f}] people live in the rectangle, give or take {1.96 * error:,.0f}."
    )
    (sure,) = cells(app)
    np.testing.assert_array_equal(decoded(sure["customdata"]), decoded(colours["z"]))
    exact = f"{truth(RECTANGLE.values()):,}"
    assert exact not in text(app)
    assert all(exact not in json.dumps(one) for one in charts(app))
    healthy(app.get_by_key("reveal").click().run())
    assert said(app) == taught


def test_an_outsider_sees_cells_above_three_standard_errors_and_the_release():
    app = entered(truth="false")
    (heat,) = cells(app)
    counts, shown = decoded(heat["customdata"]), decoded(heat["z"])
    release = Quadtree(8).release(sample_points("towns"), PureDP(0.5), np.random.default_rng([1]))
    error = float(np.sqrt(estimate(release).levels.node_variances(6)[0]))
    np.testing.assert_array_equal(shown > 0, counts > 3 * error)
    assert charts(app)[0]["layout"]["images"] == []
    assert not has(app, "eps")
    assert not has(app, "new_draw")
    assert has(app, "ledger_forget") is False
    assert "30,000" not in text(app) + json.dumps(charts(app))


@pytest.mark.parametrize(("colour", "unsure"), [("density", True), ("standard error", False)])
def test_a_map_says_that_unsure_cells_have_no_colour_where_they_have_none(colour, unsure):
    (layout,) = [one["layout"] for one in charts(entered(truth="false", m_colour=colour))[:1]]
    titles = [note["text"] for note in layout["annotations"]]
    assert ("64 × 64 cells; only what is sure is coloured" in titles) == unsure
    assert ("64 × 64 cells" in titles) != unsure


def test_another_release_is_spent_on_demand():
    app = entered(truth="false")
    before = said(app)
    app.get_by_key("again_eps").set_value(1.0)
    assert said(healthy(app.run())) == before
    healthy(app.get_by_key("publish").click().run())
    count, _ = answered(FIRST, 1.0, seed=2)
    assert f":blue[{count:,.0f}]" in said(app)
    assert link(app) == {"eps": "1", "seed": "2", "truth": "false"}


def test_a_drawn_rectangle_is_taken_over_and_cleared():
    app = entered()
    assert [app.get_by_key(key).value for key in RECTANGLE] == FIRST
    app.session_state["_visit"]["m_drawn"] = (20.00004, 55.1234567, 10.0, 60.0)
    healthy(app.run())
    assert [app.get_by_key(key).value for key in RECTANGLE] == [20.0, 55.1, 10.0, 60.0]
    assert link(app)["m_x1"] == "55.1"
    healthy(app.get_by_key("m_clear").click().run())
    assert [app.get_by_key(key).value for key in RECTANGLE] == [None] * 4
    assert app.get_by_key("m_clear").disabled
    assert "people in all; the truth is **30,000**" in said(app)


def test_a_click_without_a_drag_draws_nothing():
    app = entered()
    app.session_state["_visit"]["m_drawn"] = (20.0, 20.00001, 10.0, 10.00001)
    healthy(app.run())
    assert [app.get_by_key(key).value for key in RECTANGLE] == FIRST
    assert not app.error


def test_typed_ends_that_are_out_of_order_are_named_and_the_page_stands():
    app = pick(entered(), m_x0=90.0)
    assert "out of order" in app.error[0].value
    assert "in all" in said(app)


def test_each_set_has_its_rectangle():
    app = entered(**LINK)
    pick(app, data_choice="coast")
    assert app.get_by_key("m_x0").value == pytest.approx(34.8)
    assert "m_x0" not in app.query_params
    pick(app, data_choice="towns")
    assert [app.get_by_key(key).value for key in RECTANGLE] == list(RECTANGLE.values())


def test_a_files_rectangle_is_in_no_link():
    app = with_points()
    for key, value in zip(RECTANGLE, (0.0, 50.0, 0.0, 30.0), strict=True):
        pick(app, **{key: value})
    assert "people in the rectangle" in said(app)
    assert not {"m_x0", "m_x1", "m_y0", "m_y1"} & set(app.query_params)


def test_a_file_that_is_not_declared_asks_for_its_bounds():
    app = with_points(box=((0.0, 100.0), (None, None)))
    assert "Declare the bounds of the second column" in app.info[0].value
    assert charts(app) == []


@pytest.mark.few(2)
@pytest.mark.parametrize("method", ["kd-cell", "PrivTree", "Hilbert R-tree", "kd-tree"])
def test_two_methods_stand_beside_each_other(method):
    app = pick(entered(m_height="4"), m_method=method, m_second="quadtree, baseline")
    name = (method[:1].upper() + method[1:]).replace("-", "\\-")
    assert said(app).startswith(f"{name} counts :blue[")
    assert "quadtree, baseline :blue[" in said(app)
    assert "the truth is **4,797**" in said(app)
    assert len(cells(app)) == 2
    assert "spent in all" not in said(app)
    pick(app, truth=False)
    assert "truth" not in said(app)
    assert "has a standard error of" in text(app)


def test_how_far_cells_are_off_is_the_mean_over_their_true_counts():
    app = entered(m_height="2", m_depth="1")
    release = Quadtree(2).release(sample_points("towns"), PureDP(0.5), np.random.default_rng([1]))
    read = estimate(release).levels.counts[1]
    points, box = sample_points("towns"), sample("towns").box
    x = points.x >= box.x.low + box.x.width / 2
    y = points.y >= box.y.low + box.y.width / 2
    exact = []
    for x_low, _, y_low, _ in release.level_boxes(1):
        in_x = x if x_low > box.x.low else ~x
        in_y = y if y_low > box.y.low else ~y
        exact.append(np.count_nonzero(in_x & in_y))
    off = np.abs(read - exact).mean()
    line = next(one for one in words(app).splitlines() if "off by, on average" in one)
    said_off = float(line.split("**")[1].replace(",", ""))
    assert said_off == pytest.approx(off, rel=0.01)
    assert "off by, on average" not in words(pick(app, truth=False))


def test_private_medians_are_offered_where_they_are_used():
    app = entered()
    assert app.get_by_key("m_median").disabled
    assert not pick(app, m_method="kd-tree").get_by_key("m_median").disabled
    assert pick(app, m_method="kd-noisymean").get_by_key("m_median").disabled
    assert not pick(app, m_second="Hilbert R-tree").get_by_key("m_median").disabled


def test_a_node_is_chosen_by_number_or_by_click():
    app = entered(view="node", m_height="6")
    assert "the root" in text(app)
    assert figures(app)[0]["nodes to choose"][0].size == 4
    app.session_state["_visit"] |= {"m_level": 2, "m_node": 9}  # as a click leaves it
    healthy(app.run())
    assert "the root → level 1, node 2 → level 2, node 9" in text(app)
    assert "level by level from the root" in text(app)
    assert said(app).startswith("Level 2, node 9 holds :blue[")
    assert alts(app)[0].startswith("Where level 2, node 9 lies")
    pick(app, m_level=6, m_node=4095)
    assert "a leaf" in text(app)
    assert figures(app)[0]["nodes to choose"][0].size == 4  # it and its siblings
    assert app.dataframe[0].value["reading"].tolist() == ["released", "estimated"]
    pruned = pick(app, m_prune=True).dataframe[0].value
    assert pruned["reading"].tolist() == ["released", "estimated, pruned"]
    raw = pick(app, m_prune=False, m_method="quadtree, baseline").dataframe[0].value
    assert raw["reading"].tolist() == ["released"]


def test_the_time_of_the_medians_is_said_before_they_are_drawn():
    app = pick(opened("map"), map_view="medians")
    assert any(one.value == "about 1 s" for one in app.caption)
    stored = figures(app)  # of the papers' study
    assert "on 2^20 made-up points, as in the paper" in text(app)
    assert len(stored) == 2
    healthy(app.get_by_key("m_run_medians").click().run())
    assert len(charts(app)) == 2
    assert str(figures(app)[0]) != str(stored[0])
    assert "on 2^17 made-up points (the paper: 2^20)" in text(app)


def test_the_comparison_closes_with_one_sentence_and_is_hidden_with_the_truth():
    app = entered(view="compare", m_height="6")
    assert "comes closest; " in said(app) or "are level" in said(app)
    assert len({trace["name"] for trace in charts(app)[0]["data"]}) == 5
    pick(app, truth=False)
    assert said(app) == "Errors compare with the truth: hidden."
    assert charts(app) == []


@pytest.mark.few(6)
@pytest.mark.parametrize("view", ["compare", "matching", "places", "take", "node", "map"])
@pytest.mark.parametrize("truth", ["true", "false"])
def test_every_view_stands(view, truth):
    app = entered(view=view, m_height="3", truth=truth)
    assert not app.error
    assert len(text(app)) > 100
    assert app.get_by_key("map_view").value == view


def test_named_places_are_a_made_up_country_or_a_public_list():
    app = entered(view="places", eps="0.5", m_split="last level only")
    assert "of the country; " in said(app)
    before = said(app)
    pick(app, m_counts="as measured")
    assert said(app).startswith("The country is not measured; ")
    pick(app, m_counts="after least squares")
    assert said(app) == before
    pick(app, m_list="valley,people\nUpper,4000\nLower,3")
    assert "of the whole; " in said(app)
    assert "1 of 2 valleys is smaller than its noise." in said(app)
    assert "m_list" not in app.query_params
    pick(app, m_list="valley,people\nUpper,many")
    assert not app.exception
    assert "Line 2 of the list needs 1 name and a whole number" in text(app).replace("\\", "")
    assert not charts(app)


def test_beside_an_own_file_named_places_are_still_the_made_up_country():
    app = with_points(truth=False)
    spent = str(app.session_state["_accounts"])
    pick(app, map_view="places")
    pick(app, m_split="last level only")
    assert "of 1,229 blocks are smaller" in said(app)
    assert str(app.session_state["_accounts"]) == spent


def test_a_reference_without_privacy_is_shown_with_the_truth_only():
    app = entered(m_method="kd-pure (not private)")
    assert "Not private: kd" in text(app).replace("\\", "")
    assert said(app).startswith("The map counts :blue[")
    pick(app, map_view="take")
    assert not app.get("download_button")
    pick(app, map_view="map", truth=False)
    assert "hidden with it" in app.error[0].value
    assert charts(app) == []
    assert not app.code


def assert_every_method_draws_cells(app, methods=SPATIAL):
    for method in (row.name for row in methods):
        pick(app, m_method=method)
        assert not app.error, method
        assert ("**Not private" in text(app)) == (method not in PRIVATE), method
        (found,) = cells(app)
        assert np.isfinite(np.array(decoded(found["z"]), dtype=float)).any(), method


def test_every_method_draws_cells_of_a_sample():
    assert_every_method_draws_cells(entered())


def test_methods_run_on_real_points(shared_data):
    assert_every_method_draws_cells(unit_square(shared_data / "ne_addresses.csv"), SPATIAL[1::4])


def test_methods_run_on_a_large_set(roads_file):
    assert_every_method_draws_cells(unit_square(roads_file), SPATIAL[:1])


def test_a_release_of_the_card_is_the_one_on_the_map():
    app = entered(truth="false", m_height="3")
    (block,) = [one for one in app.code if one.language == "json"]
    release = Quadtree(3).release(sample_points("towns"), PureDP(0.5), np.random.default_rng([1]))
    assert release.to_json().startswith(block.value.removesuffix(" …"))
    assert SpatialRelease.from_json(release.to_json()) == release


@pytest.mark.parametrize(
    ("chosen", "setting"),
    [
        ("quadtree, optimal", {"m_levels": "leaves only"}),
        ("quadtree, baseline", {"m_levels": "own shares", "m_shares": "1, 0, 2, 4"}),
        ("kd-hybrid", {"m_switch": "1", "m_share": "0.6"}),
        ("kd-cell", {"m_columns": "16", "m_tested": "true"}),
    ],
)
def test_a_detailed_setting_makes_another_map(chosen, setting):
    """The same draw: the answer differs from that of the method as it was."""
    own = entered(m_method=chosen, m_height="3")
    changed = entered(m_method=chosen, m_height="3", **setting)
    assert said(own) != said(changed)


def test_shares_that_do_not_fit_the_height_say_what_to_do():
    app = entered(
        m_method="quadtree, optimal", m_height="3", m_levels="own shares", m_shares="1, 2"
    )
    assert any("levels" in one.value for one in (*app.error, *app.warning))
