"""Running counts by a square root: what they err by beside trees, and the CDF that comes of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.errors import DpvizError
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.counts.levels import count_below_edges
from dpviz.estimators.splits.workloads import prefixes
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.studies.trees.edge_errors import EdgeErrors, edge_errors_picture
from dpviz.figures.trees.curve import Curve, tree_curve
from dpviz.figures.trees.names import spread_error
from dpviz.figures.trees.rows import spread
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.counting.prefix_sums import PrefixSums, lower_bound
from dpviz.reports.tables import table_csv
from dpviz.ui.bench.headline import headline, plain, private, true
from dpviz.ui.bench.hero import drawn, hero
from dpviz.ui.bench.release import ask_button
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import NotAsked, drawn_once, purpose_of
from dpviz.ui.trees.choice import optimal_split
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

HERO, CDF = "trees_prefixes", "trees_prefix_cdf"
LEAST, MOST = 2, 1 << 14  # edges at which a tree's errors are worked out
SAME = 0.005  # share by which two errors differ that are called the same
DRAWN = 512  # edges that a line is drawn with
ROOT, YOURS, BEST = "square root", "your tree", "best binary tree"
NEEDS_RHO = (
    "Running counts by a square root need a budget in ρ or (ε, δ): choose one under Expert.",
    "Gaussian noise never gives pure ε, and with Laplace noise one person moves the sums by a total "
    "that grows as the root of the number of parts.",
)
WRONG_SIZE = "Errors at every edge are shown for {:,} to {:,} leaves; this tree has {:,}."
LARGEST = " The expected largest error of n running counts has a bound of its own, Ω(log^1.5 n) (arXiv 2607.00876)."
OF = "What the tree promises is promised here: the same budget, spent on running counts in its place."


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Errors at every edge under each way, and the least mean error; public."""

    every: tuple[EdgeErrors, ...]
    bound: float | None

    def of(self, name: str) -> float:
        """The typical error of one of them; ∞ for a tree that tells larger parts alone."""
        return next((one.typical for one in self.every if one.name == name), math.inf)


def prefixes_view(page: TreePage, now: Visit, _: TreeEstimator) -> tuple[str, str]:
    """The comparison, and with the truth the CDF of a release beside it."""
    choice, nouns = page.choice, names()
    leaves = choice.shape.leaves
    if isinstance(choice.budget, PureDP) or not LEAST <= leaves <= MOST:
        fits = LEAST <= leaves <= MOST
        said = NEEDS_RHO if fits else (WRONG_SIZE.format(LEAST, MOST, leaves), "")
        headline("Trees", *said)
        if fits:
            st.button("Choose a budget in ρ", key="prefix_rho", on_click=_choose_rho)
        strip(now, [("parts", f"{leaves:,}")], ledger=True)
        return HERO, said[0]
    found = compared(page)
    finding, second = _sentences(found, nouns.people)
    headline("Trees", finding, second)
    ends = page.ends
    hero(
        edge_errors_picture(found.every, found.bound, ends, nouns, now.look),
        HERO,
        "Standard error of running counts along the axis, under a square root and under trees",
        slides="running-counts",
    )
    items = [(one.name, spread_error(one.typical)) for one in found.every]
    if found.bound is not None:
        items.append(("least possible (mean variance)", spread_error(found.bound)))
    strip(now, items, ledger=True)
    if not now.presenting:
        _below(page, now)
    return HERO, finding


def _choose_rho() -> None:
    state.put("notion", "zcdp")


def compared(page: TreePage) -> Compared:
    """Worked out once for a tree, its budget and its bounds."""
    choice, ends = page.choice, page.ends
    return memory.remembered(
        ("running counts", choice.tree, choice.budget, choice.shape, ends),
        lambda: _compared(choice.tree, choice.shape.leaves, choice.budget, ends),
    )


def _compared(tree: CountTree, leaves: int, budget: Budget, ends: tuple[float, float]) -> Compared:
    relation = tree.neighbours
    mechanism = PrefixSums(leaves, relation)
    noise = mechanism.noise(budget)
    if tree.root is Root.PUBLIC:
        noise = replace(noise, public_total=True)
    own = np.concatenate(([0.0], noise.standard_errors))
    every = [_errors(ROOT, own, ends, is_first=True)]
    if tree.shape.leaves == leaves:  # without its lowest level it tells other, larger parts
        every.append(_errors(YOURS, _tree_errors(tree.tree_noise(budget)), ends))
    height = max(1, math.ceil(math.log2(leaves)))
    binary = replace(tree, fanout=2, height=height, levels=LevelBudget.uniform())
    best, _ = optimal_split(binary, budget, prefixes(binary.shape))
    every.append(_errors(BEST, _tree_errors(best.tree_noise(budget)), ends))
    bound = None
    if relation is Neighbours.ADD_REMOVE:
        one = noise_scale(Noise.GAUSSIAN, budget, 1.0, relation)
        bound = one * math.sqrt(2 * lower_bound(leaves))
    return Compared(tuple(every), bound)


