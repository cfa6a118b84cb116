"""The page that an outsider sees: the release at the left, everything that may be known of it right."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from dpviz.answers.number_text import asked_for, number
from dpviz.answers.privacy.promise import promised
from dpviz.answers.quantiles import one as quantiles
from dpviz.answers.quantiles import one_said
from dpviz.answers.quantiles.answers import Answers
from dpviz.answers.quantiles.one import AloneNumbers
from dpviz.answers.quantiles.voice import Voice
from dpviz.core.neighbours import Neighbours
from dpviz.figures.quantiles.release_rows import release_picture
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.once import once_button
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, release_card, which_rows
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import session
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.asked import QuantilesPage
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.releases import final_of, half_widths
from dpviz.ui.quantiles.shown import Shown, scale_of, voice_of

WIDE, LISTED = (66, 34), 12  # shares of picture and card; values that the card lists
UNREAD = {
    "Neighbours",
    "Public besides",
    "Method",
    "Declared",
    DRAWN,
}  # rows that a room is not shown


def release_view(page: QuantilesPage, one: Shown, note: str = "") -> None:
    """Nothing here needs the data; note takes the place of the second line."""
    now, scale, answers = page.now, scale_of(one), one.alone(page.question)
    voice = voice_of(scale)
    bands = half_widths(one.mechanism, one.release, session.size(), page.question)
    half = (
        None
        if bands is None
        else bands[np.unique(page.question.quantiles.asked, return_index=True)[1]]
    )
    found = quantiles.alone(answers, half)
    sentence = one_said.alone_headline(found, voice)
    second = note or one_said.alone_line(found)(brief=now.presenting)
    if one.release.evenly:
        second = one_said.EVENLY
    headline("Quantiles", sentence, second)
    title = f"Share of the {voice.words.people.many} {voice.words.up_to[0]}"
    picture = release_picture(answers, half, scale, title, now.look)
    rows = card_rows(page, one, answers, found)
    if now.presenting:
        rows = [row for row in rows if row[0] not in UNREAD]
    taken = None if now.presenting else Taken(one.release.to_json, "release.json")
    final = final_of(one.mechanism, one.release, page.question)
    once = None if now.presenting else partial(once_button, final, "card")
    card = {"private": rows[1][1], "colour": now.look.ink.private}
    if now.look.phone:
        hero(picture, "release", unmarked(sentence), slides="quantiles")
        release_card("Release", rows, taken, once=once, **card)
    else:
        left, right = st.columns(WIDE, gap="medium")
        with left:
            hero(picture, "release", unmarked(sentence), slides="quantiles")
        with right:
            release_card("Release", rows, taken, once=once, **card)
    items = [
        ("what this view holds", "only what may be published"),
        ("records on screen", "0"),
        ("spent", str(page.question.spent)),
    ]
    strip(now, items, page.settings.chips(one.mechanism.name), badge=False)
    below(page, [one], "release", sentence)


def card_rows(
    page: QuantilesPage, one: Shown, answers: Answers, found: AloneNumbers
) -> list[tuple[str, str]]:
    """Everything that may be known of a release, row by row; plain texts."""
    voice, release = voice_of(scale_of(one)), one.release
    words = voice.words
    steps = f", in steps of {release.resolution:,.10g}" if release.resolution else ""
    unit = words.unit.many or session.unit()
    low, high = (
        f"{end:,.10g}".replace("-", "−") for end in (release.bounds.low, release.bounds.high)
    )
    return [
        ("What", f"{asked_for(answers.quantiles)} of {_subject()}"),
        ("Values", _values(answers, voice)),
        ("Promise", promised(page.question.spent, page.now.neighbours, session.protected())),
        ("Neighbours", which_rows(relation(page.now.neighbours))),
        ("Public besides", _public()),
        ("Method", _method(one, page)),
        ("Declared", f"{unit} {low} to {high}{steps}"),
        ("How exact", one_said.how_exact(found, voice, has_size=session.size() is not None)),
        ("Spent", f"{page.question.spent}, for good"),
        (DRAWN, DRAWN_FROM[release.randomness]),
    ]


def _subject() -> str:
    if session.is_upload():
        return f"the column {session.unit()}"
    title = session.data_title(str(st.session_state["data"]))
    return title[:1].lower() + title[1:]


def _values(answers: Answers, voice: Voice) -> str:
    said = [voice.value(float(value)) for value in answers.published]
    if len(said) > LISTED:
        said = [*said[:5], "…", *said[-2:]]
    return " · ".join(said)


def relation(neighbours: Neighbours) -> str:
    """Who is protected, in words."""
    one = session.protected()
    if neighbours is Neighbours.REPLACE_ONE:
        return f"one {one}'s value changes; how many there are is public"
    return f"one {one} joins or leaves"


def _public() -> str:
    size = session.declared("size")
    if size is None:
        return "nothing; with a public number of people the numbers would get bands"
    known = "declared from public knowledge"
    if not session.is_upload() and size == session.chosen_sample().about:
        known = session.chosen_sample().known
    return f"about {size:,.0f} {known}, not from the data"


def _method(one: Shown, page: QuantilesPage) -> str:
    name = methods.in_words(one.mechanism.name)
    if one.mechanism.name == methods.HALVING:
        steps = page.question.quantiles.levels
        return f"{name} in {number(steps)} step{'' if steps == 1 else 's'}"
    return name
