"""A wheel, installed away from the repository: complete, and the app starts from any folder."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from dpviz.several import is_healthy
from tests.browser.conftest import START_SECONDS, free_port
from tests.conftest import ROOT, SITE_ADDRESS, SITE_APP

pytestmark = pytest.mark.page  # builds, installs and starts the app

IGNORED = [
    *(".git", ".venv", ".chromium", ".hypothesis", ".*_cache"),
    *("build", "*.egg-info", "__pycache__"),
]
CARRIED = [
    path.relative_to(ROOT).as_posix()
    for pattern in ("app.py", "pages/*.py", ".streamlit/config.toml", "sample_data/*.[ct]*")
    for path in sorted(ROOT.glob(pattern))
]
PACKAGED = {".py", ".css", ".js", ".json", ".svg", ".toml", ".txt", ".woff2"}
PLANTED = [f"dpviz/figures/web/deep/part.{kind}" for kind in ("css", "js", "json", "svg")]
# what a user may have written for apps of their own
OTHER_SETTINGS = """
[server]
port = 1
headless = false
baseUrlPath = "elsewhere"
maxUploadSize = 1
sslCertFile = "no.pem"
sslKeyFile = "no.key"
[client]
showSidebarNavigation = false
[theme.light]
primaryColor = "#FF0000"
[theme.dark.sidebar]
backgroundColor = "#FF0000"
"""
BUILD = """
import os, sys
from setuptools import build_meta
source, folder = sys.argv[1:]
os.chdir(source)
build_meta.build_wheel(folder)
"""
BUILD_AGAIN = """
import os, shutil, sys
from setuptools import build_meta
source, folder = sys.argv[1:]
os.chdir(source)
packed = os.path.join(folder, build_meta.build_sdist(folder))
shutil.unpack_archive(packed, folder, filter="data")
os.chdir(packed.removesuffix(".tar.gz"))
build_meta.build_wheel(os.path.join(folder, "again"), {"--build-option": "--compression=stored"})
"""
RUN_EXAMPLES = """
import json, sys
examples, lab, site, *options = sys.argv[1:]
for example in json.loads(examples):
    exec(example, {})
"""
LOAD_SAMPLES = """
import dpviz
from dpviz.intake.samples import load_sample, samples
for one in samples():
    assert [values.size for values in load_sample(one.key)] == [one.n] * len(one.columns)
print("samples:", len(samples()), dpviz.__file__)
"""
RUN_PAGES = """
from dpviz.core.places import top_level
from dpviz.ui.kit.frame import PAGES, page_file
from streamlit.testing.v1 import AppTest
app = AppTest.from_file(str(top_level("app.py")), default_timeout=60).run()
assert not app.exception, app.exception
files = [page_file(name) for rows in PAGES.values() for name, _ in rows]
for path in (files[1], files[-1]):
    app.switch_page(path).run()
    assert not app.exception, app.exception
    assert app.title[0].value
