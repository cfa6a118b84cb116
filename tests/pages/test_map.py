"""The Map page: its box, its rectangle, the numbers under it, and the way there from a line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpviz.catalogue import SPATIAL
from dpviz.core.budgets import PureDP
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.estimators.spatial.estimate import estimate
from dpviz.intake.samples import sample, sample_points
from dpviz.mechanisms.spatial.quadtree import Quadtree
from tests.browser.steps import decoded
from tests.pages.driver import alts, declare, figures, healthy, opened, pick, text, uploaded

RECTANGLE = {"m_x0": 20.0, "m_x1": 55.0, "m_y0": 10.0, "m_y1": 60.0}
FILE = b"a,b\n" + b"".join(b"%d,%d\n" % (one % 97, one % 53) for one in range(500))


def axes(app, number=0):
    """The ranges of a chart's axes: those of the declared box."""
    layout = json.loads(app.get("plotly_chart")[number].proto.spec)["layout"]
    return layout["xaxis"]["range"], layout["yaxis"]["range"]


def towns(**values):
    return pick(opened("map", data="Towns along roads"), **values)


def own_file():
    """A file with both columns declared, on the Map page."""
    app = declare(uploaded("a.csv", FILE), 0, 100)
    pick(app, upload_y="b", y_low=0.0, y_high=60.0)
    return healthy(app.switch_page("pages/map.py").run())


def unit_square(file):
    """The Map page with a file of columns x and y, both declared from 0 to 1."""
    app = declare(uploaded(file.name, file.read_bytes()), 0, 1)
    pick(app, upload_column="x", upload_y="y", y_low=0.0, y_high=1.0)
    declare(app, 0, 1)
    return healthy(app.switch_page("pages/map.py").run())


def assert_every_method_draws_cells(app):
    for method in (row.name for row in SPATIAL):
        pick(app, m_method=method)
        assert not app.error, method
        said = [one.value for one in app.warning]
        assert all("Not private" in one for one in said), method
        assert bool(said) == ("not private" in method)
        cells = [one for one in traces(app) if one["name"] == "cells"]
        assert len(cells) == 1, method
        assert np.isfinite(np.array(decoded(cells[0]["z"]), dtype=float)).any(), method


def traces(app):
    """The traces of the first chart."""
    return json.loads(app.get("plotly_chart")[0].proto.spec)["data"]


def labels(app):
    return [metric.label for metric in app.metric]


def badges(app):
    return [one for one in app.markdown if "shows true data" in one.value]


def test_the_box_is_the_declared_one_on_both_axes():
    app = towns()
    box = sample("towns").box
    assert axes(app) == ([box.x.low, box.x.high], [box.y.low, box.y.high])
    declare(app, 10, 60)
    assert axes(app) == ([10, 60], [box.y.low, box.y.high])
    declare(pick(app, axis="north"), 20, 50)
    assert axes(app) == ([10, 60], [20, 50])
    assert axes(pick(app, axis="east")) == ([10, 60], [20, 50])


def test_bounds_out_of_order_are_named():
    app = declare(towns(), 60, 10)
    assert "lower bound must be below" in app.error[0].value
    assert figures(app) == []


def test_a_set_on_a_line_shows_no_data_and_offers_another():
    app = opened("map")
    assert "needs two columns" in app.info[0].value
    assert badges(app) == []
    (button,) = [one for one in app.main.button if one.label.startswith("Use ")]
    assert button.label == "Use Towns along roads"
    healthy(button.click().run())
    assert app.get_by_key("data").value == "towns"
    assert len(badges(app)) == 1
    assert len(figures(app)) == 1


def test_the_rectangle_gets_the_backends_answer():
    app = towns(**RECTANGLE, m_eps=1.0)
    mechanism = Quadtree(6)
    points = sample_points("towns")
    release = mechanism.release(points, PureDP(1.0), np.random.default_rng([1]))
    counts, variances = range_counts(estimate(release), list(RECTANGLE.values()))
    (answer,) = [metric for metric in app.metric if metric.label == "Records inside"]
    assert answer.value == f"{counts[0]:,.0f} ± {variances[0] ** 0.5:,.0f}"
    x_low, x_high, y_low, y_high = RECTANGLE.values()
    inside = (points.x >= x_low) & (points.x < x_high) & (points.y >= y_low) & (points.y < y_high)
    assert f"{inside.sum():,}" in text(app)
    assert f"{inside.sum():,}" not in text(pick(app, truth=False))
    assert "Records inside" in labels(app)


def test_a_drawn_rectangle_is_taken_over_and_cleared():
    app = towns()
    clear = app.get_by_key("m_clear")
    assert clear.disabled
    app.session_state["_m_drawn"] = (20.00004, 55.1234567, 10.0, 60.0)
    healthy(app.run())
    assert [app.get_by_key(key).value for key in RECTANGLE] == [20.0, 55.1, 10.0, 60.0]
    assert not app.get_by_key("m_clear").disabled
    app.get_by_key("m_clear").click()
    healthy(app.run())
    assert [app.get_by_key(key).value for key in RECTANGLE] == [None] * 4


