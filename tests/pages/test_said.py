"""Small things that pages say: each number is recomputed from what it stands beside."""

import numpy as np
import pytest

from dpviz.answers.spatial.names import give_or_take
from dpviz.answers.trees.names import spread_error
from dpviz.core.trees.release import TreeRelease
from dpviz.intake.samples import sample_column
from tests.browser.steps import decoded
from tests.pages.columns import with_column
from tests.pages.driver import healthy, opened, pick, text, uploaded
from tests.pages.maps import with_points
from tests.pages.own_file import at
from tests.pages.pictures import pictures

WIDE = b"a,b\n" + b"".join(b"%d,%d\n" % (400 * one, one % 97) for one in range(300))


def said(app):
    return app.title[0].value.replace("\\", "").replace("±\N{NO-BREAK SPACE}", "± ")


def specs(app):
    return [one.figure for one in pictures(app)]


def kept(app, kind):
    return [one for one in app.session_state["_results"].values() if isinstance(one, kind)]


def leaf_variance(release):
    """Of the first leaf after least squares over all levels, by dense algebra."""
    fanout, height = release.shape.fanout, release.shape.height
    leaves, rows, weights = fanout**height, [], []
    for level, variance in enumerate(release.variances):
        width = leaves // fanout**level
        for node in range(fanout**level):
            row = np.zeros(leaves)
            row[node * width : (node + 1) * width] = 1
            rows.append(row)
            weights.append(1 / variance)
    design = np.array(rows)
    return np.linalg.inv(design.T @ (np.array(weights)[:, None] * design))[0, 0]


def test_a_tree_to_take_away_says_how_good_its_finest_counts_are():
    app = at(with_column(b"a\n1\n2\n3\n", 0, 64, 1), "trees")
    app.session_state["_visit"]["view_trees"] = "take"
    healthy(app.run())
    (release,) = kept(app, TreeRelease)
    error = spread_error(float(np.sqrt(leaf_variance(release))))
    count = sum(level.size for level in release.counts)
    good = f"the finest good to :blue[{error}] people, typically."
    assert said(app) == f"{count} noisy counts to take away, {good}"


def test_a_map_to_take_away_says_how_good_a_cell_is():
    app = with_points(WIDE, box=((0.0, 200_000.0), (0.0, 120.0)))
    app.session_state["_visit"]["view_map"] = "take"
    healthy(app.run())
    (reading,) = [
        one
        for one in app.session_state["_results"].values()
        if hasattr(one, "levels") and hasattr(one, "level_boxes")
    ][-1:]
    levels = reading.levels
    error = give_or_take(float(np.sqrt(np.median(levels.node_variances(len(levels.counts) - 1)))))
    assert f"a cell good to :blue[± {error}]" in said(app)


@pytest.mark.parametrize(("shares", "shape"), [(False, 1.25), (True, 200_000 / 120)])
def test_a_map_of_columns_without_a_common_unit_fills_its_frame(shares, shape):
    app = with_points(WIDE, box=((0.0, 200_000.0), (0.0, 120.0)))
    if shares:
        pick(app, m_share_unit=True)
    (ratio,) = {one["layout"]["yaxis"]["scaleratio"] for one in specs(app)[:1]}
    assert 200_000 / (120 * ratio) == pytest.approx(shape)


def test_places_of_a_sample_keep_their_scale():
    assert specs(opened("map"))[0]["layout"]["yaxis"]["scaleratio"] == 1.0


def test_a_file_with_one_column_is_told_why_the_map_shows_a_sample():
    app = at(uploaded("a.csv", b"a\n1\n2\n3\n", truth=False), "map")
    assert any("of your file only one is chosen. This is the sample Towns" in one.value
               for one in app.caption)  # fmt: skip
    assert not any("of your file" in one.value for one in opened("map").caption)


def test_the_true_median_stands_on_the_axis_of_one_person():
    app = pick(opened("neighbours", data="exam"), n_asks="quantile")
    marks = {one["name"]: decoded(one["x"]) for one in specs(app)[0]["data"]}
    column = sample_column("exam")
    truth = np.sort(column.values)[column.n // 2]
    assert list(marks["true median"]) == [truth]
    pick(app, truth=False)
    assert not any("true median" in {one["name"] for one in spec["data"]} for spec in specs(app))


def test_a_files_column_is_named_in_the_sentence_whatever_it_is_called():
    app = with_column(b"pay {} *x*,b\n1,1\n2,2\n3,3\n", 0, 9, 1, column="pay {} *x*", truth=False)
    assert "have at most :blue[" in said(app)
    assert "in pay () *x*" in said(app)
    app = at(app, "neighbours")
    assert "in pay () *x*" in text(app) or not app.exception
