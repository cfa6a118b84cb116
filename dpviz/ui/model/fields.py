"""A choice of a page as a row: what it may be, how a link says it, and how it is drawn.

Values are settled in the order of the rows before anything is drawn: from the link where it
decides, else from the visit, else as at first; one that no longer fits is brought back.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.errors import DpvizError
from dpviz.ui import visitor
from dpviz.ui.links import arriving, readable
from dpviz.ui.visit import state
from dpviz.ui.visit.fields import short

Values = Mapping[str, Any]
Given = TypeVar("Given")
Of: TypeAlias = Given | Callable[[Values], Given]  # known, or a function of the rows above
Place = Literal["budget", "dock", "late", "question", "reading", "expert", "below", "sentence"]
TAKEN = "_taken"  # pages of this visit whose links were read


def of(part: Of[Given], values: Values) -> Given:
    """What holds under the values that are settled so far."""
    return part(values) if callable(part) else part


def always(_: Values) -> bool:
    """Of a row that every view has."""
    return True


def never(_: Values) -> bool:
    """Of a row that is never greyed."""
    return False


class Kind(Protocol):
    """What a field may be. read raises ValueError, KeyError or DpvizError for what it cannot be."""

    def read(self, texts: Sequence[str], values: Values) -> Any:
        """What the texts of a link say."""

    def write(self, value: Any) -> list[str]:
        """The texts of a link that say it."""

    def fit(self, value: Any, values: Values) -> Any:
        """The nearest value that may hold under the rows above."""

    def draw(self, place: DeltaGenerator, row: "Field", values: Values, widget: Any) -> None:
        """The control; widget is its key, its callback, and what else its row says of it."""


@dataclass(frozen=True, slots=True)
class Field:
    """One choice. first holds until a person or a link says otherwise, and stands in no link.

    place says where it is drawn, tab in which tab there, when whether it is there, off whether it is
    greyed. linked says whether a link may say it, said whether it does with the data in use. then
    takes over what goes with a choice; under draws something below the control. kept is its name in
    the visit, for a choice of which every data set has its own. width is in pixels. A late field is
    settled after all others. silent is what a link that says nothing opens with, if not first.
    worded is its label where that hangs on what holds. In the dock, a budget stands in place of the visit's
    own, and what is late waits for the numbers of a view.
    """

    key: str
    label: str
    kind: Kind
    first: Of[Any]
    place: Of[Place]
    help: Of[str | None] = None
    when: Callable[[Values], bool] = always
    linked: Callable[[], bool] = lambda: True
    then: Callable[[Any], None] | None = None
    under: Callable[[DeltaGenerator, Values], None] | None = None
    tab: str = ""
    off: Callable[[Values], bool] = never
    said: Callable[[Values], bool] = always
    kept: Callable[[], str] | None = None
    width: int | None = None
    late: bool = False
    silent: Of[Any] | None = None
    worded: Callable[[Values], str] | None = None

    @property
    def name(self) -> str:
        """Its name in the visit."""
        return self.key if self.kept is None else self.kept()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its widgets, and of a link: of each part, where there are several."""
        return tuple(self.kind.labels) if isinstance(self.kind, Parts) else (self.key,)

    def parted(self, value: Any) -> dict[str, Any]:
        """A value as its widgets hold it."""
        parts = value if isinstance(self.kind, Parts) else (value,)
        return dict(zip(self.keys, parts, strict=True))

    def joined(self, held: Callable[[str], Any]) -> Any:
        """The value that widgets hold, asked by their keys; a part that is not there is empty."""
        if isinstance(self.kind, Parts):
            return tuple(map(held, self.keys))
        return held(self.key)


def same(*options: Any) -> dict[Any, str]:
    """Options that links and the screen call as they are."""
    return {one: str(one) for one in options}


