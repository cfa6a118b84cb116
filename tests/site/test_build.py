"""The static edition as files: what is in them, what is not, and the same bytes every time."""

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import quickjs

import dpviz as dp
from dpviz.__main__ import main
from dpviz.core.randomness.noise import Noise
from dpviz.figures.stage.engine import enclosed, module
from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons.staged import named
from dpviz.lessons.start import numbers
from dpviz.lessons.stories.listing import STORIES
from dpviz.site import build, pages
from dpviz.site.early import picture
from dpviz.site.markup import marked, packed, shared
from dpviz.site.scenes import course, page_of, places
from tests.conftest import SITE_ADDRESS as ADDRESS
from tests.conftest import SITE_APP as APP
from tests.scenes import place_of

SCENES = [(story, scene) for story in STORIES for scene in story.scenes]
SHARED = ("dpviz.js", "sans.woff2", "serif.woff2")
SITE, SCENE, ALONE = 1_600_000, 200_000, 600_000  # bytes: packed, packed with what it loads, whole
DECIDE = 120_000  # bytes, packed, of its page and script

pytestmark = pytest.mark.law  # the course is worked out once


@pytest.fixture(scope="module")
def written(site_folder: Path) -> Path:
    return site_folder


def size(file: Path) -> int:
    """Bytes on the wire."""
    data = file.read_bytes()
    return len(data if file.suffix == ".woff2" else gzip.compress(data, 9))


def test_every_page_is_there_and_light(written):
    shown = [file for file in written.iterdir() if file.suffix == ".png"]
    alone = set(written.glob("alone-*"))
    assert sum(map(size, {*written.iterdir()} - {*shown, *alone})) <= SITE
    loaded = sum(size(written / name) for name in SHARED)
    for story, scene in SCENES:
        name = page_of(story, scene.number)
        assert size(written / name) + loaded <= SCENE, name
        assert (written / f"alone-{name}").stat().st_size <= ALONE, name
    assert sum(size(written / name) for name in ("decide.html", "decide.js")) <= DECIDE
    assert (written / "alone-decide.html").stat().st_size <= ALONE


def test_links_lead_to_files_that_are_there_and_nowhere_else(written):
    for file in written.glob("*.html"):
        text = file.read_text(encoding="utf-8")
        leads = re.findall(r'(?:href|src)="([^"]*)"', text.split('type="application/json"')[0])
        for link in leads:
            if link.startswith(ADDRESS):
                assert link == ADDRESS + file.name.replace("index.html", "")
            elif link.startswith(APP):
                assert file.name == "gallery.html"
            elif not link.startswith("data:"):
                assert (written / link.split("#")[0]).is_file(), (file.name, link)
        if file.name.startswith("alone-"):
            assert set(leads) == {"data:,"}
        text = text.replace(f'href="{APP}', "").replace(f'href="{ADDRESS}', "")
        assert not re.findall(r"""(?:url\(|src=|href=|fetch\()["']?https?:""", text), file.name


def test_linked_pages_hold_nothing_that_their_policy_forbids(written):
    """Scripts and styles that stand in a page are those whose hashes it names."""
    allowed, looked = build.policy(), 0
    for file in written.glob("*.html"):
        if file.name.startswith(("alone-", "handout-", "decision-card", "released-")):
            continue
        page = re.sub(
            r'<script type="application/json".*?</script>', "", file.read_text(encoding="utf-8")
        )
        for inline in re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", page, re.DOTALL):
            digest = hashlib.sha256(inline.encode()).digest()
            assert f"'sha256-{base64.b64encode(digest).decode()}'" in allowed, file.name
            looked += 1
            page = page.replace(inline, "")
        assert not re.findall(r"<[^>]*\s(?:style|on\w+)\s*=[^>]*>", page), file.name
    assert looked > 2 * len(SCENES)


def test_every_page_takes_the_width_of_its_screen(written):
    for file in written.glob("*.html"):
        head = file.read_text(encoding="utf-8").split("</head>")[0].replace("'", '"')
        assert 'name="viewport" content="width=device-width' in head, file.name


def test_links_to_pages_show_a_title_a_description_and_a_picture(written):
    descriptions = []
    for file in written.glob("*.html"):
        head = file.read_text(encoding="utf-8").split("</head>")[0]
        told = dict(re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)">', head))
        if file.name.startswith(("alone-", "handout-", "decision-card", "released-")):
            assert "og:image" not in told
            continue
        assert told["og:title"] == re.findall(r"<title>(.*?)</title>", head)[0].replace(
            '"', "&quot;"
        )
        assert told["og:description"] == told["description"] == told["og:image:alt"]
        descriptions.append(told["description"])
        assert told["og:url"] == ADDRESS + file.name.replace("index.html", "")
        assert told["twitter:card"] == "summary_large_image"
        name = f"{file.stem}.png" if "-" in file.stem else "dpviz.png"
        assert told["og:image"] == ADDRESS + name
        assert (written / name).read_bytes().startswith(b"\x89PNG")
    assert len(set(descriptions)) == len(descriptions) == len(SCENES) + 6
    start = build.linked(pages.start_page(), "index.html")
    assert "og:image" not in start
    assert 'property="og:title"' in start


@pytest.mark.parametrize("wrong", ["example.org", "ftp://example.org", "https://", 'https://a/"b'])
def test_what_is_no_address_is_refused(wrong, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["site", str(tmp_path), "--address", wrong])
    assert "is no address such as https://example.org/dp/" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path, capsys):
    (tmp_path / "taken").touch()
    assert main(["site", str(tmp_path / "taken")]) == 1
    assert "taken cannot be written" in capsys.readouterr().err


