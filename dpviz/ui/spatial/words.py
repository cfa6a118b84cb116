"""How the map speaks of the data in use: its people, its unit, and the marks of numbers."""

from dpviz.answers.said import private, true
from dpviz.answers.spatial.names import Names, Voice
from dpviz.ui.kit import session


def names() -> Names:
    """Who the points are, and what they do somewhere: a file's are people who are there."""
    own = session.words()
    live = own.at_most[0].split()[0]
    are = live if live == "live" else "are"
    return Names(own.people.one, own.people.many, are, own.unit.one, own.unit.many)


def page_voice() -> Voice:
    """The voice of headlines: private numbers blue, true ones bold."""
    return Voice(names(), private, true)
