"""What tests of trees work out the slow way, and running counts with a public N."""

from dataclasses import replace

import numpy as np

from dpviz.core.trees.prefix_noise import with_last


def range_weights(shape, starts, ends):
    """The fraction of every leaf that lies in each range, shape (q, leaves)."""
    left = np.arange(shape.leaves, dtype=np.float64)
    inside = np.minimum(np.asarray(ends)[:, None], left + 1)
    return np.maximum(inside - np.maximum(np.asarray(starts)[:, None], left), 0.0)


def with_public_total(release, records):
    """Running counts of replaced records, read with the N that is public."""
    total = float(records)
    return replace(release, counts=with_last(release.counts, total), total=total)
