"""What must not be seen or kept: words about a file while the truth is off, runs about one gone."""

from __future__ import annotations

import pytest

from tests.pages.driver import healthy, opened, pick, with_file

RAGGED = b"a,b\n" + b"1,2\n" * 37 + b"1,2,3\n" * 12


@pytest.mark.parametrize("truth", [True, False])
def test_a_file_is_refused_without_its_numbers_while_the_truth_is_off(truth):
    app = pick(opened(), truth=truth)
    app.file_uploader(key="file").upload("wards.csv", RAGGED, "text/csv")
    (problem,) = healthy(app.run()).error
    assert "wards" in problem.value
    assert ("12 of 49 rows" in problem.value) == truth
    pick(app, truth=not truth)
    assert ("12 of 49 rows" in app.error[0].value) != truth


@pytest.mark.parametrize("truth", [True, False])
def test_a_study_file_is_refused_without_its_values_while_the_truth_is_off(truth):
    app = pick(opened("what_if"), w_view="Paper figures", truth=truth)
    content = b"age\n39\nno answer\n"
    app.file_uploader(key="w_files_0").upload("adult_age.csv", content, "text/csv")
    (problem,) = healthy(app.run()).error
    assert ("no answer" in problem.value) == truth


def test_a_forgotten_file_takes_its_runs_along():
    app = with_file("mine.csv", b"a\n" + b"5\n6\n7\n" * 20, 0, 10)
    app.switch_page("pages/what_if.py").run()
    pick(app, w_mechanisms=["AggTree"], w_runs=10)
    next(button for button in app.button if button.key == "w_run_sweep").click().run()
    job = app.session_state["_jobs"]["sweep"]
    app.switch_page("pages/data.py").run()
    next(button for button in app.button if button.label == "Forget this file").click()
    healthy(app.run())
    assert not app.session_state["_jobs"]
    job.wait(60)
    assert not job.running