def test_every_state_of_every_scene_has_its_sentences(written):
    for story, scene in course():
        text = (written / page_of(story, scene.number)).read_text(encoding="utf-8")
        (data,) = re.findall(r'id="data">(.*)</script>', text)
        said = json.loads(data)["page"]["said"]
        found = {(beat, stop): line for beat in said for stop, line in said[beat].items()}
        says = {"predict": scene.ask, "reveal": scene.say}
        if scene.second is not None:
            says["second"] = scene.second.say
        wanted = {}
        for place in places(story, scene):
            line = says[place.beat](scene.numbers(place.stop, 1))
            wanted[place.beat, named(place.stop)] = [marked(line.headline), marked(line.sentence)]
        assert found == wanted, scene.name


def test_a_pages_data_are_the_scenes_own_pictures(written):
    """All marks of all states, on a desk and a phone; a crowd of points may come in any order."""
    context = quickjs.Context()
    context.eval(enclosed("data", module("dpviz.site", "data")))
    context.eval(
        "var read = (text) => [JSON.stringify($data.whole(JSON.parse(text))), ''].join('')"
    )
    packed_crowds = 0
    for story, scene in course():
        text = (written / page_of(story, scene.number)).read_text(encoding="utf-8")
        (data,) = re.findall(r'id="data">(.*)</script>', text)
        packed_crowds += data.count('{"+":')
        found = json.loads(context.get("read")(data))["stages"]
        for size, screen in (("wide", DESK), ("phone", PHONE)):
            stage = scene.stage(scene.control.start, "predict", screen=screen).to_dict()
            wanted = json.loads(json.dumps(stage))
            for key in ("views", "layers"):
                assert ordered(found[size][key]) == ordered(wanted[key]), (story.key, scene.number)
    assert packed_crowds >= 4


def ordered(data: Any) -> Any:
    """The same data with crowds of points in one order."""
    if isinstance(data, list):
        return [ordered(one) for one in data]
    if not isinstance(data, dict):
        return data
    if data.get("form") == "points":
        spots = sorted(zip(data["x"], data["y"], strict=True))
        data = data | {"x": [x for x, _ in spots], "y": [y for _, y in spots]}
    return {key: ordered(value) for key, value in data.items()}


def test_without_a_script_a_page_has_picture_question_and_answer(written):
    for story, scene in SCENES:
        page = (written / page_of(story, scene.number)).read_text(encoding="utf-8")
        before = page.split("<script type=")[0]
        assert before.count('role="img" aria-label="') == 3 + ('id="extra"><svg' in page)
        assert f"<b>{scene.question}</b>" in page
        (told, *_) = re.findall(r"<noscript>(.*?)</noscript>", page)
        right = [f"<b>{one.text}.</b> " for one in scene.options if one.right]
        assert told.startswith(f"<p>{''.join(right)}{marked(scene.explained)}")


def test_the_release_of_the_last_scene_goes_along_with_its_report(written):
    release = dp.from_json((written / "released-salaries.json").read_text(encoding="utf-8"))
    page = (written / "try-4.html").read_text(encoding="utf-8")
    for end in (".json", ".csv", "-report.html", ".ipynb"):
        assert f'href="released-salaries{end}"' in page
    rows = (written / "released-salaries.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) >= len(release.values) + 1


def test_sentences_become_html():
    assert marked(":blue[a\\.b] & **c** <i>") == (
        '<span class="private">a.b</span> &amp; <b>c</b> &lt;i&gt;'
    )
    assert marked("± 3") == "±\N{NO-BREAK SPACE}3"
    assert packed({"a": "</script>"}) == '{"a":"<\\/script>"}'


def test_a_long_list_is_written_once():
    long, short = list(range(24)), [1, 2]
    found = shared({"a": long, "b": {"c": long, "d": short}, "e": [short, list(range(30))]})
    assert found["lists"] == [long]
    assert found["page"] == {
        "a": {"$": 0}, "b": {"c": {"$": 0}, "d": short}, "e": [short, list(range(30))],
    }  # fmt: skip


def test_the_browsers_noise_follows_the_packages_law():
    """Counts on an even grid of u, against the exact law; a wrong scale is told from it."""
    context = quickjs.Context()
    context.eval(enclosed("draws", module("dpviz.site", "draws")))
    context.eval(
        "const share = (e, t, n) => { let k = 0; for (let i = 0; i < n; i++)"
        " k += Math.abs($draws.noiseOf((i + .5) / n, e)) <= t; return k / n; }"
    )
    grid = 20_000
    for epsilon in numbers.STOPS:
        for reach in (0, 1, numbers.reach(epsilon)):
            exact = Noise.DISCRETE_LAPLACE.within(1 / epsilon, reach)
            assert abs(context.eval(f"share({epsilon}, {reach}, {grid})") - exact) <= 2.5 / grid
    wrong = context.eval(f"share({1.25}, 1, {grid})")
    assert abs(wrong - Noise.DISCRETE_LAPLACE.within(1.0, 1)) > 100 / grid


def test_an_early_picture_is_light_and_refers_to_its_own_hatching():
    for story, scene in SCENES:
        if (story.key, scene.number) in {place_of("same_noise"), place_of("combined_levels")}:
            stage = scene.stage(scene.control.revealed, "reveal", only=True)
            svg = picture(stage, (1184, 490), "w")
            assert len(gzip.compress(svg.encode(), 9)) <= 20_000
            assert svg.startswith('<svg class="early w" ')
            assert set(re.findall(r"url\(#([^)]*)\)", svg)) <= {"hatch-w"}
