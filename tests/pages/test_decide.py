"""The page Decide as it is sent: one budget everywhere, nothing spent or shown before its time."""

from __future__ import annotations

import io
import json
import math
import re
from dataclasses import replace
from decimal import Decimal
from html import unescape
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.answers.decide import quantile_buys, quantiles
from dpviz.answers.decide.needs import KIND_OF_SAMPLE
from dpviz.answers.decide.price import Need
from dpviz.answers.decide.sentences import CELLS, OFFERS, WHAT, form_of
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.person_rows import PersonRows
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.experiments.planning.shaped import usual
from dpviz.intake.counted.counted_table import People
from dpviz.intake.read import read_table
from dpviz.intake.samples import samples
from dpviz.reports.words import values
from dpviz.ui.bench.release import OFF
from dpviz.ui.decide import published
from dpviz.ui.kit.session import Upload
from tests.conftest import ROOT
from tests.pages.driver import healthy, inside, spoken
from tests.pages.pictures import pictures
from tests.pages.unmistakable import everything

COLUMN_WHAT = [what for what in WHAT if form_of(what) != CELLS]
PAY = np.random.default_rng(34).lognormal(10.7, 0.5, 5_000).round(-2)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """A check of few releases, which may not settle: here it only has to run, and to end."""
    for name, few in (("COLUMNS", 20), ("RELEASES", 2), ("ROUGH", 10), ("STEPS", 4)):
        monkeypatch.setattr(quantiles, name, few)
    for name, few in (("AGAIN", 100), ("SECOND", 6), ("EACH", 12)):
        monkeypatch.setattr(quantile_buys, name, few)
    check = quantiles.check

    def ended(*asked: Any) -> quantiles.Checked:
        found = check(*asked)
        return replace(found, price=replace(found.price, is_about=False))

    monkeypatch.setattr(quantiles, "check", ended)


@pytest.fixture
def files(monkeypatch):
    """What can be taken away in the last run, by its title."""
    made: dict[str, str] = {}

    def row(listed: Any) -> None:
        made.clear()
        for one in listed:
            content = one.content() if callable(one.content) else one.content
            made[one.label] = content if isinstance(content, str) else content.decode()

    monkeypatch.setattr(published, "offer_row", row)
    return made


def opened(**link: str) -> AppTest:
    """A fresh session that starts at the sentence of a link."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page("pages/decide.py")
    return healthy(app.run())


def of_pay(values: Any = PAY) -> bytes:
    return "\n".join(["pay,age", *(f"{one:g},{at % 90}" for at, one in enumerate(values))]).encode()


def with_file(
    content: bytes | None = None,
    *,
    kind: str = "money",
    truth: bool = False,
    column_name: str = "pay",
    **entries: Any,
) -> AppTest:
    """The sentence about a visitor's own file, declared as pay of about 5,000 people."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page("pages/decide.py")
    own = Upload(read_table(io.BytesIO(content or of_pay()), "a.csv"), 1, column_name, False)
    app.session_state["_upload"] = own
    app.session_state["upload_column"], app.session_state["upload_y"] = column_name, None
    app.session_state["_kind_own1_0"] = kind
    plain = {
        "column": "upload",
        "latest": "upload",
        "truth_own": truth,
        "own1_0_low": 0.0,
        "own1_0_high": 250_000.0,
        "own1_0_resolution": 100.0,
        "own1_0_size": 5_000.0,
    }
    app.session_state["_visit"] = plain | entries
    return healthy(app.run())


def put(app: AppTest, **entries: Any) -> AppTest:
    """Let words of the sentence hold, as their callbacks do."""
    for key, value in entries.items():
        if value is None:
            app.session_state["_visit"].pop(key, None)
        else:
            app.session_state["_visit"][key] = value
    return healthy(app.run())


def sent(app: AppTest, name: str) -> Any:
    """What a component of the page was handed; None where it is not drawn."""
    found = [one.proto for one in app.get("bidi_component") if f"-{name}" in one.proto.id]
    return json.loads(found[0].mixed.json or found[0].json) if found else None


def sentence(app: AppTest) -> dict[str, Any]:
    return sent(app, "decide_sentence")


def address(app: AppTest) -> dict[str, str]:
    """What the address says, each key once."""
    found = dict(app.query_params)
    return {key: one if isinstance(one, str) else "".join(one) for key, one in found.items()}


def reads(app: AppTest) -> str:
    """The sentence as a person reads it."""
    return spoken(sentence(app))


