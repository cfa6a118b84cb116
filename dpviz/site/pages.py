"""The pages as HTML: what stands there before any script runs, and the data beside it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons import one_cell
from dpviz.lessons.scene import Scene
from dpviz.lessons.start import controls, numbers, prove, words
from dpviz.lessons.start import picture as start_picture
from dpviz.lessons.stories import formula, telling, transfer
from dpviz.lessons.stories.inventory import ITEMS, PASS, Item
from dpviz.lessons.stories.listing import BY_KEY, STORIES, Story
from dpviz.lessons.stories.quiz import QUESTIONS, Question
from dpviz.lessons.stories.telling import Place
from dpviz.site.early import NARROW, WIDE, picture
from dpviz.site.markup import marked, text
from dpviz.site.scenes import description, page_of, scene_of, stops_of, told

SEED = 1  # of the first sets of draws on Start
SETS = 1_000_000  # plays on Start: after the first ones the page draws by itself
START_SIZES = (1270, 408), (356, 452)
LASTS = {story.key: len(story.scenes) for story in STORIES}  # the last scene of each
BADGE = "Teaching view: shows true data"


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its kind names what its script does; body is HTML."""

    kind: str
    title: str
    about: str
    body: str
    data: dict[str, Any] = field(default_factory=dict)


def _stage(early: str, asked: str = "") -> str:
    """Where the stage will be drawn, with the early picture in its place."""
    return (
        '<div class="dp"><div class="stage"><div class="picture">'
        f'{early}<canvas aria-hidden="true"></canvas><svg role="img" aria-label=""></svg></div>'
        f'<div class="controls">{asked}</div></div></div>'
    )


def scene_page(story: Story, scene: Scene[Any], extra: str = "") -> Page:
    """One scene; extra is what else belongs to it once it is revealed."""
    place = Place(story, scene, None, "predict", scene.control.start)
    said = telling.spoken(place, scene.numbers(place.stop, 1))
    asked = "".join(
        f'<button type="button" class="go {one["look"]}" disabled><span>{text(one["text"])}</span>'
        f"{'<kbd>' + one['hint'] + '</kbd>' if one['hint'] else ''}</button>"
        for one in telling.controls(place)
        if one["kind"] == "go"  # a drawing waits for its script
    )
    early = "".join(
        picture(scene.stage(place.stop, "predict", screen=screen, only=True), size, name)
        for screen, size, name in ((DESK, WIDE, "w"), (PHONE, NARROW, "p"))
    )
    strip = formula.as_html(replace(place, beat="reveal"))
    body = (
        f"{_progress(story, scene)}"
        f'<div aria-live="polite"><h1 tabindex="-1">{marked(said.headline)}</h1>'
        f'<p class="second">{marked(said.sentence)}</p></div>'
        f'<p class="question"><b>{text(scene.question)}</b></p>'
        f"{_stage(early, asked)}{strip}{_below(scene, extra)}"
    )
    title = f"{scene.number}. {scene.title} · {story.title} · dpviz"
    return Page("scene", title, description(scene), body, told(story, scene))


def _progress(story: Story, scene: Scene[Any]) -> str:
    """Which scene of how many, and a way to each."""
    rows = "".join(
        f'<li><a href="{page_of(story, one.number)}">{one.number}. {text(one.title)}</a></li>'
        for one in story.scenes
    )
    dots = "".join("●" if one.number <= scene.number else "○" for one in story.scenes)
    return (
        f'<div class="progress"><details class="contents"><summary>{scene.number} of '
        f"{len(story.scenes)} · {story.title}</summary><ol>"
        f'{rows}<li><a href="learn.html">All stories</a></li></ol>'
        f'</details><span class="dots" aria-hidden="true">{dots}</span>'
        f'<span class="badge">{BADGE}</span><span id="guess"></span></div>'
    )


def _below(scene: Scene[Any], extra: str) -> str:
    """What explains the picture once it is revealed; all of it is there without a script."""
    right = f"<b>{text(scene.right.text)}.</b> " if scene.right else ""
    sources = f"<p><small>Sources: {text('; '.join(scene.sources))}</small></p>"
    return (
        '<div class="below"><div class="after" hidden>'
        '<p id="verdict"></p><p id="moved"></p>'
        f'<p>{marked(scene.explained)}</p><div id="extra">{extra}</div>{_from_before(scene)}'
        '<div class="more">'
        f"<details><summary>Exercise</summary><p>{marked(scene.exercise)}</p>"
        f"<details><summary>Answer</summary><p>{marked(scene.answer)}</p></details></details>"
        f"<details><summary>For teachers</summary><p><b>Goal.</b> {marked(scene.goal)}</p>"
        f"<p>{marked(scene.teacher)}</p>{sources if scene.sources else ''}</details>"
        '<button type="button" id="again">Ask again</button></div></div>'
        f"<noscript><p>{right}{marked(scene.explained)}</p></noscript>"
        "</div>"
    )


