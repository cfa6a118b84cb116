"""The papers, their figures and statements, a row each: what the Papers page can show."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from dpviz.experiments.papers.psd_costs import construction_times, record_matching
from dpviz.experiments.papers.psd_figures import height_accuracy, kd_accuracy, quadtree_accuracy
from dpviz.experiments.papers.psd_settings import settings_accuracy
from dpviz.experiments.papers.stored import findings, map_findings
from dpviz.experiments.papers.stored import tree_findings as found
from dpviz.experiments.papers.tree_figures import ways
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies import aq as aq_pictures
from dpviz.figures.studies import psd as psd_pictures
from dpviz.figures.studies.schemes import ways_figure
from dpviz.ui.papers import aq, spatial, trees
from dpviz.ui.papers.files import files_label, files_panel, shown_label, six_sets
from dpviz.ui.papers.rows import Paper, PaperFigure, Shown
from dpviz.ui.papers.statements import STATEMENTS

AQ = Paper("Kaplan, Schnapp, Stemmer 2021", "quantiles by recursive halving")
PSD = Paper("Cormode et al. 2012", "private maps")
HONAKER = Paper("Honaker 2019", "counts in a tree")
MANOHAR = Paper("Manohar 2014", "running counts")

ON_FILES: dict[str, Any] = {"needs": six_sets, "aside": files_panel, "aside_label": files_label}
OFF_FILES = ON_FILES | {"aside_label": shown_label}  # read off the sets at once, without a run
ON_POINTS: dict[str, Any] = {
    "needs": spatial.chosen_points,
    "presets": spatial.SIZES,
    "aside": spatial.points_picker,
    "aside_label": spatial.points_label,
}


def _drawn(draw: Callable[[pd.DataFrame, Look], Picture]) -> Callable[[Shown], Picture]:
    """A picture of the rows alone."""
    return lambda shown: draw(shown.rows, shown.look)


def _figure(
    paper: Paper,
    prefix: str,
    name: str,
    note: str,
    about: str,
    picture: Callable[[Shown], Picture],
    **others: Any,
) -> PaperFigure:
    key = f"{prefix}{name}"
    return PaperFigure(key, paper, f"Fig. {name}", note, about, picture, aq.numbers(key), **others)


_of_aq, _of_psd = partial(_figure, AQ, "aq"), partial(_figure, PSD, "psd")


def _gaps(number: str, note: str, about: str, most: int | None = None) -> PaperFigure:
    """One of the figures that share a study of misses, to most quantiles if it is given."""
    more: dict[str, Any] = {"study": aq.gap_study, "presets": aq.SIZES, "has_variants": True}
    return _of_aq(number, note, about, aq.gaps(most), **more, **ON_FILES)


def _of_honaker(number: int, note: str, about: str, *functions: Any, **others: Any) -> PaperFigure:
    return PaperFigure(
        f"honaker{number}", HONAKER, f"Fig. {number}", note, about, *functions, **others
    )


def _poster(number: int, note: str, about: str, extra: str) -> PaperFigure:
    return PaperFigure(
        f"manohar{number}",
        MANOHAR,
        f"Plot {number}",
        note,
        about,
        trees.poster,
        trees.poster_numbers,
        parts=(trees.CURVE, trees.ERRORS, trees.TRIALS),
        truth_parts=(trees.ERRORS, trees.TRIALS),
        extra=(extra,),
        has_truth=True,
    )


MISSES = "miss against the number m of quantiles"
PRINTED: tuple[PaperFigure, ...] = (
    _of_aq(
        "1",
        "the recursion",
        "which quantile is drawn when",
        lambda shown: aq_pictures.nodes_figure(shown.rows, shown.look, unit="value"),
    ),
    _of_aq("2", "moved targets", "what an early error does", _drawn(aq_pictures.targets_figure)),
    _of_aq(
        "3",
        "six data sets",
        "their histograms",
        lambda shown: aq_pictures.histograms_figure(shown.rows, shown.look, shown.titles),
        **OFF_FILES,
    ),
    PaperFigure(
        "aqt1",
        AQ,
        "Table 1",
        "sizes and ties",
        "how many people each set has, and how many values they take",
        _drawn(aq_pictures.properties_figure),
        aq.numbers("aqt1"),
        **OFF_FILES,
    ),
    _gaps("4", "error by m, pure", f"{MISSES}, ε = 1, 1,000 people"),
    _gaps("5", "the same, m ≤ 35", f"{MISSES}, up to 35", 35),
    _gaps("6", "error by m, zCDP", f"{MISSES}, ρ = ½, 1,000 people"),
    _gaps("7", "the same, m ≤ 35", f"{MISSES}, ρ = ½, up to 35", 35),
    _of_aq(
        "8",
        "time by m",
        "time of one release against the number m of quantiles",
        _drawn(aq_pictures.time_figure),
        study=aq.timing,
        presets=aq.SIZES,
        **ON_FILES,
    ),
    PaperFigure(
        "psd1",
        PSD,
        "Fig. 1",
        "one query",
        "a query on a small quadtree, its answers, and two estimates of one count",
        spatial.quarters,
        lambda shown: map_findings.quarters(shown.rows, shows_truth=shown.shows_truth),
        parts=tuple(spatial.QUARTER_PARTS),
        has_truth=True,
    ),
    _of_psd(
        "2",
        "worst case, exact",
        "worst variance of a rectangle by height",
        _drawn(psd_pictures.worst_case_figure),
    ),
    _of_psd(
        "3",
        "four quadtrees",
        "error of rectangles against ε, four settings of a quadtree",
        spatial.accuracy("epsilon"),
        study=spatial.on_points(quadtree_accuracy),
        has_variants=True,
        variants="Hollow marks: the same trees whole, none of them pruned or stopped at 32.",
        **ON_POINTS,
    ),
    _of_psd(
        "4",
        "private medians",
        "how far private medians miss, by depth of the tree",
        spatial.medians,
        parts=tuple(spatial.MEDIAN_PARTS),
        study=spatial.median_trees,
        presets=spatial.MEDIAN_SIZES,
    ),
    _of_psd(
        "5",
        "kd-trees",
        "error of rectangles against ε, six kd-trees",
        spatial.accuracy("epsilon"),
        study=spatial.on_points(kd_accuracy),
        has_variants=True,
        variants="Hollow marks: kd-cell with negative cells kept and our test of evenness.",
        **ON_POINTS,
    ),
    _of_psd(
        "6",
        "best by height",
        "error of rectangles against height, the best of each family, ε = 0.5",
        spatial.accuracy("height"),
        study=spatial.on_points(height_accuracy),
        has_variants=True,
        variants="Hollow marks: quad-opt not pruned, kd-cell with our test of evenness, and the Hilbert R-tree "
        "with the boxes of its points, which is not private.",
        **ON_POINTS,
    ),
    PaperFigure(
        "psdsettings",
        PSD,
        "§ 8.2",
        "other settings",
        "error of rectangles against four settings whose plots the paper leaves out, ε = 0.5",
        spatial.settings,
        aq.numbers("psdsettings"),
        parts=tuple(spatial.SETTING_PARTS),
        parts_label="Setting",
        study=spatial.on_points(settings_accuracy),
        **ON_POINTS,
    ),
    _of_psd(
        "7a",
        "time to build",
        "time of one release, and of what follows it",
        _drawn(psd_pictures.construction_figure),
        study=spatial.on_points(construction_times, 1),
        **ON_POINTS,
    ),
    _of_psd(
        "7b",
        "matching records",
        "pairs that two parties must still compare in secret, against ε",
        _drawn(psd_pictures.matching_figure),
        study=spatial.on_points(record_matching),
        **ON_POINTS,
    ),
    _of_honaker(
        1,
        "a noisy tree",
        "true and private counts of a tree over eight leaves",
        trees.noisy_tree,
        trees.noisy_tree_numbers,
        parts=tuple(trees.READINGS.values()),
        parts_label="Reading",
        has_truth=True,
    ),
    _of_honaker(
        2,
        "eight ways",
        "eight estimates of one sum",
        lambda shown: ways_figure(ways(), found.ways_said(shown.rows), shown.look),
        lambda shown: found.eight_ways(shown.rows, shows_truth=shown.shows_truth),
        has_truth=True,
    ),
    _of_honaker(
        3,
        "all nodes help",
        "which nodes make one efficient estimate",
        trees.nodes_used,
        lambda shown: found.nodes_used(shown.rows, shows_truth=shown.shows_truth),
        has_truth=True,
    ),
    _of_honaker(
        4,
        "errors by node",
        "squared error of every node under four readings",
        trees.simulation,
        lambda shown: findings.simulation(shown.rows),
        parts=tuple(trees.PANELS),
        parts_label="Panel",
    ),
    _poster(1, "income", "a private CDF of incomes", "income trials"),
    _poster(2, "age", "a private CDF of ages", "age trials"),
)
FIGURES = (*PRINTED, *STATEMENTS)
BY_KEY = {row.key: row for row in FIGURES}
