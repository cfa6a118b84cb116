"""The pages run by Streamlit's own test runner, always through app.py, and what they show."""

import contextlib
import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest

from dpviz.ui.kit.process.shared import PUBLIC
from tests.browser.steps import decoded
from tests.conftest import ROOT
from tests.pages.pictures import pictures

ESCAPED = re.compile(r"\\([^\w\s])")  # markup of a text that is switched off
ALL = ["ApproximateQuantiles", "JointExp", "IndependentExp", "AggTree"]
LABELS = dict(zip(ALL, ["AQ", "JointExp", "AppIndExp", "AggTree"], strict=True))


def opened(page: str = "start", **link: str | list[str]) -> AppTest:
    """A fresh session at a page; link holds what stands in the address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = value
    if page != "start":
        app.switch_page(f"pages/{page}.py")
    return healthy(app.run())


def shared(opens: Callable[..., AppTest]) -> Callable[..., AppTest]:
    """Opens with one session for each link: for tests that look at it and leave it as it is."""
    found: dict[str, AppTest] = {}

    def look(*page: str, **link: str | list[str]) -> AppTest:
        name = repr((page, sorted(link.items())))
        if name not in found:
            found[name] = opens(*page, **link)
        return found[name]

    return look


def with_file(name: str, content: bytes, low: float, high: float, resolution: float = 0) -> AppTest:
    """A fresh session with an uploaded file and declared bounds."""
    app = uploaded(name, content, truth=False)
    app.get_by_key("truth").set_value(True)
    return declare(app, low, high, resolution)


def held(app: AppTest) -> dict[Any, Any]:
    """What the process and the session remember, what was used last at the end of each."""
    state = app.session_state
    own = state["_results"] if "_results" in state else {}  # noqa: SIM401  it has no get
    return PUBLIC.items() | dict(own)


def uploaded(name: str, content: bytes, *, truth: bool = True) -> AppTest:
    """A fresh session that read a file on the Data page; a file starts with the truth off."""
    app = opened("data")
    app.file_uploader(key="file").upload(name, content, "text/csv")
    healthy(app.run())
    if "_upload" not in app.session_state:
        return app
    return pick(asking_nobody(app), truth=True) if truth else asking_nobody(app)


def asking_nobody(app: AppTest) -> AppTest:
    """As a visitor who lets every change draw of their own file: the switch in the ledger."""
    app.session_state["_draws_always"] = True
    return app


def declare(app: AppTest, *declared: float | None) -> AppTest:
    """Lower bound, upper bound and resolution, as far as they are given."""
    if not declaration_fields(app, "Lower bound"):
        pick(app, data_step="declare")
    labels = ("Lower bound", "Upper bound", "Resolution")
    for label, value in zip(labels, declared, strict=False):
        sidebar_number(app, label).set_value(value)
    return healthy(app.run())


def declaration_fields(app: AppTest, label: str) -> list[Any]:
    """The fields in which a bound or the steps are typed, where the page has any."""
    return [one for one in app.number_input if one.label == label]


def sidebar_number(app: AppTest, label: str) -> Any:
    """The field of one declaration, wherever the page has it."""
    (field,) = declaration_fields(app, label)
    return field


def healthy(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def inside(app: AppTest, view: str = "sweep") -> AppTest:
    """The same session at a view under Decide's sentence, as a click on its way there does."""
    app.session_state["_visit"]["view_what_if"] = view
    return healthy(app.switch_page("pages/what_if.py").run())


def spoken(told: dict[str, Any]) -> str:
    """A sentence of Decide as a person reads it, from what its component was sent."""
    text = ""
    for part in told["parts"]:
        if isinstance(part, str):
            text += part
            continue
        if "answer" in part or "lead" in part:
            word = told["answer"] if "answer" in part else told["lead"]
        else:
            value = told["computed"].get(part["name"], told["values"].get(part["name"], ""))
            options = {one[0]: one[1] for one in part.get("options", ())}
            word = options[value] if options else f"{float(value):,.10g}" if value else "–"
            if told["computed"].get(part["name"]) == "":
                continue  # there is no number
        text += (" " if part.get("joined") else "") + word
    return text.replace("\N{NO-BREAK SPACE}", " ")


def has(app: AppTest, key: str) -> bool:
    """Whether a widget with a key is on the page."""
    try:
        app.get_by_key(key)
    except KeyError:
        return False
    return True


def pick(app: AppTest, **values: Any) -> AppTest:
    """Set widgets by their keys, each in a run of its own, as a person does."""
    for key, value in values.items():
        app.get_by_key(key).set_value(value)
        healthy(app.run())
    return app


def figures(app: AppTest) -> list[dict[str, Any]]:
    """The charts on the page: {name: (x, y)} by trace."""
    charts = [chart.figure for chart in pictures(app)]
    return [
        {one["name"]: (decoded(one["x"]), decoded(one["y"])) for one in chart["data"] if "x" in one}
        for chart in charts
    ]


def alts(app: AppTest) -> list[str]:
    return [chart.alt for chart in pictures(app)]


def not_shown(app: AppTest) -> bool:
    """Whether the lines on the page hold nothing of the upload's secret, in any notation."""
    secret = app.session_state["_upload"].secret
    assert len(secret) == 32
    texts = (secret.hex(), repr(secret)[2:-1], str(int.from_bytes(secret)))
    return not any(text in code.value for text in texts for code in app.code)


def table(app: AppTest) -> pd.DataFrame:
    frame = app.dataframe[0].value
    assert isinstance(frame, pd.DataFrame)
    return frame


def read(marked: str) -> str:
    """Marked text as it was said, before its ± was bound to its number."""
    return marked.replace("±\N{NO-BREAK SPACE}", "± ")


def text(app: AppTest) -> str:
    """Every word on the page that is not inside a chart, as a person reads it."""
    kinds = ("title", "subheader", "markdown", "caption", "metric", "info", "warning", "error")
    found = [element for kind in kinds for element in app.main.get(kind)]
    parts = [ESCAPED.sub(r"\1", read(f"{getattr(one, 'label', '')} {one.value}")) for one in found]
    parts += [table.to_csv() for table in (frame.value for frame in app.main.get("dataframe"))]
    return "\n".join([*parts, *(code.value for code in app.main.get("code")), *alts(app)])


def executed(lines: str, folder: Path) -> dict[str, Any]:
    """The names that lines leave, run in the folder that holds the file."""
    space: dict[str, Any] = {}
    before = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(lines, "lines", "exec"), space)
    finally:
        os.chdir(before)
    return space
