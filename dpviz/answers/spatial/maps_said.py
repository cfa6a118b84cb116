"""What is said of a private map beside the truth, of two maps, and of one without the truth."""

from dpviz.answers.said import Line, Said, plain
from dpviz.answers.spatial import cells_said, outsider_said, rectangle_said
from dpviz.answers.spatial.maps import MapNumbers
from dpviz.answers.spatial.names import Voice


def say(found: MapNumbers, voice: Voice, threshold: float | None = None) -> Said:
    """The headline speaks with the voice, the alternative text without marks.

    threshold is what the cells were pruned at, if they were.
    """
    if found.alone is not None:
        return outsider_said.say(found.answers[0], found.alone, voice)
    headline, second, alt = (_one if len(found.answers) == 1 else _two)(found, voice)
    return Said(
        Line(headline),
        Line(cells_said.warned(found.cells, second)),
        cells_said.strip(found.answers, found.cells),
        alt,
        cells_said.chips(found.cells, threshold),
    )


def _one(found: MapNumbers, voice: Voice) -> tuple[str, str, str]:
    (answer,), private = found.answers, not found.cells[0].exact
    why = rectangle_said.why(answer, voice)
    spoken = rectangle_said.finding(answer, voice, private=private)
    bare = rectangle_said.finding(answer, Voice(voice.names), private=private)
    return spoken, why, f"{bare} {why}"


def _two(found: MapNumbers, voice: Voice) -> tuple[str, str, str]:
    named = [(one.name, two) for one, two in zip(found.cells, found.answers, strict=True)]
    marked = [(plain(name), answer) for name, answer in named]
    return (
        rectangle_said.two_findings(marked, voice),
        rectangle_said.two_reasons(marked),
        rectangle_said.two_findings(named, Voice(voice.names)),
    )
