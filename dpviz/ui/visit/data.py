"""Which data a page works on: the visit holds one set for columns and one for the plane."""

from typing import Literal

from dpviz.core.budgets import Neighbours
from dpviz.core.person_rows import PersonRows
from dpviz.intake.samples import Sample, sample, samples
from dpviz.ui import visitor
from dpviz.ui.links import arriving
from dpviz.ui.visit import state

KEY = "data"  # in links
UPLOAD = "upload"  # stands for the visitor's own file; it is in no link
PEOPLE = "upload_people"  # in accounts: people with several rows in the visitor's own files
Kind = Literal["column", "plane"]
FIRST: dict[Kind, str] = {"column": "exam", "plane": "towns"}


def has_upload() -> bool:
    """Whether a file of the visitor's own was read."""
    return visitor.get("_upload") is not None


def person_rows() -> PersonRows | None:
    """What counts of a person with several rows in the data in use; None: a row is a person."""
    own = visitor.get("_upload")
    if own is None or visitor.get(KEY) != UPLOAD:
        return None
    found: PersonRows | None = own.people.rows
    return found


def relation() -> Neighbours:
    """The neighbouring relation in use.

    Where people have several rows, one joins or leaves with all of them, whatever was chosen.
    """
    return Neighbours.ADD_REMOVE if person_rows() else Neighbours(state.get("neighbours"))


def upload_in_plane() -> bool:
    """Whether two columns of the visitor's own file are chosen."""
    return has_upload() and visitor.get("upload_y") is not None


def is_plane(key: str) -> bool:
    """Whether a set has two columns, as the map needs them."""
    return upload_in_plane() if key == UPLOAD else len(sample(key).columns) > 1


def options(kind: Kind | None = None) -> list[str]:
    """Keys of everything that can be chosen, the visitor's file first."""
    own = [UPLOAD] if has_upload() else []
    listed = own + [one.key for one in samples()]
    return [key for key in listed if is_plane(key)] if kind == "plane" else listed


def in_use(kind: Kind, first: str | None = None) -> str:
    """The set that pages of this kind work on; first is a page's own until one is chosen."""
    first = first or FIRST[kind]
    key = str(state.store().get(kind, first))
    return key if key in options(kind) else first


def choose(key: str, kind: Kind | None = None) -> None:
    """Work on another set from now on; without a kind, pages of every kind that can."""
    if kind is not None:
        kinds: list[Kind] = [kind]
    elif key == UPLOAD:  # of the plane only once two of its columns are chosen, see in_use
        kinds = ["column", "plane"]
    else:
        kinds = ["plane" if is_plane(key) else "column"]
    for each in kinds:
        state.put(each, key)
    state.put("latest", key)
    visitor.put(KEY, key)


def shown() -> str:
    """The set that the page in hand works on."""
    return str(visitor.get(KEY, ""))


def latest() -> str:
    """The set that was chosen last, of either kind."""
    key = str(state.store().get("latest", FIRST["column"]))
    return key if key in options() else FIRST["column"]


def take_link(kind: Kind | None) -> None:
    """The set that the link asks for."""
    texts = arriving.linked(KEY)
    if not texts:
        return
    if len(texts) == 1 and texts[0] in {one.key for one in samples()}:
        choose(texts[0], "column" if kind == "column" else None)
    elif list(texts) != [UPLOAD] or not has_upload():
        arriving.refuse(KEY)


def link_text(kind: Kind | None, first: str | None = None) -> str | None:
    """What stands in a page's link; nothing for its first set and for a file."""
    key = in_use(kind, first) if kind else latest()
    return None if key in {UPLOAD, first or FIRST[kind or "column"]} else key


def sample_scopes(one: Sample) -> tuple[str, ...]:
    """Names of a sample's columns, for the keys of what is declared of them."""
    if len(one.columns) == 1:
        return (one.key,)
    return tuple(f"{one.key}_{axis}" for axis in range(len(one.columns)))
