"""One person, first view: a noisy count with and without them, and what one answer says."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpviz.answers.privacy import one_count, one_count_said
from dpviz.answers.privacy.amounts import epsilon_text, whole
from dpviz.answers.privacy.one_count import CountNumbers
from dpviz.answers.privacy.one_count_said import Named
from dpviz.core.data.column import Column
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.neighbours import exact_pair
from dpviz.experiments.privacy.one_count import MADE_UP, OneCount, answers_in_view
from dpviz.figures.privacy.one_count import count_picture
from dpviz.ui.bench.dock import Dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.kit.messages import attempt
from dpviz.ui.understand import controls, people, questions, settings
from dpviz.ui.understand.people import Person
from dpviz.ui.understand.person_dock import person_dock
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit.page import Visit

PUBLISH = "_publish_one"  # set by the button, read by the run that follows
SUPPOSE, SHORTER = "Suppose this answer is published", "If this is published"


def show(now: Visit) -> None:
    """The page with this view."""
    head = st.container()
    asked = questions.asked(settings.COUNT, now.budget, hides=not now.truth)
    who = attempt(lambda: people.person(asked.query, asked.column)) if asked else None
    if asked is None or who is None:
        person_dock(now, asked, who, "Count")
        with head:
            headline(
                "One person", "What one person changes", "The picture returns once this is mended."
            )
        return
    scene = _scene(asked, who)
    if st.session_state.pop(PUBLISH, False):
        settings.put_offset(_publish(asked, who, scene) - round(scene.one), own=_is_own(asked))
    answer = _answer(asked, scene)
    found = one_count.answer(scene, answer, settings.get("n_prior") / 100)
    _dock(now, asked, who, scene, found)
    named = _named(who)
    sentence = one_count_said.headline(found, named)
    second = one_count_said.second(found, named, _question(asked))(brief=now.look.phone)
    with head:
        headline("One person", sentence, second)
    alt = f"{unmarked(sentence)} {unmarked(second)}"
    hero(count_picture(scene, answer, who.names, now.look), "person", alt)
    items = one_count_said.strip(found, narrow=now.look.screen == "narrow")
    strip(now, items, _chips(scene), badge=not asked.is_made_up, ledger=True)


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


def _is_own(asked: Asked) -> bool:
    """Whether a file is looked at, whether or not its counts were refused for what is in it."""
    return session.is_upload() and (session.shows_truth() or not asked.is_made_up)


def _answer(asked: Asked, scene: OneCount) -> int:
    """The supposed answer: kept as a distance, which a file's link does not hold either."""
    wanted = scene.one + settings.offset(own=_is_own(asked))
    return min(answers_in_view(scene), key=lambda answer: abs(answer - wanted))


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


def _dock(now: Visit, asked: Asked, who: Person, scene: OneCount, found: CountNumbers) -> None:
    def sliders(dock: Dock) -> None:
        dock.second_of_visit(
            SUPPOSE if now.look.screen == "wide" and not now.presenting else SHORTER,
            answers_in_view(scene),
            settings.widget("n_answer", found.answer, _suppose(asked, scene)),
            format_func=whole,
        )

    def publish(dock: Dock) -> None:
        dock.new_draw("Publish one", before=_asked_for_one)

    def behind() -> None:
        controls.facts(one_count_said.facts(found))

    label = f"Count, {who.who}"
    person_dock(now, asked, who, label, sliders=sliders, button=publish, facts=behind)


def _suppose(asked: Asked, scene: OneCount) -> Callable[[int], None]:
    own = _is_own(asked)
    return lambda answer: settings.put_offset(round(answer - scene.one), own=own)


def _asked_for_one() -> None:
    st.session_state[PUBLISH] = True


def _named(who: Person) -> Named:
    without = f"without {who.pronoun}" if who.pronoun else who.names.without
    return Named(who.who, who.names.with_one, without, who.replaced)


def _question(asked: Asked) -> str:
    """What is counted, in words; empty for a made-up count."""
    if asked.is_made_up:
        return ""
    return questions.in_words(asked.query, asked.column, hides=False)


def _chips(scene: OneCount) -> list[str]:
    chips = []
    if not scene.noise.whole:
        chips.append(f"{controls.NOISES[scene.noise]} noise")
    if scene.noise.gaussian and settings.get("n_at") != settings.ROWS["n_at"].first:
        chips.append(f"δ = {epsilon_text(settings.get('n_at'))}")
    return chips
