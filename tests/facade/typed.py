"""What mypy says of the public names, read by `make lint` and never run.

An ignored error that mypy does not find is itself an error: `warn_unused_ignores` of strict.
"""

import dpviz as dp

bounds: dp.Bounds = dp.Bounds(0, 1)
tree: dp.Quadtree = dp.Quadtree(3)
misspelt = dp.Colum  # type: ignore[attr-defined]
wrong = dp.Bounds("a", 1)  # type: ignore[arg-type]
ends: tuple[float, float] = dp.quantile_interval(dp.releases.TreeRelease.from_json(""), 0.5)
best: dp.releases.SpatialRelease = dp.estimate(dp.releases.Cells.from_json(""))  # type: ignore[assignment]
