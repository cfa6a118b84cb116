"""No object that holds confidential data prints any of it: every class of the package is asked."""

import dataclasses
import inspect
import pickle
import pkgutil
import pprint
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import product

import numpy as np
import pytest

import dpviz
from dpviz.catalogue import MEDIANS, QUANTILES, SPATIAL
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.confidential import confidential, shown
from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts
from dpviz.core.data.points import Points
from dpviz.core.errors import DpvizError
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.spatial.space import Space, SpacePoints
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.counts.exact import ExactCells
from dpviz.counts.grid_index import index_of
from dpviz.intake.read import read_table
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.mechanisms.space.space_tree import SpaceTree
from dpviz.mechanisms.spatial.method import SpatialChoice
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile
from tests.rows import by_rows

# a field of such a type may hold data; those that hold a noun print what the noun prints
ARRAYS = ("Array", "ndarray", "pa.", "pyarrow.", "pd.", "pandas.", "Narrow")
# rooms that hold data and nothing else: each of their classes is confidential or in the list
ROOMS = ("core.data.", "counts.", "metrics.", "intake.")
# rooms of public samples and made-up people, and of results about them
SAMPLES = ("lessons.", "experiments.papers.", "figures.studies.")
# what may be printed although it holds arrays, or stands in a room of data
PUBLIC = {
    # what was asked, and shapes and noise that depend on declarations alone
    *("core.quantiles.QuantileSet", "core.spatial.hilbert.Piece", "core.randomness.tables.Table"),
    *("core.spatial.hilbert_boxes._End", "core.spatial.hilbert_boxes._Reach"),
    *("core.trees.square_root.Far", "core.trees.square_root.Convolution"),
    *("core.trees.square_root.SquareRoot", "mechanisms.quantiles.recursion.Level"),
    *("estimators.splits.fanout_study.FanoutStudy", "experiments.planning.stand_ins.Shape"),
    *("mechanisms.counting.node_tree.NodeTree", "estimators.spatial.quadtree_ranges.Spans"),
    "ui.spatial.medians.Study",
    "estimators.spatial.audit.LevelSpending",
    *("answers.trees.node.NodeWeights", "answers.trees.fanouts.FanoutsNumbers"),
    *("answers.trees.fanouts.Way", "answers.studies.expected.Expected"),
    *("answers.trees.theory.LevelErrors", "answers.trees.theory.HonakersErrors"),
    "answers.privacy.trust.TrustLine",
    # made-up columns, and places with public numbers of people, which the page says
    *("experiments.statements.many.Place", "answers.studies.many.ManyNumbers"),
    *("answers.spatial.place_list.PlaceList", "answers.spatial.places.PlaceLevel"),
    "estimators.trees.ragged_tree.RaggedTree",
    "core.trees.place_release.PlaceRelease",
    "experiments.planning.shaped.Law",
    # releases, and what is made of them alone
    "mechanisms.quantiles.republish.Again",
    "answers.trees.outsider.RunningCounts",
    *("core.releases.Recursion", "core.releases.QuantileRelease", "core.spatial.cells.Cells"),
    "core.trees.local_release.LocalQuantileRelease",
    *("core.scalars.rank_check.RankCheck", "core.trees.bucket_release.BucketRelease"),
    *("core.trees.histogram.HistogramRelease", "core.trees.local_release.LocalRelease"),
    *("core.spatial.geometry.Rectangles", "core.spatial.geometry.HilbertCut"),
    *("core.trees.noisy_tree.NoisyTree", "core.trees.prefix_release.PrefixRelease"),
    *("core.trees.shape.Levels", "mechanisms.space.space_tree.SpaceRelease"),
    *("estimators.spatial.boxes.Visited", "estimators.spatial.estimate.SpatialEstimate"),
    "estimators.trees.place_estimate.PlaceEstimate",
    *("estimators.trees.band.CdfBand", "estimators.trees.curve.Cdf"),
    *("mechanisms.quantiles.republish.Curves", "mechanisms.spatial.kd_cell.NoisyGrid"),
    # what a person declares of files and tables, the sample sets, and how files are taken apart
    *("intake.counted.counted_table.People", "intake.counted.files.Ready"),
    *("intake.declared.columns.Writing", "intake.declared.columns._Places"),
    *("intake.engine.column._Cells", "intake.unpacking.Leaf", "intake.unpacking.Unpacker"),
    *("intake.samples.Noun", "intake.samples.Words", "intake.samples.Sample"),
    # the rows of a study, draws of a release
    *("ui.papers.rows.Shown", "ui.quantiles.shown.Shown", "ui.quantiles.outside.Alone"),
}

