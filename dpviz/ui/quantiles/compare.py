"""Several methods side by side: their errors on one scale, the best one first."""

from typing import Any

from dpviz.answers.quantiles import compared, compared_said
from dpviz.answers.quantiles.compared import ComparedNumbers, MethodErrors
from dpviz.answers.quantiles.voice import Voice
from dpviz.answers.said import Line, Said, unmarked
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.quantiles.compare import Compared, compare_picture
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import View
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.outside import ALONE
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.quantiles.picture import nothing
from dpviz.ui.quantiles.shown import scale_of, voice_of
from dpviz.ui.visit.page import Visit
from dpviz.ui.visitor import selection

HERO = "methods"


def _instead(page: QuantilesPage, _: Visit, __: Values) -> View[QuantilesPage, Any] | None:
    """With the truth off one release and a sentence."""
    if page.has_truth:
        return None if page.every else nothing("other methods, or another budget")
    return nothing("another method, or another budget") if page.one is None else ALONE


def _voice(page: QuantilesPage) -> Voice:
    return voice_of(scale_of(next(iter(page.every.values()))))


def _numbers(page: QuantilesPage, _: Values) -> ComparedNumbers:
    answers = {name: one.answers(page.question) for name, one in page.every.items()}
    return compared.answer(answers)


def _say(page: QuantilesPage, found: ComparedNumbers) -> Said:
    voice, asked = _voice(page), page.question
    names = {name: methods.in_words(name) for name in page.every}
    sentence = compared_said.headline(found, names, voice)
    second = compared_said.second(found, names, voice, asked.budget.symbol)
    line = Line(second(brief=page.now.presenting))
    strip = compared_said.strip(found, voice, str(asked.spent))
    return Said(Line(sentence), line, strip, unmarked(f"{sentence} {line()}"))


def _draw(page: QuantilesPage, found: ComparedNumbers, _: Values, look: Look) -> Picture:
    panels = [_panel(page, method, found) for method in found.methods]
    return compare_picture(panels, page.question.column.resolution, look)


def _panel(page: QuantilesPage, method: MethodErrors, found: ComparedNumbers) -> Compared:
    voice, key = _voice(page), method.key
    beside, short = compared_said.beside(method, found, voice.words.unit.many)
    number, answers = voice.writing.error(method.mean), page.every[key].answers(page.question)
    return Compared(key, methods.heading(key), answers, number, beside, short)


def open_clicked() -> None:
    """A click on a dot of a panel makes its method the page's."""
    points = selection(HERO)["points"]
    panels = {str(point.get("customdata")) for point in points} & set(methods.labels())
    if panels:
        methods.open_alone(panels.pop())


VIEW: View[QuantilesPage, ComparedNumbers] = View(
    "compare", "Methods compared", _numbers, say=_say, draw=_draw, hero=HERO, file="methods",
    selects=open_clicked, instead=_instead, saved=False,
    below=lambda shown: below(
        shown, [shown.asked.every[one.key] for one in shown.numbers.methods], HERO
    ),
)  # fmt: skip
