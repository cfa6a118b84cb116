"""Mixing colours so that equal steps look equal: in OKLab, not in red, green and blue."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray

# linear RGB to the cones, and their cube roots to lightness, green-red, blue-yellow
CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


@lru_cache(maxsize=1024)
def mixed(colour: str, other: str, share: float) -> str:
    """A #RRGGBB colour with a share of another one in it, 0 to 1.

    Source: Ottosson 2020, "A perceptual color space for image processing".
    """
    one, two = (_lab(each) for each in (colour, other))
    return _hex((1 - share) * one + share * two)


def _lab(colour: str) -> FloatArray:
    given = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4)
    return np.asarray(LAB @ np.cbrt(CONES @ linear))


def _hex(lab: FloatArray) -> str:
    linear = np.linalg.solve(CONES, np.linalg.solve(LAB, lab) ** 3).clip(0, 1)
    given = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    red, green, blue = (given * 255).round().astype(int).tolist()
    return f"#{red:02X}{green:02X}{blue:02X}"
