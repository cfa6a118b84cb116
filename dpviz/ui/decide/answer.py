"""The page's first tab: the sentence, what it buys and risks, its place among budgets, the button.

Nothing is spent before that button; then the page is the release.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.decide import price_said, risk, tank
from dpviz.answers.decide.budget import rail, unfolded
from dpviz.answers.decide.sentences import CELLS, WHAT, form_of
from dpviz.answers.said import NOTICE
from dpviz.figures.decide import rail as rail_picture
from dpviz.figures.decide import risks as risks_picture
from dpviz.figures.decide import tank as tank_picture
from dpviz.figures.decide import unfolded as unfolded_picture
from dpviz.ui import visitor
from dpviz.ui.bench import budget as budgets
from dpviz.ui.bench import ledger
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.bench.hero import drawn
from dpviz.ui.bench.release import OFF
from dpviz.ui.decide import button, deciding, inside, offers, published, stand_ins, words
from dpviz.ui.decide.component.drawing import beside, copy_link, drawing, heading, section
from dpviz.ui.decide.component.sentence import sentence
from dpviz.ui.decide.deciding import Decision
from dpviz.ui.decide.topics import PICTURE, Shown
from dpviz.ui.kit import session
from dpviz.ui.links import arriving
from dpviz.ui.model import fields
from dpviz.ui.model.fields import Field, Values
from dpviz.ui.visit import folded, state
from dpviz.ui.visit.page import Visit

RAIL, NARROW, PRESENTED, PHONE = 1_110, 720, 1_180, 320  # px
WIDE_MORE, HEIGHT = 320, 16  # px of More, and of the dock on a phone
PLOT_HIGH, MAP_HIGH = 290, 600  # px of pictures on a phone, and of two maps
NO_FRONTIER = "The frontier begins with a need that is more than nothing."
RISKS = "WHAT IT RISKS"
LAST = "_decide_last"  # the picture that was shown, and of what
REHEARSAL = "would be spent, for good"
LOOKED = (
    "The truth of this file is on screen. A promise holds for settings that were chosen before "
    "anybody looked: what is chosen after a look, at the truth or at other draws, is not covered."
)


def first_word_of_link() -> str | None:
    """The first word that a link opens with, where it decides."""
    if not fields.reads_link("decide"):
        return None
    texts = arriving.linked("what")
    return texts[0] if len(texts) == 1 and texts[0] in WHAT else None


def draw(now: Visit, values: Values, rows: Mapping[str, Field]) -> None:
    """All that moves with a word, in few elements: each one costs a message."""
    found = deciding.of(values, now)
    is_unfolded = now.view == inside.FRONTIER.view and found.price is not None
    _sentence(found, now, values, rows, inside.FRONTIER.view if is_unfolded else "")
    rail = "" if now.look.phone and not is_unfolded else _rail(found, now)
    if is_unfolded:
        drawing("decide_drawn", rail)
    else:
        _buys(found, now, _risks(found, now), rail)
    if found.released is not None and not now.presenting:
        published.words_of_report(found)
    if now.look.phone and not now.presenting:
        button.draw(found, now, lambda: _more(found, now, values, rows))
    else:
        button.draw(found, now)
    deciding.check(found)


def _sentence(
    found: Decision, now: Visit, values: Values, rows: Mapping[str, Field], here: str
) -> None:
    under = "" if now.presenting else _under(found, now)
    near = _nearest(found)
    told = sentence(
        "decide_sentence",
        words.said(rows, values, found.words() | {"under": under, "near": list(near)}),
        lambda changed, last: words.take(rows, values, changed, last),
        present=now.presenting,
        ways=None if now.presenting else inside.ways(found, here),
        on_near=lambda name: state.store().update(near[name]),
    )
    inside.follow(told, found, here)


def _under(found: Decision, now: Visit) -> str:
    """The line below the sentence: the method, and what speaks against going on."""
    said = found.method(brief=now.look.phone)
    if not session.is_upload() or found.released is not None or found.budget is None:
        return said
    if found.tank.is_too_low:
        said = f"{said} **{price_said.too_low(found.tank.left, found.budget.size)}**"
    return f"{said} **{LOOKED}**" if now.truth else said


def _nearest(found: Decision) -> Mapping[str, Mapping[str, Any]]:
    """Sentences near one that cannot be kept, or not with what is left of a file's promise."""
    if found.final is not None and found.final.released is not None:
        return {}  # it is shown again for nothing
    return found.nearest(found.tank.left if session.is_upload() else None)


def _buys(found: Decision, now: Visit, risks: str, rail: str) -> None:
    """What it buys, beside what it risks; the style of the page puts the picture below its finding."""
    if found.offered is not None:
        drawing("decide_drawn", risks, rail)
        offers.table(list(found.offered))
        return
    shown = _shown(found, now)
    scarce = now.presenting or now.look.phone
    title = "WHAT IS PUBLISHED" if found.released is not None else "WHAT IT BUYS"
    finding, second = (line(brief=scarce) for line in (shown.finding, shown.second))
    is_made_up = found.is_made_up and not now.presenting
    second = "" if now.presenting or is_made_up else second
    above = heading(now.look.ink.private, title, finding, second, large=now.presenting)
    drawing("decide_drawn", section(_pale("buys", found), above=above), risks, rail)
    if is_made_up and not found.wrong and not _folds(found, now):
        _stand_in(found)
    if shown.picture is not None:
        chosen: dict[str, Any] = {}
        if shown.selects is not None:
            chosen = {"picked": shown.selects, "picks": "box"}
        is_map = form_of(found.values["what"]) == CELLS
        high = now.look.said("stretch", MAP_HIGH if is_map else PLOT_HIGH)
        drawn(shown.picture, PICTURE, shown.alt, slides="dpviz-decide", height=high, **chosen)


