"""What must not be seen or kept: words about a file while the truth is off, runs about one gone."""

from __future__ import annotations

from tests.pages.driver import healthy, opened, pick, text, with_file


def test_a_study_file_is_not_read_while_the_truth_is_off():
    app = pick(opened("what_if"), w_view="Paper figures", truth=False)
    shown = {}
    for content in (b"age\n39\nno answer\n", b"age\n39\n40\n", b"age\n39\n4000\n"):
        app.file_uploader(key="w_files_0").upload("adult_age.csv", content, "text/csv")
        assert not healthy(app.run()).error
        shown[text(app)] = content
    assert len(shown) == 1
    app.file_uploader(key="w_files_0").upload("adult_age.csv", b"age\n39\nno answer\n", "text/csv")
    (problem,) = pick(app, truth=True).error
    assert "no answer" in problem.value
    assert not pick(app, truth=False).error


def test_a_forgotten_file_takes_its_runs_along():
    app = with_file("mine.csv", b"a\n" + b"5\n6\n7\n" * 20, 0, 10)
    app.switch_page("pages/what_if.py").run()
    pick(app, w_shown="sweep", w_mechanisms=["AggTree"], w_runs=10)
    next(button for button in app.button if button.key == "w_run_sweep").click().run()
    job = app.session_state["_jobs"]["sweep"]
    app.switch_page("pages/data.py").run()
    next(button for button in app.button if button.label == "Forget this file").click()
    healthy(app.run())
    assert not app.session_state["_jobs"]
    job.wait(60)
    assert not job.running
