"""Under the sentence of Decide: views of the same data, need and quantiles, stored or run."""

from __future__ import annotations

import csv
import io
import json
import time

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.answers.said import NOTICE
from dpviz.answers.studies import sweep_said, wins_said
from dpviz.answers.studies.sweep_said import NAMES as AXES
from dpviz.core.budgets import Neighbours
from dpviz.experiments.planning.sweeps import Axis
from dpviz.intake.read import read_table
from dpviz.ui.decide import deciding
from dpviz.ui.decide.inside import COMPARED
from dpviz.ui.kit.job_panel import csv_of
from dpviz.ui.kit.session import Upload
from dpviz.ui.what_if.basis import WHY_FILE
from tests.conftest import ROOT
from tests.pages.driver import alts, figures, has, healthy, pick, spoken, text
from tests.pages.pictures import pictures

PAGE = "pages/what_if.py"
NAMES = ["recursive halving", "all at once", "one by one", "noisy tree"]
VIEWS = ("sweep", "wins", "search")
SHARE = {"unit": "share"}  # 1 % of the people: a need that no check has to be run for
CHECK = deciding.check


def entered(**link):
    """A fresh session that starts on the page, as a link does."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update({"view": "sweep"} | link)
    app.switch_page(PAGE)
    return healthy(app.run())


@pytest.fixture(autouse=True)
def unchecked(monkeypatch):
    """Answers as they are at first: a check takes seconds, and these views wait for none."""
    monkeypatch.setattr(deciding, "check", lambda _: None)


@pytest.fixture
def app():
    return entered(**SHARE)


def shown(app, view):
    """Another view, as a click on the row of ways opens it."""
    app.session_state["_visit"]["view_what_if"] = view
    return healthy(app.run())


def worded(app, **words):
    """Words of the sentence, as they are set on Decide; widgets of the page where there are."""
    renamed = {"view_what_if" if key == "view" else key: one for key, one in words.items()}
    for key, value in renamed.items():
        if has(app, key):
            pick(app, **{key: value})
        else:
            app.session_state["_visit"][key] = value
            healthy(app.run())
    return app


def said(app):
    """The sentence, without what Markdown needs."""
    return app.title[0].value.replace("\\", "")


def button(app, key):
    (found,) = [one for one in app.button if one.key == key]
    return found


def finished(app, place):
    healthy(button(app, f"w_run_{place}").click().run())
    job = app.session_state["_jobs"][place]
    job.wait(120)
    healthy(app.run())
    return job


def plainly(app):
    """All that is said, without what Markdown needs."""
    return "\n".join([said(app), text(app).replace("\\", "")])


def sentence(app):
    """The line above the view, as it reads."""
    (line,) = _lines(app)
    return line


def _lines(app):
    found = []
    for one in app._tree:
        proto = getattr(one, "proto", None)
        if getattr(proto, "component_name", "") == "dpviz_sentence_p":
            data = json.loads(proto.json)
            assert (data["live"], data["small"], data["under"]) == (False, True, [])
            found.append(spoken(data))
    return found


def test_the_sentence_stands_above_as_one_line_and_not_while_presenting(app):
    line = sentence(app)
    assert line.startswith("Publish nine deciles of exam marks, between 0 and 100, of about")
    assert "ε = 0." in line
    assert not has(app, "data_choice")  # data are chosen in the sentence
    assert _lines(entered(present="1", **SHARE)) == []
    quartiles = entered(what="quartiles", given="budget", eps="0.3", **SHARE)
    assert "three quartiles" in sentence(quartiles)
    assert "with ε = 0.3" in sentence(quartiles)


def component(app, name):
    """What a component of the page was told."""
    (found,) = [
        json.loads(proto.json)
        for one in app._tree
        if getattr(proto := getattr(one, "proto", None), "component_name", "") == name
    ]
    return found


@pytest.mark.parametrize(("view", "name"), COMPARED)
def test_the_rows_of_ways_mark_the_view_that_is_shown(view, name):
    app = entered(view=view, **SHARE)
    row = component(app, "dpviz_sentence_p")["ways"]
    assert (row["names"][0], row["here"], row["part"]) == ("Answer", "Methods compared", name)
    assert row["parts"] == [one for _, one in COMPARED]
    assert app.query_params["view"] in (view, [view])


def words_of(app):
    """The words of the sentence on Decide, by name."""
    return component(app, "dpviz_sentence_h1")["values"]


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({}, {"what": "deciles", "unit": "unit"}),
        ({"view": "answer", "w_set": "quartiles"}, {"what": "quartiles"}),
        ({"w_target": "2", "w_probability": "0.9"}, {"off": "2", "unit": "share", "often": "0.9"}),
        ({"data": "ages", "w_set": "percentiles"}, {"column": "ages", "what": "percentiles"}),
        ({"w_set": "own list", "w_own": "0.2, 0.9"}, {"what": "own"}),
        ({"w_set": "m uniform", "w_m": "3", "w_suspicion": "5 %"}, {"what": "own"}),
        ({"w_set": "m uniform", "w_m": "0"}, {"what": "deciles"}),
        ({"w_set": "no set", "eps": "0.5", "view": "nonsense"}, {"what": "deciles"}),
        ({"view": "frontier", "w_set": "quartiles"}, {"what": "quartiles"}),
    ],
)
def test_a_link_to_the_answer_of_former_versions_opens_the_sentence(link, words):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page(PAGE)
    healthy(app.run())
    found = words_of(app)
    assert {key: found[key] for key in words} == words
    assert not {key for key in app.query_params if key.startswith("w_")}
    assert ("Off by at most" in component(app, "dpviz_drawing")) is (link.get("view") == "frontier")
    visit = app.session_state["_visit"]
    own = {"own list": "0.2, 0.9", "m uniform": "0.25, 0.5, 0.75"}
    if words.get("what") == "own":
        assert visit["own"] == own[link["w_set"]]
    assert visit.get("eps") == (0.5 if "eps" in link else None)


def test_a_link_to_a_view_of_former_versions_opens_it_with_what_it_said():
    app = entered(view="search", w_set="quartiles", w_target="2", w_mechanisms="noisy tree")
    assert "within 2 % of the places" in text(app).replace("\\", "")
    assert "three quartiles" in sentence(app)
    assert app.get_by_key("w_mechanisms").value == ["AggTree"]
    keys = set(app.query_params)
    assert {"what", "off", "unit", "view"} <= keys
    assert not {"w_set", "w_target"} & keys


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("what", "noun"), [("count", "a count"), ("map", "a map"), ("offers", "a budget")]
)
@pytest.mark.parametrize("view", ["search", "sweep"])
def test_a_sentence_that_is_not_about_quantiles_says_so_and_leads_back(what, noun, view):
    app = entered(what=what, view=view)
    assert said(app) == f"This view is about quantiles, and the sentence is about {noun}."
    assert "leads back to the sentence" in text(app)
    assert figures(app) == []


def test_an_answer_of_which_nothing_is_known_is_checked_here(monkeypatch):
    """Quantiles of one's own in marks: no stored curves say what they take."""
    link = {"what": "own", "unit": "unit", "view": "search"}
    assert said(entered(**link)).startswith("The answer is still to be worked out")
    monkeypatch.setattr(deciding, "check", CHECK)
    app = entered(**link)
    assert "…" not in sentence(app)
    assert "ε =" in sentence(app)
    assert said(app).startswith("Search for the exact ε")


