"""How far off a town's private median pay is, by the number of its people; worked out beforehand.

A town is a random group out of the yearly salaries. python -m dpviz.lessons.towns writes the
table again; a test works out some of its places anew and compares.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.intake.samples import load_sample, sample
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.quantiles import true_quantiles
from dpviz.version import __version__

SALARIES = "salaries"
EPSILONS = (0.1, 0.5, 1.0)
SIZES = (20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000,
         10_000)  # fmt: skip
GROUPS, RELEASES = 300, 150  # towns of a size, and releases of each
SURE = 0.95  # 19 times of 20
ENOUGH, ANYWHERE = 2.0, 100.0  # per cent off: good enough, and as far as the truth itself
SEED = 4
TABLE = Path(__file__).with_name("towns.json")


@dataclass(frozen=True, slots=True, eq=False)
class ByTown:
    """Errors in per cent of the truth, 19 times of 20, for towns of so many people.

    Shapes: sizes, median, count (sizes,). reach is the error of a count in people.
    """

    sizes: FloatArray
    median: FloatArray
    count: FloatArray
    reach: float

    @property
    def enough(self) -> int:
        """Which size is the first from which on a median is within about ENOUGH per cent."""
        too_far = np.flatnonzero(np.round(self.median, 1) > ENOUGH)
        return int(too_far[-1]) + 1

    @property
    def cliff(self) -> int:
        """Which size is the first at which a median is off by less than all of itself."""
        return int((self.median < ANYWHERE).argmax())

    @property
    def smallest(self) -> int:
        """The people of a town from which on a median is accurate enough."""
        return int(self.sizes[self.enough])


def measured(size: int, epsilon: float) -> float:
    """How far off 19 of 20 releases are at most, in per cent of the town's own median."""
    (pay,) = load_sample(SALARIES)
    known = sample(SALARIES)
    choosing, drawing = np.random.default_rng([SEED, size]).spawn(2)
    mechanism, found = ApproximateQuantiles(round_to_grid=True), []
    for _ in range(GROUPS):
        chosen = choosing.choice(pay, size, replace=False)
        town = Column.from_values(chosen, known.bounds[0], known.resolution)
        drawn = mechanism.release_many(town, [0.5], PureDP(epsilon), drawing, RELEASES)
        (truth,) = true_quantiles(town, [0.5])
        found.append(np.abs(drawn[:, 0] / truth - 1))
    return float(100 * np.quantile(found, SURE, method="higher"))


def count_reach(epsilon: float) -> float:
    """How many people a noisy count is off by at most, 19 times of 20."""
    return Noise.DISCRETE_LAPLACE.reach(1 / epsilon, SURE)


@cache
def stored(epsilon: float) -> ByTown:
    """Towns of every size at one ε; the medians as the table has them."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    sizes, reach = np.array(SIZES, dtype=np.float64), count_reach(epsilon)
    return ByTown(sizes, np.array(table["median"][f"{epsilon:g}"]), 100 * reach / sizes, reach)


def write() -> None:
    """Work out all towns and write the table."""
    found = {f"{e:g}": [round(measured(n, e), 4) for n in SIZES] for e in EPSILONS}
    text = json.dumps({"dpviz": __version__, "median": found}, indent=1)
    TABLE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
