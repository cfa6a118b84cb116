"""The words of the sentence: what each is and may be, and what becomes of one that is set."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from dpviz.answers.decide.sentences import (
    BUDGET,
    CELLS,
    NEED,
    PUBLISHED,
    REHEARSED,
    WHAT,
    WHAT_CAN,
    form_of,
    slots,
)
from dpviz.answers.number_text import lowered
from dpviz.core.budgets import Neighbours
from dpviz.figures.decide.sentence import Amount, Choice
from dpviz.intake.read import read_table
from dpviz.intake.samples import samples
from dpviz.ui.decide import words
from dpviz.ui.kit.session import Upload
from dpviz.ui.model import fields
from dpviz.ui.pages.decide import ROWS, kind
from dpviz.ui.visit import data, state

FILE = b"name,pay,age\nIda,1200,30\nBob,3400,41\nEve,990,29\n"
COLUMN_SAMPLES = [one.key for one in samples() if len(one.columns) == 1]
PLANE_SAMPLES = [one.key for one in samples() if len(one.columns) == 2]
ODD = ("", "abc", "nan", "inf", "-inf", "1e400", "1e999", "None", "[]", "1,000", "9" * 5_000, "½",
       "<b>", "\x00")  # fmt: skip
DECLARED = {"low": "low", "high": "high", "people": "size"}


def own(visit, column="pay"):
    """A file of the visitor's, with text in its first column."""
    table = read_table(io.BytesIO(FILE), "a.csv")
    visit.held["_upload"] = Upload(table, 1, column, drop_unreadable=False)
    data.choose(data.UPLOAD, "column")


def at(visit, what, key):
    """The page with a first word and a data set that it can be about."""
    visit.store["what"] = what
    if key == "file":
        own(visit)
    else:
        data.choose(key, kind())


def values():
    return fields.settled("decide", tuple(ROWS.values()), {"view": "answer"})


def take(last=None, **changed):
    """As the browser tells it; the first word was touched last, unless another one was."""
    words.take(ROWS, values(), changed, last or next(iter(changed)))


def said(answer=None):
    return words.said(ROWS, values(), answer or {})


def reads(answer=None):
    return said(answer).text().replace("\N{NO-BREAK SPACE}", "_")


def choices(name):
    """What a word may be, by what the browser tells."""
    (part,) = [one for one in said().parts if isinstance(one, Choice) and one.name == name]
    return {one[0]: one[1] for one in part.options}


# every sentence has its words


@pytest.mark.parametrize("given", [NEED, BUDGET])
@pytest.mark.parametrize("what", WHAT)
def test_every_word_is_there_and_is_one_of_those_it_can_be(visit, what, given):
    for key in (*(PLANE_SAMPLES if form_of(what) == CELLS else COLUMN_SAMPLES), "file"):
        at(visit, what, key)
        visit.store["given"] = given
        found = said()
        parts = {part.name: part for part in found.parts if isinstance(part, Choice | Amount)}
        assert set(parts) >= slots(what) - {"lead", "answer", "symbol", "eps"}
        for name, part in parts.items():
            value = found.values[name]
            assert part.says
            if isinstance(part, Choice):
                assert value in [one[0] for one in part.options], (key, name, value)
                assert len({one[0] for one in part.options}) == len(part.options)
            else:
                assert value == "" or part.least <= float(value) <= part.most, (key, name, value)
                assert part.refuses
                assert (value == "") <= (key == "file" and name in DECLARED)


