"""A declared table of many rows: opened, counted, released; nothing true leaves."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from playwright.sync_api import Page
from pyarrow import parquet

from dpviz.core.bounds import Bounds, Box
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.releases import QuantileRelease
from dpviz.core.spatial.release import SpatialRelease
from dpviz.counts.spatial import count_leaves, quadtree_leaves
from tests.browser.conftest import running_app
from tests.browser.steps import (
    ask,
    choose,
    declare,
    go_to,
    opened,
    press,
    settle,
    tracebacks,
    visit,
    write,
)
from tests.browser.test_upload_walk import assert_hidden, saved

TABLE_BUTTON = re.compile("A file or a table|Your table")
ROWS, MISSING = 500_003, 4_321
PAY, BOX = Bounds(0, 200_000), Box(Bounds(5, 15), Bounds(47, 55))
SLOW = "create view slow as select i as pay from range(1000000000000) as t(i) where i % 7 = 3"
SECRETS = """
[tables.visits]
title = "Visits of 2025"
url = "{folder}/visits.parquet"
[tables.nowhere]
title = "Nowhere"
url = "{folder}/nowhere/secret_place.parquet"
[tables.slow]
title = "Slow"
url = "duckdb://{folder}/house.db"
table = "slow"
"""


class Told:
    """The counts that no screen and no file may hold, and what the table is."""

    def __init__(self, folder: Path) -> None:
        rng = np.random.default_rng(18)
        pay = rng.lognormal(10.4, 0.8, ROWS).round()
        pay[:MISSING] = np.nan
        self.column = Column.from_values(pay, PAY, 100)
        lon, lat = rng.normal(9, 1.5, ROWS), rng.normal(51, 1.5, ROWS)
        self.points = Points.from_xy(lon, lat, BOX)
        visitor = rng.integers(0, ROWS // 4, ROWS)
        counts = (ROWS, self.column.n, self.column.clipped, MISSING, self.points.clipped)
        self.patterns = [rf"(?<!\d){one}(?!\d)|{one:,}" for one in counts]
        self.places, self.folder, self.log = 0, folder, folder / "log.txt"
        parquet.write_table(
            pa.table({"pay": pay, "lon": lon, "lat": lat, "visitor": visitor}),
            folder / "visits.parquet",
        )
        # the address is on the screen of nobody: a folder with a name of its own tells it
        self.patterns.append(re.escape(folder.name))

    def is_told_by(self, text: str) -> list[str]:
        self.places += 1
        return [hit for one in self.patterns for hit in re.findall(one, text)]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(tmp_path_factory.mktemp("warehouse"))


@pytest.fixture(scope="module")
def tables_server(told: Told, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An app whose runner declared three tables, in the secrets of a home of its own."""
    home = tmp_path_factory.mktemp("home")
    (home / ".streamlit").mkdir()
    with duckdb.connect(str(told.folder / "house.db")) as database:
        database.execute(SLOW)
    text = SECRETS.format(folder=told.folder.as_posix())
    (home / ".streamlit" / "secrets.toml").write_text(text, encoding="utf-8")
    with running_app(told.log, home=home) as address:
        yield address
        # whoever runs the app is told what could not be opened, and nothing of what could
        log = told.log.read_text(encoding="utf-8").splitlines(keepends=True)
        assert told.is_told_by("".join(line for line in log if "secret_place" not in line)) == []


def declared(page: Page, server: str, title: str) -> None:
    """Open a table that whoever runs the app has declared."""
    visit(page, f"{server}/data")
    another(page, title)


def another(page: Page, title: str) -> None:
    with opened(page, page.get_by_role("button", name=TABLE_BUTTON)):
        press(page, title)
    settle(page)