# numbers that no declaration, budget, parameter or size holds
VALUE, OTHER, MANY, FEW = 31337.125, 40961.625, 7919, 1237
TELLING = ("31337", "40961", "7919", "1237", "9156")  # 9156 = 7919 + 1237
BOUNDS = Bounds(30_000, 88_000)
BOX = Box(BOUNDS, BOUNDS)
QS = [0.25, 0.5, 0.75]
VALUES = np.repeat([VALUE, OTHER], [MANY, FEW])
FILE = b"a,b\n" + f"{VALUE},x\n{OTHER},y\n".encode() * FEW
RNG, SECURE = np.random.default_rng(7), SecureBits(bytes(range(32)))


def classes():
    """(name, class) of every class that a module of the package defines."""
    for module in pkgutil.walk_packages(dpviz.__path__, "dpviz."):
        if module.name.endswith("__main__"):
            continue
        for name, kind in vars(import_module(module.name)).items():
            if inspect.isclass(kind) and kind.__module__ == module.name:
                yield f"{module.name.removeprefix('dpviz.')}.{name}", kind


def may_hold_data(name: str, kind: type) -> bool:
    """Whether a class prints its fields by itself, and one of them may hold data."""
    if not dataclasses.is_dataclass(kind) and not hasattr(kind, "_fields"):
        return False  # object's own repr is an address
    types = inspect.get_annotations(kind).values()
    arrays = any(word in str(one) for one in types for word in ARRAYS)
    return name.startswith(ROOMS) or (arrays and not name.startswith(SAMPLES))


def is_marked(kind: type) -> bool:
    """Whether this very class, not one that it extends, shows what is declared alone."""
    return vars(kind).get("__repr__") is shown


def texts(holder: object) -> str:
    """All ways in which an object is written out, alone and inside another."""
    html = getattr(holder, "_repr_html_", str)()
    holding = {"key": [holder], "inside": (holder,)}
    alone = (repr(holder), str(holder), f"{holder}", pprint.pformat(holder), html)
    return " ".join((*alone, repr(holding), pprint.pformat(holding), str(ValueError(holder))))


MARKED = {name: kind for name, kind in classes() if is_marked(kind)}


def test_every_class_that_may_hold_data_is_marked_or_public():
    found = {name for name, kind in classes() if may_hold_data(name, kind)}
    unknown = found - MARKED.keys() - PUBLIC
    assert not unknown, f"mark these as confidential, or list them as public: {sorted(unknown)}"
    assert len(MARKED) > 80


def test_the_list_of_public_classes_names_what_there_is():
    known = dict(classes())
    assert known.keys() >= PUBLIC
    assert not PUBLIC & MARKED.keys()
    assert not [name for name in PUBLIC if not may_hold_data(name, known[name])]


@by_rows("name", sorted(MARKED))
def test_a_marked_class_shows_its_declared_fields_and_no_other(name):
    kind = MARKED[name]
    declared = kind._declared
    if not dataclasses.is_dataclass(kind):
        assert declared == ()
        return
    fields = [field.name for field in dataclasses.fields(kind)]
    assert set(declared) <= set(fields)
    holder = object.__new__(kind)
    for field in fields:
        told = "told" if field in declared else np.array([VALUE, MANY])
        object.__setattr__(holder, field, told)
    assert not any(text in texts(holder) for text in TELLING)
    assert all(f"{field}='told'" in repr(holder) for field in declared)


