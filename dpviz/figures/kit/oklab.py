"""Colours mixed as the eye mixes them: in OKLab, where equal steps look equal.

Source: Ottosson 2020, "A perceptual color space for image processing".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray

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
FROM_LAB, FROM_CONES = np.linalg.inv(LAB), np.linalg.inv(CONES)


def lab_of(colours: Sequence[str]) -> FloatArray:
    """#RRGGBB colours (k,) in OKLab: lightness, green to red, blue to yellow; (k, 3)."""
    bytes_of = [[int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in colours]
    red_green_blue = np.array(bytes_of, dtype=np.float64) / 255
    linear = np.where(
        red_green_blue <= 0.04045, red_green_blue / 12.92, ((red_green_blue + 0.055) / 1.055) ** 2.4
    )
    return np.asarray(np.cbrt(linear @ CONES.T) @ LAB.T)


def colours_of(lab: ArrayLike) -> list[str]:
    """OKLab (k, 3) as #RRGGBB (k,); what no screen can show is cut to what it can."""
    linear = np.clip((np.asarray(lab) @ FROM_LAB.T) ** 3 @ FROM_CONES.T, 0, 1)
    shown = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return ["#{:02X}{:02X}{:02X}".format(*row) for row in np.rint(255 * shown).astype(int)]


def between(stops: Sequence[str], at: ArrayLike) -> list[str]:
    """Colours at some shares (k,) of the way through equally spaced stops."""
    lab = lab_of(stops)
    places = np.clip(np.asarray(at, dtype=np.float64), 0, 1) * (len(stops) - 1)
    known = np.arange(len(stops))
    return colours_of(np.stack([np.interp(places, known, part) for part in lab.T], axis=1))


def mixed(first: str, second: str, share: float) -> str:
    """A colour with a share of the second one in it."""
    return between((first, second), [share])[0]