def test_what_the_sentence_lacks_is_missing_for_a_search_alone():
    app = shown(with_upload(**SHARE), "search")
    assert said(app) == "A number of people is missing."
    assert len(figures(shown(app, "sweep"))) == 1


@pytest.mark.parametrize(("view", "said_of"), [("sweep", sweep_said), ("wins", wins_said)])
def test_what_is_stored_of_no_other_points_is_of_a_stand_in(view, said_of):
    own, other = (text(entered(view=view, data=one)).replace("\\", "") for one in ("exam", "towns"))
    assert f"computed on **{said_of.STAND_IN}**" in other
    assert said_of.STAND_IN not in own


def test_every_view_opens_with_a_picture_and_stored_results(app):
    assert len(figures(app)) == len(alts(app)) == 1
    assert set(figures(app)[0]) == set(NAMES)
    assert "Computed beforehand: nine deciles" in plainly(app)
    worded(app, view="wins")
    assert "wins at" in said(app)
    assert len(set(figures(app)[0]) & set(NAMES)) >= 3
    drawn = component(worded(app, view="search"), "dpviz_drawing")
    assert "all at once, recursive halving" in drawn  # the frontier of the sentence
    assert "An axis of ε" in drawn


# what each view can do: what brings it about, what is said then, and widgets that are there
FEATURES = [
    ("search", {"unit": "share", "off": 2.0}, "within 2 %", ()),
    ("search", {"unit": "places", "off": 120.0}, "within 2 %", ()),
    ("search", {"unit": "share", "often": 0.99}, "99 of 100 releases", ()),
    ("search", {"unit": "share", "notion": "zcdp"}, "the exact ρ of", ("w_run_smallest",)),
    ("search", {"unit": "share", "what": "quartiles"}, "three quartiles", ()),
    ("search", {"unit": "share", "what": "own"}, "3 quantiles", ()),
    ("sweep", {"notion": "approx"}, "", ("delta_exact",)),
    ("sweep", {"neighbours": Neighbours.REPLACE_ONE}, "Your settings are others", ("w_run_sweep",)),
    ("sweep", {"w_mechanisms": ["AggTree"]}, "Noisy tree is off", ("eps",)),
    ("sweep", {"w_fanout": 2}, "Your settings are others", ("w_fanout", "w_height")),
    ("sweep", {"column": "salaries"}, "Yearly salaries", ("w_csv_sweep_stored",)),
    ("sweep", {}, "at ε = 0.01", ()),
    ("sweep", {"w_axis": "m"}, "quantiles", ()),
    ("sweep", {"w_axis": "n"}, "people", ()),
    ("sweep", {"w_axis": "height"}, "comes closest with height", ()),
    ("sweep", {"w_axis": "fanout"}, "comes closest with fanout", ()),
    ("sweep", {"w_preset": "How deep a tree?"}, "comes closest with height", ()),
    ("sweep", {"w_unit": "% of people"}, "%", ()),
    ("sweep", {"w_runs": 10}, "Your settings are others", ()),
    ("wins", {"w_map": "quick"}, "places", ("w_run_winners",)),
]