def under(app: AppTest) -> str:
    return "".join(text for text, _ in sentence(app)["under"])


def size_of(app: AppTest) -> float:
    """The budget that the sentence says."""
    told = sentence(app)
    return float(told["computed"].get("eps", told["values"]["eps"]))


def button(app: AppTest) -> Any:
    found = [one for one in app.button if one.key == "decide_button"]
    return found[0] if found else None


def text_of(page: str) -> str:
    """The words of a page, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def press(app: AppTest) -> AppTest:
    return healthy(button(app).click().run())


def section(app: AppTest, name: str) -> str | None:
    """A section of the page's drawings; None where it is not drawn."""
    found = re.search(
        f"<section class='{name}'>.*?</section>", sent(app, "decide_drawn") or "", re.S
    )
    return found and found[0]


def drawn(app: AppTest, name: str) -> str:
    """The words of a section."""
    text = unescape(re.sub(r"<[^>]+>", " ", section(app, name) or ""))
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def spent(app: AppTest) -> list[float]:
    """What stands in the ledger of every data set."""
    accounts = app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401
    return [one.budget.size for kept in accounts.values() for one in kept.entries]


def releases(app: AppTest) -> list[Any]:
    state = app.session_state
    return list(state["_released_once"].values()) if "_released_once" in state else []


def hero(app: AppTest) -> dict[str, Any]:
    (one,) = pictures(app)
    return one.figure


def hero_text(app: AppTest) -> str:
    """All texts of the picture."""
    return json.dumps(hero(app), ensure_ascii=False)


def hero_words(app: AppTest) -> str:
    return drawn(app, "buys")


def grown(epsilon: float) -> int:
    """To how many in a hundred a suspicion of ten may grow, rounded up."""
    return math.ceil(100 * 0.1 / (0.1 + 0.9 * math.exp(-epsilon)) - 1e-9)


def beside_it(app: AppTest, size: float) -> None:
    """Rail, tank and risk are of the budget that the sentence says."""
    rail, risks = drawn(app, "rail"), drawn(app, "risks")
    assert f"ε = {size:g} " in rail
    assert f"takes {size:g} of a promise" in rail or f"{size:g} is more than the 1 left" in rail
    assert f"A suspicion of 10 in 100 grows to at most {grown(size)}." in risks
    assert f"10 grows to at most {grown(2 * size)} ." in risks


# every sentence can be asked


def test_several_columns_are_released_for_the_sum_that_the_button_says(files):
    app = with_file(off=4.0, unit="value")
    each, key = size_of(app), "decide_with_1"
    app = put(app, **{key: ("age",)})
    size = size_of(app)
    assert size == float(2 * Decimal(repr(each)))
    end = f"4 % of each, 19 times of 20 in each: that takes 2 × {each:g}, in all ε = {size:g}."
    assert reads(app).startswith("Publish nine deciles of pay and age, between 0 and 250,000, ")
    assert reads(app).endswith(end)
    assert f"ε = {each:g} for each of the two columns, which add up" in under(app)
    assert button(app).label.endswith(f"ε = {size:g}")
    assert f"ε = {size:g} " in drawn(app, "rail")
    assert f"at most {grown(size)}" in drawn(app, "risks")
    assert spent(app) == []
    app = press(app)
    assert spent(app) == [size]
    (release,) = releases(app)
    assert release.spent.epsilon == size
    assert {name: one.spent.epsilon for name, one in release.releases.items()} == {
        "pay": each, "age": each,
    }  # fmt: skip
    assert reads(app).endswith(f"ε = {size:g} is spent.")
    stored = json.loads(files["JSON"])
    assert stored["spent"]["epsilon"] == size
    assert list(stored["columns"]) == ["pay", "age"]
    assert len(files["CSV"].splitlines()) == 1 + 2 * 9
    assert f"ε = {size:g}" in text_of(files["Decision card"])
    assert "nine deciles of pay and age" in drawn(app, "card")
    assert "pay: " in drawn(app, "card")
    report = text_of(files["Report"])
    for name, one in release.releases.items():
        assert " · ".join(values(one)) in report
        assert "off by at most 4 % of each, 19 times of 20; came: " in report
        assert f"of {name} under" in report
    assert f"their budgets add up: {release.spent} in all" in report
    assert "released-" in files["Notebook"]
    assert files["Notebook"].count("dp.plot(release.releases[") == 2

    given = put(app, given="budget", eps=0.3, b_promise=5.0)
    assert "with ε = 0.3, 19 times of 20 in each: off by at most" in reads(given)
    given = press(given)
    assert spent(given) == [size, 0.3]
    looked = inside(with_file(off=4.0, unit="share", **{key: ("age",)}), "sweep")
    assert "pay and age" in json.dumps(sent(looked, "decide_said"))  # its column is the first one
    alone = put(given, what="histogram", given="need")
    assert reads(alone).startswith("Publish a histogram of pay in")


