"""The table of lectures: a secret leads, a code follows, and who leaves ends it after a while."""

import dataclasses
import threading

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.core.places import NUMBER
from dpviz.ui.lectures import codes, table
from dpviz.ui.lectures.table import LEFT_SECONDS, Lectures, Step, TooManyLectures

FIRST = Step("teach", 1, "predict", 0.0)
NEXT = Step("teach", 1, "reveal", 0.0)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def lectures(clock, monkeypatch):
    monkeypatch.setattr(Lectures, "_watch", lambda self: None)  # tests look by themselves
    return Lectures(clock)


def here():
    return True


def gone():
    return False


def test_a_step_needs_the_secret(lectures):
    code, secret = lectures.begin(FIRST, "one", here)
    lecture = lectures.find(code)
    for wrong in ("", "x", secret[:-1], secret + "x", code):
        assert not lectures.publish(code, wrong, NEXT)
        assert not lectures.end(code, wrong)
        assert not lectures.lead(code, wrong, "two", here)
    assert (lecture.step, lecture.number) == (FIRST, 1)
    assert lectures.publish(code, secret, NEXT)
    assert (lecture.step, lecture.number) == (NEXT, 2)


def test_a_secret_leads_one_lecture_only(lectures):
    (one, secret), (other, _) = (lectures.begin(FIRST, name, here) for name in "ab")
    assert lectures.publish(one, secret, NEXT)
    assert not lectures.publish(other, secret, NEXT)
    assert lectures.find(other).step == FIRST


def test_the_same_step_again_wakes_nobody(lectures):
    code, secret = lectures.begin(FIRST, "one", here)
    woken = []
    stop = lectures.find(code).listen(lambda: woken.append(1))
    lectures.publish(code, secret, FIRST)
    assert woken == []
    lectures.publish(code, secret, NEXT)
    assert woken == [1]
    stop()
    lectures.publish(code, secret, FIRST)
    assert woken == [1]


def test_a_listener_whose_loop_has_ended_stops_nobody_else(lectures):
    code, secret = lectures.begin(FIRST, "one", here)
    woken = []

    def closed():
        raise RuntimeError("Event loop is closed")

    for wake in (closed, lambda: woken.append(1)):
        lectures.find(code).listen(wake)
    assert lectures.publish(code, secret, NEXT)
    assert woken == [1]


def test_neither_secret_nor_data_is_kept(lectures):
    code, secret = lectures.begin(FIRST, "one", here)
    lecture = lectures.find(code)
    assert [field.name for field in dataclasses.fields(Step)] == ["story", "scene", "beat", "stop"]
    assert secret not in repr(lecture)
    assert secret.encode() not in lecture.digest
    assert secret not in code


def test_a_lecture_ends_a_while_after_all_its_presenters_left(lectures, clock):
    there = {"laptop": True, "tablet": True}
    code, secret = lectures.begin(FIRST, "laptop", lambda: there["laptop"])
    assert lectures.lead(code, secret, "tablet", lambda: there["tablet"])
    lecture, woken = lectures.find(code), []
    lecture.listen(lambda: woken.append(1))

    def after(seconds):
        clock.now += seconds
        lectures.look()
        return lectures.find(code)

    there["laptop"] = False
    assert after(10 * LEFT_SECONDS) is lecture
    there["tablet"] = False
    assert after(LEFT_SECONDS - 1) is lecture
    there["tablet"] = True
    assert after(2) is lecture  # who connects again in time goes on
    there["tablet"] = False
    assert after(LEFT_SECONDS) is lecture
    assert woken == []
    assert after(1) is None
    assert lecture.over
    assert woken == [1]
    assert not lectures.publish(code, secret, NEXT)


def test_the_table_is_bounded_and_says_so(lectures, clock, monkeypatch):
    monkeypatch.setattr(table, "MOST", 3)
    held = [lectures.begin(FIRST, str(i), gone) for i in range(3)]
    assert len({code for code, _ in held}) == 3
    with pytest.raises(TooManyLectures, match="3 lectures are under way"):
        lectures.begin(FIRST, "late", here)
    clock.now += LEFT_SECONDS + 1
    assert lectures.begin(FIRST, "late", here)
    assert all(lectures.find(code) is None for code, _ in held)


