"""What the papers say of their figures, beside what the stored results show: one row a statement.

A row names its figure, the statement, how to read the measured numbers off the figure's rows,
whether it holds, and whether the settings are the paper's. New statements are new rows; those of
Cormode et al. and of Honaker are the claims of benchmarks/_psd_table.py.
`make bench` puts the table into RESULTS.md; `python -m benchmarks._statements` prints it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmarks import _claims as claims
from benchmarks._psd_table import psd_rows
from benchmarks.results import Table, digits
from dpviz.experiments.papers.poster import UNIVERSE, poster_alpha
from dpviz.experiments.papers.stored import tables, told
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.tables import MECHANISMS
from dpviz.experiments.statements.made_up_column import BETA

AQ, JOINT, SINGLE, TREE = MECHANISMS
SHORT = {AQ: "AQ", JOINT: "JointExp", SINGLE: "AppIndExp", TREE: "AggTree"}
SAME = "yes"
OVER = {JOINT: "all at once", SINGLE: "one by one", TREE: "the noisy tree"}
TREE_SHAPE = "tree: text silent, their program's 16, 4, descent"


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a paper about a figure, and how it is checked on the figure's rows."""

    key: str
    figure: str
    says: str
    measured: Callable[[pd.DataFrame], str]
    holds: Callable[[pd.DataFrame], bool]
    settings: str
    study: str = ""  # a stored study in place of the figure's own

    def rows(self) -> pd.DataFrame:
        """The stored rows that the statement is about."""
        held = record()
        return held.rows[self.study] if self.study else told.rows_of(self.key, held)

    def cells(self) -> list[str]:
        """The row of the table."""
        rows = self.rows()
        verdict = "yes" if self.holds(rows) else "no"
        return [self.figure, self.says, self.measured(rows), verdict, self.settings]


def _claim(key: str, name: str) -> Callable[[pd.DataFrame], bool]:
    return claims.CLAIMS[key][name]


def firsts(rows: pd.DataFrame) -> dict[str, float]:
    """At which share of all m from 1 to the largest, and of the sets, each mechanism misses least.

    An m that was not measured counts as the nearest one that was: small ones are measured densely.
    """
    first = tables.means(rows).idxmin(axis=1)
    best = first.unstack("data")  # noqa: PD010  a series has no pivot_table
    every = np.arange(1, best.index.max() + 1)
    measured = best.index.to_numpy(np.float64)
    nearest = np.abs(every[:, None] - measured).argmin(axis=1)
    whole = best.to_numpy()[nearest]
    return {name: float((whole == name).mean()) for name in MECHANISMS}


def _firsts(rows: pd.DataFrame) -> str:
    found = firsts(rows)
    return "first in " + ", ".join(f"{100 * share:.0f} % {SHORT[k]}" for k, share in found.items())


def _nearly_everywhere(rows: pd.DataFrame) -> bool:
    return firsts(rows)[AQ] >= 0.9


def _by_text(rows: pd.DataFrame) -> pd.DataFrame:
    """The lines as the text has them, and the paper's where it says nothing else."""
    text = rows[rows["variant"] == "text"]
    own = rows[(rows["variant"] == "paper") & ~rows["mechanism"].isin(set(text["mechanism"]))]
    return pd.concat([own, text.assign(variant="paper")])


def _ahead(rows: pd.DataFrame) -> str:
    ahead = tables.ahead(tables.means(rows), tables.errors(rows), JOINT)
    found = ", ".join(f"{m:g}" for m in ahead) or "none"
    return f"JointExp ahead on average by two standard errors at m = {found}"


def lead(rows: pd.DataFrame, other: str, m: int) -> float:
    """How many times as much as AQ another mechanism misses at one m: ratio of means of sets."""
    mean = tables.means(rows).groupby("m").mean()
    return float(mean[other][m] / mean[AQ][m])


def _leads(other: str) -> Callable[[pd.DataFrame], str]:
    def measured(rows: pd.DataFrame) -> str:
        most = int(rows["m"].max())
        first, last = (digits(lead(rows, other, m)) for m in (5, most))
        return f"{first} × at m = 5, {last} × at m = {most}"

    return measured


