"""What a field may be, what links say of it, and what holds: every kind, and every page."""

import pytest

from dpviz.core.errors import DpvizError, InvalidParameter
from dpviz.ui.model import fields
from dpviz.ui.model.fields import (
    Field,
    Note,
    Number,
    OneOf,
    Parts,
    SomeOf,
    Switch,
    Text,
    Whole,
    links,
    of,
    settled,
)
from dpviz.ui.pages.trees import PAGE
from dpviz.ui.visit import state
from tests.rows import by_rows
from tests.ui.recorded import Recorded

DECLARED = {"t_from", "t_to", "t_ranges"}  # at first from the bounds of a session
REFUSALS = (ValueError, KeyError, OverflowError, DpvizError)


def _digits(text: str) -> int:
    if not text.isdecimal():
        raise InvalidParameter("none")
    return int(text)


ROWS = (
    Field("a", "A", Whole(2, 9), 3, "expert"),
    Field("b", "B", Whole(0, lambda values: values["a"]), lambda values: values["a"] - 1, "dock"),
    Field(
        "c", "C", OneOf({1: "one", 2: "two"}), 1, "question", when=lambda values: values["b"] > 1
    ),
    Field("d", "D", Number(0, 1), None, "expert"),
    Field("e", "E", SomeOf({"x": "x", "y": "y"}), ("x", "y"), "below"),
    Field("f", "F", Switch(), False, "below"),
    Field("g", "G", Text(_digits), "0", "below", linked=lambda: False),
)


class Visit:
    """A visit without a browser: its store, its link, and whether the link decides."""

    def __init__(self, monkeypatch):
        self.store, self.link, self.decides, self.refused = {}, {}, False, []
        monkeypatch.setattr(state, "store", lambda: self.store)
        monkeypatch.setattr(fields.arriving, "linked", lambda key: self.link.get(key, []))
        monkeypatch.setattr(fields.arriving, "decides", lambda: self.decides)
        monkeypatch.setattr(fields.arriving, "refuse", self.refused.append)

    def settled(self, **link):
        self.link = {key: [text] for key, text in link.items()}
        return settled("page", ROWS, {"view": "v"})

    def said(self):
        found = links(ROWS, settled("page", ROWS, {"view": "v"}))
        return {key: texts for key, texts in found.items() if texts is not None}


@pytest.fixture
def visit(monkeypatch):
    return Visit(monkeypatch)


def test_at_first_nothing_stands_in_the_link(visit):
    found = visit.settled()
    assert found == {
        "view": "v", "a": 3, "b": 2, "c": 1, "d": None, "e": ("x", "y"), "f": False, "g": "0"
    }  # fmt: skip
    assert visit.said() == {}


def test_a_link_is_read_once_and_then_the_visit_holds(visit):
    assert visit.settled(a="5", c="two", d="0.25", f="TRUE")["b"] == 4
    assert visit.said() == {"a": ["5"], "c": ["two"], "d": ["0.25"], "f": ["true"]}
    assert visit.settled(a="7")["a"] == 5
    visit.decides = True  # the browser went back
    assert visit.settled(a="7")["a"] == 7
    assert (visit.said()["a"], visit.settled()["a"]) == (["7"], 3)
    assert visit.refused == []


def test_what_a_link_cannot_say_is_refused_and_the_first_value_holds(visit):
    found = visit.settled(a="1", b="4", c="three", d="1.5", e="z", f="maybe")
    assert visit.refused == ["a", "b", "c", "d", "e", "f"]
    assert (found["a"], found["e"]) == (3, ("x", "y"))
    assert visit.settled(g="77")["g"] == "0"  # its link is no link
    assert "g" not in links(ROWS, visit.settled())


@pytest.mark.parametrize("error", REFUSALS)
def test_whatever_a_parser_cannot_read_is_refused(visit, error):
    def parse(text):
        raise error(text)

    visit.link = {"h": ["77"]}
    rows = (Field("h", "H", Text(parse), "0", "below"),)
    assert settled("page", rows, {})["h"] == "0"
    assert visit.refused == ["h"]


def test_a_value_that_no_longer_fits_is_brought_back_and_not_forgotten(visit):
    visit.store["b"] = 8
    assert visit.settled()["b"] == 3
    visit.store["a"] = 9
    assert visit.settled()["b"] == 8
    visit.store["c"] = "gone"
    assert visit.settled()["c"] == 1


