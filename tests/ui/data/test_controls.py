"""The dock of Data: the relation and its captions, the way on, and bounds that are proposed."""

from types import SimpleNamespace

import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.errors import DpvizError
from dpviz.figures.kit.look import Look
from dpviz.ui.bench import data_choice
from dpviz.ui.data import controls
from dpviz.ui.data.declaring import Declared
from tests.figures.inks import DARK, LIGHT
from tests.rows import by_rows
from tests.ui.recorded import Recorded


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(controls.state, "widget", lambda *_, **__: {})
    for module in (controls, data_choice):
        monkeypatch.setattr(module, "field", lambda scope, name: {"key": name, "on_change": None})
    monkeypatch.setattr(controls, "size_label", lambda: "About how many")
    monkeypatch.setattr(controls.session, "scope", lambda: "exam")
    return found


def test_each_relation_has_the_caption_that_holds_of_it(screen):
    controls._relation(SimpleNamespace(several=False, neighbours=Neighbours.ADD_REMOVE))
    radio = screen.calls[0]
    said = zip(
        map(radio.others["format_func"], radio.args[1]), radio.others["captions"], strict=True
    )
    assert list(said) == [
        ("One person joins or leaves", "their number stays secret"),
        ("One person's value changes", "their number is public"),
    ]
    assert radio.args[1] == [Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE]


@by_rows(
    ("upload", "plane", "said"),
    [(False, False, "Go to Quantiles"), (False, True, "Go to Map"),
     (True, False, "Decide what to publish"), (True, True, "Decide what to publish")],
)  # fmt: skip
def test_the_way_on_is_that_of_the_data_in_use(screen, monkeypatch, upload, plane, said):
    went, put = [], {}
    monkeypatch.setattr(controls.session, "is_upload", lambda: upload)
    monkeypatch.setattr(controls.session, "in_plane", lambda: plane)
    monkeypatch.setattr(controls.frame, "go", went.append)
    monkeypatch.setattr(controls.state, "put", put.__setitem__)
    screen.forget()
    controls._onwards(SimpleNamespace(look=Look(LIGHT)), screen)
    assert screen.said("button") == [said]
    assert went == [said.split()[-1].lower() if not upload else "decide"]
    assert put == ({"what": "map"} if upload and plane else {})


@pytest.mark.parametrize("dark", [False, True])
def test_a_file_of_names_goes_on_to_its_places(screen, monkeypatch, dark):
    went, put, views = [], {}, []
    for name in ("is_upload", "has_names_alone"):
        monkeypatch.setattr(controls.session, name, lambda: True)
    monkeypatch.setattr(controls.session, "in_plane", lambda: False)
    monkeypatch.setattr(controls.session, "counts_places", lambda: "m_own_own1_0")
    monkeypatch.setattr(controls.frame, "go", went.append)
    monkeypatch.setattr(controls.state, "put", put.__setitem__)
    monkeypatch.setattr(controls.visits, "show_view", lambda *view: views.append(view))
    screen.forget()
    controls._onwards(SimpleNamespace(look=Look(DARK if dark else LIGHT)), screen)
    assert screen.said("button") == ["Count its places"]
    assert (went, put, views) == (["map"], {"m_own_own1_0": True}, [("map", "places")])


def test_bounds_are_typed_by_their_names(screen, monkeypatch):
    axes = [Declared("a", "a*b", None, 0.0), Declared("y", "c", None, 0.0)]
    monkeypatch.setattr(controls.declaring, "columns", lambda: axes)
    monkeypatch.setattr(controls.session, "scope", lambda: "a")
    monkeypatch.setattr(controls, "_typed", lambda one, name: {"key": f"{one.scope} {name}"})
    controls._numbers(None)
    assert screen.said("markdown") == ["**a\\*b**", "**c**"]
    assert screen.said("number_input") == [
        "Lower bound", "Upper bound", "Resolution", "Its lower bound", "Its upper bound",
    ]  # fmt: skip
    for key, word in (("a low", "least"), ("a high", "most"), ("y low", "least")):
        assert screen.one(key).others["help"].startswith(f"The {word} a value can be")


# bounds that are proposed

OWN = SimpleNamespace(number=3, column="pay", drop_unreadable=False, people=None)


@pytest.fixture
def proposes(monkeypatch):
    """A file whose bounds can be proposed; what a search finds is put into the dict."""
    screen, found = Recorded(monkeypatch), {}
    session = controls.session
    monkeypatch.setattr(session, "upload", lambda: OWN)
    monkeypatch.setattr(session, "is_upload", lambda: True)
    monkeypatch.setattr(session, "is_counted", lambda: False)
    monkeypatch.setattr(session, "scope", lambda: "own3_0")
    monkeypatch.setattr(controls.declaring, "declare", lambda *what: found.update(declared=what))

    def search(*_):
        if "error" in found:
            raise DpvizError(found["error"])
        return found["proposal"]

    monkeypatch.setattr(controls, "_found", search)
    return SimpleNamespace(screen=screen, found=found)


def visit(budget, truth=True):
    return SimpleNamespace(budget=budget, truth=truth, several=False)


@by_rows(
    ("budget", "said"),
    [(PureDP(1), "ε = 0.1"), (PureDP(0.25), "ε = 0.025"), (ZCDP(0.5), "ρ = 0.05")],
)
def test_both_searches_are_paid(proposes, budget, said):
    proposes.screen.forget()
    controls.proposal(visit(budget))
    assert proposes.screen.said("button") == [f"Propose them privately, for {said}"]


def test_what_was_proposed_is_said_and_declared(proposes):
    proposes.found["proposal"] = SimpleNamespace(
        bounds=Bounds(-1_235.0, 98_765), refusal="", spent=PureDP(0.1)
    )
    now = visit(PureDP(1))
    controls._propose(now)
    assert proposes.found["declared"] == ("own3_0", Bounds(-1_235.0, 98_765))
    controls.proposal(now)
    (said,) = proposes.screen.said("markdown")
    assert said.replace("\\", "") == (
        ":gray[Proposed: −1,235 to 98,765, for ε = 0.1. They are as public as a release.]"
    )


@pytest.mark.parametrize("truth", [True, False])
def test_a_refusal_that_may_quote_a_cell_is_said_beside_the_truth_alone(proposes, truth):
    proposes.found["error"] = "The cell 'x' is no number."
    controls._propose(visit(PureDP(1)))
    proposes.screen.forget()
    controls.proposal(visit(PureDP(1), truth))
    assert bool(proposes.screen.said("markdown")) == truth
