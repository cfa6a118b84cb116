"""The main job on real columns: from a file to private quantiles on one CDF, and the download."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from dpviz.core.releases import QuantileRelease
from tests.browser.steps import (
    answered,
    ask,
    chart,
    declare,
    download,
    go_to,
    press,
    switch,
    tracebacks,
    upload,
    visit,
)
from tests.conftest import ROOT

DECILES = [i / 10 for i in range(1, 10)]
PUBLIC = {
    "kind", "dpviz", "randomness", "mechanism", "parameters", "neighbours", "spent", "bounds",
    "resolution",
    "quantiles", "values", "recursion",
}  # fmt: skip
PARAMETERS = {"rho_rule", "ties", "round_to_grid"}
CASES = [
    ("adult_age.csv", "0", "120", "1", "adult_age"),
    ("ne_addresses.csv", "0", "1", None, "x"),
]


def published(page: Page) -> np.ndarray:
    """The published values that the picture shows, in the order of their quantiles."""
    trace = next(one for one in chart(page) if one["name"] == "published")
    return np.sort(np.asarray(trace["x"], dtype=float))


def numbers(stored: object) -> set[float]:
    """Every number anywhere in a JSON value."""
    if isinstance(stored, dict):
        return set().union(*map(numbers, stored.values()))
    if isinstance(stored, list):
        return set().union(*map(numbers, stored))
    is_number = isinstance(stored, int | float) and not isinstance(stored, bool)
    return {float(stored)} if is_number else set()


def assert_private(stored: dict[str, object], low: float, high: float, resolution: float) -> None:
    """Nothing but what a release may hold: outputs, declarations, budget."""
    assert set(stored) == PUBLIC
    assert stored["randomness"] == "secure"  # it is of a file
    assert set(stored["parameters"]) == PARAMETERS
    allowed = {low, high, resolution, 0.1, 1.0, *DECILES} | numbers(stored["values"])
    outputs = numbers(stored["values"])
    recursion = stored["recursion"]
    if recursion is not None:
        edges = {low - resolution / 2, high + resolution / 2}
        assert numbers(recursion["low"]) | numbers(recursion["high"]) <= edges | numbers(
            recursion["value"]
        )
        drawn = np.array(recursion["value"])
        rounded = np.round(drawn) if resolution else drawn
        np.testing.assert_array_equal(np.clip(rounded, low, high), stored["values"])
        stored = {**stored, "recursion": None}
    assert numbers(stored) <= allowed | outputs


@pytest.mark.thorough  # test_upload_walk.py says it with the truth off
@pytest.mark.parametrize(("name", "low", "high", "resolution", "column"), CASES)
def test_from_a_file_to_a_release(
    page: Page,
    server: str,
    shared_data: Path,
    tmp_path: Path,
    name: str,
    low: str,
    high: str,
    resolution: str | None,
    column: str,
) -> None:
    visit(page, f"{server}/data")
    upload(page, shared_data / name)
    declare(page, low, high, resolution)
    go_to(page, "Quantiles")
    for _ in range(3):  # the slider, as the keyboard moves it: 0.1, 0.2, 0.5, 1
        page.get_by_role("slider").first.focus()
        with answered(page):
            page.keyboard.press("ArrowRight")
    ask(page)

    drawn = published(page)
    assert drawn.shape == (9,)
    assert ((drawn >= float(low)) & (drawn <= float(high))).all()
    truth = np.genfromtxt(shared_data / name, delimiter=",", names=True)[column]
    true_deciles = np.quantile(truth, DECILES)
    # ε = 1 on tens of thousands of people: close, never far off
    assert np.abs(drawn - true_deciles).max() <= 0.02 * (float(high) - float(low))

    press(page, "Take away")
    stored = json.loads(download(page, "Release as JSON"))
    release = QuantileRelease.from_json(json.dumps(stored))
    assert release.to_dict() == stored
    assert stored["spent"] == {"notion": "pure", "epsilon": 1.0}
    np.testing.assert_array_equal(release.values, drawn)
    assert_private(stored, float(low), float(high), float(resolution or 0))

    rows = list(csv.DictReader(io.StringIO(download(page, "Release as CSV"))))
    assert [float(row["quantile"]) for row in rows] == pytest.approx(DECILES)
    assert [float(row["value"]) for row in rows] == drawn.tolist()
    assert set(rows[0]) == {"mechanism", "quantile", "value"}
    assert "true CDF" not in download(page, "Private figure as HTML")

    lines = page.get_by_test_id("stCode").inner_text()
    (tmp_path / name).symlink_to(shared_data / name)
    said = subprocess.run(
        [sys.executable, "-c", lines],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    # the lines take bits of their own: another release of the same law
    again = np.array(re.findall(r"[\d.]+", said.partition("ApproximateQuantiles")[2]), dtype=float)
    assert again.shape == (9,)
    assert np.abs(again - true_deciles).max() <= 0.02 * (float(high) - float(low))

    assert "AES-256" in download(page, "Report")
    assert "release.json" in download(page, "Notebook")

    for part in (name, name.removesuffix(".csv"), column if len(column) > 1 else "column"):
        assert part not in page.url
    assert tracebacks(page).count() == 0


@pytest.mark.thorough  # test_visit_walk.py and test_trees.py say so of the draw of a visit
def test_a_draw_stays_until_another_is_asked_for(page: Page, server: str) -> None:
    visit(page, f"{server}/quantiles?data=salaries&set=quartiles")
    first = published(page)
    switch(page, "Truth")
    np.testing.assert_array_equal(published(page), first)
    go_to(page, "Methods")
    go_to(page, "Quantiles")
    np.testing.assert_array_equal(published(page), first)
    press(page, "Reveal (teaching only)")
    np.testing.assert_array_equal(published(page), first)
    press(page, "New draw")
    assert (published(page) != first).any()
    assert "seed=2" in page.url
    assert tracebacks(page).count() == 0


def test_a_wrong_release_is_caught() -> None:
    release = {
        "kind": "quantiles", "dpviz": "0", "mechanism": "JointExp", "neighbours": "add-remove",
        "randomness": "secure",
        "parameters": {"rho_rule": "paper", "ties": "keep", "round_to_grid": True},
        "spent": {"notion": "pure", "epsilon": 1.0}, "bounds": [0.0, 120.0], "resolution": 1.0,
        "quantiles": DECILES, "values": [30.0] * 9, "recursion": None,
    }  # fmt: skip
    assert_private(release, 0, 120, 1)
    for wrong in (
        {"n": 48842},
        {"randomness": "seeded"},
        {"bounds": [17.0, 120.0]},
        {"parameters": {**release["parameters"], "seed": 1}},
        {"spent": {"notion": "pure", "epsilon": 1.0, "n": 48842}},
    ):
        with pytest.raises(AssertionError):
            assert_private({**release, **wrong}, 0, 120, 1)
