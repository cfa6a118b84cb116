"""What the Trees page offers for a fanout, whatever a link says of it."""

from __future__ import annotations

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import MAX_LEAVES
from dpviz.ui.trees.controls import FANOUTS, HEIGHTS, heights, highest


@pytest.mark.parametrize("fanout", [-3, 0, 1])
def test_a_fanout_without_a_highest_tree_is_refused(fanout: int):
    with pytest.raises(InvalidParameter, match=f"fanout of 2 or more, got {fanout}"):
        highest(fanout)


def test_the_highest_tree_is_the_last_that_has_not_too_many_leaves():
    for fanout in range(FANOUTS[0], FANOUTS[1] + 1):
        assert fanout ** highest(fanout) <= MAX_LEAVES < fanout ** (highest(fanout) + 1)
    assert highest(FANOUTS[0]) == HEIGHTS[1]
    assert heights(4096, 22) == [0, 1]
