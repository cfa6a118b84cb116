"""The Data page: two steps, a file that starts hidden, declarations, and all it could do before."""

import json
import secrets

import pytest

from dpviz.core.budgets import Neighbours
from dpviz.intake.samples import samples
from dpviz.ui.data import uploading
from tests.intake.workbooks import excel
from tests.pages.driver import (
    declare,
    figures,
    healthy,
    opened,
    pick,
    shared,
    text,
    uploaded,
    with_file,
)
from tests.pages.unmistakable import FILE, HIGH, LOW, SECOND, content, everything, told

RAGGED = b"a,b\n" + b"1,2\n" * 37 + b"1,2,3\n" * 12
WAGES = b"region;year;wage\nA;2001;10,5\nB;2002;20,5\nC;2003;99999,5\n"


def component(app, name):
    """What the browser is sent for one of the page's own components."""
    (found,) = [one for one in app.get("bidi_component") if one.proto.component_name == name]
    return json.loads(found.proto.json or found.proto.mixed.json)


def barrier(app):
    return component(app, "dpviz_flat_barrier")


def gallery(app):
    return component(app, "dpviz_gallery")


def title(app):
    return app.title[0].value


def on_declare(**link):
    return pick(opened("data", **link), data_step="declare")


def click(app, label):
    next(one for one in app.button if one.label.startswith(label)).click()
    return healthy(app.run())


# --- Choose


def test_the_gallery_shows_ten_sets_and_the_one_in_use():
    app = opened("data")
    sent = gallery(app)
    assert sent["picked"] == "exam"
    (row,) = sent["rows"]
    assert [card["title"] for card in row["cards"]] == [one.title for one in samples()]
    assert row["cards"][0]["note"] == "6,000 students: a heap at the pass mark"
    assert all(any("grains" in s for s in one["shapes"]) for one in sent["pictures"].values())
    assert title(app) == "Behind the barrier: the exam marks of 6,000 students."
    assert "confidential: **6,000 students**" in text(app)
    assert len(json.dumps(sent)) <= 350_000


def test_with_the_truth_off_not_one_record_is_on_screen():
    app = pick(opened("data"), truth=False)
    assert title(app) == "12 data sets, and not one record on screen."
    pictures = gallery(app)["pictures"].values()
    assert len(pictures) == 12
    assert not any("grains" in shape for one in pictures for shape in one["shapes"])
    sent = everything(app)
    assert not any(one.words.people.counted(one.n) in sent for one in samples())
    assert not any(f"{one.n:,}" in sent for one in samples() if one.n >= 1_000)
    assert not any(one.teaches in sent for one in samples())
    assert "Teaching view" not in text(app)


def test_a_set_in_the_plane_leads_to_the_map():
    assert [b.label for b in opened("data", data="coast").button] == ["Go to Map"]
    assert [b.label for b in opened("data").button] == ["Go to Quantiles"]


# --- Declare


def test_a_sample_comes_with_its_own_bounds_and_its_people_above():
    app = on_declare()
    sent = barrier(app)
    assert (sent["axes"][0]["low"], sent["axes"][0]["high"], sent["axes"][0]["step"]) == (0, 100, 1)
    assert max(sent["people"]["heights"]) == 1
    assert title(app) == "You declare that a mark lies between :blue[0] and :blue[100]."
    assert "about 28 places in the ranking at ε = 0.1" in text(app)
    assert not any(one.label == "Its own bounds again" for one in app.button)
    declare(app, 10, 60, 5)
    assert "between :blue[10] and :blue[60]" in title(app)
    assert barrier(app)["axes"][0]["step"] == 5
    click(app, "Its own bounds again")
    assert "between :blue[0] and :blue[100]" in title(app)


def test_the_price_of_width_follows_the_budget_and_the_neighbours():
    assert "about 3 places" in text(on_declare(eps="1"))
    assert "about 55 places" in text(pick(on_declare(), neighbours=Neighbours.REPLACE_ONE))
    assert "joins or leaves" not in text(pick(on_declare(), neighbours=Neighbours.REPLACE_ONE))


def test_two_columns_are_declared_as_a_box():
    app = on_declare(data="towns")
    first, second = barrier(app)["axes"]
    assert (first["high"], second["high"]) == (100, 80)
    assert len(barrier(app)["people"]["places"]) == 2 * 2_600
    assert "east from :blue[0] to :blue[100], north from :blue[0] to :blue[80]" in title(app)
    assert "places" not in barrier(pick(app, truth=False))


