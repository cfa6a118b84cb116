"""Under the sentence of Decide: four views of the same data, need and quantiles, stored or run."""

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
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.planning.sweeps import Axis
from dpviz.intake.read import read_table
from dpviz.ui.decide import deciding
from dpviz.ui.decide.inside import COMPARED
from dpviz.ui.kit.job_panel import csv_of
from dpviz.ui.kit.session import Upload
from dpviz.ui.what_if.basis import WHY_FILE
from tests.conftest import ROOT
from tests.pages.driver import alts, figures, has, healthy, pick, text
from tests.pages.pictures import pictures
from tests.pages.what_if_features import FEATURES

PAGE = "pages/what_if.py"
NAMES = ["recursive halving", "all at once", "one by one", "noisy tree"]
VIEWS = ("frontier", "sweep", "wins", "search")
SHARE = {"unit": "share"}  # 1 % of the people: a need that no check has to be run for
CHECK = deciding.check


def entered(**link):
    """A fresh session that starts on the page, as a link does."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update({"view": "frontier"} | link)
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


def test_it_opens_with_the_frontier_at_the_need_of_the_sentence(app):
    assert said(app) == (
        "Cheapest for nine deciles within 1 % of the places: from a noisy tree, at :blue[ε = 0.24]."
    )
    assert "All at once takes 1.3 times as much." in text(app)
    assert "_jobs" not in app.session_state or not app.session_state["_jobs"]
    assert len(figures(app)) == 1
    assert alts(app)[0].startswith("Cheapest")


def test_the_need_only_moves_along_the_frontier(app):
    worded(app, w_mechanisms=["JointExp"])
    curve = figures(app)[0]["all at once"]
    worded(app, off=5.0)
    assert ":blue[ε = 0.076]" in said(app)
    np.testing.assert_array_equal(figures(app)[0]["all at once"], curve)
    worded(app, off=0.1)
    assert ":blue[ε = " in said(app)
    assert "within 0.1 % of the places" in said(app)


def test_places_are_a_share_of_the_people(app):
    worded(app, unit="places", off=300.0)
    assert "within 5 % of the places" in said(app)


def test_a_need_in_marks_is_said_in_places():
    app = entered(unit="unit", off="2")
    assert said(app).startswith("This frontier is in places of the ranking")
    app = shown(app, "search")
    line = sentence(app)
    assert "off by at most 2\N{NO-BREAK SPACE}marks" in line
    percent = float(text(app).split("within ")[1].split(" %")[0])
    assert 0.5 < percent < 4  # a mark holds about a hundred of 6,000 students


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
            found.append(_read(data))
    return found


def _read(data):
    words = []
    for part in data["parts"]:
        if isinstance(part, str):
            words.append(part)
            continue
        name = part.get("name", "")
        value = data["computed"].get(name, data["values"].get(name, ""))
        value = (
            data["answer"] if part.get("answer") else data["lead"] if part.get("lead") else value
        )
        value = {one[0]: one[1] for one in part.get("options", [])}.get(value, value)
        words.append(f"\N{NO-BREAK SPACE}{value}" if part["joined"] else value)
    return "".join(words)


def test_the_sentence_stands_above_as_one_line_and_not_while_presenting(app):
    line = sentence(app)
    assert line.startswith("Publish nine deciles of exam marks, between 0 and 100, of about")
    assert "ε =\N{NO-BREAK SPACE}0." in line
    assert not has(app, "data_choice")  # data are chosen in the sentence
    assert _lines(entered(present="1", **SHARE)) == []
    quartiles = entered(what="quartiles", given="budget", eps="0.3", **SHARE)
    assert "three quartiles" in sentence(quartiles)
    assert "with ε =\N{NO-BREAK SPACE}0.3" in sentence(quartiles)


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


@pytest.mark.parametrize(
    ("what", "noun"), [("count", "a count"), ("map", "a map"), ("offers", "a budget")]
)
@pytest.mark.parametrize("view", ["frontier", "sweep"])
def test_a_sentence_that_is_not_about_quantiles_says_so_and_leads_back(what, noun, view):
    app = entered(what=what, view=view)
    assert said(app) == f"This view is about quantiles, and the sentence is about {noun}."
    assert "leads back to the sentence" in text(app)
    assert figures(app) == []


def test_an_answer_of_which_nothing_is_known_is_checked_here(monkeypatch):
    """Quantiles of one's own in marks: no stored curves say what they take."""
    link = {"what": "own", "unit": "unit"}
    assert said(entered(**link)).startswith("The answer is still to be worked out")
    monkeypatch.setattr(deciding, "check", CHECK)
    app = entered(**link)
    assert "…" not in sentence(app)
    assert "ε =" in sentence(app)
    assert said(app).startswith("This frontier is in places of the ranking")


def test_what_the_sentence_lacks_is_missing_for_its_frontier_alone():
    app = with_upload(**SHARE)
    assert said(app) == "A number of people is missing."
    assert len(figures(shown(app, "sweep"))) == 1


