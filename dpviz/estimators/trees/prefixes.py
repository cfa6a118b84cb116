"""Reading running counts that were released as such: a public N, and quantiles. Costs nothing."""

from dataclasses import replace

from dpviz.core.budgets import Neighbours
from dpviz.core.checks import checked_kind, checked_whole
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.prefix_noise import with_last
from dpviz.core.trees.prefix_release import PrefixRelease

MOST_RECORDS = 2**53  # beyond, doubles skip whole numbers


def with_public_total(release: PrefixRelease, records: int) -> PrefixRelease:
    """The release read with N = records, declared from public knowledge; its last count is N.

    What the noise of the last count says about the others is taken off by regression; the noise of
    the result has the smaller variances. A column with another number of values is read with the
    declared N all the same.
    Guarantee: post-processing, spends nothing; replace-one, where N is public.
    Raises: InvalidParameter for add/remove, anything but such a release, or no whole number.
    """
    checked_kind(
        release,
        PrefixRelease,
        "with_public_total",
        "a release of running counts",
        "Make one with PrefixSums(bins, neighbours=REPLACE_ONE).release(column, budget, rng)",
    )
    total = float(checked_whole(records, "records", 0, MOST_RECORDS))
    if release.neighbours is Neighbours.ADD_REMOVE:
        raise InvalidParameter(
            "A public N means replace-one neighbours: adding or removing a record changes N. "
            "Release with neighbours=REPLACE_ONE, or read without N."
        )
    return replace(release, counts=with_last(release.counts, total), total=total)
