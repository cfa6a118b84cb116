"""No refusal, and no word of one, hangs on the data: the same outcome for any number of records.

Every mechanism, median, estimator and report is asked the same of data that differ in their number
of records and people alone, from none to 2^53, around every border of a word or of a limit.
"""

# ruff: noqa: B023  # every function is called before its loop goes on
from __future__ import annotations

import math
import re

import numpy as np
import pytest

import dpviz as dp
from dpviz import catalogue
from dpviz.core.errors import DpvizError
from dpviz.core.spatial.cells import Cells
from dpviz.mechanisms.quantiles import sanitized
from dpviz.mechanisms.quantiles.around.mechanism import QuantilesAround
from dpviz.mechanisms.quantiles.around.noisy_search import NoisySearchQuantile
from dpviz.mechanisms.quantiles.around.smooth import SmoothQuantile
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue
from dpviz.mechanisms.spatial.method import SpatialChoice
from dpviz.reports.page import report
from dpviz.reports.tables import release_csv
from dpviz.reports.words import paragraph

pytestmark = pytest.mark.law

RECORDS = [0, 1, *(2**bits + by for bits in (24, 27, 31) for by in (-1, 1)), 2**53]
PARTS = 840
PEOPLE = [0, 1, 19_972, 19_973, 2_556_528, 2_556_529, 2**43]  # of 840 parts each
BUDGETS = [
    *(dp.PureDP(1.0), dp.PureDP(1e-4), dp.PureDP(1e-6), dp.ZCDP(0.1), dp.ZCDP(1e-9)),
    *(dp.ApproxDP(1.0, 1e-6), dp.ApproxDP(1e-5, 1e-9)),
]
BOUNDS, DECILES = dp.Bounds(0, 120), np.arange(1, 10) / 10
BOX = dp.Box(dp.Bounds(0, 1), dp.Bounds(0, 2))
RELATIONS = list(dp.Neighbours)
SIDE = 16


@pytest.fixture(autouse=True)
def errors_asked_for():
    """As after np.seterr(all="raise"): then what underflows would hang on the data."""
    with np.errstate(all="raise"):
        yield


def column(records: int, shape: str, resolution: float = 1.0) -> dp.Column:
    """So many records, all at one value, or over 121 of them, on the steps or beside them."""
    at = np.arange(121.0) if shape != "beside" else 0.3 + 0.99 * np.arange(121)
    counts = np.zeros(121, dtype=np.int64)
    if shape != "one value":
        counts += records // 121
    counts[60] += records - int(counts.sum())
    return dp.Column.from_counts(at, counts, BOUNDS, resolution)


def plane(records: int, shape: str) -> dp.GridCounts:
    counts = np.zeros((SIDE, SIDE), dtype=np.int64)
    if shape != "one cell":
        counts += records // SIDE**2
    counts[3, 5] += records - int(counts.sum())
    return dp.GridCounts(BOX, SIDE, counts)


def outcome(act) -> str:
    """That something was released, or the refusal; no other error."""
    try:
        act()
    except DpvizError as refusal:
        return f"{type(refusal).__name__}: {refusal}"
    return "released"


def told(release) -> None:
    """Everything that is written of a release."""
    report(release)
    paragraph(release)
    release_csv(release)
    release.to_json()


def same_for_all(act, all_data, numbers) -> str:
    """The outcome, which is one for all data and holds none of the numbers of records in them."""
    outcomes = {outcome(lambda: act(data)) for data in all_data}
    assert len(outcomes) == 1, outcomes
    (found,) = outcomes
    said = {int(text.replace(",", "")) for text in re.findall(r"\d[\d,]*", found)}
    assert not said & {one for one in numbers if one > 1000}, found
    return found


SHAPES = [("one value", 1.0), ("even", 1.0), ("even", 0.0), ("beside", 1.0)]
COLUMNS = {key: [column(records, *key) for records in RECORDS] for key in SHAPES}
QUANTILES = [
    *(one(neighbours=relation) for one in catalogue.QUANTILES for relation in RELATIONS),
    dp.ApproximateQuantiles(ties=dp.choices.Ties.KEEP),
    dp.ApproximateQuantiles(ties=dp.choices.Ties.JITTER),
    dp.JointExp(ties=dp.choices.Ties.KEEP),
    dp.SliceQuantiles(ties=dp.choices.Ties.KEEP),
    *(QuantilesAround(NoisySearchQuantile()), QuantilesAround(SmoothQuantile())),
]


