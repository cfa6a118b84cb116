"""A lecture on the page: who leads takes along who follows, and nobody else does."""

import re

import pytest

from dpviz.lessons.stories.listing import BY_KEY
from dpviz.lessons.stories.listing import scene as named_scene
from dpviz.ui.learn import follow, picture
from dpviz.ui.learn.steps import heard
from dpviz.ui.lectures import table
from dpviz.ui.lectures.table import LECTURES, Step
from tests.conftest import ROOT
from tests.pages.driver import AppTest, has, healthy, text, uploaded
from tests.scenes import place_of

START = Step("teach", 1, "predict", BY_KEY["teach"].scenes[0].control.start)
THIRD = Step(*place_of("same_noise"), "reveal", 0.1)


def learn(**link):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page("pages/learn.py")
    return healthy(app.run())


def heading(app):
    return app.title[0].value.replace("±\N{NO-BREAK SPACE}", "± ")


def link(app):
    found = {key: app.query_params[key] for key in app.query_params}
    return {key: one if isinstance(one, str) else one[0] for key, one in found.items()}


def infos(app):
    return [one.value for one in app.info]


def said(step):
    return picture.drawn(step, picture.Seen("", phone=False, presenting=False, right=False))[0]


@pytest.fixture
def lecture():
    code, secret = LECTURES.begin(START, "presenter", lambda: True)
    yield code, secret
    LECTURES.end(code, secret)


def test_who_follows_sees_each_step_and_keeps_only_the_code_in_the_link(lecture):
    code, secret = lecture
    app = learn(follow=code.lower())
    assert heading(app) == said(START).headline
    assert link(app) == {"follow": code}
    assert f"Following **{code}**" in text(app)
    assert f"Teach, 1 of {len(BY_KEY['teach'].scenes)}." in text(app)
    LECTURES.publish(code, secret, THIRD)
    healthy(app.run())
    scene = named_scene("same_noise")
    assert heading(app) == scene.say(scene.numbers(0.1, 1)).headline
    assert link(app) == {"follow": code}
    assert LECTURES.find(code).followers == 1


def test_every_beat_of_every_scene_can_be_followed(lecture):
    code, secret = lecture
    app = learn(follow=code)
    for story in BY_KEY.values():
        for scene in story.scenes:
            for beat in ("predict", "reveal", "second"):
                if beat == "second" and scene.second is None:
                    continue
                control = scene.control
                stop = control.start if beat == "predict" else control.revealed
                step = Step(story.key, scene.number, beat, stop)
                LECTURES.publish(code, secret, step)
                healthy(app.run())
                assert heading(app) == said(step).headline


def test_who_follows_steps_off_where_the_lecture_was_and_back(lecture):
    code, secret = lecture
    app = learn(follow=code)
    LECTURES.publish(code, secret, THIRD)
    healthy(app.run())
    seen = heading(app)
    app.get_by_key("follow_off").click()
    healthy(app.run())
    assert heading(app) == seen
    now = link(app)
    assert {key: now[key] for key in ("story", "scene", "guess", "eps")} == {
        "story": "teach", "scene": str(THIRD.scene), "guess": "skip", "eps": "0.1"
    }  # fmt: skip
    assert "follow" not in now
    assert LECTURES.find(code).followers == 0
    LECTURES.publish(code, secret, Step(*place_of("suspicion"), "predict", START.stop))
    healthy(app.run())
    assert heading(app) == seen  # the lecture goes on without them
    app.get_by_key("follow_on").click()
    healthy(app.run())
    assert heading(app) != seen
    assert link(app)["follow"] == code
    assert "story" not in link(app)


def test_the_second_beat_and_a_typed_stop_are_kept_when_stepping_off(lecture):
    code, secret = lecture
    scene = next(one for one in BY_KEY["try"].scenes if one.control.kind == "typed")
    LECTURES.publish(code, secret, Step("try", scene.number, "reveal", 1_234_567.0))
    app = learn(follow=code)
    assert "1,234,567" in heading(app)
    app.get_by_key("follow_off").click()
    healthy(app.run())
    assert "1,234,567" in heading(app)
    assert link(app)["at"] == "1234567"


def test_a_lecture_that_is_over_is_said_and_its_place_is_kept(lecture):
    code, secret = lecture
    app = learn(follow=code)
    LECTURES.publish(code, secret, THIRD)
    healthy(app.run())
    seen = heading(app)
    LECTURES.end(code, secret)
    healthy(app.run())
    assert infos(app) == [follow.OVER]
    assert heading(app) == seen
    assert link(app)["scene"] == str(THIRD.scene)
    assert "follow" not in link(app)
    healthy(app.run())
    assert infos(app) == [follow.OVER]  # until they go on
    app.get_by_key(f"to_{THIRD.scene + 1}").click()
    healthy(app.run())
    assert infos(app) == []


def test_who_stepped_off_is_told_that_it_is_over(lecture):
    code, secret = lecture
    app = learn(follow=code)
    app.get_by_key("follow_off").click()
    healthy(app.run())
    LECTURES.end(code, secret)
    healthy(app.run())
    assert infos(app) == [follow.OVER]
    assert "follow_on" not in [one.key for one in app.button]


