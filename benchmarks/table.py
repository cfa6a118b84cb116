"""A table of 2 GB that stays on the disk: from its page to the first private CDF, and on."""

from __future__ import annotations

import os
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
from playwright.sync_api import Page, sync_playwright
from pyarrow import parquet

from benchmarks._chromium import chromium_path
from benchmarks.browser import CHANGES, CLOCK, seconds_of_a_change
from benchmarks.load import server
from benchmarks.results import Speeds
from benchmarks.targets import TABLE_CHANGE, TABLE_FIRST, Row
from tests.browser.conftest import FLAGS
from tests.browser.steps import declare, opened, press, switch, visit

PRICE = re.compile(r"^Draw, ε = ")
TITLE = "A table that stays on the disk"
ROWS, AT_ONCE = 250_000_000, 25_000_000  # doubles of all digits: 2 GB
MEASURES = (TABLE_FIRST, TABLE_CHANGE, TITLE)
SECRETS = '[tables.many]\ntitle = "Many"\nurl = "{}"\n'


@contextmanager
def declared_home() -> Iterator[Path]:
    """A home folder whose secrets declare the table, which is made on the spot."""
    with tempfile.TemporaryDirectory(prefix="dpviz_table_") as folder:
        place, rng = Path(folder), np.random.default_rng(6)
        schema = pa.schema([("pay", pa.float64())])
        with parquet.ParquetWriter(
            place / "many.parquet", schema, compression="none", use_dictionary=False
        ) as file:
            for _ in range(ROWS // AT_ONCE):
                file.write_table(pa.table([rng.lognormal(10.4, 0.5, AT_ONCE)], schema=schema))
        (place / ".streamlit").mkdir()
        text = SECRETS.format((place / "many.parquet").as_posix())
        (place / ".streamlit" / "secrets.toml").write_text(text, encoding="utf-8")
        before = os.environ.get("HOME", "")
        os.environ["HOME"] = folder
        try:
            yield place
        finally:
            os.environ["HOME"] = before


def first_picture(page: Page) -> float:
    """Seconds from the click that opens Quantiles to its picture, which is asked for at once."""
    start = time.perf_counter()
    page.get_by_role("button", name="Go to Quantiles").click()
    page.get_by_role("button", name=PRICE).first.click()
    page.locator(".js-plotly-plot .cartesianlayer").first.wait_for(
        state="attached", timeout=120_000
    )
    return time.perf_counter() - start


def rows() -> list[Row]:
    """The first picture, and the median of ten further budgets, with the truth on."""
    path = chromium_path()
    if path is None:
        return []
    with declared_home(), server.running() as (address, _), sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS[:-1])
        page = chromium.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        visit(page, f"{address.http}/data")
        with opened(page, page.get_by_role("button", name="A file or a table")):
            press(page, "Many")
        declare(page, "0", "500000", "10")
        first = first_picture(page)
        page.get_by_role("button", name="Reveal (teaching only)").click()
        with opened(page, page.get_by_role("button", name="Spent")):
            switch(page, "Draw at every change, without asking")
        page.get_by_role("button", name="Expert").click()
        page.get_by_label("ε, exact", exact=True).wait_for()
        page.evaluate(CLOCK)
        # so small that 250 million people do not give the same picture every time
        seconds_of_a_change(page, "0.00001")
        times = [seconds_of_a_change(page, f"0.0000{at + 10}") for at in range(1, CHANGES + 1)]
        chromium.close()
    return [
        Row(TABLE_FIRST, first, "s"),
        Row(TABLE_CHANGE, 1e3 * statistics.median(times), "ms"),
    ]


def run() -> list[Speeds]:
    """All rows, with what was measured."""
    found = rows()
    note = f"{ROWS:,} doubles in one Parquet file of 2 GB, counted in 50,001 steps by DuckDB."
    return [Speeds(TITLE, found, note)]


if __name__ == "__main__":
    run()
