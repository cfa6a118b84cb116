"""The stored results: short, of today's version, and what the code still gives."""

import json

import numpy as np
import pandas as pd
import pytest

from dpviz.experiments.engine.plan import collected
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.papers.aq_study import Trials, error_study
from dpviz.experiments.papers.psd_points import CONTROLS, DRAWS, ROADS_FEWER, measured
from dpviz.experiments.papers.sets import real_values, study_sets
from dpviz.experiments.papers.stored import record as stored
from dpviz.experiments.papers.stored.studies import GAPS, SEED, STUDIES, Sources, seed
from dpviz.version import __version__

EASY = ("recursion", "targets", "worst", "example", "income", "income trials", "flattening",
        "good split", "selection", "laplace median", "sampling", "weighing",
        "simulation", "surveys", "stream",
        pytest.param("age", marks=pytest.mark.thorough),  # as of income, on other values
        pytest.param("age trials", marks=pytest.mark.thorough),
        pytest.param("nodes", marks=pytest.mark.law),
        pytest.param("made-up column", marks=pytest.mark.law),
        pytest.param("single steps", marks=pytest.mark.thorough))  # fmt: skip


def sources() -> Sources:
    """The made-up sets are those of the run; a real set given or not leaves them as they are."""
    return Sources(study_sets(np.random.default_rng(SEED)), points=None)


def close(found: pd.DataFrame, kept: pd.DataFrame) -> None:
    assert list(found.columns) == list(kept.columns)
    assert len(found) == len(kept)
    for name in found:
        if pd.api.types.is_numeric_dtype(kept[name]):
            own = found[name].to_numpy(np.float64)
            np.testing.assert_allclose(kept[name].to_numpy(np.float64), own, rtol=6e-4, atol=1e-12)
        else:
            assert found[name].tolist() == kept[name].tolist()


def test_results_are_of_todays_version_and_small():
    """An old version fails here: run `make figures`, and look at what changed."""
    assert stored.record().version == __version__
    assert stored.FILE.stat().st_size < 400_000
    assert set(stored.record().rows) == set(STUDIES)


def test_every_study_says_how_long_it_took_and_all_take_at_most_twenty_minutes():
    seconds = stored.record().seconds
    assert set(seconds) == set(STUDIES)
    assert sum(seconds.values()) <= 20 * 60


@pytest.mark.few(3)
@pytest.mark.parametrize("name", EASY)
def test_what_is_quick_is_found_again_in_full(name):
    rows = STUDIES[name].rows(sources(), np.random.default_rng(seed(name)))
    close(rows, stored.record().rows[name])


@pytest.mark.law
def test_another_seed_is_told_apart():
    rows = STUDIES["income"].rows(sources(), np.random.default_rng(seed("age")))
    with pytest.raises(AssertionError):
        close(rows, stored.record().rows["income"])


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["uniform", "normal", "age"])
def test_misses_of_few_quantiles_are_found_again(key, request):
    """Fig. 4 to 7 in part: all trials of one set at m = 1, in every notion and variant."""
    given = {}
    if stored.record().origins[key] == "real":
        given = real_values(request.getfixturevalue("shared_data"))
    sets = study_sets(np.random.default_rng(SEED), given)
    experiment = error_study(sets, GAPS, np.random.default_rng(seed("gaps")))
    done = {}
    for index, cell in enumerate(experiment.cells):
        assert isinstance(cell, Trials)
        if (cell.data, cell.m) == (key, 1):
            done[index] = experiment.run_cell(index)
    found = summary(collected(done))
    assert set(found["runs"]) == {GAPS.trials}
    kept = stored.record().rows["gaps"]
    close(found, kept[(kept["data"] == key) & (kept["m"] == 1)].reset_index(drop=True))


@pytest.mark.thorough
def test_a_draw_of_other_points_is_found_again():
    """One of five of one control; another draw is told apart."""
    (place,) = (i for i, one in enumerate(CONTROLS) if one.name == ROADS_FEWER)
    kept = stored.record().rows["other points"]
    columns = ["n", "method", "height", "epsilon", "shape", "mean"]
    first, other = (
        kept[(kept["points"] == ROADS_FEWER) & (kept["draw"] == draw)][columns] for draw in (0, 1)
    )
    stream = np.random.default_rng(seed("other points")).spawn(len(CONTROLS) + 1)[place]
    made, drawn = stream.spawn(DRAWS)[0].spawn(2)
    found = measured(CONTROLS[place].points(made), drawn)[columns]
    close(found, first.reset_index(drop=True))
    with pytest.raises(AssertionError):
        close(found, other.reset_index(drop=True))


def test_a_record_is_written_and_read_without_loss_of_what_counts():
    rows = pd.DataFrame({"name": ["a", "b", "a"], "x": [1.0, 1 / 3, np.nan], "n": [1, 200_000, 3]})
    held = stored.Record("1", "2020-01-01", {"one": rows}, {"one": 1.26}, {}, {})
    again = stored.read(json.loads(stored.write(held)))
    assert again.rows["one"]["name"].tolist() == ["a", "b", "a"]
    assert again.rows["one"]["x"].tolist()[:2] == [1.0, 0.3333]
    assert np.isnan(again.rows["one"]["x"].tolist()[2])
    assert again.rows["one"]["n"].tolist() == [1, 200_000, 3]
    assert again.seconds == {"one": 1.3}
    assert stored.write(again) == stored.write(held)


def test_numbers_are_short():
    assert [stored.short(one) for one in (1234567.0, 0.00012345, 3.0, float("inf"))] == [
        1235000, 0.0001234, 3, None,
    ]  # fmt: skip
