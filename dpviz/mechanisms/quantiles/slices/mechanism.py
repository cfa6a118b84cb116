"""SliceQuantiles for columns: a budget is divided, ranks get noise, and windows answer."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.budgets import ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import (
    checked_flag,
    checked_share,
    checked_whole,
    number,
    optional,
    settle,
    whole,
)
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.checks import MOST_COUNTED
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidBudget, TooMuchWork, UnsupportedBudget
from dpviz.core.knobs import Knob
from dpviz.core.quantiles import QuantileSet, floor_guarded, uniform_quantiles
from dpviz.core.randomness.bits import (
    Bits,
    Randomness,
    SeededBits,
    bits_of,
    kind_of,
    only_seeded,
    or_secure,
)
from dpviz.core.randomness.discrete_laplace import discrete_laplace
from dpviz.core.releases import Parameters, QuantileRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.whole_scales import rounded_up
from dpviz.mechanisms.exponential.costs import treatment_seconds
from dpviz.mechanisms.exponential.knobs import ROUNDED, TIES
from dpviz.mechanisms.exponential.point_columns import spread_points
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds
from dpviz.mechanisms.exponential.treated_ladders import run_ladders
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.mechanisms.quantiles.releasing import (
    asked,
    exponential_outputs,
    is_exact,
    quantile_release,
)
from dpviz.mechanisms.quantiles.slices.draws import draw_slices, slice_draws
from dpviz.mechanisms.quantiles.slices.on_points import slices_on_points, uniform_points
from dpviz.mechanisms.quantiles.slices.price import (
    WIDEST,
    Division,
    Shares,
    check_exact,
    divided,
    least,
    slice_cost,
)
from dpviz.mechanisms.quantiles.slices.ranks import (
    MOST_RANKS,
    deltas,
    rank_noise,
    slice_delta,
    tree_noise,
)
from dpviz.mechanisms.requests import check_cost_request, checked_budget

SHARES = 0.01, 0.99
LARGEST_RATIO = 1e300
MOST_LOOKED_AT = 1 << 25  # records in half of all windows of a run on counts
ROUNDING = 1 + 1e-9  # more than that of a sum of positive terms, by which δ is compared


@dataclass(frozen=True, slots=True)
class SliceQuantiles:
    """Noise on the target ranks, then the median of a narrow window around each of them.

    ε is divided publicly, and is spent in full: ε_n = count_share of it for a noisy number of
    records (add/remove; under replace-one the number is the same for neighbours), ln(1 + 1/(2h +
    2)), and of the rest rank_share for the ranks, the others for the windows. half is h, or None
    for the least h ≥ (2/ε_s) ln(mψ/failure): with probability 1 − failure no error is then above
    max|Z| + h, as far as windows lie inside the column and are apart. ψ is range_to_gap: the
    bounds' width over the smallest gap between values, tied ones after they were spread.

    The chance that two ranks come too close, delta, must be at most δ for the ranks in use.
    Where it is not, the answer is uniform over the bounds, without a look at the data. That
    depends on the (noisy) number of records, so that check refuses no number of quantiles: room
    and most_quantiles tell beforehand for a number that is public.

    >>> dp.SliceQuantiles().most_quantiles(1_000_000, dp.ApproxDP(1, 1e-6))
    1046

    Guarantee: ApproxDP alone, under either relation; exact in the program with Ties.SPREAD.
    Source: idea of Imola et al. 2025; this version and its proof are this project's.
    """

    neighbours: Neighbours = Neighbours.ADD_REMOVE
    half: int | None = None
    rank_share: float = 0.5
    count_share: float = 0.1
    failure: float = 0.05
    range_to_gap: float = 1e9
    ties: Ties = Ties.SPREAD
    round_to_grid: bool = False

    cost = staticmethod(slice_cost)
    delta = staticmethod(slice_delta)
    draws = staticmethod(slice_draws)
    rank_noise = staticmethod(rank_noise)

    name: ClassVar[str] = "SliceQuantiles"
    card: ClassVar[Card] = Card(
        key="SliceQuantiles",
        miniature="windows",
        title="SliceQuantiles",
        label="Slices",
        words="windows around noisy ranks",
        way="by windows around noisy ranks",
        brief="windows",
        lead="Moves every target rank by noise, then asks only the few people around it.",
        promises=("approx",),
        price="noise on ranks grows as a power of log₂ m",
        use="studying worst-case columns in wide bounds",
        family="Quantiles",
        summary="Target ranks get the noise of a binary tree, $R_i = r_i + Z_i$; around each lies "
        "a window of $2h + 1$ places of the sorted column, whose median is drawn by an exponential "
        "mechanism. One record changes a value of two windows at most, however many there are.",
        guarantee="(ε, δ): ε = 2ε_r + 2ε_s + ln(1 + 1/(2h + 2)) under replace one, ε_n + ε_r + "
        "ε_s + ln(1 + 1/(2h + 2)) under add/remove; δ from the gaps between ranks",
        neighbours=BOTH,
        cost="$m$ draws; $2h + 1$ records of each window",
        good_for="columns of tight heaps with wide gaps between them, $\\psi = 10^{12}$, say: the "
        "term in $\\ln \\psi$ hardly grows with $m$",
        watch_out="no better in practice than ApproximateQuantiles, about twice its error on a "
        "uniform column; it gains in the $\\ln \\psi$ term of worst-case columns only. Without "
        "room between the ranks the answer is uniform; heavy ties need a resolution",
        source="idea of Imola et al. 2025; this version and its proof by this project",
        hue="olive",
        holds="exact",
    )
    knobs: ClassVar[tuple[Knob, ...]] = (TIES, ROUNDED)

    def __post_init__(self) -> None:
        settle(
            self,
            half=optional(whole(0, WIDEST)),
            rank_share=number(*SHARES),
            count_share=number(*SHARES),
            failure=checked_share,
            range_to_gap=number(1, LARGEST_RATIO),
            round_to_grid=checked_flag,
        )
        settle_choices(self, neighbours=Neighbours, ties=Ties)

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values."""
        return plain_values(self)

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Refuse pure ε and ρ, and an ε that cannot be divided; never a number of quantiles.

        Whether the ranks have room depends on the number of records, which no check is told.
        Raises: UnsupportedBudget, InvalidBudget, InvalidQuantiles.
        """
        self._checked(budget, QuantileSet.of(quantiles))

    def _checked(self, budget: Budget, wanted: QuantileSet) -> ApproxDP:
        given = checked_budget(budget)
        if isinstance(given, ApproxDP):
            check_exact(self._divided(given, wanted.count), wanted.count, given)
            return given
        notion = "pure ε-DP" if isinstance(given, PureDP) else "ρ-zCDP"
        raise UnsupportedBudget(
            f"{self.name} does not give {notion}: two noisy ranks may come too close, and then "
            "its promise fails, with a probability that only δ allows for. Choose a budget in "
            "(ε, δ), or ApproximateQuantiles."
        )

    def shares(self, budget: Budget, quantiles: Quantiles) -> Shares:
        """ε_n, ε_r, ε_s and h for a budget: public.

        Raises: as check.
        """
        wanted = QuantileSet.of(quantiles)
        return self._divided(self._checked(budget, wanted), wanted.count)

    def _divided(self, budget: ApproxDP, m: int) -> Shares:
        division = Division(budget.epsilon, self.neighbours, self.count_share, self.rank_share)
        log_odds = math.log(m) + math.log(self.range_to_gap) - math.log(self.failure)
        return divided(division, self.half, log_odds)

    def room(self, records: int, quantiles: Quantiles, budget: Budget) -> float:
        """The least δ that these quantiles of so many records need: delta of their ranks.

        records is a public number, or under add/remove one that noise was added to.
        Raises: as check; InvalidParameter for no whole number of records up to 2^53.
        """
        wanted = QuantileSet.of(quantiles)
        records = checked_whole(records, "records", 0, MOST_COUNTED)
        shares = self.shares(budget, wanted)
        return float(deltas(target_ranks(wanted, np.array([records])), shares.half, shares.rank)[0])

    def most_quantiles(self, records: int, budget: Budget) -> int:
        """How many uniform quantiles i/(m + 1) have room within δ: m have, m + 1 have not.

        At most 2^20 are looked for. Arguments and errors: as room.
        """
        delta = self._checked(budget, QuantileSet.of(0.5)).delta
        records = checked_whole(records, "records", 0, MOST_COUNTED)

        def too_many(m: int) -> bool:
            return self.room(records, uniform_quantiles(m + 1), budget) * ROUNDING > delta

        most = least(too_many, MOST_RANKS)
        return MOST_RANKS if most is None else max(most, 1)

    @usual_floats
    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness | None = None
    ) -> QuantileRelease:
        """Spend the budget once; without room within δ the answer is uniform, and it is spent, too.

        The release then says `evenly`: that follows from the public or the noisy number of records.

        Raises: as check; NotExact for secure bits with ties that are jittered or kept.
        """
        rng = or_secure(rng)
        wanted = asked(column, quantiles, budget, rng)
        given = self._checked(budget, wanted)
        if is_exact(self, rng):
            cells, room = self._on_points(column, wanted, given, bits_of(rng))
        else:
            seeded = only_seeded(rng, self.card.title)
            many, rooms = self._drawn(column, wanted, given, seeded, 1)
            cells, room = many[0], bool(rooms[0])
        values = wanted.in_order_asked(cells)
        drawn = quantile_release(self, column, wanted, values, budget, randomness=kind_of(rng))
        return replace(drawn, evenly=not room)

    def _on_points(
        self, column: Column, wanted: QuantileSet, budget: ApproxDP, bits: Bits
    ) -> tuple[FloatArray, bool]:
        """The cells of the medians, (m,), ascending, and whether their ranks had room."""
        grid, records, steps = column.grid, spread_points(column, bits), plan(wanted)
        shares = self._divided(budget, wanted.count)
        ranks, fits = self._targets(column.n, wanted, shares, budget, bits, 1)
        if fits[0]:
            scale = rounded_up(shares.rank_scale(wanted.count))
            noisy = ranks[0] + tree_noise(wanted.count, scale, bits, 1)[0]  # spends ε_r
            points = slices_on_points(
                records, grid.points, noisy, shares.half, shares.inside / 2, steps, bits
            )
        else:
            points = uniform_points(wanted.count, grid.points, bits)
        return grid.printed(points >> grid.shift), bool(fits[0])

    def _targets(
        self,
        count: int,
        wanted: QuantileSet,
        shares: Shares,
        budget: ApproxDP,
        bits: Bits,
        runs: int,
    ) -> tuple[IntArray, BoolArray]:
        """Public target ranks (runs, m), and whether they have room within δ, (runs,)."""
        counts = np.full(runs, count)
        if self.neighbours is Neighbours.ADD_REMOVE:
            noise = discrete_laplace(rounded_up(1 / Fraction(shares.count)), (runs,), bits)
            counts = np.maximum(count + noise.astype(np.int64), 0)  # spends ε_n
        ranks = target_ranks(wanted, counts)
        needed = deltas(ranks, shares.half, shares.rank)
        return ranks, needed * ROUNDING <= budget.delta

    @usual_floats
    def release_many(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, k); each spends the whole budget."""
        wanted = asked(column, quantiles, budget, rng, runs)
        values, _ = self._drawn(column, wanted, self._checked(budget, wanted), rng, runs)
        return wanted.in_order_asked(values)

    def _drawn(
        self,
        column: Column,
        wanted: QuantileSet,
        given: ApproxDP,
        rng: np.random.Generator,
        runs: int,
    ) -> tuple[FloatArray, BoolArray]:
        """Values (runs, m), ascending, and which runs had room (runs,)."""
        bits, rooms = SeededBits(rng), []
        shares = self._divided(given, wanted.count)
        if column.counted and wanted.count * shares.half > MOST_LOOKED_AT:
            raise TooMuchWork(
                f"Several runs at {given} look at windows of {2 * shares.half + 1:,} records each, "
                "and this column was made of counts. Draw a single release, or spend more."
            )
        bounds = exponential_bounds(column, self.ties)
        scale = rounded_up(shares.rank_scale(wanted.count))
        drawn = []
        for climbs in run_ladders(column, self.ties, rng, runs, wanted.count):
            part = climbs.first.size
            ranks, fits = self._targets(column.n, wanted, shares, given, bits, part)
            noisy = ranks + tree_noise(wanted.count, scale, bits, part)
            rooms.append(fits)
            drawn.append(
                draw_slices(
                    climbs, column.n, bounds, noisy, shares.half, shares.inside / 2, rng, fits
                )
            )
        outputs = exponential_outputs(self, np.concatenate(drawn), column)
        return outputs, np.concatenate(rooms)

    def seconds(self, n: int, m: int, budget: Budget, runs: int, resolution: float = 0.0) -> float:
        """About how long release_many takes, in seconds."""
        check_cost_request(n, m, budget, runs, resolution)
        treated = treatment_seconds(n, m, runs, self.ties, resolution)
        quantiles = uniform_quantiles(m)
        try:
            given = self._checked(budget, QuantileSet.of(quantiles))
        except (InvalidBudget, UnsupportedBudget):  # a release is refused at once
            return treated
        if self.room(min(n, MOST_COUNTED), quantiles, given) > given.delta:
            return treated + 1e-3 + 1e-7 * m * runs
        looked_at = min(n, m * (2 * self.shares(given, quantiles).half + 1))
        return treated + 1e-3 + (5e-6 * m + 2.5e-8 * looked_at) * runs


def target_ranks(wanted: QuantileSet, counts: IntArray) -> IntArray:
    """⌈q N⌉ of every quantile for public numbers of records (r,): (r, m), places from 1."""
    places: IntArray = -floor_guarded(-counts[:, None] * wanted.distinct).astype(np.int64)
    return places
