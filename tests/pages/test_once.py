"""Release once: one draw with bits of its own, booked once, the same on every further press.

Streamlit's test runner draws no dialogs, so what stands in this one is drawn in its place; the
browser's tests open it.
"""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from dpviz.core.randomness.bits import SecureBits
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.republish import likely_errors
from dpviz.reports.words import Told, paragraph
from dpviz.ui.bench import once
from tests.browser.steps import decoded
from tests.pages.driver import alts, healthy, opened, pick
from tests.pages.maps import with_points
from tests.pages.own_file import at, with_own

LINE = b"a\n" + b"".join(b"%d\n" % (value % 90) for value in range(400))


@pytest.fixture(autouse=True)
def _in_place(monkeypatch):
    monkeypatch.setattr(once, "_dialog", once._dialog.__wrapped__)


@pytest.fixture
def keys(monkeypatch):
    """Every fresh key that is taken."""
    found: list[object] = []
    original = SecureBits.fresh

    def fresh():
        found.append(object())
        return original()

    monkeypatch.setattr(once.SecureBits, "fresh", fresh)
    return found


def own(page, *, truth=False, **choices):
    if page == "map":
        return pick(with_points(truth=truth), **choices)
    return pick(at(with_own(LINE, 0, 100, 1, truth=truth), page), **choices)


def press(app, key):
    return healthy(app.button(key=key).click().run())


def buttons(app):
    return {one.key: one.label for one in app.button if one.key and one.key.startswith("once_")}


def kept(app):
    state = app.session_state
    return list(state["_released_once"].values()) if "_released_once" in state else []


def spent(app):
    return app.session_state["_accounts"]["upload"].total.epsilon


@pytest.mark.parametrize("page", ["quantiles", "trees", "map"])
def test_it_is_drawn_once_with_a_key_of_its_own_and_booked_once(page, keys):
    app = own(page)
    before = spent(app)
    assert buttons(app) == {"once_card": "Release once"}
    app = press(app, "once_card")
    assert (keys, kept(app), spent(app)) == ([], [], before)
    app = press(app, "once_now")
    (release,) = kept(app)
    assert release.randomness == "secure"
    assert len(keys) == 1
    assert spent(app) == pytest.approx(before + release.spent.epsilon)

    assert buttons(app) == {"once_card": "Released"}
    app = press(app, "once_card")  # asked again: the same release
    assert buttons(app) == {"once_card": "Released"}
    assert kept(app) == [release]
    assert len(keys) == 1
    assert spent(app) == pytest.approx(before + release.spent.epsilon)
    assert any(paragraph(release, Told(app.text_input(key="once_subject").value)) == code.value
               for code in app.code)  # fmt: skip


def test_the_release_is_not_the_draw_on_screen_and_other_settings_are_another_one(keys):
    app = own("quantiles")
    drawn = published(app)
    app = press(press(app, "once_card"), "once_now")
    assert json.loads(kept(app)[0].to_json())["spent"]["epsilon"] == 0.1
    assert sorted(drawn) != sorted(kept(app)[0].values.tolist())
    app = press(pick(app, again_eps=0.2), "publish")
    assert buttons(app) == {"once_card": "Release once"}
    app = press(press(app, "once_card"), "once_now")
    assert [one.spent.epsilon for one in kept(app)] == [0.1, 0.2]
    assert len(keys) == 2


def published(app):
    """The numbers of the picture."""
    drawn = next(json.loads(one.proto.spec) for one in app.get("plotly_chart"))["data"]
    return decoded(next(one["x"] for one in drawn if one.get("name") == "published")).tolist()


@pytest.mark.parametrize("truth", [True, False])
def test_what_was_released_becomes_the_page(truth):
    app = own("quantiles", truth=truth, own1_0_size=400.0, below="Take away")
    place = "once_ApproximateQuantiles" if truth else "once_card"
    drawn = published(app)
    app = healthy(press(press(app, place), "once_now").run())
    (release,) = kept(app)
    values = release.values.tolist()
    assert values != drawn
    assert published(app) == values
    middle = f"{values[4]:g}"
    assert middle in app.title[0].value.replace("\\", "")
    if not truth:
        cards = "".join(one.proto.body for one in app.get("html"))
        assert " · ".join(f"{value:g}" for value in values) in cards
    script = "\n".join(code.value for code in app.code)
    assert str(drawn) not in script
    if truth:  # another draw is another page, and the release comes back with its own
        app = press(app, "new_draw")
        assert published(app) not in (values, drawn)
        app.session_state["_visit"]["seed"] -= 1
        assert published(healthy(app.run())) == values


