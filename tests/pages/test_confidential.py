"""What must not be seen or kept: runs about a file that is gone."""

from tests.pages.driver import healthy, inside, pick
from tests.pages.own_file import with_own


def test_a_forgotten_file_takes_its_runs_along():
    app = with_own(b"a\n" + b"5\n6\n7\n" * 20, 0, 10, truth=True)
    pick(inside(app, "sweep"), w_mechanisms=["AggTree"], w_runs=10)
    next(button for button in app.button if button.key == "w_run_sweep").click().run()
    job = app.session_state["_jobs"]["sweep"]
    app.switch_page("pages/data.py").run()
    next(button for button in app.button if button.label == "Forget this file").click()
    healthy(app.run())
    assert not app.session_state["_jobs"]
    job.wait(60)
    assert not job.running
