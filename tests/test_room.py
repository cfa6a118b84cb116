"""What has room on a screen is decided in the kit: how often others choose by hand may only fall.

A choice is any look at which screen it is, however it is spelled. The kit's own means (`said`,
`full`, `columns`, `grid`, `sheets`, `named`, `row_names`) are none, unless their answer is asked
whether it is the brief one. Each way around is shown to be seen on a tiny wrong twin.
"""

import ast
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.test_floors import Source, house

# folders that choose by hand, and how often: a smaller number replaces a larger one here. Below the
# app they are the kit's own and tables of sizes by the name of the screen
CHOICES = {
    "dpviz/figures/kit": 11,
    "dpviz/figures/spatial": 4,
    "dpviz/figures/stage": 3,
    "dpviz/figures/trees": 2,
    "dpviz/ui/bench": 11,
    "dpviz/ui/data": 14,
    "dpviz/ui/decide": 7,
    "dpviz/ui/learn": 24,
    "dpviz/ui/model": 9,
    "dpviz/ui/papers": 6,
    "dpviz/ui/quantiles": 3,
    "dpviz/ui/spatial": 4,
    "dpviz/ui/visit": 4,
    "dpviz/ui/what_if": 1,
}
TELL = {"phone", "screen"}  # names that tell one screen from another
READERS = {"getattr", "attrgetter", "vars", "astuple", "asdict", "fields", "__getattribute__"}
FORMS = {"said", "full"}


def choices(source: Source) -> Iterator[tuple[int, str]]:
    """Where a file asks which screen it is drawn for, as (line, what)."""
    forms = {
        target.id
        for node in source.nodes
        if isinstance(node, ast.Assign) and is_form(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in source.nodes:
        match node:
            case ast.Attribute(attr=name) if name in TELL:
                yield node.lineno, f"reads .{name}"
            case ast.Attribute(value=ast.Name(id="look"), attr="key"):
                yield node.lineno, "takes the key of a look apart"
            case ast.Name(id="phone") | ast.arg(arg="phone") | ast.keyword(arg="phone"):
                yield node.lineno, "names a phone"
            case ast.keyword(arg="screen"):
                yield node.value.lineno, "makes another screen"
            case ast.Constant(value="phone"):
                yield node.lineno, "spells a phone"
            case ast.Call(func=function, args=args) if called(function) in READERS and any(
                is_look(one) for one in args
            ):
                yield node.lineno, "reads a look by another name"
            case ast.Call() if called(node.func) in FORMS and any(
                isinstance(one, ast.Constant) and isinstance(one.value, bool) for one in node.args
            ):
                yield node.lineno, "makes a truth of what has room"
        for one in asked(node):
            if is_form(one) or (isinstance(one, ast.Name) and one.id in forms):
                yield one.lineno, "asks whether a form is brief"


def called(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def is_look(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "look"


def is_form(node: ast.expr) -> bool:
    """Whether this is what has room, in full or in brief."""
    return isinstance(node, ast.Call) and called(node.func) in FORMS


def asked(node: ast.AST) -> list[ast.expr]:
    """What decides by its truth, or by being equal to something that is spelled out."""
    found: list[ast.expr] = []
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            found = [test]
        case ast.comprehension(ifs=tests):
            found = list(tests)
        case ast.BoolOp(values=values):
            found = list(values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            found = [operand]
        case ast.Match(subject=subject):
            found = [subject]
        case ast.Compare(left=left, comparators=[*others]) if any(
            isinstance(one, (ast.Constant, ast.List, ast.Tuple, ast.Set)) for one in (left, *others)
        ):
            found = [left, *others]
        case ast.Call(func=ast.Name(id="bool" | "len" | "any" | "all"), args=args):
            found = list(args)
    return found


def by_folder(files: list[Source]) -> dict[str, int]:
    """How many choices by hand each folder of pictures and of pages makes."""
    found: Counter[str] = Counter()
    for source in files:
        if source.path.startswith(("dpviz/figures/", "dpviz/ui/")):
            found[source.path.rpartition("/")[0]] += sum(1 for _ in choices(source))
    return {folder: count for folder, count in found.items() if count}


def test_what_has_room_is_decided_in_the_kit():
    assert by_folder(house()) == CHOICES


WRONG = [
    "size = 20 if look.phone else 30",
    "size = 20 if look.screen == 'phone' else 30",
    "if look.screen not in {'wide', 'low', 'narrow'}:\n    size = 20",
    "if look.scarce == 'phone':\n    size = 20",
    "if room == 'phone':\n    size = 20",
    "size = 20 if look.key[2] != 'wide' else 30",
    "*_, screen = look.key",
    "size = 20 if getattr(look, NAME) else 30",
    "size = attrgetter(NAME)(found) if vars(look) else 30",
    "dark, screen, large = astuple(look)",
    "def draw(found, phone):\n    return found",
    "draw(found, phone=True)",
    "size = {'wide': 30, 'phone': 20}[room]",
    "match room:\n    case 'phone':\n        size = 20",
    "phone = room.startswith('p')",
    "brief = look.said(False, True)",
    "size = 20 if look.said('', 'brief') else 30",
    "size = 20 if look.said(30, 20) == 20 else 30",
    "size = 20 if not look.full(1) else 30",
    "size = 20 if len(look.full(1)) == 0 else 30",
    "size = look.full(1) == [] and 20",
    "notes = [one for one in found if look.said(one, None)]",
    "brief = look.said('', 'brief')\nsize = 20 if brief else 30",
    "beside = look.full(note)\nif not beside:\n    size = 20",
    "draw(found, replace(look, screen=room))",
]


@pytest.mark.parametrize("text", WRONG)
def test_a_way_around_is_seen(text):
    source = Source("dpviz/figures/trees/a.py", text)
    assert by_folder([source])


RIGHT = [
    '"""On a phone the names stand above."""',
    "size = look.said(30, 20, narrow=True)",
    "notes += look.full(note)",
    "main, beside = columns(look, MAIN, BESIDE)",
    "tight = len(sizes) > look.said(5, 0)",
    "few = [one for one in found if one % look.said(1, 4) == 0]",
    "places = grid(len(found), look.said(3, 1), GAPS)",
    "for part in sheets(look, parts)[1:]:\n    draw(part)",
    "key = found.key",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_the_kit_decides_is_no_choice_by_hand(text):
    source = Source("dpviz/figures/trees/a.py", text)
    assert by_folder([source]) == {}