@pytest.mark.parametrize("typed", [(10, 3), (5, 5), (0, 10, 50)])
def test_what_cannot_hold_is_said_in_a_card(typed):
    app = declare(on_declare(), *typed)
    said = "coarser than the bounds" if len(typed) > 2 else "must be below the upper one"
    assert said in text(app)
    assert not app.error
    assert said not in text(declare(app, 0, 100, 1))


# --- The playground


def test_the_playground_asks_before_it_draws():
    app = on_declare()
    assert figures(app) == []
    assert "Spent nothing" in everything(app)
    click(app, "Draw 440 releases")
    (playground,) = figures(app)
    assert set(playground) == {"AggTree", "ApproximateQuantiles"}
    assert "Simulated 440 releases" in everything(app).replace("\\", "")
    declare(app, 0, 50)
    assert figures(app) == []  # other bounds are other releases
    assert "Playground" not in text(pick(app, truth=False))
    assert "Playground" not in text(with_file("a.csv", b"a\n1\n2\n", 0, 10))


# --- A file


def test_a_file_starts_hidden_and_the_switch_comes_back_for_samples():
    app = uploaded("wages.csv", WAGES, truth=False)
    assert app.session_state["data"] == "upload"
    assert barrier(app)["stays"]["title"] == "Stays up here, whatever you publish"
    assert "Semicolons, decimal commas, UTF-8. Three columns." in text(app)
    assert "Reloading the page forgets the file" in text(app)
    pick(app, truth=True)
    assert "3 rows" in text(app)
    app.file_uploader(key="file").set_value(("next.csv", WAGES, "text/csv"))
    healthy(app.run())
    assert "3 rows" not in text(app)  # the next file starts hidden, too
    click(app, "Forget this file")
    assert app.session_state["data"] == "exam"
    assert visits_truth(app)


def visits_truth(app):
    return app.toggle(key="truth").value


def test_a_file_without_bounds_has_an_open_axis_and_pages_say_so():
    app = uploaded("a.csv", b"age\n1\n2\n3\n", truth=False)
    assert title(app) == "What could an age be, at least and at most?"
    assert barrier(app)["axes"][0]["open"]
    assert barrier(app)["axes"][0]["ticks"] == []
    app.switch_page("pages/quantiles.py").run()
    assert "Declare the bounds on the Data page" in everything(healthy(app))


def test_a_kind_proposes_public_bounds():
    app = uploaded("a.csv", b"age\n1\n2\n3\n", truth=False)
    scope = "own1_0"
    pick(app, **{f"kind_{scope}": "age"})
    axis = barrier(app)["axes"][0]
    assert (axis["low"], axis["high"], axis["step"], axis["open"]) == (0, 120, 1, False)
    assert axis["window"] == [-9.6, 146.4]
    assert "between :blue[0] and :blue[120]" in title(app)
    declare(app, 18, 90)
    assert barrier(app)["axes"][0]["window"] == [-9.6, 146.4]  # the scale is the kind's
    pick(app, **{f"kind_{scope}": "other"})
    assert (barrier(app)["axes"][0]["low"], barrier(app)["axes"][0]["high"]) == (18, 90)


def test_choosing_x_and_y_of_a_file():
    app = uploaded("wages.csv", WAGES, truth=False)
    pick(app, upload_column="wage", upload_y="year")
    assert len(barrier(app)["axes"]) == 2
    declare(app, 0, 100_000)
    pick(app, y_low=2000.0, y_high=2010.0)
    assert "wage from :blue[0] to :blue[100,000], year from :blue[2,000]" in title(app)
    assert "places" in barrier(pick(app, truth=True))["people"]
    pick(app, upload_column="year")
    assert len(barrier(app)["axes"]) == 1  # a column is not both


def test_no_shape_of_the_values_until_the_truth_is_on():
    one, other = (
        with_hidden(b"age\n" + b"".join(b"%d\n" % (start + k % 30) for k in range(200)))
        for start in (5, 60)
    )
    assert one == other


def with_hidden(values):
    app = declare(uploaded("same.csv", values, truth=False), 0, 120, 1)
    assert "people" not in barrier(app)
    return barrier(app), text(app)


def test_excel_is_read_and_its_sheet_is_named():
    app = uploaded("wages.xlsx", excel(("age", "town"), (34, "Ulm"), (50, "Aix"), name="Staff"))
    assert "The sheet 'Staff', of a workbook. Two columns." in text(app)
    assert "error count as missing" in text(app)


def test_a_large_file_says_that_it_is_read(monkeypatch):
    monkeypatch.setattr(uploading, "LARGE", 1)
    seen = []
    kept = uploading.read

    def watched(file):
        seen.append(file.name)
        kept(file)

    monkeypatch.setattr(uploading, "read", watched)
    app = uploaded("a.csv", b"a\n1\n2\n", truth=False)
    assert seen == ["a.csv"]
    assert "a.csv" in text(app)
    assert uploading._PENDING not in app.session_state


