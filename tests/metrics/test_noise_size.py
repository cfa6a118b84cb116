"""E|shift + noise| against sums and integrals, for every law."""

import numpy as np
import pytest
from scipy import integrate, stats

from dpviz.core.randomness.noise import Noise
from dpviz.metrics.clipped_sums import expected_size
from tests.rows import by_rows, grid

SHIFTS = (0.0, 0.3, -1.0, 2.5, 7.0)
SCALES = (0.2, 1.0, 6.0)


def slow(noise: Noise, scale: float, shift: float) -> float:
    if noise is Noise.DISCRETE_LAPLACE:
        whole = np.arange(-4000, 4001)
        p = np.exp(-1 / scale)
        return float(np.sum((1 - p) / (1 + p) * p ** np.abs(whole) * np.abs(whole + shift)))
    if noise is Noise.DISCRETE_GAUSSIAN:
        whole = np.arange(-4000, 4001)
        weight = np.exp(-((whole / scale) ** 2) / 2)
        return float(np.sum(weight * np.abs(whole + shift)) / weight.sum())
    law = stats.laplace(0, scale) if noise is Noise.LAPLACE else stats.norm(0, scale)
    ends = 60 * scale + abs(shift)
    found, _ = integrate.quad(
        lambda x: abs(x + shift) * law.pdf(x), -ends, ends, points=[-shift, 0], limit=400
    )
    return float(found)


@grid(noise=Noise, scale=SCALES, shift=SHIFTS)
def test_the_expected_size_is_exact(noise, scale, shift):
    assert expected_size(noise, scale, shift) == pytest.approx(slow(noise, scale, shift), rel=1e-8)


@by_rows("scale", [24.9, 25.1, 90.0])
@by_rows("shift", [0.0, 1.0, 2.5, 30.0])
def test_a_wide_discrete_gaussian_is_as_exact(scale, shift):
    noise = Noise.DISCRETE_GAUSSIAN
    assert expected_size(noise, scale, shift) == pytest.approx(slow(noise, scale, shift), rel=1e-11)


@pytest.mark.parametrize("noise", Noise)
def test_without_noise_only_the_shift_is_left(noise):
    assert expected_size(noise, 0, -3.5) == 3.5
