"""What goes along with a release: CSV, notebook, page and picture, from the release alone."""

from __future__ import annotations

import io
import json
import re
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import dpviz as dp
from dpviz.figures.kit.palette import DARK
from dpviz.reports.notebook import notebook
from dpviz.reports.page import report
from dpviz.reports.pictures import WIDTH, picture
from dpviz.reports.tables import release_csv
from dpviz.reports.words import Told
from tests.reports.releases import NAMES, one

HOSTILE = "<script>alert('a')</script> & \"pay\""


def by_name(test):
    return pytest.mark.parametrize("name", NAMES)(test)


def code_of(book: str) -> list[str]:
    cells = json.loads(book)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


@by_name
def test_the_csv_holds_every_published_number_to_the_last_digit(name):
    release = one(name)
    table = pd.read_csv(io.StringIO(release_csv(release)))
    if hasattr(release, "values"):
        assert table["quantile"].tolist() == release.quantiles.tolist()
        assert table["value"].tolist() == release.values.tolist()  # noqa: PD011
        return
    counts = [release.counts] if hasattr(release, "boxes") else release.counts
    np.testing.assert_array_equal(table["count"], np.concatenate(counts))


@by_name
def test_the_notebook_reads_the_json_and_draws_the_release_again(name, tmp_path, monkeypatch):
    release = one(name)
    (tmp_path / "mine.json").write_text(release.to_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    held: dict[str, object] = {}
    for code in code_of(notebook(release, Told(), "mine.json")):
        exec(code, held)
    assert held["release"] == release
    assert held["figure"] == dp.plot(release)
    assert isinstance(held["figure"], go.Figure)
    if hasattr(release, "bounds") and not hasattr(release, "values"):
        assert held["answer"] == dp.cdf(dp.efficient(release)).quantile(0.5, beta=0.05)
    elif not hasattr(release, "values"):
        x, y = release.box.x, release.box.y
        half = [x.low, (x.low + x.high) / 2, y.low, y.high]
        assert held["answer"] == dp.range_counts(dp.estimate(release), half)


def test_the_notebook_is_the_same_every_time():
    assert notebook(one("halving")) == notebook(one("halving"))


@by_name
def test_the_page_is_complete_in_itself_and_trusts_no_text(name):
    text = report(one(name), Told(HOSTILE, "Off by <b>2</b>."))
    assert "<script" not in text
    assert "<b>2" not in text
    assert "&lt;script&gt;" in text
    addresses = set(re.findall(r"https?://[^\s\"'<]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, which nothing loads
    assert not re.search(r"\b(src|href|@import|url\()", text)


@pytest.mark.parametrize("width", [380, WIDTH])
@by_name
def test_the_picture_is_svg_within_its_sheet(name, width):
    root = ET.fromstring(picture(one(name), width=width))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for element in root.iter():
        for side, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
            if side in element.attrib:
                assert -0.1 <= float(element.attrib[side]) <= most + 0.1


def test_the_picture_stands_at_the_published_values():
    release = one("halving")
    root = ET.fromstring(picture(release))
    dots = [float(each.attrib["cx"]) for each in root.iter() if each.tag.endswith("circle")]
    apart = np.diff(dots)
    values = np.diff(np.sort(release.values))
    np.testing.assert_allclose(apart / apart.sum(), values / values.sum(), atol=0.01)


def test_the_picture_of_a_map_colours_the_sure_rectangles_alone():
    release = one("quadtree")
    best = dp.estimate(release)
    counts, errors = best.levels.counts[4], np.sqrt(best.levels.node_variances(4))
    sure = int((counts > 2 * errors).sum())
    root = ET.fromstring(picture(release))
    drawn = [each for each in root.iter() if each.tag.endswith("rect")]
    assert len(drawn) == sure + 1  # and the ground
    assert any(f"{sure:,} of {counts.size:,}" in (each.text or "") for each in root.iter())


def test_the_dark_picture_has_the_colours_of_the_dark_page():
    assert DARK.private in picture(one("tree"), DARK)
    assert DARK.private not in picture(one("tree"))
