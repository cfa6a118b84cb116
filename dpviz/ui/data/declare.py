"""Declare: what is public of the column in use, below the flat barrier, as handles on an axis.

What is odd about the column is said while the truth is shown: every number of it is confidential.
"""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.number_text import amount, counted
from dpviz.answers.said import plain, private
from dpviz.core.bounds import Box
from dpviz.core.budgets import Neighbours
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts, Plane
from dpviz.core.data.points import Points
from dpviz.core.errors import DpvizError
from dpviz.core.quantiles import DECILES
from dpviz.experiments.planning.declared_bounds import places_for_doubling
from dpviz.intake.counted.counted_table import CountedTable
from dpviz.metrics.column import infinite_values, spacing
from dpviz.ui import visitor
from dpviz.ui.bench.cards import note, quiet, ties_note
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.strip import strip
from dpviz.ui.data import declaring, places, sayings
from dpviz.ui.data.controls import below_the_picture
from dpviz.ui.data.declaring import Declared
from dpviz.ui.data.file_card import file_card
from dpviz.ui.data.flat_barrier import DRAWN, Stays, Words, flat_barrier
from dpviz.ui.data.grains import Columns, Grains, columns_over, in_a_box, on_a_grid
from dpviz.ui.data.kinds import KINDS
from dpviz.ui.data.people import counted_rows, people_card
from dpviz.ui.data.pictures import amount_of
from dpviz.ui.data.uploading import NOT_COVERED, problem_card
from dpviz.ui.data.words import a_value
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.messages import NotYet
from dpviz.ui.visit.page import Visit

MANY_CLIPPED = 0.05  # a share worth a warning


def declare_step(now: Visit) -> Column | Plane | None:
    """Sentence, file and barrier, numbers; returns the data where the truth is shown."""
    alone = session.has_names_alone()
    axes = () if alone else declaring.columns()
    headline("Data", *(places.FINDING if alone else _sentences(now, axes)))
    if now.look.phone or now.presenting:
        picture, left = st.container(), st.container(key="unseen_file" if now.presenting else None)
    else:
        left, picture = st.columns([27, 73], gap="large")
    found: Column | Plane | None = None
    if alone:
        items = places.places_step(now, picture, left)
    else:
        found, items = _columns_step(now, axes, picture, left)
    strip(now, items, badge=now.truth, ledger=now.look.phone)
    return found


def _columns_step(
    now: Visit, axes: tuple[Declared, ...], picture: DeltaGenerator, left: DeltaGenerator
) -> tuple[Column | Plane | None, list[tuple[str, str]]]:
    """The data, where the truth is shown, and the numbers below them."""
    found, refused = _data(now)
    with picture:
        flat_barrier(
            f"barrier_{len(axes)}",
            now,
            [one.axis for one in axes],
            _above(now, axes, found),
            _words(now, axes),
            declaring.take_moves,
        )
        below_the_picture(now)
    with left, st.container(gap="small"):
        problem_card()
        _left(now, axes, found, refused)
    return found, _numbers(now, axes, found)


def _data(now: Visit) -> tuple[Column | Plane | None, str]:
    """What is in use, while it may be seen, and why it cannot be used."""
    if not now.truth:
        return None, ""
    try:
        return (session.points() if session.in_plane() else session.column()), ""
    except NotYet:
        return None, ""
    except DpvizError as error:
        return None, str(error)


def _left(
    now: Visit, axes: tuple[Declared, ...], found: Column | Plane | None, refused: str
) -> None:
    own = session.upload()
    if session.is_upload() and own is not None:
        file_card(own)
        people_card(own, now, found)
        for one in axes:
            _kind(one, several=len(axes) > 1)
        if isinstance(own.table, CountedTable):
            quiet(sayings.counted_how(axes))
            _again(own.table)
    else:
        chosen = session.chosen_sample()
        st.markdown(f"**{chosen.title}**")
        if session.shows_truth():
            st.markdown(chosen.description)
            quiet(chosen.teaches)
        else:
            quiet(sayings.BELOW_ONLY)
        if declaring.is_changed():
            st.button("Its own bounds again", on_click=declaring.as_at_first, key="own_bounds")
    with st.container(horizontal=True):
        _aside("Why not from the data?", sayings.WHY_NOT)
        if own is not None and session.is_upload():
            _aside("What does reading show?", NOT_COVERED)
            places.places_aside(own)
    wrong = declaring.mistakes()
    for number, reason in enumerate(wrong):
        note(f"wrong_{number}", "What is declared cannot hold", reason)
    if refused and refused not in wrong:
        note("refused", "This column cannot be used as it is", refused)
    if isinstance(found, Column):
        st.markdown(plain(counts_of(found)))
        column_notes(found)


def _again(table: CountedTable) -> None:
    """To count anew, where the table may have changed."""
    if table.may_change:
        quiet(sayings.COUNTED_ONCE)
        st.button(
            "Count again",
            key="count_again",
            icon=":material/refresh:",
            on_click=memory.forget_counts,
        )


def _aside(question: str, answer: str) -> None:
    with st.popover(question, type="tertiary"), st.container(width=360):
        st.markdown(answer)


def _kind(one: Declared, *, several: bool) -> None:
    key = f"kind_{one.scope}"
    visitor.put(key, one.kind)
    label = (
        f"What kind of number is {plain(one.name)}?" if several else "What kind of number is it?"
    )
    st.pills(
        label,
        [kind.key for kind in KINDS],
        format_func={kind.key: kind.label for kind in KINDS}.__getitem__,
        key=key,
        help=sayings.KIND_HELP,
        on_change=lambda: declaring.propose(one.scope, visitor.held(key)),
    )


