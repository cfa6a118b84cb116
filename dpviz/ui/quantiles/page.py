"""What all views of the Quantiles page are handed."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.ui.quantiles.mechanisms import Settings
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.visit.page import Visit


@dataclass(frozen=True, slots=True, eq=False)
class QuantilesPage:
    """The visit, the question to every method, their settings, and what the view asks beside.

    runs are the further draws that are shown with the truth; points those of a made-up column.
    """

    now: Visit
    question: Question
    settings: Settings
    runs: int
    points: int | None
