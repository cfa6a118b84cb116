"""Quantiles as a form of the sentence: how far off each method is, without a look at any file.

The first answer is read from stored curves and said with "about"; check() measures the very
question and removes the word. Of a file both are functions of what is public: the declared bounds,
step and number of people, and two public numbers about the shape. A sample is public as a whole, so
its answers are computed on the sample, whether its truth is shown or not.
"""

import math
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from dpviz.answers.decide.price import MOST, Need, Price, bought, needed, price, two_digits
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.choices import with_choices
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.point_grid import PointGrid
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.planning import decide_curves
from dpviz.experiments.planning.answers import round_up
from dpviz.experiments.planning.beforehand import PURE, SEED, planned, with_settings
from dpviz.experiments.planning.pooled_errors import (
    ALIKE,
    COLUMNS,
    LUCK,
    RELEASES,
    SURES,
    UNITS,
    Errors,
    OffCurve,
    measured,
    unit_of,
    within,
)
from dpviz.experiments.planning.recommend import exact_ones
from dpviz.experiments.planning.shaped import Shape
from dpviz.intake.samples import load_sample, sample
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.prefix_quantiles import PrefixQuantiles
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.mechanisms.quantiles.slices.mechanism import SliceQuantiles

# keys of the methods, the simplest first
SIMPLEST = (
    ApproximateQuantiles.name,
    IndependentExp.name,
    AggTree.name,
    SliceQuantiles.name,
    PrefixQuantiles.name,
    JointExp.name,
)
TOGETHER = 20  # quantiles, from which on the method for all at once takes too long to be checked
LARGE = 20_000  # people of a made-up column; more are reckoned from so many
LARGEST = 200_000  # of one under a δ
FEWEST_COLUMNS = 10  # of a rehearsal before the check
NEAR = 2.0  # methods that need this many times the least are checked; the others stay about
ROUGH = 40  # columns of a first look, or releases of one spread
CLOSE = math.log(1.1)  # sizes as near as this need no second rough look
BELOW = 1.04  # times a size at which a need fails: an answer so near is the least one
FURTHER = 0.2  # of a size, to the one after it where none around an answer was measured
STEPS = 14  # sizes that are measured for one method, at most
LOOKS = 2  # of them for each method that may come first
LINES = 4  # of them where a line through errors says; then sizes are halved
FACTORS = (0.7, 1.4)  # of the spread: more equal, less equal
TINY = 1e-9  # a value that is nothing
TYPICAL = 2_000.0  # ε × people that a search begins at without a stored curve

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Sampled:
    """A column of a public sample as it is declared; a file has no key, so none can stand here."""

    key: str
    bounds: Bounds
    resolution: float
    axis: int = 0

    @property
    def column(self) -> Column:
        """Its values inside the declared bounds."""
        return _column_of(self)

    @property
    def scale(self) -> float:
        """What a length is compared with."""
        return self.bounds.width

    @property
    def is_as_declared(self) -> bool:
        """Whether bounds and step are those that the sample comes with."""
        own = sample(self.key)
        return (self.bounds, self.resolution) == (own.bounds[self.axis], own.resolution)


@lru_cache(maxsize=8)  # samples are public
def _column_of(source: Sampled) -> Column:
    values = load_sample(source.key)[source.axis]
    return Column.from_values(values, source.bounds, source.resolution)


