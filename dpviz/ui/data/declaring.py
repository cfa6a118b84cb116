"""What is declared of the data in use: one axis, or two, with what the visitor may do to them."""

from dataclasses import dataclass, replace

from dpviz.core.bounds import Bounds
from dpviz.core.data.checks import checked_resolution
from dpviz.core.errors import DpvizError, InvalidBounds
from dpviz.ui import visitor
from dpviz.ui.data.flat_barrier import Axis
from dpviz.ui.data.kinds import BOX, LEFT, OTHER, RIGHT, Kind, kind_named, moved, window
from dpviz.ui.kit import session
from dpviz.ui.visit import data, declared, state

NO_SCALE = Bounds(0, 1)  # of an axis that nothing is known of
Y = "y"  # where the second column of a file is declared


@dataclass(frozen=True, slots=True)
class Declared:
    """One column's declarations: where they are kept, its name, and what holds."""

    scope: str
    name: str
    bounds: Bounds | None
    step: float
    own: Bounds | None = None  # a sample's
    in_box: bool = False

    @property
    def kind(self) -> str | None:
        """The kind of number that was chosen."""
        return kind_of(self.scope)

    @property
    def axis(self) -> Axis:
        """How it is drawn: the scale is that of its kind, of the sample, or what was typed."""
        scale = kind_named(self.kind).bounds or self.own
        typed: Bounds | None = visitor.get(f"_scale_{self.scope}")
        scale = scale or typed or self.bounds
        seen = (
            NO_SCALE
            if scale is None
            else window(scale, self.bounds, beyond=BOX if self.in_box else (LEFT, RIGHT))
        )
        return Axis(self.name, self.bounds, scale, seen, self.step)


def columns() -> tuple[Declared, ...]:
    """The column in use, or both columns of what lies in the plane."""
    if session.is_upload():
        scope = session.scope()
        first = Declared(scope, session.unit(), _bounds(scope), _step(scope))
        if not session.in_plane():
            return (first,)
        second = Declared(Y, session.point_units()[1], _bounds(Y), 0.0)
        return replace(first, in_box=True), replace(second, in_box=True)
    chosen = session.chosen_sample()
    scopes = data.sample_scopes(chosen)
    return tuple(
        Declared(
            scope,
            name,
            _bounds(scope, own),
            _step(scope, chosen.resolution),
            own,
            in_box=len(scopes) > 1,
        )
        for scope, name, own in zip(scopes, chosen.columns, chosen.bounds, strict=True)
    )


def _bounds(scope: str, own: Bounds | None = None) -> Bounds | None:
    low, high = declared.of(scope, "low"), declared.of(scope, "high")
    if own is not None:
        low, high = own.low if low is None else low, own.high if high is None else high
    if low is None or high is None:
        return None
    try:
        return declared.drawable(low, high)
    except InvalidBounds:
        return None


def _step(scope: str, own: float = 0.0) -> float:
    step = declared.of(scope, "resolution")
    return own if step is None else step


def name_kind(scope: str, key: str) -> None:
    """Say what kind of number it is, and leave what is declared as it is."""
    visitor.put(f"_kind_{scope}", key)


def kind_of(scope: str) -> str | None:
    """The kind of number that was chosen for a column."""
    found: str | None = visitor.get(f"_kind_{scope}")
    return found


def propose(scope: str, key: str | None) -> None:
    """Take the public proposal of a kind of number; Other empties the axis, keeping what holds."""
    visitor.put(f"_kind_{scope}", key)
    kind: Kind = kind_named(key)
    if kind.bounds is None:
        visitor.put(f"_kind_{scope}", OTHER)
        return
    visitor.forget(f"_scale_{scope}")
    _put(scope, kind.bounds)
    if scope != Y:
        state.put(declared.key(scope, "resolution"), kind.step)


def declare(scope: str, bounds: Bounds) -> None:
    """Bounds that were proposed: the axis is scaled anew by them."""
    forget_scale(scope)
    _put(scope, bounds)


def take_moves(ends: list[tuple[float, float]]) -> None:
    """Where the handles were let go."""
    for one, asked in zip(columns(), ends, strict=True):
        found = moved(asked, one.axis.seen, one.step)
        if found is None or found == one.bounds:
            continue
        # a typed scale stays where it is while its handles move
        if not visitor.holds(scale := f"_scale_{one.scope}"):
            visitor.put(scale, one.axis.scale)
        _put(one.scope, found, one.bounds)


def mistakes() -> list[str]:
    """What is wrong with what was typed: bounds out of order, steps wider than the bounds."""
    found = []
    for one in columns():
        low, high = declared.of(one.scope, "low"), declared.of(one.scope, "high")
        if one.own is not None:
            low, high = one.own.low if low is None else low, one.own.high if high is None else high
        if low is None or high is None:
            continue
        try:
            checked_resolution(one.step, Bounds(low, high))
        except DpvizError as error:
            found.append(str(error))
    return found


def is_changed() -> bool:
    """Whether anything of a sample is declared otherwise than it comes."""
    return any(
        declared.of(one.scope, name) is not None for one in columns() for name in declared.NAMES
    )


def as_at_first() -> None:
    """A sample's own declarations again."""
    for one in columns():
        for name in declared.NAMES:
            state.store().pop(declared.key(one.scope, name), None)
        forget_scale(one.scope)


def forget_scale(scope: str) -> None:
    """Let the axis follow what is declared next."""
    visitor.forget(f"_kind_{scope}", f"_scale_{scope}")


def typed(scope: str) -> None:
    """Bounds were typed: an axis without a kind is scaled anew by them."""
    if kind_named(visitor.get(f"_kind_{scope}")).bounds is None:
        visitor.forget(f"_scale_{scope}")


def _put(scope: str, bounds: Bounds, before: Bounds | None = None) -> None:
    """Declare bounds; an end that stays as it was before is not declared anew."""
    for name, end, was in (
        ("low", bounds.low, before and before.low),
        ("high", bounds.high, before and before.high),
    ):
        if end != was:
            state.put(declared.key(scope, name), end)
