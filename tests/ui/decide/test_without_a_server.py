"""The static edition's Decide beside the app's own: the same words for the same sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from itertools import product
from typing import Any

import numpy as np
import pytest
import quickjs

from dpviz.answers.decide.needs import PEOPLE
from dpviz.answers.decide.price import Need
from dpviz.answers.decide.sentences import BUDGET, CELLS, COUNT, NEED
from dpviz.figures.decide.sentence import bold_parts
from dpviz.figures.kit.look import Look
from dpviz.figures.stage.engine import enclosed, module
from dpviz.intake.samples import sample
from dpviz.site import decide, decide_page
from dpviz.ui.decide import deciding, words
from dpviz.ui.model import fields
from dpviz.ui.pages.decide import ROWS
from dpviz.ui.visit import data
from dpviz.ui.visit import page as visits
from dpviz.version import __version__

CLASS = ' class="here"'
BESIDE = 90  # states that are looked at in the app, too
READ = """
const read = (data) => data.parts.map((part) => {
  if (typeof part === "string") return part;
  const space = part.joined ? "\\u00a0" : "";
  if (part.answer || part.lead) return space + (part.answer ? data.answer : data.lead);
  const value = data.computed[part.name] ?? data.values[part.name];
  if (part.options) return space + Object.fromEntries(part.options)[value];
  return space + (value === "" ? "–" : value);
}).join("");
"""


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    return decide_page.page().data


@pytest.fixture(scope="module")
def browser(page) -> quickjs.Context:
    """The page's own script over its data, without a window."""
    context = quickjs.Context()
    context.eval("const $address = {}, $sentence = {}; const location = {};")
    context.eval(enclosed("decide", module("dpviz.site", "decide")) + READ)
    context.eval(f"const page = $decide.unpacked({json.dumps(page)});")
    context.eval(
        "var told = (wish) => { const state = $decide.settled(page, JSON.parse(wish));"
        " const data = $decide.said(page, state, {}, 1);"
        " return [JSON.stringify({ ...data, state, text: read(data)"
        ", bought: $decide.bought(page, state, Number(data.size)), key: $decide.keyOf(page, state)"
        " }), ''].join(''); };"
        "var taken = (wish, values, touched) => [JSON.stringify($decide.taken(page,"
        " $decide.settled(page, JSON.parse(wish)), JSON.parse(values), touched)), ''].join('');"
        "var drawn = (name, key) => [$decide.drawing(page, page.places[page.drawn[name][key]]), '']"
        ".join('');"
    )
    return context


