"""The part of a study that takes longest: whoever runs it has met the study's full size."""

import pandas as pd

from dpviz.experiments.engine.plan import Experiment


def heaviest(experiment: Experiment) -> pd.DataFrame:
    """The rows of the cell that is expected to take longest."""
    seconds = [cell.seconds for cell in experiment.cells]
    return experiment.run_cell(seconds.index(max(seconds)))
