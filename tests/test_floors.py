"""The floors, the rooms and the bans of the house, by a walk over the syntax trees.

Each rule is shown to bite on a tiny wrong twin of the tree.
"""

import ast
import gc
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import ROOT

FLOORS = (
    "core",
    "intake",
    "estimators",  # below mechanisms: they work on plain level arrays, and AggTree ends in them
    "counts",  # exact counting draws nothing and spends nothing
    "people",  # with several rows: which of them count, and any release at a price a person
    "mechanisms",
    "metrics",
    "catalogue",
    "experiments",
    "answers",  # questions, their frozen numbers, and what is said of them
    "figures",
    "reports",  # a release in words and files, from the release alone
    "lessons",  # numbers, sentences and pictures of the stories; the seeds are part of the script
    "site",  # the stories as plain files; beside ui, which never imports it
    "ui",
)
# modules at the package's top that lie on no floor, and what each may import of the package
TOP = {
    "version": (),
    "releases": ("core",),  # classes of releases, and of choices, behind the facade
    "choices": ("core", "estimators", "mechanisms"),
    "serving": ("core",),
    "balancer": ("core", "serving"),
    "several": ("balancer", "core", "serving"),
    "releasing": (
        "core",
        "counts",
        "intake",
        "mechanisms",
    ),  # the command: a file in, one release out
    "counting": ("core", "intake"),  # the command: files in, exact counts out
    # it writes handouts, releases and counts, too
    "__main__": (
        "core",
        "counting",
        "lessons",
        "releasing",
        "several",
        "serving",
        "site",
        "version",
    ),
}
BESIDE = {("ui", "site")}  # two editions of the same: neither imports the other
# rooms of a floor, line by line: a room imports rooms of earlier lines, never one of its own line;
# "" stands for the files that lie on the floor itself
ROOMS: dict[str, tuple[tuple[str, ...], ...]] = {
    # what is confidential; noise is drawn from random bits; a decomposition is a tree of rectangles
    "core": (("",), ("data", "randomness"), ("trees", "scalars"), ("spatial",), ("stored",)),
    # a process of its own, the file formats; declared files, tables that stay in an engine, and
    # what stands for one of those
    "intake": (("workbooks",), ("",), ("declared", "engine"), ("counted",)),
    # budgets for trees; a map is a tree; last what is asked of any release
    "estimators": (("trees",), ("splits",), ("spatial",), ("",)),
    "mechanisms": (
        ("",),
        ("exponential",),
        ("counting", "local"),
        ("sums",),
        ("unbounded",),
        ("quantiles",),
        ("quantiles/joint_exp", "quantiles/slices"),
        ("medians",),
        ("quantiles/around",),  # AQ around any mechanism for a single quantile, medians' included
        ("spatial",),
        ("space",),  # more than two dimensions, with the medians and divisions of maps
    ),
    "experiments": (
        ("engine",),
        ("planning", "privacy", "attacks"),
        ("twins",),  # of the queries of privacy, with one mistake each
        ("papers",),
        ("statements",),  # of the texts, without a figure in print
        ("papers/stored",),
    ),
    "answers": (
        ("",),
        ("trees", "quantiles", "privacy"),
        ("spatial", "studies"),
        ("decide",),
        ("decide/exact", "decide/budget"),
    ),
    "figures": (
        ("kit",),
        ("quantiles", "trees", "spatial", "privacy", "stage"),
        ("studies", "decide"),
        ("studies/trees", "what_if"),
        ("",),  # the picture of any release
    ),
    "lessons": (  # the course; the rooms of Teach are parts of it
        ("",),
        (
            "start",
            "teach",
            "teach/attacks",
            "teach/noise",
            "teach/promise",
            "teach/trees",
            "show",
            "try_it",
        ),
        ("stories",),
    ),
    "ui": (
        ("",),  # what one visitor's session keeps
        ("kit/account",),  # plain data and functions: the kit shows and keeps them
        ("kit/process",),  # what visitors share: turns, public results, room for files and jobs
        ("kit/gallery",),  # small pictures and cards: plain data, and the component that draws them
        ("links", "lectures"),
        ("visit",),
        ("kit",),
        ("bench", "stage"),
        ("model",),  # fields and the renderer: they know no page
        ("start", "data", "quantiles", "trees", "understand"),
        ("understand/audit",),
        ("spatial/cuts",),  # settings of single methods; levels are written as those of trees are
        ("spatial",),
        ("decide/component",),  # a sentence of native controls: plain data
        ("papers", "methods", "learn", "beforehand", "decide"),
        ("what_if",),  # what stands under the sentence of Decide
        ("pages",),  # tables of fields and views
        ("server",),  # what runs around the pages
    ),
}
# (importing room, imported room): reason
DOORS: dict[tuple[str, str], str] = {}
MOST_LINES = 2_500  # of one folder, however many files hold them
# a scene says what it has, and the screen places it: no scene asks for a phone, few forms are brief
STAGED, FORMS = "dpviz/lessons/", 8
# scenes that have more forms in full and in brief, which may only shrink
MORE_FORMS = {
    "dpviz/lessons/teach/trees/combined_levels.py": 16,  # its map is cut the other way on a phone
    "dpviz/lessons/teach/noise/same_noise.py": 11,  # its two groups stand crosswise
}
# what all pages share knows no mechanism by name, so that a new one changes nothing there
KIT = "dpviz/ui/kit/"
UNKNOWN_TO_KIT = ("dpviz.mechanisms", "dpviz.metrics")
# post-processing must be visible as such: these never see data, nor what reads or spends it
BLIND = ("estimators", "figures", "reports")
READS = {("reports", "dpviz.catalogue")}  # for the cards of mechanisms: words, and no data
UNSEEN = (
    "dpviz.core.data",
    "dpviz.intake",
    "dpviz.counts",
    "dpviz.mechanisms",
    "dpviz.catalogue",  # which imports them
)
STREAMLIT_ALLOWED = ("app.py", "pages/", "dpviz/ui/", "tests/", "benchmarks/")
# where Streamlit's memory of a visitor is named beside the one module for it: a list that may only
# shrink; everywhere else what holds is a field, or an entry of the visitor
MEMORY = "dpviz/ui/visitor.py"
REMEMBER = {
    "decide/button", "decide/checking", "decide/component/sentence", "decide/deciding",
    "decide/offers", "decide/words", "learn/extras", "learn/follow", "learn/lead",
    "learn/polls",
}  # fmt: skip
CONTEXTS = "dpviz/ui/kit/process/private.py"  # of a run of the script, which has it, too
SEEDS_ALLOWED = (
    "app.py",
    "pages/",
    "dpviz/ui/",
    "dpviz/lessons/",
    "tests/",
    "benchmarks/",
    "sample_data/",
    "scripts/",  # they write what is committed
    # a constant of public noise: equal questions get equal answers, and no data goes into it
    "dpviz/estimators/trees/quantile_intervals.py",
    "dpviz/answers/quantiles/bins.py",
    "dpviz/answers/trees/cdf.py",
    "dpviz/answers/trees/outsider.py",
    "dpviz/answers/spatial/place_list.py",
    "dpviz/answers/decide/exact/curve.py",
    "dpviz/answers/decide/quantiles.py",
    "dpviz/answers/decide/quantile_buys.py",
)
UNSEEDED_ALLOWED = ("app.py", "pages/", "dpviz/ui/")
# most files are not even parsed for their draws; whoever may seed says so in these words
DRAWS = re.compile(r"\brandom\b|rvs|default_rng")
SEEDED = re.compile(r"\bnp\.random\.(Generator\b|default_rng\((?!\)))")
NUMPY_TYPES = {"Generator", "BitGenerator", "SeedSequence"}
SOURCES = ("app.py", "pages", "dpviz", "tests", "benchmarks", "sample_data", "scripts", "setup.py")


