"""What is said of the errors to expect from a draw that nobody has asked for yet."""

from dpviz.answers.studies.expected import Expected
from dpviz.experiments.planning.answers import round_up
from dpviz.intake.samples import ANYBODY


def size(found: Expected, row: int) -> str:
    """A half-width in words: "33 people"; rounded up to two digits."""
    return f"{round_up(float(found.halves[row])):,.10g} {found.unit}".rstrip()


def text(found: Expected, row: int) -> str:
    """The same as a width to both sides: "± 33 people"."""
    return f"± {size(found, row)}"


def noise_alone(found: Expected, what: str) -> str:
    """What is said of errors that do not depend on data: of the finest counts, which are last."""
    return (
        f"About 19 of 20 of its {what} will be off by at most {size(found, -1)}, whoever is in the "
        "data: it is the noise alone."
    )


def made_up(found: Expected, people: int | None) -> str:
    """What is said of errors on made-up people; None for more than can be made up."""
    about = "More than a million people"
    if people is not None:
        verb = "is" if people == 1 else "are"
        about = f"If there {verb} about {ANYBODY.people.counted(people)}"
    return (
        f"{about}, spread evenly between the bounds: 19 times of 20 a number is off by at "
        f"most {size(found, found.worst)}, at the worst of them."
    )


def alt(found: Expected, said: str) -> str:
    """The picture in words: what is said of it, and every row."""
    rows = "; ".join(text(found, row) for row in range(len(found.names)))
    return f"{said} {rows}."
