"""The words of the sentence: what each is and may be, and what becomes of one that is set."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from dpviz.answers.decide.sentences import (
    BUDGET,
    CELLS,
    NEED,
    OFFERS,
    PUBLISHED,
    REHEARSED,
    WHAT,
    WHAT_CAN,
    form_of,
    slots,
)
from dpviz.answers.number_text import lowered
from dpviz.core.neighbours import Neighbours
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


def use(visit, key):
    """Work on a sample or on the file."""
    data.choose(key)
    return visit


def own(visit, column="pay", content=FILE):
    """A file of the visitor's, with text in its first column."""
    table = read_table(io.BytesIO(content), "a.csv")
    visit.held["_upload"] = Upload(table, 1, column, drop_unreadable=False)
    data.choose(data.UPLOAD, "column")
    return visit


def values():
    return fields.settled("decide", tuple(ROWS.values()), {"view": "answer"})


def take(last=None, **changed):
    """As the browser tells it; the first word was touched last, unless another one was."""
    words.take(ROWS, values(), changed, last or next(iter(changed)))


def said(answer=None):
    return words.said(ROWS, values(), answer or {})


# every sentence has its words


def at(visit, what, key):
    """The page with a first word and a data set that it can be about."""
    visit.store["what"] = what
    if key == "file":
        own(visit)
    else:
        data.choose(key, kind())
    return values()


def fitting(what):
    return (*PLANE_SAMPLES, "file") if form_of(what) == CELLS else (*COLUMN_SAMPLES, "file")


@pytest.mark.parametrize("given", [NEED, BUDGET])
@pytest.mark.parametrize("what", WHAT)
def test_every_word_is_there_and_is_one_of_those_it_can_be(visit, what, given):
    for key in fitting(what):
        at(visit, what, key)
        visit.store["given"] = given
        found = said()
        parts = {part.name: part for part in found.parts if isinstance(part, Choice | Amount)}
        hidden = {"lead", "answer", "symbol"} | ({"eps"} if given == NEED else set())
        assert set(parts) >= slots(what) - hidden - {"eps"}
        for name, part in parts.items():
            value = found.values[name]
            assert part.says
            if isinstance(part, Choice):
                assert value in [one[0] for one in part.options], (key, name, value)
                assert len({one[0] for one in part.options}) == len(part.options)
            else:
                assert value == "" or part.least <= float(value) <= part.most, (key, name, value)
                assert part.refuses
                assert (value == "") <= (key == "file" and name in {"low", "high", "people"})


def test_a_sample_says_all_its_words(visit):
    text = said({"answer": "ε =", "lead": "that takes ", "computed": {"eps": "0.23"}}).text()
    assert text.replace("\N{NO-BREAK SPACE}", " ") == (
        "Publish nine deciles of exam marks, between 0 and 100, of about 6,000 students, "
        "off by at most 1 mark, 19 times of 20: that takes ε = 0.23."
    )


def test_a_file_says_dashes_where_nothing_is_declared(visit):
    own(visit)
    text = said({"answer": "two bounds are missing", "computed": {"eps": ""}}).text()
    assert text.replace("\N{NO-BREAK SPACE}", " ").startswith(
        "Publish nine deciles of pay, between – and –, of about – people, off by at most 1 % of "
        "the people, 19 times of 20: two bounds are missing"
    )


@pytest.mark.parametrize(
    ("is_file", "start"), [(True, "Published, once: "), (False, "Rehearsed: ")]
)
def test_a_release_is_no_longer_asked_for(visit, is_file, start):
    if is_file:
        own(visit)
    found = said({"live": False, "answer": "ε = 0.4 is spent."})
    assert not found.live
    text = found.text()
    assert text.startswith(start)
    assert text.endswith(". ε = 0.4 is spent.")
    assert {PUBLISHED, REHEARSED} == set(words.sentences.ONCE)


def test_a_unit_goes_with_the_number_that_is_seen(visit):
    visit.store |= {"given": BUDGET, "off": 1.0}
    for off, unit in (("1", "1_mark."), ("9", "9_marks."), ("0.5", "0.5_marks.")):
        text = said({"computed": {"off": off}}).text().replace("\N{NO-BREAK SPACE}", "_")
        assert text.endswith(f"off by at most {unit}")
    assert said().values["off"] == "1"  # what was typed is kept


