"""The controls behind three statements of PSD: points that differ in one property."""

import numpy as np
import pytest

from dpviz.core.data.points import Points
from dpviz.experiments.papers import psd_points
from dpviz.experiments.papers.psd_points import CONTROLS, PAIRS, Control, address_points
from dpviz.experiments.papers.roads import road_points

NAMED = {one.name: one for one in CONTROLS}


def drawn(control, n=4_000, seed=3):
    made = Control(control.name, n, control.shares, control.towns)
    return made.points(np.random.default_rng(seed))


def filled(points, cells=64):
    """Which share of 64 × 64 cells of the box holds a point."""
    box = points.box
    across, up = (
        np.minimum((values - one.low) / one.width * cells, cells - 1).astype(int)
        for values, one in ((points.x, box.x), (points.y, box.y))
    )
    return len(set(zip(across.tolist(), up.tolist(), strict=True))) / cells**2


@pytest.mark.law
def test_the_usual_shares_and_towns_are_the_points_of_the_figures():
    usual = road_points(np.random.default_rng(1), 500)
    mixed = Control("roads", 500, psd_points.SHARES).points(np.random.default_rng(1))
    np.testing.assert_array_equal(usual.x, mixed.x)
    np.testing.assert_array_equal(usual.y, mixed.y)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", list(NAMED))
def test_a_control_has_as_many_points_as_it_says_inside_the_box(name):
    points = drawn(NAMED[name])
    assert isinstance(points, Points)
    assert points.n == 4_000
    assert points.box == psd_points.PAPER_BOX
    said = name.rsplit(", ", maxsplit=1)[-1]
    n = NAMED[name].n
    assert said == ("1.63 million" if n == 1_630_000 else f"{n:,}")


@pytest.mark.law
def test_controls_differ_in_what_they_are_named_after():
    even, roads, towns, forty, lines = (
        filled(drawn(NAMED[name]))
        for name in (psd_points.EVEN_FEW, psd_points.ROADS_FEW,
                     psd_points.TOWNS_ONLY, psd_points.FORTY, psd_points.LINES_ONLY)
    )  # fmt: skip
    assert even > 2 * roads
    assert forty < towns / 2
    assert lines != towns


def test_pairs_differ_in_one_field_alone():
    for name, pairs in PAIRS.items():
        for one, other in pairs:
            a, b = NAMED[one], NAMED[other]
            differing = [
                field for field in ("n", "shares", "towns")
                if getattr(a, field) != getattr(b, field)
            ]  # fmt: skip
            assert len(differing) == 1, (name, one, other)
            assert (differing == ["n"]) == (name == "the number of points")


def test_without_the_file_there_are_no_addresses(tmp_path):
    assert address_points(tmp_path) is None
    assert address_points(None) is None


def test_the_addresses_enter_as_they_are(shared_data):
    points = address_points(shared_data)
    assert points is not None
    assert points.n == 123_593
    rows = (shared_data / psd_points.FILE).read_text().split("\n")
    assert [points.x[0], points.y[0]] == [float(one) for one in rows[1].split(",")]


@pytest.mark.thorough
def test_addresses_move_no_other_set(monkeypatch):
    monkeypatch.setattr(psd_points, "CONTROLS", (Control("few", 3_000, psd_points.TOWNS_ALONE),))
    for name, few in {
        "QUERIES": 20,
        "DRAWS": 2,
        "ENDS": (0.5,),
        "LOW": 2,
        "USUAL": 3,
        "TALL": 4,
    }.items():
        monkeypatch.setattr(psd_points, name, few)
    extra = Control("else", 2_000).points(np.random.default_rng(0))
    without = psd_points.on_other_points(None, np.random.default_rng(4))
    beside = psd_points.on_other_points(extra, np.random.default_rng(4))
    assert set(beside["points"]) == {"few", psd_points.ADDRESSES}
    own = beside[beside["points"] == "few"].reset_index(drop=True)
    assert own.equals(without)
    assert (own["n"] == 3_000).all()
    labels = ["method", "height", "epsilon", "shape"]
    first, second = (own[own["draw"] == draw].set_index(labels)["mean"] for draw in (0, 1))
    assert first.index.equals(second.index)
    assert (first != second).mean() > 0.9  # drawn anew
