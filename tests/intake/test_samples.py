"""The samples as the app meets them."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidData
from dpviz.intake.samples import load_sample, sample, sample_column, sample_points, samples
from tests.rows import by_rows

LINE = [one.key for one in samples() if len(one.columns) == 1]
PLANE = [one.key for one in samples() if len(one.columns) == 2]


def test_enough_of_each():
    assert len(LINE) >= 8
    assert len(PLANE) == 2
    assert len({one.title for one in samples()}) == len(samples())


@by_rows("key", LINE)
def test_columns(key):
    column = sample_column(key)
    assert (column.n, column.dropped) == (sample(key).n, 0)
    assert column.bounds == sample(key).bounds[0]
    assert column.resolution == sample(key).resolution
    assert column.clipped <= 0.01 * column.n


@pytest.mark.parametrize("key", PLANE)
def test_points(key):
    points = sample_points(key)
    assert (points.n, points.dropped, points.clipped) == (sample(key).n, 0, 0)


def test_the_papers_sets():
    assert sample("uniform").bounds == sample("normal").bounds == (Bounds(-100, 100),)
    (uniform,), (normal,) = load_sample("uniform"), load_sample("normal")
    assert uniform.size == normal.size == 10_000
    assert np.abs(uniform).max() <= 5
    # five standard errors each, a false alarm in about a million
    assert abs(normal.mean()) < 5 * 5 / 100
    assert abs(normal.std() - 5) < 5 * 5 / np.sqrt(2 * 10_000)


def test_wrong_questions():
    with pytest.raises(InvalidData, match=r"no sample 'x'\. Choose one of exam, ages"):
        load_sample("x")
    with pytest.raises(InvalidData, match="two columns"):
        sample_column("towns")
    with pytest.raises(InvalidData, match="one column"):
        sample_points("ages")
