"""The papers and their figures, a row each: what the Paper figures view can show."""

from __future__ import annotations

from collections.abc import Callable

from dpviz.experiments.papers.aq_study import CONCENTRATED, PURE
from dpviz.experiments.papers.psd_costs import construction_times, record_matching
from dpviz.experiments.papers.psd_figures import height_accuracy, kd_accuracy, quadtree_accuracy
from dpviz.ui.kit.job_panel import Study
from dpviz.ui.papers import aq, spatial, trees
from dpviz.ui.papers.captions import CAPTIONS
from dpviz.ui.papers.files import files_panel, generated_sets, six_sets
from dpviz.ui.papers.rows import Asked, Given, Paper, PaperFigure, Sheet

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


def _aq_gaps(key: str, title: str, notion: str, most: int | None = None) -> PaperFigure:
    """One of the four figures that share a study."""
    return PaperFigure(
        key,
        AQ,
        title,
        CAPTIONS[key],
        aq.gaps(notion, most),
        study=aq.gap_study,
        needs=six_sets,
        presets=aq.SIZES,
        has_variants=True,
    )


def _on_points(
    key: str, title: str, picture: Callable[[Sheet], None], study: Callable[[Asked, Given], Study]
) -> PaperFigure:
    """One of the figures about points in the plane."""
    return PaperFigure(
        key,
        PSD,
        title,
        CAPTIONS[key],
        picture,
        study=study,
        needs=spatial.chosen_points,
        presets=spatial.SIZES,
        aside=spatial.points_picker,
    )


FIGURES: tuple[PaperFigure, ...] = (
    PaperFigure(
        "aq1",
        AQ,
        "AQ Fig. 1: the recursion",
        CAPTIONS["aq1"],
        aq.recursion,
        needs=generated_sets,
    ),
    PaperFigure(
        "aq2",
        AQ,
        "AQ Fig. 2: an early error",
        CAPTIONS["aq2"],
        aq.early_error,
        needs=generated_sets,
    ),
    PaperFigure(
        "aq3", AQ, "AQ Fig. 3: the data sets", CAPTIONS["aq3"], aq.data_sets, needs=six_sets
    ),
    _aq_gaps("aq4", "AQ Fig. 4: error, ε = 1", PURE),
    _aq_gaps("aq5", "AQ Fig. 5: error, ε = 1, m ≤ 35", PURE, 35),
    _aq_gaps("aq6", "AQ Fig. 6: error, ρ = ½", CONCENTRATED),
    _aq_gaps("aq7", "AQ Fig. 7: error, ρ = ½, m ≤ 35", CONCENTRATED, 35),
    PaperFigure(
        "aq8",
        AQ,
        "AQ Fig. 8: time",
        CAPTIONS["aq8"],
        aq.times,
        study=aq.timing,
        needs=six_sets,
        presets=aq.SIZES,
    ),
    PaperFigure(
        "psd2",
        PSD,
        "PSD Fig. 2: worst error by height",
        CAPTIONS["psd2"],
        spatial.worst_cases,
    ),
    _on_points(
        "psd3",
        "PSD Fig. 3: quadtree settings",
        spatial.accuracy("epsilon"),
        spatial.on_points(quadtree_accuracy),
    ),
    PaperFigure(
        "psd4",
        PSD,
        "PSD Fig. 4: private medians",
        CAPTIONS["psd4"],
        spatial.medians,
        study=spatial.median_trees,
        presets=spatial.SIZES,
    ),
    _on_points(
        "psd5",
        "PSD Fig. 5: kd-trees",
        spatial.accuracy("epsilon"),
        spatial.on_points(kd_accuracy),
    ),
    _on_points(
        "psd6",
        "PSD Fig. 6: the best of each family",
        spatial.accuracy("height"),
        spatial.on_points(height_accuracy),
    ),
    _on_points(
        "psd7a",
        "PSD Fig. 7a: construction time",
        spatial.times,
        spatial.on_points(construction_times, processes=1),
    ),
    _on_points(
        "psd7b",
        "PSD Fig. 7b: record matching",
        spatial.matching,
        spatial.on_points(record_matching),
    ),
    PaperFigure(
        "honaker1", HONAKER, "Honaker Fig. 1: a noisy tree", CAPTIONS["honaker1"], trees.noisy_tree
    ),
    PaperFigure(
        "honaker2",
        HONAKER,
        "Honaker Fig. 2: eight estimates",
        CAPTIONS["honaker2"],
        trees.eight_estimates,
    ),
    PaperFigure(
        "honaker3",
        HONAKER,
        "Honaker Fig. 3: what t100* uses",
        CAPTIONS["honaker3"],
        trees.nodes_used,
    ),
    PaperFigure(
        "honaker4", HONAKER, "Honaker Fig. 4: simulation", CAPTIONS["honaker4"], trees.simulation
    ),
    PaperFigure(
        "manohar1", MANOHAR, "Manohar's first plot: income", CAPTIONS["manohar1"], trees.poster
    ),
    PaperFigure(
        "manohar2", MANOHAR, "Manohar's second plot: age", CAPTIONS["manohar2"], trees.poster
    ),
)