def _shown(found: Decision, now: Visit) -> Shown:
    """The picture; while the bounds are crossed the last one, which holds no truth of a file."""
    asked = session.scope(), found.values["what"], now.truth
    if not found.wrong:
        shown = found.buys()
        visitor.put(LAST, None if session.is_upload() and now.truth else (asked, shown))
        return shown
    last = visitor.get(LAST)
    return last[1] if last is not None and last[0] == asked else found.buys()


def _pale(name: str, found: Decision) -> str:
    """A section's name; while the bounds are crossed what it shows is out of date."""
    return f"{name} pale" if found.wrong else name


def _folds(found: Decision, now: Visit) -> bool:
    """Whether the made-up people have their line in More: on a phone, once there is an answer."""
    return now.look.phone and found.price is not None


def _stand_in(found: Decision) -> None:
    known = stand_ins.typed() if found.topic is None else None
    used = getattr(found.topic, "stand_in", known)
    is_drawn = found.price is not None and found.price.size is not None
    is_reckoned = found.topic is not None
    stand_ins.line(used, found.values["unit"], is_reckoned=is_reckoned, is_drawn=is_drawn)


def _more(found: Decision, now: Visit, values: Values, rows: Mapping[str, Field]) -> None:
    """On a phone: whatever has no room on the page, in one popover that is filled once it opens."""
    with folded.popover("More", key="decide_more", icon=":material/tune:", width=WIDE_MORE):
        if folded.is_closed():
            return
        place = st.container()
        Dock(now, place, place, place, place).truth()
        if found.is_made_up and _folds(found, now):
            _stand_in(found)
        if now.view != inside.FRONTIER.view:
            drawing("decide_rail", _rail(found, now))
        if found.final is not None and not found.is_open:
            with st.container(horizontal=True):
                published.offer_row(published.offers(found))
        _settings(now, values, rows)


def _risks(found: Decision, now: Visit) -> str:
    if found.budget is None:
        return ""
    if found.released is not None:
        return published.card_section(found, now)
    names = risk.RiskNames(value=found.value_word, people=session.words().people.many)
    numbers = risk.answer(found.budget, session.neighbours())
    said = risk.say(numbers, names)
    finding = now.look.said(said.headline(brief=now.presenting), said.small)
    second = said.second(brief=now.look.phone or now.presenting)
    if now.presenting and not numbers.failure:
        second = ""
    colour = now.look.ink.danger_text
    above = heading(colour, RISKS, finding, second, large=now.presenting)
    return section("risks", risks_picture.risks(numbers, said, now.look), above=above)


def _rail(found: Decision, now: Visit) -> str:
    drawings = [axis(found, now, is_unfolded=now.view == inside.FRONTIER.view)]
    if not now.presenting:
        said_of = tank.say(found.tank)
        shown = tank_picture.tank(found.tank, said_of, now.look) + beside(
            said_of.title, said_of.lines
        )
        drawings.append(f"<div class='row'>{shown}</div>")
    return section(_pale("rail", found), *drawings)


def axis(found: Decision, now: Visit, *, is_unfolded: bool) -> str:
    """The rail; unfolded the frontier over it, in words where the need has no place on one."""
    is_spent = found.released is not None
    numbers = rail.answer(found.on_rail, now.budget, found.spread, is_spent=is_spent)
    note = REHEARSAL if is_spent and not session.is_upload() else ""
    said = rail.say(numbers, found.value_word, note)
    full = PRESENTED if now.presenting else now.look.said(RAIL, NARROW, narrow=True)
    wide = now.look.said(full, PHONE)
    drawn = rail_picture.rail(numbers, said, now.look, width=wide)
    if not is_unfolded or found.topic is None or found.price is None:
        return drawn
    lines = found.topic.unfolded(found.price, numbers)
    if lines is None:
        return f"<div><p>{NO_FRONTIER}</p>{drawn}</div>"
    names = words.names_of_needs()
    told = unfolded.say(lines, found.price, found.symbol, names, found.topic.words)
    return f"<div>{unfolded_picture.unfolded(lines, told, numbers, now.look, wide)}{drawn}</div>"


def draw_dock(now: Visit, values: Values, rows: Mapping[str, Field]) -> None:
    """The switch, exact settings and the ledger; buttons are drawn with the sentence."""
    if now.presenting:
        return
    with dock(now, sliders=0) as place:
        if now.look.phone:  # its buttons lie on it
            place.buttons.space(HEIGHT)
            return
        place.truth()
        if now.truth:
            place.buttons.badge(NOTICE, color="gray")
        elif session.is_upload():
            place.buttons.markdown(OFF, width="content")
        left = replace(place, popovers=place.buttons)
        with left.popover("Exact settings", "exact", ":material/tune:"):
            _settings(now, values, rows)
        ledger.in_dock(left)
        if not session.is_upload():
            with place.popovers:
                copy_link()


def _settings(now: Visit, values: Values, rows: Mapping[str, Field]) -> None:
    if folded.is_closed():
        return
    budgets.expert(now, relations=False)
    for row in rows.values():
        if row.place == "expert" and row.when(values):
            fields.draw(row, cast("DeltaGenerator", st), values)
