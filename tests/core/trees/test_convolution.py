"""M z by near and far blocks equals one plain convolution, at sizes around every seam."""

import numpy as np
import pytest
from scipy import special

from dpviz.core.trees import square_root as convolution
from dpviz.core.trees.square_root import BLOCK, smooth_coefficients, square_root


@pytest.mark.parametrize(
    "bins",
    [
        *(1, 2, 3, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1, 3 * BLOCK),
        *(5 * BLOCK + 7, 2**16, pytest.param(2**18 + 3, marks=pytest.mark.law)),
    ],
)
def test_it_is_the_convolution(rng, bins):
    root, size = square_root(bins), 1 << (2 * bins).bit_length()
    z = rng.normal(size=(2, bins))
    z[1] = 0
    z[1, bins // 3] = 1  # a column of M
    plain = np.fft.irfft(np.fft.rfft(z, size) * np.fft.rfft(root.coefficients, size), size)
    found = root.applied(z)
    assert found.shape == z.shape
    np.testing.assert_allclose(found, plain[:, :bins], atol=2e-12)
    np.testing.assert_array_equal(root.applied(z[0]), found[0])
    column = np.zeros(bins)
    column[bins // 3 :] = root.coefficients[: bins - bins // 3]
    np.testing.assert_allclose(found[1], column, atol=1e-14)


def test_pieces_are_no_part_of_the_result(rng, monkeypatch):
    z = rng.normal(size=(3, 5 * BLOCK))
    whole = square_root(5 * BLOCK).applied(z)
    for piece in (1, 3 * 2 * BLOCK):
        monkeypatch.setattr(convolution, "PIECE", piece)
        np.testing.assert_array_equal(square_root(5 * BLOCK).applied(z), whole)


def test_rows_of_runs_keep_their_axes(rng):
    z = rng.normal(size=(2, 3, 3 * BLOCK + 5))
    found = square_root(z.shape[-1]).applied(z)
    np.testing.assert_allclose(found[1, 2], square_root(z.shape[-1]).applied(z[1, 2]), atol=1e-13)


def test_coefficients_go_on_between_whole_numbers():
    root = square_root(2**16)
    whole = np.array([BLOCK + 1, 5000, 2**16 - 1])
    np.testing.assert_allclose(
        smooth_coefficients(whole.astype(float)), root.coefficients[whole], rtol=1e-13
    )
    between = np.array([1024.5, 2000.25, 1e5 + 0.1])
    exact = 1 / (special.poch(between + 0.5, 0.5) * np.sqrt(np.pi))
    np.testing.assert_allclose(smooth_coefficients(between), exact, rtol=1e-9)