def _tree_errors(noise: TreeNoise) -> FloatArray:
    """At every leaf edge, after least squares; levels that are left out may tell no leaf."""
    return CdfErrors(noise, TreeEstimator.EFFICIENT).running_errors()


def _errors(
    name: str, errors: FloatArray, ends: tuple[float, float], *, is_first: bool = False
) -> EdgeErrors:
    size = errors.size
    at = np.unique(np.concatenate(([0], spread(size, DRAWN), [size - 1])))
    edges = ends[0] + (ends[1] - ends[0]) * at / (size - 1)
    typical = float(np.sqrt(np.mean(errors[1:] ** 2)))
    return EdgeErrors(name, edges, errors[at], typical, is_first)


def _sentences(found: Compared, people: str) -> tuple[str, str]:
    own, tree, best = (found.of(name) for name in (ROOT, YOURS, BEST))
    finding = f"By a square root a running count is good to {private(spread_error(own))} {plain(people)}, "
    if not math.isfinite(tree):
        finding = finding[:-2] + "; your tree tells larger parts alone."
    elif abs(tree / own - 1) < SAME:
        finding += "and so it is by your tree."
    elif tree > own:
        finding += f"by your tree to {plain(spread_error(tree))}."
    else:
        finding += f"by your tree to {plain(spread_error(tree))}, which is better."
    less = 1 - (own / best) ** 2
    second = (
        f"That is {100 * less:.0f} % less variance than the best binary tree"
        if less > 0
        else "The best binary tree does no worse here"
    )
    if found.bound is not None:
        above = math.ceil(100 * ((own / found.bound) ** 2 - 1))
        least = f"{above} % of the least mean variance that any unbiased Gaussian way has"
        second += f", within {least}" if less > 0 else f"; a square root is within {least}"
    return finding, f"{second}. For single parts a tree is better.{LARGEST * bool(found.bound)}"


def _below(page: TreePage, now: Visit) -> None:
    """The CDF of one release of running counts."""
    st.caption(OF)
    try:
        release = _release(page)
    except NotAsked as waits:
        ask_button(waits)
        return
    except DpvizError as error:
        st.caption(plain(str(error)))
        return
    raw = cdf(release)
    smooth = monotone(raw)
    exact = _truth(page) if now.truth else None
    errors = np.concatenate(([0.0], release.noise.standard_errors))
    curve = Curve(raw.edges, raw.counts, 1.96 * errors, None, smooth.counts, exact).thinned()
    nouns = names()
    said = f"{nouns.safe().people.capitalize()} below each {nouns.safe().axis}, one release"
    drawn(
        tree_curve(curve, nouns, now.look, said=said, sure="band: 95 % certain at each edge"),
        CDF,
        "Running counts by a square root with their band",
        slides="running-counts-cdf",
        height=420,
    )
    if exact is not None:
        off = float(np.abs(smooth.counts - exact).max())
        st.markdown(f"This draw's smoothed curve is off by at most {true(f'{off:,.0f}')}.")
    if not page.draw.is_teaching(release):
        left, right = st.columns(2)
        left.download_button(
            "Release as JSON", release.to_json(), "running-counts.json", "application/json",
            key="prefix_json", on_click="ignore",
        )  # fmt: skip
        right.download_button(
            "Release as CSV",
            table_csv(
                ("edge", "count", "standard error"),
                zip(raw.edges.tolist(), raw.counts.tolist(), errors.tolist(), strict=True),
            ),
            "running-counts.csv", "text/csv", key="prefix_csv", on_click="ignore",
        )  # fmt: skip


def _truth(page: TreePage) -> FloatArray:
    """Exact running counts at every edge, counted once. Confidential."""
    shape = PrefixSums(page.choice.shape.leaves).shape
    return memory.public(
        page.column,
        ("running counts", page.column.fingerprint, shape),
        lambda: count_below_edges(page.column, shape).astype(np.float64),
    )


def _release(page: TreePage) -> PrefixRelease:
    """Made and paid when it is asked for, once a draw."""
    choice, draw = page.choice, page.draw
    mechanism = PrefixSums(choice.shape.leaves, choice.tree.neighbours)
    purpose = purpose_of(mechanism, page.column, choice.budget)
    return drawn_once(
        draw,
        page.column,
        "prefix sums",
        purpose,
        lambda rng: mechanism.release(page.column, choice.budget, rng),
        [Cost("running counts", choice.budget)],
    )
