"""The map itself: beside the truth or a second map, or alone with the answer on a card."""

from collections.abc import Hashable

import streamlit as st

from dpviz.answers.spatial import cells, cells_said, maps, outsider_said
from dpviz.answers.spatial import rectangle_said as said
from dpviz.answers.spatial.maps import MapNumbers
from dpviz.answers.spatial.names import count
from dpviz.answers.spatial.rectangle_said import interval_title
from dpviz.core.bounds import Box
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.spatial.interval import HIGH, interval_picture
from dpviz.figures.spatial.pictures import Side, pair_picture, private_picture, two_picture
from dpviz.ui.bench.hero import drawn
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, card_table, release_card, which_rows
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.messages import problem
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.spatial import rectangle, words
from dpviz.ui.spatial.downloads import file_of
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.reading import depth_of, reading_of
from dpviz.ui.spatial.sides import side_of, truth_of
from dpviz.ui.visit.page import Visit

LEAST = 440  # px that each of two maps needs; on a low window the height decides
LOW_HEIGHT = 376  # px of a map in a window of 720
PHONE_WIDTH, PHONE_TITLE = 358, 34
TALLEST, TITLE = 560, 40  # px of the map that stands alone on a phone, and of its title


def key(page: MapPage, values: Values) -> Hashable:
    """What the numbers depend on."""
    where = rectangle.asked_of(values, page.box)
    return page.key, depth_of(values), None if where is None else tuple(where)


def numbers(page: MapPage, values: Values) -> MapNumbers:
    """Answers and cells of every method that is shown."""
    return maps.answer(page.questions(values), [page.exact(one) for one in page.shown])


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


def height_alone(page: MapPage, values: Values) -> int:
    """Pixels of the map that stands alone on a phone."""
    aspect = reading_of(values, page.box).aspect
    high = round(PHONE_WIDTH * page.box.y.width * aspect / page.box.x.width) + TITLE
    return min(high, TALLEST)


def card(shown: Shown[MapPage, MapNumbers]) -> None:
    """The answer on an axis of its own, and everything that may be known of the release."""
    page, now, (answer,), found = shown.asked, shown.now, shown.numbers.answers, shown.numbers.alone
    assert found is not None
    (one,) = page.shown
    title = interval_title(answer, words.page_voice())
    high = round(now.look.text(_high(now)))
    drawn(interval_picture(answer, now.look, title), "interval", title, height=high)
    key = ("json", one.key)
    taken: Taken | None = Taken(
        lambda: memory.remembered(key, one.release.to_json), f"{file_of(one)}.json"
    )
    spent = page.draw.spent(page.choice.budget)
    relation = which_rows(outsider_said.RELATIONS[found.cells.neighbours])
    rows = outsider_said.card(answer, found, words.names(), spent, session.protected(), relation)
    if now.presenting:  # what can be read from afar, and no buttons
        rows, taken = [row for row in rows if row[0] not in outsider_said.FAR], None
    else:
        rows.append((DRAWN, DRAWN_FROM[one.release.randomness]))
    colour = now.look.ink.private
    release_card("Release", rows, taken, private=count(answer.private), colour=colour)


def _high(now: Visit) -> int:
    """Pixels of the interval before presenting: a low window has few."""
    return HIGH if now.look.screen != "low" or now.presenting else HIGH - 22
