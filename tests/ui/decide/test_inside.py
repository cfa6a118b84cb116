"""Look inside: every way leads to a page and a view that there are, with what the sentence says."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest

from dpviz import catalogue
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.decide.price import Way as Method
from dpviz.answers.decide.sentences import CELLS, OFFERS, QUANTILES, SETS, WHAT, form_of
from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import parse_quantiles
from dpviz.ui.decide import inside
from dpviz.ui.decide.inside import WAYS, Way, link
from dpviz.ui.decide.together import Together
from dpviz.ui.kit import frame
from dpviz.ui.kit.pickers import OWN
from dpviz.ui.pages import decide

EVERY = [way for ways in WAYS.values() for way in ways]
PAGES = {name for rows in frame.PAGES.values() for name, _ in rows} | {
    name for name, _ in frame.WITHIN
}


def page_of(name):
    if name == inside.HOME:
        views = [SimpleNamespace(name=one) for one in decide.TABS.titles]
        return SimpleNamespace(views=views, fields=[decide.WORDS])
    module = import_module(f"dpviz.ui.pages.{name}")
    return module.page() if name == "quantiles" else module.PAGE


def rows_of(name):
    return {row.key: row for group in page_of(name).fields for row in group}


@pytest.mark.parametrize("way", EVERY, ids=lambda way: way.name)
def test_every_way_leads_to_a_view_that_there_is(way):
    assert way.page in PAGES
    assert way.view in {view.name for view in page_of(way.page).views}


def test_every_form_has_ways_and_their_names_differ():
    assert set(WAYS) == {form_of(what) for what in WHAT} - {OFFERS}
    for ways in WAYS.values():
        names = [way.name for way in ways]
        assert len(set(names)) == len(names) >= 3
        assert {"One person", "Audit"} <= set(names)


def test_what_a_way_says_besides_is_a_choice_of_its_page():
    assert dict(WAYS[QUANTILES][-1].more) == {"below": inside.TAKE}  # of Python
    for way in EVERY:
        rows = rows_of(way.page) if way.more else {}
        for key, text in way.more:
            assert text in rows[key].kind.write(rows[key].kind.read([text], {}))


def found(what="deciles", method="AggTree", size=0.37, **values):
    price = None if method is None else Price((Method(method, size),), Need(1, "unit"), size, 1.0)
    return SimpleNamespace(
        values={"what": what, "own": "0.2, 0.9", **values},
        price=price,
        budget=None if price is None or size is None else PureDP(size),
        released=None,
        topic=None,
    )


COMPARE = Way("Compare", "quantiles", "compare")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("deciles", {"set": "deciles"}),
        ("quartiles", {"set": "quartiles"}),
        ("percentiles", {"set": "percentiles"}),
        ("median", {"set": OWN, "own": "0.5"}),
        ("own", {"set": OWN, "own": "0.2, 0.9"}),
    ],
)
def test_the_quantiles_go_along(what, said):
    opened = link(COMPARE, found(what))
    assert {key: opened[key] for key in opened if key in ("set", "own")} == said
    assert opened["view"] == "compare"
    rows = rows_of("quantiles")
    assert rows["set"].kind.read([opened["set"]], {}) is not None
    if "own" in opened:
        wanted = SETS.get(what, (0.2, 0.9))
        assert parse_quantiles(opened["own"]).tolist() == list(wanted)


@pytest.mark.parametrize("method", [kind.name for kind in catalogue.QUANTILES])
def test_the_method_goes_along(visit, method):
    opened = link(COMPARE, found(method=method))
    label = {kind.name: kind.card.label for kind in catalogue.QUANTILES}[method]
    assert opened["method"] == label
    rows = rows_of("quantiles")
    assert rows["method"].kind.read([opened["method"]], {}) == method


def test_without_an_answer_no_method_and_no_budget_is_said(row, visit):
    assert "method" not in link(COMPARE, found(method=None))
    assert "method" not in link(COMPARE, found(size=None))
    inside.follow("One person", found(method=None))
    assert row.went == ["neighbours"]
    assert "eps" not in visit.store  # it is left as it is


def test_other_pages_and_other_forms_get_their_view_alone():
    for way in EVERY:
        for what in WHAT:
            if way.page != "quantiles" or form_of(what) != QUANTILES:
                assert link(way, found(what)) == {"view": way.view, **dict(way.more)}


# the row


@pytest.fixture
def row(visit, monkeypatch):
    """Where a click in the row leads."""
    seen = SimpleNamespace(went=[], followed=[], again=[])
    monkeypatch.setattr(inside.frame, "go", seen.went.append)
    monkeypatch.setattr(inside.state, "follow", seen.followed.append)
    monkeypatch.setattr(inside.st, "rerun", lambda: seen.again.append(dict(visit.store)))
    return seen


@pytest.mark.parametrize("what", WHAT)
def test_the_row_names_the_ways_of_its_form(what):
    told = inside.ways(found(what))
    assert told["names"] == ["Answer", *(way.name for way in WAYS.get(form_of(what), ()))]
    assert told == {"names": told["names"], "here": "Answer", "parts": [], "part": ""}
    shown = found(what)
    shown.released = object()
    told = inside.ways(shown)
    assert (told["names"][0], told["here"]) == ("Release", "Release")


def test_methods_compared_holds_every_view_under_the_sentence():
    (way,) = [one for one in WAYS[QUANTILES] if one.page == inside.UNDER]
    assert [view for view, _ in way.parts] == ["sweep", "wins", "search", "many"]
    assert set(dict(way.parts)) == {view.name for view in page_of(inside.UNDER).views}
    for view, name in way.parts:
        told = inside.ways(found(), view)
        assert (told["here"], told["part"]) == ("Methods compared", name)
        assert told["parts"] == [one for _, one in way.parts]
    assert inside.ways(found())["parts"] == inside.ways(found(), "unfolded")["parts"] == []
    other = inside.ways(found("count"), "sweep")  # a sentence that has no such view
    assert (other["here"], other["parts"]) == ("", [])


def test_a_way_takes_the_budget_along(row, visit):
    inside.follow("Recursion", found(size=0.41))
    assert visit.store["eps"] == 0.41
    assert row.went == ["quantiles"]
    (way,) = [one for one in WAYS[QUANTILES] if one.name == "Recursion"]
    assert row.followed == [link(way, found())]
    visit.store["notion"] = "zcdp"
    inside.follow("Recursion", found(size=0.07))
    assert (visit.store["eps"], visit.store["rho"]) == (0.41, 0.07)


def test_of_several_columns_a_way_takes_the_part_of_one_along(row, visit, monkeypatch):
    whole = found(size=0.82)
    whole.topic = object.__new__(Together)
    monkeypatch.setattr(Together, "alone", lambda *_: SimpleNamespace(size=0.41))
    inside.follow("Recursion", whole)
    assert visit.store["eps"] == 0.41


@pytest.mark.parametrize("clicked", ["The map", "nothing", "", 5, None, "Answer"])
def test_a_way_that_is_not_there_leads_nowhere(row, visit, clicked):
    inside.follow(clicked, found())
    assert (row.went, row.again) == ([], [])
    assert "eps" not in visit.store


def test_a_view_under_the_sentence_opens_with_its_words_as_they_are(row, visit):
    inside.follow("Methods compared", found())
    assert (row.went, row.followed, row.again) == (["what_if"], [], [])  # no word is left out
    assert visit.store["view_what_if"] == "sweep"


def test_from_a_view_the_answer_leads_back_and_others_are_shown_in_place(row, visit, monkeypatch):
    monkeypatch.setitem(visit.store, "view_decide", "unfolded")
    inside.follow("Answer", found(), "sweep")
    assert (row.went, row.again) == (["decide"], [])
    assert visit.store["view_decide"] == "answer"
    for view, name in inside.COMPARED:
        inside.follow(name, found(), "sweep")
        assert row.again.pop()["view_what_if"] == view
    assert row.went == ["decide"]


def test_a_map_is_not_led_to_a_page_of_columns():
    assert not {way.page for way in WAYS[CELLS]} & {"quantiles", "trees", "what_if"}


@pytest.mark.parametrize("what", ["deciles", "count", "curve", "map"])
def test_the_frontier_unfolds_on_the_page_itself(row, visit, what):
    inside.follow("Frontier", found(what))
    assert (row.went, row.followed) == ([], [])
    assert row.again.pop()["view_decide"] == "unfolded"
    assert "eps" not in visit.store  # the words stay as they are
    assert inside.ways(found(what), "unfolded")["here"] == "Frontier"
    inside.follow("Answer", found(what), "unfolded")
    assert row.again.pop()["view_decide"] == "answer"
    inside.follow("Frontier", found(what), "sweep")
    assert (row.went, row.again) == (["decide"], [])
