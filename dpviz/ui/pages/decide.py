"""Decide: one sentence whose words are the controls, what follows from it, and the release."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from dpviz.answers.decide.needs import OFTEN, UNITS, first_need, unit_word, units_of
from dpviz.answers.decide.sentences import BUDGET, CELLS, NEED, WHAT, form_of, slots
from dpviz.core.quantiles import parse_quantiles
from dpviz.intake.samples import samples
from dpviz.ui.decide import answer
from dpviz.ui.decide.words import FAR, GOING, kind_of_number, names_of_needs
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.process import turns
from dpviz.ui.links import arriving
from dpviz.ui.model import fields
from dpviz.ui.model.fields import Field, Number, OneOf, Text, Values, Whole, same
from dpviz.ui.visit import data, declared, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.fields import FIELDS
from dpviz.ui.visit.page import Tabs, Visit

ALWAYS = ("what", "given", "own")
KEPT = ("truth", "present", "seed", "axis")  # that are no words of the sentence
SIDES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
COARSEST = 16  # cells along the side of a map
USUAL = 0.95


def _is_sample(_: Values) -> bool:
    return not session.is_upload()


def _first_word(key: str, _: Values) -> str:
    return WHAT[key][0]


def _units(values: Values) -> list[str]:
    return units_of(form_of(values["what"]), session.declared("low"))


def _unit_word(unit: str, values: Values) -> str:
    return unit_word(unit, names_of_needs(), values["off"])


def _first_unit(values: Values) -> str:
    return first_need(form_of(values["what"]), kind_of_number(), session.declared("low")).unit


def _first_amount(values: Values) -> float:
    low, size = session.declared("low"), session.declared("size")
    return first_need(form_of(values["what"]), kind_of_number(), low, values["unit"], size).amount


def _first_over(_: Values) -> float:
    """The middle of the declared bounds."""
    low, high = session.declared("low"), session.declared("high")
    return 0.0 if low is None or high is None else (low + high) / 2


def _squared(side: int, _: Values) -> str:
    return f"{side} × {side}"


def _blocks(values: Values) -> list[int]:
    return [side for side in SIDES if side <= values["side"]]


def _said(key: str) -> Callable[[Values], bool]:
    """Whether a word stands in the sentence."""
    return lambda values: key in slots(values["what"])


# the words of the sentence, in the order in which they hang on each other; of a file a link says
# what is wanted, and nothing of the file
WORDS: tuple[Field, ...] = (
    Field("what", "What is published", OneOf(same(*WHAT), shown=_first_word), "deciles", "sentence"),
    Field("given", "What is given", OneOf(same(NEED, BUDGET)), NEED, "sentence"),
    Field("unit", "Of what", OneOf(same(*UNITS), shown=_unit_word, among=_units), _first_unit,
          "sentence"),
    Field("off", "Off by at most", Number(1e-6, 1e9, is_needed=True), _first_amount, "sentence"),
    Field("often", "How often",
          OneOf({one: f"{one:g}" for one in OFTEN}, shown=lambda one, _: OFTEN[one]), USUAL,
          "sentence"),
    Field("over", "Over", Number(-FAR, FAR, is_needed=True), _first_over, "sentence",
          said=_is_sample),
    Field("bins", "Bars", Whole(2, 1_000), 25, "sentence"),
    Field("side", "Cells",
          OneOf({one: f"{one}" for one in SIDES if one >= COARSEST}, shown=_squared), 64,
          "sentence"),
    Field("block", "Block",
          OneOf({one: f"{one}" for one in SIDES}, shown=_squared, among=_blocks), 16, "sentence"),
    Field("periods", "Steps", Whole(2, 2_000), 100, "sentence"),
    Field("own", "Your quantiles", Text(parse_quantiles, longest=10_000), "0.01, 0.5, 0.99",
          "expert", "Numbers strictly between 0 and 1, or percentages, with commas or spaces "
          "between.", when=lambda values: values["what"] == "own"),
)  # fmt: skip


def _arrives() -> None:
    """A word that leads elsewhere."""
    going = state.store().pop(GOING, None)
    if going is not None:
        name, link = going
        if link:
            state.follow(link)
        frame.go(name)


def _complete() -> None:
    """A link that names points in the plane, and not what of them is published, asks for their map."""
    named = [text for text in arriving.linked(data.KEY) if text in {one.key for one in samples()}]
    if (
        fields.reads_link("decide")
        and not arriving.linked("what")
        and any(map(data.is_plane, named))
    ):
        arriving.say_anew("what", ["map"])


def _restore() -> None:
    """Back and Forward: what a sentence of this page's history left out was as at first."""
    if not arriving.went_back():
        return
    held = state.store()
    for entry in FIELDS:
        if entry.key not in KEPT and not arriving.linked(entry.key):
            held.pop(entry.key, None)
    if session.is_upload():
        return
    for one in samples():
        for scope in data.sample_scopes(one):
            for name in declared.NAMES:
                if not arriving.linked(declared.key(scope, name)):
                    held.pop(declared.key(scope, name), None)
    if not arriving.linked(data.KEY):
        data.choose(data.FIRST[kind()], kind())


def kind() -> Literal["column", "plane"]:
    """Which data the sentence is about: points in the plane for a map, else a column."""
    return "plane" if form_of(what_now()) == CELLS else "column"


def what_now() -> str:
    """The first word that holds, before the rows are settled."""
    return answer.first_word_of_link() or str(state.store().get("what", "deciles"))


ROWS: Mapping[str, Field] = {
    row.key: row if row.key in ALWAYS else replace(row, when=_said(row.key)) for row in WORDS
}
TABS = Tabs("decide_view", {"answer": "Answer", "unfolded": "Frontier"})


def run() -> None:
    """The page: its dock, and the sentence with all that follows from it, which runs by itself."""
    frame.guard()
    _arrives()
    now, values = _opened()
    arriving.notice_on("Decide")
    answer.draw_dock(now, values, ROWS)
    with st.container(key="decide_page"):  # whose grid the parts of the answer stand in
        _body()


@st.fragment
def _body() -> None:
    with turns.turn():
        now, values = _opened()
        answer.draw(now, values, ROWS)


def _opened() -> tuple[Visit, dict[str, Any]]:
    """What holds now, which the address says."""
    _complete()
    _restore()
    now = visits.open_page("decide", kind(), epsilon=1.0, rho=0.5, views=TABS)
    values = fields.settled("decide", tuple(ROWS.values()), {"view": now.view})
    state.write_more(fields.links(tuple(ROWS.values()), values))
    return now, values
