"""A check of released quantiles: how far off they are in ranks, with noise of a known law."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import checked_share
from dpviz.core.codec import Stored, fitting
from dpviz.core.errors import InvalidRelease
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import SEEDED, Columns, ShowsItself, settle_declared, spent_budget
from dpviz.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class RankCheck(ShowsItself, Stored):
    """Noisy rank errors #{x < v} − q n of released values, and the law of their noise.

    Shapes: quantiles, values, errors, steps and scales (k,), in the order of the release. Errors
    are in records; noise is on multiples of 1/steps, with scale scales/steps. Not confidential.
    Raises: InvalidRelease for values that no release can have.
    """

    _kind, _words = "rank-check", "check of ranks"

    mechanism: str
    parameters: Mapping[str, Any]
    quantiles: FloatArray
    values: FloatArray
    errors: FloatArray
    steps: FloatArray
    scales: FloatArray
    noise: Noise
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a check of ranks"):
            settle_declared(self, spent=spent_budget)
            arrays = ("quantiles", "values", "errors", "steps", "scales")
            for name in arrays:
                array = np.array(getattr(self, name), dtype=np.float64)
                if array.ndim != 1 or not np.isfinite(array).all():
                    raise InvalidRelease(f"{name} of a check must be finite numbers in a row.")
                object.__setattr__(self, name, frozen(array))
            if len({getattr(self, name).size for name in arrays}) != 1:
                raise InvalidRelease("A check has one number of each kind for every quantile.")
            if not ((self.steps >= 1).all() and (self.scales > 0).all()):
                raise InvalidRelease("Steps must be 1 or more, and scales positive.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RankCheck) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.to_json())

    @property
    def standard_errors(self) -> FloatArray:
        """Of the noise on each error, in records, (k,)."""
        variances = [self.noise.variance(float(scale)) for scale in self.scales]
        return np.asarray(np.sqrt(variances) / self.steps)

    def intervals(self, beta: float = 0.05) -> FloatArray:
        """An interval for each true rank error, (k, 2), in records.

        Each holds its error with probability ≥ 1 − β, whatever the column: the noise is known.
        Raises: InvalidParameter for β outside (0, 1).
        """
        sure = 1 - checked_share(beta, "β")
        reaches = [self.noise.reach(float(scale), sure) for scale in self.scales]
        reach = np.array(reaches) / self.steps
        return np.stack([self.errors - reach, self.errors + reach], axis=1)

    def _columns(self) -> Columns:
        return {
            "quantile": self.quantiles,
            "value": self.values,
            "rank_error": self.errors,
            "standard_error": self.standard_errors,
        }
