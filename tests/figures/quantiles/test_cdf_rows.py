"""The picture of one release, by its data."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES
from dpviz.figures.quantiles.cdf_rows import answers_picture, errors_picture
from tests.figures.quantiles.releases import LOOKS, case, named, said
from tests.rows import by_rows

TITLE = "Share of the 6,000 students with at most this mark"


@pytest.mark.law
@by_rows("look", LOOKS, ids=lambda look: f"{look.screen}{look.presenting}")
@by_rows("key", ["exam", "hours", "salaries", "uniform", "ratings", "waiting"])
def test_plotly_takes_every_picture(key, look):
    one = case(key, DECILES)
    go.Figure(answers_picture(one.answers, one.curve, one.scale, TITLE, look))
    go.Figure(errors_picture(one.answers, one.scale, look))


def drawn(key="exam", quantiles=DECILES, look=LOOKS[0], **others):
    one = case(key, quantiles, **others)
    return one, answers_picture(one.answers, one.curve, one.scale, TITLE, look)


def test_dots_are_what_was_published_and_ticks_the_truth():
    one, picture = drawn()
    (dots,) = named(picture, "published", "x")
    (ticks,) = named(picture, "truth")
    np.testing.assert_array_equal(dots["x"], one.release.values)
    np.testing.assert_array_equal(dots["y"], DECILES)
    np.testing.assert_array_equal(ticks["x"], one.answers.truth)
    (sticks,) = named(picture, "errors", "x")
    np.testing.assert_array_equal(sticks["x"].reshape(-1, 3)[:, 0], one.answers.truth)
    np.testing.assert_array_equal(sticks["x"].reshape(-1, 3)[:, 1], one.release.values)


def test_the_staircase_is_the_true_cdf():
    one, picture = drawn()
    (curve,) = named(picture, "true CDF")
    up_to = one.column.count_up_to(curve["x"][1:-1]) / one.column.n
    np.testing.assert_allclose(curve["y"][1:-1], up_to)


def test_bands_hold_ninety_per_cent_of_the_draws():
    one, picture = drawn(runs=400)
    (bands,) = named(picture, "bands")
    low, high = bands["x"].reshape(-1, 3)[:, :2].T
    inside = (one.answers.draws >= low) & (one.answers.draws <= high)
    assert (inside.mean(axis=0) >= 0.9 - 1e-9).all()


def test_the_panel_shows_errors_in_the_unit_of_the_data():
    one, picture = drawn()
    (dots,) = named(picture, "published", "x2")
    reach = picture["layout"]["xaxis2"]["range"][1]
    np.testing.assert_array_equal(dots["x"], np.clip(one.answers.errors, -reach, reach))
    texts = picture["layout"]["xaxis2"]["ticktext"]
    assert any("truth" in text for text in texts)


def test_the_title_says_how_much_larger_the_panel_is():
    _, picture = drawn()
    arranged = picture["layout"]
    main, beside = arranged["xaxis"], arranged["xaxis2"]
    units = [np.diff(axis["domain"])[0] / np.diff(axis["range"])[0] for axis in (main, beside)]
    assert f"How far off, {units[1] / units[0]:.0f} times enlarged" in said(picture)
    assert "60 other draws" in said(picture)


def test_an_error_beyond_the_panel_is_an_arrowhead_at_its_edge():
    one = case("exam", QUARTILES)
    one.answers.published.flags.writeable = True
    one.answers.published[0] = one.answers.truth[0] - 30
    one.answers.published[2] = one.answers.truth[2] + 20
    picture = answers_picture(one.answers, one.curve, one.scale, TITLE, LOOKS[0])
    (dots,) = named(picture, "published", "x2")
    reach = picture["layout"]["xaxis2"]["range"][1]
    assert dots["x"][0] == -reach
    assert dots["x"][2] == reach
    assert dots["marker"]["symbol"][0] == "triangle-left"
    assert dots["marker"]["symbol"][1] == "circle"
    assert dots["marker"]["symbol"][2] == "triangle-right"


def test_words_stand_once_and_numbers_are_rounded_to_the_resolution():
    one, picture = drawn()
    texts = " ".join(said(picture))
    assert texts.count("published") == 1
    assert texts.count("true ") == 1
    for value in one.answers.truth:
        assert f"{value:.0f}" in texts


def test_many_quantiles_become_a_ribbon_without_sticks():
    one, picture = drawn(quantiles=PERCENTILES)
    assert named(picture, "errors") == []
    assert named(picture, "truth") == []
    ribbons = named(picture, "bands")
    assert [len(ribbon["x"]) for ribbon in ribbons] == [2 * 99, 2 * 99]
    assert all(ribbon["fill"] == "toself" for ribbon in ribbons)
    assert picture["layout"]["yaxis"]["tickvals"] == pytest.approx([0.1, 0.25, 0.5, 0.75, 0.9])
    assert one.answers.are_many


def test_a_phone_shows_the_main_panel_alone_and_the_errors_apart():
    one, picture = drawn(look=LOOKS[3])
    assert named(picture, "published", "x2") == []
    assert "xaxis2" not in picture["layout"]
    apart = errors_picture(one.answers, one.scale, LOOKS[3])
    (dots,) = named(apart, "published")
    np.testing.assert_array_equal(dots["y"], DECILES)


def test_presenting_makes_words_and_marks_larger():
    _, small = drawn()
    _, large = drawn(look=LOOKS[4])
    sizes = [one["font"]["size"] for one in large["layout"]["annotations"]]
    assert min(sizes) >= 20
    assert large["layout"]["xaxis"]["tickfont"]["size"] >= 18
    assert min(one["font"]["size"] for one in small["layout"]["annotations"]) >= 14.5
    assert named(large, "published", "x")[0]["marker"]["size"] == 18


def test_a_name_from_a_file_is_made_safe():
    one = case("exam", DECILES)
    scale = type(one.scale).of(one.release.values, one.column.bounds, 1.0, "<b>x</b>")
    picture = answers_picture(one.answers, one.curve, scale, TITLE, LOOKS[0])
    assert "<b>" not in picture["layout"]["xaxis"]["ticktext"][0]