@pytest.mark.few(1)
@pytest.mark.parametrize("truth", ["true", "false"])
def test_every_first_word_of_a_sample(truth):
    app = opened(truth=truth)
    for what in WHAT:
        app = put(app, what=what, given=None, off=None, unit=None)
        told = sentence(app)
        assert told["live"], what
        assert told["wrong"] == {}, what
        assert reads(app).startswith("What can" if what == "offers" else "Publish "), what
        assert "–" not in reads(app), what
        assert spent(app) == [], what
        if form_of(what) == OFFERS:
            assert button(app) is None
            continue
        assert button(app).label == f"Rehearse the release, ε = {size_of(app):g}"
        assert not button(app).disabled
        beside_it(app, size_of(app))
        assert f"ε = {size_of(app):g} the least that keeps" in drawn(app, "rail")
        assert "your ε" not in hero_text(app)
        app = put(app, given="budget", eps=0.5)
        assert ("your ε" in hero_text(app)) is (form_of(what) != CELLS)  # whose lines are dashed
        assert "your need" not in hero_text(app)
        beside_it(app, 0.5)
        assert size_of(app) == 0.5, what
        assert float(sentence(app)["computed"]["off"]) >= 0
        assert button(app).label == "Rehearse the release, ε = 0.5"
        app = put(app, eps=None)


@pytest.mark.thorough
@pytest.mark.parametrize("truth", [False, True])
def test_every_first_word_of_a_file(truth):
    app = with_file(truth=truth)
    for what in COLUMN_WHAT:
        app = put(app, what=what, given=None, off=None, unit=None)
        assert "–" not in reads(app), what
        assert spent(app) == [], what
        assert releases(app) == [], what
        if form_of(what) != OFFERS:
            assert button(app).label == f"Release, once, ε = {size_of(app):g}", what


@pytest.mark.few(1)
@pytest.mark.parametrize("notion", ["approx", "zcdp"])
def test_other_notions(notion):
    app = opened(notion=notion, what="count")
    symbol = "ρ" if notion == "zcdp" else "ε"
    for what in ("count", "curve", "running", "quartiles"):
        app = put(app, what=what)
        assert f"that takes {symbol} = " in reads(app), what
        assert reads(app).endswith(", at δ = 10⁻⁶.") is (notion == "approx"), what
        assert button(app).label == f"Rehearse the release, {symbol} = {size_of(app):g}"


@pytest.mark.parametrize("agent", ["phone", "narrow", "low"])
def test_every_screen(agent, monkeypatch):
    monkeypatch.setattr("dpviz.ui.visit.screen.room", lambda: agent)
    for what in ("deciles", "map", "count"):
        app = opened(what=what)
        assert button(app) is not None
        assert size_of(app) > 0


def test_presenting_keeps_the_words_live_and_leaves_the_dock_out():
    app = opened(present="1")
    told = sentence(app)
    assert told["present"]
    assert told["live"]
    assert told["under"] == []
    assert button(app) is None
    assert told["ways"] is None
    assert not [one for one in app.toggle if one.key == "truth"]