@pytest.mark.few(5)
@pytest.mark.parametrize(("view", "choices", "shown", "keys"), FEATURES)
def test_what_a_view_can_do(app, view, choices, shown, keys):
    worded(app, view=view)
    worded(app, **choices)
    assert shown in plainly(app)
    assert all(has(app, key) for key in keys)


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ({"w_target": "0.7", "view": "search"}, "within 0.7 % of the places"),
        ({"view": "sweep", "w_axis": AXES[Axis.QUANTILES]}, "is off by"),
        ({"view": "sweep", "w_mechanisms": "noisy tree", "eps": "0.5"}, "Noisy tree is off"),
        ({"view": "wins", "w_map": "complete"}, "wins at"),
    ],
)
def test_links_lead_to_what_they_say(link, shown):
    app = entered(**link)
    assert shown in plainly(app)
    assert "Of the link" not in text(app)
    if "eps" in link:
        assert app.session_state["_visit"]["eps"] == 0.5


def test_a_run_under_way_shows_parts_and_can_be_stopped_and_resumed(app):
    worded(app, what="percentiles", w_runs=500)
    healthy(button(app, "w_run_sweep").click().run())
    job = app.session_state["_jobs"]["sweep"]
    assert "running" in said(app)
    assert "You may leave" in text(app)
    begin = time.monotonic()
    healthy(button(app, "w_stop_sweep").click().run())
    job.wait(10)
    assert time.monotonic() - begin < 10
    healthy(app.run())
    assert "stopped" in said(app)
    assert button(app, "w_resume_sweep").label == "Resume"
    assert button(app, "w_run_sweep").label == "Run again"


def test_two_runs_do_not_go_at_once(app):
    worded(app, what="percentiles", w_runs=500)
    healthy(button(app, "w_run_sweep").click().run())
    job = app.session_state["_jobs"]["sweep"]
    worded(app, view="search")
    if job.running:
        assert any("Another run is under way" in one.value for one in app.caption)
        assert button(app, "w_run_smallest").disabled
    job.stop()
    job.wait(10)


def test_a_sweep_runs_and_its_results_stay_until_other_data_come(app):
    worded(app, view="sweep", w_mechanisms=["ApproximateQuantiles"], w_runs=10)
    job = finished(app, "sweep")
    assert job.complete
    assert list(figures(app)[0]) == ["recursive halving"]
    assert "10 runs" in text(app)
    assert len(list(csv.DictReader(io.StringIO(csv_of(job.rows()))))) == 2 * 10  # errors, places
    app.switch_page("pages/methods.py").run()
    app.switch_page(PAGE).run()
    assert list(figures(app)[0]) == ["recursive halving"]
    worded(app, what="quartiles")
    assert "For other settings" in text(app)
    worded(app, column="uniform")
    assert "For other settings" not in text(app)
    assert "Computed beforehand" in text(app)


def test_a_run_is_told_with_its_own_axis_whatever_is_chosen_now(app):
    worded(app, view="sweep", w_mechanisms=["ApproximateQuantiles"], w_runs=10)
    finished(app, "sweep")
    before = said(app)
    assert "people at ε = " in before
    worded(app, w_axis="m")
    assert said(app) == before
    assert "For other settings" in text(app)
    worded(app, notion="zcdp")
    assert said(app) == before


def test_a_stored_sweep_is_told_in_its_own_notion():
    app = entered(view="sweep", notion="zcdp")
    assert "people at ε = " in said(app)
    assert "ρ" not in said(app)
    spec = pictures(app)[0].figure
    assert spec["layout"]["xaxis"]["ticktext"][0] == "ε = 0.01"
    assert not spec["layout"].get("shapes")  # a budget in ρ is no place on it


