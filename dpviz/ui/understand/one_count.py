"""One person, first view: a noisy count with and without them, and what one answer says."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpviz.core.data.column import Column
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.neighbours import exact_pair
from dpviz.experiments.privacy.one_count import MADE_UP, OneCount, answers_in_view
from dpviz.figures.privacy.amounts import (
    chance,
    epsilon_text,
    most_percent,
    nearest_percent,
    times,
    tiny,
    whole,
)
from dpviz.figures.privacy.one_count import count_picture
from dpviz.ui.bench.dock import Dock
from dpviz.ui.bench.headline import headline, plain, private, true
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
SUSPICION = 0.1  # of whom the strip names the worst case, too


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
    _dock(now, asked, who, scene, answer)
    sentence, second = _sentences(now, asked, who, scene)
    with head:
        headline("One person", sentence, second)
    alt = f"{unmarked(sentence)} {unmarked(second)}"
    hero(count_picture(scene, answer, who.names, now.look), "person", alt)
    _strip(now, asked, scene, answer)


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


def _dock(now: Visit, asked: Asked, who: Person, scene: OneCount, answer: int) -> None:
    def sliders(dock: Dock) -> None:
        dock.second_of_visit(
            SUPPOSE if now.look.screen == "wide" and not now.presenting else SHORTER,
            answers_in_view(scene),
            settings.widget("n_answer", answer, _suppose(asked, scene)),
            format_func=whole,
        )

    def publish(dock: Dock) -> None:
        dock.new_draw("Publish one", before=_asked_for_one)

    def behind() -> None:
        controls.facts(_facts(scene))

    label = f"Count, {who.who}"
    person_dock(now, asked, who, label, sliders=sliders, button=publish, facts=behind)


def _suppose(asked: Asked, scene: OneCount) -> Callable[[int], None]:
    own = _is_own(asked)
    return lambda answer: settings.put_offset(round(answer - scene.one), own=own)


def _asked_for_one() -> None:
    st.session_state[PUBLISH] = True


def _facts(scene: OneCount) -> list[tuple[str, str]]:
    if scene.noise.gaussian:
        return [
            (f"ε at δ = {scene.claim.delta:g}:", f"{scene.claim.epsilon:.4g}"),
            ("outputs beyond ε:", chance(scene.share_beyond)),
            ("exact δ(ε):", f"{scene.delta:.3g}"),
        ]
    largest = scene.claim.epsilon if scene.moved else 0.0
    return [
        ("largest |log ratio|:", f"{largest:.4g}"),
        ("ε, the limit:", f"{scene.claim.epsilon:.4g}"),
        ("share of ε used:", f"{largest / scene.claim.epsilon:.1%}"),
    ]


def _sentences(now: Visit, asked: Asked, who: Person, scene: OneCount) -> tuple[str, str]:
    limit = private(f"{times(scene.claim.epsilon)} times")
    start = f"With or without {plain(who.who)}"
    if who.replaced:
        start = f"Whatever {plain(who.who)}'s number"
    if not scene.moved:
        first = f"{start}, the count is the same, and so is the chance of every answer."
    else:
        first = f"{start}, every answer is at most {limit} as likely"
        first += f", except with chance {plain(tiny(scene.claim.delta))}." if scene.delta else "."
    return first, _second(now, asked, who, scene)


def _second(now: Visit, asked: Asked, who: Person, scene: OneCount) -> str:
    one, other = true(whole(scene.one)), true(whole(scene.other))
    without = f"without {who.pronoun}" if who.pronoun else plain(who.names.without)
    counts = f"{plain(who.names.with_one)} {one}, {without} {other}"
    counts = counts[0].upper() + counts[1:]
    if asked.is_made_up:
        return (
            f"A made-up count: {counts[0].lower()}{counts[1:]}. Nothing of the data is on screen."
        )
    if now.look.phone:
        return f"{counts}: it could have come from either."
    question = plain(questions.in_words(asked.query, asked.column, hides=False))
    if not scene.moved:
        return f"{question} {counts}. Choose somebody on the other side of the line."
    return f"{question} {counts}. Whatever is published could have come from either."


def _strip(now: Visit, asked: Asked, scene: OneCount, answer: int) -> None:
    prior = settings.get("n_prior") / 100
    after = nearest_percent(scene.supposed(answer).believed(prior))
    become = f"if {whole(answer)} is published: a suspicion of {100 * prior:.0f} % becomes"
    rare = "one of 10 % becomes at most"
    if now.look.screen == "narrow":
        become, rare = f"if it is {whole(answer)}: {100 * prior:.0f} % become", "10 % at most"
    worst = most_percent(scene.most_believed(SUSPICION))
    if scene.delta:
        worst = f"{worst}, but for {tiny(scene.claim.delta)}"
    items = [(become, after), (rare, worst)]
    chips = []
    if not scene.noise.whole:
        chips.append(f"{controls.NOISES[scene.noise]} noise")
    if scene.noise.gaussian and settings.get("n_at") != settings.ROWS["n_at"].first:
        chips.append(f"δ = {epsilon_text(settings.get('n_at'))}")
    strip(now, items, chips, badge=not asked.is_made_up, ledger=True)
