"""Controls and words moved in any order, across pages, samples, files and windows: no traceback."""

from collections.abc import Callable, Sequence
from typing import Any, get_args

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox, SelectSlider

from dpviz.answers.decide import quantiles
from dpviz.figures.decide.sentence import Choice
from dpviz.figures.kit.look import Screen
from dpviz.intake.samples import samples
from dpviz.ui.visit import screen
from tests.conftest import ROOT
from tests.pages.own_file import with_own
from tests.pages.sentences import Sentences
from tests.views import TABS, views

STEPS, ANEW, AWAY = 250, 0.04, 0.1  # moves, how often a visit begins anew, and goes to another page
WORD, WINDOW = 0.4, 0.03  # how often a word is set where there is a sentence, and a window changes
OWN = 0.3  # how often a visit begins with a declared file
PAGES = ("decide", *TABS, "start", "learn", "what_if", "methods", "papers", "data")
TYPED = (
    "0.5, 0.5", "", "words", "1e9", "0.1", "0.25, 0.5, 0.75", "1, 2, 3", "0", "-1", "100", "50%",
    "nan", "inf", "1e-300", "3, 3, 3", "0-10", "10-0", "1-3, 2-5", "1e15",
)  # fmt: skip
Draw = np.random.Generator
Move = tuple[str, Any]


def one_of(options: Sequence[Any], draw: Draw) -> Any:
    return options[int(draw.integers(len(options)))]


def number(one: Any, draw: Draw) -> Any:
    low = -100 if one.min is None else one.min
    high = 1_000 if one.max is None else one.max
    usual, far = one_of([0.5, 1, 2, 7, 100], draw), one_of([1e15, -1e15, 1e300, 1e-300], draw)
    typed = one_of([low, high, draw.uniform(low, high), usual, usual, far, None], draw)
    if typed is None:
        return None
    if one.min is not None:
        typed = max(typed, one.min)
    if one.max is not None:
        typed = min(typed, one.max)
    return round(typed) if isinstance(one.value, int) else float(typed)


def some_of(one: Any, draw: Draw) -> Any:
    options = [getattr(option, "content", option) for option in one.options]
    if isinstance(one.value, list):
        return [option for option in options if draw.random() < 0.5]
    return one_of(options, draw)


MOVES: dict[str, Callable[[Any, Draw], Any]] = {
    "selectbox": lambda one, draw: one_of(one.options, draw),
    "select_slider": lambda one, draw: one_of(one.options, draw),
    "button_group": some_of,
    "number_input": number,
    "text_input": lambda _, draw: one_of(TYPED, draw),
    "text_area": lambda _, draw: one_of(TYPED, draw),
    "toggle": lambda one, _: not one.value,
    "checkbox": lambda one, _: not one.value,
    "button": lambda *_: True,
}


def word_moved(sentences: Sentences, draw: Draw) -> Move:
    """One word, way or other thing to ask for of a sentence that is there."""
    key = one_of(sorted(sentences.drawn), draw)
    drawn = sentences.drawn[key]
    if drawn.said.near and draw.random() < 0.2:
        return sentences.ask(key, one_of(drawn.said.near, draw))
    if drawn.ways and (not drawn.words or draw.random() < 0.15):
        return sentences.click(key, one_of(drawn.ways, draw))
    if not drawn.words:
        return key, ""
    part = one_of(drawn.words, draw)
    if isinstance(part, Choice):
        text = one_of(part.options, draw)[0]
    else:
        text = one_of([one_of(TYPED, draw), f"{10 ** draw.uniform(-2, 5):.3g}"], draw)
    return sentences.set(key, part.name, text)


def content(rows: int, draw: Draw) -> bytes:
    """A file of a visitor, with cells that are none and cells out of any bounds."""
    cells = [
        (
            one_of([int(draw.integers(91)), "", -5, 7], draw),
            draw.normal(),
            one_of("pqr", draw),
            at // 2,
        )
        for at in range(rows)
    ]
    lines = (f"{','.join(map(str, row))}\n" for row in cells)
    return ("a,b,c,who\n" + "".join(lines)).encode()


def begun(draw: Draw) -> tuple[AppTest, list[Move]]:
    """A fresh visit somewhere, at times with a file of its own, declared or not."""
    page, rows = one_of(PAGES, draw), one_of([1, 3, 50, 400], draw)
    if draw.random() < OWN:
        step, truth = one_of([0, 0.5, 1], draw), bool(draw.random() < 0.5)
        app = with_own(content(rows, draw), 0, 90, step, truth=truth)
        size, notion = one_of([1, 50, 5_000, 1e6], draw), one_of(["pure", "approx", "zcdp"], draw)
        app.session_state["_visit"] |= {"own1_0_size": float(size), "notion": notion}
        app.switch_page(f"pages/{page}.py").run()
        return app, [(page, (rows, step, truth, size, notion))]
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    link = {
        "view": one_of(views(page), draw) if page in TABS else "",
        "notion": one_of(["pure", "approx", "zcdp"], draw),
        "neighbours": one_of(["add or remove", "replace"], draw),
        "data": one_of(samples(), draw).key,
        "truth": one_of(["true", "false"], draw),
        "present": one_of(["1", ""], draw),
    }
    link = {key: text for key, text in link.items() if text and draw.random() < 0.4}
    app.query_params.update(link)
    app.switch_page(f"pages/{page}.py")
    app.run()
    moves: list[Move] = [(page, link)]
    if page == "data" and not app.exception and app.get("file_uploader"):
        app.file_uploader(key="file").upload("mine.csv", content(rows, draw), "text/csv")
        app.run()
        moves.append(("file", rows))
    return app, moves


def moved(app: AppTest, sentences: Sentences, window: list[str], draw: Draw) -> Move:
    """One move of a person, which the next run answers."""
    if draw.random() < WINDOW:
        window[0] = f"{one_of(['light', 'dark'], draw)} {one_of(get_args(Screen), draw)}"
        return "window", window[0]
    if sentences.drawn and draw.random() < WORD:
        return word_moved(sentences, draw)
    there = [
        (kind, one)
        for kind in MOVES
        for one in app.get(kind)
        if not getattr(one, "disabled", False)
    ]
    if not there or draw.random() < AWAY:
        page = one_of(PAGES, draw)
        app.switch_page(f"pages/{page}.py")
        return page, ""
    kind, one = one_of(there, draw)
    value = MOVES[kind](one, draw)
    one.set_value(value)
    return str(one.key), value


def place(one: Any) -> int | None:
    """Where the value of a select stands, given as it is or as it is shown."""
    if one.value is None:
        return None
    shown = one.value if one.value in one.options else one.format_func(one.value)
    return int(one.options.index(shown))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_no_move_leads_to_a_traceback(seed, monkeypatch):
    for name, few in (("COLUMNS", 20), ("RELEASES", 2), ("ROUGH", 10)):
        monkeypatch.setattr(quantiles, name, few)
    # options are told as they are shown, and so they are chosen
    monkeypatch.setattr(SelectSlider, "format_func", property(lambda _: str))
    monkeypatch.setattr(Selectbox, "index", property(place))
    sentences, window = Sentences(monkeypatch), ["light wide"]
    monkeypatch.setattr(screen, "believed", lambda: window[0])
    draw = np.random.default_rng(seed)
    app, moves = begun(draw)
    for _ in range(STEPS):
        assert not app.exception, repr(moves)
        if draw.random() < ANEW:
            app, moves = begun(draw)
        else:
            moves.append(moved(app, sentences, window, draw))
            app.run()
    assert not app.exception, repr(moves)