print([path for path in files if not top_level(path).is_file()])
"""
WRITE_LAB = """
from dpviz.__main__ import main
assert main(["lab", "--solved", "-o", lab]) == 0
"""
RUN_LAB = """
space = {}
for cell in json.load(open(lab, encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), space)
"""
WRITE_SITE = """
from dpviz.__main__ import main
assert main(["site", site, *options]) == 0
print("servers:", sorted({"streamlit", "tornado"} & set(sys.modules)))
"""
IN_PART = """
from dpviz.site import build, decide_page, pages
course = list(build.course())
build.course = lambda: course[-1:]
decide_page.page = lambda app: pages.test_page()
"""
OPTIONS = ("--single", "--address", SITE_ADDRESS[:-1], "--app", SITE_APP)
SHOW_OPTIONS = """
import json, sys
import streamlit as st
print(json.dumps({name: st.get_option(name) for name in json.loads(sys.argv[1])}))
"""


@dataclass(frozen=True)
class Installed:
    """An environment with dpviz in it, and an unrelated folder to work in."""

    folder: Path
    elsewhere: Path
    home: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        base = {"base": str(self.folder), "platbase": str(self.folder)}
        return Path(sysconfig.get_path("purelib", "venv", base))

    @property
    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "STREAMLIT_"))}
        return {**kept, "HOME": str(self.home), "USERPROFILE": str(self.home)}

    def run(self, *command: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(part) for part in command],
            cwd=cwd or self.elsewhere,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def output(self, *command: object, cwd: Path | None = None) -> str:
        """What a command prints that must succeed."""
        done = self.run(*command, cwd=cwd)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def pip(*arguments: object) -> None:
    command = [sys.executable, "-m", "pip", *arguments, "--no-deps", "--no-index", "-q"]
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def environment_in(folder: Path) -> Installed:
    """A fresh environment that sees this one's packages after its own, but no editable install."""
    venv.create(folder / "environment", with_pip=False, symlinks=True)
    made = Installed(folder / "environment", folder / "elsewhere", folder / "home")
    made.elsewhere.mkdir()
    (made.home / ".streamlit").mkdir(parents=True)
    (made.home / ".streamlit" / "config.toml").write_text(OTHER_SETTINGS, encoding="utf-8")
    shared = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    # folders that a .pth file names come last, and their own .pth files are not read
    (made.packages / "shared.pth").write_text("\n".join(shared), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, since a build writes beside its sources."""
    copy = tmp_path_factory.mktemp("repository") / "dp viz"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*IGNORED))
    for name in PLANTED:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("{}", encoding="utf-8")
    left = copy / "build" / "lib" / "dpviz" / "left_by_an_earlier_build.py"
    left.parent.mkdir(parents=True)
    left.touch()
    return copy


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(BUILD, source, tmp_path_factory.mktemp("wheel"))


def built(how: str, source: Path, folder: Path) -> Path:
    """The one wheel that a process leaves in or below a folder."""
    command = [sys.executable, "-c", how, str(source), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.rglob("dpviz-*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    made = environment_in(tmp_path_factory.mktemp("installed"))
    pip("--python", made.python, "install", "--no-compile", wheel)
    return made


def test_the_wheel_is_complete(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for path in CARRIED:
            assert archive.read(f"dpviz/_app/{path}") == (ROOT / path).read_bytes(), path
    modules = packaged()
    carried = {f"dpviz/_app/{path}" for path in CARRIED}
    assert len(CARRIED) >= 2 + 7 + 11
    stored = {name for name in names if not name.startswith("dpviz-")}
    assert stored == modules | carried | set(PLANTED) | {"dpviz/py.typed"}


def packaged() -> set[str]:
    """The package's own files that the app or a reader needs."""
    files = (ROOT / "dpviz").rglob("*")
    return {path.relative_to(ROOT).as_posix() for path in files if path.suffix in PACKAGED}


def test_a_source_distribution_lists_all_that_the_wheel_is_made_of(source, wheel):
    assert wheel.is_file()  # its build leaves the list beside the sources
    listed = (source / "dpviz.egg-info" / "SOURCES.txt").read_text(encoding="utf-8").splitlines()
    needed = {*CARRIED, *packaged(), *PLANTED, "pyproject.toml", "setup.py", "README.md"}
    assert needed - {*listed} == set()


@pytest.mark.thorough
def test_a_source_distribution_gives_the_same_wheel(source, wheel, tmp_path):
    wheels = wheel, built(BUILD_AGAIN, source, tmp_path)
    first, again = ({one.filename: one.CRC for one in listed(one)} for one in wheels)
    assert again == first


def listed(wheel: Path) -> list[zipfile.ZipInfo]:
    """What a wheel holds, but for the list of its files."""
    with zipfile.ZipFile(wheel) as archive:
        return [one for one in archive.infolist() if not one.filename.endswith("/RECORD")]


@pytest.fixture(scope="module")
def told(installed: Installed) -> str:
    """What one process says that runs all but the app; of the site it writes a part."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    assert examples
    code = RUN_EXAMPLES + LOAD_SAMPLES + WRITE_LAB + IN_PART + WRITE_SITE + RUN_PAGES
    lab, site = installed.folder / "lab.ipynb", installed.folder / "site"
    given = json.dumps(examples), lab, site, *OPTIONS
    return installed.output(installed.python, "-c", code, *given)


def test_examples_samples_and_pages_run(installed, told):
    ((count, file),) = re.findall(r"^samples: (\d+) (.+)$", told, re.MULTILINE)
    assert int(count) >= 10
    assert Path(file) == installed.packages / "dpviz" / "__init__.py"
    assert (installed.folder / "lab.ipynb").stat().st_size > 10_000
    assert told.endswith("\n[]\n")


@pytest.mark.thorough
def test_the_lab_runs(installed, tmp_path):
    code = f"import json, sys\n_, lab = sys.argv\n{WRITE_LAB}{RUN_LAB}"
    told = installed.output(installed.python, "-c", code, tmp_path / "lab.ipynb")
    assert "8 of 8.\n" in told


def test_it_writes_the_repositorys_site_without_streamlit(installed, told, site_folder):
    """All but the page of Decide and the scenes before the last."""
    names = written(told, installed.folder / "site")
    names -= {"decide.html", "alone-decide.html"}
    assert len(names) > 20
    assert other_files(names, installed.folder / "site", site_folder) == []


@pytest.mark.thorough
def test_it_writes_the_whole_site_without_streamlit(installed, site_folder, tmp_path):
    code = f"import sys\nsite, *options = sys.argv[1:]\n{WRITE_SITE}"
    told = installed.output(installed.python, "-c", code, tmp_path / "site", *OPTIONS)
    names = written(told, tmp_path / "site")
    assert names == {file.name for file in site_folder.iterdir()}
    assert other_files(names, tmp_path / "site", site_folder) == []


def written(told: str, site: Path) -> set[str]:
    """The files of a site that was written without a server."""
    assert "index.html" in told
    assert "\nservers: []\n" in told
    return {file.name for file in site.iterdir()}


def other_files(names: set[str], site: Path, wanted: Path) -> list[str]:
    """What is not as wanted; pictures of links, which the wanted site has none of, are large."""
    links = {one for one in names if one.endswith(".png")}
    small = [one for one in links if (site / one).stat().st_size < 10_000]
    rest = names - links
    return small + [one for one in rest if (site / one).read_bytes() != (wanted / one).read_bytes()]


def test_theme_and_server_options_are_the_repositorys(installed):
    stored = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    # the user's own settings are read as well, and come second
    wanted = {**options(tomllib.loads(stored)), "server.port": 1}
    names = json.dumps(list(wanted))
    app = installed.packages / "dpviz" / "_app"
    found = installed.output(installed.python, "-c", SHOW_OPTIONS, names, cwd=app)
    assert json.loads(found) == wanted


def options(section: dict, name: str = "") -> dict[str, object]:
    """A section's settings by their full names, such as 'theme.light.textColor'."""
    flat = {}
    for key, value in section.items():
        flat |= options(value, f"{name}{key}.") if isinstance(value, dict) else {name + key: value}
    return flat


@pytest.mark.parametrize("command", [("python", "-m", "dpviz"), ("dpviz",)])
def test_help_answers(installed, command):
    program, *rest = command
    answer = installed.output(installed.folder / "bin" / program, *rest, "--help")
    for word in ("usage: dpviz", "--port", "--host"):
        assert word in answer


def test_the_app_starts_from_an_unrelated_folder(installed, tmp_path):
    port = free_port()
    log = tmp_path / "log.txt"
    command = [str(installed.python), "-m", "dpviz", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=installed.elsewhere,
            env=installed.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        until = time.monotonic() + START_SECONDS
        while not is_healthy(port):
            running = process.poll() is None and time.monotonic() < until
            assert running, log.read_text(errors="replace")
            time.sleep(0.1)
        second = installed.run(*command)
    finally:
        process.terminate()
        process.wait(timeout=10)
    assert f"dpviz is starting at http://127.0.0.1:{port} " in log.read_text(errors="replace")
    assert second.returncode == 2
    assert second.stderr.endswith(f"Port {port} on 127.0.0.1 is taken. Choose another port.\n")
    assert list(installed.elsewhere.iterdir()) == []


@pytest.mark.thorough  # all other tests run where dpviz is installed so
def test_an_editable_install_uses_the_repositorys_files(source, tmp_path):
    made = environment_in(tmp_path)
    pip("--python", made.python, "install", "--no-build-isolation", "-e", source)
    code = "from dpviz.core.places import top_level; print(top_level('app.py'))"
    assert made.output(made.python, "-c", code).strip() == str(source / "app.py")
    assert "usage: dpviz" in made.output(made.folder / "bin" / "dpviz", "--help")
