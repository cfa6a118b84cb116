"""What running counts buy: people so far at every step, and beside them how far off each is."""

from typing import Any

from dpviz.answers.decide.exact.frame import Names
from dpviz.answers.decide.exact.running import RunningBuys
from dpviz.answers.said import html_safe
from dpviz.figures.decide.curve import (
    LABEL,
    dotted,
    error_line,
    errors_beside,
    frame,
    hovering,
    line_marks,
    made_up_note,
)
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, coloured, picture, words


def running_picture(found: RunningBuys, names: Names, look: Look) -> Picture:
    """Counts at the end of every step with their width, and their errors enlarged."""
    until = look.said(f"until the end of each {names.period}", "so far", presenting=True)
    said = html_safe(f"How many {names.many} {until}")
    arranged = frame(found.edges, (found.counts, found.truth), names, look, said)
    errors_beside(arranged, found.half, found.asked, found.sure, found.errors, look, names)
    marks = [
        *line_marks(found, look),
        *dotted(found.edges, found.counts, look, is_published=found.is_published),
        hovering(found.edges, found.counts, f"%{{y:,.0f}} {html_safe(names.many)} until", look),
    ]
    if found.errors is not None:
        marks.append(error_line(found.edges, found.errors, look))
    if found.is_made_up:
        arranged["annotations"].append(made_up_note(look))
    else:
        last = coloured(f"<b>{found.last:,.0f}</b> at the end", look.ink.private)
        place: dict[str, Any] = {"align": "right", "stand": "bottom", "size": LABEL}
        corner = ("x domain", "y domain")
        arranged["annotations"].append(words(look, last, 0.98, 0.05, axes=corner, **place))
    return picture(marks, arranged)