@dataclass(frozen=True)
class Source:
    """One file: its path below the root with forward slashes, and its text."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @property
    def statements(self) -> Iterator[ast.AST]:
        """Every statement, without a look into expressions, which are most of the nodes."""
        found: list[ast.AST] = [self.tree]
        for node in found:
            for blocks in ("body", "orelse", "finalbody", "handlers", "cases"):
                found += getattr(node, blocks, ())
        yield from found

    @property
    def lines(self) -> int:
        return len(self.text.rstrip().splitlines())

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def room(self) -> str:
        """The folders between the floor and the file."""
        return "/".join(self.path.split("/")[2:-1])

    @property
    def floor(self) -> str | None:
        parts = self.module.split(".")
        return parts[1] if parts[0] == "dpviz" and len(parts) > 1 else None

    @cached_property
    def imports(self) -> tuple[tuple[int, str, str], ...]:
        """(line, local name, dotted target) of every import, relative ones resolved."""
        return tuple(self._imports())

    def _imports(self) -> Iterator[tuple[int, str, str]]:
        for node in self.statements:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    bound = alias.asname or alias.name.split(".")[0]
                    yield node.lineno, bound, alias.name
            elif isinstance(node, ast.ImportFrom):
                base = self._base(node)
                for alias in node.names:
                    yield node.lineno, alias.asname or alias.name, f"{base}.{alias.name}"

    def _base(self, node: ast.ImportFrom) -> str:
        if node.level == 0:
            return node.module or ""
        package = self.module.split(".")
        is_package = self.path.endswith("/__init__.py")
        package = package[: len(package) - node.level + is_package]
        return ".".join([*package, *([node.module] if node.module else [])])

    def uses(self) -> Iterator[tuple[ast.expr, str]]:
        """(node, dotted name) of every name and attribute, with import aliases undone."""
        known = {}
        for _, name, target in self.imports:
            known[name] = target if target.split(".")[0] != name else name
        for node in self.nodes:
            parts, inner = [], node
            while isinstance(inner, ast.Attribute):
                parts.append(inner.attr)
                inner = inner.value
            if isinstance(inner, ast.Name) and isinstance(node, ast.expr):
                yield node, ".".join([known.get(inner.id, inner.id), *reversed(parts)])


def sources(root: Path) -> list[Source]:
    tops = [root / name for name in SOURCES]
    files = [file for top in tops for file in ([top] if top.is_file() else top.rglob("*.py"))]
    return [_source(root, file) for file in sorted(files)]


def _source(root: Path, file: Path) -> Source:
    return Source(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"))


@cache
def house() -> list[Source]:
    """The files of the project, read once for all rules."""
    return sources(ROOT)


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def breaches(files: list[Source]) -> list[str]:
    """Every breach of the floors and bans in these files, as 'path:line what'."""
    found = []
    for source in files:
        for rule in (
            upward_imports,
            facade_imports,
            sideways_imports,
            kit_imports,
            sighted_imports,
            streamlit_imports,
            session_reads,
            asks_for_a_phone,
            global_randomness,
        ):
            found += [f"{source.path}:{line} {what}" for line, what in rule(source)]
    return found + full_rooms(files) + cycles(files)


def room_of(target: str, floor: str) -> str | None:
    """The room of this floor that an import leads to; None for another floor."""
    parts = target.split(".")
    if parts[:2] != ["dpviz", floor]:
        return None
    folders = parts[2:]
    lines = ROOMS.get(floor, ())
    names = {name for line in lines for name in line}
    for depth in range(len(folders), 0, -1):
        if "/".join(folders[:depth]) in names:
            return "/".join(folders[:depth])
    return ""


def sideways_imports(source: Source) -> Iterator[tuple[int, str]]:
    floor = source.floor
    if floor is None or floor not in FLOORS or source.path.endswith(f"{floor}/__init__.py"):
        return
    lines = ROOMS.get(floor, (("",),))
    rank = {name: depth for depth, line in enumerate(lines) for name in line}
    if source.room not in rank:
        if source.path.count("/") > 1:
            yield 1, f"lies in no room of {floor}: '{source.room}'"
        return
    for line, _, target in source.imports:
        other = room_of(target, floor)
        if other is None or other == source.room or (source.room, other) in DOORS:
            continue
        if rank.get(other, -1) >= rank[source.room]:
            yield line, f"imports {target}, a room that is not on an earlier line of {floor}"


def kit_imports(source: Source) -> Iterator[tuple[int, str]]:
    if source.path.startswith(KIT):
        for line, _, target in source.imports:
            if any(within(target, known) for known in UNKNOWN_TO_KIT):
                yield line, f"imports {target}: what all pages share knows no mechanism"


def full_rooms(files: list[Source]) -> list[str]:
    folders: Counter[str] = Counter()
    for source in files:
        if source.path.startswith("dpviz/"):
            folders[source.path.rpartition("/")[0]] += source.lines
    return [
        f"{folder} holds {lines:,} lines, more than {MOST_LINES:,}"
        for folder, lines in folders.items()
        if lines > MOST_LINES
    ]


def upward_imports(source: Source) -> Iterator[tuple[int, str]]:
    if source.floor is None:
        return
    if source.path in {f"dpviz/{name}.py" for name in TOP}:
        reach = TOP[source.floor]
    elif source.floor in FLOORS:
        reach = (*FLOORS[: FLOORS.index(source.floor) + 1], "version")
        reach = tuple(floor for floor in reach if (source.floor, floor) not in BESIDE)
    else:
        yield 1, f"lies on no floor: {source.floor}"
        return
    for line, _, target in source.imports:
        if is_facade(target):
            continue  # facade_imports names it
        top, _, rest = target.partition(".")
        if top != "dpviz":
            if top in ("app", "pages", "tests", "benchmarks", "sample_data"):
                yield line, f"imports {target} from outside the package"
        elif rest.split(".")[0] not in reach:
            yield line, f"imports {target}, which is not below {source.floor}"


def is_facade(target: str) -> bool:
    """Whether an import takes a public name, or the whole of them, instead of a module."""
    top, _, rest = target.partition(".")
    return top == "dpviz" and rest.partition(".")[0] not in (*FLOORS, *TOP)


def facade_imports(source: Source) -> Iterator[tuple[int, str]]:
    """Modules of the package import each other: the facade stands above all of them."""
    if source.path.startswith("dpviz/"):
        for line, _, target in source.imports:
            if is_facade(target):
                yield line, f"imports {target} from the facade; import the module that defines it"


def sighted_imports(source: Source) -> Iterator[tuple[int, str]]:
    if source.floor in BLIND:
        for line, _, target in source.imports:
            if any(within(target, one) for one in UNSEEN if (source.floor, one) not in READS):
                yield line, f"imports {target}: post-processing sees no data"


def streamlit_imports(source: Source) -> Iterator[tuple[int, str]]:
    if not source.path.startswith(STREAMLIT_ALLOWED) and "streamlit" in source.text:
        for line, _, target in source.imports:
            if within(target, "streamlit"):
                yield line, "imports streamlit"


def session_reads(source: Source) -> Iterator[tuple[int, str]]:
    """Streamlit's memory of a visitor, named outside of the module for it."""
    if not source.path.startswith("dpviz/") or source.path in (MEMORY, CONTEXTS):
        return
    may = source.path.removeprefix("dpviz/ui/").removesuffix(".py") in REMEMBER
    if not may and "session_state" in source.text:  # most files are not looked through
        for node in source.nodes:
            if isinstance(node, ast.Attribute) and node.attr == "session_state":
                yield node.lineno, "looks into the session"


