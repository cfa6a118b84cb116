"""A table that changes: every count of it is a new draw, and what was found decides nothing."""

import os
import time

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from dpviz.intake.counted.counting import Counting
from dpviz.ui.data import uploading
from dpviz.ui.data.people import HOW, SHARE, WHO
from dpviz.ui.data.uploading import DeclaredTable
from dpviz.ui.kit import memory
from dpviz.ui.understand import rows
from tests.pages.driver import asking_nobody, healthy, opened, pick, text
from tests.pages.own_file import at

PAY = np.random.default_rng(29).integers(0, 100, 500)
SETTINGS = {"low": 0.0, "high": 100.0, "resolution": 1.0}


def write(place, rows):
    """The first so many rows of the table, in a new file of its name."""
    own = {"pay": PAY, "wait": PAY[::-1], "visitor": np.arange(PAY.size) // 2}
    parquet.write_table(pa.table(own).slice(0, rows), place)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A declared table of 400 rows on the disk."""
    place = tmp_path / "pay.parquet"
    write(place, 400)
    one = DeclaredTable("Pay", place.as_posix())
    monkeypatch.setattr(uploading, "declared_tables", lambda: {"pay": one})
    return place


def declared(**visit):
    """The Data page on the table, its column declared; the truth is off."""
    app = opened("data")
    asking_nobody(healthy(app.button(key="table_pay").click().run()))
    app.session_state["_visit"] |= {f"own1_0_{name}": one for name, one in SETTINGS.items()} | visit
    return healthy(app.run())


def in_plane(app):
    pick(app, upload_y="wait")
    app.session_state["_visit"] |= {"y_low": 0.0, "y_high": 100.0}
    return healthy(app.run())


def recounted(app):
    at(app, "data")
    return healthy(app.button(key="count_again").click().run())


def numbers(app, page="quantiles"):
    """What the last release of a page published."""
    at(app, page)
    kept = [getattr(one, "release", one) for one in app.session_state["_results"].values()]
    made = [one for one in kept if hasattr(one, "spent") and hasattr(one, "parameters")][-1]
    return np.ravel(made.values if page == "quantiles" else made.counts[-1])


def entries(app):
    """What was booked, without the names of the releases."""
    accounts = app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401
    return [(one.what, one.budget, one.times) for kept in accounts.values() for one in kept.entries]


def counts(app):
    return [one for one in app.session_state["_counts"].values() if isinstance(one, Counting)]


@pytest.mark.few(2)
@pytest.mark.parametrize("rows", [400, 401, 399])
@pytest.mark.parametrize("page", ["quantiles", "trees", "map"])
def test_a_recount_is_a_new_draw_whatever_came_of_it(page, rows, place):
    """The same picture of behaviour with no row more, one more and one less."""
    app = in_plane(declared()) if page == "map" else declared()
    first, booked = numbers(app, page), entries(app)
    assert len(booked) == 1
    write(place, rows)
    recounted(app)
    second = numbers(app, page)
    assert (second != first).mean() > 0.5
    assert entries(app) == booked * 2
    np.testing.assert_array_equal(numbers(app, page), second)  # one count, one draw
    assert entries(app) == booked * 2


@pytest.mark.parametrize("rows", [400, 401])
def test_nothing_of_the_table_decides_that_it_is_counted_again(rows, place):
    app = declared()
    first, booked = numbers(app), entries(app)
    write(place, rows)
    os.utime(place, ns=(1, 1))
    for page in ("data", "trees", "quantiles"):
        at(app, page)
    np.testing.assert_array_equal(numbers(app), first)
    assert entries(app)[0] == booked[0]
    assert len(counts(app)) == 1


@pytest.mark.parametrize("rows", [400, 401])
def test_a_count_that_was_pushed_out_comes_back_as_a_new_draw(rows, place):
    app = declared()
    first, booked = numbers(app), entries(app)
    write(place, rows)
    app.session_state["_counts"].clear()
    assert (numbers(app) != first).mean() > 0.5
    assert entries(app) == booked * 2


def test_all_columns_of_a_table_are_a_new_draw_as_well(place):
    app = declared()
    at(app, "quantiles")
    pick(app, q_view="profile")
    booked = entries(app)
    pick(at(recounted(app), "quantiles"), q_view="profile")
    assert [one[0] for one in booked] == ["AQ", "profile of 1 column"]
    assert entries(app) == [*booked, booked[-1]]


def test_a_table_of_people_is_a_new_draw_as_well(place):
    app = pick(pick(declared(), **{WHO: "visitor"}), **{HOW: SHARE})
    first, booked = numbers(app), entries(app)
    recounted(app)
    assert (numbers(app) != first).mean() > 0.5
    assert entries(app) == booked * 2


def test_what_was_released_for_good_is_asked_anew_of_a_new_count(place):
    app = declared()
    app.session_state["_visit"] |= {"given": "budget", "eps": 0.1, "what": "count"}
    at(app, "decide")
    healthy(app.button(key="decide_button").click().run())
    assert app.button(key="decide_button").label == "Ask for something else"
    at(recounted(app), "decide")
    assert app.button(key="decide_button").label == "Release, once, ε = 0.1"


def writable(path):
    """A connection that may write, once the count that was stopped has let go of the file."""
    end = time.monotonic() + 30
    while True:
        try:
            return duckdb.connect(str(path))
        except duckdb.ConnectionException:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def test_a_count_that_was_stopped_books_nothing_and_the_next_one_is_a_draw(tmp_path, monkeypatch):
    with duckdb.connect(str(tmp_path / "house.db")) as database:
        database.execute(
            "create view slow as select i as pay from range(1000000000000) as t(i) where i % 7 = 3"
        )
    one = DeclaredTable("Pay", f"duckdb://{(tmp_path / 'house.db').as_posix()}", "slow")
    monkeypatch.setattr(uploading, "declared_tables", lambda: {"pay": one})
    monkeypatch.setattr(memory, "_wait", lambda job: job.stop())
    app = at(declared(), "quantiles")
    assert "The count was stopped" in text(app)
    assert entries(app) == []
    with writable(tmp_path / "house.db") as database:
        database.execute("create or replace view slow as select i as pay from range(90) as t(i)")
    next(one for one in app.button if one.label == "Count again").click()
    healthy(app.run())
    assert len(entries(app)) == 1


def test_counts_of_equal_rows_have_nonces_of_their_own(place):
    app = declared()
    numbers(app)
    (one,) = [found.result() for found in counts(app)]
    recounted(app)
    numbers(app)
    (other,) = [found.result() for found in counts(app)]
    assert one.digest == other.digest
    assert memory.nonce_of(one) != memory.nonce_of(other)
    assert len(memory.nonce_of(one)) == memory.NONCE_BYTES


def test_the_page_says_that_a_new_state_is_a_new_draw_and_what_never_changes_has_no_button(place):
    app = declared()
    assert "A new state of the table is a new draw" in text(app)
    app.file_uploader(key="file").upload("a.csv", b"a\n1\n2\n", "text/csv")
    asking_nobody(healthy(app.run()))
    assert "A new state of the table" not in text(app)
    assert not [one for one in app.button if one.key == "count_again"]


def test_a_table_that_is_opened_again_is_a_new_draw(place):
    app = declared()
    first, booked = numbers(app), entries(app)
    at(app, "data")
    asking_nobody(healthy(app.button(key="table_pay").click().run()))
    app.session_state["_visit"] |= {f"own2_0_{name}": one for name, one in SETTINGS.items()}
    assert (numbers(app) != first).mean() > 0.5
    assert entries(app) == booked * 2


@pytest.mark.usefixtures("place")
def test_a_run_may_wait_for_several_counts(monkeypatch):
    """Each shows that it is under way; with one name for all, the second ended the page."""
    looked, wait = [], Counting.wait

    def slow(job, seconds):
        """Not done at the first look."""
        looked.append(job)
        return looked.count(job) > 1 and wait(job, max(seconds, 30))

    app = declared(view_quantiles="profile")
    app.session_state["_visit"] |= {f"own1_1_{name}": one for name, one in SETTINGS.items()}
    monkeypatch.setattr(Counting, "wait", slow)
    healthy(at(app, "quantiles"))
    assert len({id(one) for one in looked}) == 2
    assert [what for what, *_ in entries(app)] == ["profile of 2 columns"]


@pytest.mark.few(1)
@pytest.mark.parametrize("way", [rows.LEAVES, rows.JOINS])
@pytest.mark.parametrize("rows", [400, 399])
def test_one_person_beside_a_new_count_is_a_new_draw(way, rows, place):
    """Who joins is no count: an unchanged table gave the same noise, and no second entry."""
    app = declared(truth_own=True, n_way=way)
    for times in (1, 2, 3):
        at(app, "neighbours")
        publish = next(one for one in app.button if "ublish" in (one.label or ""))
        healthy(publish.click().run())
        assert [one[2] for one in entries(app)] == [1] * times
        write(place, rows)
        recounted(app)
        app.session_state["_visit"]["seed"] = 1
