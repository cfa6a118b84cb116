"""A file of names alone: accepted by its kinds, counted by place, refused by pages of numbers."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import dpviz as dp
from dpviz.core.budgets import PureDP
from dpviz.core.person_rows import PersonRows
from dpviz.core.trees.named_places import NamedPlaces
from dpviz.intake.counted.counted_table import People
from dpviz.ui.kit.frame import PAGES
from tests.pages.driver import alts, has, healthy, pick, text, uploaded

PLACES = [("N", "Ash"), ("N", "Oak"), ("S", "Ash"), ("S", "Elm"), ("X", "?")]
COUNTS = (120, 80, 60, 0, 140)
LIST = "state,county,people\nN,Ash,100\nN,Oak,90\nS,Ash,70\nS,Elm,5\n"
ONE_MORE = (PLACES[3],)


def file(*more, counts=COUNTS):
    """400 people by state and county; only who hands it in knows that its first row holds names."""
    rows = [row for row, many in zip(PLACES, counts, strict=True) for _ in range(many)]
    return "".join(f"{','.join(row)}\n" for row in [("state", "county"), *rows, *more]).encode()


def handed_in(content, *, truth=False, header=True, asked=True):
    app = uploaded("names.csv", content, truth=truth)
    if "_upload" not in app.session_state:
        return app
    app.session_state["_draws_always"] = asked
    if header and not app.session_state["_upload"].table.header:
        app.get_by_key(f"first_row_{app.session_state['_upload'].number}").set_value(True)
        healthy(app.run())
        app.session_state["_draws_always"] = asked
        if truth:
            pick(app, truth=True)
    return app


def errors(app):
    return " ".join(one.value for one in (*app.error, *app.info)).replace("\\", "")


def every_page(app):
    """What each page shows of it, by name."""
    for rows in PAGES.values():
        for name, _ in rows:
            yield name, text(healthy(app.switch_page(f"pages/{name}.py").run())), alts(app)


def paid(app):
    accounts = app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401
    found = accounts["upload"].entries if "upload" in accounts else []
    return [(one.what, one.budget, one.times) for one in found]


def counted(app):
    """On the page Map, where the button of Data leads: the test runner follows no such move."""
    assert has(app, "onwards") or has(app, "count_places")
    healthy(app.switch_page("pages/map.py").run())
    return pick(app, map_view="places", m_own=True)


def tables(app, column):
    return [one.value for one in app.dataframe if column in one.value]


# --- From the file to its released table


def test_a_file_of_names_goes_all_the_way_to_its_counts(tmp_path, monkeypatch):
    app = handed_in(file(), asked=False)
    assert "holds names alone: its rows can be counted by place" in text(app)
    assert "was not read" not in text(app)
    pick(app, place_levels=["state", "county"])
    assert app.get_by_key("m_list").value == "state,county,people\n"
    assert "The list of places holds no place" in text(app)
    pick(app, m_list=LIST)
    assert "holds no place" not in text(app)
    assert app.get_by_key("place_levels").value == ["state", "county"]
    app = counted(app)
    assert "Nothing is drawn yet" in text(app)
    assert "The count of a county will be within" in text(app)
    assert paid(app) == []
    healthy(app.button(key="draw_now").click().run())
    assert paid(app) == [("7 named places", PureDP(0.5), 1)]
    (shown,) = tables(app, "private count")
    assert shown["place"].tolist() == [
        "the whole", "N", "S", "N, Ash", "N, Oak", "S, Ash", "S, Elm",
    ]  # fmt: skip
    assert "true" not in shown
    assert not [key for key in app.query_params if key.startswith("m_")]
    pick(app, truth=True)
    (shown,) = tables(app, "true")
    assert shown["true"].astype(int).tolist() == [260, 200, 60, 120, 80, 60, 0]
    near = np.abs(
        shown["private count"].str.replace("−", "-").astype(float) - shown["true"].astype(int)
    )
    assert near.max() < 150
    assert len(paid(app)) == 1
    # the lines, run where the file and the release's JSON are, make another release of it
    (lines,) = [one.value for one in app.code if one.language == "python"]
    assert "header=True" in lines
    stored = {"kind": "places", **release_of(lines, app, tmp_path, monkeypatch)}
    assert stored["spent"] == {"notion": "pure", "epsilon": 0.5}
    assert stored["parameters"]["shares"] == [1 / 3] * 3


def release_of(lines, app, folder, monkeypatch):
    """What the Python lines release, with a list as the download has it."""
    places = dp.PlaceCounts(("state", "county"), PLACES[:4])
    blank = places.column({"state": [], "county": []})
    (folder / "places.json").write_text(places.release(blank, dp.PureDP(1)).to_json())
    (folder / "names.csv").write_bytes(file())
    monkeypatch.chdir(folder)
    space = {}
    exec(compile(lines, "lines", "exec"), space)
    assert space["release"].randomness == "secure"
    assert space["places"].column(space["table"]).n == 260
    return json.loads(space["release"].to_json())


@pytest.mark.parametrize("rows", [PersonRows.at_most(3), None], ids=str)
def test_the_lines_of_people_with_several_rows_bound_them_too(rows, tmp_path, monkeypatch):
    """40 people with 10 rows each; in the lines of replaced records as many stand, too."""
    content = b"who,state\n" + b"".join(b"p%d,N\n" % (at % 40) for at in range(400))
    app = handed_in(content)
    pick(app, m_list="state,people\nN,300\nS,5\n")
    if rows is None:
        app.session_state["_visit"]["neighbours"] = "replace-one"
    else:
        own = app.session_state["_upload"]
        app.session_state["_upload"] = replace(own, people=People("who", rows))
    app = counted(app)
    (lines,) = [one.value for one in app.code if one.language == "python"]
    (tmp_path / "names.csv").write_bytes(content)
    places = dp.PlaceCounts(("state",), [("N",), ("S",)])
    release = places.release(places.column({"state": []}), dp.PureDP(1))
    (tmp_path / "places.json").write_text(release.to_json())
    monkeypatch.chdir(tmp_path)
    space = {}
    exec(compile(lines, "lines", "exec"), space)
    found = space["release"]
    assert found.neighbours.value == ("replace-one" if rows is None else "add-remove")
    located = "places.column(table)"
    if rows is not None:
        located = (
            "dp.person_column(persons, places.listed.located(table), places.bounds, 1, rows=rows)"
        )
    assert f"account.release(places, {located}, budget=budget" in lines
    assert eval(located, space).n == (400 if rows is None else 120)
    spent = PureDP(0.5) if rows is None else rows.row_budget(PureDP(0.5))
    assert found.scales == dp.PlaceCounts(
        ("state",), [("N",), ("S",)], neighbours=found.neighbours
    ).scales(spent)


def test_the_levels_of_the_list_stand_below_the_barrier_with_their_places():
    app = pick(handed_in(file()), m_list=LIST)
    each = {level: {tuple(row.split(",")[: at + 1]) for row in LIST.splitlines()[1:]}
            for at, level in enumerate(("state", "county"))}  # fmt: skip
    said = ", ".join(f"{level} with {len(places)} places" for level, places in each.items())
    drawn = "".join(str(one.proto) for one in app._tree if hasattr(one, "proto"))
    assert f"below it the public list: {said}." in drawn
    assert f"public: places **{len(each['county'])}**" in text(app)


def test_without_a_list_the_page_of_places_says_where_it_is_pasted():
    app = counted(handed_in(file()))
    assert "Paste the public list of places first, here or on the Data page" in errors(app)
    assert paid(app) == []


def test_numbered_columns_are_told_of_where_a_list_has_names():
    app = handed_in(file(), header=False)
    pick(app, m_list=LIST)
    for one in (app, counted(app)):
        said = text(one) if one.error == [] else errors(one)
        assert "no column 'state'" in said.replace("\\", "") or "no column 'state'" in errors(one)
        assert "The first row holds names" in said.replace("\\", "")
    assert paid(app) == []


def test_a_list_is_made_once_a_visit(monkeypatch):
    app = handed_in(file())
    pick(app, m_list=LIST)
    made = []
    plain = NamedPlaces.__post_init__
    monkeypatch.setattr(NamedPlaces, "__post_init__", lambda one: made.append(1) or plain(one))
    app = counted(app)
    pick(app, m_counts="as measured", truth=True)
    assert len(made) == 1  # that of the mechanism, which its column and its release have, too


# --- What it depends on: names of columns and their kinds


OTHERS = {
    "one more person": file(ONE_MORE[0]),
    "nobody in the list": file(counts=(0, 0, 0, 0, 30)),
    "one person": file(counts=(1, 0, 0, 0, 0)),
    "as many people as names": b"state,county\n"
    + b"".join(b"s%d,c%d\n" % (at, at) for at in range(3_000)),
    "with missing cells": file(("", ""), ("N", ""), ("", "Ash"), ("NA", "NA")),
}


def shown_of(content):
    app = handed_in(content, asked=False)
    pick(app, m_list=LIST)
    return {name: seen for name, *seen in every_page(app)}


@pytest.fixture(scope="module")
def usual():
    return shown_of(file())


@pytest.mark.few(2)
@pytest.mark.parametrize("name", OTHERS)
def test_with_the_truth_off_no_page_tells_files_with_the_same_columns_apart(usual, name):
    other = shown_of(OTHERS[name])
    assert other.keys() == usual.keys()
    for page in usual.keys() - {"audit"}:  # which draws anew for each file
        assert other[page] == usual[page], page


NEEDY = ("quantiles", "trees")


@pytest.mark.parametrize("truth", [True, False])
def test_pages_of_numbers_say_what_is_missing_and_what_to_do(truth):
    app = handed_in(file(), truth=truth)
    for name in NEEDY:
        app = healthy(app.switch_page(f"pages/{name}.py").run())
        assert "This page needs a column of numbers." in text(app)
        assert "No column of your file holds numbers (state, county)." in errors(app)
        assert "Its rows can be counted by place: on the Data page" in errors(app)
    for name in ("neighbours", "budget"):  # a made-up count stands in
        app = healthy(app.switch_page(f"pages/{name}.py").run())
        assert ("No column of your file holds numbers" in errors(app)) == truth
    assert paid(app) == []


def test_a_column_of_words_may_still_be_taken_for_numbers():
    """As of any file: cells that are numbers count."""
    content = b"a,b\n" + b"x,1\ny,2\nz,w\nz,v\nz,u\n"
    app = handed_in(content)
    assert {one.kind for one in app.session_state["_upload"].table.columns} == {"text"}
    pick(app, upload_column="b")
    assert app.session_state["_upload"].column == "b"
    assert "holds names alone" not in text(app)
    assert "What could" in text(app)


# --- Files that are no help


def test_too_many_names_are_told_with_the_truth_alone():
    content = b"who,state\n" + b"".join(
        b"p%d,%s\n" % (at, b"NS"[at % 2 :][:1]) for at in range(6_000)
    )
    app = handed_in(content, truth=True)
    pick(app, place_levels=["who", "state"])
    assert "Column who has 6,000 different names" in text(app).replace("\\", "")
    assert "state has" not in text(app)
    pick(app, truth=False)
    assert "6,000" not in text(app).replace("at most 5,000", "")
    pick(app, m_list="who,people\n" + "".join(f"p{at},1\n" for at in range(6_000)))
    assert "The list has 6,000 places, and at most 5,000" in text(app).replace("\\", "")


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        (b"a,b\n,\n,\n", "only empty"),
        (b"d,e\n2024-01-01,\n2024-01-02,\n", "only date and empty"),
    ],
)
def test_a_file_without_names_and_numbers_is_refused_by_its_kinds(content, kinds):
    app = handed_in(content)
    said = text(app).replace("\\", "")
    assert "names.csv was not read" in said
    assert "no column with numbers or with names, " + kinds in said
    assert "_upload" not in app.session_state


HOSTILE = {
    "one row": b"state,county\nN,Ash\n",
    "one column, one name": b"state\n" + b"N\n" * 40,
    "an empty column": b"state,county,none\n" + b"N,Ash,\nS,Ash,\n" * 9,
    "the same name twice": b"state,state\n" + b"N,Ash\n" * 9,
    "latin-1": "state,county\nN,Öland\nS,Ash\n".encode("latin-1") * 3,
    "not UTF-8 at all": b"state,county\nN,\xff\xfe\x00\nS,Ash\n",
    "mixed": b"state,county\nN,Ash\n1,2\n\xc3\xa9,True\n2024-01-01,x\n" * 2,
    "markup": b"state,**county**\n<b>N</b>,[a](http://x)\n$x$,:red[a]\n" * 2,
    "ragged": b"state,county\nN,Ash\nS\nN,Ash,more\n",
    "quotes": b'state,county\n"N","As\nh"\n"S","a ""b"""\n',
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_counted_or_refused_in_words(name):
    app = handed_in(HOSTILE[name])
    if "_upload" not in app.session_state:
        assert "was not read" in text(app)
        return
    names = [one.name for one in app.session_state["_upload"].table.columns]
    kinds = [one.kind for one in app.session_state["_upload"].table.columns]
    levels = [one for one, kind in zip(names, kinds, strict=True) if kind != "empty"][:2]
    pick(app, place_levels=levels)
    assert app.get_by_key("place_levels").value == levels
    header = app.get_by_key("m_list").value
    pick(app, m_list=header + ",".join(["N", "Ash"][: len(levels)]) + ",7\n")
    app = counted(app)
    assert not app.error
    (shown,) = tables(app, "private count")
    assert len(shown) == len(levels) + 1
    for _ in every_page(app):
        assert "Traceback" not in text(app)


def test_codes_are_names_as_they_are_written():
    """Leading zeros, and NA, which stands for a missing number: Namibia."""
    content = b"land,code\n" + b"NA,01001\n" * 30 + b"DE,1001\n" * 20 + b"DE,01001\n" * 10
    app = handed_in(content, truth=True)
    assert app.session_state["_upload"].column == "code"  # of numbers: not alone
    pick(app, m_list="land,code,people\nNA,01001,5\nDE,1001,5\nDE,01001,5\n")
    app = counted(app)
    (shown,) = tables(app, "true")
    places = dict(zip(shown["place"], shown["true"].astype(int), strict=True))
    assert places == {
        "the whole": 60, "NA": 30, "DE": 30, "NA, 01001": 30, "DE, 1001": 20, "DE, 01001": 10,
    }  # fmt: skip