def asks_for_a_phone(source: Source) -> Iterator[tuple[int, str]]:
    """A scene that lays itself out: by a name that tells a phone, or by many forms in brief."""
    if not source.path.startswith(STAGED):
        return
    for node in source.nodes:
        names = [getattr(node, field, None) for field in ("id", "attr", "arg", "name")]
        if {"phone", "narrow", "PHONE", "screen_of"} & {one for one in names if one}:
            yield getattr(node, "lineno", 1), "asks whether it is on a phone"
    forms = forms_in(source)
    if forms > MORE_FORMS.get(source.path, FORMS):
        yield 1, f"has {forms} forms in full and in brief; let the screen place them"


def forms_in(source: Source) -> int:
    """How often a scene says what it has in two forms."""
    return sum(isinstance(node, ast.Attribute) and node.attr == "said" for node in source.nodes)


def global_randomness(source: Source) -> Iterator[tuple[int, str]]:
    seeded = source.path.startswith(SEEDS_ALLOWED)
    if not DRAWS.search(SEEDED.sub("", source.text) if seeded else source.text):
        return
    for line, _, target in source.imports:
        if within(target, "random"):
            yield line, "imports random"
    calls = {id(node.func): node for node in source.nodes if isinstance(node, ast.Call)}
    for node, name in source.uses():
        call = calls.get(id(node))
        if (
            name.endswith(".rvs")
            and call
            and not any(k.arg == "random_state" for k in call.keywords)
        ):
            yield node.lineno, "draws from scipy without random_state"
        prefix, _, tool = name.rpartition(".")
        if prefix != "numpy.random" or tool in NUMPY_TYPES:
            continue
        if tool != "default_rng" or not seeded:
            yield node.lineno, f"uses {name}; take rng: numpy.random.Generator as an argument"
        elif call and not call.args and not source.path.startswith(UNSEEDED_ALLOWED):
            yield node.lineno, "draws without a seed"


