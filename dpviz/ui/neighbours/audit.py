"""The Audit view: what outputs on two neighbouring columns prove about ε."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.experiments.privacy.hard_pairs import hard_pair
from dpviz.experiments.privacy.loss import Claim
from dpviz.experiments.privacy.privacy_audit import most_provable
from dpviz.experiments.privacy.single_queries import Query, doubled
from dpviz.figures.privacy.privacy_audit import TWIN, Proof, audit_figure, outputs_figure
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart
from dpviz.ui.neighbours.audit_controls import AuditChoice
from dpviz.ui.neighbours.controls import Asked
from dpviz.ui.neighbours.findings import Finding, finding_of
from dpviz.ui.neighbours.pairs import mark_name, output_name, pair_of

CLAIMED = "as claimed"
CATCHABLE = 1.1  # times the claim: a twin that attains less is hardly ever caught


def audit_panel(asked: Asked, choice: AuditChoice) -> None:
    """Lower bounds beside the claim, and the outputs behind them.

    Raises: DpvizError for a change that cannot be made, or noise that does not fit the budget.
    """
    query, column, change = asked.query, asked.column, choice.change
    claim = asked.claim()
    source: tuple[object, ...]
    if change is None:
        pair = hard_pair(query, column.bounds, session.neighbours(), claim.epsilon)
        source = ("hard", column.bounds)
    else:
        pair = pair_of(asked, change)
        source = (column.fingerprint, change)
    budgets = {CLAIMED: asked.budget}
    if choice.broken:
        budgets["broken twin"] = doubled(asked.budget)
    found = {
        name: finding_of(asked, pair, spent, choice, source) for name, spent in budgets.items()
    }
    proofs = [
        Proof(
            name,
            mark_name(query) if name == CLAIMED else TWIN,
            one.audit.runs,
            one.audit.bounds,
            query.attained(pair, budgets[name], claim.delta),
        )
        for name, one in found.items()
    ]
    chart(
        audit_figure(proofs, claim.epsilon, frame.ink(), shows_truth=change is not None),
        "n_audit",
        "audit",
        "Lower bounds on epsilon by the number of runs, beside the claimed epsilon",
    )
    _numbers(proofs, claim)
    st.caption(_advice(proofs, claim, choice))
    _outputs(query, found[CLAIMED], change is not None)


def _numbers(proofs: list[Proof], claim: Claim) -> None:
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


def _advice(proofs: list[Proof], claim: Claim, choice: AuditChoice) -> str:
    limit = most_provable(choice.runs // 2, choice.confidence)
    able = f"These runs can prove at most ε = {limit:.2g}, even of a mechanism without privacy."
    missed = [one for one in proofs if one.mechanism == TWIN and one.bounds[-1] <= claim.epsilon]
    if not missed:
        return (
            "An audit proves privacy lost, never privacy kept: it sees one pair of columns and one "
            f"event. {able} Each point of a line holds at its confidence by itself; the one that "
            "counts is the last."
        )
    undetected, attained = "The broken twin goes undetected", missed[0].attained
    if attained <= claim.epsilon:
        return (
            f"{undetected}: on these two columns even it stays within the claim, so no number of "
            "runs can catch it. Choose a hard pair, or another record."
        )
    if limit <= claim.epsilon:
        return able
    if attained < CATCHABLE * claim.epsilon:
        return (
            f"{undetected}: on these two columns it attains {attained:.4g}, hardly more than the "
            f"claimed {claim.epsilon:.4g}, which no number of runs offered here is likely to show. "
            "Choose a hard pair, or another record."
        )
    return f"{undetected}: more runs come nearer to what it attains."


def _outputs(query: Query, finding: Finding, shows_truth: bool) -> None:
    event = finding.audit.event
    band = (-np.inf, event.threshold) if event.below else (event.threshold, np.inf)
    st.markdown("**Outputs of the mechanism as claimed**, and the event that was counted")
    chart(
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
        "n_outputs",
        "outputs",
        "Histograms of the outputs on both columns, with the event that tells them apart",
    )
