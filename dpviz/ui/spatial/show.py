"""The map itself: truth beside private cells, two methods, and the release that an outsider sees."""

from __future__ import annotations

import streamlit as st

from dpviz.core.bounds import Box
from dpviz.figures.kit.picture import Picture
from dpviz.figures.spatial import sentences
from dpviz.figures.spatial.answer import Answer, count, give_or_take
from dpviz.figures.spatial.interval import HIGH, interval_picture
from dpviz.figures.spatial.pictures import Side, pair_picture, private_picture, two_picture
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import drawn, hero
from dpviz.ui.bench.release import card_table
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit.messages import plain, problem
from dpviz.ui.spatial import words
from dpviz.ui.spatial.answers import all_numbers, answer_of, cell_error, sure_share
from dpviz.ui.spatial.asked import Asked
from dpviz.ui.spatial.cells import Drawn
from dpviz.ui.spatial.outside import release_view, save_slide
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.rectangle import selecting
from dpviz.ui.spatial.sides import side_of, truth_of
from dpviz.ui.visit.page import Visit

PAGE = "Map"
LEAST = 440  # px that each of two maps needs; on a low window the height decides
LOW_HEIGHT = 376  # px of a map in a window of 720
PHONE_WIDTH, PHONE_TITLE = 358, 34


def map_panel(page: MapPage, asked: Asked, now: Visit) -> None:
    """One method beside the truth, or two beside each other; a release without the truth."""
    depth = asked.depth(max(one.height for one in page.shown))
    answers = [answer_of(page, one, asked.rectangle) for one in page.shown]
    sides = [
        side_of(page, one, answer, depth, asked.reading, now.look)
        for one, answer in zip(page.shown, answers, strict=True)
    ]
    _numbers(page, asked, depth, answers)
    if page.truth is None and len(sides) == 1:
        release_view(page, asked, now, depth, sides[0])
        return
    if len(sides) == 2:
        _two(page, asked, now, sides, answers)
    else:
        _one(page, asked, now, sides[0], answers[0])
    strip(now, _items(page, depth, answers), _chips(page, asked), ledger=now.truth)


def _one(page: MapPage, asked: Asked, now: Visit, side: Side, answer: Answer) -> None:
    voice = words.page_voice()
    headline(PAGE, sentences.finding(answer, voice), _second(page, sentences.why(answer, voice)))
    _refusals(page)
    save_slide(asked, now, "map", sentences.finding(answer, voice))
    alt = f"{sentences.finding(answer, words.plain_voice())} {sentences.why(answer, voice)}"
    look, aspect = now.look, asked.reading.aspect
    if look.screen == "low" and LOW_HEIGHT * _shape(page.box, aspect) < LEAST:
        left, right = st.columns((52, 48), gap="medium")
        with left:
            _hero(private_picture(side, look, aspect), page, now, alt, aspect)
        with right:
            _beside(answer, now)
        return
    _hero(pair_picture(truth_of(page, look.ink.truth), side, look, aspect), page, now, alt, aspect)


def _two(page: MapPage, asked: Asked, now: Visit, sides: list[Side], answers: list[Answer]) -> None:
    named = [(one.name, answer) for one, answer in zip(page.shown, answers, strict=True)]
    marked = [(plain(name), answer) for name, answer in named]
    finding = sentences.two_findings(marked, words.page_voice())
    headline(PAGE, finding, _second(page, sentences.two_reasons(marked)))
    _refusals(page)
    save_slide(asked, now, "map", finding)
    picture = two_picture(sides[0], sides[1], now.look, asked.reading.aspect)
    alt = sentences.two_findings(named, words.plain_voice())
    _hero(picture, page, now, alt, asked.reading.aspect, stacked=2)


def _second(page: MapPage, line: str) -> str:
    """The second line; what is not protected is said first."""
    unsafe = page.unprotected
    return f"**Not private: {plain('; '.join(unsafe))}.** {line}" if unsafe else line


def _refusals(page: MapPage) -> None:
    for text in page.refused:
        problem(text)


def _hero(
    picture: Picture, page: MapPage, now: Visit, alt: str, aspect: float, *, stacked: int = 0
) -> None:
    """The picture; a box drawn on any of its maps becomes the rectangle."""
    key = "map"
    if not now.look.phone:
        hero(picture, key, alt, slides="map", scroll=True, **selecting(key))
        return
    maps = stacked or (2 if page.truth else 1)
    high = min(PHONE_WIDTH / _shape(page.box, aspect), 1.4 * PHONE_WIDTH)
    drawn(
        picture, key, alt, slides="map", height=round(maps * (high + PHONE_TITLE)), **selecting(key)
    )


def _shape(box: Box, aspect: float) -> float:
    """How many times as wide as high a map is."""
    return box.x.width / (box.y.width * aspect)


def _beside(answer: Answer, now: Visit) -> None:
    """The answer on an axis of its own, where two maps would be too small."""
    people = words.people().many
    title = f"{sentences.upper(people)} {sentences.where(answer)}, about 19 times in 20"
    picture = interval_picture(answer, now.look, title)
    drawn(picture, "interval", title, height=HIGH + 22)
    assert answer.off is not None
    rows = [
        ("Private", f"{count(answer.private)} ± {give_or_take(answer.error)}"),
        ("True", count(answer.off.truth)),
        ("From the noise", count(answer.off.noise)),
        ("From cut cells", count(answer.off.uniformity)),
    ]
    with st.container(border=True, key="release_card"):
        st.html(card_table(rows))


def _items(page: MapPage, depth: int, answers: list[Answer]) -> list[tuple[str, str]]:
    """The numbers of the strip; two methods share each item."""
    errors = " and ".join(f"± {give_or_take(answer.error)}" for answer in answers)
    cells = " and ".join(f"± {give_or_take(cell_error(one, depth))}" for one in page.shown)
    unsure = " and ".join(sure_share(one, depth, sure=False) for one in page.shown)
    many = len(answers) > 1
    return [
        ("standard errors of the answers" if many else "standard error of the answer", errors),
        ("of one cell", cells),
        ("cells that say nothing sure", unsure),
    ]


def _chips(page: MapPage, asked: Asked) -> list[str]:
    found = ["not private"] if page.unprotected else []
    choice = asked.choice
    if choice.prune is not None:
        found.append(f"pruned at {choice.prune:g}")
    return found


def _numbers(page: MapPage, asked: Asked, depth: int, answers: list[Answer]) -> None:
    """Every number of each method, in the dock."""
    with asked.numbers:
        if page.truth is not None:
            st.caption(_people(page))
        for one, answer in zip(page.shown, answers, strict=True):
            _numbers_of(page, one, depth, answer)


def _numbers_of(page: MapPage, one: Drawn, depth: int, answer: Answer) -> None:
    rows = all_numbers(page, one, depth, answer)
    lines = [f"- {plain(name)}: **{plain(text)}**" for name, text in rows]
    st.markdown("\n".join([f"**{plain(one.name)}**", "", *lines]))


def _people(page: MapPage) -> str:
    """How many points there are, and what became of some. Confidential."""
    points = page.points
    parts = [words.people().after(f"{points.n:,}")]
    if points.clipped:
        parts.append(f"{points.clipped:,} moved to the edge of the box")
    if points.dropped:
        parts.append(f"{points.dropped:,} without a place left out")
    return ", ".join(parts)
