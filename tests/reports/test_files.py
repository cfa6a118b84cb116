"""What goes along with a release: CSV, notebook, page and picture, from the release alone."""

import io
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import dpviz as dp
from dpviz.core.budgets import compose
from dpviz.figures.kit.palette import DARK
from dpviz.reports.notebook import notebook, profile_notebook
from dpviz.reports.page import profile_report, report
from dpviz.reports.pictures import WIDTH, picture
from dpviz.reports.tables import release_csv
from dpviz.reports.words import Told, values
from tests.drawn import changed
from tests.reports.releases import COLUMN, NAMES, one

DRAWN_BEFORE = Path(__file__).with_name("pictures.json")
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
    if name == "count":
        row = {"mechanism": "NoisyCount", "above": 30, "below": 62.5, "value": release.value}
        row |= {"variance": release.standard_error**2}
        assert table.to_dict("list") == {of: [pytest.approx(one)] for of, one in row.items()}
        return
    if "bins" in name:
        ends = np.column_stack((release.edges[:-1], release.edges[1:]))
        np.testing.assert_array_equal(table[["low", "high"]].to_numpy(), ends)
        np.testing.assert_allclose(table["variance"], release.standard_error**2)
    if name == "running counts":
        assert table["below"].tolist() == [pytest.approx(2.5 * (one + 1)) for one in range(40)]
        np.testing.assert_allclose(table["variance"], release.standard_errors**2)
    if name == "places":  # of three levels the first is not measured
        found = [one[1:] for one in table[["level", "place"]].itertuples()]
        assert found == [("land", "N"), ("land", "S"),
                         ("town", "N, <b>"), ("town", "N, a"), ("town", "S, a")]  # fmt: skip
        assert table["count"].tolist() == [*release.counts[1], *release.counts[2]]
        variances = [release.noise.variance(scale) for scale in release.scales]
        np.testing.assert_allclose(table["variance"], np.repeat(variances[1:], [2, 3]))
        return
    one_array = hasattr(release, "boxes") or name == "running counts" or "bins" in name
    counts = [release.counts] if one_array else release.counts
    np.testing.assert_array_equal(table["count"], np.concatenate(counts))