def test_a_row_that_is_not_there_stands_in_no_link(visit):
    visit.store |= {"c": 2, "b": 0}
    assert visit.said() == {"b": ["0"]}
    visit.store["b"] = 2
    assert visit.said() == {"c": ["two"]}


def test_none_of_several_is_said(visit):
    visit.store["e"] = []
    assert visit.said() == {"e": [""]}
    assert ROWS[4].kind.read([""], {}) == ()
    assert ROWS[4].kind.read(["y", "x"], {}) == ("y", "x")


SOME = SomeOf(lambda: {"x": "the x", "y": "the y", "z": "the z"}, least=1, most=2)


def test_some_of_several_by_their_texts_at_least_one_and_the_first_two():
    assert SOME.read(["the z", "the x"], {}) == ("z", "x")
    assert SOME.write(("x", "z")) == ["the x", "the z"]
    assert SOME.fit(("z", "y", "x", "none"), {}) == ("y", "z")  # kept in their order: the first two
    assert SOME.fit((), {}) == ()
    for texts in ([""], ["x"], ["the x", "the x"]):
        with pytest.raises(ValueError):  # noqa: PT011
            SOME.read(texts, {})


def test_a_link_may_name_an_option_as_the_code_does():
    kind = OneOf({"first": "the first", "second": "the second", "": "by itself"})
    assert kind.read(["the second"], {}) == kind.read(["second"], {}) == "second"
    assert kind.write("second") == ["the second"]
    assert kind.read(["by itself"], {}) == ""
    with pytest.raises(KeyError):
        OneOf({None: "none", 2: "two"}).read(["None"], {})


def test_an_emptied_number_stays_empty_and_a_link_says_so(visit):
    row = Field("n", "N", Number(1, 9, is_whole=True, empty="none"), 4, "below")
    assert fields.settled("p", [row], {})["n"] == 4
    visit.store["n"] = None
    values = fields.settled("p", [row], {})
    assert values["n"] is None
    assert fields.links([row], values) == {"n": ["none"]}
    visit.store.clear()
    visit.link = {"n": ["none"]}
    assert fields.settled("p", [row], {})["n"] is None


def test_a_silent_link_opens_with_something_else_than_a_visit_has_at_first():
    row = Field(
        "o", "O", OneOf({1: "one", 2: "two"}), 1, "below", silent=lambda values: values["s"]
    )
    assert fields.links([row], {"o": 1, "s": 2}) == {"o": ["one"]}
    assert fields.links([row], {"o": 2, "s": 2}) == {"o": None}
    assert fields.links([row], {"o": 1, "s": 1}) == {"o": None}


PARTS = Field(
    "p", "P", Parts({"p0": "from", "p1": "to"}, Number()), (1.0, None), "reading",
    kept=lambda: "p of a set", said=lambda values: values["view"] == "v",
)  # fmt: skip


def test_numbers_that_hold_together_have_keys_of_their_own(visit):
    def held(view="v", **link):
        visit.link = {key: [text] for key, text in link.items()}
        found = settled("page", [PARTS], {"view": view})
        return found["p"], links([PARTS], found)

    assert held() == ((1.0, None), {"p0": None, "p1": None})
    visit.decides = True
    assert held(p0="2", p1="3.5") == ((2.0, 3.5), {"p0": ["2"], "p1": ["3.5"]})
    assert visit.store["p of a set"] == (2.0, 3.5)
    assert held(p1="7") == ((None, 7.0), {"p0": None, "p1": ["7"]})  # one alone leaves the other
    assert held(p0="x", p1="8") == ((None, 8.0), {"p0": None, "p1": ["8"]})
    assert visit.refused == ["p0"]
    assert held() == ((1.0, None), {"p0": None, "p1": None})
    visit.store["p of a set"] = (4.0, 5.0)  # what is not said, the link does not take back
    assert held("w") == ((4.0, 5.0), {"p0": None, "p1": None})
    assert PARTS.joined({"p0": 3, "p1": 4}.get) == (3, 4)


