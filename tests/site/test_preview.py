"""Pictures for links: their size, their bytes, and that every shape lies where the drawing says."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from dpviz.figures.kit.look import Look
from dpviz.figures.stage.colours import theme_of
from dpviz.figures.stage.engine import shapes
from dpviz.figures.stage.screen import DESK
from dpviz.lessons.stories.listing import scene
from dpviz.site import build
from dpviz.site.preview import FINE, LARGER, WRITERS, png
from dpviz.site.scenes import course

PAPER, INK = "#FBFAF7", (0, 114, 178)
MOST, ALL = 60_000, 650_000  # bytes of one and of all, which no page loads


def drawn(tag: str, **shape: Any) -> np.ndarray:
    """A shape on a paper of 100 by 60 px, as drawn in all its fine px."""
    paper = Image.new("RGB", (100 * FINE, 60 * FINE), PAPER)
    return np.asarray(WRITERS[tag](paper, {"tag": tag, **shape}))


def at(pixels: np.ndarray, x: float, y: float) -> tuple[int, ...]:
    return tuple(pixels[int(y * FINE), int(x * FINE)].tolist())


def inked(pixels: np.ndarray) -> np.ndarray:
    """Where the paper is covered, (rows, columns)."""
    return (pixels != np.asarray(Image.new("RGB", (1, 1), PAPER))).any(axis=2)


def ends(pixels: np.ndarray) -> list[float]:
    """From and to, across and down, of what is drawn, in px."""
    down, across = np.nonzero(inked(pixels))
    return [
        float(one) / FINE for one in (across.min(), across.max() + 1, down.min(), down.max() + 1)
    ]


def test_areas_lie_where_they_are_told():
    box = drawn("rect", x=10, y=20, width=30, height=15, fill="#0072B2")
    assert at(box, 25, 27) == INK
    assert ends(box) == pytest.approx([10, 40, 20, 35], abs=1)
    disc = drawn("circle", cx=50, cy=30, r=8, fill="#0072B2")
    assert ends(disc) == pytest.approx([42, 58, 22, 38], abs=1)
    assert inked(disc).sum() / FINE**2 == pytest.approx(np.pi * 64, rel=0.05)
    ring = drawn("circle", cx=50, cy=30, r=8, stroke="#0072B2", strokeWidth=2)
    assert not inked(ring)[30 * FINE, 50 * FINE]
    roof = drawn("line", points=[10, 50, 50, 10, 90, 50], close=True, fill="#0072B2")
    assert inked(roof).sum() / FINE**2 == pytest.approx(80 * 40 / 2, rel=0.05)
    pale = drawn("rect", x=10, y=20, width=30, height=15, fill="#0072B2", opacity=0.5)
    assert at(pale, 25, 27) == pytest.approx((125, 182, 212), abs=2)
    hatched = drawn("rect", x=10, y=10, width=60, height=40, fill="url(#hatch)")
    assert inked(hatched).mean() == pytest.approx(60 * 40 / 6000 * 2.4 / 7, rel=0.15)


def test_lines_have_their_width_and_their_gaps():
    whole = drawn("line", points=[10, 30, 90, 30], stroke="#0072B2", width=4)
    assert inked(whole).sum() / FINE**2 == pytest.approx(80 * 4, rel=0.1)
    dashed = drawn("line", points=[10, 30, 90, 30], stroke="#0072B2", width=4, dash="6 2")
    assert inked(dashed).sum() == pytest.approx(inked(whole).sum() * 6 / 8, rel=0.1)
    bent = drawn("line", points=[10, 30, 50, 30, 90, 30], stroke="#0072B2", width=4, dash="6 2")
    assert inked(bent).sum() == pytest.approx(inked(dashed).sum(), rel=0.05)
    nothing = drawn("line", points=[10, 30, 90, 30], stroke="none", width=4)
    assert not inked(nothing).any()


def test_grains_cover_as_much_as_their_discs():
    grid = [one for x in range(10, 90, 10) for y in range(10, 60, 10) for one in (x, y)]
    found = drawn("grains", points=grid, r=2.5, fill="#0072B2")
    discs = len(grid) / 2 * np.pi * 2.5**2
    assert inked(found).sum() / FINE**2 == pytest.approx(discs, rel=0.1)
    outside = drawn("grains", points=[-5, 30, 105, 30, 50, -9], r=2, fill="#0072B2")
    assert not inked(outside).any()


def test_words_end_where_they_are_anchored():
    said = {"text": "noise", "y": 40, "size": 20, "fill": "#0072B2"}
    start, middle, end = (
        ends(drawn("text", x=50, anchor=one, **said)) for one in ("start", "middle", "end")
    )
    assert start[0] == pytest.approx(50, abs=2)
    assert sum(middle[:2]) / 2 == pytest.approx(50, abs=2)
    assert end[1] == pytest.approx(50, abs=2)
    assert max(one[3] for one in (start, middle, end)) == pytest.approx(40, abs=1)
    bold = drawn("text", x=10, weight=700, **said)
    assert inked(bold).sum() > 1.2 * inked(drawn("text", x=10, **said)).sum()
    runs = [{"text": "no", "fill": "#D55E00"}, {"text": "ise"}]
    parted = ends(drawn("text", x=50, anchor="end", runs=runs, **said))
    assert parted == pytest.approx(end, abs=1)


def test_a_preview_has_the_size_that_links_show_and_the_same_bytes_every_time():
    asked = scene("tank")
    stage = asked.stage(asked.control.start, "predict", screen=DESK, only=True, k=1.3)
    first = png(asked.question, stage)
    assert first == png(asked.question, stage)
    assert first != png("Another question?", stage)
    assert len(first) <= MOST
    seen = Image.open(io.BytesIO(first))
    assert (seen.size, seen.format) == ((1200, 630), "PNG")
    corner = np.asarray(seen.convert("RGB"))[3, 3]
    assert tuple(corner.tolist()) == tuple(
        int(theme_of(Look())["page"][i : i + 2], 16) for i in (1, 3, 5)
    )


@pytest.mark.law
def test_every_shape_of_a_scene_can_be_drawn():
    room, theme = (1120, 486), theme_of(Look())
    for _, one in course():
        stage = one.stage(one.control.start, "predict", screen=DESK, only=True, k=LARGER)
        assert {shape["tag"] for shape in shapes(stage, *room, theme)} <= WRITERS.keys(), one.name


@pytest.mark.thorough
def test_all_previews_of_the_site_are_light():
    made = build._previews()
    assert len(made) == len(course()) + 1
    assert all(one.startswith(b"\x89PNG") for one in made.values())
    assert sum(map(len, made.values())) <= ALL


def test_a_long_question_is_set_smaller_and_stays_on_the_paper():
    asked = scene("tank")
    stage = asked.stage(asked.control.start, "predict", screen=DESK, only=True)
    seen = np.asarray(Image.open(io.BytesIO(png("What is noise? " * 14, stage))).convert("L"))
    assert (seen[:, -30:] > 240).all()
    assert (seen[:, :30] > 240).all()