EVERY = [(key, budget) for key in SHAPES for budget in BUDGETS]
SOME = [(SHAPES[at % len(SHAPES)], budget) for at, budget in enumerate(BUDGETS)]
WALKS = [SOME, pytest.param(EVERY, marks=pytest.mark.thorough)]


def name_of(given):
    return "some" if given is SOME else "every" if given is EVERY else str(given)


@pytest.mark.few(6)
@pytest.mark.parametrize("walk", WALKS, ids=name_of)
@pytest.mark.parametrize("number", range(len(QUANTILES)))
def test_quantiles(number, walk, rng):
    mechanism, released = QUANTILES[number], 0
    for key, budget in walk:

        def one(data):
            release = mechanism.release(data, DECILES, budget, rng)
            assert all(BOUNDS.low <= value <= BOUNDS.high for value in release.values)
            if budget is BUDGETS[0]:
                told(release)

        released += same_for_all(one, COLUMNS[key], RECORDS) == "released"
    jittered = getattr(mechanism, "ties", None) is dp.choices.Ties.JITTER
    reads_all = isinstance(mechanism, QuantilesAround) and mechanism.single.reads_all
    assert released or jittered or reads_all


@pytest.mark.few(8)
@pytest.mark.parametrize("walk", WALKS, ids=name_of)
@pytest.mark.parametrize("number", range(len(QUANTILES)))
def test_studies_of_quantiles(number, walk, rng):
    mechanism = QUANTILES[number]
    for key, budget in walk:
        same_for_all(
            lambda data: mechanism.release_many(data, DECILES, budget, rng, 2),
            [one for one in COLUMNS[key] if one.n != 2**24 - 1],  # held apart: the same, slowly
            RECORDS,
        )


def test_a_run_on_more_records_than_are_held_apart_can_be_shown(rng):
    for key in SHAPES:
        same_for_all(
            lambda data: dp.ApproximateQuantiles().trace(data, DECILES, dp.PureDP(1), rng),
            [one for one in COLUMNS[key] if one.n != 2**24 - 1],
            RECORDS,
        )


COUNTS = [
    *(dp.CountTree(2, 6, neighbours=relation) for relation in RELATIONS),
    *(dp.CountTree(4, 3, noise=noise) for noise in dp.Noise),
    *(dp.PrefixSums(64, neighbours=relation) for relation in RELATIONS),
    *(dp.Dawa(64, neighbours=relation) for relation in RELATIONS),
    *(dp.NoisySum(neighbours=relation) for relation in RELATIONS),
    dp.NoisyMean(1000),
    dp.NoisyCount(),
    *(dp.Histogram(edges=[0, 18, 65, 120], neighbours=one) for one in RELATIONS),
    dp.Histogram(bins=64),
    *(dp.NoisyCount(above=50, below=90, neighbours=relation) for relation in RELATIONS),
    *(dp.SanitizedColumn(count_share=0.1), dp.SanitizedColumn(7)),
]


@pytest.mark.few(7)
@pytest.mark.parametrize("walk", WALKS, ids=name_of)
@pytest.mark.parametrize("number", range(len(COUNTS)))
def test_counts_and_their_estimates(number, walk, monkeypatch, rng):
    monkeypatch.setattr(sanitized, "LARGEST", 200)  # else a made-up column is of a million points
    mechanism = COUNTS[number]

    def one(data, budget):
        release = mechanism.release(data, budget, rng)
        if isinstance(release, dp.releases.TreeRelease):
            for estimate in (dp.efficient, dp.from_below, dp.from_above):
                dp.monotone(dp.cdf(estimate(release)))
            if release.tree.noise is not None:
                dp.quantile_interval(dp.cdf(dp.efficient(release)), release.tree_noise, 0.5)
            told(release)
        release.to_json()

    for key, budget in walk:
        if budget.size > 1e-3 or not isinstance(mechanism, dp.SanitizedColumn):  # else slow
            same_for_all(lambda data: one(data, budget), COLUMNS[key], RECORDS)


def test_checked_ranks_and_profiles(rng):
    release = dp.ApproximateQuantiles().release(
        COLUMNS["even", 1.0][2], [0.25, 0.5], dp.PureDP(1), rng
    )
    for key, budget in zip(SHAPES, BUDGETS[::2], strict=True):
        same_for_all(
            lambda data: dp.CheckedRanks().release(data, release, budget, rng),
            COLUMNS[key],
            RECORDS,
        )
        same_for_all(
            lambda data: dp.Profile().release({"a": data, "b": data}, [0.25], budget, rng),
            COLUMNS[key],
            RECORDS,
        )


