"""The sentence between Python and the browser: what is sent, what is heard, and how it reads."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from dpviz.figures.decide.sentence import (
    STOPS,
    Amount,
    Answer,
    Choice,
    Lead,
    Sentence,
    bold_parts,
    payload,
    script,
)
from dpviz.ui.decide.component import sentence as module
from dpviz.ui.decide.component.sentence import heard

WHAT = Choice("what", "What is published", [("deciles", "nine deciles"), ("count", "how many")])
LOW = Amount("low", "No value lies below", -10, 10, "Type a number.")
OFF = Amount("off", "Off by at most", 0.5, 99, "Type another.", stops=(1.0, 2.0), empties=True)
UNIT = Choice("unit", "Of what", [("unit", "marks", "Yours"), ("share", "%")], joined=True)
EPS = Amount("eps", "The budget", 0.1, 9, "No.", joined=True)
SAID = Sentence(
    ["Publish ", WHAT, ", over ", LOW, ", off by ", OFF, UNIT, ": ", Lead(), Answer(), EPS, "."],
    {"what": "count", "low": "-1234.5", "off": "", "unit": "share", "eps": "1"},
    answer="about ε =",
    computed={"eps": "0.39"},
    wrong={"low": "Too low."},
    spoken="about ε = 0.39",
    lead="that takes ",
    under="By **all at once**\\. Fine",
)
SCRIPT = script()


# as it reads


def test_a_sentence_reads_as_its_words_stand():
    assert SAID.text().replace("\N{NO-BREAK SPACE}", "_") == (
        "Publish how many, over −1,234.5, off by –_%: that takes about ε =_0.39."
    )


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"computed": {}}, "about ε =_1."),
        ({"computed": {"eps": ""}}, "about ε =_–."),
        ({"answer": "ε ="}, "that takes ε =_0.39."),
        ({"lead": ""}, ": about ε ="),
        (
            {"values": {"what": "deciles", "low": "2", "off": "0.25", "unit": "unit"}},
            "nine deciles,",
        ),
        ({"values": {"low": "250000"}}, "over 250,000,"),
        ({"values": {"what": "gone"}}, "Publish gone,"),
        ({"values": {}}, "over –,"),
    ],
)
def test_every_word_is_read_where_it_stands(changed, text):
    assert text in replace(SAID, **changed).text().replace("\N{NO-BREAK SPACE}", "_")


# what is sent


def test_all_that_is_sent():
    told = {"what": "count", "low": "3"}
    sent = payload(SAID, told, 7, present=True)
    assert set(json.loads(json.dumps(sent))) == set(sent)
    assert sent["values"] == told  # those of the last turn, not those of this run
    assert sent["values"] is not told
    assert sent["turn"] == 7
    assert sent["answer"] == "about ε ="
    assert sent["spoken"] == "about ε = 0.39"
    assert sent["lead"] == "that takes "
    assert sent["computed"] == {"eps": "0.39"}
    assert sent["wrong"] == {"low": "Too low."}
    assert (sent["live"], sent["small"], sent["present"]) == (True, False, True)
    assert sent["under"] == [["By ", False], ["all at once", True], [". Fine", False]]
    still = payload(replace(SAID, live=False, small=True), told, 8)
    assert (still["live"], still["small"], still["present"]) == (False, True, False)


def test_every_part_is_sent_in_its_order():
    parts = json.loads(json.dumps(payload(SAID, {}, 1)))["parts"]
    assert [one if isinstance(one, str) else one.get("name", "-") for one in parts] == [
        "Publish ", "what", ", over ", "low", ", off by ", "off", "unit", ": ", "-", "-", "eps", "."
    ]  # fmt: skip
    what, low, off, unit, lead, answer, eps = (one for one in parts if isinstance(one, dict))
    assert what == {
        "name": "what", "says": "What is published", "joined": False,
        "options": [["deciles", "nine deciles"], ["count", "how many"]],
    }  # fmt: skip
    assert unit["options"] == [["unit", "marks", "Yours"], ["share", "%"]]
    assert unit["joined"]
    assert low == {
        "name": "low", "says": "No value lies below", "joined": False, "least": -10, "most": 10,
        "refuses": "Type a number.", "stops": list(STOPS), "empties": False,
    }  # fmt: skip
    assert (off["least"], off["most"], off["refuses"]) == (0.5, 99, "Type another.")
    assert (off["stops"], off["empties"], off["joined"]) == ([1.0, 2.0], True, False)
    assert lead == {"lead": True, "joined": False}
    assert answer == {"answer": True, "joined": False}
    assert eps["joined"]


def test_the_browser_reads_nothing_that_is_not_sent():
    sent = payload(SAID, {}, 1)
    asked = set(re.findall(r"\bdata\.(\w+)", SCRIPT))
    assert asked == set(sent) | ({"turn"} & asked)
    of_parts = set(re.findall(r"\bpart\.(\w+)", SCRIPT)) - {"match", "slice", "textContent"}
    known = {key for one in sent["parts"] if isinstance(one, dict) for key in one}
    assert of_parts == known


def test_texts_are_put_in_as_text():
    for means in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert means not in SCRIPT


def test_the_arrows_step_through_1_2_5():
    heads = [f"{one:.0e}".split("e")[0] for one in STOPS]
    assert heads == ["1", "2", "5"] * (len(STOPS) // 3)
    assert list(STOPS) == sorted(STOPS)
    assert STOPS[0] == 0.001


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("plain", [["plain", False]]),
        ("**bold**", [["bold", True]]),
        ("a **b** c **d**", [["a ", False], ["b", True], [" c ", False], ["d", True]]),
        (r"100 \% \*x\* <b>", [["100 % *x* <b>", False]]),
        (":blue[59] of **:x**", [["59 of ", False], [":x", True]]),
    ],
)
def test_a_line_of_bold_words(text, found):
    assert bold_parts(text) == found


# what is heard

NAMES = ("what", "low")
MESSAGE = {"turn": 3, "touched": "low", "values": {"what": "count", "low": "5"}}


def test_what_the_browser_tells():
    assert heard(MESSAGE, 3, NAMES) == ({"what": "count", "low": "5"}, "low")


@pytest.mark.parametrize(
    "message",
    [
        None, 5, "low", [], ["low"], {}, True, b"low",
        {**MESSAGE, "turn": 2}, {**MESSAGE, "turn": 4}, {**MESSAGE, "turn": None},
        {**MESSAGE, "turn": "3"}, {**MESSAGE, "turn": [3]},
        {**MESSAGE, "touched": "eps"}, {**MESSAGE, "touched": None},
        {**MESSAGE, "touched": ["low"]},
        {**MESSAGE, "touched": {"low": 1}}, {**MESSAGE, "touched": ""},
        {**MESSAGE, "values": None}, {**MESSAGE, "values": ["5"]}, {**MESSAGE, "values": "low"},
        {"turn": 3, "touched": "low"}, {"turn": 3, "values": {"low": "5"}},
    ],
)  # fmt: skip
def test_anything_else_is_not_heard(message):
    assert heard(message, 3, NAMES) is None


def test_of_the_words_only_those_are_heard_that_stand_there():
    values = {"low": 7, "evil": "x", "__class__": "y", "what": None, 3: "z"}
    assert heard({**MESSAGE, "values": values}, 3, NAMES) == ({"what": "None", "low": "7"}, "low")
    assert heard({**MESSAGE, "values": {}}, 3, NAMES) == ({}, "low")
    long = "9" * 1_000_000
    assert heard({**MESSAGE, "values": {"low": long}}, 3, NAMES) == ({"low": long}, "low")
    nested = {"low": {"a": [1]}}
    found = heard({**MESSAGE, "values": nested}, 3, NAMES)
    assert found is not None
    assert isinstance(found[0]["low"], str)


# turns


class Browser:
    """The sentence as Streamlit draws it, with a browser that tells what was set."""

    def __init__(self, monkeypatch):
        self.session, self.told, self.drawn = {}, [], {}
        monkeypatch.setattr(module.st, "session_state", self.session)
        monkeypatch.setattr(module, "_component", self._draw)

    def _draw(self, kind):
        def component(**given):
            self.drawn = {**given, "kind": kind}
            return SimpleNamespace(way=None)

        return component

    def draw(self, **values):
        said = Sentence(["Publish ", WHAT, LOW], {"what": "count", "low": "1", **values})
        module.sentence("here", said, lambda changed, last: self.told.append((changed, last)))
        return self.drawn["data"]

    def sets(self, touched, turn=None, **values):
        data = self.drawn["data"]
        turn = data["turn"] if turn is None else turn
        values = {**data["values"], **values}
        self.session["here"] = {"words": {"turn": turn, "touched": touched, "values": values}}
        self.drawn["on_words_change"]()


@pytest.fixture
def browser(monkeypatch):
    return Browser(monkeypatch)


def test_only_words_that_changed_are_told(browser):
    browser.draw()
    browser.sets("low", low="5")
    assert browser.told == [({"low": "5"}, "low")]
    browser.sets("what", low="5", what="deciles")  # two quick changes: the first is not told again
    assert browser.told[1:] == [({"what": "deciles"}, "what")]
    browser.sets("low", low="5", what="deciles")  # the same again: touched all the same
    assert browser.told[2:] == [({"low": "5"}, "low")]
    browser.sets("low", low="6", what="count")  # two words of one message arrive together
    assert browser.told[3:] == [({"low": "6", "what": "count"}, "low")]


def test_while_a_person_sets_words_the_browser_is_not_set_back(browser):
    first = browser.draw()
    browser.sets("low", low="5")
    again = browser.draw(low="5")
    assert again["turn"] == first["turn"] == 1
    assert again["values"] == {"what": "count", "low": "1"}  # of the last turn


def test_a_word_that_was_changed_elsewhere_is_a_new_turn(browser):
    browser.draw()
    found = browser.draw(low="7")
    assert (found["turn"], found["values"]["low"]) == (2, "7")
    assert browser.draw(low="7")["turn"] == 2
    browser.sets("low", turn=1, low="9")  # told before the new turn arrived
    assert browser.told == []


@pytest.mark.parametrize(
    ("told", "then"),
    [
        ({"low": "999"}, {"what": "count", "low": "1"}),  # it was refused, and holds as before
        ({"what": "deciles"}, {"what": "deciles", "low": "2"}),  # an amount is set anew by its unit
    ],
)
def test_what_follows_from_a_word_reaches_the_browser_as_a_turn_of_its_own(browser, told, then):
    browser.draw()
    browser.sets(next(iter(told)), **told)
    found = browser.draw(**then)
    assert (found["turn"], found["values"]) == (2, then)


def test_nothing_is_told_of_a_message_that_is_none(browser):
    browser.draw()
    for message in (None, {}, {"words": None}, {"words": {"turn": 1}}, {"words": "low"}):
        browser.session["here"] = message
        browser.drawn["on_words_change"]()
    del browser.session["here"]
    browser.drawn["on_words_change"]()
    assert browser.told == []
