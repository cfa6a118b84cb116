"""From Decide's sentence to the lines of Python of its release, as an expert goes."""

import json

from dpviz.ui.decide import answer, published
from tests.conftest import ROOT
from tests.pages.driver import executed, healthy, opened


def test_the_lines_of_python_draw_what_was_rehearsed(monkeypatch):
    files = {}

    def row(listed):
        files.update({one.label: one.content for one in listed})

    monkeypatch.setattr(published, "offer_row", row)
    app = opened("decide", what="median", unit="share", notion="approx")
    button = app.get_by_key("decide_button")
    assert button.label.startswith("Rehearse the release, ε = ")
    healthy(button.click().run())
    told = json.loads(files["JSON"]() if callable(files["JSON"]) else files["JSON"])
    monkeypatch.setattr(
        answer, "sentence", lambda *_, **__: "Python"
    )  # a click in the row below it
    healthy(app.run())
    (lines,) = [one.value for one in app.code if "import " in one.value]
    again = json.loads(executed(lines, ROOT)["release"].to_json())
    assert again["values"] == told["values"]
    assert again["spent"] == told["spent"]
    assert told["spent"]["epsilon"] <= float(button.label.split("= ")[1])