def test_a_search_says_how_it_went(app):
    worded(app, view="search", column="normal", w_mechanisms=["ApproximateQuantiles"])
    assert finished(app, "smallest").complete
    assert "Recursive halving needs :blue[ε = " in said(app)
    assert "Bisection over" in text(app)
    (row,) = app.dataframe[0].value.to_dict("records")
    assert row["Method"] == "recursive halving"
    assert " to " in row["95 % interval"]
    assert "of 300 runs" in row["Fresh check"]


def test_a_map_runs_and_gives_its_winners(app):
    worded(app, view="wins", column="normal", w_mechanisms=["ApproximateQuantiles", "AggTree"])
    assert "Your settings are others" in text(app)
    assert finished(app, "winners").complete
    assert "For other settings" not in text(app)
    assert set(figures(app)[0]) <= {"recursive halving", "noisy tree"}
    assert "For ε = " in alts(app)[0].replace("\\", "") or "uniform quantiles" in alts(app)[0]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("notion", "others", "counts"),
    [("pure", {}, False), ("zcdp", {}, True), ("approx", {}, True),
     ("approx", {"delta_exact": 1e-4}, True)],
)  # fmt: skip
def test_the_stored_map_is_that_of_the_notion(app, notion, others, counts):
    """In ρ and (ε, δ) running counts are among the methods; a map holds for one δ."""
    worded(app, view="wins", notion=notion, column="exam")
    worded(app, **others)
    assert "Computed beforehand" in text(app)
    assert ("Your settings are others" in text(app)) is bool(others)
    winners = set(figures(app)[0])
    assert ("running counts" in winners) is counts


def with_upload(**link):
    """The page on a file of the visitor's own; its numbers are on no screen."""
    app = entered(**link)
    values = b"secret\n" + b"".join(b"%d\n" % (31_337 + 7 * one) for one in range(400))
    table = read_table(io.BytesIO(values), "own.csv")
    app.session_state["_upload"] = Upload(table, 1, "secret")
    visit = app.session_state["_visit"]
    visit["column"] = "upload"
    for name, value in (("low", 30_000.0), ("high", 40_000.0), ("resolution", 1.0)):
        visit[f"own1_0_{name}"] = value
    return healthy(app.run())


@pytest.mark.few(3)
@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("view", VIEWS)
def test_a_file_is_never_computed_on(view, truth, monkeypatch):
    def never(*_):
        raise AssertionError("the page asked for the values of a file")

    app = with_upload(**SHARE)
    monkeypatch.setattr("dpviz.ui.kit.session.upload_values", never)
    monkeypatch.setattr("dpviz.ui.kit.session.raw_values", never)
    worded(app, view=view, truth=truth, own1_0_size=5_000.0)
    assert len(figures(app)) == (view != "search")  # which draws the frontier of the sentence
    assert WHY_FILE in text(app).replace("\\", "")
    assert NOTICE not in " ".join(one.value for one in app.markdown)
    assert "400" not in text(app)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("view", "place", "choices"),
    [
        ("search", "smallest", {}),
        ("sweep", "sweep", {"w_runs": 10, "w_axis": "n"}),
        ("wins", "winners", {"w_mechanisms": ["AggTree", "IndependentExp"]}),
    ],
)
def test_a_run_for_a_file_is_on_a_stand_in_and_nobody_pays(view, place, choices, monkeypatch):
    app = with_upload()
    monkeypatch.setattr("dpviz.ui.kit.session.upload_values", None)  # a call would fail
    monkeypatch.setattr("dpviz.ui.kit.jobs.processes_for", lambda _: 0)
    worded(app, **({"view": view, "w_mechanisms": ["AggTree"], "own1_0_size": 1_500.0} | choices))
    job = finished(app, place)
    assert job.complete
    assert job.experiment.shared.n == 1_500
    assert job.experiment.shared.bounds.low == 30_000  # stretched to what was declared
    accounts = app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401
    assert not [line for account in accounts.values() for line in account.lines()]


@pytest.mark.parametrize("view", VIEWS)
def test_a_sample_has_one_answer_with_the_truth_and_without(app, view):
    """A sample is public, its size too: the switch moves nothing."""

    def drawn():
        return component(app, "dpviz_drawing") if view == "search" else ""

    worded(app, view=view)
    before = said(app), figures(app), drawn()
    worded(app, truth=False)
    assert (said(app), drawn()) == (before[0], before[2])
    for on, off in zip(before[1], figures(app), strict=True):
        assert set(on) == set(off)
        for name in on:
            np.testing.assert_array_equal(on[name][0], off[name][0])
            np.testing.assert_array_equal(on[name][1], off[name][1])


def test_bad_choices_are_said_not_raised(app):
    worded(app, w_mechanisms=[])
    assert "Choose at least one" in text(app)
    worded(app, w_mechanisms=["ApproximateQuantiles"])
    worded(app, view="wins")
    assert "two methods" in text(app)
    worded(app, view="search", what="own", own="1.5")
    assert app.error
    assert not app.exception
