"""Start without a browser: its words follow the link, and the visit goes on from it."""

import pytest

from dpviz.lessons.start import numbers, words
from tests.pages.driver import healthy, opened


def texts(app):
    return [one.value for one in (*app.title, *app.markdown)]


@pytest.mark.parametrize("epsilon", [0.1, 2.0, 5.0])
def test_the_words_follow_the_link(epsilon):
    app = opened(eps=f"{epsilon:g}")
    assert app.title[0].value == words.heading(epsilon)
    assert texts(app)[1:3] == [words.LEDE, words.sentence(epsilon, ida=True)]


def test_an_epsilon_from_elsewhere_becomes_a_stop_and_stays_one():
    app = opened(eps="3")
    assert app.session_state["_visit"]["start_stops"] == {3.0}
    assert words.sentence(3.0, ida=True) in texts(app)
    app.session_state["_visit"]["eps"] = 1.0
    healthy(app.run())
    assert words.sentence(1.0, ida=True) in texts(app)
    assert 3.0 in app.session_state["_visit"]["start_stops"]


def test_the_pages_own_epsilon_is_not_the_visits():
    app = opened()
    assert app.title[0].value == words.heading(1.0)
    assert "eps" not in app.session_state["_visit"]
    assert "eps" not in app.query_params


def test_with_the_truth_off_the_page_holds_the_answer_alone():
    app = opened(truth="false", eps="0.1", seed="3")
    answer = numbers.people().over + int(numbers.noise(0.1, 3, 0)[0])
    assert answer != 865
    assert words.outside(0.1, answer) in texts(app)
    assert "865" not in " ".join(texts(app))


def test_presenting_keeps_the_finding_and_leaves_the_doors_out():
    doors = [opened(present=one).get("bidi_component") for one in ("0", "1")]
    assert len(doors[0]) == len(doors[1]) + 2  # the doors, and the sheet of a number of one's own
