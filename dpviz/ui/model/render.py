"""The one renderer: a page's dock, popovers and link from its fields, its view from its numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Generic, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.said import Line, Said, unmarked
from dpviz.core.errors import DpvizError
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.ui.bench import budget, data_choice
from dpviz.ui.bench import ledger as ledgers
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import Packed, drawn, hero
from dpviz.ui.bench.release import publish, release_dock
from dpviz.ui.bench.slides import slides
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.draws import NotAsked
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.process import turns
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model import fields
from dpviz.ui.model.fields import Field, Of, Values
from dpviz.ui.visit import folded, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.data import Kind
from dpviz.ui.visit.page import Tabs, Visit

Asked = TypeVar("Asked")
Numbers = TypeVar("Numbers")
Group = Callable[..., None]  # draws the fields of a group, named by the key of its first
DRAWN_SECONDS = 0.1  # in which a browser draws a picture that was sent ahead of the dock


@dataclass(frozen=True, slots=True)
class View(Generic[Asked, Numbers]):
    """A row of a page: numbers of what was asked, what is said of them, and their picture.

    numbers are worked out once for key: about the release, or, as "public", about choices alone,
    which key names in full; or in every run. draw is given what was asked, too, for its names and
    values; a view without it is words, and so is one whose picture is None. selects takes over what
    was clicked; below draws what stands under the strip. show draws a view that changes while it is
    looked at: everything but the dock. instead is the view that stands in its place, if any. A view
    that is not of_data shows no data set's: it has no draw, no truth, no ledger and no badge.
    """

    name: str
    title: str
    numbers: Callable[[Asked, Values], Numbers] | None = None
    key: Callable[[Asked, Values], Hashable] = lambda *_: ()
    say: Callable[[Asked, Numbers], Said] | None = None
    draw: Callable[[Asked, Numbers, Values, Look], Picture | Packed | None] | None = None
    hero: str = ""
    file: str = ""
    selects: Callable[[], None] | None = None
    below: Callable[[Shown[Asked, Numbers]], None] | None = None
    show: Callable[[Asked], None] | None = None
    kept: Literal["release", "public", "run"] = "release"
    instead: Callable[[Asked, Visit, Values], View[Asked, Any] | None] = lambda *_: None
    waits: bool = True  # whether what stands below is drawn from when somebody looks there
    above: Callable[[Shown[Asked, Numbers]], None] | None = None  # draws above the picture
    beside: Callable[[Shown[Asked, Numbers]], None] | None = None  # draws at the picture's right
    widths: Sequence[int] = (52, 48)  # of the picture, and of what stands beside it
    between: Callable[[Shown[Asked, Numbers]], None] | None = None  # draws above the strip
    listed: Callable[[Shown[Asked, Numbers]], None] | None = None  # draws in the tab of all numbers
    slider: Callable[[Asked, Numbers], Values | None] | None = None  # what a late field looks at
    height: Callable[[Asked, Values], int] | None = None  # pixels of the picture on a phone
    selection: Literal["points", "box"] = "points"  # what is selected in the picture
    scroll: bool = False  # whether the wheel zooms the picture
    badge: Callable[[Asked], bool] = lambda _: True  # whether the strip says what may be on screen
    of_data: bool = True
    ends: bool = True  # whether a strip of numbers stands below the picture
    draws: Of[bool] = True  # whether another draw changes what is shown
    draw_label: str = "New draw"
    before_draw: Callable[[], None] | None = None  # runs first when one is asked for
    behind: Callable[[Shown[Asked, Numbers]], None] | None = None  # draws last among the experts
    buttons: Callable[[Asked, Group], None] | None = None  # draws in the place of New draw
    after: Callable[[Shown[Asked, Numbers]], None] | None = None  # when all is on screen
    saved: bool = True  # whether the picture can be saved as a slide
    spends: bool = True  # whether the size of the budget changes what is shown
    quick: Callable[[Asked], bool] = lambda _: False  # whether the dock can wait for the picture


def standing(
    sentence: str,
    second: str = "",
    *,
    strip: Sequence[tuple[str, str]] | None = None,
    above: Callable[[Shown[Any, Any]], None] | None = None,
) -> View[Any, Any]:
    """Sentences in a view's place, in Markdown; above draws below them, and a strip ends them."""
    said = Said(Line(sentence), Line(second), strip or (), unmarked(sentence))
    return View(
        "standing", "", lambda *_: None, say=lambda *_: said, above=above, kept="run",
        ends=strip is not None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Page(Generic[Asked]):
    """Fields in groups, each drawn beside each other, and views, the first by default.

    ask makes what views are asked of; or it returns what is missing in words, None where missing
    says it, and draws why. once remembers a result about it; before is the page while nobody has
    asked for a draw. label says what the popover of questions holds, and is empty where nothing is
    asked; remark is what is known once there is an answer. epsilon and rho are those of the page's
    picture, people is what a public number of people is for. arrives takes over what a link says of
    the view besides its name.

    known is what fields look at besides each other; where it says what is missing and returns None,
    the dock holds the data alone and the second line is needs, which is missing_why where ask does,
    and refused where a view cannot be worked out. first_data is the data set that the page shows
    until another is chosen. A steady dock is the same with the truth and without. reading_tabs and
    expert_tabs are the tabs of those fields, a field's own by its name; the visit's own settings stand in the first tab for experts,
    what is declared in the last, slides in the last of the reading; numbers_tab is a tab more, for
    all numbers. Without a reading_icon a release has no popover for its reading, and no slides. A
    late field of the dock is there on views that say, once there are numbers, what it looks at of
    them; None draws none. With data_last the data set stands below what is asked, and of a
    release in a tab of its own. ledger_in_dock says when the dock has room for it: when the truth is
    hidden, or always. A page inside another one draws at its top what leads there and to its own
    views: it has no row of tabs, its link names each view, and data are chosen in the other one.
    """

    name: str
    title: str
    fields: Sequence[Sequence[Field]]
    views: Sequence[View[Asked, Any]]
    ask: Callable[[Values, Visit], Asked | str | None]
    label: Callable[[Values], str]
    missing: str
    question_tab: str
    slides: str = ""
    reading_icon: str = ""
    once: Callable[[Asked, str, Callable[[], Any], Hashable], Any] = lambda _, __, work, ___: work()
    before: Callable[[Visit, NotAsked, Asked, Values], None] = lambda *_: None
    remark: Callable[[Asked], None] = lambda _: None
    kind: Kind | Callable[[], Kind] = "column"
    first_data: str | None = None
    steady: bool = False
    epsilon: float = 0.1
    rho: float = 0.01
    arrives: Callable[[], None] = lambda: None
    known: Callable[[Visit], Values | None] = lambda _: {}
    needs: str = ""
    missing_why: str = "What is missing stands below."
    refused: str = "What is missing stands below."
    declarations: Callable[[], None] | None = None  # of a page whose tabs declare nothing
    reading_tabs: Sequence[str] = ()
    numbers_tab: str = ""
    expert_tabs: Sequence[str] = ()
    data_last: bool = False
    slides_note: str = ""  # stands above the buttons that save slides
    ledger_in_dock: Of[Literal["never", "hidden", "always"]] = "never"
    people: str = ""
    tabs_key: str = ""  # of the row of tabs, where it is not after the page's name
    inside: Callable[[Values, Visit], None] | None = None

    @property
    def tabs(self) -> Tabs | tuple[str, ...]:
        """The views as the row of tabs shows them; names alone, an empty one first, without it."""
        titles = {view.name: view.title for view in self.views}
        if self.inside is not None:
            return ("", *titles)
        declares = self.kind == "column"
        return Tabs(
            self.tabs_key or f"{self.name}_view", titles, declares=declares, people=self.people
        )

    @property
    def rows(self) -> list[Field]:
        """All fields, in the order in which they are settled."""
        return sorted((row for group in self.fields for row in group), key=lambda row: row.late)


@dataclass(frozen=True, slots=True, eq=False)
class Shown(Generic[Asked, Numbers]):
    """What a view has on screen, for what it draws below; group draws fields that stand there."""

    asked: Asked
    numbers: Numbers
    said: Said
    chosen: Values
    now: Visit
    group: Group


@dataclass(slots=True, eq=False)
class Places:
    """Where the dock shows what is known at the end of a run; None where nobody sees it."""

    offers: DeltaGenerator | None
    remarks: DeltaGenerator | None
    numbers: DeltaGenerator | None = None
    slider: DeltaGenerator | None = None
    buttons: DeltaGenerator | None = None


def render(page: Page[Asked]) -> None:
    """The page from top to bottom."""
    frame.guard()
    page.arrives()
    views = {view.name: view for view in page.views}
    now = visits.open_page(
        page.name,
        page.kind() if callable(page.kind) else page.kind,
        epsilon=page.epsilon,
        rho=page.rho,
        views=page.tabs,
        first_data=page.first_data,
    )
    heading = st.container()
    known = page.known(now)
    if known is None:
        _bare(page, now)
        with heading:
            headline(page.title, *_missing(page, page.needs))
        return
    values = fields.settled(page.name, page.rows, {"view": now.view, **known})
    state.write_more(fields.links(page.rows, values))
    if page.inside is not None:
        with heading:
            page.inside(values, now)
    view = views[now.view]
    docks = cache(
        partial(_teaching if now.truth or page.steady else _release, page, view, now, values)
    )
    try:
        asked = page.ask(values, now)
    except DpvizError as error:
        docks()
        _refused(page, heading, error)
        return
    if asked is None or isinstance(asked, str):
        docks()
        with heading:
            headline(page.title, *_missing(page, page.missing_why, asked or page.missing))
        return
    if not view.quick(asked):
        docks()
    try:
        shown, finding = _view(page, view, asked, now, values, docks)
    except NotAsked as waits:
        docks()
        with heading:
            page.before(now, waits, asked, values)
        return
    except DpvizError as error:
        docks()
        _refused(page, heading, error)
        return
    places = docks()
    if shown and places.offers is not None:
        with places.offers:
            if page.slides_note:
                st.caption(page.slides_note)
            slides(now, shown, finding, page.slides)
    if places.remarks is not None:
        with places.remarks:
            page.remark(asked)


def _refused(page: Page[Any], heading: DeltaGenerator, error: DpvizError) -> None:
    """What stands in place of an answer that cannot be, and why."""
    with heading:
        headline(page.title, page.missing, page.refused)
    problem(error)


def _missing(page: Page[Any], why: str, what: str = "") -> tuple[str, str]:
    """What a page lacks, and what to do; of a file of names alone it is a column of numbers."""
    return session.NAMES_ALONE if session.has_names_alone() else (what or page.missing, why)


def _view(
    page: Page[Asked],
    view: View[Asked, Any],
    asked: Asked,
    now: Visit,
    values: Values,
    docks: Callable[[], Places],
) -> tuple[str, str]:
    """The finding, the picture and the numbers of a view; the dock, if not drawn yet, after them."""
    other = view.instead(asked, now, values)
    if other is not None:
        return _view(page, other, asked, now, values, docks)
    group = partial(_group, page, values)
    if view.buttons is not None and (place := docks().buttons) is not None:
        with place:
            view.buttons(asked, group)
    if view.show is not None:
        view.show(asked)
        return "", ""
    assert view.say
    numbers = _numbers(page, view, asked, values)
    said = view.say(asked, numbers)
    shown = Shown(asked, numbers, said, values, now, group)
    scarce = now.presenting or now.look.phone
    finding = said.headline(brief=scarce or now.look.screen == "narrow")
    headline(page.title, finding, said.second(brief=scarce))
    try:
        return _parts(page, view, shown, docks), finding
    except DpvizError as error:  # the headline stands: what fails below it is said in its place
        problem(error)
        return "", finding


def _parts(
    page: Page[Any], view: View[Any, Any], shown: Shown[Any, Any], docks: Callable[[], Places]
) -> str:
    """All that stands under a headline; returns what the picture is called."""
    if view.above is not None:
        view.above(shown)
    saved = _picture(view, shown)
    if view.quick(shown.asked):
        turns.rest(DRAWN_SECONDS)
    _late(page, view, shown, docks())
    if view.between is not None:
        view.between(shown)
    if view.ends:
        _strip(page, view, shown)
    _below(view, shown)
    if view.after is not None:
        view.after(shown)
    return saved


def _below(view: View[Any, Any], shown: Shown[Any, Any]) -> None:
    """What stands under the strip, below a picture once somebody looks there."""
    tables = shown.said.tables if view.beside is None else ()
    if shown.now.presenting or not (view.below or tables):
        return
    if view.draw is not None and view.waits and not folded.is_below_seen():
        return
    if view.below is not None:
        view.below(shown)
        return
    for table in tables:
        said_table(table)


def _numbers(
    page: Page[Asked], view: View[Asked, Numbers], asked: Asked, values: Values
) -> Numbers:
    assert view.numbers
    work, key = partial(view.numbers, asked, values), view.key(asked, values)
    if view.kept == "run":
        return work()
    if view.kept == "public":
        return memory.remembered((page.name, view.name, key), work)
    found: Numbers = page.once(asked, view.name, work, key)
    return found


def _strip(page: Page[Any], view: View[Any, Any], shown: Shown[Any, Any]) -> None:
    """Numbers in a row, as many as there is room for, chips, and what was spent."""
    said, now = shown.said, shown.now
    held = fields.of(page.ledger_in_dock, shown.chosen)
    strip(
        now,
        said.strips.get(now.look.screen, said.strip),
        said.chips,
        ledger=view.of_data and (held == "never" or (held == "hidden" and now.truth)),
        badge=view.of_data and view.badge(shown.asked),
    )


def _late(page: Page[Any], view: View[Any, Any], shown: Shown[Any, Any], places: Places) -> None:
    """What the dock shows of numbers: the slider that waits for them, and all of them in a tab."""
    known = None if view.slider is None else view.slider(shown.asked, shown.numbers)
    if known is not None and places.slider is not None:
        (row,) = _there(page, shown.chosen, "late")
        values = {**shown.chosen, **known}
        fields.draw(row, places.slider, {**values, row.key: row.kind.fit(values[row.key], values)})
    if view.listed is not None and places.numbers is not None:
        with places.numbers:
            view.listed(shown)
    if view.behind is not None and places.remarks is not None:
        with places.remarks:
            view.behind(shown)


def _picture(view: View[Any, Any], shown: Shown[Any, Any]) -> str:
    """The picture, and what stands beside it; the hero's key where it can be saved as a slide."""
    if view.draw is None:
        return ""
    now, alt = shown.now, shown.said.alt
    chosen: dict[str, Any] = {}
    if view.selects is not None:
        chosen = {"picked": view.selects, "picks": view.selection}
    picture = view.draw(shown.asked, shown.numbers, shown.chosen, now.look)
    if picture is None:
        return ""
    low = view.height is not None and now.look.phone
    left: AbstractContextManager[Any] = nullcontext()
    right = left
    if view.beside is not None and not now.look.phone:
        left, right = st.columns(view.widths, gap="medium")
    with left:
        if view.height is not None and low:
            high = view.height(shown.asked, shown.chosen)
            drawn(picture, view.hero, alt, slides=view.file, height=high, **chosen)
        else:
            hero(picture, view.hero, alt, slides=view.file, scroll=view.scroll, **chosen)
    if view.beside is not None:
        with right:
            view.beside(shown)
    return view.hero if view.saved and not low else ""


def _bare(page: Page[Any], now: Visit) -> None:
    """The dock of a page that lacks its data."""
    with dock(now, sliders=0) as found:
        found.truth()
        with found.popover("Bounds", "bounds"):
            data_choice.choose(now)
            _declarations(page)


def _group(page: Page[Any], values: Values, key: str, **known: Any) -> None:
    """The fields below the picture that begin with this one; known is what they look at besides."""
    for group in page.fields:
        if group[0].key == key:
            seen = {**values, **known}
            for row in group:
                seen[row.key] = row.kind.fit(values[row.key], seen)
            fields.beside(group, seen)


def _there(page: Page[Any], values: Values, place: str) -> list[Field]:
    """The fields that stand in a place of the dock now: one at most."""
    return [row for row in page.rows if fields.of(row.place, values) == place and row.when(values)]


def _teaching(page: Page[Any], view: View[Any, Any], now: Visit, values: Values) -> Places:
    """The dock with sliders: of a teaching view, or of a page where it is steady."""
    sliders = _there(page, values, "dock")
    late = _there(page, values, "late") if view.slider is not None else []
    with dock(now, sliders=int(view.spends) + len(sliders or late)) as found:
        for row in (own := _there(page, values, "budget")):
            fields.draw(row, found.sliders, values)
        if view.spends and not own:
            found.budget()
        if sliders:
            place = found.second_slot()
            if not _unseen(found):
                fields.draw(sliders[0], place, values)
        waits = None
        if late:
            place = found.second_slot()
            place = place.container() if now.look.phone else place
            waits = None if _unseen(found) else place
        buttons = _draws(view, found, values)
        if fields.of(page.ledger_in_dock, values) == "always":
            ledgers.in_dock(found)
        offers = numbers = None
        if label := page.label(values):
            with found.explore(label):
                offers, numbers = _questions(page, now, values)
        with found.expert():
            remarks = _expert(page, view, now, values)
    return Places(offers, remarks, numbers, waits, buttons)


def _draws(view: View[Any, Any], found: Dock, values: Values) -> DeltaGenerator | None:
    """The button for another draw, or a place for others, and the switch of the truth."""
    if not view.of_data:
        return None
    place = None
    if view.buttons is not None:
        place = found.buttons.container(
            horizontal=True, vertical_alignment="center", width="content"
        )
    elif fields.of(view.draws, values):
        found.new_draw(view.draw_label, view.before_draw)
    else:
        found.no_draw()
    found.truth()
    return place


def _questions(
    page: Page[Any], now: Visit, values: Values
) -> tuple[DeltaGenerator | None, DeltaGenerator | None]:
    """What is asked of which data, and how it is read; places as of the reading."""
    if folded.is_closed():
        return None, None
    question, *reading = _tabs((page.question_tab, *_reading_tabs(page)))
    with question:
        if page.data_last:
            _place(page, values, "question")
        if page.inside is None:
            data_choice.choose(now)
        if not page.data_last:
            _place(page, values, "question")
    return _reading(page, values, reading or [question])


def _unseen(found: Dock) -> bool:
    """Whether what stands in More on a phone is seen by nobody."""
    return found.now.look.phone and found.more[0][1] and not folded.ALWAYS_OPEN


def _release(page: Page[Any], view: View[Any, Any], now: Visit, values: Values) -> Places:
    """The dock of a release: nothing moves it, another one is made on purpose."""
    offers = numbers = slider = None
    with release_dock(now) as found:
        if page.reading_icon:
            with found.popover("Reading", "reading", page.reading_icon):
                offers, numbers = _reading(page, values, _tabs(_reading_tabs(page)))
                if view.slider is not None and offers is not None:
                    slider = offers.container()
        with found.popover("Make another release", "again", ":material/add:"):
            remarks = _another(page, view, now, values)
    return Places(offers, remarks, numbers, slider)


def _another(
    page: Page[Any], view: View[Any, Any], now: Visit, values: Values
) -> DeltaGenerator | None:
    """What another release is asked for with; a place for remarks. Where unseen, its budget alone."""
    if folded.is_closed():
        publish(now)
        return None
    last = ["Data"] if page.data_last else []
    spend, question, *data, expert = st.tabs(["Budget", page.question_tab, *last, "Expert"])
    with spend:
        publish(now)
    with (data or [question])[0]:
        data_choice.choose(now)
    with question:
        _place(page, values, "dock", "question")
    with expert:
        return _expert(page, view, now, values)


def _reading_tabs(page: Page[Any]) -> list[str]:
    return [*page.reading_tabs, *([page.numbers_tab] if page.numbers_tab else [])]


def _tabs(names: Sequence[str]) -> list[DeltaGenerator]:
    """Tabs where there are several, which a popover that nobody sees has not."""
    if folded.is_closed():
        return []
    return list(st.tabs(names)) if len(names) > 1 else [st.container()]


def _reading(
    page: Page[Any], values: Values, tabs: Sequence[DeltaGenerator]
) -> tuple[DeltaGenerator | None, DeltaGenerator | None]:
    """The fields of the reading; places for slides below the last of them, and for all numbers."""
    offers = None
    for name, tab in zip(page.reading_tabs or ("",), tabs, strict=False):
        with tab:
            _place(page, values, "reading", tab=name)
            offers = st.container()
    return offers, tabs[-1] if tabs and page.numbers_tab else None


def _expert(
    page: Page[Any], view: View[Any, Any], now: Visit, values: Values
) -> DeltaGenerator | None:
    """What experts set, and what is declared; a place for remarks, where somebody sees it."""
    if folded.is_closed():
        return None
    names = page.expert_tabs or ("",)
    tabs = _tabs(names)
    with tabs[0]:
        budget.expert(now, draws=view.buttons is None)
    for name, tab in zip(names, tabs, strict=True):
        with tab:
            _place(page, values, "expert", tab=name)
    with tabs[-1]:
        _declarations(page)
        return st.container()


def _declarations(page: Page[Any]) -> None:
    if page.declarations is not None and not folded.is_closed():
        page.declarations()


def _place(page: Page[Any], values: Values, *places: str, tab: str = "") -> None:
    """The fields of some places, or of one of their tabs, group by group."""
    for group in page.fields:
        rows = [row for row in group if fields.of(row.place, values) in places and row.tab == tab]
        fields.beside(rows, values)