def _tree_at_last(rows: pd.DataFrame) -> str:
    own, most = tables.means(rows), int(rows["m"].max())
    last = own.xs(most, level="m")
    ratio = last[TREE] / last[AQ]
    return f"{digits(ratio.min())} to {digits(ratio.max())} × by set at m = {most}"


def _before_tree(rows: pd.DataFrame) -> bool:
    own = tables.means(rows)
    return bool((own[TREE] > own[AQ]).all())


def _times(other: str) -> Callable[[pd.DataFrame], str]:
    def measured(rows: pd.DataFrame) -> str:
        found = tables.at_most(rows)
        return f"{digits(found[other] / found[AQ])} × the time of AQ"

    return measured


def _sizes(rows: pd.DataFrame) -> str:
    return ", ".join(f"{n:,.0f}" for n in rows["records"])


def _categories(rows: pd.DataFrame) -> str:
    printed = rows.dropna(subset=["printed_values"])
    return ", ".join(f"{n:,.0f}" for n in printed["values"])


def _alpha(rows: pd.DataFrame) -> str:
    return f"closed form {poster_alpha():.2f}; simulated at most {rows['alpha'].max():,.0f}"


def _outside(rows: pd.DataFrame) -> str:
    beyond = f"{rows['beyond'].iloc[0]:.3g} a trial beyond the printed α"
    return f"{rows['raw'].mean():.1f} a trial beyond the simulated α, {beyond}"


def _printed_alpha(rows: pd.DataFrame) -> bool:
    return bool(rows["formula"].round(-1).eq(9330).all()) and f"{poster_alpha():.2f}" == "9333.16"


def _five_expected(rows: pd.DataFrame) -> bool:
    return bool(2.5 <= rows["beyond"].iloc[0] <= 10)


def _carried(rows: pd.DataFrame) -> str:
    top = rows.sort_values("carried").iloc[-1]
    return f"largest {digits(top['carried'])} γ at m = {top['m']:g}, {top['steps']:g} levels"


PURE = "ε = 1, n = 1,000, (−100, 100), 100 trials, 16 of 120 m"
TO_35 = "11 of 35 m"
ZOOMED = f"as Fig. 4, {TO_35}"
ZCDP = "ρ = ½; the rest as Fig. 4"
CALLED = "yes: Gaussian noise and descent, as their call; the text: Laplace, running counts"
BY_TEXT = (
    "the text's own words: ε/(log₂ m + 1) a level, sensitivity 1, ⌊qn⌋; "
    "Laplace noise and running counts on the tree"
)
COROLLARY = "no constants in print; its constants worked out, i/(n + 1) for i/n"
LEMMAS = "no numbers in print; γ: the largest miss of a step in the same run"
POSTER = f"ε, β, D = {UNIVERSE} as printed; made-up people"


def _made_up(rows: pd.DataFrame) -> str:
    last = rows.sort_values("n").iloc[-1]
    return (
        f"n = {last['n']:,.0f}: {last['mean']:,.0f} on average, {last['worst']:,.0f} at most, "
        f"bound {last['bound']:,.0f}"
    )


def _missed(rows: pd.DataFrame) -> str:
    own = rows[rows["bound"] < 1]
    return f"at most {digits((own['missed'] / own['bound']).max())} of the bound"


def _within_bound(rows: pd.DataFrame) -> bool:
    return bool((rows["beyond"] <= BETA).all())


def _pure(key: str, settings: str) -> Iterator[Statement]:
    """Of Fig. 4, and of Fig. 5, which is its left part: the paper speaks of both at once."""
    figure, of_tree = _figure(key), f"{settings}; {TREE_SHAPE}"
    yield Statement(key, figure, "AQ first almost everywhere", _firsts, _nearly_everywhere, of_tree)
    yield Statement(
        key,
        figure,
        "the same by the text's own lines",
        lambda rows: _firsts(_by_text(rows)),
        lambda rows: _nearly_everywhere(_by_text(rows)),
        BY_TEXT,
    )
    yield Statement(
        key,
        figure,
        "JointExp slightly better at few small m",
        _ahead,
        _claim(key, "all at once is better only at a few small m"),
        settings,
    )
    for other, words in OVER.items():
        yield Statement(
            key,
            figure,
            f"wins by more as m grows: {SHORT[other]}",
            _leads(other),
            _claim(key, f"the lead over {words} grows"),
            of_tree if other == TREE else settings,
        )
    yield Statement(
        key,
        figure,
        "AQ before AggTree, at every m",
        _tree_at_last,
        _before_tree,
        CALLED,
    )


