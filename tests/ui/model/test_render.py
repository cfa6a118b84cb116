"""The renderer: what a view draws where, by a dock and a strip that say what they were asked."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from dpviz.answers.said import Line, Said
from dpviz.ui.model import render
from dpviz.ui.model.fields import Field, Number, SomeOf, Switch, Whole
from dpviz.ui.model.render import Page, Shown, View, standing

SAID = Said(
    Line("One **finding**."), Line("And why."), [("all", "3")], "alt", ["chip"],
    strips={"narrow": [("few", "1")], "low": [("some", "2")]},
)  # fmt: skip
VIEW: View = View("v", "V", lambda *_: 7, say=lambda *_: SAID, kept="run")
PAGE: Page = Page(
    name="p", title="P", fields=(), views=(VIEW,), ask=lambda *_: "asked", label=str,
    missing="", question_tab="",
)  # fmt: skip


class Dock:
    """What was asked of a dock, in order."""

    def __init__(self):
        self.said = []
        self.buttons = SimpleNamespace(container=lambda **_: "a place")

    def new_draw(self, label, before):
        self.said.append((label, before))

    def no_draw(self):
        self.said.append("room")

    def truth(self):
        self.said.append("truth")


def shown(screen="wide", *, truth=True):
    now = SimpleNamespace(look=SimpleNamespace(screen=screen, phone=False), truth=truth)
    return Shown("asked", 7, SAID, {"view": "v"}, now, lambda *_: None)


@pytest.fixture
def strips(monkeypatch):
    found = []
    monkeypatch.setattr(
        render, "strip", lambda _, items, chips, **rest: found.append((items, chips, rest))
    )
    return found


@pytest.mark.parametrize(("screen", "word"), [("wide", "all"), ("low", "some"), ("narrow", "few"),
                                              ("phone", "all")])  # fmt: skip
def test_the_strip_is_that_of_the_room(strips, screen, word):
    render._strip(PAGE, VIEW, shown(screen))
    ((items, chips, rest),) = strips
    assert (items[0][0], chips) == (word, ["chip"])
    assert rest == {"ledger": True, "badge": True}


@pytest.mark.parametrize(
    ("held", "truth", "ledger"),
    [("never", True, True), ("never", False, True), ("hidden", True, True),
     ("hidden", False, False), ("always", True, False), ("always", False, False)],
)  # fmt: skip
def test_the_ledger_stands_in_the_strip_or_in_the_dock(strips, held, truth, ledger):
    for page in (replace(PAGE, ledger_in_dock=held), replace(PAGE, ledger_in_dock=lambda _: held)):
        render._strip(page, VIEW, shown(truth=truth))
        assert strips.pop()[2]["ledger"] is ledger


def test_the_badge_is_about_what_was_asked_and_nobodys_view_has_none(strips):
    asked = []
    render._strip(PAGE, replace(VIEW, badge=lambda one: bool(asked.append(one))), shown())
    render._strip(PAGE, replace(VIEW, of_data=False), shown())
    assert asked == ["asked"]
    assert [rest for _, _, rest in strips] == [
        {"ledger": True, "badge": False}, {"ledger": False, "badge": False},
    ]  # fmt: skip


def test_the_button_of_a_view_and_its_place():
    def said(**parts):
        dock = Dock()
        place = render._draws(replace(VIEW, **parts), dock, {"view": "v", "on": False})
        return dock.said, place

    assert said() == ([("New draw", None), "truth"], None)
    assert said(draw_label="Publish one", before_draw=len) == (
        [("Publish one", len), "truth"],
        None,
    )
    assert said(draws=False) == (["room", "truth"], None)
    assert said(draws=lambda values: values["on"]) == (["room", "truth"], None)
    assert said(buttons=print) == (["truth"], "a place")
    assert said(of_data=False) == ([], None)


def test_fields_stand_where_the_values_say():
    where = Field("a", "A", Switch(), False, lambda values: values["place"])
    page = replace(PAGE, fields=((where,), (replace(where, key="b", when=lambda _: False),)))
    assert render._there(page, {"place": "dock"}, "dock") == [where]
    assert render._there(page, {"place": "expert"}, "dock") == []


def test_sentences_may_stand_in_a_views_place():
    view = standing("Not **so**.", "Why?", strip=[("n", "1")])
    said = view.say(None, view.numbers(None, {}))
    assert (said.headline(), said.second(), said.strip, said.alt) == (
        "Not **so**.", "Why?", [("n", "1")], "Not so.",
    )  # fmt: skip
    assert (view.draw, view.ends, standing("x").ends) == (None, True, False)
    assert render._picture(view, shown()) == ""
    assert render._picture(replace(view, draw=lambda *_: None), shown()) == ""


def test_numbers_are_kept_as_the_view_says(monkeypatch):
    kept = {}
    monkeypatch.setattr(render.memory, "remembered", lambda key, work: kept.setdefault(key, work()))
    once = replace(PAGE, once=lambda *told: ("of the release", told[1], told[3]))
    view = replace(VIEW, key=lambda _, values: values["view"])
    assert render._numbers(once, view, "asked", {"view": "v"}) == 7
    assert render._numbers(once, replace(view, kept="public"), "asked", {"view": "v"}) == 7
    assert kept == {("p", "v", "v"): 7}
    told = render._numbers(once, replace(view, kept="release"), "asked", {"view": "v"})
    assert told == ("of the release", "v", "v")


def test_of_some_the_options_may_hang_on_values():
    kind = SomeOf({"x": "X", "y": "Y", "z": "Z"}, among=lambda values: values["there"])
    assert kind.fit(("z", "x"), {"there": ["x", "z"]}) == ("x", "z")
    assert kind.fit(("y",), {"there": ["x", "z"]}) == ("x", "z")  # none of those is there
    assert kind.fit((), {"there": ["x", "z"]}) == ()
    few = SomeOf({"x": "X", "y": "Y", "z": "Z"}, most=2)
    assert few.fit(("gone",), {}) == ("x", "y")  # no more than may be chosen


@pytest.mark.parametrize(
    "kind",
    [
        Whole(1, 10**9, lambda _: (100,)),
        Number(0.01, 1e9, stops=lambda at: sorted({100.0, at})),
    ],
)
def test_a_slider_says_large_numbers_as_words_do(kind, monkeypatch):
    told = []
    place = SimpleNamespace(
        select_slider=lambda _, options, format_func, **__: told.extend(map(format_func, options))
    )
    monkeypatch.setattr(render.fields.st, "session_state", {})
    for value in (10_000, 10**9):
        render.fields.draw(Field("a", "A", kind, value, "dock"), place, {"a": value})
    assert told == ["100", "10,000", "100", "1,000,000,000"]


@pytest.mark.parametrize("stops", [None, lambda at: sorted({1.0, at})])
def test_a_number_with_stops_is_a_slider(stops, monkeypatch):
    drawn = []
    place = SimpleNamespace(
        select_slider=lambda label, options, **_: drawn.append((label, options)),
        number_input=lambda label, **given: drawn.append((label, given["step"])),
    )
    monkeypatch.setattr(render.fields.st, "session_state", {})
    row = Field("a", "A", Number(0.0, 5.0, is_needed=True, step=0.5, stops=stops), 1.0, "dock",
                worded=lambda values: f"A of {values['a']:g}")  # fmt: skip
    render.fields.draw(row, place, {"a": 2.5})
    assert drawn == [("A of 2.5", 0.5 if stops is None else [1.0, 2.5])]
