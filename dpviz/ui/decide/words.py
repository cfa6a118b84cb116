"""The words of the sentence: what each may be, what it is now, and what becomes of one that is set.

Data, bounds, people and neighbours are entries of the visit, as every page knows them; all other
words are rows of the page.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

import streamlit as st

from dpviz.answers.decide import sentences
from dpviz.answers.decide.needs import KIND_OF_SAMPLE, NeedNames, unit_word
from dpviz.answers.decide.price import LEAST, MOST
from dpviz.answers.decide.price_said import amount_text, rounded_off
from dpviz.answers.decide.sentences import (
    BUDGET,
    NEED,
    OFFERS,
    PUBLISHED,
    REHEARSED,
    SAYS,
    WHAT_CAN,
    Slot,
)
from dpviz.answers.decide.together import shortly
from dpviz.answers.number_text import lowered
from dpviz.answers.privacy.amounts import tiny
from dpviz.core.budgets import Neighbours
from dpviz.core.errors import DpvizError
from dpviz.figures.decide.sentence import Amount, Answer, Choice, Lead, Part, Sentence
from dpviz.intake.samples import samples
from dpviz.ui.data import declaring
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Field, OneOf, Values
from dpviz.ui.visit import data, declared, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.fields import number, short

WRONG, GOING = "_decide_wrong", "_decide_going"  # of this run in the session; of the next one
BETWEEN = "between"  # opens the axis of the bounds
OWN_FILE, OWN_COLUMN = "file", "own:"  # among data sets: a file to come, a column of the one there
WITH, TOGETHER = "with:", "Together, within the same bounds"
NOT_NUMERIC = "not numeric: cells that are numbers count"
FAR = 1e15  # bounds that can be typed
SAID: dict[str, type[Answer] | type[Lead]] = {"answer": Answer, "lead": Lead}
RELATIONS = {Neighbours.ADD_REMOVE: "about", Neighbours.REPLACE_ONE: "exactly"}
SET_ANEW = ("off", "unit")  # hang on what is published, and on each other
# words that are no rows of the page: what a number may be, and what is said of any other
TYPED: dict[str, tuple[float, float, str]] = {
    "low": (-FAR, FAR, "Type a number that no value lies below."),
    "high": (-FAR, FAR, "Type a number that no value lies above."),
    "people": (1, FAR, "Type about how many people there are: 1 or more."),
    "eps": (LEAST, MOST, f"Type a budget from {LEAST:g} to {MOST:g}."),
}


def budget_key() -> str:
    """The entry of the visit that holds the size of the budget."""
    return "rho" if state.get("notion") == "zcdp" else "eps"


def said(rows: Mapping[str, Field], values: Values, answer: Mapping[str, Any]) -> Sentence:
    """The sentence as it stands. answer is what follows: answer, computed, wrong, live."""
    people = session.words().people
    nouns = {
        "people": people.one if session.declared("size") == 1 else people.many,
        "area": _area(),
        "symbol": "ρ" if budget_key() == "rho" else "ε",
        "delta": "",
    }
    if state.get("notion") == "approx" and answer.get("computed", {}).get("eps") != "":
        nouns["delta"] = f", at δ =\N{NO-BREAK SPACE}{tiny(float(state.get('delta')))}"
    texts = texts_of(rows, values)
    done = PUBLISHED if session.is_upload() else REHEARSED
    given = values["given"] if answer.get("live", True) else done
    if off := answer.get("computed", {}).get("off"):
        values = {**values, "off": float(off)}  # its unit goes with the number that is seen
    parts: list[Part] = [
        one if isinstance(one, str) else _part(one, rows, values)
        for one in sentences.parts(values["what"], given, nouns)
    ]
    wrong = {**st.session_state.pop(WRONG, {}), **answer.get("wrong", {})}
    return Sentence(
        parts,
        texts,
        answer.get("answer", ""),
        answer.get("computed", {}),
        wrong,
        answer.get("live", True),
        answer.get("spoken", ""),
        answer.get("lead", ""),
        answer.get("under", ""),
        note=answer.get("note", False),
        near=answer.get("near", ()),
        door=BETWEEN if {"low", "high"} <= sentences.slots(values["what"]) else "",
    )


def texts_of(rows: Mapping[str, Field], values: Values) -> dict[str, str]:
    """What every word is now, as the browser is told."""
    found = {
        "column": _column_now(),
        "low": _short(session.declared("low")),
        "high": _short(session.declared("high")),
        "about": RELATIONS[session.neighbours()],
        "people": _short(session.declared("size")),
        "eps": _short(_size_now()),
    }
    for name, row in rows.items():
        (found[name],) = row.kind.write(values[name]) or [""]
    return found


def _size_now() -> float | None:
    """The size of the budget that holds: that of the visit, or the one that the page begins with."""
    now = visits.opened()
    return None if now is None else now.budget.size


def _short(value: float | None) -> str:
    return "" if value is None else short(value)


def _part(slot: Slot, rows: Mapping[str, Field], values: Values) -> Part:
    if slot.name in SAID:
        return SAID[slot.name](slot.joined)
    says = SAYS[slot.name]
    if slot.name == "column":
        return Choice("column", says, columns(), slot.joined)
    if slot.name == "about":
        return Choice("about", says, [(one, one) for one in RELATIONS.values()], slot.joined)
    if slot.name in TYPED:
        least, most, refuses = TYPED[slot.name]
        return Amount(slot.name, says, least, most, refuses, slot.joined)
    row = rows[slot.name]
    if isinstance(row.kind, OneOf):
        return Choice(slot.name, says, _options(row, values), slot.joined)
    kind: Any = row.kind
    refuses = f"Type a number from {kind.least:g} to {kind.most:g}."
    return Amount(slot.name, says, kind.least, kind.most, refuses, slot.joined)


def _options(row: Field, values: Values) -> list[tuple[str, str]]:
    """Texts of links, and what the sentence calls each."""
    kind = cast("OneOf", row.kind)
    there = kind.options() if callable(kind.options) else kind.options
    among = there if kind.among is None else kind.among(values)
    shown = kind.shown or (lambda one, _: there[one])
    found = [(there[one], shown(one, values)) for one in among]
    if row.key == "often" and others():
        found = [(link, f"{text} in each") for link, text in found]
    if row.key == "what" and sentences.form_of(values["what"]) == OFFERS:
        found = [(link, WHAT_CAN if link == values["what"] else text) for link, text in found]
    return found


def columns() -> list[tuple[str, ...]]:
    """Data sets and columns that the sentence may be about, under headings."""
    in_plane = data.is_plane(data.shown()) and state.store().get("what") == "map"
    found: list[tuple[str, ...]] = []
    own = session.upload()
    if own is not None:
        numeric = [info.name for info in own.table.numeric_columns]
        if own.column not in numeric:
            label = f"{own.column} ({NOT_NUMERIC})" if own.column else "a file of names alone"
            found.append((OWN_COLUMN, label, "Your file"))
        more = others()
        for at, name in enumerate(numeric):
            label = shortly(name, more) if more and name == own.column else name
            found.append((f"{OWN_COLUMN}{at}", label, "Your file"))
        if own.column in numeric and _may_have_others():
            found += [
                (f"{WITH}{at}", f"{'without' if name in more else 'with'} {name}", TOGETHER)
                for at, name in enumerate(numeric)
                if name != own.column
            ]
    for one in samples():
        if (len(one.columns) > 1) is in_plane:
            found.append((one.key, lowered(one.title), "Samples"))
    return [*found, (OWN_FILE, "a file of my own …", "Your file" if own else "Yours")]


def others() -> tuple[str, ...]:
    """Further columns of the file in use that the same words hold for: untrusted texts."""
    own = session.upload()
    if own is None or not session.is_upload() or not _may_have_others():
        return ()
    listed: tuple[str, ...] = state.store().get(f"decide_with_{own.number}", ())
    numeric = [info.name for info in own.table.numeric_columns]
    if own.column not in numeric:
        return ()
    return tuple(name for name in numeric if name in listed and name != own.column)


def _may_have_others() -> bool:
    return sentences.form_of(str(state.store().get("what", "deciles"))) == sentences.QUANTILES


def _column_now() -> str:
    if not session.is_upload():
        return data.shown()
    own = session.upload()
    assert own is not None
    numeric = [info.name for info in own.table.numeric_columns]
    return f"{OWN_COLUMN}{numeric.index(own.column)}" if own.column in numeric else OWN_COLUMN


def kind_of_number() -> str:
    """The kind of number of the column in use, as it was chosen; "other" while it was not."""
    if session.is_upload():
        return declaring.kind_of(session.scope()) or "other"
    return KIND_OF_SAMPLE.get(data.shown(), "other")


def names_of_needs() -> NeedNames:
    """What an amount can be of."""
    words = session.words()
    return NeedNames("each" if others() else column_name(), words.unit, words.people)


def amount_of(amount: float, unit: str) -> str:
    """An amount with its unit: "12 students", "1 mark"."""
    return f"{amount_text(amount)} {unit_word(unit, names_of_needs(), amount)}"


def rounded_of(off: float, unit: str) -> str:
    """What a budget keeps, or a release is off by, rounded up, with its unit."""
    return amount_of(rounded_off(off, unit), unit)


def column_name() -> str:
    """What the sentence calls the column: untrusted text."""
    return session.unit() if session.is_upload() else lowered(session.chosen_sample().title)


def _area() -> str:
    """The rectangle of the points in use, as declared."""
    if session.is_upload():
        ends = [declared.of(session.scope(), one) for one in ("low", "high")]
        ends += [declared.of("y", one) for one in ("low", "high")]
        if None in ends:
            return "an area that is not declared"
        low, high, bottom, top = cast("list[float]", ends)
        return f"{high - low:,.6g} × {top - bottom:,.6g}"
    one = session.chosen_sample()
    if len(one.bounds) < 2:
        return ""
    unit = one.words.unit.many
    return f"{one.bounds[0].width:,.6g} × {one.bounds[1].width:,.6g} {unit}".rstrip()


def take(rows: Mapping[str, Field], values: Values, changed: Mapping[str, str], last: str) -> None:
    """Let words hold that were set; last is the one that was touched last.

    What cannot be is said beside its word, and the word is as before.
    """
    wrong: dict[str, str] = {}
    for name, text in changed.items():
        try:
            _SET.get(name, lambda text, name=name: _put_row(rows[name], values, text))(text)
        except (ValueError, KeyError, OverflowError, DpvizError) as error:
            said = str(error) if isinstance(error, DpvizError) else "This cannot be."
            wrong[name] = TYPED[name][2] if name in TYPED else said
    if wrong:
        st.session_state[WRONG] = wrong
        return
    if last == "eps":
        state.put("given", BUDGET)
    elif last in {"off", "unit"} or (last == "what" and values["given"] == BUDGET):
        is_offer = sentences.form_of(str(state.store().get("what", values["what"]))) == OFFERS
        state.put("given", BUDGET if is_offer else NEED)
    for name in (*SET_ANEW, "over"):
        if name != last and _hangs(name, last, values, changed):
            state.store().pop(name, None)


def _hangs(name: str, last: str, values: Values, changed: Mapping[str, str]) -> bool:
    """Whether a word is set anew by another one: an amount by its unit, both by the form or data."""
    if last == "unit":
        return name == "off"
    if last == "what":
        return sentences.form_of(changed["what"]) != sentences.form_of(values["what"])
    return last == "column" and not changed["column"].startswith(WITH)


def _put_row(row: Field, values: Values, text: str) -> None:
    value = row.kind.read([text], values)
    state.put(row.name, value)
    if row.then is not None:
        row.then(value)


def _put_column(text: str) -> None:
    if text == OWN_FILE:
        state.put(GOING, ("data", {"view": "choose"}))
    elif text == OWN_COLUMN and text in {one[0] for one in columns()}:
        data.choose(data.UPLOAD, "column")  # the one that is in use, though it is not numeric
    elif text.startswith(WITH):
        own = session.upload()
        if own is None:
            raise ValueError(text)
        name = _columns_of(own, WITH)[text]
        state.put(f"decide_with_{own.number}", tuple({*others()} ^ {name}))
    elif text.startswith(OWN_COLUMN):
        own = session.upload()
        if own is None:
            raise ValueError(text)
        column = _columns_of(own, OWN_COLUMN)[text]
        st.session_state["upload_column"] = column  # what the page Data shows as chosen
        session.keep_upload(replace(own, column=column))
        state.store().pop(f"decide_with_{own.number}", None)
        data.choose(data.UPLOAD, "column")
    else:
        if text not in data.options():
            raise ValueError(text)
        data.choose(text)


def _columns_of(own: session.Upload, prefix: str) -> dict[str, str]:
    """Names of columns of numbers, by what the browser tells."""
    return {f"{prefix}{at}": one.name for at, one in enumerate(own.table.numeric_columns)}


def _put_declared(name: str) -> Callable[[str], None]:
    def put(text: str) -> None:
        found = number(text) if text else None
        least, most, _ = TYPED["people" if name == "size" else name]
        if found is not None and not least <= found <= most:
            raise ValueError(text)
        state.put(declared.key(session.scope(), name), found)

    return put


def _put_relation(text: str) -> None:
    state.put("neighbours", {said: one for one, said in RELATIONS.items()}[text])


def _put_budget(text: str) -> None:
    found = number(text)
    if not LEAST <= found <= MOST:
        raise ValueError(text)
    state.put(budget_key(), found)


_SET: dict[str, Callable[[str], None]] = {
    "column": _put_column,
    "low": _put_declared("low"),
    "high": _put_declared("high"),
    "people": _put_declared("size"),
    "about": _put_relation,
    "eps": _put_budget,
}
