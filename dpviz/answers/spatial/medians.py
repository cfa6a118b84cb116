"""Private medians by depth: how large the study on screen is, and how long another one takes."""

import math
from dataclasses import dataclass

from dpviz.experiments.papers.medians import DEPTHS, methods
from dpviz.experiments.papers.psd_costs import Medians
from dpviz.experiments.papers.psd_figures import FULL

RUNS, RECORDS = 3, 2**17  # of a study that is made on the page


@dataclass(frozen=True, slots=True)
class MediansNumbers:
    """The study on screen has so many made-up points, a power of two, the paper's printed ones.

    levels, methods, runs and seconds, rounded up, are those of a study that is made on the page.
    """

    power: int
    printed: int
    levels: int
    methods: int
    runs: int
    seconds: int


def answer(*, stored: bool) -> MediansNumbers:
    """Of the stored study, which has the paper's points, or of one that is made here."""
    seconds = sum(Medians(name, RUNS, RECORDS).seconds for name in methods())
    return MediansNumbers(
        power=int(math.log2(FULL.medians if stored else RECORDS)),
        printed=int(math.log2(FULL.medians)),
        levels=DEPTHS,
        methods=len(methods()),
        runs=RUNS,
        seconds=math.ceil(seconds),
    )