def told(browser: quickjs.Context, wish: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(browser.get("told")(json.dumps(wish)))
    return found


State = tuple[decide.Asked, Any, str, float, str, float, Any]


@pytest.fixture(scope="module")
def every() -> list[State]:
    """Every state of the page, and its price."""
    return list(states())


def states() -> Iterator[State]:
    answers = decide.Answers()
    for asked in decide.sentences():
        form = answers.form(asked)
        for unit in asked.units:
            for sure in decide.SURES:
                for given in (NEED, BUDGET):
                    for stop, found in decide.prices(asked, form, unit, sure, given):
                        yield asked, form, unit, sure, given, stop, found


def wished(asked: decide.Asked, unit: str, sure: float, given: str, stop: float) -> dict[str, str]:
    """The address of a state."""
    word = decide.MORE.get(asked.form, ("",))[0]
    said = {"what": asked.what, "data": asked.sample.key, "unit": unit, "often": f"{sure:g}"}
    said |= {"given": given, "off" if given == NEED else "eps": f"{stop:.10g}"}
    return said | ({word: f"{asked.more}"} if word else {})


@pytest.mark.law
@pytest.mark.parametrize("apart", [17, pytest.param(1, marks=pytest.mark.thorough)])
def test_states_of_the_page_say_what_python_says(browser, every, apart):
    many = 0
    for asked, form, unit, sure, given, stop, found in every[::apart]:
        wish = wished(asked, unit, sure, given, stop)
        seen = told(browser, wish)
        assert {key: seen["state"][key] for key in wish} == wish
        said = decide.told(asked, found)
        if given == BUDGET:
            off = float(said["computed"]["off"])
            noun = decide.unit_word(unit, asked.names, off)
            said["spoken"] = said["spoken"].replace(decide.NOUN, noun)
        assert {key: seen[key] for key in said} == said, wish
        assert seen["under"] == bold_parts(decide.under(asked, form, found)), wish
        many += 1
    assert many > 4_000 / apart


@pytest.mark.law
def test_the_app_says_the_same_of_a_sentence(browser, every, visit):
    chosen = np.random.default_rng(36).choice(len(every), BESIDE, replace=False)
    kinds = set()
    for at in sorted(chosen.tolist()):
        asked, _, unit, sure, given, stop, _ = every[at]
        if asked.form in decide.STORED and at % 3:
            continue  # the app works these out, which takes its time
        kinds.add(asked.form)
        in_app(
            visit,
            asked,
            unit,
            sure,
            given,
            stop,
            told(browser, wished(*every[at][:1], unit, sure, given, stop)),
        )
    assert len(kinds) == 6


def in_app(visit, asked, unit, sure, given, stop, seen) -> None:
    """What the app says, of the entries of a visit that the words stand for."""
    visit.store.clear()
    kind = "plane" if asked.form == CELLS else "column"
    opened = visits.Visit("decide", kind, 1.0, 0.5, "answer", Look())
    visit.held["_opened"] = opened
    data.choose(asked.sample.key, kind)
    word = decide.MORE.get(asked.form, ("",))[0]
    visit.store |= {"what": asked.what, "given": given, "unit": unit, "often": sure}
    visit.store |= {"off" if given == NEED else "eps": stop} | ({word: asked.more} if word else {})
    visit.store |= {"over": float(seen["state"]["over"])} if asked.form == COUNT else {}
    values = fields.settled("decide", tuple(ROWS.values()), {"view": "answer"})
    found = deciding.of(values, opened, releases=False)
    ending = {"spoken": "", "lead": "", "computed": {}} | found.words()
    for name in ("answer", "spoken", "lead"):
        assert seen[name] == ending[name], asked
    assert seen["computed"] == dict(ending["computed"]), asked
    if found.price.size is not None:
        assert seen["under"] == bold_parts(found.method()), asked
    said = words.said(ROWS, values, found.words()).text()
    assert said.replace(",", "") == seen["text"].replace(",", "").replace("-", "−"), asked


@pytest.mark.law
def test_what_a_sample_has_none_of_is_as_at_first(browser):
    first = told(browser, {})
    assert first["text"].startswith("Publish nine deciles of exam marks, between 0 and 100, of ")
    for wish in (
        {"what": "constructor"}, {"data": "town"}, {"unit": "people", "often": "7"},
        {"given": "budget", "eps": "0.123"}, {"off": "toString"},
    ):  # fmt: skip
        assert told(browser, wish)["text"] == first["text"], wish


@pytest.mark.law
def test_points_that_are_named_alone_are_asked_for_their_map(browser):
    assert told(browser, {"data": "towns"})["text"] == told(browser, {"what": "map"})["text"]
    assert told(browser, {"data": "coast"})["text"].startswith("Publish a map of ")
    assert told(browser, {"data": "ages"})["text"].startswith("Publish nine deciles of ages")


def take(browser, wish, values, touched) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        browser.get("taken")(json.dumps(wish), json.dumps(values), touched)
    )
    return found


@pytest.mark.law
def test_a_word_that_is_set_turns_the_sentence_as_in_the_app(browser):
    given = take(browser, {"what": "count"}, {"eps": "0.5"}, "eps")["state"]
    assert (given["given"], given["eps"]) == ("budget", "0.5")
    back = take(browser, given, {"off": "20"}, "off")["state"]
    assert (back["given"], back["off"]) == ("need", "20")
    assert take(browser, given, {"what": "median"}, "what")["state"]["given"] == "need"
    other = take(browser, {"what": "deciles", "off": "2"}, {"what": "quartiles"}, "what")["state"]
    assert other["off"] == "2"  # the same form keeps its need
    unit = take(browser, {"what": "count", "off": "20"}, {"unit": "share"}, "unit")["state"]
    assert (unit["unit"], unit["off"]) == ("share", "1")
    anew = take(browser, {"what": "count", "unit": "share"}, {"data": "ages"}, "data")["state"]
    assert (anew["unit"], anew["off"], anew["data"]) == (PEOPLE, "10", "ages")
    wrong = take(browser, {"what": "count"}, {"off": "11"}, "off")
    assert "state" not in wrong
    assert wrong["wrong"]["off"].startswith("Without a server this page knows 2, 5, 10, 20, ")


@pytest.mark.law
def test_what_is_counted_begins_anywhere_between_the_bounds(browser, page):
    """The noise of a count hangs on no threshold: all answers stay, but for the sentence."""
    first = told(browser, {"what": "count"})
    assert "have exam marks over 50," in first["text"]
    state = take(browser, {"what": "count"}, {"over": "62.5"}, "over")["state"]
    other = told(browser, state)
    assert "have exam marks over 62.5," in other["text"]
    assert (other["answer"], other["bought"]) == (first["answer"], first["bought"])
    assert take(browser, state, {"data": "ages"}, "data")["state"]["over"] == "60"
    assert take(browser, state, {"off": "20"}, "off")["state"]["over"] == "62.5"
    assert "over" not in take(browser, state, {"what": "deciles"}, "what")["state"]
    for wrong in ("101", "100", "-1", "", "toString", "1e1", "0x1"):
        refused = take(browser, {"what": "count"}, {"over": wrong}, "over")
        assert refused == {"wrong": {"over": "Type a number of at least 0, and below 100."}}
        assert told(browser, {"what": "count", "over": wrong})["text"] == first["text"]
    assert [one.sample.key for one in decide.sentences() if one.what == "count"]
    for asked in (one for one in decide.sentences() if one.what == "count"):
        column = page["columns"][asked.sample.key]
        ends = asked.sample.bounds[0]
        assert [float(end) for end in column["ends"]] == [ends.low, ends.high]
        assert float(column["over"]) == (ends.low + ends.high) / 2


