"""The figures of Kaplan et al. 2021 (AQ): pictures, studies, and the settings of the paper."""

from collections.abc import Callable, Sequence

import numpy as np

from dpviz.answers.number_text import counted
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP
from dpviz.experiments.papers.aq_study import (
    LINES,
    PRESETS,
    THEIR_COUNT,
    TIMED,
    Line,
    error_study,
    time_study,
)
from dpviz.experiments.papers.stored.findings import Numbers
from dpviz.experiments.papers.stored.told import NUMBERS
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies import aq as figures
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import STUDY_SEED, Draw, paid_by
from dpviz.ui.kit.job_panel import Study, nothing_paid
from dpviz.ui.papers.rows import Asked, Given, Presets, Shown

SIZES = Presets(
    "w_study",
    PRESETS,
    "Complete is the paper's: 100 trials, here for every fifth m to 120.",
    lambda size: int(size.trials),
    "trial",
)
COUNTED = {MEAN_GAP: "Mean miss", LARGEST_GAP: "Largest miss", THEIR_COUNT: "Their program's count"}
COUNTED_HELP = (
    "The paper prints the mean miss of the m quantiles and bounds the largest. Its authors' program "
    "counts the people strictly between a value and the interpolated quantile, ties as they are: "
    "where many people share a value, nearly every miss is hidden."
)
PAGE = frame.page_file("papers")


def gaps(most: int | None = None) -> Callable[[Shown], Picture]:
    """Figures 4 to 7: mean miss against m, to most if it is given, one panel a set."""

    def draw(shown: Shown) -> Picture:
        return figures.gaps_figure(
            shown.rows,
            shown.look,
            shown.titles,
            improved=shown.improved,
            most=most,
            around=shown.around,
            metric=shown.metric,
        )

    return draw


def numbers(key: str) -> Callable[[Shown], Numbers]:
    """What is open in the judgement of a figure, from its rows."""
    return lambda shown: {**shown.words, **NUMBERS[key](shown.rows)}


def gap_study(asked: Asked, given: Given) -> Study:
    """The trials behind figures 4 to 7, which share them."""
    return Study(
        "figures_4_to_7",
        (asked.preset, given.key),
        given.about,
        f"{asked.preset} study of Fig. 4 to 7, {counted(asked.size.trials, 'trial')}",
        lambda: error_study(given.data(), asked.size, np.random.default_rng(STUDY_SEED)),
        _paid_for("errors", asked, given, [line for line in LINES if line.same_as is None]),
        page=PAGE,
    )


def _paid_for(
    name: str, asked: Asked, given: Given, lines: Sequence[Line]
) -> Callable[[Experiment], None]:
    """What books the trials on the sets that the visitor gave, each trial by its whole budget."""
    times = asked.size.trials * len(asked.size.counts)
    costs = [
        Cost(
            f"AQ study, {name}, {line.mechanism.name} on {key}", line.budget, times, simulated=True
        )
        for key in given.files
        for line in lines
    ]
    if not costs:
        return nothing_paid
    draw = Draw(STUDY_SEED, secret=session.study_secret())
    return paid_by(draw, ("AQ study", name, asked.preset, given.key), costs)


def timing(asked: Asked, given: Given) -> Study:
    """The trials behind figure 8."""
    return Study(
        "figure_8",
        (asked.preset, given.key),
        given.about,
        f"{asked.preset} timing of Fig. 8, {counted(asked.size.trials, 'trial')} a set",
        lambda: time_study(given.data(), asked.size, np.random.default_rng(STUDY_SEED)),
        _paid_for("times", asked, given, TIMED),
        processes=1,
        page=PAGE,
    )
