"""The figures of Honaker 2019 and of Manohar's poster."""

from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.poster import POSTERS
from dpviz.experiments.papers.stored import findings
from dpviz.experiments.papers.stored import tree_findings as found
from dpviz.experiments.papers.stored.findings import Numbers
from dpviz.experiments.papers.tree_figures import contributions
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies import poster as plots
from dpviz.figures.studies import schemes
from dpviz.figures.studies.simulation import (
    against_raw_figure,
    quartiles_figure,
    ratio_figure,
    simulation_figure,
)
from dpviz.ui.papers.rows import Shown

# as it was drawn first; the keys are those of older links
READINGS = {
    "raw": "Each its own count",
    "from-below": "From below",
    "from-above": "From above",
    "efficient": "All combined",
}
# Honaker's Fig. 4 has three panels; the last part is this project's
PANELS = {
    "Left: against raw": against_raw_figure,
    "Centre: the ratio": ratio_figure,
    "Right: by reading": quartiles_figure,
    "Means by level": simulation_figure,
}
CURVE, ERRORS, TRIALS = "The curve", "Its errors", "Ten trials"


def noisy_tree(shown: Shown) -> Picture:
    """Honaker's figure 1."""
    counts, errors = found.read(shown.rows, _reading(shown))
    truth = found.levels_of(shown.rows, "truth") if shown.shows_truth else None
    return schemes.noisy_tree_figure(counts, truth, errors, shown.look)


def noisy_tree_numbers(shown: Shown) -> Numbers:
    """What is open in its judgement."""
    return found.noisy_tree(shown.rows, _reading(shown), shows_truth=shown.shows_truth)


def _reading(shown: Shown) -> TreeEstimator:
    keys = {text: key for key, text in READINGS.items()}
    return TreeEstimator(keys.get(shown.part, "raw"))


def nodes_used(shown: Shown) -> Picture:
    """Honaker's figure 3."""
    weights = contributions(found.noisy(shown.rows))
    parts = [[int(one) for one in level] for level in found.parts_of_tree()]
    return schemes.weights_figure(weights, parts, shown.look)


def simulation(shown: Shown) -> Picture:
    """Honaker's figure 4, panel by panel."""
    draw = PANELS.get(shown.part, against_raw_figure)
    return draw(shown.rows, shown.look)


def poster(shown: Shown) -> Picture:
    """A plot of Manohar's poster, its errors beside both α, or the points outside α in ten trials."""
    ((study, trials),) = shown.extra.items()
    if shown.part == TRIALS:
        return plots.trials_figure(trials, shown.look)
    unit = POSTERS[{"income trials": "manohar1", "age trials": "manohar2"}[study]].unit
    if shown.part == ERRORS:
        return plots.errors_figure(shown.rows, shown.look, unit=unit)
    return plots.curve_figure(shown.rows, shown.look, unit=unit, shows_truth=shown.shows_truth)


def poster_numbers(shown: Shown) -> Numbers:
    """What is open in its judgement; how often points lie outside α is confidential."""
    (trials,) = shown.extra.values()
    return findings.poster(shown.rows, trials, shows_truth=shown.shows_truth)
