"""The page's own picture of a release, made from the release alone, as a plotly figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.answers.quantiles.answers import Answers
from dpviz.answers.spatial import colours, colours_said
from dpviz.answers.spatial.colours import Colour
from dpviz.answers.spatial.names import Names as MapNames
from dpviz.answers.spatial.question import MapQuestion
from dpviz.answers.trees.names import Names
from dpviz.answers.trees.rows import largest_error, rows_of
from dpviz.core.checks import found
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import QuantileRelease
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.bucket_release import BucketRelease
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease
from dpviz.estimators.spatial.estimate import estimate
from dpviz.estimators.trees.cdf import cdf
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.curve import edge_positions
from dpviz.estimators.trees.least_squares import efficient
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.quantiles.release_rows import release_picture
from dpviz.figures.quantiles.scale import Scale
from dpviz.figures.spatial.field import Field
from dpviz.figures.spatial.pictures import Side as MapSide
from dpviz.figures.spatial.pictures import private_picture
from dpviz.figures.trees.curve import Curve, tree_curve
from dpviz.figures.trees.icicle import Side as TreeSide
from dpviz.figures.trees.released import buckets_picture, released_tree

Drawn = (
    QuantileRelease
    | TreeRelease
    | PrefixRelease
    | BucketRelease
    | HistogramRelease
    | SpatialRelease
    | Cells
)

EDGES = 1024  # of a CDF that is drawn
SURE = "band: two standard errors at each value"
MAP_HEIGHT, TREE_HEIGHT = 760, 640  # px


def plot(release: Drawn) -> go.Figure:
    """The picture that the app draws of a release, on a white page, from the release alone.

    Quantiles as dots on their curve, a tree after least squares as rows above its CDF, running
    counts as a CDF with two standard errors, buckets and bins as steps, maps by the leaves after
    least squares. Guarantee: post-processing; spends nothing.

    >>> type(dp.plot(tree)).__name__
    'Figure'

    Raises: InvalidParameter for anything else, or a tree whose leaves are not released.
    """
    drawn = next((draw for kind, draw in PICTURES.items() if isinstance(release, kind)), None)
    if drawn is None:
        raise InvalidParameter(
            "plot takes a release of quantiles, a tree, running counts, bins, a map or cells, "
            f"got {found(release)}. Other releases have release.to_frame()."
        )
    return go.Figure(drawn(release))


def _quantiles(release: QuantileRelease) -> Picture:
    asked = QuantileSet.of(release.quantiles)
    first = np.unique(release.quantiles, return_index=True)[1]
    published = release.values[first]
    scale = Scale.of(published, release.bounds, release.resolution, "value")
    answers = Answers(asked.distinct, published)
    return release_picture(answers, None, scale, "Share of the people up to each value", Look())


def _tree(release: TreeRelease) -> Picture:
    best, step = efficient(release), _step(release.shape.leaves)
    curve = cdf(best, step=step)
    errors = CdfErrors(release.tree_noise, step=step).running_errors()
    drawn = released_tree(
        TreeSide("<b>All counts combined</b>; ± one standard error", rows_of(best.levels)),
        Curve(curve.edges, curve.counts, 2 * errors),
        (release.bounds.low, release.bounds.high),
        Names(),
        Look(),
        noisiest=largest_error(rows_of(release.levels)),
        sure=SURE,
    )
    drawn["layout"]["height"] = TREE_HEIGHT
    return drawn


def _running(release: PrefixRelease) -> Picture:
    step = _step(release.bins)
    curve, kept = cdf(release, step=step), edge_positions(release.noise.shape, step)
    errors = np.concatenate(([0.0], release.standard_errors))[kept]
    shown = Curve(curve.edges, curve.counts, 2 * errors)
    return tree_curve(shown, Names(), Look(), said="People below each value", sure=SURE)


def _buckets(release: BucketRelease) -> Picture:
    return buckets_picture(release.edges, release.spread, None, Names(), Look())


def _histogram(release: HistogramRelease) -> Picture:
    return buckets_picture(release.edges, release.counts, None, Names(), Look())


def _map(release: SpatialRelease) -> Picture:
    best = estimate(release)
    return _by_density(MapQuestion("", release, best, depth=best.levels.height))


def _cells(release: Cells) -> Picture:
    return _by_density(MapQuestion("", release, release))


def _by_density(asked: MapQuestion) -> Picture:
    found = colours.answer(asked, Colour.DENSITY, sure=False)
    what, form = colours_said.what(found, MapNames()), colours_said.form(found)
    field = Field(found.box, found.boxes, found.values, what, form, grid=found.grid)
    said = "Not private" if asked.release.non_private else "Private"
    drawn = private_picture(MapSide(f"{said}: {found.values.size:,} cells", field), Look())
    drawn["layout"]["height"] = MAP_HEIGHT
    return drawn


def _step(parts: int) -> int:
    return -(-parts // EDGES)


# what is drawn, by the class of the release
PICTURES: dict[type, Callable[[Any], Picture]] = {
    QuantileRelease: _quantiles,
    TreeRelease: _tree,
    PrefixRelease: _running,
    BucketRelease: _buckets,
    HistogramRelease: _histogram,
    SpatialRelease: _map,
    Cells: _cells,
}
