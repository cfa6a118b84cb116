"""The Audit view: what outputs on two neighbouring columns prove about ε."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.budgets import Budget
from dpviz.core.data import Column
from dpviz.experiments.privacy.hard_pairs import hard_pair
from dpviz.experiments.privacy.loss import Claim
from dpviz.experiments.privacy.neighbours import Change
from dpviz.experiments.privacy.privacy_audit import most_provable
from dpviz.experiments.privacy.single_queries import Query, doubled
from dpviz.figures.privacy.privacy_audit import TWIN, Proof, audit_figure, outputs_figure
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import Draw
from dpviz.ui.neighbours.audit_controls import AuditChoice
from dpviz.ui.neighbours.findings import Finding, finding_of
from dpviz.ui.neighbours.pairs import mark_name, output_name, pair_of

CATCHABLE = 1.1  # times the claim: a twin that attains less is hardly ever caught


def audit_panel(
    query: Query,
    column: Column,
    change: Change | None,
    budget: Budget,
    delta: float,
    choice: AuditChoice,
    draw: Draw,
) -> None:
    """Lower bounds beside the claim, and the outputs behind them; change None is the hard pair.

    Raises: DpvizError for a change that cannot be made, or noise that does not fit the budget.
    """
    claim = query.claim(budget, delta)
    if change is None:
        pair = hard_pair(query, column.bounds, session.neighbours(), claim.epsilon)
    else:
        pair = pair_of(query, column, change, draw)
    source = ("hard", column.bounds) if change is None else (column.fingerprint, change)
    budgets = {"as claimed": budget, **({"broken twin": doubled(budget)} if choice.broken else {})}
    found = {
        name: finding_of(query, pair, budget, spent, claim, choice, draw, source)
        for name, spent in budgets.items()
    }
    proofs = [
        Proof(
            name,
            mark_name(query) if name == "as claimed" else TWIN,
            one.audit.runs,
            one.audit.bounds,
            query.attained(pair, budgets[name], claim.delta),
        )
        for name, one in found.items()
    ]
    st.plotly_chart(
        audit_figure(proofs, claim.epsilon, frame.ink(), shows_truth=change is not None),
        key="n_audit",
        config=chart_options("audit", scroll=False),
        alt="Lower bounds on epsilon by the number of runs, beside the claimed epsilon",
    )
    _numbers(proofs, claim, choice)
    _outputs(query, found["as claimed"], change is not None)


def _numbers(proofs: list[Proof], claim: Claim, choice: AuditChoice) -> None:
    slots = st.columns(len(proofs) + 1, border=True)
    note = f"with δ = {claim.delta:g}" if claim.delta else "for every pair of neighbours"
    with slots[0]:
        st.metric("Claimed ε", f"{claim.epsilon:.4g}")
        st.caption(note)
    for slot, proof in zip(slots[1:], proofs, strict=True):
        bound = float(proof.bounds[-1])
        with slot:
            st.metric(f"ε proved, {proof.name}", f"≥ {bound:.3g}")
            if bound > claim.epsilon:
                st.badge("claim refuted", icon=":material/gpp_bad:", color="red")
            else:
                st.badge("claim not refuted", icon=":material/check:", color="gray")
            st.caption(f"of {proof.attained:.3g} that this pair attains")
    _advice(proofs, claim, choice)


def _advice(proofs: list[Proof], claim: Claim, choice: AuditChoice) -> None:
    missed = [one for one in proofs if one.mechanism == TWIN and one.bounds[-1] <= claim.epsilon]
    limit = most_provable(choice.runs // 2, choice.confidence)
    if missed and missed[0].attained <= claim.epsilon:
        text = (
            "The broken twin goes undetected: on these two columns even it stays within the claim, so no "
            "number of runs can catch it. Choose a hard pair, or another record."
        )
    elif missed and limit <= claim.epsilon:
        text = f"These runs can prove at most ε = {limit:.2g}, even of a mechanism without privacy."
    elif missed and missed[0].attained < CATCHABLE * claim.epsilon:
        text = (
            f"The broken twin goes undetected: on these two columns it attains {missed[0].attained:.4g}, "
            f"hardly more than the claimed {claim.epsilon:.4g}, which no number of runs offered here is "
            "likely to show. Choose a hard pair, or another record."
        )
    elif missed:
        text = "The broken twin goes undetected: more runs come nearer to what it attains."
    else:
        text = (
            "An audit proves privacy lost, never privacy kept: it sees one pair of columns and one event. "
            f"These runs can prove at most ε = {limit:.2g}, even of a mechanism without privacy. Each point of a line holds at its confidence by "
            "itself; the one that counts is the last."
        )
    st.caption(text)


def _outputs(query: Query, finding: Finding, shows_truth: bool) -> None:
    event = finding.audit.event
    band = (-np.inf, event.threshold) if event.below else (event.threshold, np.inf)
    st.markdown("**Outputs of the mechanism as claimed**, and the event that was counted")
    st.plotly_chart(
        outputs_figure(
            finding.edges,
            finding.one,
            finding.other,
            band,
            mark_name(query),
            frame.ink(),
            unit=output_name(query),
            shows_truth=shows_truth,
        ),
        key="n_outputs",
        config=chart_options("outputs", scroll=False),
        alt="Histograms of the outputs on both columns, with the event that tells them apart",
    )
