"""The whole way of somebody else's data with the truth off: file, bounds, release, ledger.

Nothing true is found on any screen, in any link or download, or in anything that the server sends.
"""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from dpviz.core.releases import QuantileRelease
from tests.browser.steps import (
    answered,
    ask,
    download,
    go_to,
    headline,
    names,
    opened,
    press,
    tracebacks,
    upload,
    visit,
)
from tests.browser.test_main_job import DECILES, assert_private, published
from tests.pages.driver import executed
from tests.pages.unmistakable import MARKS

FILE = "adult_age.csv"
FURTHER = ("Trees", "One person")
FEW = ("Release as JSON", "Report")
# every text of the page, in the components' shadow roots, too, and what screen readers are told
SEEN = """
() => {
  const found = [];
  const walk = node => {
    if (node.shadowRoot) walk(node.shadowRoot);
    for (const one of node.attributes ?? [])
      if (/^(aria-|title|alt|placeholder|value|href)/.test(one.name)) found.push(one.value);
    for (const child of node.childNodes)
      child.nodeType === 3 ? found.push(child.data) : child.nodeType === 1 && walk(child);
  };
  walk(document.body);
  return found.join("\\n");
}
"""


class Truth:
    """What must not be told of a column, in every notation, and where it was looked for."""

    def __init__(self, file: Path) -> None:
        with file.open(encoding="utf-8") as lines:
            self.values = np.array([float(row[0]) for row in list(csv.reader(lines))[1:]])
        n, mean = self.values.size, float(self.values.mean())
        counts = {n, n // 2}
        self.patterns = [
            *(rf"(?<![\d.]){MARKS.join(f'{one:,}'.split(','))}(?!\d)" for one in counts),
            rf"(?<![\d.]){re.escape(f'{mean:.2f}')}",
            rf"(?<![\d.]){re.escape(f'{self.values.std():.2f}')}",
        ]
        self.places = 0

    def is_told_by(self, text: str) -> list[str]:
        self.places += 1
        return [hit for one in self.patterns for hit in re.findall(one, text)]


@pytest.fixture
def truth(shared_data: Path) -> Truth:
    file = shared_data / FILE
    if not file.is_file():
        pytest.skip(f"no real data: {file} is not there")
    return Truth(file)


def assert_hidden(page: Page, truth: Truth) -> None:
    assert tracebacks(page).count() == 0
    assert truth.is_told_by(page.evaluate(SEEN)) == []
    assert truth.is_told_by(page.url) == []
    assert "adult" not in page.url


def saved(page: Page, button: str) -> str:
    with page.expect_download() as found:
        page.get_by_role("button", name=button, exact=True).first.click()
    text = Path(found.value.path()).read_text(encoding="utf-8")
    # the library inside a page of a figure is nobody's data
    return text[text.rindex("Plotly.newPlot(") :] if text.lstrip().startswith("<html") else text


def assert_as_drawn(files: dict[str, str], drawn: Any) -> None:
    """What else is taken away is of the release that is drawn."""
    rows = list(csv.DictReader(io.StringIO(files["Release as CSV"])))
    assert [float(row["quantile"]) for row in rows] == pytest.approx(DECILES)
    assert [float(row["value"]) for row in rows] == drawn.tolist()
    assert set(rows[0]) == {"mechanism", "quantile", "value"}
    assert "release.json" in files["Notebook"]


# tests/pages/test_release_view.py goes on to every page
@pytest.mark.parametrize("further", [False, True])
@pytest.mark.thorough  # what is sent of a file, says tests/pages/test_release_view.py of every view
def test_adult_ages_are_published_and_nothing_true_is_shown(
    page: Page,
    server: str,
    shared_data: Path,
    truth: Truth,
    received: list[str],
    further: bool,
) -> None:
    visit(page, f"{server}/data")
    upload(page, shared_data / FILE, truth=False)
    assert "Stays up here, whatever you publish" in page.evaluate(SEEN)
    assert_hidden(page, truth)

    # 0 to 120, by keyboard: the kind gives the axis its scale
    page.get_by_role("radio", name="Age", exact=True).focus()
    with answered(page):
        page.keyboard.press("Space")
    assert headline(page) == "You declare that an adult age lies between 0 and 120."
    assert_hidden(page, truth)

    go_to(page, "Quantiles")
    assert "Nothing is drawn yet: this draw spends ε = 0.1." in headline(page)
    ask(page)
    assert_hidden(page, truth)
    assert re.search(r"\d", headline(page))
    with opened(page, page.get_by_role("button", name="Make another release")):
        press(page, "Spend and publish")
    assert_hidden(page, truth)

    drawn = published(page)
    near = {"rtol": 0, "atol": 2.5}  # ε = 0.1 of tens of thousands of people, between 0 and 120
    deciles = np.quantile(truth.values, DECILES)
    np.testing.assert_allclose(drawn, deciles, **near)
    text = saved(page, "Download")
    release = QuantileRelease.from_json(text)
    assert release.to_dict() == json.loads(text)
    assert json.loads(text)["spent"] == {"notion": "pure", "epsilon": 0.1}
    np.testing.assert_array_equal(release.values, drawn)
    assert_private(json.loads(text), 0, 120, 1)

    press(page, "Take away")
    lines = page.get_by_test_id("stCode").first.inner_text()
    with opened(page, page.get_by_role("button", name="JSON")):
        assert_hidden(page, truth)
    titles = [
        one.strip().splitlines()[-1]
        for one in page.get_by_test_id("stDownloadButton").all_inner_texts()
    ]
    files = {title: saved(page, title) for title in titles if further or title in FEW}
    assert not [title for title, one in files.items() if truth.is_told_by(one)]
    assert_hidden(page, truth)
    assert files["Release as JSON"] == text
    assert set(FEW) <= set(titles)
    assert "AES-256" in files["Report"]
    if further:
        assert_as_drawn(files, drawn)
    # the lines take bits of their own: another release of the same law
    (again,) = executed(lines, shared_data)["releases"].values()
    np.testing.assert_allclose(again.values, deciles, **near)

    with opened(page, page.get_by_role("button", name=re.compile("Spent"))):
        said = page.get_by_test_id("stPopoverBody").inner_text()
        assert "ε = 0.2" in said  # the release that opened the page, and the one that was asked for
        assert_hidden(page, truth)

    for title in FURTHER if further else ():
        go_to(page, title)
        assert_hidden(page, truth)
        assert "answers" not in names(page)  # of a true count
        assert "shows true data" not in page.get_by_test_id("stMain").inner_text()
    sent = "\n".join(received)
    assert len(sent) > 50_000
    assert truth.is_told_by(sent) == []
    assert truth.places > 15
    if further:
        go_to(page, "Quantiles")
        press(page, "Reveal (teaching only)")
        assert "true CDF" in names(page)
        assert "true CDF" not in download(page, "Private figure as HTML")


def test_the_net_catches_what_it_is_made_for(truth: Truth) -> None:
    n = truth.values.size
    for text in (f"n = {n}", f"{n:,} people", f"mean {truth.values.mean():.2f} years"):
        assert truth.is_told_by(text)
    assert not truth.is_told_by("half are at most 37; 0 to 120; ε = 0.1")