def _from_before(scene: Scene[Any]) -> str:
    """What an earlier scene taught, asked in another guise."""
    asked = transfer.below(scene)
    if asked is None:
        return ""
    options = "".join(f"<li>{text(one)}</li>" for one in asked.shuffled())
    return (
        f"<p><b>From before.</b> {text(asked.question)}</p><ul>{options}</ul>"
        f"<details><summary>Answer</summary><p><b>{text(asked.right)}.</b> "
        f"{marked(asked.why())}</p></details>"
    )


def cell() -> str:
    """A cell of a map and its halves, combined: below the scene about combining."""
    found = one_cell.combined(*one_cell.DRAWN)
    return picture(one_cell.picture(found), one_cell.SIZE, "cell", kind="shown")


def cards(scene: Scene[Any], file: str) -> str:
    """A card to print for each stop; a script shows the one of the stop that is chosen."""
    links = "".join(
        f'<a data-stop="{stop:g}" href="{file.format(stop=f"{stop:g}")}">'
        f"Decision card to print, {scene.control.label} = {stop:g}</a> "
        for stop in stops_of(scene)
    )
    return f'<p class="elsewhere">{links}</p>'


def release(said: str, files: Iterable[tuple[str, str]]) -> str:
    """The paragraph that goes with a release, and its files by what they are."""
    links = " · ".join(f'<a href="{file}" download>{name}</a>' for name, file in files)
    told = f"<p><b>The paragraph that goes with it.</b> {text(said)}</p>"
    return f'{told}<p class="elsewhere">{links}</p>'


def start_page() -> Page:
    """Start: one count, one person, one slider."""
    stage = start_picture.stage(1.0, numbers.STOPS, SEED)
    worlds = {"in": True, "out": False}
    data = {
        "stage": {key: value for key, value in stage.to_dict().items() if key != "k"},
        "controls": controls.controls(numbers.STOPS, SETS),
        "lasts": LASTS,
        "prove": prove.data(),
        "drawn": {
            "sets": numbers.SETS,
            "dots": numbers.DRAWS,
            "around": numbers.people().over,
            "reach": numbers.REACH,
            "count": {name: numbers.people().count(ida) for name, ida in worlds.items()},
        },
        "heights": {"here": controls.HEIGHTS.to_dict(), "lecture": controls.LECTURE.to_dict()},
        "larger": telling.LARGER,
        "heading": {f"{stop:g}": marked(words.heading(stop)) for stop in numbers.STOPS},
        "sentence": {
            f"{stop:g}|{name}": marked(words.sentence(stop, ida))
            for stop in numbers.STOPS
            for name, ida in worlds.items()
        },
    }
    early = "".join(
        picture(stage, size, name) for size, name in zip(START_SIZES, "wp", strict=True)
    )
    body = (
        f'<h1 tabindex="-1">{marked(words.heading(1.0))}</h1>'
        f'<p class="second">{marked(words.LEDE)}</p>{_stage(early)}'
        f'<p class="sentence" aria-live="polite">{marked(words.sentence(1.0, True))}</p>'
        f'<nav class="doors" aria-label="Where to begin">{_doors()}</nav>'
        '<div class="proving"></div>'
    )
    return Page("start", "dpviz: learn about everyone, reveal no one", words.LEDE, body, data)


def _doors() -> str:
    """A door into each story; what its line promises is there without a server."""
    teach, show = (door.line for door in controls.DOORS[:2])
    lines = {"teach": teach, "show": show, "try": BY_KEY["try"].line}
    return "".join(
        f'<a href="{key}-1.html"><svg width="72" height="56" viewBox="0 0 72 56" '
        f'aria-hidden="true">{door.drawing}</svg><span><strong>{door.name}</strong>'
        f"{text(lines[key])}</span></a>"
        for key, door in zip(BY_KEY, controls.DOORS, strict=True)
    )


def overview_page(files: dict[str, str]) -> Page:
    """All stories, and what goes with them: names of files and what they are."""
    total = sum(len(story.scenes) for story in STORIES)
    shown = "".join(_card(story) for story in STORIES)
    more = "".join(f'<li><a href="{file}">{text(said)}</a></li>' for file, said in files.items())
    about = f"{total} scenes. Each asks first, then shows; nothing is scored."
    body = (
        '<h1 tabindex="-1">Three stories: why noise, what it costs, how to release.</h1>'
        f'<p class="second">{about}</p><div class="cards">{shown}</div>'
        f'<h2>To take away</h2><ul class="files"><li><a href="quiz.html">{len(QUESTIONS)} '
        'sentences, true or false</a></li><li><a href="test.html">'
        f"Test of {len(ITEMS)} questions</a></li>{more}</ul>"
    )
    title = "Three stories about privacy · dpviz"
    return Page("overview", title, about, body, {"lasts": LASTS})


