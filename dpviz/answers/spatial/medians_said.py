"""What is said of private medians by depth."""

from dpviz.answers.number_text import number
from dpviz.answers.spatial.medians import MediansNumbers

HEADLINE = "How far private medians stray, level by level."


def second(found: MediansNumbers) -> str:
    """Where the study comes from, and what it is of."""
    paper = (
        ", as in the paper" if found.power == found.printed else f" (the paper: 2^{found.printed})"
    )
    return (
        f"Cormode et al. 2012, Fig. 4, on 2^{found.power} made-up points{paper}; ε = .01 a level, "
        "δ = 1e-4 for a path. No data of yours is used."
    )


def time_text(found: MediansNumbers) -> str:
    """How long a study takes that is made here."""
    return f"about {found.seconds} s"


def waiting(found: MediansNumbers) -> str:
    """What is done meanwhile."""
    levels, methods, runs = map(number, (found.levels, found.methods, found.runs))
    return f"Drawing the medians of {levels} levels, {methods} methods, {runs} runs"