@pytest.mark.thorough  # tests/pages/test_declared_tables.py looks at all that is sent
def test_a_table_is_refused_or_counted_and_released_and_nothing_true_leaves(
    page: Page, tables_server: str, told: Told
) -> None:
    declared(page, tables_server, "Nowhere")
    assert page.get_by_text("Nowhere was not read").count() == 1
    assert "secret_place" not in page.content()
    assert "secret_place" in told.log.read_text(encoding="utf-8")

    another(page, "Visits of 2025")
    assert_hidden(page, told)
    assert page.get_by_role("button", name="Your table").count() == 1
    declare(page, "0", "200000", "100")
    go_to(page, "Quantiles")
    assert_hidden(page, told)
    ask(page)
    assert_hidden(page, told)
    text = saved(page, "Download")
    assert told.is_told_by(text) == []
    release = QuantileRelease.from_json(text)
    assert release.randomness == "secure"
    found = told.column.count_up_to(release.values) / told.column.n
    np.testing.assert_allclose(found, release.quantiles, atol=0.01)
    assert told.places > 3


@pytest.mark.thorough  # tests/pages/test_tables.py counts two columns without a browser
def test_a_map_of_a_table_is_released_and_nothing_true_leaves(
    page: Page, tables_server: str, told: Told
) -> None:
    declared(page, tables_server, "Visits of 2025")
    page.get_by_role("radiogroup", name="Column").get_by_text("lon", exact=True).click()
    settle(page)
    choose(page, "Second column, for the map", "lat")
    with opened(page, page.get_by_role("button", name="Type the numbers")):
        for label, number in (
            ("Lower bound", "5"),
            ("Upper bound", "15"),
            ("Its lower bound", "47"),
            ("Its upper bound", "55"),
        ):
            write(page, label, number)
    told.places = 0
    go_to(page, "Map")
    ask(page)
    assert_hidden(page, told)
    text = saved(page, "Download")
    # 87,381 noisy counts may be any number; what would tell the truth has a name
    assert not any(word in text for word in ("clipped", "dropped", "missing", told.folder.name))
    drawn = SpatialRelease.from_json(text)
    exact = count_leaves(quadtree_leaves(told.points, drawn.shape.height), drawn.shape.height)
    for level, (noisy, true) in enumerate(zip(json.loads(text)["counts"], exact, strict=True)):
        away = np.abs(np.array(noisy) - true)
        assert away.max() < 10_000  # the same map, …
        assert level < 3 or (away > 0).mean() > 0.5  # … and its counts are noisy
    assert told.places > 1


@pytest.mark.thorough  # tests/pages/test_people.py says it of a page without a browser
def test_of_people_with_several_rows_a_release_says_what_a_person_spends(
    page: Page, tables_server: str, told: Told
) -> None:
    declared(page, tables_server, "Visits of 2025")
    declare(page, "0", "200000", "100")
    assert page.get_by_text("One row counts as one person").count() > 0
    choose(page, "Who is a person?", "All rows of one visitor")
    write(page, "Rows a person, at most", "2")
    assert page.get_by_text("At most 2 rows of each person count").count() == 1
    go_to(page, "Quantiles")
    assert_hidden(page, told)
    ask(page)
    assert_hidden(page, told)
    text = saved(page, "Download")
    assert told.is_told_by(text) == []
    release = QuantileRelease.from_json(text)
    assert (str(release.spent), release.parameters["rows_a_person"]) == ("ε = 0.1", 2)
    found = told.column.count_up_to(release.values) / told.column.n
    np.testing.assert_allclose(found, release.quantiles, atol=0.01)


@pytest.mark.thorough
def test_a_long_count_can_be_stopped(page: Page, tables_server: str) -> None:
    declared(page, tables_server, "Slow")
    declare(page, "0", "200000")
    page.get_by_test_id("stHeader").get_by_text("Explore", exact=True).click()
    page.get_by_role("menuitem", name="Quantiles", exact=True).click()
    page.get_by_text("Counting where the table lies").wait_for()
    page.get_by_role("button", name="Stop counting").click()
    again = page.get_by_role("button", name="Count again")
    again.wait_for()
    page.get_by_text("The count was stopped").wait_for()
    assert tracebacks(page).count() == 0
