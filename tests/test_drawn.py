"""Fingerprints of pictures: what they tell apart, and what not."""

import base64

import numpy as np
import pytest

from tests.drawn import changed, fingerprint

PICTURE = {"x": [0.12345, -2.0, None], "text": "4,478 people", "d": "M 1.5,2 L 3e-4,7", "on": True}


@pytest.mark.parametrize(
    "part",
    [
        {"x": [0.12345 * (1 + 1e-9), -2.0, None]},
        {"x": [np.float32(0.12345).item(), -2.0, None]},
        {"d": "M 1.500000001,2 L 0.0003,7"},
    ],
    ids=str,
)
def test_the_last_digits_are_nothing(part):
    assert fingerprint(PICTURE | part) == fingerprint(PICTURE)


@pytest.mark.parametrize(
    "part",
    [
        {"x": [0.124, -2.0, None]}, {"x": [0.12345, 2.0, None]}, {"x": [-2.0, 0.12345, None]},
        {"x": [0.12345, -2.0]}, {"text": "4,479 people"}, {"text": "4,478 persons"},
        {"d": "M 1.5,2 L 3e-4,-7"}, {"on": False}, {"y": 0},
    ],
    ids=str,
)  # fmt: skip
def test_anything_else_is_seen(part):
    assert fingerprint(PICTURE | part) != fingerprint(PICTURE)


def test_packed_numbers_count_as_they_are():
    packed = base64.b64encode(np.array([0.5, 2.0]).tobytes()).decode()
    assert fingerprint({"bdata": packed, "dtype": "f8"}) == fingerprint([0.5, 2.0])


def test_parts_are_named_and_kept_where_one_says_so(tmp_path, monkeypatch):
    file = tmp_path / "drawn.json"
    assert changed(file, "map", {"dots": [1, 2], "axis": 3}) == ["axis", "dots"]
    monkeypatch.setenv("DRAWN", "write")
    assert changed(file, "map", {"dots": [1, 2], "axis": 3}) == []
    monkeypatch.delenv("DRAWN")
    assert changed(file, "map", {"dots": [1, 2], "axis": 3}) == []
    assert changed(file, "map", {"dots": [2, 1], "axis": 3}) == ["dots"]
    assert changed(file, "map", {"axis": 3, "lines": []}) == ["dots", "lines"]
