from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.errors import InvalidData
from dpviz.experiments.papers.sets import (
    REAL,
    STUDY_BOUNDS,
    Origin,
    real_values,
    stand_in,
    study_sets,
)

SIZES = {
    "uniform": 10_000,
    "normal": 10_000,
    "ratings": 11_123,
    "pages": 11_123,
    "hours": 48_842,
    "age": 48_842,
}  # AQ, Table 1


def test_stand_ins_have_the_sizes_and_ranges_of_the_paper_and_say_so(rng):
    sets = study_sets(rng)
    assert {key: one.values.size for key, one in sets.items()} == SIZES
    for key, one in sets.items():
        assert STUDY_BOUNDS.low <= one.values.min() <= one.values.max() <= STUDY_BOUNDS.high
        assert one.origin is (Origin.STAND_IN if key in REAL else Origin.SYNTHETIC)
        assert ("stand-in" in one.label) == (key in REAL)
    hours = sets["hours"].values
    assert 0.4 < (hours == 40).mean() < 0.55
    assert np.unique(sets["age"].values).size == pytest.approx(74, abs=3)


def test_the_same_seed_gives_the_same_sets_and_a_given_one_moves_no_other():
    first, again, given = (
        study_sets(np.random.default_rng(3), values)
        for values in ({}, None, {"ratings": np.array([1.0, np.nan, 4.57])})
    )
    for key in SIZES:
        assert first[key].values.tolist() == again[key].values.tolist()
        if key != "ratings":
            assert first[key].values.tolist() == given[key].values.tolist()
    assert given["ratings"].values.tolist() == [1.0, 4.57]
    assert given["ratings"].origin is Origin.REAL


@pytest.mark.parametrize("values", [[], [np.nan], [1e6], [np.inf]])
def test_columns_that_do_not_fit_are_refused(rng, values):
    with pytest.raises(InvalidData, match="Goodreads pages"):
        study_sets(rng, {"pages": np.array(values)})


def test_no_stand_in_for_the_unknown(rng):
    with pytest.raises(InvalidData, match="ratings"):
        stand_in("luck", rng)


def test_a_folder_without_files_gives_nothing(tmp_path):
    assert real_values(tmp_path) == {}
    assert real_values(None) == {}
    (tmp_path / "adult_age.csv").write_text("adult_age\n39\n50\n")
    assert real_values(tmp_path)["age"].tolist() == [39, 50]


def test_the_real_sets_enter_the_study(rng, shared_data):
    sets = study_sets(rng, real_values(shared_data))
    assert {key: one.values.size for key, one in sets.items()} == SIZES
    assert all(one.origin is Origin.REAL for key, one in sets.items() if key in REAL)
    assert sets["pages"].values.max() == pytest.approx(65.76)