PLANES = {shape: [plane(records, shape) for records in RECORDS] for shape in ("one cell", "even")}


def methods():
    for median in catalogue.MEDIANS:
        for relation in RELATIONS:
            choice = SpatialChoice(
                box=BOX,
                height=3,
                median=median.median,
                neighbours=relation,
                order=4,
                cells=(SIDE, SIDE),
            )
            for row in catalogue.SPATIAL:
                if row.for_workload:
                    continue  # a quadtree with another split
                if row.uses_median or median is catalogue.MEDIANS[0]:
                    yield row.build(choice)
    yield from (KdPure(2), KdTrue(2), dp.AdaptiveGrid(), dp.UniformGrid(), dp.PrivTree(depth=4))


METHODS = list(methods())
THIRDS = [  # of the Hilbert R-trees, which take long, every other one
    pytest.param(
        one, marks=[pytest.mark.thorough] * (at % (6 if one.name == "HilbertTree" else 3) > 0)
    )
    for at, one in enumerate(METHODS)
]


@pytest.mark.parametrize(
    "budgets", [BUDGETS[::3], pytest.param(BUDGETS, marks=pytest.mark.thorough)], ids=len
)
@pytest.mark.parametrize("method", THIRDS, ids=lambda one: one.name)
def test_maps(method, budgets, rng):
    shapes = list(PLANES)

    def one(data, budget):
        release = method.release(data, budget, rng)
        read = release if isinstance(release, Cells) else dp.estimate(release)
        dp.range_counts(read, [0.1, 0.7, 0.2, 1.5])
        if budget is BUDGETS[0]:
            told(release)

    for at, budget in enumerate(budgets):
        same_for_all(lambda data: one(data, budget), PLANES[shapes[at % 2]], RECORDS)


@pytest.mark.parametrize(
    "budgets", [BUDGETS[3:4], pytest.param(BUDGETS[::3], marks=pytest.mark.thorough)], ids=len
)
@pytest.mark.parametrize(
    "rows",
    [pytest.param(dp.PersonRows.weighted(), marks=pytest.mark.thorough), dp.PersonRows.at_most(3)],
    ids=str,
)
def test_people(rows, budgets, rng):
    columns = [column(rows.most * people, "even") for people in PEOPLE if people != 19_972]
    planes = [plane(rows.most * people, "even") for people in PEOPLE]
    numbers = [*PEOPLE, *(rows.most * people for people in PEOPLE)]
    for budget in budgets:
        for mechanism in (*(one() for one in catalogue.QUANTILES), dp.CountTree(2, 6)):
            asked = () if isinstance(mechanism, dp.CountTree) else (DECILES,)
            same_for_all(
                lambda data: dp.release_for_people(
                    mechanism, data, *asked, budget=budget, rows=rows, rng=rng
                ),
                columns[:: 3 if isinstance(mechanism, dp.JointExp) else 1],  # that takes long
                numbers,
            )
        for method in METHODS[:6]:
            same_for_all(
                lambda data: dp.release_for_people(method, data, budget=budget, rows=rows, rng=rng),
                planes,
                numbers,
            )


@pytest.mark.parametrize("records", [0, 1, 1000, 2**20])
def test_a_search_without_bounds_takes_any_number_of_records(records):
    """With q of a million parts D · n passed 2^50 at 10^9 records; whole numbers reach further."""
    values = np.full(records, 30.0)
    search = dp.UnboundedQuantile(guesses=500)
    for q in (0.5, 0.999999):
        assert (
            outcome(lambda: search.release(values, q, dp.PureDP(1), dp.SecureBits.fresh()))
            == "released"
        )


def test_a_refusal_that_tells_a_number_is_caught():
    """The twin is what stood here: more than 2^31 records were refused, and their number said."""

    def refusing(data):
        if data.n > 2**31:
            raise dp.DpvizError(f"At most 2^31 records, got {data.n:,}.")

    with pytest.raises(AssertionError):
        same_for_all(refusing, COLUMNS["even", 1.0], RECORDS)

    def telling(_):
        raise dp.DpvizError("At most 1,000,000 records.")

    with pytest.raises(AssertionError, match="1,000,000"):
        same_for_all(telling, [1, 2], [10**6])


def test_the_sizes_are_what_they_are_called():
    for key, data in COLUMNS.items():
        assert [one.n for one in data] == RECORDS, key
    for data in PLANES.values():
        assert [one.n for one in data] == RECORDS
    assert math.isclose(PARTS * 2_556_529, 2**31, rel_tol=1e-6)