# --- Refusals


FILES = {
    "junk.csv": (bytes(range(256)) * 40, "does not look like text"),
    "empty.csv": (b"", "is empty"),
    "header.csv": (b"a,b\n", "no rows"),
    "book.csv": (b"PK\x03\x04" + bytes(100), "cut off"),
    "cut.parquet": (b"PAR1" + bytes(50), "cut off"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_read_is_a_card_and_the_sample_stays(name):
    given, reason = FILES[name]
    app = uploaded(name, given)
    assert f"{name} was not read" in text(app)
    assert not app.error
    assert gallery(app)["picked"] == "exam"
    if any(button.key == "upload_why" for button in app.button):
        click(app, "Show why")
    assert reason in text(app)


def test_a_refusal_counts_nothing_until_it_is_asked_for():
    app = with_file("mine.csv", b"a\n5\n6\n", 0, 10)
    pick(app, truth=False)
    app.file_uploader(key="file").set_value(("wards.csv", RAGGED, "text/csv"))
    healthy(app.run())
    assert "wards.csv was not read" in text(app)
    assert "Still in use: mine.csv." in text(app)
    assert "12 of 49" not in everything(app)
    assert "12 of 49 rows" in text(pick(app, truth=True))
    pick(app, truth=False)
    assert "12 of 49 rows" in text(click(app, "Show why"))


def test_a_file_without_numbers_and_names_is_refused_and_the_one_before_stays():
    app = with_file("mine.csv", b"a\n5\n6\n", 0, 10)
    app.file_uploader(key="file").set_value(("days.csv", b"w\n2024-01-01\n", "text/csv"))
    healthy(app.run())
    assert "has no column with numbers or with names, only date" in text(app)
    assert "Still in use: mine.csv" in text(app)
    assert "2 people, none outside the bounds, none missing." in text(app)


# --- What the truth adds, in ink


def test_odd_columns_are_told_of_while_the_truth_is_shown():
    app = with_file("mine.csv", b"a\n5\n5\n5\n170\ninf\n", 0, 100)
    said = text(app)
    assert "40% of the values lie outside" in said
    assert "1 infinite value:" in said
    assert "100% of the values are shared" in said  # 170 and inf lie on the bound together
    assert not app.warning
    assert "shared by" not in text(with_file("mine.csv", b"a\n5\n5\n5\n7\n", 0, 100, 1))


def test_a_column_of_text_and_a_mixed_one():
    app = uploaded("t.csv", b"words,mixed\na,1\nb,2\nc,oops\nd,4\n")
    assert app.radio(key="upload_column").value == "mixed"
    declare(app, 0, 10)
    assert "1 of 4 values that are not numbers (first: 'oops', row 3)" in text(app)
    pick(app, truth=False)
    assert "oops" not in everything(app)
    pick(app, truth=True, drop_unreadable=True)
    assert "3 people, none outside the bounds, 1 missing." in text(app)
    pick(app, upload_column="words")
    declare(app, 0, 10)
    assert "no numbers" in text(app)


def test_a_column_without_a_value_is_named():
    app = uploaded("e.csv", b"a,b\n,1\n,2\n")
    pick(app, upload_column="a")
    declare(app, 0, 10)
    assert "has no values" in text(app)


def test_markup_in_a_file_stays_text():
    app = with_file("<b>*x*.csv", b"$a_b$ <script>\n1\n2\n3\n", 0, 10)
    written = "".join(one.value for one in (*app.markdown, *app.title))
    assert r"\<b\>\*x\*" in written
    assert "<script>" not in written.replace(r"\<", "")


def test_a_forgotten_file_leaves_nothing():
    app = with_file("mine.csv", b"a\n5\n6\n", 0, 10)
    click(app, "Forget this file")
    assert "mine" not in text(app)
    assert app.session_state["_upload"] is None
    assert gallery(pick(app, data_step="choose"))["picked"] == "exam"


# --- Nothing of a hidden file, whatever it holds


WHOLE = b"a,b\n" + b"5,1\n6,2\n7,3\n" * 20
READ = {
    "a missing value": WHOLE + b",4\n",
    "a value that is no number": WHOLE + b"no answer,4\n",
}


def sent_while_hidden(given, column="a"):
    app = uploaded("mine.csv", given, truth=False)
    return everything(declare(pick(app, upload_column=column), 0, 10))


def test_reading_a_file_tells_nothing_while_the_truth_is_off(monkeypatch):
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes(range(size)))
    one, other = map(sent_while_hidden, READ.values())
    assert one == other
    assert "Drop values that are not numbers" in one
    assert "not covered by any ε" in one
    seen = [
        sent_while_hidden(b"a,t\n" + b"5,no\n" * 9 + last, "t") for last in (b"5,no\n", b"5,\n")
    ]
    assert seen[0] == seen[1]  # a column of words without any number is one of missing values


def test_no_number_of_an_unmistakable_file_is_sent():
    app = declare(uploaded(FILE, content(), truth=False), LOW, HIGH)
    assert told(app) == []
    pick(app, upload_y=SECOND)
    pick(app, y_low=-2.0, y_high=3.0)
    assert told(app) == []
    assert told(pick(app, data_step="choose")) == []
    pick(app, data_step="declare", truth=True)
    pick(app, drop_unreadable=True)
    assert len(told(app)) > 1  # the net catches what it is made for


def test_with_the_truth_on_the_unreadable_value_is_named_and_the_choice_kept():
    app = uploaded("mine.csv", READ["a value that is no number"], truth=False)
    declare(app, 0, 10)
    assert "no answer" in text(pick(app, truth=True))
    pick(app, drop_unreadable=True)
    assert "60 people, none outside the bounds, 1 missing." in text(app)
    assert "60 people" not in text(pick(app, truth=False))
    assert "1 " not in app.checkbox[0].label


# --- All that the page could do before, and where it is now


def keys(app):
    kinds = ("button", "toggle", "checkbox", "radio", "selectbox", "number_input", "pills")
    return {one.key for kind in kinds for one in app.get(kind)}


look, declaring, reading = shared(opened), shared(on_declare), shared(uploaded)
BEFORE = {
    "upload CSV, TSV, Parquet": lambda: reading("a.tsv", b"a\tb\n1\t2\n").session_state["_upload"],
    "see what was read": lambda: "Tabs, UTF-8" in text(reading("a.tsv", b"a\tb\n1\t2\n")),
    "choose a sample": lambda: len(gallery(look("data"))["rows"][0]["cards"]) == 12,
    "choose a sample by link": lambda: gallery(look("data", data="salaries"))["picked"],
    "read a sample's description": lambda: "absentees at 0" in text(declaring()),
    "read a sample's lesson": lambda: "Natural bounds" in text(declaring()),
    "type the bounds and the resolution": lambda: (
        {"exam_low", "exam_high", "exam_resolution"} <= keys(declaring())
    ),
    "choose the neighbours": lambda: "neighbours" in keys(declaring()),
    "hide the truth": lambda: "truth" in keys(declaring()),
    "choose a column": lambda: "upload_column" in keys(reading("w.csv", WAGES)),
    "choose a second column": lambda: "upload_y" in keys(reading("w.csv", WAGES)),
    "drop values that are no numbers": lambda: (
        "drop_unreadable" in keys(reading("m.csv", READ["a value that is no number"]))
    ),
    "forget a file": lambda: any(
        one.label == "Forget this file" for one in reading("w.csv", WAGES).button
    ),
    "go back to a file": lambda: any(
        one.label == "Use your file" for one in back_on_a_sample().button
    ),
    "see the visit's ledger": lambda: "Spent nothing" in everything(look("data")),
    "read why bounds must not come from the data": lambda: (
        "belong to two people" in text(declaring())
    ),
    "see the records between the bounds": lambda: barrier(declaring())["people"]["heights"],
    "see the points of a set in the plane": lambda: barrier(declaring(data="towns"))["people"][
        "places"
    ],
    "see how many records, clipped and missing": lambda: (
        "6,000 students, none outside the bounds, none missing." in text(declaring())
    ),
    "try bounds too tight and too wide": lambda: "playground_draw" in keys(declaring()),
}


def back_on_a_sample():
    app = with_file("w.csv", b"a\n1\n2\n", 0, 10)
    app.session_state["_visit"]["latest"] = "exam"
    return healthy(app.run())


@pytest.mark.parametrize("feature", BEFORE)
def test_what_the_page_could_do_before_it_still_can(feature):
    assert BEFORE[feature]()


@pytest.mark.parametrize(
    ("data", "said"),
    [("exam", ["bounds **0 to 100 marks**", "steps of **1**", "confidential: **6,000 students**"]),
     ("normal", ["steps **none**"]),
     ("salaries", ["public: bounds **0 to 500,000**", "steps of **100**", "**15,000 people**"])],
)  # fmt: skip
def test_the_numbers_below_are_what_is_declared(data, said):
    below = " ".join(one.value for one in opened("data", data=data).markdown).replace("\\", "")
    for one in said:
        assert one in below