def _card(story: Story) -> str:
    scene = scene_of(story.cover)
    rows = "".join(
        f'<li><a href="{page_of(story, one.number)}">{text(one.title)}</a></li>'
        for one in story.scenes
    )
    return (
        f"<article>{_shown(scene, f'c-{story.key}', 'predict')}<h2>{story.title}</h2>"
        f"<p>{text(story.line)} For {text(story.audience)}; {story.minutes} min.</p>"
        f'<a class="begin" href="{story.key}-1.html">Start {story.title}</a><ol>{rows}</ol>'
        "</article>"
    )


def _shown(scene: Scene[Any], name: str, beat: Literal["predict", "reveal"] = "reveal") -> str:
    """The picture of a scene, revealed, or before its answer."""
    stop = scene.control.start if beat == "predict" else scene.control.revealed
    stage = scene.stage(stop, beat, screen=PHONE, only=True)
    return picture(stage, NARROW, name, kind="shown")


def quiz_page() -> Page:
    """All sentences, each beside its reason, and the pictures that show why."""
    rows = "".join(_asked(number, one) for number, one in enumerate(QUESTIONS, 1))
    scenes = [scene_of(name) for name in dict.fromkeys(one.scene.name for one in QUESTIONS)]
    pictures = "".join(
        f'<figure data-scene="{one.name}"{" hidden" * (place > 0)}>{_shown(one, f"q-{one.name}")}'
        f'<figcaption>From the story <a href="{one.story}-{one.number}.html#guess=skip">'
        f"{one.story.title()}, scene {one.number}</a>.</figcaption></figure>"
        for place, one in enumerate(scenes)
    )
    about = "The reason comes with your answer. Nobody counts."
    title = f"{len(QUESTIONS)} sentences about privacy: true or false?"
    body = (
        f'<h1 tabindex="-1">{title}</h1><p class="second">{about}</p><div class="two">'
        f'<ol class="quiz">{rows}</ol><div class="seen">{pictures}</div></div>'
    )
    return Page("quiz", f"{title} · dpviz", about, body)


def _asked(number: int, one: Question) -> str:
    truth = f"it is <b>{'true' if one.holds else 'false'}</b>. {marked(one.why())}"
    return (
        f'<li data-scene="{one.scene.name}" data-holds="{one.holds}"><p>{text(one.statement)}</p>'
        f'<div role="group" aria-label="Sentence {number}">'
        '<button type="button" aria-pressed="false" data-says="True">True</button>'
        '<button type="button" aria-pressed="false" data-says="False">False</button></div>'
        f'<p class="why" aria-live="polite"><span hidden><b></b>: {truth}</span></p>'
        f"<noscript><p>So {truth}</p></noscript></li>"
    )


def test_page() -> Page:
    """The test alone; without a script the keys stand below each question."""
    rows = "".join(_item(number, one) for number, one in enumerate(ITEMS, 1))
    title = f"{len(ITEMS)} questions. Choose, and say whether you are sure."
    body = (
        f'<h1 tabindex="-1" aria-live="polite">{title}</h1>'
        '<p class="second">Your answers stay on this page.</p>'
        f'<form id="sheet" data-total="{len(ITEMS)}" data-pass="{PASS}">'
        f'<ol class="sheet">{rows}</ol>'
        '<button>Show my score</button> <span id="done"></span></form>'
    )
    return Page("test", f"A test of {len(ITEMS)} questions · dpviz", title, body)


def _item(number: int, item: Item) -> str:
    options = "".join(
        f'<label class="option"><input type="radio" name="q{number}" value="{one.key}">'
        f"<span>{text(one.text)}</span></label>"
        for one in item.options
    )
    found = item.scene
    link = f' <a href="{found.story}-{found.number}.html">{text(found.title)}</a>'
    key = text(item.right.text)
    return (
        f'<li data-key="{item.right.key}"><fieldset>'
        f"<legend>{number}. {text(item.question)}</legend>{options}"
        '<label class="sure"><input type="checkbox"><span>I am sure</span></label></fieldset>'
        f'<p class="why" hidden><b></b>: {key}.{link}</p>'
        f"<noscript><p>It is: {key}.{link}</p></noscript></li>"
    )