@pytest.mark.law
def test_pictures_come_back_as_they_were_drawn(browser, page):
    answers = decide.Answers()
    asked = decide.Asked("count", sample("exam"))
    form = answers.form(asked)
    found = decide.answered(asked, form, Need(10.0, PEOPLE), None)
    key = f"{found.size:.10g} {decide.state_of(found)}"
    for name in decide_page.NAMES:
        for of, svg in decide_page._pictures(name, {key: found}).items():
            assert browser.get("drawn")(name, of) == svg
            assert "style=" not in svg
            assert "#" not in svg.replace("url(#rail-ink)", "")
    risks = {key for key in page["drawn"]["wide"] if key.startswith("risks")}
    assert risks == set(page["drawn"]["phone"])


@pytest.mark.law
def test_budgets_are_listed_with_what_they_buy(browser):
    seen = told(browser, {"what": "count", "off": "10"})
    assert [size for size, *_ in seen["bought"]][
        -1
    ] == "2"  # from 5 on a count is exact 19 times of 20
    assert [is_here for _, _, is_here, _ in seen["bought"]].count(True) == 1
    for size, spoken, _, drawn in seen["bought"]:
        one = told(browser, {"what": "count", "given": "budget", "eps": size})
        assert one["spoken"] == spoken
        ((here, _, _, own),) = [row for row in one["bought"] if row[2]]
        assert here == size  # a budget that is listed is its own row
        off = one["computed"]["off"]
        assert one["key"].startswith(f"Dashed: off by {off} student")
        assert 'x="75.0"' in own  # and reaches from one dashed line to the other
        assert 'width="50.0"' in own
        assert own.count('d="M75 0V20"') == own.count('d="M125 0V20"') == 1
        half = min(25 * int(off.replace(",", "")) / 10, 100)  # of a need of 10, which is 25 wide
        assert f'x="{100 - half:.1f}" y="4" width="{2 * half:.1f}"' in drawn
    assert seen["key"].startswith("Dashed: off by 10 students, as")
    assert told(browser, {"what": "deciles"})["key"].startswith("Dashed: off by 1 mark, as")


@pytest.mark.law
def test_without_scripts_the_first_budgets_are_those_of_the_script(browser):
    seen = told(browser, {})
    units = {off: "mark" if off == "1" else "marks" for off in ("1", "2", "3", "6", "15")}
    listed = [
        f'<tr{CLASS * here}><th scope="row">ε = {size}</th><td>{spoken}</td><td>{drawn}</td></tr>'
        for size, spoken, here, drawn in seen["bought"]
    ]
    first, _ = decide_page._first(decide.Answers())
    assert first["buys"] == "".join(listed)
    assert first["key"] == seen["key"]
    for off, unit in units.items():
        assert f"about {off} {unit}</td>" in first["buys"]


@pytest.mark.parametrize("key", ["coast", "towns"])
def test_an_area_is_that_between_the_bounds(key):
    found = decide_page._column(decide.Asked("map", sample(key), 16))["said"]["%area"]
    sides = [f"{one.high - one.low:g}" for one in sample(key).bounds]
    assert found.startswith(" × ".join(sides))


class Asking(dict[Any, float]):
    """A stored law that keeps what it is asked for, and may not grow."""

    def __init__(self, known: dict[Any, float]) -> None:
        super().__init__(known)
        self.asked: set[Any] = set()

    def __getitem__(self, key: Any) -> float:
        self.asked.add(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Any, off: float) -> None:
        raise AssertionError(f"not stored: {key}")


@pytest.mark.law
def test_stored_laws_are_those_that_states_ask_for_and_of_the_package():
    table = json.loads(files("dpviz.site").joinpath(decide.LAWS).read_text(encoding="utf-8"))
    assert table[decide.VERSION] == __version__
    answers, stored, rng = decide.Answers({}), decide.stored(), np.random.default_rng(3)
    for law, known in stored.items():
        answers.laws[law] = Asking(known)
    for asked in decide.sentences():
        if asked.form not in decide.STORED:
            continue
        form = answers.form(asked)
        for unit, sure, given in product(asked.units, decide.SURES, (NEED, BUDGET)):
            list(decide.prices(asked, form, unit, sure, given))
        keys = sorted(form.known)
        for at in rng.choice(len(keys), 2, replace=False).tolist():
            way, size, sure = keys[at]
            off = form.form.off(way, size, Need(0.0, PEOPLE, sure))
            assert off == pytest.approx(form.known[keys[at]], rel=1e-12)
    assert answers.laws.keys() == stored.keys()  # no law is missing
    for law, known in stored.items():
        assert answers.laws[law].asked == known.keys(), law
