"""The map itself: truth beside private cells, or two methods, and the answer to the rectangle."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from dpviz.answers.said import Said
from dpviz.answers.spatial import cells, cells_said, maps, maps_said
from dpviz.answers.spatial import rectangle_said as said
from dpviz.answers.spatial.maps import MapNumbers
from dpviz.core.bounds import Box
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.spatial.interval import HIGH, interval_picture
from dpviz.figures.spatial.pictures import Side, pair_picture, private_picture, two_picture
from dpviz.ui.bench.hero import drawn
from dpviz.ui.bench.release import card_table
from dpviz.ui.kit.messages import problem
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.spatial import rectangle, words
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.reading import depth_of, reading_of
from dpviz.ui.spatial.sides import side_of, truth_of

LEAST = 440  # px that each of two maps needs; on a low window the height decides
LOW_HEIGHT = 376  # px of a map in a window of 720
PHONE_WIDTH, PHONE_TITLE = 358, 34


def key(page: MapPage, values: Values) -> Hashable:
    """What the numbers depend on."""
    where = rectangle.asked_of(values, page.box)
    return page.key, depth_of(values), None if where is None else tuple(where)


def numbers(page: MapPage, values: Values) -> MapNumbers:
    """Answers and cells of every method that is shown."""
    return maps.answer(page.questions(values), [page.exact(one) for one in page.shown])


def say(page: MapPage, found: MapNumbers) -> Said:
    """What they tell of the rectangle."""
    return maps_said.say(found, words.page_voice(), page.choice.prune)


def slider(_: MapPage, found: MapNumbers) -> Values | None:
    """The levels that may be drawn, where there are several."""
    return {"deepest": found.deepest} if found.deepest else None


def draw_pair(page: MapPage, found: MapNumbers, values: Values, look: Look) -> Picture:
    """The true points beside one private map."""
    (side,) = _sides(page, found, values, look)
    aspect = reading_of(values, page.box).aspect
    return pair_picture(truth_of(page, look.ink.truth), side, look, aspect)


def draw_two(page: MapPage, found: MapNumbers, values: Values, look: Look) -> Picture:
    """Two private maps beside each other."""
    first, second = _sides(page, found, values, look)
    return two_picture(first, second, look, reading_of(values, page.box).aspect)


def draw_one(page: MapPage, found: MapNumbers, values: Values, look: Look) -> Picture:
    """One private map alone."""
    (side,) = _sides(page, found, values, look)
    return private_picture(side, look, reading_of(values, page.box).aspect)


def is_low(page: MapPage, values: Values, look: Look) -> bool:
    """Whether a low window leaves two maps too little width."""
    aspect = reading_of(values, page.box).aspect
    return look.screen == "low" and LOW_HEIGHT * _shape(page.box, aspect) < LEAST


def height(page: MapPage, values: Values) -> int:
    """Pixels of two maps on a phone, one below the other."""
    aspect = reading_of(values, page.box).aspect
    high = min(PHONE_WIDTH / _shape(page.box, aspect), 1.4 * PHONE_WIDTH)
    return round(2 * (high + PHONE_TITLE))


def _shape(box: Box, aspect: float) -> float:
    """How many times as wide as high a map is."""
    return box.x.width / (box.y.width * aspect)


def _sides(page: MapPage, found: MapNumbers, values: Values, look: Look) -> list[Side]:
    reading = reading_of(values, page.box)
    each = zip(page.questions(values), found.answers, found.cells, strict=True)
    return [side_of(page, *one, reading, look) for one in each]


def refusals(shown: Shown[MapPage, MapNumbers]) -> None:
    """Which methods are left out, and why."""
    for text in shown.asked.refused:
        problem(text)


def beside(shown: Shown[MapPage, MapNumbers]) -> None:
    """The answer on an axis of its own, where two maps would be too small."""
    (answer,), (found,) = shown.numbers.answers, shown.numbers.cells
    title = said.interval_title(answer, words.page_voice())
    picture = interval_picture(answer, shown.now.look, title)
    drawn(picture, "interval", title, height=HIGH + 22)
    with st.container(border=True, key="release_card"):
        st.html(card_table(said.card(answer, private=not found.exact)))


def all_numbers(shown: Shown[MapPage, MapNumbers]) -> None:
    """Every number of each method."""
    page, found = shown.asked, shown.numbers
    if page.truth is not None:
        st.caption(cells_said.points_text(cells.points_of(page.points), words.names()))
    for both in zip(found.answers, found.cells, strict=True):
        st.markdown(cells_said.all_numbers(*both))
