"""The table of the Quantiles page: what its rows hold that no link says."""

import pytest

from dpviz.ui.pages import quantiles
from dpviz.ui.quantiles import recursion
from tests.ui.recorded import Recorded

ROWS = {row.key: row for row in quantiles.page().rows}


@pytest.mark.parametrize(
    ("chosen", "last"),
    [
        ({"set": "deciles"}, 8),
        ({"set": "m uniform", "m": 3}, 2),
        ({"set": "own list", "own": "0.5"}, 0),
        ({"set": "own list", "own": "0.5, 0.25, 50%, 0.25"}, 1),
    ],
)
def test_a_node_is_one_of_its_quantiles_or_none(monkeypatch, chosen, last):
    row, screen = ROWS[recursion.NODE], Recorded(monkeypatch)
    assert [row.kind.fit(at, chosen) for at in (-9, -1, 0, last, last + 1, 99)] == [
        -1, -1, 0, last, last, last,
    ]  # fmt: skip
    row.kind.draw(screen, row, chosen, {"key": "node"})
    (list_of_nodes,) = (one for one in screen.calls if one.name == "selectbox")
    assert list_of_nodes.args[1] == list(range(-1, last + 1))
    named = list(map(list_of_nodes.others["format_func"], list_of_nodes.args[1]))
    assert named[0] == "none: the budgets of a step"
    assert len(set(named)) == last + 2
