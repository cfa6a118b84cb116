"""What may be taken away of a map, method by method, and what is said of it."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.answers.spatial.names import Names
from dpviz.core.budgets import PureDP
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.intake.samples import Noun
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.offers import REFUSAL
from dpviz.ui.spatial import downloads
from dpviz.ui.spatial.cells import Drawn
from tests.answers.spatial.questions import GRIDS, POINTS, TREES, asked
from tests.rows import by_rows

PRIVATE = (*TREES, *GRIDS)
EXACT = {
    "kd-pure (not private)": "structure and counts are",
    "kd-true (not private)": "structure is",
}


@pytest.fixture(autouse=True)
def words(monkeypatch):
    spoken = SimpleNamespace(people=Noun("tree", "trees"))
    monkeypatch.setattr(downloads.session, "words", lambda: spoken)
    monkeypatch.setattr(downloads.session, "point_units", lambda: ("km", "mile"))
    monkeypatch.setattr(downloads.words, "names", lambda: Names("tree", "trees"))


def shown(name, **others):
    question = asked(name, **others)
    return Drawn(name, None, question.release, question.reading, name)


class Teaching:
    """A draw of a file of one's own whose releases are for teaching, or are not."""

    def __init__(self, is_so):
        self.is_teaching = lambda _: is_so


@by_rows("name", PRIVATE)
def test_a_private_release_is_offered_with_everything_made_of_it(name):
    group = downloads._group(shown(name), Teaching(False))
    assert group.refusal == ""
    labels = [one.label for one in group.offers]
    assert labels[:2] == ["Release as JSON", "Cells as CSV"]
    assert {"Report", "Notebook", "Private figure as HTML"} < set(labels)
    names = {one.file.rpartition(".")[0] for one in group.offers}
    file = "".join(one if one.isalnum() else " " for one in name.lower()).split()
    assert all(one.startswith("-".join(file)) for one in names)
    csv = group.offers[1]
    read = "One row a cell of every level, as the map reads them: after estimation and pruning."
    assert csv.help == read


def test_the_files_are_the_release_and_the_cells_that_the_map_reads():
    one = shown("quadtree, optimal", threshold=70.0)
    release, cells = downloads._group(one, Teaching(False)).offers[:2]
    assert SpatialRelease.from_json(release.content()) == one.release
    text = cells.content()
    rows = [line.split(",") for line in text.strip().splitlines()]
    at = rows[0].index("count")
    reading = one.reading
    read = [
        float(count)
        for counts, stays in zip(reading.levels.counts, reading.kept, strict=True)
        for count, kept in zip(counts, stays, strict=True)
        if kept
    ]
    assert len(read) < sum(map(len, reading.kept))
    np.testing.assert_allclose([float(row[at]) for row in rows[1:]], read)


@by_rows("name", PRIVATE)
def test_a_teaching_view_of_a_file_offers_nothing(name):
    group = downloads._group(shown(name), Teaching(True))
    assert (list(group.offers), group.refusal) == ([], REFUSAL)


@by_rows(("name", "what"), EXACT.items())
def test_what_is_exact_is_named_and_not_offered(name, what):
    for teaching in (True, False):
        group = downloads._group(shown(name), Teaching(teaching))
        assert list(group.offers) == []
        assert group.refusal == (
            f"Not a private release: its {what} exact. It is here to show what privacy costs, and "
            "is not offered for download."
        )


@by_rows("name", PRIVATE)
def test_how_much_leaves_is_what_the_release_holds(name):
    one = shown(name)
    page = SimpleNamespace(shown=[one], once=lambda _, made, __: made(), key="k")
    found = downloads.numbers(page, {})
    levels = [one.release.counts] if isinstance(one.release, Cells) else one.release.counts
    many = sum(1 for level in levels for count in level if np.isfinite(count))
    said = downloads.say(page, found)
    word = "count" if many == 1 else "counts"
    assert said.headline().startswith(f"{many:,} noisy {word} to take away, a cell good to :blue[")
    assert said.alt == said.headline().replace(":blue[", "").replace("]", "").replace("\\", "")


def test_one_count_leaves_in_the_singular():
    one = shown("quadtree, baseline", height=0, depth=0, budget=PureDP(2**0.5))
    page = SimpleNamespace(shown=[one], once=lambda _, made, __: made(), key="k")
    said = downloads.say(page, downloads.numbers(page, {})).headline()
    assert said.startswith("1 noisy count to take away, a cell good to :blue[± ")


def test_the_lines_read_each_release_as_the_map_does(monkeypatch):
    monkeypatch.setattr(downloads, "points_text", lambda _: "points = ...")
    monkeypatch.setattr(downloads.Script, "releases", lambda *_: "releases = ...")
    monkeypatch.setattr(downloads.Script, "text", lambda _, body: body)
    plain, fitted = shown("uniform grid"), shown("quadtree, optimal")
    pruned = shown("quadtree, optimal", threshold=7.0)
    for one, prune, read in (
        (plain, None, "releases['uniform grid']"),
        (plain, 7.0, "releases['uniform grid']"),
        (fitted, None, "dp.estimate(releases['quadtree, optimal'])"),
        (pruned, 7.0, "dp.prune(dp.estimate(releases['quadtree, optimal']), 7.0)"),
    ):
        choice = SimpleNamespace(budget=PureDP(0.5), prune=prune)
        lines = downloads.map_lines([one], POINTS, choice, Draw(3, sample="towns"))
        assert f"{one.name!r}: {read}" in lines or f'"{one.name}": {read}' in lines
