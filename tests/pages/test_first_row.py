"""A file without names: its first record stands nowhere, and the switch reads it the other way."""

import pyarrow as pa
import pytest

from tests.intake.hostile.parquets import written
from tests.intake.workbooks import excel
from tests.pages.driver import declare, healthy, pick, text, uploaded
from tests.pages.unmistakable import everything

WORD, NUMBER, DAY, CODE = "zebrafishword", "31337.125", "2031-07-08", "quokka0017"
CELLS = (WORD, NUMBER, DAY, CODE)
BELOW = [
    (f"w{at % 7}e", 20 + at % 60, f"2020-01-{1 + at % 28:02}", f"quokka{at:04}")
    for at in range(300)
]
ROWS = [CELLS, *BELOW]
FILES = {
    "rows.csv": "\n".join(",".join(map(str, row)) for row in ROWS).encode(),
    "rows.tsv": "\n".join("\t".join(map(str, row)) for row in ROWS).encode(),
    "rows.xlsx": excel(*((a, float(b), c, d) for a, b, c, d in ROWS)),
}
SWITCH = "The first row holds names"
PAGES = ("data", "quantiles", "trees", "neighbours", "budget", "what_if")


def switch(app):
    (found,) = [one for one in app.toggle if one.label == SWITCH]
    return found


def shown(app):
    """The cells of the first record that stand anywhere in what the server sends."""
    sent = everything(app)
    return [cell for cell in CELLS if cell in sent]


def own(app):
    return app.session_state["_upload"]


@pytest.mark.few(2)
@pytest.mark.parametrize("name", FILES)
def test_no_cell_of_the_first_record_is_anywhere_with_the_truth_off(name):
    app = uploaded(name, FILES[name], truth=False)
    assert shown(app) == []
    assert "The first row counts as a record, so the columns are numbered." in text(app)
    assert switch(app).value is False
    assert own(app).column == "column 2"
    declare(app, 0, 100)
    pick(app, upload_person="column 4")
    for page in PAGES:
        app.session_state["_visit"]["view_what_if"] = "sweep"
        app.switch_page(f"pages/{page}.py")
        assert shown(healthy(app.run())) == [], page


def test_the_lines_of_python_read_the_row_as_the_page_did(tmp_path, monkeypatch):
    app = declare(uploaded("rows.csv", FILES["rows.csv"], truth=False), 0, 100)
    app.switch_page("pages/quantiles.py").run()
    pick(app, below="Take away")
    (lines,) = [one.value for one in app.code if one.language == "python"]
    assert "header=False" in lines
    assert "table.column('column 2', bounds" in lines
    assert not any(cell in lines for cell in CELLS)
    (tmp_path / "rows.csv").write_bytes(FILES["rows.csv"])
    monkeypatch.chdir(tmp_path)
    space = {}
    exec(compile(lines, "lines", "exec"), space)
    assert space["column"].n == len(ROWS)


@pytest.mark.parametrize("name", FILES)
def test_the_switch_reads_the_file_anew_with_a_fresh_secret(name):
    app = uploaded(name, FILES[name], truth=False)
    first = own(app)
    switch(app).set_value(True)
    healthy(app.run())
    named = own(app)
    assert [one.name for one in named.table.columns] == [
        WORD, "column 2", "column 3", "column 4",
    ]  # fmt: skip
    assert named.table.rows == len(BELOW)
    assert (named.number, switch(app).value) == (first.number + 1, True)
    assert shown(app) == [WORD]  # it was declared to be a name; what reads as a value never is
    switch(app).set_value(False)
    healthy(app.run())
    again = own(app)
    assert again.table.rows == len(ROWS)
    assert len({first.secret, named.secret, again.secret}) == 3
    assert shown(app) == []


def test_a_reading_that_fails_is_a_card_and_the_file_stays():
    app = uploaded("one.csv", b"41.75\n", truth=False)
    switch(app).set_value(True)
    healthy(app.run())
    assert "one.csv was not read" in text(app)
    assert (own(app).table.rows, switch(app).value) == (1, False)


def test_a_file_of_words_alone_is_taken_without_a_word_of_it():
    app = uploaded("words.csv", f"{WORD}\nlion\n".encode(), truth=False)
    assert "holds names alone" in text(app)
    assert app.get_by_key("place_levels").options == ["column 1"]
    assert shown(app) == []


def test_the_switch_is_there_where_a_file_does_not_declare_its_names():
    app = uploaded("named.csv", b"age\n41\n42\n", truth=False)
    assert switch(app).value is True
    assert "The first row holds the names of the columns." in text(app)
    declared = uploaded("named.parquet", written(pa.table({"2019": [41, 42]})), truth=False)
    assert not [one for one in declared.toggle if one.label == SWITCH]
    assert own(declared).column == "2019"
