"""Named places of an own file: what is drawn, spent and said, also of several rows a person."""

import io
from dataclasses import replace

import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.person_rows import PersonRows
from dpviz.intake.counted.counted_table import People
from dpviz.intake.read import read_table
from dpviz.ui.kit.session import Upload
from tests.pages.driver import healthy, opened, pick, text
from tests.pages.maps import with_points

FILE = ("a,b,state,county,who\n" + "".join(
    f"{at % 97},{at % 53},{('N', 'S', 'X')[at % 3]},{'ab'[at % 2]},p{at % 40}\n"
    for at in range(600)
)).encode()  # fmt: skip  # 200 rows of N and of S each, 200 elsewhere; 15 rows a person
NAMES = b"age,state,county\n" + b"".join(
    f"{at % 97},{('N', 'S', 'X')[at % 3]},{'ab'[at % 2]}\n".encode() for at in range(600)
)
LIST = "state,county,people\nN,a,100\nN,b,100\nS,a,100\nS,b,100\nS,c,9"


def own(*, truth=True, rows=None, asked=True, listed=LIST):
    app = with_points(FILE, truth=truth)
    if rows is not None:
        found = app.session_state["_upload"]
        app.session_state["_upload"] = replace(found, people=People("who", rows))
    app.session_state["_draws_always"] = asked
    app.session_state["_accounts"] = {}
    pick(app, map_view="places")
    pick(app, m_list=listed)
    app.session_state["_accounts"] = {}
    return pick(app, m_own=True)


def paid(app, payer="upload"):
    accounts = app.session_state["_accounts"]
    entries = accounts[payer].entries if payer in accounts else []
    return [(one.what, one.budget, one.times) for one in entries]


def test_the_file_is_drawn_once_it_is_asked_for_and_paid_once():
    app = own(truth=False, asked=False)
    assert paid(app) == []
    assert "Nothing is drawn yet" in text(app)
    assert "The count of a county will be within" in text(app)
    healthy(app.button(key="draw_now").click().run())
    assert paid(app) == [("8 named places", PureDP(0.5), 1)]
    assert "8 counts of your file for" in text(app)
    for setting in ({"m_counts": "as measured"}, {"truth": True}):
        pick(app, **setting)
        assert len(paid(app)) == 1


def test_with_the_truth_the_errors_stand_by_level_and_without_it_nothing_does():
    app = own()
    assert "Errors of this draw by level" in text(app)
    assert "by the true counts, which are confidential" in text(app)
    assert "nothing is released" not in text(app)
    app = own(truth=False)
    for word in ("Errors of this draw", "true counts", "nothing is released"):
        assert word not in text(app)
    assert not [one for one in app.dataframe if "true" in one.value]


@pytest.mark.parametrize(("rows", "total"), [(PersonRows.at_most(3), 120), (None, 400)], ids=str)
def test_people_with_several_rows_spend_once(rows, total):
    """40 people, of whom each has 10 rows in the list: at most 3 of these count."""
    app = own(rows=rows)
    frames = [one.value for one in app.dataframe if "true" in one.value]
    assert frames[0]["true"].astype(int)[0] == total
    payer = "upload" if rows is None else "upload_people"
    assert paid(app, payer) == [("8 named places", PureDP(0.5), 1)]
    assert paid(app, "upload_people" if rows is None else "upload") == []


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("listed", "rows", "said"),
    [
        ("", None, "Paste the public list of places first"),
        ("land,people\nN,1\nS,2", None, "There is no column 'land'"),
        ("who,people\np1,1\np2,2", PersonRows.at_most(2), "is no level of places"),
        (LIST, PersonRows.weighted(), "counted in parts"),
    ],
)
@pytest.mark.parametrize("truth", [True, False])
def test_refusals_hang_on_what_was_declared(listed, rows, said, truth):
    app = own(listed=listed, rows=rows, truth=truth)
    assert said in " ".join(one.value for one in app.error).replace("\\", "")
    assert paid(app) == []


def test_a_list_without_any_row_of_the_file_is_no_refusal():
    app = own(truth=False, listed="state,people\nQ,5\nR,0")
    assert not app.error
    assert "3 counts of your file" in text(app)
    link = str(dict(app.query_params))
    assert "m_own" not in link
    assert "m_list" not in link


def without_a_map(*, asked=True):
    """The Map page on a file with a single column of numbers, which is no map."""
    app = opened()
    own = Upload(read_table(io.BytesIO(NAMES), "names.csv"), 1, "age")
    app.session_state["_upload"] = own
    visit = {"column": "upload", "plane": "upload", "latest": "upload", "truth_own": False}
    app.session_state["_visit"] = {**app.session_state["_visit"], **visit}
    app.session_state["_draws_always"] = asked
    app = healthy(app.switch_page("pages/map.py").run())
    app.session_state["_accounts"] = {}
    pick(app, map_view="places")
    return pick(app, m_list=LIST)


def test_a_file_that_is_no_map_is_counted():
    app = without_a_map()
    assert paid(app) == []
    healthy(pick(app, m_own=True))
    assert paid(app) == [("8 named places", PureDP(0.5), 1)]
    assert "8 counts of your file for" in text(app)
    pick(app, truth=True)
    assert len(paid(app)) == 1
    frames = [one.value for one in app.dataframe if "true" in one.value]
    assert frames[0]["true"].astype(int).tolist()[:3] == [400, 200, 200]
    pick(app, map_view="map")
    assert "A map needs two columns of numbers" in text(app)
    assert len(paid(app)) == 1


def test_a_file_that_is_no_map_is_drawn_with_bits_of_its_own():
    """The page works on the file, not on the sample of the map: its account pays, its bits draw."""
    app = without_a_map(asked=False)
    pick(app, m_own=True)
    assert paid(app) == []
    assert "Nothing is drawn yet" in text(app)
    healthy(app.button(key="draw_now").click().run())
    assert list(app.session_state["_accounts"]) == ["upload"]
    shown = [one.value for one in app.dataframe if "private count" in one.value]
    again = without_a_map(asked=False)
    pick(again, m_own=True)
    healthy(again.button(key="draw_now").click().run())
    other = [one.value for one in again.dataframe if "private count" in one.value]
    assert not shown[0].equals(other[0])