@pytest.mark.few(8)
@by_name
def test_the_notebook_reads_the_json_and_draws_the_release_again(name, tmp_path, monkeypatch):
    release = one(name)
    (tmp_path / "mine.json").write_text(release.to_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    held: dict[str, object] = {}
    for code in code_of(notebook(release, Told(), "mine.json")):
        exec(code, held)
    assert held["release"].to_json() == release.to_json()
    if name == "count":  # which has no picture
        half = release.noise.reach(release.scale, 0.95)
        assert held["answer"] == (release.value - half, release.value + half)
        return
    if name == "places":
        wanted = release.to_frame()
        wanted["within"] = 2 * wanted["standard_error"]
        assert held["answer"].to_dict() == wanted.to_dict()
        return
    assert held["figure"] == dp.plot(release)
    assert isinstance(held["figure"], go.Figure)
    if "bins" in name:
        half = release.noise.reach(release.scale, 0.95)
        assert held["answer"].to_dict() == release.to_frame().assign(within=half).to_dict()
    elif name == "running counts":
        assert held["answer"] == dp.cdf(release).quantile(0.5, beta=0.05)
    elif hasattr(release, "bounds") and not hasattr(release, "values"):
        assert held["answer"] == dp.cdf(dp.efficient(release)).quantile(0.5, beta=0.05)
    elif not hasattr(release, "values"):
        x, y = release.box.x, release.box.y
        half = [x.low, (x.low + x.high) / 2, y.low, y.high]
        assert held["answer"] == dp.range_counts(dp.estimate(release), half)


def profile():
    halving = one("halving")
    listed = {"pay": halving, HOSTILE: replace(halving, values=halving.values + 1)}  # noqa: PD011
    return dp.releases.ProfileRelease(listed, compose([halving.spent] * 2))


def test_several_columns_are_one_page_and_one_notebook(tmp_path, monkeypatch):
    release = profile()
    told = {name: Told(name, f"Came {at}.") for at, name in enumerate(release.releases)}
    page = profile_report(release, told)
    assert "<script" not in page
    assert page.count("<h1>") == page.count("<!doctype") == page.count("</html>") == 1
    assert "<h1>Two columns, and what they spent together</h1>" in page
    assert f"add up: {release.spent} in all." in page
    assert re.findall(r"Came \d\.", page) == ["Came 0.", "Came 0.", "Came 1.", "Came 1."]
    sections = page.split("<h2>")[1:]
    assert len(sections) == page.count("<svg") == 2
    for section, each in zip(sections, release.releases.values(), strict=True):
        assert f"<td>{' · '.join(values(each))}</td>" in section

    (tmp_path / "mine.json").write_text(release.to_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    held: dict[str, object] = {}
    pictures = []
    book = profile_notebook(release, told, "mine.json")
    for code in code_of(book):
        exec(code, held)
        pictures.append(held.get("figure"))
    assert held["release"].to_json() == release.to_json()
    assert pictures[-2:] == [dp.plot(each) for each in release.releases.values()]
    assert "Came 0." in book
    assert "Came 1." in book


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


@by_name
def test_a_release_of_known_bits_is_drawn_as_before(name, monkeypatch):
    monkeypatch.setattr(dp.SecureBits, "fresh", lambda: dp.SecureBits(bytes(32)))
    release = one.__wrapped__(name)
    parts = {str(width): picture(release, width=width) for width in (380, WIDTH)}
    assert changed(DRAWN_BEFORE, name, parts) == []


def test_the_picture_stands_at_the_published_values():
    release = one("halving")
    root = ET.fromstring(picture(release))
    dots = [float(each.attrib["cx"]) for each in root.iter() if each.tag.endswith("circle")]
    apart = np.diff(dots)
    values = np.diff(np.sort(release.values))
    np.testing.assert_allclose(apart / apart.sum(), values / values.sum(), atol=0.01)


def across(root: ET.Element) -> Callable[[float], float]:
    """From px to numbers of the lower axis, by two of its ticks."""
    ticks = [
        (float(each.attrib["x"]), float((each.text or "").replace(",", "").replace("−", "-")))
        for each in root.iter()
        if each.attrib.get("text-anchor") == "middle"
    ]
    (left, low), *_, (right, high) = ticks
    return lambda x: low + (x - left) / (right - left) * (high - low)


@pytest.mark.parametrize(
    ("mechanism", "budget", "half", "value"),
    [
        (dp.NoisyCount(above=30), dp.PureDP(0.02), 150, 1_234),
        (dp.NoisyCount(above=99), dp.PureDP(0.02), 150, -35),
        (dp.NoisySum(), dp.PureDP(0.01), 10_000 * math.log(20), -61_234),
        (dp.NoisyMean(100, neighbours="replace-one"), dp.ZCDP(0.02), 5 * 1.959964, 31.5),
    ],
)
def test_the_picture_of_a_number_is_its_interval(mechanism, budget, half, value):
    """P(|k| > t) = 2 p^(t+1)/(1 + p) of discrete Laplace noise is 5 % from t = 150 on."""
    release = replace(mechanism.release(COLUMN, budget, np.random.default_rng(8)), value=value)
    root = ET.fromstring(picture(release))
    number = across(root)
    (bold,) = [each for each in root.iter() if each.attrib.get("font-weight") == "600"]
    assert bold.text == f"{value:,}".replace("-", "−")
    inward = "start" if float(bold.attrib["x"]) < WIDTH / 2 else "end"
    assert bold.attrib["text-anchor"] == inward
    (dot,) = [each for each in root.iter() if each.tag.endswith("circle")]
    lines = [each.attrib for each in root.iter() if each.tag.endswith("line")][1:]
    ends = sorted({float(line[side]) for line in lines for side in ("x1", "x2")})
    near = {"abs": half / 50}
    assert number(float(dot.attrib["cx"])) == pytest.approx(value, **near)
    around = [value - half, value + half]
    assert [number(end) for end in ends] == pytest.approx(around, **near)
    (bar,) = [each.attrib for each in root.iter() if each.tag.endswith("rect")]
    sides = float(bar["x"]), float(bar["x"]) + float(bar["width"])
    assert [number(side) for side in sides] == pytest.approx(sorted([0, value]), **near)


def test_the_picture_of_bins_is_a_bar_a_bin_and_one_standard_error():
    counts, edges = np.array([30.0, -10.0, 60.0]), np.array([10.0, 20.0, 50.0, 90.0])
    release = replace(one("own bins"), edges=edges, counts=counts, scale=5.0)
    root = ET.fromstring(picture(release))
    error, number = release.standard_error, across(root)
    down = lambda count: 360 - (count + 10 + error) / (70 + 2 * error) * 330  # noqa: E731
    bars = [each.attrib for each in root.iter() if each.tag.endswith("rect")]
    lines = [each.attrib for each in root.iter() if each.tag.endswith("line")][-6:]
    rows = zip(bars, lines[-3:], edges, np.diff(edges), counts, strict=False)
    for bar, line, low, wide, count in rows:
        assert number(float(bar["x"])) == pytest.approx(low, abs=0.02)
        assert float(bar["width"]) == pytest.approx(wide / 100 * 634 - 1, abs=0.1)
        assert float(bar["y"]) == pytest.approx(min(down(count), down(0)), abs=0.1)
        assert float(bar["height"]) == pytest.approx(abs(down(count) - down(0)), abs=0.1)
        ends = float(line["y1"]), float(line["y2"])
        assert ends == pytest.approx((down(count - error), down(count + error)), abs=0.1)
        assert number(float(line["x1"])) == pytest.approx(low + wide / 2, abs=0.2)
    assert len(bars) == 3


@pytest.mark.parametrize(("bins", "many"), [(40, 41), (1_100, 368)])
def test_the_picture_of_running_counts_is_their_curve_and_two_errors(bins, many):
    """Every edge, or of 1,100 every third one and the last."""
    rng = np.random.default_rng(8)
    release = dp.PrefixSums(bins).release(COLUMN, dp.ZCDP(0.001), rng)
    step = -(-bins // 512)
    kept = [*range(0, bins, step), bins]
    root = ET.fromstring(picture(release))
    number = across(root)
    ways = [each.attrib["d"] for each in root.iter() if each.tag.endswith("path")]
    band, curve = (
        [tuple(map(float, one.split())) for one in re.split("[MLZ]", way) if one] for way in ways
    )
    assert len(kept) == len(curve) == many
    assert len(band) == 2 * many
    counts = np.array([0.0, *release.counts])[kept]
    errors = np.array([0.0, *release.standard_errors])[kept]
    top, bottom = (counts + 2 * errors).max(), (counts - 2 * errors).min()
    down = lambda count: 360 - (count - bottom) / (top - bottom) * 330  # noqa: E731
    for at, (edge, count, error) in enumerate(zip(kept, counts, errors, strict=True)):
        assert number(curve[at][0]) == pytest.approx(100 * edge / bins, abs=0.02)
        assert curve[at][1] == pytest.approx(down(count), abs=0.06)
        assert band[at] == (curve[at][0], pytest.approx(down(count + 2 * error), abs=0.06))
        assert band[-1 - at] == (curve[at][0], pytest.approx(down(count - 2 * error), abs=0.06))


def test_the_picture_of_a_map_colours_the_sure_rectangles_alone():
    release = one("quadtree")
    best = dp.estimate(release)
    counts, errors = best.levels.counts[4], np.sqrt(best.levels.node_variances(4))
    sure = int((counts > 2 * errors).sum())
    root = ET.fromstring(picture(release))
    drawn = [each for each in root.iter() if each.tag.endswith("rect")]
    assert len(drawn) == sure + 1  # and the ground
    assert any(f"{sure:,} of {counts.size:,}" in (each.text or "") for each in root.iter())


def test_the_picture_of_a_tree_counts_its_parts_and_draws_one_standard_error():
    """A part is a line from an error below its count to an error above it."""
    release = one("tree")
    levels = dp.efficient(release).levels
    texts = [each.text or "" for each in ET.fromstring(picture(release)).iter()]
    (said,) = (one for one in texts if one.startswith("People in each of "))
    parts, _, end = said.removeprefix("People in each of ").partition(" parts, ")
    assert int(parts.replace(",", "")) in {counts.size for counts in levels.counts}
    assert end == "± one standard error"


def test_the_dark_picture_has_the_colours_of_the_dark_page():
    assert DARK.private in picture(one("tree"), DARK)
    assert DARK.private not in picture(one("tree"))
