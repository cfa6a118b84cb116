import json

import numpy as np
import pytest

from dpviz.ui.kit.gallery import shapes


def test_a_line_breaks_where_a_value_is_missing():
    found = shapes.stroke([0, 1, 2, 3], [0, 1, np.nan, 3], "blue")
    assert found["d"] == "M0 0L1 1M3 3"
    assert "dash" not in found


def test_steps_go_right_first():
    assert shapes.stroke([0, 2, 5], [1, 4, 3], "truth", steps=True)["d"] == "M0 1H2V4H5V3"


def test_an_area_is_closed_at_its_floor():
    assert shapes.area([0, 4], [1, 2], 9, "blue")["d"] == "M0 1L4 2L4 9L0 9Z"


def test_grains_are_tenths_in_pairs():
    assert shapes.grains([0.04, 12.34], [1, 2])["grains"] == [0, 10, 123, 20]


@pytest.mark.parametrize("mark", ["circle", "diamond", "triangle-up", "square"])
def test_every_mark_is_a_closed_path_around_its_place(mark):
    path = shapes.dots([(10.0, 20.0)], "blue", 6, mark)["d"]
    assert path.startswith("M")
    assert path.endswith("Z")


def test_an_unknown_mark_is_an_error():
    with pytest.raises(KeyError):
        shapes.dots([(0, 0)], "blue", mark="heart")


def test_numbers_are_short_and_have_no_minus_zero():
    assert shapes.stroke([-0.01, 1 / 3], [1e3, 0.25], "blue")["d"] == "M0 1000L0.3 0.2"


def test_values_are_scaled_between_places():
    assert shapes.scaled([0, 5, 10], (0, 10), (100, 0)).tolist() == [100, 50, 0]
    assert shapes.scaled([1, 10, 100], (1, 100), (0, 2), log=True).tolist() == [0, 1, 2]
    assert shapes.scaled([3], (3, 3), (0, 10)).tolist() == [5]


def test_a_picture_is_plain_data():
    drawn = shapes.still(
        140, 84, [shapes.bars([(0, 0, 1, 2)], "blue", 0.5), shapes.words("a", 1, 2)]
    )
    assert json.loads(json.dumps(drawn)) == drawn
    assert drawn["box"] == [140, 84]
    assert drawn["shapes"][0] == {"d": "M0 0h1v2h-1Z", "fill": "blue", "opacity": 0.5}
