"""`dpviz release` as its users call it: a process of its own, a file, words and exit codes."""

import gzip
import json
import subprocess
import sys
from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

from dpviz.__main__ import main
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.releases import QuantileRelease
from dpviz.releasing import NEIGHBOURS as RELATIONS
from tests.conftest import ROOT

AGES = ("--column", "age", "--bounds", "0", "120", "--resolution", "1")
MEDIAN = (*AGES, "--quantiles", "0.5", "--epsilon", "1")


def file_of(folder: Path, rows: list[str], name: str = "people.csv", head: str = "age,x,y") -> Path:
    path = folder / name
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return file_of(tmp_path, [f"{20 + i % 60},{i % 10},{i % 7}" for i in range(400)])


@pytest.mark.law
def test_a_process_releases_quantiles_with_secure_bits(people):
    call = [sys.executable, "-m", "dpviz", "release", str(people), *MEDIAN[:-1], "1000"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    release = QuantileRelease.from_json(done.stdout)
    assert done.stderr == ""
    assert release.randomness == "secure"
    assert release.spent == PureDP(1000)
    assert abs(release.values[0] - 49.5) <= 1.5  # next to no noise: the true median


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ((*AGES, "--tree", "--fanout", "4", "--height", "3", "--rho", "0.1"), "tree"),
        ((*AGES, "--tree", "--height", "3", "--epsilon", "1", "--delta", "1e-6"), "tree"),
        (
            (
                *("--map", "x", "y", "--bounds", "0", "10", "--bounds-y", "0", "7"),
                *("--height", "3", "--epsilon", "1", "--neighbours", "replace-one"),
            ),
            "spatial",
        ),
    ],
)
def test_trees_and_maps(people, capsys, asked, kind):
    assert main(["release", str(people), *asked]) == 0
    said = capsys.readouterr()
    stored = json.loads(said.out)
    assert kind in stored["kind"]
    assert stored["randomness"] == "secure"
    assert said.err == ""


def test_the_command_offers_every_relation():
    assert tuple(one.value for one in Neighbours) == RELATIONS


def test_two_calls_do_not_share_their_noise(people, capsys):
    asked = ["release", str(people), *AGES, "--tree", "--height", "6", "--epsilon", "0.1"]
    outputs = [(main(asked), capsys.readouterr().out) for _ in range(2)]
    assert outputs[0][1] != outputs[1][1]


# a record less, cells that are no numbers, values far outside, one record, none
NEIGHBOURS = (
    ["1,1,1", "2,2,2"],
    ["1,1,1"],
    ["Ana,1,1", "2,2,2"],
    ["1e300,1,1", "2,2,2"],
    [",1,1"],
    ["2020-01-01,1,1"],
)


def test_only_the_release_differs_between_files(tmp_path, capsys):
    """Equal words and codes, and JSON that is equal but for the private values."""
    seen = set()
    for number, rows in enumerate(NEIGHBOURS):
        code = main(["release", str(file_of(tmp_path, rows, f"{number}.csv")), *MEDIAN])
        said = capsys.readouterr()
        stored = json.loads(said.out)
        stored.pop("values")
        stored.pop("recursion", None)
        seen.add((code, said.err, json.dumps(stored, sort_keys=True)))
    assert len(seen) == 1


REFUSED = [
    (("--column", "age", "--bounds", "9", "1", "--quantiles", "0.5", "--epsilon", "1"), "below"),
    ((*AGES, "--quantiles", "1.5", "--epsilon", "1"), "between 0 and 1"),
    ((*AGES, "--quantiles", "0.5", "--epsilon", "nan"), "ε must be a positive"),
    ((*AGES, "--quantiles", "0.5", "--rho", "1", "--delta", "0.1"), "--delta goes with"),
    ((*AGES, "--quantiles", "0.5", "--epsilon", "1", "--height", "3"), "--height does not go"),
    ((*AGES, "--tree", "--height", "90", "--epsilon", "1"), "height"),
    (("--bounds", "0", "1", "--tree", "--epsilon", "1"), "--column"),
    (("--bounds", "0", "1", "--map", "x", "y", "--epsilon", "1"), "--bounds-y"),
]


