"""What an outsider is told of a private map, and the card of its release."""

from dpviz.answers.number_text import counted, upper
from dpviz.answers.privacy.promise import promised
from dpviz.answers.said import Line, Said
from dpviz.answers.spatial.names import Names, Voice, count, give_or_take, percent_of_cells
from dpviz.answers.spatial.outsider import OutsiderNumbers
from dpviz.answers.spatial.rectangle import RectangleNumbers
from dpviz.answers.spatial.rectangle_said import between, left_out, released, where
from dpviz.core.budgets import Budget, Neighbours

RELATIONS = {
    Neighbours.ADD_REMOVE: "one person joins or leaves; how many there are stays secret",
    Neighbours.REPLACE_ONE: "one person moves elsewhere; how many there are is public",
}
FAR = {"In one cell", "Neighbours", "Method"}  # rows of the card that are not read from afar


def say(answer: RectangleNumbers, found: OutsiderNumbers, voice: Voice) -> Said:
    """The answer, give or take, and that nothing else is on screen."""
    return Said(
        Line(released(answer, voice)),
        Line(left_out(voice)),
        [
            ("cells that are sure", percent_of_cells(found.cells.sure_share)),
            ("what this view holds", "only what may be published"),
            ("records on screen", "0"),
        ],
        released(answer, Voice(voice.names)),
    )


def card(
    answer: RectangleNumbers,
    found: OutsiderNumbers,
    names: Names,
    spent: Budget,
    protected: str,
    neighbours: str,
) -> list[tuple[str, str]]:
    """Everything that may be known of the release, in words and texts; plain.

    protected is who is, as "student"; neighbours says what one person may change.
    """
    return [
        ("What", f"a map of {names.extent(found.box)}: how many {names.many} {names.are} where"),
        (upper(where(answer)), f"{count(answer.private)}, about 19 times in 20 {between(answer)}"),
        ("In one cell", f"± {names.after(give_or_take(found.cell_half))}"),
        ("Promise", promised(spent, found.cells.neighbours, protected, "map")),
        ("Neighbours", neighbours),
        ("Method", _method(found)),
        ("Spent", f"{spent}, for good"),
    ]


def _method(found: OutsiderNumbers) -> str:
    """The method, its levels, and how many numbers were published."""
    combined = ", combined" if found.combined else ""
    levels = "" if found.levels is None else f" {counted(found.levels, 'level')},"
    counts = counted(found.cells.noisy_counts, "noisy count")
    return f"{found.cells.name}:{levels} {counts}{combined}"
