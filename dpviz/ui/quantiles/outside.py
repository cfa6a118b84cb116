"""What an outsider sees: the release at the left, everything that may be known of it at the right.

Nothing here needs the data.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.answers.number_text import asked_for, in_digits, number
from dpviz.answers.privacy.promise import promised
from dpviz.answers.quantiles import one as quantiles
from dpviz.answers.quantiles import one_said
from dpviz.answers.quantiles.answers import Answers
from dpviz.answers.quantiles.one import AloneNumbers
from dpviz.answers.quantiles.voice import Voice
from dpviz.answers.said import Line, Said, plain, unmarked
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Neighbours
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.quantiles.release_rows import release_picture
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, release_card, which_rows
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown as OnScreen
from dpviz.ui.model.render import View
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.quantiles.releases import half_widths
from dpviz.ui.quantiles.shown import Shown, scale_of, voice_of
from dpviz.ui.visit import data

LISTED = 12  # values that the card lists
CONFIDENTIAL = (
    "Which method comes closest is seen with the truth only: it is confidential, like every error."
)
UNREAD = {
    "Neighbours",
    "Public besides",
    "Method",
    "Declared",
    DRAWN,
}  # rows that a room is not shown


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    """A release that stands alone: public."""

    found: AloneNumbers
    answers: Answers
    half: FloatArray | None


def _one(page: QuantilesPage) -> Shown:
    assert page.one is not None
    return page.one


def _numbers(page: QuantilesPage, _: Values) -> Alone:
    one, asked = _one(page), page.question
    bands = half_widths(one.mechanism, one.release, session.size(), asked)
    first = np.unique(asked.quantiles.asked, return_index=True)[1]
    half = None if bands is None else bands[first]
    answers = one.alone(asked)
    return Alone(quantiles.alone(answers, half), answers, half)


def _say(page: QuantilesPage, known: Alone) -> Said:
    one = _one(page)
    sentence = one_said.alone_headline(known.found, voice_of(scale_of(one)))
    second = Line(one_said.alone_line(known.found)(brief=page.now.presenting))
    if page.now.view == "compare":
        second = Line(plain(CONFIDENTIAL))
    if one.release.evenly:
        second = Line(one_said.EVENLY)
    strip = [
        ("what this view holds", "only what may be published"),
        ("records on screen", "0"),
        ("spent", str(page.question.spent)),
    ]
    chips = page.settings.chips(one.mechanism.name)
    return Said(Line(sentence), second, strip, unmarked(sentence), chips)


def _draw(page: QuantilesPage, known: Alone, _: Values, look: Look) -> Picture:
    scale = scale_of(_one(page))
    words = voice_of(scale).words
    title = f"Share of the {words.people.many} {words.up_to[0]}"
    return release_picture(known.answers, known.half, scale, title, look)


def _card(shown: OnScreen[QuantilesPage, Alone]) -> None:
    """Everything that may be known of the release; a room sees what it can read."""
    page, known, now = shown.asked, shown.numbers, shown.now
    one = _one(page)
    rows = card_rows(page, one, known.answers, known.found)
    taken = None
    if now.presenting:
        rows = [row for row in rows if row[0] not in UNREAD]
    else:
        taken = Taken(one.release.to_json, "release.json")
    value, colour = dict(rows)["Values"], now.look.ink.private
    release_card("Release", rows, taken, private=value, colour=colour)


ALONE: View[QuantilesPage, Alone] = View(
    "alone", "", _numbers, say=_say, draw=_draw, hero="release", file="quantiles", beside=_card,
    widths=(66, 34), below=lambda shown: below(shown, [_one(shown.asked)], "release"), badge=lambda _: False,
    saved=False,
)  # fmt: skip


def card_rows(
    page: QuantilesPage, one: Shown, answers: Answers, found: AloneNumbers
) -> list[tuple[str, str]]:
    """Everything that may be known of a release, row by row; plain texts."""
    voice, release = voice_of(scale_of(one)), one.release
    words = voice.words
    steps = f", in steps of {release.resolution:,.10g}" if release.resolution else ""
    unit = words.unit.many or session.unit()
    low, high = (in_digits(end) for end in (release.bounds.low, release.bounds.high))
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
    title = session.data_title(data.shown())
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