@confidential("people", "source", "budget", "neighbours")
@dataclass(frozen=True, eq=False)
class QuantilesQuestion:
    """What a sentence asks; budget is of the notion, its size does not matter.

    source is a shape for about so many people, or a sample. curves say how far off each method is,
    by its key: stored ones, checked ones, or none where there is no first number. only_exact: no
    method whose promise holds up to rounding alone, as for the release of a file.
    """

    quantiles: QuantileSet
    people: int
    source: Shape | Sampled
    budget: Budget
    curves: Mapping[str, OffCurve] = field(default_factory=dict)
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    only_exact: bool = False

    @cached_property
    def ways(self) -> tuple[str, ...]:
        """Keys of the methods that take the notion and can be checked, the simplest first."""
        known = ways_of(self.quantiles, self.budget, self.only_exact)
        is_slow = isinstance(self.budget, ApproxDP) and self.people > LARGE
        return tuple(way for way in known if not (is_slow and way == JointExp.name))

    def off(self, way: str, size: float, need: Need) -> float:
        """As price.Form says; infinite for a method without a curve."""
        curve = self.curves.get(way)
        if curve is None:
            return math.inf
        found = curve.at(unit_of(need.unit), need.sure, size)
        return places_of(found, self.people) if need.unit == "places" else found

    def is_checked(self, way: str, size: float | None) -> bool:
        """Whether this very size was measured; where none keeps a need, the largest one."""
        return way in self.curves and (size or MOST) in self.curves[way].checked

    @property
    def seed(self) -> list[int]:
        """Of all random numbers of an answer: a function of what is public, so it never moves."""
        asked = (self.quantiles.distinct.tolist(), self.people, self.source, self.neighbours.value)
        return [SEED, zlib.crc32(repr((*asked, type(self.budget).__name__)).encode())]


def places_of(percent: float, people: int) -> float:
    """A share of the people, in per cent, as whole places of the ranking."""
    places = percent * people / 100
    return math.ceil(places - 1e-6) if math.isfinite(places) else math.inf


def ways_of(quantiles: QuantileSet, budget: Budget, only_exact: bool = False) -> tuple[str, ...]:
    """Methods for these quantiles in a notion, the simplest first.

    For a single quantile the method for all at once is the one for each, and left out.
    """
    known = planned(budget)
    return tuple(
        way
        for way in SIMPLEST
        if way in known
        and not (way == JointExp.name and not 1 < quantiles.count <= TOGETHER)
        and not (only_exact and way not in exact_ones())
    )


def question(
    quantiles: QuantileSet,
    people: int,
    source: Shape | Sampled,
    budget: Budget,
    neighbours: Neighbours = Neighbours.ADD_REMOVE,
    *,
    only_exact: bool = False,
) -> QuantilesQuestion:
    """The question with its stored curves: there are some in pure ε, as decide_curves says.

    Those of a sample that is declared otherwise than it comes are about right, and no more. Each
    quantile is asked for once, the lowest first: what is promised, drawn and shown is one row each.
    Raises: InvalidData for a step that divides the bounds into more than quantiles are drawn on.
    """
    PointGrid.of(source.bounds, source.resolution)
    quantiles = QuantileSet.of(quantiles.distinct)
    if isinstance(source, Shape):
        kept = decide_curves.family_curves(source, people, quantiles)
    else:
        kept = decide_curves.sample_curves(source.key, quantiles)
        if not source.is_as_declared:
            kept = {way: replace(curve, checked=frozenset()) for way, curve in kept.items()}
    if not isinstance(budget, PureDP):
        kept = {}
    elif neighbours is Neighbours.REPLACE_ONE:
        kept = {way: _exactly(way, curve, quantiles) for way, curve in kept.items()}
    return QuantilesQuestion(quantiles, people, source, budget, kept, neighbours, only_exact)


def _exactly(way: str, curve: OffCurve, quantiles: QuantileSet) -> OffCurve:
    """The curve of an exact number of people: it takes as much more budget as noise grows."""
    more = _more_noise(with_settings(Neighbours.ADD_REMOVE, PURE, None, None)[way], quantiles)
    return replace(curve, sizes=curve.sizes * more, checked=frozenset())


def _more_noise(mechanism: QuantileMechanism, quantiles: QuantileSet) -> float:
    """How many times the ε of add/remove a method needs at most where one record is replaced."""
    other = with_choices(mechanism, {"neighbours": Neighbours.REPLACE_ONE})
    if isinstance(mechanism, JointExp) and isinstance(other, JointExp):
        return other.sensitivity(quantiles) / mechanism.sensitivity(quantiles)
    etas = [_etas(one, quantiles) for one in (mechanism, other)]
    return 2.0 if etas[0] is None or etas[1] is None else float((etas[0] / etas[1]).max())


