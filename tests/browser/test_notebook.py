"""A scene in a notebook: the adapter with a model of its own, and real notebooks.

The last need JupyterLab, marimo and anywidget: `pip install jupyterlab marimo anywidget`, here or
beside the Python that DPVIZ_NOTEBOOKS names.
"""

import json
import os
import re
import socket
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpviz.lessons.stories.listing import scene
from dpviz.site import build, notebook
from tests.conftest import ROOT

PYTHON = os.environ.get("DPVIZ_NOTEBOOKS", sys.executable)
CELLS = ("import dpviz as dp\nw = dp.scene('teach', 'tank')\nw", "w.go('reveal')", "print(w.place)")
ASKED, SAID = (
    re.sub(r":\w+\[(.*?)\]", r"\1", sentences.headline)
    for tank in [scene("tank")]
    for sentences in (
        tank.ask(tank.numbers(tank.control.start, 1)),
        tank.say(tank.numbers(tank.control.revealed, 1)),
    )
)
MODEL = """async (source) => {
    const { default: { render } } = await import(URL.createObjectURL(
        new Blob([source], { type: "text/javascript" })));
    const heard = {}, model = window.model = {
        kept: { title: window.given.title, page: window.given.page }, saved: 0,
        get: (name) => model.kept[name], set: (name, value) => { model.kept[name] = value; },
        save_changes: () => { model.saved += 1; },
        on: (name, act) => { heard[name] = act; }, off: (name) => { delete heard[name]; },
    };
    window.heard = heard;
    window.leave = render({ model, el: document.body });
}"""


def test_the_adapter_tells_where_the_scene_is_does_what_is_wished_and_leaves_nothing(page: Page):
    page.goto("about:blank")
    given = {"title": "A scene", "page": build.single("tank")}
    page.evaluate("(given) => { window.given = given; }", given)
    page.evaluate(MODEL, files("dpviz.site").joinpath("notebook.js").read_text(encoding="utf-8"))
    inside = page.frame_locator('iframe[title="A scene"]')
    expect(inside.locator("h1")).to_have_text(ASKED)
    place = "() => window.model.kept.place && window.model.kept.place.beat"
    page.wait_for_function(f"{place} === null || ({place})() === 'predict'")
    page.evaluate("() => window.heard['msg:custom']({ go: 'reveal' })")
    expect(inside.locator("h1")).to_have_text(SAID)
    page.wait_for_function("() => window.model.kept.place.beat === 'reveal'")
    assert page.evaluate("() => window.model.kept.place.stop") == "100"
    high = page.locator("iframe").evaluate("(frame) => frame.getBoundingClientRect().height")
    assert high != 600
    page.evaluate("() => { window.leave(); window.last = window.model.saved; }")
    assert page.evaluate("() => Object.keys(window.heard).length") == 0
    inside.get_by_role("slider").press("ArrowLeft")
    page.wait_for_timeout(300)
    assert page.evaluate("() => window.model.saved === window.last")


# what VS Code says of the outputs of a notebook where `notebook.experimental.enableCsp` is on; off,
# which is usual, nothing is said
POLICY = (
    "default-src 'none'; script-src https: 'unsafe-inline' 'unsafe-eval'; "
    "style-src https: 'unsafe-inline'; img-src https: http: data:; font-src https:; "
    "connect-src https:; child-src https: data:"
)


def test_an_output_of_vs_code_shows_a_scene_under_its_strictest_policy(context, monkeypatch):
    """Without a widget: its frame runs, in typefaces of the system where fonts must be files."""
    page = context.new_page()  # whose console says what is refused
    monkeypatch.setattr(notebook, "_widget", lambda: None)
    shown = notebook.scene("teach", "tank")._repr_html_()
    head = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    page.set_content(f"<!doctype html><head>{head}</head><body>{shown}</body>")
    inside = page.frame_locator('iframe[title^="dpviz: "]')
    expect(inside.locator("h1")).to_have_text(ASKED)
    inside.get_by_role("button", name="Skip").click()
    expect(inside.locator("h1")).to_have_text(SAID)
    inside.get_by_role("slider").press("ArrowLeft")
    expect(inside.locator("h1")).not_to_have_text(SAID)
    strict = head.replace("script-src https: 'unsafe-inline'", "script-src https:")
    page.set_content(f"<!doctype html><head>{strict}</head><body>{shown}</body>")
    expect(inside.locator(".early:visible")).to_have_count(1)  # the question can be read still
    assert inside.locator("html.ready").count() == 0
    page.close()


def served(tmp_path: Path, *command: str):
    """A server of notebooks on a free port; its address."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    every = [PYTHON, "-m", *(one.format(port=port, folder=tmp_path) for one in command)]
    server = subprocess.Popen(
        every, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(120):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return server, f"http://127.0.0.1:{port}"
        time.sleep(0.5)
    server.kill()
    raise AssertionError("the server of notebooks did not start")


def needs(*modules: str) -> None:
    """Skips where a program is not installed."""
    line = [PYTHON, "-c", "import " + ", ".join(modules)]
    if subprocess.run(line, capture_output=True, check=False, timeout=120).returncode:
        pytest.skip(
            f"{' and '.join(modules)} are not installed (DPVIZ_NOTEBOOKS may name a Python)"
        )


def test_jupyterlab_shows_a_scene_leads_it_and_hears_where_it_is(page: Page, tmp_path: Path):
    needs("jupyterlab", "anywidget")
    cells = [
        {"cell_type": "code", "id": f"c{at}", "metadata": {}, "execution_count": None,
         "outputs": [], "source": source}
        for at, source in enumerate(CELLS)
    ]  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "scene.ipynb").write_text(json.dumps(whole), encoding="utf-8")
    server, address = served(
        tmp_path, "jupyterlab", "--allow-root", "--no-browser", "--port", "{port}",
        "--IdentityProvider.token=", "--ServerApp.root_dir={folder}",
    )  # fmt: skip
    try:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"{address}/lab/tree/scene.ipynb")
        first = page.locator(".jp-Notebook .cm-content").first
        first.click(timeout=90_000)
        page.get_by_text("(ipykernel) | Idle").wait_for(timeout=90_000)
        page.keyboard.press("Shift+Enter")
        inside = page.frame_locator('iframe[title^="dpviz: "]')
        expect(inside.locator("h1")).to_have_text(ASKED, timeout=90_000)
        page.keyboard.press("Shift+Enter")
        expect(inside.locator("h1")).to_have_text(SAID, timeout=30_000)
        page.keyboard.press("Shift+Enter")
        said = page.locator(".jp-OutputArea-output pre").last
        expect(said).to_have_text("{'beat': 'reveal', 'stop': '100'}\n", timeout=30_000)
    finally:
        server.terminate()
        server.wait(30)


def test_marimo_shows_a_scene(page: Page, tmp_path: Path):
    needs("marimo", "anywidget")
    body = "".join(f"    {line}\n" for line in CELLS[0].splitlines())
    (tmp_path / "scene.py").write_text(
        f"import marimo\n\napp = marimo.App()\n\n\n@app.cell\ndef _():\n{body}    return (w,)\n",
        encoding="utf-8",
    )
    server, address = served(
        tmp_path, "marimo", "run", "--headless", "--no-token", "-p", "{port}", "scene.py"
    )
    try:
        page.goto(address)
        inside = page.frame_locator('iframe[title^="dpviz: "]')
        expect(inside.locator("h1")).to_have_text(ASKED, timeout=90_000)
        inside.get_by_role("button", name="Skip").click()
        expect(inside.locator("h1")).to_have_text(SAID)
    finally:
        server.terminate()
        server.wait(30)