def test_a_need_of_no_place_and_one_that_no_budget_keeps_are_said(app):
    worded(app, unit="share", off=1e-6)
    assert said(app).startswith(("No ε that was tried publishes nine deciles", "Cheapest"))


@pytest.mark.parametrize(("view", "said_of"), [("sweep", sweep_said), ("wins", wins_said)])
def test_what_is_stored_of_no_other_points_is_of_a_stand_in(view, said_of):
    own, other = (text(entered(view=view, data=one)).replace("\\", "") for one in ("exam", "towns"))
    assert f"computed on **{said_of.STAND_IN}**" in other
    assert said_of.STAND_IN not in own


def test_a_search_says_which_frontier_stands_meanwhile():
    def below(**link):
        return text(entered(view="search", unit="share", **link)).replace("\\", "")

    assert "the frontier computed beforehand" in below()
    other = "the frontier of nine deciles in 19 of 20 releases, computed beforehand"
    assert other in below(often="0.9")
    assert "that of a stand-in of 15,000 people" in below(data="towns")


def test_every_view_opens_with_a_picture_and_stored_results(app):
    for view in VIEWS:
        worded(app, view=view)
        assert len(figures(app)) == 1, view
        assert alts(app)[0], view
        assert not app.error, view
    worded(app, view="sweep")
    assert set(figures(app)[0]) == set(NAMES)
    assert "Computed beforehand: nine deciles" in text(app).replace("\\", "")
    worded(app, view="wins")
    assert "wins at" in said(app)
    assert len(set(figures(app)[0]) & set(NAMES)) >= 3


@pytest.mark.parametrize("one", FEATURES, ids=[one.what for one in FEATURES])
def test_everything_that_the_page_could_do_it_still_can(app, one):
    worded(app, view=one.where)
    choices = dict(one.choices)
    if "neighbours" in choices:
        choices["neighbours"] = Neighbours.REPLACE_ONE
    worded(app, **choices)
    told = "\n".join([said(app), text(app).replace("\\", "")])
    assert one.shown.replace("\\", "") in told
    for key in one.keys:
        assert app.get_by_key(key) is not None, key
    assert len(figures(app)) == 1


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ({"unit": "share", "off": "0.7"}, "within 0.7 %"),
        ({"unit": "share", "often": "0.9"}, "Not computed beforehand"),
        ({"notion": "zcdp", "what": "quartiles", "unit": "share"}, "three quartiles"),
        ({"w_target": "0.7", "w_set": "quartiles"}, "three quartiles within 0.7 %"),
        ({"w_target": "0.7", "view": "search"}, "within 0.7 % of the places"),
        ({"view": "sweep", "w_axis": AXES[Axis.QUANTILES]}, "is off by"),
        ({"view": "sweep", "w_mechanisms": "noisy tree", "eps": "0.5"}, "Noisy tree is off"),
        ({"view": "wins", "w_map": "complete"}, "wins at"),
    ],
)
def test_links_lead_to_what_they_say(link, shown):
    app = entered(**link)
    assert shown in "\n".join([said(app), text(app).replace("\\", "")])
    assert "Of the link" not in text(app)
    if "eps" in link:
        assert app.session_state["_visit"]["eps"] == 0.5


def test_own_settings_run_in_parts_and_then_answer(app):
    worded(app, w_mechanisms=["ApproximateQuantiles", "AggTree"], what="own")
    assert "Not computed beforehand" in said(app)
    assert "in 62 parts" in text(app)
    job = finished(app, "answer")
    assert job.complete
    assert said(app).startswith("Cheapest for 3 quantiles within 1 % of the places")
    size = float(said(app).split("ε = ")[1].split("]")[0])
    assert 0.01 <= size < 10
    assert "w_run_answer" not in {one.key for one in app.button}
    worded(app, off=10.0)  # the run is not needed again
    assert float(said(app).split("ε = ")[1].split("]")[0]) < size
    rows = list(csv.DictReader(io.StringIO(csv_of(job.rows()))))
    assert len(rows) == 62
    app.switch_page("pages/methods.py").run()
    app.switch_page(PAGE).run()
    assert "3 quantiles" in said(app)


def test_a_run_under_way_shows_parts_and_can_be_stopped_and_resumed(app):
    worded(app, what="own")
    healthy(button(app, "w_run_answer").click().run())
    job = app.session_state["_jobs"]["answer"]
    assert "running" in said(app)
    assert "You may leave" in text(app)
    assert len(figures(app)) == 1
    begin = time.monotonic()
    healthy(button(app, "w_stop_answer").click().run())
    job.wait(10)
    assert time.monotonic() - begin < 10
    healthy(app.run())
    assert "stopped" in said(app)
    assert button(app, "w_resume_answer").label == "Resume"
    assert button(app, "w_run_answer").label == "Run again"


def test_two_runs_do_not_go_at_once(app):
    worded(app, what="own")
    healthy(button(app, "w_run_answer").click().run())
    job = app.session_state["_jobs"]["answer"]
    worded(app, view="sweep")
    if job.running:
        assert any("Another run is under way" in one.value for one in app.caption)
        assert button(app, "w_run_sweep").disabled
    job.stop()
    job.wait(10)


