"""The true CDF as a picture needs it: its steps, from one end of the bounds to the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class TrueCurve:
    """An empirical CDF: it steps to height[i] at value[i]. Confidential, unless it is made up."""

    value: FloatArray
    height: FloatArray

    def closed(self, bounds: Bounds) -> tuple[FloatArray, FloatArray]:
        """The steps from one bound to the other, x and y."""
        last = self.height[-1:] if self.height.size else np.zeros(1)
        x = np.concatenate(([bounds.low], self.value, [bounds.high]))
        return x, np.concatenate(([0.0], self.height, last))

    def at(self, values: FloatArray) -> FloatArray:
        """The height at values."""
        steps = np.searchsorted(self.value, values, side="right")
        return np.concatenate(([0.0], self.height))[steps]
