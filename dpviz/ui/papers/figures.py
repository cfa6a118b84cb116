"""The papers and their figures, a row each: what the Paper figures view can show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpviz.experiments.papers.aq_study import CONCENTRATED, PURE
from dpviz.experiments.papers.psd_costs import construction_times, record_matching
from dpviz.experiments.papers.psd_figures import height_accuracy, kd_accuracy, quadtree_accuracy
from dpviz.ui.papers import aq, spatial, trees
from dpviz.ui.papers.captions import CAPTIONS
from dpviz.ui.papers.files import files_panel, generated_sets, six_sets
from dpviz.ui.papers.rows import Paper, PaperFigure, Sheet

AQ = Paper(
    "Kaplan et al.",
    "w_figure",
    "Kaplan, Schnapp and Stemmer 2021.",
    widths=(4, 4, 4),
    aside=files_panel,
    first="aq4",
)
PSD = Paper("Cormode et al.", "w_spatial", "Cormode, Procopiuc, Srivastava, Shen and Yu 2012.")
HONAKER = Paper("Honaker", "w_honaker", "Honaker 2019.")
MANOHAR = Paper("Manohar", "w_manohar", "Manohar 2014, a poster.")


SIX_SETS: dict[str, Any] = {"needs": six_sets, "presets": aq.SIZES}
ON_POINTS: dict[str, Any] = {
    "needs": spatial.chosen_points,
    "presets": spatial.SIZES,
    "aside": spatial.points_picker,
}


def _row(
    key: str, paper: Paper, title: str, picture: Callable[[Sheet], None], **others: Any
) -> PaperFigure:
    """A row with its caption from the file of captions."""
    return PaperFigure(key, paper, title, CAPTIONS[key], picture, **others)


def _gaps(key: str, title: str, notion: str, most: int | None = None) -> PaperFigure:
    """One of the figures that share a study of gaps, to most quantiles if it is given."""
    picture = aq.gaps(notion, most)
    return _row(key, AQ, title, picture, study=aq.gap_study, has_variants=True, **SIX_SETS)


def _on_points(
    key: str,
    title: str,
    picture: Callable[[Sheet], None],
    build: spatial.Build,
    processes: int | None = None,
) -> PaperFigure:
    """One of the figures about points in the plane."""
    study = spatial.on_points(build, processes)
    return _row(key, PSD, title, picture, study=study, **ON_POINTS)


FIGURES: tuple[PaperFigure, ...] = (
    _row("aq1", AQ, "AQ Fig. 1: the recursion", aq.recursion, needs=generated_sets),
    _row("aq2", AQ, "AQ Fig. 2: an early error", aq.early_error, needs=generated_sets),
    _row("aq3", AQ, "AQ Fig. 3: the data sets", aq.data_sets, needs=six_sets),
    _gaps("aq4", "AQ Fig. 4: error, ε = 1", PURE),
    _gaps("aq5", "AQ Fig. 5: error, ε = 1, m ≤ 35", PURE, 35),
    _gaps("aq6", "AQ Fig. 6: error, ρ = ½", CONCENTRATED),
    _gaps("aq7", "AQ Fig. 7: error, ρ = ½, m ≤ 35", CONCENTRATED, 35),
    _row("aq8", AQ, "AQ Fig. 8: time", aq.times, study=aq.timing, **SIX_SETS),
    _row("psd2", PSD, "PSD Fig. 2: worst error by height", spatial.worst_cases),
    _on_points(
        "psd3", "PSD Fig. 3: quadtree settings", spatial.accuracy("epsilon"), quadtree_accuracy
    ),
    _row(
        "psd4",
        PSD,
        "PSD Fig. 4: private medians",
        spatial.medians,
        study=spatial.median_trees,
        presets=spatial.SIZES,
    ),
    _on_points("psd5", "PSD Fig. 5: kd-trees", spatial.accuracy("epsilon"), kd_accuracy),
    _on_points(
        "psd6", "PSD Fig. 6: the best of each family", spatial.accuracy("height"), height_accuracy
    ),
    _on_points(
        "psd7a", "PSD Fig. 7a: construction time", spatial.times, construction_times, processes=1
    ),
    _on_points("psd7b", "PSD Fig. 7b: record matching", spatial.matching, record_matching),
    _row("honaker1", HONAKER, "Honaker Fig. 1: a noisy tree", trees.noisy_tree),
    _row("honaker2", HONAKER, "Honaker Fig. 2: eight estimates", trees.eight_estimates),
    _row("honaker3", HONAKER, "Honaker Fig. 3: what t100* uses", trees.nodes_used),
    _row("honaker4", HONAKER, "Honaker Fig. 4: simulation", trees.simulation),
    _row("manohar1", MANOHAR, "Manohar's first plot: income", trees.poster),
    _row("manohar2", MANOHAR, "Manohar's second plot: age", trees.poster),
)