def _texts(options: Mapping[Any, str] | Callable[[], Mapping[Any, str]]) -> Mapping[Any, str]:
    return options() if callable(options) else options


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some options, which links and the screen call by their texts.

    A function gives options that a table of its own holds, which may have gained a row. shown is
    what the screen calls one, where links call it otherwise; among are those there are now.
    """

    options: Mapping[Any, str] | Callable[[], Mapping[Any, str]]
    shape: Literal["menu", "segments", "slider"] = "menu"
    others: Mapping[str, Any] = field(default_factory=dict)
    shown: Callable[[Any, Values], str] | None = None
    among: Callable[[Values], Collection[Any]] | None = None

    def read(self, texts: Sequence[str], _: Values) -> Any:
        """The option of that text, or of that name in the code."""
        (text,) = texts
        named = {str(one): one for one in _texts(self.options) if isinstance(one, str)}
        return (named | {said: one for one, said in _texts(self.options).items()})[text]

    def write(self, value: Any) -> list[str]:
        """Its text."""
        return [_texts(self.options)[value]]

    def fit(self, value: Any, values: Values) -> Any:
        """The first option in place of one that is not there."""
        there = self._there(values)
        return value if value in there else there[0]

    def _there(self, values: Values) -> list[Any]:
        options = _texts(self.options)
        return list(options if self.among is None else self.among(values))

    def draw(self, place: DeltaGenerator, row: Field, values: Values, widget: Any) -> None:
        """A list that opens, stops of a slider, or segments side by side."""
        texts, options = _texts(self.options), self._there(values)
        if self.shown is not None:
            texts = {one: self.shown(one, values) for one in options}
        shown = {"format_func": texts.__getitem__} | widget | self.others
        if self.shape == "menu":
            place.selectbox(row.label, options, **shown)
        elif self.shape == "slider":
            place.select_slider(row.label, options, **shown)
        else:
            place.segmented_control(row.label, options, required=True, **shown)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in least … most: typed, or on a slider with these stops."""

    least: int
    most: Of[int]
    stops: Callable[[Values], Sequence[int]] | None = None

    def read(self, texts: Sequence[str], values: Values) -> int:
        """Exactly one number between the ends."""
        if not readable.whole(texts, self.least, of(self.most, values)):
            raise ValueError(texts)
        return int(texts[0])

    def write(self, value: int) -> list[str]:
        """Its digits."""
        return [str(value)]

    def fit(self, value: int, values: Values) -> int:
        """The nearer end in place of a number beyond."""
        return min(max(int(value), self.least), of(self.most, values))

    def draw(self, place: DeltaGenerator, row: Field, values: Values, widget: Any) -> None:
        """A field for a number, or a slider."""
        if self.stops is None:
            top = of(self.most, values)
            place.number_input(row.label, self.least, top, **widget)
            return
        stops = sorted({*self.stops(values), values[row.key]})
        place.select_slider(row.label, stops, format_func="{:,.10g}".format, **widget)


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number between ends, or None for an empty field unless it is_needed.

    empty is what links say of an empty field that is not so at first. step is that of its buttons;
    with stops it is a slider on these.
    """

    least: float | None = None
    most: float | None = None
    format: str = "%.10g"
    is_whole: bool = False
    placeholder: Of[str | None] = None
    is_needed: bool = False
    empty: str = ""
    step: float | None = None
    stops: Callable[[float], Sequence[float]] | None = None

    def read(self, texts: Sequence[str], values: Values) -> float | None:
        """Exactly one number between the ends, or the word for none."""
        if self.empty and list(texts) == [self.empty]:
            return None
        if not readable.number(texts, self.least, self.most, is_whole=self.is_whole):
            raise ValueError(texts)
        return cast("float", self.fit(float(texts[0]), values))

    def write(self, value: float | None) -> list[str]:
        """As short as it can be said."""
        if value is None:
            return [self.empty] if self.empty else []
        return [short(value)]

    def fit(self, value: float | None, _: Values) -> Any:
        """As a whole number where it is one."""
        return value if value is None else int(value) if self.is_whole else float(value)

    def draw(self, place: DeltaGenerator, row: Field, values: Values, widget: Any) -> None:
        """A field for a number, or a slider."""
        if self.stops is not None:
            stops = self.stops(values[row.key])
            place.select_slider(row.label, stops, format_func="{:,.10g}".format, **widget)
            return
        others: dict[str, Any] = {"step": 1.0 if self.is_whole else self.step}
        ends = {"min_value": self.least, "max_value": self.most, "format": self.format}
        others |= {} if self.is_needed else {"value": None}
        grey = of(self.placeholder, values)
        others |= {} if grey is None else {"placeholder": grey}
        if values[row.key] is not None:
            visitor.put(row.key, float(values[row.key]))
        place.number_input(row.label, **ends | others | widget)


@dataclass(frozen=True, slots=True)
class Parts:
    """Numbers that hold together, of which any may be empty; each has a key and a label of its own."""

    labels: Mapping[str, str]
    kind: Number

    def read(self, texts: Sequence[str], values: Values) -> float | None:
        """What the texts of a link say of one part."""
        return self.kind.read(texts, values)

    def write(self, value: float | None) -> list[str]:
        """The texts of a link that say one part."""
        return self.kind.write(value)

    def fit(self, value: Sequence[float | None], values: Values) -> tuple[Any, ...]:
        """Each part by itself."""
        return tuple(self.kind.fit(one, values) for one in value)

    def draw(self, place: DeltaGenerator, row: Field, values: Values, widget: Any) -> None:
        """The label of all, and the parts, two beside each other."""
        place.caption(row.label)
        held, columns = row.parted(values[row.key]), list[DeltaGenerator]()
        for at, (key, label) in enumerate(self.labels.items()):
            columns = columns if at % 2 else list(place.columns(2, wrap=False))
            part = replace(row, key=key, label=label)
            self.kind.draw(columns[at % 2], part, held, {**widget, "key": key})


@dataclass(frozen=True, slots=True)
class SomeOf:
    """Any of a few options, which links call by their texts: side by side, or as pills.

    least and most say how many; fewer than least change nothing. shown and among are as of OneOf;
    where none of those that were chosen is there, the first most are.
    """

    options: Mapping[Any, str] | Callable[[], Mapping[Any, str]]
    shape: Literal["segments", "pills"] = "segments"
    least: int = 0
    most: int | None = None
    shown: Callable[[Any], str] | None = None
    among: Callable[[Values], Collection[Any]] | None = None

    def read(self, texts: Sequence[str], _: Values) -> tuple[Any, ...]:
        """Options, each once; an empty text says that none is chosen."""
        named = {text: one for one, text in _texts(self.options).items()}
        if not readable.some_of(texts, named):
            raise ValueError(texts)
        found = tuple(named[text] for text in texts if text)
        if len(found) < self.least:
            raise ValueError(texts)
        return found

    def write(self, value: Sequence[Any]) -> list[str]:
        """Their texts."""
        return [_texts(self.options)[one] for one in value] or [""]

    def fit(self, value: Sequence[Any], values: Values) -> tuple[Any, ...]:
        """The first of those that are there, in the order of the options."""
        there = self._there(values)
        kept = [one for one in value if one in there][: self.most]
        kept = kept or (there[: self.most] if value else [])
        return tuple(one for one in there if one in kept)

    def _there(self, values: Values) -> list[Any]:
        options = _texts(self.options)
        return list(options if self.among is None else self.among(values))

    def draw(self, place: DeltaGenerator, row: Field, values: Values, widget: Any) -> None:
        """Segments or pills, of which several may be chosen."""
        texts = _texts(self.options)
        visitor.put(row.key, list(values[row.key]))
        make = place.segmented_control if self.shape == "segments" else place.pills
        others: dict[str, Any] = {"wrap": True} if self.shape == "pills" else {}
        others |= {"format_func": self.shown or texts.__getitem__, "selection_mode": "multi"}
        make(row.label, self._there(values), **others, **widget)


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    def read(self, texts: Sequence[str], _: Values) -> bool:
        """True or false, in any case."""
        if not readable.yes_or_no(texts):
            raise ValueError(texts)
        return texts[0].lower() == "true"

    def write(self, value: bool) -> list[str]:
        """True or false."""
        return ["true" if value else "false"]

    def fit(self, value: Any, _: Values) -> bool:
        """As it is."""
        return bool(value)

    def draw(self, place: DeltaGenerator, row: Field, _: Values, widget: Any) -> None:
        """A toggle."""
        place.toggle(row.label, **widget)


@dataclass(frozen=True, slots=True)
class Text:
    """A text, of one line or of several, that a parser takes; adapts brings one back that it may."""

    parse: Callable[[str], object]
    lines: bool = False
    adapts: Callable[[str, Values], str] = lambda text, _: text
    longest: int | None = None  # characters

    def read(self, texts: Sequence[str], _: Values) -> str:
        """Exactly one text that the parser takes."""
        (text,) = texts
        self.parse(text)
        return text

    def write(self, value: str) -> list[str]:
        """As it stands."""
        return [value]

    def fit(self, value: str, values: Values) -> str:
        """As it stands, adapted."""
        return self.adapts(str(value), values)

    def draw(self, place: DeltaGenerator, row: Field, _: Values, widget: Any) -> None:
        """One line, or an area."""
        write = place.text_area if self.lines else place.text_input
        write(row.label, max_chars=self.longest, **widget)


@dataclass(frozen=True, slots=True)
class Note:
    """A remark among the controls, which holds nothing: the label of its row."""

    def read(self, texts: Sequence[str], _: Values) -> None:
        """No text says anything. Raises: ValueError always."""
        raise ValueError(texts)

    def write(self, _: None) -> list[str]:
        """Nothing."""
        return []

    def fit(self, _: Any, __: Values) -> None:
        """Nothing."""

    def draw(self, place: DeltaGenerator, row: Field, _: Values, __: Any) -> None:
        """A caption."""
        place.caption(row.label)


def reads_link(page: str) -> bool:
    """Whether this run takes over what the link says: a page's first one, or where it decides."""
    return arriving.decides() or page not in state.store().get(TAKEN, ())


