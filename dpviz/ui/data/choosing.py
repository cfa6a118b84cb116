"""Choose: the sample sets as a gallery; with the truth off their declared bounds and nothing else."""

from dpviz.core.budgets import Neighbours
from dpviz.figures.kit.look import Look
from dpviz.intake.samples import Sample, samples
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.strip import strip
from dpviz.ui.data.pictures import SIZES, amount_of, picture_of
from dpviz.ui.data.uploading import problem_card
from dpviz.ui.data.words import SAID, listed
from dpviz.ui.kit import session
from dpviz.ui.kit.gallery.gallery import Card, Row, Shape, gallery
from dpviz.ui.visit import data
from dpviz.ui.visit.page import Visit

RELATION_WORDS = {
    Neighbours.ADD_REMOVE: "one person joins or leaves",
    Neighbours.REPLACE_ONE: "one person's value changes",
}


def choose_step(now: Visit) -> None:
    """Sentence, gallery, numbers."""
    problem_card()
    headline("Data", *_sentences(now))
    shape = Shape(
        columns=6,
        phone_columns=2,
        picture_height=now.look.said(SIZES[now.look.screen][1], 0),
        large=now.presenting or now.look.screen != "low",
    )
    cards = [_card(one, now.truth, now.look) for one in samples()]
    in_use = "" if session.is_upload() else session.chosen_sample().key
    gallery("samples", [Row(cards)], picked=in_use, shape=shape, on_pick=data.choose)
    _numbers(now)


def _sentences(now: Visit) -> tuple[str, str]:
    if not now.truth:
        return (
            f"{len(samples())} data sets, and not one record on screen.",
            "Each shows what is declared of it in public: where its values can lie.",
        )
    if session.is_upload():
        return "Behind the barrier: your own file.", "The truth of it is on. Choose a sample, too."
    chosen = session.chosen_sample()
    behind = SAID[chosen.key].behind if chosen.key in SAID else chosen.title
    first = chosen.teaches.split(". ")[0].rstrip(".") + "."
    lesson = now.look.said(chosen.teaches, first, presenting=True)
    return f"Behind the barrier: {behind}.", lesson


def _card(one: Sample, truth: bool, look: Look) -> Card:
    picture = picture_of(one.key, people=truth, screen=look.screen, presenting=look.presenting)
    line = "" if look.presenting else _line(one, truth)  # too small for the back row
    return Card(one.key, one.title, line, picture, in_use=look.said("in use", "✓"))


def _line(one: Sample, truth: bool) -> str:
    """The people and what is special about them, or what is declared of them."""
    if truth:
        line = f": {SAID[one.key].line}" if one.key in SAID else ""
        return one.words.people.counted(one.n) + line
    if len(one.columns) > 1:
        return f"a box: {listed(list(one.columns))}"
    return one.words.unit.after(_bounds_of(one)) + _steps(one.resolution)


def _bounds_of(one: Sample) -> str:
    return " × ".join(f"{amount_of(b.low)} to {amount_of(b.high)}" for b in one.bounds)


def _steps(step: float) -> str:
    return f", steps of {amount_of(step)}" if step else ", no steps"


def _numbers(now: Visit) -> None:
    relation = ("neighbours", RELATION_WORDS[now.neighbours])
    if session.is_upload():
        strip(now, [("in use", "your own file"), relation], badge=now.truth, ledger=now.look.phone)
        return
    chosen = session.chosen_sample()
    items = [
        ("public: bounds", chosen.words.unit.after(_bounds_of(chosen))),
        ("steps of", amount_of(chosen.resolution)) if chosen.resolution else ("steps", "none"),
        relation,
        ("confidential:", chosen.words.people.counted(chosen.n)),
    ]
    if not now.truth:
        items[3] = ("records on screen", "0")
    strip(now, items, badge=now.truth, ledger=now.look.phone)