def _etas(mechanism: QuantileMechanism, quantiles: QuantileSet) -> FloatArray | None:
    """How sharply each choice of a method falls with a place of error; None for added noise."""
    if isinstance(mechanism, ApproximateQuantiles):
        return np.concatenate(mechanism.etas(PURE, plan(quantiles)))
    return mechanism.etas(PURE, quantiles) if isinstance(mechanism, IndependentExp) else None


def first(asked: QuantilesQuestion, need: Need, size: float | None = None) -> Price:
    """The answer by the curves that are there; with a size, what it buys.

    is_about tells that the chosen method was not measured at this very size.
    """
    found = price(asked, need) if size is None else bought(asked, size, need)
    return replace(found, is_about=not asked.is_checked(found.chosen.key, found.size))


@confidential("people", "off")
@dataclass(frozen=True, slots=True, eq=False)
class Rehearsal:
    """Releases of the chosen method at the answer: made-up ones, or ones of the sample.

    Shapes: published (m,), one of them; give (m,): each value is off by at most so much, as often
    as the need says. off is the largest error in the need's unit as often as that.
    """

    published: FloatArray
    give: FloatArray
    off: float
    people: int


@confidential("price")
@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """The checked answer: its question with measured curves, its price, and its rehearsal."""

    question: QuantilesQuestion
    price: Price
    rehearsal: Rehearsal | None


class _Bench:
    """Columns and random numbers of a question, and what was measured on them."""

    def __init__(self, asked: QuantilesQuestion, most: int = COLUMNS) -> None:
        self.asked = asked
        drawing, self.releasing = np.random.default_rng(asked.seed).spawn(2)
        if isinstance(asked.source, Shape):
            people, self.factor, count = drawn_at(asked)
            self.columns = asked.source.columns(drawing, people, min(count, most))
        else:
            self.factor, count, self.columns = 1.0, 1, [asked.source.column]
        self.releases = COLUMNS * RELEASES // count
        self.mechanisms = with_settings(asked.neighbours, asked.budget, None, None)
        self.kept: dict[tuple[str, float], Errors] = {}  # of all releases, for the rehearsal

    def measure(self, way: str, size: float, *, rough: bool = False) -> Errors:
        """All releases of a method at a size; rough: a fifth of them."""
        if not rough and (way, size) in self.kept:
            return self.kept[way, size]
        columns, releases, alike = self.columns, self.releases, ALIKE
        if rough:
            columns = columns[:ROUGH]
            releases, alike = ROUGH * RELEASES // len(columns), ROUGH
        budget, mechanism = self.asked.budget.resized(size * self.factor), self.mechanisms[way]
        asked = columns, self.asked.quantiles, mechanism, budget, self.releasing, releases
        found = measured(*asked, alike)
        if not rough:
            self.kept[way, size] = found
        return found

    def guess(self) -> OffCurve:
        """Where a search begins without a stored curve: errors go as 1 / ε, or as 1 / √ρ."""
        is_rho = isinstance(self.asked.budget, ZCDP)
        sizes = np.logspace(-5, 2.5, 76)
        off = TYPICAL / self.asked.people / (np.sqrt(2 * sizes) if is_rho else sizes)
        scales = np.array([1.0, self.asked.source.scale / 100, 1.0])[:, None, None]
        lines = np.broadcast_to(scales * off, (len(UNITS), len(SURES), sizes.size))
        return OffCurve(sizes, lines, self.asked.source.resolution, self.asked.people)


def drawn_at(asked: QuantilesQuestion) -> tuple[int, float, int]:
    """People of each made-up column, how many times the budget they get, and how many columns.

    More than LARGE people are measured as LARGE people at as much more ε: at the same ε × people
    the same share of the people is missed. The smaller column lies less evenly, so that this errs
    to the safe side, by up to a tenth. The law of δ is no such power: then fewer columns are drawn,
    each released more often, for columns of many people hardly differ from each other; the method
    for all at once would take minutes and is left out. From LARGEST on there, too, ε grows in place
    of the people: of more ε the same δ leaves a smaller share to each part of a release.
    """
    is_power = not isinstance(asked.budget, ApproxDP)
    people = min(asked.people, LARGE if is_power else LARGEST)
    columns = COLUMNS if is_power else round(COLUMNS * LARGE / max(people, LARGE))
    times = asked.people / people
    factor = times**2 if isinstance(asked.budget, ZCDP) else times
    return people, factor, max(columns, FEWEST_COLUMNS)