KEPT = {"answer": "ε =", "lead": "that takes ", "computed": {"eps": "0.23"}}
DELTA = {"notion": "approx"}
GIVEN = {"given": BUDGET, "eps": 0.25, "rho": 0.125}
AREA = {"own1_1_low": 2.0, "own1_1_high": 12.0, "y_low": -3.0, "y_high": 4.5}
# the first word and the data, entries of the visit, what follows from the words, and the sentence
READS = [
    ("deciles", "exam", {}, KEPT, "Publish nine deciles of exam marks, between 0 and 100, of about_"
     "6,000 students, off by at most 1_mark, 19 times of 20: that takes ε =_0.23."),
    ("deciles", "exam", {"exam_size": 1.0}, {}, "of about_1 student, off"),
    ("deciles", "exam", {"exam_size": 2.0}, {}, "of about_2 students, off"),
    ("deciles", "file", {}, {"answer": "two bounds", "computed": {"eps": ""}}, "Publish nine "
     "deciles of pay, between – and –, of about_– people, off by at most 1_% of the people, "
     "19 times of 20: two bounds"),
    ("deciles", "exam", {"given": BUDGET}, {}, "with ε =_1,"),  # the page's own, until it is typed
    ("deciles", "exam", GIVEN, {}, "with ε =_0.25,"),
    ("deciles", "exam", GIVEN | DELTA, {}, "with ε =_0.25, at δ =_10⁻⁶,"),
    ("deciles", "exam", GIVEN | {"notion": "zcdp"}, {}, "with ρ =_0.125,"),
    ("deciles", "exam", DELTA, KEPT, "0.23, at δ =_10⁻⁶."),
    ("deciles", "exam", DELTA | {"delta": 2e-5}, KEPT, "at δ =_2.0 × 10⁻⁵"),
    ("deciles", "exam", GIVEN, {"computed": {"off": "1"}}, "off by at most 1_mark."),
    ("deciles", "exam", GIVEN, {"computed": {"off": "0.5"}}, "off by at most 0.5_marks."),
    ("offers", "exam", {"eps": 0.5}, {"answer": "One of these."}, "What can ε =_0.5 publish of "
     "exam marks, between 0 and 100, of about_6,000 students, 19 times of 20? One of these."),
    ("map", "towns", {}, {}, "cells of towns along roads, in 100 × 80 km, of"),
    ("map", "file", {}, {}, "in an area that is not declared,"),
    ("map", "file", AREA, {}, "in 10 × 7.5,"),
    ("deciles", "exam", {}, KEPT | {"live": False}, "Rehearsed: "),
    ("deciles", "file", {}, KEPT | {"live": False}, "Published, once: "),
]  # fmt: skip


@pytest.mark.parametrize(("what", "key", "entries", "answer", "text"), READS)
def test_a_sentence_reads_as_its_words_are(visit, what, key, entries, answer, text):
    at(visit, what, key)
    visit.store |= entries
    assert text in reads(answer)
    is_delta = "notion" in entries and entries["notion"] == "approx"
    assert ("δ" in reads(answer)) is is_delta
    assert "δ" not in reads({"answer": "no ε does that", "computed": {"eps": ""}}) or given(entries)
    assert {PUBLISHED, REHEARSED} == set(words.sentences.ONCE)


def given(entries):
    """Whether a budget was typed, so that it is in the sentence whatever is computed."""
    return entries.get("given") == BUDGET


def test_what_follows_from_the_words_is_handed_on(visit):
    answer = {
        "answer": "A", "computed": {"eps": "2"}, "wrong": {"low": "W"}, "live": True,
        "spoken": "S", "lead": "L", "under": "U",
    }  # fmt: skip
    visit.held[words.WRONG] = {"high": "H"}
    found = said(answer)
    assert (found.answer, found.spoken, found.lead, found.under) == ("A", "S", "L", "U")
    assert (found.computed, found.live) == ({"eps": "2"}, True)
    assert found.wrong == {"low": "W", "high": "H"}
    assert said(answer).wrong == {"low": "W"}  # a refusal is said once
    visit.store |= {"given": BUDGET, "off": 1.0}
    assert said({"computed": {"off": "9"}}).values["off"] == "1"  # what was typed is kept


def test_the_first_word_asks_what_a_budget_can(visit):
    visit.store["what"] = "offers"
    assert choices("what")["offers"] == WHAT_CAN
    visit.store["what"] = "count"
    assert choices("what")["offers"] == WHAT["offers"][0]


# data sets


