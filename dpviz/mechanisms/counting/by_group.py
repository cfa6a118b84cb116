"""Counts of several groups that share no record, at the price of one of them."""

from collections.abc import Mapping

from dpviz.core.budgets import Budget
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.randomness.bits import Randomness, bits_of, kind_of, or_secure
from dpviz.core.trees.group_releases import GroupReleases
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.histogram import Histogram

MOST_GROUPS = 12


def release_by_group(
    mechanism: Histogram | CountTree,
    groups: Mapping[str, Column],
    budget: Budget,
    rng: Randomness | None = None,
) -> GroupReleases:
    """The same release of every group: together they spend the budget once.

    No record may be in two groups, and which group a record is in must depend on that record alone.
    One that joins or leaves is then in one group, so that all other releases stay as they are. One
    that is replaced may leave a group and enter another: one count changes by 1 in each (of a tree
    one on each level), as two counts of one group would, and noise for replaced records covers two.
    Of people with several rows this is the price of a row: with columns of person_groups a person
    is a chain of rows.most such changes, whatever groups they are in, and spends person_budget.
    Guarantee: that of the mechanism, once, under its relation.
    Raises: InvalidData for no group or more than 12; as the mechanism's release does.
    Source: McSherry 2009 (parallel composition).
    """
    if not 1 <= len(groups) <= MOST_GROUPS:
        raise InvalidData(f"There must be 1 to {MOST_GROUPS} groups, got {len(groups)}.")
    rng = or_secure(rng)
    bits = bits_of(rng)  # one source: groups with the same noise would tell what differs
    found = {name: mechanism.release(column, budget, bits) for name, column in groups.items()}
    return GroupReleases(found, budget, kind_of(rng))
