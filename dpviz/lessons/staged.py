"""A scene as a stage: the marks of every stop and beat, put together into one picture that moves.

What a scene draws is one function (numbers, beat, screen) → marks, back to front. A mark that is
not there in some state is hidden in it; one that is there in two states glides between them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.places import Mark, Spot, spot
from dpviz.figures.stage.stage import Layer, Stage, View

Marks = Sequence[Mark]
REST = 40.0  # ms after the last step until the mark is at rest
Key = tuple[str, str]  # a stop and a beat, as they are named in the state


def named(stop: Any) -> str:
    """A stop as the stage's state and a link name it."""
    return f"{stop:.15g}" if isinstance(stop, float | int) else str(stop)


def after(mark: Mark, start: float, lasts: float = 200.0) -> Mark:
    """The mark, which begins to move or appear so many ms after an answer was chosen."""
    return mark | {"after": start, "lasts": lasts}


def entering(mark: Mark, place: Spot, every: float, first: float = 0.0) -> Mark:
    """Dots that come from a place when they appear, one every so many ms, the first at `first`."""
    return mark | {"enter": {"from": spot(place), "every": every, "first": first}}


def stepping(mark: Mark, steps: Sequence[tuple[float, Mark]]) -> Mark:
    """The mark, which comes to its state in steps: (ms after the answer, the mark at that time)."""
    listed = [
        [ms, {field: value for field, value in then.items() if mark.get(field) != value}]
        for ms, then in steps
    ]
    return mark | {"through": [*listed, [steps[-1][0] + REST, {}]]} if listed else mark


def stage_of(
    states: Mapping[Key, Callable[[], Marks]], now: Key, *, k: float = 1.0, only: bool = False
) -> Stage:
    """The stage of a scene that knows these states, and stands at one of them.

    Wherever it stands, all but its state is the same, so that a browser gets it once. only leaves
    all other states out, for a picture that stands still.
    """
    wanted = {key: make for key, make in states.items() if not only or key == now}
    found = {key: _by_name(make()) for key, make in wanted.items()}
    order = _order([list(marks) for marks in found.values()])
    absent = {name for name in order if any(name not in marks for marks in found.values())}
    base = tuple(
        _always(name, found) | ({"hidden": True} if name in absent else {}) for name in order
    )
    first = {mark["id"]: mark for mark in base}
    moving = {
        (name, field)
        for marks in found.values()
        for name, mark in marks.items()
        for field, value in mark.items()
        if first[name].get(field) != value
    }
    layers = {"|".join(key): _changes(marks, order, moving, absent) for key, marks in found.items()}
    state = {"stop": now[0], "beat": now[1]}
    return Stage((View(base),), state, (Layer(("stop", "beat"), layers),), k)


def dragging(
    stage: Stage,
    name: str,
    first: str,
    states: Mapping[Key, Callable[[], Marks]],
    moved: Mapping[tuple[str, Any, str], Callable[[], Marks]],
) -> Stage:
    """The stage with what changes while something in it is dragged from its first value.

    name is that of its mark; moved are the marks at every stop, beat and value. What does not
    depend on the beat is told once for all beats.
    """
    found = {key: _by_name(make()) for key, make in states.items()}
    each = {key: _apart(found[key[:2]], make()) for key, make in moved.items()}
    stops = dict.fromkeys((stop, value) for stop, _, value in each)  # the same order again
    beats = {stop: [beat for one, beat in found if one == stop] for stop, _ in found}
    shared = {
        (stop, value): _common([each[stop, beat, value] for beat in beats[stop]])
        for stop, value in stops
    }
    own = {"|".join(key): _without(fields, shared[key[0], key[2]]) for key, fields in each.items()}
    layers = (
        Layer(("stop", name), {"|".join(key): fields for key, fields in shared.items()}),
        Layer(("stop", "beat", name), own),
    )
    return replace(stage, state={**stage.state, name: first}, layers=(*stage.layers, *layers))


def _apart(before: Mapping[str, Mark], after: Marks) -> dict[str, dict[str, Any]]:
    """The fields of marks that are others afterwards."""
    changed = {
        mark["id"]: {
            field: value for field, value in mark.items() if before[mark["id"]].get(field) != value
        }
        for mark in after
    }
    return {name: fields for name, fields in changed.items() if fields}


def _common(every: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """Fields that are the same in all of them."""
    head, *rest = every
    found = {
        name: {
            field: value
            for field, value in fields.items()
            if all(field in one.get(name, {}) and one[name][field] == value for one in rest)
        }
        for name, fields in head.items()
    }
    return {name: fields for name, fields in found.items() if fields}


def _without(
    every: Mapping[str, Mapping[str, Any]], shared: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """What is left of fields without those that are shared."""
    found = {
        name: {field: value for field, value in fields.items() if field not in shared.get(name, {})}
        for name, fields in every.items()
    }
    return {name: fields for name, fields in found.items() if fields}


def _by_name(marks: Marks) -> dict[str, Mark]:
    """Marks by their ids. Raises: InvalidParameter if two have the same."""
    found = {mark["id"]: mark for mark in marks}
    if len(found) < len(marks):
        names = [mark["id"] for mark in marks]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise InvalidParameter(f"These marks are there twice: {', '.join(twice)}.")
    return found


def _always(name: str, found: Mapping[Key, Mapping[str, Mark]]) -> Mark:
    """A mark with the fields that it has wherever it is there, the same whatever is shown now."""
    there = [marks[name] for marks in found.values() if name in marks]
    return {field: value for field, value in there[0].items() if all(field in one for one in there)}


def _changes(
    marks: Mapping[str, Mark], order: Sequence[str], moving: set[Key], absent: set[str]
) -> dict[str, dict[str, Any]]:
    """What is said of each mark in one state: the fields that change, and whether it is there."""
    said: dict[str, dict[str, Any]] = {}
    for name in order:
        fields = {"hidden": False} if name in absent and name in marks else {}
        fields |= {
            field: value for field, value in marks.get(name, {}).items() if (name, field) in moving
        }
        if fields:
            said[name] = fields
    return said


def _order(lists: Sequence[Sequence[str]]) -> list[str]:
    """All names, each after what it stands behind in any list."""
    order: list[str] = []
    for names in lists:
        at = 0
        for name in names:
            if name in order:
                at = max(at, order.index(name) + 1)
            else:
                order.insert(at, name)
                at += 1
    return order
