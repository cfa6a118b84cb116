"""One person, first view: a noisy count with and without them, and what one answer says."""

from dataclasses import dataclass
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.privacy import one_count, one_count_said
from dpviz.answers.privacy.amounts import epsilon_text, whole
from dpviz.answers.privacy.one_count import CountNumbers
from dpviz.answers.privacy.one_count_said import Named
from dpviz.answers.said import Said
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.neighbours import exact_pair
from dpviz.experiments.privacy.one_count import MADE_UP, OneCount, answers_in_view
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.privacy.one_count import count_picture
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.tables import facts
from dpviz.ui.model.fields import Field, Values, Whole
from dpviz.ui.model.render import View
from dpviz.ui.understand import people, questions, rows
from dpviz.ui.understand.people import Person
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

SUPPOSE, SHORTER = "Suppose this answer is published", "If this is published"
FARTHEST = 10**12  # an answer that a link supposes
_PUBLISHES = "n_publishes"  # set by the button, read by the run that follows


@confidential("asked")
@dataclass(frozen=True, slots=True, eq=False)
class CountCase:
    """A noisy count, and whoever makes the difference.

    offset is how far from the count the supposed answer is. at is the δ that was chosen to read ε
    at, where it is another than at first.
    """

    asked: Asked
    who: Person
    scene: OneCount
    offset: int
    at: str


def case_of(values: Values, now: Visit) -> CountCase | None:
    """What is asked, of whom; one answer is published first where that was asked for.

    The wish holds for this run alone: where nothing can be published, nothing is later on.
    """
    publishes = state.store().pop(_PUBLISHES, False)
    asked = questions.asked(rows.COUNT, values, now.budget, hides=not now.truth)
    if asked is None:
        return None
    who = attempt(lambda: people.person(asked.query, asked.column, values))
    if who is None:
        return None
    scene, offset = _scene(asked, who), values["n_offset"]
    if publishes:
        offset = _publish(asked, who, scene) - round(scene.one)
        state.put(offset_name(), offset)
    at = "" if values["n_at"] == rows.FIRST_DELTA else epsilon_text(values["n_at"])
    return CountCase(asked, who, scene, offset, at)


def _scene(asked: Asked, who: Person) -> OneCount:
    query, claim = _count(asked), asked.claim()
    scale = query.scale(asked.budget)
    if asked.is_made_up:
        return OneCount(query.noise, scale, MADE_UP, MADE_UP - 1, claim)
    pair = exact_pair(asked.column, who.change)
    one, other = query.truth(pair.one), query.truth(pair.other)
    if who.comes:
        one, other = other, one
    return OneCount(query.noise, scale, one, other, claim)


def _count(asked: Asked) -> CountQuery:
    assert isinstance(asked.query, CountQuery)
    return asked.query


def _publish(asked: Asked, who: Person, scene: OneCount) -> int:
    """One answer with the person in the data, drawn and paid; of a made-up count nobody pays."""
    query = _count(asked)
    if asked.is_made_up:
        rng = asked.draw.generator(("made up", query, asked.budget))
        return round(scene.one + float(query.noise.draw(scene.scale, (1,), rng)[0]))
    pair = exact_pair(asked.column, who.change)
    column: Column = pair.other if who.comes else pair.one
    # a count's neighbour is no count: its nonce is that of the count it was made of
    nonce = memory.nonce_of(asked.column)
    purpose = purpose_of(query, column, asked.budget, "publish", nonce)
    asked.draw.book(purpose, paid=[Cost("one count", asked.budget)])
    made = asked.draw.released(lambda rng: query.release(column, asked.budget, rng), purpose)
    return round(made)


def offset_name() -> str:
    """Where the supposed answer is kept, as a distance from the count that it is about.

    Of a file in this session alone: beside a published answer the distance would tell the exact
    count, so no link ever holds it, whether or not the counts were refused for what is in it.
    """
    return f"n_{session.scope()}_offset" if _is_own() else "n_offset"


def _is_own() -> bool:
    return session.is_upload() and session.shows_truth()


class _Supposed(Whole):
    """A distance from the count, shown as the answer there: of those in view."""

    def fit(self, value: int, values: Values) -> int:
        """The nearest one in view, once the count is known."""
        value = Whole.fit(self, value, values)
        if "scene" not in values:
            return value
        return min(_distances(values["scene"]), key=lambda one: abs(one - value))

    def draw(self, place: DeltaGenerator, row: Field, values: Values, widget: Any) -> None:
        """A slider of answers."""
        scene: OneCount = values["scene"]
        place.select_slider(
            row.label,
            _distances(scene),
            format_func=lambda distance: whole(scene.one + distance),
            **widget,
        )


def _distances(scene: OneCount) -> list[int]:
    return [round(answer - scene.one) for answer in answers_in_view(scene)]


SUPPOSED = Field(
    "n_offset", SUPPOSE, _Supposed(-FARTHEST, FARTHEST), 1, "late",
    when=lambda values: values["view"] == "count", linked=lambda: not _is_own(),
    kept=offset_name, worded=lambda _: SHORTER if visits.is_scarce() else SUPPOSE,
)  # fmt: skip


def _numbers(case: CountCase, values: Values) -> CountNumbers:
    distance = min(_distances(case.scene), key=lambda one: abs(one - case.offset))
    published = round(case.scene.one) + distance
    return one_count.answer(case.scene, published, values["n_prior"] / 100)


def _say(case: CountCase, found: CountNumbers) -> Said:
    who, asked = case.who, case.asked
    without = f"without {who.pronoun}" if who.pronoun else who.names.without
    named = Named(who.who, who.names.with_one, without, who.replaced)
    question = ""
    if not asked.is_made_up:
        question = questions.in_words(asked.query, asked.column, hides=False)
    chips = [] if found.noise.whole else [f"{rows.NOISES[found.noise]} noise"]
    if found.noise.gaussian and case.at:
        chips.append(f"δ = {case.at}")
    return one_count_said.say(found, named, question, chips)


def _draw(case: CountCase, found: CountNumbers, _: Values, look: Look) -> Picture:
    return count_picture(case.scene, found.answer, case.who.names, look)


VIEW: View[CountCase, CountNumbers] = View(
    "count", "A count", _numbers, say=_say, draw=_draw, hero="person", kept="run", saved=False,
    badge=lambda case: not case.asked.is_made_up,
    slider=lambda case, _: {"scene": case.scene, "n_offset": case.offset},
    draw_label="Publish one", before_draw=lambda: state.put(_PUBLISHES, True),
    behind=lambda shown: facts(one_count_said.facts(shown.numbers)),
)  # fmt: skip
