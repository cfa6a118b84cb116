"""Writes the static edition into a folder; nothing but public samples goes into it."""

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from dpviz.figures.decide import sentence
from dpviz.figures.kit.typefaces import FACES, FALLBACK, faces, font
from dpviz.figures.stage import engine
from dpviz.figures.stage.screen import DESK
from dpviz.lessons import asking
from dpviz.lessons.scene import Scene
from dpviz.lessons.start import picture as start_picture
from dpviz.lessons.start import prove, words
from dpviz.lessons.start.numbers import STOPS
from dpviz.lessons.stories import formula
from dpviz.lessons.stories.embedding import file_of
from dpviz.lessons.stories.handout import decision_card, handout
from dpviz.lessons.stories.lab import lab
from dpviz.lessons.stories.listing import BY_KEY, STORIES
from dpviz.lessons.stories.notebook import notebook
from dpviz.lessons.stories.worksheet import worksheet
from dpviz.lessons.try_it.one_release import told_of
from dpviz.reports.notebook import notebook as notebook_of
from dpviz.reports.page import report
from dpviz.reports.tables import release_csv
from dpviz.reports.words import paragraph
from dpviz.site import decide_page, pages
from dpviz.site.early import variables
from dpviz.site.gallery import gallery_page
from dpviz.site.markup import packed, shared, text
from dpviz.site.pages import Page
from dpviz.site.preview import HIGH, LARGER, WIDE, png
from dpviz.site.scenes import course, page_of, scene_of, stops_of

MODULES = (
    "address",
    "data",
    "draws",
    "mounted",
    "game",
    "scene",
    "start",
    "quiz",
    "test",
)  # in this order
NAV = (
    ("index", "Start"),
    ("learn", "Learn"),
    ("decide", "Decide"),
    ("quiz", "Quiz"),
    ("test", "Test"),
    ("gallery", "Gallery"),
)
# sets the classes that a link asks for before anything is painted
HEAD = (
    "(d=>{const q=new URLSearchParams(location.search);"
    "for(const n of['embed','present'])if(q.get(n)==='1')d.classList.add(n);"
    "const t=q.get('theme');if(t==='dark'||t==='light')d.dataset.theme=t})"
    "(document.documentElement)"
)
DECIDE = "decide"  # the kind of its page
CARD, CARDS = "decision", "decision-card-{stop}.html"
CELL = "combined_levels"
RELEASE = "one_release"
PREVIEW = "dpviz.png"  # for links to all pages but scenes
CLASS, LAB = "handout-class.html", "lab.ipynb"
FILES = tuple(f"released-salaries{end}" for end in (".json", ".csv", "-report.html", ".ipynb"))
# what leads to other files: the list of scenes below its place among them, and cards to print
ELSEWHERE = re.compile(
    r'<details class="contents"><summary>(.*?)</summary>.*?</details>'
    r'|<p class="elsewhere">.*?</p>'
)


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: the names of the files, and a policy that the linked pages keep."""

    files: tuple[str, ...]
    policy: str


def write(folder: Path, *, single: bool = False, address: str = "", app: str = "") -> Written:
    """Write the site into a folder; single adds each scene as one file that needs no other.

    address is where the folder will be found: links to its pages then show a picture, which
    messengers want by its whole address. app is where an app runs that the gallery and sentences
    of Decide lead to. Both end in a slash. Raises: OSError for a folder that cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made: dict[str, str | bytes] = {"dpviz.js": script()}
    made |= {f"{name}.woff2": font(f"{name}.woff2") for name in FACES}
    made["fonts-licence.txt"] = font("OFL.txt")
    made["decide.js"] = deciding()
    written = {
        "index.html": pages.start_page(),
        "quiz.html": pages.quiz_page(),
        "test.html": pages.test_page(),
        "decide.html": decide_page.page(app),
        "gallery.html": gallery_page(app),
        "learn.html": pages.overview_page(_taken_away(made)),
    }
    if single:
        made["alone-decide.html"] = alone(written["decide.html"])
    for story, scene in course():
        page = pages.scene_page(story, scene, _extra(scene))
        written[page_of(story, scene.number)] = page
        if single:
            made[file_of(scene.story, scene.number)] = alone(page)
    made |= {name: linked(page, name, address) for name, page in written.items()}
    if address:
        made |= _previews()
    for name, content in made.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(data)
    return Written(tuple(made), policy())