@pytest.mark.parametrize("what", ["deciles", "curve"])
def test_steps_wider_than_the_bounds_are_refused_in_words(what):
    """Of a sample whose own values are measured it was a traceback."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.session_state["_visit"] = {"office_high": 0.5, "office_resolution": 664.67}
    app.query_params.update(what=what, data="office")
    app.switch_page("pages/decide.py")
    healthy(app.run())
    assert "is coarser than the bounds (0, 0.5) are wide" in everything(app)
    assert button(app) is None


# one budget, everywhere


def everywhere(app: AppTest, files: dict[str, str], size: float) -> None:
    """The budget of the sentence stands in everything that was released."""
    text = f"ε = {size:g}"
    (release,) = releases(app)
    assert release.spent.epsilon == size
    assert json.loads(files["JSON"])["spent"]["epsilon"] == size
    assert text in reads(app)
    for title in ("Report", "Decision card"):
        assert text in unescape(files[title]), title
    assert f"{size:g}" in files["Notebook"]
    card = drawn(app, "card")
    assert set(re.findall(r"ε = ([\d.]+\d)", card)) == {f"{size:g}"}
    assert sentence(app)["live"] is False


@pytest.mark.few(3)
@pytest.mark.parametrize("what", ["deciles", "count", "histogram", "curve", "running"])
def test_the_same_budget_in_sentence_button_card_json_and_report(what, files):
    app = with_file(what=what, b_promise=5.0)
    size = size_of(app)
    assert button(app).label == f"Release, once, ε = {size:g}"
    assert not button(app).disabled
    assert set(files) == {"Decision card"}
    assert f"ε = {size:g}" in unescape(files["Decision card"])
    assert spent(app) == []
    app = press(app)
    assert spent(app) == [size]
    everywhere(app, files, size)
    assert reads(app).endswith(f"ε = {size:g} is spent.")
    assert reads(app).startswith("Published, once: ")
    assert f"spent {size:g}" in drawn(app, "rail")
    assert f"{5 - size:.3g} is left" in drawn(app, "rail")
    assert set(files) == {"JSON", "CSV", "Report", "Privacy label", "Notebook", "Decision card"}
    (paragraph,) = (one.value for one in app.code if one.language != "python")
    assert text_of(paragraph) in text_of(files["Report"])
    assert f"of {app.text_input[0].value}" in paragraph
    app.text_input[0].set_value("yearly pay before tax")
    app = healthy(app.run())
    assert "yearly pay before tax" in app.code[0].value
    assert "yearly pay before tax" in files["Report"]


def test_the_budget_of_a_file_is_that_of_the_check_of_what_its_sentence_says():
    shape, _ = usual("money", Bounds(0, 250_000), 100.0)
    asked = quantiles.question(QuantileSet.of(DECILES), 5_000, shape, PureDP(1.0), only_exact=True)
    assert size_of(with_file()) == quantiles.check(asked, Need(2.0, "value")).price.size


def test_a_typed_budget_is_spent_to_its_last_digit(files):
    app = with_file(what="count", given="budget", eps=0.1234)
    assert button(app).label == "Release, once, ε = 0.1234"
    off = float(sentence(app)["computed"]["off"])
    assert f"{off:g} people" in unescape(files["Decision card"])
    app = press(app)
    assert f"off by at most {off:g} people" in reads(app)  # not the amount of another need
    assert spent(app) == [0.1234]
    everywhere(app, files, 0.1234)


@pytest.mark.few(3)
@pytest.mark.parametrize("what", ["deciles", "median", "count", "curve", "map"])
def test_the_frontier_over_the_rail_names_no_other_budget(what):
    app = opened(what=what, view="unfolded")
    size = size_of(app)
    assert not pictures(app)
    picture = section(app, "rail")
    assert re.findall(r"kept by .*? at ε = ([\d.]+\d)", picture) == [f"{size:g}"]
    assert set(re.findall(r"ε = ([\d.]+\d)", picture)) == {f"{size:g}"}
    need = float(sentence(app)["values"]["off"])
    assert f"your need: {need:g} " in drawn(app, "rail")
    assert address(app)["view"] == "unfolded"
    app = put(app, view_decide="answer")
    assert pictures(app)
    assert size_of(app) == size
    assert "your need" not in drawn(app, "rail")


def test_a_rehearsal_spends_nothing(files):
    app = opened(what="quartiles")
    size = size_of(app)
    app = press(app)
    assert spent(app) == []
    everywhere(app, files, size)
    assert reads(app).startswith("Rehearsed: ")
    assert reads(app).endswith(f"ε = {size:g} would be spent.")
    assert "protects nobody" in under(app)


def test_a_map_is_released_too(files):
    app = opened(what="map")
    size = size_of(app)
    app = press(app)
    assert [one.spent.epsilon for one in releases(app)] == [size]
    assert f"ε = {size:g}" in reads(app)


def test_what_was_released_is_shown_again_and_never_drawn_anew():
    app = with_file(what="deciles")
    size = size_of(app)
    app = press(app)
    before, first = hero(app), releases(app)[0].to_json()
    assert button(app).label == "Ask for something else"
    app = press(app)
    assert sentence(app)["live"]
    assert button(app).label == f"Show the release, ε = {size:g}"
    app = press(app)
    assert releases(app)[0].to_json() == first
    assert hero(app) == before
    assert spent(app) == [size]
    app = press(app)
    other = put(app, off=4.0)
    assert sentence(other)["live"]
    assert button(other).label.startswith("Release, once")
    again = put(other, off=None)
    assert size_of(again) == size
    assert spent(again) == [size]


def test_what_is_drawn_after_the_button_is_what_was_released():
    app = press(with_file(what="deciles"))
    (release,) = releases(app)
    listed = json.loads(release.to_json())["values"]
    assert [float(one) for one in listed] == release.values.tolist()
    text = hero_words(app).replace(",", "")
    middle = release.values[4]
    assert re.search(rf"\b{middle:.0f}\b", text)
    card = drawn(app, "card").replace(",", "")
    for value in release.values:
        assert f"{value:.0f}" in card


# the truth


def test_the_truth_of_a_sample_moves_no_number():
    app = opened()
    for what in ("deciles", "count", "histogram", "curve", "running", "map"):
        shown = put(app, what=what, truth=True)
        first = (reads(shown), under(shown), drawn(shown, "rail"), button(shown).label)
        picture = json.dumps(hero(shown))
        hidden = put(app, what=what, truth=False)
        assert (
            reads(hidden), under(hidden), drawn(hidden, "rail"), button(hidden).label
        ) == first, what  # fmt: skip
        assert "true" not in json.dumps([one["name"] for one in hero(hidden)["data"]]), what
        assert json.dumps(hero(hidden)) != picture, what


def of_the_page(app: AppTest) -> str:
    """All that is sent, but for the names that every session has of its own."""
    text = everything(app)
    text = re.sub(r"\$\$ID-[0-9a-f]{32}", "", text)
    text = re.sub(r'\\*"visit\\*": \\*"[0-9a-f]+\\*"', "", text)
    return re.sub(r'"deferredFileId": "[0-9a-f]+"', "", text)


OTHER = PAY.copy()
OTHER[17] = 249_900
NEAR = {"one row else": OTHER, "one row less": PAY[1:]}
FAR = {"one": PAY[:1], "two": PAY[:2], "5,000": PAY}


@pytest.mark.few(6)
@pytest.mark.parametrize("what", COLUMN_WHAT)
def test_before_the_button_nothing_of_a_file_is_sent(what):
    """Files that differ in one row, and files of 1, 2 and 5,000 rows: every byte is the same."""
    first = of_the_page(with_file(what=what))
    assert len(first) > 10_000
    others = NEAR | FAR if what == "deciles" else {"one": FAR["one"]}
    for name, rows in others.items():
        assert of_the_page(with_file(of_pay(rows), what=what)) == first, name


def test_a_look_at_a_files_truth_is_said_and_moves_no_number():
    hidden, shown = with_file(), with_file(truth=True)
    assert size_of(hidden) == size_of(shown)
    assert button(hidden).label == button(shown).label
    assert hero(hidden) == hero(shown)  # the truth is beside a release alone
    assert "The truth of this file is on screen" in under(shown)
    assert "truth" not in under(hidden)
    named = [{one["name"] for one in hero(press(one))["data"]} for one in (hidden, shown)]
    assert "truth" not in named[0]
    assert "truth" in named[1]


# states


def test_what_is_missing_is_said_and_has_no_button():
    app = with_file(own1_0_low=None, own1_0_high=None, own1_0_size=None)
    assert reads(app).endswith("two bounds and a number of people are missing.")
    assert reads(app).count("–") == 3
    assert button(app) is None
    assert section(app, "risks") is None
    app = put(app, own1_0_low=0.0)
    assert reads(app).endswith("two bounds and a number of people are missing.")
    app = put(app, own1_0_high=250_000.0)
    assert "of about – people, " in reads(app)
    said = re.search(r": that takes about ε = ([\d,]+) / people\.$", reads(app))
    assert said
    assert button(app) is None
    assert section(app, "risks") is None
    assert "ε" not in drawn(app, "rail").split("Chosen")[0]
    assert under(app) == (
        "By recursive halving, reckoned on 5,000 made-up people; twice as many take about half."
    )
    many = float(said[1].replace(",", ""))
    app = put(app, own1_0_size=5_000.0)
    assert button(app) is not None
    assert size_of(app) == pytest.approx(many / 5_000)
    app = put(app, own1_0_size=None, off=50.0, unit="places")
    assert re.search(r": that takes about ε = 0\.\d+\.$", reads(app))
    app = put(app, off=None, unit=None, notion="zcdp")
    assert re.search(r": that takes about ρ = [\d,]+ / people²\.$", reads(app))
    app = put(app, notion="pure", given="budget", eps=0.5)
    assert "with ε = 0.5, 19 times of 20: a number of people is missing: off by" in reads(app)
    app = put(app, given=None)
    app = put(app, what="count", own1_0_low=None, own1_0_high=None, own1_0_size=None)
    assert "missing" not in reads(app)  # a count needs no bounds


def test_bounds_that_are_crossed():
    app = with_file(own1_0_low=300_000.0)
    told = sentence(app)
    assert set(told["wrong"]) == {"low", "high"}
    assert reads(app).endswith("the lower end lies above the upper one.")
    assert "ε" not in drawn(app, "rail pale").split("Chosen")[0]
    assert button(app) is None
    app = put(app, own1_0_low=0.0)
    assert sentence(app)["wrong"] == {}
    assert button(app) is not None
    sample = put(opened(), exam_low=100.0)
    assert set(sentence(sample)["wrong"]) == {"low", "high"}
    assert button(sample) is None


def test_a_number_to_be_over_that_lies_outside_the_bounds():
    for over, is_inside in (("-1", False), ("0", True), ("99", True), ("100", False)):
        app = opened(what="count", over=over)
        assert (set(sentence(app)["wrong"]) == {"over"}) is not is_inside
        assert (button(app) is None) is not is_inside
        said = "the number to be over must be at least 0, and below 100."
        assert reads(app).endswith(said) is not is_inside
    crossed = put(opened(what="count", over="-1"), exam_low=100.0)
    assert set(sentence(crossed)["wrong"]) == {"low", "high"}


def test_bounds_of_more_steps_than_quantiles_are_drawn_on():
    for app in (put(opened(), exam_high=1e15), with_file(own1_0_high=1e15, own1_0_resolution=0.5)):
        assert "steps; quantiles are drawn on at most 17,592,186,044,416" in reads(app)
        assert button(app) is None


def test_quantiles_of_ones_own_are_said_once_and_in_order():
    """Asked for in another order first: what a page works out, others share."""
    (picture,) = pictures(opened(what="own", own="0.92, 0.52, 0.12, 0.52"))
    said = re.findall(r"(\d+) %: (\d+) ± 1", picture.alt)
    assert [int(share) for share, _ in said] == [12, 52, 92]
    assert [int(value) for _, value in said] == sorted(int(value) for _, value in said)


def test_a_tank_that_is_too_low(files):
    app = with_file(what="count", b_promise=0.2)
    size = size_of(app)
    assert size > 0.2
    assert button(app).disabled
    assert f"{size:g} is more than the 0.2 left of the promise" in under(app)
    assert re.fullmatch(r"off by at most \d+ people, for ε = 0.2", sentence(app)["near"][0])
    assert "only 0.2 is left" in unescape(files["Decision card"])
    assert f"{size:g} is more than the 0.2 left" in drawn(app, "rail")
    app = put(app, b_promise=size)
    assert not button(app).disabled
    assert "left of the promise" not in under(app)
    app = press(app)
    assert spent(app) == [size]
    assert "left of the promise" not in under(app)
    again = put(app, off=11.0)
    assert button(again).disabled
    assert "is more than the 0 left of the promise" in under(again)
    rehearsal = put(opened(what="count"), b_promise=0.01)
    assert not button(rehearsal).disabled


def test_a_need_that_no_budget_keeps_offers_the_nearest():
    app = with_file(own1_0_size=1_000.0, off=0.01, unit="value")
    assert reads(app).endswith("no ε up to 10 does that.")
    assert button(app) is None
    assert size_is_hidden(app)
    assert sentence(app)["note"]
    near = sentence(app)["near"]
    assert [re.sub(r"about [\d.]+", "…", one) for one in near] == [
        f"off by at most … % of pay, for ε = {size}" for size in (10, 1)
    ]
    assert "No budget keeps that." in hero_words(app)
    app = put(app, given="budget", eps=1.0)
    assert "with ε = 1, 19 times of 20: off by at most" in reads(app)
    assert not sentence(app)["near"]
    assert not sentence(app)["note"]


def test_the_last_picture_is_pale_while_the_bounds_are_crossed():
    app = with_file(what="histogram")
    (before,) = pictures(app)
    crossed = put(app, own1_0_low=300_000.0)
    assert reads(crossed).endswith(": the lower end lies above the upper one.")
    assert pictures(crossed) == [before]
    assert section(crossed, "buys pale")
    assert button(crossed) is None
    assert section(put(crossed, own1_0_low=0.0), "buys")


def test_a_picture_with_the_truth_of_a_file_is_not_kept():
    app = press(with_file(what="histogram", truth=True))
    assert len(pictures(app)) == 1
    assert app.session_state["_decide_last"] is None


def size_is_hidden(app: AppTest) -> bool:
    return sentence(app)["computed"]["eps"] == ""


def test_the_word_between_opens_the_axis_of_the_bounds_where_there_are_bounds():
    assert sentence(opened())["door"] == "between"
    assert "between" in reads(opened())
    assert sentence(opened(what="map"))["door"] == ""


def test_finer_than_half_a_step_is_refused():
    app = with_file(off=10.0, unit="unit")
    assert reads(app).endswith(": values are 100 apart: ask for 50 or more.")
    assert button(app) is None
    assert "ask for" not in reads(put(app, off=50.0, unit="unit"))


def test_exactly_takes_more_than_about():
    app = with_file(what="histogram")
    about = size_of(app)
    exactly = put(app, neighbours=Neighbours.REPLACE_ONE)
    assert "of exactly 5,000 people" in reads(exactly)
    assert size_of(exactly) > about


# links


LINK = {
    "what": "histogram",
    "data": "ages",
    "bins": "30",
    "off": "14",
    "often": "0.9",
    "ages_low": "10",
    "ages_high": "90",
    "ages_size": "700",
    "neighbours": "replace",
}


def test_a_link_says_the_whole_sentence_of_a_sample():
    app = opened(**LINK)
    text = reads(app)
    assert text.startswith(
        "Publish a histogram of ages of a population in 30 bars, between 10 and 90, of exactly 700 "
        "residents, every bar off by at most 14 residents, 9 times of 10: that takes ε = "
    )
    said = address(app)
    assert {key: said[key] for key in LINK} == LINK
    again = opened(**said)
    assert reads(again) == text
    assert address(again) == said
    plain = opened()
    assert dict(plain.query_params) == {}


@pytest.mark.few(3)
@pytest.mark.parametrize("what", WHAT)
def test_every_sentence_comes_back_from_its_address(what):
    app = opened(what=what, given="budget", eps="0.7", often="0.8")
    said = address(app)
    assert said == ({"what": what} if what != "deciles" else {}) | {
        "given": "budget", "eps": "0.7", "often": "0.8"
    }  # fmt: skip
    again = opened(**said)
    assert reads(again) == reads(app)
    assert sentence(again)["values"] == sentence(app)["values"]


FILE_MAY_SAY = {"what", "unit", "off", "often", "given", "eps", "bins", "side", "block", "periods"}


@pytest.mark.few(2)
@pytest.mark.parametrize("what", COLUMN_WHAT)
def test_of_a_file_a_link_says_what_is_wanted_and_nothing_of_the_file(what):
    app = with_file(
        what=what, given="budget", eps=0.7, often=0.8, off=3.0, over=41_300.0, bins=17, periods=50
    )
    assert set(app.query_params) <= FILE_MAY_SAY
    told = json.dumps(dict(app.query_params))
    for text in ("250000", "5000", "pay", "41300", "100", "upload", "money"):
        assert text not in told, text


@pytest.mark.parametrize(
    ("link", "refused"),
    [
        ({"what": "everything"}, "what"), ({"off": "-1"}, "off"), ({"often": "2"}, "often"),
        ({"unit": "miles"}, "unit"), ({"bins": "1e9"}, "bins"), ({"given": "nothing"}, "given"),
        ({"exam_low": "x"}, "exam_low"),
    ],
)  # fmt: skip
def test_nonsense_in_a_link_is_refused_and_said(link, refused):
    app = opened(**link)
    assert reads(app) == reads(opened())
    assert any(f"`{refused}`" in one.value for one in app.caption)
    assert refused not in app.query_params


def test_a_budget_that_a_link_leaves_out_is_said_as_it_is_used():
    for link in ({"given": "budget"}, {"what": "offers"}):
        app = opened(**link)
        assert "ε = 1" in reads(app)
        assert size_of(app) == 1.0


@pytest.mark.few(1)
@pytest.mark.parametrize("eps", [0.5, 0.01])
def test_every_line_of_the_table_is_what_its_sentence_says(monkeypatch, eps):
    """The slow twin of the table: each line is taken, and its sentence says what it is off by."""
    monkeypatch.setattr("dpviz.ui.decide.quantiles.checking.watch", lambda *_: None)
    app = opened(what="offers", data="ages", eps=f"{eps:g}")
    listed = sent(app, "decide_offers")
    assert {one["what"] for one in listed} >= {"count", "histogram", "curve", "deciles"}
    for line in listed:
        taken = put(app, what=line["what"], given="budget", off=None, unit=None)
        off = re.split("off by at most |off by more than ", reads(taken))[-1].rstrip(".")
        exact = "likely exactly right" if off.startswith("about 0 ") else off
        assert line["off"] == exact
        assert line["name"].lower().removeprefix("a count") in reads(taken)
        people = float(sentence(taken)["values"]["people"])
        amount, unit = re.findall(r"([\d.]+) (.+)", off.replace(",", ""))[0]
        assert line["is_coarse"] is (unit == "residents" and float(amount) > people / 10)
        assert size_of(taken) == eps
        app = put(app, what="offers", given=None)


# quantiles are about right at first, and then checked


def test_an_answer_that_was_not_checked_cannot_be_released(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("dpviz.ui.decide.quantiles.checking.watch", lambda *_: None)
        app = with_file(what="quartiles")
        assert "that takes about ε = " in reads(app)
        assert button(app).disabled
        assert spent(app) == []
    app = with_file(what="quartiles")  # checked
    assert "about ε" not in reads(app)
    assert not button(app).disabled


def test_a_check_that_cannot_settle_its_last_digit_ends(monkeypatch):
    """It stays "about", is not begun again, and can be released."""
    check, begun = quantiles.check, []

    def unsettled(*asked: Any) -> quantiles.Checked:
        begun.append(asked)
        assert len(begun) < 3, "checked again and again"
        found = check(*asked)
        return replace(found, price=replace(found.price, is_about=True))

    monkeypatch.setattr(quantiles, "check", unsettled)
    app = with_file(what="quartiles")
    assert len(begun) == 1
    assert "that takes about ε = " in reads(app)
    assert not button(app).disabled


def test_a_given_budget_shows_what_its_own_check_measured(monkeypatch):
    """The check of a budget is found again, whatever amount it came to."""
    rehearse, roughly = quantiles.rehearse, []

    def counted(asked: Any, found: Any) -> Any:
        roughly.append(found.is_about)
        return rehearse(asked, found)

    monkeypatch.setattr(quantiles, "rehearse", counted)
    app = opened(what="quartiles", data="ages", given="budget", eps="0.37")
    assert "with ε = 0.37, " in reads(app)
    assert roughly == [True]  # before the check, and never after it


def test_people_with_several_rows_are_told_that_a_row_is_no_person():
    """What a record's release is off by is no promise about one that people share."""
    app = with_file(what="count")
    own = app.session_state["_upload"]
    people = People("age", PersonRows.at_most(2))
    app.session_state["_upload"] = replace(own, people=people)
    app = healthy(app.run())
    assert "this view speaks of one row as one person" in reads(app)
    assert button(app) is None
    assert spent(app) == []
    app = put(app, what="offers")
    assert "this view speaks of one row as one person" in reads(app)


