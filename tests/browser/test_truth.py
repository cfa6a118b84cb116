"""The truth switch: off, only what a release holds stays on screen; and draws that stay put."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from playwright.sync_api import Page

from tests.browser.steps import (
    chart,
    curve,
    declare,
    go_to,
    names,
    press,
    switch,
    tracebacks,
    upload,
    visit,
    write,
)

CONFIDENTIAL = ("48,842", "48842", "Mean gap", "True (conf", "True CDF", "largest", "in theory")


# all text of the page and the numbers of its tables: those are drawn on a canvas, a moment after
# the rest, and stand beside it in a hidden table
TEXT = """document.body.innerText + [...document.querySelectorAll('table')]
    .map(table => table.textContent).join(' ')"""


def assert_tells_nothing(page: Page) -> None:
    page.wait_for_function(
        f"words => {{ const text = {TEXT}; return words.every(word => !text.includes(word)); }}",
        arg=list(CONFIDENTIAL),
    )


def assert_tells(page: Page, word: str) -> None:
    page.wait_for_function(f"word => ({TEXT}).includes(word)", arg=word)


def test_off_means_private_values_only_and_on_brings_them_back(
    page: Page, server: str, shared_data: Path
) -> None:
    visit(page, server)
    upload(page, shared_data / "adult_age.csv")
    declare(page, "0", "120", "1")
    assert_tells(page, "48,842")
    go_to(page, "Quantiles")
    switch(page, "Bands over runs")
    assert names(page) == [
        "AQ, 90 % of runs",
        "JointExp, 90 % of runs",
        "True CDF (confidential)",
        "AQ",
        "JointExp",
    ]
    before = curve(page, "AQ")

    switch(page, "Show the truth")
    for detail in ("Table", "Recursion tree", "Synthetic column", "Download and code"):
        if detail != "Table":
            press(page, detail)
        assert names(page) == ["AQ", "JointExp"]
        assert_tells_nothing(page)
        charts = page.locator(".js-plotly-plot").count()
        assert charts == (2 if detail in ("Recursion tree", "Synthetic column") else 1)
        if detail == "Recursion tree":  # the node's private numbers, but no sub-problem sizes
            (_, marks) = chart(page, 1)
            assert marks["name"] == "private quantile drawn there"
    np.testing.assert_array_equal(curve(page, "AQ")[0], before[0])
    assert page.get_by_text("Release view: private values only").count() == 1
    go_to(page, "Data")
    assert_tells_nothing(page)
    assert page.locator(".js-plotly-plot").count() == 0

    switch(page, "Show the truth")
    assert_tells(page, "48,842")
    assert page.locator(".js-plotly-plot").count() == 2
    go_to(page, "Quantiles")
    assert "True CDF (confidential)" in names(page)
    assert_tells(page, "Mean gap")
    press(page, "Table")
    assert_tells(page, "True (conf")
    assert tracebacks(page).count() == 0


def test_a_draw_stays_until_another_is_asked_for(
    page: Page, server: str, shared_data: Path
) -> None:
    visit(page, server)
    upload(page, shared_data / "ne_addresses.csv")
    declare(page, "0", "1")
    go_to(page, "Quantiles")
    press(page, "AppIndExp")
    first = {name: curve(page, name)[0] for name in ("AQ", "JointExp", "AppIndExp")}

    def same() -> list[bool]:
        return [np.array_equal(curve(page, name)[0], values) for name, values in first.items()]

    press(page, "Recursion tree")
    switch(page, "Bands over runs")
    press(page, "AggTree")
    switch(page, "Show the truth")
    switch(page, "Show the truth")
    assert all(same())
    go_to(page, "Methods")
    go_to(page, "Data")
    assert page.locator("strong", has_text="ne_addresses.csv").count() == 1
    go_to(page, "Quantiles")
    assert all(same())  # with the file, its bounds, the mechanisms and the detail view
    assert names(page)[-4:] == ["AQ", "JointExp", "AppIndExp", "AggTree"]
    assert page.get_by_role("radio", name="Recursion tree", checked=True).count() == 1
    assert page.get_by_label("Bands over runs", exact=True).is_checked()

    press(page, "New draw")
    assert page.get_by_label("Seed", exact=True).input_value() == "2"
    assert not any(same())
    write(page, "Seed", "1")
    assert all(same())