def test_what_a_sentence_can_be_about(visit):
    assert words.columns()[-1] == ("file", "a file of my own …", "Yours")
    assert [one[0] for one in words.columns()[:-1]] == COLUMN_SAMPLES
    own(visit)
    listed = words.columns()
    assert listed[:2] == [("own:0", "pay", "Your file"), ("own:1", "age", "Your file")]
    assert listed[-1] == ("file", "a file of my own …", "Your file")
    assert all("pay" not in one[0] for one in listed)  # a value may stand in a log
    for column, value in (("pay", "own:0"), ("age", "own:1")):
        own(visit, column)
        assert words.texts_of(ROWS, values())["column"] == value
        assert words.column_name() == column
    at(visit, "map", "towns")
    assert {one[0] for one in words.columns()} == {*PLANE_SAMPLES, "own:0", "own:1", "file"}
    assert lowered("Exam marks") == "exam marks"


def test_a_column_that_is_not_numeric_has_a_word_that_says_so(visit, monkeypatch):
    info = SimpleNamespace(name="pay")
    table = SimpleNamespace(numeric_columns=[info])
    own = SimpleNamespace(table=table, column="remarks", number=1)
    monkeypatch.setattr(words.session, "upload", lambda: own)
    monkeypatch.setattr(words.session, "is_upload", lambda: True)
    listed = words.columns()
    assert listed[0] == ("own:", "remarks (not numeric: cells that are numbers count)", "Your file")
    assert listed[1] == ("own:0", "pay", "Your file")
    assert words._column_now() == "own:"
    own.column = "pay"
    assert [one[0] for one in words.columns()[:2]] == ["own:0", words.columns()[1][0]]
    assert words.columns()[1][2] == "Samples"
    assert words._column_now() == "own:0"


def test_the_kind_of_number(visit):
    kinds = {"exam": "mark", "ages": "age", "hours": "hours", "salaries": "money",
             "ratings": "stars", "waiting": "minutes", "uniform": "other"}  # fmt: skip
    for key, found in kinds.items():
        data.choose(key)
        assert words.kind_of_number() == found
    own(visit)
    assert words.kind_of_number() == "other"  # until one is chosen
    visit.held["_kind_own1_1"] = "money"
    assert words.kind_of_number() == "money"


# words that are set


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("low", "5", 5.0), ("low", "-2.5", -2.5), ("high", "1e6", 1e6), ("people", "1", 1.0),
        ("people", "4000", 4000.0), ("low", "1e15", 1e15), ("high", "-1e15", -1e15),
    ],
)  # fmt: skip
def test_what_is_declared_lands_in_the_visit_and_is_as_at_first_once_emptied(
    visit, name, text, value
):
    first = said().values[name]
    take(**{name: text})
    data.choose("ages")
    take(**{name: text})
    own(visit, "age")
    take(**{name: text})
    found = {key: visit.store[key] for key in visit.store if key.endswith(("low", "high", "size"))}
    assert found == {f"{scope}_{DECLARED[name]}": value for scope in ("exam", "ages", "own1_2")}
    data.choose("exam")
    take(**{name: ""})
    assert said().values[name] == first


ROW_WORDS = {
    "what": ("count", "count"),
    "often": ("0.9", 0.9),
    "off": ("2.5", 2.5),
    "unit": ("share", "share"),
    "over": ("61.5", 61.5),
    "bins": ("30", 30),
    "side": ("32", 32),
    "block": ("8", 8),
    "periods": ("12", 12),
}


@pytest.mark.parametrize("name", list(ROW_WORDS))
def test_a_row_of_the_page_holds_what_was_set(visit, name):
    text, value = ROW_WORDS[name]
    assert values()[name] != value
    take(**{name: text})
    assert visit.store[name] == values()[name] == value
    assert said().values.get(name) == text


