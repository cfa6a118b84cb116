"""What the tests of the Map page share: files of points, and what the page shows."""

import io
from typing import Any

from streamlit.testing.v1 import AppTest

from dpviz.intake.read import read_table
from dpviz.ui.kit.session import Upload
from tests.conftest import ROOT
from tests.pages.driver import asking_nobody, healthy
from tests.pages.pictures import pictures

BOX = ((0.0, 100.0), (0.0, 60.0))
FILE = b"a,b\n" + b"".join(b"%d,%d\n" % (one % 97, one % 53) for one in range(500))


def with_points(
    content: bytes = FILE,
    name: str = "a.csv",
    columns: tuple[str, str] = ("a", "b"),
    box: Any = BOX,
    *,
    truth: bool = True,
) -> AppTest:
    """The Map page on a visitor's own file, both columns declared."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    own = Upload(read_table(io.BytesIO(content), name), 1, columns[0])
    at = [info.name for info in own.table.columns].index(columns[0])
    (x_low, x_high), (y_low, y_high) = box
    scope = f"own1_{at}"
    asking_nobody(app).session_state["_upload"] = own
    app.session_state["upload_column"], app.session_state["upload_y"] = columns
    app.session_state["_visit"] = {
        "column": "upload",
        "plane": "upload",
        "latest": "upload",
        "truth_own": truth,
        f"{scope}_low": x_low,
        f"{scope}_high": x_high,
        "y_low": y_low,
        "y_high": y_high,
    }
    return healthy(app.switch_page("pages/map.py").run())


def entered(**link: str) -> AppTest:
    """A fresh session that starts on the Map page, as a link does."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page("pages/map.py")
    return healthy(app.run())


def charts(app: AppTest) -> list[dict[str, Any]]:
    """The pictures on the page as plotly takes them."""
    return [chart.figure for chart in pictures(app)]


def cells(app: AppTest) -> list[dict[str, Any]]:
    """The colours of every private map of the first picture."""
    return [trace for trace in charts(app)[0]["data"] if trace["name"] == "cells"]


def said(app: AppTest) -> str:
    """The headline."""
    return str(app.title[0].value)


def words(app: AppTest) -> str:
    """Every sentence on the page, the dock's included, without Markdown's escapes."""
    lines = [one.value for one in (*app.title, *app.markdown, *app.caption)]
    return "\n".join(lines).replace("\\", "")


def link(app: AppTest) -> dict[str, str]:
    """What stands in the address."""
    return {
        key: value if isinstance(value, str) else ",".join(value)
        for key, value in dict(app.query_params).items()
    }
