"""What is said of Honaker's Fig. 4: shares of the rows by plain loops, and the exact ones."""

import numpy as np
import pytest

from benchmarks import _claims as claims
from dpviz.experiments.papers.stored import findings, told
from dpviz.experiments.papers.stored.record import record

ROWS = told.rows_of("honaker4", record())


def level_mean(estimator, level, column="mse"):
    found = [
        getattr(one, column)
        for one in ROWS.itertuples()
        if (one.estimator, one.level) == (estimator, level)
    ]
    return sum(found) / len(found)


def kept(estimator, level, column="mse"):
    return level_mean(estimator, level, column) / level_mean("raw", level, column)


def least_squares_share(height, level):
    """Variance of a node of a binary tree over that of its own noise, all nodes used, N known."""
    leaves = 2**height
    rows = [np.repeat(np.eye(2**one), leaves // 2**one, axis=1) for one in range(1, height + 1)]
    nodes = np.concatenate(rows)
    # N known: one sum of the leaves has no error
    covariance = np.linalg.inv(nodes.T @ nodes)
    total = np.ones(leaves)
    spread = covariance @ total
    covariance -= np.outer(spread, spread) / (total @ spread)
    node = rows[level - 1][0]
    return float(node @ covariance @ node)


def test_the_caption_says_what_levels_keep_and_that_leaves_lose_more_than_a_third():
    text = told.told("honaker4", findings.simulation(ROWS))
    top, leaves = kept("efficient", 1), kept("efficient", 4)
    assert f"leaves :blue[{100 * top:.0f} %]" in text.headline
    assert f"leaves {100 * leaves:.0f} %: they lose {100 * (1 - leaves):.0f} %, not a third" in (
        text.measured
    )
    above, below = kept("from-above", 1), kept("from-below", 1)
    assert f"({100 * above:.0f} % against {100 * below:.0f} % on level 1)" in text.measured
    middles = (100 * kept("efficient", level, "middle") for level in (1, 4))
    assert "keep {:.0f} and {:.0f} %".format(*middles) in text.measured
    exact = least_squares_share(4, 4)
    assert abs(1 - exact - 1 / 3) > 0.05
    assert f"leaves lose {100 * (1 - exact):.0f} %" in text.why
    assert f"{100 * 0.202**2:.1f} % of the squared error: a slip" in text.why
    for level, word in ((1, "Exactly it is {:.0f} % on level 1"), (2, "{:.0f} % on level 2")):
        assert word.format(100 * least_squares_share(8, level)) in text.why


def test_a_third_is_not_what_leaves_lose_and_would_be_seen():
    claim = claims.CLAIMS["honaker4"]["leaves lose about one third"]
    assert not claim(ROWS)
    third = ROWS.copy()
    leaf = (third["level"] == 4) & (third["estimator"] == "efficient")
    third.loc[leaf, "mse"] *= (2 / 3) / kept("efficient", 4)
    assert claim(third)
    assert kept("efficient", 4) == pytest.approx(least_squares_share(4, 4), rel=0.02)
