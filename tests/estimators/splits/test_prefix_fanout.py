"""Which fanout suits a CDF: the table of section 9, dense algebra, and counting of digits."""

import numpy as np
import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.splits.prefix_fanout import _efficient, best_fanout, prefix_variance
from tests.rows import by_rows

# unit, reading, fanout, variances of 2^10, 2^16 and 2^20 leaves
PRINTED = (
    ("eps", "raw", 2, (1000, 4096, 8000)),
    ("eps", "raw", 16, (297, 960, 1875)),
    ("eps", "efficient", 2, (280, 974, 1788)),
    ("eps", "efficient", 4, (158, 549, 1008)),
    ("eps", "efficient", 8, (131, 442, 788)),
    ("eps", "efficient", 16, (121, 470, 852)),
    ("rho", "raw", 4, (18.8, 48, 75)),
    ("rho", "efficient", 2, (6.79, 14.75, 21.7)),
)


@pytest.mark.parametrize(("unit", "reading", "fanout", "figures"), PRINTED)
def test_the_table_of_section_9(unit, reading, fanout, figures):
    for bins, figure in zip((2**10, 2**16, 2**20), figures, strict=True):
        found = prefix_variance(bins, fanout, unit, reading)
        assert found == pytest.approx(figure, rel=0.004), (bins, found)


@by_rows("bins", [2, 5, 9, 16, 27, 100])
@by_rows("fanout", [2, 3, 5])
def test_raw_digits_are_counted(bins, fanout):
    """Every prefix by itself; a full tree's last prefix is its first level."""
    height = 1
    while fanout**height < bins:
        height += 1
    nodes = 0
    for prefix in range(1, bins + 1):
        if prefix == fanout**height:
            nodes += fanout
            continue
        nodes += sum(prefix // fanout**place % fanout for place in range(height))
    found = prefix_variance(bins, fanout, "eps", "raw")
    assert found == pytest.approx(nodes / bins * 2 * height**2)


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize(("bins", "fanout", "height"), [(8, 2, 3), (6, 2, 3), (20, 3, 3)])
def test_the_efficient_variance_is_that_of_dense_least_squares(bins, fanout, height, root):
    shape = TreeShape(fanout, height)
    rows = [
        np.kron(np.eye(shape.nodes(level)), np.ones(shape.leaves // shape.nodes(level)))
        for level in range(0 if root else 1, height + 1)
    ]
    design = np.concatenate(rows)
    spread = np.linalg.inv(design.T @ design) * 2 * (height + root) ** 2
    variances = [np.r_[np.ones(t), np.zeros(shape.leaves - t)] for t in range(1, bins + 1)]
    mean = np.mean([c @ spread @ c for c in variances])
    assert _efficient(bins, shape, "eps", root=root) == pytest.approx(mean)


@pytest.mark.law
def test_the_best_fanouts():
    """Raw: 16.8 in ε and 4.92 in ρ for real fanouts; efficient: 2 in ρ, about 8 in ε."""
    assert best_fanout(2**20, "rho", "efficient") == (2, 20)
    assert best_fanout(2**16, "rho", "raw")[0] in {4, 5, 6}
    assert 8 <= best_fanout(2**16, "eps", "efficient")[0] <= 16
    assert 13 <= best_fanout(2**16, "eps", "raw")[0] <= 24
    for unit in ("eps", "rho"):
        for reading in ("raw", "efficient"):
            fanout, height = best_fanout(1_000, unit, reading)
            assert fanout ** (height - 1) < 1_000 <= fanout**height
            least = prefix_variance(1_000, fanout, unit, reading)
            others = [prefix_variance(1_000, one, unit, reading) for one in (2, 4, 8, 16, 32)]
            assert least <= min(others)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: best_fanout(1, "eps", "raw"), "bins"),
        (lambda: best_fanout(64, "epsilon", "raw"), "unit"),
        (lambda: best_fanout(64, "eps", "best"), "reading"),
    ],
)
def test_what_cannot_be_asked_is_refused(call, said):
    with pytest.raises(InvalidParameter, match=said):
        call()
