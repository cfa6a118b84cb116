"""Bins: private bars beside the original ones, how far each is off, what more bins cost."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from dpviz.answers.number_text import counted, in_digits
from dpviz.answers.privacy.promise import promised
from dpviz.answers.quantiles import bins, bins_said
from dpviz.answers.quantiles.answers import Writing
from dpviz.answers.quantiles.bins import (
    EQUAL,
    MOST_BINS,
    OWN,
    TREE,
    BinChoice,
    BinsNumbers,
    Release,
)
from dpviz.answers.quantiles.voice import Voice
from dpviz.answers.said import Said, unmarked
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.core.randomness.bits import Randomness
from dpviz.core.trees.group_releases import GroupReleases
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.quantiles.bins import bins_picture
from dpviz.figures.quantiles.scale import Scale
from dpviz.mechanisms.counting.by_group import release_by_group
from dpviz.mechanisms.counting.histogram import Histogram
from dpviz.reports.tables import table_csv
from dpviz.reports.words import Told
from dpviz.ui.bench.release import DRAWN, DRAWN_FROM, Taken, release_card, which_rows
from dpviz.ui.bench.report_files import report_offers
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import drawn_once, prepared
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.offers import REFUSAL, Offer, offer_buttons
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model.fields import Field, Number, OneOf, Text, Values, Whole, same
from dpviz.ui.model.render import Shown as OnScreen
from dpviz.ui.model.render import View, standing
from dpviz.ui.quantiles.outside import relation
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.visit.page import Visit

HERO, NAME = "bins", "bins"
STOPS = (2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256, 320, 400, 512)
POWERS = tuple(2**height for height in range(1, MOST_BINS.bit_length()))
STREAM = 7  # of a sample's seed: not that of other releases


class _Bins(Whole):
    """How many bins; of a tree the nearest power of 2."""

    def fit(self, value: int, values: Values) -> int:
        """A number that the kind of bins can have."""
        found = super().fit(value, values)
        return 2 ** max(1, round(math.log2(found))) if values["b_kind"] == TREE else found


def _is(values: Values) -> bool:
    return bool(values["view"] == NAME)


def _quarters(_: Values) -> str:
    """Edges to start from: quarters of the declared bounds, the only thing they look at."""
    try:
        bounds = session.declared_bounds()
    except DpvizError:
        return "0, 1, 2"
    edges = (bounds.low + bounds.width * part / 4 for part in range(5))
    return ", ".join(f"{edge:.6g}" for edge in edges)


def _by() -> dict[str, str]:
    """Columns by which rows can be grouped, none first."""
    return {"": "nothing", **same(*session.other_columns())}


def _halves(values: Values) -> str:
    """Of a sample the halves of the other column's public bounds; of a file nothing."""
    if session.is_upload() or not values["b_by"]:
        return ""
    one = session.chosen_sample()
    bounds = one.bounds[one.columns.index(values["b_by"])]
    return " < ".join(f"{bounds.low + bounds.width * part / 2:.6g}" for part in range(3))


def _of_samples() -> bool:
    return not session.is_upload()


