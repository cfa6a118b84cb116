"""The gallery's pictures: grains where the people are, nothing of them with the truth off."""

import json

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.intake.samples import load_sample, sample, samples
from dpviz.ui.data.grains import CELL, ON_A_MAP, columns_of, heights, in_a_box, over_an_axis
from dpviz.ui.data.pictures import FEW, SIZES, amount_of, picture_of
from dpviz.ui.data.words import SAID, a_value, listed
from dpviz.ui.kit.gallery.gallery import Card, Row, Shape, payload
from tests.rows import by_rows

KEYS = [one.key for one in samples()]


def grains_of(picture):
    (found,) = [one for one in picture["shapes"] if "grains" in one]
    return np.array(found["grains"], float).reshape(-1, 2) / 10


def said(picture):
    return [one["text"] for one in picture["shapes"] if "text" in one]


@by_rows("key", KEYS)
def test_so_many_grains_inside_the_card(key):
    picture = picture_of(key, people=True)
    places = grains_of(picture)
    few = sample(key).n if sample(key).n <= FEW else None  # a dot a person
    assert len(places) == few if few else 400 <= len(places) <= 5_200
    assert places.min() >= 0
    assert (places <= np.array(picture["box"]) + 0.1).all()


def test_all_twelve_weigh_at_most_350_kb():
    cards = [Card(k, "", "", picture_of(k, people=True)) for k in KEYS]
    assert len(cards) == 12
    assert len(json.dumps(payload([Row(cards)], "exam", Shape()))) <= 350_000


@by_rows("screen", SIZES)
@by_rows("key", KEYS)
def test_truth_off_shows_the_declaration_alone(key, screen):
    picture = picture_of(key, people=False, screen=screen)
    assert not any("grains" in one for one in picture["shapes"])
    bounds = next(one for one in samples() if one.key == key).bounds[0]
    assert amount_of(bounds.low) in " ".join(said(picture))
    assert not any("‹" in text or "›" in text for text in said(picture))


def test_bounds_that_lie_outside_the_view_say_so():
    assert said(picture_of("normal", people=True)) == ["‹ −100", "100 ›"]
    assert said(picture_of("salaries", people=True)) == ["0", "500,000 ›"]
    assert said(picture_of("exam", people=True)) == ["0", "100"]


def test_words_are_large_enough_where_they_are_shown():
    for screen in SIZES:
        shown = 166 / 192 if screen == "wide" else 1  # six cards on 1,280 px
        for key in KEYS:
            for one in picture_of(key, people=False, screen=screen)["shapes"]:
                assert one.get("size", 99) * shown >= 13.5 - 1e-9


def test_grains_stand_where_the_values_are():
    values = np.repeat([10.0, 20.0, 20.0, 80.0], 50)
    found = over_an_axis(values, Bounds(0, 100), 1, 300, 100)
    share = {round(float(x)) for x in np.round(found.x / 300, 1) * 100}
    assert share == {10, 20, 80}
    tallest = {k: (abs(found.x / 3 - k) < 5).sum() for k in (10, 20, 80)}
    assert tallest[10] == tallest[80] == tallest[20]  # the tallest is capped at the second


def test_a_column_for_each_step_or_for_several():
    assert columns_of(Bounds(0, 100), 1, 1_010)[1] == 1
    count, wide = columns_of(Bounds(0, 100), 1, 100)
    assert wide == 3
    assert count * wide >= 100
    count, wide = columns_of(Bounds(0, 1), 0, 250)
    assert count * wide == pytest.approx(1)
    assert wide * 250 >= CELL


def test_heights_are_capped_and_in_proportion():
    np.testing.assert_allclose(heights(np.array([1, 50, 100, 900]), 10), [0.1, 5, 10, 10])
    assert heights(np.array([3, 0, 0]), 10).tolist() == [10, 0, 0]
    assert heights(np.array([0, 0]), 10).tolist() == [0, 0]


def test_odd_values_draw_nothing():
    odd = np.array([np.nan, np.inf, -np.inf])
    assert over_an_axis(odd, Bounds(0, 1), 0, 100, 50).x.size == 0
    assert in_a_box(odd, odd, Box(Bounds(0, 1), Bounds(0, 1)), 10, 10).x.size == 0


def test_maps_show_some_of_the_points_at_their_places():
    x, y = load_sample("coast")
    found = in_a_box(x, y, Box(Bounds(0, 60), Bounds(0, 40)), 60, 40)
    assert found.x.size == ON_A_MAP
    places = {(round(float(a), 6), round(float(b), 6)) for a, b in zip(x, 40 - y, strict=True)}
    assert {
        (round(float(a), 6), round(float(b), 6)) for a, b in zip(found.x, found.y, strict=True)
    } <= places


def test_every_sample_has_words_that_agree_with_its_size():
    assert set(SAID) == set(KEYS)
    for one in samples():
        assert f"{one.n:,}" in SAID[one.key].behind
        assert load_sample(one.key)[0].size == one.n


def test_names_in_sentences():
    assert a_value("wage") == "a wage"
    assert a_value("age") == "an age"
    assert a_value("<b>x</b>") == "a value of “<b>x</b>”"
    assert a_value("Pages read") == "a value of “Pages read”"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert [amount_of(v) for v in (0, 0.5, -100, 250_000, 1e-3)] == [
        "0",
        "0.5",
        "−100",
        "250,000",
        "0.001",
    ]
