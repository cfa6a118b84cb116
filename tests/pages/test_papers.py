"""The Papers page: figures at once from stored results, runs of one's own, and the truth off."""

import csv
import io
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpviz.answers.said import NOTICE
from dpviz.experiments.engine.tally import LARGEST_GAP
from dpviz.experiments.papers import aq_study, psd_figures
from dpviz.experiments.papers.aq_study import LINES, QUICK, THEIR_COUNT
from dpviz.experiments.papers.psd_figures import EPSILONS
from dpviz.experiments.papers.sets import REAL, real_values
from dpviz.experiments.papers.stored.record import record
from dpviz.figures.studies.aq import NAMES
from dpviz.ui.kit.job_panel import csv_of
from dpviz.ui.papers.all_figures import FILTERS, rows, sentences
from dpviz.ui.papers.figures import FIGURES
from tests.browser.steps import decoded
from tests.drawn import changed
from tests.pages.driver import alts, asking_nobody, has, healthy, opened, pick
from tests.pages.pictures import crowded, drawn, pictures

SMALL = replace(
    psd_figures.QUICK,
    runs=1,
    queries=20,
    records=1500,
    cells=(32, 32),
    medians=2**8,
    quadtree_height=4,
    kd_height=3,
    matching_height=2,
    heights=(2, 3),
)
DRAWN_BEFORE = Path(__file__).with_name("papers.json")
KEYS = [row.key for row in FIGURES]
STUDIED = [row.key for row in FIGURES if row.study is not None]


@pytest.fixture
def small(monkeypatch):
    """Quick presets of a second; the package's own tests run those of the app."""
    monkeypatch.setitem(psd_figures.PRESETS, "quick", SMALL)
    monkeypatch.setitem(aq_study.PRESETS, "quick", aq_study.Settings((1, 9, 40), 1))


@pytest.fixture
def unstarted(monkeypatch):
    """Runs are paid, and never begin."""
    monkeypatch.setattr("dpviz.ui.kit.jobs.Job.start", lambda self: None)


def at(key, **link):
    return opened("papers", fig=key, **link)


def show(app, key):
    """Another figure of the same visit, as a click on its card or on All figures does."""
    app.session_state["_visit"] = {**app.session_state["_visit"], "fig": key}
    return healthy(app.run())


def traces(app):
    """Every trace of the page's one picture: name, x, y."""
    (chart,) = pictures(app)
    found = chart.figure["data"]
    return [(one["name"], decoded(one["x"]), decoded(one["y"])) for one in found]


def button(app, start):
    (found,) = [one for one in app.button if str(one.key).startswith(start)]
    return found


def finished(app, place):
    healthy(button(app, f"w_run_{place}").click().run())
    job = app.session_state["_jobs"][place]
    job.wait(60)
    healthy(app.run())
    return job


def spent(app):
    """What was booked for anybody, ε and ρ together."""
    accounts = app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401
    assert all(not account.total for account in accounts.values())  # nothing is published
    entries = [one for account in accounts.values() for one in account.entries]
    return math.fsum(one.budget.size * one.times for one in entries)


def text(app):
    """Every word of the page and its dock, without what keeps Markdown from reading it."""
    found = [*app.title, *app.markdown, *app.caption, *app.error]
    return "\n".join(one.value for one in found).replace("\\", "")


def gallery(app):
    (found,) = [
        json.loads(one.proto.mixed.json or one.proto.json)
        for one in app.get("bidi_component")
        if "rows" in (one.proto.mixed.json or one.proto.json)
    ]
    return found


def test_the_gallery_shows_every_figure_with_a_picture_and_counts_the_marks():
    app = opened("papers")
    sent = gallery(app)
    keys = [card["key"] for row in sent["rows"] for card in row["cards"]]
    assert keys == KEYS
    assert set(sent["pictures"]) == set(KEYS)
    assert len(json.dumps(sent)) < 120_000
    assert app.title[0].value == sentences()[0]
    assert "5 of 15" in app.title[0].value
    assert all(card["mark_words"] for row in sent["rows"] for card in row["cards"])


def test_thumbnails_are_short_and_hold_no_truth_of_a_set():
    for row in rows():
        for card in row.cards:
            assert card.picture is not None
            points = [shape["d"].count("L") for shape in card.picture["shapes"] if "d" in shape]
            assert max(points, default=0) <= 60, card.key
            assert card.picture["box"] == [140, 84]


