"""Inside recursive halving: its steps, the density that each number was drawn from, its parts."""

from dataclasses import dataclass, replace

from dpviz.answers.quantiles import recursion, recursion_said
from dpviz.answers.quantiles.recursion import RecursionNumbers
from dpviz.answers.quantiles.voice import row_name
from dpviz.answers.said import Line, Said, unmarked
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.quantiles.descent import Inside, descent_picture
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.recursion import Parts, parts_of
from dpviz.ui.kit import memory
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import View
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.quantiles.picture import nothing
from dpviz.ui.quantiles.releases import trace_of
from dpviz.ui.quantiles.shown import Shown, scale_of, shown, voice_of
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit
from dpviz.ui.visitor import selection

HERO = "recursion_chart"
NODE = "q_node"  # of the recursion, -1 for none


@dataclass(frozen=True, slots=True, eq=False)
class Halved:
    """A release by recursive halving, and with the truth the parts behind it. Confidential."""

    one: Shown
    parts: Parts | None
    found: RecursionNumbers


def _halving(page: QuantilesPage) -> Shown | None:
    return shown(methods.HALVING, page.settings, page.question)


def _instead(page: QuantilesPage, _: Visit, __: Values) -> View[QuantilesPage, None] | None:
    one = _halving(page)
    return nothing("another budget") if one is None or one.release.recursion is None else None


def _numbers(page: QuantilesPage, values: Values) -> Halved:
    """With the truth off without parts: no densities and no counts."""
    one, asked = _halving(page), page.question
    assert one is not None
    mechanism, parts = one.mechanism, None
    assert isinstance(mechanism, ApproximateQuantiles)
    assert one.release.recursion is not None
    if page.has_truth:
        parts = memory.public(
            asked.column,
            asked.key("parts", mechanism),
            lambda: parts_of(trace_of(mechanism, asked)),
        )
    found = recursion.answer(
        mechanism, one.release.recursion, one.alone(asked).published, asked.quantiles, asked.budget,
        node=None if values[NODE] < 0 else values[NODE],
        sizes=None if parts is None else parts.sizes,
    )  # fmt: skip
    return Halved(one, parts, found)


def _say(page: QuantilesPage, known: Halved) -> Said:
    asked, voice = page.question, voice_of(scale_of(known.one))
    parts = asked.draw.rows is not None
    said = recursion_said.say(known.found, voice, asked.budget, str(asked.spent), parts=parts)
    second = Line("") if page.now.presenting else said.second
    alt = unmarked(f"{said.headline()} {said.second()}")
    return replace(said, second=second, alt=alt, chips=page.settings.chips(methods.HALVING))


def _draw(page: QuantilesPage, known: Halved, values: Values, look: Look) -> Picture:
    one, asked, parts = known.one, page.question, known.parts
    assert one.release.recursion is not None
    scale, inside = scale_of(one), None
    if parts is not None:
        truth = one.answers(asked).truth
        assert truth is not None
        inside = Inside(truth, parts.sizes, parts.x, parts.height)
    return descent_picture(
        one.release.recursion, one.alone(asked).published, inside, scale, look,
        first=row_name(known.found.first), people=voice_of(scale).words.people.many,
        chosen=None if values[NODE] < 0 else values[NODE],
    )  # fmt: skip


def _choose_clicked() -> None:
    points = selection(HERO)["points"]
    if points:
        state.put(NODE, int(points[0]["number"]))


VIEW: View[QuantilesPage, Halved] = View(
    "recursion", "Inside the recursion", _numbers, say=_say, draw=_draw, hero=HERO,
    file="recursion", selects=_choose_clicked, instead=_instead,
    below=lambda shown: below(shown, [shown.numbers.one], HERO), saved=False,
)  # fmt: skip
