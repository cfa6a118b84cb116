"""The Python lines that make the same decompositions of the plane, and the same reading of them."""

from __future__ import annotations

from dpviz.core.data import Points
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.script import Classes, seed_remark, seed_text, source_import, written
from dpviz.ui.spatial.cells import Drawn, purpose_of_map
from dpviz.ui.spatial.methods import MapChoice


def map_lines(shown: list[Drawn], points: Points, choice: MapChoice, draw: Draw) -> str:
    """A script whose `releases` and `readings` equal the ones on screen, by their names there."""
    classes: Classes = {
        ("dpviz.core.bounds", "Bounds, Box"),
        ("dpviz.core.data", "Points"),
        ("dpviz.estimators.spatial.boxes", "range_counts"),
    }
    mechanisms = {one.name: written(one.mechanism, classes) for one in shown}
    seeds = {
        one.name: seed_text(draw, purpose_of_map(one.mechanism, points, choice)) for one in shown
    }
    readings = {one.name: _reading(one, choice.prune, classes) for one in shown}
    box = points.box
    budget = written(choice.budget, classes)
    imports = [f"from {module} import {name}" for module, name in classes]
    listed = "\n".join(sorted([*imports, source_import()]))
    return f"""# where dpviz is installed, or in the folder of its repository
import numpy as np

{listed}

{_coordinates()}
box = Box(  # declared, public
    Bounds({box.x.low!r}, {box.x.high!r}),
    Bounds({box.y.low!r}, {box.y.high!r}),
)
points = Points.from_xy(x, y, box)
budget = {budget}
mechanisms = {_mapping(mechanisms)}
seeds = {_mapping(seeds, seed_remark())}
releases = {{
    name: mechanism.release(points, budget, np.random.default_rng(seeds[name]))
    for name, mechanism in mechanisms.items()
}}
readings = {_mapping(readings)}
rectangle = [box.x.low, box.x.high, box.y.low, box.y.high]  # any other as well
for name, reading in readings.items():
    counts, variances = range_counts(reading, rectangle)
    print(name, counts[0], "±", variances[0] ** 0.5)
"""


def _reading(one: Drawn, threshold: float | None, classes: Classes) -> str:
    release = f"releases[{one.name!r}]"
    if not isinstance(one.reading, SpatialEstimate):
        return release
    classes.add(("dpviz.estimators.spatial.estimate", "estimate"))
    if threshold is None:
        return f"estimate({release})"
    classes.add(("dpviz.estimators.spatial.prune", "prune"))
    return f"prune(estimate({release}), {threshold!r})"


def _mapping(values: dict[str, str], remark: str = "") -> str:
    inside = "".join(f"    {name!r}: {text},\n" for name, text in values.items())
    return f"{{{remark}\n{inside}}}"


def _coordinates() -> str:
    if not session.is_upload():
        return f"x, y = load_sample({session.chosen_sample().key!r})"
    own = session.upload()
    assert own is not None
    drop = ", drop_unreadable=True" if own.drop_unreadable else ""
    first, second = session.point_units()
    return (
        "from pathlib import Path\n\n"
        f"path = Path({own.table.name!r})  # your file\n"
        f"table = read_table(path, path.name)\n"
        f"x = table.numeric_values({first!r}{drop}).values\n"
        f"y = table.numeric_values({second!r}{drop}).values"
    )
