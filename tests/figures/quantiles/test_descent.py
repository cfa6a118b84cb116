"""The recursion's picture, by its data."""

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import DECILES, PERCENTILES
from dpviz.figures.quantiles.descent import APART, Inside, descent_picture, numbers
from dpviz.metrics.recursion import parts_of
from tests.figures.quantiles.releases import LOOKS, case, named, said
from tests.rows import grid


def drawn(key="exam", quantiles=DECILES, look=LOOKS[0], *, truth=True, chosen=None):
    one = case(key, quantiles)
    run = one.mechanism.trace(one.column, quantiles, PureDP(0.1), np.random.default_rng(1))
    parts = parts_of(run)
    inside = Inside(one.answers.truth, parts.sizes, parts.x, parts.height) if truth else None
    picture = descent_picture(
        one.release.recursion, one.release.values, inside, one.scale, look,
        first="the median", people="students", chosen=chosen,
    )  # fmt: skip
    return one, parts, picture


@pytest.mark.law
@grid(look=LOOKS, quantiles=[DECILES, PERCENTILES, [0.5]], truth=[True, False])
def test_plotly_takes_every_picture(quantiles, look, truth):
    go.Figure(drawn("hours", np.asarray(quantiles), look, truth=truth)[2])


def test_dots_are_drawn_values_and_ranges_end_where_earlier_values_cut():
    one, _, picture = drawn()
    recursion = one.release.recursion
    (dots,) = named(picture, "published")
    np.testing.assert_array_equal(dots["x"], recursion.value)
    np.testing.assert_array_equal(dots["y"], 1 - recursion.level)
    (ranges,) = named(picture, "ranges")
    ends = ranges["x"].reshape(-1, 3)
    np.testing.assert_array_equal(ends[:, 0], np.clip(recursion.low, 0, 100))
    np.testing.assert_array_equal(ends[:, 1], np.clip(recursion.high, 0, 100))
    (cuts,) = named(picture, "cuts")
    np.testing.assert_array_equal(cuts["x"].reshape(-1, 3)[:, 0], recursion.value)


def test_with_the_truth_off_nothing_but_the_release_is_drawn():
    one, parts, picture = drawn(truth=False)
    assert named(picture, "densities") == []
    assert named(picture, "truth") == []
    assert named(picture, "errors") == []
    texts = " ".join(said(picture))
    assert "students" not in texts
    for size in parts.sizes:
        assert f"{size:,.0f}" not in texts
    assert one.answers.truth is not None


def test_people_of_each_part_are_said_where_there_is_room():
    _, parts, picture = drawn()
    texts = said(picture)
    assert "6,000 students" in texts
    counts = {f"{size:,.0f}" for size in parts.sizes}
    assert any(text in counts for text in texts)


def test_the_chosen_node_wears_a_ring():
    _, _, plain = drawn()
    _, _, ringed = drawn(chosen=4)
    before, after = (
        named(one, "published")[0]["marker"]["line"]["width"] for one in (plain, ringed)
    )
    assert np.flatnonzero(np.asarray(before) != np.asarray(after)).tolist() == [4]


def test_step_one_is_named():
    _, _, picture = drawn()
    assert any("the median, drawn first" in text for text in said(picture))
    assert "Step 4" in picture["layout"]["yaxis"]["ticktext"][3]


@pytest.mark.few(5)
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.screen}{look.presenting}")
@pytest.mark.parametrize("quantiles", [DECILES, PERCENTILES], ids=["9", "99"])
def test_numbers_at_the_end_of_the_axis_stand_left_of_their_dots_and_apart(quantiles, look):
    one = case("exam", quantiles)
    recursion, scale = one.release.recursion, one.scale
    published = np.minimum(one.release.values + 20, 100)
    assert published[-1] == 100  # at the bound
    found = numbers(recursion, published, 1 - recursion.level, scale, look, "the median")
    need = 4 * APART * look.text(1) * (2.5 if look.phone else 1)
    spans: dict[float, list[tuple[float, float]]] = {}
    for note in found:
        at = scale.position(published[np.flatnonzero(recursion.value == note["x"])[0]])
        ends = (at - need, at) if note["xanchor"] == "right" else (at, at + need)
        assert ends[1] <= 1 + need / 2
        assert (note["xshift"] < 0) == (note["xanchor"] == "right")
        spans.setdefault(note["y"], []).append(ends)
    for row in spans.values():
        row.sort()
        assert all(one[1] <= other[0] + 1e-9 for one, other in pairwise(row))
    if quantiles is DECILES:
        assert [note["xanchor"] for note in found].count("right") == 1
