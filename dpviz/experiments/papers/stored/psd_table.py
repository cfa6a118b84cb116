"""What Cormode et al. say of each figure, what the stored rows say, and whether settings agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dpviz.experiments.papers.stored import told
from dpviz.experiments.papers.stored.claims import CLAIMS
from dpviz.experiments.papers.stored.map_findings import OF_PSD
from dpviz.experiments.papers.stored.record import Record

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
    """A line for each claim about a figure; what was measured is said once, beside the first."""
    for key, numbers in OF_PSD.items():
        rows = told.rows_of(key, held)
        words = {**numbers(rows), "trials": "", "points": ""}
        measured = _plain(told.told(key, words).measured)
        for at, (printed, claim) in enumerate(CLAIMS[key].items()):
            yield Said(_label(key), printed, claim(rows), "" if at else measured, OTHERWISE[key])


def _label(key: str) -> str:
    return "PSD § 8.2" if key == "psdsettings" else f"PSD Fig. {key.removeprefix('psd')}"


def _plain(text: str) -> str:
    return re.sub(r":blue\[(.*?)\]", r"\1", text)
