"""Values of a kind that is no number are refused in the same words, whatever a cell holds."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pandas.arrays import ArrowStringArray

from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidData
from dpviz.core.spatial.space import Space, SpacePoints

BOUNDS = Bounds(-10, 10)


def stored(number, kind, unit="i8"):
    """Arrow's array of a kind whose last cell holds a number, and pandas' series of it."""
    whole = {"i4": pa.int32(), "i8": pa.int64()}[unit]
    one = pa.array([1, number], whole).cast(kind)
    return one, pd.Series(one, dtype=pd.ArrowDtype(kind))


def texts(last):
    """The same of a text, in every way in which pandas and Arrow hold it; not all are UTF-8."""
    one = pa.array([b"a", last], pa.binary()).view(pa.string())
    own = ArrowStringArray(pa.chunked_array([one]))
    return one, pd.Series(one, dtype=pd.ArrowDtype(pa.string())), own, pd.Series(own), pd.Index(own)


def zoned(seconds):
    """Times with a zone, as pandas holds them."""
    plain = pd.Series(np.array([1, seconds], "M8[s]")).dt.tz_localize("UTC")
    return (plain.dt.tz_convert("Europe/Berlin"),)


KINDS = {
    "texts": (texts(b"b"), texts(b"\xff4711")),
    "days": (stored(2, pa.date32(), "i4"), stored(2**31 - 1, pa.date32(), "i4")),
    "moments": (stored(2, pa.timestamp("s")), stored(2**60, pa.timestamp("s"))),
    "hours": (stored(2, pa.time64("ns")), stored(2**60, pa.time64("ns"))),
    "zoned": (zoned(2), zoned(2**40)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_cell_holds_does_not_decide_how_its_kind_is_refused(kind):
    """Texts that are not UTF-8 and times beyond Python's ended in errors that quoted the cell."""
    said = set()
    for plain, odd in zip(*KINDS[kind], strict=True):
        for cells in (plain, odd):
            for make in (
                lambda values: Column.from_values(values, BOUNDS),
                lambda values: Column.from_counts(values, [1, 1], BOUNDS),
                lambda values: Points.from_xy([1.0, 1.0], values, Box(BOUNDS, BOUNDS)),
            ):
                with pytest.raises(InvalidData, match="needs numbers") as caught:
                    make(cells)
                said.add(str(caught.value))
                assert caught.value.__context__ is None
    assert len(said) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_nor_how_counts_and_points_of_a_space_are(kind):
    for plain, odd in zip(*KINDS[kind], strict=True):
        said = set()
        for cells in (plain, odd):
            with pytest.raises(InvalidData, match="Counts must be whole numbers") as caught:
                Column.from_counts([1.0, 2.0], cells, BOUNDS)
            said.add(str(caught.value))
            with pytest.raises(InvalidData, match="Points of 2 axes"):
                SpacePoints.from_values(cells, Space((BOUNDS, BOUNDS)))
        assert len(said) == 1
