"""A notebook that reads a release from its JSON and draws the public picture again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from dpviz.core.releases import QuantileRelease
from dpviz.core.spatial.cells import Cells
from dpviz.core.trees.release import TreeRelease
from dpviz.reports.words import Release, Told, paragraph, upper, what
from dpviz.version import __version__

READ = """\
from pathlib import Path

import numpy as np
import plotly.graph_objects as go

import dpviz as dp

path = Path({file!r})  # the JSON that was downloaded with this notebook
release = dp.{kind}.from_json(path.read_text(encoding="utf-8"))
print(release.mechanism, release.spent, release.neighbours.value, release.randomness)"""

QUANTILES = """\
order = np.argsort(release.quantiles)
x = [release.bounds.low, *release.values[order], release.bounds.high]
y = [0, *release.quantiles[order], 1]
figure = go.Figure(go.Scatter(x=x, y=y, mode="lines+markers", line={"shape": "hv", "dash": "dot"}))
figure.update_layout(xaxis_title="value", yaxis_title="share with at most this value")"""

TREE = """\
best = dp.efficient(release)  # least squares over all levels: costs no budget
known = [i for i, counts in enumerate(best.counts) if np.isfinite(counts).all()]
few = [i for i in known if best.counts[i].size <= 64]
level = max([*few, min(1, known[-1])])  # the deepest that can be drawn
edges = release.edges(level)
figure = go.Figure(
    go.Bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=best.counts[level],
        width=np.diff(edges),
        error_y={"array": np.sqrt(best.levels.node_variances(level))},
    )
)
figure.update_layout(xaxis_title="value", yaxis_title="people in this part")"""

CELLS = """\
boxes, counts, errors = release.boxes, release.counts, np.sqrt(release.variances)"""

NESTED = """\
best = dp.estimate(release)  # least squares over all levels: costs no budget
level = min(5, best.levels.height)
boxes, counts = best.level_boxes(level), best.levels.counts[level]
errors = np.sqrt(best.levels.node_variances(level))"""

MAP = """
areas = (boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2])
sure = (counts > 2 * errors) & (areas > 0)  # the rest is within two standard errors of nothing
density = np.where(sure, counts / np.where(sure, areas, 1), 0)
shade = np.ceil(8 * np.sqrt(density / max(density.max(), 1e-300))).astype(int)
figure = go.Figure()
for step in range(1, 9):
    low_x, high_x, low_y, high_y = boxes[shade == step].T
    gap = np.full(low_x.size, np.nan)
    figure.add_scatter(
        x=np.stack([low_x, high_x, high_x, low_x, low_x, gap], axis=1).ravel(),
        y=np.stack([low_y, low_y, high_y, high_y, low_y, gap], axis=1).ravel(),
        fill="toself",
        fillcolor=f"rgba(0, 114, 178, {step / 8})",
        line={"width": 0},
        mode="lines",
        showlegend=False,
    )
figure.update_layout(xaxis_title="x", yaxis_title="y")"""


def notebook(release: Release, told: Told | None = None, file: str = "release.json") -> str:
    """The text of an .ipynb file, which runs from top to bottom beside the release's JSON.

    file is the name of the JSON. Raises: InvalidRelease for a reference that is not private.
    """
    told = told or Told()
    cells = [
        new_markdown_cell(f"# {upper(what(release, told.subject))}\n\n{paragraph(release, told)}"),
        new_code_cell(READ.format(file=file, kind=type(release).__name__)),
        new_code_cell(f"{_drawing(release)}\nfigure"),
        new_markdown_cell(
            "Whatever is made of the release alone costs no budget: round it, plot it, combine it. "
            f"Written with dpviz {__version__}."
        ),
    ]
    return written(cells)


def written(cells: Sequence[Any]) -> str:
    """Cells as the text of an .ipynb file: the same file every time."""
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    book = new_notebook(cells=list(cells))
    book.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.validate(book)
    return str(nbformat.writes(book))


def _drawing(release: Release) -> str:
    if isinstance(release, QuantileRelease):
        return QUANTILES
    if isinstance(release, TreeRelease):
        return TREE
    return (CELLS if isinstance(release, Cells) else NESTED) + MAP
