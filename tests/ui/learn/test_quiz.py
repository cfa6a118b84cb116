"""The quiz and the game below a scene: what is said of each answer."""

from types import SimpleNamespace

import pytest

from dpviz.figures.kit.look import Look
from dpviz.lessons.stories.quiz import QUESTIONS
from dpviz.ui.learn import extras, page
from tests.figures.inks import LIGHT
from tests.ui.recorded import Recorded


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(page, "headline", found.headline)
    monkeypatch.setattr(page, "put_scene", found.put_scene)
    store = {}
    monkeypatch.setattr(page.state, "store", lambda: store)
    monkeypatch.setattr(page.state, "put", store.__setitem__)
    found.store = store
    return found


@pytest.mark.parametrize("said", ["True", "False"])
def test_every_answer_is_judged_by_what_holds(screen, said):
    for number, question in enumerate(QUESTIONS, 1):
        light = SimpleNamespace(
            statement=question.statement, holds=question.holds, why=lambda: "Why."
        )
        screen.forget()
        screen.given[f"quiz_{number}"] = said
        page._ask(number, light)
        asked, judged = screen.said("markdown")
        assert asked == f"**{number}.** {question.statement}"
        right = (said == "True") is question.holds
        truth = "true" if question.holds else "false"
        assert judged == f"{'Yes' if right else 'No'}: it is **{truth}**. Why."
        screen.one(f"quiz_{number}").others["on_change"]()
        assert screen.store["quiz_last"] == number


def test_beside_the_quiz_stands_the_scene_of_the_last_answer(screen, monkeypatch):
    monkeypatch.setattr(page, "_ask", lambda *_: None)
    for number, question in enumerate(QUESTIONS, 1):
        screen.forget()
        screen.store["quiz_last"] = number
        page.quiz(SimpleNamespace(look=Look(LIGHT)))
        story, scene = question.scene.story, question.scene.number
        (headline,) = (one.args for one in screen.calls if one.name == "headline")
        assert headline[1] == f"{len(QUESTIONS)} sentences about privacy: true or false?"
        (shown,) = (one.args for one in screen.calls if one.name == "put_scene")
        assert shown[0] is question.scene
        (caption,) = screen.said("caption")
        assert caption == f"From the story {story.title()}, scene {scene}."


def test_the_game_says_round_answer_and_who_was_in(screen, monkeypatch):
    rounds = [SimpleNamespace(inside=at % 2 == 0, answer=100 + at) for at in range(5)]
    monkeypatch.setattr(extras.game, "rounds", lambda *_: rounds)
    monkeypatch.setattr(extras.game, "tally", lambda played, guesses: len(guesses))
    monkeypatch.setattr(extras.game, "said", lambda found, size: f"{found} so far at {size:g}.")
    for guessed in range(6):
        screen.forget()
        screen.state["_game"] = {"draw": 1, "guesses": [True] * guessed, "eps": 0.5}
        extras.game_on(SimpleNamespace(stop=0.5))
        said = screen.said("markdown")[1:]
        if guessed:
            was = "in" if rounds[guessed - 1].inside else "out"
            assert said.pop(0) == f"Ana was **{was}**. {guessed} so far at 0.5."
        if guessed < 5:
            assert said == [
                f"Round {guessed + 1} of 5: the published count is :blue[{100 + guessed}]. "
                "Is Ana in?"
            ]
            assert screen.said("button") == ["She is in", "She is out"]
        else:
            assert screen.said("button") == ["Five more rounds"]


def test_another_setting_begins_the_game_anew(screen, monkeypatch):
    monkeypatch.setattr(extras.game, "said", lambda *_: "")
    screen.state["_game"] = {"draw": 1, "guesses": [True, False], "eps": 0.5}
    extras.game_on(SimpleNamespace(stop=1.0))
    assert screen.state["_game"] == {"draw": 1, "guesses": [], "eps": 1.0}
    extras._guess(True)
    assert screen.state["_game"]["guesses"] == [True]


def test_who_finishes_five_rounds_tells_how_many_were_right_once(screen):
    told, rounds = [], extras.game.rounds(0.5, 3)
    screen.state["_game"] = {"draw": 3, "guesses": [], "eps": 0.5}
    for at, one in enumerate(rounds):
        assert told == []
        extras._guess(one.inside == (at < 3), told.append)
    extras._guess(True, told.append)  # pressed twice before the button is gone
    assert told == [3]
