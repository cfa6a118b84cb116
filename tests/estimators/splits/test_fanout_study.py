"""The table of methods_next.md §9 and §10, and what is best where."""

import numpy as np
import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.estimators.splits.fanout_study import HEIGHTS, fanout_study
from tests.estimators.splits.test_prefix_fanout import PRINTED

AT = [HEIGHTS.index(height) for height in (10, 16, 20)]


@pytest.mark.law
@pytest.mark.parametrize(("unit", "reading", "fanout", "printed"), PRINTED)
def test_one_fanout_with_equal_shares(unit, reading, fanout, printed):
    found = fanout_study(unit, reading).equal[fanout][AT]
    np.testing.assert_allclose(found, printed, rtol=4e-3)


@pytest.mark.law
@pytest.mark.parametrize(
    ("unit", "printed"), [("eps", (119, 414, 761)), ("rho", (6.312, 13.96, 20.73))]
)
def test_the_best_split_of_a_binary_tree(unit, printed):
    found = fanout_study(unit, "efficient").split[AT]
    np.testing.assert_allclose(found, printed, rtol=5e-3)


@pytest.mark.law
def test_the_square_root_and_what_none_gets_below():
    study = fanout_study("rho", "efficient")
    np.testing.assert_allclose(study.square_root[AT], (4.835, 9.832, 14.138), rtol=2e-4)
    np.testing.assert_allclose(study.least[AT], (4.233, 8.955, 13.080), rtol=2e-4)
    assert fanout_study("eps", "efficient").square_root is None


@pytest.mark.law
@pytest.mark.parametrize("unit", ["eps", "rho"])
@pytest.mark.parametrize("reading", ["raw", "efficient"])
def test_the_best_fanout_is_best_and_no_split_is_worse(unit, reading):
    study = fanout_study(unit, reading)
    for each in study.equal.values():
        assert (study.best_equal <= each * (1 + 1e-12)).all()
    if reading == "efficient":  # of binary trees, whose levels left out make wider fanouts
        assert (study.split <= study.equal[2] * (1 + 1e-9)).all()
        assert (study.split <= 1.2 * study.best_equal).all()
    if unit == "rho":
        assert (study.least <= study.square_root).all()
        assert (study.square_root <= study.best_equal).all()


def test_another_unit_or_reading_is_refused():
    with pytest.raises(InvalidParameter, match="unit"):
        fanout_study("delta", "raw")
    with pytest.raises(InvalidParameter, match="reading"):
        fanout_study("eps", "best")