def test_what_follows_from_the_words_is_handed_on(visit):
    answer = {
        "answer": "A", "computed": {"eps": "2"}, "wrong": {"low": "W"}, "live": True,
        "spoken": "S", "lead": "L", "under": "U",
    }  # fmt: skip
    visit.held[words.WRONG] = {"high": "H"}
    found = said(answer)
    assert (found.answer, found.spoken, found.lead, found.under) == ("A", "S", "L", "U")
    assert found.computed == {"eps": "2"}
    assert found.wrong == {"low": "W", "high": "H"}
    assert said(answer).wrong == {"low": "W"}  # a refusal is said once


def test_the_symbol_and_the_size_are_those_of_the_notion(visit):
    visit.store["given"] = BUDGET
    assert "with ε =\N{NO-BREAK SPACE}1," in said().text()  # the page's own, until it is typed
    visit.store |= {"eps": 0.25, "rho": 0.125}
    assert "with ε =\N{NO-BREAK SPACE}0.25," in said().text()
    visit.store["notion"] = "approx"
    assert "with ε =\N{NO-BREAK SPACE}0.25," in said().text()
    visit.store["notion"] = "zcdp"
    assert "with ρ =\N{NO-BREAK SPACE}0.125," in said().text()
    assert "δ" not in said().text()
    assert words.budget_key() == "rho"


def test_the_sentence_says_its_delta(visit):
    visit.store["notion"] = "approx"
    kept = {"answer": "ε =", "lead": "that takes ", "computed": {"eps": "0.23"}}
    assert said(kept).text().endswith("0.23, at δ =\N{NO-BREAK SPACE}10⁻⁶.")
    assert "δ" not in said({"answer": "no ε up to 10 does that", "computed": {"eps": ""}}).text()
    visit.store["delta"] = 2e-5
    assert "at δ =\N{NO-BREAK SPACE}2.0 × 10⁻⁵" in said(kept).text()


def test_a_budget_is_asked_what_it_can_publish(visit):
    visit.store |= {"what": "offers", "eps": 0.5}
    text = said({"answer": "One of these seven."}).text().replace("\N{NO-BREAK SPACE}", " ")
    assert text == (
        "What can ε = 0.5 publish of exam marks, between 0 and 100, of about 6,000 students, "
        "19 times of 20? One of these seven."
    )
    (first,) = [one for one in said().parts if isinstance(one, Choice) and one.name == "what"]
    assert dict(first.options)["offers"] == WHAT_CAN
    visit.store["what"] = "count"
    (first,) = [one for one in said().parts if isinstance(one, Choice) and one.name == "what"]
    assert dict(first.options)["offers"] == WHAT["offers"][0]


def test_an_area_is_that_of_the_points(visit):
    at(visit, "map", "towns")
    assert "cells of towns along roads, in 100 × 80 km, of" in said().text()
    at(visit, "map", "file")
    assert "in an area that is not declared," in said().text()
    visit.store |= {"own1_1_low": 2.0, "own1_1_high": 12.0, "y_low": -3.0, "y_high": 4.5}
    assert "in 10 × 7.5," in said().text()


# data sets


def test_what_a_sentence_can_be_about(visit):
    assert words.columns()[-1] == ("file", "a file of my own …", "Yours")
    assert [one[0] for one in words.columns()[:-1]] == [
        one.key for one in samples() if len(one.columns) == 1
    ]
    own(visit)
    listed = words.columns()
    assert listed[:2] == [("own:0", "pay", "Your file"), ("own:1", "age", "Your file")]
    assert listed[-1] == ("file", "a file of my own …", "Your file")
    assert all("pay" not in one[0] for one in listed)  # a value may stand in a log


def test_a_map_is_about_points(visit):
    at(visit, "map", "towns")
    assert {one[0] for one in words.columns()} == {*PLANE_SAMPLES, "file"}


@pytest.mark.parametrize(("column", "value"), [("pay", "own:0"), ("age", "own:1")])
def test_the_column_of_a_file_is_said_by_its_place(visit, column, value):
    own(visit, column)
    assert words.texts_of(ROWS, values())["column"] == value
    assert words.column_name() == column


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


def test_a_title_within_a_sentence():
    assert lowered("Exam marks") == "exam marks"
    assert lowered("") == ""


