"""What somebody reads who follows a lecture, steps off it, or comes too late."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dpviz.lessons.scene import Sentences
from dpviz.ui.learn import follow
from dpviz.ui.learn.follow import OVER, UNKNOWN, Following
from tests.ui.learn.scenes import guessed, places
from tests.ui.recorded import Recorded

NOW = SimpleNamespace(look=SimpleNamespace(phone=False), presenting=False)


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(follow, "headline", found.headline)
    return found


@pytest.fixture
def lectures(monkeypatch):
    """The codes of the lectures under way."""
    going: dict[str, object] = {}
    monkeypatch.setattr(follow, "LECTURES", SimpleNamespace(find=going.get))
    return going


def test_below_stands_which_scene_it_is_and_what_becomes_of_ones_own_guess(screen):
    for place in places():
        screen.forget()
        follow._below(place)
        (said,) = screen.said("markdown")
        scene, chosen = place.scene, guessed(place)
        where = f"{place.story.title}, {scene.number} of {len(place.story.scenes)}."
        assert said.startswith(where)
        asks = place.beat == "predict"
        assert (f" **{scene.question}**" in said) == asks
        assert (f"You said “{chosen}”" in said) == (not asks and bool(chosen))


def test_a_guess_stays_said_until_the_presenter_goes_on(screen):
    for place in places():
        if place.beat != "predict":
            continue
        for option in place.scene.options:
            screen.forget()
            follow._below(follow.Place(place.story, place.scene, option.key, "predict", None))
            (said,) = screen.said("markdown")
            end = f" You predicted: **{option.text}**. The presenter reveals the answer."
            assert said.endswith(end)


def test_a_guess_is_kept_once_and_for_its_own_scene():
    first = next(one for one in places() if one.beat == "predict")
    mine = Following("abcd")
    a, b = (one.key for one in first.scene.options[:2])
    for wanted in ("nonsense", a, b):
        follow._answer(mine, first, wanted)
    assert mine.guesses == {first.scene.name: a}
    later = next(one for one in places() if one.beat == "reveal" and one.scene is not first.scene)
    follow._answer(mine, later, later.scene.options[0].key)
    assert len(mine.guesses) == 1
    rights = [follow._right(one) for one in places()]
    assert rights == [one.guess == one.scene.right.key for one in places()]


def test_the_page_names_the_lecture_and_the_scene(screen, lectures, monkeypatch):
    place = places()[0]
    followed = []
    lectures["abcd"] = SimpleNamespace(
        number=7, step=SimpleNamespace(story=place.story.key, scene=place.scene.number),
        code="abcd", follow=lambda *who: followed.append(who),
    )  # fmt: skip
    mine = screen.state["_follow"] = Following("abcd")
    monkeypatch.setattr(follow, "place_of", lambda step, guess: place)
    monkeypatch.setattr(follow, "drawn", lambda *_: (Sentences("*One* finding.", "A line."), "it"))
    monkeypatch.setattr(follow.component, "show_sealed", screen.show_sealed)
    monkeypatch.setattr(follow, "_waiting", lambda: screen.waiting)
    monkeypatch.setattr(follow, "_picture", follow._picture.__wrapped__)
    follow.follow_view(NOW)
    assert "Following **abcd**" in screen.said("markdown")
    assert screen.one("follow_off").others["args"] == (mine,)
    assert ("Learn", "*One* finding.", "A line.") in [one.args for one in screen.calls]
    data = screen.one("follow_waiting").others["data"]
    many = len(place.story.scenes)
    assert data == {"code": "abcd", "step": 7, "words": follow.heard(
        f"{place.scene.number} of {many}. *One* finding.")}  # fmt: skip
    assert len(followed) == 1
    assert mine.last.scene is place.scene


def test_off_a_lecture_the_way_back_is_said_while_it_goes_on(screen, lectures):
    lectures["abcd"] = object()
    mine = screen.state["_follow"] = Following("abcd", on=False)
    follow.notices(None)
    assert screen.said("markdown") == ["Lecture **abcd** goes on."]
    assert screen.one("follow_on").others["args"] == (mine,)
    assert not screen.said("info")


@pytest.mark.parametrize("at", [None, places()[0]])
def test_the_end_of_a_lecture_is_said_until_one_goes_on(screen, lectures, at):
    screen.state["_follow"] = Following("abcd", on=False)
    follow.notices(at)
    assert screen.said("info") == [OVER]
    assert "_follow" not in screen.state
    screen.forget()
    elsewhere = places()[-1] if at is not None else None
    follow.notices(elsewhere)
    assert not screen.said("info")


def test_a_code_of_no_lecture_is_said_above_the_stories_alone(screen, lectures):
    screen.state["_follow_unknown"] = True
    follow.notices(None)
    assert screen.said("info") == [UNKNOWN]
    screen.forget()
    follow.notices(places()[0])
    follow.notices(None)
    assert not screen.said("info")
