"""The table of broken twins: what is wrong with each, and which queries can have it."""

from dataclasses import dataclass, replace

from dpviz.core.budgets import Budget
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.single_queries import Query, doubled
from dpviz.experiments.twins.naive import Naive, naive
from dpviz.experiments.twins.tree_query import Stability, TreeQuery

Honest = Query | TreeQuery
Tried = Honest | Naive


@dataclass(frozen=True, slots=True)
class Twin:
    """One mistake: its name in links, on the screen and in a picture, and its card."""

    key: str
    label: str
    fault: str
    card: str


NOISE = Twin(
    "noise",
    "half the noise",
    "half the noise",
    "The same mechanism with noise for 2ε, while it claims ε. An audit should catch it.",
)
LAYERS = Twin(
    "layers",
    "a tree's layers",
    "noise for its layers",
    "Noise for all counts moving as many times as far as the leaves as the tree has layers. A "
    "person with rows in many leaves moves the nodes above by their sum, which is more. OpenDP's "
    "make_b_ary_tree does so for L2 distances (issue 2924, September 2026); for L1 distances, and "
    "for a row in one leaf alone, the number of layers is enough.",
)
DOUBLES = Twin(
    "doubles",
    "NumPy's doubles",
    "NumPy's doubles",
    "The same law as one writes it with NumPy: a count + rng.laplace(), or a quantile's place as "
    "low + (high − low) · rng.random(). For real numbers it keeps ε; which doubles can come out "
    "depends on the data (Mironov 2012).",
)
TWINS = (NOISE, LAYERS, DOUBLES)
BY_KEY = {one.key: one for one in TWINS}


def twins_for(query: Honest) -> tuple[Twin, ...]:
    """The twins that a query can have, the one that is shown first in front.

    What doubles give away is shown beside noise on whole numbers: continuous noise has it, too.
    """
    if isinstance(query, TreeQuery):
        return LAYERS, NOISE
    if isinstance(query, CountQuery) and not query.noise.whole:
        return (NOISE,)
    return NOISE, DOUBLES


def broken(twin: Twin, query: Honest, budget: Budget) -> tuple[Tried, Budget]:
    """The twin of a query, and the budget that it really spends."""
    if twin is NOISE:
        return query, doubled(budget)
    if isinstance(query, TreeQuery):
        return replace(query, stability=Stability.LAYERS), budget
    return naive(query), budget