def cycles(files: list[Source]) -> list[str]:
    files = [source for source in files if source.path.startswith("dpviz/")]
    modules = {source.module for source in files}
    graph = {}
    for source in files:
        targets = {target for _, _, target in source.imports}
        parents = {target.rpartition(".")[0] for target in targets - modules}
        graph[source.module] = ((targets | parents) & modules) - {source.module}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return ["import cycle: " + " → ".join(reversed(error.args[1]))]
    return []


def test_the_house_stands():
    files = house()
    assert len(files) > 20  # an empty walk would find nothing either
    gc.disable()  # all trees stay: a collection of garbage would look at each, and find none
    try:
        assert breaches(files) == []
    finally:
        gc.freeze()
        gc.enable()


def build(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


WRONG = [
    (
        "dpviz/core/a.py",
        "from dpviz.mechanisms.counting.noisy_counts import CountTree",
        "not below core",
    ),
    ("dpviz/core/a.py", "import dpviz.ui.state as s", "not below core"),
    ("dpviz/core/a.py", "from ..metrics import tree", "not below core"),
    ("dpviz/core/a.py", "from dpviz import figures", "not below core"),
    ("dpviz/core/a.py", "def f():\n    from dpviz.intake import read", "not below core"),
    ("dpviz/core/a.py", "import dpviz", "from the facade"),
    ("dpviz/core/a.py", "from dpviz import __version__", "from the facade"),
    ("dpviz/ui/kit/a.py", "import dpviz as dp", "from the facade"),
    (
        "dpviz/ui/trees/a.py",
        "import streamlit as st\nx = st.session_state['x']",
        "looks into the session",
    ),
    ("dpviz/lessons/show/a.py", "def marks(told, beat, phone):\n    return []", "on a phone"),
    ("dpviz/lessons/show/a.py", "size = 20 if screen.narrow else 30", "on a phone"),
    ("dpviz/lessons/a.py", "from dpviz.figures.stage.screen import PHONE", "on a phone"),
    ("dpviz/lessons/a.py", "scene.stage(1, 'reveal', phone=True)", "on a phone"),
    ("dpviz/lessons/show/a.py", "x = screen.said(30, 20)\n" * 9, "has 9 forms"),
    ("dpviz/ui/trees/a.py", "from dpviz import Column", "from the facade"),
    ("dpviz/ui/kit/a.py", "def f():\n    from ... import Column", "from the facade"),
    ("dpviz/__main__.py", "from dpviz import Column", "from the facade"),
    ("dpviz/core/a.py", "from tests.statistics import fits", "outside the package"),
    ("dpviz/catalogue.py", "from dpviz.experiments import sweep", "not below catalogue"),
    ("dpviz/attic/a.py", "", "on no floor"),
    ("dpviz/attic.py", "", "on no floor"),
    ("dpviz/serving/a.py", "", "on no floor"),
    ("dpviz/core/a.py", "from dpviz.serving import start", "not below core"),
    ("dpviz/ui/kit/a.py", "from dpviz import __main__", "not below ui"),
    ("dpviz/ui/kit/a.py", "from dpviz.site import build", "not below ui"),
    ("dpviz/site/a.py", "from dpviz.ui.kit import frame", "not below site"),
    ("dpviz/site/a.py", "import streamlit as st", "imports streamlit"),
    ("dpviz/version.py", "from dpviz.core import errors", "not below version"),
    ("dpviz/serving.py", "from dpviz.intake.samples import samples", "not below serving"),
    ("dpviz/serving.py", "from streamlit.web import cli", "imports streamlit"),
    ("dpviz/__main__.py", "from dpviz.ui.kit import frame", "not below __main__"),
    ("dpviz/__main__.py", "from tests.statistics import fits", "outside the package"),
    ("dpviz/core/attic/a.py", "", "in no room"),
    ("dpviz/metrics/attic/a.py", "", "in no room"),
    ("dpviz/core/a.py", "from dpviz.core.trees.shape import TreeShape", "not on an earlier line"),
    ("dpviz/core/trees/a.py", "from dpviz.core.spatial import boxes", "not on an earlier line"),
    ("dpviz/ui/trees/a.py", "from dpviz.ui.spatial.cells import Drawn", "not on an earlier line"),
    ("dpviz/ui/trees/a.py", "from dpviz.ui import quantiles", "not on an earlier line"),
    ("dpviz/ui/decide/a.py", "from ..papers import figures", "not on an earlier line"),
    ("dpviz/ui/kit/a.py", "from dpviz.ui.data.uploading import panel", "not on an earlier line"),
    ("dpviz/mechanisms/quantiles/a.py", "import dpviz.mechanisms.spatial.b", "not on an earlier"),
    (
        "dpviz/mechanisms/quantiles/a.py",
        "from dpviz.mechanisms.quantiles.joint_exp.window import Windows",
        "not on an earlier line",
    ),
    ("dpviz/figures/trees/a.py", "import dpviz.figures.studies.b", "not on an earlier line"),
    ("dpviz/ui/kit/a.py", "from dpviz.mechanisms.counting.a import b", "knows no mechanism"),
    ("dpviz/ui/kit/a.py", "from dpviz.metrics import tree", "knows no mechanism"),
    ("dpviz/figures/kit/a.py", "from dpviz import catalogue", "sees no data"),
    ("dpviz/estimators/trees/a.py", "from dpviz.core.data.column import Column", "sees no data"),
    ("dpviz/estimators/trees/a.py", "from dpviz.core import data", "sees no data"),
    ("dpviz/figures/kit/a.py", "from dpviz.counts.levels import count_levels", "sees no data"),
    (
        "dpviz/counts/a.py",
        "from dpviz.mechanisms.exponential.one_quantile.ties import Ties",
        "not below counts",
    ),
    (
        "dpviz/figures/kit/a.py",
        "from dpviz.mechanisms.counting.noisy_counts import CountTree",
        "sees no data",
    ),
    ("dpviz/figures/kit/a.py", "from dpviz.intake.read import read", "sees no data"),
    ("dpviz/figures/kit/a.py", "import streamlit as st", "imports streamlit"),
    ("dpviz/metrics/a.py", "from streamlit.runtime import x", "imports streamlit"),
    ("dpviz/core/a.py", "import random", "imports random"),
    ("tests/a.py", "from random import choice", "imports random"),
    ("dpviz/core/a.py", "import numpy as np\nnp.random.seed(1)", "numpy.random.seed"),
    ("tests/a.py", "import numpy\nx = numpy.random.normal", "numpy.random.normal"),
    ("tests/a.py", "from numpy.random import randint as r\nr(3)", "numpy.random.randint"),
    ("tests/a.py", "from numpy import random as r\nr.shuffle([])", "numpy.random.shuffle"),
    ("tests/a.py", "import numpy.random as nr\nnr.rand()", "numpy.random.rand"),
    ("dpviz/core/a.py", "import numpy as np\nr = np.random.default_rng(1)", "default_rng"),
    ("tests/a.py", "import numpy as np\nr = np.random.default_rng()", "without a seed"),
    ("tests/a.py", "from scipy import stats\nstats.norm.rvs(size=3)", "without random_state"),
]


@pytest.mark.parametrize(("path", "text", "expected"), WRONG)
def test_a_wrong_twin_is_caught(tmp_path, path, text, expected):
    build(tmp_path, path, text)
    found = breaches(sources(tmp_path))
    assert len(found) == 1
    assert expected in found[0]
    assert found[0].startswith(path)


RIGHT = [
    ("dpviz/core/a.py", "from dpviz.core.b import c"),
    ("dpviz/core/a.py", "from dpviz.version import __version__"),
    ("dpviz/__init__.py", "from dpviz.version import __version__"),
    ("benchmarks/a.py", "import dpviz as dp\nfrom dpviz import Column"),
    ("pages/a.py", "from dpviz import Column"),
    ("dpviz/serving.py", "from dpviz.core.errors import DpvizError"),
    ("dpviz/__main__.py", "from dpviz import serving\nfrom dpviz.version import __version__"),
    ("dpviz/mechanisms/medians/a.py", "from dpviz.core.data.column import Column"),
    ("dpviz/ui/kit/a.py", "import streamlit as st\nfrom dpviz.figures.a import draw"),
    ("dpviz/core/spatial/a.py", "from dpviz.core.trees.shape import TreeShape"),
    ("dpviz/core/trees/a.py", "from dpviz.core.trees import shape"),
    ("dpviz/ui/papers/a.py", "from dpviz.ui.quantiles.below import card"),
    ("dpviz/mechanisms/quantiles/joint_exp/a.py", "import dpviz.mechanisms.quantiles.protocol"),
    ("pages/a.py", "import streamlit as st\nimport numpy as np\nnp.random.default_rng()"),
    ("dpviz/core/a.py", "import numpy as np\ndef f(rng: np.random.Generator): rng.normal()"),
    ("sample_data/a.py", "from numpy.random import default_rng\ndefault_rng(7)"),
    ("tests/a.py", "from scipy import stats\nstats.norm.rvs(size=3, random_state=1)"),
    ("dpviz/core/trees/a.py", "from dpviz.core.randomness import random_walk"),
    ("dpviz/lessons/show/a.py", "x = screen.said('on every phone', '')\n" * 8),
    ("dpviz/ui/learn/a.py", "size = 20 if phone else 30"),
]


@pytest.mark.parametrize(("path", "text"), RIGHT)
def test_a_right_twin_passes(tmp_path, path, text):
    build(tmp_path, path, text)
    assert breaches(sources(tmp_path)) == []


def test_what_looks_into_the_session_no_more_is_taken_off_the_list():
    looks = {
        name
        for name in REMEMBER
        if "session_state" in (ROOT / f"dpviz/ui/{name}.py").read_text(encoding="utf-8")
    }
    assert looks == REMEMBER


def test_a_scene_that_had_more_forms_is_taken_off_the_list_once_it_has_few():
    found = {source.path: forms_in(source) for source in house() if source.path in MORE_FORMS}
    assert found == MORE_FORMS
    assert min(MORE_FORMS.values()) > FORMS


def test_a_full_room_is_caught(tmp_path):
    for number in range(25):
        build(tmp_path, f"dpviz/core/a{number}.py", "x = 1\n" * 100)
    assert breaches(sources(tmp_path)) == []
    build(tmp_path, "dpviz/core/one_more.py", "x = 1")
    assert breaches(sources(tmp_path)) == ["dpviz/core holds 2,501 lines, more than 2,500"]


# files that load modules of the package by name, which the floors above do not see: reason
BY_NAME = {
    "dpviz/__init__.py": "the facade: each public name when it is first used",
    "dpviz/core/releases.py": "release.plot() asks for the picture, and nothing else of it",
    "dpviz/lessons/stories/listing.py": "a story's scenes are the modules of its folder",
    "dpviz/ui/server/upkeep.py": "loads what pages will need while nobody waits",
}


def test_what_is_loaded_by_name_is_listed():
    loads = {
        source.path
        for source in house()
        if source.path.startswith("dpviz/") and "import_" in source.text  # else nothing to look for
        for node in source.nodes
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", ""))
        in {"import_module", "__import__"}
    }
    assert loads == set(BY_NAME)


def test_every_room_tells_its_story_in_a_sentence():
    inits = sorted((ROOT / "dpviz").rglob("*/__init__.py"))
    assert len(inits) > 20
    for init in inits:
        body = ast.parse(init.read_text(encoding="utf-8")).body
        assert len(body) == 1, f"{init} does more than tell its story"
        assert ast.get_docstring(ast.Module(body, [])), init


def test_every_room_that_is_named_is_there():
    for floor, lines in ROOMS.items():
        for name in (name for line in lines for name in line):
            assert (ROOT / "dpviz" / floor / name / "__init__.py").is_file()


def test_a_cycle_is_caught(tmp_path):
    build(tmp_path, "dpviz/core/a.py", "from dpviz.core.b import x")
    build(tmp_path, "dpviz/core/b.py", "from . import c")
    build(tmp_path, "dpviz/core/c.py", "import dpviz.core.a")
    assert any("import cycle" in breach for breach in breaches(sources(tmp_path)))
    build(tmp_path, "dpviz/core/c.py", "")
    assert breaches(sources(tmp_path)) == []