FIELDS: Sequence[Sequence[Field]] = (
    (Field("b_kind", "Bins", OneOf(same(EQUAL, OWN, TREE), "segments"), EQUAL, "question",
           "Equal parts of the declared bounds, parts between edges of your own, or the leaves of a "
           "binary tree of counts, read by least squares.", when=_is),),
    (Field("b_bins", "Number of bins",
           _Bins(2, MOST_BINS, lambda values: POWERS if values["b_kind"] == TREE else STOPS), 20,
           "dock", when=lambda values: _is(values) and values["b_kind"] != OWN),),
    (Field("b_edges", "Your edges", Text(bins.parse_edges, longest=5_000), _quarters, "question",
           "Numbers that ascend, within the bounds, with commas or spaces between. A record outside "
           "of them is in no bin.", when=lambda values: _is(values) and values["b_kind"] == OWN,
           linked=_of_samples, kept=lambda: f"b_edges_{session.scope()}"),),
    (Field("b_by", "A group for each part of", OneOf(_by), "", "question",
           "Groups share no row, so that all of them cost what one costs. Of a person with several "
           "rows, what counts is bounded over all groups together.",
           when=lambda values: _is(values) and len(_by()) > 1, linked=_of_samples,
           kept=lambda: f"b_by_{session.scope()}"),),
    (Field("b_groups", "Its groups", Text(bins.parse_groups, longest=2_000), _halves, "question",
           "Public names such as north, south; or edges of numbers such as 0 < 40 < 80. They are "
           "typed and never read from the data: rows of no group are in no bin.",
           when=lambda values: _is(values) and bool(values["b_by"]), linked=_of_samples,
           kept=lambda: f"b_groups_{session.scope()}"),),
    (Field("b_beyond", "Per cent beyond a bound (from public knowledge)",
           Number(0.0, 100.0, empty="none"), None, "question",
           "How many records might lie beyond one of the bounds: what that costs the bin at that "
           "end. Nothing is read from the data.",
           when=lambda values: _is(values) and (session.is_upload() or not session.shows_truth()),
           linked=_of_samples, kept=lambda: f"b_beyond_{session.scope()}"),),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Binned:
    """What was released, by group, and its numbers. Confidential while the truth is shown."""

    released: Release | GroupReleases
    found: BinsNumbers


def choice_of(page: QuantilesPage, values: Values) -> BinChoice:
    """What is counted, of public choices alone. Raises: DpvizError for edges that do not fit."""
    kind, bounds = values["b_kind"], page.question.column.bounds
    edges: tuple[float, ...] = ()
    if kind == OWN:
        edges = bins.parse_edges(values["b_edges"])
    count = len(edges) - 1 if edges else values["b_bins"]
    made = BinChoice(kind, count, edges, page.question.budget, session.neighbours())
    mechanism = made.mechanism
    if isinstance(mechanism, Histogram):
        mechanism.edges_within(bounds)
    return made


def _instead(page: QuantilesPage, now: Visit, values: Values) -> View[QuantilesPage, Any] | None:
    """With the truth hidden what an outsider gets, with its card; words where edges do not fit."""
    try:
        choice_of(page, values)
        if values["b_by"]:
            bins.parse_groups(values["b_groups"])
    except DpvizError as error:
        problem(error)
        return standing("These are no bins.", "Mend what was typed under the question.")
    return None if page.has_truth or now.presenting else ALONE


def _groups(page: QuantilesPage, values: Values) -> dict[str, Column]:
    """The columns of the groups that were typed, by name; empty where all rows are together.

    Raises: DpvizError for what is no row of groups, and for a column that cannot be read so.
    """
    if not values["b_by"]:
        return {}
    wanted, column = bins.parse_groups(values["b_groups"]), page.question.column

    def made() -> dict[str, Column]:
        other = session.other_values(values["b_by"], texts=bool(wanted.names))
        found = session.group_columns(
            values["b_by"], wanted, wanted.rows(other), column.bounds, column.resolution
        )
        return dict(zip(wanted.called, found, strict=True))

    return memory.remembered((NAME, prepared(column), values["b_by"], wanted), made)


def _released(
    page: QuantilesPage, choice: BinChoice, groups: dict[str, Column]
) -> Release | GroupReleases:
    """The release of this draw, made and paid once; groups at the price of one."""
    asked, mechanism = page.question, choice.mechanism
    parts = tuple((name, one.digest) for name, one in groups.items())
    purpose = (NAME, mechanism, prepared(asked.column), parts, asked.budget)

    def make(rng: Randomness) -> Release | GroupReleases:
        if groups:
            return release_by_group(mechanism, groups, asked.budget, rng)
        return mechanism.release(asked.column, asked.budget, rng)

    what = counted(choice.bins, "bin")
    if groups:
        share = "nobody" if asked.draw.rows is None else "no row"
        what += f" of {counted(len(groups), 'group')} that share {share}, at the price of one"
    cost = Cost(what, asked.budget)
    return drawn_once(asked.draw, asked.column, NAME, purpose, make, [cost], STREAM)


def _numbers(page: QuantilesPage, values: Values) -> Binned:
    choice, groups = choice_of(page, values), _groups(page, values)
    released = _released(page, choice, groups)
    every = released.releases if isinstance(released, GroupReleases) else {"": released}
    truth = (groups or {"": page.question.column}) if page.has_truth else None
    rows = None
    if page.has_truth and not groups and not session.is_upload():
        rows = session.raw_values()
    share = values["b_beyond"]
    beyond = None if share is None else share / 100
    found = bins.answer(choice, every, truth, rows, beyond, session.size())
    return Binned(released, found)


def _scale(page: QuantilesPage, found: BinsNumbers) -> Scale:
    column = page.question.column
    ends = float(found.edges[0]), float(found.edges[-1])
    writing = Writing.of(column.bounds, column.resolution, float(np.diff(found.edges).min()))
    return Scale(column.bounds, column.resolution, session.unit(), ends, writing)


def _voice(page: QuantilesPage, found: BinsNumbers) -> Voice:
    return Voice(session.words(), _scale(page, found).writing)


def _say(page: QuantilesPage, known: Binned) -> Said:
    rows = session.person_rows()
    return bins_said.say(known.found, _voice(page, known.found), str(page.question.spent), rows)


def _draw(page: QuantilesPage, known: Binned, values: Values, look: Look) -> Picture:
    people, scale = session.words().people.many, _scale(page, known.found)
    return bins_picture(known.found, scale, people, look, values["b_by"])


def beforehand(page: QuantilesPage, values: Values) -> str:
    """How far off bins will be, of the noise alone. Raises: DpvizError as choice_of."""
    choice = choice_of(page, values)
    nobody = Voice(session.words(), Writing.of(page.question.column.bounds, 0.0))
    return bins_said.before(bins.errors_of(choice), nobody)


def _csv(found: BinsNumbers) -> str:
    """The private bins alone."""
    rows = (
        (one.name, low, high, count, found.law.half)
        for one in found.groups
        for low, high, count in zip(
            found.edges[:-1].tolist(), found.edges[1:].tolist(), one.counts.tolist(), strict=True
        )
    )
    return table_csv(("group", "from", "to", "count", "within 19 times in 20"), rows)


def _below(shown: OnScreen[QuantilesPage, Binned]) -> None:
    """What a share beyond the bounds would cost, every bin, and the release as files."""
    page, known = shown.asked, shown.numbers
    if said := bins_said.beyond_words(known.found, _voice(page, known.found)):
        st.markdown(said)
    for table in shown.said.tables:
        said_table(table)
    if page.question.draw.is_teaching(known.released):
        st.caption(REFUSAL)
        return
    told = Told(f"{session.words().people.many} by {session.unit()}")
    offer_buttons([
        Offer("Private bins as CSV", lambda: _csv(known.found), "bins.csv", "text/csv"),
        Offer("Release as JSON", known.released.to_json, "bins.json", "application/json"),
        *report_offers(known.released, told, "bins"),
    ])  # fmt: skip


def _card(shown: OnScreen[QuantilesPage, Binned]) -> None:
    """Everything that may be known of the release, row by row."""
    page, known, now = shown.asked, shown.numbers, shown.now
    column = page.question.column
    low, high = (in_digits(end) for end in (column.bounds.low, column.bounds.high))
    steps = f", in steps of {column.resolution:,.10g}" if column.resolution else ""
    half = bins_said.give(known.found.law)
    spent, people = str(page.question.spent), session.person_rows()
    groups = unmarked(bins_said.groups_words(known.found, spent, people))
    rows = [
        ("What", f"{counted(known.found.counted, 'count')} of {session.words().people.many}"),
        ("Promise", promised(page.question.spent, now.neighbours, session.protected())),
        ("Neighbours", which_rows(relation(now.neighbours))),
        ("Method", bins_said.method(known.found)),
        ("Declared", f"{session.unit()} {low} to {high}{steps}"),
        ("How exact", f"each within ± {half}, {bins_said.OFTEN}"),
        *([("Groups", groups)] if groups else []),
        ("Spent", f"{page.question.spent}, for good"),
        (DRAWN, DRAWN_FROM[known.released.randomness]),
    ]
    release_card("Release", rows, Taken(known.released.to_json, "bins.json"))


VIEW: View[QuantilesPage, Binned] = View(
    NAME, "Bins", _numbers, say=_say, draw=_draw, hero=HERO, file="bins", instead=_instead,
    below=_below,
)  # fmt: skip
ALONE = replace(VIEW, instead=lambda *_: None, beside=_card, widths=(66, 34))
