"""The sentences of Declare. With the truth off none of them depends on a value."""

from dpviz.answers.number_text import counted
from dpviz.answers.said import plain
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours
from dpviz.ui.data.declaring import Declared
from dpviz.ui.data.flat_barrier import Stays
from dpviz.ui.data.pictures import amount_of
from dpviz.ui.data.words import a_value, bare
from dpviz.ui.kit import session
from dpviz.ui.visit.page import Visit

WHY_NOT = (
    "The smallest and the largest value belong to two people. If the bounds are taken from the "
    "data, every later output depends on those two people with certainty: with one of them gone, "
    "the bounds move, and no noise hides it. So bounds are declared from what anyone could know: "
    "an age lies between 0 and 120, a mark between 0 and 100.\n\n"
    "Too tight, and values are clipped, which biases the tails. Too wide, and the mechanisms search "
    "where nobody is."
)
KIND_HELP = (
    "Proposes bounds and steps that anyone could name, and gives the axis its scale. Nothing of "
    "the file goes into it. Other: both numbers are typed."
)

BELOW_ONLY = "What lies below the barrier is declared, and public. Its people are not on screen."


COUNTED_ONCE = (
    "A column is counted when it is first needed, and not again until you say so. A new state of the "
    "table is a new draw: other numbers, booked once more, whether a row has changed or not. Equal "
    "numbers would tell that none has."
)


def counted_how(axes: tuple[Declared, ...]) -> str:
    """What is exact of a table that is counted where it lies."""
    if len(axes) > 1:
        return (
            "Counted on a grid of 1,024 × 1,024 cells: quadtrees are exact down to these cells, "
            "kd-trees take the points at the middles of cells."
        )
    if axes[0].step:
        return "Counted in the steps that you declare: quantiles are exact, trees down to a step."
    return (
        "Without steps it is counted in 2²⁰ equal parts of the bounds, and all releases are about "
        "the column rounded to them."
    )


def bounds(axes: tuple[Declared, ...]) -> list[Bounds]:
    """Those that are declared."""
    return [one.bounds for one in axes if one.bounds is not None]


def no_bounds(axes: tuple[Declared, ...]) -> tuple[str, str]:
    """While a bound is missing."""
    name = next(one.name for one in axes if one.bounds is None)
    return (
        f"What could {plain(a_value(name))} be, at least and at most?",
        "Say it from what everyone knows, never from the file: the smallest and the largest value "
        "belong to two people.",
    )


def stays(now: Visit, axes: tuple[Declared, ...], *, hidden: bool) -> Stays:
    """What is behind the barrier while nothing of it is drawn."""
    if not hidden:
        return Stays("Nothing to draw yet", ["the people appear once the axis has bounds"])
    value = (bare(axes[0].name) if len(axes) == 1 else "") or "value"
    lines = [f"every single {value}"]
    if now.neighbours is Neighbours.ADD_REMOVE:
        lines.append("how many people there are")
    return Stays(
        "Stays up here, whatever you publish",
        [*lines, "the smallest and the largest", "how many lie outside the bounds"],
    )


def above_note(now: Visit) -> str:
    """Beside the word CONFIDENTIAL."""
    if not now.truth:
        return now.look.said("nothing of it is drawn or counted here", "not drawn, not counted")
    return now.look.said("shown for teaching: no release holds it", "for teaching only")


def below_note(now: Visit, axes: tuple[Declared, ...]) -> str:
    """Beside the word PUBLIC."""
    short = now.look.phone or len(axes) > 1
    return "everyone may know this" + ("" if short else ": it goes with every release")


def leads(now: Visit, axes: tuple[Declared, ...]) -> list[tuple[str, str]]:
    """What the declarations do, in three short columns."""
    step = axes[0].step
    steps = (
        f"Steps of {amount_of(step)}",
        "Equal values are spread over their step, so that ties do no harm.",
    )
    if len(axes) > 1:
        steps = (
            "Two columns",
            "A map cuts this box into cells and publishes a noisy count of each.",
        )
    elif step <= 0:
        steps = ("No steps", "Any number can occur. Declare steps where many values tie.")
    people = (
        "One person joins or leaves",
        "How many there are stays secret. Choose changed values if it is public.",
    )
    if session.is_upload():
        people = whose_rows(now)
    elif now.neighbours is Neighbours.REPLACE_ONE:
        people = (
            "One person's value changes",
            "How many there are is public. Who has which value stays secret.",
        )
    outside = "Values outside move to the nearer end. Nobody learns how many."
    return [("Bounds", outside), steps, people]


def whose_rows(now: Visit) -> tuple[str, str]:
    """Of a file: what a person is, as loudly as its bounds."""
    own, rows = session.upload(), session.person_rows()
    if own is None or rows is None:
        changes = now.neighbours is Neighbours.REPLACE_ONE
        secret = "public, who has which value secret" if changes else "secret"
        return (
            "One row counts as one person",
            f"How many there are stays {secret}. Several rows a person? Say whose they are.",
        )
    kept = "all of them together as one person" if rows.shared else f"at most {rows.most:,} of them"
    is_one = rows.shared or rows.most == 1
    return (
        f"A person: all rows of one {own.people.column}",
        f"One joins or leaves with all rows, and {kept} count{'s' if is_one else ''}.",
    )


def alt(now: Visit, axes: tuple[Declared, ...]) -> str:
    """The picture in words."""
    above = "the people, shown for teaching" if now.truth else "nothing"
    parts = []
    for one in axes:
        if one.bounds is None:
            parts.append(f"{one.name} without bounds yet")
        else:
            ends = amount_of(one.bounds.low), amount_of(one.bounds.high)
            parts.append(f"{one.name} from {ends[0]} to {ends[1]}")
    kind = "a box" if len(axes) > 1 else "an axis"
    return (
        f"A barrier lies flat. Above it {above}; below it {kind} that everyone may know: "
        f"{', '.join(parts)}."
    )


def relation_label(now: Visit) -> str:
    """The state of the neighbours' popover."""
    replaced, rows = now.neighbours is Neighbours.REPLACE_ONE, session.person_rows()
    if rows is not None:
        kept = "all rows as one" if rows.shared else f"at most {counted(rows.most, 'row')}"
        return f"A person: {kept}"
    if session.is_upload():
        return "One row, one person; it changes" if replaced else "One row is one person"
    return "One person's value changes" if replaced else "One person joins or leaves"
