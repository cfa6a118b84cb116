"""What docs/piecewise_median.md states of its mechanism, against quadrature and draws."""

import re
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from tests.conftest import ROOT
from tests.statistics import can_tell, fits

LOW, HIGH = -10.0, 10.0


@pytest.fixture(scope="module")
def page():
    """The functions of the page, without its table."""
    text = (ROOT / "docs/piecewise_median.md").read_text(encoding="utf-8")
    proof, table = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    space: dict[str, object] = {}
    exec(proof.split("\nfor q in")[0], space)
    exec(table.split("\nfor key in")[0], space)
    return space


def by_quadrature(page, values, eta):
    """Both errors of the piecewise mechanism, piece by piece from its density."""
    n, middle = values.size, np.median(values)
    knots = np.unique(np.concatenate(([LOW], values, [middle, HIGH])))
    total = ranks = units = 0.0

    def density(y):
        below = page["rank"](values, np.array([y]), LOW, HIGH)[0]
        return float(np.exp(-eta * abs(below - n / 2)))

    for left, right in pairwise(knots):
        mass = integrate.quad(density, left, right)[0]
        below = np.count_nonzero(values < (left + right) / 2)
        total += mass
        ranks += mass * (abs(below - n / 2) - (n % 2) / 2)
        units += integrate.quad(lambda y: density(y) * abs(y - middle), left, right)[0]
    return ranks / total, units / total


@pytest.mark.parametrize("eta", [0.1, 1.0, 6.0])
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_the_closed_forms_are_those_of_the_density(rng, page, n, eta):
    values = np.sort(rng.normal(0, 2, n))
    assert page["errors"](values, LOW, HIGH, eta)[2:] == pytest.approx(
        by_quadrature(page, values, eta)
    )


@pytest.mark.parametrize("eta", [0.1, 1.0, 6.0])
def test_for_odd_n_the_law_of_the_ranks_is_that_of_the_mechanism_in_use(rng, page, eta):
    for n in (1, 3, 7, 101):
        rank_now, now, rank_then, then = page["errors"](
            np.sort(rng.normal(0, 2, n)), LOW, HIGH, eta
        )
        assert rank_then == pytest.approx(rank_now)
        assert then < now


def test_bounds_farther_than_one_rank_break_the_proof(page):
    assert max(page["changes"](0.5)) <= 1 + 1e-9
    assert page["changes"](0.5, outer=1.0)[0] > 1.1


@pytest.mark.law
@pytest.mark.parametrize("x", [0.2, 3.0])
def test_the_share_of_a_piece_is_a_truncated_exponential(rng, x):
    share = -np.log1p(rng.random(100_000) * np.expm1(-x)) / x
    right = stats.truncexpon(x, scale=1 / x)
    assert fits(share, right)
    assert right.mean() == pytest.approx(1 / x - 1 / np.expm1(x))
    wrong = stats.truncexpon(x + 0.3, scale=1 / (x + 0.3))
    assert can_tell(share.size, right, wrong)
    assert not fits(share, wrong)