def test_a_click_without_a_drag_draws_nothing():
    app = towns()
    app.session_state["_m_drawn"] = (20.0, 20.00001, 10.0, 10.00001)
    healthy(app.run())
    assert [app.get_by_key(key).value for key in RECTANGLE] == [None] * 4
    assert not app.error


def test_a_files_rectangle_has_fields_of_its_own_that_no_link_binds():
    app = own_file()
    for key, value in zip(RECTANGLE, (0.0, 50.0, 0.0, 30.0), strict=True):
        app.get_by_key(key.replace("m_", "m_own1_")).set_value(value)
    healthy(app.run())
    assert "Records inside" in labels(app)
    assert not any(key in app.session_state for key in RECTANGLE)


def test_numbers_stand_under_the_map_without_a_rectangle():
    app = towns()
    assert labels(app) == ["Noise of a leaf", "Cells", "Cells off by", "Budget spent"]
    values = [metric.value for metric in app.metric]
    assert values[1] == "4,096"
    assert values[3] == "ε = 0.5"
    pick(app, truth=False)
    assert labels(app) == ["Noise of a leaf", "Cells", "Budget spent"]
    assert "30,000 records" not in text(app)


@pytest.mark.parametrize("method", ["kd-cell", "PrivTree", "Hilbert R-tree", "kd-tree"])
def test_every_kind_of_cells_has_its_numbers(method):
    app = towns(m_method=method, m_second="quadtree, baseline", **RECTANGLE)
    assert labels(app).count("Cells off by") == 2
    assert [label for label in labels(app) if label.startswith("Inside")] == [
        f"Inside: {method}",
        "Inside: quadtree, baseline",
    ]
    assert "once by each" in text(app)


def test_how_far_cells_are_off_is_the_mean_over_their_true_counts():
    app = towns(m_height=2, m_depth_2=1)
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
    (off,) = [metric.value for metric in app.metric if metric.label == "Cells off by"]
    assert float(off) == pytest.approx(np.abs(read - exact).mean(), rel=0.01)


def test_private_medians_are_offered_where_they_are_used():
    app = towns()
    assert app.get_by_key("m_median").disabled
    assert not pick(app, m_method="kd-tree").get_by_key("m_median").disabled
    assert pick(app, m_method="kd-noisymean").get_by_key("m_median").disabled
    assert not pick(app, m_second="Hilbert R-tree").get_by_key("m_median").disabled


def test_a_node_is_chosen_by_number_or_by_click():
    app = towns(m_view="Node")
    assert "the root" in text(app)
    assert figures(app)[0]["nodes to choose"][0].size == 4
    app.session_state["_m_clicked"] = (2, 9)
    healthy(app.run())
    said = text(app)
    assert "0.0 → 1.2 → 2.9" in said
    assert "level by level from the root" in said
    assert alts(app)[0].startswith("Where node 2.9 lies")
    pick(app, m_level=6, m_node=4095)
    assert "a leaf" in text(app)
    assert figures(app)[0]["nodes to choose"][0].size == 4  # it and its siblings
    read = app.dataframe[0].value
    assert read["reading"].tolist() == ["released", "estimated"]
    pruned = pick(app, m_prune=True).dataframe[0].value
    assert pruned["reading"].tolist() == ["released", "estimated, pruned"]
    raw = pick(app, m_prune=False, m_method="quadtree, baseline").dataframe[0].value
    assert raw["reading"].tolist() == ["released"]


def test_the_time_of_the_medians_is_said_before_they_are_drawn():
    app = towns(m_view="Medians")
    assert any(one.value == "about 1 s" for one in app.caption)
    assert figures(app) == []


@pytest.mark.parametrize("view", ["Compare", "Matching", "Download", "Node", "Map"])
@pytest.mark.parametrize("truth", [True, False])
def test_every_view_stands(view, truth):
    app = towns(m_height=3, m_view=view, truth=truth)
    assert not app.error
    assert len(text(app)) > 100
    assert ("30,000 records" in text(app)) == truth


def test_a_reference_without_privacy_is_shown_with_the_truth_only():
    app = towns(m_method="kd-pure (not private)", m_view="Download")
    assert "Not private" in app.warning[0].value
    assert not app.get("download_button")
    pick(app, truth=False)
    assert "hidden with it" in app.info[0].value
    assert not app.code


def test_every_method_runs_on_real_points(shared_data):
    assert_every_method_draws_cells(unit_square(shared_data / "ne_addresses.csv"))


def test_every_method_runs_on_a_large_set(roads_file):
    assert_every_method_draws_cells(unit_square(roads_file))
