"""About how long draws of the exponential mechanism take; constants measured on one ordinary core.

An estimate from the number of records is as confidential as that number.
"""

from dpviz.mechanisms.exponential.point_columns import LONG
from dpviz.mechanisms.exponential.ties import Ties


def treatment_seconds(n: int, m: int, runs: int, ties: Ties, resolution: float) -> float:
    """Seconds to treat the ties of n records for several runs that look at m places each.

    Many runs spread ties only where a draw looks, and so does a single one on a long column; on
    others it spreads and sorts all records, and jitter sorts them anew in every run.
    """
    if ties is Ties.JITTER:
        return 7e-8 * n * runs
    if ties is Ties.KEEP or resolution == 0:
        return 0.0
    if runs > 1:
        return (1e-4 + 1.5e-5 * m) * runs
    return 7e-8 * n if n < LONG else min(7e-8 * n, 5e-3 + 3e-4 * m)


def draw_seconds(m: int, runs: int) -> float:
    """Seconds for m draws in each of several runs on an untied column; n does not matter."""
    return 6e-4 + 1e-5 * m + (2e-5 + 1e-6 * m) * runs
