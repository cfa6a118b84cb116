"""Learn: every scene by link, on, back and answers, full pages, the quiz, what is taken along."""

import re
from dataclasses import replace

import pytest
import streamlit as st

from dpviz.lessons import course
from dpviz.lessons.scene import MISCONCEPTIONS
from dpviz.lessons.staged import named
from dpviz.lessons.stories.inventory import ITEMS
from dpviz.lessons.stories.listing import BY_KEY, STORIES
from dpviz.lessons.stories.listing import scene as named_scene
from dpviz.lessons.stories.quiz import QUESTIONS
from dpviz.lessons.stories.telling import SKIPPED, Place, controls, keys, moved, spoken, verdict
from dpviz.ui.learn import extras, where
from dpviz.ui.learn.teacher import students_address
from dpviz.ui.lectures.rooms import ROOMS
from tests.conftest import ROOT
from tests.pages.driver import AppTest, healthy, opened, pick, read, uploaded
from tests.scenes import link_of, place_of

SCENES = [(story.key, scene.number) for story in STORIES for scene in story.scenes]
IDS = [f"{story} {number}" for story, number in SCENES]


def at(story, number, **link):
    """A fresh session that a link leads to a scene."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update({"story": story, "scene": str(number)} | link)
    app.switch_page("pages/learn.py")
    return healthy(app.run())


def heading(app):
    return read(app.title[0].value)


def said_in_link(app, key):
    found = app.query_params[key]
    return found if isinstance(found, str) else found[0]


def captions(app):
    return [one.value for one in app.caption if "Of the link" in one.value]


def test_the_stories_are_whole():
    assert [len(story.scenes) for story in STORIES] == [*map(len, course.SCENES.values())]
    for story in STORIES:
        assert [scene.number for scene in story.scenes] == list(range(1, len(story.scenes) + 1))
        assert {scene.story for scene in story.scenes} == {story.key}
    every = [scene for story in STORIES for scene in story.scenes]
    assert sum(scene.seconds for scene in BY_KEY["teach"].scenes) <= 18 * 60
    assert {one.misconception for scene in every for one in scene.options} - {None} <= set(
        MISCONCEPTIONS
    )


@pytest.mark.few(6)
@pytest.mark.parametrize(("story", "number"), SCENES, ids=IDS)
def test_a_scene_asks_first_and_reveals_by_link(story, number):
    scene = BY_KEY[story].scenes[number - 1]
    control = scene.control
    app = at(story, number)
    assert heading(app) == scene.ask(scene.numbers(control.start, 1)).headline
    assert captions(app) == []
    wrong = next((one for one in scene.options if not one.right), None)
    guess = SKIPPED if wrong is None else wrong.key
    app = at(story, number, guess=guess)
    said = scene.say(scene.numbers(control.revealed, 1))
    assert heading(app) == said.headline
    assert any(said.sentence == read(one.value) for one in app.markdown)
    told = [one.value for one in app.markdown if one.value.startswith("You predicted: ")]
    assert told == ([] if wrong is None else [f"You predicted: {wrong.text}"])
    assert captions(app) == []
    if scene.second is not None:
        app = at(story, number, guess=guess, beat="2")
        start = control.revealed if scene.second.start is None else scene.second.start
        assert heading(app) == scene.second.say(scene.numbers(start, 1)).headline


@pytest.mark.parametrize(("story", "number"), SCENES, ids=IDS)
def test_the_full_page_opens_as_the_scene_says(story, number):
    page, link = BY_KEY[story].scenes[number - 1].full
    if page == "learn":
        assert not link or link["story"] in BY_KEY
        return
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page(f"pages/{page}.py")
    app = healthy(app.run())
    assert captions(app) == []
    if "eps" in link:
        assert app.session_state["_visit"]["eps"] == float(link["eps"])


def test_a_full_page_is_followed_within_the_visit():
    app = at(*place_of("same_noise"), guess="b", eps="0.5")
    app.get_by_key("scene_full").click()
    healthy(app.run())
    link = named_scene("same_noise").full[1]
    kept = app.session_state["_visit"]
    assert (kept["column"], kept["b_k"]) == (link["data"], int(link["b_k"]))
    assert "eps" not in kept  # a scene's ε is its own
    assert kept["scenes"]["same_noise"] == {
        "guess": "b",
        "eps": 0.5,
    }  # it goes on where it was


@pytest.mark.parametrize(
    "link",
    [
        {"story": "nobody"},
        {"scene": "99"},
        {"guess": "z"},
        {"beat": "7"},
        {"at": "-1"},
        {"story": "teach", "scene": "²"},
    ],
)
def test_nonsense_in_a_link_is_said(link):
    app = at(**({"story": "teach", "number": "1"} | {k: v for k, v in link.items() if k != "scene"}
                | ({"number": link["scene"]} if "scene" in link else {})))  # fmt: skip
    assert len(captions(app)) == 1
    assert app.title[0].value


def test_where_the_control_stands_is_in_the_link():
    app = at(*place_of("attacker"), guess="b", at="five")
    assert said_in_link(app, "at") == "five"
    scene = named_scene("attacker")
    assert heading(app) == scene.say(scene.numbers("five", 1)).headline
    app = at(*place_of("same_noise"), guess="b", eps="0.1")
    scene = named_scene("same_noise")
    assert heading(app) == scene.say(scene.numbers(0.1, 1)).headline
    assert said_in_link(app, "eps") == "0.1"


def test_an_epsilon_stays_in_its_scene(visit):
    where.open_scene(*place_of("same_noise"))
    go(visit, "b")
    where.turn(visit(), "5")
    assert where.link(visit())["eps"] == "5"
    for story, number in SCENES:  # each opens at what its question is about
        scene = BY_KEY[story].scenes[number - 1]
        if (story, number) == place_of("same_noise") or scene.control.key != "eps":
            continue
        where.open_scene(story, number)
        assert go(visit, "a").stop == scene.control.revealed
        assert where.link(visit())["eps"] is None
        own = where.own_epsilon(visit())
        assert own == (5.0 if 5.0 in scene.control.stops else None)
        if own is not None:
            where.turn(visit(), named(own))
            assert visit().stop == 5.0
            assert where.own_epsilon(visit()) is None
    assert "eps" not in st.session_state["_visit"]


def test_an_epsilon_in_a_link_is_no_other_pages():
    app = at(*place_of("same_noise"), guess="b", eps="5")
    assert app.session_state["_visit"]["scenes"]["same_noise"]["eps"] == 5.0
    assert "eps" not in app.session_state["_visit"]
    assert captions(at(*place_of("same_noise"), guess="b", eps="0.3")) != []  # no stop
    assert captions(at(*place_of("tank"), guess="b", eps="0.1")) != []  # it has no ε


@pytest.mark.parametrize(("story", "number"), SCENES, ids=IDS)
def test_a_guess_is_judged_where_it_was_asked_wherever_the_control_stands(visit, story, number):
    where.open_scene(story, number)
    scene = BY_KEY[story].scenes[number - 1]
    if not scene.options:
        return
    place = go(visit, "a")
    found = scene.finding(scene.numbers(scene.control.revealed, 1))
    expected = f"You said “{scene.options[0].text}”. {scene.about}: **{found}**."
    assert verdict(place).startswith(expected)
    assert place.stop == scene.control.revealed
    assert moved(place) == ""
    for stop in scene.control.stops:
        there = replace(place, stop=stop)
        assert verdict(there) == verdict(place)
        assert (moved(there) == "") == (stop == scene.control.revealed)
        assert scene.about in moved(there) or not moved(there)
    assert moved(replace(place, guess=SKIPPED, stop=scene.control.stops[-1])) == ""


def test_the_verdict_and_what_it_is_about_stand_below_the_picture():
    scene = named_scene("two_worlds")
    app = at(*place_of("two_worlds"), guess="a", eps="5")
    assert any(scene.verdict("a") == one.value for one in app.markdown)
    assert any(one.value == "Your guess was about this: At ε = 0.1." for one in app.caption)
    app = at(*place_of("two_worlds"), guess="a")
    assert not any("Your guess" in one.value for one in app.caption)


def test_nothing_is_said_to_be_expected_by_many():
    for path in (ROOT / "dpviz").rglob("*.py"):
        assert "many people expect" not in path.read_text(encoding="utf-8")


def test_answers_stand_in_another_order_in_each_scene_and_room():
    orders = {}
    for story, number in SCENES:
        scene = BY_KEY[story].scenes[number - 1]
        for room in ("", "K7QM", "B2CD"):
            one = scene.shuffled(room)
            assert one == scene.shuffled(room)
            assert {*one} == {*scene.options}
            orders[story, number, room] = [option.key for option in one]
            place = Place(BY_KEY[story], scene, None, "predict", scene.control.start)
            if scene.drawing is not None:
                assert [c["kind"] for c in controls(place, room)] == ["go", "draw", "go"]
                assert not any(key.isdecimal() for key in keys(place, room))
                continue
            shown = [c["value"] for c in controls(place, room) if c["look"] == "answer"]
            hints = [c["hint"] for c in controls(place, room) if c["look"] == "answer"]
            assert shown == orders[story, number, room]
            assert [keys(place, room)[hint] for hint in hints] == shown
    orders = {key: order for key, order in orders.items() if order}
    first = [order.index(right_of(key)) for key, order in orders.items()]
    assert {first.count(i) > 4 for i in range(4)} == {True}  # the right one stands everywhere
    assert len({tuple(order) for order in orders.values()}) > 12


def right_of(key):
    story, number, _ = key
    return BY_KEY[story].scenes[number - 1].right.key


@pytest.fixture
def visit(monkeypatch):
    """A visit outside a page."""
    monkeypatch.setattr(st, "session_state", {"_visit": {"learn_seen": True}})
    where.open_scene("teach", 1)
    return where.settle


def go(visit, *wanted):
    for one in wanted:
        where.go(visit(), one)
    return visit()


def test_on_leads_through_the_story_with_and_without_a_guess(visit):
    seen = []
    while (place := visit()) is not None:
        seen.append((place.scene.number, place.beat))
        where.go(place, "next")
    second = [scene.number for scene in BY_KEY["teach"].scenes if scene.second is not None]
    expected = [
        step
        for number in range(1, len(BY_KEY["teach"].scenes) + 1)
        for step in [(number, "predict"), *([(number, "second")] if number in second else [])]
    ]
    assert seen == expected


def test_an_answer_is_given_once_and_back_returns(visit):
    place = go(visit, "a")
    assert (place.guess, place.beat) == ("a", "reveal")
    assert go(visit, "c").guess == "a"
    assert go(visit, "next").scene.number == 2
    assert go(visit, "reveal").guess == SKIPPED
    assert go(visit, "next").beat == "second"
    assert go(visit, "back").beat == "reveal"
    back = go(visit, "back")
    assert (back.scene.number, back.beat, back.guess) == (1, "reveal", "a")
    assert go(visit, "again").beat == "predict"
    assert go(visit, "back").scene.number == 1


def test_a_control_turns_to_its_stops_only(visit):
    go(visit, "a")
    where.turn(visit(), "10")
    assert visit().stop == 10.0
    where.turn(visit(), "11")
    assert visit().stop == 10.0
    assert where.link(visit())["at"] == "10"


def test_keys_are_those_of_the_buttons(visit):
    place = visit()
    meaning = keys(place)
    assert meaning[" "] == "reveal"
    assert meaning["ArrowRight"] == meaning["PageDown"] == "next"
    asked = {one["value"] for one in controls(place) if one["kind"] == "go"}
    assert {meaning[str(i)] for i in range(1, 5)} <= asked
    assert " " not in keys(go(visit, "a"))


def test_every_stop_of_a_slider_is_said(visit):
    for story, number in SCENES:
        where.open_scene(story, number)
        place = go(visit, "a")
        (slider,) = [one for one in controls(place) if one["kind"] == "slider"] or [None]
        if slider is not None:
            stops = [one["value"] for one in slider["stops"]]
            assert stops == [named(one) for one in place.scene.control.stops]
            assert sum(len(one["mark"]) for one in slider["stops"]) <= 90
        assert spoken(place, place.scene.numbers(place.stop, 1)).headline


def test_the_stories_open_from_their_cards():
    app = opened("learn")
    assert len([one for one in app.get("bidi_component") if "still_" in one.proto.id]) == 3
    app.get_by_key("start_show").click()
    healthy(app.run())
    assert said_in_link(app, "story") == "show"
    assert said_in_link(app, "scene") == "1"


def test_the_quiz_explains_every_answer_and_keeps_no_score():
    app = at_view("quiz")
    assert len(QUESTIONS) == 10
    assert sum(question.holds for question in QUESTIONS) == 5
    for number, question in enumerate(QUESTIONS, 1):
        pick(app, **{f"quiz_{number}": "True"})
        word = "true" if question.holds else "false"
        assert any(f"it is **{word}**. {question.why()}" in one.value for one in app.markdown)
    assert not re.search(r"\d+ of 10(?!0)", " ".join(one.value for one in app.markdown))


def at_view(view):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["view"] = view
    app.switch_page("pages/learn.py")
    return healthy(app.run())


def test_the_teachers_page_has_a_way_into_every_scene(monkeypatch):
    app = at_view("teacher")
    links = " ".join(one.proto.body for one in app.get("html"))
    for story, number in SCENES:
        assert f"learn?story={story}&scene={number}&present=1" in links
    context = type("Context", (), {"url": "http://class.example:8501/learn?view=teacher"})()
    monkeypatch.setattr(st, "context", context)
    assert students_address("show") == f"http://class.example:8501/learn?{link_of('leavers')}"
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "/uni/dpviz"}.get)
    assert students_address("show") == (
        f"http://class.example:8501/uni/dpviz/learn?{link_of('leavers')}"
    )


def test_the_game_is_played_in_five_rounds():
    app = at(*place_of("two_worlds"), guess="b", eps="5")
    for _ in range(5):
        app.get_by_key("game_in").click()
        healthy(app.run())
    said = " ".join(one.value for one in app.markdown)
    assert re.search(r"\d of 5 right\. Nobody can expect more than 994 in 1,000", said)
    app.get_by_key("game_more").click()
    assert app.run().get_by_key("game_in")


def test_another_epsilon_begins_the_game_anew():
    app = at(*place_of("two_worlds"), guess="b", eps="5")
    app.get_by_key("game_in").click()
    healthy(app.run())
    assert app.session_state["_game"]["guesses"] == [True]
    app.session_state["_visit"]["scenes"]["two_worlds"]["eps"] = 0.1
    healthy(app.run())
    assert app.session_state["_game"]["guesses"] == []


def test_a_button_that_is_pressed_twice_adds_no_sixth_guess(monkeypatch):
    monkeypatch.setattr(st, "session_state", {"_game": {"draw": 1, "guesses": [], "eps": 1.0}})
    for _ in range(7):
        extras._guess(True)
    assert len(st.session_state["_game"]["guesses"]) == 5


@pytest.mark.parametrize("value", ["1234567", "0.01", "1e12"])
def test_what_is_typed_is_taken_whole(visit, value):
    where.open_scene(*place_of("declared_bounds"))
    go(visit, "c")
    where.turn(visit(), value)
    assert visit().stop == float(value)
    assert float(where.link(visit())["at"]) == float(value)


@pytest.mark.parametrize("value", ["", "x", "0", "-1", "1e13", "nan", "inf"])
def test_what_cannot_be_a_bound_changes_nothing(visit, value):
    where.open_scene(*place_of("declared_bounds"))
    go(visit, "c")
    where.turn(visit(), value)
    assert visit().stop == 500_000


@pytest.mark.parametrize("name", ["declared_bounds", "one_release"])
def test_an_own_file_is_declared_and_released_by_hand(name):
    app = uploaded("pay.csv", b"pay\n" + b"".join(b"%d\n" % one for one in range(500)), truth=False)
    app.session_state["_visit"] |= dict(zip(("story", "scene"), place_of(name), strict=True))
    app.session_state["_visit"]["scenes"] = {name: {"guess": "a"}}
    app.session_state["_visit"]["learn_seen"] = True
    healthy(app.switch_page("pages/learn.py").run())
    assert any("Your own file is here" in one.value for one in app.markdown)
    app.get_by_key("own_quantiles").click()
    healthy(app.run())
    assert app.session_state["_visit"]["column"] == "upload"
    assert app.title[0].value == "The column needs its bounds."


def test_the_test_opens_by_link_with_a_room_and_without():
    app = at_view("test")
    assert app.title[0].value.startswith("15 questions.")
    assert len(app.radio) == len(app.checkbox) == len(ITEMS)
    app.radio[3].set_value(ITEMS[3].right.key)
    healthy(app.run())
    assert set(app.query_params) == {"view"}
    code, _ = ROOMS.open()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update({"view": "test", "room": code.lower(), "half": "after"})
    app.switch_page("pages/learn.py")
    healthy(app.run())
    assert f"Room {code}, after the course." in app.markdown[0].value
    assert (said_in_link(app, "room"), said_in_link(app, "half")) == (code, "after")