REFUSED = {
    **dict.fromkeys(ROW_WORDS, ODD),
    **dict.fromkeys(DECLARED, ODD[1:]),  # an empty one is as at first
    "eps": (*ODD, "0", "-1", "11", "0.00009"),
    "about": (*ODD, "nearly"),
    "column": (*ODD, "nothing", "EXAM", "upload", "exam ", "../exam", "own:0"),
    **dict.fromkeys(("evil", "answer", "lead", "symbol", "data", "_visit", "__class__"), ("5",)),
}
FURTHER = {
    "low": ("1.1e15",), "high": ("-1.1e15",), "people": ("0", "0.99", "-5", "1e16"),
    "bins": ("1", "1001", "2.5"), "periods": ("2001",), "off": ("0", "-1", "1e10"),
    "often": ("0.94",), "side": ("48",), "what": ("Deciles",), "unit": ("people ",),
}  # fmt: skip


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_a_word_cannot_be_is_refused_with_its_sentence_and_changes_nothing(visit, name):
    before, held = values(), dict(visit.store)
    for text in (*REFUSED[name], *FURTHER.get(name, ())):
        take(**{name: text})
        wrong = said().wrong
        assert set(wrong) == {name}, text
        assert (
            wrong[name] == words.TYPED[name][2] if name in words.TYPED else wrong[name][-1] == "."
        )
        assert {**visit.store} == held, text
        assert (values(), data.shown()) == (before, "exam")


def test_how_many_is_about_or_exactly(visit):
    for text, relation in (
        ("exactly", Neighbours.REPLACE_ONE), ("about", Neighbours.ADD_REMOVE)
    ):  # fmt: skip
        take(about=text)
        assert visit.store["neighbours"] is relation
        assert said().values["about"] == text


@pytest.mark.parametrize(("notion", "key"), [("pure", "eps"), ("approx", "eps"), ("zcdp", "rho")])
def test_a_budget_is_of_the_notion_and_is_then_what_was_said(visit, notion, key):
    visit.store["notion"] = notion
    for text, size in (("0.75", 0.75), ("10", 10.0), ("0.0001", 0.0001)):
        take(eps=text)
        assert {key: visit.store.get(key) for key in ("eps", "rho")} == {
            "eps": None, "rho": None, key: size
        }  # fmt: skip
    assert visit.store["given"] == BUDGET
    assert words.budget_key() == key


OTHERS = [{"often": "0.9"}, {"low": "3"}, {"high": "99"}, {"people": "400"}, {"about": "exactly"}]
# words that are set one after the other, and what is given then
FLIPS = [
    *(([{"eps": "0.5"}, one], NEED) for one in ({"off": "3"}, {"unit": "share"},
                                                {"what": "quartiles"})),
    *(([{"eps": "0.5"}, one], BUDGET) for one in (*OTHERS, {"column": "ages"})),
    *(([{"off": "2"}, one], NEED) for one in (*OTHERS, {"column": "ages"})),
    ([{"eps": "0.5"}, {"off": "3"}, {"eps": "0.6"}], BUDGET),
    ([{"eps": "0.5"}, {"off": "nothing"}], BUDGET),  # a refused word flips nothing
    ([{"off": "2"}, {"eps": "1e9"}], NEED),
    ([{"off": "2", "eps": "0.5", "last": "eps"}], BUDGET),
    ([{"off": "3", "eps": "0.6", "last": "off"}], NEED),
    ([{"eps": "0.5"}, {"what": "offers"}], BUDGET),  # what a budget buys stays a question of one
    ([{"eps": "0.5"}, {"what": "offers"}, {"eps": "0.7"}], BUDGET),
    ([{"eps": "0.5"}, {"what": "offers"}, {"what": "deciles"}], NEED),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "then"), FLIPS)
def test_what_was_touched_last_is_yours(visit, changes, then):
    for one in changes:
        take(**one)
    assert values()["given"] == then


BY_HAND = [{"unit": "share"}, {"off": "3"}]
# words that are set after these, and the need then
NEEDS = [
    ([{"unit": "places"}], (60, "places")),  # one in a hundred of 6,000
    ([{"unit": "value"}], (2, "value")),
    ([{"what": "quartiles"}], (3, "share")),  # the same form
    ([{"what": "count"}], (10, "people")),
    ([{"what": "histogram"}], (12, "people")),
    ([{"what": "histogram"}, {"what": "deciles"}], (1, "unit")),
    ([{"column": "salaries"}], (2, "value")),
    *(([one], (3, "share")) for one in (*OTHERS, {"eps": "0.5"})),
]


