"""What somebody reads who follows a lecture, steps off it, or comes too late."""

from types import SimpleNamespace

import pytest

from dpviz.lessons import game
from dpviz.lessons.scene import Sentences
from dpviz.ui.learn import follow
from dpviz.ui.learn.follow import OVER, UNKNOWN, Following
from dpviz.ui.lectures.table import Lecture
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


def lecture_of(place, step=None):
    """A lecture at a place, where nobody voted."""
    step = step or SimpleNamespace(story=place.story.key, scene=place.scene.number,
                                   beat=place.beat, stop=place.stop)  # fmt: skip
    return Lecture("abcd", b"", step)


def test_below_stands_which_scene_it_is_and_what_becomes_of_ones_own_guess(screen):
    for place in places():
        screen.forget()
        follow._below(place, lecture_of(place), Following("abcd"))
        said, *game_said = screen.said("markdown")
        scene, chosen = place.scene, guessed(place)
        where = f"{place.story.title}, {scene.number} of {len(place.story.scenes)}."
        assert said.startswith(where)
        asks = place.beat == "predict"
        plays = place.scene.name == follow.GAME and not asks
        assert bool(game_said) == plays
        assert screen.said("caption") == [follow.KEPT] * asks + [follow.KEPT_GAME] * plays
        assert (f"You said “{chosen}”" in said) == (not asks and bool(chosen))


def test_a_guess_stays_said_until_the_presenter_goes_on(screen):
    for place in places():
        if place.beat != "predict" or place.scene.drawing is not None:
            continue
        for option in place.scene.options:
            screen.forget()
            at = follow.Place(place.story, place.scene, option.key, "predict", None)
            follow._below(at, lecture_of(place), Following("abcd"))
            (said,) = screen.said("markdown")
            end = f" You predicted: **{option.text}**. The presenter reveals the answer."
            assert said.endswith(end)


def test_a_guess_may_change_until_the_reveal_and_is_counted_once_a_round():
    first = next(one for one in places() if one.beat == "predict")
    name, phones, others = first.scene.name, Following("abcd"), 9
    lecture = lecture_of(first)
    a, b = (one.key for one in first.scene.options[:2])
    for _ in range(others):
        follow._answer(Following("abcd"), lecture, first, b)
    for wanted in ("nonsense", a, b, a):
        follow._answer(phones, lecture, first, wanted)
    assert phones.guesses == {name: {1: a}}
    assert lecture.voted(name, 1)[:3] == (1, others, 0)
    assert phones.chosen(lecture, name) == a
    lecture.talks[name] = 90.0
    assert phones.chosen(lecture, name) == ""  # the same answer may be given again
    late = Following("abcd")  # a phone that comes to the second round
    for one in (phones, late, *(Following("abcd") for _ in range(5))):
        follow._answer(one, lecture, first, a)
        follow._answer(one, lecture, first, b)
    assert phones.guesses == {name: {1: a, 2: b}}
    assert (phones.guess(name), late.guess(name)) == (b, b)
    assert lecture.voted(name, 1)[:3] == (1, others, 0)
    assert lecture.voted(name, 2)[:3] == (0, 7, 0)
    later = next(one for one in places() if one.beat == "reveal" and one.scene is first.scene)
    lecture.step = lecture_of(later).step
    follow._answer(phones, lecture, first, a)  # the picture of a phone that is late
    assert phones.guess(name) == b


def test_what_a_class_chose_is_said_after_the_reveal_and_from_five_phones_on(screen):
    place = next(one for one in places() if one.beat == "reveal" and guessed(one))
    for others, said in ((3, False), (4, True)):
        lecture = lecture_of(place)
        at = [one.key for one in place.scene.options].index(place.guess)
        for one in (at, *[(at + 1) % len(place.scene.options)] * others):
            lecture.vote(place.scene.name, None, one)
        screen.forget()
        follow._below(place, lecture, Following("abcd"))
        assert screen.said("markdown")[0].endswith(" 1 of 5 phones said so.") == said


def test_a_game_counts_phones_once_at_an_epsilon_and_shows_none_below_five():
    place = next(one for one in places() if one.scene.name == follow.GAME)
    lecture, name = lecture_of(place), game.counter(1.0)
    first = Following("abcd")
    for right in (4, 0, 5):  # more rounds of the same phone do not count
        follow._played(first, lecture, 1.0, right)
    for right in (3, 5, 2):
        follow._played(Following("abcd"), lecture, 1.0, right)
    assert lecture.votes.shown(name) is None
    assert lecture.votes.people(name) == 0
    follow._played(Following("abcd"), lecture, 1.0, 4)
    bins = lecture.votes.shown(name)
    assert bins[:6] == (0, 0, 1, 1, 2, 1)
    assert lecture.votes.people(name) == 5
    follow._played(first, lecture, 0.1, 1)
    assert lecture.votes.shown(name) == bins  # another ε is another game
    assert game.of_class(bins) == game.Tally(18, 25)
    assert game.said_of_class(bins, 1.0) == (
        "5 phones, 25 rounds: 18 of 25 right. Nobody can expect more than 732 in 1,000 rounds."
    )
    assert len({Following("abcd").draw for _ in range(9)}) > 1  # phones play rounds of their own


def test_rights_are_told_by_the_key():
    rights = [follow._right(one) for one in places()]
    keys = [{option.key for option in one.scene.options if option.right} for one in places()]
    assert rights == [one.guess in key for one, key in zip(places(), keys, strict=True)]


def test_the_page_names_the_lecture_and_the_scene(screen, lectures, monkeypatch):
    place = places()[0]
    followed = []
    lectures["abcd"] = SimpleNamespace(
        number=7, step=SimpleNamespace(story=place.story.key, scene=place.scene.number),
        code="abcd", follow=lambda *who: followed.append(who), round=lambda name: 1,
    )  # fmt: skip
    mine = screen.state["_follow"] = Following("abcd")
    monkeypatch.setattr(follow, "place_of", lambda step, guess: place)
    monkeypatch.setattr(follow, "drawn", lambda *_: (Sentences("*One* finding.", "A line."), "it"))
    monkeypatch.setattr(follow.component, "show_sealed", screen.show_sealed)
    monkeypatch.setattr(follow.beside, "component", lambda *_: screen.waiting)
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
