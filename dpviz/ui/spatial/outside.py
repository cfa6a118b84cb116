"""The page that an outsider sees: the private map, the answer with its margin, the release card."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.spatial.cells import Cells
from dpviz.figures.spatial import sentences
from dpviz.figures.spatial.answer import CERTAIN, Answer, count, give_or_take
from dpviz.figures.spatial.interval import HIGH, interval_picture
from dpviz.figures.spatial.pictures import Side, private_picture
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import drawn, hero
from dpviz.ui.bench.once import once_button
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, release_card, which_rows
from dpviz.ui.bench.slides import slides
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.kit.messages import problem
from dpviz.ui.spatial import words
from dpviz.ui.spatial.answers import cell_error, sure_share
from dpviz.ui.spatial.asked import Asked
from dpviz.ui.spatial.cells import Drawn, final_of
from dpviz.ui.spatial.downloads import file_of
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.rectangle import selecting
from dpviz.ui.visit.page import Visit

RELATIONS = {
    Neighbours.ADD_REMOVE: "one person joins or leaves; how many there are stays secret",
    Neighbours.REPLACE_ONE: "one person moves elsewhere; how many there are is public",
}


UNREAD = {"In one cell", "Neighbours", "Method", DRAWN}  # rows that a room is not shown


def release_view(page: MapPage, asked: Asked, now: Visit, depth: int, side: Side) -> None:
    """The picture at the left; the answer and everything that may be known of it at the right."""
    one, answer = page.shown[0], side.answer
    assert answer is not None
    voice = words.page_voice()
    headline("Map", sentences.released(answer, voice), sentences.left_out(voice))
    save_slide(asked, now, "release", sentences.released(answer, voice))
    for text in page.refused:
        problem(text)
    picture = private_picture(side, now.look, asked.reading.aspect)
    alt = sentences.released(answer, words.plain_voice())
    if now.look.phone:
        high = round(358 * page.box.y.width * asked.reading.aspect / page.box.x.width) + 40
        drawn(picture, "map", alt, slides="map", height=min(high, 560), **selecting("map"))
        _card(page, one, answer, depth, now)
    else:
        left, right = st.columns((52, 48), gap="medium")
        with left:
            hero(picture, "release", alt, slides="map", scroll=True, **selecting("release"))
        with right:
            _card(page, one, answer, depth, now)
    items = [
        ("cells that are sure", sure_share(one, depth, sure=True)),
        ("what this view holds", "only what may be published"),
        ("records on screen", "0"),
    ]
    strip(now, items, badge=False)


def save_slide(asked: Asked, now: Visit, hero_key: str, sentence: str) -> None:
    """Buttons that save the picture as a slide, among what is chosen of its look."""
    if now.look.phone:  # its pictures are made for the phone
        return
    with asked.save:
        st.caption("Save the picture as a slide, 1920 × 1080:")
        slides(now, hero_key, sentence, "map")


def _card(page: MapPage, one: Drawn, answer: Answer, depth: int, now: Visit) -> None:
    title = (
        f"{sentences.upper(words.people().many)} {sentences.where(answer)}, about 19 times in 20"
    )
    high = round(now.look.text(_high(now)))
    drawn(interval_picture(answer, now.look, title), "interval", title, height=high)
    key = ("json", one.key)
    taken: Taken | None = Taken(
        lambda: memory.remembered(key, one.release.to_json), f"{file_of(one)}.json"
    )
    rows = _rows(page, one, answer, depth)
    if now.presenting:  # what can be read from afar, and no buttons
        rows, taken = [row for row in rows if row[0] not in UNREAD], None
    colour = now.look.ink.private
    final = final_of(one.mechanism, one.release, page.choice.budget, page.points, page.draw)
    once = None if now.presenting else partial(once_button, final, "card")
    release_card("Release", rows, taken, private=count(answer.private), colour=colour, once=once)


def _high(now: Visit) -> int:
    """Pixels of the interval before presenting: a low window has few."""
    return HIGH if now.look.screen != "low" or now.presenting else HIGH - 22


def _rows(page: MapPage, one: Drawn, answer: Answer, depth: int) -> list[tuple[str, str]]:
    """Everything that may be known of the release, in words and texts."""
    people, budget = words.people(), page.draw.spent(page.choice.budget)
    where = "In the rectangle" if answer.rectangle is not None else "In all"
    margin = give_or_take(CERTAIN * cell_error(one, depth))
    return [
        ("What", f"a map of {words.extent(page.box)}: how many {people.many} {people.are} where"),
        (where, f"{count(answer.private)}, about 19 times in 20 {sentences.between(answer)}"),
        ("In one cell", f"± {margin} {people.many}"),
        ("Promise", promise(budget)),
        ("Neighbours", which_rows(RELATIONS[one.release.neighbours])),
        ("Method", method_text(one)),
        ("Spent", f"{budget}, for good"),
        (DRAWN, DRAWN_FROM[one.release.randomness]),
    ]


def promise(budget: Budget) -> str:
    """What the budget promises everybody, as odds; rounded up."""
    if isinstance(budget, ZCDP):
        return f"{budget}: zero-concentrated; what anybody adds to the map is drowned in its noise"
    factor = math.exp(min(budget.epsilon, 700.0))
    times = f"{math.ceil(100 * factor) / 100:,.2f}" if factor < 1000 else "1,000 and more"
    said = f"with or without any one person, no map is more than {times} times as likely"
    if isinstance(budget, ApproxDP):
        return f"{budget}: {said}, except with chance {budget.delta:g}"
    assert isinstance(budget, PureDP)
    return f"{budget}, pure: {said}"


def method_text(one: Drawn) -> str:
    """The method, its levels, and how many numbers were published."""
    name = one.name
    combined = ", combined" if one.reading is not one.release else ""
    levels = "" if isinstance(one.release, Cells) else f" {one.height + 1} levels,"
    return f"{name}:{levels} {one.noisy_counts:,} noisy counts{combined}"
