"""Honaker's schemes and simulation, and the poster's plots, tested by their data."""

import numpy as np
import pytest
from scipy import stats

from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.tree_findings import (
    levels_of,
    noisy,
    parts_of_tree,
    read,
    ways_said,
)
from dpviz.experiments.papers.tree_figures import contributions, ways
from dpviz.figures.studies.poster import curve_figure, errors_figure, trials_figure
from dpviz.figures.studies.schemes import noisy_tree_figure, ways_figure, weights_figure
from dpviz.figures.studies.simulation import (
    against_raw_figure,
    quartiles_figure,
    ratio_figure,
    simulation_figure,
)
from tests.figures.studies.drawn import LOOKS, WIDE, checked, lines, words


@pytest.fixture(scope="module")
def rows():
    return record().rows


@pytest.mark.few(2)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("reading", list(TreeEstimator))
def test_a_tree_says_every_count_and_the_truth_only_if_asked(rows, look, reading):
    example = rows["example"]
    counts, errors = read(example, reading)
    truth = levels_of(example, "truth")
    shown = checked(noisy_tree_figure(counts, truth, errors, look))
    hidden = noisy_tree_figure(counts, None, errors, look)
    assert all(f"{one:.1f}" in words(hidden) for level in counts for one in level)
    assert "<b>76</b>" in words(shown)
    assert "<b>76</b>" not in words(hidden)
    ticks = [
        s for s in shown["layout"]["shapes"]
        if s["type"] == "line" and s["line"]["color"] == look.ink.truth
    ]  # fmt: skip
    assert len(ticks) == 15


@pytest.mark.parametrize("look", LOOKS)
def test_eight_trees_with_added_and_taken_nodes(rows, look):
    picture = checked(ways_figure(ways(), ways_said(rows["example"]), look))
    fills = [shape["fillcolor"] for shape in picture["layout"]["shapes"]]
    assert len(fills) == 8 * 15
    weights = np.concatenate([np.concatenate(way) for way in ways()])
    assert fills.count(look.ink.private) == (weights > 0).sum()
    assert fills.count(look.ink.truth) == (weights < 0).sum()
    assert words(picture).count("variance") == 8


@pytest.mark.parametrize("look", LOOKS)
def test_weights_of_all_nodes(rows, look):
    weights = contributions(noisy(rows["example"]))
    parts = [[int(one) for one in level] for level in parts_of_tree()]
    picture = checked(weights_figure(weights, parts, look))
    edges = [shape["line"]["color"] for shape in picture["layout"]["shapes"]]
    assert edges.count(look.ink.private) == edges.count(look.ink.truth) == 3
    assert "+0.44" in words(picture)


@pytest.mark.parametrize("look", LOOKS)
def test_errors_of_all_nodes_by_level(rows, look):
    panels = lines(checked(simulation_figure(rows["simulation"], look)))
    assert [len(panel["all combined"][0]) for panel in panels] == [1, 2, 4, 8, 16]
    assert all(set(panel) == set(panels[0]) for panel in panels)


@pytest.mark.parametrize("look", LOOKS)
def test_the_three_panels_of_print_hold_every_node(rows, look):
    own = rows["simulation"]

    def of(name, column):
        return own[own["estimator"] == name].sort_values("node")[column].to_numpy()

    (nodes,) = checked(against_raw_figure(own, look))["data"]
    np.testing.assert_array_equal(nodes["x"], of("raw", "mse"))
    np.testing.assert_array_equal(nodes["y"], of("efficient", "mse"))
    (centre,) = lines(checked(ratio_figure(own, look)))
    places, shares = centre["simulated"]
    assert places == list(range(1, 32))
    np.testing.assert_allclose(shares, 100 * of("efficient", "mse") / of("raw", "mse"), rtol=1e-3)
    # a known total: t* has variance σ² (1/v_below + 1/v_above)^-1, a quarter of σ² near a tall root
    exact = of("efficient", "variance") / 9
    np.testing.assert_allclose(centre["exactly"][1], 100 * exact, rtol=1e-3)
    panels = lines(checked(quartiles_figure(own, look)))
    for panel, name in zip(panels, ("raw", "from-below", "from-above", "efficient"), strict=True):
        known = of(name, "high") > 1e-12  # the root, but for the raw reading
        assert known.sum() == (31 if name == "raw" else 30)
        for label, column in (("upper quartile", "high"), ("median", "middle"),
                              ("lower quartile", "low")):  # fmt: skip
            np.testing.assert_array_equal(panel[label][1], of(name, column)[known])


def test_quartiles_of_squared_errors_are_those_of_their_law(rows):
    """σ² times the quartiles of χ² with one degree: 10,000 trees, 7 standard errors each."""
    own = rows["simulation"]
    some = own[own["variance"] > 0]
    for column, q in (("low", 0.25), ("middle", 0.5), ("high", 0.75)):
        law = stats.chi2(1)
        error = np.sqrt(q * (1 - q) / 10_000) / law.pdf(law.ppf(q)) / law.ppf(q)
        off = some[column] / (some["variance"] * law.ppf(q)) - 1
        assert off.abs().max() < 7 * error + 1e-3
        assert (1.2 * (1 + off) - 1).abs().max() > 7 * error


@pytest.mark.parametrize("look", LOOKS)
def test_a_curve_shows_the_truth_only_if_asked(rows, look):
    shown = checked(curve_figure(rows["income"], look, unit="income", shows_truth=True))
    hidden = checked(curve_figure(rows["income"], look, unit="income", shows_truth=False))
    assert "truth" in [trace["name"] for trace in shown["data"]]
    assert "truth" not in [trace["name"] for trace in hidden["data"]]
    assert "the truth" not in words(hidden).replace("to the truth", "")
    exact = rows["income"]["truth"].to_numpy()
    for trace in hidden["data"]:  # nor does the band lie around it
        values = np.asarray(trace["y"])
        assert not np.allclose(values[: exact.size], exact)
        assert not np.allclose(
            values[: exact.size] + rows["income"]["alpha"].to_numpy(), exact, rtol=1e-3
        )


def test_trials_are_bars_beside_the_expectation(rows):
    picture = checked(trials_figure(rows["age trials"], WIDE))
    drawn = {trace["name"]: list(trace["y"]) for trace in picture["data"]}
    assert drawn["raw"] == rows["age trials"]["raw"].tolist()
    assert picture["layout"]["shapes"][0]["y0"] == pytest.approx(5.05)


@pytest.mark.parametrize("look", LOOKS)
def test_errors_of_the_poster_stand_beside_both_alphas(rows, look):
    income = rows["income"]
    picture = checked(errors_figure(income, look, unit="income"))
    drawn = {trace["name"]: trace for trace in picture["data"]}
    off = (income["raw"] - income["truth"]).to_numpy()
    np.testing.assert_array_equal(drawn["raw"]["y"], off)
    assert drawn["α"]["y"].max() == income["alpha"].max()
    dashed = [s["y0"] for s in picture["layout"]["shapes"] if s["line"].get("dash") == "dash"]
    assert dashed == [-income["formula"].iloc[0], income["formula"].iloc[0]]
    assert "printed α = 9,333" in words(picture)
