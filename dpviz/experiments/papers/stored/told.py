"""What is said about a figure: its headline and four paragraphs, from one table and one run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from dpviz.experiments.engine.tally import MEAN_GAP
from dpviz.experiments.papers.aq_study import CONCENTRATED, PURE
from dpviz.experiments.papers.stored import findings, map_findings
from dpviz.experiments.papers.stored.judgements import Mark, judgements
from dpviz.experiments.papers.stored.record import Record
from dpviz.experiments.papers.stored.statement_findings import OF_STATEMENTS

Rows = Mapping[str, pd.DataFrame]


@dataclass(frozen=True, slots=True)
class Told:
    """A figure in words, Markdown: the finding, as printed, as measured, why, and the settings."""

    mark: Mark
    judged: str
    headline: str
    printed: str
    measured: str
    why: str
    settings: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure's rows come from: the study, and which of its rows are the figure's."""

    study: str
    part: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows


def of_notion(notion: str, most: int | None = None) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """The rows of one notion of privacy, to most quantiles."""

    def part(rows: pd.DataFrame) -> pd.DataFrame:
        kept = rows[rows["notion"] == notion]
        return kept if most is None else kept[kept["m"] <= most]

    return part


SOURCES: Mapping[str, Source] = {
    "aq1": Source("recursion"),
    "aq2": Source("targets"),
    "aq3": Source("histograms"),
    "aqt1": Source("properties"),
    "aq4": Source("gaps", of_notion(PURE)),
    "aq5": Source("gaps", of_notion(PURE, 35)),
    "aq6": Source("gaps", of_notion(CONCENTRATED)),
    "aq7": Source("gaps", of_notion(CONCENTRATED, 35)),
    "aq8": Source("times"),
    "psd1": Source("quarters"),
    "psd2": Source("worst"),
    "psd3": Source("quadtrees"),
    "psd4": Source("medians"),
    "psd5": Source("kdtrees"),
    "psd6": Source("heights"),
    "psdsettings": Source("settings"),
    "psd7a": Source("construction"),
    "psd7b": Source("matching"),
    "honaker1": Source("example"),
    "honaker2": Source("example"),
    "honaker3": Source("example"),
    "honaker4": Source("simulation"),
    "manohar1": Source("income"),
    "manohar2": Source("age"),
    "selection": Source("selection"),
    "single-steps": Source("single steps"),
    "nodes": Source("nodes"),
    "flattening": Source("flattening"),
    "bounds": Source("bounds"),
    "laplace-median": Source("laplace median"),
    "good-split": Source("good split"),
    "sampling": Source("sampling"),
    "solid": Source("solid"),
    "both-sides": Source("both sides"),
    "weighing": Source("weighing"),
    "surveys": Source("surveys"),
    "stream": Source("stream"),
}
NUMBERS: Mapping[str, Callable[[pd.DataFrame], findings.Numbers]] = {
    **findings.OF_AQ,
    **map_findings.OF_PSD,
    "honaker4": findings.simulation,
    **OF_STATEMENTS,
}


def rows_of(key: str, record: Record, metric: str = MEAN_GAP) -> pd.DataFrame:
    """The stored rows of a figure, of one metric where its study has several."""
    source = SOURCES[key]
    return of_metric(source.part(record.rows[source.study]), metric)


def of_metric(rows: pd.DataFrame, metric: str = MEAN_GAP) -> pd.DataFrame:
    """The rows of one metric; all of them for a study that has but one."""
    return rows[rows["metric"] == metric] if "metric" in rows else rows


def told(key: str, numbers: findings.Numbers) -> Told:
    """What is said about a figure, with the numbers that its texts leave open.

    Raises: KeyError for a text that asks for a number which is not given.
    """
    row = judgements()[key]
    texts = (row.headline, row.printed, row.measured, row.why, row.settings)
    return Told(row.mark, row.judged, *(text.format_map(numbers) for text in texts))


def origin_of(origins: Mapping[str, str]) -> str:
    """A sentence about where the six sets are from."""
    made_up = sum(origin == "stand-in" for origin in origins.values())
    if not made_up:
        return "Two sets are synthetic, four are the real ones."
    number = findings.several(made_up, "set is", "sets are").capitalize()
    return f"{number} made-up stand-ins of the same size and ties."
