"""The curve of one of Manohar's plots: a private CDF from a tree, smoothed, with its α."""

from __future__ import annotations

import numpy as np
import pandas as pd

from dpviz.core.data import Column
from dpviz.estimators.trees.band import cdf_band
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.experiments.papers.tree_figures import POSTER_BETA, POSTER_BUDGET, Poster
from dpviz.metrics.cdf import true_running_counts


def poster_curve(
    poster: Poster,
    column: Column,
    noise: np.random.Generator,
    band: np.random.Generator,
    *,
    runs: int = 2000,
) -> pd.DataFrame:
    """One release read as running counts; two generators, for the band needs no data.

    Returns: columns edge, raw and smoothed (counts up to the edge), alpha (the pointwise half-width
    at β), and truth, which is confidential. Source: Manohar 2014, Results.
    """
    release = poster.tree.release(column, POSTER_BUDGET, noise)
    raw = cdf(release, step=poster.step)
    smoothed = monotone(raw)
    width = cdf_band(release, band, step=poster.step, beta=POSTER_BETA, runs=runs)
    return pd.DataFrame(
        {
            "edge": raw.edges,
            "raw": raw.counts,
            "smoothed": smoothed.counts,
            "alpha": np.broadcast_to(width.pointwise, raw.counts.shape),
            "truth": true_running_counts(column, raw.edges),
        }
    )
