"""The table of the Trees page: its fields, whatever a link says of them."""

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import MAX_LEAVES
from dpviz.ui.model.fields import of
from dpviz.ui.pages.trees import FANOUTS, FIELDS, PRESETS, VIEWS, highest, stops


@pytest.mark.parametrize("fanout", [-3, 0, 1])
def test_a_fanout_without_a_highest_tree_is_refused(fanout: int):
    with pytest.raises(InvalidParameter, match=f"fanout of 2 or more, got {fanout}"):
        highest(fanout)


def test_the_highest_tree_is_the_last_that_has_not_too_many_leaves():
    for fanout in range(FANOUTS[0], FANOUTS[1] + 1):
        assert fanout ** highest(fanout) <= MAX_LEAVES < fanout ** (highest(fanout) + 1)
    assert highest(FANOUTS[0]) == 22
    assert list(stops(2)) == list(range(3, 23))
    assert list(stops(4096)) == [0, 1]


def test_presets_set_fields_that_there_are():
    rows = {row.key: row for group in FIELDS for row in group}
    for chosen, _ in PRESETS.values():
        for key in chosen.keys() - {"notion", "eps", "neighbours"}:
            assert rows[key].kind.fit(chosen[key], {"t_fanout": 2, "t_height": 7}) == chosen[key]


def test_a_new_draw_is_offered_where_it_changes_something():
    always = {"picture", "node", "cdf", "levels", "take"}
    by_notion = {"pure": always | {"buckets"}, "zcdp": always | {"running"}}
    for notion, offered in by_notion.items():
        found = {view.name for view in VIEWS if of(view.draws, {"notion": notion})}
        assert found == offered
