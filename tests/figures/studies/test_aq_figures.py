from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpviz.experiments.papers.aq_figures import (
    EXAMPLE,
    histograms,
    moved_targets,
    properties,
    recursion_nodes,
)
from dpviz.experiments.papers.sets import study_sets
from dpviz.figures.studies.aq import (
    MISSES,
    NAMES,
    gaps_figure,
    histograms_figure,
    nodes_figure,
    properties_figure,
    targets_figure,
    time_figure,
)
from tests.figures.studies.drawn import LOOKS, WIDE, checked, lines, words


@pytest.fixture(scope="module")
def sets():
    return study_sets(np.random.default_rng(5))


LINES = (
    ("paper", "JointExp"),
    ("paper", "AggTree"),
    ("text", "AggTree"),
    ("improved", "AggTree"),
)
TITLES = {"normal": "Normal(0, 5)", "age": "Adult age (stand-in)"}


@pytest.fixture
def study():
    rows = [
        ("age", m, variant, mechanism, mean, 0.5, 4)
        for m, mean in ((120, 100.0), (1, 0.0), (35, 20.0))
        for variant, mechanism in LINES
    ]
    names = ["data", "m", "variant", "mechanism", "mean", "standard_error", "runs"]
    return pd.DataFrame(rows, columns=names)


@pytest.mark.parametrize("look", LOOKS)
def test_nodes_are_drawn_step_by_step(sets, rng, look):
    nodes = recursion_nodes(sets["normal"], 7, 1.0, rng)
    picture = checked(nodes_figure(nodes, look, unit="value"))
    marks = picture["data"][1]
    assert marks["x"].tolist() == nodes["value"].tolist()
    assert marks["y"].tolist() == nodes["level"].tolist()
    assert marks["customdata"][:, 1].tolist() == nodes["records"].tolist()
    assert "3: " in words(picture)


@pytest.mark.parametrize("look", LOOKS)
def test_targets_before_and_after(look):
    picture = checked(targets_figure(moved_targets(**EXAMPLE), look))
    drawn = {trace["name"]: list(trace["x"]) for trace in picture["data"]}
    assert drawn["targets"] == [2, 4, 8]
    assert [shape["x0"] for shape in picture["layout"]["shapes"]] == [3, 6, 9]
    assert len(drawn["people"]) == 12


@pytest.mark.parametrize("look", LOOKS)
def test_histogram_steps_are_the_counts(sets, look):
    bars = histograms(sets)
    titles = {key: one.label for key, one in sets.items()}
    picture = checked(histograms_figure(bars, look, titles))
    drawn = {trace["name"]: trace for trace in picture["data"]}
    assert set(drawn) == set(sets)
    assert drawn["hours"]["y"].sum() == 48_842
    assert drawn["hours"]["x"].size == 101
    assert "Adult hours (stand-in)" in words(picture)


@pytest.mark.parametrize("look", LOOKS)
def test_misses_have_a_panel_for_each_set_and_zoom(study, look):
    empty, full = lines(checked(gaps_figure(study, look, TITLES)))
    assert set(empty) == set(NAMES.values())
    assert set(full) == {*NAMES.values(), "noisy tree, as the text has it"}
    assert empty["all at once"] == ([], [])
    places, means = full["all at once"]
    assert places == [1, 35, 120]
    np.testing.assert_array_equal(means, [np.nan, 20, 100])  # a miss of nobody is left out
    _, few = lines(gaps_figure(study, look, TITLES, most=35))
    assert few["all at once"][0] == [1, 35]


def test_our_variants_are_hollow_and_named(study):
    picture = checked(gaps_figure(study, WIDE, TITLES, improved=True))
    _, full = lines(picture)
    assert "noisy tree, our variant" in full
    symbols = {trace["name"]: trace["marker"]["symbol"] for trace in picture["data"]}
    assert symbols["noisy tree, our variant"] == symbols["noisy tree"] + "-open"
    assert "our variants" in words(picture)
    assert "dashed: as the text has it" in words(picture)
    dashes = {trace["name"]: trace["line"]["dash"] for trace in picture["data"]}
    assert dashes["noisy tree, as the text has it"] == "dash"
    assert dashes["noisy tree, our variant"] == "dot"
    plain = lines(gaps_figure(study, WIDE, TITLES))[1]
    assert "noisy tree, as the text has it" in plain
    assert "noisy tree, our variant" not in plain


@pytest.mark.parametrize(("metric", "axis"), MISSES.items())
def test_the_axis_says_what_is_counted(study, metric, axis):
    picture = gaps_figure(study, WIDE, TITLES, metric=metric)
    assert axis in words(picture)
    assert "(stand-in)" in words(picture)


def test_axes_stay_while_a_run_goes_on(study):
    whole = gaps_figure(study, WIDE, TITLES, around=study)["layout"]
    begun = gaps_figure(study.iloc[:0], WIDE, TITLES, around=study)["layout"]
    for axis in ("xaxis", "yaxis", "yaxis2"):
        assert begun[axis]["range"] == whole[axis]["range"]


@pytest.mark.parametrize("look", LOOKS)
def test_times_are_milliseconds(look):
    rows = [(m, name, 0.001 * m, 0.0) for m in (5, 1) for name in NAMES]
    frame = pd.DataFrame(rows, columns=["m", "mechanism", "mean", "standard_error"])
    (drawn,) = lines(checked(time_figure(frame, look)))
    assert set(drawn) == set(NAMES.values())
    assert drawn["one by one"] == ([1, 5], [1, 5])


@pytest.mark.parametrize("look", LOOKS)
def test_table_one_has_rings_around_what_is_as_printed(sets, look):
    rows = properties(sets)
    picture = checked(properties_figure(rows, look))
    drawn = {trace["name"]: list(trace["x"]) for trace in picture["data"]}
    assert drawn["records"] == drawn["records, printed"] == rows["records"].tolist()
    assert drawn["values"] == rows["values"].tolist()
    assert np.isnan(drawn["values, printed"][:4]).all()
    assert drawn["values, printed"][4:] == [96, 74]
    assert "48,842 people" in words(picture)
    assert "10,000 values" not in words(picture)  # a set without ties