def check(
    asked: QuantilesQuestion,
    need: Need,
    size: float | None = None,
    progress: Progress = lambda _: None,
) -> Checked:
    """The answer without "about": COLUMNS × RELEASES releases at its size, and at those beside it.

    On made-up columns it keeps a need in more than that share of them, by LUCK standard errors: the
    columns that it is computed on may be kinder than others of their shape, by one in a hundred.
    With a size it is what this size buys. Only methods near the thriftiest are measured; of the
    others the stored curve stays. Without stored curves every method gets a rough look first.
    progress is told the share that is done; an exception that it raises ends the check.
    """
    bench = _Bench(asked)
    progress(0.05)
    if not asked.curves:
        rough = {
            way: _settled(bench, way, bench.guess(), need, size, rough=True) for way in asked.ways
        }
        asked = replace(asked, curves=rough)
    progress(0.2)
    stored, near = asked.curves, _near(asked, need, size)
    looked = {way: _settled(bench, way, stored[way], need, size, steps=LOOKS) for way in near}
    asked = replace(asked, curves={**stored, **looked})
    progress(0.5)
    settled = set[str]()
    found = first(asked, need, size)
    while (way := found.chosen.key) not in settled and way in stored:
        checked = asked.curves[way].checked
        if not found.is_about and (size or not _next(found.size or MOST, checked, 0)):
            break
        settled.add(way)
        curve = _settled(bench, way, stored[way], need, size)
        asked = replace(asked, curves={**asked.curves, way: curve})
        found = first(asked, need, size)
        progress(0.7)
    rehearsal = None if found.size is None else _rehearsal(bench, found)
    progress(1.0)
    return Checked(asked, found, rehearsal)


def _near(asked: QuantilesQuestion, need: Need, size: float | None) -> list[str]:
    """Methods that may come first, by the curves that are there: the best one's rivals."""
    if size is None:
        found = {one.key: one.size or MOST * NEAR for one in price(asked, need).ways}
    else:
        found = {way: asked.off(way, size, need) for way in asked.ways}
    least = min(found.values())
    return [way for way in asked.ways if way in asked.curves and found[way] <= NEAR * least]


def _settled(
    bench: _Bench,
    way: str,
    curve: OffCurve,
    need: Need,
    size: float | None,
    *,
    rough: bool = False,
    steps: int | None = None,
) -> OffCurve:
    """The curve measured where it says that a need is kept, and at a size a little below.

    It moves with every measurement, until its own answer was measured and the one below it fails.
    """
    start = replace(curve, checked=frozenset())
    known: dict[float, FloatArray] = {}
    for step in range(STEPS if steps is None else steps):
        at = size or _least(bench.asked, way, curve, need) or MOST
        if size is None:
            at = _next(at, known, 0 if rough else step)
        if not at or at in known or (rough and any(_is_close(at, one) for one in known)):
            break
        known[at] = bench.measure(way, at, rough=rough).table(0.0 if rough else LUCK)
        curve = start.corrected(known, frozenset() if rough else frozenset(known))
    return curve


