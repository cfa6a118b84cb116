"""The gallery's small pictures: the people of each sample set, or only its declared bounds."""

from functools import lru_cache

from dpviz.answers.number_text import amount
from dpviz.core.bounds import Bounds
from dpviz.figures.kit.look import Screen
from dpviz.intake.samples import Sample, load_sample, sample
from dpviz.ui.data.grains import CELL, each_person, in_a_box, over_an_axis
from dpviz.ui.data.words import SAID
from dpviz.ui.kit.gallery.shapes import Shape, Still, dots, grains, still, stroke, words

# px of a card's picture: as wide as the card where six of them stand abreast, and on a phone
SIZES: dict[Screen, tuple[int, int]] = {
    "wide": (192, 200),
    "narrow": (192, 180),
    "low": (166, 132),
    "phone": (142, 150),
}
FEW, PERSON = 200, 7.0  # people that get a dot each, and its px
MARGIN = 6  # px at either side of the axis
FLOOR, LABEL = 30, 8  # px from below: the axis, the base line of its labels
TOP = 5
MOST = 5_000  # grains on one card
SMALL = 13.5  # px of words on screen
SHRINKS = {"wide": 166 / 192}  # where six cards share 1,280 px and the window is high


@lru_cache(maxsize=64)  # public sample sets only
def picture_of(
    key: str, *, people: bool, screen: Screen = "wide", presenting: bool = False
) -> Still:
    """One card's picture: its grains, or the empty axis or box with its two blue ends."""
    chosen, size = sample(key), SIZES[screen]
    text = (18.5 if presenting else SMALL) / SHRINKS.get(screen, 1)
    draw = _map if len(chosen.columns) > 1 else _axis
    return still(*size, draw(chosen, size, text, people))


def _axis(chosen: Sample, size: tuple[int, int], text: float, people: bool) -> list[Shape]:
    seen = _seen(chosen, people)
    width, floor = size[0], size[1] - FLOOR
    ends = [MARGIN, width - MARGIN]
    shapes = [stroke(ends, [floor + 1.5] * 2, "second", 1)]
    if people:
        (values,) = load_sample(chosen.key)
        room = (ends[1] - ends[0], floor - TOP)
        if values.size <= FEW:
            x, y = each_person(values, seen, *room, PERSON)
            return [
                *shapes,
                grains(x + MARGIN, y + TOP, size=PERSON),
                *_ends(chosen, size, text, people),
            ]
        wide = seen.widened(chosen.resolution / 2)  # a column stands around its value
        cell = CELL
        while (found := over_an_axis(values, wide, chosen.resolution, *room, cell)).x.size > MOST:
            cell *= 1.05
        shapes.append(grains(found.x + MARGIN, found.y + TOP))
    else:
        shapes.append(stroke(ends, [floor + 1.5] * 2, "blue", 4))
        shapes.append(dots([(end, floor + 1.5) for end in ends], "blue", 13))
    return [*shapes, *_ends(chosen, size, text, people)]


def _seen(chosen: Sample, people: bool) -> Bounds:
    """The declared axis, or the stretch of it where nearly everybody is."""
    view = SAID[chosen.key].view if people and chosen.key in SAID else None
    return chosen.bounds[0] if view is None else Bounds(*view)


def _ends(chosen: Sample, size: tuple[int, int], text: float, people: bool) -> list[Shape]:
    """What the axis is labelled with; an arrow says that it goes on."""
    bounds, seen, (width, height) = chosen.bounds[0], _seen(chosen, people), size
    left = "‹ " * (bounds.low < seen.low) + amount_of(bounds.low)
    right = amount_of(bounds.high) + " ›" * (bounds.high > seen.high)
    base = height - LABEL
    return [words(left, 0, base, size=text), words(right, width, base, size=text, align="end")]


def _map(chosen: Sample, size: tuple[int, int], text: float, people: bool) -> list[Shape]:
    box, (width, height) = chosen.box, size
    inset = 1.0 if people else 7.0
    room = (width - 2 * inset, height - 2 * inset - FLOOR * (not people))
    scale = min(room[0] / box.x.width, room[1] / box.y.width)
    wide, tall = box.x.width * scale, box.y.width * scale
    left, top = (width - wide) / 2, (height - tall) / 2 if people else inset
    across, down = [left, left + wide], [top, top + tall]
    frame = stroke(
        [across[0], across[1], across[1], across[0], across[0]],
        [down[0], down[0], down[1], down[1], down[0]],
        "hairline" if people else "blue",
        1 if people else 3,
    )
    if not people:
        corners = [(x, y) for x in across for y in down]
        said = " × ".join(f"{amount_of(one.low)} to {amount_of(one.high)}" for one in chosen.bounds)
        middle = words(said, width / 2, down[1] + FLOOR - 4, size=text, align="middle")
        return [frame, dots(corners, "blue", 11), middle]
    x, y = load_sample(chosen.key)
    found = in_a_box(x, y, box, wide, tall)
    return [frame, grains(found.x + left, found.y + top, size=1.6)]


def amount_of(value: float) -> str:
    """A declared number in full: thousands grouped, no digit that was not typed."""
    decimals = len(f"{abs(value) % 1:.10g}".partition(".")[2])
    return amount(value, decimals)
