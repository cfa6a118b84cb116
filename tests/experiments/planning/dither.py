"""A mechanism whose errors are known in closed form."""

import numpy as np


class Dither:
    """Misses the median of a flat column by Exp(1)/ε records: success rates in closed form."""

    name = "Dither"
    n = 10_000

    def check(self, *_):
        pass

    def seconds(self, *_):
        return 0.01

    def release_many(self, column, quantiles, budget, rng, runs):
        missed = np.minimum(rng.exponential(1 / budget.size, (runs, 1)), self.n / 2 - 1)
        return column.values[(self.n // 2 + missed).astype(int)]
