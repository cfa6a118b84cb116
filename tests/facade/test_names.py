"""The table of public names: complete, typed, and light until a name is used.

That mypy knows the names, and refuses others, is checked by `make lint`: see typed.py.
"""

from __future__ import annotations

import ast
import inspect
import operator
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path

import pytest

import dpviz as dp
from dpviz.version import __version__
from tests.conftest import ROOT
from tests.facade.public import FOLDED, every_name
from tests.rows import by_rows

FACADE = ROOT / "dpviz" / "__init__.py"
MOST_NAMES = 80
PLAIN = ("__version__", "DpvizError")
HEAVY = ("pandas", "scipy", "pyarrow", "streamlit", "plotly", "dp_accounting", "ibis", "duckdb")


def typed_names(text: str) -> dict[str, str]:
    """Name → module of the imports that only type checkers see."""
    (block,) = (
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )
    return {
        alias.asname or alias.name: f"{node.module}".removeprefix("dpviz.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


FRESH = """
import os, sys
import dpviz as dp
for lines in sys.argv[2:]:
    if not os.fork():
        exec(lines)
        print(*sorted(set(sys.modules) & set(sys.argv[1].split())), flush=True)
        os._exit(0)
    if os.wait()[1]:
        sys.exit(1)
"""


def loaded(*lines: str) -> list[list[str]]:
    """Which heavy packages an interpreter that knows dp alone has imported after each of these."""
    call = [sys.executable, "-c", FRESH, " ".join(HEAVY), *lines]
    done = subprocess.run(call, capture_output=True, text=True, check=True, cwd=ROOT)
    return [one.split() for one in done.stdout.splitlines()]


def test_type_checkers_see_the_names_of_the_table():
    folded = dict.fromkeys(FOLDED, "dpviz")
    assert typed_names(FACADE.read_text(encoding="utf-8")) == {**dp._HOMES, **folded}


def test_a_forgotten_name_is_noticed():
    text = FACADE.read_text(encoding="utf-8")
    line = "    from dpviz.core.bounds import Box as Box\n"
    assert line in text
    assert typed_names(text.replace(line, "")) != dp._HOMES


@by_rows("name", dp._HOMES)
def test_a_name_is_the_one_of_its_module(name):
    module = import_module(f"dpviz.{dp._HOMES[name]}")
    assert getattr(dp, name) is getattr(module, name)
    assert getattr(dp, name).__module__ == module.__name__, "the table names another module"
    assert getattr(dp, name).__doc__


def test_dir_holds_the_public_names_and_nothing_else():
    assert set(dir(dp)) == set(dp.__all__) == {"__version__", *FOLDED, *dp._HOMES}
    assert len(dp.__all__) == len(set(dp.__all__)) <= MOST_NAMES
    assert dp.__version__ == __version__


@pytest.mark.parametrize("folder", FOLDED)
def test_a_folded_module_names_each_class_once(folder):
    module = getattr(dp, folder)
    public = {name for name in vars(module) if not name.startswith("_")}
    assert public == set(module.__all__)
    assert len(module.__all__) == len(public)
    for name in module.__all__:
        own = getattr(module, name)
        assert inspect.isclass(own)
        assert own.__doc__
        assert issubclass(own, Enum) == (folder == "choices")
        assert own.__name__ == name
    assert not public & set(dp._HOMES)


@pytest.mark.parametrize("name", dp._MOVED)
def test_a_name_of_before_works_and_warns_once(name, monkeypatch):
    assert name not in dp.__all__
    now = dp._MOVED[name]
    monkeypatch.delitem(vars(dp), name, raising=False)
    with pytest.warns(
        DeprecationWarning, match=rf"^dpviz\.{name} is now dpviz\.{now}\.$"
    ) as warned:
        old = getattr(dp, name)
    assert [one.filename for one in warned] == [__file__]
    assert old is operator.attrgetter(now)(dp)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert getattr(dp, name) is old
    monkeypatch.delitem(vars(dp), name)


def test_the_names_of_before_are_known():
    """The table of CHANGELOG says where they went, and README how many there are now."""
    table = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    now, before = len(dir(dp)), len(dir(dp)) + len(dp._MOVED) - len(FOLDED)
    assert f"- {now} names instead of {before} stand in `dir(dp)`" in table
    assert f"`dir(dp)` lists {now} names" in (ROOT / "README.md").read_text(encoding="utf-8")
    for name, now in dp._MOVED.items():
        assert f"`dp.{name}`" in table, name
        assert f"`dp.{now}`" in table, now


def test_no_name_hides_a_folder_or_a_file_of_the_package():
    below = {path.stem for path in Path(FACADE).parent.iterdir()}
    assert not below & set(dp._HOMES)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'Colum'"):
        dp.Colum  # noqa: B018
    with pytest.raises(ImportError, match="Colum"):
        from dpviz import Colum  # noqa: F401, PLC0415
    assert not hasattr(dp, "_no_such_name")


def defaults(owner: object) -> Iterator[tuple[str, object]]:
    """(argument, default value) of a function, or of a class and its public methods."""
    methods = inspect.getmembers(owner, callable) if inspect.isclass(owner) else []
    for call in (owner, *(method for name, method in methods if not name.startswith("_"))):
        try:
            arguments = inspect.signature(call).parameters.values()
        except (TypeError, ValueError):
            continue  # of a class that takes what its base takes
        for one in arguments:
            yield f"{getattr(call, '__name__', call)}({one.name})", one.default
    for part in fields(owner) if is_dataclass(owner) else ():
        if part.default_factory is not MISSING:
            yield f"{owner.__name__}.{part.name}", part.default_factory()


def hidden_defaults(owner: object) -> list[str]:
    """The arguments whose default value is of a class that is neither public nor built in."""
    public = {id(value) for value in every_name().values()}
    return [
        name
        for name, value in defaults(owner)
        if type(value).__module__ not in ("builtins", "dataclasses")
        and value is not inspect.Parameter.empty
        and id(type(value)) not in public
    ]


@by_rows("name", [name for name in every_name() if name not in PLAIN])
def test_a_default_value_is_of_a_public_class(name):
    assert hidden_defaults(every_name()[name]) == []


def test_a_default_of_a_hidden_class_is_noticed():
    class Hidden:
        pass

    @dataclass
    class Holder:
        inside: Hidden = field(default_factory=Hidden)

    assert hidden_defaults(lambda x=Hidden(): x) == ["<lambda>(x)"]  # noqa: B008
    assert hidden_defaults(Holder) == ["Holder.inside"]


def test_the_import_alone_loads_nothing_heavy():
    assert loaded("", "dp.__version__; dir(dp)") == [[], []]


# the packages that a name loads when it is first used; the others load none of HEAVY
LOADS = {
    "JointExp": ["scipy"],
    "plot": ["plotly"],
    "read_table": ["pyarrow"],
    "Table": ["pyarrow"],
    "samples": ["pyarrow"],
    "load_sample": ["pyarrow"],
    "sample_column": ["pyarrow"],
    "sample_points": ["pyarrow"],
}


@pytest.mark.law
def test_a_name_that_is_used_loads_what_it_needs_and_no_more():
    alike: dict[tuple[str, ...], list[str]] = {}  # names by the packages that each loads
    for name in (*FOLDED, *dp._HOMES):
        alike.setdefault(tuple(LOADS.get(name, ())), []).append(name)
    found = loaded(*(f"for name in {names!r}: getattr(dp, name)" for names in alike.values()))
    assert [tuple(one) for one in found] == [*alike]


SCRIPT = """
import numpy
rng = numpy.random.default_rng(1)
column = dp.Column.from_values(range(100), dp.Bounds(0, 100), 1)
points = dp.Points.from_xy(range(100), range(100), dp.Box(column.bounds, column.bounds))
"""


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize(
    ("call", "packages"),
    [
        ("dp.ApproximateQuantiles().release(column, [0.5], dp.PureDP(1), rng)", []),
        ("dp.IndependentExp().release(column, [0.5], dp.ZCDP(1), rng)", []),
        (
            "dp.AggTree().release(column, [0.5], dp.PureDP(1), rng)",
            ["scipy"],
        ),  # isotonic regression
        ("dp.AggTree(estimator='efficient').release(column, [0.5], dp.PureDP(1), rng)", []),
        ("dp.cdf(dp.efficient(dp.CountTree(2, 3).release(column, dp.ZCDP(1), rng)))", []),
        ("dp.range_counts(dp.Quadtree(3).release(points, dp.PureDP(1), rng), [0, 1, 0, 1])", []),
        ("dp.KdTree(2).release(points, dp.PureDP(1), rng).to_json()", []),
        ("dp.KdTree(2).release(points, dp.PureDP(1), rng)._repr_html_()", []),
        ("dp.KdTree(2).release(points, dp.PureDP(1), rng).to_frame()", ["pandas", "pyarrow"]),
        ("dp.ApproximateQuantiles().release(column, [0.5], dp.ApproxDP(1, 1e-6), rng)", ["scipy"]),
        ("dp.IndependentExp().release(column, [0.5, 0.6], dp.ApproxDP(1, 1e-6), rng)", ["scipy"]),
        # PyArrow itself looks for pandas when it hands out an array
        ("dp.sample_column('exam')", ["pandas", "pyarrow"]),
    ],
)
def test_a_release_loads_what_it_needs_and_no_more(call, packages):
    assert loaded(SCRIPT + call) == [packages]
