"""The parts that a run has ahead, counted, and said."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.answers.studies.parts import PartsAhead, answer, to_come
from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.experiments.engine.plan import Experiment


@dataclass(frozen=True)
class Part:
    """A part that names its methods and runs nothing."""

    kind: str
    seconds: float = 1.0


def test_parts_are_counted_by_their_methods_in_the_order_in_which_they_run():
    kinds = ["AggTree", "JointExp AggTree", "AggTree", "JointExp", "AggTree", "JointExp AggTree"]
    column = Column.from_values([1, 2], Bounds(0, 9))
    cells = [Part(kind) for kind in kinds]
    experiment = Experiment.of(column, cells, np.random.default_rng(1))
    done = dict.fromkeys((0, 1), pd.DataFrame())
    ahead = {}
    for at, kind in enumerate(kinds):
        if at not in done:
            ahead[kind] = ahead.get(kind, 0) + 1
    found = answer(experiment, done)
    assert found.counts == tuple((tuple(kind.split()), count) for kind, count in ahead.items())
    assert found.counts[0] == (("AggTree",), 2)
    assert answer(experiment, dict.fromkeys(range(6), pd.DataFrame())).counts == ()


def test_every_kind_is_said_with_its_number():
    found = PartsAhead(((("JointExp",), 1_234), (("AggTree", "IndependentExp"), 1)))
    assert to_come(found) == "All at once: 1,234 parts; noisy tree, one by one: 1 part."
    assert to_come(PartsAhead(())) == ""
