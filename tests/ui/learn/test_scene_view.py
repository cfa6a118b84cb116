"""What stands around the picture of a scene, in each beat of all scenes."""

import re
from types import SimpleNamespace

import pytest

from dpviz.lessons.stories import formula, transfer
from dpviz.ui.learn import scene_view
from tests.figures.inks import LIGHT
from tests.ui.learn.scenes import guessed, places, spoken_at
from tests.ui.recorded import Recorded


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(scene_view, "headline", found.headline)
    monkeypatch.setattr(scene_view, "teaching_badge", found.badge)
    monkeypatch.setattr(scene_view, "picture_of", lambda place, *_, **__: place.stop)
    monkeypatch.setattr(scene_view, "extra", found.extra)
    monkeypatch.setattr(scene_view.component, "show_sealed", found.show_sealed)
    monkeypatch.setattr(scene_view.glossary, "term", found.term)
    monkeypatch.setattr(scene_view.lead, "led", lambda: None)
    monkeypatch.setattr(scene_view.lead, "room", str)
    monkeypatch.setattr(scene_view.state, "store", lambda: found.state)
    monkeypatch.setattr(scene_view.where, "own_epsilon", lambda place: found.state.get("own"))
    return found


def seen(screen, place, *, phone=False, presenting=False):
    screen.forget()
    now = SimpleNamespace(look=SimpleNamespace(phone=phone, ink=LIGHT), presenting=presenting)
    scene_view.scene_view(place, now)
    return screen.said("markdown")


@pytest.mark.law
def test_every_scene_says_where_it_stands_in_its_story(screen):
    for place in places():
        said = seen(screen, place)
        many, number = len(place.story.scenes), place.scene.number
        assert screen.said("popover")[0] == f"{number} of {many} · {place.story.title}"
        assert said[0] == " ".join("●" * number + "○" * (many - number))
        listed = [one for one in screen.said("button") if one[0].isdecimal()]
        assert listed == [f"{at}. {one.title}" for at, one in enumerate(place.story.scenes, 1)]
        (headline,) = (one.args for one in screen.calls if one.name == "headline")
        assert headline[:2] == ("Learn", spoken_at(place))
        (shown,) = (one.args for one in screen.calls if one.name == "show_sealed")
        assert shown[1] == place.stop
        assert shown[2]["beat"] == place.beat
        strip = [one.partition(" style=")[0].partition("><span")[0] for one in screen.said("html")]
        assert strip == [
            one.partition(" style=")[0].partition("><span")[0]
            for one in [formula.as_html(place)]
            if one
        ]


def test_a_guess_is_said_beside_the_scene_and_judged_where_it_was_asked(screen):
    for place in places():
        said, scene, chosen = seen(screen, place), place.scene, guessed(place)
        predicted = [one for one in said if one.startswith("You predicted: ")]
        assert predicted == ([f"You predicted: {chosen}"] if chosen else [])
        judged = [one for one in said if one.startswith("You said ")]
        asks = f"**{scene.question}**" in said
        assert asks == (place.guess is None and place.beat == "predict")
        moved = [one for one in screen.said("caption") if one.startswith("Your guess")]
        if asks or not chosen:
            assert not judged
            assert not moved
        else:
            (words,) = judged
            start = f"You said “{chosen}”. {scene.about}: **found at {scene.control.revealed}**."
            assert words.startswith(start)
            other = place.stop != scene.control.revealed
            assert moved == ([f"Your guess was about this: {scene.about}."] if other else [])


def test_what_explains_a_scene_stands_below_it_once_it_was_asked(screen):
    for place in places():
        said, scene = seen(screen, place), place.scene
        below = (scene.explanation, scene.exercise, scene.answer, f"**Goal.** {scene.goal}")
        after = place.beat != "predict"
        assert [text in said for text in (*below, scene.teacher)] == [after] * 5
        sources = [one for one in screen.said("caption") if one.startswith("Sources: ")]
        wanted = ["Sources: " + "; ".join(scene.sources)] if scene.sources and after else []
        assert sources == wanted
        full = "Open in full page" in screen.said("button")
        assert full == (after and scene.full[0] != "learn")
        assert ("Ask again" in screen.said("button")) == after


@pytest.mark.law
def test_what_came_before_is_asked_again_below_the_answer(screen):
    for place in places():
        asked = transfer.below(place.scene)
        there = place.beat != "predict" and asked is not None
        for chosen in (None, *(asked.options if asked and there else ())):
            screen.given[f"transfer_{place.scene.name}"] = chosen
            said = seen(screen, place)
            assert screen.said("segmented_control") == ["From before"] * there
            assert (f"**From before.** {asked.question}" in said) == there if asked else not there
            judged = [one for one in said if re.match(r"(Yes|No): \*\*", one)]
            assert judged == ([asked.judged(chosen)] if chosen else [])
        screen.given.clear()


@pytest.mark.law
def test_a_phone_asks_above_the_picture_and_a_room_reads_the_picture_alone(screen):
    for place in places():
        said = seen(screen, place, phone=True)
        order = [one.name for one in screen.calls if one.name == "show_sealed" or (
            one.text == f"**{place.scene.question}**")]  # fmt: skip
        asks = place.beat == "predict"
        assert order == (["markdown", "show_sealed"] if asks else ["show_sealed"])
        assert not any(one.startswith("You predicted") for one in said)
        seen(screen, place, presenting=True)
        strip = ["html"] if formula.as_html(place) else []
        assert [one.name for one in screen.calls][-1 - len(strip) :] == ["show_sealed", *strip]


def test_the_epsilon_of_ones_own_is_offered_by_its_number(screen):
    place = next(one for one in places() if one.beat == "reveal")
    screen.state["own"] = 0.25
    seen(screen, place)
    assert "Your ε: 0.25" in screen.said("button")
