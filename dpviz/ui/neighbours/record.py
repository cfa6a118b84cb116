"""The One record view: both exact output laws, and their log ratio between the lines at ±ε."""

from __future__ import annotations

import streamlit as st

from dpviz.core.budgets import Budget, PureDP
from dpviz.core.data import Column
from dpviz.core.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import Claim, Loss, gaussian_delta, gaussian_share_above
from dpviz.experiments.privacy.loss_view import loss_curves, outputs_span
from dpviz.experiments.privacy.neighbours import Change, Pair
from dpviz.experiments.privacy.single_queries import Query
from dpviz.figures.privacy.neighbours import loss_figure
from dpviz.ui.kit import choices, frame, session
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.messages import attempt
from dpviz.ui.neighbours.change import change_picker
from dpviz.ui.neighbours.controls import Asked
from dpviz.ui.neighbours.pairs import mark_name, output_name, pair_of, spreads_ties

OUTPUTS, WHOLE = "where outputs fall", "the whole range"


def record_controls(column: Column) -> Change | None:
    """The change to look at; None where none can be made, or while the truth is off."""
    return attempt(lambda: change_picker(column)) if session.shows_truth() else None


def record_panel(asked: Asked, change: Change) -> None:
    """The picture, its numbers, and what it does not show.

    Raises: DpvizError for a change that cannot be made, or noise that does not fit the budget.
    """
    query, column, budget = asked.query, asked.column, asked.budget
    claim = asked.claim()
    pair = pair_of(asked, change)
    loss = query.loss(pair, budget)
    view = _view(query, loss)
    chart(
        loss_figure(
            loss_curves(loss, view),
            view,
            claim.epsilon,
            mark_name(query),
            frame.ink(),
            unit=output_name(query),
            changed=_changed(query, pair),
        ),
        "n_loss",
        "neighbours",
        "Exact output laws on the column and on its neighbour, and below their log ratio "
        "between the lines at plus and minus epsilon",
    )
    if isinstance(query, CountQuery) and claim.delta > 0:
        _gaussian_numbers(query, pair, budget, claim)
    else:
        _pure_numbers(loss, claim)
    _notes(query, column, pair, budget)


def _view(query: Query, loss: Loss) -> tuple[float, float]:
    if isinstance(query, CountQuery):
        return outputs_span(loss)
    chosen = choices.segments(
        "Show",
        (OUTPUTS, WHOLE),
        "n_range",
        "Outputs beyond the first range are rare; the bound holds for them all the same.",
        label_visibility="collapsed",
    )
    return outputs_span(loss) if chosen == OUTPUTS else (float(loss.at[0]), float(loss.at[-1]))


def _changed(query: Query, pair: Pair) -> tuple[tuple[str, float], ...]:
    if isinstance(query, CountQuery):  # the axis is of counts, not of values
        return ()
    places = (("removed", pair.removed), ("added", pair.added))
    return tuple((name, at) for name, at in places if at is not None)


def _pure_numbers(loss: Loss, claim: Claim) -> None:
    slots = st.columns(3, border=True)
    slots[0].metric(
        "Largest |log ratio|",
        f"{loss.largest:.4g}",
        help="Over all outputs, out-of-sight ones included. Confidential.",
    )
    slots[1].metric("Bound ε", f"{claim.epsilon:.4g}", help="What no pair of neighbours exceeds.")
    slots[2].metric(
        "Share of ε used",
        f"{loss.largest / claim.epsilon:.1%}",
        help="How near this record comes to the worst case that ε is made for. Confidential.",
    )


def _gaussian_numbers(query: CountQuery, pair: Pair, budget: Budget, claim: Claim) -> None:
    moved = query.truth(pair.one) != query.truth(pair.other)
    sigma = query.scale(budget)
    slots = st.columns(3, border=True)
    slots[0].metric(
        f"ε at δ = {claim.delta:g}",
        f"{claim.epsilon:.4g}",
        help="The log ratio itself has no bound: there is no pure ε.",
    )
    slots[1].metric(
        "Outputs beyond ε",
        f"{gaussian_share_above(sigma, claim.epsilon) if moved else 0.0:.3g}",
        help="P(log ratio > ε): how often an output speaks more than e^ε against a column.",
    )
    slots[2].metric(
        "Exact δ(ε)",
        f"{gaussian_delta(sigma, claim.epsilon) if moved else 0.0:.3g}",
        help="P(log ratio > ε) − e^ε P′(log ratio > ε): the part of them that is too much, so that it "
        "is less than their share (Balle and Wang 2018).",
    )


def _notes(query: Query, column: Column, pair: Pair, budget: Budget) -> None:
    if isinstance(query, CountQuery):
        if query.truth(pair.one) == query.truth(pair.other):
            st.info(
                "This record does not change the count: both laws are the same. Choose a record on the "
                "other side of the threshold.",
                icon=":material/info:",
            )
        note = "One record moves one count by at most 1, under either relation. Laws are exact."
        if query.noise is Noise.GAUSSIAN:
            note += (
                " With Gaussian noise the log ratio grows without end: ε holds but for the outputs beyond "
                "it, and δ is the part of their chance that e^ε does not cover."
            )
        st.caption(note)
        return
    note = "Densities are exact, of the value as it is drawn, before it is clipped and rounded."
    if spreads_ties(query, column):
        note += (
            " Ties were spread over the resolution once, the shared records alike in both columns; "
            "the mechanism's own density is the average over all spreads, and its log ratio stays "
            "within the same ε."
        )
    elif column.tied:
        note += " Resolution 0 keeps ties: equal records leave no interval between them."
    if not isinstance(budget, PureDP):
        note += f" ε is that of the single exponential mechanism that {budget} buys."
    st.caption(note)
