from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.experiments.papers.aq_figures import (
    EXAMPLE,
    histograms,
    moved_targets,
    properties,
    recursion_nodes,
)
from dpviz.experiments.papers.sets import STUDY_BOUNDS, study_sets


@pytest.fixture(scope="module")
def sets():
    return study_sets(np.random.default_rng(5))


def slow_targets(low, high, low_rank, high_rank, quantiles, error=0):
    """AQ's recursion by hand: the rank that each quantile aims at, the first one missing."""
    if not quantiles:
        return []
    middle = (len(quantiles) + 1) // 2 - 1
    q = quantiles[middle]
    rank = low_rank + (q - low) / (high - low) * (high_rank - low_rank) + error
    left = slow_targets(low, q, low_rank, rank, quantiles[:middle])
    right = slow_targets(q, high, rank, high_rank, quantiles[middle + 1 :])
    return [*left, rank, *right]


@pytest.mark.parametrize(("n", "m", "error"), [(12, 3, -2), (100, 1, 5), (1000, 120, 40)])
def test_moved_targets_equal_the_slow_twin(n, m, error):
    found = moved_targets(n, m, error)
    quantiles = [i / (m + 1) for i in range(1, m + 1)]
    slow = slow_targets(0.0, 1.0, 0.0, float(n), quantiles, error)
    assert found["target_rank"].to_numpy() == pytest.approx(slow)
    assert found["shift"].abs().max() == pytest.approx(abs(error))  # Lemma 3.2: never by more


def test_the_papers_example():
    found = moved_targets(**EXAMPLE)
    assert found["true_rank"].tolist() == [3, 6, 9]
    assert found["target_rank"].tolist() == [2, 4, 8]  # half of γ = 2 reaches both sides


def test_no_error_moves_nothing_and_too_large_a_one_is_refused():
    assert moved_targets(50, 9, 0)["shift"].abs().max() < 1e-12
    with pytest.raises(InvalidParameter, match="smaller"):
        moved_targets(12, 3, 7)


def test_nodes_split_range_and_records(sets, rng):
    nodes = recursion_nodes(sets["normal"], 15, 1.0, rng)
    assert nodes["level"].tolist() == [4, 3, 4, 2, 4, 3, 4, 1, 4, 3, 4, 2, 4, 3, 4]
    root = nodes[nodes["level"] == 1].iloc[0]
    assert (root["low"], root["high"]) == (STUDY_BOUNDS.low, STUDY_BOUNDS.high)
    by_level = nodes.groupby("level")["records"].sum()
    assert (by_level == 1000).all()  # each record takes part once a level
    assert nodes["value"].is_monotonic_increasing
    inside = nodes["value"].between(nodes["low"], nodes["high"])
    assert inside.all()


def test_histograms_count_every_value_in_100_bins(sets):
    bars = histograms(sets)
    assert (bars.groupby("data").size() == 100).all()
    found = bars.groupby("data")["records"].sum()
    assert all(found[key] == one.values.size for key, one in sets.items())
    hours = bars[bars["data"] == "hours"]
    assert hours["records"].max() / hours["records"].sum() > 0.4


def test_table_one_counts_people_and_different_values(sets):
    rows = properties(sets).set_index("data")
    for key, one in sets.items():
        assert rows.loc[key, "records"] == one.values.size
        assert rows.loc[key, "values"] == len(set(one.values.tolist()))
    assert (rows["records"] == rows["printed_records"]).all()
    assert rows["printed_values"].dropna().tolist() == [96, 74]
