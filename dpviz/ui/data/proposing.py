"""Bounds proposed privately, where nobody can name them: two searches, each for 5 % of the budget."""

from __future__ import annotations

import hashlib

import streamlit as st

from dpviz.answers.number_text import significant
from dpviz.core.errors import DpvizError
from dpviz.core.scalars.proposal import BoundsProposal
from dpviz.mechanisms.unbounded.propose import propose_bounds
from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile
from dpviz.ui import visitor
from dpviz.ui.bench.cards import quiet
from dpviz.ui.data import declaring
from dpviz.ui.kit import session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import draw_of_visit
from dpviz.ui.visit.page import Visit

SHARE = 0.05  # of the budget, for each end
SAID = "_proposed_bounds"
HELP = (
    "Two private searches through public guesses that grow by a tenth each: one for the place that "
    "half a percent lie below, one for the place that half a percent lie above. Each takes 5 % of the "
    "budget, found or not. What is publicly known about the column costs nothing, and is better "
    "unless it is some hundred times wider than the data: 4,000 incomes at ε = 0.1 lose as much by bounds "
    "a hundred times too wide as by a tenth of the budget; at ε = 1 such bounds cost them nearly nothing."
)


def proposal(now: Visit) -> None:
    """The button, for files whose rows are people each, and what came of it."""
    own = session.upload()
    if own is None or not session.is_upload() or session.is_counted() or now.several:
        return
    size = f"{now.budget.symbol} = {2 * SHARE * now.budget.size:.3g}"
    st.button(
        f"Propose them privately, for {size}",
        key="propose_bounds",
        icon=":material/search:",
        help=HELP,
        on_click=_propose,
        args=(now,),
    )
    said = visitor.get(SAID)
    if said is not None and said[0] == (own.number, own.column) and (said[2] or now.truth):
        quiet(said[1])


def _propose(now: Visit) -> None:
    own = session.upload()
    assert own is not None
    assert own.column is not None
    released = False  # what refused may quote a cell: it is shown beside the truth alone
    try:
        found = _found(now, own, own.column)
    except DpvizError as error:
        said, released = str(error), not now.truth
    else:
        released = True
        said = found.refusal
        if found.bounds is not None:
            declaring.declare(session.scope(), found.bounds)
            low, high = (significant(end, 3) for end in (found.bounds.low, found.bounds.high))
            said = f"Proposed: {low} to {high}, for {found.spent}. They are as public as a release."
    visitor.put(SAID, ((own.number, own.column), said, released))


def _found(now: Visit, own: session.Upload, name: str) -> BoundsProposal:
    """Drawn with the bits of this visit's draw, and booked."""
    values, draw = session.upload_values(own, name), draw_of_visit()
    digest = hashlib.blake2b(values.tobytes(), digest_size=32).digest()
    search = UnboundedQuantile(base=1.1, both_signs=True, neighbours=now.neighbours)
    prepared = (name, own.drop_unreadable, own.people)
    purpose = ("proposed bounds", search, prepared, digest, now.budget, SHARE)
    found = draw.released(
        lambda rng: propose_bounds(values, now.budget, rng, search, share=SHARE), purpose
    )
    draw.book(purpose, paid=[Cost("proposed bounds", found.spent)])
    return found