def _zcdp(key: str, settings: str) -> Iterator[Statement]:
    """Of Fig. 6, and of Fig. 7, which is its left part."""
    figure, of_tree = _figure(key), f"{settings}; {TREE_SHAPE}"
    yield Statement(key, figure, "AQ first even for small m", _firsts, _nearly_everywhere, of_tree)
    for other, words in OVER.items():
        yield Statement(
            key,
            figure,
            f"much better than {SHORT[other]}",
            _leads(other),
            _claim(key, f"better than {words} from small m on"),
            of_tree if other == TREE else settings,
        )


def _figure(key: str) -> str:
    return f"AQ Fig. {key.removeprefix('aq')}"


STATEMENTS: tuple[Statement, ...] = (
    Statement("aqt1", "AQ Table 1", "sizes of the six sets", _sizes,
              _claim("aqt1", "the sizes of the sets"), SAME),
    Statement("aqt1", "AQ Table 1", "96 and 74 categories", _categories,
              _claim("aqt1", "the numbers of categories"), SAME),
    *_pure("aq4", PURE),
    *_pure("aq5", ZOOMED),
    *_zcdp("aq6", ZCDP),
    *_zcdp("aq7", f"{ZCDP}, {TO_35}"),
    Statement("aq8", "AQ Fig. 8", "about 10 × faster than AggTree", _times(TREE),
              _claim("aq8", "about ten times faster than the noisy tree"),
              "no: whole arrays in place of loops"),
    Statement("aq8", "AQ Fig. 8", "at least 100 × faster than JointExp", _times(JOINT),
              _claim("aq8", "a hundred times faster than all at once"),
              "no: whole arrays in place of loops"),
    Statement("aq8", "AQ Fig. 8", "at least 100 × faster than AppIndExp", _times(SINGLE),
              _claim("aq8", "a hundred times faster than one by one"),
              "no: its ε′ is found once and kept"),
    Statement("selection", "AQ Lemma 2.5",
              "short of the best by γ or more: at most |S| e^(−εγ/2Δ)", _missed,
              _claim("selection",
                     "an output short of the best by γ or more has at most |S| e^(−εγ/2Δ)"),
              "printed with > for ≤; made-up outputs"),
    Statement("selection", "AQ Lemma 2.5", "the same of u > Opt − γ, as printed", _missed,
              _claim("selection", "so has one above Opt − γ, as it is printed"),
              "made-up outputs"),
    Statement("single-steps", "AQ Lemma 3.2", "miss at most (log m + 1) γ", _carried,
              _claim("single-steps", "Lemma 3.2: errors add up to (log m + 1) γ at most"),
              LEMMAS),
    Statement("single-steps", "AQ Lemma 3.4", "even quantiles: miss at most 2γ", _carried,
              _claim("single-steps", "Lemma 3.4: for even quantiles to 2γ"), LEMMAS),
    Statement("single-steps", "AQ Corollary 3.6",
              "a made-up column misses by O(log n (log ψ + log n + log 1/β)/ε)", _made_up,
              _within_bound, COROLLARY, "made-up column"),
    Statement("manohar1", "Poster, income", "α = 9333.16", _alpha, _printed_alpha, POSTER),
    Statement("manohar1", "Poster, income", "5 of 100 points are expected beyond it", _outside,
              _five_expected, POSTER, "income trials"),
    Statement("manohar2", "Poster, age", "5 of 100 points are expected beyond it", _outside,
              _five_expected, POSTER, "age trials"),
)  # fmt: skip
HEADER = ("figure", "paper says", "we measure", "holds?", "same settings?")
TITLE = "The papers' statements"


def table(statements: tuple[Statement, ...] = STATEMENTS) -> Table:
    """All statements, from the results that come with the package."""
    note = f"From the stored results of {record().date}; times are of the machine "
    note += "that made them. Almost everywhere: at 90 % of all m and sets or more."
    cells = [one.cells() for one in statements]
    for said in psd_rows(record()):
        figure, printed, holds, measured, same = said.cells
        cells.append([figure, printed, measured or "as in the line above", holds, same])
    return Table(TITLE, HEADER, cells, note)


if __name__ == "__main__":
    print(table().markdown())