@pytest.mark.parametrize("code", ["ZZZZZZ", "nonsense", "", "<b>bold", ["AAAAAA", "BBBBBB"]])
def test_an_unknown_code_is_refused_in_words_above_the_stories(code):
    app = learn(follow=code)
    assert infos(app) == [follow.UNKNOWN]
    assert "Three stories" in heading(app)
    assert "follow" not in link(app)
    assert "ZZZZZZ" not in text(app)
    app.get_by_key("start_teach").click()
    healthy(app.run())
    assert infos(app) == []


def test_a_presenters_link_leads_and_leaves_the_address(lecture):
    code, secret = lecture
    follower = learn(follow=code)
    app = learn(story="teach", scene="1", present="1", lead=f"{code}.{secret}")
    assert "lead" not in link(app)
    assert secret not in text(app) + str(link(app))
    assert LECTURES.find(code).step == START
    app.get_by_key("to_3").click()
    healthy(app.run())
    assert LECTURES.find(code).step.scene == 3
    healthy(follower.run())
    assert heading(follower) == heading(app)
    assert has(app, "lead_end")
    assert not has(follower, "lead_end")
    assert not has(learn(story="teach", scene="1"), "lead_end")


@pytest.mark.parametrize("wrong", ["{code}.x", "{code}", "ZZZZZZ.{secret}", ".", "", "{secret}"])
def test_a_wrong_link_leads_nothing_and_is_said(lecture, wrong):
    code, secret = lecture
    app = learn(story="teach", scene="2", lead=wrong.format(code=code, secret=secret))
    assert any("`lead`" in one.value for one in app.caption)
    assert "lead" not in link(app)
    assert LECTURES.find(code).step == START


def test_who_follows_cannot_lead(lecture):
    """The wrong twin: neither following, nor answering, nor going on alone moves the lecture."""
    code, _ = lecture
    app = learn(follow=code)
    app.get_by_key("follow_off").click()
    healthy(app.run())
    app.get_by_key("to_5").click()
    healthy(app.run())
    assert link(app)["scene"] == "5"
    assert LECTURES.find(code).step == START
    assert LECTURES.find(code).number == 1


def test_a_guess_of_who_follows_is_their_own(lecture, monkeypatch):
    code, secret = lecture
    app, other = learn(follow=code), learn(follow=code)
    scene = BY_KEY["teach"].scenes[0]
    monkeypatch.setattr(
        follow.component, "show_sealed", lambda key, one, state, turned: turned("go", "a")
    )
    healthy(app.run())  # the run that the answer asks for
    monkeypatch.undo()
    healthy(app.run())
    assert f"You predicted: **{scene.options[0].text}**" in text(app)
    healthy(other.run())
    assert "You predicted" not in text(other)
    assert LECTURES.find(code).step == START
    LECTURES.publish(code, secret, Step("teach", 1, "reveal", scene.control.revealed))
    healthy(app.run())
    assert scene.verdict("a") in text(app)


def test_the_teachers_page_begins_and_ends_a_lecture():
    app = learn(view="teacher")
    app.get_by_key("lead_begin").click()
    healthy(app.run())
    links = " ".join(one.proto.body for one in app.get("html"))
    code, secret = re.search(r"present=1&lead=(\w{6})\.([\w-]+)\"", links).groups()
    assert LECTURES.find(code).step == START
    assert LECTURES.publish(code, secret, THIRD)
    assert f"**{code}**" in text(app)
    app.get_by_key("lead_end").click()
    healthy(app.run())
    assert LECTURES.find(code) is None
    assert "lead=" not in " ".join(one.proto.body for one in app.get("html"))


def test_too_many_lectures_are_refused_in_words(monkeypatch):
    monkeypatch.setattr(table, "MOST", 0)
    app = learn(view="teacher")
    app.get_by_key("lead_begin").click()
    healthy(app.run())
    assert "0 lectures are under way on this server" in app.warning[0].value
    assert app.get_by_key("lead_begin")


def test_nothing_of_a_presenters_file_reaches_the_class(lecture):
    code, secret = lecture
    app = uploaded("own.csv", b"pay\n1\n2\n31415926\n")
    app.query_params.update({"story": "try", "scene": "4", "guess": "a",
                             "lead": f"{code}.{secret}"})  # fmt: skip
    app.switch_page("pages/learn.py")
    healthy(app.run())
    step = LECTURES.find(code).step
    scene = BY_KEY["try"].scenes[3]
    assert step == Step(*place_of("one_release"), "reveal", scene.control.revealed)
    shown = picture.drawn(step, picture.Seen("", False, False, False))[1]
    assert b"31415926" not in shown.at({})


def test_a_class_costs_one_computation_a_step(monkeypatch):
    picture._at_step.cache_clear()
    asked = []
    spoken = picture.spoken
    monkeypatch.setattr(picture, "spoken", lambda *given: asked.append(1) or spoken(*given))
    code, secret = LECTURES.begin(START, "presenter", lambda: True)
    for app in [learn(follow=code) for _ in range(3)]:
        healthy(app.run())
    assert len(asked) == 1
    LECTURES.end(code, secret)


def test_a_sentence_is_heard_without_its_markup():
    assert heard(r"They tell :orange[61,300] and **true** \$5, not :blue[3].") == (
        "They tell 61,300 and true $5, not 3."
    )
