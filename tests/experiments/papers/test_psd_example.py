"""PSD's small examples: every way answers the same query, and least squares does best."""

import numpy as np
import pytest

from dpviz.experiments.papers.psd_example import (
    BOTH,
    CANONICAL,
    CELLS,
    DIFFERENCE,
    FITTED,
    LEVELS,
    SCALE,
    WIDE,
    answers,
    averaged_roots,
    best_weight,
    example_quadtree,
    in_query,
    levels_of,
    place_of,
    variance_at,
    ways,
)
from dpviz.experiments.papers.stored import map_findings, told
from dpviz.experiments.papers.stored.record import record

TRUTH = sum(sum(row[:WIDE]) for row in CELLS[:WIDE])


def stored():
    return told.rows_of("psd1", record())


def test_nodes_hold_what_lies_in_their_squares(rng):
    levels = levels_of(example_quadtree(rng), "truth").counts
    for level in range(LEVELS):
        side = 4 // 2**level
        for node, count in enumerate(levels[level]):
            column, row = (side * one for one in place_of(level, node))
            inside = [line[column : column + side] for line in CELLS[row : row + side]]
            assert count == sum(map(sum, inside))


def test_every_way_adds_up_to_the_query_without_noise(rng):
    """Exactly, on the true counts; a way that forgets a cell does not."""
    exact = levels_of(example_quadtree(rng), "truth").counts
    for weights in ways().values():
        assert sum(w @ c for w, c in zip(weights, exact, strict=True)) == TRUTH
    broken = [w.copy() for w in ways()[CANONICAL]]
    broken[2][np.flatnonzero(broken[2])[0]] = 0
    assert sum(w @ c for w, c in zip(broken, exact, strict=True)) != TRUTH


def test_errors_are_those_of_the_counts_taken():
    found = answers(stored()).set_index("way")
    sizes = {way: sum(np.count_nonzero(w) for w in weights) for way, weights in ways().items()}
    assert {way: int(found["counts"][way]) for way in sizes} == sizes
    one = np.sqrt(2) * SCALE
    for way, size in sizes.items():
        assert found["error"][way] == pytest.approx(one * np.sqrt(size))
    assert sizes[CANONICAL] == min(sizes.values()) == 6  # as the paper's: b and five cells
    assert sizes[BOTH] == 10  # b's four cells, c less two, and the other three
    assert sizes[DIFFERENCE] == 7


def test_least_squares_errs_least_of_all_unbiased_ways():
    """Against the dense solution: variance of the generalised least-squares estimate."""
    found = answers(stored()).set_index("way")
    design = np.zeros((21, 16))
    design[0] = 1
    for node in range(4):
        design[1 + node, 4 * node : 4 * node + 4] = 1
    design[5:] = np.eye(16)
    noisy = np.concatenate(levels_of(stored()).counts)
    inverse = np.linalg.inv(design.T @ design)
    query = in_query()
    assert found["answer"][FITTED] == pytest.approx(query @ inverse @ design.T @ noisy)
    variance = 2 * SCALE**2 * query @ inverse @ query
    assert found["error"][FITTED] == pytest.approx(np.sqrt(variance))
    assert (found["error"].drop(FITTED) > found["error"][FITTED]).all()


def test_the_best_mean_of_two_estimates_is_four_to_one():
    assert best_weight() == pytest.approx((0.8, 0.8))
    rows = averaged_roots()
    assert rows["weight"][rows["variance"].idxmin()] == pytest.approx(best_weight()[0])
    assert variance_at(0.5) == 1.25
    assert variance_at(1.0) == 1.0


def test_what_is_said_is_what_the_rows_show():
    said = map_findings.quarters(stored())
    found = answers(stored()).set_index("way")
    assert said["canonical"] == f"{found['answer'][CANONICAL]:.1f}"
    assert said["fitted"] == f"{found['answer'][FITTED]:.1f}"
    assert (said["weight"], said["variance"], said["half"]) == ("0.8", "0.8", "1.25")
    assert said["truth"].endswith(f"**{TRUTH}**")
    assert not map_findings.quarters(stored(), shows_truth=False)["truth"]
    words = told.told("psd1", said)
    assert f"from {said['lowest']} to {said['highest']}" in words.headline