@pytest.mark.parametrize("name", list(FILTERS))
def test_a_filter_keeps_the_cards_of_its_mark(name):
    app = pick(opened("papers"), papers_show=name)
    shown = [card for row in gallery(app)["rows"] for card in row["cards"]]
    assert 0 < len(shown) <= len(KEYS)
    assert len({card.get("mark", "") for card in shown}) == (4 if name == "All" else 1)


@pytest.mark.few(19)
@pytest.mark.parametrize("key", KEYS)
def test_every_figure_opens_with_its_picture_and_four_paragraphs(key, unstarted, monkeypatch):
    """On a phone, where the words of an axis have the least room."""
    monkeypatch.setattr("dpviz.ui.visit.screen.room", lambda: "phone")
    app = at(key)
    assert [crowded(one.figure) for one in pictures(app)] == [[]]
    assert changed(DRAWN_BEFORE, key, drawn(app)) == []
    said = text(app)
    assert all(head in said for head in ("As printed", "As measured", "Why different", "Settings"))
    assert "{" not in said
    assert alts(app)[0].startswith(next(r.label for r in FIGURES if r.key == key))
    assert any(one.key == "papers_back" for one in app.button)
    assert bool([one for one in app.button if str(one.key).startswith("w_run_")]) == (
        key in STUDIED
    )


@pytest.mark.parametrize("key", [row.key for row in FIGURES if len(row.parts) > 1])
def test_every_part_is_drawn_as_before_beside_the_truth_and_without_it(key, unstarted):
    (figure,) = (row for row in FIGURES if row.key == key)
    for truth in ("true", "false"):
        app = at(key, truth=truth)
        for part in figure.parts:
            if truth == "true" or part not in figure.truth_parts:
                shown = (
                    pick(app, **{f"papers_part_{key}": part})
                    if has(app, f"papers_part_{key}")
                    else app
                )
                assert changed(DRAWN_BEFORE, f"{key} {part} {truth}", drawn(shown)) == []


def test_all_figures_leads_back_and_the_link_follows():
    app = at("psd2")
    assert app.query_params["fig"] == "psd2"
    healthy(button(app, "papers_back").click().run())
    assert gallery(app)
    assert "fig" not in app.query_params


def test_a_figure_that_is_none_opens_the_gallery_and_says_so():
    app = at("aq99")
    assert gallery(app)
    assert "`fig`" in text(app)


BY_TEXT = 2  # halving and the tree, as the text has them


def test_one_study_of_aq_draws_its_four_figures(small):
    app = at("aq4")
    assert finished(app, "figures_4_to_7").complete
    drawn = {}
    for key in ("aq4", "aq5", "aq6", "aq7"):
        show(app, key)
        assert "quick study" in text(app)
        found = traces(app)
        assert len(found) == 6 * (len(NAMES) + BY_TEXT)
        drawn[key] = [(x, y) for name, x, y in found if name == "recursive halving"]
    for whole, zoomed in (("aq4", "aq5"), ("aq6", "aq7")):
        for (counts, errors), (few, same) in zip(drawn[whole], drawn[zoomed], strict=True):
            assert (list(counts), list(few)) == ([1, 9, 40], [1, 9])
            np.testing.assert_array_equal(same, errors[:2])
    for (_, pure), (_, concentrated) in zip(drawn["aq4"], drawn["aq6"], strict=True):
        assert not np.array_equal(pure, concentrated, equal_nan=True)


def test_our_variants_are_added(small):
    app = at("aq6")
    assert len(traces(app)) == 6 * (len(NAMES) + BY_TEXT)
    pick(app, w_improved=True)
    assert len(traces(app)) == 6 * (2 * len(NAMES) + BY_TEXT)


def test_what_is_counted_changes_the_curves_and_the_words():
    app = at("aq4")
    mean = traces(app)
    assert "the mean miss of the m quantiles" in text(app)
    pick(app, w_counted=LARGEST_GAP)
    assert "which the paper bounds" in text(app)
    assert "and by the largest miss" in app.title[0].value
    for (name, _, small), (same, _, large) in zip(mean, traces(app), strict=True):
        assert name == same
        assert (large >= small).all()  # the largest of m misses is at least their mean
    pick(app, w_counted=THEIR_COUNT)
    assert "as their program counts" in app.title[0].value


