"""Where doubles end, no outcome hangs on the data: found by attacks, each with what broke off."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import dpviz as dp
from dpviz.core.errors import DpvizError, UnsupportedBudget
from dpviz.counts.batches import PointBatches
from dpviz.intake.declared.columns import Writing, declared_batches
from tests.rows import by_rows

BOUNDS = dp.Bounds(0, 10)
BOX = dp.Box(BOUNDS, BOUNDS)
COLUMNS = [dp.Column.from_values([3.0] * n, BOUNDS, 1) for n in (0, 1, 10_000)]
TINY = [5e-324, 1e-310, 1e-9]


def outcome(act) -> str:
    """What became of it, warnings as errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            act()
        except DpvizError as refusal:
            return f"{type(refusal).__name__}: {refusal}"
    return "released"


@pytest.mark.few(2, 6)
@pytest.mark.parametrize("quantile", TINY)
@pytest.mark.parametrize("rho", [1.0, 164.0, 1e6])
@pytest.mark.parametrize("mechanism", [dp.AggTree(noise="discrete-gaussian"), dp.PrefixQuantiles()])
def test_a_share_that_no_double_holds_is_at_the_lower_end(mechanism, rho, quantile):
    """0/0 where q n̂ is 0, for noisy counts that are: of few people now and then, of many never."""
    for column in COLUMNS:
        for seed in range(40):
            rng = np.random.default_rng(seed)
            release = mechanism.release(column, [quantile], dp.ZCDP(rho), rng)
            assert 0 <= release.values[0] <= 10


@by_rows("epsilon", [1e3, 1e12, 1e15, 1e16, 1e38, 1e100, 1e300])
@by_rows("quantiles", [[1 / 3], [0.3], [0.5, 0.5], [0.1, 0.5, 0.9]])
def test_joint_exp_refuses_what_doubles_do_not_hold_whatever_the_column(epsilon, quantiles):
    def of(values):
        column = dp.Column.from_values(values, dp.Bounds(0, 100))
        rng = np.random.default_rng(0)
        return outcome(lambda: dp.JointExp().release(column, quantiles, dp.PureDP(epsilon), rng))

    many = np.random.default_rng(1).uniform(0, 100, 1_000)
    found = {of(values) for values in ([], [30.0], [30.0] * 1_000, many)}
    assert len(found) == 1
    assert (found == {"released"}) == (epsilon <= 1e15)
    with pytest.raises(UnsupportedBudget, match="hold those of budgets up to about"):
        dp.JointExp().check(dp.PureDP(1e17), quantiles)


@pytest.mark.parametrize("epsilon", [1.0, 1e3, 1e19, 1e20, 1e100])
def test_slices_warn_of_nothing(epsilon):
    deciles = [i / 10 for i in range(1, 10)]
    for values in ([], [10.0, 90.0], [30.0] * 1_000):
        column = dp.Column.from_values(values, dp.Bounds(0, 100))
        release = outcome(
            lambda column=column: dp.SliceQuantiles().release(
                column, deciles, dp.ApproxDP(epsilon, 1e-6)
            )
        )
        assert release == "released"


LONG = np.longdouble
AT = [LONG("1e-4000"), LONG(1), LONG("1e4000"), LONG("nan"), LONG("-inf")]
PREPARED = {
    "values": lambda x: dp.Column.from_values(np.array([x]), BOUNDS),
    "counts": lambda x: dp.Column.from_counts(np.array([x]), [3], BOUNDS),
    "cells": lambda x: dp.Column.from_values(np.array([x]), BOUNDS, 1.25).cells,
    "cell counts": lambda x: dp.Column.from_values(np.array([x]), BOUNDS, 1.25).cell_counts,
    "crowded": lambda x: dp.Column.from_values(np.array([x]), BOUNDS, 1.25).crowded,
    "total": lambda x: dp.Column.from_values(np.array([x] * 4), dp.Bounds(0, 1.7e308)).total,
    "points": lambda x: dp.Points.from_xy(np.array([x]), [1.0], BOX),
    "proposed": lambda x: dp.propose_bounds(np.array([x]), dp.PureDP(1)),
    "column": lambda x: dp.person_column(
        ["a"], np.array([x]), BOUNDS, 1, dp.PersonRows.weighted(), dp.SecureBits.fresh()
    ),
    "grid": lambda x: dp.person_grid(["a"], np.array([x]), [1.0], BOX, 4, dp.PersonRows.weighted()),
    "batch": lambda x: PointBatches(BOX, 3).add(np.array([float(x)]), np.array([1.0])),
    "few doubles": lambda _: dp.Column.from_values([1], dp.Bounds(1e-310, 3e-310)),
}