def _previews() -> dict[str, bytes]:
    """What links to scenes show: the question, and the picture that asks it; Start for the rest."""
    made = {PREVIEW: png(words.LEDE, start_picture.stage(1.0, STOPS, pages.SEED))}
    for story, scene in course():
        stage = scene.stage(scene.control.start, "predict", screen=DESK, only=True, k=LARGER)
        made[preview_of("scene", page_of(story, scene.number))] = png(scene.question, stage)
    return made


def preview_of(kind: str, name: str) -> str:
    """The picture for links to a page, by its kind and its file."""
    return f"{name.removesuffix('.html')}.png" if kind == "scene" else PREVIEW


def _extra(scene: Scene[Any]) -> str:
    """What belongs to a scene beside its picture; the game is drawn by its script."""
    if scene.name == CARD:
        return pages.cards(scene, CARDS)
    if scene.name == RELEASE:
        found = scene.numbers(scene.control.revealed, 1)
        said = paragraph(found.release, told_of(found))
        return pages.release(said, zip(("JSON", "CSV", "Report", "Notebook"), FILES, strict=True))
    return pages.cell() if scene.name == CELL else ""


def _taken_away(made: dict[str, str | bytes]) -> dict[str, str]:
    """Handouts, notebooks and cards, written into made; what each file is."""
    said: dict[str, str] = {}
    for story in STORIES:
        paper, book = f"handout-{story.key}.html", f"notebook-{story.key}.ipynb"
        made |= {paper: handout(story.key), book: notebook(story.key)}
        said |= {paper: f"{story.title}: handout to print", book: f"{story.title}: notebook"}
    made |= {CLASS: worksheet(inline=False), LAB: lab()}
    said |= {CLASS: "Sheets for a class", LAB: "Lab: eight tasks with blanks"}
    found = scene_of(RELEASE).numbers(scene_of(RELEASE).control.revealed, 1)
    release, of = found.release, told_of(found)
    drawn = notebook_of(release, of, FILES[0])
    whole = release.to_json(), release_csv(release), report(release, of), drawn
    made |= dict(zip(FILES, whole, strict=True))
    for stop in stops_of(scene_of(CARD)):
        made[CARDS.format(stop=f"{stop:g}")] = decision_card(stop)
    return said


@cache
def script() -> str:
    """The component as the app has it, and what stands for the server, as one classic script."""
    own = [engine.enclosed("asking", asking.script())]
    own += [engine.enclosed("prove", prove.script())]
    own += [engine.enclosed(name, engine.module(__package__, name)) for name in MODULES]
    begin = engine.linked(engine.module(__package__, "begin"))
    return _bare("\n".join(["(() => {", '"use strict";', engine.staging(), *own, begin, "})();\n"]))


@cache
def deciding() -> str:
    """The sentence as the app has it, and what answers it here."""
    parts = [(name, engine.module(__package__, name)) for name in ("address", "data")]
    parts += [("sentence", sentence.script()), ("decide", engine.module(__package__, "decide"))]
    begin = engine.linked(engine.module(__package__, "begin_decide"))
    own = (engine.enclosed(name, code) for name, code in parts)
    return _bare("\n".join(["(() => {", '"use strict";', *own, begin, "})();\n"]))


def _bare(code: str) -> str:
    """Code without its lines of comment and its indents."""
    lines = (line.strip() for line in code.splitlines())
    return "\n".join(line for line in lines if line and not re.match(r"//|/\*\*.*\*/$", line))


def linked(page: Page, name: str, address: str = "") -> str:
    """A page that loads the script and the typefaces of the site, by the name of its file."""
    rows = "".join(f'<a href="{name}.html"{_current(name, page)}>{said}</a>' for name, said in NAV)
    menu = f'<header><a class="logo" href="index.html">dpviz</a><nav>{rows}</nav></header>'
    file = "decide.js" if page.kind == DECIDE else "dpviz.js"
    load = f'{_shown(page, name, address)}<script src="{file}" defer></script>'
    return _html(page, load, menu, f"<style>{faces(inline=False)}</style>")


