"""The Python lines that make the same decompositions of the plane, and the same reading of them."""

from __future__ import annotations

from dpviz.core.data import Points
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.ui.kit.draws import Draw, purpose_of
from dpviz.ui.kit.script import FACE, Script, mapping, points_text, written
from dpviz.ui.spatial.cells import Drawn
from dpviz.ui.spatial.methods import MapChoice


def map_lines(shown: list[Drawn], points: Points, choice: MapChoice, draw: Draw) -> str:
    """A script whose `releases` and `readings` equal the ones on screen, by their names there."""
    # references that protect nobody are not on the public face
    private = {one.name: not one.release.non_private for one in shown}
    apart = {type(one.mechanism) for one in shown if not private[one.name]}
    imports = sorted(f"from {kind.__module__} import {kind.__name__}" for kind in apart)
    script = Script(points_text(points), choice.budget, draw, tuple(imports))
    rows = {
        one.name: (
            written(one.mechanism, FACE if private[one.name] else ""),
            purpose_of(one.mechanism, points, choice.budget),
        )
        for one in shown
    }
    readings = {one.name: _reading(one, choice.prune) for one in shown}
    return script.text(f"""\
{script.mechanisms(rows)}
releases = {{
    name: mechanism.release(points, budget, np.random.default_rng(seeds[name]))
    for name, mechanism in mechanisms.items()
}}
readings = {mapping(readings)}
rectangle = [box.x.low, box.x.high, box.y.low, box.y.high]  # any other as well
for name, reading in readings.items():
    counts, variances = dp.range_counts(reading, rectangle)
    print(name, counts[0], "±", variances[0] ** 0.5)
""")


def _reading(one: Drawn, threshold: float | None) -> str:
    release = f"releases[{one.name!r}]"
    if not isinstance(one.reading, SpatialEstimate):
        return release
    estimate = f"dp.estimate({release})"
    return estimate if threshold is None else f"dp.prune({estimate}, {threshold!r})"
