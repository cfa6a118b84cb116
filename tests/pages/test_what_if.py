from __future__ import annotations

import csv
import io
import json
import re
import time

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import catalogue
from dpviz.answers.said import NOTICE
from dpviz.answers.studies import sweep_said, wins_said
from dpviz.answers.studies.sweep_said import NAMES as AXES
from dpviz.core.bounds import Bounds
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.experiments.planning.stand_ins import stand_in
from dpviz.experiments.planning.sweeps import Axis
from dpviz.intake.read import read_table
from dpviz.intake.samples import sample_column
from dpviz.ui.kit.job_panel import csv_of
from dpviz.ui.kit.session import Upload
from dpviz.ui.what_if.basis import WHY_FILE
from tests.conftest import ROOT
from tests.pages.driver import alts, figures, healthy, held, pick, text
from tests.pages.what_if_features import FEATURES

PAGE = "pages/what_if.py"
NAMES = ["recursive halving", "all at once", "one by one", "noisy tree"]
WAYS = {kind.name: kind.card.way for kind in catalogue.QUANTILES}
VIEWS = ("answer", "search", "sweep", "wins")


def entered(**link):
    """A fresh session that starts on the page, as a link does."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page(PAGE)
    return healthy(app.run())


@pytest.fixture
def app():
    return entered()


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


def test_the_page_opens_with_the_answer(app):
    assert said(app) == (
        "You need :blue[ε = 0.24] to publish nine deciles, from a noisy tree, within 1 % of the "
        "places."
    )
    assert "off by at most 60 of 6,000 students, at every one" in text(app).replace("\\", "")
    assert "All at once is level with it." in text(app).replace("\\", "")
    assert not app.session_state["_jobs"] if "_jobs" in app.session_state else True
    assert len(figures(app)) == 1
    assert alts(app)[0].startswith("You need")


def farthest(column, q, records):
    """How far a value can lie from a quantile and miss so few records: by trying every value."""
    rank = int(np.floor(q * column.n + 1e-9))
    ordered = np.sort(column.values)
    near = [
        value
        for value in np.unique(ordered)
        if np.sum(ordered < value) <= rank + records and np.sum(ordered <= value) >= rank - records
    ]
    return max(abs(value - ordered[rank]) for value in near)


@pytest.mark.parametrize(("question", "target"), [("deciles", 1.0), ("quartiles", 5.0)])
def test_the_target_is_said_in_the_columns_own_unit(app, question, target):
    pick(app, w_set=question, w_target=target)
    column = sample_column("exam")
    asked = QUESTIONS[question]
    far = [farthest(column, q, int(target / 100 * column.n)) for q in asked]
    unit = ["mark" if one == 1 else "marks" for one in far]
    middle, worst = (f"{far[at]:g} {unit[at]}" for at in (len(far) // 2, int(np.argmax(far))))
    told = text(app).replace("\\", "")
    assert f": the median by {middle}, none by more than {worst}." in told
    pick(app, w_error="mean gap")
    assert "the median by" not in text(app)


def test_the_target_only_moves_the_answer(app):
    pick(app, w_mechanisms=["JointExp"])
    curve = figures(app)[0]["all at once"]
    pick(app, w_target=5.0)
    assert ":blue[ε = 0.056]" in said(app)
    np.testing.assert_array_equal(figures(app)[0]["all at once"], curve)
    pick(app, w_target=0.1)
    assert ":blue[ε = " in said(app)
    assert "within 0.1 % of the places" in said(app)


def test_the_band_is_that_of_the_stored_releases(app):
    curve, (drawn,) = stored.curves("exam", "deciles")["AggTree"], figures(app)
    shown = {"best": curve.low, "half of them": curve.middle, "band": curve.sure}
    assert set(NAMES) & set(drawn) == {"noisy tree"}
    for name, errors in (shown | {"noisy tree": curve.sure}).items():
        np.testing.assert_array_equal(drawn[name][0], curve.budgets)
        np.testing.assert_array_equal(drawn[name][1], np.maximum(errors, 1e-5))


def test_one_method_alone_gives_its_own_answer(app):
    for name, size in (("ApproximateQuantiles", "0.36"), ("AggTree", "0.24")):
        pick(app, w_mechanisms=[name])
        assert f":blue[ε = {size}]" in said(app)
    pick(app, w_mechanisms=["IndependentExp"], w_set="percentiles", w_target=0.1)
    assert said(app).startswith("No ε up to 10 publishes 99 percentiles")


def test_half_the_answer_and_twice_the_budget_with_odds_rounded_up(app):
    pick(app, w_mechanisms=["ApproximateQuantiles"])
    told = text(app).replace("\\", "")
    for head, odds in (("Half the budget: ε = 0.18", 11.8), ("Your answer: ε = 0.36", 13.8),
                       ("Twice the budget: ε = 0.72", 18.6)):  # fmt: skip
        assert head in told
        assert f"grows by their record to at most **{odds:g} %**" in told
        exact = 100 / (1 + 9 * np.exp(-float(head.split("= ")[1])))
        assert exact <= odds < exact + 0.1
    pick(app, w_suspicion=1)
    assert "A suspicion of 1 %" in text(app).replace("\\", "")


def test_the_answer_can_be_taken_along(app):
    pick(app, data_choice="ages", w_set="quartiles")
    size = float(said(app).split("ε = ")[1].split("]")[0])
    method = {name: key for key, name in WAYS.items() if name in said(app)}
    button(app, "use_answer").click().run()
    assert not app.exception
    visit = app.session_state["_visit"]
    assert visit["eps"] == size
    assert [visit["q_method"]] == list(method.values())
    assert app.session_state["set"] == "quartiles"
    assert app.session_state["data"] == "ages"
    assert "Three quartiles" in text(app) or "The median" in said(app)


@pytest.mark.parametrize("question", ["median", "percentiles", "own list", "m uniform"])
def test_any_set_of_quantiles_goes_along_with_its_method(app, question):
    pick(app, w_set=question, w_mechanisms=["AggTree"])
    if question in {"own list", "m uniform"}:
        finished(app, "answer")
    button(app, "use_answer").click().run()
    assert not app.exception
    asked = {"median": [0.5], "percentiles": np.arange(1, 100) / 100, "own list": [0.01, 0.5, 0.99],
             "m uniform": np.arange(1, 16) / 16}[question]  # fmt: skip
    assert app.session_state["_visit"]["q_method"] == "AggTree"
    spent = app.session_state["_visit"]["eps"]  # beside it stand those of the slider's stops
    (released,) = [
        one
        for key, one in held(app).items()
        if key[0] == "release" and one.release.spent.size == spent
    ]
    np.testing.assert_allclose(released.release.quantiles, asked, atol=1e-9)


def test_presenting_the_line_below_says_what_a_suspicion_becomes():
    app = entered(present="1")
    assert "19 of 20 releases are that close." in text(app)
    assert "All at once is level with it." not in text(app)


@pytest.mark.parametrize(("view", "said_of"), [("sweep", sweep_said), ("wins", wins_said)])
def test_what_is_stored_of_no_other_points_is_of_a_stand_in(view, said_of):
    own, other = (text(entered(view=view, data=one)).replace("\\", "") for one in ("exam", "towns"))
    assert f"computed on **{said_of.STAND_IN}**" in other
    assert said_of.STAND_IN not in own


def test_a_search_says_which_answer_stands_meanwhile():
    def below(**link):
        return text(entered(view="search", **link)).replace("\\", "")

    assert "the answer computed beforehand" in below()
    other = "the answer for nine deciles in 19 of 20 releases, computed beforehand"
    assert other in below(w_probability="0.9")
    assert "that of a stand-in of 15,000 people" in below(data="towns")


def test_methods_are_compared_in_their_own_hues(app):
    pick(app, w_compare=True)
    (drawn,) = figures(app)
    assert {f"{name}, answer" for name in NAMES} <= set(drawn)
    at = {name: drawn[f"{name}, answer"][0][0] for name in NAMES}
    assert sorted(at, key=at.get) == [
        "noisy tree",
        "all at once",
        "recursive halving",
        "one by one",
    ]


def test_every_view_opens_with_a_picture_and_stored_results(app):
    for view in VIEWS:
        pick(app, w_shown=view)
        assert len(figures(app)) == 1, view
        assert alts(app)[0], view
        assert not app.error, view
    pick(app, w_shown="sweep")
    assert set(figures(app)[0]) == set(NAMES)
    assert "Computed beforehand: nine deciles" in text(app).replace("\\", "")
    pick(app, w_shown="wins")
    assert "wins at" in said(app)
    assert len(set(figures(app)[0]) & set(NAMES)) >= 3


@pytest.mark.parametrize("one", FEATURES, ids=[one.what for one in FEATURES])
def test_everything_that_the_page_could_do_it_still_can(app, one):
    pick(app, w_shown=one.where)
    choices = dict(one.choices)
    if "neighbours" in choices:
        choices["neighbours"] = Neighbours.REPLACE_ONE
    pick(app, **choices)
    told = "\n".join([said(app), text(app).replace("\\", "")])
    assert one.shown.replace("\\", "") in told
    for key in one.keys:
        assert app.get_by_key(key) is not None, key
    assert len(figures(app)) == 1


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ({"w_target": "0.7"}, "within 0.7 %"),
        ({"w_error": "mean gap"}, "Not computed beforehand"),
        ({"notion": "zcdp", "w_set": "quartiles"}, "three quartiles"),
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
    pick(app, w_mechanisms=["ApproximateQuantiles", "AggTree"], w_set="own list")
    assert "Not computed beforehand" in said(app)
    assert "in 62 parts" in text(app)
    job = finished(app, "answer")
    assert job.complete
    assert said(app).startswith("You need") or "already enough" in said(app)
    assert "3 quantiles" in said(app)
    size = float(said(app).split("ε = ")[1].split("]")[0])
    assert 0.01 <= size < 10
    assert "w_run_answer" not in {one.key for one in app.button}
    pick(app, w_target=10.0)  # the run is not needed again
    assert float(said(app).split("ε = ")[1].split("]")[0]) < size
    rows = list(csv.DictReader(io.StringIO(csv_of(job.rows()))))
    assert len(rows) == 62
    app.switch_page("pages/methods.py").run()
    app.switch_page(PAGE).run()
    assert "3 quantiles" in said(app)


def test_a_run_under_way_shows_parts_and_can_be_stopped_and_resumed(app):
    pick(app, w_set="own list")
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
    pick(app, w_set="own list")
    healthy(button(app, "w_run_answer").click().run())
    job = app.session_state["_jobs"]["answer"]
    pick(app, w_shown="sweep")
    if job.running:
        assert any("Another run is under way" in one.value for one in app.caption)
        assert button(app, "w_run_sweep").disabled
    job.stop()
    job.wait(10)


def test_a_sweep_runs_and_its_results_stay_until_other_data_come(app):
    pick(app, w_shown="sweep", w_mechanisms=["ApproximateQuantiles"], w_runs=10)
    job = finished(app, "sweep")
    assert job.complete
    assert list(figures(app)[0]) == ["recursive halving"]
    assert "10 runs" in text(app)
    pick(app, w_set="quartiles")
    assert "For other settings" in text(app)
    pick(app, data_choice="uniform")
    assert "For other settings" not in text(app)
    assert "Computed beforehand" in text(app)


def test_a_run_is_told_with_its_own_axis_whatever_is_chosen_now(app):
    pick(app, w_shown="sweep", w_mechanisms=["ApproximateQuantiles"], w_runs=10)
    finished(app, "sweep")
    before = said(app)
    assert "people at ε = " in before
    pick(app, w_axis="m")
    assert said(app) == before
    assert "For other settings" in text(app)
    pick(app, notion="zcdp")
    assert said(app) == before


def test_a_stored_sweep_is_told_in_its_own_notion():
    app = entered(view="sweep", notion="zcdp")
    assert "people at ε = " in said(app)
    assert "ρ" not in said(app)
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert spec["layout"]["xaxis"]["ticktext"][0] == "ε = 0.01"
    assert not spec["layout"].get("shapes")  # a budget in ρ is no place on it


def annotations(app):
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    return [note["text"] for note in spec["layout"]["annotations"]]


@pytest.mark.parametrize("view", ["answer", "frontier", "search"])
def test_a_preview_says_what_it_shows_itself(view):
    """The picture meanwhile is of the usual settings, whatever is asked for."""
    app = entered(view=view, w_error="mean gap", w_probability="0.99", w_set="own list")
    told = annotations(app)
    assert any(one.startswith("Largest error of nine deciles, ") for one in told)
    assert not any("Mean error" in one or "99 of 100" in one for one in told)


def test_a_search_says_how_it_went(app):
    pick(app, w_shown="search", data_choice="normal", w_mechanisms=["ApproximateQuantiles"])
    assert finished(app, "smallest").complete
    assert "Recursive halving needs :blue[ε = " in said(app)
    assert "Bisection over" in text(app)
    (row,) = app.dataframe[0].value.to_dict("records")
    assert row["Method"] == "recursive halving"
    assert " to " in row["95 % interval"]
    assert "of 300 runs" in row["Fresh check"]


def test_a_map_runs_and_gives_its_winners(app):
    pick(
        app, w_shown="wins", data_choice="normal", w_mechanisms=["ApproximateQuantiles", "AggTree"]
    )
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
    pick(app, w_shown="wins", notion=notion, data_choice="exam")
    pick(app, **others)
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

    app = with_upload()
    monkeypatch.setattr("dpviz.ui.kit.session.upload_values", never)
    monkeypatch.setattr("dpviz.ui.kit.session.raw_values", never)
    pick(app, w_shown=view, truth=truth)
    assert len(figures(app)) == 1
    assert WHY_FILE in text(app).replace("\\", "")
    assert NOTICE not in " ".join(one.value for one in app.markdown)
    assert "400" not in text(app)
    assert WHY_FILE in " ".join(one.value for one in app.caption)


def test_an_answer_for_a_file_says_that_it_is_about_a_stand_in_and_why():
    app = with_upload()
    told = text(app).replace("\\", "")
    assert WHY_FILE in told
    assert said(app).startswith("Nine deciles within 1 % of the places take about :blue[ε = ")
    assert "/ people]" in said(app)
    assert not [one for one in app.button if one.key == "use_answer"]
    product = float(said(app).split("ε = ")[1].split(" /")[0].replace(",", ""))
    for people in (1_500, 15_000, 150_000):
        pick(app, own1_0_size=float(people))
        assert said(app).endswith(f"within 1 % of the places, if there are about {people:,}.")
        size = float(said(app).split("ε = ")[1].split("]")[0])
        more = 1.8 if people > 20_000 else 1.2  # all at once is not stored for so many
        assert product / people / 1.2 < size < more * product / people
        assert f"{people // 100:,} of {people:,} people" in text(app).replace("\\", "")
        assert "about :blue" not in said(app)
    pick(app, w_shape="exam", own1_0_size=1_500.0)
    assert "15 of 1,500 people" in text(app).replace("\\", "")


def test_any_number_of_people_has_an_answer_at_once_and_a_run_makes_it_exact():
    app = with_upload()
    pick(app, own1_0_size=5_000.0, w_mechanisms=["ApproximateQuantiles"])
    assert said(app).startswith("You need about :blue[ε = ")
    assert said(app).endswith("within 1 % of the places, if there are about 5,000.")
    about = float(said(app).split("ε = ")[1].split("]")[0])
    finished(app, "answer")
    assert said(app).startswith("You need :blue[ε = ")
    assert float(said(app).split("ε = ")[1].split("]")[0]) == pytest.approx(about, rel=0.15)
    button(app, "use_answer").click().run()
    assert app.session_state["_visit"]["column"] == "upload"
    assert app.session_state["_visit"]["q_method"] == "ApproximateQuantiles"
    assert app.session_state["_visit"]["own1_0_size"] == 5_000


@pytest.mark.parametrize(
    ("view", "place", "choices"),
    [
        ("answer", "answer", {"w_probability": 0.9}),
        ("search", "smallest", {}),
        ("sweep", "sweep", {"w_runs": 10, "w_axis": "n"}),
        ("wins", "winners", {"w_mechanisms": ["AggTree", "IndependentExp"]}),
    ],
)
def test_a_run_for_a_file_is_on_a_stand_in_and_nobody_pays(view, place, choices, monkeypatch):
    app = with_upload()
    monkeypatch.setattr("dpviz.ui.kit.session.upload_values", None)  # a call would fail
    monkeypatch.setattr("dpviz.ui.kit.jobs.processes_for", lambda _: 0)
    pick(app, **({"w_shown": view, "w_mechanisms": ["AggTree"], "own1_0_size": 1_500.0} | choices))
    job = finished(app, place)
    assert job.complete
    assert job.experiment.shared.n == 1_500
    assert job.experiment.shared.bounds.low == 30_000  # stretched to what was declared
    accounts = app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401
    assert not [line for account in accounts.values() for line in account.lines()]


@pytest.mark.parametrize("view", ["answer", "frontier", "search", "sweep", "wins"])
def test_a_sample_has_one_answer_with_the_truth_and_without(app, view):
    """A sample is public, its size too: the switch moves nothing."""
    pick(app, w_shown=view)
    before = said(app), figures(app)
    pick(app, truth=False)
    assert said(app) == before[0]
    for on, off in zip(before[1], figures(app), strict=True):
        assert set(on) == set(off)
        for name in on:
            np.testing.assert_array_equal(on[name][0], off[name][0])
            np.testing.assert_array_equal(on[name][1], off[name][1])


def test_bad_choices_are_said_not_raised(app):
    pick(app, w_mechanisms=[])
    assert "Choose at least one" in text(app)
    pick(app, w_mechanisms=["ApproximateQuantiles"])
    pick(app, w_shown="wins")
    assert "two methods" in text(app)
    pick(app, w_shown="answer", w_set="own list", w_own="1.5")
    assert app.error
    assert not app.exception


def test_a_coordinate_of_points_has_no_stored_answer_and_can_be_run(app):
    pick(app, data_choice="towns")
    assert "Not computed beforehand" in said(app)
    assert len(figures(app)) == 1


def test_the_frontier_names_the_cheapest_way_and_the_next(app):
    pick(app, w_shown="frontier")
    told = said(app)
    assert told == (
        "Cheapest for nine deciles within 1 % of the places: from a noisy tree, at "
        ":blue[ε = 0.24]; all at once takes as much."
    )
    pick(app, w_mechanisms=["ApproximateQuantiles", "JointExp"])
    assert said(app).endswith("; recursive halving takes 1.5 times as much.")
    pick(app, w_mechanisms=["AggTree"])
    assert said(app) == (
        "Cheapest for nine deciles within 1 % of the places: from a noisy tree, at :blue[ε = 0.24]."
    )
    pick(app, w_mechanisms=["IndependentExp"], w_set="percentiles", w_target=0.1)
    assert said(app).startswith(
        "No ε that was tried publishes 99 percentiles within 0.1 % of the places"
    )


def test_the_frontier_of_other_settings_is_run_first(app):
    pick(app, w_shown="frontier")
    pick(app, w_error="mean gap")
    assert said(app).startswith("Not computed beforehand")


def test_one_quantile_has_a_formula_beside_its_answer(app):
    pick(app, w_set="median", w_target=1.0)
    strip = text(app).replace("\\", "")
    assert "by formula **ε = 0.05 without ties**" in strip
    pick(app, w_target=0.1)
    finer = text(app).replace("\\", "")
    assert "by formula **ε = 0.46 without ties, evenly apart; 0.47 by chance**" in finer
    pick(app, w_set="quartiles")
    assert "by formula" not in text(app)


@pytest.mark.parametrize("people", [10_000_000.0, 1e300])
def test_more_people_than_a_stand_in_can_have_are_reckoned(people):
    app = pick(with_upload(), own1_0_size=people, w_mechanisms=["ApproximateQuantiles"])
    assert said(app).startswith("You need about :blue[ε = ")
    far = farthest_words(app)
    size = float(said(app).split("ε = ")[1].split("]")[0])
    fewer = pick(app, own1_0_size=1_000_000.0)
    assert size * people == pytest.approx(
        1e6 * float(said(fewer).split("ε = ")[1].split("]")[0]), rel=0.15
    )
    assert farthest_words(fewer) == far  # the same share of the places, whatever their number


def farthest_words(app):
    """What the target is in the unit of a stand-in."""
    (found,) = re.findall(r"the median by ([\d,.]+), none by more than ([\d,.]+)\.", text(app))
    people = stand_in("log-normal", 15_000, np.random.default_rng(8), Bounds(30_000, 40_000), 1.0)
    far = [farthest(people, q, 150) for q in QUESTIONS["deciles"]]
    assert [float(one.replace(",", "")) for one in found] == [far[4], max(far)]
    return found


def test_of_three_people_nothing_is_reckoned_from_thousands():
    assert said(pick(with_upload(), own1_0_size=3.0)).startswith("Not computed beforehand")