@pytest.mark.law
@by_rows("name", PREPARED)
@by_rows("asked", ["raise", "warn"])
def test_no_value_breaks_off_how_data_are_prepared(name, asked):
    """Long doubles, and doubles so small that what is worked out of them is none."""
    for value in (*AT, 5e-324, 1e-310, -1e-310, 1e308, np.inf, 1.0):
        with np.errstate(all=asked):
            assert outcome(lambda value=value: PREPARED[name](value)) == "released"


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 1.0], [1.6e308]])
def test_a_step_too_wide_is_refused_by_the_declaration(values):
    column = dp.Column.from_values(values, dp.Bounds(0, 1.7e308), 2.1e307)
    for part in ("crowded", "cells", "cell_counts"):
        assert outcome(lambda part=part: getattr(column, part)).startswith("InvalidBounds")


@pytest.mark.parametrize("rows", ["", "1,2\r", "1,2\r3,4", "x"])
def test_line_ends_are_of_the_format_and_not_of_the_rows(tmp_path: Path, rows: str):
    path = tmp_path / "a.csv"
    path.write_bytes(f"v,w\r{rows}".encode())
    with pytest.raises(DpvizError, match="Lines end with a line feed"):
        list(declared_batches(path, ["v"], Writing(",", ".")))


@pytest.mark.law
@by_rows("low", [0.0, -1e15, 1e15, 1e300, -7.3])
@by_rows("doubles", [1, 4, 8, 64, 1_000, 10**6])
def test_a_picture_is_drawn_however_few_doubles_the_bounds_are_wide(low, doubles):
    """A view without a width ended it, where releases lay close together."""
    high = low + doubles * np.spacing(abs(low) or 1.0)
    bounds = dp.Bounds(low, high)
    for values in ([], [high] * 3_000, [low] * 3_000, [low + (high - low) / 2] * 3_000):
        column = dp.Column.from_values(values, bounds)
        rng = np.random.default_rng(1)
        release = dp.ApproximateQuantiles().release(column, [0.1, 0.5, 0.9], dp.PureDP(1), rng)
        assert outcome(lambda release=release: dp.plot(release)) == "released"


def test_nothing_that_is_made_of_a_release_breaks_off():
    """Under the strictest error state a caller can ask for."""
    box = dp.Box(BOUNDS, BOUNDS)
    for points in ([], [1e300] * 5):
        tree = dp.KdTree(2).release(
            dp.Points.from_xy(points, points, box), dp.PureDP(1e100), dp.SecureBits(bytes(32))
        )
        with np.errstate(all="raise"):
            assert outcome(lambda tree=tree: dp.prune(dp.estimate(tree), 10)) == "released"
            assert outcome(lambda tree=tree: dp.range_counts(tree, [0, 1, 0, 1])) == "released"
    public = dp.CountTree(2, 3, root="public", records=100, neighbours="replace-one")
    for value in (1e-295, 1e-290):
        column = dp.Column.from_values([value] * 100, dp.Bounds(1e-300, 1e-290))
        release = public.release(column, dp.PureDP(1e-9), dp.SecureBits(bytes(32)))
        with np.errstate(all="raise"):
            curve = dp.cdf(dp.estimate(release))
            for ask in (
                lambda curve=curve: curve.quantile(1e-12, beta=0.05),
                lambda curve=curve: (curve.mean(), curve.variance(), curve.below(1e-291)),
                lambda release=release: dp.quantile_interval(release, 0.5),
            ):
                assert outcome(ask) == "released"


@pytest.mark.parametrize("asked", ["warn", "raise"])
def test_a_map_of_huge_counts_is_drawn(asked):
    """Colours are single precision; beyond it they are those of the end."""
    for records in ([], [5.0] * 30):
        points = dp.Points.from_xy(records, records, BOX)
        release = dp.Quadtree(2, noise="laplace").release(
            points, dp.PureDP(1e-50), np.random.default_rng(0)
        )
        with np.errstate(all=asked):
            assert outcome(lambda release=release: dp.plot(release)) == "released"