@pytest.mark.parametrize(
    ("key", "found"),
    [("exam", "mark"), ("ages", "age"), ("hours", "hours"), ("salaries", "money"),
     ("ratings", "stars"), ("waiting", "minutes"), ("uniform", "other")],
)  # fmt: skip
def test_the_kind_of_number_of_a_sample(visit, key, found):
    assert words.kind_of_number() == "mark"
    use(visit, key)
    assert words.kind_of_number() == found


def test_the_kind_of_number_of_a_file_is_what_was_chosen(visit):
    own(visit)
    assert words.kind_of_number() == "other"
    visit.held["_kind_own1_1"] = "money"
    assert words.kind_of_number() == "money"
    assert visit.held["_upload"].table.columns[1].name == "pay"


# words that are set


DECLARED = {"low": "low", "high": "high", "people": "size"}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("low", "5", 5.0), ("low", "-2.5", -2.5), ("high", "1e6", 1e6), ("people", "1", 1.0),
        ("people", "4000", 4000.0), ("low", "1e15", 1e15), ("high", "-1e15", -1e15),
    ],
)  # fmt: skip
def test_what_is_declared_lands_in_the_visit(visit, name, text, value):
    take(**{name: text})
    assert visit.store[f"exam_{DECLARED[name]}"] == value
    use(visit, "ages")
    take(**{name: text})
    assert visit.store[f"ages_{DECLARED[name]}"] == value
    own(visit, "age")
    take(**{name: text})
    assert visit.store[f"own1_2_{DECLARED[name]}"] == value
    assert not {key for key in visit.store if key.endswith(("_low", "_high", "_size"))} - {
        f"{scope}_{DECLARED[name]}" for scope in ("exam", "ages", "own1_2")
    }


def test_one_person_is_said_in_the_singular(visit):
    for people, noun in (("1", "1 student"), ("2", "2 students")):
        take(people=people)
        assert f"of about {noun}, off" in said().text().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("name", DECLARED)
def test_an_emptied_word_is_as_at_first(visit, name):
    first = said().values[name]
    take(**{name: "50"})
    assert said().values[name] == "50"
    take(**{name: ""})
    assert said().values[name] == first


@pytest.mark.parametrize("text", ODD[1:])
@pytest.mark.parametrize("name", DECLARED)
def test_nonsense_is_declared_by_nobody(visit, name, text):
    before = dict(visit.store)
    take(**{name: text})
    assert said().wrong == {name: words.TYPED[name][2]}
    assert {key: visit.store[key] for key in before} == before
    assert f"exam_{DECLARED[name]}" not in visit.store


@pytest.mark.parametrize(
    ("name", "text"),
    [("low", "1.1e15"), ("high", "-1.1e15"), ("people", "0"), ("people", "0.99"),
     ("people", "-5"), ("people", "1e16")],
)  # fmt: skip
def test_what_is_too_far_is_refused_with_its_sentence(visit, name, text):
    take(**{name: text})
    assert said().wrong == {name: words.TYPED[name][2]}
    assert f"exam_{DECLARED[name]}" not in visit.store


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


@pytest.mark.parametrize("name", ROW_WORDS)
def test_a_row_of_the_page_holds_what_was_set(visit, name):
    text, value = ROW_WORDS[name]
    assert values()[name] != value
    take(**{name: text})
    assert visit.store[name] == value
    assert values()[name] == value
    assert said().values.get(name) == text


@pytest.mark.parametrize("name", ROW_WORDS)
def test_a_row_refuses_nonsense(visit, name):
    before = values()
    for text in ODD:
        take(**{name: text})
        assert name not in visit.store, text
        wrong = said().wrong
        assert set(wrong) == {name}
        assert wrong[name].endswith(".")
        assert values() == before


@pytest.mark.parametrize(
    ("name", "text"),
    [("bins", "1"), ("bins", "1001"), ("bins", "2.5"), ("periods", "2001"), ("off", "0"),
     ("off", "-1"), ("off", "1e10"), ("often", "0.94"), ("side", "48"), ("what", "Deciles"),
     ("unit", "people ")],
)  # fmt: skip
def test_a_row_refuses_what_it_cannot_be(visit, name, text):
    take(**{name: text})
    assert name not in visit.store
    assert set(said().wrong) == {name}