def _next(answer: float, known: Iterable[float], step: int) -> float:
    """The size to measure after the known ones, by the answer that they give; 0 if it is settled.

    It is settled if it was measured, and so was a size close below it. Errors that jump at a size
    lead a search there by small steps: after LINES of them the size halfway between those around
    the answer comes next, and beyond the known ones a size that is further off at every step.
    """
    sizes, kept = two_digits(), answer in known
    below = max((one for one in known if one < answer), default=0.0)
    above = min((one for one in known if one >= answer), default=math.inf)
    lower = max((one for one in sizes if one * BELOW <= answer), default=0.0)
    if kept and (below >= lower or answer >= MOST):
        return 0.0
    if step < LINES:
        return lower if kept else answer
    further = 1 + FURTHER * 2 ** (step - LINES)
    if not below:
        return max((one for one in sizes if one * further <= above), default=sizes[0])
    if above > MOST:
        return min((one for one in sizes if one >= max(answer, below * further)), default=MOST)
    left = [one for one in sizes if below < one < above]
    return left[len(left) // 2]


def _is_close(one: float, other: float) -> bool:
    return abs(math.log(one / other)) < CLOSE


def _least(asked: QuantilesQuestion, way: str, curve: OffCurve, need: Need) -> float | None:
    alone = replace(asked, curves={way: curve})
    return needed(lambda size: alone.off(way, size, need), need.amount)


def rehearse(asked: QuantilesQuestion, found: Price) -> Rehearsal | None:
    """A quick rehearsal of an answer that was not checked yet; None without an answer."""
    if found.size is None:
        return None
    return _rehearsal(_Bench(asked, FEWEST_COLUMNS), found, rough=True)


def _rehearsal(bench: _Bench, found: Price, *, rough: bool = False) -> Rehearsal:
    assert found.size is not None
    errors = bench.measure(found.chosen.key, found.size, rough=rough)
    off = largest(errors, found.need, bench.asked.people)
    return Rehearsal(errors.drawn[0], errors.widths(found.need.sure), off, bench.asked.people)


def largest(errors: Errors, need: Need, people: int) -> float:
    """What releases are off by at most, as often as a need says, in its unit."""
    lines = {
        "value": errors.value,
        "unit": errors.unit,
        "share": 100 * errors.places / errors.people,
    }
    off = float(within(lines[unit_of(need.unit)], need.sure))
    return places_of(off, people) if need.unit == "places" else off


def in_places(asked: QuantilesQuestion, found: Price) -> int | None:
    """The need said in places of the ranking, at the answer: at most so many of the people."""
    if found.size is None:
        return None
    places = asked.off(found.chosen.key, found.size, replace(found.need, unit="places"))
    return int(places) if math.isfinite(places) else None


def by_spread(asked: QuantilesQuestion, found: Price) -> tuple[float | None, float | None]:
    """The answers if values lie nearer together than the two public numbers say, and less near.

    By the chosen method and the stored curves, both moved by one factor so that the answer is their
    middle, as it is where errors grow as a power of the spread; None without such numbers.
    """
    none = None, None
    if not isinstance(asked.source, Shape) or not asked.source.has_numbers or found.size is None:
        return none
    sizes: list[float | None] = []
    for factor in FACTORS:
        shape = asked.source.widened(factor)
        other = question(asked.quantiles, asked.people, shape, asked.budget, asked.neighbours)
        curve = other.curves.get(found.chosen.key)
        least = curve is not None and _least(asked, found.chosen.key, curve, found.need)
        sizes.append(least or None)
    equal, unequal = sizes
    if equal is None or unequal is None:
        return none
    moved = (found.size * math.sqrt(one) for one in (equal / unequal, unequal / equal))
    ends = [round_up(one) if one <= MOST else None for one in moved]
    return ends[0], ends[1]


def refused(need: Need, source: Shape | Sampled, quantiles: QuantileSet) -> str:
    """Why a need cannot be asked, in words; nothing where it can. Nothing of a file goes in."""
    step, low = source.resolution, source.bounds.low
    if need.unit == "unit" and 0 < need.amount < step / 2:
        return f"Values are {step:,.10g} apart: ask for {step / 2:,.10g} or more."
    if need.unit != "value":
        return ""
    if low < 0:
        return (
            f"Values may be as low as {low:,.10g}, and near 0 a per cent of the value is nothing: "
            "ask in another unit."
        )
    if isinstance(source, Shape) and source.at(quantiles.distinct[:1])[0] < max(step / 2, TINY):
        return (
            "The first of these values is 0 for the made-up people, and a per cent of 0 is "
            "nothing: ask in another unit."
        )
    return ""
