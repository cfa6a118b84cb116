"""The picture that is there before any script: one SVG for light and dark paper."""

import hashlib
import math
import re
import zlib
from functools import cache, lru_cache, partial

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from dpviz.figures.kit.typefaces import FACES
from dpviz.figures.stage.colours import theme_of
from dpviz.figures.stage.engine import drawn
from dpviz.figures.stage.stage import Stage

COLOURS = tuple(name for name in theme_of(Look()) if name not in FACES)
WIDE, NARROW = (1184, 490), (358, 420)  # px, as pictures are designed
STEP = 2  # grains and corners of long lines stand on half px
MOST = 10_000  # packed bytes of a picture; grains of larger crowds are thinned until it fits
LARGEST, SMALLEST = 4_000, 500  # grains of a crowd
CROWD = re.compile(r'd="((?:M[-\d.]+ [-\d.]+h0){300,})"([^>]*?) stroke-width="([\d.]+)"')
WAY = re.compile(r'd="(M[-\d.]+ [-\d.]+(?:L[-\d.]+ [-\d.]+){200,})')


def variable(name: str) -> str:
    """A colour or a typeface of the theme as CSS knows it."""
    return f"--{name.replace('_', '-').lower()}"


def variables(*, dark: bool) -> str:
    """All colours of one theme as CSS."""
    theme = theme_of(Look(DARK if dark else LIGHT))
    return "".join(f"{variable(name)}:{theme[name]};" for name in COLOURS)


def picture(stage: Stage, size: tuple[int, int], name: str, kind: str = "early") -> str:
    """A stage as SVG in the state that it names, in CSS variables; name is its own on the page."""
    theme = {one: f"var({variable(one)})" for one in (*COLOURS, *FACES)}
    svg = drawn(stage, *size, theme)
    svg = svg.replace(f'<rect width="{size[0]}" height="{size[1]}" fill="var(--page)"/>', "", 1)
    svg = svg.replace('id="hatch"', f'id="hatch-{name}"').replace(
        "url(#hatch)", f"url(#hatch-{name})"
    )
    if "url(#" not in svg:
        svg = re.sub(r"<defs>.*?</defs>", "", svg)
    svg = re.sub(r' data-key="[^"]*"', "", svg)
    svg = WAY.sub(_way, svg)
    most, found = LARGEST, ""
    while not found or (len(zlib.compress(found.encode(), 9)) > MOST and most > SMALLEST):
        found = grained(svg, most)
        most = most * 2 // 3
    return found.replace("<svg ", f'<svg class="{kind} {name}" ', 1)


def grained(svg: str, most: int) -> str:
    """A drawing whose crowds have at most so many grains each, on half px."""
    return CROWD.sub(partial(_crowd, most), svg)


def _crowd(most: int, found: re.Match[str]) -> str:
    """A crowd as steps from grain to grain, thinned where it is large: each as much larger."""
    at = _spots(found[1])
    every = math.ceil(len(at) / most)
    d, last = [], (0, 0)
    for place, (x, y) in enumerate(at):
        if _lot(place) % every == 0:
            d.append(f"m{_pair(x - last[0], y - last[1])}h0")
            last = x, y
    width = float(found[3]) * math.sqrt(every)
    return f'd="{"".join(d)}"{found[2]} stroke-width="{width:.3g}"'


@lru_cache(maxsize=8)
def _spots(d: str) -> list[tuple[int, int]]:
    """Where the grains of a path are."""
    return [_spot(pair) for pair in d[1:].removesuffix("h0").split("h0M")]


@cache
def _lot(place: int) -> int:
    """A number from 0 to 255 that follows no rule which a thinned crowd would show."""
    return hashlib.sha256(str(place).encode()).digest()[0]


def _way(found: re.Match[str]) -> str:
    """A long line as steps from point to point."""
    first, *others = [_spot(pair) for pair in found[1][1:].split("L")]
    d, last = [f"M{_pair(*first)}"], first
    for x, y in others:
        right, down = x - last[0], y - last[1]
        if right and down:
            d.append(f"l{_pair(right, down)}")
        elif right or down:
            d.append(f"h{_short(right)}" if right else f"v{_short(down)}")
        last = x, y
    return f'd="{"".join(d)}'


def _spot(pair: str) -> tuple[int, int]:
    """A place in steps of the grid."""
    x, y = (round(float(one) * STEP) for one in pair.split())
    return x, y


def _pair(x: int, y: int) -> str:
    right, down = _short(x), _short(y)
    return f"{right}{'' if down.startswith('-') else ' '}{down}"


def _short(steps: int) -> str:
    written = f"{steps / STEP:g}"
    return written.replace("0.", ".", 1) if abs(steps) < STEP else written