@pytest.mark.parametrize(
    "name", ["evil", "answer", "lead", "symbol", "data", "_visit", "__class__"]
)
def test_a_word_that_is_none_is_refused(visit, name):
    words.take(ROWS, values(), {name: "5"}, name)
    assert set(visit.held[words.WRONG]) == {name}
    assert name not in visit.store


def test_how_many_is_about_or_exactly(visit):
    take(about="exactly")
    assert visit.store["neighbours"] is Neighbours.REPLACE_ONE
    assert said().values["about"] == "exactly"
    take(about="about")
    assert visit.store["neighbours"] is Neighbours.ADD_REMOVE
    take(about="nearly")
    assert said().wrong == {"about": "This cannot be."}
    assert visit.store["neighbours"] is Neighbours.ADD_REMOVE


@pytest.mark.parametrize(("notion", "key"), [("pure", "eps"), ("approx", "eps"), ("zcdp", "rho")])
def test_a_budget_is_of_the_notion_and_is_then_what_was_said(visit, notion, key):
    visit.store["notion"] = notion
    take(eps="0.75")
    assert visit.store[key] == 0.75
    assert {"eps", "rho"} & set(visit.store) == {key}
    assert visit.store["given"] == BUDGET
    for text in (*ODD, "0", "-1", "11", "0.00009"):
        take(eps=text)
        assert said().wrong == {"eps": words.TYPED["eps"][2]}
        assert visit.store[key] == 0.75
    take(eps="10")
    take(eps="0.0001")
    assert visit.store[key] == 0.0001


@pytest.mark.parametrize(("name", "text"), [("off", "3"), ("unit", "share"), ("what", "quartiles")])
def test_what_was_touched_last_is_yours(visit, name, text):
    take(eps="0.5")
    assert values()["given"] == BUDGET
    take(**{name: text})
    assert values()["given"] == NEED
    take(eps="0.6")
    assert values()["given"] == BUDGET


@pytest.mark.parametrize(
    ("name", "text"),
    [("often", "0.9"), ("low", "3"), ("high", "99"), ("people", "400"), ("about", "exactly"),
     ("column", "ages")],
)  # fmt: skip
def test_other_words_leave_open_what_is_computed(visit, name, text):
    for last, given in (("off", NEED), ("eps", BUDGET)):
        take(**{last: "2"})
        take(**{name: text})
        assert values()["given"] == given


def test_a_refused_word_flips_nothing(visit):
    take(eps="0.5")
    take(off="nothing")
    assert values()["given"] == BUDGET
    take(off="2")
    take(eps="1e9")
    assert values()["given"] == NEED


def test_a_question_what_a_budget_buys_stays_one(visit):
    take(eps="0.5")
    take(what="offers")
    assert form_of(values()["what"]) == OFFERS
    assert values()["given"] == BUDGET
    take(eps="0.7")
    assert (values()["given"], visit.store["eps"]) == (BUDGET, 0.7)
    take(what="deciles")
    assert values()["given"] == NEED


# words that hang on others


def set_by_hand(visit):
    take(unit="share")
    take(off="3")
    assert (values()["off"], values()["unit"]) == (3, "share")


def test_another_unit_brings_its_own_amount(visit):
    set_by_hand(visit)
    take(unit="places")
    assert (values()["off"], values()["unit"]) == (60, "places")  # one in a hundred of 6,000
    take(unit="value")
    assert (values()["off"], values()["unit"]) == (2, "value")


def test_another_form_begins_with_its_own_need(visit):
    set_by_hand(visit)
    take(what="quartiles")  # the same form
    assert (values()["off"], values()["unit"]) == (3, "share")
    take(what="count")
    assert (values()["off"], values()["unit"]) == (10, "people")
    take(what="histogram")
    assert (values()["off"], values()["unit"]) == (12, "people")
    take(what="deciles")
    assert (values()["off"], values()["unit"]) == (1, "unit")


def test_other_data_begin_with_their_own_need(visit):
    set_by_hand(visit)
    take(column="salaries")
    assert (values()["off"], values()["unit"]) == (2, "value")
    set_by_hand(visit)
    own(visit)
    take(column="own:1")
    assert (values()["off"], values()["unit"]) == (1, "share")


