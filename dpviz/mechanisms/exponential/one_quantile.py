"""One quantile by the exponential mechanism in doubles, for many problems at once: for studies.

Releases are drawn on points, in whole numbers (on_points.py).

An interval with k records below has density ∝ exp(−η |k − t|) for the target rank t. Sampling is
exact rejection from a piecewise-constant envelope: ranks are cut into blocks over which the
weight falls by at most e^-½, a block is drawn by its width times its largest weight, a point
uniformly inside it, and the point is kept with the ratio of true to largest weight. The blocks
cover every rank, so nothing is truncated; their number grows with ln n only, and never with η.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.card import BOTH, Card
from dpviz.core.confidential import confidential
from dpviz.mechanisms.exponential.ladder import Climbable, Ladder, Problems

CARD = Card(
    key="ExponentialMechanism",
    title="Exponential mechanism for one quantile",
    words="the step inside",
    lead="Values near the true rank are likelier, by e^ε at most for each person.",
    promises=("pure", "range", "zcdp"),
    price="independent of how many people there are",
    use="every method above is made of it",
    family="Building blocks",
    summary="A value between the $k$-th and the next record has density $\\propto e^{-\\eta\\,|k - "
    "qn|}$, with $\\eta = \\varepsilon/(2\\Delta)$ and $\\Delta = \\max(q, 1-q)$ under "
    "add/remove. The density is known in closed form.",
    guarantee="pure ε; ε-bounded range, hence about ε²/8-zCDP",
    neighbours=f"{BOTH} (then Δ = 1)",
    cost="independent of $n$ and of ε: exact rejection from an envelope over blocks of ranks",
    good_for="the step that every method above is made of",
    watch_out="tied records leave no room between them: declare the resolution",
    source="Smith 2011, Algorithm 2; Kaplan et al. 2021, Appendix A",
    holds="exact",
)
TAIL = 1e-3  # share of the envelope that the two outermost blocks may hold
ROUNDS = 400  # rejections before a row is drawn by enumeration; p < .4^400 for a sound envelope
ELEMENTS = 1 << 20  # envelope entries worked on at once
FAINT = 1e-280  # an envelope of less mass has lost digits: its rows are drawn in logarithms
FALL = 0.5  # by how much η·distance grows over one block
LEAST_STEP = 0.25  # ranks; finer blocks gain nothing, and drown in the rounding of large ranks


def sample(
    ladder: Climbable, problems: Problems, rng: np.random.Generator
) -> tuple[FloatArray, IntArray]:
    """Draw one value for each problem.

    Returns: values (p,) and the interval (p,) each was drawn from.
    Guarantee: exact, up to the rounding of doubles; a range of no width returns its end.
    Source: Smith 2011, Algorithm 2; Kaplan, Schnapp and Stemmer 2021, Appendix A.
    """
    return _sample_in_parts(ladder, problems, _blocks_needed(ladder, problems), rng)


def _sample_in_parts(
    ladder: Climbable, problems: Problems, blocks: int, rng: np.random.Generator
) -> tuple[FloatArray, IntArray]:
    count, at_once = problems.first.size, max(1, ELEMENTS // (2 * blocks + 2))
    values, intervals = np.empty(count), np.empty(count, dtype=np.int64)
    for start in range(0, count, at_once):
        rows = slice(start, start + at_once)
        part = problems.take(rows)
        values[rows], intervals[rows] = _sample_part(ladder, part, blocks, rng)
    return values, intervals


def _blocks_needed(ladder: Climbable, problems: Problems) -> int:
    """Blocks on each side: enough for the usual tail, no more than the largest problem fills."""
    if problems.first.size == 0:
        return 1
    ranks = ladder.rank(problems.last) - ladder.rank(problems.first) + 1
    usual = (12 + np.log(ranks.max())) / FALL
    filled = (ranks * problems.eta).max() / FALL + 1
    return int(np.ceil(min(usual, filled)))


def _sample_part(
    ladder: Climbable, problems: Problems, blocks: int, rng: np.random.Generator
) -> tuple[FloatArray, IntArray]:
    envelope = Envelope.around(ladder, problems, blocks)
    loose = envelope.tail_share > TAIL  # a narrow nearest interval needs a longer envelope
    if not loose.any():
        return _draw(ladder, problems, envelope, rng)
    values, intervals = np.empty(loose.size), np.empty(loose.size, dtype=np.int64)
    tight = np.flatnonzero(~loose)
    values[tight], intervals[tight] = _draw(ladder, problems.take(tight), envelope.take(tight), rng)
    again = np.flatnonzero(loose)
    longer = _sample_in_parts(ladder, problems.take(again), 4 * blocks, rng)
    values[again], intervals[again] = longer
    return values, intervals


def _draw(
    ladder: Climbable, problems: Problems, envelope: Envelope, rng: np.random.Generator
) -> tuple[FloatArray, IntArray]:
    values, intervals = problems.low.copy(), problems.first.copy()
    # a range without width returns its end; whether it has one is never read off its mass, which
    # may round to 0 although the width does not
    wide = problems.low < problems.high
    rows = np.flatnonzero(wide & (envelope.mass[:, -1] > FAINT))
    faint = np.flatnonzero(wide & ~(envelope.mass[:, -1] > FAINT))
    for _ in range(ROUNDS):
        if rows.size == 0:
            break
        point, found, log_keep = _propose(ladder, problems, envelope, rows, rng)
        kept = rng.random(rows.size) < np.exp(log_keep)
        values[rows[kept]], intervals[rows[kept]] = point[kept], found[kept]
        rows = rows[~kept]
    if not isinstance(ladder, Ladder):
        values[faint], intervals[faint] = _at_target(ladder, problems.take(faint))
        faint = faint[:0]
    for row in (*faint, *rows):  # rows: no sound envelope gets there; drawing ends all the same
        values[row], intervals[row] = _enumerate(ladder, problems.take(slice(row, row + 1)), rng)
    return values, intervals


def _propose(
    ladder: Climbable,
    problems: Problems,
    envelope: Envelope,
    rows: IntArray,
    rng: np.random.Generator,
) -> tuple[FloatArray, IntArray, FloatArray]:
    """A point from each row's envelope, its interval, and the log of its chance to be kept."""
    mass = envelope.mass[rows]
    wanted = rng.random(rows.size) * mass[:, -1]
    block = np.minimum((mass <= wanted[:, None]).sum(axis=1), mass.shape[1] - 1)
    low, high = envelope.edge[rows, block], envelope.edge[rows, block + 1]
    point = np.minimum(low + rng.random(rows.size) * (high - low), high)
    first, last = envelope.interval[rows, block], envelope.interval[rows, block + 1] - 1
    found = ladder.holding(point, first, last)
    distance = np.abs(ladder.rank(found) - problems.target[rows]) - envelope.nearest[rows]
    return point, found, -problems.eta[rows] * distance - envelope.log_bound[rows, block]


