"""The choices of the Audit view."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.core.data import Column
from dpviz.experiments.privacy.neighbours import Change
from dpviz.ui.kit import choices, memory, session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.neighbours.change import change_picker

OWN, HARD = "this column", "a hard pair"
RUNS = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
CONFIDENCES = {"95 %": 0.95, "99.9 %": 0.999}


@dataclass(frozen=True, slots=True)
class AuditChoice:
    """How the audit is done; change is None for the hard pair."""

    change: Change | None
    runs: int
    confidence: float
    broken: bool


def audit_controls(column: Column) -> AuditChoice | None:
    """The pair of columns, runs, confidence, and whether a broken mechanism is audited too.

    None, after the problem was shown, for a change that cannot be made.
    """
    columns = choices.segments(
        "Neighbours",
        (OWN, HARD),
        "n_columns",
        "An audit sees only the pair of columns that it is given. The hard pair is made up, of a "
        "few records, so that a record counts for nearly all of ε; it depends on no data.",
    )
    change = None
    if columns == OWN and session.shows_truth():
        change = attempt(lambda: change_picker(column))
    memory.start_with("n_runs", 20_000)
    runs = choices.steps(
        "Runs on each column",
        RUNS,
        "n_runs",
        "One half chooses the event, the other is counted. Every run spends the whole budget.",
    )
    confidence = choices.segments(
        "Confidence",
        list(CONFIDENCES),
        "n_confidence",
        "How sure the lower bound is, at a number of runs fixed beforehand (Clopper and Pearson "
        "1934).",
    )
    broken = choices.switch(
        "A broken twin",
        "n_twin",
        "The same mechanism with noise for 2ε, while it claims ε. An audit should catch it.",
        default=True,
    )
    if columns == OWN and change is None:
        return None
    return AuditChoice(change, runs, CONFIDENCES[confidence], broken)