def test_presenters_and_followers_are_bounded(lectures, monkeypatch):
    monkeypatch.setattr(table, "MOST_LEADERS", 2)
    monkeypatch.setattr(table, "MOST_FOLLOWERS", 2)
    code, secret = lectures.begin(FIRST, "a", here)
    assert lectures.lead(code, secret, "b", gone)
    assert lectures.lead(code, secret, "c", here)  # b has left
    assert not lectures.lead(code, secret, "d", here)
    lecture = lectures.find(code)
    for name in "abc":
        lecture.follow(name, here)
    assert lecture.followers == 2
    lecture.leave("a")
    lecture.follow("c", gone)
    assert lecture.followers == 1


def test_lectures_end_by_themselves(monkeypatch):
    monkeypatch.setattr(table, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(table, "LEFT_SECONDS", 0.05)
    lectures, over = Lectures(), threading.Event()
    code, _ = lectures.begin(FIRST, "one", gone)
    lectures.find(code).listen(over.set)
    assert over.wait(5)
    assert lectures.find(code) is None
    again, _ = lectures.begin(FIRST, "one", gone)  # the watch begins anew
    lectures.find(again).listen(over.set)
    over.clear()
    assert over.wait(5)


def test_steps_from_many_threads_are_all_counted(lectures):
    code, secret = lectures.begin(FIRST, "one", here)
    steps = [Step("teach", 1, "reveal", float(i)) for i in range(400)]

    def walk(part):
        for step in part:
            assert lectures.publish(code, secret, step)

    threads = [threading.Thread(target=walk, args=(steps[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lectures.find(code).number == 401


@pytest.mark.parametrize(("number", "letter"), [("0", "A"), ("8", "J"), ("23", "Z")])
def test_a_code_names_its_process(monkeypatch, number, letter):
    monkeypatch.setenv(NUMBER, number)
    for _ in range(50):
        code = codes.new_code()
        assert code[0] == letter
        assert len(code) == 6
        assert not set(code) & set("IO01")
        assert codes.read(f" {code.lower()} ") == code


@pytest.mark.parametrize("number", ["24", "-1", "", "one", "²", "1.0"])
def test_a_process_without_a_letter_is_refused(monkeypatch, number):
    monkeypatch.setenv(NUMBER, number)
    with pytest.raises(InvalidParameter, match="from 0 to 23"):
        codes.own_letter()


@pytest.mark.parametrize("text", ["", "ABCDE", "ABCDEFG", "ABCDE0", "ABCDEI", "<b>ab>", "ÄBCDEF"])
def test_what_can_be_no_code_is_none(text):
    assert codes.read(text) is None


def test_a_class_is_asked_again_by_its_presenter_alone(lectures, clock):
    code, secret = lectures.begin(FIRST, "one", here)
    lecture, woken = lectures.find(code), []
    lecture.listen(lambda: woken.append(1))
    assert not lectures.ask_again(code, "x", "averages", 90)
    assert lecture.round("averages") == 1
    for _ in range(6):
        assert lecture.vote("averages", None, 2)
    assert (lecture.people("averages"), lecture.voted("averages", 1)[2]) == (6, 6)
    assert lectures.ask_again(code, secret, "averages", 90)
    assert (lecture.number, woken, lecture.round("averages")) == (2, [1], 2)
    assert (lecture.round("tank"), lecture.people("averages")) == (1, 0)
    clock.now = 30.2
    assert lectures.left(lecture, "averages") == 60
    clock.now = 95
    assert lectures.left(lecture, "averages") == lectures.left(lecture, "tank") == 0


def test_votes_are_deleted_with_the_lecture_and_no_picture_of_it_shows_them(lectures):
    code, secret = lectures.begin(FIRST, "one", here)
    lecture = lectures.find(code)
    for _ in range(6):
        lecture.vote("averages", None, 2)
    assert "votes" not in repr(lecture)
    lectures.end(code, secret)
    assert lecture.voted("averages", 1) is None
    assert lecture.votes._bins == {}
