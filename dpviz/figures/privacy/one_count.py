"""One noisy count with and without a person, and what one supposed answer says about them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.privacy.amounts import chance, times, whole
from dpviz.core.arrays import FloatArray
from dpviz.experiments.privacy.one_count import CountLaws, OneCount, Supposed
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, line, picture, trace, words
from dpviz.figures.privacy.floors import Floors, arranged, labels, laws, limits, ratios, tick_words
from dpviz.figures.privacy.parts import SUPPOSED, area, big

RATIO = 38  # px of the number that the picture is about
CLEAR = (0.28, 0.56)  # of the reach: where that number stands clear of the peaks and of the edge
PEAKED, ROUND = 0.2, 0.7  # half the width of a peak, in scales
HEIGHT = 0.62  # of the peak: of that number, above the tails
LITTLE_CLEAR = (0.25, 0.36)  # on a phone, and for larger words
STEPS = (1, 2, 5)  # times a power of ten, between ticks


@dataclass(frozen=True, slots=True)
class Names:
    """The person in words that follow "with" and "without", such as Ida and her."""

    one: str
    with_one: str
    without: str


def count_picture(scene: OneCount, answer: float, names: Names, look: Look) -> Picture:
    """Both laws, the ratio at one supposed answer, and below the ratio at every answer."""
    drawn, supposed = scene.laws(), scene.supposed(answer)
    floors = _floors(scene, drawn, names)
    at, written = _ticks(scene, look)
    annotations = [
        *labels(floors, look, "How likely each answer is"),
        *_peaks(scene, floors, names, look),
        *_ratio(scene, floors, supposed, names, look),
        *_beyond(scene, look),
    ]
    shapes = limits(floors, look) + _difference(scene, drawn, supposed, look)
    dot = trace(
        "supposed",
        [answer],
        [supposed.log_ratio],
        yaxis="y2",
        mode="markers",
        cliponaxis=False,
        marker={
            "color": look.ink.danger if _is_past(scene, supposed) else look.ink.private,
            "size": look.mark(12),
            "line": line(look.ink.page, look.mark(1.5)),
        },
    )
    data = [*laws(floors, look), *ratios(floors, look), dot]
    ticks = (at, tick_words(at, scene.one, look, written))
    return picture(data, arranged(floors, look, ticks, shapes=shapes, annotations=annotations))


def _floors(scene: OneCount, drawn: CountLaws, names: Names) -> Floors:
    half = scene.spacing / 2 if drawn.whole else 0.0
    one, other, ratio = (
        _closed(heights) if drawn.whole else heights
        for heights in (drawn.one, drawn.other, drawn.ratio)
    )
    view = scene.least - half, scene.most + half
    epsilon, steps = scene.claim.epsilon, drawn.whole
    return Floors(drawn.x, one, other, drawn.x, ratio, steps, view, epsilon, names.one)


def _closed(heights: FloatArray) -> FloatArray:
    return np.append(heights, heights[-1:])


def _difference(
    scene: OneCount, drawn: CountLaws, supposed: Supposed, look: Look
) -> list[dict[str, Any]]:
    """What one answer tells: the part of its likelier law that the other does not have."""
    ink, at = look.ink, supposed.answer
    half = scene.spacing / 2
    low, high = sorted((supposed.one, supposed.other))
    likelier = ink.private if supposed.one >= supposed.other else ink.truth
    fill = translucent(ink.private, SUPPOSED)
    stems = [_stem(at, 0, low, ink.truth, look), _stem(at, low, high, likelier, look)]
    if not drawn.whole:
        return stems
    return [area(("x", "y"), (at - half, at + half, low, high), fill), *stems]


def _stem(x: float, y0: float, y1: float, colour: str, look: Look) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "x",
        "yref": "y",
        "x0": x,
        "x1": x,
        "y0": y0,
        "y1": y1,
        "line": line(colour, look.mark(3)),
    }


def _peaks(scene: OneCount, floors: Floors, names: Names, look: Look) -> list[dict[str, Any]]:
    """Each law's name beside its peak, on the side away from the other."""
    side = 1 if scene.one >= scene.other else -1
    shift = look.text(12)
    half = max(
        (ROUND if scene.noise.gaussian else PEAKED) * scene.scale,
        scene.spacing / 2 if scene.whole else 0.0,
    )
    rows = [
        (scene.one, names.with_one, look.ink.private, side),
        (scene.other, names.without, look.ink.truth, -side),
    ]
    return [
        words(
            look,
            text,
            peak + way * half,
            0.93 * floors.top,
            colour=colour,
            size=16,
            align="left" if way > 0 else "right",
            shift=(way * shift, 0),
        )
        for peak, text, colour, way in rows
    ]


def _ratio(
    scene: OneCount, floors: Floors, supposed: Supposed, names: Names, look: Look
) -> list[dict[str, Any]]:
    """The ratio in large serif, clear of the peaks, and both chances under it."""
    nearest, farthest = look.said(CLEAR, LITTLE_CLEAR, presenting=True)
    side = 1 if supposed.answer >= (scene.one + scene.other) / 2 else -1
    away = abs(supposed.answer - scene.one) + 0.7 * scene.spacing
    x = scene.one + side * float(np.clip(away, nearest * scene.reach, farthest * scene.reach))
    place: dict[str, Any] = {"align": "left" if side > 0 else "right"}
    colour = look.ink.danger_text if _is_past(scene, supposed) else look.ink.private
    number = f"{times(abs(supposed.log_ratio))} ×"
    text = _chances(scene, supposed, names)
    below: dict[str, Any] = {"colour": look.ink.second, "shift": (0, -look.text(34)), **place}
    return [
        big(look, number, x, HEIGHT * floors.top, colour=colour, size=RATIO, **place),
        *look.full(words(look, text, x, HEIGHT * floors.top, **below)),
    ]


def _chances(scene: OneCount, supposed: Supposed, names: Names) -> str:
    if not scene.moved:
        return "as likely, whoever is there"
    person = names.with_one if supposed.log_ratio >= 0 else names.without
    if not scene.whole:
        return f"as likely to come near {whole(supposed.answer)} {person}"
    high, low = sorted((supposed.one, supposed.other), reverse=True)
    return f"as likely {person}: {chance(high)} against {chance(low)}"


def _is_past(scene: OneCount, supposed: Supposed) -> bool:
    return abs(supposed.log_ratio) > scene.claim.epsilon * (1 + 1e-9)


def _beyond(scene: OneCount, look: Look) -> list[dict[str, Any]]:
    """How rarely an answer passes the limit, where the noise lets some."""
    if scene.delta == 0:
        return []
    text = f"past the limit:<br>chance {chance(scene.share_beyond)}"
    place: dict[str, Any] = {"align": "right", "stand": "top", "axes": ("x domain", "y domain")}
    return look.full(words(look, text, 1, 1, colour=look.ink.danger_text, shift=(-6, -4), **place))


def _ticks(scene: OneCount, look: Look) -> tuple[FloatArray, list[str]]:
    """Whole numbers around the count with the person, which is always among them."""
    room = look.said(13, 7)
    step = next(
        size * 10**power
        for power in range(20)
        for size in STEPS
        if 2 * scene.reach / (size * 10**power) < room
    )
    reach = scene.reach // step
    at = scene.one + step * np.arange(-reach, reach + 1, dtype=np.float64)
    return at, [whole(number) for number in at]