@pytest.mark.few(2)
@pytest.mark.parametrize("key", [key for key in STUDIED if key not in ("aq5", "aq6", "aq7")])
def test_every_study_runs_and_is_told_from_its_own_rows(key, small, monkeypatch):
    app = at(key)
    stored = [list(map(list, one[1:])) for one in traces(app)]
    place = {"aq4": "figures_4_to_7", "aq8": "figure_8"}.get(key, key)
    job = finished(app, place)
    assert job.complete, job.problem
    assert not app.error
    assert [list(map(list, one[1:])) for one in traces(app)] != stored
    assert "your run" in text(app)
    rows = list(csv.DictReader(io.StringIO(csv_of(job.rows()))))
    assert rows
    which = next(one for one in app.get("button_group") if one.key.startswith("papers_which"))
    which.set_value("Stored result")
    healthy(app.run())
    assert [list(map(list, one[1:])) for one in traces(app)] == stored


def test_a_run_shows_its_parts_and_can_be_stopped_and_resumed(small):
    app = at("aq4")
    healthy(button(app, "w_run_figures_4_to_7").click().run())
    job = app.session_state["_jobs"]["figures_4_to_7"]
    job.stop()
    job.wait(30)
    done = dict(job.done)
    for index in list(job.done)[6:]:  # however far it came, it is stopped half-way here
        del job.done[index]
    healthy(app.run())
    assert "stopped" in app.title[0].value
    assert f"{len(job.done)} of 18" in app.title[0].value
    assert "Still to come" in text(app)
    healthy(button(app, "w_resume").click().run())
    job.wait(60)
    healthy(app.run())
    assert job.complete
    assert "As measured" in text(app)
    assert len(done) <= 18


def test_results_stay_when_the_page_is_left(small):
    app = at("psd7b")
    job = finished(app, "psd7b")
    kept = len(job.rows())
    app.switch_page("pages/methods.py").run()
    app.switch_page("pages/papers.py").run()
    assert "your run" in text(healthy(app))
    assert len(app.session_state["_jobs"]["psd7b"].rows()) == kept


def test_figures_about_the_data_in_use_need_the_truth(small):
    app = at("psd7b")
    stored = pictures(app)[0].spec
    pick(app, w_spatial_points="in-use")
    assert "stored: the made-up roads" in badges(app)
    job = finished(app, "psd7b")
    assert job.complete, job.problem
    assert "Towns along roads" in text(app)
    assert NOTICE in badges(app)
    own = pictures(app)[0].spec
    assert own != stored
    pick(app, truth=False)
    assert pictures(app)[0].spec == stored  # a picture stays: that of made-up roads
    assert "hidden" in badges(app)
    assert not [one for one in app.button if str(one.key).startswith("w_run_")]
    assert len(app.get("download_button")) == 1  # of the stored results
    pick(app, w_spatial_points="roads")
    assert "your run" not in text(app)  # those were results about other points


def badges(app):
    return "\n".join(line for line in text(app).splitlines() if "badge[" in line)


def test_a_figure_of_a_paper_pays_for_the_points_in_use(unstarted):
    app = at("psd3", truth="true")
    healthy(button(app, "w_run_psd3").click().run())
    assert spent(app) == 0  # made-up roads
    pick(app, w_spatial_points="in-use")
    healthy(button(app, "w_run_psd3").click().run())
    # five releases, each read as a pruned or stopped tree and as a whole one, in two runs
    assert spent(app) == pytest.approx(5 * 2 * sum(EPSILONS))


def test_a_study_pays_for_the_sets_that_were_given_alone(unstarted):
    app = at("aq4")
    healthy(button(app, "w_run_figures").click().run())
    assert spent(app) == 0
    content = b"age\n" + b"".join(b"%d\n" % (20 + value % 60) for value in range(200))
    app.file_uploader(key="w_files_0").upload("adult_age.csv", content, "text/csv")
    asking_nobody(healthy(app.run()))
    healthy(button(app, "w_run_figures").click().run())
    each = [line.budget.size for line in LINES if line.same_as is None]
    once = len(QUICK.counts) * QUICK.trials * sum(each)
    assert spent(app) == pytest.approx(once)
    app.session_state["_jobs"].clear()
    app.file_uploader(key="w_files_0").upload("adult_age.csv", content, "text/csv")
    asking_nobody(healthy(app.run()))
    healthy(button(app, "w_run_figures").click().run())
    assert spent(app) == pytest.approx(2 * once)  # the same bytes, read again


