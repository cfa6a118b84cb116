"""A notebook that reads a release from its JSON and draws the public picture again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from dpviz.answers.number_text import number, upper
from dpviz.core.releases import ProfileRelease, QuantileRelease
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.group_releases import GroupReleases
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease
from dpviz.reports.words import Release, Told, paragraph, what
from dpviz.version import __version__

READ = """\
from pathlib import Path

import dpviz as dp

path = Path({file!r})  # the JSON that was downloaded with this notebook
release = dp.from_json(path.read_text(encoding="utf-8"))
release"""

READ_GROUPS = """\
import json
from pathlib import Path

import dpviz as dp

path = Path({file!r})  # the JSON that was downloaded with this notebook
stored = json.loads(path.read_text(encoding="utf-8"))
releases = {{name: dp.from_json(json.dumps(one)) for name, one in stored["groups"].items()}}
list(releases)"""

GROUP = """\
figure = dp.plot(releases[{name!r}])
figure"""

DRAWN = """\
figure = dp.plot(release)
figure"""

COLUMN = """\
figure = dp.plot(release.releases[{name!r}])
figure"""

TABLE = """\
release.to_frame()"""

TREE = """\
curve = dp.cdf(dp.estimate(release))  # least squares over all levels and a CDF: costs no budget
answer = curve.quantile(0.5, beta=0.05)  # the median, and where it lies, at 95 %
answer"""

MAP = """\
x, y = release.box.x, release.box.y
rectangle = [x.low, x.low + x.width / 2, y.low, y.high]  # any other as well
answer = dp.range_counts(dp.estimate(release), rectangle)  # people in it, and the variance
answer"""

RUNNING = """\
curve = dp.cdf(release)  # the counts as they are: costs no budget
answer = curve.quantile(0.5, beta=0.05)  # the median, and where it lies, at 95 %
answer"""

BINS = """\
half = release.noise.reach(release.scale, 0.95)  # by which the noise moves 19 of 20 at most
answer = release.to_frame().assign(within=half)  # each count, and what is about it at 95 %
answer"""

PLACES = """\
half = 2 * release.to_frame()["standard_error"]  # 19 of 20 counts are nearer
answer = release.to_frame().assign(within=half)
answer"""

NUMBER = """\
half = release.noise.reach(release.scale, 0.95)  # by which the noise moves 19 of 20 at most
answer = release.value - half, release.value + half
answer"""

# what is shown and asked, by the class of the release; one number has no picture of its own
ASKED: dict[type, tuple[str, ...]] = {
    QuantileRelease: (DRAWN, TABLE),
    TreeRelease: (DRAWN, TREE),
    PrefixRelease: (DRAWN, RUNNING),
    HistogramRelease: (DRAWN, BINS),
    PlaceRelease: (TABLE, PLACES),
    SpatialRelease: (DRAWN, MAP),
    Cells: (DRAWN, MAP),
    NumberRelease: (TABLE, NUMBER),
}


def notebook(release: Release, told: Told | None = None, file: str = "release.json") -> str:
    """The text of an .ipynb file, which runs from top to bottom beside the release's JSON.

    file is the name of the JSON. Raises: InvalidRelease for a reference that is not private.
    """
    told = told or Told()
    shown = (new_code_cell(lines) for lines in ASKED[type(release)])
    return _book([new_markdown_cell(_said(release, told, "#")), _reads(file), *shown])


def profile_notebook(profile: ProfileRelease, told: Mapping[str, Told], file: str) -> str:
    """The same of several columns, each with its paragraph and picture; told is by column."""
    head = f"# A release of {number(len(profile.releases))} columns: {profile.spent} in all"
    cells = [new_markdown_cell(head), _reads(file), new_code_cell(TABLE)]
    for name, one in profile.releases.items():
        cells.append(new_markdown_cell(_said(one, told[name], "##")))
        cells.append(new_code_cell(COLUMN.format(name=name)))
    return _book(cells)


def groups_notebook(released: GroupReleases, told: Told, file: str) -> str:
    """The same of groups that spend a budget once together, each with its paragraph and picture."""
    many = number(len(released.releases))
    head = f"# A release of {many} groups: {released.spent} in all\n\n{released.note}"
    cells = [new_markdown_cell(head), new_code_cell(READ_GROUPS.format(file=file))]
    for name, one in released.releases.items():
        each = replace(told, subject=f"{told.subject}, {name}")
        cells.append(new_markdown_cell(_said(one, each, "##")))
        cells.append(new_code_cell(GROUP.format(name=name)))
    return _book(cells)


def _said(release: Release, told: Told, heading: str) -> str:
    return f"{heading} {upper(what(release, told.subject))}\n\n{paragraph(release, told)}"


def _reads(file: str) -> Any:
    return new_code_cell(READ.format(file=file))


def _book(cells: Sequence[Any]) -> str:
    last = (
        "Whatever is made of the release alone costs no budget: round it, plot it, combine it. "
        f"Written with dpviz {__version__}."
    )
    return written([*cells, new_markdown_cell(last)])


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
