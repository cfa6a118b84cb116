"""The choices of the Audit view."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.ui.kit import memory

OWN, HARD = "this column", "a hard pair"
RUNS = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
CONFIDENCES = {"95 %": 0.95, "99.9 %": 0.999}


@dataclass(frozen=True, slots=True)
class AuditChoice:
    """How the audit is done."""

    hard: bool
    runs: int
    confidence: float
    broken: bool


def columns_picker() -> bool:
    """Whether the audit is of a made-up pair of columns instead of the column in use."""
    chosen = st.segmented_control(
        "Neighbours",
        [OWN, HARD],
        default=OWN,
        required=True,
        key="n_columns",
        bind="query-params",
        persist_state="session",
        help="An audit sees only the pair of columns that it is given. The hard pair is made up, of a few "
        "records, so that a record counts for nearly all of ε; it depends on no data.",
    )
    return bool(chosen == HARD)


def audit_picker(hard: bool) -> AuditChoice:
    """Runs, confidence, and whether a broken mechanism is audited too."""
    memory.start_with("n_runs", 20_000)
    runs = st.select_slider(
        "Runs on each column",
        RUNS,
        key="n_runs",
        format_func=lambda runs: f"{runs:g}",
        bind="query-params",
        persist_state="session",
        help="One half chooses the event, the other is counted. Every run spends the whole budget.",
    )
    confidence = st.segmented_control(
        "Confidence",
        list(CONFIDENCES),
        default="95 %",
        required=True,
        key="n_confidence",
        bind="query-params",
        persist_state="session",
        help="How sure the lower bound is, at a number of runs fixed beforehand (Clopper and Pearson 1934).",
    )
    broken = st.toggle(
        "A broken twin",
        value=True,
        key="n_twin",
        bind="query-params",
        persist_state="session",
        help="The same mechanism with noise for 2ε, while it claims ε. An audit should catch it.",
    )
    return AuditChoice(hard, int(runs), CONFIDENCES[confidence], bool(broken))
