"""What stands at the pointer over a noisy tree: the numbers of that node and of no other."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.answers.trees.names import Names
from dpviz.figures.trees import bars


def at(template, customdata):
    """A template of Plotly with the values of one point in its places."""

    def value(found):
        return format(float(customdata[int(found[1])]), found[2])

    return re.sub(r"%\{customdata\[(\d+)\]:([^}]+)\}", value, template)


@pytest.mark.parametrize("truth", [True, False])
def test_the_pointer_over_a_node_says_its_own_count_and_error(truth):
    rows = [
        SimpleNamespace(level=level, at=np.arange(nodes), nodes=nodes, counts=counts, error=error,
                        truth=counts - 1 if truth else None)
        for level, nodes, counts, error in (
            (0, 1, np.array([1_234.0]), 3.0), (1, 2, np.array([777.0, 555.0]), 22.0),
        )
    ]  # fmt: skip
    template = bars._hover(rows, Names("students", "mark"))
    said = [at(template, one) for one in bars._carried(rows, (10.0, 90.0))]
    wanted = [("10 to 90", 1_234, 3), ("10 to 50", 777, 22), ("50 to 90", 555, 22)]
    for text, (ends, count, error) in zip(said, wanted, strict=True):
        true = f"<br>true {count - 1:,}" if truth else ""
        assert text == f"mark {ends}<br>{count:,} students ± {error}{true}<extra></extra>"
