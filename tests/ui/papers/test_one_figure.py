"""What stands around one figure: its lines, its strip and its dock, against the record."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from dpviz.experiments.papers.stored import told
from dpviz.experiments.papers.stored.findings import Unfinished
from dpviz.experiments.papers.stored.judgements import judgements
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.studies import STUDIES
from dpviz.figures.kit.look import Look
from dpviz.ui.papers import one_figure
from dpviz.ui.papers.figures import FIGURES
from dpviz.ui.papers.files import six_sets
from dpviz.ui.papers.one_figure import OWN, STORED, Choice, day_of
from dpviz.ui.papers.rows import Asked, Given, Missing
from tests.figures.inks import LIGHT
from tests.rows import by_rows
from tests.ui.recorded import Recorded

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
NOW = SimpleNamespace(look=Look(LIGHT), presenting=False)
keyed = lambda row: row.key  # noqa: E731


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(one_figure.session, "shows_truth", lambda: found.state.get("truth", True))
    monkeypatch.setattr(one_figure, "strip", found.strip)
    return found


def job(*, done=(1,), complete=True, running=False, title="quick study"):
    return SimpleNamespace(
        done=done, complete=complete, running=running, title=title, parts_done="3 of 7"
    )


def choice(figure, given=None, made=None, *, own=False):
    shown = Given() if given is None else given
    return Choice(Asked(figure), shown, None, made, "", False, own)


@by_rows(("text", "said"), [("2026-11-02", "2 Nov 2026"), ("1999-01-31", "31 Jan 1999")])
def test_a_day_is_written_as_people_do(text, said):
    assert day_of(text) == said


@by_rows("figure", FIGURES, ids=keyed)
def test_the_second_line_says_what_is_drawn_and_how_it_was_judged(figure):
    row = judgements()[figure.key]
    year, month, day = row.judged.split("-")
    on = f"Judged on {int(day)} {MONTHS[int(month) - 1]} {year}"
    end = {
        "as printed": f"{on}: as printed.",
        "in part": f"{on}: in part as printed.",
        "not": f"{on}: not as printed.",
        "other data": "It uses other data.",
        "explains": "It explains an idea.",
    }[row.mark]
    paper = f" of {figure.paper.title}" if figure.paper.names_paper else ""
    start = f"{figure.label}{paper}: {figure.about}."
    assert one_figure._second(figure) == f"{start} {end}"
    assert one_figure._alt(figure, "It **is** :blue[so].") == f"{start} It is so."


@by_rows("figure", FIGURES, ids=keyed)
def test_the_strip_of_a_stored_result_is_that_of_the_record(screen, figure):
    held, study = record(), told.SOURCES[figure.key].study
    screen.forget()
    one_figure._strip(NOW, figure, choice(figure))
    (call,) = screen.calls
    _, items, chips = call.args
    said, (year, month, day) = dict(items), held.date.split("-")
    assert said["measured"] == f"{int(day)} {MONTHS[int(month) - 1]} {year}"
    assert said["version"] == held.version
    if STUDIES[study].runs > 1:
        assert said["took"] == f"{max(held.seconds[study], 1):.0f} s of one core"
    else:
        assert "took" not in said
    sets = figure.needs is six_sets and figure.key not in {"aq3", "aqt1"}
    stand_ins = "stand-in" in " ".join(held.origins.values()).lower()
    wanted = "stand-ins" if stand_ins else "the real sets"
    assert said.get("on") == (wanted if sets else None)
    assert chips == []
    assert call.others == {"badge": figure.has_truth}


@by_rows("figure", FIGURES, ids=keyed)
def test_a_stored_result_beside_data_of_ones_own_says_so(screen, figure):
    screen.forget()
    one_figure._strip(NOW, figure, choice(figure, Given(is_own=True)))
    (call,) = screen.calls
    stored = {"PSD": "stored: the made-up roads", "AQ": "stored sets"}
    wanted = []
    if figure.study is not None:
        wanted = [stored["PSD" if "Cormode" in figure.paper.title else "AQ"]]
    assert call.args[2] == wanted
    screen.forget()
    one_figure._strip(NOW, figure, choice(figure, Missing("No points.")))
    assert screen.calls[0].args[2] == ["No points."]


@by_rows("figure", [row for row in FIGURES if row.study is not None], ids=keyed)
def test_the_strip_of_ones_own_run_is_that_of_the_run(screen, figure):
    for confidential in (True, False):
        screen.forget()
        given = Given(is_own=True, is_confidential=confidential)
        one_figure._strip(NOW, figure, choice(figure, given, job(), own=True))
        (call,) = screen.calls
        assert call.args[1:] == ([("your run", "quick study"), ("parts", "3 of 7")], [])
        assert call.others["badge"] == (confidential or figure.has_truth)


@by_rows("figure", [row for row in FIGURES if row.presets is not None], ids=keyed)
def test_the_dock_names_the_preset_and_how_often_it_runs(figure):
    presets = figure.presets
    for name, size in presets.sizes.items():
        runs = presets.runs(size)
        noun = presets.noun if runs == 1 else f"{presets.noun}s"
        many = "one" if runs == 1 else f"{runs:,}"
        bare = replace(figure, aside=None)
        start = f"Your run: {name.split(',')[0]}, {many} {noun}"
        assert one_figure._preset_label(bare, name) == start
        aside = replace(figure, aside=lambda: None, aside_label=lambda: "Your files")
        assert one_figure._preset_label(aside, name) == f"{start} · Your files"


class Dock:
    """The dock: popovers by their labels."""

    def __init__(self, screen, folds):
        self.screen, self.folds, self.buttons = screen, folds, screen

    def popover(self, label, key):
        return self.screen.popover(label, key=key)

    def explore(self, label):
        return self.screen.popover(label)


@by_rows("figure", FIGURES, ids=keyed)
def test_parts_that_are_the_truth_are_offered_with_it_alone(screen, figure, monkeypatch):
    monkeypatch.setattr(one_figure.alone, "settle", lambda _, row: list(row.kind.options)[-1])
    monkeypatch.setattr(one_figure.alone, "draw", screen.draw)
    for truth in (True, False):
        for folds in (True, False):
            screen.forget()
            screen.state["truth"] = truth
            parts = [one for one in figure.parts if truth or one not in figure.truth_parts]
            part = one_figure._part(Dock(screen, folds), figure)
            assert part == (parts[-1] if parts else "")
            hidden = len(parts) > 2 or (folds and len(parts) == 2)
            said = [f"{figure.parts_label}: {part}"] if hidden else []
            assert screen.said("popover") == said


@by_rows(
    ("made", "chosen", "is_own"),
    [
        (None, None, False),
        (job(running=True), None, True),
        (job(done=()), None, True),
        (job(complete=False), None, True),
        (job(), OWN, True),
        (job(), STORED, False),
    ],
)
def test_which_result_is_shown(screen, made, chosen, is_own):
    screen.given["papers_which_quick study"] = chosen
    assert one_figure._which(Dock(screen, False), made) is is_own


def test_a_run_that_is_too_small_for_a_finding_says_what_it_is(monkeypatch):
    figure = next(row for row in FIGURES if row.key == "psd3")
    stored = SimpleNamespace(look=Look(LIGHT), name="stored")
    shown = SimpleNamespace(look=Look(LIGHT), name="own")

    def numbers(of):
        if of is shown:
            raise Unfinished("One method is there; it is compared with others.")
        return {}

    monkeypatch.setattr(one_figure, "shown_of", lambda *_: stored)
    monkeypatch.setattr(
        one_figure.told, "told", lambda *_: told.Told("not", "2026-01-01", *"fpmws")
    )
    said = one_figure._said(
        replace(figure, numbers=numbers), choice(figure, made=job(title="a*b"), own=True), shown
    )
    assert said.headline == f"{figure.label}, your run: too small for a finding."
    assert said.measured == "One method is there; it is compared with others."
    assert said.settings == r"a\*b"
    assert (said.printed, said.why) == ("p", "w")


@by_rows("figure", [row for row in FIGURES if row.presets is not None], ids=keyed)
def test_the_words_of_a_picture_say_how_often_and_on_what(figure):
    size = next(iter(figure.presets.sizes))
    given = Given(title="Towns", is_own=True)
    asked = Choice(Asked(figure, size), given, None, job(), "", False, True)
    own = one_figure._words(figure, asked, job(), dict(record().origins))
    runs = figure.presets.runs(figure.presets.sizes[size])
    noun = figure.presets.noun + ("" if runs == 1 else "s")
    assert own["trials"] == (f"One {noun}" if runs == 1 else f"{runs:,} {noun}")
    assert own["points"] == "The data in use: Towns."
    stored = one_figure._words(figure, asked, None, dict(record().origins))
    often = STUDIES[told.SOURCES[figure.key].study].runs
    assert stored["trials"].split()[0] in {"One", f"{often:,.0f}"}
    assert stored["points"] == one_figure.ROADS