def _shown(page: Page, name: str, address: str) -> str:
    """The picture that a link to the page shows; without an address there is none to name."""
    if not address:
        return ""
    kept = "" if name == "index.html" else name
    told = {
        "og:url": address + kept,
        "og:image": address + preview_of(page.kind, name),
        "og:image:width": str(WIDE),
        "og:image:height": str(HIGH),
        "og:image:alt": page.about,
    }
    rows = "".join(
        f'<meta property="{one}" content="{_quoted(said)}">' for one, said in told.items()
    )
    return (
        f'{rows}<meta name="twitter:card" content="summary_large_image">'
        f'<link rel="canonical" href="{_quoted(address + kept)}">'
    )


def single(name: str) -> str:
    """A scene, by its name, as one file."""
    scene = scene_of(name)
    return alone(pages.scene_page(BY_KEY[scene.story], scene, _extra(scene)))


def alone(page: Page) -> str:
    """A scene as one file: script and typefaces stand in it."""
    code = (deciding() if page.kind == DECIDE else script()).replace("</", "<\\/")
    body = ELSEWHERE.sub(lambda found: f"<b>{found[1]}</b>" if found[1] else "", page.body)
    one = Page(page.kind, page.title, page.about, body, page.data | {"alone": True})
    end = f"<script>{code}</script><style>{faces(inline=True)}</style>"
    return _html(one, "", "", end)


def _current(name: str, page: Page) -> str:
    here = {"index": "start", "learn": "overview"}.get(name, name) == page.kind
    return ' aria-current="page"' if here else ""


def _html(page: Page, load: str, menu: str, end: str) -> str:
    """A whole page; typefaces come at its end, after what a slow line must bring first."""
    data = packed(shared(page.data))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(page.title)}</title>"
        f'<meta name="description" content="{_quoted(page.about)}">'
        f'<meta property="og:title" content="{_quoted(page.title)}">'
        f'<meta property="og:description" content="{_quoted(page.about)}">'
        '<meta property="og:type" content="website"><meta property="og:site_name" content="dpviz">'
        f'<link rel="icon" href="data:,"><script>{HEAD}</script><style>{style()}</style>'
        f"{f'<style>{sentence_style()}</style>' if page.kind == DECIDE else ''}"
        f"{load}</head>"
        f'<body class="{page.kind}">{menu}<main>{page.body}</main>'
        f'<script type="application/json" id="data">{data}</script>'
        f"{end}</body></html>\n"
    )


def _quoted(said: str) -> str:
    return text(said).replace('"', "&quot;")


@cache
def style() -> str:
    """All CSS of a page but its typefaces."""
    own = files(__package__).joinpath("site.css").read_text(encoding="utf-8")
    dark = variables(dark=True)
    themes = (
        f":root{{color-scheme:light;{variables(dark=False)}}}"
        f':root[data-theme="dark"]{{color-scheme:dark;{dark}}}@media(prefers-color-scheme:dark)'
        f'{{:root:not([data-theme="light"]){{color-scheme:dark;{dark}}}}}'
    )
    names = "".join(f"--{name}:'{FACES[name]}',{FALLBACK[name]};" for name in FACES)
    return _short(
        f"{themes}:root{{{names}}}{own}{formula.CSS}{asking.style()}{prove.style()}.dp{{{engine.style()}}}"
    )


@cache
def sentence_style() -> str:
    """The CSS of Decide alone."""
    own = files(__package__).joinpath("decide.css").read_text(encoding="utf-8")
    return _short(f"{sentence.style()}{own}")


def _short(css: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)).strip()


def policy() -> str:
    """A Content-Security-Policy that all linked pages keep; single files need inline scripts."""
    return (
        f"default-src 'none'; script-src 'self' {_hash(HEAD)}; "
        f"style-src {_hash(style())} {_hash(sentence_style())} {_hash(faces(inline=False))}; "
        "font-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"
