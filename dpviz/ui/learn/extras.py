"""What some scenes have below their picture: a game for the class, a card to print, a report."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import streamlit as st

from dpviz.figures.stage.engine import enclosed, svg
from dpviz.lessons import asking, game, one_cell
from dpviz.lessons.stories.handout import decision_card
from dpviz.lessons.stories.telling import Place
from dpviz.lessons.try_it import one_release
from dpviz.lessons.words import epsilon
from dpviz.ui.bench.report_files import report_panel
from dpviz.ui.kit import frame
from dpviz.ui.stage.still import still
from dpviz.ui.visit import data, screen, state

# mounts the attacker's desk once, and hands it the rule
DESK = """export default ({ data, parentElement }) => {
  const box = parentElement.querySelector(".asking");
  box.desk ??= $asking.askingIn(box, data);
  box.desk(data.stop, data.noise);
};"""


def extra(place: Place) -> None:
    """Draw what belongs to a scene, if anything does."""
    draw = EXTRAS.get(place.scene.name)
    if draw is not None and place.beat != "predict":
        draw(place)


def game_on(place: Place, draw: int = 1, finished: Callable[[int], None] | None = None) -> None:
    """Five rounds against the class: a hidden coin, an answer, a guess, and the tally.

    finished hears how many of five rounds were right.
    """
    size = float(place.stop)
    kept = st.session_state.setdefault("_game", {"draw": draw, "guesses": [], "eps": size})
    if kept["eps"] != size:  # other answers: what was guessed is about those of before
        kept |= {"guesses": [], "eps": size}
    played = game.rounds(size, kept["draw"])
    guesses: list[bool] = kept["guesses"]
    with st.container(border=True, key="scene_game"):
        st.markdown(f"**Five rounds against the class, {epsilon(size)}.** A coin decides whether "
                    "Ana is in the count. Who can tell from the answer?")  # fmt: skip
        found = game.tally(played, guesses)
        if guesses:
            last = played[len(guesses) - 1]
            st.markdown(f"Ana was **{'in' if last.inside else 'out'}**. {game.said(found, size)}")
        if len(guesses) < game.ROUNDS:
            shown = played[len(guesses)]
            st.markdown(f"Round {len(guesses) + 1} of {game.ROUNDS}: the published count is "
                        f":blue[{shown.answer}]. Is Ana in?")  # fmt: skip
            with st.container(horizontal=True):
                st.button("She is in", key="game_in", on_click=_guess, args=(True, finished))
                st.button("She is out", key="game_out", on_click=_guess, args=(False, finished))
        else:
            st.button("Five more rounds", key="game_more", on_click=_more)


def _guess(inside: bool, finished: Callable[[int], None] | None = None) -> None:
    kept = st.session_state["_game"]
    guesses: list[bool] = kept["guesses"]
    if len(guesses) == game.ROUNDS:  # a button may be pressed twice before it is gone
        return
    guesses.append(inside)
    if finished is not None and len(guesses) == game.ROUNDS:
        finished(game.tally(game.rounds(kept["eps"], kept["draw"]), guesses).right)


def _more() -> None:
    kept = st.session_state["_game"]
    kept |= {"draw": kept["draw"] + 1, "guesses": []}


@cache
def _asking() -> Any:
    return st.components.v2.component(
        "dpviz_asking",
        html='<div class="asking"></div>',
        css=asking.style(),
        js=f"{enclosed('asking', asking.script())}\n{DESK}",
    )


def _desk(place: Place) -> None:
    """The attacker's desk, which keeps its notes while its rule stays."""
    _asking()(
        key="scene_desk", data=asking.desk() | {"stop": place.stop, "noise": place.beat == "second"}
    )


def _card(place: Place) -> None:
    st.download_button(
        "Decision card to print",
        data=partial(decision_card, float(place.stop)),
        file_name="dpviz-decision-card.html",
        mime="text/html",
        key="scene_card",
        icon=":material/print:",
        on_click="ignore",
    )


def _cell(_: Place) -> None:
    told = one_cell.combined(*one_cell.DRAWN)
    drawn = svg(one_cell.picture(told), *one_cell.SIZE, screen.look())
    still("still_cell", drawn, one_cell.SIZE[0])


def _report(place: Place) -> None:
    found = place.scene.numbers(place.stop, 1)
    report_panel(found.release, one_release.told_of(found), "released-salaries")


def _own_file(_: Place) -> None:
    """The way on for a visitor's own file: by hand, on its pages; the story draws none of it."""
    if not data.has_upload():
        return
    st.markdown("**Your own file is here.** Nothing of it is drawn in the story; what you do with "
                "it, you do by hand.")  # fmt: skip
    with st.container(horizontal=True):
        for page, label, link in (
            ("data", "Declare its bounds", {"view": "declare"}),
            ("quantiles", "Release its quantiles", {}),
        ):
            st.button(label, key=f"own_{page}", on_click=_leave_for, args=(page,))
            if st.session_state.get("_own_leaves") == page:
                del st.session_state["_own_leaves"]
                data.choose(data.UPLOAD)
                state.follow(link)
                frame.go(page)


def _leave_for(page: str) -> None:
    st.session_state["_own_leaves"] = page


def _release(place: Place) -> None:
    _report(place)
    _own_file(place)


GAME = "two_worlds"  # the scene that a game belongs to
EXTRAS: dict[str, Callable[[Place], None]] = {
    "attacker": _desk,
    GAME: game_on,
    "combined_levels": _cell,
    "decision": _card,
    "declared_bounds": _own_file,
    "one_release": _release,
}
