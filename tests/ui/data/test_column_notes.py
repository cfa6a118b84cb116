"""What Data says of a column beside the truth, against its own counts."""

from types import SimpleNamespace

import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.ui.data import declare


@pytest.mark.parametrize(("outside", "missing", "said"), [(1, 40, "10%"), (3, 40, "30%")])
def test_the_share_outside_is_that_of_the_values(outside, missing, said):
    """Missing values are in neither number."""
    values = [5.0] * (10 - outside) + [99.0] * outside + [float("nan")] * missing
    title, text = declare._clipped_note(Column.from_values(values, Bounds(0, 10)))
    assert title == "Many values lie outside"
    assert text.startswith(f"{said} of the values")


@pytest.mark.parametrize(("outside", "missing"), [(0, 0), (3, 0), (0, 4), (3, 40)])
def test_values_outside_and_missing_ones_are_counted_apart(outside, missing, monkeypatch):
    people = SimpleNamespace(people=SimpleNamespace(counted=lambda n: f"{n} people"))
    monkeypatch.setattr(declare.session, "words", lambda: people)
    values = [5.0] * (10 - outside) + [99.0] * outside + [float("nan")] * missing
    said = declare.counts_of(Column.from_values(values, Bounds(0, 10)))
    assert said == (
        f"10 people, {outside or 'none'} outside the bounds, {missing or 'none'} missing."
    )
