"""The Averaging view: k releases of one number, what their mean tells, and what they spend."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.data import Column
from dpviz.core.errors import InvalidData
from dpviz.experiments.privacy.averaging import (
    BASIC,
    MOST,
    ZCDP_LINE,
    ledger,
    release_numbers,
    running_means,
)
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.figures.privacy.averaging import averaging_figure, ledger_figure
from dpviz.ui.kit import choices, frame, memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.kit.messages import empty_state
from dpviz.ui.kit.number_text import counted, exponential, place
from dpviz.ui.neighbours.controls import Asked
from dpviz.ui.neighbours.pairs import mark_name, output_name

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, MOST)


def releases_picker(column: Column) -> int:  # noqa: ARG001  all views are handed it
    """How many releases the attacker has seen."""
    memory.start_with("n_k", 20)
    meaning = "The same private number, asked k times. Each answer spends the budget again."
    return choices.steps("Releases k", STEPS, "n_k", meaning)


def averaging_panel(asked: Asked, k: int) -> None:
    """The attack on the left, the bill on the right.

    Raises: DpvizError for noise that does not fit the budget, or a column without records.
    """
    asked.claim()  # refuses before anything is drawn
    attack, bill = st.columns(2)
    with attack:
        st.markdown(f"**What {counted(k, 'answer')} tell{'s' if k == 1 else ''}**")
        if session.shows_truth():
            _attack(asked, k)
        else:
            empty_state("Many answers together give the truth away: hidden while the truth is off.")
    with bill:
        st.markdown(f"**What {'it spends' if k == 1 else 'they spend'}**")
        _bill(asked, k)


def _attack(asked: Asked, k: int) -> None:
    query, column = asked.query, asked.column
    if column.n == 0 and isinstance(query, QuantileQuery):
        raise InvalidData("The column has no records left, so it has no quantiles.")
    truth = query.truth(column)
    with st.spinner(f"{MOST:,} answers"):  # values off the grid of the resolution take seconds
        answers = _answers(asked)
    limit = truth if isinstance(query, CountQuery) else float(answers.mean())
    means = running_means(answers)
    chart(
        averaging_figure(
            answers,
            means,
            truth,
            float(answers.std()),
            limit,
            k,
            mark_name(query),
            frame.ink(),
            unit=output_name(query),
        ),
        "n_averaging",
        "averaging",
        "Private answers and their running mean, against the true value in black",
    )
    one, two = st.columns(2, border=True)
    one.metric(
        "One is off", f"{np.abs(answers - truth).mean():.3g}", help="One answer, on average."
    )
    two.metric("Mean is off", f"{abs(means[k - 1] - truth):.3g}", help="That of these answers.")
    if isinstance(query, QuantileQuery):
        st.caption(
            f"The true quantile is {place(truth)}; the mean of {answers.size:,} answers is {place(limit)}. "
            "It settles near the truth, not on it: an exponential mechanism leans to where values are "
            "sparse, and no mean takes that away."
        )
    else:
        st.caption("The noise has mean 0, so the mean settles on the true count.")


def _answers(asked: Asked) -> FloatArray:
    query, column, budget, draw = asked.query, asked.column, asked.budget, asked.draw
    purpose = purpose_of(query, column, budget, "averaging")
    paid = [Cost("averaging", budget, MOST)]
    return memory.remembered(
        (purpose, draw),
        lambda: query.release_many(column, budget, draw.rng(purpose, 1, paid=paid), MOST),
    )


def _bill(asked: Asked, k: int) -> None:
    query, budget, delta = asked.query, asked.budget, asked.delta
    ks = np.union1d(release_numbers(), STEPS)
    accounts = memory.remembered(
        ("n_ledger", query, budget, delta), lambda: ledger(query, budget, delta, ks)
    )
    chart(
        ledger_figure(ks, accounts, k, frame.ink()),
        "n_ledger",
        "ledger",
        "Total epsilon after k releases under each account",
    )
    at = int(np.searchsorted(ks, k))
    totals = {name: float(line[at]) for name, line in accounts.items()}
    best = min(totals, key=lambda name: totals[name])
    one, two = st.columns(2, border=True)
    name = BASIC if BASIC in totals else ZCDP_LINE
    one.metric(f"ε, {name}", f"{totals[name]:.4g}")
    at_delta = "" if best == BASIC else f" = {delta:g}"
    two.metric("ε, best", f"{totals[best]:.4g}", help=f"By the account: {best}{at_delta}.")
    st.caption(
        f"e^ε is by now {exponential(totals[best])}; the last view shows what that means. Accounts: k times ε; the best that "
        "holds for every mechanism with that ε; k times ρ, converted at δ; the exact one of Gaussian "
        "noise."
    )