def settled(page: str, rows: Sequence[Field], also: Values) -> dict[str, Any]:
    """What every row is in this run; also holds what rows look at besides each other."""
    values = dict(also)
    takes = reads_link(page)
    state.store().setdefault(TAKEN, set()).add(page)
    for row in rows:
        if takes:
            _take(row, values)
        held = state.store()
        value = held[row.name] if row.name in held else of(row.first, values)
        values[row.key] = row.kind.fit(value, values)
    return values


def _take(row: Field, values: Values) -> None:
    if not row.linked():
        return
    if arriving.decides() and row.said(values):
        state.store().pop(row.name, None)
    found: dict[str, Any] = {}
    for key in row.keys:
        if texts := arriving.linked(key):
            try:
                found[key] = row.kind.read(texts, values)
            except (ValueError, KeyError, OverflowError, DpvizError):
                arriving.refuse(key)
    if found:
        state.put(row.name, row.joined(found.get))


def links(rows: Sequence[Field], values: Values) -> dict[str, list[str] | None]:
    """What the address says of every row that it may say; None where it says nothing."""
    found: dict[str, list[str] | None] = {}
    for row in rows:
        if not row.linked():
            continue
        first = row.kind.fit(of(row.first if row.silent is None else row.silent, values), values)
        value = values[row.key]
        is_said = row.when(values) and row.said(values) and value != first
        for key, part in row.parted(value).items():
            found[key] = row.kind.write(part) or None if is_said else None
    return found


def draw(row: Field, place: DeltaGenerator, values: Values) -> None:
    """One control, which shows what holds; a change is stored, and holds from the next run on."""

    def changed() -> None:
        value = row.joined(visitor.get)
        if isinstance(row.kind, SomeOf) and len(value) < row.kind.least:
            return
        state.put(row.name, value)
        if row.then is not None:
            row.then(value)

    for key, part in row.parted(values[row.key]).items():
        visitor.put(key, part)  # whatever it showed before
    if row.worded is not None:
        row = replace(row, label=row.worded(values))
    widget = {"key": row.key, "on_change": changed, "help": of(row.help, values)}
    widget |= {"disabled": True} if row.off(values) else {}
    widget |= {} if row.width is None else {"width": row.width}
    row.kind.draw(place, row, values, widget)
    if row.under is not None:
        row.under(place, values)


def beside(rows: Sequence[Field], values: Values) -> None:
    """Rows of one group beside each other, as many as are there."""
    there = [row for row in rows if row.when(values)]
    if len(there) == 1:
        draw(there[0], cast("DeltaGenerator", st), values)
    elif there:
        for row, place in zip(there, st.columns(len(there), wrap=len(there) > 2), strict=True):
            draw(row, place, values)