@pytest.mark.parametrize(
    ("name", "text"),
    [("often", "0.9"), ("low", "3"), ("high", "99"), ("people", "400"), ("about", "exactly"),
     ("eps", "0.5")],
)  # fmt: skip
def test_all_other_words_leave_the_need_alone(visit, name, text):
    set_by_hand(visit)
    take(**{name: text})
    assert (values()["off"], values()["unit"]) == (3, "share")


def test_a_unit_that_is_no_more_gives_way(visit):
    take(unit="value")
    take(low="-5")
    assert values()["unit"] != "value"
    assert said().values["unit"] in [
        one[0] for part in said().parts if isinstance(part, Choice) and part.name == "unit"
        for one in part.options
    ]  # fmt: skip


def test_a_block_is_no_larger_than_its_map(visit):
    at(visit, "map", "towns")
    take(block="64")
    take(side="32")
    assert values()["block"] <= 32


# another column


def test_another_sample(visit):
    take(column="ages")
    assert data.shown() == "ages"
    assert state.get("column") == "ages"
    for text in ("", "nothing", "EXAM", "upload", "exam ", "../exam"):
        take(column=text)
        assert set(said().wrong) == {"column"}
        assert data.shown() == "ages"


def test_a_column_of_the_file(visit):
    own(visit, "pay")
    data.choose("exam")
    take(column="own:1")
    assert visit.held["_upload"].column == "age"
    assert visit.held["upload_column"] == "age"
    assert data.shown() == data.UPLOAD
    take(column="own:0")
    assert visit.held["_upload"].column == "pay"
    for text in ("own:", "own:2", "own:-1", "own:x", "own:1.0", "own:99999999999999999999"):
        take(column=text)
        assert set(visit.held[words.WRONG]) == {"column"}
        assert visit.held["_upload"].column == "pay"


def test_no_column_of_a_file_that_is_not_there(visit):
    take(column="own:0")
    assert set(said().wrong) == {"column"}
    assert data.shown() == "exam"


def test_a_file_to_come_leads_to_where_it_is_read(visit):
    take(column="file")
    assert visit.store[words.GOING] == ("data", {"view": "choose"})
    assert data.shown() == "exam"


# several at once


def test_two_quick_changes_both_hold(visit):
    take(low="5", often="0.9", last="often")
    assert (visit.store["exam_low"], visit.store["often"]) == (5.0, 0.9)


def test_of_two_words_the_last_says_what_is_computed(visit):
    take(off="2", eps="0.5", last="eps")
    assert values()["given"] == BUDGET
    take(off="3", eps="0.6", last="off")
    assert values()["given"] == NEED


def test_every_refused_word_is_said(visit):
    take(low="x", off="y", often="z", high="99")
    assert set(said().wrong) == {"low", "off", "often"}
    assert visit.store["exam_high"] == 99.0


# several columns


def labels():
    return {one[0]: one[1] for one in words.columns()}


def test_columns_are_put_together_and_parted_again(visit):
    own(visit)
    visit.store["off"] = 7.0
    assert labels()["with:1"] == "with age"
    assert words.others() == ()
    take(column="with:1")
    assert words.others() == ("age",)
    assert visit.store["off"] == 7.0  # a need is no other one because more columns keep it
    assert labels()["own:0"] == "pay and age"
    assert labels()["with:1"] == "without age"
    assert labels()["own:1"] == "age"
    assert words.names_of_needs().column == "each"
    often = dict(words._options(ROWS["often"], values()))
    assert often["0.95"] == "19 times of 20 in each"
    take(column="with:1")
    assert words.others() == ()
    assert dict(words._options(ROWS["often"], values()))["0.95"] == "19 times of 20"
    assert words.names_of_needs().column == "pay"


def test_another_column_alone_is_alone(visit):
    own(visit)
    take(column="with:1")
    take(column="own:1")
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
    assert PLANE_SAMPLES == [one.key for one in samples() if len(one.columns) > 1]  # no more than 2


def test_no_other_column_is_put_together(visit):
    own(visit)
    for text in ("with:", "with:2", "with:-1", "with:age"):
        take(column=text)
        assert words.others() == ()
    data.choose("exam")
    visit.held["_upload"] = None
    take(column="with:1")
    assert words.others() == ()
