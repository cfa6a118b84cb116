"""Running counts that are published step by step: errors over time, and what waiting would save."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.answers.trees.rows import spread
from dpviz.answers.trees.running import DRAWN, EdgeErrors, best_binary
from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.confidential import confidential
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.counting.signed_digits import best_base, levels, node_counts, node_scale

DIGITS, BINARY, ROOT, WAITED = "signed digits", "binary tree", "square root", "all at the end"


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class OnlineNumbers:
    """Errors over time under each way; all is public.

    every is the root mean square of the standard errors of all steps so far, and largest the
    largest of them. best is the way with the least mean variance of those that publish at every
    step, saves the share of the binary tree's variance that it saves, and waiting the share that
    least squares over the whole tree save of that again. base is the fanout of signed digits.
    """

    steps: int
    every: tuple[EdgeErrors, ...]
    largest: tuple[EdgeErrors, ...]
    best: str
    base: int
    saves: float
    waiting: float
    is_pure: bool


def answer(steps: int, budget: Budget, noise: Noise) -> OnlineNumbers:
    """For so many steps and noise of a node; records are added or removed."""
    is_pure = isinstance(budget, PureDP)
    base = best_base(steps, is_pure=is_pure)
    variances = {
        DIGITS: signed_digits(steps, base, budget, noise),
        BINARY: binary_tree(steps, budget, noise),
    }
    if not is_pure:
        variances[ROOT] = PrefixSums(steps).running_errors(budget) ** 2
    best = min(variances, key=lambda way: float(variances[way].mean()))
    tree = CountTree(noise=noise, neighbours=Neighbours.ADD_REMOVE)
    variances[WAITED] = best_binary(tree, steps, budget)[1 : steps + 1] ** 2
    means = {way: float(found.mean()) for way, found in variances.items()}
    each = variances.items()
    return OnlineNumbers(
        steps,
        tuple(_errors(way, _means(found), is_first=way == best) for way, found in each),
        tuple(_errors(way, _largest(found), is_first=way == best) for way, found in each),
        best,
        base,
        saves=1 - means[best] / means[BINARY],
        waiting=1 - means[WAITED] / means[best],
        is_pure=is_pure,
    )


def signed_digits(steps: int, base: int, budget: Budget, noise: Noise) -> FloatArray:
    """Variances after every step, (steps,)."""
    scale = node_scale(noise, budget, levels(steps, base))
    return np.asarray(node_counts(steps, base) * noise.variance(scale))


def binary_tree(steps: int, budget: Budget, noise: Noise) -> FloatArray:
    """Variances of complete nodes read from below, after every step, (steps,)."""
    height = max(1, math.ceil(math.log2(steps)))
    own = noise.variance(node_scale(noise, budget, height + 1))
    at, total, root = np.arange(1, steps + 1), np.zeros(steps), own
    for bit in range(height + 1):
        total += root * (at >> bit & 1)
        root = own * 2 * root / (own + 2 * root)  # from its own count, and from its two halves
    return total


def _means(variances: FloatArray) -> FloatArray:
    return np.asarray(np.cumsum(variances) / np.arange(1, variances.size + 1))


def _largest(variances: FloatArray) -> FloatArray:
    return np.asarray(np.maximum.accumulate(variances))


def _errors(name: str, variances: FloatArray, *, is_first: bool) -> EdgeErrors:
    at = np.unique(np.concatenate((spread(variances.size, DRAWN), [variances.size - 1])))
    errors = np.sqrt(variances[at])
    return EdgeErrors(name, at + 1.0, errors, float(errors[-1]), is_first)
