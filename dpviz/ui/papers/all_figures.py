"""The gallery of the Papers page: every figure as a card, its mark, and how many hold."""

from functools import cache

from dpviz.answers.said import private
from dpviz.experiments.papers.stored.findings import word
from dpviz.experiments.papers.stored.judgements import Mark, judgements, marks
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.told import rows_of
from dpviz.ui.bench import ledger
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.kit.gallery import gallery as cards
from dpviz.ui.kit.gallery.gallery import Card, Row, Shape
from dpviz.ui.model import alone
from dpviz.ui.model.fields import same
from dpviz.ui.papers import where
from dpviz.ui.papers.figures import FIGURES
from dpviz.ui.papers.files import files_label, files_panel
from dpviz.ui.papers.statements import STATED
from dpviz.ui.papers.statements import THUMBNAILS as OF_STATEMENTS
from dpviz.ui.papers.thumbnails import THUMBNAILS
from dpviz.ui.visit.page import Visit

PICTURES = {**THUMBNAILS, **OF_STATEMENTS}
ALL, FULL, HALF, NOT, OTHER, EXPLAINS = (
    "All", "As printed", "In part", "Not", "Other data", "Explains",
)  # fmt: skip
FILTERS: dict[str, tuple[Mark, ...]] = {
    ALL: ("as printed", "in part", "not", "other data", "explains"),
    FULL: ("as printed",),
    HALF: ("in part",),
    NOT: ("not",),
    OTHER: ("other data",),
    EXPLAINS: ("explains",),
}
DRAWN: dict[Mark, cards.Mark] = {"as printed": "full", "in part": "half", "not": "empty"}
SAID: dict[Mark, str] = {
    "as printed": "as printed",
    "in part": "in part as printed",
    "not": "not as printed",
    "other data": "on other data",
    "explains": "explains an idea",
}


def all_figures(now: Visit) -> None:
    """The gallery, its headline, and the filter in the dock."""
    with dock(now, sliders=0) as d:
        chosen = _filter(d)
        ledger.in_dock(d)
        with d.popover(f"Your runs take: {files_label()}", "files"):
            files_panel()
    first, second = sentences()
    headline("Papers", first, second.split("  Two")[0] if now.presenting else second)
    cards.gallery(
        "papers",
        [row for row in rows() if row.cards] if chosen == ALL else _filtered(FILTERS[chosen]),
        shape=Shape(columns=9, picture_height=_height(now)),
        on_pick=where.show,
    )


def _filter(d: Dock) -> str:
    """Which marks are shown; on a phone the row of six does not fit, and stands in More."""
    phone = d.now.look.phone
    row = alone.segments("papers_show", "Show", same(*FILTERS), bare=not phone)
    chosen = alone.settle("papers", row)
    if phone:
        with d.explore("Show"):
            alone.draw(row, chosen)
    else:
        alone.draw(row, chosen, d.buttons)
    return str(chosen)


def _height(now: Visit) -> int:
    return 60 if now.presenting else 58 if now.look.screen == "low" else 64


def sentences() -> tuple[str, str]:
    """The headline that counts the marks, and the line below it."""
    found = marks()
    judged = sum(found[mark] for mark in DRAWN)
    printed = [row for row in FIGURES if row.paper is not STATED]
    papers = len({row.paper.title for row in printed})
    share = f"{found['as printed']} of {judged}"
    first = (
        f"{len(printed)} figures of {word(papers)} papers, drawn again: "
        f"{private(share)} results as printed, "
        f"{found['in part']} in part."
    )
    second = (
        f"● as printed: {found['as printed']}.  ◐ in part: {found['in part']}.  "
        f"○ not: {found['not']}.  {word(found['other data']).capitalize()} use other data; "
        f"{word(found['explains'])} explain an idea and measure nothing. Open one to see where it "
        f"differs, and why. {word(len(FIGURES) - len(printed)).capitalize()} statements of the "
        "texts follow."
    )
    return first, second


@cache
def rows() -> tuple[Row, ...]:
    """A row of cards for each paper; drawn once a process, for the stored results do not change."""
    held = record()
    found: dict[str, list[Card]] = {}
    for row in FIGURES:
        mark = judgements()[row.key].mark
        picture = PICTURES[row.key](rows_of(row.key, held))
        card = Card(row.key, row.label, row.note, picture, DRAWN.get(mark), SAID[mark])
        found.setdefault(row.paper.title, []).append(card)
    about = {row.paper.title: row.paper.about for row in FIGURES}
    return tuple(Row(cards, title, about[title]) for title, cards in found.items())


def _filtered(wanted: tuple[Mark, ...]) -> list[Row]:
    keys = {row.key for row in FIGURES if judgements()[row.key].mark in wanted}
    kept = [
        Row([card for card in row.cards if card.key in keys], row.title, row.note) for row in rows()
    ]
    return [row for row in kept if row.cards]