@pytest.mark.parametrize(("asked", "words"), REFUSED)
def test_refusals_are_decided_before_the_file_is_opened(tmp_path, capsys, asked, words):
    """The file is not there at all, and the words are of what was declared."""
    assert main(["release", str(tmp_path / "missing.csv"), *asked]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err


@pytest.mark.parametrize("extra", [("--seed", "1"), ("--key", "00")])
def test_no_seed_and_no_key_is_taken(people, capsys, extra):
    with pytest.raises(SystemExit) as ended:
        main(["release", str(people), *MEDIAN, *extra])
    assert ended.value.code == 2
    assert "unrecognized arguments" in capsys.readouterr().err


def test_files_that_fail_say_nothing_of_their_content(tmp_path, capsys):
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 secret of Ana PAR1")
    for path in (broken, tmp_path / "missing.csv"):
        assert main(["release", str(path), *MEDIAN]) == 1
        said = capsys.readouterr()
        assert (
            said.err
            == "The file could not be read as delimited text or Parquet. Nothing was released.\n"
        )
        assert said.out == ""
    other = file_of(tmp_path, ["61300"], head="pay")
    assert main(["release", str(other), *MEDIAN]) == 1
    assert capsys.readouterr().err == "The file has no column 'age'. Nothing was released.\n"


def test_an_output_is_written_once(tmp_path, people, capsys):
    output = tmp_path / "release.json"
    asked = ["release", str(people), *MEDIAN, "-o", str(output)]
    assert main(asked) == 0
    first = output.read_text(encoding="utf-8")
    assert QuantileRelease.from_json(first).randomness == "secure"
    assert main(asked) == 1
    assert output.read_text(encoding="utf-8") == first
    assert "cannot be written" in capsys.readouterr().err


def test_a_release_that_cannot_be_written_counts_as_spent(people, capsys):
    asked = ["release", str(people), *MEDIAN]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpviz.releasing._opened", lambda _: nullcontext(Full()))
        assert main(asked) == 1
    assert capsys.readouterr().err.endswith("Count its budget as spent.\n")


class Full(StringIO):
    """A disk without room."""

    def write(self, _: str) -> int:
        raise OSError("no room")


def test_a_failure_leaves_no_empty_output(tmp_path):
    output = tmp_path / "release.json"
    assert main(["release", str(tmp_path / "missing.csv"), *MEDIAN, "-o", str(output)]) == 1
    assert not output.exists()


# two files that differ in one record, which once decided how all the others were read
ONE_FOR_ALL = [
    (["true"] * 200, [*["true"] * 199, "x"], ()),
    (["i;1,234"] * 200, [*["i;1,234"] * 199, "i;1,234,567"], ("--separator", ";")),
    (["1,2"] * 9, [*["1,2"] * 8, "1,2,3"], ()),
    (["5,1"] * 50, ['"5,1', *["5,1"] * 49], ()),
    (["5,1"] * 50, ["5\xff,1", *["5,1"] * 49], ()),
    (["0x1F,1"] * 50, ["0x1F,1"] * 49 + ["31,1"], ()),
]


@pytest.mark.parametrize(("rows", "others", "extra"), ONE_FOR_ALL)
def test_no_record_decides_how_another_is_read(tmp_path, capsys, rows, others, extra):
    """With next to no noise the counts of both files are at most one apart."""
    counts = []
    head = "id;age" if extra else "age,x"
    for number, lines in enumerate((rows, others)):
        path = file_of(tmp_path, lines, f"{number}.csv", head)
        asked = ["--column", "age", "--bounds", "0", "9999", "--tree", "--height", "1"]
        assert main(["release", str(path), *asked, "--epsilon", "1000", *extra]) == 0
        counts.append(json.loads(capsys.readouterr().out)["counts"][0][0])
    assert abs(counts[0] - counts[1]) <= 1


@pytest.mark.parametrize("mark", [",,", "1", '"', "-", "", "a"])
def test_separators_that_numbers_hold_are_refused(people, capsys, mark):
    assert main(["release", str(people), *MEDIAN, f"--separator={mark}"]) == 2
    assert "--separator must be one mark" in capsys.readouterr().err


def test_a_header_without_records_is_a_file_of_nobody(tmp_path, capsys):
    assert main(["release", str(file_of(tmp_path, [], "0.csv")), *MEDIAN]) == 0
    assert json.loads(capsys.readouterr().out)["randomness"] == "secure"


@pytest.mark.parametrize("path", ["a\0b.csv", "a\ud800.csv", "\0"])
def test_a_path_that_is_none_ends_in_words(people, capsys, path):
    assert main(["release", path, *MEDIAN]) == 1
    assert "could not be read" in capsys.readouterr().err
    assert main(["release", str(people), *MEDIAN, "-o", path]) == 1
    said = capsys.readouterr()
    assert ("cannot be written" in said.err, said.out) == (True, "")


@pytest.mark.parametrize("cut", [3, 12, 60])
def test_a_cut_archive_ends_in_words(people, capsys, cut):
    archive = people.with_name("people.csv.gz")
    archive.write_bytes(gzip.compress(people.read_bytes())[:cut])
    assert main(["release", str(archive), *MEDIAN]) == 1
    assert "could not be read" in capsys.readouterr().err


PEAK = """
import sys
from dpviz.__main__ import main
from dpviz.intake.declared import columns
columns.BLOCK = int(sys.argv[1])
code = main(["release", *sys.argv[2:]])
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(code, int(status["VmHWM"].split()[0]) / 1e3, file=sys.stderr)
"""


def megabytes(path: Path, block: int, *asked: str) -> float:
    """The most memory of a process that reads so many bytes at once.

    Not ru_maxrss, which begins with that of the process that started it.
    """
    call = [sys.executable, "-c", PEAK, str(block), str(path), *asked]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    code, most = done.stderr.split()
    assert code == "0"
    return float(most)


@pytest.mark.law
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_release_reads_a_file_in_batches(tmp_path):
    """A file of 8 MB takes 180 MB, of which the process is 130, and 290 if it is read at once."""
    rng, size = np.random.default_rng(1), 500_000
    data = {"id": np.arange(size), "pay": (rng.normal(5e4, 1e4, size)).round(2)}
    path = tmp_path / "pay.csv"
    csv.write_csv(pa.table(data), path)
    for asked in (
        ("--column", "pay", "--bounds", "0", "100000", "--quantiles", "0.5", "--epsilon", "1"),
        ("--map", "id", "pay", "--bounds", "0", "9", "--bounds-y", "0", "9", "--epsilon", "1"),
    ):
        assert megabytes(path, 1 << 20, *asked) < 215
    assert megabytes(path, 1 << 30, *asked) > 255
