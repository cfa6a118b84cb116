"""What Cormode et al. and Honaker say, what the stored rows say, and whether settings agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from benchmarks._claims import CLAIMS
from dpviz.experiments.papers.stored import other_points, told
from dpviz.experiments.papers.stored.findings import Numbers, simulation
from dpviz.experiments.papers.stored.map_findings import OF_PSD
from dpviz.experiments.papers.stored.record import Record
from dpviz.experiments.papers.stored.statement_findings import OF_STATEMENTS

TIGER = "1.63 million made-up points in place of TIGER's"
# what is set otherwise than in the paper, by its text or its authors' prototype; empty: nothing is
OTHERWISE: Mapping[str, str] = {
    "psd2": "",
    "psd3": f"{TIGER}; stopped leaves are not counted again; rectangles anywhere in the box",
    "psd4": "own splits, as the text says; the prototype splits exactly",
    "psd5": f"{TIGER}; rectangles anywhere in the box; least squares on all trees",
    "psd6": f"{TIGER}; rectangles anywhere in the box; Hilbert boxes from the curve, so private",
    "psdsettings": f"{TIGER}; means of three shapes at one ε",
    "psd7a": f"{TIGER}; another computer and NumPy by levels",
    "psd7b": f"{TIGER}, in two halves; the data of Inan et al. are not at hand",
    "flattening": "no numbers in print; empty trees, where every variance is exact",
    "bounds": "no numbers in print; random rectangles on uniform points",
    "laplace-median": "no numbers in print; ε up to 1, even values",
    "good-split": "no numbers in print; the values that are hardest, and even ones",
    "sampling": "the exact price in place of the bound",
    "weighing": "no numbers in print; three measurements of his example",
    "honaker4": "",
}
# claims that fail on the figure's own points, and what controls say of them
ELSEWHERE: Mapping[tuple[str, str], str] = {
    ("psd5", "kd-cell clearly loses on long thin rectangles, at every ε"): other_points.CELL_LOSES,
    ("psd6", "kd-hybrid of height 8 does as well on larger shapes"): other_points.HYBRID_LEVEL,
    ("psd6", "Hilbert-R is much worse on some"): other_points.HILBERT_WORSE,
}
LABELS: Mapping[str, str] = {
    "psdsettings": "PSD § 8.2",
    "flattening": "PSD Lemma 2, § 6.2",
    "bounds": "PSD Lemma 3",
    "laplace-median": "PSD § 6.1",
    "good-split": "PSD Lemma 6",
    "sampling": "PSD Theorem 7",
    "weighing": "Honaker eq. 1 to 7",
    "honaker4": "Honaker Fig. 4",
}
STATED = ("flattening", "bounds", "laplace-median", "good-split", "sampling", "weighing")
FINDINGS: Mapping[str, Callable[[pd.DataFrame], Numbers]] = {
    **{key: numbers for key, numbers in OF_PSD.items() if key != "psd1"},  # no claim
    **{key: OF_STATEMENTS[key] for key in STATED},
    "honaker4": simulation,
}
HEADERS = ("figure", "paper says", "holds here", "we measure", "same settings?")


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of the paper beside what was measured; otherwise is empty for equal settings."""

    figure: str
    printed: str
    holds: bool
    measured: str
    otherwise: str

    @property
    def cells(self) -> tuple[str, ...]:
        """The texts of a table's line, in the order of HEADERS."""
        same = f"no: {self.otherwise}" if self.otherwise else "yes"
        return self.figure, self.printed, "yes" if self.holds else "no", self.measured, same


def psd_rows(held: Record) -> Iterator[Said]:
    """A line for each claim; what was measured is said once, beside the first of a figure."""
    for key, numbers in FINDINGS.items():
        rows = told.rows_of(key, held)
        words = {**numbers(rows), "trials": "", "points": ""}
        measured = _plain(told.told(key, words).measured)
        for at, (printed, claim) in enumerate(CLAIMS[key].items()):
            otherwise = OTHERWISE[key]
            if (key, printed) in ELSEWHERE:
                otherwise += f". {other_points.reason(ELSEWHERE[key, printed])}"
            yield Said(_label(key), printed, claim(rows), "" if at else measured, otherwise)


def _label(key: str) -> str:
    return LABELS.get(key, f"PSD Fig. {key.removeprefix('psd')}")


def _plain(text: str) -> str:
    return re.sub(r":blue\[(.*?)\]", r"\1", text)
