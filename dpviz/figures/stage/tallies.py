"""Marks that are counted: tiles with names, people, phones, tanks, boxes of a tree."""

from collections.abc import Sequence
from typing import Literal

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.places import At, Mark, Spot, finite, named, spot

Tile = Literal["open", "asked", "bad", "good", "guessed", "wrong"]
CORNER = At(), At()
FIGURE, DOT = (44.0, 38.0), (15.0, 12.0)  # px of one person


def tiles(
    name: str,
    at: Spot,
    names: Sequence[str],
    states: Sequence[Tile],
    words: Sequence[str],
    *,
    columns: int = 8,
    size: tuple[float, float] = (76, 71),
    gap: float = 7,
    text: float = 15,
    inline: bool = False,
) -> Mark:
    """One tile a person: unknown, in a group, proved bad (hatched) or good, or guessed.

    words stand below the names, or beside them (inline); a wrong guess is struck out.
    Raises: InvalidParameter unless there are as many states and words as names.
    """
    if not len(names) == len(states) == len(words) > 0:
        raise InvalidParameter(
            f"'{name}' has {len(names)} names, {len(states)} states and {len(words)} words."
        )
    if columns < 1:
        raise InvalidParameter(f"'{name}' needs at least one column, got {columns}.")
    finite(name, *size, gap, text)
    return {
        "kind": "tiles",
        "id": named("tiles", name),
        "at": spot(at),
        "names": list(names),
        "states": list(states),
        "words": list(words),
        "columns": columns,
        "size": list(size),
        "gap": gap,
        "text": text,
        "inline": inline,
    }


def people(
    name: str,
    at: Spot,
    before: int,
    added: int,
    *,
    n: int = 100,
    columns: int = 10,
    form: Literal["figure", "dot"] = "figure",
    size: tuple[float, float] | None = None,
    colour: Colour = "ink",
) -> Mark:
    """A hundred people: suspected before in a colour, added hatched, the rest hollow."""
    if min(before, added) < 0 or before + added > n or columns < 1:
        raise InvalidParameter(f"'{name}' has {n} people, not {before} and {added} more.")
    return {
        "kind": "people",
        "id": named("people", name),
        "at": spot(at),
        "n": n,
        "before": before,
        "added": added,
        "columns": columns,
        "form": form,
        "colour": colour,
        "size": list(size or (FIGURE if form == "figure" else DOT)),
    }


def piles(
    name: str, start: Spot, end: Spot, of: Sequence[int], *, columns: int, tallest: float = 56.0
) -> Mark:
    """A tile a person in their pile, 0, 1, 2 …, in rows of piles; a pile of one is hatched.

    tallest is the height of a tile where all piles have room.
    Raises: InvalidParameter for no people, no columns, or piles that are not numbered from 0 on.
    """
    if not of or columns < 1 or sorted(set(of)) != list(range(max(of) + 1)):
        raise InvalidParameter(f"'{name}' needs people in piles 0, 1, 2 …, and columns for them.")
    finite(name, tallest)
    return {
        "kind": "piles",
        "id": named("piles", name),
        "from": spot(start),
        "to": spot(end),
        "of": list(of),
        "columns": columns,
        "tallest": tallest,
    }


def phones(
    name: str,
    start: Spot,
    end: Spot,
    marks: Sequence[bool],
    sent: Sequence[bool] = (),
    *,
    columns: int = 8,
) -> Mark:
    """One phone a person, with its mark inside and the answer that leaves it; both may be filled.

    Without answers the marks stand alone. The rows fill the rectangle from start to end.
    Raises: InvalidParameter unless every phone that sends an answer sends one.
    """
    if not marks or (len(sent) and len(sent) != len(marks)) or columns < 1:
        raise InvalidParameter(f"'{name}' has {len(marks)} phones and {len(sent)} answers.")
    return {
        "kind": "phones",
        "id": named("phones", name),
        "from": spot(start),
        "to": spot(end),
        "marks": [bool(one) for one in marks],
        "sent": [bool(one) for one in sent],
        "columns": columns,
    }


def tank(
    name: str,
    start: Spot,
    end: Spot,
    level: float,
    *,
    slots: int = 1,
    text: str = "",
    over: int = 0,
    over_at: Spot = CORNER,
    over_size: tuple[float, float] = (33, 38),
    over_row: int = 10,
) -> Mark:
    """A tank of budget: the share that is left, a tick for each answer that it pays.

    over is how many more such tanks were spent; they are hatched, over_row of them a row.
    """
    if not 0 <= level <= 1 or slots < 1 or over < 0 or over_row < 1:
        raise InvalidParameter(
            f"The tank '{name}' cannot be filled to {level}, pay {slots} answers or be {over} over."
        )
    return {
        "kind": "tank",
        "id": named("tank", name),
        "from": spot(start),
        "to": spot(end),
        "level": level,
        "slots": slots,
        "text": text,
        "over": over,
        "overAt": spot(over_at),
        "overSize": list(over_size),
        "overRow": over_row,
    }


def boxes(
    name: str,
    start: Spot,
    end: Spot,
    rows: Sequence[int],
    lit: Sequence[tuple[int, int]] = (),
    words: Sequence[str] = (),
    *,
    gap: float = 10,
    text: float = 18,
) -> Mark:
    """Rows of equal boxes, the nodes of a tree by level; lit ones are (row, place) from the left.

    A row whose boxes would be too narrow is one box. Words stand in lit boxes that are wide enough.
    Raises: InvalidParameter for no rows, a box that is not there, or more words than lit boxes.
    """
    if not rows or min(rows) < 1 or len(words) > len(lit):
        raise InvalidParameter(f"'{name}' needs rows of boxes, and lit boxes for its words.")
    if any(not (0 <= row < len(rows) and 0 <= place < rows[row]) for row, place in lit):
        raise InvalidParameter(f"'{name}' has no such boxes: {list(lit)}.")
    finite(name, gap, text)
    return {
        "kind": "boxes",
        "id": named("boxes", name),
        "from": spot(start),
        "to": spot(end),
        "rows": list(rows),
        "lit": [list(one) for one in lit],
        "words": list(words),
        "gap": gap,
        "text": text,
    }
