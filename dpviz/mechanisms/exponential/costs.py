"""About how long draws of the exponential mechanism take; constants measured on one ordinary core.

An estimate from the number of records is as confidential as that number.
"""

from __future__ import annotations

from dpviz.mechanisms.exponential.ties import Ties


def treatment_seconds(n: int, m: int, runs: int, ties: Ties, resolution: float) -> float:
    """Seconds to treat the ties of n records for several runs that look at m places each.

    Many runs spread ties only where a draw looks, a single one spreads and sorts all records, and
    jitter sorts them anew in every run.
    """
    if ties is Ties.JITTER:
        return 7e-8 * n * runs
    if ties is Ties.KEEP or resolution == 0:
        return 0.0
    return 7e-8 * n if runs == 1 else (1e-4 + 1.5e-5 * m) * runs


def draw_seconds(m: int, runs: int) -> float:
    """Seconds for m draws in each of several runs on an untied column; n does not matter."""
    return 6e-4 + 1e-5 * m + (2e-5 + 1e-6 * m) * runs
