"""What must not be seen or kept: words about a file while the truth is off, runs about one gone."""

from __future__ import annotations

import secrets

import pytest

from tests.pages.driver import declare, healthy, opened, pick, text, uploaded, with_file
from tests.pages.unmistakable import everything

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
    pick(app, w_mechanisms=["AggTree"], w_runs=10)
    next(button for button in app.button if button.key == "w_run_sweep").click().run()
    job = app.session_state["_jobs"]["sweep"]
    app.switch_page("pages/data.py").run()
    next(button for button in app.button if button.label == "Forget this file").click()
    healthy(app.run())
    assert not app.session_state["_jobs"]
    job.wait(60)
    assert not job.running


WHOLE = b"a,b\n" + b"5,1\n6,2\n7,3\n" * 20
READ = {
    "a missing value": WHOLE + b",4\n",
    "a value that is no number": WHOLE + b"no answer,4\n",
}


def release_views(content: bytes, column: str = "a") -> list[str]:
    """All that the pages send of a file while the truth is off."""
    app = uploaded("mine.csv", content, truth=False)
    pick(app, upload_column=column)
    seen = [everything(declare(app, 0, 10))]
    assert not app.error
    for page in ("quantiles", "trees"):
        app.switch_page(f"pages/{page}.py").run()
        assert not healthy(app).error
        seen.append(everything(app))
    return seen


def test_reading_a_file_tells_nothing_while_the_truth_is_off(monkeypatch):
    monkeypatch.setattr(secrets, "randbits", lambda bits: 2021 % 2**bits)
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes(range(size)))
    one, other = (release_views(content) for content in READ.values())
    assert one == other
    assert "Drop values that are not numbers" in one[0]
    assert "not covered by any ε" in one[0]
    seen = [release_views(b"a,t\n" + b"5,no\n" * 9 + last, "t") for last in (b"5,no\n", b"5,\n")]
    assert seen[0] == seen[1]  # a column of words without any number is one of missing values


def test_with_the_truth_on_the_unreadable_value_is_named_and_the_choice_kept():
    app = uploaded("mine.csv", READ["a value that is no number"], truth=False)
    declare(app, 0, 10)
    assert "no answer" in pick(app, truth=True).error[0].value
    pick(app, drop_unreadable=True)
    assert [metric.value for metric in app.metric] == ["60", "0", "1"]
    assert not pick(app, truth=False).metric
    assert "1 " not in app.checkbox[0].label
