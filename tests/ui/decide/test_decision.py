"""What the page says of a decision: the ends that cross, the button, offers, and what came."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import dpviz as dp
from dpviz.answers.decide.exact.count import CountQuestion
from dpviz.answers.decide.exact.curve import CurveQuestion
from dpviz.answers.decide.exact.histogram import HistogramQuestion
from dpviz.answers.decide.exact.running import RunningQuestion
from dpviz.answers.decide.needs import NeedNames
from dpviz.answers.decide.offers import Line
from dpviz.answers.decide.price import Need, Price, Way
from dpviz.intake.samples import Noun
from dpviz.ui.decide import answer, button, deciding, offers, quantiles, topics
from dpviz.ui.decide.component.drawing import beside, heading
from tests.rows import by_rows
from tests.ui.recorded import Recorded

NAMES = NeedNames("mark", Noun("point", "points"), Noun("student", "students"))


def priced(size=0.3, off=11.2, need=None, **others):
    return Price((Way("count", size),), need or Need(12.0, "people"), size, off, **others)


@by_rows(
    ("low", "high", "said"),
    [
        (1.0, 2.0, None), (None, 2.0, None), (1.0, None, None),
        (3.0, 2.0, "The lower end lies above the upper one"),
        (2.0, 2.0, "The lower end is the upper one"),
    ],
)  # fmt: skip
def test_ends_that_leave_no_room_are_said_as_they_are(monkeypatch, low, high, said):
    ends = {"low": low, "high": high}
    monkeypatch.setattr(deciding.session, "declared", ends.get)
    assert deciding._crossed() == ({} if said is None else {"low": said, "high": said})


@by_rows(
    ("upload", "released", "said"),
    [
        (True, None, "Release, once, ε = 0.3"),
        (False, None, "Rehearse the release, ε = 0.3"),
        (True, 1, "Show the release, ε = 0.3"),
        (False, 1, "Show the release, ε = 0.3"),
    ],
)
def test_the_button_says_what_it_does(monkeypatch, upload, released, said):
    monkeypatch.setattr(button.session, "is_upload", lambda: upload)
    found = SimpleNamespace(price=priced(), symbol="ε")
    assert button._label(found, SimpleNamespace(released=released)) == said


@by_rows("too_low", [True, False])
@by_rows("is_open", [True, False])
@by_rows("upload", [True, False])
def test_nothing_is_released_that_is_not_known_or_not_left(monkeypatch, too_low, is_open, upload):
    screen = Recorded(monkeypatch)
    monkeypatch.setattr(button.session, "is_upload", lambda: upload)
    monkeypatch.setattr(button.published, "offers", lambda *_: [])
    found = SimpleNamespace(
        price=priced(), symbol="ε", released=None, is_open=is_open,
        final=SimpleNamespace(released=None, key=b"k"), tank=SimpleNamespace(is_too_low=too_low),
    )  # fmt: skip
    button.draw(found, SimpleNamespace(presenting=False))
    asked = screen.one("decide_button")
    assert asked.others["disabled"] == (is_open or (upload and too_low))


@by_rows(
    ("off", "unit", "said"),
    [(0.2, "people", "1 student"), (11.2, "people", "12 students"), (1.0, "places", "1 place"),
     (0.1234, "share", "0.13 % of the students"), (3.0, "unit", "3 points")],
)  # fmt: skip
def test_what_came_is_rounded_up_with_its_unit(monkeypatch, off, unit, said):
    monkeypatch.setattr(topics.words, "names_of_needs", lambda: NAMES)
    topic = topics.Topic(None, {}, None, None, None)
    assert topic.came(priced(off=off, need=Need(12.0, unit)), None) == said


BOUNDS, SHARED = dp.Bounds(0, 100), {"budget": dp.PureDP(1), "people": 6_000}
QUESTIONS = {
    "count": CountQuestion(above=61.5, **SHARED),
    "histogram": HistogramQuestion(bounds=BOUNDS, bins=30, **SHARED),
    "curve": CurveQuestion(bounds=BOUNDS, step=1.0, is_secure=False, **SHARED),
    "running": RunningQuestion(bounds=BOUNDS, periods=12, is_secure=False, **SHARED),
}


@pytest.mark.parametrize("what", QUESTIONS)
@pytest.mark.parametrize("upload", [True, False])
def test_a_form_of_exact_laws_asks_what_the_words_say(visit, monkeypatch, what, upload):
    monkeypatch.setattr(topics.session, "is_upload", lambda: upload)
    monkeypatch.setattr(topics.session, "scope", lambda: "exam")
    visit.store |= {"exam_low": 0.0, "exam_high": 100.0, "exam_resolution": 1.0, "exam_size": 6e3}
    values = {"what": what, "over": 61.5, "bins": 30, "periods": 12}
    topic = topics.TOPICS[what](values, visit.held["_opened"])
    named = "is_secure" in type(QUESTIONS[what]).__dataclass_fields__
    asked = replace(QUESTIONS[what], is_secure=upload) if named else QUESTIONS[what]
    assert topic.form == asked  # the noise of a file has secure bits


def test_people_are_called_by_their_words_and_a_release_spends_the_answer(visit, monkeypatch):
    topic = topics.TOPICS["count"]({"what": "count", "over": 61.5}, visit.held["_opened"])
    names = topic.names(priced(is_given=True))
    assert (names.one, names.many, names.column) == ("student", "students", "exam marks")
    assert (names.unit, names.line) == ("marks", "your ε")
    final = topic.final(priced(0.3))
    assert final.budget == dp.PureDP(0.3)
    assert final.cost.budget == dp.PureDP(0.3)
    made = final.make(np.random.default_rng(3))
    assert made.spent == dp.PureDP(0.3)
    assert topic.form.people == 6_000


@pytest.mark.parametrize("seed", range(8))
def test_a_frame_is_the_block_whose_middle_is_nearest_to_that_of_a_rectangle(seed):
    rng, side, block = np.random.default_rng(seed), 16, 4
    box = SimpleNamespace(x=dp.Bounds(0, 100), y=dp.Bounds(-3, 5))
    form = SimpleNamespace(box=box, side=side, block=block)
    drawn = {name: sorted(rng.uniform(one.low, one.high, 2)) for name, one in vars(box).items()}

    def away(name, cell):
        """From the middle of the block that begins at a cell to that of the rectangle, in cells."""
        ends = vars(box)[name]
        middle = ends.low + (cell + block / 2) * ends.width / side
        return abs(middle - sum(drawn[name]) / 2) / ends.width * side

    found = topics.frame_of(form, drawn)
    for name, cell in zip("xy", found, strict=True):
        assert away(name, cell) == min(away(name, other) for other in range(side - block + 1))


def test_a_table_of_offers_says_each_line_of_its_own(monkeypatch):
    monkeypatch.setattr(offers.st, "session_state", {})
    shown = []
    component = lambda **given: shown.append(given)  # noqa: E731
    monkeypatch.setattr(offers, "component", lambda *_: component)
    lines = [
        Line(f"what {at}", f"name {at}", f"detail {at}", f"how {at}", f"off {at}", at == 2)
        for at in range(3)
    ]
    offers.table(lines)
    ((given),) = shown
    script = Path(offers.__file__).with_name("offers.js").read_text(encoding="utf-8")
    read = set(re.findall(r"\bline\.(\w+)", script))
    assert [{name: line[name] for name in read} for line in given["data"]] == [
        {name: f"{name} {at}" for name in read - {"is_coarse"}} | {"is_coarse": at == 2}
        for at in range(3)
    ]


def test_what_a_line_is_about(monkeypatch):
    words = SimpleNamespace(people=Noun("student", "students"))
    monkeypatch.setattr(offers.session, "words", lambda: words)
    values = {"over": 100_000.0, "bins": 24}
    assert offers._detail("count", values) == "students over 100,000"
    assert offers._detail("histogram", values) == "24 bars, every one of them"
    assert offers._detail("median", values) == ""


def test_what_can_not_be_asked_says_why(monkeypatch):
    def refuses(*_):
        raise dp.DpvizError("No bounds.")

    monkeypatch.setattr(offers.session, "declared", lambda _: 100.0)
    monkeypatch.setattr(offers.words, "kind_of_number", lambda: "mark")
    monkeypatch.setitem(offers.topics.TOPICS, "histogram", refuses)
    found = offers._offered("histogram", {"often": 0.95}, None, 0.3)
    assert (found.name, found.price, found.why) == ("A histogram", None, "No bounds.")


@by_rows("often", [0.8, 0.99])
def test_a_line_is_as_sure_as_the_sentence_says(monkeypatch, often):
    asked = []
    topic = SimpleNamespace(words=lambda _: "a count")
    topic.bought = lambda size, need: asked.append((size, need)) or priced(size)
    monkeypatch.setattr(offers.session, "declared", lambda _: 100.0)
    monkeypatch.setattr(offers.words, "kind_of_number", lambda: "mark")
    monkeypatch.setitem(offers.topics.TOPICS, "histogram", lambda *_: topic)
    found = offers._offered("histogram", {"often": often, "bins": 9}, None, 0.3)
    assert asked == [(0.3, Need(0.0, "people", often))]
    assert (found.price, found.method) == (priced(0.3), "a count")


@by_rows(
    ("need", "places", "per_cent"),
    [
        (Need(1.5, "share"), 7, 1.5), (Need(30.0, "places"), 7, 0.5),
        (Need(5.0, "unit"), 12, 0.2), (Need(5.0, "unit"), 0, None), (Need(5.0, "unit"), None, None),
    ],
)  # fmt: skip
def test_a_need_is_told_in_per_cent_of_the_places(monkeypatch, need, places, per_cent):
    monkeypatch.setattr(quantiles.QuantilesTopic, "_places", lambda *_: places)
    topic = quantiles.QuantilesTopic(None, {}, SimpleNamespace(people=6_000))
    assert topic.percent(priced(need=need)) == per_cent


def test_headings_and_lines_are_escaped_html():
    html = heading("#123", "THE <CARD>", "About :blue[1,204] a<b", "More **than** *that*")
    assert "<h4 style='color:#123'>THE &lt;CARD&gt;</h4>" in html
    assert "<span style='color:#123'>1,204</span>" in html
    assert "a&lt;b" in html
    assert "<p>More <b>than</b>" in html
    assert heading("#123", "T", "", "") == "<div><h4 style='color:#123'>T</h4></div>"
    assert beside("a<b", ["1 < 2", "x"]) == (
        "<div class='beside'><b>a&lt;b</b><br>1 &lt; 2<br>x</div>"
    )


@pytest.mark.parametrize("released", [True, False])
@pytest.mark.parametrize("upload", [True, False])
def test_what_is_published_is_said_to_be_spent(monkeypatch, released, upload):
    monkeypatch.setattr(deciding.words, "names_of_needs", lambda: NAMES)
    monkeypatch.setattr(deciding.session, "is_upload", lambda: upload)
    topic = SimpleNamespace(words=lambda _: "noisy count", basis=lambda *_, **__: "the noise alone")
    now = SimpleNamespace(budget=dp.PureDP(1))
    found = deciding.Decision(now, {"what": "count", "given": "need"}, topic=topic, price=priced())
    found.final = None
    found.released = 1 if released else None
    said = found.words()
    if released:
        end = "is spent." if upload else "would be spent."
        assert (said["answer"], said["live"]) == (f"ε = 0.3 {end}", False)
        by = "with random bits" if upload else "from a seed that anybody can repeat"
        assert by in found.method()
    else:
        assert said["spoken"] == "ε = 0.3"
        assert found.method() == "By a **noisy count**. the noise alone"


AT_ALL = ("off by at most 12 students, for ε = 10", {"given": "budget", "eps": 10.0})
OF_LEFT = ("off by at most 12 students, for ε = 0.2", {"given": "budget", "eps": 0.2})
QUARTILES = ("three quartiles, for ε = 0.15", {"what": "quartiles"})
MEDIAN = ("the median, for ε = 0.05", {"what": "median"})


@by_rows(
    ("what", "size", "left", "off", "said"),
    [
        ("percentiles", None, None, 11.2, [AT_ALL, QUARTILES]),
        ("percentiles", None, 0.2, 11.2, [AT_ALL, OF_LEFT, QUARTILES]),
        ("percentiles", 0.3, 0.2, 11.2, [OF_LEFT, QUARTILES]),
        ("percentiles", 0.3, 0.1, float("inf"), [MEDIAN]),
        ("percentiles", 0.3, 0.01, float("inf"), []),
        ("percentiles", 0.3, 0.0, 11.2, []),
        ("percentiles", 0.3, 0.3, 11.2, []),
        ("percentiles", 0.3, None, 11.2, []),
        ("median", None, None, 11.2, [AT_ALL]),
    ],
)
@by_rows("is_about", [False, True])
def test_what_comes_nearest_is_offered(monkeypatch, what, size, left, off, said, is_about):
    """It fits what is left, and fewer quantiles are offered only where they keep the need."""
    sizes = {"deciles": None, "quartiles": 0.15, "median": 0.05}
    monkeypatch.setattr(deciding.words, "names_of_needs", lambda: NAMES)
    monkeypatch.setattr(deciding.words, "budget_key", lambda: "eps")
    monkeypatch.setattr(
        deciding.quantiles, "topic",
        lambda values, _: SimpleNamespace(
            price=lambda need: priced(sizes[values["what"]], is_about=is_about)
        ),
    )  # fmt: skip
    topic = SimpleNamespace(
        bought=lambda size, need: priced(size, off=off, need=need, is_about=is_about)
    )
    now = SimpleNamespace(budget=dp.PureDP(1))
    found = deciding.Decision(now, {"what": what}, topic=topic, price=priced(size))
    if is_about:
        said = [(text.replace("most 12", "most about 12").replace("quartiles, for ", "quartiles, "
                 "for about ").replace("median, for ", "median, for about "), entry)
                for text, entry in said]  # fmt: skip
    assert list(found.nearest(left).items()) == said


def test_a_typed_budget_beyond_what_is_left_is_offered_what_is_left(monkeypatch):
    monkeypatch.setattr(deciding.words, "names_of_needs", lambda: NAMES)
    monkeypatch.setattr(deciding.words, "budget_key", lambda: "eps")
    topic = SimpleNamespace(bought=lambda size, need: priced(size))
    now = SimpleNamespace(budget=dp.PureDP(1))
    given = priced(0.3, is_given=True)
    found = deciding.Decision(now, {"what": "deciles"}, topic=topic, price=given)
    assert list(found.nearest(0.2).items()) == [OF_LEFT]


def test_nothing_is_offered_before_it_is_known_that_no_budget_does():
    now = SimpleNamespace(budget=dp.PureDP(1))
    found = deciding.Decision(now, {"what": "deciles"}, topic=1, price=priced(None, is_about=True))
    assert found.nearest(0.2) == deciding.Decision(now, {"what": "deciles"}).nearest() == {}


@by_rows(
    ("people", "places", "unit", "said"),
    [
        (6_000, 12, "unit", " In the ranking: at most 12 of 6,000 places."),
        (1, 1, "unit", " In the ranking: at most 1 of 1 place."),
        (6_000, None, "unit", ""),
        (6_000, 12, "places", ""),
    ],
)
@by_rows("is_sample", [True, False])
def test_a_need_is_told_in_places_of_the_ranking(
    monkeypatch, people, places, unit, said, is_sample
):
    monkeypatch.setattr(quantiles.words, "column_name", lambda: "pay")
    monkeypatch.setattr(quantiles.QuantilesTopic, "is_sample", is_sample)
    monkeypatch.setattr(quantiles.QuantilesTopic, "_places", lambda *_: places)
    topic = quantiles.QuantilesTopic(None, {}, SimpleNamespace(people=people))
    start = "Computed on the sample: it is public."
    if not is_sample:
        start = "Reckoned on made-up pay, never on your file."
    assert topic.basis(priced(need=Need(5.0, unit))) == start + said


@by_rows(
    ("budget", "released", "takes", "left"),
    [
        (dp.PureDP(1.0), None, 0.3, 0.4), (dp.ApproxDP(1.0, 1e-6), None, 0.3, 0.4),
        (dp.ZCDP(1.0), None, 0.3, 0.8), (dp.ZCDP(1.0), 7, None, 0.8),
        (dp.PureDP(1.0), 7, None, 0.4),
    ],
)  # fmt: skip
@by_rows("upload", [True, False])
def test_the_tank_is_that_of_the_notion(monkeypatch, upload, budget, released, takes, left):
    total = SimpleNamespace(epsilon=0.6, rho=0.2)
    monkeypatch.setattr(deciding.session, "is_upload", lambda: upload)
    monkeypatch.setattr(deciding.tanks, "payer", lambda: "people")
    monkeypatch.setattr(deciding.tanks, "promise", lambda: 1.0)
    monkeypatch.setattr(deciding.tanks, "balance", lambda _: SimpleNamespace(total=total))
    found = deciding.Decision(SimpleNamespace(budget=budget), {}, price=priced(0.3))
    found.final = SimpleNamespace(released=released)
    tank = found.tank
    assert (tank.promised, tank.takes, tank.left) == (1.0, takes, left)
    assert tank.spent == pytest.approx(1 - left)
    assert tank.is_rehearsal != upload


@by_rows("upload", [True, False])
@by_rows("was_released", [True, False])
def test_nothing_else_is_proposed_for_what_was_released(monkeypatch, upload, was_released):
    monkeypatch.setattr(answer.session, "is_upload", lambda: upload)
    found = SimpleNamespace(
        final=SimpleNamespace(released=7 if was_released else None), released=None,
        tank=SimpleNamespace(left=0.25), nearest=lambda left: {f"for {left}": {}},
    )  # fmt: skip
    expected = {f"for {0.25 if upload else None}": {}}
    assert answer._nearest(found) == ({} if was_released else expected)
    found.final = None  # no budget keeps it
    assert answer._nearest(found) == expected


@by_rows("upload", [True, False])
@by_rows("too_low", [True, False])
@by_rows("truth", [True, False])
def test_under_the_sentence_stands_what_speaks_against_it(monkeypatch, upload, too_low, truth):
    monkeypatch.setattr(answer.session, "is_upload", lambda: upload)
    monkeypatch.setattr(answer.session, "shows_truth", lambda: truth)
    left = SimpleNamespace(is_too_low=too_low, left=0.25)
    found = SimpleNamespace(
        method=lambda brief: "By a **noisy count**.", released=None, budget=dp.PureDP(0.3),
        symbol="ε", tank=left,
    )  # fmt: skip
    now = SimpleNamespace(look=SimpleNamespace(phone=False), truth=truth)
    said = answer._under(found, now)
    assert said.startswith("By a **noisy count**.")
    assert ("0.3 is more than the 0.25 left of the promise." in said) == (upload and too_low)
    assert "is off screen" not in said


@pytest.mark.parametrize("alone", [True, False])
def test_a_file_of_names_alone_lacks_a_column_before_anything_else(monkeypatch, alone):
    monkeypatch.setattr(deciding.session, "has_names_alone", lambda: alone)
    monkeypatch.setattr(deciding.session, "declared", lambda _: None)
    wanted = ("column",) if alone else ("bounds", "people")
    assert deciding._missing({"what": "deciles"}) == wanted
