"""Odd values in links: the default is in effect, the page is healthy, one quiet line says so."""

import re
from collections.abc import Sequence
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.intake.samples import samples
from dpviz.ui.links import arriving
from dpviz.ui.what_if import old_links
from tests.conftest import ROOT
from tests.pages.driver import healthy, pick
from tests.pages.odd_links import CORPUS, DECLARED, STATES, State, mangled, rounds
from tests.pages.pictures import pictures

NOTICE = "Of the link"


def entered(page: str, **link: str | list[str]) -> AppTest:
    """A fresh session that starts on a page, as a link does."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    if page != "data":
        app.switch_page(f"pages/{page}.py")
    return healthy(app.run())


def notices(app: AppTest) -> list[str]:
    return [one.value for one in app.caption if NOTICE in one.value]


def look(app: AppTest) -> tuple[list[str], int]:
    """The problems on a page, and how many charts it has."""
    return [one.value for one in app.error], len(pictures(app))


def held(app: AppTest, key: str) -> object:
    """What holds for a key: of a widget on the page, else of the visit."""
    if key in app.session_state:
        return app.session_state[key]
    return app.session_state["_visit"].get(key)


@cache
def plain(number: int) -> tuple[dict[str, object], set[str], object]:
    """A state without odd values: its values by key, the keys that were looked for, its look."""
    one, met, real = STATES[number], set(), arriving.linked

    def linked(key: str) -> Sequence[str]:
        met.add(key)
        return real(key)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arriving, "linked", linked)
        app = entered(one.page, **one.link)
    assert notices(app) == []
    return {key: held(app, key) for key in one.keys}, met, look(app)


@pytest.mark.parametrize(
    ("one", "odd"),
    [  # each state with the first of its links, and with every fifth
        pytest.param(one, odd, marks=[pytest.mark.thorough] * (rounds(one).index(odd) % 5 > 0))
        for one, odd in CORPUS
    ],
    ids=[f"{one.page}-{STATES.index(one)}-{turn}" for turn, (one, _) in enumerate(CORPUS)],
)
def test_an_odd_value_falls_back_with_one_quiet_line(one: State, odd: dict[str, str]):
    values, _, looks = plain(STATES.index(one))
    link = {
        key: mangled(key, kind, values[key]) for key, kind in odd.items() if key not in one.link
    }
    kept = {key: value for key, value in one.link.items() if key not in link}
    app = entered(one.page, **(kept | link))
    assert {key: held(app, key) for key in one.keys} == values
    (said,) = notices(app)
    assert re.findall(r"`(\w+)`", said) == sorted(link)
    assert look(app) == looks
    assert not set(app.query_params) & set(link)  # the address is clean again


def test_the_corpus_is_large_and_holds_every_key_that_stands_in_a_link():
    assert sum(len(set(odd) - set(one.link)) for one, odd in CORPUS) >= 500
    met = set().union(*(plain(number)[1] for number in range(len(STATES))))
    known = {key for one in STATES for key in one.keys}
    other = known | {"present", "story", *DECLARED, *old_links.KEYS}
    where = "STATES and OWN of tests/pages/odd_links.py say what a link may hold, and do not hold"
    assert known <= met, f"{where}: {known - met}"
    assert met <= other, f"{where}: {met - other}"


def test_what_a_link_may_say_is_taken_without_a_word():
    app = entered("quantiles", split="paper", ties="keep", fanout="12", truth="FALSE", eps="0.25")
    assert notices(app) == []
    assert app.session_state["_visit"]["truth"] is False
    assert app.session_state["_visit"]["eps"] == 0.25
    app = entered("quantiles", epsilon="2", psd="1")  # keys of nobody
    assert notices(app) == []


def test_the_line_goes_with_the_page():
    app = entered("quantiles", split="")
    assert len(notices(app)) == 1
    pick(app, eps=0.5)
    assert len(notices(app)) == 1
    app.switch_page("pages/methods.py").run()
    assert notices(healthy(app)) == []


@pytest.mark.few(4)
@pytest.mark.parametrize("one", samples(), ids=lambda one: one.key)
def test_sets_go_by_short_names(one):
    app = entered("quantiles", data=one.key)
    assert app.session_state["data"] == one.key
    assert notices(app) == []
    assert held(app, "data") == one.key
    found = {key: app.query_params[key] for key in app.query_params if key == "data"}
    assert [str(value).strip("[]'") for value in found.values()] == (
        [] if one is samples()[0] else [one.key]
    )


def test_the_link_follows_the_choice_of_data_from_page_to_page():
    app = entered("quantiles", data="hours")
    app.switch_page("pages/trees.py").run()
    assert "hours" in healthy(app).query_params["data"]
    app.switch_page("pages/quantiles.py").run()
    pick(app, data_choice="exam")
    healthy(app.run())
    assert "data" not in app.query_params


def test_a_link_to_a_strangers_file_falls_back():
    for named in ("upload", "Your file"):
        app = entered("quantiles", data=named)
        assert app.session_state["data"] == samples()[0].key
        assert "`data`" in notices(app)[0]