@pytest.mark.parametrize(("page", "what"), [("trees", "tree"), ("map", "map")])
def test_counts_that_were_released_become_the_page(page, what):
    app = own(page)
    spoken = app.title[0].value, alts(app)
    app = healthy(press(press(app, "once_card"), "once_now").run())
    (release,) = kept(app)
    assert (app.title[0].value, alts(app)) != spoken
    found = [one for one in app.session_state["_results"].values() if one is release.to_json()]
    assert not found
    json_shown = [code.value for code in app.code if code.language == "json"]
    assert any(release.to_json().startswith(text.removesuffix(" …")) for text in json_shown)


def test_the_price_in_all_is_said_before(keys):
    app = press(own("quantiles"), "once_card")
    said = " ".join(one.proto.body for one in app.get("html"))
    assert "ε = 0.2 of 1 promised" in said
    assert not keys


def test_with_the_truth_on_it_says_that_looking_is_not_covered():
    app = own("quantiles", truth=True, below="Take away")
    app = press(app, "once_ApproximateQuantiles")
    assert once.LOOKED in [one.value for one in app.caption]
    app = press(own("quantiles"), "once_card")
    assert once.LOOKED not in [one.value for one in app.caption]


@pytest.mark.parametrize(
    ("page", "choices"),
    [("quantiles", {"below": "Take away"}), ("trees", {"trees_view": "take"}),
     ("map", {"map_view": "take"})],
)  # fmt: skip
def test_it_stands_where_releases_are_taken_away(page, choices):
    assert "Release once" in buttons(own(page, truth=True, **choices)).values()


def test_what_holds_up_to_rounding_only_is_not_released_for_good():
    app = own("quantiles", truth=True, below="Take away", method="JointExp")
    assert buttons(app) == {}
    app = own("map", truth=True, map_view="take", m_method="kd-true (not private)")
    assert buttons(app) == {}


@pytest.mark.parametrize("page", ["quantiles", "trees"])
def test_a_sample_is_a_rehearsal_with_its_seed(page, keys):
    app = press(opened(page, truth="0", data="salaries"), "once_card")
    assert once.REHEARSAL in [one.value for one in app.caption]
    total = app.session_state["_accounts"]["salaries"].total
    app = press(app, "once_now")
    (release,) = kept(app)
    assert release.randomness == "seeded"
    assert not keys
    assert app.session_state["_accounts"]["salaries"].total == total  # the draw on screen


@pytest.mark.parametrize(
    ("runs", "steps"), [(60, 2), pytest.param(300, 1, marks=pytest.mark.thorough)]
)
def test_the_report_asks_for_the_number_of_people_and_says_how_exact_it_is(runs, steps):
    app = own("quantiles", method="ApproximateQuantiles")
    app.session_state["_visit"]["eps"] = 2.0
    app = press(press(healthy(app.run()), "once_card"), "once_now")
    app = press(app, "once_card")
    assert not any("lie within" in code.value for code in app.code)
    app = pick(app, once_size=400.0)
    app = press(app, "once_card")
    (release,) = kept(app)
    mechanism = ApproximateQuantiles(round_to_grid=True)
    # the page has random numbers of its own: its ends lie among those of many others, or near
    every = [
        likely_errors(mechanism, release, 400, np.random.default_rng(run)) for run in range(runs)
    ]
    ends = np.array([(half.min(), half.max()) for half in every])
    told = next(code.value for code in app.code if "lie within" in code.value)
    first, last = re.search(r"within (\d+)(?: to (\d+))? of", told).groups()
    least, most = float(first), float(last or first)
    assert ends[:, 0].min() - steps <= least <= ends[:, 0].max() + steps
    assert ends[:, 1].min() - steps <= most <= ends[:, 1].max() + steps
    assert last is not None or not (ends[:, 0] < ends[:, 1]).all()
    assert "about 400." in told