def test_a_columns_name_is_no_markup_in_a_button():
    name = "![p](http://elsewhere/p.png)"
    content = of_pay().replace(b"pay,age", f"{name},age".encode(), 1)
    app = with_file(content, off=0.01, unit="value", own1_0_size=1_000.0, column_name=name)
    assert any(name in one for one in sentence(app)["near"])  # which the browser takes as text
    assert not any("![p](" in one.label for one in app.button)


def test_what_is_said_beside_the_switch_is_true_after_the_release():
    app = with_file(what="count")
    assert any(one.value == OFF for one in app.markdown)
    app = press(app)
    assert any(one.value == OFF for one in app.markdown)
    assert "nothing of your file is on screen" not in everything(app)


def test_every_sample_begins_with_the_need_of_its_kind():
    assert set(KIND_OF_SAMPLE) <= {one.key for one in samples()}
    told = sentence(opened(data="office"))
    assert told["values"]["unit"] == "value"


def test_own_quantiles():
    app = opened(what="own", own="0.2, 0.9")
    assert "quantiles of my own" in reads(app)
    app = press(app)
    assert releases(app)[0].values.size == 2


@pytest.mark.few(5)
@pytest.mark.parametrize("data", [one.key for one in samples()])
def test_a_link_that_names_data_alone_asks_what_they_have(data):
    app = opened(data=data)
    points = len(next(one for one in samples() if one.key == data).columns) > 1
    assert app.session_state["_visit"].get("what", "deciles") == ("map" if points else "deciles")
    assert "Nothing to show yet." not in everything(app)
    assert sentence(app)["values"]["column"] == data
    is_kept = data != "office"  # no budget keeps 2 % of the salaries of 40 people
    assert (button(app) is not None) is is_kept
    assert not is_kept or size_of(app) > 0