def _at_target(ladder: Climbable, problems: Problems) -> tuple[FloatArray, IntArray]:
    """The places of the targets, and their intervals, (p,): what faint rows of a spread draw.

    Such a row has no interval with a width where weights are above 1e-280: the records around its
    target lie at one double, so it is this one up to rounding. A spread that is drawn where it is
    looked at has no other ties, and may have too many records to enumerate.
    """
    at = np.clip(ladder.first_from(problems.target), problems.first, problems.last)
    interval = at.astype(np.int64)
    return ladder.edge_below(problems, interval[:, None])[:, 0], interval


def _enumerate(ladder: Climbable, problem: Problems, rng: np.random.Generator) -> tuple[float, int]:
    """All intervals, in logarithms: nothing underflows."""
    density = density_of(ladder, problem)
    widths = np.diff(density.edges)
    wide = np.flatnonzero(widths > 0)
    log_mass = density.log_density[wide] + np.log(widths[wide])
    index = int(wide[np.argmax(log_mass + rng.gumbel(size=wide.size))])
    low, high = density.edges[index], density.edges[index + 1]
    return float(min(low + rng.random() * (high - low), high)), int(problem.first[0]) + index


@confidential()
@dataclass(frozen=True, eq=False)
class Density:
    """A piecewise-constant density in closed form: edges (d+2,), log_density (d+1,)."""

    edges: FloatArray
    log_density: FloatArray

    @property
    def mass(self) -> FloatArray:
        """The chance of each interval (d+1,), where its density is beyond all floats, too."""
        widths = np.diff(self.edges)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(widths > 0, np.exp(self.log_density + np.log(widths)), 0.0)