@pytest.mark.parametrize(("changes", "need"), NEEDS)
def test_a_need_is_set_anew_by_what_it_hangs_on(visit, changes, need):
    for one in (*BY_HAND, *changes):
        take(**one)
    assert (values()["off"], values()["unit"]) == need


def test_another_column_of_a_file_begins_with_its_own_need(visit):
    own(visit)
    for one in ({"unit": "places"}, {"off": "3"}, {"column": "own:1"}):
        take(**one)
    assert (values()["off"], values()["unit"]) == (1, "share")


def test_what_is_counted_begins_anew_with_another_column(visit):
    for one, over in (({"over": "62"}, 62), ({"off": "3"}, 62), ({"column": "ages"}, 60)):
        take(what="count")
        take(**one)
        assert values()["over"] == over


def test_a_word_that_is_no_more_gives_way(visit):
    take(unit="value")
    take(low="-5")
    assert values()["unit"] != "value"
    assert said().values["unit"] in choices("unit")
    at(visit, "map", "towns")
    take(block="64")
    take(side="32")
    assert values()["block"] <= 32  # a block is no larger than its map


# another column, several words, several columns


def test_another_sample_or_column_of_the_file_is_used(visit):
    take(column="ages")
    assert (data.shown(), state.get("column")) == ("ages", "ages")
    own(visit, "pay")
    data.choose("exam")
    take(column="own:1")
    assert visit.held["_upload"].column == visit.held["upload_column"] == "age"
    assert data.shown() == data.UPLOAD
    take(column="own:0")
    assert visit.held["_upload"].column == "pay"
    for text in ("own:", "own:2", "own:-1", "own:x", "own:1.0", "own:99999999999999999999"):
        take(column=text)
        assert set(visit.held[words.WRONG]) == {"column"}
        assert visit.held["_upload"].column == "pay"


def test_a_file_to_come_leads_to_where_it_is_read(visit):
    take(column="file")
    assert visit.store[words.GOING] == ("data", {"view": "choose"})
    assert data.shown() == "exam"


def test_of_several_words_all_hold_and_every_refused_one_is_said(visit):
    take(low="5", often="0.9", last="often")
    assert (visit.store["exam_low"], visit.store["often"]) == (5.0, 0.9)
    take(low="x", off="y", often="z", high="99")
    assert set(said().wrong) == {"low", "off", "often"}
    assert visit.store["exam_high"] == 99.0


def labels():
    return {one[0]: one[1] for one in words.columns()}


def test_columns_are_put_together_and_parted_again(visit):
    own(visit)
    visit.store["off"] = 7.0
    for together in (False, True, False):
        assert words.others() == (("age",) if together else ())
        assert labels()["with:1"] == ("without age" if together else "with age")
        assert labels()["own:0"] == ("pay and age" if together else "pay")
        assert words.names_of_needs().column == ("each" if together else "pay")
        assert choices("often")["0.95"] == "19 times of 20" + (" in each" if together else "")
        assert visit.store["off"] == 7.0  # a need is no other one because more columns keep it
        take(column="with:1")
    take(column="own:1")  # another column alone is alone
    assert words.others() == ()
    take(column="own:0")
    assert words.others() == ()


def test_several_columns_are_for_quantiles_of_a_file(visit):
    own(visit)
    take(column="with:1")
    visit.store["what"] = "histogram"
    assert words.others() == ()
    assert "with:1" not in labels()
    visit.store["what"] = "median"
    assert words.others() == ("age",)
    data.choose("exam")
    assert words.others() == ()
    assert [one.key for one in samples() if len(one.columns) > 1] == PLANE_SAMPLES  # no more than 2


def test_no_other_column_is_put_together(visit):
    own(visit)
    for text in ("with:", "with:2", "with:-1", "with:age"):
        take(column=text)
        assert words.others() == ()
    data.choose("exam")
    visit.held["_upload"] = None
    take(column="with:1")
    assert words.others() == ()