def test_a_sweep_runs_and_its_results_stay_until_other_data_come(app):
    worded(app, view="sweep", w_mechanisms=["ApproximateQuantiles"], w_runs=10)
    job = finished(app, "sweep")
    assert job.complete
    assert list(figures(app)[0]) == ["recursive halving"]
    assert "10 runs" in text(app)
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


def annotations(app):
    spec = pictures(app)[0].figure
    return [note["text"] for note in spec["layout"]["annotations"]]


@pytest.mark.parametrize("view", ["frontier", "search"])
def test_a_preview_says_what_it_shows_itself(view):
    """The picture meanwhile is of the usual settings, whatever is asked for."""
    app = entered(view=view, often="0.99", what="own", unit="share")
    told = annotations(app)
    assert any(one.startswith("Largest error of nine deciles that 19 of 20 ") for one in told)
    assert not any("99 of 100" in one for one in told)


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


@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("view", VIEWS)
def test_a_file_is_never_computed_on(view, truth, monkeypatch):
    def never(*_):
        raise AssertionError("the page asked for the values of a file")

    app = with_upload(**SHARE)
    monkeypatch.setattr("dpviz.ui.kit.session.upload_values", never)
    monkeypatch.setattr("dpviz.ui.kit.session.raw_values", never)
    worded(app, view=view, truth=truth, own1_0_size=5_000.0)
    assert len(figures(app)) == 1
    assert WHY_FILE in text(app).replace("\\", "")
    assert NOTICE not in " ".join(one.value for one in app.markdown)
    assert "400" not in text(app)


def test_any_number_of_people_has_a_frontier_at_once_and_a_run_makes_it_exact():
    app = with_upload(**SHARE)
    worded(app, own1_0_size=5_000.0, w_mechanisms=["ApproximateQuantiles"])
    assert "at about :blue[ε = " in said(app)
    about = float(said(app).split("ε = ")[1].split("]")[0])
    finished(app, "answer")
    assert ", at :blue[ε = " in said(app)
    assert float(said(app).split("ε = ")[1].split("]")[0]) == pytest.approx(about, rel=0.15)


@pytest.mark.parametrize(
    ("view", "place", "choices"),
    [
        ("frontier", "answer", {"often": 0.9}),
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
    worded(app, view=view)
    before = said(app), figures(app)
    worded(app, truth=False)
    assert said(app) == before[0]
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
    worded(app, view="frontier", what="own", own="1.5")
    assert app.error
    assert not app.exception


def test_a_coordinate_of_points_has_no_stored_answer_and_can_be_run(app):
    worded(app, column="towns")
    assert "Not computed beforehand" in said(app)
    assert len(figures(app)) == 1


def test_the_frontier_names_the_cheapest_way_and_the_next(app):
    worded(app, view="frontier")
    assert said(app) == (
        "Cheapest for nine deciles within 1 % of the places: from a noisy tree, at :blue[ε = 0.24]."
    )
    assert "All at once takes 1.3 times as much." in text(app)
    worded(app, w_mechanisms=["ApproximateQuantiles", "JointExp"])
    assert "Recursive halving takes 1." in text(app)
    worded(app, w_mechanisms=["AggTree"])
    assert said(app) == (
        "Cheapest for nine deciles within 1 % of the places: from a noisy tree, at :blue[ε = 0.24]."
    )
    worded(app, w_mechanisms=["IndependentExp"], what="percentiles", off=0.1)
    assert said(app).startswith(
        "No ε that was tried publishes 99 percentiles within 0.1 % of the places"
    )


@pytest.mark.parametrize("people", [10_000_000.0])
def test_more_people_than_a_stand_in_can_have_are_reckoned(people):
    app = worded(with_upload(**SHARE), own1_0_size=people, w_mechanisms=["ApproximateQuantiles"])
    assert "at about :blue[ε = " in said(app)
    size = float(said(app).split("ε = ")[1].split("]")[0])
    fewer = worded(app, own1_0_size=1_000_000.0)
    assert size * people == pytest.approx(
        1e6 * float(said(fewer).split("ε = ")[1].split("]")[0]), rel=0.15
    )


@pytest.mark.parametrize(
    ("kind", "shape"),
    [("money", "pay"), ("mark", "measurements"), ("stars", "stars"), ("age", "anything alike"),
     ("other", "anything alike")],
)  # fmt: skip
def test_a_file_has_the_stand_in_of_its_kind_of_number(kind, shape):
    app = with_upload(**SHARE)
    app.session_state["_kind_own1_0"] = kind
    worded(app, own1_0_size=15_000.0)
    assert f"Stand-in: {shape}, 15,000 people" in text(app).replace("\\", "")


def test_of_three_people_nothing_is_reckoned_from_thousands():
    assert said(worded(with_upload(**SHARE), own1_0_size=3.0)).startswith("Not computed beforehand")
