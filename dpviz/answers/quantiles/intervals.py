"""How far off published quantiles may be: for the people behind the column, and in ranks."""

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.releases import QuantileRelease
from dpviz.core.scalars.rank_check import RankCheck

SURE = 1.96  # standard errors on either side of 19 in 20


def with_sampling(release: QuantileRelease, half: FloatArray, size: float) -> FloatArray:
    """Half widths that hold for the people whom the column stands for, were it drawn from them.

    √(noise² + sampling²), where √(n q (1 − q)) ranks go along the released curve. An estimate.
    """
    order = np.argsort(release.quantiles, kind="stable")
    q = np.concatenate(([0.0], release.quantiles[order], [1.0]))
    inside = release.values[order].tolist()
    values = [release.bounds.low, *inside, release.bounds.high]
    distinct, first = np.unique(q, return_index=True)
    slopes = np.gradient(np.array(values)[first], distinct)
    slope = np.interp(release.quantiles, distinct, slopes)
    ranks = np.sqrt(release.quantiles * (1 - release.quantiles) / size)
    return np.asarray(np.hypot(half, SURE * ranks * np.abs(slope)))


def checked_said(check: RankCheck) -> str:
    """What intervals in ranks hold, and how far they reach."""
    most = float(np.abs(check.intervals()).max())
    return (
        f"19 of 20 such intervals hold the true error; none here reaches beyond {most:,.0f} ranks."
    )