def test_a_class_that_is_not_marked_is_found_and_prints():
    @dataclass(frozen=True)
    class Plain:
        values: FloatArray

    @confidential("size")
    @dataclass(frozen=True)
    class Marked:
        values: FloatArray
        size: int

    @dataclass(frozen=True)
    class Extended(Marked):
        more: FloatArray

    assert may_hold_data("core.Plain", Plain)
    assert not is_marked(Plain)
    assert not is_marked(Extended)
    assert "31337" in texts(Plain(VALUES))
    assert "31337" in texts(Extended(VALUES, 1, VALUES))
    assert "31337" not in texts(Marked(VALUES, 1))


@pytest.fixture
def made(monkeypatch):
    """Every object of a marked class that is made while a test runs."""
    holders: list[object] = []

    def watched(kind: type):
        begin = kind.__init__

        def init(self, *args, **named):
            begin(self, *args, **named)
            holders.append(self)

        return init

    for kind in MARKED.values():
        monkeypatch.setattr(kind, "__init__", watched(kind))
    return holders


def requests() -> Iterator[Callable[[], object]]:
    """Mechanisms, counts and files with numbers that are easily recognised."""
    yield from of_columns()
    yield from of_points()
    yield lambda: read_table(FILE, "f.csv").numeric_values("a")
    yield lambda: UnboundedQuantile().release(VALUES, 0.5, PureDP(1), RNG)
    yield lambda: UnboundedQuantile(unit=0.125).release(VALUES, 0.5, PureDP(1), SECURE)


def of_columns() -> Iterator[Callable[[], object]]:
    tied = Column.from_values(VALUES, BOUNDS, 0.125)
    counted = Column.from_counts([VALUE, OTHER], [MANY, FEW], BOUNDS, 0.125)
    many = Column.from_counts([VALUE, OTHER], [100 * MANY, FEW], BOUNDS, 0.125)
    yield partial(ApproximateQuantiles().release, many, QS, PureDP(1), SECURE)  # ties drawn lazily
    yield partial(SanitizedColumn().release, tied, PureDP(1), RNG)
    yield partial(CountTree(2, 3).release, tied, PureDP(1), RNG)
    for kind, budget in product(QUANTILES, (PureDP(1), ApproxDP(1, 1e-6), ZCDP(0.5))):
        for column, rng in product((tied, counted), (RNG, SECURE)):
            yield partial(kind().release, column, QS, budget, rng)
        for ties in Ties:
            if "ties" in kind.__dataclass_fields__:
                yield partial(kind(ties=ties).release_many, tied, QS, budget, RNG, 3)


def of_points() -> Iterator[Callable[[], object]]:
    points = Points.from_xy(VALUES, VALUES[::-1], BOX)
    grid = GridCounts.from_flat(BOX, 2, [MANY, 0, 0, FEW])
    space = SpacePoints.from_values(np.column_stack([VALUES, VALUES]), Space((BOUNDS, BOUNDS)))
    yield partial(SpaceTree(2, 2, 1, ExponentialMedian()).release, space, PureDP(1), RNG)
    choice = SpatialChoice(BOX, 2, MEDIANS[0].median, workload=LevelBudget.uniform())
    for method, data in product(SPATIAL, (points, grid)):
        yield partial(method.build(choice).release, data, PureDP(1), RNG)
        release = Quadtree(1).release(data, PureDP(1), RNG)
        yield partial(ExactCells.of, release, index_of(data))


def refusal(request: Callable[[], object]) -> str:
    """Why a release is refused; nothing if it is made."""
    try:
        request()
    except DpvizError as refused:
        return str(refused)
    return ""


@pytest.mark.law
def test_real_objects_of_a_run_print_nothing_of_the_data(made):
    said = [refusal(request) for request in requests()]
    assert said.count("") > len(said) / 2
    assert len({type(one) for one in made}) > 40  # a run meets the stages of many mechanisms
    said += [texts(holder) for holder in made]
    assert [one[:400] for one in said if any(text in one for text in TELLING)] == []


def test_what_is_hidden_is_kept_when_an_object_goes_to_another_process():
    column = Column.from_counts([VALUE, OTHER], [MANY, FEW], BOUNDS, 0.125)
    again = pickle.loads(pickle.dumps(column))
    assert again.digest == column.digest
    assert repr(again) == repr(column)
    assert "bounds=Bounds(low=30000.0, high=88000.0), resolution=0.125" in repr(column)
