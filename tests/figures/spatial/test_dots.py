"""True points as an image of dots: where they lie, how dark they are, and that it is a PNG."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from dpviz.core.bounds import Bounds, Box
from dpviz.figures.spatial.dots import counted, image, rows_of

BOX = Box(Bounds(-2, 6), Bounds(10, 14))


def decoded(address):
    """The pixels of an image as red, green, blue, opacity."""
    kind, body = address.split(",")
    assert kind == "data:image/png;base64"
    return np.array(Image.open(io.BytesIO(base64.b64decode(body))).convert("RGBA"))


def test_each_point_is_counted_in_its_dot(rng):
    x, y = rng.uniform(-2, 6, 500), rng.uniform(10, 14, 500)
    counts = counted((x, y), BOX, across=16)
    assert counts.shape == (8, 16)
    slow = np.zeros((8, 16), dtype=int)
    for one, two in zip(x, y, strict=True):
        slow[7 - int((two - 10) / 0.5), int((one + 2) / 0.5)] += 1
    np.testing.assert_array_equal(counts, slow)


def test_points_on_the_upper_ends_stay_inside():
    counts = counted((np.array([6.0, -2.0]), np.array([14.0, 10.0])), BOX, across=16)
    assert counts[0, 15] == counts[7, 0] == 1
    assert counts.sum() == 2


@pytest.mark.parametrize("across", [15, 16])
def test_the_image_shows_more_where_more_people_are(across):
    counts = np.zeros((3, across), dtype=np.int64)
    counts[0, 1], counts[1, 2:] = 1, 4
    pixels = decoded(image(counts, "#14181D"))
    assert pixels.shape == (3, across, 4)
    assert pixels[1, 2].tolist() == [0x14, 0x18, 0x1D, 255]
    assert 0 < pixels[0, 1, 3] < 255
    assert (pixels[2, :, 3] == 0).all()


def test_an_empty_map_is_clear():
    assert (decoded(image(np.zeros((2, 4), dtype=np.int64), "#14181D"))[..., 3] == 0).all()


def test_very_flat_boxes_keep_some_rows():
    assert rows_of(Box(Bounds(0, 1000), Bounds(0, 1)), 160) == 20
