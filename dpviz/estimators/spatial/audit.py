"""What a released tree spent, worked out again from its noise: for display and for the audit."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.spatial.release import SpatialRelease


@dataclass(frozen=True, eq=False)
class LevelSpending:
    """What the count of a node costs on each level, root first, in "ε" or "ρ"; 0: not released."""

    unit: str
    levels: FloatArray


def level_spending(release: SpatialRelease) -> LevelSpending:
    """From the noise scales alone; ε for Laplace noise under ε or (ε, δ), else ρ.

    One record changes one count of a level (add/remove) or two (replace-one).
    Raises: InvalidParameter for exact counts, which no budget covers.
    """
    scales = np.array(release.scales)
    if release.spent is None:
        raise InvalidParameter("Exact counts spend no budget: they are not private.")
    changed = release.neighbours.counts_changed
    if release.noise.gaussian or isinstance(release.spent, ZCDP):
        costs = [
            release.noise.rho(scale) if np.isfinite(scale) else 0.0 for scale in release.scales
        ]
        return LevelSpending("ρ", changed * np.array(costs))
    return LevelSpending("ε", changed / scales)
