"""The Python lines of the Map page make the very cells on screen, and so do its downloads."""

import contextlib
import io
import json

import numpy as np
import pandas as pd
import pytest
import streamlit as st

import dpviz as dp
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.estimators.spatial.estimate import estimate
from dpviz.estimators.spatial.prune import prune
from dpviz.intake.samples import sample_points
from dpviz.reports.tables import map_csv
from dpviz.ui.kit.script import written
from dpviz.ui.spatial.cells import Drawn
from dpviz.ui.spatial.downloads import private_figure, private_side
from dpviz.ui.spatial.methods import MapChoice, medians, names
from tests.pages.driver import held, not_shown, opened, pick
from tests.pages.maps import with_points

PRIVATE = [name for name in names() if "not private" not in name]
FILE = "it's 2 columns.csv"


def made(app, folder, monkeypatch):
    """What the lines make, run in the folder that holds the file."""
    monkeypatch.chdir(folder)
    space = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(pick(app, map_view="take").code[0].value, "lines", "exec"), space)
    return space


def on_screen(app):
    """The releases that the page holds, by their mechanisms."""
    return {repr(key[1]): value for key, value in held(app).items() if key[0] == "map"}


def assert_same(app, space, names):
    drawn = on_screen(app)
    assert list(space["releases"]) == names
    for name in names:
        assert space["releases"][name] == drawn[repr(space["mechanisms"][name])]


@pytest.mark.few(3)
@pytest.mark.parametrize("method", PRIVATE)
def test_the_lines_make_the_cells_of_a_sample(method, tmp_path, monkeypatch):
    app = pick(opened("map"), m_method=method, m_height=4, seed=7)
    assert_same(app, made(app, tmp_path, monkeypatch), [method])


def test_the_lines_of_a_reference_import_what_is_not_public(tmp_path, monkeypatch):
    names = ["kd-true (not private)", "PrivTree"]
    app = opened("map")
    pick(app, m_method=names[0], m_second=names[1], m_height=3)
    assert_same(app, made(app, tmp_path, monkeypatch), names)


def test_the_lines_follow_every_setting(tmp_path, monkeypatch):
    app = pick(
        opened("map"),
        neighbours=Neighbours.REPLACE_ONE,
        notion="zcdp",
        rho_exact=0.2,
        m_second="quadtree, baseline",
        m_height=3,
        m_prune=True,
        m_threshold=400.0,
    )
    pick(app, towns_0_low=10.0, towns_0_high=70.0)
    space = made(app, tmp_path, monkeypatch)
    assert_same(app, space, ["quadtree, optimal", "quadtree, baseline"])
    for name, reading in space["readings"].items():
        expected = prune(estimate(space["releases"][name]), 400.0)
        np.testing.assert_array_equal(reading.levels.counts[-1], expected.levels.counts[-1])
    assert space["box"].x.low == 10


def test_the_lines_of_a_file_have_bits_of_their_own(tmp_path, monkeypatch, rng):
    written = [(f"{x:.3f}", f"{y:.3f}") for x, y in rng.random((300, 2))]
    rows = "\n".join(map(",".join, written))
    content = f"it's,b\n{rows}\n,0.5\n".encode()
    (tmp_path / FILE).write_bytes(content)
    app = with_points(content, FILE, ("it's", "b"), ((0.0, 1.0), (0.0, 1.0)))
    pick(app, m_height=2, m_method="kd-tree", m_second="uniform grid")
    for truth in (True, False):
        pick(app, truth=truth)
        space = made(app, tmp_path, monkeypatch)
        read = np.column_stack([space["points"].x, space["points"].y])
        np.testing.assert_array_equal(read, np.array(written, dtype=float))
        assert "rngs" not in space  # bits of their own without a word
        assert space["account"].spent == sum([space["budget"]] * 2)
        assert space["account"].left is None
        assert not_shown(app)
        drawn = on_screen(app)
        for name in ("kd-tree", "uniform grid"):
            on_page = drawn[repr(space["mechanisms"][name])]
            assert space["releases"][name] != on_page
            assert space["releases"][name].randomness == on_page.randomness == "secure"


@pytest.fixture
def add_remove(monkeypatch):
    monkeypatch.setattr(st, "session_state", {"data": "towns"})


@pytest.mark.few(3)
@pytest.mark.parametrize("budget", [PureDP(0.3), ZCDP(0.1)])
@pytest.mark.parametrize("median", ["cell", "exponential, 1 % sample", "noisy mean"])
def test_the_text_builds_equal_mechanisms(add_remove, budget, median):
    assert median in medians()
    choice = MapChoice(tuple(PRIVATE), 3, median, None, budget)
    for name in PRIVATE:
        mechanism = choice.mechanism(name, sample_points("towns").box)
        text = written(mechanism)
        assert eval(text, {"dp": dp}) == mechanism
        assert "<" not in text
        assert "np." not in text


def drawn(add_remove, name="quadtree, optimal", threshold=None):
    points = sample_points("towns")
    choice = MapChoice((name,), 3, "exponential", threshold, PureDP(0.5))
    mechanism = choice.mechanism(name, points.box)
    release = mechanism.release(points, PureDP(0.5), np.random.default_rng(3))
    reading = release
    if isinstance(release, SpatialRelease):
        reading = estimate(release)
        reading = reading if threshold is None else prune(reading, threshold)
    return Drawn(name, mechanism, release, reading, "k")


def read_csv(one):
    return pd.read_csv(io.StringIO(map_csv(one.reading)))


def test_the_csv_has_one_row_a_cell(add_remove):
    one = drawn(add_remove)
    table = read_csv(one)
    assert list(table.columns) == [
        "level", "node", "x_low", "x_high", "y_low", "y_high", "count", "variance",
    ]  # fmt: skip
    assert table["level"].value_counts().to_dict() == {3: 64, 2: 16, 1: 4, 0: 1}
    leaves = table[table["level"] == 3]
    np.testing.assert_allclose(leaves["count"], one.reading.levels.counts[3])
    np.testing.assert_allclose(
        leaves[["x_low", "x_high", "y_low", "y_high"]], one.release.level_boxes(3)
    )


def test_the_csv_leaves_out_what_was_pruned(add_remove):
    table = read_csv(drawn(add_remove, threshold=2_500.0))
    assert table.shape[0] < 85
    last = table.groupby("level").size()
    assert (last.loc[1:] % 4 == 0).all()


def test_the_csv_of_a_grid(add_remove):
    one = drawn(add_remove, "adaptive grid")
    table = read_csv(one)
    np.testing.assert_allclose(table["count"], one.release.counts)
    _, variances = range_counts(one.release, one.release.boxes)  # of each cell by itself
    np.testing.assert_allclose(table["variance"], variances)
    assert (table["variance"] < one.release.variances).mean() > 0.5  # before the fit to sums


def test_the_figure_to_take_away_holds_the_release_alone(add_remove):
    figure = json.loads(private_figure(private_side(drawn(add_remove))).to_json())
    assert [trace["name"] for trace in figure["data"]] == ["cells"]
    assert figure["layout"].get("images", []) == []
    notes = [note["text"] for note in figure["layout"]["annotations"]]
    assert notes[0] == "quadtree, optimal, private: 8 × 8 cells"
    assert not any("true" in note.lower() for note in notes)
