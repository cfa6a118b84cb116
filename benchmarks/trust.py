"""What trust costs: bounds of shuffling beside exact laws, and a local median by search or by tree.

The median by search halves the range ten times, each person asked once whether their value lies
below the middle and answering by randomised response; n/10 of them are asked at each step. Its
quantile lies evenly within 0.2 … 0.8 of a column of even people, 20,000 runs. That of the tree is
the law of LocalCounts over as many bins. Run by hand or `make bench`.
"""

from __future__ import annotations

import json
import math
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import binom

from benchmarks.results import Table
from dpviz.answers.privacy.trust import BINS, NOBODY, PEOPLE, answer
from dpviz.experiments.privacy import local_median
from dpviz.experiments.privacy.local_median import SEED
from dpviz.mechanisms.local.shuffling import closed_form, shuffled_epsilon
from dpviz.version import __version__

BOUNDS = "Shuffled reports under ε = 1: ε at δ = 1e-6"
MEDIAN = "A local median: root mean square error of its rank, in √n"
ERRORS = "What trust costs at ε = 1, δ = 1e-6: root mean square errors in people"
MEASURES = (BOUNDS, MEDIAN, ERRORS)
DELTA, RUNS, STEPS = 1e-6, 20_000, 10


def exact_epsilon(people: int) -> float:
    """The ε at δ of the number of ones among binary responses of people who all say no but one."""
    p = math.e / (1 + math.e)
    others = binom.pmf(np.arange(people), people - 1, 1 - p)
    one, other = np.convolve(others, [p, 1 - p]), np.convolve(others, [1 - p, p])
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        lost = max(np.maximum(a - math.exp(middle) * b, 0).sum()
                   for a, b in ((one, other), (other, one)))  # fmt: skip
        low, high = (low, middle) if lost <= DELTA else (middle, high)
    return high


def searched(people: int, epsilon: float, rng: np.random.Generator) -> float:
    """The root mean square rank error of the search, in √n."""
    p, asked = math.exp(epsilon) / (1 + math.exp(epsilon)), people // STEPS
    low, high, target = np.zeros(RUNS), np.ones(RUNS), rng.uniform(0.2, 0.8, RUNS)
    for _ in range(STEPS):
        middle = (low + high) / 2
        ones = rng.binomial(asked, middle * p + (1 - middle) * (1 - p))
        is_above = (ones / asked - (1 - p)) / (2 * p - 1) >= target
        low, high = np.where(is_above, low, middle), np.where(is_above, middle, high)
    return math.sqrt(float(np.mean(((low + high) / 2 - target) ** 2)) * people)


def run() -> list[Table]:
    """Print and return the tables."""
    bounds = [
        [f"{n:,}", *(f"{one:.4f}" for one in (
            exact_epsilon(n), shuffled_epsilon(1.0, n, DELTA, 2), shuffled_epsilon(1.0, n, DELTA),
            closed_form(1.0, n, DELTA),
        ))] for n in (1_000, 10_000, 100_000)
    ]  # fmt: skip
    rng = np.random.default_rng(1)
    medians = []
    for epsilon in (0.3, 1.0, 3.0):
        for n in (1_000, 100_000):
            tree = next(one for one in answer("cdf", epsilon, DELTA, n).lines
                        if one.trusted == NOBODY)  # fmt: skip
            found = searched(n, epsilon, rng)
            usual = tree.error / math.sqrt(n)
            medians.append([f"{epsilon:g}", f"{n:,}", f"{found:.2f}", f"{usual:.2f}",
                            f"{usual / found:.1f} ×"])  # fmt: skip
    errors = []
    for question in ("count", "median", "cdf"):
        for n in PEOPLE[::7]:
            lines = answer(question, 1.0, DELTA, n).lines
            errors.append([question, f"{n:,}", *(f"{one.error:,.1f}" for one in lines)])
    for row in (*bounds, *medians, *errors):
        print(*row, flush=True)
    return [
        Table(BOUNDS, ("people", "exact, all but one say no", "responses", "any reports",
                       "closed form"), bounds, "Exact laws are of one pair of data sets; the "
              "others are proved for all."),
        Table(MEDIAN, ("ε", "people", "search", "tree", "tree / search"), medians,
              f"{BINS:,} bins, {STEPS} steps, {RUNS:,} runs."),
        Table(ERRORS, ("question", "people", "one server", "two servers", "a shuffler", "nobody"),
              errors, "A CDF has 1,024 equal bins with as many people in each."),
    ]  # fmt: skip


def _measured(place: tuple[int, int]) -> list[float]:
    """The error of a place by its position among sizes and ε, and how sure it is, in 3 digits."""
    people, epsilon = local_median.SIZES[place[0]], local_median.EPSILONS[place[1]]
    rng = np.random.default_rng([SEED, *place])
    return [float(f"{one:.3g}") for one in local_median.measured(epsilon, people, rng)]


def store() -> None:
    """Measure the search anew at every stored place and write the file, some minutes."""
    places = list(product(range(len(local_median.SIZES)), range(len(local_median.EPSILONS))))
    with ProcessPoolExecutor(2) as pool:
        found = np.array(list(pool.map(_measured, places)))
    tables = found.T.reshape(2, len(local_median.SIZES), -1).tolist()
    errors, sure = (",\n  ".join(map(json.dumps, rows)) for rows in tables)
    Path(local_median.__file__).with_name(local_median.FILE).write_text(
        f'{{"version": "{__version__}", "errors": [\n  {errors}\n], "standard": [\n  {sure}\n]}}\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    store() if sys.argv[1:] == ["store"] else run()
