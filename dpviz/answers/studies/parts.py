"""The parts of a run that are still to come, by the methods that run in them."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from dpviz.answers.number_text import counted, upper
from dpviz.answers.studies.names import method
from dpviz.experiments.engine.plan import Experiment, kind_of


@dataclass(frozen=True, slots=True)
class PartsAhead:
    """How many parts of each kind there are, in the order in which they run.

    A kind is the methods of a part.
    """

    counts: tuple[tuple[tuple[str, ...], int], ...]


def answer(experiment: Experiment, done: Mapping[int, pd.DataFrame]) -> PartsAhead:
    """The parts whose numbers are not among those that are done."""
    ahead: dict[str, int] = {}
    for index in experiment.remaining(done):
        kind = kind_of(experiment.cells[index])
        ahead[kind] = ahead.get(kind, 0) + 1
    return PartsAhead(tuple((tuple(kind.split()), count) for kind, count in ahead.items()))


def to_come(found: PartsAhead) -> str:
    """Which methods still have parts ahead; empty where none has."""
    told = [
        f"{', '.join(method(key).name for key in kind)}: {counted(count, 'part')}"
        for kind, count in found.counts
    ]
    return f"{upper('; '.join(told))}." if told else ""
