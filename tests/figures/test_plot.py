"""One call draws any release: its marks hold the private values, and nothing else is drawn."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

import dpviz as dp
from dpviz.core.errors import InvalidParameter
from dpviz.figures.plot import PICTURES, SURE
from tests.facade.every_release import CASES, EVERY
from tests.rows import by_rows

DRAWN = [(kind, one) for kind, one in CASES if type(one) in PICTURES]


def named(figure, name):
    """The coordinates of the marks of a name."""
    (mark,) = (one for one in figure.data if one.name == name)
    return np.asarray(mark.x, dtype=float), np.asarray(mark.y, dtype=float)


def texts(figure):
    return " ".join(note.text for note in figure.layout.annotations)


@pytest.mark.law
@by_rows(("kind", "release"), DRAWN, ids=[f"{kind} of {one.mechanism}" for kind, one in DRAWN])
def test_a_release_is_drawn_alone(kind, release):
    figure = dp.plot(release)
    assert isinstance(figure, go.Figure)
    assert len(figure.data) > 0
    assert figure.to_json() == dp.plot(dp.from_json(release.to_json())).to_json()
    assert not any(mark.name == "truth" for mark in figure.data)


def test_every_kind_is_drawn_or_refused_in_words():
    assert {kind for kind, _ in DRAWN} == EVERY.keys() - {
        "profile", "number", "unbounded-quantile", "bounds", "rank-check", "local-counts",
        "local-quantiles", "places",
    }  # fmt: skip
    for kind, release in CASES:
        if (kind, release) not in DRAWN:
            with pytest.raises(InvalidParameter, match="to_frame"):
                dp.plot(release)


def test_dots_are_the_published_quantiles():
    release = EVERY["quantiles"][0]
    found = [
        (float(x), float(y))
        for mark in dp.plot(release).data
        if mark.mode == "markers"
        for x, y in zip(mark.x, mark.y, strict=True)
    ]
    assert set(zip(release.values, release.quantiles, strict=True)) <= set(found)


@pytest.mark.parametrize("release", EVERY["tree"], ids=lambda one: f"{one.root}")
def test_a_tree_has_the_curve_of_least_squares_and_its_band(release):
    figure, curve = dp.plot(release), dp.cdf(dp.estimate(release))
    x, y = named(figure, "as read")
    np.testing.assert_allclose(x, curve.edges)
    np.testing.assert_allclose(y, curve.counts)
    x, y = named(figure, "each")
    half = 2 * curve.below_error(curve.edges)
    np.testing.assert_allclose(y[: curve.edges.size], curve.counts - half, atol=1e-6)
    np.testing.assert_allclose(y[curve.edges.size :][::-1], curve.counts + half, atol=1e-6)
    assert SURE in texts(figure)


@pytest.mark.parametrize("release", EVERY["prefixes"], ids=lambda one: f"{one.bins} bins")
def test_running_counts_are_drawn_with_two_standard_errors(release):
    figure = dp.plot(release)
    x, y = named(figure, "as read")
    np.testing.assert_allclose(x, release.edges)
    np.testing.assert_allclose(y, [0, *release.counts])
    _, band = named(figure, "each")
    np.testing.assert_allclose(band[1 : x.size], release.counts - 2 * release.standard_errors)


def test_buckets_are_steps():
    (release,) = EVERY["buckets"]
    _, y = named(dp.plot(release), "buckets")
    np.testing.assert_allclose(y, np.repeat(release.spread, 2))


@pytest.mark.parametrize("release", EVERY["histogram"])
def test_bins_are_steps_as_wide_as_they_are(release):
    x, y = named(dp.plot(release), "buckets")
    np.testing.assert_allclose(y, np.repeat(release.counts, 2))
    np.testing.assert_allclose(x, np.repeat(release.edges, 2)[1:-1])


def test_a_map_is_coloured_by_its_leaves_after_least_squares():
    release = EVERY["spatial"][0]
    figure = dp.plot(release)
    (mark,) = (one for one in figure.data if one.name == "cells")
    best = dp.estimate(release).levels.counts[-1]
    assert sorted(np.ravel(mark.customdata if mark.customdata is not None else mark.z)) == (
        pytest.approx(sorted(best))
    )
    assert "Private: 16 cells" in texts(figure)


def test_a_tree_with_many_leaves_is_drawn_by_some_of_its_edges():
    column = dp.Column.from_values(range(100), dp.Bounds(0, 100), 1)
    release = dp.CountTree(2, 12).release(column, dp.PureDP(1), np.random.default_rng(1))
    assert named(dp.plot(release), "as read")[0].size == 1025


def test_a_tree_without_leaves_is_refused():
    release = EVERY["tree"][0]
    scales = (*release.scales[:-1], np.inf)
    hidden = replace(release, tree=replace(release.tree, scales=scales))
    assert set(hidden.to_frame()["level"]) == {0, 1, 2}
    with pytest.raises(InvalidParameter, match="not released"):
        dp.plot(hidden)
    with pytest.raises(InvalidParameter, match="not released"):
        dp.range_counts(hidden, [0, 30])
    with pytest.raises(InvalidParameter, match="not released"):
        dp.range_counts(dp.estimate(hidden), [0, 30])