def density_of(ladder: Climbable, problem: Problems) -> Density:
    """The exact output density of a single problem, which is confidential like the data.

    Shapes: over the intervals first..last. Zero-width intervals carry no mass.
    Raises: ValueError if the range has no width, for then there is no density.
    """
    first, last = int(problem.first[0]), int(problem.last[0])
    interval = np.arange(first, last + 2)
    edges = ladder.edge_below(problem, interval[None, :])[0]
    log_weight = -problem.eta[0] * np.abs(ladder.rank(interval[:-1]) - problem.target[0])
    widths = np.diff(edges)
    wide = widths > 0
    if not wide.any():
        raise ValueError("The range of this problem has no width, so it has no density.")
    log_mass = log_weight[wide] + np.log(widths[wide])
    top = log_mass.max()
    log_total = top + np.log(np.exp(log_mass - top).sum())
    return Density(edges, log_weight - log_total)


@confidential()
@dataclass(frozen=True, eq=False)
class Envelope:
    """A piecewise-constant bound on the unnormalised densities of several problems.

    Shapes: interval (p, b+1) bounds the blocks by intervals, edge (p, b+1) by values;
    log_bound (p, b) is the log of the largest weight in a block, relative to the nearest
    interval of positive width, at distance nearest (p,); mass (p, b) is the running sum of
    width times largest weight.
    """

    interval: IntArray
    edge: FloatArray
    log_bound: FloatArray
    mass: FloatArray
    nearest: FloatArray

    @classmethod
    def around(cls, ladder: Climbable, problems: Problems, blocks: int) -> Envelope:
        """Blocks of FALL/η ranks on both sides of the target, and one for the rest on each."""
        nearest = _nearest_distance(ladder, problems)
        size = np.maximum(FALL / problems.eta, LEAST_STEP)[:, None]
        step = np.arange(1, blocks + 1) * size + nearest[:, None]
        target = problems.target[:, None]
        first, last = problems.first[:, None], problems.last[:, None]
        ranks = np.concatenate((target - step[:, ::-1], target, target + step), axis=1)
        inner = np.clip(ladder.first_from(ranks), first, last + 1).astype(np.int64)
        interval = np.concatenate((first, inner, last + 1), axis=1)
        edge = ladder.edge_below(problems, interval)
        # the interval of a block closest to the target: its last one on the left of it
        closest = np.concatenate((interval[:, 1 : blocks + 2] - 1, interval[:, blocks + 1 : -1]), 1)
        distance = np.abs(ladder.rank(np.clip(closest, first, last)) - target)
        log_bound = np.minimum(-problems.eta[:, None] * (distance - nearest[:, None]), 0.0)
        mass = np.cumsum(np.diff(edge, axis=1) * np.exp(log_bound), axis=1)
        return cls(interval, edge, log_bound, mass, nearest)

    @property
    def tail_share(self) -> FloatArray:
        """Share of the bound in the two outermost blocks, whose weights are bounded loosely."""
        total = self.mass[:, -1]
        tail = self.mass[:, 0] + (total - self.mass[:, -2])
        return np.divide(tail, total, out=np.zeros_like(total), where=total > 0)

    def take(self, rows: IntArray) -> Envelope:
        """The envelopes of some problems."""
        return Envelope(*(one[rows] for one in vars(self).values()))


def _nearest_distance(ladder: Climbable, problems: Problems) -> FloatArray:
    """Distance in ranks from the target to the nearest interval of positive width."""
    first, last = problems.first[:, None], problems.last[:, None]
    centre = ladder.first_from(problems.target)[:, None]
    # only the two end intervals of a range can be empty once ties are compressed
    near = np.clip(centre + np.arange(-2, 2), first, last).astype(np.int64)
    edge = ladder.edge_below(problems, np.concatenate((near, near + 1), axis=1))
    width = edge[:, near.shape[1] :] - edge[:, : near.shape[1]]
    distance = np.abs(ladder.rank(near) - problems.target[:, None])
    found = np.where(width > 0, distance, np.inf).min(axis=1)
    return np.where(np.isfinite(found), found, 0.0)