def test_a_remark_holds_nothing(visit):
    row = Field("n", "Said", Note(), None, "expert", linked=lambda: False)
    assert settled("page", [row], {})["n"] is None
    assert links([row], {"n": None}) == {}
    assert row.kind.write(None) == []


def test_what_no_link_may_say_is_kept_when_the_browser_goes_back(visit):
    visit.store["g"] = "5"
    visit.decides = True
    assert visit.settled(g="77")["g"] == "5"


def at_first(page):
    """As settled, without a session: a row may look at the rows above it only."""
    values = {"view": page.views[0].name}
    for row in page.rows:
        if row.key not in DECLARED:
            values[row.key] = row.kind.fit(of(row.first, values), values)
    return values


@by_rows("row", PAGE.rows, ids=lambda row: row.key)
def test_a_link_says_what_a_field_holds(row):
    values = at_first(PAGE)
    if values.get(row.key) is not None:
        texts = row.kind.write(values[row.key])
        assert row.kind.fit(row.kind.read(texts, values), values) == values[row.key]
    takes = {"t_from", "t_to", "t_weights"}
    for nonsense in (["nonsense\n"], ["1e999"], ["a", "b"], ["-1"], []):
        try:
            found = row.kind.read(nonsense, values)
        except REFUSALS:
            continue
        assert (row.key in takes and nonsense == ["-1"]) or nonsense == [] == list(found)


def test_keys_and_views_of_a_page_are_in_order():
    keys = [row.key for row in PAGE.rows]
    assert len(set(keys)) == len(keys)
    names = [view.name for view in PAGE.views]
    assert len(set(names)) == len(names)
    for view in PAGE.views:
        assert view.title
        assert view.show or (view.numbers and view.say and view.draw)
    assert [row.key for row in PAGE.rows if row.place == "dock"] == ["t_height"]


DRAWN = (  # a kind, what holds for a and b, and what its control is given
    (Whole(2, 9), (3, 0), ("number_input", ("B", 2, 9), {})),
    (Whole(2, lambda values: values["a"]), (3, 0), ("number_input", ("B", 2, 3), {})),
    (
        Whole(2, 9, stops=lambda values: range(2, 2 * values["a"] + 1, 2)), (3, 5),
        ("select_slider", ("B", [2, 4, 5, 6]), {}),
    ),
    (
        Number(0, 1, step=0.25), (3, 0.5),
        ("number_input", ("B",),
         {"min_value": 0, "max_value": 1, "format": "%.10g", "step": 0.25, "value": None}),
    ),
    (
        Number(0, 8, is_whole=True, is_needed=True, placeholder="none"), (3, None),
        ("number_input", ("B",),
         {"min_value": 0, "max_value": 8, "format": "%.10g", "step": 1.0, "placeholder": "none"}),
    ),
    (
        Number(0, 8, stops=lambda now: (0, now, 8)), (3, 2000),
        ("select_slider", ("B", (0, 2000, 8)), {}),
    ),
    (
        OneOf({1: "one", 2: "two"}, "slider"), (3, 1),
        ("select_slider", ("B", [1, 2]), {}),
    ),
    (
        OneOf({1: "one", 2: "two"}, among=lambda values: [values["a"] - 1]), (3, 2),
        ("selectbox", ("B", [2]), {}),
    ),
    (
        OneOf({1: "one", 2: "two"}, "segments"), (3, 1),
        ("segmented_control", ("B", [1, 2]), {"required": True}),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "held", "control"), DRAWN)
def test_a_control_ends_where_its_value_may(monkeypatch, kind, held, control):
    screen, values = Recorded(monkeypatch), dict(zip("ab", held, strict=True))
    monkeypatch.setattr(fields.visitor, "put", lambda *_: None)
    kind.draw(screen, Field("b", "B", kind, None, "below"), values, {"key": "b"})
    (drawn,) = screen.calls
    said, named = drawn.args, dict(drawn.others)
    shown = named.pop("format_func", None)
    assert (drawn.name, said, named) == (*control[:2], control[2] | {"key": "b"})
    if shown is not None:
        numbers = {1: "one", 2: "two"} if isinstance(kind, OneOf) else {2000: "2,000", 5: "5"}
        assert [shown(one) for one in said[1] if one in numbers] == [
            numbers[one] for one in said[1] if one in numbers
        ]