def _above(
    now: Visit, axes: tuple[Declared, ...], found: Column | Plane | None
) -> Stays | Columns | Grains:
    """The people with the truth on; otherwise what stays behind the barrier, in words."""
    if not now.truth or found is None or found.n == 0 or any(one.axis.is_open for one in axes):
        return sayings.stays(now, axes, hidden=not now.truth)
    seen = [one.axis.seen for one in axes]
    key = ("grains", found.digest.hex(), *seen, *(one.step for one in axes))
    if isinstance(found, GridCounts):
        return memory.public(
            found, key, lambda: on_a_grid(found, Box(seen[0], seen[1]), *map(float, DRAWN))
        )
    if isinstance(found, Points):
        return memory.public(
            found,
            key,
            lambda: in_a_box(found.x, found.y, Box(seen[0], seen[1]), *map(float, DRAWN)),
        )
    if session.is_counted() or session.person_rows() is not None:
        # what lies outside the bounds stands at them
        values, counts = found.steps[0], np.diff(found.steps[1], prepend=0)
        return memory.public(
            found, key, lambda: columns_over(values, seen[0], spacing(found), counts=counts)
        )
    raw = np.asarray(session.raw_values(), np.float64)
    return memory.public(found, key, lambda: columns_over(raw, seen[0], spacing(found)))


def _sentences(now: Visit, axes: tuple[Declared, ...]) -> tuple[str, str]:
    if any(one.bounds is None for one in axes):
        return sayings.no_bounds(axes)
    ends = [tuple(private(amount_of(end)) for end in (b.low, b.high)) for b in sayings.bounds(axes)]
    if len(axes) > 1:
        names = [plain(one.name) for one in axes]
        (a, b), (c, d) = ends
        return (
            f"You declare a box: {names[0]} from {a} to {b}, {names[1]} from {c} to {d}.",
            "Twice as wide and as high, and every cell of a map covers four times the area.",
        )
    low, high = ends[0]
    places = places_for_doubling(DECILES, session.each(now.budget), now.neighbours)
    if (rows := session.person_rows()) is not None and rows.shared:
        places /= rows.most  # in people, as without several rows
    said = f"about {counted(round(places), 'place')}" if places >= 1 else "less than one place"
    return (
        f"You declare that {plain(a_value(axes[0].name))} lies between {low} and {high}.",
        f"Twice as wide costs {said} in the ranking at "
        f"{plain(str(now.budget))}, whatever the data. Too narrow, and the tails are cut off.",
    )


def _words(now: Visit, axes: tuple[Declared, ...]) -> Words:
    return Words(
        confidential=sayings.above_note(now),
        public=sayings.below_note(now, axes),
        open=now.look.said(
            "Choose a kind of number, or type the two numbers", "Type the two numbers"
        ),
        leads=sayings.leads(now, axes),
        alt=sayings.alt(now, axes),
    )


def _numbers(
    now: Visit, axes: tuple[Declared, ...], found: Column | Plane | None
) -> list[tuple[str, str]]:
    """What is declared, and beside the truth how many people there are."""
    if any(one.bounds is None for one in axes):
        bounds = "none yet"
    else:
        bounds = " × ".join(
            f"{amount_of(b.low)} to {amount_of(b.high)}" for b in sayings.bounds(axes)
        )
    items = [("public: bounds", bounds)]
    if len(axes) == 1:
        step = axes[0].step
        items.append(("steps of", amount_of(step)) if step else ("steps", "none"))
    replaced = now.neighbours is Neighbours.REPLACE_ONE
    items.append(
        ("neighbours", "one person's value changes" if replaced else "one person joins or leaves")
    )
    if (rows := session.person_rows()) is not None:
        items[-1] = ("of a person", "all rows as one" if rows.shared else counted_rows(rows.most))
    if found is not None:
        items.append(("confidential:", session.words().people.counted(found.n)))
    elif not now.truth:
        items.append(("what this view holds", "no value, no count"))
    return items


def column_notes(column: Column) -> None:
    """Cards about the values outside the bounds, infinite values, and ties."""
    for title, text in (_clipped_note(column), _infinite_note(column)):
        if text:
            note(title.split()[0].lower(), title, text)
    ties_note(column)


def counts_of(column: Column) -> str:
    """How many values there are, how many were moved to a bound, how many are missing."""
    people = session.words().people.counted(column.n)
    moved = amount(column.clipped, 0) if column.clipped else "none"
    missing = amount(column.dropped, 0) if column.dropped else "none"
    return f"{people}, {moved} outside the bounds, {missing} missing."


def _clipped_note(column: Column) -> tuple[str, str]:
    if column.n == 0 or column.clipped <= MANY_CLIPPED * column.n:
        return "", ""
    return (
        "Many values lie outside",
        f"{column.clipped / column.n:.0%} of the values lie outside the declared bounds and were "
        "moved to the nearest one. Check the unit, and the bounds.",
    )


def _infinite_note(column: Column) -> tuple[str, str]:
    if not column.clipped or session.is_counted() or session.person_rows() is not None:
        return "", ""
    count = memory.remembered(
        ("infinite", column.fingerprint), lambda: infinite_values(session.raw_values())
    )
    text = f"{counted(count, 'infinite value')}: each counts as a person at a bound."
    return "Infinite values", text if count else ""