def test_real_sets_are_taken_from_files_and_bad_ones_are_refused_in_words():
    app = at("aq3")
    app.file_uploader(key="w_files_0").upload(
        "goodreads_pages.csv", b"pages\n123456789\n", "text/csv"
    )
    healthy(app.run())
    assert "Goodreads pages" in app.error[0].value
    assert not app.session_state["_study"]
    app = at("aq3")
    before = pictures(app)[0].spec
    app.file_uploader(key="w_files_0").upload("adult_age.csv", b"age\n39\n50\n", "text/csv")
    asking_nobody(healthy(app.run()))
    assert "Adult age: real, 2 values" in text(app)
    assert pictures(app)[0].spec != before
    app.session_state["_visit"] = {**app.session_state["_visit"], "truth": False}
    healthy(app.run())  # then they count as confidential
    assert pictures(app)[0].spec == before
    assert "2 values" not in text(app)
    (forget,) = [one for one in app.button if one.label == "Forget these files"]
    healthy(forget.click().run())
    assert not app.session_state["_study"]


@pytest.mark.parametrize("age", [40, 4000])
def test_whether_a_study_took_a_file_is_not_told_once_the_truth_is_off(age):
    """A value outside the study's bounds made "Your files" of "Stand-ins"."""
    app = at("aq3")
    app.file_uploader(key="w_files_0").upload("adult_age.csv", b"age\n39\n%d\n" % age, "text/csv")
    assert bool(healthy(app.run()).error) == (age == 4000)
    app.session_state["_visit"] = {**app.session_state["_visit"], "truth": False}
    said = text(healthy(app.run()))
    assert "Adult age: your file" in said
    assert "real" not in said.split("Adult age")[1][:60]
    assert said.count(": your file") == 1
    assert "Goodreads pages: stand-in" in said
    assert [one for one in app.button if one.label == "Forget these files"]


def test_a_study_file_is_not_read_while_the_truth_is_off():
    app = at("aq3", truth="false")
    shown = set()
    for content in (b"age\n39\nno answer\n", b"age\n39\n40\n", b"age\n39\n4000\n"):
        app.file_uploader(key="w_files_0").upload("adult_age.csv", content, "text/csv")
        assert not healthy(app.run()).error
        shown.add(text(app))
    assert len(shown) == 1


@pytest.mark.parametrize("key", ["honaker1", "honaker2", "honaker3", "manohar1", "manohar2"])
def test_the_truth_of_trees_and_curves_hides(key):
    app = at(key)
    assert NOTICE in badges(app)
    shown = pictures(app)[0].spec
    headline = app.title[0].value
    pick(app, truth=False)
    assert NOTICE not in badges(app)
    assert "**" not in app.title[0].value
    if key not in {"honaker2", "honaker3"}:  # these draw weights and published counts alone
        assert pictures(app)[0].spec != shown
    assert app.title[0].value == headline or "truth" in headline or "42" in headline


def test_the_trials_of_a_poster_are_shown_with_the_truth_alone():
    app = at("manohar2")
    pick(app, papers_part_manohar2="Ten trials")
    assert {name for name, _, _ in traces(app)} == {"raw", "smoothed"}
    pick(app, truth=False)
    assert "truth" not in {name for name, _, _ in traces(app)}
    assert "shows with the truth alone" in text(app)


def test_readings_of_the_noisy_tree():
    app = at("honaker1")
    first = app.title[0].value
    pick(app, papers_part_honaker1="All combined")
    assert app.title[0].value != first
    assert "with all levels combined" in text(app)


def test_stored_results_of_the_page_are_of_today():
    assert f"version **{record().version}**" in text(at("aq4"))


def docked(app):
    """The labels of everything that opens from the dock."""
    return [one.proto.popover.label for one in app.get("popover")]


def test_before_a_run_the_page_says_which_sets_are_shown_and_which_a_run_takes():
    """The picture was of the real sets, over a dock that said "Stand-ins"."""
    app = at("aq4")
    real = "stand-in" not in record().origins.values()
    assert f"on **{'the real sets' if real else 'stand-ins'}**" in text(app)
    given = set(real_values())
    makes_up = given < set(REAL)
    taken = "Stand-ins" if makes_up else "The real sets"
    assert f"Your run: quick, 4 trials · {taken}" in docked(app)
    for key in ("aq3", "aqt1"):  # read off the stored sets at once, without a run
        assert f"Data: {'The real sets' if real else 'Stand-ins'}" in docked(at(key))
