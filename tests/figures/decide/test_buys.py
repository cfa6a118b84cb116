"""The panels of quantiles: data are the numbers, what is hollow is not published, words fit."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpviz.answers.decide.quantile_panels import panels
from dpviz.figures.decide.buys import buys, room_of
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from tests.answers.decide.test_buys_said import EXAM, FILE, MARKS, PAY, RELEASED, TRUE, percentiles
from tests.figures.decide.letters import long
from tests.figures.privacy_pictures import LOOKS, sizes

SIZES = {"full": (830, 430), "large": (728, 355), "small": (358, 205)}
CASES = [(PAY, FILE), (TRUE, FILE), (RELEASED, FILE), (MARKS, EXAM), (percentiles(), EXAM)]


def traces(picture, axis="x"):
    return {one["name"]: one for one in picture["data"] if one.get("xaxis", "x") == axis}


def notes(picture):
    return [
        (re.sub(r"<[^>]*>", "", one["text"]), one)
        for one in picture["layout"]["annotations"]
        if one["text"]
    ]


def test_the_first_panel_holds_the_values():
    found = traces(buys(PAY, FILE, Look()))
    assert found["published"]["x"].tolist() == PAY.published.tolist()
    assert found["published"]["y"].tolist() == PAY.quantiles.tolist()
    assert found["curve"]["line"]["dash"] == "dot"
    assert found["curve"]["line"].get("shape") is None
    assert "truth" not in found
    ends = found["bands"]["x"].reshape(-1, 3)
    assert ends[:, 0].tolist() == (PAY.published - PAY.give).tolist()
    assert ends[:, 1].tolist() == (PAY.published + PAY.give).tolist()


def test_the_second_panel_holds_the_errors():
    picture = buys(TRUE, FILE, Look())
    found = traces(picture, "x2")
    shown = panels(TRUE, 0.705 / 0.252)
    ends = found["bands"]["x"].reshape(-1, 3)
    assert ends[:, 0].tolist() == (-TRUE.give).tolist()
    assert ends[:, 1].tolist() == TRUE.give.tolist()
    assert found["published"]["x"].tolist() == shown.errors.tolist()
    needs = [one for one in picture["data"] if one["name"] == "need"]
    for side, one in zip((-1, 1), needs, strict=True):
        assert one["x"][1:-1].tolist() == (side * TRUE.need).tolist()
        assert one["y"][1:-1].tolist() == TRUE.quantiles.tolist()
        assert one["line"]["dash"]
    assert picture["layout"]["xaxis2"]["range"] == [-shown.reach, shown.reach]
    assert picture["layout"]["xaxis"]["range"] == list(shown.view)


def test_the_truth_is_black_and_only_there_if_it_is_given():
    picture = buys(TRUE, FILE, Look())
    found = traces(picture)
    assert found["truth"]["x"].tolist() == TRUE.truth.tolist()
    assert found["curve"]["line"] == {"color": LIGHT.truth, "width": 2, "shape": "hv"}
    assert picture["layout"]["shapes"][0]["line"]["color"] == LIGHT.truth
    assert "45,250 true" in [text for text, _ in notes(picture)]
    hidden = buys(PAY, FILE, Look())
    assert "published" not in traces(hidden, "x2")
    assert hidden["layout"]["shapes"][0]["line"]["color"] == LIGHT.second
    assert "true" not in " ".join(text for text, _ in notes(hidden))


@pytest.mark.parametrize("ink", [LIGHT, DARK])
def test_hollow_is_not_published(ink):
    hollow = traces(buys(PAY, FILE, Look(ink)))["published"]["marker"]
    assert (hollow["color"], hollow["line"]["color"]) == (ink.page, ink.private)
    filled = buys(RELEASED, FILE, Look(ink))
    assert traces(filled)["published"]["marker"]["color"] == ink.private
    assert traces(filled)["curve"]["line"]["color"] == ink.private
    assert traces(filled)["curve"]["x"].tolist() == RELEASED.published.tolist()


def test_words_stand_on_their_rows():
    picture = buys(TRUE, FILE, Look())
    placed = {(text, one["y"]): one for text, one in notes(picture)}
    offs = ("400", "300", "400", "400", "500", "500", "600", "800", "1,300")
    rows = zip(TRUE.quantiles, TRUE.published, TRUE.truth, offs, strict=True)
    for at, value, true, off in rows:
        assert placed[f"± {off}", at]["xref"] == "paper"
        ends = [min(value, true), max(value, true)]
        assert placed[f"{value:,.0f}", at]["x"] == ends[1]
        name = f"{true:,.0f}" + (" true" if at == 0.5 else "")
        assert placed[name, at]["x"] == ends[0]
    axis = picture["layout"]["yaxis"]
    shares = [re.sub(r"<[^>]*>", "", text).strip() for text in axis["ticktext"]]
    assert shares == [f"{100 * at:.0f}" for at in axis["tickvals"]]
    assert axis["tickvals"] == TRUE.quantiles.tolist()
    name = next(one for text, one in notes(buys(PAY, FILE, Look())) if text == "made-up pay")
    assert (name["x"], name["y"]) == panels(PAY, 2.5).name_at


def test_five_rows_where_room_is_scarce():
    for look in (Look(presenting=True), Look(screen="phone")):
        picture = buys(PAY, FILE, look)
        assert traces(picture)["published"]["y"].tolist() == pytest.approx(
            [0.1, 0.3, 0.5, 0.7, 0.9]
        )
        assert len(picture["layout"]["yaxis"]["tickvals"]) == 5
        assert "enlarged" not in " ".join(text for text, _ in notes(picture))
    assert "10 times enlarged" in [text for text, _ in notes(buys(PAY, FILE, Look()))]


def test_rows_that_lie_near_have_thinner_bars():
    wide = traces(buys(PAY, FILE, Look()))["bands"]["line"]["width"]
    near = replace(PAY, quantiles=np.linspace(0.5, 0.66, 9))
    assert traces(buys(near, FILE, Look()))["bands"]["line"]["width"] < wide == 18


def test_many_rows_run_together():
    found = traces(buys(percentiles(), EXAM, Look()), "x2")
    assert found["bands"]["fill"] == "toself"
    assert "truth" not in traces(buys(percentiles(), EXAM, Look()))


@pytest.mark.few(12)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("found", "names"), CASES)
def test_every_word_is_large_enough(look, found, names):
    least = 20 if look.presenting else 13
    assert min(sizes(buys(found, names, look))) >= least


def place(note, layout, size):
    """The left and right end of a note in px, about."""
    text, one = note
    margin = layout["margin"]
    room = size[0] - margin["l"] - margin["r"]
    name = one["xref"].split(" ")[0]
    if name == "paper":
        x = margin["l"] + room * one["x"]
    else:
        axis = layout["xaxis2" if name == "x2" else "xaxis"]
        start, end = axis["domain"]
        low, high = axis["range"]
        share = one["x"] if "domain" in one["xref"] else (one["x"] - low) / (high - low)
        x = margin["l"] + room * (start + (end - start) * share)
    x += one["xshift"]
    wide = long(text, one["font"]["size"])
    return (x, x + wide) if one["xanchor"] == "left" else (x - wide, x)


@pytest.mark.few(12)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("found", "names"), CASES)
def test_every_word_fits(look, found, names):
    picture = buys(found, names, look)
    size = SIZES[room_of(look).size]
    for note in notes(picture):
        left, right = place(note, picture["layout"], size)
        assert left > -4, note[0]
        assert right < size[0] + 4, note[0]


@pytest.mark.few(12)
@pytest.mark.parametrize("look", [one for one in LOOKS if not (one.phone and one.presenting)])
@pytest.mark.parametrize(("found", "names"), CASES)
def test_words_of_a_row_and_of_the_ground_keep_apart(look, found, names):
    picture = buys(found, names, look)
    size, layout = SIZES[room_of(look).size], picture["layout"]
    lines = {}
    for note in notes(picture):
        if "made-up" not in note[0]:
            at = note[1]["y"] if "domain" not in note[1]["yref"] else f"edge {note[1]['y']}"
            lines.setdefault(at, []).append(place(note, layout, size))
    for ends in lines.values():
        for one, other in pairwise(sorted(ends)):
            assert one[1] < other[0] + 1


def test_ticks_keep_clear_of_the_last_words():
    axis = buys(PAY, FILE, Look())["layout"]["xaxis"]
    assert axis["tickvals"] == [0, 20_000, 40_000, 60_000, 80_000]
    assert axis["ticktext"][1] == "20,000"
    for look in LOOKS:
        first, second = room_of(look).first, room_of(look).second
        assert first[1] < second[0]


def test_values_at_the_end_have_their_words_at_the_left():
    end = replace(MARKS, published=np.array([1.0, 59, 99]), truth=np.array([2.0, 59, 98]))
    texts = [text for text, _ in notes(buys(end, EXAM, Look()))]
    assert "98  99" in texts
    assert "1  2" in texts
